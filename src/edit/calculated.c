/* SPDX-License-Identifier: MIT */
#include "calculated.h"
#include "../core/diagnose.h"
#include "../core/json_text.h"
#include "../core/number.h"
#include "../read/expression.h"
#include "../read/landmarks.h"
#include <math.h>

#define TEXT_CAPACITY  16384 /* of texts that an expression joins */
#define OUTER_CAPACITY 1024  /* of an enclosing value's path */

typedef struct calculate_state {
    mst_calculation expression;
    mst_chain chain; /* to the value that is assigned */
    mst_value scopes[MST_PATH_DEPTH + 1];
    mst_arena *arena;
    mst_diagnostic *diagnostic;
} calculate_state;

/* ---- values of names ----------------------------------------------------------------------------------- */

static bool is_record(const mst_value *value) {
    return mst_shape_of(value) == MST_SHAPE_ONE && mst_field_of(value)->kind == MST_KIND_RECORD;
}

static bool has_pairs(const mst_value *value) {
    const mst_record *record = mst_field_of(value)->record;
    return record && record->pairs;
}

/* Finds where a path could end earlier: before each name and each bracket. Returns their number. */
static size_t find_ends(const char *path, size_t ends[MST_PATH_DEPTH]) {
    size_t count = 0;
    bool bracket = false, quoted = false;
    for (size_t i = 0; path[i] && count < MST_PATH_DEPTH; i++) {
        if (!bracket && i && (path[i] == '.' || path[i] == '['))
            ends[count++] = i;
        if (!quoted && (path[i] == '[' || path[i] == ']'))
            bracket = path[i] == '[';
        quoted ^= bracket && path[i] == '"';
    }
    return count;
}

/* Finds the enclosing records of the value, the innermost first, and lists of properties, which are like
 * fields. */
static mst_status find_scopes(calculate_state *c, const mst_document *document, const char *path) {
    size_t ends[MST_PATH_DEPTH], count = 0;
    char outer[OUTER_CAPACITY];
    for (size_t i = find_ends(path, ends); i-- > 0;) {
        mst_value *value = &c->scopes[count];
        if (ends[i] >= sizeof outer)
            return mst_fail(c->diagnostic, MST_ARGUMENT, "the path is too long for an expression");
        memcpy(outer, path, ends[i]);
        outer[ends[i]] = 0;
        if (mst_landmarks_find(c->chain.landmarks, mst_root(document), outer, value) == MST_OK &&
            (is_record(value) || has_pairs(value)))
            count++;
    }
    c->scopes[count++] = mst_root(document);
    c->expression.scopes = c->scopes;
    c->expression.scope_count = count;
    return MST_OK;
}

/* The index of the innermost record that is an element, or else of the value itself. */
static uint64_t index_of(const mst_chain *chain) {
    for (uint32_t i = chain->count; i-- > 0;)
        if (chain->indices[i] != UINT64_MAX && is_record(&chain->values[i]) && !has_pairs(&chain->values[i]))
            return chain->indices[i];
    return chain->indices[chain->count - 1];
}

/* ---- the new value ------------------------------------------------------------------------------------- */

static mst_status wrong(const calculate_state *c, const mst_operand *operand, const char *message) {
    return mst_expression_fail(c->expression.text, operand->column, MST_ARGUMENT, message, c->diagnostic);
}

static mst_status integer(const calculate_state *c, const mst_field *field, const mst_operand *operand,
                          char *text, size_t *length) {
    double number = operand->number;
    uint64_t bits;
    if (number != floor(number))
        return wrong(c, operand, "the field holds integers, and there is a fraction");
    if (fabs(number) >= MST_EXACT)
        return wrong(c, operand, "an integer is not below 2^53, where all are exact,");
    if (!mst_integer_fits(field->kind, number < 0, (uint64_t)fabs(number), &bits))
        return wrong(c, operand, "the number is out of the field's range");
    if ((field->flags & MST_FIELD_BOOL) && number != 0 && number != 1)
        return wrong(c, operand, "the field holds 0 or 1, and there is another number");
    *length = mst_write_i64(text, (int64_t)number);
    return MST_OK;
}

static mst_status number(const calculate_state *c, const mst_field *field, const mst_operand *operand,
                         const char **json) {
    char text[MST_NUMBER_MAX];
    size_t length = 0;
    mst_status status = MST_OK;
    if (field->kind == MST_KIND_F32 && !isfinite((float)operand->number))
        return wrong(c, operand, "the number is out of the field's range");
    if (field->kind == MST_KIND_F32)
        length = mst_write_f32(text, (float)operand->number);
    else if (field->kind == MST_KIND_F64)
        length = mst_write_f64(text, operand->number);
    else
        status = integer(c, field, operand, text, &length);
    *json = status == MST_OK ? mst_arena_text(c->arena, text, length) : NULL;
    return status == MST_OK && !*json ? MST_NO_MEMORY : status;
}

/* JSON of the operand for the value at the end of the chain. */
static mst_status json_of(const calculate_state *c, const mst_operand *operand, const char **json) {
    mst_value one;
    if (!mst_single_of(&c->chain.values[c->chain.count - 1], &one))
        return wrong(c, operand, "an element of the list is needed, such as [0], for the value");
    const mst_field *field = mst_field_of(&one);
    bool is_text = mst_is_text(field), is_number = mst_is_number(field) && !(field->flags & MST_FIELD_FLAGS);
    if (!is_text && !is_number)
        return wrong(c, operand, "the field holds neither a number nor a text, as there is");
    if (is_text && !operand->is_text)
        return wrong(c, operand, "the field holds text: join the number with one, as \"\" + x,");
    if (!is_text && !operand->is_text)
        return number(c, field, operand, json);
    if (!is_text && !field->names)
        return wrong(c, operand, "the field holds numbers, and there is a text");
    *json = mst_json_quoted(c->arena, c->expression.texts + operand->start, operand->length);
    return *json ? MST_OK : MST_NO_MEMORY;
}

static mst_status calculate_one(calculate_state *c, const mst_document *document, const char *path,
                                const char **json) {
    mst_operand operand;
    mst_status status = mst_find_chain(mst_root(document), path, &c->chain, c->diagnostic);
    if (status != MST_OK)
        return status;
    c->expression.index = index_of(&c->chain);
    status = find_scopes(c, document, path);
    if (status == MST_OK)
        status = mst_expression_value(&c->expression, &operand, c->diagnostic);
    if (status == MST_OK)
        status = json_of(c, &operand, json);
    if (status != MST_OK && c->diagnostic)
        MST_SET(c->diagnostic->path, "%s", path);
    return status;
}

mst_status mst_calculate(const mst_document *document, const char *expression, const mst_located *all,
                         mst_arena *arena, const char *const **values, mst_diagnostic *diagnostic) {
    const mst_excerpt text = mst_trimmed(expression, strlen(expression));
    mst_landmarks landmarks = {0};
    mst_status status = mst_expression_check(text, true, diagnostic);
    if (status != MST_OK)
        return status;
    calculate_state *c = mst_arena_zero(arena, 1, sizeof *c);
    const char **made = mst_arena_take(arena, all->count + 1, sizeof *made);
    if (!c || !made)
        return MST_NO_MEMORY;
    *c = (calculate_state){
        .expression = {.text = text,
                       .texts = mst_arena_take(arena, TEXT_CAPACITY, 1),
                       .capacity = TEXT_CAPACITY},
        .chain = {.values = mst_arena_take(arena, MST_PATH_DEPTH, sizeof *c->chain.values),
                  .indices = mst_arena_take(arena, MST_PATH_DEPTH, sizeof *c->chain.indices),
                  .landmarks = &landmarks},
        .arena = arena,
        .diagnostic = diagnostic};
    if (!c->expression.texts || !c->chain.values || !c->chain.indices)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < all->count && status == MST_OK; i++)
        status = calculate_one(c, document, all->paths[i], &made[i]);
    mst_landmarks_reset(&landmarks);
    *values = made;
    return status;
}
