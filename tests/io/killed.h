/* SPDX-License-Identifier: MIT */
/* Commands that are killed while they write several files, and the next one that writes there. A part of
 * io_failure.c, whose functions it uses. */
#ifndef MST_TESTS_IO_KILLED_H
#define MST_TESTS_IO_KILLED_H

/* The recovery and messages of the next command after one was killed in the n-th call. */
static void killed_at(const char *const *with, const char *line, const char *next_line, const char *call,
                      bool *over) {
    char inside[600], path[700], words[LINE], next_words[LINE], *arguments[WORDS], *next_arguments[WORDS];
    snprintf(inside, sizeof inside, "%s/files", work);
    snprintf(path, sizeof path, "%s/err", work);
    contents before = begin(with);
    words_of(line, words, arguments);
    words_of(next_line, next_words, next_arguments);
    outcome peace = run(arguments, NULL, 0, "", false);
    assert_int_equal(peace.code, 0);
    unsigned mixed = 0, said_so = 0, n = 1;
    for (bool failed = true; failed; n++) {
        put_back(inside, &before);
        outcome o = run(arguments, call, n, "KILL", false);
        failed = o.failed;
        bool whole = same_contents(&o.after, &before) || same_contents(&o.after, &peace.after);
        mixed += !whole;
        outcome next = run(next_arguments, NULL, 0, "", false);
        size_t size;
        char *said = (char *)read_whole(path, &size);
        assert_true(size < 4000);
        said = realloc(said, size + 1);
        assert_non_null(said);
        said[size] = 0;
        bool says = strstr(said, "a command was killed while it wrote") != NULL;
        said_so += says;
        if (next.after.temporaries)
            complain(arguments, call, n, "KILL", "the next command left something");
        if (!whole && !says)
            complain(arguments, call, n, "KILL", "the next command does not say what it ended");
        size_t news = 0, olds = 0;
        for (size_t i = 0; i < peace.after.count; i++) {
            const entry *made = &peace.after.files[i], *now = entry_of(&next.after, made->name),
                        *was = entry_of(&before, made->name);
            if (same_entry(was, made))
                continue;
            news += same_entry(now, made);
            olds += was ? same_entry(now, was) : !now;
        }
        if (news && olds)
            complain(arguments, call, n, "KILL", "some files are still new and some old");
        free(said);
        outcome_free(&next);
        outcome_free(&o);
    }
    *over = mixed > 0 && said_so >= mixed;
    outcome_free(&peace);
    contents_free(&before);
}

/* Killed between two renames: the next command that writes there completes or undoes it, and reports it. */
static void test_killed_between_renames(void **state) {
    (void)state;
    static const char *const calls[] = {"rename", "link", "unlink", "fsync", "write", "open", "close"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        bool mixed = false;
        killed_at(WITH("HITS.bin", "HITS.tab", "small.level"), LONGER, "convert small.level -o other.json",
                  calls[i], &mixed);
        assert_true(mixed || strcmp(calls[i], "rename") != 0);
        killed_at(WITH("HITS.bin", "HITS.tab", "small.level"),
                  "set HITS.bin -r blocks[0].lines[0] -o NEW.bin", "convert small.level -o other.json",
                  calls[i], &mixed);
        assert_true(mixed || strcmp(calls[i], "rename") != 0);
        killed_at(WITH("small.level", "old.gltf", "old.bin"), "convert small.level -o old.gltf",
                  "set -qi small.level mesh.vertices[0].position=[1,2,3]", calls[i], &mixed);
        assert_true(mixed || strcmp(calls[i], "rename") != 0);
    }
}

#endif
