# What `cmake --install` installs, in the components `runtime` (tools, plugin,
# shared libraries), `development` (headers, libraries, CMake package; wants the
# former, too) and `documentation`. Targets are found, not listed: every library
# of lib and every program of tools.

include(CMakePackageConfigHelpers)

# The targets of a folder and its subfolders.
function(tmem_collect_targets directory result)
  get_property(targets DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(subdirectories DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
  foreach(subdirectory ${subdirectories})
    tmem_collect_targets(${subdirectory} more)
    list(APPEND targets ${more})
  endforeach()
  set(${result} ${targets} PARENT_SCOPE)
endfunction()

function(tmem_install_targets)
  tmem_collect_targets(${PROJECT_SOURCE_DIR}/lib libraries)
  tmem_collect_targets(${PROJECT_SOURCE_DIR}/tools tools)
  set(installed)
  foreach(target ${libraries} ${tools})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
      set(rpath "$ORIGIN/../lib;${LLVM_LIBRARY_DIR}")
    elseif(type MATCHES "^(SHARED|MODULE)_LIBRARY$")
      set(rpath "$ORIGIN;${LLVM_LIBRARY_DIR}")
    elseif(type STREQUAL "STATIC_LIBRARY")
      set(rpath "")
    else()
      continue()
    endif()
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "${rpath}")
    list(APPEND installed ${target})
    # Modules are loaded, not linked.
    if(type STREQUAL "MODULE_LIBRARY")
      install(TARGETS ${target} LIBRARY DESTINATION lib COMPONENT runtime)
      continue()
    endif()
    if(NOT type STREQUAL "EXECUTABLE")
      target_include_directories(${target} INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>)
    endif()
    install(TARGETS ${target} EXPORT TMemTargets
      RUNTIME DESTINATION bin COMPONENT runtime
      LIBRARY DESTINATION lib COMPONENT runtime
      ARCHIVE DESTINATION lib COMPONENT development
      INCLUDES DESTINATION include)
  endforeach()
  # All that has to be built before `cmake --install`.
  add_custom_target(tmem-installed DEPENDS ${installed})
  if(TARGET tmem_emulation_device)
    add_dependencies(tmem-installed tmem_emulation_device)
    install(FILES ${LLVM_LIBRARY_OUTPUT_INTDIR}/libtmem_emulation_device.bc
      DESTINATION lib COMPONENT runtime)
  endif()
endfunction()

function(tmem_install_headers)
  # Written ones and generated ones; sources are not for users.
  foreach(folder ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
    install(DIRECTORY ${folder}/tmem ${folder}/tmem-c
      DESTINATION include COMPONENT development
      FILES_MATCHING
      PATTERN "*.h" PATTERN "*.td" PATTERN "*.def" PATTERN "*.inc"
      PATTERN "*.capi.cpp.inc" EXCLUDE
      PATTERN "CMakeFiles" EXCLUDE)
  endforeach()
endfunction()

function(tmem_install_package)
  set(destination lib/cmake/tmem)
  set(TMEM_INCLUDE_INSTALL_DIR include)
  set(TMEM_LIBRARY_INSTALL_DIR lib)
  set(TMEM_TOOLS_INSTALL_DIR bin)
  configure_package_config_file(
    ${PROJECT_SOURCE_DIR}/cmake/TMemConfig.cmake.in
    ${PROJECT_BINARY_DIR}/cmake/TMemConfig.cmake
    INSTALL_DESTINATION ${destination}
    PATH_VARS TMEM_INCLUDE_INSTALL_DIR TMEM_LIBRARY_INSTALL_DIR
      TMEM_TOOLS_INSTALL_DIR)
  write_basic_package_version_file(
    ${PROJECT_BINARY_DIR}/cmake/TMemConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES
    ${PROJECT_BINARY_DIR}/cmake/TMemConfig.cmake
    ${PROJECT_BINARY_DIR}/cmake/TMemConfigVersion.cmake
    DESTINATION ${destination} COMPONENT development)
  install(EXPORT TMemTargets DESTINATION ${destination} COMPONENT development)
endfunction()

function(tmem_install_documents)
  set(destination share/doc/tmem-mlir)
  install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/LICENSE
    ${PROJECT_SOURCE_DIR}/CONTRIBUTING.md
    DESTINATION ${destination} COMPONENT documentation)
  # What the pages point to outside of docs and examples.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/benchmarks/kernels
    DESTINATION ${destination}/benchmarks COMPONENT documentation)
  foreach(file benchmarks/README.md test/CAPI/runner.c utils/check-rules.py)
    get_filename_component(folder ${file} DIRECTORY)
    install(FILES ${PROJECT_SOURCE_DIR}/${file}
      DESTINATION ${destination}/${folder} COMPONENT documentation)
  endforeach()
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/examples
    DESTINATION ${destination} COMPONENT documentation
    PATTERN "__pycache__" EXCLUDE)
endfunction()

tmem_install_targets()
tmem_install_headers()
tmem_install_package()
tmem_install_documents()
