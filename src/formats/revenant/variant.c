/* SPDX-License-Identifier: MIT */
/* Which sector a file is, by its name, and in which variant it is stored. */
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
    /* version 0 has no magic: the file's name must be that of a sector */
    bool named = name && is_sector_name(name);
    if (named || !name || !*name)
        variant->version = 0;
    return size >= 4 && named;
}

bool mst_revenant_version_known(uint32_t version) {
    return version <= 15;
}

/* Version 0 has two layouts of records, equally long after the name. Their last byte is 0 in the later one,
 * and in the earlier one the upper byte of a number that is never 0. All records of a file must agree; if
 * they do not, the layout is unknown. */
#define EARLY_BASE 42 /* bytes after the name */
static uint8_t layout_of_version_0(const uint8_t *bytes, size_t size) {
    uint32_t count = size >= 4 ? mst_load32(bytes, false) : 0;
    uint64_t at = 4;
    bool known = false, early = false;
    for (uint32_t i = 0; i < count && mst_fits(at, 5, size); i++) {
        int16_t class_number = (int16_t)mst_load16(bytes + at, false);
        if (class_number < 0) {
            at += 2;
            continue;
        }
        if (class_number == MST_REVENANT_EARLY_BARE && (early || !known)) {
            at += 4;
            continue;
        }
        uint64_t base = at + 5 + bytes[at + 4];
        if (!mst_fits(base, EARLY_BASE, size))
            break; /* opening it fails */
        bool is_early = bytes[base + EARLY_BASE - 1] != 0;
        if (known && is_early != early)
            return MST_REVENANT_RAW;
        known = true;
        early = is_early;
        at = base + EARLY_BASE + (mst_load32(bytes + base, false) & MST_REVENANT_LIGHT ? 19 : 0);
        if (!early && class_number == MST_REVENANT_SCROLL && mst_fits(at, 2, size))
            at += 2 + (uint64_t)mst_load16(bytes + at, false);
        if (!early && (class_number == MST_REVENANT_MONEY || class_number == MST_REVENANT_AMMUNITION))
            at += 4;
    }
    return early ? MST_REVENANT_EARLY : MST_REVENANT_RETAIL;
}

/* From version 14 on there are two sizes, and the first object shows their order: a body has at least 36
 * bytes, so its size with the inventory is larger than that of the inventory. */
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

/* Version 0 may have layouts that nobody has described. */
bool mst_revenant_fallback(mst_variant *variant) {
    if (variant->version != 0 ||
        MST_UNREACHABLE(variant->layout == MST_REVENANT_RAW)) /* MST_REVENANT_RAW holds any bytes */
        return false;
    variant->layout = MST_REVENANT_RAW;
    return true;
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
