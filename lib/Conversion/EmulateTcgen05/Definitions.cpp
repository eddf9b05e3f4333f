//===- Definitions.cpp - Constants of the compiled program ----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Definitions.h"
#include "Runtime.h"
#include "tmem/ExecutionEngine/Emulation.h"

using namespace mlir;
using namespace mlir::tmem::emulate;

Definitions::Definitions(SymbolTable &symbols, bool isHost)
    : symbols(symbols), builder(symbols.getOp()->getContext()),
      space(isHost ? GenericSpace : GlobalSpace) {}

/// By attributes: from other arguments, the builder would make a dictionary of
/// all attributes for each constant.
LLVM::GlobalOp Definitions::addGlobal(StringAttr name, Type type,
                                      Attribute value, unsigned alignment) {
  builder.setInsertionPointToEnd(&symbols.getOp()->getRegion(0).front());
  MLIRContext *context = builder.getContext();
  auto global = LLVM::GlobalOp::create(
      builder, builder.getUnknownLoc(), TypeAttr::get(type),
      /*constant=*/builder.getUnitAttr(), name,
      LLVM::LinkageAttr::get(context, LLVM::Linkage::Internal),
      /*dso_local=*/nullptr, /*thread_local_=*/nullptr,
      /*externally_initialized=*/nullptr, value,
      alignment ? builder.getI64IntegerAttr(alignment) : nullptr,
      builder.getI32IntegerAttr(space), /*unnamed_addr=*/nullptr,
      /*section=*/nullptr, /*comdat=*/nullptr, /*dbg_exprs=*/nullptr,
      /*visibility_=*/nullptr, /*target_specific_attrs=*/nullptr);
  symbols.insert(global);
  return global;
}

Definitions::Field Definitions::getString(StringRef text) {
  std::string &name = strings[text];
  if (name.empty()) {
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), text.size() + 1);
    Attribute bytes = builder.getStringAttr(Twine(text) + StringRef("\0", 1));
    name = addGlobal(builder.getStringAttr("__tmem_emu_string"), type, bytes,
                     /*alignment=*/0)
               .getSymName();
  }
  return getAddress(name);
}

Value Definitions::createField(const Field &field, Type type) {
  Location loc = builder.getUnknownLoc();
  if (field.kind == Field::Site)
    return LLVM::GEPOp::create(
        builder, loc, type, getSiteType(builder.getContext()),
        createField(getAddress(field.symbol), type),
        ArrayRef<LLVM::GEPArg>{int32_t(field.integers.front())},
        LLVM::GEPNoWrapFlags::inbounds);
  if (field.kind == Field::Address) {
    auto pointer = LLVM::LLVMPointerType::get(
        builder.getContext(),
        symbols.lookup<LLVM::GlobalOp>(field.symbol) ? space : 0);
    Value address =
        LLVM::AddressOfOp::create(builder, loc, pointer, field.symbol);
    return pointer == type
               ? address
               : LLVM::AddrSpaceCastOp::create(builder, loc, type, address);
  }
  auto array = dyn_cast<LLVM::LLVMArrayType>(type);
  if (!array)
    return LLVM::ConstantOp::create(
        builder, loc, type,
        builder.getIntegerAttr(type, field.integers.front()));
  auto shape =
      RankedTensorType::get(array.getNumElements(), array.getElementType());
  SmallVector<int32_t> values(field.integers.begin(), field.integers.end());
  return LLVM::ConstantOp::create(
      builder, loc, type,
      DenseElementsAttr::get(shape, ArrayRef<int32_t>(values)));
}

StringAttr Definitions::addStruct(StringAttr name, LLVM::LLVMStructType type,
                                  ArrayRef<Field> fields) {
  Location loc = builder.getUnknownLoc();
  LLVM::GlobalOp global = addGlobal(name, type, Attribute(), /*alignment=*/8);
  builder.createBlock(&global.getInitializerRegion());
  Value value = LLVM::UndefOp::create(builder, loc, type);
  for (auto [i, field] : llvm::enumerate(fields))
    value = LLVM::InsertValueOp::create(
        builder, loc, value, createField(field, type.getBody()[i]), int64_t(i));
  LLVM::ReturnOp::create(builder, loc, value);
  return global.getSymNameAttr();
}

/// The place in a file that a location is at, in the end: of code that was
/// inlined, where it was written.
static FileLineColRange findFile(Location loc) {
  if (auto file = dyn_cast<FileLineColRange>(loc))
    return file;
  if (auto name = dyn_cast<NameLoc>(loc))
    return findFile(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    FileLineColRange file = findFile(call.getCallee());
    return file ? file : findFile(call.getCaller());
  }
  if (auto opaque = dyn_cast<OpaqueLoc>(loc))
    return findFile(opaque.getFallbackLocation());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (FileLineColRange file = findFile(part))
        return file;
  return {};
}

namespace {
/// Sites as numbers, and their strings.
struct SiteTable {
  explicit SiteTable(ArrayRef<Site> sites);
  SmallVector<int32_t, 0> numbers;
  std::string text;

private:
  /// How far behind a site a string lies that is put behind all.
  int32_t getDistance(unsigned site, StringRef string);
  size_t numBytes; ///< Of all sites.
  llvm::StringMap<size_t> places;
};
} // namespace

SiteTable::SiteTable(ArrayRef<Site> sites)
    : numBytes(sites.size() * sizeof(TMemEmuSite)) {
  for (auto [i, site] : llvm::enumerate(sites)) {
    FileLineColRange file = findFile(site.loc);
    numbers.push_back(getDistance(i, site.op));
    if (file)
      numbers.append({getDistance(i, file.getFilename()),
                      int32_t(file.getStartLine()),
                      int32_t(file.getStartColumn())});
    else
      numbers.append({0, 0, 0});
  }
}

int32_t SiteTable::getDistance(unsigned site, StringRef string) {
  auto [it, isNew] = places.try_emplace(string, text.size());
  if (isNew)
    text.append(string).push_back('\0');
  return numBytes - site * sizeof(TMemEmuSite) + it->second;
}

void Definitions::addSites(StringAttr name, ArrayRef<Site> sites) {
  SiteTable table(sites);
  LLVM::LLVMArrayType site = getSiteType(builder.getContext());
  auto type = LLVM::LLVMStructType::getLiteral(
      builder.getContext(),
      {LLVM::LLVMArrayType::get(site, sites.size()),
       LLVM::LLVMArrayType::get(builder.getI8Type(), table.text.size())});
  auto shape = RankedTensorType::get(
      {int64_t(sites.size()), int64_t(site.getNumElements())},
      site.getElementType());
  auto numbers =
      DenseElementsAttr::get(shape, ArrayRef<int32_t>(table.numbers));
  addGlobal(name, type,
            builder.getArrayAttr({numbers, builder.getStringAttr(table.text)}),
            /*alignment=*/8);
}

void mlir::tmem::emulate::addDefinitions(ModuleState &state,
                                         SymbolTable &symbols) {
  Definitions definitions(symbols, state.isHost);
  if (!state.sites.empty())
    definitions.addSites(state.siteTable, state.sites);
  for (StringAttr name : state.calledFunctions)
    addFunction(definitions.getBuilder(), symbols, name);
  if (!state.isHost)
    for (StringAttr name : state.calledFunctions)
      symbols.lookup<LLVM::LLVMFuncOp>(name).setConvergent(true);
}
