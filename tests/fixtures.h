/* SPDX-License-Identifier: MIT */
/* One document of each format and variant, for tests of common properties: hand-written, made from the JSON
 * of the fuzzer's seeds and of the samples, and the small files of the corpus. */
#ifndef MST_TESTS_FIXTURES_H
#define MST_TESTS_FIXTURES_H

#include "alien_level.h"
#include "ns2_level.h"
#include "revenant_sector.h"
#include "support.h"
#include <mapstone/mapstone.h>
#include <sys/stat.h>

typedef struct fixture {
    char name[160];      /* that it is opened with, without directories; identifies formats without a magic */
    char directory[512]; /* where its sidecars are; "" none */
    uint8_t *bytes;
    size_t size;
    bool small; /* every request for memory is refused once */
} fixture;

typedef struct fixtures {
    fixture *items;
    size_t count;
} fixtures;

/* Takes ownership of `bytes`. */
static inline fixture *fixture_add(fixtures *all, const char *name, uint8_t *bytes, size_t size, bool small) {
    all->items = realloc(all->items, (all->count + 1) * sizeof *all->items);
    assert_non_null(all->items);
    fixture *made = &all->items[all->count++];
    memset(made, 0, sizeof *made);
    snprintf(made->name, sizeof made->name, "%s", name);
    made->bytes = bytes;
    made->size = size;
    made->small = small;
    return made;
}

static inline void fixture_written(fixtures *all, const char *name, writer *w) {
    fixture_add(all, name, w->data, w->size, true);
    w->data = NULL;
    writer_free(w);
}

/* Wraps the fixture in an uncompressed zlib stream, which no packer reproduces: it survives only because the
 * original bytes are kept. */
static inline void fixture_wrapped(fixtures *all, const fixture *of, const char *name) {
    writer w = {.big = true};
    uint32_t a = 1, b = 0;
    assert_true(of->size < 65536);
    for (size_t i = 0; i < of->size; i++) {
        a = (a + of->bytes[i]) % 65521;
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
    put_bytes_of(&w, of->bytes, of->size);
    w.big = true;
    put_u32(&w, b << 16 | a);
    fixture_written(all, name, &w);
}

/* The first file of the document in the JSON. */
static inline void fixture_json(fixtures *all, const char *path, const char *name, bool small) {
    size_t size, made;
    char *text = (char *)read_whole(path, &size);
    mst_document *document;
    mst_open_options options = {.name = name};
    assert_non_null(text);
    mst_diagnostic why;
    mst_status status = mst_open_json(text, size, &options, &document, &why);
    free(text);
    if (status == MST_UNSUPPORTED)
        return;
    MUST(status, &why);
    const void *bytes = mst_document_file(document, 0, NULL, &made);
    uint8_t *copy = malloc(made + 1);
    assert_non_null(copy);
    memcpy(copy, bytes, made);
    fixture_add(all, name, copy, made, small);
    mst_close(document);
}

static inline fixtures fixtures_small(void) {
    fixtures all = {NULL, 0};
    writer w = {0};
    static const level_plan plans[] = {{.version = 10, .everything = true}, {.version = 4}};
    for (size_t i = 0; i < 2; i++) {
        write_level(&w, &plans[i]);
        fixture_written(&all, i ? "old.level" : "new.level", &w);
    }
    alien_level *l = malloc(sizeof *l);
    assert_non_null(l);
    for (int big = 0; big < 2; big++) {
        memset(l, 0, sizeof *l);
        alien_small(l);
        write_alien_level(&w, l, big);
        fixture_written(&all, "L111LEV.MAP", &w);
    }
    free(l);
    alien_textures t;
    memset(&t, 0, sizeof t);
    alien_small_textures(&t);
    write_alien_textures(&w, &t, false);
    fixture_written(&all, "111GFX.BIN", &w);
    alien_textures_free(&t);
    static const uint32_t versions[] = {0, 4, 15};
    for (size_t i = 0; i < 3; i++) {
        sector_source full;
        full_sector(&full, versions[i]);
        write_sector(&w, &full.s);
        fixture_written(&all, "7_3_5.DAT", &w);
    }
    static const struct {
        const char *path, *name;
    } seeds[] = {
        {"iguana", "cart.dat"},           {"ns2_clip", "ns2.clip"},      {"ns2_odd", "odd.level"},
        {"revenant_class", "class.def"},  {"revenant_exit", "exit.def"}, {"revenant_save", "game.sav"},
        {"sfa_globalma", "globalma.bin"}, {"turok_map", "turok.map"},    {"dds", "a.dds"},
        {"spark_material", "a.material"}, {"sfa_romlist", "x.romlist"},
    };
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        char path[80];
        snprintf(path, sizeof path, "tests/fuzz/seeds/%s.json", seeds[i].path);
        fixture_json(&all, path, seeds[i].name, true);
    }
    if (MST_WITH_ZLIB && strcmp(all.items[all.count - 1].name, "x.romlist") == 0) {
        const fixture last = all.items[all.count - 1];
        fixture_wrapped(&all, &last, "x.romlist.zlb");
    }
    return all;
}

static inline void fixtures_samples(fixtures *all) {
    fixture_json(all, "samples/outpost.json", "outpost.level", false);
    fixture_json(all, "samples/bunker.json", "L101LEV.MAP", false);
    fixture_json(all, "samples/bunker-textures.json", "101GFX.BIN", false);
    fixture_json(all, "samples/keep/7_10_10.json", "7_10_10.DAT", false);
    fixture_json(all, "samples/valley.json", "valley.map", false);
}

/* Files of the corpus of at most `max` bytes. */
static inline void fixtures_corpus(fixtures *all, size_t max) {
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
            fixture *made = fixture_add(all, list.names[i], bytes, size, false);
            path[strlen(path) - strlen(list.names[i]) - 1] = 0;
            snprintf(made->directory, sizeof made->directory, "%s", path);
        }
    }
}

static inline void fixtures_free(fixtures *all) {
    for (size_t i = 0; i < all->count; i++)
        free(all->items[i].bytes);
    free(all->items);
    memset(all, 0, sizeof *all);
}

#endif
