/* SPDX-License-Identifier: MIT */
/* Mending: what a format does about findings whose only right value other values of the file determine. */
#ifndef MST_EDIT_MEND_H
#define MST_EDIT_MEND_H

#include "../tables/schema.h"

/* What mst_mend does about findings of that code, in words: "sets it to ..."; NULL: nothing. */
const char *mst_mend_of(const mst_format_information *format, const char *code);

typedef struct mst_mending mst_mending;
struct mst_mending {
    const mst_document *document;
    const mst_diagnostic *finding;
    /* Notes that the value at `path` is to be set. */
    mst_status (*set)(mst_mending *mending, const char *path, const char *json);
};

typedef struct mst_mender {
    const char *code;
    const char *documentation;                /* what it does, as a clause without a subject */
    mst_status (*mend)(mst_mending *mending); /* NULL: mst_mend_as_expected */
} mst_mender;

/* Sets what the finding names to what it expects, if that is a number (also as 0x12) or several with commas.
 */
mst_status mst_mend_as_expected(mst_mending *mending);

/* A format's mends end with one that has no code. */
#define MST_MENDS(...)                                                                                       \
    (const mst_mender[]) {                                                                                   \
        __VA_ARGS__, {                                                                                       \
            NULL, NULL, NULL                                                                                 \
        }                                                                                                    \
    }

#endif
