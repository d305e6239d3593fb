/* SPDX-License-Identifier: MIT */
/* The engine's insides: documents, compiled plans, and the walker that everything else stands on. */
#ifndef MST_SCHEMA_ENGINE_H
#define MST_SCHEMA_ENGINE_H

#include "../core/arena.h"
#include "../core/bytes.h"
#include "../core/file.h"
#include "../core/unreachable.h"
#include "schema.h"

/*
 * A plan is a record's table compiled for one version: which fields are there for certain, where fields of
 * fixed size lie, and how far a run of them can be skipped in one step.
 */
typedef enum mst_presence { MST_ABSENT = 0, MST_PRESENT, MST_DEPENDS } mst_presence;

typedef struct mst_field_plan {
    uint8_t presence;  /* mst_presence */
    uint16_t run_next; /* first field after the run that starts here */
    uint32_t offset;   /* from the record's start; UINT32_MAX: not fixed */
    uint32_t size;     /* of the whole field; 0: not fixed */
    uint32_t run_size; /* bytes of the fields from here on that can be skipped together; 0: read this one */
} mst_field_plan;

typedef struct mst_plan {
    const mst_field_plan *fields;
    uint32_t stride;    /* size if fixed, else 0 */
    uint32_t minimum;   /* the least bytes it takes */
    uint32_t sizes;     /* which of MST_FIELD_SIZES it has */
    uint16_t last_size; /* index of the last of them */
    bool endless;       /* it may stand in itself, and nothing says where it ends: see mst_ends */
} mst_plan;

/*
 * Where records end that are nested, as far as only a walk through all that is in them would tell. Opening
 * notes every few levels one, so that a value is measured by going over a few levels, however many there are
 * below it.
 */
#define MST_ENDS_LEVELS 4   /* of frames, from one that is noted to the next: fewer than the walker's own */
#define MST_ENDS_STEP   256 /* bytes of the document, for each of which is known where its entries begin */
typedef struct mst_end {
    const mst_record *record;
    uint64_t offset, end;
} mst_end;
typedef struct mst_ends {
    mst_end *items; /* by offset */
    size_t *steps;  /* the first item at or after each step */
    size_t count;
} mst_ends;

/* A file of a document that is parsed, as it would be saved. */
typedef struct mst_parsed_file {
    const uint8_t *data;
    size_t size;
    uint8_t *own; /* `data` if it is from the allocator */
    size_t own_capacity;
    const char *name; /* "" if it is not known */
} mst_parsed_file;

struct mst_document {
    const mst_format *format;
    mst_variant variant;
    mst_arena arena;
    mst_allocator allocator;
    mst_file_bytes file; /* what was opened; data NULL if memory or JSON was */
    const uint8_t *data; /* the bytes as they are now */
    uint64_t size;
    uint8_t *own; /* `data` if it was built or edited, from the allocator */
    size_t own_capacity;
    const mst_plan *plans; /* by record index */
    mst_ends ends;
    uint32_t context[MST_VARIABLES]; /* those that the root starts with */
    const char *name;                /* without directories; "" if there is none */
    bool edited;
    bool budget_given; /* the caller said how much memory it may take */
    const char *place; /* while it is opened: the path of the file that it is opened from; NULL: it is none */
    mst_parsed_file files[MST_FILES_MAX]; /* if the format serializes */
};

extern const uint8_t mst_kind_width[];

/* A resolver without `find` as one that finds nothing by name: `with_find`, or NULL if it has no `each`
 * either. */
const mst_resolver *mst_resolver_of_each(const mst_resolver *resolver, mst_resolver *with_find);

/* ---- serializing ----------------------------------------------------------------------------------- */

/* Parses document->data, which becomes a file, and takes what that gives in its place; of two files the
 * other one is looked for by `name`. `format` may change to one for a file that is alone. */
mst_status mst_parse(mst_document *document, const mst_open_options *options, const char *name,
                     mst_diagnostic *diagnostic);
/* Gives the files the names that those of another document have. MST_NO_MEMORY. */
mst_status mst_keep_file_names(mst_document *document, const mst_document *from);
/* Makes the files again of what the document is now, and reads them again: the proof that they can be. */
mst_status mst_serialize(mst_document *document, mst_diagnostic *diagnostic);
void mst_parsed_free(mst_document *document);
/* Whether a raw field is left out of what is encoded again. */
bool mst_left_out(const mst_document *document, const mst_field *field, uint64_t offset, uint64_t end);

static inline mst_variant mst_default_variant(const mst_format *format) {
    return (mst_variant){format->variant_version, format->variant_big, 0};
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
mst_status mst_plans_compile(const mst_format *format, mst_variant variant, mst_arena *arena,
                             const mst_plan **plans);

/* Whether a field is there, given the context variables; and as a reader sees it. */
bool mst_field_present(const mst_field *field, const uint32_t *context);
bool mst_field_found(const mst_document *document, const mst_field *field, const uint32_t *context,
                     uint64_t offset, uint64_t end);

/* The place of a size in an array of three: whole, first part, last part; -1 if the field is none. */
static inline int mst_size_index(const mst_field *field) {
    return field->flags & MST_FIELD_SIZE         ? 0
           : field->flags & MST_FIELD_SIZE_FIRST ? 1
           : field->flags & MST_FIELD_SIZE_LAST  ? 2
                                                 : -1;
}
/* The bytes that a size covers, given what is stored; UINT64_MAX if it does not even reach to where it begins
 * to count. */
static inline uint64_t mst_size_covered(const mst_field *field, uint64_t stored) {
    uint64_t unit = field->size_scale ? field->size_scale : 1;
    if (stored > UINT64_MAX / unit || stored * unit < field->size_bias)
        return UINT64_MAX;
    return stored * unit - field->size_bias;
}
/* A field that is saved has been read or written: `bits` is its value. */
static inline void mst_bind_variable(const mst_field *field, uint32_t *context, uint64_t bits) {
    if (field->bind)
        context[field->bind - 1] = field->transform ? field->transform((uint32_t)bits) : (uint32_t)bits;
}
/* Where the parts of a record end that begin at `offset`, by its sizes; false if that is not before `end`, or
 * they contradict each other. */
bool mst_split_parts(const mst_plan *plan, const uint64_t sizes[3], uint64_t offset, uint64_t end,
                     uint64_t *first_end, uint64_t *last_end);

static inline const mst_plan *mst_plan_of(const mst_document *document, const mst_record *record) {
    return &document->plans[record->index];
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
/* What a document, or a check of it, may take of the allocator if nobody says otherwise. */
static inline size_t mst_default_budget(uint64_t size) {
    return size < SIZE_MAX / 16 - (1u << 20) ? (size_t)size * 16 + (1u << 20) : SIZE_MAX;
}
/* The field to go on with after one that is MST_FIELD_STOP, if `stored` says so. */
uint16_t mst_field_after(const mst_record *record, uint16_t index, uint64_t stored);

/* Bytes from `offset` to the next multiple of what the field aligns to. */
static inline uint64_t mst_padding(const mst_field *field, uint64_t offset) {
    return (field->count - offset % field->count) % field->count;
}

/* A field's extent at a place: its prefix, how many elements, and their size where it is fixed. */
typedef struct mst_shape {
    uint64_t prefix;  /* bytes before the elements */
    uint64_t count;   /* MST_TO_SENTINEL: as many as fit */
    uint64_t element; /* bytes of each; 0: they differ */
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

/* What the walker meets. Transparent records are not met, their field is. */
struct mst_item {
    mst_item_kind kind;
    const mst_field *field;
    const mst_record *record; /* BEGIN_RECORD, and BEGIN_LIST of records */
    const mst_chunks *chunks; /* BEGIN_LIST of a repeated case */
    const uint32_t *context;  /* as they were before it */
    const char *name;         /* "" for elements */
    uint64_t offset, length;  /* with the prefix; of BEGIN only the offset counts */
    uint64_t index;           /* of an element; UINT64_MAX for fields */
    uint64_t limit;           /* end of what encloses it */
    mst_shape shape;
    uint32_t depth;
    bool chunk; /* it is the content of a chunk, and ends at `limit` */
};

/* MST_OK goes on; MST_UNKNOWN after a BEGIN skips past the matching END, which is not met; anything
 * else ends the walk with that status. */
typedef mst_status (*mst_visitor)(void *user, const mst_item *item);

typedef struct mst_walk_request {
    const mst_document *document;
    const mst_field *field;
    const uint32_t *context;
    uint64_t offset, end;
    uint64_t index; /* as an element; UINT64_MAX: as a field */
    bool single;    /* one element of the field, without its prefix and count */
    bool chunk;     /* the content of a chunk: must end exactly at `end` */
    bool by_case;   /* chunks in the order of the table, else of the file */
    bool trusted;   /* the document is open: without a visitor, sizes and noted ends are believed */
    mst_ends *ends; /* counts those to be noted, and notes them if there is room; NULL: does not */
    mst_visitor visitor;
    void *user;
} mst_walk_request;

/*
 * Walks one field from request->offset on, checking everything against request->end. `after` (may be NULL)
 * gets the offset after it. With a NULL visitor it only measures. The stack is explicit.
 */
mst_status mst_walk_field(const mst_walk_request *request, uint64_t *after, mst_diagnostic *diagnostic);

/* The whole document as one field. */
extern const mst_field mst_document_field;
mst_walk_request mst_walk_of_document(const mst_document *document);
/* Proves the whole document, and notes what later walks need: from then on measuring values takes no memory.
 */
mst_status mst_walk_first(mst_document *document, mst_diagnostic *diagnostic);

/* ---- chunks ------------------------------------------------------------------------------------ */

/* Goes through a stream of chunks. `seen` has a bit for each case already met. */
typedef struct mst_chunk_cursor {
    uint64_t offset; /* of the next chunk */
    uint32_t seen;
} mst_chunk_cursor;
typedef struct mst_chunk {
    uint64_t offset; /* of the header */
    uint64_t start;  /* of the field: after the header, or at it if the record begins with it */
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
/* The case that a chunk is of, -1 if it is not known; `seen` has a bit for each case already met. */
int mst_case_of(const mst_chunks *chunks, mst_variant variant, uint32_t id, const uint8_t *content,
                uint64_t length, uint32_t *seen);
/* Where the field is the content of chunks; NULL if it is not. */
const mst_chunks *mst_chunks_of(const mst_format *format, const mst_field *field);
/* MST_UNKNOWN at the end of the stream, MST_DAMAGED if there is no whole chunk. */
mst_status mst_chunk_next(const mst_document *document, const mst_chunks *chunks, mst_chunk_cursor *cursor,
                          uint64_t end, mst_chunk *chunk, mst_diagnostic *diagnostic);

/* What the walker calls padding: a DERIVED item without a field. */
extern const char mst_padding_name[];

/* ---- archives ---------------------------------------------------------------------------------- */

/* The header of an indexed archive that has been proved. */
typedef struct mst_archive {
    uint64_t base; /* of its first byte, what offsets count from */
    uint64_t
        limit; /* end of what encloses it: of the file's last block, which may be cut off in its padding */
    uint32_t count;
    bool big;
} mst_archive;

/* Proves the header at `offset`: offsets ascend, begin after the header and end before `end`, or at most 7
 * bytes after it if `last`: the padding of what ends with the file may be missing. */
mst_status mst_archive_open(const mst_document *document, uint64_t offset, uint64_t end, bool last,
                            mst_archive *archive, mst_diagnostic *diagnostic);
/* The same of a header that has been proved before. If it fits no longer, there are no blocks. */
mst_archive mst_archive_at(const mst_document *document, uint64_t offset, uint64_t end);
/* Its last offset, which says where it ends. */
uint64_t mst_archive_end(const mst_document *document, const mst_archive *archive);
/* Where block `index` begins; that of the count is the archive's end. */
static inline uint64_t mst_archive_block(const mst_document *document, const mst_archive *archive,
                                         uint32_t index) {
    uint64_t offset = 8;
    if (archive->count)
        offset = mst_load32(document->data + archive->base + 4 + 4 * (uint64_t)index, archive->big);
    return offset < archive->limit - archive->base ? archive->base + offset : archive->limit;
}
/* Where block `index` ends, which begins at `begin`. */
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

/* ---- values ------------------------------------------------------------------------------------ */

enum {
    MST_SHAPE_ONE = 0,    /* one element: a scalar, a text, raw bytes, a record */
    MST_SHAPE_LIST,       /* a counted field from its prefix on */
    MST_SHAPE_CHUNK_LIST, /* the chunks of a repeated case */
    MST_SHAPE_SLICE       /* part of a list, or of a list of chunks if `chunks` is set */
};
enum {
    MST_SHAPE_MASK = 0xFF,
    MST_SHAPE_IN_CHUNK = 0x100,
    MST_SHAPE_ELEMENT = 0x200,
    MST_SHAPE_PART = 0x400 /* in iterators: of a slice */
};

/* Whether there is no value: no document has been asked for it. */
static inline bool mst_is_void(const mst_value *value) {
    return !value || !value->document || !value->field;
}
static inline const mst_field *mst_field_of(const mst_value *value) {
    return (const mst_field *)value->field;
}
static inline uint32_t mst_shape_of(const mst_value *value) {
    return value->shape & MST_SHAPE_MASK;
}
/* The number that a record's field is; 0 if it has none. */
uint64_t mst_number_in(const mst_value *record, const char *name);
/* The shape of a list, a text or raw bytes. */
mst_shape mst_shape_of_list(const mst_value *value);
/* The offset after the value. */
uint64_t mst_value_after(const mst_value *value);
/* The value for something the walker met. */
mst_value mst_value_of_item(const mst_document *document, const mst_item *item);

/* The steps of a path, resolved: chain[0] is the root, the last the value itself. */
#define MST_PATH_DEPTH 64
typedef struct mst_chain {
    uint32_t count;
    mst_value *values; /* from the allocator, room for MST_PATH_DEPTH */
    uint64_t *indices; /* element index within the one before; UINT64_MAX for fields */
} mst_chain;
/* Reads the index of an element in a list of `count`, which is counted from the end if it is negative; false
 * if there is none. */
#define MST_BEFORE_FIRST UINT64_MAX /* from the end, and too far */
bool mst_path_index(const char **at, uint64_t count, uint64_t *index);
mst_status mst_find_chain(mst_value from, const char *path, mst_chain *chain, mst_diagnostic *diagnostic);

/* Appends `.name` (NULL or "": nothing) and `[index]` (UINT64_MAX: nothing) to a path of that length, as far
 * as there is room. Returns the new length, `capacity` or more if something had to be cut. */
size_t mst_path_step(char *path, size_t capacity, size_t length, const char *name, uint64_t index);

/* A field of all elements of a list of fixed records, for going over many of them: a view. */
typedef struct mst_column {
    const uint8_t *data; /* of the first element */
    uint64_t count;      /* elements */
    uint32_t stride;
    bool big;
} mst_column;
/* Of the item that begins a list of fixed records; false if it is not one, or has no such field. */
bool mst_column_of_item(const mst_document *document, const mst_item *item, const char *name,
                        mst_column *column);
/* Of a list value. */
bool mst_column_of(const mst_value *list, const char *name, mst_column *column);
/* Component `component` (the caller keeps it within the field) of element `index`, below `count`. */
static inline uint32_t mst_column_u32(const mst_column *column, uint64_t index, uint32_t component) {
    return mst_load32(column->data + index * column->stride + 4 * component, column->big);
}

/* Text of which bit 7 of every byte is set, without those bits; false if it is not so, or too long. */
bool mst_low_text(const uint8_t *bytes, size_t size, char *text, size_t capacity, size_t *length);

/* Scalars as bits: integers sign- or zero-extended, floats as their bits. */
uint64_t mst_scalar_bits(const mst_document *document, const mst_field *field, uint64_t offset);

/* The value itself, or the one element that it has; false: it has none, or several. */
bool mst_single_of(const mst_value *value, mst_value *one);

/* Of a value that is one; 0 if its bytes are there no longer. */
static inline bool mst_scalar_fits(const mst_value *value) {
    return mst_fits(value->offset, mst_kind_width[mst_field_of(value)->kind], value->end);
}
static inline uint64_t mst_scalar_of(const mst_value *value) {
    return MST_CHANGED(!mst_scalar_fits(value))
               ? 0
               : mst_scalar_bits(value->document, mst_field_of(value), value->offset);
}

/* NULL if the value has no name. */
const char *mst_name_of_number(const mst_enum *names, int64_t value);

/* ---- diagnoses of formats ---------------------------------------------------------------------- */

mst_status mst_problem_at(const mst_document *document, mst_diagnostic *diagnostic, mst_problem kind,
                          uint64_t offset, uint64_t length, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* ---- encoding ---------------------------------------------------------------------------------- */

struct mst_json_node;

/* Where an encoder takes values from: JSON nodes, or values of a document. */
typedef struct mst_source {
    const struct mst_json_node *json; /* the first node of the text; NULL: `value` counts */
    uint32_t node;
    mst_value value;
} mst_source;

/* What bytes are that the encoder writes. */
typedef enum mst_span_kind {
    MST_SPAN_VALUE,  /* the field's value */
    MST_SPAN_COUNT,  /* what stands before it: a count, a length, the header of a data set */
    MST_SPAN_HEADER, /* of an archive or a chunk, whatever `field` is */
    MST_SPAN_GAP     /* before or after a block (`field` is NULL) */
} mst_span_kind;
typedef void (*mst_span_function)(void *user, mst_span_kind kind, const mst_field *field, uint64_t offset,
                                  uint64_t length);

typedef struct mst_encode_request {
    const mst_format *format;
    mst_variant variant;
    const mst_plan *plans;
    const mst_allocator *allocator;
    size_t limit;    /* of the output, bytes */
    uint64_t origin; /* where the output will stand in the document: what alignment counts from */
    bool lenient;    /* fields that are missing are zero */
    bool drop;       /* keys of fields that the record has under other conditions are passed over */
    const mst_field *field;
    bool single; /* one element of the field, without its prefix */
    const uint32_t *context;
    mst_source source;
    mst_span_function span; /* gets what each byte of the output is, in order; may be NULL */
    void *span_user;
} mst_encode_request;

/* Why a value does not fit its field. */
typedef struct mst_misfit {
    const char *message;
    char expected[160], found[100]; /* as in a diagnosis */
} mst_misfit;
/* `diagnostic` may be NULL. */
void mst_misfit_to(mst_diagnostic *diagnostic, const mst_misfit *why);
/* The bits of a number, a yes or no, the name of an enum's value, "NaN" and the like, or flags, as the field
 * stores them; false if it does not fit, then `why` says what would. */
bool mst_number_of_json(const mst_field *field, const struct mst_json_node *node, uint64_t *bits,
                        mst_misfit *why);
/* The bits of an integer in decimal or hexadecimal digits; false if it is none, or does not fit the field. */
bool mst_integer_of_text(const mst_field *field, const char *text, size_t length, uint64_t *bits);

/* ---- flags ------------------------------------------------------------------------------------- */

/* All bits that an integer has. */
static inline uint64_t mst_bits_in(const mst_field *field) {
    return UINT64_MAX >> (64 - 8 * mst_kind_width[field->kind]);
}
/* The next flag that has a name, which is taken out of `left`, from item `*next` of the names on; NULL: none
 * of what is left has a name. */
const char *mst_flags_take(const mst_field *field, uint64_t *left, size_t *next);
/* The bits of names and numbers, separated by commas. `old` is what + and - change; NULL: there is nothing.
 */
bool mst_flags_of_text(const mst_field *field, const char *text, size_t length, const uint64_t *old,
                       uint64_t *bits, mst_misfit *why);
/* The same of a string, or of a list of strings and numbers. */
bool mst_flags_of_json(const mst_field *field, const struct mst_json_node *node, const uint64_t *old,
                       uint64_t *bits, mst_misfit *why);

/* Encodes one field; counts, sizes and chunk lengths are made again. The diagnosis has the path below it. */
mst_status mst_encode_field(const mst_encode_request *request, mst_buffer *output,
                            mst_diagnostic *diagnostic);

/* A new document from bytes (parsed, if the format serializes) that the document then owns (taken from its
 * allocator). options->name counts. `as`: the variant; NULL: found out. Its files are not made yet:
 * mst_serialize.
 */
mst_status mst_document_adopt(const mst_format *format, const mst_variant *as, mst_buffer *bytes,
                              const mst_open_options *options, mst_document **document,
                              mst_diagnostic *diagnostic);

/* ---- checks ------------------------------------------------------------------------------------ */

struct mst_checker {
    const mst_document *document;
    const mst_check_options *options;
    mst_report_function report;
    void *user;
    mst_check_result result;
    mst_arena scratch;
    mst_diagnostic *failure;
    void *state; /* the format's, in `scratch` */
};

/* Reports a finding; the severity is that of the code in the format's list. The text fields of `finding`
 * are set by the caller, code and severity here. MST_OK, or what the caller's report returned. */
mst_status mst_checker_report(mst_checker *checker, const char *code, mst_diagnostic *finding);
/* The same as information, whatever the code's severity is: something is missing that would prove it. */
mst_status mst_checker_inform(mst_checker *checker, const char *code, mst_diagnostic *finding);
/* Whether findings of that code are wanted at all. */
bool mst_checker_wants(const mst_checker *checker, const char *code);

#endif
