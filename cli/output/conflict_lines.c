/* SPDX-License-Identifier: MIT */
#include "conflict_lines.h"
#include <string.h>

#define SHOWN 60 /* characters shown of a value */

static void put_side(stream *to, const char *name, const char *json) {
    put_text(to, name);
    if (!json) {
        put_text(to, " removed");
        return;
    }
    size_t length = strlen(json), shown = length;
    if (length > SHOWN)
        for (shown = SHOWN; shown && ((unsigned char)json[shown] & 0xC0) == 0x80;)
            shown--;
    put_text(to, " ");
    put(to, json, shown); /* JSON from the library has control characters escaped */
    put_text(to, shown < length ? ".." : "");
}

void conflict_put_json(stream *to, const mst_conflict *conflict, const char *resolved) {
    static const char *const kinds[] = {"value", "removed-by-ours",
                                        "removed-by-theirs", [MST_CONFLICT_AMBIGUOUS] = "ambiguous"};
    const char *const names[] = {"base", "ours", "theirs"}, *const values[] = {conflict->base, conflict->ours,
                                                                               conflict->theirs};
    put_text(to, "{");
    put_json_member(to, "conflict", kinds[conflict->kind]);
    if (conflict->file)
        put_json_member(to, "file", conflict->file);
    if (!conflict->file || *conflict->path)
        put_json_member(to, "path", conflict->path);
    if (*conflict->label)
        put_json_member(to, "label", conflict->label);
    if (conflict->changed)
        put_json_member(to, "changed", conflict->changed);
    if (conflict->marked)
        put_json_member(to, "marked", conflict->marked);
    if (resolved)
        put_json_member(to, "resolved", resolved);
    for (size_t i = 0; i < 3; i++)
        if (values[i]) {
            put_json_key(to, names[i]);
            put_text(to, values[i]);
        }
    put_text(to, "}\n");
}

/* Writes the values of both sides. */
static void put_sides(stream *to, const mst_conflict *conflict) {
    if (conflict->kind == MST_CONFLICT_AMBIGUOUS) {
        put_side(to, "theirs", conflict->theirs);
        put_text(to, ", but similar elements cannot be distinguished\n");
        return;
    }
    bool gone = conflict->kind == MST_CONFLICT_REMOVED_BY_OURS, goes = !gone && conflict->kind;
    const char *otherwise = conflict->file && !*conflict->path ? "changed it" : "needs it";
    if (conflict->changed) {
        put_text(to, "ours ");
        put_visible(to, conflict->changed);
        put_side(to, "", conflict->ours ? conflict->ours : "removed");
    } else {
        put_side(to, "ours", gone ? NULL : conflict->ours ? conflict->ours : otherwise);
    }
    put_text(to, ", ");
    put_side(to, "theirs", goes ? NULL : conflict->theirs ? conflict->theirs : otherwise);
    if (conflict->ours && conflict->theirs && strcmp(conflict->ours, conflict->theirs) == 0)
        put_text(to, ", which refer to different elements");
    if (conflict->marked) {
        put_text(to, " in ");
        put_visible(to, conflict->marked);
    }
    put_text(to, "\n");
}

void conflict_put(stream *to, const mst_conflict *conflict) {
    paint(to, COLOR_RED);
    put_text(to, "! ");
    if (conflict->file)
        put_visible(to, conflict->file);
    put_text(to, conflict->file && *conflict->path ? ": " : "");
    put_visible(to, conflict->path);
    unpaint(to);
    if (*conflict->label) {
        put_text(to, " ");
        put_visible(to, conflict->label);
    }
    put_text(to, ": ");
    put_sides(to, conflict);
}
