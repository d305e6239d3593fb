/* SPDX-License-Identifier: MIT */
/* mapstone roundtrip: verifies that files are written back byte for byte. */
#include "../../src/files/ledger.h"
#include "../../src/write/rebuild.h"
#include "../inputs/many_files.h"
#include "commands.h"
#include <stdlib.h>
#include <string.h>

/* ---- comparing output with the original ----------------------------------------------------------- */

typedef struct comparison {
    const char *bytes;
    uint64_t size, position; /* of the file; bytes compared so far */
    bool differs;
    uint64_t offset; /* first difference */
} comparison;

static mst_status compare(void *user, const void *data, size_t size) {
    comparison *c = user;
    const char *piece = data;
    for (size_t i = 0; i < size && !c->differs;) {
        uint64_t left = c->position < c->size ? c->size - c->position : 0;
        size_t n = size - i < left ? size - i : (size_t)left;
        if (!n) { /* longer than the file */
            c->differs = true;
            c->offset = c->position;
        } else if (memcmp(c->bytes + c->position, piece + i, n) != 0) {
            size_t k = 0;
            while (c->bytes[c->position + k] == piece[i + k])
                k++;
            c->differs = true;
            c->offset = c->position + k;
        }
        c->position += n;
        i += n;
    }
    return c->differs ? MST_STOPPED : MST_OK;
}

static void compare_end(comparison *c) {
    if (!c->differs && c->position < c->size) {
        c->differs = true;
        c->offset = c->position;
    }
}

/* ---- the field at an offset ----------------------------------------------------------------------- */

typedef struct step {
    const char *name;
    uint64_t index;
} step;

typedef struct resolver {
    uint64_t offset;
    step *steps;
    size_t count, capacity;
    bool found;
    stream path;
} resolver;

static mst_status look(void *user, const mst_event *event) {
    resolver *f = user;
    if (event->kind == MST_EVENT_END) {
        f->count -= f->count != 0;
        return MST_OK;
    }
    bool begins = event->kind == MST_EVENT_BEGIN_RECORD || event->kind == MST_EVENT_BEGIN_LIST;
    bool here = !begins && f->offset >= event->offset && f->offset - event->offset < event->length;
    if (!begins && !here)
        return MST_OK;
    if (f->count == f->capacity) {
        f->capacity = f->capacity ? 2 * f->capacity : 16;
        f->steps = need(realloc(f->steps, f->capacity * sizeof *f->steps));
    }
    f->steps[f->count++] = (step){event->name, event->index};
    if (begins)
        return MST_OK;
    f->found = true;
    for (size_t i = 0; i < f->count; i++) {
        const step *one = &f->steps[i];
        if (*one->name)
            print(&f->path, "%s%s", f->path.size ? "." : "", one->name);
        if (one->index != UINT64_MAX)
            print(&f->path, "[%llu]", (unsigned long long)one->index);
    }
    return MST_STOPPED;
}

/* The path of the field at `offset`, to be freed; "" if there is none. */
static char *path_at(const mst_document *document, uint64_t offset) {
    resolver f = {.offset = offset, .path = stream_memory()};
    mst_walk(document, look, &f);
    put(&f.path, "", 1);
    free(f.steps);
    return f.path.data;
}

/* ---- the command ---------------------------------------------------------------------------------- */

static void put_verdict(job *work, const char *how, const comparison *c) {
    stream *out = &work->out;
    const options *given = work->batch->given;
    char *path = c->differs ? path_at(work->opened.document, c->offset) : NULL;
    if (options_has(given, OPTION_JSON)) {
        put_text(out, "{");
        put_json_member(out, "file", work->input->path);
        print(out, ",\"exact\":%s,\"size\":%zu", c->differs ? "false" : "true", work->opened.size);
        if (c->differs) {
            put_json_member(out, "by", how);
            print(out, ",\"offset\":%llu", (unsigned long long)c->offset);
            put_json_member(out, "path", path);
        }
        put_text(out, "}\n");
    } else if (c->differs) {
        put_visible(out, work->input->path);
        paint(out, COLOR_RED);
        print(out, ": differs at 0x%04llx: ", (unsigned long long)c->offset);
        unpaint(out);
        put_visible(out, *path ? path : "past the last field");
        print(out, " (%s)\n", how);
    } else if (!options_has(given, OPTION_QUIET)) {
        put_visible(out, work->input->path);
        paint(out, COLOR_GREEN);
        put_text(out, ": exact");
        unpaint(out);
        put_text(out, "\n");
    }
    free(path);
}

/* Compares all files of a rebuilt document with the original files. */
static mst_status compare_files(const mst_document *made, const mst_document *read, comparison *c) {
    mst_status status = MST_OK;
    for (size_t i = 0; i < mst_document_file_count(made) && status == MST_OK; i++) {
        size_t size;
        if (mst_document_file_count(made) > 1) { /* only the document has both files of a pair */
            c->bytes = mst_document_file(read, i, NULL, &size);
            c->size = size;
        }
        c->position = 0;
        const void *bytes = mst_document_file(made, i, NULL, &size);
        status = compare(c, bytes, size);
        if (status == MST_OK)
            compare_end(c);
        if (c->differs)
            status = MST_STOPPED;
    }
    return status;
}

static mst_status by_save(const mst_document *document, comparison *c, mst_diagnostic *why) {
    (void)why;
    return compare_files(document, document, c);
}

static mst_status by_encode(const mst_document *document, comparison *c, mst_diagnostic *why) {
    mst_document *again;
    mst_status status = mst_rebuild(document, &again, why);
    if (status == MST_OK)
        status = compare_files(again, document, c);
    mst_close(again);
    return status;
}

static mst_status by_json(const mst_document *document, comparison *c, mst_diagnostic *why) {
    stream json = stream_memory();
    mst_json_options compact = {.size = sizeof compact, .compact = 1};
    mst_value root = mst_root(document);
    mst_document *again = NULL;
    mst_status status = mst_write_json(&root, &compact, stream_sink(&json), why);
    if (status == MST_OK)
        status = mst_open_json(json.data, json.size, NULL, &again, why);
    if (status == MST_OK)
        status = compare_files(again, document, c);
    mst_close(again);
    stream_free(&json);
    return status;
}

static int roundtrip_one(job *work) {
    static const struct {
        const char *name;
        mst_status (*run)(const mst_document *document, comparison *c, mst_diagnostic *why);
    } ways[] = {{"saved", by_save}, {"encoded", by_encode}, {"by way of JSON", by_json}};
    int code = job_open(work, 0);
    if (code >= 0)
        return code;
    size_t count = options_has(work->batch->given, OPTION_JSON_TOO) ? 3 : 2;
    comparison c = {0};
    const char *how = "";
    for (size_t i = 0; i < count && !c.differs; i++) {
        mst_diagnostic why;
        c = (comparison){.bytes = work->opened.bytes, .size = work->opened.size};
        how = ways[i].name;
        mst_status status = ways[i].run(work->opened.document, &c, &why);
        if (status != MST_OK && !c.differs)
            return say_diagnosis(work->input->path, &why);
    }
    put_verdict(work, how, &c);
    return c.differs ? EXIT_NO : EXIT_YES;
}

static int run(const options *given) {
    if (!given->operand_count)
        return options_usage(given, "roundtrip needs a file or directory");
    const char *from = given->value[OPTION_FROM];
    if (!format_is_known(given, from))
        return EXIT_TROUBLE;
    if (from && !strcmp(from, "json"))
        return options_usage(given,
                             "roundtrip takes levels, not JSON; --json-too converts them to JSON and back");
    inputs all = inputs_expand(given);
    batch work = {.given = given, .inputs = &all, .run = roundtrip_one};
    int code = batch_run(&work);
    if (!stdout_failed()) {
        stream to = options_has(given, OPTION_JSON) ? stream_stderr() : stream_stdout();
        batch_sum(&work, &to, "exact", "differ");
        put_text(&to, "\n");
        stream_free(&to);
    }
    inputs_free(&all);
    return code;
}

static const option_row rows[] = {
    OPTION_ROW_OUTPUT_DATA,
    {OPTION_JSON_TOO, 0, "json-too", NULL, NULL, "also convert to JSON and back, without the original"},
    OPTION_ROW_QUIET("no line for exact files"),
    OPTION_ROW_JSON("one JSON object per line"),
    OPTION_ROW_FROM,
    OPTION_ROW_BATCH,
    OPTION_ROW_COMMON};

static const option_pair clashes[] = {{OPTION_QUIET, OPTION_JSON}, {OPTION_NONE, OPTION_NONE}};

const command roundtrip_command = {
    .name = "roundtrip",
    .operands = "FILE...",
    .summary = "verify that files are written back byte for byte",
    .description = "Opens each file, saves it, encodes every field from its value, and compares both results "
                   "with the file. With --json-too it does the same by way of JSON. The last line has the "
                   "totals. Exits with 1 if a file differs.",
    .options = rows,
    .examples = "mapstone roundtrip --json-too -j 0 maps/",
    .run = run,
    .clashes = clashes,
    .output_is_stdout = true,
};
