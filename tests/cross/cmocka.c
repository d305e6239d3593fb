/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

struct shim_state shim;
