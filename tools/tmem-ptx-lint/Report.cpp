//===- Report.cpp - What tmem-ptx-lint prints of a file -------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

using namespace mlir::tmem;
using llvm::StringRef;

/// Uses of one load that are printed unless all are asked for. A load of many
/// registers has as many uses, and all of them tell the same.
static constexpr size_t maxUses = 4;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {
class TextPrinter {
public:
  TextPrinter(const FileReport &report, llvm::raw_ostream &os)
      : report(report), os(os) {}

  void printGroups(bool all);
  void printRemarks();
  void printSummary();
  void print(unsigned line, StringRef severity, const llvm::Twine &message);

private:
  void printGroup(const PTXFaultGroup &group, bool all);

  const FileReport &report;
  llvm::raw_ostream &os;
};
} // namespace

void TextPrinter::print(unsigned line, StringRef severity,
                        const llvm::Twine &message) {
  os << report.file << ':';
  if (line != 0)
    os << line << ':';
  os << ' ' << severity << ": " << message << '\n';
}

static std::string describeGroup(const PTXFaultGroup &group) {
  size_t count = group.faults.size();
  std::string number = std::to_string(count) + " ";
  if (!group.front().isOfLoad())
    return "cells that this store writes are loaded before its wait, by " +
           number + (count == 1 ? "load" : "loads");
  return "registers of this load are used before its wait, in " + number +
         (count == 1 ? "place" : "places");
}

static std::string describeUse(const PTXFault &fault) {
  switch (fault.kind) {
  case PTXFault::EarlyRead:
    return ("register " + fault.reg + " is read here").str();
  case PTXFault::EarlyWrite:
    return ("register " + fault.reg + " is written here").str();
  case PTXFault::EarlyReturn:
    return ("register " + fault.reg + " is returned here").str();
  case PTXFault::UnorderedLoad:
    return "cells are loaded here";
  }
  llvm_unreachable("all kinds are covered");
}

void TextPrinter::printGroup(const PTXFaultGroup &group, bool all) {
  print(group.front().sourceLine, "error", describeGroup(group));
  llvm::ArrayRef<const PTXFault *> shown = group.faults;
  if (!all && shown.size() > maxUses)
    shown = shown.take_front(maxUses);
  for (const PTXFault *fault : shown)
    print(fault->line, "note", describeUse(*fault));
  if (size_t more = group.faults.size() - shown.size())
    print(group.front().sourceLine, "note",
          "and in " + std::to_string(more) + " more place" +
              (more == 1 ? "" : "s") + "; --all prints each");
}

void TextPrinter::printGroups(bool all) {
  StringRef function;
  for (const PTXFaultGroup &group : groupFaults(report.result.faults)) {
    if (function != group.front().function)
      os << report.file << ": in function '" << group.front().function
         << "':\n";
    function = group.front().function;
    printGroup(group, all);
  }
}

void TextPrinter::printRemarks() {
  for (const PTXRemark &remark : report.result.remarks)
    print(remark.line, "remark", remark.getMessage());
}

void TextPrinter::printSummary() {
  for (const PTXFunction &function : report.module.functions) {
    os << report.file << ": " << (function.isKernel ? "kernel '" : "function '")
       << function.name << "'\n";
    for (const auto &[opcode, count] : countTcgen05(function))
      os << "  " << count << "  " << opcode << '\n';
  }
}

void printText(const FileReport &report, const ReportOptions &options,
               llvm::raw_ostream &os) {
  TextPrinter printer(report, os);
  if (!report.isReadable())
    return printer.print(report.errorLine, "error", report.error);
  printer.printGroups(options.all);
  if (options.remarks)
    printer.printRemarks();
  if (options.summary)
    printer.printSummary();
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// JSON is UTF-8; a PTX text and a file name may be anything.
static std::string makeString(StringRef text) {
  return llvm::json::fixUTF8(text);
}

static StringRef getUseName(PTXFault::Kind kind) {
  switch (kind) {
  case PTXFault::EarlyRead:
    return "read";
  case PTXFault::EarlyWrite:
    return "write";
  case PTXFault::EarlyReturn:
    return "return";
  case PTXFault::UnorderedLoad:
    return "load";
  }
  llvm_unreachable("all kinds are covered");
}

static StringRef getRemarkName(PTXRemark::Kind kind) {
  switch (kind) {
  case PTXRemark::NeverWaited:
    return "never-waited";
  case PTXRemark::PredicatedWait:
    return "predicated-wait";
  case PTXRemark::StoresNotFollowed:
    return "stores-not-followed";
  }
  llvm_unreachable("all kinds are covered");
}

static void printUse(const PTXFault &fault, llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("use", getUseName(fault.kind));
    if (fault.isOfLoad())
      json.attribute("register", makeString(fault.reg));
    json.attribute("line", fault.line);
    json.attribute("instruction", makeString(fault.text));
  });
}

static void printFinding(const PTXFaultGroup &group, bool all,
                         llvm::json::OStream &json) {
  const PTXFault &first = group.front();
  json.object([&] {
    json.attribute("kind", first.isOfLoad() ? "early-use" : "unordered-load");
    json.attribute("function", makeString(first.function));
    json.attribute("line", first.sourceLine);
    json.attribute("instruction", makeString(first.sourceText));
    json.attribute("message", describeGroup(group));
    json.attribute("count", int64_t(group.faults.size()));
    json.attributeArray("uses", [&] {
      size_t count = group.faults.size();
      for (const PTXFault *fault :
           llvm::ArrayRef(group.faults)
               .take_front(all ? count : std::min(count, maxUses)))
        printUse(*fault, json);
    });
  });
}

static void printRemark(const PTXRemark &remark, llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("kind", getRemarkName(remark.kind));
    json.attribute("function", makeString(remark.function));
    json.attribute("line", remark.line);
    json.attribute("message", remark.getMessage());
  });
}

static void printFunction(const PTXFunction &function,
                          llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("name", makeString(function.name));
    json.attribute("line", function.line);
    json.attribute("isKernel", function.isKernel);
    json.attributeObject("instructions", [&] {
      for (const auto &[opcode, count] : countTcgen05(function))
        json.attribute(makeString(opcode), count);
    });
  });
}

static void printError(const FileReport &report, llvm::json::OStream &json) {
  json.attributeObject("error", [&] {
    if (report.errorLine != 0)
      json.attribute("line", report.errorLine);
    json.attribute("message", makeString(report.error));
  });
}

static void printResult(const FileReport &report, const ReportOptions &options,
                        llvm::json::OStream &json) {
  json.attributeArray("findings", [&] {
    for (const PTXFaultGroup &group : groupFaults(report.result.faults))
      printFinding(group, options.all, json);
  });
  json.attributeArray("remarks", [&] {
    if (options.remarks)
      for (const PTXRemark &remark : report.result.remarks)
        printRemark(remark, json);
  });
  if (options.summary)
    json.attributeArray("functions", [&] {
      for (const PTXFunction &function : report.module.functions)
        printFunction(function, json);
    });
}

void printJSON(const FileReport &report, const ReportOptions &options,
               llvm::json::OStream &json) {
  bool isClean = report.result.faults.empty();
  json.object([&] {
    json.attribute("file", makeString(report.file));
    json.attribute("status", !report.isReadable() ? "unreadable"
                             : isClean            ? "clean"
                                                  : "findings");
    if (report.isReadable())
      printResult(report, options, json);
    else
      printError(report, json);
  });
}
