/* SPDX-License-Identifier: MIT */
/* Checks of a file of sprites: its sections, their number in its type, and frames of unknown size. */
#include "../../../check/finding.h"
#include "../../../core/lower_bound.h"
#include "../../present.h"
#include "alien_sprites.h"
#include <stdio.h>

static const mst_code_information codes[] = {
    {"ALIEN-MAGIC", MST_ERROR, "the file does not begin with FORM"},
    {"ALIEN-GFX-SIZE", MST_ERROR, "the file ends inside a section, or its size does not match it"},
    {"ALIEN-GFX-TYPE", MST_WARNING, "the type is not four digits"},
    {"ALIEN-GFX-COUNT", MST_WARNING, "the number of sections differs from the number in the type"},
    {"ALIEN-GFX-TAIL", MST_WARNING, "the bytes after the end of the container are not sections of colours"},
    {"ALIEN-GFX-TWICE", MST_WARNING, "another section has the same name"},
    {"ALIEN-GFX-ALIGN", MST_WARNING, "the length of a section is not a multiple of 4, as in all known files"},
    {"ALIEN-GFX-FRAME-SIZE", MST_INFORMATION,
     "the width and height of the pixels are not known, so they cannot be shown"},
};
const mst_codes mst_alien_sprites_codes = MST_CODES(codes);

static mst_status check_type(mst_checker *checker, const mst_value *root, uint64_t count) {
    mst_value type = mst_member_in(root, "type");
    const uint8_t *digits = mst_bytes_in(&type, 4);
    uint64_t number = 0;
    for (int i = 0; i < 4; i++) {
        if (digits[i] < '0' || digits[i] > '9') {
            mst_finding_of(checker, &type, "type");
            return mst_report(checker, "ALIEN-GFX-TYPE", "four digits", "%s", "others");
        }
        number = number * 10 + (digits[i] - '0');
    }
    if (number == count)
        return MST_OK;
    char expected[24];
    snprintf(expected, sizeof expected, "%04llu", (unsigned long long)count);
    mst_finding_of(checker, &type, "type");
    return mst_report(checker, "ALIEN-GFX-COUNT", expected, "%04llu", (unsigned long long)number);
}

static uint64_t length_of(const mst_value *value) {
    const void *bytes;
    size_t size = 0;
    mst_get_bytes(value, &bytes, &size);
    return size;
}

/* The size of a section in the file. */
static uint64_t size_of(const mst_value *section) {
    uint64_t size = 0;
    mst_value content, frame;
    if (mst_member(section, "frames", &content) == MST_OK) {
        for (mst_iterator it = mst_iterate(&content); mst_next(&it, &frame);) {
            mst_value packed = mst_member_in(&frame, "packed");
            size = (size + 3) / 4 * 4 + mst_number_in(&frame, "unused") + length_of(&packed);
        }
        uint64_t lacks = mst_number_in(section, "lacks"), fill = (4 - size % 4) % 4;
        size += lacks < fill ? fill - lacks : 0;
    }
    if (mst_member(section, "unpacked", &content) == MST_OK ||
        mst_member(section, "data", &content) == MST_OK)
        size += length_of(&content);
    if (mst_member(section, "colors", &content) == MST_OK)
        size += 2 * mst_count(&content);
    return size;
}

/* The names of sections so far, sorted. */
typedef struct names {
    uint8_t (*seen)[4];
    size_t count;
} names;

/* Whether a section of that name was seen; records the name. */
static bool was_there(names *all, const uint8_t *name) {
    MST_LOWER_BOUND(low, middle, all->count, memcmp(all->seen[middle], name, 4) < 0);
    if (low < all->count && memcmp(all->seen[low], name, 4) == 0)
        return true;
    memmove(all->seen[low + 1], all->seen[low], (all->count - low) * sizeof *all->seen);
    memcpy(all->seen[low], name, 4);
    all->count++;
    return false;
}

static mst_status check_section(mst_checker *checker, const mst_value *section, uint64_t index, names *all,
                                uint64_t *inside) {
    mst_value name = mst_member_in(section, "name");
    const uint8_t *letters = mst_bytes_in(&name, 4);
    bool outside = mst_number_in(section, "outside") != 0,
         colors = mst_number_in(section, "kind") == MST_ALIEN_SPRITE_COLORS;
    uint64_t size = size_of(section);
    mst_status status = MST_OK;
    *inside += !outside;
    if (was_there(all, letters)) {
        mst_finding_of(checker, &name, "sections[%llu].name", (unsigned long long)index);
        status = mst_report(checker, "ALIEN-GFX-TWICE", "a unique name", "%.4s", (const char *)letters);
    }
    if (status == MST_OK && size % 4) {
        mst_finding_of(checker, section, "sections[%llu]", (unsigned long long)index);
        status = mst_report(checker, "ALIEN-GFX-ALIGN", "a multiple of 4", "%llu", (unsigned long long)size);
    }
    if (status == MST_OK && outside && !colors) {
        mst_finding_of(checker, section, "sections[%llu]", (unsigned long long)index);
        status = mst_report(checker, "ALIEN-GFX-TAIL", "a section of colours", "%.4s", (const char *)letters);
    }
    return status;
}

static mst_status check_sizes(mst_checker *checker) {
    mst_alien_sprite *sprites;
    size_t count;
    mst_status status = mst_alien_sprites_list(checker->document, &checker->scratch, &sprites, &count);
    for (size_t i = 0; i < count && status == MST_OK; i++) {
        if (sprites[i].shape.width)
            continue;
        mst_finding_at(checker, (uint64_t)(sprites[i].bytes - checker->document->data), sprites[i].size,
                       sprites[i].packed ? "sections[%llu].frames[%u].packed" : "sections[%llu].unpacked",
                       (unsigned long long)sprites[i].section, sprites[i].number);
        status = mst_report(checker, "ALIEN-GFX-FRAME-SIZE", "sides of 16 to 260, multiples of 4",
                            "%lu pixels", (unsigned long)sprites[i].pixels);
    }
    return status;
}

mst_status mst_alien_sprites_check(mst_checker *checker) {
    mst_value root = mst_root(checker->document), sections = mst_member_in(&root, "sections"),
              trailing = mst_member_in(&root, "trailing"), section;
    uint64_t count = mst_count(&sections), inside = 0, index = 0;
    names all = {NULL, 0};
    all.seen = mst_arena_take(&checker->scratch, (size_t)count + 1, sizeof *all.seen);
    if (!all.seen)
        return MST_NO_MEMORY;
    mst_status status = MST_OK;
    for (mst_iterator it = mst_iterate(&sections);
         status == MST_OK && all.count < count + 1 && index < count && mst_next(&it, &section); index++)
        status = check_section(checker, &section, index, &all, &inside);
    if (status == MST_OK)
        status = check_type(checker, &root, inside);
    if (status == MST_OK)
        status = check_sizes(checker);
    if (status == MST_OK && length_of(&trailing)) {
        mst_finding_of(checker, &trailing, "trailing");
        status = mst_report(checker, "ALIEN-GFX-TAIL", "sections of colours", "%llu bytes",
                            (unsigned long long)length_of(&trailing));
    }
    return status;
}
