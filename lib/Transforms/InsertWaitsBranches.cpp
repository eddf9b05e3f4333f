//===- InsertWaitsBranches.cpp - Waits in the arms of branches ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one arm of a branch asks for may be waited for before the branch, or in
// every arm. The latter is later, and takes no wait more on any way: each arm
// waits where it first has to, or at its end, and a wait that it has for loads
// of its own may be that one. It needs a result for what is used behind the
// branch, which LLVM may copy: such vectors are waited for before. And where
// the wait would be for what an arm hands on pending, the branch is refused.
//
//===----------------------------------------------------------------------===//

#include "InsertWaits.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::tmem;

bool mlir::tmem::canTakeIn(Operation *branch, ArrayRef<unsigned> flight,
                           Items &items, UniformBranches &branches) {
  if (!isa<scf::IfOp, scf::IndexSwitchOp>(branch) || items.isRefused(branch) ||
      llvm::any_of(branch->getRegions(),
                   [](Region &region) { return region.empty(); }) ||
      !branches.isUniform(branch->getOperand(0)))
    return false;
  return llvm::all_of(flight, [&](unsigned id) {
    Item &item = items[id];
    if (item.staysHome)
      return false;
    return !item.value ||
           llvm::all_of(item.value.getUsers(), [&](Operation *user) {
             // Of what was taken in here, the other arms may use it, too.
             return branch->isProperAncestor(user) ||
                    !branch->getParentRegion()->isAncestor(
                        user->getParentRegion());
           });
  });
}

CaptureMap mlir::tmem::findCaptures(Region &region, ArrayRef<unsigned> taken,
                                    Items &items) {
  CaptureMap captures;
  for (unsigned id : taken) {
    for (Operation *user : items[id].value.getUsers()) {
      Operation *op = region.findAncestorOpInRegion(*user);
      if (op && op != user)
        captures[op].push_back(id);
    }
  }
  return captures;
}
