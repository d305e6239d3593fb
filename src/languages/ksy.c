/* SPDX-License-Identifier: MIT */
/* A format's tables as a description for Kaitai Struct. */
#include "ksy.h"
#include "../tables/fields.h"

#include <stdio.h>

/* ---- records ----------------------------------------------------------------------------------------- */

/* The last of the fields that determine where parts of the record end; -1 if there are none. */
static int last_size(const mst_ksy *k, const mst_record *record) {
    int last = -1;
    for (uint16_t i = 0; i < record->field_count; i++)
        if ((record->fields[i].flags & MST_FIELD_SIZES) && mst_ksy_has(k, &record->fields[i]))
            last = i;
    return last;
}

/* The end of the data that contains a field. */
static const char *limit_of(const mst_ksy *k, const mst_record *record, uint16_t index) {
    int last = last_size(k, record);
    if (last < 0 || index <= last || (record->fields[index].flags & MST_FIELD_OUTSIDE))
        return "limit";
    return record->fields[index].flags & MST_FIELD_LAST ? "last_end" : "first_end";
}

/* The value of a number as its context variable stores it: without a sign. */
static void put_bound(mst_ksy *k, const mst_record *record, uint16_t index) {
    const mst_field *field = &record->fields[index];
    mst_output *out = &k->out;
    mst_ksy_scope at = {record, index};
    char id[MST_KSY_ID], value[2 * MST_KSY_ID];
    mst_ksy_id(record, index, id);
    snprintf(value, sizeof value, "%s%s", id, mst_ksy_integer(field));
    bool always = !mst_ksy_is_conditional(k, record, index);
    mst_output_format(out, "      %s_bound:\n        value: '", id);
    if (!always)
        mst_output_format(out, "has_%s ? (", id);
    const mst_expression *said = k->format->tables.expressions;
    while (said && said->text && !(field->transform && said->transform == field->transform))
        said++;
    if (field->transform && said && said->text)
        mst_ksy_expression(out, said->text, value, "limit");
    else if (mst_is_signed(field->kind))
        mst_output_format(out, "%s < 0 ? %s + 4294967296 : %s", value, value, value);
    else
        mst_output_text(out, value);
    if (!always) {
        mst_output_text(out, ") : ");
        mst_ksy_variable(k, out, at, field->bind - 1u);
    }
    mst_output_text(out, "'\n");
}

/* The bytes that sizes of one sort cover; -1 if they are not stored. */
static void put_covered(mst_ksy *k, const mst_record *record, const char *id, uint32_t flag) {
    mst_output_format(&k->out, "      %s:\n        value: '", id);
    for (uint16_t i = 0; i < record->field_count; i++) {
        const mst_field *field = &record->fields[i];
        char name[MST_KSY_ID];
        if (!(field->flags & flag) || !mst_ksy_has(k, field))
            continue;
        mst_ksy_id(record, i, name);
        if (mst_ksy_is_conditional(k, record, i))
            mst_output_format(&k->out, "has_%s ? ", name);
        else
            mst_output_text(&k->out, "true ? ");
        mst_output_format(&k->out, "%s * %u - %u : ", name, field->size_scale ? field->size_scale : 1u,
                          field->size_bias);
    }
    mst_output_text(&k->out, "-1'\n");
}

static void put_parts(mst_ksy *k, const mst_record *record) {
    put_covered(k, record, "size_of_both", MST_FIELD_SIZE);
    put_covered(k, record, "size_of_first", MST_FIELD_SIZE_FIRST);
    put_covered(k, record, "size_of_last", MST_FIELD_SIZE_LAST);
    mst_output_text(
        &k->out,
        "      parts:\n        value: _io.pos\n"
        "      last_end:\n        value: 'size_of_both >= 0 ? parts + size_of_both : size_of_first < 0 "
        "and size_of_last < 0 ? limit : parts + (size_of_first < 0 ? 0 : size_of_first) + "
        "(size_of_last < 0 ? 0 : size_of_last)'\n"
        "      first_end:\n        value: 'size_of_first >= 0 ? parts + size_of_first : size_of_last >= "
        "0 ? last_end - size_of_last : last_end'\n");
}

static void put_instances(mst_ksy *k, const mst_record *record) {
    for (uint16_t i = 0; i < record->field_count; i++) {
        const mst_field *field = &record->fields[i];
        const char *limit = limit_of(k, record, i);
        mst_ksy_scope at = {record, i};
        char id[MST_KSY_ID];
        if (!mst_ksy_has(k, field))
            continue;
        mst_ksy_id(record, i, id);
        if (mst_ksy_unknown(k, &k->nothing, at, field, limit)) {
            mst_output_format(&k->out, "      has_%s_unparsed:\n        value: '", id);
            mst_ksy_unknown(k, &k->out, at, field, limit);
            mst_output_text(&k->out, "'\n");
        }
        bool block = record->archive && !(field->flags & MST_FIELD_OUTSIDE);
        if (block || mst_ksy_is_conditional(k, record, i)) {
            mst_output_format(&k->out, "      has_%s:\n        value: '", id);
            if (block)
                mst_output_format(&k->out, "archive_count > %u", i);
            else
                mst_ksy_conditions(k, &k->out, at, field, limit);
            mst_output_text(&k->out, "'\n");
        }
        if (field->bind)
            put_bound(k, record, i);
        mst_ksy_instances(k, at, field, id, limit);
    }
    if (last_size(k, record) >= 0)
        put_parts(k, record);
    if (record->archive)
        mst_output_text(&k->out, "      archive_start:\n        value: _io.pos\n");
}

static void put_field(mst_ksy *k, const mst_record *record, uint16_t index, const char *limit) {
    const mst_field *field = &record->fields[index];
    mst_ksy_scope at = {record, index};
    char id[MST_KSY_ID], condition[MST_KSY_ID + 16];
    mst_ksy_id(record, index, id);
    if (mst_ksy_unknown(k, &k->nothing, at, field, limit))
        mst_output_format(&k->out,
                          "      - id: %s_unparsed\n"
                          "        -unparsed: true\n"
                          "        size: '%s - _io.pos'\n"
                          "        if: has_%s_unparsed\n"
                          "        doc: This language cannot express whether other fields follow here.\n",
                          id, limit, id);
    snprintf(condition, sizeof condition, "has_%s", id);
    bool always =
        !mst_ksy_is_conditional(k, record, index) && (!record->archive || (field->flags & MST_FIELD_OUTSIDE));
    mst_ksy_attribute(k, at, field, id, always ? NULL : condition, limit);
}

static const char block_header[] = "      - id: archive_mark\n        -derived: true\n        size: 0\n"
                                   "        if: archive_start >= 0\n"
                                   "      - id: archive_count\n        -derived: true\n        type: u4\n"
                                   "      - id: archive_offsets\n        -derived: true\n        type: u4\n"
                                   "        repeat: expr\n        repeat-expr: archive_count + 1\n";

/* Bytes up to a block, or after the last one. */
static void put_gap(mst_ksy *k, const char *id, const char *index, const char *condition) {
    mst_output_format(&k->out,
                      "      - id: %s\n        -derived: true\n"
                      "        size: '(archive_start + archive_offsets[%s] < limit ? archive_start + "
                      "archive_offsets[%s] : limit) - _io.pos'\n        if: '%s and archive_start + "
                      "archive_offsets[%s] > _io.pos and limit > _io.pos'\n",
                      id, index, index, condition, index);
}

static void put_archive(mst_ksy *k, const mst_record *record) {
    bool ended = false;
    mst_output_text(&k->out, block_header);
    for (uint16_t i = 0; i <= record->field_count; i++) {
        bool inside = i < record->field_count && !(record->fields[i].flags & MST_FIELD_OUTSIDE);
        char id[MST_KSY_ID], gap[MST_KSY_ID + 8], number[16], condition[MST_KSY_ID + 8],
            limit[MST_KSY_ID * 2];
        if (!inside && !ended)
            put_gap(k, "archive_end_gap", "archive_count", "archive_count > 0");
        ended = ended || !inside;
        if (i == record->field_count || !mst_ksy_has(k, &record->fields[i]))
            continue;
        if (!inside) {
            put_field(k, record, i, "limit");
            continue;
        }
        mst_ksy_id(record, i, id);
        snprintf(gap, sizeof gap, "%s_gap", id);
        snprintf(number, sizeof number, "%u", i);
        snprintf(condition, sizeof condition, "has_%s", id);
        put_gap(k, gap, number, condition);
        snprintf(limit, sizeof limit,
                 "(archive_start + archive_offsets[%u] < limit ? archive_start + "
                 "archive_offsets[%u] : limit)",
                 i + 1u, i + 1u);
        put_field(k, record, i, limit);
    }
}

static void put_sequence(mst_ksy *k, const mst_record *record) {
    int last = last_size(k, record);
    mst_output_text(&k->out, "    seq:\n");
    if (record->archive) {
        put_archive(k, record);
        return;
    }
    for (uint16_t i = 0; i < record->field_count; i++) {
        if (mst_ksy_has(k, &record->fields[i]))
            put_field(k, record, i, limit_of(k, record, i));
        if (i == last)
            mst_output_text(&k->out, "      - id: parts_mark\n        -derived: true\n        size: 0\n"
                                     "        if: parts >= 0\n");
    }
}

/* ---- separate types ---------------------------------------------------------------------------------- */

/* The blocks of an archive, each with the bytes before it. */
static void put_blocks_types(mst_ksy *k, const char *name, const mst_field *field) {
    mst_output *out = &k->out;
    uint32_t needs = mst_ksy_needs(k, field);
    mst_ksy_scope at = {NULL, 0};
    mst_output_format(out, "  %s:\n    -inline: items\n    params:\n", name);
    mst_ksy_parameters(k, "      ", needs);
    mst_output_text(out, "    seq:\n");
    mst_output_text(out, block_header);
    mst_output_format(
        out,
        "      - id: items\n        type: '%s_item(_index, archive_start + archive_offsets[_index], "
        "(archive_start + archive_offsets[_index + 1] < limit ? archive_start + "
        "archive_offsets[_index + 1] : limit)",
        name);
    mst_ksy_arguments(k, out, at, needs);
    mst_output_text(out, ")'\n        repeat: expr\n        repeat-expr: archive_count\n");
    put_gap(k, "archive_end_gap", "archive_count", "archive_count > 0");
    mst_output_text(out, "    instances:\n      archive_start:\n        value: _io.pos\n");
    mst_output_format(out,
                      "  %s_item:\n    -inline: body\n    params:\n      - id: number\n        type: u4\n"
                      "      - id: start\n        type: u8\n",
                      name);
    mst_ksy_parameters(k, "      ", needs);
    mst_output_text(out,
                    "    seq:\n      - id: gap\n        -derived: true\n        size: 'start - _io.pos'\n"
                    "        if: start > _io.pos and limit >= start\n");
    mst_field body = *field;
    body.mode = MST_COUNT_ONE;
    body.flags = 0;
    memset(body.when, 0, sizeof body.when);
    mst_ksy_attribute(k, at, &body, "body", NULL, "limit");
}

/* One chunk: its header, and the content that its id selects. */
static void put_chunk_type(mst_ksy *k, const char *name, const mst_field *field) {
    mst_output *out = &k->out;
    const mst_chunks *chunks = field->chunks;
    uint32_t needs = mst_ksy_needs(k, field);
    mst_ksy_scope at = {NULL, 0};
    char id[MST_KSY_ID], condition[MST_KSY_ID + 8];
    mst_output_format(out, "  %s:\n    params:\n", name);
    mst_ksy_parameters(k, "      ", needs);
    mst_output_text(out, "    seq:\n      - id: chunk_mark\n        -derived: true\n        size: 0\n"
                         "        if: chunk_start >= 0\n      - id: chunk_header\n        -derived: true\n"
                         "        size: 8\n        if: not chunk_has_header\n");
    for (int i = 0; i < chunks->case_count; i++) {
        mst_ksy_name(chunks->cases[i].field.name, id);
        snprintf(condition, sizeof condition, "is_%s", id);
        mst_ksy_attribute(k, at, &chunks->cases[i].field, id, condition, "chunk_end");
        if (chunks->cases[i].field.flags & MST_FIELD_REPEATED)
            mst_output_text(out, "        -repeated: true\n");
    }
    mst_ksy_name(chunks->unknown->name, id);
    mst_ksy_attribute(k, at, chunks->unknown, id, "is_unknown_chunk", "chunk_end");
    mst_output_text(out, "        -repeated: true\n");
    mst_output_format(
        out,
        "      - id: chunk_padding\n        -derived: true\n        size: 'chunk_end - _io.pos'\n"
        "        if: chunk_end > _io.pos\n"
        "    instances:\n      chunk_start:\n        value: _io.pos\n      chunk_id:\n        pos: "
        "chunk_start\n        type: u4%s\n      chunk_length:\n        pos: chunk_start + 4\n        "
        "type: u4%s\n      chunk_end:\n        value: '",
        chunks->big ? "be" : "", chunks->big ? "be" : "");
    if (chunks->align)
        mst_output_format(
            out,
            "chunk_start + 8 + chunk_length + (%u - (chunk_start + 8 + chunk_length) %% %u) %% %u > "
            "limit ? limit : chunk_start + 8 + chunk_length + (%u - (chunk_start + 8 + "
            "chunk_length) %% %u) %% %u'\n",
            chunks->align, chunks->align, chunks->align, chunks->align, chunks->align, chunks->align);
    else
        mst_output_text(out, "chunk_start + 8 + chunk_length'\n");
    for (int i = 0; i < chunks->case_count; i++) {
        mst_ksy_name(chunks->cases[i].field.name, id);
        mst_output_format(out, "      is_%s:\n        value: '(chunk_id & %u) == %u", id,
                          ~chunks->cases[i].any, chunks->cases[i].id);
        mst_output_text(out, "'\n");
    }
    mst_output_text(out, "      is_unknown_chunk:\n        value: 'not (false");
    for (int i = 0; i < chunks->case_count; i++) {
        mst_ksy_name(chunks->cases[i].field.name, id);
        mst_output_format(out, " or is_%s", id);
    }
    mst_output_text(out, ")'\n      chunk_has_header:\n        value: 'is_unknown_chunk");
    for (int i = 0; i < chunks->case_count; i++)
        if (chunks->cases[i].field.flags & MST_FIELD_WITH_HEADER) {
            mst_ksy_name(chunks->cases[i].field.name, id);
            mst_output_format(out, " or is_%s", id);
        }
    mst_output_text(out, "'\n");
}

void mst_ksy_types(mst_ksy *k, const mst_record *record, const mst_field *field, const char *id) {
    char owner[MST_KSY_ID] = "", name[3 * MST_KSY_ID];
    if (record)
        mst_ksy_type(k, record, owner);
    snprintf(name, sizeof name, "%s_%s_%s", owner, id, field->chunks ? "chunk" : "blocks");
    if (field->chunks)
        put_chunk_type(k, name, field);
    else if (field->mode == MST_COUNT_ARCHIVE)
        put_blocks_types(k, name, field);
}

static void put_doc(mst_ksy *k, const char *margin, const char *doc) {
    if (!doc)
        return;
    mst_output_format(&k->out, "%sdoc: ", margin);
    mst_ksy_quoted(&k->out, doc);
    mst_output_text(&k->out, "\n");
}

static void put_record(mst_ksy *k, const mst_record *record) {
    char id[MST_KSY_ID];
    mst_ksy_type(k, record, id);
    mst_output_format(&k->out, "  %s:\n", id);
    put_doc(k, "    ", record->doc);
    if (record->is_inline) {
        mst_ksy_id(record, 0, id);
        mst_output_format(&k->out, "    -inline: %s\n", id);
    }
    mst_output_text(&k->out, "    params:\n");
    mst_ksy_parameters(k, "      ", k->needs[record->index]);
    put_sequence(k, record);
    mst_output_text(&k->out, "    instances:\n");
    put_instances(k, record);
    /* there must be at least one */
    mst_output_text(&k->out, "      type_end:\n        value: limit\n");
}

/* ---- the file ---------------------------------------------------------------------------------------- */

static void put_enums(mst_ksy *k) {
    const mst_enum *done[256];
    size_t count = 0;
    for (mst_fields it = mst_fields_of_format(k->format); mst_fields_next(&it);) {
        const mst_enum *names = it.field->names;
        bool known = false;
        char id[MST_KSY_ID];
        for (size_t i = 0; names && i < count; i++)
            known = known || done[i]->items == names->items;
        if (!names || known || count == MST_COUNT_OF(done) || !mst_ksy_enum(k, names, id))
            continue;
        mst_output_text(&k->out, count ? "" : "enums:\n");
        done[count++] = names;
        mst_output_format(&k->out, "  %s:\n", id);
        for (size_t i = 0; i < names->count; i++) {
            bool twice = false, again = false;
            mst_ksy_name(names->items[i].name, id);
            for (size_t j = 0; j < i; j++) {
                char other[MST_KSY_ID];
                mst_ksy_name(names->items[j].name, other);
                twice = twice || strcmp(other, id) == 0;
                again = again || names->items[j].value == names->items[i].value;
            }
            if (again)
                continue;
            mst_output_format(&k->out, "    %lld:\n      id: %s", (long long)names->items[i].value, id);
            mst_output_format(&k->out,
                              twice ? "_alt%u\n      -orig-id: " : "\n      -orig-id: ", (unsigned)i);
            mst_ksy_quoted(&k->out, names->items[i].name);
            mst_output_text(&k->out, "\n");
        }
    }
}

/* Parameters that the file does not contain, or contains elsewhere. */
static void put_variant(mst_ksy *k) {
    mst_output *out = &k->out;
    const mst_format *format = k->format;
    uint32_t offset;
    bool version = format->identity.version_known && !mst_ksy_version(k, &offset);
    if (!version && !MST_OPTION(format->conversion, either_order) && format->identity.layout_count < 2)
        return;
    mst_output_text(out, "params:\n");
    if (version)
        mst_output_text(out, "  - id: format_version\n"
                             "    type: u4\n"
                             "    doc: \"The file's version of the format, as shown by 'mapstone info'.\"\n");
    if (MST_OPTION(format->conversion, either_order))
        mst_output_text(
            out,
            "  - id: big_endian\n"
            "    type: bool\n"
            "    doc: \"Whether the file is big-endian: $byte_order in the output of 'mapstone dump'.\"\n");
    if (format->identity.layout_count < 2)
        return;
    mst_output_text(out, "  - id: format_layout\n"
                         "    type: u4\n"
                         "    doc: \"The structure of the file: $layout in the output of 'mapstone dump' "
                         "(without it the first one):");
    for (size_t i = 0; i < format->identity.layout_count; i++)
        mst_output_format(out, "%s %u %s", i ? "," : "", (unsigned)i, format->identity.layouts[i]);
    mst_output_text(out, ".\"\n");
}

static void put_meta(mst_ksy *k) {
    mst_output *out = &k->out;
    char id[MST_KSY_ID];
    const mst_format_information *information = &k->format->information;
    mst_ksy_name(information->id, id);
    mst_output_format(out, "meta:\n  id: %s\n  title: ", id);
    mst_ksy_quoted(out, information->title);
    mst_output_text(out, "\n  license: MIT\n  ks-version: 0.9\n  bit-endian: le\n  endian:");
    if (MST_OPTION(k->format->conversion, either_order))
        mst_output_text(out, "\n    switch-on: big_endian\n    cases:\n      true: be\n      false: le\n");
    else
        mst_output_text(out, k->format->identity.big ? " be\n" : " le\n");
}

/* The version and the byte order, unless they are parameters. */
static void put_variant_instances(mst_ksy *k) {
    mst_output *out = &k->out;
    uint32_t offset;
    const mst_field *version = mst_ksy_version(k, &offset);
    mst_output_text(out, "instances:\n");
    if (version)
        mst_output_format(out, "  format_version:\n    pos: %u\n    type: u%u\n", offset,
                          mst_kind_width[version->kind]);
    else if (!k->format->identity.version_known)
        mst_output_format(out, "  format_version:\n    value: %u\n", k->format->identity.version);
    if (!MST_OPTION(k->format->conversion, either_order))
        mst_output_format(out, "  big_endian:\n    value: %s\n", k->format->identity.big ? "true" : "false");
}

/* The tables do not describe the file itself: it is packed, or two files. */
static void put_parsed(mst_ksy *k) {
    mst_output *out = &k->out;
    mst_output_text(out, "doc: |\n"
                         "  This description cannot parse the file: it is packed, its parts are located by "
                         "an algorithm, or it belongs\n"
                         "  to a group of files. 'mapstone dump' reads it. The unparsed bytes:\n");
    mst_output_text(out, "seq:\n  - id: content\n    size-eos: true\n");
}

mst_status mst_write_ksy(const mst_format_information *information, mst_sink sink) {
    const mst_format *format = mst_format_of(information);
    if (!format || !sink.write)
        return MST_ARGUMENT;
    mst_ksy k;
    mst_status status = mst_ksy_start(&k, format, sink);
    if (status != MST_OK)
        return status;
    put_meta(&k);
    if (format->files.count) {
        put_parsed(&k);
        return mst_output_end(&k.out);
    }
    char root[MST_KSY_ID];
    mst_ksy_type(&k, format->tables.root, root);
    put_doc(&k, "", format->tables.introduction);
    put_variant(&k);
    mst_output_format(&k.out, "-inline: file\nseq:\n  - id: file\n    type: %s(_io.size", root);
    for (unsigned i = 0; i < MST_VARIABLES; i++)
        mst_output_text(&k.out, k.needs[format->tables.root->index] >> i & 1 ? ", 0" : "");
    mst_output_text(&k.out, ")\n");
    put_variant_instances(&k);
    mst_output_text(&k.out, "types:\n");
    for (size_t i = 0; i < format->tables.record_count; i++) {
        const mst_record *record = format->tables.records[i];
        put_record(&k, record);
        for (uint16_t f = 0; f < record->field_count; f++) {
            char id[MST_KSY_ID];
            mst_ksy_id(record, f, id);
            if (mst_ksy_has(&k, &record->fields[f]))
                mst_ksy_types(&k, record, &record->fields[f], id);
        }
    }
    mst_output_text(&k.out, format->tables.expression_types ? format->tables.expression_types : "");
    put_enums(&k);
    return mst_output_end(&k.out);
}
