/* SPDX-License-Identifier: MIT */
/* Names from strangers: which of them may become files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "../src/system/file_names.h"

#define ZERO_WIDTH "\xE2\x80\x8C"

typedef struct named {
    const char *path, *why; /* a part of the reason; NULL: it may be a file */
} named;

static void judge(const named *all, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const char *why = mst_name_fault(all[i].path);
        bool right = all[i].why ? why && strstr(why, all[i].why) : !why;
        if (!right)
            fail_msg("\"%s\": %s, not %s", all[i].path, why ? why : "nothing", all[i].why);
        assert_int_equal(mst_name_is_hidden(all[i].path), all[i].why && strcmp(all[i].why, "hidden") == 0);
    }
}

#define JUDGE(all) judge(all, sizeof(all) / sizeof *(all))

static void usual_names_are_files(void **state) {
    (void)state;
    static const named all[] = {{"a.level", NULL},
                                {"maps/a.level", NULL},
                                {"maps/my map (2).level", NULL},
                                {"MAPS.bin", NULL},
                                {"TEX1.tab", NULL},
                                {"SECT11/L111LEV.MAP", NULL},
                                {"7_10_10.DAT", NULL},
                                {"class.def", NULL},
                                {"IMAGERY/IMAGERY.12", NULL},
                                {"x", NULL},
                                {"a..b", NULL},
                                {"a...level", NULL},
                                {"-rf", NULL},
                                {"--output=x", NULL},
                                {"$(touch x)", NULL},
                                {"git", NULL},
                                {"git/config", NULL},
                                {"a.git/config", NULL},
                                {"KEEP~1.DAT", NULL},
                                {"a~", NULL},
                                {"~1", NULL},
                                {"a~0", NULL},
                                {"a~1b", NULL},
                                {"nothing~12", NULL},
                                {"con2", NULL},
                                {"com", NULL},
                                {"com10", NULL},
                                {"comx.level", NULL},
                                {"lpt", NULL},
                                {"console/auxiliary.level", NULL},
                                {"null.level", NULL},
                                {"a.con", NULL},
                                {"com\xC2\xB4", NULL},
                                {"\xC3\x9C"
                                 "ber/stra\xC3\x9F"
                                 "e.level",
                                 NULL},
                                {"caf\xE9.level", NULL}, /* not UTF-8 */
                                {"a" ZERO_WIDTH "b.level", NULL},
                                {"a\xC2\xA0"
                                 "b",
                                 NULL}};
    JUDGE(all);
}

static void paths_stay_in_their_folder(void **state) {
    (void)state;
    static const named all[] = {{"", "leads out"},
                                {"/", "leads out"},
                                {"/etc/passwd", "leads out"},
                                {"a/", "leads out"},
                                {"a//b", "leads out"},
                                {".", "leads out"},
                                {"./a", "leads out"},
                                {"a/.", "leads out"},
                                {"..", "leads out"},
                                {"../a", "leads out"},
                                {"a/../../b", "leads out"},
                                {"a/..", "leads out"},
                                {ZERO_WIDTH, "leads out"},
                                {ZERO_WIDTH "../a", "leads out"},
                                {"..\\a", "backslash"},
                                {"a\\b.level", "backslash"},
                                {"\\\\server\\share", "backslash"},
                                {"C:a", "colon"},
                                {"C:/a", "colon"},
                                {"a:stream", "colon"},
                                {"maps/a.level:b:$DATA", "colon"}};
    JUDGE(all);
}

static void hidden_names_are_refused(void **state) {
    (void)state;
    static const named all[] = {{".git", "hidden"},
                                {".git/config", "hidden"},
                                {".GIT/config", "hidden"},
                                {".Git/hooks/post-checkout", "hidden"},
                                {"maps/.git/config", "hidden"},
                                {".git /config", "hidden"},
                                {".git./config", "hidden"},
                                {".git . ./config", "hidden"},
                                {".git.../x", "hidden"},
                                {".bashrc", "hidden"},
                                {"maps/.envrc", "hidden"},
                                {".a/b/c.level", "hidden"},
                                {"...", "hidden"},
                                {".a.level", "hidden"},
                                {".git/a:b", "hidden"},
                                {".g" ZERO_WIDTH "it/config", "hidden"},
                                {".gi\xE2\x81\xAFt", "hidden"},
                                {ZERO_WIDTH ".git/config", "hidden"},
                                {"\xE2\x80\x8F.git", "hidden"},
                                {"\xE2\x80\xAA\xE2\x80\xAE.git", "hidden"},
                                {"\xE2\x81\xAA.git", "hidden"},
                                {"\xEF\xBB\xBF.git", "hidden"},
                                {"\xEF\xBB\xBF", "leads out"},
                                {"\xE2\x80\x8B.git", NULL}, /* HFS+ does not ignore U+200B */
                                {"\xE2\x80\xAF.git", NULL}, /* nor U+202F */
                                {"\xE2\x81\xA9.git", NULL}, /* nor U+2069 */
                                {".git::$INDEX_ALLOCATION/config", "colon"},
                                {"git~1", "short name"},
                                {"GIT~1/config", "short name"},
                                {"maps/Git~2", "short name"},
                                {"git~10", "short name"},
                                {"GITMOD~1", "short name"},
                                {"gi7eba~1", "short name"},
                                {"GITATT~4", "short name"},
                                {"BASHRC~1", "short name"},
                                {"git~1.", "blank or dot"},
                                {"git~1 ", "blank or dot"},
                                {"git~1:x", "colon"}};
    JUDGE(all);
}

static void devices_are_refused(void **state) {
    (void)state;
    static const named all[] = {{"CON", "device"},
                                {"con", "device"},
                                {"PRN.level", "device"},
                                {"aux.c", "device"},
                                {"maps/NUL", "device"},
                                {"nul.a.b", "device"},
                                {"nul .level", "device"},
                                {"NUL/a.level", "device"},
                                {"COM1.txt", "device"},
                                {"com0", "device"},
                                {"Com9.level", "device"},
                                {"LPT1", "device"},
                                {"lpt5.dat", "device"},
                                {"COM\xC2\xB9", "device"},
                                {"LPT\xC2\xB2.x", "device"},
                                {"com\xC2\xB3", "device"},
                                {"CONIN$", "device"},
                                {"conout$.level", "device"},
                                {"CLOCK$", "device"},
                                {"a ", "blank or dot"},
                                {"a.level.", "blank or dot"},
                                {"maps./a.level", "blank or dot"},
                                {"maps /a.level", "blank or dot"},
                                {"con.", "blank or dot"},
                                {" ", "blank or dot"},
                                {"a\nb.level", "control"},
                                {"a\tb", "control"},
                                {"\x1B[31mred.level", "control"},
                                {"a\x7F", "control"},
                                {"a\xC2\x9B"
                                 "31m",
                                 "control"}};
    JUDGE(all);
}

/* Parts of a longer text are judged without the rest. */
static void length_ends_the_name(void **state) {
    (void)state;
    assert_null(mst_name_fault_of("maps/.git", 4));
    assert_non_null(mst_name_fault_of("maps/.git", 5));
    assert_non_null(mst_name_fault_of("maps/.git", 6));
    assert_non_null(mst_name_fault_of("conx", 3));
    assert_null(mst_name_fault_of("conx", 4));
    assert_non_null(mst_name_fault_of("x", 0));
    assert_null(mst_name_fault_of("a\xE2\x80\x8C", 2)); /* a truncated code point */
    assert_null(mst_name_fault_of("com\xC2\xB9", 4));
}

int test_names(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usual_names_are_files),    cmocka_unit_test(paths_stay_in_their_folder),
        cmocka_unit_test(hidden_names_are_refused), cmocka_unit_test(devices_are_refused),
        cmocka_unit_test(length_ends_the_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
