/* SPDX-License-Identifier: MIT */
#include "sections.h"
#include "../../core/bytes.h"

#include <string.h>

static const mst_field unknown_section_fields[] = {
    MST_ALIEN_SECTION_HEADER,
    {.name = "data",
     .kind = MST_KIND_RAW,
     .mode = MST_COUNT_TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "Not known; kept unchanged."},
    {.name = "padding",
     .kind = MST_KIND_RAW,
     .mode = MST_COUNT_ALIGN,
     .count = 2,
     .flags = MST_FIELD_OUTSIDE,
     .doc = "Padding to an even offset; omitted if it is the standard one."},
};
const mst_record mst_alien_unknown_section = {.name = "unknown_section",
                                              .fields = unknown_section_fields,
                                              .field_count = MST_COUNT_OF(unknown_section_fields),
                                              .doc = "a section that is not known or not valid"};
const mst_field mst_alien_unknown_sections = {.name = "unknown_sections",
                                              .doc = "Other sections, kept unchanged.",
                                              .kind = MST_KIND_RECORD,
                                              .record = &mst_alien_unknown_section,
                                              .flags = MST_FIELD_REPEATED};

bool mst_alien_probe(const uint8_t *bytes, size_t size, const char *type) {
    return size >= 12 && memcmp(bytes, "FORM", 4) == 0 && memcmp(bytes + 8, type, 4) == 0;
}

const uint8_t *mst_alien_find_section(const uint8_t *bytes, size_t size, uint32_t name, uint32_t *length) {
    for (uint64_t at = 12; mst_fits(at, MST_CHUNK_HEADER, size);) {
        *length = mst_load32(bytes + at + 4, true);
        if (!mst_fits(at + MST_CHUNK_HEADER, *length, size))
            return NULL;
        if (mst_load32(bytes + at, true) == name)
            return bytes + at + MST_CHUNK_HEADER;
        at += MST_CHUNK_HEADER + (uint64_t)*length + *length % 2;
    }
    return NULL;
}
