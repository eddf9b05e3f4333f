//===- Assemble.cpp - From checked PTX to cubins --------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetOptions.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tmem/Target/Chips.h"
#include "tmem/Target/PTX.h"
#include "tmem/Target/PTXLint.h"
#include "tmem/Target/PTXRewrite.h"
#include "tmem/Target/Ptxas.h"
#include "tmem/Transforms/Passes.h"

namespace mlir::tmem {
#define GEN_PASS_DEF_TMEMASSEMBLE
#include "tmem/Transforms/Passes.h.inc"
} // namespace mlir::tmem

using namespace mlir;
using namespace mlir::tmem;

namespace {

struct AssemblePass : public tmem::impl::TMemAssembleBase<AssemblePass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(verifyTargetOptions(getOperation(), chip, format, optLevel)))
      return signalPassFailure();
    wanted = findChip(chip);
    tool.reset();
    // All binaries first: nothing is replaced when one of them fails.
    SmallVector<std::pair<gpu::BinaryOp, ArrayAttr>> replacements;
    WalkResult result = getOperation()->walk([&](gpu::BinaryOp binary) {
      SmallVector<Attribute> objects;
      for (Attribute object : binary.getObjects()) {
        FailureOr<Attribute> assembled =
            assembleObject(binary, cast<gpu::ObjectAttr>(object));
        if (failed(assembled))
          return WalkResult::interrupt();
        objects.push_back(*assembled);
      }
      replacements.emplace_back(binary, ArrayAttr::get(&getContext(), objects));
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (auto [binary, objects] : replacements)
      binary.setObjectsAttr(objects);
  }

private:
  FailureOr<Attribute> assembleObject(gpu::BinaryOp binary,
                                      gpu::ObjectAttr object);
  FailureOr<std::string> retarget(gpu::BinaryOp binary, StringRef ptx,
                                  const PTXModule &module,
                                  NVVM::NVVMTargetAttr target);
  LogicalResult findTool(gpu::BinaryOp binary, StringRef arch);
  FailureOr<Attribute> runPtxas(gpu::BinaryOp binary, StringRef ptx,
                                StringRef arch, gpu::ObjectAttr object);
  NVVM::NVVMTargetAttr getNewTarget(NVVM::NVVMTargetAttr target);
  DictionaryAttr getProperties(gpu::ObjectAttr object,
                               const AssembledPTX &assembled);

  const Chip *wanted = nullptr;
  /// The ptxas in use and what it assembles for, once it has been looked for.
  std::optional<Ptxas> tool;
  std::vector<std::string> toolChips;
};

/// An error without the operation itself, which holds whole binaries.
InFlightDiagnostic emitBinaryError(gpu::BinaryOp binary) {
  return emitError(binary.getLoc())
         << "'" << binary->getName() << "' op @" << binary.getSymName() << ": ";
}

/// The source and the first use of one group of faults, as the PTX has them.
void attachPlaces(InFlightDiagnostic &diag, const PTXFaultGroup &group) {
  const PTXFault &first = group.front();
  diag.attachNote() << "PTX line " << first.sourceLine << ": "
                    << first.sourceText;
  Diagnostic &note = diag.attachNote();
  note << "PTX line " << first.line << ": " << first.text;
  if (size_t more = group.faults.size() - 1)
    note << ", and " << more << " more such use" << (more == 1 ? "" : "s");
}

LogicalResult lint(gpu::BinaryOp binary, const PTXModule &module) {
  PTXLintResult result = lintPTX(module);
  if (result.faults.empty())
    return success();
  std::vector<PTXFaultGroup> groups = groupFaults(result.faults);
  const PTXFault &fault = groups.front().front();
  InFlightDiagnostic diag = emitBinaryError(binary);
  if (fault.isOfLoad())
    diag << "expected no register to be used between its tcgen05.ld and the "
            "wait, but ";
  else
    diag << "expected a tcgen05.wait::st between a tcgen05.st and a load of "
            "its cells, but ";
  diag << fault.str();
  attachPlaces(diag, groups.front());
  if (size_t more = groups.size() - 1)
    diag.attachNote() << "and " << more
                      << " more loads or stores with such uses";
  return diag;
}

/// An instruction that reaches the PTX as inline assembly, of whose version
/// LLVM knows nothing.
struct LateInstruction {
  StringLiteral prefix;
  unsigned ptxVersion;
  StringLiteral source;
};
constexpr LateInstruction lateInstructions[] = {
    {"tcgen05.alloc.exclusive.", 94, "PTX ISA 9.4, tcgen05.alloc"},
    {"tcgen05.dealloc.exclusive.", 94, "PTX ISA 9.4, tcgen05.dealloc"},
};

/// The version that a text states, 88 for 8.8, or 0.
unsigned parseVersion(StringRef text) {
  auto [major, minor] = text.split('.');
  unsigned majorNumber = 0, minorNumber = 0;
  if (major.getAsInteger(10, majorNumber) ||
      minor.getAsInteger(10, minorNumber))
    return 0;
  return 10 * majorNumber + minorNumber;
}

/// The oldest PTX version that has all of the module's instructions, or the one
/// that it states if that is later.
unsigned getNeededVersion(const PTXModule &module) {
  unsigned version = parseVersion(module.version);
  for (const PTXFunction &function : module.functions)
    for (const PTXInstruction &instruction : function.instructions)
      for (const LateInstruction &late : lateInstructions)
        if (instruction.opcode.starts_with(late.prefix))
          version = std::max(version, late.ptxVersion);
  return version;
}

/// Without the time that LLVM took, which would make every build differ.
DictionaryAttr getStableProperties(gpu::ObjectAttr object) {
  DictionaryAttr properties = object.getProperties();
  NamedAttrList stable(properties);
  if (!stable.erase("LLVMIRToISATimeInMs"))
    return properties;
  return stable.getDictionary(object.getContext());
}

FailureOr<Attribute> AssemblePass::assembleObject(gpu::BinaryOp binary,
                                                  gpu::ObjectAttr object) {
  auto target = dyn_cast<NVVM::NVVMTargetAttr>(object.getTarget());
  if (!target || object.getFormat() != gpu::CompilationTarget::Assembly)
    return Attribute(object);
  StringRef text = object.getObject();
  llvm::Expected<PTXModule> module = parsePTX(text);
  if (!module)
    return emitBinaryError(binary)
           << "expected PTX, but got text that does not parse: "
           << llvm::toString(module.takeError());
  if (failed(lint(binary, *module)))
    return failure();
  FailureOr<std::string> ptx = retarget(binary, text, *module, target);
  if (failed(ptx))
    return failure();
  NVVM::NVVMTargetAttr newTarget = getNewTarget(target);
  object = gpu::ObjectAttr::get(
      &getContext(), newTarget, gpu::CompilationTarget::Assembly,
      StringAttr::get(&getContext(), *ptx), getStableProperties(object),
      object.getKernels());
  if (format == "isa")
    return Attribute(object);
  return runPtxas(binary, *ptx, newTarget.getChip(), object);
}

FailureOr<std::string> AssemblePass::retarget(gpu::BinaryOp binary,
                                              StringRef ptx,
                                              const PTXModule &module,
                                              NVVM::NVVMTargetAttr target) {
  unsigned version = getNeededVersion(module);
  StringRef arch = module.target;
  if (wanted && wanted->name != target.getChip()) {
    if (wanted->llvmTarget != target.getChip())
      return emitBinaryError(binary)
             << "expected PTX for " << describeLLVMTarget(*wanted)
             << ", but got PTX for " << target.getChip();
    version = std::max(version, wanted->ptxVersion);
    arch = wanted->name;
  }
  if (arch == module.target && version == parseVersion(module.version))
    return ptx.str();
  llvm::Expected<std::string> text = setPTXTarget(ptx, version, arch);
  if (!text)
    return emitBinaryError(binary) << llvm::toString(text.takeError());
  return std::move(*text);
}

NVVM::NVVMTargetAttr AssemblePass::getNewTarget(NVVM::NVVMTargetAttr target) {
  if (!wanted || wanted->name == target.getChip())
    return target;
  std::string features = "+ptx" + std::to_string(wanted->ptxVersion);
  return NVVM::NVVMTargetAttr::get(
      &getContext(), target.getO(), target.getTriple(), wanted->name, features,
      target.getFlags(), target.getLink(), target.getVerifyTarget());
}

LogicalResult AssemblePass::findTool(gpu::BinaryOp binary, StringRef arch) {
  if (!tool) {
    llvm::Expected<Ptxas> found = Ptxas::find(ptxas, TMEM_DEFAULT_PTXAS);
    if (!found)
      return emitBinaryError(binary) << llvm::toString(found.takeError());
    tool = std::move(*found);
    llvm::Expected<std::vector<std::string>> chips = tool->getChips();
    if (!chips)
      return emitBinaryError(binary) << llvm::toString(chips.takeError());
    toolChips = std::move(*chips);
  }
  if (!llvm::is_contained(toolChips, arch))
    return emitBinaryError(binary)
           << "expected a ptxas that knows " << arch << ", but got version "
           << tool->getVersion();
  return success();
}

FailureOr<Attribute> AssemblePass::runPtxas(gpu::BinaryOp binary, StringRef ptx,
                                            StringRef arch,
                                            gpu::ObjectAttr object) {
  if (failed(findTool(binary, arch)))
    return failure();
  llvm::Expected<AssembledPTX> assembled = tool->assemble(ptx, arch, optLevel);
  if (!assembled)
    return emitBinaryError(binary) << llvm::toString(assembled.takeError());
  return Attribute(gpu::ObjectAttr::get(
      &getContext(), object.getTarget(), gpu::CompilationTarget::Binary,
      StringAttr::get(&getContext(), assembled->cubin),
      getProperties(object, *assembled), object.getKernels()));
}

/// The object's properties, with what ptxas says of each kernel.
DictionaryAttr AssemblePass::getProperties(gpu::ObjectAttr object,
                                           const AssembledPTX &assembled) {
  Builder builder(&getContext());
  NamedAttrList kernels;
  for (const KernelResources &kernel : assembled.kernels) {
    auto number = [&](StringRef name, unsigned value) {
      return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
    };
    kernels.set(kernel.name,
                builder.getDictionaryAttr(
                    {number("registers", kernel.registers),
                     number("spill_stores", kernel.spillStoreBytes),
                     number("spill_loads", kernel.spillLoadBytes),
                     number("stack", kernel.stackBytes),
                     number("shared", kernel.sharedBytes)}));
  }
  NamedAttrList properties(object.getProperties());
  properties.set("ptxas", kernels.getDictionary(&getContext()));
  return properties.getDictionary(&getContext());
}

} // namespace
