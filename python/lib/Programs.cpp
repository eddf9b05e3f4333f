//===- Programs.cpp - Compiling and running in Python ---------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bindings.h"
#include "tmem-c/Runner.h"

using namespace tmem_python;

static MlirStringRef wrap(const std::string &text) {
  return mlirStringRefCreate(text.data(), text.size());
}
static std::string unwrap(MlirStringRef text) {
  return std::string(text.data, text.length);
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

static nb::dict describeKernel(const TMemKernelResources &kernel) {
  nb::dict result;
  result["name"] = unwrap(kernel.name);
  result["registers"] = kernel.registers;
  result["spill_store_bytes"] = kernel.spillStoreBytes;
  result["spill_load_bytes"] = kernel.spillLoadBytes;
  result["stack_bytes"] = kernel.stackBytes;
  result["shared_bytes"] = kernel.sharedBytes;
  return result;
}

/// (name, data, is PTX, kernels) of each binary; None after diagnostics.
static nb::object compile(MlirModule module, const std::string &chip,
                          bool ptxOnly, unsigned optLevel,
                          const std::string &ptxas) {
  TMemCompileOptions options = {wrap(chip), ptxOnly, optLevel, wrap(ptxas)};
  TMemBinaries binaries = tmemCompile(module, &options);
  if (!binaries.ptr)
    return nb::none();
  nb::list result;
  for (intptr_t i = 0, e = tmemBinariesGetNum(binaries); i < e; ++i) {
    MlirStringRef data = tmemBinariesGetData(binaries, i);
    nb::list kernels;
    TMemKernelResources kernel;
    for (intptr_t k = 0; tmemBinariesGetKernel(binaries, i, k, &kernel); ++k)
      kernels.append(describeKernel(kernel));
    result.append(nb::make_tuple(unwrap(tmemBinariesGetName(binaries, i)),
                                 nb::bytes(data.data, data.length),
                                 tmemBinariesIsPTX(binaries, i), kernels));
  }
  tmemBinariesDestroy(binaries);
  return result;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

namespace {
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
  /// shape.
  nb::tuple run(const nb::list &arguments, uint64_t seed, bool race,
                uint64_t maxSteps) {
    std::vector<std::vector<int64_t>> numbers;
    numbers.reserve(2 * arguments.size());
    std::vector<TMemArgument> all;
    for (nb::handle argument : arguments)
      all.push_back(read(nb::cast<nb::tuple>(argument), numbers));
    TMemRunSettings settings = {seed, race, maxSteps};
    TMemRunResult result =
        tmemProgramRun(program, all.size(), all.data(), &settings);
    return nb::make_tuple(int(result.status), result.value,
                          unwrap(result.text));
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
  m.def(
      "compile", &compile, nb::arg("module"), nb::arg("chip"),
      nb::arg("ptx_only"), nb::arg("opt_level"), nb::arg("ptxas"),
      "(name, data, is PTX, kernels) of each binary; None after diagnostics.");
  nb::class_<Program>(m, "Program")
      .def_prop_ro("argument_types", &Program::getArgumentTypes)
      .def("run", &Program::run, nb::arg("arguments"), nb::arg("seed"),
           nb::arg("race"), nb::arg("max_steps"),
           "(status, value, text) of one run.");
  m.def(
      "create_program",
      [](MlirModule module, const std::string &chip,
         const std::string &entry) -> Program * {
        TMemRunOptions options = {};
        options.chip = wrap(chip);
        options.entry = wrap(entry);
        TMemProgram program = tmemProgramCreate(module, &options);
        return program.ptr ? new Program(program) : nullptr;
      },
      nb::arg("module"), nb::arg("chip"), nb::arg("entry"),
      nb::rv_policy::take_ownership,
      "A program for the emulator; None after diagnostics.");
  m.def("chips", [] {
    std::vector<std::string> names;
    for (intptr_t i = 0, e = tmemGetNumChips(); i < e; ++i)
      names.push_back(unwrap(tmemGetChipName(i)));
    return names;
  });
}
