/* SPDX-License-Identifier: MIT */
/* The files that documents name: found, and by their names. */
#ifndef MST_FILES_NAMED_FILES_H
#define MST_FILES_NAMED_FILES_H

#include "../read/engine.h"
#include <mapstone/asset.h>

#define MST_ASSET_NAME 512 /* bytes of a name with its NUL; longer ones are truncated, and not found */

/* A name in normal form, in which it is searched for: '/' between directories. False: it leads out of the
 * root, is hidden, or must not name a file for another reason. */
bool mst_asset_name(const char *name, size_t length, char plain[MST_ASSET_NAME]);
/* Whether a file has an extension of files that levels name. */
bool mst_asset_ends(const char *file);

/* Passes a text that is not empty on to `take`. */
mst_status mst_take_text(mst_take_name take, void *taker, mst_asset_kind kind, const mst_value *value,
                         const char *path);

/* The asset with that name, ignoring case; NULL: there is none. */
const mst_asset *mst_asset_called(const mst_assets *list, mst_asset_kind kind, const char *name);

#endif
