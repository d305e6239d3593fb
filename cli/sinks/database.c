/* SPDX-License-Identifier: MIT */
/*
 * An SQLite database with a table for each relation. The rows of a file of levels are one transaction, which
 * includes its row in `file`: a file in the database is complete, however the command ended.
 */
#define _GNU_SOURCE
#include "../inputs/format_names.h"
#include "../inputs/paths.h"
#include "../output/streams.h"
#include "sinks.h"

const char *const database_relations[DATABASE_RELATIONS + 1] = {"file",  "entity",  "property", "relation",
                                                                "asset", "finding", "record",   NULL};

#if MST_WITH_SQLITE
#include "../../src/core/hash.h"
#include "../../src/core/map.h"
#include "sqlite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORD 6 /* the relation whose columns differ between formats */

/* The prepared insertion into a table. */
typedef struct insertion {
    char *table;
    sqlite3_stmt *statement;
} insertion;

typedef struct database {
    rows_sink sink;
    sqlite3 *db;
    char *path;
    insertion *insertions;
    size_t insertion_count;
    mst_hash_map files; /* from earlier runs: the ids of their names, and the index of their hashes */
    mst_hash_map taken; /* in this run: a file that is named twice is added once */
    char (*hashes)[65];
    size_t file_count;
} database;

static sqlite_functions sqlite; /* filled in before a database is made */

static bool complain(const database *to, const char *doing) {
    say(MST_ERROR, "%s: cannot %s: %s", to->path, doing, to->db ? sqlite.errmsg(to->db) : "no memory");
    return false;
}

static bool do_sql(const database *to, const char *sql, const char *doing) {
    return sqlite.exec(to->db, sql, NULL, NULL, NULL) == SQLITE_OK || complain(to, doing);
}

/* ---- tables --------------------------------------------------------------------------------------- */

/* The table of a relation: record_ns2_level of the records of a format. */
static char *table_of(size_t relation, const mst_format_information *format) {
    char *name;
    if (asprintf(&name, relation == RECORD ? "%s_%s" : "%s", database_relations[relation], format->id) < 0)
        need(NULL);
    for (char *at = name; *at; at++)
        *at = *at == '-' ? '_' : *at;
    return name;
}

static void put_columns(stream *sql, const char *table, const mst_table *columns) {
    static const char *const words[] = {" INTEGER", " REAL", " TEXT"};
    for (size_t i = 0; i < columns->column_count; i++) {
        const mst_table_column *one = &columns->columns[i];
        print(sql, "%s\"%s\"", i ? "," : "", one->name);
        put_text(sql, words[one->type]);
        if (!strcmp(table, "file") && !strcmp(one->name, "id"))
            put_text(sql, " PRIMARY KEY");
    }
}

static bool make_table(const database *to, const char *name, const mst_table *columns) {
    stream sql = stream_memory();
    print(&sql, "CREATE TABLE IF NOT EXISTS \"%s\"(", name);
    put_columns(&sql, name, columns);
    put_text(&sql, ")");
    put(&sql, "", 1);
    const bool good = do_sql(to, sql.data, "make a table");
    stream_free(&sql);
    return good;
}

/* NULL, with a message, on failure. */
static sqlite3_stmt *insertion_into(database *to, const char *name, const mst_table *columns) {
    for (size_t i = 0; i < to->insertion_count; i++)
        if (!strcmp(to->insertions[i].table, name))
            return to->insertions[i].statement;
    if (!make_table(to, name, columns))
        return NULL;
    stream sql = stream_memory();
    sqlite3_stmt *made = NULL;
    print(&sql, "INSERT INTO \"%s\" VALUES(", name);
    for (size_t i = 0; i < columns->column_count; i++)
        put_text(&sql, i ? ",?" : "?");
    put_text(&sql, ")");
    put(&sql, "", 1);
    if (sqlite.prepare_v3(to->db, sql.data, -1, SQLITE_PREPARE_PERSISTENT, &made, NULL) == SQLITE_OK) {
        to->insertions = need(realloc(to->insertions, (to->insertion_count + 1) * sizeof *to->insertions));
        to->insertions[to->insertion_count++] = (insertion){need(strdup(name)), made};
    } else {
        complain(to, "insert rows");
    }
    stream_free(&sql);
    return made;
}

/* ---- rows ----------------------------------------------------------------------------------------- */

static int bind_cell(sqlite3_stmt *to, int at, const mst_table_column *from, size_t row) {
    if (!from->has[row])
        return sqlite.bind_null(to, at);
    if (from->type == MST_CELL_INTEGER)
        return sqlite.bind_int64(to, at, from->integers[row]);
    if (from->type == MST_CELL_REAL)
        return sqlite.bind_double(to, at, from->reals[row]);
    size_t length;
    const char *text = cell_text(from, row, &length);
    return sqlite.bind_text64(to, at, text, length, SQLITE_STATIC, SQLITE_UTF8);
}

static bool insert_rows(database *to, const char *name, const mst_table *table) {
    sqlite3_stmt *statement = insertion_into(to, name, table);
    for (size_t row = 0; statement && row < table->row_count; row++) {
        bool good = true;
        for (size_t i = 0; i < table->column_count && good; i++)
            good = bind_cell(statement, (int)i + 1, &table->columns[i], row) == SQLITE_OK;
        good = good && sqlite.step(statement) == SQLITE_DONE;
        if (sqlite.reset(statement) != SQLITE_OK || !good)
            return complain(to, "insert a row");
    }
    return statement != NULL;
}

static int64_t id_of(const file_rows *rows) {
    return rows->tables[0]->columns[0].integers[0];
}

/* Removes the file's earlier rows from all tables. */
static bool forget(database *to, int64_t id) {
    bool good = true;
    sqlite3_stmt *tables = NULL;
    if (sqlite.prepare_v3(to->db, "SELECT name FROM sqlite_master WHERE type='table'", -1, 0, &tables,
                          NULL) != SQLITE_OK)
        return complain(to, "list the tables");
    while (good && sqlite.step(tables) == SQLITE_ROW) {
        char *name = need(strdup((const char *)sqlite.column_text(tables, 0))), *sql;
        if (asprintf(&sql, "DELETE FROM \"%s\" WHERE %s=%lld", name, strcmp(name, "file") ? "file" : "id",
                     (long long)id) < 0)
            need(NULL);
        good = do_sql(to, sql, "remove the rows of a file that has changed");
        free(sql);
        free(name);
    }
    sqlite.finalize(tables);
    return good;
}

static bool take(rows_sink *sink, const file_rows *rows) {
    database *to = (database *)sink;
    const size_t before = to->taken.count;
    need(mst_hash_map_add(&to->taken, mst_key_number((uint64_t)id_of(rows))));
    if (to->taken.count == before)
        return true;
    bool good = do_sql(to, "BEGIN", "begin a transaction");
    if (good && mst_hash_map_find(&to->files, mst_key_number((uint64_t)id_of(rows))))
        good = forget(to, id_of(rows));
    for (size_t i = 0; i < DATABASE_RELATIONS && good; i++) {
        char *name = table_of(i, rows->format);
        good = insert_rows(to, name, rows->tables[i]);
        free(name);
    }
    if (good)
        return do_sql(to, "COMMIT", "end a transaction");
    sqlite.exec(to->db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

/* ---- earlier content ------------------------------------------------------------------------------ */

static bool has(const rows_sink *sink, const char *name, const char *sha256) {
    const database *to = (const database *)sink;
    const uint32_t *at = mst_hash_map_find(&to->files, mst_key_number(mst_number_of_name(name) >> 1));
    return at && !strcmp(to->hashes[*at], sha256);
}

static bool read_files(database *to) {
    sqlite3_stmt *files = NULL;
    int status;
    if (sqlite.prepare_v3(to->db, "SELECT id, sha256 FROM file", -1, 0, &files, NULL) != SQLITE_OK)
        return complain(to, "read what it has");
    while ((status = sqlite.step(files)) == SQLITE_ROW) {
        const char *hash = (const char *)sqlite.column_text(files, 1);
        uint32_t *index =
            need(mst_hash_map_add(&to->files, mst_key_number((uint64_t)sqlite.column_int64(files, 0))));
        *index = (uint32_t)to->file_count;
        if (!(to->file_count & (to->file_count - 1))) /* a power of two */
            to->hashes = need(realloc(to->hashes, (to->file_count * 2 + 1) * sizeof *to->hashes));
        snprintf(to->hashes[to->file_count++], sizeof *to->hashes, "%s", hash ? hash : "");
    }
    sqlite.finalize(files);
    return status == SQLITE_DONE || complain(to, "read what it has");
}

/* ---- the database --------------------------------------------------------------------------------- */

/* The views include the names of files, so that queries need no join; indices are created last, since they
 * slow insertions down. */
static const char finish_sql[] =
    "CREATE INDEX IF NOT EXISTS entity_by_class ON entity(class);"
    "CREATE INDEX IF NOT EXISTS entity_by_path ON entity(file, path);"
    "CREATE INDEX IF NOT EXISTS property_by_name ON property(name);"
    "CREATE INDEX IF NOT EXISTS property_by_path ON property(file, path);"
    "CREATE INDEX IF NOT EXISTS relation_by_path ON relation(file, path);"
    "CREATE INDEX IF NOT EXISTS asset_by_file ON asset(file);"
    "CREATE INDEX IF NOT EXISTS finding_by_code ON finding(code);"
    "CREATE INDEX IF NOT EXISTS finding_by_file ON finding(file);"
    "CREATE VIEW IF NOT EXISTS entities AS SELECT f.name AS file_name, f.format, f.level AS level, e.* "
    "FROM entity e JOIN file f ON f.id = e.file;"
    "CREATE VIEW IF NOT EXISTS properties AS SELECT f.name AS file_name, f.format, e.class, p.* "
    "FROM property p JOIN entity e ON e.file = p.file AND e.path = p.path JOIN file f ON f.id = p.file;"
    "CREATE VIEW IF NOT EXISTS class_counts AS SELECT f.format, e.class, count(*) AS entities, "
    "count(DISTINCT e.file) AS files FROM entity e JOIN file f ON f.id = e.file GROUP BY 1, 2;"
    "CREATE VIEW IF NOT EXISTS missing_assets AS SELECT f.name AS file_name, a.kind, a.name, a.uses, a.path "
    "FROM asset a JOIN file f ON f.id = a.file WHERE a.state = 'missing';"
    "CREATE VIEW IF NOT EXISTS finding_counts AS SELECT f.format, n.code, n.severity, count(*) AS findings, "
    "count(DISTINCT n.file) AS files FROM finding n JOIN file f ON f.id = n.file GROUP BY 1, 2, 3;"
    "PRAGMA journal_mode=DELETE;";

/* ---- a view for each class ------------------------------------------------------------------------ */

/* Puts a text between two `mark`s, and doubles each `mark` in it. */
static void put_marked(stream *sql, char mark, const char *text) {
    put(sql, &mark, 1);
    for (; *text; text++)
        put(sql, (const char[]){*text, mark}, *text == mark ? 2 : 1);
    put(sql, &mark, 1);
}

/* A column of a class is the first value in `property` with that name and index. */
static void put_class_column(stream *sql, const mst_table_column *one) {
    static const char *const values[] = {"CAST(p.number AS INTEGER)", "p.number",
                                         "coalesce(p.text, CAST(CAST(p.number AS INTEGER) AS TEXT))"};
    static const char others[] = "properties.";
    const char *name = one->name + (strncmp(one->name, others, strlen(others)) ? 0 : strlen(others));
    const char *bracket = strchr(name, '[');
    char *plain = bracket ? copy_of(name, (size_t)(bracket - name)) : need(strdup(name));
    print(sql, ", (SELECT %s FROM property p WHERE p.file = e.file AND p.path = e.path AND p.name = ",
          values[one->type]);
    put_marked(sql, '\'', plain);
    print(sql, " AND coalesce(p.component, 0) = %ld ORDER BY p.seq LIMIT 1) AS ",
          bracket ? strtol(bracket + 1, NULL, 10) : 0);
    put_marked(sql, '"', one->name);
    free(plain);
}

/* `common`: the number of columns that `entity` has for all classes. */
static bool make_class_view(const database *to, const char *format, const char *kind,
                            const mst_table *columns, size_t common) {
    stream name = stream_memory(), sql = stream_memory();
    print(&name, "%s_%s", format, kind);
    put(&name, "", 1);
    for (char *at = name.data; at < name.data + strlen(format); at++)
        *at = *at == '-' ? '_' : *at;
    put_text(&sql, "DROP VIEW IF EXISTS ");
    put_marked(&sql, '"', name.data);
    put_text(&sql, "; CREATE VIEW ");
    put_marked(&sql, '"', name.data);
    put_text(&sql, " AS SELECT f.name AS file_name, e.*");
    for (size_t i = common; i < columns->column_count; i++)
        put_class_column(&sql, &columns->columns[i]);
    put_text(&sql, " FROM entity e JOIN file f ON f.id = e.file WHERE f.format = ");
    put_marked(&sql, '\'', format);
    put_text(&sql, " AND e.class = ");
    put_marked(&sql, '\'', kind);
    put(&sql, "", 1);
    const bool good = do_sql(to, sql.data, "make a view");
    stream_free(&sql);
    stream_free(&name);
    return good;
}

/* Makes views for the classes in the database that the library knows. */
static bool make_class_views(const database *to) {
    sqlite3_stmt *classes = NULL;
    mst_table *all;
    bool good = true;
    if (sqlite.prepare_v3(to->db,
                          "SELECT DISTINCT f.format, e.class FROM entity e JOIN file f ON f.id = e.file "
                          "WHERE e.class IS NOT NULL",
                          -1, 0, &classes, NULL) != SQLITE_OK)
        return complain(to, "list the classes");
    if (mst_table_columns(NULL, "entity", &all, NULL) != MST_OK)
        need(NULL);
    while (good && sqlite.step(classes) == SQLITE_ROW) {
        const char *format = (const char *)sqlite.column_text(classes, 0);
        const char *kind = (const char *)sqlite.column_text(classes, 1);
        mst_table *columns = NULL;
        char *relation;
        if (asprintf(&relation, "entity:%s", kind) < 0)
            need(NULL);
        if (mst_table_columns(format_by_id(format), relation, &columns, NULL) == MST_OK)
            good = make_class_view(to, format, kind, columns, all->column_count);
        mst_table_free(columns);
        free(relation);
    }
    mst_table_free(all);
    sqlite.finalize(classes);
    return good;
}

static void release(database *to) {
    for (size_t i = 0; i < to->insertion_count; i++) {
        sqlite.finalize(to->insertions[i].statement);
        free(to->insertions[i].table);
    }
    sqlite.close(to->db);
    mst_hash_map_end(&to->files);
    mst_hash_map_end(&to->taken);
    free(to->hashes);
    free(to->insertions);
    free(to->path);
    free(to);
}

/* Committed rows stay in any case: the command can continue from them. */
static bool end(rows_sink *sink, bool keep) {
    database *to = (database *)sink;
    for (size_t i = 0; i < to->insertion_count; i++) {
        sqlite.finalize(to->insertions[i].statement);
        to->insertions[i].statement = NULL;
    }
    const bool good =
        !keep || (do_sql(to, "BEGIN", "begin a transaction") && make_class_views(to) &&
                  do_sql(to, "COMMIT", "end a transaction") && do_sql(to, finish_sql, "make indices"));
    release(to);
    return good;
}

static bool make_tables(const database *to) {
    bool good = true;
    for (size_t i = 0; i < RECORD && good; i++) {
        mst_table *columns;
        if (mst_table_columns(NULL, database_relations[i], &columns, NULL) != MST_OK)
            need(NULL);
        good = make_table(to, database_relations[i], columns);
        mst_table_free(columns);
    }
    return good;
}

static int number_of(void *user, int count, char **values, char **names) {
    (void)count, (void)names;
    *(int *)user = values[0] ? (int)strtol(values[0], NULL, 10) : 0;
    return 0;
}

/* Whether an existing database has this schema, or is empty. */
static bool has_schema(const database *to) {
    int version = 0, tables = 0;
    if (sqlite.exec(to->db, "PRAGMA user_version", number_of, &version, NULL) != SQLITE_OK ||
        sqlite.exec(to->db, "SELECT count(*) FROM sqlite_master", number_of, &tables, NULL) != SQLITE_OK)
        return complain(to, "read it");
    if (version == MST_TABLE_SCHEMA || (!version && !tables))
        return true;
    say(MST_ERROR, "%s has schema %d and not %d: write to another file", to->path, version, MST_TABLE_SCHEMA);
    return false;
}

rows_sink *database_sink(const char *path, bool update) {
    char version[64];
    if (!update && !is_missing(path)) {
        say(MST_ERROR, "%s exists; --update adds to it what it lacks", path);
        return NULL;
    }
    database *to = need(calloc(1, sizeof *to));
    to->sink = (rows_sink){.take = take, .end = end, .has = has};
    to->path = need(strdup(path));
    snprintf(version, sizeof version, "PRAGMA user_version=%d;", MST_TABLE_SCHEMA);
    bool good = make_parents(path) && (sqlite.open(path, &to->db) == SQLITE_OK || complain(to, "open it"));
    good = good && has_schema(to) &&
           do_sql(to, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;", "write to it") &&
           do_sql(to, version, "write to it") && make_tables(to) && read_files(to);
    if (good)
        return &to->sink;
    release(to);
    return NULL;
}

bool databases_work(void) {
    char why[400];
    if (sqlite_load(&sqlite, why, sizeof why))
        return true;
    say(MST_ERROR, "%s", why);
    return false;
}
#else
rows_sink *database_sink(const char *path, bool update) {
    (void)path, (void)update;
    databases_work();
    return NULL;
}

bool databases_work(void) {
    say(MST_ERROR,
        "this build has no SQLite and makes no databases. Write each relation as Parquet "
        "(--relation NAME -o NAME.parquet), which DuckDB, Spark and pandas read, or as CSV (-o NAME.csv), "
        "which sqlite3's .import puts into a database; or use a build with libsqlite3");
    return false;
}
#endif
