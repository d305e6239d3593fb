/* SPDX-License-Identifier: MIT */
/*
 * Measures the cost of an operation of a transaction in the lists of every family: adds and removes up to a
 * thousand elements, and measures their commit and the checks. Prints a table in Markdown:
 *   bench_edit_lists FILE...
 */
#include <mapstone/mapstone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MANY    1000
#define SECONDS 1 /* limit for the operations: a list grows less where each takes long */
#define TEXT    65536

static const char *const lists[] = {"mesh.faces",
                                    "mesh.vertices",
                                    "mesh.edges",
                                    "mesh.materials",
                                    "layers",
                                    "groups",
                                    "map.quads",
                                    "map.vertices",
                                    "map.monsters",
                                    "map.pickups",
                                    "map.boxes",
                                    "map.doors",
                                    "map.lifts",
                                    "objects",
                                    "objects[0].inventory",
                                    "actors.records",
                                    "collision.sectors",
                                    "collision.points",
                                    "blocks",
                                    "blocks[0].block.vertices",
                                    "paths",
                                    "chunks",
                                    "bones",
                                    "materials",
                                    "parameters"};

/* Processor time: other programs may be running. */
static double now(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

typedef struct text {
    char bytes[TEXT];
    size_t size;
} text;

static mst_status take(void *user, const void *data, size_t size) {
    text *t = user;
    if (size > sizeof t->bytes - 1 - t->size)
        return MST_NO_MEMORY;
    memcpy(t->bytes + t->size, data, size);
    t->bytes[t->size += size] = 0;
    return MST_OK;
}

typedef struct result {
    unsigned done;
    double each, commit;
    mst_diagnostic why;
} result;

typedef struct job {
    const char *name;
    mst_operation_kind kind;
} job;

static const job jobs[] = {{"insert", MST_OPERATION_INSERT},
                           {"copy", MST_OPERATION_DUPLICATE},
                           {"remove", MST_OPERATION_REMOVE},
                           {"add", MST_OPERATION_ADD}};

/* A face by the positions of its corners; it shares two of them with the previous face. */
static void put_face(text *value, unsigned number) {
    value->size = (size_t)snprintf(value->bytes, sizeof value->bytes,
                                   "{\"positions\":[[%u,1000,0],[%u,1000,0],[%u,1000,9]],\"material\":0}",
                                   number, number + 1, number);
}

static result measure(const char *file, const char *list_path, const job *what, mst_check_options *checks) {
    static text value;
    result r = {0};
    mst_document *document = NULL;
    mst_transaction *transaction = NULL;
    mst_value list, element;
    mst_json_options compact = {.size = sizeof compact, .compact = 1};
    mst_edit_options options = {.size = sizeof options, .cascade = 1, .checks = checks, .force = 1};
    value.size = 0;
    if (what->kind == MST_OPERATION_ADD && strcmp(list_path, "mesh.faces") != 0)
        return r;
    if (mst_open_file(file, NULL, &document, &r.why) != MST_OK)
        return r;
    uint64_t there = 0;
    mst_status status = mst_find(mst_root(document), list_path, &list, NULL);
    if (status == MST_OK)
        there = mst_count(&list);
    if (status == MST_OK)
        status = there ? mst_element(&list, 0, &element) : MST_NO_PATH;
    if (status == MST_OK)
        status = mst_write_json(&element, &compact, (mst_sink){take, &value}, NULL);
    if (status == MST_OK)
        status = mst_edit_begin(document, &options, &transaction, &r.why);
    double begun = now(), last = begun;
    while (status == MST_OK && r.done < MANY && last - begun < SECONDS) {
        char path[200];
        int shorter = what->kind == MST_OPERATION_REMOVE;
        if (shorter && there < 2)
            break;
        uint64_t half = there / 2; /* similar elements are at lower indices */
        uint64_t index = half + r.done * UINT64_C(7919) % (half > 1 ? half - 1 : 1);
        snprintf(path, sizeof path, "%s[%llu]", list_path, (unsigned long long)index);
        mst_operation one = {.kind = what->kind, .path = path, .value = NULL};
        if (what->kind == MST_OPERATION_INSERT || what->kind == MST_OPERATION_ADD)
            one.value = value.bytes;
        if (what->kind == MST_OPERATION_ADD) {
            put_face(&value, r.done);
            one.path = list_path;
        }
        status = mst_edit_apply(transaction, &one, &r.why);
        there = shorter ? there - 1 : there + 1;
        r.done += status == MST_OK;
        last = now();
    }
    if (status == MST_OK && transaction)
        status = mst_edit_commit(transaction, &r.why);
    else if (transaction)
        mst_edit_abort(transaction);
    r.commit = now() - last;
    r.each = status == MST_OK && r.done ? (last - begun) / r.done : 0;
    mst_close(document);
    return r;
}

static mst_status ignore(void *user, const mst_diagnostic *finding) {
    (void)user, (void)finding;
    return MST_OK;
}

static double time_check(const char *file) {
    mst_document *document;
    mst_check_options options = {.size = sizeof options};
    if (mst_open_file(file, NULL, &document, NULL) != MST_OK)
        return 0;
    double begun = now();
    mst_check(document, &options, ignore, NULL, NULL, NULL);
    double taken = now() - begun;
    mst_close(document);
    return taken;
}

int main(int argc, char **argv) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("| level | list | edit | operations | each | all, with commit | with checks | check alone |");
    puts("|---|---|---|---|---|---|---|---|");
    for (int f = 1; f < argc; f++) {
        const char *slash = strrchr(argv[f], '/');
        double check = time_check(argv[f]);
        for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
            for (size_t j = 0; j < sizeof jobs / sizeof *jobs; j++) {
                mst_check_options checks = {.size = sizeof checks};
                result plain = measure(argv[f], lists[l], &jobs[j], NULL);
                if (plain.each == 0) {
                    if (*plain.why.message)
                        fprintf(stderr, "%s: %s %s: %s\n", argv[f], jobs[j].name, lists[l],
                                plain.why.message);
                    continue;
                }
                result checked = measure(argv[f], lists[l], &jobs[j], &checks);
                printf("| %s | %s | %s | %u | %.1f us | %.1f ms | %.1f ms | %.1f ms |\n",
                       slash ? slash + 1 : argv[f], lists[l], jobs[j].name, plain.done, plain.each * 1e6,
                       (plain.each * plain.done + plain.commit) * 1e3, checked.commit * 1e3, check * 1e3);
            }
    }
    return 0;
}
