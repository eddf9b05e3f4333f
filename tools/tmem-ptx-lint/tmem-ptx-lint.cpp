//===- tmem-ptx-lint.cpp - Finds reads of Tensor Memory before the wait ---===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Target/PTX.h"
#include "tmem/Target/PTXLint.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::tmem;

namespace {
llvm::cl::OptionCategory category("tmem-ptx-lint options");

llvm::cl::list<std::string> files(llvm::cl::Positional,
                                  llvm::cl::desc("[FILE|-]..."),
                                  llvm::cl::cat(category));

llvm::cl::opt<bool> summary(
    "summary",
    llvm::cl::desc("Print how often each tcgen05 instruction stands in each "
                   "function"),
    llvm::cl::cat(category));

llvm::cl::opt<bool> quiet("quiet",
                          llvm::cl::desc("Print no remarks, only faults"),
                          llvm::cl::cat(category));

llvm::cl::opt<unsigned> maxFaults(
    "max-faults", llvm::cl::desc("Faults to print for a file, 0 for all (20)"),
    llvm::cl::init(20), llvm::cl::value_desc("N"), llvm::cl::cat(category));

/// What the tool exits with; of several files, the largest.
enum Status { Clean = 0, Faulty = 1, Unreadable = 2 };
} // namespace

static constexpr char overview[] =
    "Finds PTX that uses a register between the tcgen05.ld that loads it and\n"
    "the tcgen05.wait::ld that completes the load, on any path. Exit status:\n"
    "0 clean, 1 faults, 2 unreadable input.";

static void print(llvm::StringRef file, unsigned line, llvm::StringRef severity,
                  llvm::StringRef message) {
  llvm::outs() << file << ':' << line << ": " << severity << ": " << message
               << '\n';
}

static void printFaults(llvm::StringRef file, const PTXLintResult &result) {
  llvm::StringRef function;
  size_t count = result.faults.size();
  if (maxFaults != 0)
    count = std::min<size_t>(count, maxFaults);
  for (const PTXFault &fault :
       llvm::ArrayRef(result.faults).take_front(count)) {
    if (function != fault.function)
      llvm::outs() << file << ": in function '" << fault.function << "':\n";
    function = fault.function;
    print(file, fault.line, "error", fault.getMessage());
    print(file, fault.loadLine, "note", "loaded here");
  }
  if (size_t more = result.faults.size() - count)
    llvm::outs() << file << ": note: " << more << " more fault"
                 << (more == 1 ? "" : "s") << "; --max-faults=0 prints all\n";
}

static void printSummary(llvm::StringRef file, const PTXModule &module) {
  for (const PTXFunction &function : module.functions) {
    llvm::outs() << file << ": "
                 << (function.isKernel ? "kernel '" : "function '")
                 << function.name << "'\n";
    for (const auto &[opcode, count] : countTcgen05(function))
      llvm::outs() << "  " << count << "  " << opcode << '\n';
  }
}

static Status unreadable(llvm::StringRef file, llvm::Error error) {
  llvm::handleAllErrors(std::move(error), [&](const PTXError &e) {
    print(file, e.getLine(), "error", e.getMessage());
  });
  return Unreadable;
}

static Status lintFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer) {
    llvm::WithColor::error(llvm::errs(), "tmem-ptx-lint")
        << path << ": " << buffer.getError().message() << '\n';
    return Unreadable;
  }
  llvm::StringRef file = path == "-" ? "<stdin>" : path;
  llvm::Expected<PTXModule> module = parsePTX((*buffer)->getBuffer());
  if (!module)
    return unreadable(file, module.takeError());
  PTXLintResult result = lintPTX(*module);
  printFaults(file, result);
  if (!quiet)
    for (const PTXRemark &remark : result.remarks)
      print(file, remark.line, "remark", remark.getMessage());
  if (summary)
    printSummary(file, *module);
  return result.faults.empty() ? Clean : Faulty;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::HideUnrelatedOptions(category);
  llvm::cl::ParseCommandLineOptions(argc, argv, overview);
  if (files.empty())
    files.push_back("-");
  Status status = Clean;
  for (const std::string &file : files)
    status = std::max(status, lintFile(file));
  return status;
}
