/* SPDX-License-Identifier: MIT */
#include "support.h"
#include "../src/write/rebuild.h"

void must(mst_status status, const mst_diagnostic *why, const char *file, int line) {
    char text[700] = "";
    if (status == MST_OK)
        return;
    if (why)
        mst_diagnostic_text(why, text, sizeof text);
    print_error("%s:%d: %s: %s\n", file, line, mst_status_text(status), text);
    fail();
}

void writer_free(writer *w) {
    free(w->data);
    free(w->marks);
    memset(w, 0, sizeof *w);
}

uint8_t *put(writer *w, size_t size) {
    if (w->size + size > w->capacity) {
        w->capacity = (w->size + size) * 2 + 256;
        w->data = realloc(w->data, w->capacity);
        assert_non_null(w->data);
    }
    w->size += size;
    return w->data + w->size - size;
}

void at(writer *w, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(w->label, sizeof w->label, format, arguments);
    va_end(arguments);
}

mark *put_mark(writer *w, size_t offset, size_t length, mark_kind kind) {
    if (!w->label[0])
        return NULL;
    if (w->mark_count == w->mark_capacity) {
        w->mark_capacity = w->mark_capacity * 2 + 256;
        w->marks = realloc(w->marks, w->mark_capacity * sizeof *w->marks);
        assert_non_null(w->marks);
    }
    mark *made = &w->marks[w->mark_count++];
    memset(made, 0, sizeof *made);
    memcpy(made->path, w->label, sizeof made->path);
    made->offset = offset;
    made->length = length;
    made->kind = kind;
    w->label[0] = 0;
    return made;
}

void put_bytes_of(writer *w, const void *bytes, size_t size) {
    put_mark(w, w->size, size, MARK_SPAN);
    if (size)
        memcpy(put(w, size), bytes, size);
}

void put_number(writer *w, unsigned width, uint64_t value) {
    mark *made = put_mark(w, w->size, width, MARK_NUMBER);
    if (made)
        made->number = value;
    for (unsigned i = 0; i < width; i++)
        *put(w, 1) = (uint8_t)(value >> 8 * (w->big ? width - 1 - i : i));
}

void put_u8(writer *w, uint8_t value) {
    put_number(w, 1, value);
}

void put_u16(writer *w, uint16_t value) {
    put_number(w, 2, value);
}

void put_u32(writer *w, uint32_t value) {
    put_number(w, 4, value);
}

void put_u64(writer *w, uint64_t value) {
    put_number(w, 8, value);
}

void put_bits(writer *w, uint32_t bits) {
    size_t before = w->mark_count;
    put_number(w, 4, bits);
    if (w->mark_count > before)
        w->marks[before].kind = MARK_BITS32;
}

void put_f32(writer *w, float value) {
    put_bits(w, mst_bits_of_f32(value));
}

void put_narrow(writer *w, const char *text) {
    mark *made = put_mark(w, w->size, 4 + strlen(text), MARK_TEXT);
    if (made)
        made->text = text;
    put_u32(w, (uint32_t)strlen(text));
    put_bytes_of(w, text, strlen(text));
}

void put_wide(writer *w, const char *text) {
    mark *made = put_mark(w, w->size, 4 + 2 * strlen(text), MARK_TEXT);
    if (made)
        made->text = text;
    put_u32(w, (uint32_t)strlen(text));
    for (; *text; text++)
        put_u16(w, (uint8_t)*text);
}

void begin_length(writer *w) {
    assert_true(w->depth < WRITER_DEPTH);
    w->open[w->depth++] = w->size;
    put_u32(w, 0);
}

void end_length(writer *w) {
    assert_true(w->depth > 0);
    size_t offset = w->open[--w->depth];
    mst_store32(w->data + offset, (uint32_t)(w->size - offset - 4), w->big);
}

void begin_chunk(writer *w, uint32_t id) {
    put_u32(w, id);
    begin_length(w);
}

void end_chunk(writer *w) {
    end_length(w);
}

const mark *mark_of(const writer *w, const char *path) {
    for (size_t i = 0; i < w->mark_count; i++)
        if (strcmp(w->marks[i].path, path) == 0)
            return &w->marks[i];
    print_error("nothing was written as %s\n", path);
    fail();
    return NULL;
}

void assert_marks(const mst_document *document, const writer *w) {
    for (size_t i = 0; i < w->mark_count; i++) {
        const mark *m = &w->marks[i];
        mst_value value;
        mst_diagnostic why;
        uint64_t offset, length, number;
        double real;
        char text[256];
        mst_status status = mst_find(mst_root(document), m->path, &value, &why);
        if (status != MST_OK)
            print_error("path %s\n", m->path);
        MUST(status, &why);
        mst_value_span(&value, &offset, &length);
        if (offset != m->offset || length != m->length)
            print_error("%s: %llu + %llu\n", m->path, (unsigned long long)offset, (unsigned long long)length);
        assert_int_equal(offset, m->offset);
        assert_int_equal(length, m->length);
        switch (m->kind) {
        case MARK_SPAN: break;
        case MARK_NUMBER:
            MUST(mst_get_unsigned(&value, &number), NULL);
            assert_int_equal(number, m->number);
            break;
        case MARK_BITS32:
            MUST(mst_get_real(&value, &real), NULL);
            if (real == real) /* the bits of a NaN are compared in JSON and in the file */
                assert_int_equal(mst_bits_of_f32((float)real), m->number);
            break;
        case MARK_TEXT:
            MUST(mst_get_text(&value, text, sizeof text, NULL), NULL);
            assert_string_equal(text, m->text);
            break;
        }
    }
}

mst_status collect(void *user, const mst_diagnostic *diagnostic) {
    findings *list = user;
    if (list->count == list->capacity) {
        list->capacity = list->capacity * 2 + 16;
        list->items = realloc(list->items, list->capacity * sizeof *list->items);
        if (!list->items)
            return MST_NO_MEMORY;
    }
    list->items[list->count++] = *diagnostic;
    return MST_OK;
}

void findings_free(findings *list) {
    free(list->items);
    memset(list, 0, sizeof *list);
}

void print_findings(const findings *list) {
    char text[700];
    for (size_t i = 0; i < list->count; i++) {
        mst_diagnostic_text(&list->items[i], text, sizeof text);
        print_error("  %s\n", text);
    }
}

size_t count_code(const findings *list, const char *code) {
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += strcmp(list->items[i].code, code) == 0;
    return count;
}

void *counted_resize(void *user, void *old, size_t old_size, size_t new_size) {
    counted *c = user;
    counted_header *header = old ? (counted_header *)old - 1 : NULL;
    if (header && header->size != old_size)
        c->wrong = true;
    if (new_size == 0) {
        if (header) {
            c->blocks--;
            c->bytes -= old_size;
        }
        free(header);
        return NULL;
    }
    if (++c->calls == c->fail_at || (c->for_good && c->fail_at && c->calls > c->fail_at)) {
        c->failed = true;
        return NULL;
    }
    if (new_size > SIZE_MAX / 2)
        return NULL;
    counted_header *made = realloc(header, new_size + sizeof *made);
    if (!made)
        return NULL;
    made->size = new_size;
    c->blocks += !header;
    c->bytes += new_size - (header ? old_size : 0);
    if (c->bytes > c->peak)
        c->peak = c->bytes;
    return made + 1;
}

mst_allocator counted_allocator(counted *c) {
    return (mst_allocator){counted_resize, c};
}

size_t sample_step(void) {
    const char *slow = getenv("MAPSTONE_SLOW");
    long step = slow ? strtol(slow, NULL, 10) : 1;
    return step > 1 ? (size_t)step : 1;
}

void needs_zlib(void) {
    if (MST_WITH_ZLIB)
        return;
    print_message("# needs zlib\n");
    skip();
}

bool corpus_path(const char *name, char *path, size_t capacity) {
    const char *named = getenv("MAPSTONE_CORPUS");
    const char *const places[] = {named ? named : "../shared/corpus", "../../shared/corpus"};
    for (size_t i = 0; i < (named ? 1 : sizeof places / sizeof *places); i++) {
        DIR *folder = opendir(places[i]);
        if (!folder)
            continue;
        closedir(folder);
        snprintf(path, capacity, "%s/%s", places[i], name);
        return true;
    }
    return false;
}

int compare_names(const void *a, const void *b) {
    return strcmp(a, b);
}

bool corpus_files(const char *folder_name, const char *ending, const char *other, corpus_list *list) {
    char path[512];
    list->count = 0;
    DIR *folder = corpus_path(folder_name, path, sizeof path) ? opendir(path) : NULL;
    if (!folder)
        return false;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        size_t n = strlen(entry->d_name);
        bool fits = false;
        for (int i = 0; i < 2; i++) {
            const char *wanted = i ? other : ending;
            fits = fits ||
                   (wanted && n > strlen(wanted) && strcmp(entry->d_name + n - strlen(wanted), wanted) == 0);
        }
        if (fits && n < sizeof list->names[0] && list->count < sizeof list->names / sizeof *list->names)
            memcpy(list->names[list->count++], entry->d_name, n + 1);
    }
    closedir(folder);
    qsort(list->names, list->count, sizeof list->names[0], compare_names);
    return true;
}

uint8_t *read_whole(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    size_t capacity = 1u << 16, n;
    *size = 0;
    if (!file)
        return NULL;
    for (;;) {
        uint8_t *grown = realloc(bytes, capacity);
        assert_non_null(grown);
        bytes = grown;
        n = fread(bytes + *size, 1, capacity - *size, file);
        *size += n;
        if (*size < capacity)
            break;
        capacity *= 2;
    }
    fclose(file);
    return bytes;
}

uint8_t *corpus_read(const char *name, size_t *size) {
    char path[512];
    *size = 0;
    if (!corpus_path(name, path, sizeof path)) {
        print_message("# no corpus found (MAPSTONE_CORPUS)\n");
        skip();
        return NULL;
    }
    uint8_t *bytes = read_whole(path, size);
    if (!bytes)
        print_error("cannot read %s\n", path);
    assert_non_null(bytes);
    return bytes;
}

void assert_same_files(const mst_document *made, const mst_document *as) {
    assert_int_equal(mst_document_file_count(made), mst_document_file_count(as));
    for (size_t i = 0; i < mst_document_file_count(as); i++) {
        size_t size, now;
        const void *bytes = mst_document_file(as, i, NULL, &size);
        const void *data = mst_document_file(made, i, NULL, &now);
        assert_int_equal(now, size);
        if (size)
            assert_memory_equal(data, bytes, size);
    }
}

void assert_same_bytes(const mst_document *document, const void *bytes, size_t size) {
    size_t now;
    const void *data = mst_document_file(document, 0, NULL, &now);
    assert_int_equal(now, size);
    if (size)
        assert_memory_equal(data, bytes, size);
}

void assert_encodes(const mst_document *document) {
    mst_buffer made = {0};
    mst_diagnostic why;
    mst_document *again;
    MUST(mst_encode(document, mst_buffer_sink(&made), &why), &why);
    assert_same_bytes(document, made.data, made.size);
    mst_buffer_free(&made);
    MUST(mst_rebuild(document, &again, &why), &why);
    assert_same_files(again, document);
    mst_close(again);
}

void assert_ledger(const mst_document *document) {
    mst_ledger ledger;
    mst_diagnostic why;
    uint64_t size = 0;
    for (size_t i = 0, one; i < mst_document_file_count(document); i++) {
        mst_document_file(document, i, NULL, &one);
        size += one;
    }
    MUST(mst_byte_coverage(document, &ledger, &why), &why);
    uint64_t sum = 0;
    for (size_t i = 0; i < 5; i++)
        sum += ledger.bytes[i];
    assert_int_equal(ledger.holes, 0);
    assert_int_equal(ledger.overlap, 0);
    assert_int_equal(ledger.size, size);
    assert_int_equal(sum, size);
}

void assert_json(const mst_document *document, int compact) {
    mst_buffer text = {0};
    mst_diagnostic why;
    mst_value root = mst_root(document);
    mst_json_options options = {.size = sizeof options, .compact = compact};
    MUST(mst_write_json(&root, &options, mst_buffer_sink(&text), &why), &why);
    mst_document *again;
    MUST(mst_open_json((const char *)text.data, text.size, NULL, &again, &why), &why);
    assert_same_files(again, document);
    mst_close(again);
    mst_buffer_free(&text);
}

void assert_checks(const mst_document *document) {
    findings list = {0};
    mst_check_result result;
    mst_diagnostic why;
    mst_check_options options = {.size = sizeof options, .information = 1};
    MUST(mst_check(document, &options, collect, &list, &result, &why), &why);
    assert_int_equal(result.errors + result.warnings + result.information, list.count);
    findings_free(&list);
}

mst_status refuse_bytes(void *user, const void *data, size_t size) {
    (void)user, (void)data, (void)size;
    return MST_IO;
}

void assert_describes_beside(const mst_document *document, const char *what, const mst_resolver *sidecars,
                             const char *expected) {
    const mst_describe_options options = {.size = sizeof options, .sidecars = sidecars};
    mst_buffer text = {0};
    mst_diagnostic why;
    MUST(mst_describe(document, what, &options, mst_buffer_sink(&text), &why), &why);
    MUST(mst_buffer_sink(&text).write(&text, "", 1), NULL);
    assert_string_equal((const char *)text.data, expected);
    mst_buffer_free(&text);
}

void assert_describes(const mst_document *document, const char *what, const char *expected) {
    assert_describes_beside(document, what, NULL, expected);
}

void assert_round_trips(const mst_document *document) {
    assert_encodes(document);
    assert_json(document, 0);
    assert_json(document, 1);
    assert_ledger(document);
    assert_checks(document);
}

uint32_t random_next(random_state *r) {
    r->state = r->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(r->state >> 33);
}

uint32_t random_below(random_state *r, uint32_t limit) {
    return random_next(r) % limit;
}
