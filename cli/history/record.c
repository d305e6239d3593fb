/* SPDX-License-Identifier: MIT */
#include "record.h"
#include "../inputs/paths.h"
#include "../system/console.h"
#include "store.h"
#include <stdlib.h>
#include <string.h>

#define COMMAND_MAX 1000 /* bytes of the command line that are kept */

/* A process runs one command. Its changes are collected here, since several threads may write files. */
static struct {
    lock one_by_one;
    bool records, is_too_large;
    stream files;
    size_t count;
    uint64_t *keys;
    size_t key_count;
} all;

static void add_key(uint64_t key) {
    if ((all.key_count & (all.key_count + 1)) == 0)
        all.keys = need(realloc(all.keys, 2 * (all.key_count + 1) * sizeof *all.keys));
    all.keys[all.key_count++] = key;
}

void record_begin(const options *given) {
    bool has_option = false;
    for (const option_row *row = given->command->options; row->id != OPTION_NONE; row++)
        has_option = has_option || row->id == OPTION_NO_HISTORY;
    const char *advice;
    char *state = system_state(&advice);
    all.records = has_option && !options_has(given, OPTION_NO_HISTORY) && state;
    all.files = stream_memory();
    lock_begin(&all.one_by_one);
    free(state);
}

void record_file(const char *path, const void *before, size_t before_size, const void *after,
                 size_t after_size) {
    const bool same = before && after && before_size == after_size && memcmp(before, after, after_size) == 0;
    if (!all.records || same)
        return;
    char *whole = history_path(path);
    stream one = stream_memory();
    if (whole)
        history_put_file(&one, whole, before, before_size, after, after_size);
    lock_take(&all.one_by_one);
    all.is_too_large = all.is_too_large || all.files.size + one.size > HISTORY_BYTES;
    if (whole && !all.is_too_large) {
        put(&all.files, one.data, one.size);
        all.count++;
        add_key(history_key(whole));
    }
    lock_give(&all.one_by_one);
    stream_free(&one);
    free(whole);
}

void record_forget(void) {
    all.files.size = all.count = all.key_count = 0;
    all.is_too_large = false;
}

void record_nothing(void) {
    all.records = false;
}

/* A directory that was given to the command represents the files in it. */
static void add_directory(const char *path) {
    char *whole = path && is_directory(path) ? system_whole_path(path) : NULL;
    if (whole)
        add_key(history_key(whole));
    free(whole);
}

static void put_word(stream *to, const char *word) {
    if (*word && !strpbrk(word, " \t\n\"'\\$&|;<>()*?[]#~`{}!")) {
        put_text(to, word);
        return;
    }
    put_text(to, "'");
    for (; *word; word++)
        put(to, *word == '\'' ? "'\\''" : word, *word == '\'' ? 4 : 1);
    put_text(to, "'");
}

static void write_entry(int argc, char **argv) {
    history_store store;
    stream words = stream_memory();
    for (int i = 1; i < argc && words.size < COMMAND_MAX; i++) {
        put_text(&words, i > 1 ? " " : "");
        put_word(&words, argv[i]);
    }
    if (words.size > COMMAND_MAX) {
        words.size = COMMAND_MAX;
        while (words.size && ((unsigned char)words.data[words.size] & 0xC0) == 0x80)
            words.size--;
        put_text(&words, "...");
    }
    put(&words, "", 1);
    if (history_open(&store, true))
        history_add(&store, &all.files, all.count, words.data, all.keys, all.key_count);
    history_close(&store);
    stream_free(&words);
}

void record_end(const options *given, int argc, char **argv) {
    if (all.is_too_large)
        say(MST_INFORMATION, "the change is too large for the history: 'mapstone undo' cannot revert it");
    else if (all.records && all.count) {
        for (size_t i = 0; i < given->operand_count; i++)
            add_directory(given->operands[i]);
        add_directory(given->value[OPTION_OUTPUT]);
        write_entry(argc, argv);
    }
    stream_free(&all.files);
    free(all.keys);
    all.keys = NULL;
    lock_end(&all.one_by_one);
}
