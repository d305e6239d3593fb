/* SPDX-License-Identifier: MIT */
/* The files that sectors need: class.def states the pictures and models for the types of objects. */
#include "../../check/finding.h"
#include "../../core/text.h"
#include "../../files/named_files.h"
#include "../../read/binding.h"
#include "../../read/opened.h"
#include "../present.h"
#include "revenant.h"
#include <stdio.h>
#include <string.h>

#define NESTING 32 /* inventories within inventories, as in the game */
#define NAMED   3  /* files that a warning names */

typedef struct bound_object {
    mst_value class_value, inventory;
    uint32_t id;
} bound_object;
static const mst_binding object_items[] = {MST_BINDING(bound_object, class_value, "class"),
                                           MST_BINDING(bound_object, id, "unique_id"),
                                           MST_BINDING(bound_object, inventory, "inventory")};
const mst_bindings mst_revenant_carrying_bindings = MST_BINDINGS(bound_object, "object", object_items);

void mst_revenant_imagery_place(const char *path, char *place, size_t capacity) {
    bool number = *path != 0;
    for (const char *c = path; *c; c++)
        number = number && *c >= '0' && *c <= '9';
    snprintf(place, capacity, number ? "IMAGERY/IMAGERY.%s" : "IMAGERY/%s", path);
    for (char *c = place; *c; c++)
        if (*c == '\\')
            *c = '/';
}

/* ---- named files --------------------------------------------------------------------------------- */

static mst_status take_imagery(mst_take_name take, void *taker, const char *imagery, const char *path) {
    char place[MST_ASSET_NAME + 1]; /* one more than fits, to detect truncation */
    mst_revenant_imagery_place(imagery, place, sizeof place);
    size_t length = strlen(place);
    bool model = mst_text_ends_in(place, length, ".i3d");
    return take(taker, model ? MST_ASSET_MODEL : MST_ASSET_PICTURE, place, length, path);
}

mst_status mst_revenant_take_types(const mst_revenant_classes *classes, mst_take_name take, void *taker) {
    mst_status status = MST_OK;
    for (uint32_t i = 0; i < classes->type_count && status == MST_OK; i++) {
        char path[48];
        snprintf(path, sizeof path, "text@types[%lu].imagery", (unsigned long)i);
        if (*classes->types[i].imagery)
            status = take_imagery(take, taker, classes->types[i].imagery, path);
    }
    return status;
}

/* A list of objects being read. */
typedef struct level {
    mst_iterator objects;
    uint64_t next;
} level;

typedef struct work {
    const mst_revenant_classes *classes;
    mst_take_name take;
    void *taker;
    mst_bound object;
    level levels[NESTING];
    size_t depth;
    bool exits; /* there are exits */
} work;

static mst_status take_object(work *w, const mst_value *record) {
    int64_t class_number = -1;
    bound_object o = {.class_value = mst_nothing_in(record), .inventory = mst_nothing_in(record)};
    mst_fill(&w->object, record, &o);
    mst_get_integer(&o.class_value, &class_number);
    if (class_number < 0) /* an empty slot */
        return MST_OK;
    w->exits =
        w->exits || mst_revenant_class_of(record->document, (int32_t)class_number) == MST_REVENANT_EXIT;
    const mst_revenant_type *type = mst_revenant_type_of(w->classes, o.id);
    mst_status status = MST_OK;
    if (type && *type->imagery) {
        char path[400];
        size_t length = 0;
        for (size_t i = 0; i < w->depth; i++)
            length =
                mst_path_step(path, sizeof path, length, i ? "inventory" : "objects", w->levels[i].next - 1);
        mst_path_step(path, sizeof path, length, "unique_id", UINT64_MAX);
        status = take_imagery(w->take, w->taker, type->imagery, path);
    }
    if (!mst_is_void(&o.inventory) && w->depth < NESTING)
        w->levels[w->depth++] = (level){mst_iterate(&o.inventory), 0};
    return status;
}

static mst_status take_objects(work *w, const mst_value *objects) {
    mst_value record;
    mst_status status = MST_OK;
    w->levels[w->depth++] = (level){mst_iterate(objects), 0};
    while (w->depth && status == MST_OK) {
        level *innermost = &w->levels[w->depth - 1];
        innermost->next++;
        if (mst_next(&innermost->objects, &record))
            status = take_object(w, &record);
        else
            w->depth--;
    }
    return status;
}

mst_status mst_revenant_names(const mst_document *document, const mst_resolver *sidecars, mst_take_name take,
                              void *taker) {
    static const char table[] = "class.def", exits[] = "exit.def";
    mst_value root = mst_root(document), objects;
    const void *bytes;
    size_t size;
    if (document->variant.version == 0 || mst_member(&root, "objects", &objects) != MST_OK)
        return MST_OK; /* types of version 0 are not in class.def */
    mst_status status = take(taker, MST_ASSET_TABLE, table, sizeof table - 1, "objects");
    if (status != MST_OK || !sidecars || !sidecars->find ||
        sidecars->find(sidecars->user, table, &bytes, &size) != MST_OK)
        return status;
    mst_arena scratch;
    mst_arena_begin(&scratch, &document->allocator, 0);
    work *w = mst_arena_zero(&scratch, 1, sizeof *w);
    status = w ? mst_revenant_recall_classes(sidecars, bytes, size, &scratch, &w->classes) : MST_NO_MEMORY;
    if (status == MST_OK) {
        w->take = take;
        w->taker = taker;
        mst_bind(document, &mst_revenant_carrying_bindings, &w->object);
        status = take_objects(w, &objects);
    }
    /* optional: a level whose exits lead nowhere does not need it */
    if (status == MST_OK && w->exits && sidecars->find(sidecars->user, exits, &bytes, &size) == MST_OK)
        status = take(taker, MST_ASSET_TABLE, exits, sizeof exits - 1, "objects");
    mst_arena_end(&scratch);
    return status;
}

/* ---- missing files ------------------------------------------------------------------------------- */

static mst_status report(mst_checker *checker, const mst_asset *one) {
    char times[48] = "";
    if (one->uses > 1)
        snprintf(times, sizeof times, ", %llu times", (unsigned long long)one->uses);
    mst_value value, root = mst_root(checker->document);
    bool there = !strchr(one->path, '@') && mst_find(root, one->path, &value, NULL) == MST_OK;
    mst_diagnostic *finding = mst_finding_of(checker, there ? &value : NULL, "%s", one->path);
    MST_SET(finding->expected, "%s%s", one->name, times);
    return mst_checker_report(checker, one->state == MST_ASSET_UNREADABLE ? "REV-IMAGE-UNREADABLE"
                                       : one->state == MST_ASSET_OUTSIDE  ? "REV-IMAGE-PATH"
                                                                          : "REV-IMAGE-MISSING");
}

mst_status mst_revenant_check_assets(mst_checker *checker) {
    const mst_check_options *options = checker->options;
    mst_assets *all;
    if (!options || !options->assets || !options->sidecars)
        return MST_OK;
    mst_status status = mst_assets_of(&checker->document, 1, options->sidecars, &all, checker->failure);
    if (status != MST_OK)
        return status;
    size_t missing = 0, length = 0;
    char names[200] = "";
    for (size_t i = 0; i < all->count && status == MST_OK; i++) {
        const mst_asset *one = &all->items[i];
        if (one->state == MST_ASSET_FOUND)
            continue;
        status = report(checker, one);
        if (one->state == MST_ASSET_MISSING && missing++ < NAMED && length < sizeof names)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "",
                                       one->name);
    }
    mst_assets_free(all);
    if (status != MST_OK || !missing)
        return status;
    mst_diagnostic *finding = mst_finding_of(checker, NULL, "%s", "");
    MST_SET(finding->message, "%zu file%s that %s named %s not found: %s%s", missing, missing == 1 ? "" : "s",
            missing == 1 ? "is" : "are", missing == 1 ? "was" : "were", names,
            missing > NAMED ? ", ..." : "");
    return mst_checker_report(checker, "REV-MISSING");
}
