/* SPDX-License-Identifier: MIT */
/* wasi-libc has none; tests include it only because cmocka.h requires it. */
#ifndef MST_TESTS_CROSS_SETJMP_H
#define MST_TESTS_CROSS_SETJMP_H
typedef int jmp_buf[1];
#endif
