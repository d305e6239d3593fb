/* SPDX-License-Identifier: MIT */
/* Marks that identify formats, for file(1). */
#include "../core/text.h"
#include "reference.h"

/* In the syntax of magic(5): all but plain letters and digits in octal. */
static void put_mark(mst_output *out, const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        bool plain =
            (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
        mst_output_format(out, plain ? "%c" : "\\%03o", byte);
    }
}

/* The first field of constant bytes; NULL if there is none. */
static const mst_field *first_mark(const mst_format *format, unsigned *marks) {
    const mst_record *root = format->tables.root;
    const mst_field *first = NULL;
    uint32_t offset;
    *marks = 0;
    /* parsed bytes are not bytes of the file */
    for (uint16_t i = 0; i < root->field_count && !format->files.count; i++)
        if (root->fields[i].constant && mst_reference_fixed(format, root, i, &offset)) {
            first = first ? first : &root->fields[i];
            ++*marks;
        }
    return first;
}

/* Whether other formats begin with the only mark that the format has: then it identifies nothing. */
static bool is_common(const mst_format *format) {
    unsigned marks, others;
    const mst_field *mark = first_mark(format, &marks);
    for (size_t i = 0; marks == 1 && i < mst_format_count(); i++) {
        const mst_format *one = mst_format_of(mst_format_at(i));
        const mst_field *other = one == format ? NULL : first_mark(one, &others);
        if (other && other->count == mark->count && memcmp(other->constant, mark->constant, mark->count) == 0)
            return true;
    }
    return false;
}

mst_status mst_write_magic(const mst_format_information *information, mst_sink sink) {
    const mst_format *format = mst_format_of(information);
    if (!format || !sink.write)
        return MST_ARGUMENT;
    mst_output out;
    mst_output_begin(&out, sink);
    const mst_record *root = format->tables.root;
    unsigned marks = 0;
    /* each mark is only tested if the one before it matches */
    for (uint16_t i = 0; i < root->field_count && !format->files.count && !is_common(format); i++) {
        uint32_t offset;
        if (!root->fields[i].constant || !mst_reference_fixed(format, root, i, &offset))
            continue;
        mst_output_text(&out, marks ? "\n" : "");
        for (unsigned level = 0; level < marks; level++)
            mst_output_text(&out, ">");
        mst_output_format(&out, "%u\tstring\t", offset);
        put_mark(&out, root->fields[i].constant, root->fields[i].count);
        marks++;
    }
    if (marks)
        mst_output_format(&out, "\t%s\n", information->title);
    if (marks && *information->media_type)
        mst_output_format(&out, "!:mime\t%s\n", information->media_type);
    mst_status status = mst_output_end(&out);
    return status == MST_OK && !marks ? MST_UNSUPPORTED : status;
}
