/* SPDX-License-Identifier: MIT */
/* What the web module uses of the command needs: there are neither signals nor terminals. */
#include "system.h"

#include <stdlib.h>

void system_guard(void (*clean)(void)) {
    (void)clean;
}

void system_renaming(bool now) {
    (void)now;
}

_Noreturn void system_wait_for_end(void) {
    for (;;) /* nobody ends the process from outside */
        ;
}

_Noreturn void system_end(int code) {
    _Exit(code);
}

bool system_is_terminal(int descriptor) {
    (void)descriptor;
    return false;
}

bool system_has_colors(int descriptor) {
    (void)descriptor;
    return false;
}
