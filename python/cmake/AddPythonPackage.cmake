#===- AddPythonPackage.cmake - Parts of the Python package -----------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# What the package holds is put together in the build directory, at
# TMEM_PYTHON_PACKAGES, and installed as the component tmem-python.
#
#===------------------------------------------------------------------------===#

set(TMEM_PYTHON_PACKAGES "${CMAKE_BINARY_DIR}/python_packages")
set(TMEM_PYTHON_PACKAGES "${TMEM_PYTHON_PACKAGES}" PARENT_SCOPE)
set(package "${TMEM_PYTHON_PACKAGES}/tmem")
set(native "${package}/_mlir_libs")

# The same for everything that sees a binding's types.
function(tmem_python_compile target)
  target_compile_definitions(${target} PRIVATE
    NB_DOMAIN=tmem
    MLIR_BINDINGS_PYTHON_DOMAIN=tmem
    MLIR_PYTHON_PACKAGE_PREFIX=tmem.)
  target_compile_options(${target} PRIVATE -fexceptions -frtti
    -Wno-cast-qual -Wno-covered-switch-default -Wno-extra-semi
    -Wno-missing-field-initializers -Wno-nested-anon-types -Wno-pedantic
    -Wno-unused-parameter -Wno-zero-length-array)
  # Python's own symbols are there when a module is loaded.
  target_link_options(${target} PRIVATE LINKER:-z,undefs)
  tmem_python_place(${target})
endfunction()

# Puts a library into the package, beside all the others.
function(tmem_python_place target)
  set_target_properties(${target} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY "${native}"
    BUILD_WITH_INSTALL_RPATH ON
    INSTALL_RPATH "$ORIGIN;${LLVM_LIBRARY_DIR}")
  install(TARGETS ${target} LIBRARY
    DESTINATION "${TMEM_PYTHON_INSTALL_DIR}/_mlir_libs" COMPONENT tmem-python NAMELINK_SKIP)
endfunction()

# Copies a library of another folder into the package.
function(tmem_python_place_copy target)
  add_custom_command(OUTPUT "${native}/lib${target}.so"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${native}"
    COMMAND ${CMAKE_COMMAND} -E copy "$<TARGET_FILE:${target}>" "${native}"
    DEPENDS ${target})
  set_property(GLOBAL APPEND PROPERTY TMEM_PYTHON_FILES
    "${native}/lib${target}.so")
  # Not the copy: its paths for libraries are those of the build.
  set_target_properties(${target} PROPERTIES
    INSTALL_RPATH "$ORIGIN;${LLVM_LIBRARY_DIR}")
  install(TARGETS ${target} LIBRARY
    DESTINATION "${TMEM_PYTHON_INSTALL_DIR}/_mlir_libs" COMPONENT tmem-python NAMELINK_SKIP)
endfunction()

# tmem_add_python_extension(NAME SOURCES...): a module of _mlir_libs.
function(tmem_add_python_extension name)
  nanobind_add_module(${name} NB_SHARED NB_DOMAIN tmem ${ARGN})
  tmem_python_compile(${name})
  target_link_libraries(${name} PRIVATE TMemPythonSupport TMemCAPI)
  add_dependencies(tmem-python-native ${name})
endfunction()

# tmem_add_python_files(ROOT FILES...): copies files of ROOT to the same places
# of the package, and installs them.
function(tmem_add_python_files root)
  foreach(file ${ARGN})
    tmem_add_python_file("${root}/${file}" "${file}")
  endforeach()
endfunction()

function(tmem_add_python_file source file)
  set(copy "${package}/${file}")
  add_custom_command(OUTPUT "${copy}"
    COMMAND ${CMAKE_COMMAND} -E copy "${source}" "${copy}"
    DEPENDS "${source}")
  set_property(GLOBAL APPEND PROPERTY TMEM_PYTHON_FILES "${copy}")
  cmake_path(GET file PARENT_PATH folder)
  install(FILES "${copy}" DESTINATION "${TMEM_PYTHON_INSTALL_DIR}/${folder}"
    COMPONENT tmem-python)
endfunction()

# tmem_add_python_dialect(NAME FILES...): upstream's wrapper of a dialect, whole.
function(tmem_add_python_dialect name)
  tmem_add_python_files(
    "${TMEM_BINDING_SOURCES}/MLIRPythonSources.Dialects.${name}" ${ARGN})
  set(root "${TMEM_BINDING_SOURCES}/MLIRPythonSources.Dialects.${name}.ops_gen")
  foreach(kind ops enum)
    set(file "dialects/_${name}_${kind}_gen.py")
    if(EXISTS "${root}/${file}")
      tmem_add_python_files("${root}" "${file}")
    endif()
  endforeach()
endfunction()

# tmem_add_python_stubs(MODULES): type stubs of _mlir and of other native modules.
function(tmem_add_python_stubs)
  set(stubs _mlir/__init__.pyi _mlir/ir.pyi _mlir/passmanager.pyi
    _mlir/rewrite.pyi)
  foreach(module ${ARGN})
    list(APPEND stubs ${module}.pyi)
  endforeach()
  foreach(stub ${stubs})
    cmake_path(GET stub PARENT_PATH folder)
    install(FILES "${native}/${stub}"
      DESTINATION "${TMEM_PYTHON_INSTALL_DIR}/_mlir_libs/${folder}"
      COMPONENT tmem-python)
  endforeach()
  list(TRANSFORM stubs PREPEND "${native}/")
  set(script "${CMAKE_CURRENT_SOURCE_DIR}/cmake/make-stubs.py")
  set(run "${CMAKE_COMMAND}" -E env PYTHONDONTWRITEBYTECODE=1
    "${Python_EXECUTABLE}" "${script}" "${TMEM_PYTHON_PACKAGES}" "${native}")
  # _mlir is imported alone, by a process of its own.
  add_custom_command(OUTPUT ${stubs}
    COMMAND ${run} _mlir
    COMMAND ${run} ${ARGN}
    DEPENDS "${script}" _mlir ${ARGN} tmem-python-native tmem-python-sources
    COMMENT "Generating type stubs")
  add_custom_target(tmem-python-stubs DEPENDS ${stubs})
endfunction()
