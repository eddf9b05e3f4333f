//===- PTXSegments.cpp - Blocks of PTX, cut at waits ----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXSegments.h"
#include "PTXWaits.h"
#include "llvm/ADT/GraphTraits.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tmem;
using namespace mlir::tmem::ptx;

bool ptx::isLoad(const PTXInstruction &inst) {
  return isOpcode(inst.opcode, "tcgen05.ld");
}

template <> struct llvm::GraphTraits<Segment *> {
  using NodeRef = Segment *;
  using ChildIteratorType = Segment **;
  static NodeRef getEntryNode(NodeRef root) { return root; }
  static ChildIteratorType child_begin(NodeRef n) { return n->next.begin(); }
  static ChildIteratorType child_end(NodeRef n) { return n->next.end(); }
};

void Segments::add(const PTXFunction &function, const PTXBlock &block,
                   const std::vector<bool> &waits) {
  auto start = [&](unsigned instruction) {
    Segment &segment = all.emplace_back();
    segment.begin = instruction;
    segment.firstLoad = segment.genBegin = loads.size();
  };
  auto finish = [&](unsigned instruction) {
    all.back().end = instruction;
    all.back().genEnd = loads.size();
  };
  start(block.begin);
  Segment *head = &all.back();
  heads.push_back(head);
  for (unsigned i = block.begin; i != block.end; ++i) {
    const PTXInstruction &inst = function.instructions[i];
    if (isLoad(inst))
      loads.push_back(i);
    if (!waits[i] || inst.isPredicated)
      continue;
    if (&all.back() == head) {
      finish(i + 1);
      start(i + 1);
    }
    all.back().genBegin = loads.size();
  }
  finish(block.end);
}

void Segments::findComponents() {
  Segment root; // Code that nothing leads to is linted all the same.
  for (Segment &segment : all)
    root.next.push_back(&segment);
  for (auto it = llvm::scc_begin(&root); !it.isAtEnd(); ++it)
    if (it->front() != &root)
      components.push_back(*it);
  std::reverse(components.begin(), components.end());
  for (auto [index, component] : llvm::enumerate(components))
    for (Segment *segment : component)
      segment->component = index;
}

Segments::Segments(const PTXFunction &function,
                   const std::vector<bool> &waits) {
  std::vector<Segment *> tails;
  for (const PTXBlock &block : function.blocks) {
    add(function, block, waits);
    tails.push_back(&all.back());
  }
  for (auto [block, tail] : llvm::zip_equal(function.blocks, tails))
    for (unsigned successor : block.successors)
      tail->next.push_back(heads[successor]);
  exit = heads[function.exitBlock];
  findComponents();
}

bool Segments::isCycle(unsigned component) const {
  const Component &segments = components[component];
  return segments.size() > 1 ||
         llvm::is_contained(segments.front()->next, segments.front());
}
