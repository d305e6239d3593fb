/* SPDX-License-Identifier: MIT */
/* Windows has no such header: the parts that tests use are in ../../lacks.h. */
