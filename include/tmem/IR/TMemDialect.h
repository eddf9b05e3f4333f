//===- TMemDialect.h - The tmem dialect -------------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_IR_TMEMDIALECT_H
#define TMEM_IR_TMEMDIALECT_H

#include "mlir/IR/Dialect.h"
#include "tmem/Layout/Planner.h"
#include <memory>

namespace mlir::tmem {
struct TransferKey;
class LayoutCache;
class PlanCache;
} // namespace mlir::tmem

#include "tmem/IR/TMemDialect.h.inc"

#endif // TMEM_IR_TMEMDIALECT_H
