/* SPDX-License-Identifier: MIT */
/* A format's tables as patterns for ImHex. */
#include "hexpat.h"
#include "../tables/fields.h"
#include <stdio.h>

/* ---- parts of records -------------------------------------------------------------------------------- */

/* The last of the fields that determine where parts of the record end; -1 if there are none. */
static int last_size(const mst_ksy *k, const mst_record *record) {
    int last = -1;
    for (uint16_t i = 0; i < record->field_count; i++)
        if ((record->fields[i].flags & MST_FIELD_SIZES) && mst_ksy_has(k, &record->fields[i]))
            last = i;
    return last;
}

static const char *limit_of(const mst_ksy *k, const mst_record *record, uint16_t index) {
    int last = last_size(k, record);
    if (last < 0 || index <= last || (record->fields[index].flags & MST_FIELD_OUTSIDE))
        return "limit";
    return record->fields[index].flags & MST_FIELD_LAST ? "last_end" : "first_end";
}

static const char parts[] =
    "    u64 last_end = size_of_both >= 0 ? $ + size_of_both : size_of_first < 0 && size_of_last < 0 ? limit "
    ": $ "
    "+ (size_of_first < 0 ? 0 : size_of_first) + (size_of_last < 0 ? 0 : size_of_last);\n"
    "    u64 first_end = size_of_first >= 0 ? $ + size_of_first : size_of_last >= 0 ? last_end - "
    "size_of_last : "
    "last_end;\n";

/* ---- fields of records ------------------------------------------------------------------------------- */

/* Writes the effects of a field that has been read. */
static void put_consequences(mst_ksy *k, const mst_record *record, uint16_t index, const char *id,
                             const char *margin) {
    static const struct {
        uint32_t flag;
        const char *name;
    } sizes[] = {{MST_FIELD_SIZE, "size_of_both"},
                 {MST_FIELD_SIZE_FIRST, "size_of_first"},
                 {MST_FIELD_SIZE_LAST, "size_of_last"}};
    const mst_field *field = &record->fields[index];
    mst_output *out = &k->out;
    for (size_t i = 0; i < MST_COUNT_OF(sizes); i++)
        if (field->flags & sizes[i].flag)
            mst_output_format(out, "%s%s = s64(%s) * %u - %u;\n", margin, sizes[i].name, id,
                              field->size_scale ? field->size_scale : 1u, field->size_bias);
    if (field->bind) {
        const mst_expression *said = k->format->tables.expressions;
        char value[MST_KSY_ID + 8];
        while (said && said->text && !(field->transform && said->transform == field->transform))
            said++;
        bool known = field->transform && said && said->text;
        snprintf(value, sizeof value, "u32(%s)", id);
        mst_output_format(out, "%s%s_bound = ", margin, id);
        mst_hexpat_expression(out, known ? said->text : "$", value, "limit");
        mst_output_text(out, field->transform && !known
                                 ? "; // conditions compare a number that mapstone looks up by it\n"
                                 : ";\n");
    }
    if ((field->flags & MST_FIELD_STOP) && mst_is_number(field))
        mst_output_format(out, "%sended = %s < 0;\n", margin, id);
    else if (field->flags & MST_FIELD_STOP)
        mst_output_format(out, "%spart_ended = true;\n", margin);
}

/* Whether a field before this one may end the record, or its part. */
static bool may_have_ended(const mst_ksy *k, const mst_record *record, uint16_t index) {
    for (uint16_t i = 0; i < index; i++)
        if (mst_ksy_has(k, &record->fields[i]) &&
            (record->fields[i].present || (record->fields[i].flags & MST_FIELD_STOP)))
            return true;
    return false;
}

/* Writes "if (...) {" with the condition for a field's presence; false if it is always present. */
static bool open_condition(mst_ksy *k, mst_ksy_scope at, const char *limit, const char *hook,
                           const char *id) {
    const mst_field *field = &at.record->fields[at.index];
    mst_output *out = &k->out;
    bool ended = may_have_ended(k, at.record, at.index);
    mst_output real = k->out;
    mst_output_begin(&k->out, k->nothing.sink);
    bool conditions = mst_hexpat_conditions(k, at, field, limit);
    k->out = real;
    if (!ended && !conditions && !hook)
        return false;
    mst_output_text(out, "    if (");
    mst_output_text(out, ended ? "!ended && !part_ended" : "");
    mst_output_text(out, ended && conditions ? " && " : "");
    mst_hexpat_conditions(k, at, field, limit);
    if (hook) {
        bool more = ended || conditions;
        mst_output_text(out, more ? " && (" : "");
        mst_hexpat_expression(out, hook, id, limit);
        mst_output_text(out, more ? ")" : "");
    }
    mst_output_text(out, ") {\n");
    return true;
}

static void put_field(mst_ksy *k, const mst_record *record, uint16_t index, const char *limit) {
    const mst_field *field = &record->fields[index];
    const mst_expression *said = mst_ksy_said(k, field, true);
    mst_ksy_scope at = {record, index};
    mst_output *out = &k->out;
    char id[MST_KSY_ID];
    mst_hexpat_id(record, index, id);
    bool sayable = said && !said->ahead;
    if (field->present && (!sayable || said->unknown)) {
        open_condition(k, at, limit, sayable ? said->unknown : "true", id);
        mst_output_format(out,
                          "        u8 %s_unparsed[%s - $] [[comment(\"This language cannot express whether "
                          "other fields follow here.\")]];\n"
                          "        part_ended = true;\n"
                          "    }\n",
                          id, limit);
    }
    if (field->bind) {
        mst_output_format(out, "    u32 %s_bound = ", id);
        if (mst_ksy_is_conditional(k, record, index))
            mst_hexpat_variable(k, at, field->bind - 1u);
        else
            mst_output_text(out, "0");
        mst_output_text(out, ";\n");
    }
    const char *hook = !field->present ? NULL : sayable ? said->text : "false";
    bool conditional = open_condition(k, at, limit, hook, id);
    const char *margin = conditional ? "        " : "    ";
    mst_hexpat_field(k, at, field, id, limit, margin);
    put_consequences(k, record, index, id, margin);
    mst_output_text(out, conditional ? "    }\n" : "");
}

static const char block_header[] = "    u64 archive_start = $;\n    u32 archive_count;\n"
                                   "    u32 archive_offsets[archive_count + 1];\n";
static const char block_end[] = "    if (archive_count > 0) {\n"
                                "        $ = archive_start + archive_offsets[archive_count];\n    }\n";

/* The blocks are at the positions that the offsets give. */
static void put_archive(mst_ksy *k, const mst_record *record) {
    mst_output *out = &k->out;
    bool ended = false;
    mst_output_text(out, block_header);
    for (uint16_t i = 0; i < record->field_count; i++) {
        const mst_field *field = &record->fields[i];
        char id[MST_KSY_ID], limit[MST_KSY_ID];
        if (!mst_ksy_has(k, field))
            continue;
        if (field->flags & MST_FIELD_OUTSIDE) {
            mst_output_text(out, ended ? "" : block_end);
            ended = true;
            put_field(k, record, i, "limit");
            continue;
        }
        mst_hexpat_id(record, i, id);
        snprintf(limit, sizeof limit, "archive_start + archive_offsets[%u]", i + 1u);
        if (field->bind)
            mst_output_format(out, "    u32 %s_bound = 0;\n", id);
        mst_output_format(
            out, "    if (archive_count > %u) {\n        $ = archive_start + archive_offsets[%u];\n", i, i);
        mst_hexpat_field(k, (mst_ksy_scope){record, i}, field, id, limit, "        ");
        put_consequences(k, record, i, id, "        ");
        mst_output_text(out, "    }\n");
    }
    mst_output_text(out, ended ? "" : block_end);
}

static void put_fields(mst_ksy *k, const mst_record *record) {
    int last = last_size(k, record);
    mst_output *out = &k->out;
    if (last >= 0)
        mst_output_text(out, "    s64 size_of_both = -1;\n    s64 size_of_first = -1;\n"
                             "    s64 size_of_last = -1;\n");
    if (may_have_ended(k, record, record->field_count))
        mst_output_text(out, "    bool ended = false;\n    bool part_ended = false;\n");
    if (record->archive) {
        put_archive(k, record);
        return;
    }
    uint32_t part = 0;
    for (uint16_t i = 0; i < record->field_count; i++) {
        uint32_t in = record->fields[i].flags & (MST_FIELD_LAST | MST_FIELD_OUTSIDE);
        if (in != part && may_have_ended(k, record, i))
            mst_output_text(out, "    part_ended = false;\n");
        part = in;
        if (mst_ksy_has(k, &record->fields[i]))
            put_field(k, record, i, limit_of(k, record, i));
        if (i == last)
            mst_output_text(out, parts);
    }
}

/* ---- separate types ---------------------------------------------------------------------------------- */

/* The blocks of an archive. */
static void put_blocks_types(mst_ksy *k, const char *name, const mst_field *field) {
    mst_output *out = &k->out;
    uint32_t needs = mst_ksy_needs(k, field);
    mst_ksy_scope at = {NULL, 0};
    mst_field body = *field;
    body.mode = MST_COUNT_ONE;
    mst_output_format(out, "struct %s_item", name);
    mst_hexpat_parameters(k, needs);
    mst_output_text(out, " {\n    u64 number = std::core::array_index();\n"
                         "    u64 end = limit + parent.archive_offsets[number + 1];\n"
                         "    $ = limit + parent.archive_offsets[number];\n");
    mst_hexpat_field(k, at, &body, "body", "end", "    ");
    mst_output_format(out, "};\n\n// `limit` of an item: where the archive begins.\nstruct %s", name);
    mst_hexpat_parameters(k, needs);
    mst_output_text(out, " {\n");
    mst_output_text(out, block_header);
    mst_output_format(out, "    %s_item", name);
    mst_hexpat_arguments(k, at, "archive_start", needs);
    mst_output_text(out, " items[archive_count];\n");
    mst_output_text(out, block_end);
    mst_output_text(out, "};\n\n");
}

/* A case of a chunk; either its record includes the header, or the header has been read. */
static void put_case(mst_ksy *k, const mst_field *field, bool with_header) {
    char id[MST_KSY_ID];
    mst_hexpat_name(field->name, id);
    mst_output_text(&k->out, with_header ? "        $ = chunk_start;\n" : "");
    mst_hexpat_field(k, (mst_ksy_scope){NULL, 0}, field, id, "chunk_end", "        ");
}

/* One chunk: its header, and the content that its id selects. */
static void put_chunk_type(mst_ksy *k, const char *name, const mst_field *field) {
    const mst_chunks *chunks = field->chunks;
    const char *order = chunks->big ? "be " : "";
    mst_output *out = &k->out;
    mst_output_format(out, "struct %s", name);
    mst_hexpat_parameters(k, mst_ksy_needs(k, field));
    mst_output_format(out,
                      " {\n    u64 chunk_start = $;\n    %su32 chunk_id;\n    %su32 chunk_length;\n"
                      "    u64 chunk_end = $ + chunk_length;\n    ",
                      order, order);
    for (int i = 0; i < chunks->case_count; i++) {
        const mst_case *one = &chunks->cases[i];
        mst_output_format(out, "if ((chunk_id & %u) == %u) {\n", ~one->any, one->id);
        put_case(k, &one->field, (one->field.flags & MST_FIELD_WITH_HEADER) != 0);
        mst_output_text(out, "    } else ");
    }
    mst_output_text(out, "{\n");
    put_case(k, chunks->unknown, true);
    mst_output_text(out, "    }\n");
    if (chunks->align)
        mst_output_format(out, "    chunk_end = chunk_end + (%u - chunk_end %% %u) %% %u;\n", chunks->align,
                          chunks->align, chunks->align);
    mst_output_text(out, "    $ = chunk_end < limit ? chunk_end : limit;\n};\n\n");
}

static void put_types(mst_ksy *k, const mst_record *record, uint16_t index) {
    const mst_field *field = &record->fields[index];
    char owner[MST_KSY_ID], id[MST_KSY_ID], name[3 * MST_KSY_ID];
    mst_ksy_type(k, record, owner);
    mst_hexpat_id(record, index, id);
    snprintf(name, sizeof name, "%s_%s_%s", owner, id, field->chunks ? "chunk" : "blocks");
    if (field->chunks)
        put_chunk_type(k, name, field);
    else if (field->mode == MST_COUNT_ARCHIVE)
        put_blocks_types(k, name, field);
}

static void put_record(mst_ksy *k, const mst_record *record) {
    char id[MST_KSY_ID];
    for (uint16_t i = 0; i < record->field_count; i++)
        if (mst_ksy_has(k, &record->fields[i]))
            put_types(k, record, i);
    mst_ksy_type(k, record, id);
    mst_output_format(&k->out, "// %s\nstruct %s", record->doc, id);
    mst_hexpat_parameters(k, k->needs[record->index]);
    mst_output_text(&k->out, " {\n");
    put_fields(k, record);
    mst_output_text(&k->out, "};\n\n");
}

/* ---- the order of records ---------------------------------------------------------------------------- */

/* Whether all records that this one has fields of have been declared; in separate types, also the record
 * itself. */
static bool is_ready(const mst_record *record, const bool *done) {
    for (mst_fields it = mst_fields_of_record(record); mst_fields_next(&it);)
        if (it.field->record && !done[it.field->record->index] &&
            (it.field->record != record || it.chunks || it.field->mode == MST_COUNT_ARCHIVE))
            return false;
    return true;
}

/* Declares a record before others that it has fields of. */
static void put_forward(mst_ksy *k, const mst_record *record, const bool *done) {
    for (mst_fields it = mst_fields_of_record(record); mst_fields_next(&it);) {
        char id[MST_KSY_ID];
        if (!it.field->record || done[it.field->record->index])
            continue;
        mst_ksy_type(k, it.field->record, id);
        mst_output_format(&k->out, "using %s", id);
        mst_hexpat_parameters(k, k->needs[it.field->record->index]);
        mst_output_text(&k->out, ";\n");
    }
}

/* Writes the parts of a record before it; where records contain each other, one is declared first. */
static void put_records(mst_ksy *k) {
    const size_t count = k->format->tables.record_count;
    bool done[MST_KSY_RECORDS] = {false};
    for (size_t left = count; left;) {
        size_t before = left;
        for (size_t r = 0; r < count; r++)
            if (!done[r] && is_ready(k->format->tables.records[r], done)) {
                put_record(k, k->format->tables.records[r]);
                done[r] = true;
                left--;
            }
        for (size_t r = 0; r < count && left == before; r++)
            if (!done[r]) {
                put_forward(k, k->format->tables.records[r], done);
                put_record(k, k->format->tables.records[r]);
                done[r] = true;
                left--;
            }
    }
}

/* ---- the file ---------------------------------------------------------------------------------------- */

static void put_enum(mst_ksy *k, const mst_field *field, const char *id) {
    mst_output *out = &k->out;
    mst_output_format(out, "enum %s : ", id);
    mst_hexpat_number(out, field->kind, 0);
    mst_output_text(out, " {\n");
    for (size_t i = 0; i < field->names->count; i++) {
        const mst_enum_name *item = &field->names->items[i];
        char name[MST_KSY_ID], other[MST_KSY_ID];
        bool twice = false;
        mst_hexpat_name(item->name, name);
        for (size_t j = 0; j < i && !twice; j++) {
            mst_hexpat_name(field->names->items[j].name, other);
            twice = strcmp(other, name) == 0;
        }
        mst_output_format(out, "    %s", name);
        if (twice)
            mst_output_format(out, "_alt%u", (unsigned)i);
        mst_output_format(out, " = %lld%s\n", (long long)item->value, i + 1 < field->names->count ? "," : "");
    }
    mst_output_text(out, "};\n\n");
}

static void put_enums(mst_ksy *k) {
    for (mst_fields it = mst_fields_of_format(k->format); mst_fields_next(&it);) {
        char id[MST_KSY_ID], other[MST_KSY_ID];
        if (!mst_hexpat_enum(k, it.field, id))
            continue;
        bool known = false;
        for (mst_fields before = mst_fields_of_format(k->format);
             mst_fields_next(&before) && before.field != it.field && !known;)
            known = mst_hexpat_enum(k, before.field, other) && strcmp(id, other) == 0;
        if (!known)
            put_enum(k, it.field, id);
    }
}

/* The version, the byte order and the layout, which determine the fields of the records. */
static void put_variant(mst_ksy *k) {
    const mst_format *format = k->format;
    mst_output *out = &k->out;
    uint32_t offset = 0;
    const mst_field *version = format->files.count ? NULL : mst_ksy_version(k, &offset);
    if (version) {
        mst_output_text(out, "// Which version of the format the file has.\n");
        mst_hexpat_number(out, version->kind, version->flags);
        mst_output_format(out, " format_version @ 0x%X;\n", offset);
    } else {
        mst_output_format(out,
                          "// The file's version of the format, as shown by 'mapstone info'.\n"
                          "u32 format_version = %u;\n",
                          format->identity.version);
    }
    mst_output_format(out, "bool big_endian = %s;%s\n", format->identity.big ? "true" : "false",
                      MST_OPTION(format->conversion, either_order)
                          ? " // where it is not: change this, and the pragma above"
                          : "");
    mst_output_text(out, "u32 format_layout = 0;");
    for (size_t i = 0; i < format->identity.layout_count; i++)
        mst_output_format(out, "%s%u %s", i ? ", " : " // ", (unsigned)i, format->identity.layouts[i]);
    mst_output_text(out, "\n\n");
}

static void put_start(mst_ksy *k) {
    const mst_format_information *information = &k->format->information;
    mst_output_format(
        &k->out,
        "// Not tested: these patterns have not been run in ImHex. Made by 'mapstone spec --as hexpat "
        "%s'\n// from the tables that read and write the format. 'mapstone tree' shows where every "
        "field of a file is.\n#pragma description %s\n#pragma endian %s\n\nimport std.core;\n"
        "import std.mem;\n\n",
        information->id, information->title, k->format->identity.big ? "big" : "little");
}

static void put_file(mst_ksy *k) {
    const mst_record *root = k->format->tables.root;
    char id[MST_KSY_ID];
    mst_ksy_type(k, root, id);
    if (k->format->files.count)
        mst_output_text(
            &k->out,
            "// The files are packed, their parts are located by an algorithm, or they belong to a group of "
            "files:\n"
            "// the records describe the values that mapstone reads, not their places in the files.\n"
            "// Place a record where its bytes are.\n"
            "// ");
    mst_output_format(&k->out, "%s<std::mem::size()", id);
    for (unsigned i = 0; i < MST_VARIABLES; i++)
        mst_output_text(&k->out, k->needs[root->index] >> i & 1 ? ", 0" : "");
    mst_output_text(&k->out, "> file @ 0x00;\n");
}

mst_status mst_write_hexpat(const mst_format_information *information, mst_sink sink) {
    const mst_format *format = mst_format_of(information);
    if (!format || !sink.write)
        return MST_ARGUMENT;
    mst_ksy k;
    mst_status status = mst_ksy_start(&k, format, sink);
    if (status != MST_OK)
        return status;
    put_start(&k);
    put_variant(&k);
    put_enums(&k);
    put_records(&k);
    put_file(&k);
    return mst_output_end(&k.out);
}
