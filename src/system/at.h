/* SPDX-License-Identifier: MIT */
/* Functions of the other POSIX and WASI files that below.c needs: `name` is in an open directory, and is not
 * followed if it is a link. */
#ifndef MST_SYSTEM_AT_H
#define MST_SYSTEM_AT_H

#include "system.h"

int mst_system_about_at(int directory, const char *name, mst_system_info *info);
int mst_system_may_write_at(int directory, const char *name);
int mst_system_open_at(int directory, const char *name, mst_system_access access, int *file);

#endif
