//===- Issues.cpp - What each instruction of a picture moves --------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"
#include "tmem/Layout/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include <set>
#include <tuple>

using namespace mlir::tmem;
using namespace mlir::tmem::picture;

/// Outlines are drawn up to here, and brackets.
static constexpr size_t maxOutlines = 400;
static constexpr size_t maxBrackets = 40;
static constexpr double levelHeight = 20;

/// The blocks of issues. Those that only squares without elements are between
/// become one.
static std::vector<Block> findIssues(const Scene &scene, const Panel &panel) {
  std::vector<Block> issues;
  bool isAfterGap = false;
  for (const Block &block :
       findBlocks(scene, panel, Coloring{PictureColor::Issue})) {
    if (block.key < 0) {
      isAfterGap = true;
      continue;
    }
    if (isAfterGap && !issues.empty() && issues.back().key == block.key &&
        issues.back().firstLine == block.firstLine &&
        issues.back().endLine == block.endLine)
      issues.back().endUnit = block.endUnit;
    else
      issues.push_back(block);
    isAfterGap = false;
  }
  return issues;
}

static void drawOutlines(const Scene &scene, const Panel &panel,
                         llvm::ArrayRef<Block> blocks, Canvas &canvas) {
  canvas.openGroup("class=\"outlines\"");
  for (const Block &block : blocks)
    canvas.rect(scene.getBox(panel, block.firstLine, block.endLine,
                             block.firstUnit, block.endUnit),
                "class=\"outline\"");
  canvas.closeGroup();
}

//===----------------------------------------------------------------------===//
// Brackets
//===----------------------------------------------------------------------===//

namespace {
/// What an issue moves of a line, from one position to another.
struct Span {
  int64_t issue, firstUnit, endUnit;

  bool operator<(const Span &other) const {
    return std::tie(issue, firstUnit, endUnit) <
           std::tie(other.issue, other.firstUnit, other.endUnit);
  }
};
} // namespace

static void drawBracket(const Scene &scene, const Panel &panel,
                        const Span &span, double y, Canvas &canvas) {
  double left = panel.getX(span.firstUnit) + 1;
  double right = panel.getX(span.endUnit) - 1;
  canvas.path("M" + formatPixels(left) + " " + formatPixels(y) + "v5H" +
                  formatPixels(right) + "v-5",
              "class=\"bracket\"");
  std::string number = std::to_string(span.issue), name = "issue " + number;
  const Issue &issue = scene.model.getPlan()->issues[span.issue];
  std::string half = ", half " + std::to_string(issue.half) + " of the slab";
  bool isHalf = panel.side == Side::Memory &&
                getNativeImage(scene.model.getPlan()->shape).rows == 16;
  for (const std::string &text : {name + (isHalf ? half : ""), name, number})
    if (getTextWidth(text, 11) <= right - left)
      return canvas.text((left + right) / 2, y + 17, text, "tick middle");
}

/// Under the grid, beside each other as far as they do not overlap. Returns how
/// far down they reach.
static double drawBrackets(const Scene &scene, const Panel &panel,
                           llvm::ArrayRef<Block> blocks, Canvas &canvas) {
  double y = scene.getBottom() + 5;
  std::set<Span> spans;
  for (const Block &block : blocks)
    spans.insert({block.key, block.firstUnit, block.endUnit});
  if (spans.size() > maxBrackets) {
    canvas.text(panel.x, y + 14,
                describeCount(scene.model.getPlan()->issues.size(), "issue"),
                "tick");
    return y + levelHeight;
  }
  // Where the brackets of each level end.
  llvm::SmallVector<int64_t, 4> levels;
  for (const Span &span : spans) {
    auto *level = llvm::find_if(
        levels, [&](int64_t end) { return end <= span.firstUnit; });
    if (level == levels.end())
      level = levels.insert(levels.end(), 0);
    *level = span.endUnit;
    drawBracket(scene, panel, span, y + (level - levels.begin()) * levelHeight,
                canvas);
  }
  return y + levels.size() * levelHeight;
}

double mlir::tmem::picture::drawIssues(const Scene &scene, bool hasOutlines,
                                       Canvas &canvas) {
  double bottom = scene.getBottom();
  const TransferPlan *plan = scene.model.getPlan();
  if (!plan)
    return bottom;
  for (const Panel &panel : scene.panels) {
    std::vector<Block> blocks = findIssues(scene, panel);
    if (hasOutlines && plan->issues.size() > 1 && blocks.size() <= maxOutlines)
      drawOutlines(scene, panel, blocks, canvas);
    bottom = std::max(bottom, drawBrackets(scene, panel, blocks, canvas));
  }
  return bottom;
}
