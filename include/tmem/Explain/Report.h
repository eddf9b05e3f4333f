//===- Report.h - What tmem-explain answers ---------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_EXPLAIN_REPORT_H
#define TMEM_EXPLAIN_REPORT_H

#include "tmem/Explain/Request.h"
#include "tmem/Picture/Picture.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::tmem::explain {

/// The answer to a request. `chosen` is none where nothing is legal; `reasons`
/// has one for each shape that was not chosen.
struct Report {
  std::optional<RegisterTile> registers; ///< None: inferred, and none found.
  std::optional<SelectionCandidate> chosen;
  llvm::SmallVector<SelectionReason, 9> reasons;
};

Report makeReport(const Request &request);

/// For people; the columns of issues are 32-bit cells.
void printText(const Request &request, const Report &report,
               llvm::raw_ostream &os);
/// For programs, as one object.
void printJSON(const Request &request, const Report &report,
               llvm::raw_ostream &os);

/// The request and its answer, for a picture.
PictureRequest makePicture(const Request &request, const Report &report);

} // namespace mlir::tmem::explain

#endif // TMEM_EXPLAIN_REPORT_H
