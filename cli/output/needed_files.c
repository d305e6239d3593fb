/* SPDX-License-Identifier: MIT */
#include "needed_files.h"
#include "../../src/system/file_names.h"
#include <stdio.h>
#include <string.h>

static const char *const states[] = {"found", "missing", "outside", "unreadable"};

/* The first reference to the file. */
static void put_origin(stream *out, const mst_assets *all, const mst_asset *one, const char *level) {
    put_visible(out, one->by == MST_NO_ASSET ? level : all->items[one->by].name);
    put_text(out, ": ");
    put_visible(out, one->path);
}

static void put_line(stream *out, const mst_assets *all, const mst_asset *one, const char *level) {
    print(out, "%-8s  %-10s %5llu ", mst_asset_kind_name(one->kind), states[one->state],
          (unsigned long long)one->uses);
    if (one->state == MST_ASSET_FOUND)
        print(out, "%10zu  ", one->size);
    else
        print(out, "%10s  ", "-");
    put_visible(out, one->name);
    put_text(out, "  (");
    put_origin(out, all, one, level);
    put_text(out, ")\n");
}

static void put_json(stream *out, const mst_assets *all, const mst_asset *one) {
    put_text(out, "{");
    put_json_member(out, "kind", mst_asset_kind_name(one->kind));
    put_json_member(out, "state", states[one->state]);
    put_json_member(out, "name", one->name);
    print(out, ",\"uses\":%llu", (unsigned long long)one->uses);
    if (one->state == MST_ASSET_FOUND)
        print(out, ",\"size\":%zu", one->size);
    if (one->by != MST_NO_ASSET)
        put_json_member(out, "by", all->items[one->by].name);
    put_json_member(out, "path", one->path);
    put_text(out, "}");
}

static void put_sums(stream *out, const mst_assets *all, bool json) {
    const char *comma = "";
    put_text(out, json ? "],\"sum\":{" : "");
    for (int kind = MST_ASSET_MODEL; kind <= MST_ASSET_TABLE; kind++) {
        size_t found = 0, count = 0;
        for (size_t i = 0; i < all->count; i++) {
            count += all->items[i].kind == (mst_asset_kind)kind;
            found += all->items[i].kind == (mst_asset_kind)kind && all->items[i].state == MST_ASSET_FOUND;
        }
        const char *name = mst_asset_kind_name((mst_asset_kind)kind);
        if (json)
            print(out, "%s\"%s\":{\"found\":%zu,\"missing\":%zu}", comma, name, found, count - found);
        else if (count)
            print(out, "%s%zu of %zu %ss", comma, found, count, name);
        if (json || count)
            comma = json ? "," : ", ";
    }
    put_text(out, json ? "}}\n" : " found\n");
}

void say_missing(const mst_assets *all, const char *file) {
    for (size_t i = 0; i < all->count; i++) {
        const mst_asset *one = &all->items[i];
        const char *fault = mst_name_fault(one->name);
        char times[48] = "";
        if (one->state == MST_ASSET_FOUND || one->kind == MST_ASSET_SHADER)
            continue;
        if (one->uses > 1)
            snprintf(times, sizeof times, ", named %llu times", (unsigned long long)one->uses);
        say(MST_INFORMATION, "%s%s%s %s %s%s%s", file ? file : "", file ? ": " : "",
            mst_asset_kind_name(one->kind), one->name,
            one->state == MST_ASSET_OUTSIDE   ? "is not searched for: "
            : one->state == MST_ASSET_MISSING ? "was not found"
                                              : "cannot be read",
            one->state != MST_ASSET_OUTSIDE ? ""
            : fault                         ? fault
                                            : "its name is too long",
            times);
    }
}

int put_assets(job *work) {
    stream *out = &work->out;
    bool json = options_has(work->batch->given, OPTION_JSON);
    mst_assets *all;
    mst_diagnostic why;
    if (mst_level_assets(work->opened.level, &all, &why) != MST_OK)
        return say_diagnosis(work->input->path, &why);
    if (json) {
        put_text(out, "{");
        put_json_member(out, "file", work->input->path);
        put_text(out, ",\"assets\":[");
    } else if (work->batch->inputs->many) {
        paint(out, COLOR_BOLD);
        put_visible(out, work->input->path);
        unpaint(out);
        put_text(out, "\n");
    }
    for (size_t i = 0; i < all->count; i++) {
        if (json) {
            put_text(out, i ? "," : "");
            put_json(out, all, &all->items[i]);
        } else {
            put_line(out, all, &all->items[i], base_name(work->input->path));
        }
    }
    if (json || all->count)
        put_sums(out, all, json);
    mst_assets_free(all);
    return EXIT_YES;
}
