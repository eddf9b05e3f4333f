//===- Faults.cpp - Reports of faults -------------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Faults.h"
#include "Cluster.h"
#include "Signals.h"
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <unistd.h>

using namespace tmem::emulation;

/// The first OS thread to find a fault reports it, and perhaps another one
/// after it has jumped out of the handler.
static std::atomic<const void *> reporter{nullptr};
static std::atomic<TMemEmulationFaultHandler> handler{nullptr};
static std::atomic<const int *> interruptFlag{nullptr};

void tmem::emulation::resetReports() { reporter = nullptr; }

/// Whether the calling OS thread is the one to report.
static bool becomeReporter() {
  static thread_local char self;
  const void *expected = nullptr;
  return reporter.compare_exchange_strong(expected, &self) || expected == &self;
}

void tmemEmulationSetFaultHandler(TMemEmulationFaultHandler newHandler) {
  handler = newHandler;
}

void tmemEmulationWatchInterrupt(const int *flag) { interruptFlag = flag; }

/// Keeps what the program has printed so far, unless that would wait for an OS
/// thread that is in the middle of printing.
static void flushOutput() {
  if (ftrylockfile(stdout) != 0)
    return;
  fflush(stdout);
  funlockfile(stdout);
}

[[noreturn]] static void report(TMemEmulationReport &report,
                                const std::string &text) {
  while (!becomeReporter())
    pause();
  report.text = text.c_str();
  if (TMemEmulationFaultHandler call = handler) {
    // It may not return.
    Cluster::abandon();
    endHandling();
    call(&report);
  }
  flushOutput();
  size_t written = 0;
  while (written < text.size()) {
    ssize_t size =
        write(STDERR_FILENO, text.data() + written, text.size() - written);
    if (size <= 0)
      break;
    written += size;
  }
  _exit(report.status);
}

/// "kernel.mlir:35:7: nvvm.tcgen05.st: error: text".
static std::string formatLine(const Site *site, const char *severity,
                              const std::string &text) {
  std::string place = "<unknown location>";
  if (site && site->file)
    place = format("%s:%u:%u", tmemEmuGetFile(site), site->line, site->column);
  const char *op = site && site->op ? tmemEmuGetOp(site) : "kernel";
  return format("%s: %s: %s: %s", place.c_str(), op, severity, text.c_str());
}

static TMemEmulationRemark makeRemark(const Site *site,
                                      const std::string &message) {
  TMemEmulationRemark remark = {message.c_str(), nullptr, nullptr, 0, 0};
  if (!site)
    return remark;
  remark.operation = tmemEmuGetOp(site);
  if (!site->file)
    return remark;
  remark.file = tmemEmuGetFile(site);
  remark.line = site->line;
  remark.column = site->column;
  return remark;
}

static TMemEmulationReport makeReport(int status, const Site *site,
                                      const std::string &message) {
  TMemEmulationReport report = {};
  report.status = status;
  report.error = makeRemark(site, message);
  return report;
}

static std::string formatNotes(const std::vector<Note> &notes) {
  std::string text;
  for (const Note &note : notes)
    text += formatLine(note.site, "note", note.text) + "\n";
  return text;
}

/// The kernel and the block, as describePlace begins.
static std::string describeBlock(const Cta &cta) {
  return format("[kernel %s, block %u,%u,%u", cta.getKernel().name,
                cta.index[0], cta.index[1], cta.index[2]);
}

std::string tmem::emulation::describePlace(const Thread &thread) {
  return describeBlock(*thread.cta) +
         format(", thread %u,%u,%u]", thread.special[TMemEmuTidX],
                thread.special[TMemEmuTidY], thread.special[TMemEmuTidZ]);
}

/// Reports a fault of a kernel; `thread` is null for one of the whole block.
[[noreturn]] static void reportKernel(int status, const Cta &cta,
                                      const Thread *thread, const Site *site,
                                      const std::string &message,
                                      const std::vector<Note> &notes) {
  TMemEmulationReport result = makeReport(status, site, message);
  result.kernel = cta.getKernel().name;
  std::copy_n(cta.index, 3, result.block);
  result.hasThread = thread != nullptr;
  if (thread)
    std::copy_n(&thread->special[TMemEmuTidX], 3, result.thread);
  std::vector<TMemEmulationRemark> remarks;
  for (const Note &note : notes)
    remarks.push_back(makeRemark(note.site, note.text));
  result.numNotes = remarks.size();
  result.notes = remarks.data();
  std::string place =
      thread ? describePlace(*thread) : describeBlock(cta) + "]";
  report(result, formatLine(site, "error", message) + " " + place + "\n" +
                     formatNotes(notes));
}

void tmem::emulation::fault(const Thread &thread, const Site *site,
                            const std::string &message,
                            const std::vector<Note> &notes) {
  reportKernel(1, *thread.cta, &thread, site, message, notes);
}

void tmem::emulation::fault(const Cta &cta, const Site *site,
                            const std::string &message,
                            const std::vector<Note> &notes) {
  reportKernel(1, cta, nullptr, site, message, notes);
}

void tmem::emulation::unsupported(const Thread &thread, const Site *site,
                                  const std::string &message) {
  reportKernel(2, *thread.cta, &thread, site, message, {});
}

void tmem::emulation::checkInterrupt(const Thread *thread, const Site *site) {
  const int *flag = interruptFlag;
  if (!flag || __atomic_load_n(flag, __ATOMIC_RELAXED) == 0)
    return;
  const char *message = "interrupted";
  if (thread)
    reportKernel(3, *thread->cta, thread, site, message, {});
  TMemEmulationReport result = makeReport(3, site, message);
  report(result, formatLine(site, "error", message) + "\n");
}

void tmem::emulation::setupError(const std::string &message) {
  TMemEmulationReport result = makeReport(2, nullptr, message);
  report(result, "tmem emulation: error: " + message + "\n");
}
