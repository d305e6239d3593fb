/* SPDX-License-Identifier: MIT */
/*
 * Exhausted memory. Every operation that takes memory from an allocator is repeated while the allocator
 * refuses its first request, its second, and so on, once or from there on, until nothing is refused. A
 * refused operation reports it, leaks nothing and changes nothing.
 *
 * Memory that libraries take by malloc (libspng, expat, libarchive) is not refused here.
 */
#include "../src/write/rebuild.h"
#include "fixture_files.h"
#include "fuzz/sample.c"
#include "go_through.h"

/* ---- one operation, refused at each of its requests -------------------------------------------- */

typedef struct work {
    const test_file *of;
    const mst_resolver *sidecars;
    counted memory;
    mst_document *document; /* opened with `memory`; NULL for operations that open one */
    mst_scene *scene;
    mst_buffer out;   /* of operations that write */
    const char *text; /* JSON to read, or the value of an edit */
    size_t text_size;
    const char *path; /* of an edit */
    mst_convert_options convert;
    mst_view view;
    uint64_t findings;
} work;

typedef mst_status (*operation)(work *w, mst_diagnostic *why);

static const char *doing = "";
static uint64_t refusals;

static void assert_told(mst_status status, const mst_diagnostic *why, const work *w, size_t fail_at,
                        bool for_good) {
    if (status != MST_NO_MEMORY || why->status != MST_NO_MEMORY || !why->message[0])
        print_error("%s of %s, request %zu%s: %s, told: %s, \"%.200s\"\n", doing, w->of->name, fail_at,
                    for_good ? " and all after it" : "", mst_status_text(status),
                    mst_status_text(why->status), why->message);
    assert_int_equal(status, MST_NO_MEMORY);
    assert_int_equal(why->status, MST_NO_MEMORY);
    assert_true(why->message[0] != 0);
    assert_non_null(memchr(why->message, 0, sizeof why->message));
}

/* The step between the requests tried: all of small documents, some of the others. */
static size_t step_of(const work *w, size_t calls) {
    size_t max = w->of->small ? 400 : 12, step = calls / max + 1;
    return step * sample_step();
}

/* Runs it with every request refused; at the end it is run once more without failures, and its output is then
 * the usual one. `w->document` and `w->scene` are unchanged. Returns the status of a run without failures.
 */
static mst_status refuse(const char *name, work *w, operation what) {
    doing = name;
    mst_diagnostic why;
    mst_place place;
    w->memory.fail_at = 0;
    if (w->document) /* which caches the origin of its bytes after the first query */
        MUST(mst_place_of(w->document, 0, 0, &place), NULL);
    size_t blocks = w->memory.blocks, bytes = w->memory.bytes;
    size_t before = w->memory.calls;
    w->out = (mst_buffer){.allocator = counted_allocator(&w->memory)};
    mst_status peace = what(w, &why);
    mst_buffer wanted = w->out;
    size_t calls = w->memory.calls - before, step = step_of(w, calls);
    for (int for_good = 0; for_good < 2; for_good++) {
        for (size_t n = 1; n <= calls; n += step) {
            size_t held_blocks = w->memory.blocks, held = w->memory.bytes;
            w->memory.fail_at = w->memory.calls + n;
            w->memory.for_good = for_good;
            w->memory.failed = false;
            w->out = (mst_buffer){.allocator = counted_allocator(&w->memory)};
            memset(&why, 0, sizeof why);
            mst_status status = what(w, &why);
            refusals += w->memory.failed;
            if (status != MST_OK && status != peace)
                assert_told(status, &why, w, n, for_good);
            else if (status == MST_OK && wanted.size) { /* it found another way */
                if (w->out.size != wanted.size)
                    print_error("%s of %s, request %zu: another result\n", name, w->of->name, n);
                assert_int_equal(w->out.size, wanted.size);
                assert_memory_equal(w->out.data, wanted.data, wanted.size);
            }
            w->memory.fail_at = 0;
            mst_buffer_free(&w->out);
            if (w->memory.wrong || w->memory.blocks != held_blocks)
                print_error("%s of %s, request %zu: %zu blocks, were %zu\n", name, w->of->name, n,
                            w->memory.blocks, held_blocks);
            assert_false(w->memory.wrong);
            assert_int_equal(w->memory.blocks, held_blocks);
            assert_int_equal(w->memory.bytes, held);
        }
    }
    w->memory.for_good = false;
    mst_buffer_free(&wanted);
    w->out = (mst_buffer){0};
    assert_int_equal(w->memory.blocks, blocks);
    assert_int_equal(w->memory.bytes, bytes);
    return peace;
}

/* ---- the operations ---------------------------------------------------------------------------- */

static mst_open_options options_of(work *w) {
    return (mst_open_options){.size = sizeof(mst_open_options),
                              .name = w->of->name,
                              .sidecars = w->sidecars,
                              .allocator = counted_allocator(&w->memory)};
}

static mst_status do_open(work *w, mst_diagnostic *why) {
    mst_document *document;
    mst_open_options options = options_of(w);
    mst_status status = mst_open_memory(w->of->bytes, w->of->size, &options, &document, why);
    if (status == MST_OK) {
        size_t size;
        const void *bytes = mst_document_file(document, 0, NULL, &size);
        bool first = size == w->of->size && memcmp(bytes, w->of->bytes, size) == 0;
        if (!first && mst_document_file_count(document) == 2) { /* it is the second of two */
            bytes = mst_document_file(document, 1, NULL, &size);
            first = size == w->of->size && memcmp(bytes, w->of->bytes, size) == 0;
        }
        assert_true(first);
        mst_place place;
        mst_status placed = mst_place_of(document, 0, 1, &place);
        assert_true(placed == MST_OK || (placed == MST_NO_MEMORY && w->memory.failed));
    } else {
        assert_null(document);
    }
    mst_close(document);
    return status;
}

static mst_status do_salvage(work *w, mst_diagnostic *why) {
    mst_document *document;
    mst_open_options options = options_of(w);
    options.salvage = 1;
    mst_status status =
        mst_open_memory(w->of->bytes, w->of->size - w->of->size / 3, &options, &document, why);
    mst_close(document);
    return status;
}

static mst_status do_save(work *w, mst_diagnostic *why) {
    return mst_save(w->document, mst_buffer_sink(&w->out), why);
}
static mst_status do_encode(work *w, mst_diagnostic *why) {
    return mst_encode(w->document, mst_buffer_sink(&w->out), why);
}
static mst_status do_account(work *w, mst_diagnostic *why) {
    mst_ledger ledger;
    return mst_byte_coverage(w->document, &ledger, why);
}
static mst_status do_rebuild(work *w, mst_diagnostic *why) {
    mst_document *made;
    mst_status status = mst_rebuild(w->document, &made, why);
    mst_close(made);
    return status;
}
static mst_status do_write_json(work *w, mst_diagnostic *why) {
    mst_value root = mst_root(w->document);
    return mst_write_json(&root, NULL, mst_buffer_sink(&w->out), why);
}
static mst_status do_read_json(work *w, mst_diagnostic *why) {
    mst_document *made;
    mst_open_options options = options_of(w);
    mst_status status = mst_open_json(w->text, w->text_size, &options, &made, why);
    mst_close(made);
    return status;
}

static mst_status count_finding(void *user, const mst_diagnostic *finding) {
    ++*(uint64_t *)user;
    assert_true(finding->message[0] != 0);
    return MST_OK;
}
static mst_status do_check(work *w, mst_diagnostic *why) {
    mst_check_options options = {.size = sizeof options, .information = 1, .sidecars = w->sidecars};
    return mst_check(w->document, &options, count_finding, &w->findings, NULL, why);
}

static mst_status do_convert(work *w, mst_diagnostic *why) {
    mst_document *made;
    mst_status status = mst_convert(w->document, &w->convert, NULL, NULL, &made, why);
    mst_close(made);
    return status;
}

static mst_status do_scene(work *w, mst_diagnostic *why) {
    mst_scene *scene;
    mst_scene_options options = {
        .size = sizeof options, .allocator = counted_allocator(&w->memory), .sidecars = w->sidecars};
    mst_status status = mst_scene_from_document(w->document, &options, &scene, why);
    mst_scene_free(scene);
    return status;
}
static mst_status do_glb(work *w, mst_diagnostic *why) {
    return mst_scene_write_glb(w->scene, NULL, mst_buffer_sink(&w->out), why);
}
static mst_status do_gltf(work *w, mst_diagnostic *why) {
    return mst_scene_write_gltf(w->scene, NULL, NULL, mst_buffer_sink(&w->out), (mst_sink){NULL, NULL}, why);
}
static mst_status do_picture(work *w, mst_diagnostic *why) {
    mst_pixels picture = {.allocator = counted_allocator(&w->memory)};
    mst_picture_options options = {
        .size = sizeof options, .view = w->view, .width = 160, .height = 120, .tags = 1};
    mst_status status = mst_scene_draw(w->scene, &options, &picture, why);
    if (status == MST_OK)
        status = mst_pixels_write_png(&picture, mst_buffer_sink(&w->out), why);
    mst_pixels_free(&picture);
    return status;
}
static mst_status do_describe(work *w, mst_diagnostic *why) {
    return mst_describe(w->document, "triggers", NULL, mst_buffer_sink(&w->out), why);
}

static mst_status do_content(work *w, mst_diagnostic *why) {
    mst_value value;
    mst_document *content;
    mst_open_options options = {.size = sizeof options, .allocator = counted_allocator(&w->memory)};
    mst_status status = mst_find(mst_root(w->document), w->path, &value, why);
    if (status != MST_OK)
        return status;
    status = mst_open_content(&value, &options, &content, why);
    mst_close(content);
    return status;
}

/* ---- edits ------------------------------------------------------------------------------------- */

typedef enum edit_kind { EDIT_SET, EDIT_INSERT, EDIT_REMOVE } edit_kind;

static mst_status edit(mst_document *document, edit_kind kind, const char *path, const char *json,
                       mst_diagnostic *why) {
    switch (kind) {
    case EDIT_SET: return mst_set(document, path, json, why);
    case EDIT_INSERT: return mst_insert(document, path, json, why);
    default: return mst_remove(document, path, why);
    }
}

/* The files of a document, kept; `edited` as well. */
typedef struct kept {
    uint8_t *bytes[2];
    size_t sizes[2], count;
    int edited;
} kept;
static kept state_of(const mst_document *document) {
    kept was = {.count = mst_document_file_count(document), .edited = mst_is_edited(document)};
    for (size_t i = 0; i < was.count; i++) {
        const void *bytes = mst_document_file(document, i, NULL, &was.sizes[i]);
        was.bytes[i] = malloc(was.sizes[i] + 1);
        assert_non_null(was.bytes[i]);
        if (was.sizes[i])
            memcpy(was.bytes[i], bytes, was.sizes[i]);
    }
    return was;
}
static void assert_state(const mst_document *document, const kept *was) {
    assert_int_equal(mst_is_edited(document), was->edited);
    for (size_t i = 0; i < was->count; i++) {
        size_t size;
        const void *bytes = mst_document_file(document, i, NULL, &size);
        assert_int_equal(size, was->sizes[i]);
        if (size)
            assert_memory_equal(bytes, was->bytes[i], size);
    }
}
static void state_free(kept *was) {
    free(was->bytes[0]);
    free(was->bytes[1]);
}

/* The edit with its first request refused, its second, and so on, on the same document until it succeeds: a
 * document is intact after a failed edit. */
static void refuse_edit(work *w, edit_kind kind, bool for_good) {
    static const char *const names[] = {"set", "insert", "remove"};
    char label[320];
    mst_document *document;
    mst_diagnostic why;
    counted c = {0};
    mst_open_options options = options_of(w);
    snprintf(label, sizeof label, "%s %s", names[kind], w->path);
    doing = label;
    options.allocator = counted_allocator(&c);
    MUST(mst_open_memory(w->of->bytes, w->of->size, &options, &document, &why), &why);
    kept was = state_of(document);
    size_t step = w->of->small ? sample_step() : 7 * sample_step();
    for (size_t n = 1;; n += step) {
        memset(&why, 0, sizeof why);
        c.fail_at = c.calls + n;
        c.for_good = for_good;
        c.failed = false;
        mst_status status = edit(document, kind, w->path, w->text, &why);
        c.fail_at = 0;
        if (status == MST_OK)
            break;
        refusals++;
        assert_true(c.failed);
        assert_told(status, &why, w, n, for_good);
        assert_state(document, &was);
    }
    mst_value root = mst_root(document);
    mst_buffer text = {0};
    MUST(mst_write_json(&root, NULL, mst_buffer_sink(&text), &why), &why);
    mst_buffer_free(&text);
    mst_close(document);
    assert_int_equal(c.blocks, 0);
    assert_false(c.wrong);
    state_free(&was);
}

/* Some valid edits of every kind. */
static void edits(work *w) {
    fuzz_random random = {w->of->size};
    fuzz_sample *sample = malloc(sizeof *sample);
    assert_non_null(sample);
    unsigned done[3] = {0, 0, 0}, max = w->of->small ? 4 : 1;
    for (int round = 0; round < 4; round++) {
        mst_document *document;
        mst_open_options options = {.size = sizeof options, .name = w->of->name, .sidecars = w->sidecars};
        mst_diagnostic why;
        MUST(mst_open_memory(w->of->bytes, w->of->size, &options, &document, &why), &why);
        assert_int_equal(fuzz_take_sample(document, &random, false, sample), MST_OK);
        for (size_t i = 0; i < sample->count; i++) {
            const fuzz_thing *thing = &sample->things[i];
            for (edit_kind kind = EDIT_SET; kind <= EDIT_REMOVE; kind++) {
                mst_value value;
                size_t size;
                if (done[kind] >= max || !thing->path[0] ||
                    mst_find(mst_root(document), thing->path, &value, NULL) != MST_OK)
                    continue;
                if (kind == EDIT_INSERT && thing->index == UINT64_MAX)
                    continue;
                char *json = fuzz_json_of(&value, true, &size);
                mst_document *copy;
                MUST(mst_open_memory(w->of->bytes, w->of->size, &options, &copy, &why), &why);
                if (json && size < 16384 && edit(copy, kind, thing->path, json, NULL) == MST_OK) {
                    w->path = thing->path;
                    w->text = json;
                    refuse_edit(w, kind, false);
                    refuse_edit(w, kind, true);
                    done[kind]++;
                }
                mst_close(copy);
                free(json);
            }
        }
        mst_close(document);
    }
    free(sample);
}

/* ---- all of it --------------------------------------------------------------------------------- */

static void all_of(const test_file *of, bool with_edits) {
    work w = {.of = of};
    mst_diagnostic why;
    mst_search *search = NULL;
    mst_resolver resolver;
    if (of->directory[0]) {
        MUST(mst_search_create(NULL, &search), NULL);
        MUST(mst_search_add(search, of->directory, &why), &why);
        resolver = mst_search_resolver(search);
        w.sidecars = &resolver;
    }
    refuse("salvaging", &w, do_salvage);
    if (refuse("opening", &w, do_open) == MST_OK) {
        mst_open_options options = options_of(&w);
        MUST(mst_open_memory(of->bytes, of->size, &options, &w.document, &why), &why);
        refuse("saving", &w, do_save);
        refuse("encoding", &w, do_encode);
        refuse("the ledger", &w, do_account);
        refuse("rebuilding", &w, do_rebuild);
        refuse("writing JSON", &w, do_write_json);
        refuse("checking", &w, do_check);
        refuse("describing", &w, do_describe);
        static const char *const content[] = {"blocks[0]", "blocks[1]"};
        for (size_t i = 0; i < 2; i++) {
            w.path = content[i];
            refuse("opening content", &w, do_content);
        }
        mst_value root = mst_root(w.document);
        w.text = fuzz_json_of(&root, false, &w.text_size);
        assert_non_null(w.text);
        refuse("reading JSON", &w, do_read_json);
        free((char *)(uintptr_t)w.text);
        static const mst_convert_options to[] = {
            {.byte_order = "big", .allow_loss = 1},
            {.byte_order = "little", .allow_loss = 1},
            {.has_version = 1, .version = 0, .allow_loss = 1},
            {.has_version = 1, .version = 7, .allow_loss = 1},
            {.has_version = 1, .version = 15, .allow_loss = 1},
        };
        for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
            w.convert = to[i];
            w.convert.size = sizeof w.convert;
            refuse("converting", &w, do_convert);
        }
        if (refuse("the scene", &w, do_scene) == MST_OK) {
            mst_scene_options how = {
                .size = sizeof how, .allocator = counted_allocator(&w.memory), .sidecars = w.sidecars};
            MUST(mst_scene_from_document(w.document, &how, &w.scene, &why), &why);
            refuse("GLB", &w, do_glb);
            refuse("glTF", &w, do_gltf);
            for (w.view = MST_VIEW_ABOVE; w.view <= MST_VIEW_DIMETRIC; w.view++)
                refuse("a picture", &w, do_picture);
            mst_scene_free(w.scene);
        }
        mst_close(w.document);
        if (with_edits)
            edits(&w);
    }
    assert_int_equal(w.memory.blocks, 0);
    assert_int_equal(w.memory.bytes, 0);
    assert_false(w.memory.wrong);
    mst_search_free(search);
}

static void test_small(void **state) {
    (void)state;
    test_files all = files_small();
    refusals = 0;
    for (size_t i = 0; i < all.count; i++)
        all_of(&all.items[i], true);
    print_message("# %zu documents, %llu requests refused\n", all.count, (unsigned long long)refusals);
    assert_true(refusals > 1000 / sample_step());
    files_free(&all);
}

static void test_samples(void **state) {
    (void)state;
    test_files all = {NULL, 0};
    refusals = 0;
    files_of_samples(&all);
    for (size_t i = 0; i < all.count; i++)
        all_of(&all.items[i], sample_step() == 1);
    print_message("# %zu documents, %llu requests refused\n", all.count, (unsigned long long)refusals);
    files_free(&all);
}

static void test_corpus(void **state) {
    (void)state;
    test_files all = {NULL, 0};
    files_of_corpus(&all, 65536);
    if (!all.count) {
        print_message("# no corpus found (MAPSTONE_CORPUS)\n");
        skip();
    }
    refusals = 0;
    for (size_t i = 0; i < all.count; i += sample_step())
        all_of(&all.items[i], i % 4 == 0);
    print_message("# %zu documents, %llu requests refused\n", all.count, (unsigned long long)refusals);
    files_free(&all);
}

/* Nested records: their ends are recorded when they are opened, which may also find no memory. */
static void test_nested(void **state) {
    (void)state;
    writer w = {0};
    put_nested_inventories(&w, 40);
    test_file of = {.name = "7_3_5.DAT", .bytes = w.data, .size = w.size, .small = true};
    refusals = 0;
    all_of(&of, true);
    print_message("# %llu requests refused\n", (unsigned long long)refusals);
    assert_true(refusals > 100 / sample_step());
    writer_free(&w);
}

/* Values are handles: iterating over them takes nothing from the allocator, so it cannot fail. */
static void assert_no_requests(const test_file *of, size_t nested) {
    counted c = {0};
    mst_open_options options = {.size = sizeof options, .name = of->name, .allocator = counted_allocator(&c)};
    mst_document *document;
    if (mst_open_memory(of->bytes, of->size, &options, &document, NULL) != MST_OK)
        return; /* its other file is missing */
    size_t calls = c.calls;
    c.fail_at = calls + 1;
    c.for_good = true;
    gone_through seen = go_through(document);
    if (c.calls != calls)
        print_error("%s: %zu requests for memory\n", of->name, c.calls - calls);
    assert_int_equal(c.calls, calls);
    if (nested) { /* lists and records of each level, and nothing left out after them */
        assert_int_equal(seen.records, nested);
        assert_int_equal(seen.deepest, 2 * nested + 1 + 1);
        assert_int_equal(seen.end, of->size);
    }
    mst_close(document);
    assert_int_equal(c.blocks, 0);
}

static void test_values(void **state) {
    (void)state;
    test_files all = files_small();
    files_of_samples(&all);
    files_of_corpus(&all, 65536);
    for (size_t i = 0; i < all.count; i++)
        assert_no_requests(&all.items[i], 0);
    files_free(&all);
    for (size_t levels = 1; levels < 200; levels += levels / 3 + 1) {
        writer w = {0};
        put_nested_inventories(&w, levels);
        test_file of = {.name = "7_3_5.DAT", .bytes = w.data, .size = w.size};
        assert_no_requests(&of, levels);
        writer_free(&w);
    }
}

/* The schema of one format is read by a library that uses malloc: our own requests are refused. */
static mst_status do_schema(work *w, mst_diagnostic *why) {
    static const char schema[] = "<editor_setup><class_settings><class class=\"light_point\">"
                                 "<prop name=\"origin\" type=\"1\"/></class></class_settings></editor_setup>";
    mst_check_options options = {
        .size = sizeof options, .information = 1, .schema = schema, .schema_size = sizeof schema - 1};
    return mst_check(w->document, &options, count_finding, &w->findings, NULL, why);
}

static void test_schema(void **state) {
    (void)state;
    test_files all = files_small();
    work w = {.of = &all.items[0]};
    mst_open_options options = options_of(&w);
    mst_diagnostic why;
    MUST(mst_open_memory(w.of->bytes, w.of->size, &options, &w.document, &why), &why);
    refuse("checking with a schema", &w, do_schema);
    mst_close(w.document);
    assert_int_equal(w.memory.blocks, 0);
    files_free(&all);
}

/* A budget in place of a refusing allocator: the limit of a document's memory is set beforehand. */
static void test_budgets(void **state) {
    (void)state;
    test_files all = files_small();
    for (size_t i = 0; i < all.count; i++) {
        const test_file *of = &all.items[i];
        for (size_t budget = 1;; budget += budget / 4 + 1) {
            counted c = {0};
            mst_document *document;
            mst_diagnostic why;
            mst_open_options options = {.size = sizeof options,
                                        .name = of->name,
                                        .budget = budget,
                                        .allocator = counted_allocator(&c)};
            mst_status status = mst_open_memory(of->bytes, of->size, &options, &document, &why);
            if (status != MST_OK) {
                assert_int_equal(status, MST_NO_MEMORY);
                assert_int_equal(why.status, MST_NO_MEMORY);
                assert_true(why.message[0] != 0);
            }
            mst_close(document);
            assert_int_equal(c.blocks, 0);
            if (status == MST_OK)
                break;
            assert_true(budget < 16 * of->size + (1u << 20));
        }
    }
    files_free(&all);
}

int test_memory_failure(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),  cmocka_unit_test(test_samples), cmocka_unit_test(test_corpus),
        cmocka_unit_test(test_schema), cmocka_unit_test(test_budgets), cmocka_unit_test(test_nested),
        cmocka_unit_test(test_values),
    };
    return cmocka_run_group_tests_name("memory failure", tests, NULL, NULL);
}
