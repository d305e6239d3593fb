/* SPDX-License-Identifier: MIT */
#include "git_program.h"
#include "../../src/system/system.h"
#include "../output/streams.h"
#include "../system/console.h"
#include "opened_source.h"
#include <errno.h>
#include <stdlib.h>

int git_run(char *const arguments[], char **text, size_t *size) {
    char reason[80];
    mst_diagnostic why;
    int code = -1;
    char *made = system_temporary();
    *text = NULL;
    *size = 0;
    int failure = made ? system_run(arguments, NULL, made, &code) : errno;
    if (failure) {
        mst_system_reason(failure, reason, sizeof reason);
        say(MST_ERROR, "cannot run git: %s", reason);
        code = -1;
    } else if (read_whole(made, text, size, &why) != MST_OK) {
        say_diagnosis("git", &why);
        code = -1;
    }
    if (made)
        mst_system_remove(made);
    free(made);
    return code;
}
