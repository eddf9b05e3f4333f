//===- TileTransfersRewrite.cpp - Code for the chunks of a chain ----------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileTransfers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tmem/IR/KernelUtils.h"
#include "tmem/Layout/RearrangePattern.h"

using namespace mlir;
using namespace mlir::tmem;

static VectorType getResized(Type vector, int64_t length) {
  return VectorType::get(length, cast<VectorType>(vector).getElementType());
}

namespace {
class ChainRewriter {
public:
  ChainRewriter(TransferChain &chain, const Tiling &tiling)
      : chain(chain), tiling(tiling), builder(chain.getLast()),
        loads(chain.loads.begin(), chain.loads.end()) {
    llvm::sort(loads, [](LoadOp a, LoadOp b) { return a->isBeforeInBlock(b); });
  }

  void run();

private:
  /// Where a chunk lies in a vector of the type.
  Chunk scale(unsigned chunk, Type vector) const {
    return *scaleChunk(chain, tiling.chunks[chunk],
                       cast<VectorType>(vector).getDimSize(0));
  }
  Value cutDimensions(Location loc, Value view, const TransferWindow &window);
  Value getWindow(Location loc, Value view, const TransferWindow &window);
  void emitLoads(unsigned chunk);
  void emitWaits(unsigned chunk);
  void emitBody(unsigned chunk);
  void emitElementwise(Operation *op, unsigned chunk);
  void emitStore(StoreOp op, unsigned chunk);
  void emitMemoryStore(Operation *op, unsigned chunk);
  Value getVector(Value value, unsigned chunk);
  Value makeExternal(Value value, const Chunk &part, unsigned chunk);
  void replaceTokens();
  void eraseChain();

  TransferChain &chain;
  const Tiling &tiling;
  OpBuilder builder;
  SmallVector<LoadOp> loads;
  /// Of the chunk that is being written.
  DenseMap<Value, Value> vectors;
  DenseMap<std::pair<Value, unsigned>, Value> pending;
  DenseMap<std::pair<Value, Type>, Value> windows;
  DenseMap<std::pair<Value, unsigned>, Value> external;
  DenseMap<Value, SmallVector<Value>> tokens;
};
} // namespace

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// "f0 (f1 f2) -> f0 f1 f2": each dimension cut into its factors.
Value ChainRewriter::cutDimensions(Location loc, Value view,
                                   const TransferWindow &window) {
  RearrangePattern pattern;
  NamedAttrList sizes;
  ArrayRef<int64_t> shape = window.source.getShape();
  for (unsigned rank : window.factors) {
    pattern.sourceRanks.push_back(rank);
    for (unsigned i = 0; i < rank; ++i) {
      unsigned factor = pattern.permutation.size();
      pattern.permutation.push_back(factor);
      pattern.resultRanks.push_back(1);
      // The last factor is what is left.
      if (i + 1 < rank)
        sizes.set("f" + std::to_string(factor),
                  builder.getI64IntegerAttr(shape[factor]));
    }
  }
  return RearrangeOp::create(builder, loc, window.source, view,
                             pattern.getText(),
                             sizes.getDictionary(builder.getContext()));
}

/// Windows of one view and type have the same cells.
Value ChainRewriter::getWindow(Location loc, Value view,
                               const TransferWindow &window) {
  Value source = view;
  if (llvm::any_of(window.factors, [](unsigned rank) { return rank > 1; })) {
    Value &cut = windows[{view, window.source}];
    if (!cut)
      cut = cutDimensions(loc, view, window);
    source = cut;
  }
  Value &result = windows[{source, window.type}];
  if (!result)
    result = SubviewOp::create(builder, loc, window.type, source, ValueRange(),
                               window.offsets, window.sizes);
  return result;
}

Value ChainRewriter::makeExternal(Value value, const Chunk &part,
                                  unsigned chunk) {
  if (chain.remade.contains(value))
    return remake(builder, value, part.begin,
                  getResized(value.getType(), part.size),
                  [&](Value operand) { return getVector(operand, chunk); });
  return vector::ExtractStridedSliceOp::create(
      builder, value.getLoc(), value, ArrayRef<int64_t>(part.begin),
      ArrayRef<int64_t>(part.size), ArrayRef<int64_t>(1));
}

/// The chunk of a vector, from the chain or from outside; other operands as
/// they are.
Value ChainRewriter::getVector(Value value, unsigned chunk) {
  if (Value known = vectors.lookup(value))
    return known;
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type || type.getRank() != 1)
    return value;
  Chunk part = scale(chunk, value.getType());
  // One chunk after the other, so that each of a vector is another part.
  if (Value known = external.lookup({value, chunk}))
    return known;
  Value result = makeExternal(value, part, chunk);
  external[{value, chunk}] = result;
  return result;
}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

void ChainRewriter::emitLoads(unsigned chunk) {
  for (LoadOp load : loads) {
    const TransferWindow &window = (*tiling.windows.find(load)->second)[chunk];
    Value view = getWindow(load.getLoc(), load.getView(), window);
    VectorType type = getResized(load.getVectorType(),
                                 scale(chunk, load.getVectorType()).size);
    auto result = cast<LoadOp>(builder.clone(*load));
    result.getViewMutable().set(view);
    result.setRegistersAttr(
        cast<LayoutAttrInterface>(Attribute(window.registers)));
    result.setAtomAttr(window.atom);
    result.getResult().setType(PendingType::get(type.getContext(), type));
    pending[{load.getResult(), chunk}] = result.getResult();
  }
}

void ChainRewriter::emitWaits(unsigned chunk) {
  vectors.clear();
  for (WaitLoadOp wait : chain.waits) {
    SmallVector<Value> operands;
    for (Value operand : wait.getPending())
      operands.push_back(pending.lookup({operand, chunk}));
    auto result = WaitLoadOp::create(builder, wait.getLoc(), operands);
    for (auto [before, after] :
         llvm::zip_equal(wait.getVectors(), result.getVectors()))
      vectors[before] = after;
  }
}

void ChainRewriter::emitElementwise(Operation *op, unsigned chunk) {
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, getVector(operand, chunk));
  Operation *clone = builder.clone(*op, mapping);
  for (auto [before, after] :
       llvm::zip_equal(op->getResults(), clone->getResults())) {
    after.setType(
        getResized(before.getType(), scale(chunk, before.getType()).size));
    vectors[before] = after;
  }
}

void ChainRewriter::emitStore(StoreOp op, unsigned chunk) {
  const TransferWindow &window = (*tiling.windows.find(op)->second)[chunk];
  Value source = getVector(op.getSource(), chunk);
  Value view = getWindow(op.getLoc(), op.getView(), window);
  auto result = cast<StoreOp>(builder.clone(*op));
  result.getSourceMutable().set(source);
  result.getViewMutable().set(view);
  result.setRegistersAttr(
      cast<LayoutAttrInterface>(Attribute(window.registers)));
  result.setAtomAttr(window.atom);
  tokens[op.getToken()].push_back(result.getToken());
}

void ChainRewriter::emitMemoryStore(Operation *op, unsigned chunk) {
  auto store = dyn_cast<vector::StoreOp>(op);
  auto write = dyn_cast<vector::TransferWriteOp>(op);
  Value source = store ? store.getValueToStore() : write.getVector();
  Chunk part = scale(chunk, source.getType());
  Value index = store ? store.getIndices().back() : write.getIndices().back();
  Value vector = getVector(source, chunk);
  index = moveIndex(builder, op->getLoc(), index, part.begin);
  Operation *clone = builder.clone(*op);
  if (store) {
    auto result = cast<vector::StoreOp>(clone);
    result.getValueToStoreMutable().set(vector);
    result.getIndicesMutable()[result.getIndices().size() - 1].set(index);
    if (std::optional<uint64_t> alignment = store.getAlignment())
      result.setAlignment(
          getMovedAlignment(*alignment, store.getVectorType(), part.begin));
    return;
  }
  auto result = cast<vector::TransferWriteOp>(clone);
  result.getValueToStoreMutable().set(vector);
  result.getIndicesMutable()[result.getIndices().size() - 1].set(index);
}

void ChainRewriter::emitBody(unsigned chunk) {
  for (Operation *op : chain.body) {
    if (auto store = dyn_cast<StoreOp>(op))
      emitStore(store, chunk);
    else if (isMemorySink(op))
      emitMemoryStore(op, chunk);
    else
      emitElementwise(op, chunk);
  }
}

//===----------------------------------------------------------------------===//
// The chain
//===----------------------------------------------------------------------===//

void ChainRewriter::replaceTokens() {
  // A wait may have all tokens of the chain, and is changed once.
  llvm::SetVector<WaitStoreOp> waits;
  for (Operation *sink : chain.sinks)
    if (auto store = dyn_cast<StoreOp>(sink))
      for (Operation *user : store.getToken().getUsers())
        waits.insert(cast<WaitStoreOp>(user));
  for (WaitStoreOp wait : waits) {
    SmallVector<Value> operands;
    for (Value operand : wait.getTokens())
      if (auto it = tokens.find(operand); it != tokens.end())
        llvm::append_range(operands, it->second);
      else
        operands.push_back(operand);
    wait.getTokensMutable().assign(operands);
  }
  for (WaitStoreOp wait : chain.earlyWaits)
    wait->moveBefore(chain.getLast());
}

void ChainRewriter::eraseChain() {
  for (Operation *op : llvm::reverse(chain.dead))
    op->erase();
  for (Operation *op : llvm::reverse(chain.body))
    op->erase();
  for (WaitLoadOp wait : chain.waits)
    wait->erase();
  for (LoadOp load : loads)
    load->erase();
  // What was made anew, as far as nobody else uses it.
  for (Operation *op : llvm::reverse(chain.remadeOps))
    if (isOpTriviallyDead(op))
      op->erase();
}

void ChainRewriter::run() {
  unsigned count = tiling.chunks.size();
  emitLoads(0);
  for (unsigned chunk = 0; chunk < count; ++chunk) {
    bool hasNext = chunk + 1 < count;
    // A wait is for all loads before it. So the next chunk's stands behind it,
    // and is under way while this one is calculated with.
    emitWaits(chunk);
    if (hasNext && tiling.isAhead)
      emitLoads(chunk + 1);
    emitBody(chunk);
    if (hasNext && !tiling.isAhead)
      emitLoads(chunk + 1);
  }
  replaceTokens();
  eraseChain();
}

/// ptxas 13.0 lets a kernel of a known block size have fewer registers than
/// there are, in the hope of more CTAs on an SM, and then may spill what is
/// loaded ahead. It does not where the kernel says that one CTA will do.
static void allowOneBlock(Operation *kernel) {
  if (!isa_and_nonnull<FunctionOpInterface>(kernel))
    return;
  if (getBlockSize(kernel).empty() && !kernel->hasAttr("nvvm.maxntid"))
    return;
  if (!kernel->hasAttr("nvvm.minctasm") && !kernel->hasAttr("nvvm.maxnreg"))
    kernel->setAttr("nvvm.minctasm",
                    Builder(kernel->getContext()).getI32IntegerAttr(1));
}

void mlir::tmem::rewriteChain(TransferChain &chain, const Tiling &tiling) {
  if (tiling.isAhead && !chain.loads.empty() &&
      llvm::any_of(chain.sinks, llvm::IsaPred<StoreOp>))
    allowOneBlock(getThreadRoot(chain.lead));
  ChainRewriter(chain, tiling).run();
}
