//===- Attributes.cpp - Attributes of the tmem dialect from C -------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem-c/Attributes.h"
#include "Convert.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::capi;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

static_assert(unsigned(TMemAxisTid) == unsigned(Axis::Tid) &&
              unsigned(TMemAxisReg) == unsigned(Axis::Reg));

/// The C enumerations are those of C++, in order.
static bool isAxis(TMemAxis axis) { return unsigned(axis) < numAxes; }

static LogicalResult checkAxis(const Reporter &reporter, TMemAxis axis) {
  if (isAxis(axis))
    return success();
  return emitViolation(reporter, Rule::L5,
                       "expected tlane, tcol, warp, lane, reg or tid, but got "
                       "axis " +
                           Twine(unsigned(axis)));
}

static LogicalResult convert(const Reporter &reporter, intptr_t size,
                             const TMemMode *first,
                             SmallVectorImpl<Mode> &modes) {
  auto list = getList(size, first);
  if (!list)
    return reporter() << "expected a list of modes, but got null";
  for (const TMemMode &mode : *list) {
    if (failed(checkAxis(reporter, mode.axis)))
      return failure();
    modes.push_back({mode.extent, mode.stride, Axis(mode.axis)});
  }
  return success();
}

static LogicalResult convert(const Reporter &reporter, intptr_t size,
                             const TMemAxisOffset *first,
                             SmallVectorImpl<AxisOffset> &offsets) {
  auto list = getList(size, first);
  if (!list)
    return reporter() << "expected a list of offsets, but got null";
  for (const TMemAxisOffset &offset : *list) {
    if (failed(checkAxis(reporter, offset.axis)))
      return failure();
    offsets.push_back({offset.value, Axis(offset.axis)});
  }
  return success();
}

static MlirAttribute makeLayout(const Reporter &reporter, intptr_t numModes,
                                const TMemMode *modes, intptr_t numReplicas,
                                const TMemMode *replicas, intptr_t numOffsets,
                                const TMemAxisOffset *offsets) {
  Layout layout;
  if (!reporter.getContext() ||
      failed(convert(reporter, numModes, modes, layout.modes)) ||
      failed(convert(reporter, numReplicas, replicas, layout.replicas)) ||
      failed(convert(reporter, numOffsets, offsets, layout.offsets)))
    return MlirAttribute{nullptr};
  return wrap(LayoutAttr::getChecked(reporter, reporter.getContext(), layout));
}

bool tmemAttributeIsALayout(MlirAttribute attr) {
  return static_cast<bool>(getAttr<LayoutAttr>(attr));
}

MlirTypeID tmemLayoutAttrGetTypeID(void) {
  return wrap(LayoutAttr::getTypeID());
}

MlirAttribute tmemLayoutAttrGet(MlirContext context, intptr_t numModes,
                                const TMemMode *modes, intptr_t numReplicas,
                                const TMemMode *replicas, intptr_t numOffsets,
                                const TMemAxisOffset *offsets) {
  return makeLayout(Reporter(context), numModes, modes, numReplicas, replicas,
                    numOffsets, offsets);
}

MlirAttribute tmemLayoutAttrGetChecked(MlirLocation location, intptr_t numModes,
                                       const TMemMode *modes,
                                       intptr_t numReplicas,
                                       const TMemMode *replicas,
                                       intptr_t numOffsets,
                                       const TMemAxisOffset *offsets) {
  return makeLayout(Reporter(location), numModes, modes, numReplicas, replicas,
                    numOffsets, offsets);
}

intptr_t tmemLayoutAttrGetNumModes(MlirAttribute layout) {
  auto attr = getAttr<LayoutAttr>(layout);
  return attr ? attr.getModes().size() : -1;
}

intptr_t tmemLayoutAttrGetNumReplicas(MlirAttribute layout) {
  auto attr = getAttr<LayoutAttr>(layout);
  return attr ? attr.getReplicas().size() : -1;
}

intptr_t tmemLayoutAttrGetNumOffsets(MlirAttribute layout) {
  auto attr = getAttr<LayoutAttr>(layout);
  return attr ? attr.getOffsets().size() : -1;
}

static TMemMode getMode(ArrayRef<Mode> modes, intptr_t position) {
  if (position < 0 || position >= intptr_t(modes.size()))
    return TMemMode{};
  const Mode &mode = modes[position];
  return {mode.extent, mode.stride, TMemAxis(mode.axis)};
}

TMemMode tmemLayoutAttrGetMode(MlirAttribute layout, intptr_t position) {
  auto attr = getAttr<LayoutAttr>(layout);
  return getMode(attr ? attr.getModes() : ArrayRef<Mode>(), position);
}

TMemMode tmemLayoutAttrGetReplica(MlirAttribute layout, intptr_t position) {
  auto attr = getAttr<LayoutAttr>(layout);
  return getMode(attr ? attr.getReplicas() : ArrayRef<Mode>(), position);
}

TMemAxisOffset tmemLayoutAttrGetOffset(MlirAttribute layout,
                                       intptr_t position) {
  auto attr = getAttr<LayoutAttr>(layout);
  if (!attr || position < 0 || position >= intptr_t(attr.getOffsets().size()))
    return TMemAxisOffset{};
  const AxisOffset &offset = attr.getOffsets()[position];
  return {offset.value, TMemAxis(offset.axis)};
}

//===----------------------------------------------------------------------===//
// Data paths
//===----------------------------------------------------------------------===//

bool tmemAttributeIsADatapath(MlirAttribute attr) {
  return static_cast<bool>(getAttr<DatapathAttr>(attr));
}

MlirTypeID tmemDatapathAttrGetTypeID(void) {
  return wrap(DatapathAttr::getTypeID());
}

static MlirAttribute makeDatapath(const Reporter &reporter, char letter,
                                  int64_t half) {
  if (!reporter.getContext())
    return MlirAttribute{nullptr};
  std::optional<Datapath> datapath = symbolizeDatapath(StringRef(&letter, 1));
  if (!datapath) {
    reporter() << "expected a datapath from A to G, but got '"
               << StringRef(&letter, 1) << "'";
    return MlirAttribute{nullptr};
  }
  return wrap(DatapathAttr::getChecked(reporter, reporter.getContext(),
                                       *datapath, half));
}

MlirAttribute tmemDatapathAttrGet(MlirContext context, char letter,
                                  int64_t half) {
  return makeDatapath(Reporter(context), letter, half);
}

MlirAttribute tmemDatapathAttrGetChecked(MlirLocation location, char letter,
                                         int64_t half) {
  return makeDatapath(Reporter(location), letter, half);
}

char tmemDatapathAttrGetLetter(MlirAttribute datapath) {
  auto attr = getAttr<DatapathAttr>(datapath);
  return attr ? stringifyDatapath(attr.getLetter()).front() : '\0';
}

int64_t tmemDatapathAttrGetHalf(MlirAttribute datapath) {
  auto attr = getAttr<DatapathAttr>(datapath);
  return attr ? attr.getHalf() : -1;
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

static_assert(unsigned(TMemAtomShape16x32bx2) ==
              unsigned(AtomShape::S16x32bx2));
static_assert(unsigned(TMemPackingUnpack) == unsigned(Packing::Unpack));

static bool isShape(TMemAtomShape shape) {
  return unsigned(shape) < unsigned(TMemAtomShapeNone);
}

const char *tmemAtomShapeToString(TMemAtomShape shape) {
  // Literals, so that a null character follows.
  return isShape(shape) ? stringifyAtomShape(AtomShape(shape)).data() : nullptr;
}

TMemAtomShape tmemAtomShapeFromString(MlirStringRef name) {
  if (!name.data)
    return TMemAtomShapeNone;
  std::optional<AtomShape> shape = symbolizeAtomShape(unwrap(name));
  return shape ? TMemAtomShape(*shape) : TMemAtomShapeNone;
}

bool tmemAttributeIsAAtom(MlirAttribute attr) {
  return static_cast<bool>(getAttr<AtomAttr>(attr));
}

MlirTypeID tmemAtomAttrGetTypeID(void) { return wrap(AtomAttr::getTypeID()); }

static MlirAttribute makeAtom(const Reporter &reporter, TMemAtomShape shape,
                              intptr_t numRepeats, const uint32_t *repeats,
                              TMemPacking packing) {
  if (!reporter.getContext())
    return MlirAttribute{nullptr};
  auto list = getList(numRepeats, repeats);
  if (!list || !isShape(shape) ||
      unsigned(packing) > unsigned(TMemPackingUnpack)) {
    reporter() << "expected "
               << (!list ? "a list of repetition counts, but got null"
                   : !isShape(shape) ? "a shape of an atom, but got none"
                                     : "a packing of an atom, but got none");
    return MlirAttribute{nullptr};
  }
  static_assert(sizeof(unsigned) == sizeof(uint32_t));
  return wrap(AtomAttr::getChecked(reporter, reporter.getContext(),
                                   AtomShape(shape), ArrayRef<unsigned>(*list),
                                   Packing(packing)));
}

MlirAttribute tmemAtomAttrGet(MlirContext context, TMemAtomShape shape,
                              intptr_t numRepeats, const uint32_t *repeats,
                              TMemPacking packing) {
  return makeAtom(Reporter(context), shape, numRepeats, repeats, packing);
}

MlirAttribute tmemAtomAttrGetChecked(MlirLocation location, TMemAtomShape shape,
                                     intptr_t numRepeats,
                                     const uint32_t *repeats,
                                     TMemPacking packing) {
  return makeAtom(Reporter(location), shape, numRepeats, repeats, packing);
}

TMemAtomShape tmemAtomAttrGetShape(MlirAttribute atom) {
  auto attr = getAttr<AtomAttr>(atom);
  return attr ? TMemAtomShape(attr.getShape()) : TMemAtomShapeNone;
}

TMemPacking tmemAtomAttrGetPacking(MlirAttribute atom) {
  auto attr = getAttr<AtomAttr>(atom);
  return attr ? TMemPacking(attr.getPacking()) : TMemPackingNone;
}

intptr_t tmemAtomAttrGetNumRepeats(MlirAttribute atom) {
  auto attr = getAttr<AtomAttr>(atom);
  return attr ? attr.getRepeats().size() : -1;
}

uint32_t tmemAtomAttrGetRepeat(MlirAttribute atom, intptr_t position) {
  auto attr = getAttr<AtomAttr>(atom);
  if (!attr || position < 0 || position >= intptr_t(attr.getRepeats().size()))
    return 0;
  return attr.getRepeats()[position];
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

static_assert(unsigned(TMemScopeCTA) == unsigned(ScopeKind::CTA));

bool tmemAttributeIsAScope(MlirAttribute attr) {
  return static_cast<bool>(getAttr<ScopeAttr>(attr));
}

MlirTypeID tmemScopeAttrGetTypeID(void) { return wrap(ScopeAttr::getTypeID()); }

static MlirAttribute makeScope(const Reporter &reporter, TMemScopeKind kind,
                               int64_t warp) {
  if (!reporter.getContext())
    return MlirAttribute{nullptr};
  if (unsigned(kind) >= unsigned(TMemScopeNone)) {
    reporter() << "expected warp, warpgroup or cta, but got none";
    return MlirAttribute{nullptr};
  }
  return wrap(ScopeAttr::getChecked(reporter, reporter.getContext(),
                                    ScopeKind(kind), warp));
}

MlirAttribute tmemScopeAttrGet(MlirContext context, TMemScopeKind kind,
                               int64_t warp) {
  return makeScope(Reporter(context), kind, warp);
}

MlirAttribute tmemScopeAttrGetChecked(MlirLocation location, TMemScopeKind kind,
                                      int64_t warp) {
  return makeScope(Reporter(location), kind, warp);
}

TMemScopeKind tmemScopeAttrGetKind(MlirAttribute scope) {
  auto attr = getAttr<ScopeAttr>(scope);
  return attr ? TMemScopeKind(attr.getKind()) : TMemScopeNone;
}

int64_t tmemScopeAttrGetWarp(MlirAttribute scope) {
  auto attr = getAttr<ScopeAttr>(scope);
  return attr ? attr.getWarp() : -1;
}

//===----------------------------------------------------------------------===//
// Fences
//===----------------------------------------------------------------------===//

bool tmemAttributeIsAFenceKind(MlirAttribute attr) {
  return static_cast<bool>(getAttr<FenceKindAttr>(attr));
}

MlirAttribute tmemFenceKindAttrGet(MlirContext context, bool isAfter) {
  Reporter reporter(context);
  if (!reporter.getContext())
    return MlirAttribute{nullptr};
  return wrap(FenceKindAttr::get(
      reporter.getContext(), isAfter ? FenceKind::After : FenceKind::Before));
}

int tmemFenceKindAttrIsAfter(MlirAttribute fenceKind) {
  auto attr = getAttr<FenceKindAttr>(fenceKind);
  return attr ? attr.getValue() == FenceKind::After : -1;
}
