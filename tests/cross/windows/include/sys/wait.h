/* SPDX-License-Identifier: MIT */
/* Windows has none; waitpid is in ../../lacks.h, and never returns. */
