/* SPDX-License-Identifier: MIT */
/* Fields as attributes of Kaitai Struct. All positions are positions in the file: no type has its own stream,
 * and each gets the end of the enclosing data as `limit`. */
#include "../core/text.h"
#include "../tables/fields.h"
#include "ksy.h"

#include <stdio.h>

/* ---- names ------------------------------------------------------------------------------------------- */

void mst_ksy_name(const char *name, char id[MST_KSY_ID]) {
    size_t length = 0;
    if (!(*name >= 'a' && *name <= 'z') && !(*name >= 'A' && *name <= 'Z'))
        length = (size_t)snprintf(id, MST_KSY_ID, *name ? "n" : "unnamed");
    for (; *name && length + 1 < MST_KSY_ID; name++) {
        char c = *name;
        bool upper = c >= 'A' && c <= 'Z';
        bool plain = upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        id[length++] = (char)(upper ? c + 'a' - 'A' : plain ? c : '_');
    }
    id[length] = 0;
}

void mst_ksy_id(const mst_record *record, uint16_t index, char id[MST_KSY_ID]) {
    char other[MST_KSY_ID];
    unsigned before = 0;
    mst_ksy_name(record->fields[index].name, id);
    for (uint16_t i = 0; i < index; i++) {
        mst_ksy_name(record->fields[i].name, other);
        before += strcmp(other, id) == 0;
    }
    size_t length = strlen(id);
    if (before)
        snprintf(id + length, MST_KSY_ID - length, "_alt%u", before);
}

void mst_ksy_type(const mst_ksy *k, const mst_record *record, char id[MST_KSY_ID]) {
    unsigned before = 0;
    mst_ksy_name(record->name, id);
    for (size_t i = 0; i < record->index; i++)
        before += strcmp(k->format->tables.records[i]->name, record->name) == 0;
    size_t length = strlen(id);
    snprintf(id + length, MST_KSY_ID - length, before ? "_record%u" : "_record", before + 1);
}

bool mst_ksy_enum(const mst_ksy *k, const mst_enum *names, char id[MST_KSY_ID]) {
    for (mst_fields it = mst_fields_of_format(k->format); names && names->count && mst_fields_next(&it);)
        if (it.field->names && it.field->names->items == names->items) {
            char record[MST_KSY_ID], field[MST_KSY_ID];
            mst_ksy_name(it.record->name, record);
            mst_ksy_name(it.field->name, field);
            snprintf(id, MST_KSY_ID, "%.46s_%.46s", record, field);
            return true;
        }
    return false;
}

const char *mst_ksy_integer(const mst_field *field) {
    bool names = field->names && field->names->count && !(field->flags & MST_FIELD_FLAGS);
    return names ? ".to_i" : "";
}

void mst_ksy_quoted(mst_output *out, const char *text) {
    mst_output_json_string(out, text, strlen(text));
}

void mst_ksy_begin(mst_ksy *k, const char *id, const char *name) {
    mst_output_format(&k->out, "      - id: %s\n", id);
    if (strcmp(id, name) != 0) {
        mst_output_text(&k->out, "        -orig-id: ");
        mst_ksy_quoted(&k->out, name);
        mst_output_text(&k->out, "\n");
    }
}

/* ---- context variables ------------------------------------------------------------------------------- */

bool mst_ksy_has(const mst_ksy *k, const mst_field *field) {
    return field->directory <= MST_NOT_STORED && mst_reference_has_field(k->format, field, MST_ALL_LAYOUTS);
}

uint32_t mst_ksy_needs(const mst_ksy *k, const mst_field *field) {
    uint32_t needs = field->record ? k->needs[field->record->index] : 0;
    if (field->mode == MST_COUNT_VARIABLE || field->mode == MST_COUNT_PRODUCT)
        needs |= 1u << field->count_variable;
    if (field->mode == MST_COUNT_PRODUCT)
        needs |= 1u << field->count;
    for (size_t i = 0; i < MST_COUNT_OF(field->when); i++)
        if (field->when[i].operation != MST_ALWAYS)
            needs |= 1u << field->when[i].variable;
    for (int i = 0; field->chunks && i < field->chunks->case_count; i++)
        needs |= mst_ksy_needs(k, &field->chunks->cases[i].field);
    return needs & ~MST_VARIABLES_FIXED;
}

void mst_ksy_variable(const mst_ksy *k, mst_output *out, mst_ksy_scope at, unsigned variable) {
    if (variable == MST_VARIABLE_VERSION)
        mst_output_text(out, "_root.format_version");
    else if (variable == MST_VARIABLE_BIG)
        mst_output_text(out, "(_root.big_endian ? 1 : 0)");
    else if (variable == MST_VARIABLE_LAYOUT)
        mst_output_text(out, "_root.format_layout");
    else {
        char id[MST_KSY_ID];
        for (uint16_t i = at.record ? at.index : 0; i-- > 0;)
            if (at.record->fields[i].bind == variable + 1 && mst_ksy_has(k, &at.record->fields[i])) {
                mst_ksy_id(at.record, i, id);
                mst_output_format(out, "%s_bound", id);
                return;
            }
        mst_output_format(out, "context_%u", variable);
    }
}

void mst_ksy_arguments(const mst_ksy *k, mst_output *out, mst_ksy_scope at, uint32_t needs) {
    for (unsigned i = 0; i < MST_VARIABLES; i++)
        if (needs >> i & 1) {
            mst_output_text(out, ", ");
            mst_ksy_variable(k, out, at, i);
        }
}

void mst_ksy_parameters(mst_ksy *k, const char *margin, uint32_t needs) {
    mst_output_format(&k->out, "%s- id: limit\n%s  type: u8\n", margin, margin);
    for (unsigned i = 0; i < MST_VARIABLES; i++)
        if (needs >> i & 1)
            mst_output_format(&k->out, "%s- id: context_%u\n%s  type: u4\n", margin, i, margin);
}

/* ---- conditions -------------------------------------------------------------------------------------- */

void mst_ksy_expression(mst_output *out, const char *text, const char *value, const char *limit) {
    for (; *text; text++)
        if (*text == '$')
            mst_output_text(out, value);
        else if (*text == '%')
            mst_output_format(out, "%s_ahead", value);
        else if (*text == '@')
            mst_output_format(out, "(%s - _io.pos)", limit);
        else
            mst_output_bytes(out, text, 1);
}

const mst_expression *mst_ksy_said(const mst_ksy *k, const mst_field *field, bool present) {
    for (const mst_expression *one = k->format->tables.expressions; one && one->text; one++)
        if (present ? field->present && one->present == field->present
                    : field->ends && one->ends == field->ends)
            return one;
    return NULL;
}

static void put_when(const mst_ksy *k, mst_output *out, mst_ksy_scope at, const mst_when *when) {
    static const char *const words[][2] = {
        [MST_EQUAL] = {"(", ") == "},           [MST_NOT_EQUAL] = {"(", ") != "},
        [MST_AT_LEAST] = {"(", ") >= "},        [MST_BELOW] = {"(", ") < "},
        [MST_ANY_BIT] = {"0 != (", " & "},      [MST_NO_BIT] = {"0 == (", " & "},
        [MST_ONE_OF] = {"", " < 32 and 0 != ("}};
    mst_output_text(out, words[when->operation][0]);
    mst_ksy_variable(k, out, at, when->variable);
    mst_output_format(out, "%s%u", words[when->operation][1], when->value);
    if (when->operation == MST_ONE_OF) {
        mst_output_text(out, " >> (");
        mst_ksy_variable(k, out, at, when->variable);
        mst_output_text(out, " & 31) & 1)");
    } else if (when->operation >= MST_ANY_BIT) {
        mst_output_text(out, ")");
    }
}

static void put_and(mst_output *out, unsigned count) {
    mst_output_text(out, count ? " and " : "");
}

/* The tables' conditions on context variables, and the end of the data. */
static unsigned put_conditions(mst_ksy *k, mst_output *out, mst_ksy_scope at, const mst_field *field,
                               const char *limit) {
    unsigned count = 0;
    for (size_t i = 0; i < MST_COUNT_OF(field->when); i++) {
        const mst_when *when = &field->when[i];
        if (when->operation == MST_ALWAYS || mst_reference_holds_always(k->format, when, MST_ALL_LAYOUTS))
            continue;
        put_and(out, count++);
        mst_output_text(out, "(");
        put_when(k, out, at, when);
        mst_output_text(out, ")");
    }
    if (field->flags & MST_FIELD_OPTIONAL) {
        put_and(out, count++);
        mst_output_format(out, "(_io.pos < %s)", limit);
    }
    return count;
}

/* Whether no other part begins between two fields of a record, so that the first one can stop the other. */
static bool in_one_part(const mst_record *record, uint16_t first, uint16_t index) {
    for (uint16_t i = (uint16_t)(first + 1); i <= index; i++)
        if (record->fields[i].flags & (MST_FIELD_LAST | MST_FIELD_OUTSIDE))
            return false;
    return true;
}

static bool may_be_unknown(const mst_ksy *k, const mst_field *field) {
    const mst_expression *said = mst_ksy_said(k, field, true);
    return field->present && (!said || said->unknown);
}

/* Whether field `first` of a record, if present, may make field `index` absent. */
static bool may_stop(const mst_ksy *k, const mst_record *record, uint16_t first, uint16_t index) {
    const mst_field *field = &record->fields[first];
    bool part = in_one_part(record, first, index);
    return mst_ksy_has(k, field) && ((part && may_be_unknown(k, field)) ||
                                     ((field->flags & MST_FIELD_STOP) && (part || mst_is_number(field))));
}

bool mst_ksy_is_conditional(mst_ksy *k, const mst_record *record, uint16_t index) {
    const mst_field *field = &record->fields[index];
    if (field->present || put_conditions(k, &k->nothing, (mst_ksy_scope){record, index}, field, "limit"))
        return true;
    for (uint16_t i = 0; i < index; i++)
        if (may_stop(k, record, i, index))
            return true;
    return false;
}

/* The condition that no preceding field ends the record, or its part. */
static unsigned put_stops(mst_ksy *k, mst_output *out, mst_ksy_scope at, unsigned count) {
    char id[MST_KSY_ID];
    for (uint16_t i = 0; at.record && i < at.index; i++) {
        const mst_field *field = &at.record->fields[i];
        if (!may_stop(k, at.record, i, at.index))
            continue;
        bool part = in_one_part(at.record, i, at.index), number = mst_is_number(field);
        const char *integer = mst_ksy_integer(field);
        mst_ksy_id(at.record, i, id);
        if (part && may_be_unknown(k, field)) {
            put_and(out, count++);
            mst_output_format(out, "(not has_%s_unparsed)", id);
        }
        if (!(field->flags & MST_FIELD_STOP))
            continue;
        put_and(out, count++);
        if (number && !mst_ksy_is_conditional(k, at.record, i))
            mst_output_format(out, "(%s%s >= 0)", id, integer);
        else if (number)
            mst_output_format(out, "(not has_%s or %s%s >= 0)", id, id, integer);
        else
            mst_output_format(out, "(not has_%s)", id);
    }
    return count;
}

bool mst_ksy_unknown(mst_ksy *k, mst_output *out, mst_ksy_scope at, const mst_field *field,
                     const char *limit) {
    if (!may_be_unknown(k, field))
        return false;
    const mst_expression *said = mst_ksy_said(k, field, true);
    unsigned count = put_stops(k, out, at, put_conditions(k, out, at, field, limit));
    char id[MST_KSY_ID] = "";
    mst_ksy_id(at.record, at.index, id);
    put_and(out, count);
    mst_output_text(out, "(");
    mst_ksy_expression(out, said ? said->unknown : "true", id, limit);
    mst_output_text(out, ")");
    return true;
}

void mst_ksy_conditions(mst_ksy *k, mst_output *out, mst_ksy_scope at, const mst_field *field,
                        const char *limit) {
    const mst_expression *said = mst_ksy_said(k, field, true);
    unsigned count = put_stops(k, out, at, put_conditions(k, out, at, field, limit));
    if (!field->present)
        return;
    char id[MST_KSY_ID];
    mst_ksy_id(at.record, at.index, id);
    if (may_be_unknown(k, field)) {
        put_and(out, count++);
        mst_output_format(out, "(not has_%s_unparsed)", id);
    }
    put_and(out, count);
    mst_output_text(out, "(");
    mst_ksy_expression(out, said ? said->text : "false", id, limit);
    mst_output_text(out, ")");
}

/* ---- the format ------------------------------------------------------------------------------------- */

const mst_field *mst_ksy_version(mst_ksy *k, uint32_t *offset) {
    const mst_record *root = k->format->tables.root;
    for (uint16_t i = 0; k->format->identity.version_field && i < root->field_count; i++)
        if (strcmp(root->fields[i].name, k->format->identity.version_field) == 0 &&
            !mst_ksy_is_conditional(k, root, i) && mst_reference_fixed(k->format, root, i, offset))
            return &root->fields[i];
    return NULL;
}

/* Determines the context variables that each record gets from outside: those that it and its nested records
 * read before they set them. */
static void find_needs(mst_ksy *k) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t r = 0; r < k->format->tables.record_count; r++) {
            const mst_record *record = k->format->tables.records[r];
            uint32_t needs = 0, set = 0;
            for (uint16_t i = 0; i < record->field_count; i++) {
                const mst_field *field = &record->fields[i];
                if (!mst_ksy_has(k, field))
                    continue;
                needs |= mst_ksy_needs(k, field) & ~set;
                bool always = !mst_ksy_is_conditional(k, record, i);
                if (field->bind && always)
                    set |= 1u << (field->bind - 1);
                else if (field->bind)
                    needs |= 1u << (field->bind - 1) & ~set;
            }
            changed = changed || needs != k->needs[r];
            k->needs[r] = needs;
        }
    }
}

static mst_status discard(void *user, const void *data, size_t size) {
    (void)user, (void)data, (void)size;
    return MST_OK;
}

mst_status mst_ksy_start(mst_ksy *k, const mst_format *format, mst_sink sink) {
    if (format->tables.record_count > MST_KSY_RECORDS)
        return MST_UNSUPPORTED;
    memset(k, 0, sizeof *k);
    k->format = format;
    mst_output_begin(&k->out, sink);
    mst_output_begin(&k->nothing, (mst_sink){discard, NULL});
    find_needs(k);
    return MST_OK;
}

/* ---- attributes -------------------------------------------------------------------------------------- */

static void put_condition(mst_ksy *k, const char *condition, const char *also) {
    if (condition || *also)
        mst_output_format(&k->out, "        if: '%s%s%s'\n", condition ? condition : "",
                          condition && *also ? " and " : "", also);
}

/* A readable name, and the field's form in JSON, for tools that compare. */
static void put_facts(mst_ksy *k, const mst_field *field) {
    char names[MST_KSY_ID];
    if (field->flags & MST_FIELD_DEFAULT)
        mst_output_format(&k->out, "        -default: %u\n", field->initial);
    if (field->constant || field->length_of || (field->flags & MST_FIELD_SIZES))
        mst_output_text(&k->out, "        -derived: true\n");
    if ((field->flags & MST_FIELD_FLAGS) && mst_ksy_enum(k, field->names, names))
        mst_output_format(&k->out, "        -flags: %s\n", names);
    if (!field->doc)
        return;
    mst_output_text(&k->out, "        doc: ");
    mst_ksy_quoted(&k->out, field->doc);
    mst_output_text(&k->out, "\n");
}

static void put_number_type(mst_ksy *k, uint8_t kind, const mst_field *field) {
    static const char *const types[] = {
        [MST_KIND_U8] = "u1",  [MST_KIND_I8] = "s1",  [MST_KIND_U16] = "u2", [MST_KIND_I16] = "s2",
        [MST_KIND_U32] = "u4", [MST_KIND_I32] = "s4", [MST_KIND_U64] = "u8", [MST_KIND_I64] = "s8",
        [MST_KIND_F32] = "f4", [MST_KIND_F64] = "f8"};
    bool one = mst_kind_width[kind] == 1;
    mst_output_format(&k->out, "        type: %s%s\n", types[kind],
                      one                               ? ""
                      : field->flags & MST_FIELD_BIG    ? "be"
                      : field->flags & MST_FIELD_LITTLE ? "le"
                                                        : "");
}

/* The number of elements; false if they fill the available space. */
static bool put_count(const mst_ksy *k, mst_output *out, mst_ksy_scope at, const mst_field *field,
                      const char *id) {
    switch ((mst_count_mode)field->mode) {
    case MST_COUNT_ONE: mst_output_text(out, "1"); return true;
    case MST_COUNT_FIXED: mst_output_format(out, "%u", field->count); return true;
    case MST_COUNT_PREFIX:
    case MST_COUNT_DATA_SET: mst_output_format(out, "count_of_%s", id); return true;
    case MST_COUNT_VARIABLE:
        mst_ksy_variable(k, out, at, field->count_variable);
        mst_output_format(out, " + %u", field->count);
        return true;
    case MST_COUNT_PRODUCT:
        mst_ksy_variable(k, out, at, field->count_variable);
        mst_output_text(out, " * ");
        mst_ksy_variable(k, out, at, field->count);
        return true;
    case MST_COUNT_SENTINEL:
    case MST_COUNT_ARCHIVE:
    case MST_COUNT_ALIGN:
    case MST_COUNT_TO_END: return false;
    }
    return false;
}

/* Raw bytes and texts. */
static void put_bytes(mst_ksy *k, mst_ksy_scope at, const mst_field *field, const char *id,
                      const char *limit) {
    mst_output *out = &k->out;
    if (field->mode == MST_COUNT_SENTINEL) {
        mst_output_text(out, "        type: strz\n        encoding: UTF-8\n        consume: false\n"
                             "        eos-error: false\n");
        return;
    }
    mst_output_text(out, "        size: '");
    if (field->mode == MST_COUNT_ALIGN) {
        mst_output_format(out,
                          "(%u - _io.pos %% %u) %% %u < %s - _io.pos ? (%u - _io.pos %% %u) %% %u : %s - "
                          "_io.pos",
                          field->count, field->count, field->count, limit, field->count, field->count,
                          field->count, limit);
    } else if (field->mode == MST_COUNT_DATA_SET) {
        mst_output_format(out, "stride_of_%s * count_of_%s", id, id);
    } else if (put_count(k, out, at, field, id)) {
        mst_output_text(out, field->kind == MST_KIND_CHAR16 ? " * 2" : "");
    } else {
        mst_output_format(out, "%s - _io.pos", limit);
    }
    mst_output_text(out, "'\n");
    if (field->kind == MST_KIND_RAW || field->constant)
        return;
    if (field->flags & MST_FIELD_HIGH) {
        mst_output_text(out, "        process: xor(0x80)\n");
        return;
    }
    bool padded = field->mode == MST_COUNT_FIXED || field->mode == MST_COUNT_DATA_SET;
    mst_output_format(out, "        type: %s\n        encoding: %s\n", padded ? "strz" : "str",
                      field->kind == MST_KIND_CHAR8        ? "UTF-8"
                      : mst_default_variant(k->format).big ? "UTF-16BE"
                                                           : "UTF-16LE");
}

uint32_t mst_ksy_width(const mst_ksy *k, const mst_field *field) {
    uint32_t width = 0;
    mst_variant variant = mst_default_variant(k->format);
    for (uint16_t i = 0; field->record && i < field->record->field_count; i++) {
        const mst_field *one = &field->record->fields[i];
        if (mst_presence_in(one, variant) == MST_PRESENT)
            width += mst_kind_width[one->kind] * (one->mode == MST_COUNT_FIXED ? one->count : 1);
    }
    return field->record ? width : mst_kind_width[field->kind];
}

static void put_elements(mst_ksy *k, mst_ksy_scope at, const mst_field *field, const char *id,
                         const char *limit) {
    mst_output *out = &k->out;
    if (field->record) {
        char type[MST_KSY_ID];
        mst_ksy_type(k, field->record, type);
        mst_output_format(out, "        type: '%s(%s", type, limit);
        mst_ksy_arguments(k, out, at, k->needs[field->record->index]);
        mst_output_text(out, ")'\n");
    } else {
        char names[MST_KSY_ID];
        put_number_type(k, field->kind, field);
        if (!(field->flags & MST_FIELD_FLAGS) && mst_ksy_enum(k, field->names, names))
            mst_output_format(out, "        enum: %s\n", names);
    }
    if (field->mode == MST_COUNT_ONE)
        return;
    if (field->flags & MST_FIELD_SHORT) {
        mst_output_format(
            out, "        repeat: until\n        repeat-until: '_io.pos >= %s or %s.size >= ", limit, id);
        put_count(k, out, at, field, id);
        mst_output_text(out, "'\n");
    } else if (field->mode == MST_COUNT_TO_END) {
        mst_output_format(out, "        repeat: until\n        repeat-until: '_io.pos >= %s'\n", limit);
    } else {
        mst_output_text(out, "        repeat: expr\n        repeat-expr: '");
        if (!put_count(k, out, at, field, id))
            mst_output_format(out, "%s_found", id);
        mst_output_text(out, "'\n");
    }
}

/* Attributes that are read before the field. */
static void put_before(mst_ksy *k, const mst_field *field, const char *id, const char *condition) {
    mst_output *out = &k->out;
    if (field->mode == MST_COUNT_DATA_SET) {
        mst_output_format(out, "      - id: stride_of_%s\n        -derived: true\n        type: u4\n", id);
        put_condition(k, condition, "");
    }
    if (field->mode == MST_COUNT_DATA_SET || field->mode == MST_COUNT_PREFIX) {
        mst_output_format(out, "      - id: count_of_%s\n        -derived: true\n", id);
        put_number_type(k, field->mode == MST_COUNT_PREFIX ? field->prefix : MST_KIND_U32, field);
        put_condition(k, condition, "");
    }
}

/* A list that is read until its end must not be begun where it is empty. */
static void put_list_condition(mst_ksy *k, mst_ksy_scope at, const mst_field *field, const char *id,
                               const char *condition, const char *limit) {
    char also[2 * MST_KSY_ID] = "";
    bool bytes = field->kind == MST_KIND_RAW || mst_is_text(field);
    bool runs = field->mode == MST_COUNT_TO_END || (field->flags & MST_FIELD_SHORT) || field->chunks;
    if (bytes || (field->mode == MST_COUNT_ONE && !field->chunks) || !runs) {
        put_condition(k, condition, "");
        return;
    }
    snprintf(also, sizeof also, "_io.pos < %s", limit);
    mst_output_format(&k->out, "        if: '%s%s%s", condition ? condition : "", condition ? " and " : "",
                      also);
    if (field->flags & MST_FIELD_SHORT) {
        mst_output_text(&k->out, " and 0 < ");
        put_count(k, &k->out, at, field, id);
    }
    mst_output_text(&k->out, "'\n");
}

void mst_ksy_attribute(mst_ksy *k, mst_ksy_scope at, const mst_field *field, const char *id,
                       const char *condition, const char *limit) {
    mst_output *out = &k->out;
    char owner[MST_KSY_ID] = "";
    put_before(k, field, id, condition);
    mst_ksy_begin(k, id, field->name);
    if (at.record)
        mst_ksy_type(k, at.record, owner);
    if (field->chunks || field->mode == MST_COUNT_ARCHIVE) {
        mst_output_format(out, "        type: '%s_%s_%s(%s", owner, id, field->chunks ? "chunk" : "blocks",
                          limit);
        mst_ksy_arguments(k, out, at, mst_ksy_needs(k, field));
        mst_output_text(out, ")'\n");
        if (field->chunks)
            mst_output_format(
                out,
                "        -chunks: true\n        repeat: until\n        repeat-until: '_io.pos >= "
                "%s'\n",
                limit);
    } else if (field->constant) {
        mst_output_text(out, "        contents: [");
        for (uint32_t i = 0; i < field->count; i++)
            mst_output_format(out, "%s%u", i ? ", " : "", (unsigned char)field->constant[i]);
        mst_output_text(out, "]\n");
    } else if (field->kind == MST_KIND_RAW || mst_is_text(field)) {
        put_bytes(k, at, field, id, limit);
    } else {
        put_elements(k, at, field, id, limit);
    }
    put_list_condition(k, at, field, id, condition, limit);
    put_facts(k, field);
}

/* A list that ends before a certain element is read ahead, to count its elements. */
void mst_ksy_instances(mst_ksy *k, mst_ksy_scope at, const mst_field *field, const char *id,
                       const char *limit) {
    const mst_expression *said = mst_ksy_said(k, field, false);
    mst_output *out = &k->out;
    uint32_t width = mst_ksy_width(k, field);
    const mst_expression *present = mst_ksy_said(k, field, true);
    if (present && present->ahead)
        mst_output_format(out, "      %s_ahead:\n        pos: _io.pos\n        type: '%s(%s)'\n", id,
                          present->ahead, limit);
    if (field->mode != MST_COUNT_SENTINEL || mst_is_text(field))
        return;
    if (!said) {
        mst_output_format(out, "      %s_found:\n        value: (%s - _io.pos) / %u\n", id, limit, width);
        return;
    }
    char last[MST_KSY_ID + 16];
    snprintf(last, sizeof last, "%s_ahead.last", id);
    mst_field ahead = *field;
    ahead.mode = MST_COUNT_ONE;
    mst_output_format(out, "      %s_ahead:\n        pos: _io.pos\n", id);
    put_elements(k, at, &ahead, id, limit);
    mst_output_text(out, "        repeat: until\n        repeat-until: '");
    mst_ksy_expression(out, said->text, "_", limit);
    mst_output_format(out, " or _io.pos + %u > %s'\n", width, limit);
    mst_output_format(out, "      %s_found:\n        value: '%s - _io.pos < %u ? 0 : %s_ahead.size - (", id,
                      limit, width, id);
    mst_ksy_expression(out, said->text, last, limit);
    mst_output_text(out, " ? 1 : 0)'\n");
}
