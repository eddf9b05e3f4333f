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
#include "mlir/Support/FileUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tmem/IR/TMemOps.h"
#include "tmem/InitAll.h"
#include "tmem/Pipelines/Pipelines.h"
#include "tmem/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/CommandLine.h"
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
  addOperations<DrainOp>();
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

namespace {
/// Thread t of the warpgroup has the columns of lane t: those of its group of
/// columns, in row t mod rows.
struct LowerDrain : OpRewritePattern<acc::DrainOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(acc::DrainOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MLIRContext *context = op.getContext();
    auto out = cast<MemRefType>(op.getOut().getType());
    auto view = tmem::ViewType::getChecked(
        [&] { return op.emitOpError(); }, context, out.getShape(),
        out.getElementType(), tmem::LayoutAttrInterface(op.getLayout()));
    if (!view)
      return failure();
    int64_t groups = op.getLayout().getGroups(), rows = out.getDimSize(0),
            width = out.getDimSize(1) / groups;
    tmem::Layout registers;
    registers.modes = {{rows, 1, tmem::Axis::Tid},
                       {groups, rows, tmem::Axis::Tid},
                       {width, 1, tmem::Axis::Reg}};
    auto vector = VectorType::get(width, out.getElementType());
    Value mem = tmem::ViewOp::create(rewriter, loc, view, op.getBase());
    Value pending = tmem::LoadOp::create(
        rewriter, loc, tmem::PendingType::get(context, vector), mem,
        tmem::LayoutAttr::get(context, registers),
        /*atom=*/{}, // The cheapest one is chosen later.
        tmem::ScopeAttr::get(context, tmem::ScopeKind::Warpgroup, 0));
    Value loaded =
        tmem::WaitLoadOp::create(rewriter, loc, pending).getResult(0);
    Value scale =
        vector::BroadcastOp::create(rewriter, loc, vector, op.getScale());
    Value scaled = arith::MulFOp::create(rewriter, loc, loaded, scale);
    Value thread = gpu::ThreadIdOp::create(rewriter, loc, gpu::Dimension::x);
    auto constant = [&](int64_t n) -> Value {
      return arith::ConstantIndexOp::create(rewriter, loc, n);
    };
    Value row = arith::RemUIOp::create(rewriter, loc, thread, constant(rows));
    Value group = arith::DivUIOp::create(rewriter, loc, thread, constant(rows));
    Value column = arith::MulIOp::create(rewriter, loc, group, constant(width));
    rewriter.replaceOpWithNewOp<vector::StoreOp>(op, scaled, op.getOut(),
                                                 ValueRange{row, column});
    return success();
  }
};

struct LowerAccPass : PassWrapper<LowerAccPass, OperationPass<ModuleOp>> {
  StringRef getArgument() const override { return "lower-acc"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, gpu::GPUDialect, tmem::TMemDialect,
                    vector::VectorDialect>();
  }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<LowerDrain>(&getContext());
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
    auto left = getOperation().walk([](acc::DrainOp op) {
      op.emitOpError("cannot be lowered");
      return WalkResult::interrupt();
    });
    if (left.wasInterrupted())
      signalPassFailure();
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
  manager.addPass(tmem::createTMemSelectAtoms());
  if (!tmemOnly) {
    tmem::TMemToCubinOptions options;
    options.chip = chip;
    options.format = ptx ? "isa" : "bin";
    tmem::buildTMemToCubinPipeline(manager, options);
  }
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
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(inputFile, sources, &context);
  std::string binary;
  llvm::raw_string_ostream os(binary);
  if (!module || failed(compile(*module, os)))
    return 1;
  std::string error;
  auto file = openOutputFile(outputFile, &error);
  if (!file) {
    llvm::errs() << error << "\n";
    return 1;
  }
  file->os() << binary;
  file->keep();
  return 0;
}
