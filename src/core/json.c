/* SPDX-License-Identifier: MIT */
#include "json.h"
#include "diagnose.h"
#include "text.h"
#include "unreachable.h"

#include <inttypes.h>

#if MST_WITH_JSON_READER
#include <yajl/yajl_parse.h>

/*
 * A scan of the text before yajl reads it: how many nodes it has, so that they are allocated at once, and how
 * much memory yajl needs at most. That must be reserved because yajl does not survive failed allocations. If
 * the text is not JSON, the numbers are right up to the position where yajl notices.
 */
typedef struct text_survey {
    uint64_t nodes;
    size_t depth;         /* of nested containers */
    size_t longest_token; /* a string with its quotes, or a run of other characters */
    size_t bad_escape;    /* offset of an escaped surrogate without its other half; SIZE_MAX: none */
} text_survey;

static bool read_escape(const char *text, size_t left, uint32_t *unit) {
    uint8_t bytes[2];
    if (left < 6 || text[0] != '\\' || text[1] != 'u' || !mst_read_hex(text + 2, 4, bytes))
        return false;
    *unit = (uint32_t)bytes[0] << 8 | bytes[1];
    return true;
}

/* Returns the offset after the closing quote; `at` is that after the opening quote. */
static size_t survey_string(const char *text, size_t size, size_t at, text_survey *survey) {
    while (at < size && text[at] != '"') {
        uint32_t unit, low;
        if (text[at] != '\\') {
            at++;
        } else if (!read_escape(text + at, size - at, &unit) || unit < 0xD800 || unit > 0xDFFF) {
            at += size - at < 2 ? 1 : 2;
        } else if (unit < 0xDC00 && read_escape(text + at + 6, size - at - 6, &low) && low >= 0xDC00 &&
                   low <= 0xDFFF) {
            at += 12;
        } else {
            if (survey->bad_escape == SIZE_MAX)
                survey->bad_escape = at;
            at += 6;
        }
    }
    return at < size ? at + 1 : at;
}

static text_survey survey_text(const char *text, size_t size) {
    text_survey result = {.nodes = 1, .bad_escape = SIZE_MAX};
    size_t depth = 0, token = 0;
    for (size_t at = 0; at < size;) {
        bool ends = true;
        size_t next = at + 1;
        switch (text[at]) {
        case '"':
            token = at;
            next = survey_string(text, size, at + 1, &result);
            break;
        case '[':
        case '{':
            depth++;
            result.nodes++;
            break;
        case ']':
        case '}': depth -= depth > 0; break;
        case ',':
        case ':': result.nodes++; break;
        case ' ':
        case '\t':
        case '\r':
        case '\n': break;
        default: ends = false; break;
        }
        if (depth > result.depth)
            result.depth = depth;
        at = next;
        if (at - token > result.longest_token)
            result.longest_token = at - token;
        if (ends)
            token = at;
    }
    return result;
}

/*
 * yajl's memory: one reserve, handed out from the front. yajl has three blocks that grow: a stack of one byte
 * per container, and two buffers of at most twice the longest token. Each gets its maximum size at once.
 */
typedef struct yajl_reserve {
    unsigned char *data;
    size_t size, used;
    size_t stack_capacity, buffer_capacity;
} yajl_reserve;

#define ALIGNMENT 16u
#define SMALL_BLOCKS                                                                                         \
    ((size_t)8192)       /* the parser itself and other blocks that do not grow: about 500 bytes             \
                          */
#define BUFFER_MIN 1024u /* yajl's buffers start larger than this, all other blocks are smaller */

typedef union block {
    size_t size;
    unsigned char alignment[ALIGNMENT];
} block;

static void *reserve_take(void *user, size_t size) {
    yajl_reserve *reserve = user;
    size_t needed = size;
    if (size >= BUFFER_MIN && needed < reserve->buffer_capacity)
        needed = reserve->buffer_capacity;
    if (MST_UNREACHABLE(needed > reserve->size - reserve->used ||
                        reserve->size - reserve->used - needed < 2 * sizeof(block)))
        return NULL; /* yajl's maximum has been reserved: see above */
    needed = (needed + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    block *header = (block *)(void *)(reserve->data + reserve->used);
    header->size = needed;
    reserve->used += sizeof *header + needed;
    return header + 1;
}

static void *reserve_resize(void *user, void *old, size_t size) {
    yajl_reserve *reserve = user;
    if (!old) /* only the stack starts as a resize of NULL */
        return reserve_take(reserve, size > reserve->stack_capacity ? size : reserve->stack_capacity);
    block *header = (block *)old - 1;
    if (MST_UNREACHABLE(size > header->size)) { /* it got its maximum size at once: see above */
        void *grown = reserve_take(reserve, size);
        if (grown)
            memcpy(grown, old, header->size);
        return grown;
    }
    return old;
}

static void reserve_free(void *user, void *old) {
    (void)user;
    (void)old; /* everything is freed at the end */
}

#define NO_NODE UINT32_MAX

/* Maximum bytes of text: node indices have 32 bits, and the reserve is less than eight times as large. */
#define TEXT_MAX (SIZE_MAX / 8 < UINT32_MAX - 2 ? SIZE_MAX / 8 : UINT32_MAX - 2)

typedef struct json_reader {
    const char *text;
    size_t size;
    mst_arena *arena;
    mst_json_node *nodes;
    uint32_t count, capacity;
    uint32_t open; /* the innermost open container; until it is closed, its `end` is the enclosing one */
} json_reader;

static mst_json_node *add_node(json_reader *reader, mst_json_kind kind) {
    /* Each node except the first follows a bracket, a comma or a colon, all of which were counted. */
    if (MST_UNREACHABLE(reader->count == reader->capacity))
        return NULL;
    /* Objects count their keys: see on_key. */
    if (reader->open != NO_NODE && reader->nodes[reader->open].kind == MST_JSON_ARRAY)
        reader->nodes[reader->open].count++;
    mst_json_node *node = &reader->nodes[reader->count++];
    *node = (mst_json_node){.kind = (uint8_t)kind, .end = reader->count};
    return node;
}

static int on_null(void *user) {
    return add_node(user, MST_JSON_NULL) != NULL;
}

static int on_boolean(void *user, int value) {
    return add_node(user, value ? MST_JSON_TRUE : MST_JSON_FALSE) != NULL;
}

static int add_text(json_reader *reader, mst_json_kind kind, const char *text, size_t length) {
    mst_json_node *node = add_node(reader, kind);
    if (MST_UNREACHABLE(!node)) /* see add_node */
        return 0;
    /* yajl passes a pointer into our text, or into its own buffer where it resolved escapes. */
    uintptr_t first = (uintptr_t)reader->text, place = (uintptr_t)text;
    if (place < first || place - first > reader->size)
        text = mst_arena_text(reader->arena, text, length);
    node->text = text;
    node->length = (uint32_t)length;
    return text != NULL;
}

static int on_number(void *user, const char *text, size_t length) {
    return add_text(user, MST_JSON_NUMBER, text, length);
}

static int on_string(void *user, const unsigned char *text, size_t length) {
    return add_text(user, MST_JSON_STRING, (const char *)text, length);
}

static int on_key(void *user, const unsigned char *text, size_t length) {
    json_reader *reader = user;
    reader->nodes[reader->open].count++;
    return add_text(reader, MST_JSON_STRING, (const char *)text, length);
}

static int open_container(json_reader *reader, mst_json_kind kind) {
    mst_json_node *node = add_node(reader, kind);
    if (MST_UNREACHABLE(!node)) /* see add_node */
        return 0;
    node->end = reader->open;
    reader->open = reader->count - 1;
    return 1;
}

static int on_open_object(void *user) {
    return open_container(user, MST_JSON_OBJECT);
}

static int on_open_array(void *user) {
    return open_container(user, MST_JSON_ARRAY);
}

static int on_close(void *user) {
    json_reader *reader = user;
    mst_json_node *node = &reader->nodes[reader->open];
    reader->open = node->end;
    node->end = reader->count;
    return 1;
}

static mst_status damaged(mst_diagnostic *diagnostic, size_t offset, const char *message) {
    mst_fail(diagnostic, MST_DAMAGED, "not JSON: %s", message);
    if (diagnostic)
        diagnostic->offset = offset;
    return MST_DAMAGED;
}

/* The first byte that is not part of a well-formed character. */
static size_t first_bad_byte(const char *text, size_t size) {
    size_t good = 0;
    for (size_t length = 1; length <= 4 && length <= size - good;)
        if (mst_utf8_valid(text + good, length)) {
            good += length;
            length = 1;
        } else {
            length++;
        }
    return good;
}

mst_status mst_json_parse(const char *text, size_t size, mst_arena *arena, mst_json *json,
                          mst_diagnostic *diagnostic) {
    static const yajl_callbacks callbacks = {on_null,   on_boolean,    NULL,           NULL,
                                             on_number, on_string,     on_open_object, on_key,
                                             on_close,  on_open_array, on_close};
    *json = (mst_json){0};
    if (size > TEXT_MAX)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "JSON text of more than %zu bytes", (size_t)TEXT_MAX);
    if (!mst_utf8_valid(text, size))
        return damaged(diagnostic, first_bad_byte(text, size), "invalid UTF-8");
    text_survey survey = survey_text(text, size);

    json_reader reader = {
        .text = text, .size = size, .arena = arena, .capacity = (uint32_t)survey.nodes, .open = NO_NODE};
    reader.nodes = mst_arena_take(arena, reader.capacity, sizeof *reader.nodes);
    yajl_reserve reserve = {.stack_capacity = survey.depth + 256,
                            .buffer_capacity = 2 * survey.longest_token + 4096};
    reserve.size = SMALL_BLOCKS + reserve.stack_capacity + 2 * reserve.buffer_capacity;
    bool affordable = !arena->budget || reserve.size <= arena->budget - arena->used;
    if (reader.nodes && affordable)
        reserve.data = arena->allocator.resize(arena->allocator.user, NULL, 0, reserve.size);
    if (!reserve.data)
        return mst_fail(diagnostic, MST_NO_MEMORY, "no memory for JSON of %zu bytes", size);
    arena->used += reserve.size;

    mst_status status = MST_OK;
    yajl_alloc_funcs memory = {reserve_take, reserve_resize, reserve_free, &reserve};
    yajl_handle parser = yajl_alloc(&callbacks, &memory, &reader);
    yajl_status outcome = yajl_status_client_canceled;
    size_t offset = size;
    const char *message = "the text ends too early";
    if (!MST_UNREACHABLE(!parser)) /* its memory has been reserved */
        outcome = yajl_parse(parser, (const unsigned char *)text, size);
    if (outcome == yajl_status_ok) {
        outcome = yajl_complete_parse(parser);
    } else if (outcome == yajl_status_error) {
        offset = yajl_get_bytes_consumed(parser);
        offset = offset < size ? offset : size;
        message = "unexpected text";
    }
    if (outcome == yajl_status_client_canceled) {
        status = mst_fail(diagnostic, MST_NO_MEMORY, "no memory for JSON of %zu bytes", size);
    } else if (outcome != yajl_status_ok) {
        status = damaged(diagnostic, offset, message);
    } else if (survey.bad_escape != SIZE_MAX) {
        status = damaged(diagnostic, survey.bad_escape, "half of a surrogate pair");
    }
    if (!MST_UNREACHABLE(!parser)) /* as above */
        yajl_free(parser);
    arena->allocator.resize(arena->allocator.user, reserve.data, reserve.size, 0);
    arena->used -= reserve.size;
    if (status == MST_OK)
        *json = (mst_json){reader.nodes, reader.count};
    return status;
}

#else

mst_status mst_json_parse(const char *text, size_t size, mst_arena *arena, mst_json *json,
                          mst_diagnostic *diagnostic) {
    (void)text;
    (void)size;
    (void)arena;
    *json = (mst_json){0};
    return mst_fail(diagnostic, MST_UNSUPPORTED, "this build cannot read JSON");
}

#endif
