/* SPDX-License-Identifier: MIT */
/* Links between curve points. Lists of neighbouring maps link to each other, so a point may be in any list of
 * the game; a link is known to be dangling only if all lists could be read. */
#include "../../../core/diagnose.h"
#include "../packing/entry.h"
#include "../packing/pair.h"
#include "objects.h"
#include <mapstone/search.h>
#include <stdlib.h>

#define AT_LINKS 0x1C
#define LINKS    4
#define LINK_END (AT_LINKS + 4 * LINKS)
#define NO_LINK  0xFFFFFFFFu

/* MAPS.tab has a row of seven offsets per map; all are equal if the map is just a list's header. */
#define ROW_WORDS 7u
#define ROW_SIZE  (4 * (size_t)ROW_WORDS)
#define END_MARK  0xFFFFFFFFu

typedef struct target_id {
    uint32_t id;
    bool found;
} target_id;

/* The ids to which the list's curves link, ascending, without duplicates. */
typedef struct targets {
    target_id *items;
    size_t count, missing;
} targets;

static int compare_targets(const void *a, const void *b) {
    uint32_t x = ((const target_id *)a)->id, y = ((const target_id *)b)->id;
    return (x > y) - (x < y);
}

static bool has_links(const mst_sfa_object_header *header) {
    return header->type == MST_SFA_CURVE && header->size >= LINK_END;
}

static uint32_t link_of(const uint8_t *data, const mst_sfa_object_header *header, unsigned index) {
    return mst_load32(data + header->offset + AT_LINKS + 4 * (size_t)index, true);
}

static mst_status gather(mst_arena *scratch, const uint8_t *data, uint64_t begin, uint64_t end,
                         targets *all) {
    mst_sfa_object_header header;
    uint64_t curves = 0;
    for (uint64_t at = begin; mst_sfa_object_at(data, at, end, &header); at += header.size)
        curves += has_links(&header);
    if (!curves)
        return MST_OK;
    all->items = mst_arena_zero(scratch, (size_t)curves * LINKS, sizeof *all->items);
    if (!all->items)
        return MST_NO_MEMORY;
    size_t count = 0;
    for (uint64_t at = begin; mst_sfa_object_at(data, at, end, &header); at += header.size)
        for (unsigned k = 0; k < LINKS && has_links(&header); k++)
            if (link_of(data, &header, k) != NO_LINK)
                all->items[count++].id = link_of(data, &header, k);
    qsort(all->items, count, sizeof *all->items, compare_targets);
    for (size_t i = 0; i < count; i++)
        if (!i || all->items[i].id != all->items[i - 1].id)
            all->items[all->count++] = all->items[i];
    all->missing = all->count;
    return MST_OK;
}

static target_id *target_of(const targets *all, uint32_t id) {
    target_id key = {.id = id};
    return all->count ? bsearch(&key, all->items, all->count, sizeof *all->items, compare_targets) : NULL;
}

/* Marks the ids of a list's objects as found. */
static void search_list(const uint8_t *data, uint64_t begin, uint64_t end, targets *all) {
    mst_sfa_object_header header;
    for (uint64_t at = begin; all->missing && mst_sfa_object_at(data, at, end, &header); at += header.size) {
        target_id *one = target_of(all, mst_load32(data + at + MST_SFA_OBJECT_AT_ID, true));
        if (!one || one->found)
            continue;
        one->found = true;
        all->missing--;
    }
}

static mst_status search_file(const mst_checker *checker, const mst_file_view *file, targets *all) {
    mst_sfa_entry entry;
    mst_buffer list = {.allocator = checker->document->allocator};
    mst_status status = mst_sfa_entry_read(file->data, file->size, &entry, NULL);
    if (status == MST_OK)
        status = mst_sfa_entry_unpack(&entry, (uint64_t)file->size * 16 + (1u << 20), &list, NULL);
    if (status == MST_OK)
        search_list(list.data, 0, list.size, all);
    mst_buffer_free(&list);
    return status;
}

static bool find_list(const mst_resolver *resolver, const char *name, mst_file_view *file) {
    static const char *const endings[] = {".romlist.zlb", ".romlist.bin", ".romlist"};
    for (size_t i = 0; i < MST_COUNT_OF(endings); i++) {
        char path[64];
        const void *bytes;
        size_t size;
        mst_diagnostic_set(path, sizeof path, "%s%s", name, endings[i]);
        if (resolver->find(resolver->user, path, &bytes, &size) == MST_OK) {
            *file = (mst_file_view){bytes, size};
            return true;
        }
    }
    return false;
}

/* Whether the map has a list; without MAPS.tab, any map may have one. */
static bool has_list(const mst_file_view *table, size_t map) {
    if (!table->data)
        return true;
    const uint8_t *row = table->data + map * ROW_SIZE;
    if (!mst_fits(map * ROW_SIZE, ROW_SIZE, table->size))
        return false;
    for (unsigned k = 0; k < ROW_WORDS; k++)
        if (mst_load32(row + 4 * (size_t)k, true) == END_MARK)
            return false;
    return mst_load32(row, true) != mst_load32(row + 4 * (ROW_WORDS - 1), true);
}

/* Searches all other lists. `lacking` receives the name of the first one that should exist but does not, or
 * that cannot be read (a check of that list reports why); NULL if all could be read. */
static mst_status search_sidecars(mst_checker *checker, targets *all, const char **lacking) {
    const mst_resolver *resolver = mst_sfa_resolver_of(checker);
    *lacking = mst_sfa_list_at(0);
    if (!resolver)
        return MST_OK;
    mst_file_view table = {NULL, 0};
    const void *bytes;
    if (resolver->find(resolver->user, "MAPS.tab", &bytes, &table.size) == MST_OK)
        table.data = bytes;
    mst_status status = MST_OK;
    const char *name;
    *lacking = NULL;
    for (size_t i = 0; all->missing && status == MST_OK && (name = mst_sfa_list_at(i)) != NULL; i++) {
        mst_file_view list;
        bool read = false;
        if (find_list(resolver, name, &list)) {
            status = search_file(checker, &list, all);
            read = status == MST_OK;
            if (status != MST_NO_MEMORY)
                status = MST_OK;
        } else {
            read = i >= MST_SFA_MAPS || !has_list(&table, i);
        }
        if (!read && !*lacking)
            *lacking = name;
    }
    return status;
}

/* Reports each dangling link; if lists are lacking, one finding for all links that may be dangling. */
static mst_status report_links(mst_checker *checker, const uint8_t *data, uint64_t begin, uint64_t end,
                               const char *path, const targets *all, const char *lacking) {
    mst_status status = MST_OK;
    mst_sfa_object_header header;
    mst_diagnostic finding;
    uint32_t index = 0;
    for (uint64_t at = begin; status == MST_OK && mst_sfa_object_at(data, at, end, &header);
         at += header.size, index++)
        for (unsigned k = 0; k < LINKS && status == MST_OK && has_links(&header); k++) {
            const target_id *one = target_of(all, link_of(data, &header, k));
            if (!one || one->found)
                continue;
            memset(&finding, 0, sizeof finding);
            size_t length = mst_path_step(finding.path, sizeof finding.path, 0, path, index);
            mst_path_step(finding.path, sizeof finding.path, length, "parameters.links", k);
            finding.offset = at + AT_LINKS + 4 * k;
            finding.length = 4;
            MST_SET(finding.found, "0x%08X", one->id);
            if (!lacking) {
                status = mst_checker_report(checker, "SFA-ROMLIST-LINK", &finding);
                continue;
            }
            MST_SET(finding.message,
                    "curves link to ids that were not found, but not all object lists could be read");
            MST_SET(finding.expected, "%s.romlist.zlb and all other lists beside this one", lacking);
            MST_SET(finding.found, "%llu ids in no list, the first 0x%08X", (unsigned long long)all->missing,
                    one->id);
            return mst_checker_inform(checker, "SFA-ROMLIST-LINK", &finding);
        }
    return status;
}

mst_status mst_sfa_check_links(mst_checker *checker, const uint8_t *data, uint64_t begin, uint64_t end,
                               const char *path) {
    targets all = {NULL, 0, 0};
    const char *lacking = NULL;
    mst_status status = gather(&checker->scratch, data, begin, end, &all);
    search_list(data, begin, end, &all);
    if (status == MST_OK && all.missing)
        status = search_sidecars(checker, &all, &lacking);
    if (status == MST_OK && all.missing)
        status = report_links(checker, data, begin, end, path, &all, lacking);
    return status;
}
