/* SPDX-License-Identifier: MIT */
/* Limits of unpacking: bombs, budgets, truncated bytes, and insufficient memory. */
#define _XOPEN_SOURCE 700
#include "../src/formats/sfa/packing/bank.h"
#include "../src/write/rebuild.h"
#include "sfa_entries.h"
#include "sfa_parsed.h"

/* ---- bounds ------------------------------------------------------------------------------------- */

static void bombs_do_not_go_off(void **state) {
    (void)state;
    needs_packing();
    /* 1 KB that claims 4 GB */
    two t = {.bin_name = "a.romlist.zlb"};
    t.bin.big = true;
    put_bytes_of(&t.bin, "ZLB", 4);
    put_u32(&t.bin, 1);
    put_u32(&t.bin, 0xFFFFFFFF);
    put_u32(&t.bin, 1008);
    put_u16(&t.bin, 0x5885);
    put_zeros(&t.bin, 1006);
    assert_int_equal(open_bounded(&t, NULL, "SFA-ZLB"), MST_DAMAGED);
    two bank = make_bank();
    memcpy(bank.bin.data + entry_at[5] + 8, "\377\377\377\377", 4);
    assert_int_equal(open_bounded(&bank, NULL, "SFA-ZLB"), MST_OK);
    two_free(&bank);
    two_free(&t);
    /* a stream that really contains that much */
    writer zeros = {.big = true};
    put_zeros(&zeros, (size_t)24 << 20);
    t = (two){.bin_name = "a.bin"};
    t.bin = wrap(ZLB, &zeros);
    assert_true(t.bin.size < 1u << 16);
    assert_int_equal(open_bounded(&t, "sfa-packed", NULL), MST_NO_MEMORY);
    two_free(&t);
    /* one that is kept in a bank */
    t = make_bank();
    entry_at[0] = t.bin.size;
    put_entry(&t.bin, &zeros, ZLB);
    mst_store32(t.tab.data, 0x81000000 | (uint32_t)(entry_at[0] / 2), true);
    assert_int_equal(open_bounded(&t, NULL, "SFA-ZLB"), MST_OK);
    two_free(&t);
    writer_free(&zeros);
}

/* Data in JSON that is marked as kept may also be a bomb. */
static void json_is_bounded(void **state) {
    (void)state;
    needs_packing();
    writer zeros = {.big = true}, packed, text = {0};
    put_zeros(&zeros, (size_t)24 << 20);
    packed = wrap(ZLB, &zeros);
    static const char header[] = "{\"$format\":\"sfa-textures\",\"textures\":[],\"original_bin\":\"";
    put_bytes_of(&text, header, strlen(header));
    for (size_t i = 0; i < packed.size; i++) {
        char digits[3];
        snprintf(digits, sizeof digits, "%02x", packed.data[i]);
        put_bytes_of(&text, digits, 2);
    }
    static const char tail[] = "\",\"original_tab\":\"8100000000000000ffffffff\"}";
    put_bytes_of(&text, tail, strlen(tail));
    peak memory = {.max = 0};
    mst_open_options options = {.size = sizeof options, .allocator = {peak_resize, &memory}};
    mst_document *document;
    mst_open_json((const char *)text.data, text.size, &options, &document, NULL);
    assert_true(memory.max <= 64 * text.size + (1u << 20));
    mst_close(document);
    assert_int_equal(memory.all.bytes, 0);
    writer_free(&text);
    writer_free(&packed);
    writer_free(&zeros);
}

/* The caller may allow less, or more. */
static void budgets_are_heeded(void **state) {
    (void)state;
    needs_packing();
    writer zeros = {.big = true};
    put_zeros(&zeros, (size_t)4 << 20);
    writer w = wrap(ZLB, &zeros);
    mst_document *document;
    mst_diagnostic why;
    mst_open_options options = {.size = sizeof options, .format = "sfa-packed", .budget = (size_t)64 << 20};
    MUST(mst_open_memory(w.data, w.size, &options, &document, &why), &why);
    assert_writer(document, &w);
    assert_encodes(document);
    mst_close(document);
    options.budget = (size_t)1 << 20;
    assert_int_equal(mst_open_memory(w.data, w.size, &options, &document, &why), MST_NO_MEMORY);
    assert_null(document);
    writer_free(&w);
    writer_free(&zeros);
}

/* ---- forms ---------------------------------------------------------------------------------------- */

#define DOCUMENT_KINDS 6u

static void cut_forms_are_refused(void **state) {
    (void)state;
    needs_packing();
    for (unsigned i = 0; i < DOCUMENT_KINDS; i++) {
        opened o = open_kind(i);
        assert_cut_refused(o.document, sample_step());
        close_kind(&o);
    }
}

static void limits_are_held(void **state) {
    (void)state;
    needs_packing();
    for (unsigned i = 0; i < DOCUMENT_KINDS; i++) {
        opened o = open_kind(i);
        assert_limits_held(o.document, sample_step());
        close_kind(&o);
    }
}

/* Iterating over truncated parsed bytes stays within them, and finds the complete elements. */
static void cursors_stop_where_a_form_ends(void **state) {
    (void)state;
    needs_packing();
    for (unsigned i = 0; i < 2; i++) {
        opened o = open_kind(i);
        const mst_document *document = o.document;
        size_t before = 0, max = i ? 1 : 6;
        for (size_t size = 0; size <= document->size; size++) {
            uint8_t *cut = exact_copy(document->data, size);
            mst_sfa_bank_cursor cursor = mst_sfa_bank_open(cut, size, i == 0);
            size_t met = 0;
            while (mst_sfa_bank_next(&cursor)) {
                assert_true(cursor.entry < size && cursor.content + cursor.content_size <= size);
                met++;
            }
            assert_false(mst_sfa_bank_next(&cursor));
            assert_true(met >= before && met <= max);
            before = met;
            free(cut);
        }
        assert_int_equal(before, max);
        close_kind(&o);
    }
}

/* ---- without memory ----------------------------------------------------------------------------- */

static void every_allocation_may_fail(void **state) {
    (void)state;
    needs_packing();
    if (!make_folder())
        skip();
    two t = make_odd(GAP);
    shelf beside = {.count = 0};
    shelf_put(&beside, t.tab_name, t.tab.data, t.tab.size);
    mst_resolver resolver = shelf_resolver(&beside);
    counted memory = {0};
    mst_open_options options = {.size = sizeof options,
                                .name = t.bin_name,
                                .sidecars = &resolver,
                                .allocator = counted_allocator(&memory)};
    mst_buffer text = {0};
    mst_document *whole = must_open_two(&t), *document, *again;
    mst_value root = mst_root(whole);
    mst_diagnostic why;
    MUST(mst_write_json(&root, NULL, mst_buffer_sink(&text), &why), &why);
    mst_close(whole);
    for (int what = 0; what < 5; what++) {
        size_t step = sample_step(), tries = 0;
        for (size_t fail_at = 1;; fail_at += step, tries++) {
            memset(&memory, 0, sizeof memory);
            mst_buffer made = {.allocator = options.allocator};
            document = again = NULL;
            mst_status status = MST_OK;
            if (what > 1)
                MUST(mst_open_memory(t.bin.data, t.bin.size, &options, &document, &why), &why);
            size_t held = memory.bytes;
            memory.calls = 0;
            memory.fail_at = fail_at;
            memset(&why, 0, sizeof why);
            switch (what) {
            case 0: status = mst_open_memory(t.bin.data, t.bin.size, &options, &document, &why); break;
            case 1:
                status = mst_open_json((const char *)text.data, text.size, &options, &document, &why);
                break;
            case 2:
                root = mst_root(document);
                status = mst_write_json(&root, NULL, mst_buffer_sink(&made), &why);
                break;
            case 3: status = mst_rebuild(document, &again, &why); break;
            default: status = mst_save_file(document, in_folder("TEX1.tab"), &why); break;
            }
            bool failed = memory.failed;
            memory.fail_at = 0;
            if (status != MST_OK) {
                if (!failed || status != MST_NO_MEMORY)
                    print_error("%d at %zu: %s: %s\n", what, fail_at, mst_status_text(status), why.message);
                assert_true(failed);
                assert_int_equal(status, MST_NO_MEMORY);
                assert_null(what < 2 ? document : again);
                if (what > 1) {
                    assert_files(document, &t);
                    if (what != 2)
                        assert_int_equal(memory.bytes, held);
                }
                if (what != 2)
                    assert_int_equal(why.status, MST_NO_MEMORY);
            } else if (document) {
                assert_files(again ? again : document, &t);
            }
            mst_buffer_free(&made);
            mst_close(again);
            mst_close(document);
            assert_int_equal(memory.bytes, 0);
            assert_int_equal(memory.blocks, 0);
            assert_false(memory.wrong);
            if (!failed)
                break;
        }
        assert_true(tries > 0);
    }
    mst_buffer_free(&text);
    clear_folder();
    rmdir(folder);
    two_free(&t);
}

/* An edit is done completely, or not at all. */
static void edits_may_lack_memory(void **state) {
    (void)state;
    needs_packing();
    two t = make_bank();
    shelf beside = {.count = 0};
    shelf_put(&beside, t.tab_name, t.tab.data, t.tab.size);
    mst_resolver resolver = shelf_resolver(&beside);
    counted memory = {0};
    mst_open_options options = {.size = sizeof options,
                                .name = t.bin_name,
                                .sidecars = &resolver,
                                .allocator = counted_allocator(&memory)};
    size_t step = sample_step();
    for (size_t fail_at = 1;; fail_at += step) {
        mst_document *document;
        mst_diagnostic why;
        memset(&memory, 0, sizeof memory);
        MUST(mst_open_memory(t.bin.data, t.bin.size, &options, &document, &why), &why);
        size_t held = memory.bytes;
        memory.calls = 0;
        memory.fail_at = fail_at;
        mst_status status = mst_set(document, "textures[4].frames[1].usage", "9", &why);
        bool failed = memory.failed;
        memory.fail_at = 0;
        if (status == MST_OK) {
            assert_int_equal(number_of(document, "textures[4].frames[1].usage"), 9);
            assert_round_trips(document);
        } else {
            assert_true(failed);
            assert_int_equal(status, MST_NO_MEMORY);
            assert_files(document, &t);
            assert_int_equal(memory.bytes, held);
        }
        mst_close(document);
        assert_int_equal(memory.bytes, 0);
        assert_false(memory.wrong);
        if (!failed)
            break;
    }
    two_free(&t);
}

int test_sfa_bounds(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bombs_do_not_go_off),       cmocka_unit_test(json_is_bounded),
        cmocka_unit_test(budgets_are_heeded),        cmocka_unit_test(cut_forms_are_refused),
        cmocka_unit_test(limits_are_held),           cmocka_unit_test(cursors_stop_where_a_form_ends),
        cmocka_unit_test(every_allocation_may_fail), cmocka_unit_test(edits_may_lack_memory),
    };
    return cmocka_run_group_tests(tests, look, NULL);
}
