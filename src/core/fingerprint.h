/* SPDX-License-Identifier: MIT */
/* Whether bytes are the same as before, at the speed of memory. */
#ifndef MST_CORE_FINGERPRINT_H
#define MST_CORE_FINGERPRINT_H

#include <stddef.h>

#define MST_FINGERPRINT 33 /* with its NUL */

/*
 * 32 hexadecimal digits that two different files do not share by accident: any change within 8 bytes changes
 * them. Four lanes of 64 bits take 8 bytes each in turn, in steps that can be inverted (as in XXH64), and
 * SHA-256 of the lanes, the rest and the size gives the digits. SHA-256 of everything would take twenty times
 * as long. It is no protection against files made to collide.
 */
void mst_fingerprint(const void *data, size_t size, char text[MST_FINGERPRINT]);

#endif
