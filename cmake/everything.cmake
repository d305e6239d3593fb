# SPDX-License-Identifier: MIT
# Every warning that clang has, but for those that contradict how this is written. What a newer clang adds shows
# as an error and is mended, or comes here with its reason.
set(MAPSTONE_EVERYTHING_OPTIONS
  -Weverything
  -Wno-declaration-after-statement # that is C90's rule
  -Wno-padded                      # no struct is written to a file as it lies in memory
  -Wno-float-equal                 # floats are compared for being the same, never for being near
  -Wno-double-promotion            # exact; INFINITY and NAN are floats
  -Wno-bad-function-cast           # (int)floor(x) is how C rounds down
  -Wno-cast-qual                   # what a scene shows as const is its builder's to write
  -Wno-switch-enum                 # a default stands for all others; without one, -Wswitch wants all of them
  -Wno-comma                       # tests write short numbers side by side
  -Wno-atomic-implicit-seq-cst     # the strongest order is meant
  -Wno-reserved-macro-identifier   # _DEFAULT_SOURCE and its kind are reserved for being defined by us
  -Wno-unknown-warning-option)
