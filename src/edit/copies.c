/* SPDX-License-Identifier: MIT */
#include "copies.h"
#include "../core/number.h"
#include "../read/path_end.h"

/* The index at the end of a path, and the length of its list's path; false: it has no index. */
static bool split(const char *path, size_t *length, uint64_t *index) {
    const char *open = mst_path_bracket(path);
    const size_t digits = open ? strspn(open + 1, "0123456789") : 0;
    *length = open ? (size_t)(open - path) : 0;
    return digits && open[1 + digits] == ']' && !open[2 + digits] && mst_read_u64(open + 1, digits, index);
}

/* The indices of all, if they are ascending and in one list. */
static bool read_indices(const mst_located *all, uint64_t *indices, size_t *length) {
    for (size_t i = 0; i < all->count; i++) {
        size_t own;
        if (!split(all->paths[i], &own, &indices[i]))
            return false;
        if (i && (own != *length || memcmp(all->paths[i], all->paths[0], own) != 0 ||
                  indices[i] <= indices[i - 1]))
            return false;
        *length = own;
    }
    return all->count != 0;
}

mst_status mst_copies_plan(const mst_located *all, const char *to, mst_arena *arena, mst_copies *copies) {
    size_t length = 0;
    uint64_t *indices = mst_arena_take(arena, all->count + 1, sizeof *indices),
             *made = mst_arena_take(arena, all->count + 1, sizeof *made), first = 0;
    const char **paths = mst_arena_take(arena, all->count + 1, sizeof *paths),
               **places = mst_arena_take(arena, all->count + 1, sizeof *places);
    *copies = (mst_copies){.list = NULL};
    if (!indices || !made || !paths || !places)
        return MST_NO_MEMORY;
    if ((to && !mst_read_u64(to, strlen(to), &first)) || !read_indices(all, indices, &length))
        return MST_OK;
    uint64_t place = first;
    for (size_t i = all->count; i-- > 0;) {
        const bool alone = i + 1 == all->count || indices[i] + 1 != indices[i + 1];
        const size_t before = all->count - 1 - i; /* copies that were made before this one */
        if (!to && alone)
            place = indices[i] + 1;
        const uint64_t now = indices[i] + (to && first <= indices[i] ? before : 0);
        paths[i] = mst_arena_printf(arena, "%.*s[%llu]", (int)length, all->paths[i], (unsigned long long)now);
        places[i] = mst_arena_printf(arena, "%llu", (unsigned long long)place);
        made[i] = place + i;
        if (!paths[i] || !places[i])
            return MST_NO_MEMORY;
    }
    copies->list = mst_arena_text(arena, all->paths[0], length);
    copies->paths = paths;
    copies->to = places;
    copies->indices = made;
    copies->count = all->count;
    return copies->list ? MST_OK : MST_NO_MEMORY;
}
