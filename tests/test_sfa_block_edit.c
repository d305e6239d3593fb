/* SPDX-License-Identifier: MIT */
/* Edits of blocks: values that do not fit, and dependent values. */
#include "sfa_block_image.h"

/* ---- values that no block can hold -------------------------------------------------------------- */

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    enum {
        SHADER,
        LIST,
        WIDE,
        MATRICES,
        UNUSED,
        SENTINEL,
        VERTEX,
        OPCODE,
        INDEX,
        TEXCOORDS,
        NARROW,
        FORM,
        CASES
    };
    static const struct {
        const char *code, *path;
    } expected[CASES] = {
        [SHADER] = {"SFA-STREAM", "streams[0].ops[0]"},
        [LIST] = {"SFA-LIST", "streams[0].ops[3]"},
        [WIDE] = {"SFA-STREAM", "streams[0].ops[1]"},
        [MATRICES] = {"SFA-STREAM", "streams[0].ops[2]"},
        [UNUSED] = {"SFA-STREAM", "streams[0].unused_bits"},
        [SENTINEL] = {"SFA-BLOCK-COUNT", "polygon_sentinel.first_polygon"},
        [VERTEX] = {"SFA-BLOCK-COUNT", "polygons[0].vertices[0]"},
        [OPCODE] = {"SFA-LIST", "lists[0].commands[0]"},
        [INDEX] = {"SFA-LIST", "lists[0].commands[0].vertices[0].position"},
        [TEXCOORDS] = {"SFA-LIST", "lists[1].texcoord_count"},
        [NARROW] = {"SFA-LIST", "lists[0].commands[0].vertices[0].position"},
        [FORM] = {"SFA-BLOCK-HEADER", "has_polygon_groups"},
    };
    for (int i = 0; i < CASES; i++) {
        built b;
        mst_buffer image = {0};
        mst_sfa_block view;
        build(&b, &(options){.order = NULL});
        parse(b.bytes, b.size, &image, &view);
        /* ops: shader 2 bytes, format 4, matrices 3, list 2 */
        uint8_t *ops = image.data + place(&image, view.streams[0].ops);
        mst_sfa_commands it = mst_sfa_list_commands(&view, 0);
        mst_sfa_next_command(&it);
        uint8_t *vertices = image.data + place(&image, it.vertices);
        uint8_t many[300 * 6] = {0};
        switch (i) {
        case SHADER: ops[1] = 64; break;
        case LIST: ops[10] = 2; break;
        case WIDE: ops[3] = 2; break;
        case MATRICES: ops[7] = 16, splice(&image, place(&image, ops + 9), 0, "123456789012345", 15); break;
        case UNUSED: image.data[place(&image, view.streams[0].tail) - 5] = 4; break;
        case SENTINEL: store16(image.data + place(&image, view.groups.data) + 40, 2); break;
        case VERTEX: store16(image.data + place(&image, view.polygons.data), 6); break;
        case OPCODE: vertices[-3] = 0x9C; break;
        case INDEX: store16(vertices, 6); break;
        case TEXCOORDS: /* a shader with one layer states one */
            image.data[place(&image, view.shaders.all.data) + 0x44 + 0x41] = 1;
            break;
        case NARROW:
            store16(vertices, 256);
            store16(image.data + place(&image, view.positions.data) - 2, 306);
            splice(&image, place(&image, view.positions.data), 0, many, sizeof many);
            break;
        default: image.data[place(&image, view.groups.data) - 3] = 2; break;
        }
        if (i == FORM) /* the data after the groups' count has no place then: it is removed */
            splice(&image, place(&image, view.groups.data) - 2, 62, "", 0);
        assert_refused(&image, expected[i].code, expected[i].path);
        mst_buffer_free(&image);
    }
    mst_buffer nothing = {0};
    mst_diagnostic why;
    assert_int_equal(mst_sfa_block_serialize((const uint8_t *)"\0\0\0", 3, &nothing, &why), MST_REFUSED);
    mst_buffer_free(&nothing);
}

/* More than fits: shaders, bytes of a list, of a stream, and of the whole. */
static void what_is_too_long_is_refused(void **state) {
    (void)state;
    enum { SHADERS, WHOLE, STORED, RAW, RAW_LONG, COMMANDS, TAIL, OPS, CASES };
    static const struct {
        const char *code, *path;
    } expected[CASES] = {
        [SHADERS] = {"SFA-SHADER-INDEX", "shaders"}, [WHOLE] = {"SFA-BLOCK-SIZE", ""},
        [STORED] = {"SFA-SHADER-INDEX", "shaders"},  [RAW] = {"SFA-LIST", "lists[0].form"},
        [RAW_LONG] = {"SFA-LIST", "lists[1].data"},  [COMMANDS] = {"SFA-LIST", "lists[0].commands"},
        [TAIL] = {"SFA-STREAM", "streams[0]"},       [OPS] = {"SFA-STREAM", "streams[0]"},
    };
    size_t capacity = 300000;
    uint8_t *many = calloc(1, capacity);
    assert_non_null(many);
    for (int i = 0; i < CASES; i++) {
        built b;
        mst_buffer image = {0};
        mst_sfa_block view;
        build(&b, &(options){.order = i == STORED ? odd_order : NULL, .unused = i == RAW_LONG});
        parse(b.bytes, b.size, &image, &view);
        mst_sfa_commands it = mst_sfa_list_commands(&view, 0);
        size_t shaders = place(&image, view.shaders.all.data), list = view.list_offsets[0] + LIST_FORM;
        switch (i) {
        case SHADERS:
        case STORED:
            image.data[shaders - 1] = 65;
            splice(&image, shaders + 2 * 0x44, 0, many, 63 * 0x44);
            break;
        case WHOLE:
            store16(image.data + place(&image, view.positions.data) - 2, 40006);
            splice(&image, place(&image, view.positions.data), 0, many, 40000 * 6);
            break;
        case RAW: /* the first list's commands as bytes: u8 form, u32 size */
            splice(&image, list, view.list_offsets[1] - list, "\1\0\0\0\0", 5);
            break;
        case RAW_LONG: {
            size_t data = view.list_offsets[1] + LIST_FORM;
            assert_int_equal(image.data[data], 1);
            size_t was = mst_load32(image.data + data + 1, true);
            store32(image.data + data + 1, 65505);
            splice(&image, data + 5, was, many, 65505);
            break;
        }
        case COMMANDS: /* 22000 vertices of three bytes */
            mst_sfa_next_command(&it);
            store16(image.data + place(&image, it.vertices) - 2, 22000);
            splice(&image, place(&image, it.vertices), 4 * 6, many, 22000 * 6);
            break;
        case TAIL:
            store32(image.data + place(&image, view.streams[0].tail) - 4, 0x10000);
            splice(&image, place(&image, view.streams[0].tail), 0, many, 0x10000);
            break;
        default: /* each of two bytes, twelve bits in the stream */
            for (size_t k = 0; k < 2 * 44000; k += 2)
                many[k] = MST_SFA_OP_LIST;
            store32(image.data + place(&image, view.streams[0].ops) - 4, view.streams[0].op_count + 44000);
            splice(&image, place(&image, view.streams[0].ops), 0, many, 2 * 44000);
            break;
        }
        assert_refused(&image, expected[i].code, expected[i].path);
        findings list_of = {0};
        check(&image, &list_of);
        findings_free(&list_of);
        mst_buffer_free(&image);
    }
    free(many);
}

/* An op far back in its stream has a position that a list cannot store, and nothing is derived from it. */
static void ops_far_back_have_no_place(void **state) {
    (void)state;
    built b;
    mst_buffer image = {0};
    mst_sfa_block view;
    uint8_t ops[2 * 5500];
    build(&b, &(options){.order = NULL});
    parse(b.bytes, b.size, &image, &view);
    for (size_t i = 0; i < sizeof ops; i += 2)
        ops[i] = MST_SFA_OP_LIST, ops[i + 1] = 0;
    store32(image.data + place(&image, view.streams[0].ops) - 4, view.streams[0].op_count + 5500);
    splice(&image, place(&image, view.streams[0].ops), 0, ops, sizeof ops);
    MUST(mst_sfa_block_view(image.data, image.size, &view), NULL);
    mst_sfa_call calls[256];
    mst_sfa_block_calls(&view, calls);
    assert_int_equal(calls[0].shader_bit, MST_SFA_NO_BIT); /* it is drawn without a shader */
    assert_int_equal(calls[0].shader, MST_SFA_NO_SHADER);
    assert_int_equal(calls[1].shader, 1);
    assert_int_equal(calls[1].shader_bit, MST_SFA_NO_BIT); /* at bit 66045 */
    mst_buffer_free(&image);
}

static void wide_indices_make_room(void **state) {
    (void)state;
    built b;
    mst_buffer image = {0}, made = {0}, again = {0};
    mst_sfa_block view;
    mst_diagnostic why;
    uint8_t many[300 * 6] = {0};
    build(&b, &(options){.order = NULL});
    parse(b.bytes, b.size, &image, &view);
    image.data[place(&image, view.streams[0].ops) + 3] = 1;
    mst_sfa_commands it = mst_sfa_list_commands(&view, 0);
    mst_sfa_next_command(&it);
    store16(image.data + place(&image, it.vertices), 0x0105);
    store16(image.data + place(&image, view.positions.data) - 2, 306);
    splice(&image, place(&image, view.positions.data) + 36, 0, many, sizeof many);
    MUST(mst_sfa_block_serialize(image.data, image.size, &made, &why), &why);
    parse(made.data, made.size, &again, &view);
    assert_int_equal(again.size, image.size);
    assert_memory_equal(again.data, image.data, image.size);
    static const uint8_t vertex[4] = {0x01, 0x05, 0, 0};
    assert_memory_equal(made.data + b.at[P_DATA_0] + 3, vertex, 4);
    mst_buffer_free(&image);
    mst_buffer_free(&made);
    mst_buffer_free(&again);
}

/* ---- consequences of edits ---------------------------------------------------------------------- */

static void boxes_follow_positions(void **state) {
    (void)state;
    built b;
    mst_buffer before = {0}, after = {0};
    mst_sfa_block view;
    build(&b, &(options){.order = NULL});
    parse(b.bytes, b.size, &before, &view);
    parse(b.bytes, b.size, &after, &view);
    /* position 1 is in list 0, polygon 0 and group 0 */
    uint8_t *p = after.data + place(&after, view.positions.data) + 6;
    store16(p, 1600), store16(p + 2, 800), store16(p + 4, (uint16_t)-8);
    fix_up(&before, &after);
    const uint8_t *list = after.data + view.list_offsets[0];
    assert_int_equal((int16_t)mst_load16(list + 6, true), 1600);
    assert_int_equal((int16_t)mst_load16(list + 8, true), 800);
    assert_int_equal((int16_t)mst_load16(list + 4, true), -8);
    assert_int_equal((int16_t)mst_load16(view.groups.data + 4, true), 200);
    assert_int_equal((int16_t)mst_load16(view.groups.data + 8, true), 100);
    assert_int_equal((int16_t)mst_load16(view.groups.data + 10, true), -1);
    assert_int_equal(mst_load16(view.polygons.data + 6, true), 0x0707);
    assert_int_equal(mst_load16(view.polygons.data + 8 + 6, true), 0x0703);
    assert_int_equal((int16_t)mst_load16(after.data + IMAGE_Y_MAX, true), 93);
    findings list_of = {0};
    check(&after, &list_of);
    assert_int_equal(list_of.count, count_code(&list_of, "SFA-GEOMETRY-RANGE"));
    findings_free(&list_of);
    /* odd values stay odd, and values set explicitly are kept */
    mst_buffer odd = {0};
    store16(b.bytes + b.at[P_POLYGONS] + 6, 0x1111);
    mst_buffer odd_before = {0};
    parse(b.bytes, b.size, &odd_before, &view);
    parse(b.bytes, b.size, &odd, &view);
    store16(odd.data + place(&odd, view.positions.data) + 6, 1600);
    store16(odd.data + IMAGE_Y_MIN, 5);
    fix_up(&odd_before, &odd);
    assert_int_equal(mst_load16(view.polygons.data + 6, true), 0x1111);
    assert_int_equal((int16_t)mst_load16(view.groups.data + 4, true), 200);
    assert_int_equal(mst_load16(odd.data + IMAGE_Y_MIN, true), 5);
    mst_buffer_free(&odd);
    mst_buffer_free(&odd_before);
    mst_buffer_free(&before);
    mst_buffer_free(&after);
}

static void bits_follow_streams(void **state) {
    (void)state;
    built b;
    mst_buffer before = {0}, after = {0};
    mst_sfa_block view;
    build(&b, &(options){.order = NULL});
    parse(b.bytes, b.size, &before, &view);
    parse(b.bytes, b.size, &after, &view);
    /* list 1 keeps shader 0: the op shader before it is removed */
    uint8_t *ops = after.data + place(&after, view.streams[0].ops);
    store32(ops - 4, 7);
    splice(&after, place(&after, ops) + 11, 2, "", 0);
    fix_up(&before, &after);
    MUST(mst_sfa_block_view(after.data, after.size, &view), NULL);
    const uint8_t *list = after.data + view.list_offsets[1];
    assert_int_equal(list[LIST_SHADER], 0);
    assert_int_equal(mst_load16(list + LIST_SHADER_BITS, true), 0);
    assert_int_equal(mst_load16(list + LIST_MATRIX_BITS, true), 52);
    mst_buffer_free(&before);
    mst_buffer_free(&after);
}

static void groups_follow_polygons(void **state) {
    (void)state;
    for (int taken = 0; taken < 2; taken++) {
        built b;
        mst_buffer before = {0}, after = {0};
        mst_sfa_block view;
        build(&b, &(options){.order = NULL});
        parse(b.bytes, b.size, &before, &view);
        parse(b.bytes, b.size, &after, &view);
        size_t at = place(&after, view.polygons.data);
        store16(after.data + at - 2, taken ? 2 : 4);
        if (taken)
            splice(&after, at + 8, 8, "", 0);
        else
            splice(&after, at + 8, 0, "\0\1\0\2\0\4\0\0", 8);
        fix_up(&before, &after);
        MUST(mst_sfa_block_view(after.data, after.size, &view), NULL);
        assert_int_equal(mst_load16(view.groups.data, true), 0);
        assert_int_equal(mst_load16(view.groups.data + 20, true), taken ? 1 : 3);
        assert_int_equal(mst_load16(view.groups.data + 40, true), taken ? 2 : 4);
        /* the new polygon has position 4: 640, 10, 640 */
        assert_int_equal((int16_t)mst_load16(view.groups.data + 4, true), taken ? 100 : 640);
        assert_clean(&after);
        mst_buffer made = {0};
        mst_diagnostic why;
        MUST(mst_sfa_block_serialize(after.data, after.size, &made, &why), &why);
        mst_buffer_free(&made);
        mst_buffer_free(&before);
        mst_buffer_free(&after);
    }
}

/* Groups, present or not, with a changing number of polygons: in every way that makes a difference. */
static void groups_follow_what_they_can(void **state) {
    (void)state;
    enum { NONE_BEFORE, NONE_AFTER, ODD_END, FEWER, AFTER, EDITED, CUT, WAYS };
    for (unsigned way = 0; way < WAYS; way++) {
        built b;
        mst_buffer before = {0}, after = {0};
        mst_sfa_block view;
        build(&b, &(options){.order = NULL});
        parse(b.bytes, b.size, &before, &view);
        parse(b.bytes, b.size, &after, &view);
        size_t groups = place(&after, view.groups.data), polygons = place(&after, view.polygons.data);
        /* one more polygon before all; two fewer for CUT */
        if (way == CUT) {
            store16(after.data + polygons - 2, 1);
            splice(&after, polygons, 16, "", 0);
        } else {
            store16(after.data + polygons - 2, 4);
            splice(&after, polygons, 0, "\0\1\0\2\0\4\0\0", 8);
        }
        switch (way) {
        case NONE_BEFORE: splice(&before, groups - 3, 63, "\0", 1); break;
        case NONE_AFTER: splice(&after, groups - 3, 63, "\0", 1); break;
        case ODD_END: store16(before.data + groups + 40, 2); break;
        case FEWER: /* the first of two groups is also removed */
            store16(after.data + groups - 2, 1);
            splice(&after, groups, 20, "", 0);
            break;
        case AFTER: /* a group that begins after all polygons */
            store16(before.data + groups + 20, 9);
            store16(after.data + groups + 20, 9);
            break;
        case EDITED: store16(after.data + groups + 20, 1); break;
        default: break;
        }
        fix_up(&before, &after);
        MUST(mst_sfa_block_view(after.data, after.size, &view), NULL);
        static const int first[WAYS] = {2, -1, 3, 4, 9, 1, 0}, last[WAYS] = {3, -1, 3, -1, 4, 4, 1};
        if (first[way] >= 0)
            assert_int_equal(mst_load16(view.groups.data + 20, true), first[way]);
        if (last[way] >= 0)
            assert_int_equal(mst_load16(view.groups.data + 40, true), last[way]);
        assert_int_equal(view.groups.data == NULL, way == NONE_AFTER);
        mst_buffer_free(&before);
        mst_buffer_free(&after);
    }
}

/* An inserted polygon belongs to the group of the one at its place, the last to the last group; removing one
 * leaves the others in their groups. The block has the groups 0, 1 and 2. */
static void groups_keep_their_polygons(void **state) {
    (void)state;
    static const unsigned group_of[] = {0, 0, 1, 1}; /* of the polygon at a place, and after the last */
    for (unsigned at = 0; at < 4; at++)
        for (int inserts = 0; inserts < 2; inserts++) {
            built b;
            mst_open_options how = {.size = sizeof how, .name = "some.block"};
            mst_document *document;
            mst_diagnostic why;
            char path[40];
            if (!inserts && at == 3)
                continue;
            build(&b, &(options){.order = NULL});
            MUST(mst_open_memory(b.bytes, b.size, &how, &document, &why), &why);
            assert_int_equal(number_at(document, "block.polygon_groups[1].first_polygon"), 2);
            snprintf(path, sizeof path, "block.polygons[%u]", at);
            if (inserts)
                MUST(mst_insert(document, path, "{\"vertices\": [1, 2, 4], \"sub_blocks\": 0}", &why), &why);
            else
                MUST(mst_remove(document, path, &why), &why);
            unsigned first = 2 + (group_of[at] ? 0u : inserts ? 1u : (unsigned)-1);
            assert_int_equal(number_at(document, "block.polygon_groups[0].first_polygon"), 0);
            assert_int_equal(number_at(document, "block.polygon_groups[1].first_polygon"), first);
            assert_int_equal(number_at(document, "block.polygon_sentinel.first_polygon"), inserts ? 4 : 2);
            findings list = {0}; /* the boxes of the groups enclose their polygons */
            mst_check_result result;
            MUST(mst_check(document, NULL, collect, &list, &result, &why), &why);
            print_findings(&list);
            assert_int_equal(list.count, 0);
            findings_free(&list);
            mst_close(document);
        }
}

/* Polygons without their group would have another surface. */
static void groups_go_without_polygons(void **state) {
    (void)state;
    built b;
    mst_open_options how = {.size = sizeof how, .name = "some.block"};
    mst_document *document;
    mst_diagnostic why;
    build(&b, &(options){.order = NULL});
    MUST(mst_open_memory(b.bytes, b.size, &how, &document, &why), &why);
    for (unsigned group = 2; group--;) { /* of two polygons, and of the last one */
        char path[40];
        snprintf(path, sizeof path, "block.polygon_groups[%u]", group);
        assert_int_equal(mst_remove(document, path, &why), MST_REFUSED);
        assert_string_equal(why.message, "the group has polygons: remove those first");
    }
    MUST(mst_remove(document, "block.polygons[2]", &why), &why);
    MUST(mst_remove(document, "block.polygon_groups[1]", &why), &why);
    MUST(mst_remove(document, "block.polygons[0]", &why), &why);
    assert_int_equal(mst_remove(document, "block.polygon_groups[0]", &why), MST_REFUSED);
    MUST(mst_remove(document, "block.polygons[0]", &why), &why);
    MUST(mst_remove(document, "block.polygon_groups[0]", &why), &why);
    mst_close(document);
}

/* Inserted lists and polygons get derived values, unless such values were odd before. */
static void what_is_new_follows_if_the_rest_does(void **state) {
    (void)state;
    for (unsigned odd = 0; odd < 2; odd++) {
        built b;
        mst_buffer before = {0}, after = {0};
        mst_sfa_block view;
        build(&b, &(options){.order = NULL});
        if (odd)
            store16(b.bytes + b.at[P_POLYGONS] + 8 + 6, 0x1111);
        parse(b.bytes, b.size, &before, &view);
        parse(b.bytes, b.size, &after, &view);
        size_t at = place(&after, view.polygons.data);
        store16(after.data + at - 2, 4);
        splice(&after, at, 0, "\0\0\0\1\0\2\0\0", 8);
        fix_up(&before, &after);
        MUST(mst_sfa_block_view(after.data, after.size, &view), NULL);
        assert_int_equal(mst_load16(view.polygons.data + 6, true), odd ? 0 : 0x0703);
        mst_buffer_free(&before);
        mst_buffer_free(&after);
    }
    /* the same number of groups, of which one had no polygon and nothing is derived */
    built b;
    mst_buffer before = {0}, after = {0};
    mst_sfa_block view;
    build(&b, &(options){.order = NULL});
    store16(b.bytes + b.at[P_GROUPS] + 20, 3);
    parse(b.bytes, b.size, &before, &view);
    parse(b.bytes, b.size, &after, &view);
    store16(after.data + place(&after, view.groups.data) + 20, 2);
    store16(after.data + place(&after, view.groups.data) + 24, 1);
    fix_up(&before, &after);
    assert_int_equal((int16_t)mst_load16(view.groups.data + 24, true), 640);
    mst_buffer_free(&before);
    mst_buffer_free(&after);
}

int test_sfa_block_edit(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(what_is_too_long_is_refused),
        cmocka_unit_test(ops_far_back_have_no_place),
        cmocka_unit_test(wide_indices_make_room),
        cmocka_unit_test(boxes_follow_positions),
        cmocka_unit_test(bits_follow_streams),
        cmocka_unit_test(groups_follow_polygons),
        cmocka_unit_test(groups_keep_their_polygons),
        cmocka_unit_test(groups_go_without_polygons),
        cmocka_unit_test(groups_follow_what_they_can),
        cmocka_unit_test(what_is_new_follows_if_the_rest_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
