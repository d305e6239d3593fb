# SPDX-License-Identifier: MIT
# Adds the data that Windows shows about a file as a resource: mapstone_resource(TARGET PROGRAM|LIBRARY). A separate
# library, since windres does not accept the compiler's options.
enable_language(RC)
function(mapstone_resource target kind)
  set(MAPSTONE_RESOURCE_KIND "${kind}")
  set(file "${PROJECT_BINARY_DIR}/resources/${target}.rc")
  configure_file("${PROJECT_SOURCE_DIR}/packaging/windows/mapstone.rc.in" "${file}" @ONLY)
  add_library(${target}_resource OBJECT "${file}")
  target_include_directories(${target}_resource PRIVATE "${PROJECT_SOURCE_DIR}/packaging/windows")
  set_source_files_properties("${file}" PROPERTIES OBJECT_DEPENDS
    "${PROJECT_SOURCE_DIR}/packaging/windows/mapstone.ico;${PROJECT_SOURCE_DIR}/packaging/windows/mapstone.exe.manifest")
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_resource>)
endfunction()
