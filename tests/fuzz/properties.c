/* SPDX-License-Identifier: MIT */
/*
 * What holds of any bytes whatsoever (README.md has the list). An input is a file, or a file and a companion;
 * one that begins with '{' is also read as a document's JSON.
 */
#include "../../src/core/arena.h"
#include "../../src/core/json.h"
#include "fuzz.h"
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- what is broken ---------------------------------------------------------------------------- */

static _Noreturn void broken(const char *what, int line, const mst_diagnostic *why) {
    char text[700] = "";
    if (why)
        mst_diagnostic_text(why, text, sizeof text);
    fprintf(stderr, "properties.c:%d: does not hold: %s%s%s\n", line, what, *text ? ": " : "", text);
    abort();
}
#define HOLDS(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            broken(#condition, __LINE__, NULL);                                                              \
    } while (0)
/* The call succeeds; `why` is what it filled in. */
#define MUST(call, why)                                                                                      \
    do {                                                                                                     \
        if ((call) != MST_OK)                                                                                \
            broken(#call, __LINE__, (why));                                                                  \
    } while (0)

/* ---- an allocator that counts, and fails when it is told to ------------------------------------ */

typedef struct counted {
    size_t bytes, most; /* that are not freed, and the most that ever were */
    size_t calls, fail_at;
} counted;

typedef union counted_head {
    size_t size;
    uint64_t whole[2];
} counted_head;

static void *counted_resize(void *user, void *old, size_t old_size, size_t new_size) {
    counted *c = user;
    counted_head *head = old ? (counted_head *)old - 1 : NULL;
    HOLDS((head ? head->size : 0) == old_size);
    if (new_size == 0) {
        c->bytes -= old_size;
        free(head);
        return NULL;
    }
    c->calls++;
    if ((c->fail_at && c->calls >= c->fail_at) || new_size > ((size_t)1 << 30))
        return NULL;
    counted_head *made = realloc(head, new_size + sizeof *made);
    if (!made)
        return NULL;
    made->size = new_size;
    c->bytes += new_size - old_size;
    if (c->bytes > c->most)
        c->most = c->bytes;
    return made + 1;
}
static mst_allocator counted_allocator(counted *c) {
    return (mst_allocator){counted_resize, c};
}

/* ---- one input --------------------------------------------------------------------------------- */

typedef struct input {
    const uint8_t *bytes, *companion;
    size_t size, companion_size;
    fuzz_random random;
    const char *name;
    bool pair; /* the companion is the other file of a document that is two */
    mst_memo memo;
} input;

/* A finder that has everything: the companion, the file itself, part of it, or nothing. */
static mst_status find_companion(void *user, const char *name, const void **bytes, size_t *size) {
    const input *in = user;
    uint32_t hash = 0;
    for (; *name; name++)
        hash = hash * 31 + (uint8_t)*name;
    if (in->companion) {
        *bytes = in->companion;
        *size = in->companion_size;
        return MST_OK;
    }
    switch (hash % 3) {
    case 0: return MST_NO_PATH;
    case 1:
        *bytes = in->bytes;
        *size = in->size;
        return MST_OK;
    default:
        *bytes = in->bytes + in->size / 2;
        *size = in->size - in->size / 2;
        return MST_OK;
    }
}

static mst_status each_companion(void *user, const char *folder, const char *ending, mst_take_companion take,
                                 void *taker) {
    const input *in = user;
    (void)folder;
    (void)ending;
    mst_status status = take(taker, "first.txt", in->bytes, in->size);
    if (status == MST_OK && in->companion)
        status = take(taker, "second.txt", in->companion, in->companion_size);
    return status == MST_OK ? take(taker, "third.txt", in->bytes, in->size / 2) : status;
}

static mst_finder finder_of(input *in) {
    return (mst_finder){.find = find_companion,
                        .user = in,
                        .memo = fuzz_below(&in->random, 4) ? &in->memo : NULL,
                        .each = fuzz_below(&in->random, 4) ? each_companion : NULL};
}

/* The files of a document: what one is that is opened as two. */
typedef struct files {
    size_t count;
    uint8_t *bytes[2];
    size_t sizes[2];
} files;

static void *copy_of(const void *bytes, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    HOLDS(copy);
    if (size)
        memcpy(copy, bytes, size);
    return copy;
}
static files files_of(const mst_document *document) {
    files all = {.count = mst_document_file_count(document)};
    HOLDS(all.count <= 2);
    for (size_t i = 0; i < all.count; i++) {
        const char *name;
        const void *bytes = mst_document_file(document, i, &name, &all.sizes[i]);
        HOLDS(name);
        all.bytes[i] = copy_of(bytes, all.sizes[i]);
    }
    return all;
}
static void files_free(files *all) {
    for (size_t i = 0; i < all->count; i++)
        free(all->bytes[i]);
}
static bool same_files(const mst_document *document, const files *all) {
    bool same = mst_document_file_count(document) == all->count;
    for (size_t i = 0; i < all->count && same; i++) {
        size_t size;
        const void *bytes = mst_document_file(document, i, NULL, &size);
        same = size == all->sizes[i] && (!size || memcmp(bytes, all->bytes[i], size) == 0);
    }
    return same;
}
static mst_status find_second(void *user, const char *name, const void **bytes, size_t *size) {
    const files *all = user;
    (void)name;
    if (all->count < 2)
        return MST_NO_PATH;
    *bytes = all->bytes[1];
    *size = all->sizes[1];
    return MST_OK;
}
/* The input's own, as files that a document was opened from; they are not to be freed. */
static files files_in(const input *in, const mst_document *document) {
    return (files){.count = mst_document_file_count(document),
                   .bytes = {(uint8_t *)(uintptr_t)in->bytes, (uint8_t *)(uintptr_t)in->companion},
                   .sizes = {in->size, in->companion_size}};
}

static mst_status count_output(void *user, const void *data, size_t size) {
    (void)data;
    *(size_t *)user += size;
    return MST_OK;
}
static mst_status count_findings(void *user, const mst_diagnostic *diagnostic) {
    HOLDS(memchr(diagnostic->code, 0, sizeof diagnostic->code));
    HOLDS(memchr(diagnostic->path, 0, sizeof diagnostic->path));
    HOLDS(memchr(diagnostic->expected, 0, sizeof diagnostic->expected));
    HOLDS(memchr(diagnostic->found, 0, sizeof diagnostic->found));
    HOLDS(memchr(diagnostic->message, 0, sizeof diagnostic->message));
    HOLDS(diagnostic->message[0]);
    ++*(uint64_t *)user;
    return MST_OK;
}

/* ---- a document says what it is, in every way of writing it ------------------------------------ */

static const char *name_of(const mst_document *document) {
    return *mst_document_name(document) ? mst_document_name(document) : NULL;
}

static void reads_as_json(const mst_document *document, const files *all, bool compact) {
    mst_value root = mst_root(document);
    size_t length;
    char *text = fuzz_json_of(&root, compact, &length);
    HOLDS(text);
    mst_document *again;
    mst_diagnostic why;
    mst_open_options options = {.name = name_of(document)};
    MUST(mst_open_json(text, length, &options, &again, &why), &why);
    HOLDS(same_files(again, all));
    mst_close(again);
    free(text);
}

static void is_understood(const mst_document *document) {
    files all = files_of(document);
    mst_diagnostic why;
    mst_memory saved = {0}, encoded = {0};
    mst_document *again;
    MUST(mst_save(document, mst_memory_sink(&saved), &why), &why);
    HOLDS(saved.size == all.sizes[0] && (!saved.size || memcmp(saved.data, all.bytes[0], saved.size) == 0));
    MUST(mst_encode(document, mst_memory_sink(&encoded), &why), &why);
    HOLDS(encoded.size == saved.size && (!saved.size || memcmp(encoded.data, saved.data, saved.size) == 0));
    mst_memory_free(&saved);
    mst_memory_free(&encoded);
    MUST(mst_rebuild(document, &again, &why), &why);
    HOLDS(same_files(again, &all));
    mst_close(again);
    mst_ledger ledger;
    size_t size;
    mst_document_bytes(document, &size);
    MUST(mst_account(document, &ledger, &why), &why);
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof ledger.bytes / sizeof *ledger.bytes; i++)
        sum += ledger.bytes[i];
    HOLDS(ledger.holes == 0);
    HOLDS(ledger.overlap == 0);
    HOLDS(ledger.size == size && sum == size);
    reads_as_json(document, &all, true);
    files_free(&all);
}

static void is_checked(const mst_document *document, input *in) {
    mst_finder finder = finder_of(in);
    mst_check_options options = {.information = 1, .companions = &finder};
    uint64_t findings = 0;
    mst_check_result result;
    mst_diagnostic why;
    if (in->companion) { /* a schema that is none is the caller's mistake */
        options.schema = (const char *)in->companion;
        options.schema_size = in->companion_size;
        mst_check(document, &options, count_findings, &findings, &result, &why);
        options.schema = NULL;
        findings = 0;
    }
    MUST(mst_check(document, &options, count_findings, &findings, &result, &why), &why);
    HOLDS(findings == result.errors + result.warnings + result.information);
    size_t written = 0;
    mst_describe(document, "triggers", (mst_sink){count_output, &written}, &why);
}

/* ---- values ------------------------------------------------------------------------------------ */

static void content_opens(const mst_document *document, const mst_value *value) {
    mst_document *content;
    mst_diagnostic why;
    (void)document;
    if (mst_open_content(value, NULL, &content, &why) != MST_OK)
        return;
    is_understood(content);
    mst_close(content);
}

static void is_found(const mst_document *document, const fuzz_thing *thing, input *in) {
    mst_value value, member;
    mst_diagnostic why;
    MUST(mst_find(mst_root(document), thing->path, &value, &why), &why);
    HOLDS(mst_value_type(&value) == thing->type);
    uint64_t offset, length, elements;
    mst_value_span(&value, &offset, &length);
    if (thing->kind == MST_EVENT_LEAF) {
        HOLDS(offset == thing->value_offset && length == thing->value_length);
        HOLDS(offset + length == thing->offset + thing->length);
    }
    uint64_t count = mst_count(&value), met = 0;
    mst_iterator it = mst_iterate(&value);
    while (met < 300 && mst_next(&it, &member))
        met++;
    if (mst_value_type(&value) == MST_TYPE_LIST) {
        HOLDS(met == count || met == 300);
        HOLDS(mst_element(&value, count, &member) != MST_OK);
        if (count)
            HOLDS(mst_element(&value, fuzz_next(&in->random) % count, &member) == MST_OK);
    }
    int64_t whole;
    uint64_t natural;
    double real, numbers[64];
    char text[40];
    const void *bytes;
    size_t size;
    mst_get_integer(&value, &whole);
    mst_get_unsigned(&value, &natural);
    mst_get_real(&value, &real);
    if (mst_get_text(&value, text, sizeof text, &size) == MST_OK)
        HOLDS(memchr(text, 0, sizeof text));
    mst_get_name(&value);
    mst_target target = {.type = MST_F64, .components = 1, .data = numbers, .capacity = 64};
    if (mst_read(&value, &target, &elements, &why) == MST_OK)
        HOLDS(elements <= 64);
    target.type = (mst_element_type)fuzz_below(&in->random, MST_I64 + 1);
    target.components = fuzz_below(&in->random, 4);
    target.capacity = 2; /* of up to ... components */
    if (target.components)
        mst_read(&value, &target, &elements, &why);
    if (mst_get_bytes(&value, &bytes, &size) == MST_OK) {
        HOLDS(size <= length);
        uint8_t *records = malloc(size ? size : 1);
        uint64_t done;
        HOLDS(records);
        mst_read_interleaved(&value, fuzz_below(&in->random, 40), records, size, &done, &why);
        free(records);
    }
    if (mst_value_type(&value) == MST_TYPE_LIST) {
        char path[300];
        snprintf(path, sizeof path, "%s[%u:%u]", thing->path, fuzz_below(&in->random, 4),
                 fuzz_below(&in->random, 40));
        mst_value slice;
        MUST(mst_find(mst_root(document), path, &slice, &why), &why);
        HOLDS(mst_count(&slice) <= count);
        char *json = fuzz_json_of(&slice, true, &size);
        HOLDS(json);
        free(json);
    }
    static const size_t sizes[] = {sizeof(mst_ns2_vertex), sizeof(mst_ns2_edge), 12, 16, 36};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        void *structs = malloc(3 * sizes[i]);
        HOLDS(structs);
        if (mst_read_structs(&value, structs, sizes[i], 3, &elements, &why) == MST_OK)
            HOLDS(elements <= 3);
        free(structs);
    }
    content_opens(document, &value);
}

/* A path that is none, or only by chance. */
static void odd_path(const mst_document *document, const char *path, input *in) {
    char odd[256];
    static const char scraps[] = "[]=\".:0123456789 anme-";
    size_t length = strlen(path);
    memcpy(odd, path, length + 1);
    for (uint32_t changes = 1 + fuzz_below(&in->random, 3); changes && length; changes--)
        odd[fuzz_below(&in->random, length)] = scraps[fuzz_below(&in->random, sizeof scraps - 1)];
    mst_value value;
    mst_diagnostic why;
    size_t size;
    if (mst_find(mst_root(document), odd, &value, &why) == MST_OK && mst_count(&value) < 5000) {
        char *json = fuzz_json_of(&value, true, &size);
        free(json);
    }
}

/* ---- scenes ------------------------------------------------------------------------------------ */

static void is_a_scene(const mst_scene *scene) {
    HOLDS(scene->node_count > 0 && scene->nodes[0].parent == -1);
    for (size_t i = 0; i < scene->node_count; i++) {
        const mst_node *node = &scene->nodes[i];
        HOLDS(node->name && node->class_name && node->layer && node->label);
        HOLDS(i == 0 || (node->parent >= 0 && (size_t)node->parent < i));
        HOLDS(node->mesh < (int64_t)scene->mesh_count && node->mesh >= -1);
        HOLDS(node->light < (int64_t)scene->light_count && node->light >= -1);
        HOLDS(node->camera < (int64_t)scene->camera_count && node->camera >= -1);
        for (size_t e = 0; e < node->extras.count; e++) {
            const mst_extra *extra = &node->extras.items[e];
            HOLDS(extra->kind != MST_EXTRA_TEXT || extra->text);
            HOLDS(extra->kind != MST_EXTRA_REAL || (extra->real - extra->real == 0));
        }
    }
    for (size_t m = 0; m < scene->mesh_count; m++)
        for (size_t p = 0; p < scene->meshes[m].primitive_count; p++) {
            const mst_primitive *primitive = &scene->meshes[m].primitives[p];
            HOLDS(primitive->material >= -1 && primitive->material < (int64_t)scene->material_count);
            HOLDS(primitive->index_count % 3 == 0);
            for (uint32_t i = 0; i < primitive->index_count; i++)
                HOLDS(primitive->indices[i] < primitive->vertex_count);
        }
    for (size_t m = 0; m < scene->material_count; m++)
        HOLDS(scene->materials[m].image >= -1 && scene->materials[m].image < (int64_t)scene->image_count);
}

static uint32_t load_little(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void is_glb(const mst_memory *glb) {
    HOLDS(glb->size >= 20 && glb->size % 4 == 0 && memcmp(glb->data, "glTF\2\0\0\0", 8) == 0);
    HOLDS(load_little(glb->data + 8) == glb->size);
    uint32_t length = load_little(glb->data + 12);
    HOLDS(length <= glb->size - 20 && memcmp(glb->data + 16, "JSON", 4) == 0);
    HOLDS(length == glb->size - 20 || load_little(glb->data + 20 + length) == glb->size - 28 - length);
    mst_arena arena;
    mst_json json;
    mst_diagnostic why;
    counted memory = {0};
    mst_allocator allocator = counted_allocator(&memory);
    mst_arena_begin(&arena, &allocator, 0);
    MUST(mst_json_parse((const char *)glb->data + 20, length, &arena, &json, &why), &why);
    mst_arena_end(&arena);
}

static void has_a_scene(const mst_document *document, input *in) {
    counted memory = {0};
    mst_finder finder = finder_of(in);
    mst_scene_options options = {.allocator = counted_allocator(&memory),
                                 .companions = fuzz_below(&in->random, 8) ? &finder : NULL,
                                 .split_layers = fuzz_below(&in->random, 4) == 0,
                                 .no_markers = fuzz_below(&in->random, 4) == 0};
    if (fuzz_below(&in->random, 16) == 0)
        memory.fail_at = 1 + fuzz_below(&in->random, 60);
    mst_scene *scene = NULL;
    mst_diagnostic why;
    mst_status status;
    if (fuzz_below(&in->random, 8) == 0) {
        const mst_document *two[] = {document, document};
        status = mst_scene_from_documents(two, 2, &options, &scene, &why);
    } else {
        status = mst_scene_from_document(document, &options, &scene, &why);
    }
    if (status == MST_OK) {
        is_a_scene(scene);
        mst_memory glb = {0};
        mst_gltf_options few = {.no_extras = fuzz_below(&in->random, 4) == 0};
        MUST(mst_scene_write_glb(scene, &few, mst_memory_sink(&glb), &why), &why);
        is_glb(&glb);
        mst_memory_free(&glb);
        size_t written = 0;
        mst_sink nowhere = {count_output, &written};
        if (fuzz_below(&in->random, 4) == 0)
            MUST(mst_scene_write_gltf(scene, &few, NULL, nowhere, nowhere, &why), &why);
        /* one of the views: they take most of the time */
        mst_view view = (mst_view)(MST_VIEW_ABOVE + fuzz_below(&in->random, 3));
        mst_picture_options small = {.view = view, .width = 128, .height = 96};
        mst_picture picture = {0};
        MUST(mst_scene_draw(scene, &small, &picture, &why), &why);
        HOLDS(picture.width == 128 && picture.height == 96);
        mst_picture_free(&picture);
    }
    mst_scene_free(scene);
    mst_memo_clear(&in->memo);
    HOLDS(memory.bytes == 0);
    /* twice what a scene may take: it has room for what is only needed while it is made */
    size_t size;
    mst_document_bytes(document, &size);
    HOLDS(memory.most <= 128 * (2 * size + in->size + in->companion_size) + (2u << 20));
}

/* ---- other forms ------------------------------------------------------------------------------- */

static void converts(const mst_document *document, input *in) {
    files all = files_of(document);
    mst_document *other, *back;
    mst_diagnostic why;
    uint64_t lost = 0;
    static const char *const orders[] = {"big", "little"};
    for (int i = 0; i < 2; i++) {
        mst_convert_options to = {.byte_order = orders[i]}, from = {.byte_order = orders[!i]};
        if (mst_convert(document, &to, count_findings, &lost, &other, &why) != MST_OK)
            continue;
        is_understood(other);
        if (!same_files(other, &all)) {
            MUST(mst_convert(other, &from, count_findings, &lost, &back, &why), &why);
            HOLDS(same_files(back, &all));
            mst_close(back);
        }
        mst_close(other);
    }
    files_free(&all);
    mst_convert_options to = {.has_version = 1, .version = fuzz_below(&in->random, 17), .allow_loss = 1};
    if (fuzz_below(&in->random, 4) == 0)
        to.name = "7_3_5.DAT";
    if (mst_convert(document, &to, count_findings, &lost, &other, &why) == MST_OK) {
        is_understood(other);
        mst_close(other);
    }
}

static void has_pictures(mst_document *document, input *in) {
    size_t count = mst_image_count(document);
    for (size_t i = 0; i < count && i < 3; i++) {
        mst_pixels pixels = {0};
        mst_diagnostic why;
        char name[MST_IMAGE_NAME];
        if (mst_image_read(document, i, &pixels, name, &why) == MST_OK) {
            HOLDS(memchr(name, 0, sizeof name));
            files before = files_of(document);
            MUST(mst_image_replace(document, i, &pixels, &why), &why);
            HOLDS(same_files(document, &before));
            files_free(&before);
            size_t pixel_bytes = (size_t)pixels.width * pixels.height * (pixels.indexed ? 1 : 4);
            for (int k = 0; k < 8 && pixel_bytes; k++)
                pixels.data[fuzz_below(&in->random, pixel_bytes)] = (uint8_t)fuzz_next(&in->random);
            if (mst_image_replace(document, i, &pixels, &why) == MST_OK)
                is_understood(document);
        }
        mst_pixels_free(&pixels);
    }
}

/* ---- edits ------------------------------------------------------------------------------------- */

/* What was set is there. */
static void has_value(const mst_document *document, const fuzz_thing *thing, const char *json) {
    mst_value value;
    mst_diagnostic why;
    int64_t is;
    char *end;
    long long wanted = strtoll(json, &end, 10);
    if (thing->type != MST_TYPE_INTEGER || end == json || *end || strlen(json) > 18)
        return;
    MUST(mst_find(mst_root(document), thing->path, &value, &why), &why);
    MUST(mst_get_integer(&value, &is), NULL);
    HOLDS(is == wanted);
}

static mst_status edit(mst_document *document, const fuzz_thing *thing, const char *own, input *in,
                       bool *same) {
    mst_diagnostic why;
    mst_status status;
    const char *odd = fuzz_odd_json(&in->random);
    char path[300];
    *same = false;
    switch (fuzz_below(&in->random, 8)) {
    case 0:
    case 1: *same = true; return mst_set(document, thing->path, own, &why);
    case 2:
        if (thing->index != UINT64_MAX)
            return mst_insert(document, thing->path, own, &why);
        snprintf(path, sizeof path, "%s[0]", thing->path);
        return mst_insert(document, path, odd, &why);
    case 3: return mst_remove(document, thing->path, &why);
    case 4:
        snprintf(path, sizeof path, "%s[%u]", thing->path, fuzz_below(&in->random, 4));
        return mst_remove(document, path, &why);
    default:
        status = mst_set(document, thing->path, odd, &why);
        if (status == MST_OK)
            has_value(document, thing, odd);
        return status;
    }
}

/* Each edit is done or leaves everything as it was; what is done opens and is understood. */
static void is_edited(const mst_document *original, input *in) {
    files all = files_of(original);
    counted memory = {0};
    mst_finder second = {.find = find_second, .user = &all};
    mst_open_options options = {.format = mst_document_format(original)->id,
                                .name = name_of(original),
                                .companions = &second,
                                .allocator = counted_allocator(&memory)};
    mst_document *document;
    mst_diagnostic why;
    if (mst_open_memory(all.bytes[0], all.sizes[0], &options, &document, &why) != MST_OK) {
        files_free(&all);
        return; /* content of another document is read in that one's variant */
    }
    for (int round = 0; round < 4; round++) {
        fuzz_sample sample;
        MUST(fuzz_take_sample(document, &in->random, false, &sample), NULL);
        if (!sample.count)
            break;
        const fuzz_thing *thing = &sample.things[fuzz_below(&in->random, sample.count)];
        mst_value value;
        MUST(mst_find(mst_root(document), thing->path, &value, &why), &why);
        size_t length;
        char *own = fuzz_json_of(&value, true, &length);
        HOLDS(own);
        files before = files_of(document);
        bool same;
        size_t held = memory.bytes;
        if (fuzz_below(&in->random, 16) == 0)
            memory.fail_at = memory.calls + 1 + fuzz_below(&in->random, 12);
        mst_status status = edit(document, thing, own, in, &same);
        memory.fail_at = 0;
        if (status == MST_OK) {
            is_understood(document);
            /* in archives, what stands between blocks is made anew; masks follow what is edited */
            if (same && strncmp(mst_document_format(document)->id, "ns2", 3) == 0)
                HOLDS(same_files(document, &before));
        } else {
            HOLDS(same_files(document, &before));
            HOLDS(memory.bytes == held);
        }
        files_free(&before);
        free(own);
    }
    mst_close(document);
    files_free(&all);
    HOLDS(memory.bytes == 0);
}

/* ---- everything -------------------------------------------------------------------------------- */

static void is_a_document(mst_document *document, input *in) {
    is_understood(document);
    if (fuzz_below(&in->random, 4) == 0) {
        files all = files_of(document);
        reads_as_json(document, &all, false);
        files_free(&all);
    }
    is_checked(document, in);
    fuzz_sample sample;
    MUST(fuzz_take_sample(document, &in->random, false, &sample), NULL);
    for (size_t i = 0; i < sample.count; i++) {
        is_found(document, &sample.things[i], in);
        odd_path(document, sample.things[i].path, in);
    }
    has_a_scene(document, in);
    converts(document, in);
    is_edited(document, in);
    has_pictures(document, in); /* edits it */
}

/* When memory runs out, what was asked for fails, and everything comes back. */
static void lacks_memory(const input *in, const char *format, fuzz_random *random) {
    counted memory = {0};
    uint64_t findings = 0;
    files given = {in->pair ? 2 : 1, {NULL, (uint8_t *)(uintptr_t)in->companion}, {0, in->companion_size}};
    mst_finder second = {.find = find_second, .user = &given};
    mst_open_options options = {
        .format = format, .name = in->name, .companions = &second, .allocator = counted_allocator(&memory)};
    mst_document *document, *other;
    if (mst_open_memory(in->bytes, in->size, &options, &document, NULL) != MST_OK)
        return;
    size_t held = memory.bytes;
    for (int i = 0; i < 6; i++) {
        mst_memory bytes = {.allocator = options.allocator};
        mst_pixels pixels = {.allocator = options.allocator};
        mst_scene_options making = {.allocator = options.allocator};
        mst_convert_options to = {.byte_order = "big"};
        mst_value root = mst_root(document);
        mst_scene *scene;
        memory.fail_at = memory.calls + 1 + fuzz_below(random, 1u << fuzz_below(random, 8));
        mst_sink sink = mst_memory_sink(&bytes);
        switch (i) {
        case 0: mst_write_json(&root, NULL, sink, NULL); break;
        case 1: mst_encode(document, sink, NULL); break;
        case 2: mst_check(document, NULL, count_findings, &findings, NULL, NULL); break;
        case 3:
            if (mst_convert(document, &to, NULL, NULL, &other, NULL) == MST_OK)
                mst_close(other);
            break;
        case 4: mst_image_read(document, 0, &pixels, NULL, NULL); break;
        default:
            if (mst_scene_from_document(document, &making, &scene, NULL) == MST_OK) {
                mst_scene_write_glb(scene, NULL, sink, NULL);
                mst_scene_free(scene);
            }
        }
        mst_memory_free(&bytes);
        mst_pixels_free(&pixels);
        memory.fail_at = 0;
        HOLDS(memory.bytes == held);
    }
    given = files_in(in, document);
    HOLDS(same_files(document, &given));
    mst_close(document);
    HOLDS(memory.bytes == 0);
}

static bool is_folded(const char *format) {
    return !format || strncmp(format, "sfa-", 4) == 0;
}

static void opens_or_not(input *in, const char *format, bool salvage) {
    counted memory = {0};
    uint64_t told = 0;
    mst_document *document = NULL;
    mst_diagnostic why;
    memset(&why, 0x7F, sizeof why);
    files given = {in->pair ? 2 : 1, {NULL, (uint8_t *)(uintptr_t)in->companion}, {0, in->companion_size}};
    mst_finder second = {.find = find_second, .user = &given};
    size_t whole = in->size + (in->pair ? in->companion_size : 0);
    mst_open_options options = {.format = format,
                                .name = in->name,
                                .companions = &second,
                                .allocator = counted_allocator(&memory),
                                .salvage = salvage,
                                .report = count_findings,
                                .report_user = &told};
    mst_status status = mst_open_memory(in->bytes, in->size, &options, &document, &why);
    HOLDS(memory.most <= whole * 16 + (1u << 20));
    if (status == MST_OK) {
        if (salvage) {
            HOLDS(mst_is_edited(document) || told == 0);
            is_understood(document);
        } else {
            files opened = files_in(in, document);
            HOLDS(same_files(document, &opened));
            is_a_document(document, in);
        }
    } else {
        HOLDS(!document);
        HOLDS(why.status == status && memchr(why.message, 0, sizeof why.message) && why.message[0]);
        /* what is packed may be too much; a name may not say which of two files it is */
        HOLDS(status == MST_DAMAGED || status == MST_UNKNOWN ||
              (is_folded(format) && (status == MST_NO_MEMORY || status == MST_IO)));
    }
    mst_close(document);
    mst_memo_clear(&in->memo); /* it is of the document's allocator */
    HOLDS(memory.bytes == 0);
    HOLDS(memory.most <= 64 * (in->size + in->companion_size) + (4u << 20)); /* checks, conversions, edits */
    /* the same without memory, from some point on */
    size_t calls = memory.calls;
    if (calls && fuzz_below(&in->random, 8) == 0) {
        memory = (counted){.fail_at = 1 + fuzz_below(&in->random, calls)};
        document = NULL;
        status = mst_open_memory(in->bytes, in->size, &options, &document, &why);
        mst_close(document);
        HOLDS(memory.bytes == 0);
        if (!salvage)
            lacks_memory(in, format, &in->random);
    }
}

static void is_json_or_not(input *in, bool lenient) {
    counted memory = {0};
    mst_document *document = NULL;
    mst_diagnostic why;
    memset(&why, 0x7F, sizeof why);
    mst_open_options options = {
        .name = in->name, .allocator = counted_allocator(&memory), .lenient_json = lenient};
    mst_status status = mst_open_json((const char *)in->bytes, in->size, &options, &document, &why);
    HOLDS(memory.most <= in->size * 64 + (1u << 20));
    if (status == MST_OK)
        is_a_document(document, in);
    else
        HOLDS(!document && why.status == status && why.message[0]);
    mst_close(document);
    mst_memo_clear(&in->memo);
    HOLDS(memory.bytes == 0);
}

/* Memory of its very size, so that what is read beside it is noticed. */
static uint8_t *exact(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size);
    if (size)
        memcpy(copy, data, size);
    return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {NULL,          "a.level",  "0_1_2.DAT", "class.def", "111GFX.BIN",
                                        "L111LEV.MAP", "x.map",    "x.clip",    "x.dat",     "a.romlist.zlb",
                                        "TEX0.tab",    "MAPS.bin", "ANIM.BIN"};
    size_t mark = fuzz_mark(data, size);
    input in = {.size = mark, .random = {size}};
    for (size_t i = 0; i < size; i++)
        in.random.state = (in.random.state ^ data[i]) * UINT64_C(1099511628211);
    uint8_t *bytes = exact(data, mark), *companion = NULL;
    if (mark < size) {
        in.companion_size = size - mark - FUZZ_MARK_SIZE;
        in.companion = companion = exact(data + mark + FUZZ_MARK_SIZE, in.companion_size);
    }
    in.bytes = bytes;
    opens_or_not(&in, NULL, false);
    in.name = names[fuzz_below(&in.random, sizeof names / sizeof *names)];
    const mst_format_information *known = mst_identify(in.bytes, in.size, in.size, in.name, NULL);
    opens_or_not(&in, NULL, true);
    for (size_t i = 0; i < mst_format_count(); i++)
        if (mst_format_at(i) != known || fuzz_below(&in.random, 4) == 0)
            opens_or_not(&in, mst_format_at(i)->id, fuzz_below(&in.random, 2));
    if (mark && bytes[0] == '{') {
        is_json_or_not(&in, false);
        is_json_or_not(&in, true);
    }
    if (companion) { /* the table of the first file */
        static const char *const pairs[][2] = {{"sfa-textures", "TEX1.bin"},
                                               {"sfa-blocks", "mod6.zlb.bin"},
                                               {"sfa-maps", "MAPS.bin"},
                                               {"sfa-hits", "HITS.bin"},
                                               {"sfa-voxmap", "VOXMAP.bin"}};
        in.pair = true;
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
            in.name = pairs[i][1];
            opens_or_not(&in, pairs[i][0], false);
        }
    }
    free(bytes);
    free(companion);
    return 0;
}
