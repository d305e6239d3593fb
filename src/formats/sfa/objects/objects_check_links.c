/* SPDX-License-Identifier: MIT */
/* Links between curve points. Lists of neighbouring maps link to each other, so a point may be in any list of
 * the game; a link is known to be dangling only if all lists could be read. */
#include "../../../check/finding.h"
#include "../../present.h"
#include "../packing/pair.h"
#include "objects.h"
#include <stdlib.h>

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

static mst_status gather(mst_arena *scratch, const mst_sfa_objects *objects, targets *all) {
    size_t curves = 0, count = 0;
    for (uint32_t i = 0; i < objects->count; i++)
        curves += objects->items[i].type == MST_SFA_CURVE;
    all->items = mst_arena_zero(scratch, curves * MST_SFA_LINKS, sizeof *all->items);
    if (!all->items)
        return MST_NO_MEMORY;
    for (uint32_t i = 0; i < objects->count; i++)
        for (unsigned k = 0; k < MST_SFA_LINKS; k++)
            if (objects->items[i].links[k] != MST_SFA_NO_LINK)
                all->items[count++].id = objects->items[i].links[k];
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

/* Marks an id as found. */
static void search_id(targets *all, uint32_t id) {
    target_id *one = target_of(all, id);
    if (!one || one->found)
        return;
    one->found = true;
    all->missing--;
}

/* MST_DAMAGED: some objects may have been missed. */
static mst_status search_file(const mst_checker *checker, const mst_file_view *file, targets *all) {
    mst_sfa_entry entry;
    mst_sfa_object_header header;
    mst_buffer list = {.allocator = checker->document->allocator};
    mst_status status = mst_sfa_file_unpack(file, &entry, &list);
    uint64_t at = 0;
    for (; status == MST_OK && mst_sfa_object_at(list.data, at, list.size, &header); at += header.size)
        search_id(all, header.id);
    if (status == MST_OK && at < list.size)
        status = MST_DAMAGED;
    mst_buffer_free(&list);
    return status;
}

/* Whether the map has a list: MAPS.tab has a row of offsets per map, and all are equal if the map is just a
 * list's header. Without MAPS.tab, any map may have one. */
static bool has_list(const mst_file_view *table, uint32_t words, size_t map) {
    if (!table->data)
        return true;
    uint32_t first = (uint32_t)map * MST_SFA_MAP_OFFSETS, last = first + MST_SFA_MAP_OFFSETS - 1;
    return last < words && mst_sfa_table_word(table, first) != mst_sfa_table_word(table, last);
}

/* Searches all other lists. `lacking` receives the name of the first one that should exist but does not, or
 * that cannot be read (a check of that list reports why); NULL if all could be read. */
static mst_status search_sidecars(mst_checker *checker, targets *all, const char **lacking) {
    mst_file_view table = {NULL, 0};
    mst_status status = MST_OK;
    uint32_t words = 0;
    *lacking = mst_sfa_list_at(0);
    if (!mst_sfa_resolver_of(checker))
        return MST_OK;
    if (mst_sfa_find_beside(checker, "MAPS.tab", &table)) /* counts the words, whether or not they end */
        mst_sfa_table_read(table.data, table.size, &words, NULL);
    const char *name;
    *lacking = NULL;
    for (size_t i = 0; all->missing && status == MST_OK && (name = mst_sfa_list_at(i)) != NULL; i++) {
        mst_file_view list;
        char file_name[MST_SFA_LIST_FILE];
        bool read = false;
        if (mst_sfa_find_list(mst_sfa_resolver_of(checker), name, file_name, &list)) {
            status = search_file(checker, &list, all);
            read = status == MST_OK;
            if (status != MST_NO_MEMORY)
                status = MST_OK;
        } else {
            read = i >= MST_SFA_MAPS || !has_list(&table, words, i);
        }
        if (!read && !*lacking)
            *lacking = name;
    }
    return status;
}

/* Reports each dangling link; if lists are lacking, one finding for all links that may be dangling. */
static mst_status report_links(mst_checker *checker, const mst_sfa_objects *objects, const targets *all,
                               const char *lacking) {
    mst_status status = MST_OK;
    for (uint32_t i = 0; i < objects->count; i++)
        for (unsigned k = 0; k < MST_SFA_LINKS && status == MST_OK; k++) {
            const mst_sfa_object *curve = &objects->items[i];
            const target_id *one = target_of(all, curve->links[k]);
            if (!one || one->found)
                continue;
            mst_value links = mst_member_in(&curve->parameters, "links"), link = mst_element_in(&links, k);
            mst_diagnostic *finding =
                mst_finding_of(checker, &link, "objects[%u].parameters.links[%u]", i, k);
            if (!lacking) {
                status = mst_report(checker, "SFA-ROMLIST-LINK", NULL, "0x%08X", one->id);
                continue;
            }
            MST_SET(finding->message,
                    "curves link to ids that were not found, but not all object lists could be read");
            MST_SET(finding->expected, "%s.romlist.zlb and all other lists in this directory", lacking);
            MST_SET(finding->found, "%llu ids in no list, the first 0x%08X", (unsigned long long)all->missing,
                    one->id);
            return mst_checker_inform(checker, "SFA-ROMLIST-LINK");
        }
    return status;
}

mst_status mst_sfa_check_links(mst_checker *checker, const mst_sfa_objects *objects) {
    targets all = {NULL, 0, 0};
    const char *lacking = NULL;
    mst_status status = gather(&checker->scratch, objects, &all);
    for (uint32_t i = 0; i < objects->count; i++)
        search_id(&all, objects->items[i].id);
    if (status == MST_OK && all.missing)
        status = search_sidecars(checker, &all, &lacking);
    return status == MST_OK && all.missing ? report_links(checker, objects, &all, lacking) : status;
}
