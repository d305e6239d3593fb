/* SPDX-License-Identifier: MIT */
/* Operations as text: lines that users write, and JSON that programs write. */
#include "../core/diagnose.h"
#include "../core/json_text.h"
#include "../core/spelling.h"
#include "../core/text.h"
#include "../read/engine.h"
#include "../read/rooms.h"
#include "moving.h"
#include <limits.h>
#include <mapstone/edit.h>
#include <stdio.h>
#include <string.h>

struct mst_operations {
    mst_arena arena;
    mst_array items; /* mst_operation */
};

typedef struct span {
    const char *text;
    size_t length;
} span;

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static span trimmed(span s) {
    while (s.length && is_blank(*s.text))
        s = (span){s.text + 1, s.length - 1};
    while (s.length && is_blank(s.text[s.length - 1]))
        s.length--;
    return s;
}

static mst_status bad(mst_diagnostic *diagnostic, span text, const char *message) {
    mst_fail(diagnostic, MST_ARGUMENT, "%s", message);
    if (diagnostic)
        MST_SET(diagnostic->found, "%.*s", (int)(text.length < 60 ? text.length : 60), text.text);
    return MST_ARGUMENT;
}

/* ---- operators and words ---------------------------------------------------------------------------- */

static const struct {
    const char *text;
    mst_assignment assignment;
} operators[] = {{"+=", MST_ASSIGN_PLUS}, {"-=", MST_ASSIGN_MINUS},  {"*=", MST_ASSIGN_TIMES},
                 {"/=", MST_ASSIGN_OVER}, {"?=", MST_ASSIGN_OR_ADD}, {":=", MST_ASSIGN_EXPRESSION},
                 {"=", MST_ASSIGN}};

static bool operator_at(span text, size_t at, size_t *length, mst_assignment *assignment) {
    for (size_t k = 0; k < MST_COUNT_OF(operators); k++) {
        *length = strlen(operators[k].text);
        *assignment = operators[k].assignment;
        if (*length <= text.length - at && memcmp(text.text + at, operators[k].text, *length) == 0)
            return true;
    }
    *length = 0; /* s/old/new/ is also the value */
    *assignment = MST_ASSIGN_SUBSTITUTE;
    return at && is_blank(text.text[at - 1]) && text.length - at > 2 && text.text[at] == 's' &&
           strchr("/|#!", text.text[at + 1]);
}

/* Finds the first operator outside brackets; false: there is none. */
static bool find_operator(span text, size_t *at, size_t *length, mst_assignment *assignment) {
    size_t brackets = 0;
    bool quoted = false;
    for (*at = mst_room_length((mst_excerpt){text.text, text.length}); *at < text.length; ++*at) {
        char c = text.text[*at];
        if (brackets && c == '"')
            quoted = !quoted;
        else if (!quoted && c == '[')
            brackets++;
        else if (!quoted && brackets)
            brackets -= c == ']';
        else if (!brackets && operator_at(text, *at, length, assignment))
            return true;
    }
    return false;
}

/* Splits off the text after the last such word outside brackets: " to ". */
static bool split_off(span *path, const char *word, span *rest) {
    size_t length = strlen(word), brackets = 0, found = 0;
    for (size_t at = 0; at < path->length; at++) {
        if (path->text[at] == '[')
            brackets++;
        else if (path->text[at] == ']' && brackets)
            brackets--;
        else if (!brackets && length < path->length - at && memcmp(path->text + at, word, length) == 0)
            found = at;
    }
    if (!found)
        return false;
    *rest = trimmed((span){path->text + found + length, path->length - found - length});
    *path = trimmed((span){path->text, found});
    return rest->length != 0;
}

/* Removes the first word if it is the requested one. */
static bool takes_word(span *text, const char *word) {
    size_t length = strlen(word);
    if (text->length <= length || memcmp(text->text, word, length) != 0 || !is_blank(text->text[length]))
        return false;
    span rest = {text->text + length, text->length - length};
    while (rest.length && is_blank(*rest.text))
        rest = (span){rest.text + 1, rest.length - 1};
    size_t operator_length;
    mst_assignment assignment;
    if (!rest.length || operator_at(rest, 0, &operator_length, &assignment)) /* it is a field's name */
        return false;
    *text = rest;
    return true;
}

static const struct {
    const char *word;
    mst_operation_kind kind;
} words[] = {{"set", MST_OPERATION_SET},       {"insert", MST_OPERATION_INSERT},
             {"remove", MST_OPERATION_REMOVE}, {"duplicate", MST_OPERATION_DUPLICATE},
             {"move", MST_OPERATION_MOVE},     {"rotate", MST_OPERATION_ROTATE},
             {"scale", MST_OPERATION_SCALE},   {"add", MST_OPERATION_ADD}};

/* ---- lines that users write ------------------------------------------------------------------------- */

/* Copies the texts of an operation, whose members are spans. */
static mst_status keep(mst_operations *all, mst_operation *made, span path, span value, bool has_value) {
    made->path = mst_arena_text(&all->arena, path.text, path.length);
    made->value = has_value ? mst_arena_text(&all->arena, value.text, value.length) : NULL;
    return made->path && (made->value || !has_value) ? MST_OK : MST_NO_MEMORY;
}

static const char *operation_like(const char *word) {
    static const char *const others[][2] = {
        {"delete", "remove"},  {"del", "remove"},   {"rm", "remove"},       {"erase", "remove"},
        {"copy", "duplicate"}, {"cp", "duplicate"}, {"clone", "duplicate"}, {"new", "add"},
        {"create", "add"},     {"mv", "move"},      {"translate", "move"},  {"turn", "rotate"},
        {"resize", "scale"},   {"change", "set"},   {"assign", "set"}};
    const char *closest = NULL;
    unsigned least = UINT_MAX;
    for (size_t i = 0; i < MST_COUNT_OF(others); i++)
        if (!strcmp(word, others[i][0]))
            return others[i][1];
    for (size_t w = 0; w < MST_COUNT_OF(words); w++) {
        unsigned distance = mst_name_distance(word, words[w].word);
        if (distance < least) {
            least = distance;
            closest = words[w].word;
        }
    }
    return closest;
}

/* Refuses a line that begins with a word, as operations do, and is not an assignment. */
static mst_status bad_word(mst_diagnostic *diagnostic, span text) {
    char word[32];
    size_t length = 0, listed;
    while (length < text.length && text.text[length] >= 'a' && text.text[length] <= 'z')
        length++;
    if (!length || length >= sizeof word || length == text.length || !is_blank(text.text[length]))
        return bad(diagnostic, text, "this is not of the form PATH=VALUE");
    memcpy(word, text.text, length);
    word[length] = 0;
    const char *like = operation_like(word);
    bad(diagnostic, text, "");
    if (!diagnostic)
        return MST_ARGUMENT;
    MST_SET(diagnostic->message, "unknown operation \"%s\"%s%s%s", word, like ? "; did you mean \"" : "",
            like ? like : "", like ? "\"?" : "");
    for (size_t w = listed = 0; w < MST_COUNT_OF(words) && listed < sizeof diagnostic->expected; w++)
        listed += (size_t)snprintf(diagnostic->expected + listed, sizeof diagnostic->expected - listed,
                                   "%s%s", w ? ", " : "", words[w].word);
    return MST_ARGUMENT;
}

static mst_status read_assignment(mst_operations *all, span text, mst_operation *made,
                                  mst_diagnostic *diagnostic) {
    size_t at, length;
    if (!find_operator(text, &at, &length, &made->assignment))
        return bad_word(diagnostic, text);
    span path = trimmed((span){text.text, at});
    span value = {text.text + at + length, text.length - at - length};
    if (path.length < at ||
        made->assignment == MST_ASSIGN_EXPRESSION) /* as in "name = value"; else blanks belong to the value */
        while (value.length && *value.text == ' ')
            value = (span){value.text + 1, value.length - 1};
    if (!path.length)
        return bad(diagnostic, text, "this is not of the form PATH=VALUE: the path is missing");
    if (strchr("+-*/%^&|!~<>:?", path.text[path.length - 1]) && length == 1) /* no name ends like that */
        return bad(diagnostic, text,
                   "unknown operator; the operators are = += -= *= /= ?= := and s/old/new/");
    if (made->kind == MST_OPERATION_INSERT && made->assignment != MST_ASSIGN)
        return bad(diagnostic, text, "an insertion is of the form insert PATH=VALUE");
    return keep(all, made, path, value, true);
}

/* PATH by AMOUNT [about POINT] */
static mst_status read_turn(mst_operations *all, span text, mst_operation *made, mst_diagnostic *diagnostic) {
    span path = text, value = {NULL, 0}, point = {NULL, 0};
    if (split_off(&path, " about ", &point)) {
        made->about = mst_arena_text(&all->arena, point.text, point.length);
        if (!made->about)
            return MST_NO_MEMORY;
    } else {
        path = text;
    }
    if (!split_off(&path, " by ", &value))
        return bad(diagnostic, text, "this is not of the form PATH by AMOUNT about POINT");
    return keep(all, made, path, value, true);
}

/* The length of a value that ends at a blank outside quotes and brackets. */
static size_t value_length(span text) {
    size_t brackets = 0, at = 0;
    bool quoted = false;
    for (; at < text.length; at++) {
        char c = text.text[at];
        if (quoted && c == '\\' && at + 1 < text.length)
            at++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '[' || c == '{'))
            brackets++;
        else if (!quoted && brackets && (c == ']' || c == '}'))
            brackets--;
        else if (!quoted && !brackets && is_blank(c))
            break;
    }
    return at;
}

/* JSON of a value: anything that is not JSON is a text. */
static const char *json_of(mst_operations *all, span value) {
    mst_json json;
    mst_status status = mst_json_parse(value.text, value.length, &all->arena, &json, NULL);
    if (status == MST_NO_MEMORY)
        return NULL;
    return status == MST_OK ? mst_arena_text(&all->arena, value.text, value.length)
                            : mst_json_quoted(&all->arena, value.text, value.length);
}

/* WHAT [NAME=VALUE...] */
static mst_status read_addition(mst_operations *all, span text, mst_operation *made,
                                mst_diagnostic *diagnostic) {
    size_t length = value_length(text);
    span path = {text.text, length};
    mst_json quoted;
    if (length && *text.text == '"' &&
        mst_json_parse(text.text, length, &all->arena, &quoted, NULL) == MST_OK) /* a name with blanks */
        path = (span){quoted.nodes->text, quoted.nodes->length};
    const char *object = "{";
    for (text = trimmed((span){text.text + length, text.length - length}); text.length;) {
        size_t equals = 0;
        while (equals < text.length && text.text[equals] != '=' && !is_blank(text.text[equals]))
            equals++;
        if (!equals || equals == text.length || text.text[equals] != '=')
            return bad(diagnostic, text, "an addition is of the form add LIST NAME=VALUE...");
        span value = {text.text + equals + 1, text.length - equals - 1};
        value.length = value_length(value);
        const char *name = mst_json_quoted(&all->arena, text.text, equals), *json = json_of(all, value);
        object = name && json
                     ? mst_arena_printf(&all->arena, "%s%s%s:%s", object, object[1] ? "," : "", name, json)
                     : NULL;
        if (!object)
            return MST_NO_MEMORY;
        equals += 1 + value.length;
        text = trimmed((span){text.text + equals, text.length - equals});
    }
    object = mst_arena_printf(&all->arena, "%s}", object);
    return object ? keep(all, made, path, (span){object, strlen(object)}, true) : MST_NO_MEMORY;
}

static mst_status read_line(mst_operations *all, span text, mst_operation *made, mst_diagnostic *diagnostic) {
    made->each = takes_word(&text, "each");
    for (size_t w = 0; w < MST_COUNT_OF(words); w++)
        if (takes_word(&text, words[w].word)) {
            made->kind = words[w].kind;
            break;
        }
    if (made->kind == MST_OPERATION_SET || made->kind == MST_OPERATION_INSERT)
        return read_assignment(all, text, made, diagnostic);
    text = trimmed(text);
    if (made->kind == MST_OPERATION_ADD)
        return read_addition(all, text, made, diagnostic);
    if (made->kind == MST_OPERATION_ROTATE || made->kind == MST_OPERATION_SCALE)
        return read_turn(all, text, made, diagnostic);
    span value = {NULL, 0}, path = text;
    bool given = made->kind != MST_OPERATION_REMOVE && split_off(&path, " to ", &value);
    if (made->kind == MST_OPERATION_MOVE && !given) {
        path = text;
        given = split_off(&path, " by ", &value);
        made->kind = MST_OPERATION_MOVE_BY;
        if (!given)
            return bad(diagnostic, text, "a move is of the form move PATH to INDEX, or move PATH by X,Y,Z");
    }
    return keep(all, made, given ? path : text, value, given);
}

/* ---- JSON that programs write ----------------------------------------------------------------------- */

static bool read_kind(const mst_json_node *node, mst_operation_kind *kind) {
    for (size_t k = 0; k < MST_COUNT_OF(words); k++)
        if (mst_is_word(node, words[k].word)) {
            *kind = words[k].kind;
            return true;
        }
    return false;
}

static bool read_by(const mst_json_node *node, mst_assignment *assignment) {
    for (size_t k = 0; k < MST_COUNT_OF(operators); k++)
        if (mst_is_word(node, operators[k].text)) {
            *assignment = operators[k].assignment;
            return true;
        }
    *assignment = MST_ASSIGN_SUBSTITUTE;
    return mst_is_word(node, "s");
}

/* "by": an operator, or the amount by which something is moved, turned or scaled. */
static bool read_amount(mst_operations *all, const mst_json *json, const mst_json_node *by,
                        mst_operation *made) {
    if (made->kind == MST_OPERATION_SET)
        return read_by(by, &made->assignment);
    if (made->kind == MST_OPERATION_MOVE)
        made->kind = MST_OPERATION_MOVE_BY;
    made->value = by->kind == MST_JSON_STRING
                      ? mst_arena_text(&all->arena, by->text, by->length)
                      : mst_json_text_of(json, (uint32_t)(by - json->nodes), &all->arena);
    return mst_operation_moves(made->kind);
}

static mst_status read_json(mst_operations *all, span text, mst_operation *made, mst_diagnostic *diagnostic) {
    mst_json json;
    bool has_kind = false;
    const mst_json_node *given = NULL, *by = NULL;
    mst_status status = mst_json_parse(text.text, text.length, &all->arena, &json, diagnostic);
    if (status != MST_OK)
        return status == MST_DAMAGED ? bad(diagnostic, text, "this is not one JSON object") : status;
    for (uint32_t at = 1; at < json.nodes[0].end; at = json.nodes[at + 1].end) {
        const mst_json_node *key = &json.nodes[at], *value = key + 1;
        const char **member = NULL;
        bool known = true;
        if (mst_is_word(key, "op"))
            known = has_kind = read_kind(value, &made->kind);
        else if (mst_is_word(key, "each") && (value->kind == MST_JSON_TRUE || value->kind == MST_JSON_FALSE))
            made->each = value->kind == MST_JSON_TRUE;
        else if (mst_is_word(key, "by"))
            by = value, known = value->kind != MST_JSON_OBJECT;
        else if (mst_is_word(key, "about") && value->kind == MST_JSON_STRING)
            made->about = mst_arena_text(&all->arena, value->text, value->length);
        else if (mst_is_word(key, "about"))
            member = &made->about;
        else if (mst_is_word(key, "path") && (known = value->kind == MST_JSON_STRING))
            made->path = mst_arena_text(&all->arena, value->text, value->length);
        else if (mst_is_word(key, "new") || mst_is_word(key, "to"))
            member = &made->value;
        else if (mst_is_word(key, "old"))
            member = &made->old;
        else if (mst_is_word(key, "at") && (known = value->kind == MST_JSON_OBJECT))
            member = &made->at;
        else if (known && !mst_is_word(key, "note")) /* for readers */
            known = false;
        if (!known)
            return bad(diagnostic, (span){key->text, key->length},
                       "unknown member of an operation, or a value that it cannot have");
        if (member && !(*member = mst_json_text_of(&json, at + 1, &all->arena)))
            return MST_NO_MEMORY;
        if (member == &made->value)
            given = value;
    }
    if (by && !read_amount(all, &json, by, made))
        return bad(diagnostic, text, "unknown operator in \"by\"");
    bool is_text = made->assignment == MST_ASSIGN_SUBSTITUTE || made->assignment == MST_ASSIGN_EXPRESSION;
    if (given && given->kind == MST_JSON_STRING && is_text)
        made->value = mst_arena_text(&all->arena, given->text, given->length);
    if (has_kind && !made->path && made->at)
        made->path = "";
    return has_kind && made->path ? MST_OK : bad(diagnostic, text, "an operation needs \"op\" and \"path\"");
}

/* ---- reading ---------------------------------------------------------------------------------------- */

static mst_status read_one(mst_operations *all, span text, mst_diagnostic *diagnostic) {
    mst_operation made = {0};
    mst_status status =
        *text.text == '{' ? read_json(all, text, &made, diagnostic) : read_line(all, text, &made, diagnostic);
    mst_operation *item = status == MST_OK ? mst_array_push(&all->items, 1) : NULL;
    if (item)
        *item = made;
    return status == MST_OK && !item ? MST_NO_MEMORY : status;
}

static mst_status read_script(mst_operations *all, span given, mst_diagnostic *diagnostic) {
    mst_text plain;
    mst_status status = mst_text_wish(given.text, given.length, &all->arena, &plain, diagnostic);
    span text = {plain.at, plain.size};
    if (status != MST_OK)
        return status;
    for (unsigned long line = 1; text.length && status == MST_OK; line++) {
        const char *end = memchr(text.text, '\n', text.length);
        size_t length = end ? (size_t)(end - text.text) : text.length;
        span one = trimmed((span){text.text, length});
        length += end != NULL;
        text = (span){text.text + length, text.length - length};
        if (!one.length || *one.text == '#')
            continue;
        status = read_one(all, one, diagnostic);
        if (status == MST_ARGUMENT && diagnostic)
            MST_SET(diagnostic->path, "line %lu", line);
    }
    return status;
}

mst_status mst_operations_read(mst_operations **operations, const char *text, size_t size, bool script,
                               const mst_allocator *allocator, mst_diagnostic *diagnostic) {
    if (!operations || (!text && size))
        return mst_fail(diagnostic, MST_ARGUMENT, "a place for operations and a text are needed");
    mst_allocator from = mst_allocator_or_default(allocator);
    if (!*operations) {
        *operations = from.resize(from.user, NULL, 0, sizeof **operations);
        if (!*operations)
            return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for operations");
        memset(*operations, 0, sizeof **operations);
        mst_arena_begin(&(*operations)->arena, &from, 0);
        (*operations)->items = (mst_array){.element_size = sizeof(mst_operation), .allocator = from};
    }
    span all = {text ? text : "", size}, one = trimmed(all);
    mst_status status;
    if (script)
        status = read_script(*operations, all, diagnostic);
    else if (one.length)
        status = read_one(*operations,
                          *one.text == '{' ? one : (span){one.text, (size_t)(all.text + size - one.text)},
                          diagnostic);
    else
        status = mst_fail(diagnostic, MST_ARGUMENT, "an operation is needed");
    if (status == MST_NO_MEMORY)
        mst_fail(diagnostic, status, "not enough memory for operations");
    return status;
}

const mst_operation *mst_operations_all(const mst_operations *operations, size_t *count) {
    if (count)
        *count = operations ? operations->items.count : 0;
    return operations ? operations->items.items : NULL;
}

void mst_operations_free(mst_operations *operations) {
    if (!operations)
        return;
    mst_allocator allocator = operations->items.allocator;
    mst_array_free(&operations->items);
    mst_arena_end(&operations->arena);
    allocator.resize(allocator.user, operations, sizeof *operations, 0);
}
