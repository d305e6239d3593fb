/* SPDX-License-Identifier: MIT */
#include "expression.h"
#include "../core/diagnose.h"
#include "../core/number.h"
#include "../core/text.h"
#include <float.h>
#include <math.h>

#define MESSAGE_MAX 150
#define LEVELS      (MST_EXPRESSION_DEPTH + 1)
#define MANY        UINT8_MAX /* arguments */

/* An operator that waits for its right side, or a bracket that is still open. */
typedef enum pending_kind { OPEN, ADD, SUBTRACT, MULTIPLY, DIVIDE, NEGATE } pending_kind;
static const uint8_t binding[] = {[ADD] = 1, [SUBTRACT] = 1, [MULTIPLY] = 2, [DIVIDE] = 2, [NEGATE] = 3};

typedef struct pending {
    uint8_t kind;
    uint8_t function; /* of an OPEN: 1 + its index in `functions`; 0: none */
    uint8_t given;    /* arguments before the last comma */
    uint16_t column;
} pending;

/* In a bracket, at most a sum, a product and a sign are pending, and an argument, a summand and a factor. */
typedef struct parser {
    const mst_calculation *expression;
    const char *text;
    size_t length, at;
    bool dry; /* nothing is evaluated */
    pending pendings[4 * LEVELS];
    mst_operand values[3 * LEVELS];
    size_t pending_count, value_count, depth;
    size_t used; /* bytes of the values' texts, in order and without gaps */
    mst_diagnostic *diagnostic;
} parser;

mst_status mst_expression_fail(mst_excerpt text, size_t column, mst_status status, const char *message,
                               mst_diagnostic *diagnostic) {
    size_t cut = mst_utf8_cut(message, strlen(message), MESSAGE_MAX); /* leaves room for the column */
    mst_fail(diagnostic, status, "%.*s at column %zu of the expression", (int)cut, message, column);
    if (diagnostic)
        MST_SET(diagnostic->found, "%.*s", (int)(text.length < 60 ? text.length : 60), text.text);
    return status;
}

static mst_status bad(const parser *p, size_t column, const char *message) {
    return mst_expression_fail(p->expression->text, column, MST_ARGUMENT, message, p->diagnostic);
}

/* ---- functions ---------------------------------------------------------------------------------------- */

typedef enum function { ROUND, FLOOR, CEIL, ABS, SQRT, MIN, MAX } function;
static const struct {
    const char *name;
    uint8_t least, most; /* arguments */
    const char *needs;
} functions[] = {[ROUND] = {"round", 1, 2, "round takes a number, or a number and a step"},
                 [FLOOR] = {"floor", 1, 1, "floor takes one number"},
                 [CEIL] = {"ceil", 1, 1, "ceil takes one number"},
                 [ABS] = {"abs", 1, 1, "abs takes one number"},
                 [SQRT] = {"sqrt", 1, 1, "sqrt takes one number"},
                 [MIN] = {"min", 2, MANY, "min takes two numbers or more"},
                 [MAX] = {"max", 2, MANY, "max takes two numbers or more"}};

/* Halves are rounded up, so that a grid has the same steps on both sides of zero. */
static double nearest(double x) {
    double below = floor(x);
    return x - below >= 0.5 ? below + 1 : below;
}

/* The nearest multiple of a step; of a step such as 0.1 the double nearest to it. */
static double nearest_multiple(double x, double step) {
    double steps = nearest(x / step), inverse = 1 / step;
    return inverse > 1 && inverse == floor(inverse) ? steps / inverse : steps * step;
}

/* ---- calculating -------------------------------------------------------------------------------------- */

static mst_status need_numbers(const parser *p, const mst_operand *operands, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (operands[i].is_text)
            return bad(p, operands[i].column, "a number is needed, and this is a text,");
    return MST_OK;
}

/* Replaces `count` operands by a number. */
static mst_status put(parser *p, size_t count, double number, bool whole, size_t column) {
    mst_operand *to = &p->values[p->value_count -= count];
    bool single = false;
    for (size_t i = 0; i < count; i++)
        single = single || to[i].single;
    if (isnan(number))
        return bad(p, column, "the result is not a number");
    if (isinf(number))
        return bad(p, column, "the result is too large");
    if (whole && fabs(number) >= MST_EXACT)
        return bad(p, column, "an integer is not below 2^53, where all are exact,");
    *to = (mst_operand){.number = whole ? number + 0.0 : number, /* integers have no -0 */
                        .column = (uint16_t)column,
                        .whole = whole,
                        .single = single};
    p->value_count++;
    return MST_OK;
}

static size_t number_text(const mst_operand *value, char text[MST_NUMBER_MAX]) {
    double number = value->number;
    bool integral = number == floor(number);
    bool fits = fabs(number) <= (double)FLT_MAX;
    if (value->single && fits && (!integral || (double)(float)number == number))
        return mst_write_f32(text, (float)number);
    return value->whole ? mst_write_i64(text, (int64_t)number) : mst_write_f64(text, number);
}

/* Makes a text of a number, before the text at the end (`before`) or after it. */
static mst_status add_number(parser *p, const mst_operand *number, bool before, mst_operand *text) {
    char own[MST_NUMBER_MAX];
    const char *name = number->name ? number->name : own;
    size_t length = number->name ? strlen(number->name) : number_text(number, own);
    char *to = p->expression->texts + p->used;
    if (length > p->expression->capacity - p->used)
        return bad(p, number->column, "the text is too long");
    if (before) {
        to -= text->length;
        memmove(to + length, to, text->length);
    }
    memcpy(to, name, length);
    p->used += length;
    text->length = (uint16_t)(text->length + length);
    return MST_OK;
}

static mst_status join(parser *p, size_t column) {
    mst_operand *left = &p->values[p->value_count - 2], *right = left + 1;
    mst_status status = MST_OK;
    if (!left->is_text)
        status = add_number(p, left, true, right);
    else if (!right->is_text)
        status = add_number(p, right, false, left);
    if (!left->is_text)
        *left = *right;
    else if (right->is_text)
        left->length = (uint16_t)(left->length + right->length);
    left->column = (uint16_t)column;
    p->value_count--;
    return status;
}

/* Applies the last pending operator. */
static mst_status operate(parser *p) {
    const pending *last = &p->pendings[--p->pending_count];
    size_t count = last->kind == NEGATE ? 1 : 2;
    mst_operand *a = &p->values[p->value_count - count], *b = a + count - 1;
    if (p->dry) {
        p->value_count -= count - 1;
        return MST_OK;
    }
    if (last->kind == ADD && (a->is_text || b->is_text))
        return join(p, last->column);
    mst_status status = need_numbers(p, a, count);
    if (status != MST_OK)
        return status;
    bool whole = a->whole && b->whole;
    switch ((pending_kind)last->kind) {
    case ADD: return put(p, 2, a->number + b->number, whole, last->column);
    case SUBTRACT: return put(p, 2, a->number - b->number, whole, last->column);
    case MULTIPLY: return put(p, 2, a->number * b->number, whole, last->column);
    case DIVIDE:
        if (b->number == 0)
            return bad(p, last->column, "division by 0");
        whole = whole && fmod(a->number, b->number) == 0;
        return put(p, 2, a->number / b->number, whole, last->column);
    case NEGATE:
    case OPEN: break;
    }
    return put(p, 1, -a->number, whole, last->column);
}

/* Applies the operators that bind at least as closely as `least`, up to the enclosing bracket. */
static mst_status operate_down_to(parser *p, uint8_t least) {
    mst_status status = MST_OK;
    while (status == MST_OK && p->pending_count && p->pendings[p->pending_count - 1].kind != OPEN &&
           binding[p->pendings[p->pending_count - 1].kind] >= least)
        status = operate(p);
    return status;
}

/* Reduces min and max to two operands at a time, so that no more are pending. */
static mst_status take_lesser(parser *p, bool greater, size_t column) {
    mst_operand *a = &p->values[p->value_count - 2];
    if (p->dry) {
        p->value_count--;
        return MST_OK;
    }
    mst_status status = need_numbers(p, a, 2);
    if (status != MST_OK)
        return status;
    const mst_operand *chosen = (a[0].number < a[1].number) == greater ? &a[1] : &a[0];
    return put(p, 2, chosen->number, chosen->whole, column);
}

static mst_status call_with_one(parser *p, function which, size_t column) {
    const mst_operand *a = &p->values[p->value_count - 1];
    double x = a->number;
    switch (which) {
    case ROUND: return put(p, 1, nearest(x), a->whole, column);
    case FLOOR: return put(p, 1, floor(x), a->whole, column);
    case CEIL: return put(p, 1, ceil(x), a->whole, column);
    case ABS: return put(p, 1, fabs(x), a->whole, column);
    case SQRT:
    case MIN:
    case MAX: break;
    }
    return put(p, 1, x < 0 ? (double)NAN : sqrt(x), false, column);
}

/* Calls the function whose brackets have closed. */
static mst_status call(parser *p, const pending *open) {
    function which = (function)(open->function - 1);
    size_t count = open->given + 1u;
    if (count < functions[which].least)
        return bad(p, open->column, functions[which].needs);
    if (which == MIN || which == MAX)
        return take_lesser(p, which == MAX, open->column);
    mst_operand *a = &p->values[p->value_count - count];
    if (p->dry) {
        p->value_count -= count - 1;
        return MST_OK;
    }
    mst_status status = need_numbers(p, a, count);
    if (status != MST_OK || count == 1)
        return status != MST_OK ? status : call_with_one(p, which, open->column);
    if (!(a[1].number > 0))
        return bad(p, a[1].column, "the step must be above 0");
    return put(p, 2, nearest_multiple(a[0].number, a[1].number), a[0].whole && a[1].whole, open->column);
}

/* ---- values ------------------------------------------------------------------------------------------- */

static mst_status push_number(parser *p, double number, bool whole, size_t column) {
    return put(p, 0, number, whole, column);
}

/* Begins a text; `length` bytes at the end of the texts are its own. */
static void push_text(parser *p, size_t length, size_t column) {
    p->values[p->value_count++] = (mst_operand){
        .start = (uint16_t)p->used, .length = (uint16_t)length, .column = (uint16_t)column, .is_text = true};
    p->used += length;
}

static mst_status push_text_of(parser *p, const mst_value *value, size_t column) {
    size_t length = 0, room = p->expression->capacity - p->used;
    char *to = p->expression->texts + p->used;
    if (mst_get_text(value, to, room, &length) != MST_OK || length >= room)
        return bad(p, column, "the text is too long");
    for (size_t i = 0; i + 3 <= length; i++)
        if (memcmp(to + i, "\xEF\xBF\xBD", 3) == 0) /* it replaces invalid bytes of the file */
            return bad(p, column, "the value is not valid text");
    push_text(p, length, column);
    return MST_OK;
}

static mst_status push_number_of(parser *p, const mst_value *one, size_t column) {
    const mst_field *field = mst_field_of(one);
    bool whole = field->kind != MST_KIND_F32 && field->kind != MST_KIND_F64;
    double number = 0;
    if (mst_get_real(one, &number) != MST_OK || !isfinite(number))
        return bad(p, column, "the value is not a finite number");
    mst_status status = push_number(p, number, whole, column);
    if (status != MST_OK)
        return status;
    mst_operand *made = &p->values[p->value_count - 1];
    made->single = field->kind == MST_KIND_F32;
    made->name = mst_get_name(one);
    if (mst_value_type(one) == MST_TYPE_BOOL && (number == 0 || number == 1))
        made->name = number == 0 ? "false" : "true";
    return MST_OK;
}

/* Pushes the content of a value of the document. */
static mst_status push_value(parser *p, const mst_value *value, size_t column) {
    mst_value one;
    if (!mst_single_of(value, &one))
        return bad(p, column, "this is a list: choose an element, such as [0],");
    const mst_field *field = mst_field_of(&one);
    if (mst_is_text(field))
        return push_text_of(p, &one, column);
    if (field->flags & MST_FIELD_FLAGS)
        return bad(p, column, "flags are not a number");
    if (!mst_is_number(field))
        return bad(p, column, "this is neither a number nor a text");
    return push_number_of(p, &one, column);
}

static mst_status push_path(parser *p, const char *path, size_t column) {
    const mst_calculation *e = p->expression;
    mst_value value;
    if (strcmp(path, "index") == 0) {
        if (e->index == UINT64_MAX)
            return bad(p, column, "index is not known here,");
        return push_number(p, (double)e->index, true, column);
    }
    if (p->dry)
        return push_number(p, 0, true, column);
    for (size_t i = 0; i < e->scope_count; i++)
        if (mst_find(e->scopes[i], path, &value, NULL) == MST_OK)
            return push_value(p, &value, column);
    if (!e->scope_count)
        return bad(p, column, "names are not known here,");
    mst_diagnostic why;
    mst_find(e->scopes[0], path, &value, &why);
    mst_expression_fail(e->text, column, MST_NO_PATH, why.message, p->diagnostic);
    if (p->diagnostic)
        memcpy(p->diagnostic->expected, why.expected, sizeof why.expected);
    return MST_NO_PATH;
}

/* ---- reading ------------------------------------------------------------------------------------------ */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_of_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c) || (c & 0x80);
}

static void pass_blanks(parser *p) {
    while (p->at < p->length && strchr(" \t\r\n", p->text[p->at]))
        p->at++;
}

static bool next_is(const parser *p, char c) {
    return p->at < p->length && p->text[p->at] == c;
}

/* 12, 0.5, 1e-3 */
static mst_status read_number(parser *p) {
    size_t from = p->at;
    bool whole = true;
    for (; p->at < p->length; p->at++) {
        char c = p->text[p->at];
        bool exponent = p->at > from && (p->text[p->at - 1] | 0x20) == 'e';
        if (!is_of_name(c) && c != '.' && !(exponent && (c == '-' || c == '+')))
            break;
        whole = whole && is_digit(c);
    }
    double number = 0;
    if (!mst_read_f64(p->text + from, p->at - from, &number))
        return bad(p, from + 1, "this is not a number");
    return push_number(p, number, whole, from + 1);
}

/* A text in quotes; a quote in it is written twice. */
static mst_status read_text(parser *p) {
    size_t from = p->at++, length = 0;
    for (;; p->at++) {
        if (p->at == p->length)
            return bad(p, from + 1, "the text is not closed");
        if (p->text[p->at] == '"' && !(++p->at < p->length && p->text[p->at] == '"'))
            break;
        if (!p->dry && length == p->expression->capacity - p->used)
            return bad(p, from + 1, "the text is too long");
        if (!p->dry)
            p->expression->texts[p->used + length++] = p->text[p->at];
    }
    push_text(p, length, from + 1);
    return MST_OK;
}

/* Skips the content of square brackets; false if they are not closed. */
static bool pass_brackets(parser *p) {
    size_t depth = 0;
    for (bool quoted = false; p->at < p->length; p->at++) {
        char c = p->text[p->at];
        quoted ^= c == '"';
        depth += !quoted && c == '[';
        if (!quoted && c == ']' && !--depth) {
            p->at++;
            return true;
        }
    }
    return false;
}

static mst_status open_bracket(parser *p, size_t which, size_t column) {
    if (++p->depth > MST_EXPRESSION_DEPTH)
        return bad(p, column, "there are too many brackets");
    p->pendings[p->pending_count++] =
        (pending){.kind = OPEN, .function = (uint8_t)which, .column = (uint16_t)column};
    return MST_OK;
}

/* Opens the brackets of the function of that name. */
static mst_status open_function(parser *p, const char *name, size_t column) {
    p->at++;
    for (size_t i = 0; i < MST_COUNT_OF(functions); i++)
        if (strcmp(functions[i].name, name) == 0)
            return open_bracket(p, i + 1, column);
    bad(p, column, "unknown function");
    if (p->diagnostic)
        MST_SET(p->diagnostic->expected, "round, floor, ceil, abs, sqrt, min, max");
    return MST_ARGUMENT;
}

/* A path, or a function with its opening bracket, after which a value is still needed. */
static mst_status read_name(parser *p, bool *needs) {
    char name[256];
    size_t from = p->at;
    while (p->at < p->length && (is_of_name(p->text[p->at]) || next_is(p, '.') || next_is(p, '[')))
        if (!next_is(p, '['))
            p->at++;
        else if (!pass_brackets(p))
            return bad(p, from + 1, "a closing bracket \"]\" is missing");
    size_t length = p->at - from;
    if (length >= sizeof name)
        return bad(p, from + 1, "the path is too long");
    memcpy(name, p->text + from, length);
    name[length] = 0;
    pass_blanks(p);
    *needs = next_is(p, '(');
    return *needs ? open_function(p, name, from + 1) : push_path(p, name, from + 1);
}

/* Reads a value, or a token that may precede one. */
static mst_status read_value(parser *p, bool *needs) {
    char c = p->text[p->at];
    size_t column = p->at + 1;
    bool negated = p->pending_count && p->pendings[p->pending_count - 1].kind == NEGATE;
    if (c == '(') {
        p->at++;
        return open_bracket(p, 0, column);
    }
    if (c == '-' && !negated) {
        p->at++;
        p->pendings[p->pending_count++] = (pending){.kind = NEGATE, .column = (uint16_t)column};
        return MST_OK;
    }
    *needs = false;
    if (is_digit(c))
        return read_number(p);
    if (c == '"')
        return read_text(p);
    return is_of_name(c) ? read_name(p, needs) : bad(p, column, "a value is missing");
}

static mst_status close_bracket(parser *p) {
    mst_status status = operate_down_to(p, 0);
    if (status != MST_OK)
        return status;
    if (!p->pending_count)
        return bad(p, p->at + 1, "there is no bracket to close");
    p->at++;
    p->depth--;
    const pending *open = &p->pendings[--p->pending_count];
    return open->function ? call(p, open) : MST_OK;
}

static mst_status next_argument(parser *p) {
    mst_status status = operate_down_to(p, 0);
    if (status != MST_OK)
        return status;
    pending *open = p->pending_count ? &p->pendings[p->pending_count - 1] : NULL;
    if (!open || !open->function)
        return bad(p, p->at + 1, "a comma is only between arguments of a function, not");
    function which = (function)(open->function - 1);
    if (open->given + 1 >= functions[which].most)
        return bad(p, open->column, functions[which].needs);
    if (open->given && (which == MIN || which == MAX))
        status = take_lesser(p, which == MAX, open->column);
    else
        open->given++;
    p->at++;
    return status;
}

/* Reads a token that may follow a value. */
static mst_status read_operator(parser *p, bool *needs) {
    static const char signs[] = {[ADD] = '+', [SUBTRACT] = '-', [MULTIPLY] = '*', [DIVIDE] = '/'};
    char c = p->text[p->at];
    if (c == ')')
        return close_bracket(p);
    *needs = true;
    if (c == ',')
        return next_argument(p);
    uint8_t kind = ADD;
    while (kind <= DIVIDE && signs[kind] != c)
        kind++;
    if (kind > DIVIDE)
        return bad(p, p->at + 1, "an operator is missing");
    mst_status status = operate_down_to(p, binding[kind]);
    p->pendings[p->pending_count++] = (pending){.kind = kind, .column = (uint16_t)(p->at + 1)};
    p->at++;
    return status;
}

static mst_status evaluate(const mst_calculation *e, bool dry, mst_operand *value,
                           mst_diagnostic *diagnostic) {
    parser p;
    p.expression = e;
    p.text = e->text.text;
    p.length = e->text.length;
    p.dry = dry;
    p.diagnostic = diagnostic;
    p.at = p.pending_count = p.value_count = p.depth = p.used = 0;
    bool needs = true;
    if (p.length > MST_EXPRESSION_LENGTH)
        return bad(&p, MST_EXPRESSION_LENGTH + 1, "the expression is too long");
    mst_status status = MST_OK;
    for (pass_blanks(&p); status == MST_OK && p.at < p.length; pass_blanks(&p))
        status = needs ? read_value(&p, &needs) : read_operator(&p, &needs);
    if (status == MST_OK && needs)
        return bad(&p, p.length + 1, "a value is missing");
    if (status == MST_OK)
        status = operate_down_to(&p, 0);
    if (status == MST_OK && p.pending_count)
        return bad(&p, p.pendings[p.pending_count - 1].column, "a closing bracket is missing for the one");
    if (status == MST_OK && value)
        *value = p.values[0];
    return status;
}

mst_status mst_expression_check(mst_excerpt text, bool has_index, mst_diagnostic *diagnostic) {
    mst_calculation e = {.text = text, .index = has_index ? 0 : UINT64_MAX};
    return evaluate(&e, true, NULL, diagnostic);
}

mst_status mst_expression_value(const mst_calculation *expression, mst_operand *value,
                                mst_diagnostic *diagnostic) {
    return evaluate(expression, false, value, diagnostic);
}
