# The tables hold thousands of pointers, and a position-independent file lists where they are. Linkers since 2022 can
# list them as a bitmap, which takes an eighth of the command's bytes away; the loader of the system has to know it
# (glibc 2.36). Whether this system's does is tried. Turn it off for files that older systems are to run.
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
