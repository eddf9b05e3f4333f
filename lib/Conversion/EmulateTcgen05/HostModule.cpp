//===- HostModule.cpp - Kernels as functions of the host ------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Definitions.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tmem/ExecutionEngine/Emulation.h"

using namespace mlir;
using namespace mlir::tmem::emulate;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// What is named after a kernel: its entry, its description, and its place.
constexpr StringLiteral kernelSuffixes[] = {"_entry", "_kernel"};

/// A name that is not used, and with it those that are made of it.
static std::string getNewName(llvm::StringSet<> &usedNames, const Twine &wanted,
                              ArrayRef<StringLiteral> suffixes) {
  std::string name = wanted.str();
  auto isUsed = [&](StringRef suffix) {
    return usedNames.contains(name + suffix.str());
  };
  for (unsigned i = 0; isUsed("") || llvm::any_of(suffixes, isUsed); ++i)
    name = (wanted + "_" + Twine(i)).str();
  usedNames.insert(name);
  for (StringRef suffix : suffixes)
    usedNames.insert(name + suffix.str());
  return name;
}

void mlir::tmem::emulate::nameForHost(ModuleState &state, ModuleOp host,
                                      llvm::StringSet<> &usedNames) {
  std::string prefix = ("__tmem_emu_" + state.module.getName() + "_").str();
  for (auto symbol : state.module.getOps<SymbolOpInterface>()) {
    auto function = dyn_cast<LLVM::LLVMFuncOp>(symbol.getOperation());
    if (function && function.isExternal())
      continue;
    ArrayRef<StringLiteral> suffixes;
    if (function && isKernel(function))
      suffixes = kernelSuffixes;
    state.names[symbol.getNameAttr()] = StringAttr::get(
        host.getContext(),
        getNewName(usedNames, prefix + symbol.getName(), suffixes));
  }
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

void mlir::tmem::emulate::addMentioned(ModuleState &state, Operation *op) {
  if (auto address = dyn_cast<LLVM::AddressOfOp>(op))
    state.mentioned.insert(address.getGlobalNameAttr().getAttr());
  else if (auto call = dyn_cast<LLVM::CallOp>(op))
    if (call.getCallee())
      state.mentioned.insert(call.getCalleeAttr().getAttr());
}

/// Functions that code calls under their own name.
static SmallVector<LLVM::LLVMFuncOp> findDeclarations(ModuleState &state) {
  SmallVector<LLVM::LLVMFuncOp> declarations;
  for (auto function : state.module.getOps<LLVM::LLVMFuncOp>()) {
    StringAttr name = function.getSymNameAttr();
    if (function.isExternal() && (state.mentioned.contains(name) ||
                                  state.calledFunctions.contains(name)))
      declarations.push_back(function);
  }
  return declarations;
}

LogicalResult mlir::tmem::emulate::verifyDeclarations(ModuleState &state,
                                                      ModuleOp host) {
  for (LLVM::LLVMFuncOp function : findDeclarations(state)) {
    Operation *existing = host.lookupSymbol(function.getName());
    if (!existing)
      continue;
    auto same = dyn_cast<LLVM::LLVMFuncOp>(existing);
    if (same && same.getFunctionType() == function.getFunctionType())
      continue;
    InFlightDiagnostic diag =
        function.emitOpError("expected the same function on host and device, "
                             "but got another @")
        << function.getName() << " on the host";
    diag.attachNote(existing->getLoc()) << "declared here";
    ++state.numErrors;
  }
  return success(state.numErrors == 0);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static SmallVector<int64_t, 3> getDimensions(Operation *op, StringRef name) {
  SmallVector<int64_t, 3> result;
  if (auto attr = op->getAttrOfType<DenseI32ArrayAttr>(name))
    result.append(attr.asArrayRef().begin(), attr.asArrayRef().end());
  if (!result.empty())
    result.resize(3, 1);
  return result;
}

static int64_t getProduct(ArrayRef<int64_t> values) {
  int64_t product = values.empty() ? 0 : 1;
  for (int64_t value : values)
    product *= value;
  return product;
}

namespace {

/// What is known of a kernel before its attributes go.
struct KernelInfo {
  explicit KernelInfo(LLVM::LLVMFuncOp function);

  LLVM::LLVMFuncOp function;
  StringAttr name;
  SmallVector<int64_t, 3> requiredThreads, clusterSize;
  int64_t maxThreads = 0, maxRegisters = 0, maxClusterBlocks = 0;
  /// For each argument that a caller passes by address, the type it points to.
  SmallVector<Type> byValue;
};

} // namespace

KernelInfo::KernelInfo(LLVM::LLVMFuncOp function)
    : function(function), name(function.getSymNameAttr()) {
  using NVVM::NVVMDialect;
  requiredThreads = getDimensions(function, NVVMDialect::getReqntidAttrName());
  maxThreads =
      getProduct(getDimensions(function, NVVMDialect::getMaxntidAttrName()));
  clusterSize = getDimensions(function, NVVMDialect::getClusterDimAttrName());
  if (auto attr = function->getAttrOfType<IntegerAttr>(
          NVVMDialect::getMaxnregAttrName()))
    maxRegisters = attr.getInt();
  if (auto attr = function->getAttrOfType<IntegerAttr>(
          NVVMDialect::getClusterMaxBlocksAttrName()))
    maxClusterBlocks = attr.getInt();
  requiredThreads.resize(3, 0);
  clusterSize.resize(3, 0);
  // The first argument is the thread.
  for (unsigned i = 1; i < function.getNumArguments(); ++i) {
    auto attr = function.getArgAttrOfType<TypeAttr>(
        i, LLVM::LLVMDialect::getByValAttrName());
    byValue.push_back(attr ? attr.getValue() : Type());
  }
}

/// The function that runs one thread of a kernel: it takes the arguments as
/// cuLaunchKernel does, as an array of pointers to them.
static void addEntry(KernelInfo &kernel, SymbolTable &host, StringRef name) {
  MLIRContext *context = kernel.function.getContext();
  OpBuilder builder(context);
  Location loc = kernel.function.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(context);
  auto entry = LLVM::LLVMFuncOp::create(
      builder, loc, name,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                  {pointer, pointer}),
      LLVM::Linkage::Internal);
  host.insert(entry);
  builder.setInsertionPointToStart(entry.addEntryBlock(builder));
  SmallVector<Value> args{entry.getArgument(0)};
  for (auto [i, byValue] : llvm::enumerate(kernel.byValue)) {
    Type type = kernel.function.getArgumentTypes()[i + 1];
    Value slot = LLVM::GEPOp::create(builder, loc, pointer, pointer,
                                     entry.getArgument(1),
                                     ArrayRef<LLVM::GEPArg>{int32_t(i)});
    Value address = LLVM::LoadOp::create(builder, loc, pointer, slot);
    // Packed arguments are aligned as their elements are.
    unsigned alignment = isa<VectorType>(type) ? 1 : 0;
    Value value = LLVM::LoadOp::create(builder, loc, byValue ? byValue : type,
                                       address, alignment);
    if (byValue) {
      Value one = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                           builder.getI32IntegerAttr(1));
      Value copy = LLVM::AllocaOp::create(builder, loc, pointer, byValue, one);
      LLVM::StoreOp::create(builder, loc, value, copy);
      value = copy;
    }
    args.push_back(value);
  }
  LLVM::CallOp::create(builder, loc, kernel.function, args);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

static std::string addKernel(ModuleState &state, KernelInfo &kernel,
                             Definitions &definitions, StringRef entry,
                             unsigned site) {
  using D = Definitions;
  const SharedLayout::Kernel &shared =
      state.shared.kernels.find(kernel.name)->second;
  std::string symbol = kernel.function.getName().str();
  Builder builder(kernel.function.getContext());
  StringAttr name = definitions.addStruct(
      builder.getStringAttr(symbol + "_kernel"),
      getKernelType(kernel.function.getContext()),
      {definitions.getString(state.module.getName()),
       definitions.getString(kernel.name), D::getAddress(entry),
       D::getSite(state.siteTable, site),
       D::getIntegers(int64_t(kernel.byValue.size())),
       D::getIntegers(int64_t(shared.staticBytes)),
       D::getIntegers(int64_t(shared.alignment)),
       D::getIntegers(kernel.requiredThreads),
       D::getIntegers(kernel.maxThreads), D::getIntegers(kernel.maxRegisters),
       D::getIntegers(kernel.clusterSize),
       definitions.getString(state.chip->name),
       D::getIntegers(int64_t(state.chip->columns)),
       D::getIntegers(int64_t(state.chip->exclusiveColumns)),
       D::getIntegers(kernel.maxClusterBlocks)});
  return name.str();
}

//===----------------------------------------------------------------------===//
// Functions and globals
//===----------------------------------------------------------------------===//

/// Removes what holds on a GPU only.
static void dropAttributes(LLVM::LLVMFuncOp function) {
  for (NamedAttribute attr : llvm::to_vector(function->getDiscardableAttrs()))
    if (isa_and_nonnull<NVVM::NVVMDialect, gpu::GPUDialect>(
            attr.getNameDialect()))
      function->removeDiscardableAttr(attr.getName());
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    function.removeArgAttr(i, LLVM::LLVMDialect::getByValAttrName());
    function.removeArgAttr(i, NVVM::NVVMDialect::getGridConstantAttrName());
  }
  function.removeTargetCpuAttr();
  function.removeTuneCpuAttr();
  function.removeTargetFeaturesAttr();
  function.removePassthroughAttr();
  function.removeComdatAttr();
  function.setCConv(LLVM::CConv::C);
}

static void moveTo(Operation *op, SymbolTable &host) {
  op->remove();
  host.insert(op);
}

static void moveGlobal(ModuleState &state, LLVM::GlobalOp global,
                       SymbolTable &host) {
  if (global.getAddrSpace() == SharedSpace)
    return;
  global.setSymNameAttr(state.names.lookup(global.getSymNameAttr()));
  global.setAddrSpace(GenericSpace);
  global.setLinkage(LLVM::Linkage::Internal);
  global.removeComdatAttr();
  global.setExternallyInitialized(false);
  moveTo(global, host);
}

void mlir::tmem::emulate::addBinary(ModuleState &state,
                                    gpu::GPUModuleOp original,
                                    SymbolTable &host) {
  MLIRContext *context = original.getContext();
  OpBuilder builder(original);
  auto target = NVVM::NVVMTargetAttr::get(
      context, /*optLevel=*/2, "nvptx64-nvidia-cuda", state.chip->llvmTarget);
  std::string bytes = (TMEM_EMU_BINARY_PREFIX + original.getName()).str();
  auto object = gpu::ObjectAttr::get(
      context, target, gpu::CompilationTarget::Binary,
      builder.getStringAttr(bytes), DictionaryAttr(), gpu::KernelTableAttr());
  auto binary =
      gpu::BinaryOp::create(builder, original.getLoc(), original.getName(),
                            Attribute(), builder.getArrayAttr(object));
  host.erase(original);
  host.insert(binary);
}

SmallVector<std::string> mlir::tmem::emulate::moveToHost(ModuleState &state,
                                                         SymbolTable &host) {
  for (LLVM::LLVMFuncOp function : findDeclarations(state)) {
    dropAttributes(function);
    if (!host.lookup(function.getName()))
      moveTo(function, host);
  }
  for (auto global : llvm::to_vector(state.module.getOps<LLVM::GlobalOp>()))
    moveGlobal(state, global, host);
  SmallVector<KernelInfo> kernels;
  for (const FunctionOps &work : state.functions) {
    LLVM::LLVMFuncOp function = work.function;
    if (isKernel(function))
      kernels.emplace_back(function);
    dropAttributes(function);
    function.setSymNameAttr(state.names.lookup(function.getSymNameAttr()));
    function.setLinkage(LLVM::Linkage::Internal);
    moveTo(function, host);
  }
  SmallVector<std::string> entries;
  for (KernelInfo &kernel : kernels) {
    entries.push_back((kernel.function.getName() + "_entry").str());
    addEntry(kernel, host, entries.back());
  }
  unsigned site = state.sites.size();
  for (KernelInfo &kernel : kernels)
    state.sites.push_back({StringAttr::get(kernel.name.getContext(), "kernel"),
                           kernel.function.getLoc()});
  addDefinitions(state, host);
  Definitions definitions(host, /*isHost=*/true);
  SmallVector<std::string> descriptions;
  for (auto [kernel, entry] : llvm::zip_equal(kernels, entries))
    descriptions.push_back(
        addKernel(state, kernel, definitions, entry, site++));
  return descriptions;
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

/// A name that is not used.
static std::string getNewName(SymbolTable &symbols, const Twine &wanted) {
  std::string name = wanted.str();
  for (unsigned i = 0; symbols.lookup(name); ++i)
    name = (wanted + "_" + Twine(i)).str();
  return name;
}

void mlir::tmem::emulate::addRegistration(SymbolTable &host,
                                          ArrayRef<std::string> kernels) {
  if (kernels.empty())
    return;
  Block *body = &host.getOp()->getRegion(0).front();
  OpBuilder builder = OpBuilder::atBlockEnd(body);
  Location loc = builder.getUnknownLoc();
  addFunction(builder, host, "tmemEmuRegister");
  auto function = LLVM::LLVMFuncOp::create(
      builder, loc, getNewName(host, "__tmem_emu_register"),
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                  {}),
      LLVM::Linkage::Internal);
  StringAttr name = host.insert(function);
  builder.setInsertionPointToStart(function.addEntryBlock(builder));
  for (const std::string &kernel : kernels) {
    Value address = LLVM::AddressOfOp::create(
        builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), kernel);
    LLVM::CallOp::create(builder, loc, TypeRange(), "tmemEmuRegister", address);
  }
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  builder.setInsertionPointToEnd(body);
  // Binaries are loaded at 123.
  constexpr int32_t priority = 101;
  LLVM::GlobalCtorsOp::create(
      builder, loc, builder.getArrayAttr(FlatSymbolRefAttr::get(name)),
      builder.getI32ArrayAttr(priority),
      builder.getArrayAttr(LLVM::ZeroAttr::get(builder.getContext())));
}
