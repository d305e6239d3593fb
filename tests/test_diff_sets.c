/* SPDX-License-Identifier: MIT */
/* Changes between directories and archives: files by name and content, and sectors as one level. */
#include "edit.h"
#include <mapstone/diff.h>
#include <mapstone/edit.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- sets of files ----------------------------------------------------------------------------------- */

typedef struct set_file {
    const char *name;
    const void *bytes;
    size_t size;
} set_file;

typedef struct set {
    set_file files[10]; /* up to one without a name */
} set;

static const char *set_name(void *user, size_t index, uint64_t *size) {
    const set *of = user;
    *size = of->files[index].size;
    return of->files[index].name;
}

static mst_status set_read(void *user, size_t index, uint64_t offset, void *to, size_t count) {
    const set *of = user;
    memcpy(to, (const char *)of->files[index].bytes + offset, count);
    return MST_OK;
}

static mst_container *container_of(set *of) {
    mst_container *container;
    mst_diagnostic why;
    mst_container_files files = {.size = sizeof files, .name = set_name, .read = set_read, .user = of};
    while (of->files[files.count].name)
        files.count++;
    MUST(mst_container_open_files(&files, NULL, &container, &why), &why);
    return container;
}

static mst_document *open_sample(const char *path, const char *name) {
    size_t size;
    char *text = (char *)read_whole(path, &size);
    mst_document *d;
    mst_diagnostic why;
    mst_open_options options = {.size = sizeof options, .name = name};
    assert_non_null(text);
    mst_status status = mst_open_json(text, size, &options, &d, &why);
    free(text);
    if (status == MST_UNSUPPORTED)
        skip();
    MUST(status, &why);
    return d;
}

static set_file file_of(const char *name, const mst_document *document) {
    set_file one = {.name = name};
    one.bytes = mst_document_file(document, 0, NULL, &one.size);
    return one;
}

/* ---- reported changes -------------------------------------------------------------------------------- */

typedef struct heard {
    char text[4000];
    mst_status stop;
} heard;

static void say(heard *all, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(heard *all, const char *format, ...) {
    size_t length = strlen(all->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(all->text + length, sizeof all->text - length, format, arguments);
    va_end(arguments);
}

static mst_status hear_file(void *user, const mst_file_difference *file) {
    static const char *const words[] = {"changed", "same", "added", "removed", "renamed", "unlike", "failed"};
    assert_int_equal(file->size, sizeof *file);
    assert_int_equal(file->why != NULL, file->change == MST_FILE_FAILED);
    say(user, "%s %s %s%s%s\n", words[file->change], file->old_name ? file->old_name : "-",
        file->new_name ? file->new_name : "-", file->is_sector ? " sector" : "",
        file->why && file->why->message[0] ? " why" : "");
    return ((heard *)user)->stop;
}

static mst_status hear_change(void *user, const mst_difference *change) {
    static const char marks[] = "~+->";
    if (change->sort == MST_DIFFERENCE_CONTENT)
        say(user, "  %c %s %lld %lld %s\n", marks[change->kind], change->list, (long long)change->old_index,
            (long long)change->new_index, change->path);
    return MST_OK;
}

static mst_status hear_move(void *user, const mst_moved_between *moved) {
    assert_int_equal(moved->size, sizeof *moved);
    say(user, "moved %s %s %llu %s %llu\n", moved->list, moved->old_name,
        (unsigned long long)moved->old_index, moved->new_name, (unsigned long long)moved->new_index);
    return MST_OK;
}

/* An element copied to another document, at another place. */
static void carry(mst_document *from, const char *path, mst_document *to, const char *as, const char *place,
                  const char *position) {
    mst_buffer text = {0};
    mst_diagnostic why;
    mst_value root = mst_root(from), element;
    MUST(mst_find(root, path, &element, &why), &why);
    MUST(mst_write_json(&element, NULL, mst_buffer_sink(&text), &why), &why);
    char *json = malloc(text.size + 1);
    assert_non_null(json);
    memcpy(json, text.data, text.size);
    json[text.size] = 0;
    MUST(mst_remove(from, path, &why), &why);
    MUST(mst_insert(to, as, json, &why), &why);
    MUST(mst_set(to, place, position, &why), &why);
    free(json);
    mst_buffer_free(&text);
}

/* The last first, as threads might. */
static void run_backwards(void *user, size_t count, void (*work)(void *data, size_t index), void *data) {
    *(size_t *)user += count;
    while (count--)
        work(data, count);
}

/* ---- tests ------------------------------------------------------------------------------------------- */

static void files_and_sectors(void **state) {
    (void)state;
    mst_diagnostic why;
    mst_document *levels[2], *sectors[2][2], *others[2];
    for (int side = 0; side < 2; side++) {
        levels[side] = open_sample("samples/outpost.json", "outpost.level");
        sectors[side][0] = open_sample("samples/keep/7_10_10.json", "7_10_10.DAT");
        sectors[side][1] = open_sample("samples/keep/7_11_10.json", "7_11_10.DAT");
        others[side] = open_sample("samples/keep/7_10_11.json", "7_10_11.DAT");
    }
    MUST(mst_set(levels[1], "objects[19].properties.intensity", "2", &why), &why);
    carry(sectors[1][0], "objects[3]", sectors[1][1], "objects[1]", "objects[1].position",
          "[11300, 10272, 0]");
    set sides[2] = {{{file_of("7_10_10.DAT", sectors[0][0]),
                      file_of("7_11_10.DAT", sectors[0][1]),
                      file_of("a.level", levels[0]),
                      file_of("b.level", levels[0]),
                      file_of("cut.level", levels[0]),
                      file_of("gone.DAT", others[0]),
                      file_of("old.level", levels[1]),
                      {"text", "text", 4},
                      file_of("unlike", levels[0])}},
                    {{file_of("7_10_10.DAT", sectors[1][0]),
                      file_of("7_11_10.DAT", sectors[1][1]),
                      file_of("a.level", levels[1]),
                      file_of("b.level", levels[0]),
                      file_of("cut.level", levels[0]),
                      file_of("is now.DAT", others[0]),
                      {"more text", "", 0},
                      file_of("new.level", levels[0]),
                      file_of("unlike", others[0])}}};
    sides[1].files[4].size = 300;
    static const char *const expected = "changed 7_10_10.DAT 7_10_10.DAT sector\n"
                                        "  - objects 3 -1 \n"
                                        "changed 7_11_10.DAT 7_11_10.DAT sector\n"
                                        "  + objects -1 1 \n"
                                        "changed a.level a.level\n"
                                        "  ~ objects 19 19 properties.intensity\n"
                                        "same b.level b.level\n"
                                        "failed - cut.level why\n"
                                        "unlike unlike unlike\n"
                                        "moved objects 7_10_10.DAT 3 7_11_10.DAT 1\n"
                                        "renamed gone.DAT is now.DAT\n"
                                        "removed old.level -\n"
                                        "added - new.level\n";
    mst_container *files[2] = {container_of(&sides[0]), container_of(&sides[1])};
    heard all = {.text = ""};
    mst_diff_files both = {.size = sizeof both,
                           .old_files = files[0],
                           .new_files = files[1],
                           .file = hear_file,
                           .moved = hear_move};
    mst_diff_options options = {.size = sizeof options, .files = &both};
    MUST(mst_diff(NULL, NULL, &options, hear_change, &all, &why), &why);
    assert_string_equal(all.text, expected);

    /* The same, several files at a time. */
    size_t jobs = 0;
    const mst_parallel backwards = {run_backwards, &jobs};
    mst_diff_options at_once = {.size = sizeof at_once, .files = &both, .parallel = backwards};
    all = (heard){.text = ""};
    MUST(mst_diff(NULL, NULL, &at_once, hear_change, &all, &why), &why);
    assert_string_equal(all.text, expected);
    assert_int_equal(jobs, 6 + 1); /* pairs, and reading the next ones */
    all = (heard){.text = "", .stop = MST_STOPPED};
    assert_int_equal(mst_diff(NULL, NULL, &at_once, hear_change, &all, &why), MST_STOPPED);
    assert_string_equal(all.text, "changed 7_10_10.DAT 7_10_10.DAT sector\n");

    /* A report function is optional; it can end the comparison. */
    const mst_diff_files nobody = {.size = sizeof nobody, .old_files = files[0], .new_files = files[1]};
    options.files = &nobody;
    MUST(mst_diff(NULL, NULL, &options, NULL, NULL, &why), &why);
    options.files = &both;
    all = (heard){.text = "", .stop = MST_STOPPED};
    strcpy(why.message, "of something else");
    assert_int_equal(mst_diff(NULL, NULL, &options, hear_change, &all, &why), MST_STOPPED);
    assert_string_equal(why.message, "");
    assert_string_equal(all.text, "changed 7_10_10.DAT 7_10_10.DAT sector\n");
    all = (heard){.text = ""};
    both.new_files = files[0];
    MUST(mst_diff(NULL, NULL, &options, hear_change, &all, &why), &why);
    both.new_files = files[1];
    assert_null(strstr(all.text, "changed"));

    /* Memory may run out anywhere. */
    size_t refused = 0;
    for (size_t at = 1;; at += 1 + at / 8) {
        counted c = {.fail_at = at, .for_good = at & 1};
        options =
            (mst_diff_options){.size = sizeof options, .allocator = counted_allocator(&c), .files = &both};
        if (at & 2)
            options.parallel = backwards;
        all = (heard){.text = ""};
        mst_status status = mst_diff(NULL, NULL, &options, hear_change, &all, &why);
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
        if (status != MST_OK) {
            assert_int_equal(status, MST_NO_MEMORY);
            refused++;
        } else {
            assert_string_equal(all.text, expected);
        }
        if (!c.failed)
            break;
        assert_true(at < 1000000);
    }
    assert_true(refused > 10);
    for (int side = 0; side < 2; side++) {
        mst_container_close(files[side]);
        mst_close(levels[side]);
        mst_close(sectors[side][0]);
        mst_close(sectors[side][1]);
        mst_close(others[side]);
    }
}

int test_diff_sets(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_and_sectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
