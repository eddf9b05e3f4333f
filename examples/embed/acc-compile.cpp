//===- acc-compile.cpp - A compiler that embeds tmem-mlir -----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tmem/IR/TMemOps.h"
#include "tmem/InitAll.h"
#include "tmem/Pipelines/Pipelines.h"
#include "tmem/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
namespace cl = llvm::cl;

//===----------------------------------------------------------------------===//
// The dialect
//===----------------------------------------------------------------------===//

#include "AccDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "AccAttributes.h.inc"
#define GET_OP_CLASSES
#include "AccOps.h.inc"

#include "AccDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "AccAttributes.cpp.inc"
#define GET_OP_CLASSES
#include "AccOps.cpp.inc"

void acc::AccDialect::initialize() {
  addAttributes<FoldedAttr>();
  addOperations<ReadOp>();
}

/// Element (i, j) is in lane i + rows * (j / width) and column j mod width.
FailureOr<tmem::Layout>
acc::FoldedAttr::expand(ArrayRef<int64_t> shape, Type,
                        function_ref<InFlightDiagnostic()> emitError) const {
  int64_t groups = getGroups();
  if (shape.size() != 2 || groups < 1 || shape[0] * groups != 128 ||
      shape[1] % groups != 0)
    return emitError() << "expected a tile that fills 128 lanes in " << groups
                       << " groups of columns";
  tmem::Layout layout;
  layout.modes = {{shape[0], 1, tmem::Axis::TLane},
                  {groups, shape[0], tmem::Axis::TLane},
                  {shape[1] / groups, 1, tmem::Axis::TCol}};
  return layout;
}

//===----------------------------------------------------------------------===//
// From acc to tmem
//===----------------------------------------------------------------------===//

/// A view at the base and a tmem.read of it. The passes that follow choose its
/// instructions and place its wait.
static LogicalResult lower(acc::ReadOp op) {
  OpBuilder builder(op);
  MLIRContext *context = op.getContext();
  auto tile = cast<RankedTensorType>(op.getTile());
  auto view = tmem::ViewType::getChecked(
      [&] { return op.emitOpError(); }, context, tile.getShape(),
      tile.getElementType(), tmem::LayoutAttrInterface(op.getLayout()));
  if (!view)
    return failure();
  // Lanes are threads, and columns registers.
  tmem::Layout registers = view.getExpandedLayout();
  for (tmem::Mode &mode : registers.modes)
    mode.axis =
        mode.axis == tmem::Axis::TLane ? tmem::Axis::Tid : tmem::Axis::Reg;
  Value mem = tmem::ViewOp::create(builder, op.getLoc(), view, op.getBase());
  Value read = tmem::ReadOp::create(
      builder, op.getLoc(), op.getRegisters().getType(), mem,
      tmem::LayoutAttr::get(context, registers), /*atom=*/nullptr,
      tmem::ScopeAttr::get(context, tmem::ScopeKind::Warpgroup, 0));
  op.replaceAllUsesWith(read);
  op.erase();
  return success();
}

namespace {
struct LowerAccPass : PassWrapper<LowerAccPass, OperationPass<ModuleOp>> {
  StringRef getArgument() const override { return "lower-acc"; }
  void runOnOperation() override {
    getOperation().walk([&](acc::ReadOp op) {
      if (failed(lower(op)))
        signalPassFailure();
    });
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// The compiler
//===----------------------------------------------------------------------===//

static cl::opt<std::string> inputFile(cl::Positional, cl::Required);
static cl::opt<std::string> outputFile("o", cl::init("-"));
static cl::opt<std::string> chip("chip", cl::init("sm_100a"));
static cl::opt<bool> ptx("ptx", cl::desc("Stop at PTX: needs no ptxas"));
static cl::opt<bool> tmemOnly("tmem", cl::desc("Stop at the tmem dialect"));

static void registerDialects(DialectRegistry &registry) {
  registry.insert<acc::AccDialect, arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, gpu::GPUDialect, memref::MemRefDialect,
                  NVVM::NVVMDialect, scf::SCFDialect, vector::VectorDialect>();
  registerAllExtensions(registry); // How each dialect becomes LLVM's.
  tmem::registerAllDialects(registry);
}

static LogicalResult compile(ModuleOp module, raw_ostream &os) {
  PassManager manager(module.getContext());
  manager.addPass(std::make_unique<LowerAccPass>());
  tmem::TMemToCubinOptions options;
  options.chip = chip;
  options.format = ptx ? "isa" : "bin";
  if (tmemOnly)
    manager.addPass(tmem::createTMemSelectAtoms());
  else
    tmem::buildTMemToCubinPipeline(manager, options);
  if (failed(manager.run(module)))
    return failure();
  if (tmemOnly)
    os << module << "\n";
  module.walk([&](gpu::BinaryOp binary) {
    for (Attribute object : binary.getObjects())
      os << cast<gpu::ObjectAttr>(object).getObject().getValue();
  });
  return success();
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "Compiles accumulators\n");
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  auto module = parseSourceFile<ModuleOp>(inputFile, sources, &context);
  std::error_code error;
  llvm::ToolOutputFile output(outputFile, error, llvm::sys::fs::OF_None);
  if (error)
    llvm::errs() << outputFile << ": " << error.message() << "\n";
  if (error || !module || failed(compile(*module, output.os())))
    return 1;
  output.keep();
  return 0;
}
