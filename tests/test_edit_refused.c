/* SPDX-License-Identifier: MIT */
/* Refused edits, many in sequence, and without memory. */
#include "../src/write/rebuild.h"
#include "edit.h"

/* ---- refused edits ----------------------------------------------------------------------------- */

typedef enum operation { SET, REMOVE, INSERT } operation;

static mst_status edit(mst_document *d, operation what, const char *path, const char *json,
                       mst_diagnostic *why) {
    return what == SET      ? mst_set(d, path, json, why)
           : what == REMOVE ? mst_remove(d, path, why)
                            : mst_insert(d, path, json, why);
}

#define SIXTEEN                                                                                              \
    "\x80\x80\x80\x80\x80\x80\x80\x80"                                                                       \
    "\x80\x80\x80\x80\x80\x80\x80\x80"

static void what_is_refused(void **state) {
    (void)state;
    static const struct {
        operation what;
        const char *path, *json;
        mst_status status;
        bool json_wanted;
    } cases[] = {
        {SET, "version", "9", MST_REFUSED, 0},
        {SET, "magic", "ABC", MST_REFUSED, 0},
        {SET, "objects[1].properties[5].component_count", "2", MST_REFUSED, 0},
        {SET, "objects[1].property_count", "2", MST_REFUSED, 0},
        {SET, "objects[1].properties[5].length", "2", MST_REFUSED, 0},
        {SET, "unknown_chunks[0].length", "2", MST_REFUSED, 0},
        {SET, "mesh.faces[0].inner_loop_count", "0", MST_REFUSED, 0},
        {SET, "mesh.triangles.face_count", "0", MST_REFUSED, 0},
        /* five bytes are not an object */
        {SET, "unknown_chunks[0].id", "1", MST_REFUSED, 0},
        {SET, "", "{}", MST_ARGUMENT, 0},
        {SET, "objects", "[]", MST_ARGUMENT, 0},
        {SET, "mesh.vertices[0:2]", "[]", MST_ARGUMENT, 0},
        {SET, "mesh.vertices[:].smooth", "1", MST_ARGUMENT, 0},
        {SET, "mesh.materials[0:2][0]", "longer than before", MST_ARGUMENT, 0},
        /* invalid UTF-8, and more bytes than the equivalent characters */
        {SET, "viewports", SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN,
         MST_ARGUMENT, 0},
        {SET, "viewports", "\xE2", MST_ARGUMENT, 0},
        {SET, "nothing", "1", MST_NO_PATH, 0},
        {SET, "objects[99].group", "1", MST_NO_PATH, 0},
        {SET, "layers[0].color[1]", "256", MST_ARGUMENT, 0},
        {SET, "layers[0].color[1]", "-1", MST_ARGUMENT, 0},
        {SET, "layers[0].color[1]", "1.5", MST_ARGUMENT, 0},
        {SET, "layers[0].color[1]", "red", MST_ARGUMENT, 0},
        {SET, "layers[0].color", "[1,2,3]", MST_ARGUMENT, 1},
        {SET, "layers[0].color", "[1,2,3,4,5]", MST_ARGUMENT, 1},
        {SET, "layers[0].color", "{}", MST_ARGUMENT, 1},
        {SET, "objects[0].group", "", MST_ARGUMENT, 0},
        {SET, "objects[0].group", "4294967296", MST_ARGUMENT, 0},
        {SET, "objects[0].class_name", "{\"$raw\":\"zz\"}", MST_ARGUMENT, 1},
        {SET, "mesh.vertices[0]", "{\"position\":[1,2,3]}", MST_ARGUMENT, 1},
        {SET, "mesh.vertices[0]", "{\"position\":[1,2,3],\"smooth\":1,\"other\":1}", MST_ARGUMENT, 1},
        {SET, "mesh.vertices[0]", "{\"position\":[1,2,3],\"smooth\":1,\"smooth\":1}", MST_ARGUMENT, 1},
        {SET, "mesh.vertices[0].position", "[1,2,\"x\"]", MST_ARGUMENT, 1},
        {SET, "unknown_chunks[0].data", "integer", MST_ARGUMENT, 1},
        {SET, "unknown_chunks[0].data", "\"0\"", MST_ARGUMENT, 1},
        {SET, "mesh.faces[1].loops", "[]", MST_REFUSED, 1},
        {SET, "objects[1].properties[4].type", "string", MST_REFUSED, 1},
        /* these would lose the content of other fields */
        {SET, "objects[1].properties[4].type", "11", MST_REFUSED, 1},
        {SET, "objects[1].properties[4].animated", "true", MST_REFUSED, 1},
        {SET, "objects[1].properties[4].animated", "1", MST_REFUSED, 1},
        {SET, "objects[1].properties[4].id", "1", MST_REFUSED, 1},
        {SET, "editor_settings[0].id", "5", MST_REFUSED, 1},
        {REMOVE, "", NULL, MST_ARGUMENT, 0},
        {REMOVE, "version", NULL, MST_REFUSED, 0},
        {REMOVE, "objects[0].class_name", NULL, MST_REFUSED, 0},
        {REMOVE, "objects[0].layer_masks", NULL, MST_REFUSED, 0},
        {REMOVE, "layers[0].color[1]", NULL, MST_REFUSED, 0},
        {REMOVE, "mesh.vertices[0].position[0]", NULL, MST_REFUSED, 0},
        {REMOVE, "mesh.faces[1].loops[0]", NULL, MST_REFUSED, 0},
        {REMOVE, "objects", NULL, MST_ARGUMENT, 0},
        {REMOVE, "mesh.vertices[:]", NULL, MST_ARGUMENT, 0},
        {REMOVE, "mesh.materials[0:2][0]", NULL, MST_ARGUMENT, 0},
        {REMOVE, "objects[0:2][0]", NULL, MST_ARGUMENT, 0},
        {REMOVE, "objects[11]", NULL, MST_NO_PATH, 0},
        {INSERT, "layers[0].color[0]", "1", MST_REFUSED, 0},
        {INSERT, "mesh.vertices[0].position[3]", "1", MST_REFUSED, 0},
        {INSERT, "layers[3]", "{}", MST_NO_PATH, 0},
        {INSERT, "layers[99999999999999999999999999]", "{}", MST_NO_PATH, 0},
        {INSERT, "layers", "{}", MST_ARGUMENT, 0},
        {INSERT, "layers[x]", "{}", MST_ARGUMENT, 0},
        {INSERT, "layers[]", "{}", MST_ARGUMENT, 0},
        {INSERT, "", "{}", MST_ARGUMENT, 0},
        {INSERT, "version[0]", "1", MST_ARGUMENT, 0},
        {INSERT, "nothing[0]", "1", MST_NO_PATH, 0},
        {INSERT, "layers[0]", "{\"nonsense\":1}", MST_ARGUMENT, 1},
        {INSERT, "layers[0]", "[]", MST_ARGUMENT, 1},
        {INSERT, "mesh.vertices[0]", "7", MST_ARGUMENT, 1},
        {INSERT, "objects[0]", "{\"class_name\":[]}", MST_ARGUMENT, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        session s;
        mst_diagnostic why;
        level_plan plan = {.chunk_in_level = true};
        if (cases[i].json_wanted && !can_read_json())
            continue;
        begin(&s, &plan);
        mst_status status = edit(s.d, cases[i].what, cases[i].path, cases[i].json, &why);
        if (status != cases[i].status) {
            char text[700] = "";
            if (status != MST_OK)
                mst_diagnostic_text(&why, text, sizeof text);
            print_error("%s = %s: %s: %s\n", cases[i].path, cases[i].json, mst_status_text(status), text);
        }
        assert_int_equal(status, cases[i].status);
        assert_int_equal(why.status, cases[i].status);
        assert_true(why.message[0] != 0);
        assert_same_bytes(s.d, s.w.data, s.w.size);
        assert_false(mst_is_edited(s.d));
        assert_marks(s.d, &s.w);
        /* without a diagnosis as well */
        assert_int_equal(edit(s.d, cases[i].what, cases[i].path, cases[i].json, NULL), cases[i].status);
        end(&s);
    }
}

/* A chunk is not turned into another field by its id, nor by the data before it. */
static void chunks_keep_their_meaning(void **state) {
    (void)state;
    NEED_JSON();
    static const char text[] = "{\"$format\":\"ns2-level\",\"version\":10,\"mesh\":{},\"unknown_chunks\":["
                               "{\"id\":99,\"data\":\"00000000\"},{\"id\":2,\"data\":\"\"}]}";
    mst_document *d;
    mst_diagnostic why;
    MUST(mst_open_json(text, sizeof text - 1, NULL, &d, &why), &why);
    assert_int_equal(mst_set(d, "unknown_chunks[0].id", "5", &why), MST_REFUSED); /* groups: a missing one */
    assert_int_equal(mst_insert(d, "unknown_chunks[0]", "{\"id\":3,\"data\":\"00000000\"}", &why),
                     MST_REFUSED);
    assert_int_equal(mst_remove(d, "mesh", &why), MST_REFUSED); /* there is a second one */
    assert_false(mst_is_edited(d));
    MUST(mst_set(d, "unknown_chunks[0].id", "98", &why), &why);
    MUST(mst_insert(d, "unknown_chunks[2]", "{\"id\":2,\"data\":\"\"}", &why), &why);
    MUST(mst_remove(d, "unknown_chunks[1]", &why), &why);
    MUST(mst_remove(d, "unknown_chunks[1]", &why), &why);
    MUST(mst_remove(d, "mesh", &why), &why);
    assert_json_at(d, "unknown_chunks", "[{\"id\":98,\"data\":\"00000000\"}]");
    mst_close(d);
}

/* ---- many edits in sequence -------------------------------------------------------------------- */

static void random_edits(void **state) {
    (void)state;
    NEED_JSON();
    static const char *const values[] = {
        "0",   "1",       "4294967295", "-1", "0.5",     "\"text\"", "\"\"",    "true",     "none",      "[]",
        "[1]", "[1,2,3]", "\"NaN\"",    "{}", "[\"a\"]", "null",     "integer", "\"00ff\"", "[[],[],[]]"};
    for (unsigned version = 4; version <= 10; version += 3) {
        session s;
        random_state r = {version};
        level_plan plan = {.version = version, .everything = true};
        begin(&s, &plan);
        unsigned done = 0, turns = sample_step() > 1 ? 80 : 400;
        for (unsigned turn = 0; turn < turns; turn++) {
            char path[140];
            const mark *m = &s.w.marks[random_below(&r, (uint32_t)s.w.mark_count)];
            operation what = random_below(&r, 2) ? SET : random_below(&r, 2) ? INSERT : REMOVE;
            snprintf(path, sizeof path, "%s", m->path);
            char *bracket = strrchr(path, '[');
            if (bracket && what != SET && random_below(&r, 3)) /* the element itself, not its content */
                bracket[strcspn(bracket, "]") + 1] = 0;
            size_t size;
            mst_value value;
            mst_diagnostic why;
            uint8_t *before = copy_bytes(s.d, &size);
            char *copy = NULL;
            if (random_below(&r, 2) && mst_find(mst_root(s.d), path, &value, NULL) == MST_OK)
                copy = json_at(s.d, path);
            const char *json = copy ? copy : values[random_below(&r, sizeof values / sizeof *values)];
            mst_status status = edit(s.d, what, path, json, &why);
            if (status == MST_OK) {
                done++;
                assert_tiled(s.d);
                assert_encodes(s.d);
                if (turn % 20 == 0)
                    assert_sound(s.d);
            } else {
                if (status == MST_NO_MEMORY || status == MST_DAMAGED)
                    print_error("%s = %s: %s %s\n", path, json, why.message, why.path);
                assert_true(status == MST_NO_PATH || status == MST_ARGUMENT || status == MST_REFUSED);
                assert_same_bytes(s.d, before, size);
            }
            free(copy);
            free(before);
        }
        assert_true(done > turns / 8);
        assert_sound(s.d);
        end(&s);
    }
}

static void edited_documents_are_saved(void **state) {
    (void)state;
    session s;
    mst_diagnostic why;
    mst_buffer saved = {0};
    level_plan plan = {0};
    begin(&s, &plan);
    MUST(mst_set(s.d, "objects[0].class_name", "a_longer_class_name", &why), &why);
    MUST(mst_save(s.d, mst_buffer_sink(&saved), &why), &why);
    assert_same_bytes(s.d, saved.data, saved.size);
    mst_buffer_free(&saved);
    end(&s);
}

/* ---- memory ------------------------------------------------------------------------------------ */

typedef enum job {
    JOB_OPEN,
    JOB_SET,
    JOB_SET_FLAG,
    JOB_INSERT,
    JOB_REMOVE,
    JOB_JSON,
    JOB_OPEN_JSON,
    JOB_CHECK,
    JOB_ENCODE,
    JOBS
} job;

static mst_status work(job what, mst_document *d, const mst_allocator *allocator, const mst_buffer *text,
                       mst_diagnostic *why) {
    mst_buffer out = {.allocator = *allocator};
    mst_value root;
    mst_document *made = NULL;
    mst_open_options options = {.size = sizeof options, .allocator = *allocator};
    mst_status status = MST_OK;
    switch (what) {
    case JOB_SET: return mst_set(d, "objects[1].class_name", "quite_another_name", why);
    case JOB_SET_FLAG: return mst_set(d, "objects[2].has_layers", "true", why);
    case JOB_INSERT: return mst_insert(d, "mesh.vertices[2]", "{\"position\":[1,2,3],\"smooth\":1}", why);
    case JOB_REMOVE: return mst_remove(d, "objects[3]", why);
    case JOB_JSON:
        root = mst_root(d);
        status = mst_write_json(&root, NULL, mst_buffer_sink(&out), why);
        break;
    case JOB_OPEN_JSON:
        status = mst_open_json((const char *)text->data, text->size, &options, &made, why);
        mst_close(made);
        break;
    case JOB_CHECK: status = mst_check(d, NULL, NULL, NULL, NULL, why); break;
    case JOB_ENCODE: status = mst_encode(d, mst_buffer_sink(&out), why); break;
    default: break;
    }
    if (out.data)
        allocator->resize(allocator->user, out.data, out.capacity, 0);
    return status;
}

/* Each allocation of each task fails once: it is reported, nothing leaks and nothing changes. */
static void every_allocation_fails(void **state) {
    (void)state;
    bool json = can_read_json();
    writer w = {0};
    level_plan plan = {.everything = true};
    write_level(&w, &plan);
    mst_buffer text = {0};
    mst_document *d;
    mst_diagnostic why;
    MUST(mst_open_memory(w.data, w.size, NULL, &d, &why), &why);
    mst_value root = mst_root(d);
    MUST(mst_write_json(&root, NULL, mst_buffer_sink(&text), &why), &why);
    mst_close(d);
    for (int what = 0; what < JOBS; what++) {
        if (!json && (what == JOB_SET_FLAG || what == JOB_INSERT || what == JOB_OPEN_JSON))
            continue;
        size_t failures = 0;
        /* first it fails once (an arena then tries a smaller block), then for good */
        for (size_t turn = 0;; turn++) {
            size_t fail_at = turn / 2 + 1;
            counted c = {.for_good = turn % 2 == 1};
            mst_open_options options = {.size = sizeof options, .allocator = counted_allocator(&c)};
            if (what == JOB_OPEN)
                c.fail_at = fail_at;
            mst_status status = mst_open_memory(w.data, w.size, &options, &d, &why);
            if (status == MST_OK && what != JOB_OPEN) {
                c.calls = 0;
                c.fail_at = fail_at;
                status = work((job)what, d, &options.allocator, &text, &why);
            }
            if (c.failed && (status != MST_OK || c.for_good)) {
                failures++;
                if (status != MST_NO_MEMORY)
                    print_error("job %d, allocation %zu: %s\n", what, fail_at, mst_status_text(status));
                assert_int_equal(status, MST_NO_MEMORY);
                assert_int_equal(why.status, MST_NO_MEMORY);
                assert_true(why.message[0] != 0);
            } else {
                MUST(status, &why);
            }
            if (what == JOB_OPEN && status != MST_OK) {
                assert_null(d);
            } else if (status != MST_OK) {
                c.fail_at = 0;
                assert_same_bytes(d, w.data, w.size);
                assert_false(mst_is_edited(d));
                assert_encodes(d);
            }
            mst_close(d);
            assert_int_equal(c.blocks, 0);
            assert_int_equal(c.bytes, 0);
            assert_false(c.wrong);
            if (!c.failed)
                break;
            assert_true(fail_at < 10000);
        }
        assert_true(failures > 0);
    }
    mst_buffer_free(&text);
    writer_free(&w);
}

static void budgets(void **state) {
    (void)state;
    session s;
    level_plan plan = {0};
    begin(&s, &plan);
    counted c = {0};
    mst_document *d;
    mst_diagnostic why;
    mst_open_options options = {.size = sizeof options, .allocator = counted_allocator(&c), .budget = 1};
    assert_int_equal(mst_open_memory(s.w.data, s.w.size, &options, &d, &why), MST_NO_MEMORY);
    assert_null(d);
    assert_int_equal(c.blocks, 0);
    options.budget = 0;
    MUST(mst_open_memory(s.w.data, s.w.size, &options, &d, &why), &why);
    assert_int_equal(mst_document_memory(d), c.bytes);
    assert_true(c.bytes < 16 * s.w.size + (1u << 20));
    MUST(mst_set(d, "objects[0].class_name", "x", &why), &why);
    assert_int_equal(mst_document_memory(d), c.bytes);
    mst_close(d);
    mst_close(NULL);
    assert_int_equal(c.blocks, 0);
    end(&s);
}

/* The first chunk of an empty list is added at the end, and the last one may be removed again. */
static void first_of_a_list(void **state) {
    (void)state;
    static const uint8_t bytes[4] = {'L', 'V', 'L', 10};
    static const char object[] = "{\"has_layers\":false,\"group\":\"none\",\"class_name\":\"a\","
                                 "\"properties\":[],\"extras\":[]}";
    if (!can_read_json())
        skip();
    mst_document *d;
    mst_diagnostic why;
    MUST(mst_open_memory(bytes, sizeof bytes, NULL, &d, &why), &why);
    MUST(mst_insert(d, "objects[0]", object, &why), &why);
    MUST(mst_insert(d, "objects[1]", object, &why), &why);
    size_t size;
    mst_document_bytes(d, &size);
    /* id, length, has_layers, group, length of the name, name, two counts */
    assert_int_equal(size, 4 + 2 * (4 + 4 + 4 + 4 + 4 + 1 + 4 + 4));
    MUST(mst_remove(d, "objects[0]", &why), &why);
    MUST(mst_remove(d, "objects[0]", &why), &why);
    const void *now = mst_document_bytes(d, &size);
    assert_int_equal(size, sizeof bytes);
    assert_memory_equal(now, bytes, sizeof bytes);
    mst_close(d);
}

int test_edit_refused(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_refused),        cmocka_unit_test(chunks_keep_their_meaning),
        cmocka_unit_test(random_edits),           cmocka_unit_test(edited_documents_are_saved),
        cmocka_unit_test(every_allocation_fails), cmocka_unit_test(budgets),
        cmocka_unit_test(first_of_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
