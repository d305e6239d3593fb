/* SPDX-License-Identifier: MIT */
/* Checks that objects are inside their sector. */
#include "../../check/finding.h"
#include "revenant.h"

#define SECTOR_BITS 10    /* a sector is 1024 units wide */
#define MAP_MAX     65536 /* in units; levels have up to 64 x 64 sectors */

static bool is_on_map(int32_t coordinate) {
    return coordinate >= 0 && coordinate < MAP_MAX;
}

/* The sector that contains a coordinate. */
static int64_t sector_of(int32_t coordinate) {
    int64_t below = coordinate < 0 ? -(((int64_t)1 << SECTOR_BITS) - 1) : 0; /* to round down */
    return (coordinate + below) / ((int64_t)1 << SECTOR_BITS);
}

void mst_revenant_place_object(mst_revenant_outside *all, const mst_revenant_place *place,
                               const int32_t position[3], uint64_t object, uint64_t offset) {
    int64_t x = 0, y = 0;
    all->objects++;
    if (place) {
        x = sector_of(position[0]) - place->x;
        y = sector_of(position[1]) - place->y;
    }
    if (!x && !y && is_on_map(position[0]) && is_on_map(position[1]))
        return;
    for (size_t i = 0; i < MST_COUNT_OF(all->groups); i++) {
        mst_revenant_astray *group = &all->groups[i];
        if (!group->count)
            *group = (mst_revenant_astray){x, y, 0, object, offset, {position[0], position[1]}};
        if (group->x == x && group->y == y) {
            group->count++;
            return;
        }
    }
    all->elsewhere++;
}

static mst_status report_one(mst_checker *checker, const mst_revenant_astray *one,
                             const mst_revenant_place *place) {
    mst_diagnostic *finding =
        mst_finding_at(checker, one->offset, 12, "objects[%llu].position", (unsigned long long)one->object);
    bool y = place ? one->x == 0 : is_on_map(one->position[0]); /* the coordinate to report */
    if (place)
        MST_SET(finding->expected, "in the sector %d,%d", place->x, place->y);
    else
        MST_SET(finding->expected, "0..%d", MAP_MAX - 1);
    MST_SET(finding->found, "%c %d", y ? 'y' : 'x', one->position[y ? 1 : 0]);
    return mst_checker_report(checker, "REV-POSITION");
}

mst_status mst_revenant_report_outside(mst_checker *checker, const mst_revenant_outside *all,
                                       const mst_revenant_place *place) {
    const mst_revenant_astray *a = &all->groups[0], *b = &all->groups[1];
    uint64_t together = a->count + b->count + all->elsewhere;
    if (!together)
        return MST_OK;
    if (together == 1)
        return report_one(checker, a, place);
    const mst_revenant_astray *largest = b->count > a->count ? b : a, *apart = largest == a ? b : a;
    bool one_apart = !all->elsewhere && apart->count == 1 && largest->count > 1;
    bool the_same = !all->elsewhere && (!apart->count || one_apart);
    mst_diagnostic *finding = mst_finding_at(checker, largest->offset, 12, "objects");
    MST_SET(finding->message,
            "objects are outside the sector in the file's name, which the game uses: was the file renamed?");
    if (place)
        MST_SET(finding->expected, "all %llu in the sector %d,%d", (unsigned long long)all->objects, place->x,
                place->y);
    else
        MST_SET(finding->expected, "all %llu in 0..%d", (unsigned long long)all->objects, MAP_MAX - 1);
    uint64_t count = one_apart ? largest->count : together;
    if (place && the_same)
        MST_SET(finding->found, "%llu in the sector %lld,%lld", (unsigned long long)count,
                (long long)(place->x + largest->x), (long long)(place->y + largest->y));
    else
        MST_SET(finding->found, "%llu elsewhere, objects[%llu] the first", (unsigned long long)count,
                (unsigned long long)a->object);
    mst_status status = mst_checker_report(checker, "REV-POSITION");
    return status == MST_OK && one_apart ? report_one(checker, apart, place) : status;
}
