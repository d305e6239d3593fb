/* SPDX-License-Identifier: MIT */
/*
 * Writes the initial input of fuzzing from the project's data: dictionaries out of the formats' tables, and
 * seeds out of the fixtures and the JSON in seeds/.
 *
 *     prepare DIRECTORY        file.dict, json.dict, seeds/, large/  (existing empty folders)
 *
 * It fails if a format has no seed that opens as it.
 */
#include "../../src/codec/deflate.h"
#include "../../src/read/engine.h"
#include "../fixtures.h"
#include "../rnc_stream.h"
#include "fuzz.h"

static const char *place;

static FILE *create(const char *name) {
    char path[700];
    snprintf(path, sizeof path, "%s/%s", place, name);
    FILE *file = fopen(path, "wb");
    if (!file)
        perror(path);
    assert_non_null(file);
    return file;
}

/* ---- dictionaries ------------------------------------------------------------------------------ */

/* The words written so far, to write each once; a hash of them, as a few more or less do not matter. */
typedef struct dictionary {
    FILE *file;
    uint8_t seen[1 << 16];
    size_t count;
} dictionary;

/* libFuzzer takes words of up to 64 bytes; single bytes it finds itself. */
static void word(dictionary *d, const void *bytes, size_t size) {
    const uint8_t *from = bytes;
    uint32_t hash = (uint32_t)size;
    if (size < 2 || size > 60)
        return;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ from[i]) * 16777619u;
    hash = (hash ^ hash >> 16) & 0xFFFF;
    if (d->seen[hash])
        return;
    d->seen[hash] = 1;
    d->count++;
    fputc('"', d->file);
    for (size_t i = 0; i < size; i++) {
        if (from[i] >= 0x20 && from[i] < 0x7F && from[i] != '"' && from[i] != '\\')
            fputc(from[i], d->file);
        else
            fprintf(d->file, "\\x%02X", from[i]);
    }
    fputs("\"\n", d->file);
}

static void text(dictionary *d, const char *words) {
    word(d, words, strlen(words));
}

static void quoted(dictionary *d, const char *name, const char *after) {
    char key[80];
    if (snprintf(key, sizeof key, "\"%s\"%s", name, after) < (int)sizeof key)
        text(d, key);
}

/* A number in both byte orders. */
static void in_both_orders(dictionary *d, uint64_t value, unsigned width) {
    uint8_t bytes[8];
    for (int big = 0; big < 2; big++) {
        for (unsigned i = 0; i < width; i++)
            bytes[big ? width - 1 - i : i] = (uint8_t)(value >> 8 * i);
        word(d, bytes, width);
    }
}

static void words_of_field(dictionary *file, dictionary *json, const mst_field *field) {
    unsigned width = field->kind <= MST_KIND_F64 ? mst_kind_width[field->kind] : 0;
    if (field->name && *field->name)
        quoted(json, field->name, ":");
    if (field->constant)
        word(file, field->constant, field->count);
    if (field->flags & MST_FIELD_DEFAULT && field->initial)
        in_both_orders(file, field->initial, width);
    for (uint8_t i = 0; i < field->refers_count; i++)
        for (uint8_t k = 0; k < field->refers[i].nones; k++)
            in_both_orders(file, field->refers[i].none[k], width);
    for (size_t i = 0; i < MST_COUNT_OF(field->when); i++)
        if (field->when[i].operation >= MST_EQUAL && field->when[i].operation <= MST_BELOW &&
            field->when[i].value > 255)
            in_both_orders(file, field->when[i].value, 4);
    for (size_t i = 0; field->names && i < field->names->count; i++) {
        const mst_enum_name *item = &field->names->items[i];
        quoted(json, item->name, "");
        in_both_orders(
            file, field->flags & MST_FIELD_FLAGS ? UINT64_C(1) << (item->value & 63) : (uint64_t)item->value,
            width);
    }
    for (size_t i = 0; field->chunks && i < field->chunks->case_count; i++) {
        const mst_case *chunk = &field->chunks->cases[i];
        in_both_orders(file, chunk->id, 4);
        words_of_field(file, json, &chunk->field);
    }
}

static void write_dictionaries(void) {
    static dictionary file, json;
    file.file = create("file.dict");
    json.file = create("json.dict");
    for (size_t f = 0; mst_formats[f]; f++) {
        const mst_format *format = mst_formats[f];
        quoted(&json, format->information.id, "");
        for (size_t i = 0; i < format->identity.layout_count; i++)
            quoted(&json, format->identity.layouts[i], "");
        for (size_t r = 0; r < format->tables.record_count; r++)
            for (size_t i = 0; i < format->tables.records[r]->field_count; i++)
                words_of_field(&file, &json, &format->tables.records[r]->fields[i]);
    }
    /* words in code rather than tables: magics, the words of texts, JSON's own keys */
    static const char *const words[] = {"RNC\x01",    "RNC\x02",    "FORM",           "PSXT",
                                        "CLASS \"",   "BEGIN",      "TYPES",          "STATS",
                                        "END",        "OBJSTATS",   "Unique Type ID", "\x89PNG\r",
                                        "PK\x03\x04", "PK\x01\x02", "PK\x05\x06",     "ustar"};
    for (size_t i = 0; i < MST_COUNT_OF(words); i++)
        text(&file, words[i]);
    static const char magics[][5] = {"ZLB", "DIR", "DIRn", "LZOn", "ZLB\x00", "DIR\x00"};
    for (size_t i = 0; i < MST_COUNT_OF(magics); i++)
        word(&file, magics[i], 4);
    in_both_orders(&file, 0xFACEFEED, 4);
    in_both_orders(&file, 0xE0E0E0E0, 4);
    word(&file, FUZZ_MARK, FUZZ_MARK_SIZE);
    static const char *const keys[] = {"$format", "$version", "$order",   "$raw",    "$gaps",      "$end",
                                       "$cut",    "$stride",  "$content", "$layout", "$byte_order"};
    for (size_t i = 0; i < MST_COUNT_OF(keys); i++)
        quoted(&json, keys[i], ":");
    static const char *const values[] = {"true",          "false", "null", "\"NaN\"",
                                         "\"-Infinity\"", "-0.0",  "[]",   "{}"};
    for (size_t i = 0; i < MST_COUNT_OF(values); i++)
        text(&json, values[i]);
    printf("%zu words for files, %zu for JSON\n", file.count, json.count);
    assert_int_equal(fclose(file.file) | fclose(json.file), 0);
}

/* ---- seeds ------------------------------------------------------------------------------------- */

/* The length limits of run.sh for an input: any, and for scenes and pictures only. */
enum { LENGTH_MAX = 16384, LARGE_MAX = 81920 };

static uint8_t opened_as[200]; /* formats, by their place in the list, that a seed opens as */
static size_t seeds;

typedef struct second_file {
    const void *bytes;
    size_t size;
} second_file;

static mst_status find_second(void *user, const char *name, const void **bytes, size_t *size) {
    const second_file *second = user;
    (void)name;
    if (!second->bytes)
        return MST_NO_PATH;
    *bytes = second->bytes;
    *size = second->size;
    return MST_OK;
}

/* Whether a name ends with a format's extension. */
static bool is_named_so(const char *name, const char *extensions) {
    const char *dot = name ? strrchr(name, '.') : NULL;
    char lower[16] = "";
    for (size_t i = 0; dot && dot[i] && i + 1 < sizeof lower; i++)
        lower[i] = (char)(dot[i] >= 'A' && dot[i] <= 'Z' ? dot[i] + 32 : dot[i]);
    return lower[0] && strstr(extensions, lower);
}

static bool opens_as(fuzz_kind kind, const void *bytes, size_t size, second_file *second,
                     const char *format) {
    mst_resolver resolver = {.find = find_second, .user = second};
    mst_open_options options = {
        .size = sizeof options, .format = kind.format, .name = kind.name, .sidecars = &resolver};
    mst_document *document;
    mst_diagnostic why;
    if (mst_open_memory(bytes, size, &options, &document, &why) != MST_OK)
        return false;
    const char *id = mst_document_format(document)->id;
    bool fits = strcmp(id, format) == 0 && (!second->bytes || mst_document_file_count(document) == 2);
    for (size_t f = 0; fits && mst_formats[f]; f++)
        if (strcmp(mst_formats[f]->information.id, id) == 0)
            opened_as[f] = 1;
    mst_close(document);
    return fits;
}

/* A way in which the bytes open as that format, with one of its names if there is one; -1: none. */
static int kind_of(const void *bytes, size_t size, second_file *second, const char *format) {
    const mst_format *wanted = mst_format_named(format, strlen(format));
    for (int named = 1; wanted && named >= 0; named--)
        for (size_t i = 0; i < fuzz_kind_count(); i++)
            if (named == is_named_so(fuzz_kind_at(i).name, wanted->information.extensions) &&
                opens_as(fuzz_kind_at(i), bytes, size, second, format))
                return (int)i;
    return -1;
}

/* A sidecar; without a name it is the other file. */
typedef struct beside {
    const char *name;
    const void *bytes;
    size_t size;
} beside;

static void seed_beside(const char *name, const void *bytes, size_t size, const beside *others, size_t count,
                        int kind) {
    char path[300];
    writer w = {0};
    if (kind < 0)
        return;
    put_bytes_of(&w, bytes, size);
    for (size_t i = 0; i < count; i++) {
        put_bytes_of(&w, FUZZ_MARK, FUZZ_MARK_SIZE);
        if (others[i].name) {
            put_u8(&w, '!');
            put_bytes_of(&w, others[i].name, strlen(others[i].name) + 1);
        }
        put_bytes_of(&w, others[i].bytes, others[i].size);
    }
    fuzz_put_how(put(&w, FUZZ_HOW_SIZE), (uint8_t)kind, (uint32_t)seeds);
    if (w.size <= LARGE_MAX) {
        snprintf(path, sizeof path, "%s/%s", w.size <= LENGTH_MAX ? "seeds" : "large", name);
        FILE *file = create(path);
        assert_int_equal(fwrite(w.data, 1, w.size, file), w.size);
        assert_int_equal(fclose(file), 0);
        seeds++;
    }
    writer_free(&w);
}

static void seed(const char *name, const void *bytes, size_t size, const second_file *second, int kind) {
    const beside other = {NULL, second ? second->bytes : NULL, second ? second->size : 0};
    seed_beside(name, bytes, size, &other, other.bytes ? 1 : 0, kind);
}

/* The document's files together and each alone, and its JSON. */
static void seeds_of(const char *name, const mst_document *document, bool json) {
    char made[280];
    size_t sizes[2] = {0, 0}, count = mst_document_file_count(document);
    const void *bytes[2] = {NULL, NULL};
    for (size_t i = 0; i < count; i++)
        bytes[i] = mst_document_file(document, i, NULL, &sizes[i]);
    second_file second = {bytes[1], sizes[1]}, alone = {NULL, 0};
    snprintf(made, sizeof made, "%s.file", name);
    seed(made, bytes[0], sizes[0], &second,
         kind_of(bytes[0], sizes[0], &second, mst_document_format(document)->id));
    for (size_t i = 0; i < count && count > 1; i++) {
        snprintf(made, sizeof made, "%s.%zu", name, i);
        seed(made, bytes[i], sizes[i], NULL,
             kind_of(bytes[i], sizes[i], &alone, i ? "sfa-table" : "sfa-kept"));
    }
    mst_value root = mst_root(document);
    size_t length = 0;
    char *compact = json ? fuzz_json_of(&root, true, &length) : NULL;
    if (compact) {
        snprintf(made, sizeof made, "%s.json", name);
        seed(made, compact, length, NULL, 0);
    }
    free(compact);
}

static void seeds_of_fixtures(void) {
    for (size_t i = 0; i < FIXTURES; i++) {
        fixture f;
        mst_document *document;
        mst_diagnostic why;
        if (!fixture_make(&fixtures[i], &f))
            continue;
        second_file second = {f.count > 1 ? f.files[1].data : NULL, f.files[1].size};
        mst_resolver resolver = {.find = find_second, .user = &second};
        mst_open_options options = {.size = sizeof options, .name = fixtures[i].file, .sidecars = &resolver};
        MUST(mst_open_memory(f.files[0].data, f.files[0].size, &options, &document, &why), &why);
        seeds_of(fixtures[i].name, document, true);
        mst_close(document);
        fixture_free(&f);
    }
}

/* For `text` and `select`: they open as nothing. */
static void seeds_of_expressions(void) {
    static const char *const texts[] = {
        "objects[class_name~{light,loc}* & !(intensity<2 | layer=Lights); 0:-1].properties.origin[1]",
        "in=(Hub).class_name",
        "mesh.faces[material~*wall* & within=0,0,0:8,8,8 & group=Vents].loops[*]",
        "objects[properties.intensity > (origin[2] * 2) & name = (\"H\" + \"ub\") & layer_masks has Lights]",
        "class_name=light_point & within=1,2,3:4 | !layer=",
        "round(index * 1.5 + 2, 0.25) - min(3, -(4 / 2), max(1, 2))",
        "\"door_\" + index + (\"_\" + 1 / 4) + \"say \"\"x\"\"\"",
        "sqrt(abs(floor(-2.5) * ceil(1e3))) + origin[1] * properties[name=size].value",
    };
    for (size_t i = 0; i < MST_COUNT_OF(texts); i++) {
        char name[40];
        snprintf(name, sizeof name, "expression_%zu", i);
        seed(name, texts[i], strlen(texts[i]), NULL, 0);
    }
}

static void seeds_of_json(const char *folder) {
    DIR *list = opendir(folder);
    assert_non_null(list);
    for (const struct dirent *entry; (entry = readdir(list)) != NULL;) {
        char path[400], name[280];
        size_t size, length = strlen(entry->d_name);
        if (length < 6 || strcmp(entry->d_name + length - 5, ".json") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        snprintf(name, sizeof name, "%.*s", (int)(length - 5), entry->d_name);
        char *json = (char *)read_whole(path, &size);
        assert_non_null(json);
        mst_document *document;
        mst_diagnostic why;
        MUST(mst_open_json(json, size, NULL, &document, &why), &why);
        seeds_of(name, document, true);
        mst_close(document);
        free(json);
    }
    closedir(list);
}

/* ---- levels and the files next to them --------------------------------------------------------- */

/* The files that a seed's JSON makes, after an edit if there is one. */
static mst_document *document_of(const char *name, const char *path, const char *value) {
    char place_of[300];
    size_t size;
    mst_document *document;
    mst_diagnostic why;
    snprintf(place_of, sizeof place_of, "tests/fuzz/seeds/%s.json", name);
    char *json = (char *)read_whole(place_of, &size);
    assert_non_null(json);
    MUST(mst_open_json(json, size, NULL, &document, &why), &why);
    free(json);
    if (path)
        MUST(mst_set(document, path, value, &why), &why);
    return document;
}

static const char schema[] =
    "<?xml version=\"1.0\"?><editor_setup><class name=\"a\"><parameter name=\"on\" "
    "type=\"boolean\"/></class><class name=\"ns2_gamerules\" parent=\"a\"><parameter "
    "name=\"team\" type=\"choice\"><choice value=\"1\" name=\"A\"/></parameter>"
    "</class></editor_setup>";

/* The files next to a seed: other seeds, under a name, the first or second file of each. */
typedef struct group {
    const char *main, *path, *value; /* path NULL: unchanged */
    const char *as;                  /* its name; NULL: any of its known names */
    struct {
        const char *name, *seed;
        size_t file;
    } others[FUZZ_SIDECARS];
} group;

#define SFA_BESIDE                                                                                           \
    {"mod6.zlb.bin", "sfa_blocks", 0}, {"mod6.tab", "sfa_blocks", 1}, {"TEX1.bin", "sfa_textures", 0},       \
        {"TEX1.tab", "sfa_textures", 1}, {"a.romlist.zlb", "sfa_list_zlb", 0}, {"HITS.bin", "sfa_hits", 0},  \
        {"HITS.tab", "sfa_hits", 1}, {"TRKBLK.tab", "sfa_trkblk", 0}, {"globalma.bin", "sfa_globalma", 0}, { \
        "VOXMAP.bin", "sfa_voxmap", 0                                                                        \
    }
static const group groups[] = {
    {"alien_map", NULL, NULL, NULL, {{"111GFX.BIN", "alien_gfx", 0}}},
    {"revenant_15", NULL, NULL, NULL, {{"class.def", "revenant_class", 0}, {"exit.def", "revenant_exit", 0}}},
    {"revenant_8", NULL, NULL, NULL, {{"class.def", "revenant_class", 0}}},
    {"sfa_maps", "maps[0].cells[0].mod", "6", NULL, {{NULL, NULL, 1}, SFA_BESIDE}},
    {"sfa_maps", "maps[0].cells[0].mod", "48", NULL, {{NULL, NULL, 1}, SFA_BESIDE}},
    {"sfa_blocks",
     NULL,
     NULL,
     NULL,
     {{NULL, NULL, 1}, {"TEX1.bin", "sfa_textures", 0}, {"TEX1.tab", "sfa_textures", 1}}},
    {"sfa_block", NULL, NULL, NULL, {{"TEX1.bin", "sfa_textures", 0}, {"TEX1.tab", "sfa_textures", 1}}},
    {"sfa_list_zlb",
     NULL,
     NULL,
     "frontend.romlist.zlb",
     {{"OBJINDEX.bin", "sfa_objindex", 0}, {"MAPS.bin", "sfa_maps", 0}, {"MAPS.tab", "sfa_maps", 1}}},
    {"sfa_globalma", NULL, NULL, NULL, {{"MAPS.bin", "sfa_maps", 0}, {"MAPS.tab", "sfa_maps", 1}}},
};

static void seeds_of_groups(void) {
    for (size_t g = 0; g < MST_COUNT_OF(groups); g++) {
        mst_document *documents[FUZZ_SIDECARS + 1] = {
            document_of(groups[g].main, groups[g].path, groups[g].value)};
        beside others[FUZZ_SIDECARS];
        second_file second = {NULL, 0};
        size_t count = 0, size;
        for (; count < FUZZ_SIDECARS && (groups[g].others[count].name || groups[g].others[count].file);
             count++) {
            mst_document *from = documents[0];
            if (groups[g].others[count].seed)
                from = documents[count + 1] = document_of(groups[g].others[count].seed, NULL, NULL);
            others[count].name = groups[g].others[count].name;
            others[count].bytes =
                mst_document_file(from, groups[g].others[count].file, NULL, &others[count].size);
            if (from == documents[0])
                second = (second_file){others[count].bytes, others[count].size};
        }
        char name[80];
        const void *bytes = mst_document_file(documents[0], 0, NULL, &size);
        snprintf(name, sizeof name, "beside_%zu", g);
        int kind = kind_of(bytes, size, &second, mst_document_format(documents[0])->id);
        for (size_t i = 0; groups[g].as && i < fuzz_kind_count(); i++)
            if (fuzz_kind_at(i).name && strcmp(fuzz_kind_at(i).name, groups[g].as) == 0)
                kind = (int)i;
        seed_beside(name, bytes, size, others, count, kind);
        for (size_t i = 0; i <= count; i++)
            mst_close(documents[i]);
    }
    mst_document *outpost = document_of("ns2_10", NULL, NULL);
    size_t size;
    const void *bytes = mst_document_file(outpost, 0, NULL, &size);
    seed_beside("schema", bytes, size, &(beside){NULL, schema, sizeof schema - 1}, 1, 0);
    mst_close(outpost);
}

/* ---- data without a fixture -------------------------------------------------------------------- */

/* An archive of one block, which is packed. */
static void seed_packed(const char *name, const uint8_t *block, size_t size) {
    writer w = {0};
    put_u32(&w, 1), put_u32(&w, 16), put_u32(&w, 16 + (uint32_t)size), put_u32(&w, 0);
    put_bytes_of(&w, block, size);
    second_file alone = {NULL, 0};
    seed(name, w.data, w.size, NULL, kind_of(w.data, w.size, &alone, "iguana"));
    writer_free(&w);
}

static void seeds_of_packed(void) {
    size_t size;
    stream s;
    begin(&s, 1);
    put_tables(&s, &some, &every, &every, 3);
    put_run(&s, &some, 10);
    put_pair(&s, &every, &every, 7, 9);
    put_run(&s, &some, 0);
    put_pair(&s, &every, &every, 1, 40);
    put_run(&s, &some, 2);
    uint8_t *block = block_of(&s, &size);
    seed_packed("rnc_1", block, size);
    free(block);
    end(&s);
    begin(&s, 2);
    put_literal(&s);
    put_copy(&s, 1, 2);
    put_literals(&s, 16);
    put_copy(&s, 5, 9);
    end_chunk_2(&s, "1");
    put_copy(&s, 12, 4);
    end_chunk_2(&s, "0");
    block = block_of(&s, &size);
    seed_packed("rnc_2", block, size);
    free(block);
    end(&s);
}

/* The pixels make it large. */
static void seed_textures(void) {
    alien_textures t;
    writer w = {0};
    second_file alone = {NULL, 0};
    alien_small_textures(&t);
    size_t pages = t.page_count;
    t.page_count = 1;
    write_alien_textures(&w, &t, false);
    t.page_count = pages;
    seed("alien_textures", w.data, w.size, NULL, kind_of(w.data, w.size, &alone, "alien-gfx"));
    writer_free(&w);
    alien_textures_free(&t);
}

/* ---- archives, discs and PNG ------------------------------------------------------------------- */

static uint32_t crc_of(const uint8_t *data, size_t size) {
    uint32_t crc = 0xFFFFFFFF;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
    }
    return ~crc;
}

static void zip_member(writer *w, writer *ends, const char *name, const void *data, size_t size,
                       bool packed) {
    uint32_t crc = crc_of(data, size), offset = (uint32_t)w->size;
    mst_buffer deflated = {0};
    mst_diagnostic why;
    const uint8_t *stored = data;
    size_t length = size;
    if (packed) { /* without the zlib wrapper */
        MUST(mst_zlib_pack(data, size, MST_ZLIB_RETAIL, &deflated, &why), &why);
        stored = deflated.data + 2;
        length = deflated.size - 6;
    }
    for (int i = 0; i < 2; i++) {
        writer *to = i ? ends : w;
        put_u32(to, i ? 0x02014B50 : 0x04034B50);
        if (i)
            put_u16(to, 20);
        put_u16(to, 20), put_u16(to, 0), put_u16(to, packed ? 8 : 0), put_u32(to, 0), put_u32(to, crc);
        put_u32(to, (uint32_t)length), put_u32(to, (uint32_t)size);
        put_u16(to, (uint16_t)strlen(name)), put_u16(to, 0);
        if (i)
            put_u16(to, 0), put_u16(to, 0), put_u16(to, 0), put_u32(to, 0), put_u32(to, offset);
        put_bytes_of(to, name, strlen(name));
    }
    put_bytes_of(w, stored, length);
    mst_buffer_free(&deflated);
}

static void seed_zip(void) {
    writer w = {0}, ends = {0};
    zip_member(&w, &ends, "maps/one.txt", "one one one one one one", 23, true);
    zip_member(&w, &ends, "maps/Two.txt", "two", 3, false);
    zip_member(&w, &ends, "../up/./\x82", "", 0, false);
    uint32_t offset = (uint32_t)w.size;
    put_bytes_of(&w, ends.data, ends.size);
    put_u32(&w, 0x06054B50), put_u32(&w, 0), put_u16(&w, 3), put_u16(&w, 3);
    put_u32(&w, (uint32_t)ends.size), put_u32(&w, offset), put_u16(&w, 0);
    seed("zip", w.data, w.size, NULL, 0);
    writer_free(&w);
    writer_free(&ends);
}

static void seed_tar(void) {
    static const char *const names[] = {"maps/one.txt", "two", "/abs/three"};
    writer w = {0};
    for (size_t i = 0; i < 3; i++) {
        char *header = (char *)memset(put(&w, 1024), 0, 1024);
        unsigned sum = 0;
        snprintf(header, 100, "%s", names[i]);
        snprintf(header + 100, 8, "%07o", 0644u);
        snprintf(header + 124, 12, "%011o", 5u);
        memcpy(header + 148, "        ", 8);
        header[156] = '0';
        memcpy(header + 257, "ustar\00000", 8);
        memcpy(header + 512, "hello", 5);
        for (int k = 0; k < 512; k++)
            sum += (uint8_t)header[k];
        snprintf(header + 148, 8, "%06o", sum);
    }
    memset(put(&w, 1024), 0, 1024);
    seed("tar", w.data, w.size, NULL, 0);
    writer_free(&w);
}

/* A disc: readme, maps/ with two files, last. */
static void seed_disc(void) {
    static const struct {
        const char *name;
        uint32_t first, second; /* a file's bytes; a directory's parent and end */
    } entries[] = {{"readme", 0, 7}, {"maps", 1u << 24, 5}, {"MOD6.tab", 0, 3}, {"x", 0, 0}, {"last", 0, 4}};
    enum { TABLE = 0x440, COUNT = MST_COUNT_OF(entries) };
    writer w = {.big = true};
    uint32_t names = 0, strings = 0;
    for (size_t i = 0; i < COUNT; i++)
        strings += (uint32_t)strlen(entries[i].name) + 1;
    uint32_t size = (COUNT + 1) * 12 + strings, data = TABLE + size;
    memset(put(&w, TABLE), 0, TABLE);
    memcpy(w.data, "GSAE01", 6);
    mst_store32(w.data + 0x1C, 0xC2339F3D, true);
    mst_store32(w.data + 0x424, TABLE, true);
    mst_store32(w.data + 0x428, size, true);
    mst_store32(w.data + 0x42C, size, true);
    put_u32(&w, 1u << 24), put_u32(&w, 0), put_u32(&w, COUNT + 1);
    for (size_t i = 0; i < COUNT; i++) {
        bool folder = entries[i].first != 0;
        put_u32(&w, entries[i].first | names), put_u32(&w, folder ? 0 : data), put_u32(&w, entries[i].second);
        data += folder ? 0 : entries[i].second;
        names += (uint32_t)strlen(entries[i].name) + 1;
    }
    for (size_t i = 0; i < COUNT; i++)
        put_bytes_of(&w, entries[i].name, strlen(entries[i].name) + 1);
    put_bytes_of(&w,
                 "read me"
                 "six"
                 "last",
                 14);
    seed("disc", w.data, w.size, NULL, 0);
    writer_free(&w);
}

static void seed_png(bool indexed) {
    uint8_t data[6 * 4 * 4], palette[4][4];
    mst_pixels pixels = {.width = 6, .height = 4, .data = data};
    if (indexed) {
        pixels.format = MST_PIXELS_INDEXED8;
        pixels.palette_count = 4;
        pixels.palette = palette;
    }
    mst_buffer png = {0};
    mst_diagnostic why;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(indexed ? i % 4 : i * 5);
    for (size_t i = 0; i < 16; i++)
        palette[i / 4][i % 4] = (uint8_t)(i % 4 == 3 ? 255 : i * 13);
    MUST(mst_pixels_write_png(&pixels, mst_buffer_sink(&png), &why), &why);
    seed(indexed ? "indexed.png" : "true.png", png.data, png.size, NULL, 0);
    mst_buffer_free(&png);
}

int main(int count, char **arguments) {
    if (count != 2) {
        fputs("prepare DIRECTORY\n", stderr);
        return 2;
    }
    place = arguments[1];
    write_dictionaries();
    seeds_of_fixtures();
    seeds_of_expressions();
    seeds_of_json("tests/fuzz/seeds");
    seeds_of_groups();
    seeds_of_packed();
    seed_textures();
    seed_zip();
    seed_tar();
    seed_disc();
    seed_png(false);
    seed_png(true);
    int missing = 0;
    for (size_t f = 0; mst_formats[f]; f++) {
        const char *id = mst_formats[f]->information.id;
        if (!opened_as[f]) {
            fprintf(stderr, "prepare: %s: no seed opens as it\n", id);
            missing = 1;
        }
    }
    printf("%zu seeds\n", seeds);
    return missing;
}
