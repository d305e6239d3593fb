/* SPDX-License-Identifier: MIT */
/* class.def and exit.def as a format: the text is kept byte for byte and checked; JSON has its content. */
#include "../../check/finding.h"
#include "../../core/number.h"
#include "../../core/text.h"
#include "../../tables/words.h"
#include "revenant.h"
#include "revenant_classes.h"

/* The layouts: a text, and its content (mst_open_content), which has no file. */
enum { L_TEXT, L_CLASSES, L_EXITS };
#define LAYOUT(name) IF(IS(MST_VARIABLE_LAYOUT, L_##name))
#define TEXT         .kind = MST_KIND_CHAR8, MST_PREFIXED

#define RECORDS(X) X(definitions) X(property) X(type_line) X(statistic) X(exit_line)
enum { RECORDS(RECORD_INDEX) };

#define CLASS                                                                                                \
    {.name = "class", TEXT, .doc = "Class of the type, unchanged."}, {                                       \
        .name = "class_number", I32, .doc = "The game's number of the class, which objects store.",          \
        .range = "0..26, -1 if the game has no such class"                                                   \
    }
#define LINE                                                                                                 \
    { .name = "line", U32, .doc = "Line of the text, from 1." }

static const mst_field property_fields[] = {
    {.name = "name", TEXT, .doc = "Code of the statistic; #1 for one whose code is not unique."},
    {.name = "value", I32, .doc = "The value of the type; the statistic gives its limits."}};
RECORD(property, "property", "the value of a statistic");

static const mst_field type_line_fields[] = {
    CLASS,
    {.name = "name", TEXT, .doc = "Name of the type, shown to players and used by the game's code."},
    {.name = "unique_id", U32, .doc = "The number by which objects name their type."},
    {.name = "imagery", TEXT, .doc = "Path of the pictures or the model, below the game's imagery."},
    {.name = "properties", LIST(property), .doc = "Statistics that all objects of the type share (STATS)."},
    {.name = "object_properties",
     LIST(property),
     .doc = "Statistics with which an object begins, and that it may store itself (OBJSTATS)."},
    LINE};
RECORD(type_line, "type", "a type of objects: a line of TYPES in class.def");

static const mst_enum_name owner_names[] = {{0, "type"}, {1, "object"}};
static const mst_field statistic_fields[] = {
    CLASS,
    {.name = "owner",
     U8,
     NAMES(owner_names),
     .doc = "Whether types have it (STATS), or each object may have its own (OBJSTATS)."},
    {.name = "name", TEXT, .doc = "Name of the statistic in the game's editor."},
    {.name = "code", TEXT, .doc = "The four letters by which objects store it."},
    {.name = "default", I32, .doc = "Value of types that give none."},
    {.name = "minimum", I32, .doc = "The least value."},
    {.name = "maximum",
     I32,
     .doc = "The greatest value; if it is not above the minimum, there is no limit."}};
RECORD(statistic, "statistic", "a statistic of a class: a line of STATS or OBJSTATS in class.def");

#define THREE .kind = MST_KIND_I32, MST_PREFIXED
static const mst_field exit_line_fields[] = {
    {.name = "name", TEXT, .doc = "Name of the exit objects that lead there."},
    {.name = "position",
     THREE,
     .unit = "1/32 m",
     .doc = "Where one arrives: x, y, z; empty if it is not given."},
    {.name = "level", I32, .doc = "The level to which it leads.", .range = "-1 if it is not given"},
    {.name = "map_index",
     I32,
     .doc = "map_index of the exit object at which one arrives.",
     .range = "-1 if it is not given"},
    {.name = "ambient", I32, .doc = "How bright the light is there.", .range = "-1 if it is not given"},
    {.name = "color", THREE, .doc = "Colour of that light: red, green, blue; empty if it is not given."},
    LINE};
RECORD(exit_line, "exit", "where an exit leads: a line of exit.def");

static const mst_field definitions_fields[] = {
    {.name = "text",
     .kind = MST_KIND_CHAR8,
     .mode = MST_COUNT_TO_END,
     .doc = "The complete text, byte for byte. What it holds is read with `text@`.",
     LAYOUT(TEXT)},
    {.name = "types", LIST(type_line), .doc = "The types of class.def, in its order.", LAYOUT(CLASSES)},
    {.name = "statistics",
     LIST(statistic),
     .doc = "The statistics of class.def, class by class.",
     LAYOUT(CLASSES)},
    {.name = "exits", LIST(exit_line), .doc = "The exits of exit.def, in its order.", LAYOUT(EXITS)},
};
RECORD(definitions, "definitions", "the text of the file, or its content");
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};

static const mst_code_information codes[] = {
    {"REV-DEF-SYNTAX", MST_WARNING, "the line does not have the expected form"},
    {"REV-DEF-DUPLICATE", MST_WARNING, "two types have the same unique id: the game uses the first"},
    {"REV-DEF-CLASS", MST_WARNING, "the game has no class with that name: it may be misspelled"},
    {"REV-DEF-VALUES", MST_WARNING,
     "the type has more or fewer values than its class has statistics: values are assigned in order"},
    {"REV-DEF-RANGE", MST_INFORMATION, "the value is outside the range of the statistic"},
    {"REV-DEF-TEXT", MST_WARNING, "the file is not text: it contains NUL bytes, and is kept unchanged"},
    MST_REVENANT_ASSET_CODES,
};

/* ---- probing ----------------------------------------------------------------------------------- */

static char upper(char c) {
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* `start` is in upper case. */
static bool begins_with(const char *text, size_t size, const char *start) {
    for (; *start; start++, text++, size--)
        if (!size || upper(*text) != *start)
            return false;
    return true;
}

static bool ends_with(const char *name, const char *end) {
    size_t length = name ? strlen(name) : 0, end_length = strlen(end);
    return length >= end_length && begins_with(name + length - end_length, end_length, end);
}

static bool probe(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                  mst_variant *variant) {
    (void)file_size;
    (void)variant;
    if (ends_with(name, "CLASS.DEF") || ends_with(name, "EXIT.DEF"))
        return true;
    const char *text = (const char *)bytes;
    if (size > 4096)
        size = 4096;
    for (size_t at = mst_byte_order_mark(bytes, size); at < size;) {
        if (begins_with(text + at, size - at, "UNIQUE TYPE ID") ||
            begins_with(text + at, size - at, "CLASS \""))
            return true;
        for (; at < size && text[at] != '\n' && text[at] != '\r'; at++)
            if (text[at] == 0)
                return false;
        while (at < size && strchr(" \t\r\n", text[at]) && text[at])
            at++;
    }
    return false;
}

static bool lists_exits(const mst_document *document) {
    return ends_with(document->name, "EXIT.DEF");
}

/* ---- checking ---------------------------------------------------------------------------------- */

static mst_status report_remark(void *user, const mst_revenant_remark *remark) {
    mst_diagnostic *finding = mst_finding_at(user, remark->offset, remark->length, "text");
    MST_SET(finding->message, "line %lu: %s", (unsigned long)remark->line, remark->message);
    return mst_checker_report(user, remark->code);
}

static mst_status check_bytes(mst_checker *checker) {
    const uint8_t *data = checker->document->data;
    uint64_t count = 0, first = 0;
    for (uint64_t i = 0; i < checker->document->size; i++)
        if (data[i] == 0 && count++ == 0)
            first = i;
    if (!count)
        return MST_OK;
    mst_finding_at(checker, first, 1, "text");
    return mst_report(checker, "REV-DEF-TEXT", NULL, count == 1 ? "%llu NUL byte" : "%llu NUL bytes",
                      (unsigned long long)count);
}

/* Reports lines of exit.def with a bracket that is not closed, or was not opened. */
static mst_status check_exits(mst_checker *checker) {
    const uint8_t *data = checker->document->data;
    mst_status status = MST_OK;
    uint64_t line = 1, size = checker->document->size;
    for (uint64_t at = 0, end; status == MST_OK && at < size; at = end + 1, line++) {
        int open = 0;
        bool closed_too_often = false;
        for (end = at; end < size && data[end] != '\n'; end++) {
            if (data[end] == '/' && end + 1 < size && data[end + 1] == '/')
                break;
            open += data[end] == '(' ? 1 : data[end] == ')' ? -1 : 0;
            closed_too_often = closed_too_often || open < 0;
        }
        if (open || closed_too_often) {
            mst_diagnostic *finding = mst_finding_at(checker, at, end - at, "text");
            MST_SET(finding->message, "line %llu: a bracket is not %s", (unsigned long long)line,
                    closed_too_often ? "opened" : "closed");
            status = mst_checker_report(checker, "REV-DEF-SYNTAX");
        }
        while (end < size && data[end] != '\n')
            end++;
    }
    return status;
}

static mst_status check(mst_checker *checker) {
    const mst_document *document = checker->document;
    if (document->variant.layout != L_TEXT)
        return MST_OK;
    mst_status status = check_bytes(checker);
    if (status == MST_OK && lists_exits(document))
        return check_exits(checker);
    if (status != MST_OK)
        return status;
    mst_revenant_classes classes;
    status = mst_revenant_read_classes((const char *)document->data, (size_t)document->size,
                                       &checker->scratch, &classes, report_remark, checker);
    return status == MST_OK ? mst_revenant_check_assets(checker) : status;
}

/* Names the imagery of all types. */
static mst_status name_imagery(const mst_document *document, const mst_resolver *sidecars, mst_take_name take,
                               void *taker) {
    mst_revenant_classes classes;
    mst_arena scratch;
    (void)sidecars;
    if (document->variant.layout != L_TEXT || lists_exits(document))
        return MST_OK;
    mst_arena_begin(&scratch, &document->allocator, 0);
    mst_status status = mst_revenant_read_classes((const char *)document->data, (size_t)document->size,
                                                  &scratch, &classes, NULL, NULL);
    if (status == MST_OK)
        status = mst_revenant_take_types(&classes, take, taker);
    mst_arena_end(&scratch);
    return status;
}

/* ---- content as JSON --------------------------------------------------------------------------- */

static void write_text(mst_output *out, const char *text) {
    mst_output_json_string(out, text, strlen(text));
}

/* Starts a member of an object. */
static void write_key(mst_output *out, bool first, const char *key) {
    if (!first)
        mst_output_text(out, ",");
    write_text(out, key);
    mst_output_text(out, ":");
}

static void write_number(mst_output *out, int64_t number) {
    char text[MST_NUMBER_MAX];
    mst_output_bytes(out, text, mst_write_i64(text, number));
}

static void write_stats(mst_output *out, const mst_revenant_stat *stats, uint32_t count) {
    mst_output_text(out, "[");
    for (uint32_t i = 0; i < count; i++) {
        mst_output_text(out, i ? ",{" : "{");
        write_key(out, true, "name");
        write_text(out, stats[i].name);
        write_key(out, false, "code");
        write_text(out, stats[i].code);
        write_key(out, false, "default");
        write_number(out, stats[i].initial);
        write_key(out, false, "minimum");
        write_number(out, stats[i].minimum);
        write_key(out, false, "maximum");
        write_number(out, stats[i].maximum);
        mst_output_text(out, "}");
    }
    mst_output_text(out, "]");
}

static void write_values(mst_output *out, const mst_revenant_stat *stats, uint32_t stat_count,
                         const int32_t *values, uint32_t count) {
    mst_output_text(out, "{");
    for (uint32_t i = 0; i < count; i++) {
        char name[MST_REVENANT_STAT_NAME];
        mst_revenant_stat_name(stats, stat_count, i, name);
        write_key(out, i == 0, name);
        write_number(out, values[i]);
    }
    mst_output_text(out, "}");
}

static void write_type(mst_output *out, const mst_revenant_class *of, const mst_revenant_type *type) {
    char text[MST_NUMBER_MAX];
    mst_output_text(out, "{");
    write_key(out, true, "name");
    write_text(out, type->name);
    write_key(out, false, "unique_id");
    mst_output_text(out, "\"0x");
    mst_output_bytes(out, text, mst_write_hex(text, type->unique_id, 8));
    mst_output_text(out, "\"");
    write_key(out, false, "imagery");
    write_text(out, type->imagery);
    write_key(out, false, "stats");
    write_values(out, of->stats, of->stat_count, type->stats, type->stat_count);
    write_key(out, false, "object_stats");
    write_values(out, of->object_stats, of->object_stat_count, type->object_stats, type->object_stat_count);
    write_key(out, false, "line");
    write_number(out, type->line);
    mst_output_text(out, "}");
}

static void write_classes(mst_output *out, const mst_revenant_classes *classes) {
    uint32_t t = 0; /* types are in the order of their classes */
    write_key(out, true, "classes");
    mst_output_text(out, "[");
    for (uint32_t i = 0; i < classes->class_count; i++) {
        const mst_revenant_class *of = &classes->classes[i];
        mst_output_text(out, i ? ",{" : "{");
        write_key(out, true, "name");
        write_text(out, of->name);
        write_key(out, false, "number");
        if (of->number < 0)
            mst_output_text(out, "null");
        else
            write_number(out, of->number);
        write_key(out, false, "stats");
        write_stats(out, of->stats, of->stat_count);
        write_key(out, false, "object_stats");
        write_stats(out, of->object_stats, of->object_stat_count);
        write_key(out, false, "types");
        mst_output_text(out, "[");
        for (bool first = true; t < classes->type_count && classes->types[t].class_index == i; t++) {
            if (!first)
                mst_output_text(out, ",");
            first = false;
            write_type(out, of, &classes->types[t]);
        }
        mst_output_text(out, "]}");
    }
    mst_output_text(out, "]");
}

static void write_exits(mst_output *out, const mst_revenant_exits *exits) {
    write_key(out, true, "exits");
    mst_output_text(out, "[");
    for (uint32_t i = 0; i < exits->count; i++) {
        if (i)
            mst_output_text(out, ",");
        write_text(out, exits->names[i]);
    }
    mst_output_text(out, "]");
}

static mst_status annotate(const mst_document *document, mst_output *out) {
    mst_arena arena;
    mst_arena_begin(&arena, &document->allocator, 0);
    mst_revenant_classes classes;
    mst_revenant_exits exits;
    const char *text = (const char *)document->data;
    size_t size = (size_t)document->size;
    bool of_exits = lists_exits(document);
    mst_status status = of_exits ? mst_revenant_read_exits(text, size, &arena, &exits)
                                 : mst_revenant_read_classes(text, size, &arena, &classes, NULL, NULL);
    if (status == MST_OK) {
        mst_output_text(out, "{");
        if (of_exits)
            write_exits(out, &exits);
        else
            write_classes(out, &classes);
        mst_output_text(out, "}");
    }
    mst_arena_end(&arena);
    return status;
}

/* ---- content as values --------------------------------------------------------------------------- */

static mst_status unpack(const mst_value *value, mst_buffer *bytes, mst_variant *variant,
                         mst_diagnostic *diagnostic) {
    const mst_document *document = value->document;
    if (document->variant.layout != L_TEXT || mst_value_type(value) != MST_TYPE_TEXT)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "only the text has content");
    const char *text = (const char *)document->data;
    bool of_exits = lists_exits(document);
    variant->layout = of_exits ? L_EXITS : L_CLASSES;
    mst_status status = of_exits ? mst_revenant_pack_exits(text, (size_t)document->size, bytes)
                                 : mst_revenant_pack_classes(text, (size_t)document->size, bytes);
    return status == MST_OK ? status
                            : mst_fail(diagnostic, status, "not enough memory for the content of the text");
}

static const char *const layouts[] = {[L_TEXT] = "text", [L_CLASSES] = "classes", [L_EXITS] = "exits"};

#define DEF_TEXT "refused: the file is edited as text; these lists only show its content"

const mst_format mst_format_revenant_def = {
    .information = {.id = "revenant-def",
                    .title = "Revenant class definitions",
                    .extensions = ".def",
                    .media_type = "text/plain",
                    .versions = "",
                    .rows = "text@types text@exits"},
    .tables.root = &definitions,
    .tables.records = records,
    .tables.record_count = MST_COUNT_OF(records),
    .identity.probe = probe,
    .identity.layouts = layouts,
    .identity.layout_count = MST_COUNT_OF(layouts),
    .check.problem_codes = {"REV-DEF-TEXT", "REV-DEF-TEXT", "REV-DEF-TEXT", "REV-DEF-TEXT", "REV-DEF-TEXT",
                            "REV-DEF-TEXT"},
    .check.codes = &(const mst_codes)MST_CODES(codes),
    .check.check = check,
    .content.special = &(const mst_special_content){.annotate = annotate, .unpack = unpack},
    .content.names = name_imagery,
    .tables.introduction =
        "`class.def` names the types of objects of Revenant: after `Unique Type ID = 0x..` follow blocks\n"
        "`CLASS \"NAME\" BEGIN ... END`, which contain `STATS` and `OBJSTATS` with lines `name CODE default "
        "minimum\n"
        "maximum`, and `TYPES` with lines `\"name\" \"imagery\" 0xID {values} {object values}`. `//` begins "
        "a\n"
        "comment. A maximum that is not above the minimum sets no limit.\n\n"
        "`exit.def` has a line for each exit: `name (x, y, z) level n mapindex n ambient n (r, g, b)`.\n\n"
        "The text is kept byte for byte; JSON has its content under `$content`, reached by the paths "
        "`text@types`, `text@statistics` and `text@exits`.\n",
    .tables.relations = "- `unique_id` of a type is the `unique_id` of objects in sectors; `code` of a "
                        "statistic is the `id` of their `stats`.\n"
                        "- `name` of an exit is the `name` of objects of class exit; `map_index` is the "
                        "`map_index` of the exit at the other end.\n",
    .tables.listed = MST_LISTED({"definitions", NULL, DEF_TEXT, "revenant.md 4.2"},
                                {"type", NULL, DEF_TEXT, "revenant.md 4.2"}),
    .tables.sources =
        "- class.def of 1998, 1634 types, published by one of the game's authors "
        "(<https://github.com/benjcooley/Revenant>). The class.def of the released game is not public.\n",
};
