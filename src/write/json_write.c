/* SPDX-License-Identifier: MIT */
/* Documents as JSON, streamed: a visitor of the walker. */
#include "json_write.h"
#include "../core/diagnose.h"
#include "../core/number.h"
#include "../core/output.h"
#include "../core/text.h"
#include "../core/unreachable.h"
#include "../read/engine.h"
#include <math.h>

/* A count that JSON leaves out because it is the length of a list; written if that list turns out to be
 * missing (raw data has no list). */
typedef struct pending {
    const mst_field *field;
    uint64_t bits;
    uint32_t depth;
} pending;

#define PENDING 24

typedef struct writer {
    mst_output out;
    const mst_document *document;
    bool compact;
    bool comma; /* the next value needs a comma before it */
    uint32_t level;
    uint32_t one_line; /* nesting of values that are written on one line */
    pending waiting[PENDING];
    size_t waiting_count;
    mst_value row;            /* the row being written; `document` NULL: none */
    mst_noted_members *noted; /* NULL: not requested */
} writer;

static void put_char(writer *w, char c) {
    *mst_output_reserve(&w->out, 1) = c;
    mst_output_advance(&w->out, 1);
}

/* Adds a name to space that was reserved for it; returns its length with the quotes. */
static size_t quote(char *text, const char *name) {
    const size_t length = strlen(name);
    text[0] = '"';
    memcpy(text + 1, name, length);
    text[length + 1] = '"';
    return length + 2;
}

static void begin_line(writer *w) {
    if (w->comma)
        put_char(w, ',');
    if (w->compact || w->one_line) {
        if (w->comma && !w->compact)
            put_char(w, ' ');
        return;
    }
    static const char blanks[] = "\n                                                                ";
    uint32_t n = w->level * 2 < sizeof blanks - 2 ? w->level * 2 : (uint32_t)sizeof blanks - 2;
    if (w->out.written) /* no line break before the first line */
        mst_output_bytes(&w->out, blanks, n + 1);
}

static void begin_list(writer *w) {
    put_char(w, '[');
    w->level++;
    w->comma = false;
}

static void end_list(writer *w) {
    w->level--;
    if (w->comma) {
        w->comma = false;
        begin_line(w);
    }
    put_char(w, ']');
    w->comma = true;
}

static void key(writer *w, const char *name) {
    begin_line(w);
    const size_t length = strlen(name);
    if (length) {
        char *text = mst_output_reserve(&w->out, length + 4); /* names of fields are short */
        text[0] = '"';
        memcpy(text + 1, name, length);
        memcpy(text + length + 1, "\": ", 3);
        mst_output_advance(&w->out, length + (w->compact ? 3 : 4));
    }
    w->comma = true;
}

static size_t write_special(char *text, double value, uint64_t bits, uint64_t canonical, unsigned digits) {
    if (isinf(value)) {
        memcpy(text, value < 0 ? "\"-Infinity\"" : "\"Infinity\"", 11);
        return value < 0 ? 11 : 10;
    }
    if (bits == canonical) {
        memcpy(text, "\"NaN\"", 5);
        return 5;
    }
    memcpy(text, "\"NaN:", 5);
    size_t n = 5 + mst_write_hex(text + 5, bits, digits);
    text[n] = '"';
    return n + 1;
}

/* Writes the number at an offset of the document to `text`, which has 64 bytes. */
static size_t write_number(const mst_document *document, const mst_field *field, uint64_t offset,
                           char *text) {
    const uint8_t *p = document->data + offset;
    bool big = mst_field_big(document, field);
    switch ((mst_kind)field->kind) {
    case MST_KIND_F32: {
        uint32_t bits = mst_load32(p, big);
        float value = mst_f32_of_bits(bits);
        if ((bits & 0x7F800000u) != 0x7F800000u)
            return mst_write_f32(text, value);
        return write_special(text, (double)value, bits, 0x7FC00000u, 8);
    }
    case MST_KIND_F64: {
        uint64_t bits = mst_load64(p, big);
        double value = mst_f64_of_bits(bits);
        if (isfinite(value))
            return mst_write_f64(text, value);
        return write_special(text, value, bits, UINT64_C(0x7FF8000000000000), 16);
    }
    default: break;
    }
    uint64_t bits = mst_scalar_bits(document, field, offset);
    if ((field->flags & MST_FIELD_BOOL) && bits <= 1) {
        memcpy(text, bits ? "true" : "false", 5);
        return bits ? 4 : 5;
    }
    const char *name = field->names ? mst_name_of_number(field->names, (int64_t)bits) : NULL;
    if (name)
        return MST_UNREACHABLE(strlen(name) > 58) ? 0 : quote(text, name); /* names of values are short */
    bool is_signed = mst_is_signed(field->kind);
    if ((field->flags & MST_FIELD_SENSE) && (int64_t)bits < -1) {
        memcpy(text, "\"~", 2);
        size_t digits = mst_write_u64(text + 2, bits & 0x7FFF);
        text[2 + digits] = '"';
        return digits + 3;
    }
    if (is_signed && (int64_t)bits >= -(INT64_C(1) << 53) && (int64_t)bits <= INT64_C(1) << 53)
        return mst_write_i64(text, (int64_t)bits);
    if (!is_signed && bits <= UINT64_C(1) << 53)
        return mst_write_u64(text, bits);
    /* readers that use doubles would lose digits */
    memcpy(text, "\"0x", 3);
    size_t n = 3 + mst_write_hex(text + 3, bits, 16);
    text[n] = '"';
    return n + 1;
}

/* ["light", "0x400"]: the names, then one number for all bits without a name. ["last_of_run", 3], or 3, where
 * those bits form a number. */
static void write_flags(writer *w, const mst_field *field, uint64_t offset) {
    uint64_t left = mst_scalar_bits(w->document, field, offset) & mst_bits_in(field);
    const char *separator = w->compact ? "," : ", ", *name;
    bool any = false, numbered = (field->flags & MST_FIELD_BESIDE) != 0;
    if (numbered && !(left & mst_flags_named(field))) {
        mst_output_format(&w->out, "%llu", (unsigned long long)left);
        return;
    }
    put_char(w, '[');
    for (size_t next = 0; (name = mst_flags_take(field, &left, &next)); any = true) {
        mst_output_text(&w->out, any ? separator : "");
        mst_output_advance(&w->out, quote(mst_output_reserve(&w->out, strlen(name) + 2), name));
    }
    if (left) {
        mst_output_text(&w->out, any ? separator : "");
        mst_output_format(&w->out, numbered ? "%llu" : "\"0x%llx\"", (unsigned long long)left);
    }
    put_char(w, ']');
}

static void put_number(writer *w, const mst_field *field, uint64_t offset) {
    if (field->flags & MST_FIELD_FLAGS) {
        write_flags(w, field, offset);
        return;
    }
    char *text = mst_output_reserve(&w->out, 72);
    mst_output_advance(&w->out, write_number(w->document, field, offset, text));
}

static void write_numbers(writer *w, const mst_field *field, uint64_t offset, uint64_t count) {
    unsigned width = mst_kind_width[field->kind];
    const char *separator = w->compact ? "," : ", ";
    size_t separator_length = w->compact ? 1 : 2;
    put_char(w, '[');
    for (uint64_t i = 0; i < count; i++) {
        if (field->flags & MST_FIELD_FLAGS) {
            mst_output_text(&w->out, i ? separator : "");
            write_flags(w, field, offset + i * width);
            continue;
        }
        char *text = mst_output_reserve(&w->out, 72);
        size_t n = 0;
        if (i) {
            memcpy(text, separator, separator_length);
            n = separator_length;
        }
        n += write_number(w->document, field, offset + i * width, text + n);
        mst_output_advance(&w->out, n);
    }
    put_char(w, ']');
}

static void write_raw_text(writer *w, const uint8_t *bytes, size_t size) {
    mst_output_text(&w->out, w->compact ? "{\"$raw\":\"" : "{\"$raw\": \"");
    mst_output_hex(&w->out, bytes, size);
    mst_output_text(&w->out, "\"}");
}

static void write_text(writer *w, const mst_field *field, uint64_t offset, const mst_shape *shape) {
    const uint8_t *bytes = w->document->data + offset + shape->prefix;
    size_t count = (size_t)shape->count;
    bool big = mst_field_big(w->document, field);
    if (field->kind == MST_KIND_CHAR8) {
        char low[256];
        size_t length;
        if (field->flags & MST_FIELD_HIGH) {
            if (mst_low_text(bytes, count, low, sizeof low, &length)) {
                while (field->mode == MST_COUNT_FIXED && length && low[length - 1] == 0)
                    length--;
                mst_output_json_string(&w->out, low, length);
            } else {
                write_raw_text(w, bytes, count);
            }
            return;
        }
        if (field->mode == MST_COUNT_FIXED)
            while (count && bytes[count - 1] == 0)
                count--;
        if (field->mode == MST_COUNT_DATA_SET && !count) {
            if (mst_load32(bytes - 4, w->document->variant.big)) /* one element without bytes, not none */
                write_raw_text(w, bytes, 0);
            else
                mst_output_text(&w->out, "null");
            return;
        }
        if (field->mode == MST_COUNT_DATA_SET) {
            const uint8_t *nul = memchr(bytes, 0, count);
            if (nul != bytes + count - 1) {
                write_raw_text(w, bytes, count);
                return;
            }
            if (!mst_utf8_valid(bytes, count - 1)) {
                write_raw_text(w, bytes, count);
                return;
            }
            count--;
        }
        if (mst_utf8_valid(bytes, count))
            mst_output_json_string(&w->out, (const char *)bytes, count);
        else
            write_raw_text(w, bytes, count);
    } else if (mst_utf16_length_as_utf8(bytes, count, big) != SIZE_MAX) {
        mst_output_json_utf16(&w->out, bytes, count, big);
    } else {
        write_raw_text(w, bytes, count * 2);
    }
}

/* ---- lists of flat records, without visiting each field ---------------------------------------- */

/* Whether a fixed-size record has only numbers, all of which are written. */
static bool is_flat(const mst_document *document, const mst_record *record) {
    const mst_plan *plan = mst_plan_of(document, record);
    for (uint16_t i = 0; i < record->field_count; i++) {
        const mst_field *field = &record->fields[i];
        if (plan->fields[i].presence == MST_ABSENT)
            continue;
        if (!mst_is_number(field) || field->length_of ||
            field->flags & ~(uint32_t)(MST_FIELD_BOOL | MST_FIELD_FLAGS | MST_FIELD_BESIDE | MST_FIELD_BIG |
                                       MST_FIELD_LITTLE))
            return false;
    }
    return true;
}

static void write_flat_list(writer *w, const mst_item *item) {
    const mst_record *record = item->record;
    const mst_plan *plan = mst_plan_of(w->document, record);
    uint64_t offset = item->offset + item->shape.prefix;
    begin_list(w);
    for (uint64_t i = 0; i < item->shape.count; i++, offset += plan->stride) {
        begin_line(w);
        w->comma = true;
        bool comma = false;
        if (!record->is_inline)
            put_char(w, '{');
        for (uint16_t f = 0; f < record->field_count; f++) {
            const mst_field *field = &record->fields[f];
            const mst_field_plan *compiled = &plan->fields[f];
            if (compiled->presence == MST_ABSENT)
                continue;
            if (!record->is_inline) {
                char *text = mst_output_reserve(&w->out, strlen(field->name) + 8); /* short, as in key() */
                size_t n = 0;
                if (comma) {
                    text[n++] = ',';
                    if (!w->compact)
                        text[n++] = ' ';
                }
                n += quote(text + n, field->name);
                text[n++] = ':';
                if (!w->compact)
                    text[n++] = ' ';
                mst_output_advance(&w->out, n);
                comma = true;
            }
            if (field->mode == MST_COUNT_ONE) {
                put_number(w, field, offset + compiled->offset);
            } else {
                write_numbers(w, field, offset + compiled->offset,
                              compiled->size / mst_kind_width[field->kind]);
            }
        }
        if (!record->is_inline)
            put_char(w, '}');
    }
    end_list(w);
}

/* ---- the order of chunks ----------------------------------------------------------------------- */

/* Chunks that are not in the order of the table get a list of their order: "mesh", "objects*12". */
static void write_order(writer *w, const mst_item *item) {
    const mst_chunks *chunks = item->chunks;
    mst_chunk_cursor cursor = {item->offset, 0};
    mst_chunk chunk;
    int last = -1;
    bool standard = true;
    while (mst_chunk_next(w->document, chunks, &cursor, item->limit, &chunk, NULL) == MST_OK) {
        int which = chunk.which < 0 ? chunks->case_count : chunk.which;
        standard = standard && which >= last;
        last = which;
    }
    if (standard)
        return;
    key(w, "$order");
    put_char(w, '[');
    uint64_t run = 0;
    bool comma = false, more = true;
    last = -1;
    cursor = (mst_chunk_cursor){item->offset, 0};
    while (more) {
        more = mst_chunk_next(w->document, chunks, &cursor, item->limit, &chunk, NULL) == MST_OK;
        int which = !more ? -2 : chunk.which < 0 ? chunks->case_count : chunk.which;
        if (which != last && last >= 0) {
            const char *name =
                last == chunks->case_count ? chunks->unknown->name : chunks->cases[last].field.name;
            mst_output_format(&w->out, run > 1 ? "%s\"%s*%llu\"" : "%s\"%s\"",
                              !comma       ? ""
                              : w->compact ? ","
                                           : ", ",
                              name, (unsigned long long)run);
            comma = true;
            run = 0;
        }
        last = which;
        run++;
    }
    put_char(w, ']');
}

/* ---- the visitor ------------------------------------------------------------------------------- */

static void drop_pending(writer *w, const char *name, uint32_t depth) {
    for (size_t i = w->waiting_count; i-- > 0;)
        if (w->waiting[i].depth == depth && strcmp(w->waiting[i].field->length_of, name) == 0) {
            memmove(&w->waiting[i], &w->waiting[i + 1], (w->waiting_count - i - 1) * sizeof w->waiting[0]);
            w->waiting_count--;
        }
}

static void write_pending(writer *w, uint32_t depth) {
    for (size_t i = 0; i < w->waiting_count;) {
        if (w->waiting[i].depth != depth) {
            i++;
            continue;
        }
        key(w, w->waiting[i].field->name);
        char *text = mst_output_reserve(&w->out, 72);
        bool is_signed = mst_is_signed(w->waiting[i].field->kind);
        mst_output_advance(&w->out, is_signed ? mst_write_i64(text, (int64_t)w->waiting[i].bits)
                                              : mst_write_u64(text, w->waiting[i].bits));
        memmove(&w->waiting[i], &w->waiting[i + 1], (w->waiting_count - i - 1) * sizeof w->waiting[0]);
        w->waiting_count--;
    }
}

/* Whether a list has fewer elements than its count. */
static bool ends_early(const mst_document *document, const mst_item *item) {
    if (!(item->field->flags & MST_FIELD_SHORT))
        return false;
    mst_value list = mst_value_of_item(document, item);
    return mst_count(&list) < item->shape.count;
}

/* Whether padding has the right length and is zero. */
static bool is_default_padding(const mst_document *document, const mst_field *field, const mst_item *item) {
    if (item->length != mst_padding(field, item->offset))
        return false;
    for (uint64_t i = 0; i < item->length; i++)
        if (document->data[item->offset + i])
            return false;
    return true;
}

/* Writes properties that the fields do not show, where they differ from the default. */
static void write_variant(writer *w) {
    const mst_format *format = w->document->format;
    mst_variant variant = w->document->variant;
    const mst_record *root = format->tables.root;
    const mst_field_plan *plan = mst_plan_of(w->document, root)->fields;
    bool has_version = !format->identity.version_field;
    for (uint16_t i = 0; !has_version && i < root->field_count; i++)
        has_version = plan[i].presence != MST_ABSENT &&
                      strcmp(root->fields[i].name, format->identity.version_field) == 0;
    if (!has_version) {
        key(w, "$version");
        mst_output_format(&w->out, "%u", variant.version);
    }
    if (variant.big != format->identity.big) {
        key(w, "$byte_order");
        mst_output_text(&w->out, variant.big ? "\"big\"" : "\"little\"");
    }
    if (variant.layout) {
        key(w, "$layout");
        mst_output_format(&w->out, "\"%s\"", format->identity.layouts[variant.layout]);
    }
    if (MST_OPTION(format->content.special, annotate) &&
        !variant.layout) { /* not the layout of unpacked content */
        key(w, "$content");
        mst_status status = format->content.special->annotate(w->document, &w->out);
        if (w->out.status == MST_OK)
            w->out.status = status;
    }
}

/* ---- archives ---------------------------------------------------------------------------------- */

static void own_key(writer *w, const char *key_name, const char *list) {
    begin_line(w);
    mst_output_format(&w->out, list ? "\"%s.%s\":" : "\"%s\":", key_name, list);
    if (!w->compact)
        put_char(w, ' ');
    w->comma = true;
}

/* Writes unusual padding, of a record that is an archive (`list` NULL) or of a list of blocks. */
static void write_gaps(writer *w, const mst_value *value, const mst_archive *archive, const char *list) {
    const mst_document *document = w->document;
    uint64_t begin = archive->base + mst_archive_header(archive->count);
    bool any = false;
    mst_iterator it = mst_iterate(value);
    for (uint32_t block = 0; block <= archive->count; block++) {
        uint64_t end = mst_archive_block(document, archive, block);
        if (MST_CHANGED(end < begin))
            end = begin;
        uint64_t standard = mst_block_padding(begin - archive->base);
        bool odd = end - begin != standard;
        for (uint64_t i = begin; i < end && !odd; i++)
            odd = document->data[i] != 0;
        if (odd) {
            if (!any)
                own_key(w, "$gaps", list);
            mst_output_format(&w->out, any ? ", [%u, \"" : "[[%u, \"", block);
            mst_output_hex(&w->out, document->data + begin, (size_t)(end - begin));
            mst_output_text(&w->out, "\"]");
            any = true;
        }
        mst_value child;
        if (block == archive->count || MST_CHANGED(!mst_next(&it, &child)))
            break;
        begin = mst_value_after(&child);
    }
    if (any)
        put_char(w, ']');
}

static void write_archive(writer *w, const mst_item *item, bool list) {
    const mst_document *document = w->document;
    mst_archive archive = mst_archive_at(document, item->offset, item->limit);
    uint64_t end = mst_archive_end(document, &archive);
    if (!archive.count && end) {
        own_key(w, "$end", list ? item->name : NULL);
        mst_output_format(&w->out, "%u", (unsigned)end);
    }
    if (!archive.count)
        return;
    mst_value value = mst_value_of_item(document, item);
    write_gaps(w, &value, &archive, list ? item->name : NULL);
    uint64_t missing = archive.base + end - mst_archive_block(document, &archive, archive.count);
    if (missing) {
        own_key(w, "$cut", list ? item->name : NULL);
        mst_output_format(&w->out, "%u", (unsigned)missing);
    }
}

/* Writes the element size of a data set without elements. */
static void write_stride(writer *w, const mst_item *item) {
    if (item->field->mode != MST_COUNT_DATA_SET || item->shape.count || mst_is_text(item->field))
        return;
    uint32_t stride = mst_load32(w->document->data + item->offset, w->document->variant.big);
    if (!stride)
        return;
    own_key(w, "$stride", item->name);
    mst_output_format(&w->out, "%u", stride);
}

/* Writes a field that JSON does not leave out. */
static void write_leaf(writer *w, const mst_item *item) {
    const mst_field *field = item->field;
    if (field->constant)
        return;
    uint64_t content = item->offset + item->shape.prefix;
    if (field->length_of && w->waiting_count < PENDING) {
        w->waiting[w->waiting_count++] =
            (pending){field, mst_scalar_bits(w->document, field, content), item->depth};
        return;
    }
    if ((field->flags & MST_FIELD_DEFAULT) && mst_scalar_bits(w->document, field, content) == field->initial)
        return;
    if ((field->flags & MST_FIELD_OMIT_EMPTY) && item->length == item->shape.prefix)
        return;
    if (mst_left_out(w->document, field, item->offset, item->limit))
        return;
    if (field->mode == MST_COUNT_ALIGN && is_default_padding(w->document, field, item))
        return;
    drop_pending(w, item->name, item->depth);
    if (*item->name)
        write_stride(w, item);
    key(w, item->name);
    if (mst_is_text(field)) {
        write_text(w, field, item->offset, &item->shape);
    } else if (field->kind == MST_KIND_RAW) {
        put_char(w, '"');
        mst_output_hex(&w->out, w->document->data + content, (size_t)item->shape.count);
        put_char(w, '"');
    } else if (field->mode == MST_COUNT_ONE) {
        put_number(w, field, content);
    } else {
        write_numbers(w, field, content, item->shape.count);
    }
}

static mst_status write_one(writer *w, const mst_value *value, const char *name, mst_diagnostic *diagnostic);

/* Writes the members that parallel lists add to a row, after the element's own members. */
static mst_status write_beside(writer *w) {
    mst_value row = w->row, list, member;
    mst_status status = MST_OK;
    const mst_field *field;
    w->row.document = NULL;
    for (size_t i = 0; status == MST_OK && (field = mst_row_field(&row, i)) != NULL; i++)
        if (mst_row_member(&row, field->row, &list, &member))
            status = write_one(w, &member, field->row, NULL);
    return status;
}

static void note(mst_noted_members *noted, const mst_document *document, const mst_item *item) {
    if (!item->field || item->kind == MST_ITEM_END_RECORD || item->kind == MST_ITEM_END_LIST)
        return; /* padding or an archive's header, or reported before */
    if (noted->count < noted->room)
        noted->values[noted->count] = mst_value_of_item(document, item);
    noted->count++;
}

static mst_status visit(void *user, const mst_item *item) {
    writer *w = user;
    const mst_field *field = item->field;
    if (w->out.status != MST_OK)
        return w->out.status;
    if (w->noted && item->depth == 1)
        note(w->noted, w->document, item);
    switch (item->kind) {
    case MST_ITEM_DERIVED: return MST_OK;
    case MST_ITEM_BEGIN_RECORD:
        key(w, item->name);
        put_char(w, '{');
        w->level++;
        w->comma = false;
        if (field == &mst_document_field) {
            key(w, "$format");
            mst_output_format(&w->out, "\"%s\"", w->document->format->information.id);
            write_variant(w);
        } else if (w->one_line || mst_plan_of(w->document, item->record)->stride) {
            w->one_line++;
        }
        if (item->record->archive)
            write_archive(w, item, false);
        return MST_OK;
    case MST_ITEM_END_RECORD:
        write_pending(w, item->depth + 1);
        if (w->row.document && !item->depth && write_beside(w) != MST_OK)
            return MST_NO_MEMORY;
        w->level--;
        if (w->one_line)
            w->one_line--;
        if (w->comma) {
            w->comma = false;
            if (!w->one_line && !mst_plan_of(w->document, item->record)->stride)
                begin_line(w);
        }
        put_char(w, '}');
        w->comma = true;
        return MST_OK;
    case MST_ITEM_BEGIN_LIST:
        if (field->kind == MST_KIND_CHUNKS) {
            write_order(w, item);
            return MST_OK;
        }
        if (*item->name && field->mode == MST_COUNT_ARCHIVE)
            write_archive(w, item, true);
        if (*item->name)
            write_stride(w, item);
        if (!ends_early(w->document, item))
            drop_pending(w, item->name, item->depth);
        if ((field->flags & MST_FIELD_OMIT_EMPTY) && item->shape.count == 0)
            return MST_UNKNOWN;
        key(w, item->name);
        if (item->shape.element && is_flat(w->document, item->record)) {
            write_flat_list(w, item);
            return MST_UNKNOWN;
        }
        begin_list(w);
        return MST_OK;
    case MST_ITEM_END_LIST: end_list(w); return MST_OK;
    case MST_ITEM_LEAF: write_leaf(w, item);
    }
    return MST_OK;
}

/* `name`: the name of the member as which it is written, or "". */
static mst_status write_one(writer *w, const mst_value *value, const char *name, mst_diagnostic *diagnostic) {
    uint32_t shape = mst_shape_of(value);
    if (shape == MST_SHAPE_CHUNK_LIST || shape == MST_SHAPE_SLICE) {
        begin_line(w);
        begin_list(w);
        mst_value element;
        for (mst_iterator it = mst_iterate(value); mst_next(&it, &element);) {
            mst_status status =
                write_one(w, &element, "", diagnostic); /* recurses once: elements are not slices */
            if (status != MST_OK)
                return status;
        }
        end_list(w);
        return MST_OK;
    }
    mst_field field = *mst_field_of(value);
    field.name = name;
    if ((value->shape & MST_SHAPE_ROW) && shape == MST_SHAPE_ONE)
        w->row = *value;
    bool root = mst_field_of(value) == &mst_document_field;
    uint32_t context[MST_VARIABLES];
    mst_walk_request request = {.document = value->document,
                                .field = root ? &mst_document_field : &field,
                                .context = mst_context_of(value, context),
                                .offset = value->offset,
                                .end = value->end,
                                .index = UINT64_MAX,
                                .single = shape == MST_SHAPE_ONE && !mst_is_text(&field) &&
                                          field.kind != MST_KIND_RAW,
                                .chunk = (value->shape & MST_SHAPE_IN_CHUNK) != 0,
                                .by_case = true,
                                .visitor = visit,
                                .user = w};
    /* a value that is requested directly is never left out */
    field.flags &= ~(uint32_t)(MST_FIELD_DEFAULT | MST_FIELD_OMIT_EMPTY);
    field.length_of = NULL;
    return mst_walk_field(&request, NULL, diagnostic);
}

static mst_status write_all(const mst_value *value, bool compact, mst_noted_members *noted, mst_sink sink,
                            mst_diagnostic *diagnostic) {
    writer w;
    mst_output_begin(&w.out, sink);
    w.document = value->document;
    w.compact = compact;
    w.comma = false;
    w.level = 0;
    w.one_line = 0;
    w.waiting_count = 0;
    w.row.document = NULL;
    w.noted = noted;
    const mst_status status = write_one(&w, value, "", diagnostic);
    mst_output_bytes(&w.out, "\n", 1);
    const mst_status written = mst_output_end(&w.out);
    if (status != MST_OK && written == MST_OK)
        return status;
    return written == MST_OK ? MST_OK : mst_fail(diagnostic, written, "the JSON could not be written");
}

mst_status mst_write_json(const mst_value *value, const mst_json_options *options, mst_sink sink,
                          mst_diagnostic *diagnostic) {
    if (!sink.write || mst_is_void(value))
        return mst_fail(diagnostic, MST_ARGUMENT, "a value and a sink are needed");
    mst_json_options given = {.size = 0};
    mst_status status = mst_take_options(&given, sizeof given, options, diagnostic);
    return status == MST_OK ? write_all(value, given.compact, NULL, sink, diagnostic) : status;
}

mst_status mst_write_json_noting(const mst_value *record, mst_noted_members *members, mst_sink sink) {
    members->count = 0;
    return write_all(record, true, members, sink, NULL);
}
