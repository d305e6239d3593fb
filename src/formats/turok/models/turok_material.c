/* SPDX-License-Identifier: MIT */
/*
 * Materials (.kmat): text, parsed into words with their values and blocks. The text between them is kept
 * where it is not the usual blank or line break.
 */
#include "../../../core/number.h"
#include "../../../core/text.h"
#include "../../../files/parsed.h"
#include "../../../tables/words.h"
#include "models.h"
#include "turok_material_text.h"
#include <string.h>

enum { R_SPACE = 1, R_OPEN, R_CLOSE, R_BLOCK };
enum { SPACE_USUAL = 0, SPACE_NONE, SPACE_OTHER };

#define RECORDS(X) X(materials) X(item) X(item_value)
enum { RECORDS(RECORD_INDEX) };

#define TEXT .kind = MST_KIND_CHAR8, MST_PREFIXED
static const mst_enum_name space_names[] = {
    {SPACE_USUAL, "usual"}, {SPACE_NONE, "none"}, {SPACE_OTHER, "other"}};
#define SPACE(name_, variable_, what_, ...)                                                                  \
    {                                                                                                        \
        .name = (name_), U8, NAMES(space_names), BIND(variable_), .flags = MST_FIELD_DEFAULT,                \
        IF(__VA_ARGS__),                                                                                     \
        .doc = "Not stored: whether the text before the " what_                                              \
               " is the usual blank or line break, empty, or in the next field.",                            \
        .rule = {                                                                                            \
            .kind = MST_RULE_NAMED,                                                                          \
            .code = "KMAT-SYNTAX"                                                                            \
        }                                                                                                    \
    }

static const mst_field item_value_fields[] = {
    SPACE("space", R_SPACE, "value", {0}),
    {.name = "before", TEXT, IF(IS(R_SPACE, SPACE_OTHER)), .doc = "Blanks and comments before the value."},
    {.name = "quoted",
     U8,
     .flags = MST_FIELD_DEFAULT | MST_FIELD_BOOL,
     .doc = "Not stored: whether the value is in quotes.",
     .rule = {.kind = MST_RULE_BOOL, .code = "KMAT-SYNTAX"}},
    {.name = "text", TEXT, .doc = "The value, without its quotes."},
};
RECORD(item_value, "value", "a value of a word");

static const mst_record item;
static const mst_field item_fields[] = {
    SPACE("space", R_SPACE, "word", {0}),
    {.name = "before", TEXT, IF(IS(R_SPACE, SPACE_OTHER)), .doc = "Blanks and comments before the word."},
    {.name = "word", TEXT, .doc = "The name of the setting, see the table above."},
    {.name = "values", LIST(item_value), .flags = MST_FIELD_OMIT_EMPTY, .doc = "Its values."},
    {.name = "block",
     U8,
     BIND(R_BLOCK),
     .flags = MST_FIELD_DEFAULT | MST_FIELD_BOOL,
     .doc = "Not stored: whether a block in braces follows.",
     .rule = {.kind = MST_RULE_BOOL, .code = "KMAT-SYNTAX"}},
    SPACE("open_space", R_OPEN, "brace that opens", IS_NOT(R_BLOCK, 0)),
    {.name = "open",
     TEXT,
     IF(IS_NOT(R_BLOCK, 0), IS(R_OPEN, SPACE_OTHER)),
     .doc = "Blanks and comments before the brace that opens."},
    {.name = "items", LIST(item), IF(IS_NOT(R_BLOCK, 0)), .doc = "What is set in the block."},
    SPACE("close_space", R_CLOSE, "brace that closes", IS_NOT(R_BLOCK, 0)),
    {.name = "close",
     TEXT,
     IF(IS_NOT(R_BLOCK, 0), IS(R_CLOSE, SPACE_OTHER)),
     .doc = "Blanks and comments before the brace that closes."},
};
RECORD(item, "item", "a word with its values and its block");

static const mst_field materials_fields[] = {
    {.name = "byte_order_mark",
     U8,
     .flags = MST_FIELD_DEFAULT | MST_FIELD_BOOL,
     .doc = "Whether the text begins with a byte order mark of UTF-8.",
     .rule = {.kind = MST_RULE_BOOL, .code = "KMAT-SYNTAX"}},
    {.name = "materials", LIST(item), .doc = "The word `material`, its name as the only value, and a block."},
    {.name = "after", TEXT, .flags = MST_FIELD_OMIT_EMPTY, .doc = "Blanks and comments at the end."},
};
RECORD(materials, "materials", "the materials of a model");
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};

static const mst_code_information codes[] = {
    {"KMAT-SYNTAX", MST_ERROR,
     "a text, comment or block is not closed, or a word has no value or one of the wrong kind"},
    {"KMAT-KEY", MST_WARNING, "the word is not known, and is skipped"},
    {"KMAT-TWICE", MST_WARNING, "another material has that name: the game uses the first"},
    {"KMAT-SAMPLER", MST_WARNING,
     "the material has no sampler, or one whose unit is above 3 or already used"},
    {"KMAT-VALUE", MST_WARNING, "the value is not one of the known ones"},
    {"KMAT-COLOUR", MST_WARNING, "the colour does not have four numbers"},
    {"KMAT-SORT", MST_INFORMATION, "alphatest is set without sort masked"},
    MST_KEX_FILE_CODES,
};

/* ---- parsing ------------------------------------------------------------------------------------- */

typedef struct level { /* of blocks */
    size_t count_at;   /* in the parsed bytes */
    uint32_t count;
    mst_kmat_block block;
} level;

typedef struct parser {
    mst_parsed_writer *w;
    mst_diagnostic *diagnostic;
    const char *text;
    size_t size;
    mst_kmat_token next;
    level levels[MST_KMAT_DEPTH + 1];
    unsigned depth;
} parser;

static mst_status wrong(parser *p, const char *message, const char *expected) {
    mst_fail(p->diagnostic, MST_DAMAGED, "%s", message);
    if (p->diagnostic) {
        MST_SET(p->diagnostic->code, "KMAT-SYNTAX");
        MST_SET(p->diagnostic->expected, "%s", expected);
        p->diagnostic->offset = p->next.start;
        p->diagnostic->length = p->next.size;
    }
    return MST_DAMAGED;
}

static void advance(parser *p) {
    p->next = mst_kmat_next(p->text, p->size, p->next.after);
}

/* Writes the space before the next token. */
static void put_space(parser *p, mst_kmat_place place, bool first) {
    char usual[4 * MST_KMAT_DEPTH + 1];
    size_t length = mst_kmat_usual(place, p->depth - (place == MST_KMAT_AT_CLOSE), first, usual);
    const char *before = p->text + p->next.before;
    size_t start = p->next.start - (p->next.kind == MST_KMAT_QUOTED), size = start - p->next.before;
    unsigned kind = size == length && memcmp(before, usual, size) == 0 ? SPACE_USUAL
                    : size                                             ? SPACE_OTHER
                                                                       : SPACE_NONE;
    mst_parsed_number(p->w, kind, 1);
    if (kind == SPACE_OTHER)
        mst_parsed_counted(p->w, before, size);
    else
        mst_parsed_note(p->w, "space", MST_BYTES_DERIVED, (const uint8_t *)before, size);
}

static void put_value(parser *p) {
    bool quoted = p->next.kind == MST_KMAT_QUOTED;
    const uint8_t *text = (const uint8_t *)p->text + p->next.start;
    put_space(p, MST_KMAT_AT_VALUE, false);
    mst_parsed_number(p->w, quoted, 1);
    if (quoted)
        mst_parsed_note(p->w, "quote", MST_BYTES_DERIVED, text - 1, 1);
    mst_parsed_counted(p->w, text, p->next.size);
    if (quoted)
        mst_parsed_note(p->w, "quote", MST_BYTES_DERIVED, text + p->next.size, 1);
    advance(p);
}

static bool is_number(const parser *p) {
    double number;
    return p->next.kind == MST_KMAT_WORD && mst_read_f64(p->text + p->next.start, p->next.size, &number);
}

static bool fits(const parser *p, char wanted) {
    switch (wanted) {
    case 't': return p->next.kind == MST_KMAT_QUOTED;
    case 'w': return p->next.kind == MST_KMAT_WORD;
    case 'n': return is_number(p);
    case 'a': return p->next.kind == MST_KMAT_QUOTED || p->next.kind == MST_KMAT_WORD;
    default: return p->next.kind == MST_KMAT_QUOTED || is_number(p);
    }
}

static mst_status put_values(parser *p, const mst_kmat_word *word) {
    size_t at = p->w->to->size;
    uint32_t count = 0;
    mst_parsed_number(p->w, 0, 4);
    for (const char *values = word ? word->values : "*"; *values && *values != '{'; values++) {
        if (*values == '*')
            while (word ? fits(p, '*') : p->next.kind == MST_KMAT_QUOTED) {
                put_value(p);
                count++;
            }
        else if (!fits(p, *values))
            return wrong(p, "the word has no value, or one of the wrong kind",
                         *values == 't'   ? "a text in quotes"
                         : *values == 'n' ? "a number"
                                          : "a word");
        else {
            put_value(p);
            count++;
        }
    }
    if (p->w->status == MST_OK)
        mst_store32(p->w->to->data + at, count, true);
    return MST_OK;
}

static mst_status open_block(parser *p, mst_kmat_block block) {
    const uint8_t *brace = (const uint8_t *)p->text + p->next.start;
    if (p->depth == MST_KMAT_DEPTH)
        return wrong(p, "blocks are nested too deeply", "at most 8 of them");
    put_space(p, MST_KMAT_AT_VALUE, false);
    mst_parsed_note(p->w, "brace", MST_BYTES_DERIVED, brace, 1);
    advance(p);
    p->levels[++p->depth] = (level){p->w->to->size, 0, block};
    mst_parsed_number(p->w, 0, 4);
    return MST_OK;
}

static mst_status put_item(parser *p) {
    level *around = &p->levels[p->depth];
    const mst_kmat_word *word = mst_kmat_find(around->block, p->text + p->next.start, p->next.size);
    put_space(p, MST_KMAT_AT_WORD, !p->depth && !around->count);
    around->count++;
    mst_parsed_counted(p->w, p->text + p->next.start, p->next.size);
    advance(p);
    mst_status status = put_values(p, word);
    if (status != MST_OK)
        return status;
    bool open = p->next.kind == MST_KMAT_OPEN, may = !word || word->opens;
    if (word && word->opens && !word->may && !open)
        return wrong(p, "the block of the word is missing", "{");
    if (open && !may)
        return wrong(p, "the word has no block", "another word");
    mst_parsed_number(p->w, open, 1);
    return open ? open_block(p, word ? word->opens : MST_KMAT_OTHER) : MST_OK;
}

static void close_block(parser *p) {
    const uint8_t *brace = (const uint8_t *)p->text + p->next.start;
    if (p->w->status == MST_OK)
        mst_store32(p->w->to->data + p->levels[p->depth].count_at, p->levels[p->depth].count, true);
    put_space(p, MST_KMAT_AT_CLOSE, false);
    mst_parsed_note(p->w, "brace", MST_BYTES_DERIVED, brace, 1);
    p->depth--;
    advance(p);
}

static mst_status parse(const mst_format *format, const mst_file_view *files, mst_parsed_writer *w,
                        mst_diagnostic *diagnostic) {
    (void)format;
    parser p = {.w = w, .diagnostic = diagnostic, .text = (const char *)files[0].data, .size = files[0].size};
    mst_status status = MST_OK;
    p.next.after = mst_byte_order_mark(p.text, p.size);
    mst_parsed_number(w, p.next.after > 0, 1);
    mst_parsed_note(w, "byte_order_mark", MST_BYTES_DERIVED, (const uint8_t *)p.text, p.next.after);
    p.levels[0].count_at = mst_parsed_begin(w);
    advance(&p);
    while (status == MST_OK && w->status == MST_OK && (p.next.kind != MST_KMAT_END || p.depth)) {
        if (p.next.kind == MST_KMAT_WORD)
            status = put_item(&p);
        else if (p.next.kind == MST_KMAT_CLOSE && p.depth)
            close_block(&p);
        else
            status = wrong(&p,
                           p.next.kind == MST_KMAT_BROKEN ? "the text or comment has no end"
                           : p.next.kind == MST_KMAT_END  ? "a block has no end"
                                                          : "a word is expected here",
                           p.depth ? "a word or }" : "a word");
    }
    if (status != MST_OK)
        return status;
    mst_parsed_counted(w, p.text + p.next.before, p.size - p.next.before);
    if (w->status != MST_OK)
        return mst_fail(diagnostic, w->status, "not enough memory for the materials");
    mst_store32(w->to->data + p.levels[0].count_at, p.levels[0].count, true);
    return MST_OK;
}

/* ---- serializing ---------------------------------------------------------------------------------- */

static void write_counted(mst_parsed_reader *parsed, mst_parsed_writer *w) {
    uint32_t size;
    const uint8_t *text = mst_parsed_read_counted(parsed, &size);
    mst_parsed_put(w, text, size);
}

/* Whether the text contains nothing but its byte order mark. */
static bool is_empty(const mst_buffer *text) {
    return text->size == mst_byte_order_mark(text->data, text->size);
}

static void write_space(mst_parsed_reader *parsed, mst_parsed_writer *w, mst_kmat_place place,
                        unsigned depth) {
    char usual[4 * MST_KMAT_DEPTH + 1];
    uint32_t kind = mst_parsed_read(parsed, 1);
    if (kind == SPACE_OTHER)
        write_counted(parsed, w);
    else if (kind == SPACE_USUAL)
        mst_parsed_put(w, usual, mst_kmat_usual(place, depth, is_empty(w->to), usual));
}

/* A word with its values; true: a block follows. */
static bool write_item(mst_parsed_reader *parsed, mst_parsed_writer *w, unsigned depth) {
    write_space(parsed, w, MST_KMAT_AT_WORD, depth);
    write_counted(parsed, w);
    for (uint32_t left = mst_parsed_read(parsed, 4); left && !parsed->failed; left--) {
        write_space(parsed, w, MST_KMAT_AT_VALUE, depth);
        bool quoted = mst_parsed_read(parsed, 1);
        mst_parsed_put(w, "\"", quoted);
        write_counted(parsed, w);
        mst_parsed_put(w, "\"", quoted);
    }
    if (!mst_parsed_read(parsed, 1))
        return false;
    write_space(parsed, w, MST_KMAT_AT_VALUE, depth);
    mst_parsed_put(w, "{", 1);
    return true;
}

static mst_status serialize(const mst_format *format, const uint8_t *bytes, size_t size, mst_buffer *files,
                            mst_diagnostic *diagnostic) {
    mst_parsed_reader parsed = {.data = bytes, .size = size};
    mst_parsed_writer w = {.to = &files[0], .limit = UINT64_MAX};
    uint32_t left[MST_KMAT_DEPTH + 1];
    unsigned depth = 0;
    (void)format;
    if (mst_parsed_read(&parsed, 1))
        mst_parsed_put(&w, "\xEF\xBB\xBF", 3);
    left[0] = mst_parsed_read(&parsed, 4);
    while (w.status == MST_OK && !parsed.failed && (depth || left[0])) {
        if (!left[depth]) {
            depth--;
            write_space(&parsed, &w, MST_KMAT_AT_CLOSE, depth);
            mst_parsed_put(&w, "}", 1);
            continue;
        }
        left[depth]--;
        if (!write_item(&parsed, &w, depth))
            continue;
        if (depth == MST_KMAT_DEPTH)
            return mst_fail(diagnostic, MST_REFUSED, "blocks are nested too deeply");
        left[++depth] = mst_parsed_read(&parsed, 4);
    }
    write_counted(&parsed, &w);
    return w.status == MST_OK ? MST_OK
                              : mst_fail(diagnostic, w.status, "not enough memory for the materials");
}

/* ---- identifying ---------------------------------------------------------------------------------- */

/* Identified by its name, or by its beginning: material NAME { */
static bool probe(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                  mst_variant *variant) {
    (void)file_size, (void)variant;
    if (name && mst_text_ends_in(name, strlen(name), ".kmat"))
        return true;
    const char *text = (const char *)bytes;
    mst_kmat_token word = mst_kmat_next(text, size, mst_byte_order_mark(bytes, size)), called, brace;
    if (word.kind != MST_KMAT_WORD || !mst_kmat_find(MST_KMAT_FILE, text + word.start, word.size))
        return false;
    called = mst_kmat_next(text, size, word.after);
    brace = mst_kmat_next(text, size, called.after);
    return (called.kind == MST_KMAT_WORD || called.kind == MST_KMAT_QUOTED) && brace.kind == MST_KMAT_OPEN;
}

const mst_format mst_format_turok_material = {
    .information = {.id = "turok-material",
                    .title = "Turok remaster materials",
                    .extensions = ".kmat",
                    .media_type = "text/plain",
                    .versions = "",
                    .rows = "materials"},
    .tables.root = &materials,
    .tables.records = records,
    .tables.record_count = MST_COUNT_OF(records),
    .identity.big = true,
    .identity.probe = probe,
    .editing =
        &(const mst_edit_hooks){.one_by_one = true}, /* the meaning of a text depends on the text around it */
    .files.count = 1,
    .files.parse = parse,
    .files.serialize = serialize,
    .content.names = mst_kex_material_names,
    .check.problem_codes = {"KMAT-SYNTAX", "KMAT-SYNTAX", "KMAT-SYNTAX", "KMAT-SYNTAX", "KMAT-SYNTAX",
                            "KMAT-SYNTAX"},
    .check.codes = &(const mst_codes)MST_CODES(codes),
    .check.check = mst_kex_check_material,
    .tables.introduction =
        "The materials of a model of the Turok remaster: text, as in `materials/mat_crate01.kmat`. A path "
        "such as `materials/mat_crate01/wood`\n"
        "names `wood` of that file.\n\n"
        "All bytes are kept; an edit changes only the value: `mapstone set a.kmat "
        "'materials[0].items[0].values[0].text=progs/world'`.\n\n"
        "| word of a material | values | without it |\n"
        "|---|---|---|\n"
        "| `shader` | path, in quotes | `progs/world` |\n"
        "| `sort` | `default`, `masked`, `translucent`, `water`, `custom1` to `custom3` | `default` |\n"
        "| `cull` | `none`, `back`, `front`: the side that is not drawn (a guess) | `none` |\n"
        "| `blend`, `alphatest`, `depthtest`, `fullbright`, `nodraw`, `nodepthmask` | none: it is on | off "
        "|\n"
        "| `alphafunc` | `gequal`, `equal`, `lequal` | `gequal` |\n"
        "| `alphamask` | number | 0.6525 |\n"
        "| `color_diffuse` | \"red green blue alpha\": the picture is multiplied by it | 1 1 1 1 |\n"
        "| `param` | \"name\" type \"value\"; type 0 is an integer, 1 a float | |\n"
        "| `sampler` | \"diffuse\" unit \"path\", and a block with `filter` (`linear`, `nearest`) and `wrap` "
        "(`repeat`, `clamp`, `mirrored`) | `linear`, `repeat` |\n\n"
        "Units are 0 to 3; the lowest is drawn. Instead of a path there may be `_default`, `_black`, "
        "`_white` and other words that\n"
        "begin with an underscore. `allowfog`, `shaders`, `scroll`, `scale` and `rotate` belong to an older "
        "engine, and are kept.\n",
    .tables.in_files = {"## In the file\n\n"
                        "Words, texts in quotes, and braces; between them blanks, line breaks and comments: "
                        "`//` up to the end of the line, `/*` up to `*/`.\n"
                        "A text ends in its line. `material` NAME `{` ... `}` repeats.\n"
                        "A byte order mark of UTF-8 may precede everything.\n"},
    .tables.relations =
        "- Models ([`turok-model`](turok-model.md)) name the materials.\n"
        "- `sampler` names pictures (PNG, TGA, [DDS](dds.md)) by their paths below the game's "
        "root.\n",
    .tables.listed = MST_LISTED({"item", "values", "the word has that many values", "turok-models.md 5"}),
    .tables.sources =
        "- The readers and writers of a published Blender add-on, an older engine of the same author, "
        "and one public file.\n",
};
