/* SPDX-License-Identifier: MIT */
#include "git_program.h"
#include "../../src/system/system.h"
#include "../output/streams.h"
#include "../system/console.h"
#include "opened_source.h"
#include <errno.h>
#include <stdlib.h>

/* Runs git with output to a new temporary file; returns its exit code, or -1 with a message. */
static int run_into(char *const arguments[], char **made) {
    char reason[80];
    int code = -1;
    *made = system_temporary();
    int failure = *made ? system_run(arguments, NULL, *made, &code) : errno;
    if (!failure)
        return code;
    mst_system_reason(failure, reason, sizeof reason);
    say(MST_ERROR, "cannot run git: %s", reason);
    return -1;
}

static void remove_made(char *made) {
    if (made)
        mst_system_remove(made);
    free(made);
}

int git_run(char *const arguments[], char **text, size_t *size) {
    mst_diagnostic why;
    char *made;
    *text = NULL;
    *size = 0;
    int code = run_into(arguments, &made);
    if (code >= 0 && read_whole(made, text, size, &why) != MST_OK) {
        say_diagnosis("git", &why);
        code = -1;
    }
    remove_made(made);
    return code;
}

char *git_write(char *const arguments[]) {
    char *made;
    const int code = run_into(arguments, &made);
    if (code == 0)
        return made;
    if (code > 0)
        say(MST_ERROR, "git could not read the file's versions");
    remove_made(made);
    return NULL;
}
