/* SPDX-License-Identifier: MIT */
/* The ids by which numbers refer to elements of lists. */
#include "conditions.h"
#include <stdlib.h>

/* The number at the end of a text. */
static uint64_t number_of_text(const mst_value *text) {
    char characters[64];
    mst_get_text(text, characters, sizeof characters, NULL);
    size_t length = strlen(characters), first = length;
    while (first && characters[first - 1] >= '0' && characters[first - 1] <= '9')
        first--;
    return first < length ? strtoull(characters + first, NULL, 10) : UINT64_MAX;
}

bool mst_refers_number_of(const mst_value *value, uint64_t *id) {
    const mst_field *field = mst_field_of(value);
    bool number = mst_is_number(field) && field->mode == MST_COUNT_ONE;
    if (!number && !mst_is_text(field))
        return false;
    *id = number ? mst_scalar_of(value) & UINT64_MAX >> (64 - 8 * mst_kind_width[field->kind])
                 : number_of_text(value);
    return true;
}

bool mst_refers_id_of(const mst_value *element, const char *key, uint64_t *id) {
    mst_value value;
    return mst_member(element, key, &value) == MST_OK && mst_refers_number_of(&value, id);
}

bool mst_name_of(const mst_value *element, mst_value *name) {
    *name = *element;
    return mst_value_type(element) == MST_TYPE_TEXT || mst_member(element, "name", name) == MST_OK;
}
