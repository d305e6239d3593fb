/* SPDX-License-Identifier: MIT */
#include "sfa_pair.h"
#include "../src/write/rebuild.h"

void shelf_put(shelf *s, const char *name, const uint8_t *data, size_t size) {
    assert_true(s->count < sizeof s->files / sizeof *s->files);
    s->files[s->count++] = (shelf_file){name, data, size};
}

mst_status shelf_find(void *user, const char *name, const void **bytes, size_t *size) {
    const shelf *s = user;
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->files[i].name, name) == 0) {
            *bytes = s->files[i].data;
            *size = s->files[i].size;
            return MST_OK;
        }
    return MST_NO_PATH;
}

mst_resolver shelf_resolver(shelf *s) {
    return (mst_resolver){.find = shelf_find, .user = s};
}

void two_free(two *t) {
    writer_free(&t->bin);
    writer_free(&t->tab);
}

mst_status open_two(const two *t, bool by_table, mst_document **document, mst_diagnostic *why) {
    shelf beside = {.count = 0};
    shelf_put(&beside, t->bin_name, t->bin.data, t->bin.size);
    shelf_put(&beside, t->tab_name, t->tab.data, t->tab.size);
    mst_resolver resolver = shelf_resolver(&beside);
    mst_open_options options = {
        .size = sizeof options, .name = by_table ? t->tab_name : t->bin_name, .sidecars = &resolver};
    const writer *w = by_table ? &t->tab : &t->bin;
    return mst_open_memory(w->data, w->size, &options, document, why);
}

mst_document *must_open_two(const two *t) {
    mst_document *document = NULL;
    mst_diagnostic why;
    MUST(open_two(t, false, &document, &why), &why);
    return document;
}

void assert_file(const mst_document *document, size_t index, const writer *wanted) {
    size_t size;
    const char *name;
    const void *bytes = mst_document_file(document, index, &name, &size);
    assert_int_equal(size, wanted->size);
    if (size)
        assert_memory_equal(bytes, wanted->data, size);
}

void assert_files(const mst_document *document, const two *t) {
    assert_int_equal(mst_document_file_count(document), 2);
    assert_file(document, 0, &t->bin);
    assert_file(document, 1, &t->tab);
}

void assert_files_by_json(const mst_document *document, const two *t) {
    mst_buffer text = {0};
    mst_diagnostic why;
    mst_value root = mst_root(document);
    MUST(mst_write_json(&root, NULL, mst_buffer_sink(&text), &why), &why);
    mst_document *again;
    mst_status status = mst_open_json((const char *)text.data, text.size, NULL, &again, &why);
    if (status != MST_UNSUPPORTED) {
        MUST(status, &why);
        assert_files(again, t);
        mst_close(again);
    }
    mst_buffer_free(&text);
}

void assert_two(const two *t, const char *format) {
    for (int by_table = 0; by_table < 2; by_table++) {
        mst_document *document;
        mst_diagnostic why;
        MUST(open_two(t, by_table, &document, &why), &why);
        assert_string_equal(mst_document_format(document)->id, format);
        assert_files(document, t);
        assert_files_by_json(document, t);
        assert_json(document, 0);
        assert_json(document, 1);
        assert_ledger(document);
        assert_checks(document);
        mst_buffer made = {0};
        MUST(mst_encode(document, mst_buffer_sink(&made), &why), &why);
        assert_int_equal(made.size, t->bin.size); /* the first of the two */
        if (made.size)
            assert_memory_equal(made.data, t->bin.data, made.size);
        mst_buffer_free(&made);
        mst_close(document);
    }
}

two two_of(const mst_document *document, const two *names) {
    two made = {.bin_name = names->bin_name, .tab_name = names->tab_name};
    for (size_t i = 0; i < 2; i++) {
        size_t size;
        const void *bytes = mst_document_file(document, i, NULL, &size);
        put_bytes_of(i ? &made.tab : &made.bin, bytes, size);
    }
    return made;
}

two two_copy(const two *t) {
    two made = {.bin_name = t->bin_name, .tab_name = t->tab_name};
    put_bytes_of(&made.bin, t->bin.data, t->bin.size);
    put_bytes_of(&made.tab, t->tab.data, t->tab.size);
    return made;
}

two corpus_two(const char *folder, const char *bin_name, const char *tab_name) {
    two t = {.bin_name = bin_name, .tab_name = tab_name};
    for (int i = 0; i < 2; i++) {
        char path[256];
        size_t size;
        snprintf(path, sizeof path, "%s/%s", folder, i ? tab_name : bin_name);
        uint8_t *bytes = corpus_read(path, &size);
        put_bytes_of(i ? &t.tab : &t.bin, bytes, size);
        free(bytes);
    }
    return t;
}

findings check_all(const mst_document *document, const mst_resolver *sidecars) {
    findings list = {0};
    mst_check_result result;
    mst_diagnostic why;
    mst_check_options options = {.size = sizeof options, .information = 1, .sidecars = sidecars};
    MUST(mst_check(document, &options, collect, &list, &result, &why), &why);
    return list;
}

void assert_one(const mst_document *document, const mst_resolver *sidecars, const char *code,
                const char *path) {
    findings list = check_all(document, sidecars);
    if (list.count != 1)
        print_findings(&list);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].code, code);
    assert_string_equal(list.items[0].path, path);
    findings_free(&list);
}

void assert_nothing(const mst_document *document, const mst_resolver *sidecars) {
    findings list = check_all(document, sidecars);
    print_findings(&list);
    assert_int_equal(list.count, 0);
    findings_free(&list);
}

int64_t number_of(const mst_document *document, const char *path) {
    mst_value value;
    mst_diagnostic why;
    int64_t number = 0;
    mst_status status = mst_find(mst_root(document), path, &value, &why);
    if (status != MST_OK)
        print_error("path %s\n", path);
    MUST(status, &why);
    MUST(mst_get_integer(&value, &number), NULL);
    return number;
}

uint64_t count_of(const mst_document *document, const char *path) {
    mst_value value;
    mst_diagnostic why;
    MUST(mst_find(mst_root(document), path, &value, &why), &why);
    return mst_count(&value);
}

void assert_pair_survives(const two *t, random_state *random, unsigned flips) {
    size_t step = sample_step();
    for (int which = 0; which < 2; which++) {
        const writer *whole = which ? &t->tab : &t->bin;
        size_t stride = whole->size > 512 ? whole->size / 256 : 1;
        for (size_t size = 0; size < whole->size; size += step * stride) {
            two cut = two_copy(t);
            writer *w = which ? &cut.tab : &cut.bin;
            w->size = size;
            mst_document *document;
            if (open_two(&cut, false, &document, NULL) == MST_OK) {
                if (mst_document_file_count(document) == 2)
                    assert_files(document, &cut);
                assert_checks(document);
                mst_close(document);
            }
            two_free(&cut);
        }
    }
    for (unsigned i = 0; i < flips; i += (unsigned)step) {
        two flipped = two_copy(t);
        for (unsigned k = 0; k <= random_below(random, 3); k++) {
            writer *w = random_below(random, 2) ? &flipped.tab : &flipped.bin;
            w->data[random_below(random, (uint32_t)w->size)] ^= (uint8_t)(1u << random_below(random, 8));
        }
        mst_document *document;
        if (open_two(&flipped, i & 1, &document, NULL) == MST_OK) {
            assert_files(document, &flipped);
            assert_files_by_json(document, &flipped);
            assert_ledger(document);
            assert_checks(document);
            mst_close(document);
        }
        two_free(&flipped);
    }
}

void assert_no_memory(const two *t) {
    for (size_t fail_at = 1;; fail_at++) {
        counted c = {.fail_at = fail_at};
        shelf beside = {.count = 0};
        shelf_put(&beside, t->tab_name, t->tab.data, t->tab.size);
        mst_resolver resolver = shelf_resolver(&beside);
        mst_open_options options = {.size = sizeof options,
                                    .name = t->bin_name,
                                    .sidecars = &resolver,
                                    .allocator = counted_allocator(&c)};
        mst_document *document;
        mst_diagnostic why;
        mst_status status = mst_open_memory(t->bin.data, t->bin.size, &options, &document, &why);
        if (status == MST_OK) {
            assert_files(document, t);
            mst_close(document);
        } else {
            assert_int_equal(status, MST_NO_MEMORY);
        }
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
        if (!c.failed)
            break;
    }
    /* writing fails with MST_NO_MEMORY, or gives the same files */
    counted c = {0};
    shelf beside = {.count = 0};
    shelf_put(&beside, t->tab_name, t->tab.data, t->tab.size);
    mst_resolver resolver = shelf_resolver(&beside);
    mst_open_options options = {.size = sizeof options,
                                .name = t->bin_name,
                                .sidecars = &resolver,
                                .allocator = counted_allocator(&c)};
    mst_document *document, *made;
    mst_diagnostic why;
    MUST(mst_open_memory(t->bin.data, t->bin.size, &options, &document, &why), &why);
    for (size_t n = 1;; n++) {
        size_t blocks = c.blocks;
        c.fail_at = c.calls + n;
        c.failed = false;
        mst_status status = mst_rebuild(document, &made, &why);
        c.fail_at = 0;
        if (status == MST_OK)
            assert_files(made, t);
        else
            assert_int_equal(status, MST_NO_MEMORY);
        mst_close(made);
        assert_int_equal(c.blocks, blocks);
        if (!c.failed)
            break;
    }
    mst_close(document);
    assert_int_equal(c.blocks, 0);
    assert_false(c.wrong);
}

void assert_alone(const two *t) {
    for (int i = 0; i < 2; i++) {
        const writer *w = i ? &t->tab : &t->bin;
        mst_open_options options = {.size = sizeof options, .name = i ? t->tab_name : t->bin_name};
        mst_document *document;
        mst_diagnostic why;
        MUST(mst_open_memory(w->data, w->size, &options, &document, &why), &why);
        assert_string_equal(mst_document_format(document)->id, i ? "sfa-table" : "sfa-kept");
        assert_same_bytes(document, w->data, w->size);
        assert_one(document, NULL, "SFA-ALONE", "");
        mst_close(document);
    }
}
