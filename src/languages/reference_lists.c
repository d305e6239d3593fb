/* SPDX-License-Identifier: MIT */
/* The lists that can be edited, and the consequences, for the reference. */
#include "../edit/follow.h"
#include "../tables/fields.h"
#include "reference.h"

typedef struct listing {
    mst_output *out;
    const mst_format *format;
    const uint8_t *reached; /* the layouts of each record */
    const mst_record *record;
    const mst_field *list;
    bool any; /* something has been written into the cell */
} listing;

/* A list whose elements can be added and removed: of records, or of numbers that refer to something. */
static bool is_listed(const mst_field *field) {
    bool list = (mst_is_list(field) && field->mode != MST_COUNT_FIXED) || (field->flags & MST_FIELD_REPEATED);
    bool elements = field->kind == MST_KIND_RECORD || (mst_is_number(field) && field->refers_count);
    return list && elements && !(field->flags & MST_FIELD_ORIGINAL) &&
           strncmp(field->name, "unknown_", 8) != 0;
}

/* Whether the record has an earlier field of that name. */
static bool is_repeated(const mst_record *record, const mst_field *field) {
    for (mst_fields it = mst_fields_of_record(record); mst_fields_next(&it) && it.field != field;)
        if (strcmp(it.field->name, field->name) == 0)
            return true;
    return false;
}

/* Whether a path in the tables of numbers in `record` leads to the list: the nearest of that name among the
 * enclosing records. */
static bool is_target(const listing *l, const char *path, const mst_record *record) {
    const mst_field around = {.record = l->record};
    return path && strcmp(mst_last_name(path), l->list->name) == 0 &&
           (strchr(path, '.') || record == l->record || mst_record_is_inside(l->format, &around, record));
}

/* The entry that limits adding and removing elements of the list; NULL if there is none. */
static const mst_listed *listed(const listing *l) {
    for (const mst_listed *one = l->format->tables.listed; one && one->record; one++)
        if (strcmp(one->record, l->record->name) == 0 &&
            (!one->list || strcmp(one->list, l->list->name) == 0))
            return one;
    return NULL;
}

static void write_sort(const listing *l) {
    const mst_field *list = l->list;
    if (list->parallel)
        mst_output_format(l->out, "refused: they are inserted and removed with the elements of `%s`",
                          mst_last_name(list->parallel->target));
    else if (list->flags & MST_FIELD_SLOTS)
        mst_output_text(l->out,
                        list->record->vacant
                            ? "add takes the first unused one, remove leaves one, duplicate and insert are "
                              "refused: the game has a fixed number; move"
                            : "move; add, insert, remove and duplicate are refused: the game has a fixed "
                              "number, and none is known to be unused");
    else if ((list->flags & MST_FIELD_NUMBERED) && MST_OPTION(l->format->set, numbered_by))
        mst_output_format(l->out, "refused: they are inserted and removed by an edit of %s; none is moved",
                          MST_OPTION(l->format->set, numbered_by));
    else if (list->flags & MST_FIELD_NUMBERED)
        mst_output_text(l->out, MST_OPTION(l->format->set, renumber_files)
                                    ? "add, insert, remove, duplicate: in place, with the other files that "
                                      "refer to them; move is refused: the files would refer to others"
                                    : "refused: other files refer to them by index");
    else if (list->flags & MST_FIELD_APPEND)
        mst_output_text(l->out,
                        "add; insert, duplicate and remove at the end only: others refer to them by index");
    else if (mst_stands_in_grid(l->format, list))
        mst_output_text(l->out, "refused: the size of the grid determines their number");
    else
        mst_output_text(l->out, "add, insert, remove, duplicate, move");
}

static void write_edits(const listing *l) {
    const mst_listed *limits = listed(l);
    const char *words = limits ? limits->limits : NULL;
    bool all = words && (strncmp(words, "refused", 7) == 0 || strncmp(words, "add", 3) == 0);
    if (!all)
        write_sort(l);
    if (words)
        mst_output_format(l->out, "%s%s", all ? "" : "; refused where ", words);
    if (limits)
        mst_output_format(l->out, " (%s)", limits->section);
}

static const char *separator(listing *l) {
    const char *text = l->any ? ", " : "";
    l->any = true;
    return text;
}

/* Whether the list's elements refer to a list whose elements are removed with the last reference. */
static bool refers_to_owned(const listing *l, const mst_field *owned) {
    for (mst_fields it = mst_fields_of_format(l->format); mst_fields_next(&it);)
        for (uint8_t i = 0; l->list->record && i < it.field->refers_count; i++)
            if (!it.field->refers[i].member &&
                strcmp(mst_last_name(it.field->refers[i].target), owned->name) == 0 &&
                mst_record_is_inside(l->format, l->list, it.record))
                return true;
    return false;
}

/* Lists of which a row, or elements used by nothing else, are removed with an element. */
static void write_carried(listing *l) {
    l->any = false;
    for (mst_fields it = mst_fields_of_format(l->format); mst_fields_next(&it);)
        if (it.field->parallel && l->reached[it.record->index] &&
            is_target(l, it.field->parallel->target, it.record))
            mst_output_format(l->out, "%s`%s.%s`", separator(l), it.record->name, it.field->name);
    for (mst_fields it = mst_fields_of_format(l->format); mst_fields_next(&it);)
        if ((it.field->flags & MST_FIELD_OWNED) && l->reached[it.record->index] &&
            refers_to_owned(l, it.field))
            mst_output_format(l->out, "%s`%s` that nothing else refers to", separator(l), it.field->name);
}

/* Whether a fact before this one is about the same list, under another condition. */
static bool is_stated_before(const mst_field *field, uint8_t fact) {
    for (uint8_t i = 0; i < fact; i++)
        if (strcmp(field->refers[i].target, field->refers[fact].target) == 0)
            return true;
    return false;
}

static const char *fate(const mst_refers *fact) {
    if (fact->heir)
        return "receives the removed element's value";
    if (fact->member)
        return fact->nones ? "none then" : "is also removed";
    if (fact->run)
        return "refers to the next element then";
    return fact->nones || fact->end_is_none ? "refuses, or none" : "refuses, or is also removed";
}

static void write_users(listing *l) {
    l->any = false;
    for (mst_fields it = mst_fields_of_format(l->format); mst_fields_next(&it);)
        for (uint8_t i = 0; l->reached[it.record->index] && i < it.field->refers_count; i++) {
            const mst_refers *fact = &it.field->refers[i];
            bool here = is_target(l, fact->target, it.record) || is_target(l, fact->then, it.record);
            bool again = is_stated_before(it.field, i);
            if (here && !again && !is_repeated(it.record, it.field) &&
                mst_reference_has_field(l->format, it.field, l->reached[it.record->index]))
                mst_output_format(l->out, "%s`%s.%s` (%s)", separator(l), it.record->name, it.field->name,
                                  fate(fact));
        }
}

static void write_list(listing *l) {
    mst_output_format(l->out, "| `%s.%s` | ", l->record->name, l->list->name);
    write_edits(l);
    mst_output_text(l->out, " | ");
    if (!l->list->parallel)
        write_carried(l);
    mst_output_text(l->out, " | ");
    if (!l->list->parallel)
        write_users(l);
    mst_output_text(l->out, " |\n");
}

void mst_reference_lists(mst_output *out, const mst_format *format, const uint8_t *reached) {
    bool any = false;
    for (mst_fields it = mst_fields_of_format(format); mst_fields_next(&it);) {
        unsigned layouts = reached[it.record->index];
        listing l = {.out = out, .format = format, .reached = reached, .record = it.record, .list = it.field};
        if (!layouts || it.record->apart || !is_listed(it.field) || is_repeated(it.record, it.field) ||
            !mst_reference_has_field(format, it.field, layouts))
            continue;
        if (!any)
            mst_output_text(
                out,
                "## Lists\n\n"
                "The edits that each list's elements allow, the elements that are inserted and removed with "
                "them, and the numbers that refer to them: the numbers are renumbered when an element moves; "
                "when it is removed, they forbid it, or change with `--cascade` as described. Brackets give "
                "the reason why an edit is refused: a section of the description of the format.\n\n"
                "| list | edits of its elements | inserted and removed with one | referred to by |\n"
                "|---|---|---|---|\n");
        any = true;
        write_list(&l);
    }
    if (any)
        mst_output_text(out, "\n");
}
