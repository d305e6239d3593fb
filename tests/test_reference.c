/* SPDX-License-Identifier: MIT */
/*
 * docs/formats: the reference of every format, as `mapstone spec` prints it. `test_reference write` (make
 * docs) writes it; a change is compared with the format's description when the difference is read. Records of
 * the samples are then read by the reference alone: the place of each field, and the number in its bytes.
 */
#include "../src/languages/record_names.h"
#include "documents.h"

static void references_are_what_the_tables_say(void **state) {
    (void)state;
    size_t differ = 0;
    for (size_t i = 0; i < mst_format_count(); i++) {
        const mst_format_information *format = mst_format_at(i);
        mst_buffer text = {0};
        char path[96];
        size_t size;
        snprintf(path, sizeof path, "docs/formats/%s.md", format->id);
        MUST(mst_write_specification(format, MST_SPECIFICATION_MARKDOWN, NULL, mst_buffer_sink(&text)), NULL);
        uint8_t *wanted = read_whole(path, &size);
        if (!wanted || size != text.size || memcmp(wanted, text.data, size) != 0) {
            print_error("%s is not what the tables say: make docs, and read the difference\n", path);
            differ++;
        }
        free(wanted);
        mst_buffer_free(&text);
    }
    assert_int_equal(differ, 0);
    assert_true(mst_format_count() > 20);
}

/* The texts in other languages are checked by tests/specs/texts.py; a failing sink stops them. */
static mst_status refuse(void *user, const void *data, size_t size) {
    (void)user, (void)data, (void)size;
    return MST_IO;
}

static void in_other_languages(void **state) {
    (void)state;
    static const mst_specification kinds[] = {MST_SPECIFICATION_HTML, MST_SPECIFICATION_HEXPAT,
                                              MST_SPECIFICATION_KSY, MST_SPECIFICATION_JSON_SCHEMA};
    static const char *const begins[] = {"<!DOCTYPE html>", "// Not tested", "meta:", "{"},
                             *const has[] = {"</html>\n", "_record<", "\n  id: ", "\"$defs\""};
    for (size_t i = 0; i < mst_format_count(); i++)
        for (size_t w = 0; w < sizeof kinds / sizeof *kinds; w++) {
            mst_buffer text = {0};
            MUST(mst_write_specification(mst_format_at(i), kinds[w], NULL, mst_buffer_sink(&text)), NULL);
            MUST(mst_buffer_sink(&text).write(&text, "", 1), NULL);
            assert_ptr_equal(strstr((const char *)text.data, begins[w]), text.data);
            assert_non_null(strstr((const char *)text.data, has[w]));
            mst_buffer_free(&text);
            assert_int_equal(
                mst_write_specification(mst_format_at(i), kinds[w], NULL, (mst_sink){refuse, NULL}), MST_IO);
        }
}

/* The parameters of one type of object, which the reference leaves out. */
static void one_of_many(void **state) {
    (void)state;
    static const struct {
        const char *format, *what;
        mst_status status;
        const char *says;
    } cases[] = {
        {"sfa-romlist", "LargeCrate", MST_OK, "| `drop` | u8 | 25 |"},
        {"sfa-romlist", "0x49F", MST_OK, "| `respawn_minutes` | i16 | 28 | min |"},
        {"sfa-romlist", "1849", MST_NO_PATH, NULL},          /* not a type */
        {"sfa-romlist", "GuardClaw", MST_OK, "sharpclawGr"}, /* another type with the same parameters */
        {"sfa-romlist", "ProjectileS", MST_OK, "particular to ProjectileS are not known"},
        {"sfa-romlist", "curve", MST_OK,
         "| `kind` | u8 | 25 |"}, /* described everywhere, but also selected */
        {"sfa-romlist", "TrigPln", MST_OK, "\n## command\n"},
        {"sfa-romlist", "grouped", MST_NO_PATH, NULL}, /* a name that does not select records */
        {"sfa-romlist", "", MST_NO_PATH, NULL},
        {"ns2-level", "LargeCrate", MST_NO_PATH, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const mst_format_information *format = NULL;
        for (size_t f = 0; f < mst_format_count() && !format; f++)
            if (strcmp(mst_format_at(f)->id, cases[i].format) == 0)
                format = mst_format_at(f);
        mst_buffer text = {0};
        assert_int_equal(mst_write_specification(format, MST_SPECIFICATION_MARKDOWN, cases[i].what,
                                                 mst_buffer_sink(&text)),
                         cases[i].status);
        if (cases[i].says) {
            MUST(mst_buffer_sink(&text).write(&text, "", 1) ? MST_IO : MST_OK, NULL);
            assert_non_null(strstr((const char *)text.data, cases[i].says));
        } else {
            assert_int_equal(text.size, 0);
        }
        mst_buffer_free(&text);
    }
}

/* The names that select such records. */
static void names_of_many(void **state) {
    (void)state;
    for (size_t f = 0; f < mst_format_count(); f++) {
        const mst_format_information *format = mst_format_at(f);
        bool objects = strcmp(format->id, "sfa-romlist") == 0;
        size_t count = 0;
        const char *name;
        for (; (name = mst_record_reference_name(format, count)) != NULL; count++) {
            mst_buffer text = {0};
            MUST(mst_write_specification(format, MST_SPECIFICATION_MARKDOWN, name, mst_buffer_sink(&text)),
                 NULL);
            mst_buffer_free(&text);
        }
        assert_int_equal(count, objects ? 814 : 0); /* types in the game's lists */
    }
}

/* ---- values, read by the reference --------------------------------------------------------------- */

typedef struct record_place {
    const char *format, *sample, *record, *path;
} record_place;

/* The line after "## record" in a reference; fails if there is none. */
static char *section_of(char *reference, const char *record) {
    char heading[96];
    int length = snprintf(heading, sizeof heading, "\n## %s\n", record);
    char *found = strstr(reference, heading);
    if (!found)
        print_error("the reference has no %s\n", record);
    assert_non_null(found);
    return found + length;
}

typedef struct row {
    char name[64], type[64];
    bool little; /* regardless of the file */
    char only;   /* 'l' or 'b': in files of this byte order */
} row;

/* The next field in a section of the reference: "| `name` | type | unit | present | meaning |". */
static bool next_row(char **at, row *field) {
    for (; strncmp(*at, "## ", 3) != 0; *at = strchr(*at, '\n') + 1) {
        if (strncmp(*at, "| `", 3) != 0)
            continue;
        char *end = strchr(*at, '\n'), *note = strstr(*at, "Little-endian.");
        assert_int_equal(sscanf(*at, "| `%63[^`]` | %63[^|]", field->name, field->type), 2);
        for (size_t length = strlen(field->type); length && field->type[length - 1] == ' ';)
            field->type[--length] = 0;
        field->little = note && note < end;
        const char *present = *at;
        for (int column = 0; column < 5; column++)
            present = strchr(present, '|') + 1;
        field->only = strncmp(present, " little-endian |", 16) == 0 ? 'l'
                      : strncmp(present, " big-endian |", 13) == 0  ? 'b'
                                                                    : 0;
        *at = end + 1;
        return true;
    }
    return false;
}

/* The width and number of a type's elements; false if its size is not fixed. */
static bool plain_type(const char *type, char *kind, unsigned *width, unsigned *count) {
    const char *at = type;
    *count = 1;
    *width = 1;
    *kind = 'b';
    if (strncmp(type, "bool (", 6) == 0) {
        *kind = 'u';
        *width = (unsigned)strtoul(type + 7, NULL, 10) / 8;
        return true;
    }
    if (strncmp(type, "bytes[", 6) == 0 || strncmp(type, "char[", 5) == 0) {
        at = strchr(type, '[');
    } else {
        char *end;
        *kind = type[0];
        *width = (unsigned)strtoul(type + 1, &end, 10) / 8;
        if (!strchr("uif", *kind) || *width == 0)
            return false;
        at = end;
    }
    if (*at == '[') {
        char *end;
        *count = (unsigned)strtoul(at + 1, &end, 10);
        return *end == ']' && end[1] == 0;
    }
    return *at == 0;
}

static uint64_t number_of_bytes(const uint8_t *bytes, unsigned width, bool big) {
    uint64_t number = 0;
    for (unsigned i = 0; i < width; i++)
        number = number << 8 | bytes[big ? i : width - 1 - i];
    return number;
}

static void assert_number_of_bytes(const mst_value *value, const uint8_t *bytes, char kind, unsigned width,
                                   bool big) {
    uint64_t wanted = number_of_bytes(bytes, width, big), number;
    int64_t with_sign;
    double real;
    if (kind == 'f') {
        MUST(mst_get_real(value, &real), NULL);
        assert_int_equal(mst_value_type(value), MST_TYPE_REAL);
        assert_int_equal(mst_bits_of_f32((float)real), wanted);
    } else if (kind == 'u') {
        MUST(mst_get_unsigned(value, &number), NULL);
        assert_int_equal(number, wanted);
    } else {
        MUST(mst_get_integer(value, &with_sign), NULL);
        if (bytes[big ? 0 : width - 1] & 0x80)
            wanted |= ~(uint64_t)0 << (8 * width - 1);
        assert_int_equal((uint64_t)with_sign, wanted);
    }
}

/* The sample `name`, made from its JSON; NULL if this build does not read JSON. */
static uint8_t *sample_file(const char *name, const char *byte_order, size_t *size) {
    char path[128];
    size_t length;
    mst_document *document, *other;
    mst_diagnostic why;
    snprintf(path, sizeof path, "samples/%s.json", name);
    char *text = (char *)read_whole(path, &length);
    assert_non_null(text);
    mst_status status = mst_open_json(text, length, NULL, &document, &why);
    free(text);
    if (status == MST_UNSUPPORTED)
        return NULL;
    MUST(status, &why);
    if (byte_order) {
        mst_convert_options options = {.size = sizeof options, .byte_order = byte_order, .allow_loss = 1};
        MUST(mst_convert(document, &options, NULL, NULL, &other, &why), &why);
        mst_close(document);
        document = other;
    }
    const void *bytes = mst_document_file(document, 0, NULL, size);
    uint8_t *copy = malloc(*size);
    assert_non_null(copy);
    memcpy(copy, bytes, *size);
    mst_close(document);
    return copy;
}

static void assert_record_values(const record_place *place, char *reference, uint8_t *file, size_t size,
                                 bool big) {
    mst_document *document = open_as(file, size, place->format, NULL);
    mst_value record, value, element;
    mst_diagnostic why;
    uint64_t start, length, offset, bytes;
    MUST(mst_find(mst_root(document), place->path, &record, &why), &why);
    mst_value_span(&record, &start, &length);
    mst_close(document);
    assert_true(start + length <= size);
    /* no byte is 0xFF or 0x7F, so that no float is NaN or infinite */
    for (uint64_t i = 0; i < length; i++)
        file[start + i] = (uint8_t)(0x80 + (i * 29 + 7) % 0x60);
    document = open_as(file, size, place->format, NULL);
    MUST(mst_find(mst_root(document), place->path, &record, &why), &why);
    uint64_t at = start;
    row field;
    for (char *line = section_of(reference, place->record); next_row(&line, &field);) {
        char kind;
        unsigned width, elements;
        if (field.only == (big ? 'l' : 'b'))
            continue;
        assert_true(plain_type(field.type, &kind, &width, &elements));
        MUST(mst_member(&record, field.name, &value), NULL);
        mst_value_span(&value, &offset, &bytes);
        if (offset != at || bytes != (uint64_t)width * elements)
            print_error("%s %s.%s: %llu + %llu, not %llu + %u\n", place->format, place->record, field.name,
                        (unsigned long long)offset, (unsigned long long)bytes, (unsigned long long)at,
                        width * elements);
        assert_int_equal(offset, at);
        assert_int_equal(bytes, width * elements);
        assert_true(offset + bytes <= size);
        bool is_list = strchr(field.type, '[') != NULL;
        for (unsigned i = 0; i < elements && kind != 'b'; i++) {
            if (is_list) {
                assert_int_equal(mst_count(&value), elements);
                MUST(mst_element(&value, i, &element), NULL);
            }
            assert_number_of_bytes(is_list ? &element : &value, file + at + (size_t)i * width, kind, width,
                                   big && !field.little);
        }
        at += bytes;
    }
    assert_int_equal(at - start, length);
    mst_close(document);
}

static void assert_values(const record_place *place, const char *byte_order) {
    size_t size, text_size;
    char path[96];
    uint8_t *file = sample_file(place->sample, byte_order, &size);
    if (!file) {
        skip();
        return;
    }
    snprintf(path, sizeof path, "docs/formats/%s.md", place->format);
    char *reference = (char *)read_whole(path, &text_size);
    assert_non_null(reference);
    reference[text_size - 1] = 0;
    assert_record_values(place, reference, file, size, byte_order && strcmp(byte_order, "big") == 0);
    free(reference);
    free(file);
}

/* The name of a row of fields, and the condition of its presence; false for other rows, which have fewer
 * columns. */
static bool key_of(const char *line, char key[256]) {
    const char *end = strchr(line, '\n'), *bars[16];
    size_t count = 0;
    for (const char *at = line; at < end && count < 16; at++)
        if (*at == '|')
            bars[count++] = at;
    if (strncmp(line, "| `", 3) != 0 ||
        count < 6) /* | name | type | offset (some) | unit | present | meaning | */
        return false;
    const char *present = bars[count == 6 ? 3 : 4], *after = bars[count == 6 ? 4 : 5];
    snprintf(key, 256, "%.*s%.*s", (int)(bars[1] - line), line, (int)(after - present), present);
    return true;
}

/* A number that names nothing by being the length of its list still does so after its target was removed. */
static void ends_name_nothing(void **state) {
    (void)state;
    mst_buffer text = {0};
    for (size_t f = 0; f < mst_format_count(); f++)
        if (strcmp(mst_format_at(f)->id, "ns2-level") == 0)
            MUST(mst_write_specification(mst_format_at(f), MST_SPECIFICATION_MARKDOWN, NULL,
                                         mst_buffer_sink(&text)),
                 NULL);
    MUST(mst_buffer_sink(&text).write(&text, "", 1), NULL);
    assert_non_null(strstr((const char *)text.data, "| `triangle.normals` (refuses, or none) |"));
    assert_non_null(strstr((const char *)text.data, "| `triangle.vertices` (refuses, or is also removed) |"));
    mst_buffer_free(&text);
}

/* No record has a field twice under the same conditions; every format states the sources of its facts. */
static void rows_occur_once(void **state) {
    (void)state;
    size_t rows = 0;
    for (size_t i = 0; i < mst_format_count(); i++) {
        mst_buffer text = {0};
        char keys[128][256];
        size_t count = 0;
        MUST(mst_write_specification(mst_format_at(i), MST_SPECIFICATION_MARKDOWN, NULL,
                                     mst_buffer_sink(&text)),
             NULL);
        MUST(mst_buffer_sink(&text).write(&text, "", 1) ? MST_IO : MST_OK, NULL);
        assert_non_null(strstr((const char *)text.data, "\n## Sources\n\n"));
        for (const char *line = (const char *)text.data; *line; line = strchr(line, '\n') + 1) {
            if (*line == '#')
                count = 0;
            assert_true(count < 128);
            if (!key_of(line, keys[count]))
                continue;
            for (size_t k = 0; k < count; k++)
                if (strcmp(keys[k], keys[count]) == 0)
                    fail_msg("%s: %s", mst_format_at(i)->id, keys[count]);
            count++;
            rows++;
        }
        mst_buffer_free(&text);
    }
    assert_true(rows > 1000);
}

/* The statements of the reference about layouts and byte orders; and the parts of a parsed file that are not
 * in the file. */
static void says_when_and_where(void **state) {
    (void)state;
    static const struct {
        const char *format, *record, *says;
        bool does;
    } cases[] = {
        /* saved games keep players as bytes in the other layout: such a file has no object */
        {"revenant-save", "object", "| `size_1` | i16 | 8 |  |  |", true},
        {"revenant-save", "object", "layout is", false},
        {"revenant-save", "save", "layout is bytes", true},
        {"alien-map", "map", "| `light_count` | u8 | 13 |  | little-endian |", true},
        {"alien-map", "map", "| `light_count` | u8 | 12 |  | big-endian |", true},
        {"alien-map", "light", "Little-endian.", true},
        {"revenant-image", "image", "-endian", false},
        {"turok-map", "level", "| `block_8` to `block_31` |", true},
        /* the things that a player in an inventory carries follow its bytes; blocks have no such part */
        {"revenant-save", "object", "| `player` | bytes until the last part |", true},
        {"revenant-save", "object", "Only the last part follows.", true},
        {"iguana", "block", "Only the last part follows.", false},
        {"revenant-save", "monster", "stream_version >= 15", true},
        {"ns2-level", "face", "4294967295 (`none`) for none", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[96];
        size_t size;
        snprintf(path, sizeof path, "docs/formats/%s.md", cases[i].format);
        char *reference = (char *)read_whole(path, &size);
        assert_non_null(reference);
        reference[size - 1] = 0;
        char *section = section_of(reference, cases[i].record), *end = strstr(section, "\n## ");
        assert_non_null(end);
        *end = 0;
        if ((strstr(section, cases[i].says) != NULL) != cases[i].does)
            fail_msg("%s, %s: %s", cases[i].format, cases[i].record, cases[i].says);
        free(reference);
    }
}

static const record_place ns2_places[] = {
    {"ns2-level", "outpost", "vertex", "mesh.vertices[3]"},
    {"ns2-level", "outpost", "edge", "mesh.edges[2]"},
    {"ns2-level", "outpost", "loop_edge", "mesh.faces[0].loops[0][1]"},
    {"ns2-level", "outpost", "triangle", "mesh.triangles.faces[0][1]"},
};
static const record_place turok_places[] = {
    {"turok-map", "valley", "vertex", "collision.vertices[3]"},
    {"turok-map", "valley", "sector_set", "collision.sector_sets[1]"},
    {"turok-map", "valley", "sector", "collision.sectors[7]"},
    {"turok-map", "valley", "static_mesh", "grid_sections[0].static_meshes[0]"},
    {"turok-map", "valley", "actor", "actors.records[2]"},
};
static const record_place alien_places[] = {
    {"alien-map", "bunker", "vertex", "map.vertices[3]"},
    {"alien-map", "bunker", "quad", "map.quads[2]"},
    {"alien-map", "bunker", "cell", "map.cells[5]"},
    {"alien-map", "bunker", "path_node", "map.path_nodes[1]"},
    {"alien-map", "bunker", "monster", "map.monsters[1]"},
    {"alien-map", "bunker", "pickup", "map.pickups[1]"},
    {"alien-map", "bunker", "box", "map.boxes[1]"},
    {"alien-map", "bunker", "door", "map.doors[1]"},
    {"alien-map", "bunker", "lift", "map.lifts[0]"},
    {"alien-map", "bunker", "trigger", "map.triggers[1]"},
    {"alien-map", "bunker", "command", "map.commands[1]"},
    {"alien-map", "bunker", "light", "map.lights[1]"},
    {"alien-map", "bunker", "texture_animator", "map.texture_animators[1]"},
    {"alien-map", "bunker", "texture_animation_word", "map.texture_animation_words[1]"},
    {"alien-map", "bunker", "model_quad", "door_models[1].quads[0]"},
    {"alien-map", "bunker", "model_vertex", "door_models[1].vertices[0]"},
    {"alien-map", "bunker", "model_vertex", "lift_models[0].vertices[1]"},
    {"alien-gfx", "bunker-textures", "rectangle", "rectangle_lists[0].rectangles[0]"},
};

static void ns2_values(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof ns2_places / sizeof *ns2_places; i++)
        assert_values(&ns2_places[i], NULL);
}

static void turok_values(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof turok_places / sizeof *turok_places; i++) {
        assert_values(&turok_places[i], "little");
        assert_values(&turok_places[i], "big");
    }
}

static void alien_values(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof alien_places / sizeof *alien_places; i++) {
        assert_values(&alien_places[i], "little");
        assert_values(&alien_places[i], "big");
    }
}

/* No row has a sentence twice, or states the value for none twice. */
static void says_nothing_twice(void **state) {
    (void)state;
    for (size_t i = 0; i < mst_format_count(); i++) {
        mst_buffer text = {0};
        MUST(mst_write_specification(mst_format_at(i), MST_SPECIFICATION_MARKDOWN, NULL,
                                     mst_buffer_sink(&text)),
             NULL);
        MUST(mst_buffer_sink(&text).write(&text, "", 1) ? MST_IO : MST_OK, NULL);
        for (char *line = (char *)text.data, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
            *end = 0;
            if (strncmp(line, "| `", 3) != 0)
                continue;
            for (char *from = line, *stop; (stop = strstr(from, ". ")) != NULL; from = stop + 2) {
                char sentence[600];
                snprintf(sentence, sizeof sentence, ". %.*s. ", (int)(stop - from), from);
                if (strstr(stop, sentence))
                    fail_msg("%s: %s", mst_format_at(i)->id, line);
            }
            char *none = strstr(line, " 4294967295");
            if (none && strstr(none + 1, " 4294967295 none"))
                fail_msg("%s: %s", mst_format_at(i)->id, line);
        }
        mst_buffer_free(&text);
    }
}

int test_reference(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_nothing_twice), cmocka_unit_test(references_are_what_the_tables_say),
        cmocka_unit_test(in_other_languages), cmocka_unit_test(one_of_many),
        cmocka_unit_test(names_of_many),      cmocka_unit_test(ends_name_nothing),
        cmocka_unit_test(rows_occur_once),    cmocka_unit_test(says_when_and_where),
        cmocka_unit_test(ns2_values),         cmocka_unit_test(turok_values),
        cmocka_unit_test(alien_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
