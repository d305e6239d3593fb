/* SPDX-License-Identifier: MIT */
#include "joined.h"
#include "../core/diagnose.h"
#include <string.h>

bool mst_is_in_brackets(mst_excerpt text) {
    size_t depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.text[i];
        quoted ^= c == '"';
        depth += !quoted && c == '(';
        depth -= !quoted && c == ')' && depth;
        if (!depth)
            return i && i + 1 == text.length;
    }
    return false;
}

/* The end of the condition that begins at `at`. */
static size_t condition_end(const mst_joined *in, size_t at) {
    size_t own = 0; /* nested brackets that belong to it, as in a name */
    for (bool quoted = false; at < in->length; at++) {
        char c = in->text[at];
        quoted ^= c == '"';
        if (quoted)
            continue;
        if (c == '&' || c == '|' || (c == ')' && !own && in->depth))
            break;
        own += c == '(';
        own -= c == ')' && own;
    }
    return at;
}

mst_joined_kind mst_joined_next(mst_joined *in, mst_excerpt *condition) {
    while (in->at < in->length && in->text[in->at] == ' ')
        in->at++;
    if (in->at == in->length)
        return MST_JOINED_END;
    char c = in->text[in->at];
    if (in->joins && !(c == ')' && in->depth)) { /* anything else is found by the check */
        in->joins = false;
        in->at++;
        return c == '&' ? MST_JOINED_AND : MST_JOINED_OR;
    }
    if (c == '(' && !in->joins) {
        in->at++;
        in->depth++;
        return MST_JOINED_OPEN;
    }
    if (c == ')' && in->depth) {
        in->at++;
        in->depth--;
        in->joins = true;
        return MST_JOINED_CLOSE;
    }
    if (c == '!' && (in->at + 1 == in->length || !strchr("=~", in->text[in->at + 1]))) {
        in->at++;
        return MST_JOINED_NOT;
    }
    size_t end = condition_end(in, in->at);
    *condition = mst_trimmed(in->text + in->at, end - in->at);
    in->at = end;
    in->joins = true;
    return MST_JOINED_CONDITION;
}

bool mst_joined_condition(mst_joined *in, mst_excerpt *condition) {
    mst_joined_kind kind;
    while ((kind = mst_joined_next(in, condition)) != MST_JOINED_END)
        if (kind == MST_JOINED_CONDITION)
            return true;
    return false;
}

static mst_status bad(const mst_joined *in, const char *message, mst_diagnostic *diagnostic) {
    mst_fail(diagnostic, MST_ARGUMENT, "%s at column %zu of the conditions", message, in->at + 1);
    if (diagnostic)
        MST_SET(diagnostic->found, "%.*s", (int)(in->length < 60 ? in->length : 60), in->text);
    return MST_ARGUMENT;
}

/* Whether each bracket in a condition has its counterpart; text in double quotes is skipped. */
static mst_status check_brackets(const mst_joined *in, mst_excerpt condition, mst_diagnostic *diagnostic) {
    char open[MST_JOINED_DEPTH];
    size_t depth = 0;
    bool quoted = false;
    mst_joined at = *in;
    for (size_t i = 0; i < condition.length; i++) {
        const char c = condition.text[i];
        at.at = (size_t)(condition.text - in->text) + i;
        quoted ^= c == '"';
        if (quoted || !strchr("()[]", c))
            continue;
        if (c == '(' || c == '[') {
            if (depth == sizeof open)
                return bad(&at, "there are too many brackets", diagnostic);
            open[depth++] = c == '(' ? ')' : ']';
        } else if (!depth || open[--depth] != c) {
            return bad(&at,
                       c == ')' ? "a bracket \")\" that none opens (in a text, put that in double quotes)"
                                : "a bracket \"]\" that none opens (in a text, put that in double quotes)",
                       diagnostic);
        }
    }
    at.at = (size_t)(condition.text - in->text) + condition.length;
    return !depth ? MST_OK
                  : bad(&at,
                        open[depth - 1] == ')' ? "a closing bracket \")\" is missing"
                                               : "a closing bracket \"]\" is missing",
                        diagnostic);
}

mst_status mst_joined_check(mst_excerpt text, mst_diagnostic *diagnostic) {
    mst_joined in = {.text = text.text, .length = text.length};
    mst_excerpt condition = {NULL, 0};
    bool needs = false; /* a condition is required */
    for (;;) {
        mst_joined before = in;
        mst_joined_kind kind = mst_joined_next(&in, &condition);
        bool ends = kind == MST_JOINED_END || kind == MST_JOINED_CLOSE;
        if ((ends && needs) || (kind == MST_JOINED_CONDITION && !condition.length))
            return bad(&before, "a condition is missing", diagnostic);
        if (kind == MST_JOINED_CONDITION && check_brackets(&in, condition, diagnostic) != MST_OK)
            return MST_ARGUMENT;
        if (kind == MST_JOINED_END && in.depth)
            return bad(&in, "a closing bracket \")\" is missing", diagnostic);
        if (in.depth > MST_JOINED_DEPTH)
            return bad(&before, "there are too many brackets", diagnostic);
        if (kind == MST_JOINED_END)
            return MST_OK;
        needs = kind != MST_JOINED_CONDITION && kind != MST_JOINED_CLOSE;
        if (kind == MST_JOINED_OR && in.text[in.at - 1] != '|')
            return bad(&before, "& or | is missing between two conditions", diagnostic);
    }
}

/* The state of one bracket. */
typedef struct level {
    bool any;  /* of the alternatives before the last | */
    bool all;  /* of the conditions since then */
    bool not ; /* ! precedes the next condition */
} level;

static void meet(level *in, bool is) {
    in->all = in->all && is != in->not ;
    in->not = false;
}

bool mst_joined_holds(mst_excerpt text, bool (*holds)(void *user, mst_excerpt condition), void *user) {
    mst_joined in = {.text = text.text, .length = text.length};
    level levels[MST_JOINED_DEPTH + 1] = {{.all = true}}, *now = levels;
    mst_excerpt condition = {NULL, 0};
    for (mst_joined_kind kind; (kind = mst_joined_next(&in, &condition)) != MST_JOINED_END;)
        switch (kind) {
        case MST_JOINED_CONDITION: meet(now, now->all && holds(user, condition)); break;
        case MST_JOINED_OR:
            now->any = now->any || now->all;
            now->all = true;
            break;
        case MST_JOINED_NOT: now->not = !now->not ; break;
        case MST_JOINED_OPEN: *++now = (level){.all = true}; break;
        case MST_JOINED_CLOSE:
            now--;
            meet(now, now[1].any || now[1].all);
            break;
        case MST_JOINED_AND:
        case MST_JOINED_END: break;
        }
    return now->any || now->all;
}
