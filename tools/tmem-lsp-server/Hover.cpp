//===- Hover.cpp - What an editor shows of tiles and transfers ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hover.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "tmem/IR/KernelUtils.h"
#include "tmem/IR/TMemOps.h"
#include "tmem/Layout/LayoutAlgebra.h"
#include "tmem/Layout/RegisterInference.h"
#include "tmem/Layout/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tmem;

//===----------------------------------------------------------------------===//
// Pictures and plans
//===----------------------------------------------------------------------===//

/// A picture of at most 16 lines and fields.
static void printLayout(const Layout &layout, ArrayRef<int64_t> shape,
                        raw_ostream &os) {
  ShapedLayout tile;
  tile.shape.assign(shape.begin(), shape.end());
  tile.layout = layout;
  os << "\n```\n";
  layout.print(os);
  os << "\n\n";
  for (int64_t block : {1, 4, 16, 32}) {
    std::string picture;
    llvm::raw_string_ostream stream(picture);
    if (!printPicture(tile, stream, block) ||
        StringRef(picture).count('\n') > 17 ||
        StringRef(picture).split('\n').first.size() > 100)
      continue;
    os << picture;
    break;
  }
  os << "```\n";
}

static void printView(ViewType view, raw_ostream &os) {
  // Numbers over the picture are those of the layout, in elements.
  unsigned bits = view.getElementBits(), cell = 32;
  os << "\n**" << Type(view) << "**: " << view.getNumColumns()
     << " columns; the first element of each block, by lane and ";
  if (bits == cell)
    os << "column\n";
  else if (bits < cell)
    os << "tcol, " << cell / bits << " to a column\n";
  else
    os << "tcol, each " << bits / cell << " columns\n";
  printLayout(view.getExpandedLayout(), view.getShape(), os);
}

/// A layout that an alias names has no shape but its extents.
static void printAlias(Attribute attr, raw_ostream &os) {
  auto layout = dyn_cast<LayoutAttr>(attr);
  if (!layout)
    return;
  SmallVector<int64_t> shape;
  for (const Mode &mode : layout.getModes())
    shape.push_back(mode.extent);
  printLayout(layout.getLayout(), shape, os);
}

static void printPlan(const TransferPlan &plan, raw_ostream &os) {
  TransferCost cost = getCost(plan);
  os << "\n**plan**: " << describeCount(cost.issues, "issue") << ", "
     << cost.moves << " register moves, " << cost.registers << " registers\n\n";
  for (const Issue &issue : plan.issues) {
    os << "- " << stringifyAtomShape(plan.shape) << ".x" << issue.repeat
       << " at half " << issue.half << ", column " << issue.column
       << ", registers " << describeRuns(issue.words) << "\n";
  }
}

/// What tmem-select-atoms would choose, were this the only transfer.
static void printChoice(TransferOpInterface op, raw_ostream &os) {
  SmallVector<Layout, 2> memory;
  for (Value view : op.getViews())
    memory.push_back(cast<ViewType>(view.getType()).getExpandedLayout());
  auto view = cast<ViewType>(op.getViews().front().getType());
  SmallVector<int64_t, 4> shape = op.getTileShape();
  int64_t size = op.getVectorType().getDimSize(0);
  Scope scope = op.getScope().getScope();
  unsigned numWarps = scope.kind == ScopeKind::CTA ? getNumWarpsOfCTA(op) : 4;
  InferenceResult result =
      inferRegisterLayout({memory, shape, view.getElementBits(), scope,
                           numWarps, op.getDirection()});
  for (const InferredCandidate &candidate : result.candidates) {
    if (candidate.registers.vectorSize != size)
      continue;
    os << "\n**to be chosen**: " << describeAtom(candidate.choice.atom) << "\n";
    return printPlan(candidate.choice.plan, os);
  }
}

static void printTransfer(TransferOpInterface op, raw_ostream &os) {
  if (op.isSelected()) {
    if (auto *plan = std::get_if<TransferPlan>(&op.getPlan()))
      printPlan(*plan, os);
  } else if (!op.getRegistersAttr()) {
    printChoice(op, os);
  }
  for (Value view : op.getViews())
    printView(cast<ViewType>(view.getType()), os);
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

/// The document with every part but that of a line blank: editors show files
/// that `// -----` splits.
static std::string getPart(StringRef document, unsigned line) {
  SmallVector<StringRef> lines;
  document.split(lines, '\n');
  auto isMark = [](StringRef text) { return text.starts_with("// -----"); };
  size_t begin = 0, end = lines.size();
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!isMark(lines[i]))
      continue;
    if (i <= line)
      begin = i + 1;
    else
      end = std::min(end, i);
  }
  std::string part;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i >= begin && i < end)
      part += lines[i];
    part += '\n';
  }
  return part;
}

/// The byte of a position, if there is one.
static std::optional<size_t> findOffset(StringRef text, unsigned line,
                                        unsigned character) {
  size_t begin = 0;
  for (; line != 0; --line) {
    begin = text.find('\n', begin);
    if (begin++ == StringRef::npos)
      return std::nullopt;
  }
  size_t end = text.find('\n', begin);
  if (begin + character > std::min(end, text.size()))
    return std::nullopt;
  return begin + character;
}

static bool contains(SMRange range, SMLoc loc) {
  return range.isValid() && range.Start.getPointer() <= loc.getPointer() &&
         loc.getPointer() < range.End.getPointer();
}

static bool contains(const AsmParserState::SMDefinition &definition,
                     SMLoc loc) {
  return contains(definition.loc, loc) ||
         llvm::any_of(definition.uses,
                      [&](SMRange use) { return contains(use, loc); });
}

static void printOperation(Operation *op, raw_ostream &os) {
  if (auto transfer = dyn_cast<TransferOpInterface>(op))
    return printTransfer(transfer, os);
  for (Type type : op->getResultTypes())
    if (auto view = dyn_cast<ViewType>(type))
      printView(view, os);
}

static void print(const AsmParserState &state, SMLoc loc, raw_ostream &os) {
  for (const auto &op : state.getOpDefs()) {
    bool isHere = contains(op.loc, loc);
    for (const auto &group : op.resultGroups)
      isHere |= contains(group.definition, loc);
    if (isHere)
      return printOperation(op.op, os);
  }
  for (const auto &alias : state.getAttributeAliasDefs())
    if (alias.value && contains(alias.definition, loc))
      return printAlias(alias.value, os);
  for (const auto &alias : state.getTypeAliasDefs())
    if (auto view = dyn_cast_if_present<ViewType>(alias.value))
      if (contains(alias.definition, loc))
        return printView(view, os);
}

std::string mlir::tmem::lsp::getHoverText(const DialectRegistry &registry,
                                          StringRef document, unsigned line,
                                          unsigned character) {
  std::string text = getPart(document, line);
  std::optional<size_t> offset = findOffset(text, line, character);
  if (!offset)
    return "";
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  // What is wrong with the document the server says.
  ScopedDiagnosticHandler quiet(&context,
                                [](Diagnostic &) { return success(); });
  llvm::SourceMgr sources;
  auto buffer = llvm::MemoryBuffer::getMemBuffer(text);
  SMLoc loc = SMLoc::getFromPointer(buffer->getBufferStart() + *offset);
  sources.AddNewSourceBuffer(std::move(buffer), SMLoc());
  AsmParserState state;
  Block block;
  if (failed(
          parseAsmSourceFile(sources, &block, ParserConfig(&context), &state)))
    return "";
  std::string result;
  llvm::raw_string_ostream os(result);
  print(state, loc, os);
  return result;
}
