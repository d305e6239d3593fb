/* SPDX-License-Identifier: MIT */
/*
 * Files with a directory of offsets and sizes, by their tables alone: Quake's PAK ("PACK", i32 offset and i32
 * size of a directory of name[56], i32 offset, i32 size) and Doom's WAD ("IWAD" or "PWAD", i32 number of
 * entries, i32 offset of a directory of i32 offset, i32 size, name[8]). Facts: id Software's published
 * sources.
 */
#include "../src/files/directory_files.h"
#include "../src/files/ledger.h"
#include "../src/write/rebuild.h"
#include "own_format.h"
#include "refusing.h"

enum { I_PAK, I_PAK_ENTRY };
enum { I_WAD, I_LUMP, I_LINE };
enum { R_PLACED = 1, R_TYPE };
#define NAME(n) .kind = MST_KIND_CHAR8, .mode = MST_COUNT_FIXED, .count = (n)

/* ---- PAK: a minimal directory -------------------------------------------------------------------- */

static const mst_field pak_entry_fields[] = {
    {.name = "name", NAME(56)},
    {.name = "offset", I32, .directory = MST_DATA_OFFSET},
    {.name = "size", I32, .directory = MST_DATA_SIZE},
    MST_ENTRY_LAYOUT(R_PLACED),
    MST_ENTRY_DATA,
};
static const mst_record pak_entry = {
    .name = "entry", .index = I_PAK_ENTRY, TABLE(pak_entry_fields), .doc = "a file"};
static const mst_field pak_fields[] = {
    {.name = "magic", NAME(4), .constant = "PACK"},
    {.name = "directory_offset", I32, .directory = MST_DIRECTORY_OFFSET},
    {.name = "directory_size", I32, .directory = MST_DIRECTORY_BYTES},
    MST_DIRECTORY_LAYOUT(R_PLACED, 1),
    MST_DIRECTORY_ENTRIES(pak_entry),
};
static const mst_record pak = {.name = "pak", .index = I_PAK, TABLE(pak_fields), .doc = "an archive"};
static const mst_record *const pak_records[] = {&pak, &pak_entry};
static bool is_pak(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                   mst_variant *variant) {
    (void)file_size, (void)name, (void)variant;
    return size >= 4 && memcmp(bytes, "PACK", 4) == 0;
}
static const mst_codes no_codes;
static const mst_format format_pak = {FORMAT_PROBED(pak, pak_records, is_pak), .files = MST_DIRECTORY_FILES,
                                      .check.codes = &no_codes};

/* ---- WAD ----------------------------------------------------------------------------------------- */

static const mst_field line_fields[] = {{.name = "from", U16}, {.name = "to", U16}};
static const mst_record line = {.name = "line", .index = I_LINE, TABLE(line_fields), .doc = "a line"};
static const mst_enum_name lump_types[] = {{0, "other"}, {1, "LINEDEFS"}, {2, "DIALOGUE"}};
static const mst_field lump_fields[] = {
    {.name = "offset", I32, .directory = MST_DATA_OFFSET},
    {.name = "size", I32, .directory = MST_DATA_SIZE},
    {.name = "name", NAME(8)},
    MST_ENTRY_LAYOUT(R_PLACED),
    MST_ENTRY_TYPES(R_TYPE, lump_types),
    MST_ENTRY_DATA_OF(R_TYPE, 0, "data", .kind = MST_KIND_RAW),
    MST_ENTRY_ELEMENTS(R_TYPE, 1, "lines", line),
    MST_ENTRY_DATA_OF(R_TYPE, 2, "text", .kind = MST_KIND_CHAR8),
};
static const mst_record lump = {.name = "lump", .index = I_LUMP, TABLE(lump_fields), .doc = "a lump"};
static const mst_enum_name wad_kinds[] = {{0x44415749, "IWAD"}, {0x44415750, "PWAD"}};
static const mst_field wad_fields[] = {
    {.name = "kind", U32, NAMES(wad_kinds), .rule = {MST_RULE_NAMED, "W-KIND"}},
    {.name = "lump_count", I32, .directory = MST_DIRECTORY_COUNT},
    {.name = "directory_offset", I32, .directory = MST_DIRECTORY_OFFSET},
    MST_DIRECTORY_LAYOUT(R_PLACED, 4),
    MST_DIRECTORY_ENTRIES(lump),
};
static const mst_record wad = {.name = "wad", .index = I_WAD, TABLE(wad_fields), .doc = "lumps"};
static const mst_record *const wad_records[] = {&wad, &lump, &line};
static bool is_wad(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                   mst_variant *variant) {
    (void)file_size, (void)name, (void)variant;
    return size >= 4 && memcmp(bytes + 1, "WAD", 3) == 0;
}
static const mst_code_information wad_code_list[] = {
    {.code = "W-KIND", .severity = MST_ERROR, .documentation = "The kind of the file is unknown."}};
static const mst_codes wad_codes = MST_CODES(wad_code_list);
static const mst_format format_wad = {
    .information =
        {.id = "wad", .title = "WAD", .extensions = "", .media_type = "", .versions = "", .rows = ""},
    .tables = {.root = &wad, .records = wad_records, .record_count = MST_COUNT_OF(wad_records)},
    .identity.probe = is_wad,
    .files = MST_DIRECTORY_FILES,
    .check = {.problem_codes = PROBLEMS, .codes = &wad_codes}};

/* ---- a small format, with numbers that overflow early -------------------------------------------- */

enum { I_TINY, I_TINY_ENTRY };
static const mst_field tiny_entry_fields[] = {
    {.name = "offset", U16, .directory = MST_DATA_OFFSET},
    {.name = "size", U16, .directory = MST_DATA_SIZE},
    MST_ENTRY_LAYOUT(R_PLACED),
    MST_ENTRY_DATA,
};
static const mst_record tiny_entry = {.name = "entry", .index = I_TINY_ENTRY, TABLE(tiny_entry_fields)};
static const mst_field tiny_fields[] = {
    {.name = "magic", NAME(4), .constant = "TINY"},
    {.name = "directory_offset", U16, .directory = MST_DIRECTORY_OFFSET},
    {.name = "directory_size", U16, .directory = MST_DIRECTORY_BYTES},
    {.name = "count", U8, .directory = MST_DIRECTORY_COUNT},
    MST_DIRECTORY_LAYOUT(R_PLACED, 1),
    MST_DIRECTORY_ENTRIES(tiny_entry),
};
static const mst_record tiny = {.name = "tiny", .index = I_TINY, TABLE(tiny_fields)};
static const mst_record *const tiny_records[] = {&tiny, &tiny_entry};
static bool is_tiny(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                    mst_variant *variant) {
    (void)file_size, (void)name, (void)variant;
    return size >= 4 && memcmp(bytes, "TINY", 4) == 0;
}
static const mst_format format_tiny = {
    .information = {.id = "tiny"},
    .tables = {.root = &tiny, .records = tiny_records, .record_count = MST_COUNT_OF(tiny_records)},
    .identity.probe = is_tiny,
    .files = MST_DIRECTORY_FILES,
    .check = {.problem_codes = PROBLEMS, .codes = &no_codes}};

/* ---- entries identified by number ------------------------------------------------------------- */

enum { I_SLOTS, I_SLOT };
static const mst_enum_name slot_types[] = {{0, "damaged"}, {1, "numbers"}, {2, "title"}};
static const mst_field slot_fields[] = {
    {.name = "size", U16, .directory = MST_DATA_SIZE},
    {.name = "offset", U16, .directory = MST_DATA_OFFSET},
    MST_ENTRY_LAYOUT(R_PLACED),
    MST_ENTRY_TYPES(R_TYPE, slot_types),
    MST_ENTRY_DATA_OF(R_TYPE, 0, "data", .kind = MST_KIND_RAW),
    MST_ENTRY_DATA_OF(R_TYPE, 1, "numbers", U16),
    MST_ENTRY_DATA_OF(R_TYPE, 2, "title", .kind = MST_KIND_CHAR8),
};
static const mst_record slot = {.name = "slot", .index = I_SLOT, TABLE(slot_fields)};
static const mst_field slots_fields[] = {
    {.name = "magic", NAME(4), .constant = "SLOT"},
    MST_DIRECTORY_LAYOUT(R_PLACED, 1),
    MST_DIRECTORY_SLOTS(slot, 3),
};
static const mst_record slots = {.name = "slots", .index = I_SLOTS, TABLE(slots_fields)};
static const mst_record *const slots_records[] = {&slots, &slot};
static bool is_slots(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                     mst_variant *variant) {
    (void)file_size, (void)name, (void)variant;
    return size >= 4 && memcmp(bytes, "SLOT", 4) == 0;
}
static const mst_format format_slots = {
    .information = {.id = "slots"},
    .tables = {.root = &slots, .records = slots_records, .record_count = MST_COUNT_OF(slots_records)},
    .identity.probe = is_slots,
    .files = MST_DIRECTORY_FILES,
    .check = {.problem_codes = PROBLEMS, .codes = &no_codes}};

/* In place of the library's formats, so that these files are opened like any others. */
const mst_format *const mst_formats[] = {&format_pak, &format_wad, &format_tiny, &format_slots, NULL};

/* ---- files by hand ------------------------------------------------------------------------------- */

static void put_name(writer *w, const char *name, size_t size) {
    memset(put(w, size), 0, size);
    memcpy(w->data + w->size - size, name, strlen(name));
}
static void pak_header(writer *w, uint32_t offset, uint32_t size) {
    put_bytes_of(w, "PACK", 4);
    put_u32(w, offset);
    put_u32(w, size);
}
static void pak_file(writer *w, const char *name, uint32_t offset, uint32_t size) {
    put_name(w, name, 56);
    put_u32(w, offset);
    put_u32(w, size);
}
static void wad_file(writer *w, uint32_t offset, uint32_t size, const char *name) {
    put_u32(w, offset);
    put_u32(w, size);
    put_name(w, name, 8);
}

/* Data, then the directory. */
static void plain_pak(writer *w) {
    pak_header(w, 17, 128);
    put_bytes_of(w, "abcde", 5);
    pak_file(w, "maps/a.bsp", 12, 3);
    pak_file(w, "b.cfg", 15, 2);
}
/* The directory, a gap, the data of the second entry, a gap, the data of the first, which contains the
 * third's, and more. */
static void odd_pak(writer *w) {
    pak_header(w, 12, 256);
    pak_file(w, "first", 274, 4);
    pak_file(w, "second", 270, 3);
    pak_file(w, "third", 275, 2);
    pak_file(w, "none", 7777, 0);
    put_bytes_of(w, "??", 2);
    put_bytes_of(w, "xyz", 3);
    put_bytes_of(w, "!", 1);
    put_bytes_of(w, "abcd", 4);
    put_bytes_of(w, "end", 3);
}
/* Aligned, with markers: one at 0, one where it would be written. */
static void plain_wad(writer *w) {
    put_bytes_of(w, "PWAD", 4);
    put_u32(w, 4);
    put_u32(w, 24);
    put_bytes_of(w, "12345\0\0\0", 8);
    put_bytes_of(w, "6789", 4);
    wad_file(w, 0, 0, "MAP01");
    wad_file(w, 12, 5, "THINGS");
    wad_file(w, 20, 0, "S_START");
    wad_file(w, 20, 4, "LINEDEFS");
}

static mst_status try_file(const writer *w, mst_document **d, mst_diagnostic *why) {
    return mst_open_memory(w->data, w->size, NULL, d, why);
}
/* The document uses the writer's bytes. */
static mst_document *opened(void (*make)(writer *), writer *w) {
    mst_document *d;
    mst_diagnostic why;
    memset(w, 0, sizeof *w);
    make(w);
    MUST(try_file(w, &d, &why), &why);
    return d;
}
static void closed(mst_document *d, writer *w) {
    mst_close(d);
    writer_free(w);
}
static void assert_saved(const mst_document *d, const writer *w) {
    mst_buffer saved = {0};
    mst_diagnostic why;
    MUST(mst_save(d, mst_buffer_sink(&saved), &why), &why);
    assert_int_equal(saved.size, w->size);
    assert_memory_equal(saved.data, w->data, w->size);
    mst_buffer_free(&saved);
}
static void assert_becomes(const mst_document *d, writer *w) {
    assert_saved(d, w);
    writer_free(w);
}

/* The file is written unchanged: from its own bytes, encoded, and by JSON. */
static void assert_exact(const mst_document *d, const writer *w) {
    mst_document *again;
    mst_diagnostic why;
    mst_ledger ledger;
    assert_saved(d, w);
    MUST(mst_rebuild(d, &again, &why), &why);
    assert_saved(again, w);
    mst_close(again);
    mst_value root = mst_root(d);
    char *json = json_of(&root, 1);
    MUST(mst_open_json(json, strlen(json), NULL, &again, &why), &why);
    assert_saved(again, w);
    mst_close(again);
    free(json);
    MUST(mst_byte_coverage(d, &ledger, &why), &why);
    assert_int_equal(ledger.size, w->size);
    assert_int_equal(ledger.bytes[MST_BYTES_GAP], 0); /* every byte is accounted for */
}

/* The directory between the data, which is in order. */
static void middle_pak(writer *w) {
    pak_header(w, 14, 128);
    put_bytes_of(w, "ab", 2);
    pak_file(w, "a", 12, 2);
    pak_file(w, "c", 142, 2);
    put_bytes_of(w, "cd", 2);
}

/* Data of a type, and data whose size does not fit the type of its name. */
static void typed_wad(writer *w) {
    put_bytes_of(w, "PWAD", 4);
    put_u32(w, 3);
    put_u32(w, 28);
    put_bytes_of(w, "\1\0\2\0\3\0\4\0hey\0\5\6\7\0", 16);
    wad_file(w, 12, 8, "LINEDEFS");
    wad_file(w, 20, 3, "DIALOGUE");
    wad_file(w, 24, 3, "LINEDEFS");
}
/* The second entry is located before the first. */
static void plain_slots(writer *w) {
    put_bytes_of(w, "SLOT", 4);
    put_u16(w, 4), put_u16(w, 18);
    put_u16(w, 2), put_u16(w, 16);
    put_u16(w, 0), put_u16(w, 0);
    put_bytes_of(w, "hi\1\0\2\0", 6);
}

static void (*const files[])(writer *) = {plain_pak, odd_pak, plain_wad, middle_pak, typed_wad, plain_slots};

static void test_files_are_exact(void **state) {
    (void)state;
    for (size_t i = 0; i < MST_COUNT_OF(files); i++) {
        writer w;
        mst_document *d = opened(files[i], &w);
        assert_exact(d, &w);
        closed(d, &w);
    }
}

/* For any file: it is exact, or damaged at a valid place. */
static void assert_exact_or_damaged(const writer *w) {
    mst_document *d;
    mst_diagnostic why;
    mst_status status = try_file(w, &d, &why);
    if (status == MST_OK)
        assert_exact(d, w);
    else
        assert_true(status == MST_UNKNOWN || (status == MST_DAMAGED && why.offset <= w->size && why.code[0]));
    mst_close(d);
}
static void test_changed_files(void **state) {
    (void)state;
    for (size_t i = 0; i < MST_COUNT_OF(files); i++) {
        writer w = {0};
        files[i](&w);
        for (size_t size = 0; size < w.size; size++)
            assert_exact_or_damaged(&(writer){.data = w.data, .size = size});
        for (size_t at = 0; at < w.size; at++)
            for (unsigned value = 0; value < 256; value += value < 32 ? 1 : 31) {
                uint8_t old = w.data[at];
                w.data[at] = (uint8_t)value;
                assert_exact_or_damaged(&w);
                w.data[at] = old;
            }
        writer_free(&w);
    }
}

static void test_json(void **state) {
    (void)state;
    writer w;
    mst_document *d = opened(plain_pak, &w);
    assert_reads_as(d, "{\"$format\":\"test\",\"entries\":[{\"name\":\"maps/a.bsp\",\"data\":\"616263\"},"
                       "{\"name\":\"b.cfg\",\"data\":\"6465\"}]}");
    closed(d, &w);
    d = opened(odd_pak, &w);
    assert_reads_as(d, "{\"$format\":\"test\",\"directory\":\"at\",\"directory_at\":12,\"end\":\"656e64\","
                       "\"entries\":[{\"name\":\"first\",\"placed\":\"at\",\"at\":274,\"gap\":\"21\","
                       "\"data\":\"61626364\"},{\"name\":\"second\",\"placed\":\"at\",\"at\":270,"
                       "\"gap\":\"3f3f\",\"data\":\"78797a\"},{\"name\":\"third\",\"placed\":\"shared\","
                       "\"at\":275,\"data\":\"6263\"},{\"name\":\"none\",\"placed\":\"shared\",\"at\":7777,"
                       "\"data\":\"\"}]}");
    closed(d, &w);
}

static void assert_place(const mst_document *d, const char *path, uint64_t offset, uint64_t length) {
    mst_value value = value_at(d, path);
    mst_place place;
    uint64_t begin, size;
    mst_value_span(&value, &begin, &size);
    uint64_t prefix = mst_value_type(&value) == MST_TYPE_BYTES ? 4 : 0;
    MUST(mst_place_of(d, begin + prefix, size - prefix, &place), NULL);
    assert_int_equal(place.kind, MST_PLACE_FILE);
    assert_int_equal(place.offset, offset);
    assert_int_equal(place.length, length);
}

static void test_places_are_those_of_the_file(void **state) {
    (void)state;
    writer w;
    mst_document *d = opened(odd_pak, &w);
    assert_place(d, "magic", 0, 4);
    assert_place(d, "entries[1].name", 76, 56);
    assert_place(d, "entries[1].placed", 132, 4); /* the stored offset */
    assert_place(d, "entries[1].data", 270, 3);
    assert_place(d, "entries[2].data", 275, 2);
    assert_place(d, "entries[1].gap", 268, 2);
    assert_place(d, "end", 278, 3);
    closed(d, &w);
}

/* The events of a walk over the file: the bytes of the numbers, data and padding. */
typedef struct met {
    bool offset, size, data, padding;
} met;
static mst_status meet(void *user, const mst_event *event) {
    met *m = user;
    if (event->place.kind != MST_PLACE_FILE)
        return MST_OK;
    m->offset = m->offset || (event->place.offset == 40 && event->place.length == 4);
    m->size = m->size || (event->place.offset == 44 && event->place.length == 4);
    m->data = m->data || (event->place.offset == 12 && event->place.length == 5);
    m->padding = m->padding || (event->byte_class == MST_BYTES_PADDING && event->place.offset == 17 &&
                                event->place.length == 3);
    return MST_OK;
}
static void test_the_walk_over_the_file(void **state) {
    (void)state;
    writer w;
    mst_document *d = opened(plain_wad, &w);
    met m = {0};
    MUST(mst_walk_files(d, meet, &m), NULL);
    assert_true(m.offset && m.size && m.data && m.padding);
    closed(d, &w);
}

static void edited(mst_document *d,
                   mst_status (*edit)(mst_document *, const char *, const char *, mst_diagnostic *),
                   const char *path, const char *json) {
    mst_diagnostic why;
    MUST(edit(d, path, json, &why), &why);
}
static void removed(mst_document *d, const char *path) {
    mst_diagnostic why;
    MUST(mst_remove(d, path, &why), &why);
}

static void test_set_moves_what_follows(void **state) {
    (void)state;
    writer w, made = {0};
    mst_document *d = opened(plain_pak, &w);
    edited(d, mst_set, "entries[0].data", "\"41424344\"");
    pak_header(&made, 18, 128);
    put_bytes_of(&made, "ABCDde", 6);
    pak_file(&made, "maps/a.bsp", 12, 4);
    pak_file(&made, "b.cfg", 16, 2);
    assert_becomes(d, &made);
    edited(d, mst_set, "entries[1].name", "c.cfg");
    pak_header(&made, 18, 128);
    put_bytes_of(&made, "ABCDde", 6);
    pak_file(&made, "maps/a.bsp", 12, 4);
    pak_file(&made, "c.cfg", 16, 2);
    assert_becomes(d, &made);
    closed(d, &w);
}

static void test_insert_and_remove(void **state) {
    (void)state;
    writer w, made = {0};
    mst_document *d = opened(plain_wad, &w);
    edited(d, mst_insert, "entries[2]", "{\"name\":\"SIDEDEFS\",\"data\":\"2a\"}");
    removed(d, "entries[name=THINGS]");
    put_bytes_of(&made, "PWAD", 4);
    put_u32(&made, 4);
    put_u32(&made, 20);
    put_bytes_of(&made,
                 "*\0\0\0"
                 "6789",
                 8);
    wad_file(&made, 0, 0, "MAP01"); /* is kept at 0 */
    wad_file(&made, 12, 1, "SIDEDEFS");
    wad_file(&made, 16, 0, "S_START");
    wad_file(&made, 16, 4, "LINEDEFS");
    assert_becomes(d, &made);
    for (int i = 0; i < 4; i++)
        removed(d, "entries[0]");
    put_bytes_of(&made, "PWAD", 4);
    put_u32(&made, 0);
    put_u32(&made, 12);
    assert_becomes(d, &made);
    edited(d, mst_insert, "entries[0]", "{\"name\":\"E\",\"data\":\"\"}");
    put_bytes_of(&made, "PWAD", 4);
    put_u32(&made, 1);
    put_u32(&made, 12);
    wad_file(&made, 12, 0, "E");
    assert_becomes(d, &made);
    closed(d, &w);
}

/* An unusual order and gaps are kept. Data that an entry shared with a removed one is then written
 * separately. */
static void test_edits_keep_the_order(void **state) {
    (void)state;
    writer w, made = {0};
    mst_document *d = opened(odd_pak, &w);
    edited(d, mst_set, "entries[1].data", "\"58595a5a\"");
    edited(d, mst_insert, "entries[2]", "{\"name\":\"new\",\"data\":\"4e\"}");
    pak_header(&made, 12, 320);
    pak_file(&made, "first", 340, 4);
    pak_file(&made, "second", 334, 4);
    pak_file(&made, "new", 338, 1);
    pak_file(&made, "third", 347, 2);
    pak_file(&made, "none", 7777, 0);
    put_bytes_of(&made, "??XYZZN!abcdendbc", 17);
    assert_becomes(d, &made);
    closed(d, &w);
}

/* The directory, then the data: new entries follow the preceding ones. */
static void front_pak(writer *w) {
    pak_header(w, 12, 64);
    pak_file(w, "a", 76, 2);
    put_bytes_of(w, "aa", 2);
}
static void test_a_directory_in_front_stays_there(void **state) {
    (void)state;
    writer w, made = {0};
    mst_document *d = opened(front_pak, &w);
    assert_exact(d, &w);
    assert_int_equal(number_at(d, "directory"), MST_DIRECTORY_FIRST);
    edited(d, mst_insert, "entries[1]", "{\"name\":\"b\",\"data\":\"6262\"}");
    pak_header(&made, 12, 128);
    pak_file(&made, "a", 140, 2);
    pak_file(&made, "b", 142, 2);
    put_bytes_of(&made, "aabb", 4);
    assert_becomes(d, &made);
    closed(d, &w);
}

/* A file that is not aligned states it. */
static void tight_wad(writer *w) {
    put_bytes_of(w, "IWAD", 4);
    put_u32(w, 2);
    put_u32(w, 20);
    put_bytes_of(w, "123456\0\0", 8);
    wad_file(w, 12, 1, "A");
    wad_file(w, 13, 5, "B");
}
static void test_a_file_that_is_not_aligned(void **state) {
    (void)state;
    writer w;
    mst_document *d = opened(tight_wad, &w);
    assert_exact(d, &w);
    assert_int_equal(number_at(d, "alignment"), 1);
    assert_reads_as(d, "{\"$format\":\"wad\",\"kind\":\"IWAD\",\"alignment\":1,\"directory_gap\":\"0000\","
                       "\"entries\":[{\"name\":\"A\",\"data\":\"31\"},{\"name\":\"B\",\"data\":"
                       "\"3233343536\"}]}");
    closed(d, &w);
}

static void assert_refused(mst_document *d, const char *path, const char *json, const char *named) {
    mst_diagnostic why;
    assert_int_equal(mst_set(d, path, json, &why), MST_REFUSED);
    assert_string_equal(why.path, named);
    assert_int_equal(mst_set(d, path, json, NULL), MST_REFUSED);
}
static void test_types_follow_from_the_entries(void **state) {
    (void)state;
    writer w;
    mst_document *d = opened(typed_wad, &w);
    assert_reads_as(d, "{\"$format\":\"wad\",\"kind\":\"PWAD\",\"entries\":[{\"name\":\"LINEDEFS\","
                       "\"type\":\"LINEDEFS\",\"lines\":[{\"from\":1,\"to\":2},{\"from\":3,\"to\":4}]},"
                       "{\"name\":\"DIALOGUE\",\"type\":\"DIALOGUE\",\"text\":\"hey\"},"
                       "{\"name\":\"LINEDEFS\",\"data\":\"050607\"}]}");
    assert_place(d, "entries[0].lines[1].from", 16, 2);
    assert_refused(d, "entries[0].name", "LINES", "entries[0].type");
    assert_refused(d, "entries[2].data", "\"05060708\"", "entries[2].type");
    assert_saved(d, &w);
    closed(d, &w);
}
static void test_entries_that_are_known_by_number(void **state) {
    (void)state;
    writer w, made = {0};
    mst_diagnostic why;
    mst_document *d = opened(plain_slots, &w);
    assert_int_equal(number_at(d, "entries[0].numbers[1]"), 2);
    assert_int_equal(mst_remove(d, "entries[2]", &why), MST_REFUSED);
    assert_string_equal(why.path, "entries");
    assert_int_equal(mst_remove(d, "entries[2]", NULL), MST_REFUSED);
    assert_int_equal(mst_set(d, "directory", "last", &why), MST_REFUSED);
    edited(d, mst_set, "entries[1].title", "hello");
    put_bytes_of(&made, "SLOT", 4);
    put_u16(&made, 4), put_u16(&made, 21);
    put_u16(&made, 5), put_u16(&made, 16);
    put_u16(&made, 0), put_u16(&made, 0);
    put_bytes_of(&made, "hello\1\0\2\0", 9);
    assert_becomes(d, &made);
    closed(d, &w);
}

static void assert_damaged(writer *w, const char *code, uint64_t offset, const char *path) {
    mst_document *d;
    mst_diagnostic why;
    assert_int_equal(try_file(w, &d, &why), MST_DAMAGED);
    assert_string_equal(why.code, code);
    assert_int_equal(why.offset, offset);
    assert_string_equal(why.path, path);
    assert_int_equal(try_file(w, &d, NULL), MST_DAMAGED);
    writer_free(w);
}
static void test_damage_has_a_place(void **state) {
    (void)state;
    writer w = {0};
    put_bytes_of(&w, "PACK1234", 8);
    assert_damaged(&w, "T-OVERRUN", 0, "");
    pak_header(&w, 12, 63);
    assert_damaged(&w, "T-COUNT", 8, "");
    pak_header(&w, 12, 128);
    pak_file(&w, "a", 12, 0);
    assert_damaged(&w, "T-COUNT", 8, "");
    pak_header(&w, 16, 64);
    pak_file(&w, "a", 12, 0);
    assert_damaged(&w, "T-OFFSET", 4, "");
    pak_header(&w, 8, 64);
    pak_file(&w, "a", 12, 0);
    assert_damaged(&w, "T-OFFSET", 4, "");
    pak_header(&w, 12, 64);
    pak_file(&w, "a", 76, 1);
    assert_damaged(&w, "T-OFFSET", 68, "entries[0]");
}

static void test_what_cannot_be_written_is_refused(void **state) {
    (void)state;
    static const char *const refused[] = {
        "{\"$format\":\"test\",\"alignment\":0,\"entries\":[]}",
        "{\"$format\":\"test\",\"alignment\":65537,\"entries\":[]}",
        /* data that would have to share the directory's own bytes, which then change */
        ("{\"$format\":\"test\",\"entries\":[{\"name\":\"\",\"placed\":\"shared\",\"at\":132,"
         "\"data\":\"01000000\"},{\"name\":\"\",\"placed\":\"shared\",\"at\":1,\"data\":\"00\"}]}"),
    };
    for (size_t i = 0; i < MST_COUNT_OF(refused); i++) {
        mst_document *d;
        mst_diagnostic why;
        assert_int_equal(mst_open_json(refused[i], strlen(refused[i]), NULL, &d, &why), MST_REFUSED);
        assert_int_equal(mst_open_json(refused[i], strlen(refused[i]), NULL, &d, NULL), MST_REFUSED);
    }
}

/* `root` and `first` are further members of the file and the first entry. */
static void assert_fits(mst_status expected, size_t entries, size_t size, const char *root,
                        const char *first) {
    writer json = {0};
    mst_document *d;
    mst_diagnostic why;
    char text[100];
    int n = snprintf(text, sizeof text, "{\"$format\":\"tiny\",%s\"entries\":[", root);
    put_bytes_of(&json, text, (size_t)n);
    for (size_t i = 0; i < entries; i++) {
        n = snprintf(text, sizeof text, "%s{%s\"data\":\"", i ? "," : "", i ? "" : first);
        put_bytes_of(&json, text, (size_t)n);
        memset(put(&json, 2 * size), '0', 2 * size);
        put_bytes_of(&json, "\"}", 2);
    }
    put_bytes_of(&json, "]}", 2);
    mst_status status = mst_open_json((char *)json.data, json.size, NULL, &d, &why);
    assert_int_equal(status, expected);
    if (status != MST_OK)
        assert_string_equal(why.message, "the file is too large for the numbers of its directory");
    mst_close(d);
    writer_free(&json);
}
static void test_numbers_that_do_not_fit_are_refused(void **state) {
    (void)state;
    static const char shared[] = "\"placed\":\"shared\",\"at\":1,";
    assert_fits(MST_OK, 255, 1, "", "");
    assert_fits(MST_REFUSED, 256, 1, "", "");   /* the number of entries */
    assert_fits(MST_REFUSED, 16384, 0, "", ""); /* the size of the directory */
    assert_fits(MST_OK, 1, 65526, "", "");
    assert_fits(MST_REFUSED, 1, 65527, "", "");                         /* its place */
    assert_fits(MST_REFUSED, 1, 65536, "\"directory\":\"first\",", ""); /* the size of the data */
    assert_fits(MST_REFUSED, 3, 32760, "\"directory\":\"first\",", ""); /* its place */
    assert_fits(MST_OK, 1, 60000, "", shared);
    assert_fits(MST_REFUSED, 2, 65520, "", shared); /* its place, apart from other data */
}

static void test_rules_are_checked_where_the_file_has_the_number(void **state) {
    (void)state;
    writer w;
    findings list = {0};
    mst_document *d = opened(plain_wad, &w);
    MUST(mst_check(d, NULL, collect, &list, NULL, NULL), NULL);
    assert_int_equal(list.count, 0);
    edited(d, mst_set, "kind", "7");
    MUST(mst_check(d, NULL, collect, &list, NULL, NULL), NULL);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].code, "W-KIND");
    assert_int_equal(list.items[0].offset, 0);
    findings_free(&list);
    closed(d, &w);
}

static void test_memory_that_is_refused(void **state) {
    (void)state;
    writer w = {0};
    mst_status status = MST_NO_MEMORY;
    odd_pak(&w);
    for (int allowed = 0; status != MST_OK && allowed < 100; allowed++) {
        int left = allowed;
        mst_open_options options = {.size = sizeof options, .allocator = {no_memory, &left}};
        mst_document *d, *again = NULL;
        status = mst_open_memory(w.data, w.size, &options, &d, NULL);
        if (status == MST_OK)
            status = mst_rebuild(d, &again, NULL);
        assert_true(status == MST_OK || status == MST_NO_MEMORY);
        mst_close(again);
        mst_close(d);
    }
    assert_int_equal(status, MST_OK);
    writer_free(&w);
}

/* A small file whose entries all have the same data takes no more memory than its budget. */
/* The same while shared data is written separately. */
static void test_memory_that_is_refused_for_shared_data(void **state) {
    (void)state;
    static char json[70000], bytes[60001];
    memset(bytes, '0', 60000);
    snprintf(json, sizeof json,
             "{\"$format\":\"test\",\"entries\":[{\"name\":\"\",\"placed\":\"shared\",\"at\":1,"
             "\"data\":\"%s\"}]}",
             bytes);
    mst_status status = MST_NO_MEMORY;
    for (int allowed = 0; status != MST_OK && allowed < 100; allowed++) {
        int left = allowed;
        mst_open_options options = {.size = sizeof options, .allocator = {no_memory, &left}};
        mst_document *d;
        status = mst_open_json(json, strlen(json), &options, &d, NULL);
        assert_true(status == MST_OK || status == MST_NO_MEMORY);
        mst_close(d);
    }
    assert_int_equal(status, MST_OK);
}

static void test_shared_data_is_bounded(void **state) {
    (void)state;
    writer w = {0};
    mst_document *d;
    pak_header(&w, 12, 64 * 1000);
    for (int i = 0; i < 1000; i++)
        pak_file(&w, "x", 12, 64 * 1000);
    assert_int_equal(try_file(&w, &d, NULL), MST_NO_MEMORY);
    writer_free(&w);
}

/* Places are found even if the document has used up most of its memory. */
static void test_places_of_a_document_near_its_budget(void **state) {
    (void)state;
    enum { SIZE = 1 << 18, FILES = 12 };
    writer w = {0};
    mst_document *d;
    mst_diagnostic why;
    pak_header(&w, 12 + SIZE, 64 * FILES);
    memset(put(&w, SIZE), 'x', SIZE);
    for (int i = 0; i < FILES; i++)
        pak_file(&w, "x", 12, SIZE);
    MUST(try_file(&w, &d, &why), &why);
    assert_place(d, "entries[0].data", 12, SIZE);
    assert_place(d, "entries[11].name", 12 + SIZE + 11 * 64, 56);
    closed(d, &w);
}

static void test_the_reference_describes_the_file(void **state) {
    (void)state;
    mst_buffer text = {0};
    MUST(mst_write_specification(&format_pak.information, MST_SPECIFICATION_MARKDOWN, NULL,
                                 mst_buffer_sink(&text)),
         NULL);
    MUST(mst_buffer_sink(&text).write(&text, "", 1), NULL);
    assert_non_null(strstr((char *)text.data, "| `directory_offset` | i32 |"));
    assert_non_null(strstr((char *)text.data, "Only in the file: the offset of the data."));
    mst_buffer_free(&text);
}

int test_directory(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_are_exact),
        cmocka_unit_test(test_changed_files),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_places_are_those_of_the_file),
        cmocka_unit_test(test_the_walk_over_the_file),
        cmocka_unit_test(test_set_moves_what_follows),
        cmocka_unit_test(test_insert_and_remove),
        cmocka_unit_test(test_edits_keep_the_order),
        cmocka_unit_test(test_a_directory_in_front_stays_there),
        cmocka_unit_test(test_a_file_that_is_not_aligned),
        cmocka_unit_test(test_types_follow_from_the_entries),
        cmocka_unit_test(test_entries_that_are_known_by_number),
        cmocka_unit_test(test_damage_has_a_place),
        cmocka_unit_test(test_what_cannot_be_written_is_refused),
        cmocka_unit_test(test_numbers_that_do_not_fit_are_refused),
        cmocka_unit_test(test_rules_are_checked_where_the_file_has_the_number),
        cmocka_unit_test(test_memory_that_is_refused),
        cmocka_unit_test(test_memory_that_is_refused_for_shared_data),
        cmocka_unit_test(test_shared_data_is_bounded),
        cmocka_unit_test(test_places_of_a_document_near_its_budget),
        cmocka_unit_test(test_the_reference_describes_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
