/* SPDX-License-Identifier: MIT */
/* Blocks: round trips, unreadable data, and the corpus. */
#include "../src/core/json.h"
#include "../src/read/engine.h"
#include "sfa_block_image.h"

/* ---- the tables --------------------------------------------------------------------------------- */

static uint64_t number(const mst_document *d, const char *path) {
    mst_value value;
    mst_diagnostic why;
    uint64_t result;
    MUST(mst_find(mst_root(d), path, &value, &why), &why);
    MUST(mst_get_unsigned(&value, &result), NULL);
    return result;
}

/* The image is exactly what the tables describe: nothing remains, and values and JSON reproduce it. */
static void assert_tables(const mst_buffer *image) {
    mst_document d;
    mst_diagnostic why;
    fabricate(&d, image->data, image->size);
    mst_walk_request walk = mst_walk_of_document(&d);
    uint64_t after = 0;
    MUST(mst_walk_field(&walk, &after, &why), &why);
    assert_int_equal(after, image->size);
    mst_buffer text = {0}, made = {.allocator = d.allocator};
    mst_value root = mst_root(&d);
    mst_json_options compact = {.size = sizeof compact, .compact = 1};
    MUST(mst_write_json(&root, &compact, mst_buffer_sink(&text), &why), &why);
    mst_arena arena;
    mst_arena_begin(&arena, NULL, 0);
    mst_json json;
    MUST(mst_json_parse((const char *)text.data, text.size, &arena, &json, &why), &why);
    mst_encode_request request = {.format = d.format,
                                  .variant = d.variant,
                                  .plans = d.plans,
                                  .allocator = &d.allocator,
                                  .limit = UINT32_MAX,
                                  .field = &mst_document_field,
                                  .single = true,
                                  .context = d.context,
                                  .source = {.json = json.nodes}};
    MUST(mst_encode_field(&request, &made, &why), &why);
    assert_int_equal(made.size, image->size);
    assert_memory_equal(made.data, image->data, image->size);
    mst_buffer_free(&made);
    mst_arena_end(&arena);
    mst_buffer_free(&text);
    mst_arena_end(&d.arena);
}

static void tables_describe_the_image(void **state) {
    (void)state;
    static const options forms[] = {{.order = NULL}, {.wide = true},  {.unused = true, .tail = 3},
                                    {.padding = 32}, {.water = true}, {.overlap = true, .water = true}};
    for (size_t i = 0; i < MST_COUNT_OF(forms); i++) {
        built b;
        mst_buffer image = {0};
        mst_sfa_block view;
        build(&b, &forms[i]);
        parse(b.bytes, b.size, &image, &view);
        assert_tables(&image);
        mst_buffer_free(&image);
    }
    built b;
    mst_buffer image = {0};
    mst_document d;
    mst_diagnostic why;
    build(&b, &(options){.wide = true});
    MUST(mst_sfa_block_parse(b.bytes, b.size, WRITER(&image), &why), &why);
    fabricate(&d, image.data, image.size);
    assert_int_equal(number(&d, "flags"), 8);
    assert_int_equal(number(&d, "positions[1][0]"), 800);
    assert_int_equal(number(&d, "texcoords[2][0]"), 512);
    assert_int_equal(number(&d, "colors[2]"), 0x1234);
    assert_int_equal(number(&d, "lists[1].shader_bit_address"), 45);
    assert_int_equal(number(&d, "lists[1].texcoord_count"), 2);
    assert_int_equal(number(&d, "lists[1].commands[0].opcode"), 0x95);
    assert_int_equal(number(&d, "lists[1].commands[0].vertices[1].position"), 4);
    assert_int_equal(number(&d, "lists[1].commands[0].vertices[1].texcoord_1"), 2);
    assert_int_equal(number(&d, "lists[0].commands[0].vertices[3].texcoord"), 0);
    assert_int_equal(number(&d, "streams[0].ops[4].shader"), 1);
    assert_int_equal(number(&d, "streams[0].ops[5].wide_position"), 1);
    assert_int_equal(number(&d, "streams[0].ops[5].wide_color"), 0);
    assert_int_equal(number(&d, "streams[0].ops[2].matrices[0]"), 0);
    assert_int_equal(number(&d, "shaders[1].layers[1].tev_mode"), 9);
    assert_int_equal(number(&d, "shaders[1].layer_count"), 2);
    assert_int_equal(number(&d, "textures[1]"), 9);
    assert_int_equal(number(&d, "polygon_groups[1].first_polygon"), 2);
    assert_int_equal(number(&d, "polygon_groups[0].surface"), 0x18);
    assert_int_equal(number(&d, "polygon_sentinel.first_polygon"), 3);
    assert_int_equal(number(&d, "polygons[2].sub_blocks"), 0xFFFF);
    mst_arena_end(&d.arena);
    mst_buffer_free(&image);
}

/* ---- round trips -------------------------------------------------------------------------------- */

static void usual_blocks_come_back(void **state) {
    (void)state;
    static const options forms[] = {{.order = NULL}, {.wide = true},  {.unused_bits = 3}, {.tail = 5},
                                    {.padding = 32}, {.padding = 64}, {.water = true},    {.unused = true}};
    for (size_t i = 0; i < MST_COUNT_OF(forms); i++) {
        built b;
        mst_buffer image = {0};
        mst_sfa_block view;
        build(&b, &forms[i]);
        parse(b.bytes, b.size, &image, &view);
        assert_int_equal(view.original_size, 0);
        assert_folds(&image, b.bytes, b.size);
        if (!forms[i].unused)
            assert_clean(&image);
        mst_sfa_commands it = mst_sfa_list_commands(&view, 0);
        assert_true(mst_sfa_next_command(&it));
        assert_int_equal(it.vertex_count, 4);
        assert_int_equal(it.left, forms[i].padding);
        it = mst_sfa_list_commands(&view, 1);
        assert_int_equal(mst_sfa_next_command(&it), !forms[i].unused);
        assert_int_equal(view.streams[0].tail_size, forms[i].tail);
        assert_int_equal(view.streams[0].unused_bits, forms[i].unused_bits);
        mst_buffer_free(&image);
    }
}

static void odd_blocks_come_back(void **state) {
    (void)state;
    static const options forms[] = {
        {.order = odd_order}, {.order = odd_order, .gap = 0xCD},
        {.gap = 0xCD},        {.overlap = true, .water = true},
        {.padding = 5},       {.order = odd_order, .tail = 2, .wide = true, .padding = 1, .gap = 1}};
    for (size_t i = 0; i < MST_COUNT_OF(forms); i++) {
        built b;
        mst_buffer image = {0};
        mst_sfa_block view;
        build(&b, &forms[i]);
        if (forms[i].overlap) /* a second list with the first one's vertices */
            store16(b.bytes + b.at[P_LISTS] + 0x1C + 4, 32);
        parse(b.bytes, b.size, &image, &view);
        assert_int_equal(view.original_size, b.size);
        assert_folds(&image, b.bytes, b.size);
        assert_tables(&image);
        mst_buffer_free(&image);
    }
}

static void edits_go_to_their_places(void **state) {
    (void)state;
    built b;
    mst_buffer image = {0};
    mst_sfa_block view;
    build(&b, &(options){.order = odd_order, .gap = 0xCD});
    parse(b.bytes, b.size, &image, &view);
    store16(image.data + place(&image, view.positions.data) + 6 * 2 + 2, 77);
    store16(b.bytes + b.at[P_POSITIONS] + 6 * 2 + 2, 77);
    image.data[view.list_offsets[1] + LIST_SORT_LAYER] = 9;
    b.bytes[b.at[P_LISTS] + 0x1C + 0x18] = 9;
    image.data[IMAGE_NAME] = 'M';
    b.bytes[0xA4] = 'M';
    mst_sfa_commands it = mst_sfa_list_commands(&view, 0);
    mst_sfa_next_command(&it);
    store16(image.data + place(&image, it.vertices), 5);
    b.bytes[b.at[P_DATA_0] + 3] = 5;
    assert_folds(&image, b.bytes, b.size);
    /* another number of colours moves everything: the gaps' bytes would be lost */
    uint8_t *count = image.data + place(&image, view.colors.data) - 2;
    store16(count, 4);
    splice(&image, place(&image, view.colors.data) + 6, 0, "\1\2", 2);
    assert_refused(&image, "SFA-BLOCK-OVERLAP", "original");
    mst_buffer_free(&image);

    /* if nothing would be lost, the block is written as usual */
    image = (mst_buffer){0};
    build(&b, &(options){.order = odd_order});
    parse(b.bytes, b.size, &image, &view);
    store16(image.data + place(&image, view.colors.data) - 2, 4);
    splice(&image, place(&image, view.colors.data) + 6, 0, "\1\2", 2);
    mst_buffer made = {0}, again = {0};
    mst_diagnostic why;
    MUST(mst_sfa_block_serialize(image.data, image.size, &made, &why), &why);
    parse(made.data, made.size, &again, &view);
    assert_int_equal(view.original_size, 0);
    assert_int_equal(view.colors.count, 4);
    assert_clean(&again);
    mst_buffer_free(&made);
    mst_buffer_free(&again);
    mst_buffer_free(&image);

    /* an array that overlaps the records of lists: their bounds, or the offsets of their data */
    for (unsigned at = 0; at < 2; at++) {
        image = (mst_buffer){0};
        build(&b, &(options){.order = NULL});
        store32(b.bytes + 0x5C, b.at[P_LISTS] + (at ? 0 : 8)); /* three colours */
        parse(b.bytes, b.size, &image, &view);
        assert_int_equal(view.original_size, b.size);
        assert_folds(&image, b.bytes, b.size);
        image.data[place(&image, view.colors.data)] ^= 1;
        assert_refused(&image, "SFA-BLOCK-OVERLAP", "original");
        mst_buffer_free(&image);
    }
    /* groups of which only the last is present, and then none */
    image = (mst_buffer){0};
    build(&b, &(options){.order = odd_order});
    store16(b.bytes + 0x9A, 0);
    store16(b.bytes + b.at[P_GROUPS], 3);
    memset(b.bytes + b.at[P_GROUPS] + 20, 0, 40);
    parse(b.bytes, b.size, &image, &view);
    assert_int_equal(view.original_size, b.size);
    splice(&image, place(&image, view.groups.data) - 3, 23, "\0", 1);
    mst_buffer bare = {0};
    MUST(mst_sfa_block_serialize(image.data, image.size, &bare, &why), &why);
    assert_int_equal(mst_load32(bare.data + 0x50, true), 0);
    mst_buffer_free(&bare);
    mst_buffer_free(&image);

    /* bytes that two lists share cannot have two values */
    image = (mst_buffer){0};
    build(&b, &(options){.overlap = true, .water = true});
    store16(b.bytes + b.at[P_LISTS] + 0x1C + 4, 32);
    parse(b.bytes, b.size, &image, &view);
    it = mst_sfa_list_commands(&view, 0);
    mst_sfa_next_command(&it);
    store16(image.data + place(&image, it.vertices), 5);
    assert_refused(&image, "SFA-BLOCK-OVERLAP", "original");
    mst_buffer_free(&image);
}

static void raw_blocks_are_kept(void **state) {
    (void)state;
    mst_buffer image = {0};
    mst_sfa_block view;
    mst_diagnostic why;
    MUST(mst_sfa_block_parse_raw((const uint8_t *)"no block", 8, WRITER(&image), &why), &why);
    MUST(mst_sfa_block_view(image.data, image.size, &view), NULL);
    assert_true(view.raw);
    assert_int_equal(view.raw_size, 8);
    assert_folds(&image, (const uint8_t *)"no block", 8);
    assert_tables(&image);
    findings list = {0};
    check(&image, &list); /* states the reason why they are only bytes */
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].code, "SFA-BLOCK-HEADER");
    assert_int_equal(list.items[0].offset, 5);
    findings_free(&list);
    mst_buffer_free(&image);
}

/* One list, shader 0, narrow indices: these bytes. */
static void a_stream_is_read_from_the_lowest_bit(void **state) {
    (void)state;
    static const uint8_t stream[7] = {0x01, 0x0C, 0x28, 0x00, 0x04, 0xA0, 0x00};
    built b;
    mst_buffer image = {0};
    mst_sfa_block view;
    build(&b, &(options){.unused = true});
    assert_memory_equal(b.bytes + b.at[P_STREAM], stream, 7);
    assert_int_equal(mst_load16(b.bytes + 0x84, true), 7);
    parse(b.bytes, b.size, &image, &view);
    static const struct { uint8_t op, operand, bit; } ops[] = {{1, 0, 0}, {3, 0, 10}, {4, 1, 17}, {2, 0, 33}};
    mst_sfa_ops it = mst_sfa_stream_ops(&view, 0);
    for (size_t i = 0; i < 4; i++) {
        assert_true(mst_sfa_next_op(&it));
        assert_int_equal(it.op, ops[i].op);
        assert_int_equal(it.operand, ops[i].operand);
        assert_int_equal(it.bit, ops[i].bit);
    }
    assert_false(mst_sfa_next_op(&it));
    assert_int_equal(it.bits, 45);
    mst_sfa_call calls[256];
    mst_sfa_block_calls(&view, calls);
    assert_int_equal(calls[0].shader_bit, 0);
    assert_int_equal(calls[0].matrix_bit, 17);
    assert_int_equal(calls[1].stream, MST_SFA_NOT_CALLED);
    mst_buffer_free(&image);
}

/* ---- unreadable data ---------------------------------------------------------------------------- */

static void damage_is_told(void **state) {
    (void)state;
    static const change changes[] = {
        {"SFA-BLOCK-HEADER", "", PIECES, 8, 4, 1},
        {"SFA-BLOCK-OFFSET", "polygons", PIECES, 0x4C, 4, 0x10000000},
        {"SFA-BLOCK-OFFSET", "polygon_groups", PIECES, 0x50, 4, 0xFFFFFFFF},
        {"SFA-BLOCK-OFFSET", "textures", PIECES, 0x54, 4, 0x10},
        {"SFA-BLOCK-OFFSET", "positions", PIECES, 0x58, 4, 0},
        {"SFA-BLOCK-OFFSET", "colors", PIECES, 0x94, 2, 0xFFFF},
        {"SFA-BLOCK-OFFSET", "texcoords", PIECES, 0x60, 4, 0x2000},
        {"SFA-BLOCK-OFFSET", "shaders", PIECES, 0xA2, 1, 200},
        {"SFA-BLOCK-OFFSET", "lists", PIECES, 0xA1, 1, 255},
        {"SFA-BLOCK-OFFSET", "streams[0]", PIECES, 0x84, 2, 0xFFFF},
        {"SFA-BLOCK-OFFSET", "lists[1].commands", P_LISTS, 0x1C, 4, 0x8000},
        {"SFA-BLOCK-COUNT", "polygons[1].vertices[2]", P_POLYGONS, 8 + 4, 2, 6},
        {"SFA-BLOCK-COUNT", "polygon_sentinel.first_polygon", P_GROUPS, 40, 2, 4},
        {"SFA-STREAM", "streams[0].ops[0]", P_STREAM, 0, 1, 0x06},
        {"SFA-STREAM", "streams[0].ops[0]", P_STREAM, 0, 1, 0x0F},
        {"SFA-STREAM", "streams[0].ops[7]", PIECES, 0x84, 2, 11},
        {"SFA-STREAM", "streams[0].ops[0]", PIECES, 0x84, 2, 1},
        {"SFA-LIST", "streams[0].ops[3]", P_STREAM, 4, 1, 0x24},
        {"SFA-LIST", "lists[0].commands[0]", P_DATA_0, 0, 1, 0x12},
        {"SFA-LIST", "lists[0].commands[0]", P_DATA_0, 0, 1, 0x98},
        {"SFA-LIST", "lists[0].commands[0]", P_DATA_0, 1, 2, 400},
        {"SFA-LIST", "lists[0].commands[17]", P_DATA_0, 31, 1, 0x95},
        {"SFA-LIST", "lists[0].commands[0].vertices[2].position", P_DATA_0, 3 + 6, 1, 6},
        {"SFA-LIST", "lists[0].commands[0].vertices[0].color", P_DATA_0, 3 + 1, 1, 3},
        {"SFA-LIST", "lists[0].commands[0].vertices[3].texcoord", P_DATA_0, 3 + 11, 1, 3},
        {"SFA-LIST", "lists[1].commands[0].vertices[2].texcoord_1", P_DATA_1, 3 + 11, 1, 3},
    };
    for (size_t i = 0; i < MST_COUNT_OF(changes); i++) {
        built b;
        build(&b, &(options){.order = NULL});
        apply(&b, &changes[i]);
        if (strcmp(changes[i].path, "streams[0].ops[3]") == 0)
            b.bytes[b.at[P_STREAM] + 5] |= 0x1F; /* the list's high bits */
        mst_buffer image = {0};
        mst_diagnostic why = {0};
        mst_status status = mst_sfa_block_parse(b.bytes, b.size, WRITER(&image), &why);
        if (status != MST_DAMAGED || strcmp(why.code, changes[i].code) || strcmp(why.path, changes[i].path))
            print_error("change %zu: %s, %s at %s (%s)\n", i, mst_status_text(status), why.code, why.path,
                        why.message);
        assert_int_equal(status, MST_DAMAGED);
        assert_string_equal(why.code, changes[i].code);
        assert_string_equal(why.path, changes[i].path);
        assert_true(why.offset < b.size);
        assert_int_equal(image.size, 0);
        assert_int_equal(mst_sfa_block_parse(b.bytes, b.size, WRITER(&image), NULL), MST_DAMAGED);
        mst_buffer_free(&image);
    }
    mst_diagnostic why;
    mst_buffer image = {0};
    built b;
    build(&b, &(options){.order = NULL});
    assert_int_equal(mst_sfa_block_parse(b.bytes, 0xB7, WRITER(&image), &why), MST_DAMAGED);
    assert_string_equal(why.code, "SFA-BLOCK-HEADER");
    assert_int_equal(mst_sfa_block_parse(b.bytes, 0, WRITER(&image), &why), MST_DAMAGED);
    /* groups at the very end of the block: the sentinel is after it */
    store32(b.bytes + 0x50, b.size - 40);
    assert_int_equal(mst_sfa_block_parse(b.bytes, b.size, WRITER(&image), &why), MST_DAMAGED);
    assert_string_equal(why.code, "SFA-BLOCK-COUNT");
    assert_string_equal(why.path, "polygon_sentinel");
    /* also without a diagnosis */
    assert_int_equal(mst_sfa_block_parse(b.bytes, b.size, WRITER(&image), NULL), MST_DAMAGED);
    mst_buffer_free(&image);
}

/* ---- values that no block can hold -------------------------------------------------------------- */

/* Every form of a vertex, with the maximum number of texcoords. */
static void every_form_of_vertex(void **state) {
    (void)state;
    for (unsigned parsed = 0; parsed < 24; parsed++) {
        built b;
        mst_buffer image = {0};
        mst_sfa_block view;
        unsigned texcoords = parsed >> 3;
        build(&b, &(options){.format = parsed & 7, .bare = texcoords == 0, .water = texcoords == 1});
        parse(b.bytes, b.size, &image, &view);
        assert_int_equal(view.original_size, 0);
        mst_sfa_commands it = mst_sfa_list_commands(&view, 1);
        assert_true(mst_sfa_next_command(&it));
        assert_int_equal(it.texcoord_count, texcoords);
        assert_int_equal(it.vertex_count, 3);
        for (unsigned i = 0; i < 3; i++) {
            assert_int_equal(mst_load16(it.vertices + i * it.stride, true), 3 + i);
            assert_int_equal(mst_load16(it.vertices + i * it.stride + 2, true), i & 1);
            for (unsigned k = 0; k < texcoords; k++)
                assert_int_equal(mst_load16(it.vertices + i * it.stride + 4 + 2 * k, true), (i + k) % 3);
        }
        assert_folds(&image, b.bytes, b.size);
        mst_buffer_free(&image);
    }
    /* a command without vertices references nothing, even if nothing exists */
    built b;
    mst_buffer image = {0};
    mst_sfa_block view;
    build(&b, &(options){.unused = true});
    memset(b.bytes + b.at[P_DATA_0] + 1, 0, 31);
    store16(b.bytes + 0x94, 0); /* no colours */
    parse(b.bytes, b.size, &image, &view);
    mst_sfa_commands it = mst_sfa_list_commands(&view, 0);
    assert_true(mst_sfa_next_command(&it));
    assert_int_equal(it.vertex_count, 0);
    assert_folds(&image, b.bytes, b.size);
    mst_buffer_free(&image);
}

/* ---- robustness --------------------------------------------------------------------------------- */

static mst_status ignore(void *user, const mst_diagnostic *diagnostic) {
    ++*(size_t *)user;
    return diagnostic->status;
}

/* Whether it opens; if it does, the round trip and everything else works. */
static bool try_block(const uint8_t *bytes, size_t size) {
    uint8_t *exact = malloc(size ? size : 1);
    assert_non_null(exact);
    memcpy(exact, bytes, size);
    mst_buffer image = {0};
    mst_diagnostic why;
    mst_status status = mst_sfa_block_parse(exact, size, WRITER(&image), &why);
    if (status == MST_OK) {
        mst_sfa_block view;
        size_t count = 0;
        assert_true(image.size <= 8 * size + 256);
        assert_folds(&image, exact, size);
        MUST(mst_sfa_block_view(image.data, image.size, &view), NULL);
        assert_int_equal(view.size, image.size);
        assert_int_equal(check_with(&image, ignore, &count), MST_OK);
        mst_buffer copy = {0};
        mst_sink sink = mst_buffer_sink(&copy);
        MUST(sink.write(sink.user, image.data, image.size), NULL);
        fix_up(&image, &copy);
        assert_memory_equal(copy.data, image.data, image.size);
        mst_buffer_free(&copy);
    } else {
        assert_int_equal(status, MST_DAMAGED);
        assert_true(why.code[0] != 0);
        assert_int_equal(image.size, 0);
    }
    mst_buffer_free(&image);
    free(exact);
    return status == MST_OK;
}

static void every_change_is_borne(void **state) {
    (void)state;
    static const options forms[] = {
        {.order = NULL}, {.order = odd_order, .gap = 0xCD, .wide = true, .tail = 2, .padding = 33}};
    for (size_t f = 0; f < MST_COUNT_OF(forms); f++) {
        built b;
        build(&b, &forms[f]);
        uint32_t whole = b.size;
        for (uint32_t size = 0; size < whole; size += (uint32_t)sample_step()) {
            store32(b.bytes + 8, whole);
            assert_false(try_block(b.bytes, size));
            store32(b.bytes + 8, size); /* as if it had been created so */
            try_block(b.bytes, size);
        }
        store32(b.bytes + 8, whole);
        for (uint32_t i = 0; i < whole; i += (uint32_t)sample_step()) {
            uint8_t was = b.bytes[i];
            b.bytes[i] = 0;
            try_block(b.bytes, whole);
            b.bytes[i] = 0xFF;
            try_block(b.bytes, whole);
            for (unsigned bit = 0; bit < 8; bit++) {
                b.bytes[i] = (uint8_t)(was ^ 1u << bit);
                try_block(b.bytes, whole);
            }
            b.bytes[i] = was;
        }
        random_state r = {f + 1};
        for (int n = 0; n < (sample_step() > 1 ? 200 : 20000); n++) {
            built worse = b;
            for (uint32_t k = random_below(&r, 6) + 1; k; k--)
                worse.bytes[random_below(&r, whole)] = (uint8_t)random_next(&r);
            try_block(worse.bytes, whole);
        }
    }
}

/* Images that an edit might leave: serializing refuses, or the result can be read. */
static void every_image_is_borne(void **state) {
    (void)state;
    built b;
    mst_buffer image = {0};
    mst_sfa_block view;
    mst_diagnostic why;
    build(&b, &(options){.order = odd_order, .wide = true});
    for (int stored = 0; stored < 2; stored++) {
        if (!stored)
            build(&b, &(options){.wide = true});
        else
            build(&b, &(options){.order = odd_order, .wide = true});
        parse(b.bytes, b.size, &image, &view);
        for (size_t i = 0; i < image.size; i += sample_step())
            for (unsigned k = 0; k < 10; k++) {
                uint8_t was = image.data[i];
                image.data[i] = k == 8 ? 0 : k == 9 ? 0xFF : (uint8_t)(was ^ 1u << k);
                mst_buffer made = {0}, again = {0};
                mst_status status = mst_sfa_block_serialize(image.data, image.size, &made, &why);
                if (status == MST_OK && image.data[0] != 1)
                    MUST(mst_sfa_block_parse(made.data, made.size, WRITER(&again), &why), &why);
                else if (status != MST_OK)
                    assert_int_equal(status, MST_REFUSED);
                size_t count = 0;
                assert_int_equal(check_with(&image, ignore, &count), MST_OK);
                mst_buffer_free(&again);
                mst_buffer_free(&made);
                image.data[i] = was;
            }
        for (size_t size = 0; size < image.size; size += sample_step()) {
            uint8_t *exact = malloc(size ? size : 1);
            assert_non_null(exact);
            memcpy(exact, image.data, size);
            assert_int_equal(mst_sfa_block_view(exact, size, &view), MST_DAMAGED);
            mst_sfa_block_fix_up(image.data, image.size, exact, size);
            mst_sfa_block_fix_up(exact, size, image.data, image.size);
            free(exact);
        }
        mst_buffer_free(&image);
        image = (mst_buffer){0};
    }
}

/* Lists that all share the same data would make an image many times the size of the block. */
static void an_image_is_bounded(void **state) {
    (void)state;
    enum { LISTS = 255, DATA = 0xB8 + LISTS * 0x1C + 4, SIZE = DATA + 0xFFE0 };
    uint8_t *bytes = calloc(1, SIZE + 0x400);
    assert_non_null(bytes);
    uint32_t size = SIZE;
    store32(bytes + 0x68, 0xB8);
    bytes[0xA1] = LISTS;
    for (unsigned i = 0; i < LISTS; i++) {
        store32(bytes + 0xB8 + 0x1C * i, DATA);
        store16(bytes + 0xB8 + 0x1C * i + 4, 0xFFE0);
    }
    size = (size + 31) / 32 * 32;
    store32(bytes + 8, size);
    mst_buffer image = {0};
    mst_diagnostic why;
    assert_int_equal(mst_sfa_block_parse(bytes, size, WRITER(&image), &why), MST_DAMAGED);
    assert_string_equal(why.code, "SFA-BLOCK-OVERLAP");
    mst_buffer_free(&image);
    free(bytes);
}

static void no_memory_is_borne(void **state) {
    (void)state;
    built b;
    mst_diagnostic why;
    build(&b, &(options){.order = odd_order});
    for (size_t fail_at = 1;; fail_at++) {
        counted c = {.fail_at = fail_at};
        mst_buffer image = {.allocator = counted_allocator(&c)}, made = {.allocator = counted_allocator(&c)};
        mst_status status = mst_sfa_block_parse_raw(b.bytes, b.size, WRITER(&image), &why);
        if (status == MST_OK)
            status = mst_sfa_block_serialize(image.data, image.size, &made, &why);
        assert_int_equal(status, c.failed ? MST_NO_MEMORY : MST_OK);
        mst_buffer_free(&image);
        mst_buffer_free(&made);
        assert_int_equal(c.blocks, 0);
        if (!c.failed)
            break;
    }
    for (size_t fail_at = 1;; fail_at++) {
        counted c = {.fail_at = fail_at};
        mst_buffer image = {.allocator = counted_allocator(&c)}, made = {.allocator = counted_allocator(&c)};
        mst_status status = mst_sfa_block_parse(b.bytes, b.size, WRITER(&image), &why);
        if (status == MST_OK)
            status = mst_sfa_block_serialize(image.data, image.size, &made, &why);
        assert_int_equal(status, c.failed ? MST_NO_MEMORY : MST_OK);
        mst_buffer_free(&image);
        mst_buffer_free(&made);
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
        if (!c.failed)
            break;
    }
}

/* ---- the corpus --------------------------------------------------------------------------------- */

static const mst_json_node *member(const mst_json_node *nodes, const mst_json_node *object, const char *key) {
    uint32_t at = (uint32_t)(object - nodes) + 1;
    for (uint32_t i = 0; i < object->count; i++, at = nodes[at + 1].end)
        if (nodes[at].length == strlen(key) && memcmp(nodes[at].text, key, nodes[at].length) == 0)
            return &nodes[at + 1];
    print_error("no %s is expected\n", key);
    fail();
    return NULL;
}

static long long_of(const mst_json_node *node) {
    char text[32] = "";
    assert_int_equal(node->kind, MST_JSON_NUMBER);
    memcpy(text, node->text, node->length < 31 ? node->length : 31);
    return strtol(text, NULL, 10);
}

static void corpus_block(const mst_json_node *nodes, const mst_json_node *expected, const char *file) {
    size_t size;
    uint8_t *bytes = corpus_read(file, &size);
    mst_buffer image = {0};
    mst_sfa_block view;
    parse(bytes, size, &image, &view);
    const struct {
        const char *name;
        uint64_t found;
    } counts[] = {{"size", (unsigned)size},          {"positions", view.positions.count},
                  {"colors", view.colors.count},     {"texcoords", view.texcoords.count},
                  {"polygons", view.polygons.count}, {"groups", view.groups.count},
                  {"lists", view.list_count},        {"shaders", view.shaders.all.count}};
    for (size_t i = 0; i < MST_COUNT_OF(counts); i++)
        assert_int_equal(long_of(member(nodes, expected, counts[i].name)), counts[i].found);
    const mst_json_node *name = member(nodes, expected, "name");
    assert_int_equal(name->length, strlen(view.name));
    assert_memory_equal(name->text, view.name, name->length);
    const mst_json_node *textures = member(nodes, expected, "textures");
    assert_int_equal(textures->count, view.textures.count);
    for (unsigned i = 0; i < view.textures.count; i++)
        assert_int_equal(long_of(textures + 1 + i), mst_column_u32(&view.textures, i, 0));
    const mst_json_node *y = member(nodes, expected, "y");
    assert_int_equal(long_of(y + 1), view.y_min);
    assert_int_equal(long_of(y + 2), view.y_max);
    assert_int_equal(long_of(y + 3), view.y_offset);
    const mst_json_node *lengths = member(nodes, expected, "stream_lengths");
    for (unsigned i = 0; i < 3; i++) {
        mst_sfa_ops it = mst_sfa_stream_ops(&view, i);
        while (mst_sfa_next_op(&it))
            continue;
        unsigned length = view.streams[i].present ? (it.bits + 4 + 7) / 8 + view.streams[i].tail_size : 0;
        assert_int_equal(long_of(lengths + 1 + i), length);
    }
    assert_int_equal(member(nodes, expected, "rebuilds_exactly")->kind, MST_JSON_TRUE);
    assert_int_equal(view.original_size, 0);
    assert_folds(&image, bytes, size);
    assert_int_equal(long_of(member(nodes, expected, "derived_disagreements")), 0);
    assert_clean(&image);
    assert_tables(&image);
    mst_buffer_free(&image);
    free(bytes);
}

static void real_blocks_are_understood(void **state) {
    (void)state;
    static const char *const files[][2] = {
        {"animtest.mod6.0.block.bin", "sfa/samples/animtest.mod6.0.block.bin"},
        {"mini/animtest/mod6.0", "sfa/mini/animtest/mod6.0.block"},
        {"mini/animtest/mod6.1", "sfa/mini/animtest/mod6.1.block"},
        {"mini/animtest/mod6.2", "sfa/mini/animtest/mod6.2.block"},
        {"mini/animtest/mod6.3", "sfa/mini/animtest/mod6.3.block"},
        {"mini/shipbattle/mod14.0", "sfa/mini/shipbattle/mod14.0.block"}};
    size_t size;
    uint8_t *text = corpus_read("sfa/expected.json", &size);
    mst_arena arena;
    mst_json json;
    mst_diagnostic why;
    mst_arena_begin(&arena, NULL, 0);
    MUST(mst_json_parse((const char *)text, size, &arena, &json, &why), &why);
    for (size_t i = 0; i < MST_COUNT_OF(files); i++)
        corpus_block(json.nodes, member(json.nodes, json.nodes, files[i][0]), files[i][1]);
    mst_arena_end(&arena);
    free(text);
}

static void changes_of_a_real_block_are_borne(void **state) {
    (void)state;
    size_t size;
    uint8_t *bytes = corpus_read("sfa/samples/animtest.mod6.0.block.bin", &size);
    assert_true(try_block(bytes, size));
    for (size_t i = 0; i < size; i += sample_step()) {
        uint8_t was = bytes[i];
        bytes[i] = 0;
        try_block(bytes, size);
        bytes[i] = 0xFF;
        try_block(bytes, size);
        bytes[i] = (uint8_t)~was;
        try_block(bytes, size);
        bytes[i] = was;
    }
    free(bytes);
}

int test_sfa_block(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_describe_the_image),
        cmocka_unit_test(usual_blocks_come_back),
        cmocka_unit_test(odd_blocks_come_back),
        cmocka_unit_test(edits_go_to_their_places),
        cmocka_unit_test(raw_blocks_are_kept),
        cmocka_unit_test(a_stream_is_read_from_the_lowest_bit),
        cmocka_unit_test(damage_is_told),
        cmocka_unit_test(every_form_of_vertex),
        cmocka_unit_test(every_change_is_borne),
        cmocka_unit_test(every_image_is_borne),
        cmocka_unit_test(an_image_is_bounded),
        cmocka_unit_test(no_memory_is_borne),
        cmocka_unit_test(real_blocks_are_understood),
        cmocka_unit_test(changes_of_a_real_block_are_borne),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
