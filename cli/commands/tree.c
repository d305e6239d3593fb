/* SPDX-License-Identifier: MIT */
/* mapstone tree: an outline of a file, optionally with offsets and bytes. */
#include "../../src/files/ledger.h"
#include "../../src/files/offset_path.h"
#include "../inputs/opened_source.h"
#include "../output/added.h"
#include "../output/show.h"
#include "commands.h"
#include <mapstone/place.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ELEMENTS_SHOWN 8
#define HEX_SHOWN      16
#define LEVELS_MAX     1024 /* maximum nesting shown; deeper levels are skipped */

typedef struct outline {
    stream out;
    const mst_document *document;
    const mst_resolver *sidecars;
    bool offsets, hex, all;
    bool unpacked;                   /* offsets and bytes are those of mst_document_bytes */
    bool parsed;                     /* those bytes are not the file's */
    unsigned depth;                  /* number of levels to show */
    unsigned level;                  /* current one; 0: the root's fields */
    bool begun;                      /* the root has been visited */
    uint64_t hidden[LEVELS_MAX + 1]; /* elements hidden at each level so far */
    /* the value skipped last, which follows as a leaf */
    const char *skipped_name;
    uint64_t skipped_index;
    bool skipped;
} outline;

#define PLACE_WIDTH 19 /* of an offset in parsed files */

static void put_offset(outline *o, const mst_place *place) {
    char text[64];
    unsigned long long offset = place->offset, inner = place->inner;
    const char *second = place->file ? "2:" : "";
    if (place->kind == MST_PLACE_MADE)
        snprintf(text, sizeof text, "(made)");
    else if (place->kind == MST_PLACE_FILE)
        snprintf(text, sizeof text, "%s0x%08llx", second, offset);
    else
        snprintf(text, sizeof text, "%s0x%llx+0x%llx", second, offset, inner);
    print(&o->out, "%-*s ", o->parsed ? PLACE_WIDTH : 0, text);
}

static void put_place(outline *o, const mst_place *place, bool has_bytes) {
    stream *to = &o->out;
    uint64_t length = place->kind == MST_PLACE_PACKED ? place->inner_length : place->length;
    if (o->offsets) {
        paint(to, COLOR_DIM);
        put_offset(o, place);
        if (place->kind == MST_PLACE_MADE)
            print(to, "%8s  ", "");
        else
            print(to, "%8llu  ", (unsigned long long)length);
        unpaint(to);
    }
    if (!o->hex)
        return;
    size_t shown = 0, size;
    const unsigned char *bytes = mst_place_bytes(o->document, place, &size);
    if (o->unpacked) {
        bytes = mst_document_bytes(o->document, &size);
        bytes += place->offset;
        size = (size_t)length;
    }
    paint(to, COLOR_DIM);
    for (; has_bytes && shown < HEX_SHOWN && shown < size; shown++)
        print(to, "%02x ", bytes[shown]);
    put_text(to, has_bytes && length > shown ? ".." : "  ");
    print(to, "%*s ", (int)(3 * (HEX_SHOWN - shown)), "");
    unpaint(to);
}

static void put_blank_place(outline *o) {
    if (o->offsets)
        print(&o->out, "%*s", o->parsed ? PLACE_WIDTH + 11 : 21, "");
    if (o->hex)
        print(&o->out, "%*s", 3 * HEX_SHOWN + 3, "");
}

static void indent(outline *o) {
    print(&o->out, "%*s", (int)(2 * o->level), "");
}

static void put_name(outline *o, const char *name, uint64_t index) {
    paint(&o->out, COLOR_CYAN);
    put_visible(&o->out, name);
    if (index != UINT64_MAX)
        print(&o->out, "[%llu]", (unsigned long long)index);
    unpaint(&o->out);
}

/* The same lengths in the unit of the game's editor: " (192 in)". */
static void put_editor_unit(outline *o, const mst_value *value) {
    const mst_format_information *format = mst_document_format(o->document);
    bool list = mst_value_type(value) == MST_TYPE_LIST;
    uint64_t count = list ? mst_count(value) : 1;
    if (!format->editor_unit || !count)
        return;
    for (uint64_t i = 0; i < count; i++) {
        mst_value element = *value;
        double metres = 0;
        if (list)
            mst_element(value, i, &element);
        mst_get_real(&element, &metres);
        print(&o->out, "%s%.6g", i ? ", " : " (", metres * format->editor_per_metre);
    }
    print(&o->out, " %s)", format->editor_unit);
}

/* Writes a line for the hidden elements, before the next line at this level. */
static void tell_hidden(outline *o) {
    unsigned level = o->level <= LEVELS_MAX ? o->level : LEVELS_MAX;
    if (!o->hidden[level])
        return;
    put_blank_place(o);
    indent(o);
    print(&o->out, "... %llu more\n", (unsigned long long)o->hidden[level]);
    o->hidden[level] = 0;
}

static bool hides(outline *o, uint64_t index) {
    return !o->all && index != UINT64_MAX && index >= ELEMENTS_SHOWN;
}

static mst_place place_at(outline *o, uint64_t offset, uint64_t length) {
    mst_place place = {.kind = MST_PLACE_FILE, .offset = offset, .length = length};
    if (!o->unpacked && mst_place_of(o->document, offset, length, &place) != MST_OK)
        place.kind = MST_PLACE_MADE;
    return place;
}

/* Writes the columns that the format adds to an element: "(model models/door.bin, animation
 * anims/door_anim.bin)". */
static void put_added(outline *o, const mst_value *element) {
    char name[ADDED_COLUMN], text[ADDED_TEXT];
    bool any = false;
    for (size_t i = 0; added_column_at(mst_document_format(o->document), i, name); i++) {
        if (!added_text(element, name, o->sidecars, text))
            continue;
        if (!any)
            paint(&o->out, COLOR_DIM);
        print(&o->out, "%s%s ", any ? "; " : " (", name);
        put_visible(&o->out, text);
        any = true;
    }
    if (!any)
        return;
    put_text(&o->out, ")");
    unpaint(&o->out);
}

/* Writes the line of a value; returns whether its content follows. A leaf of a walk has its own offset, after
 * its count or length. */
static bool put_line(outline *o, const char *name, uint64_t index, const mst_value *value, uint64_t count,
                     const mst_event *leaf) {
    stream *to = &o->out;
    mst_type type = mst_value_type(value);
    uint64_t offset, length;
    mst_value_span(value, &offset, &length);
    if (leaf) {
        offset = leaf->offset;
        length = leaf->length;
    }
    mst_value first;
    if (o->parsed && !leaf && type == MST_TYPE_LIST && mst_element(value, 0, &first) == MST_OK) {
        uint64_t begin = offset, own; /* its count is elsewhere in the file */
        mst_value_span(&first, &offset, &own);
        length -= offset - begin;
    }
    mst_place place = place_at(o, offset, length);
    put_place(o, &place, type != MST_TYPE_RECORD && length);
    indent(o);
    put_name(o, name, index);
    bool inside = false;
    if (type == MST_TYPE_RECORD) {
        stream label = stream_memory();
        if (put_label(&label, value)) {
            put_text(to, " ");
            paint(to, COLOR_BOLD);
            put(to, label.data, label.size);
            unpaint(to);
        }
        stream_free(&label);
        put_added(o, value);
        inside = true;
    } else if (type == MST_TYPE_LIST && !is_short_list(value, 8)) {
        /* a walk does not know the length of a list that ends with a sentinel */
        print(to, " (%llu)", (unsigned long long)(count == UINT64_MAX ? mst_count(value) : count));
        inside = true;
    } else {
        put_text(to, *name || index != UINT64_MAX ? ": " : "");
        put_value_short(to, value);
        const char *unit = mst_value_field(value).unit;
        if (unit && *unit) {
            paint(to, COLOR_DIM);
            print(to, " %s", unit);
            if (!strcmp(unit, "m"))
                put_editor_unit(o, value);
            unpaint(to);
        }
    }
    put_text(to, "\n");
    return inside;
}

/* ---- a complete file, in the order of its bytes --------------------------------------------------- */

static mst_status skip(outline *o, const mst_event *event) {
    o->skipped = true;
    o->skipped_name = event->name;
    o->skipped_index = event->index;
    return MST_UNKNOWN;
}

static mst_status visit(void *user, const mst_event *event) {
    outline *o = user;
    bool begins = event->kind == MST_EVENT_BEGIN_RECORD || event->kind == MST_EVENT_BEGIN_LIST;
    bool repeats = o->skipped && event->kind == MST_EVENT_LEAF && event->index == o->skipped_index &&
                   !strcmp(event->name, o->skipped_name);
    o->skipped = o->skipped && event->kind == MST_EVENT_DERIVED; /* its count may be in between */
    if (repeats)
        return MST_OK;
    if (event->kind == MST_EVENT_END) {
        if (o->level) {
            tell_hidden(o);
            o->level--;
        }
        return MST_OK;
    }
    if (begins && !o->begun && !*event->name && event->index == UINT64_MAX) { /* the root */
        o->begun = true;
        return MST_OK;
    }
    o->begun = true;
    if (event->kind == MST_EVENT_DERIVED || !event->value) {
        if ((o->offsets || o->hex) && !o->hidden[o->level]) {
            mst_place place = o->unpacked ? place_at(o, event->offset, event->length) : event->place;
            put_place(o, &place, true);
            indent(o);
            paint(&o->out, COLOR_DIM);
            print(&o->out, "(%s)", event->name);
            unpaint(&o->out);
            put_text(&o->out, "\n");
        }
        return MST_OK;
    }
    if (hides(o, event->index)) {
        o->hidden[o->level]++;
        return begins ? skip(o, event) : MST_OK;
    }
    if (!o->all && mst_value_type(event->value) == MST_TYPE_BYTES && !event->length)
        return MST_OK; /* an empty block of bytes */
    tell_hidden(o);
    bool inside = put_line(o, event->name, event->index, event->value, event->count, begins ? NULL : event);
    if (!begins)
        return stdout_failed() ? MST_STOPPED : MST_OK;
    if (!inside || o->level + 1 >= o->depth || o->level + 1 >= LEVELS_MAX)
        return skip(o, event);
    o->level++;
    return MST_OK;
}

/* ---- one value ------------------------------------------------------------------------------------ */

/* A shown value, and its remaining elements or fields. */
typedef struct shown {
    mst_value value;
    mst_iterator rest;
    uint64_t next; /* index of the next one */
} shown;

static void show_value(outline *o, const char *path, const mst_value *value) {
    shown *levels = NULL;
    size_t capacity = 0, depth = 0;
    mst_value next = *value;
    bool inside = put_line(o, path, UINT64_MAX, &next, mst_count(&next), NULL);
    for (;;) {
        if (inside && depth < o->depth && depth < LEVELS_MAX) {
            if (depth == capacity) {
                capacity = capacity ? 2 * capacity : 16;
                levels = need(realloc(levels, capacity * sizeof *levels));
            }
            levels[depth++] = (shown){next, mst_iterate(&next), 0};
        }
        inside = false;
        if (!depth || stdout_failed())
            break;
        shown *top = &levels[depth - 1];
        bool list = mst_value_type(&top->value) == MST_TYPE_LIST;
        uint64_t at = top->next, count = mst_count(&top->value);
        o->level = (unsigned)depth;
        if (list && hides(o, at)) {
            o->hidden[o->level] = count - at;
            tell_hidden(o);
            depth--;
        } else if (!mst_next(&top->rest, &next)) {
            depth--;
        } else {
            top->next++;
            inside = put_line(o, list ? "" : mst_value_field(&next).name, list ? at : UINT64_MAX, &next,
                              mst_count(&next), NULL);
        }
    }
    free(levels);
}

static mst_status show_one(void *user, const char *path, const mst_value *value) {
    outline *o = user;
    o->level = 0;
    show_value(o, path, value);
    return MST_OK;
}

/* Removes the last step of a path; false: it has none. */
static bool cut(char *path) {
    size_t length = strlen(path);
    while (length && path[length - 1] != '.' && path[length - 1] != '[')
        length--;
    path[length ? length - 1 : 0] = 0;
    return length != 0;
}

/* Shows the record that contains a field. */
static mst_status show_around(void *user, const mst_file_field *field) {
    outline *o = user;
    mst_value value = mst_root(o->document);
    char *path = need(strdup(field->path));
    mst_status status = MST_OK;
    do
        status = mst_find(mst_root(o->document), path, &value, NULL);
    while ((status != MST_OK || mst_value_type(&value) != MST_TYPE_RECORD) && cut(path));
    if (!*path)
        value = mst_root(o->document);
    show_value(o, *path ? path : "the file", &value);
    free(path);
    return MST_OK;
}

/* Shows the value at a path, or all that a selector matches. */
static mst_status show_selected(outline *o, const char *path, mst_diagnostic *why) {
    mst_value value, root = mst_root(o->document);
    if (mst_is_selector(path, 1))
        return mst_select(root, path, show_one, o, NULL, why);
    mst_status status = mst_find(root, path, &value, why);
    if (status == MST_OK)
        show_value(o, path, &value);
    return status;
}

/* Whether the document's bytes differ from its file's. */
static bool is_parsed(const mst_document *document) {
    size_t size, file_size;
    return mst_document_bytes(document, &size) != mst_document_file(document, 0, NULL, &file_size);
}

static int run(const options *given) {
    const char *file = input_single(given);
    double depth = LEVELS_MAX;
    if (!file || !format_is_known(given, given->value[OPTION_FROM]) || !search_paths_exist(given) ||
        !options_number(given, OPTION_DEPTH, 0, LEVELS_MAX, &depth))
        return EXIT_TROUBLE;
    if (given->operand_count > 2 || (given->operand_count == 2 && given->value[OPTION_AT]))
        return options_usage(given, "tree takes one file, and one path or --at OFFSET");
    source opened;
    mst_diagnostic why;
    mst_status status = source_open_path(&opened, file, given, SOURCE_JSON, &why);
    outline *o = need(calloc(1, sizeof *o));
    if (status == MST_OK) {
        o->out = stream_stdout();
        o->document = opened.document;
        o->sidecars = mst_level_sidecars(opened.level);
        o->unpacked = options_has(given, OPTION_UNPACKED);
        o->parsed = !o->unpacked && is_parsed(o->document);
        o->offsets = options_has(given, OPTION_OFFSETS);
        o->hex = options_has(given, OPTION_HEX);
        o->all = options_has(given, OPTION_ALL);
        o->depth = (unsigned)depth;
        if (given->value[OPTION_AT]) {
            status = mst_offset_field(o->document, given->value[OPTION_AT], show_around, o, &why);
        } else if (given->operand_count < 2) {
            status =
                o->unpacked ? mst_walk(opened.document, visit, o) : mst_walk_files(opened.document, visit, o);
            tell_hidden(o);
            if (status != MST_OK)
                blame(&why, status, "the outline is incomplete");
        } else {
            status = show_selected(o, given->operands[1], &why);
        }
        stream_free(&o->out);
    }
    free(o);
    int code = EXIT_YES;
    if (status != MST_OK) {
        why.status = status;
        code = say_diagnosis(file, &why);
    }
    if (opened.salvaged)
        code = worse(code, EXIT_DAMAGED);
    source_close(&opened);
    return code;
}

static const option_row rows[] = {
    OPTION_ROW_OUTPUT_DATA,
    {OPTION_OFFSETS, 'O', "offsets", NULL, NULL, "offset and length of each value; also counts and sizes"},
    {OPTION_HEX, 'x', "hex", NULL, NULL, "the bytes of each value, at most 16"},
    {OPTION_UNPACKED, 0, "unpacked", NULL, NULL, "offsets and bytes of packed files after unpacking"},
    {OPTION_AT, 0, "at", "OFFSET", NULL, "only the record that has the byte at that offset, such as 0x2e33e"},
    {OPTION_DEPTH, 'd', "depth", "N", NULL, "at most N levels"},
    {OPTION_ALL, 'a', "all", NULL, NULL, "all elements of long lists, not just the first 8"},
    OPTION_ROW_SEARCH_PATH,
    OPTION_ROW_FROM,
    OPTION_ROW_SALVAGE,
    OPTION_ROW_COMMON};

const command tree_command = {
    .name = "tree",
    .operands = "FILE [PATH]",
    .summary = "show an outline of a file with its values",
    .description =
        "Shows a file, or the value at PATH, as an indented outline; a complete file in the order of its "
        "bytes. --offsets and --hex show the layout:\n\n"
        "- Values in parentheses are derived from others and have no path.\n"
        "- Offsets are offsets in the file; 2: marks offsets in the second file of a pair (the table).\n"
        "- Packed data has two offsets: 0x10+0x24 is byte 0x24 of the data unpacked from 0x10.\n"
        "- (made) marks values that are not bytes of the file, such as how it is packed.\n"
        "- Values that the level or sidecars add to an element follow it in parentheses: the columns that "
        "'mapstone help table' explains.",
    .options = rows,
    .examples = "mapstone tree maps/a.level\nmapstone tree --offsets --hex --depth 2 maps/a.level\n"
                "mapstone tree --offsets --at 0x2e33e L111LEV.MAP\n"
                "mapstone tree maps/a.level \"objects[class_name=ns2_gamerules]\"",
    .run = run,
    .output_is_stdout = true,
};
