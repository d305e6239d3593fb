/* SPDX-License-Identifier: MIT */
/*
 * Documents: opened files of known formats. This header opens, reads, edits, checks and saves them.
 *
 *     mst_document *level;
 *     mst_diagnostic why;
 *     if (mst_open_file("maps/a.level", NULL, &level, &why) != MST_OK) ...
 *     mst_value name;
 *     if (mst_find(mst_root(level), "objects[0].class_name", &name, &why) == MST_OK) ...
 *     mst_close(level);
 *
 * Opening validates structure only: every count, size and string is checked against the available bytes, and
 * nothing is copied. Values are small handles into the document's bytes.
 *
 * Paths look like jq's: `objects[12].properties[3].value`. A negative index counts from the end:
 * `objects[-1]` is the last one. `name=value` in brackets selects the first element whose field `name` has
 * that value: `objects[class_name=ns2_gamerules]`, `properties[name=origin].value[1]`; the value extends to
 * the closing bracket and may be in double quotes. Flags must match exactly, given as names or as a number:
 * `objects[flags=light,moving]`; with + and - only the named ones are compared: `objects[flags=+light]`. A
 * slice `vertices[0:100]` (either end may be omitted) gives a shorter list, and a field after it is taken
 * from every element: `mesh.vertices[0:100].position`. In a list of name-value pairs the names work like
 * fields: `properties.origin` is `properties[name=origin].value`.
 */
#ifndef MAPSTONE_DOCUMENT_H
#define MAPSTONE_DOCUMENT_H

#include "base.h"
#include "file.h"
#include "search.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mst_document mst_document;

/* ---- formats -------------------------------------------------------------------------------------- */

typedef struct mst_format_information {
    const char *id;         /* "ns2-level" */
    const char *title;      /* "Natural Selection 2 level" */
    const char *extensions; /* ".level", several separated by spaces; "" if none */
    const char *media_type; /* "" if none */
    const char *versions;   /* the known ones, as text; "" if the format has none */
    /* Path of the list that tables show by default: "objects"; "" if none. If several, separated by spaces,
     * the first one that the document has; after an @ it is in unpacked content (mst_open_content). */
    const char *rows;
    const char *added_columns; /* for mst_added_column, of all lists, separated by spaces; NULL: none */
    const char *maps;          /* path of the list of maps, if a document holds several: "maps"; else NULL */
    /* The unit in which the game's editor shows the file's metres, and units per metre; NULL: none. mst_set
     * accepts lengths in it: "12in". */
    const char *editor_unit;
    double editor_per_metre;
    const char *folder; /* of levels, below the game's root: "maps"; NULL: not known */
} mst_format_information;

/* The number of formats, and each of them; NULL past the end. */
MST_API size_t mst_format_count(void);
MST_API const mst_format_information *mst_format_at(size_t index);

/*
 * Identifies a format by content; `name` (may be NULL) is a file name that helps where a format has no magic
 * number. The bytes may be only the beginning of a file of `file_size` bytes: 4096 are always enough. Returns
 * NULL if no format matches; `diagnostic` then describes the content found.
 */
MST_API const mst_format_information *mst_identify(const void *bytes, size_t size, uint64_t file_size,
                                                   const char *name, mst_diagnostic *diagnostic);

/* ---- opening and closing -------------------------------------------------------------------------- */

typedef struct mst_open_options {
    size_t size;        /* sizeof(mst_open_options) */
    const char *format; /* id; NULL: identified from the content */
    const char *name;   /* file name to use instead of the opened file's; may be NULL */
    mst_allocator allocator;
    /* Bytes that the document may allocate. 0: 16 x size + 1 MiB, and as much again for places once they are
     * requested; while JSON is read, 64 x its size + 1 MiB. */
    size_t budget;
    bool unmapped;     /* mst_open_file: the file is read instead of mapped */
    bool lenient_json; /* reading JSON: missing fields become zero, missing lists of records empty */
    /* A damaged file is opened as far as its format allows: invalid parts are left out and reported to
     * `report` (may be NULL). The document then counts as edited. */
    bool salvage;
    mst_report_function report;
    void *report_user;
    /* Finds the second file of a two-file document (a table and the data that it points into). NULL: it is
     * looked up next to the file that mst_open_file opens; mst_open_memory then finds none. Its bytes are
     * copied. */
    const mst_resolver *sidecars;
} mst_open_options;

/* Opens bytes that the caller keeps unchanged until mst_close. */
MST_API mst_status mst_open_memory(const void *bytes, size_t size, const mst_open_options *options,
                                   mst_document **document, mst_diagnostic *diagnostic);
/*
 * Opens a file ("-": standard input). It is memory-mapped where the system can, so its bytes are not copied.
 * If another program writes to it while the document is open, values, JSON, checks, scenes and saved files
 * may be garbage, or fail, but nothing outside the file's bytes is read or written. If it is truncated,
 * reading past its new end kills the process with SIGBUS. options->unmapped reads the file into memory, which
 * prevents both.
 */
MST_API mst_status mst_open_file(const char *path, const mst_open_options *options, mst_document **document,
                                 mst_diagnostic *diagnostic);
/* Builds a document from JSON that mst_write_json wrote; the original file is not needed. The format is the
 * text's "$format" or options->format. The diagnostic has the path within the JSON. Text is UTF-8 or, with a
 * byte order mark, UTF-16; the same applies to scripts (edit.h) and patches (patch.h). */
MST_API mst_status mst_open_json(const char *text, size_t size, const mst_open_options *options,
                                 mst_document **document, mst_diagnostic *diagnostic);
/* NULL is allowed. Invalidates the document's values. */
MST_API void mst_close(mst_document *document);

MST_API const mst_format_information *mst_document_format(const mst_document *document);
/* The file's name without its directories: mst_open_options.name, or the name that it was opened by; "" if
 * neither is known. */
MST_API const char *mst_document_name(const mst_document *document);
/* The version stored in the file, 0 if the format has none. */
MST_API uint32_t mst_document_version(const mst_document *document);
/* The bytes that offsets of values refer to: the file's, or the parsed bytes (mst_document_file). Valid until
 * the next edit. */
MST_API const void *mst_document_bytes(const mst_document *document, size_t *size);
/*
 * The files of a document as they would be saved, valid until the next edit. Most documents have one, with
 * the bytes of mst_document_bytes. If a format compresses its content, or spreads it over two files, the
 * document is *parsed* when it is opened: mst_document_bytes, the offsets of values and the walk refer to the
 * parsed bytes, from which the files are serialized; mst_place_of reports where these come from. Unedited
 * content is written back byte for byte. `name` (may be NULL) receives the file's name, "" if it is not
 * known.
 */
MST_API size_t mst_document_file_count(const mst_document *document);
MST_API const void *mst_document_file(const mst_document *document, size_t index, const char **name,
                                      size_t *size);
/*
 * Where bytes of mst_document_bytes come from. If they are the file's own bytes, that is the same offset.
 * Parsed bytes are copied from a file or computed from a few of its bytes (MST_PLACE_FILE), or come from the
 * unpacked form of packed bytes of a file (MST_PLACE_PACKED), or are in no file (MST_PLACE_MADE).
 */
typedef enum mst_place_kind { MST_PLACE_MADE = 0, MST_PLACE_FILE, MST_PLACE_PACKED } mst_place_kind;
typedef struct mst_place {
    mst_place_kind kind;
    size_t file;                  /* index of the file, as for mst_document_file */
    uint64_t offset, length;      /* in the file; PACKED: of all bytes that were packed together */
    uint64_t inner, inner_length; /* PACKED: in the unpacked form of these bytes */
} mst_place;
/* The smallest place that has all bytes of the range from one file. The first call for a parsed document
 * takes as long as opening it. MST_NO_MEMORY: places cannot be determined. */
MST_API mst_status mst_place_of(const mst_document *document, uint64_t offset, uint64_t length,
                                mst_place *place);
/* The bytes at a place that the document returned: the file's, or unpacked ones. Valid until the next edit;
 * NULL: there are none. */
MST_API const void *mst_place_bytes(const mst_document *document, const mst_place *place, size_t *size);
/* Bytes allocated so far. */
MST_API size_t mst_document_memory(const mst_document *document);

/* ---- values --------------------------------------------------------------------------------------- */

typedef enum mst_type {
    MST_TYPE_NONE = 0,
    MST_TYPE_BOOL,    /* an integer that means true or false */
    MST_TYPE_INTEGER, /* signed or unsigned, up to 64 bits */
    MST_TYPE_REAL,    /* float or double */
    MST_TYPE_TEXT,    /* a string */
    MST_TYPE_BYTES,   /* not interpreted, preserved */
    MST_TYPE_RECORD,  /* named fields */
    MST_TYPE_LIST     /* elements */
} mst_type;

/* A handle: its members are private, but it may be copied freely. Invalid after an edit or mst_close. */
typedef struct mst_value {
    const mst_document *document;
    const void *field;
    uint64_t offset, end;
    uint64_t first, count; /* of a slice */
    uint32_t shape;
    uint32_t context[3]; /* values of preceding fields that determine its content */
} mst_value;

/* A field's description, from the format's tables. */
typedef struct mst_field_information {
    const char *name;
    const char *documentation; /* one sentence, may be "" */
    const char *unit;          /* "m", "rad", ...; "" if none */
    const char *type_name;     /* "u32", "f32[3]", "wide string", ... */
} mst_field_information;

MST_API mst_value mst_root(const mst_document *document);
MST_API mst_type mst_value_type(const mst_value *value);
MST_API mst_field_information mst_value_field(const mst_value *value);
/* The value's bytes, including the length prefix of a string or list. For a slice, the span that contains
 * it. */
MST_API void mst_value_span(const mst_value *value, uint64_t *offset, uint64_t *length);

/* MST_NO_PATH: the diagnostic reports which part of the path is wrong and what exists instead. */
MST_API mst_status mst_find(mst_value from, const char *path, mst_value *found, mst_diagnostic *diagnostic);

/*
 * A selector is a path whose brackets may select many elements: `[*]` for all, a slice, or conditions joined
 * by &, `objects[class_name=light_point & properties.intensity>2]`. A condition is a path below the element
 * and = (or ==) != < <= > >= with a value, ~ or !~ with a pattern (* for any characters, ? for one), `has`
 * with flags, or nothing (it is present). Values may be in double quotes; a list is "1,2,3". A number that
 * names an element of another list can also be compared with that element's name, by its own name or the
 * list's: `group=Walls`, `layer=Props`; `layer=` matches elements in none. Labels (mst_labels_open) count as
 * well. A name that no element of that list has is an error. `within` selects by position, in the format's
 * unit: in a box, `within=0,0,0:8,4,8`, around a point, `within=8,3,8:5`, or in a room, `within=Hub`; faces
 * must be within it with all their corners. `in=(Hub)` at the beginning of a selector is everything in a
 * room. The value may be an expression in parentheses, `properties.distance > (properties.intensity * 2)`,
 * with names as paths below the element; elements for which it cannot be evaluated do not meet the condition.
 */
typedef mst_status (*mst_select_function)(void *user, const char *path, const mst_value *value);
typedef struct mst_selected {
    uint64_t count;   /* values found */
    uint64_t lacking; /* elements that lack the path after their bracket */
} mst_selected;
/* Whether a path has a bracket with conditions or *, or (if `slices`) a slice. */
MST_API bool mst_is_selector(const char *path, bool slices);
/* Calls `found` for each value, in the order of the file, with a path of indices. MST_ARGUMENT: it is not a
 * selector; MST_NO_PATH: the path before its first bracket does not exist, or, if `selected` is NULL, nothing
 * matches. */
MST_API mst_status mst_select(mst_value from, const char *selector, mst_select_function found, void *user,
                              mst_selected *selected, mst_diagnostic *diagnostic);
/* A record's field; MST_NO_PATH if the record, or this version of it, has no field of that name. A list of
 * chunks is always present, empty if there are none. */
MST_API mst_status mst_member(const mst_value *record, const char *name, mst_value *member);
/* The number of a list's elements, or of the fields that are present in a record. */
MST_API uint64_t mst_count(const mst_value *value);
MST_API mst_status mst_element(const mst_value *list, uint64_t index, mst_value *element);

/* Iterates over a list's elements or a record's fields in order, without looking up each one:
 *     for (mst_iterator it = mst_iterate(&list); mst_next(&it, &element);) ...
 * mst_next returns false after the last one, and for no other reason: values need no memory, and opening has
 * validated all of them. */
typedef struct mst_step { /* the state of an iteration over a record's fields; private */
    uint64_t marks[3]; /* the sizes of its parts; once all are known, [0] and [1] are the ends of two parts */
    uint16_t next;     /* the next field */
    uint16_t blocks;   /* of an archive */
    uint8_t part;      /* 0 the first part, or no sizes; 1 the last part; 2 after the parts */
    uint8_t sized;     /* the ends of the parts are known */
    uint8_t next_case; /* of chunks */
} mst_step;
typedef struct mst_element_step { /* the same for a list's elements */
    uint64_t index, count;
    const void *chunks;
    uint32_t seen;
} mst_element_step;
typedef struct mst_iterator {
    const mst_document *document;
    const void *field;
    uint64_t offset, end, position;
    uint32_t shape;
    uint32_t context[18];
    uint32_t last; /* index of the last returned field of a record */
    union {
        mst_step record;
        mst_element_step list;
    } step;
} mst_iterator;
MST_API mst_iterator mst_iterate(const mst_value *value);
MST_API bool mst_next(mst_iterator *iterator, mst_value *value);

/* A scalar as a number; a list of one element counts as that element. MST_ARGUMENT if it is not a number, or
 * does not fit. An integer read as real is rounded to the nearest double. */
MST_API mst_status mst_get_integer(const mst_value *value, int64_t *number);
MST_API mst_status mst_get_unsigned(const mst_value *value, uint64_t *number);
MST_API mst_status mst_get_real(const mst_value *value, double *number);
/* A string as UTF-8 with a terminating NUL, cut to `capacity` at a character boundary; it may contain NUL.
 * `length` (may be NULL) receives the full length. Invalid code units become U+FFFD. */
MST_API mst_status mst_get_text(const mst_value *value, char *text, size_t capacity, size_t *length);
/* The bytes of a string or of MST_TYPE_BYTES as stored, without a length prefix; not copied. */
MST_API mst_status mst_get_bytes(const mst_value *value, const void **bytes, size_t *size);
/* The name of an enum's value ("color"), or NULL. */
MST_API const char *mst_get_name(const mst_value *value);

/*
 * Flags are integers whose bits have names; mst_get_unsigned returns the bits as stored, whether or not the
 * field is signed. As text they are the names of the set bits in bit order, then one hexadecimal number for
 * all unnamed bits, separated by commas: "light,invisible,0x400"; "0" if no bit is set. In JSON they are a
 * list, ["light", "invisible", "0x400"].
 */
/* Writes that text with a terminating NUL: as many complete names as fit in `capacity`; `length` (may be
 * NULL) receives the full length. MST_ARGUMENT if the value's bits have no names. */
MST_API mst_status mst_get_flags(const mst_value *value, char *text, size_t capacity, size_t *length);
typedef enum mst_element_type {
    MST_F32 = 0,
    MST_F64,
    MST_U8,
    MST_I8,
    MST_U16,
    MST_I16,
    MST_U32,
    MST_I32,
    MST_U64,
    MST_I64
} mst_element_type;

/*
 * Copies numbers in bulk into the caller's buffer, converting type and byte order: a scalar, a list of
 * scalars, or a field of every element of a slice ("mesh.vertices[:].position"). Element i is stored at data
 * + i * stride, its components contiguously.
 */
typedef struct mst_target {
    mst_element_type type;
    uint32_t components; /* to copy from each element; 0: all */
    size_t stride;       /* bytes from one element to the next; 0: packed */
    void *data;
    uint64_t capacity; /* elements that fit */
} mst_target;
/* `elements` receives the number copied. A number that does not fit an integer type is clamped; NaN becomes
 * 0. MST_ARGUMENT: not numbers, fewer components than requested, or elements of different lengths. */
MST_API mst_status mst_read(const mst_value *value, const mst_target *target, uint64_t *elements,
                            mst_diagnostic *diagnostic);

/*
 * Labels: the names that the elements of a list get from other elements. A word denotes a number that names
 * an element of the list of that name, or of that name with an s: `material` of "mesh.faces" in Natural
 * Selection 2, `layer` (of faces, in a list next to them), `group` (which lists its faces), `location` (whose
 * volume contains all corners of the face). Selectors, conditions and edits take the same words.
 *
 *     mst_labels *layers;
 *     if (mst_labels_open(&layers, document, "mesh.faces", "layer", NULL) == MST_OK)
 *         for (size_t i = 0; mst_labels_name(layers, 12, i); i++)
 *             puts(mst_labels_name(layers, 12, i));
 *     mst_labels_close(layers);
 */
typedef struct mst_labels mst_labels;
/* Reads the labels of all elements of the list at a path. They are a snapshot, independent of the document
 * afterwards. MST_NO_PATH: there is no such list, or its elements have no such labels. */
MST_API mst_status mst_labels_open(mst_labels **labels, const mst_document *document, const char *list,
                                   const char *word, mst_diagnostic *diagnostic);
/* The name of an element's label `index`, from 0; "" if it has no name. NULL: there are no more. Valid until
 * the labels are closed. */
MST_API const char *mst_labels_name(const mst_labels *labels, uint64_t element, size_t index);
/* NULL is allowed. */
MST_API void mst_labels_close(mst_labels *labels);

/*
 * Information about an element of a list beyond its fields, in columns that its format adds: from other lists
 * of the level (the model of an actor of Turok, the cell of an element of Alien Trilogy's grid, a trigger's
 * effect in words), or from sidecars (`type_name` of an object of Revenant from class.def). `sidecars` may be
 * NULL. `text` receives it, cut to `capacity`; "" if nothing is known about this element. MST_NO_PATH: the
 * elements of this list have no such column, or there is no such sidecar.
 */
MST_API mst_status mst_added_column(const mst_value *element, const char *column,
                                    const mst_resolver *sidecars, char *text, size_t capacity);

/*
 * Unpacks the compressed content of a value as a document of its own, independent of the original: an RNC
 * block of an Iguana archive (the record `rnc`, or the block that has it). It is meant for reading, and for
 * saving elsewhere. Wrong checksums are ignored here; mst_check reports them. MST_UNSUPPORTED: the value is
 * not compressed.
 */
MST_API mst_status mst_open_content(const mst_value *value, const mst_open_options *options,
                                    mst_document **content, mst_diagnostic *diagnostic);

/* ---- editing -------------------------------------------------------------------------------------- */

/*
 * Sets the value at `path`; `json` is one JSON value (a number, a string, true, an object, ...). Where a
 * string or a name is expected, text that is not JSON is used literally, unless it begins with a double
 * quote. For a string, everything except a JSON string and {"$raw": "hex"} is literal: 5, true and [1] are
 * texts, "5" is the text 5. Flags are given as a list, as text (mst_get_flags), or as a number, which may
 * have any bits; if each name in the text has a + or - before it ("+light,-invisible"), these are set or
 * cleared and all others are kept. Dependent sizes and counts are updated. On failure the document is
 * unchanged; MST_REFUSED: the result would not read back as intended. Success invalidates every value handle
 * of the document.
 */
MST_API mst_status mst_set(mst_document *document, const char *path, const char *json,
                           mst_diagnostic *diagnostic);
/* Removes the element or optional field at `path` from its list or record. Everything that belongs to it is
 * removed as well, and numbers that name later elements are adjusted; MST_REFUSED if others refer to it.
 * mapstone/edit.h has all this with options, and many edits at once. */
MST_API mst_status mst_remove(mst_document *document, const char *path, mst_diagnostic *diagnostic);
/* Inserts a new element before the one at `path`; the index one past the last appends. A negative index
 * counts from the end: [-1] inserts before the last one. Numbers that name later elements are adjusted,
 * including those in the new element: write them as they are before the insertion. */
MST_API mst_status mst_insert(mst_document *document, const char *path, const char *json,
                              mst_diagnostic *diagnostic);
/*
 * A checksum over the document and its file name (a Revenant sector's state_hash) is kept as opened, right or
 * wrong, until an edit, which recomputes it. mst_checksum_path returns its path, NULL if the document has
 * none; mst_set of that path to "auto" recomputes it without another edit. MST_REFUSED: it cannot be computed
 * (the document's name is not that of a sector).
 */
MST_API const char *mst_checksum_path(const mst_document *document);
/* Whether the document differs from what was opened. */
MST_API bool mst_is_edited(const mst_document *document);

/* ---- saving --------------------------------------------------------------------------------------- */

/* Writes the first of the document's files. */
MST_API mst_status mst_save(const mst_document *document, mst_sink sink, mst_diagnostic *diagnostic);
/* Writes a temporary file in the same directory, which is then renamed: there is always either the old file
 * or the new one, never a partial one. For a two-file document, `path` names either file, and the other is
 * written next to it under the matching name, with the letter case of an existing file: both or neither. */
MST_API mst_status mst_save_file(const mst_document *document, const char *path, mst_diagnostic *diagnostic);
typedef struct mst_json_options {
    size_t size;  /* sizeof(mst_json_options) */
    bool compact; /* one line; else indented by two spaces, lists of numbers on one line */
} mst_json_options;

/* Writes a value (the root: the complete document with "$format") as JSON. Exact: mst_open_json restores the
 * same bytes. Memory does not grow with the file. */
MST_API mst_status mst_write_json(const mst_value *value, const mst_json_options *options, mst_sink sink,
                                  mst_diagnostic *diagnostic);

/* ---- converting ----------------------------------------------------------------------------------- */

typedef struct mst_convert_options {
    size_t size;            /* sizeof(mst_convert_options) */
    const char *byte_order; /* "big" or "little"; NULL: unchanged */
    uint32_t version;       /* with has_version */
    bool has_version;
    bool allow_loss;  /* leave out what the other version cannot store */
    const char *name; /* file name of the result, where content depends on it; NULL: unchanged */
    /* Another format's id: a level of Natural Selection 2 to a clipboard, and the reverse. Excludes byte
     * order and version. NULL: unchanged. */
    const char *format;
    /* The content of the clipboard: paths or selectors of objects and faces; none: all of them. */
    const char *const *select;
    size_t select_count;
} mst_convert_options;

/*
 * The same level in another byte order or version of its format, in another format, or under another name, as
 * a new, independent document. Losses are reported as warnings, by path; without allow_loss the result is
 * then MST_REFUSED. MST_UNSUPPORTED: the format does not support this. MST_ARGUMENT: there is no such byte
 * order or version. MST_NO_PATH: a path or selector matches nothing.
 */
MST_API mst_status mst_convert(const mst_document *document, const mst_convert_options *options,
                               mst_report_function report, void *user, mst_document **result,
                               mst_diagnostic *diagnostic);

/* ---- byte coverage -------------------------------------------------------------------------------- */

typedef enum mst_byte_class {
    MST_BYTES_FIELD = 0, /* a field that the format's tables name */
    MST_BYTES_DERIVED,   /* counts, sizes, ids: computed from the rest */
    MST_BYTES_PADDING,
    MST_BYTES_GAP, /* nothing refers to it */
    MST_BYTES_RAW  /* not understood, preserved */
} mst_byte_class;

/* Accounts for every byte of the document's files. Packed bytes are classed by their unpacked form, in
 * proportion; bytes that neither the tables nor any offset leads to are gaps. */
typedef struct mst_ledger {
    uint64_t size;     /* of all files */
    uint64_t bytes[5]; /* by mst_byte_class */
    uint64_t spans;
    uint64_t overlap, holes; /* 0 in every file that opens */
} mst_ledger;

MST_API mst_status mst_byte_coverage(const mst_document *document, mst_ledger *ledger,
                                     mst_diagnostic *diagnostic);

/* ---- checks --------------------------------------------------------------------------------------- */

typedef struct mst_check_options {
    size_t size;        /* sizeof(mst_check_options) */
    const char *schema; /* text of a sidecar that describes entities (NS2: editor_setup.xml); NULL */
    size_t schema_size;
    bool information;             /* report information as well as warnings and errors */
    const mst_resolver *sidecars; /* NULL: none */
    /* How many findings of each code and severity are described (0: all). For the rest, only code, severity
     * and message are reported; a file may have millions of them. */
    uint64_t details;
    bool assets; /* also report missing files that the document names (asset.h), or that those name */
} mst_check_options;

typedef struct mst_check_result {
    uint64_t errors, warnings, information;
} mst_check_result;

/* Reports all problems, in file order where possible. Findings do not make it fail; `result` (may be NULL)
 * receives their counts. */
MST_API mst_status mst_check(const mst_document *document, const mst_check_options *options,
                             mst_report_function report, void *user, mst_check_result *result,
                             mst_diagnostic *diagnostic);

/* Every code that a format can report; NULL past the end. */
typedef struct mst_code_information {
    const char *code;
    mst_severity severity;
    const char *documentation;
} mst_code_information;
MST_API const mst_code_information *mst_code_at(const mst_format_information *format, size_t index);

/* ---- descriptions --------------------------------------------------------------------------------- */

typedef struct mst_describe_options {
    size_t size;                  /* sizeof(mst_describe_options) */
    const mst_resolver *sidecars; /* for names: definitions of the game or of a mod. NULL: none */
} mst_describe_options;

/* Describes content in words, one line each: `what` is "triggers", "maps", "rectangles", or "classes" (of new
 * entities); with "class light_point", the lines are JSON of the properties of a new entity of that class:
 * {"name": ..., "type": ..., "value": [...], "choices": [[1, "on"], ...]}. `options` may be NULL.
 * MST_UNSUPPORTED: the format has no such description. */
MST_API mst_status mst_describe(const mst_document *document, const char *what,
                                const mst_describe_options *options, mst_sink sink,
                                mst_diagnostic *diagnostic);

/* ---- reference ------------------------------------------------------------------------------------ */

/* Descriptions of a format, generated from the tables that read and write it. */
typedef enum mst_specification {
    MST_SPECIFICATION_MARKDOWN = 0, /* the reference */
    MST_SPECIFICATION_HTML,         /* the same as a page, with types linked to their records */
    /* JSON Schema (2020-12) of the format's documents as JSON, for editors and validators, with the
     * documentation of each field as its description */
    MST_SPECIFICATION_JSON_SCHEMA,
    /* For Kaitai Struct, which generates readers in a dozen languages. Packed files, and files that belong
     * together with others, are only bytes to it; anything else it cannot express is in its texts. */
    MST_SPECIFICATION_KSY,
    /* Patterns for the hex editor ImHex. They have not been tried in it, as they state themselves. For packed
     * files, and files that belong together with others, they have the records only. */
    MST_SPECIFICATION_HEXPAT,
    /* The format's mark as file(1) reads it (magic(5)). MST_UNSUPPORTED: its files have none, or none that is
     * unique to them. */
    MST_SPECIFICATION_MAGIC
} mst_specification;

/*
 * Writes a description of the format. If a value selects one of very many records (the parameters of Star Fox
 * Adventures' objects by their type), the reference omits them: with `record`, the name or number of such a
 * value, such as "LargeCrate", only that record is written, as Markdown. NULL: the format. MST_NO_PATH: the
 * value is unknown.
 */
MST_API mst_status mst_write_specification(const mst_format_information *format, mst_specification kind,
                                           const char *record, mst_sink sink);

#ifdef __cplusplus
}
#endif
#endif
