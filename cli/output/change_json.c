/* SPDX-License-Identifier: MIT */
/* Changes as JSON, in the language of operations. */
#include "change_lines.h"
#include "show.h"
#include <stdlib.h>
#include <string.h>

static const char *const sorts[] = {"content", "view", "part", "derived", "storage"};

static void put_json_index(stream *to, const char *name, uint64_t index) {
    if (index == MST_NOWHERE)
        return;
    put_json_key(to, name);
    print(to, "%llu", (unsigned long long)index);
}

static void put_json_value(stream *to, const char *name, const mst_value *value) {
    if (mst_value_type(value) == MST_TYPE_NONE)
        return;
    put_json_key(to, name);
    put_value_json(to, value);
}

/* The element in the form that operations use: its list, its identifying values, and its index. */
static void put_json_at(stream *to, const mst_difference *change) {
    bool old = change->old_index != MST_NOWHERE;
    put_json_key(to, "at");
    put_text(to, "{");
    put_json_member(to, "list", change->list);
    for (size_t i = 0; i < change->known_by_count; i++)
        put_json_value(to, change->known_by[i].path, &change->known_by[i].value);
    put_json_index(to, "index", old ? change->old_index : change->new_index);
    put_text(to, "}");
}

/* The parts that operations do not need. */
static void put_json_note(stream *to, const changes *all, const mst_difference *change) {
    put_json_key(to, "note");
    put_text(to, "{");
    put_json_member(to, "sort", sorts[change->sort]);
    if (all->file)
        put_json_member(to, "file", all->file);
    if (*change->label)
        put_json_member(to, "label", change->label);
    if (*change->place)
        put_json_member(to, "place", change->place);
    if (change->old_index != MST_NOWHERE)
        put_json_index(to, "new_index", change->new_index);
    if (change->is_default) {
        put_json_key(to, "default");
        put_text(to, "true");
    }
    if (change->ambiguous) {
        put_json_key(to, "ambiguous");
        if (change->alternative == MST_NOWHERE)
            put_text(to, "{}");
        else
            print(to, "{\"%s\":%llu}", change->alternative_is_new ? "new_index" : "index",
                  (unsigned long long)change->alternative);
    }
    if (change->moves_whole) {
        const double *by = change->moved_by;
        put_json_key(to, "moved_by");
        print(to, "[%.9g,%.9g,%.9g]", by[0], by[1], by[2]);
    }
    put_text(to, "}");
}

/* The keyword of an operation, and the step in which it applies. */
static const char *name_of(const mst_difference *change, size_t *step) {
    bool item = *change->item_path != 0, came = mst_value_type(&change->old_value) == MST_TYPE_NONE;
    bool went = mst_value_type(&change->new_value) == MST_TYPE_NONE;
    switch (change->kind) {
    case MST_DIFFERENCE_ADD: *step = STEP_INSERT; return "insert";
    case MST_DIFFERENCE_REMOVE: *step = STEP_REMOVE; return "remove";
    case MST_DIFFERENCE_MOVE: *step = STEP_MOVE; return "move";
    case MST_DIFFERENCE_SET: break;
    }
    *step = item && came ? STEP_INSERT_ITEM : went && !came ? STEP_REMOVE_ITEM : STEP_SET;
    return item && came ? "insert" : went && !came ? "remove" : "set";
}

static void put_json_values(stream *to, const mst_difference *change) {
    const mst_value *old = &change->old_value, *now = &change->new_value;
    if (change->kind != MST_DIFFERENCE_SET) {
        old = &change->old_element;
        now = &change->new_element;
    } else if (*change->item_path) {
        bool came = mst_value_type(old) == MST_TYPE_NONE;
        old = came ? old : &change->item;
        now = came ? &change->item : now;
    }
    put_json_value(to, "old", old);
    put_json_value(to, "new", now);
}

void changes_add_json(changes *all, const mst_difference *change) {
    stream line = stream_memory(), *to = &line;
    size_t step;
    put_text(to, "{");
    put_json_member(to, "op", name_of(change, &step));
    if (change->kind == MST_DIFFERENCE_ADD) {
        put_json_key(to, "path");
        stream path = stream_memory();
        print(&path, "%s[%llu]", change->list, (unsigned long long)change->new_index);
        put_json_string(to, path.data, path.size);
        stream_free(&path);
    } else {
        if (*change->list)
            put_json_at(to, change);
        put_json_member(to, "path", *change->item_path ? change->item_path : change->path);
    }
    if (change->kind == MST_DIFFERENCE_MOVE)
        put_json_index(to, "to", change->to);
    else if (change->sort != MST_DIFFERENCE_DERIVED)
        put_json_values(to, change);
    put_json_note(to, all, change);
    put_text(to, "}\n");
    json_lines *lines = &all->steps[step];
    if (lines->count == lines->capacity) {
        lines->capacity = lines->capacity ? 2 * lines->capacity : 64;
        lines->items = need(realloc(lines->items, lines->capacity * sizeof *lines->items));
    }
    put(to, "", 1);
    lines->items[lines->count++] = line.data;
}

void changes_put_json(const changes *all, stream *to) {
    for (size_t step = 0; step < STEPS; step++) {
        const json_lines *lines = &all->steps[step];
        bool last_first = step == STEP_REMOVE || step == STEP_REMOVE_ITEM;
        for (size_t i = 0; i < lines->count; i++)
            put_text(to, lines->items[last_first ? lines->count - 1 - i : i]);
    }
}

void changes_add_note(changes *in, const change_item *item, const char *name, const char *file,
                      uint64_t index) {
    json_lines *lines = &in->steps[item->step];
    if (!in->as_json || item->line >= lines->count)
        return;
    char *line = lines->items[item->line];
    stream made = stream_memory();
    put(&made, line, strlen(line) - 3);
    put_text(&made, ",");
    put_json_string(&made, name, strlen(name));
    put_text(&made, ":{");
    put_json_member(&made, "file", file);
    put_json_index(&made, "index", index);
    put_text(&made, "}}}\n");
    put(&made, "", 1);
    free(line);
    lines->items[item->line] = made.data;
}
