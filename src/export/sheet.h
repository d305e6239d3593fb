/* SPDX-License-Identifier: MIT */
/* Contact sheets: many small pictures with their names. */
#ifndef MST_EXPORT_SHEET_H
#define MST_EXPORT_SHEET_H

#include <mapstone/pixels.h>

/* A picture on a contact sheet. */
typedef struct mst_sheet_item {
    const mst_pixels *pixels; /* of any size; NULL: the square stays empty */
    const char *name;         /* UTF-8, cut to the square's width; NULL: none */
} mst_sheet_item;

/* Draws pictures into squares of `side` pixels (32..8192; 0: 192) with their names below, in rows, as PNG, in
 * memory for one row of pictures: a picture is needed only while it is added. `count`: the number of
 * pictures, which determines the layout; if fewer are added, the last places stay background. MST_REFUSED:
 * the sheet would take more than 16384 pixels across and down. */
typedef struct mst_sheet mst_sheet;
mst_status mst_sheet_begin(size_t count, uint32_t side, mst_sink sink, mst_sheet **sheet,
                           mst_diagnostic *diagnostic);
/* MST_ARGUMENT: `count` pictures have been added already. */
mst_status mst_sheet_add(mst_sheet *sheet, const mst_sheet_item *item, mst_diagnostic *diagnostic);
/* Writes the rest, or nothing if no picture was added, and frees the sheet, even after a failure, which it
 * returns. */
mst_status mst_sheet_end(mst_sheet *sheet, mst_diagnostic *diagnostic);

#endif
