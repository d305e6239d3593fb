/* SPDX-License-Identifier: MIT */
/* Edits proved together in a transaction must make the same bytes as each alone. */
#ifndef MST_TESTS_TOGETHER_H
#define MST_TESTS_TOGETHER_H

#include "documents.h"
#include <mapstone/edit.h>

/* Applies a script in one transaction. `watched`: pending edits are proved after each line. */
static inline void apply_script(mst_document *d, const char *script, bool watched) {
    mst_diagnostic why;
    mst_operations *all = NULL;
    mst_transaction *transaction;
    size_t count;
    MUST(mst_operations_read(&all, script, strlen(script), 1, NULL, &why), &why);
    MUST(mst_edit_begin(d, NULL, &transaction, &why), &why);
    const mst_operation *items = mst_operations_all(all, &count);
    for (size_t i = 0; i < count; i++) {
        MUST(mst_edit_apply(transaction, &items[i], &why), &why);
        if (watched)
            assert_non_null(mst_edit_document(transaction));
    }
    MUST(mst_edit_commit(transaction, &why), &why);
    mst_operations_free(all);
}

/* Applies a script to two documents of the same bytes: all of it together, and line by line. */
static inline void assert_same_together(mst_document *d, mst_document *alone, const char *script) {
    apply_script(d, script, false);
    apply_script(alone, script, true);
    size_t size, other;
    const void *bytes = mst_document_bytes(d, &size), *one = mst_document_bytes(alone, &other);
    assert_int_equal(size, other);
    assert_memory_equal(bytes, one, size);
}

#endif
