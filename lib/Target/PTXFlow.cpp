//===- PTXFlow.cpp - The flow of control of a PTX function ----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXFlow.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir::tmem;
using namespace mlir::tmem::ptx;
using llvm::failed;
using llvm::failure;
using llvm::LogicalResult;
using llvm::success;

bool ptx::isReturn(llvm::StringRef opcode) {
  return opcode.starts_with("ret") && (opcode.size() == 3 || opcode[3] == '.');
}

Flow ptx::getFlow(llvm::StringRef opcode) {
  // Asked of every instruction, and most begin otherwise.
  char first = opcode.front();
  if (first != 'b' && first != 'r' && first != 'e' && first != 't')
    return Flow::Next;
  return llvm::StringSwitch<Flow>(opcode.split('.').first)
      .Case("bra", Flow::Branch)
      .Case("brx", Flow::Table)
      .Cases({"ret", "exit"}, Flow::Exit)
      .Case("trap", Flow::Stop)
      .Default(Flow::Next);
}

namespace {
class BlockBuilder {
public:
  BlockBuilder(PTXFunction &function, const Scopes &scopes, ErrorFn error)
      : function(function), scopes(scopes), error(error),
        isLeader(function.instructions.size() + 1, false) {}

  LogicalResult resolve(llvm::ArrayRef<Jump> jumps,
                        llvm::ArrayRef<TargetList> tables);
  void build(llvm::ArrayRef<Jump> jumps);

private:
  llvm::FailureOr<unsigned> lookup(const LabelUse &use, bool wantsTable);
  void markLeaders();
  void addBlocks();
  void addTables();
  void addSuccessors(unsigned block, llvm::ArrayRef<Jump> &jumps,
                     llvm::ArrayRef<unsigned> &targets);

  PTXFunction &function;
  const Scopes &scopes;
  ErrorFn error;
  /// The instruction, or the table, that each jump goes to.
  std::vector<unsigned> jumpTargets;
  std::vector<std::vector<unsigned>> tableTargets;
  std::vector<bool> isLeader;
  std::vector<unsigned> blockAt;
};
} // namespace

llvm::FailureOr<unsigned> BlockBuilder::lookup(const LabelUse &use,
                                               bool wantsTable) {
  std::optional<Label> label = scopes.findLabel(use.scope, use.name);
  if (label && label->isTable == wantsTable)
    return label->index;
  return error(use.line,
               llvm::Twine("expected the label of ") +
                   (wantsTable ? "a .branchtargets list" : "an instruction") +
                   ", but got '" + use.name + "'");
}

LogicalResult BlockBuilder::resolve(llvm::ArrayRef<Jump> jumps,
                                    llvm::ArrayRef<TargetList> tables) {
  for (const Jump &jump : jumps) {
    bool isTable =
        getFlow(function.instructions[jump.instruction].opcode) == Flow::Table;
    auto target = lookup(jump.target, isTable);
    if (failed(target))
      return failure();
    jumpTargets.push_back(*target);
    if (!isTable)
      isLeader[*target] = true;
  }
  for (const TargetList &table : tables) {
    std::vector<unsigned> &targets = tableTargets.emplace_back();
    for (const LabelUse &use : table) {
      auto target = lookup(use, /*wantsTable=*/false);
      if (failed(target))
        return failure();
      targets.push_back(*target);
      isLeader[*target] = true;
    }
  }
  return success();
}

void BlockBuilder::markLeaders() {
  isLeader.front() = true;
  isLeader.back() = true;
  for (auto [index, inst] : llvm::enumerate(function.instructions))
    if (getFlow(inst.opcode) != Flow::Next)
      isLeader[index + 1] = true;
}

void BlockBuilder::addBlocks() {
  unsigned count = function.instructions.size();
  blockAt.resize(count + 1);
  for (unsigned i = 0; i <= count; ++i) {
    if (isLeader[i])
      function.blocks.push_back({i, i, {}});
    blockAt[i] = function.blocks.size() - 1;
    function.blocks.back().end = std::min(i + 1, count);
  }
  function.exitBlock = function.blocks.size() - 1;
}

void BlockBuilder::addTables() {
  unsigned count = function.instructions.size();
  for (llvm::ArrayRef<unsigned> targets : tableTargets) {
    PTXBlock &block = function.blocks.emplace_back();
    block.begin = block.end = count;
    for (unsigned target : targets)
      block.successors.push_back(blockAt[target]);
    llvm::sort(block.successors);
    block.successors.erase(llvm::unique(block.successors),
                           block.successors.end());
  }
}

void BlockBuilder::addSuccessors(unsigned block, llvm::ArrayRef<Jump> &jumps,
                                 llvm::ArrayRef<unsigned> &targets) {
  unsigned last = function.blocks[block].end - 1;
  const PTXInstruction &inst = function.instructions[last];
  Flow flow = getFlow(inst.opcode);
  auto &successors = function.blocks[block].successors;
  if (flow == Flow::Next || inst.isPredicated)
    successors.push_back(block + 1);
  if (flow == Flow::Exit)
    successors.push_back(function.exitBlock);
  if (jumps.empty() || jumps.front().instruction != last)
    return;
  successors.push_back(flow == Flow::Table
                           ? function.exitBlock + 1 + targets.front()
                           : blockAt[targets.front()]);
  jumps = jumps.drop_front();
  targets = targets.drop_front();
}

void BlockBuilder::build(llvm::ArrayRef<Jump> jumps) {
  markLeaders();
  addBlocks();
  addTables();
  llvm::ArrayRef<unsigned> targets = jumpTargets;
  for (unsigned block = 0; block < function.exitBlock; ++block)
    addSuccessors(block, jumps, targets);
}

LogicalResult ptx::buildBlocks(PTXFunction &function, const Scopes &scopes,
                               llvm::ArrayRef<Jump> jumps,
                               llvm::ArrayRef<TargetList> tables,
                               ErrorFn error) {
  BlockBuilder builder(function, scopes, error);
  if (failed(builder.resolve(jumps, tables)))
    return failure();
  builder.build(jumps);
  return success();
}
