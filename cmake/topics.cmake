# SPDX-License-Identifier: MIT
# The pages of docs/ that `mapstone help` shows: docs/NAME.md becomes NAME.inc, its bytes as numbers, up to a comment that marks
# the end.
set(topics_dir "${PROJECT_BINARY_DIR}/topics")
string(HEX "<!-- mapstone help" ending)
foreach(topic paths selectors editing)
  set(page "${PROJECT_SOURCE_DIR}/docs/${topic}.md")
  file(READ "${page}" bytes HEX)
  string(FIND "${bytes}" "${ending}" length)
  string(SUBSTRING "${bytes}" 0 ${length} bytes)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  file(GENERATE OUTPUT "${topics_dir}/${topic}.inc" CONTENT "${bytes}\n")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${page}")
endforeach()
target_include_directories(mapstone_command PRIVATE "${topics_dir}")
