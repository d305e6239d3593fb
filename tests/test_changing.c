/* SPDX-License-Identifier: MIT */
/* Documents whose bytes are changed by another program after they were opened, as is possible in a mapped
 * file: the values read are then garbage or refused, no memory outside of the bytes is accessed, and once the
 * bytes are restored, so is the document. */
#define _DEFAULT_SOURCE
#include "../src/core/search.h"
#include "../src/files/ledger.h"
#include "../src/formats/present.h"
#include "../src/write/rebuild.h"
#include "fixture_files.h"
#include "scratch.h"
#include "sfa_entries.h"
#if !defined(__wasi__) && !defined(_WIN32)
#include <sys/mman.h>
#include <unistd.h>
#endif

/* Bytes between two unreadable pages: at the end of theirs or, `first`, at its beginning. */
typedef struct fenced {
    uint8_t *bytes, *base;
    size_t whole;
} fenced;

static fenced fence(const uint8_t *bytes, size_t size, bool first) {
    fenced made = {0};
#if !defined(__wasi__) && !defined(_WIN32)
    size_t page = (size_t)sysconf(_SC_PAGESIZE), capacity = (size + page - 1) / page * page;
    made.whole = capacity + 2 * page;
    made.base = mmap(NULL, made.whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    assert_true(made.base != MAP_FAILED);
    assert_int_equal(mprotect(made.base, page, PROT_NONE), 0);
    assert_int_equal(mprotect(made.base + page + capacity, page, PROT_NONE), 0);
    made.bytes = made.base + page + (first ? 0 : capacity - size);
#else
    (void)first;
    made.base = made.bytes = malloc(size);
    assert_non_null(made.base);
#endif
    memcpy(made.bytes, bytes, size);
    return made;
}

static void unfence(fenced *made) {
#if !defined(__wasi__) && !defined(_WIN32)
    munmap(made->base, made->whole);
#else
    free(made->base);
#endif
}

static void change(uint8_t *bytes, size_t size, random_state *r) {
    size_t at = random_below(r, (uint32_t)size), length = 1 + random_below(r, 4);
    length = length < size - at ? length : size - at;
    switch (random_below(r, 5)) {
    case 0: memset(bytes + at, 0xFF, length); break;
    case 1: memset(bytes + at, 0, length); break;
    case 2: bytes[at]++; break;
    case 3: bytes[at]--; break;
    default: bytes[at] = (uint8_t)random_below(r, 256);
    }
}

/* Changes bytes during a call: whenever it requests memory or calls back. */
static struct {
    uint8_t *bytes; /* NULL: not now */
    size_t size;
    random_state r;
} meddler;

static void meddle(void) {
    if (meddler.bytes && random_below(&meddler.r, 6) == 0)
        change(meddler.bytes, meddler.size, &meddler.r);
}

static void *allocate(void *user, void *old, size_t old_size, size_t new_size) {
    (void)user;
    (void)old_size;
    meddle();
    if (new_size)
        return realloc(old, new_size);
    free(old);
    return NULL;
}

static mst_status count_bytes(void *user, const void *data, size_t size) {
    size_t *count = user;
    (void)data;
    meddle();
    *count += size;
    return *count < (size_t)1 << 24 ? MST_OK : MST_STOPPED; /* garbage may be long */
}

static mst_status count_finding(void *user, const mst_diagnostic *one) {
    size_t *count = user;
    assert_non_null(memchr(one->message, 0, sizeof one->message));
    meddle();
    return ++*count < 10000 ? MST_OK : MST_STOPPED;
}

static mst_status measure_value(void *user, const mst_event *event) {
    size_t *count = user;
    uint64_t offset, length;
    if (event->value)
        mst_value_span(event->value, &offset, &length);
    meddle();
    return ++*count < 100000 ? MST_OK : MST_STOPPED;
}

/* The scene, of which all indices are in range regardless of its source. */
static void make_scene(const mst_document *document, size_t *count) {
    mst_scene *scene;
    mst_scene_options options = {.size = sizeof options, .allocator = {allocate, NULL}};
    mst_diagnostic why;
    if (mst_scene_from_document(document, &options, &scene, &why) != MST_OK)
        return;
    for (size_t m = 0; m < scene->mesh_count; m++)
        for (size_t p = 0; p < scene->meshes[m].primitive_count; p++) {
            const mst_primitive *primitive = &scene->meshes[m].primitives[p];
            for (uint32_t i = 0; i < primitive->index_count; i++)
                assert_true(primitive->indices[i] < primitive->vertex_count);
        }
    mst_scene_write_glb(scene, NULL, (mst_sink){count_bytes, count}, &why);
    mst_scene_free(scene);
}

/* Everything that reads a whole document; any result is accepted. */
static void use(const mst_document *document) {
    mst_value root = mst_root(document);
    mst_check_options checking = {.size = sizeof checking, .information = 1};
    mst_diagnostic why;
    mst_ledger ledger;
    mst_document *other;
    size_t counts[5] = {0};
    mst_write_json(&root, NULL, (mst_sink){count_bytes, &counts[0]}, &why);
    mst_encode(document, (mst_sink){count_bytes, &counts[1]}, &why);
    mst_check(document, &checking, count_finding, &counts[2], NULL, &why);
    mst_walk(document, measure_value, &counts[3]);
    mst_byte_coverage(document, &ledger, &why);
    if (mst_rebuild(document, &other, &why) == MST_OK)
        mst_close(other);
    make_scene(document, &counts[4]);
}

/* Values found earlier. */
static void use_value(const mst_value *value) {
    double numbers[64];
    uint64_t elements, offset, length;
    int64_t integer;
    char text[40];
    const void *bytes;
    size_t size = 0, max = 200;
    mst_value element;
    mst_diagnostic why;
    mst_target target = {.type = MST_F64, .components = 1, .data = numbers, .capacity = 64};
    mst_read(value, &target, &elements, &why);
    mst_get_integer(value, &integer);
    mst_get_text(value, text, sizeof text, &size);
    if (mst_get_bytes(value, &bytes, &size) == MST_OK && size)
        text[0] = ((const char *)bytes)[size - 1];
    mst_value_span(value, &offset, &length);
    uint64_t count = mst_count(value);
    if (count)
        mst_element(value, count - 1, &element);
    for (mst_iterator it = mst_iterate(value); max-- && mst_next(&it, &element);)
        mst_value_span(&element, &offset, &length);
    size = 0;
    mst_write_json(value, NULL, (mst_sink){count_bytes, &size}, &why);
}

#define VALUES 40
typedef struct found {
    const mst_document *document;
    mst_value values[VALUES];
    size_t count, met;
} found;

/* Lists, slices of them, and some others. */
static mst_status take_value(void *user, const mst_event *event) {
    found *all = user;
    mst_value slice;
    if (!event->value || all->count >= VALUES - 1)
        return MST_OK;
    if (event->kind != MST_EVENT_BEGIN_LIST && all->met++ % 7)
        return MST_OK;
    all->values[all->count++] = *event->value;
    if (event->kind == MST_EVENT_BEGIN_LIST && mst_find(*event->value, "[1:4]", &slice, NULL) == MST_OK)
        all->values[all->count++] = slice;
    return MST_OK;
}

static size_t json_of(const mst_document *document, mst_buffer *json) {
    mst_value root = mst_root(document);
    json->size = 0;
    MUST(mst_write_json(&root, NULL, mst_buffer_sink(json), NULL), NULL);
    return json->size;
}

static void change_bytes_of_all(bool while_in_use) {
    test_files all = files_small();
    random_state r = {7};
    for (size_t i = 0; i < all.count; i++) {
        const test_file *f = &all.items[i];
        for (int first = 0; first < 2; first++) {
            fenced made = fence(f->bytes, f->size, first);
            mst_open_options options = {
                .size = sizeof options, .name = f->name, .allocator = {allocate, NULL}};
            mst_document *document;
            mst_diagnostic why;
            mst_buffer before = {0}, after = {0};
            MUST(mst_open_memory(made.bytes, f->size, &options, &document, &why), &why);
            size_t length = json_of(document, &before);
            found values = {.document = document};
            MUST(mst_walk(document, take_value, &values), NULL);
            for (size_t turn = 0; turn < 400 / sample_step(); turn++) {
                uint32_t changes = turn % 10 ? 1 + random_below(&r, 3) : 200;
                while (changes--)
                    change(made.bytes, f->size, &r);
                meddler.bytes = while_in_use ? made.bytes : NULL;
                meddler.size = f->size;
                use(document);
                for (size_t k = turn % 5; k < values.count; k += 5)
                    use_value(&values.values[k]);
                meddler.bytes = NULL;
                memcpy(made.bytes, f->bytes, f->size);
            }
            assert_int_equal(json_of(document, &after), length);
            assert_memory_equal(after.data, before.data, length);
            mst_buffer_free(&before);
            mst_buffer_free(&after);
            mst_close(document);
            unfence(&made);
        }
    }
    files_free(&all);
}

static void changes_after_opening(void **state) {
    (void)state;
    change_bytes_of_all(false);
}

static void changes_during_calls(void **state) {
    (void)state;
    meddler.r = (random_state){11};
    change_bytes_of_all(true);
}

/* Pairs are parsed again to learn where their values are. */
static void change_pair(const two *t, bool by_table) {
    const writer *w = by_table ? &t->tab : &t->bin;
    shelf beside = {.count = 0};
    fenced made = fence(w->data, w->size, false);
    shelf_put(&beside, t->bin_name, by_table ? t->bin.data : made.bytes, t->bin.size);
    shelf_put(&beside, t->tab_name, by_table ? made.bytes : t->tab.data, t->tab.size);
    mst_resolver resolver = shelf_resolver(&beside);
    mst_open_options options = {.size = sizeof options,
                                .name = by_table ? t->tab_name : t->bin_name,
                                .sidecars = &resolver,
                                .allocator = {allocate, NULL}};
    for (size_t turn = 0; turn < 1500 / sample_step(); turn++) {
        mst_document *document;
        mst_diagnostic why;
        MUST(mst_open_memory(made.bytes, w->size, &options, &document, &why), &why);
        meddler.bytes = made.bytes;
        meddler.size = w->size;
        use(document);
        meddler.bytes = NULL;
        memcpy(made.bytes, w->data, w->size);
        mst_close(document);
    }
    unfence(&made);
}

static void pairs_change_during_calls(void **state) {
    (void)state;
    needs_packing();
    meddler.r = (random_state){13};
    two pairs[] = {make_bank(), make_blocks()};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        change_pair(&pairs[i], false);
        change_pair(&pairs[i], true);
        two_free(&pairs[i]);
    }
}

/* ---- files that are read instead of mapped -------------------------------------------------------- */

/* A value that no longer exists is read as empty, not as the bytes after the document. */
static void what_is_gone(void **state) {
    (void)state;
    test_files all = files_small();
    const test_file *f = &all.items[0];
    uint8_t *more = malloc(f->size + 16);
    assert_non_null(more);
    memcpy(more, f->bytes, f->size);
    memset(more + f->size, 0xAB, 16);
    mst_document *document;
    mst_diagnostic why;
    MUST(mst_open_memory(more, f->size, NULL, &document, &why), &why);
    mst_value root = mst_root(document), none = mst_nothing_in(&root);
    assert_int_equal(mst_scalar_of(&none), 0);
    mst_close(document);
    free(more);
    files_free(&all);
}

static void write_file(const char *path, const uint8_t *bytes, size_t size, const char *mode) {
    FILE *file = fopen(path, mode);
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* Later writes to them have no effect on the document. */
static void files_that_are_read(void **state) {
    (void)state;
    test_files all = files_small();
    const test_file *f = &all.items[0];
    uint8_t *zeros = calloc(f->size, 1);
    assert_non_null(zeros);
    static const char place[] = "new.level";
    assert_int_equal(enter_directory(NULL), 0); /* the fixtures are created in the initial directory */
    write_file(place, f->bytes, f->size, "wb");

    mst_open_options options = {.size = sizeof options, .unmapped = 1};
    mst_document *document;
    mst_diagnostic why;
    MUST(mst_open_file(place, &options, &document, &why), &why);
    mst_container_options in_place = {.size = sizeof in_place, .unmapped = 1};
    mst_container *set;
    mst_container_bytes member;
    MUST(mst_container_open(".", &in_place, &set, &why), &why);
    MUST(mst_container_read(set, mst_container_find(set, place), &member, &why), &why);
    mst_search *search;
    const void *sidecar;
    size_t size;
    MUST(mst_search_create(NULL, &search), NULL);
    mst_search_unmapped(search);
    MUST(mst_search_add(search, ".", &why), &why);
    mst_resolver resolver = mst_search_resolver(search);
    MUST(resolver.find(resolver.user, place, &sidecar, &size), NULL);

    write_file(place, zeros, f->size, "r+b");
    const void *bytes = mst_document_bytes(document, &size);
    assert_int_equal(size, f->size);
    assert_memory_equal(bytes, f->bytes, f->size);
    assert_int_equal(member.size, f->size);
    assert_memory_equal(member.data, f->bytes, f->size);
    assert_memory_equal(sidecar, f->bytes, f->size);
    mst_close(document);
    mst_container_release(set, &member);
    mst_container_close(set);
    mst_search_free(search);
    assert_int_equal(leave_directory(NULL), 0);
    free(zeros);
    files_free(&all);
}

int test_changing(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(changes_after_opening),
                                       cmocka_unit_test(changes_during_calls),
                                       cmocka_unit_test(pairs_change_during_calls),
                                       cmocka_unit_test(what_is_gone), cmocka_unit_test(files_that_are_read)};
    return cmocka_run_group_tests_name("changing", tests, look, NULL);
}
