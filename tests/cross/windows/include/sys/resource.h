/* SPDX-License-Identifier: MIT */
/* Windows has no such header: what tests use of it is in ../../lacks.h. */
