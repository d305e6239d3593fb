/* SPDX-License-Identifier: MIT */
/*
 * Measures how many small files the command processes per second, with cat of the same files for comparison:
 * 2,000 generated sectors of Revenant, as small as many real ones. Prints a table in Markdown:
 * bench_sectors COMMAND DIRECTORY
 */
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <mapstone/mapstone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FILES   2000
#define OBJECTS 40
#define SIDE    32 /* sectors of a level, along x and y */
#define RUNS    7

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void name_of(char *path, size_t capacity, const char *directory, int i) {
    snprintf(path, capacity, "%s/%d_%d_%d.DAT", directory, i / (SIDE * SIDE), i / SIDE % SIDE, i % SIDE);
}

/* Writes a sector of tiles. Returns its size, 0 on failure. */
static size_t make_sector(const char *path, int i) {
    mst_buffer text = {0};
    mst_sink to = mst_buffer_sink(&text);
    char piece[600];
    int length =
        snprintf(piece, sizeof piece, "{\"$format\":\"revenant-sector\",\"version\":8,\"objects\":[");
    mst_status status = to.write(to.user, piece, (size_t)length);
    for (int k = 0; k < OBJECTS && status == MST_OK; k++) {
        length = snprintf(
            piece, sizeof piece,
            "%s{\"object_version\":0,\"class\":\"tile\",\"unique_id\":%d,\"name\":\"Tile%d\",\"flags\":1,"
            "\"position\":[%d,%d,%d],\"state\":0,\"inventory_number\":-1,\"inventory_index\":-1,"
            "\"shadow\":-1,\"rotation_x\":0,\"rotation_y\":0,\"rotation_z\":%d,\"map_index\":%d,"
            "\"group\":0,\"stats\":[],\"inventory\":[]}",
            k ? "," : "", 1000 + k % 7, k % 7, i / SIDE % SIDE * 1024 + k * 25, i % SIDE * 1024 + k * 17, k,
            k * 6, i * OBJECTS + k + 1);
        status = to.write(to.user, piece, (size_t)length);
    }
    if (status == MST_OK)
        status = to.write(to.user, "]}", 2);
    mst_document *made = NULL;
    mst_diagnostic why = {0};
    size_t size = 0;
    if (status == MST_OK)
        status = mst_open_json((const char *)text.data, text.size, NULL, &made, &why);
    if (status == MST_OK)
        mst_document_bytes(made, &size);
    FILE *file = status == MST_OK ? fopen(path, "wb") : NULL;
    if (file && fwrite(mst_document_bytes(made, &size), 1, size, file) != size)
        size = 0;
    if (!file || fclose(file))
        size = 0;
    if (!size)
        fprintf(stderr, "%s: %s\n", path, why.message[0] ? why.message : "cannot be written");
    mst_close(made);
    mst_buffer_free(&text);
    return size;
}

typedef struct result {
    double seconds;
    long memory; /* KiB at most */
} result;

/* The shortest time of several runs, without output. */
static result best(char *const *arguments) {
    result shortest = {1e9, 0};
    for (int i = 0; i < RUNS; i++) {
        double start = now();
        pid_t child = fork();
        if (child == 0) {
            int null = open("/dev/null", O_WRONLY);
            dup2(null, STDOUT_FILENO);
            execvp(arguments[0], arguments);
            _exit(127);
        }
        int status = 1;
        struct rusage usage;
        if (child < 0 || wait4(child, &status, 0, &usage) < 0 || !WIFEXITED(status) ||
            WEXITSTATUS(status) > 1) {
            fprintf(stderr, "%s failed\n", arguments[0]);
            exit(1);
        }
        double seconds = now() - start;
        if (seconds < shortest.seconds)
            shortest = (result){seconds, usage.ru_maxrss};
    }
    return shortest;
}

static void show(const char *name, result one, uint64_t bytes) {
    printf("| %s | %.1f | %.0f | %.0f | %.1f |\n", name, one.seconds * 1e3, FILES / one.seconds,
           (double)bytes / one.seconds / 1e6, (double)one.memory / 1024);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s COMMAND DIRECTORY\n", argv[0]);
        return 2;
    }
    char *command = argv[1], *directory = argv[2];
    static char paths[FILES][300];
    static char *cat[FILES + 2];
    uint64_t bytes = 0;
    mkdir(directory, 0777);
    cat[0] = (char[]){"cat"};
    for (int i = 0; i < FILES; i++) {
        name_of(paths[i], sizeof paths[i], directory, i);
        size_t size = make_sector(paths[i], i);
        if (!size)
            return 1;
        bytes += size;
        cat[i + 1] = paths[i];
    }
    printf("%d sectors, %.1f KB each\n\n", FILES, (double)bytes / FILES / 1e3);
    printf("| what | ms | files/s | MB/s | MiB at most |\n|---|--:|--:|--:|--:|\n");
    show("cat", best(cat), bytes);
    static const struct {
        const char *name, *arguments[4];
    } runs[] = {{"identify", {"identify", "-j1"}},
                {"check", {"check", "-q", "-j1"}},
                {"check -j2", {"check", "-q", "-j2"}},
                {"roundtrip -j2", {"roundtrip", "-q", "-j2"}},
                {"info --summary -j2", {"info", "--summary", "-j2"}}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char words[3][16];
        char *arguments[6] = {command};
        int count = 1;
        for (int k = 0; k < 3 && runs[i].arguments[k]; k++) {
            snprintf(words[k], sizeof words[k], "%s", runs[i].arguments[k]);
            arguments[count++] = words[k];
        }
        arguments[count] = directory;
        show(runs[i].name, best(arguments), bytes);
    }
    return 0;
}
