//===- Run.h - A kernel, run on what is known -------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which phase of an mbarrier a wait is for depends on numbers that change from
// turn to turn. So kernels with mbarriers are run: integers, branches and
// barriers only, warp by warp, for several lengths of their loops. Order is
// kept as vector clocks, and each wait is checked to be for the same phase in
// whatever order the warps run: what is found in one run then holds for all
// with those lengths.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_ANALYSIS_HAZARDS_RUN_H
#define TMEM_LIB_ANALYSIS_HAZARDS_RUN_H

#include "Graph.h"
#include "Order.h"
#include "Program.h"
#include "Reads.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/SetVector.h"
#include <deque>

namespace mlir::tmem::hazards {

/// An access of columns that its allocation does not have.
struct Outside {
  Finding finding;
  int64_t first = INT64_MAX, last = INT64_MIN; ///< Where such accesses start.
};

/// What runs of a kernel said.
struct Trial {
  enum : uint8_t { Clean, Faulty, Unknown } verdict = Unknown;
  Report report;
  /// Why it is unknown.
  std::string why;
  Operation *where = nullptr;
  bool isSometimesFaulty = false; ///< For lengths that may not exist.
  bool isAtBarrier = false;       ///< Which warps meet, or whether, is unknown.
  /// Whether each combination of conditions on inputs was run, or why not.
  bool isCovered = true, hasTooManyChoices = false;
  llvm::MapVector<Operation *, Outside> outside;
  /// Of each run with a fault, the rule and the operation.
  std::set<std::pair<Rule, Operation *>> seen;
  /// What runs without a fault have executed.
  DenseSet<Operation *> clean;
};

/// Runs a kernel for several lengths of its loops. `sees`: for all of them, so
/// that every fault is seen. `counted`: reads, by
/// every lane, with which loads are complete.
Trial tryKernel(Evaluator &evaluator, Operation *kernel, bool sees,
                CountedReads counted);

/// An argument by its index, or a block id or size of the grid by dimension.
struct Input {
  enum Kind : uint8_t { Argument, BlockId, GridDim } kind;
  unsigned index;
  bool operator==(const Input &other) const {
    return kind == other.kind && index == other.index;
  }
};

/// What the arguments of a kernel are taken to be, where they decide. Integers
/// are `low` or `high`, by a bit of how many have been asked for before.
struct Inputs {
  int64_t low, high;
  unsigned bit;
  uint32_t flags; ///< By flag; those behind the last bit are as the first one.
  int64_t block = 0, grid = 2; ///< In each dimension.
  /// Those that are given each for itself; flags are 0 or 1.
  SmallVector<std::pair<Input, int64_t>, 4> fixed = {};

  std::optional<int64_t> find(Input input) const {
    for (const auto &[known, number] : fixed)
      if (known == input)
        return number;
    return std::nullopt;
  }
  /// `index`: how many have been asked for before.
  int64_t getNumber(Input input, unsigned index) const {
    if (std::optional<int64_t> number = find(input))
      return *number;
    if (input.kind == Input::Argument)
      return (index >> bit & 1) ? high : low;
    return input.kind == Input::BlockId ? block : grid;
  }
};

/// A condition on inputs alone by which a branch chooses.
struct Choice {
  ThreadValue value; ///< The condition, or a number that is to be `equals`.
  std::optional<int64_t> equals;
  Constraint constraint;
  std::optional<Input> input; ///< The one that it is on, if it is one.
};

inline constexpr char unclearReason[] =
    "which meeting of the barrier it is for depends on the order of warps";

/// Flags that are taken to be true and false, each.
inline constexpr unsigned maxFlags = 3;

/// What all runs share.
struct Coverage {
  llvm::SetVector<Operation *> executed; ///< The first one first.
  /// By branch: 1 if it was taken, 2 if not.
  DenseMap<Operation *, unsigned> outcomes;
  uint64_t steps = 0;          ///< Of all runs.
  std::vector<unsigned> flags; ///< Their symbols, as runs have asked for them.
  std::vector<Input> arguments, grids; ///< Integers, in the same way.
  std::vector<Choice> choices;
  DenseSet<std::pair<Value, Frame *>>
      asked;                ///< Conditions that were looked at.
  bool isExhausted = false; ///< There were too many steps.
};

/// Inputs for every combination of ways in which the choices on one input go;
/// null if there are too many.
std::optional<std::vector<Inputs>> combineInputs(const Coverage &coverage);

/// An operation that no run has executed, or a branch that went one way only,
/// though it may go the other; or null.
Operation *findUntried(Evaluator &evaluator, Operation *kernel,
                       const Coverage &coverage);

/// Whether a branch looks at a test of an mbarrier, and where that fails, by
/// the successor `untaken`, only goes back to the test, with the same values.
bool isWaitLoop(Operation *branch, unsigned untaken);

/// The wait that is all that an arm (region or successor) of a branch at a test
/// of an mbarrier does, if it waits for the phase that the test is for: behind
/// the branch all is as if the test had held. Else null.
Operation *findWaitForTested(Operation *branch, unsigned arm);
/// The branch that has such an arm, if `op` may be the wait; else null.
Operation *findBranchTo(Operation *op);

/// The input of a kernel that a value is, if it is one.
std::optional<Input> findInput(Value value, Operation *kernel);

/// Blocks that one warp executes: a region of an operation, or a function.
struct Activation {
  Frame *frame;
  Frame *known; ///< The frame of what every run has in common.
  Block *block;
  Block::iterator next;
  Operation *parent = nullptr; ///< What the region belongs to, or the call.
  uint32_t lanes;
  Block *stop = nullptr;               ///< Where lanes meet again.
  int64_t turn = 0, end = 0, step = 1; ///< Of an scf.for.
};

/// By warp: how much of what it has done is known.
using Steps = std::array<uint32_t, maxWarps>;

/// What some lanes of a warp know of the order.
struct LanesOrder {
  uint32_t lanes;
  Steps known{};
};

/// Where a warp stands.
struct WarpRun {
  enum : uint8_t { Ready, AtMBarrier, AtBarrier, AtAlloc, Done } status = Ready;
  uint32_t alive = 0; ///< Lanes that have not ended.
  unsigned syncs = 0; ///< How often it has met others, or itself.
  /// Those that have waited for an mbarrier since, or all.
  uint32_t waited = ~0u;
  std::vector<Activation> stack;
  Slot object{0, 0};                ///< The mbarrier that it waits for,
  uint64_t phase = 0;               ///< in this phase,
  uint32_t since = 0;               ///< from this point on.
  Operation *op = nullptr;          ///< Where it waits,
  int64_t columns = 0;              ///< for so many columns.
  SmallVector<unsigned, 2> loading; ///< Loads of which registers are unread.
  /// Of lanes that have waited alone since they met; each is in one of them.
  SmallVector<LanesOrder, 1> groups{{~0u}};
};

class Run {
public:
  Run(Evaluator &evaluator, Operation *kernel, Inputs inputs,
      CountedReads counted, Coverage &coverage, Trial &trial);
  /// True if it came to an end, by a fault or without.
  bool run();
  bool usesNumber = false;
  /// The kernel cannot be for these inputs: steps or divisors are 0.
  bool isVoid = false;
  std::optional<std::vector<bool>> evaluateChoices();

private:
  /// A step of a warp on an mbarrier, and when.
  struct Use {
    Operation *op = nullptr;
    unsigned warp = 0;
    uint32_t number = 0;
    Frame *frame = nullptr; ///< Where that is told.
    uint32_t lanes = ~0u;   ///< That did it.
    unsigned syncs = 0;     ///< Of the warp, then.
  };
  /// A phase of an mbarrier.
  struct Phase {
    Carried carried;        ///< From its arrivals.
    bool hasCommit = false; ///< Such an arrival comes later than its operation.
    /// By warp: when it has seen the end of the phase first, or 0.
    Steps seen{};
  };
  struct MBarrier {
    /// Where it was made valid or invalid last, and what each warp has done
    /// with it since.
    bool isValid = false;
    Use made;
    std::map<unsigned, Use> uses;
    uint32_t expected = 0, pending = 0;
    uint64_t phase = 0;
    /// The current one, the last one that is over, and the one before that.
    Phase current, last, before;
    /// Who has seen the phase before this one complete, and when.
    struct Pass {
      unsigned warp;
      uint32_t since;
      Operation *op;
      Frame *frame;
    };
    std::vector<Pass> passed;
  };
  /// One use of a barrier by all of its warps.
  struct Meeting {
    int64_t count;                  ///< Threads.
    bool isCounted, isReduced;      ///< As the first of them says.
    uint32_t here = 0, waiting = 0; ///< Warps.
    Carried arriving;
  };
  struct Barrier {
    uint64_t numOver = 0;                ///< Meetings.
    Clock last;                          ///< What the last one of those needed.
    std::array<uint64_t, maxWarps> uses; ///< By warp.
    std::deque<Meeting> open;
    Barrier() { uses.fill(0); }
  };
  /// A load, and the lanes that have not read its registers.
  struct Loading {
    unsigned root;
    uint32_t number, unread;
  };

  /// A word of shared memory, who has written it, and who has read that.
  struct Word {
    ThreadValue value;
    Use written;
    bool isOfAlloc = false;
    std::map<unsigned, Use> reads;
  };
  /// How many columns, and the number, where bounds are known for it.
  struct Size {
    ThreadValue value;
    std::optional<int64_t> number;
  };
  struct Allocated {
    Size size;
    Operation *op, *freed;
    bool isExclusive;
  };

  // Control flow.
  void advance(unsigned warp);
  void step(unsigned warp);
  void execute(Operation *op, unsigned warp);
  void executeTerminator(Operation *op, unsigned warp);
  void executeRegions(Operation *op, unsigned warp);
  void executeFor(Operation *op, unsigned warp);
  void assignTurn(const Activation &body);
  void executeLane(Operation *op, unsigned warp);
  void executeCall(Operation *op, unsigned warp);
  void executeSwitch(Operation *op, const ThreadValue &selector, unsigned warp);
  void branch(Operation *op, unsigned warp);
  void branchByCase(Operation *op, ArrayRef<int64_t> cases, unsigned warp);
  void diverge(Operation *op, const ThreadValue &condition, unsigned warp);
  void go(Operation *op, unsigned successor, unsigned warp);
  void leave(Operation *op, unsigned warp);
  void end(uint32_t lanes, unsigned warp);
  void yield(Operation *from, unsigned warp);
  void enter(Region &region, Operation *parent, uint32_t lanes, unsigned warp);
  void assign(ValueRange to, ValueRange from, Activation &there,
              Activation &here);
  std::optional<ThreadValue> getOfOthers(Value value, unsigned warp);
  void keepOfOthers(Value value, const std::optional<ThreadValue> &old,
                    unsigned warp);
  void skip(Operation *op, unsigned warp);
  bool matters(Operation *op);
  void classifyAll(Operation *op, SmallVectorImpl<Effect> &found) const;
  uint32_t getTaken(const ThreadValue &condition, unsigned warp) const;
  std::optional<ThreadValue> resolve(Value value, unsigned warp);
  std::optional<int64_t> getInput(unsigned symbol);
  int64_t getNumber(Input input);
  void keepChoices(Value condition, Frame *known, unsigned depth = 0);
  void keepCases(Value selector, ArrayRef<int64_t> cases, Frame *known);
  void keepChoice(const ThreadValue &value, std::optional<int64_t> equals,
                  std::optional<Constraint> holds,
                  std::optional<Constraint> fails);
  bool isInvariant(Value value);
  std::optional<int64_t> computeInvariant(Value value);
  void substitute(Operation *op, Value result, unsigned warp);
  bool mayFail(Operation *test);
  bool passesOver(Operation *loop, unsigned warp);
  bool isFilled(const Slot &slot, Operation *op);
  void note(Operation *op, unsigned outcome, Value condition, unsigned warp);
  bool giveUp(Operation *op, const Twine &why);
  bool giveUpAtBarrier(Operation *op, const Twine &why);

  // Effects.
  void perform(const Effect &effect, unsigned warp);
  void transfer(const Effect &effect, unsigned warp);
  void allocate(const Effect &effect, unsigned warp);
  Size getSize(const Effect &effect, unsigned warp);
  bool checkGrowth(const Effect &effect, const Size &size, unsigned warp);
  bool checkFreedSize(const Effect &effect, const Allocated &allocated,
                      unsigned warp);
  std::optional<int64_t> getNumber(const Size &size, unsigned warp);
  void putNumbers(ThreadValue &address, unsigned warp);
  void deallocate(const Effect &effect, unsigned warp);
  void checkFreed();
  void checkOrder(const Effect &effect, unsigned warp);
  void relinquish(const Effect &effect, unsigned warp);
  bool awaitColumns(const Effect &effect, const Size &size, unsigned warp);
  void keepColumns(const Allocated &allocated);
  void freeColumns(const Allocated &allocated);
  void reportFull(unsigned warp);
  bool checkLanes(const Effect &effect, unsigned warp);
  std::optional<Slot> getSlot(const Effect &effect, unsigned warp);
  void writeWord(const Slot &slot, const ThreadValue &value,
                 const Effect &effect, unsigned warp);
  void store(const Effect &effect, unsigned warp);
  void storeData(const Slot &first, const Effect &effect, uint32_t lanes,
                 unsigned warp);
  bool holdsAddress(const ThreadValue &value) const;
  void readWord(const Effect &effect, unsigned warp);
  std::optional<unsigned> getRoot(ThreadValue &address);
  void report(Rule rule, Operation *op, const Twine &message, Operation *other,
              StringRef text, StringRef fix);
  void evaluateResults(Operation *op, unsigned warp);
  bool isBlocking(const Effect &effect, unsigned warp);

  // Barriers.
  MBarrier *getMBarrier(const Effect &effect, unsigned warp, Slot &slot);
  void initialize(const Effect &effect, unsigned warp);
  void initialize(const Effect &effect, Use made, unsigned lane);
  bool checkFree(const Slot &slot, const MBarrier &barrier, const Use &made);
  bool checkPlace(const Slot &slot, const Effect &effect, unsigned thread);
  void invalidate(const Effect &effect, unsigned warp);
  Use makeUse(Operation *op, unsigned warp);
  bool checkWaited(Operation *op, unsigned warp);
  const Use *findStore(const Slot &place, unsigned warp) const;
  bool use(MBarrier &barrier, Operation *op, unsigned warp);
  bool isBehind(const Use &before, unsigned warp) const;
  bool reportLife(Operation *op, StringRef message, const Use &other,
                  StringRef text, StringRef fix);
  bool hasSeen(const Phase &over, const LanesOrder &group) const;
  bool hasSeen(const Phase &over, unsigned warp) const;
  bool isBehindEnd(const Phase &over, unsigned warp) const;
  bool makesLanesMeet(Operation *op);
  void learn(unsigned warp, const Clock &order);
  void joinLanes(unsigned warp, uint32_t lanes);
  bool checkArrival(const MBarrier &barrier, Operation *op, int64_t arrivals,
                    unsigned warp);
  void arrive(const Effect &effect, unsigned warp);
  bool checkPhase(const MBarrier &barrier, const Slot &slot, Operation *op,
                  int64_t phase, bool isState, unsigned warp);
  void await(const Effect &effect, unsigned warp);
  void complete(const Slot &slot, MBarrier &barrier);
  void pass(MBarrier &barrier, unsigned warp, uint32_t since, Operation *op);
  void reportAmbiguous(const MBarrier::Pass &pass, const Slot &slot,
                       const MBarrier &barrier, uint64_t phase);
  void reportPhase(StringRef got, StringRef fix, const MBarrier::Pass &pass,
                   const MBarrier &barrier, const std::string &what);
  void checkBounds(const Event &event, unsigned root,
                   const ThreadValue &address, const Cells &cells,
                   unsigned warp);
  void meet(const Effect &effect, unsigned warp);
  uint64_t findMeeting(Barrier &barrier, Operation *op, unsigned warp);
  void release(Barrier &barrier);
  void releaseBarriers();
  std::optional<int64_t> getUniform(Value value, unsigned warp);
  std::optional<int64_t> getUniform(const ThreadValue &number, unsigned warp);
  void addWaits(Finding &finding, unsigned first);
  bool reportStuck();

  // Registers.
  bool followsLoad(const Effect &effect, unsigned warp) const;
  void followLoad(Operation *op, unsigned warp, unsigned root, uint32_t number);
  SmallVector<unsigned, 1> getRegisters(Value value, Frame *frame) const;
  void readRegisters(Operation *op, unsigned warp);
  void finishLoads(unsigned warp);
  void carryRegisters(ValueRange to, ValueRange from, const Activation &there,
                      const Activation &here);
  bool readsLoad(Operation *op) const;

  Evaluator &evaluator;
  Operation *kernel;
  Inputs inputs;
  bool followsRegisters;
  Coverage &coverage;
  Trial &trial;
  RunOrder order;
  bool hasStopped = false;
  unsigned numThreads;
  std::vector<WarpRun> warps;
  std::map<Slot, MBarrier> mbarriers;
  std::map<int64_t, Barrier> barriers;
  /// Where it depends on the order of warps which of them meet, or null.
  Operation *unclearMeeting = nullptr;
  std::vector<Loading> loads;
  DenseMap<std::pair<Value, Frame *>, SmallVector<unsigned, 1>> registers;
  LiveReads liveReads;
  std::map<Slot, Word> memory;
  /// Stores of each warp to variables with mbarriers, the last one to a place.
  std::map<Slot, std::map<unsigned, Use>> stores;
  int64_t mostStored = 0;    ///< Bytes of one of those.
  std::set<unsigned> filled; ///< Objects that loops passed over write.
  Frame *scratch = nullptr;  ///< For values of inputs alone.
  DenseMap<Value, bool> invariants;
  DenseMap<Operation *, bool> failing; ///< By test of an mbarrier.
  uint64_t ownSteps = 0;
  std::map<unsigned, unsigned> roots;         ///< By symbol.
  std::map<unsigned, Allocated> allocations;  ///< By root, of this kernel.
  DenseMap<Operation *, unsigned> allocators; ///< The first warp.
  Operation *lastAlloc = nullptr, *relinquished = nullptr;
  Size lastSize;
  std::map<unsigned, Use> lastAllocs; ///< By warp.
  /// Of allocations that are not freed: the columns that are known, and how
  /// many there are.
  int64_t keptColumns = 0;
  unsigned numKept = 0, numExclusive = 0;
  DenseMap<Operation *, SmallVector<Effect, 2>> effects;
  DenseMap<Operation *, bool> mattering, meeting;
  DenseMap<Operation *, std::unique_ptr<PostDominanceInfo>> dominance;
  ViewCells viewCells;
  SymbolTableCollection symbolTables;
};

} // namespace mlir::tmem::hazards

#endif // TMEM_LIB_ANALYSIS_HAZARDS_RUN_H
