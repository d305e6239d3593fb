/* SPDX-License-Identifier: MIT */
/*
 * Documents: a file of a known format, opened. This header opens, reads, edits, checks and saves them.
 *
 *     mst_document *level;
 *     mst_diagnostic why;
 *     if (mst_open_file("maps/a.level", NULL, &level, &why) != MST_OK) ...
 *     mst_value name;
 *     if (mst_find(mst_root(level), "objects[0].class_name", &name, &why) == MST_OK) ...
 *     mst_close(level);
 *
 * Opening establishes structure only: every count, size and string has been checked against the bytes that
 * are there, and nothing is copied. Values are small handles into the document's bytes.
 *
 * Paths look like jq's: `objects[12].properties[3].value`. A negative index counts from the end:
 * `objects[-1]` is the last one. A name in brackets picks the first element that
 * has a field of that value: `objects[class_name=ns2_gamerules]`, `properties[name=origin].value[1]`; the
 * value runs to the closing bracket and may stand in double quotes. Flags are compared as a whole, by names
 * or as a number, `objects[flags=light,moving]`; with + and - only these are looked at,
 * `objects[flags=+light]`. A slice `vertices[0:100]` (either end may be missing) gives a shorter list, and a
 * field after it is taken of every element: `mesh.vertices[0:100].position`.
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
    const char *extensions; /* ".level", several separated by blanks; "" if none */
    const char *media_type; /* "" if none */
    const char *versions;   /* those known, as text; "" if it has none */
    const char *rows;       /* path of its list of things, for tables: "objects"; "" if none */
    const char *maps;       /* path of its list of maps, if one document is many: "maps"; else NULL */
} mst_format_information;

/* How many formats there are, and each of them; NULL beyond the end. */
MST_API size_t mst_format_count(void);
MST_API const mst_format_information *mst_format_at(size_t index);

/*
 * Recognises bytes, by content alone; `name` (may be NULL) is a file name that helps where a format has no
 * mark of its own. `size` may be only the beginning of a file of `file_size` bytes: 4096 are always enough.
 * Returns NULL if no format fits; then `diagnostic` (may be NULL) says what was found.
 */
MST_API const mst_format_information *mst_identify(const void *bytes, size_t size, uint64_t file_size,
                                                   const char *name, mst_diagnostic *diagnostic);

/*
 * Where a document of the format is two files: which of them a file of that name is (0 or 1; a document is
 * named by the first), and the name that the other one has at the `attempt`th try, from 0 on. -1: it is none,
 * or there is no further try.
 */
MST_API int mst_format_file(const mst_format_information *format, const char *name, unsigned attempt,
                            char *other, size_t capacity);

/* ---- opening and closing -------------------------------------------------------------------------- */

typedef struct mst_open_options {
    const char *format; /* id; NULL: recognised */
    const char *name;   /* file name, in place of the one that is opened; may be NULL */
    mst_allocator allocator;
    /* Bytes that the document may take from the allocator. 0: 16 x size + 1 MiB; while JSON is read, 64 x its
     * size + 1 MiB. */
    size_t budget;
    int unmapped;     /* mst_open_file: the file is read instead of mapped */
    int lenient_json; /* reading JSON: fields that are missing are zero, lists of records empty */
    /* A damaged file is opened as far as its format allows: what makes no sense is left out and told to
     * `report` (may be NULL). The document then counts as edited. */
    int salvage;
    mst_report_function report;
    void *report_user;
    /* Where the other file is found of a document that is two (a table and what it points into). NULL: beside
     * the one that mst_open_file opens; mst_open_memory then finds none. What it gives is copied. */
    const mst_resolver *sidecars;
} mst_open_options;

/* Opens bytes that the caller keeps unchanged until mst_close. */
MST_API mst_status mst_open_memory(const void *bytes, size_t size, const mst_open_options *options,
                                   mst_document **document, mst_diagnostic *diagnostic);
/*
 * Opens a file ("-": standard input), which is mapped where the system can: its bytes are not copied. What
 * other programs write into it while the document is open shows in values, JSON, checks, scenes and what is
 * saved; they may then be garbage, or fail, but nothing beside the file's bytes is read or written. If it is
 * cut short, reading what is gone ends the process by SIGBUS. options->unmapped reads the file, which
 * excludes both.
 */
MST_API mst_status mst_open_file(const char *path, const mst_open_options *options, mst_document **document,
                                 mst_diagnostic *diagnostic);
/* Builds a document from JSON that mst_write_json wrote, without the file that it came from. The format is
 * the text's "$format" or options->format. The diagnosis names the path within the JSON. */
MST_API mst_status mst_open_json(const char *text, size_t size, const mst_open_options *options,
                                 mst_document **document, mst_diagnostic *diagnostic);
/* NULL is allowed. Values of the document are void afterwards. */
MST_API void mst_close(mst_document *document);

MST_API const mst_format_information *mst_document_format(const mst_document *document);
/* The file's name without its directories, as far as it is known: where it was opened from, or
 * mst_open_options.name; else "". */
MST_API const char *mst_document_name(const mst_document *document);
/* The version stored in the file, 0 if the format has none. */
MST_API uint32_t mst_document_version(const mst_document *document);
/* The bytes that offsets of values count in: the file's, or what it parses to (mst_document_file). Valid
 * until the next edit. */
MST_API const void *mst_document_bytes(const mst_document *document, size_t *size);
/*
 * The files of a document as they would be saved, valid until the next edit. Most have one, and its bytes are
 * those of mst_document_bytes. Where a format packs what it holds, or spreads it over two files, the document
 * is *parsed* when it is opened: mst_document_bytes, the offsets of values, the ledger and the walk are
 * those of the parsed bytes, and the files are made of it. What is not edited comes out as it went in.
 * `name` (may be NULL) gets the file's name as far as it is known, else "".
 */
/* Where a byte of mst_document_bytes is for those who look at the file: there, or in what is packed in it;
 * MST_NO_OFFSET if it is in neither. This is what diagnoses say. */
MST_API uint64_t mst_file_offset(const mst_document *document, uint64_t offset);
MST_API size_t mst_document_file_count(const mst_document *document);
MST_API const void *mst_document_file(const mst_document *document, size_t index, const char **name,
                                      size_t *size);
/* Bytes taken from the allocator so far. */
MST_API size_t mst_document_memory(const mst_document *document);

/* ---- values --------------------------------------------------------------------------------------- */

typedef enum mst_type {
    MST_TYPE_NONE = 0,
    MST_TYPE_BOOL,    /* an integer that means yes or no */
    MST_TYPE_INTEGER, /* signed or unsigned, up to 64 bits */
    MST_TYPE_REAL,    /* float or double */
    MST_TYPE_TEXT,    /* a string */
    MST_TYPE_BYTES,   /* not understood, kept */
    MST_TYPE_RECORD,  /* named fields */
    MST_TYPE_LIST     /* elements */
} mst_type;

/* A handle: what it holds is private, but it may be copied freely. Void after an edit or mst_close. */
typedef struct mst_value {
    const mst_document *document;
    const void *field;
    uint64_t offset, end;
    uint64_t first, count; /* of a slice */
    const void *column;    /* of a slice: the field taken of every element */
    const void *chunks;    /* of a list of chunks */
    uint32_t shape;
    uint32_t context[18];
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
/* Where the value's bytes are; a string's or list's length prefix belongs to it. A slice has no one place:
 * the span that holds it is given. */
MST_API void mst_value_span(const mst_value *value, uint64_t *offset, uint64_t *length);

/* MST_NO_PATH says in the diagnosis which part of the path is wrong and what there is instead. */
MST_API mst_status mst_find(mst_value from, const char *path, mst_value *found, mst_diagnostic *diagnostic);
/* A record's field; MST_NO_PATH if it has none of that name, or not in this version. A list of chunks is
 * there even when there are none, and empty. */
MST_API mst_status mst_member(const mst_value *record, const char *name, mst_value *member);
/* A list's elements; of a record, how many fields are present. */
MST_API uint64_t mst_count(const mst_value *value);
MST_API mst_status mst_element(const mst_value *list, uint64_t index, mst_value *element);

/* Goes through a list's elements or a record's fields in order, without looking each of them up again:
 *     for (mst_iterator it = mst_iterate(&list); mst_next(&it, &element);) ...
 * mst_next gives 0 after the last one, and for no other reason: values take no memory, and opening has
 * proved that all of them are there. */
typedef struct mst_iterator {
    mst_value value;
    uint64_t index, position;
    uint64_t outer, last_part, sizes[3];
    uint32_t field_index, case_index;
    uint32_t seen;
} mst_iterator;
MST_API mst_iterator mst_iterate(const mst_value *value);
MST_API int mst_next(mst_iterator *iterator, mst_value *value);

/* A scalar as a number; a list of one element stands for that element. MST_ARGUMENT if it is not a number, or
 * does not fit. An integer read as real is rounded to the nearest double. */
MST_API mst_status mst_get_integer(const mst_value *value, int64_t *number);
MST_API mst_status mst_get_unsigned(const mst_value *value, uint64_t *number);
MST_API mst_status mst_get_real(const mst_value *value, double *number);
/* A string as UTF-8 with a NUL, cut to `capacity` at a character's end. `length` (may be NULL) gets the
 * whole length; it may contain NUL. Code units that are not text become U+FFFD. */
MST_API mst_status mst_get_text(const mst_value *value, char *text, size_t capacity, size_t *length);
/* The bytes of a string or of MST_TYPE_BYTES as stored, without a length prefix: a view. */
MST_API mst_status mst_get_bytes(const mst_value *value, const void **bytes, size_t *size);
/* The name of an enum's value ("color"), or NULL. */
MST_API const char *mst_get_name(const mst_value *value);

/*
 * Flags are integers whose bits have names; mst_get_unsigned gives the bits as they are stored, whether or
 * not the field has a sign. As text they are the names of the bits that are set, in the order of the bits,
 * and one number in hexadecimal digits for all bits without a name, separated by commas:
 * "light,invisible,0x400"; "0" if no bit is set. In JSON they are a list of these,
 * ["light", "invisible", "0x400"].
 */
/* Writes that text with a NUL: as many whole names as `capacity` has room for; `length` (may be NULL) gets
 * the whole length. MST_ARGUMENT if the value's bits have no names. */
MST_API mst_status mst_get_flags(const mst_value *value, char *text, size_t capacity, size_t *length);
/* The other way: the bits of such a text. Numbers may be decimal, too, and may have any bits. If each name
 * has + or - before it ("+light,-invisible"), these are set or cleared and all others are as in the value.
 * MST_ARGUMENT: a name is unknown (the diagnosis has those that exist, the nearest first), or the field has
 * no room for a bit. */
MST_API mst_status mst_read_flags(const mst_value *value, const char *text, uint64_t *bits,
                                  mst_diagnostic *diagnostic);
/* The name of a bit (0 is the lowest); NULL if it has none. */
MST_API const char *mst_flag_name(const mst_value *value, unsigned bit);

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
 * scalars, or a field of every element of a slice ("mesh.vertices[:].position"). Element i goes to
 * data + i * stride, its components side by side.
 */
typedef struct mst_target {
    mst_element_type type;
    uint32_t components; /* to copy of each element; 0: all there are */
    size_t stride;       /* bytes from one element to the next; 0: packed */
    void *data;
    uint64_t capacity; /* elements that fit */
} mst_target;
/* `elements` gets the number copied. MST_ARGUMENT: not numbers, fewer components than asked for, or elements
 * of different lengths; a number that does not fit an integer type is clamped, NaN is 0. */
MST_API mst_status mst_read(const mst_value *value, const mst_target *target, uint64_t *elements,
                            mst_diagnostic *diagnostic);

/* Copies fixed records into the public struct of their format ("ns2.h"): `structs` has room for `capacity`
 * structs of `struct_size` bytes, which must be the size of that struct. Fields that this version does not
 * have are 0. */
MST_API mst_status mst_read_structs(const mst_value *list, void *structs, size_t struct_size,
                                    uint64_t capacity, uint64_t *elements, mst_diagnostic *diagnostic);

/*
 * What is packed in a value, unpacked, as a document of its own that needs the other one no longer: an RNC
 * block of an Iguana archive (the record `rnc`, or the block that has it). It is for looking at and for
 * saving elsewhere. Checksums that are wrong do not matter here; mst_check tells them. MST_UNSUPPORTED:
 * nothing is packed there.
 */
MST_API mst_status mst_open_content(const mst_value *value, const mst_open_options *options,
                                    mst_document **content, mst_diagnostic *diagnostic);

/* Copies bytes that are stored plane by plane (byte j of record i stands at j * count + i), record by record.
 * `value` is of MST_TYPE_BYTES; its size must be a multiple of `stride`, and at most `capacity`. */
MST_API mst_status mst_read_interleaved(const mst_value *value, uint32_t stride, void *records,
                                        size_t capacity, uint64_t *count, mst_diagnostic *diagnostic);

/* ---- editing -------------------------------------------------------------------------------------- */

/*
 * Changes what is at `path`; `json` is one JSON value (a number, a string, true, an object, ...). Where a
 * string or a name is wanted, text that is not JSON is taken as it stands, but not if it begins with a double
 * quote. Of a string, only a JSON string and {"$raw": "hex"} are not taken as they stand: 5, true and [1] are
 * texts, "5" is the text 5. Flags are given as a list, as text (mst_read_flags, which has + and -), or as a
 * number. Sizes and counts around it follow. On failure the document is as before: MST_REFUSED if the result
 * could not be proved to read back as it was meant. Every value handle of the document is void after a
 * success.
 */
MST_API mst_status mst_set(mst_document *document, const char *path, const char *json,
                           mst_diagnostic *diagnostic);
/* Takes the element or optional field at `path` out of its list or record. */
MST_API mst_status mst_remove(mst_document *document, const char *path, mst_diagnostic *diagnostic);
/* Puts a new element before the one at `path`; the index one after the last appends. A negative index counts
 * from the end: [-1] puts it before the last one. */
MST_API mst_status mst_insert(mst_document *document, const char *path, const char *json,
                              mst_diagnostic *diagnostic);
/*
 * A number that follows from all the rest and from the file's name (a Revenant sector's state_hash) is kept
 * as it was opened, right or wrong, and follows every edit. Its path, NULL if the document has none; and a
 * way to make it right without another edit, as setting it to "auto" does. MST_UNSUPPORTED: there is none.
 * MST_REFUSED: what it should be is not known (the document's name is not that of a sector).
 */
MST_API const char *mst_renewable(const mst_document *document);
MST_API mst_status mst_renew(mst_document *document, mst_diagnostic *diagnostic);
/*
 * Some documents are spoken of in another one: what an object list holds is counted in MAPS.bin beside it.
 * The name of that file, NULL if there is none; and, after edits, a way to make it say what is so now (edits
 * of `other`, which is that file, opened). MST_NO_PATH: it does not speak of this document, by its name.
 */
MST_API const char *mst_index_file(const mst_document *document);
MST_API mst_status mst_update_index(const mst_document *document, mst_document *other,
                                    mst_diagnostic *diagnostic);
/* Whether the document differs from what was opened. */
MST_API int mst_is_edited(const mst_document *document);

/* ---- saving --------------------------------------------------------------------------------------- */

/* Writes the first of the document's files. */
MST_API mst_status mst_save(const mst_document *document, mst_sink sink, mst_diagnostic *diagnostic);
/* Goes to a temporary file in the same directory, which is then renamed: the old file or the new, never
 * half of one. Of a document that is two files, `path` names either, and the other one is written beside it
 * under the name that belongs to it, in the case in which it stands there already: both or neither
 * (mst_file_finish_all). */
MST_API mst_status mst_save_file(const mst_document *document, const char *path, mst_diagnostic *diagnostic);
/* The same, telling of the temporary files (mapstone/file.h); `watch` may be NULL. */
MST_API mst_status mst_save_file_watched(const mst_document *document, const char *path,
                                         const mst_file_watch *watch, mst_diagnostic *diagnostic);
/*
 * The same up to the renames, for documents that belong together: gives a writer for each of the document's
 * files, in their order, with all bytes in it; mst_file_finish_all ends those of several documents at once.
 * To
 * "-" only the first file goes.
 */
#define MST_SAVE_FILES 2 /* as many writers as there may be */
MST_API mst_status mst_save_begin(const mst_document *document, const char *path, const mst_file_watch *watch,
                                  mst_file_writer **writers, size_t *count, mst_diagnostic *diagnostic);

/* Encodes every field again from its value, copying nothing: equal to the document's bytes wherever the
 * library can prove that it understands the file. */
MST_API mst_status mst_encode(const mst_document *document, mst_sink sink, mst_diagnostic *diagnostic);
/* The same as a new document, which does not need this one: for documents of several files. */
MST_API mst_status mst_rebuild(const mst_document *document, mst_document **result,
                               mst_diagnostic *diagnostic);

typedef struct mst_json_options {
    int compact;    /* one line; else indented by two blanks, number lists on one line */
    int no_derived; /* leave out comments such as names of enums; reserved, 0 */
} mst_json_options;

/* Writes a value (the root: the whole document with "$format") as JSON. Exact: mst_open_json gives the
 * same bytes again. Streams; memory does not grow with the file. */
MST_API mst_status mst_write_json(const mst_value *value, const mst_json_options *options, mst_sink sink,
                                  mst_diagnostic *diagnostic);

/* ---- converting ----------------------------------------------------------------------------------- */

typedef struct mst_convert_options {
    const char *byte_order; /* "big" or "little"; NULL: as it is */
    uint32_t version;       /* with has_version */
    int has_version;
    int allow_loss; /* leave out what the other version has no place for */
    const char
        *name; /* file name that the result will have, where something follows from it; NULL: as it is */
} mst_convert_options;

/*
 * The same level in another byte order or version of its format, or under another name, as a new document
 * (which does not need this one). What would be lost is reported as warnings, by path; unless allow_loss is
 * set the result is then MST_REFUSED. MST_UNSUPPORTED: the format cannot do this. MST_ARGUMENT: there is no
 * such byte order or version.
 */
MST_API mst_status mst_convert(const mst_document *document, const mst_convert_options *options,
                               mst_report_function report, void *user, mst_document **result,
                               mst_diagnostic *diagnostic);

/* ---- every byte accounted for --------------------------------------------------------------------- */

typedef enum mst_byte_class {
    MST_BYTES_FIELD = 0, /* a field that the format's tables name */
    MST_BYTES_DERIVED,   /* counts, sizes, ids: they follow from the rest */
    MST_BYTES_PADDING,
    MST_BYTES_GAP, /* nothing points at it */
    MST_BYTES_RAW  /* kept, not understood */
} mst_byte_class;

typedef struct mst_ledger {
    uint64_t size;     /* of the file */
    uint64_t bytes[5]; /* by mst_byte_class */
    uint64_t spans;
    uint64_t overlap, holes; /* 0 in every file that opens */
} mst_ledger;

MST_API mst_status mst_byte_coverage(const mst_document *document, mst_ledger *ledger,
                                     mst_diagnostic *diagnostic);

/* What a walk meets, in the order of the file. */
typedef enum mst_event_kind {
    MST_EVENT_BEGIN_RECORD,
    MST_EVENT_BEGIN_LIST,
    MST_EVENT_END,
    MST_EVENT_LEAF,
    MST_EVENT_DERIVED /* a count, size or id that no path names */
} mst_event_kind;

typedef struct mst_event {
    mst_event_kind kind;
    mst_byte_class byte_class; /* LEAF and DERIVED */
    uint64_t offset, length;   /* BEGIN and END: length 0 */
    const char *name;          /* field, or what a derived number is; "" for elements */
    uint64_t index;            /* of an element; UINT64_MAX for fields */
    uint32_t depth;
    uint64_t count;         /* elements of a list */
    int fixed_records;      /* BEGIN_LIST: elements have one fixed size */
    const mst_value *value; /* NULL for END, DERIVED and padding */
} mst_event;

/* MST_OK goes on, MST_STOPPED ends the walk; after BEGIN, MST_UNKNOWN skips what is inside, as one LEAF. */
typedef mst_status (*mst_visit_function)(void *user, const mst_event *event);
MST_API mst_status mst_walk(const mst_document *document, mst_visit_function visit, void *user);

/* ---- checks --------------------------------------------------------------------------------------- */

typedef struct mst_check_options {
    const char *schema; /* text of a sidecar that describes things (NS2: editor_setup.xml); NULL */
    size_t schema_size;
    int information;              /* report information as well as warnings and errors */
    const mst_resolver *sidecars; /* NULL: none */
} mst_check_options;

typedef struct mst_check_result {
    uint64_t errors, warnings, information;
} mst_check_result;

/* Reports everything that is odd, in the order of the file where that is possible. Findings do not make it
 * fail; `result` (may be NULL) counts them. */
MST_API mst_status mst_check(const mst_document *document, const mst_check_options *options,
                             mst_report_function report, void *user, mst_check_result *result,
                             mst_diagnostic *diagnostic);

/* Every code a format can report: NULL beyond the end. */
typedef struct mst_code_information {
    const char *code;
    mst_severity severity;
    const char *documentation;
} mst_code_information;
MST_API const mst_code_information *mst_code_at(const mst_format_information *format, size_t index);

/* ---- in words ------------------------------------------------------------------------------------- */

/* Says in words what numbers say in the file, a line each: `what` is "triggers" or "rectangles".
 * MST_UNSUPPORTED: the format has no such thing. */
MST_API mst_status mst_describe(const mst_document *document, const char *what, mst_sink sink,
                                mst_diagnostic *diagnostic);

/* ---- reference ------------------------------------------------------------------------------------ */

/* The format's reference as Markdown, from the tables that read and write it. */
MST_API mst_status mst_write_reference(const mst_format_information *format, mst_sink sink);

#ifdef __cplusplus
}
#endif
#endif
