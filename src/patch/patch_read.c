/* SPDX-License-Identifier: MIT */
/* Patches as text, read into steps. */
#include "../core/diagnose.h"
#include "../core/json_text.h"
#include "../core/number.h"
#include "drafts.h"

const char *const mst_sort_names[MST_SORTS] = {"content", "view", "part", "derived", "storage"};

typedef struct read_state {
    uint64_t lines; /* operations, as stated by the last line */
    bool ended;
    bool packed; /* within packed operations */
    mst_arena *arena;
    mst_patch_steps *steps;
    mst_array items; /* mst_patch_step */
    mst_json json;
    mst_diagnostic *diagnostic;
    bool begun;
} read_state;

static const char not_a_patch[] =
    "this is not a patch (NAME.mspatch, as written by diff): the first line of a patch is missing";

/* The member of an object; 0: it has none. */
static uint32_t member(const mst_json *json, uint32_t object, const char *name) {
    if (json->nodes[object].kind != MST_JSON_OBJECT)
        return 0;
    for (uint32_t at = object + 1; at < json->nodes[object].end; at = json->nodes[at + 1].end)
        if (mst_is_word(&json->nodes[at], name))
            return at + 1;
    return 0;
}

static bool number(const mst_json *json, uint32_t at, uint64_t *value) {
    const mst_json_node *node = &json->nodes[at];
    return at && node->kind == MST_JSON_NUMBER && mst_read_u64(node->text, node->length, value);
}

static const char *text_of(const read_state *r, uint32_t at) {
    const mst_json_node *node = &r->json.nodes[at];
    return at && node->kind == MST_JSON_STRING ? mst_arena_text(r->arena, node->text, node->length) : NULL;
}

/* A value may seem missing only because memory ran out. */
static mst_status bad(const read_state *r, const char *message) {
    if (r->arena->starved)
        return MST_NO_MEMORY;
    return mst_fail(r->diagnostic, MST_ARGUMENT, "%s", message);
}

/* ---- lines ------------------------------------------------------------------------------------------ */

static mst_status read_head(read_state *r) {
    static const char *const sides[] = {"old", "new"};
    uint64_t version = 0;
    if (!member(&r->json, 0, "mspatch"))
        return bad(r, not_a_patch);
    if (!number(&r->json, member(&r->json, 0, "mspatch"), &version) || version != 1)
        return bad(r, "this version of patches is not known");
    r->begun = true;
    r->steps->format = text_of(r, member(&r->json, 0, "format"));
    for (int side = 0; side < 2; side++) {
        uint32_t at = member(&r->json, 0, sides[side]);
        if (at)
            r->steps->sha256[side] = text_of(r, member(&r->json, at, "sha256"));
    }
    r->steps->file = text_of(r, member(&r->json, 0, "file"));
    r->steps->to = text_of(r, member(&r->json, 0, "to"));
    const uint32_t one_way = member(&r->json, 0, "one_way");
    r->steps->one_way = one_way && r->json.nodes[one_way].kind == MST_JSON_TRUE;
    r->steps->many = number(&r->json, member(&r->json, 0, "files"), &r->steps->files);
    return r->steps->format || r->steps->file || r->steps->many
               ? MST_OK
               : bad(r, "the patch does not name its format");
}

/* The full path of the value that a step is about. */
static mst_status read_key(const read_state *r, mst_patch_step *step) {
    uint32_t at = member(&r->json, 0, "at");
    const char *path = text_of(r, member(&r->json, 0, "path")), *list = NULL;
    uint64_t index = 0;
    if (at)
        list = text_of(r, member(&r->json, at, "list"));
    if (at && (!list || !number(&r->json, member(&r->json, at, "index"), &index)))
        return bad(r, "\"at\" needs a \"list\" and an \"index\"");
    if (!path && !at)
        return bad(r, "an operation needs a \"path\"");
    path = path ? path : "";
    if (at) {
        step->at = mst_json_text_of(&r->json, at, r->arena);
        step->at_list = list;
        uint32_t note = member(&r->json, 0, "note"), near = note ? member(&r->json, note, "near") : 0;
        bool is_object = near && r->json.nodes[near].kind == MST_JSON_OBJECT;
        if (is_object && !(step->near = mst_json_text_of(&r->json, near, r->arena)))
            return MST_NO_MEMORY;
        const uint32_t alike = note ? member(&r->json, note, "alike") : 0;
        step->alike = alike && r->json.nodes[alike].kind == MST_JSON_TRUE;
        step->at_index = index;
        if (!step->at)
            return MST_NO_MEMORY;
    }
    step->key = at ? mst_arena_printf(r->arena, "%s[%llu]%s%s", list, (unsigned long long)index,
                                      *path && *path != '[' && *path != '.' ? "." : "", path)
                   : path;
    return step->key ? MST_OK : MST_NO_MEMORY;
}

/* The selector that is equivalent to the conditions in "at". */
static const char *selector_of(const read_state *r, uint32_t at, const char *list) {
    const mst_json_node *nodes = r->json.nodes;
    const char *made = "";
    for (uint32_t i = at + 1; i < nodes[at].end && made; i = nodes[i + 1].end) {
        if (mst_is_word(&nodes[i], "list"))
            continue;
        const char *path = mst_arena_text(r->arena, nodes[i].text, nodes[i].length);
        const char *value = text_of(r, i + 1);
        if (!value)
            value = mst_json_text_of(&r->json, i + 1, r->arena);
        made = path && value ? mst_arena_printf(r->arena, "%s%s%s=%s", made, *made ? " & " : "", path, value)
                             : NULL;
    }
    return made ? mst_arena_printf(r->arena, "%s[%s]", list, *made ? made : "*") : NULL;
}

/* Reads which elements a bulk operation is about. */
static mst_status read_bulk(const read_state *r, mst_patch_step *step) {
    uint32_t at = member(&r->json, 0, "at");
    const char *list = at ? text_of(r, member(&r->json, at, "list")) : NULL;
    step->below = text_of(r, member(&r->json, 0, "path"));
    if (!list || strchr(list, '[') || member(&r->json, at, "index"))
        return bad(r, "the \"at\" of a bulk operation needs a \"list\", and has no \"index\"");
    if (!step->below || !*step->below || *step->below == '[' || *step->below == '.')
        return bad(r, "a bulk operation needs the \"path\" of a value of elements");
    if (!number(&r->json, member(&r->json, 0, "count"), &step->index) || !step->index)
        return bad(r, "a bulk operation needs a \"count\"");
    const char *selector = selector_of(r, at, list);
    step->at = mst_json_text_of(&r->json, at, r->arena);
    step->at_list = list;
    step->key = selector ? mst_arena_printf(r->arena, "%s.%s", selector, step->below) : NULL;
    return step->at && step->key ? MST_OK : MST_NO_MEMORY;
}

/* Splits the path of an element. False: it is not one. */
static bool split(const read_state *r, mst_patch_step *step) {
    if (!step->key)
        return false;
    size_t length = strlen(step->key), digits = 0;
    if (length < 3 || step->key[length - 1] != ']')
        return false;
    while (digits + 1 < length && step->key[length - 2 - digits] >= '0' &&
           step->key[length - 2 - digits] <= '9')
        digits++;
    size_t open = length - 2 - digits;
    if (!digits || step->key[open] != '[' || !mst_read_u64(step->key + open + 1, digits, &step->index))
        return false;
    step->list = mst_arena_text(r->arena, step->key, open);
    return true;
}

static mst_status read_values(const read_state *r, mst_patch_step *step) {
    uint32_t note = member(&r->json, 0, "note"), old = member(&r->json, 0, "old"),
             now = member(&r->json, 0, "new"), count = member(&r->json, 0, "count");
    if (old && !(step->old = mst_json_text_of(&r->json, old, r->arena)))
        return MST_NO_MEMORY;
    if (now && !(step->now = mst_json_text_of(&r->json, now, r->arena)))
        return MST_NO_MEMORY;
    number(&r->json, member(&r->json, 0, "to"), &step->to);
    uint32_t geometry = member(&r->json, 0, "geometry");
    for (int side = 0; geometry && side < 2; side++) {
        uint32_t one = member(&r->json, geometry, side ? "new" : "old");
        if (one && !(step->geometry[side] = mst_json_text_of(&r->json, one, r->arena)))
            return MST_NO_MEMORY;
    }
    for (size_t s = 0; note && s < MST_SORTS; s++) {
        uint32_t sort = member(&r->json, note, "sort");
        if (sort && mst_is_word(&r->json.nodes[sort], mst_sort_names[s]))
            step->sort = (uint8_t)s;
    }
    if (note)
        step->line = text_of(r, member(&r->json, note, "label"));
    if (step->kind != MST_STEP_LIST)
        return MST_OK;
    step->hash = text_of(r, member(&r->json, 0, "hash"));
    const mst_json_node *counts = &r->json.nodes[count];
    bool two = count && counts->kind == MST_JSON_ARRAY && counts->count == 2 &&
               number(&r->json, count + 1, &step->index) && number(&r->json, count + 2, &step->to);
    return two ? MST_OK : bad(r, "a list needs two counts");
}

static mst_status read_all(read_state *r, const char *text, size_t size);

static mst_status read_packed(read_state *r) {
    const uint32_t data = member(&r->json, 0, "data");
    const mst_json_node *node = &r->json.nodes[data];
    mst_buffer lines = {.allocator = r->arena->allocator};
    uint64_t size = 0;
    if (r->packed || !data || node->kind != MST_JSON_STRING ||
        !number(&r->json, member(&r->json, 0, "size"), &size))
        return bad(r, r->packed ? "packed operations are packed again"
                                : "packed operations need a \"size\" and \"data\"");
    r->packed = true;
    mst_status status = mst_patch_unpack(node->text, node->length, size, r->arena, &lines, r->diagnostic);
    if (status == MST_OK)
        status = read_all(r, (const char *)lines.data, lines.size);
    mst_buffer_free(&lines);
    r->packed = false;
    return status;
}

static mst_status read_step(read_state *r) {
    static const struct {
        const char *name;
        mst_step_kind kind;
    } names[] = {{"set", MST_STEP_SET},         {"insert", MST_STEP_INSERT}, {"remove", MST_STEP_REMOVE},
                 {"move", MST_STEP_MOVE},       {"list", MST_STEP_LIST},     {"store", MST_STEP_STORE},
                 {"restore", MST_STEP_RESTORE}, {"raw", MST_STEP_RAW},       {"bulk", MST_STEP_BULK}};
    uint32_t op = member(&r->json, 0, "op");
    size_t k = 0;
    uint32_t end = member(&r->json, 0, "end");
    if (!op && end) {
        r->ended = number(&r->json, member(&r->json, end, "operations"), &r->lines);
        return MST_OK;
    }
    if (!op)
        return bad(r, "this is not an operation");
    if (mst_is_word(&r->json.nodes[op], "packed"))
        return read_packed(r);
    while (k < MST_COUNT_OF(names) && !mst_is_word(&r->json.nodes[op], names[k].name))
        k++;
    if (k == MST_COUNT_OF(names))
        return bad(r, "unknown operation");
    mst_patch_step step = {.kind = (uint8_t)names[k].kind};
    mst_status status = step.kind == MST_STEP_RAW    ? MST_OK
                        : step.kind == MST_STEP_BULK ? read_bulk(r, &step)
                                                     : read_key(r, &step);
    if (status == MST_OK)
        status = read_values(r, &step);
    if (status != MST_OK)
        return status;
    if (step.kind == MST_STEP_BULK && !step.old && !step.now)
        return bad(r, "a bulk operation needs \"old\" or \"new\"");
    bool element = step.kind >= MST_STEP_INSERT && step.kind <= MST_STEP_MOVE && split(r, &step);
    if (step.kind == MST_STEP_RAW && (!step.old || !step.now || *step.old != '"' || *step.now != '"'))
        return bad(r, "raw bytes need \"old\" and \"new\"");
    if (step.kind == MST_STEP_RAW && !number(&r->json, member(&r->json, 0, "offset"), &step.to))
        return bad(r, "raw bytes need an \"offset\"");
    if (step.kind == MST_STEP_REMOVE && !element) {
        step.kind = MST_STEP_SET;
        step.now = NULL;
    } else if ((step.kind == MST_STEP_INSERT || step.kind == MST_STEP_MOVE) && !element) {
        return bad(r, "the path does not name an element");
    }
    if (step.kind == MST_STEP_INSERT && !step.now)
        return bad(r, "an insertion needs a \"new\" element");
    mst_patch_step *made = mst_array_push(&r->items, 1);
    if (made)
        *made = step;
    return made ? MST_OK : MST_NO_MEMORY;
}

static mst_status read_line(read_state *r, const char *line, size_t length) {
    mst_status status = mst_json_parse(line, length, r->arena, &r->json, r->diagnostic);
    if (status != MST_OK || r->json.nodes[0].kind != MST_JSON_OBJECT)
        return status == MST_NO_MEMORY ? status
                                       : bad(r, r->begun ? "this is not one JSON object" : not_a_patch);
    status = r->begun ? read_step(r) : read_head(r);
    return r->arena->starved ? MST_NO_MEMORY : status;
}

static mst_status read_all(read_state *r, const char *text, size_t size) {
    mst_status status = MST_OK;
    for (unsigned long at = 1; size && status == MST_OK; at++) {
        const char *end = memchr(text, '\n', size);
        size_t length = end ? (size_t)(end - text) : size, blanks = 0;
        while (blanks < length && (text[blanks] == ' ' || text[blanks] == '\t' || text[blanks] == '\r'))
            blanks++;
        if (blanks < length)
            status = read_line(r, text, length);
        if (status == MST_ARGUMENT && r->diagnostic)
            MST_SET(r->diagnostic->path, "line %lu", at);
        length += end != NULL;
        text += length;
        size -= length;
    }
    return status;
}

/* Moves what was read into the arena. */
static mst_status keep(read_state *r, mst_status status) {
    size_t count = r->items.count;
    mst_patch_step *kept = status == MST_OK ? mst_arena_take(r->arena, count + 1, sizeof *kept) : NULL;
    if (status == MST_OK && !kept)
        status = MST_NO_MEMORY;
    if (kept && count)
        memcpy(kept, r->items.items, count * sizeof *kept);
    mst_array_free(&r->items);
    r->steps->items = kept;
    r->steps->count = status == MST_OK ? count : 0;
    return status == MST_NO_MEMORY ? mst_fail(r->diagnostic, status, "not enough memory for the patch")
                                   : status;
}

mst_status mst_patch_read(const char *text, size_t size, bool unfinished, mst_arena *arena,
                          mst_patch_steps *steps, mst_diagnostic *diagnostic) {
    read_state r = {.arena = arena, .steps = steps, .diagnostic = diagnostic};
    r.items = (mst_array){.element_size = sizeof(mst_patch_step), .allocator = arena->allocator};
    *steps = (mst_patch_steps){.count = 0};
    mst_status status = read_all(&r, text, size);
    if (status == MST_OK && !r.begun)
        status = bad(&r, not_a_patch);
    if (status == MST_OK && !unfinished && (!r.ended || r.lines != r.items.count))
        status = bad(&r, "the patch is cut off: its last line does not fit");
    return keep(&r, status);
}

mst_status mst_patch_read_lines(const char *text, size_t size, mst_arena *arena, mst_patch_steps *steps,
                                mst_diagnostic *diagnostic) {
    read_state r = {.arena = arena, .steps = steps, .diagnostic = diagnostic, .begun = true};
    r.items = (mst_array){.element_size = sizeof(mst_patch_step), .allocator = arena->allocator};
    *steps = (mst_patch_steps){.count = 0};
    return keep(&r, read_all(&r, text, size));
}
