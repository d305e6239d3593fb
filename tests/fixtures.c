/* SPDX-License-Identifier: MIT */
#include "fixtures.h"

void fixture_alien_big(writer *w) {
    alien_level *l = malloc(sizeof *l);
    assert_non_null(l);
    alien_small(l);
    write_alien_level(w, l, true);
    free(l);
}

void fixture_ns2(writer *w) {
    level_plan plan = {.version = 10};
    write_level(w, &plan);
}

void fixture_ns2_everything(writer *w) {
    level_plan plan = {.version = 8, .everything = true};
    write_level(w, &plan);
}

void fixture_ns2_clip(writer *w) {
    write_clip_objects(w, 0);
    write_clip_mesh(w, 1);
}

void fixture_ns2_overview(writer *w) {
    static const float numbers[] = {13.5f, 4, 5, 35, 7.5f, 35, 22};
    static const uint16_t heights[] = {65535, 0, 65533, 15291, 65534, 50242};
    put_bytes_of(w, "HMP", 3);
    put_u8(w, 1);
    put_u32(w, 3);
    put_u32(w, 2);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        put_f32(w, numbers[i]);
    for (size_t i = 0; i < sizeof heights / sizeof *heights; i++)
        put_u16(w, heights[i]);
}

void fixture_revenant(writer *w, uint32_t version) {
    sector_source *capacity = malloc(sizeof *capacity);
    assert_non_null(capacity);
    full_sector(capacity, version);
    write_sector(w, &capacity->s);
    free(capacity);
}

void fixture_revenant_0(writer *w) {
    fixture_revenant(w, 0);
}

void fixture_revenant_8(writer *w) {
    fixture_revenant(w, 8);
}

void fixture_revenant_15(writer *w) {
    fixture_revenant(w, 15);
}

void fixture_romlist(writer *w) {
    w->big = true;
    for (unsigned i = 0; i < 2; i++) {
        put_u16(w, 0x176), put_u8(w, 9), put_u8(w, 0), put_u8(w, 0x10), put_u8(w, 0), put_u16(w, 0x0322);
        put_f32(w, 1.5f), put_f32(w, -2.0f), put_f32(w, 3.25f);
        for (unsigned k = 0; k < 4; k++)
            put_u32(w, i * 4 + k + 1);
    }
}

void fixture_free(fixture *f) {
    writer_free(&f->files[0]);
    writer_free(&f->files[1]);
}

bool fixture_make(const fixture_source *source, fixture *f) {
    memset(f, 0, sizeof *f);
    f->source = source;
    f->count = source->other ? 2 : 1;
    size_t size;
    mst_diagnostic why;
    if (source->write) {
        source->write(&f->files[0]);
        return true;
    }
#if !MST_WITH_ZLIB
    if (source->zlib)
        return false;
#endif
    uint8_t *text = read_whole(source->json, &size);
    if (!text)
        print_error("cannot read %s\n", source->json);
    assert_non_null(text);
    mst_document *document;
    MUST(mst_open_json((const char *)text, size, NULL, &document, &why), &why);
    assert_int_equal(mst_document_file_count(document), f->count);
    for (size_t i = 0; i < f->count; i++) {
        const void *bytes = mst_document_file(document, i, NULL, &size);
        put_bytes_of(&f->files[i], bytes, size);
    }
    mst_close(document);
    free(text);
    return true;
}

mst_status fixture_open(const fixture_source *source, const writer files[2], mst_document **document,
                        mst_diagnostic *why) {
    shelf beside = {.count = 0};
    if (source->other)
        shelf_put(&beside, source->other, files[1].data, files[1].size);
    mst_resolver resolver = shelf_resolver(&beside);
    mst_open_options options = {
        .size = sizeof options, .name = source->file, .sidecars = source->other ? &resolver : NULL};
    memset(why, 0, sizeof *why);
    return mst_open_memory(files[0].data, files[0].size, &options, document, why);
}

size_t fixtures_each(void (*use)(const char *name, const mst_document *document)) {
    size_t done = 0;
    for (size_t i = 0; i < FIXTURES; i++) {
        fixture f;
        mst_document *document;
        mst_diagnostic why;
        if (!fixture_make(&fixtures[i], &f))
            continue;
        MUST(fixture_open(f.source, f.files, &document, &why), &why);
        use(f.source->name, document);
        mst_close(document);
        fixture_free(&f);
        done++;
    }
    return done;
}

size_t documents_of_corpus(const char *const *folders, size_t count,
                           void (*use)(const char *name, const mst_document *document)) {
    size_t done = 0;
    char path[700];
    if (!corpus_path(folders[0], path, sizeof path)) {
        print_message("# no corpus found (MAPSTONE_CORPUS)\n");
        skip();
    }
    for (size_t f = 0; f < count; f++) {
        corpus_list list;
        if (!corpus_files(folders[f], "", NULL, &list))
            continue;
        for (size_t i = 0; i < list.count; i++) {
            char name[300];
            mst_document *document;
            snprintf(name, sizeof name, "%s/%s", folders[f], list.names[i]);
            if (!corpus_path(name, path, sizeof path) || mst_open_file(path, NULL, &document, NULL) != MST_OK)
                continue;
            use(name, document);
            mst_close(document);
            done++;
        }
    }
    return done;
}
