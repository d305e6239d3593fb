# SPDX-License-Identifier: MIT
# libarchive is the only library that most uses do not need, and loading it with its dependencies takes longer than the
# rest of the command's start. MAPSTONE_ARCHIVE_LOADED is AUTO, ON or OFF: whether the library loads it by its soname
# when the first archive is opened, or is linked with it. AUTO loads it where it is a shared library of ELF.
#
# Sets MAPSTONE_LINKED_LIBRARIES and MAPSTONE_LINKED_MODULES, the lists of optional.cmake without loaded libraries,
# MAPSTONE_LOADED_DEFINITIONS, and MAPSTONE_ARCHIVE_SONAME (empty if it is linked).
set(MAPSTONE_ARCHIVE_LOADED AUTO CACHE STRING "Load libarchive when it is needed: AUTO, ON or OFF")
set_property(CACHE MAPSTONE_ARCHIVE_LOADED PROPERTY STRINGS AUTO ON OFF)
set(MAPSTONE_LINKED_LIBRARIES ${MAPSTONE_OPTIONAL_LIBRARIES})
set(MAPSTONE_LINKED_MODULES ${MAPSTONE_OPTIONAL_MODULES})
set(MAPSTONE_LOADED_DEFINITIONS)

# mapstone_soname(RESULT TARGET FILE): the loader's name for the shared library that the target links; empty if there is
# none.
function(mapstone_soname result target library)
  set(name)
  get_target_property(files ${target} INTERFACE_LINK_LIBRARIES)
  list(FILTER files INCLUDE REGEX "/${library}\\.so[^/]*$")
  if(files AND CMAKE_OBJDUMP)
    list(GET files 0 file)
    execute_process(COMMAND "${CMAKE_OBJDUMP}" -p "${file}" OUTPUT_VARIABLE headers ERROR_QUIET)
    if(headers MATCHES "SONAME +([^ \n]+)")
      set(name "${CMAKE_MATCH_1}")
    endif()
  endif()
  set(${result} "${name}" PARENT_SCOPE)
endfunction()

set(MAPSTONE_ARCHIVE_SONAME)
if(libarchive IN_LIST MAPSTONE_OPTIONAL_MODULES AND MAPSTONE_ARCHIVE_LOADED)
  mapstone_soname(MAPSTONE_ARCHIVE_SONAME PkgConfig::libarchive libarchive)
  if(NOT MAPSTONE_ARCHIVE_SONAME AND NOT MAPSTONE_ARCHIVE_LOADED STREQUAL "AUTO")
    message(FATAL_ERROR "MAPSTONE_ARCHIVE_LOADED is on, but no shared libarchive with a soname was found")
  endif()
endif()
if(MAPSTONE_ARCHIVE_SONAME)
  list(REMOVE_ITEM MAPSTONE_LINKED_LIBRARIES PkgConfig::libarchive)
  list(REMOVE_ITEM MAPSTONE_LINKED_MODULES libarchive)
  list(APPEND MAPSTONE_LINKED_LIBRARIES ${CMAKE_DL_LIBS})
  string(REPLACE ".so." "" package "${MAPSTONE_ARCHIVE_SONAME}") # Debian's name for the library's package
  list(APPEND MAPSTONE_LOADED_DEFINITIONS "MST_ARCHIVE_LOADED=\"${MAPSTONE_ARCHIVE_SONAME}\""
       "MST_ARCHIVE_PACKAGE=\"${package}\"")
  message(STATUS "libarchive: loaded as ${MAPSTONE_ARCHIVE_SONAME} when it is needed")
endif()
