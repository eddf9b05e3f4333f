//===- SelectAtoms.cpp - Names atoms and registers ------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps, for each group of transfers whose vectors meet: collect register
// layouts to choose from (those that some of them name, or else the canonical
// ones of their tiles), take the one with which all together cost least, and
// then for each transfer the cheapest atom.
//
//===----------------------------------------------------------------------===//

#include "AtomSelector.h"
#include "SelectionRemarks.h"
#include "TileTransfers.h"
#include "TransferGroups.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "tmem/IR/Diagnostics.h"
#include "tmem/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::tmem {
#define GEN_PASS_DEF_TMEMSELECTATOMS
#include "tmem/Transforms/Passes.h.inc"
} // namespace mlir::tmem

using namespace mlir;
using namespace mlir::tmem;

namespace {

/// A register layout that a group may have, and the transfer it comes from.
struct RegisterOption {
  LayoutAttr registers;
  TransferOpInterface origin;
  /// True when some transfer names it.
  bool isNamed;
};

/// What a group costs with one layout.
struct GroupCost {
  uint64_t issues = 0, moves = 0, registers = 0;

  void add(const TransferCost &cost, uint64_t times) {
    issues += times * cost.issues;
    moves += times * cost.moves;
    registers = std::max<uint64_t>(registers, cost.registers);
  }
  bool operator<(const GroupCost &other) const {
    return std::tie(issues, moves, registers) <
           std::tie(other.issues, other.moves, other.registers);
  }
};

/// Chooses for one group.
class GroupSelection {
public:
  GroupSelection(ArrayRef<TransferOpInterface> group, AtomSelector &selector);

  /// Finds a register layout for the transfers that name none, or reports why
  /// there is none.
  LogicalResult chooseRegisters();
  /// Says which loads combine elements of different places.
  void remarkOtherRegisters() const;
  /// Fills in what is left out.
  LogicalResult fillIn(bool explain);

private:
  /// Transfers without registers that are alike.
  struct Kind {
    TransferOpInterface first;
    uint64_t count = 0;
    bool isCollected = false;
  };
  using KindEntry = std::pair<SelectorTile *, Kind>;
  bool collectNamed();
  LogicalResult collectCanonical();
  LogicalResult collectCanonical(KindEntry &entry);
  KindEntry *findRefusing();
  std::optional<GroupCost> chooseOption();
  void addOption(RegisterOption option);
  std::optional<GroupCost> getCost(const RegisterOption &option,
                                   const std::optional<GroupCost> &bound);
  bool isBestForAll(const RegisterOption &option) const;
  LogicalResult emitNoOption();
  ArrayRef<SelectionReason> getReasons(TransferOpInterface op,
                                       LayoutAttr registers, bool isInferred);
  const SelectionCandidate *findCheaper(TransferOpInterface op,
                                        LayoutAttr registers,
                                        const SelectionCandidate &choice);
  LogicalResult fillIn(TransferOpInterface op, bool explain);

  ArrayRef<TransferOpInterface> group;
  AtomSelector &selector;
  llvm::MapVector<SelectorTile *, Kind> kinds;
  SmallVector<RegisterOption, 8> options;
  SmallPtrSet<Attribute, 8> seen;
  RegisterOption chosen = {};
};

} // namespace

GroupSelection::GroupSelection(ArrayRef<TransferOpInterface> group,
                               AtomSelector &selector)
    : group(group), selector(selector) {
  for (TransferOpInterface op : group) {
    if (op.getRegistersAttr())
      continue;
    int64_t columns;
    Kind &kind = kinds[&selector.getTile(op, columns)];
    if (kind.count++ == 0)
      kind.first = op;
  }
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

void GroupSelection::addOption(RegisterOption option) {
  // Groups have one or a few. The limit keeps time linear.
  constexpr size_t maxOptions = 64;
  if (options.size() < maxOptions && seen.insert(option.registers).second)
    options.push_back(option);
}

/// The layouts that transfers of the group name. True when there are any.
bool GroupSelection::collectNamed() {
  for (TransferOpInterface op : group)
    if (op.getRegistersAttr())
      addOption({getNamedRegisters(op), op, /*isNamed=*/true});
  return !options.empty();
}

/// The canonical layouts of a tile, of which the group may have others only.
LogicalResult GroupSelection::collectCanonical(KindEntry &entry) {
  auto &[tile, kind] = entry;
  kind.isCollected = true;
  const InferenceResult &inferred = tile->infer();
  if (!inferred.isFound()) {
    emitNothingLegal(kind.first,
                     selector.getTileInPlace(kind.first).infer().reasons);
    return failure();
  }
  for (const InferredCandidate &candidate : inferred.candidates)
    if (candidate.registers.vectorSize == tile->getVectorSize())
      addOption({LayoutAttr::get(group.front()->getContext(),
                                 candidate.registers.layout),
                 kind.first, /*isNamed=*/false});
  return success();
}

LogicalResult GroupSelection::collectCanonical() {
  // Tiles of one group mostly have one layout. The limit keeps time linear.
  constexpr size_t maxKinds = 8;
  for (size_t i = 0; i < std::min(kinds.size(), maxKinds); ++i)
    if (failed(collectCanonical(kinds.begin()[i])))
      return failure();
  if (!options.empty())
    return success();
  auto &[tile, kind] = kinds.front();
  emitNoVectorSize(kind.first, tile->infer().candidates);
  return failure();
}

/// A tile that refuses the first layout, and whose own were not tried.
GroupSelection::KindEntry *GroupSelection::findRefusing() {
  for (KindEntry &entry : kinds)
    if (!entry.second.isCollected &&
        !entry.first->choose(options.front().registers))
      return &entry;
  return nullptr;
}

/// What all transfers without registers cost with a layout; nothing when it is
/// not legal for one, or costs more than the best so far.
std::optional<GroupCost>
GroupSelection::getCost(const RegisterOption &option,
                        const std::optional<GroupCost> &bound) {
  GroupCost cost;
  for (auto &[tile, kind] : kinds) {
    const SelectionCandidate *choice = tile->choose(option.registers);
    if (!choice)
      return std::nullopt;
    cost.add(choice->cost, kind.count);
    if (bound && *bound < cost)
      return std::nullopt;
  }
  return cost;
}

/// True when no layout can cost less: then the others are not planned.
bool GroupSelection::isBestForAll(const RegisterOption &option) const {
  return llvm::all_of(kinds, [&](const auto &entry) {
    return entry.first->areBest(option.registers);
  });
}

/// Reports the first tile for which the first layout is not legal.
LogicalResult GroupSelection::emitNoOption() {
  const RegisterOption &option = options.front();
  for (auto &[tile, kind] : kinds) {
    if (tile->choose(option.registers))
      continue;
    ArrayRef<SelectionReason> reasons =
        selector.getTileInPlace(kind.first).select(option.registers).reasons;
    if (kind.first == option.origin)
      emitNothingLegal(kind.first, reasons);
    else
      emitNoMeeting(kind.first, option.origin, option.registers, reasons);
    break;
  }
  return failure();
}

/// Takes the cheapest layout that is legal for all, if there is one.
std::optional<GroupCost> GroupSelection::chooseOption() {
  std::optional<GroupCost> best;
  for (const RegisterOption &option : options) {
    std::optional<GroupCost> cost = getCost(option, best);
    if (!cost || (best && !(*cost < *best)))
      continue;
    best = cost;
    chosen = option;
    if (isBestForAll(option))
      break;
  }
  return best;
}

LogicalResult GroupSelection::chooseRegisters() {
  if (kinds.empty())
    return success();
  bool areNamed = collectNamed();
  if (!areNamed && failed(collectCanonical()))
    return failure();
  // What is legal for a tile that refuses the others may be so for all.
  constexpr unsigned maxRounds = 8;
  for (unsigned round = 0; !chooseOption(); ++round) {
    KindEntry *refusing = areNamed ? nullptr : findRefusing();
    if (!refusing || round == maxRounds)
      return emitNoOption();
    if (failed(collectCanonical(*refusing)))
      return failure();
  }
  return success();
}

/// Loads of one tile shape that name different layouts are remarked on: what
/// combines their vectors takes the elements of different places. (A store may
/// name another one on purpose, to move elements.)
void GroupSelection::remarkOtherRegisters() const {
  struct Named {
    SmallVector<int64_t, 4> shape;
    Layout registers;
    TransferOpInterface op;
  };
  // Of each shape the first. Groups have one or a few.
  SmallVector<Named, 2> firsts;
  for (TransferOpInterface op : group) {
    if (!op.getRegistersAttr() || op.getDirection() != Direction::Load)
      continue;
    Named named{op.getTileShape(),
                canonicalize(getNamedRegisters(op).getLayout()), op};
    auto *first = llvm::find_if(
        firsts, [&](const Named &other) { return other.shape == named.shape; });
    if (first == firsts.end())
      firsts.push_back(std::move(named));
    else if (!(first->registers == named.registers))
      emitOtherRegisters(op, first->op);
  }
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

/// Why the other atoms were not chosen. A transfer that got the registers that
/// suit it best compares each atom with that atom's own registers.
ArrayRef<SelectionReason> GroupSelection::getReasons(TransferOpInterface op,
                                                     LayoutAttr registers,
                                                     bool isInferred) {
  SelectorTile &tile = selector.getTileInPlace(op);
  if (isInferred && !chosen.isNamed) {
    const InferenceResult &inferred = tile.infer();
    if (tile.areBest(registers))
      return inferred.reasons;
  }
  return tile.select(registers).reasons;
}

/// What the options would choose instead of an atom that is named.
const SelectionCandidate *
GroupSelection::findCheaper(TransferOpInterface op, LayoutAttr registers,
                            const SelectionCandidate &choice) {
  const SelectionResult &any = selector.getTileForAnyAtom(op).select(registers);
  if (!any.isFound() || !(any.candidates.front().cost < choice.cost))
    return nullptr;
  return &any.candidates.front();
}

LogicalResult GroupSelection::fillIn(TransferOpInterface op, bool explain) {
  bool isInferred = !op.getRegistersAttr(), isNamed = bool(op.getAtomAttr());
  if (!isInferred && isNamed && !explain)
    return success();
  LayoutAttr registers = isInferred ? chosen.registers : getNamedRegisters(op);
  int64_t columns;
  const SelectionCandidate *choice =
      selector.getTile(op, columns).choose(registers);
  if (!choice) {
    emitNothingLegal(op, selector.getTileInPlace(op).select(registers).reasons);
    return failure();
  }
  if (explain)
    emitExplanation(
        op, {*choice, columns, isNamed, isInferred ? registers : LayoutAttr(),
             isInferred ? chosen.origin : TransferOpInterface(),
             getReasons(op, registers, isInferred),
             isNamed ? findCheaper(op, registers, *choice) : nullptr});
  // Last: both are part of what a tile is known by.
  if (isInferred)
    op.setRegistersAttr(cast<LayoutAttrInterface>(Attribute(registers)));
  if (!isNamed)
    op.setAtomAttr(getAtomAttr(op->getContext(), choice->atom));
  return success();
}

LogicalResult GroupSelection::fillIn(bool explain) {
  LogicalResult result = success();
  for (TransferOpInterface op : group)
    if (failed(fillIn(op, explain)))
      result = failure();
  return result;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct SelectAtomsPass
    : public tmem::impl::TMemSelectAtomsBase<SelectAtomsPass> {
  using Base::Base;

  void runOnOperation() override {
    SelectionOptions options;
    if (failed(readOptions(options)))
      return signalPassFailure();
    AtomSelector selector(options);
    bool isComplete = true;
    for (const TransferGroup &group : findTransferGroups(getOperation())) {
      GroupSelection selection(group, selector);
      selection.remarkOtherRegisters();
      if (failed(selection.chooseRegisters()) ||
          failed(selection.fillIn(explain)))
        isComplete = false;
    }
    if (!isComplete)
      return signalPassFailure();
    if (maxLiveRegisters != 0)
      tileTransfers(getOperation(), {/*columns=*/0, maxLiveRegisters},
                    getAnalysis<AliasAnalysis>());
  }

private:
  LogicalResult readOptions(SelectionOptions &options);
};
} // namespace

LogicalResult SelectAtomsPass::readOptions(SelectionOptions &options) {
  // Without the operation itself, which is a whole module.
  auto emitError = [&] { return mlir::emitError(getOperation()->getLoc()); };
  if (maxRegistersPerIssue < 1 || maxRegistersPerIssue > maxIssueRegisters)
    return emitError() << "expected 1 to " << maxIssueRegisters
                       << " registers per issue, but got "
                       << unsigned(maxRegistersPerIssue);
  options.maxRegistersPerIssue = maxRegistersPerIssue;
  for (const std::string &name : atoms) {
    std::optional<AtomShape> shape = symbolizeAtomShape(name);
    if (!shape) {
      auto names =
          llvm::map_range(getNativeImages(), [](const NativeImage &image) {
            return image.name.str();
          });
      return emitViolation(emitError, Rule::A1,
                           "expected a shape of " + llvm::join(names, ", ") +
                               ", but got " + name);
    }
    options.shapes.push_back(*shape);
  }
  return success();
}
