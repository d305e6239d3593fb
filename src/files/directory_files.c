/* SPDX-License-Identifier: MIT */
#include "directory_files.h"
#include "../core/diagnose.h"
#include "../core/unreachable.h"
#include "../read/engine.h"
#include <stdlib.h>

static const mst_enum_name directory_places[] = {
    {MST_DIRECTORY_LAST, "last"}, {MST_DIRECTORY_FIRST, "first"}, {MST_DIRECTORY_AT, "at"}};
static const mst_enum_name data_places[] = {
    {MST_DATA_FOLLOWS, "follows"}, {MST_DATA_AT, "at"}, {MST_DATA_SHARED, "shared"}};
const mst_enum mst_directory_places = {directory_places, MST_COUNT_OF(directory_places)};
const mst_enum mst_data_places = {data_places, MST_COUNT_OF(data_places)};

#define ALIGNMENT_MAX 65536u

/* The data of an entry, or the directory. */
typedef struct piece {
    uint64_t at, size; /* in the file */
    uint64_t rank;     /* serializing: the sort key */
    uint64_t index;    /* of the entry; the number of entries: the directory */
    uint8_t place;     /* MST_DATA_FOLLOWS and so on, or MST_DIRECTORY_LAST and so on */
    uint8_t type;      /* of typed data */
    const uint8_t *fields, *data;
    const uint8_t *gap; /* bytes before it, */
    uint64_t gap_size;  /* if they differ from the alignment's padding */
} piece;

typedef struct layout {
    const mst_format *format;
    const mst_record *header, *entry;
    const mst_field *type;            /* NULL: the data has none */
    uint64_t header_size, entry_size; /* as stored */
    uint32_t slots;                   /* the format's fixed number of entries; 0: any */
    uint32_t alignment;
    uint64_t count; /* of entries */
    const uint8_t *header_fields, *end;
    uint64_t end_size;
    mst_arena arena;
    piece *pieces; /* of all entries, then of the directory */
    piece **order; /* those with bytes of their own, in the order of the file */
    size_t ordered;
} layout;

static uint64_t stored_width(const mst_field *field) {
    return (uint64_t)mst_kind_width[field->kind] * (field->mode == MST_COUNT_FIXED ? field->count : 1);
}

static uint64_t stored_size(const mst_record *record) {
    uint64_t size = 0;
    for (uint16_t i = 0; record->fields[i].directory != MST_NOT_STORED; i++)
        size += stored_width(&record->fields[i]);
    return size;
}

/* The field of a header or an entry that has the role, and its offset; NULL: there is none. */
static const mst_field *field_with(const mst_record *record, mst_directory_role role, uint64_t *offset) {
    *offset = 0;
    for (uint16_t i = 0; record->fields[i].directory != MST_NOT_STORED; i++) {
        if (record->fields[i].directory == role)
            return &record->fields[i];
        *offset += stored_width(&record->fields[i]);
    }
    return NULL;
}

/* A stored number (of at most 32 bits), and where it is. */
typedef struct number {
    const uint8_t *at;
    unsigned width;
    uint64_t value;
} number;

static number load(const layout *l, const mst_record *record, const uint8_t *bytes, mst_directory_role role) {
    uint64_t offset;
    const mst_field *field = field_with(record, role, &offset);
    if (!field)
        return (number){NULL, 0, 0};
    unsigned width = mst_kind_width[field->kind];
    bool big = mst_big_in(field, mst_default_variant(l->format));
    return (number){bytes + offset, width, mst_load(bytes + offset, width, big)};
}

/* `positive`: the number must not be read as a negative one. */
static bool store(const layout *l, const mst_record *record, uint8_t *bytes, mst_directory_role role,
                  uint64_t value, bool positive) {
    uint64_t offset;
    const mst_field *field = field_with(record, role, &offset);
    if (!field)
        return true;
    unsigned width = mst_kind_width[field->kind];
    if (value >> (8 * width - (positive && mst_is_signed(field->kind))))
        return false;
    mst_store(bytes + offset, width, value, mst_big_in(field, mst_default_variant(l->format)));
    return true;
}

static uint64_t padding(const layout *l, uint64_t offset) {
    if (MST_UNREACHABLE(!l->alignment)) /* at least 1 wherever it is set */
        return 0;
    return (l->alignment - offset % l->alignment) % l->alignment;
}

static void layout_of(const mst_format *format, const mst_allocator *allocator, layout *l) {
    const mst_record *root = format->tables.root;
    uint16_t entries = 0;
    while (root->fields[entries].kind != MST_KIND_RECORD)
        entries++;
    *l = (layout){.format = format,
                  .header = root,
                  .entry = root->fields[entries].record,
                  .slots = root->fields[entries].count};
    for (uint16_t i = 0; i < l->entry->field_count; i++)
        if (l->entry->fields[i].directory == MST_NOT_STORED && l->entry->fields[i].names &&
            l->entry->fields[i].names != &mst_data_places)
            l->type = &l->entry->fields[i];
    l->header_size = stored_size(l->header);
    l->entry_size = stored_size(l->entry);
    mst_arena_begin(&l->arena, allocator, 0);
}

/* Memory for the pieces of `l->count` entries. */
static mst_status make_pieces(layout *l) {
    size_t count = (size_t)l->count + 1;
    l->pieces = mst_arena_zero(&l->arena, count, sizeof *l->pieces + sizeof *l->order);
    if (!l->pieces)
        return MST_NO_MEMORY;
    l->order = (piece **)(void *)(l->pieces + count);
    for (size_t i = 0; i < count; i++)
        l->pieces[i].index = i;
    return MST_OK;
}

/* ---- types of data ------------------------------------------------------------------------------- */

/* The size of one element of a field; 0: elements do not have one size. */
static uint64_t element_size(const mst_field *field) {
    if (field->kind != MST_KIND_RECORD)
        return mst_kind_width[field->kind];
    uint64_t size = 0;
    for (uint16_t i = 0; i < field->record->field_count; i++) {
        const mst_field *inner = &field->record->fields[i];
        uint64_t width = stored_width(inner);
        if (!width || (inner->mode != MST_COUNT_ONE && inner->mode != MST_COUNT_FIXED))
            return 0;
        size += width;
    }
    return size;
}

/* Whether elements of the type can fill `size` bytes of data. */
static bool type_fills(const layout *l, int64_t type, uint64_t size) {
    for (uint16_t i = 0; i < l->entry->field_count; i++) {
        const mst_field *field = &l->entry->fields[i];
        if (field->when[0].operation != MST_EQUAL || field->when[0].variable + 1 != l->type->bind ||
            field->when[0].value != (uint64_t)type)
            continue;
        uint64_t one = element_size(field);
        return one && size % one == 0;
    }
    return false;
}

/* The first text of an entry's stored fields, in `fields`, which has all of these or only those that are
 * values; NULL: entries have no text. */
static const uint8_t *name_in(const layout *l, const uint8_t *fields, bool all, size_t *length) {
    for (uint16_t i = 0; l->entry->fields[i].directory != MST_NOT_STORED; i++) {
        const mst_field *field = &l->entry->fields[i];
        uint64_t width = stored_width(field);
        if (field->kind == MST_KIND_CHAR8) {
            for (*length = 0; *length < width && fields[*length];)
                ++*length;
            return fields;
        }
        fields += all || !field->directory ? width : 0;
    }
    return NULL;
}

/* `all` as for name_in. */
static uint8_t type_of(const layout *l, const piece *p, bool all) {
    if (!l->type)
        return 0;
    size_t length = 0;
    const uint8_t *name = name_in(l, p->fields, all, &length);
    for (size_t i = 0; i < l->type->names->count; i++) {
        const mst_enum_name *item = &l->type->names->items[i];
        bool same = name ? strlen(item->name) == length && memcmp(item->name, name, length) == 0
                         : (uint64_t)item->value == p->index + 1;
        if (same && item->value > 0 && type_fills(l, item->value, p->size))
            return (uint8_t)item->value;
    }
    return 0;
}

/* ---- pieces -------------------------------------------------------------------------------------- */

/* Sorts the pieces that have bytes of their own by rank. */
static int by_rank(const void *a, const void *b) {
    const piece *x = *(piece *const *)a, *y = *(piece *const *)b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* ---- parsing ------------------------------------------------------------------------------------- */

static mst_status damaged(const layout *l, const mst_file_view *file, mst_problem kind, const number *at,
                          const char *message, mst_diagnostic *diagnostic) {
    mst_fail(diagnostic, MST_DAMAGED, "%s", message);
    if (!diagnostic)
        return MST_DAMAGED;
    MST_SET(diagnostic->code, "%s", l->format->check.problem_codes[kind]);
    diagnostic->offset = (uint64_t)(at->at - file->data);
    diagnostic->length = at->width;
    MST_SET(diagnostic->found, "%llu", (unsigned long long)at->value);
    return MST_DAMAGED;
}

/* Finds the directory and all data, and proves that they are in the file. */
static mst_status find_pieces(layout *l, const mst_file_view *file, mst_diagnostic *diagnostic) {
    number start = {file->data, 0, file->size};
    if (file->size < l->header_size)
        return damaged(l, file, MST_PROBLEM_OVERRUN, &start, "the header does not fit into the file",
                       diagnostic);
    number offset = load(l, l->header, file->data, MST_DIRECTORY_OFFSET),
           bytes = load(l, l->header, file->data, MST_DIRECTORY_BYTES),
           count = load(l, l->header, file->data, MST_DIRECTORY_COUNT);
    if (bytes.at) {
        count = bytes;
        count.value /= l->entry_size;
    }
    if (!offset.at)
        offset = (number){file->data, 0, l->header_size};
    if (l->slots)
        count = (number){file->data, 0, l->slots};
    if (bytes.value % l->entry_size)
        return damaged(l, file, MST_PROBLEM_COUNT, &bytes,
                       "the size of the directory is not one of complete entries", diagnostic);
    if (count.value > file->size / l->entry_size)
        return damaged(l, file, MST_PROBLEM_COUNT, &count, "the directory has more entries than fit",
                       diagnostic);
    uint64_t size = count.value * l->entry_size;
    if (size && (offset.value < l->header_size || !mst_fits(offset.value, size, file->size)))
        return damaged(l, file, MST_PROBLEM_OFFSET, &offset, "the directory is not in the file", diagnostic);
    l->count = count.value;
    if (make_pieces(l) != MST_OK)
        return MST_NO_MEMORY;
    piece *directory = &l->pieces[l->count];
    directory->at = offset.value;
    directory->size = size;
    directory->data = directory->gap = file->data + (size ? offset.value : 0);
    for (uint64_t i = 0; i < l->count; i++) {
        piece *p = &l->pieces[i];
        p->fields = directory->data + i * l->entry_size;
        number at = load(l, l->entry, p->fields, MST_DATA_OFFSET);
        p->at = at.value;
        p->size = load(l, l->entry, p->fields, MST_DATA_SIZE).value;
        if (p->size && !mst_fits(p->at, p->size, file->size)) {
            damaged(l, file, MST_PROBLEM_OFFSET, &at, "the data of the entry is not in the file", diagnostic);
            if (diagnostic)
                MST_SET(diagnostic->path, "entries[%llu]", (unsigned long long)i);
            return MST_DAMAGED;
        }
        p->data = p->gap = file->data + (p->size ? p->at : 0);
        p->type = type_of(l, p, true);
    }
    return MST_OK;
}

/* Determines which pieces have bytes of their own: the directory, and those that begin after the end of all
 * pieces before them. */
static void order_pieces(layout *l) {
    const piece *directory = &l->pieces[l->count];
    size_t kept = 0;
    uint64_t end = l->header_size;
    l->ordered = 0;
    for (uint64_t i = 0; i <= l->count; i++) {
        l->pieces[i].rank = l->pieces[i].at;
        if (l->pieces[i].size)
            l->order[l->ordered++] = &l->pieces[i];
    }
    qsort(l->order, l->ordered, sizeof *l->order, by_rank);
    for (size_t i = 0; i < l->ordered; i++) {
        piece *p = l->order[i];
        bool apart =
            p == directory || p->at + p->size <= directory->at || p->at >= directory->at + directory->size;
        if (p->at < end || !apart) {
            p->place = MST_DATA_SHARED;
            continue;
        }
        l->order[kept++] = p;
        end = p->at + p->size;
    }
    l->ordered = kept;
}

/* Finds the bytes between the pieces; false if some are not aligned. */
static bool find_gaps(layout *l, const mst_file_view *file) {
    uint64_t end = l->header_size;
    for (size_t i = 0; i < l->ordered; i++) {
        piece *p = l->order[i];
        uint64_t needed = padding(l, end), odd = p->at - end != needed;
        p->gap = file->data + end;
        for (uint64_t b = end; b < p->at && !odd; b++)
            odd = file->data[b];
        p->gap_size = odd ? p->at - end : 0;
        if (needed && p->at == end)
            return false;
        end = p->at + p->size;
    }
    l->end = file->data + end;
    l->end_size = file->size - end;
    return true;
}

/* Records the place of each piece in the simplest way. */
static void place_pieces(layout *l) {
    piece *directory = &l->pieces[l->count];
    bool ascending = true;
    const piece *before = NULL;
    for (size_t i = 0; i < l->ordered; i++) {
        if (l->order[i] == directory)
            continue;
        ascending = ascending && (!before || before->index < l->order[i]->index);
        before = l->order[i];
    }
    directory->place = MST_DIRECTORY_AT;
    if (!directory->size)
        directory->place = directory->at == l->header_size + padding(l, l->header_size) ? MST_DIRECTORY_LAST
                                                                                        : MST_DIRECTORY_AT;
    else if (ascending && l->order[l->ordered - 1] == directory)
        directory->place = MST_DIRECTORY_LAST;
    else if (ascending && l->order[0] == directory)
        directory->place = MST_DIRECTORY_FIRST;
    uint64_t end = directory->place == MST_DIRECTORY_FIRST ? directory->at + directory->size : l->header_size;
    for (uint64_t i = 0; i < l->count; i++) {
        piece *p = &l->pieces[i];
        bool simple = directory->place != MST_DIRECTORY_AT;
        if (!p->size)
            p->place = simple && p->at == end + padding(l, end) ? MST_DATA_FOLLOWS : MST_DATA_SHARED;
        if (!p->size || p->place == MST_DATA_SHARED)
            continue;
        p->place = simple ? MST_DATA_FOLLOWS : MST_DATA_AT;
        end = p->at + p->size;
    }
}

/* The stored fields that are also values. */
static void put_values(mst_parsed_writer *w, const mst_record *record, const uint8_t *bytes) {
    for (uint16_t i = 0; record->fields[i].directory != MST_NOT_STORED; i++) {
        uint64_t width = stored_width(&record->fields[i]);
        if (!record->fields[i].directory)
            mst_parsed_bytes(w, bytes, (size_t)width);
        bytes += width;
    }
}

static void put_gap(mst_parsed_writer *w, const piece *p) {
    if (!p->gap_size && p->gap != p->data)
        mst_parsed_note(w, "padding", MST_BYTES_PADDING, p->gap, (uint64_t)(p->data - p->gap));
    mst_parsed_counted(w, p->gap, (size_t)p->gap_size);
}

static void put_parsed(const layout *l, const mst_file_view *file, mst_parsed_writer *w) {
    const piece *directory = &l->pieces[l->count];
    number at = load(l, l->header, file->data, MST_DIRECTORY_OFFSET),
           bytes = load(l, l->header, file->data, MST_DIRECTORY_BYTES),
           count = load(l, l->header, file->data, MST_DIRECTORY_COUNT);
    put_values(w, l->header, file->data);
    mst_parsed_number(w, l->alignment, 4);
    mst_parsed_from(w, directory->place, 1, at.at, at.width);
    if (directory->place == MST_DIRECTORY_AT)
        mst_parsed_from(w, (uint32_t)directory->at, 4, at.at, at.width);
    put_gap(w, directory);
    mst_parsed_counted(w, l->end, (size_t)l->end_size);
    mst_parsed_from(w, (uint32_t)l->count, 4, bytes.at ? bytes.at : count.at,
                    bytes.at ? bytes.width : count.width);
    for (uint64_t i = 0; i < l->count; i++) {
        const piece *p = &l->pieces[i];
        at = load(l, l->entry, p->fields, MST_DATA_OFFSET);
        number size = load(l, l->entry, p->fields, MST_DATA_SIZE);
        put_values(w, l->entry, p->fields);
        mst_parsed_from(w, p->place, 1, at.at, at.width);
        if (p->place != MST_DATA_FOLLOWS)
            mst_parsed_from(w, (uint32_t)p->at, 4, at.at, at.width);
        put_gap(w, p);
        if (l->type)
            mst_parsed_number(w, p->type, 1);
        mst_parsed_from(w, (uint32_t)p->size, 4, size.at, size.width);
        mst_parsed_bytes(w, p->data, (size_t)p->size);
    }
}

mst_status mst_directory_parse(const mst_format *format, const mst_file_view *files, mst_parsed_writer *w,
                               mst_diagnostic *diagnostic) {
    layout l;
    layout_of(format, &w->to->allocator, &l);
    const mst_field *alignment = l.header->fields;
    while (alignment->directory != MST_NOT_STORED)
        alignment++;
    l.alignment = alignment->initial;
    mst_status status = find_pieces(&l, files, diagnostic);
    if (status == MST_OK) {
        order_pieces(&l);
        if (!find_gaps(&l, files)) {
            l.alignment = 1;
            find_gaps(&l, files);
        }
        place_pieces(&l);
        put_parsed(&l, files, w);
        status = w->status;
    }
    mst_arena_end(&l.arena);
    return status == MST_NO_MEMORY
               ? mst_fail(diagnostic, status, "the file needs more memory than the limit allows")
               : status;
}

/* ---- serializing --------------------------------------------------------------------------------- */

/* The place of a record's values that are stored directly. */
static const uint8_t *take_values(mst_parsed_reader *r, const mst_record *record) {
    uint64_t size = 0;
    for (uint16_t i = 0; record->fields[i].directory != MST_NOT_STORED; i++)
        size += record->fields[i].directory ? 0 : stored_width(&record->fields[i]);
    return mst_parsed_take(r, size);
}

static void take_counted(mst_parsed_reader *r, const uint8_t **bytes, uint64_t *size) {
    uint32_t length;
    *bytes = mst_parsed_read_counted(r, &length);
    *size = length;
}

/* Reads the parsed bytes. Pieces without a place of their own follow the preceding piece. */
static mst_status read_pieces(layout *l, mst_parsed_reader *r) {
    piece directory = {.place = 0};
    l->header_fields = take_values(r, l->header);
    l->alignment = mst_parsed_read(r, 4);
    directory.place = (uint8_t)mst_parsed_read(r, 1);
    directory.at = directory.place == MST_DIRECTORY_AT ? mst_parsed_read(r, 4) : 0;
    directory.rank = directory.place == MST_DIRECTORY_AT      ? directory.at + 1
                     : directory.place == MST_DIRECTORY_FIRST ? 0
                                                              : UINT64_MAX;
    take_counted(r, &directory.gap, &directory.gap_size);
    take_counted(r, &l->end, &l->end_size);
    l->count = mst_parsed_read(r, 4);
    if (MST_UNREACHABLE(r->failed || l->count > r->size)) /* the tables have proved the parsed bytes */
        return MST_DAMAGED;
    if (make_pieces(l) != MST_OK)
        return MST_NO_MEMORY;
    directory.index = l->count;
    directory.size = l->count * l->entry_size;
    l->pieces[l->count] = directory;
    uint64_t rank = 1;
    for (uint64_t i = 0; i < l->count; i++) {
        piece *p = &l->pieces[i];
        p->fields = take_values(r, l->entry);
        p->place = (uint8_t)mst_parsed_read(r, 1);
        p->at = p->place != MST_DATA_FOLLOWS ? mst_parsed_read(r, 4) : 0;
        take_counted(r, &p->gap, &p->gap_size);
        p->type = l->type ? (uint8_t)mst_parsed_read(r, 1) : 0;
        take_counted(r, &p->data, &p->size);
        if (p->place == MST_DATA_SHARED)
            continue;
        if (p->place == MST_DATA_AT)
            rank = p->at + 1;
        p->rank = rank;
        l->order[l->ordered++] = p;
    }
    if (directory.size || directory.place != MST_DIRECTORY_AT)
        l->order[l->ordered++] = &l->pieces[l->count];
    qsort(l->order, l->ordered, sizeof *l->order, by_rank);
    return MST_UNREACHABLE(r->failed) ? MST_DAMAGED : MST_OK;
}

/* Fills in the header and the directory; false if a number does not fit. */
static bool put_directory(const layout *l, uint8_t *bytes) {
    const piece *directory = &l->pieces[l->count];
    bool fits = store(l, l->header, bytes, MST_DIRECTORY_OFFSET, directory->at, directory->size) &&
                store(l, l->header, bytes, MST_DIRECTORY_BYTES, directory->size, true) &&
                store(l, l->header, bytes, MST_DIRECTORY_COUNT, l->count, true);
    for (uint64_t i = 0; fits && i <= l->count; i++) {
        bool header = i == l->count;
        const mst_record *record = header ? l->header : l->entry;
        const uint8_t *from = header ? l->header_fields : l->pieces[i].fields;
        uint8_t *to = header ? bytes : bytes + directory->at + i * l->entry_size;
        fits = header || (store(l, record, to, MST_DATA_OFFSET, l->pieces[i].at, l->pieces[i].size) &&
                          store(l, record, to, MST_DATA_SIZE, l->pieces[i].size, true));
        for (uint16_t f = 0; record->fields[f].directory != MST_NOT_STORED; f++) {
            size_t width = (size_t)stored_width(&record->fields[f]);
            if (!record->fields[f].directory) {
                memcpy(to, from, width);
                from += width;
            }
            to += width;
        }
    }
    return fits;
}

/* Writes the data of entries that shared bytes separately if these no longer exist. Returns the number
 * written. */
static size_t put_unshared(const layout *l, mst_parsed_writer *w) {
    size_t written = 0;
    for (uint64_t i = 0; i < l->count; i++) {
        piece *p = &l->pieces[i];
        bool there = p->place != MST_DATA_SHARED || !p->size ||
                     (mst_fits(p->at, p->size, w->to->size) &&
                      memcmp(w->to->data + p->at, p->data, (size_t)p->size) == 0);
        if (there)
            continue;
        p->at = w->to->size;
        mst_parsed_put(w, p->data, (size_t)p->size);
        written++;
    }
    return written;
}

static mst_status put_file(layout *l, mst_parsed_writer *w, mst_diagnostic *diagnostic) {
    static const char too_large[] = "the file is too large for the numbers of its directory";
    mst_parsed_zeros(w, (size_t)l->header_size);
    for (size_t i = 0; i < l->ordered; i++) {
        piece *p = l->order[i];
        uint64_t needed = padding(l, w->to->size);
        p->at = w->to->size + needed;
        if (!p->size)
            continue;
        if (p->gap_size)
            mst_parsed_put(w, p->gap, (size_t)p->gap_size);
        else
            mst_parsed_zeros(w, (size_t)needed);
        p->at = w->to->size;
        if (p->index < l->count)
            mst_parsed_put(w, p->data, (size_t)p->size);
        else
            mst_parsed_zeros(w, (size_t)p->size);
    }
    mst_parsed_put(w, l->end, (size_t)l->end_size);
    if (w->status != MST_OK)
        return w->status;
    if (l->slots && l->pieces[l->count].at != l->header_size)
        return mst_fail(diagnostic, MST_REFUSED, "the directory has to follow the header");
    if (!put_directory(l, w->to->data))
        return mst_fail(diagnostic, MST_REFUSED, too_large);
    if (!put_unshared(l, w))
        return MST_OK;
    if (!put_directory(l, w->to->data))
        return mst_fail(diagnostic, MST_REFUSED, too_large);
    if (put_unshared(l, w) && w->status == MST_OK) /* the directory itself was shared */
        return mst_fail(diagnostic, MST_REFUSED, "the data of an entry would be in the directory");
    return w->status;
}

/* Refuses changes that the file cannot store: another number of entries, types that do not follow from the
 * names. */
static mst_status refuse_changes(const layout *l, mst_diagnostic *diagnostic) {
    if (l->slots && l->count != l->slots) {
        mst_fail(diagnostic, MST_REFUSED, "the format has a fixed number of entries");
        if (diagnostic) {
            MST_SET(diagnostic->path, "entries");
            MST_SET(diagnostic->expected, "%u", l->slots);
            MST_SET(diagnostic->found, "%llu", (unsigned long long)l->count);
        }
        return MST_REFUSED;
    }
    for (uint64_t i = 0; l->type && i < l->count; i++) {
        unsigned type = type_of(l, &l->pieces[i], false), found = l->pieces[i].type;
        if (type == found)
            continue;
        mst_fail(diagnostic, MST_REFUSED, "the type of the data does not follow from the entry");
        if (diagnostic) {
            MST_SET(diagnostic->path, "entries[%llu].type", (unsigned long long)i);
            MST_SET(diagnostic->expected, "%u", type);
            MST_SET(diagnostic->found, "%u", found);
        }
        return MST_REFUSED;
    }
    return MST_OK;
}

mst_status mst_directory_serialize(const mst_format *format, const uint8_t *bytes, size_t size,
                                   mst_buffer *files, mst_diagnostic *diagnostic) {
    layout l;
    mst_parsed_reader reader = {bytes, size, 0, false};
    mst_parsed_writer w = {.to = &files[0], .limit = mst_default_budget(size)};
    layout_of(format, &files[0].allocator, &l);
    mst_status status = read_pieces(&l, &reader);
    if (status == MST_OK && (!l.alignment || l.alignment > ALIGNMENT_MAX)) {
        status = mst_fail(diagnostic, MST_REFUSED, "the alignment is not possible");
        if (diagnostic) {
            MST_SET(diagnostic->path, "alignment");
            MST_SET(diagnostic->expected, "1 to %u", ALIGNMENT_MAX);
            MST_SET(diagnostic->found, "%u", l.alignment);
        }
    }
    if (status == MST_OK)
        status = refuse_changes(&l, diagnostic);
    if (status == MST_OK)
        status = put_file(&l, &w, diagnostic);
    mst_arena_end(&l.arena);
    return status;
}

bool mst_directory_is_canonical(const mst_format *format, const uint8_t *bytes, uint64_t offset,
                                uint64_t end) {
    (void)format, (void)bytes, (void)offset, (void)end;
    return false; /* the layout's fields have defaults, and are omitted if equal to those */
}
