//===- GrowthKernels.cpp - Kernels of any size ----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GrowthKernels.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tmem;
using llvm::formatv;

namespace {

class KernelWriter {
public:
  KernelWriter(Steps steps, unsigned count)
      : steps(steps), count(count), width(steps == Steps::Wide ? 16 : 4) {}

  std::string write(Flow flow);

private:
  void beginKernel(unsigned number);
  void endKernel() { os << "gpu.return\n}\n"; }
  void issue(const std::string &name);
  void consume(const std::string &name);
  void writeLoop();
  void writePipelined();
  void writeBlocks();
  void writeNest();

  bool hasBuffers() const {
    return steps == Steps::Buffered || steps == Steps::Shared;
  }
  std::string getView() const;
  std::string getViewType() const;
  /// "registers(...) atom(...)" where the steps name them.
  std::string getNames() const;

  static constexpr unsigned maxBuffers = 100, numWindows = 16, depth = 32,
                            kernelSteps = 256;

  Steps steps;
  unsigned count, width;
  unsigned step = 0; ///< The number of the step, and of its names.
  std::string text;
  llvm::raw_string_ostream os{text};
};

} // namespace

static std::string getWindowType(unsigned width, unsigned column) {
  std::string offset = column ? formatv(" + ({0}@tcol)", column).str() : "";
  return formatv("!tmem.view<128x{0}xi32, #tmem.layout<(128, {0}) : "
                 "(1@tlane, 1@tcol){1}>>",
                 width, offset);
}

std::string KernelWriter::getView() const {
  return hasBuffers() ? formatv("%b{0}", step % maxBuffers).str()
                      : formatv("%w{0}", step % numWindows).str();
}

std::string KernelWriter::getViewType() const {
  return getWindowType(width, hasBuffers() ? 0 : width * (step % numWindows));
}

std::string KernelWriter::getNames() const {
  if (steps == Steps::Unselected)
    return "";
  return formatv("registers(#regs) atom(<32x32b, x{0}>) ", width);
}

void KernelWriter::beginKernel(unsigned number) {
  os << "gpu.func @kernel" << number
     << "(%base: i32, %c: i1, %n: index, %out: memref<4xi32>) kernel "
        "attributes {known_block_size = array<i32: "
     << (steps == Steps::Shared ? 256 : 128)
     << ", 1, 1>} {\n"
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
     << formatv("%ones = arith.constant dense<1> : !vec\n"
                "%all = tmem.view %base : {0}\n",
                getWindowType(512, 0));
  for (unsigned i = 0; i < numWindows; ++i)
    os << formatv("%w{0} = tmem.subview %all[0, {1}] [128, {2}] : {3} to {4}\n",
                  i, i * width, width, getWindowType(512, 0),
                  getWindowType(width, i * width));
  for (unsigned i = 0; i < maxBuffers && hasBuffers(); ++i)
    os << formatv("%b{0} = tmem.buffer : {1}\n", i, getWindowType(width, 0));
}

/// A load, under a name of its own.
void KernelWriter::issue(const std::string &name) {
  os << formatv("{0} = tmem.{1} {2} {3}scope(warpgroup) : {4} -> !handed\n",
                name, steps == Steps::Direct ? "read" : "load", getView(),
                getNames(), getViewType());
}

/// The use of what was loaded.
void KernelWriter::consume(const std::string &name) {
  std::string vector = name;
  if (steps != Steps::Direct) {
    vector = formatv("%v{0}", step);
    os << formatv("{0} = tmem.wait_load {1} : !pending\n", vector, name);
  }
  if (steps == Steps::Reduced) {
    os << formatv("%m{0} = vector.reduction <maxsi>, {1} : !vec into i32\n"
                  "memref.store %m{0}, %out[%c0] : memref<4xi32>\n",
                  step, vector);
  } else if (steps == Steps::Truncated) {
    os << formatv("%f{0} = arith.bitcast {1} : !vec to vector<4xf32>\n"
                  "%n{0} = arith.truncf %f{0} : vector<4xf32> to "
                  "vector<4xf8E4M3FN>\n"
                  "%b{0} = vector.bitcast %n{0} : vector<4xf8E4M3FN> to "
                  "vector<1xi32>\n"
                  "vector.store %b{0}, %out[%c0] : memref<4xi32>, "
                  "vector<1xi32>\n",
                  step, vector);
  } else if (steps == Steps::Direct) {
    os << formatv("tmem.write {0}, {1} {2}scope(warpgroup) : !vec, {3}\n",
                  vector, getView(), getNames(), getViewType());
  } else {
    std::string stored = vector;
    if (steps == Steps::Wide) {
      stored = formatv("%s{0}", step);
      os << formatv("{0} = arith.addi {1}, %ones : !vec\n", stored, vector);
    }
    os << formatv("%t{0} = tmem.store {1}, {2} {3}scope(warpgroup) : !vec, "
                  "{4}\ntmem.wait_store %t{0}\n",
                  step, stored, getView(), getNames(), getViewType());
  }
  if (steps == Steps::Shared)
    os << "gpu.barrier\n";
  ++step;
}

void KernelWriter::writeLoop() {
  os << "scf.for %i = %c0 to %n step %c1 {\n";
  std::string name = formatv("%p{0}", step);
  issue(name);
  consume(name);
  os << "}\n";
}

void KernelWriter::writePipelined() {
  os << formatv("%h{0} = scf.for %i = %c0 to %n step %c1 iter_args(%a = "
                "%h{1}) -> !handed {{\n",
                step + 1, step);
  consume("%a");
  issue("%next");
  os << "scf.yield %next : !handed\n}\n";
}

void KernelWriter::writeBlocks() {
  std::string name = formatv("%p{0}", step);
  issue(name);
  os << formatv("cf.cond_br %c, ^a{0}, ^b{0}\n^a{0}:\ncf.br ^b{0}\n^b{0}:\n",
                step);
  consume(name);
}

void KernelWriter::writeNest() {
  for (unsigned level = 0; level < depth; ++level) {
    if (level % 2)
      os << "scf.if %c {\n";
    else
      os << formatv("scf.for %i{0} = %c0 to %n step %c1 {{\n", level);
    std::string name = formatv("%p{0}", step);
    issue(name);
    consume(name);
  }
  for (unsigned level = 0; level < depth; ++level)
    os << "}\n";
}

std::string KernelWriter::write(Flow flow) {
  os << formatv("#regs = #tmem.layout<(128, {0}) : (1@tid, 1@reg)>\n"
                "!vec = vector<{0}xi32>\n!pending = !tmem.pending<!vec>\n"
                "!handed = {1}\n",
                width, steps == Steps::Direct ? "!vec" : "!pending")
     << "gpu.module @kernels {\n";
  unsigned numKernels = 0;
  beginKernel(numKernels++);
  if (flow == Flow::Pipelined)
    issue("%h0");
  while (step < count) {
    std::string name = formatv("%p{0}", step);
    switch (flow) {
    case Flow::Line:
      issue(name);
      consume(name);
      break;
    case Flow::Loops:
      writeLoop();
      break;
    case Flow::Pipelined:
      writePipelined();
      break;
    case Flow::Blocks:
      writeBlocks();
      break;
    case Flow::Nested:
      writeNest();
      break;
    case Flow::Kernels:
      if (step != 0 && step % kernelSteps == 0) {
        endKernel();
        beginKernel(numKernels++);
      }
      writeLoop();
      break;
    }
  }
  if (flow == Flow::Pipelined)
    consume(formatv("%h{0}", count));
  endKernel();
  os << "}\n";
  return text;
}

std::string mlir::tmem::makeGrowthKernels(Steps steps, Flow flow,
                                          unsigned count) {
  return KernelWriter(steps, count).write(flow);
}
