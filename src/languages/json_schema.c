/* SPDX-License-Identifier: MIT */
/* The JSON of a format's documents as JSON Schema (2020-12), from its tables: the JSON that json_write.c
 * writes. */
#include "../core/text.h"
#include "../tables/fields.h"
#include "reference.h"

/* A record's name among the definitions: with its number if another record has the same name. */
static void put_definition(mst_output *out, const mst_format *format, const mst_record *record) {
    bool shared = false;
    for (size_t i = 0; i < format->tables.record_count; i++) {
        const mst_record *other = format->tables.records[i];
        shared = shared || (other != record && strcmp(other->name, record->name) == 0);
    }
    mst_output_format(out, shared ? "%s.%u" : "%s", record->name, (unsigned)record->index);
}

static void put_string(mst_output *out, const char *text) {
    mst_output_json_string(out, text, strlen(text));
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

static void put_names(mst_output *out, const mst_enum *names) {
    mst_output_text(out, "{\"enum\":[");
    for (size_t i = 0; i < names->count; i++) {
        mst_output_text(out, i ? "," : "");
        put_string(out, names->items[i].name);
    }
    mst_output_text(out, "]}");
}

static void put_integer(mst_output *out, const mst_field *field) {
    unsigned bits = 8 * mst_kind_width[field->kind];
    if (bits == 64) /* beyond 2^53 in hexadecimal, for readers that parse all numbers as doubles */
        mst_output_text(out,
                        "{\"type\":\"integer\"},{\"type\":\"string\",\"pattern\":\"^0x[0-9a-f]{1,16}$\"}");
    else if (mst_is_signed(field->kind))
        mst_output_format(out, "{\"type\":\"integer\",\"minimum\":%lld,\"maximum\":%lld}",
                          -(1LL << (bits - 1)), (1LL << (bits - 1)) - 1);
    else
        mst_output_format(out, "{\"type\":\"integer\",\"minimum\":0,\"maximum\":%llu}", (1ULL << bits) - 1);
}

/* Bits without a name are one number at the end: in hexadecimal, or plain where the field has plain
 * numbers. */
static void put_flags(mst_output *out, const mst_field *field) {
    bool beside = (field->flags & MST_FIELD_BESIDE) != 0;
    mst_output_text(out, beside ? "{\"anyOf\":[{\"type\":\"integer\",\"minimum\":0}," : "");
    mst_output_text(out, "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"anyOf\":[");
    if (field->names->count) {
        put_names(out, field->names);
        mst_output_text(out, ",");
    }
    mst_output_text(out, beside ? "{\"type\":\"integer\",\"minimum\":0}"
                                : "{\"type\":\"string\",\"pattern\":\"^0x[0-9a-f]{1,16}$\"}");
    mst_output_text(out, "]}}");
    mst_output_text(out, beside ? "]}" : "");
}

static void put_number(mst_output *out, const mst_field *field) {
    if (field->flags & MST_FIELD_FLAGS) {
        put_flags(out, field);
        return;
    }
    mst_output_text(out, "{\"anyOf\":[");
    if (field->kind == MST_KIND_F32 || field->kind == MST_KIND_F64) {
        mst_output_format(
            out,
            "{\"type\":\"number\"},{\"type\":\"string\",\"pattern\":\"^(-?Infinity|NaN(:[0-9a-f]"
            "{%u})?)$\"}",
            field->kind == MST_KIND_F32 ? 8 : 16);
    } else {
        if (field->flags & MST_FIELD_BOOL)
            mst_output_text(out, "{\"type\":\"boolean\"},");
        if (field->names && field->names->count) {
            put_names(out, field->names);
            mst_output_text(out, ",");
        }
        if (field->flags & MST_FIELD_SENSE)
            mst_output_text(out, "{\"type\":\"string\",\"pattern\":\"^~[0-9]{1,5}$\"},");
        put_integer(out, field);
    }
    mst_output_text(out, "]}");
}

/* ---- fields ------------------------------------------------------------------------------------------ */

static const char hexadecimal[] = "\"type\":\"string\",\"pattern\":\"^([0-9a-f]{2})";

static void put_text(mst_output *out, const mst_field *field) {
    mst_output_format(
        out,
        "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"object\",\"properties\":{\"$raw\":{%s*$\"}},"
        "\"required\":[\"$raw\"],\"additionalProperties\":false}%s]}",
        hexadecimal, field->mode == MST_COUNT_DATA_SET ? ",{\"type\":\"null\"}" : "");
}

static bool is_list(const mst_field *field) {
    return field->mode != MST_COUNT_ONE || (field->flags & MST_FIELD_REPEATED);
}

static void put_value(mst_output *out, const mst_format *format, const mst_field *field) {
    if (mst_is_text(field)) {
        put_text(out, field);
        return;
    }
    if (field->kind == MST_KIND_RAW) {
        if (field->mode == MST_COUNT_FIXED || field->mode == MST_COUNT_ONE)
            mst_output_format(out, "{%s{%u}$\"}", hexadecimal,
                              field->mode == MST_COUNT_ONE ? 1 : field->count);
        else
            mst_output_format(out, "{%s*$\"}", hexadecimal);
        return;
    }
    if (is_list(field))
        mst_output_text(out, "{\"type\":\"array\",\"items\":");
    if (field->record) {
        mst_output_text(out, "{\"$ref\":\"#/$defs/");
        put_definition(out, format, field->record);
        mst_output_text(out, "\"}");
    } else {
        put_number(out, field);
    }
    if (is_list(field) && field->mode == MST_COUNT_FIXED)
        mst_output_format(out, ",\"minItems\":%u,\"maxItems\":%u", field->count, field->count);
    mst_output_text(out, is_list(field) ? "}" : "");
}

/* Whether JSON has the field at all: not constants, values that follow from others, or fields without parsed
 * bytes. */
static bool is_written(const mst_format *format, const mst_field *field) {
    return *field->name && !field->constant && field->kind != MST_KIND_CHUNKS &&
           !(field->flags & MST_FIELD_SIZES) && field->directory < MST_DIRECTORY_OFFSET &&
           mst_reference_has_field(format, field, MST_ALL_LAYOUTS);
}

/* Whether every document has it. */
static bool is_required(const mst_format *format, const mst_fields *at, bool stopped) {
    const mst_field *field = at->field;
    enum {
        LEFT_OUT = MST_FIELD_DEFAULT | MST_FIELD_OMIT_EMPTY | MST_FIELD_OPTIONAL | MST_FIELD_ORIGINAL |
                   MST_FIELD_SHORT
    };
    if (at->chunks || at->record->archive || stopped || field->present || field->length_of ||
        field->flags & LEFT_OUT || field->mode == MST_COUNT_ALIGN || field->mode == MST_COUNT_ARCHIVE)
        return false;
    for (size_t i = 0; i < MST_COUNT_OF(field->when); i++)
        if (field->when[i].operation != MST_ALWAYS &&
            !mst_reference_holds_always(format, &field->when[i], MST_ALL_LAYOUTS))
            return false;
    return true;
}

/* ---- records ----------------------------------------------------------------------------------------- */

/* Several fields of a record may have one name, of which a version or a condition selects one. */
static bool is_first_of_name(const mst_format *format, const mst_record *record, const mst_fields *at) {
    mst_fields other = mst_fields_of_record(record);
    while (mst_fields_next(&other) && other.field != at->field)
        if (is_written(format, other.field) && strcmp(other.field->name, at->field->name) == 0)
            return false;
    return true;
}

static void put_property(mst_output *out, const mst_format *format, const mst_record *record,
                         const mst_fields *at) {
    mst_fields other = mst_fields_of_record(record);
    const char *separator = "";
    put_string(out, at->field->name);
    mst_output_text(out, ":{");
    if (at->field->doc) {
        mst_output_text(out, "\"description\":");
        put_string(out, at->field->doc);
        mst_output_text(out, ",");
    }
    mst_output_text(out, "\"anyOf\":[");
    while (mst_fields_next(&other)) {
        if (!is_written(format, other.field) || strcmp(other.field->name, at->field->name) != 0)
            continue;
        mst_output_text(out, separator);
        put_value(out, format, other.field);
        separator = ",";
    }
    mst_output_text(out, "]}");
}

/* How the members are stored, if the members do not show it. */
static void put_storage(mst_output *out, const mst_format *format, const mst_record *record) {
    mst_output_text(out, "\"patternProperties\":{\"^\\\\$(gaps|end|cut|stride|order)(\\\\.|$)\":true");
    if (record == format->tables.root)
        mst_output_text(out, ",\"^\\\\$(schema|content)$\":true");
    mst_output_text(out, "},");
}

static void put_root_members(mst_output *out, const mst_format *format) {
    mst_output_format(out,
                      "\"$format\":{\"const\":\"%s\"},\"$version\":{\"type\":\"integer\",\"minimum\":0},"
                      "\"$byte_order\":{\"enum\":[\"big\",\"little\"]}",
                      format->information.id);
    mst_output_text(out, format->identity.layout_count ? ",\"$layout\":{\"enum\":[" : "");
    for (size_t i = 0; i < format->identity.layout_count; i++) {
        mst_output_text(out, i ? "," : "");
        put_string(out, format->identity.layouts[i]);
    }
    mst_output_text(out, format->identity.layout_count ? "]}" : "");
}

static void put_members(mst_output *out, const mst_format *format, const mst_record *record) {
    const char *separator = "";
    mst_output_text(out, "\"type\":\"object\",\"additionalProperties\":false,");
    put_storage(out, format, record);
    mst_output_text(out, "\"properties\":{");
    if (record == format->tables.root) {
        put_root_members(out, format);
        separator = ",\n ";
    }
    for (mst_fields it = mst_fields_of_record(record); mst_fields_next(&it);)
        if (is_written(format, it.field) && is_first_of_name(format, record, &it)) {
            mst_output_text(out, separator);
            put_property(out, format, record, &it);
            separator = ",\n ";
        }
    mst_output_text(out, "},\n\"required\":[");
    separator = "";
    if (record == format->tables.root) {
        mst_output_text(out, "\"$format\"");
        separator = ",";
    }
    bool stopped = false;
    for (mst_fields it = mst_fields_of_record(record); mst_fields_next(&it);) {
        if (is_written(format, it.field) && is_required(format, &it, stopped)) {
            mst_output_text(out, separator);
            put_string(out, it.field->name);
            separator = ",";
        }
        stopped = stopped || (it.field->flags & MST_FIELD_STOP);
    }
    mst_output_text(out, "]");
}

static void put_record(mst_output *out, const mst_format *format, const mst_record *record) {
    if (!record->is_inline) {
        put_members(out, format, record);
        return;
    }
    mst_output_text(out, "\"allOf\":[");
    put_value(out, format, &record->fields[0]);
    mst_output_text(out, "]");
}

mst_status mst_write_json_schema(const mst_format_information *information, mst_sink sink) {
    const mst_format *format = mst_format_of(information);
    if (!format || !sink.write)
        return MST_ARGUMENT;
    mst_output out;
    mst_output_begin(&out, sink);
    mst_output_text(&out, "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\n\"title\":");
    put_string(&out, information->title);
    mst_output_text(&out, ",\n");
    put_record(&out, format, format->tables.root);
    mst_output_text(&out, ",\n\"$defs\":{");
    const char *separator = "";
    for (size_t i = 0; i < format->tables.record_count; i++) {
        const mst_record *record = format->tables.records[i];
        mst_output_format(&out, "%s\n\"", separator);
        put_definition(&out, format, record);
        mst_output_text(&out, "\":{");
        put_record(&out, format, record);
        mst_output_text(&out, "}");
        separator = ",";
    }
    mst_output_text(&out, "}}\n");
    return mst_output_end(&out);
}
