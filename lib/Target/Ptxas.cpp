//===- Ptxas.cpp - NVIDIA's PTX assembler ---------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Target/Ptxas.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace mlir::tmem;
using llvm::StringRef;

template <typename... Ts> static llvm::Error makeError(const Ts &...parts) {
  std::string message;
  llvm::raw_string_ostream os(message);
  (os << ... << parts);
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

//===----------------------------------------------------------------------===//
// Temporary files
//===----------------------------------------------------------------------===//

namespace {
/// A temporary file that goes when this does.
class TemporaryFile {
public:
  static llvm::Expected<TemporaryFile> create(StringRef suffix) {
    llvm::SmallString<128> path;
    if (std::error_code ec =
            llvm::sys::fs::createTemporaryFile("tmem", suffix, path))
      return makeError("cannot create a temporary file: ", ec.message());
    return TemporaryFile(path);
  }

  StringRef getPath() const { return path; }

  llvm::Error write(StringRef text) const {
    return llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
      os << text;
      return llvm::Error::success();
    });
  }

  llvm::Expected<std::string> read() const {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer)
      return makeError("cannot read '", path,
                       "': ", buffer.getError().message());
    return (*buffer)->getBuffer().str();
  }

private:
  explicit TemporaryFile(StringRef path)
      : path(path), remover(std::make_unique<llvm::FileRemover>(path)) {}

  std::string path;
  std::unique_ptr<llvm::FileRemover> remover;
};

struct RunResult {
  int status;
  std::string output; ///< Both streams.
};
} // namespace

/// Runs a program without a shell: arguments may have blanks.
static llvm::Expected<RunResult> runProgram(StringRef path,
                                            llvm::ArrayRef<std::string> args) {
  auto log = TemporaryFile::create("log");
  if (!log)
    return log.takeError();
  llvm::SmallVector<StringRef> argv{path};
  llvm::append_range(argv, args);
  std::optional<StringRef> redirects[] = {StringRef(), log->getPath(),
                                          log->getPath()};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(path, argv, std::nullopt, redirects,
                                         /*SecondsToWait=*/0,
                                         /*MemoryLimit=*/0, &message);
  if (status < 0)
    return makeError("running '", path, "' failed: ", message);
  llvm::Expected<std::string> output = log->read();
  if (!output)
    return output.takeError();
  return RunResult{status, std::move(*output)};
}

//===----------------------------------------------------------------------===//
// Finding ptxas
//===----------------------------------------------------------------------===//

namespace {
/// Looks at one place after the other and remembers where.
class Search {
public:
  /// Whether the place has an executable file.
  bool tryFile(StringRef file) {
    tried.push_back(file.str());
    return llvm::sys::fs::can_execute(file);
  }

  std::optional<std::string> tryToolkit(StringRef variable) {
    std::optional<std::string> root = llvm::sys::Process::GetEnv(variable);
    if (!root || root->empty())
      return std::nullopt;
    llvm::SmallString<128> file(*root);
    llvm::sys::path::append(file, "bin", "ptxas");
    if (tryFile(file))
      return file.str().str();
    return std::nullopt;
  }

  std::optional<std::string> tryPath() {
    tried.push_back("PATH");
    if (llvm::ErrorOr<std::string> file = llvm::sys::findProgramByName("ptxas"))
      return *file;
    return std::nullopt;
  }

  std::optional<std::string> tryAll(StringRef fallback) {
    for (StringRef variable : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"})
      if (std::optional<std::string> file = tryToolkit(variable))
        return file;
    if (std::optional<std::string> file = tryPath())
      return file;
    if (!fallback.empty() && tryFile(fallback))
      return fallback.str();
    return std::nullopt;
  }

  llvm::Error makeNotFound() const {
    return makeError("ptxas not found; searched ", llvm::join(tried, ", "),
                     "; install the CUDA Toolkit (13.0 or later) or set "
                     "TMEM_PTXAS");
  }

private:
  std::vector<std::string> tried;
};
} // namespace

llvm::Expected<Ptxas> Ptxas::find(StringRef path, StringRef fallback) {
  Search search;
  if (!path.empty()) {
    if (!search.tryFile(path))
      return search.makeNotFound();
    return open(path);
  }
  // A place that someone named is not silently replaced by another.
  std::optional<std::string> named = llvm::sys::Process::GetEnv("TMEM_PTXAS");
  if (named && !named->empty()) {
    if (!search.tryFile(*named))
      return search.makeNotFound();
    return open(*named);
  }
  if (std::optional<std::string> found = search.tryAll(fallback))
    return open(*found);
  return search.makeNotFound();
}

/// "Cuda compilation tools, release 13.0, V13.0.88"
static StringRef findVersion(StringRef output) {
  size_t release = output.find("release ");
  if (release == StringRef::npos)
    return {};
  StringRef line = output.drop_front(release).split('\n').first;
  return line.split(", V").second.trim();
}

llvm::Expected<Ptxas> Ptxas::open(StringRef path) {
  llvm::Expected<RunResult> result = runProgram(path, {"--version"});
  if (!result)
    return result.takeError();
  StringRef version = findVersion(result->output);
  if (result->status != 0 || version.empty())
    return makeError("expected '", path,
                     "' to be ptxas, but --version printed '",
                     StringRef(result->output).trim().take_front(200), "'");
  return Ptxas(path.str(), version.str());
}

/// The help lists the allowed values of --gpu-name, each in quotes.
llvm::Expected<std::vector<std::string>> Ptxas::getChips() const {
  llvm::Expected<RunResult> result = runProgram(path, {"--help"});
  if (!result)
    return result.takeError();
  StringRef help = result->output;
  help = help.split("--gpu-name").second.split("Default value").first;
  std::vector<std::string> chips;
  llvm::SmallVector<StringRef> pieces;
  help.split(pieces, '\'');
  for (StringRef piece : pieces)
    if (piece.starts_with("sm_"))
      chips.push_back(piece.str());
  if (chips.empty())
    return makeError("expected the help of '", path, "' to list chips");
  return chips;
}

llvm::Expected<bool> Ptxas::knowsChip(StringRef chip) const {
  auto chips = getChips();
  if (!chips)
    return chips.takeError();
  return llvm::is_contained(*chips, chip);
}

//===----------------------------------------------------------------------===//
// Assembling
//===----------------------------------------------------------------------===//

/// The message without the name of a file that is gone by then:
/// "ptxas /tmp/x.ptx, line 3; error : ..." becomes "ptxas line 3; error : ...".
static std::string removeFileName(StringRef message, StringRef file) {
  std::string result;
  while (!message.empty()) {
    auto [before, after] = message.split(file);
    result += before;
    after.consume_front(", ");
    message = after;
  }
  return result;
}

llvm::Expected<AssembledPTX>
Ptxas::assemble(StringRef ptx, StringRef chip, unsigned optLevel,
                llvm::ArrayRef<std::string> options) const {
  auto input = TemporaryFile::create("ptx");
  if (!input)
    return input.takeError();
  auto output = TemporaryFile::create("cubin");
  if (!output)
    return output.takeError();
  if (llvm::Error error = input->write(ptx))
    return error;

  std::vector<std::string> args{"-v", "-arch=" + chip.str(),
                                "-O" + std::to_string(optLevel)};
  llvm::append_range(args, options);
  args.insert(args.end(),
              {"-o", output->getPath().str(), input->getPath().str()});
  llvm::Expected<RunResult> result = runProgram(path, args);
  if (!result)
    return result.takeError();
  AssembledPTX assembled;
  assembled.log = removeFileName(result->output, input->getPath());
  if (result->status != 0)
    return makeError("ptxas ", version, " failed for ", chip, ":\n",
                     StringRef(assembled.log).rtrim());
  llvm::Expected<std::string> cubin = output->read();
  if (!cubin)
    return cubin.takeError();
  assembled.cubin = std::move(*cubin);
  assembled.kernels = parsePtxasLog(assembled.log);
  return assembled;
}
