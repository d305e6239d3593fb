/* SPDX-License-Identifier: MIT */
/* wasi-libc has none; waitpid is in tests/cross/cmocka.h, and never returns. */
#ifndef MST_TESTS_CROSS_SYS_WAIT_H
#define MST_TESTS_CROSS_SYS_WAIT_H
#define WIFEXITED(status)   1
#define WEXITSTATUS(status) (status)
#define WIFSIGNALED(status) 0
#define WTERMSIG(status)    0
#endif
