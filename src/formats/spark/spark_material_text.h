/* SPDX-License-Identifier: MIT */
/* The text of materials: the positions of names and values in it. */
#ifndef MST_SPARK_SPARK_MATERIAL_TEXT_H
#define MST_SPARK_SPARK_MATERIAL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum mst_material_form { MST_MATERIAL_PAIRS, MST_MATERIAL_XML } mst_material_form;

typedef struct mst_material_text {
    const char *bytes;
    size_t size, at;
    size_t mark; /* size of the byte order mark */
    mst_material_form form;
} mst_material_text;

typedef struct mst_material_value {
    size_t name, name_size, value, value_size; /* without quotes */
} mst_material_value;

mst_material_text mst_material_begin(const void *bytes, size_t size);
/* The next value that can be read; the rest is skipped line by line. */
bool mst_material_next(mst_material_text *text, mst_material_value *value);

/* The first place from `at` on that is neither a blank nor in a comment; the size if there is none. */
size_t mst_material_skip(const char *text, size_t size, size_t at);

/* Whether a value is a number or a list of numbers, which are not in quotes. */
bool mst_material_is_plain(const char *value, size_t size);
/* The text that is usually written before and after a value. */
void mst_material_usual(const char *value, size_t size, char between[4], size_t *between_size, char after[2],
                        size_t *after_size);

/* Whether these texts are read back unchanged. */
bool mst_material_is_name(mst_material_form form, const char *name, size_t size);
bool mst_material_is_between(mst_material_form form, const char *between, size_t size);
bool mst_material_is_value(bool quoted, const char *value, size_t size);

/* Names are compared without case. */
bool mst_material_is_called(const char *name, size_t size, const char *wanted);

#endif
