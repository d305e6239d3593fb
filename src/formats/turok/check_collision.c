/* SPDX-License-Identifier: MIT */
/*
 * Checks of vertices, sector sets and sectors. Sectors that share an edge are found by sorting all edges by
 * their ends.
 */
#include "../../core/lower_bound.h"
#include "check_blocks.h"
#include <stdio.h>

#define SOLID        0xFFFFu
#define FLAG_BRIDGE  (1u << 5)
#define FLAG_CEILING (1u << 6)
#define INDICES      65536u

/* Edge `e` of sector `s` has the id 4 s + e. An edge's mate is the id of the same edge in the other sector,
 * or one of these. There are fewer than 2^28 sectors in a file whose offsets are u32. */
#define ALONE      0xFFFFFFFFu
#define MANY       0xFFFFFFFEu /* more than two sectors */
#define MANY_FIRST 0xFFFFFFFDu /* the same, for the first of them */

typedef struct collision {
    const mst_turok_level *level;
    mst_column vertices, links; /* of sectors */
    uint32_t count;
    unsigned step;   /* edge e joins vertices e and e + step, modulo 3 */
    uint64_t *edges; /* ends in the upper half, 4 s + e in the lower; ascending */
    size_t edge_count;
    uint32_t *mates; /* by 4 s + e */
} collision;

static inline uint32_t vertex_of(const collision *c, uint32_t sector, unsigned k) {
    return mst_column_u16(&c->vertices, sector, k);
}
static inline uint32_t link_of(const collision *c, uint32_t sector, unsigned e) {
    return mst_column_u16(&c->links, sector, e);
}
static inline uint32_t flags_of(const collision *c, uint32_t sector) {
    return mst_column_u16(&c->level->sector.flags, sector, 0);
}
static inline unsigned other_end(const collision *c, unsigned e) {
    return e + c->step < 3 ? e + c->step : e + c->step - 3;
}
/* Both ends of an edge, the lower one first. */
static inline uint32_t ends_of(const collision *c, uint32_t sector, unsigned e) {
    uint32_t a = vertex_of(c, sector, e), b = vertex_of(c, sector, other_end(c, e));
    return a < b ? a << 16 | b : b << 16 | a;
}

static mst_turok_path sector_path(const char *name, uint32_t sector, unsigned k) {
    return (mst_turok_path){
        {{"collision", MST_TUROK_NONE}, {"sectors", sector}, {name, k < 3 ? k : MST_TUROK_NONE}}};
}
static uint64_t offset_of(const collision *c, const mst_column *column, uint32_t sector, unsigned k) {
    return mst_column_offset(c->level->document, column, sector) + 2 * k;
}

/* ---- shared edges ------------------------------------------------------------------------------- */

/* In the original game's data link i belongs to another edge. A level with sectors of that size may use
 * either rule: takes the one by which more links cross an edge of the sector they lead to. */
unsigned mst_turok_link_step(const mst_document *document, const mst_column *vertices,
                             const mst_column *links) {
    uint64_t fits[2] = {0, 0};
    if (document->variant.layout == 0)
        return 2;
    for (uint64_t s = 0; s < links->count; s++)
        for (unsigned e = 0; e < 3; e++) {
            uint32_t link = mst_column_u16(links, s, e);
            if (link == SOLID || link >= links->count)
                continue;
            bool has[3] = {false, false, false}; /* the linked sector has that vertex */
            for (unsigned k = 0; k < 3; k++)
                for (unsigned other = 0; other < 3; other++)
                    has[k] =
                        has[k] || mst_column_u16(vertices, s, k) == mst_column_u16(vertices, link, other);
            fits[0] += has[e] && has[(e + 1) % 3];
            fits[1] += has[e] && has[(e + 2) % 3];
        }
    return fits[0] > fits[1] ? 1 : 2;
}

#define DIGIT_BITS 11
#define DIGITS     (1u << DIGIT_BITS)

/* A stable radix sort by the upper half; `other` is scratch of the same size. Returns whichever of the two
 * holds the result. */
static uint64_t *sort_edges(uint64_t *edges, uint64_t *other, size_t count, uint32_t *counts) {
    memset(counts, 0, sizeof *counts * 3 * DIGITS);
    for (size_t i = 0; i < count; i++)
        for (unsigned d = 0; d < 3; d++)
            counts[d * DIGITS + (edges[i] >> (32 + d * DIGIT_BITS) & (DIGITS - 1))]++;
    for (unsigned d = 0; d < 3; d++) {
        uint32_t *starts = counts + d * DIGITS, sum = 0;
        for (uint32_t i = 0; i < DIGITS; i++) {
            uint32_t here = starts[i];
            starts[i] = sum;
            sum += here;
        }
        for (size_t i = 0; i < count; i++)
            other[starts[edges[i] >> (32 + d * DIGIT_BITS) & (DIGITS - 1)]++] = edges[i];
        uint64_t *sorted = other;
        other = edges;
        edges = sorted;
    }
    return edges;
}

/* Edges `first` to `end` - 1 have the same ends; a sector may have the edge twice. */
static void pair_edges(collision *c, size_t first, size_t end) {
    uint32_t a = (uint32_t)c->edges[first], b = a;
    bool more = false;
    for (size_t i = first + 1; i < end; i++) {
        uint32_t id = (uint32_t)c->edges[i];
        if (id >> 2 == a >> 2)
            continue;
        more = more || (b != a && id >> 2 != b >> 2);
        b = b == a ? id : b;
    }
    for (size_t i = first; i < end; i++) {
        uint32_t id = (uint32_t)c->edges[i];
        c->mates[id] = b == a ? ALONE : more ? (i == first ? MANY_FIRST : MANY) : id >> 2 == a >> 2 ? b : a;
    }
}

static mst_status find_mates(collision *c) {
    mst_arena *arena = &c->level->checker->scratch;
    size_t capacity = (size_t)c->count * 3;
    uint64_t *edges = mst_arena_take(arena, capacity, sizeof *edges);
    uint64_t *other = mst_arena_take(arena, capacity, sizeof *other);
    uint32_t *counts = mst_arena_take(arena, 3 * DIGITS, sizeof *counts);
    c->mates = mst_arena_take(arena, c->count, 4 * sizeof *c->mates);
    if (!edges || !other || !counts || !c->mates)
        return MST_NO_MEMORY;
    for (uint32_t s = 0; s < c->count; s++)
        for (unsigned e = 0; e < 3; e++) {
            uint32_t ends = ends_of(c, s, e);
            if (ends >> 16 == (ends & 0xFFFF))
                c->mates[4 * (size_t)s + e] = ALONE; /* both ends are one vertex */
            else
                edges[c->edge_count++] = (uint64_t)ends << 32 | (4 * (uint64_t)s + e);
        }
    c->edges = sort_edges(edges, other, c->edge_count, counts);
    size_t end;
    for (size_t first = 0; first < c->edge_count; first = end) {
        uint64_t ends = c->edges[first] >> 32;
        for (end = first + 1; end < c->edge_count && c->edges[end] >> 32 == ends;)
            end++;
        uint32_t a = (uint32_t)c->edges[first], b = (uint32_t)c->edges[end - 1];
        if (end - first == 1) {
            c->mates[a] = ALONE;
        } else if (end - first == 2 && a >> 2 != b >> 2) {
            c->mates[a] = b;
            c->mates[b] = a;
        } else {
            pair_edges(c, first, end);
        }
    }
    return MST_OK;
}

/* The lower bound of a key in the sorted edges. */
static size_t find_edge(const collision *c, uint64_t key) {
    MST_LOWER_BOUND(low, middle, c->edge_count, c->edges[middle] < key);
    return low;
}

/* ---- links -------------------------------------------------------------------------------------- */

static mst_status report_link(const collision *c, const char *code, uint32_t sector, unsigned e,
                              const char *expected, int64_t found) {
    mst_turok_path path = sector_path("links", sector, e);
    return mst_turok_report_number(c->level, code, offset_of(c, &c->links, sector, e), 2, &path, expected,
                                   found);
}

/* Whether the linked sector has the edge; `answered`: it also links back over it. */
static bool is_shared(const collision *c, uint32_t sector, unsigned e, uint32_t link, bool *answered) {
    uint32_t mate = c->mates[4 * (size_t)sector + e];
    *answered = false;
    if (mate == ALONE)
        return false;
    uint64_t ends = (uint64_t)ends_of(c, sector, e) << 32;
    bool shared = false;
    for (size_t i = find_edge(c, ends | (uint64_t)link << 2);
         i < c->edge_count && c->edges[i] >> 2 == (ends >> 2 | link); i++) {
        shared = true;
        *answered = *answered || link_of(c, link, (unsigned)(c->edges[i] & 3)) == sector;
    }
    return shared;
}

/* A link from a bridge to a sector below it, over an edge that no other sector has. */
static bool is_drop(const collision *c, uint32_t sector, unsigned e, uint32_t link) {
    const mst_turok_level *l = c->level;
    if (c->mates[4 * (size_t)sector + e] != ALONE || !(flags_of(c, sector) & FLAG_BRIDGE))
        return false;
    for (unsigned k = 0; k < 3; k++)
        if (link_of(c, link, k) == sector)
            return false;
    double a[3], b[3], corner[3];
    if (!mst_turok_corner(l, sector, e, a) || !mst_turok_corner(l, sector, other_end(c, e), b))
        return false;
    double top = a[2] > b[2] ? a[2] : b[2];
    for (unsigned k = 0; k < 3; k++)
        if (mst_turok_corner(l, link, k, corner) && corner[2] < top)
            return true;
    return false;
}

/* An edge of exactly two sectors, at least one of which does not link to the other. Reported once, for the
 * first of them. */
static mst_status check_pair(const collision *c, uint32_t sector, unsigned e, uint32_t mate) {
    uint32_t other = mate >> 2, link = link_of(c, sector, e), back = link_of(c, other, mate & 3);
    if (other < sector)
        return MST_OK;
    char expected[24];
    snprintf(expected, sizeof expected, "%u", link != other ? other : sector);
    return link != other ? report_link(c, "TUROK-LINK-MISSING", sector, e, expected, link)
                         : report_link(c, "TUROK-LINK-MISSING", other, mate & 3, expected, back);
}

static mst_status check_many(const collision *c, uint32_t sector, unsigned e) {
    uint64_t ends = ends_of(c, sector, e);
    size_t first = find_edge(c, ends << 32), end = find_edge(c, (ends + 1) << 32);
    mst_turok_path path = sector_path("links", sector, e);
    char found[40];
    snprintf(found, sizeof found, "%zu", end - first);
    return mst_turok_report(c->level, "TUROK-EDGE-THREE", offset_of(c, &c->links, sector, e), 2, &path,
                            "at most 2 sectors", found);
}

/* Checks a link that is not one of the regular cases. */
static mst_status check_link(const collision *c, uint32_t sector, unsigned e) {
    uint32_t link = link_of(c, sector, e), mate = c->mates[4 * (size_t)sector + e];
    if (mate == MANY_FIRST)
        MST_TUROK_TRY(check_many(c, sector, e));
    else if (mate < MANY_FIRST)
        MST_TUROK_TRY(check_pair(c, sector, e, mate));
    if (link == SOLID || link >= c->count)
        return MST_OK;
    if (link == sector)
        return report_link(c, "TUROK-LINK-SELF", sector, e, "another sector", link);
    bool answered;
    if (is_shared(c, sector, e, link, &answered)) {
        if (answered)
            return MST_OK;
        char expected[64];
        snprintf(expected, sizeof expected, "a link back from sector %u to sector %u", link, sector);
        return report_link(c, "TUROK-LINK-ONEWAY", sector, e, expected, link);
    }
    if (!is_drop(c, sector, e, link))
        return report_link(c, "TUROK-LINK-EDGE", sector, e, "a sector with the same edge", link);
    return c->level->information ? report_link(c, "TUROK-LINK-DROP", sector, e, NULL, link) : MST_OK;
}

static mst_status check_links(const collision *c, uint32_t sector) {
    for (unsigned e = 0; e < 3; e++) {
        uint32_t link = link_of(c, sector, e), mate = c->mates[4 * (size_t)sector + e];
        bool regular = mate == ALONE
                           ? link == SOLID
                           : mate < MANY_FIRST && link == mate >> 2 && link_of(c, link, mate & 3) == sector;
        if (!regular)
            MST_TUROK_TRY(check_link(c, sector, e));
    }
    return MST_OK;
}

/* ---- sectors ------------------------------------------------------------------------------------ */

static mst_status check_ceiling(const collision *c, uint32_t sector, const uint32_t vertices[3]) {
    const mst_turok_level *l = c->level;
    for (unsigned k = 0; k < 3; k++) {
        double floor = mst_turok_f32(&l->vertex.position, vertices[k], 2),
               ceiling = mst_turok_f32(&l->vertex.ceiling, vertices[k], 0);
        if (!(ceiling <= floor))
            continue;
        mst_turok_path path = sector_path("vertices", sector, k);
        char expected[64];
        snprintf(expected, sizeof expected, "a ceiling above %s", mst_turok_real(floor).text);
        mst_turok_text found = mst_turok_real(ceiling);
        return mst_turok_report(l, "TUROK-CEILING-BELOW", offset_of(c, &c->vertices, sector, k), 2, &path,
                                expected, found.text);
    }
    return MST_OK;
}

/* Marks the sector's vertices in `used`, and checks those that exist. */
static mst_status check_corners(const collision *c, uint32_t sector, uint8_t *used) {
    const mst_turok_level *l = c->level;
    uint32_t v[3];
    double corners[3][3] = {{0}};
    bool complete = true;
    for (unsigned k = 0; k < 3; k++) {
        v[k] = vertex_of(c, sector, k);
        used[v[k]] = 1;
        complete = mst_turok_corner(l, sector, k, corners[k]) && complete;
    }
    bool equal = v[0] == v[1] || v[1] == v[2] || v[2] == v[0];
    double area = mst_turok_area(corners[0], corners[1], corners[2]);
    if (equal || (complete && !(area > 0))) {
        mst_turok_path path = sector_path("vertices", sector, 3);
        char found[40];
        snprintf(found, sizeof found, "%u, %u, %u", v[0], v[1], v[2]);
        uint64_t at = offset_of(c, &c->vertices, sector, 0);
        if (equal)
            MST_TUROK_TRY(mst_turok_report(l, "TUROK-DEGENERATE", at, 6, &path, "three vertices", found));
        else if (area < 0)
            MST_TUROK_TRY(
                mst_turok_report(l, "TUROK-WINDING", at, 6, &path, "counter-clockwise from above", found));
        else if (area >= 0) /* not for NaN */
            MST_TUROK_TRY(
                mst_turok_report(l, "TUROK-DEGENERATE", at, 6, &path, "an area that is not 0", found));
    }
    uint32_t flags = flags_of(c, sector);
    return complete && (flags & FLAG_CEILING) ? check_ceiling(c, sector, v) : MST_OK;
}

static mst_status check_set(const collision *c, uint32_t sector, uint8_t *used) {
    const mst_turok_level *l = c->level;
    uint32_t set = mst_column_u16(&l->sector.sector_set, sector, 0);
    used[set] = 1;
    if (set >= l->sector_sets.count)
        return MST_OK;
    uint32_t flags = flags_of(c, sector);
    uint32_t set_flags = mst_column_u32(&l->set.flags, set, 0) & 0xFFFF;
    if (flags == set_flags)
        return MST_OK;
    mst_turok_path path = sector_path("flags", sector, 3);
    uint64_t at = offset_of(c, &l->sector.flags, sector, 0);
    char expected[24], found[24];
    snprintf(found, sizeof found, "0x%x", flags);
    if (set_flags & ~flags) {
        snprintf(expected, sizeof expected, "0x%x and others", set_flags);
        MST_TUROK_TRY(mst_turok_report(l, "TUROK-FLAGS-LESS", at, 2, &path, expected, found));
    }
    if (!(flags & ~set_flags) || !l->information)
        return MST_OK;
    snprintf(expected, sizeof expected, "0x%x", set_flags);
    return mst_turok_report(l, "TUROK-FLAGS-DIFFER", at, 2, &path, expected, found);
}

static mst_status check_unused(const collision *c, const mst_data_set *list, const uint8_t *used,
                               const char *name, const char *code) {
    for (uint32_t i = 0; i < list->count; i++) {
        if (i < INDICES && used[i])
            continue;
        mst_turok_path path = {{{"collision", MST_TUROK_NONE}, {name, i}}};
        MST_TUROK_TRY(mst_turok_report(c->level, code, list->offset + (uint64_t)i * list->stride,
                                       list->stride, &path, "a sector that uses it", NULL));
    }
    return MST_OK;
}

static mst_status check_reserved(const collision *c) {
    const mst_turok_level *l = c->level;
    const mst_column *column = &l->set.unknown_3e;
    for (uint32_t i = 0; i < l->sector_sets.count; i++) {
        const uint8_t unknown[2] = {mst_column_u8(column, i, 0), mst_column_u8(column, i, 1)};
        if (!(unknown[0] | unknown[1]))
            continue;
        mst_turok_path path = {
            {{"collision", MST_TUROK_NONE}, {"sector_sets", i}, {"unknown_3e", MST_TUROK_NONE}}};
        char found[24];
        snprintf(found, sizeof found, "%u, %u", unknown[0], unknown[1]);
        MST_TUROK_TRY(mst_turok_report(l, "TUROK-SET-RESERVED", mst_column_offset(l->document, column, i), 2,
                                       &path, "0, 0", found));
    }
    return MST_OK;
}

mst_status mst_turok_check_collision(const mst_turok_level *level) {
    collision c = {.level = level,
                   .vertices = level->sector.vertices,
                   .links = level->sector.links,
                   .count = level->sectors.count};
    c.step = mst_turok_link_step(level->document, &c.vertices, &c.links);
    uint8_t *vertices = mst_arena_zero(&level->checker->scratch, INDICES, 1);
    uint8_t *sets = mst_arena_zero(&level->checker->scratch, INDICES, 1);
    if (!vertices || !sets)
        return MST_NO_MEMORY;
    MST_TUROK_TRY(check_reserved(&c));
    if (c.count)
        MST_TUROK_TRY(find_mates(&c));
    for (uint32_t s = 0; s < c.count; s++) {
        MST_TUROK_TRY(check_set(&c, s, sets));
        MST_TUROK_TRY(check_corners(&c, s, vertices));
        MST_TUROK_TRY(check_links(&c, s));
    }
    MST_TUROK_TRY(check_unused(&c, &level->vertices, vertices, "vertices", "TUROK-VERTEX-UNUSED"));
    return check_unused(&c, &level->sector_sets, sets, "sector_sets", "TUROK-SET-UNUSED");
}
