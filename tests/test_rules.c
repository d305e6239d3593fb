/* SPDX-License-Identifier: MIT */
/* Checks requested by the tables. */
#include "odd_formats.h"

/* ---- walks ------------------------------------------------------------------------------------- */

static mst_status tour_findings(void *user, const mst_diagnostic *finding) {
    tourist *t = user;
    (void)finding;
    size_t now = t->met++;
    return now == t->at ? t->says : now > t->at ? t->then : MST_OK;
}

/* ---- checks requested by the tables ------------------------------------------------------------ */

/* The same without a rule about numbers that are not finite. */
static const mst_format lax_format = {FORMAT(rules_record, rules_records),
                                      .check.codes = &(const mst_codes)MST_CODES(rules_codes)};

static mst_status stop_at_once(void *user, const mst_diagnostic *finding) {
    (void)finding;
    ++*(size_t *)user;
    return MST_STOPPED;
}

static void rules(void **state) {
    (void)state;
    static const char finite[] = "a finite number", inf[] = "infinity";
    static const said all[] = {
        {"flats[1].single", "T-FINITE", finite, inf},
        {"flats[1].swapped", "T-FINITE", finite, inf},
        {"flats[1].vector[1]", "T-FINITE", finite, "-infinity"},
        {"flats[1].double", "T-FINITE", finite, "NaN"},
        {"flats[1].index", "T-INDEX", "below 4, or 65535", "5"},
        {"flats[1].plain_index", "T-INDEX", "below 4", "5"},
        {"flats[3].plain_index", "T-INDEX", "below 4", "255"},
        {"flats[1].zeros[1]", "T-ZERO", "0", "1"},
        {"flats[3].zeros[1]", "T-ZERO", "0", "1"},
        {"flats[1].shade", "T-NAMED", "1..2", "9"},
        {"wide.doubles[1]", "T-FINITE", finite, "-infinity"},
        {"wide.zero", "T-ZERO", "0", "-1"},
        {"wide.shades[1]", "T-NAMED", "1..2", "0"},
        {"scattered[1].f17", "T-FINITE", finite, "NaN"},
    };
    for (int big = 0; big < 2; big++)
        for (int bad = 0; bad < 2; bad++) {
            writer w = {.big = big};
            put_rules(&w, bad);
            mst_document *d = open_own(&rules_format, &w);
            assert_survives(d);
            for (int information = 0; information < 2; information++) {
                mst_check_options options = {.size = sizeof options, .information = information};
                findings found = {0};
                mst_check_result result;
                MUST(mst_check(d, information ? &options : NULL, collect, &found, &result, NULL), NULL);
                size_t at = 0;
                for (size_t i = 0; i < MST_COUNT_OF(all); i++) {
                    bool always = strncmp(all[i].path, "flats[3]", 8) == 0;
                    if ((!bad && !always) || (!information && strcmp(all[i].code, "T-ZERO") == 0))
                        continue;
                    if (at == found.count || strcmp(found.items[at].path, all[i].path) != 0)
                        print_findings(&found);
                    assert_true(at < found.count);
                    assert_string_equal(found.items[at].path, all[i].path);
                    assert_string_equal(found.items[at].code, all[i].code);
                    assert_string_equal(found.items[at].expected, all[i].expected);
                    assert_string_equal(found.items[at].found, all[i].found);
                    mst_value v;
                    MUST(mst_find(mst_root(d), all[i].path, &v, NULL), NULL);
                    assert_int_equal(found.items[at].offset, v.offset);
                    at++;
                }
                if (at != found.count)
                    print_findings(&found);
                assert_int_equal(found.count, at);
                assert_int_equal(result.errors + result.warnings + result.information, at);
                size_t first = 0;
                if (at) {
                    assert_int_equal(mst_check(d, NULL, stop_at_once, &first, NULL, NULL), MST_STOPPED);
                    assert_int_equal(first, 1);
                }
                findings_free(&found);
            }
            mst_close(d);
            /* it is accepted */
            d = open_own(&lax_format, &w);
            findings found = {0};
            MUST(mst_check(d, NULL, collect, &found, NULL, NULL), NULL);
            assert_int_equal(count_code(&found, "T-FINITE"), 0);
            assert_true(count_code(&found, "T-INDEX") > 0);
            findings_free(&found);
            mst_close(d);
            writer_free(&w);
        }
    /* the report function may stop after any finding */
    writer w = {0};
    put_rules(&w, true);
    mst_document *d = open_own(&rules_format, &w);
    mst_check_options options = {.size = sizeof options, .information = 1};
    for (size_t n = 0;; n++) {
        tourist t = {0, n, MST_STOPPED, false, MST_OK};
        mst_check_result result;
        mst_status status = mst_check(d, &options, tour_findings, &t, &result, NULL);
        if (status == MST_OK) {
            assert_int_equal(n, MST_COUNT_OF(all));
            break;
        }
        assert_int_equal(status, MST_STOPPED);
        assert_int_equal(t.met, n + 1);
    }
    mst_close(d);
    writer_free(&w);
    /* a rule of a chunk alone, and none at all */
    static const mst_case ruled_cases[] = {
        {.id = 3, .field = {.name = "single", .kind = MST_KIND_U8, .rule = {MST_RULE_ZERO, "T-NAMED"}}}};
    static const mst_chunks ruled_chunks = {.cases = ruled_cases, .case_count = 1, .unknown = &unknown_chunk};
    static const mst_field ruled_fields[] = {
        {.name = "chunks", .kind = MST_KIND_CHUNKS, .chunks = &ruled_chunks}};
    static const mst_record ruled = {.name = "ruled", .index = I_STREAM, TABLE(ruled_fields)};
    static const mst_record *const ruled_records[] = {&ruled, &unknown_record};
    static const mst_codes all_codes = MST_CODES(rules_codes);
    static const mst_format ruled_format = {FORMAT(ruled, ruled_records), .check.codes = &all_codes};
    put_u32(&w, 3), put_u32(&w, 1), put_u8(&w, 5);
    d = open_own(&ruled_format, &w);
    findings found = {0};
    MUST(mst_check(d, NULL, collect, &found, NULL, NULL), NULL);
    assert_int_equal(found.count, 1);
    assert_string_equal(found.items[0].path, "single");
    assert_int_equal(found.items[0].offset, 8);
    findings_free(&found);
    mst_close(d);
    writer_free(&w);
    put_u8(&w, 1), put_u32(&w, 3), put_u32(&w, 1), put_u8(&w, 5);
    d = open_own(&stream_format, &w);
    MUST(mst_check(d, NULL, collect, &found, NULL, NULL), NULL);
    assert_int_equal(found.count, 0);
    mst_close(d);
    writer_free(&w);
}

/* Of each code only some findings are described; all are counted, and the check may be stopped at any. */
static void details(void **state) {
    (void)state;
    writer w = {0};
    put_rules(&w, true);
    mst_document *d = open_own(&rules_format, &w);
    findings all = {0}, some = {0};
    mst_check_result result, same;
    mst_check_options options = {.size = sizeof options, .information = 1};
    MUST(mst_check(d, &options, collect, &all, &result, NULL), NULL);
    for (options.details = 1; options.details < 4; options.details++) {
        MUST(mst_check(d, &options, collect, &some, &same, NULL), NULL);
        assert_memory_equal(&same, &result, sizeof result);
        assert_int_equal(some.count, all.count);
        for (size_t i = 0; i < all.count; i++) {
            const mst_diagnostic *one = &some.items[i], *full = &all.items[i];
            size_t before = 0;
            for (size_t k = 0; k < i; k++)
                before += strcmp(all.items[k].code, full->code) == 0;
            bool described = before < options.details;
            assert_string_equal(one->code, full->code);
            assert_int_equal(one->severity, full->severity);
            assert_string_equal(one->message, full->message);
            assert_string_equal(one->path, described ? full->path : "");
            assert_string_equal(one->found, described ? full->found : "");
            assert_true(one->offset == (described ? full->offset : MST_NO_OFFSET));
        }
        findings_free(&some);
    }
    options.details = 1;
    for (size_t n = 0; n < all.count; n++) {
        tourist t = {0, n, MST_STOPPED, false, MST_OK};
        assert_int_equal(mst_check(d, &options, tour_findings, &t, NULL, NULL), MST_STOPPED);
        assert_int_equal(t.met, n + 1);
    }
    findings_free(&all);
    mst_close(d);
    writer_free(&w);
}

int test_rules(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules),
        cmocka_unit_test(details),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
