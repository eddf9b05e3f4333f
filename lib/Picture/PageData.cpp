//===- PageData.cpp - What the script of a page knows ---------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PageData.h"
#include "llvm/Support/JSON.h"

using namespace mlir::tmem;
using namespace mlir::tmem::picture;
using llvm::json::OStream;

std::string mlir::tmem::picture::getInstruction(const PictureRequest &request,
                                                const Issue &issue) {
  const TransferPlan &plan = request.chosen->plan;
  std::string name =
      request.direction == Direction::Load ? "tcgen05.ld" : "tcgen05.st";
  name += ".sync.aligned." + stringifyAtomShape(plan.shape).str() + ".x" +
          std::to_string(issue.repeat);
  if (plan.packing != Packing::None)
    name += "." + stringifyPacking(plan.packing).str() + "::16b";
  return name + ".b32";
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// A step of a layout in lines and units of a side's table.
static std::pair<int64_t, int64_t> getStep(Axis axis, int64_t stride,
                                           int64_t unitsPerElement) {
  switch (axis) {
  case Axis::TLane:
  case Axis::Lane:
  case Axis::Tid:
    return {stride, 0};
  case Axis::Warp:
    return {stride * warpSize, 0};
  case Axis::TCol:
  case Axis::Reg:
    return {0, stride * unitsPerElement};
  }
  llvm_unreachable("not an axis");
}

static void writePair(OStream &json, std::pair<int64_t, int64_t> pair) {
  json.array([&] {
    json.value(pair.first);
    json.value(pair.second);
  });
}

/// Where the first element of a layout is.
static std::pair<int64_t, int64_t> getOrigin(const Layout &layout,
                                             int64_t unitsPerElement) {
  std::pair<int64_t, int64_t> sum;
  Coordinates place = layout.getCoordinates(0);
  for (unsigned i = 0; i < numAxes; ++i) {
    auto [line, at] = getStep(Axis(i), place[i], unitsPerElement);
    sum.first += line;
    sum.second += at;
  }
  return sum;
}

/// Digits, each as its extent and its step.
static void writeModes(OStream &json, llvm::StringRef name,
                       llvm::ArrayRef<Mode> modes, int64_t unitsPerElement) {
  json.attributeArray(name, [&] {
    for (const Mode &mode : modes) {
      auto [line, at] = getStep(mode.axis, mode.stride, unitsPerElement);
      json.array([&, line = line, at = at] {
        json.value(mode.extent);
        json.value(line);
        json.value(at);
      });
    }
  });
}

static void writeLayout(OStream &json, const detail::Piece &piece,
                        int64_t unitsPerElement) {
  json.object([&] {
    json.attribute("first", piece.firstUnit / unitsPerElement);
    writeModes(json, "modes", piece.layout.modes, unitsPerElement);
    writeModes(json, "replicas", piece.layout.replicas, unitsPerElement);
    json.attributeBegin("offset");
    writePair(json, getOrigin(piece.layout, unitsPerElement));
    json.attributeEnd();
  });
}

static void writeLayouts(OStream &json, const Model &model) {
  const TransferTables &tables = model.tables;
  json.attributeArray("memory", [&] {
    for (const detail::Piece &piece : tables.pieces)
      writeLayout(json, piece, tables.unitsPerElement);
  });
  json.attributeArray("registers", [&] {
    if (model.hasRegisters())
      writeLayout(json, tables.registerPiece, tables.unitsPerElement);
  });
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

static void writeCell(OStream &json, Cell cell) {
  writePair(json, {cell.lane, cell.column});
}

static void writeIssue(OStream &json, const PictureRequest &request,
                       const Issue &issue) {
  const TransferPlan &plan = request.chosen->plan;
  json.object([&] {
    json.attribute("name", getInstruction(request, issue));
    json.attributeArray("words", [&] {
      for (unsigned word : issue.words)
        json.value(word);
    });
    json.attributeArray("cells", [&] {
      for (size_t word = 0; word < issue.words.size(); ++word)
        writeCell(json, Cell{16 * issue.half, issue.column} +
                            getWordCell(plan.shape, plan.packing, word));
    });
  });
}

static void writePlan(OStream &json, const Model &model) {
  const TransferPlan *plan = model.getPlan();
  json.attribute("columnsPerWarpgroup", plan ? plan->columnsPerWarpgroup : 0);
  json.attribute("halves", plan && plan->packing != Packing::None ? 2 : 1);
  json.attributeArray("lanes", [&] {
    for (unsigned lane = 0; plan && lane < warpSize; ++lane) {
      bool isSecond = plan->shape == AtomShape::S16x32bx2 && lane >= 16;
      writeCell(json, getLaneCell(plan->shape, plan->packing, lane) +
                          (isSecond ? plan->split : Cell()));
    }
  });
  json.attributeArray("issues", [&] {
    if (plan)
      for (const Issue &issue : plan->issues)
        writeIssue(json, model.request, issue);
  });
}

//===----------------------------------------------------------------------===//
// Geometry
//===----------------------------------------------------------------------===//

static void writePanel(OStream &json, const Panel &panel) {
  json.object([&] {
    json.attribute("side", int(panel.side));
    json.attribute("warpgroup", panel.warpgroup);
    json.attribute("x", panel.x);
    json.attribute("unitWidth", panel.unitWidth);
    json.attribute("first", panel.firstUnit);
    json.attribute("end", panel.endUnit);
  });
}

static void writeGeometry(OStream &json, const Scene &scene) {
  json.attribute("top", scene.top);
  json.attribute("lineHeight", scene.lineHeight);
  json.attribute("slabGap", Scene::slabGap);
  json.attribute("firstSlab", scene.model.firstSlab);
  json.attribute("endSlab", scene.model.endSlab);
  json.attributeArray("panels", [&] {
    for (const Panel &panel : scene.panels)
      writePanel(json, panel);
  });
  json.attributeObject("tile", [&] {
    json.attribute("x", scene.tile.x);
    json.attribute("y", scene.tile.y);
    json.attribute("width", scene.tile.width);
    json.attribute("height", scene.tile.height);
  });
}

static void writeSizes(OStream &json, const Model &model) {
  const TransferTables &tables = model.tables;
  json.attribute("elements", tables.numElements);
  json.attributeArray("shape", [&] {
    for (int64_t extent : model.request.tileShape)
      json.value(extent);
  });
  json.attribute("parts", tables.unitsPerWord);
  json.attribute("unitsPerElement", tables.unitsPerElement);
  json.attribute("columns", tables.columns);
  json.attribute("words", tables.words);
  json.attribute("warps", tables.numWarps);
  json.attribute("firstWarpSlab", tables.firstSlab);
}

/// "<" would end or comment out the script.
static std::string escapeScript(llvm::StringRef text) {
  std::string escaped;
  for (char c : text)
    if (c == '<')
      escaped += "\\u003c";
    else
      escaped += c;
  return escaped;
}

std::string mlir::tmem::picture::getPageData(const Scene &scene) {
  std::string text;
  llvm::raw_string_ostream os(text);
  OStream json(os);
  json.object([&] {
    json.attribute("color", stringifyPictureColor(scene.model.request.color));
    json.attribute("summary", "Point at a square, or go to it with the arrow "
                              "keys, to see what it holds and where it goes.");
    // As Page.js counts: none is -1.
    json.attribute("marked", scene.model.getMarkedUnit());
    writeSizes(json, scene.model);
    writeLayouts(json, scene.model);
    writePlan(json, scene.model);
    writeGeometry(json, scene);
  });
  return escapeScript(text);
}
