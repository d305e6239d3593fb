/* SPDX-License-Identifier: MIT */
/*
 * Format descriptions: `const` tables of records and fields. Reading, writing, JSON, paths, checks, the
 * ledger and the reference are all driven by them. README.md explains how they fit together, and SHAPES.md
 * how to describe each shape of format.
 */
#ifndef MST_TABLES_SCHEMA_H
#define MST_TABLES_SCHEMA_H

#include "../core/arena.h"
#include <mapstone/asset.h>
#include <mapstone/document.h>
#include <mapstone/image.h>
#include <mapstone/scene.h>
#include <mapstone/sprites.h>
#include <stdbool.h>

typedef struct mst_field mst_field;
typedef struct mst_record mst_record;
typedef struct mst_chunks mst_chunks;
typedef struct mst_format mst_format;
typedef struct mst_bindings mst_bindings;

/* The type of one element. The engine's width table relies on the order. */
typedef enum mst_kind {
    MST_KIND_RAW = 0, /* uninterpreted bytes, preserved */
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
    MST_KIND_CHUNKS /* chunks until the end; the cases are fields of the record that contains it */
} mst_kind;

/* How the number of elements is determined. Text and raw bytes count code units. */
typedef enum mst_count_mode {
    MST_COUNT_ONE = 0,
    MST_COUNT_FIXED,    /* `count` */
    MST_COUNT_PREFIX,   /* an integer of kind `prefix` precedes them */
    MST_COUNT_VARIABLE, /* context variable `count_variable` plus `count` */
    MST_COUNT_PRODUCT,  /* product of the context variables `count_variable` and `count` */
    MST_COUNT_DATA_SET, /* after u32 element size in bytes and u32 element count; text is a single element
                           that ends in NUL */
    MST_COUNT_ARCHIVE,  /* the blocks of an indexed archive */
    MST_COUNT_ALIGN,    /* raw bytes: padding to a multiple of `count` from the file's start, or to the end */
    MST_COUNT_TO_END,   /* until the end of the enclosing data */
    MST_COUNT_SENTINEL  /* fixed-size elements, as many as fit before the first one that `ends` the list */
} mst_count_mode;

/*
 * Context variables carry numbers from the field they are read from to the fields that depend on them: a
 * field with `bind` sets one, conditions and counts use it. A record starts with a copy of the variables of
 * the enclosing record, so what it sets does not reach its parent. Variable 0 is the version, the last two
 * are whether the file is big-endian and its layout; they are set before anything is read. With `transform`,
 * the variable gets the function's result instead of the value, so that several values can share one
 * condition.
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
    MST_ONE_OF /* bit number (context variable) of `value` is set; never true for a variable above 31 */
} mst_operator;

typedef struct mst_when {
    uint8_t operation; /* mst_operator */
    uint8_t variable;
    uint32_t value;
} mst_when;

enum {
    MST_FIELD_BOOL = 1 << 0,       /* 0 no, 1 yes; other values are preserved and shown as numbers */
    MST_FIELD_DEFAULT = 1 << 1,    /* omitted from JSON if it equals `initial` */
    MST_FIELD_OMIT_EMPTY = 1 << 2, /* raw bytes or lists: omitted from JSON if empty */
    MST_FIELD_BIG = 1 << 3,        /* big-endian, whatever the file's byte order */
    MST_FIELD_LITTLE = 1 << 4,     /* little-endian, whatever the file's byte order */
    MST_FIELD_FLAGS = 1 << 5,      /* `names` are names of bits */
    MST_FIELD_HIGH = 1 << 6,       /* CHAR8: bit 7 of every byte is set */
    MST_FIELD_CONTENT = 1 << 7,    /* raw bytes with a known meaning (pixels), not just preserved */

    /* Sizes. They count from the end of the record's last size field. The fields after it are, in this order:
       those of the first part, those of the last part, those outside the sizes. The file holds (bytes +
       `size_bias`) / `size_scale`. */
    MST_FIELD_SIZE = 1 << 8,       /* bytes of the first and the last part together */
    MST_FIELD_SIZE_FIRST = 1 << 9, /* bytes of the first part */
    MST_FIELD_SIZE_LAST = 1 << 10, /* bytes of the last part */
    MST_FIELD_LAST = 1 << 11,      /* the field belongs to the last part */
    MST_FIELD_OUTSIDE = 1 << 12,   /* the field is after the bytes that the sizes cover */

    MST_FIELD_OPTIONAL = 1 << 13, /* present if bytes are left in its part */
    MST_FIELD_SHORT =
        1 << 14, /* a list that may end early, at the end of its part, and the field that counts it */
    MST_FIELD_STOP =
        1 << 15, /* a number: if negative, the record ends after it; raw bytes: the last part follows */
    MST_FIELD_REPEATED = 1 << 16,    /* chunk case: any number of chunks, which form a list */
    MST_FIELD_WITH_HEADER = 1 << 17, /* chunk case: its record begins with the chunk's id and length */
    MST_FIELD_ORIGINAL = 1 << 18,    /* in parsed files: how something was stored in the file. Raw bytes are
                                        omitted if `is_canonical` reports that serializing reproduces them */
    MST_FIELD_SENSE = 1 << 19, /* I16: in values below -1, bit 15 reverses the direction of the number in the
                                 other bits; they are written ~3164 */

    /* Lists, when elements are inserted or removed. */
    MST_FIELD_OWNED = 1 << 20, /* elements are removed with the last reference to them */
    MST_FIELD_SLOTS =
        1 << 21, /* a fixed number in the game: none is inserted, and a removed one becomes `empty` */
    MST_FIELD_APPEND = 1 << 22, /* elements are known by index outside the file: only the last may be removed,
                                  and new ones are appended */
    MST_FIELD_NUMBERED = 1 << 23, /* other files refer to the elements by index: none is inserted or removed
                                     in this one alone */

    MST_FIELD_OWN = 1 << 25,   /* belongs to one element alone: a new one modelled on it has none */
    MST_FIELD_BESIDE = 1 << 24 /* FLAGS: the unnamed bits are a number. It is written as such, alone if no
                                  named bit is set; setting a number keeps the named bits */
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

/* The generic check's requirement for a field's values. */
typedef enum mst_rule_kind { MST_RULE_NONE = 0, MST_RULE_NAMED, MST_RULE_ZERO, MST_RULE_BOOL } mst_rule_kind;
typedef struct mst_rule {
    uint8_t kind; /* NAMED: one of `names`; ZERO: 0; BOOL: 0 or 1 */
    const char *code;
} mst_rule;

/*
 * States that a number refers to an element of a list. The generic checks and the text in the reference are
 * derived from it.
 */
typedef enum mst_refers_by {
    MST_BY_INDEX = 0, /* the element's index; indices from the list's length on continue in `then` */
    MST_BY_ID, /* the element's field `key` (if that is text, the number it ends in); its index where the
                  version lacks the field */
    MST_BY_BIT /* each set bit is such an id; in a list of numbers, bits are counted across the elements */
} mst_refers_by;

/* The role of a field in a file with a directory: see directory_files.h. Those from DIRECTORY_OFFSET on are
 * only in the file: parsed bytes lack them. */
typedef enum mst_directory_role {
    MST_STORED = 0,       /* in the file as the table describes it */
    MST_NOT_STORED,       /* only in the parsed bytes */
    MST_DIRECTORY_OFFSET, /* where the directory begins */
    MST_DIRECTORY_BYTES,  /* its size */
    MST_DIRECTORY_COUNT,  /* or the number of its entries */
    MST_DATA_OFFSET,      /* where the data of an entry begins */
    MST_DATA_SIZE
} mst_directory_role;

#define MST_NONES 2
typedef struct mst_refers {
    uint8_t by; /* mst_refers_by */
    /* A path. Its first name is a list (or, if more follows, a record) in the nearest enclosing record whose
     * table has that name. A list that the file lacks counts as empty; if no enclosing table has the name
     * (shared records), nothing is checked. */
    const char *target;
    const char *then;
    const char *key;
    const char *code;         /* of the finding for a dangling number; NULL: other checks cover it */
    uint32_t none[MST_NONES]; /* `nones` values that mean "no reference" ... */
    uint8_t nones;
    uint8_t none_from; /* ... from this component on */
    bool apart;        /* BIT: counting restarts at 0 in every number of a list */
    bool end_is_none;  /* INDEX: the list's length also means "no reference" */
    uint32_t mask;     /* the bits of the number that are used; 0: all */
    /* NULL: always a reference. Otherwise only if the number of this name in the same record is (MST_EQUAL)
     * or is not (MST_NOT_EQUAL) `value`. */
    const char *where;
    uint8_t operation; /* mst_operator */
    uint32_t value;
    /* Whether the stored number refers to this file; NULL: always. Only for facts without `code`. */
    bool (*about)(const mst_document *document, uint64_t stored);
    /* What happens to the number when the element that it names is removed. Without any of these the removal
     * is refused or, on request, the number becomes `none` or, if there is none, its element is also removed:
     * that of the nearest enclosing list named `owner` (NULL: of the nearest list). */
    const char *owner;
    const char *heir; /* INDEX: it gets the value of the number of this name in the removed element */
    bool carries; /* with `heir`: the chain from the named element on belongs to the element with the number,
                     which is not removed without it */
    bool member;  /* it always becomes `none` or is removed: it only states membership */
    bool run;     /* INDEX: the first of several elements, up to the next number's: it names the next one */
    bool (*ends_run)(const uint8_t *element, bool big); /* marks the last; NULL: runs may be empty */
    /* INDEX, on request: the element, not marked in `gone`, that replaces a removed one for element `element`
     * of the list with the number; UINT64_MAX: none. */
    uint64_t (*instead)(const mst_value *targets, const uint8_t *gone, const mst_value *list,
                        uint64_t element);
} mst_refers;

/* Elements that were inserted into a list together, or removed from it. */
typedef struct mst_several {
    const uint64_t *indices; /* their present or former indices, ascending */
    const size_t *order;     /* the position of each in the order of insertion; NULL: they were removed */
    size_t count;
} mst_several;

/* There are thousands: the order of the members leaves hardly any bytes between them unused. */
struct mst_field {
    const char *name;
    /* For the reference: what the game does with it; its values, in words; and how that is known. NULL: not
     * documented. "Not known" with a reason is a meaning; the name in other words is not. */
    const char *doc;
    const char *range;
    const char *evidence;
    const char *const *meanings; /* of `names`, in their order; NULL: the names are enough */
    const char *unit;
    uint8_t kind;   /* mst_kind */
    uint8_t mode;   /* mst_count_mode */
    uint8_t prefix; /* mst_kind of an unsigned integer */
    uint8_t count_variable;
    uint32_t count;     /* FIXED: elements; VARIABLE: added to the variable */
    uint8_t bind;       /* context variable to set, + 1; 0: none */
    uint8_t size_scale; /* sizes: bytes per unit; 0: 1 */
    uint8_t size_bias;  /* sizes: bytes counted beyond those covered, such as their own */
    uint8_t directory;  /* mst_directory_role */
    uint32_t flags;
    uint32_t (*transform)(uint32_t value); /* with `bind`; NULL: the value itself */
    uint32_t initial;                      /* with MST_FIELD_DEFAULT */
    int16_t length_bias;                   /* this number exceeds by this ... */
    uint8_t refers_count;                  /* of `refers` */
    const char *length_of;                 /* ... the length of the list of this name in the same record */
    const char *total_of; /* JSON may lack it: the number of elements of all lists in this one */
    const char *constant; /* the only allowed bytes (CHAR8, FIXED) */
    mst_when when[4];     /* present if all hold ... */
    /* ... and, if set, if this function returns true for the bytes; the encoder checks whether there is a
     * value */
    bool (*present)(const mst_document *document, uint64_t offset, uint64_t end, const uint32_t *context);
    /* MST_COUNT_SENTINEL: whether the list ends before the element at `bytes`. NULL: never */
    bool (*ends)(const uint8_t *bytes, bool big);
    const mst_record *record;
    const mst_chunks *chunks;
    const mst_enum *names;
    mst_rule rule;
    const mst_refers *refers;   /* facts; each element must satisfy those that apply to it */
    const mst_refers *parallel; /* element i describes element i of the target; NULL: none */
    const char *row; /* with `parallel` to a list of the same record, an archive: the name of its element in
                        the rows of that record, which join the target's elements with the parallel ones */
};

/*
 * An element's placement in its level: paths below it. Selectors (`within`) and the operations that move,
 * turn and scale use it.
 */
#define MST_PLACEMENT_TURNS 7
typedef struct mst_placement_fields {
    const char *position[3]; /* its coordinates: one list of numbers, or numbers, up to the first NULL */
    /* The number that turns it about the vertical, the first of these that it has; a positive turn takes
     * coordinate `from` towards coordinate `to`. */
    const char *turn[MST_PLACEMENT_TURNS];
    uint32_t units; /* angle units in a full turn; 0: radians */
    bool wraps;     /* a full turn of `turn` is the number of values of its type, whatever its width */
    const char *quaternion; /* instead of `turn`: x, y, z, w */
    const char *size;       /* factors */
    const char *low, *high; /* a box around it, relative to its position, which turns with it */
    bool box_scales;        /* and grows with it */
    uint8_t from, to;
    /* The node's axis of each coordinate, plus 1 (0: in order), and units of that in one of its own. */
    uint8_t axes[3];
    float step;
    const char *angles; /* all three: roll, pitch and yaw, about Z, X and Y, yaw last */
} mst_placement_fields;

struct mst_record {
    const char *name;
    const char *doc;
    const mst_field *fields;
    uint16_t field_count;
    uint16_t index; /* position in the format's list of records */
    bool is_inline; /* has a single field, which replaces it in paths and JSON */
    bool pairs;     /* a `name` and a `value`: in paths, the names work like fields of the list */
    bool archive;   /* an indexed archive: its fields are the blocks, in order */
    uint8_t min;    /* archive: the minimum number of blocks; 0: all of them, or none at all */
    /* Not 0: one of many that a value selects. The reference describes it only on demand, with offsets that
     * begin this many bytes before it. */
    uint16_t apart;
    /* Whether an element of a list of fixed-size records only holds a place: its references are not checked.
     */
    bool (*vacant)(const uint8_t *element);
    const uint8_t *empty;                  /* the bytes of a placeholder; NULL: there is none */
    const mst_placement_fields *placement; /* NULL: it has no position */
};

/* A field that is the content of the chunks with one id, or with several. */
typedef struct mst_case {
    uint32_t id;
    uint32_t any; /* bits of the id that are ignored; then the field is MST_FIELD_WITH_HEADER */
    /* Whether the content is valid for the field; if not, the chunk is preserved as an unknown one. NULL:
     * always. */
    bool (*accepts)(const uint8_t *content, uint64_t size, bool big);
    uint32_t needed_from;       /* the first version whose files have it, if empty: lenient JSON gets it */
    const char *needed_without; /* only if this list of the record has no elements; NULL: always */
    mst_field field;
} mst_case;

/*
 * Chunks: u32 id, u32 length, content. The cases are in the order that writers use. Chunks without a case,
 * and a second chunk of a case that is not repeated, are preserved in `unknown`: a repeated field whose
 * record begins with the id and the length (MST_FIELD_SIZE).
 */
struct mst_chunks {
    const mst_case *cases;
    uint8_t case_count; /* at most MST_CASES */
    bool big; /* id and length are big-endian, whatever the file's byte order; an id is four characters */
    uint8_t
        align; /* chunks begin at a multiple of this; 0: anywhere. The padding belongs to the chunk before it:
                  only records with a field MST_COUNT_ALIGN may have lengths that are not a multiple */
    const mst_field *unknown;
};
/* The id of a chunk named by four characters. */
#define MST_NAMED(a, b, c, d) ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))
#define MST_CHUNK_HEADER      8
#define MST_CASES             18

/*
 * Indexed archives: u32 count n, u32 offsets[n + 1] from the archive's first byte (the last one is its end),
 * then the blocks, each padded with zeros to a multiple of MST_BLOCK_ALIGN. An archive without blocks is
 * eight zero bytes. Unusual padding, and a nonzero end of an empty archive, are preserved: in JSON as "$gaps"
 * and "$end". An empty data set whose element size is not 0 is {"$stride": n} in JSON. The last padding of a
 * root archive may be missing: "$cut".
 */
#define MST_BLOCK_ALIGN 8

/* Problems that the engine itself finds; each format assigns its codes to them. */
typedef enum mst_problem {
    MST_PROBLEM_MAGIC = 0,
    MST_PROBLEM_VERSION,
    MST_PROBLEM_OVERRUN,  /* a field or chunk runs past the end of the enclosing data */
    MST_PROBLEM_STRING,   /* a string runs past it */
    MST_PROBLEM_COUNT,    /* a list runs past it */
    MST_PROBLEM_TRAILING, /* bytes are left over */
    MST_PROBLEM_OFFSET,   /* an archive's offsets are not valid */
    MST_PROBLEM_ROOT,     /* the root archive has the wrong number of blocks */
    MST_PROBLEM_BLOCKS,   /* an archive below the root has the wrong number of blocks */
    MST_PROBLEM_STRIDE,   /* a data set's elements have the wrong size */
    MST_PROBLEM_TEXT,     /* a text's data set is not one element */
    MST_PROBLEM_NESTING,  /* records are nested deeper than a file of this size should need */
    MST_PROBLEM_REST,     /* too few bytes are left for another chunk; without a code: OVERRUN */
    MST_PROBLEMS
} mst_problem;

/* All codes of a format, including those of its problems. */
#define MST_DANGLING(...) ((const char *const[]){__VA_ARGS__, NULL}) /* of a constant format */
typedef struct mst_codes {
    const mst_code_information *items;
    size_t count;
} mst_codes;
#define MST_CODES(array)                                                                                     \
    { (array), MST_COUNT_OF(array) }

typedef struct mst_variant {
    uint32_t version;
    bool big;
    uint8_t layout; /* index into the format's layouts */
} mst_variant;

typedef struct mst_checker mst_checker;
typedef struct mst_item mst_item;

/*
 * Files that tables cannot describe (packed, made of bit streams, or split in two: a table of offsets and the
 * data it points into) are *parsed* when they are opened: `parse` turns them into one stream of bytes that
 * the tables do describe, `serialize` turns that into the files again. All other code sees the parsed bytes
 * only. What serializing would not reproduce (unusual packing, gaps) is preserved in fields with
 * MST_FIELD_ORIGINAL.
 */
#define MST_FILES_MAX 2
struct mst_parsed_writer;
struct mst_output;
struct mst_renumbering;
struct mst_together;
struct mst_name_use;
struct mst_json;
struct mst_added;
struct mst_carried_steps;
struct mst_operation;
struct mst_edit_options;
typedef struct mst_file_view {
    const uint8_t *data;
    size_t size;
} mst_file_view;

/*
 * A format: its tables, and hooks for what tables cannot express, grouped by purpose. Every hook may be NULL
 * except `identity.probe`.
 */
/* Where a file belongs in a level of many files. */
typedef struct mst_part_place {
    int32_t level, x, y;
} mst_part_place;

/* A field's values in files, in words: as `range` and `evidence` of a field. */
typedef struct mst_seen {
    char range[64], evidence[96];
} mst_seen;

/*
 * How two documents are compared (mapstone/diff.h). By default lists are sequences, or grids if the number of
 * elements is fixed or others refer to them by index; parallel lists follow their target; pairs are matched
 * by name.
 */
typedef enum mst_compare_as {
    MST_AS_SEQUENCE = 0, /* order matters */
    MST_AS_SET,          /* order is irrelevant */
    MST_AS_GRID,         /* an element is identified by its index */
    MST_AS_PARTS,        /* a set of parts of elements of other lists: only those elements matter */
    MST_AS_WHOLE,        /* a value that people see as one, whatever it consists of */
    MST_AS_DIRECTED, /* a number that names an element with two ends, `keys[0]`: its begin and its end; the
                        number `keys[1]` next to it reverses it */
    MST_AS_DERIVED,  /* the list or value is computed from others */
    MST_AS_VIEW      /* editor state */
} mst_compare_as;
#define MST_COMPARED_PATHS 4
typedef struct mst_compared {
    const char *record, *field; /* by their names in the tables */
    uint8_t as;                 /* mst_compare_as */
    /* Of an element, paths below it up to the first NULL ("" is the element itself): */
    const char *keys[MST_COMPARED_PATHS];  /* what identifies it, all together, unless a text is empty */
    const char *kind[MST_COMPARED_PATHS];  /* its type */
    const char *place[MST_COMPARED_PATHS]; /* where it is; the first one may be three coordinates */
    const char *moved[MST_COMPARED_PATHS]; /* other values that change when it is moved */
    float near;   /* the farthest that the nearest of its kind may be to be the same, moved; 0: no search */
    bool unnamed; /* of several with an empty or the same key, the remaining ones are also matched */
    bool shares;  /* it is the same, reshaped, as one that shares half of its parts */
    bool part;    /* PARTS: parts of the elements that refer to them, not just something shared */
    /* A list whose elements have two ends, by its path in the enclosing record, and the path of these: an
     * element is the same one, moved, if most of its linked elements are the same. */
    const char *links, *ends;
} mst_compared;

/* When elements of a list cannot be inserted or removed, and the section of the description about it. */
typedef struct mst_listed {
    const char *record, *list; /* by their names in the tables; `list` NULL: all lists of the record */
    /* In words: the text after "refused where", or the whole text about the list if it begins with "refused"
     * or "add". NULL: as the tables specify. */
    const char *limits;
    const char *section;
} mst_listed;

/* Takes the name of a file as stored in the document. */
typedef mst_status (*mst_take_name)(void *taker, mst_asset_kind kind, const char *name, size_t length,
                                    const char *path);

/* A hook of the tables as an expression, for descriptions in languages that cannot call it: in Kaitai
 * Struct's expression language. $ is the element or the number, @ the remaining bytes. */
typedef struct mst_expression {
    bool (*present)(const mst_document *document, uint64_t offset, uint64_t end, const uint32_t *context);
    bool (*ends)(const uint8_t *bytes, bool big);
    uint32_t (*transform)(uint32_t value);
    const char *text;
    const char *unknown; /* where that cannot be expressed; NULL: nowhere */
    const char *ahead;   /* a type to read ahead at this place, as %; NULL: none */
} mst_expression;

/* The size of a stream that has not been read to its end: more than any file's. */
#define MST_SIZE_UNKNOWN ((uint64_t)INT64_MAX)

/*
 * Optional groups of hooks: each format points to those that it needs (NULL: none of the group), and leaves
 * out unused members.
 */

/* Hooks for content. */
typedef struct mst_special_content {
    /* The bytes of a damaged file without the unreadable parts, which are reported to options->report.
     * MST_UNSUPPORTED: nothing can be salvaged. */
    mst_status (*salvage)(const uint8_t *bytes, size_t size, mst_variant variant,
                          const mst_open_options *options, mst_buffer *repaired);
    /* Unpacks the file that a value contains, and determines its variant. */
    mst_status (*unpack)(const mst_value *value, mst_buffer *bytes, mst_variant *variant,
                         mst_diagnostic *diagnostic);
    mst_status (*look_up)(const mst_value *element, const char *column, const mst_resolver *sidecars,
                          char *text, size_t capacity); /* mst_added_column; `sidecars` may be NULL */
    /* Writes one JSON value that becomes "$content" in a document's JSON: a text in structured form.
     * Reading ignores it. */
    mst_status (*annotate)(const mst_document *document, struct mst_output *out);
    /* A guess at the meaning of raw bytes, in words, for people (mst_guess_content); false: no guess. */
    bool (*guess)(const mst_value *value, char *words, size_t capacity);
} mst_special_content;

/* Consequences of inserting, removing and changing elements. */
typedef struct mst_edit_hooks {
    /* After an element of a list was inserted (`by` 1) or removed (-1) at `index`: rewrites in place the
     * values that depend on its index, beyond mst_refers (`bytes` are those of `after`). Returns the reason
     * if the edit is refused, else NULL. `by` 0: whether elements may be reordered at all (`bytes` are
     * NULL). */
    const char *(*renumber)(const mst_value *list, const mst_document *after, uint64_t index, int by,
                            uint8_t *bytes);
    /* Elements are inserted and removed one by one: the files may then hold others than the edit made. */
    bool one_by_one;
    /* Whether inserting an element (`by` 1; `last`: after all others) or removing one (-1; `last`: the last)
     * must be a separate step, because `renumber` examines it. NULL: always, in formats with `renumber`. */
    bool (*alone)(const mst_value *list, int by, bool last);
    /* As `renumber`, for several for which `alone` is false; `list`: before the change. */
    mst_status (*renumber_all)(const mst_value *list, const mst_document *after, const mst_several *several,
                               uint8_t *bytes);
    /* The hooks above give a copy its own id. */
    bool numbers_copies;
    /* After all operations: brings their result into order, by edits of `after`. `options` NULL: after a
     * merge, or a patch of another document. */
    mst_status (*settle)(const mst_document *before, mst_document *after,
                         const struct mst_edit_options *options, mst_diagnostic *diagnostic);
    /* Whether setting the value at a path may change others: then `resize` and `settle` are called for it. */
    bool (*reaches)(const char *path);
    /* Sets a value that determines the number of others, and adjusts those. MST_UNSUPPORTED: it is an
     * ordinary value. NULL: there are none. */
    mst_status (*resize)(mst_document *document, const struct mst_operation *operation,
                         const struct mst_edit_options *options, mst_diagnostic *diagnostic);
    /* Moves all elements of a grid to the cells of their positions; NULL: there is no grid. */
    mst_status (*refile)(mst_document *document, mst_diagnostic *diagnostic);
    /* The row in a parallel list for an inserted element, as JSON in the arena; `json` unchanged: empty. */
    mst_status (*row)(const mst_value *element, const mst_field *rows, mst_arena *arena, const char **json);
    /* Visits how elements of `names_list` name each other: one, or all (UINT64_MAX); edit/renames.h. */
    mst_status (*names)(const mst_value *list, uint64_t element,
                        mst_status (*visit)(void *user, const struct mst_name_use *one), void *user);
    const char *names_list; /* at the root */
    /* After an element was inserted into a list of that path: sets the data about it in other lists. */
    mst_status (*fill)(mst_document *document, const mst_field *list, const char *path, uint64_t index,
                       mst_diagnostic *diagnostic);
    /* The optional root field that an insertion into the list, or a removal, voids; NULL: none. */
    const char *(*voids)(const mst_value *list);
} mst_edit_hooks;

/* The content of new elements. */
typedef struct mst_add_hooks {
    /* The index of an added element, if its JSON states it by a member that is not a field (the cell of a
     * quad), which is removed from the JSON. NULL: it is added at the end of its list. */
    mst_status (*place)(const mst_document *document, struct mst_added *added, mst_arena *arena,
                        mst_diagnostic *diagnostic);
    /* Before elements given as JSON in the format's own short form are inserted: replaces it with the tables'
     * JSON, in the arena, in the order of insertion. May edit other lists of the document, if `expands`
     * (NULL: none does) returns MST_OK for the JSON; MST_UNKNOWN: not a short form; else the error. */
    mst_status (*expand)(mst_document *document, const char *list, const char **json, size_t count,
                         mst_arena *arena, mst_diagnostic *diagnostic);
    mst_status (*expands)(const char *list, const char *json, mst_arena *arena, mst_diagnostic *diagnostic);
    /* JSON of an element if the list has none to model it on; NULL: all zeros. */
    const char *(*blank)(const mst_document *document, const mst_field *list);
    /* JSON of a new element of that kind as a schema describes it, in the arena; `json` is unchanged if the
     * schema does not. `given` is the content that the element gets anyway; NULL: not known, and `kind` may
     * be any name in the schema. NULL: there are no schemas. */
    mst_status (*from_schema)(const mst_document *document, const mst_field *list, const char *kind,
                              const struct mst_json *given, const mst_check_options *schema, mst_arena *arena,
                              const char **json, mst_diagnostic *diagnostic);
    /* The same, modelled on such elements of other levels, if this one has none; `kind` NULL: the kinds'
     * names, separated by blanks. MST_ARGUMENT: `given` lacks a value that the game needs. NULL: kinds do not
     * differ. */
    mst_status (*of_class)(const mst_field *list, const char *kind, const struct mst_json *given,
                           mst_arena *arena, const char **json, mst_diagnostic *diagnostic);
    /* JSON of a pair of that name, in the arena; NULL: unknown. */
    const char *(*pair)(const char *name, mst_arena *arena);
} mst_add_hooks;

/* Elements defined by their parts, such as the faces of a mesh. */
typedef struct mst_mesh_hooks {
    /* Moves, turns or scales elements whose position is that of their parts, several as one. MST_UNSUPPORTED:
     * these are not such elements. NULL: there are none. */
    mst_status (*move_together)(const struct mst_together *what, mst_diagnostic *diagnostic);
    /* The geometry of an element of the list at a path: JSON without numbers that name elements of other
     * lists, in the arena. `json` is unchanged if it has none. NULL: none has. */
    mst_status (*geometry)(const char *list, const mst_value *element, uint64_t index, mst_arena *arena,
                           const char **json);
    /* Translates steps of a patch about such elements for another document (patch_step.h). NULL: there is no
     * `geometry`. */
    mst_status (*carry)(struct mst_carried_steps *what);
    /* The document's bytes with the content of another one; reports omitted parts. MST_UNSUPPORTED: that
     * format cannot be pasted. NULL: none can. */
    mst_status (*paste)(const mst_document *document, const mst_document *content,
                        const struct mst_edit_options *options, mst_buffer *bytes,
                        mst_diagnostic *diagnostic);
} mst_mesh_hooks;

/* Files that belong together, and name each other's elements. */
typedef struct mst_set_rules {
    /* Before an element is inserted into or removed from a list that is MST_FIELD_NUMBERED: changes the other
     * files of its group. NULL: that is refused, and `numbered_by` states where it is possible. */
    mst_status (*renumber_files)(const struct mst_renumbering *what, mst_diagnostic *diagnostic);
    const char *numbered_by;
    /* The index of the element that numbers in other files count from, in the list of `renumber_files`. NULL:
     * the first one. */
    uint64_t (*numbers_begin)(const mst_document *document);
    /* A value with numbers by which the format's files refer to elements of a list in others. NULL: none. */
    struct {
        const char *value, *list; /* by their names in the tables */
    } names_elsewhere;
    /* The file that records facts about documents of this format (such as their sizes), and a function that
     * updates it: MST_OK, or MST_NO_PATH if it has no entry for this document. */
    const char *index_file;
    mst_status (*update_index)(const mst_document *document, mst_document *other, mst_diagnostic *diagnostic);
} mst_set_rules;

/* A number in the root record that is computed from the rest of the file and from its name (such as a hash),
 * and its correct value; false if that is not known. `fix_up` keeps it correct after edits. */
typedef struct mst_computed {
    const char *field;
    bool (*compute)(const mst_document *document, uint32_t *number);
} mst_computed;

/* Other versions, byte orders and formats. */
typedef struct mst_conversion {
    bool either_order;      /* files of both byte orders can be written */
    const char *order_loss; /* data that converting to the other order loses, which the user must allow */
    /* Converts the document to another version, and reports content that the version cannot store, which the
     * caller must allow; hashes of the result may be left to `fix_up`. */
    mst_status (*convert)(const mst_document *document, const mst_convert_options *options,
                          mst_report_function report, void *user, mst_buffer *bytes,
                          mst_diagnostic *diagnostic);
    /* The id of a format that documents can be converted to, and the conversion; NULL: there is none. */
    const char *other;
    mst_status (*to_other)(const mst_document *document, const mst_convert_options *options,
                           mst_report_function report, void *user, mst_buffer *bytes,
                           mst_diagnostic *diagnostic);
} mst_conversion;

/* Instead of `build_scene` if several documents may form one level; `place` then derives from a file's name
 * which level it is a part of, and where. */
typedef struct mst_parts_scene {
    mst_status (*build)(const mst_document *const *documents, size_t count, const mst_scene_options *options,
                        mst_scene **scene, mst_diagnostic *diagnostic);
    bool (*place)(const char *name, mst_part_place *place);
    /* The level as the game shows it: see mapstone/sprites.h. */
    mst_status (*sprites)(const mst_document *const *documents, size_t count,
                          const mst_sprites_options *options, mst_sprites **sprites,
                          mst_diagnostic *diagnostic);
} mst_parts_scene;

/* Images in the file (mapstone/image.h). */
typedef struct mst_images {
    size_t (*count)(const mst_document *document);
    mst_status (*read)(const mst_document *document, size_t index, size_t level, mst_pixels *pixels,
                       char *name, mst_diagnostic *diagnostic);
    mst_status (*replace)(mst_document *document, size_t index, const mst_pixels *pixels,
                          mst_diagnostic *diagnostic);
    /* The number of mip levels that `read` can give, the image included. NULL: each image has one. */
    size_t (*levels)(const mst_document *document, size_t index);
    /* The palette of indexed images that have it in another file; false: not found. NULL: their own. */
    bool (*colors)(const mst_document *document, const mst_resolver *sidecars, uint8_t palette[256][4]);
} mst_images;

/* Checks of most of a file during the walk for the tables' rules (but not of elements of lists of texts):
 * `begin` sets checker->state, then `item` gets at least the leaves in `wants`, and their enclosing
 * values. */
typedef struct mst_item_checks {
    mst_status (*begin)(mst_checker *checker), (*item)(mst_checker *checker, const mst_item *item);
    bool (*wants)(const mst_field *field);
} mst_item_checks;

/* A member of one of these; 0 if the format does not have it. */
#define MST_OPTION(group, member) ((group) ? (group)->member : 0)

struct mst_format {
    mst_format_information information;
    struct {
        const mst_record *root;
        const mst_record *const *records; /* all of them, each at its `index` */
        size_t record_count;
        const mst_bindings *const *bindings; /* all of them, see binding.h */
        size_t bindings_count;
        const mst_compared *compared;      /* up to one without a record; NULL: there are none */
        const mst_listed *listed;          /* up to one without a record; NULL: there are none */
        const mst_expression *expressions; /* of hooks, up to one without a text; NULL: there are none */
        const char *expression_types;      /* that they read ahead; NULL: there are none */
        const char *introduction;          /* Markdown at the top of the reference */
        const char *in_files[6]; /* its sections about files, as far as the tables cannot say; then NULL */
        const char *relations;   /* Markdown: references beyond mst_refers, also to other files; NULL: none */
        const char *sources;     /* Markdown: where the facts come from, with links; NULL: none */
        /* For the records that a number selects (such as `apart` ones): the values of the field at this
         * offset of such an element in the examined files. False: not known. NULL: never. */
        bool (*seen)(uint32_t number, const mst_field *field, uint32_t offset, mst_seen *seen);
    } tables;

    /* The identity of a file: its format and variant. */
    struct {
        const char *version_field;  /* in the root record; NULL: always `version` */
        uint32_t version;           /* the default one */
        bool big;                   /* the default byte order */
        const char *const *layouts; /* names of the layouts that one version may have, the default first */
        uint8_t layout_count;
        /* Whether a file that begins with these bytes is of this format, and of which variant. Sets the
         * version of a format without magic even if not: the caller may name the format. `file_size`
         * MST_SIZE_UNKNOWN: whether a file of some size above `size` may be. */
        bool (*probe)(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                      mst_variant *variant);
        bool (*version_known)(uint32_t version);
        /* After opening failed: changes the variant to the next one to try; false if there is none. */
        bool (*fallback)(mst_variant *variant);
        /* Completes the variant from the entire file; NULL: `probe` is enough. MST_DAMAGED with a diagnostic
         * rejects the file. */
        mst_status (*resolve_variant)(const uint8_t *bytes, size_t size, mst_variant *variant,
                                      mst_diagnostic *diagnostic);
    } identity;

    /* Files that are parsed into one stream of bytes, and serialized again. */
    struct {
        uint8_t count; /* 0: the tables describe the file itself; else 1 or 2 files are parsed */
        /* Which of the two files has this name (0: the one that names the document), and the name to try for
         * the other at attempt `attempt`; -1: there are no more. */
        int (*sidecar)(const char *name, unsigned attempt, char *other, size_t capacity);
        const mst_format
            *alone[MST_FILES_MAX]; /* the format of a file whose sidecar is missing: one without `parse` */
        /* Writes the parsed bytes through `parsed` (parsed.h), which records where they come from. Offsets in
         * the diagnostic are in the first file, unless mst_parsed_blame was called. */
        mst_status (*parse)(const mst_format *format, const mst_file_view *files,
                            struct mst_parsed_writer *parsed, mst_diagnostic *diagnostic);
        /* MST_REFUSED: the content does not fit into the files. */
        mst_status (*serialize)(const mst_format *format, const uint8_t *bytes, size_t size,
                                mst_buffer *files, mst_diagnostic *diagnostic);
        /* Whether the MST_FIELD_ORIGINAL field at `offset`, in a record that ends at `end`, only repeats what
         * serializing produces anyway. */
        bool (*is_canonical)(const mst_format *format, const uint8_t *bytes, uint64_t offset, uint64_t end);
        const void *parameters; /* of these hooks, which several formats share */
    } files;

    /* The content of values, beyond the tables. */
    struct {
        /* mst_describe; `sidecars` may be NULL */
        mst_status (*describe)(const mst_document *document, const char *what, const mst_resolver *sidecars,
                               mst_sink sink, mst_diagnostic *diagnostic);
        /* Passes each file that the document names, directly or through `sidecars` (may be NULL), to `take`,
         * with the path of the value: mst_assets_of. Stops with the status of `take` if that is not MST_OK,
         * and with MST_DAMAGED if the document opened but lacks the content that its kind of file is for. */
        mst_status (*names)(const mst_document *document, const mst_resolver *sidecars, mst_take_name take,
                            void *taker);
        const mst_special_content *special;
    } content;

    /* The format's own checks. `check` runs after the walk for the tables' rules. */
    struct {
        const char *problem_codes[MST_PROBLEMS];
        const mst_codes *codes;
        /* The codes of findings about loops, runs, counts and names that lead nowhere, beyond those of facts:
         * an edit that causes a new one is refused. Ends with NULL; NULL: there are none. */
        const char *const *dangling;
        const struct mst_fix_rule *fixes; /* fix.h, up to one without a code; NULL: none */
        const char *nonfinite_code;       /* NULL: NaN and infinity are ignored */
        const mst_item_checks *items;
        mst_status (*check)(mst_checker *checker);
    } check;

    /* After an edit or a change of the file's name: updates in place the values that depend on it
     * (`bytes` are those of `after`; nothing may move). */
    void (*fix_up)(const mst_document *before, const mst_document *after, uint8_t *bytes);
    /* Builds its scene; NULL: it has none, or `parts` builds it. */
    mst_status (*build_scene)(const mst_document *document, const mst_scene_options *options,
                              mst_scene **scene, mst_diagnostic *diagnostic);

    const mst_edit_hooks *editing;
    const mst_add_hooks *adding;
    const mst_mesh_hooks *mesh;
    const mst_set_rules *set;
    const mst_computed *computed;
    const mst_conversion *conversion;
    const mst_parts_scene *parts;
    const mst_images *images;
    const struct mst_rooms *rooms;
};

/* All formats; NULL ends the list. */
extern const mst_format *const mst_formats[];

/* ---- writing tables ---------------------------------------------------------------------------- */

#define MST_COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

#define MST_LISTED(...)                                                                                      \
    (const mst_listed[]) {                                                                                   \
        __VA_ARGS__, {                                                                                       \
            NULL, NULL, NULL, NULL                                                                           \
        }                                                                                                    \
    }
#define MST_PREFIXED .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U32
#define MST_FROM(n)                                                                                          \
    { MST_AT_LEAST, MST_VARIABLE_VERSION, (n) }
#define MST_UNTIL(n)                                                                                         \
    { MST_BELOW, MST_VARIABLE_VERSION, (n) }

#endif
