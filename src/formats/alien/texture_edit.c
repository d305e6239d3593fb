/* SPDX-License-Identifier: MIT */
/* Consequences of edits of a texture file that the tables do not describe: counts, padding, and numbers that
 * levels refer to. */
#include "../../edit/single_edit.h"
#include "alien.h"
#include <stdio.h>
#include <string.h>

#define RECTANGLE_SIZE 6

/* The numbers of elements in these lists, as INFO counts them. */
typedef struct counts {
    uint64_t rectangles, pages, palettes;
} counts;

static uint64_t count_of(const mst_document *document, const char *name, mst_value *list) {
    mst_value root = mst_root(document);
    return mst_member(&root, name, list) == MST_OK ? mst_count(list) : 0;
}

static counts count_all(const mst_document *document) {
    mst_value list, one, rectangles;
    counts all = {.pages = count_of(document, "pages", &list),
                  .palettes = count_of(document, "palettes", &list)};
    if (count_of(document, "rectangle_lists", &list))
        for (mst_iterator it = mst_iterate(&list); mst_next(&it, &one);)
            if (mst_member(&one, "rectangles", &rectangles) == MST_OK)
                all.rectangles += mst_count(&rectangles);
    return all;
}

/* Updates a count in INFO if it was right before. */
static void follow_count(const mst_document *before, const mst_document *after, const char *name,
                         uint64_t was, uint64_t is, uint8_t *bytes) {
    mst_value root = mst_root(before), information, number;
    if (was == is || is > UINT16_MAX || mst_member(&root, "information", &information) != MST_OK ||
        mst_member(&information, name, &number) != MST_OK || mst_scalar_of(&number) != was)
        return;
    root = mst_root(after);
    if (mst_member(&root, "information", &information) == MST_OK &&
        mst_member(&information, name, &number) == MST_OK)
        mst_store16(bytes + number.offset, (uint16_t)is, after->variant.big);
}

void mst_alien_textures_fix_up(const mst_document *before, const mst_document *after, uint8_t *bytes) {
    if (before->size == after->size)
        return;
    const counts was = count_all(before), is = count_all(after);
    follow_count(before, after, "rectangle_count", was.rectangles, is.rectangles, bytes);
    follow_count(before, after, "unknown_08", was.pages, is.pages, bytes);
    follow_count(before, after, "unknown_0a", was.palettes, is.palettes, bytes);
}

/* Whether a list of rectangles belongs to the last section. */
static bool is_last_list(const mst_value *rectangles) {
    mst_value lists, last;
    uint64_t count = count_of(rectangles->document, "rectangle_lists", &lists);
    return count && mst_element(&lists, count - 1, &last) == MST_OK && last.offset <= rectangles->offset;
}

const char *
mst_alien_textures_renumber(const mst_value *list, const mst_document *after, uint64_t index, int by,
                            uint8_t *bytes) { /* NOLINT(readability-non-const-parameter): a hook */
    (void)after, (void)index, (void)by, (void)bytes;
    return strcmp(mst_field_of(list)->name, "rectangles") == 0 && !is_last_list(list)
               ? "levels refer to rectangles by their index through all lists: only rectangles of the last "
                 "list can be inserted or removed"
               : NULL;
}

/* The size of a section of rectangles without its padding; 0: it has none. */
static uint64_t size_of(const mst_value *section, uint64_t *padding) {
    mst_value rectangles, zeros;
    *padding = 0;
    if (mst_member(section, "rectangles", &rectangles) != MST_OK)
        return 0;
    uint64_t size = 2 + RECTANGLE_SIZE * mst_count(&rectangles);
    if (mst_member(section, "padding", &zeros) == MST_OK)
        *padding = mst_value_after(&zeros) - zeros.offset;
    return size;
}

/* If all sections had sizes that are multiples of four, pads them to such sizes again. */
mst_status mst_alien_textures_settle(const mst_document *before, mst_document *after,
                                     const struct mst_edit_options *options, mst_diagnostic *diagnostic) {
    mst_value lists, section;
    uint64_t padding;
    (void)options;
    if (!count_of(before, "rectangle_lists", &lists))
        return MST_OK;
    for (mst_iterator it = mst_iterate(&lists); mst_next(&it, &section);)
        if ((size_of(&section, &padding) + padding) % 4)
            return MST_OK;
    mst_status status = MST_OK;
    for (uint64_t i = 0; status == MST_OK && i < count_of(after, "rectangle_lists", &lists); i++) {
        if (mst_element(&lists, i, &section) != MST_OK)
            return MST_OK;
        uint64_t size = size_of(&section, &padding);
        char path[64];
        snprintf(path, sizeof path, "rectangle_lists[%llu].padding", (unsigned long long)i);
        if (size && (size + padding) % 4)
            status = mst_edit_set(after, path, size % 4 ? "\"0000\"" : "\"\"", diagnostic);
    }
    return status;
}
