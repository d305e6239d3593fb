/* SPDX-License-Identifier: MIT */
/* The classes of entities as an FGD file, which describes the properties of entities to editors for Quake's
 * maps. */
#include "../../core/diagnose.h"
#include "../../core/output.h"
#include "class_defaults.h"
#include <mapstone/export.h>

static bool is_text(const char *a, size_t length, const char *b) {
    return strlen(b) == length && memcmp(a, b, length) == 0;
}

static bool is_type(const mst_ns2_class_property *p, const char *type) {
    return is_text(p->type, p->type_length, type);
}

/* Whether it is a list of numbers, which editors treat as a text. */
static bool is_vector(const mst_ns2_class_property *p) {
    return p->value && *p->value != '"' && memchr(p->value, ',', p->value_length);
}

static const char *type_of(const mst_ns2_class_property *p) {
    if (is_type(p, "color"))
        return "color1";
    if (is_vector(p) || is_type(p, "string") || is_type(p, "file_name"))
        return "string";
    if (is_type(p, "bool"))
        return "choices";
    return is_type(p, "integer") || is_type(p, "choice") ? "integer" : "float";
}

static const char *unit_of(const mst_ns2_class_property *p) {
    return is_type(p, "distance") ? ", m" : is_type(p, "angle") ? ", rad" : "";
}

/* The value without the quotes and commas of JSON. */
static void put_value(mst_output *out, const mst_ns2_class_property *p) {
    const char *value = p->value;
    size_t length = p->value_length;
    if (!value || is_text(value, length, "?") || is_text(value, length, "false")) {
        mst_output_text(out, is_type(p, "string") || is_type(p, "file_name") ? "" : "0");
        return;
    }
    if (is_text(value, length, "true")) {
        mst_output_text(out, "1");
        return;
    }
    for (size_t i = 0; i < length; i++)
        if (value[i] != '"')
            mst_output_bytes(out, value[i] == ',' ? " " : &value[i], 1);
}

static void put_property(mst_output *out, const mst_ns2_class_property *p) {
    mst_output_format(out, "\t%.*s(%s) : \"%.*s%s\" : ", (int)p->length, p->name, type_of(p), (int)p->length,
                      p->name, unit_of(p));
    const bool choice = is_type(p, "bool");
    mst_output_text(out, choice ? "" : "\"");
    put_value(out, p);
    mst_output_text(out, choice ? " = [ 0 : \"no\" 1 : \"yes\" ]\n" : "\"\n");
}

static void put_class(mst_output *out, const char *row) {
    const size_t length = strcspn(row, " ");
    mst_ns2_class_property one;
    mst_output_format(out, "@PointClass size(-8 -8 -8, 8 8 8) = %.*s : \"%.*s\"\n[\n", (int)length, row,
                      (int)length, row);
    for (const char *at = row + length + 1; *at;) {
        at = mst_ns2_class_property_read(at, &one);
        if (!is_text(one.name, one.length, "origin") && !is_text(one.name, one.length, "angles"))
            put_property(out, &one);
    }
    mst_output_text(out, "]\n");
}

mst_status mst_write_fgd(const char *format, mst_sink sink, mst_diagnostic *diagnostic) {
    mst_output out;
    const char *row;
    if (!format || !sink.write)
        return mst_fail(diagnostic, MST_ARGUMENT, "a format and a sink are needed");
    if (strcmp(format, mst_format_ns2_level.information.id) != 0)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "the classes of this format are not known");
    mst_output_begin(&out, sink);
    mst_output_text(
        &out, "// Classes of entities in levels of Natural Selection 2, with the values that most have\n"
              "@SolidClass = worldspawn : \"the level\" []\n"
              "@SolidClass = func_group : \"a layer\" []\n");
    for (size_t i = 0; (row = mst_ns2_class_at(i)) != NULL; i++)
        put_class(&out, row);
    const mst_status status = mst_output_end(&out);
    return status == MST_OK ? MST_OK : mst_fail(diagnostic, status, "the file could not be written");
}
