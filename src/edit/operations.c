/* SPDX-License-Identifier: MIT */
/* One operation: applied to all values of its path, on the copy of a transaction, where most of its edits
 * wait. */
#include "../core/diagnose.h"
#include "../files/offset_path.h"
#include "../read/placement.h"
#include "add.h"
#include "assign.h"
#include "calculated.h"
#include "complete.h"
#include "copies.h"
#include "elements.h"
#include "in_room.h"
#include "last_names.h"
#include "located.h"
#include "moving.h"
#include "naming.h"
#include "single_edit.h"
#include "transaction.h"

/* ---- one operation on one value --------------------------------------------------------------------- */

/* An operation while it is applied. */
typedef struct operation_state {
    mst_document *document;
    mst_batch *batch; /* of sets that wait */
    mst_removals *removals;
    mst_insertions *insertions;
    mst_keys *keys;     /* NULL: sets are not recorded as changes of keys */
    mst_renames *names; /* the same for names */
    bool chosen;        /* the path is one of those that a selector matched */
    const mst_operation *operation;
    const mst_edit_options *options;
    mst_arena *arena;
    mst_diagnostic *diagnostic;
} operation_state;

static mst_status say_change(const operation_state *o, mst_change_kind kind, const char *path,
                             const char *old, const char *now) {
    mst_edit_change change = {kind, path, old, now};
    return o->options->change(o->options->user, &change);
}

/* JSON of the value at a path, if changes are reported; NULL: it is missing, or they are not. */
static mst_status text_at(const operation_state *o, const char *path, const char **json) {
    mst_value value;
    *json = NULL;
    mst_status status = o->options->change ? mst_batch_find(o->batch, path, &value, NULL) : MST_NO_PATH;
    if (status != MST_OK)
        return status == MST_NO_PATH ? MST_OK : status;
    return mst_value_text(&value, o->arena, json, o->diagnostic);
}

static mst_status check_old(const operation_state *o, const char *path) {
    bool same = false;
    if (!o->operation->old)
        return MST_OK;
    mst_status status = mst_batch_leave(o->batch, o->diagnostic);
    if (status == MST_OK)
        status = mst_edit_compare(o->document, path, o->operation->old, &same, o->diagnostic);
    if (status != MST_OK || same)
        return status;
    mst_value value;
    const char *found = "";
    mst_fail(o->diagnostic, MST_REFUSED, "the value is not the one that the operation expects");
    if (o->diagnostic && mst_find(mst_root(o->document), path, &value, NULL) == MST_OK &&
        mst_value_text(&value, o->arena, &found, NULL) == MST_OK) {
        MST_SET(o->diagnostic->path, "%s", path);
        MST_SET(o->diagnostic->expected, "%.120s", o->operation->old);
        MST_SET(o->diagnostic->found, "%.70s", found);
    }
    return MST_REFUSED;
}

static mst_status set_or_resize(const operation_state *o, const char *path, const char *json) {
    const mst_format *format = o->document->format;
    bool done;
    mst_status status = mst_batch_set_value(o->batch, path, json, &done, o->diagnostic);
    if (status != MST_OK || done)
        return status;
    status = mst_batch_leave(o->batch, o->diagnostic);
    if (status != MST_OK)
        return status;
    status = MST_UNSUPPORTED;
    if (MST_OPTION(format->editing, resize)) {
        mst_operation one = {.kind = MST_OPERATION_SET, .path = path, .value = json};
        status = format->editing->resize(o->document, &one, o->options, o->diagnostic);
    }
    return status == MST_UNSUPPORTED ? mst_edit_set_losing(o->document, path, json, o->options, o->diagnostic)
                                     : status;
}

/* Others may refer to the element by the value that is about to be set. */
static mst_status note_key(const operation_state *o, const char *path, bool *noted) {
    mst_value value;
    *noted = false;
    if (!o->options->checks || !o->keys)
        return MST_OK;
    mst_status status = mst_batch_find(o->batch, path, &value, NULL);
    if (status != MST_OK)
        return status == MST_NO_MEMORY ? status : MST_OK;
    return mst_keys_note(o->keys, &value, path, noted);
}

/* The same for a name. */
static mst_status note_name(const operation_state *o, const char *path, const char *json) {
    mst_value value;
    if (!o->names || !MST_OPTION(o->document->format->editing, names) ||
        mst_find(mst_root(o->document), path, &value, NULL) != MST_OK)
        return MST_OK;
    return mst_renames_note(o->names, o->document, path, &value, json);
}

static mst_status apply_set(const operation_state *o, const char *path) {
    const char *json = o->operation->value, *old, *now = NULL;
    mst_assignment how = o->operation->assignment;
    mst_value value;
    bool noted = false;
    mst_status status = text_at(o, path, &old);
    if (status == MST_OK)
        status = note_key(o, path, &noted);
    if (status == MST_OK && how != MST_ASSIGN && how != MST_ASSIGN_OR_ADD) {
        status = mst_batch_find(o->batch, path, &value, o->diagnostic);
        if (status == MST_OK)
            status = mst_assigned(&value, how, json, o->arena, &json, o->diagnostic);
        if (status != MST_OK && o->diagnostic && !*o->diagnostic->path)
            MST_SET(o->diagnostic->path, "%s", path);
    }
    bool missing = false;
    if (status == MST_OK && how == MST_ASSIGN_OR_ADD) {
        status = mst_batch_find(o->batch, path, &value, NULL);
        missing = status == MST_NO_PATH;
        status = missing ? MST_OK : status;
    }
    if (status == MST_OK && !missing)
        status = note_name(o, path, json);
    if (missing)
        status = mst_batch_leave(o->batch, o->diagnostic);
    if (missing && status == MST_OK)
        status = mst_pair_add(o->document, path, json, o->options, o->arena, o->diagnostic);
    else if (status == MST_OK && !missing)
        status = set_or_resize(o, path, json);
    if (status == MST_OK && noted && mst_batch_find(o->batch, path, &value, NULL) == MST_OK)
        mst_keys_set(o->keys, &value);
    if (status == MST_OK && o->options->change)
        status = text_at(o, path, &now);
    now = old || now ? now : json; /* in the format's own form, not a value */
    if (status == MST_OK && o->options->change && !(old && now && strcmp(old, now) == 0))
        status = say_change(o, MST_CHANGE_SET, path, old, now);
    return status;
}

static mst_status say_made(const operation_state *o, mst_change_kind kind, const char *path, uint64_t from,
                           uint64_t made) {
    mst_value list;
    const char *list_path;
    uint64_t index;
    if (!o->options->change)
        return MST_OK;
    mst_status status = mst_element_at(o->document, path, o->arena, &list_path, &list, &index, o->diagnostic);
    if (status != MST_OK)
        return status;
    const char *at = mst_arena_printf(o->arena, "%s[%llu]", list_path, (unsigned long long)made),
               *now = mst_arena_printf(o->arena, "%llu", (unsigned long long)made),
               *old = mst_arena_printf(o->arena, "%llu", (unsigned long long)from);
    if (!at || !now || !old)
        return MST_NO_MEMORY;
    if (kind == MST_CHANGE_MOVE)
        return say_change(o, kind, path, old, now);
    status = text_at(o, at, &now);
    return status == MST_OK ? say_change(o, kind, at, NULL, now) : status;
}

/* Moves, turns or scales an element. */
static mst_status apply_moved(const operation_state *o, const char *path) {
    mst_moved moved[MST_MOVED_VALUES];
    size_t count = 0;
    mst_status status =
        mst_moved_values(o->batch, path, o->operation, o->arena, moved, &count, o->diagnostic);
    if (status == MST_NO_PATH && o->options->each && o->chosen) { /* it has nothing to change */
        mst_diagnostic what = {.severity = MST_INFORMATION, .offset = MST_NO_OFFSET};
        MST_SET(what.path, "%s", path);
        MST_SET(what.message, "%s", "skipped: it has nothing that this operation changes");
        return o->options->report ? o->options->report(o->options->user, &what) : MST_OK;
    }
    for (size_t i = 0; i < count && status == MST_OK; i++) {
        mst_operation set = {.path = moved[i].path, .value = moved[i].json};
        operation_state one = *o;
        one.operation = &set;
        status = apply_set(&one, set.path);
    }
    return status;
}

static mst_status apply_one(const operation_state *o, const char *path) {
    const mst_operation *operation = o->operation;
    const char *old = NULL, *json = NULL;
    bool done = false;
    uint64_t made = 0, index = 0;
    mst_value list;
    const char *list_path;
    mst_status status = check_old(o, path);
    if (status != MST_OK)
        return status;
    if (operation->kind == MST_OPERATION_REMOVE && !o->options->change && !operation->old) {
        status = mst_batch_settle(o->batch, o->diagnostic); /* removed values are not read: this can wait */
        if (status == MST_OK)
            status = mst_removals_add(o->removals, path, o->chosen, &done, o->diagnostic);
        if (status != MST_OK || done)
            return status;
    }
    bool moves = mst_operation_moves(operation->kind);
    if (operation->kind != MST_OPERATION_SET && !moves)
        status = mst_batch_leave(o->batch, o->diagnostic);
    if (status == MST_OK && operation->kind == MST_OPERATION_INSERT)
        status = mst_insertions_add(o->insertions, path, operation->value, &done, o->diagnostic);
    else if (status == MST_OK && operation->kind == MST_OPERATION_DUPLICATE && !operation->old)
        status = mst_insertions_copy(o->insertions, path, operation->value, &done, o->diagnostic);
    if (status != MST_OK || done)
        return status;
    switch (operation->kind) {
    case MST_OPERATION_SET: return apply_set(o, path);
    case MST_OPERATION_INSERT:
        status = mst_complete(o->document, path, operation->value, o->options, o->arena, &json, NULL,
                              o->diagnostic);
        if (status == MST_OK)
            status = mst_edit_insert_all(o->document, path, json, UINT64_MAX, o->options, o->diagnostic);
        made = mst_element_inserted(o->document, path);
        return status == MST_OK ? say_made(o, MST_CHANGE_ADD, path, 0, made) : status;
    case MST_OPERATION_DUPLICATE:
        status = mst_element_duplicate(o->document, path, operation->value, o->options, o->arena, &made,
                                       o->diagnostic);
        return status == MST_OK ? say_made(o, MST_CHANGE_ADD, path, 0, made) : status;
    case MST_OPERATION_MOVE:
        status = mst_element_at(o->document, path, o->arena, &list_path, &list, &index, o->diagnostic);
        if (status == MST_OK)
            status = mst_element_move(o->document, path, operation->value, o->options, o->arena, &made,
                                      o->diagnostic);
        return status == MST_OK && made != index ? say_made(o, MST_CHANGE_MOVE, path, index, made) : status;
    case MST_OPERATION_MOVE_BY:
    case MST_OPERATION_ROTATE:
    case MST_OPERATION_SCALE: return apply_moved(o, path);
    case MST_OPERATION_ADD: /* it has become an insertion */
    case MST_OPERATION_REMOVE: break;
    }
    status = text_at(o, path, &old);
    if (status == MST_OK)
        status = mst_edit_remove_all(o->document, path, o->options, o->diagnostic);
    return status == MST_OK && o->options->change ? say_change(o, MST_CHANGE_REMOVE, path, old, NULL)
                                                  : status;
}

/* ---- one operation on all its values ------------------------------------------------------------------ */

/* Waiting edits take memory: at most as much as the document may grow to. */
static mst_status settle_much(const operation_state *o) {
    mst_status status = MST_OK;
    if (o->insertions->weight > o->document->growth_limit)
        status = mst_insertions_settle(o->insertions, o->diagnostic);
    if (status == MST_OK && o->batch->weight > o->document->growth_limit)
        status = mst_batch_settle(o->batch, o->diagnostic);
    return status;
}

/* Applies an operation to all values that its selector matched; if it changes the number of elements, from
 * the last, so that the paths of the others remain valid. `values`: of each; NULL: the operation's. */
static mst_status apply_located(operation_state *o, const mst_located *all, const char *const *values) {
    bool last_first =
        o->operation->kind == MST_OPERATION_REMOVE || o->operation->kind == MST_OPERATION_DUPLICATE;
    mst_status status = MST_OK;
    mst_arena *outer = o->arena, arena;
    const mst_operation *given = o->operation;
    mst_operation one = *given;
    one.assignment = values ? MST_ASSIGN : one.assignment;
    o->operation = &one;
    for (size_t i = 0; i < all->count && status == MST_OK; i++) {
        const size_t at = last_first ? all->count - 1 - i : i;
        one.value = values ? values[at] : one.value;
        mst_arena_begin(&arena, &o->document->allocator, 0);
        o->arena = &arena;
        status = apply_one(o, all->paths[at]);
        if (status == MST_OK)
            status = settle_much(o);
        mst_arena_end(&arena);
    }
    o->arena = outer;
    o->operation = given;
    return status;
}

/* Applies sets that follow from other sets. */
static mst_status set_following(const operation_state *o, const mst_array *sets) {
    const mst_operation *items = sets->items;
    mst_status status = MST_OK;
    for (size_t i = 0; i < sets->count && status == MST_OK; i++) {
        operation_state one = *o;
        one.operation = &items[i];
        one.keys = NULL;
        one.names = NULL;
        status = apply_set(&one, items[i].path);
    }
    return status;
}

/* Copies elements, which then refer to each other as their originals do. */
static mst_status apply_copies(operation_state *o, const mst_located *all) {
    mst_copies copies;
    mst_array sets = {.element_size = sizeof(mst_operation), .allocator = o->document->allocator};
    mst_located planned = *all;
    mst_status status = mst_copies_plan(all, o->operation->value, o->arena, &copies);
    planned.paths = copies.list ? copies.paths : all->paths;
    o->insertions->named = o->operation->old != NULL;
    if (status == MST_OK)
        status = apply_located(o, &planned, copies.list && all->count > 1 ? copies.to : NULL);
    if (status != MST_OK || !copies.list || !o->insertions->named ||
        !mst_renames_are_in(o->document, copies.list))
        return status;
    status = mst_insertions_settle(o->insertions, o->diagnostic);
    if (status == MST_OK)
        status = mst_batch_settle(o->batch, o->diagnostic);
    if (status == MST_OK)
        status = mst_renames_of_copies(o->document, copies.list, copies.indices, copies.count, o->options,
                                       o->arena, &sets);
    if (status == MST_OK)
        status = set_following(o, &sets);
    mst_array_free(&sets);
    return status;
}

/* Moves several elements as one object. MST_UNSUPPORTED: each is moved separately. */
static mst_status apply_together(operation_state *o, const mst_located *all) {
    mst_array moved = {.element_size = sizeof(mst_moved), .allocator = o->document->allocator};
    mst_together what = {.document = o->document,
                         .paths = all->paths,
                         .count = all->count,
                         .operation = o->operation,
                         .options = o->options,
                         .arena = o->arena,
                         .moved = &moved};
    mst_value first;
    mst_status status = all->count ? mst_batch_find(o->batch, all->paths[0], &first, NULL) : MST_UNSUPPORTED;
    if (status != MST_OK || mst_placement_of(&first))
        return status == MST_NO_MEMORY ? status : MST_UNSUPPORTED;
    status = mst_batch_settle(o->batch, o->diagnostic); /* it reads all enclosing values */
    if (status == MST_OK)
        status = o->document->format->mesh->move_together(&what, o->diagnostic);
    const mst_moved *items = moved.items;
    for (size_t i = 0; i < moved.count && status == MST_OK; i++) {
        mst_operation set = {.path = items[i].path, .value = items[i].json};
        operation_state one = *o;
        one.operation = &set;
        status = apply_set(&one, set.path);
    }
    mst_array_free(&moved);
    return status;
}

bool mst_operation_is_complete(const mst_operation *operation) {
    bool alone = operation->kind == MST_OPERATION_REMOVE || operation->kind == MST_OPERATION_DUPLICATE ||
                 operation->kind == MST_OPERATION_ADD;
    return operation->path && (operation->value || alone);
}

/* Whether an operation does not depend on waiting insertions. */
static bool goes_on(const mst_operation *operation, bool chosen) {
    return (operation->kind == MST_OPERATION_INSERT || operation->kind == MST_OPERATION_DUPLICATE) &&
           !chosen && !operation->at && !operation->old;
}

static mst_status set_labels(mst_transaction *transaction, mst_diagnostic *diagnostic);

mst_status mst_transaction_settle(mst_transaction *transaction, mst_diagnostic *diagnostic) {
    mst_status status = set_labels(transaction, diagnostic);
    if (status == MST_OK)
        status = mst_insertions_settle(&transaction->insertions, diagnostic);
    if (status == MST_OK)
        status = mst_removals_settle(&transaction->removals, diagnostic);
    return status == MST_OK ? mst_batch_settle(&transaction->batch, diagnostic) : status;
}

/* Turns an unused element into the added one. */
static mst_status use_slot(operation_state *o, const mst_added *added) {
    const char *path =
                   mst_arena_printf(o->arena, "%s[%llu]", added->list, (unsigned long long)added->slot_index),
               *json = added->json, *old, *now = NULL;
    mst_status status = path ? text_at(o, path, &old) : MST_NO_MEMORY;
    if (status == MST_OK)
        status = mst_complete(o->document, path, json, o->options, o->arena, &json, NULL, o->diagnostic);
    if (status == MST_OK)
        status = mst_edit_set_rest(o->document, path, json, o->diagnostic);
    if (status == MST_OK && o->options->change)
        status = text_at(o, path, &now);
    return status == MST_OK && o->options->change ? say_change(o, MST_CHANGE_SET, path, old, now) : status;
}

static mst_status apply_operation(mst_transaction *transaction, const mst_operation *operation,
                                  mst_diagnostic *diagnostic);

/* Applies an assignment of names as the operations that it amounts to. `named` false: it is like any
 * other. */
static mst_status apply_named(mst_transaction *transaction, operation_state *o, const mst_located *all,
                              bool *named) {
    mst_array steps = {.element_size = sizeof(mst_operation), .allocator = o->document->allocator};
    mst_status status =
        mst_name_labels(o->document, o->operation, all, o->arena, &steps, named, o->diagnostic);
    const mst_operation *items = steps.items;
    for (size_t i = 0; *named && i < steps.count && status == MST_OK; i++)
        status = apply_operation(transaction, &items[i], o->diagnostic);
    mst_array_free(&steps);
    return status;
}

/* Applies an operation in a special way: names, and several elements that are one object. */
static mst_status apply_otherwise(mst_transaction *transaction, operation_state *o, const mst_located *all,
                                  bool *done) {
    const mst_operation *operation = o->operation;
    if (operation->kind == MST_OPERATION_SET)
        return apply_named(transaction, o, all, done);
    if (!mst_operation_moves(operation->kind) || operation->old ||
        !MST_OPTION(o->document->format->mesh, move_together))
        return MST_OK;
    mst_status status = apply_together(o, all);
    *done = status != MST_UNSUPPORTED;
    return *done ? status : MST_OK;
}

/* Applies an operation to everything in a room, list by list. */
static mst_status apply_in_room(mst_transaction *transaction, const mst_operation *operation,
                                mst_diagnostic *diagnostic) {
    mst_arena arena;
    mst_array operations = {.element_size = sizeof(mst_operation), .allocator = transaction->copy->allocator};
    uint64_t lacking = 0;
    mst_status status = mst_transaction_settle(transaction, diagnostic);
    mst_arena_begin(&arena, &transaction->copy->allocator, 0);
    if (status == MST_OK)
        status =
            mst_in_room(transaction->copy, operation, &transaction->options, &arena, &operations, diagnostic);
    const mst_operation *items = operations.items;
    for (size_t i = 0; i < operations.count && status == MST_OK; i++) {
        status = apply_operation(transaction, &items[i], diagnostic);
        lacking += status == MST_NO_PATH;
        if (status == MST_NO_PATH && lacking < operations.count) /* no element of this list is in the room */
            status = MST_OK;
    }
    mst_array_free(&operations);
    mst_arena_end(&arena);
    return status;
}

/* An operation on values, none of which are labels of new elements. */
static mst_status apply_plain(mst_transaction *transaction, const mst_operation *operation,
                              mst_diagnostic *diagnostic) {
    mst_arena arena;
    mst_located all = {0};
    mst_arena_begin(&arena, &transaction->copy->allocator, 0);
    mst_edit_options options = transaction->options;
    options.each |= operation->each;
    operation_state o = {.document = transaction->copy,
                         .batch = &transaction->batch,
                         .removals = &transaction->removals,
                         .insertions = &transaction->insertions,
                         .keys = &transaction->keys,
                         .names = &transaction->names,
                         .chosen = mst_is_selector(operation->path, 1),
                         .operation = operation,
                         .options = &options,
                         .arena = &arena,
                         .diagnostic = diagnostic};
    mst_status status = MST_OK;
    if (operation->kind != MST_OPERATION_REMOVE || o.chosen || operation->at || operation->old)
        status = mst_removals_settle(o.removals, diagnostic);
    if (status == MST_OK && !goes_on(operation, o.chosen))
        status = mst_insertions_settle(o.insertions, diagnostic);
    bool calculates = operation->kind == MST_OPERATION_SET && operation->assignment == MST_ASSIGN_EXPRESSION;
    if (status == MST_OK && transaction->batch.waiting.count &&
        (operation->at || calculates || mst_is_selector(operation->path, 1) ||
         mst_label_word_of(o.document, operation, &arena)))
        status =
            mst_batch_settle(&transaction->batch, diagnostic); /* conditions and expressions read values */
    if (status == MST_OK)
        status = mst_locate(o.document, operation, o.options, &arena, &all, diagnostic);
    const char *const *values = NULL; /* all are calculated before any is set */
    if (status == MST_OK && calculates)
        status = mst_calculate(o.document, operation->value, &all, &arena, &values, diagnostic);
    if (status != MST_OK && calculates && diagnostic && !*diagnostic->path)
        MST_SET(diagnostic->path, "%s", operation->path);
    if (status == MST_OK) {
        bool done = false;
        status = apply_otherwise(transaction, &o, &all, &done);
        if (status == MST_OK && !done)
            status = operation->kind == MST_OPERATION_DUPLICATE ? apply_copies(&o, &all)
                                                                : apply_located(&o, &all, values);
    }
    mst_arena_end(&arena);
    return status;
}

/* Sets the same labels of inserted elements together. */
static mst_status set_same(mst_transaction *transaction, const mst_operation *first, const mst_located *all,
                           mst_arena *arena, mst_diagnostic *diagnostic) {
    mst_array steps = {.element_size = sizeof(mst_operation), .allocator = transaction->copy->allocator};
    bool named = false;
    mst_status status = mst_name_labels(transaction->copy, first, all, arena, &steps, &named, diagnostic);
    const mst_operation *items = steps.items;
    for (size_t i = 0; i < steps.count && status == MST_OK; i++)
        status = apply_plain(transaction, &items[i], diagnostic);
    mst_array_free(&steps);
    return status;
}

static bool sets_same(const mst_operation *a, const mst_operation *b) {
    return strcmp(strrchr(a->path, '.'), strrchr(b->path, '.')) == 0 && strcmp(a->value, b->value) == 0;
}

/* Sets the labels with which elements were inserted. */
static mst_status set_labels(mst_transaction *transaction, mst_diagnostic *diagnostic) {
    mst_labelled labelled = transaction->labelled;
    mst_operation *sets = labelled.sets.items;
    mst_arena arena;
    mst_status status = MST_OK;
    if (!labelled.list)
        return MST_OK;
    mst_labelled_begin(&transaction->labelled, transaction->copy);
    mst_arena_begin(&arena, &transaction->copy->allocator, 0);
    status = mst_insertions_settle(&transaction->insertions, diagnostic);
    for (size_t i = 0; i < labelled.sets.count && status == MST_OK; i++) {
        mst_located all = {.count = 0};
        const char **paths = mst_arena_take(&arena, labelled.sets.count - i, sizeof *paths);
        if (!sets[i].path)
            continue;
        const mst_operation one = sets[i];
        for (size_t k = i; k < labelled.sets.count && paths; k++)
            if (sets[k].path && sets_same(&one, &sets[k])) {
                paths[all.count++] = sets[k].path;
                sets[k].path = NULL;
            }
        all.paths = paths;
        status = paths ? set_same(transaction, &one, &all, &arena, diagnostic) : MST_NO_MEMORY;
    }
    mst_arena_end(&arena);
    mst_labelled_end(&labelled);
    return status;
}

/* Applies an operation that is not an addition. */
static mst_status apply_operation(mst_transaction *transaction, const mst_operation *operation,
                                  mst_diagnostic *diagnostic) {
    mst_arena arena;
    mst_operation one = *operation;
    mst_status status = MST_OK;
    if (!mst_labelled_wait(&transaction->labelled, operation))
        status = set_labels(transaction, diagnostic);
    if (status != MST_OK || operation->kind != MST_OPERATION_INSERT)
        return status == MST_OK ? apply_plain(transaction, operation, diagnostic) : status;
    mst_arena_begin(&arena, &transaction->copy->allocator, 0);
    status = mst_labelled_take(&transaction->labelled, transaction->copy, operation, &arena, &one.value,
                               diagnostic);
    if (status == MST_OK)
        status = apply_plain(transaction, &one, diagnostic);
    mst_arena_end(&arena);
    return status;
}

/* Adds an element: inserts it at the end of its list, after those that wait, or uses an unused one. */
static mst_status apply_addition(mst_transaction *transaction, const mst_operation *operation,
                                 mst_diagnostic *diagnostic) {
    mst_arena arena;
    mst_added added = {.list = NULL};
    mst_operation insert = {.kind = MST_OPERATION_INSERT};
    const mst_insertions *waiting = &transaction->insertions;
    operation_state o = {.document = transaction->copy,
                         .batch = &transaction->batch,
                         .options = &transaction->options,
                         .arena = &arena,
                         .diagnostic = diagnostic};
    mst_arena_begin(&arena, &transaction->copy->allocator, 0);
    mst_status status = mst_removals_settle(&transaction->removals, diagnostic);
    if (status == MST_OK)
        status =
            mst_add_resolve(transaction->copy, operation, &transaction->options, &arena, &added, diagnostic);
    bool waits = status == MST_OK && waiting->list && strcmp(waiting->list, added.list) == 0;
    if (status == MST_OK && (added.slot || added.placed || (waiting->list && !waits))) {
        status = mst_transaction_settle(transaction, diagnostic);
        if (status == MST_OK) /* indices have changed */
            status = mst_add_resolve(transaction->copy, operation, &transaction->options, &arena, &added,
                                     diagnostic);
    }
    if (status == MST_OK && added.slot) {
        status = use_slot(&o, &added);
    } else if (status == MST_OK) {
        waits = waits && !added.placed;
        uint64_t end = waits          ? waiting->count + waiting->items.count + waiting->after.count
                       : added.placed ? added.index
                       : mst_is_void(&added.elements) ? 0
                                                      : mst_count(&added.elements);
        insert.path = mst_arena_printf(&arena, "%s[%llu]", added.list, (unsigned long long)end);
        insert.value = added.json;
        bool renews = !MST_OPTION(transaction->copy->format->editing, numbers_copies) &&
                      mst_element_lacks_id(&added.elements, added.json, &arena);
        status = insert.path ? apply_operation(transaction, &insert, diagnostic) : MST_NO_MEMORY;
        if (status == MST_OK && renews)
            status = mst_transaction_settle(transaction, diagnostic);
        if (status == MST_OK && renews)
            status = mst_element_renew_id(transaction->copy, added.list, end, &arena, diagnostic);
    }
    for (size_t i = 0; i < added.then_count && status == MST_OK; i++)
        status = apply_operation(transaction, &added.then[i], diagnostic);
    mst_arena_end(&arena);
    return status;
}

/* An offset in place of a path: in the file before the transaction. */
static mst_status apply_at_offset(mst_transaction *transaction, const mst_operation *operation,
                                  mst_diagnostic *diagnostic) {
    char path[1024];
    mst_operation one = *operation;
    one.path = path;
    if (transaction->rearranged)
        return mst_fail(diagnostic, MST_REFUSED,
                        "an operation before it moved what is in the file: put those with offsets first");
    mst_status status =
        mst_offset_path(transaction->document, operation->path + 1, path, sizeof path, diagnostic);
    return status == MST_OK ? apply_operation(transaction, &one, diagnostic) : status;
}

mst_status mst_edit_apply(mst_transaction *transaction, const mst_operation *operation,
                          mst_diagnostic *diagnostic) {
    if (!transaction || !operation || !mst_operation_is_complete(operation))
        return mst_fail(diagnostic, MST_ARGUMENT, "a transaction and a complete operation are needed");
    if (transaction->failed)
        return mst_fail(diagnostic, MST_REFUSED, "an earlier operation failed: abort the transaction");
    mst_status status =
        operation->kind == MST_OPERATION_ADD ? apply_addition(transaction, operation, diagnostic)
        : *operation->path == '@'            ? apply_at_offset(transaction, operation, diagnostic)
        : mst_is_room(operation->path, NULL) ? apply_in_room(transaction, operation, diagnostic)
                                             : apply_operation(transaction, operation, diagnostic);
    transaction->rearranged = transaction->rearranged || operation->kind != MST_OPERATION_SET;
    if (status == MST_NO_MEMORY)
        mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the edit");
    transaction->failed = status != MST_OK;
    return status;
}

mst_status mst_transaction_follow(mst_transaction *transaction, mst_diagnostic *diagnostic) {
    mst_array sets = {.element_size = sizeof(mst_operation), .allocator = transaction->copy->allocator};
    mst_arena arena;
    mst_arena_begin(&arena, &transaction->copy->allocator, 0);
    const operation_state o = {.document = transaction->copy,
                               .batch = &transaction->batch,
                               .options = &transaction->options,
                               .arena = &arena,
                               .diagnostic = diagnostic};
    mst_status status =
        mst_renames_follow(&transaction->names, transaction->copy, &transaction->options, &sets);
    if (status == MST_OK)
        status =
            mst_keys_follow(&transaction->keys, transaction->copy, &transaction->options, &sets, diagnostic);
    if (status == MST_OK)
        status = set_following(&o, &sets);
    if (status == MST_OK)
        status = mst_transaction_settle(transaction, diagnostic);
    mst_array_free(&sets);
    mst_arena_end(&arena);
    return status;
}
