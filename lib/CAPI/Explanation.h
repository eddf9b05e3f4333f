//===- Explanation.h - What an explanation is of ----------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_CAPI_EXPLANATION_H
#define TMEM_LIB_CAPI_EXPLANATION_H

#include "tmem-c/Planner.h"
#include "tmem/Picture/Picture.h"

namespace mlir::tmem::capi {

/// The transfer of an explanation, with what was found out about it; or why
/// there is none.
std::variant<PictureRequest, PictureError>
getPictureRequest(TMemExplanation explanation);

} // namespace mlir::tmem::capi

#endif // TMEM_LIB_CAPI_EXPLANATION_H
