//===- HTML.cpp - A picture as an HTML document ---------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"
#include "PageData.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tmem;
using namespace mlir::tmem::picture;

namespace mlir::tmem::picture {
// Page.css and Page.js.
extern const char pageStyle[];
extern const char pageScript[];
} // namespace mlir::tmem::picture

static constexpr PictureColor allColors[] = {
    PictureColor::Element, PictureColor::Warp, PictureColor::Lane,
    PictureColor::Register, PictureColor::Issue};

namespace {
/// Writes the page from top to bottom.
class Page {
public:
  explicit Page(const Model &model)
      : model(model), request(model.request), scene(model, 24), os(content) {
    scene.top = 78;
    scene.tile.y = scene.top;
  }

  std::string write();

private:
  void writeHead();
  void writeHeader();
  void writeControls();
  void writeColors();
  void writeSteps();
  void writePicture();
  std::string drawLayers();
  std::string drawMisfits();
  void writeTotals();
  void writeIssues();
  void writeReasons();
  void writeReason(llvm::ArrayRef<const SelectionReason *> group);

  bool namesPlaces(const SelectionReason &reason) const {
    return reason.misfit && (reason.misfit->cell || reason.misfit->slot ||
                             reason.misfit->expected);
  }

  const Model &model;
  const PictureRequest &request;
  Scene scene;
  std::string content;
  llvm::raw_string_ostream os;
};
} // namespace

//===----------------------------------------------------------------------===//
// Head
//===----------------------------------------------------------------------===//

void Page::writeHead() {
  os << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
        "charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width\">\n<title>"
     << escapeText(getHeadings(model).title) << "</title>\n<style>" << pageStyle
     << getStyle() << "</style>\n</head>\n<body>\n";
}

void Page::writeHeader() {
  Headings headings = getHeadings(model);
  os << "<header>\n<h1>" << escapeText(headings.title) << "</h1>\n";
  if (!headings.answer.empty())
    os << "<p" << (request.chosen ? "" : " class=\"refused\"") << '>'
       << escapeText(headings.answer) << "</p>\n";
  for (const std::string &layout : headings.layouts)
    os << "<p class=\"layouts\"><code>" << escapeText(layout)
       << "</code></p>\n";
  os << "</header>\n";
}

//===----------------------------------------------------------------------===//
// Controls
//===----------------------------------------------------------------------===//

void Page::writeColors() {
  os << "<fieldset>\n<legend>Colour by</legend>\n";
  for (PictureColor color : allColors) {
    if (!model.isColored(color))
      continue;
    llvm::StringRef name = stringifyPictureColor(color);
    os << "<label><input type=\"radio\" name=\"color\" value=\"" << name << '"'
       << (color == request.color ? " checked" : "") << "> " << name
       << "</label>\n";
  }
  os << "</fieldset>\n";
}

void Page::writeSteps() {
  if (!request.chosen)
    return;
  os << "<fieldset>\n<legend>Step</legend>\n"
        "<button type=\"button\" id=\"previous\" aria-label=\"previous "
        "instruction\">◀</button>\n"
        "<input type=\"range\" id=\"step\" aria-label=\"instruction\" "
        "aria-describedby=\"step-text\" min=\"-1\" max=\""
     << int64_t(request.chosen->plan.issues.size()) - 1
     << "\" value=\"-1\">\n"
        "<button type=\"button\" id=\"next\" aria-label=\"next "
        "instruction\">▶</button>\n"
        "<output id=\"step-text\" for=\"step\">all</output>\n</fieldset>\n";
}

void Page::writeControls() {
  os << "<div class=\"controls\">\n";
  writeColors();
  writeSteps();
  os << "</div>\n";
}

//===----------------------------------------------------------------------===//
// The picture
//===----------------------------------------------------------------------===//

std::string Page::drawLayers() {
  Canvas canvas;
  for (PictureColor color : allColors) {
    if (!model.isColored(color))
      continue;
    Coloring coloring = Coloring::choose(scene, color);
    canvas.openGroup(
        "class=\"layer" + std::string(color == request.color ? " shown" : "") +
        "\" data-color=\"" + stringifyPictureColor(color).str() + "\"");
    drawLegend(scene, coloring, canvas);
    drawBlocks(scene, coloring, /*hasTitles=*/false, canvas);
    canvas.closeGroup();
  }
  return canvas.take();
}

/// The places of each reason that names some; of a refused transfer those of
/// the first are shown from the start.
std::string Page::drawMisfits() {
  Canvas canvas;
  const SelectionReason *marked =
      request.chosen ? nullptr : findMarked(request);
  for (const auto &group : groupReasons(request.reasons)) {
    const SelectionReason &reason = *group.front();
    size_t index = &reason - request.reasons.begin();
    if (!namesPlaces(reason))
      continue;
    canvas.openGroup("class=\"misfit" +
                     std::string(&reason == marked ? " shown" : "") +
                     "\" data-reason=\"" + std::to_string(index) + "\"");
    drawMisfit(scene, reason, canvas);
    canvas.closeGroup();
  }
  return canvas.take();
}

void Page::writePicture() {
  Canvas canvas;
  drawAxes(scene, canvas);
  double bottom = drawIssues(scene, /*hasOutlines=*/true, canvas);
  for (PictureColor color : allColors)
    if (model.isColored(color))
      bottom = std::max(bottom,
                        getLegendBottom(scene, Coloring::choose(scene, color)));
  std::string w = formatPixels(scene.width), h = formatPixels(bottom + 10);
  os << "<figure>\n<svg id=\"picture\" class=\"tmem-picture\" width=\"" << w
     << "\" height=\"" << h << "\" viewBox=\"0 0 " << w << ' ' << h
     << "\" tabindex=\"0\" role=\"application\" aria-label=\"squares of the "
        "picture\" aria-describedby=\"help\">\n"
     << drawLayers() << canvas.take() << drawMisfits()
     << "<g id=\"overlay\"></g>\n</svg>\n</figure>\n"
     << "<div id=\"details\" role=\"status\" aria-live=\"polite\"></div>\n"
        "<p class=\"hint\" id=\"help\">Tab to the picture, then <kbd>←</kbd> "
        "<kbd>→</kbd> <kbd>↑</kbd> <kbd>↓</kbd> <kbd>Page Up</kbd> <kbd>Page "
        "Down</kbd> <kbd>Home</kbd> <kbd>End</kbd> move, <kbd>Enter</kbd> goes "
        "to the other side, <kbd>n</kbd> and <kbd>p</kbd> step, "
        "<kbd>Esc</kbd> lets go.</p>\n";
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

void Page::writeTotals() {
  const SelectionCandidate &chosen = *request.chosen;
  auto write = [&](llvm::StringRef what, int64_t count) {
    os << "<div><dt>" << what << "</dt><dd>" << count << "</dd></div>\n";
  };
  int64_t words = 0;
  for (const Issue &issue : chosen.plan.issues)
    words += issue.words.size();
  os << "<dl class=\"totals\">\n";
  write("instructions of each warp", chosen.plan.issues.size());
  write("instructions of the hardware", chosen.cost.issues);
  write("register moves", chosen.cost.moves);
  write("registers of each thread", chosen.cost.registers);
  write("warps", chosen.plan.numWarps);
  write("bytes", words * 4 * warpSize * chosen.plan.numWarps);
  os << "</dl>\n";
}

void Page::writeIssues() {
  if (!request.chosen)
    return;
  os << "<section>\n<h2>Instructions of each warp</h2>\n";
  writeTotals();
  os << "<table>\n<thead><tr><th>issue</th><th>instruction</th><th>half of "
        "the slab</th><th>column</th><th>registers</th></tr></thead>\n<tbody>"
        "\n";
  for (auto [index, issue] : llvm::enumerate(request.chosen->plan.issues)) {
    NumberSet words;
    for (unsigned word : issue.words)
      words.insert(word);
    words.close();
    os << "<tr id=\"issue-" << index
       << "\"><td><button type=\"button\" data-step=\"" << index
       << "\" aria-label=\"show issue " << index << "\">" << index
       << "</button></td><td class=\"code\">" << getInstruction(request, issue)
       << "</td><td>" << issue.half << "</td><td>" << issue.column
       << "</td><td>" << words.describe() << "</td></tr>\n";
  }
  os << "</tbody>\n</table>\n</section>\n";
}

void Page::writeReason(llvm::ArrayRef<const SelectionReason *> group) {
  const SelectionReason &reason = *group.front();
  size_t number = &reason - request.reasons.begin();
  os << "<li><code>" << escapeText(describeAtoms(group, request.reasons.size()))
     << "</code>: " << escapeText(reason.message);
  if (reason.rule)
    os << " <span class=\"rule\" title=\""
       << escapeText(getRuleText(*reason.rule)) << "\">["
       << getRuleId(*reason.rule) << "]</span>";
  if (namesPlaces(reason)) {
    bool isShown = !request.chosen && &reason == findMarked(request);
    os << " <button type=\"button\" data-mark=\"" << number
       << "\" aria-pressed=\"" << (isShown ? "true" : "false")
       << "\">show</button>";
    os << " <span class=\"marks\">" << escapeText(describeMarks(model, reason))
       << "</span>";
  }
  os << "</li>\n";
}

void Page::writeReasons() {
  if (request.reasons.empty())
    return;
  os << "<section>\n<h2>Not chosen</h2>\n<ul class=\"reasons\">\n";
  for (const auto &group : groupReasons(request.reasons))
    writeReason(group);
  os << "</ul>\n</section>\n";
}

std::string Page::write() {
  writeHead();
  writeHeader();
  os << "<main>\n";
  writeControls();
  writePicture();
  writeIssues();
  writeReasons();
  os << "</main>\n<script type=\"application/json\" id=\"data\">"
     << getPageData(scene) << "</script>\n<script>" << pageScript
     << "</script>\n</body>\n</html>\n";
  return std::move(content);
}

PictureResult mlir::tmem::renderHTML(const PictureRequest &request) {
  Model model(request);
  if (auto error = build(model))
    return *error;
  return Page(model).write();
}
