//===- TMemToNVVM.h - tmem to NVVM ------------------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_CONVERSION_TMEMTONVVM_TMEMTONVVM_H
#define TMEM_CONVERSION_TMEMTONVVM_TMEMTONVVM_H

#include "mlir/Pass/Pass.h"
#include <memory>

namespace mlir {
class ConversionTarget;
class DialectRegistry;
class RewritePatternSet;
class TypeConverter;

namespace tmem {
struct Chip;

#define GEN_PASS_DECL_CONVERTTMEMTONVVM
#include "tmem/Conversion/Passes.h.inc"

/// Views become i32 addresses, pending values their 32-bit words, tokens
/// nothing.
void populateTMemToNVVMTypeConversions(TypeConverter &converter);

/// Patterns for all tmem operations and for the operations of scf, cf and arith
/// that carry their values. `chip` may be null: then the `#nvvm.target` of the
/// enclosing gpu.module counts.
void populateTMemToNVVMConversionPatterns(const TypeConverter &converter,
                                          RewritePatternSet &patterns,
                                          const Chip *chip = nullptr);

/// Makes the tmem dialect illegal, and operations of other dialects where they
/// carry its values.
void configureTMemToNVVMConversionTarget(ConversionTarget &target);

/// Makes stock `--convert-to-llvm` lower tmem operations.
void registerConvertTMemToLLVMInterface(DialectRegistry &registry);

} // namespace tmem
} // namespace mlir

#endif // TMEM_CONVERSION_TMEMTONVVM_TMEMTONVVM_H
