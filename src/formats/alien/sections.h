/* SPDX-License-Identifier: MIT */
/* The container of named sections that both formats of Alien Trilogy share. */
#ifndef MST_ALIEN_SECTIONS_H
#define MST_ALIEN_SECTIONS_H

#include "../../tables/words.h"

#define LENGTH_OF(list, variable) .length_of = (list), BIND(variable)
#define COUNTED(r, variable)                                                                                 \
    .kind = MST_KIND_RECORD, .mode = MST_COUNT_VARIABLE, .count_variable = (variable), .record = &(r)

#define MST_ALIEN_SECTION_HEADER                                                                             \
    {.name = "name",                                                                                         \
     .kind = MST_KIND_CHAR8,                                                                                 \
     FIXED(4),                                                                                               \
     .doc = "Of the section: a letter or two, and its number."},                                             \
    {                                                                                                        \
        .name = "size", U32, .flags = MST_FIELD_SIZE | MST_FIELD_BIG                                         \
    }

#define MST_ALIEN_TRAILING(...)                                                                              \
    {                                                                                                        \
        .name = "trailing", .kind = MST_KIND_RAW, .mode = MST_COUNT_TO_END,                                  \
        .flags = MST_FIELD_OMIT_EMPTY | MST_FIELD_OUTSIDE,                                                   \
        .doc = "Bytes after the container, kept unchanged.", __VA_ARGS__                                     \
    }

#define MST_ALIEN_PROBLEM_CODES(magic, size)                                                                 \
    {                                                                                                        \
        [MST_PROBLEM_MAGIC] = magic, [MST_PROBLEM_VERSION] = magic, [MST_PROBLEM_OVERRUN] = size,            \
        [MST_PROBLEM_STRING] = size, [MST_PROBLEM_COUNT] = size, [MST_PROBLEM_TRAILING] = size               \
    }

/* Unknown or invalid sections; the first record of both formats. */
extern const mst_record mst_alien_unknown_section;
extern const mst_field mst_alien_unknown_sections;

/* Models; the second to fourth record of the formats that have them. */
extern const mst_record mst_alien_model_quad, mst_alien_model_vertex, mst_alien_model;
bool mst_alien_accepts_model(const uint8_t *content, uint64_t size, bool big);

/* Whether the bytes begin a container of that type. */
bool mst_alien_probe(const uint8_t *bytes, size_t size, const char *type);
/* The content of the first section of that name; NULL if the file has none. */
const uint8_t *mst_alien_find_section(const uint8_t *bytes, size_t size, uint32_t name, uint32_t *length);

#endif
