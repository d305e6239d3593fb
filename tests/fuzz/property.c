/* SPDX-License-Identifier: MIT */
/* The common functions of properties: splitting the input, counted memory, and the proof that a document is
 * understood. */
#include "property.h"
#include "../../src/core/memo.h"
#include "../../src/write/rebuild.h"
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

void fuzz_broken(const char *file, int line, const char *what, const mst_diagnostic *why) {
    char text[700] = "";
    const char *base = strrchr(file, '/');
    if (why)
        mst_diagnostic_text(why, text, sizeof text);
    fprintf(stderr, "%s:%d: does not hold: %s%s%s\n", base ? base + 1 : file, line, what, *text ? ": " : "",
            text);
    fprintf(stderr, "the property: %s\n", fuzz_promise);
    abort();
}

/* ---- memory ------------------------------------------------------------------------------------ */

typedef union memory_header {
    size_t size;
    uint64_t whole[2];
} memory_header;

static void *memory_resize(void *user, void *old, size_t old_size, size_t new_size) {
    fuzz_memory *memory = user;
    memory_header *header = old ? (memory_header *)old - 1 : NULL;
    HOLDS((header ? header->size : 0) == old_size);
    if (new_size == 0) {
        memory->bytes -= old_size;
        free(header);
        return NULL;
    }
    memory->calls++;
    if ((memory->fail_at && memory->calls >= memory->fail_at) || new_size > ((size_t)1 << 30))
        return NULL;
    memory_header *made = realloc(header, new_size + sizeof *made);
    if (!made)
        return NULL;
    made->size = new_size;
    memory->bytes += new_size - old_size;
    if (memory->bytes > memory->max)
        memory->max = memory->bytes;
    return made + 1;
}

mst_allocator fuzz_allocator(fuzz_memory *memory) {
    return (mst_allocator){memory_resize, memory};
}

/* ---- inputs ------------------------------------------------------------------------------------ */

static mst_status find_second(void *user, const char *name, const void **bytes, size_t *size) {
    const fuzz_input *in = user;
    (void)name;
    if (!in->sidecar)
        return MST_NO_PATH;
    *bytes = in->sidecar;
    *size = in->sidecar_size;
    return MST_OK;
}

static uint8_t *exact(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size);
    if (size)
        memcpy(copy, data, size);
    return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_spans spans = fuzz_spans_of(data, size);
    uint8_t *bytes = exact(data, spans.file);
    fuzz_input in = {.bytes = bytes,
                     .size = spans.file,
                     .sidecar_count = spans.count,
                     .whole = spans.end,
                     .format = fuzz_kind_at(spans.kind).format,
                     .name = fuzz_kind_at(spans.kind).name,
                     .random = {spans.seed * UINT64_C(2654435761)}};
    for (size_t i = 0; i < spans.count; i++) {
        fuzz_sidecar *sidecar = &in.sidecars[i];
        sidecar->name = spans.sidecars[i].name ? (const char *)spans.sidecars[i].name : "";
        sidecar->size = spans.sidecars[i].end - spans.sidecars[i].begin;
        sidecar->bytes = exact(data + spans.sidecars[i].begin, sidecar->size);
    }
    if (spans.second_end > spans.file) {
        in.sidecar = in.sidecars[0].bytes;
        in.sidecar_size = in.sidecars[0].size;
    }
    in.second = (mst_resolver){.find = find_second, .user = &in};
    fuzz_property(&in);
    mst_memo_clear(&in.memo);
    free(bytes);
    for (size_t i = 0; i < spans.count; i++)
        free(in.sidecars[i].bytes);
    return 0;
}

/* ---- sidecars -------------------------------------------------------------------------------- */

static size_t same_letters(const char *a, const char *b) {
    size_t count = 0;
    while (a[count] && (a[count] | 0x20) == (b[count] | 0x20))
        count++;
    return count;
}

/* How well a sidecar's name matches the requested one: the extension must be the same. */
static size_t likeness(const char *asked, const char *name) {
    const char *slash = strrchr(asked, '/'), *dot = strrchr(name, '.');
    asked = slash ? slash + 1 : asked;
    const char *ending = strrchr(asked, '.');
    if (!dot || !ending || strlen(dot) != strlen(ending) || same_letters(dot, ending) != strlen(dot))
        return 0;
    return 1 + same_letters(asked, name);
}

static mst_status find_sidecar(void *user, const char *name, const void **bytes, size_t *size) {
    const fuzz_input *in = user;
    const fuzz_sidecar *best = NULL;
    size_t max = 0;
    bool named = false;
    for (size_t i = 0; i < in->sidecar_count; i++) {
        size_t like = likeness(name, in->sidecars[i].name);
        named = named || *in->sidecars[i].name;
        if (like > max) {
            max = like;
            best = &in->sidecars[i];
        }
    }
    if (in->sidecar_count && !named)
        best = &in->sidecars[0];
    if (best) {
        *bytes = best->bytes;
        *size = best->size;
        return MST_OK;
    }
    uint32_t hash = 0;
    for (; *name; name++)
        hash = hash * 31 + (uint8_t)*name;
    if (named || hash % 3 == 0)
        return MST_NO_PATH;
    size_t begin = hash % 3 == 1 ? 0 : in->size / 2;
    *bytes = in->bytes + begin;
    *size = in->size - begin;
    return MST_OK;
}

static mst_status each_sidecar(void *user, const char *folder, const char *ending, mst_take_sidecar take,
                               void *taker) {
    const fuzz_input *in = user;
    (void)folder;
    (void)ending;
    mst_status status = take(taker, "first.txt", in->bytes, in->size);
    for (size_t i = 0; i < in->sidecar_count && status == MST_OK; i++)
        status = take(taker, *in->sidecars[i].name ? in->sidecars[i].name : "second.txt",
                      in->sidecars[i].bytes, in->sidecars[i].size);
    return status == MST_OK ? take(taker, "third.txt", in->bytes, in->size / 2) : status;
}

mst_resolver fuzz_resolver(fuzz_input *in) {
    return (mst_resolver){.find = find_sidecar,
                          .user = in,
                          .memo = fuzz_below(&in->random, 4) ? &in->memo : NULL,
                          .each = fuzz_below(&in->random, 4) ? each_sidecar : NULL};
}

/* ---- files ------------------------------------------------------------------------------------- */

fuzz_files fuzz_files_of(const mst_document *document) {
    fuzz_files files = {.count = mst_document_file_count(document)};
    HOLDS(files.count <= 2);
    for (size_t i = 0; i < files.count; i++) {
        const char *name;
        const void *bytes = mst_document_file(document, i, &name, &files.sizes[i]);
        HOLDS(name);
        files.bytes[i] = malloc(files.sizes[i] ? files.sizes[i] : 1);
        HOLDS(files.bytes[i]);
        if (files.sizes[i])
            memcpy(files.bytes[i], bytes, files.sizes[i]);
    }
    return files;
}

void fuzz_files_free(fuzz_files *files) {
    for (size_t i = 0; i < files->count; i++)
        free(files->bytes[i]);
}

static bool same_file(const mst_document *document, size_t index, const uint8_t *bytes, size_t size) {
    size_t have;
    const void *data = mst_document_file(document, index, NULL, &have);
    return have == size && (!size || memcmp(data, bytes, size) == 0);
}

bool fuzz_same_files(const mst_document *document, const fuzz_files *files) {
    bool same = mst_document_file_count(document) == files->count;
    for (size_t i = 0; i < files->count && same; i++)
        same = same_file(document, i, files->bytes[i], files->sizes[i]);
    return same;
}

bool fuzz_has_input(const mst_document *document, const fuzz_input *in) {
    if (mst_document_file_count(document) == 1)
        return same_file(document, 0, in->bytes, in->size);
    return (same_file(document, 0, in->bytes, in->size) &&
            same_file(document, 1, in->sidecar, in->sidecar_size)) ||
           (same_file(document, 1, in->bytes, in->size) &&
            same_file(document, 0, in->sidecar, in->sidecar_size));
}

/* ---- diagnoses --------------------------------------------------------------------------------- */

mst_status fuzz_count_output(void *user, const void *data, size_t size) {
    (void)data;
    *(size_t *)user += size;
    return MST_OK;
}

static void is_told_well(const mst_diagnostic *diagnostic) {
    HOLDS(memchr(diagnostic->code, 0, sizeof diagnostic->code));
    HOLDS(memchr(diagnostic->path, 0, sizeof diagnostic->path));
    HOLDS(memchr(diagnostic->expected, 0, sizeof diagnostic->expected));
    HOLDS(memchr(diagnostic->found, 0, sizeof diagnostic->found));
    HOLDS(memchr(diagnostic->message, 0, sizeof diagnostic->message));
    HOLDS(diagnostic->message[0]);
}

mst_status fuzz_count_findings(void *user, const mst_diagnostic *diagnostic) {
    is_told_well(diagnostic);
    ++*(uint64_t *)user;
    return MST_OK;
}

void fuzz_is_told(const mst_diagnostic *why, mst_status status) {
    HOLDS(status != MST_OK && why->status == status);
    is_told_well(why);
}

/* ---- documents --------------------------------------------------------------------------------- */

mst_open_options fuzz_options(const fuzz_input *in, fuzz_memory *memory) {
    mst_open_options options = {
        .size = sizeof options, .format = in->format, .name = in->name, .sidecars = &in->second};
    if (memory)
        options.allocator = fuzz_allocator(memory);
    return options;
}

mst_document *fuzz_open(fuzz_input *in, fuzz_memory *memory) {
    mst_open_options options = fuzz_options(in, memory);
    mst_document *document = NULL;
    mst_diagnostic why;
    mst_status status;
    memset(&why, 0x7F, sizeof why);
    if (in->size && in->bytes[0] == '{') {
        options.format = NULL; /* the text states it */
        options.lenient_json = fuzz_below(&in->random, 2) != 0;
        status = mst_open_json((const char *)in->bytes, in->size, &options, &document, &why);
    } else {
        status = mst_open_memory(in->bytes, in->size, &options, &document, &why);
    }
    HOLDS((status == MST_OK) == (document != NULL));
    if (status != MST_OK)
        fuzz_is_told(&why, status);
    return document;
}

void fuzz_close(mst_document *document, fuzz_input *in, const fuzz_memory *memory, size_t max) {
    mst_close(document);
    mst_memo_clear(&in->memo); /* it belongs to the document's allocator */
    HOLDS(memory->bytes == 0);
    HOLDS(memory->max <= max * in->whole + ((size_t)4 << 20));
}

static const char *name_of(const mst_document *document) {
    return *mst_document_name(document) ? mst_document_name(document) : NULL;
}

void fuzz_is_saved(const mst_document *document) {
    fuzz_files files = fuzz_files_of(document);
    mst_diagnostic why;
    mst_buffer saved = {0}, encoded = {0};
    mst_document *again;
    MUST(mst_save(document, mst_buffer_sink(&saved), &why), &why);
    HOLDS(saved.size == files.sizes[0] &&
          (!saved.size || memcmp(saved.data, files.bytes[0], saved.size) == 0));
    MUST(mst_encode(document, mst_buffer_sink(&encoded), &why), &why);
    HOLDS(encoded.size == saved.size && (!saved.size || memcmp(encoded.data, saved.data, saved.size) == 0));
    mst_buffer_free(&saved);
    mst_buffer_free(&encoded);
    MUST(mst_rebuild(document, &again, &why), &why);
    HOLDS(fuzz_same_files(again, &files));
    mst_close(again);
    fuzz_files_free(&files);
    mst_ledger ledger;
    uint64_t size = 0;
    for (size_t i = 0, one; i < mst_document_file_count(document); i++) {
        mst_document_file(document, i, NULL, &one);
        size += one;
    }
    mst_status covered = mst_byte_coverage(document, &ledger, &why);
    size_t parsed, file;
    if (covered == MST_NO_MEMORY &&
        mst_document_bytes(document, &parsed) != mst_document_file(document, 0, NULL, &file))
        return; /* the files were parsed, which used most of the budget */
    MUST(covered, &why);
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof ledger.bytes / sizeof *ledger.bytes; i++)
        sum += ledger.bytes[i];
    HOLDS(ledger.holes == 0);
    HOLDS(ledger.overlap == 0);
    HOLDS(ledger.size == size && sum == size);
}

void fuzz_is_read_as_json(const mst_document *document, bool compact) {
    fuzz_files files = fuzz_files_of(document);
    mst_value root = mst_root(document);
    size_t length;
    char *text = fuzz_json_of(&root, compact, &length);
    HOLDS(text);
    mst_document *again;
    mst_diagnostic why;
    mst_open_options options = {.size = sizeof options, .name = name_of(document)};
    MUST(mst_open_json(text, length, &options, &again, &why), &why);
    HOLDS(fuzz_same_files(again, &files));
    mst_close(again);
    free(text);
    fuzz_files_free(&files);
}

void fuzz_is_understood(const mst_document *document) {
    fuzz_is_saved(document);
    fuzz_is_read_as_json(document, true);
}
