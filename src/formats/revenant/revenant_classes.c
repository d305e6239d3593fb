/* SPDX-License-Identifier: MIT */
/*
 * A lenient reader of class.def, which is written by hand. It reads forward only, except for names with
 * quotation marks inside, where it scans a window of a few hundred bytes twice.
 */
#include "revenant_classes.h"
#include "../../core/diagnose.h"
#include "../../core/lower_bound.h"
#include "../../core/memo.h"
#include "revenant_words.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the game's classes ------------------------------------------------------------------------ */

static const char *const class_names[] = {
    "item",   "weapon", "armor",        "talisman",     "food",   "container", "lightsource",
    "tool",   "money",  "tile",         "exit",         "player", "character", "trap",
    "shadow", "helper", "key",          "invcontainer", "potion", NULL,        NULL,
    "ammo",   "scroll", "rangedweapon", NULL,           "effect", "mapscroll"};
#define CLASS_NAMES (sizeof class_names / sizeof class_names[0])

const char *mst_revenant_class_name(uint32_t number) {
    return number < CLASS_NAMES ? class_names[number] : NULL;
}

int32_t mst_revenant_class_number(const char *name, size_t length) {
    for (size_t i = 0; i < CLASS_NAMES; i++)
        if (class_names[i] && is_word(name, length, class_names[i]))
            return (int32_t)i;
    return -1;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* ---- reading ----------------------------------------------------------------------------------- */

typedef enum context { AT_TOP, IN_CLASS, IN_STATS, IN_OBJECT_STATS, IN_TYPES } context;

typedef enum token_kind { T_END, T_WORD, T_NUMBER, T_STRING, T_OPEN, T_CLOSE, T_COMMA, T_EQUALS } token_kind;

typedef struct token {
    token_kind kind;
    uint32_t line;
    size_t offset, length; /* of the token with its quotation marks */
    const char *text;      /* without the quotation marks */
    size_t text_length;
    uint32_t number; /* two's complement if it was negative */
} token;

/* A class being read: its statistics and types are consecutive in the arrays of the reader. */
typedef struct class_entry {
    const char *name;
    int32_t number;
    size_t first_stat[2], stat_count[2]; /* [1]: of OBJSTATS */
    size_t first_type;
} class_entry;

typedef struct type_entry {
    const char *name, *imagery;
    uint32_t unique_id, line;
    uint32_t class_index;
    size_t first_value, value_count[2];
    size_t offset, length;
    bool broken; /* a list of values is not closed, which was reported */
} type_entry;

typedef struct reader {
    const char *text;
    size_t size, at;
    size_t reported; /* problems of tokens before this offset were reported */
    uint32_t line;
    mst_arena *arena;
    mst_revenant_remarks remark;
    void *user;
    mst_status status;
    context block;
    bool wants_begin;
    mst_array classes, types, stats[2], values;
} reader;

/* Reports a problem in the text; after a failure it does nothing, which keeps the first one. */
static void remark(reader *r, const char *code, uint32_t line, size_t offset, size_t length,
                   const char *format, ...) __attribute__((format(printf, 6, 7)));
static void remark(reader *r, const char *code, uint32_t line, size_t offset, size_t length,
                   const char *format, ...) {
    if (!r->remark || r->status != MST_OK)
        return;
    mst_revenant_remark made = {.code = code, .line = line, .offset = offset, .length = length};
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    MST_SET(made.message, "%s", text);
    r->status = r->remark(r->user, &made);
}
#define SYNTAX(r, t, ...) remark((r), "REV-DEF-SYNTAX", (t)->line, (t)->offset, (t)->length, __VA_ARGS__)

/* Reports a problem of the token itself, once: tokens may be read again. */
static void remark_token(reader *r, const token *t, const char *message) {
    if (t->offset < r->reported)
        return;
    r->reported = t->offset + 1;
    SYNTAX(r, t, "%s", message);
}

static void *push(reader *r, mst_array *array) {
    void *item = r->status == MST_OK ? mst_array_push(array, 1) : NULL;
    if (!item && r->status == MST_OK)
        r->status = MST_NO_MEMORY;
    return item;
}

static const char *keep(reader *r, const token *t) {
    const char *copy = copy_text(r->arena, t->text, t->text_length, false);
    if (!copy && r->status == MST_OK)
        r->status = MST_NO_MEMORY;
    return copy ? copy : "";
}

static bool at_comment(const reader *r, size_t at) {
    return r->size - at >= 2 && r->text[at] == '/' && r->text[at + 1] == '/';
}

static size_t end_of_line(const reader *r, size_t at) {
    while (at < r->size && !is_newline(r->text[at]))
        at++;
    return at;
}

static void skip_line(reader *r) {
    r->at = end_of_line(r, r->at);
}

static void skip_blanks(reader *r) {
    while (r->at < r->size) {
        char c = r->text[r->at];
        if (is_newline(c)) {
            /* CR LF is one line break */
            if (c == '\n' || r->at + 1 == r->size || r->text[r->at + 1] != '\n')
                r->line++;
            r->at++;
        } else if (is_blank(c)) {
            r->at++;
        } else if (at_comment(r, r->at)) {
            skip_line(r);
        } else {
            return;
        }
    }
}

#define WINDOW 512 /* bytes: names with quotation marks inside are not longer */

/* Whether a quotation mark ends a string: it is followed by the end of the line, another string, a number, a
 * list or BEGIN. */
static bool ends_string(const reader *r, size_t at, size_t limit) {
    while (at < limit && is_blank(r->text[at]))
        at++;
    if (at >= limit)
        return at >= r->size;
    char c = r->text[at];
    if (is_newline(c) || c == '"' || c == '{' || c == '}' || c == ',' || is_digit(c) || at_comment(r, at))
        return true;
    if (c == '-')
        return at + 1 < limit && is_digit(r->text[at + 1]);
    return limit - at >= 5 && is_word(r->text + at, 5, "begin");
}

static void read_string(reader *r, token *t) {
    size_t start = r->at + 1, limit = r->size - start > WINDOW ? start + WINDOW : r->size;
    size_t first = r->size, end = r->size;
    for (size_t at = start; at < limit && !is_newline(r->text[at]); at++)
        if (r->text[at] == '"') {
            if (first == r->size)
                first = at;
            if (ends_string(r, at + 1, limit)) {
                end = at;
                break;
            }
        }
    if (end == r->size) { /* no mark certainly ends it: take the first */
        end = first;
        for (size_t at = start; end == r->size && at < r->size && !is_newline(r->text[at]); at++)
            if (r->text[at] == '"')
                end = at;
    }
    bool closed = end < r->size;
    if (!closed)
        end = end_of_line(r, start);
    t->kind = T_STRING;
    t->text = r->text + start;
    t->text_length = end - start;
    r->at = closed ? end + 1 : end;
    t->length = r->at - t->offset;
    if (!closed) {
        while (t->text_length && is_blank(t->text[t->text_length - 1]))
            t->text_length--;
        remark_token(r, t, "a quotation mark is not closed");
    } else if (first < end) {
        remark_token(r, t, "there are quotation marks inside a text");
    }
}

/* Parses the word as a number; false if it is not one. */
static bool read_number(reader *r, token *t) {
    const char *text = t->text, *end = text + t->text_length;
    bool negative = text < end && *text == '-';
    if (text < end && (*text == '-' || *text == '+'))
        text++;
    bool hexadecimal = end - text > 2 && text[0] == '0' && mst_lower(text[1]) == 'x';
    if (hexadecimal)
        text += 2;
    if (text == end)
        return false;
    uint64_t value = 0;
    for (; text < end; text++) {
        char c = mst_lower(*text);
        unsigned digit;
        if (is_digit(c))
            digit = (unsigned)(c - '0');
        else if (hexadecimal && c >= 'a' && c <= 'f')
            digit = (unsigned)(c - 'a') + 10;
        else
            return false;
        if (value <= UINT32_MAX)
            value = value * (hexadecimal ? 16 : 10) + digit;
    }
    t->kind = T_NUMBER;
    if (value > (negative ? (uint64_t)1 << 31 : UINT32_MAX)) {
        remark_token(r, t, "the number does not fit in 32 bits");
        value = negative ? (uint64_t)1 << 31 : INT32_MAX;
    }
    t->number = negative ? 0 - (uint32_t)value : (uint32_t)value;
    return true;
}

static void next(reader *r, token *t) {
    skip_blanks(r);
    *t = (token){.kind = T_END, .line = r->line, .offset = r->at, .text = ""};
    if (r->at == r->size || r->status != MST_OK)
        return;
    t->length = 1;
    switch (r->text[r->at]) {
    case '{': t->kind = T_OPEN; break;
    case '}': t->kind = T_CLOSE; break;
    case ',': t->kind = T_COMMA; break;
    case '=': t->kind = T_EQUALS; break;
    case '"': read_string(r, t); return;
    default: {
        size_t end = r->at + 1;
        while (end < r->size && !is_blank(r->text[end]) && !is_newline(r->text[end]) &&
               !strchr("{},=\"", r->text[end]) && !at_comment(r, end))
            end++;
        t->kind = T_WORD;
        t->text = r->text + r->at;
        t->text_length = t->length = end - r->at;
        r->at = end;
        read_number(r, t);
        return;
    }
    }
    r->at++;
}

/* Returns a token to the text. */
static void unread(reader *r, const token *t) {
    r->at = t->offset;
    r->line = t->line;
}

static bool is_keyword(const token *t, const char *word) {
    return t->kind == T_WORD && is_word(t->text, t->text_length, word);
}

/* Skips the rest of the line, but not a token on a later line. */
static void give_up_line(reader *r, const token *t, uint32_t line) {
    unread(r, t);
    if (t->line == line && t->kind != T_END)
        skip_line(r);
}

/* ---- classes, statistics, types ---------------------------------------------------------------- */

static class_entry *class_at(const reader *r, size_t index) {
    return (class_entry *)r->classes.items + index;
}

static const char *text_of_count(size_t count, char *text, size_t capacity) {
    snprintf(text, capacity, count == 1 ? "1 value" : "%zu values", count);
    return text;
}

static void check_values(reader *r, const class_entry *of, const type_entry *type) {
    const int32_t *values = r->values.items;
    if (values)
        values += type->first_value;
    char given[32];
    for (int o = 0; o < 2 && r->status == MST_OK; o++) {
        const mst_revenant_stat *stats = r->stats[o].items;
        if (stats) /* NULL if there are no statistics */
            stats += of->first_stat[o];
        size_t count = type->value_count[o];
        if (count != of->stat_count[o] && !type->broken)
            remark(r, "REV-DEF-VALUES", type->line, type->offset, type->length,
                   "%s for %zu %sstatistics of the class: %s", text_of_count(count, given, sizeof given),
                   of->stat_count[o], o ? "object " : "", type->name);
        for (size_t i = 0; stats && values && i < count && i < of->stat_count[o]; i++)
            /* a maximum not above the minimum sets no limit */
            if (stats[i].minimum < stats[i].maximum && values[i] != stats[i].initial &&
                (values[i] < stats[i].minimum || values[i] > stats[i].maximum))
                remark(r, "REV-DEF-RANGE", type->line, type->offset, type->length,
                       "%s is %ld, outside %ld..%ld: %s", stats[i].code, (long)values[i],
                       (long)stats[i].minimum, (long)stats[i].maximum, type->name);
        if (values)
            values += count;
    }
}

/* Checks the values of its types only now, when all its statistics are known. */
static void end_class(reader *r) {
    if (r->block == AT_TOP)
        return;
    r->block = AT_TOP;
    r->wants_begin = false;
    const class_entry *of = class_at(r, r->classes.count - 1);
    for (size_t i = of->first_type; i < r->types.count; i++)
        check_values(r, of, (const type_entry *)r->types.items + i);
}

static void read_class(reader *r, const token *keyword) {
    if (r->block != AT_TOP)
        SYNTAX(r, keyword, "the previous class has no END");
    end_class(r);
    token name;
    next(r, &name);
    if ((name.kind != T_STRING && name.kind != T_WORD) ||
        (name.line != keyword->line && name.kind == T_WORD)) {
        SYNTAX(r, keyword, "the class has no name");
        give_up_line(r, &name, keyword->line);
        name.text_length = 0;
    }
    class_entry *made = push(r, &r->classes);
    if (!made)
        return;
    *made = (class_entry){.name = keep(r, &name),
                          .number = mst_revenant_class_number(name.text, name.text_length),
                          .first_stat = {r->stats[0].count, r->stats[1].count},
                          .first_type = r->types.count};
    if (made->number < 0 && name.text_length)
        remark(r, "REV-DEF-CLASS", name.line, name.offset, name.length, "the game has no class \"%s\"",
               made->name);
    r->block = IN_CLASS;
    r->wants_begin = true;
}

static void read_stat(reader *r, const token *name) {
    bool objects = r->block == IN_OBJECT_STATS;
    mst_revenant_stat stat = {.name = keep(r, name)};
    token t;
    next(r, &t);
    if (t.kind != T_WORD || t.line != name->line) {
        SYNTAX(r, name, "the statistic has no code");
        give_up_line(r, &t, name->line);
        return;
    }
    size_t length = t.text_length < 4 ? t.text_length : 4;
    for (size_t i = 0; i < length; i++)
        stat.code[i] = is_foreign(t.text[i]) ? '?' : t.text[i];
    if (t.text_length > 4)
        SYNTAX(r, &t, "the code has more than four characters");
    int32_t *numbers[3] = {&stat.initial, &stat.minimum, &stat.maximum};
    size_t count = 0;
    for (;;) {
        next(r, &t);
        if (t.kind == T_END || t.line != name->line)
            break;
        if (t.kind == T_COMMA)
            continue;
        if (t.kind != T_NUMBER || count == 3)
            break;
        *numbers[count++] = (int32_t)t.number;
    }
    bool more = t.kind != T_END && t.line == name->line;
    if (count < 3)
        SYNTAX(r, name, "the statistic lacks its default, minimum or maximum");
    else if (more && t.kind != T_WORD && t.kind != T_STRING)
        SYNTAX(r, &t, "there is something else after the statistic");
    else
        more = false; /* this is the next statistic */
    unread(r, &t);
    if (more)
        skip_line(r);
    mst_revenant_stat *made = push(r, &r->stats[objects]);
    if (!made)
        return;
    *made = stat;
    class_at(r, r->classes.count - 1)->stat_count[objects]++;
}

/* Reads a list of values after its opening brace; false if it is not closed. */
static bool read_values(reader *r, const token *open, size_t *count) {
    bool value_expected = true; /* a value is expected: after the brace or a comma */
    for (;;) {
        token t;
        next(r, &t);
        bool word = t.kind == T_WORD && !is_keyword(&t, "end") && !is_keyword(&t, "class");
        if (t.kind == T_CLOSE) {
            if (value_expected && *count)
                SYNTAX(r, &t, "the list ends with a comma");
            return true;
        }
        if (t.kind == T_COMMA && !value_expected) {
            value_expected = true;
            continue;
        }
        if (t.kind != T_NUMBER && t.kind != T_COMMA && !word) {
            if (r->status == MST_OK)
                SYNTAX(r, open, "the list of values is not closed");
            if (t.kind == T_STRING || t.kind == T_WORD)
                unread(r, &t);
            else
                give_up_line(r, &t, t.line);
            return false;
        }
        if (t.kind != T_NUMBER)
            SYNTAX(r, &t, word ? "a value is not a number" : "a value is missing");
        int32_t *value = push(r, &r->values);
        if (!value)
            return false;
        *value = (int32_t)t.number; /* 0 if it is missing */
        ++*count;
        value_expected = t.kind == T_COMMA;
    }
}

static void read_type(reader *r, const token *name) {
    token t;
    next(r, &t);
    type_entry type = {.name = keep(r, name),
                       .imagery = "",
                       .line = name->line,
                       .class_index = (uint32_t)r->classes.count - 1,
                       .first_value = r->values.count,
                       .offset = name->offset};
    if (t.kind == T_STRING && t.line == name->line) {
        type.imagery = keep(r, &t);
        next(r, &t);
    } else if (t.kind == T_NUMBER && t.line == name->line) {
        SYNTAX(r, name, "the type has no imagery: %s", type.name);
    }
    if (t.kind != T_NUMBER || t.line != name->line) {
        SYNTAX(r, name, "the type has no unique id: %s", type.name);
        give_up_line(r, &t, name->line);
        return;
    }
    type.unique_id = t.number;
    for (int o = 0; o < 2; o++) {
        type.length = r->at - type.offset;
        next(r, &t);
        if (t.kind != T_OPEN) {
            unread(r, &t);
            break;
        }
        type.broken = !read_values(r, &t, &type.value_count[o]);
        type.length = r->at - type.offset;
        if (type.broken)
            break;
    }
    type_entry *made = push(r, &r->types);
    if (made)
        *made = type;
}

/* `Unique Type ID = 0x..`: the last id that was assigned. */
static void read_last_id(reader *r, const token *unique) {
    static const char *const words[2] = {"type", "id"};
    token t;
    for (int i = 0; i < 4; i++) {
        next(r, &t);
        if (t.line != unique->line || !(i < 2    ? is_keyword(&t, words[i])
                                        : i == 2 ? t.kind == T_EQUALS
                                                 : t.kind == T_NUMBER)) {
            SYNTAX(r, unique, "this is not Unique Type ID = number");
            give_up_line(r, &t, unique->line);
            return;
        }
    }
}

static void begin_block(reader *r, const token *keyword, context which) {
    if (r->block == AT_TOP) {
        SYNTAX(r, keyword, "this is not inside a class");
        skip_line(r);
        return;
    }
    if (r->block != IN_CLASS)
        SYNTAX(r, keyword, "the previous block has no END");
    r->block = which;
    r->wants_begin = true;
}

/* Whether a line that begins with a keyword describes a statistic: a code and a number follow. */
static bool names_stat(const reader *r) {
    size_t at = r->at;
    while (at < r->size && is_blank(r->text[at]))
        at++;
    size_t code = at;
    while (at < r->size && !is_blank(r->text[at]) && !is_newline(r->text[at]))
        at++;
    if (at == code)
        return false;
    while (at < r->size && is_blank(r->text[at]))
        at++;
    return r->size - at >= 2 && (is_digit(r->text[at]) || (r->text[at] == '-' && is_digit(r->text[at + 1])));
}

static void read_statement(reader *r, const token *t) {
    bool stats = r->block == IN_STATS || r->block == IN_OBJECT_STATS;
    bool word = t->kind == T_WORD && !(stats && names_stat(r));
    if (word && is_keyword(t, "begin")) {
        if (!r->wants_begin)
            SYNTAX(r, t, "BEGIN without a block");
        r->wants_begin = false;
        return;
    }
    if (r->wants_begin) {
        r->wants_begin = false;
        SYNTAX(r, t, "BEGIN is missing");
    }
    if (word && is_keyword(t, "end")) {
        if (r->block == AT_TOP)
            SYNTAX(r, t, "END without BEGIN");
        else if (r->block == IN_CLASS)
            end_class(r);
        else
            r->block = IN_CLASS;
    } else if (word && is_keyword(t, "class")) {
        read_class(r, t);
    } else if (word && is_keyword(t, "stats")) {
        begin_block(r, t, IN_STATS);
    } else if (word && is_keyword(t, "objstats")) {
        begin_block(r, t, IN_OBJECT_STATS);
    } else if (word && is_keyword(t, "types")) {
        begin_block(r, t, IN_TYPES);
    } else if (word && is_keyword(t, "unique")) {
        read_last_id(r, t);
    } else if (stats && (t->kind == T_WORD || t->kind == T_STRING)) {
        read_stat(r, t);
    } else if (r->block == IN_TYPES && t->kind == T_STRING) {
        read_type(r, t);
    } else {
        SYNTAX(r, t, "this is not expected here");
        skip_line(r);
    }
}

/* ---- the result -------------------------------------------------------------------------------- */

typedef struct identity {
    uint32_t unique_id, index;
} identity;

static int compare_identities(const void *left, const void *right) {
    const identity *a = left, *b = right;
    if (a->unique_id != b->unique_id)
        return a->unique_id < b->unique_id ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static void sort_types(reader *r, uint32_t *by_id) {
    const type_entry *types = r->types.items;
    mst_array order = {.element_size = sizeof(identity), .allocator = r->arena->allocator};
    size_t count = r->types.count;
    identity *list = count ? mst_array_push(&order, count) : NULL;
    if (!list) {
        if (count)
            r->status = MST_NO_MEMORY;
        return;
    }
    for (size_t i = 0; i < count; i++)
        list[i] = (identity){types[i].unique_id, (uint32_t)i};
    qsort(list, count, sizeof *list, compare_identities);
    for (size_t i = 0; i < count; i++)
        by_id[i] = list[i].index;
    /* From here on list[i].index is the first type that has the id of type i. */
    for (size_t i = 0, first = 0; i < count; i++) {
        if (i && types[by_id[i]].unique_id != types[by_id[i - 1]].unique_id)
            first = i;
        list[by_id[i]].index = by_id[first];
    }
    for (size_t i = 0; i < count; i++)
        if (list[i].index != i)
            remark(r, "REV-DEF-DUPLICATE", types[i].line, types[i].offset, types[i].length,
                   "unique id 0x%08lx is already used in line %lu: %s", (unsigned long)types[i].unique_id,
                   (unsigned long)types[list[i].index].line, types[i].name);
    mst_array_free(&order);
}

static void *copy_items(reader *r, const mst_array *array) {
    void *copy = mst_arena_take(r->arena, array->count, array->element_size);
    if (!copy)
        r->status = MST_NO_MEMORY;
    else if (array->count)
        memcpy(copy, array->items, array->count * array->element_size);
    return copy;
}

static void build_result(reader *r, mst_revenant_classes *result) {
    size_t class_count = r->classes.count, type_count = r->types.count;
    const mst_revenant_stat *stats[2] = {copy_items(r, &r->stats[0]), copy_items(r, &r->stats[1])};
    const int32_t *values = copy_items(r, &r->values);
    mst_revenant_class *classes = mst_arena_take(r->arena, class_count, sizeof *classes);
    mst_revenant_type *types = mst_arena_take(r->arena, type_count, sizeof *types);
    uint32_t *by_id = mst_arena_take(r->arena, type_count, sizeof *by_id);
    if (r->status != MST_OK || !classes || !types || !by_id) {
        r->status = MST_NO_MEMORY;
        return;
    }
    for (size_t i = 0; i < class_count; i++) {
        const class_entry *from = class_at(r, i);
        classes[i] = (mst_revenant_class){.name = from->name,
                                          .number = from->number,
                                          .stats = stats[0] + from->first_stat[0],
                                          .object_stats = stats[1] + from->first_stat[1],
                                          .stat_count = (uint32_t)from->stat_count[0],
                                          .object_stat_count = (uint32_t)from->stat_count[1]};
    }
    for (size_t i = 0; i < type_count; i++) {
        const type_entry *from = (const type_entry *)r->types.items + i;
        types[i] = (mst_revenant_type){.name = from->name,
                                       .imagery = from->imagery,
                                       .unique_id = from->unique_id,
                                       .class_index = from->class_index,
                                       .stats = values + from->first_value,
                                       .object_stats = values + from->first_value + from->value_count[0],
                                       .stat_count = (uint32_t)from->value_count[0],
                                       .object_stat_count = (uint32_t)from->value_count[1],
                                       .line = from->line};
    }
    sort_types(r, by_id);
    *result = (mst_revenant_classes){classes, types, by_id, (uint32_t)class_count, (uint32_t)type_count};
}

mst_status mst_revenant_read_classes(const char *text, size_t size, mst_arena *arena,
                                     mst_revenant_classes *classes, mst_revenant_remarks remarks,
                                     void *user) {
    *classes = (mst_revenant_classes){0};
    if (size > UINT32_MAX)
        return MST_NO_MEMORY; /* counts and lines are 32 bits */
    reader r = {.text = text, .size = size, .line = 1, .arena = arena, .remark = remarks, .user = user};
    mst_array *const arrays[5] = {&r.classes, &r.types, &r.stats[0], &r.stats[1], &r.values};
    const size_t sizes[5] = {sizeof(class_entry), sizeof(type_entry), sizeof(mst_revenant_stat),
                             sizeof(mst_revenant_stat), sizeof(int32_t)};
    for (int i = 0; i < 5; i++)
        *arrays[i] = (mst_array){.element_size = sizes[i], .allocator = arena->allocator};
    r.at = mst_byte_order_mark(text, size);
    token t;
    for (;;) {
        next(&r, &t);
        if (t.kind == T_END)
            break;
        read_statement(&r, &t);
    }
    if (r.block != AT_TOP)
        SYNTAX(&r, &t, "the text ends before END");
    end_class(&r);
    if (r.status == MST_OK)
        build_result(&r, classes);
    for (int i = 0; i < 5; i++)
        mst_array_free(arrays[i]);
    if (r.status != MST_OK)
        *classes = (mst_revenant_classes){0};
    return r.status;
}

const mst_revenant_type *mst_revenant_type_of(const mst_revenant_classes *classes, uint32_t unique_id) {
    MST_LOWER_BOUND(low, middle, classes->type_count,
                    classes->types[classes->by_id[middle]].unique_id < unique_id);
    if (low == classes->type_count)
        return NULL;
    const mst_revenant_type *type = &classes->types[classes->by_id[low]];
    return type->unique_id == unique_id ? type : NULL;
}

/* Statistics of a class that get a name; the longest known class has 40. */
#define NAMED_STATS 64

void mst_revenant_stat_name(const mst_revenant_stat *stats, uint32_t count, uint32_t index,
                            char name[MST_REVENANT_STAT_NAME]) {
    bool named = index < count && index < NAMED_STATS && stats[index].code[0] != '#';
    for (uint32_t k = 0; named && k < index; k++)
        named = strcmp(stats[k].code, stats[index].code) != 0;
    if (named)
        memcpy(name, stats[index].code, sizeof stats[index].code);
    else
        snprintf(name, MST_REVENANT_STAT_NAME, "#%u", index);
}

static mst_status make(const mst_resolver *resolver, const void *bytes, size_t size, mst_arena *arena,
                       void *classes) {
    (void)resolver;
    return mst_revenant_read_classes(bytes, size, arena, classes, NULL, NULL);
}

mst_status mst_revenant_recall_classes(const mst_resolver *resolver, const char *text, size_t size,
                                       mst_arena *scratch, const mst_revenant_classes **classes) {
    static const mst_memo_kind kind = {sizeof(mst_revenant_classes), make};
    const void *made = NULL;
    mst_status status = mst_recall(&kind, resolver, text, size, scratch, &made);
    *classes = made;
    return status;
}
