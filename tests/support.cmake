# SPDX-License-Identifier: MIT
# What tests share, compiled once: every file in this directory that is not a group of tests. Needs mapstone_cmocka.
file(GLOB support_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*.c")
list(FILTER support_sources EXCLUDE REGEX "/(test_[^/]*|runner)\\.c$")
add_library(mapstone_test_support STATIC ${support_sources})
target_compile_definitions(mapstone_test_support PRIVATE ${MAPSTONE_OPTIONAL_DEFINITIONS})
target_link_libraries(mapstone_test_support PRIVATE mapstone_settings mapstone_cmocka)
