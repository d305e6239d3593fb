/* SPDX-License-Identifier: MIT */
#include "changed_parts.h"
#include "change_lines.h"
#include <float.h>
#include <mapstone/facts.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- bits ------------------------------------------------------------------------------------------- */

typedef struct naming {
    const mst_document *document;
    stream names;
    size_t count, unnamed;
} naming;

static mst_status put_named(void *user, const mst_reference *reference) {
    naming *n = user;
    mst_value element, name;
    char text[200];
    const char *said = reference->to;
    if (mst_find(mst_root(n->document), reference->to, &element, NULL) == MST_OK &&
        mst_member(&element, "name", &name) == MST_OK && mst_value_type(&name) == MST_TYPE_TEXT &&
        mst_get_text(&name, text, sizeof text, NULL) == MST_OK && *text)
        said = text;
    n->unnamed += said == reference->to;
    put_text(&n->names, n->count++ ? ", " : "");
    put_text(&n->names, said);
    return MST_OK;
}

/* The facts of a value whose bits reference elements; false for any other value. */
static bool take_bits(const mst_value *value, mst_value_facts *facts) {
    mst_value one = *value;
    *facts = (mst_value_facts){.size = sizeof *facts};
    if (mst_value_type(value) == MST_TYPE_NONE ||
        (mst_value_type(value) == MST_TYPE_LIST && mst_element(value, 0, &one) != MST_OK))
        return false;
    return mst_value_facts_of(&one, facts) == MST_OK && facts->meaning == MST_MEANS_ELEMENT && facts->bits;
}

/* The same for a number that is an element's id: the number of a group. */
static bool take_id(const mst_value *value, mst_value_facts *facts) {
    *facts = (mst_value_facts){.size = sizeof *facts};
    return mst_value_type(value) == MST_TYPE_INTEGER && mst_value_facts_of(value, facts) == MST_OK &&
           facts->meaning == MST_MEANS_ELEMENT && !facts->bits && facts->key;
}

static size_t count_bits(const mst_value *value) {
    const bool is_list = mst_value_type(value) == MST_TYPE_LIST;
    size_t count = 0;
    for (uint64_t i = 0; i < (is_list ? mst_count(value) : 1); i++) {
        mst_value one = *value;
        uint64_t bits = 0;
        if ((!is_list || mst_element(value, i, &one) == MST_OK) && mst_get_unsigned(&one, &bits) == MST_OK)
            for (; bits; bits &= bits - 1)
                count++;
    }
    return count;
}

/* "Lights, Props" for bits, "Vents" for an id; NULL if the value is neither, or if it references nothing or
 * something without a name. */
static char *names_of(const mst_value *value, const char *list, uint64_t index, const char *path) {
    mst_value_facts facts;
    const bool is_id = take_id(value, &facts);
    if (!is_id && !take_bits(value, &facts))
        return NULL;
    naming n = {.document = value->document, .names = stream_memory()};
    stream whole = stream_memory();
    mst_diagnostic why;
    if (*list)
        print(&whole, "%s[%llu].", list, (unsigned long long)index);
    put(&whole, path, strlen(path) + 1);
    const mst_status status = mst_references(n.document, whole.data, 0, put_named, &n, &why);
    stream_free(&whole);
    if (status != MST_OK ||
        (is_id ? n.count != 1 || n.unnamed
               : n.count != count_bits(value))) { /* bits that reference nothing must not be omitted */
        stream_free(&n.names);
        return NULL;
    }
    put_text(&n.names, n.count ? "" : "none");
    put(&n.names, "", 1);
    return n.names.data;
}

/* "layer" for "layer_masks" of elements of "layers". */
static void name_path(const char *list_path, char **path) {
    const char *dot = strrchr(*path, '.'), *list = strrchr(list_path, '.');
    list = list ? list + 1 : list_path;
    const size_t length = strlen(list);
    if (!length || list[length - 1] != 's')
        return;
    stream made = stream_memory();
    put(&made, *path, dot ? (size_t)(dot + 1 - *path) : 0);
    put(&made, list, length - 1);
    put(&made, "", 1);
    free(*path);
    *path = made.data;
}

/* The name of the element with an id, or the number if the element has no name. */
static char *name_of_id(const mst_value *value, const char *list, uint64_t index, const char *path,
                        bool *named) {
    const mst_value none = {.document = NULL};
    bool said;
    char *name = names_of(value, list, index, path);
    *named = *named || name;
    return name ? name : changed_value(value, &none, false, &said);
}

bool changed_names(const mst_difference *change, char **old_text, char **new_text, char **path) {
    const mst_value *old_value = &change->old_value, *new_value = &change->new_value;
    const bool was = mst_value_type(old_value) != MST_TYPE_NONE,
               is = mst_value_type(new_value) != MST_TYPE_NONE;
    mst_value_facts facts;
    char *old = NULL, *now = NULL;
    bool named = false;
    if (take_id(was ? old_value : new_value, &facts)) {
        old = name_of_id(old_value, change->list, change->old_index, change->path, &named);
        now = name_of_id(new_value, change->list, change->new_index, change->path, &named);
    } else if (take_bits(was ? old_value : new_value, &facts)) {
        old = was ? names_of(old_value, change->list, change->old_index, change->path) : need(strdup(""));
        now = is ? names_of(new_value, change->list, change->new_index, change->path) : need(strdup(""));
        named = old && now;
    }
    if (!named) {
        free(old);
        free(now);
        return false;
    }
    *old_text = old;
    *new_text = now;
    if (facts.bits)
        name_path(facts.list, path);
    return true;
}

char *changed_name_in(const mst_value *value, const char *list, uint64_t index, char **path) {
    mst_value_facts facts;
    char *names = names_of(value, list, index, *path);
    if (names && take_bits(value, &facts))
        name_path(facts.list, path);
    return names;
}

/* ---- names of types --------------------------------------------------------------------------------- */

/* The name of an element identified only by another one's id: the faces of a group. */
static char *name_of_key(const mst_difference *change) {
    const uint64_t index = change->old_index == MST_NOWHERE ? change->new_index : change->old_index;
    return change->known_by_count == 1 && !strcmp(change->known_by[0].path, "id")
               ? names_of(&change->known_by[0].value, change->list, index, change->known_by[0].path)
               : NULL;
}

char *changed_label(const mst_difference *change, const mst_resolver *sidecars) {
    const mst_value *element = change->old_index == MST_NOWHERE ? &change->new_element : &change->old_element;
    char name[200] = "";
    stream label = stream_memory();
    char *named = name_of_key(change);
    put_text(&label, named ? named : change->label);
    free(named);
    if (sidecars && *change->list &&
        mst_added_column(element, "type_name", sidecars, name, sizeof name) == MST_OK && *name &&
        !strstr(change->label, name))
        print(&label, "%s\"%s\"", label.size ? " " : "", name);
    put(&label, "", 1);
    return label.data;
}

/* ---- distances and sizes ---------------------------------------------------------------------------- */

/* The three numbers of a position; false if it is not a position. */
static bool take_position(const mst_value *value, double position[3], const char **unit) {
    mst_value at = *value, one;
    while (mst_value_type(&at) == MST_TYPE_LIST && mst_count(&at) == 1 && mst_element(&at, 0, &at) == MST_OK)
        ;
    if (mst_value_type(&at) != MST_TYPE_LIST || mst_count(&at) != 3)
        return false;
    for (uint64_t i = 0; i < 3; i++)
        if (mst_element(&at, i, &one) != MST_OK || mst_get_real(&one, &position[i]) != MST_OK)
            return false;
    *unit = mst_value_field(&one).unit;
    return true;
}

/* In the form that `move` accepts: "0,0,30", each number with the fewest decimals that are exact to 0.0001 or
 * to the precision of a float near `at`. */
static char *distance_text(const double by[3], const double at[3]) {
    stream text = stream_memory();
    for (size_t i = 0; i < 3; i++) {
        char number[64] = "";
        const double held = fabs(at[i]) * FLT_EPSILON, close = held > 1e-4 ? held : 1e-4;
        for (int decimals = 0; decimals <= 4; decimals++) {
            snprintf(number, sizeof number, "%.*f", decimals, by[i]);
            if (fabs(strtod(number, NULL) - by[i]) <= close)
                break;
        }
        print(&text, "%s%s", i ? "," : "", strcmp(number, "-0") != 0 ? number : "0");
    }
    put(&text, "", 1);
    return text.data;
}

char *changed_distance(const mst_difference *change, double *distance, const char **unit) {
    static const char *const names[] = {"origin", "position"};
    static const double nothing[3] = {0, 0, 0};
    const char *dot = strrchr(change->path, '.'), *name = dot ? dot + 1 : change->path;
    double was[3], is[3], by[3], sum = 0;
    *distance = -1;
    if (change->moves_whole)
        return distance_text(change->moved_by, nothing);
    if (change->kind != MST_DIFFERENCE_SET || (strcmp(name, names[0]) != 0 && strcmp(name, names[1]) != 0) ||
        !take_position(&change->old_value, was, unit) || !take_position(&change->new_value, is, unit))
        return NULL;
    for (size_t i = 0; i < 3; i++) {
        by[i] = is[i] - was[i];
        sum += by[i] * by[i];
    }
    *distance = sqrt(sum);
    return distance_text(by, is);
}

uint64_t changed_bytes(const mst_value *value) {
    const void *bytes;
    size_t size;
    if (mst_value_type(value) != MST_TYPE_BYTES || mst_get_bytes(value, &bytes, &size) != MST_OK)
        return 0;
    return size;
}

bool changed_same_shape(const char *a, const char *b) {
    for (; *a && *a == *b; a++, b++)
        if (*a == '[') {
            a += strcspn(a, "]");
            b += strcspn(b, "]");
        }
    return *a == *b;
}

void changed_put_bytes(stream *to, const char *path, uint64_t bytes) {
    size_t length = strlen(path);
    char digits[32];
    while (length && path[length - 1] == ']') /* skips the indices of the parts */
        do
            length--;
        while (length && path[length] != '[');
    put(to, path, length);
    put_text(to, ": ");
    const int count = snprintf(digits, sizeof digits, "%llu", (unsigned long long)bytes);
    for (int i = 0; i < count; i++)
        print(to, "%s%c", i && (count - i) % 3 == 0 ? "," : "", digits[i]);
    put_text(to, " bytes");
}
