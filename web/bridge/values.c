/* SPDX-License-Identifier: MIT */
/* Reading documents: values, outlines, JSON, checks. */
#include "../../cli/output/show.h"
#include "bridge.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one value, or the matches of a selector ----------------------------------------------------------- */

static mst_status put_selected(void *user, const char *path, const mst_value *value) {
    stream *to = user;
    put_text(to, to->size == 1 ? "{" : ",{");
    put_json_member(to, "path", path);
    put_json_key(to, "value");
    put_value_json(to, value);
    put_text(to, "}");
    return MST_OK;
}

mst_status web_get(answer *to, const opened *of, uint32_t index, const char *path) {
    const mst_document *document = opened_document(of, index, to);
    if (!document)
        return answer_end(to, MST_ARGUMENT);
    if (mst_is_selector(path, 0) && !strchr(path, '@')) {
        mst_selected found;
        put_text(&to->text, "[");
        mst_status status = mst_select(mst_root(document), path, put_selected, &to->text, &found, &to->why);
        put_text(&to->text, "]");
        return answer_end(to, status);
    }
    mst_document *inside;
    mst_value value;
    mst_status status = find_inside(document, path, &inside, &value, &to->why);
    if (status == MST_OK)
        put_value_json(&to->text, &value);
    mst_close(inside);
    return answer_end(to, status);
}

mst_status web_dump(answer *to, const opened *of, uint32_t index, const char *path, int compact) {
    const mst_document *document = opened_document(of, index, to);
    if (!document)
        return answer_end(to, MST_ARGUMENT);
    const mst_json_options how = {.size = sizeof how, .compact = compact};
    mst_document *inside = NULL;
    mst_value value = mst_root(document);
    mst_status status = *path ? find_inside(document, path, &inside, &value, &to->why) : MST_OK;
    if (status == MST_OK)
        status = mst_write_json(&value, &how, stream_sink(&to->text), &to->why);
    mst_close(inside);
    return answer_end(to, status);
}

/* ---- outlines -------------------------------------------------------------------------------------------
 */

static const char *const types[] = {"none", "bool", "integer", "real", "text", "bytes", "record", "list"};

const char *type_name(const mst_value *value) {
    return types[mst_value_type(value)];
}

static void put_place_of(stream *to, const mst_document *document, const mst_value *value) {
    uint64_t offset, length;
    mst_place place;
    mst_value_span(value, &offset, &length);
    if (mst_place_of(document, offset, length, &place) != MST_OK)
        return;
    put_json_key(to, "place");
    put_place(to, &place);
}

/* A row of the outline. `place` is false in unpacked content, whose bytes are not in a file. */
static void put_row(stream *to, const mst_value *value, const char *name, const char *path, bool place) {
    const mst_type type = mst_value_type(value);
    const mst_field_information field = mst_value_field(value);
    put_text(to, "{");
    put_json_member(to, "name", name);
    put_json_member(to, "path", path);
    put_json_member(to, "type", types[type]);
    put_json_member(to, "kind", field.type_name ? field.type_name : "");
    if (field.unit && *field.unit)
        put_json_member(to, "unit", field.unit);
    if (field.documentation && *field.documentation)
        put_json_member(to, "documentation", field.documentation);
    if (type == MST_TYPE_LIST || type == MST_TYPE_RECORD)
        print(to, ",\"count\":%llu", (unsigned long long)mst_count(value));
    stream words = stream_memory();
    if (type == MST_TYPE_RECORD)
        put_label(&words, value);
    else
        put_value_short(&words, value);
    put_json_key(to, type == MST_TYPE_RECORD ? "label" : "text");
    put_json_string(to, words.data ? words.data : "", words.size);
    stream_free(&words);
    if (is_scalar(value) || is_short_list(value, 16)) {
        put_json_key(to, "value");
        put_value_json(to, value);
    }
    if (place)
        put_place_of(to, value->document, value);
    put_text(to, "}");
}

mst_status web_tree(answer *to, const opened *of, uint32_t index, const char *path, uint32_t first,
                    uint32_t count) {
    const mst_document *document = opened_document(of, index, to);
    if (!document)
        return answer_end(to, MST_ARGUMENT);
    mst_document *inside = NULL;
    mst_value value = mst_root(document), child;
    mst_status status = *path ? find_inside(document, path, &inside, &value, &to->why) : MST_OK;
    if (status != MST_OK) {
        mst_close(inside);
        return answer_end(to, status);
    }
    bool list = mst_value_type(&value) == MST_TYPE_LIST;
    stream below = stream_memory();
    put_text(&to->text, "{\"row\":");
    put_row(&to->text, &value, mst_value_field(&value).name, path, !inside);
    put_text(&to->text, ",\"rows\":[");
    mst_iterator rest = mst_iterate(&value);
    uint64_t at = 0, end = (uint64_t)first + count;
    bool parent = list || mst_value_type(&value) == MST_TYPE_RECORD;
    for (; parent && at < end &&
           (list && at < first ? mst_element(&value, at, &child) == MST_OK : mst_next(&rest, &child));
         at++) {
        if (at < first)
            continue;
        char number[32];
        snprintf(number, sizeof number, "[%llu]", (unsigned long long)at);
        const char *name = list ? number : mst_value_field(&child).name;
        bool dot = !list && *path && path[strlen(path) - 1] != '@';
        below.size = 0;
        print(&below, "%s%s%s", path, dot ? "." : "", name);
        put(&below, "", 1);
        put_text(&to->text, at > first ? "," : "");
        put_row(&to->text, &child, name, below.data, !inside);
    }
    put_text(&to->text, "]}");
    stream_free(&below);
    mst_close(inside);
    return MST_OK;
}

/* ---- checks ---------------------------------------------------------------------------------------------
 */

mst_status web_check(answer *to, const opened *of, uint32_t index, uint32_t flags) {
    const mst_document *document = opened_document(of, index, to);
    if (!document)
        return answer_end(to, MST_ARGUMENT);
    const mst_check_options how = {.size = sizeof how,
                                   .information = (flags & CHECK_INFORMATION) != 0,
                                   .sidecars = mst_level_sidecars(opened_level(of)),
                                   .assets = (flags & CHECK_ASSETS) != 0};
    return answer_end(to, mst_check(document, &how, put_finding, to, NULL, &to->why));
}
