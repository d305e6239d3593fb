/* SPDX-License-Identifier: MIT */
/*
 * Measures how fast levels are opened, checked, saved and converted, with memcpy and fwrite of the same bytes
 * in the same run for comparison. For files that are parsed, speeds count the parsed bytes, and memcpy of the
 * files is a row of its own. Rows are stages whose input exists already; those called "total" start from the
 * file's name and end with the complete result. Prints a table in Markdown:
 * bench_levels [--command PATH] [--brief] FILE..
 * (--brief: only open, ledger, check and save, in one line per file)
 */
#include "../src/write/rebuild.h"
#include <mapstone/mapstone.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

typedef struct work {
    const char *path;
    const void *bytes; /* that are walked: the file's, or parsed */
    size_t size;
    size_t files_size; /* on disk */
    bool parsed;
    void *copy;
    mst_document *document;
    mst_scene *scene;
    mst_buffer json;
} work;

/* The shortest time of as many runs as fit into the time limit, to exclude the machine's other work. */
static double best(size_t (*run)(work *), work *w, size_t *produced) {
    double shortest = 1e9, begun = now();
    for (int i = 0; (i < 5 && now() - begun < 10) || (now() - begun < 0.5 && i < 1000); i++) {
        double start = now();
        *produced = run(w);
        double time = now() - start;
        if (time < shortest)
            shortest = time;
    }
    return shortest;
}

static mst_status discard(void *user, const void *data, size_t size) {
    (void)data;
    *(size_t *)user += size;
    return MST_OK;
}

static size_t run_memcpy(work *w) {
    memcpy(w->copy, w->bytes, w->size);
    return w->size;
}

static size_t run_memcpy_files(work *w) {
    if (!w->parsed)
        return 0;
    char *to = w->copy;
    for (size_t i = 0, size; i < mst_document_file_count(w->document); i++, to += size) {
        const void *bytes = mst_document_file(w->document, i, NULL, &size);
        memcpy(to, bytes, size);
    }
    return w->files_size;
}

static size_t run_open(work *w) {
    mst_document *document;
    if (w->parsed || mst_open_memory(w->bytes, w->size, NULL, &document, NULL) != MST_OK)
        return 0;
    mst_close(document);
    return w->size;
}

static size_t run_open_file(work *w) {
    mst_document *document;
    if (mst_open_file(w->path, NULL, &document, NULL) != MST_OK)
        return 0;
    mst_close(document);
    return w->size;
}

static size_t run_check(work *w) {
    return mst_check(w->document, NULL, NULL, NULL, NULL, NULL) == MST_OK ? w->size : 0;
}

static size_t run_account(work *w) {
    mst_ledger ledger;
    return mst_byte_coverage(w->document, &ledger, NULL) == MST_OK ? w->size : 0;
}

static mst_status to_file(void *user, const void *data, size_t size) {
    return fwrite(data, 1, size, user) == size ? MST_OK : MST_IO;
}

static size_t run_fwrite(work *w) {
    FILE *file = tmpfile();
    if (!file)
        return 0;
    for (size_t i = 0, size; i < mst_document_file_count(w->document); i++) {
        const void *bytes = mst_document_file(w->document, i, NULL, &size);
        if (fwrite(bytes, 1, size, file) != size)
            return 0;
    }
    fclose(file);
    return w->files_size;
}

static size_t run_save(work *w) {
    FILE *file = tmpfile();
    if (!file)
        return 0;
    mst_sink sink = {to_file, file};
    mst_status status = mst_save(w->document, sink, NULL);
    for (size_t i = 1, size; !status && i < mst_document_file_count(w->document); i++) {
        const void *bytes = mst_document_file(w->document, i, NULL, &size);
        status = sink.write(sink.user, bytes, size);
    }
    fclose(file);
    return status == MST_OK ? w->files_size : 0;
}

static size_t run_encode(work *w) {
    size_t size = 0;
    return mst_encode(w->document, (mst_sink){discard, &size}, NULL) == MST_OK ? size : 0;
}

static size_t run_json_out(work *w) {
    size_t size = 0;
    mst_value root = mst_root(w->document);
    return mst_write_json(&root, NULL, (mst_sink){discard, &size}, NULL) == MST_OK ? size : 0;
}

static size_t run_json_in(work *w) {
    mst_document *document;
    if (mst_open_json((const char *)w->json.data, w->json.size, NULL, &document, NULL) != MST_OK)
        return 0;
    mst_close(document);
    return w->json.size;
}

static size_t run_set(work *w) {
    mst_document *document;
    if (w->parsed || mst_open_memory(w->bytes, w->size, NULL, &document, NULL) != MST_OK)
        return 0;
    mst_status status = mst_set(document, "objects[0].class_name", "renamed_entity", NULL);
    mst_close(document);
    return status == MST_OK ? w->size : 0;
}

/* Opening a packed list, changing one object and packing it again. */
static size_t run_set_folded(work *w) {
    mst_document *document;
    if (!w->parsed || mst_open_file(w->path, NULL, &document, NULL) != MST_OK)
        return 0;
    mst_status status = mst_set(document, "objects[0].id", "4711", NULL);
    mst_close(document);
    return status == MST_OK ? w->size : 0;
}

static size_t run_scene(work *w) {
    mst_scene *scene;
    if (mst_scene_from_document(w->document, NULL, &scene, NULL) != MST_OK)
        return 0;
    mst_scene_free(scene);
    return w->size;
}

static size_t run_glb(work *w) {
    size_t size = 0;
    return mst_scene_write_glb(w->scene, NULL, (mst_sink){discard, &size}, NULL) == MST_OK ? size : 0;
}

/* Complete tasks: from a file to the complete result. */
static size_t run_check_file(work *w) {
    mst_document *document;
    if (mst_open_file(w->path, NULL, &document, NULL) != MST_OK)
        return 0;
    mst_status status = mst_check(document, NULL, NULL, NULL, NULL, NULL);
    mst_close(document);
    return status == MST_OK ? w->size : 0;
}

static size_t run_json_file(work *w) {
    size_t size = 0;
    mst_document *document;
    if (mst_open_file(w->path, NULL, &document, NULL) != MST_OK)
        return 0;
    mst_value root = mst_root(document);
    mst_status status = mst_write_json(&root, NULL, (mst_sink){discard, &size}, NULL);
    mst_close(document);
    return status == MST_OK ? size : 0;
}

static size_t run_glb_file(work *w) {
    size_t size = 0;
    mst_document *document;
    mst_scene *scene = NULL;
    if (mst_open_file(w->path, NULL, &document, NULL) != MST_OK)
        return 0;
    mst_status status = mst_scene_from_document(document, NULL, &scene, NULL);
    if (status == MST_OK)
        status = mst_scene_write_glb(scene, NULL, (mst_sink){discard, &size}, NULL);
    mst_scene_free(scene);
    mst_close(document);
    return status == MST_OK ? size : 0;
}

static size_t run_positions(work *w) {
    mst_value positions;
    uint64_t n = 0;
    if (mst_find(mst_root(w->document), "mesh.vertices[:].position", &positions, NULL) != MST_OK)
        return 0;
    mst_target target = {.type = MST_F32, .components = 3, .data = w->copy, .capacity = w->size / 12};
    mst_read(&positions, &target, &n, NULL);
    return (size_t)n * 12;
}

typedef struct row {
    const char *name;
    size_t (*run)(work *);
    const char *of; /* the bytes that the speed counts */
} row;

static const row rows[] = {
    {"memcpy", run_memcpy, "file"},
    {"memcpy of the files", run_memcpy_files, "files"},
    {"open (memory)", run_open, "file"},
    {"open (file)", run_open_file, "file"},
    {"ledger, opened before", run_account, "file"},
    {"check, opened before", run_check, "file"},
    {"fwrite to a temporary file", run_fwrite, "files"},
    {"save untouched, opened before", run_save, "files"},
    {"encode again, opened before", run_encode, "file"},
    {"open, rename an entity", run_set, "file"},
    {"open (file), change an object", run_set_folded, "file"},
    {"all vertex positions", run_positions, "positions"},
    {"JSON out, opened before", run_json_out, "text"},
    {"JSON in", run_json_in, "text"},
    {"scene, opened before", run_scene, "file"},
    {"GLB out, scene made before", run_glb, "GLB"},
    {"**total: open (file), check**", run_check_file, "file"},
    {"**total: open (file), JSON out**", run_json_file, "text"},
    {"**total: open (file), scene, GLB out**", run_glb_file, "GLB"},
};

/* The peak memory of a separate process that opens and checks (PATH "-": does nothing), KiB. */
static long peak(const char *self, const char *path) {
    int ends[2];
    fflush(NULL);
    if (pipe(ends))
        return 0;
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execl(self, self, "--peak", path, (char *)NULL);
        _exit(1);
    }
    close(ends[1]);
    char text[32] = "";
    ssize_t n = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    int status;
    if (child < 0 || waitpid(child, &status, 0) < 0 || n <= 0)
        return 0;
    return strtol(text, NULL, 10);
}

static int show_peak(const char *path) {
    mst_document *document;
    if (strcmp(path, "-") != 0) {
        if (mst_open_file(path, NULL, &document, NULL) != MST_OK)
            return 1;
        mst_check(document, NULL, NULL, NULL, NULL, NULL);
        mst_close(document);
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%ld\n", usage.ru_maxrss);
    return 0;
}

static double start_up(const char *command) {
    double shortest = 1e9;
    for (int i = 0; i < 20; i++) {
        double start = now();
        pid_t child = fork();
        if (child == 0) {
            if (!freopen("/dev/null", "w", stdout))
                _exit(1);
            execl(command, command, "--version", (char *)NULL);
            _exit(1);
        }
        int status;
        if (child < 0 || waitpid(child, &status, 0) < 0 || status)
            return 0;
        double time = now() - start;
        if (time < shortest)
            shortest = time;
    }
    return shortest;
}

/* Opens the file and sets `w->bytes`: the parsed bytes, or a copy of the file, which `file` then owns. */
static bool prepare(work *w, void **file) {
    mst_diagnostic why;
    *file = NULL;
    if (mst_open_file(w->path, NULL, &w->document, &why) != MST_OK) {
        fprintf(stderr, "%s: %s\n", w->path, why.message);
        return false;
    }
    w->bytes = mst_document_bytes(w->document, &w->size);
    for (size_t i = 0, size; i < mst_document_file_count(w->document); i++, w->files_size += size)
        w->parsed |= mst_document_file(w->document, i, NULL, &size) != w->bytes;
    w->copy = malloc((w->size > w->files_size ? w->size : w->files_size) + 1);
    if (!w->copy)
        return false;
    memset(w->copy, 1, w->size);
    if (w->parsed)
        return true;
    *file = malloc(w->size + 1); /* instead of mapped pages */
    if (!*file)
        return false;
    memcpy(*file, w->bytes, w->size);
    w->bytes = *file;
    mst_close(w->document);
    return mst_open_memory(w->bytes, w->size, NULL, &w->document, &why) == MST_OK;
}

static const char *name_of(const char *path) {
    return strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
}

/* One line of a table of times per byte by size. */
static int measure_brief(const char *path, long taken) {
    static size_t (*const runs[])(work *) = {run_memcpy, run_open_file, run_account,
                                             run_check,  run_fwrite,    run_save};
    work w = {.path = path};
    void *file;
    if (!prepare(&w, &file))
        return 1;
    double times[6] = {0};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        size_t produced;
        times[i] = best(runs[i], &w, &produced);
    }
    printf("| %s | %.1f", name_of(path), (double)w.size / 1e6);
    for (size_t i = 0; i < 4; i++)
        printf(" | %.3f", times[i] * 1e9 / (double)w.size);
    printf(" | %.0f %% | %.0f %% |\n", 100 * times[4] / times[5],
           100.0 * (double)taken * 1024 / (double)w.files_size);
    fflush(stdout);
    mst_close(w.document);
    free(file);
    free(w.copy);
    return 0;
}

static int measure(const char *path, long taken) {
    work w = {.path = path};
    void *file;
    if (!prepare(&w, &file))
        return 1;
    mst_value root = mst_root(w.document);
    mst_write_json(&root, NULL, mst_buffer_sink(&w.json), NULL);
    mst_scene_from_document(w.document, NULL, &w.scene, NULL);
    printf("\n### %s (%.2f MB", name_of(path), (double)w.files_size / 1e6);
    if (w.parsed)
        printf(", parsed %.2f MB", (double)w.size / 1e6);
    printf(")\n\n| what | time | speed | relative to memcpy |\n|---|--:|--:|--:|\n");
    double copy_speed = 0, fwrite_time = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if ((rows[i].run == run_glb && !w.scene) || (rows[i].run == run_json_in && !w.json.size))
            continue;
        size_t produced;
        double time = best(rows[i].run, &w, &produced); /* a failed stage produces nothing */
        if (!produced)
            continue;
        double speed = (double)produced / time;
        if (i == 0)
            copy_speed = speed;
        if (rows[i].run == run_fwrite)
            fwrite_time = time;
        printf("| %s | %.3f ms | %.0f MB/s of %s | %.3f", rows[i].name, time * 1e3, speed / 1e6, rows[i].of,
               speed / copy_speed);
        if (rows[i].run == run_save && fwrite_time > 0)
            printf(" (%.0f %% of fwrite)", 100 * fwrite_time / time);
        puts(" |");
    }
    printf("\nPeak memory of open + check beyond that of an idle process: %ld KiB, the file being %zu KiB "
           "(%.0f %%).\n",
           taken, w.files_size / 1024, 100.0 * (double)taken * 1024 / (double)w.files_size);
    mst_scene_free(w.scene);
    mst_buffer_free(&w.json);
    mst_close(w.document);
    free(file);
    free(w.copy);
    return 0;
}

int main(int count, char **arguments) {
    int failed = 0;
    bool brief = false;
    if (count == 3 && strcmp(arguments[1], "--peak") == 0)
        return show_peak(arguments[2]);
    /* first: a child's peak includes its parent's memory at the fork */
    long *peaks = calloc((size_t)count, sizeof *peaks), alone = peak(arguments[0], "-");
    if (!peaks)
        return 1;
    for (int i = 1; i < count; i++)
        if (arguments[i][0] != '-' && strcmp(arguments[i - 1], "--command") != 0)
            peaks[i] = peak(arguments[0], arguments[i]) - alone;
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--command") == 0 && i + 1 < count) {
            printf("\nStart-up of the command (`--version`): %.2f ms\n", start_up(arguments[++i]) * 1e3);
            continue;
        }
        if (strcmp(arguments[i], "--brief") == 0) {
            brief = true;
            puts("\n| file | MB | memcpy, ns per byte | open (file) | ledger | check | save relative to "
                 "fwrite | "
                 "memory of open "
                 "+ check |\n|---|--:|--:|--:|--:|--:|--:|--:|");
            continue;
        }
        failed |= (brief ? measure_brief : measure)(arguments[i], peaks[i]);
    }
    free(peaks);
    return failed;
}
