//===- Rewrite.cpp - The functions of a gpu.module ------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::tmem::emulate;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static bool isMemoryAccess(Operation *op) {
  return isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::GEPOp, LLVM::AtomicRMWOp,
             LLVM::AtomicCmpXchgOp, LLVM::FenceOp, LLVM::MemcpyOp,
             LLVM::MemmoveOp, LLVM::MemcpyInlineOp, LLVM::MemsetOp,
             LLVM::MemsetInlineOp, LLVM::MaskedLoadOp, LLVM::MaskedStoreOp,
             LLVM::masked_gather, LLVM::masked_scatter>(op);
}

static bool isTrap(Operation *op) {
  return isa<LLVM::Trap, LLVM::DebugTrap, LLVM::UBSanTrap, LLVM::UnreachableOp>(
      op);
}

/// Functions of the module have other names and a first argument outside.
static LogicalResult renameSymbols(Emitter &emitter, LLVM::AddressOfOp op) {
  ModuleState &state = emitter.state;
  auto found = state.names.find(op.getGlobalNameAttr().getAttr());
  if (found != state.names.end())
    state.journal.defer([op, name = found->second]() mutable {
      op.setGlobalNameAttr(FlatSymbolRefAttr::get(name));
    });
  return success();
}

static LogicalResult emitOp(Emitter &emitter, Operation *op) {
  if (isa_and_nonnull<NVVM::NVVMDialect>(op->getDialect()))
    return emitNVVM(emitter, op);
  if (auto intrinsic = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return emitIntrinsic(
        emitter, {op, intrinsic.getIntrin(), intrinsic.getArgs(),
                  op->getNumResults() ? op->getResult(0).getType() : Type()});
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return emitCall(emitter, call);
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    return emitInlineAsm(emitter, assembly);
  if (auto address = dyn_cast<LLVM::AddressOfOp>(op)) {
    if (emitter.state.isHost && getAddressSpace(address) == SharedSpace)
      return emitAddressOf(emitter, address);
    return renameSymbols(emitter, address);
  }
  if (isMemoryAccess(op))
    return emitMemoryAccess(emitter, op);
  if (isTrap(op) && emitter.state.isHost) {
    emitter.begin(op);
    emitter.call("tmemEmuTrap");
    if (!isa<LLVM::UnreachableOp>(op))
      emitter.replace(op);
  }
  return success();
}

/// Whether emitOp may have something to do.
static bool isInteresting(Operation *op) {
  return isa_and_nonnull<NVVM::NVVMDialect>(op->getDialect()) ||
         isa<LLVM::CallIntrinsicOp, LLVM::CallOp, LLVM::InlineAsmOp,
             LLVM::AddressOfOp>(op) ||
         isMemoryAccess(op) || isTrap(op);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// On a GPU a kernel has the thread in a variable of its own, and tells the
/// library when it starts and ends.
static void addThreadVariable(Emitter &emitter) {
  LLVM::LLVMFuncOp function = emitter.function;
  OpBuilder &builder = emitter.builder;
  Block &entry = function.getBody().front();
  builder.setInsertionPointToStart(&entry);
  emitter.begin(function, "kernel entry");
  Value one = emitter.create<LLVM::ConstantOp>(builder.getI32Type(),
                                               builder.getI32IntegerAttr(1));
  emitter.thread = emitter.create<LLVM::AllocaOp>(
      LLVM::LLVMPointerType::get(builder.getContext()),
      getThreadType(builder.getContext()), one, /*alignment=*/8);
  const tmem::Chip *chip = emitter.state.chip;
  // As constants of the entry they would come after this.
  auto constant = [&](int64_t value) {
    return emitter.create<LLVM::ConstantOp>(builder.getI32Type(),
                                            builder.getI32IntegerAttr(value));
  };
  emitter.call("tmemEmuEnter",
               {constant(chip->columns), constant(chip->exclusiveColumns)});
}

static void addLeave(Emitter &emitter, ArrayRef<Operation *> exits) {
  for (Operation *op : exits) {
    emitter.begin(op);
    emitter.call("tmemEmuLeave");
  }
}

/// Not by the interface's insertArgument, which has no notion of LLVM's void.
static void addThreadParameter(LLVM::LLVMFuncOp function) {
  function.removeMemoryEffectsAttr();
  function.setWillReturn(false);
  MLIRContext *context = function.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context);
  LLVM::LLVMFunctionType type = function.getFunctionType();
  SmallVector<Type> types{pointer};
  llvm::append_range(types, type.getParams());
  function.setFunctionType(
      LLVM::LLVMFunctionType::get(type.getReturnType(), types));
  if (ArrayAttr attrs = function.getArgAttrsAttr()) {
    SmallVector<Attribute> shifted{DictionaryAttr::get(context)};
    llvm::append_range(shifted, attrs);
    function.setArgAttrsAttr(ArrayAttr::get(context, shifted));
  }
}

static void addThreadArgument(Emitter &emitter) {
  LLVM::LLVMFuncOp function = emitter.function;
  Journal &journal = emitter.state.journal;
  emitter.thread = journal.insertArgument(
      &function.getBody().front(), 0,
      LLVM::LLVMPointerType::get(function.getContext()), function.getLoc());
  journal.defer([function] { addThreadParameter(function); });
}

static LogicalResult rewriteFunction(ModuleState &state,
                                     const FunctionOps &work) {
  Emitter emitter(state, work.function);
  if (state.isHost || !isKernel(work.function))
    addThreadArgument(emitter);
  else
    addThreadVariable(emitter);
  unsigned errorsBefore = state.numErrors;
  constexpr size_t ahead = 8;
  for (auto [i, op] : llvm::enumerate(work.ops)) {
    if (state.hasTooManyErrors())
      break;
    if (i + ahead < work.ops.size())
      prefetch(work.ops[i + ahead]);
    (void)emitOp(emitter, op);
    if (op->getBlock())
      addMentioned(state, op);
  }
  if (state.numErrors != errorsBefore)
    return failure();
  emitter.checkPendingReads();
  if (state.isHost)
    emitter.addSteps();
  else
    addLeave(emitter, work.exits);
  return success();
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// What has to be done first to an operation that this pass does not take.
static LogicalResult refuseDialect(ModuleState &state, Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "tmem")
    return state.error(op, "expected LLVM and NVVM operations only: run "
                           "convert-tmem-to-nvvm first");
  if (dialect == "gpu")
    return state.error(op, "expected LLVM and NVVM operations only: run "
                           "convert-gpu-to-nvvm first");
  return state.error(op, "expected LLVM and NVVM operations only: lower '" +
                             Twine(dialect) + "' operations first");
}

static void collectOp(ModuleState &state, Operation *op, FunctionOps *work) {
  state.hasInlinePTX |= isa<NVVM::InlinePtxOp>(op);
  if (auto cast = dyn_cast<LLVM::AddrSpaceCastOp>(op))
    state.casts.push_back(cast);
  if (!work)
    return addMentioned(state, op);
  if (isInteresting(op))
    work->ops.push_back(op);
  if (isa<NVVM::Exit>(op) ||
      (isa<LLVM::ReturnOp>(op) && isKernel(work->function)))
    work->exits.push_back(op);
}

LogicalResult mlir::tmem::emulate::collectOps(ModuleState &state) {
  state.functions.clear();
  state.casts.clear();
  FunctionOps *work = nullptr;
  state.module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == state.module)
      return WalkResult::advance();
    if (Operation *next = op->getNextNode())
      prefetch(next);
    if (!isa_and_nonnull<LLVM::LLVMDialect, NVVM::NVVMDialect>(
            op->getDialect())) {
      (void)refuseDialect(state, op);
      // What is inside has the same cure.
      if (state.hasTooManyErrors())
        return WalkResult::interrupt();
      return WalkResult::skip();
    }
    if (op->getParentOp() == state.module) {
      auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
      bool hasBody = function && !function.isExternal();
      work = hasBody
                 ? &state.functions.emplace_back(FunctionOps{function, {}, {}})
                 : nullptr;
    } else {
      collectOp(state, op, work);
    }
    return WalkResult::advance();
  });
  return success(state.numErrors == 0);
}

/// Things beside functions and variables.
static LogicalResult verifyModuleOps(ModuleState &state) {
  for (Operation &op : *state.module.getBody()) {
    if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op)) {
      if (function.isVarArg() && !function.isExternal())
        (void)state.refuse(function, "a variadic function");
      // The grid of a launch would count clusters.
      if (state.isHost &&
          function->hasAttr(NVVM::NVVMDialect::getBlocksAreClustersAttrName()))
        (void)state.refuse(function, "nvvm.blocksareclusters");
      continue;
    }
    auto global = dyn_cast<LLVM::GlobalOp>(op);
    bool isDeclared = global && !global.getValueOrNull() &&
                      global.getInitializerRegion().empty() &&
                      global.getLinkage() == LLVM::Linkage::External;
    if (isDeclared && state.isHost && global.getAddrSpace() != SharedSpace)
      (void)state.refuse(global, "a variable of another module");
    // The rest names options of the compiler.
    if (isa<LLVM::AliasOp, LLVM::IFuncOp, LLVM::GlobalCtorsOp,
            LLVM::GlobalDtorsOp>(op))
      (void)state.refuse(&op);
  }
  return success(state.numErrors == 0);
}

LogicalResult mlir::tmem::emulate::rewriteModule(ModuleState &state) {
  if (failed(verifyModuleOps(state)))
    return failure();
  if (state.isHost && failed(layOutSharedMemory(state)))
    return failure();
  for (const FunctionOps &work : state.functions)
    if (failed(rewriteFunction(state, work)) && state.hasTooManyErrors())
      break;
  if (state.numErrors != 0)
    return failure();
  return verifyCasts(state);
}

void mlir::tmem::emulate::finishModule(ModuleState &state) {
  state.journal.commit();
  // Initial values may hold addresses, too.
  for (auto global : state.module.getOps<LLVM::GlobalOp>())
    global.walk([&](LLVM::AddressOfOp op) {
      auto found = state.names.find(op.getGlobalNameAttr().getAttr());
      if (found != state.names.end())
        op.setGlobalNameAttr(FlatSymbolRefAttr::get(found->second));
    });
  convertTypes(state);
}
