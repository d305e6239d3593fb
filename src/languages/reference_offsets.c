/* SPDX-License-Identifier: MIT */
/* The offsets of fields, which are the same in all files of some versions. */
#include "reference.h"

#define VERSIONS 64 /* no format has a higher one */
#define NESTING  8  /* of records of fixed size */

#define ABSENT UINT64_MAX
#define VARIES (UINT64_MAX - 1)

static uint64_t size_of_record(const mst_record *record, mst_variant variant, unsigned depth);

/* 0: not fixed. The recursion is as deep as the tables, and limited. */
static uint64_t size_of_field(const mst_field *field, mst_variant variant, unsigned depth) {
    uint64_t width = mst_kind_width[field->kind];
    if (field->kind == MST_KIND_RECORD && depth < NESTING)
        width = size_of_record(field->record, variant, depth + 1);
    return field->mode == MST_COUNT_ONE ? width : field->mode == MST_COUNT_FIXED ? width * field->count : 0;
}

/* The offset of the field, or with `field` past the last one the record's size. */
static uint64_t offset_in(const mst_record *record, uint16_t field, mst_variant variant, unsigned depth) {
    uint64_t offset = 0;
    for (uint16_t i = 0; i < field; i++) {
        mst_presence presence = mst_presence_in(&record->fields[i], variant);
        if (presence == MST_ABSENT)
            continue;
        uint64_t size = size_of_field(&record->fields[i], variant, depth);
        if (presence == MST_DEPENDS || !size || record->archive)
            return VARIES;
        offset += size;
    }
    return offset;
}

static uint64_t size_of_record(const mst_record *record, mst_variant variant, unsigned depth) {
    uint64_t size = offset_in(record, record->field_count, variant, depth);
    return size == VARIES ? 0 : size;
}

static unsigned layout_count(const mst_format *format) {
    return format->identity.layout_count ? format->identity.layout_count : 1;
}

/* The same in all layouts and byte orders of a version that have the field. */
static uint64_t offset_of_version(const mst_format *format, const mst_record *record, uint16_t field,
                                  uint32_t version, unsigned layouts) {
    mst_variant variant = mst_default_variant(format);
    uint64_t all = ABSENT;
    bool last = (record->fields[field].flags & (MST_FIELD_LAST | MST_FIELD_OUTSIDE)) != 0;
    variant.version = version;
    for (unsigned i = 0; i < 2 * layout_count(format); i++) {
        variant.layout = (uint8_t)(i / 2);
        variant.big = i % 2 != 0;
        if (!(layouts >> variant.layout & 1) ||
            mst_presence_in(&record->fields[field], variant) == MST_ABSENT)
            continue;
        uint64_t one = last || record->archive ? VARIES : offset_in(record, field, variant, 0);
        all = all == ABSENT || all == one ? one : VARIES;
    }
    return all;
}

static bool has_version(const mst_format *format, uint32_t version) {
    return format->identity.version_known ? format->identity.version_known(version)
                                          : version == mst_default_variant(format).version;
}

bool mst_reference_fixed(const mst_format *format, const mst_record *record, uint16_t field,
                         uint32_t *offset) {
    uint64_t found =
        offset_of_version(format, record, field, mst_default_variant(format).version, MST_ALL_LAYOUTS);
    *offset = found < VARIES ? (uint32_t)found : 0;
    return found < VARIES;
}

void mst_reference_offset(mst_output *out, const mst_format *format, const mst_record *record, uint16_t field,
                          uint32_t base, unsigned layouts) {
    uint64_t offsets[VERSIONS], only = ABSENT;
    bool same = true, any = false;
    for (uint32_t version = 0; version < VERSIONS; version++) {
        uint64_t one = has_version(format, version)
                           ? offset_of_version(format, record, field, version, layouts)
                           : ABSENT;
        same = same && (one == ABSENT || only == ABSENT || one == only);
        only = one == ABSENT ? only : one;
        offsets[version] = one;
    }
    if (same && only < VARIES)
        mst_output_format(out, "%llu", (unsigned long long)only + base);
    for (uint32_t first = 0, last; !same && first < VERSIONS; first = last + 1) {
        last = first;
        while (last + 1 < VERSIONS && offsets[last + 1] == offsets[first])
            last++;
        if (offsets[first] >= VARIES)
            continue;
        mst_output_format(out, "%s%llu ", any ? ", " : "", (unsigned long long)offsets[first]);
        if (first == last)
            mst_output_format(out, "(version %u)", first);
        else
            mst_output_format(out, "(%u-%u)", first, last);
        any = true;
    }
}

bool mst_reference_has_field(const mst_format *format, const mst_field *field, unsigned layouts) {
    mst_variant variant = mst_default_variant(format);
    bool has = field->directory > MST_NOT_STORED; /* only in the file */
    for (uint32_t i = 0; i < VERSIONS * 2 * layout_count(format) && !has; i++) {
        variant.version = i % VERSIONS;
        variant.big = i / VERSIONS % 2 != 0;
        variant.layout = (uint8_t)(i / VERSIONS / 2);
        has = has_version(format, variant.version) && layouts >> variant.layout & 1 &&
              mst_presence_in(field, variant) != MST_ABSENT;
    }
    return has;
}

bool mst_reference_holds_always(const mst_format *format, const mst_when *when, unsigned layouts) {
    const mst_field only = {.when = {*when}};
    mst_variant variant = mst_default_variant(format);
    bool holds = when->variable == MST_VARIABLE_VERSION || when->variable == MST_VARIABLE_LAYOUT;
    for (uint32_t i = 0; i < VERSIONS * layout_count(format) && holds; i++) {
        variant.version = i % VERSIONS;
        variant.layout = (uint8_t)(i / VERSIONS);
        holds = !has_version(format, variant.version) || !(layouts >> variant.layout & 1) ||
                mst_presence_in(&only, variant) == MST_PRESENT;
    }
    return holds;
}
