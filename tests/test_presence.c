/* SPDX-License-Identifier: MIT */
/* Fields that are present depending on the bytes. */
#include "own_format.h"

/* ---- presence decided by the bytes alone -------------------------------------------------------- */

/* A list is present if the bytes before the end can be one: a count of bytes that fits. */
static bool can_be_list(const mst_document *document, uint64_t offset, uint64_t end,
                        const uint32_t *context) {
    assert_int_equal(context[MST_VARIABLE_VERSION], 0);
    return offset < end && document->data[offset] == end - offset - 1;
}

static const mst_field hook_fields[] = {
    {.name = "size", .kind = MST_KIND_U8, .flags = MST_FIELD_SIZE},
    {.name = "a", .kind = MST_KIND_U8},
    {.name = "list",
     .kind = MST_KIND_U8,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U8,
     .present = can_be_list},
    {.name = "rest", .kind = MST_KIND_RAW, .mode = MST_COUNT_TO_END, .flags = MST_FIELD_OMIT_EMPTY},
};

static const mst_record hook = {.name = "hook", .index = 1, TABLE(hook_fields)};

static const mst_field hooks_fields[] = {
    {.name = "hooks", .kind = MST_KIND_RECORD, .mode = MST_COUNT_TO_END, .record = &hook}};

static const mst_record hooks = {.name = "hooks", .index = 0, TABLE(hooks_fields)};
static const mst_record *const hook_records[] = {&hooks, &hook};
static const mst_format hook_format = {FORMAT(hooks, hook_records)};

static void present_hooks(void **state) {
    (void)state;
    writer w = {0};
    static const uint8_t bytes[] = {4, 1, 2, 7, 8, /* a list */
                                    2, 1, 0,       /* an empty one */
                                    1, 1,          /* none */
                                    4, 1, 1, 7, 8 /* an implausible one */};
    put_bytes_of(&w, bytes, sizeof bytes);
    mst_document *d = open_own(&hook_format, &w);
    assert_reads_as(
        d, "{\"$format\":\"test\",\"hooks\":[{\"a\":1,\"list\":[7,8]},{\"a\":1,\"list\":[]},{\"a\":1},"
           "{\"a\":1,\"rest\":\"010708\"}]}");
    assert_survives(d);
    assert_false(has(d, "hooks[2].list"));
    assert_false(has(d, "hooks[3].list"));
    mst_diagnostic why;
    MUST(mst_insert(d, "hooks[1].list[0]", "9", &why), &why);
    assert_int_equal(count_at(d, "hooks[1].list"), 1);
    MUST(mst_set(d, "hooks[3].rest", "\"030708\"", &why), &why);
    assert_survives(d);
    mst_close(d);
    every_beginning(&hook_format, &w);
    every_byte(&hook_format, &w);
    writer_free(&w);
}

int test_presence(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(present_hooks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
