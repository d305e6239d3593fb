/* SPDX-License-Identifier: MIT */
/* Revenant's IMAGERY.DAT: copies of the headers of imagery files. */
#include "revenant_image.h"
#include "sfa_pair.h"
#include "thorough.h"

/* Two entries: a header with a state, and one that is too short for its own size. */
static writer make(uint32_t version) {
    writer w = {0};
    char name[80] = "Dungeon\\DunWall.I2D";
    put_bytes_of(&w, "HDRS", 4);
    at(&w, "version");
    put_u32(&w, version);
    put_u32(&w, 2);
    at(&w, "entries[0].file");
    put_bytes_of(&w, name, sizeof name);
    put_u32(&w, 84);
    put_u32(&w, 0), put_u32(&w, 1);
    image_zeros(&w, 76);
    memset(name, 'x', sizeof name);
    put_bytes_of(&w, name, sizeof name);
    put_u32(&w, 9);
    put_u32(&w, 1), put_u32(&w, 1), put_u8(&w, 5);
    return w;
}

static mst_document *open_headers(const writer *w) {
    mst_document *document = open_named(w, "Imagery.dat");
    assert_string_equal(mst_document_format(document)->id, "revenant-headers");
    return document;
}

static void entries(void **state) {
    (void)state;
    writer w = make(1);
    mst_document *d = open_headers(&w);
    assert_marks(d, &w);
    assert_round_trips(d);
    assert_int_equal(count_of(d, "entries"), 2);
    assert_one(d, NULL, "REV-HEADERS-ENTRY", "entries[1].header");
    findings list = check_all(d, NULL);
    assert_stops(d, &(mst_check_options){.size = sizeof(mst_check_options), .information = 1}, &list);
    findings_free(&list);
    mst_status status = mst_set(d, "entries[1].header", "\"0000\"", NULL);
    if (status == MST_UNSUPPORTED)
        skip();
    MUST(status, NULL);
    assert_one(d, NULL, "REV-HEADERS-ENTRY", "entries[1].header"); /* not even eight bytes */
    MUST(mst_set(d, "entries[1].header", "\"0000000000000000\"", NULL), NULL);
    assert_nothing(d, NULL);
    assert_round_trips(d);
    mst_close(d);
    writer_free(&w);
}

static void damaged(void **state) {
    (void)state;
    writer w = make(2);
    mst_document *d = open_headers(&w);
    findings list = check_all(d, NULL);
    assert_int_equal(count_code(&list, "REV-HEADERS-VERSION"), 1);
    findings_free(&list);
    mst_close(d);
    mst_diagnostic why;
    for (size_t size = 0; size < w.size; size++) {
        mst_status status = mst_open_memory(w.data, size, NULL, &d, &why);
        assert_int_equal(status, size < 4 ? MST_UNKNOWN : MST_DAMAGED);
        assert_true(size < 4 || strcmp(why.code, "REV-HEADERS-OVERRUN") == 0);
    }
    put_u8(&w, 0);
    assert_int_equal(mst_open_memory(w.data, w.size, NULL, &d, &why), MST_DAMAGED);
    assert_string_equal(why.code, "REV-HEADERS-OVERRUN");
    writer_free(&w);
}

int test_revenant_headers(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(entries), cmocka_unit_test(damaged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
