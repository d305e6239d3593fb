# The tables hold thousands of pointers, and a position-independent file lists their positions. Linkers since 2022 can
# store the list as a bitmap, which makes the command smaller by an eighth; the system's loader must support it
# (glibc 2.36), which a test determines. Turn it off for files that must run on older systems.
set(packed OFF)
if(native AND NOT MAPSTONE_SANITIZE)
  include(CheckCSourceRuns)
  set(CMAKE_REQUIRED_LINK_OPTIONS -Wl,-z,pack-relative-relocs -Wl,--fatal-warnings)
  check_c_source_runs("int main(void) { return 0; }" MAPSTONE_LOADS_PACKED_RELOCATIONS)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
  if(MAPSTONE_LOADS_PACKED_RELOCATIONS)
    set(packed ON)
  endif()
endif()
option(MAPSTONE_PACKED_RELOCATIONS "Link smaller files, which need the loader of glibc 2.36 or later" ${packed})
set(packed_relocations)
if(MAPSTONE_PACKED_RELOCATIONS)
  set(packed_relocations -Wl,-z,pack-relative-relocs)
endif()
