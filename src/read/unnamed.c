/* SPDX-License-Identifier: MIT */
/* Reporting a name that no element of a list has. It is in a separate file so that no compiler puts its four
 * kilobytes of names into the stack frames of functions that search for elements. */
#include "../core/diagnose.h"
#include "../core/name.h"
#include "conditions.h"
#include "engine.h"

static void add_named(mst_names *names, const mst_value *list, char (*texts)[64]) {
    size_t count = 0;
    mst_value element, name;
    for (mst_iterator it = mst_iterate(list); count < MST_NAMES && mst_next(&it, &element);)
        if (mst_name_of(&element, &name) &&
            mst_get_text(&name, texts[count], sizeof texts[count], NULL) == MST_OK)
            mst_names_add(names, texts[count++]);
    names->more = mst_count(list) > MST_NAMES;
}

static void fail(const char *what, const mst_names *known, mst_diagnostic *diagnostic) {
    const char *nearest = mst_names_nearest(known);
    mst_fail(diagnostic, MST_NO_PATH, nearest ? "%s; did you mean \"%s\"?" : "%s", what, nearest);
    mst_because(MST_NO_PATH, diagnostic, nearest ? MST_REASON_NEAR_NAME : MST_REASON_NONE);
    if (diagnostic && known->count)
        mst_names_text(known, diagnostic->expected, sizeof diagnostic->expected);
}

void mst_fail_unnamed(const char *what, const mst_value *list, const char *name, mst_diagnostic *diagnostic) {
    char texts[MST_NAMES][64];
    mst_names known = {.wanted = name};
    if (list)
        add_named(&known, list, texts);
    fail(what, &known, diagnostic);
}

void mst_fail_unlabelled(const char *what, const mst_labels *labels, const char *name,
                         mst_diagnostic *diagnostic) {
    mst_names known = {.wanted = name, .more = labels->name_count > MST_NAMES};
    for (size_t i = 0; i < labels->name_count && i < MST_NAMES; i++)
        if (*labels->names[i])
            mst_names_add(&known, labels->names[i]);
    fail(what, &known, diagnostic);
}
