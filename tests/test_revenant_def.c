/* SPDX-License-Identifier: MIT */
/* The definition texts of Revenant, including odd and hostile ones, and the hash of a sector. */
#include "../src/formats/revenant/revenant_classes.h"
#include "stopping.h"

#define N(...) (sizeof((const char *[]){__VA_ARGS__}) / sizeof(const char *))

/* ---- remarks ----------------------------------------------------------------------------------- */

typedef struct remarks {
    mst_revenant_remark items[32];
    size_t count; /* of all, including those that did not fit */
    size_t stop_at;
} remarks;

static mst_status note(void *user, const mst_revenant_remark *remark) {
    remarks *list = user;
    if (list->count < 32)
        list->items[list->count] = *remark;
    return ++list->count == list->stop_at ? MST_STOPPED : MST_OK;
}

typedef struct reading {
    mst_arena arena;
    mst_revenant_classes classes;
    remarks remarks;
} reading;

/* The text is in a block of exactly its size, so that reads past its end are detected. */
static void read_bytes(reading *r, const char *text, size_t size) {
    memset(r, 0, sizeof *r);
    mst_arena_begin(&r->arena, NULL, 0);
    char *exact = malloc(size ? size : 1);
    assert_non_null(exact);
    memcpy(exact, text, size);
    mst_status status = mst_revenant_read_classes(exact, size, &r->arena, &r->classes, note, &r->remarks);
    free(exact); /* nothing refers to it any longer */
    assert_int_equal(status, MST_OK);
}

static void read_text(reading *r, const char *text) {
    read_bytes(r, text, strlen(text));
}

static void done(reading *r) {
    mst_arena_end(&r->arena);
}

/* Each remark in short: "SYNTAX 3", code without its prefix and line. */
static void expect_remarks(const reading *r, const char *const *expected, size_t count) {
    bool same = r->remarks.count == count;
    for (size_t i = 0; i < r->remarks.count && i < 32; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s %u", r->remarks.items[i].code + strlen("REV-DEF-"),
                 (unsigned)r->remarks.items[i].line);
        same = same && i < count && strcmp(text, expected[i]) == 0;
    }
    if (same)
        return;
    for (size_t i = 0; i < r->remarks.count && i < 32; i++)
        print_error("  %s line %u: %s\n", r->remarks.items[i].code, (unsigned)r->remarks.items[i].line,
                    r->remarks.items[i].message);
    fail();
}
#define REMARKS(r, ...) expect_remarks((r), (const char *const[]){__VA_ARGS__}, N(__VA_ARGS__))

static const mst_revenant_type *type_named(const reading *r, const char *name) {
    for (uint32_t i = 0; i < r->classes.type_count; i++)
        if (strcmp(r->classes.types[i].name, name) == 0)
            return &r->classes.types[i];
    return NULL;
}

/* ---- class.def --------------------------------------------------------------------------------- */

#define HEAD                                                                                                 \
    "CLASS \"WEAPON\"\nBEGIN\nSTATS\nBEGIN\nDamage DMG 5 0 10\nValue VAL 0 -3 100\nEND\n"                    \
    "OBJSTATS\nBEGIN\nAmount AMT 1 1 9\nEND\nTYPES\nBEGIN\n" /* types from line 14 on */
#define TAIL "END\nEND\n"

static const char orderly[] =
    "// a comment with \"quotes\" and { braces\n"
    "\n"
    "Unique Type ID = 0x082b\n" HEAD "\t\"Club\" \"Equip\\Club.I3D\" 0xd0d40000 {4,-3} {7}\n"
    "\t\"Long name // no comment\" \"a\" 0x00000010 {0x5, 6} {1} // a comment\n" TAIL
    "CLASS \"TRAP\"\nBEGIN\nTYPES\nBEGIN\n\"Scythe\" \"Misc\\S.I3D\" 0x93abf017\n" TAIL;

static void assert_orderly(const reading *r) {
    const mst_revenant_classes *c = &r->classes;
    assert_int_equal(c->class_count, 2);
    assert_int_equal(c->type_count, 3);
    assert_string_equal(c->classes[0].name, "WEAPON");
    assert_int_equal(c->classes[0].number, 1);
    assert_int_equal(c->classes[0].stat_count, 2);
    assert_string_equal(c->classes[0].stats[1].name, "Value");
    assert_string_equal(c->classes[0].stats[1].code, "VAL");
    assert_int_equal(c->classes[0].stats[1].initial, 0);
    assert_int_equal(c->classes[0].stats[1].minimum, -3);
    assert_int_equal(c->classes[0].stats[1].maximum, 100);
    assert_int_equal(c->classes[0].object_stat_count, 1);
    assert_string_equal(c->classes[0].object_stats[0].code, "AMT");
    assert_int_equal(c->classes[1].number, 13);
    assert_int_equal(c->classes[1].stat_count, 0);
    const mst_revenant_type *type = mst_revenant_type_of(c, 0xd0d40000);
    assert_non_null(type);
    assert_string_equal(type->name, "Club");
    assert_string_equal(type->imagery, "Equip\\Club.I3D");
    assert_int_equal(type->class_index, 0);
    assert_int_equal(type->stat_count, 2);
    assert_int_equal(type->stats[0], 4);
    assert_int_equal(type->stats[1], -3);
    assert_int_equal(type->object_stat_count, 1);
    assert_int_equal(type->object_stats[0], 7);
    assert_int_equal(type->line, 17);
    type = mst_revenant_type_of(c, 16);
    assert_non_null(type);
    assert_string_equal(type->name, "Long name // no comment");
    assert_int_equal(type->stats[0], 5);
    assert_int_equal(type->stats[1], 6);
    type = mst_revenant_type_of(c, 0x93abf017);
    assert_non_null(type);
    assert_int_equal(type->class_index, 1);
    assert_int_equal(type->stat_count + type->object_stat_count, 0);
    assert_null(mst_revenant_type_of(c, 0x93abf018));
    assert_null(mst_revenant_type_of(c, 0));
    assert_null(mst_revenant_type_of(c, UINT32_MAX));
}

static void test_orderly(void **state) {
    (void)state;
    reading r;
    read_text(&r, orderly);
    assert_orderly(&r);
    assert_int_equal(r.remarks.count, 0);
    done(&r);
    /* other ends of lines, and blanks for tabs */
    const char *const ends[] = {"\r\n", "\r"};
    for (int i = 0; i < 2; i++) {
        char text[2 * sizeof orderly] = "";
        size_t size = 0;
        for (const char *p = orderly; *p; p++) {
            char one[2] = {*p == '\t' ? ' ' : *p, 0};
            const char *piece = *p == '\n' ? ends[i] : one;
            memcpy(text + size, piece, strlen(piece));
            size += strlen(piece);
        }
        read_bytes(&r, text, size);
        assert_orderly(&r);
        assert_int_equal(r.remarks.count, 0);
        done(&r);
    }
    /* keywords in any case, and much on one line */
    read_text(&r,
              "unique type id=16 class \"Food\" Begin Types bEgIn \"a\" \"b\" 1 {} {} \"c\" \"d\" 0X2 {}{} "
              "end End");
    assert_int_equal(r.remarks.count, 0);
    assert_int_equal(r.classes.type_count, 2);
    assert_int_equal(r.classes.classes[0].number, 4);
    assert_string_equal(mst_revenant_type_of(&r.classes, 2)->name, "c");
    done(&r);
    /* a list over several lines, with comments */
    read_text(&r,
              HEAD "\"a\" \"b\" 1\n{\n4, // first\n-2\n}\n// between\n{\n1}\n\"c\" \"d\" 2 {1,2} {3}\n" TAIL);
    assert_int_equal(r.remarks.count, 0);
    assert_int_equal(type_named(&r, "a")->stats[1], -2);
    assert_int_equal(type_named(&r, "a")->object_stats[0], 1);
    assert_int_equal(type_named(&r, "a")->line, 14);
    assert_int_equal(type_named(&r, "c")->line, 22);
    done(&r);
    /* nothing at all */
    read_bytes(&r, "", 0);
    assert_int_equal(r.remarks.count + r.classes.class_count + r.classes.type_count, 0);
    assert_null(mst_revenant_type_of(&r.classes, 0));
    done(&r);
    read_text(&r, "\xEF\xBB\xBF"
                  "// only a comment");
    assert_int_equal(r.remarks.count, 0);
    done(&r);
    /* among statistics a keyword can be a name; types may be first */
    read_text(&r, "CLASS \"KEY\" BEGIN TYPES BEGIN\n\"a\" \"b\" 1 {3,4} {}\nEND STATS BEGIN\nEnd END 0 0 9\n"
                  "\"Types\" TYPE 0 0 9\nEND\nEND\n");
    assert_int_equal(r.remarks.count, 0);
    assert_int_equal(r.classes.classes[0].stat_count, 2);
    assert_string_equal(r.classes.classes[0].stats[0].code, "END");
    done(&r);
}

static void test_odd_text(void **state) {
    (void)state;
    reading r;
    /* each with the remaining entries */
    read_text(&r, "CLASS \"TOOL\"\nBEGIN\nTYPES\nBEGIN\n\"a\" \"b\" 1\n"); /* END is missing */
    REMARKS(&r, "SYNTAX 6");
    assert_int_equal(r.classes.type_count, 1);
    done(&r);
    read_text(&r, "CLASS \"TOOL\"\nTYPES\n\"a\" \"b\" 1\nEND\nEND\n"); /* BEGIN is missing */
    REMARKS(&r, "SYNTAX 2", "SYNTAX 3");
    assert_int_equal(r.classes.type_count, 1);
    done(&r);
    read_text(&r, "CLASS \"TOOL\"\nBEGIN\nTYPES\nBEGIN\n\"a\" \"b\" 1\nCLASS \"KEY\"\nBEGIN\nEND\n");
    REMARKS(&r, "SYNTAX 6");
    assert_int_equal(r.classes.class_count, 2);
    done(&r);
    read_text(&r,
              "CLASS \"TOOL\"\nBEGIN\nSTATS\nBEGIN\nA A 0 0 9\nTYPES\nBEGIN\n\"a\" \"b\" 1 {2}\nEND\nEND\n");
    REMARKS(&r, "SYNTAX 6");
    assert_int_equal(r.classes.types[0].stats[0], 2);
    done(&r);
    read_text(&r, "END\nBEGIN\nTYPES \"a\"\nhello world \"\n}\n12\nUnique Type = 3\nUnique Type ID = x\n=\n");
    REMARKS(&r, "SYNTAX 1", "SYNTAX 2", "SYNTAX 3", "SYNTAX 4", "SYNTAX 5", "SYNTAX 6", "SYNTAX 7",
            "SYNTAX 8", "SYNTAX 9");
    done(&r);
    read_text(&r, "CLASS\nBEGIN\nEND\nCLASS 7\nEND\n"); /* no names */
    REMARKS(&r, "SYNTAX 1", "SYNTAX 4", "SYNTAX 5");
    assert_int_equal(r.classes.class_count, 2);
    assert_int_equal(r.classes.classes[1].number, -1);
    done(&r);
    read_text(&r, "CLASS weapon BEGIN END"); /* without quotation marks */
    assert_int_equal(r.remarks.count, 0);
    assert_int_equal(r.classes.classes[0].number, 1);
    done(&r);

    read_text(&r, HEAD "\"a \"odd\" name\" \"b\" 1 {1,2} {3}\n\"c\" \"d \"e\" f\" 2 {1,2} {3}\n" TAIL);
    REMARKS(&r, "SYNTAX 14", "SYNTAX 15");
    assert_string_equal(mst_revenant_type_of(&r.classes, 1)->name, "a \"odd\" name");
    assert_string_equal(mst_revenant_type_of(&r.classes, 2)->imagery, "d \"e\" f");
    done(&r);
    read_text(&r, HEAD "\"a\" \"b 1 {1,2} {3}\n\"c 3\n\"d\" \"e\" 2 {1,2} {3}\n" TAIL); /* not closed */
    REMARKS(&r, "SYNTAX 14", "SYNTAX 15", "SYNTAX 14", "SYNTAX 15");
    assert_int_equal(r.classes.type_count, 1);
    assert_int_equal(r.classes.types[0].unique_id, 2);
    done(&r);
    read_text(&r, HEAD "\"a\" 1 {1,2} {3}\n\"b\" \"c\"\n\"d\" \"e\" {1,2}\n\"f\"\n0x55 {}\n" TAIL);
    REMARKS(&r, "SYNTAX 14", "SYNTAX 15", "SYNTAX 16", "SYNTAX 17", "SYNTAX 18");
    assert_int_equal(r.classes.type_count, 1);
    assert_string_equal(r.classes.types[0].imagery, "");
    done(&r);
    read_text(&r, HEAD "\"a\" \"b\" 1 {1,,2,} {3}\n\"c\" \"d\" 2 {1,x} {3}\n\"e\" \"f\" 3 {1 2} {3} junk\n"
                       "\"g\" \"h\" 4 {1,2} {3} {4}\n" TAIL);
    REMARKS(&r, "SYNTAX 14", "SYNTAX 14", "SYNTAX 15", "SYNTAX 16", "SYNTAX 17", "VALUES 14");
    assert_int_equal(r.classes.type_count, 4);
    assert_int_equal(type_named(&r, "a")->stat_count, 3);
    assert_int_equal(type_named(&r, "a")->stats[2], 2);
    assert_int_equal(type_named(&r, "c")->stats[1], 0);
    assert_int_equal(type_named(&r, "e")->stats[1], 2);
    done(&r);
    read_text(&r, HEAD
              "\"a\" \"b\" 1 {1,2\n\"c\" \"d\" 2 {1,2} {3\nEND\nEND\n" HEAD
              "\"e\" \"f\" 3 {1,{2},3}\n\"g\" \"h\" 4 {1,2} {3}\n\"i\" \"j\" 5 {1"); /* lists not closed */
    REMARKS(&r, "SYNTAX 14", "SYNTAX 15", "SYNTAX 31", "SYNTAX 33", "SYNTAX 33");
    assert_int_equal(r.classes.type_count, 5);
    assert_int_equal(type_named(&r, "a")->stat_count, 2);
    assert_int_equal(type_named(&r, "c")->object_stats[0], 3);
    assert_int_equal(type_named(&r, "g")->object_stats[0], 3);
    done(&r);
    read_text(&r, "CLASS \"TOOL\"\nBEGIN\nSTATS\nBEGIN\nNoCode\nNo 1 2 3\nFew FEW 1 2\nMany MANY 1 2 3 4\n"
                  "Long LONGER 1 2 3\nComma COM 1, 2, 3\nBad BAD 1 x 3\n{\nGood GOOD 1 2 3\nEND\nEND\n");
    REMARKS(&r, "SYNTAX 5", "SYNTAX 6", "SYNTAX 7", "SYNTAX 8", "SYNTAX 9", "SYNTAX 11", "SYNTAX 12");
    assert_int_equal(r.classes.classes[0].stat_count, 6);
    assert_string_equal(r.classes.classes[0].stats[2].code, "LONG");
    assert_int_equal(r.classes.classes[0].stats[1].maximum, 3);
    assert_int_equal(r.classes.classes[0].stats[3].maximum, 3);
    assert_string_equal(r.classes.classes[0].stats[5].name, "Good");
    done(&r);

    /* numbers: the ends of 32 bits, and beyond */
    read_text(&r, "CLASS \"TOOL\" BEGIN TYPES BEGIN\n"
                  "\"a\" \"b\" 4294967295 {-2147483648,2147483647,0xffffffff,+7,0X1f,4294967295}\n"
                  "\"c\" \"d\" 0x100000000 {-2147483649,99999999999999999999999,0x,-}\nEND END");
    REMARKS(&r, "SYNTAX 3", "SYNTAX 3", "SYNTAX 3", "SYNTAX 3", "SYNTAX 3", "VALUES 2", "VALUES 3");
    const int32_t wanted[] = {INT32_MIN, INT32_MAX, -1, 7, 31, -1, INT32_MIN, INT32_MAX, 0, 0};
    for (int i = 0; i < 10; i++)
        assert_int_equal(i < 6 ? type_named(&r, "a")->stats[i] : type_named(&r, "c")->stats[i - 6],
                         wanted[i]);
    assert_non_null(mst_revenant_type_of(&r.classes, UINT32_MAX));
    assert_non_null(mst_revenant_type_of(&r.classes, INT32_MAX));
    done(&r);

    /* bytes that are not ASCII, and NUL */
    static const char foreign[] =
        "CLASS \"T\xD6OL\" BEGIN STATS BEGIN A \xC4\x42 0 0 1 B BB 0 0 1 END TYPES BEGIN "
        "\"a\0b\xFF\" \"\xC3\xA4\" \0 1 {1,1} END END";
    read_bytes(&r, foreign, sizeof foreign - 1);
    REMARKS(&r, "CLASS 1");
    assert_string_equal(r.classes.classes[0].stats[0].code, "?B");
    assert_string_equal(r.classes.types[0].name, "a\xEF\xBF\xBD"
                                                 "b\xEF\xBF\xBD");
    assert_string_equal(r.classes.types[0].imagery, "\xEF\xBF\xBD\xEF\xBF\xBD");
    done(&r);
}

static void test_remarks(void **state) {
    (void)state;
    reading r;
    read_text(&r, "CLASS \"WEPON\" BEGIN END\nCLASS \"unused\" BEGIN END\nCLASS \"MapScroll\" BEGIN END\n");
    REMARKS(&r, "CLASS 1", "CLASS 2");
    assert_int_equal(r.remarks.items[0].offset, 6);
    assert_int_equal(r.remarks.items[0].length, 7);
    assert_string_equal(r.remarks.items[0].message, "the game has no class \"WEPON\"");
    done(&r);
    read_text(&r, HEAD
              "\"a\" \"b\" 9 {1} {3}\n\"c\" \"d\" 8 {1,2,3} {3}\n\"e\" \"f\" 7 {1,2}\n\"g\" \"h\" 6\n" TAIL);
    REMARKS(&r, "VALUES 14", "VALUES 15", "VALUES 16", "VALUES 17", "VALUES 17");
    assert_int_equal(r.remarks.items[0].offset, strlen(HEAD));
    assert_int_equal(r.remarks.items[0].length, strlen("\"a\" \"b\" 9 {1} {3}"));
    done(&r);
    /* the default is always valid, and so are all values if the maximum is not above the minimum */
    read_text(
        &r, "CLASS \"FOOD\" BEGIN\nSTATS BEGIN\nA AAA 5 0 4\nB BBB 0 0 0\nC CCC 0 3 -1\nD DDD 0 -2 2\nEND\n"
            "TYPES BEGIN\n\"a\" \"b\" 1 {5,9,9,2} {}\n\"c\" \"d\" 2 {6,-9,-9,-2}\n\"e\" \"f\" 3 {-1,0,0,3}\n"
            "END\nEND\n");
    REMARKS(&r, "RANGE 10", "RANGE 11", "RANGE 11");
    assert_string_equal(r.remarks.items[0].message, "AAA is 6, outside 0..4: c");
    done(&r);
    read_text(&r, "CLASS \"FOOD\" BEGIN TYPES BEGIN\n\"a\" \"b\" 7\n\"c\" \"d\" 5\n\"e\" \"f\" 7\nEND END\n"
                  "CLASS \"TOOL\" BEGIN TYPES BEGIN\n\"g\" \"h\" 0x7\nEND END\n");
    REMARKS(&r, "DUPLICATE 4", "DUPLICATE 7");
    assert_string_equal(mst_revenant_type_of(&r.classes, 7)->name, "a");
    assert_int_equal(r.classes.type_count, 4);
    for (uint32_t i = 1; i < 4; i++)
        assert_true(r.classes.types[r.classes.by_id[i - 1]].unique_id <=
                    r.classes.types[r.classes.by_id[i]].unique_id);
    done(&r);
    /* long names are truncated at the end of a character */
    char text[900] = "CLASS \"";
    memset(text + 7, 0xE4, 400);
    strcpy(text + 407, "\" BEGIN END");
    read_text(&r, text);
    REMARKS(&r, "CLASS 1");
    assert_true(strlen(r.remarks.items[0].message) > 110);
    size_t length = strlen(r.remarks.items[0].message);
    assert_string_equal(r.remarks.items[0].message + length - 6, "\xEF\xBF\xBD...");
    done(&r);
    /* the report function may abort it */
    mst_arena arena;
    mst_arena_begin(&arena, NULL, 0);
    mst_revenant_classes classes;
    for (size_t at = 1; at <= 3; at++) {
        remarks list = {.stop_at = at};
        const char *odd = "what\nCLASS \"WHAT\" BEGIN TYPES BEGIN\n\"a\" \"b\" 1\n\"a\" \"b\" 1\nEND END";
        assert_int_equal(mst_revenant_read_classes(odd, strlen(odd), &arena, &classes, note, &list),
                         MST_STOPPED);
        assert_int_equal(list.count, at);
        assert_int_equal(classes.type_count, 0);
        assert_int_equal(mst_revenant_read_classes(odd, strlen(odd), &arena, &classes, NULL, NULL), MST_OK);
        assert_int_equal(classes.type_count, 2);
    }
    mst_arena_end(&arena);
}

static size_t hostile_size(void) {
    return sample_step() > 1 ? 1u << 16 : 1u << 20;
}

/* `header` and as many of `piece` as fit; memory is bounded, and so is the time by the test's limit. */
static void read_hostile(const char *header, const char *piece, size_t min, size_t max) {
    size_t start = strlen(header), length = strlen(piece), size = start + (hostile_size() / length) * length;
    char *text = malloc(size);
    assert_non_null(text);
    memcpy(text, header, start);
    for (size_t at = start; at < size; at += length)
        memcpy(text + at, piece, length);
    counted memory = {0};
    mst_allocator allocator = counted_allocator(&memory);
    mst_arena arena;
    mst_arena_begin(&arena, &allocator, 0);
    mst_revenant_classes classes;
    remarks list = {.count = 0};
    MUST(mst_revenant_read_classes(text, size, &arena, &classes, note, &list), NULL);
    assert_in_range(list.count, min, max);
    assert_true(memory.bytes <= 64 * size + 8192);
    mst_arena_end(&arena);
    assert_int_equal(memory.bytes, 0);
    assert_false(memory.wrong);
    mst_arena_begin(&arena, NULL, 0);
    mst_revenant_exits exits;
    MUST(mst_revenant_read_exits(text, size, &arena, &exits), NULL);
    mst_arena_end(&arena);
    free(text);
}

static void test_hostile(void **state) {
    (void)state;
    size_t many = hostile_size();
    read_hostile("", "{", 1, 1);
    read_hostile("", "{\n", many / 2, many / 2);
    read_hostile("", "\"", 1, 2);
    read_hostile("", "\"a", 1, 2);
    read_hostile("", "\n", 0, 0);
    read_hostile("", "/", 0, 1);
    read_hostile("", "CLASS \"a\" ", 1, many);
    read_hostile("", "CLASS ", 1, many);
    read_hostile(HEAD, "\"", 1, 3);
    read_hostile(HEAD, "\"x", 1, 4);
    read_hostile(HEAD, "\"\"\"\"0", 1, many);
    read_hostile(HEAD, "\"\" \"\" 0\n", 1, many);
    read_hostile(HEAD, "\"a\" \"b\" 0 {", 1, many);
    read_hostile(HEAD "\"a\" \"b\" 0 {", "1,", 1, 3);
    read_hostile(HEAD "\"a\" \"b\" 0 {", ",", many / 2, 2 * many);
    read_hostile(HEAD "\"a\" \"b\" 0 {", "{", 1, 3);
    read_hostile(HEAD "\"a\" \"b\" 0 {", "x ", many / 2, many);
    read_hostile(HEAD, "\"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\" \"\" 0\n", 1, many);
    read_hostile("CLASS \"a\" BEGIN STATS BEGIN\n", "A B 0 0 1\n", 2, 2);
    read_hostile("CLASS \"a\" BEGIN STATS BEGIN\n", "END x\n", 1, many);
    read_hostile("CLASS \"a\" BEGIN STATS BEGIN\n", "STATS\nA\n", 1, many);
    read_hostile("Unique ", "Type ID ", 1, 1);
    /* random sequences of meaningful pieces */
    static const char *const pieces[] = {"CLASS",    "\"WEAPON\"",  "\"",     "BEGIN",  "END",   "STATS",
                                         "OBJSTATS", "TYPES",       "{",      "}",      ",",     "=",
                                         "0x12",     "-5",          "\n",     "//",     "\r",    "\t",
                                         "A B",      "\"a\" \"b\"", "Unique", "\xFF\"", "{1,2}", "0 0 9"};
    random_state random = {7};
    for (int round = 0; round < 400; round++) {
        char text[2048];
        size_t size = 0;
        for (uint32_t n = random_below(&random, 200); n && size < sizeof text - 16; n--) {
            const char *piece = pieces[random_below(&random, sizeof pieces / sizeof *pieces)];
            memcpy(text + size, piece, strlen(piece));
            size += strlen(piece);
            if (random_below(&random, 3))
                text[size++] = ' ';
        }
        reading r;
        read_bytes(&r, text, size);
        for (size_t i = 0; i < r.remarks.count && i < 32; i++)
            assert_true(r.remarks.items[i].offset + r.remarks.items[i].length <= size);
        for (uint32_t i = 0; i < r.classes.type_count; i++)
            assert_non_null(mst_revenant_type_of(&r.classes, r.classes.types[i].unique_id));
        done(&r);
    }
    /* each allocation fails once */
    for (size_t at = 1;; at++) {
        counted memory = {.fail_at = at};
        mst_allocator allocator = counted_allocator(&memory);
        mst_arena arena;
        mst_arena_begin(&arena, &allocator, 0);
        mst_revenant_classes classes;
        mst_status status = mst_revenant_read_classes(orderly, strlen(orderly), &arena, &classes, NULL, NULL);
        assert_true(status == MST_OK || (status == MST_NO_MEMORY && memory.failed));
        mst_revenant_exits exits;
        status = mst_revenant_read_exits("a\nb\n", 4, &arena, &exits);
        assert_true(status == MST_OK || (status == MST_NO_MEMORY && memory.failed));
        mst_arena_end(&arena);
        assert_int_equal(memory.blocks, 0);
        if (!memory.failed)
            break;
    }
}

static void test_class_names(void **state) {
    (void)state;
    /* as the game numbers them */
    static const char *const names[] = {
        "item",   "weapon", "armor",        "talisman",     "food",   "container", "lightsource",
        "tool",   "money",  "tile",         "exit",         "player", "character", "trap",
        "shadow", "helper", "key",          "invcontainer", "potion", NULL,        NULL,
        "ammo",   "scroll", "rangedweapon", NULL,           "effect", "mapscroll"};
    for (uint32_t i = 0; i < 27; i++) {
        const char *name = mst_revenant_class_name(i);
        if (!names[i]) {
            assert_null(name);
            continue;
        }
        assert_string_equal(name, names[i]);
        assert_int_equal(mst_revenant_class_number(name, strlen(name)), i);
    }
    assert_null(mst_revenant_class_name(27));
    assert_null(mst_revenant_class_name(UINT32_MAX));
    assert_int_equal(mst_revenant_class_number("RangedWeapon", 12), 23);
    assert_int_equal(mst_revenant_class_number("weapons", 7), -1);
    assert_int_equal(mst_revenant_class_number("weapons", 6), 1);
    assert_int_equal(mst_revenant_class_number("", 0), -1);
}

/* ---- exits ------------------------------------------------------------------------------------- */

static void test_exits(void **state) {
    (void)state;
    static const char text[] = "\xEF\xBB\xBF"
                               "DoorIn (1, 2, 3) level 4 mapindex 0x5 ambient 6 (7, 8, 9)\r\n"
                               "// Comment (1, 2, 3)\r\n"
                               "\r\n"
                               "  doorout(1, 2, 3) level 4\n"
                               "level (1, 2, 3) level 4\n"
                               "\"Two words\" (1, 2, 3)\r"
                               "DOORIN (9, 9, 9)\n"
                               "BEGIN\n"
                               "end // of it\n"
                               "end (1, 2, 3)\n"
                               "(1, 2, 3)\n"
                               "{\n"
                               "T\xFCr (1, 2, 3)\n"
                               "\x7Fto/from (1, 2, 3)\n" /* control characters are blanks */
                               "near//(1, 2, 3)\n"
                               "\"open\n"
                               "last/";
    mst_arena arena;
    mst_arena_begin(&arena, NULL, 0);
    mst_revenant_exits exits;
    MUST(mst_revenant_read_exits(text, sizeof text - 1, &arena, &exits), NULL);
    static const char *const names[] = {"doorin", "doorout",   "end",     "last/", "level",
                                        "near",   "two words", "to/from", "open",  "t\xEF\xBF\xBDr"};
    assert_int_equal(exits.count, 10);
    for (uint32_t i = 1; i < exits.count; i++)
        assert_true(strcmp(exits.names[i - 1], exits.names[i]) < 0);
    for (size_t i = 0; i < 9; i++)
        assert_true(mst_revenant_has_exit(&exits, names[i], strlen(names[i])));
    assert_true(mst_revenant_has_exit(&exits, "DoorIn", 6));
    assert_true(mst_revenant_has_exit(&exits, "T\xFCR", 3));
    assert_false(mst_revenant_has_exit(&exits, "DoorI", 5));
    assert_false(mst_revenant_has_exit(&exits, "DoorIn2", 7));
    assert_false(mst_revenant_has_exit(&exits, "comment", 7));
    assert_false(mst_revenant_has_exit(&exits, "begin", 5));
    assert_false(mst_revenant_has_exit(&exits, "", 0));
    MUST(mst_revenant_read_exits("", 0, &arena, &exits), NULL);
    assert_int_equal(exits.count, 0);
    assert_false(mst_revenant_has_exit(&exits, "", 0));
    assert_false(mst_revenant_has_exit(&exits, "a", 1));
    mst_arena_end(&arena);
}

/* ---- as a document ----------------------------------------------------------------------------- */

static mst_document *open_def(const void *bytes, size_t size, const char *name) {
    mst_document *document = open_as(bytes, size, NULL, name);
    assert_string_equal(mst_document_format(document)->id, "revenant-def");
    return document;
}

static char *json_of(const mst_document *document) {
    mst_buffer text = {0};
    mst_value root = mst_root(document);
    mst_json_options options = {.size = sizeof options, .compact = 1};
    MUST(mst_write_json(&root, &options, mst_buffer_sink(&text), NULL), NULL);
    char *copy = malloc(text.size + 1);
    assert_non_null(copy);
    memcpy(copy, text.data, text.size);
    copy[text.size] = 0;
    mst_buffer_free(&text);
    return copy;
}

static void test_document(void **state) {
    (void)state;
    mst_document *document = open_def(orderly, strlen(orderly), NULL);
    assert_round_trips(document);
    char *json = json_of(document);
    assert_non_null(strstr(
        json,
        "{\"classes\":[{\"name\":\"WEAPON\",\"number\":1,\"stats\":[{\"name\":\"Damage\",\"code\":\"DMG\","
        "\"default\":5,\"minimum\":0,\"maximum\":10},{\"name\":\"Value\",\"code\":\"VAL\",\"default\":0,"
        "\"minimum\":-3,\"maximum\":100}],\"object_stats\":[{\"name\":\"Amount\",\"code\":\"AMT\","
        "\"default\":1,\"minimum\":1,\"maximum\":9}],\"types\":[{\"name\":\"Club\","
        "\"unique_id\":\"0xd0d40000\",\"imagery\":\"Equip\\\\Club.I3D\",\"stats\":{\"DMG\":4,\"VAL\":-3},"
        "\"object_stats\":{\"AMT\":7},\"line\":17},"));
    assert_non_null(strstr(json,
                           "{\"name\":\"TRAP\",\"number\":13,\"stats\":[],\"object_stats\":[],\"types\":[{"
                           "\"name\":\"Scythe\",\"unique_id\":\"0x93abf017\",\"imagery\":"
                           "\"Misc\\\\S.I3D\",\"stats\":{},\"object_stats\":{},\"line\":25}]}]}"));
    free(json);
    mst_close(document);

    /* keys of an object differ, whatever the codes are */
    static const char twice[] =
        "CLASS \"WHAT\" BEGIN STATS BEGIN\nA AA 0 0 9\nB AA 0 0 9\nC #0 0 0 9\nEND TYPES "
        "BEGIN\n\"a\" \"b\" 1 {1,2,3,4}\nEND END";
    document = open_def(twice, strlen(twice), "CLASS.DEF");
    json = json_of(document);
    assert_non_null(strstr(json, "\"number\":null"));
    assert_non_null(strstr(json, "\"stats\":{\"AA\":1,\"#1\":2,\"#2\":3,\"#3\":4}"));
    free(json);
    assert_round_trips(document);
    mst_close(document);

    static const char exits[] = "Door (1, 2, 3) level 4\nAt (1, 2, 3) level 4\n";
    document = open_def(exits, strlen(exits), "My Exit.def");
    json = json_of(document);
    assert_non_null(strstr(json, "{\"exits\":[\"at\",\"door\"]}"));
    free(json);
    assert_round_trips(document);
    findings list = {0};
    MUST(mst_check(document, NULL, collect, &list, NULL, NULL), NULL);
    assert_int_equal(list.count, 0);
    mst_close(document);

    document = open_def("", 0, "class.def");
    assert_round_trips(document);
    mst_close(document);
    document = open_def("Caf\xE9\0\n", 6, "class.def"); /* not UTF-8 */
    assert_round_trips(document);
    mst_close(document);
}

static void test_recognised(void **state) {
    (void)state;
    static const struct {
        const char *text, *name;
        bool known;
    } cases[] = {
        {"Unique Type ID = 1\n", NULL, true},
        {"\xEF\xBB\xBFUnique Type ID = 1\n", NULL, true},
        {"// x\r\n\r\n \t class \"A\"\r\n", "x.txt", true},
        {"", "class.def", true},
        {"Door (1, 2, 3)\n", "EXIT.DEF", true},
        {"anything", "d/BenClass.Def", true},
        {"anything", "sound.def", false},
        {"// CLASS \"A\"\n", "x.def", false},
        {"xCLASS \"A\"\n", "x.def", false},
        {"CLASS A\n", NULL, false},
        {"unique type i", NULL, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size = strlen(cases[i].text);
        const mst_format_information *found = mst_identify(cases[i].text, size, size, cases[i].name, NULL);
        assert_int_equal(found && strcmp(found->id, "revenant-def") == 0, cases[i].known);
    }
    static const char bytes[] = "a\0b\nCLASS \"A\"\n";
    assert_null(mst_identify(bytes, sizeof bytes - 1, sizeof bytes - 1, NULL, NULL));
}

static void test_check(void **state) {
    (void)state;
    static const char text[] =
        HEAD "\"a\" \"b\" 1 {1,2,3} {3}\n\"c\" \"d\" 1 {11,2} {3}\nwhat\n" TAIL "CLASS \"X\" BEGIN END\n\0\0";
    mst_document *document = open_def(text, sizeof text - 1, "class.def");
    findings list = {0};
    mst_check_result result;
    const mst_check_options all = {.size = sizeof all, .information = 1};
    MUST(mst_check(document, &all, collect, &list, &result, NULL), NULL);
    static const char *const codes[] = {"REV-DEF-SYNTAX", "REV-DEF-DUPLICATE", "REV-DEF-CLASS",
                                        "REV-DEF-VALUES", "REV-DEF-RANGE",     "REV-DEF-TEXT"};
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(count_code(&list, codes[i]), 1);
        assert_string_equal(mst_code_at(mst_document_format(document), i)->code, codes[i]);
    }
    assert_string_equal(mst_code_at(mst_document_format(document), 6)->code,
                        "REV-IMAGE-MISSING"); /* and more */
    assert_int_equal(list.count, 6);
    assert_int_equal(result.warnings, 5); /* a value out of range is information */
    for (size_t i = 0; i < list.count; i++) {
        assert_string_equal(list.items[i].path, "text");
        assert_true(list.items[i].offset + list.items[i].length <= sizeof text - 1);
        if (strcmp(list.items[i].code, "REV-DEF-RANGE") == 0) {
            assert_int_equal(list.items[i].offset, strlen(HEAD "\"a\" \"b\" 1 {1,2,3} {3}\n"));
            assert_string_equal(list.items[i].message, "line 15: DMG is 11, outside 0..10: c");
        }
    }
    findings_free(&list);
    assert_round_trips(document);
    assert_stops(document, NULL, 6);
    mst_close(document);
    /* brackets of exits, and bytes that are not text */
    static const char exits[] = "a (1, 2, 3)\nb )1, 2, 3(\nc (1, 2\nd 1)\n\0";
    document = open_def(exits, sizeof exits - 1, "exit.def");
    list = (findings){0};
    MUST(mst_check(document, NULL, collect, &list, NULL, NULL), NULL);
    assert_int_equal(list.count, 4);
    assert_string_equal(list.items[0].code, "REV-DEF-TEXT");
    assert_string_equal(list.items[1].message, "line 2: a bracket is not opened");
    assert_string_equal(list.items[2].message, "line 3: a bracket is not closed");
    assert_string_equal(list.items[3].message, "line 4: a bracket is not opened");
    findings_free(&list);
    assert_stops(document, NULL, 4);
    mst_close(document);
}

static void test_no_memory(void **state) {
    (void)state;
    for (size_t fail_at = 1;; fail_at += sample_step()) {
        counted memory = {.fail_at = fail_at, .for_good = true}; /* a single failure may be handled */
        mst_allocator allocator = counted_allocator(&memory);
        mst_arena arena;
        const mst_revenant_classes *classes = NULL;
        mst_arena_begin(&arena, &allocator, 0);
        mst_status status = mst_revenant_recall_classes(NULL, orderly, strlen(orderly), &arena, &classes);
        assert_int_equal(status, memory.failed ? MST_NO_MEMORY : MST_OK);
        if (status == MST_OK)
            assert_true(classes->type_count > 0);
        mst_arena_end(&arena);
        assert_int_equal(memory.blocks, 0);
        assert_false(memory.wrong);
        if (!memory.failed)
            break;
    }
}

/* If there are too many statistics not all have a name of their own; a long text states its kind first. */
static void test_long_texts(void **state) {
    (void)state;
    size_t capacity = 20000, length = 0;
    char *text = malloc(capacity), key[16];
    assert_non_null(text);
    length += (size_t)snprintf(text, capacity, "CLASS \"WHAT\"\nBEGIN\nSTATS\nBEGIN\n");
    for (unsigned i = 0; i < 70; i++)
        length += (size_t)snprintf(text + length, capacity - length, "S%u C%u 0 0 99\n", i, i);
    length += (size_t)snprintf(text + length, capacity - length, "END\nTYPES\nBEGIN\n\"a\" \"b\" 1 {");
    for (unsigned i = 0; i < 70; i++)
        length += (size_t)snprintf(text + length, capacity - length, "%s%u", i ? "," : "", i);
    length += (size_t)snprintf(text + length, capacity - length, "}\nEND\nEND\n");
    mst_document *document = open_def(text, length, "class.def");
    char *json = json_of(document);
    for (unsigned i = 0; i < 70; i++) {
        snprintf(key, sizeof key, i < 64 ? "\"C%u\":%u" : "\"#%u\":%u", i, i);
        assert_non_null(strstr(json, key));
    }
    free(json);
    mst_close(document);
    memset(text, '/', 5000);
    for (size_t i = 50; i < 5000; i += 50)
        text[i] = '\n';
    memcpy(text + 5000, "\nCLASS \"A\"\n", 12);
    assert_null(mst_identify(text, 5012, 5012, NULL, NULL));
    const mst_format_information *found = mst_identify(text + 2000, 3012, 3012, NULL, NULL);
    assert_non_null(found);
    assert_string_equal(found->id, "revenant-def");
    free(text);
}

/* ---- the hash ---------------------------------------------------------------------------------- */

/* The same by sums over entire runs, in exact numbers that are reduced modulo 2^32 once. */
typedef struct model {
    int64_t a, b;
} model;

static void model_add(model *m, const uint8_t *piece, size_t size) {
    for (size_t start = 0; start < size; start += 5552) {
        int64_t n = (int64_t)(size - start < 5552 ? size - start : 5552), sum = 0, weighted = 0;
        for (int64_t i = 0; i < n; i++) {
            int64_t byte = piece[start + (size_t)i];
            byte = byte > 127 ? byte - 256 : byte;
            sum += byte;
            weighted += (n - i) * byte;
        }
        const int64_t wrap = (int64_t)1 << 32;
        int64_t a = (m->a + sum) % wrap, b = (m->b + n * m->a + weighted) % wrap;
        m->a = (a < 0 ? a + wrap : a) % 65521;
        m->b = (b < 0 ? b + wrap : b) % 65521;
    }
}

static uint32_t hash_of(const uint8_t *const *pieces, const size_t *sizes, size_t count) {
    mst_revenant_hash hash = {1, 0};
    for (size_t i = 0; i < count; i++)
        mst_revenant_hash_add(&hash, pieces[i], sizes[i]);
    return mst_revenant_hash_end(&hash);
}

static void test_hash(void **state) {
    (void)state;
    /* no piece, and the empty sector 2_8_10 of version 15: level, x, y, number of objects */
    assert_int_equal(hash_of(NULL, NULL, 0), 1);
    static const uint8_t sector[16] = {2, 0, 0, 0, 8, 0, 0, 0, 10};
    const uint8_t *numbers[4] = {sector, sector + 4, sector + 8, sector + 12};
    assert_int_equal(hash_of(numbers, (const size_t[]){4, 4, 4, 4}, 4), 0x00E00015);
    /* below 0x80 and shorter than a run it is Adler-32: 0x11E60398 for "Wikipedia" */
    const uint8_t *word[1] = {(const uint8_t *)"Wikipedia"};
    assert_int_equal(hash_of(word, (const size_t[]){9}, 1), 0x11E60398);
    /* 1 - 16 is 2^32 - 15, which leaves 209 modulo 65521: reduced or not depending on the piece's end */
    static const uint8_t signs[2] = {0xF0, 0x20};
    const uint8_t *both[2] = {signs, signs + 1};
    assert_int_equal(hash_of(both, (const size_t[]){2}, 1), 2u << 16 | 17u);
    assert_int_equal(hash_of(both, (const size_t[]){1, 1}, 2), (210u + 242u) << 16 | 242u);
    /* 0 becomes another value */
    mst_revenant_hash none = {0, 0};
    assert_int_equal(mst_revenant_hash_end(&none), 0xF0F0F0F0);

    random_state random = {11};
    static uint8_t bytes[20000];
    for (int round = 0; round < 300; round++) {
        mst_revenant_hash hash = {1, 0};
        model m = {1, 0};
        uint32_t kind = random_below(&random, 4);
        for (uint32_t pieces = random_below(&random, 5) + 1; pieces; pieces--) {
            static const size_t sizes[] = {0, 1, 5551, 5552, 5553, 11104, 11105, 20000};
            size_t size = round % 2 ? sizes[random_below(&random, 8)] : random_below(&random, 300);
            for (size_t i = 0; i < size; i++)
                bytes[i] = kind == 0   ? 0xFF
                           : kind == 1 ? 0x80
                           : kind == 2 ? 0x7F
                                       : (uint8_t)random_below(&random, 256);
            mst_revenant_hash_add(&hash, bytes, size);
            model_add(&m, bytes, size);
        }
        assert_int_equal(hash.a, m.a);
        assert_int_equal(hash.b, m.b);
    }
}

/* ---- the corpus -------------------------------------------------------------------------------- */

static uint8_t *load(const char *name, size_t *size) {
    char path[700];
    FILE *file = corpus_path(name, path, sizeof path) ? fopen(path, "rb") : NULL;
    if (!file)
        return NULL;
    uint8_t *bytes = malloc(1 << 20);
    assert_non_null(bytes);
    *size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static void test_real_classes(void **state) {
    (void)state;
    size_t size;
    uint8_t *bytes = load("revenant/class.def", &size);
    if (!bytes)
        skip();
    reading r;
    read_bytes(&r, (const char *)bytes, size);
    const mst_revenant_classes *c = &r.classes;
    assert_int_equal(c->class_count, 20);
    for (uint32_t i = 0; i < c->class_count; i++)
        assert_true(c->classes[i].number > 0);
    /* 1,649 entries, 15 of which have a duplicate id */
    assert_int_equal(c->type_count, 1649);
    uint32_t distinct = 0;
    for (uint32_t i = 0; i < c->type_count; i++)
        distinct += mst_revenant_type_of(c, c->types[i].unique_id) == &c->types[i];
    assert_int_equal(distinct, 1634);
    const mst_revenant_type *club = mst_revenant_type_of(c, 0xd0d40000);
    assert_non_null(club);
    assert_string_equal(club->name, "Club");
    assert_string_equal(club->imagery, "Equip\\Club.I3D");
    assert_string_equal(c->classes[club->class_index].name, "WEAPON");
    assert_int_equal(club->line, 26);
    const int32_t values[] = {4, 3, 0, 48, 48, 0};
    assert_int_equal(club->stat_count, 6);
    assert_memory_equal(club->stats, values, sizeof values);
    assert_int_equal(club->object_stat_count, 0);
    const mst_revenant_stat *first = c->classes[club->class_index].stats;
    assert_string_equal(first->name, "EqSlot");
    assert_string_equal(first->code, "EQSL");
    assert_int_equal(first->maximum, 9);
    const mst_revenant_type *speaker = mst_revenant_type_of(c, 0x302);
    assert_non_null(speaker);
    assert_string_equal(speaker->name, "Speaker");
    assert_int_equal(c->classes[speaker->class_index].number, 25);
    assert_string_equal(mst_revenant_type_of(c, 0x80)->name, "Locke");
    assert_int_equal(mst_revenant_type_of(c, 0x80)->object_stat_count, 40);
    done(&r);

    mst_document *document = open_def(bytes, size, "class.def");
    findings list = {0};
    MUST(mst_check(document, NULL, collect, &list, NULL, NULL), NULL);
    assert_int_equal(count_code(&list, "REV-DEF-DUPLICATE"), 15);
    assert_int_equal(count_code(&list, "REV-DEF-RANGE"), list.count - 15);
    findings_free(&list);
    assert_round_trips(document);
    mst_close(document);
    free(bytes);
}

/* Sectors of version 15, whose objects have sizes: the hashes equal the stored ones. */
static void test_real_hashes(void **state) {
    (void)state;
    corpus_list files;
    if (!corpus_files("revenant/v15", ".DAT", ".dat", &files))
        skip();
    assert_true(files.count >= 12);
    for (size_t f = 0; f < files.count; f++) {
        char name[200];
        size_t size;
        snprintf(name, sizeof name, "revenant/v15/%s", files.names[f]);
        uint8_t *bytes = load(name, &size), number[4];
        assert_non_null(bytes);
        mst_revenant_hash hash = {1, 0};
        const char *text = files.names[f];
        for (int i = 0; i < 3; i++) {
            char *end;
            mst_store32(number, (uint32_t)strtol(text, &end, 10), false);
            mst_revenant_hash_add(&hash, number, 4);
            text = end + 1;
        }
        mst_revenant_hash_add(&hash, bytes + 12, 4);
        uint32_t count = mst_load32(bytes + 12, false);
        size_t at = 16;
        for (uint32_t i = 0; i < count; i++) {
            assert_true(at + 2 <= size);
            if (mst_load16(bytes + at, false) >= 0x8000) {
                at += 2;
                continue;
            }
            assert_true(at + 12 <= size);
            uint16_t both = mst_load16(bytes + at + 8, false), inventory = mst_load16(bytes + at + 10, false);
            assert_true(inventory <= both && at + 12 + both <= size);
            if (mst_load16(bytes + at + 2, false) == 12) {
                uint16_t body = (uint16_t)(both - inventory);
                mst_store16(bytes + at + 8, body, false);
                mst_store16(bytes + at + 10, 0, false);
                mst_revenant_hash_add(&hash, bytes + at, 12u + body);
            }
            at += 12u + both;
        }
        assert_int_equal(at, size);
        assert_int_equal(mst_revenant_hash_end(&hash), mst_load32(bytes + 8, false));
        free(bytes);
    }
}

/* ---- content as values -------------------------------------------------------------------------- */

static mst_document *content_of(const mst_document *document) {
    mst_value root = mst_root(document), text;
    mst_document *content;
    mst_diagnostic why;
    MUST(mst_member(&root, "text", &text), NULL);
    MUST(mst_open_content(&text, NULL, &content, &why), &why);
    return content;
}

static void assert_at(const mst_document *document, const char *path, const char *json) {
    mst_value value;
    mst_diagnostic why;
    mst_buffer text = {0};
    MUST(mst_find(mst_root(document), path, &value, &why), &why);
    MUST(mst_write_json(&value, &(mst_json_options){.size = sizeof(mst_json_options), .compact = 1},
                        mst_buffer_sink(&text), &why),
         &why);
    assert_true(text.size > 0);
    text.data[text.size - 1] = 0; /* the line break */
    assert_string_equal((const char *)text.data, json);
    mst_buffer_free(&text);
}

static void test_content(void **state) {
    (void)state;
    mst_document *document = open_def(orderly, strlen(orderly), NULL), *content = content_of(document), *no;
    assert_at(content, "types[0]",
              "{\"class\":\"WEAPON\",\"class_number\":1,\"name\":\"Club\",\"unique_id\":3503554560,"
              "\"imagery\":\"Equip\\\\Club.I3D\",\"properties\":[{\"name\":\"DMG\",\"value\":4},{\"name\":"
              "\"VAL\",\"value\":-3}],\"object_properties\":[{\"name\":\"AMT\",\"value\":7}],\"line\":17}");
    assert_at(content, "statistics[1]",
              "{\"class\":\"WEAPON\",\"class_number\":1,\"owner\":\"type\",\"name\":\"Value\",\"code\":"
              "\"VAL\",\"default\":0,\"minimum\":-3,\"maximum\":100}");
    assert_at(content, "statistics[2].owner", "\"object\"");
    assert_round_trips(content);
    findings list = {0};
    MUST(mst_check(content, NULL, collect, &list, NULL, NULL), NULL);
    assert_int_equal(list.count, 0);
    /* which has no content itself */
    mst_value types;
    mst_diagnostic why;
    MUST(mst_find(mst_root(content), "types[0].name", &types, NULL), NULL);
    assert_int_equal(mst_open_content(&types, NULL, &no, &why), MST_UNSUPPORTED);
    mst_value root = mst_root(document);
    assert_int_equal(mst_open_content(&root, NULL, &no, &why), MST_UNSUPPORTED);
    mst_close(content);
    mst_close(document);

    /* a class may have a long name, and may be unknown to the game */
    char text[400], name[100];
    memset(name, 'N', sizeof name);
    memcpy(name + 63, "\xE4", 1); /* becomes three bytes */
    snprintf(text, sizeof text, "CLASS \"%.100s\"\nBEGIN\nTYPES\nBEGIN\n\"a\" \"b\" 1\nEND\nEND\n", name);
    document = open_def(text, strlen(text), "class.def");
    content = content_of(document);
    name[63] = 0;
    char quoted[120];
    snprintf(quoted, sizeof quoted, "\"%s\"", name);
    assert_at(content, "types[0].class", quoted);
    assert_at(content, "types[0].class_number", "-1");
    mst_close(content);
    mst_close(document);
}

static void test_exit_lines(void **state) {
    (void)state;
    static const char text[] =
        "\xEF\xBB\xBF// none\r\nAlpha (1, -2, 3) level 4 mapindex 12345 ambient 20 (255, 0, 10) (9, 9, 9)\r\n"
        "\r\"two words\" level 7 // level 8\nBEGIN\nbeta (1, 2) LEVEL = -5 levels 6 /x\n"
        "gamma level 99999999999 mapindex -99999999999 ambient dark";
    mst_document *document = open_def(text, sizeof text - 1, "EXIT.DEF"), *content = content_of(document);
    mst_value exits;
    MUST(mst_find(mst_root(content), "exits", &exits, NULL), NULL);
    assert_int_equal(mst_count(&exits), 4);
    assert_at(content, "exits[0]",
              "{\"name\":\"Alpha\",\"position\":[1,-2,3],\"level\":4,\"map_index\":12345,\"ambient\":20,"
              "\"color\":[255,0,10],\"line\":2}");
    assert_at(content, "exits[1]",
              "{\"name\":\"two words\",\"position\":[],\"level\":7,\"map_index\":-1,\"ambient\":-1,"
              "\"color\":[],\"line\":4}");
    assert_at(content, "exits[2]",
              "{\"name\":\"beta\",\"position\":[],\"level\":-5,\"map_index\":-1,\"ambient\":-1,\"color\":[],"
              "\"line\":6}");
    assert_at(content, "exits[3]",
              "{\"name\":\"gamma\",\"position\":[],\"level\":2147483647,\"map_index\":-2147483648,"
              "\"ambient\":-1,\"color\":[],\"line\":7}");
    assert_round_trips(content);
    mst_close(content);
    mst_close(document);
}

/* The real one: as many types, with the same ids, as its lines. */
static void test_real_content(void **state) {
    (void)state;
    size_t size;
    uint8_t *bytes = load("revenant/class.def", &size);
    if (!bytes)
        skip();
    mst_document *document = open_def((const char *)bytes, size, "class.def"),
                 *content = content_of(document);
    mst_value types;
    MUST(mst_find(mst_root(content), "types", &types, NULL), NULL);
    assert_int_equal(mst_count(&types), 1649); /* lines, 15 of which have a duplicate id */
    assert_at(content, "types[unique_id=2226324871].name", "\"SpikeWall\"");
    assert_at(content, "types[unique_id=2226324871].class_number", "13");
    assert_round_trips(content);
    mst_close(content);
    mst_close(document);
    free(bytes);
}

int test_revenant_def(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orderly),      cmocka_unit_test(test_odd_text),
        cmocka_unit_test(test_remarks),      cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_class_names),  cmocka_unit_test(test_exits),
        cmocka_unit_test(test_document),     cmocka_unit_test(test_recognised),
        cmocka_unit_test(test_check),        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_long_texts),   cmocka_unit_test(test_hash),
        cmocka_unit_test(test_content),      cmocka_unit_test(test_exit_lines),
        cmocka_unit_test(test_real_content), cmocka_unit_test(test_real_classes),
        cmocka_unit_test(test_real_hashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
