/* SPDX-License-Identifier: MIT */
/* Findings of checks in blocks. */
#include "sfa_block_image.h"

/* ---- helpers ------------------------------------------------------------------------------------ */

/* A report that stops early ends the check. */
static void assert_image_stops(const mst_buffer *image, size_t min) {
    stopping s = {.at = SIZE_MAX};
    MUST(check_with(image, stop_at, &s), NULL);
    size_t count = s.heard;
    assert_true(count >= min);
    for (size_t at = 0; at < count; at++) {
        s = (stopping){.at = at};
        assert_int_equal(check_with(image, stop_at, &s), MST_STOPPED);
        assert_int_equal(s.heard, at + 1);
    }
}

/* ---- findings ----------------------------------------------------------------------------------- */

static void findings_are_told(void **state) {
    (void)state;
    static const change changes[] = {
        {"SFA-GROUP-ORDER", "polygon_groups[1].first_polygon", P_GROUPS, 0, 2, 3},
        {"SFA-SHADER-INDEX", "lists[0].shader", P_LISTS, 0x13, 1, 1},
        {"SFA-SHADER-ATTRIBUTES", "shaders[1].attributes", P_SHADERS, 0x44 + 0x40, 1, 4},
        {"SFA-TEXTURE-INDEX", "shaders[1].layers[0].texture", P_SHADERS, 0x44 + 0x24, 4, 2},
        {"SFA-BOUNDS", "lists[1].bounds_min", P_LISTS, 0x1C + 6, 2, 1},
        {"SFA-BOUNDS", "lists[0].bounds_max", P_LISTS, 0x10, 2, 1},
        {"SFA-BOUNDS", "polygon_groups[1].x_max", P_GROUPS, 20 + 4, 2, 1},
        {"SFA-BOUNDS", "y_min", PIECES, 0x8A, 2, 1},
        {"SFA-BOUNDS", "y_max", PIECES, 0x8C, 2, 1},
        {"SFA-BITS", "lists[1].shader_bit_address", P_LISTS, 0x1C + 0x14, 2, 44},
        {"SFA-BITS", "lists[0].matrix_bit_address", P_LISTS, 0x16, 2, 0},
        {"SFA-SUB-BLOCKS", "polygons[0].sub_blocks", P_POLYGONS, 6, 2, 0x0701},
        {"SFA-NAME", "name", PIECES, 0xA4, 1, 'M'},
        {"SFA-NAME", "name", PIECES, 0xA4 + 6, 1, 'a'},
        {"SFA-NAME", "name", PIECES, 0xA4 + 5, 1, 0},
    };
    for (size_t i = 0; i < MST_COUNT_OF(changes); i++) {
        built b;
        findings list = {0};
        mst_buffer image = {0};
        mst_sfa_block view;
        build(&b, &(options){.order = NULL});
        apply(&b, &changes[i]);
        parse(b.bytes, b.size, &image, &view);
        check(&image, &list);
        size_t expected = 1;
        if (list.count != expected || !list.count || strcmp(list.items[0].code, changes[i].code))
            print_findings(&list);
        assert_int_equal(list.count, expected);
        assert_true(list.count > 0);
        assert_string_equal(list.items[0].code, changes[i].code);
        assert_string_equal(list.items[0].path, changes[i].path);
        assert_int_equal(list.items[0].status, MST_OK);
        assert_true(list.items[0].offset < image.size);
        assert_folds(&image, b.bytes, b.size);
        assert_image_stops(&image, 1);
        findings_free(&list);
        mst_buffer_free(&image);
    }
    static const struct {
        options how;
        const char *code, *path;
    } whole[] = {{{.unused = true}, "SFA-LIST-UNUSED", "lists[1]"},
                 {{.order = odd_order}, "SFA-BLOCK-OVERLAP", "original"}};
    for (size_t i = 0; i < MST_COUNT_OF(whole); i++) {
        built b;
        findings list = {0};
        mst_buffer image = {0};
        mst_sfa_block view;
        build(&b, &whole[i].how);
        parse(b.bytes, b.size, &image, &view);
        check(&image, &list);
        assert_int_equal(list.count, 1);
        assert_string_equal(list.items[0].code, whole[i].code);
        assert_string_equal(list.items[0].path, whole[i].path);
        findings_free(&list);
        mst_buffer_free(&image);
    }
    /* a vertex outside the square is reported once, together with the boxes that do not contain it */
    built b;
    findings list = {0};
    mst_buffer image = {0};
    mst_sfa_block view;
    build(&b, &(options){.order = NULL});
    store16(b.bytes + b.at[P_POSITIONS] + 6 * 4, 5121);
    parse(b.bytes, b.size, &image, &view);
    check(&image, &list);
    assert_int_equal(count_code(&list, "SFA-GEOMETRY-RANGE"), 1);
    assert_int_equal(count_code(&list, "SFA-BOUNDS"), 1); /* 5121 >> 3 is 640, so only the list's box */
    assert_int_equal(list.count, 2);
    assert_string_equal(list.items[0].path, "positions[4]");
    assert_string_equal(list.items[1].path, "lists[1].bounds_max");
    findings_free(&list);
    mst_buffer_free(&image);
}

/* All at once, and up to any of them. */
/* References of the tables are checked in complete documents. */
static void shaders_are_looked_for(void **state) {
    (void)state;
    static const change changes[] = {
        {"", "lists[0].shader", P_LISTS, 0x13, 1, 2},
        {"", "streams[0].ops[0].shader", P_STREAM, 0, 1, 0x21},
    };
    for (size_t i = 0; i < MST_COUNT_OF(changes); i++) {
        built b;
        mst_document *d;
        mst_diagnostic why;
        findings list = {0};
        bool found = false;
        build(&b, &(options){.order = NULL});
        apply(&b, &changes[i]);
        mst_open_options opening = {.size = sizeof opening, .format = "sfa-block", .name = "a.block.bin"};
        MUST(mst_open_memory(b.bytes, b.size, &opening, &d, &why), &why);
        MUST(mst_check(d, NULL, collect, &list, NULL, &why), &why);
        for (size_t k = 0; k < list.count; k++)
            found = found || (strcmp(list.items[k].code, "SFA-SHADER-INDEX") == 0 &&
                              strstr(list.items[k].path, changes[i].path) &&
                              strcmp(list.items[k].expected, "below 2") == 0);
        if (!found)
            print_findings(&list);
        assert_true(found);
        findings_free(&list);
        mst_close(d);
    }
}

static void findings_stop(void **state) {
    (void)state;
    static const change changes[] = {
        {"", "", P_GROUPS, 0, 2, 3},
        {"", "", P_LISTS, 0x1C + 0x13, 1, 2},
        {"", "", P_SHADERS, 0x44 + 0x40, 1, 4},
        {"", "", P_SHADERS, 0x40, 1, 4},
        {"", "", P_SHADERS, 0x24, 4, 7},
        {"", "", P_LISTS, 0x1C + 6, 2, 1},
        {"", "", P_LISTS, 0x1C + 12, 2, 1},
        {"", "", P_LISTS, 0x14, 2, 44},
        {"", "", P_POLYGONS, 6, 2, 0x0701},
        {"", "", PIECES, 0xA4, 1, 'M'},
        {"", "", PIECES, 0x8A, 2, 1},
        {"", "", PIECES, 0x8C, 2, 1},
        {"", "", P_POSITIONS, 6 * 4, 2, 5121},
    };
    static const options forms[] = {{.order = NULL}, {.order = odd_order}, {.unused = true}};
    for (size_t f = 0; f < MST_COUNT_OF(forms); f++) {
        built b;
        mst_buffer image = {0};
        mst_sfa_block view;
        build(&b, &forms[f]);
        for (size_t i = 0; i < MST_COUNT_OF(changes); i++)
            apply(&b, &changes[i]);
        parse(b.bytes, b.size, &image, &view);
        assert_image_stops(&image, 11);
        /* three layers, two of which are missing; their contents are not checked */
        image.data[place(&image, view.shaders.all.data) + 0x41] = 3;
        assert_image_stops(&image, 12);
        image.data[place(&image, view.streams[0].ops) + 1] = 9; /* nor are lists drawn without a shader */
        assert_image_stops(&image, 1);
        store16(image.data + place(&image, view.polygons.data), 6); /* it cannot be written */
        assert_image_stops(&image, 1);
        mst_buffer_free(&image);
    }
    /* a shader has two layers at most, otherwise its list is kept as bytes */
    built b;
    mst_buffer image = {0};
    mst_sfa_block view;
    findings list = {0};
    build(&b, &(options){.unused = true});
    b.bytes[b.at[P_SHADERS] + 0x44 + 0x41] = 3;
    parse(b.bytes, b.size, &image, &view);
    check(&image, &list);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.items[0].path, "shaders[1].layer_count");
    assert_string_equal(list.items[1].code, "SFA-LIST-UNUSED");
    findings_free(&list);
    mst_buffer_free(&image);
}

static void a_large_block_is_told(void **state) {
    (void)state;
    built b;
    findings list = {0};
    mst_buffer image = {0};
    mst_sfa_block view;
    size_t size = MST_SFA_BLOCK_MAXIMUM + 32;
    build(&b, &(options){.order = NULL});
    uint8_t *bytes = calloc(1, size);
    assert_non_null(bytes);
    memcpy(bytes, b.bytes, b.size);
    store32(bytes + 8, (uint32_t)size);
    parse(bytes, size, &image, &view);
    assert_int_equal(view.original_size, size);
    assert_folds(&image, bytes, size);
    check(&image, &list);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].code, "SFA-BLOCK-SIZE");
    findings_free(&list);
    mst_buffer_free(&image);
    free(bytes);
}

int test_sfa_block_check(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(findings_are_told),
        cmocka_unit_test(shaders_are_looked_for),
        cmocka_unit_test(findings_stop),
        cmocka_unit_test(a_large_block_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
