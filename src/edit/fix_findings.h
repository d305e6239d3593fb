/* SPDX-License-Identifier: MIT */
/* Fixing: how a format corrects findings whose only right value is determined by other values of the
 * file. */
#ifndef MST_EDIT_FIX_FINDINGS_H
#define MST_EDIT_FIX_FINDINGS_H

#include "../tables/schema.h"

/* How mst_fix corrects findings of that code, in words: "sets it to ..."; NULL: it does not. */
const char *mst_fix_of(const mst_format_information *format, const char *code);

typedef struct mst_fix_context mst_fix_context;
struct mst_fix_context {
    const mst_document *document;
    const mst_diagnostic *finding;
    /* Records that the value at `path` is to be set. */
    mst_status (*set)(mst_fix_context *fixing, const char *path, const char *json);
};

typedef struct mst_fix_rule {
    const char *code;
    const char *documentation;                  /* its effect, as a clause without a subject */
    mst_status (*fix)(mst_fix_context *fixing); /* NULL: mst_fix_as_expected */
} mst_fix_rule;

/* Sets the value that the finding names to the expected one, if that is a number (also as 0x12) or several
 * separated by commas. */
mst_status mst_fix_as_expected(mst_fix_context *fixing);

/* A format's fixes end with one that has no code. */
#define MST_FIXES(...)                                                                                       \
    (const mst_fix_rule[]) {                                                                                 \
        __VA_ARGS__, {                                                                                       \
            NULL, NULL, NULL                                                                                 \
        }                                                                                                    \
    }

#endif
