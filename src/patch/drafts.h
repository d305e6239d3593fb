/* SPDX-License-Identifier: MIT */
/*
 * Patches: what makes one document of another. `patch_write.c` writes them as lines of JSON, `patch_read.c`
 * reads them as steps. `draft.c` lays steps over the JSON of a document: values that are others, elements
 * that come, go and change places. `draft_write.c` writes the JSON that this gives, `draft_numbers.c` lets
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
    const char *file, *to; /* that it is for, and what it is called then; NULL: not said */
    bool many;             /* it begins a patch of `files` files */
    uint64_t files;
    const char *sha256[2]; /* of the old and the new document's files; NULL: not said */
    mst_array *names;      /* mst_named: receives what values from the new document name; NULL */
    bool one_way;          /* they cannot be turned */
    bool turned;           /* they make the old document: those of the result come first */
} mst_patch_steps;

/* Everything is taken from the arena; `text` must live as long. MST_ARGUMENT: it is not a patch.
 * `unfinished`: its last line is missing. */
mst_status mst_patch_read(const char *text, size_t size, bool unfinished, mst_arena *arena,
                          mst_patch_steps *steps, mst_diagnostic *diagnostic);

/* The same of operations alone. */
mst_status mst_patch_read_lines(const char *text, size_t size, mst_arena *arena, mst_patch_steps *steps,
                                mst_diagnostic *diagnostic);

/* The path in the new document, or a draft's result, of what a path names in the old one. NULL: there is no
 * memory, or it has no such element. */
const char *mst_path_translated(const mst_list_change *changes, const char *path, mst_arena *arena);
/* Turns steps round: they make the old document of the new one. `limit`: the most elements
 * that a list can have. MST_REFUSED: they contradict each other. */
mst_status mst_patch_turn(mst_patch_steps *steps, uint64_t limit, mst_arena *arena,
                          mst_diagnostic *diagnostic);

/* Appends the lines of all differences of two documents. `doubts`: as of mst_diff_with_doubts. */
mst_status mst_patch_write_steps(const mst_document *old_document, const mst_document *new_document,
                                 const mst_diff_options *options, mst_buffer *text, mst_doubts *doubts,
                                 mst_diagnostic *diagnostic);
/* Says how many elements a list of the old document has. */
mst_status mst_patch_write_list(const mst_document *old_document, const char *path, uint64_t old_count,
                                uint64_t new_count, mst_buffer *text);
/* Appends what still differs between two documents of the same shape, as operations of that name. */
mst_status mst_patch_write_rest(const mst_document *made, const mst_document *wanted, const char *op,
                                mst_arena *arena, mst_buffer *text, mst_diagnostic *diagnostic);

/* How the result of a patch is compared with the document, as the options of the patch say. */
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
/* Makes the document that has the listed bytes, and is as right as the given one. */
mst_status mst_offsets_apply(const mst_document *document, const char *text, size_t size,
                             const mst_patch_options *how, mst_arena *arena, mst_document **result,
                             mst_diagnostic *diagnostic);
/* Lists the bytes in which two files of one size differ. */
mst_status mst_offsets_make(const mst_document *old_document, const mst_document *new_document, mst_sink sink,
                            mst_diagnostic *diagnostic);

/* Appends the bytes in which two documents differ. MST_REFUSED: there are more than anybody asked for. */
mst_status mst_patch_write_raw(const mst_document *made, const mst_document *wanted, bool with_data,
                               mst_buffer *text, mst_diagnostic *diagnostic);

/* The lines of a patch, without its end, with bulk operations in place of those of many elements. Nothing is
 * written if there is nothing to replace. */
mst_status mst_patch_write_bulk(const mst_document *const sides[2], const mst_buffer *text, mst_arena *arena,
                                mst_buffer *made);
/* Makes a step for each element of bulk operations, once they are turned to the way that they are applied.
 * MST_REFUSED: there are too many. `exact`: or they are not about the elements that they were made for. */
mst_status mst_patch_spread(mst_patch_steps *steps, const mst_document *document, bool exact,
                            mst_arena *arena, mst_diagnostic *diagnostic);

/* What changed between two documents, read as steps. `doubts`: as of mst_diff_with_doubts. */
mst_status mst_steps_between(const mst_document *old_document, const mst_document *new_document,
                             mst_arena *arena, mst_patch_steps *steps, mst_doubts *doubts,
                             mst_diagnostic *diagnostic);

/* The hashes of a document's files, with a blank between them. NULL: there is no memory. */
char *mst_document_sha256(const mst_document *document, mst_arena *arena);

/* What patches call the sorts of differences. */
#define MST_SORTS 5
extern const char *const mst_sort_names[MST_SORTS];

/* ---- drafts ----------------------------------------------------------------------------------------- */

/* A list whose elements come, go or change places. */
struct mst_list_change {
    struct mst_list_change *next;
    const char *path;                     /* in the old document */
    uint32_t node;                        /* in the draft's JSON; MST_NONE: it is not there */
    uint64_t old_count, new_count, count; /* of the old and the new document's list, and the draft's */
    const uint32_t *from_old;             /* by index in the old list, that in the draft's; NULL: the same */
    uint8_t *removed;                     /* by index in the old list: the new one lacks it */
    uint8_t *gone;                        /* by index in the draft's list: it goes */
    mst_patch_step **inserted;            /* by index in the new list */
    uint32_t *moved;                      /* by index in the new list: that in the old one, or MST_NONE */
    uint32_t *known;                      /* the same, of moves that are left out, too */
    uint32_t *origin;                     /* by index in the new list: that in the old one, or MST_NONE */
    uint32_t *sequence; /* of the result: an index in the draft's list, or in the new one + MST_FROM_NEW */
    uint64_t result_count;
    uint32_t *now;     /* by index in the draft's list: that in the result, or MST_NONE */
    uint32_t *new_now; /* by index in the new list */
    const char *result_path;
    bool proved; /* in `before`: the draft's list is the old one */
};
#define MST_LIST_HASH 16 /* hexadecimal digits */
#define MST_FROM_NEW  (UINT32_C(1) << 31)

typedef enum mst_laid_kind {
    MST_LAID_VALUE,  /* `text` stands there; NULL: nothing */
    MST_LAID_MEMBER, /* of an object, one more: `name` and `text` */
    MST_LAID_LIST,
    MST_LAID_TABLE /* the nodes of a list's elements, for finding them */
} mst_laid_kind;

/* What is laid over a node of the JSON. */
typedef struct mst_laid {
    uint32_t next; /* over the same node: index + 1, 0: no more */
    uint32_t node;
    uint8_t kind; /* mst_laid_kind */
    const char *text, *name;
    mst_list_change *change;
    uint32_t *elements;
} mst_laid;

/* An element that numbers in the result would name, if it were there. */
typedef struct mst_dangling {
    mst_list_change *list;
    uint64_t index; /* in the draft's list, or `made`: in the new one */
    bool made;      /* a value from the new document names it */
} mst_dangling;

/* A list that values from the new document name elements of. */
typedef struct mst_named {
    const void *field;
    uint64_t offset;
    const char *path; /* in the result; NULL: it is nested too deep */
} mst_named;

typedef struct mst_draft {
    const mst_document *document;
    mst_arena *arena;
    mst_json json;
    uint32_t *first; /* by node: index + 1 in `laid`, 0: nothing */
    mst_array laid;
    mst_list_change *changes;
    const mst_list_change
        *before;      /* of what made the draft's document of the old one; NULL: it is the same */
    mst_array made;   /* const char *: paths in the result of values that are those of the new document */
    size_t steps;     /* how many are laid over it */
    mst_array *names; /* mst_named; NULL: nobody asks */
    bool fits;        /* the steps were made of another document than the draft's */
    bool unknown; /* a value from the new document names an element of a list that is no longer the same */
    bool merges;  /* the document was made of the old one, too */
    mst_array orphans;  /* const char *: paths in the result of members that are gone */
    mst_array dangling; /* mst_dangling: numbers in the result that name nothing */
} mst_draft;

mst_status mst_draft_begin(mst_draft *draft, const mst_document *document, mst_arena *arena,
                           mst_diagnostic *diagnostic);
void mst_draft_end(mst_draft *draft);
/* The node of a value by its path in the old document; MST_NONE: it is not there. `parent` is then the object
 * that lacks it under `name`, or MST_NONE. */
mst_status mst_draft_find(mst_draft *draft, const char *path, uint32_t *node, uint32_t *parent,
                          const char **name);
/* The node of an element of an array, and of a value below a node; MST_NONE. */
uint32_t mst_draft_element(mst_draft *draft, uint32_t array, uint64_t index);
uint32_t mst_draft_below(mst_draft *draft, uint32_t node, const char *path);
/* The elements of a list of the draft, found by what steps say of them (patch_locate.c). */
#define MST_FORMS 16
typedef struct mst_form mst_form;
typedef struct mst_locator {
    mst_draft *draft;
    uint32_t list;
    mst_form *forms[MST_FORMS]; /* the latest */
    size_t next;                /* that is replaced next */
} mst_locator;
void mst_locator_begin(mst_locator *locator, mst_draft *draft, uint32_t list);
void mst_locator_end(mst_locator *locator);
/* The index of the element that a step is about: the one that is it most surely, if it is the only such one,
 * or is where it is expected. MST_NONE: it is not there. */
mst_status mst_locator_find(mst_locator *locator, const mst_patch_step *step, uint64_t expected,
                            uint64_t *found);
/* Lets the format say what steps about elements that are known by where they are mean in the draft's
 * document: these are replaced by others. Nothing happens where the lists are as they were. */
mst_status mst_patch_carry(mst_draft *draft, mst_patch_steps *steps, mst_arena *arena,
                           mst_diagnostic *diagnostic);
/* Whether a list of the draft's document is as it was when the patch was made. */
bool mst_patch_proved(mst_draft *draft, const mst_patch_step *list, mst_arena *arena);
/* The same of a list at a path, and of all others of its record that the patch tells of. */
bool mst_patch_all_proved(mst_draft *draft, const mst_patch_steps *steps, const char *list, mst_arena *arena);
/* Finds what steps are about in a document that the patch was not made of, and leaves out those that do not
 * fit: `count` of them are about the content. */
mst_status mst_patch_fit(mst_draft *draft, mst_patch_steps *steps, mst_arena *arena,
                         mst_conflict_function rejected, void *user, uint64_t *count);
/* After a draft with numbers that name nothing: leaves the steps out that remove what they name, adding those
 * about the content to `count`. `any`: there were some. */
mst_status mst_patch_keep(const mst_draft *draft, mst_patch_steps *steps, mst_conflict_function rejected,
                          void *user, uint64_t *count, bool *any);
/* mst_patch_make of documents. */
mst_status mst_patch_of_documents(const mst_document *old_document, const mst_document *new_document,
                                  const mst_patch_options *options, mst_sink sink,
                                  mst_diagnostic *diagnostic);
/* How the patch of one of several files is applied to a file that it was not made of. */
typedef struct mst_patch_filter {
    mst_status (*leave_out)(void *user, mst_patch_step *step); /* sets `left_out` of such steps; NULL */
    void *user;
    const mst_check_options *was; /* the checks of the document before; NULL: options->checks */
} mst_patch_filter;
mst_status mst_patch_apply_but(mst_document *document, const char *text, size_t size,
                               const mst_patch_options *options, const mst_patch_filter *filter,
                               mst_diagnostic *diagnostic);
/* mst_merge, in which what is next to ours (0) and theirs (1) are other files than those next to the result.
 */
mst_status mst_merge_beside(mst_document *ours, const mst_document *base, const mst_document *theirs,
                            const mst_merge_options *options, const mst_resolver *const *beside,
                            uint64_t *conflicts, mst_diagnostic *diagnostic);
/* Lays a step over the draft: MST_NO_PATH if what it is about is not there. */
mst_status mst_draft_lay(mst_draft *draft, mst_patch_step *step);
/* Finds out the order of all lists that change, after all steps. MST_NO_MEMORY. */
mst_status mst_draft_arrange(mst_draft *draft);
bool mst_list_arrange(mst_arena *arena, mst_list_change *list);
/* What steps do to the lists of the document that they were made of; `limit`: the most elements that these
 * can have. */
mst_status mst_changes_of_steps(const mst_patch_steps *steps, uint64_t limit, mst_arena *arena,
                                mst_list_change **changes);
mst_list_change *mst_change_called(mst_list_change *changes, const char *path);

/* Appends the JSON of the result. MST_NO_MEMORY. */
mst_status mst_draft_write(mst_draft *draft, mst_buffer *text);
/* The result, whose numbers name what they named. */
mst_status mst_draft_result(mst_draft *draft, mst_document **result, mst_diagnostic *diagnostic);
/* Numbers that say that something belongs to a list, and whose element is gone, go, too. */
mst_status mst_draft_remove_orphans(const mst_draft *draft, mst_document *result, mst_diagnostic *diagnostic);
mst_status mst_draft_renumber(mst_draft *draft, mst_document *result, mst_diagnostic *diagnostic);
/* The index in the old list of an element of the draft's; MST_NONE: it had none. */
uint64_t mst_old_index(const mst_list_change *list, uint64_t index);

static inline mst_laid *mst_laid_over(const mst_draft *draft, uint32_t node) {
    uint32_t at = draft->first[node];
    return at ? (mst_laid *)draft->laid.items + (at - 1) : NULL;
}
static inline mst_laid *mst_laid_next(const mst_draft *draft, const mst_laid *one) {
    return one->next ? (mst_laid *)draft->laid.items + (one->next - 1) : NULL;
}

#endif
