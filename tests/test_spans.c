/* SPDX-License-Identifier: MIT */
/*
 * The ledger sums up the events of the walk, so the walk cannot verify it. The encoder can: it knows for each
 * byte that it writes which field it is writing, and its output has been compared with the file. Here both
 * describe each byte of a document, and must agree.
 */
#include "../src/files/ledger.h"
#include "../src/read/engine.h"
#include "fixtures.h"

/* One of their descriptions of a byte. */
typedef struct byte_use {
    const mst_field *field; /* of a value, or of the count before it */
    uint8_t kind;           /* mst_span_kind */
    uint8_t byte_class;     /* mst_byte_class */
} byte_use;

typedef struct uses {
    byte_use *bytes;
    uint64_t size, next;
    uint64_t by_class[5];
    bool ordered; /* each span begins at the end of the last one */
    /* of the encoder */
    const struct uses *walked;
    uint64_t
        left_out; /* bytes that it does not write, as they follow from their content when that is packed */
} uses;

static void use(uses *all, mst_span_kind kind, const mst_field *field, mst_byte_class byte_class,
                uint64_t offset, uint64_t length) {
    all->ordered = all->ordered && offset == all->next && length <= all->size - offset;
    if (!all->ordered)
        return;
    for (uint64_t i = offset; i < offset + length; i++)
        all->bytes[i] = (byte_use){field, (uint8_t)kind, (uint8_t)byte_class};
    all->next = offset + length;
}

static mst_byte_class class_of(mst_span_kind kind, const mst_field *field, uint64_t length) {
    if (kind == MST_SPAN_GAP)
        return length < MST_BLOCK_ALIGN ? MST_BYTES_PADDING : MST_BYTES_GAP;
    if (kind != MST_SPAN_VALUE || field->length_of || (field->flags & MST_FIELD_SIZES))
        return MST_BYTES_DERIVED;
    if (field->mode == MST_COUNT_ALIGN)
        return MST_BYTES_PADDING;
    return field->kind == MST_KIND_RAW && !(field->flags & MST_FIELD_CONTENT) ? MST_BYTES_RAW
                                                                              : MST_BYTES_FIELD;
}

static void from_encoder(void *user, mst_span_kind kind, const mst_field *field, uint64_t offset,
                         uint64_t length) {
    uses *all = user;
    mst_byte_class byte_class = class_of(kind, field, length);
    offset += all->left_out;
    /* only the walk knows their number: all bytes that it has of this field here */
    if (kind == MST_SPAN_VALUE && !length && (field->flags & MST_FIELD_ORIGINAL)) {
        while (offset + length < all->size && all->walked->bytes[offset + length].field == field &&
               all->walked->bytes[offset + length].kind == MST_SPAN_VALUE)
            length++;
        all->left_out += length;
    }
    all->by_class[byte_class] += length;
    use(all, kind, field, byte_class, offset, length);
}

/* The walk inside the engine, with fields. */
static mst_status from_items(void *user, const mst_item *item) {
    uses *all = user;
    uint64_t prefix = item->shape.prefix;
    if (item->kind == MST_ITEM_DERIVED && !item->field) {
        use(all, strcmp(item->name, mst_padding_name) == 0 ? MST_SPAN_GAP : MST_SPAN_HEADER, NULL, 0,
            item->offset, item->length);
        return MST_OK;
    }
    if (item->kind == MST_ITEM_BEGIN_LIST || item->kind == MST_ITEM_LEAF)
        use(all, MST_SPAN_COUNT, item->field, 0, item->offset, prefix);
    if (item->kind == MST_ITEM_DERIVED || item->kind == MST_ITEM_LEAF)
        use(all, MST_SPAN_VALUE, item->field, 0, item->offset + prefix, item->length - prefix);
    return MST_OK;
}

/* The walk of the public interface, with classes. */
static mst_status from_walk(void *user, const mst_event *event) {
    uses *all = user;
    if (event->kind == MST_EVENT_LEAF || event->kind == MST_EVENT_DERIVED)
        use(all, 0, NULL, event->byte_class, event->offset, event->length);
    return MST_OK;
}

static bool same_field(const byte_use *a, const byte_use *b) {
    return a->kind == b->kind &&
           (a->field == b->field || a->kind == MST_SPAN_HEADER || a->kind == MST_SPAN_GAP);
}

static const char *name_of(const byte_use *u) {
    static const char *const kinds[] = {"", "a count", "a header", "a gap"};
    return u->kind == MST_SPAN_VALUE ? u->field->name : kinds[u->kind];
}

static uses uses_of(const mst_document *d) {
    uses all = {.size = d->size, .ordered = true, .bytes = calloc((size_t)d->size + 1, sizeof(byte_use))};
    assert_non_null(all.bytes);
    return all;
}

static void assert_whole(const char *name, const char *who, const uses *all) {
    if (!all->ordered || all->next != all->size)
        fail_msg("%s: %s goes over %llu bytes of %llu", name, who, (unsigned long long)all->next,
                 (unsigned long long)all->size);
}

static void assert_same_uses(const char *name, const mst_document *d) {
    uses encoded = uses_of(d), items = uses_of(d), events = uses_of(d);
    mst_encode_request request = {.format = d->format,
                                  .variant = d->variant,
                                  .plans = d->plans,
                                  .allocator = &d->allocator,
                                  .limit = SIZE_MAX,
                                  .field = &mst_document_field,
                                  .single = true,
                                  .context = d->context,
                                  .source = {.value = mst_root(d)},
                                  .span = from_encoder,
                                  .span_user = &encoded};
    mst_walk_request walk = mst_walk_of_document(d);
    mst_buffer bytes = {.allocator = d->allocator};
    mst_diagnostic why;
    mst_ledger ledger;
    walk.visitor = from_items;
    walk.user = &items;
    MUST(mst_walk_field(&walk, NULL, &why), &why);
    encoded.walked = &items;
    MUST(mst_encode_field(&request, &bytes, &why), &why);
    assert_int_equal(bytes.size + encoded.left_out, d->size);
    if (!encoded.left_out)
        assert_memory_equal(bytes.data, d->data, (size_t)d->size);
    MUST(mst_walk(d, from_walk, &events), NULL);
    MUST(mst_byte_coverage(d, &ledger, &why), &why);
    assert_whole(name, "the encoder", &encoded);
    assert_whole(name, "the walk", &items);
    assert_whole(name, "the public walk", &events);
    for (size_t i = 0; i < d->size; i++) {
        if (!same_field(&items.bytes[i], &encoded.bytes[i]))
            fail_msg("%s: byte 0x%zx is %s in the walk, %s in the encoder", name, i, name_of(&items.bytes[i]),
                     name_of(&encoded.bytes[i]));
        if (events.bytes[i].byte_class != encoded.bytes[i].byte_class)
            fail_msg("%s: byte 0x%zx (%s) is of class %d in the walk, %d in the encoder", name, i,
                     name_of(&encoded.bytes[i]), events.bytes[i].byte_class, encoded.bytes[i].byte_class);
    }
    for (size_t c = 0; c < 5 && !d->format->files.count; c++) /* otherwise the ledger describes the files */
        if (ledger.bytes[c] != encoded.by_class[c])
            fail_msg("%s: class %zu has %llu bytes in the ledger, %llu in the encoder", name, c,
                     (unsigned long long)ledger.bytes[c], (unsigned long long)encoded.by_class[c]);
    assert_int_equal(ledger.holes, 0);
    assert_int_equal(ledger.overlap, 0);
    mst_buffer_free(&bytes);
    free(encoded.bytes);
    free(items.bytes);
    free(events.bytes);
}

static void test_fixtures(void **state) {
    (void)state;
    assert_true(fixtures_each(assert_same_uses) >= 10);
}

/* Real files, with the files next to them. Those of no known format and damaged ones are skipped. */
static void test_corpus(void **state) {
    static const char *const folders[] = {
        "ns2",
        "alien",
        "alien-graphics",
        "turok",
        "turok-models",
        "revenant",
        "revenant/v0",
        "revenant/v1",
        "revenant/v2",
        "revenant/v3",
        "revenant/v4",
        "revenant/v5",
        "revenant/v6",
        "revenant/v7",
        "revenant/v8",
        "revenant/v15",
        "sfa/mini",
        "sfa/mini/animtest",
        "sfa/samples",
        "sfa/mini/shipbattle",
        "sfa/samples/romlists",
        "sfa/samples/textures",
        "spark/gameroot/provinggrounds/maps",
    };
    (void)state;
    size_t done = documents_of_corpus(folders, MST_COUNT_OF(folders), assert_same_uses);
    print_message("%zu real documents\n", done);
    assert_true(done >= 100);
}

int test_spans(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixtures),
        cmocka_unit_test(test_corpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
