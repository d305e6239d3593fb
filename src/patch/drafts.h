/* SPDX-License-Identifier: MIT */
/*
 * Patches: steps that make one document from another. `patch_write.c` writes them as lines of JSON,
 * `patch_read.c` reads them. `draft.c` lays steps over the JSON of a document: changed values, and elements
 * that are inserted, removed and moved. `draft_write.c` writes the resulting JSON, `draft_numbers.c` makes
 * the numbers in it name the same elements as before.
 */
#ifndef MST_PATCH_DRAFTS_H
#define MST_PATCH_DRAFTS_H

#include "../compare/comparing.h"
#include "../core/json.h"
#include "patch_step.h"
#include <mapstone/edit.h>
#include <mapstone/merge.h>
#include <mapstone/patch.h>
#include <string.h>

#define MST_NONE UINT32_MAX

typedef struct mst_list_change mst_list_change;

/* ---- steps ------------------------------------------------------------------------------------------ */

typedef struct mst_patch_steps {
    mst_patch_step *items;
    size_t count;
    const char *format;    /* id; NULL: of a file that is not a level, or of several files */
    const char *file, *to; /* the file to patch, and its new name; NULL: not stated */
    bool many;             /* it begins a patch of `files` files */
    uint64_t files;
    const char *sha256[2]; /* of the old and the new document's files; NULL: not stated */
    mst_array *names;      /* mst_named: receives lists that values from the new document name; NULL */
    bool one_way;          /* the steps cannot be reversed */
    bool turned;           /* reversed: steps about the result are applied first */
} mst_patch_steps;

/* Everything is taken from the arena; `text` must live as long. MST_ARGUMENT: it is not a patch.
 * `unfinished`: its last line is missing. */
mst_status mst_patch_read(const char *text, size_t size, bool unfinished, mst_arena *arena,
                          mst_patch_steps *steps, mst_diagnostic *diagnostic);

/* The same for operations alone. */
mst_status mst_patch_read_lines(const char *text, size_t size, mst_arena *arena, mst_patch_steps *steps,
                                mst_diagnostic *diagnostic);

/* The path in the new document, or in a draft's result, of a value of the old document. NULL: out of memory,
 * or it no longer exists. */
const char *mst_path_translated(const mst_list_change *changes, const char *path, mst_arena *arena);
/* Reverses steps: they then make the old document from the new one. `limit`: the most elements that a list
 * can have. MST_REFUSED: the steps contradict each other. */
mst_status mst_patch_turn(mst_patch_steps *steps, uint64_t limit, mst_arena *arena,
                          mst_diagnostic *diagnostic);

/* Appends the lines of all differences of two documents. `elsewhere`: they also state what finds their
 * elements in other levels than the old document. `doubts`: as of mst_diff_with_doubts. */
mst_status mst_patch_write_steps(const mst_document *old_document, const mst_document *new_document,
                                 const mst_diff_options *options, bool elsewhere, mst_buffer *text,
                                 mst_doubts *doubts, mst_diagnostic *diagnostic);
/* Appends the line that states the numbers of elements of a list. `with_owner`: it also identifies the
 * element that has the list, for levels in which that has another index. */
mst_status mst_patch_write_list(const mst_document *old_document, const char *path, uint64_t old_count,
                                uint64_t new_count, bool with_owner, mst_buffer *text);
/* Appends the remaining differences between two documents of the same shape, as operations named `op`. */
mst_status mst_patch_write_rest(const mst_document *made, const mst_document *wanted, const char *op,
                                mst_arena *arena, mst_buffer *text, mst_diagnostic *diagnostic);

/* How the result of a patch is compared with the document, by the options of the patch. */
static inline mst_edit_options mst_patch_rechecks(const mst_patch_options *options) {
    static const mst_check_options alone = {.size = sizeof alone, .details = 1};
    return (mst_edit_options){.size = sizeof(mst_edit_options),
                              .checks = options->checks ? options->checks : &alone,
                              .force = options->force,
                              .report = options->found,
                              .user = options->user};
}

/* Whether a text is a list of offsets and bytes instead of a patch. */
bool mst_offsets_are_listed(const char *text, size_t size);
/* Makes the document that has the listed bytes; patch_offsets.c states when new errors are refused. */
mst_status mst_offsets_apply(const mst_document *document, const char *text, size_t size,
                             const mst_patch_options *how, mst_arena *arena, mst_document **result,
                             mst_diagnostic *diagnostic);
/* Lists the bytes in which two files of one size differ; counts the runs as operations. */
mst_status mst_offsets_make(const mst_document *old_document, const mst_document *new_document,
                            mst_patch_made *made, mst_sink sink, mst_diagnostic *diagnostic);

/* Packs the lines of a patch after its first `head` bytes, where that can be read again (patch_pack.c). */
mst_status mst_patch_pack(size_t head, mst_buffer *text, mst_diagnostic *diagnostic);
/* Unpacks `size` bytes of lines. MST_ARGUMENT: the data is not a stream of that size. */
mst_status mst_patch_unpack(const char *data, size_t length, uint64_t size, mst_arena *arena,
                            mst_buffer *lines, mst_diagnostic *diagnostic);

/* Appends the bytes in which two documents differ. MST_REFUSED: there are more than may be written without a
 * request. */
mst_status mst_patch_write_raw(const mst_document *made, const mst_document *wanted, bool with_data,
                               mst_buffer *text, mst_diagnostic *diagnostic);

/* Writes the lines of a patch, without its end, with bulk operations in place of lines for many elements.
 * Nothing is written if there is nothing to replace. */
mst_status mst_patch_write_bulk(const mst_document *const sides[2], const mst_buffer *text, mst_arena *arena,
                                mst_buffer *made);
/* Makes a step for each element of bulk operations, after they are turned to the direction in which they are
 * applied. MST_REFUSED: there are too many, or with `exact`, others than the elements that they were made
 * for. */
mst_status mst_patch_spread(mst_patch_steps *steps, const mst_document *document, bool exact,
                            mst_arena *arena, mst_diagnostic *diagnostic);

/* The changes between two documents, as steps. `doubts`: as of mst_diff_with_doubts. */
mst_status mst_steps_between(const mst_document *old_document, const mst_document *new_document,
                             mst_arena *arena, mst_patch_steps *steps, mst_doubts *doubts,
                             mst_diagnostic *diagnostic);

/* The hashes of a document's files, with a blank between them. NULL: out of memory. */
char *mst_document_sha256(const mst_document *document, mst_arena *arena);

/* The names of the sorts of differences in patches. */
#define MST_SORTS 5
extern const char *const mst_sort_names[MST_SORTS];

/* ---- drafts ----------------------------------------------------------------------------------------- */

/* A list whose elements are inserted, removed or moved. */
struct mst_list_change {
    struct mst_list_change *next;
    const char *path;                     /* in the old document */
    uint32_t node;                        /* in the draft's JSON; MST_NONE: it is missing */
    uint64_t old_count, new_count, count; /* elements of the old, the new and the draft's list */
    const uint32_t *from_old;             /* by index in the old list: the draft's index; NULL: the same */
    uint8_t *removed;                     /* by index in the old list: the new one lacks it */
    uint8_t *gone;                        /* by index in the draft's list: it is removed */
    mst_patch_step **inserted;            /* by index in the new list */
    uint32_t *moved;                      /* by index in the new list: the old index, or MST_NONE */
    uint32_t *known;                      /* the same, including moves that are left out */
    uint32_t *origin;                     /* by index in the new list: the old index, or MST_NONE */
    uint32_t *sequence; /* of the result: an index in the draft's list, or in the new one + MST_FROM_NEW */
    uint64_t result_count;
    uint32_t *now;     /* by index in the draft's list: the result's, or MST_NONE */
    uint32_t *new_now; /* by index in the new list */
    const char *result_path;
    bool proved; /* in `before`: the draft's list is unchanged */
};
#define MST_LIST_HASH 16 /* hexadecimal digits */
#define MST_FROM_NEW  (UINT32_C(1) << 31)

typedef enum mst_laid_kind {
    MST_LAID_VALUE,  /* replaced by `text`; NULL: by nothing */
    MST_LAID_MEMBER, /* an added member of an object: `name` and `text` */
    MST_LAID_LIST,
    MST_LAID_TABLE /* the nodes of a list's elements, for finding them */
} mst_laid_kind;

/* A change laid over a node of the JSON. */
typedef struct mst_laid {
    uint32_t next; /* over the same node: index + 1, 0: no more */
    uint32_t node;
    uint8_t kind; /* mst_laid_kind */
    const char *text, *name;
    mst_list_change *change;
    uint32_t *elements;
} mst_laid;

/* An element that numbers in the result would name, if it still existed. */
typedef struct mst_dangling_element {
    mst_list_change *list;
    uint64_t index; /* in the draft's list, or `made`: in the new one */
    bool made;      /* a value from the new document names it */
} mst_dangling_element;

/* A list whose elements are named by values from the new document. */
typedef struct mst_named {
    const void *field;
    uint64_t offset;
    const char *path; /* in the result; NULL: it is nested too deeply */
} mst_named;

typedef struct mst_draft {
    const mst_document *document;
    mst_arena *arena;
    mst_json json;
    uint32_t *first; /* by node: index + 1 in `laid`, 0: nothing */
    mst_array laid;
    mst_list_change *changes;
    const mst_list_change *before; /* changes from the old document to the draft's; NULL: the same document */
    mst_array made;     /* const char *: paths in the result of values taken from the new document */
    size_t steps;       /* number of steps laid over it */
    mst_array *names;   /* mst_named; NULL: not requested */
    bool fits;          /* the steps were made for another document than the draft's */
    bool unknown;       /* a value from the new document names an element of a list that has changed */
    bool merges;        /* the document was also made from the old one */
    mst_array orphans;  /* const char *: paths in the result of numbers whose element no longer exists */
    mst_array dangling; /* mst_dangling_element: numbers in the result that name nothing */
} mst_draft;

mst_status mst_draft_begin(mst_draft *draft, const mst_document *document, mst_arena *arena,
                           mst_diagnostic *diagnostic);
void mst_draft_end(mst_draft *draft);
/* The node of a value by its path in the old document; MST_NONE: it is missing. `parent` is then the object
 * that lacks it under `name`, or MST_NONE. */
mst_status mst_draft_find(mst_draft *draft, const char *path, uint32_t *node, uint32_t *parent,
                          const char **name);
/* The node of an element of an array, and of a value below a node; MST_NONE. */
uint32_t mst_draft_element(mst_draft *draft, uint32_t array, uint64_t index);
uint32_t mst_draft_below(mst_draft *draft, uint32_t node, const char *path);
/* The elements of a list of the draft, found by the descriptions in steps (patch_locate.c). */
#define MST_FORMS 16
typedef struct mst_form mst_form;
typedef struct mst_locator {
    mst_draft *draft;
    uint32_t list;
    mst_form *forms[MST_FORMS]; /* the latest */
    size_t next;                /* the one to be replaced next */
} mst_locator;
void mst_locator_begin(mst_locator *locator, mst_draft *draft, uint32_t list);
void mst_locator_end(mst_locator *locator);
/* The index of the element that a step is about: the best match, if it is the only one, or is at the expected
 * index. MST_NONE: there is none. */
mst_status mst_locator_find(mst_locator *locator, const mst_patch_step *step, uint64_t expected,
                            uint64_t *found);
/* Has the format translate steps about elements that are identified by their place into the draft's document:
 * such steps are replaced by others. Nothing happens where the lists are unchanged. */
mst_status mst_patch_carry(mst_draft *draft, mst_patch_steps *steps, mst_arena *arena,
                           mst_diagnostic *diagnostic);
/* Whether a list of the draft's document is unchanged since the patch was made. */
bool mst_patch_proved(mst_draft *draft, const mst_patch_step *list, mst_arena *arena);
/* The same for a list at a path, and all other lists of its record that the patch mentions. */
bool mst_patch_all_proved(mst_draft *draft, const mst_patch_steps *steps, const char *list, mst_arena *arena);
/* Finds the elements that steps are about in a document that the patch was not made for, and leaves out steps
 * that do not fit: `count` of them are about the content. */
mst_status mst_patch_fit(mst_draft *draft, mst_patch_steps *steps, mst_arena *arena,
                         mst_conflict_function rejected, void *user, uint64_t *count);
/* After a draft with numbers that name nothing: leaves out the steps that remove the elements that these
 * name, adding steps about the content to `count`. `any`: there were some. */
mst_status mst_patch_keep(const mst_draft *draft, mst_patch_steps *steps, mst_conflict_function rejected,
                          void *user, uint64_t *count, bool *any);
/* mst_patch_make for documents. */
mst_status mst_patch_of_documents(const mst_document *old_document, const mst_document *new_document,
                                  const mst_patch_options *options, mst_sink sink,
                                  mst_diagnostic *diagnostic);
/* How the patch of one of several files is applied to a file that it was not made for. */
typedef struct mst_patch_filter {
    mst_status (*leave_out)(void *user, mst_patch_step *step); /* sets `left_out` of steps; may be NULL */
    void *user;
    const mst_check_options *was; /* checks for the document before the patch; NULL: options->checks */
} mst_patch_filter;
mst_status mst_patch_apply_but(mst_document *document, const char *text, size_t size,
                               const mst_patch_options *options, const mst_patch_filter *filter,
                               mst_diagnostic *diagnostic);
/* mst_merge, where the files next to ours (0) and theirs (1) differ from those next to the result. */
mst_status mst_merge_beside(mst_document *ours, const mst_document *base, const mst_document *theirs,
                            const mst_merge_options *options, const mst_resolver *const *beside,
                            uint64_t *conflicts, mst_diagnostic *diagnostic);
/* Lays a step over the draft. MST_NO_PATH: the value that it is about is missing. */
mst_status mst_draft_lay(mst_draft *draft, mst_patch_step *step);
/* Determines the order of all lists that change, after all steps. MST_NO_MEMORY. */
mst_status mst_draft_arrange(mst_draft *draft);
bool mst_list_arrange(mst_arena *arena, mst_list_change *list);
/* The changes that steps make to the lists of the document that they were made for; `limit`: the most
 * elements that a list can have. */
mst_status mst_changes_of_steps(const mst_patch_steps *steps, uint64_t limit, mst_arena *arena,
                                mst_list_change **changes);
mst_list_change *mst_change_called(mst_list_change *changes, const char *path);

/* Appends the JSON of the result. MST_NO_MEMORY. */
mst_status mst_draft_write(mst_draft *draft, mst_buffer *text);
/* The result, whose numbers name the same elements as before. */
mst_status mst_draft_result(mst_draft *draft, mst_document **result, mst_diagnostic *diagnostic);
/* Removes numbers that make something part of a list, and whose element no longer exists. */
mst_status mst_draft_remove_orphans(const mst_draft *draft, mst_document *result, mst_diagnostic *diagnostic);
mst_status mst_draft_renumber(mst_draft *draft, mst_document *result, mst_diagnostic *diagnostic);
/* The index in the old list of an element of the draft's list; MST_NONE: it has none. */
uint64_t mst_old_index(const mst_list_change *list, uint64_t index);

static inline mst_laid *mst_laid_over(const mst_draft *draft, uint32_t node) {
    uint32_t at = draft->first[node];
    return at ? (mst_laid *)draft->laid.items + (at - 1) : NULL;
}
static inline mst_laid *mst_laid_next(const mst_draft *draft, const mst_laid *one) {
    return one->next ? (mst_laid *)draft->laid.items + (one->next - 1) : NULL;
}

#endif
