//===- Canvas.cpp - SVG, element by element -------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Canvas.h"
#include "Names.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Format.h"

using namespace mlir::tmem::picture;

static constexpr llvm::StringLiteral replacement = "\xef\xbf\xbd";

/// The bytes of the character that a text starts with; 0 if it starts with none
/// that XML allows.
static size_t getCharacterSize(llvm::StringRef text) {
  unsigned char first = text.front();
  if (first < 0x80)
    return first >= 0x20 || first == '\t' || first == '\n' || first == '\r';
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  const auto *end = reinterpret_cast<const llvm::UTF8 *>(text.end());
  if (!llvm::isLegalUTF8Sequence(begin, end))
    return 0;
  bool isNoncharacter =
      text.starts_with("\xef\xbf\xbe") || text.starts_with("\xef\xbf\xbf");
  return isNoncharacter ? 0 : llvm::getNumBytesForUTF8(first);
}

std::string mlir::tmem::picture::escapeText(llvm::StringRef text) {
  std::string escaped;
  while (!text.empty()) {
    size_t size = getCharacterSize(text);
    llvm::StringRef character = text.take_front(std::max<size_t>(size, 1));
    text = text.drop_front(character.size());
    if (size == 0)
      escaped += replacement;
    else if (character == "&")
      escaped += "&amp;";
    else if (character == "<")
      escaped += "&lt;";
    else if (character == ">")
      escaped += "&gt;";
    else if (character == "\"")
      escaped += "&quot;";
    else if (character == "'")
      escaped += "&#39;";
    else
      escaped += character;
  }
  return escaped;
}

std::string mlir::tmem::picture::formatPixels(double pixels) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.2f", pixels);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.')
    text.pop_back();
  return text == "-0" ? "0" : text;
}

double mlir::tmem::picture::getTextWidth(llvm::StringRef text, double size) {
  return countCharacters(text) * size * 0.6;
}

static std::string at(llvm::StringRef name, double value) {
  return (" " + name + "=\"" + formatPixels(value) + "\"").str();
}

void Canvas::rect(const Box &box, llvm::StringRef attributes,
                  llvm::StringRef title) {
  stream << "<rect" << at("x", box.x) << at("y", box.y)
         << at("width", box.width) << at("height", box.height) << ' '
         << attributes;
  if (title.empty())
    stream << "/>\n";
  else
    stream << "><title>" << escapeText(title) << "</title></rect>\n";
}

void Canvas::image(const Box &box, llvm::StringRef style,
                   llvm::StringRef source) {
  stream << "<image" << at("x", box.x) << at("y", box.y)
         << at("width", box.width) << at("height", box.height) << " class=\""
         << style << "\" preserveAspectRatio=\"none\" href=\"" << source
         << "\"/>\n";
}

void Canvas::line(double x1, double y1, double x2, double y2,
                  llvm::StringRef attributes) {
  stream << "<line" << at("x1", x1) << at("y1", y1) << at("x2", x2)
         << at("y2", y2) << ' ' << attributes << "/>\n";
}

void Canvas::path(llvm::StringRef data, llvm::StringRef attributes) {
  stream << "<path d=\"" << data << "\" " << attributes << "/>\n";
}

void Canvas::text(double x, double y, llvm::StringRef text,
                  llvm::StringRef style, llvm::StringRef attributes) {
  stream << "<text" << at("x", x) << at("y", y);
  if (!style.empty())
    stream << " class=\"" << style << '"';
  if (!attributes.empty())
    stream << ' ' << attributes;
  stream << '>' << escapeText(text) << "</text>\n";
}

void Canvas::openGroup(llvm::StringRef attributes) {
  stream << "<g " << attributes << ">\n";
}

void Canvas::closeGroup() { stream << "</g>\n"; }
