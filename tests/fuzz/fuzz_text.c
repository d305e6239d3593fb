/* SPDX-License-Identifier: MIT */
/* Reading JSON, without making a document of it. */
#include "../../src/core/arena.h"
#include "../../src/core/json.h"
#include "../../src/core/json_text.h"
#include "../../src/read/expression.h"
#include "property.h"

const char fuzz_promise[] =
    "Text is read into nodes that say the same, within 32 times its size, or is refused "
    "with the place up to which it could be JSON; an expression gives a finite number or a text, or a column";

/* The same values, in any notation. */
static bool says_the_same(const mst_json *a, const mst_json *b) {
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        const mst_json_node *one = &a->nodes[i], *other = &b->nodes[i];
        if (one->kind != other->kind || one->end != other->end || one->count != other->count ||
            one->length != other->length || (one->length && memcmp(one->text, other->text, one->length) != 0))
            return false;
    }
    return true;
}

static void may_go_on(const char *text, size_t size) {
    mst_arena arena;
    mst_json json;
    mst_diagnostic why;
    mst_arena_begin(&arena, NULL, 0);
    HOLDS(mst_json_parse(text, size, &arena, &json, &why) == MST_OK || why.offset == size);
    mst_arena_end(&arena);
}

/* The bytes as an expression without known names. */
static void is_calculated(const char *text, size_t size) {
    char texts[64];
    mst_operand value;
    mst_diagnostic why = {.status = MST_OK};
    mst_calculation all = {.text = {text, size}, .index = 7, .texts = texts, .capacity = sizeof texts};
    bool right = mst_expression_check(all.text, true, NULL) == MST_OK;
    mst_status status = mst_expression_value(&all, &value, &why);
    HOLDS(status == MST_OK || (status == MST_ARGUMENT && strstr(why.message, " at column ")));
    HOLDS(right || status != MST_OK);
    if (status == MST_OK && value.is_text)
        HOLDS(value.start == 0 && value.length <= sizeof texts);
    else if (status == MST_OK)
        HOLDS(value.number - value.number == 0);
}

void fuzz_property(fuzz_input *in) {
    const char *text = (const char *)in->bytes;
    fuzz_memory memory = {0};
    mst_allocator allocator = fuzz_allocator(&memory);
    mst_arena arena;
    mst_json json, again;
    mst_diagnostic why;
    memset(&why, 0x7F, sizeof why);
    is_calculated(text, in->size);
    mst_arena_begin(&arena, &allocator, 0);
    mst_status status = mst_json_parse(text, in->size, &arena, &json, &why);
    HOLDS(memory.max <= in->size * 32 + 8192);
    if (status == MST_OK) {
        HOLDS(json.nodes[0].end == json.count);
        const char *written = mst_json_text_of(&json, 0, &arena);
        HOLDS(written);
        MUST(mst_json_parse(written, strlen(written), &arena, &again, &why), &why);
        HOLDS(says_the_same(&json, &again));
    } else {
        fuzz_is_told(&why, status);
        HOLDS(status == MST_DAMAGED && why.offset <= in->size && why.path[0] && why.expected[0]);
        may_go_on(text, (size_t)why.offset);
    }
    mst_arena_end(&arena);
    HOLDS(memory.bytes == 0);
}
