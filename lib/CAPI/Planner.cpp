//===- Planner.cpp - The transfer planner from C --------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem-c/Planner.h"
#include "Convert.h"
#include "tmem/Layout/RegisterInference.h"
#include "llvm/ADT/STLExtras.h"
#include <memory>
#include <string>
#include <vector>

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::capi;

namespace {

/// A transfer as the planner takes it; `memory` and the like are its own.
struct Request {
  MLIRContext *context = nullptr;
  SmallVector<Layout, 2> memory;
  SmallVector<int64_t, 4> shape;
  Type elementType;
  unsigned elementBits = 0;
  std::optional<RegisterTile> registers;
  Scope scope;
  unsigned numWarps = 4;
  Direction direction = Direction::Load;
  std::optional<Cell> split;

  Transfer getTransfer() const {
    return {direction, memory,      registers->layout,
            shape,     elementBits, registers->vectorSize,
            scope};
  }
};

/// Why something is refused, with the strings that it owns.
struct Rejection {
  std::optional<Rule> rule;
  std::string message;
  std::vector<int64_t> element;
};

/// A plan with the list of issues that C wants.
struct Plan {
  TransferPlan plan;
  TransferCost cost;
  std::vector<TMemIssue> issues;
};

struct PlanAnswer {
  std::unique_ptr<Plan> plan;
  Rejection rejection;
};

struct Candidate {
  Attribute atom, registers;
  int64_t vectorSize;
  std::unique_ptr<Plan> plan;
};

struct Reason {
  AtomShape shape;
  Packing packing;
  SelectionReason::Kind kind;
  Rejection rejection;
};

struct Explanation {
  std::optional<Rejection> error;
  std::vector<Candidate> candidates;
  std::vector<Reason> reasons;
};

} // namespace

//===----------------------------------------------------------------------===//
// Rejections
//===----------------------------------------------------------------------===//

/// The index of the element that a message names, "element (17, 0)". Messages
/// of rules about places all spell it so.
static std::vector<int64_t> findElement(StringRef message) {
  auto [before, after] = message.split("element (");
  SmallVector<StringRef, 4> fields;
  after.take_until([](char c) { return c == ')'; }).split(fields, ',');
  std::vector<int64_t> index;
  for (StringRef field : fields)
    if (field.trim().getAsInteger(10, index.emplace_back()))
      return {};
  return index;
}

static Rejection makeRejection(std::optional<Rule> rule, StringRef message) {
  return {rule, message.str(), findElement(message)};
}

static TMemRejection toC(const Rejection &rejection) {
  TMemRejection result = {};
  if (rejection.rule) {
    result.rule = wrap(getRuleId(*rejection.rule));
    result.ruleText = wrap(getRuleText(*rejection.rule));
  }
  result.message = wrap(StringRef(rejection.message));
  result.elementRank = rejection.element.size();
  result.element =
      rejection.element.empty() ? nullptr : rejection.element.data();
  return result;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

static std::unique_ptr<Plan> makePlan(TransferPlan &&plan,
                                      const TransferCost &cost) {
  auto result = std::make_unique<Plan>(Plan{std::move(plan), cost, {}});
  for (const Issue &issue : result->plan.issues)
    result->issues.push_back({issue.half, issue.repeat, issue.column,
                              intptr_t(issue.words.size()),
                              issue.words.data()});
  return result;
}

static TMemPlanInfo toC(const Plan &from) {
  const TransferPlan &plan = from.plan;
  TMemPlanInfo info = {};
  info.shape = TMemAtomShape(plan.shape);
  info.packing = TMemPacking(plan.packing);
  info.numIssues = from.issues.size();
  info.issues = from.issues.data();
  info.cost = {from.cost.issues, from.cost.moves, from.cost.registers};
  info.columnsPerWarpgroup = plan.columnsPerWarpgroup;
  info.splitLane = plan.split.lane;
  info.splitColumn = plan.split.column;
  info.splitImmediate = plan.getSplitImmediate();
  info.numWarps = plan.numWarps;
  info.vectorWords = plan.vectorWords;
  return info;
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

namespace {
/// Reads a transfer; true on failure.
class Reader {
public:
  bool read(const TMemTransfer *transfer);

  Request request;
  Rejection rejection;

private:
  bool fail(const Twine &message, std::optional<Rule> rule = std::nullopt) {
    rejection = makeRejection(rule, message.str());
    return true;
  }
  bool readViews(const TMemTransfer &transfer);
  bool readScope(const TMemTransfer &transfer);
  bool readWarps(const TMemTransfer &transfer);
  bool readRegisters(const TMemTransfer &transfer);
};
} // namespace

bool Reader::readViews(const TMemTransfer &transfer) {
  auto view = getType<ViewType>(transfer.view);
  if (!view)
    return fail("expected a !tmem.view, but got another type or null");
  request.context = view.getContext();
  request.memory.push_back(view.getExpandedLayout());
  request.shape.assign(view.getShape().begin(), view.getShape().end());
  request.elementType = view.getElementType();
  request.elementBits = view.getElementBits();
  if (mlirTypeIsNull(transfer.secondView))
    return transfer.splitImmediate != 0 &&
           fail("expected two views with an immediate of 16x32bx2, but got one",
                Rule::A4);
  auto second = getType<ViewType>(transfer.secondView);
  if (!second || second.getShape() != view.getShape() ||
      second.getElementType() != view.getElementType() ||
      second.getContext() != view.getContext())
    return fail("expected two views of one shape and element type");
  request.memory.push_back(second.getExpandedLayout());
  request.shape.insert(request.shape.begin(), 2);
  return false;
}

bool Reader::readScope(const TMemTransfer &transfer) {
  request.direction = transfer.isStore ? Direction::Store : Direction::Load;
  if (transfer.splitImmediate < 0 || transfer.splitImmediate > UINT32_MAX)
    return fail("expected an immediate of 32 bits, but got " +
                    Twine(transfer.splitImmediate),
                Rule::S2);
  if (transfer.splitImmediate != 0)
    request.split =
        Cell{transfer.splitImmediate >> 16, transfer.splitImmediate & 0xffff};
  if (mlirAttributeIsNull(transfer.scope))
    return false;
  auto scope = getAttr<ScopeAttr>(transfer.scope);
  if (!scope)
    return fail("expected a #tmem.scope, but got another attribute");
  request.scope = scope.getScope();
  return false;
}

/// What would be ignored is refused.
bool Reader::readWarps(const TMemTransfer &transfer) {
  if (transfer.numWarps == 0)
    return false;
  if (request.scope.kind != ScopeKind::CTA)
    return fail(
        Twine("expected the scope cta with a number of warps, but got ") +
        (request.scope.kind == ScopeKind::Warp ? "warp" : "warpgroup"));
  if (!mlirAttributeIsNull(transfer.registers))
    return fail("expected registers to be inferred with a number of warps, but "
                "got a layout");
  request.numWarps = transfer.numWarps;
  auto violation = verifyNumWarps(request.numWarps);
  return violation && fail(violation->message, violation->rule);
}

/// What is wrong with a layout of another dialect goes into our message.
static FailureOr<Layout> expandQuietly(LayoutAttrInterface attr,
                                       const Request &request,
                                       std::string &message) {
  ScopedDiagnosticHandler handler(request.context, [&](Diagnostic &diagnostic) {
    if (message.empty())
      message = diagnostic.str();
    return success();
  });
  Location loc = UnknownLoc::get(request.context);
  return expandLayout(attr, request.shape, request.elementType,
                      [&] { return emitError(loc); });
}

bool Reader::readRegisters(const TMemTransfer &transfer) {
  if (transfer.vectorSize < 0)
    return fail("expected a vector of at least one element, but got " +
                Twine(transfer.vectorSize));
  if (mlirAttributeIsNull(transfer.registers))
    return transfer.vectorSize != 0 &&
           fail("expected registers with the size of a vector, but got none");
  Layout layout;
  if (auto attr = getAttr<LayoutAttr>(transfer.registers)) {
    layout = attr.getLayout();
  } else {
    auto other = getAttr<LayoutAttrInterface>(transfer.registers);
    if (!other)
      return fail("expected a layout as registers, but got another attribute");
    std::string message;
    FailureOr<Layout> expanded = expandQuietly(other, request, message);
    if (failed(expanded))
      return fail(message);
    layout = std::move(*expanded);
  }
  if (!layout.isRegisterLayout())
    return fail("expected a register layout, but got the axes of a memory "
                "layout",
                Rule::L5);
  int64_t size = transfer.vectorSize;
  if (size == 0)
    size = layout.getRange(Axis::Reg).second + 1;
  request.registers = RegisterTile{std::move(layout), size};
  return false;
}

bool Reader::read(const TMemTransfer *transfer) {
  if (!transfer)
    return fail("expected a transfer, but got null");
  return readViews(*transfer) || readScope(*transfer) || readWarps(*transfer) ||
         readRegisters(*transfer);
}

//===----------------------------------------------------------------------===//
// One atom
//===----------------------------------------------------------------------===//

static PlanAnswer plan(const TMemTransfer *transfer, MlirAttribute atom) {
  Reader reader;
  if (reader.read(transfer))
    return {nullptr, std::move(reader.rejection)};
  const Request &request = reader.request;
  auto attr = getAttr<AtomAttr>(atom);
  if (!attr)
    return {nullptr, makeRejection(std::nullopt, "expected a #tmem.atom, but "
                                                 "got another attribute or "
                                                 "null")};
  if (!request.registers)
    return {nullptr,
            makeRejection(std::nullopt, "expected registers, but got null")};
  Atom wanted = attr.getAtom();
  wanted.split = request.split;
  PlanResult result = planTransfer(request.getTransfer(), wanted);
  if (auto *violation = std::get_if<Violation>(&result))
    return {nullptr, makeRejection(violation->rule, violation->message)};
  auto &found = std::get<TransferPlan>(result);
  TransferCost cost = getCost(found);
  return {makePlan(std::move(found), cost), {}};
}

TMemPlan tmemPlanCreate(const TMemTransfer *transfer, MlirAttribute atom) {
  return TMemPlan{new PlanAnswer(plan(transfer, atom))};
}

void tmemPlanDestroy(TMemPlan plan) {
  delete static_cast<PlanAnswer *>(plan.ptr);
}

bool tmemPlanIsLegal(TMemPlan plan) {
  return plan.ptr && static_cast<PlanAnswer *>(plan.ptr)->plan;
}

bool tmemPlanGetInfo(TMemPlan plan, TMemPlanInfo *info) {
  if (!info || !tmemPlanIsLegal(plan))
    return false;
  *info = toC(*static_cast<PlanAnswer *>(plan.ptr)->plan);
  return true;
}

bool tmemPlanGetRejection(TMemPlan plan, TMemRejection *rejection) {
  if (!plan.ptr || !rejection || tmemPlanIsLegal(plan))
    return false;
  *rejection = toC(static_cast<PlanAnswer *>(plan.ptr)->rejection);
  return true;
}

//===----------------------------------------------------------------------===//
// All atoms
//===----------------------------------------------------------------------===//

/// Reads the options into `result`, or says what is wrong with them.
static std::optional<Rejection> readOptions(const TMemSelectionOptions *options,
                                            SelectionOptions &result) {
  if (!options)
    return std::nullopt;
  if (options->maxRegistersPerIssue > maxIssueRegisters)
    return makeRejection(std::nullopt,
                         ("expected 1 to " + Twine(maxIssueRegisters) +
                          " registers, but got " +
                          Twine(options->maxRegistersPerIssue))
                             .str());
  if (options->maxRegistersPerIssue != 0)
    result.maxRegistersPerIssue = options->maxRegistersPerIssue;
  auto shapes = getList(options->numShapes, options->shapes);
  if (!shapes)
    return makeRejection(std::nullopt,
                         "expected a list of shapes, but got null");
  for (TMemAtomShape shape : *shapes) {
    if (unsigned(shape) >= unsigned(TMemAtomShapeNone))
      return makeRejection(std::nullopt,
                           "expected a shape of an atom, but got none");
    if (!llvm::is_contained(result.shapes, AtomShape(shape)))
      result.shapes.push_back(AtomShape(shape));
  }
  return std::nullopt;
}

static Candidate makeCandidate(MLIRContext *context,
                               const RegisterTile &registers,
                               SelectionCandidate &&choice) {
  const Atom &atom = choice.atom;
  return {AtomAttr::get(context, atom.shape, atom.repeats, atom.packing),
          LayoutAttr::get(context, registers.layout), registers.vectorSize,
          makePlan(std::move(choice.plan), choice.cost)};
}

static void addReasons(ArrayRef<SelectionReason> reasons,
                       Explanation &explanation) {
  for (const SelectionReason &reason : reasons)
    explanation.reasons.push_back({reason.shape, reason.packing, reason.kind,
                                   makeRejection(reason.rule, reason.message)});
}

static void explain(const Request &request, const SelectionOptions &options,
                    Explanation &explanation) {
  MLIRContext *context = request.context;
  if (request.registers) {
    SelectionResult result = selectAtom(request.getTransfer(), options);
    for (SelectionCandidate &choice : result.candidates)
      explanation.candidates.push_back(
          makeCandidate(context, *request.registers, std::move(choice)));
    return addReasons(result.reasons, explanation);
  }
  InferenceResult result =
      inferRegisterLayout({request.memory, request.shape, request.elementBits,
                           request.scope, request.numWarps, request.direction},
                          std::nullopt, options);
  for (InferredCandidate &inferred : result.candidates)
    explanation.candidates.push_back(
        makeCandidate(context, inferred.registers, std::move(inferred.choice)));
  addReasons(result.reasons, explanation);
}

TMemExplanation tmemExplain(const TMemTransfer *transfer,
                            const TMemSelectionOptions *options) {
  auto *explanation = new Explanation();
  Reader reader;
  SelectionOptions selection;
  if (reader.read(transfer))
    explanation->error = std::move(reader.rejection);
  else
    explanation->error = readOptions(options, selection);
  if (!explanation->error) {
    selection.split = reader.request.split;
    explain(reader.request, selection, *explanation);
  }
  return TMemExplanation{explanation};
}

static Explanation *unwrap(TMemExplanation explanation) {
  return static_cast<Explanation *>(explanation.ptr);
}

void tmemExplanationDestroy(TMemExplanation explanation) {
  delete unwrap(explanation);
}

bool tmemExplanationGetError(TMemExplanation explanation,
                             TMemRejection *rejection) {
  if (!explanation.ptr || !rejection || !unwrap(explanation)->error)
    return false;
  *rejection = toC(*unwrap(explanation)->error);
  return true;
}

intptr_t tmemExplanationGetNumCandidates(TMemExplanation explanation) {
  return explanation.ptr ? unwrap(explanation)->candidates.size() : 0;
}

bool tmemExplanationGetCandidate(TMemExplanation explanation, intptr_t position,
                                 TMemCandidate *candidate) {
  if (!candidate || position < 0 ||
      position >= tmemExplanationGetNumCandidates(explanation))
    return false;
  const Candidate &from = unwrap(explanation)->candidates[position];
  *candidate = {wrap(from.atom), wrap(from.registers), from.vectorSize,
                toC(*from.plan)};
  return true;
}

intptr_t tmemExplanationGetNumReasons(TMemExplanation explanation) {
  return explanation.ptr ? unwrap(explanation)->reasons.size() : 0;
}

bool tmemExplanationGetReason(TMemExplanation explanation, intptr_t position,
                              TMemReason *reason) {
  if (!reason || position < 0 ||
      position >= tmemExplanationGetNumReasons(explanation))
    return false;
  const Reason &from = unwrap(explanation)->reasons[position];
  *reason = {TMemAtomShape(from.shape), TMemPacking(from.packing),
             TMemReasonKind(from.kind), toC(from.rejection)};
  return true;
}
