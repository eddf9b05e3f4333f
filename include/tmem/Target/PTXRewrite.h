//===- PTXRewrite.h - Another version and target for a PTX text -*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TARGET_PTXREWRITE_H
#define TMEM_TARGET_PTXREWRITE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::tmem {

/// Returns the text with the number of the first `.version` directive and the
/// chip of the first `.target` directive replaced; target options such as
/// "debug" and everything else stay as they are. `version` is 94 for 9.4. This
/// is how PTX reaches chips that LLVM does not know: ptxas takes older text
/// under a newer version. The error is a PTXError.
llvm::Expected<std::string> setPTXTarget(llvm::StringRef text, unsigned version,
                                         llvm::StringRef target);

} // namespace mlir::tmem

#endif // TMEM_TARGET_PTXREWRITE_H
