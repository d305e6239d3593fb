/* SPDX-License-Identifier: MIT */
/* Documents as a whole: diagnostics for arguments, names, JSON and formats that do not make a document, and
 * the answers of all formats to requests that only some support. */
#include "../src/edit/single_edit.h"
#include "../src/read/engine.h"
#include "../src/read/opened.h"
#include "fixture_files.h"
#include <unistd.h>

/* ---- recognising -------------------------------------------------------------------------------- */

static void unknown_bytes(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        const char *message, *found;
    } cases[] = {
        {"", 0, "the file is empty", ""},
        {"a\tb\r\nc", 6, "no known format begins like this", "text: a b  c"},
        {"plain words that go on and on and on", 36, "no known format begins like this",
         "text: plain words that go on a"},
        {"ab\x7F", 3, "no known format begins like this", "61 62 7f"},
        {"\x01\x80", 2, "no known format begins like this", "01 80"},
        {"0123456789\xFF", 11, "no known format begins like this", "30 31 32 33 34 35 36 37"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_diagnostic why;
        mst_document *d;
        assert_null(mst_identify(cases[i].bytes, cases[i].size, cases[i].size, NULL, &why));
        assert_int_equal(why.status, MST_UNKNOWN);
        assert_string_equal(why.message, cases[i].message);
        assert_string_equal(why.found, cases[i].found);
        assert_null(mst_identify(cases[i].bytes, cases[i].size, cases[i].size, NULL, NULL));
        assert_int_equal(mst_open_memory(cases[i].bytes, cases[i].size, NULL, &d, &why), MST_UNKNOWN);
        assert_null(d);
        assert_int_equal(mst_open_memory(cases[i].bytes, cases[i].size, NULL, &d, NULL), MST_UNKNOWN);
    }
}

static void wanted_formats(void **state) {
    (void)state;
    mst_diagnostic why;
    mst_document *d;
    mst_open_options options = {.size = sizeof options, .format = "no-such-format"};
    assert_int_equal(mst_open_memory("LVL\x0A", 4, &options, &d, &why), MST_ARGUMENT);
    assert_string_equal(why.message, "there is no format called no-such-format");
    options.format = "ns2-level";
    assert_int_equal(mst_open_memory("LVX\xFF", 4, &options, &d, &why), MST_DAMAGED);
    assert_string_equal(why.path, "magic"); /* a file of another format has no version */
    assert_int_equal(mst_open_memory("LVX\xFF", 4, &options, &d, NULL), MST_DAMAGED);
    assert_int_equal(mst_open_memory("LVL\xFF", 4, &options, &d, &why), MST_DAMAGED);
    assert_string_equal(why.path, "version");
    assert_string_equal(why.code, "NS2-VERSION");
    assert_string_equal(why.found, "255");
    assert_int_equal(why.offset, 3);
    assert_int_equal(mst_open_memory("LVL\xFF", 4, &options, &d, NULL), MST_DAMAGED);
    /* two files whose names state which is which */
    options = (mst_open_options){
        .size = sizeof(mst_open_options), .format = "sfa-textures", .name = "something.else"};
    MUST(mst_open_memory("abcd", 4, &options, &d, &why), &why);
    assert_string_equal(mst_document_format(d)->id, "sfa-kept");
    mst_close(d);
    /* a description of no format */
    mst_format_information stranger = {.id = "x", .title = "x"};
    char other[64];
    assert_null(mst_code_at(&stranger, 0));
    assert_int_equal(mst_format_file(&stranger, "x", 0, other, sizeof other), -1);
    assert_int_equal(mst_format_file(mst_format_at(0), "x", 0, other, sizeof other), -1);
    mst_buffer text = {0};
    assert_int_equal(
        mst_write_specification(&stranger, MST_SPECIFICATION_MARKDOWN, NULL, mst_buffer_sink(&text)),
        MST_ARGUMENT);
    assert_int_equal(text.size, 0);
    for (size_t f = 0; f < mst_format_count(); f++) {
        size_t count = 0;
        while (mst_code_at(mst_format_at(f), count))
            count++;
        assert_null(mst_code_at(mst_format_at(f), count + 1));
    }
}

/* A resolver that finds files but cannot read them. */
static mst_status find_broken(void *user, const char *name, const void **bytes, size_t *size) {
    (void)name;
    (void)bytes;
    (void)size;
    return *(const mst_status *)user;
}

static void other_files(void **state) {
    (void)state;
    mst_status says;
    mst_resolver resolver = {.find = find_broken, .user = &says};
    mst_open_options options = {
        .size = sizeof options, .name = "TEX0.tab", .format = "sfa-textures", .sidecars = &resolver};
    mst_document *d;
    mst_diagnostic why;
    static const mst_status all[] = {MST_IO, MST_NO_MEMORY, MST_NO_PATH};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        says = all[i];
        mst_status status = mst_open_memory("\xFF\xFF\xFF\xFF", 4, &options, &d, &why);
        if (says == MST_NO_PATH) { /* it is opened alone */
            MUST(status, &why);
            assert_string_equal(mst_document_format(d)->id, "sfa-table");
            mst_close(d);
            continue;
        }
        assert_int_equal(status, says);
        assert_int_equal(why.status, status);
        assert_string_equal(why.message, "the second file cannot be read: TEX0.bin");
        assert_null(d);
    }
}

/* Looking for the other file in the same directory takes memory, which may be unavailable. */
static void looking_beside(void **state) {
    (void)state;
    char folder[64] = "/tmp/mapstone-document-XXXXXX", path[100];
    if (!mkdtemp(folder))
        skip();
    snprintf(path, sizeof path, "%s/TEX0.tab", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite("\xFF\xFF\xFF\xFF", 1, 4, file), 4);
    assert_int_equal(fclose(file), 0);
    mst_status status = MST_NO_MEMORY;
    for (size_t n = 1; status != MST_OK; n++) {
        counted c = {.fail_at = n, .for_good = true};
        mst_open_options options = {.size = sizeof options, .allocator = counted_allocator(&c)};
        mst_document *d;
        mst_diagnostic why;
        status = mst_open_file(path, &options, &d, &why);
        assert_true(status == MST_NO_MEMORY || status == MST_OK);
        if (status == MST_OK) /* there was enough memory for all of it: it has no other file */
            assert_string_equal(mst_document_format(d)->id, "sfa-table");
        else
            assert_int_equal(why.status, MST_NO_MEMORY);
        mst_close(d);
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
    }
    unlink(path);
    rmdir(folder);
}

/* ---- names and files ---------------------------------------------------------------------------- */

/* A similar text is suggested in full, or not at all. */
static void likely_elements(void **state) {
    (void)state;
    writer w = {0};
    level_plan plan = {0};
    write_level(&w, &plan);
    mst_document *d = open_named(&w, NULL);
    mst_diagnostic why;
    mst_value found;
    char text[80] = "", json[90], path[120];
    for (size_t length = 62; length < 66; length++) {
        memset(text, 'k', length);
        snprintf(json, sizeof json, "\"%s\"", text);
        MUST(mst_set(d, "objects[0].class_name", json, &why), &why);
        snprintf(path, sizeof path, "objects[class_name=%.*s]", (int)length, text);
        MUST(mst_find(mst_root(d), path, &found, &why), &why);
        snprintf(path, sizeof path, "objects[class_name=%.*s]", (int)length - 1, text);
        assert_int_equal(mst_find(mst_root(d), path, &found, &why), MST_NO_PATH);
        const char *hint = strstr(why.message, "; did you mean class_name=");
        assert_int_equal(hint != NULL, length < 64);
        if (hint)
            assert_int_equal(strspn(strchr(hint, '=') + 1, "k"), length);
    }
    mst_close(d);
    writer_free(&w);
}

static void names(void **state) {
    (void)state;
    static const struct {
        const char *given, *kept;
    } cases[] = {{NULL, ""}, {"", ""}, {"-", ""}, {"a/b.level", "b.level"}, {"b.level", "b.level"}};
    writer w = {0};
    level_plan plan = {0};
    write_level(&w, &plan);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_document *d = open_named(&w, cases[i].given);
        const char *name;
        size_t size;
        assert_string_equal(mst_document_name(d), cases[i].kept);
        assert_int_equal(mst_document_file_count(d), 1);
        for (size_t f = 0; f < 4; f++) { /* there is one, regardless of the request */
            assert_memory_equal(mst_document_file(d, f, &name, &size), w.data, w.size);
            assert_int_equal(size, w.size);
            assert_string_equal(name, cases[i].kept);
        }
        mst_close(d);
    }
    /* files that cannot be opened, or written */
    mst_document *d;
    mst_diagnostic why;
    assert_int_equal(mst_open_file("no/such/directory/a.level", NULL, &d, &why), MST_IO);
    assert_null(d);
    d = open_named(&w, NULL);
    assert_int_equal(mst_save_file(d, "no/such/directory/a.level", &why), MST_IO);
    mst_close(d);
    /* a file's name, or the one given in its place */
    char folder[64] = "/tmp/mapstone-document-XXXXXX", path[100];
    if (mkdtemp(folder)) {
        snprintf(path, sizeof path, "%s/a.level", folder);
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(w.data, 1, w.size, file), w.size);
        assert_int_equal(fclose(file), 0);
        mst_open_options options = {.size = sizeof options, .name = "x/other.level"};
        for (int given = 0; given < 3; given++) {
            mst_open_options none = {.size = sizeof none};
            MUST(mst_open_file(path, given == 2 ? &options : given ? &none : NULL, &d, &why), &why);
            assert_string_equal(mst_document_name(d), given == 2 ? "other.level" : "a.level");
            mst_close(d);
        }
#ifndef __wasi__ /* where stdin would be closed for the next run */
        if (freopen(path, "rb", stdin)) {
            MUST(mst_open_file("-", NULL, &d, &why), &why);
            assert_string_equal(mst_document_name(d), "");
            assert_memory_equal(mst_document_bytes(d, &(size_t){0}), w.data, w.size);
            mst_close(d);
        }
#endif
        unlink(path);
        rmdir(folder);
    }
    writer_free(&w);
}

/* ---- support of only some formats ---------------------------------------------------------------- */

static void scenes_of_many(void **state) {
    (void)state;
    writer plain = {0}, cart = {0};
    level_plan plan = {0};
    write_level(&plain, &plan);
    put_u32(&cart, 1), put_u32(&cart, 16), put_u32(&cart, 24), put_u32(&cart, 0), put_u64(&cart, 0);
    mst_document *d = open_named(&plain, NULL), *e = open_named(&cart, NULL);
    mst_scene *scene;
    mst_diagnostic why;
    const struct {
        const mst_document *documents[2];
        size_t count;
        mst_status status;
        const char *message;
    } cases[] = {
        {{d, NULL}, 0, MST_ARGUMENT, "a scene needs at least one document"},
        {{d, e}, 2, MST_ARGUMENT, "documents of different formats cannot make one scene"},
        {{d, d}, 2, MST_UNSUPPORTED, "Natural Selection 2 level makes a scene alone"},
        {{e, NULL}, 1, MST_UNSUPPORTED, "Iguana archive has no scene"},
        {{e, e}, 2, MST_UNSUPPORTED, "Iguana archive has no scene"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(mst_scene_from_documents(cases[i].documents, cases[i].count, NULL, &scene, &why),
                         cases[i].status);
        assert_null(scene);
        assert_string_equal(why.message, cases[i].message);
    }
    mst_close(d);
    mst_close(e);
    writer_free(&plain);
    writer_free(&cart);
}

static void pictures(void **state) {
    (void)state;
    uint8_t bytes[16] = {0}, palette[256][4] = {{0}};
    test_files all = files_small();
    size_t with = 0;
    for (size_t i = 0; i < all.count; i++) {
        mst_open_options options = {.size = sizeof options, .name = all.items[i].name};
        mst_document *d;
        mst_diagnostic why;
        mst_pixels pixels;
        char name[MST_IMAGE_NAME];
        MUST(mst_open_memory(all.items[i].bytes, all.items[i].size, &options, &d, &why), &why);
        size_t count = mst_image_count(d);
        if (!count) {
            bool may =
                strcmp(mst_document_format(d)->id, "ns2-level") == 0; /* others of its kind have some */
            assert_int_equal(mst_image_read(d, 0, 0, NULL, &pixels, name, &why),
                             may ? MST_ARGUMENT : MST_UNSUPPORTED);
            if (may)
                assert_string_equal(why.found, "no images");
            else
                assert_non_null(strstr(why.message, " has no images"));
            assert_int_equal(mst_image_replace(d, 0, NULL, &pixels, &why),
                             may ? MST_ARGUMENT : MST_UNSUPPORTED);
            mst_close(d);
            continue;
        }
        with++;
        assert_int_equal(mst_image_read(d, count, 0, NULL, &pixels, name, NULL), MST_ARGUMENT);
        assert_int_equal(mst_image_read(d, count, 0, NULL, &pixels, name, &why), MST_ARGUMENT);
        char expected[32];
        snprintf(expected, sizeof expected, "0..%zu", count - 1);
        assert_string_equal(why.expected, expected);
        memset(&pixels, 0, sizeof pixels);
        pixels.data = bytes;
        pixels.width = pixels.height = 2;
        pixels.palette = palette;
        for (unsigned wrong = 0; wrong < 7; wrong++) {
            mst_pixels other = pixels;
            other.format = wrong > 2 ? MST_PIXELS_INDEXED8 : MST_PIXELS_RGBA8;
            other.palette_count = wrong >= 5 ? 4 : 0;
            switch (wrong) {
            case 0: other.data = NULL; break;
            case 1: other.width = 0; break;
            case 2: other.height = 0; break;
            case 4: other.palette_count = 257; break;
            case 5: bytes[3] = 4; break;
            case 6: other.palette = NULL; break;
            default: break;
            }
            assert_int_equal(mst_image_replace(d, 0, NULL, &other, &why), MST_ARGUMENT);
            assert_string_equal(why.message, wrong != 5 ? "there are no pixels to write"
                                                        : "the pixel in column 1 of row 1 has no colour");
            assert_false(mst_is_edited(d));
            bytes[3] = 0;
        }
        mst_close(d);
    }
    assert_true(with > 0);
    files_free(&all);
}

static mst_status refuse_report(void *user, const mst_diagnostic *loss) {
    ++*(size_t *)user;
    assert_int_equal(loss->severity, MST_WARNING);
    return MST_STOPPED;
}

static void conversions(void **state) {
    (void)state;
    writer cart = {0};
    put_u32(&cart, 1), put_u32(&cart, 16), put_u32(&cart, 24), put_u32(&cart, 0), put_u64(&cart, 0);
    mst_document *d = open_named(&cart, "x.dat"), *made;
    mst_diagnostic why;
    /* unchanged: an independent copy */
    MUST(mst_convert(d, NULL, NULL, NULL, &made, &why), &why);
    assert_memory_equal(mst_document_bytes(made, &(size_t){0}), cart.data, cart.size);
    assert_string_equal(mst_document_name(made), "x.dat");
    assert_true(mst_is_edited(made));
    mst_close(made);
    mst_convert_options how = {.size = sizeof how, .byte_order = "big"};
    size_t reported = 0;
    assert_int_equal(mst_convert(d, &how, NULL, NULL, &made, &why), MST_REFUSED);
    assert_string_equal(why.message, "the other byte order would be incomplete");
    assert_null(made);
    assert_int_equal(mst_convert(d, &how, refuse_report, &reported, &made, &why), MST_STOPPED);
    assert_int_equal(reported, 1);
    how.allow_loss = 1;
    how.name = "y.dat";
    MUST(mst_convert(d, &how, NULL, NULL, &made, &why), &why);
    assert_string_equal(mst_document_name(made), "y.dat");
    const uint8_t *bytes = mst_document_bytes(made, &(size_t){0});
    assert_int_equal(mst_load32(bytes, true), 1);
    assert_int_equal(mst_load32(bytes + 8, true), 24);
    mst_close(made);
    how = (mst_convert_options){.size = sizeof(mst_convert_options), .byte_order = "middle"};
    assert_int_equal(mst_convert(d, &how, NULL, NULL, &made, &why), MST_ARGUMENT);
    how = (mst_convert_options){.size = sizeof(mst_convert_options), .has_version = 1, .version = 3};
    assert_int_equal(mst_convert(d, &how, NULL, NULL, &made, &why), MST_ARGUMENT);
    assert_int_equal(mst_describe(d, "triggers", NULL, (mst_sink){0}, &why), MST_UNSUPPORTED);
    mst_close(d);
    writer_free(&cart);
}

/* ---- JSON that makes no document ---------------------------------------------------------------- */

static void json_documents(void **state) {
    (void)state;
    static const char version[] = "the JSON's version is missing or unknown",
                      unknown[] = "the JSON names an unknown format",
                      long_name[] = "a-name-of-more-than-the-sixty-characters-that-are-shown-of-i";
    static const struct {
        const char *format, *json;
        mst_status status;
        const char *message, *path, *expected, *found;
    } cases[] = {
        {NULL, "[]", MST_ARGUMENT, "the JSON of a document must be an object", "", "", ""},
        {NULL, "{}", MST_UNKNOWN, "the JSON does not name its format (\"$format\")", "", "", ""},
        {NULL, "{\"$format\":5}", MST_UNKNOWN, "\"$format\" is not a string", "", "", ""},
        {NULL, "{\"$format\":\"nothing\"}", MST_UNKNOWN, unknown, "", "", "nothing"},
        {NULL, "{\"$format\":\"a-name-of-more-than-the-sixty-characters-that-are-shown-of-it\"}", MST_UNKNOWN,
         unknown, "", "", long_name},
        {"nothing", "{}", MST_UNKNOWN, unknown, "", "", ""},
        {"nothing", "{\"$format\":\"ns2-level\",\"version\":10}", MST_ARGUMENT,
         "the JSON is of another format", "", "nothing", "ns2-level"},
        {"iguana", "{\"$format\":\"ns2-level\",\"version\":10}", MST_ARGUMENT,
         "the JSON is of another format", "", "iguana", "ns2-level"},
        {"ns2-level", "{\"$format\":\"ns2-level\",\"version\":10}", MST_OK, "", "", "", ""},
        {"ns2-level", "{\"version\":10}", MST_OK, "", "", "", ""},
        {"ns2-level", "{\"version\":10,\"$byte_order\":\"little\"}", MST_OK, "", "", "", ""},
        {"ns2-level", "{\"version\":10,\"$byte_order\":\"middle\"}", MST_ARGUMENT,
         "\"$byte_order\" must be \"big\" or \"little\"", "", "", ""},
        {"ns2-level", "{\"version\":10,\"$byte_order\":5}", MST_ARGUMENT,
         "\"$byte_order\" must be \"big\" or \"little\"", "", "", ""},
        {"ns2-level", "{\"version\":10,\"$byte_order\":\"lit\\u0000le\"}", MST_ARGUMENT,
         "\"$byte_order\" must be \"big\" or \"little\"", "", "", ""},
        {"ns2-level", "{\"version\":10,\"$byte_order\":\"big\"}", MST_REFUSED, NULL, NULL, NULL, NULL},
        {"ns2-level", "{\"version\":10,\"$layout\":\"raw\"}", MST_ARGUMENT,
         "\"$layout\" does not name a known layout", "$layout", "", ""},
        {"revenant-sector", "{\"version\":15,\"$layout\":\"other\"}", MST_ARGUMENT,
         "\"$layout\" does not name a known layout", "$layout", "", ""},
        {"revenant-sector", "{\"version\":15,\"$layout\":\"prose\",\"state_hash\":0,\"objects\":[]}",
         MST_REFUSED, "the bytes would be read as another version, byte order or layout of the format", "",
         "", ""},
        {"revenant-sector", "{\"version\":15,\"$layout\":\"retail\",\"state_hash\":0,\"objects\":[]}", MST_OK,
         "", "", "", ""},
        {"revenant-sector",
         "{\"version\":15,\"$layout\":\"raw\",\"state_hash\":0,\"data\":\"00\",\"stray\":1}", MST_ARGUMENT,
         "no such field here: wrong name or version, or its flag is not set", "", "", "stray"},
        {"ns2-level", "{}", MST_ARGUMENT, version, "version", "one of 4, 5, 6, 7, 8, 9, 10", ""},
        {"ns2-level", "{\"version\":\"10\"}", MST_ARGUMENT, version, "version", "one of 4, 5, 6, 7, 8, 9, 10",
         ""},
        {"ns2-level", "{\"version\":1.5}", MST_ARGUMENT, version, "version", "one of 4, 5, 6, 7, 8, 9, 10",
         ""},
        {"ns2-level", "{\"version\":-1}", MST_ARGUMENT, version, "version", "one of 4, 5, 6, 7, 8, 9, 10",
         ""},
        {"ns2-level", "{\"version\":4294967306}", MST_ARGUMENT, version, "version",
         "one of 4, 5, 6, 7, 8, 9, 10", ""},
        {"ns2-level", "{\"version\":99}", MST_ARGUMENT, version, "version", "one of 4, 5, 6, 7, 8, 9, 10",
         ""},
        {"ns2-level", "{\"version\":10", MST_DAMAGED, NULL, "", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_open_options options = {.size = sizeof options, .format = cases[i].format, .name = "1_2_3.dat"};
        mst_document *d = NULL;
        mst_diagnostic why;
        memset(&why, 0, sizeof why);
        mst_status status = mst_open_json(cases[i].json, strlen(cases[i].json), &options, &d, &why);
        if (status != cases[i].status)
            print_error("%s: %s: %s\n", cases[i].json, mst_status_text(status), why.message);
        assert_int_equal(status, cases[i].status);
        assert_true((d != NULL) == (status == MST_OK));
        mst_close(d);
        if (cases[i].message && status != MST_OK)
            assert_string_equal(why.message, cases[i].message);
        if (cases[i].expected && status != MST_OK) {
            assert_string_equal(why.path, cases[i].path);
            assert_string_equal(why.expected, cases[i].expected);
            assert_string_equal(why.found, cases[i].found);
        }
        assert_int_equal(mst_open_json(cases[i].json, strlen(cases[i].json), &options, &d, NULL), status);
        mst_close(d);
    }
    /* without any options; and with so little memory that it cannot be read */
    static const char min[] = "{\"$format\":\"ns2-level\",\"version\":10}";
    mst_document *d;
    mst_diagnostic why;
    MUST(mst_open_json(min, strlen(min), NULL, &d, &why), &why);
    mst_close(d);
    mst_open_options options = {.size = sizeof options, .budget = 64};
    assert_int_equal(mst_open_json(min, strlen(min), &options, &d, &why), MST_NO_MEMORY);
    options.budget = 1u << 16;
    MUST(mst_open_json(min, strlen(min), &options, &d, &why), &why);
    mst_close(d);
}

/* ---- paths --------------------------------------------------------------------------------------- */

static void deep_paths(void **state) {
    (void)state;
    /* an edit keeps the steps to its target, up to this number */
    writer w = {0};
    sector_object one = sector_thing(SECTOR_CONTAINER, SECTOR_IMMOBILE, "chest");
    sector_source r = {.s = {.version = 3, .objects = &one, .object_count = 1}};
    writer single = {0};
    one.has_inventory = true;
    put_sector_object(&single, &r.s, &one, "x");
    put_bytes_of(&w, "MAP ", 4);
    put_u32(&w, 3), put_u32(&w, 1);
    for (size_t i = 0; i < 40; i++) {
        memcpy(put(&w, single.size), single.data, single.size);
        mst_store32(w.data + w.size - 4, i < 39, false);
    }
    mst_document *d = open_named(&w, "7_3_5.DAT");
    for (size_t levels = 28; levels < 36; levels++) {
        char path[1000] = "objects[0]";
        for (size_t i = 1; i < levels; i++)
            strcat(path, ".inventory[0]");
        strcat(path, ".shadow");
        mst_value value;
        mst_diagnostic why;
        MUST(mst_find(mst_root(d), path, &value, &why), &why);
        /* the root, two for each level, and the field: 64 */
        mst_status status = mst_set(d, path, "77", &why);
        assert_int_equal(status, 1 + 2 * levels + 1 <= 64 ? MST_OK : MST_NO_PATH);
        if (status != MST_OK) {
            assert_non_null(strstr(why.message, "the path is too deep"));
            continue;
        }
        int64_t number;
        MUST(mst_find(mst_root(d), path, &value, &why), &why);
        MUST(mst_get_integer(&value, &number), NULL);
        assert_int_equal(number, 77);
    }
    /* a new element needs a step of its own */
    for (size_t levels = 30; levels < 32; levels++) {
        char path[1000] = "objects[0]";
        for (size_t i = 1; i < levels; i++)
            strcat(path, ".inventory[0]");
        strcat(path, ".inventory[1]");
        mst_diagnostic why;
        mst_status status = mst_insert(d, path, "{\"class\":-1}", &why);
        if (levels == 31)
            assert_string_equal(why.message, "the path is too deep");
        else
            MUST(status, &why);
    }
    mst_close(d);
    writer_free(&w);
    writer_free(&single);
}

/* ---- reading fields that differ between elements ------------------------------------------------- */

static void reading_one_by_one(void **state) {
    (void)state;
    writer w = {0};
    sector_source capacity;
    full_sector(&capacity, 15);
    write_sector(&w, &capacity.s);
    mst_document *d = open_named(&w, "7_3_5.DAT");
    static const struct {
        const char *path;
        uint32_t components;
        mst_status status;
        const char *message;
    } cases[] = {
        {"objects[2:4].position", 0, MST_OK, ""},
        {"objects[2:4].position", 2, MST_OK, ""},
        {"objects[2:4].position", 4, MST_ARGUMENT, "element 2 has 3 components"},
        {"objects[2:4].poison", 0, MST_NO_PATH, "element 2 has no such field"},
        {"objects[0:2].position", 0, MST_NO_PATH, "element 1 has no such field"}, /* an empty slot */
        {"objects[2:4].name", 0, MST_ARGUMENT, "these are not numbers"},
        {"objects[2:4]", 0, MST_ARGUMENT, "these are not numbers"},
    };
    mst_diagnostic why;
    uint64_t count;
    int32_t numbers[32];
    int64_t integer;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_value v;
        MUST(mst_find(mst_root(d), cases[i].path, &v, &why), &why);
        mst_target target = {
            .type = MST_I32, .components = cases[i].components, .stride = 32, .data = numbers, .capacity = 4};
        assert_int_equal(mst_read(&v, &target, &count, &why), cases[i].status);
        if (cases[i].status != MST_OK) {
            assert_string_equal(why.message, cases[i].message);
            continue;
        }
        assert_int_equal(count, 2);
        for (size_t k = 0; k < 2; k++) {
            char path[64];
            snprintf(path, sizeof path, "objects[%zu].position[1]", k + 2);
            MUST(mst_find(mst_root(d), path, &v, &why), &why);
            MUST(mst_get_integer(&v, &integer), NULL);
            assert_int_equal(numbers[8 * k + 1], integer);
        }
    }
    /* one element of a slice lacks the field: there is no number then */
    mst_value v;
    MUST(mst_find(mst_root(d), "objects[0:1].poison", &v, &why), &why);
    assert_int_equal(mst_get_integer(&v, &integer), MST_ARGUMENT);
    mst_close(d);
    writer_free(&w);
    /* lists of different lengths */
    level_plan plan = {0};
    write_level(&w, &plan);
    d = open_named(&w, NULL);
    MUST(mst_find(mst_root(d), "objects[1].properties[:].value", &v, &why), &why);
    mst_target target = {.type = MST_I32, .data = numbers, .capacity = 32};
    assert_int_equal(mst_read(&v, &target, &count, &why), MST_ARGUMENT);
    mst_close(d);
    writer_free(&w);
}

/* ---- readings that depend on the contents --------------------------------------------------------- */

static void meanings(void **state) {
    (void)state;
    static const char json[] = "{\"$format\":\"revenant-sector\",\"version\":4,\"objects\":["
                               "{\"class\":\"tile\",\"unique_id\":1,\"name\":\"lamp\"},"
                               "{\"class\":\"item\",\"unique_id\":0,\"name\":\"\"}]}";
    mst_open_options options = {.size = sizeof options, .name = "7_3_5.DAT", .lenient_json = 1};
    mst_document *d;
    mst_diagnostic why;
    mst_value value;
    size_t size, now;
    MUST(mst_open_json(json, strlen(json), &options, &d, &why), &why);
    assert_int_equal(mst_find(mst_root(d), "objects[0].inventory", &value, &why), MST_NO_PATH);
    const void *bytes = mst_document_bytes(d, &size);
    uint8_t *before = malloc(size);
    assert_non_null(before);
    memcpy(before, bytes, size);
    /* four zeros would be an empty inventory: no path means that */
    assert_int_equal(mst_set(d, "objects[0].unknown_tail", "\"00000000\"", &why), MST_REFUSED);
    assert_string_equal(why.message, "the value would be read back as something else");
    assert_int_equal(mst_edit_set(d, "objects[name=lamp].unknown_tail", "\"00000000\"", &why), MST_REFUSED);
    assert_string_equal(why.message, "the edited value would be read as a different field than before");
    MUST(mst_set(d, "objects[name=lamp].unknown_tail", "\"FFFFFF\"", &why), &why);
    MUST(mst_set(d, "objects[name=lamp].unknown_tail", "\"\"", &why), &why);
    bytes = mst_document_bytes(d, &now);
    assert_int_equal(now, size);
    assert_memory_equal(bytes, before, size);
    free(before);
    /* a thing that carries nothing may start to; one of another class lacks the field */
    MUST(mst_set(d, "objects[0].inventory", "[]", &why), &why);
    MUST(mst_find(mst_root(d), "objects[0].inventory", &value, &why), &why);
    assert_int_equal(mst_count(&value), 0);
    assert_int_equal(mst_set(d, "objects[0].poison", "1", &why), MST_NO_PATH);
    assert_int_equal(mst_set(d, "objects[0].nothing", "1", &why), MST_NO_PATH);
    assert_int_equal(mst_set(d, "objects.nothing", "1", &why), MST_NO_PATH);
    mst_close(d);
}

/* ---- references ---------------------------------------------------------------------------------- */

/* Each format's reference has its codes and sentences of its own; the contents of its tables show in
 * words. */
static void references(void **state) {
    (void)state;
    static const struct {
        const char *id, *says;
    } words[] = {
        {"ns2-level", "| `version` | u8 |"},
        {"ns2-level", "Then chunks until the end: u32 id, u32 length, content."},
        {"revenant-sector", "layout is not raw"},
        {"revenant-sector", "class is one of"},
        {"revenant-sector", "version >= 3, version < 14"},
        {"alien-map", "big-endian"},
        {"turok-map", "An indexed archive; the fields are its blocks, in order."},
        {"turok-map", "data set of"},
        {"turok-map", ", 0 or -1 for none"},
        {"iguana", "archive of block"},
        {"sfa-romlist", "In units of 4 bytes. "},
        {"sfa-romlist", "## Codes"},
    };
    size_t said = 0;
    for (size_t f = 0; f < mst_format_count(); f++) {
        const mst_format_information *format = mst_format_at(f);
        mst_buffer text = {0};
        MUST(mst_write_specification(format, MST_SPECIFICATION_MARKDOWN, NULL, mst_buffer_sink(&text)), NULL);
        MUST(mst_buffer_sink(&text).write(&text, "", 1), NULL);
        const char *all = (const char *)text.data;
        char title[200];
        snprintf(title, sizeof title, "# %s (`%s`)\n", format->title, format->id);
        assert_memory_equal(all, title, strlen(title));
        assert_null(strstr(all, "(null)"));
        for (const char *at = strstr(all, "\n## "); at; at = strstr(at + 1, "\n## ")) {
            if (strncmp(at, "\n## Sources\n", 12) == 0) /* which may begin with a link */
                continue;
            const char *first = strstr(at, "\n\n"); /* the description of a record begins like a sentence */
            assert_non_null(first);
            assert_false(first[2] >= 'a' && first[2] <= 'z');
        }
        const mst_code_information *code;
        for (size_t i = 0; (code = mst_code_at(format, i)) != NULL; i++) {
            char row[300];
            snprintf(row, sizeof row, "\n| `%s` | ", code->code);
            assert_non_null(strstr(all, row));
        }
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (strcmp(words[i].id, format->id) == 0) {
                if (!strstr(all, words[i].says))
                    print_error("%s: \"%s\" is not said\n", words[i].id, words[i].says);
                assert_non_null(strstr(all, words[i].says));
                said++;
            }
        mst_buffer_free(&text);
    }
    assert_int_equal(said, sizeof words / sizeof *words); /* each belongs to an existing format */
}

int test_document(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_bytes),  cmocka_unit_test(wanted_formats),
        cmocka_unit_test(other_files),    cmocka_unit_test(looking_beside),
        cmocka_unit_test(names),          cmocka_unit_test(likely_elements),
        cmocka_unit_test(scenes_of_many), cmocka_unit_test(pictures),
        cmocka_unit_test(conversions),    cmocka_unit_test(json_documents),
        cmocka_unit_test(deep_paths),     cmocka_unit_test(reading_one_by_one),
        cmocka_unit_test(references),     cmocka_unit_test(meanings),
    };
    return cmocka_run_group_tests_name("documents", tests, NULL, NULL);
}
