//===- AtomSelector.h - Atoms and registers for tiles -----------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tmem-select-atoms asks of the layout library, kept for transfers that
// are alike: so a thousand equal ones are planned once.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TRANSFORMS_ATOMSELECTOR_H
#define TMEM_LIB_TRANSFORMS_ATOMSELECTOR_H

#include "tmem/IR/TMemOps.h"
#include "tmem/Layout/RegisterInference.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>

namespace mlir::tmem {

/// All that matters of a transfer but its registers. Every member is unique in
/// its context.
struct TileKey {
  unsigned direction;
  LayoutAttr low;
  LayoutAttr high; ///< Of a split transfer, or null.
  DenseI64ArrayAttr shape;
  VectorType vector;
  ScopeAttr scope;
  unsigned numWarps;
  AtomAttr atom;     ///< Null where it is left out.
  int64_t immediate; ///< Or -1.
  unsigned
      reduces; ///< 1 for that of tmem.load_reduce, which has not every shape.

  auto asTuple() const {
    return std::make_tuple(direction, low, high, Attribute(shape), vector,
                           scope, numWarps, atom, immediate, reduces);
  }
};

/// A kind of tile, and what has been found out about it.
class SelectorTile {
public:
  SelectorTile(const TileKey &key, const SelectionOptions &options);

  /// The canonical register layouts, the cheapest first.
  const InferenceResult &infer();
  /// The atoms that move the tile to registers, the cheapest first. Where the
  /// atom is named it is the only one.
  const SelectionResult &select(LayoutAttr registers);
  /// The cheapest of these, or null.
  const SelectionCandidate *choose(LayoutAttr registers);
  /// True when the registers are the best of all that infer() found.
  bool areBest(LayoutAttr registers) const;

  int64_t getVectorSize() const { return key.vector.getDimSize(0); }

private:
  MemoryTile getMemoryTile() const;
  SelectionResult plan(const Layout &registers) const;

  TileKey key;
  SelectionOptions options;
  SmallVector<Layout, 2> memory;
  std::optional<InferenceResult> inferred;
  DenseMap<LayoutAttr, std::unique_ptr<SelectionResult>> selected;
};

class AtomSelector {
public:
  AtomSelector(const SelectionOptions &options) : options(options) {}

  /// The tile of a transfer. Tiles are moved to the left as far as they go, for
  /// instructions are the same at every column; `columns` is how many cells.
  SelectorTile &getTile(TransferOpInterface op, int64_t &columns);
  /// The tile where it is, as messages have it.
  SelectorTile &getTileInPlace(TransferOpInterface op);
  /// The same with every atom to choose from, whatever the transfer names.
  SelectorTile &getTileForAnyAtom(TransferOpInterface op);

private:
  SelectorTile &getOrCreate(const TileKey &key);

  SelectionOptions options;
  using Tuple = decltype(std::declval<TileKey>().asTuple());
  DenseMap<Tuple, std::unique_ptr<SelectorTile>> tiles;
};

/// The register layout that a transfer names, however it names it.
LayoutAttr getNamedRegisters(TransferOpInterface op);

/// The attribute of an atom that was selected.
AtomAttr getAtomAttr(MLIRContext *context, const Atom &atom);

} // namespace mlir::tmem

#endif // TMEM_LIB_TRANSFORMS_ATOMSELECTOR_H
