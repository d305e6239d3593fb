/* SPDX-License-Identifier: MIT */
/*
 * How fast levels are opened, checked, saved and converted, beside memcpy and fwrite of the same bytes in the
 * same run. Prints a table in Markdown: bench_levels FILE.. [--command PATH]
 */
#include <mapstone/mapstone.h>
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
    void *bytes;
    size_t size;
    void *copy;
    mst_document *document;
    mst_scene *scene;
    mst_memory json;
} work;

/* The best of as many runs as fit into a while: what the machine can do, not what else it was doing. */
static double best(size_t (*run)(work *), work *w, size_t *produced) {
    double shortest = 1e9, begun = now();
    for (int i = 0; i < 5 || (now() - begun < 0.5 && i < 1000); i++) {
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

static size_t run_open(work *w) {
    mst_document *document;
    if (mst_open_memory(w->bytes, w->size, NULL, &document, NULL) != MST_OK)
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
    mst_check(w->document, NULL, NULL, NULL, NULL, NULL);
    return w->size;
}

static size_t run_account(work *w) {
    mst_ledger ledger;
    mst_account(w->document, &ledger, NULL);
    return w->size;
}

static mst_status to_file(void *user, const void *data, size_t size) {
    return fwrite(data, 1, size, user) == size ? MST_OK : MST_IO;
}

static size_t run_fwrite(work *w) {
    FILE *file = tmpfile();
    if (!file)
        return 0;
    size_t written = fwrite(w->bytes, 1, w->size, file);
    fclose(file);
    return written;
}

static size_t run_save(work *w) {
    FILE *file = tmpfile();
    if (!file)
        return 0;
    mst_save(w->document, (mst_sink){to_file, file}, NULL);
    fclose(file);
    return w->size;
}

static size_t run_encode(work *w) {
    size_t size = 0;
    mst_encode(w->document, (mst_sink){discard, &size}, NULL);
    return size;
}

static size_t run_json_out(work *w) {
    size_t size = 0;
    mst_value root = mst_root(w->document);
    mst_write_json(&root, NULL, (mst_sink){discard, &size}, NULL);
    return size;
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
    if (mst_open_memory(w->bytes, w->size, NULL, &document, NULL) != MST_OK)
        return 0;
    mst_set(document, "objects[0].class_name", "renamed_entity", NULL);
    mst_close(document);
    return w->size;
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
    mst_scene_write_glb(w->scene, NULL, (mst_sink){discard, &size}, NULL);
    return size;
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
    const char *of; /* what the speed counts */
} row;

static const row rows[] = {
    {"memcpy", run_memcpy, "file"},
    {"open (memory)", run_open, "file"},
    {"open (file)", run_open_file, "file"},
    {"ledger", run_account, "file"},
    {"check", run_check, "file"},
    {"fwrite to a temporary file", run_fwrite, "file"},
    {"save untouched, the same way", run_save, "file"},
    {"encode anew", run_encode, "file"},
    {"open, rename an entity", run_set, "file"},
    {"all vertex positions", run_positions, "positions"},
    {"JSON out", run_json_out, "text"},
    {"JSON in", run_json_in, "text"},
    {"scene", run_scene, "file"},
    {"GLB out, scene made", run_glb, "GLB"},
};

/* The most memory that a process of its own takes for opening and checking (PATH "-": for nothing), KiB. */
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

static int measure(const char *self, const char *path) {
    long alone = peak(self, "-"), with = peak(self, path);
    work w;
    memset(&w, 0, sizeof w);
    w.path = path;
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) {
        perror(path);
        return 1;
    }
    w.size = (size_t)ftell(file);
    rewind(file);
    w.bytes = malloc(w.size + 1);
    w.copy = malloc(w.size + 1);
    if (!w.bytes || !w.copy || fread(w.bytes, 1, w.size, file) != w.size) {
        perror(path);
        return 1;
    }
    fclose(file);
    mst_diagnostic why;
    if (mst_open_memory(w.bytes, w.size, NULL, &w.document, &why) != MST_OK) {
        fprintf(stderr, "%s: %s\n", path, why.message);
        return 1;
    }
    mst_value root = mst_root(w.document);
    mst_write_json(&root, NULL, mst_memory_sink(&w.json), NULL);
    mst_scene_from_document(w.document, NULL, &w.scene, NULL);
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    printf("\n### %s (%.2f MB)\n\n| what | time | speed | beside memcpy |\n|---|---|---|---|\n", name,
           (double)w.size / 1e6);
    double copy_speed = 0, fwrite_time = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if ((rows[i].run == run_glb && !w.scene) || (rows[i].run == run_json_in && !w.json.size))
            continue;
        size_t produced;
        double time = best(rows[i].run, &w, &produced);
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
           with - alone, w.size / 1024, 100.0 * (double)(with - alone) * 1024 / (double)w.size);
    mst_scene_free(w.scene);
    mst_memory_free(&w.json);
    mst_close(w.document);
    free(w.bytes);
    free(w.copy);
    return 0;
}

int main(int count, char **arguments) {
    int failed = 0;
    if (count == 3 && strcmp(arguments[1], "--peak") == 0)
        return show_peak(arguments[2]);
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--command") == 0 && i + 1 < count) {
            printf("\nStart-up of the command (`--version`): %.2f ms\n", start_up(arguments[++i]) * 1e3);
            continue;
        }
        failed |= measure(arguments[0], arguments[i]);
    }
    return failed;
}
