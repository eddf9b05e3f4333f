//===- TMemOps.h - Operations of the tmem dialect ---------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_IR_TMEMOPS_H
#define TMEM_IR_TMEMOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tmem/IR/TMemAttributes.h"
#include "tmem/IR/TMemTypes.h"

namespace mlir::tmem {

/// What the memory effects of the dialect's operations are on.
struct TensorMemoryResource
    : public SideEffects::Resource::Base<TensorMemoryResource> {
  StringRef getName() final { return "TensorMemory"; }
};

/// The registers of a load under way, which its result stands for.
struct PendingRegistersResource
    : public SideEffects::Resource::Base<PendingRegistersResource> {
  StringRef getName() final { return "PendingRegisters"; }
};

class TransferOpInterface;

/// The plan of a transfer with an immediate (a split transfer's, where one is
/// given), or the rule that it breaks. Planned once for all transfers of a
/// context that are alike. Wants an operation that names its registers and
/// atom.
const PlanResult &getTransferPlan(TransferOpInterface op,
                                  std::optional<int64_t> immediate);

/// The rule that a transfer breaks whatever the registers and the atom are that
/// it leaves out.
std::optional<Violation> findViolation(TransferOpInterface op);

} // namespace mlir::tmem

#include "tmem/IR/TMemOpInterfaces.h.inc"

#define GET_OP_CLASSES
#include "tmem/IR/TMemOps.h.inc"

#endif // TMEM_IR_TMEMOPS_H
