/* SPDX-License-Identifier: MIT */
/*
 * Editing many values at once, all or none, so that the level stays whole: what belongs to an element goes
 * with it, numbers that name elements follow, and new errors refuse the edit.
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
    /* As mst_insert. The rest of an element of which only some fields are given is as in the first one of the
     * list that is of the same kind, if that is given (an entity's class, a monster's type), else zero, empty
     * or nothing. Properties may be an object of names and values. A face of Natural Selection 2 may have
     * `positions` and `holes` (of its corners) instead of loops, and the name of its material. What other
     * lists say about an element may be in its JSON, too, as SET takes it: `layer` and `group` of a face,
     * names or ids (also `layers`, `groups`), or its `layer_masks`. */
    MST_OPERATION_INSERT,
    MST_OPERATION_REMOVE,    /* as mst_remove */
    MST_OPERATION_DUPLICATE, /* inserts a copy of the element, at index `value`; NULL: directly after it */
    MST_OPERATION_MOVE,      /* the element gets index `value`; what names elements of its list follows */
    /* Of what stands somewhere, all in the format's units, coordinates with commas between them. Faces of
     * Natural Selection 2 are one thing with their vertices, and are turned and scaled about their middle. */
    MST_OPERATION_MOVE_BY, /* `value` is added to its position: "0,2,0" */
    MST_OPERATION_ROTATE,  /* it is turned about the vertical by the angle `value`, as the format counts
                              angles,  or in degrees: "90deg"; its position, too, about the point `about` */
    MST_OPERATION_SCALE,   /* its size is multiplied by `value`, one factor or three, "2" or "1,2,1", and its
                              distance from `about` */
    /* As INSERT at the end of a list, or instead of its first unused element where the game has a fixed
     * number of them. `path` is the list's, or what the element is: an entity's class, a monster's type.
     * `value` is an object of fields and properties, which may be as people write them: "1,2,3" for [1, 2,
     * 3]. Of a quad of Alien Trilogy it may name the `cell`: the quad comes last in that cell's run. */
    MST_OPERATION_ADD
} mst_operation_kind;

/* How SET makes the new value. */
typedef enum mst_assignment {
    MST_ASSIGN = 0,   /* `value` itself */
    MST_ASSIGN_PLUS,  /* numbers: the sum; text: `value` is appended; flags: those in `value` are set, too */
    MST_ASSIGN_MINUS, /* numbers: the difference; flags: those in `value` are cleared */
    MST_ASSIGN_TIMES, /* numbers: the product; of integers rounded to the nearest */
    MST_ASSIGN_SUBSTITUTE, /* text: `value` is "s/old/new/", or "s/old/new/g" for every occurrence */
    MST_ASSIGN_OR_ADD,     /* `value` itself; a property that the element lacks is added to it */
    MST_ASSIGN_OVER,       /* numbers: the quotient; of integers rounded to the nearest */
    /* What the expression in `value` gives, such as "intensity * 2", "round(origin[1], 0.25)" or "\"door_\" +
     * index". Names are paths in the record that the value is in, or in one around it; `index` is that of
     * the element. All values of a selector are calculated before any is set. (docs/editing.md) */
    MST_ASSIGN_EXPRESSION
} mst_assignment;

/*
 * The path is that of the document after the operations before; it may be a selector, except for INSERT and
 * ADD. SET also takes a word for a label (mst_labels_open) as the last name of a path, or a number that names
 * an element, and the names of what they name: `objects[3].layer = Lights`, also with PLUS and MINUS;
 * `mesh.faces[12].group`; `mesh.faces[12].material = materials/x.material`, which is added to the level's
 * materials if it is new. A number is an index or id; several layers are a list of JSON; "" is none. A name
 * that does not exist is refused.
 *
 * A face of Natural Selection 2 gets another shape in place by SET of `mesh.faces[3].positions`, its corners,
 * or `mesh.faces[3].holes`: neither is a value that it has, but what INSERT takes. All else of the face
 * stays.
 *
 * `in=(NAME)` at the beginning of a path is everything in a room, the location of that name in Natural
 * Selection 2: its faces and its entities, one operation for each list of these. What crosses its border is
 * reported and stays; `each` is meant.
 */
typedef struct mst_operation {
    mst_operation_kind kind;
    const char *path;
    const char *value; /* JSON, as for mst_set; NULL: none, for REMOVE, DUPLICATE and ADD */
    mst_assignment assignment;
    /* The element that `path` begins below: a JSON object with the path of its `list`, and what it is to be
     * known by: paths below it with their values. `index` is where it is looked for first. NULL: `path`
     * begins at the document. An empty path is the element itself. */
    const char *at;
    /* SET, REMOVE: JSON that the value must be, else MST_REFUSED. NULL: anything. */
    const char *old;
    /* ROTATE, SCALE: a point, "8,3,8"; NULL: its position stays. */
    const char *about;
    bool each; /* as `each` of the options, for this operation */
} mst_operation;

/*
 * Operations as text. One of people is a line in an edit script, or an argument of `mapstone edit -e`:
 *
 *     set PATH = VALUE              PATH = VALUE             also with += -= *= /= ?=, or PATH s/old/new/
 *     set PATH := EXPRESSION        PATH := EXPRESSION
 *     insert PATH = VALUE           remove PATH
 *     add LIST [NAME=VALUE...]      add KIND [NAME=VALUE...]
 *     duplicate PATH [to INDEX]     move PATH to INDEX       move PATH by X,Y,Z
 *     rotate PATH by ANGLE [about X,Y,Z]                     scale PATH by FACTOR [about X,Y,Z]
 *     each OPERATION
 *
 * Programs write one JSON object a line: {"op": "set", "path": ..., "new": ...} with "old", "at" and "by"
 * (the operator, "+=") where they are wanted, "each": true, "new" for insert and add, and "to" for duplicate
 * and move. To move, rotate and scale by something, that is in "by" (numbers or text), and "about" a point.
 * Both forms may be in one script. Empty lines, and lines that begin with #, are ignored.
 */
typedef struct mst_operations mst_operations;
/* Appends one operation, whose text may contain line breaks, or the lines of a `script`. `*operations`
 * NULL: made, with the allocator (may be NULL). MST_ARGUMENT: it is not an operation; the diagnosis has the
 * line's number as its path. */
MST_API mst_status mst_operations_read(mst_operations **operations, const char *text, size_t size,
                                       bool script, const mst_allocator *allocator,
                                       mst_diagnostic *diagnostic);
/* All of them, valid until the next is read. */
MST_API const mst_operation *mst_operations_all(const mst_operations *operations, size_t *count);
/* NULL is allowed. */
MST_API void mst_operations_free(mst_operations *operations);

/* ---- options ---------------------------------------------------------------------------------------- */

/* A change is what an operation did to a value; a difference (mapstone/diff.h) is what two documents differ
 * in, whatever made them. Both are called by the same words: set, add, remove, move. */
typedef enum mst_change_kind {
    MST_CHANGE_SET = 0, /* the value is another one, or is new in its record */
    MST_CHANGE_ADD,     /* an element came: inserted or duplicated */
    MST_CHANGE_REMOVE,  /* an element or a field went */
    MST_CHANGE_MOVE     /* an element has another place in its list */
} mst_change_kind;
typedef struct mst_edit_change {
    mst_change_kind kind;
    const char *path;      /* ADD: of the new element; else of the value when the operation came to it */
    const char *old, *now; /* JSON on one line; NULL: there is none. MOVE: the indices */
} mst_edit_change;
typedef mst_status (*mst_change_function)(void *user, const mst_edit_change *change);

typedef struct mst_edit_options {
    size_t size; /* sizeof(mst_edit_options) */
    /* What refers to a removed element refers to nothing afterwards, where the format has a value for that,
     * or is removed, too. Otherwise the removal is refused. */
    bool cascade;
    /* Selectors may stand for several values, all of which are edited; elements that lack the value are
     * counted. Otherwise either is an error. */
    bool each;
    bool keep_loose; /* what only removed elements referred to stays: edges and vertices without a face */
    /* The checks of the document run before and after all operations: an error, or a number that names
     * nothing, that was not there before refuses them, with the finding as the diagnosis. NULL: no checks.
     * New entities are as its schema (editor_setup.xml) describes their class. */
    const mst_check_options *checks;
    bool force; /* what the checks find is reported, but refuses nothing */
    /* Receives what else changes (severity information), what refers to an element that cannot be removed
     * (error), new findings of the checks (their severity). NULL: nobody. Not MST_OK ends the edit with it.
     */
    mst_report_function report;
    void *user;
    /* Receives what the operations themselves change, one by one. NULL: nobody. */
    mst_change_function change;
    /* Moving faces of Natural Selection 2: vertices that others have, too, are moved along. Otherwise that is
     * refused. */
    bool drag;
    bool world_texture; /* and their textures stay where they are in the world, not on the faces */
    /* Setting what decides about other fields, as the type of an object does: values that the object cannot
     * have any more are lost and reported (severity warning). Otherwise that is refused. */
    bool allow_loss;
    /* Bytes that the document may grow to: what would make it larger is refused. 0: 64 times as many as it
     * was opened with (of a paste, as the larger of the two has), at least 64 MiB. */
    uint64_t growth_limit;
    /* Copies by DUPLICATE and mst_paste keep the names and numbers by which others refer to the originals.
     * Otherwise they get names of their own, reported, and refer to each other by them. */
    bool keep_names;
    /* Setting a name, a number or an id that only this element has leaves those that refer to it. Otherwise
     * they are set to the new one, which is reported. */
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
 * The same step by step, while the document stays as it is: mst_edit_document is how it will be. After an
 * operation that failed, the transaction can only be aborted. Commit and abort end it; a commit that fails is
 * an abort. The document must not be edited otherwise meanwhile, and the options must live as long.
 */
typedef struct mst_transaction mst_transaction;
MST_API mst_status mst_edit_begin(mst_document *document, const mst_edit_options *options,
                                  mst_transaction **transaction, mst_diagnostic *diagnostic);
MST_API mst_status mst_edit_apply(mst_transaction *transaction, const mst_operation *operation,
                                  mst_diagnostic *diagnostic);
/* The document after the operations so far, valid until the next, to be read and checked: what is saved is
 * made by the commit. They are proved for it: NULL if one cannot be carried out (commit says which), or there
 * is no transaction. */
MST_API const mst_document *mst_edit_document(mst_transaction *transaction);
MST_API mst_status mst_edit_commit(mst_transaction *transaction, mst_diagnostic *diagnostic);
/* NULL is allowed. */
MST_API void mst_edit_abort(mst_transaction *transaction);

/*
 * Taking edits back, and making them again, to the byte and as often as wanted: begin before the edit, end
 * after it; each swap then changes the document to how it was at the other end. An undo keeps only what
 * differs. There is no inverse of single operations, because what goes with an element could not be put back
 * by others. As text, which fits other documents, too, what an edit did is a patch (mapstone/patch.h).
 *
 *     mst_undo_begin(level, &undo, &why);
 *     mst_edit(level, operations, count, &options, &why);
 *     mst_undo_end(undo, level, &why);
 *     mst_undo_swap(undo, level, &why); // and again to redo it
 */
typedef struct mst_undo mst_undo;
MST_API mst_status mst_undo_begin(const mst_document *document, mst_undo **undo, mst_diagnostic *diagnostic);
MST_API mst_status mst_undo_end(mst_undo *undo, const mst_document *document, mst_diagnostic *diagnostic);
/* Invalidates every value handle of the document. MST_REFUSED: the document is not as it was. */
MST_API mst_status mst_undo_swap(mst_undo *undo, mst_document *document, mst_diagnostic *diagnostic);
/* The bytes that it takes. */
MST_API size_t mst_undo_memory(const mst_undo *undo);
/* NULL is allowed. */
MST_API void mst_undo_free(mst_undo *undo);

/*
 * Pastes the content of another document: a clipboard into a level of Natural Selection 2, after what is
 * there. All or nothing, with the checks of the options. What the level cannot hold (layers and groups of
 * ids that it lacks, what its version does not store) is reported and left out; with the latter it is
 * refused, unless the options force it. MST_UNSUPPORTED: that cannot be pasted there.
 */
MST_API mst_status mst_paste(mst_document *document, const mst_document *content,
                             const mst_edit_options *options, mst_diagnostic *diagnostic);

/*
 * Files everything that is in a grid into the cell that it stands in, and makes the cells' boxes again: the
 * static meshes of a Turok level. Edits themselves only let the boxes follow. All or nothing; the table of
 * visibility goes if a mesh gets another number. MST_UNSUPPORTED: the format has no grid.
 */
MST_API mst_status mst_refile(mst_document *document, mst_diagnostic *diagnostic);

/* ---- mending ---------------------------------------------------------------------------------------- */

typedef struct mst_mended {
    const char *code;      /* of the finding */
    const char *path;      /* of the value that is set */
    const char *old, *now; /* JSON on one line */
} mst_mended;
typedef mst_status (*mst_mended_function)(void *user, const mst_mended *mended);

typedef struct mst_mend_options {
    size_t size; /* sizeof(mst_mend_options) */
    /* For findings that need sidecars. NULL: the document alone. */
    const mst_check_options *checks;
    /* Whether findings of a code are to be mended; NULL: all are. */
    bool (*wants)(void *user, const char *code);
    mst_mended_function mended; /* receives each value that is set; NULL: nobody. Not MST_OK ends it */
    void *user;
} mst_mend_options;

/*
 * Sets right what the checks find and what can have only one value, because others in the file determine it:
 * hashes, counts, sums and boxes. All or nothing; `count` (may be NULL) receives how many values were set.
 * Everything else is for people to decide.
 */
MST_API mst_status mst_mend(mst_document *document, const mst_mend_options *options, uint64_t *count,
                            mst_diagnostic *diagnostic);

/* ---- new levels --------------------------------------------------------------------------------------- */

/* The name of a level to begin with, the simplest first; NULL: the format has no more. `summary` (may be
 * NULL) receives what is in it. */
MST_API const char *mst_template_name(const mst_format_information *format, size_t index,
                                      const char **summary);

typedef struct mst_new_options {
    size_t size;               /* sizeof(mst_new_options) */
    const char *template_name; /* NULL: the first */
    const char *name; /* of the file, where its content depends on that (a sector's place); or NULL */
    uint32_t version; /* of the format; 0: the newest that the template can be */
    mst_allocator allocator;
} mst_new_options;

/*
 * A new level: no file of a game is needed. Its checks find no error and no warning. `options` may be NULL.
 * MST_NO_PATH: there is no such format or template, or the format has none. MST_ARGUMENT: the version is not
 * known. MST_REFUSED: the template has what that version cannot store.
 */
MST_API mst_status mst_new(const char *format, const mst_new_options *options, mst_document **document,
                           mst_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif
#endif
