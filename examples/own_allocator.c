/* SPDX-License-Identifier: MIT */
/*
 * Checks a file with a custom allocator that counts and has a limit.  own_allocator FILE [LIMIT]
 * The limit is in bytes; a small one shows how calls fail.
 */
#include <mapstone/mapstone.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct counter {
    size_t now, max, limit;
} counter;

/* Allocates (old NULL), grows or shrinks, and frees (new_size 0). The library always knows the old size. */
static void *resize(void *user, void *old, size_t old_size, size_t new_size) {
    counter *a = user;
    if (new_size == 0) {
        free(old);
        a->now -= old_size;
        return NULL;
    }
    if (new_size > old_size && new_size - old_size > a->limit - a->now)
        return NULL;
    void *block = realloc(old, new_size);
    if (!block)
        return NULL;
    a->now = a->now - old_size + new_size;
    if (a->now > a->max)
        a->max = a->now;
    return block;
}

/* Called once for each finding; anything but MST_OK would end the check. */
static mst_status print_finding(void *user, const mst_diagnostic *finding) {
    static const char *const severities[] = {"information", "warning", "error"};
    char text[800];
    (void)user;
    mst_diagnostic_text(finding, text, sizeof text);
    printf("%s: %s\n", severities[finding->severity], text);
    return MST_OK;
}

static int complain(const mst_diagnostic *why) {
    char text[800];
    mst_diagnostic_text(why, text, sizeof text);
    fprintf(stderr, "own_allocator: %s\n", text);
    return 1;
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: own_allocator FILE [LIMIT]\n");
        return 2;
    }
    counter a = {.limit = argc > 2 ? (size_t)strtoull(argv[2], NULL, 10) : SIZE_MAX};
    /* The budget limits the document's own memory; 0 is the default. */
    mst_open_options options = {.size = sizeof options, .allocator = {resize, &a}, .budget = a.limit};
    mst_document *level;
    mst_diagnostic why;
    if (mst_open_file(argv[1], &options, &level, &why) != MST_OK)
        return complain(&why);

    mst_check_options check = {.size = sizeof check, .information = 1};
    mst_check_result result;
    mst_status status = mst_check(level, &check, print_finding, NULL, &result, &why);
    if (status == MST_OK)
        printf("%llu errors, %llu warnings; the document holds %zu bytes of memory\n",
               (unsigned long long)result.errors, (unsigned long long)result.warnings,
               mst_document_memory(level));
    mst_close(level);
    fprintf(stderr, "%zu bytes at most, %zu left after\n", a.max, a.now);
    return status == MST_OK ? 0 : complain(&why);
}
