/* SPDX-License-Identifier: MIT */
/*
 * Editing many values at once, all or none, so that the level stays consistent: everything that belongs to an
 * element is removed with it, numbers that name elements are adjusted, and an edit that causes new errors is
 * refused.
 *
 *     mst_operation operations[] = {{.kind = MST_OPERATION_REMOVE, .path = "mesh.faces[100]"},
 *                                   {.path = "objects[3].class_name", .value = "location"}};
 *     mst_edit_options options = {.size = sizeof options, .cascade = 1};
 *     mst_edit(document, operations, 2, &options, &why);
 */
#ifndef MAPSTONE_EDIT_H
#define MAPSTONE_EDIT_H

#include <mapstone/document.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- operations ------------------------------------------------------------------------------------- */

typedef enum mst_operation_kind {
    MST_OPERATION_SET = 0, /* as mst_set */
    /* As mst_insert. Missing fields of an element are copied from the first element of the list of the same
     * kind, if the kind is given (an entity's class, a monster's type), else they are zero, empty or absent.
     * Properties may be an object of names and values. A face of Natural Selection 2 may have `positions` and
     * `holes` (of its corners) instead of loops, and the name of its material. Data about an element in other
     * lists may also be in its JSON, as SET takes it: `layer` and `group` of a face, names or ids (also
     * `layers`, `groups`), or its `layer_masks`. */
    MST_OPERATION_INSERT,
    MST_OPERATION_REMOVE,    /* as mst_remove */
    MST_OPERATION_DUPLICATE, /* inserts a copy of the element, at index `value`; NULL: directly after it */
    MST_OPERATION_MOVE,      /* the element gets index `value`; references into its list are adjusted */
    /* For elements with a position; all in the format's units, coordinates separated by commas. Faces of
     * Natural Selection 2 are moved together with their vertices, and are turned and scaled about their
     * centre. */
    MST_OPERATION_MOVE_BY, /* `value` is added to its position: "0,2,0" */
    MST_OPERATION_ROTATE,  /* it is turned about the vertical by the angle `value`, in the format's unit or in
                              degrees: "90deg"; its position also, about the point `about` */
    MST_OPERATION_SCALE,   /* its size is multiplied by `value`, one factor or three, "2" or "1,2,1", and its
                              distance from `about` */
    /* As INSERT at the end of a list, or in place of its first unused element if the game has a fixed number
     * of them. `path` is the list's, or the kind of element: an entity's class, a monster's type. `value` is
     * an object of fields and properties, which may be in the short form of scripts: "1,2,3" for [1, 2, 3].
     * For a quad of Alien Trilogy it may name the `cell`: the quad is added last in that cell's run. */
    MST_OPERATION_ADD
} mst_operation_kind;

/* How SET computes the new value. */
typedef enum mst_assignment {
    MST_ASSIGN = 0,   /* `value` itself */
    MST_ASSIGN_PLUS,  /* numbers: the sum; text: `value` is appended; flags: those in `value` are also set */
    MST_ASSIGN_MINUS, /* numbers: the difference; flags: those in `value` are cleared */
    MST_ASSIGN_TIMES, /* numbers: the product; of integers rounded to the nearest */
    MST_ASSIGN_SUBSTITUTE, /* text: `value` is "s/old/new/", or "s/old/new/g" for every occurrence */
    MST_ASSIGN_OR_ADD,     /* `value` itself; a property that the element lacks is added to it */
    MST_ASSIGN_OVER,       /* numbers: the quotient; of integers rounded to the nearest */
    /* The result of the expression in `value`, such as "intensity * 2", "round(origin[1], 0.25)" or
     * "\"door_\" + index". Names are paths in the record that has the value, or in an enclosing one; `index`
     * is the element's. All values of a selector are calculated before any is set. (docs/editing.md) */
    MST_ASSIGN_EXPRESSION
} mst_assignment;

/*
 * The path refers to the document after the preceding operations; it may be a selector, except for INSERT and
 * ADD. The last name of SET's path may also be the word of a label (mst_labels_open), or a number that names
 * an element; both can be set by the named element's name: `objects[3].layer = Lights`, also with PLUS and
 * MINUS; `mesh.faces[12].group`; `mesh.faces[12].material = materials/x.material`, which is added to the
 * level's materials if it is new. A number is an index or id; several layers are a list of JSON; "" is none.
 * A name that does not exist is refused.
 *
 * A face of Natural Selection 2 gets another shape in place by SET of `mesh.faces[3].positions`, its corners,
 * or `mesh.faces[3].holes`: neither is a stored value, but INSERT takes the same. Everything else about the
 * face is kept.
 *
 * `in=(NAME)` at the beginning of a path is everything in a room, the location of that name in Natural
 * Selection 2: its faces and its entities, one operation for each list of these. Elements that cross its
 * border are reported and kept; `each` is implied.
 */
typedef struct mst_operation {
    mst_operation_kind kind;
    const char *path;
    const char *value; /* JSON, as for mst_set; NULL: none, for REMOVE, DUPLICATE and ADD */
    mst_assignment assignment;
    /* The element that `path` is relative to: a JSON object with the path of its `list`, and its identifying
     * values, by their paths below it. It is looked for at `index` first. NULL: `path` is relative to the
     * document. An empty path is the element itself. */
    const char *at;
    /* SET, REMOVE: JSON that the value must be, else MST_REFUSED. NULL: anything. */
    const char *old;
    /* ROTATE, SCALE: a point, "8,3,8"; NULL: its position is kept. */
    const char *about;
    bool each; /* as `each` of the options, for this operation */
} mst_operation;

/*
 * Operations as text. The form for people is a line in an edit script, or an argument of `mapstone edit -e`:
 *
 *     set PATH = VALUE              PATH = VALUE             also with += -= *= /= ?=, or PATH s/old/new/
 *     set PATH := EXPRESSION        PATH := EXPRESSION
 *     insert PATH = VALUE           remove PATH
 *     add LIST [NAME=VALUE...]      add KIND [NAME=VALUE...]
 *     duplicate PATH [to INDEX]     move PATH to INDEX       move PATH by X,Y,Z
 *     rotate PATH by ANGLE [about X,Y,Z]                     scale PATH by FACTOR [about X,Y,Z]
 *     each OPERATION
 *
 * Programs write one JSON object per line: {"op": "set", "path": ..., "new": ...}, optionally with "old",
 * "at" and "by" (the operator, "+="), "each": true, "new" for insert and add, and "to" for duplicate and
 * move. The amount to move, rotate or scale by is in "by" (numbers or text), and "about" is a point. Both
 * forms may be in one script. Empty lines, and lines that begin with #, are ignored.
 */
typedef struct mst_operations mst_operations;
/* Appends one operation, whose text may contain line breaks, or the lines of a `script`. If `*operations` is
 * NULL, it is created with the allocator (may be NULL). MST_ARGUMENT: it is not an operation; the diagnostic
 * has the line's number as its path. */
MST_API mst_status mst_operations_read(mst_operations **operations, const char *text, size_t size,
                                       bool script, const mst_allocator *allocator,
                                       mst_diagnostic *diagnostic);
/* All of them, valid until the next is read. */
MST_API const mst_operation *mst_operations_all(const mst_operations *operations, size_t *count);
/* NULL is allowed. */
MST_API void mst_operations_free(mst_operations *operations);

/* ---- options ---------------------------------------------------------------------------------------- */

/* A change is an operation's effect on a value; a difference (mapstone/diff.h) is between two documents,
 * however they were made. Both use the same terms: set, add, remove, move. */
typedef enum mst_change_kind {
    MST_CHANGE_SET = 0, /* the value was changed, or is new in its record */
    MST_CHANGE_ADD,     /* an element was inserted or duplicated */
    MST_CHANGE_REMOVE,  /* an element or a field was removed */
    MST_CHANGE_MOVE     /* an element changed its index in its list */
} mst_change_kind;
typedef struct mst_edit_change {
    mst_change_kind kind;
    const char *path;      /* ADD: of the new element; else of the value at the time of the operation */
    const char *old, *now; /* JSON on one line; NULL: there is none. MOVE: the indices */
} mst_edit_change;
typedef mst_status (*mst_change_function)(void *user, const mst_edit_change *change);

typedef struct mst_edit_options {
    size_t size; /* sizeof(mst_edit_options) */
    /* References to a removed element are set to nothing, if the format has a value for that, or else their
     * elements are also removed. Otherwise the removal is refused. */
    bool cascade;
    /* Selectors may match several values, all of which are edited; elements that lack the value are counted.
     * Otherwise either is an error. */
    bool each;
    bool keep_loose; /* elements used only by removed ones are kept: edges and vertices without a face */
    /* The checks of the document are run before and after all operations: a new error, or a new number that
     * names nothing, refuses them, with the finding as the diagnostic. NULL: no checks. New entities get the
     * properties that its schema (editor_setup.xml) describes for their class. */
    const mst_check_options *checks;
    bool force; /* findings of the checks are reported, but refuse nothing */
    /* Receives further changes (severity information), references to an element that therefore cannot be
     * removed (error), new findings of the checks (their severity). May be NULL. Any status but MST_OK ends
     * the edit with it. */
    mst_report_function report;
    void *user;
    /* Receives the changes of the operations themselves, one by one. May be NULL. */
    mst_change_function change;
    /* Moving faces of Natural Selection 2: vertices shared with other faces are moved along. Otherwise that
     * is refused. */
    bool drag;
    bool world_texture; /* and their textures keep their place in the world, not on the faces */
    /* Setting a value that determines which other fields exist, such as the type of an object: values that
     * the object can no longer have are lost and reported (severity warning). Otherwise that is refused. */
    bool allow_loss;
    /* The largest size in bytes that the document may grow to; larger results are refused. 0: 64 times its
     * size when opened (for a paste, the larger of the two), at least 64 MiB. */
    uint64_t growth_limit;
    /* Copies by DUPLICATE and mst_paste keep the names and numbers by which others refer to the originals.
     * Otherwise they get new names, which are reported, and refer to each other by them. */
    bool keep_names;
    /* Setting a name, a number or an id that is unique to this element leaves references to it unchanged.
     * Otherwise they are set to the new one, which is reported. */
    bool keep_references;
} mst_edit_options;

/* ---- editing ---------------------------------------------------------------------------------------- */

/*
 * Applies the operations in their order, all or none: on failure the document is unchanged. Success
 * invalidates every value handle of the document. `options` NULL: no cascade, no checks. MST_REFUSED: the
 * result would not read back as intended, others refer to a removed element, or there is a new error.
 */
MST_API mst_status mst_edit(mst_document *document, const mst_operation *operations, size_t count,
                            const mst_edit_options *options, mst_diagnostic *diagnostic);

/*
 * The same step by step, without changing the document yet: mst_edit_document returns the future state. After
 * a failed operation, the transaction can only be aborted. Commit and abort end it; a failed commit is an
 * abort. The document must not be edited in any other way meanwhile, and the options must stay valid.
 */
typedef struct mst_transaction mst_transaction;
MST_API mst_status mst_edit_begin(mst_document *document, const mst_edit_options *options,
                                  mst_transaction **transaction, mst_diagnostic *diagnostic);
MST_API mst_status mst_edit_apply(mst_transaction *transaction, const mst_operation *operation,
                                  mst_diagnostic *diagnostic);
/* The document after the operations so far, valid until the next one, for reading and checking only: the
 * content to save is made by the commit. The operations are verified for it: NULL if one cannot be applied
 * (commit reports which), or there is no transaction. */
MST_API const mst_document *mst_edit_document(mst_transaction *transaction);
MST_API mst_status mst_edit_commit(mst_transaction *transaction, mst_diagnostic *diagnostic);
/* NULL is allowed. */
MST_API void mst_edit_abort(mst_transaction *transaction);

/*
 * Undoing and redoing edits, byte for byte and any number of times: begin before the edit, end after it; each
 * swap then changes the document to its state at the other end. An undo stores only the differences. Single
 * operations have no inverse, because no operation could restore everything that is removed along with an
 * element. As text, which can also be applied to other documents, an edit's effect is a patch
 * (mapstone/patch.h).
 *
 *     mst_undo_begin(level, &undo, &why);
 *     mst_edit(level, operations, count, &options, &why);
 *     mst_undo_end(undo, level, &why);
 *     mst_undo_swap(undo, level, &why); // and again to redo it
 */
typedef struct mst_undo mst_undo;
MST_API mst_status mst_undo_begin(const mst_document *document, mst_undo **undo, mst_diagnostic *diagnostic);
MST_API mst_status mst_undo_end(mst_undo *undo, const mst_document *document, mst_diagnostic *diagnostic);
/* Invalidates every value handle of the document. MST_REFUSED: the document has changed since. */
MST_API mst_status mst_undo_swap(mst_undo *undo, mst_document *document, mst_diagnostic *diagnostic);
/* Its memory use in bytes. */
MST_API size_t mst_undo_memory(const mst_undo *undo);
/* NULL is allowed. */
MST_API void mst_undo_free(mst_undo *undo);

/*
 * Pastes the content of another document: a clipboard into a level of Natural Selection 2, after its existing
 * elements. All or nothing, with the checks of the options. Content that the level cannot hold (layers and
 * groups with ids that it lacks, data that its version does not store) is reported and left out; the latter
 * refuses the paste unless the options force it. MST_UNSUPPORTED: the content cannot be pasted there.
 */
MST_API mst_status mst_paste(mst_document *document, const mst_document *content,
                             const mst_edit_options *options, mst_diagnostic *diagnostic);

/*
 * Assigns everything in a grid to the cell of its position, and recomputes the cells' boxes: the static
 * meshes of a Turok level. Edits themselves only adjust the boxes. All or nothing; the table of visibility is
 * removed if a mesh gets another number. MST_UNSUPPORTED: the format has no grid.
 */
MST_API mst_status mst_update_grid(mst_document *document, mst_diagnostic *diagnostic);

/* ---- fixing ---------------------------------------------------------------------------------------- */

typedef struct mst_fixed_value {
    const char *code;      /* of the finding */
    const char *path;      /* of the value that is set */
    const char *old, *now; /* JSON on one line */
} mst_fixed_value;
typedef mst_status (*mst_fixed_function)(void *user, const mst_fixed_value *fixed);

typedef struct mst_fix_options {
    size_t size; /* sizeof(mst_fix_options) */
    /* For findings that need sidecars. NULL: the document alone. */
    const mst_check_options *checks;
    /* Whether to fix findings of a code; NULL: all are fixed. */
    bool (*wants)(void *user, const char *code);
    mst_fixed_function fixed; /* receives each value that is set; may be NULL. Not MST_OK ends it */
    void *user;
} mst_fix_options;

/*
 * Corrects values that the checks find wrong and that other values in the file fully determine: hashes,
 * counts, sums and boxes. All or nothing; `count` (may be NULL) receives the number of values set. Everything
 * else is for people to decide.
 */
MST_API mst_status mst_fix(mst_document *document, const mst_fix_options *options, uint64_t *count,
                           mst_diagnostic *diagnostic);

/* ---- new levels --------------------------------------------------------------------------------------- */

/* The name of a template for new levels, the simplest first; NULL: the format has no more. `summary` (may be
 * NULL) receives a description of its content. */
MST_API const char *mst_template_name(const mst_format_information *format, size_t index,
                                      const char **summary);

typedef struct mst_new_options {
    size_t size;               /* sizeof(mst_new_options) */
    const char *template_name; /* NULL: the first */
    const char *name;          /* of the file, if its content depends on that (a sector's place); or NULL */
    uint32_t version;          /* of the format; 0: the newest that the template supports */
    mst_allocator allocator;
} mst_new_options;

/*
 * Creates a new level, without any file of a game. Its checks find no error and no warning. `options` may be
 * NULL. MST_NO_PATH: there is no such format or template, or the format has none. MST_ARGUMENT: the version
 * is not known. MST_REFUSED: the template has content that this version cannot store.
 */
MST_API mst_status mst_new(const char *format, const mst_new_options *options, mst_document **document,
                           mst_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif
#endif
