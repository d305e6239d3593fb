/* SPDX-License-Identifier: MIT */
/* Models of Revenant whose data is kept unparsed. */
#ifndef MST_TESTS_REVENANT_KEPT_H
#define MST_TESTS_REVENANT_KEPT_H

#include "sfa_pair.h"

/* The findings report it, and the number of bytes. */
static inline void assert_kept(const mst_document *d) {
    findings list = check_all(d, NULL);
    mst_value root = mst_root(d), data;
    const void *bytes;
    size_t size;
    char found[40];
    MUST(mst_member(&root, "data", &data), NULL);
    MUST(mst_get_bytes(&data, &bytes, &size), NULL);
    assert_int_equal(list.count, size ? 2 : 1);
    assert_string_equal(list.items[0].code, "REV-IMAGE-MODEL");
    assert_string_equal(list.items[0].path, "data");
    if (size) {
        snprintf(found, sizeof found, "%zu bytes", size);
        assert_string_equal(list.items[1].code, "REV-IMAGE-UNKNOWN");
        assert_string_equal(list.items[1].path, "data");
        assert_string_equal(list.items[1].found, found);
    }
    findings_free(&list);
}

#endif
