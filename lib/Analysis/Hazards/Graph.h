//===- Graph.h - What a kernel does, as a graph -----------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations become events, which say nothing of their dialect. Events stand in
// nodes, straight lines that a set of threads runs. Calls are inlined. Branches
// that the thread id decides are no branches here: the arms follow each other,
// each with the threads that run it, and order between them is up to barriers.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_ANALYSIS_HAZARDS_GRAPH_H
#define TMEM_LIB_ANALYSIS_HAZARDS_GRAPH_H

#include "Conditions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tmem/Layout/Planner.h"
#include "llvm/ADT/BitVector.h"
#include <deque>
#include <unordered_set>

namespace mlir::tmem::hazards {

enum class EventKind : uint8_t {
  Alloc,
  Dealloc,
  Relinquish,
  Load,
  Store,
  WaitLoad,
  WaitStore,
  FenceBefore,
  FenceAfter,
  BarrierSync,
  BarrierArrive,
  MBarrierInit,
  MBarrierInval,
  MBarrierArrive,
  MBarrierWait,
  Transaction, ///< Bytes that an mbarrier counts.
  Commit,
  TensorWrite, ///< mma, cp, shift: written by the tensor core.
  TensorRead,  ///< Matrix A of an mma, where it is in Tensor Memory.
  SlotRead,
  SlotWrite,
  WarpSync,
  ClusterArrive,
  ClusterWait,
  RegisterUse,
  RegisterMove,
  End, ///< Of the threads that execute it.
  OtherSync,
  Unknown,
  Exit,
};
inline constexpr unsigned numEventKinds = unsigned(EventKind::Exit) + 1;

/// What the tensor core accesses, long after the instruction.
inline bool isOfTensorCore(EventKind kind) {
  return kind == EventKind::TensorWrite || kind == EventKind::TensorRead;
}

/// What an operation does, in terms of its operands.
struct Effect {
  EventKind kind;
  Operation *op = nullptr;
  /// The TMEM address, view, slot or mbarrier.
  Value address;
  int64_t offset = 0; ///< What inline PTX adds to it.
  /// Of a memory access, or of a group of mbarriers: what it is indexed by.
  ValueRange indices;
  /// Of a store: how many bytes it writes.
  int64_t bytes = wordBytes;
  /// Columns, as a value or a constant; of the store of a word what it stores.
  Value columns;
  int64_t staticColumns = -1;
  /// A barrier's number and number of threads, the parity of a wait.
  Value barrier, count, parity;
  unsigned ctaGroup = 0;
  /// Whether all lanes of the warp have to execute it.
  bool isAligned = false;
  /// Of alloc and dealloc.
  bool isExclusive = false;
  /// Of the init of an mbarrier: the lanes that execute it, if not all.
  Value predicate;
  /// Of barriers: it orders no memory but Tensor Memory, by the fences.
  bool isRelaxed = false;
  /// Of a raw transfer.
  AtomShape shape = AtomShape::S32x32b;
  unsigned repeat = 0;
  bool packs = false;
  Value split;
  /// Of an mma: its instruction descriptor, where the layout of D is known.
  Value descriptor;
  /// Why it is unknown.
  StringRef reason;
  /// Of an arrival: it is not known when it comes, or whether.
  bool isUnclear = false;
  /// Of a memory access: its address is generic, so that it may not be one of
  /// shared memory.
  bool isGeneric = false;
};

Effect makeEffect(EventKind kind, Operation *op);

/// The address that an effect names, but for the indices of a memref.
ThreadValue getAddress(Evaluator &evaluator, const Effect &effect,
                       Frame *frame);

/// The same of an alloc, a load or a store, with the indices.
ThreadValue getWordAddress(Evaluator &evaluator, const Effect &effect,
                           Frame *frame);

/// What the operation does that matters here.
void classify(Operation *op, SmallVectorImpl<Effect> &effects);
/// Loads and stores of words of shared memory; false if it is neither.
bool classifyMemory(Operation *op, SmallVectorImpl<Effect> &effects);
/// A store to shared memory of something else than a word.
std::optional<Effect> classifyData(Operation *op);
/// Accesses that are less plain: by a generic address, which may be one of
/// shared memory, and reads of a word there as something else than an integer.
std::optional<Effect> classifyOther(Operation *op);
/// Whether it makes a generic address of one of shared memory.
bool makesGeneric(Operation *op);
void classifyInlinePTX(LLVM::InlineAsmOp op, SmallVectorImpl<Effect> &effects);
/// The same of mbarriers of nvgpu and of nvvm.inline_ptx; false if it is
/// nothing of the kind.
bool classifyNVGPU(Operation *op, SmallVectorImpl<Effect> &effects);
/// Of what is followed in part; `name`: behind "nvvm.".
bool classifyOtherSync(Operation *op, StringRef name,
                       SmallVectorImpl<Effect> &effects);
/// Whether it orders memory between threads.
bool isAtomic(Operation *op);
bool ordersMemoryInPTX(StringRef text);
/// Whether a branch may look at a value, as far as that can be told.
bool mayDecide(Value value);
/// Where the mbarrier of an effect is.
ThreadValue getMBarrierAddress(Evaluator &evaluator, const Effect &effect,
                               Frame *frame);

inline constexpr StringRef splitFix =
    "let it name the cells right behind those of the first half";
inline constexpr StringRef placeFix =
    "give it 8 bytes of the variable, at a multiple of 8";
/// What is wrong with the place of an mbarrier, for one thread, or "".
std::string findMisplacedMBarrier(const Evaluator &evaluator,
                                  const ThreadValue &address, unsigned thread);

/// The operands that inline PTX may read before it has waited for loads.
llvm::BitVector getEarlyOperands(LLVM::InlineAsmOp op);

/// True for operations that hand on loaded registers without reading them.
bool isRegisterMove(Operation *op);

/// Functions of the device that neither synchronize nor know Tensor Memory.
bool isHarmless(CallOpInterface call);

/// Whether an operation at a barrier is barrier.red: it must not meet other
/// uses of the barrier (PTX ISA, barrier.red).
bool reduces(Operation *op);

/// The values by which a branch chooses, from its second successor on; none for
/// one that is no switch.
std::optional<SmallVector<int64_t>> getCases(Operation *branch);

struct Event : Effect {
  Frame *frame = nullptr;
  /// Sets of registers: those that a RegisterUse reads, the one that a raw Load
  /// fills, and of a RegisterMove pairs of the one that gets something and the
  /// one that it gets, or 0 for registers that are complete.
  SmallVector<unsigned, 1> registers;
};

/// Why it is not known which threads run a node.
enum class Mixed : uint8_t { No, Warps, Lanes };

/// What has to hold for an edge to be taken.
struct Guard : Constraint {
  /// It says when a loop ends, and is no test that the kernel writes out.
  bool isImplicit = false;
};

/// What an edge gives to arguments of a block, or to results.
struct Move {
  ValueRange to, from;
  Frame *frame;
  /// Of an scf.for: its first turn, or the next one.
  Operation *loop = nullptr;
  bool isNextTurn = false;
};

/// Leads from a node to another one.
struct Edge {
  unsigned to;
  int guard = -1; ///< Index into the graph's guards, or -1.
  int move = -1;  ///< Index into the graph's moves, or -1.
};

struct Node {
  /// The graph's.
  const ThreadSet *threads;
  /// Threads that have returned before.
  const ThreadSet *exited;
  Mixed mixed = Mixed::No;
  bool isInLoop = false;
  SmallVector<unsigned, 4> events;

  /// Who does not have to come any more, or is here.
  ThreadSet getAccountedFor() const { return *threads | *exited; }
};

/// An event, and the node that it stands in.
struct EventSite {
  unsigned node, event;
};

struct Graph {
  Graph() = default;
  Graph(Graph &&) = default; ///< A copy would name the other's sets.

  std::vector<Event> events;
  std::deque<Node> nodes; ///< The first one is the entry.
  /// Those from a node are behind each other, so that whoever goes through the
  /// whole graph, as much does, looks at little memory.
  std::vector<Edge> edges;
  std::vector<unsigned> edgeBegins; ///< By node, and the end.
  ArrayRef<Edge> getEdges(unsigned node) const {
    return ArrayRef(edges).slice(edgeBegins[node],
                                 edgeBegins[node + 1] - edgeBegins[node]);
  }
  /// Of nodes: each set once.
  std::unordered_set<ThreadSet> threadSets;
  /// By kind: where its events are, so that few have to be looked at.
  std::array<std::vector<EventSite>, numEventKinds> sites;
  ArrayRef<EventSite> getSites(EventKind kind) const {
    return sites[unsigned(kind)];
  }
  unsigned exit = 0;
  unsigned numRegisters = 0; ///< Sets of registers, which count from 1.
  /// By set that is put together: of which ones.
  DenseMap<unsigned, SmallVector<unsigned, 2>> parts;
  std::deque<Guard> guards;
  std::vector<Move> moves;
  /// Operations with integers as results, and blocks, with the node where they
  /// are executed; but for those of which edges give the values.
  std::vector<std::pair<const void *, unsigned>> definitions;
  /// Why the graph is not the whole kernel, and where, if it is not.
  std::string incomplete;
  Operation *incompleteAt = nullptr;
  /// Which words of shared memory are written, by the events that do it.
  std::map<Slot, SmallVector<unsigned, 1>> writers;
};

/// By node: the edges that lead to it.
class Predecessors {
public:
  explicit Predecessors(const Graph &graph);
  struct Arrival {
    unsigned from, edge; ///< A node, and an index into the graph's edges.
  };
  ArrayRef<Arrival> operator[](unsigned node) const {
    return ArrayRef(arrivals).slice(begins[node],
                                    begins[node + 1] - begins[node]);
  }

private:
  std::vector<Arrival> arrivals;
  std::vector<unsigned> begins; ///< By node, and the end.
};

/// The graph of a kernel, calls included.
Graph buildGraph(Evaluator &evaluator, Operation *kernel);

} // namespace mlir::tmem::hazards

#endif // TMEM_LIB_ANALYSIS_HAZARDS_GRAPH_H
