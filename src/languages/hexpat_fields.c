/* SPDX-License-Identifier: MIT */
/* Fields as variables of ImHex's pattern language. */
#include "hexpat.h"
#include <stdio.h>

/* ---- names ------------------------------------------------------------------------------------------- */

/* Reserved words of the language, and names that mst_hexpat_field declares. */
static void avoid_words(char id[MST_KSY_ID]) {
    static const char *const words[] = {
        "as",     "auto",      "be",       "bitfield", "bool",    "break",   "catch",     "char",
        "char16", "const",     "continue", "default",  "double",  "else",    "enum",      "false",
        "float",  "fn",        "for",      "from",     "if",      "import",  "in",        "le",
        "match",  "namespace", "null",     "out",      "padding", "parent",  "reference", "ref",
        "return", "s8",        "s16",      "s32",      "s64",     "section", "signed",    "str",
        "struct", "this",      "true",     "try",      "type",    "u8",      "u16",       "u32",
        "u64",    "union",     "unsigned", "using",    "while",   "limit",   "ended",     "part_ended"};
    size_t length = strlen(id);
    for (size_t i = 0; i < MST_COUNT_OF(words); i++)
        if (strcmp(words[i], id) == 0 && length + 1 < MST_KSY_ID) {
            id[length] = '_';
            id[length + 1] = 0;
            return;
        }
}

void mst_hexpat_name(const char *name, char id[MST_KSY_ID]) {
    mst_ksy_name(name, id);
    avoid_words(id);
}

void mst_hexpat_id(const mst_record *record, uint16_t index, char id[MST_KSY_ID]) {
    mst_ksy_id(record, index, id);
    avoid_words(id);
}

static const char *const number_types[] = {
    [MST_KIND_U8] = "u8",     [MST_KIND_I8] = "s8",     [MST_KIND_U16] = "u16", [MST_KIND_I16] = "s16",
    [MST_KIND_U32] = "u32",   [MST_KIND_I32] = "s32",   [MST_KIND_U64] = "u64", [MST_KIND_I64] = "s64",
    [MST_KIND_F32] = "float", [MST_KIND_F64] = "double"};

bool mst_hexpat_enum(const mst_ksy *k, const mst_field *field, char id[MST_KSY_ID]) {
    char names[MST_KSY_ID];
    bool number = mst_is_number(field) && field->kind != MST_KIND_F32 && field->kind != MST_KIND_F64;
    if (!number || (field->flags & MST_FIELD_FLAGS) || !mst_ksy_enum(k, field->names, names))
        return false;
    snprintf(id, MST_KSY_ID, "%.90s_%s", names, number_types[field->kind]);
    return true;
}

static void put_order(mst_output *out, uint8_t kind, uint32_t flags) {
    if (mst_kind_width[kind] > 1)
        mst_output_text(out, flags & MST_FIELD_BIG ? "be " : flags & MST_FIELD_LITTLE ? "le " : "");
}

void mst_hexpat_number(mst_output *out, uint8_t kind, uint32_t flags) {
    put_order(out, kind, flags);
    mst_output_text(out, number_types[kind]);
}

/* ---- context variables ------------------------------------------------------------------------------- */

void mst_hexpat_parameters(mst_ksy *k, uint32_t needs) {
    mst_output_text(&k->out, "<auto limit");
    for (unsigned i = 0; i < MST_VARIABLES; i++)
        if (needs >> i & 1)
            mst_output_format(&k->out, ", auto context_%u", i);
    mst_output_text(&k->out, ">");
}

void mst_hexpat_variable(mst_ksy *k, mst_ksy_scope at, unsigned variable) {
    char id[MST_KSY_ID];
    const char *fixed = variable == MST_VARIABLE_VERSION  ? "format_version"
                        : variable == MST_VARIABLE_BIG    ? "u32(big_endian)"
                        : variable == MST_VARIABLE_LAYOUT ? "format_layout"
                                                          : NULL;
    if (fixed) {
        mst_output_text(&k->out, fixed);
        return;
    }
    for (uint16_t i = at.record ? at.index : 0; i-- > 0;)
        if (at.record->fields[i].bind == variable + 1 && mst_ksy_has(k, &at.record->fields[i])) {
            mst_hexpat_id(at.record, i, id);
            mst_output_format(&k->out, "%s_bound", id);
            return;
        }
    mst_output_format(&k->out, "context_%u", variable);
}

void mst_hexpat_arguments(mst_ksy *k, mst_ksy_scope at, const char *limit, uint32_t needs) {
    mst_output_format(&k->out, "<%s", limit);
    for (unsigned i = 0; i < MST_VARIABLES; i++)
        if (needs >> i & 1) {
            mst_output_text(&k->out, ", ");
            mst_hexpat_variable(k, at, i);
        }
    mst_output_text(&k->out, ">");
}

/* ---- conditions -------------------------------------------------------------------------------------- */

void mst_hexpat_expression(mst_output *out, const char *text, const char *value, const char *limit) {
    static const char *const words[][2] = {
        {" and ", " && "}, {" or ", " || "}, {"not ", "!"}, {"_root.", ""}, {".to_i", ""}};
    while (*text) {
        size_t word = 0;
        while (word < MST_COUNT_OF(words) && strncmp(text, words[word][0], strlen(words[word][0])) != 0)
            word++;
        if (word < MST_COUNT_OF(words)) {
            mst_output_text(out, words[word][1]);
            text += strlen(words[word][0]);
            continue;
        }
        if (*text == '$')
            mst_output_text(out, value);
        else if (*text == '@')
            mst_output_format(out, "(%s - $)", limit);
        else
            mst_output_bytes(out, text, 1);
        text++;
    }
}

static void put_when(mst_ksy *k, mst_ksy_scope at, const mst_when *when) {
    static const char *const words[][2] = {[MST_EQUAL] = {"(", " == "},
                                           [MST_NOT_EQUAL] = {"(", " != "},
                                           [MST_AT_LEAST] = {"(", " >= "},
                                           [MST_BELOW] = {"(", " < "},
                                           [MST_ANY_BIT] = {"(0 != (", " & "},
                                           [MST_NO_BIT] = {"(0 == (", " & "},
                                           [MST_ONE_OF] = {"(", " < 32 && 0 != ("}};
    mst_output_text(&k->out, words[when->operation][0]);
    mst_hexpat_variable(k, at, when->variable);
    mst_output_format(&k->out, "%s%u", words[when->operation][1], when->value);
    if (when->operation == MST_ONE_OF) {
        mst_output_text(&k->out, " >> (");
        mst_hexpat_variable(k, at, when->variable);
        mst_output_text(&k->out, " & 31) & 1)");
    } else if (when->operation >= MST_ANY_BIT) {
        mst_output_text(&k->out, ")");
    }
    mst_output_text(&k->out, ")");
}

bool mst_hexpat_conditions(mst_ksy *k, mst_ksy_scope at, const mst_field *field, const char *limit) {
    bool any = false;
    for (size_t i = 0; i < MST_COUNT_OF(field->when); i++) {
        const mst_when *when = &field->when[i];
        if (when->operation == MST_ALWAYS || mst_reference_holds_always(k->format, when, MST_ALL_LAYOUTS))
            continue;
        mst_output_text(&k->out, any ? " && " : "");
        put_when(k, at, when);
        any = true;
    }
    if (field->flags & MST_FIELD_OPTIONAL) {
        mst_output_format(&k->out, "%s($ < %s)", any ? " && " : "", limit);
        any = true;
    }
    return any;
}

/* ---- variables --------------------------------------------------------------------------------------- */

static void put_type(mst_ksy *k, mst_ksy_scope at, const mst_field *field, const char *limit) {
    mst_output *out = &k->out;
    char id[MST_KSY_ID];
    if (field->record) {
        mst_ksy_type(k, field->record, id);
        mst_output_text(out, id);
        mst_hexpat_arguments(k, at, limit, k->needs[field->record->index]);
    } else if (field->kind == MST_KIND_RAW) {
        mst_output_text(out, "u8");
    } else if (field->kind == MST_KIND_CHAR8) {
        mst_output_text(out, "char");
    } else if (field->kind == MST_KIND_CHAR16) {
        put_order(out, field->kind, field->flags);
        mst_output_text(out, "char16");
    } else if (mst_hexpat_enum(k, field, id)) {
        put_order(out, field->kind, field->flags);
        mst_output_text(out, id);
    } else if ((field->flags & MST_FIELD_BOOL) && mst_kind_width[field->kind] == 1) {
        mst_output_text(out, "bool");
    } else {
        mst_hexpat_number(out, field->kind, field->flags);
    }
}

/* The number of elements, by counts and context variables. */
static void put_number_of(mst_ksy *k, mst_ksy_scope at, const mst_field *field, const char *id) {
    mst_output *out = &k->out;
    if (field->mode == MST_COUNT_FIXED) {
        mst_output_format(out, "%u", field->count);
    } else if (field->mode == MST_COUNT_VARIABLE || field->mode == MST_COUNT_PRODUCT) {
        mst_hexpat_variable(k, at, field->count_variable);
        mst_output_text(out, field->mode == MST_COUNT_PRODUCT ? " * " : "");
        if (field->mode == MST_COUNT_PRODUCT)
            mst_hexpat_variable(k, at, field->count);
        else if (field->count)
            mst_output_format(out, " + %u", field->count);
    } else {
        bool bytes = field->mode == MST_COUNT_DATA_SET && !field->record && !mst_is_number(field);
        mst_output_format(out, bytes ? "count_of_%s * stride_of_%s" : "count_of_%s", id, id);
    }
}

/* A list that ends before a certain element. */
static void put_until(mst_ksy *k, const mst_field *field, const char *limit) {
    const mst_expression *said = mst_ksy_said(k, field, false);
    mst_output *out = &k->out;
    uint32_t width = mst_ksy_width(k, field);
    char next[MST_KSY_ID];
    snprintf(next, sizeof next, "std::mem::read_unsigned($, %u)", width);
    if (!field->ends && !mst_is_text(field)) {
        mst_output_format(out, "[(%s - $) / %u]", limit, width);
        return;
    }
    mst_output_format(out, "[while($ + %u <= %s && !(", width, limit);
    mst_hexpat_expression(out, said && !field->record ? said->text : "$ == 0", next, limit);
    mst_output_text(out, "))]");
}

static void put_extent(mst_ksy *k, mst_ksy_scope at, const mst_field *field, const char *id,
                       const char *limit) {
    mst_output *out = &k->out;
    uint32_t width = mst_kind_width[field->kind];
    if (field->mode == MST_COUNT_ONE)
        return;
    if (field->mode == MST_COUNT_SENTINEL) {
        put_until(k, field, limit);
    } else if (field->mode == MST_COUNT_ALIGN) {
        mst_output_format(out, "[(%u - $ %% %u) %% %u < %s - $ ? (%u - $ %% %u) %% %u : %s - $]",
                          field->count, field->count, field->count, limit, field->count, field->count,
                          field->count, limit);
    } else if (field->mode == MST_COUNT_TO_END && field->record) {
        mst_output_format(out, "[while($ < %s)]", limit);
    } else if (field->mode == MST_COUNT_TO_END) {
        mst_output_format(out, "[(%s - $) / %u]", limit, width ? width : 1u);
    } else if ((field->flags & MST_FIELD_SHORT) && !field->record) {
        mst_output_text(out, "[");
        put_number_of(k, at, field, id);
        mst_output_format(out, " < (%s - $) / %u ? ", limit, width ? width : 1u);
        put_number_of(k, at, field, id);
        mst_output_format(out, " : (%s - $) / %u]", limit, width ? width : 1u);
    } else if (field->flags & MST_FIELD_SHORT) {
        mst_output_format(out, "[while($ < %s && std::core::array_index() < ", limit);
        put_number_of(k, at, field, id);
        mst_output_text(out, ")]");
    } else {
        mst_output_text(out, "[");
        put_number_of(k, at, field, id);
        mst_output_text(out, "]");
    }
}

/* A comment for readers. */
static void put_comment(mst_ksy *k, const mst_field *field) {
    static const char high[] = "In the file bit 7 of every byte is set.";
    bool one = field->mode == MST_COUNT_SENTINEL && field->ends && field->record;
    const char *more = field->flags & MST_FIELD_HIGH ? high
                       : one ? "The list ends earlier, which this language cannot express."
                             : "";
    if (!field->doc && !*more)
        return;
    char text[1024];
    snprintf(text, sizeof text, "%.900s%s%s", field->doc ? field->doc : "", field->doc && *more ? " " : "",
             more);
    mst_output_text(&k->out, " [[comment(");
    mst_ksy_quoted(&k->out, text);
    mst_output_text(&k->out, ")]]");
}

void mst_hexpat_field(mst_ksy *k, mst_ksy_scope at, const mst_field *field, const char *id, const char *limit,
                      const char *margin) {
    mst_output *out = &k->out;
    if (field->mode == MST_COUNT_DATA_SET)
        mst_output_format(out, "%su32 stride_of_%s;\n%su32 count_of_%s;\n", margin, id, margin, id);
    if (field->mode == MST_COUNT_PREFIX) {
        mst_output_text(out, margin);
        mst_hexpat_number(out, field->prefix, field->flags);
        mst_output_format(out, " count_of_%s;\n", id);
    }
    mst_output_text(out, margin);
    if (field->chunks || field->mode == MST_COUNT_ARCHIVE) {
        char owner[MST_KSY_ID] = "";
        if (at.record)
            mst_ksy_type(k, at.record, owner);
        mst_output_format(out, "%s_%s_%s", owner, id, field->chunks ? "chunk" : "blocks");
        mst_hexpat_arguments(k, at, limit, mst_ksy_needs(k, field));
        mst_output_format(out, " %s", id);
        if (field->chunks)
            mst_output_format(out, "[while($ < %s)]", limit);
    } else {
        put_type(k, at, field, limit);
        mst_output_format(out, " %s", id);
        put_extent(k, at, field, id, limit);
    }
    put_comment(k, field);
    mst_output_text(out, ";\n");
}
