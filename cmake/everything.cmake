# SPDX-License-Identifier: MIT
# All warnings of clang, except those that contradict the style of this project. New warnings of a newer clang are
# errors: fix the code, or add them here with the reason.
set(MAPSTONE_EVERYTHING_OPTIONS
  -Weverything
  -Wno-declaration-after-statement # a rule of C90
  -Wno-padded                      # no struct is written to a file in its memory layout
  -Wno-float-equal                 # comparisons of floats test for identity, never for similarity
  -Wno-double-promotion            # exact; INFINITY and NAN are floats
  -Wno-bad-function-cast           # (int)floor(x) is how C rounds down
  -Wno-cast-qual                   # only a scene's builder writes its const members
  -Wno-switch-enum                 # a default covers all others; without one, -Wswitch requires all of them
  -Wno-comma                       # tests write short numbers on one line
  -Wno-atomic-implicit-seq-cst     # the strongest order is intended
  -Wno-disabled-macro-expansion    # libc's sa_handler and similar macros
  -Wno-reserved-macro-identifier   # _DEFAULT_SOURCE and similar macros are for programs to define
  -Wno-unknown-warning-option)
