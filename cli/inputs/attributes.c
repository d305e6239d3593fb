/* SPDX-License-Identifier: MIT */
#include "attributes.h"
#include "../../src/core/write.h"
#include "../../src/system/system.h"
#include "../system/console.h"
#include "opened_source.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_LINE 2048 /* git ignores longer ones */

/* ---- patterns --------------------------------------------------------------------------------------- */

/* Whether a backslash at the end escapes nothing. */
static bool ends_in_escape(const char *pattern) {
    size_t length = strlen(pattern), slashes = 0;
    while (slashes < length && pattern[length - 1 - slashes] == '\\')
        slashes++;
    return slashes % 2 && !mst_system_separates('\\');
}

bool attributes_accept(const char *pattern) {
    size_t length = strlen(pattern);
    const char *why = NULL;
    if (!length)
        why = "an empty pattern matches no file";
    else if (mst_system_separates(pattern[length - 1]))
        why = "a pattern that ends with / matches no file; for all files in a directory: DIR/**";
    else if (ends_in_escape(pattern))
        why = "a pattern that ends with one \\ matches no file";
    else if (system_shell_is_plain() && (pattern[0] == '\'' || pattern[length - 1] == '\''))
        why = "cmd.exe does not remove single quotes: use double quotes";
    else if (length > LONGEST_LINE / 4 - 64) /* a byte is written as at most four */
        why = "git ignores patterns of this length";
    if (why)
        say(MST_ERROR, "%.80s: %s", pattern, why);
    return !why;
}

/* Whether git reads the pattern only in quotes, as a C string. */
static bool needs_quotes(const char *pattern) {
    bool needs = *pattern == '"' || *pattern == '#';
    for (; *pattern && !needs; pattern++)
        needs = (unsigned char)*pattern <= ' ' || *pattern == 127;
    return needs;
}

static void put_character(stream *to, char c, bool quoted) {
    if (c == '\\' && mst_system_separates(c))
        c = '/';
    if (quoted && ((unsigned char)c < ' ' || c == 127))
        print(to, "\\%03o", (unsigned)c);
    else
        print(to, "%s%c", quoted && (c == '\\' || c == '"') ? "\\" : "", c);
}

/* A pattern must not begin with ! or [attr], which have another meaning. */
static void put_pattern(stream *to, const char *pattern) {
    static const char macro[] = "[attr]";
    bool quoted = needs_quotes(pattern);
    put_text(to, quoted ? "\"" : "");
    if (*pattern == '!')
        put_text(to, quoted ? "\\\\" : "\\");
    if (strncmp(pattern, macro, sizeof macro - 1) == 0) {
        put_text(to, "[aattr]"); /* the same characters */
        pattern += sizeof macro - 1;
    }
    for (; *pattern; pattern++)
        put_character(to, *pattern, quoted);
    put_text(to, quoted ? "\"" : "");
}

static bool has_line(const char *text, const char *line) {
    size_t length = strlen(line);
    for (const char *at = text; (at = strstr(at, line)); at += length)
        if ((at == text || at[-1] == '\n') && (!at[length] || at[length] == '\n' || at[length] == '\r'))
            return true;
    return false;
}

void attributes_put(stream *to, const char *text, const char *pattern, const char *attributes) {
    stream line = stream_memory();
    put_pattern(&line, pattern);
    print(&line, " %s", attributes);
    put(&line, "", 1);
    if (!has_line(text, line.data))
        print(to, "%s\n", line.data);
    stream_free(&line);
}

/* ---- the file --------------------------------------------------------------------------------------- */

/* git ignores the file if it is a link, whose target may not belong to the repository. */
static int examine(const char *path, bool *there) {
    mst_system_info about;
    char reason[80];
    int error = mst_system_about_link(path, &about);
    *there = error != ENOENT;
    if (!*there)
        return EXIT_YES;
    if (!error && about.kind == MST_SYSTEM_FILE)
        return EXIT_YES;
    if (!error && about.kind == MST_SYSTEM_LINK) {
        say(MST_ERROR, "%s is a symbolic link, which git does not follow: replace it by a file", path);
        return EXIT_REFUSED;
    }
    mst_system_reason(error, reason, sizeof reason);
    say(MST_ERROR, "%s: %s", path, error ? reason : "it is not a file");
    return EXIT_TROUBLE;
}

int attributes_read(const char *path, char **text, size_t *size) {
    mst_diagnostic why;
    bool there;
    *text = NULL;
    *size = 0;
    int code = examine(path, &there);
    if (code == EXIT_YES && there && read_whole(path, text, size, &why) != MST_OK)
        code = worse(say_diagnosis(path, &why), EXIT_TROUBLE);
    if (code == EXIT_YES && *size && memchr(*text, 0, *size)) {
        say(MST_ERROR, "%s has NUL bytes, so that git does not read it as text: save it as UTF-8", path);
        code = EXIT_REFUSED;
    }
    if (!*text)
        *text = need(calloc(1, 1));
    return code;
}

int attributes_append(const char *path, const char *text, size_t size, const stream *more) {
    target to;
    mst_diagnostic why;
    if (!target_begin(&to, path))
        return EXIT_TROUBLE;
    if (size)
        mst_file_expect(to.writer, text, size);
    mst_sink sink = target_sink(&to);
    mst_status status = sink.write(sink.user, text, size);
    if (status == MST_OK && size && text[size - 1] != '\n')
        status = sink.write(sink.user, "\n", 1);
    if (status == MST_OK)
        status = sink.write(sink.user, more->data, more->size);
    return target_settle(&to, status, path, &why);
}
