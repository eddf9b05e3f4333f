//===- SVG.cpp - A picture as an SVG document -----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"
#include "tmem/Layout/Wording.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir::tmem;
using namespace mlir::tmem::picture;

//===----------------------------------------------------------------------===//
// Names of colours
//===----------------------------------------------------------------------===//

llvm::StringRef mlir::tmem::stringifyPictureColor(PictureColor color) {
  switch (color) {
  case PictureColor::Element:
    return "element";
  case PictureColor::Warp:
    return "warp";
  case PictureColor::Lane:
    return "lane";
  case PictureColor::Register:
    return "register";
  case PictureColor::Issue:
    return "issue";
  }
  llvm_unreachable("not a colour");
}

std::optional<PictureColor>
mlir::tmem::symbolizePictureColor(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<PictureColor>>(name)
      .Case("element", PictureColor::Element)
      .Case("warp", PictureColor::Warp)
      .Case("lane", PictureColor::Lane)
      .Case("register", PictureColor::Register)
      .Case("issue", PictureColor::Issue)
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// Words over the picture
//===----------------------------------------------------------------------===//

static std::string toString(const Layout &layout) {
  std::string text;
  llvm::raw_string_ostream os(text);
  layout.print(os);
  return text;
}

static std::string describeTile(const PictureRequest &request) {
  std::string text;
  for (int64_t extent : request.tileShape)
    text += std::to_string(extent) + "x";
  return text + (request.elementType.empty()
                     ? std::to_string(request.elementBits) + " bits"
                     : request.elementType);
}

static std::string describeScope(const Scope &scope) {
  switch (scope.kind) {
  case ScopeKind::Warp:
    return "warp " + std::to_string(scope.warp);
  case ScopeKind::Warpgroup:
    return "warpgroup";
  case ScopeKind::CTA:
    return "cta";
  }
  llvm_unreachable("not a scope");
}

static std::string getTitle(const Model &model) {
  const PictureRequest &request = model.request;
  if (!request.title.empty())
    return request.title;
  std::string tile = describeTile(request);
  if (!model.hasRegisters())
    return tile + " in Tensor Memory";
  if (!model.hasMemory())
    return tile + " in registers";
  return (request.direction == Direction::Load ? "load of " : "store of ") +
         tile + ", scope " + describeScope(request.scope);
}

static std::string describeRefusal(const PictureRequest &request) {
  if (request.reasons.empty())
    return "";
  bool isNarrowed = llvm::any_of(request.reasons, [](const auto &reason) {
    return reason.kind != SelectionReason::Kind::Illegal;
  });
  return isNarrowed ? "no instruction of those allowed moves this tile"
                    : "no instruction moves this tile";
}

static std::string getAnswer(const PictureRequest &request) {
  if (!request.chosen)
    return describeRefusal(request);
  const TransferCost &cost = request.chosen->cost;
  return describeAtom(request.chosen->atom) + ": " +
         describeCount(request.chosen->plan.issues.size(), "instruction") +
         " of each warp, " + describeCount(cost.moves, "register move") + ", " +
         describeCount(cost.registers, "register");
}

Headings mlir::tmem::picture::getHeadings(const Model &model) {
  const PictureRequest &request = model.request;
  Headings headings;
  headings.title = getTitle(model);
  headings.answer = getAnswer(request);
  for (const Layout &layout : request.memory)
    headings.layouts.push_back("memory " + toString(layout));
  if (request.registers)
    headings.layouts.push_back("registers " +
                               toString(request.registers->layout));
  return headings;
}

//===----------------------------------------------------------------------===//
// Style
//===----------------------------------------------------------------------===//

llvm::StringRef mlir::tmem::picture::getStyle() {
  // Every rule starts with the class of the root, since a document that shows
  // the picture inline shares its rules. Colours of dark surroundings come
  // last. A colour stands before its variable for programs that know no
  // variables.
  return R"(
.tmem-picture { --ink: #1f2328; --soft: #59636e; --page: #fff; --empty: #eceff2; --mark: #c1121f; --halo: #fff; }
.tmem-picture text { font: 13px system-ui, "DejaVu Sans", sans-serif; fill: #1f2328; fill: var(--ink); }
.tmem-picture .heading { font-size: 17px; font-weight: 600; }
.tmem-picture .title { font-size: 14px; font-weight: 600; }
.tmem-picture .note, .tmem-picture .tick { fill: #59636e; fill: var(--soft); }
.tmem-picture .tick { font-size: 11px; }
.tmem-picture .name { font-size: 12px; }
.tmem-picture .code { font: 12px ui-monospace, "DejaVu Sans Mono", monospace; }
.tmem-picture .middle { text-anchor: middle; }
.tmem-picture .end { text-anchor: end; }
.tmem-picture .on-light, .tmem-picture .on-dark { font-size: 11px; text-anchor: middle; pointer-events: none; fill: #000; }
.tmem-picture .on-dark { fill: #fff; }
.tmem-picture .small { font-size: 9px; }
.tmem-picture .page { fill: #fff; fill: var(--page); }
.tmem-picture .blocks rect { stroke: #fff; stroke: var(--page); stroke-width: .6; }
.tmem-picture .fine rect { stroke: none; }
.tmem-picture .blocks .empty { fill: #eceff2; fill: var(--empty); stroke: none; }
.tmem-picture .blocks .unknown { fill: #59636e; fill: var(--soft); }
.tmem-picture .blocks .titled { fill: none; stroke: none; pointer-events: all; }
.tmem-picture .pixels { image-rendering: pixelated; }
.tmem-picture .frame { fill: none; stroke: #59636e; stroke: var(--soft); pointer-events: none; }
.tmem-picture .outline { fill: none; stroke: #1f2328; stroke: var(--ink); stroke-width: 1.6; pointer-events: none; }
.tmem-picture .bracket, .tmem-picture .arrow { fill: none; stroke: #59636e; stroke: var(--soft); stroke-width: 1.3; }
.tmem-picture .head { fill: #59636e; fill: var(--soft); }
.tmem-picture .halo { fill: none; stroke: #fff; stroke: var(--halo); stroke-width: 5; stroke-opacity: .8; pointer-events: none; }
.tmem-picture .mark { fill: none; stroke: #c1121f; stroke: var(--mark); stroke-width: 1.8; pointer-events: none; }
.tmem-picture .filled { fill: #c1121f; fill: var(--mark); fill-opacity: .55; }
.tmem-picture .wanted { stroke-dasharray: 4 3; }
.tmem-picture .badge { fill: #c1121f; fill: var(--mark); stroke: #fff; stroke: var(--halo); pointer-events: none; }
.tmem-picture .number { font-size: 11px; font-weight: 600; text-anchor: middle; fill: #fff; fill: var(--halo); pointer-events: none; }
.tmem-picture .wrong { fill: #c1121f; fill: var(--mark); font-weight: 600; }
@media (prefers-color-scheme: dark) {
.tmem-picture { --ink: #f0f6fc; --soft: #9198a1; --page: #0d1117; --empty: #21262d; --mark: #ff7b72; --halo: #0d1117; }
}
)";
}

//===----------------------------------------------------------------------===//
// The document
//===----------------------------------------------------------------------===//

namespace {
/// Draws from top to bottom, and knows its size at the end.
class Document {
public:
  explicit Document(const Model &model) : model(model), scene(model, margin) {
    width = std::max(scene.width, 640.0);
  }

  std::string draw(const Coloring &coloring);
  const Scene &getScene() const { return scene; }

private:
  static constexpr double margin = 24;

  void drawHeadings();
  void drawReason(const SelectionReason &reason);
  /// Lines as long as the picture is wide.
  void drawText(llvm::StringRef text, llvm::StringRef style, double size);
  std::string finish();

  const Model &model;
  Scene scene;
  Canvas canvas;
  double width;
  double y = 16;
};
} // namespace

void Document::drawText(llvm::StringRef text, llvm::StringRef style,
                        double size) {
  size_t length = (width - 2 * margin) / (size * 0.6);
  for (const std::string &line : wrapText(text, length)) {
    y += size + 6;
    canvas.text(margin, y, line, style);
  }
}

void Document::drawHeadings() {
  Headings headings = getHeadings(model);
  drawText(headings.title, "heading", 17);
  drawText(headings.answer, model.request.chosen ? "" : "wrong", 13);
  for (const std::string &layout : headings.layouts)
    drawText(layout, "code note", 12);
}

void Document::drawReason(const SelectionReason &reason) {
  drawMisfit(scene, reason, canvas);
  std::string text =
      describeAtom({reason.shape, {}, reason.packing}) + ": " + reason.message;
  if (reason.rule)
    text += " [" + getRuleId(*reason.rule).str() + "]";
  drawText(text, "wrong", 13);
  drawText(describeMarks(model, reason), "", 13);
}

std::string Document::draw(const Coloring &coloring) {
  drawHeadings();
  scene.top = y + 78;
  scene.tile.y = scene.top;
  drawLegend(scene, coloring, canvas);
  drawAxes(scene, canvas);
  drawBlocks(scene, coloring, /*hasTitles=*/true, canvas);
  bool hasOutlines = coloring.color != PictureColor::Issue;
  y = std::max(drawIssues(scene, hasOutlines, canvas),
               getLegendBottom(scene, coloring));
  const SelectionReason *reason = findMarked(model.request);
  if (reason && !model.request.chosen)
    drawReason(*reason);
  drawMarked(scene, coloring.color, canvas);
  drawText(describeMarked(model), "wrong", 13);
  return finish();
}

std::string Document::finish() {
  std::string w = formatPixels(width), h = formatPixels(y + margin);
  std::string title = escapeText(getTitle(model));
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tmem-picture\" "
         "width=\"" +
         w + "\" height=\"" + h + "\" viewBox=\"0 0 " + w + " " + h +
         "\" role=\"img\" aria-label=\"" + title + "\">\n<title>" + title +
         "</title>\n<style>" + getStyle().str() +
         "</style>\n<rect class=\"page\" width=\"" + w + "\" height=\"" + h +
         "\"/>\n" + canvas.take() + "</svg>\n";
}

PictureResult mlir::tmem::renderSVG(const PictureRequest &request) {
  Model model(request);
  if (auto error = build(model))
    return *error;
  Document document(model);
  return document.draw(Coloring::choose(document.getScene(), request.color));
}
