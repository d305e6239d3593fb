/* SPDX-License-Identifier: MIT */
/* What both of the files for Windows need: paths as Windows has them. */
#ifndef MST_SYSTEM_UTF16_H
#define MST_SYSTEM_UTF16_H

#include <wchar.h>

/* The path as UTF-16, complete, and with the prefix that lets it be longer than 260 characters where it needs
 * one; free's. NULL: *error is a number of errno.h; EINVAL: Windows would take it for something else. */
wchar_t *mst_windows_path(const char *path, int *error);
/* The text as UTF-8; free's, NULL without memory. */
char *mst_windows_text(const wchar_t *wide);
/* The handle of an open file or of a standard one. */
void *mst_windows_handle(int file);
/* What the last error means in errno.h. */
int mst_windows_errno(void);

#endif
