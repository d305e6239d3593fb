/* SPDX-License-Identifier: MIT */
/* Levels as relations: for every fixture, the columns of the schema, and values of the stated types. */
#include "fixtures.h"
#include "refusing.h"
#include <mapstone/table.h>
#include <math.h>
#include <unistd.h>

static const char *const relations[] = {"file",  "entity",  "property", "relation",
                                        "asset", "finding", "record"};
#define RELATIONS (sizeof relations / sizeof *relations)

static char place[] = "/tmp/mapstone-tables-XXXXXX", path[128], second[128];

static void write_file(const char *name, const writer *w) {
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(w->data, 1, w->size, file), w->size);
    assert_int_equal(fclose(file), 0);
}

/* Writes the files of a fixture; false if this build cannot. */
static bool write_fixture(const fixture_source *source) {
    fixture f;
    if (!fixture_make(source, &f))
        return false;
    remove(path);
    remove(second);
    snprintf(path, sizeof path, "%s/%s", place, source->file);
    write_file(path, &f.files[0]);
    if (source->other) {
        snprintf(second, sizeof second, "%s/%s", place, source->other);
        write_file(second, &f.files[1]);
    }
    fixture_free(&f);
    return true;
}

/* ---- checks of tables ----------------------------------------------------------------------------- */

static bool is_utf8(const char *text, size_t length) {
    for (size_t i = 0; i < length;) {
        const unsigned char c = (unsigned char)text[i];
        size_t more = c < 0x80 ? 0 : c >= 0xC2 && c < 0xE0 ? 1 : c >= 0xE0 && c < 0xF0 ? 2 : c < 0xF5 ? 3 : 9;
        if (c >= 0x80 && c < 0xC2)
            return false;
        for (i++; more; more--, i++)
            if (i >= length || ((unsigned char)text[i] & 0xC0) != 0x80)
                return false;
    }
    return true;
}

static void assert_column(const mst_table_column *one, size_t rows) {
    uint64_t begin = 0;
    for (size_t i = 0; i < rows; i++) {
        assert_in_range(one->has[i], 0, 1);
        if (one->type == MST_CELL_REAL)
            assert_true(isfinite(one->reals[i]));
        if (one->type != MST_CELL_TEXT)
            continue;
        assert_true(one->ends[i] >= begin);
        assert_true(one->has[i] || one->ends[i] == begin);
        if (one->ends[i] > begin) /* an empty column may have no buffer */
            assert_true(is_utf8((const char *)one->bytes + begin, (size_t)(one->ends[i] - begin)));
        begin = one->ends[i];
    }
}

static void assert_schema(const mst_table *table, const mst_format_information *format, const char *name) {
    mst_table *columns;
    mst_diagnostic why;
    MUST(mst_table_columns(format, name, &columns, &why), &why);
    assert_int_equal(columns->column_count, table->column_count);
    assert_int_equal(columns->row_count, 0);
    for (size_t i = 0; i < table->column_count; i++) {
        assert_string_equal(columns->columns[i].name, table->columns[i].name);
        assert_int_equal(columns->columns[i].type, table->columns[i].type);
        assert_true(strlen(columns->columns[i].name) > 0);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(columns->columns[i].name, columns->columns[k].name);
    }
    mst_table_free(columns);
}

static size_t rows_of(mst_level *opened, const char *relation) {
    mst_table *table;
    mst_diagnostic why;
    MUST(mst_level_table(opened, relation, NULL, &table, &why), &why);
    assert_schema(table, mst_document_format(mst_level_document(opened, 0)), relation);
    for (size_t i = 0; i < table->column_count; i++)
        assert_column(&table->columns[i], table->row_count);
    const size_t rows = table->row_count;
    mst_table_free(table);
    return rows;
}

static void assert_same_column(const mst_table_column *a, const mst_table_column *b, size_t rows) {
    assert_string_equal(a->name, b->name);
    for (size_t i = 0; i < rows; i++) {
        assert_int_equal(a->has[i], b->has[i]);
        if (a->has[i] && a->type == MST_CELL_REAL)
            assert_memory_equal(&a->reals[i], &b->reals[i], sizeof a->reals[i]);
        else if (a->has[i] && a->type == MST_CELL_INTEGER)
            assert_true(a->integers[i] == b->integers[i]);
        else if (a->type == MST_CELL_TEXT)
            assert_true(a->ends[i] == b->ends[i]);
    }
    if (a->type == MST_CELL_TEXT && rows && a->ends[rows - 1])
        assert_memory_equal(a->bytes, b->bytes, (size_t)a->ends[rows - 1]);
}

/* With `raw`, the values of the other columns are noted while the element is written as JSON; without it,
 * they are read one by one. */
static void assert_same_without_raw(mst_level *opened) {
    mst_table *all, *others;
    mst_diagnostic why;
    const char *names[64];
    mst_table_options options = {.size = sizeof options, .columns = names};
    MUST(mst_level_table(opened, "entity", NULL, &all, &why), &why);
    for (size_t i = 0; i < all->column_count; i++)
        if (strcmp(all->columns[i].name, "raw") != 0)
            names[options.column_count++] = all->columns[i].name;
    assert_int_equal(options.column_count + 1, all->column_count);
    MUST(mst_level_table(opened, "entity", &options, &others, &why), &why);
    assert_int_equal(others->row_count, all->row_count);
    for (size_t i = 0; i < others->column_count; i++)
        for (size_t k = 0; k < all->column_count; k++)
            if (strcmp(others->columns[i].name, all->columns[k].name) == 0)
                assert_same_column(&all->columns[k], &others->columns[i], all->row_count);
    mst_table_free(others);
    mst_table_free(all);
}

/* The number of elements of the list that tables show by default, as the command counts them. */
static void every_fixture(void **state) {
    (void)state;
    size_t files = 0, entities = 0, values = 0;
    for (size_t i = 0; i < FIXTURES; i++) {
        mst_level *opened;
        mst_diagnostic why;
        if (!write_fixture(&fixtures[i]))
            continue;
        MUST(mst_level_open(path, NULL, &opened, &why), &why);
        size_t rows[RELATIONS];
        for (size_t k = 0; k < RELATIONS; k++)
            rows[k] = rows_of(opened, relations[k]);
        assert_int_equal(rows[0], 1);
        assert_true(rows[1] >= rows[6]); /* entity has the elements of record, and more */
        assert_true(rows[2] >= rows[6] || !rows[6]);
        assert_same_without_raw(opened);
        files++;
        entities += rows[1];
        values += rows[2];
        mst_level_close(opened);
    }
    assert_true(files > 20 && entities > 200 && values > 10 * files);
}

/* ---- classes ---------------------------------------------------------------------------------------- */

/* Every class of every format has columns beyond those of `entity`, each once. */
static void every_class(void **state) {
    (void)state;
    mst_table *entity, *classes, *columns;
    mst_diagnostic why;
    size_t found = 0;
    MUST(mst_table_columns(NULL, "entity", &entity, &why), &why);
    for (size_t i = 0; i < mst_format_count(); i++) {
        const mst_format_information *format = mst_format_at(i);
        MUST(mst_table_columns(format, "class", &classes, &why), &why);
        assert_int_equal(mst_table_columns(format, "entity:no such class", &columns, &why), MST_ARGUMENT);
        for (size_t k = 0; k < classes->column_count; k++, found++) {
            char relation[200];
            snprintf(relation, sizeof relation, "entity:%s", classes->columns[k].name);
            MUST(mst_table_columns(format, relation, &columns, &why), &why);
            assert_true(columns->column_count > entity->column_count);
            assert_schema(columns, format, relation);
            mst_table_free(columns);
        }
        mst_table_free(classes);
    }
    mst_table_free(entity);
    assert_true(found > 100);
    assert_int_equal(mst_table_columns(NULL, "entity:light_point", &columns, &why), MST_ARGUMENT);
}

static size_t column_of(const mst_table *table, const char *name) {
    size_t i = 0;
    while (i < table->column_count && strcmp(table->columns[i].name, name) != 0)
        i++;
    assert_true(i < table->column_count);
    return i;
}

/* A level of a location (its name is also a property) and a light with three properties, one of them of
 * another type than the class has. */
static void things_of_a_class(void **state) {
    (void)state;
#define THING(name)                                                                                          \
    "{\"has_layers\":false,\"group\":0,\"extras\":[],\"class_name\":\"" name "\",\"properties\":["
#define HAS(name, type, value)                                                                               \
    "{\"name\":\"" name "\",\"type\":\"" type "\",\"animated\":false,\"value\":[" value "]}"
    static const char json[] =
        "{\"$format\":\"ns2-level\",\"version\":10,\"mesh\":{\"triangles\":{\"ghost_vertices\":[],"
        "\"smoothed_normals\":[],\"triangle_count\":0,\"faces\":[]}},\"objects\":[" THING("location")
            HAS("name", "string", "\"Hub\"") "]}," THING("light_point")
                HAS("intensity", "real", "2.5") "," HAS("color", "color", "0.25,0.5,1") "," HAS(
                    "casts_shadows", "bool", "true") "," HAS("distance", "string", "\"far\"") "]}]}";
    mst_document *document;
    mst_level *opened;
    mst_table *table;
    mst_diagnostic why;
    MUST(mst_open_json(json, strlen(json), NULL, &document, &why), &why);
    writer w = {.size = 0};
    w.data = (unsigned char *)(uintptr_t)mst_document_file(document, 0, NULL, &w.size);
    char own[128];
    snprintf(own, sizeof own, "%s/classes.level", place);
    write_file(own, &w);
    mst_close(document);
    MUST(mst_level_open(own, NULL, &opened, &why), &why);
    MUST(mst_level_table(opened, "entity:light_point", NULL, &table, &why), &why);
    assert_int_equal(table->row_count, 1);
    assert_true(table->columns[column_of(table, "intensity")].reals[0] == 2.5);
    assert_true(table->columns[column_of(table, "color[2]")].reals[0] == 1);
    assert_int_equal(table->columns[column_of(table, "casts_shadows")].integers[0], 1);
    assert_int_equal(table->columns[column_of(table, "distance")].has[0], 0);
    assert_int_equal(table->columns[column_of(table, "specular")].has[0], 0);
    mst_table_free(table);
    MUST(mst_level_table(opened, "entity:location", NULL, &table, &why), &why);
    assert_int_equal(table->row_count, 1);
    const mst_table_column *name = &table->columns[column_of(table, "properties.name")];
    assert_memory_equal(name->bytes, "Hub", 3);
    assert_int_equal(name->ends[0], 3);
    mst_table_free(table);
    assert_int_equal(mst_level_table(opened, "entity:light", NULL, &table, &why), MST_ARGUMENT);
    mst_level_close(opened);
    remove(own);
}

/* ---- invalid queries ------------------------------------------------------------------------------- */

static void wrong_questions(void **state) {
    (void)state;
    mst_level *opened;
    mst_table *table;
    mst_diagnostic why;
    const char *const wrong[] = {"nothing"};
    const char *const right[] = {"x", "path"};
    mst_table_options how = {.size = sizeof how, .columns = wrong, .column_count = 1};
    assert_true(write_fixture(&fixtures[0]));
    MUST(mst_level_open(path, NULL, &opened, &why), &why);
    assert_int_equal(mst_level_table(opened, "nothing", NULL, &table, &why), MST_ARGUMENT);
    assert_null(table);
    assert_int_equal(mst_level_table(opened, NULL, NULL, &table, &why), MST_ARGUMENT);
    assert_int_equal(mst_level_table(opened, "line", NULL, &table, &why), MST_ARGUMENT);
    assert_int_equal(mst_level_table(opened, "entity", &how, &table, &why), MST_ARGUMENT);
    assert_int_equal(mst_level_table(NULL, "entity", NULL, &table, &why), MST_ARGUMENT);
    assert_int_equal(mst_table_columns(NULL, "record", &table, &why), MST_ARGUMENT);
    assert_int_equal(mst_table_columns(NULL, "nothing", &table, &why), MST_ARGUMENT);
    how = (mst_table_options){.size = sizeof how, .where = "class_name"};
    assert_int_equal(mst_level_table(opened, "entity", &how, &table, &why), MST_OK);
    mst_table_free(table);
    how.where = "class_name=";
    how.columns = right;
    how.column_count = 2;
    MUST(mst_level_table(opened, "entity", &how, &table, &why), &why);
    assert_int_equal(table->column_count, 2);
    assert_string_equal(table->columns[0].name, "path"); /* in the order of the relation */
    assert_int_equal(table->row_count, 0);
    mst_table_free(table);
    mst_level_close(opened);
    mst_table_free(NULL);
}

/* ---- memory --------------------------------------------------------------------------------------- */

static void every_request_is_refused_once(void **state) {
    (void)state;
    for (size_t i = 0; i < FIXTURES; i++) {
        if (strcmp(fixtures[i].name, "ns2_odd") != 0 && strcmp(fixtures[i].name, "alien_map") != 0 &&
            strcmp(fixtures[i].name, "revenant_4") != 0)
            continue;
        assert_true(write_fixture(&fixtures[i]));
        for (size_t k = 0; k < RELATIONS; k++) {
            mst_status status = MST_NO_MEMORY;
            for (int allowed = 0; status != MST_OK && allowed < 20000; allowed += 1 + allowed / 100) {
                int left = INT32_MAX;
                const mst_level_options how = {.size = sizeof how,
                                               .allocator = {.resize = no_memory, .user = &left}};
                mst_level *opened;
                mst_table *table;
                mst_diagnostic why;
                MUST(mst_level_open(path, &how, &opened, &why), &why);
                left = allowed;
                status = mst_level_table(opened, relations[k], NULL, &table, &why);
                assert_true(status == MST_OK || status == MST_NO_MEMORY);
                mst_table_free(table);
                mst_level_close(opened);
            }
            assert_int_equal(status, MST_OK);
        }
    }
}

static int enter_directory(void **state) {
    (void)state;
    return mkdtemp(place) ? 0 : -1;
}

static int leave_directory(void **state) {
    (void)state;
    remove(path);
    remove(second);
    return rmdir(place);
}

int test_tables_of_levels(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fixture),
        cmocka_unit_test(every_class),
        cmocka_unit_test(things_of_a_class),
        cmocka_unit_test(wrong_questions),
        cmocka_unit_test(every_request_is_refused_once),
    };
    return cmocka_run_group_tests(tests, enter_directory, leave_directory);
}
