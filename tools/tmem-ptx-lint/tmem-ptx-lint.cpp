//===- tmem-ptx-lint.cpp - Finds misuse of Tensor Memory in PTX -----------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir::tmem;

namespace {
llvm::cl::OptionCategory category("tmem-ptx-lint options");

llvm::cl::list<std::string> files(llvm::cl::Positional,
                                  llvm::cl::desc("[FILE|-]..."),
                                  llvm::cl::cat(category));

llvm::cl::opt<bool> json("json",
                         llvm::cl::desc("Print one JSON object for all files"),
                         llvm::cl::cat(category));

llvm::cl::opt<bool> all("all",
                        llvm::cl::desc("Print each use, not only the first 4 "
                                       "of each load or store"),
                        llvm::cl::cat(category));

llvm::cl::opt<bool> summary(
    "summary",
    llvm::cl::desc("Print how often each tcgen05 instruction stands in each "
                   "function"),
    llvm::cl::cat(category));

llvm::cl::opt<bool> quiet("quiet",
                          llvm::cl::desc("Print no remarks, only findings"),
                          llvm::cl::cat(category));

/// What the tool exits with; of several files, the largest.
enum Status { Clean = 0, Findings = 1, Unreadable = 2 };
} // namespace

static constexpr char overview[] =
    "Finds PTX in which, on any path, a thread uses a register between the\n"
    "tcgen05.ld that loads it and the tcgen05.wait::ld that completes the "
    "load,\n"
    "or loads cells that its tcgen05.st writes with no tcgen05.wait::st "
    "between.\n"
    "Exit status: 0 clean, 1 findings, 2 unreadable input or bad options.\n\n"
    "--json prints {\"version\": 1, \"files\": [FILE...]}. A FILE has "
    "\"file\", "
    "\"status\"\n"
    "(\"clean\", \"findings\", \"unreadable\") and either \"error\" or\n"
    "  \"findings\": [{\"kind\": \"early-use\" or \"unordered-load\", "
    "\"function\", \"line\",\n"
    "    \"instruction\", \"message\", \"count\", \"uses\": [{\"use\", "
    "\"register\", \"line\",\n"
    "    \"instruction\"}...]}...], one for each load or store, and\n"
    "  \"remarks\": [{\"kind\", \"function\", \"line\", \"message\"}...].";

static void readModule(llvm::StringRef text, FileReport &report) {
  llvm::Expected<PTXModule> module = parsePTX(text);
  if (!module) {
    llvm::handleAllErrors(module.takeError(), [&](const PTXError &e) {
      report.error = e.getMessage().str();
      report.errorLine = e.getLine();
    });
    return;
  }
  report.module = std::move(*module);
  report.result = lintPTX(report.module);
}

static Status lintFile(llvm::StringRef path, const ReportOptions &options,
                       llvm::json::OStream *jsonStream) {
  FileReport report;
  report.file = path == "-" ? "<stdin>" : path.str();
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (buffer)
    readModule((*buffer)->getBuffer(), report);
  else
    report.error = buffer.getError().message();
  if (jsonStream)
    printJSON(report, options, *jsonStream);
  else
    printText(report, options, llvm::outs());
  if (!report.isReadable())
    return Unreadable;
  return report.result.faults.empty() ? Clean : Findings;
}

static Status lintFiles(const ReportOptions &options) {
  Status status = Clean;
  if (!json) {
    for (const std::string &file : files)
      status = std::max(status, lintFile(file, options, nullptr));
    return status;
  }
  llvm::json::OStream stream(llvm::outs(), /*IndentSize=*/2);
  stream.object([&] {
    stream.attribute("version", 1);
    stream.attributeArray("files", [&] {
      for (const std::string &file : files)
        status = std::max(status, lintFile(file, options, &stream));
    });
  });
  llvm::outs() << '\n';
  return status;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::HideUnrelatedOptions(category);
  if (!llvm::cl::ParseCommandLineOptions(argc, argv, overview, &llvm::errs()))
    return Unreadable;
  if (files.empty())
    files.push_back("-");
  return lintFiles({all, !quiet, summary});
}
