/* SPDX-License-Identifier: MIT */
/* Byte orders and layouts: the statements of a file about them, and the next ones to try. */
#include "own_format.h"

/* ---- sizes and parts --------------------------------------------------------------------------- */

#define IN_LAYOUT(n) .when = {{MST_EQUAL, MST_VARIABLE_LAYOUT, (n)}}

/* ---- texts and byte orders ---------------------------------------------------------------------- */

static const mst_field mixed_fields[] = {
    {.name = "high",
     .kind = MST_KIND_CHAR8,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U8,
     .flags = MST_FIELD_HIGH},
    {.name = "code", .kind = MST_KIND_CHAR8, .mode = MST_COUNT_FIXED, .count = 4, .flags = MST_FIELD_HIGH},
    {.name = "as_file", .kind = MST_KIND_U32},
    {.name = "little", .kind = MST_KIND_U32, .flags = MST_FIELD_LITTLE},
    {.name = "big", .kind = MST_KIND_U32, .flags = MST_FIELD_BIG},
    {.name = "littles", .kind = MST_KIND_I16, .mode = MST_COUNT_FIXED, .count = 2, .flags = MST_FIELD_LITTLE},
    {.name = "low_first", .kind = MST_KIND_U8, .when = {{MST_EQUAL, MST_VARIABLE_BIG, 0}}},
    {.name = "pair", .kind = MST_KIND_U8},
    {.name = "low_first", .kind = MST_KIND_U8, .when = {{MST_NOT_EQUAL, MST_VARIABLE_BIG, 0}}},
};

static const mst_record mixed = {.name = "mixed", .index = 0, TABLE(mixed_fields)};
static const mst_record *const mixed_records[] = {&mixed};

/* The first byte after the texts decides. */
static mst_status resolve_order(const uint8_t *bytes, size_t size, mst_variant *variant,
                                mst_diagnostic *diagnostic) {
    (void)diagnostic;
    variant->big = size > 9 && bytes[9] == 1;
    return MST_OK;
}

static const mst_format mixed_format = {FORMAT(mixed, mixed_records),
                                        .identity.resolve_variant = resolve_order};

static void put_mixed(writer *w, bool big) {
    put_u8(w, 4);
    put_bytes_of(w, "\xC1\xE2\xE3\xA1", 4); /* Abc! */
    put_bytes_of(w, "\xD3\xCC\xD0\x80", 4); /* SLP and NUL */
    w->big = big;
    at(w, "as_file"), put_u32(w, 0x01020304);
    w->big = false;
    at(w, "little"), put_u32(w, 0x05060708);
    w->big = true;
    at(w, "big"), put_u32(w, 0x090A0B0C);
    w->big = false;
    put_u16(w, 0xFFFE), at(w, "littles[1]"), put_u16(w, 300);
    at(w, big ? "pair" : "low_first"), put_u8(w, big ? 2 : 1);
    at(w, big ? "low_first" : "pair"), put_u8(w, big ? 1 : 2);
}

static void orders(void **state) {
    (void)state;
    writer twins[2] = {{0}, {0}};
    put_mixed(&twins[0], false);
    put_mixed(&twins[1], true);
    for (int big = 0; big < 2; big++) {
        mst_document *d = open_own(&mixed_format, &twins[big]), *other;
        mst_diagnostic why;
        assert_marks(d, &twins[big]);
        assert_survives(d);
        char text[200];
        snprintf(text, sizeof text,
                 "{\"$format\":\"test\",%s\"high\":\"Abc!\",\"code\":\"SLP\",\"as_file\":16909060,"
                 "\"little\":84281096,\"big\":151653132,\"littles\":[-2,300],%s}",
                 big ? "\"$byte_order\":\"big\"," : "",
                 big ? "\"pair\":2,\"low_first\":1" : "\"low_first\":1,\"pair\":2");
        assert_reads_as(d, text);
        mst_convert_options options = {.size = sizeof options, .byte_order = big ? "little" : "big"};
        MUST(mst_convert(d, &options, NULL, NULL, &other, &why), &why);
        assert_same_bytes(other, twins[!big].data, twins[!big].size);
        mst_close(other);
        MUST(mst_set(d, "high", "\"~ !?\"", &why), &why);
        MUST(mst_set(d, "code", "\"AB\"", &why), &why);
        const uint8_t *bytes;
        size_t size;
        bytes = mst_document_bytes(d, &size);
        assert_memory_equal(bytes, "\4\xFE\xA0\xA1\xBF\xC1\xC2\x80\x80", 9);
        assert_int_equal(mst_set(d, "high", "\"\xC3\xA9\"", &why), MST_ARGUMENT);
        assert_int_equal(mst_set(d, "code", "\"ABCDE\"", &why), MST_ARGUMENT);
        mst_close(d);
    }
    /* invalid texts are bytes */
    for (size_t i = 1; i < 9; i++) {
        twins[0].data[i] &= 0x7F;
        mst_document *d = open_own(&mixed_format, &twins[0]);
        assert_survives(d);
        mst_value root = mst_root(d);
        char *text = json_of(&root, 1);
        assert_non_null(strstr(text, "\"$raw\""));
        free(text);
        mst_close(d);
        twins[0].data[i] |= 0x80;
    }
    writer_free(&twins[0]);
    writer_free(&twins[1]);
}

/* ---- forms of a file ----------------------------------------------------------------------------- */

static const mst_field form_fields[] = {
    {.name = "version", .kind = MST_KIND_U8},
    {.name = "list", .kind = MST_KIND_U8, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8, IN_LAYOUT(0)},
    {.name = "pair", .kind = MST_KIND_U8, .mode = MST_COUNT_FIXED, .count = 2, IN_LAYOUT(1)},
    {.name = "all", .kind = MST_KIND_RAW, .mode = MST_COUNT_TO_END, IN_LAYOUT(2)},
};

static const mst_record form = {.name = "form", .index = 0, TABLE(form_fields)};
static const mst_record *const form_records[] = {&form};
static const char *const form_layouts[] = {"list", "pair", "raw"};

static bool probe_form(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                       mst_variant *variant) {
    (void)file_size;
    (void)name;
    variant->version = size ? bytes[0] : 0;
    variant->layout = 0;
    return true;
}

static bool known_form(uint32_t version) {
    return version == 1 || version == 2;
}

/* Version 1 has other forms. */
static bool next_form(mst_variant *variant) {
    if (variant->version != 1 || variant->layout == 2)
        return false;
    variant->layout++;
    return true;
}

static mst_status resolve_form(const uint8_t *bytes, size_t size, mst_variant *variant,
                               mst_diagnostic *diagnostic) {
    (void)variant;
    if (size > 1 && bytes[1] == 99) {
        mst_diagnostic made = {.status = MST_DAMAGED, .offset = 1, .length = 1, .code = "T-SETTLE"};
        if (diagnostic)
            *diagnostic = made;
        return MST_DAMAGED;
    }
    return MST_OK;
}

static const mst_format form_format = {FORMAT_PROBED(form, form_records, probe_form),
                                       .identity.version_field = "version",
                                       .identity.version = 2,
                                       .identity.version_known = known_form,
                                       .identity.layouts = form_layouts,
                                       .identity.layout_count = 3,
                                       .identity.resolve_variant = resolve_form,
                                       .identity.fallback = next_form};

static void forms(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        const char *json; /* NULL: it is damaged */
        const char *code;
    } files[] = {
        {"\1\2ab", 4, "{\"$format\":\"test\",\"version\":1,\"list\":[97,98]}", NULL},
        {"\1\3", 2, "{\"$format\":\"test\",\"$layout\":\"raw\",\"version\":1,\"all\":\"03\"}", NULL},
        {"\1\3a", 3, "{\"$format\":\"test\",\"$layout\":\"pair\",\"version\":1,\"pair\":[3,97]}", NULL},
        {"\1\3ab", 4, "{\"$format\":\"test\",\"$layout\":\"raw\",\"version\":1,\"all\":\"036162\"}", NULL},
        {"\1", 1, "{\"$format\":\"test\",\"$layout\":\"raw\",\"version\":1,\"all\":\"\"}", NULL},
        {"\2\2ab", 4, "{\"$format\":\"test\",\"version\":2,\"list\":[97,98]}", NULL},
        {"\2\3ab", 4, NULL, "T-COUNT"},
        {"\2\1ab", 4, NULL, "T-TRAILING"},
        {"\3\2ab", 4, NULL, "T-VERSION"},
        {"\1\143ab", 4, NULL, "T-SETTLE"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        writer w = {0};
        put_bytes_of(&w, files[i].bytes, files[i].size);
        mst_document *d;
        mst_diagnostic why;
        mst_status status = try_as(&form_format, &w, &d, &why);
        assert_int_equal(status, files[i].json ? MST_OK : MST_DAMAGED);
        if (status == MST_OK) {
            assert_reads_as(d, files[i].json);
            assert_survives(d);
        } else {
            assert_string_equal(why.code, files[i].code);
            assert_null(d);
        }
        if (i == 2) { /* an edit does not change the structure */
            MUST(mst_set(d, "pair[0]", "9", &why), &why);
            assert_reads_as(d, "{\"$format\":\"test\",\"$layout\":\"pair\",\"version\":1,\"pair\":[9,97]}");
            /* unless the bytes would mean another form */
            assert_int_equal(mst_set(d, "pair[0]", "1", &why), MST_REFUSED);
            assert_reads_as(d, "{\"$format\":\"test\",\"$layout\":\"pair\",\"version\":1,\"pair\":[9,97]}");
        }
        mst_close(d);
        writer_free(&w);
    }
}

int test_variants(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders),
        cmocka_unit_test(forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
