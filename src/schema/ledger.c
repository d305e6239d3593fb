/* SPDX-License-Identifier: MIT */
/* The public walk, and the ledger, which accounts for every byte. */
#include "../core/diagnose.h"
#include "../core/unreachable.h"
#include "engine.h"

typedef struct walk {
    const mst_document *document;
    mst_visit_function visit;
    void *user;
    bool plain; /* the visitor needs no values and skips only lists: making values is the slowest part */
} walk;

static mst_byte_class class_of(const mst_field *field) {
    if (field->length_of)
        return MST_BYTES_DERIVED;
    if (field->mode == MST_COUNT_ALIGN)
        return MST_BYTES_PADDING;
    if (field->kind == MST_KIND_RAW && !(field->flags & MST_FIELD_CONTENT))
        return MST_BYTES_RAW;
    return MST_BYTES_FIELD;
}

/* Reports a derived item, which has no content to skip. */
static mst_status derived(const walk *w, const mst_item *item, const char *name, uint64_t length) {
    mst_event event = {.kind = MST_EVENT_DERIVED,
                       .byte_class = MST_BYTES_DERIVED,
                       .offset = item->offset,
                       .length = length,
                       .name = name,
                       .index = UINT64_MAX,
                       .depth = item->depth};
    mst_status status = w->visit(w->user, &event);
    return status == MST_UNKNOWN ? MST_OK : status;
}

/* Reports skipped content as one leaf. */
static mst_status skipped(const walk *w, mst_event *event, const mst_value *value, uint64_t prefix) {
    uint64_t offset, length;
    mst_value_span(value, &offset, &length);
    event->kind = MST_EVENT_LEAF;
    event->byte_class = MST_BYTES_FIELD;
    event->offset = offset + prefix;
    event->length = length - prefix;
    mst_status status = w->visit(w->user, event);
    return status == MST_OK ? MST_UNKNOWN : status;
}

static mst_status adapt(void *user, const mst_item *item) {
    const walk *w = user;
    mst_event event = {.name = item->name,
                       .index = item->index,
                       .depth = item->depth,
                       .offset = item->offset,
                       .count = item->shape.count};
    mst_value value;
    mst_status status;
    switch (item->kind) {
    case MST_ITEM_DERIVED:
        if (item->name != mst_padding_name)
            return derived(w, item, item->name, item->length);
        event.kind = MST_EVENT_LEAF;
        event.byte_class = item->length < MST_BLOCK_ALIGN ? MST_BYTES_PADDING : MST_BYTES_GAP;
        event.length = item->length;
        return w->visit(w->user, &event);
    case MST_ITEM_END_LIST:
    case MST_ITEM_END_RECORD: event.kind = MST_EVENT_END; return w->visit(w->user, &event);
    case MST_ITEM_BEGIN_RECORD:
        event.kind = MST_EVENT_BEGIN_RECORD;
        if (w->plain)
            return w->visit(w->user, &event);
        value = mst_value_of_item(w->document, item);
        event.value = &value;
        status = w->visit(w->user, &event);
        return status == MST_UNKNOWN ? skipped(w, &event, &value, 0) : status;
    case MST_ITEM_BEGIN_LIST:
        value = mst_value_of_item(w->document, item);
        event.kind = MST_EVENT_BEGIN_LIST;
        event.value = &value;
        event.fixed_records = item->shape.element != 0;
        status = w->visit(w->user, &event);
        if (status == MST_UNKNOWN) {
            status = item->shape.prefix ? derived(w, item, "count", item->shape.prefix) : MST_OK;
            return status == MST_OK ? skipped(w, &event, &value, item->shape.prefix) : status;
        }
        return status == MST_OK && item->shape.prefix ? derived(w, item, "count", item->shape.prefix)
                                                      : status;
    case MST_ITEM_LEAF: break;
    }
    if (item->shape.prefix) {
        status = derived(w, item, mst_is_text(item->field) ? "length" : "count", item->shape.prefix);
        if (status != MST_OK)
            return status;
    }
    event.kind = MST_EVENT_LEAF;
    event.byte_class = class_of(item->field);
    event.offset += item->shape.prefix;
    event.length = item->length - item->shape.prefix;
    if (w->plain)
        return w->visit(w->user, &event);
    value = mst_value_of_item(w->document, item);
    event.value = &value;
    return w->visit(w->user, &event);
}

static mst_status go_over(const mst_document *document, mst_visit_function visit, void *user, bool plain) {
    walk w = {document, visit, user, plain};
    mst_walk_request request = mst_walk_of_document(document);
    request.visitor = adapt;
    request.user = &w;
    mst_status status = mst_walk_field(&request, NULL, NULL);
    return status == MST_STOPPED ? MST_OK : status;
}

mst_status mst_walk(const mst_document *document, mst_visit_function visit, void *user) {
    if (!document || !visit)
        return MST_ARGUMENT;
    return go_over(document, visit, user, false);
}

typedef struct coverage {
    const mst_document *document;
    mst_ledger *ledger;
    const mst_record *elements; /* of the list being skipped; NULL: none */
    uint64_t next;              /* the first byte not yet accounted for */
} coverage;

/* Adds `count` fixed-size records. The recursion is as deep as the tables. */
static void add_fixed(coverage *a, const mst_record *record, uint64_t count) {
    const mst_plan *plan = mst_plan_of(a->document, record);
    for (uint16_t i = 0; i < record->field_count; i++) {
        const mst_field *field = &record->fields[i];
        if (field->kind == MST_KIND_RECORD && plan->fields[i].size)
            add_fixed(a, field->record,
                      count * (plan->fields[i].size / mst_plan_of(a->document, field->record)->stride));
        else
            a->ledger->bytes[class_of(field)] += count * plan->fields[i].size;
    }
}

static mst_status add(void *user, const mst_event *event) {
    coverage *a = user;
    if (event->kind == MST_EVENT_BEGIN_LIST && event->fixed_records) {
        a->elements = mst_field_of(event->value)->record;
        return MST_UNKNOWN; /* one span */
    }
    if (event->kind != MST_EVENT_LEAF && event->kind != MST_EVENT_DERIVED)
        return MST_OK;
    /* the walk is in file order: skipped bytes are holes, repeated ones overlap */
    if (MST_CHANGED(event->offset > a->next)) /* the walker reports padding, too */
        a->ledger->holes += event->offset - a->next;
    else
        a->ledger->overlap += a->next - event->offset;
    a->next = event->offset + event->length;
    a->ledger->spans++;
    if (a->elements && event->kind == MST_EVENT_LEAF) {
        add_fixed(a, a->elements, event->count);
        a->elements = NULL;
    } else {
        a->ledger->bytes[event->byte_class] += event->length;
    }
    return MST_OK;
}

mst_status mst_byte_coverage(const mst_document *document, mst_ledger *ledger, mst_diagnostic *diagnostic) {
    if (!document || !ledger)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document and a pointer for the ledger are needed");
    memset(ledger, 0, sizeof *ledger);
    ledger->size = document->size;
    coverage a = {.document = document, .ledger = ledger};
    mst_status status = go_over(document, add, &a, true);
    if (status != MST_OK)
        return mst_fail(diagnostic, status, "the document cannot be walked");
    if (MST_CHANGED(a.next < document->size)) /* the root extends to the end of the document */
        ledger->holes += document->size - a.next;
    return MST_OK;
}
