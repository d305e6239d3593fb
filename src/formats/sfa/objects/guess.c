/* SPDX-License-Identifier: MIT */
/* Guesses about undocumented parameters, for people who investigate their meaning. */
#include "../../../core/diagnose.h"
#include "../../../core/number.h"
#include "../packing/entry.h"
#include "objects.h"
#include <math.h>
#include <stdlib.h>

#define SMALL 0.001F
#define LARGE 1e6F

typedef struct text {
    char *at;
    size_t capacity, length;
} text;

static void add(text *to, const char *words) {
    mst_diagnostic_set(to->at + to->length, to->capacity - to->length, "%s%s", to->length ? ", " : "", words);
    to->length += strlen(to->at + to->length);
}

/* The type of the object with this id in the document's list; NULL: none has it. */
static const char *name_of_id(const mst_document *document, uint32_t id) {
    const uint8_t *list;
    uint64_t size, length;
    mst_sfa_object_header header;
    if (!mst_sfa_entry_content(document->data, document->size, &list, &size, &length))
        return NULL;
    for (uint64_t at = 0; mst_sfa_object_at(list, at, size, &header); at += header.size)
        if (header.id == id)
            return mst_name_of_number(&mst_sfa_object_type_names, header.type);
    return NULL;
}

static void add_word(text *to, const mst_document *document, const uint8_t *bytes) {
    uint32_t word = mst_load32(bytes, true);
    float real = mst_f32_of_bits(word);
    char words[80];
    const char *name = word && word != MST_SFA_NO_LINK ? name_of_id(document, word) : NULL;
    if (!word)
        add(to, "0");
    else if (word == MST_SFA_NO_LINK)
        add(to, "-1");
    else if (name) {
        mst_diagnostic_set(words, sizeof words, "id of %s", name);
        add(to, words);
    } else if (!(word & 0xFF) && fabsf(real) >= SMALL && fabsf(real) <= LARGE) {
        words[mst_write_f32(words, real)] = 0;
        add(to, words);
    } else if (mst_sfa_is_game_bit(word >> 16) && mst_sfa_is_game_bit(word & 0xFFFF)) {
        mst_diagnostic_set(words, sizeof words, "%d %d", (int16_t)(word >> 16), (int16_t)word);
        add(to, words);
    } else {
        mst_diagnostic_set(words, sizeof words, "%u %u %u %u", bytes[0], bytes[1], bytes[2], bytes[3]);
        add(to, words);
    }
}

static void add_bytes(text *to, const uint8_t *bytes, size_t count) {
    char words[16];
    for (size_t i = 0; i < count; i++) {
        mst_diagnostic_set(words, sizeof words, "%u", bytes[i]);
        add(to, words);
    }
}

/* Bytes before the first word of four that begins at a multiple of four in the record. */
static size_t before_words(const mst_field *field, size_t size) {
    static const char unknown[] = "unknown_";
    if (strncmp(field->name, unknown, sizeof unknown - 1) != 0)
        return 0; /* all parameters */
    char *end;
    unsigned long offset = strtoul(field->name + sizeof unknown - 1, &end, 16);
    return *end ? size % 4 : (4 - offset % 4) % 4; /* a tail ends with the record */
}

bool mst_sfa_guess(const mst_value *value, char *words, size_t capacity) {
    const void *content;
    size_t size;
    if (mst_field_of(value)->flags & MST_FIELD_ORIGINAL || mst_get_bytes(value, &content, &size) != MST_OK)
        return false;
    const uint8_t *bytes = content;
    text to = {.capacity = capacity};
    to.at = words;
    size_t before = before_words(mst_field_of(value), size), at = before < size ? before : size;
    add_bytes(&to, bytes, at);
    for (; size - at >= 4; at += 4)
        add_word(&to, value->document, bytes + at);
    add_bytes(&to, bytes + at, size - at);
    return to.length != 0;
}
