//===- Types.cpp - Types of the tmem dialect in Python --------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem-c/Types.h"
#include "MLIRBindings.h"
#include "tmem-c/Layout.h"

using namespace tmem_python;

using DefaultingLocation = py::DefaultingPyLocation;

namespace {

//===----------------------------------------------------------------------===//
// !tmem.view
//===----------------------------------------------------------------------===//

struct ViewType : py::PyConcreteType<ViewType> {
  static constexpr IsAFunctionTy isaFunction = tmemTypeIsAView;
  static constexpr const char *pyClassName = "ViewType";
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      tmemViewTypeGetTypeID;
  using Base::Base;

  static ViewType get(const std::vector<Integer> &extents,
                      py::PyType &elementType, py::PyAttribute &layout,
                      DefaultingLocation loc) {
    std::vector<int64_t> shape;
    for (const Integer &extent : extents)
      shape.push_back(extent.read("shape"));
    auto type = getChecked<MlirType>(*loc.get(), "Invalid type", [&] {
      return tmemViewTypeGetChecked(loc->get(), shape.size(), shape.data(),
                                    elementType, layout);
    });
    return ViewType(loc->getContext(), type);
  }

  std::vector<int64_t> getShape() {
    std::vector<int64_t> shape;
    for (intptr_t i = 0, e = tmemViewTypeGetRank(*this); i < e; ++i)
      shape.push_back(tmemViewTypeGetDimSize(*this, i));
    return shape;
  }

  nb::typed<nb::object, py::PyAttribute> wrap(MlirAttribute attr) {
    return py::PyAttribute(getContext(), attr).maybeDownCast();
  }

  static void bindDerived(ClassTy &c) {
    c.def_static("get", &get, nb::arg("shape"), nb::arg("element_type"),
                 nb::arg("layout"), nb::arg("loc").none() = nb::none(),
                 "A tile in TMEM, by an attribute that stands for its layout.");
    c.def_prop_ro("shape", &ViewType::getShape);
    c.def_prop_ro("element_type", [](ViewType &self) {
      return py::PyType(self.getContext(), tmemViewTypeGetElementType(self))
          .maybeDownCast();
    });
    c.def_prop_ro(
        "layout",
        [](ViewType &self) { return self.wrap(tmemViewTypeGetLayout(self)); },
        "The layout as it is written.");
    c.def_prop_ro(
        "expanded_layout",
        [](ViewType &self) {
          return self.wrap(tmemViewTypeGetExpandedLayout(self));
        },
        "The #tmem.layout that it stands for.");
    c.def_prop_ro(
        "num_columns",
        [](ViewType &self) { return tmemViewTypeGetNumColumns(self); },
        "Cells from the base to one past the last.");
  }
};

//===----------------------------------------------------------------------===//
// !tmem.pending and !tmem.token
//===----------------------------------------------------------------------===//

struct PendingType : py::PyConcreteType<PendingType> {
  static constexpr IsAFunctionTy isaFunction = tmemTypeIsAPending;
  static constexpr const char *pyClassName = "PendingType";
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      tmemPendingTypeGetTypeID;
  using Base::Base;

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get",
        [](py::PyType &payload, DefaultingLocation loc) {
          auto type = getChecked<MlirType>(*loc.get(), "Invalid type", [&] {
            return tmemPendingTypeGetChecked(loc->get(), payload);
          });
          return PendingType(loc->getContext(), type);
        },
        nb::arg("payload"), nb::arg("loc").none() = nb::none(),
        "Loaded registers, a vector, before their wait.");
    c.def_prop_ro("payload", [](PendingType &self) {
      return py::PyType(self.getContext(), tmemPendingTypeGetPayload(self))
          .maybeDownCast();
    });
  }
};

struct TokenType : py::PyConcreteType<TokenType> {
  static constexpr IsAFunctionTy isaFunction = tmemTypeIsAToken;
  static constexpr const char *pyClassName = "TokenType";
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      tmemTokenTypeGetTypeID;
  using Base::Base;

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get",
        [](py::DefaultingPyMlirContext context) {
          return TokenType(context->getRef(),
                           tmemTokenTypeGet(context.get()->get()));
        },
        nb::arg("context").none() = nb::none(),
        "A store that has not been waited for.");
  }
};

} // namespace

void tmem_python::populateTypes(nb::module_ &m) {
  ViewType::bind(m);
  PendingType::bind(m);
  TokenType::bind(m);
}
