/* SPDX-License-Identifier: MIT */
/* The JSON of a document with steps laid over it: finding the values that they are about, and the new order
 * of lists. */
#include "../core/number.h"
#include "drafts.h"

/* ---- laying ----------------------------------------------------------------------------------------- */

static mst_laid *lay(mst_draft *draft, uint32_t node, mst_laid_kind kind) {
    mst_laid *made = mst_array_push(&draft->laid, 1);
    if (!made) {
        draft->arena->starved = true; /* callers that miss a value because of this check the arena */
        return NULL;
    }
    *made = (mst_laid){.next = draft->first[node], .node = node, .kind = (uint8_t)kind};
    draft->first[node] = (uint32_t)draft->laid.count;
    return made;
}

static mst_laid *laid_as(const mst_draft *draft, uint32_t node, mst_laid_kind kind) {
    mst_laid *one = mst_laid_over(draft, node);
    while (one && one->kind != kind)
        one = mst_laid_next(draft, one);
    return one;
}

mst_status mst_draft_begin(mst_draft *draft, const mst_document *document, mst_arena *arena,
                           mst_diagnostic *diagnostic) {
    *draft = (mst_draft){.document = document, .arena = arena};
    draft->laid = (mst_array){.element_size = sizeof(mst_laid), .allocator = arena->allocator};
    draft->made = (mst_array){.element_size = sizeof(const char *), .allocator = arena->allocator};
    draft->orphans = (mst_array){.element_size = sizeof(const char *), .allocator = arena->allocator};
    draft->dangling =
        (mst_array){.element_size = sizeof(mst_dangling_element), .allocator = arena->allocator};
    mst_value root = mst_root(document);
    mst_buffer text = {.allocator = arena->allocator};
    mst_json_options compact = {.size = sizeof compact, .compact = 1};
    mst_status status = mst_write_json(&root, &compact, mst_buffer_sink(&text), diagnostic);
    const char *kept = status == MST_OK ? mst_arena_text(arena, (const char *)text.data, text.size) : NULL;
    size_t size = text.size;
    mst_buffer_free(&text);
    if (status == MST_OK)
        status = kept ? mst_json_parse(kept, size, arena, &draft->json, diagnostic) : MST_NO_MEMORY;
    if (status == MST_OK)
        draft->first = mst_arena_zero(arena, (size_t)draft->json.count + 1, sizeof *draft->first);
    return status == MST_OK && !draft->first ? MST_NO_MEMORY : status;
}

void mst_draft_end(mst_draft *draft) {
    mst_array_free(&draft->laid);
    mst_array_free(&draft->made);
    mst_array_free(&draft->dangling);
    mst_array_free(&draft->orphans);
}

/* ---- finding ---------------------------------------------------------------------------------------- */

#define FEW 16 /* elements that are counted each time */

/* MST_NONE: it has fewer elements, or out of memory. */
uint32_t mst_draft_element(mst_draft *draft, uint32_t array, uint64_t index) {
    const mst_json_node *nodes = draft->json.nodes;
    uint32_t at = array + 1;
    if (index >= nodes[array].count)
        return MST_NONE;
    if (nodes[array].count <= FEW) {
        while (index--)
            at = nodes[at].end;
        return at;
    }
    const mst_laid *table = laid_as(draft, array, MST_LAID_TABLE);
    if (!table) {
        uint32_t *elements = mst_arena_take(draft->arena, nodes[array].count, sizeof *elements);
        mst_laid *made = elements ? lay(draft, array, MST_LAID_TABLE) : NULL;
        if (!made)
            return MST_NONE;
        for (uint32_t i = 0; i < nodes[array].count; i++, at = nodes[at].end)
            elements[i] = at;
        made->elements = elements;
        table = made;
    }
    return table->elements[index];
}

static uint32_t member_of(const mst_json_node *nodes, uint32_t object, const char *name, size_t length) {
    for (uint32_t at = object + 1; at < nodes[object].end; at = nodes[at + 1].end)
        if (nodes[at].length == length && memcmp(nodes[at].text, name, length) == 0)
            return at + 1;
    return MST_NONE;
}

/* The first pair of that name. */
static uint32_t pair_of(const mst_json_node *nodes, uint32_t array, const char *name, size_t length) {
    for (uint32_t at = array + 1; at < nodes[array].end; at = nodes[at].end) {
        uint32_t key = nodes[at].kind == MST_JSON_OBJECT ? member_of(nodes, at, "name", 4) : MST_NONE;
        if (key != MST_NONE && nodes[key].kind == MST_JSON_STRING && nodes[key].length == length &&
            memcmp(nodes[key].text, name, length) == 0)
            return at;
    }
    return MST_NONE;
}

mst_list_change *mst_change_called(mst_list_change *changes, const char *path) {
    while (changes && strcmp(changes->path, path) != 0)
        changes = changes->next;
    return changes;
}

/* The index in the draft's list of an element of the old document's list at `path`. */
static uint64_t index_now(const mst_draft *draft, const char *path, size_t length, uint64_t index) {
    for (const mst_list_change *one = draft->before; one; one = one->next)
        if (strncmp(one->path, path, length) == 0 && !one->path[length])
            return index < one->count ? one->now[index] : MST_NONE;
    return index;
}

/* One step of a path, after its dot or bracket. */
static uint32_t go(mst_draft *draft, uint32_t node, const char *path, const char *step, size_t length,
                   bool bracket) {
    const mst_json_node *nodes = draft->json.nodes;
    uint64_t index;
    if (bracket && nodes[node].kind == MST_JSON_ARRAY) {
        if (length > 5 && memcmp(step, "name=", 5) == 0)
            return pair_of(nodes, node, step + 5, length - 5);
        if (!mst_read_u64(step, length, &index))
            return MST_NONE;
        return mst_draft_element(draft, node, index_now(draft, path, (size_t)(step - 1 - path), index));
    }
    if (bracket || nodes[node].kind == MST_JSON_OBJECT)
        return bracket ? MST_NONE : member_of(nodes, node, step, length);
    if (nodes[node].kind != MST_JSON_ARRAY)
        return MST_NONE;
    uint32_t pair = pair_of(nodes, node, step, length); /* a pair is addressed like its value */
    return pair == MST_NONE ? MST_NONE : member_of(nodes, pair, "value", 5);
}

static mst_status find_from(mst_draft *draft, uint32_t at, const char *path, uint32_t *node, uint32_t *parent,
                            const char **name) {
    const char *step = path;
    *parent = MST_NONE;
    while (*step) {
        bool bracket = *step == '[';
        step += bracket || *step == '.';
        size_t length = strcspn(step, bracket        ? "]"
                                      : *step == '$' ? "["
                                                     : ".["); /* "$gaps.models" is one key */
        uint32_t inner = go(draft, at, path, step, length, bracket);
        const char *after = step + length + (bracket && step[length]);
        if (inner == MST_NONE && !*after && !bracket && draft->json.nodes[at].kind == MST_JSON_OBJECT) {
            *parent = at;
            *name = step;
        }
        if (inner == MST_NONE) {
            *node = MST_NONE;
            return MST_NO_PATH;
        }
        at = inner;
        step = after;
    }
    *node = at;
    return MST_OK;
}

mst_status mst_draft_find(mst_draft *draft, const char *path, uint32_t *node, uint32_t *parent,
                          const char **name) {
    return find_from(draft, 0, path, node, parent, name);
}

uint32_t mst_draft_below(mst_draft *draft, uint32_t node, const char *path) {
    uint32_t found, parent;
    const char *name;
    const mst_list_change *before = draft->before; /* the path is not one of the old document */
    draft->before = NULL;
    mst_status status = find_from(draft, node, path, &found, &parent, &name);
    draft->before = before;
    return status == MST_OK ? found : MST_NONE;
}

/* ---- steps ------------------------------------------------------------------------------------------ */

/* Lays the change of a list over the list, or over the object that omits it while it is empty. */
static mst_status lay_list(mst_draft *draft, mst_list_change *list) {
    uint32_t parent;
    const char *name = NULL;
    mst_status status = mst_draft_find(draft, list->path, &list->node, &parent, &name);
    if (status == MST_OK && draft->json.nodes[list->node].kind != MST_JSON_ARRAY)
        return MST_NO_PATH;
    if (status != MST_OK && parent == MST_NONE)
        return MST_NO_PATH;
    mst_laid *made = lay(draft, status == MST_OK ? list->node : parent,
                         status == MST_OK ? MST_LAID_LIST : MST_LAID_MEMBER);
    if (!made)
        return MST_NO_MEMORY;
    made->change = list;
    made->name = name;
    list->count = status == MST_OK ? draft->json.nodes[list->node].count : 0;
    bool enough = list->count <= FEW || mst_draft_element(draft, list->node, 0) != MST_NONE;
    return enough ? MST_OK : MST_NO_MEMORY;
}

/* Allocates the arrays that record changes of the elements of a list. */
static bool take_room(mst_arena *arena, mst_list_change *list) {
    size_t links = (size_t)list->new_count + 1;
    list->gone = mst_arena_zero(arena, (size_t)list->count + 1, 1);
    list->removed = mst_arena_zero(arena, (size_t)list->old_count + 1, 1);
    list->inserted = mst_arena_zero(arena, links, sizeof *list->inserted);
    list->moved = mst_arena_take(arena, links, sizeof *list->moved);
    list->known = mst_arena_take(arena, links, sizeof *list->known);
    if (!list->gone || !list->removed || !list->inserted || !list->moved || !list->known)
        return false;
    memset(list->moved, 0xFF, links * sizeof *list->moved);
    memset(list->known, 0xFF, links * sizeof *list->known);
    return true;
}

/* A list grows only by insertions: the counts that a patch states cannot demand more memory than that. */
static bool counts_fit(const mst_list_change *list, size_t steps) {
    return list->old_count < MST_FROM_NEW / 2 && list->new_count <= list->old_count + steps;
}

static mst_status begin_list(mst_draft *draft, const mst_patch_step *step) {
    mst_list_change *list = mst_arena_zero(draft->arena, 1, sizeof *list);
    if (!list)
        return MST_NO_MEMORY;
    if (mst_change_called(draft->changes, step->key))
        return MST_REFUSED;
    list->path = step->key;
    list->old_count = step->index;
    list->new_count = step->to;
    mst_status status = lay_list(draft, list);
    if (status != MST_OK)
        return status;
    if (!draft->merges && list->count != list->old_count)
        return MST_REFUSED;
    if (!counts_fit(list, draft->steps))
        return MST_REFUSED;
    for (const mst_list_change *before = draft->before; before; before = before->next)
        if (strcmp(before->path, list->path) == 0)
            list->from_old = before->now;
    if (!take_room(draft->arena, list))
        return MST_NO_MEMORY;
    list->next = draft->changes;
    draft->changes = list;
    return MST_OK;
}

/* The index in the draft's list of an element of the old list. */
static uint64_t drafts_index(const mst_list_change *list, uint64_t index) {
    return list->from_old ? (index < list->old_count ? list->from_old[index] : MST_NONE) : index;
}

static mst_status lay_element(mst_list_change *changes, mst_patch_step *step) {
    mst_list_change *list = mst_change_called(changes, step->list);
    if (!list)
        return MST_NO_PATH;
    if (step->kind == MST_STEP_INSERT) {
        if (step->index >= list->new_count || list->inserted[step->index])
            return MST_REFUSED;
        list->inserted[step->index] = step;
        if (step->revives && step->to < list->old_count) { /* it is no longer the old list's element */
            list->removed[step->to] = 1;
            list->moved[step->index] = list->known[step->index] = MST_NONE;
        }
        return MST_OK;
    }
    if (step->index >= list->old_count)
        return MST_REFUSED;
    if (step->kind == MST_STEP_REMOVE)
        list->removed[step->index] = 1;
    else if (step->to >= list->new_count)
        return MST_REFUSED;
    else
        list->known[step->to] = (uint32_t)step->index;
    uint64_t at = drafts_index(list, step->index);
    if (at >= list->count)
        return MST_NO_PATH;
    if (step->kind == MST_STEP_REMOVE) {
        list->gone[at] = !step->left_out;
        return MST_OK;
    }
    if (step->left_out)
        return MST_OK;
    list->moved[step->to] = (uint32_t)step->index;
    return MST_OK;
}

static mst_status lay_step(mst_draft *draft, mst_patch_step *step) {
    if (step->kind == MST_STEP_LIST)
        return begin_list(draft, step);
    if (step->list)
        return lay_element(draft->changes, step);
    if (step->left_out)
        return MST_OK;
    uint32_t node, parent;
    const char *name = NULL;
    mst_status status = mst_draft_find(draft, step->key, &node, &parent, &name);
    if (status != MST_OK && !step->now && parent != MST_NONE)
        return MST_OK; /* the member is missing anyway */
    if (status != MST_OK && parent == MST_NONE)
        return status;
    mst_laid *made =
        lay(draft, status == MST_OK ? node : parent, status == MST_OK ? MST_LAID_VALUE : MST_LAID_MEMBER);
    if (!made)
        return MST_NO_MEMORY;
    made->text = step->now;
    made->name = name;
    return MST_OK;
}

mst_status mst_draft_lay(mst_draft *draft, mst_patch_step *step) {
    mst_status status = lay_step(draft, step);
    return status != MST_OK && draft->arena->starved ? MST_NO_MEMORY : status; /* the value may exist */
}

/* ---- order ------------------------------------------------------------------------------------------ */

/* Finds the element of the old list that each element of the new list is. */
static bool find_origins(mst_arena *arena, mst_list_change *list) {
    uint8_t *taken = mst_arena_zero(arena, (size_t)list->old_count + 1, 1);
    list->origin = mst_arena_take(arena, (size_t)list->new_count + 1, sizeof *list->origin);
    if (!taken || !list->origin)
        return false;
    for (uint64_t i = 0; i < list->new_count; i++)
        if (list->known[i] != MST_NONE)
            taken[list->known[i]] = 1;
    uint64_t old = 0;
    for (uint64_t i = 0; i < list->new_count; i++) {
        list->origin[i] = list->known[i];
        if (list->inserted[i] || list->known[i] != MST_NONE)
            continue;
        while (old < list->old_count && (taken[old] || list->removed[old]))
            old++;
        list->origin[i] = old < list->old_count ? (uint32_t)old++ : MST_NONE;
    }
    return true;
}

/* The elements that follow each element that keeps its place, as chains. */
typedef struct chains {
    uint32_t *first, *last; /* by the draft's index + 1 */
    uint32_t *next;         /* by the new index */
} chains;

/* Marks the elements of the draft's list that the old list lacks. */
static const uint8_t *own_elements(mst_arena *arena, const mst_list_change *list) {
    uint8_t *own = mst_arena_take(arena, (size_t)list->count + 1, 1);
    if (own)
        memset(own, 1, (size_t)list->count + 1);
    for (uint64_t i = 0; own && i < list->old_count; i++)
        if (list->from_old[i] < list->count)
            own[list->from_old[i]] = 0;
    return own;
}

static bool chain_up(mst_arena *arena, mst_list_change *list, chains *all, uint8_t *apart) {
    const uint8_t *own = NULL;
    if (list->from_old && !(own = own_elements(arena, list)))
        return false;
    size_t heads = (size_t)list->count + 2, links = (size_t)list->new_count + 1;
    all->first = mst_arena_take(arena, heads, sizeof *all->first);
    all->last = mst_arena_take(arena, heads, sizeof *all->last);
    all->next = mst_arena_take(arena, links, sizeof *all->next);
    if (!all->first || !all->last || !all->next)
        return false;
    memset(all->first, 0xFF, heads * sizeof *all->first);
    memset(all->next, 0xFF, links * sizeof *all->next);
    uint64_t anchor = 0;
    for (uint64_t i = 0; i < list->new_count; i++) {
        uint64_t at = list->origin[i] == MST_NONE ? MST_NONE : drafts_index(list, list->origin[i]);
        bool moves = list->moved[i] != MST_NONE;
        if (!moves && at < list->count)
            anchor = at + 1;
        while (own && anchor < list->count && own[anchor]) /* after the draft's own insertions */
            anchor++;
        bool goes = at >= list->count || list->gone[at];
        if (!list->inserted[i] && (!moves || goes))
            continue;
        if (moves)
            apart[at] = 1;
        if (all->first[anchor] == MST_NONE)
            all->first[anchor] = (uint32_t)i;
        else
            all->next[all->last[anchor]] = (uint32_t)i;
        all->last[anchor] = (uint32_t)i;
    }
    return true;
}

static void put_chain(mst_list_change *list, const chains *all, uint64_t anchor) {
    for (uint32_t i = all->first[anchor]; i != MST_NONE; i = all->next[i]) {
        if (list->inserted[i] && list->inserted[i]->left_out)
            continue;
        uint32_t at = list->inserted[i] ? MST_NONE : (uint32_t)drafts_index(list, list->origin[i]);
        if (at != MST_NONE)
            list->now[at] = (uint32_t)list->result_count;
        list->sequence[list->result_count++] = at != MST_NONE ? at : (i | MST_FROM_NEW);
    }
}

bool mst_list_arrange(mst_arena *arena, mst_list_change *list) {
    uint8_t *apart = mst_arena_zero(arena, (size_t)list->count + 1, 1);
    chains all;
    if (!apart || !find_origins(arena, list) || !chain_up(arena, list, &all, apart))
        return false;
    size_t most = (size_t)list->count + (size_t)list->new_count + 1;
    list->sequence = mst_arena_take(arena, most, sizeof *list->sequence);
    list->now = mst_arena_take(arena, (size_t)list->count + 1, sizeof *list->now);
    list->new_now = mst_arena_take(arena, (size_t)list->new_count + 1, sizeof *list->new_now);
    if (!list->sequence || !list->now || !list->new_now)
        return false;
    memset(list->now, 0xFF, ((size_t)list->count + 1) * sizeof *list->now);
    put_chain(list, &all, 0);
    for (uint64_t i = 0; i < list->count; i++) {
        if (!apart[i] && !list->gone[i]) {
            list->now[i] = (uint32_t)list->result_count;
            list->sequence[list->result_count++] = (uint32_t)i;
        }
        put_chain(list, &all, i + 1);
    }
    memset(list->new_now, 0xFF, ((size_t)list->new_count + 1) * sizeof *list->new_now);
    for (uint64_t i = 0; i < list->result_count; i++)
        if (list->sequence[i] & MST_FROM_NEW)
            list->new_now[list->sequence[i] & ~MST_FROM_NEW] = (uint32_t)i;
    for (uint64_t i = 0; i < list->new_count; i++) {
        const mst_patch_step *came = list->inserted[i];
        uint64_t at = list->origin[i] == MST_NONE ? MST_NONE : drafts_index(list, list->origin[i]);
        if (came)
            at = came->left_out && came->has_twin ? came->twin : MST_NONE;
        if (at < list->count)
            list->new_now[i] = list->now[at];
    }
    return true;
}

mst_status mst_draft_arrange(mst_draft *draft) {
    for (mst_list_change *list = draft->changes; list; list = list->next)
        if (!mst_list_arrange(draft->arena, list))
            return MST_NO_MEMORY;
    return MST_OK;
}

mst_status mst_changes_of_steps(const mst_patch_steps *steps, uint64_t limit, mst_arena *arena,
                                mst_list_change **changes) {
    *changes = NULL;
    for (size_t i = 0; i < steps->count; i++) {
        mst_patch_step *one = &steps->items[i];
        if (one->kind == MST_STEP_LIST) {
            mst_list_change *list = mst_arena_zero(arena, 1, sizeof *list);
            if (!list)
                return MST_NO_MEMORY;
            *list = (mst_list_change){.next = *changes,
                                      .path = one->key,
                                      .old_count = one->index,
                                      .new_count = one->to,
                                      .count = one->index};
            if (list->old_count > limit + steps->count || !counts_fit(list, steps->count) ||
                mst_change_called(list->next, list->path))
                return MST_REFUSED;
            if (!take_room(arena, list))
                return MST_NO_MEMORY;
            *changes = list;
        } else if (one->list) {
            mst_status status = lay_element(*changes, one);
            if (status != MST_OK)
                return status == MST_NO_MEMORY ? status : MST_REFUSED;
        }
    }
    for (mst_list_change *list = *changes; list; list = list->next)
        if (!mst_list_arrange(arena, list))
            return MST_NO_MEMORY;
    return MST_OK;
}
