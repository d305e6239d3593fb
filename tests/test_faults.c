/* SPDX-License-Identifier: MIT */
/*
 * The ledger of faults: the diagnoses of each of our small files when it is truncated, or when a significant
 * byte of it is changed. tests/faults/<fixture>.txt has the outcomes, which people have reviewed;
 * `test_faults write` (make faults) writes them again.
 *
 * A line is a change (cut: that many bytes are left; zero, ones, not: the new value of the byte), the first
 * and last offset of a run, and the outcome:
 * opens                            no finding that the whole file does not have
 * reported CODES WHERE PATH        it opens, and checks find something new
 * refused CODE WHERE PATH          it does not open
 * unknown, other FORMAT            it is not recognised, or as something else
 * WHERE is the position of the diagnosis: at (the changed byte is in its range, or within eight bytes of it),
 * before, after, none (no byte).
 */
#include "../src/files/ledger.h"
#include "fixtures.h"
#include "runner.h"
#include <sys/stat.h>

typedef enum change { CUT, ZERO, ONES, NOT, CHANGES } change;
static const char *const change_names[CHANGES] = {"cut", "zero", "ones", "not"};

/* ---- the outcome of a change -------------------------------------------------------------------- */

/* The first two names without indices, so that runs are long. */
static void short_path(const char *path, char *text, size_t capacity) {
    size_t n = 0, names = 0;
    for (; *path && n + 1 < capacity; path++) {
        if (*path == '.' && ++names == 2)
            break;
        text[n++] = *path;
        if (*path == '[')
            while (path[1] && path[1] != ']')
                path++;
    }
    text[n] = 0;
    if (!n)
        snprintf(text, capacity, "-");
}

static const char *place_of(const mst_diagnostic *d, uint64_t at) {
    if (d->offset == MST_NO_OFFSET)
        return "none";
    if (at + 8 < d->offset)
        return "after";
    return at > d->offset + d->length + 8 ? "before" : "at";
}

static bool said(const findings *list, const mst_diagnostic *finding) {
    for (size_t i = 0; i < list->count; i++) {
        const mst_diagnostic *d = &list->items[i];
        if (strcmp(d->code, finding->code) == 0 && strcmp(d->path, finding->path) == 0 &&
            strcmp(d->message, finding->message) == 0 && strcmp(d->found, finding->found) == 0)
            return true;
    }
    return false;
}

typedef struct outcome {
    char text[240];
    bool wrong; /* an outcome that must never occur */
} outcome;

static void not_right(outcome *o, const char *why) {
    print_error("%s\n", why);
    o->wrong = true;
}

/* New findings: their codes, and the one nearest to the change. */
static void tell_findings(const findings *now, const findings *before, uint64_t at, outcome *o) {
    const mst_diagnostic *best = NULL;
    char codes[120] = "", path[100];
    size_t more = 0;
    for (size_t i = 0; i < now->count; i++) {
        const mst_diagnostic *d = &now->items[i];
        if (said(before, d))
            continue;
        if (!best || (strcmp(place_of(d, at), "at") == 0 && strcmp(place_of(best, at), "at") != 0))
            best = d;
        size_t length = strlen(codes);
        if (strstr(codes, d->code))
            continue;
        if (length + strlen(d->code) + 2 < 80)
            snprintf(codes + length, sizeof codes - length, "%s%s", length ? "," : "", d->code);
        else
            more++;
    }
    if (!best) {
        snprintf(o->text, sizeof o->text, "opens");
        return;
    }
    short_path(best->path, path, sizeof path);
    snprintf(o->text, sizeof o->text, "reported %s%s %s %s", codes, more ? ",..." : "", place_of(best, at),
             path);
}

/* Opens the files and reports the outcome. `at`: the changed offset; `size`: the size of that file. */
static outcome look(const fixture_source *source, const writer files[2], uint64_t at, const char *format,
                    const findings *before, bool verbose) {
    outcome o = {.wrong = false};
    mst_document *document = NULL;
    mst_diagnostic why;
    char path[100], text[700];
    mst_status status = fixture_open(source, files, &document, &why);
    if (status != MST_OK) {
        short_path(why.path, path, sizeof path);
        if (status == MST_UNKNOWN)
            snprintf(o.text, sizeof o.text, "unknown");
        else
            snprintf(o.text, sizeof o.text, "refused %s %s %s", why.code, place_of(&why, at), path);
        bool lacks_part = status == MST_UNSUPPORTED && !MST_WITH_ZLIB;
        if (status != MST_UNKNOWN && !lacks_part && (status != MST_DAMAGED || !why.code[0]))
            not_right(&o, "refused, but not as damaged, or without a code");
        if (why.offset != MST_NO_OFFSET && why.offset > files[0].size && why.offset > files[1].size)
            not_right(&o, "the diagnosis points after the end");
        if (verbose) {
            mst_diagnostic_text(&why, text, sizeof text);
            printf("      %s\n", text);
        }
        return o;
    }
    for (size_t i = 0; i < mst_document_file_count(document); i++) {
        size_t size;
        const void *bytes = mst_document_file(document, i, NULL, &size);
        bool second = mst_document_file_count(document) == 1 && source->other;
        if (!second && (size != files[i].size || (size && memcmp(bytes, files[i].data, size) != 0)))
            not_right(&o, "what opened is not saved as it was");
    }
    const char *id = mst_document_format(document)->id;
    findings list = {0};
    mst_check_options options = {.size = sizeof options, .information = 1};
    if (mst_check(document, &options, collect, &list, NULL, &why) != MST_OK)
        not_right(&o, "what opened cannot be checked");
    if (format && strcmp(id, format) != 0)
        snprintf(o.text, sizeof o.text, "other %s", id);
    else if (before)
        tell_findings(&list, before, at, &o);
    if (verbose)
        for (size_t i = 0, shown = 0; i < list.count && shown < 3; i++)
            if (!before || !said(before, &list.items[i])) {
                mst_diagnostic_text(&list.items[i], text, sizeof text);
                printf("      %s\n", text);
                shown++;
            }
    findings_free(&list);
    mst_close(document);
    return o;
}

/* ---- the bytes to change ------------------------------------------------------------------------ */

#define HEADER 256

typedef struct bytes_of_interest {
    uint8_t *marks;
    size_t size;
} bytes_of_interest;

static mst_status mark_derived(void *user, const mst_event *event) {
    bytes_of_interest *b = user;
    bool derived = (event->kind == MST_EVENT_DERIVED || event->kind == MST_EVENT_LEAF) &&
                   event->byte_class == MST_BYTES_DERIVED;
    for (uint64_t i = 0; derived && i < event->length && event->offset + i < b->size; i++)
        b->marks[event->offset + i] = 1;
    return MST_OK;
}

/* The header, and the derived bytes in it; for a packed file all bytes. */
static bytes_of_interest interest(const mst_document *document, const writer *file) {
    bytes_of_interest b = {calloc(file->size + 1, 1), file->size};
    assert_non_null(b.marks);
    size_t size;
    const void *bytes = mst_document_bytes(document, &size);
    bool parsed = size != file->size || memcmp(bytes, file->data, size) != 0;
    for (size_t i = 0; i < file->size && i < (parsed ? 4096 : HEADER); i++)
        b.marks[i] = 1;
    if (!parsed)
        MUST(mst_walk(document, mark_derived, &b), NULL);
    return b;
}

/* ---- over all of them ---------------------------------------------------------------------------- */

typedef void (*take_outcome)(void *user, size_t file, change what, size_t at, const outcome *o);

static bool changed_byte(change what, uint8_t was, uint8_t *now) {
    *now = what == ZERO ? 0 : what == ONES ? 0xFF : (uint8_t)~was;
    return *now != was && !(what == NOT && (was == 0 || was == 0xFF));
}

static void each_change(const fixture *f, size_t step, bool verbose, take_outcome take, void *user) {
    mst_document *whole;
    mst_diagnostic why;
    MUST(fixture_open(f->source, f->files, &whole, &why), &why);
    const char *format = mst_document_format(whole)->id;
    findings before = {0};
    mst_check_options options = {.size = sizeof options, .information = 1};
    MUST(mst_check(whole, &options, collect, &before, NULL, &why), &why);
    for (size_t k = 0; k < f->count; k++) {
        writer files[2] = {f->files[0], f->files[1]};
        const writer *file = &f->files[k];
        bytes_of_interest b = interest(whole, file);
        size_t met = 0;
        for (size_t size = 0; size < file->size; size += size < 4096 ? 1 : 97) {
            if (met++ % step)
                continue;
            /* a separate allocation, so that reads past its end are detected */
            files[k].data = malloc(size ? size : 1);
            assert_non_null(files[k].data);
            memcpy(files[k].data, file->data, size);
            files[k].size = size;
            outcome o = look(f->source, files, size, format, &before, verbose);
            take(user, k, CUT, size, &o);
            free(files[k].data);
        }
        files[k] = *file;
        for (change what = ZERO; what < CHANGES; what++)
            for (size_t at = 0; at < file->size; at += at < 4096 ? 1 : 17) {
                uint8_t was = file->data[at], now;
                if (!b.marks[at] || !changed_byte(what, was, &now) || met++ % step)
                    continue;
                file->data[at] = now;
                outcome o = look(f->source, files, at, format, &before, verbose);
                file->data[at] = was;
                take(user, k, what, at, &o);
            }
        free(b.marks);
    }
    findings_free(&before);
    mst_close(whole);
}

static bool in_ledger(const fixture *f) {
    return f->files[0].size < 65536 && !f->source->no_ledger;
}

/* ---- the table ----------------------------------------------------------------------------------- */

static void table_place(const fixture_source *source, char *path, size_t capacity) {
    snprintf(path, capacity, "tests/faults/%s.txt", source->name);
}

typedef struct run {
    size_t file, first, last;
    change what;
    char text[240];
} run;

typedef struct table_writer {
    FILE *file;
    run now;
    bool open;
    size_t wrong, count;
} table_writer;

static void end_run(table_writer *t) {
    if (t->open)
        fprintf(t->file, "%s%s %zu %zu %s\n", change_names[t->now.what], t->now.file ? "2" : "", t->now.first,
                t->now.last, t->now.text);
    t->open = false;
}

static void write_outcome(void *user, size_t file, change what, size_t at, const outcome *o) {
    table_writer *t = user;
    if (t->open && (t->now.file != file || t->now.what != what || strcmp(t->now.text, o->text) != 0))
        end_run(t);
    if (!t->open) {
        t->now = (run){.file = file, .first = at, .what = what};
        memcpy(t->now.text, o->text, sizeof o->text);
        t->open = true;
    }
    t->now.last = at;
    t->count++;
    t->wrong += o->wrong;
}

static void write_tables(void) {
    mkdir("tests/faults", 0777);
    size_t count = 0;
    for (size_t i = 0; i < FIXTURES; i++) {
        fixture f;
        char path[200];
        if (!fixture_make(&fixtures[i], &f))
            continue;
        if (in_ledger(&f)) {
            table_place(&fixtures[i], path, sizeof path);
            table_writer t = {.file = fopen(path, "w")};
            assert_non_null(t.file);
            each_change(&f, 1, false, write_outcome, &t);
            end_run(&t);
            fclose(t.file);
            count += t.count;
            if (t.wrong)
                print_error("%s: %zu are wrong\n", fixtures[i].name, t.wrong);
        }
        fixture_free(&f);
    }
    printf("%zu changes\n", count);
}

typedef struct table {
    run *runs;
    size_t count, capacity;
    const char *name;
    size_t looked, differ;
} table;

static bool read_table(const fixture_source *source, table *t) {
    char path[200], line[400], what[16];
    table_place(source, path, sizeof path);
    FILE *file = fopen(path, "r");
    *t = (table){.name = source->name};
    if (!file)
        return false;
    while (fgets(line, sizeof line, file)) {
        unsigned long first, last;
        int used = 0;
        line[strcspn(line, "\n")] = 0;
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line, "%15s %lu %lu %n", what, &first, &last, &used), 3);
        if (t->count == t->capacity) {
            t->capacity = t->capacity * 2 + 64;
            t->runs = realloc(t->runs, t->capacity * sizeof *t->runs);
            assert_non_null(t->runs);
        }
        run *r = &t->runs[t->count++];
        memset(r, 0, sizeof *r);
        size_t length = strlen(what);
        r->file = length && what[length - 1] == '2';
        what[length - r->file] = 0;
        for (r->what = CUT; r->what < CHANGES && strcmp(change_names[r->what], what) != 0;)
            r->what++;
        assert_true(r->what < CHANGES);
        r->first = first;
        r->last = last;
        assert_true(strlen(line + used) < sizeof r->text);
        memcpy(r->text, line + used, strlen(line + used) + 1);
    }
    fclose(file);
    return true;
}

static void compare_outcome(void *user, size_t file, change what, size_t at, const outcome *o) {
    table *t = user;
    const char *wanted = "nothing, it is not in the table";
    t->looked++;
    for (size_t i = 0; i < t->count; i++) {
        const run *r = &t->runs[i];
        if (r->file == file && r->what == what && r->first <= at && at <= r->last) {
            wanted = r->text;
            break;
        }
    }
    if (strcmp(wanted, o->text) != 0 || o->wrong) {
        if (t->differ < 10)
            print_error("%s: %s%s at %zu: %s\n    the table says: %s\n", t->name, change_names[what],
                        file ? " (second file)" : "", at, o->text, wanted);
        t->differ++;
    }
}

static void outcomes_are_those_of_the_table(void **state) {
    (void)state;
    size_t differ = 0, looked = 0, absent = 0;
    for (size_t i = 0; i < FIXTURES; i++) {
        fixture f;
        if (!fixture_make(&fixtures[i], &f)) {
            print_message("# %s is not there\n", fixtures[i].name);
            absent++;
            continue;
        }
        if (in_ledger(&f)) {
            table t;
            if (!read_table(&fixtures[i], &t))
                print_error("there is no table of %s: make faults\n", fixtures[i].name);
            each_change(&f, sample_step() > 1 ? 5 : 1, false, compare_outcome, &t);
            looked += t.looked;
            differ += t.differ;
            free(t.runs);
        }
        fixture_free(&f);
    }
    print_message("# %zu changes looked at, %zu files absent\n", looked, absent);
    if (differ)
        print_error("%zu outcomes differ from the tables: make faults, and read what changed\n", differ);
    assert_int_equal(differ, 0);
    assert_true(looked > 1000);
}

/* ---- real files: only outcomes that must never occur --------------------------------------------- */

static size_t invariants(const char *folder) {
    char path[512];
    size_t tried = 0;
    if (!corpus_path(folder, path, sizeof path))
        return 0;
    DIR *directory = opendir(path);
    if (!directory)
        return 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char name[1024];
        size_t size;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        struct stat information;
        if (stat(name, &information) != 0 || !S_ISREG(information.st_mode) || information.st_size >= 65536)
            continue;
        uint8_t *bytes = read_whole(name, &size);
        assert_non_null(bytes);
        fixture_source source = {.name = entry->d_name, .file = entry->d_name};
        size_t step = (1 + size / 256) * sample_step();
        for (change what = CUT; what < CHANGES; what++)
            for (size_t at = 0; at < size; at += what == CUT || at >= HEADER ? step : sample_step()) {
                writer files[2] = {{.data = bytes, .size = what == CUT ? at : size}, {.data = NULL}};
                uint8_t was = bytes[at], now = 0;
                if (what != CUT && !changed_byte(what, was, &now))
                    continue;
                if (what != CUT)
                    bytes[at] = now;
                outcome o = look(&source, files, at, NULL, NULL, false);
                bytes[at] = was;
                if (o.wrong)
                    print_error("%s: %s at %zu\n", name, change_names[what], at);
                assert_false(o.wrong);
                tried++;
            }
        free(bytes);
    }
    closedir(directory);
    return tried;
}

static void real_files_never_misbehave(void **state) {
    (void)state;
    static const char *const folders[] = {
        "ns2",
        "alien",
        "turok",
        "revenant/v0",
        "revenant/v1",
        "revenant/v4",
        "revenant/v8",
        "revenant/v15",
        "sfa/mini",
        "sfa/samples/romlists",
        "sfa/samples/textures",
        "sfa/samples",
    };
    char path[512];
    size_t tried = 0;
    if (!corpus_path("ns2", path, sizeof path)) {
        print_message("# no corpus found (MAPSTONE_CORPUS)\n");
        skip();
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        tried += invariants(folders[i]);
    print_message("# %zu changes of real files\n", tried);
    assert_true(tried > 100);
}

/* `test_faults show FIXTURE`: every outcome with its full text, for review. */
static void show_outcome(void *user, size_t file, change what, size_t at, const outcome *o) {
    (void)user;
    printf("%s%s %zu %s\n", change_names[what], file ? "2" : "", at, o->text);
}

int test_faults(void) {
    if (strcmp(test_word(0), "write") == 0) {
        write_tables();
        return 0;
    }
    if (strcmp(test_word(0), "show") == 0) {
        for (size_t i = 0; i < FIXTURES; i++) {
            fixture f;
            if (strcmp(fixtures[i].name, test_word(1)) == 0 && fixture_make(&fixtures[i], &f)) {
                each_change(&f, 1, true, show_outcome, NULL);
                fixture_free(&f);
            }
        }
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_are_those_of_the_table),
        cmocka_unit_test(real_files_never_misbehave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
