//===- Faults.cpp - Reports of faults -------------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Faults.h"
#include "Cta.h"
#include <atomic>
#include <cstdio>
#include <unistd.h>

using namespace tmem::emulation;

/// The first OS thread to find a fault reports it, and perhaps another one
/// after it has jumped out of the handler.
static std::atomic<const void *> reporter{nullptr};
static std::atomic<TMemEmulationFaultHandler> handler{nullptr};

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

/// Keeps what the program has printed so far, unless that would wait for an OS
/// thread that is in the middle of printing.
static void flushOutput() {
  if (ftrylockfile(stdout) != 0)
    return;
  fflush(stdout);
  funlockfile(stdout);
}

[[noreturn]] static void report(const std::string &text, int status) {
  while (!becomeReporter())
    pause();
  if (TMemEmulationFaultHandler call = handler)
    call(text.c_str(), status);
  flushOutput();
  size_t written = 0;
  while (written < text.size()) {
    ssize_t size =
        write(STDERR_FILENO, text.data() + written, text.size() - written);
    if (size <= 0)
      break;
    written += size;
  }
  _exit(status);
}

/// "kernel.mlir:35:7: nvvm.tcgen05.st: error: text".
static std::string formatLine(const Site *site, const char *severity,
                              const std::string &text) {
  std::string place = "<unknown location>";
  if (site && site->file)
    place = format("%s:%u:%u", site->file, site->line, site->column);
  const char *op = site && site->op ? site->op : "kernel";
  return format("%s: %s: %s: %s", place.c_str(), op, severity, text.c_str());
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

void tmem::emulation::fault(const Thread &thread, const Site *site,
                            const std::string &message,
                            const std::vector<Note> &notes) {
  report(formatLine(site, "error", message) + " " + describePlace(thread) +
             "\n" + formatNotes(notes),
         1);
}

void tmem::emulation::fault(const Cta &cta, const Site *site,
                            const std::string &message,
                            const std::vector<Note> &notes) {
  report(formatLine(site, "error", message) + " " + describeBlock(cta) + "]\n" +
             formatNotes(notes),
         1);
}

void tmem::emulation::unsupported(const Thread &thread, const Site *site,
                                  const std::string &message) {
  report(formatLine(site, "error", message) + " " + describePlace(thread) +
             "\n",
         2);
}

void tmem::emulation::setupError(const std::string &message) {
  report("tmem emulation: error: " + message + "\n", 2);
}
