/* SPDX-License-Identifier: MIT */
#include "../extras.h"
#include "revenant.h"
#include "revenant_scene.h"
#include <stdio.h>

/* `suffix` is appended to the field's name. */
static const char *extra_name(mst_revenant_texts *w, const mst_field *field, uint32_t component,
                              const char *suffix) {
    size_t at = ((size_t)(uintptr_t)field / 8 * 31 + component * 7) % MST_REVENANT_NAMES;
    while (w->names[at].field && (w->names[at].field != field || w->names[at].component != component))
        at = (at + 1) % MST_REVENANT_NAMES;
    if (w->names[at].field)
        return w->names[at].text;
    char text[64];
    snprintf(text, sizeof text, "%s%s", field->name, suffix);
    const char *kept = mst_scene_text(w->builder, text, strlen(text));
    if (mst_scene_ok(w->builder) &&
        !MST_UNREACHABLE(w->name_count == MST_REVENANT_NAMES / 2)) { /* there are fewer fields */
        w->names[at] = (mst_revenant_kept_name){field, component, kept};
        w->name_count++;
    }
    return kept;
}

static const char *text_of_flags(mst_revenant_texts *w, const mst_field *field, uint32_t flags) {
    mst_revenant_flag_text *kept = &w->flags[(flags * 2654435761u >> 16) % MST_REVENANT_FLAG_TEXTS];
    if (kept->field == field && kept->flags == flags)
        return kept->text;
    char text[512];
    size_t length = 0;
    for (uint32_t bit = 0; bit < 32; bit++) {
        if (!(flags >> bit & 1))
            continue;
        for (uint32_t i = 0; i < field->names->count; i++) {
            const mst_enum_name *name = &field->names->items[i];
            size_t size = strlen(name->name);
            if (name->value != (int64_t)bit ||
                MST_UNREACHABLE(length + size + 1 >= sizeof text)) /* all names together fit */
                continue;
            if (length)
                text[length++] = ' ';
            memcpy(text + length, name->name, size);
            length += size;
        }
    }
    *kept = (mst_revenant_flag_text){field, flags, mst_scene_text(w->builder, text, length)};
    return kept->text;
}

static void add_numbers(mst_revenant_texts *w, mst_extra_list *list, const mst_value *value) {
    static const char *const axes[3] = {"_x", "_y", "_z"}, *const colors[3] = {"_r", "_g", "_b"};
    const mst_field *field = mst_field_of(value);
    int64_t numbers[3] = {0};
    uint64_t count = 0;
    mst_target target = {.type = MST_I64, .components = 1, .data = numbers, .capacity = 3};
    if (mst_read(value, &target, &count, NULL) != MST_OK)
        return;
    const char *const *suffix = field->kind == MST_KIND_U8 ? colors : axes;
    for (uint32_t i = 0; i < count; i++) {
        if (MST_UNREACHABLE(i == 3)) /* the target has room for 3 */
            break;
        mst_extra_integer(list, extra_name(w, field, i + 1, suffix[i]), numbers[i]);
    }
}

const char *mst_revenant_add_field(mst_revenant_texts *texts, mst_extra_list *list, const mst_value *value) {
    const mst_field *field = mst_field_of(value);
    const char *text = "";
    const void *bytes;
    size_t size = 0;
    int64_t number = 0;
    switch (mst_value_type(value)) {
    case MST_TYPE_BYTES:
        mst_get_bytes(value, &bytes, &size);
        if (size)
            mst_extra_integer(list, extra_name(texts, field, 5, "_bytes"), (int64_t)size);
        break;
    case MST_TYPE_TEXT:
        text = mst_scene_text_of(texts->builder, &texts->builder->arena, value, NULL);
        mst_extra_some_text(list, extra_name(texts, field, 0, ""), text);
        break;
    case MST_TYPE_LIST: add_numbers(texts, list, value); break;
    default:
        mst_get_integer(value, &number);
        mst_extra_integer(list, extra_name(texts, field, 0, ""), number);
        if (field->flags & MST_FIELD_FLAGS)
            mst_extra_some_text(list, extra_name(texts, field, 4, "_names"),
                                text_of_flags(texts, field, (uint32_t)number));
    }
    return text;
}

/* ---- statistics --------------------------------------------------------------------------------- */

typedef struct bound_stat {
    int32_t value;
    mst_value id;
} bound_stat;
static const mst_binding items[] = {MST_BINDING(bound_stat, value, "value"),
                                    MST_BINDING(bound_stat, id, "id")};
const mst_bindings mst_revenant_stat_bindings = MST_BINDINGS(bound_stat, "stat", items),
                   mst_revenant_stat_high_bindings = MST_BINDINGS(bound_stat, "stat_high", items);

void mst_revenant_add_stats(mst_extra_list *list, const mst_bound *bound, const mst_value *stats) {
    char codes[256][8]; /* their number is a u8 */
    size_t count = 0;
    mst_value record;
    for (mst_iterator it = mst_iterate(stats); count < MST_COUNT_OF(codes) && mst_next(&it, &record);
         count++) {
        bound_stat stat = {.value = 0};
        char *code = codes[count];
        unsigned twins = 1;
        mst_fill(bound, &record, &stat);
        code[0] = 0;
        mst_get_text(&stat.id, code, sizeof codes[0], NULL);
        for (size_t end = strlen(code); end && code[end - 1] == ' ';)
            code[--end] = 0;
        for (size_t i = 0; i < count; i++)
            twins += strcmp(codes[i], code) == 0;
        mst_extra_integer(list,
                          twins > 1 ? mst_scene_printf(list->scene, "stat_%s_%u", code, twins)
                                    : mst_scene_printf(list->scene, "stat_%s", code),
                          stat.value);
    }
}
