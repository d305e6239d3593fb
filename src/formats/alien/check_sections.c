/* SPDX-License-Identifier: MIT */
/* Checks of a texture file's sections: names, lengths, and the beginning of palettes. */
#include "../../check/finding.h"
#include "../present.h"
#include "alien.h"
#include <stdlib.h>

/* A section, for sorting by name. */
typedef struct section {
    uint32_t name, order;
    const char *list;
    uint64_t index; /* in its list; UINT64_MAX: not in a list */
    uint64_t offset;
    uint32_t size;
    uint16_t first[2]; /* of a palette: its first two numbers */
} section;

typedef struct sections {
    section *items;
    size_t count;
} sections;

enum { PAGES, PALETTES, RECTANGLES, UNKNOWN };
static const char *const lists[] = {[PAGES] = "pages",
                                    [PALETTES] = "palettes",
                                    [RECTANGLES] = "rectangle_lists",
                                    [UNKNOWN] = "unknown_sections"};

static int by_name(const void *a, const void *b) {
    const section *x = a, *y = b;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    return x->order < y->order ? -1 : 1; /* orders are unique */
}

static mst_status report(mst_checker *checker, const char *code, const section *s, const char *expected,
                         unsigned found) {
    mst_diagnostic *finding = mst_finding_at(checker, s->offset, MST_CHUNK_HEADER, "%s", "");
    mst_path_step(finding->path, sizeof finding->path, 0, s->list, s->index);
    char name[5] = "";
    for (unsigned i = 0; i < 4; i++) {
        char letter = (char)(s->name >> (24 - 8 * i));
        name[i] = letter > ' ' && letter <= '~' ? letter : '?';
    }
    return found ? mst_report(checker, code, expected, "%u", found)
                 : mst_report(checker, code, expected, "%s", name);
}

/* Collects all sections. INFO's offset is its content's: its header is not part of the record. */
static mst_status gather(mst_checker *checker, sections *all) {
    const mst_document *document = checker->document;
    mst_value root = mst_root(document), one;
    uint64_t capacity = 1;
    for (size_t i = 0; i < MST_COUNT_OF(lists); i++) {
        mst_value list = mst_member_in(&root, lists[i]);
        capacity += mst_count(&list);
    }
    all->items = mst_arena_zero(&checker->scratch, (size_t)capacity, sizeof *all->items);
    if (!all->items)
        return MST_NO_MEMORY;
    if (mst_member(&root, "information", &one) == MST_OK)
        all->items[all->count++] =
            (section){MST_NAMED('I', 'N', 'F', 'O'), 0, "information", UINT64_MAX, one.offset, 0, {1, 0}};
    for (size_t i = 0; i < MST_COUNT_OF(lists); i++) {
        mst_value list = mst_member_in(&root, lists[i]);
        uint64_t index = 0;
        for (mst_iterator it = mst_iterate(&list); all->count < capacity && mst_next(&it, &one); index++) {
            mst_value label = mst_member_in(&one, "name"), number;
            const uint8_t *letters = mst_bytes_in(&label, 4);
            section *to = &all->items[all->count];
            *to = (section){MST_NAMED(letters[0], letters[1], letters[2], letters[3]),
                            (uint32_t)all->count++,
                            lists[i],
                            index,
                            one.offset,
                            (uint32_t)mst_number_in(&one, "size"),
                            {1, 0}};
            uint64_t read;
            mst_target target = {.type = MST_U16, .components = 1, .data = to->first, .capacity = 2};
            if (i == PALETTES && mst_member(&one, "unknown_00", &number) == MST_OK)
                mst_read(&number, &target, &read, NULL);
        }
    }
    return MST_OK;
}

static mst_status check_section(mst_checker *checker, const section *s) {
    mst_status status = MST_OK;
    if (s->index == UINT64_MAX)
        return MST_OK;
    unsigned kind = s->name >> 16;
    bool palette = kind == ('C' << 8 | 'L'), known = palette || kind == ('B' << 8 | 'X');
    if (s->list == lists[UNKNOWN] && known)
        status = report(checker, "ALIEN-GFX-SECTION", s,
                        palette ? "4 bytes and colours of 2 bytes" : "6 bytes for each rectangle", 0);
    else if (s->size % 4)
        status = report(checker, "ALIEN-GFX-ALIGN", s, "a multiple of 4", s->size);
    if (status != MST_OK || s->list != lists[PALETTES] || (s->first[0] == 1 && s->first[1] == 0))
        return status;
    mst_finding_at(checker, s->offset + MST_CHUNK_HEADER, 4, "%s[%llu].unknown_00", s->list,
                   (unsigned long long)s->index);
    return mst_report(checker, "ALIEN-GFX-PALETTE", "1, 0", "%u, %u", s->first[0], s->first[1]);
}

mst_status mst_alien_check_sections(mst_checker *checker) {
    sections all = {NULL, 0};
    mst_status status = gather(checker, &all);
    for (size_t i = 0; i < all.count && status == MST_OK; i++)
        status = check_section(checker, &all.items[i]);
    if (status == MST_OK && all.count)
        qsort(all.items, all.count, sizeof *all.items, by_name);
    for (size_t i = 1; i < all.count && status == MST_OK; i++)
        if (all.items[i].name == all.items[i - 1].name)
            status = report(checker, "ALIEN-GFX-TWICE", &all.items[i], "a unique name", 0);
    return status;
}
