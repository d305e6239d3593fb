/* SPDX-License-Identifier: MIT */
/* The relations with their columns, and tables for callers. */
#include "../core/diagnose.h"
#include "../core/hash.h"
#include "rows.h"

/* ---- the schema ----------------------------------------------------------------------------------- */

#define INTEGER(column, doc)                                                                                 \
    { .name = (column), .type = MST_CELL_INTEGER, .documentation = (doc) }
#define REAL(column, doc)                                                                                    \
    { .name = (column), .type = MST_CELL_REAL, .documentation = (doc) }
#define TEXT(column, doc)                                                                                    \
    { .name = (column), .type = MST_CELL_TEXT, .documentation = (doc) }
#define FILE_COLUMN INTEGER("file", "The id of the file")
#define PATH_COLUMN TEXT("path", "The path of the element, as in the command's get")

static const mst_table_column file_columns[] = {
    INTEGER("id", "A number made of the name: the first 63 bits of its SHA-256"),
    TEXT("name", "The path that the file was opened by"),
    TEXT("sha256", "Of the file's bytes"),
    INTEGER("size", "Bytes"),
    TEXT("format", "The id of its format: ns2-level"),
    INTEGER("version", "The version of the format, if that has versions"),
    TEXT("family", "The first part of the format's id: ns2"),
    INTEGER("level", "Of a file that is one sector of a level: the level"),
    INTEGER("sector_x", "The sector's column"),
    INTEGER("sector_y", "The sector's row"),
};
static const mst_table_column entity_columns[] = {
    FILE_COLUMN,
    PATH_COLUMN,
    INTEGER("offset", "Where it begins in the file; of packed content, where that begins"),
    INTEGER("inner", "Of packed content: where it begins in the unpacked bytes"),
    INTEGER("index", "Its index in the list"),
    TEXT("list", "The path of the list that it is in"),
    TEXT("class", "What kind of thing it is: its class or type"),
    TEXT("name", "Its own name, if it has one"),
    REAL("x", "Its position in metres, on glTF's axes"),
    REAL("y", "Upwards"),
    REAL("z", "The third axis"),
    REAL("yaw", "The angle about the vertical in radians, from +z towards +x"),
    REAL("own_x", "The first coordinate as the file has it"),
    REAL("own_y", "The second one"),
    REAL("own_z", "The third one"),
    TEXT("layer", "The names of its layers, with commas between them"),
    TEXT("group", "The names of its groups; without names, the number"),
    TEXT("location", "The name of the room that it is in"),
    TEXT("raw", "The whole element as JSON"),
};
static const mst_table_column property_columns[] = {
    FILE_COLUMN,
    PATH_COLUMN,
    INTEGER("seq", "The number of the value in the element, from 0"),
    TEXT("name", "The name of the property, or the path of the field below the element; names may repeat"),
    INTEGER("component", "Of a list of values: the index"),
    TEXT("type", "How the value is stored, in the words of the format's reference"),
    REAL("number", "A number; of names and flags their number. Null for NaN and infinities"),
    TEXT("text", "A text; of numbers what a real number cannot say: names, NaN, integers beyond 2^53"),
};
static const mst_table_column relation_columns[] = {
    FILE_COLUMN,
    PATH_COLUMN,
    TEXT("field", "The path below the element of the value that refers to something"),
    TEXT("to_path", "The path of the element that it names; null if there is none"),
    TEXT("to_name", "The name: of a file, or of the element"),
    TEXT("kind",
         "link: by a number that the tables describe; output: it makes the other do something; target: by a "
         "name or number otherwise; of files their kind, such as model or material"),
};
static const mst_table_column asset_columns[] = {
    FILE_COLUMN,
    TEXT("kind", "model, material, texture, shader, animation, picture or table"),
    TEXT("state", "found, missing, outside or unreadable"),
    TEXT("name", "As the level names it"),
    INTEGER("uses", "How often it is named"),
    TEXT("path", "The value that names it first; null if another file does"),
    TEXT("found", "The file where it was found"),
    INTEGER("size", "Bytes of that file"),
};
static const mst_table_column finding_columns[] = {
    FILE_COLUMN,
    TEXT("code", "The code of the finding, which never changes"),
    TEXT("severity", "error, warning or information"),
    TEXT("path", "The value concerned"),
    INTEGER("offset", "The first byte concerned in the file"),
    INTEGER("inner", "Of packed content: the byte in what that unpacks to"),
    TEXT("message", "What is wrong"),
    TEXT("expected", "What was expected"),
    TEXT("found", "What was found"),
};
static const mst_table_column record_columns[] = {FILE_COLUMN, PATH_COLUMN};

typedef struct relation {
    const char *name;
    const mst_table_column *columns;
    size_t count;
    mst_status (*fill)(mst_rows *rows);
} relation;

static const mst_table_column line_columns[] = {{.name = NULL}};
#define ENTITY_OF "entity:"

#define RELATION(name, fill)                                                                                 \
    { #name, name##_columns, MST_COUNT_OF(name##_columns), fill }
static const relation relations[] = {
    RELATION(file, mst_rows_file),
    RELATION(entity, mst_rows_entity),
    RELATION(property, mst_rows_property),
    RELATION(relation, mst_rows_relation),
    RELATION(asset, mst_rows_asset),
    RELATION(finding, mst_rows_finding),
    RELATION(record, mst_rows_record),
    {"line", line_columns, 0, NULL}, /* only their columns are requested */
    {"class", line_columns, 0, NULL},
};

/* Things of one class, with a column for each of their fields. */
static const relation of_class = {ENTITY_OF, entity_columns, MST_COUNT_OF(entity_columns), mst_rows_entity};

static const relation *relation_named(const char *name) {
    if (name && strncmp(name, ENTITY_OF, strlen(ENTITY_OF)) == 0)
        return &of_class;
    for (size_t i = 0; i < MST_COUNT_OF(relations) && name; i++)
        if (strcmp(relations[i].name, name) == 0)
            return &relations[i];
    return NULL;
}

/* Whether its columns differ between formats. */
static bool of_format(const relation *of) {
    return !of->fill || of->fill == mst_rows_record || of == &of_class;
}

/* NULL: no memory. */
static const mst_table_column *columns_of_format(const relation *of, const char *kind,
                                                 const mst_format *format, mst_arena *arena, size_t *count) {
    if (of != &of_class && strcmp(of->name, "class") != 0)
        return mst_rows_fields(format, !of->fill, arena, count);
    static const mst_table_column none[1];
    mst_array columns = {.element_size = sizeof(mst_table_column), .allocator = mst_arena_allocator(arena)};
    mst_rows_columns to = {
        .arena = arena, .columns = &columns, .before = of->columns, .before_count = of->count};
    const bool made = mst_rows_of_class(format, kind, &to);
    *count = columns.count;
    return !made ? NULL : columns.count ? columns.items : none;
}

/* All columns of a relation, in the arena. NULL: out of memory; or with `unknown`, the class is unknown. */
static mst_table_column *columns_of(const relation *of, const char *kind, const mst_format *format,
                                    mst_arena *arena, size_t *count, bool *unknown) {
    size_t more = 0;
    const mst_table_column *fields = NULL;
    if (of_format(of) && !(fields = columns_of_format(of, kind, format, arena, &more)))
        return NULL;
    *unknown = of == &of_class && !more;
    if (*unknown)
        return NULL;
    mst_table_column *all = mst_arena_take(arena, of->count + more, sizeof *all);
    if (!all)
        return NULL;
    memcpy(all, of->columns, of->count * sizeof *all);
    if (more)
        memcpy(all + of->count, fields, more * sizeof *all);
    *count = of->count + more;
    return all;
}

/* ---- tables --------------------------------------------------------------------------------------- */

void mst_table_free(mst_table *table) {
    if (!table)
        return;
    mst_rows *rows = (mst_rows *)(void *)table;
    for (size_t i = 0; i < rows->count && rows->columns; i++) {
        mst_array_free(&rows->columns[i].has);
        mst_array_free(&rows->columns[i].values);
        mst_array_free(&rows->columns[i].bytes);
    }
    mst_arena arena = rows->arena; /* the table itself is in it */
    mst_arena_end(&arena);
}

/* A table without rows; NULL: out of memory, or an unknown class. */
static mst_rows *begin(const relation *of, const char *name, const mst_format *format,
                       const mst_allocator *allocator, mst_diagnostic *diagnostic) {
    mst_arena arena;
    mst_arena_begin(&arena, allocator, 0);
    mst_rows *rows = mst_arena_zero(&arena, 1, sizeof *rows);
    size_t count = 0;
    bool unknown = false;
    const char *kind = of == &of_class ? mst_arena_text(&arena, name, strlen(name)) : NULL;
    kind = kind ? kind + strlen(ENTITY_OF) : NULL;
    mst_table_column *schema =
        rows && (kind || of != &of_class) ? columns_of(of, kind, format, &arena, &count, &unknown) : NULL;
    mst_rows_column *columns = schema ? mst_arena_zero(&arena, count + 1, sizeof *columns) : NULL;
    if (!columns) {
        if (unknown)
            mst_fail(diagnostic, MST_ARGUMENT, "%s knows no class '%s'", format->information.id, kind);
        else
            mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the table");
        mst_arena_end(&arena);
        return NULL;
    }
    *rows = (mst_rows){
        .allocator = *allocator, .schema = schema, .columns = columns, .count = count, .kind = kind};
    for (size_t i = 0; i < count; i++) {
        columns[i].has = (mst_array){.element_size = 1, .allocator = *allocator};
        columns[i].values = (mst_array){.element_size = sizeof(uint64_t), .allocator = *allocator};
        columns[i].bytes = columns[i].has;
        columns[i].wanted = true;
    }
    rows->arena = arena;
    rows->table = (mst_table){schema, count, 0};
    return rows;
}

/* Leaves out the columns that are not chosen; false if a chosen one does not exist. */
static bool choose(mst_rows *rows, const mst_table_options *with, mst_diagnostic *diagnostic) {
    for (size_t i = 0; i < rows->count && with->column_count; i++)
        rows->columns[i].wanted = false;
    for (size_t k = 0; k < with->column_count; k++) {
        size_t i = 0;
        while (i < rows->count && strcmp(rows->schema[i].name, with->columns[k]) != 0)
            i++;
        if (i == rows->count) {
            mst_fail(diagnostic, MST_ARGUMENT, "the relation has no column '%s'", with->columns[k]);
            return false;
        }
        rows->columns[i].wanted = true;
    }
    return true;
}

/* Converts the cells to the form that callers see. */
static void show(mst_rows *rows) {
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const mst_rows_column *one = &rows->columns[i];
        if (!one->wanted)
            continue;
        mst_table_column *to = &rows->schema[count++];
        *to = rows->schema[i];
        to->has = one->has.items;
        if (to->type == MST_CELL_INTEGER)
            to->integers = one->values.items;
        else if (to->type == MST_CELL_REAL)
            to->reals = one->values.items;
        else
            to->ends = one->values.items;
        to->bytes = one->bytes.items;
    }
    rows->table = (mst_table){rows->schema, count, rows->row};
}

static mst_status no_memory(mst_diagnostic *diagnostic) {
    return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the table");
}

static mst_status refused(const mst_diagnostic *why, mst_diagnostic *diagnostic) {
    if (diagnostic)
        *diagnostic = *why;
    return why->status;
}

static const relation *relation_given(const mst_format_information *format, const char *name,
                                      mst_diagnostic *diagnostic) {
    const relation *of = relation_named(name);
    if (!of)
        mst_fail(diagnostic, MST_ARGUMENT, "there is no relation '%s'", name ? name : "");
    else if (of_format(of) && !format)
        mst_fail(diagnostic, MST_ARGUMENT, "the columns of %s depend on the format, which is needed", name);
    else
        return of;
    return NULL;
}

mst_status mst_table_columns(const mst_format_information *format, const char *name, mst_table **table,
                             mst_diagnostic *diagnostic) {
    const mst_allocator allocator = mst_allocator_or_default(NULL);
    if (!table)
        return mst_fail(diagnostic, MST_ARGUMENT, "a pointer for the table is needed");
    *table = NULL;
    const relation *of = relation_given(format, name, diagnostic);
    if (!of)
        return MST_ARGUMENT;
    mst_diagnostic why = {.status = MST_OK};
    mst_rows *rows = begin(of, name, format ? mst_format_of(format) : NULL, &allocator, &why);
    if (!rows)
        return refused(&why, diagnostic);
    *table = &rows->table;
    return MST_OK;
}

mst_status mst_level_table(mst_level *level, const char *name, const mst_table_options *options,
                           mst_table **table, mst_diagnostic *diagnostic) {
    mst_table_options with = {.size = 0};
    if (table)
        *table = NULL;
    const mst_document *document = mst_level_document(level, 0);
    if (!document || !table)
        return mst_fail(diagnostic, MST_ARGUMENT, "a level and a pointer for the table are needed");
    mst_status status = mst_take_options(&with, sizeof with, options, diagnostic);
    if (status != MST_OK)
        return status;
    const relation *of = relation_given(mst_document_format(document), name, diagnostic);
    if (!of)
        return MST_ARGUMENT;
    if (!of->fill)
        return mst_fail(diagnostic, MST_ARGUMENT, "the relation '%s' has no rows", name);
    mst_diagnostic why = {.status = MST_OK};
    mst_rows *rows = begin(of, name, document->format, &level->allocator, &why);
    if (!rows)
        return refused(&why, diagnostic);
    rows->level = level;
    rows->document = document;
    rows->where = with.where;
    rows->diagnostic = diagnostic;
    rows->file = (int64_t)(mst_number_of_name(mst_level_path(level, 0)) >> 1);
    status = choose(rows, &with, diagnostic) ? of->fill(rows) : MST_ARGUMENT;
    if (rows->failed || status == MST_NO_MEMORY)
        status = no_memory(diagnostic);
    show(rows);
    if (status == MST_OK)
        *table = &rows->table;
    else
        mst_table_free(&rows->table);
    return status;
}
