//===- Emitter.h - Writes emulated code into a function ---------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_CONVERSION_EMULATETCGEN05_EMITTER_H
#define TMEM_LIB_CONVERSION_EMULATETCGEN05_EMITTER_H

#include "Journal.h"
#include "Runtime.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "tmem/Target/Chips.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::tmem::emulate {

/// Address spaces of NVPTX.
enum AddressSpace : unsigned {
  GenericSpace = 0,
  GlobalSpace = 1,
  SharedSpace = 3,
  ConstantSpace = 4,
  LocalSpace = 5,
  TensorSpace = 6,
  ClusterSpace = 7,
  ParamSpace = 101,
};

/// The space that a value points into; nothing for another type.
std::optional<unsigned> getAddressSpace(Value value);

/// Where the shared variables of a module lie in the CTA's window.
struct SharedLayout {
  llvm::DenseMap<StringAttr, uint64_t> offsets; ///< By symbol name.
  struct Kernel {
    uint64_t staticBytes = 0; ///< Dynamic shared memory starts here.
    uint64_t alignment = 16;  ///< Of dynamic shared memory.
  };
  llvm::DenseMap<StringAttr, Kernel> kernels; ///< By the kernel's name.
};

/// An operation that emulated code names to the library.
struct Site {
  StringAttr op; ///< As the source spells it.
  Location loc;
};

/// A function that is rewritten.
struct FunctionOps {
  LLVM::LLVMFuncOp function;
  std::vector<Operation *> ops; ///< Those with which there may be work to do.
  SmallVector<Operation *> exits;
};

/// What the functions of one gpu.module share while they are rewritten.
struct ModuleState {
  gpu::GPUModuleOp module;
  Journal journal;
  const Chip *chip;
  bool isHost; ///< Else only what needs Tensor Memory is rewritten.
  bool hasInlinePTX = false;
  std::vector<FunctionOps> functions;
  /// Old and new ones.
  std::vector<LLVM::AddrSpaceCastOp> casts;
  SharedLayout shared;
  /// Functions and globals of the module as they are called in the result.
  llvm::DenseMap<StringAttr, StringAttr> names;

  /// By number: what becomes a constant of the name.
  std::vector<Site> sites;
  StringAttr siteTable;
  /// Functions of Emulation.h and helpers that are called.
  llvm::SetVector<StringAttr> calledFunctions;
  /// Symbols that functions and variables still mention.
  llvm::DenseSet<StringAttr> mentioned;

  unsigned numErrors = 0;
  static constexpr unsigned maxErrors = 20;

  /// "op is not emulated", with `what` behind it where the operation alone does
  /// not say it. Fails.
  LogicalResult refuse(Operation *op, const Twine &what = {});
  /// Any other error at an operation. Fails.
  LogicalResult error(Operation *op, const Twine &message);
  bool hasTooManyErrors() const { return numErrors >= maxErrors; }
};

/// Asks for the memory of an operation that is to be looked at soon. Modules
/// are larger than caches, and the next operation is found by the one before
/// it.
inline void prefetch(Operation *op) {
  constexpr int lines = 3, bytes = 64;
  // Results lie in front of the operation.
  for (int line = -1; line < lines; ++line)
    LLVM_PREFETCH(reinterpret_cast<char *>(op) + line * bytes, 0, 3);
}

/// Rewrites one function in place. Types stay as they are until the end, so
/// that address spaces can be told: a call may take a `ptr<3>` for a `ptr`.
class Emitter : public OpBuilder::Listener {
public:
  Emitter(ModuleState &state, LLVM::LLVMFuncOp function);

  ModuleState &state;
  LLVM::LLVMFuncOp function;
  OpBuilder builder;

  //===--------------------------------------------------------------------===//
  // What is being emulated
  //===--------------------------------------------------------------------===//

  /// Code goes before `op` from now on, and calls name it `name`.
  void begin(Operation *op, StringRef name);
  void begin(Operation *op) { begin(op, op->getName().getStringRef()); }
  Location getLoc() const { return sources[current].loc; }

  /// Calls happen only where this i1 is true, unless it is null.
  Value predicate;

  /// Replaces the results of an operation and erases it. Without uses, the
  /// values may be left out.
  void replace(Operation *op, ValueRange values = {});

  //===--------------------------------------------------------------------===//
  // Calls
  //===--------------------------------------------------------------------===//

  /// The thread: an argument, or on a GPU a variable of the kernel.
  Value thread;

  /// Calls a function of Emulation.h. Thread and site come by themselves.
  /// Returns the result, if there is one.
  Value call(StringRef name, ValueRange args = {});

  /// Calls a function of the compiled program that takes thread and site.
  void callHelper(StringRef name, ValueRange args);

  /// Calls a helper for another operation than the current one: before `op`.
  void callHelperBefore(Operation *op, StringRef name, ValueRange args);

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  /// Constants stand at the entry, one for each value.
  Value constant(Type type, int64_t value);
  Value i1(bool value) { return constant(builder.getI1Type(), value); }
  Value i32(int64_t value) { return constant(builder.getI32Type(), value); }
  Value i64(int64_t value) { return constant(builder.getI64Type(), value); }

  /// An integer as one of `bits` bits, extended with zeros.
  Value toInteger(Value value, unsigned bits);
  /// The bits of a scalar or vector as an integer.
  Value getBits(Value value);
  /// The value of a type that has these bits.
  Value fromBits(Value bits, Type type);
  /// A TMEM address as an i32.
  Value getTensorAddress(Value pointer);
  /// A pointer as an i64, extended with zeros.
  Value getAddress(Value pointer);
  /// A generic pointer.
  Value getGeneric(Value pointer);
  /// Bit 32 of an i64, and the bits below.
  Value getHighBit(Value value);
  Value getLow(Value value) { return toInteger(value, 32); }
  Value makeStruct(ValueRange values);
  Value isNonZero(Value value);

  /// TMemEmuThread::special.
  Value getSpecial(unsigned index);
  /// A field of the thread that does not change.
  Value getInvariant(ThreadField field);

  /// A buffer of 32-bit words, which code uses only around one call.
  Value getWords(unsigned count);

  template <typename OpTy, typename... Args> Value create(Args &&...args) {
    return OpTy::create(builder, getLoc(), std::forward<Args>(args)...)
        ->getResult(0);
  }

  //===--------------------------------------------------------------------===//
  // Registers that loads write (PendingReads.cpp)
  //===--------------------------------------------------------------------===//

  /// Values that a load wrote, each once, and its number.
  std::vector<std::pair<Value, Value>> loadedValues;
  /// Calls of tmemEmuWaitLoad that are always executed.
  std::vector<Operation *> waits;

  /// Reads a register as an instruction would, and returns its value.
  Value read(Value value);
  /// What read() left behind; removed once checks have been added.
  std::vector<Operation *> reads;

  /// Adds checks to all reads of registers that may come before the wait.
  void checkPendingReads();

  /// Counts backward branches.
  void addSteps();

private:
  static constexpr unsigned none = ~0u;
  struct Source {
    StringAttr name;
    Location loc;
    unsigned site = none; ///< Its number, once that is needed.
  };

  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override;
  /// The address of the site of the current source.
  Value getSite();
  Value getSiteTable();
  /// Where code for the entry of the function goes.
  void setInsertionPointToEntry();

  /// The source that a new operation stands for, or none.
  unsigned findSource(Operation *op);

  std::vector<Source> sources;
  unsigned current = 0;
  /// Which source each operation stands for that was created since. Few are
  /// asked for: a map is made when one is.
  std::vector<unsigned> createdSources;
  size_t firstCreated; ///< In the journal.
  llvm::DenseMap<Operation *, unsigned> sourceOf;

  Value siteTable; ///< Its address, at the entry.
  Operation *lastEntryOp = nullptr;
  bool isAtEntry = false;
  llvm::DenseMap<std::pair<Type, int64_t>, Value> constants;
  llvm::DenseMap<unsigned, Value> words;
};

//===----------------------------------------------------------------------===//
// What is rewritten, by topic. Each says whether it succeeded; an error has
// been reported then.
//===----------------------------------------------------------------------===//

/// Any operation of the NVVM dialect.
LogicalResult emitNVVM(Emitter &emitter, Operation *op);
/// nvvm.tcgen05.*. Returns nothing if it is another operation.
std::optional<LogicalResult> emitTcgen05(Emitter &emitter, Operation *op);

/// An intrinsic by its name, "llvm.nvvm.*", its arguments and the type of its
/// result, which may be null.
struct IntrinsicCall {
  Operation *op;
  StringRef name;
  ValueRange args;
  Type result;

  /// A constant argument.
  std::optional<int64_t> getConstant(unsigned index) const;
};
LogicalResult emitIntrinsic(Emitter &emitter, const IntrinsicCall &call);
/// These replace the operation and return true if they know the intrinsic.
/// `name` is what follows "llvm.nvvm.".
FailureOr<bool> emitTcgen05Intrinsic(Emitter &emitter,
                                     const IntrinsicCall &call, StringRef name);
FailureOr<bool> emitMBarrierIntrinsic(Emitter &emitter,
                                      const IntrinsicCall &call,
                                      StringRef name);
FailureOr<bool> emitMathIntrinsic(Emitter &emitter, const IntrinsicCall &call,
                                  StringRef name);

/// A special register by its name without the prefix, "tid.x"; null if there is
/// none. As an i32, but for the 64-bit timers.
Value emitSpecialRegister(Emitter &emitter, StringRef name);

LogicalResult emitInlineAsm(Emitter &emitter, LLVM::InlineAsmOp op);

/// Calls of functions.
LogicalResult emitCall(Emitter &emitter, LLVM::CallOp op);

/// Loads, stores, atomics and what copies memory: guards and fences.
LogicalResult emitMemoryAccess(Emitter &emitter, Operation *op);
/// The address of a global.
LogicalResult emitAddressOf(Emitter &emitter, LLVM::AddressOfOp op);

//===----------------------------------------------------------------------===//
// Arithmetic (IntegerMath.cpp, FloatMath.cpp)
//===----------------------------------------------------------------------===//

/// prmt.b32 with a mode: "", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16".
Value emitPermute(Emitter &emitter, Value low, Value high, Value selector,
                  StringRef mode);
/// A dot product of bytes, or of 16-bit values and bytes, added to `c`.
Value emitDotProduct(Emitter &emitter, Value a, bool isSignedA, unsigned bitsA,
                     Value b, bool isSignedB, Value c, bool useHighBytes);
/// An integer function of NVPTX, or null if there is none of that name.
Value emitIntegerMath(Emitter &emitter, const IntrinsicCall &call,
                      StringRef name);
/// NVVM's conversions.
LogicalResult emitConversion(Emitter &emitter, Operation *op);

//===----------------------------------------------------------------------===//
// Types, globals, modules
//===----------------------------------------------------------------------===//

/// Looks for what is to be rewritten. Only LLVM and NVVM operations can be.
LogicalResult collectOps(ModuleState &state);

/// Looks for casts to which convertTypes would leave no meaning.
LogicalResult verifyCasts(ModuleState &state);

/// All pointers become generic ones, but TMEM addresses an i32; on a GPU only
/// the latter. Casts that have no effect any more go.
void convertTypes(ModuleState &state);

/// Notes what an operation mentions.
void addMentioned(ModuleState &state, Operation *op);

/// Lays out the shared variables of the module.
LogicalResult layOutSharedMemory(ModuleState &state);

/// Rewrites the functions of the module, but for types. Errors that are left
/// come from verifyDeclarations.
LogicalResult rewriteModule(ModuleState &state);

/// Ends the rewriting; nothing can be undone then.
void finishModule(ModuleState &state);

/// Defines the sites and called functions at the end of a module.
void addDefinitions(ModuleState &state, SymbolTable &symbols);

/// Gives functions and variables the names that they will have in the host
/// module. All are new there.
void nameForHost(ModuleState &state, ModuleOp host,
                 llvm::StringSet<> &usedNames);

/// What would keep the functions of the module from moving.
LogicalResult verifyDeclarations(ModuleState &state, ModuleOp host);

/// Moves the functions and globals of a rewritten module to the host module.
/// Returns the names of the constants that describe its kernels.
SmallVector<std::string> moveToHost(ModuleState &state, SymbolTable &host);

/// Replaces what is left of a module on the host with a binary that names it.
void addBinary(ModuleState &state, gpu::GPUModuleOp original,
               SymbolTable &host);

/// A constructor that registers kernels.
void addRegistration(SymbolTable &host, ArrayRef<std::string> kernels);

/// Adds to a rewritten module what it needs on a GPU.
void finishDeviceModule(ModuleState &state);

/// Checks the launches of the module's kernels.
LogicalResult verifyLaunches(ModuleOp host, gpu::GPUModuleOp module);

bool isKernel(LLVM::LLVMFuncOp function);

} // namespace mlir::tmem::emulate

#endif // TMEM_LIB_CONVERSION_EMULATETCGEN05_EMITTER_H
