/* SPDX-License-Identifier: MIT */
#include "turok_material_text.h"
#include "../../../tables/schema.h"
#include <string.h>

static bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The offset after blanks and comments; SIZE_MAX: a comment has no end. */
static size_t skip(const char *text, size_t size, size_t at) {
    for (;;) {
        while (at < size && is_blank(text[at]))
            at++;
        if (size - at < 2 || text[at] != '/' || (text[at + 1] != '/' && text[at + 1] != '*'))
            return at;
        bool line = text[at + 1] == '/';
        at += 2;
        while (at < size && (line ? text[at] != '\n' && text[at] != '\r'
                                  : !(size - at >= 2 && text[at] == '*' && text[at + 1] == '/')))
            at++;
        if (!line && at == size)
            return SIZE_MAX;
        at += line ? 0 : 2;
    }
}

static bool is_comment(const char *text, size_t size, size_t at) {
    return size - at >= 2 && text[at] == '/' && (text[at + 1] == '/' || text[at + 1] == '*');
}

mst_kmat_token mst_kmat_next(const char *text, size_t size, size_t at) {
    mst_kmat_token token = {.before = at};
    size_t start = skip(text, size, at);
    if (start == SIZE_MAX) {
        token.kind = MST_KMAT_BROKEN;
        token.start = at;
        token.size = size - at;
        token.after = size;
        return token;
    }
    token.start = token.after = start;
    if (start == size)
        return token;
    size_t end = start + 1;
    switch (text[start]) {
    case '{': token.kind = MST_KMAT_OPEN; break;
    case '}': token.kind = MST_KMAT_CLOSE; break;
    case '"':
        token.start = end;
        while (end < size && text[end] != '"' && text[end] != '\n' && text[end] != '\r')
            end++;
        token.kind = end < size && text[end] == '"' ? MST_KMAT_QUOTED : MST_KMAT_BROKEN;
        token.size = end - token.start;
        token.after = end + (token.kind == MST_KMAT_QUOTED);
        return token;
    default:
        while (end < size && !is_blank(text[end]) && !strchr("{}\"", text[end]) &&
               !is_comment(text, size, end))
            end++;
        token.kind = MST_KMAT_WORD;
    }
    token.size = end - start;
    token.after = end;
    return token;
}

const mst_kmat_word *mst_kmat_find(mst_kmat_block block, const char *name, size_t size) {
    static const mst_kmat_word words[] = {
        {"material", "a{", MST_KMAT_FILE, MST_KMAT_MATERIAL, false},
        {"shader", "t", MST_KMAT_MATERIAL, 0, false},
        {"sort", "w", MST_KMAT_MATERIAL, 0, false},
        {"cull", "w", MST_KMAT_MATERIAL, 0, false},
        {"blend", "", MST_KMAT_MATERIAL, 0, false},
        {"alphatest", "", MST_KMAT_MATERIAL, 0, false},
        {"depthtest", "", MST_KMAT_MATERIAL, 0, false},
        {"fullbright", "", MST_KMAT_MATERIAL, 0, false},
        {"nodraw", "", MST_KMAT_MATERIAL, 0, false},
        {"nodepthmask", "", MST_KMAT_MATERIAL, 0, false},
        {"allowfog", "", MST_KMAT_MATERIAL, 0, false},
        {"alphafunc", "w", MST_KMAT_MATERIAL, 0, false},
        {"alphamask", "n", MST_KMAT_MATERIAL, 0, false},
        {"color_diffuse", "t", MST_KMAT_MATERIAL, 0, false},
        {"param", "tnt", MST_KMAT_MATERIAL, 0, false},
        {"sampler", "tnt{", MST_KMAT_MATERIAL, MST_KMAT_SAMPLER, true},
        {"shaders", "*{", MST_KMAT_MATERIAL, MST_KMAT_OTHER, true},
        {"filter", "w", MST_KMAT_SAMPLER, 0, false},
        {"wrap", "w", MST_KMAT_SAMPLER, 0, false},
        {"scroll", "*", MST_KMAT_SAMPLER, 0, false},
        {"scale", "*", MST_KMAT_SAMPLER, 0, false},
        {"rotate", "*", MST_KMAT_SAMPLER, 0, false},
    };
    for (size_t i = 0; i < MST_COUNT_OF(words); i++)
        if (words[i].block == block && strlen(words[i].name) == size &&
            memcmp(words[i].name, name, size) == 0)
            return &words[i];
    return NULL;
}

size_t mst_kmat_usual(mst_kmat_place place, unsigned depth, bool first, char space[4 * MST_KMAT_DEPTH + 1]) {
    if (first)
        return 0;
    space[0] = place == MST_KMAT_AT_VALUE ? ' ' : '\n';
    if (place == MST_KMAT_AT_VALUE)
        return 1;
    memset(space + 1, ' ', 4 * (size_t)depth);
    return 1 + 4 * (size_t)depth;
}
