//===- Seeds.cpp - One program under many orders --------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Seeds.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <optional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir::tmem;

namespace {
/// How one run ended.
struct Outcome {
  int status = Clean;
  std::string output, errors;
};
} // namespace

static std::string readAll(FILE *file) {
  std::string text;
  char buffer[4096];
  std::rewind(file);
  while (size_t size = std::fread(buffer, 1, sizeof(buffer), file))
    text.append(buffer, size);
  std::fclose(file);
  return text;
}

/// Runs a seed in a child: whatever a run leaves behind, and a fault, which
/// ends the process, stay there.
static std::optional<Outcome>
runInChild(uint64_t seed, const std::function<int(uint64_t)> &run) {
  FILE *output = std::tmpfile(), *errors = std::tmpfile();
  if (!output || !errors)
    return std::nullopt;
  std::fflush(nullptr);
  pid_t child = fork();
  if (child < 0)
    return std::nullopt;
  if (child == 0) {
    dup2(fileno(output), STDOUT_FILENO);
    dup2(fileno(errors), STDERR_FILENO);
    int status = run(seed);
    std::fflush(nullptr);
    _exit(status);
  }
  int status = 0;
  waitpid(child, &status, 0);
  Outcome outcome;
  outcome.output = readAll(output);
  outcome.errors = readAll(errors);
  if (WIFEXITED(status)) {
    outcome.status = WEXITSTATUS(status);
  } else {
    outcome.status = FoundFault;
    outcome.errors += "tmem-run: error: the program was ended by signal " +
                      std::to_string(WTERMSIG(status)) + "\n";
  }
  return outcome;
}

int mlir::tmem::runSeeds(uint64_t first, uint64_t count,
                         const std::function<int(uint64_t)> &run) {
  llvm::StringMap<uint64_t> messages;
  std::string output;
  uint64_t clean = 0, faults = 0, others = 0, differences = 0;
  for (uint64_t seed = first; seed != first + count; ++seed) {
    std::optional<Outcome> outcome = runInChild(seed, run);
    if (!outcome) {
      llvm::errs() << "tmem-run: error: no process for seed " << seed << "\n";
      return Unusable;
    }
    if (messages.try_emplace(outcome->errors, seed).second &&
        !outcome->errors.empty())
      llvm::errs() << "seed " << seed << ":\n" << outcome->errors;
    if (outcome->status == Unusable)
      return Unusable;
    if (seed == first)
      llvm::outs() << (output = outcome->output);
    if (outcome->status == Clean)
      ++clean;
    else
      ++(outcome->status == ReturnedOther ? others : faults);
    bool hasEnded =
        outcome->status == Clean || outcome->status == ReturnedOther;
    if (hasEnded && outcome->output != output && ++differences == 1) {
      llvm::errs() << "seed " << seed << " prints something else:\n"
                   << outcome->output;
    }
  }
  llvm::outs() << count << " seeds: " << clean << " clean, " << faults
               << " with a fault";
  if (others)
    llvm::outs() << ", " << others << " that did not return 0";
  if (differences)
    llvm::outs() << ", " << differences << " with another output";
  llvm::outs() << "\n";
  return clean != count || differences ? FoundFault : Clean;
}
