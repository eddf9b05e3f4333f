# -*- Python -*-
# Configuration of the lit tests.

import os
import re
import shutil
import subprocess
import sys

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import FindTool, ToolSubst


def quote(path):
    return f'"{path}"' if " " in path else path


def find_tool(variable, path):
    """A program, the environment's choice first; empty when there is none."""
    path = os.environ.get(variable) or path
    return path if path and shutil.which(path) else ""


def read_chips(ptxas):
    """The chips that a ptxas assembles for, read from its help text."""
    command = [ptxas, "--help"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return set(re.findall(r"'(sm_\d+[af]?)'", result.stdout))


config.name = "TMem"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".ptx", ".py", ".test"]
config.excludes = ["Inputs", "lib", "lit.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.tmem_obj_root, "test")

# NVIDIA's tools are optional: a test that runs one REQUIRES ptxas (or
# ptxas-sm_107a, ...), ptxas-next or nvdisasm.
ptxas = find_tool("TMEM_PTXAS", config.tmem_ptxas)
ptxas_next = find_tool("TMEM_PTXAS_NEXT", config.tmem_ptxas_next)
nvdisasm = find_tool("TMEM_NVDISASM", config.tmem_nvdisasm)
for name, tool in [("ptxas", ptxas), ("ptxas-next", ptxas_next)]:
    if tool:
        chips = read_chips(tool)
        config.available_features |= {name} | {f"{name}-{chip}" for chip in chips}
if nvdisasm:
    config.available_features.add("nvdisasm")

# The Python that has the packages of utils/requirements.txt. Tests that need
# one of them REQUIRE its name.
python = find_tool("TMEM_PYTHON", config.tmem_python) or sys.executable
for package in ["mkdocs", "mypy", "nbclient"]:
    command = [python, "-c", f"import {package}"]
    if subprocess.run(command, capture_output=True, check=False).returncode == 0:
        config.available_features.add(package)

# The Python package is built with TMEM_ENABLE_PYTHON.
if config.tmem_python_packages:
    config.available_features.add("python-package")

# Tests that run on an NVIDIA GPU REQUIRE gpu, or gpu-tensor-memory.
probe = os.path.join(config.tmem_tools_dir, "tmem-run")
if os.path.exists(probe):
    command = [probe, "--print-gpu"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode == 0:
        config.available_features.add("gpu")
        if "has Tensor Memory" in found.stdout:
            config.available_features.add("gpu-tensor-memory")
    else:
        lit_config.note(f"tests on a GPU are skipped: {found.stderr.strip()}")

# The device library is built where there is a clang.
device_library = os.path.join(config.tmem_lib_dir, "libtmem_emulation_device.bc")
if os.path.exists(device_library):
    config.available_features.add("device-library")

# Pages are tested where there are Chromium and its driver.
browser = find_tool("TMEM_BROWSER", shutil.which("chromium"))
chromedriver = find_tool("TMEM_CHROMEDRIVER", shutil.which("chromedriver"))
if browser and chromedriver:
    config.available_features.add("browser")
else:
    lit_config.note("tests of pages are skipped: no chromium and chromedriver")

# The language server is tested with an editor where there is one.
neovim = find_tool("TMEM_NEOVIM", shutil.which("nvim"))
if neovim:
    config.available_features.add("neovim")

# The passes look for ptxas at TMEM_PTXAS, upstream's on PATH.
tool_dirs = [config.tmem_tools_dir, config.llvm_tools_dir]
ptxas_dir = [os.path.dirname(ptxas)] if ptxas else []
llvm_config.with_environment("PATH", tool_dirs + ptxas_dir, append_path=True)
if ptxas:
    llvm_config.with_environment("TMEM_PTXAS", ptxas)

# A longer name comes before its own beginning.
config.substitutions += [
    ("%ptxas_next", quote(ptxas_next)),
    ("%ptxas", quote(ptxas)),
    ("%nvdisasm", quote(nvdisasm)),
    ("%python_with_packages", quote(python)),
    ("%tmem_python_packages", quote(config.tmem_python_packages)),
    ("%chromedriver", quote(chromedriver)),
    ("%browser", quote(browser)),
    ("%neovim", quote(neovim)),
    ("%tmem_plugin", quote(os.path.join(config.tmem_lib_dir, "TMemPlugin.so"))),
    ("%device_library", quote(device_library)),
    ("%tmem_lib_dir", quote(config.tmem_lib_dir)),
    ("%tmem_src_root", quote(config.tmem_src_root)),
    ("%tmem_tools_dir", quote(config.tmem_tools_dir)),
    ("%tmem_obj_root", quote(config.tmem_obj_root)),
    ("%mlir_include_dir", quote(config.mlir_include_dir)),
    ("%mlir_lib_dir", quote(config.mlir_lib_dir)),
]
# Programs that have to end in a status of their own: 1 is a fault, 2 is input or a
# set-up that cannot be used.
exit_status = os.path.join(os.path.dirname(__file__), "Inputs", "exit-status.py")
for status in (1, 2):
    command = f"{quote(sys.executable)} {quote(exit_status)} {status}"
    config.substitutions.append((f"%exits_{status}", command))
# The compilers of this build, for what a user would build with it.
config.substitutions += [("%cc", quote(config.cc)), ("%cxx", quote(config.cxx))]
llvm_config.use_default_substitutions()
tools = ["tmem-explain", "tmem-lsp-server", "tmem-opt", "tmem-ptx-lint", "tmem-run"]
tools += ["tmem-test-opt"]
tools += ["tmem-random-transfers"]
tools += ["mlir-opt", "mlir-translate", "mlir-runner"]
capi_tests = [
    "arguments",
    "explain",
    "foreign",
    "guard",
    "handles",
    "ir",
    "planner",
    "runner",
]
tools += [f"tmem-capi-{name}-test" for name in capi_tests]
clang = os.path.join(config.llvm_tools_dir, "clang")
if os.path.exists(clang):
    config.available_features.add("clang")
    tools += [ToolSubst("clang", FindTool("clang"))]
tools += ["not", "split-file", "llvm-readelf"]
tools += [ToolSubst("tmem-bench", unresolved="ignore")]
# utils/gpu-suite.py puts a program in its place that records the calls.
tmem_run = os.environ.get("TMEM_RUN", "")
if tmem_run:
    config.substitutions.append((r"\btmem-run\b(?=\s)", quote(tmem_run)))
first = len(config.substitutions)
llvm_config.add_tool_substitutions(tools, tool_dirs)

# lit quotes no paths; these turn into the same, quoted.
if " " in config.test_source_root + config.test_exec_root:
    tools = config.substitutions[first:]
    config.substitutions[first:] = [(key, quote(path)) for key, path in tools]
    config.substitutions += [(f"%{key}", f'"%/{key}"') for key in "sSt"]
