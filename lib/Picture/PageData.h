//===- PageData.h - What the script of a page knows -------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_PICTURE_PAGEDATA_H
#define TMEM_LIB_PICTURE_PAGEDATA_H

#include "Scene.h"

namespace mlir::tmem::picture {

/// "tcgen05.ld.sync.aligned.32x32b.x64.b32".
std::string getInstruction(const PictureRequest &request, const Issue &issue);

/// The layouts, the plan and the geometry of a scene as JSON, for Page.js; safe
/// within a <script> element.
std::string getPageData(const Scene &scene);

} // namespace mlir::tmem::picture

#endif // TMEM_LIB_PICTURE_PAGEDATA_H
