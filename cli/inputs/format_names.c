/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "format_names.h"
#include "../output/wrap.h"
#include <string.h>
#include <strings.h>

const mst_format_information *format_by_id(const char *id) {
    for (size_t i = 0; i < mst_format_count(); i++)
        if (!strcmp(mst_format_at(i)->id, id))
            return mst_format_at(i);
    return NULL;
}

bool has_extension(const mst_format_information *format, const char *extension) {
    size_t length = strlen(extension);
    for (const char *at = format->extensions; *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        if (n == length && !strncasecmp(at, extension, n))
            return true;
        at += n;
    }
    return false;
}

const mst_format_information *format_by_extension(const char *extension) {
    for (size_t i = 0; i < mst_format_count(); i++)
        if (has_extension(mst_format_at(i), extension))
            return mst_format_at(i);
    return NULL;
}

stream format_ids(void) {
    stream list = stream_memory();
    for (size_t i = 0; i < mst_format_count(); i++)
        print(&list, " %s", mst_format_at(i)->id);
    put(&list, "", 1);
    return list;
}

void consider_formats(nearest *so_far) {
    nearest_consider(so_far, "json");
    for (size_t i = 0; i < mst_format_count(); i++)
        nearest_consider(so_far, mst_format_at(i)->id);
}

bool format_is_known(const options *given, const char *from) {
    if (!from || !strcmp(from, "json") || format_by_id(from))
        return true;
    stream list = format_ids();
    nearest close = {.wanted = from};
    consider_formats(&close);
    options_usage(given, "'%s' is not a format%s%s%s the formats are: json%s", from,
                  close.name ? "; did you mean '" : ";", close.name ? close.name : "", close.name ? "'?" : "",
                  list.data);
    stream_free(&list);
    return false;
}

/* ---- the list of formats -------------------------------------------------------------------------- */

/* The ids of a game's formats begin with the same word: "sfa-maps", "sfa-hits". */
static size_t game_length(const char *id) {
    return strcspn(id, "-");
}

static bool same_game(const char *a, const char *b) {
    size_t length = game_length(a);
    return game_length(b) == length && !memcmp(a, b, length);
}

static void put_line(stream *to, const mst_format_information *one, bool extensions) {
    stream title = stream_memory(), left = stream_memory();
    put_text(&title, one->title);
    if (one->versions[0] && extensions)
        print(&title, ", versions %s", one->versions);
    put(&title, "", 1);
    if (extensions)
        print(&left, "%-16s %s", one->id, one->extensions);
    else
        put_text(&left, one->id);
    put(&left, "", 1);
    put_hanging(to, extensions ? "" : "  ", left.data, extensions ? 37 : 20, title.data);
    stream_free(&left);
    stream_free(&title);
}

void put_formats(stream *to, bool extensions) {
    for (size_t i = 0; i < mst_format_count(); i++) {
        const char *id = mst_format_at(i)->id;
        bool begins = true;
        for (size_t k = 0; k < i; k++)
            begins = begins && !same_game(mst_format_at(k)->id, id);
        if (!begins)
            continue;
        put_text(to, i && extensions ? "\n" : "");
        for (size_t k = i; k < mst_format_count(); k++)
            if (same_game(mst_format_at(k)->id, id))
                put_line(to, mst_format_at(k), extensions);
    }
}

void put_formats_json(stream *to) {
    for (size_t i = 0; i < mst_format_count(); i++) {
        const mst_format_information *one = mst_format_at(i);
        put_text(to, "{");
        put_json_member(to, "format", one->id);
        put_json_member(to, "title", one->title);
        put_json_member(to, "extensions", one->extensions);
        put_json_member(to, "media_type", one->media_type);
        put_json_member(to, "versions", one->versions);
        put_json_member(to, "rows", one->rows);
        put_text(to, "}\n");
    }
}
