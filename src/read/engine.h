/* SPDX-License-Identifier: MIT */
/* The engine's internals: documents, and the walker, which everything else is built on. */
#ifndef MST_READ_ENGINE_H
#define MST_READ_ENGINE_H

#include "../core/arena.h"
#include "../core/bytes.h"
#include "../core/file.h"
#include "../core/unreachable.h"
#include "../files/spans.h"
#include "plan.h"
#include <stdatomic.h>

/*
 * The ends of nested records, where they can only be found by walking through the content. Opening notes one
 * every few levels, so that measuring a value never takes a walk over more than a few levels, however deep it
 * is nested.
 */
#define MST_ENDS_LEVELS 4   /* of frames between noted ones: fewer than the walker holds without allocating */
#define MST_ENDS_STEP   256 /* bytes of the document per entry of `steps` */
typedef struct mst_end {
    const mst_record *record;
    uint64_t offset, end;
} mst_end;
typedef struct mst_ends {
    mst_end *items; /* by offset */
    size_t *steps;  /* index of the first item at or after each step */
    size_t count;
    mst_end
        longest; /* of the root record's lists of records, with its count; `record` is its elements' record */
} mst_ends;
/* Advances from the beginning of a noted record to its end; false if its end was not noted. */
bool mst_ends_find(const mst_document *document, const mst_record *record, uint64_t end, uint64_t *position);

/* One file of a parsed document, as it would be saved. */
typedef struct mst_parsed_file {
    const uint8_t *data;
    size_t size;
    uint8_t *own; /* `data` if the allocator owns it */
    size_t own_capacity;
    const char *name; /* "" if unknown */
} mst_parsed_file;

struct mst_document {
    const mst_format *format;
    mst_variant variant;
    mst_arena arena;
    mst_allocator allocator;
    mst_file_bytes file; /* the opened file; data is NULL if memory or JSON was opened */
    const uint8_t *data; /* the current bytes */
    uint64_t size;
    uint8_t *own; /* `data` if it was built or edited; from the allocator */
    size_t own_capacity;
    const mst_plan *plans; /* by record index */
    mst_ends ends;
    uint32_t context[MST_VARIABLES]; /* initial values for the root */
    const char *name;                /* without directories; "" if none */
    bool edited;
    bool between;      /* between two steps of an edit: its files are made and read after the last */
    bool budget_given; /* the caller set a memory limit */
    const char *place; /* during opening: the path of the file; NULL: not opened from a file */
    mst_parsed_file files[MST_FILES_MAX]; /* if the format serializes */
    uint64_t growth_limit;                /* maximum size in bytes that edits may reach */
    uint64_t parsed_limit;                /* limit that applied to the parsed bytes */
    _Atomic(mst_spans *) spans;           /* of the parsed bytes, after they were requested */
    struct mst_file_group *group;         /* of files edited and saved together (numbered.h); NULL: none */
};

extern const uint8_t mst_kind_width[];

/* Gives a resolver without `find` one that finds nothing: returns `with_find`, or NULL if it has no `each`
 * either. */
const mst_resolver *mst_resolver_of_each(const mst_resolver *resolver, mst_resolver *with_find);

/* ---- parsed files ------------------------------------------------------------------------------ */

/*
 * For a format whose documents are two files: which of the two a file called `name` is (0 or 1; the first
 * names the document), and in `other` the candidate number `attempt` (from 0) for the name of the other file.
 * -1: neither, or there are no more candidates.
 */
int mst_format_file(const mst_format_information *information, const char *name, unsigned attempt,
                    char *other, size_t capacity);

/*
 * Some documents are described in an index file: MAPS.bin counts the elements of the object list next to it.
 * mst_index_file returns that file's name, NULL if there is none; mst_update_index updates it after edits (it
 * edits `other`, which is that file, opened). MST_NO_PATH: it has no entry with this document's name.
 */
const char *mst_index_file(const mst_document *document);
mst_status mst_update_index(const mst_document *document, mst_document *other, mst_diagnostic *diagnostic);

/* Parses document->data, which becomes one of the document's files, and replaces it with the parsed bytes.
 * For a pair, finds the second file by `name`; if it is missing, document->format may change to one for a
 * single file. */
mst_status mst_parse(mst_document *document, const mst_open_options *options, const char *name,
                     mst_diagnostic *diagnostic);
/* Copies the file names of another document. MST_NO_MEMORY. */
mst_status mst_keep_file_names(mst_document *document, const mst_document *from);
/* Serializes the document to its files, and parses them again to prove that they can be read. */
mst_status mst_serialize(mst_document *document, mst_diagnostic *diagnostic);
void mst_parsed_free(mst_document *document);
/* Parses the document's files again, only to record the origin of its bytes: within its budget if the caller
 * gave one, otherwise with as much memory as opening may take. Bytes from the first difference on (memory was
 * short) are recorded as having no origin. MST_NO_MEMORY; MST_UNKNOWN: the files can no longer be parsed. */
mst_status mst_parse_again(const mst_document *document, mst_spans *spans);
/* Whether a raw field is left out when the document is encoded again. */
bool mst_left_out(const mst_document *document, const mst_field *field, uint64_t offset, uint64_t end);

static inline mst_variant mst_default_variant(const mst_format *format) {
    return (mst_variant){format->identity.version, format->identity.big, 0};
}
/* The context variables that a document's root starts with. */
static inline void mst_variant_context(mst_variant variant, uint32_t context[MST_VARIABLES]) {
    memset(context, 0, MST_VARIABLES * sizeof *context);
    context[MST_VARIABLE_VERSION] = variant.version;
    context[MST_VARIABLE_BIG] = variant.big;
    context[MST_VARIABLE_LAYOUT] = variant.layout;
}
static inline bool mst_same_variant(mst_variant a, mst_variant b) {
    return a.version == b.version && a.big == b.big && a.layout == b.layout;
}

const mst_format *mst_format_of(const mst_format_information *information);
const mst_format *mst_format_named(const char *id, size_t length);
/* The format and variant of a file that begins with these bytes; NULL: unknown. */
const mst_format *mst_probe(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                            mst_variant *variant);
/* Reports that the file is unknown, with its first bytes. */
void mst_describe_unknown(mst_diagnostic *diagnostic, const uint8_t *bytes, size_t size);
/* Whether records of the variant have the field. */
mst_presence mst_presence_in(const mst_field *field, mst_variant variant);
mst_status mst_plans_compile(const mst_format *format, mst_variant variant, mst_arena *arena,
                             const mst_plan **plans);

/* Context variables that have one value in the entire document. */
#define MST_VARIABLES_FIXED (1u << MST_VARIABLE_VERSION | 1u << MST_VARIABLE_BIG | 1u << MST_VARIABLE_LAYOUT)
/* The bits of the other context variables that a field's value needs from preceding data. */
static inline uint32_t mst_carried(const mst_plan *plans, const mst_field *field) {
    uint32_t variables = field->record ? plans[field->record->index].carried : 0;
    if (field->mode == MST_COUNT_VARIABLE || field->mode == MST_COUNT_PRODUCT)
        variables |= 1u << field->count_variable;
    if (field->mode == MST_COUNT_PRODUCT)
        variables |= 1u << field->count;
    return variables & ~MST_VARIABLES_FIXED;
}

static inline const mst_plan *mst_plan_of(const mst_document *document, const mst_record *record) {
    return &document->plans[record->index];
}
/* mst_document_field is shared by all formats and has no record: it represents the format's root record. */
static inline const mst_record *mst_record_of(const mst_document *document, const mst_field *field) {
    return field->record ? field->record : document->format->tables.root;
}
static inline bool mst_big_in(const mst_field *field, mst_variant variant) {
    return (variant.big && !(field->flags & MST_FIELD_LITTLE)) || (field->flags & MST_FIELD_BIG) != 0;
}
static inline bool mst_field_big(const mst_document *document, const mst_field *field) {
    return mst_big_in(field, document->variant);
}
static inline bool mst_is_text(const mst_field *field) {
    return field->kind == MST_KIND_CHAR8 || field->kind == MST_KIND_CHAR16;
}
/* Whether the field is a list in paths and JSON. */
static inline bool mst_is_list(const mst_field *field) {
    return field->mode != MST_COUNT_ONE && field->kind != MST_KIND_RAW && !mst_is_text(field);
}
static inline bool mst_is_number(const mst_field *field) {
    return field->kind >= MST_KIND_U8 && field->kind <= MST_KIND_F64;
}
static inline bool mst_is_signed(uint8_t kind) {
    return ((1u << MST_KIND_I8 | 1u << MST_KIND_I16 | 1u << MST_KIND_I32 | 1u << MST_KIND_I64) >> kind & 1) !=
           0;
}
/* The bits of an integer; false if it does not fit its type. */
static inline bool mst_integer_fits(uint8_t kind, bool negative, uint64_t magnitude, uint64_t *bits) {
    unsigned width = mst_kind_width[kind] * 8;
    uint64_t max = UINT64_MAX >> (64 - width);
    if (mst_is_signed(kind))
        max = (max >> 1) + negative;
    else if (negative)
        max = 0;
    if (magnitude > max)
        return false;
    *bits = negative ? (uint64_t)0 - magnitude : magnitude;
    return true;
}
/* The default maximum size of a document that is edited. */
static inline uint64_t mst_default_growth(uint64_t size) {
    const uint64_t least = (uint64_t)64 << 20;
    return size > UINT64_MAX / 64 ? UINT64_MAX : 64 * size > least ? 64 * size : least;
}

/* The default memory limit of a document, or of a check of it. */
static inline size_t mst_default_budget(uint64_t size) {
    return size < SIZE_MAX / 16 - (1u << 20) ? (size_t)size * 16 + (1u << 20) : SIZE_MAX;
}
/* Bytes from `offset` to the next multiple of the field's alignment. */
static inline uint64_t mst_padding(const mst_field *field, uint64_t offset) {
    return (field->count - offset % field->count) % field->count;
}

/* A field's extent: its prefix, the number of elements, and their size if it is fixed. */
typedef struct mst_shape {
    uint64_t prefix;  /* bytes before the elements */
    uint64_t count;   /* MST_TO_SENTINEL: as many as fit */
    uint64_t element; /* bytes of each; 0: variable */
} mst_shape;
#define MST_TO_SENTINEL UINT64_MAX

/* Fails with the format's code if the elements cannot fit before `end`. */
mst_status mst_field_shape(const mst_document *document, const mst_field *field, const uint32_t *context,
                           uint64_t offset, uint64_t end, mst_shape *shape, mst_diagnostic *diagnostic);

/* ---- the walker -------------------------------------------------------------------------------- */

typedef enum mst_item_kind {
    MST_ITEM_BEGIN_RECORD,
    MST_ITEM_BEGIN_LIST,
    MST_ITEM_END_RECORD,
    MST_ITEM_END_LIST,
    MST_ITEM_LEAF,   /* a scalar, a list of scalars, a text or raw bytes */
    MST_ITEM_DERIVED /* a chunk's id and length, a size, a list's count, an archive's header, padding */
} mst_item_kind;

/* An item that the walker visits. Inline records are not visited, only their field. */
struct mst_item {
    mst_item_kind kind;
    const mst_field *field;
    const mst_record *record; /* BEGIN_RECORD, and BEGIN_LIST of records */
    const mst_chunks *chunks; /* BEGIN_LIST of a repeated case */
    const uint32_t *context;  /* before the item */
    const char *name;         /* "" for elements */
    uint64_t offset, length;  /* with the prefix; `length` is not valid for BEGIN */
    uint64_t index;           /* of an element; UINT64_MAX for fields */
    uint64_t limit;           /* end of the enclosing data */
    mst_shape shape;
    uint32_t depth;
    bool chunk;  /* the content of a chunk, which ends at `limit` */
    uint8_t met; /* of a leaf: the mst_wants result for the field; MST_MET_ALL without it */
};

/* MST_OK continues; MST_UNKNOWN for a BEGIN skips the content and the matching END; anything else ends the
 * walk with that status. */
typedef mst_status (*mst_visitor)(void *user, const mst_item *item);

typedef struct mst_walk_request {
    const mst_document *document;
    const mst_field *field;
    const uint32_t *context;
    uint64_t offset, end;
    uint64_t index; /* of the element; UINT64_MAX: it is a field */
    bool single;    /* one element of the field, without its prefix and count */
    bool chunk;     /* the content of a chunk, which must end exactly at `end` */
    bool by_case;   /* chunks in the order of the table, not of the file */
    bool trusted;   /* the document is proved: without a visitor, sizes and noted ends are used unchecked */
    mst_ends *ends; /* counts the ends to note, and notes them if `items` is set; NULL: neither */
    mst_visitor visitor;
    void *user;
    const mst_run *const *runs; /* by record index: fields that the visitor skips; NULL: it visits all */
} mst_walk_request;

/*
 * Walks one field from request->offset on, checking everything against request->end. `after` (may be NULL)
 * gets the offset after it. With a NULL visitor it only measures. The stack is explicit, not recursive.
 */
mst_status mst_walk_field(const mst_walk_request *request, uint64_t *after, mst_diagnostic *diagnostic);

/* Why a visitor wants to visit a field of a record, in bits that it defines; 0: it does not, except perhaps
 * for fields within. */
#define MST_MET_ALL UINT8_MAX
typedef uint8_t (*mst_wants)(void *user, const mst_field *field);
/* For the walk request of a visitor that wants few fields: it visits these fields, the records and lists that
 * contain them, and all chunks. `any`: whether there are any. MST_NO_MEMORY. */
mst_status mst_runs_between(const mst_document *document, mst_wants wants, void *user, mst_arena *arena,
                            const mst_run *const **runs, bool *any);

/* The document as one field. */
extern const mst_field mst_document_field;
mst_walk_request mst_walk_of_document(const mst_document *document);
/* Proves the document and notes record ends, so that measuring values allocates nothing from then on. */
mst_status mst_walk_first(mst_document *document, mst_diagnostic *diagnostic);

/* ---- chunks ------------------------------------------------------------------------------------ */

/* Iterates over a stream of chunks. `seen` has a bit for each case already visited. */
typedef struct mst_chunk_cursor {
    uint64_t offset; /* of the next chunk */
    uint32_t seen;
} mst_chunk_cursor;
typedef struct mst_chunk {
    uint64_t offset; /* of the header */
    uint64_t start;  /* of the field: after the header, or at it if the field's record includes it */
    uint64_t end;
    uint32_t id;
    int which; /* case; -1: unknown */
} mst_chunk;
/* Whether the field's record begins with the chunk's id and length. */
static inline bool mst_holds_header(const mst_chunks *chunks, const mst_field *field) {
    return field == chunks->unknown || (field->flags & MST_FIELD_WITH_HEADER) != 0;
}
static inline bool mst_chunks_big(const mst_chunks *chunks, mst_variant variant) {
    return chunks->big || variant.big;
}
/* A chunk's case, -1 if unknown; `seen` has a bit for each case already visited. */
int mst_case_of(const mst_chunks *chunks, mst_variant variant, uint32_t id, const uint8_t *content,
                uint64_t length, uint32_t *seen);
/* The chunks whose content the field is; NULL if it is not one. Several streams may share the field of
 * unknown chunks, whose relevant facts are all in the field itself: then any of them. */
const mst_chunks *mst_chunks_of(const mst_format *format, const mst_field *field);
/* MST_UNKNOWN at the end of the stream, MST_DAMAGED if there is no complete chunk. */
mst_status mst_chunk_next(const mst_document *document, const mst_chunks *chunks, mst_chunk_cursor *cursor,
                          uint64_t end, mst_chunk *chunk, mst_diagnostic *diagnostic);

/* The name of padding, a DERIVED item without a field. */
extern const char mst_padding_name[];

/* ---- archives ---------------------------------------------------------------------------------- */

/* The proved header of an indexed archive. */
typedef struct mst_archive {
    uint64_t base;  /* of its first byte, the base of its offsets */
    uint64_t limit; /* end of the enclosing data: the padding of the file's last block may be cut off */
    uint32_t count;
    bool big;
} mst_archive;

/* Proves the header at `offset`: offsets ascend, begin after the header and end by `end`, or with `last` up
 * to 7 bytes after it, because the padding at the end of the file may be missing. */
mst_status mst_archive_open(const mst_document *document, uint64_t offset, uint64_t end, bool last,
                            mst_archive *archive, mst_diagnostic *diagnostic);
/* Reads a header that was proved before. If it no longer fits, the archive has no blocks. */
mst_archive mst_archive_at(const mst_document *document, uint64_t offset, uint64_t end);
/* Its last offset, which is its end. */
uint64_t mst_archive_end(const mst_document *document, const mst_archive *archive);
/* The beginning of block `index`, which must exist; `index` = count gives the archive's end. */
static inline uint64_t mst_archive_block_of(const mst_document *document, const mst_archive *archive,
                                            uint32_t index) {
    uint64_t offset = mst_load32(document->data + archive->base + 4 + 4 * (uint64_t)index, archive->big);
    return offset < archive->limit - archive->base ? archive->base + offset : archive->limit;
}
/* The same for an archive that may be empty, and blocks that may no longer exist: they begin at the limit. */
static inline uint64_t mst_archive_block(const mst_document *document, const mst_archive *archive,
                                         uint32_t index) {
    if (archive->count)
        return MST_CHANGED(index > archive->count) ? archive->limit
                                                   : mst_archive_block_of(document, archive, index);
    return archive->limit - archive->base > 8 ? archive->base + 8 : archive->limit;
}
/* The end of block `index`, which begins at `begin`. */
static inline uint64_t mst_archive_block_end(const mst_document *document, const mst_archive *archive,
                                             uint32_t index, uint64_t begin) {
    uint64_t end = mst_archive_block(document, archive, index + 1);
    return MST_CHANGED(end < begin) ? begin : end;
}
static inline uint64_t mst_archive_header(uint32_t count) {
    return 8 + 4 * (uint64_t)count;
}
static inline uint64_t mst_block_padding(uint64_t size) {
    return (MST_BLOCK_ALIGN - size % MST_BLOCK_ALIGN) % MST_BLOCK_ALIGN;
}

/* The stored offset of block `index`; 0 if it is no longer in the file. */
static inline uint32_t mst_archive_stored(const mst_document *document, const mst_archive *archive,
                                          uint32_t index) {
    uint64_t at = archive->base + 4 + 4 * (uint64_t)index;
    return MST_CHANGED(!mst_fits(at, 4, document->size)) ? 0 : mst_load32(document->data + at, archive->big);
}

/* A data set that was proved before. */
typedef struct mst_data_set {
    const uint8_t *data; /* of the first element */
    uint64_t offset;     /* of `data`; the element size is 8 bytes before it, the count 4 */
    uint32_t count, stride;
} mst_data_set;
/* The data set at `offset`, of elements of `element` bytes (0: of any size); returns its end. It is empty if
 * it is no longer a data set of such elements. */
static inline uint64_t mst_data_set_at(const mst_document *document, uint64_t offset, uint32_t element,
                                       mst_data_set *set) {
    *set = (mst_data_set){document->data, offset, 0, 0};
    if (MST_CHANGED(!mst_fits(offset, 8, document->size)))
        return offset;
    const uint8_t *header = document->data + offset;
    uint32_t stride = mst_load32(header, document->variant.big),
             count = mst_load32(header + 4, document->variant.big);
    *set = (mst_data_set){header + 8, offset + 8, count, stride};
    bool fits = mst_fits(set->offset, (uint64_t)count * stride, document->size);
    if (MST_CHANGED(!fits || (element && count && stride != element)))
        set->count = set->stride = 0;
    return set->offset + (uint64_t)set->count * set->stride;
}

/* ---- lists of texts ---------------------------------------------------------------------------- */

/* Prove a list of texts that are blocks of an archive, or that are preceded by their lengths, and advance to
 * its end. False if it is not such a list, or anything is wrong; the regular walk then finds the cause. */
bool mst_pass_blocks_of_text(const mst_document *document, const mst_field *field, const mst_archive *archive,
                             uint64_t *position);
bool mst_pass_texts(const mst_document *document, const mst_field *field, const mst_shape *shape,
                    uint64_t end, uint64_t *position);

/* ---- computed numbers -------------------------------------------------------------------------- */

#define MST_COMPUTED_MAX 16
/* The right value, in decimal, of the number that mst_checksum_path names. MST_UNSUPPORTED if there is none.
 */
mst_status mst_compute(const mst_document *document, char text[MST_COMPUTED_MAX], mst_diagnostic *diagnostic);

/* ---- values ------------------------------------------------------------------------------------ */

enum {
    MST_SHAPE_ONE = 0,    /* one element: a scalar, a text, raw bytes, a record */
    MST_SHAPE_LIST,       /* a counted field from its prefix on */
    MST_SHAPE_CHUNK_LIST, /* the chunks of a repeated case */
    MST_SHAPE_SLICE       /* part of a list, or of a list of chunks if `chunks` is set */
};
enum {
    MST_SHAPE_MASK = 3,
    MST_SHAPE_IN_CHUNK = 1 << 2,
    MST_SHAPE_ELEMENT = 1 << 3,
    MST_SHAPE_PART = 1 << 4,    /* in iterators: of a slice */
    MST_SHAPE_CHUNKED = 1 << 5, /* a slice of a list of chunks */
    MST_SHAPE_ROW = 1 << 6,     /* one element with its parallel ones (parallel_rows.c). `first` is its index,
                                 * `count` the offset of the record that has the lists */
    MST_SHAPE_OWNER = 6,   /* a list of chunks: from this bit on, index of the record that has the chunks */
    MST_SHAPE_COLUMN = 16, /* a slice: from this bit on, index + 1 of the field taken of every element */
    MST_SHAPE_OWNERS = (1 << MST_SHAPE_COLUMN) - (1 << MST_SHAPE_OWNER)
};

/* Whether this is not a value, such as one set to zero. */
static inline bool mst_is_void(const mst_value *value) {
    return !value || !value->document || !value->field;
}
static inline const mst_field *mst_field_of(const mst_value *value) {
    return (const mst_field *)value->field;
}
static inline uint32_t mst_shape_of(const mst_value *value) {
    return value->shape & MST_SHAPE_MASK;
}
/* The field that a slice takes of every element; NULL: whole elements. */
static inline const mst_field *mst_column_field(const mst_field *field, uint32_t shape) {
    return shape >> MST_SHAPE_COLUMN ? &field->record->fields[(shape >> MST_SHAPE_COLUMN) - 1] : NULL;
}
/* The chunks of which a list of chunks contains one case. */
const mst_chunks *mst_chunks_of_list(const mst_value *list);
/* The list that a slice is a part of. */
static inline mst_value mst_list_of_slice(const mst_value *slice) {
    mst_value list = *slice;
    list.shape = (slice->shape & MST_SHAPE_OWNERS) |
                 (slice->shape & MST_SHAPE_CHUNKED ? MST_SHAPE_CHUNK_LIST : MST_SHAPE_LIST);
    return list;
}
/*
 * A value carries the context variables that are set outside of it and read in it (mst_carried, at most
 * MST_VARIABLES_CARRIED: test_tables counts them): the document has the fixed ones, and all others are set
 * before they are read. This gives all of them, in `all` or in the document.
 */
#define MST_VARIABLES_CARRIED 3
const uint32_t *mst_context_with(const mst_value *value, uint32_t carried, uint32_t all[MST_VARIABLES]);
static inline const uint32_t *mst_context_of(const mst_value *value, uint32_t all[MST_VARIABLES]) {
    uint32_t carried = mst_carried(value->document->plans, mst_field_of(value));
    return carried ? mst_context_with(value, carried, all) : value->document->context;
}
/* Iterates over a record from the field at `offset` on; no field before it may decide about others. */
mst_iterator mst_iterate_from(const mst_value *record, uint16_t field, uint32_t offset);
/* The value of a record's number field, sign-extended; 0 if it has no such field. */
uint64_t mst_number_in(const mst_value *record, const char *name);
/* The shape of a list, a text or raw bytes. */
mst_shape mst_shape_of_list(const mst_value *value);
/* The offset after the value. */
uint64_t mst_value_after(const mst_value *value);
/* The class of the bytes of a field after its count or length. */
mst_byte_class mst_class_of_field(const mst_field *field);
/* The value for an item that the walker visited. */
mst_value mst_value_of_item(const mst_document *document, const mst_item *item);

/* The stream of a record's chunks (a field of its table): an iterator positioned before it, and the stream's
 * end; false if it is absent. */
bool mst_find_chunks(const mst_value *record, const mst_field *chunks, mst_iterator *stream, uint64_t *end);

/* ---- rows: elements of parallel lists as one ---------------------------------------------------- */

/* Whether the table of a record has rows, even if this record has no lists. */
bool mst_has_rows(const mst_value *record);
/* The list whose elements, with their parallel ones, are the rows of a record; false if it has none. */
bool mst_rows_of(const mst_value *record, mst_value *list);
/* Makes an element of that list a row. */
void mst_make_row(mst_value *element, const mst_value *record, uint64_t index);
/* The field of a row's record with the parallel list number `index` (from 0). NULL if there are no more. */
const mst_field *mst_row_field(const mst_value *row, size_t index);
/* A member of a row in a parallel list, and that list. */
bool mst_row_member(const mst_value *row, const char *name, mst_value *list, mst_value *member);
/* Takes the parallel members out of the JSON of a row: `own` is the rest, `beside` (of MST_ROW_MEMBERS) gets
 * their JSON, in the order of mst_row_field (NULL: missing). `list` is the rows' list. MST_NO_MEMORY. */
#define MST_ROW_MEMBERS 4
mst_status mst_split_row(const mst_value *record, const char *json, mst_arena *arena, const char **own,
                         const char *beside[MST_ROW_MEMBERS]);
/* The fields of a record that have the parallel members of its rows. */
const mst_field *mst_rows_field(const mst_value *record, size_t index);

/* The steps of a path, resolved: values[0] is the root, the last one the value itself. */
#define MST_PATH_DEPTH 64
typedef struct mst_chain {
    uint32_t count;
    mst_value *values;               /* MST_PATH_DEPTH of them, from the allocator */
    uint64_t *indices;               /* index in the list of the previous step; UINT64_MAX for fields */
    struct mst_landmarks *landmarks; /* finds elements of long lists (landmarks.h); NULL: none */
} mst_chain;
/* Reads an index into a list of `count` elements, counted from the end if negative; false if there is none.
 */
#define MST_BEFORE_FIRST UINT64_MAX /* negative, and before the first element */
bool mst_path_index(const char **at, uint64_t count, uint64_t *index);
mst_status mst_find_chain(mst_value from, const char *path, mst_chain *chain, mst_diagnostic *diagnostic);

/* Appends `.name` (NULL or "": nothing) and `[index]` (UINT64_MAX: nothing) to a path of the given length, as
 * far as they fit. Returns the new length, `capacity` or more if it was cut off. */
size_t mst_path_step(char *path, size_t capacity, size_t length, const char *name, uint64_t index);

/* A view of one field of all elements in a list of fixed-size records, for fast loops. */
typedef struct mst_column {
    const uint8_t *data; /* of the first element */
    uint64_t count;      /* elements */
    uint32_t stride;
    bool big;
} mst_column;
/* For the item that begins a list of fixed-size records; false for other items, or if there is no such
 * field. */
bool mst_column_of_item(const mst_document *document, const mst_item *item, const char *name,
                        mst_column *column);
/* For a list value. */
bool mst_column_of(const mst_value *list, const char *name, mst_column *column);
/* For the item of a list of numbers: each is an element. */
static inline mst_column mst_column_of_numbers(const mst_document *document, const mst_item *item) {
    return (mst_column){document->data + item->offset + item->shape.prefix, item->shape.count,
                        mst_kind_width[item->field->kind], mst_field_big(document, item->field)};
}
/* Component `component` (the caller checks that the field has it) of element `index`, below `count`. */
static inline uint32_t mst_column_u32(const mst_column *column, uint64_t index, uint32_t component) {
    return mst_load32(column->data + index * column->stride + 4 * component, column->big);
}

static inline uint16_t mst_column_u16(const mst_column *column, uint64_t index, uint32_t component) {
    return mst_load16(column->data + index * column->stride + 2 * component, column->big);
}
static inline uint8_t mst_column_u8(const mst_column *column, uint64_t index, uint32_t component) {
    return column->data[index * column->stride + component];
}
/* The offset of element `index` in the document. */
static inline uint64_t mst_column_offset(const mst_document *document, const mst_column *column,
                                         uint64_t index) {
    return (uint64_t)(column->data - document->data) + index * column->stride;
}

/* Decodes text in which bit 7 of every byte is set; false if it is not set, or the text is too long. */
bool mst_low_text(const uint8_t *bytes, size_t size, char *text, size_t capacity, size_t *length);

/* A scalar as bits: integers are sign- or zero-extended, floats are not converted. */
static inline uint64_t mst_scalar_bits(const mst_document *document, const mst_field *field,
                                       uint64_t offset) {
    unsigned width = mst_kind_width[field->kind];
    uint64_t bits = mst_load(document->data + offset, width, mst_field_big(document, field));
    switch ((mst_kind)field->kind) {
    case MST_KIND_I8: return (uint64_t)(int64_t)(int8_t)bits;
    case MST_KIND_I16: return (uint64_t)(int64_t)(int16_t)bits;
    case MST_KIND_I32: return (uint64_t)(int64_t)(int32_t)bits;
    default: return bits;
    }
}

/* Compares two uint64_t, for qsort and bsearch. */
static inline int mst_by_number(const void *left, const void *right) {
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* Whether the value equals a text in a path: a text, a number, a name, flags, true or false. */
bool mst_value_is(const mst_value *value, const char *wanted, size_t length);

/* The value itself, or its only element; false if it has none or several. */
bool mst_single_of(const mst_value *value, mst_value *one);

/* For a scalar value; 0 if its bytes no longer exist, or it never did. */
static inline bool mst_scalar_fits(const mst_value *value) {
    uint8_t width = mst_kind_width[mst_field_of(value)->kind];
    return width && mst_fits(value->offset, width, value->end);
}
static inline uint64_t mst_scalar_of(const mst_value *value) {
    return MST_CHANGED(!mst_scalar_fits(value))
               ? 0
               : mst_scalar_bits(value->document, mst_field_of(value), value->offset);
}

/* NULL if the number has no name. */
const char *mst_name_of_number(const mst_enum *names, int64_t value);

/* ---- diagnoses --------------------------------------------------------------------------------- */

mst_status mst_problem_at(const mst_document *document, mst_diagnostic *diagnostic, mst_problem kind,
                          uint64_t offset, uint64_t length, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* ---- encoding ---------------------------------------------------------------------------------- */

struct mst_json_node;

/* Where the encoder takes values from: JSON nodes, or values of a document. */
typedef struct mst_source {
    const struct mst_json_node *json; /* the first node of the text; NULL: `value` is used */
    uint32_t node;
    mst_value value;
} mst_source;

/* The role of bytes that the encoder writes. */
typedef enum mst_span_kind {
    MST_SPAN_VALUE,  /* the field's value */
    MST_SPAN_COUNT,  /* before it: a count, a length, the header of a data set */
    MST_SPAN_HEADER, /* of an archive or a chunk; ignore `field` */
    MST_SPAN_GAP     /* padding before or after a block (`field` is NULL) */
} mst_span_kind;
typedef void (*mst_span_function)(void *user, mst_span_kind kind, const mst_field *field, uint64_t offset,
                                  uint64_t length);

typedef struct mst_encode_request {
    const mst_format *format;
    mst_variant variant;
    const mst_plan *plans;
    const mst_allocator *allocator;
    size_t limit;        /* maximum size of the output in bytes */
    uint64_t origin;     /* the output's offset in the document, for alignment */
    bool lenient;        /* missing fields become zero */
    bool may_be_lenient; /* ... if the caller had requested it */
    bool rest;           /* missing fields become zero, and numbers that may refer to nothing do so */
    bool drop;           /* ignores keys of fields that the record has only under other conditions */
    const mst_field *field;
    bool single; /* one element of the field, without its prefix */
    const uint32_t *context;
    mst_source source;
    mst_span_function span; /* receives the role of each byte of the output, in order; may be NULL */
    void *span_user;
} mst_encode_request;

/* Why a value does not fit its field. */
typedef struct mst_misfit {
    const char *message;
    char expected[160], found[100]; /* as in a diagnosis */
} mst_misfit;
/* `diagnostic` may be NULL. */
void mst_misfit_to(mst_diagnostic *diagnostic, const mst_misfit *why);
/* The bits, as the field stores them, of a number, a boolean, the name of an enum value, "NaN" and the like,
 * or flags; false if it does not fit, then `why` describes valid values. */
bool mst_number_of_json(const mst_field *field, const struct mst_json_node *node, uint64_t *bits,
                        mst_misfit *why);
/* "a number", "a list", ...: the kind of the JSON */
const char *mst_kind_of_json(const struct mst_json_node *node);

/* ---- flags ------------------------------------------------------------------------------------- */

/* A mask of all bits of an integer field. */
static inline uint64_t mst_bits_in(const mst_field *field) {
    return UINT64_MAX >> (64 - 8 * mst_kind_width[field->kind]);
}
/* Removes the next named flag from `left`, searching the names from item `*next` on, and returns its name;
 * NULL if no flag in `left` has a name. */
const char *mst_flags_take(const mst_field *field, uint64_t *left, size_t *next);
/* The bits of a field that have names. */
uint64_t mst_flags_named(const mst_field *field);
/* The bits of names and numbers, separated by commas. `old` is the value that + and - change; NULL: none. */
bool mst_flags_of_text(const mst_field *field, const char *text, size_t length, const uint64_t *old,
                       uint64_t *bits, mst_misfit *why);
/* The same for a string, or a list of strings and numbers. */
bool mst_flags_of_json(const mst_field *field, const struct mst_json_node *node, const uint64_t *old,
                       uint64_t *bits, mst_misfit *why);

/* Encodes one field, with counts, sizes and chunk lengths recomputed. The path in the diagnosis is relative
 * to the field. */
mst_status mst_encode_field(const mst_encode_request *request, mst_buffer *output,
                            mst_diagnostic *diagnostic);

/* A new document from bytes (parsed ones, if the format has files), which it then owns. options->name is
 * used. `as`: the variant; NULL: detected. Its files are made later, by mst_serialize. */
mst_status mst_document_adopt(const mst_format *format, const mst_variant *as, mst_buffer *bytes,
                              const mst_open_options *options, mst_document **document,
                              mst_diagnostic *diagnostic);

/* As mst_open_json. The document's files are made later, by mst_serialize. `given`: a caller gave the text,
 * so that a diagnosis may name lenient reading. */
mst_status mst_document_of_json(const char *text, size_t size, const mst_open_options *options, bool given,
                                mst_document **document, mst_diagnostic *diagnostic);

/* ---- checks ------------------------------------------------------------------------------------ */

struct mst_checker {
    const mst_document *document;
    const mst_check_options *options;
    mst_report_function report;
    void *user;
    mst_check_result result;
    mst_arena scratch;
    mst_diagnostic *failure;
    void *state;         /* the format's, in `scratch` */
    uint64_t *described; /* with options->details: the number of findings of each code and as information */
    mst_diagnostic *finding; /* the next one; begun by mst_finding and the like */
    mst_diagnostic *bare;    /* the last one that was not described */
    bool dangling;           /* only dangling references are reported, all of them: finding.h */
};

/* Reports the checker's finding with a code and its severity from the format's list. MST_OK, or the report
 * function's status. */
mst_status mst_checker_report(mst_checker *checker, const char *code);
/* The same as information, whatever the code's severity: something needed for proof is missing. */
mst_status mst_checker_inform(mst_checker *checker, const char *code);
/* The same as a warning: something that keeps other files from being opened, but not this one. */
mst_status mst_checker_warn(mst_checker *checker, const char *code);
/* Whether findings with this code are requested at all. */
bool mst_checker_wants(const mst_checker *checker, const char *code);
/* For findings that may be very many, before one is described: whether enough with this code were described.
 * Then it has been reported by its code alone, with `status` as the result. */
bool mst_checker_counts(mst_checker *checker, const char *code, mst_status *status);

/* The list of the element at `path`, and its index; MST_ARGUMENT if it is not an element. */
mst_status mst_element_at(const mst_document *document, const char *path, mst_arena *arena,
                          const char **list_path, mst_value *list, uint64_t *index,
                          mst_diagnostic *diagnostic);

#endif
