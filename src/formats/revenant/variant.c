/* SPDX-License-Identifier: MIT */
/* Determines the sector of a file by its name, and its variant. */
#include "../../core/diagnose.h"
#include "revenant.h"

static bool number_in(const char **text, int32_t *number) {
    int32_t value = 0;
    const char *p = *text;
    for (; *p >= '0' && *p <= '9' && value < 1000000; p++)
        value = value * 10 + (*p - '0');
    bool any = p != *text && p - *text < 7;
    *text = p;
    *number = value;
    return any;
}

bool mst_revenant_place_of(const char *file_name, mst_revenant_place *place) {
    const char *p = file_name;
    return number_in(&p, &place->level) && *p++ == '_' && number_in(&p, &place->x) && *p++ == '_' &&
           number_in(&p, &place->y) && (*p == 0 || *p == '.');
}

static bool is_sector_name(const char *path) {
    const char *name = path;
    for (const char *p = path; *p; p++)
        if (*p == '/' || *p == '\\')
            name = p + 1;
    mst_revenant_place place;
    const char *dot = strrchr(name, '.');
    return mst_revenant_place_of(name, &place) && dot && strlen(dot) == 4 && (dot[1] | 32) == 'd' &&
           (dot[2] | 32) == 'a' && (dot[3] | 32) == 't';
}

bool mst_revenant_probe(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                        mst_variant *variant) {
    (void)file_size;
    if (size >= 4 && memcmp(bytes, "MAP ", 4) == 0) {
        if (size >= 8) /* else it is truncated */
            variant->version = mst_load32(bytes + 4, false);
        return true;
    }
    /* version 0 has no magic: the file's name must be a sector's */
    bool named = name && is_sector_name(name);
    if (named || !name || !*name)
        variant->version = 0;
    return size >= 4 && named;
}

bool mst_revenant_version_known(uint32_t version) {
    return version <= 15;
}

/* ---- version 0 ---------------------------------------------------------------------------------- */

/* The two layouts of records are equally long after the name. In the later layout the last byte is 0; in the
 * earlier one it is the upper byte of a number, which is never 0. */
#define BASE 42 /* bytes after the name */

typedef enum outcome { FITS, PAST_END, OTHER_LAYOUT, BYTES_LEFT } outcome;
/* How far the file can be read in one of the layouts. */
typedef struct attempt {
    outcome outcome;
    uint64_t object, offset;
    uint64_t slots;    /* slots that are not empty */
    uint64_t agreeing; /* slots that have the byte of this layout */
} attempt;

/* The offset after a record's base: the light, and the data of its class. UINT64_MAX: past the end. */
static uint64_t after_base(const uint8_t *bytes, size_t size, uint64_t base, int32_t class_number,
                           bool early) {
    uint64_t at = base + BASE + (mst_load32(bytes + base, false) & MST_REVENANT_LIGHT ? 19 : 0);
    if (!early && (class_number == MST_REVENANT_MONEY || class_number == MST_REVENANT_AMMUNITION))
        at += 4;
    if (!early && class_number == MST_REVENANT_SCROLL) {
        if (!mst_fits(at, 2, size))
            return UINT64_MAX;
        at += 2 + (uint64_t)mst_load16(bytes + at, false);
    }
    return at <= size ? at : UINT64_MAX;
}

static attempt try_layout(const uint8_t *bytes, size_t size, bool early) {
    attempt a = {.outcome = PAST_END};
    uint32_t count = size >= 4 ? mst_load32(bytes, false) : 0;
    uint64_t at = 4;
    for (; a.object < count; a.object++) {
        a.offset = at;
        if (!mst_fits(at, 2, size))
            return a;
        int32_t class_number = (int16_t)mst_load16(bytes + at, false);
        if (class_number < 0) {
            at += 2;
            continue;
        }
        a.slots++;
        if (early && class_number == MST_REVENANT_EARLY_BARE) {
            if (!mst_fits(at, 4, size))
                return a;
            at += 4;
            continue;
        }
        uint64_t base = mst_fits(at, 5, size) ? at + 5 + bytes[at + 4] : size;
        if (!mst_fits(base, BASE, size))
            return a;
        if ((bytes[base + BASE - 1] != 0) != early) {
            a.outcome = OTHER_LAYOUT;
            a.offset = base + BASE - 1;
            return a;
        }
        a.agreeing++;
        at = after_base(bytes, size, base, class_number, early);
        if (at == UINT64_MAX)
            return a;
    }
    a.offset = at;
    if (size >= 4)
        a.outcome = at == size ? FITS : BYTES_LEFT;
    return a;
}

/* A file with only empty slots has the later layout. */
static uint8_t layout_of_version_0(const uint8_t *bytes, size_t size) {
    attempt late = try_layout(bytes, size, false), early = try_layout(bytes, size, true);
    if (late.outcome == FITS && (early.outcome != FITS || !late.slots))
        return MST_REVENANT_RETAIL;
    return late.outcome != FITS && early.outcome == FITS ? MST_REVENANT_EARLY : MST_REVENANT_RAW;
}

void mst_revenant_explain_raw(const uint8_t *bytes, size_t size, mst_diagnostic *finding) {
    attempt late = try_layout(bytes, size, false), early = try_layout(bytes, size, true);
    const attempt *a = early.agreeing > late.agreeing ? &early : &late;
    const char *name = a == &early ? "earlier" : "later";
    unsigned long long object = a->object;
    finding->offset = a->offset < size ? a->offset : size;
    finding->length = a->offset < size;
    switch (a->outcome) {
    case FITS:
        MST_SET(finding->expected, "one layout that fits");
        MST_SET(finding->found, "two");
        break;
    case PAST_END:
        MST_SET(finding->expected, "all of objects[%llu], in the %s layout", object, name);
        MST_SET(finding->found, "the end of the file");
        break;
    case OTHER_LAYOUT:
        MST_SET(finding->expected, "objects[%llu] in the %s layout, like the objects before it", object,
                name);
        MST_SET(finding->found, "%u where that has %s", bytes[a->offset],
                a == &early ? "another number" : "0");
        break;
    case BYTES_LEFT:
        MST_SET(finding->expected, "the end of the file after %llu objects in the %s layout", object, name);
        MST_SET(finding->found, "%llu bytes more", (unsigned long long)(size - a->offset));
        break;
    }
}

/* ---- all versions ------------------------------------------------------------------------------- */

/* From version 14 on there are two sizes, and the first object shows their order: a body has at least 36
 * bytes, so its size with the inventory is larger than the inventory's. */
mst_status mst_revenant_resolve_variant(const uint8_t *bytes, size_t size, mst_variant *variant,
                                        mst_diagnostic *diagnostic) {
    variant->layout = MST_REVENANT_RETAIL;
    if (variant->version == 0 && size >= 8 && memcmp(bytes, "MAP ", 4) == 0) {
        mst_fail(diagnostic, MST_DAMAGED, "version 0 has no magic");
        if (diagnostic) {
            MST_SET(diagnostic->code, "REV-VERSION");
            MST_SET(diagnostic->path, "version");
            diagnostic->offset = 4;
            diagnostic->length = 4;
            MST_SET(diagnostic->expected, "1 to 15");
            MST_SET(diagnostic->found, "0");
        }
        return MST_DAMAGED;
    }
    if (variant->version == 0)
        variant->layout = layout_of_version_0(bytes, size);
    for (uint64_t at = 16; variant->version >= 14 && mst_fits(at, 2, size); at += 2) {
        if ((int16_t)mst_load16(bytes + at, false) < 0)
            continue;
        if (mst_fits(at, 12, size) && mst_load16(bytes + at + 10, false) >= mst_load16(bytes + at + 8, false))
            variant->layout = MST_REVENANT_PROSE;
        break;
    }
    return MST_OK;
}

int32_t mst_revenant_class_of(const mst_document *document, int32_t stored) {
    if (document->variant.version != 0 || document->variant.layout != MST_REVENANT_EARLY)
        return stored;
    switch (stored) {
    case MST_REVENANT_EARLY_TILE: return MST_REVENANT_TILE;
    case MST_REVENANT_EARLY_EXIT: return MST_REVENANT_EXIT;
    case MST_REVENANT_EARLY_PLAYER: return MST_REVENANT_PLAYER;
    case MST_REVENANT_EARLY_CHARACTER: return MST_REVENANT_CHARACTER;
    default: return stored;
    }
}
