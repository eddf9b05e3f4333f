//===- Programs.cpp - Compiling and running in Python ---------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MLIRBindings.h"
#include "mlir-c/Diagnostics.h"
#include "tmem-c/Runner.h"
#include <csignal>

using namespace tmem_python;

static MlirStringRef toC(const std::string &text) {
  return mlirStringRefCreate(text.data(), text.size());
}
static std::string toString(MlirStringRef text) {
  return std::string(text.data, text.length);
}

//===----------------------------------------------------------------------===//
// Work without the lock of the interpreter
//===----------------------------------------------------------------------===//

namespace {
/// Collects the errors of a context while it lives. MLIR may call it on any OS
/// thread, without the interpreter's lock.
class ErrorCollector {
public:
  explicit ErrorCollector(py::PyMlirContextRef context)
      : context(std::move(context)),
        id(mlirContextAttachDiagnosticHandler(this->context->get(), &handle,
                                              this, nullptr)) {}
  ErrorCollector(const ErrorCollector &) = delete;
  ~ErrorCollector() { mlirContextDetachDiagnosticHandler(context->get(), id); }

  std::vector<py::PyDiagnostic::DiagnosticInfo> take() {
    return std::move(errors);
  }

private:
  static MlirLogicalResult handle(MlirDiagnostic diagnostic, void *data) {
    if (mlirDiagnosticGetSeverity(diagnostic) != MlirDiagnosticError)
      return mlirLogicalResultFailure();
    nb::gil_scoped_acquire lock;
    auto &errors = static_cast<ErrorCollector *>(data)->errors;
    errors.push_back(py::PyDiagnostic(diagnostic).getInfo());
    return mlirLogicalResultSuccess();
  }

  py::PyMlirContextRef context;
  std::vector<py::PyDiagnostic::DiagnosticInfo> errors;
  MlirDiagnosticHandlerID id;
};
} // namespace

/// Makes something of a module while other threads of Python run; raises
/// ir.MLIRError where that gives null. No other thread has the module's
/// context.
template <typename Result>
static Result makeOf(py::PyModule &module, llvm::function_ref<Result()> make) {
  ErrorCollector errors(module.getContext());
  Result result = {nullptr};
  {
    nb::gil_scoped_release unlocked;
    result = make();
  }
  if (!result.ptr)
    throw py::MLIRError("compilation failed", errors.take());
  return result;
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

using Dict = nb::typed<nb::dict, nb::str, nb::any>;

static Dict describeKernel(const TMemKernelResources &kernel) {
  Dict result;
  result["name"] = toString(kernel.name);
  result["registers"] = kernel.registers;
  result["spill_store_bytes"] = kernel.spillStoreBytes;
  result["spill_load_bytes"] = kernel.spillLoadBytes;
  result["stack_bytes"] = kernel.stackBytes;
  result["shared_bytes"] = kernel.sharedBytes;
  return result;
}

static nb::typed<nb::list, nb::typed<nb::tuple, nb::str, nb::bytes, bool,
                                     nb::typed<nb::list, Dict>>>
compile(py::PyModule &module, const std::string &chip, bool ptxOnly,
        unsigned optLevel, const std::string &ptxas) {
  TMemCompileOptions options = {toC(chip), ptxOnly, optLevel, toC(ptxas)};
  auto binaries = makeOf<TMemBinaries>(
      module, [&] { return tmemCompile(module.get(), &options); });
  nb::typed<nb::list, nb::typed<nb::tuple, nb::str, nb::bytes, bool,
                                nb::typed<nb::list, Dict>>>
      result;
  for (intptr_t i = 0, e = tmemBinariesGetNum(binaries); i < e; ++i) {
    MlirStringRef data = tmemBinariesGetData(binaries, i);
    nb::list kernels;
    TMemKernelResources kernel;
    for (intptr_t k = 0; tmemBinariesGetKernel(binaries, i, k, &kernel); ++k)
      kernels.append(describeKernel(kernel));
    result.append(nb::make_tuple(toString(tmemBinariesGetName(binaries, i)),
                                 nb::bytes(data.data, data.length),
                                 tmemBinariesIsPTX(binaries, i), kernels));
  }
  tmemBinariesDestroy(binaries);
  return result;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// (file, line, column), or None.
static nb::object describePlace(const TMemFaultRemark &remark) {
  if (remark.file.length == 0)
    return nb::none();
  return nb::make_tuple(toString(remark.file), remark.line, remark.column);
}

/// The arguments of tmem.EmulationFault, or None.
static nb::object describeFault(const TMemFault *fault) {
  if (!fault)
    return nb::none();
  nb::list notes;
  for (intptr_t i = 0; i < fault->numNotes; ++i) {
    const TMemFaultRemark &note = fault->notes[i];
    notes.append(nb::make_tuple(toString(note.message),
                                toString(note.operation), describePlace(note)));
  }
  auto makeTuple = [](const uint32_t (&xyz)[3]) {
    return nb::make_tuple(xyz[0], xyz[1], xyz[2]);
  };
  nb::dict result;
  result["message"] = toString(fault->error.message);
  result["text"] = toString(fault->text);
  result["operation"] = toString(fault->error.operation);
  result["location"] = describePlace(fault->error);
  result["kernel"] = toString(fault->kernel);
  if (fault->kernel.length != 0)
    result["block"] = makeTuple(fault->block);
  if (fault->hasThread)
    result["thread"] = makeTuple(fault->thread);
  result["notes"] = notes;
  return result;
}

namespace {
/// While it lives, SIGINT ends the runs of a program, and then does what it
/// did. For the thread of Python that handlers run on, so that there is one at
/// most.
class InterruptScope {
public:
  InterruptScope(TMemProgram program, bool isMain) : isActive(isMain) {
    if (!isActive)
      return;
    tmemProgramSetInterrupt(program, false);
    running = program;
    sigaction(SIGINT, nullptr, &before);
    // To the default, and to those who ignore it, nothing is added.
    isActive = before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN;
    if (!isActive)
      return;
    struct sigaction action = before;
    action.sa_flags |= SA_SIGINFO | SA_ONSTACK;
    action.sa_sigaction = handle;
    sigaction(SIGINT, &action, nullptr);
  }
  InterruptScope(const InterruptScope &) = delete;
  ~InterruptScope() {
    if (!isActive)
      return;
    sigaction(SIGINT, &before, nullptr);
    tmemProgramSetInterrupt(running, false);
  }

private:
  static void handle(int signal, siginfo_t *info, void *context) {
    tmemProgramSetInterrupt(running, true);
    if (before.sa_flags & SA_SIGINFO)
      before.sa_sigaction(signal, info, context);
    else
      before.sa_handler(signal);
  }

  static TMemProgram running;
  static struct sigaction before;
  bool isActive;
};

TMemProgram InterruptScope::running;
struct sigaction InterruptScope::before;

/// A program for the emulator, owned.
class Program {
public:
  explicit Program(TMemProgram program) : program(program) {}
  Program(const Program &) = delete;
  ~Program() { tmemProgramDestroy(program); }

  std::vector<std::string> getArgumentTypes() const {
    std::vector<std::string> types;
    for (intptr_t i = 0, e = tmemProgramGetNumArguments(program); i < e; ++i) {
      std::string &type = types.emplace_back();
      tmemProgramGetArgumentType(
          program, i,
          [](MlirStringRef part, void *to) {
            static_cast<std::string *>(to)->append(part.data, part.length);
          },
          &type);
    }
    return types;
  }

  /// Arguments are (address, shape, strides in elements); a scalar has no
  /// shape. Other threads of Python run meanwhile.
  nb::typed<nb::tuple, int, int, nb::any>
  run(const nb::typed<nb::list, nb::any> &arguments, uint64_t seed, bool race,
      uint64_t maxSteps, bool isMain) {
    std::vector<std::vector<int64_t>> numbers;
    numbers.reserve(2 * arguments.size());
    std::vector<TMemArgument> all;
    for (nb::handle argument : arguments)
      all.push_back(read(nb::cast<nb::tuple>(argument), numbers));
    TMemRunSettings settings = {seed, race, maxSteps};
    TMemRunResult result;
    {
      nb::gil_scoped_release unlocked;
      InterruptScope scope(program, isMain);
      result = tmemProgramRun(program, all.size(), all.data(), &settings);
    }
    nb::object fault = describeFault(result.fault);
    tmemFaultDestroy(result.fault);
    if (PyErr_CheckSignals() != 0)
      throw nb::python_error();
    return nb::make_tuple(int(result.status), result.value, fault);
  }

private:
  static TMemArgument read(const nb::tuple &argument,
                           std::vector<std::vector<int64_t>> &numbers) {
    void *data = reinterpret_cast<void *>(nb::cast<uintptr_t>(argument[0]));
    if (argument[1].is_none())
      return {data, -1, nullptr, nullptr};
    numbers.push_back(nb::cast<std::vector<int64_t>>(argument[1]));
    const std::vector<int64_t> &shape = numbers.back();
    numbers.push_back(nb::cast<std::vector<int64_t>>(argument[2]));
    return {data, intptr_t(shape.size()), shape.data(), numbers.back().data()};
  }

  TMemProgram program;
};
} // namespace

void tmem_python::populatePrograms(nb::module_ &m) {
  m.def("compile", &compile, nb::arg("module"), nb::arg("chip"),
        nb::arg("ptx_only"), nb::arg("opt_level"), nb::arg("ptxas"),
        "(name, data, is PTX, kernels) of each binary.");
  nb::class_<Program>(m, "Program")
      .def_prop_ro("argument_types", &Program::getArgumentTypes)
      .def("run", &Program::run, nb::arg("arguments"), nb::arg("seed"),
           nb::arg("race"), nb::arg("max_steps"), nb::arg("is_main"),
           "(status, value, fault) of one run.");
  m.def(
      "create_program",
      [](py::PyModule &module, const std::string &chip,
         const std::string &entry) {
        TMemRunOptions options = {};
        options.chip = toC(chip);
        options.entry = toC(entry);
        return new Program(makeOf<TMemProgram>(
            module, [&] { return tmemProgramCreate(module.get(), &options); }));
      },
      nb::arg("module"), nb::arg("chip"), nb::arg("entry"),
      nb::rv_policy::take_ownership, "A program for the emulator.");
  m.def("chips", [] {
    std::vector<std::string> names;
    for (intptr_t i = 0, e = tmemGetNumChips(); i < e; ++i)
      names.push_back(toString(tmemGetChipName(i)));
    return names;
  });
}
