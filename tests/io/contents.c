/* SPDX-License-Identifier: MIT */
#include "contents.h"
#include <unistd.h>

void contents_free(contents *all) {
    for (size_t i = 0; i < all->count; i++)
        free(all->files[i].bytes);
    memset(all, 0, sizeof *all);
}

contents look_at(const char *directory) {
    contents all;
    memset(&all, 0, sizeof all);
    DIR *folder = opendir(directory);
    assert_non_null(folder);
    for (struct dirent *found; (found = readdir(folder)) != NULL;) {
        char path[1024];
        if (strcmp(found->d_name, ".") == 0 || strcmp(found->d_name, "..") == 0)
            continue;
        if (found->d_name[0] == '.') {
            all.temporaries++;
            continue;
        }
        assert_true(all.count < FILES);
        entry *e = &all.files[all.count++];
        snprintf(e->name, sizeof e->name, "%.63s", found->d_name);
        snprintf(path, sizeof path, "%s/%s", directory, found->d_name);
        e->bytes = read_whole(path, &e->size);
        assert_non_null(e->bytes);
    }
    closedir(folder);
    return all;
}

const entry *entry_of(const contents *all, const char *name) {
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->files[i].name, name) == 0)
            return &all->files[i];
    return NULL;
}
bool same_entry(const entry *a, const entry *b) {
    return a && b && a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

bool same_contents(const contents *a, const contents *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; i < a->count && same; i++)
        same = same_entry(&a->files[i], entry_of(b, a->files[i].name));
    return same;
}

void put_back(const char *directory, const contents *was) {
    char path[1024];
    DIR *folder = opendir(directory);
    assert_non_null(folder);
    for (struct dirent *found; (found = readdir(folder)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", directory, found->d_name);
        if (strcmp(found->d_name, ".") != 0 && strcmp(found->d_name, "..") != 0)
            unlink(path);
    }
    closedir(folder);
    for (size_t i = 0; i < was->count; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, was->files[i].name);
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(was->files[i].bytes, 1, was->files[i].size, file), was->files[i].size);
        fclose(file);
    }
}
