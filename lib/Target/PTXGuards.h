//===- PTXGuards.h - What is known of predicates on a path ------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `@%p` load, `@%p` wait, `@%p` use: whoever knows that %p is the same in all
// three sees that nothing is read too early. Where a path depends on a
// predicate, it is followed once for each value, and the value is remembered
// until the predicate may be written. To forget one is never wrong.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TARGET_PTXGUARDS_H
#define TMEM_LIB_TARGET_PTXGUARDS_H

#include "tmem/Target/PTX.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::tmem::ptx {

enum class Executes { No, Maybe, Yes };

class Guards {
public:
  /// What is known: the two predicates learnt last.
  struct State {
    /// 2 * (number of the predicate + 1) + its value; 0 for none.
    unsigned last = 0, older = 0;

    bool operator==(const State &o) const {
      return last == o.last && older == o.older;
    }
  };

  /// Knows nothing: whatever has a predicate may be executed or not.
  Guards() = default;

  /// Follows predicates of the instructions that `isEvent` names, and those of
  /// branches if something else has them too. Without `withBranches`, or if
  /// there are many such branches, only predicates of events are followed.
  Guards(const PTXFunction &function, const std::vector<bool> &isEvent,
         bool withBranches);

  /// Whether there is no predicate to follow.
  bool isEmpty() const { return guards.empty(); }

  Executes getExecution(const PTXInstruction &inst, unsigned instruction,
                        State state) const;
  /// Whether paths part at an instruction that may be executed.
  bool isFork(unsigned instruction) const {
    return !forks.empty() && forks[instruction];
  }
  unsigned getNumForks() const { return llvm::count(forks, true); }
  /// What is known where the instruction is, or is not, executed.
  State assume(State state, unsigned instruction, bool isExecuted) const;
  /// What is known behind the instruction.
  State step(const PTXFunction &function, State state,
             unsigned instruction) const;

private:
  /// Two names of one value, or of a value and its negation.
  struct Alias {
    unsigned reg;
    bool isNegated;
  };
  /// The instructions between which it is worth knowing a predicate.
  struct Range {
    unsigned def = 0; ///< + 1, if there is one only.
    unsigned lastTest = 0;
    unsigned numTests = 0;
    bool isOfEvent = false, isOfBranch = false;
  };

  void findAliases(const PTXFunction &function);
  void countTests(const PTXFunction &function,
                  const std::vector<bool> &isEvent);
  void choose(const PTXFunction &function, const std::vector<bool> &isEvent,
              bool withBranches);
  void findLoops(const PTXFunction &function);
  bool isWorthless(unsigned literal, unsigned instruction) const;

  std::vector<Alias> aliases;   ///< Of each register.
  std::vector<Range> ranges;    ///< Of each register, then of each predicate.
  std::vector<unsigned> tracks; ///< Of each register: predicate + 1, or 0.
  std::vector<unsigned> guards; ///< Of each instruction: when it is executed.
  std::vector<bool> forks;      ///< Of each instruction.
  std::vector<unsigned> loops;  ///< Start of the innermost loop around it.
};

} // namespace mlir::tmem::ptx

#endif // TMEM_LIB_TARGET_PTXGUARDS_H
