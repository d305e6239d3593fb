# SPDX-License-Identifier: MIT
# The same numbers on every machine: a float is computed as a float, a double as a double, and a product
# is rounded before it is added to. Sets MAPSTONE_ARITHMETIC to the compiler options for this.
include(CheckCSourceCompiles)

set(MAPSTONE_ARITHMETIC -ffp-contract=off)
# s390x computes floats as doubles in strict C; the x87 unit computes everything with 80 bits.
foreach(flags "" "-fexcess-precision=fast" "-msse2 -mfpmath=sse")
  string(MAKE_C_IDENTIFIER "MAPSTONE_EXACT_FLOAT${flags}" found)
  set(CMAKE_REQUIRED_FLAGS "-std=c11 ${flags}")
  check_c_source_compiles("
    #include <float.h>
    #if FLT_EVAL_METHOD != 0
    #error excess precision
    #endif
    int main(void) { return 0; }" ${found})
  if(${found})
    separate_arguments(flags)
    list(APPEND MAPSTONE_ARITHMETIC ${flags})
    break()
  endif()
endforeach()
unset(CMAKE_REQUIRED_FLAGS)
if(NOT ${found})
  message(WARNING "This compiler computes with excess precision: figures may differ from other machines in the last digit")
endif()
