//===- ParseLayout.h - Layouts from text, for tests -------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TEST_UNIT_LAYOUT_PARSELAYOUT_H
#define TMEM_TEST_UNIT_LAYOUT_PARSELAYOUT_H

#include "tmem/Layout/Layout.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <string>

namespace mlir::tmem::test {

/// Reads what Layout::print writes. No errors are expected in a test's text.
class LayoutReader {
public:
  explicit LayoutReader(llvm::StringRef text) : text(text) {}

  Layout read() {
    Layout layout;
    readList([&] { layout.modes.push_back({readInteger(), 0, Axis::TLane}); });
    expect(":");
    unsigned next = 0;
    readList([&] {
      readPlace([&](int64_t stride, Axis axis) {
        layout.modes[next].stride = stride;
        layout.modes[next++].axis = axis;
      });
    });
    if (skip("+"))
      readList([&] {
        readPlace([&](int64_t value, Axis axis) {
          layout.offsets.push_back({value, axis});
        });
      });
    if (skip("*"))
      readList([&] {
        int64_t count = readInteger();
        expect(":");
        readPlace([&](int64_t stride, Axis axis) {
          layout.replicas.push_back({count, stride, axis});
        });
      });
    return layout;
  }

private:
  bool skip(llvm::StringRef token) {
    text = text.ltrim();
    return text.consume_front(token);
  }
  void expect(llvm::StringRef token) {
    if (!skip(token))
      abort();
  }
  int64_t readInteger() {
    int64_t value = 0;
    text = text.ltrim();
    if (text.consumeInteger(10, value))
      abort();
    return value;
  }
  void readList(llvm::function_ref<void()> readItem) {
    expect("(");
    do
      readItem();
    while (skip(","));
    expect(")");
  }
  void readPlace(llvm::function_ref<void(int64_t, Axis)> use) {
    int64_t value = readInteger();
    expect("@");
    llvm::StringRef name = text.take_while(llvm::isAlpha);
    text = text.drop_front(name.size());
    use(value, *symbolizeAxis(name));
  }

  llvm::StringRef text;
};

inline Layout parseLayout(llvm::StringRef text) {
  return LayoutReader(text).read();
}

/// What a layout, or another value with `print`, prints.
template <typename T> std::string print(const T &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  value.print(os);
  return text;
}

} // namespace mlir::tmem::test

#endif // TMEM_TEST_UNIT_LAYOUT_PARSELAYOUT_H
