//===- Documents.cpp - What an editor has open, and its positions ---------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Documents.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tmem::lsp;
using llvm::StringRef;
namespace json = llvm::json;

static bool isContinuation(char byte) { return (byte & 0xc0) == 0x80; }

/// UTF-16 code units of the character that begins with a byte: two beyond the
/// basic plane, which is where UTF-8 has four bytes.
static int64_t countUnits(char byte) {
  return isContinuation(byte) ? 0 : (byte & 0xf8) == 0xf0 ? 2 : 1;
}

Document::Document(std::string source) : text(std::move(source)) {
  ascii = llvm::all_of(text, [](char byte) { return (byte & 0x80) == 0; });
  lines.push_back(0);
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n')
      lines.push_back(i + 1);
}

StringRef Document::getLine(int64_t line) const {
  if (line < 0 || line >= int64_t(lines.size()))
    return "";
  size_t end =
      line + 1 < int64_t(lines.size()) ? lines[line + 1] - 1 : text.size();
  return StringRef(text).slice(lines[line], end);
}

int64_t Document::toBytes(int64_t line, int64_t units) const {
  StringRef code = getLine(line);
  for (size_t i = 0; i < code.size(); ++i) {
    if (isContinuation(code[i]))
      continue;
    if (units < countUnits(code[i]))
      return i;
    units -= countUnits(code[i]);
  }
  return code.size() + units;
}

int64_t Document::toUnits(int64_t line, int64_t bytes) const {
  StringRef code = getLine(line);
  int64_t units = 0, end = std::min<int64_t>(bytes, code.size());
  for (int64_t i = 0; i < end; ++i)
    units += countUnits(code[i]);
  return units + std::max<int64_t>(bytes - end, 0);
}

static const Document *find(const DocumentMap &documents, StringRef uri) {
  auto it = documents.find(uri);
  return it == documents.end() ? nullptr : it->second.get();
}

/// Whose positions an object has, where it says so.
static const Document *findNamed(const json::Object &object,
                                 const DocumentMap &documents,
                                 const Document *document) {
  if (const json::Object *named = object.getObject("textDocument"))
    return findNamed(*named, documents, document);
  if (std::optional<StringRef> uri = object.getString("uri"))
    return find(documents, *uri);
  return document;
}

static void convertPosition(json::Object &object, const Document &document,
                            Columns columns) {
  std::optional<int64_t> line = object.getInteger("line");
  std::optional<int64_t> character = object.getInteger("character");
  if (line && character && object.size() == 2)
    object["character"] = columns == Columns::ToBytes
                              ? document.toBytes(*line, *character)
                              : document.toUnits(*line, *character);
}

void mlir::tmem::lsp::convertPositions(json::Value &message,
                                       const DocumentMap &documents,
                                       const Document *document,
                                       Columns columns) {
  if (json::Array *array = message.getAsArray()) {
    for (json::Value &element : *array)
      convertPositions(element, documents, document, columns);
    return;
  }
  json::Object *object = message.getAsObject();
  if (!object)
    return;
  document = findNamed(*object, documents, document);
  if (document && !document->isASCII())
    convertPosition(*object, *document, columns);
  for (auto &[key, value] : *object) {
    // Edits stand under the URI of what they change.
    auto it = documents.find(StringRef(key));
    convertPositions(value, documents,
                     it == documents.end() ? document : it->second.get(),
                     columns);
  }
}
