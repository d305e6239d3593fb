/* SPDX-License-Identifier: MIT */
/*
 * How a format is described: `const` tables of records and fields. Reading, writing, JSON, paths, checks,
 * the ledger and the reference all come from them. docs/ARCHITECTURE.md says how they fit together and how
 * each of the five families maps on them.
 */
#ifndef MST_SCHEMA_SCHEMA_H
#define MST_SCHEMA_SCHEMA_H

#include <mapstone/document.h>
#include <mapstone/image.h>
#include <mapstone/scene.h>
#include <stdbool.h>

typedef struct mst_field mst_field;
typedef struct mst_record mst_record;
typedef struct mst_chunks mst_chunks;
typedef struct mst_format mst_format;

/* What one element is. The order is part of the engine's width table. */
typedef enum mst_kind {
    MST_KIND_RAW = 0, /* bytes, kept */
    MST_KIND_U8,
    MST_KIND_I8,
    MST_KIND_U16,
    MST_KIND_I16,
    MST_KIND_U32,
    MST_KIND_I32,
    MST_KIND_U64,
    MST_KIND_I64,
    MST_KIND_F32,
    MST_KIND_F64,
    MST_KIND_CHAR8,  /* text, ASCII or UTF-8; with MST_COUNT_FIXED padded with NUL */
    MST_KIND_CHAR16, /* text, UTF-16 */
    MST_KIND_RECORD,
    MST_KIND_CHUNKS /* chunks until the end; its cases are fields of the record that it stands in */
} mst_kind;

/* How many elements there are. Text and raw bytes count code units. */
typedef enum mst_count_mode {
    MST_COUNT_ONE = 0,
    MST_COUNT_FIXED,    /* `count` */
    MST_COUNT_PREFIX,   /* an integer of kind `prefix` before them */
    MST_COUNT_VARIABLE, /* context variable `count_variable` plus `count` */
    MST_COUNT_PRODUCT,  /* context variable `count_variable` times context variable `count` */
    MST_COUNT_DATA_SET, /* after u32 bytes of an element and u32 how many; text is one element that ends in
                           NUL */
    MST_COUNT_ARCHIVE,  /* the blocks of an indexed archive */
    MST_COUNT_ALIGN,    /* raw bytes: up to a multiple of `count` from the file's start, or to the end */
    MST_COUNT_TO_END,   /* until the end of what encloses them */
    MST_COUNT_SENTINEL  /* elements of one size, as many as fit before the first that `ends` the list */
} mst_count_mode;

/*
 * Registers carry numbers from where they are read to where they decide something: a field with `bind`
 * stores its value, conditions and counts read it. A record starts with the context variables of what
 * encloses it and leaves those untouched. Register 0 is the version, the last two are whether the file is
 * big-endian and its layout; they are set before anything is read. With `transform` it is not the value that
 * is stored but what that makes of it: many values may stand for one condition.
 */
#define MST_VARIABLES        18
#define MST_VARIABLE_VERSION 0
#define MST_VARIABLE_BIG     16
#define MST_VARIABLE_LAYOUT  17

typedef enum mst_operator {
    MST_ALWAYS = 0,
    MST_EQUAL,
    MST_NOT_EQUAL,
    MST_AT_LEAST,
    MST_BELOW,
    MST_ANY_BIT, /* context variable & value */
    MST_NO_BIT,
    MST_ONE_OF /* bit number `context variable` of value is set; a context variable above 31 never is */
} mst_operator;

typedef struct mst_when {
    uint8_t operation; /* mst_operator */
    uint8_t variable;
    uint32_t value;
} mst_when;

enum {
    MST_FIELD_BOOL = 1 << 0,       /* 0 no, 1 yes, others are kept and shown as numbers */
    MST_FIELD_DEFAULT = 1 << 1,    /* JSON leaves it out where it is `initial` */
    MST_FIELD_OMIT_EMPTY = 1 << 2, /* raw bytes or lists: JSON leaves them out where they are empty */
    MST_FIELD_BIG = 1 << 3,        /* big-endian whatever the file is */
    MST_FIELD_LITTLE = 1 << 4,     /* little-endian whatever the file is */
    MST_FIELD_FLAGS = 1 << 5,      /* `names` are bits */
    MST_FIELD_HIGH = 1 << 6,       /* CHAR8: bit 7 of every byte is set */
    MST_FIELD_CONTENT = 1 << 7,    /* raw bytes that are understood as a whole (pixels), not just kept */

    /* Sizes. They count from after the last size field of the record; its fields are, in this order, those
     * of the first part, those of the last part, those outside. What is stored is (bytes + `size_bias`) /
     * `size_scale`. */
    MST_FIELD_SIZE = 1 << 8,       /* bytes of the first and the last part */
    MST_FIELD_SIZE_FIRST = 1 << 9, /* bytes of the first part */
    MST_FIELD_SIZE_LAST = 1 << 10, /* bytes of the last part */
    MST_FIELD_LAST = 1 << 11,      /* the field is of the last part */
    MST_FIELD_OUTSIDE = 1 << 12,   /* the field stands after what the sizes cover */

    MST_FIELD_OPTIONAL = 1 << 13, /* there if bytes are left in its part */
    MST_FIELD_SHORT =
        1 << 14, /* a list that may end with its part before its count is reached, and that count */
    MST_FIELD_STOP = 1 << 15, /* a number: if negative, the record ends after it; raw bytes: what follows is
                                 the last part */
    MST_FIELD_REPEATED = 1 << 16,    /* chunk case: any number of chunks, a list */
    MST_FIELD_WITH_HEADER = 1 << 17, /* chunk case: its record begins with the chunk's id and length */
    MST_FIELD_ORIGINAL = 1 << 18     /* raw bytes of an parsed bytes: how something was stored. Left out where
                                      `is_canonical` says that serializing makes the same again */
};
#define MST_FIELD_SIZES (MST_FIELD_SIZE | MST_FIELD_SIZE_FIRST | MST_FIELD_SIZE_LAST)

typedef struct mst_enum_name {
    int64_t value; /* flags: bit number */
    const char *name;
} mst_enum_name;

typedef struct mst_enum {
    const mst_enum_name *items;
    size_t count;
} mst_enum;

/* What the generic check proves of a field's values. */
typedef enum mst_rule_kind { MST_RULE_NONE = 0, MST_RULE_NAMED, MST_RULE_ZERO, MST_RULE_BOOL } mst_rule_kind;
typedef struct mst_rule {
    uint8_t kind; /* NAMED: one of `names`; ZERO: 0; BOOL: 0 or 1 */
    const char *code;
} mst_rule;

/*
 * That a number refers to an element of a list. The checks of it and its words in the reference come from
 * this fact.
 */
typedef enum mst_refers_by {
    MST_BY_INDEX = 0, /* the element's place; places from the list's length on are those of `then` */
    MST_BY_ID,        /* the element's number `key` (of a text the number that it ends in); where the version
                         has no such field, its place */
    MST_BY_BIT /* each bit that is set is such an id; of several numbers the next one goes on counting */
} mst_refers_by;

#define MST_NONES 2
typedef struct mst_refers {
    uint8_t by; /* mst_refers_by */
    /* A path. Its first name is a list (or, if more follows, a record) in one of the records around the
     * number: the nearest whose table has one. Where the file lacks it it is empty; where no table has it, as
     * of what is copied from elsewhere, nothing is said. */
    const char *target;
    const char *then;
    const char *key;
    const char *code; /* of the finding about a number that refers to nothing; NULL: other checks see to it */
    uint32_t none[MST_NONES]; /* values that are meant to refer to nothing: as many as `nones` ... */
    uint8_t nones;
    uint8_t none_from; /* ... from this component on */
    bool apart;        /* BIT: every number of a list counts from 0 */
    bool end_is_none;  /* INDEX: the place after the last one is meant to refer to nothing, too */
    uint32_t mask;     /* the bits of the number that count; 0: all */
    /* NULL: always. Else it is a reference where the number of this name in the same record is (MST_EQUAL) or
     * is not (MST_NOT_EQUAL) `value`. */
    const char *where;
    uint8_t operation; /* mst_operator */
    uint32_t value;
} mst_refers;

struct mst_field {
    const char *name;
    const char *doc;
    const char *unit;
    uint8_t kind;   /* mst_kind */
    uint8_t mode;   /* mst_count_mode */
    uint8_t prefix; /* mst_kind of an unsigned integer */
    uint8_t count_variable;
    uint32_t count;     /* FIXED: elements; REGISTER: added */
    uint8_t bind;       /* context variable + 1; 0: none */
    uint8_t size_scale; /* sizes: bytes that one of it is; 0: 1 */
    uint8_t size_bias;  /* sizes: bytes that they count too, as those before what they cover */
    uint32_t (*transform)(uint32_t value); /* with `bind`; NULL: the value itself */
    uint32_t flags;
    uint32_t initial;      /* with MST_FIELD_DEFAULT */
    const char *length_of; /* this number is the length of the list of this name in the same record ... */
    int32_t length_bias;   /* ... plus this */
    const char *constant;  /* these bytes and no others (CHAR8, FIXED) */
    mst_when when[4];      /* present if all hold ... */
    /* ... and, if it is given, this says so of what was read; an encoder goes by whether there is a value */
    bool (*present)(const mst_document *document, uint64_t offset, uint64_t end, const uint32_t *context);
    /* MST_COUNT_SENTINEL: whether the list ends before the element at `bytes`. NULL: never */
    bool (*ends)(const uint8_t *bytes, bool big);
    const mst_record *record;
    const mst_chunks *chunks;
    const mst_enum *names;
    mst_rule rule;
    const mst_refers *refers; /* `refers_count` facts, of which each element obeys those that apply */
    uint8_t refers_count;
    uint16_t struct_offset, struct_size; /* in the record's public struct; size 0: not in it */
};

struct mst_record {
    const char *name;
    const char *doc;
    const mst_field *fields;
    uint16_t field_count;
    uint16_t index; /* in the format's list of records */
    bool is_inline; /* has one field, which stands for it in paths and JSON */
    bool archive;   /* an indexed archive: its fields are the blocks, in order */
    uint8_t min;    /* archive: how many blocks it has at least (or none at all, if `min` is 0) */
    /* Whether an element of a list of fixed records is a placeholder whose numbers refer to nothing. NULL:
     * never */
    bool (*vacant)(const uint8_t *element);
    uint16_t struct_size; /* of the public struct; 0: none */
};

/* A field that is the content of the chunks of one id, or of several. */
typedef struct mst_case {
    uint32_t id;
    uint32_t any; /* bits of the id that are ignored; then the field is MST_FIELD_WITH_HEADER */
    /* Whether the content is such a field; if not, the chunk is kept as one that is not known. NULL: always.
     */
    bool (*accepts)(const uint8_t *content, uint64_t size, bool big);
    mst_field field;
} mst_case;

/*
 * Chunks: u32 id, u32 length, content. The cases stand in the order that writers use. What has no case, and
 * a second chunk of a case that is not repeated, is kept: `unknown` is a repeated field whose record begins
 * with the id and the length (MST_FIELD_SIZE).
 */
struct mst_chunks {
    const mst_case *cases;
    uint8_t case_count; /* at most 16 */
    bool big;           /* id and length are big-endian whatever the file is; an id is four characters */
    uint8_t align;      /* chunks begin at a multiple of this; 0: anywhere. What is between belongs to the one
                           in front: only records with a field MST_COUNT_ALIGN may be of odd lengths */
    const mst_field *unknown;
};
/* The id of a chunk that has a name: four characters. */
#define MST_NAMED(a, b, c, d) ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))
#define MST_CHUNK_HEADER      8
#define MST_CASES             16

/*
 * Indexed archives: u32 count n, u32 offsets[n + 1] from the archive's first byte (the last one is its end),
 * then the blocks, each at a multiple of MST_BLOCK_ALIGN after zeros. An archive without blocks is eight
 * zero bytes. Odd padding, and an end of an empty archive that is not 0, are kept: in JSON as "$gaps" and
 * "$end". A data set without records whose element size is not 0 is {"$stride": n} there. The last padding of
 * a root may be missing:
 * "$cut".
 */
#define MST_BLOCK_ALIGN 8

/* Problems that the engine itself finds; each format gives them its codes. */
typedef enum mst_problem {
    MST_PROBLEM_MAGIC = 0,
    MST_PROBLEM_VERSION,
    MST_PROBLEM_OVERRUN,  /* a field or chunk runs past the end of what encloses it */
    MST_PROBLEM_STRING,   /* a string does */
    MST_PROBLEM_COUNT,    /* a list does */
    MST_PROBLEM_TRAILING, /* bytes are left over */
    MST_PROBLEM_OFFSET,   /* an archive's offsets make no sense */
    MST_PROBLEM_ROOT,     /* the root archive has fewer or more blocks than it should */
    MST_PROBLEM_BLOCKS,   /* another archive has another number of blocks than it should */
    MST_PROBLEM_STRIDE,   /* a data set's elements have another size */
    MST_PROBLEM_TEXT,     /* a text's data set is not one element */
    MST_PROBLEM_NESTING,  /* records within records, more than a file of its size should have */
    MST_PROBLEMS
} mst_problem;

typedef struct mst_variant {
    uint32_t version;
    bool big;
    uint8_t layout; /* index into the format's layouts */
} mst_variant;

typedef struct mst_checker mst_checker;
typedef struct mst_item mst_item;

/*
 * Files that tables cannot say (packed, full of bit streams, or two that are one: a table of offsets and what
 * it points into) are *parsed* when they are opened: `parse` makes one stream of bytes that the tables do
 * say, `serialize` makes the files of it again. Everything above sees the parsed bytes alone. What
 * serializing would not give back (odd packing, gaps) is kept in fields of it that are MST_FIELD_ORIGINAL.
 */
#define MST_FILES_MAX 2
typedef struct mst_file_view {
    const uint8_t *data;
    size_t size;
} mst_file_view;

struct mst_format {
    mst_format_information information;
    const mst_record *root;
    const mst_record *const *records; /* all, each at its index */
    size_t record_count;
    const char *version_field; /* in the root record; NULL: `variant_version` always */
    uint32_t variant_version;
    bool variant_big;       /* the default byte order */
    bool either_order;      /* files of both are written */
    const char *order_loss; /* what converting to the other one leaves undone, to be allowed; NULL: nothing */
    /* Whether the first bytes of a file are of this format, and which variant. `damaged` names the problem
     * if they are, but the version is not known; else it is left alone. */
    bool (*probe)(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                  mst_variant *variant);
    bool (*version_known)(uint32_t version);
    const char *const
        *layouts; /* names of the forms that one version may have, the default one first; NULL */
    uint8_t layout_count;
    /* After opening failed: changes the variant to one that is to be tried instead; false if there is none.
     */
    bool (*fallback)(mst_variant *variant);
    /* What only the whole file tells of the variant; NULL: nothing. MST_DAMAGED with a diagnosis stops it
     * from opening. */
    mst_status (*resolve_variant)(const uint8_t *bytes, size_t size, mst_variant *variant,
                                  mst_diagnostic *diagnostic);
    /* The bytes of a damaged file without what cannot be read, told to options->report. MST_UNSUPPORTED:
     * nothing can be done. */
    mst_status (*salvage)(const uint8_t *bytes, size_t size, mst_variant variant,
                          const mst_open_options *options, mst_buffer *repaired);
    /* After an edit, or when another name was given: changes in place what follows from what was edited
     * (`bytes` are those of `after`; nothing may move). NULL: nothing does. */
    void (*fix_up)(const mst_document *before, const mst_document *after, uint8_t *bytes);
    /* A number of the root that follows from all the rest and from the file's name, and what it should be;
     * false if that is not known. NULL: there is none. `fix_up` keeps it right after edits. */
    const char *computed_field;
    bool (*compute)(const mst_document *document, uint32_t *number);
    const char *problem_codes[MST_PROBLEMS];
    const mst_code_information *codes;
    size_t code_count;
    const char *nonfinite_code; /* NULL: NaN and infinity are ignored */
    /* The document in another version; `bytes` are those of the result, hashes may be left to `fix_up`. NULL:
     * there is no way. */
    mst_status (*convert)(const mst_document *document, const mst_convert_options *options,
                          mst_report_function report, void *user, mst_buffer *bytes,
                          mst_diagnostic *diagnostic);
    /* Unpacks what is in a value; the result is read in that variant. */
    mst_status (*unpack)(const mst_value *value, mst_buffer *bytes, mst_variant *variant,
                         mst_diagnostic *diagnostic);
    mst_status (*describe)(const mst_document *document, const char *what, mst_sink sink,
                           mst_diagnostic *diagnostic);
    /* The format's own checks, after the walk for the tables' rules. What is told best along with that walk,
     * as most of a file may be of it, goes to `check_item` (lists of texts are not looked into), before
     * which `check_begin` sets checker->state. */
    mst_status (*check_begin)(mst_checker *checker);
    mst_status (*check_item)(mst_checker *checker, const mst_item *item);
    mst_status (*check)(mst_checker *checker);
    mst_status (*scene)(const mst_document *document, const mst_scene_options *options, mst_scene **scene,
                        mst_diagnostic *diagnostic);
    /* Pictures in the file, as mapstone/image.h has it: all three hooks, or none. */
    size_t (*image_count)(const mst_document *document);
    mst_status (*image_read)(const mst_document *document, size_t index, mst_pixels *pixels, char *name,
                             mst_diagnostic *diagnostic);
    mst_status (*image_replace)(mst_document *document, size_t index, const mst_pixels *pixels,
                                mst_diagnostic *diagnostic);
    /* Writes one JSON value that stands as "$content" in a document's JSON: what a text says. Reading passes
     * over it. */
    mst_status (*annotate)(const mst_document *document, mst_sink sink, mst_diagnostic *diagnostic);
    /* In place of `scene`, where several documents may make one level. */
    mst_status (*scene_of_many)(const mst_document *const *documents, size_t count,
                                const mst_scene_options *options, mst_scene **scene,
                                mst_diagnostic *diagnostic);
    /* Parsed files. */
    uint8_t file_count; /* 0: the bytes are the file's; 1: one file that is parsed; 2: two */
    /* Which of the two files is called so (0: the one that the document is named by), and the name that the
     * other then has at the `attempt`th try; -1: there is no further one. */
    int (*sidecar)(const char *name, unsigned attempt, char *other, size_t capacity);
    const mst_format *alone[MST_FILES_MAX]; /* what a file is whose partner is not there: a format that does
                                                not serialize */
    /* The parsed bytes may take `limit` bytes: more is MST_NO_MEMORY. */
    mst_status (*parse)(const mst_format *format, const mst_file_view *files, uint64_t limit,
                        mst_buffer *bytes, mst_diagnostic *diagnostic);
    /* MST_REFUSED: the files have no room for it. */
    mst_status (*serialize)(const mst_format *format, const uint8_t *bytes, size_t size, mst_buffer *files,
                            mst_diagnostic *diagnostic);
    /* Whether the field MST_FIELD_ORIGINAL at `offset`, in a record up to `end`, says only what serializing
     * does.
     */
    bool (*is_canonical)(const mst_format *format, const uint8_t *bytes, uint64_t offset, uint64_t end);
    const void *serializing; /* for these hooks: what several formats have in common is told by it */
    /* Where a place of the parsed bytes is for those who read findings: in the file, or in what is packed in
     * it; MST_NO_OFFSET: nowhere. NULL: no place is anywhere. */
    uint64_t (*locate)(const uint8_t *bytes, uint64_t size, uint64_t offset);
    /* The file that says something about documents of this format (how large they are), and a way to make it
     * say what is so now: MST_OK, or MST_NO_PATH if it does not speak of this one. NULL: there is none. */
    const char *index_file;
    mst_status (*update_index)(const mst_document *document, mst_document *other, mst_diagnostic *diagnostic);
    const char *reference; /* Markdown that stands at the head of the reference */
};

/* All formats; NULL ends the list. */
extern const mst_format *const mst_formats[];

/* ---- writing tables ---------------------------------------------------------------------------- */

#define MST_COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* A value that is only one if the condition holds when it is compiled. */
#define MST_ASSERTED(condition, value)                                                                       \
    ((value) + 0 * sizeof(struct {                                                                           \
                   _Static_assert(condition, "the table and the public struct differ");                      \
                   int unused;                                                                               \
               }))

#define MST_WIDTH_OF_U8  1
#define MST_WIDTH_OF_U32 4
#define MST_WIDTH_OF_F32 4

/* A field that also is a member of a public struct. */
#define MST_SCALAR(type, member, KIND)                                                                       \
    .name = #member, .kind = MST_KIND_##KIND, .struct_offset = offsetof(type, member),                       \
    .struct_size = MST_ASSERTED(sizeof(((type *)0)->member) == MST_WIDTH_OF_##KIND, MST_WIDTH_OF_##KIND)
#define MST_VECTOR(type, member, KIND, n)                                                                    \
    .name = #member, .kind = MST_KIND_##KIND, .mode = MST_COUNT_FIXED, .count = (n),                         \
    .struct_offset = offsetof(type, member),                                                                 \
    .struct_size =                                                                                           \
        MST_ASSERTED(sizeof(((type *)0)->member) == (n)*MST_WIDTH_OF_##KIND, (n)*MST_WIDTH_OF_##KIND)
#define MST_PREFIXED .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U32
#define MST_FROM(n)                                                                                          \
    { MST_AT_LEAST, MST_VARIABLE_VERSION, (n) }
#define MST_UNTIL(n)                                                                                         \
    { MST_BELOW, MST_VARIABLE_VERSION, (n) }

#endif
