//===- Paths.h - Which ways through a kernel exist --------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A condition that is tested twice has one answer: the way that takes one arm
// here and the other there does not exist. States are kept apart by what such
// conditions are, from the first test to the last. Where a loop or a branch
// gives its unknowns new values, what is known of a condition goes along: a
// counter that was 0 is 1.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_ANALYSIS_HAZARDS_PATHS_H
#define TMEM_LIB_ANALYSIS_HAZARDS_PATHS_H

#include "Graph.h"
#include <unordered_map>

namespace mlir::tmem::hazards {

/// What is known of conditions on a way: by condition, ascending, the values
/// that it may have.
using Knowledge = SmallVector<std::pair<unsigned, uint32_t>, 2>;

class Paths {
public:
  Paths(Evaluator &evaluator, const Graph &graph);

  /// What is known behind an edge of the graph. False if nobody who knows
  /// `known` goes there.
  bool follow(unsigned edge, const Knowledge &known, Knowledge &result) const;
  /// Whether ways that do not exist are taken into account here, because more
  /// conditions are tested than are followed.
  bool isCoarse(unsigned node) const { return coarse[node]; }
  /// Whether a condition may exclude ways to here that changes from turn to
  /// turn, and of which it is not followed how.
  bool isLoose(unsigned node) const { return loose[node]; }
  /// How many ways can be told apart here.
  unsigned getNumWays(unsigned node) const { return ways[node]; }

  /// What an edge gives a symbol; or that and more, if it is open.
  struct NewValue {
    unsigned symbol;
    ThreadValue is;
    bool isOpen;
  };
  using NewValues = SmallVector<NewValue, 4>;

private:
  struct Condition {
    Form form;
    /// Value i of a condition is from cut i - 1 on to below cut i.
    SmallVector<int64_t, 4> cuts;
    SmallVector<unsigned, 4> tests;   ///< Nodes that end in a test of it.
    SmallVector<unsigned, 2> uses;    ///< Nodes of which edges read it.
    SmallVector<unsigned, 2> sources; ///< Nodes where it gets a new value.
    bool isWritten = false;           ///< A test of it is not implicit.
    bool isLoose = false;
    /// What edges make it.
    SmallVector<int64_t, 2> starts, steps;
    unsigned getNumValues() const { return cuts.size() + 1; }
    uint32_t getAll() const {
      return cuts.size() > 30 ? ~0u : (2u << cuts.size()) - 1;
    }
  };
  /// What an edge makes a condition.
  struct Update {
    unsigned condition;
    int from = -1; ///< The condition that decides, or -1.
    /// Of that one: `factor * form + constant`, and up to `spread` more.
    int64_t factor = 1, constant = 0, spread = 0;
    Intervals holds; ///< Of a bit: where it is 1.
    bool isBit = false;
    bool isKnown = false;            ///< Otherwise it may be anything.
    SmallVector<uint32_t, 2> images; ///< By value of `from`.
  };

  void findConditions(bool writtenOnly);
  void findSources();
  bool givesNewValues() const;
  void findUpdates();
  NewValues getNewValues(const Move &move);
  Update getUpdate(unsigned index, const NewValues &values);
  void findCorrelation(const NewValues &values, Condition &condition) const;
  void updateBit(const ThreadValue &value, Update &update);
  void updateSum(const ThreadValue &sum, Form::Kind kind, Update &update);
  uint32_t getImage(const Update &update, const Condition &from,
                    unsigned value) const;
  void addCuts();
  void findImages();

  /// Where a condition matters, and what may be known of it there.
  struct Extent {
    std::vector<unsigned> nodes;
    std::vector<SmallVector<uint32_t, 4>> arriving; ///< By place in `nodes`.
    SmallVector<unsigned> excluding; ///< Tests of which a way does not exist.
    bool isUsed = false;          ///< By what edges make of other conditions.
    std::vector<unsigned> places; ///< By node: from 1 on, or 0.

    /// Null for another node.
    SmallVector<uint32_t, 4> *findArriving(unsigned node) {
      return places[node] ? &arriving[places[node] - 1] : nullptr;
    }
    void clear();
  };
  using Followed = std::vector<std::pair<unsigned, unsigned>>;
  void findLive(unsigned index, const Predecessors &predecessors,
                Extent &extent);
  void findWays(unsigned index, const Predecessors &predecessors,
                Extent &extent);
  void select(unsigned index, const Predecessors &predecessors, Extent &extent,
              Followed &followed);
  void setLive(const Followed &followed);
  void mark(std::vector<char> &marks, ArrayRef<unsigned> from) const;
  void findLoose();
  bool isChanging(const Condition &condition) const;
  uint32_t getMask(const Condition &condition, ArrayRef<Interval> range) const;
  Interval getInterval(const Condition &condition, unsigned value) const;
  const Update *findUpdate(unsigned edge, unsigned condition) const;
  uint32_t apply(const Update &update, uint32_t values) const;

  Evaluator &evaluator;
  const Graph &graph;
  std::deque<Condition> conditions;
  struct HashForm {
    size_t operator()(const Form &form) const { return hash_value(form); }
  };
  using FormSet = std::unordered_set<Form, HashForm>;
  static Form getForm(const Guard &guard, const FormSet &ordered);
  std::unordered_map<Form, unsigned, HashForm> numbers; ///< Of conditions.
  DenseSet<Value> used;                                 ///< By conditions.
  DenseMap<unsigned, SmallVector<Update, 1>> updates;   ///< By edge.
  std::vector<int> conditionOf;                         ///< By guard, or -1.
  std::vector<uint32_t> masks;                          ///< By guard.
  /// Those that are followed at a node, ascending.
  ArrayRef<unsigned> getLive(unsigned node) const;
  std::vector<unsigned> live;
  std::vector<unsigned> liveEnds; ///< By node, in `live`; empty if none is.
  std::vector<unsigned> ways;     ///< By node.
  std::vector<char> coarse, loose;
  size_t budget;
};

} // namespace mlir::tmem::hazards

#endif // TMEM_LIB_ANALYSIS_HAZARDS_PATHS_H
