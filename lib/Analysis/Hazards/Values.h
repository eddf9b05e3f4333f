//===- Values.h - What threads know of values -------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values of a kernel as a sum: unknowns that are named, a constant, and a part
// that each thread has for itself. Enough to say which warps take a branch,
// which columns an address names, and which barrier is meant.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_ANALYSIS_HAZARDS_VALUES_H
#define TMEM_LIB_ANALYSIS_HAZARDS_VALUES_H

#include "Cycles.h"
#include "Election.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "tmem/Analysis/Hazards.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <bitset>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace mlir::tmem::hazards {

using ThreadSet = std::bitset<maxThreads>;

/// Which threads certainly have the same value: those of the CTA, those of a
/// warp, or none.
enum class Agreement : uint8_t { CTA, Warp, None };

/// An unknown, by its number in the evaluator, and how often it counts.
struct Term {
  unsigned symbol;
  int64_t factor;
  bool operator==(const Term &other) const {
    return symbol == other.symbol && factor == other.factor;
  }
};

/// The sum of terms, a constant and what `table` holds for each thread.
struct ThreadValue {
  SmallVector<Term, 1> terms;
  int64_t constant = 0;
  /// Null where all threads have 0. Tables that are equal are one.
  const std::vector<int64_t> *table = nullptr;

  bool isConstant() const { return terms.empty() && !table; }
  bool isKnown() const { return terms.empty(); }
  int64_t get(unsigned thread) const {
    return constant + (table ? (*table)[thread] : 0);
  }
  bool operator==(const ThreadValue &other) const {
    return terms == other.terms && constant == other.constant &&
           table == other.table;
  }
};

/// A function as it is called from one place.
struct Frame {
  Frame(unsigned id, Operation *function, Operation *call, Frame *parent)
      : id(id), function(function), call(call), parent(parent) {}

  unsigned id;
  Operation *function;
  Operation *call;
  Frame *parent;
  DenseMap<Value, unsigned> values; ///< Index into the evaluator's values.
  /// Of a run: what values are now.
  bool isRun = false;
  DenseMap<Value, ThreadValue> current;
};

/// The calls that lead to a frame.
Calls getCalls(const Frame *frame);

/// Bytes of an address of Tensor Memory, and of words that may hold one.
inline constexpr int64_t wordBytes = 4;

/// Bytes of an mbarrier (PTX ISA, mbarrier: size and alignment).
inline constexpr int64_t mbarrierBytes = 8;

/// A word of shared memory: the variable it lies in, and the byte. Loads of
/// more or fewer bytes there see something else.
struct Slot {
  unsigned object;
  int64_t offset;
  int64_t bytes = wordBytes;
  bool operator<(const Slot &other) const {
    return std::tie(object, offset, bytes) <
           std::tie(other.object, other.offset, other.bytes);
  }
  bool operator==(const Slot &other) const {
    return object == other.object && offset == other.offset &&
           bytes == other.bytes;
  }
};

/// What is known of a variable: how many bytes it has, or -1, and what its
/// address is a multiple of.
struct Extent {
  int64_t bytes = -1, alignment = 1;
};

/// Bytes that a value of a type takes in memory.
int64_t getBytes(Type type);

/// What a symbol of type i1 compares, where neither side is known.
struct Comparison {
  enum Kind : uint8_t { Equal, SignedLess, UnsignedLess };
  Kind kind;
  unsigned width;
  ThreadValue a, b;
};

/// A symbol of type i1, or the opposite of one.
struct Literal {
  unsigned symbol;
  bool isNegated;
};

/// Whether what a memref or a pointer names is shared memory.
bool isShared(Type type);
/// Whether an operation gives its first operand, an address, in another form or
/// with an offset.
bool isAddressCast(Operation *op);

/// The number, of so many bits, as one without a sign, and with one.
inline uint64_t toUnsigned(int64_t value, unsigned width) {
  return width >= 64 ? uint64_t(value)
                     : uint64_t(value) & ((1ull << width) - 1);
}
inline int64_t toSigned(int64_t value, unsigned width) {
  return width >= 64 ? value
                     : int64_t(uint64_t(value) << (64 - width)) >> (64 - width);
}

/// Evaluates integers, pointers, memrefs and views of a kernel on demand, each
/// once.
class Evaluator {
public:
  Evaluator(Operation *kernel, BlockShape block, bool followCalls);

  BlockShape getBlock() const { return block; }
  Frame *getKernelFrame() { return frames.front().get(); }

  ThreadValue get(Value value, Frame *frame);
  Agreement getAgreement(const ThreadValue &value) const;
  Agreement getAgreement(Value value, Frame *frame) {
    return getAgreement(get(value, frame));
  }

  /// Whether threads run the loops of blocks around a block for as many turns.
  Agreement getAgreementOnTurns(Block *block, Frame *frame);
  /// Whether a value is of a loop of blocks of which something is used behind
  /// it.
  bool escapes(Value value);

  /// The callee's frame, or null for one that is not known or is recursive.
  Frame *getCallee(CallOpInterface call, Frame *frame);

  /// What elections name.
  Election election;
  /// Lanes apart, by all tests of values that were evaluated so far, and all
  /// other values that `keepSeparate` was told of.
  LaneClasses findLaneClasses() const;
  /// Says that what each lane has of a value matters.
  void keepSeparate(const ThreadValue &value) {
    if (value.table)
      separating.insert(value.table);
  }
  /// Says that it matters which lanes have a number.
  void keepTest(const ThreadValue &value, int64_t number);

  // For runs: values that change.
  /// A frame in which nothing is known yet.
  Frame *makeFrame(Operation *function, Operation *call, Frame *parent);
  void dropRunFrames() { runFrames.clear(); }
  void assign(Value value, Frame *frame, const ThreadValue &is);
  /// Computes a result from what its operands are now.
  void evaluateAgain(Operation *op, Value result, Frame *frame) {
    assign(result, frame, evaluateOp(op, result, frame));
  }
  /// An address that an alloc writes to a word.
  ThreadValue makeAddress(const Slot &slot) {
    return makeSymbol(
        {Agreement::CTA, /*isObject=*/false, slot, {}, {}, nullptr, true});
  }
  ThreadValue makeUnknown() { return makeOpaque({}, Agreement::None); }
  /// `a` for the threads of which the lane is in `lanes`, `b` for others. Both
  /// have the same unknowns.
  ThreadValue choose(const ThreadValue &a, const ThreadValue &b,
                     uint32_t lanes);
  /// A value with `getInput` put in for what is not known.
  std::optional<ThreadValue>
  resolve(const ThreadValue &value,
          llvm::function_ref<std::optional<int64_t>(unsigned)> getInput);

  /// The word that an address names, with `bytes` added, if that is known.
  std::optional<Slot> getSlot(const ThreadValue &address) const;
  Extent getExtent(unsigned object) const { return symbols[object].extent; }
  /// The variable that an address lies in, if that is known.
  std::optional<unsigned> getObject(const ThreadValue &address) const;
  /// Whether an address is one of shared memory, by its type or because of
  /// what it is made of.
  bool namesShared(Value address, Frame *frame);
  /// Of accesses that are less plain (classifyOther): those that matter in some
  /// frame, as the graph has found them.
  DenseSet<Operation *> otherAccesses;
  /// Variables in which mbarriers are made, as far as the graph knows.
  DenseSet<unsigned> mbarrierObjects;
  /// The address that an access of a memref, by its operands, names.
  ThreadValue getElementAddress(Value memref, ValueRange indices, Frame *frame);
  /// The word whose content a symbol is, if it is one.
  std::optional<Slot> getContent(unsigned symbol) const;
  /// The block argument or result that a symbol stands for, or null.
  Value getOpaque(unsigned symbol) const { return symbols[symbol].value; }
  /// The frame of that, or null where it is not kept.
  Frame *getFrame(unsigned symbol) const { return symbols[symbol].frame; }
  /// Makes each load of a word have a symbol of its own. To be called first,
  /// with words as another evaluator of the kernel knows them.
  void followLoads(const Evaluator &other, ArrayRef<Slot> slots);
  bool isVersioned(const Slot &slot) const {
    return versioned.count({objectKeys.at(slot.object), slot.offset});
  }
  /// The symbol that a condition is, or is the opposite of.
  std::optional<Literal> getLiteral(const ThreadValue &condition) const;
  /// What a symbol of type i1 compares, or null.
  const Comparison *getComparison(unsigned symbol) const {
    return symbols[symbol].comparison.get();
  }
  /// `a < b`, signed.
  ThreadValue compareLess(const ThreadValue &a, const ThreadValue &b);
  /// The same without a sign, of numbers of so many bits.
  ThreadValue compareBelow(const ThreadValue &a, const ThreadValue &b,
                           unsigned width);
  /// `a + factor * b`.
  ThreadValue add(const ThreadValue &a, const ThreadValue &b, int64_t factor);
  /// Collects the values that a symbol is computed from. False if those do not
  /// say all: words of memory may change.
  bool getSources(unsigned symbol, SmallVectorImpl<Value> &sources) const;

private:
  struct Symbol {
    Agreement agreement;
    bool isObject = false;
    std::optional<Slot> content;
    Value value;
    std::shared_ptr<Comparison> comparison;
    Frame *frame = nullptr; ///< Of `value`, where that matters.
    bool isAddress = false; ///< Certainly one that an alloc has returned.
    bool isShared = false;  ///< Of an object: it lies in shared memory.
    Extent extent = {};     ///< Of an object.
  };
  using Table = std::vector<int64_t>;

  ThreadValue makeSymbol(Symbol symbol);
  ThreadValue makeObject(const void *key, bool isShared,
                         Agreement agreement = Agreement::CTA);
  ThreadValue makeVariable(Value variable, const void *key);
  ThreadValue makeOpaque(Value value, Agreement agreement);
  ThreadValue makeTable(Table table);
  ThreadValue makeComparison(Comparison comparison);
  std::optional<ThreadValue> compareUnknown(int64_t predicate, unsigned width,
                                            const ThreadValue &a,
                                            const ThreadValue &b);
  std::optional<ThreadValue> compareSums(int64_t predicate, unsigned width,
                                         const ThreadValue &a,
                                         const ThreadValue &b);
  std::optional<ThreadValue> changeBits(const ThreadValue &address,
                                        const ThreadValue &bits, bool clears);
  bool addsBits(const ThreadValue &address, const ThreadValue &bits);
  Agreement getAgreementOf(unsigned symbol) const;
  ThreadValue makePerThread(llvm::function_ref<int64_t(unsigned)> fn);
  static ThreadValue makeConstant(int64_t constant);

  ThreadValue evaluate(Value value, Frame *frame);
  ThreadValue evaluateOp(Operation *op, Value value, Frame *frame);
  ThreadValue evaluateArgument(BlockArgument argument, Frame *frame);
  ThreadValue evaluateLaunchArgument(BlockArgument argument);
  ThreadValue makeThreadId(unsigned dimension);
  std::optional<ThreadValue> evaluateRegister(Operation *op);
  std::optional<ThreadValue> evaluateArithmetic(Operation *op, Frame *frame);
  std::optional<ThreadValue> evaluateMemory(Operation *op, Frame *frame);
  std::optional<ThreadValue> evaluateView(Operation *op, Frame *frame);
  ThreadValue evaluateShuffle(Operation *op, Value value, Frame *frame);
  ThreadValue evaluateElection(Operation *op, Value value, Frame *frame);
  std::optional<ThreadValue> evaluateWarp(Operation *op, Value value,
                                          Frame *frame);
  std::optional<ThreadValue> evaluateCarried(Operation *op, Value value,
                                             Frame *frame);
  std::optional<ThreadValue>
  choose(Operation *op, const ThreadValue &selector,
         ArrayRef<std::pair<Value, Frame *>> incoming);
  /// One value for all that come in, if they are one but for `value` itself.
  ThreadValue merge(Value value, Frame *frame,
                    ArrayRef<std::pair<Value, Frame *>> incoming,
                    llvm::function_ref<Agreement()> getControl);
  Agreement getControl(Block *block, Frame *frame);
  Agreement getAgreementOnTurns(Operation *loop, Frame *frame);
  Agreement getAgreementOnTurns(const Cycle &cycle, Frame *frame,
                                Region *region);
  Agreement findAgreementOnTurns(const Cycle &cycle, Frame *frame);
  void findTurns(Region *region, Frame *frame);
  void forgetTurns(size_t begin);
  void prepareTurns(Region *region, Frame *frame);
  const BlockCycles &getCycles(Region *region);
  bool partsTurns(Block *branch, const Cycle &cycle);
  void disagreeByTurn(Value value, const ThreadValue &is, Frame *frame);
  void forgetSince(size_t begin);
  bool isTooMuch() const;
  bool changesIn(Operation *loop, Frame *frame, const ThreadValue &value) const;
  ThreadValue loadSlot(const ThreadValue &address, Value result, Frame *frame);
  Agreement getOperandAgreement(Operation *op, Frame *frame);

  std::optional<ThreadValue> multiply(const ThreadValue &a,
                                      const ThreadValue &b);

  BlockShape block;
  bool followCalls;
  SymbolTableCollection symbolTables;
  DominanceInfo dominance;
  PostDominanceInfo postDominance;
  DenseMap<Region *, std::unique_ptr<BlockCycles>> cycles;
  /// What is known of loops of blocks, and of which regions; of those the ones
  /// that may be based on suppositions, by what had been evaluated before.
  std::map<std::pair<const Cycle *, Frame *>, Agreement> turns;
  DenseSet<std::pair<Region *, Frame *>> knownTurns, preparedTurns;
  struct SupposedTurns {
    size_t begin;
    Region *region;
    Frame *frame;
  };
  SmallVector<SupposedTurns, 0> supposedTurns;
  std::vector<std::unique_ptr<Frame>> frames, runFrames;
  std::map<std::pair<Operation *, Frame *>, Frame *> callees;
  std::vector<Symbol> symbols;
  DenseMap<const void *, unsigned> objects;
  std::map<unsigned, const void *> objectKeys;
  /// Words of which each load is followed for itself.
  std::set<std::pair<const void *, int64_t>> versioned;
  std::map<std::tuple<Slot, const void *, Frame *>, unsigned> loads;
  /// Equal comparisons are one symbol.
  std::map<std::vector<int64_t>, unsigned> comparisons;
  std::map<Slot, unsigned> contents;
  std::map<Table, std::unique_ptr<Table>> tables;
  DenseSet<const Table *> separating;
  std::vector<ThreadValue> values;
  /// What was evaluated, in order, while loops are being closed.
  std::vector<std::pair<Frame *, Value>> trail;
  unsigned openLoops = 0;
  /// Values that were evaluated for good, and on a supposition.
  size_t numKept = 0, numForgotten = 0;
  unsigned depth = 0;
};

} // namespace mlir::tmem::hazards

#endif // TMEM_LIB_ANALYSIS_HAZARDS_VALUES_H
