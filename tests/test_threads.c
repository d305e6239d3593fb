/* SPDX-License-Identifier: MIT */
/*
 * The guarantees of base.h about threads: two documents may be used by two threads at the same time, and one
 * document may be read by many. Every fixture is opened, read in all ways and edited, and each result has to
 * equal a single thread's. Under the thread sanitizer (`make tsan`) every access is also monitored. It misses
 * accesses that are long past in their thread: threads wait for each other before each operation.
 */
#include "../src/write/rebuild.h"
#include "fixtures.h"
#include "go_through.h"
#include <mapstone/export.h>
#include <mapstone/image.h>
#include <mapstone/picture.h>
#include <mapstone/scene.h>

#if !defined(__wasm__)
#include <pthread.h>

/* ---- results as one number ---------------------------------------------------------------------- */

static uint64_t serialize_in(uint64_t digest, const void *data, size_t size) {
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++)
        digest = (digest ^ bytes[i]) * UINT64_C(1099511628211);
    return digest;
}
static uint64_t fold_number(uint64_t digest, uint64_t number) {
    return serialize_in(digest, &number, sizeof number);
}
static mst_status digest_sink(void *user, const void *data, size_t size) {
    uint64_t *digest = user;
    *digest = serialize_in(*digest, data, size);
    return MST_OK;
}

/* ---- reading ------------------------------------------------------------------------------------- */

static mst_status serialize_finding(void *user, const mst_diagnostic *finding) {
    uint64_t *digest = user;
    *digest = serialize_in(*digest, finding->code, strlen(finding->code));
    *digest = serialize_in(*digest, finding->path, strlen(finding->path));
    return MST_OK;
}
static uint64_t read_checks(const mst_document *d, uint64_t digest) {
    mst_check_options options = {.size = sizeof options, .information = 1};
    mst_check_result result;
    mst_status status = mst_check(d, &options, serialize_finding, &digest, &result, NULL);
    return fold_number(fold_number(digest, status), result.warnings);
}
static uint64_t read_json(const mst_document *d, uint64_t digest) {
    mst_value root = mst_root(d);
    mst_status status = mst_write_json(&root, NULL, (mst_sink){digest_sink, &digest}, NULL);
    return fold_number(digest, status);
}
static uint64_t read_encoded(const mst_document *d, uint64_t digest) {
    mst_status status = mst_encode(d, (mst_sink){digest_sink, &digest}, NULL);
    return fold_number(digest, status);
}
static uint64_t read_saved(const mst_document *d, uint64_t digest) {
    mst_status status = mst_save(d, (mst_sink){digest_sink, &digest}, NULL);
    return fold_number(digest, status);
}
static uint64_t read_ledger(const mst_document *d, uint64_t digest) {
    mst_ledger ledger = {0};
    mst_status status = mst_byte_coverage(d, &ledger, NULL);
    for (size_t i = 0; i < 5; i++)
        digest = fold_number(digest, ledger.bytes[i]);
    return fold_number(fold_number(digest, ledger.spans), status);
}
static uint64_t read_values(const mst_document *d, uint64_t digest) {
    mst_value value = mst_root(d), inner;
    mst_iterator members = mst_iterate(&value);
    while (mst_next(&members, &inner)) {
        uint64_t offset, length;
        mst_value_span(&inner, &offset, &length);
        digest = fold_number(fold_number(digest, offset), length);
        if (mst_value_type(&inner) == MST_TYPE_LIST && mst_count(&inner)) {
            mst_element(&inner, mst_count(&inner) - 1, &value);
            mst_value_span(&value, &offset, &length);
            digest = fold_number(digest, offset);
        }
    }
    gone_through seen = go_through(d);
    return fold_number(fold_number(digest, seen.leaves), seen.end);
}
static uint64_t read_scene(const mst_document *d, uint64_t digest) {
    mst_scene *scene;
    mst_status status = mst_scene_from_document(d, NULL, &scene, NULL);
    if (status != MST_OK)
        return fold_number(digest, status);
    status = mst_scene_write_glb(scene, NULL, (mst_sink){digest_sink, &digest}, NULL);
    digest = fold_number(digest, status);
    mst_pixels picture = {0};
    mst_picture_options options = {.size = sizeof options, .width = 64, .height = 48, .tags = 1};
    status = mst_scene_draw(scene, &options, &picture, NULL);
    if (status == MST_OK)
        digest = serialize_in(digest, picture.data, (size_t)picture.width * picture.height * 4);
    mst_pixels_free(&picture);
    mst_scene_free(scene);
    return fold_number(digest, status);
}
static uint64_t read_images(const mst_document *d, uint64_t digest) {
    size_t count = mst_image_count(d);
    for (size_t i = 0; i < count && i < 3; i++) {
        mst_pixels pixels = {0};
        if (mst_image_read(d, i, 0, NULL, &pixels, NULL, NULL) == MST_OK)
            digest = fold_number(fold_number(digest, pixels.width), pixels.height);
        mst_pixels_free(&pixels);
    }
    return fold_number(digest, count);
}
static uint64_t read_rebuilt(const mst_document *d, uint64_t digest) {
    mst_document *again;
    mst_status status = mst_rebuild(d, &again, NULL);
    if (status == MST_OK) {
        status = mst_save(again, (mst_sink){digest_sink, &digest}, NULL);
        mst_close(again);
    }
    return fold_number(digest, status);
}

static uint64_t (*const ways[])(const mst_document *, uint64_t) = {
    read_checks, read_json,  read_encoded, read_saved,   read_ledger,
    read_values, read_scene, read_images,  read_rebuilt,
};
#define WAYS (sizeof ways / sizeof *ways)

static const mst_document *document_of_all; /* the document that threads read at the same time */

typedef struct reader {
    pthread_t thread;
    pthread_barrier_t *all;
    size_t apart; /* its offset to the first one's operation */
    uint64_t digests[WAYS];
} reader;

#define DIGEST_BEGIN UINT64_C(14695981039346656037)

/* `all` may be NULL: no waiting. */
static void read_in_all_ways(const mst_document *d, size_t first, pthread_barrier_t *all,
                             uint64_t digests[WAYS]) {
    for (size_t i = 0; i < WAYS; i++) {
        size_t way = (first + i) % WAYS;
        if (all)
            pthread_barrier_wait(all);
        digests[way] = d ? ways[way](d, DIGEST_BEGIN) : 0;
    }
}

/* Assertions leave a test by a jump, which only its own thread may do: results are compared there. */
static void *run_reader(void *user) {
    reader *r = user;
    read_in_all_ways(document_of_all, r->apart, r->all, r->digests);
    return NULL;
}

enum { READERS = 4 };

/* All with the same operation at a time, or each with another. */
static void one_document_is_read_by_many(const fixture *f, bool apart) {
    mst_document *d;
    mst_diagnostic why;
    uint64_t alone[WAYS];
    reader readers[READERS];
    pthread_barrier_t all;
    MUST(fixture_open(f->source, f->files, &d, &why), &why);
    document_of_all = d;
    assert_int_equal(pthread_barrier_init(&all, NULL, READERS), 0);
    for (size_t i = 0; i < READERS; i++) {
        readers[i] = (reader){.all = &all, .apart = apart ? i * 2 : 0};
        assert_int_equal(pthread_create(&readers[i].thread, NULL, run_reader, &readers[i]), 0);
    }
    for (size_t i = 0; i < READERS; i++)
        assert_int_equal(pthread_join(readers[i].thread, NULL), 0);
    pthread_barrier_destroy(&all);
    read_in_all_ways(d, 0, NULL, alone);
    for (size_t i = 0; i < READERS; i++)
        for (size_t way = 0; way < WAYS; way++)
            if (readers[i].digests[way] != alone[way])
                fail_msg("%s: thread %zu, way %zu has another result", f->source->name, i, way);
    mst_close(d);
}

static void test_many_read_one_document(void **state) {
    (void)state;
    size_t read = 0;
    for (size_t i = 0; i < FIXTURES; i++) {
        fixture f;
        if (!fixture_make(&fixtures[i], &f))
            continue;
        one_document_is_read_by_many(&f, false);
        one_document_is_read_by_many(&f, true);
        fixture_free(&f);
        read++;
    }
    assert_true(read >= 10);
    print_message("%zu documents, %d threads each\n", read, READERS);
}

/* ---- separate documents -------------------------------------------------------------------------- */

typedef struct worker {
    pthread_t thread;
    pthread_barrier_t *all;
    const fixture *fixtures;
    bool backwards;
    uint64_t digests[FIXTURES][WAYS + 1];
} worker;

static uint64_t edit_it(mst_document *d) {
    uint64_t digest = DIGEST_BEGIN;
    mst_value root = mst_root(d), member;
    mst_iterator members = mst_iterate(&root);
    char path[80], json[80];
    while (mst_next(&members, &member)) {
        int64_t number;
        const char *name = mst_value_field(&member).name;
        if (!name || mst_get_integer(&member, &number) != MST_OK)
            continue;
        snprintf(path, sizeof path, "%s", name);
        snprintf(json, sizeof json, "%lld", (long long)(number ^ 1));
        digest = fold_number(digest, mst_set(d, path, json, NULL));
        break;
    }
    return read_saved(d, digest);
}

static void *run_worker(void *user) {
    worker *w = user;
    for (size_t k = 0; k < FIXTURES; k++) {
        size_t i = w->backwards ? FIXTURES - 1 - k : k;
        mst_document *d = NULL;
        mst_diagnostic why;
        if (w->all)
            pthread_barrier_wait(w->all);
        if (w->fixtures[i].source)
            fixture_open(w->fixtures[i].source, w->fixtures[i].files, &d, &why);
        read_in_all_ways(d, 0, w->all, w->digests[i]);
        if (w->all)
            pthread_barrier_wait(w->all);
        if (d)
            w->digests[i][WAYS] = edit_it(d);
        mst_close(d);
    }
    return NULL;
}

static void test_documents_side_by_side(void **state) {
    (void)state;
    static fixture made[FIXTURES];
    static worker workers[3]; /* two at once, then one alone */
    pthread_barrier_t all;
    for (size_t i = 0; i < FIXTURES; i++)
        if (!fixture_make(&fixtures[i], &made[i]))
            made[i] = (fixture){0};
    assert_int_equal(pthread_barrier_init(&all, NULL, 2), 0);
    for (size_t i = 0; i < 2; i++) {
        workers[i] = (worker){.all = &all, .fixtures = made, .backwards = i == 1};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]), 0);
    }
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
    pthread_barrier_destroy(&all);
    workers[2] = (worker){.fixtures = made};
    run_worker(&workers[2]);
    for (size_t i = 0; i < FIXTURES; i++) {
        for (size_t way = 0; way <= WAYS; way++)
            if (workers[0].digests[i][way] != workers[2].digests[i][way] ||
                workers[1].digests[i][way] != workers[2].digests[i][way])
                fail_msg("%s: way %zu has another result", fixtures[i].name, way);
        fixture_free(&made[i]);
    }
}

int test_threads(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_read_one_document),
        cmocka_unit_test(test_documents_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
static void test_no_threads(void **state) {
    (void)state;
    skip();
}

int test_threads(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
