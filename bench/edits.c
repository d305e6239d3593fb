/* SPDX-License-Identifier: MIT */
/*
 * Measures edits of levels of Natural Selection 2: a thousand in a transaction, against one. Prints a table
 * in Markdown: bench_edits FILE...
 */
#include <mapstone/mapstone.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MANY 1000
#define RUNS 5

/* Processor time: other programs may be running. */
static double now(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

/* The operation on elements of a list, or on values below them. */
typedef struct job {
    const char *name;
    mst_operation_kind kind;
    const char *list, *below, *value;
} job;

static const job jobs[] = {
    {"set numbers", MST_OPERATION_SET, "objects", ".properties[0].value", "[1, 2, 3]"},
    {"set texts", MST_OPERATION_SET, "objects", ".class_name", "something else"},
    {"remove properties", MST_OPERATION_REMOVE, "objects", ".properties[1]", NULL},
    {"remove objects", MST_OPERATION_REMOVE, "objects", "", NULL},
    {"remove faces", MST_OPERATION_REMOVE, "mesh.faces", "", NULL},
    {"insert objects", MST_OPERATION_INSERT, "objects", "",
     "{\"class_name\":\"prop_static\",\"properties\":{\"origin\":[1,2,3]}}"},
    {"insert vertices", MST_OPERATION_INSERT, "mesh.vertices", "", "{\"position\":[1,2,3]}"},
    {"insert materials", MST_OPERATION_INSERT, "mesh.materials", "", "\"materials/a.material\""},
    {"copy edges", MST_OPERATION_DUPLICATE, "mesh.edges", "", NULL},
    {"copy objects", MST_OPERATION_DUPLICATE, "objects", "", NULL},
    {"add entities", MST_OPERATION_ADD, "prop_static", "", "{\"origin\":[1,2,3]}"},
    {"move entities", MST_OPERATION_MOVE_BY, "objects", "", "0,1,0"},
};

typedef struct times {
    double all, each; /* with begin and commit; per operation */
} times;

/* The shortest of several runs; 0: failure. */
static times measure(const char *file, const job *what, unsigned count) {
    times best = {0, 0};
    for (int run = 0; run < RUNS; run++) {
        mst_document *document;
        mst_transaction *transaction = NULL;
        mst_diagnostic why;
        mst_value list;
        char path[100];
        mst_status status = mst_open_file(file, NULL, &document, &why);
        if (status == MST_OK)
            status = mst_find(mst_root(document), what->kind == MST_OPERATION_ADD ? "objects" : what->list,
                              &list, &why);
        uint64_t there = status == MST_OK ? mst_count(&list) : 0;
        bool goes = what->kind == MST_OPERATION_REMOVE;
        if (status == MST_OK && (!there || (goes && there < 2 * MANY))) {
            mst_close(document);
            return (times){0, 0};
        }
        double begun = now(), first = begun, last = begun;
        if (status == MST_OK)
            status = mst_edit_begin(document, NULL, &transaction, &why);
        first = now();
        for (unsigned i = 0; i < count && status == MST_OK; i++) {
            bool shorter = what->kind == MST_OPERATION_REMOVE && !*what->below;
            unsigned at = (unsigned)(i * UINT64_C(7919) % (shorter ? there - count : there));
            mst_operation one = {.kind = what->kind, .path = path, .value = what->value};
            snprintf(path, sizeof path, "%s[%u]%s", what->list, at, what->below);
            if (what->kind == MST_OPERATION_ADD)
                one.path = what->list;
            status = mst_edit_apply(transaction, &one, &why);
        }
        last = now();
        if (status == MST_OK)
            status = mst_edit_commit(transaction, &why);
        else
            mst_edit_abort(transaction);
        double all = now() - begun, each = (last - first) / count;
        mst_close(document);
        if (status != MST_OK) {
            fprintf(stderr, "%s: %s: %s\n", file, what->name, why.message);
            return (times){0, 0};
        }
        best.all = !run || all < best.all ? all : best.all;
        best.each = !run || each < best.each ? each : best.each;
    }
    return best;
}

int main(int argc, char **argv) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("| level | edit | one, with begin and commit | in a transaction, each | edits per second | 1,000 / "
         "one |");
    puts("|---|---|---|---|---|---|");
    for (int f = 1; f < argc; f++)
        for (size_t j = 0; j < sizeof jobs / sizeof *jobs; j++) {
            times one = measure(argv[f], &jobs[j], 1), many = measure(argv[f], &jobs[j], MANY);
            const char *slash = strrchr(argv[f], '/');
            if (one.all > 0 && many.all > 0)
                printf("| %s | %s | %.2f ms | %.2f us | %.0f | %.2f |\n", slash ? slash + 1 : argv[f],
                       jobs[j].name, one.all * 1e3, many.each * 1e6, MANY / many.all, many.all / one.all);
        }
    return 0;
}
