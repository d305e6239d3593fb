/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4) of bytes in memory. */
#ifndef CLI_SHA256_H
#define CLI_SHA256_H

#include <stddef.h>

/* Writes 64 lower case hexadecimal digits and a NUL. */
void sha256_text(const void *data, size_t size, char text[65]);

#endif
