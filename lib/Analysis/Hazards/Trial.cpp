//===- Trial.cpp - Runs of a kernel, and what they say --------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// Whether longer loops reach further: how long they are is then up to whoever
/// launches the kernel.
static bool isGrowing(const Trial &trial, const Trial &again) {
  if (trial.report.findings.front().rule != Rule::H17 || trial.outside.empty())
    return false;
  const auto &[op, here] = trial.outside.front();
  auto there = again.outside.find(op);
  return there == again.outside.end() || there->second.first != here.first ||
         there->second.last != here.last;
}

/// Numbers that differ, once it is known how many a kernel asks for: fewer,
/// more, a step of 1, and none for each half of the arguments.
static std::vector<Inputs> getMixed(const Coverage &coverage, uint32_t flags) {
  static constexpr std::pair<int64_t, int64_t> pairs[] = {
      {3, 5}, {5, 3}, {4, 1}, {1, 4}, {3, 0}, {0, 3}};
  static constexpr unsigned maxBits = 3;
  std::vector<Inputs> result;
  // The last block of 2 and of 3, and the only one.
  if (!coverage.grids.empty()) {
    result.push_back({24, 24, 0, flags, 1, 2});
    result.push_back({5, 5, 0, flags, 2, 3});
    result.push_back({3, 3, 0, flags, 0, 1});
  }
  size_t count = coverage.arguments.size();
  for (unsigned bit = 0; bit < maxBits && count > size_t(1) << bit; ++bit)
    for (auto [low, high] : ArrayRef(pairs).take_front(bit < 2 ? 6 : 2))
      result.push_back({low, high, bit, flags});
  return result;
}

/// What inputs are, for messages.
static std::string describe(const Coverage &coverage, const Inputs &inputs) {
  std::string text = "where";
  llvm::raw_string_ostream os(text);
  StringRef separator = " ";
  for (auto [index, argument] : llvm::enumerate(coverage.arguments)) {
    os << separator << "argument #" << argument.index << " is "
       << inputs.getNumber(argument, index);
    separator = ", ";
  }
  for (const Input &input : coverage.grids) {
    bool isId = input.kind == Input::BlockId;
    os << separator << (isId ? "block id " : "grid size ")
       << char('x' + input.index) << " is " << inputs.getNumber(input, 0);
    separator = ", ";
  }
  for (auto [input, number] : inputs.fixed)
    if (input.kind == Input::Argument &&
        !llvm::is_contained(coverage.arguments, input)) {
      os << separator << "argument #" << input.index << " is " << number;
      separator = ", ";
    }
  return text;
}

namespace {
/// Runs of one kernel.
class Trials {
public:
  Trials(Evaluator &evaluator, Operation *kernel, bool sees,
         CountedReads counted)
      : evaluator(evaluator), kernel(kernel), sees(sees), counted(counted) {}
  Trial run();

private:
  bool runWay(uint32_t flags, bool isUniform);
  bool runFor(Inputs inputs, bool isFirst, StringRef where);
  bool tryOnce(const Inputs &inputs, Trial &trial, bool &asksNumber);
  void judge(const Inputs &other, bool isFirst, StringRef where, Trial &trial);
  bool areFewFlags() const;
  bool areFlags(const Inputs &inputs) const;
  bool runCombinations();
  bool runRound(ArrayRef<Inputs> combinations);
  bool hasSeenAll(ArrayRef<Inputs> combinations);
  std::optional<std::vector<bool>> getWays(const Inputs &inputs);
  unsigned getNumWays() const {
    return 1u << std::min<size_t>(coverage.flags.size(), maxFlags);
  }

  Evaluator &evaluator;
  Operation *kernel;
  bool sees;
  CountedReads counted;
  bool isJudged = false, usesNumber = false;
  Coverage coverage;
  Trial result;
  std::set<std::pair<Rule, Operation *>> seen;
  DenseSet<Operation *> clean;
  std::vector<Inputs> tried;
};
} // namespace

/// Numbers with many divisors come first: loops may share a length.
static constexpr int64_t numbers[] = {24, 12, 0, 1, 2, 3, 5};

/// True if the kernel came to an end, by a fault or without.
bool Trials::tryOnce(const Inputs &inputs, Trial &trial, bool &asksNumber) {
  Run run(evaluator, kernel, inputs, counted, coverage, trial);
  bool hasEnded = run.run();
  asksNumber |= run.usesNumber;
  if (run.isVoid) {
    trial = Trial();
    hasEnded = true;
  }
  evaluator.dropRunFrames();
  if (trial.report.findings.empty() && !trial.outside.empty())
    trial.report.findings.push_back(trial.outside.front().second.finding);
  return hasEnded;
}

/// A fault of the first length: is it there for another length, too? Lengths
/// may be none that the kernel is for.
void Trials::judge(const Inputs &other, bool isFirst, StringRef where,
                   Trial &trial) {
  Trial again;
  bool ignored = false;
  bool isSure = isFirst && (!usesNumber || (tryOnce(other, again, ignored) &&
                                            !again.report.findings.empty() &&
                                            !isGrowing(trial, again)));
  if (isSure) {
    trial.verdict = Trial::Faulty;
    return;
  }
  const Finding &finding = trial.report.findings.front();
  if (finding.rule == Rule::H17 && !trial.outside.empty()) {
    trial.report.findings.clear();
    return;
  }
  trial.where = finding.op;
  trial.why = ("it is wrong " + where + ": " + finding.message).str();
  trial.isSometimesFaulty = true;
  trial.report.findings.clear();
}

/// False if nothing more is to be tried. Without `where`, the inputs are named.
bool Trials::runFor(Inputs inputs, bool isFirst, StringRef where) {
  Trial trial;
  tried.push_back(inputs);
  size_t numBefore = coverage.executed.size();
  bool hasEnded = tryOnce(inputs, trial, usesNumber);
  for (const Finding &finding : trial.report.findings)
    if (trial.outside.empty())
      seen.insert({finding.rule, finding.op});
  if (hasEnded && (trial.report.findings.empty() || isJudged))
    return true;
  if (hasEnded) {
    std::string named =
        where.empty() ? describe(coverage, inputs) : where.str();
    Inputs other{numbers[1], numbers[1], 0, inputs.flags};
    other.fixed = inputs.fixed;
    judge(other, isFirst, named, trial);
    if (trial.verdict != Trial::Faulty && !trial.where)
      return true;
  }
  if (!isJudged)
    clean.insert_range(coverage.executed.getArrayRef().take_front(numBefore));
  isJudged = true;
  result = std::move(trial);
  return hasEnded && sees;
}

bool Trials::runWay(uint32_t flags, bool isUniform) {
  usesNumber = false;
  for (auto [index, number] : llvm::enumerate(numbers)) {
    if (index != 0 && !usesNumber)
      return true;
    // Flags that differ are tried for a few lengths.
    if (!isUniform && index != 0 && number != 1)
      continue;
    if (!runFor({number, number, 0, flags}, index == 0,
                "for some lengths of loops"))
      return false;
  }
  if (isUniform)
    for (const Inputs &inputs : getMixed(coverage, flags))
      if (!runFor(inputs, /*isFirst=*/false, ""))
        return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Combinations of what inputs choose
//===----------------------------------------------------------------------===//

static bool isFlag(const Choice &choice) {
  return choice.input && choice.constraint.form.kind == Form::Bit;
}

/// All ways of a few flags have been run; those of several not for every length
/// of loops.
bool Trials::areFewFlags() const {
  size_t most = coverage.arguments.empty() ? maxFlags : 1;
  return coverage.flags.size() <= most &&
         llvm::all_of(coverage.choices, isFlag);
}

/// Whether flags alone are given.
bool Trials::areFlags(const Inputs &inputs) const {
  return llvm::all_of(inputs.fixed, [&](const auto &fixed) {
    return llvm::any_of(coverage.choices, [&](const Choice &choice) {
      return isFlag(choice) && *choice.input == fixed.first;
    });
  });
}

/// Which way each choice goes.
std::optional<std::vector<bool>> Trials::getWays(const Inputs &inputs) {
  Trial ignored;
  Run run(evaluator, kernel, inputs, counted, coverage, ignored);
  std::optional<std::vector<bool>> ways = run.evaluateChoices();
  evaluator.dropRunFrames();
  return ways;
}

/// Whether conditions on several inputs, or on what is computed of them, have
/// gone both ways in each combination of those on one.
bool Trials::hasSeenAll(ArrayRef<Inputs> combinations) {
  constexpr unsigned maxOthers = 6;
  unsigned numOthers = llvm::count_if(
      coverage.choices, [](const Choice &choice) { return !choice.input; });
  if (numOthers == 0)
    return true;
  if (numOthers > maxOthers)
    return false;
  std::set<std::vector<bool>> combined, all;
  for (const Inputs &inputs : combinations)
    if (std::optional<std::vector<bool>> ways = getWays(inputs)) {
      for (auto [index, choice] : llvm::enumerate(coverage.choices))
        if (!choice.input)
          (*ways)[index] = false;
      combined.insert(*ways);
    }
  for (const Inputs &inputs : tried)
    if (std::optional<std::vector<bool>> ways = getWays(inputs))
      all.insert(*ways);
  return all.size() >= combined.size() << numOthers;
}

/// False if nothing more is to be tried.
bool Trials::runRound(ArrayRef<Inputs> combinations) {
  static constexpr std::pair<int64_t, int64_t> pairs[] = {{3, 1}, {1, 3}};
  bool hasOthers = llvm::any_of(
      coverage.choices, [](const Choice &choice) { return !choice.input; });
  for (Inputs inputs : combinations) {
    usesNumber = false;
    if (!runFor(inputs, areFlags(inputs), "") || isJudged)
      return false;
    for (auto [low, high] : pairs) {
      inputs.low = low;
      inputs.high = high;
      if (hasOthers && (!runFor(inputs, /*isFirst=*/false, "") || isJudged))
        return false;
    }
  }
  return true;
}

/// What is wrong only where several conditions go a certain way. False if runs
/// do not say that there is nothing.
bool Trials::runCombinations() {
  constexpr unsigned maxRounds = 3;
  if (areFewFlags())
    return true;
  coverage.steps = 0;
  for (unsigned round = 0; round < maxRounds; ++round) {
    size_t known = coverage.choices.size();
    std::optional<std::vector<Inputs>> combinations = combineInputs(coverage);
    result.hasTooManyChoices = !combinations;
    if (!combinations)
      return false;
    bool isDone = runRound(*combinations);
    if (!isDone && coverage.isExhausted) {
      isJudged = false;
      result = Trial();
      result.hasTooManyChoices = true;
    }
    if (!isDone)
      return false;
    // Branches behind others may have come up.
    if (coverage.choices.size() == known)
      return hasSeenAll(*combinations);
  }
  return false;
}

Trial Trials::run() {
  bool goesOn = true;
  for (unsigned way = 0; goesOn && way < getNumWays(); ++way)
    goesOn = runWay(~way, way == 0 || way + 1 == getNumWays());
  bool isCovered = isJudged || runCombinations();
  result.isCovered = isCovered;
  result.seen = std::move(seen);
  result.clean = std::move(clean);
  if (isJudged)
    return std::move(result);
  result.where = findUntried(evaluator, kernel, coverage);
  if (result.where)
    result.why = "no run came here, or each went the same way";
  else
    result.verdict = Trial::Clean;
  return std::move(result);
}

Trial mlir::tmem::hazards::tryKernel(Evaluator &evaluator, Operation *kernel,
                                     bool sees, CountedReads counted) {
  return Trials(evaluator, kernel, sees, counted).run();
}
