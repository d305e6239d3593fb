/* SPDX-License-Identifier: MIT */
/* A format's reference as Markdown, from its tables. */
#include "reference.h"
#include "../check/refers.h"
#include "../core/diagnose.h"
#include "../core/number.h"
#include "../core/unreachable.h"
#include "../edit/fix_findings.h"
#include "../tables/fields.h"
#include <mapstone/edit.h>
#include <stdio.h>

static const char *kind_name(uint8_t kind) {
    static const char *const names[] = {"bytes", "u8",   "i8",          "u16",    "i16",
                                        "u32",   "i32",  "u64",         "i64",    "f32",
                                        "f64",   "char", "UTF-16 char", "record", "chunks"};
    return names[kind];
}

/* The field that sets a context variable, for the text of conditions. */
static const char *variable_name(const mst_format *format, uint8_t variable) {
    if (variable == MST_VARIABLE_VERSION)
        return format->identity.version_field ? format->identity.version_field : "version";
    for (size_t r = 0; r < format->tables.record_count; r++)
        for (uint16_t f = 0; f < format->tables.records[r]->field_count; f++)
            if (format->tables.records[r]->fields[f].bind == variable + 1)
                return format->tables.records[r]->fields[f].name;
    return "?";
}

/* Looks in the record first: several records may use the same context variable. */
static const char *variable_in(const mst_format *format, const mst_record *record, uint8_t variable) {
    for (uint16_t f = 0; variable && f < record->field_count; f++)
        if (record->fields[f].bind == variable + 1)
            return record->fields[f].name;
    return variable_name(format, variable);
}

/* Whether the record ends with a part of stored size that does not contain the field. */
static bool comes_before_last_part(const mst_record *record, const mst_field *field) {
    bool last = false;
    for (uint16_t f = 0; f < record->field_count; f++)
        last = last || (record->fields[f].flags & MST_FIELD_LAST);
    return last && !(field->flags & (MST_FIELD_LAST | MST_FIELD_OUTSIDE));
}

static void write_type(mst_output *out, const mst_format *format, const mst_record *record,
                       const mst_field *field) {
    const char *kind = field->record ? field->record->name : kind_name(field->kind);
    char boolean[16];
    if (field->flags & MST_FIELD_BOOL) {
        snprintf(boolean, sizeof boolean, "bool (%s)", kind);
        kind = boolean;
    }
    switch ((mst_count_mode)field->mode) {
    case MST_COUNT_ONE: mst_output_text(out, kind); break;
    case MST_COUNT_FIXED: mst_output_format(out, "%s[%u]", kind, field->count); break;
    case MST_COUNT_PREFIX: mst_output_format(out, "%s n, n x %s", kind_name(field->prefix), kind); break;
    case MST_COUNT_VARIABLE: {
        const char *name = variable_in(format, record, field->count_variable);
        if (field->count)
            mst_output_format(out, "(%s + %u) x %s", name, field->count, kind);
        else
            mst_output_format(out, "%s x %s", name, kind);
        break;
    }
    case MST_COUNT_PRODUCT:
        mst_output_format(out, "%s x %s x %s", variable_in(format, record, field->count_variable),
                          variable_in(format, record, (uint8_t)field->count), kind);
        break;
    case MST_COUNT_DATA_SET:
        mst_output_format(out, mst_is_text(field) ? "data set of one text" : "data set of %s", kind);
        break;
    case MST_COUNT_ARCHIVE: mst_output_format(out, "archive of %s", kind); break;
    case MST_COUNT_ALIGN: mst_output_format(out, "%s up to a multiple of %u", kind, field->count); break;
    case MST_COUNT_TO_END:
        mst_output_format(out, "%s until the %s", kind,
                          comes_before_last_part(record, field) ? "last part" : "end");
        break;
    case MST_COUNT_SENTINEL:
        mst_output_format(out, field->ends ? "%s until the end marker" : "%s, as many as fit", kind);
        break;
    }
}

/* The field that sets a context variable, if it transforms the value. */
static const mst_field *transforming_field(const mst_format *format, const mst_record *record,
                                           uint8_t variable) {
    for (uint16_t f = 0; variable && f < record->field_count; f++)
        if (record->fields[f].bind == variable + 1)
            return record->fields[f].transform ? &record->fields[f] : NULL;
    for (size_t r = 0; variable && r < format->tables.record_count; r++)
        for (uint16_t f = 0; f < format->tables.records[r]->field_count; f++)
            if (format->tables.records[r]->fields[f].bind == variable + 1)
                return format->tables.records[r]->fields[f].transform ? &format->tables.records[r]->fields[f]
                                                                      : NULL;
    return NULL;
}

/* Lists the first few values that a field transforms to `result`. If none are below 65536, the field's notes
 * must list them. */
static void write_transformed(mst_output *out, const mst_field *field, uint32_t result, bool equal) {
    unsigned count = 0;
    uint32_t first = 0;
    while (first <= UINT16_MAX && field->transform(first) != result)
        first++;
    if (first > UINT16_MAX) {
        mst_output_format(out, "depends on %s", field->name);
        return;
    }
    mst_output_format(out, "%s is%s", field->name, equal ? "" : " not");
    for (uint32_t value = first; value <= UINT16_MAX && count <= 16; value++)
        if (field->transform(value) == result) {
            if (count < 16)
                mst_output_format(out, "%s 0x%X", count ? "," : "", value);
            else
                mst_output_text(out, ", ...");
            count++;
        }
}

static void write_when(mst_output *out, const mst_format *format, const mst_record *record,
                       const mst_field *field, unsigned layouts) {
    bool comma = false;
    for (size_t i = 0; i < MST_COUNT_OF(field->when); i++) {
        const mst_when *when = &field->when[i];
        if (when->operation == MST_ALWAYS || mst_reference_holds_always(format, when, layouts))
            continue;
        const char *name = variable_in(format, record, when->variable);
        mst_output_text(out, comma ? ", " : "");
        comma = true;
        if (when->variable == MST_VARIABLE_LAYOUT) {
            mst_output_format(
                out, "layout is%s %s", when->operation == MST_EQUAL ? "" : " not",
                when->value < format->identity.layout_count ? format->identity.layouts[when->value] : "?");
            continue;
        }
        const mst_field *transforming = transforming_field(format, record, when->variable);
        if (transforming && (when->operation == MST_EQUAL || when->operation == MST_NOT_EQUAL)) {
            write_transformed(out, transforming, when->value, when->operation == MST_EQUAL);
            continue;
        }
        if (when->variable == MST_VARIABLE_BIG) {
            mst_output_text(out, (when->operation == MST_EQUAL) == (when->value == 0) ? "little-endian"
                                                                                      : "big-endian");
            continue;
        }
        switch ((mst_operator)when->operation) {
        case MST_EQUAL: mst_output_format(out, "%s is %u", name, when->value); break;
        case MST_NOT_EQUAL: mst_output_format(out, "%s is not %u", name, when->value); break;
        case MST_AT_LEAST: mst_output_format(out, "%s >= %u", name, when->value); break;
        case MST_BELOW: mst_output_format(out, "%s < %u", name, when->value); break;
        case MST_ANY_BIT: mst_output_format(out, "%s has 0x%X", name, when->value); break;
        case MST_NO_BIT: mst_output_format(out, "%s has no bit of 0x%X", name, when->value); break;
        case MST_ONE_OF: {
            mst_output_format(out, "%s is one of", name);
            for (unsigned bit = 0; bit < 32; bit++)
                if (when->value >> bit & 1)
                    mst_output_format(out, " %u", bit);
            break;
        }
        case MST_ALWAYS: break;
        }
    }
    if (field->present)
        mst_output_text(out, comma ? ", if the bytes indicate it" : "if the bytes indicate it");
}

static void write_refers(mst_output *out, const mst_field *field, const mst_refers *fact) {
    if (fact->where)
        mst_output_format(out, "Where `%s` is%s %u: ", fact->where,
                          fact->operation == MST_EQUAL ? "" : " not", fact->value);
    if (fact->mask)
        mst_output_format(out, "Bits 0x%X: ", fact->mask);
    if (fact->by == MST_BY_INDEX)
        mst_output_format(out, "Index into `%s`", fact->target);
    else
        mst_output_format(out, "%s `%s` of `%s`",
                          fact->by == MST_BY_BIT ? "Each set bit refers to" : "Refers to",
                          fact->key ? fact->key : "index", fact->target);
    if (fact->then)
        mst_output_format(out, ", continued in `%s`", fact->then);
    for (uint8_t i = 0; i < fact->nones; i++) {
        long long none = mst_refers_none(field, fact, i);
        const char *name = field->names ? mst_name_of_number(field->names, none) : NULL;
        mst_output_format(out, "%s %lld", i ? " or" : ",", none);
        if (name)
            mst_output_format(out, " (`%s`)", name);
        mst_output_text(out, i + 1 < fact->nones ? "" : " for none");
    }
    if (fact->nones && fact->none_from)
        mst_output_format(out, " (from component %u on)", fact->none_from);
    if (fact->apart)
        mst_output_text(out, ", counted from 0 in every number");
    if (fact->end_is_none)
        mst_output_text(out, ", the list's length for none");
    if (fact->code)
        mst_output_format(out, " (%s)", fact->code);
    mst_output_text(out, ". ");
}

/* The notes for flags, in the order of the text. */
static const struct {
    uint32_t flag;
    const char *text;
} flag_notes[] = {
    {MST_FIELD_SIZE, "Bytes after the size fields, up to the end of the record. "},
    {MST_FIELD_SIZE_FIRST, "Bytes after the size fields, up to the last part of the record. "},
    {MST_FIELD_SIZE_LAST, "Bytes of the last part of the record. "},
    {MST_FIELD_LAST, "In the last part. "},
    {MST_FIELD_OUTSIDE, "Outside of the bytes that the sizes cover. "},
    {MST_FIELD_OPTIONAL, "May be missing. "},
    {MST_FIELD_HIGH, "In the file bit 7 of every byte is set. "},
    {MST_FIELD_BIG, "Big-endian. "},
    {MST_FIELD_LITTLE, "Little-endian. "},
    {MST_FIELD_ORIGINAL, "Original bytes, left out of JSON where they are canonical. "},
    {MST_FIELD_OMIT_EMPTY, "Left out of JSON where empty. "},
    {MST_FIELD_CONTENT, "The bytes count as understood. "},
    {MST_FIELD_OWNED, "Elements are removed with the last reference to them. "},
    {MST_FIELD_SLOTS, "The game has a fixed number: none is inserted, and a removed one becomes unused. "},
    {MST_FIELD_NUMBERED,
     "Other files refer to the elements by index: none is inserted or removed separately. "},
    {MST_FIELD_APPEND,
     "Others refer to the elements by index: they are inserted and removed only at the end. "},
};

/* The notes for the roles of fields in files with a directory. */
static const char *const role_notes[] = {"",
                                         "Not in the stored record. ",
                                         "Only in the file: the offset of the directory. ",
                                         "Only in the file: the size of the directory in bytes. ",
                                         "Only in the file: the number of entries in the directory. ",
                                         "Only in the file: the offset of the data. ",
                                         "Only in the file: the size of the data in bytes. "};

static void write_flags(mst_output *out, const mst_format *format, const mst_record *record,
                        const mst_field *field) {
    /* the byte order of parsed bytes is not the file's */
    uint32_t flags = field->flags & ~(format->files.count ? MST_FIELD_BIG | MST_FIELD_LITTLE : 0u);
    mst_output_text(out, role_notes[field->directory]);
    if (field->directory == MST_NOT_STORED) /* the form of the parsed bytes is not the file's */
        return;
    for (size_t i = 0; i < MST_COUNT_OF(flag_notes); i++)
        if (flags & flag_notes[i].flag)
            mst_output_text(out, flag_notes[i].text);
    if (field->flags & MST_FIELD_STOP)
        mst_output_text(out, mst_is_number(field)                    ? "If negative, the list is empty. "
                             : comes_before_last_part(record, field) ? "Only the last part follows. "
                                                                     : "Nothing follows. ");
    if (field->flags & MST_FIELD_SHORT)
        mst_output_text(out, mst_is_number(field) ? "The list may have fewer. "
                                                  : "May end early, at the end of its part. ");
    if (field->parallel)
        mst_output_format(out, "Element i is about element i of `%s`. ", field->parallel->target);
}

static void write_rule(mst_output *out, const mst_rule *rule) {
    static const char *const demands[] = {"", "one of the names", "0", "0 or 1"};
    if (rule->kind != MST_RULE_NONE)
        mst_output_format(out, "Must be %s (%s). ", demands[rule->kind], rule->code);
}

/* Whether a reference uses the value as "none": its name has already been written there. */
static bool is_none(const mst_field *field, int64_t value) {
    for (uint8_t i = 0; i < field->refers_count; i++)
        for (uint8_t n = 0; n < field->refers[i].nones; n++)
            if (mst_refers_none(field, &field->refers[i], n) == value)
                return true;
    return false;
}

/* The names of a field's values or bits; with references, those not yet written there. */
static void write_names_in_cell(mst_output *out, const mst_field *field) {
    bool any = false;
    for (size_t i = 0; i < field->names->count; i++) {
        const mst_enum_name *item = &field->names->items[i];
        if (is_none(field, item->value))
            continue;
        mst_output_text(out, any ? ", " : field->flags & MST_FIELD_FLAGS ? "Bits: " : "");
        mst_output_format(out, "%lld %s", (long long)item->value, item->name);
        any = true;
    }
    if (field->flags & MST_FIELD_BESIDE)
        mst_output_text(out, "; the other bits are a number");
    mst_output_text(out, any ? ". " : "");
}

#define NAMES_IN_A_CELL 256
/* `seen`: replaces the field's own range and evidence; NULL: the field's own. */
static void write_notes(mst_output *out, const mst_format *format, const mst_record *record,
                        const mst_field *field, const mst_seen *seen) {
    if (field->doc)
        mst_output_format(out, "%s ", field->doc);
    const char *range = seen ? seen->range : field->range,
               *evidence = seen ? seen->evidence : field->evidence;
    if (range)
        mst_output_format(out, "Values: %s. ", range);
    if (evidence)
        mst_output_format(out, "Evidence: %s. ", evidence);
    if (field->constant)
        mst_output_format(out, "Always `%s`. ", field->constant);
    if (field->size_scale > 1)
        mst_output_format(out, "In units of %u bytes. ", field->size_scale);
    if (field->size_bias)
        mst_output_format(out, "Includes %u more bytes. ", field->size_bias);
    write_flags(out, format, record, field);
    if (field->length_of) {
        mst_output_format(out, "Length of `%s`", field->length_of);
        if (field->length_bias)
            mst_output_format(out, " %s %d", field->length_bias < 0 ? "minus" : "plus",
                              field->length_bias < 0 ? -field->length_bias : field->length_bias);
        mst_output_text(out, ". ");
    }
    if (field->flags & MST_FIELD_DEFAULT)
        mst_output_format(out, "Usually %u. ", field->initial);
    write_rule(out, &field->rule);
    for (uint8_t i = 0; i < field->refers_count; i++)
        write_refers(out, field, &field->refers[i]);
    if (field->names && (field->meanings || field->names->count > NAMES_IN_A_CELL)) {
        mst_output_format(out, "%s: see the names of `%s`. ",
                          field->flags & MST_FIELD_FLAGS ? "Bits" : "Numbers", field->name);
        return;
    }
    if (field->names)
        write_names_in_cell(out, field);
}

/* A number, or four characters, with '.' for those that are ignored. */
static void write_id(const mst_case *one, bool named, char *id, size_t capacity) {
    if (!named) {
        snprintf(id, capacity, "%u", one->id);
        return;
    }
    size_t n = 0;
    id[n++] = '`';
    for (int shift = 24; shift >= 0; shift -= 8)
        id[n++] = (char)(one->any >> shift & 0xFF ? '.' : one->id >> shift & 0xFF);
    id[n++] = '`';
    id[n] = 0;
}

static void write_chunks(mst_output *out, const mst_format *format, const mst_record *record,
                         const mst_chunks *chunks) {
    mst_output_format(out, "\nThen chunks until the end: %s, content.",
                      chunks->big ? "four characters, u32 length (big-endian)" : "u32 id, u32 length");
    if (chunks->align)
        mst_output_format(out, " Each begins at a multiple of %u bytes.", chunks->align);
    mst_output_format(
        out, " All others are kept in `%s`.\n\n| id | field | content | meaning |\n|---|---|---|---|\n",
        chunks->unknown->name);
    for (uint8_t c = 0; c < chunks->case_count; c++) {
        const mst_case *one = &chunks->cases[c];
        const mst_field *field = &one->field;
        char id[16];
        write_id(one, chunks->big, id, sizeof id);
        mst_output_format(out, "| %s | `%s` | ", id, field->name);
        write_type(out, format, record, field);
        mst_output_text(out, " | ");
        if (field->flags & MST_FIELD_REPEATED)
            mst_output_text(out, "Any number of chunks. ");
        if (field->flags & MST_FIELD_WITH_HEADER)
            mst_output_text(out, "Id and length are fields of the record. ");
        if (one->accepts)
            mst_output_text(out, "Only if the content has the size that it should have. ");
        write_notes(out, format, record, field, NULL);
        mst_output_text(out, "|\n");
    }
}

/* The meanings of names, below the first record that has them. */
static void write_meanings(mst_output *out, const mst_format *format, const mst_record *record,
                           uint16_t field) {
    const mst_field *named = &record->fields[field];
    for (size_t r = 0; r < format->tables.record_count; r++) {
        const mst_record *other = format->tables.records[r];
        uint16_t count = other == record ? field : other->field_count;
        for (uint16_t f = 0; f < count; f++)
            if (other->fields[f].meanings == named->meanings)
                return;
        if (other == record)
            break;
    }
    mst_output_format(out, "\n### Names of `%s`\n\n| %s | name | meaning |\n|---|---|---|\n", named->name,
                      named->flags & MST_FIELD_FLAGS ? "bit" : "number");
    for (size_t i = 0; i < named->names->count; i++)
        mst_output_format(out, "| %lld | `%s` | %s |\n", (long long)named->names->items[i].value,
                          named->names->items[i].name, named->meanings[i]);
}

/* One line for alternatives that are described on demand; returns the index of the last one. */
static uint16_t write_apart(mst_output *out, const mst_format *format, const mst_record *record,
                            uint16_t first, bool offsets) {
    const mst_field *fields = record->fields;
    uint16_t last = first;
    while (last + 1 < record->field_count && fields[last + 1].record && fields[last + 1].record->apart)
        last++;
    const char *selects = variable_in(format, record, fields[first].when[0].variable);
    mst_output_format(out,
                      "| `%s` | a record |%s | for %s | One of %u records, by `%s`: `mapstone spec %s` "
                      "and a number or name of `%s` describes it. |\n",
                      fields[first].name, offsets ? " |" : "", "some", (unsigned)(last - first + 1), selects,
                      format->information.id, selects);
    return last;
}

/* Names that are too many for one line of the table. */
static void write_names(mst_output *out, const mst_field *field) {
    mst_output_format(out, "\n### Names of `%s`\n\n", field->name);
    for (size_t i = 0; i < field->names->count; i++)
        mst_output_format(out, "%lld %s%s", (long long)field->names->items[i].value,
                          field->names->items[i].name,
                          i + 1 == field->names->count ? ".\n"
                          : i % 8 == 7                 ? ",\n"
                                                       : ", ");
}

/* The number that selects the described records; NULL: none. */
typedef struct selection {
    uint32_t number;
    uint32_t base; /* the offset of its record in the element */
} selection;

/* The observed values of a field of this record; false if there are none. */
static bool see(const mst_format *format, const mst_record *record, uint16_t field, const selection *by,
                mst_seen *seen) {
    uint32_t offset;
    return by && format->tables.seen && mst_reference_fixed(format, record, field, &offset) &&
           format->tables.seen(by->number, &record->fields[field], by->base + offset, seen);
}

/* The last of an archive's blocks from `first` on that differ only in their numbers: block_8, block_9. */
static uint16_t last_alike(const mst_record *record, uint16_t first) {
    const mst_field *fields = record->fields;
    uint16_t last = first;
    while (record->archive && last + 1 < record->field_count && fields[last + 1].kind == MST_KIND_RAW &&
           fields[first].kind == MST_KIND_RAW && !strcmp(fields[last + 1].doc, fields[first].doc))
        last++;
    return last;
}

static void write_fields(mst_output *out, const mst_format *format, const mst_record *record,
                         const selection *by, unsigned layouts) {
    bool offsets = !format->files.count || by;
    mst_output_format(out, "| field | type |%s unit | present | meaning |\n|---|---|%s---|---|---|\n",
                      offsets ? " offset |" : "", offsets ? "---|" : "");
    for (uint16_t i = 0; i < record->field_count; i++) {
        const mst_field *field = &record->fields[i];
        if (field->kind == MST_KIND_CHUNKS || !mst_reference_has_field(format, field, layouts))
            continue;
        if (field->record && field->record->apart) {
            i = write_apart(out, format, record, i, offsets);
            continue;
        }
        uint16_t last = last_alike(record, i);
        mst_output_format(out, "| `%s`", field->name);
        if (last > i)
            mst_output_format(out, " to `%s`", record->fields[last].name);
        mst_output_text(out, " | ");
        write_type(out, format, record, field);
        if (offsets) {
            mst_output_text(out, " | ");
            mst_reference_offset(out, format, record, i, by ? by->base : 0, layouts);
        }
        mst_output_format(out, " | %s | ", field->unit ? field->unit : "");
        write_when(out, format, record, field, layouts);
        mst_output_text(out, " | ");
        mst_seen seen;
        write_notes(out, format, record, field, see(format, record, i, by, &seen) ? &seen : NULL);
        mst_output_text(out, "|\n");
        i = last;
    }
    for (uint16_t i = 0; i < record->field_count; i++)
        if (record->fields[i].chunks)
            write_chunks(out, format, record, record->fields[i].chunks);
    for (uint16_t i = 0; i < record->field_count; i++)
        if (record->fields[i].meanings)
            write_meanings(out, format, record, i);
        else if (record->fields[i].names && record->fields[i].names->count > NAMES_IN_A_CELL)
            write_names(out, &record->fields[i]);
    mst_output_text(out, "\n");
}

static void write_shape(mst_output *out, const mst_record *record) {
    if (record->is_inline)
        mst_output_text(out, " In paths and JSON it is replaced by its field.");
    if (record->archive) {
        mst_output_text(out, " An indexed archive; the fields are its blocks, in order");
        if (record->min)
            mst_output_format(out, ", at least %u of them", record->min);
        mst_output_text(out, ".");
    }
    if (record->vacant)
        mst_output_text(out, " References of elements that are placeholders are not checked.");
    mst_output_text(out, "\n\n");
}

/* The layouts in which a field's record occurs, if the field's own record does in `layouts`. */
static void mark_field(const mst_format *format, const mst_field *field, unsigned layouts, uint8_t *reached,
                       bool *more) {
    for (unsigned layout = 0; field->record && layout < 8; layout++) {
        unsigned bit = 1u << layout;
        if ((layouts & bit) && !(reached[field->record->index] & bit) &&
            mst_reference_has_field(format, field, bit)) {
            reached[field->record->index] |= (uint8_t)bit;
            *more = true;
        }
    }
}

/* The layouts in which each record occurs: formats of a family share tables. */
static void reach(const mst_format *format, uint8_t *reached) {
    unsigned count = format->identity.layout_count ? format->identity.layout_count : 1;
    reached[format->tables.root->index] = (uint8_t)((1u << count) - 1);
    for (bool more = true; more;) {
        more = false;
        for (mst_fields it = mst_fields_of_format(format); mst_fields_next(&it);)
            mark_field(format, it.field, reached[it.record->index], reached, &more);
    }
}

/* Whether the record also has the field in another place, under another condition. */
static bool is_repeated(const mst_record *record, uint16_t field) {
    const mst_field *fields = record->fields;
    for (uint16_t f = 0; f < field; f++)
        if (strcmp(fields[f].name, fields[field].name) == 0 &&
            fields[f].refers_count == fields[field].refers_count &&
            strcmp(fields[f].refers->target, fields[field].refers->target) == 0)
            return true;
    return false;
}

/* The relations: which numbers refer to elements of which list. */
static void write_relations(mst_output *out, const mst_format *format, const uint8_t *reached) {
    bool any = false;
    for (size_t r = 0; r < format->tables.record_count; r++) {
        const mst_record *record = format->tables.records[r];
        for (uint16_t f = 0; reached[r] && f < record->field_count; f++) {
            const mst_field *field = &record->fields[f];
            if (!mst_reference_has_field(format, field, reached[r]))
                continue;
            for (uint8_t i = 0; i < field->refers_count && !is_repeated(record, f); i++) {
                if (!any)
                    mst_output_text(out, "## Relations\n\n| number | refers to |\n|---|---|\n");
                any = true;
                mst_output_format(out, "| `%s.%s` | ", record->name, field->name);
                write_refers(out, field, &field->refers[i]);
                mst_output_text(out, "|\n");
            }
        }
    }
    if (format->tables.relations)
        mst_output_format(out, "%s%s", any ? "\n" : "## Relations\n\n", format->tables.relations);
    if (any || format->tables.relations)
        mst_output_text(out, "\n");
}

static void write_record(mst_output *out, const mst_format *format, const mst_record *record,
                         const selection *by, unsigned layouts) {
    char first = *record->doc; /* never empty */
    if (first >= 'a' && first <= 'z')
        first = (char)(first - 32);
    mst_output_format(out, "## %s\n\n%c%s.", record->name, first, record->doc + 1);
    write_shape(out, record);
    write_fields(out, format, record, by, layouts);
}

#define RECORDS 512

mst_status mst_write_reference(const mst_format_information *information, mst_sink sink) {
    if (!sink.write)
        return MST_ARGUMENT;
    const mst_format *format = mst_format_of(information);
    if (!format ||
        MST_UNREACHABLE(format->tables.record_count > RECORDS)) /* no format has that many records */
        return MST_ARGUMENT;
    mst_output out;
    mst_output_begin(&out, sink);
    mst_output_format(&out, "# %s (`%s`)\n\n", information->title, information->id);
    if (*information->extensions)
        mst_output_format(&out, "Files: `%s`. ", information->extensions);
    if (*information->media_type)
        mst_output_format(&out, "Media type: `%s`. ", information->media_type);
    if (*information->versions)
        mst_output_format(&out, "Versions: %s. ", information->versions);
    mst_output_text(&out, "\n\n");
    mst_output_text(&out, format->tables.introduction ? format->tables.introduction : "");
    mst_output_text(&out, "\n");
    for (size_t i = 0; i < MST_COUNT_OF(format->tables.in_files) && format->tables.in_files[i]; i++)
        mst_output_text(&out, format->tables.in_files[i]);
    if (format->tables.in_files[0])
        mst_output_text(&out, "\n## The values\n\n");
    mst_output_format(
        &out,
        "Generated from the tables that read and write the format. `u32 n, n x T` is %s; a type "
        "in lower-case words is a record described below.\n\n",
        format->files.count ? "a list of n elements of type T; n need not be in the file"
                            : "a count n and n elements of type T");
    if (!format->files.count)
        mst_output_text(&out, "An offset counts from the record's first byte, where it is the same in all "
                              "files, or in all files of the versions given; other fields begin where the "
                              "field before them ends.\n\n");
    uint8_t reached[RECORDS] = {0};
    reach(format, reached);
    for (size_t i = 0; i < format->tables.record_count; i++) {
        /* the root first, then in the order of the list */
        size_t root = format->tables.root->index, r = i == 0 ? root : i <= root ? i - 1 : i;
        const mst_record *record = format->tables.records[r];
        if (reached[r] && !record->apart)
            write_record(&out, format, record, NULL, reached[r]);
    }
    write_relations(&out, format, reached);
    mst_reference_lists(&out, format, reached);
    mst_output_text(&out, "## Codes\n\n| code | severity | meaning |\n|---|---|---|\n");
    for (size_t i = 0; i < format->check.codes->count; i++) {
        const mst_code_information *one = &format->check.codes->items[i];
        const char *fix = mst_fix_of(&format->information, one->code);
        mst_output_format(&out, "| `%s` | %s | %s%s%s |\n", one->code, mst_severity_word(one->severity),
                          one->documentation, fix ? "; `mapstone fix` " : "", fix ? fix : "");
    }
    const char *sources = format->tables.sources;
    if (sources && *sources)
        mst_output_format(&out, "\n## Sources\n\n%s%s", sources,
                          sources[strlen(sources) - 1] == '\n' ? "" : "\n");
    return mst_output_end(&out);
}

/* ---- one of many records ------------------------------------------------------------------------ */

/* The number that has the name `what` in a field with names; false if there is none. */
static bool number_of(const mst_field *field, const char *what, uint32_t *number) {
    for (size_t i = 0; i < field->names->count; i++)
        if (strcmp(field->names->items[i].name, what) == 0) {
            *number = (uint32_t)field->names->items[i].value;
            return true;
        }
    uint64_t read;
    bool known = mst_read_u64(what, strlen(what), &read) && read <= INT64_MAX &&
                 mst_name_of_number(field->names, (int64_t)read) != NULL;
    *number = known ? (uint32_t)read : 0;
    return known;
}

static uint32_t selected_by(const mst_field *field, uint32_t number) {
    return field->transform ? field->transform(number) : number;
}

static bool selects(const mst_field *by, const mst_field *field) {
    return field->record && field->when[0].operation == MST_EQUAL && field->when[0].variable + 1 == by->bind;
}

/* The alternative of a record that a value of its field `by` selects; NULL: none. */
static const mst_record *alternative(const mst_record *record, const mst_field *by, uint32_t number) {
    for (uint16_t i = 0; i < record->field_count; i++)
        if (selects(by, &record->fields[i]) && record->fields[i].when[0].value == selected_by(by, number))
            return record->fields[i].record;
    return NULL;
}

/* The field whose values select alternatives that are described on demand, and the offset of those; NULL if
 * the record has none. */
static const mst_field *selector_of(const mst_record *record, uint32_t *base) {
    for (uint16_t f = 0; f < record->field_count; f++) {
        const mst_field *by = &record->fields[f];
        for (uint16_t i = 0; by->bind && by->names && i < record->field_count; i++)
            if (selects(by, &record->fields[i]) && record->fields[i].record->apart) {
                *base = record->fields[i].record->apart;
                return by;
            }
    }
    return NULL;
}

/* The first such field of a format, and its record; NULL if there is none. */
static const mst_field *selector_in(const mst_format *format, const mst_record **around, uint32_t *base) {
    for (size_t r = 0; r < format->tables.record_count; r++) {
        const mst_field *by = selector_of(format->tables.records[r], base);
        *around = format->tables.records[r];
        if (by)
            return by;
    }
    return NULL;
}

/* An alternative, and the records in it that are not alternatives themselves. */
static void write_alternative(mst_output *out, const mst_format *format, const mst_record *record,
                              const selection *by) {
    write_record(out, format, record, by, MST_ALL_LAYOUTS);
    for (uint16_t i = 0; i < record->field_count; i++)
        if (record->fields[i].record)
            write_record(out, format, record->fields[i].record, NULL, MST_ALL_LAYOUTS);
}

static mst_status write_selected(mst_output *out, const mst_format *format, const mst_record *around,
                                 const mst_field *by, const selection *selected) {
    const mst_record *record = alternative(around, by, selected->number);
    const char *name = mst_name_of_number(by->names, selected->number);
    mst_output_format(out, "# %s %s (`%s`, `%s` %u)\n\n", around->name, name, format->information.id,
                      by->name, selected->number);
    if (!record) {
        mst_output_format(out, "The fields particular to %s are not known: they are kept as bytes.\n", name);
        return mst_output_end(out);
    }
    mst_output_format(out,
                      "Their common fields are described by `mapstone spec %s`. Offsets count from the first "
                      "byte of the %s.",
                      format->information.id, around->name);
    const char *separator = " The same holds for ";
    bool others = false;
    for (size_t i = 0; i < by->names->count; i++) {
        uint32_t number = (uint32_t)by->names->items[i].value;
        if (number == selected->number || alternative(around, by, number) != record)
            continue;
        mst_output_format(out, "%s%s", separator, by->names->items[i].name);
        separator = ", ";
        others = true;
    }
    mst_output_text(out, others ? ".\n\n" : "\n\n");
    write_alternative(out, format, record, selected);
    return mst_output_end(out);
}

mst_status mst_write_record_reference(const mst_format_information *information, const char *what,
                                      mst_sink sink) {
    const mst_format *format = mst_format_of(information);
    if (!format || !what || !sink.write)
        return MST_ARGUMENT;
    const mst_record *around;
    selection selected;
    const mst_field *by = selector_in(format, &around, &selected.base);
    if (!by || !number_of(by, what, &selected.number))
        return MST_NO_PATH;
    mst_output out;
    mst_output_begin(&out, sink);
    return write_selected(&out, format, around, by, &selected);
}

const char *mst_record_reference_name(const mst_format_information *information, size_t index) {
    const mst_format *format = mst_format_of(information);
    const mst_record *around;
    uint32_t base;
    const mst_field *by = format ? selector_in(format, &around, &base) : NULL;
    return by && index < by->names->count ? by->names->items[index].name : NULL;
}
