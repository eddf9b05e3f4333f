//===- Attributes.cpp - Attributes of the tmem dialect in Python ----------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem-c/Attributes.h"
#include "MLIRBindings.h"
#include "mlir-c/Diagnostics.h"
#include "tmem-c/Layout.h"

using namespace tmem_python;

using DefaultingLocation = py::DefaultingPyLocation;

/// An attribute by what it holds, or by its whole text.
static MlirAttribute parse(py::PyLocation &loc, const char *mnemonic,
                           const std::string &text) {
  std::string attr = text;
  if (text.empty() || text[0] != '#')
    attr = std::string("#tmem.") + mnemonic + "<" + text + ">";
  // Also where the context has not loaded the dialect yet.
  mlirContextGetOrLoadDialect(loc.getContext()->get(),
                              mlirStringRefCreateFromCString("tmem"));
  return getChecked<MlirAttribute>(loc, "Invalid attribute", [&] {
    return mlirAttributeParseGet(loc.getContext()->get(),
                                 mlirStringRefCreate(attr.data(), attr.size()));
  });
}

template <typename Attribute>
static Attribute getByText(py::PyLocation &loc, const std::string &text) {
  MlirAttribute attr = parse(loc, Attribute::mnemonic, text);
  if (!Attribute::isaFunction(attr))
    throw nb::value_error(("expected an attribute #tmem." +
                           std::string(Attribute::mnemonic) + ", but got " +
                           text)
                              .c_str());
  return Attribute(loc.getContext(), attr);
}

/// `get(text, loc=None)`.
template <typename Attribute>
static void bindGet(nb::class_<Attribute, py::PyAttribute> &c,
                    const char *doc) {
  c.def_static(
      "get",
      [](const std::string &text, DefaultingLocation loc) {
        return getByText<Attribute>(*loc.get(), text);
      },
      nb::arg("text"), nb::arg("loc").none() = nb::none(), doc);
}

namespace {

struct LayoutAttribute : py::PyConcreteAttribute<LayoutAttribute> {
  static constexpr IsAFunctionTy isaFunction = tmemAttributeIsALayout;
  static constexpr const char *pyClassName = "LayoutAttr";
  static constexpr const char *mnemonic = "layout";
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      tmemLayoutAttrGetTypeID;
  using Base::Base;

  /// Without `#tmem.layout<...>`.
  std::string getText() {
    std::string text;
    tmemLayoutPrint(
        *this,
        [](MlirStringRef part, void *to) {
          static_cast<std::string *>(to)->append(part.data, part.length);
        },
        &text);
    return text;
  }

  static void bindDerived(ClassTy &c) {
    bindGet<LayoutAttribute>(
        c, "#tmem.layout by what it holds, or by its whole text.");
    c.def_prop_ro("text", &LayoutAttribute::getText,
                  "What it holds, as tmem.Layout takes it.");
  }
};

struct DatapathAttribute : py::PyConcreteAttribute<DatapathAttribute> {
  static constexpr IsAFunctionTy isaFunction = tmemAttributeIsADatapath;
  static constexpr const char *pyClassName = "DatapathAttr";
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      tmemDatapathAttrGetTypeID;
  using Base::Base;

  static DatapathAttribute get(const std::string &letter, const Integer &half,
                               DefaultingLocation loc) {
    int64_t number = half.read("half");
    auto attr = getChecked<MlirAttribute>(*loc.get(), "Invalid attribute", [&] {
      if (letter.size() == 1)
        return tmemDatapathAttrGetChecked(loc->get(), letter[0], number);
      std::string message =
          "expected a datapath from A to G, but got '" + letter + "'";
      mlirEmitError(loc->get(), message.c_str());
      return mlirAttributeGetNull();
    });
    return DatapathAttribute(loc->getContext(), attr);
  }

  static void bindDerived(ClassTy &c) {
    c.def_static("get", &get, nb::arg("letter"), nb::arg("half") = 0,
                 nb::arg("loc").none() = nb::none(),
                 "#tmem.datapath by its letter, A to G.");
    c.def_prop_ro("letter", [](DatapathAttribute &self) {
      return std::string(1, tmemDatapathAttrGetLetter(self));
    });
    c.def_prop_ro("half", [](DatapathAttribute &self) {
      return tmemDatapathAttrGetHalf(self);
    });
  }
};

struct AtomAttribute : py::PyConcreteAttribute<AtomAttribute> {
  static constexpr IsAFunctionTy isaFunction = tmemAttributeIsAAtom;
  static constexpr const char *pyClassName = "AtomAttr";
  static constexpr const char *mnemonic = "atom";
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      tmemAtomAttrGetTypeID;
  using Base::Base;

  static std::optional<std::string> getPacking(AtomAttribute &self) {
    switch (tmemAtomAttrGetPacking(self)) {
    case TMemPackingNone:
      return std::nullopt;
    case TMemPackingPack:
      return "pack";
    case TMemPackingUnpack:
      return "unpack";
    }
    return std::nullopt;
  }

  static void bindDerived(ClassTy &c) {
    bindGet<AtomAttribute>(c, "#tmem.atom of '32x32b, x64' and the like.");
    c.def_prop_ro("shape", [](AtomAttribute &self) {
      return std::string(tmemAtomShapeToString(tmemAtomAttrGetShape(self)));
    });
    c.def_prop_ro("repeats", [](AtomAttribute &self) {
      std::vector<uint32_t> repeats;
      for (intptr_t i = 0, e = tmemAtomAttrGetNumRepeats(self); i < e; ++i)
        repeats.push_back(tmemAtomAttrGetRepeat(self, i));
      return repeats;
    });
    c.def_prop_ro("packing", &getPacking, "'pack', 'unpack' or None.");
  }
};

struct ScopeAttribute : py::PyConcreteAttribute<ScopeAttribute> {
  static constexpr IsAFunctionTy isaFunction = tmemAttributeIsAScope;
  static constexpr const char *pyClassName = "ScopeAttr";
  static constexpr const char *mnemonic = "scope";
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      tmemScopeAttrGetTypeID;
  using Base::Base;

  /// As tmem.plan takes it.
  static std::string getText(ScopeAttribute &self) {
    switch (tmemScopeAttrGetKind(self)) {
    case TMemScopeWarp:
      return "warp " + std::to_string(tmemScopeAttrGetWarp(self));
    case TMemScopeWarpgroup:
      return "warpgroup";
    default:
      return "cta";
    }
  }

  static void bindDerived(ClassTy &c) {
    bindGet<ScopeAttribute>(c,
                            "#tmem.scope of 'warpgroup', 'cta' or 'warp 2'.");
    c.def_prop_ro("text", &getText, "What it holds, as tmem.plan takes it.");
  }
};

} // namespace

void tmem_python::populateAttributes(nb::module_ &m) {
  LayoutAttribute::bind(m);
  DatapathAttribute::bind(m);
  AtomAttribute::bind(m);
  ScopeAttribute::bind(m);
}
