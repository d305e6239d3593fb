/* SPDX-License-Identifier: MIT */
/* Consequences of edits of a level that the tables do not describe: links of new sectors, flags of areas. */
#include "../../edit/single_edit.h"
#include "../present.h"
#include "turok.h"

#define SOLID 0xFFFFu

/* ---- links -------------------------------------------------------------------------------------- */

typedef struct sectors {
    mst_column vertices, links;
    unsigned step;
} sectors;

static uint16_t vertex_of(const sectors *s, uint64_t sector, unsigned k) {
    return mst_column_u16(&s->vertices, sector, k % 3);
}

/* The only other sector with an edge of sector `own`, if it is on the other side of it. False: there is none,
 * or there are several. */
static bool find_mate(const sectors *s, uint64_t own, unsigned e, uint64_t *mate, unsigned *edge) {
    uint16_t a = vertex_of(s, own, e), b = vertex_of(s, own, e + s->step);
    unsigned found = 0;
    bool opposite = false;
    for (uint64_t i = 0; a != b && found < 2 && i < s->vertices.count; i++)
        for (unsigned k = 0; i != own && k < 3; k++) {
            uint16_t c = vertex_of(s, i, k), d = vertex_of(s, i, k + s->step);
            if ((a != c || b != d) && (a != d || b != c))
                continue;
            found++;
            opposite = a == d;
            *mate = i;
            *edge = k;
        }
    return found == 1 && opposite;
}

mst_status mst_turok_fill(mst_document *document, const mst_field *list, const char *path, uint64_t index,
                          mst_diagnostic *diagnostic) {
    mst_value value;
    uint8_t *bytes = mst_edit_bytes(document);
    (void)diagnostic;
    if (strcmp(list->name, "sectors") != 0 || mst_find(mst_root(document), path, &value, NULL) != MST_OK)
        return MST_OK;
    sectors s = {.vertices = mst_column_in(&value, "vertices"), .links = mst_column_in(&value, "links")};
    s.step = mst_turok_link_step(document, &s.vertices, &s.links);
    for (unsigned e = 0; e < 3; e++) {
        uint64_t mate = 0;
        unsigned edge = 0;
        if (!find_mate(&s, index, e, &mate, &edge))
            continue;
        uint16_t there = mst_column_u16(&s.links, index, e), back = mst_column_u16(&s.links, mate, edge);
        if ((there != SOLID && there != mate) || back != SOLID)
            continue; /* an explicit link is kept */
        uint64_t from = mst_column_offset(document, &s.links, index) + 2 * e,
                 to = mst_column_offset(document, &s.links, mate) + 2 * edge;
        mst_store16(bytes + from, (uint16_t)mate, s.links.big);
        mst_store16(bytes + to, (uint16_t)index, s.links.big);
    }
    return MST_OK;
}

/* ---- flags of areas ----------------------------------------------------------------------------- */

/* Sectors have their area's lower 16 flags; some have additional flags, which are kept. */
static void follow_flags(const mst_document *before, const mst_document *after, uint8_t *bytes) {
    mst_value root = mst_root(before), collision = mst_member_in(&root, "collision"),
              sets = mst_member_in(&collision, "sector_sets");
    mst_column old = mst_column_in(&sets, "flags");
    root = mst_root(after);
    collision = mst_member_in(&root, "collision");
    sets = mst_member_in(&collision, "sector_sets");
    mst_value list = mst_member_in(&collision, "sectors");
    mst_column now = mst_column_in(&sets, "flags"), flags = mst_column_in(&list, "flags"),
               areas = mst_column_in(&list, "sector_set");
    uint64_t count = old.count < now.count ? old.count : now.count;
    bool changed = false;
    for (uint64_t i = 0; i < count && !changed; i++)
        changed = (uint16_t)(mst_column_u32(&old, i, 0) ^ mst_column_u32(&now, i, 0)) != 0;
    for (uint64_t i = 0; changed && i < flags.count; i++) {
        uint16_t area = mst_column_u16(&areas, i, 0);
        if (area >= count)
            continue;
        uint16_t was = (uint16_t)mst_column_u32(&old, area, 0), is = (uint16_t)mst_column_u32(&now, area, 0),
                 own = mst_column_u16(&flags, i, 0);
        own = (uint16_t)((own & ~(was & ~is)) | (is & ~was));
        mst_store16(bytes + mst_column_offset(after, &flags, i), own, flags.big);
    }
}

bool mst_turok_reaches(const char *path) {
    static const char *const lists[] = {"grid_sections", "collision.sector_sets", "collision.vertices",
                                        "actors"};
    for (size_t i = 0; i < MST_COUNT_OF(lists); i++)
        if (strncmp(path, lists[i], strlen(lists[i])) == 0)
            return true;
    return false;
}

mst_status mst_turok_settle(const mst_document *before, mst_document *after, const mst_edit_options *options,
                            mst_diagnostic *diagnostic) {
    follow_flags(before, after, mst_edit_bytes(after));
    mst_status status = mst_turok_settle_grid(before, after, diagnostic);
    return status == MST_OK ? mst_turok_settle_actors(before, after, options) : status;
}

const char *mst_turok_blank(const mst_document *document, const mst_field *list) {
    (void)document;
    if (strcmp(list->name, "static_meshes") == 0)
        return "{\"scale\":[1,1,1],\"rotation\":[0,0,0,1],\"texture\":-1,\"sector\":-1,\"cull_bits\":-1}";
    return strcmp(list->name, "records") == 0 ? "{\"scale\":[1,1,1]}" : NULL;
}
