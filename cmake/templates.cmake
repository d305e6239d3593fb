# SPDX-License-Identifier: MIT
# Templates of new levels: src/formats/FAMILY/templates/NAME.json becomes FAMILY_NAME.inc, its bytes as numbers.
set(templates_dir "${PROJECT_BINARY_DIR}/templates")
file(GLOB templates CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/formats/*/templates/*.json")
foreach(template IN LISTS templates)
  string(REGEX REPLACE ".*/([a-z0-9]+)/templates/([a-z]+)\\.json$" "\\1_\\2" name "${template}")
  file(READ "${template}" bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  file(GENERATE OUTPUT "${templates_dir}/${name}.inc" CONTENT "${bytes}\n")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${template}")
endforeach()
target_include_directories(mapstone_objects PRIVATE "${templates_dir}")
