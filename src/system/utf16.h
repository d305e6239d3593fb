/* SPDX-License-Identifier: MIT */
/* Shared by both files for Windows: paths in the form of Windows. */
#ifndef MST_SYSTEM_UTF16_H
#define MST_SYSTEM_UTF16_H

#include <wchar.h>

/* The path as UTF-16, complete, and if necessary with the prefix that allows more than 260 characters;
 * release with free. NULL: *error is a number of errno.h; EINVAL: Windows would interpret it as something
 * else. */
wchar_t *mst_windows_path(const char *path, int *error);
/* The text as UTF-8; release with free. NULL: out of memory. */
char *mst_windows_text(const wchar_t *wide);
/* The handle of an open file or of a standard one. */
void *mst_windows_handle(int file);
/* The last error as a number of errno.h. */
int mst_windows_errno(void);

#endif
