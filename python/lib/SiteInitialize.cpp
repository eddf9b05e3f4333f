//===- SiteInitialize.cpp - What MLIR's bindings load first ---------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// MLIR's bindings import _site_initialize_0 and hand it the registry of which
// every ir.Context is made.
//
//===----------------------------------------------------------------------===//

#include "mlir-c/RegisterEverything.h"
#include "mlir/Bindings/Python/NanobindAdaptors.h"
#include "tmem-c/Dialects.h"
#include "tmem-c/Passes.h"

NB_MODULE(_site_initialize_0, m) {
  m.doc() = "Registers the dialects and passes of MLIR and of tmem";
  m.def("register_dialects", &tmemRegisterAllDialects,
        nanobind::arg("registry"));
  mlirRegisterAllPasses();
  mlirTMemRegisterPasses();
}
