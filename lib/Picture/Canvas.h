//===- Canvas.h - SVG, element by element -----------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_PICTURE_CANVAS_H
#define TMEM_LIB_PICTURE_CANVAS_H

#include "Scene.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::tmem::picture {

/// Text for HTML and XML, in elements and in attributes: what XML 1.0 does not
/// allow becomes U+FFFD, bytes that are no UTF-8 too.
std::string escapeText(llvm::StringRef text);

/// A number of pixels with at most two decimals: "3", "3.5".
std::string formatPixels(double pixels);

/// How wide a text is, about.
double getTextWidth(llvm::StringRef text, double size);

/// Writes elements of an SVG document, one on each line.
class Canvas {
public:
  /// `attributes` is raw text, such as `class="frame"`.
  void rect(const Box &box, llvm::StringRef attributes,
            llvm::StringRef title = "");
  /// An image, stretched to the box; `source` is its address.
  void image(const Box &box, llvm::StringRef style, llvm::StringRef source);
  void line(double x1, double y1, double x2, double y2,
            llvm::StringRef attributes);
  void path(llvm::StringRef data, llvm::StringRef attributes);
  /// Escapes the text; `style` is a list of classes.
  void text(double x, double y, llvm::StringRef text,
            llvm::StringRef style = "", llvm::StringRef attributes = "");
  void openGroup(llvm::StringRef attributes);
  void closeGroup();
  void raw(llvm::StringRef xml) { stream << xml; }

  std::string take() { return std::move(content); }

private:
  std::string content;
  llvm::raw_string_ostream stream{content};
};

} // namespace mlir::tmem::picture

#endif // TMEM_LIB_PICTURE_CANVAS_H
