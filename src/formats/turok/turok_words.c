/* SPDX-License-Identifier: MIT */
/* The effects of areas and actors, in words: a line for each that has an effect. */
#include "../../core/diagnose.h"
#include "../../core/output.h"
#include "../present.h"
#include "tags.h"
#include "turok.h"

#define SHOWN 8 /* actors in a line, of those with a tag */

/* Numbers of the flags of areas. */
enum {
    EVENT = 16,
    TELEPORT = 18,
    DAMAGE = 19,
    TELEPORT_AIR = 21,
    EVENT_SOUND = 23,
    CHECKPOINT = 26,
    SAVE_GAME
};
/* Arguments of areas. */
enum { WARP, LEVEL_OR_SOUND, POINT, TAG, POINTS, DELAY };

typedef struct actors {
    mst_turok_tags tags;
    mst_column types;
    const mst_turok_actor_names *names;
} actors;

static void put_actor(mst_output *out, const actors *a, uint32_t actor) {
    int32_t type = (int32_t)mst_column_u32(&a->types, actor, 0);
    const char *name = mst_turok_name_of_actor(a->names, type);
    mst_output_format(out, "actors.records[%lu]", (unsigned long)actor);
    if (name)
        mst_output_format(out, " %s", name);
    else
        mst_output_format(out, " of type %ld", (long)type);
}

/* "triggers tag 7: actors.records[3] dynamic_door and 2 more" */
static void put_tag(mst_output *out, const actors *a, uint16_t tag) {
    const mst_turok_tags *t = &a->tags;
    unsigned long count = t->count[tag], shown = 0;
    mst_output_format(out, "triggers tag %d%s", (int16_t)tag, count ? ": " : ", which no actor has");
    for (uint32_t i = t->first[tag]; i != MST_TUROK_NO_ACTOR && shown < SHOWN; i = t->next[i], shown++) {
        mst_output_text(out, shown == 0 ? "" : shown + 1 < count ? ", " : " and ");
        put_actor(out, a, i);
    }
    if (shown < count)
        mst_output_format(out, " and %lu more", count - shown);
}

static void put_actors(mst_output *out, const actors *a) {
    for (uint32_t i = 0; i < a->tags.targets.count; i++) {
        uint16_t target = mst_turok_tag_at(&a->tags.targets, i);
        if (!mst_turok_is_target(target))
            continue;
        put_actor(out, a, i);
        mst_output_text(out, ": ");
        put_tag(out, a, target);
        mst_output_text(out, "\n");
    }
}

/* ---- areas -------------------------------------------------------------------------------------- */

static const uint32_t causes =
    1u << EVENT | 1u << TELEPORT | 1u << DAMAGE | 1u << TELEPORT_AIR | 1u << CHECKPOINT | 1u << SAVE_GAME;

static void put_area(mst_output *out, const actors *a, uint32_t flags, const int16_t arguments[6]) {
    const char *before = "";
    if (flags >> EVENT & 1) {
        put_tag(out, a, (uint16_t)arguments[TAG]);
        if (flags >> EVENT_SOUND & 1)
            mst_output_format(out, ", with sound %d", arguments[LEVEL_OR_SOUND]);
        before = "; ";
    }
    if (flags & (1u << TELEPORT | 1u << TELEPORT_AIR)) {
        mst_output_format(out, "%sleads to warp %d of level %d%s", before, arguments[WARP],
                          arguments[LEVEL_OR_SOUND], flags >> TELEPORT_AIR & 1 ? ", also from the air" : "");
        before = "; ";
    }
    if (flags >> CHECKPOINT & 1) {
        mst_output_format(out, "%sis checkpoint %d", before, arguments[POINT]);
        before = "; ";
    }
    if (flags >> SAVE_GAME & 1) {
        mst_output_format(out, "%sis save point %d", before, arguments[POINT]);
        before = "; ";
    }
    if (flags >> DAMAGE & 1)
        mst_output_format(out, "%stakes %d points every %.3g s", before, arguments[POINTS],
                          arguments[DELAY] / 1024.0);
}

static mst_status put_areas(mst_output *out, const mst_value *root, const actors *a, mst_arena *arena) {
    mst_value collision = mst_member_in(root, "collision"), sets = mst_member_in(&collision, "sector_sets"),
              sectors = mst_member_in(&collision, "sectors");
    mst_column flags = mst_column_in(&sets, "flags"), arguments = mst_column_in(&sets, "arguments"),
               areas = mst_column_in(&sectors, "sector_set");
    uint32_t *uses = mst_arena_zero(arena, 0x10000, sizeof *uses);
    if (!uses)
        return MST_NO_MEMORY;
    for (uint64_t i = 0; i < areas.count; i++)
        uses[mst_column_u16(&areas, i, 0)]++;
    for (uint64_t i = 0; i < flags.count; i++) {
        uint32_t bits = mst_column_u32(&flags, i, 0), used = i < 0x10000 ? uses[i] : 0;
        int16_t values[6];
        if (!(bits & causes))
            continue;
        for (uint32_t k = 0; k < 6; k++)
            values[k] = (int16_t)mst_column_u16(&arguments, i, k);
        mst_output_format(out, "collision.sector_sets[%llu], %lu sector%s: ", (unsigned long long)i,
                          (unsigned long)used, used == 1 ? "" : "s");
        put_area(out, a, bits, values);
        mst_output_text(out, "\n");
    }
    return MST_OK;
}

mst_status mst_turok_describe(const mst_document *document, const char *what, const mst_resolver *sidecars,
                              mst_sink sink, mst_diagnostic *diagnostic) {
    if (strcmp(what, "triggers") != 0)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "%s has no %s", document->format->information.title,
                        what);
    mst_value root = mst_root(document), record = mst_member_in(&root, "actors"),
              records = mst_member_in(&record, "records");
    mst_arena arena;
    mst_output out;
    actors all = {.types = mst_column_in(&records, "type")};
    mst_arena_begin(&arena, &document->arena.allocator, 0);
    mst_output_begin(&out, sink);
    mst_status status = mst_turok_recall_actor_names(sidecars, &arena, &all.names);
    if (status == MST_OK)
        status = mst_turok_find_tags(&records, &arena, &all.tags);
    if (status == MST_OK)
        status = put_areas(&out, &root, &all, &arena);
    if (status == MST_OK)
        put_actors(&out, &all);
    mst_status written = mst_output_end(&out);
    mst_arena_end(&arena);
    status = status == MST_OK ? written : status;
    return status == MST_OK ? MST_OK : mst_fail(diagnostic, status, "the triggers could not be written");
}
