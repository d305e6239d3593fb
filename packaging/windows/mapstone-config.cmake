# find_package(mapstone) gives mapstone::mapstone, the DLL with its import library. For MSVC, create the import library first,
# at its command prompt in the folder lib:  lib /machine:x64 /def:mapstone.def /out:mapstone.lib
get_filename_component(mapstone_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(MSVC)
  set(mapstone_import "${mapstone_root}/lib/mapstone.lib")
else()
  set(mapstone_import "${mapstone_root}/lib/libmapstone.dll.a")
endif()
if(NOT EXISTS "${mapstone_import}")
  set(mapstone_FOUND FALSE)
  set(mapstone_NOT_FOUND_MESSAGE
      "There is no ${mapstone_import}. In that folder: lib /machine:x64 /def:mapstone.def /out:mapstone.lib")
elseif(NOT TARGET mapstone::mapstone)
  add_library(mapstone::mapstone SHARED IMPORTED)
  set_target_properties(mapstone::mapstone PROPERTIES
    IMPORTED_LOCATION "${mapstone_root}/mapstone.dll"
    IMPORTED_IMPLIB "${mapstone_import}"
    INTERFACE_INCLUDE_DIRECTORIES "${mapstone_root}/include")
endif()
