/* SPDX-License-Identifier: MIT */
#include "placement.h"
#include "../core/number.h"
#include <math.h>

const mst_placement_fields *mst_placement_of(const mst_value *element) {
    const mst_field *field = mst_field_of(element);
    return field->record && mst_shape_of(element) == MST_SHAPE_ONE ? field->record->placement : NULL;
}

static bool find_below(void *user, const char *path, mst_value *value) {
    return mst_find(*(const mst_value *)user, path, value, NULL) == MST_OK;
}

unsigned mst_position_of(const mst_value *element, double position[3]) {
    mst_value copy = *element;
    return mst_position_by(mst_placement_of(element), find_below, &copy, position);
}

unsigned mst_position_by(const mst_placement_fields *placement,
                         bool (*find)(void *user, const char *path, mst_value *value), void *user,
                         double position[3]) {
    mst_value value, number;
    unsigned count = 0;
    for (unsigned i = 0; placement && i < 3 && placement->position[i]; i++) {
        if (!find(user, placement->position[i], &value))
            return 0;
        bool list = mst_value_type(&value) == MST_TYPE_LIST;
        uint64_t numbers = list ? mst_count(&value) : 1;
        for (uint64_t k = 0; k < numbers && count < 3; k++) {
            number = value;
            if ((list && mst_element(&value, k, &number) != MST_OK) ||
                mst_get_real(&number, &position[count]) != MST_OK)
                return 0;
            count++;
        }
    }
    return count;
}

unsigned mst_read_position(const mst_document *document, mst_excerpt text, double position[3]) {
    const char *unit = document->format->information.editor_unit;
    size_t unit_length = unit ? strlen(unit) : 0;
    unsigned count = 0;
    text = mst_trimmed(text.text, text.length);
    if (text.length > 1 && text.text[0] == '[' && text.text[text.length - 1] == ']')
        text = (mst_excerpt){text.text + 1, text.length - 2};
    for (bool more = true; more && count < 3; count++) {
        const char *comma = memchr(text.text, ',', text.length);
        more = comma != NULL;
        mst_excerpt one = mst_trimmed(text.text, more ? (size_t)(comma - text.text) : text.length);
        double per = 1;
        if (unit_length && one.length > unit_length &&
            memcmp(one.text + one.length - unit_length, unit, unit_length) == 0) {
            per = document->format->information.editor_per_metre;
            one = mst_trimmed(one.text, one.length - unit_length);
        }
        if (!mst_read_f64(one.text, one.length, &position[count]) || !isfinite(position[count]))
            return 0;
        position[count] /= per;
        if (more)
            text = (mst_excerpt){comma + 1, text.length - (size_t)(comma + 1 - text.text)};
        else
            text.length = 0;
    }
    return text.length ? 0 : count;
}

bool mst_read_range(const mst_document *document, mst_excerpt text, mst_range *range) {
    const char *colon = memchr(text.text, ':', text.length);
    *range = (mst_range){0};
    if (!colon)
        return false;
    mst_excerpt first = {text.text, (size_t)(colon - text.text)};
    mst_excerpt second = {colon + 1, text.length - first.length - 1};
    range->coordinates = mst_read_position(document, first, range->low);
    unsigned others = mst_read_position(document, second, range->high);
    range->round = others == 1 && range->coordinates > 1;
    return range->coordinates > 1 && (range->round || others == range->coordinates);
}

bool mst_is_within(const mst_range *range, const double position[3], unsigned count) {
    double squared = 0;
    for (unsigned i = 0; i < range->coordinates && i < count; i++) {
        double by = position[i] - range->low[i], low = range->low[i], high = range->high[i];
        squared += by * by;
        if (!range->round && !(position[i] >= fmin(low, high) && position[i] <= fmax(low, high)))
            return false;
    }
    return count && (!range->round || squared <= range->high[0] * range->high[0]);
}
