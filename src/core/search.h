/* SPDX-License-Identifier: MIT */
/* More functions of a search. */
#ifndef MST_CORE_SEARCH_H
#define MST_CORE_SEARCH_H

#include <mapstone/search.h>

/* From now on files are read instead of mapped; see mst_open_file. */
void mst_search_unmapped(mst_search *search);
/* The path of the file that was found last, for messages; NULL if none was. */
const char *mst_search_found(const mst_search *search);
/* The path of a directory below those added that could not be read, and counts as empty; each is returned
 * once. NULL: there are no more. */
const char *mst_search_unread(mst_search *search);

/* From now on symbolic links, and files reached through one below the added directories, count as missing. */
void mst_search_unlinked(mst_search *search);

#endif
