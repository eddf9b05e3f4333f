//===- Runner.h - Compiling and running kernels from C ------------*- C -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Modules stay as they are: what is made of one is made of a copy. Errors of
// modules and options are diagnostics of the module's context, at their place
// in the source. Strings of options are copied; zero is the default of every
// member. The context is to have the dialects and translations that the module
// takes: tmemRegisterAllDialects has them, and the functions below add them.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_C_RUNNER_H
#define TMEM_C_RUNNER_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Chips
//===----------------------------------------------------------------------===//

/// How many chips have Tensor Memory.
MLIR_CAPI_EXPORTED intptr_t tmemGetNumChips(void);
/// The name of one, "sm_103a", in the order of the project's table; empty where
/// there is none at `position`. Never freed.
MLIR_CAPI_EXPORTED MlirStringRef tmemGetChipName(intptr_t position);

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

typedef struct TMemCompileOptions {
  MlirStringRef chip;  ///< "sm_103a"; empty is sm_100a.
  bool ptxOnly;        ///< Stop at checked PTX: no ptxas is needed.
  uint32_t optLevel;   ///< 1 to 3, of LLVM and ptxas; 0 is 3.
  MlirStringRef ptxas; ///< Its path; empty to look for one.
} TMemCompileOptions;

/// The binaries of a module. Owned by the caller, free of the context: it may
/// outlive it.
typedef struct TMemBinaries {
  void *ptr;
} TMemBinaries;

/// What ptxas says of a kernel. Numbers are per thread, but shared memory,
/// which is static and per CTA.
typedef struct TMemKernelResources {
  MlirStringRef name;
  int64_t registers;
  int64_t spillStoreBytes;
  int64_t spillLoadBytes;
  int64_t stackBytes;
  int64_t sharedBytes;
} TMemKernelResources;

/// Compiles the kernels of a module with the pipeline tmem-to-cubin. Returns
/// null after diagnostics, or for a null module. `options` may be null.
MLIR_CAPI_EXPORTED TMemBinaries tmemCompile(MlirModule module,
                                            const TMemCompileOptions *options);
/// Ignores null.
MLIR_CAPI_EXPORTED void tmemBinariesDestroy(TMemBinaries binaries);

/// How many gpu.modules have been compiled; 0 for null. The other functions
/// answer nothing (empty, 0, false) where there is none at `position`; strings
/// live as long as the object.
MLIR_CAPI_EXPORTED intptr_t tmemBinariesGetNum(TMemBinaries binaries);
/// The name of the gpu.module.
MLIR_CAPI_EXPORTED MlirStringRef tmemBinariesGetName(TMemBinaries binaries,
                                                     intptr_t position);
/// The cubin, or the text of the PTX.
MLIR_CAPI_EXPORTED MlirStringRef tmemBinariesGetData(TMemBinaries binaries,
                                                     intptr_t position);
/// Whether the data is PTX, not a cubin.
MLIR_CAPI_EXPORTED bool tmemBinariesIsPTX(TMemBinaries binaries,
                                          intptr_t position);
/// The kernels of which ptxas said something: none for PTX.
MLIR_CAPI_EXPORTED intptr_t tmemBinariesGetNumKernels(TMemBinaries binaries,
                                                      intptr_t position);
/// Fills `resources` in, and returns true; its name lives as long as the
/// object.
MLIR_CAPI_EXPORTED bool tmemBinariesGetKernel(TMemBinaries binaries,
                                              intptr_t position,
                                              intptr_t kernel,
                                              TMemKernelResources *resources);

//===----------------------------------------------------------------------===//
// Running on the emulator
//===----------------------------------------------------------------------===//

typedef struct TMemRunOptions {
  MlirStringRef chip;  ///< To model, "sm_103a"; empty is sm_100a.
  MlirStringRef entry; ///< The host function to run; empty is `main`.
  /// Folder of libtmem_emulation_runtime.so; empty is that of this library.
  MlirStringRef libraryDir;
  /// Folder of MLIR's libmlir_c_runner_utils.so and its like, for host code
  /// that prints; empty is where they were when this library was built.
  MlirStringRef mlirLibraryDir;
  /// Of host code and emulated kernels, 1 to 3; 0 is 2.
  uint32_t optLevel;
} TMemRunOptions;

/// A host function with its kernels, compiled into this process for the
/// emulator. Owned by the caller; it may outlive the context.
typedef struct TMemProgram {
  void *ptr;
} TMemProgram;

/// One argument of the entry function. A memref has the rank of its type, a
/// scalar rank -1.
typedef struct TMemArgument {
  void *data; ///< The first element, or the scalar.
  intptr_t rank;
  const int64_t *shape;
  const int64_t *strides; ///< In elements; null is row-major.
} TMemArgument;

typedef enum TMemRunStatus {
  TMemRan,
  /// A kernel or host code did what it may not.
  TMemRunFault,
  /// Arguments, a launch or the set-up cannot be used.
  TMemRunUnusable,
  /// tmemProgramSetInterrupt ended it.
  TMemRunInterrupted
} TMemRunStatus;

/// What a report says of one operation.
typedef struct TMemFaultRemark {
  MlirStringRef message;   ///< In the style of diagnostics.
  MlirStringRef operation; ///< "nvvm.tcgen05.st"; empty where there is none.
  MlirStringRef file;      ///< Empty where the place is not known.
  uint32_t line, column;   ///< From 1 on, or 0.
} TMemFaultRemark;

/// Why a run did not end well. Owned by the caller; it outlives the program,
/// and what it points to lives as long as it does.
typedef struct TMemFault {
  MlirStringRef text; ///< All that follows, for people; ends in a newline.
  TMemFaultRemark error;
  intptr_t numNotes; ///< The other places that matter: "allocated here".
  const TMemFaultRemark *notes;
  MlirStringRef kernel; ///< Empty for a fault of host code or the set-up.
  uint32_t block[3];    ///< Of a kernel's fault.
  bool hasThread;       ///< Whether it is of one thread, not the block.
  uint32_t thread[3];
} TMemFault;

typedef struct TMemRunResult {
  TMemRunStatus status;
  int32_t value;    ///< What the entry returned, 0 when it has no result.
  TMemFault *fault; ///< Null when it ran; else for tmemFaultDestroy.
} TMemRunResult;

/// What differs from run to run; zero is the default.
typedef struct TMemRunSettings {
  uint64_t seed;     ///< The order of warps; 0 is round robin.
  bool race;         ///< Report accesses that nothing orders.
  uint64_t maxSteps; ///< Backward branches of a thread; 0 is 100,000,000.
} TMemRunSettings;

/// Compiles. The entry takes memrefs (whose layout is strides and an offset, if
/// any: `data` is where the first element is), integers, floats and indices,
/// and returns nothing or an i32. Returns null after diagnostics, or for a null
/// module.
MLIR_CAPI_EXPORTED TMemProgram tmemProgramCreate(MlirModule module,
                                                 const TMemRunOptions *options);
/// Ignores null.
MLIR_CAPI_EXPORTED void tmemProgramDestroy(TMemProgram program);

/// How many arguments the entry takes; -1 for null.
MLIR_CAPI_EXPORTED intptr_t tmemProgramGetNumArguments(TMemProgram program);
/// Calls back with the type of one, `memref<64x128xf32>`; not at all where
/// there is none at `position`.
MLIR_CAPI_EXPORTED void tmemProgramGetArgumentType(TMemProgram program,
                                                   intptr_t position,
                                                   MlirStringCallback callback,
                                                   void *userData);

/// Runs the entry function on the calling thread, kernels included; they read
/// and write the caller's memory. A fault of a kernel, or a signal that host
/// code causes, is returned, not raised: what was under way is abandoned, its
/// memory not freed. Programs of several threads run one after the other.
/// `arguments` may be null when there are none, `settings` always.
///
/// The result's fault, if there is one, is the caller's to destroy. Other runs,
/// of other threads too, leave it alone.
///
/// Checked are the number of arguments, ranks, shapes and strides; that `data`
/// has elements of the right type, and enough of them, is the caller's to know.
MLIR_CAPI_EXPORTED TMemRunResult
tmemProgramRun(TMemProgram program, intptr_t numArguments,
               const TMemArgument *arguments, const TMemRunSettings *settings);
/// Ignores null.
MLIR_CAPI_EXPORTED void tmemFaultDestroy(TMemFault *fault);

/// While it is set, runs of the program end with TMemRunInterrupted: one under
/// way at a backward branch of a kernel (each 256th of a thread at the latest)
/// or at a launch. Host code that launches nothing goes on. Safe in a signal
/// handler and from any thread, as long as the program lives. Ignores null.
MLIR_CAPI_EXPORTED void tmemProgramSetInterrupt(TMemProgram program,
                                                bool interrupt);

#ifdef __cplusplus
}
#endif

#endif // TMEM_C_RUNNER_H
