/* SPDX-License-Identifier: MIT */
/*
 * Materials (.material): text, parsed into named values and everything between them. Usual formatting is not
 * stored: a value without anything unusual around it is written as ` = "value"` and a line end.
 */
#include "../../check/finding.h"
#include "../../core/text.h"
#include "../../files/parsed.h"
#include "../../tables/words.h"
#include "../present.h"
#include "spark.h"
#include "spark_material_text.h"
#include <stdio.h>

#define RECORDS(X) X(material) X(named_value)
enum { RECORDS(RECORD_INDEX) };

#define TEXT .kind = MST_KIND_CHAR8, MST_PREFIXED

static const mst_enum_name form_names[] = {{MST_MATERIAL_PAIRS, "pairs"}, {MST_MATERIAL_XML, "xml"}};

static const mst_field named_value_fields[] = {
    {.name = "name", TEXT, .doc = "Name of the value, in any case; the lists above give its meaning."},
    {.name = "between",
     TEXT,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "The text between the name and the value, with the equals sign and the quote. Empty if the text "
            "around the value is the usual one: an equals sign between blanks, quotes around a value that is "
            "neither a number nor a list, and a line end."},
    {.name = "value",
     TEXT,
     .doc =
         "The value without quotes: a path below the game's root, a word, a number, or numbers in brackets."},
    {.name = "after",
     TEXT,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "The text up to the next name, with the closing quote: line ends, comments, unreadable text."},
};
RECORD(named_value, "value", "a value and the text around it");

static const mst_field material_fields[] = {
    {.name = "form",
     U8,
     NAMES(form_names),
     .flags = MST_FIELD_DEFAULT,
     .doc =
         "Not stored: pairs of a name and a value, or (in files of 2010) XML, where the name is the type of "
         "an element and the value its value.",
     .rule = {.kind = MST_RULE_NAMED, .code = "SPARK-MATERIAL-SYNTAX"}},
    {.name = "before",
     TEXT,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "The text before the first name: a byte order mark, comments, empty lines, unreadable text."},
    {.name = "values", LIST(named_value), .doc = "The values in the order of the text."},
    {.name = "without_line_end",
     U8,
     .flags = MST_FIELD_BOOL | MST_FIELD_DEFAULT,
     .doc = "Not stored: the last line, with a value in the usual way, has no line end."},
};
RECORD(material, "material", "how a surface looks: a shader and its inputs");
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};

static const mst_code_information codes[] = {
    {"SPARK-MATERIAL-SYNTAX", MST_WARNING,
     "the text is neither a value with a name nor a comment, and is skipped"},
    {"SPARK-MATERIAL-STRING-OPEN", MST_WARNING,
     "the closing quote of the value is missing: the value ends at the end of the line"},
    {"SPARK-MATERIAL-BARE", MST_WARNING,
     "the value is neither quoted nor a number nor a list of numbers: put it in quotes"},
    {"SPARK-MATERIAL-DUPLICATE", MST_WARNING,
     "another value has that name: remove one, as it is not known which one the game uses"},
    {"SPARK-MATERIAL-NO-SHADER", MST_WARNING,
     "no shader is named, so the look of the surface is undefined: add a line shader = "
     "\"....surface_shader\""},
    {"SPARK-MATERIAL-SHADER", MST_WARNING,
     "the shader is not a .surface_shader, unlike the shaders of the game"},
    {"SPARK-MATERIAL-MAP", MST_WARNING,
     "the map is not a .dds, unlike the textures of the game: convert the picture, and name the .dds"},
    {"SPARK-MATERIAL-BACKSLASH", MST_WARNING,
     "the path has backslashes: write slashes, as the game's own files do"},
    {"SPARK-MATERIAL-XML", MST_WARNING,
     "the material is XML, as used in 2010; later materials are lines of name = value"},
    MST_SPARK_ASSET_CODES,
};

/* ---- parsing ------------------------------------------------------------------------------------- */

/* Whether the text around a value is the usual one, which is not stored. `open`: without the last line
 * end. */
static bool is_usual(const mst_material_text *text, const mst_material_value *v, size_t after_end,
                     bool open) {
    char between[4], after[2];
    size_t between_size, after_size;
    if (text->form != MST_MATERIAL_PAIRS || (v->name > text->mark && text->bytes[v->name - 1] != '\n'))
        return false;
    mst_material_usual(text->bytes + v->value, v->value_size, between, &between_size, after, &after_size);
    return v->value - v->name - v->name_size == between_size &&
           memcmp(text->bytes + v->name + v->name_size, between, between_size) == 0 &&
           after_end - v->value - v->value_size + open == after_size &&
           memcmp(text->bytes + v->value + v->value_size, after, after_size - open) == 0;
}

/* Returns whether the last line end is missing. */
static bool put_value(mst_parsed_writer *w, const mst_material_text *text, const mst_material_value *v,
                      size_t after_end) {
    const uint8_t *bytes = (const uint8_t *)text->bytes;
    size_t between = v->name + v->name_size, after = v->value + v->value_size;
    bool open = after_end == text->size && is_usual(text, v, after_end, true);
    bool usual = open || is_usual(text, v, after_end, false);
    mst_parsed_counted(w, bytes + v->name, v->name_size);
    if (usual) {
        mst_parsed_note(w, "between", MST_BYTES_DERIVED, bytes + between, v->value - between);
        mst_parsed_number(w, 0, 4);
    } else {
        mst_parsed_counted(w, bytes + between, v->value - between);
    }
    mst_parsed_counted(w, bytes + v->value, v->value_size);
    if (usual) {
        mst_parsed_note(w, "after", MST_BYTES_DERIVED, bytes + after, after_end - after);
        mst_parsed_number(w, 0, 4);
    } else {
        mst_parsed_counted(w, bytes + after, after_end - after);
    }
    return open;
}

static mst_status parse(const mst_format *format, const mst_file_view *files, mst_parsed_writer *w,
                        mst_diagnostic *diagnostic) {
    mst_material_text text = mst_material_begin(files[0].data, files[0].size);
    mst_material_value v, next;
    (void)format;
    bool more = mst_material_next(&text, &v), open = false;
    mst_parsed_number(w, (uint32_t)text.form, 1);
    mst_parsed_counted(w, files[0].data, more ? v.name : text.size);
    size_t at = mst_parsed_begin(w);
    uint32_t count = 0;
    for (; more && w->status == MST_OK; v = next, count++) {
        more = mst_material_next(&text, &next);
        open = put_value(w, &text, &v, more ? next.name : text.size);
    }
    mst_parsed_number(w, open, 1);
    if (w->status != MST_OK)
        return mst_fail(diagnostic, w->status, "not enough memory for the material");
    mst_store32(w->to->data + at, count, true);
    return MST_OK;
}

/* ---- serializing ---------------------------------------------------------------------------------- */

typedef struct piece {
    const char *text;
    uint32_t size;
} piece;

static piece read_piece(mst_parsed_reader *parsed) {
    piece p;
    p.text = (const char *)mst_parsed_read_counted(parsed, &p.size);
    if (!p.text)
        p.text = "";
    return p;
}

/* The fault of a value to be written; NULL: none. */
static const char *wrong_with(mst_material_form form, piece name, piece between, piece value, piece after) {
    if (!mst_material_is_name(form, name.text, name.size))
        return "the name is not one of letters, digits and underscores";
    if (!between.size && form == MST_MATERIAL_XML)
        return "the text between name and value is missing, which XML needs";
    if (!between.size && after.size)
        return "there is text after the value, but none between it and the name";
    if (between.size && !mst_material_is_between(form, between.text, between.size))
        return "the text between name and value is not an equals sign";
    bool quoted = between.size && between.text[between.size - 1] == '"';
    char usual[4], end[2];
    size_t usual_size, end_size;
    if (!between.size) {
        mst_material_usual(value.text, value.size, usual, &usual_size, end, &end_size);
        quoted = end_size == 2;
    }
    if (!mst_material_is_value(quoted, value.text, value.size))
        return quoted ? "the value has a quote or a line end" : "the value needs quotes";
    return NULL;
}

/* Returns whether the text ends with a line end that may be omitted. */
static bool write_value(mst_parsed_writer *w, piece name, piece between, piece value, piece after) {
    char usual[4], end[2];
    size_t usual_size, end_size;
    size_t mark = mst_byte_order_mark(w->to->data, w->to->size);
    bool line = w->to->size == mark || w->to->data[w->to->size - 1] == '\n';
    if (!between.size && !line)
        mst_parsed_put(w, "\n", 1);
    mst_parsed_put(w, name.text, name.size);
    mst_material_usual(value.text, value.size, usual, &usual_size, end, &end_size);
    mst_parsed_put(w, between.size ? between.text : usual, between.size ? between.size : usual_size);
    mst_parsed_put(w, value.text, value.size);
    mst_parsed_put(w, between.size ? after.text : end, between.size ? after.size : end_size);
    return !between.size;
}

static mst_status serialize(const mst_format *format, const uint8_t *bytes, size_t size, mst_buffer *files,
                            mst_diagnostic *diagnostic) {
    mst_parsed_reader parsed = {.data = bytes, .size = size};
    mst_parsed_writer w = {.to = &files[0], .limit = UINT64_MAX};
    (void)format;
    mst_material_form form = mst_parsed_read(&parsed, 1) ? MST_MATERIAL_XML : MST_MATERIAL_PAIRS;
    piece before = read_piece(&parsed);
    uint32_t count = mst_parsed_read(&parsed, 4);
    bool usual = false;
    mst_parsed_put(&w, before.text, before.size);
    for (uint32_t i = 0; i < count && w.status == MST_OK; i++) {
        piece name = read_piece(&parsed), between = read_piece(&parsed), value = read_piece(&parsed);
        piece after = read_piece(&parsed);
        const char *wrong = wrong_with(form, name, between, value, after);
        if (wrong) {
            mst_fail(diagnostic, MST_REFUSED, "%s", wrong);
            if (diagnostic)
                MST_SET(diagnostic->path, "values[%u]", i);
            return MST_REFUSED;
        }
        usual = write_value(&w, name, between, value, after);
    }
    if (mst_parsed_read(&parsed, 1) && usual && w.status == MST_OK)
        w.to->size--;
    if (w.status != MST_OK)
        return mst_fail(diagnostic, w.status, "not enough memory for the material");
    mst_material_text text = mst_material_begin(files[0].data, files[0].size);
    return text.form == form ? MST_OK
                             : mst_fail(diagnostic, MST_REFUSED, "the text would be of the other form");
}

/* ---- identifying ---------------------------------------------------------------------------------- */

static bool probe(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                  mst_variant *variant) {
    (void)file_size, (void)variant;
    if (name && mst_text_ends_in(name, strlen(name), ".material"))
        return true;
    mst_material_text text = mst_material_begin(bytes, size);
    mst_material_value v;
    static const char element[] = "<material>";
    if (text.form == MST_MATERIAL_XML)
        return size - text.at >= sizeof element - 1 &&
               memcmp(bytes + text.at, element, sizeof element - 1) == 0;
    return mst_material_next(&text, &v) &&
           mst_material_is_called(text.bytes + v.name, v.name_size, "shader") &&
           mst_text_ends_in(text.bytes + v.value, v.value_size, ".surface_shader");
}

/* ---- checking ------------------------------------------------------------------------------------- */

static piece text_in(const mst_value *record, const char *name) {
    mst_value member = mst_member_in(record, name);
    const void *bytes = "";
    size_t size = 0;
    mst_get_bytes(&member, &bytes, &size);
    return (piece){bytes, (uint32_t)size};
}

/* Reports anything in a text other than blanks and comments. */
static mst_status check_text(mst_checker *checker, const mst_value *record, const char *name, size_t from,
                             const char *path) {
    piece text = text_in(record, name);
    size_t at = mst_material_skip(text.text, text.size, from), length = at;
    if (at >= text.size)
        return MST_OK;
    while (length < text.size && text.text[length] != '\n' && text.text[length] != '\r')
        length++;
    mst_value member = mst_member_in(record, name);
    mst_diagnostic *finding = mst_finding_of(checker, &member, "%s", path);
    if (finding->offset != MST_NO_OFFSET)
        finding->offset += 4 + at; /* after the length */
    finding->length = length - at;
    char found[64];
    size_t shown = mst_utf8_valid(text.text + at, length - at)
                       ? mst_utf8_cut(text.text + at, length - at, sizeof found - 1)
                       : 0;
    memcpy(found, text.text + at, shown);
    found[shown] = 0;
    return mst_report(checker, "SPARK-MATERIAL-SYNTAX", NULL, "%s", shown ? found : "other bytes");
}

/* Whether a value of this name is the path of a map. */
static bool names_map(piece name) {
    size_t length = name.size;
    while (length && name.text[length - 1] >= '0' && name.text[length - 1] <= '9')
        length--; /* emissiveMap1 */
    static const char *const ends[] = {"map", "mapteam"};
    for (size_t i = 0; i < MST_COUNT_OF(ends); i++)
        if (mst_text_ends_in(name.text, length, ends[i]))
            return true;
    return false;
}

/* `problem` NULL: none. */
static mst_status report_value(mst_checker *checker, const mst_value *record, uint64_t index,
                               const char *problem) {
    if (!problem)
        return MST_OK;
    mst_value member = mst_member_in(record, "value");
    mst_finding_of(checker, &member, "values[%llu].value", (unsigned long long)index);
    return mst_checker_report(checker, problem);
}

/* Reports a value that is not the path of a map: %inherit (the map of the material below an effect), or an
 * older form of *name. */
static mst_status report_map(mst_checker *checker, const mst_value *record, uint64_t index, piece value) {
    mst_value member = mst_member_in(record, "value");
    bool dynamic = value.size && (value.text[0] == '%' || mst_text_ends_in(value.text, value.size, ".lua"));
    mst_diagnostic *finding =
        mst_finding_of(checker, &member, "values[%llu].value", (unsigned long long)index);
    if (dynamic)
        MST_SET(finding->message,
                "the map is not a file: it is the map of the material below, or drawn by a script");
    MST_SET(finding->expected, "a path that ends in .dds");
    MST_SET(finding->found, "\"%.*s\"", (int)(value.size < 60 ? value.size : 60), value.text);
    return dynamic ? mst_checker_inform(checker, "SPARK-MATERIAL-MAP")
                   : mst_checker_report(checker, "SPARK-MATERIAL-MAP");
}

static mst_status check_value(mst_checker *checker, const mst_value *record, uint64_t index) {
    piece name = text_in(record, "name"), between = text_in(record, "between");
    piece value = text_in(record, "value"), after = text_in(record, "after");
    char path[48];
    bool plain = mst_material_is_plain(value.text, value.size);
    bool quoted = between.size ? between.text[between.size - 1] == '"' : !plain, open = false;
    snprintf(path, sizeof path, "values[%llu].after", (unsigned long long)index);
    if (between.size && quoted)
        open = !after.size || after.text[0] != '"';
    bool shader = mst_material_is_called(name.text, name.size, "shader") &&
                  !mst_text_ends_in(value.text, value.size, ".surface_shader");
    bool map = quoted && names_map(name) && (!value.size || value.text[0] != '*') &&
               !mst_text_ends_in(value.text, value.size, ".dds");
    const char *const problems[] = {
        open ? "SPARK-MATERIAL-STRING-OPEN" : NULL,
        !quoted && !plain ? "SPARK-MATERIAL-BARE" : NULL,
        quoted && memchr(value.text, '\\', value.size) ? "SPARK-MATERIAL-BACKSLASH" : NULL,
        shader ? "SPARK-MATERIAL-SHADER" : NULL,
    };
    for (size_t i = 0; i < MST_COUNT_OF(problems); i++) {
        mst_status status = report_value(checker, record, index, problems[i]);
        if (status != MST_OK)
            return status;
    }
    mst_status status = map ? report_map(checker, record, index, value) : MST_OK;
    if (status != MST_OK)
        return status;
    return between.size ? check_text(checker, record, "after", quoted && !open, path) : MST_OK;
}

/* Whether an earlier value has the same name; compares it with all values before it. */
static bool is_again(const mst_value *values, uint64_t index, piece name) {
    mst_value record;
    uint64_t i = 0;
    for (mst_iterator it = mst_iterate(values); i < index && mst_next(&it, &record); i++) {
        piece other = text_in(&record, "name");
        if (other.size == name.size && mst_same_letters(other.text, name.text, name.size))
            return true;
    }
    return false;
}

/* Materials have a dozen values; beyond that many, names are not compared. */
#define COMPARED 1000

static mst_status check(mst_checker *checker) {
    mst_value root = mst_root(checker->document), values = mst_member_in(&root, "values"), record;
    bool xml = mst_number_in(&root, "form") == MST_MATERIAL_XML, shader = false;
    if (xml) {
        mst_finding(checker, MST_NO_OFFSET, 0);
        mst_status xml_status = mst_checker_report(checker, "SPARK-MATERIAL-XML");
        return xml_status == MST_OK ? mst_spark_check_assets(checker) : xml_status;
    }
    piece before = text_in(&root, "before");
    mst_status status =
        check_text(checker, &root, "before", mst_byte_order_mark(before.text, before.size), "before");
    uint64_t index = 0;
    for (mst_iterator it = mst_iterate(&values); status == MST_OK && mst_next(&it, &record); index++) {
        piece name = text_in(&record, "name");
        shader = shader || mst_material_is_called(name.text, name.size, "shader");
        status = check_value(checker, &record, index);
        if (status == MST_OK && index < COMPARED && is_again(&values, index, name)) {
            mst_value member = mst_member_in(&record, "name");
            mst_finding_of(checker, &member, "values[%llu].name", (unsigned long long)index);
            status = mst_checker_report(checker, "SPARK-MATERIAL-DUPLICATE");
        }
    }
    if (status == MST_OK && !shader) {
        mst_finding_of(checker, &values, "values");
        status = mst_checker_report(checker, "SPARK-MATERIAL-NO-SHADER");
    }
    return status == MST_OK ? mst_spark_check_assets(checker) : status;
}

const mst_format mst_format_spark_material = {
    .information = {.id = "spark-material",
                    .title = "Natural Selection 2 material",
                    .extensions = ".material",
                    .media_type = "text/plain",
                    .versions = "",
                    .rows = "values"},
    .tables.root = &material,
    .tables.records = records,
    .tables.record_count = MST_COUNT_OF(records),
    .identity.big = true,
    .identity.probe = probe,
    .editing =
        &(const mst_edit_hooks){.one_by_one = true}, /* the meaning of a text depends on the text around it */
    .files.count = 1,
    .files.parse = parse,
    .files.serialize = serialize,
    .content.names = mst_spark_material_names,
    .build_scene = mst_spark_material_scene,
    .check.problem_codes = {"SPARK-MATERIAL-SYNTAX", "SPARK-MATERIAL-SYNTAX", "SPARK-MATERIAL-SYNTAX",
                            "SPARK-MATERIAL-SYNTAX", "SPARK-MATERIAL-SYNTAX", "SPARK-MATERIAL-SYNTAX"},
    .check.codes = &(const mst_codes)MST_CODES(codes),
    .check.check = check,
    .tables.introduction =
        "A material of Natural Selection 2: text of lines `name = value`. A value is a string in quotes, a "
        "number, or numbers in\n"
        "brackets; names are not case-sensitive. Three files of 2010 are XML.\n\n"
        "All bytes are kept; an edit changes only the value: `mapstone set a.material "
        "'values[name=albedoMap].value=new.dds'`.\n"
        "The text between values can also be edited, as long as the value can still be read.\n\n"
        "| name | value |\n"
        "|---|---|\n"
        "| `shader` | path of a `.surface_shader`, which determines the meaning of the other values |\n"
        "| `albedoMap` | colour. Its alpha is not opacity: with shaders for levels it is the strength of the "
        "shine, else it is not used |\n"
        "| `normalMap` | x, y, z in red, green, blue; green points down the texture |\n"
        "| `specularMap` | colour of the shine; its sharpness in alpha |\n"
        "| `emissiveMap` | emitted light, which is added |\n"
        "| `opacityMap` | opacity in red |\n"
        "| `surface` | the sound of footsteps and shots: metal, organic, thin_metal, glass, rock, electric, "
        "nanoshield, water |\n"
        "| `modelColor...`, `numColumns`, `numRows`, `colorMapIndex` | coloured skins of mods |\n"
        "| `...MapTeam1`, `...MapTeam2` | a map for each team |\n"
        "| `scale1`, `speed1`, `tint`, `transmissionColor`, `emissiveIntensity`, ... | inputs of single "
        "shaders |\n\n"
        "In XML, `texture`, `bump`, `specular`, `opacity` and `emissive` are the five maps.\n\n"
        "Paths are below the game's root, compared without case. `*name` is a picture that a script draws, "
        "`%inherit` the map of the\n"
        "material below an effect. It is not known which of two values with the same name the game uses.\n",
    .tables.in_files = {"## In the file\n\n"
                        "Bytes of ASCII; a line ends with LF, CR or both. Blanks and tabs separate. A byte "
                        "order mark of UTF-8 before\n"
                        "the first line is kept and skipped.\n\n"
                        "| part | form |\n"
                        "|---|---|\n"
                        "| comment | `//` up to the end of its line, also right after a value; `/*` up to "
                        "`*/`, over any number of lines |\n"
                        "| pair | name, `=`, value, all in one line. One pair may follow another there |\n"
                        "| name | letters, digits and underscores; does not begin with a digit |\n"
                        "| string | `\"` up to the next `\"`, or, if that is missing, up to the end of the "
                        "line. Nothing is escaped; `//` is a part of it |\n"
                        "| number | digits with or without a `-` before them and a `.` in, before or after "
                        "them: `-1`, `.2`; no exponent |\n"
                        "| list | `[` numbers with commas between them `]` |\n\n"
                        "Other words are read as a value up to the next blank, quote or comment. Text that "
                        "is not a pair is skipped up to the end\n"
                        "of its line. If the first character is `<`, the file is XML: then every "
                        "`type=\"name\" value=\"value\"` is\n"
                        "a pair, with the attributes in this order and in double quotes, at any place; "
                        "entities are not replaced.\n"},
    .tables.sources =
        "- Measurements on 535 materials and 199 shaders of 31 public mods, and the game's wiki.\n",
};
