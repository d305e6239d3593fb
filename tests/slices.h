/* SPDX-License-Identifier: MIT */
/* Archives and disc images as files of a program that are read in slices, for tests that do the same with
 * them in memory. */
#ifndef MST_TESTS_SLICES_H
#define MST_TESTS_SLICES_H

#include "support.h"
#include <mapstone/container.h>
#include <sys/stat.h>

/* Whether archives are opened as files of a program that are read in slices; the most bytes at once, and the
 * total. */
static bool by_slices;
static size_t most_at_once, read_in_total;
static const char *sliced_path;

static const char *name_of_sliced(void *user, size_t index, uint64_t *size) {
    struct stat status;
    (void)user, (void)index;
    *size = stat(sliced_path, &status) == 0 ? (uint64_t)status.st_size : 0;
    return sliced_path;
}

static mst_status read_slice(void *user, size_t index, uint64_t offset, void *to, size_t count) {
    (void)user;
    assert_int_equal(index, 0);
    FILE *file = fopen(sliced_path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, (long)offset, SEEK_SET), 0);
    assert_int_equal(fread(to, 1, count, file), count); /* within the file */
    fclose(file);
    most_at_once = count > most_at_once ? count : most_at_once;
    read_in_total += count;
    return MST_OK;
}

static inline mst_status open_either(const char *path, const mst_container_options *options,
                                     mst_container **container, mst_diagnostic *why) {
    struct stat status;
    const mst_container_files files = {sizeof files, 1, name_of_sliced, read_slice, NULL};
    if (!by_slices || stat(path, &status) != 0)
        return mst_container_open(path, options, container, why);
    sliced_path = path;
    return mst_container_open_slices(&files, 0, options, container, why);
}

#endif
