/* SPDX-License-Identifier: MIT */
/*
 * The resources that the library may use: memory, stack and time, whatever its input.
 *
 * Memory is the amount allocated at a time. Stack is the extent to which a thread's painted stack was
 * overwritten, minus that of an idle thread; the stack of the C library and other libraries is included. Time
 * is compared between an input and one four times as large: four times is proportional, sixteen is not.
 */
#include "../src/files/ledger.h"
#include "../src/write/rebuild.h"
#include "fixture_files.h"
#include "go_through.h"
#include <time.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__linux__) && !defined(SANITIZED) && !defined(__SANITIZE_ADDRESS__) &&                           \
    !defined(__SANITIZE_THREAD__)
#define HAS_THREADS 1
#include <pthread.h>
#else
#define HAS_THREADS 0
#endif

/* ---- memory ------------------------------------------------------------------------------------ */

/* A resolver that counts the bytes it returned. */
typedef struct watched {
    const mst_resolver *within;
    size_t given;
} watched;
static mst_status find_watched(void *user, const char *name, const void **bytes, size_t *size) {
    watched *w = user;
    mst_status status = w->within ? w->within->find(w->within->user, name, bytes, size) : MST_NO_PATH;
    if (status == MST_OK)
        w->given += *size;
    return status;
}

static size_t max_share; /* thousandths of the limit */

static void assert_frugal(const char *name, const uint8_t *bytes, size_t size, const mst_resolver *sidecars) {
    counted c = {0};
    watched beside = {sidecars, 0};
    mst_resolver resolver = {.find = find_watched, .user = &beside};
    mst_open_options options = {
        .size = sizeof options, .name = name, .sidecars = &resolver, .allocator = counted_allocator(&c)};
    for (int salvage = 0; salvage < 2; salvage++) {
        mst_document *document;
        mst_diagnostic why;
        c.peak = c.bytes;
        beside.given = 0;
        options.salvage = salvage;
        mst_status status = mst_open_memory(bytes, size, &options, &document, &why);
        size_t allowed = 16 * (size + beside.given) + (1u << 20);
        if (status == MST_OK)
            assert_true(mst_document_memory(document) <= allowed);
        if (c.peak > allowed)
            print_error("%s of %zu bytes (%s): %zu bytes held, %zu allowed\n", name, size,
                        mst_status_text(status), c.peak, allowed);
        assert_true(c.peak <= allowed);
        if (c.peak * 1000 / allowed > max_share)
            max_share = c.peak * 1000 / allowed;
        mst_close(document);
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
    }
}

typedef struct places {
    uint64_t (*items)[2];
    size_t count, capacity;
} places;
static mst_status note_place(void *user, const mst_event *event) {
    places *all = user;
    bool wide = event->kind == MST_EVENT_DERIVED ||
                (event->kind == MST_EVENT_LEAF && event->length <= 8 && event->length);
    if (!wide)
        return MST_OK;
    if (all->count == all->capacity) {
        all->capacity = all->capacity * 2 + 64;
        all->items = realloc(all->items, all->capacity * sizeof *all->items);
        assert_non_null(all->items);
    }
    all->items[all->count][0] = event->offset;
    all->items[all->count++][1] = event->length;
    return MST_OK;
}

/* Every number that the tables describe, and every aligned word where they describe none, set to values that
 * are too large. */
static void hostile(const test_file *of, const mst_resolver *sidecars) {
    places all = {NULL, 0, 0};
    mst_document *document;
    mst_open_options options = {.size = sizeof options, .name = of->name, .sidecars = sidecars};
    if (mst_open_memory(of->bytes, of->size, &options, &document, NULL) == MST_OK) {
        size_t size;
        const void *bytes = mst_document_bytes(document, &size);
        if (size == of->size && memcmp(bytes, of->bytes, size) == 0)
            assert_int_equal(mst_walk(document, note_place, &all), MST_OK);
        mst_close(document);
    }
    for (size_t at = 0; !all.count && at + 4 <= of->size && at < 4096; at += 4) {
        mst_event word = {.kind = MST_EVENT_DERIVED, .offset = at, .length = 4};
        note_place(&all, &word);
    }
    uint8_t *copy = malloc(of->size + 1);
    assert_non_null(copy);
    size_t step = all.count / (of->small ? 600 : 60) + 1;
    for (size_t i = 0; i < all.count; i += step * sample_step()) {
        static const uint8_t patterns[][4] = {{0xFF, 0xFF, 0xFF, 0xFF}, {0x7F, 0xFF, 0xFF, 0xFF},
                                              {0xFF, 0xFF, 0xFF, 0x7F}, {0x00, 0x10, 0x00, 0x00},
                                              {0x00, 0x00, 0x10, 0x00}, {0x00, 0x00, 0x00, 0x80},
                                              {0x80, 0x00, 0x00, 0x00}};
        for (size_t k = 0; k < sizeof patterns / sizeof *patterns; k++) {
            memcpy(copy, of->bytes, of->size);
            for (uint64_t b = 0; b < all.items[i][1] && b < 8; b++)
                copy[all.items[i][0] + b] = patterns[k][b % 4];
            assert_frugal(of->name, copy, of->size, sidecars);
        }
    }
    free(copy);
    free(all.items);
}

static void each_file(test_files *all, void (*what)(const test_file *, const mst_resolver *)) {
    for (size_t i = 0; i < all->count; i++) {
        mst_search *search = NULL;
        mst_resolver resolver;
        if (all->items[i].directory[0]) {
            MUST(mst_search_create(NULL, &search), NULL);
            MUST(mst_search_add(search, all->items[i].directory, NULL), NULL);
            resolver = mst_search_resolver(search);
        }
        what(&all->items[i], search ? &resolver : NULL);
        mst_search_free(search);
    }
}

static void cut(const test_file *of, const mst_resolver *sidecars) {
    size_t step = of->size / (of->small ? 800 : 100) + 1;
    for (size_t size = 0; size <= of->size; size += step * sample_step()) {
        uint8_t *exact = malloc(size + !size);
        assert_non_null(exact);
        memcpy(exact, of->bytes, size);
        assert_frugal(of->name, exact, size, sidecars);
        free(exact);
    }
}

static void test_memory(void **state) {
    (void)state;
    test_files all = files_small();
    files_of_samples(&all);
    files_of_corpus(&all, 65536);
    max_share = 0;
    each_file(&all, cut);
    each_file(&all, hostile);
    print_message("# %zu documents; at most %zu.%zu %% of what is allowed\n", all.count, max_share / 10,
                  max_share % 10);
    files_free(&all);
}

/* ---- hostile shapes ---------------------------------------------------------------------------- */

/* Nested inventories, with an empty slot after each that contains one. */
static void shape_nested_pairs(writer *w, size_t n) {
    size_t begin = w->size;
    put_nested_inventories(w, n);
    size_t single = (w->size - begin - 12) / n;
    for (size_t i = 0; i + 1 < n; i++) {
        mst_store32(w->data + begin + 12 + (i + 1) * single - 4, 2, false);
        put_u16(w, 0xFFFF);
    }
}
/* Empty slots, two bytes each. */
static void shape_empty_slots(writer *w, size_t n) {
    put_bytes_of(w, "MAP ", 4);
    put_u32(w, 15);
    put_u32(w, 0);
    put_u32(w, (uint32_t)n);
    for (size_t i = 0; i < n; i++)
        put_u16(w, 0xFFFF);
}
/* Things of one name. */
static void shape_same_names(writer *w, size_t n) {
    sector_object one = sector_thing(SECTOR_CONTAINER, SECTOR_IMMOBILE, "chest");
    sector_source r = {.s = {.version = 3, .objects = &one, .object_count = 1}};
    put_bytes_of(w, "MAP ", 4);
    put_u32(w, 3);
    put_u32(w, (uint32_t)n);
    for (size_t i = 0; i < n; i++)
        put_sector_object(w, &r.s, &one, "x");
    w->mark_count = 0;
}
/* Empty chunks of an unknown kind. */
static void shape_chunks(writer *w, size_t n) {
    put_bytes_of(w, "LVL", 3);
    put_u8(w, 10);
    for (size_t i = 0; i < n; i++) {
        put_u32(w, 99);
        put_u32(w, 0);
    }
}
/* Objects without properties. */
static void shape_objects(writer *w, size_t n) {
    put_bytes_of(w, "LVL", 3);
    put_u8(w, 10);
    for (size_t i = 0; i < n; i++) {
        level_plan plan = {.version = 10};
        level l = {w, plan, 10, true, true, true, true};
        begin_chunk(w, 1);
        put_object(&l, "objects[0]", 0);
        end_chunk(w);
    }
    w->mark_count = 0;
}
/* Empty sections. */
static void shape_sections(writer *w, size_t n) {
    w->big = true;
    begin_form(w, "0000");
    for (size_t i = 0; i < n; i++) {
        begin_section(w, i & 1 ? "D000" : "XYZW");
        end_section(w);
    }
    end_form(w, 0, NULL, 0);
}
/* Empty blocks: all offsets are the same. */
static void shape_empty_blocks(writer *w, size_t n) {
    put_u32(w, (uint32_t)n);
    for (size_t i = 0; i <= n; i++)
        put_u32(w, (uint32_t)(8 + 4 * n + (n & 1 ? 4 : 0)));
    if (n & 1)
        put_u32(w, 0);
}
/* Archives of one block, which is an archive of one block. */
static void shape_nested_archives(writer *w, size_t n) {
    for (size_t i = 0; i < n; i++) {
        put_u32(w, 1);
        put_u32(w, 16);
        put_u32(w, (uint32_t)(16 * (n - i) + 16));
        put_u32(w, 0);
    }
    put_u64(w, 0);
    put_u64(w, 0);
}
/* Archives of two blocks, of which the first is one. */
static void shape_nested_archive_pairs(writer *w, size_t n) {
    for (size_t i = 0; i < n; i++) {
        put_u32(w, 2);
        put_u32(w, 16);
        put_u32(w, (uint32_t)(24 * (n - i - 1) + 32));
        put_u32(w, (uint32_t)(24 * (n - i - 1) + 40));
    }
    put_u64(w, 0);
    put_u64(w, 0);
    for (size_t i = 0; i < n; i++)
        put_u64(w, 0x0101010101010101);
}
static void shape_words(writer *w, size_t n) {
    for (size_t i = 0; i < n; i++)
        put_bytes_of(w, "CLASS \"", 7);
}

typedef struct shape {
    const char *what, *name;
    void (*write)(writer *w, size_t n);
    size_t n;
    const char *outermost, *deeper; /* the path of the outermost level, and of each further one */
} shape;

/* ---- the tasks --------------------------------------------------------------------------------- */

typedef enum step_kind {
    STEP_OPEN,
    STEP_WALK,
    STEP_JSON,
    STEP_READ,
    STEP_CHECK,
    STEP_ENCODE,
    STEP_VALUES,
    STEP_PATH,
    STEP_CONVERT,
    STEP_SCENE,
    STEP_GLB,
    STEP_PICTURE,
    STEP_EDIT,
    STEP_DIFF,
    STEPS
} step_kind;
static const char *const step_names[] = {"opening",  "the ledger", "writing JSON", "reading JSON", "checks",
                                         "encoding", "values",     "a path",       "a conversion", "a scene",
                                         "GLB",      "a picture",  "an edit",      "comparing"};

static mst_status swallow(void *user, const void *data, size_t size) {
    (void)data;
    *(size_t *)user += size;
    return MST_OK;
}
static mst_status pass_change(void *user, const mst_difference *change) {
    (void)user;
    (void)change;
    return MST_OK;
}
static mst_status pass_finding(void *user, const mst_diagnostic *finding) {
    (void)user;
    (void)finding;
    return MST_OK;
}

/* An operation and its input. */
typedef struct task {
    step_kind kind;
    const uint8_t *bytes;
    size_t size;
    const char *name;
    const mst_resolver *sidecars;
    mst_document *document, *other; /* `other`: without one of its elements */
    mst_scene *scene;
    mst_buffer text;
    char *path; /* path of the deepest value; NULL: none */
    mst_status status;
} task;

/* Removes the first existing element. */
static void remove_one(mst_document *document) {
    static const char *const paths[] = {"objects[0]", "unknown_chunks[0]", "blocks[0]", "doors[0]", "x"};
    mst_diagnostic why;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (mst_remove(document, paths[i], &why) == MST_OK)
            break;
}

static void perform(task *t) {
    size_t written = 0;
    mst_sink sink = {swallow, &written};
    mst_diagnostic why;
    mst_document *document = NULL;
    mst_open_options options = {.size = sizeof options, .name = t->name, .sidecars = t->sidecars};
    switch (t->kind) {
    case STEP_OPEN:
        t->status = mst_open_memory(t->bytes, t->size, &options, &document, &why);
        mst_close(document);
        break;
    case STEP_WALK: {
        mst_ledger ledger;
        t->status = mst_byte_coverage(t->document, &ledger, &why);
        break;
    }
    case STEP_JSON: {
        mst_value root = mst_root(t->document);
        t->status = mst_write_json(&root, NULL, sink, &why);
        break;
    }
    case STEP_READ:
        t->status = mst_open_json((const char *)t->text.data, t->text.size, &options, &document, &why);
        mst_close(document);
        break;
    case STEP_CHECK: {
        mst_check_options how = {.size = sizeof how, .information = 1, .sidecars = t->sidecars};
        t->status = mst_check(t->document, &how, pass_finding, NULL, NULL, &why);
        break;
    }
    case STEP_ENCODE: t->status = mst_encode(t->document, sink, &why); break;
    case STEP_VALUES:
        go_through(t->document);
        t->status = MST_OK;
        break;
    case STEP_PATH: {
        mst_value found;
        t->status = mst_find(mst_root(t->document), t->path ? t->path : "", &found, &why);
        break;
    }
    case STEP_CONVERT: {
        mst_convert_options how = {.size = sizeof how, .version = 12, .has_version = 1, .allow_loss = 1};
        if (strcmp(mst_document_format(t->document)->id, "revenant-sector") != 0)
            how = (mst_convert_options){
                .size = sizeof(mst_convert_options), .byte_order = "big", .allow_loss = 1};
        t->status = mst_convert(t->document, &how, pass_finding, NULL, &document, &why);
        mst_close(document);
        break;
    }
    case STEP_SCENE: {
        mst_scene *scene;
        mst_scene_options how = {.size = sizeof how, .sidecars = t->sidecars};
        t->status = mst_scene_from_document(t->document, &how, &scene, &why);
        mst_scene_free(scene);
        break;
    }
    case STEP_GLB: t->status = mst_scene_write_glb(t->scene, NULL, sink, &why); break;
    case STEP_PICTURE: {
        mst_pixels picture = {0};
        mst_picture_options how = {.size = sizeof how, .width = 200, .height = 150};
        t->status = mst_scene_draw(t->scene, &how, &picture, &why);
        if (t->status == MST_OK)
            t->status = mst_pixels_write_png(&picture, sink, &why);
        mst_pixels_free(&picture);
        break;
    }
    case STEP_EDIT:
        t->status = mst_open_memory(t->bytes, t->size, &options, &document, &why);
        if (t->status == MST_OK)
            remove_one(document);
        mst_close(document);
        break;
    case STEP_DIFF: {
        mst_diff_options how = {.size = sizeof how, .budget = SIZE_MAX};
        t->status = mst_diff(t->document, t->other, &how, pass_change, NULL, &why);
        break;
    }
    case STEPS: break;
    }
}

/* Opens the documents that the steps need. False: they do not open. */
static bool prepare(task *t) {
    mst_open_options options = {.size = sizeof options, .name = t->name, .sidecars = t->sidecars};
    if (mst_open_memory(t->bytes, t->size, &options, &t->document, NULL) != MST_OK)
        return false;
    mst_value root = mst_root(t->document);
    mst_json_options compact = {.size = sizeof compact, .compact = 1};
    MUST(mst_write_json(&root, &compact, mst_buffer_sink(&t->text), NULL), NULL);
    mst_scene_options how = {.size = sizeof how, .sidecars = t->sidecars};
    mst_scene_from_document(t->document, &how, &t->scene, NULL);
    MUST(mst_open_memory(t->bytes, t->size, &options, &t->other, NULL), NULL);
    remove_one(t->other);
    return true;
}
static void forget(task *t) {
    free(t->path);
    mst_scene_free(t->scene);
    mst_buffer_free(&t->text);
    mst_close(t->document);
    mst_close(t->other);
}

/* The path down through `levels` levels of a shape; NULL if it has none. */
static char *path_down(const shape *s, size_t levels) {
    if (!s->outermost)
        return NULL;
    size_t first = strlen(s->outermost), step = strlen(s->deeper);
    char *path = malloc(first + (levels - 1) * step + 1);
    assert_non_null(path);
    memcpy(path, s->outermost, first + 1);
    for (size_t i = 0; i + 1 < levels; i++)
        memcpy(path + first + i * step, s->deeper, step + 1);
    return path;
}

/* ---- time -------------------------------------------------------------------------------------- */

/* CPU seconds of this process; WASI has only wall-clock time. */
static double seconds(void) {
#ifdef __wasi__
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
#else
    return (double)clock() / CLOCKS_PER_SEC;
#endif
}

/* The shortest time of a few runs; enough runs to be measurable. */
static double time_of(task *t) {
    double min = 1e9;
    for (unsigned run = 0; run < 5; run++) {
        double begin = seconds();
        unsigned times = 0;
        do {
            perform(t);
            times++;
        } while (seconds() - begin < 0.002);
        double one = (seconds() - begin) / times;
        min = one < min ? one : min;
        if (one > 0.2)
            break;
    }
    return min;
}

static const shape shapes[] = {
    {"inventories in each other", "7_3_5.DAT", put_nested_inventories, 400, "objects[0]", ".inventory[0]"},
    {"inventories of two in each other", "7_3_5.DAT", shape_nested_pairs, 400, "objects[0]", ".inventory[0]"},
    {"empty slots", "7_3_5.DAT", shape_empty_slots, 8000, NULL, NULL},
    {"things of one name", "7_3_5.DAT", shape_same_names, 500, NULL, NULL},
    {"empty chunks", "a.level", shape_chunks, 4000, NULL, NULL},
    {"many objects", "a.level", shape_objects, 150, NULL, NULL},
    {"empty sections", "L111LEV.MAP", shape_sections, 4000, NULL, NULL},
    {"empty blocks", "x.dat", shape_empty_blocks, 8001, NULL, NULL},
    {"archives in each other", "x.dat", shape_nested_archives, 500, "blocks[0]", ".blocks[0]"},
    {"archives of two in each other", "x.dat", shape_nested_archive_pairs, 500, "blocks[0]", ".blocks[0]"},
    {"words", "class.def", shape_words, 5000, NULL, NULL},
};

static void test_time(void **state) {
    (void)state;
    if (sample_step() > 1)
        skip();
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const shape *s = &shapes[i];
        writer small = {0}, large = {0};
        s->write(&small, s->n);
        s->write(&large, 4 * s->n);
        task one = {.bytes = small.data, .size = small.size, .name = s->name};
        task four = {.bytes = large.data, .size = large.size, .name = s->name};
        one.path = path_down(s, s->n);
        four.path = path_down(s, 4 * s->n);
        bool opens = prepare(&one), both = prepare(&four);
        assert_int_equal(opens, both);
        double worst = 0;
        const char *where = "";
        for (unsigned kind = STEP_OPEN; kind < STEPS; kind++) {
            if (!opens && kind > STEP_OPEN)
                break;
            if ((kind == STEP_GLB || kind == STEP_PICTURE) && (!one.scene || !four.scene))
                continue;
            one.kind = four.kind = (step_kind)kind;
            perform(&one);
            perform(&four);
            if (one.status == MST_UNSUPPORTED)
                continue;
            if (one.status != four.status)
                print_error("%s, %s: %s, of four times as much %s\n", s->what, step_names[kind],
                            mst_status_text(one.status), mst_status_text(four.status));
            assert_int_equal(one.status, four.status);
            if (kind == STEP_PATH)
                assert_int_equal(one.status, MST_OK);
            double ratio = 1e9;
            double share = (double)four.size / (double)one.size; /* the part that does not depend on n */
            for (unsigned retry = 0; retry < 6 && ratio > 8; retry++) {
                double now = time_of(&four) / time_of(&one) * 4 / share;
                ratio = now < ratio ? now : ratio;
            }
            if (ratio > 8)
                print_error("%s, %s: four times as much takes %.1f times the time\n", s->what,
                            step_names[kind], ratio);
            assert_true(ratio <= 8);
            if (ratio > worst) {
                worst = ratio;
                where = step_names[kind];
            }
        }
        print_message("# %s (%zu bytes, %s): %.1f times at most, %s\n", s->what, large.size,
                      opens ? "opens" : "does not open", worst, where);
        forget(&one);
        forget(&four);
        writer_free(&small);
        writer_free(&large);
    }
}

/* JSON alone: keys, brackets, elements. */
static void test_json_time(void **state) {
    (void)state;
    if (sample_step() > 1)
        skip();
    static const struct {
        const char *what, *header, *piece, *tail;
        size_t n;
    } texts[] = {
        {"keys that nobody knows", "{\"$format\":\"ns2-level\"", ",\"k%u\":0", "}", 4000},
        {"one key again and again", "{\"$format\":\"ns2-level\"", ",\"version\":10", "}", 4000},
        {"brackets", "{\"$format\":\"ns2-level\",\"x\":", "[", "", 20000},
        {"elements of nothing", "{\"$format\":\"ns2-level\",\"version\":10,\"unknown_chunks\":[{\"id\":9}",
         ",{\"id\":%u}", "]}", 4000},
        {"an order of chunks", "{\"$format\":\"ns2-level\",\"version\":10,\"$order\":[\"objects\"",
         ",\"objects\"", "]}", 4000},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        task tasks[2];
        writer w[2];
        memset(tasks, 0, sizeof tasks);
        memset(w, 0, sizeof w);
        for (size_t k = 0; k < 2; k++) {
            put_bytes_of(&w[k], texts[i].header, strlen(texts[i].header));
            for (size_t n = 0; n < texts[i].n * (k ? 4 : 1); n++) {
                const char *number = strstr(texts[i].piece, "%u");
                size_t front = number ? (size_t)(number - texts[i].piece) : strlen(texts[i].piece);
                char digits[16];
                snprintf(digits, sizeof digits, "%07u", 1000000 + (unsigned)n);
                put_bytes_of(&w[k], texts[i].piece, front);
                if (number) {
                    put_bytes_of(&w[k], digits, strlen(digits));
                    put_bytes_of(&w[k], number + 2, strlen(number + 2));
                }
            }
            put_bytes_of(&w[k], texts[i].tail, strlen(texts[i].tail));
            tasks[k].kind = STEP_READ;
            tasks[k].text.data = w[k].data;
            tasks[k].text.size = w[k].size;
            perform(&tasks[k]);
        }
        assert_int_equal(tasks[0].status, tasks[1].status);
        double ratio = 1e9;
        for (unsigned retry = 0; retry < 4 && ratio > 8; retry++) {
            double now = time_of(&tasks[1]) / time_of(&tasks[0]);
            ratio = now < ratio ? now : ratio;
        }
        print_message("# JSON of %s (%zu bytes, %s): %.1f times\n", texts[i].what, w[1].size,
                      mst_status_text(tasks[1].status), ratio);
        assert_true(ratio <= 8);
        writer_free(&w[0]);
        writer_free(&w[1]);
    }
}

/* ---- stack ------------------------------------------------------------------------------------- */

#if HAS_THREADS && defined(__OPTIMIZE__)
#define STACK ((size_t)1 << 20)
#define PAINT 0xA5
/* Other compilers and processors need more for the same work. */
#if defined(__x86_64__) && !defined(__clang__)
#define BOUND ((size_t)16 << 10)
#else
#define BOUND ((size_t)24 << 10)
#endif

static void *perform_there(void *user) {
    if (user)
        perform(user);
    return NULL;
}

/* The stack depth of a thread after the task (NULL: nothing). */
static size_t depth_of(task *t) {
    static uint8_t *stack;
    if (!stack) {
        stack = aligned_alloc(4096, STACK);
        assert_non_null(stack);
    }
    memset(stack, PAINT, STACK);
    pthread_attr_t how;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&how), 0);
    assert_int_equal(pthread_attr_setstack(&how, stack, STACK), 0);
    assert_int_equal(pthread_create(&thread, &how, perform_there, t), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&how);
    size_t untouched = 0;
    while (untouched < STACK && stack[untouched] == PAINT)
        untouched++;
    return STACK - untouched;
}

static size_t idle, deepest[STEPS];
static char deepest_name[STEPS][64];

static void measure(const char *name, task *t) {
    for (unsigned kind = STEP_OPEN; kind < STEPS; kind++) {
        if ((kind != STEP_OPEN && !t->document) ||
            ((kind == STEP_GLB || kind == STEP_PICTURE) && !t->scene) || (kind == STEP_READ && !t->text.size))
            continue;
        t->kind = (step_kind)kind;
        depth_of(t); /* the dynamic linker has bound everything now */
        size_t depth = depth_of(t) - idle;
        if (depth > deepest[kind]) {
            deepest[kind] = depth;
            snprintf(deepest_name[kind], sizeof deepest_name[kind], "%s", name);
        }
    }
}
static void measure_file(const test_file *of, const mst_resolver *sidecars) {
    task t = {.bytes = of->bytes, .size = of->size, .name = of->name, .sidecars = sidecars};
    prepare(&t);
    measure(of->name, &t);
    forget(&t);
}

static void test_stack(void **state) {
    (void)state;
    if (sample_step() > 1)
        skip();
    test_files all = files_small();
    files_of_samples(&all);
    files_of_corpus(&all, 65536);
    depth_of(NULL);
    idle = depth_of(NULL);
    each_file(&all, measure_file);
    files_free(&all);
    size_t standard[STEPS];
    memcpy(standard, deepest, sizeof standard);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        writer w = {0};
        shapes[i].write(&w, shapes[i].n);
        task t = {.bytes = w.data, .size = w.size, .name = shapes[i].name};
        prepare(&t);
        measure(shapes[i].what, &t);
        forget(&t);
        writer_free(&w);
    }
    for (size_t kind = 0; kind < STEPS; kind++) {
        print_message("# %s: %zu bytes of stack (%s)\n", step_names[kind], deepest[kind], deepest_name[kind]);
        assert_true(deepest[kind] <= BOUND);
        /* the nesting of the input does not matter */
        assert_true(deepest[kind] <= standard[kind] + 2048);
    }
}
#else
static void test_stack(void **state) {
    (void)state;
    print_message("# this build's stack says nothing\n");
    skip();
}
#endif

int test_bounds(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_stack),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_json_time),
    };
    return cmocka_run_group_tests_name("bounds", tests, NULL, NULL);
}
