#===- FindBindingSources.cmake - Sources of MLIR's Python bindings ---------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# Debian's MLIR has the headers and the C API of the Python bindings, not their
# .cpp and .py files. These come from the folder src/python of an installed MLIR
# of the same version: that of TMEM_MLIR_PYTHON_SOURCES, or of the Python package
# xtc-mlir-dev, which is such an MLIR. Sets TMEM_BINDING_SOURCES.
#
#===------------------------------------------------------------------------===#

set(TMEM_MLIR_PYTHON_SOURCES "" CACHE PATH
  "Folder src/python of an installed MLIR that has Python bindings")

# The version of a Python package, and one of its folders.
function(tmem_find_python_package package folder version_out path_out)
  execute_process(
    COMMAND "${Python_EXECUTABLE}" -c "
import importlib.metadata, sys
try:
    package = importlib.metadata.distribution(sys.argv[1])
    print(package.version, package.locate_file(sys.argv[2]), sep=';', end='')
except importlib.metadata.PackageNotFoundError:
    pass" "${package}" "${folder}"
    OUTPUT_VARIABLE found)
  list(LENGTH found parts)
  if(parts EQUAL 2)
    list(GET found 0 version)
    list(GET found 1 path)
    set(${version_out} "${version}" PARENT_SCOPE)
    set(${path_out} "${path}" PARENT_SCOPE)
  endif()
endfunction()

if(TMEM_MLIR_PYTHON_SOURCES)
  set(TMEM_BINDING_SOURCES "${TMEM_MLIR_PYTHON_SOURCES}")
else()
  tmem_find_python_package(xtc-mlir-dev mlir/src/python
    version TMEM_BINDING_SOURCES)
  # 22.1.8.4 is the fourth packaging of 22.1.8.
  string(REGEX MATCH "^[0-9]+\\.[0-9]+\\.[0-9]+" mlir_version "${version}")
  if(NOT mlir_version VERSION_EQUAL LLVM_PACKAGE_VERSION)
    if(NOT version)
      set(version "none")
    endif()
    message(FATAL_ERROR
      "expected the Python package xtc-mlir-dev of version "
      "${LLVM_PACKAGE_VERSION}.* for ${Python_EXECUTABLE}, but got ${version}\n"
      "Install it with\n"
      "  ${Python_EXECUTABLE} -m pip install "
      "'xtc-mlir-dev==${LLVM_PACKAGE_VERSION}.*'\n"
      "or set TMEM_MLIR_PYTHON_SOURCES to the folder src/python of an MLIR "
      "${LLVM_PACKAGE_VERSION} installed with its Python bindings.")
  endif()
endif()

if(NOT EXISTS
   "${TMEM_BINDING_SOURCES}/MLIRPythonExtension.Core/MainModule.cpp")
  message(FATAL_ERROR
    "expected the sources of MLIR's Python bindings, but got "
    "${TMEM_BINDING_SOURCES}, which has no MLIRPythonExtension.Core")
endif()
message(STATUS "Using MLIR's Python bindings in ${TMEM_BINDING_SOURCES}")
