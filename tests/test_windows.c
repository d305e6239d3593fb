/* SPDX-License-Identifier: MIT */
/* Files on Windows: names with a special meaning, long paths, and files that another program has open. The
 * meanings of names are from Microsoft's "Naming Files, Paths, and Namespaces". */
#include "support.h"

#include "../src/core/file.h"
#include "../src/core/write.h"
#include "../src/system/system.h"
#include "scratch.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

static mst_status write_text(const char *path, const char *text, mst_diagnostic *why) {
    mst_file_writer *to;
    mst_status status = mst_file_create(path, NULL, &to, why);
    if (status != MST_OK)
        return status;
    mst_sink sink = mst_file_sink(to);
    sink.write(sink.user, text, strlen(text));
    return mst_file_finish(to, why);
}

static void holds_text(const char *path, const char *text) {
    mst_file_bytes bytes;
    mst_diagnostic why;
    MUST(mst_file_read(path, NULL, 0, false, &bytes, &why), &why);
    assert_int_equal(bytes.size, strlen(text));
    assert_memory_equal(bytes.data, text, bytes.size);
    mst_file_bytes_free(&bytes);
}

static void test_names(void **state) {
    static const char *const taken[] = {
        "con",    "aux.level", "NUL.map", "COM1",  "lpt9.txt",    "con .x", "maps/prn", "dot.",
        "space ", "ab:stream", "what?",   "star*", "folder./a.b", "a<b",    "conin$",   "com\xC2\xB9"};
    (void)state;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        mst_diagnostic why;
        assert_int_equal(write_text(taken[i], "x", &why), MST_IO);
        if (!strstr(why.message, "Windows does not permit this name"))
            fail_msg("%s: %s", taken[i], why.message);
    }
    assert_int_equal(files_here(false), 0);
    static const char *const free_for_all[] = {"console.level", "auxiliary", "com0",   "com10",
                                               "a.con",         "..x",       ".hidden"};
    for (size_t i = 0; i < sizeof free_for_all / sizeof *free_for_all; i++) {
        mst_diagnostic why;
        MUST(write_text(free_for_all[i], "x", &why), &why);
        holds_text(free_for_all[i], "x");
    }
    files_here(true);
}

static void test_unicode(void **state) {
    static const char name[] = "\xC3\xA4\xE2\x82\xAC \xF0\x9F\x97\xBA.level"; /* ä€, a map beyond 16 bits */
    static const wchar_t wide[] = L"\x00E4\x20AC \xD83D\xDDFA.level";
    mst_diagnostic why;
    (void)state;
    MUST(write_text(name, "level", &why), &why);
    assert_true(GetFileAttributesW(wide) != INVALID_FILE_ATTRIBUTES);
    holds_text(name, "level");
    assert_true(DeleteFileW(wide));
    assert_int_equal(write_text("\xFF", "x", &why), MST_IO); /* not UTF-8 */
}

static void test_separators(void **state) {
    char here[MAX_PATH], path[MAX_PATH + 20];
    mst_diagnostic why;
    (void)state;
    assert_int_equal(_mkdir("folder"), 0);
    MUST(write_text("folder\\a.level", "one", &why), &why);
    holds_text("folder/a.level", "one");
    holds_text(".\\folder\\.\\a.level", "one");
    assert_true(GetCurrentDirectoryA(sizeof here, here));
    snprintf(path, sizeof path, "%s\\folder/a.level", here);
    assert_true(path[1] == ':');
    MUST(write_text(path, "two", &why), &why);
    holds_text(path, "two");
    assert_int_equal(write_text("folder\\", "x", &why), MST_IO);
    assert_non_null(strstr(why.message, "is a directory"));
    assert_int_equal(remove("folder/a.level"), 0);
    assert_int_equal(files_here(false), 1); /* the temporary file was next to the level, and is removed */
    assert_int_equal(_rmdir("folder"), 0);
}

static void test_long_path(void **state) {
    wchar_t wide[700];
    char path[700] = "";
    mst_diagnostic why;
    (void)state;
    DWORD length = GetCurrentDirectoryW(300, wide + 4);
    memcpy(wide, L"\\\\?\\", 4 * sizeof *wide);
    size_t begin = 4 + length, at = begin;
    for (unsigned i = 0; i < 4; i++) {
        wide[at++] = L'\\';
        for (unsigned k = 0; k < 100; k++)
            wide[at++] = (wchar_t)(L'a' + i);
        wide[at] = 0;
        assert_true(CreateDirectoryW(wide, NULL));
    }
    for (size_t i = begin + 1; i < at; i++) {
        path[i - begin - 1] = wide[i] == L'\\' ? '/' : (char)wide[i];
        path[i - begin] = 0;
    }
    strcat(path, "/far away.level");
    assert_true(strlen(path) > 260);
    MUST(write_text(path, "far", &why), &why);
    MUST(write_text(path, "farther", &why), &why);
    holds_text(path, "farther");
    memcpy(wide + at, L"\\far away.level", sizeof L"\\far away.level");
    assert_true(DeleteFileW(wide));
    for (unsigned i = 0; i < 4; i++, at -= 101) {
        wide[at] = 0;
        assert_true(RemoveDirectoryW(wide));
    }
}

/* A program that opens the file exclusively. */
static void test_file_in_use(void **state) {
    mst_diagnostic why;
    mst_file_bytes bytes;
    (void)state;
    MUST(write_text("level", "old", &why), &why);
    HANDLE alone = CreateFileA("level", GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING, 0, NULL);
    assert_true(alone != INVALID_HANDLE_VALUE);
    assert_int_equal(mst_file_read("level", NULL, 0, false, &bytes, &why), MST_IO);
    assert_non_null(strstr(why.message, "it is open in another program"));
    assert_int_equal(write_text("level", "new", &why), MST_IO);
    assert_non_null(strstr(why.message, "it is open in another program"));
    CloseHandle(alone);
    HANDLE reader = CreateFileA("level", GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
    holds_text("level", "old"); /* other programs may read it */
    assert_int_equal(write_text("level", "new", &why), MST_IO);
    assert_non_null(strstr(why.message, "it is open in another program"));
    CloseHandle(reader);
    assert_int_equal(files_here(false), 1); /* no temporary file is left */
    MUST(write_text("level", "new", &why), &why);
    holds_text("level", "new");
    files_here(true);
}

/* Our own handle must not be an obstacle: a file that must be unchanged is held open until it is replaced. */
static void test_expected(void **state) {
    mst_file_writer *to;
    mst_diagnostic why;
    (void)state;
    MUST(write_text("level", "old", &why), &why);
    MUST(mst_file_create("level", NULL, &to, &why), &why);
    mst_sink sink = mst_file_sink(to);
    sink.write(sink.user, "new", 3);
    mst_file_expect(to, "old", 3);
    MUST(mst_file_finish(to, &why), &why);
    holds_text("level", "new");
    MUST(mst_file_create("level", NULL, &to, &why), &why);
    mst_file_expect(to, "old", 3);
    assert_int_equal(mst_file_finish(to, &why), MST_REFUSED);
    holds_text("level", "new");
    files_here(true);
}

static void test_attributes(void **state) {
    mst_diagnostic why;
    (void)state;
    MUST(write_text("level", "old", &why), &why);
    assert_true(SetFileAttributesA("level", FILE_ATTRIBUTE_READONLY));
    assert_int_equal(write_text("level", "new", &why), MST_IO);
    assert_non_null(strstr(why.message, "it is read-only"));
    holds_text("level", "old");
    assert_true(SetFileAttributesA("level", FILE_ATTRIBUTE_HIDDEN));
    MUST(write_text("level", "new", &why), &why);
    holds_text("level", "new");
    assert_true(GetFileAttributesA("level") & FILE_ATTRIBUTE_HIDDEN);
    assert_true(SetFileAttributesA("level", FILE_ATTRIBUTE_NORMAL));
    files_here(true);
}

/* git for Windows names the null device in its own way, and in the Unix way. */
static void test_nothing(void **state) {
    (void)state;
    assert_true(mst_system_is_nothing("nul") && mst_system_is_nothing("NUL") &&
                mst_system_is_nothing("/dev/null"));
    assert_false(mst_system_is_nothing("nul.level") || mst_system_is_nothing("C:nul2") ||
                 mst_system_is_nothing(""));
}

int test_windows(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names),       cmocka_unit_test(test_unicode),
                                       cmocka_unit_test(test_separators),  cmocka_unit_test(test_long_path),
                                       cmocka_unit_test(test_file_in_use), cmocka_unit_test(test_expected),
                                       cmocka_unit_test(test_attributes),  cmocka_unit_test(test_nothing)};
    return cmocka_run_group_tests(tests, enter_directory, leave_directory);
}
