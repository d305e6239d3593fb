/* SPDX-License-Identifier: MIT */
/* Diagnoses of an import. */
#include "../core/diagnose.h"
#include "importing.h"
#include <stdarg.h>
#include <stdio.h>

mst_status mst_importing_no_memory(const mst_import_state *w) {
    return mst_fail(w->diagnostic, MST_NO_MEMORY, "not enough memory to import the model");
}

mst_status mst_importing_warn(const mst_import_state *w, const char *path, const char *format, ...) {
    mst_diagnostic what;
    if (!w->options->report)
        return MST_OK;
    mst_fail(&what, MST_OK, "%s", "");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what.message, sizeof what.message, format, arguments);
    va_end(arguments);
    what.severity = MST_WARNING;
    MST_SET(what.path, "%s", path ? path : "");
    return w->options->report(w->options->user, &what);
}
