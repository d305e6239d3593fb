/* SPDX-License-Identifier: MIT */
/* The public walks, and the ledger, which accounts for every byte. */
#include "ledger.h"
#include "../core/diagnose.h"
#include "../core/unreachable.h"
#include "../read/engine.h"

/* ---- the walk over the document's bytes ---------------------------------------------------------- */

typedef struct walk {
    const mst_document *document;
    mst_visit_function visit;
    void *user;
    bool plain; /* the visitor needs no values and skips only lists: making values is the slowest part */
} walk;

mst_byte_class mst_class_of_field(const mst_field *field) {
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
    event.byte_class = mst_class_of_field(item->field);
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

/* ---- the walk over the files --------------------------------------------------------------------- */

typedef struct files_walk {
    const mst_document *document;
    const mst_spans *spans; /* NULL: the document's bytes are those of its file */
    mst_visit_function visit;
    void *user;
    size_t next; /* the next note to report */
    uint32_t depth;
} files_walk;

/* Reports the notes about what precedes the parsed byte at `offset`. */
static mst_status visit_notes(files_walk *w, uint64_t offset) {
    mst_status status = MST_OK;
    for (; status == MST_OK && w->next < w->spans->note_count && w->spans->notes[w->next].at <= offset;
         w->next++) {
        const mst_note *note = &w->spans->notes[w->next];
        mst_event event = {.kind = MST_EVENT_DERIVED,
                           .byte_class = note->byte_class,
                           .offset = MST_NO_OFFSET,
                           .length = note->length,
                           .name = note->name,
                           .index = UINT64_MAX,
                           .depth = w->depth};
        mst_place_in(w->spans, note->origin, note->from, note->length, &event.place);
        status = w->visit(w->user, &event);
        if (status == MST_UNKNOWN)
            status = MST_OK;
    }
    return status;
}

static bool is_copy(const mst_spans *spans, const mst_event *event) {
    size_t i = mst_spans_at(spans, event->offset);
    return event->length && i < spans->count && spans->items[i].copy;
}

static mst_status visit_placed(void *user, const mst_event *event) {
    files_walk *w = user;
    mst_event placed = *event;
    mst_status status = MST_OK;
    if (event->kind == MST_EVENT_END)
        return w->visit(w->user, event);
    w->depth = event->depth;
    if (w->spans)
        status = visit_notes(w, event->offset);
    if (status != MST_OK || event->kind == MST_EVENT_BEGIN_RECORD || event->kind == MST_EVENT_BEGIN_LIST)
        return status == MST_OK ? w->visit(w->user, event) : status;
    if (w->spans && is_copy(w->spans, event))
        return MST_OK;
    status = mst_place_of(w->document, event->offset, event->length, &placed.place);
    if (status != MST_OK)
        return status;
    if (w->spans) /* those inside skipped content are not reported */
        while (w->next < w->spans->note_count && w->spans->notes[w->next].at < event->offset + event->length)
            w->next++;
    if (event->kind == MST_EVENT_DERIVED && placed.place.kind == MST_PLACE_MADE)
        return MST_OK;
    return w->visit(w->user, &placed);
}

static mst_status walk_files(const mst_document *document, const mst_spans *spans, mst_visit_function visit,
                             void *user) {
    files_walk w = {.document = document, .spans = spans, .visit = visit, .user = user};
    mst_status status = go_over(document, visit_placed, &w, false);
    if (status == MST_OK && spans)
        status = visit_notes(&w, UINT64_MAX);
    return status == MST_STOPPED ? MST_OK : status;
}

mst_status mst_walk_files(const mst_document *document, mst_visit_function visit, void *user) {
    const mst_spans *spans;
    if (!document || !visit)
        return MST_ARGUMENT;
    mst_status status = mst_spans_of(document, &spans);
    return status == MST_OK ? walk_files(document, spans, visit, user) : status;
}

/* ---- the ledger ---------------------------------------------------------------------------------- */

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
            a->ledger->bytes[mst_class_of_field(field)] += count * plan->fields[i].size;
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
    if (MST_CHANGED(event->offset > a->next)) /* the walker also reports padding */
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

/* The classes of the bytes of parsed files: one for each byte, and the share of each class in packed
 * content. */
typedef struct paint_state {
    const mst_document *document;
    const mst_spans *spans;
    uint8_t *classes[MST_FILES_MAX]; /* mst_byte_class + 1; 0: not known */
    uint64_t (*contents)[5];         /* by origin */
    size_t latest;                   /* origin of packed content */
    uint64_t events;
} paint_state;

static void paint(const paint_state *p, size_t file, uint64_t offset, uint64_t length, mst_byte_class with) {
    uint64_t size = p->document->files[file].size;
    for (uint64_t i = offset; i < size && i - offset < length; i++)
        if (!p->classes[file][i])
            p->classes[file][i] = (uint8_t)(with + 1);
}

static mst_status paint_event(void *user, const mst_event *event) {
    paint_state *p = user;
    const mst_place *place = &event->place;
    const mst_spans *spans = p->spans;
    bool leaf = event->kind == MST_EVENT_LEAF || event->kind == MST_EVENT_DERIVED;
    if (!leaf || place->kind == MST_PLACE_MADE)
        return MST_OK;
    p->events++;
    if (event->offset == MST_NO_OFFSET)
        return MST_OK; /* a note, see paint_notes */
    if (place->kind == MST_PLACE_FILE) {
        paint(p, place->file, place->offset, place->length, event->byte_class);
        return MST_OK;
    }
    size_t i = mst_spans_at(spans, event->offset);
    p->contents[spans->items[i].origin][event->byte_class] += place->inner_length;
    return MST_OK;
}

/* Divides packed bytes among the classes of their unpacked content. */
static void paint_packed(const paint_state *p, const mst_note *note) {
    const uint64_t *parts = p->contents[note->unpacked];
    uint64_t sum = 0, before = 0;
    for (size_t i = 0; i < 5; i++)
        sum += parts[i];
    uint64_t at = 0;
    for (size_t i = 0; i < 5 && sum; i++) {
        before += parts[i];
        uint64_t end = (uint64_t)((double)note->length * ((double)before / (double)sum));
        paint(p, p->spans->origins[note->origin].file, note->from + at, end - at, (mst_byte_class)i);
        at = end;
    }
    paint(p, p->spans->origins[note->origin].file, note->from + at, note->length - at, MST_BYTES_FIELD);
}

static void paint_notes(const paint_state *p) {
    const mst_spans *spans = p->spans;
    for (size_t i = 0; i < spans->note_count; i++)
        if (spans->origins[spans->notes[i].origin].packed)
            p->contents[spans->notes[i].origin][spans->notes[i].byte_class] += spans->notes[i].length;
    for (size_t i = 0; i < spans->note_count; i++) {
        const mst_note *note = &spans->notes[i];
        if (note->unpacked != MST_ORIGIN_NONE)
            paint_packed(p, note);
        else if (!spans->origins[note->origin].packed)
            paint(p, spans->origins[note->origin].file, note->from, note->length, note->byte_class);
    }
}

static mst_status cover_files(const mst_document *document, const mst_spans *spans, mst_ledger *ledger) {
    mst_allocator a = document->allocator;
    size_t sizes[MST_FILES_MAX] = {document->files[0].size, document->files[1].size};
    size_t size = sizes[0] + sizes[1], contents = spans->origin_count * sizeof(uint64_t[5]);
    paint_state p = {.document = document, .spans = spans};
    uint8_t *classes = a.resize(a.user, NULL, 0, size + 1);
    p.contents = a.resize(a.user, NULL, 0, contents);
    mst_status status = classes && p.contents ? MST_OK : MST_NO_MEMORY;
    if (status == MST_OK) {
        memset(classes, 0, size);
        memset(p.contents, 0, contents);
        p.classes[0] = classes;
        p.classes[1] = classes + sizes[0];
        status = walk_files(document, spans, paint_event, &p);
    }
    if (status == MST_OK) {
        paint_notes(&p);
        for (size_t i = 0; i < size; i++)
            ledger->bytes[classes[i] ? classes[i] - 1 : MST_BYTES_GAP]++;
        ledger->size = size;
        ledger->spans = p.events;
    }
    if (classes)
        a.resize(a.user, classes, size + 1, 0);
    if (p.contents)
        a.resize(a.user, p.contents, contents, 0);
    return status;
}

mst_status mst_byte_coverage(const mst_document *document, mst_ledger *ledger, mst_diagnostic *diagnostic) {
    const mst_spans *spans;
    if (!document || !ledger)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document and a pointer for the ledger are needed");
    memset(ledger, 0, sizeof *ledger);
    if (document->format->files.count) {
        mst_status found = mst_spans_of(document, &spans);
        if (found == MST_OK && !spans)
            return mst_fail(diagnostic, MST_IO, "the files have changed since they were opened");
        if (found == MST_OK)
            found = cover_files(document, spans, ledger);
        return found == MST_OK ? MST_OK : mst_fail(diagnostic, found, "the files cannot be walked");
    }
    ledger->size = document->size;
    coverage a = {.document = document, .ledger = ledger};
    mst_status status = go_over(document, add, &a, true);
    if (status != MST_OK)
        return mst_fail(diagnostic, status, "the document cannot be walked");
    if (MST_CHANGED(a.next < document->size)) /* the root extends to the end of the document */
        ledger->holes += document->size - a.next;
    return MST_OK;
}
