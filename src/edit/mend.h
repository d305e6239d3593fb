/* SPDX-License-Identifier: MIT */
/* Mending: how a format corrects findings whose only right value is determined by other values of the
 * file. */
#ifndef MST_EDIT_MEND_H
#define MST_EDIT_MEND_H

#include "../tables/schema.h"

/* How mst_mend corrects findings of that code, in words: "sets it to ..."; NULL: it does not. */
const char *mst_mend_of(const mst_format_information *format, const char *code);

typedef struct mst_mending mst_mending;
struct mst_mending {
    const mst_document *document;
    const mst_diagnostic *finding;
    /* Records that the value at `path` is to be set. */
    mst_status (*set)(mst_mending *mending, const char *path, const char *json);
};

typedef struct mst_mender {
    const char *code;
    const char *documentation;                /* its effect, as a clause without a subject */
    mst_status (*mend)(mst_mending *mending); /* NULL: mst_mend_as_expected */
} mst_mender;

/* Sets the value that the finding names to the expected one, if that is a number (also as 0x12) or several
 * separated by commas. */
mst_status mst_mend_as_expected(mst_mending *mending);

/* A format's mends end with one that has no code. */
#define MST_MENDS(...)                                                                                       \
    (const mst_mender[]) {                                                                                   \
        __VA_ARGS__, {                                                                                       \
            NULL, NULL, NULL                                                                                 \
        }                                                                                                    \
    }

#endif
