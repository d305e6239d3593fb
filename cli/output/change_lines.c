/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "change_lines.h"
#include "../../src/core/hash.h"
#include "../../src/core/map.h"
#include "changed_parts.h"
#include "show.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_LINES 60   /* maximum without --all */
#define MANY_LINES  20   /* with fewer, each new or removed thing has a line with its place */
#define SLACK       6    /* extra lines beyond the number of changes */
#define PLACED_MAX  1000 /* elements that are compared with others at their place */

/* ---- collecting ------------------------------------------------------------------------------------- */

static bool same_element(const change_item *a, const change_item *b) {
    return a->old_index == b->old_index && a->new_index == b->new_index && strcmp(a->list, b->list) == 0;
}

/* Whether a part that was added or removed continues the last item. */
static bool is_more(const change_item *last, const mst_difference *change) {
    return last->sort == change->sort && last->kind == change->kind && !last->moves &&
           strcmp(last->list, change->list) == 0;
}

/* Properties are shown by their own names, unless a field of the element has the same name. */
static const char *short_path(const mst_difference *change) {
    static const char beginning[] = "properties.";
    const mst_value *element = change->old_index == MST_NOWHERE ? &change->new_element : &change->old_element;
    char name[128];
    mst_value own;
    if (strncmp(change->path, beginning, sizeof beginning - 1) != 0)
        return change->path;
    const char *path = change->path + sizeof beginning - 1;
    const size_t length = strcspn(path, ".[");
    snprintf(name, sizeof name, "%.*s", (int)length, path);
    return length >= sizeof name || mst_member(element, name, &own) == MST_OK ? change->path : path;
}

mst_status changes_take(void *user, const mst_difference *change) {
    changes *all = user;
    bool alone = all->identify && change->sort == MST_DIFFERENCE_CONTENT &&
                 (change->kind == MST_DIFFERENCE_ADD || change->kind == MST_DIFFERENCE_REMOVE);
    all->of_sort[change->sort]++;
    if (all->as_json) {
        bool view = change->sort == MST_DIFFERENCE_VIEW && all->view_state;
        if (change->sort == MST_DIFFERENCE_CONTENT || view || all->everything)
            changes_add_json(all, change);
        if (!alone)
            return MST_OK;
    }
    bool part = change->sort == MST_DIFFERENCE_PART &&
                (change->kind == MST_DIFFERENCE_ADD || change->kind == MST_DIFFERENCE_REMOVE);
    if (change->sort != MST_DIFFERENCE_CONTENT && !change->moves && !part &&
        (change->sort != MST_DIFFERENCE_VIEW || !all->view_state))
        return MST_OK; /* it is neither listed nor counted */
    if (part && all->count && is_more(&all->items[all->count - 1], change)) {
        all->items[all->count - 1].times++;
        return MST_OK;
    }
    if (all->count == all->capacity) {
        all->capacity = all->capacity ? 2 * all->capacity : 64;
        all->items = need(realloc(all->items, all->capacity * sizeof *all->items));
    }
    change_item *one = &all->items[all->count++];
    *one = (change_item){.kind = change->kind,
                         .sort = change->sort,
                         .times = 1,
                         .ambiguous = change->ambiguous != 0,
                         .alternative_is_new = change->alternative_is_new != 0,
                         .alternative = change->alternative,
                         .old_index = change->old_index,
                         .new_index = change->new_index,
                         .moved_to = change->to};
    if (alone) {
        one->alone = true;
        one->step = change->kind == MST_DIFFERENCE_ADD ? STEP_INSERT : STEP_REMOVE;
        one->line = all->steps[one->step].count - 1;
    }
    one->list = need(strdup(change->list));
    one->type = need(strdup(change->type));
    one->label = changed_label(change, all->sidecars);
    one->path = need(strdup(change->reshapes ? "reshaped" : short_path(change)));
    one->place = need(strdup(change->place));
    one->was = mst_value_type(&change->old_value) != MST_TYPE_NONE;
    one->is = mst_value_type(&change->new_value) != MST_TYPE_NONE;
    one->moves = change->moves != 0;
    one->is_field = change->kind == MST_DIFFERENCE_SET && one->was != one->is && !*change->item_path;
    const bool added = change->kind == MST_DIFFERENCE_ADD;
    if (*one->place && one->sort == MST_DIFFERENCE_CONTENT &&
        (added || change->kind == MST_DIFFERENCE_REMOVE) && ++all->placed <= PLACED_MAX)
        one->members = added ? changed_members_of(&change->new_element, change->list, change->new_index)
                             : changed_members_of(&change->old_element, change->list, change->old_index);
    one->bytes = changed_bytes(one->is ? &change->new_value : &change->old_value);
    one->by = changed_distance(change, &one->distance, &one->unit);
    one->whole = change->moves_whole != 0;
    one->along = change->along != 0;
    one->is_default = change->is_default != 0;
    if (change->sort == MST_DIFFERENCE_CONTENT || change->sort == MST_DIFFERENCE_VIEW || one->moves) {
        bool was_said, is_said;
        if (changed_names(change, &one->old_text, &one->new_text, &one->path)) {
            was_said = one->was;
            is_said = one->is;
        } else {
            one->old_text = changed_value(&change->old_value, &change->old_target, false, &was_said);
            one->new_text = changed_value(&change->new_value, &change->new_target, false, &is_said);
        }
        if (was_said && is_said && strcmp(one->old_text, one->new_text) == 0) {
            free(one->old_text);
            free(one->new_text);
            one->old_text = changed_value(&change->old_value, &change->old_target, true, &was_said);
            one->new_text = changed_value(&change->new_value, &change->new_target, true, &is_said);
        }
        one->exact = was_said == one->was && is_said == one->is && !change->reshapes;
        one->reshapes = change->reshapes != 0;
    }
    bool again = all->count > 1 && *one->list && same_element(one, one - 1);
    one->element = !*one->list ? 0 : again ? one[-1].element : ++all->elements;
    return MST_OK;
}

/* ---- between files ---------------------------------------------------------------------------------- */

static change_item *find_alone(const changes *in, mst_difference_kind kind, const char *list,
                               uint64_t index) {
    for (size_t i = 0; i < in->count; i++) {
        change_item *one = &in->items[i];
        if (one->alone && one->kind == kind && !one->to && !one->came &&
            index == (kind == MST_DIFFERENCE_ADD ? one->new_index : one->old_index) &&
            strcmp(one->list, list) == 0)
            return one;
    }
    return NULL;
}

void changes_moved(changes *from, changes *to, const mst_moved_between *moved) {
    change_item *went = find_alone(from, MST_DIFFERENCE_REMOVE, moved->list, moved->old_index),
                *came = find_alone(to, MST_DIFFERENCE_ADD, moved->list, moved->new_index);
    if (!went || !came)
        return;
    changes_add_note(from, went, "moved_to", to->file, moved->new_index);
    changes_add_note(to, came, "moved_from", from->file, moved->old_index);
    went->to = to->file;
    went->to_place = came->place;
    went->new_index = went->moved_to = moved->new_index;
    went->kind = MST_DIFFERENCE_MOVE;
    came->came = true;
}

void changes_free(changes *all) {
    for (size_t i = 0; i < all->count; i++) {
        change_item *one = &all->items[i];
        char *const texts[] = {one->list,     one->type,     one->label, one->path,
                               one->old_text, one->new_text, one->place, one->by};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            free(texts[k]);
        changed_members_free(&one->members);
    }
    for (size_t step = 0; step < STEPS; step++) {
        for (size_t i = 0; i < all->steps[step].count; i++)
            free(all->steps[step].items[i]);
        free(all->steps[step].items);
        all->steps[step] = (json_lines){NULL, 0, 0};
    }
    free(all->items);
    all->items = NULL;
    all->count = all->capacity = 0;
}

bool changes_any(const changes *all) {
    for (size_t i = 0; i < 5; i++)
        if (all->of_sort[i] && (i != MST_DIFFERENCE_VIEW || all->view_state))
            return true;
    return false;
}

/* ---- lines ------------------------------------------------------------------------------------------ */

static bool counts(const changes *all, const change_item *one) {
    if (one->came || one->folded || (one->partner && one->kind == MST_DIFFERENCE_ADD))
        return false;
    return one->sort == MST_DIFFERENCE_CONTENT || one->moves ||
           (one->sort == MST_DIFFERENCE_VIEW && all->view_state);
}

bool changes_said(const changes *all) {
    bool came = false;
    for (size_t i = 0; i < all->count; i++) {
        if (counts(all, &all->items[i]))
            return false;
        came = came || all->items[i].came;
    }
    return came;
}

/* The changes that one line can combine. */
typedef enum likeness {
    ALIKE_ADDED,  /* elements of one type, all added or all removed */
    ALIKE_MOVED,  /* elements of one or more lists, moved by the same distance */
    ALIKE_VALUES, /* a value of elements of one list, changed to the same value */
    ALIKE_PATH,   /* a value of elements of one list, changed to different values */
    ALIKE_PARTS   /* numbers in one list whose items are not elements */
} likeness;

/* The new value; the old one, if the value was removed. */
static const char *result_of(const change_item *one) {
    return one->is ? one->new_text : one->old_text;
}

static bool alike(const change_item *a, const change_item *b, likeness how) {
    if (a->kind != b->kind || a->sort != b->sort || !a->element != !b->element ||
        !changed_same_shape(a->list, b->list))
        return false;
    if (how == ALIKE_PARTS)
        return changed_same_shape(a->path, b->path);
    if (how == ALIKE_PATH)
        return strcmp(a->path, b->path) == 0;
    if (how == ALIKE_MOVED)
        return strcmp(a->path, b->path) == 0 && strcmp(a->by, b->by) == 0;
    return (how == ALIKE_ADDED && strcmp(a->type, b->type) == 0) ||
           (how == ALIKE_VALUES && strcmp(a->path, b->path) == 0 && a->was == b->was && a->is == b->is &&
            a->is_default == b->is_default && a->exact && b->exact &&
            strcmp(result_of(a), result_of(b)) == 0);
}

/* Includes the end of the text. */
static uint64_t hash_member(uint64_t hash, const char *text) {
    return mst_hash_byte(mst_hash_text(hash, text), 0xFF);
}

/* Ignores indices. */
static uint64_t hash_shape(uint64_t hash, const char *path) {
    for (; *path; path++)
        hash = *path < '0' || *path > '9' ? mst_hash_byte(hash, (uint8_t)*path) : hash;
    return mst_hash_byte(hash, 0xFF);
}

static uint64_t hash_of(const change_item *one, likeness how) {
    if (how == ALIKE_PARTS)
        return hash_shape(MST_HASH, one->path);
    uint64_t hash = hash_shape(MST_HASH + (uint64_t)one->kind, one->list);
    if (how != ALIKE_ADDED)
        hash = hash_member(hash, one->path);
    if (how == ALIKE_ADDED)
        hash = hash_member(hash, one->type);
    if (how == ALIKE_MOVED)
        hash = hash_member(hash, one->by);
    return how == ALIKE_VALUES ? hash_member(hash, result_of(one)) : hash;
}

/* A group of similar changes. */
typedef struct group {
    size_t first, count, last; /* indices of items */
    size_t doubts;             /* number of ambiguous ones */
    bool shown;                /* as one line */
    bool one_type, one_old, one_way;
    bool moved;      /* all of them are moves, */
    double distance; /* by at most this distance */
    uint32_t next;   /* + 1 of the next group with the same hash; 0: none */
} group;

typedef struct groups {
    group *items;
    size_t count;
    size_t *of; /* by item: its group; SIZE_MAX: none */
} groups;

static bool takes_part(const changes *all, const change_item *one, likeness how) {
    bool alone = one->kind == MST_DIFFERENCE_ADD || one->kind == MST_DIFFERENCE_REMOVE;
    if (how == ALIKE_PARTS)
        return counts(all, one) && !one->shown && !one->element && strchr(one->path, '[') && one->was &&
               one->is && *one->new_text != '"';
    return counts(all, one) && !one->shown && !one->partner && *one->list &&
           (how == ALIKE_ADDED ? alone : one->kind == MST_DIFFERENCE_SET) &&
           (how != ALIKE_VALUES || one->exact) && (how != ALIKE_MOVED || (one->by && !one->follows_axis));
}

static groups group_items(const changes *all, likeness how) {
    groups made = {need(calloc(all->count + 1, sizeof(group))), 0, NULL};
    mst_hash_map by_hash = {.count = 0};
    made.of = need(malloc((all->count + 1) * sizeof *made.of));
    for (size_t i = 0; i < all->count; i++) {
        const change_item *one = &all->items[i];
        made.of[i] = SIZE_MAX;
        if (!takes_part(all, one, how))
            continue;
        uint32_t *head = need(mst_hash_map_add(&by_hash, mst_key_number(hash_of(one, how)))), at = *head;
        while (at && !alike(&all->items[made.items[at - 1].first], one, how))
            at = made.items[at - 1].next;
        if (!at) {
            made.items[made.count++] = (group){i, 0, i, 0, false, true, true, true, true, 0, *head};
            at = *head = (uint32_t)made.count;
        }
        group *of = &made.items[at - 1];
        of->one_type = of->one_type && strcmp(one->type, all->items[of->first].type) == 0;
        of->one_old =
            of->one_old && one->old_text && strcmp(one->old_text, all->items[of->first].old_text) == 0;
        of->one_way = of->one_way && one->by && strcmp(one->by, all->items[of->first].by) == 0;
        made.of[i] = at - 1;
        of->count++;
        of->doubts += one->ambiguous;
        of->moved = of->moved && one->distance >= 0;
        of->distance = one->distance > of->distance ? one->distance : of->distance;
        of->last = i;
    }
    mst_hash_map_end(&by_hash);
    return made;
}

static void groups_free(groups *all) {
    free(all->items);
    free(all->of);
}

/* A line of the output: the changes of one element that are not in another line, or a group. */
typedef struct line {
    size_t first;  /* item */
    size_t count;  /* of the group's items; 0: the line is for one element */
    size_t doubts; /* number of ambiguous ones */
    likeness how;
    bool one_type, one_old;
    bool moved; /* all are moves, so far by at most: */
    double distance;
} line;

typedef struct lines {
    line *items;
    size_t count;
} lines;

static void add_line(lines *all, line one) {
    all->items[all->count++] = one;
}

static int by_first(const void *left, const void *right) {
    const line *a = left, *b = right;
    return (a->first > b->first) - (a->first < b->first);
}

/* Makes a line of every group of at least `least` changes; `least_placed` applies to things that have a
 * place. */
static void collapse(changes *all, lines *to, likeness how, size_t least, size_t least_placed) {
    groups made = group_items(all, how);
    for (size_t g = 0; g < made.count; g++) {
        group *one = &made.items[g];
        const change_item *first = &all->items[one->first];
        const bool placed = how == ALIKE_MOVED ? !first->along_faces : how == ALIKE_ADDED && *first->place;
        one->shown = one->count >= (placed ? least_placed : least);
        if (one->shown)
            add_line(to, (line){.first = one->first,
                                .count = one->count,
                                .doubts = one->doubts,
                                .how = how,
                                .one_type = one->one_type,
                                .one_old = one->one_old});
    }
    for (size_t i = 0; i < all->count; i++)
        if (made.of[i] != SIZE_MAX && made.items[made.of[i]].shown) {
            all->items[i].shown = true;
            for (size_t k = i + 1; how == ALIKE_MOVED && k < all->count && all->items[k].follows_axis; k++)
                all->items[k].shown = true;
        }
    groups_free(&made);
}

/* The number of lines for the changes that have none yet. */
static size_t lines_left(const changes *all) {
    size_t count = 0, last = SIZE_MAX;
    for (size_t i = 0; i < all->count; i++) {
        const change_item *one = &all->items[i];
        if (!counts(all, one) || one->shown)
            continue;
        bool alone = one->kind != MST_DIFFERENCE_SET || !one->element;
        count += alone || one->element != last;
        last = alone ? SIZE_MAX : one->element;
    }
    return count;
}

/* The number of changes as people count them: elements added or removed, and names of changed values. */
static size_t count_changes(const changes *all) {
    groups names = group_items(all, ALIKE_PATH);
    size_t count = names.count;
    for (size_t i = 0; i < all->count; i++)
        count += counts(all, &all->items[i]) &&
                 (all->items[i].kind != MST_DIFFERENCE_SET || !all->items[i].element);
    groups_free(&names);
    return count;
}

/* Combines the values that changed in most elements into one line, until the lines are few enough. */
static void collapse_paths(changes *all, lines *to, size_t most) {
    while (to->count + lines_left(all) > most) {
        groups names = group_items(all, ALIKE_PATH);
        size_t best = SIZE_MAX;
        for (size_t g = 0; g < names.count; g++)
            if (names.items[g].count > 1 &&
                (best == SIZE_MAX || names.items[g].count > names.items[best].count))
                best = g;
        if (best != SIZE_MAX)
            add_line(to,
                     (line){names.items[best].first, names.items[best].count, names.items[best].doubts,
                            names.items[best].one_way ? ALIKE_MOVED : ALIKE_PATH, names.items[best].one_type,
                            false, names.items[best].moved, names.items[best].distance});
        for (size_t i = 0; i < all->count && best != SIZE_MAX; i++)
            if (names.of[i] == best)
                all->items[i].shown = true;
        groups_free(&names);
        if (best == SIZE_MAX)
            return;
    }
}

/* Folds values that change with an element's place into the line that states its move. */
static void fold_along(changes *all) {
    for (size_t first = 0, end; first < all->count; first = end) {
        bool whole = false;
        for (end = first; end < all->count && all->items[end].element == all->items[first].element; end++)
            whole = whole || all->items[end].whole;
        for (size_t i = first; whole && i < end; i++)
            all->items[i].folded = all->items[i].folded || all->items[i].along;
    }
}

/* The same for the corners of moved faces; marks everything that moved with them. */
static void fold_corners(changes *all) {
    mst_hash_map distances = {.count = 0};
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].whole)
            need(mst_hash_map_add(&distances, mst_key_text(all->items[i].by)));
    for (size_t i = 0; i < all->count && distances.count; i++) {
        change_item *one = &all->items[i];
        one->along_faces = one->by && mst_hash_map_find(&distances, mst_key_text(one->by));
        one->folded = one->folded || (one->moves && one->along_faces);
    }
    mst_hash_map_end(&distances);
}

static lines lines_of(changes *all, bool everything) {
    changed_find_partners(all);
    changed_fold_version(all, everything);
    if (!everything) {
        changes_join_axes(all);
        fold_along(all);
        fold_corners(all);
    }
    lines made = {need(calloc(all->count + 1, sizeof(line))), 0};
    for (size_t i = 0; i < all->count; i++)
        all->items[i].shown = false;
    if (!everything) {
        size_t most = count_changes(all) + SLACK;
        collapse(all, &made, ALIKE_ADDED, 4, 8);
        collapse(all, &made, ALIKE_MOVED, 2, 8);
        collapse(all, &made, ALIKE_VALUES, 3, 3);
        collapse(all, &made, ALIKE_PARTS, 8, 8);
        if (made.count + lines_left(all) > MANY_LINES) {
            collapse(all, &made, ALIKE_ADDED, 3, 3);
            collapse(all, &made, ALIKE_MOVED, 2, 3);
        }
        collapse_paths(all, &made, most < SHOWN_LINES ? most : SHOWN_LINES);
    }
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < all->count; i++) {
        const change_item *one = &all->items[i];
        if (!counts(all, one) || one->shown)
            continue;
        bool alone = one->kind != MST_DIFFERENCE_SET || !one->element;
        if (alone || one->element != last)
            add_line(&made, (line){.first = i, .how = ALIKE_VALUES, .one_type = true, .one_old = true});
        last = alone ? SIZE_MAX : one->element;
    }
    if (made.count)
        qsort(made.items, made.count, sizeof *made.items, by_first);
    return made;
}

/* ---- text ------------------------------------------------------------------------------------------- */

/* `one_old`: all combined changes have the same old value. */
static void put_value_change(stream *to, const change_item *one, bool one_old) {
    if (one->whole) {
        print(to, "moved by %s", one->by);
        return;
    }
    put_text(to, !one->was ? "+ " : !one->is ? "- " : "");
    put_visible(to, one->path);
    if (one->exact && one->was && one->is) {
        put_text(to, one_old ? " " : "");
        put_visible(to, one_old ? one->old_text : "");
        if (strcmp(one->old_text, one->new_text) == 0) {
            put_text(to, ", which is another one now");
        } else {
            put_text(to, " -> ");
            put_visible(to, one->new_text);
        }
    } else if (one->exact) {
        put_text(to, " ");
        put_visible(to, one->is ? one->new_text : one->old_text);
    }
    put_text(to, one->exact && one->is_default ? " (the default)" : "");
}

#define RUN 4 /* at least so many values of bytes are shown as one size */

/* The number of values of bytes, from an item on, that are parts of one value of the element: the rows of a
 * picture. */
static size_t run_of_bytes(const changes *all, size_t at, uint64_t *bytes) {
    const change_item *first = &all->items[at];
    size_t count = 0;
    *bytes = 0;
    for (size_t i = at; i < all->count && all->items[i].element == first->element; i++) {
        const change_item *one = &all->items[i];
        if (!one->bytes || one->shown || !one->was || !one->is || !changed_same_shape(first->path, one->path))
            break;
        *bytes += one->bytes;
        count++;
    }
    return count < RUN ? 0 : count;
}

static const char *last_name(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

/* The kind of a list's items: "faces"; for records the name of their list: "actors". */
static void put_things(stream *to, const char *list) {
    static const char records[] = ".records";
    char name[64];
    const char *end = strstr(list, records);
    if (end && !end[sizeof records - 1] && (size_t)(end - list) < sizeof name) {
        snprintf(name, sizeof name, "%.*s", (int)(end - list), list);
        list = name;
    }
    put_visible(to, last_name(list));
}

static void put_parts(stream *to, const char *path, size_t count) {
    put(to, path, strcspn(path, "["));
    print(to, ": %zu values", count);
}

static void put_group(stream *to, const change_item *first, const line *of) {
    if (of->how == ALIKE_PARTS) {
        paint(to, COLOR_AMBER);
        put_text(to, "~ ");
        unpaint(to);
        put_parts(to, first->path, of->count);
        return;
    }
    bool added = first->kind == MST_DIFFERENCE_ADD, removed = first->kind == MST_DIFFERENCE_REMOVE;
    paint(to, added ? COLOR_GREEN : removed ? COLOR_RED : COLOR_AMBER);
    print(to, "%s %zu ", added ? "+" : removed ? "-" : "*", of->count);
    put_things(to, first->list);
    unpaint(to);
    if (*first->type && of->one_type) {
        put_text(to, " (");
        put_visible(to, first->type);
        put_text(to, ")");
    }
    if (of->how == ALIKE_MOVED) {
        print(to, " moved by %s", first->by);
    } else if (of->how == ALIKE_VALUES) {
        put_text(to, ": ");
        put_value_change(to, first, of->one_old);
    } else if (of->how == ALIKE_PATH) {
        put_text(to, ": ");
        put_visible(to, first->path);
        if (of->moved && of->distance > 0)
            print(to, ", moved by up to %.3g%s%s", of->distance, *first->unit ? " " : "", first->unit);
        else
            put_text(to, first->reshapes ? "" : ", each its own");
    }
    if (of->doubts)
        print(to, " (%zu ambiguous)", of->doubts);
}

/* The other element that it may be. */
static void put_doubt(stream *to, const change_item *one) {
    if (one->ambiguous && one->alternative == MST_NOWHERE)
        put_text(to, " (ambiguous: it may be another element of its list)");
    if (!one->ambiguous || one->alternative == MST_NOWHERE)
        return;
    put_text(to, one->alternative_is_new ? " (ambiguous: it may be the new " : " (ambiguous: it may be ");
    put_visible(to, one->list);
    print(to, "[%llu])", (unsigned long long)one->alternative);
}

static void put_name(stream *to, const change_item *one) {
    uint64_t index = one->old_index != MST_NOWHERE ? one->old_index : one->new_index;
    put_visible(to, one->list);
    print(to, "[%llu]", (unsigned long long)index);
    unpaint(to);
    if (*one->label) {
        put_text(to, " ");
        put_visible(to, one->label);
    }
}

static void put_one(stream *to, const changes *all, size_t at) {
    const change_item *one = &all->items[at];
    static const char marks[] = "~+->";
    static const char *const colors[] = {COLOR_AMBER, COLOR_GREEN, COLOR_RED, COLOR_CYAN};
    paint(to, colors[one->partner ? MST_DIFFERENCE_SET : one->kind]);
    if (!one->element) { /* added and removed values have their own marks */
        put_text(to, one->was && one->is ? "~ " : "");
        unpaint(to);
        put_value_change(to, one, true);
        if (!strcmp(one->path, "version"))
            changed_put_version(all, to);
        return;
    }
    print(to, "%c ", one->partner ? '~' : marks[one->kind]);
    put_name(to, one);
    if (one->partner) {
        put_text(to, ": ");
        changed_members_put(to, &one->members, &all->items[one->partner - 1].members);
        put_doubt(to, one);
        return;
    }
    if (one->to) {
        put_text(to, *one->place ? " at " : "");
        put_visible(to, one->place);
        put_text(to, " is now ");
        put_visible(to, one->to);
        put_text(to, " ");
        put_visible(to, one->list);
    }
    if (one->kind == MST_DIFFERENCE_MOVE) {
        put_text(to, *one->path ? ": " : "");
        put_visible(to, one->path);
        print(to, one->to ? "[%llu]" : " is now [%llu]", (unsigned long long)one->moved_to);
    }
    if (one->to && *one->to_place) {
        put_text(to, " at ");
        put_visible(to, one->to_place);
    }
    if (one->kind != MST_DIFFERENCE_SET) {
        if (*one->place && one->kind != MST_DIFFERENCE_MOVE) {
            put_text(to, " at ");
            put_visible(to, one->place);
        }
        put_doubt(to, one);
        return;
    }
    for (size_t i = at, said = 0; i < all->count && all->items[i].element == one->element; i++) {
        if (all->items[i].shown || all->items[i].kind != MST_DIFFERENCE_SET || !counts(all, &all->items[i]))
            continue;
        put_text(to, said++ ? ", " : ": ");
        uint64_t bytes;
        const size_t run = run_of_bytes(all, i, &bytes);
        if (run)
            changed_put_bytes(to, all->items[i].path, bytes);
        else
            put_value_change(to, &all->items[i], true);
        i += run ? run - 1 : 0;
    }
    put_doubt(to, one);
}

/* A summary if no content has changed. */
static void put_rest(const changes *all, stream *to, const char *indent) {
    static const char *const words[] = {
        [MST_DIFFERENCE_PART] = "only parts that no listed element uses have changed",
        [MST_DIFFERENCE_DERIVED] = "only values derived from the content have changed",
        [MST_DIFFERENCE_STORAGE] = "only how the content is stored has changed: order, packing or padding"};
    for (size_t sort = MST_DIFFERENCE_PART; sort <= MST_DIFFERENCE_STORAGE; sort++)
        if (all->of_sort[sort]) {
            print(to, "%s(%s)\n", indent, words[sort]);
            return;
        }
}

void changes_put_heading(stream *to, const char *name) {
    paint(to, COLOR_BOLD);
    put_visible(to, name);
    unpaint(to);
    put_text(to, ":\n");
}

void changes_put(changes *all, stream *to, const char *indent, bool everything) {
    lines made = lines_of(all, everything);
    size_t shown = made.count;
    if (!everything && shown > SHOWN_LINES)
        shown = SHOWN_LINES - 1;
    for (size_t i = 0; i < shown; i++) {
        const line *one = &made.items[i];
        put_text(to, indent);
        if (one->count)
            put_group(to, &all->items[one->first], one);
        else
            put_one(to, all, one->first);
        put_text(to, "\n");
    }
    if (shown < made.count)
        print(to, "%s... and %zu more (--all shows them)\n", indent, made.count - shown);
    if (!made.count)
        put_rest(all, to, indent);
    free(made.items);
}

/* ---- how much --------------------------------------------------------------------------------------- */

typedef struct tally_of_list {
    const char *list;
    uint64_t added, removed, changed, moved;
    size_t last; /* element */
} tally_of_list;

void changes_put_stat(changes *all, stream *to, const char *indent) {
    tally_of_list *lists = need(calloc(all->count + 1, sizeof *lists));
    size_t count = 0;
    changed_find_partners(all);
    fold_along(all);
    for (size_t i = 0; i < all->count; i++) {
        const change_item *one = &all->items[i];
        const bool moves = one->moves || one->whole;
        bool part = one->sort == MST_DIFFERENCE_PART && one->kind != MST_DIFFERENCE_SET;
        if (!part && !counts(all, one))
            continue;
        size_t at = 0;
        const char *name = *one->list ? one->list : one->path;
        while (at < count && strcmp(lists[at].list, name) != 0)
            at++;
        count += at == count;
        lists[at].list = name;
        lists[at].added += one->kind == MST_DIFFERENCE_ADD ? one->times : 0;
        lists[at].removed += one->kind == MST_DIFFERENCE_REMOVE && !one->partner ? one->times : 0;
        const bool again = moves && i && one[-1].moves && one[-1].element == one->element;
        lists[at].moved += one->kind == MST_DIFFERENCE_MOVE || (moves && !again);
        lists[at].changed += one->partner || (one->kind == MST_DIFFERENCE_SET && !moves &&
                                              (!one->element || lists[at].last != one->element));
        if (one->kind == MST_DIFFERENCE_SET && !moves)
            lists[at].last = one->element;
    }
    for (size_t i = 0; i < count; i++) {
        put_text(to, indent);
        put_visible(to, lists[i].list);
        const uint64_t numbers[] = {lists[i].added, lists[i].removed, lists[i].changed, lists[i].moved};
        static const char *const words[] = {"added", "removed", "changed", "moved"};
        for (size_t k = 0, said = 0; k < 4; k++)
            if (numbers[k])
                print(to, "%s%llu %s", said++ ? ", " : ": ", (unsigned long long)numbers[k], words[k]);
        put_text(to, "\n");
    }
    if (!count)
        put_rest(all, to, indent);
    free(lists);
}
