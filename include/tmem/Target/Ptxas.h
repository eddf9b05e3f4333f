//===- Ptxas.h - NVIDIA's PTX assembler -------------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TARGET_PTXAS_H
#define TMEM_TARGET_PTXAS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mlir::tmem {

/// What ptxas -v says of one kernel.
struct KernelResources {
  std::string name;
  unsigned registers = 0; ///< Per thread.
  unsigned barriers = 0;
  unsigned spillStoreBytes = 0; ///< Per thread, as are the next two.
  unsigned spillLoadBytes = 0;
  unsigned stackBytes = 0;
  unsigned sharedBytes = 0; ///< Static, per CTA.
};

/// A cubin, and what its kernels need.
struct AssembledPTX {
  std::string cubin;
  std::vector<KernelResources> kernels; ///< In the order ptxas names them.
  std::string log;                      ///< All that ptxas printed.
};

/// Reads the output of ptxas -v. Lines that it does not know are skipped.
std::vector<KernelResources> parsePtxasLog(llvm::StringRef log);

/// A ptxas that has been run once. It holds no state that changes, so several
/// threads may use it.
class Ptxas {
public:
  /// Takes the executable at `path` if one is given; else the one that the
  /// environment variable TMEM_PTXAS names; else ptxas in the `bin` of
  /// CUDA_HOME, CUDA_PATH or CUDA_ROOT; else on PATH; else `fallback` if that
  /// is given. One that is named and does not run is an error.
  static llvm::Expected<Ptxas> find(llvm::StringRef path = "",
                                    llvm::StringRef fallback = "");

  llvm::StringRef getPath() const { return path; }
  /// "13.0.88"
  llvm::StringRef getVersion() const { return version; }

  /// The chips that it can assemble for, "sm_75" and so on. Runs ptxas.
  llvm::Expected<std::vector<std::string>> getChips() const;
  /// Whether it can assemble for a chip. Runs ptxas.
  llvm::Expected<bool> knowsChip(llvm::StringRef chip) const;

  /// Assembles a module for a chip at -O0 to -O3. Extra options come last. The
  /// error has the text of ptxas.
  llvm::Expected<AssembledPTX>
  assemble(llvm::StringRef ptx, llvm::StringRef chip, unsigned optLevel = 3,
           llvm::ArrayRef<std::string> options = {}) const;

private:
  Ptxas(std::string path, std::string version)
      : path(std::move(path)), version(std::move(version)) {}

  static llvm::Expected<Ptxas> open(llvm::StringRef path);

  std::string path;
  std::string version;
};

} // namespace mlir::tmem

#endif // TMEM_TARGET_PTXAS_H
