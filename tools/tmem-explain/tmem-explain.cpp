//===- tmem-explain.cpp - Which instructions move a tile, and why ---------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Explain/Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::tmem;
using namespace mlir::tmem::explain;
namespace cl = llvm::cl;

namespace {
cl::OptionCategory category("tmem-explain options");

template <typename T> struct Option : cl::opt<T> {
  template <typename... Mods>
  Option(llvm::StringRef name, llvm::StringRef value,
         llvm::StringRef description, const Mods &...mods)
      : cl::opt<T>(name, cl::desc(description), cl::value_desc(value),
                   cl::cat(category), mods...) {}
};

Option<std::string>
    memory("memory", "LAYOUT",
           "Where the tile is in TMEM: "
           "'(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)', "
           "'#tmem.layout<...>' or '#tmem.datapath<...>', or in "
           "other notations, 'cute:(64,64):(65536,1)' or "
           "'linear:{row = [[1, 0], ...], col = ...}'");
Option<std::string>
    secondMemory("second-memory", "LAYOUT",
                 "Where the second half of the tile is, in a split transfer");
Option<std::string> datapath("datapath", "LETTER",
                             "The tile is the accumulator of a data path, A "
                             "to G, instead of --memory");
Option<unsigned> half("half", "N",
                      "The half of the slabs for data paths C and F (0)");
Option<std::string> tile("tile", "TILE", "The tile, such as 64x128xf32");
Option<std::string> registers("registers", "LAYOUT",
                              "Where the tile is in registers: '(64, 2, 64) : "
                              "(1@tid, 64@tid, 1@reg)', "
                              "'cute:((64,2),64):((1,4096),64)' or "
                              "'linear:{register = [[0, 1], ...], lane = ..., "
                              "warp = ...}'; inferred by default");
Option<unsigned> vectorSize("vector-size", "N",
                            "Elements of a thread's vector, with --registers "
                            "(as many as the layout has slots)");
Option<std::string> scope("scope", "SCOPE",
                          "warpgroup (default), cta or warp N");
Option<unsigned> warps("warps", "N",
                       "Warps of a CTA, where registers are inferred (4)");
Option<std::string> direction("direction", "DIRECTION",
                              "load (default) or store");
Option<std::string> atoms("atoms", "SHAPES",
                          "The only shapes to choose from: 32x32b,16x256b; or "
                          "the atom, with its counts: 32x32b,x64,x32");
Option<unsigned> maxRegisters("max-registers-per-issue", "N",
                              "The most registers of one instruction (128)",
                              cl::init(maxIssueRegisters));

enum class Format { Text, JSON, SVG, HTML };
Option<Format>
    format("format", "FORMAT", "How to print the answer",
           cl::values(clEnumValN(Format::Text, "text", "for people (default)"),
                      clEnumValN(Format::JSON, "json", "for programs"),
                      clEnumValN(Format::SVG, "svg", "a picture"),
                      clEnumValN(Format::HTML, "html", "a page to explore")),
           cl::init(Format::Text));
enum class Shown { Transfer, Memory, Registers };
Option<Shown> show("show", "WHAT", "What is in a picture",
                   cl::values(clEnumValN(Shown::Transfer, "transfer",
                                         "the transfer (default)"),
                              clEnumValN(Shown::Memory, "memory",
                                         "the memory layout alone"),
                              clEnumValN(Shown::Registers, "registers",
                                         "the register layout alone")),
                   cl::init(Shown::Transfer));
Option<std::string> colorBy("color-by", "WHAT",
                            "What colours of a picture stand for: element "
                            "(default), warp, lane, register or issue",
                            cl::init("element"));

Option<std::string> mark("mark", "INDEX",
                         "An element to point at in a picture: 8,70");

/// What the tool exits with.
enum Status { Found = 0, NothingLegal = 1, BadInput = 2 };
} // namespace

static constexpr char overview[] =
    "Chooses the tcgen05.ld or tcgen05.st instructions that move a tile\n"
    "between Tensor Memory and registers, and says why each other shape was\n"
    "not chosen. Exit status: 0 found, 1 nothing is legal, 2 bad input.";

/// The line with the error, and a mark under it. Bytes that do not print take
/// one column each.
static void printCaret(llvm::StringRef text, size_t position) {
  llvm::errs() << "  ";
  for (char c : text)
    llvm::errs() << (llvm::isPrint(c) ? c : ' ');
  llvm::errs() << "\n  ";
  llvm::errs().indent(position) << "^\n";
}

static void printError(const RequestError &error) {
  llvm::raw_ostream &os = llvm::WithColor::error(llvm::errs(), "tmem-explain");
  if (!error.option.empty())
    os << "--" << error.option << ": ";
  os << error.message << '\n';
  if (error.position)
    printCaret(error.text, *error.position);
  if (error.rule)
    llvm::WithColor::note(llvm::errs())
        << "rule " << getRuleId(*error.rule) << ": " << getRuleText(*error.rule)
        << '\n';
}

/// A text that was given and is blank would be taken for one left out.
static bool rejectBlankTexts() {
  for (const Option<std::string> *option :
       {&memory, &secondMemory, &datapath, &tile, &registers, &scope,
        &direction, &atoms, &colorBy, &mark}) {
    bool isBlank = llvm::StringRef(option->getValue()).trim().empty();
    if (option->getNumOccurrences() == 0 || !isBlank)
      continue;
    printError({option->ArgStr.str(), "expected a value, but got none"});
    return true;
  }
  return false;
}

static bool isPicture() {
  return format == Format::SVG || format == Format::HTML;
}

/// What only pictures have would be ignored without one.
static bool rejectPictureOptions() {
  if (isPicture())
    return false;
  llvm::StringRef option = show != Shown::Transfer           ? "show"
                           : colorBy.getNumOccurrences() > 0 ? "color-by"
                           : mark.getNumOccurrences() > 0    ? "mark"
                                                             : "";
  if (option.empty())
    return false;
  printError({option.str(), "expected --format=svg or html with this option"});
  return true;
}

static std::optional<unsigned> getIfGiven(const Option<unsigned> &option) {
  return option.getNumOccurrences() ? std::optional<unsigned>(option)
                                    : std::nullopt;
}

/// The numbers of --mark; true on failure.
static bool readMark(llvm::SmallVectorImpl<int64_t> &marked) {
  llvm::SmallVector<llvm::StringRef, 4> parts;
  if (!mark.empty())
    llvm::StringRef(mark).split(parts, ',');
  for (llvm::StringRef part : parts)
    if (part.trim().getAsInteger(10, marked.emplace_back())) {
      printError({"mark", "expected numbers such as 8,70, but got " + mark});
      return true;
    }
  return false;
}

/// What is wrong with a transfer, its message says.
static llvm::StringRef getOption(PictureError::Part part) {
  switch (part) {
  case PictureError::Part::Transfer:
    return "";
  case PictureError::Part::Color:
    return "color-by";
  case PictureError::Part::Marked:
    return "mark";
  }
  llvm_unreachable("not a part of a request");
}

/// Prints the picture, or the reason that there is none.
static bool printPicture(const Request &asked, const Report &report) {
  PictureRequest request = makePicture(asked, report);
  if (show == Shown::Memory)
    request.registers.reset();
  if (show == Shown::Registers)
    request.memory.clear();
  auto color = symbolizePictureColor(colorBy);
  if (!color) {
    printError({"color-by", "expected element, warp, lane, register or issue, "
                            "but got " +
                                colorBy});
    return false;
  }
  request.color = *color;
  if (readMark(request.marked))
    return false;
  PictureResult result =
      format == Format::SVG ? renderSVG(request) : renderHTML(request);
  if (auto *error = std::get_if<PictureError>(&result)) {
    printError({getOption(error->part).str(), error->message, error->rule});
    return false;
  }
  llvm::outs() << std::get<std::string>(result);
  return true;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &llvm::errs()))
    return BadInput;
  if (rejectBlankTexts())
    return BadInput;
  if (rejectPictureOptions())
    return BadInput;
  auto request = readRequest({memory, secondMemory, datapath, tile, registers,
                              scope, direction, atoms, getIfGiven(half),
                              getIfGiven(warps), getIfGiven(vectorSize),
                              maxRegisters, show == Shown::Registers});
  if (auto *error = std::get_if<RequestError>(&request)) {
    printError(*error);
    return BadInput;
  }
  const Request &asked = std::get<Request>(request);
  if (show != Shown::Transfer)
    return printPicture(asked, {asked.registers, std::nullopt, {}}) ? Found
                                                                    : BadInput;
  Report report = makeReport(asked);
  if (isPicture() && !printPicture(asked, report))
    return BadInput;
  if (format == Format::JSON)
    printJSON(asked, report, llvm::outs());
  if (format == Format::Text)
    printText(asked, report, llvm::outs());
  return report.chosen ? Found : NothingLegal;
}
