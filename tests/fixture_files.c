/* SPDX-License-Identifier: MIT */
#include "fixture_files.h"

test_file *files_add(test_files *all, const char *name, uint8_t *bytes, size_t size, bool small) {
    all->items = realloc(all->items, (all->count + 1) * sizeof *all->items);
    assert_non_null(all->items);
    test_file *made = &all->items[all->count++];
    memset(made, 0, sizeof *made);
    snprintf(made->name, sizeof made->name, "%s", name);
    made->bytes = bytes;
    made->size = size;
    made->small = small;
    return made;
}

void files_written(test_files *all, const char *name, writer *w) {
    files_add(all, name, w->data, w->size, true);
    w->data = NULL;
    writer_free(w);
}

void files_wrapped(test_files *all, writer *of, const char *name) {
    writer w = {.big = true};
    uint32_t a = 1, b = 0;
    assert_true(of->size < 65536);
    for (size_t i = 0; i < of->size; i++) {
        a = (a + of->data[i]) % 65521;
        b = (b + a) % 65521;
    }
    put_bytes_of(&w, "ZLB", 4);
    put_u32(&w, 1);
    put_u32(&w, (uint32_t)of->size);
    put_u32(&w, (uint32_t)of->size + 11);
    put_bytes_of(&w, "\x78\x01\x01", 3);
    w.big = false;
    put_u16(&w, (uint16_t)of->size);
    put_u16(&w, (uint16_t)~of->size);
    put_bytes_of(&w, of->data, of->size);
    w.big = true;
    put_u32(&w, b << 16 | a);
    files_written(all, name, &w);
    writer_free(of);
}

void files_of_fixture(test_files *all, const fixture_source *source, bool small) {
    fixture made;
    if (source->other || !fixture_make(source, &made))
        return;
    files_written(all, source->file, &made.files[0]);
    all->items[all->count - 1].small = small;
    fixture_free(&made);
}

test_files files_small(void) {
    test_files all = {NULL, 0};
    writer w = {0};
    const level_plan newest = {.version = 10, .everything = true};
    write_level(&w, &newest);
    files_written(&all, "new.level", &w);
    for (size_t i = 0; i < FIXTURES; i++)
        if (fixtures[i].small)
            files_of_fixture(&all, &fixtures[i], true);
    if (MST_WITH_ZLIB) {
        fixture_romlist(&w);
        files_wrapped(&all, &w, "x.romlist.zlb");
    }
    return all;
}

void files_of_samples(test_files *all) {
    for (size_t i = 0; i < FIXTURES; i++)
        if (fixtures[i].json && strncmp(fixtures[i].json, "samples/", 8) == 0)
            files_of_fixture(all, &fixtures[i], false);
}

void files_of_corpus(test_files *all, size_t max) {
    static const char *const folders[] = {"ns2",
                                          "alien",
                                          "turok",
                                          "revenant/v0",
                                          "revenant/v1",
                                          "revenant/v2",
                                          "revenant/v3",
                                          "revenant/v4",
                                          "revenant/v5",
                                          "revenant/v6",
                                          "revenant/v7",
                                          "revenant/v8",
                                          "revenant/v15",
                                          "sfa/mini",
                                          "sfa/samples",
                                          "sfa/mini/animtest",
                                          "sfa/mini/shipbattle",
                                          "sfa/samples/romlists",
                                          "sfa/samples/textures"};
    for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
        corpus_list list;
        if (!corpus_files(folders[f], "", NULL, &list))
            continue;
        for (size_t i = 0; i < list.count; i++) {
            char name[256], path[512];
            snprintf(name, sizeof name, "%s/%s", folders[f], list.names[i]);
            struct stat about;
            if (!corpus_path(name, path, sizeof path) || stat(path, &about) != 0 || !S_ISREG(about.st_mode) ||
                (uint64_t)about.st_size > max)
                continue;
            size_t size;
            uint8_t *bytes = read_whole(path, &size);
            assert_non_null(bytes);
            test_file *made = files_add(all, list.names[i], bytes, size, false);
            path[strlen(path) - strlen(list.names[i]) - 1] = 0;
            snprintf(made->directory, sizeof made->directory, "%s", path);
        }
    }
}

void files_free(test_files *all) {
    for (size_t i = 0; i < all->count; i++)
        free(all->items[i].bytes);
    free(all->items);
    memset(all, 0, sizeof *all);
}
