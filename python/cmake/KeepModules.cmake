#===- KeepModules.cmake - Operations that keep their modules ---------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#

# In MLIR 22.1 an operation that a block's list gives, or the parent of one, does
# not keep its module: when nothing else does, what is asked of it reads memory
# that is gone. forOperation takes whom to keep, and there it is passed.

# Sets RESULT to a copy of the file in the build tree with each call as it should
# be. Of another version, whose calls are others, it stops.
function(tmem_keep_modules result file)
  file(READ "${file}" text)
  foreach(call
      "forOperation(parentOperation->getContext(), next|, parentOperation.getObject()"
      "forOperation(parentOperation->getContext(), childOp|, parentOperation.getObject()"
      "return PyOperation::forOperation(getContext(), operation|, parentKeepAlive")
    string(REPLACE "|" ";" parts "${call}")
    list(GET parts 0 begin)
    list(GET parts 1 kept)
    string(FIND "${text}" "${begin})" position)
    if(position EQUAL -1)
      message(FATAL_ERROR "expected the bindings of MLIR 22.1, but got others "
        "in ${file}: there is no ${begin})")
    endif()
    string(REPLACE "${begin})" "${begin}${kept})" text "${text}")
  endforeach()
  get_filename_component(name "${file}" NAME)
  set(copy "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  set(before "")
  if(EXISTS "${copy}")
    file(READ "${copy}" before)
  endif()
  if(NOT before STREQUAL text)
    file(WRITE "${copy}" "${text}")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  set(${result} "${copy}" PARENT_SCOPE)
endfunction()
