//===- Flow.h - The order of events in a kernel -----------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_ANALYSIS_HAZARDS_FLOW_H
#define TMEM_LIB_ANALYSIS_HAZARDS_FLOW_H

#include "Findings.h"
#include "PairAgreement.h"
#include "Paths.h"
#include "Program.h"
#include "Reads.h"
#include <set>

namespace mlir::tmem::hazards {

/// Follows states through the graph until they are stable, and checks each
/// event against them. `counted`: reads of registers, by every lane, with which
/// loads count as waited for.
class Flow {
public:
  Flow(Program &program, CountedReads counted, Report &report)
      : program(program), graph(program.graph),
        paths(program.evaluator, program.graph), pair(program.evaluator),
        followsRegisters(counted != CountedReads::None), liveReads(counted),
        report(report), schedule(graph) {}
  void run();
  /// Whether a compiler may drop what reads registers.
  bool hasDoubtfulReads() const { return liveReads.hasDoubtful; }

private:
  bool settle(unsigned end);
  void check(unsigned first, unsigned end);
  void enter(State &state) const;
  void execute(unsigned node, State &state);
  void executeEvent(unsigned event, State &state);

  // Each changes the state, and reports if `isReporting`.
  void allocate(unsigned event, State &state);
  void deallocate(unsigned event, State &state);
  void transfer(unsigned event, State &state);
  void accessCells(unsigned event, State &state);
  bool isRest(unsigned event);
  void access(unsigned event, unsigned unit, AccessKind kind,
              const Cells &cells, bool isMaybe, State &state);
  void wait(unsigned event, AccessKind kind, State &state);
  void fence(unsigned event, State &state);
  void meet(unsigned event, State &state);
  /// `relaxed`: the event, where it orders no memory but Tensor Memory, or 0.
  void release(unsigned channel, Units units, bool isCommit, State &state,
               unsigned relaxed = 0);
  void acquire(unsigned channel, Units units, State &state,
               unsigned relaxed = 0);
  void arriveAtCluster(unsigned event, State &state);
  void waitForCluster(unsigned event, State &state);
  // Pairs of CTAs.
  void releaseMeetings(unsigned channel, Units who, unsigned relaxed,
                       State &state) const;
  void acquireMeetings(unsigned channel, Units who, State &state) const;
  void acquireMeetingsMaybe(unsigned event, Units who, State &state) const;
  bool isFreedInArmBefore(unsigned event, const State &state) const;
  void allocateForArmBefore(unsigned event, State &state);
  void forget(Units all, State &state);
  void doubtRelaxed(unsigned relaxed, Units who, Order &order);
  void forgetChannels(Channels channels, State &state);
  void meetMaybe(unsigned event, State &state);
  void releaseMaybe(unsigned event, Units who, State &state);
  void handOnMaybe(Units who, State &state);
  void acquireMaybe(unsigned event, Units who, State &state);
  void writeSlot(unsigned event, State &state);
  void writeSlot(unsigned event, int slot, State &state);
  void readSlot(unsigned event, State &state);
  void addSlotAccess(Order order, unsigned event, bool isOwnOrdered,
                     State &state);
  void addSlotRead(unsigned event, int slot, State &state);
  void checkOverwritten(unsigned event, int slot, const State &state);
  // Registers of raw loads.
  void loadRegisters(unsigned event, State &state);
  void setPending(PendingRegisters pending, State &state);
  void completeRegisters(State &state);
  void completeLoads(ArrayRef<unsigned> sets, State &state);
  void useRegisters(unsigned event, State &state);
  void moveRegisters(unsigned event, State &state);
  void leave(unsigned event, State &state);

  // Allocations.
  void checkAllocated(unsigned event, unsigned unit, State &state);
  void checkFreed(unsigned event, unsigned unit, const State &state);
  void checkColumnsOf(unsigned event, const Allocation &allocation);
  void checkBounds(unsigned event, const State &state);
  std::optional<int64_t> findOutside(unsigned event, const ThreadValue &offset,
                                     int64_t count) const;
  void doubtColumns(unsigned event);
  void doubtGrowth(unsigned event, const State &state);
  void checkFreedColumns(unsigned event, const Allocation &allocation);
  bool isFixed(const ThreadValue &number) const;
  bool areSame(const ThreadValue &a, const ThreadValue &b) const;
  void checkLanes(unsigned event);
  void checkMetCluster(unsigned event, const Allocation &allocation,
                       const State &state);
  bool isMetInArmBehind(unsigned unit, const Meeting &meeting,
                        const State &state) const;
  bool isAwaitedByOthers(unsigned unit, const State &state) const;
  void checkPair(unsigned event, const State &state);
  void checkGroups();

  // The order of allocations.
  void usePermit(unsigned event, State &state);
  void checkBehindAllocs(Rule rule, unsigned event, const Twine &other,
                         const State &state);
  void checkBehindAlloc(Finding finding, unsigned event, unsigned unit,
                        const Fact &fact, const State &state);
  void checkPermit(unsigned event, const State &state);
  void checkGrowth(unsigned event, const State &state);
  void checkCapacity(unsigned event, const State &state);
  bool isKept(unsigned root, const State &state) const;
  bool mayBeKept(unsigned root, const State &state) const;
  bool isFreedByOthers(unsigned root) const;

  // Operands.
  void checkOperands(unsigned event, const State &state);
  void checkAllocation(unsigned event, const State &state);
  void checkArrivals(unsigned event);
  void checkBarrierLanes(unsigned event);
  void checkBarrierNumbers(unsigned event);
  void checkColumns(unsigned event);
  void checkIssuer(unsigned event);
  void checkLife(unsigned event);
  void checkPlace(unsigned event);
  void checkReduction(unsigned event);
  void checkAgreement(unsigned event, Value operand, StringRef name);
  void findLaterThreads();
  int findDisagreement(const ThreadValue &value);

  // Order.
  void checkOwn(unsigned event, AccessKind kind, const Fact &fact,
                const Cells &cells, bool isMaybe);
  void checkOther(unsigned event, unsigned unit, AccessKind kind,
                  const Fact &fact, const Cells &cells, const State &state,
                  bool isMaybe);
  void checkHandover(unsigned channel, Units who, const State &state);
  bool isDormant(Channels guards, unsigned unit, const State &state) const;
  bool isAwaited(unsigned other, unsigned unit, const State &state) const;

  // Synchronization of which it is not known what it orders.
  unsigned findDoubt(const Order &order, unsigned unit, Units who) const;
  void doubtLoads(unsigned event);
  void doubtOrder(unsigned event, unsigned via, int other);
  void findMaybeArrivers();

  void find(Rule rule, unsigned event, const Twine &message, int other,
            const Twine &otherText, const Twine &fix);
  void find(Finding finding, int other = -1);
  void doubt(unsigned event, const Twine &message, int other = -1,
             bool isForRuns = true);

  Program &program;
  const Graph &graph;
  Paths paths;
  PairAgreement pair;
  bool followsRegisters;
  LiveReads liveReads;
  Report &report;
  bool isReporting = false;
  unsigned node = 0, current = 0; ///< That are executed: the node, the event.
  Units units = 0;
  /// One for many nodes, since most of them change nothing.
  using SharedState = llvm::IntrusiveRefCntPtr<State>;
  /// What holds on some of the ways to a node.
  struct Way {
    Knowledge known;
    SharedState state;
    bool isNew;
  };
  void spread(unsigned from, const Knowledge &known, const SharedState &state);
  /// In which order nodes are gone through.
  struct Schedule {
    explicit Schedule(const Graph &graph);

    std::vector<unsigned> nodes;     ///< By position.
    std::vector<unsigned> positions; ///< By node.
    /// By first position of a stretch: the one behind it.
    std::vector<unsigned> ends;
  };
  Schedule schedule;
  /// Positions of nodes that something new has come to.
  std::set<unsigned> worklist;
  size_t budget = 1000; ///< Of visits.
  /// By node.
  std::vector<SmallVector<Way, 1>> states;
  std::set<std::pair<Rule, Operation *>> found;
  /// With whether runs decide it.
  std::set<std::pair<Operation *, bool>> doubted;
  /// Accesses of columns that are not known, and what is not.
  std::vector<std::pair<unsigned, const char *>> openColumns;
  bool hasTooManyLoads = false, hasRest = false;
  /// By table of values and node: the warp of which lanes disagree, or -1.
  std::map<std::pair<const void *, unsigned>, int> disagreements;
  std::vector<ThreadSet> laterThreads;
  /// Who may arrive at something that is not known.
  Units maybeArrivers = 0;
};

} // namespace mlir::tmem::hazards

#endif // TMEM_LIB_ANALYSIS_HAZARDS_FLOW_H
