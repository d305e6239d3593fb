/* SPDX-License-Identifier: MIT */
/* Checks of Natural Selection 2 levels and clipboards beyond the rules in the tables. */
#include "ns2_check.h"
#include "../../core/text.h"
#include "../spark/spark.h"
#include <stdio.h>

/* Reports layers or groups that share an id; version 4 has no ids. */
static mst_status check_ids(mst_ns2_level *l, const char *path) {
    mst_value table, entry;
    mst_ns2_ids list = {0};
    if (l->checker->document->variant.version < 5 || mst_find(l->root, path, &table, NULL) != MST_OK)
        return MST_OK;
    mst_status status = mst_ns2_read_ids(l, &table, &list);
    uint64_t index = 0;
    if (status != MST_OK || list.count == mst_count(&table))
        return status;
    for (mst_iterator it = mst_iterate(&table); mst_next(&it, &entry); index++) {
        mst_value id = mst_member_in(&entry, "id");
        uint32_t number = (uint32_t)mst_number_in(&entry, "id");
        uint32_t first = mst_ns2_ids_find(list.items, list.count, number);
        if (first == index)
            continue;
        mst_diagnostic *finding =
            mst_finding_of(l->checker, &id, "%s[%llu].id", path, (unsigned long long)index);
        MST_SET(finding->expected, "a unique id");
        MST_SET(finding->found, "%u, the id of %s[%u]", number, path, first);
        MST_REPORT(l->checker, "NS2-ID-TWICE");
    }
    return MST_OK;
}

#define MASK_BITS 256 /* eight words, in every known level */

static mst_status check_layer_ids(mst_ns2_level *l) {
    mst_value table, entry;
    uint64_t index = 0;
    if (l->checker->document->variant.version < 5 || mst_find(l->root, "layers", &table, NULL) != MST_OK)
        return MST_OK;
    for (mst_iterator it = mst_iterate(&table); mst_next(&it, &entry); index++) {
        mst_value id = mst_member_in(&entry, "id");
        uint64_t number = mst_number_in(&entry, "id");
        if (number < MASK_BITS)
            continue;
        mst_finding_of(l->checker, &id, "layers[%llu].id", (unsigned long long)index);
        mst_status status =
            mst_report(l->checker, "NS2-LAYER-ID", "below 256", "%llu", (unsigned long long)number);
        if (status != MST_OK)
            return status;
    }
    return MST_OK;
}

/* ---- names ------------------------------------------------------------------------------------- */

static const char *const known_groups[] = {"CollisionGeometry",
                                           "InvisibleGeometry",
                                           "NonCollisionGeometry",
                                           "OcclusionGeometry",
                                           "CommanderInvisible",
                                           "CommanderInvisibleVents",
                                           "CommanderInvisibleNonCollision",
                                           "CommanderBuild",
                                           "CommanderNoBuild",
                                           "OverviewInvisible",
                                           "Low Lights"};

static bool equal_but_for_case_and_spaces(const char *a, const char *b) {
    for (;;) {
        while (*a == ' ')
            a++;
        while (*b == ' ')
            b++;
        if (mst_lower(*a) != mst_lower(*b))
            return false;
        if (!*a)
            return true;
        a++;
        b++;
    }
}

static mst_status check_names(mst_ns2_level *l) {
    mst_value table, entry;
    if (mst_find(l->root, "groups", &table, NULL) != MST_OK)
        return MST_OK;
    uint64_t index = 0;
    for (mst_iterator it = mst_iterate(&table); mst_next(&it, &entry); index++) {
        char text[128];
        size_t length = 0;
        mst_value name = mst_member_in(&entry, "name");
        mst_get_text(&name, text, sizeof text, &length);
        if (length >= sizeof text)
            continue;
        for (size_t i = 0; i < MST_COUNT_OF(known_groups); i++) {
            if (strcmp(text, known_groups[i]) == 0 || !equal_but_for_case_and_spaces(text, known_groups[i]))
                continue;
            mst_diagnostic *finding =
                mst_finding_of(l->checker, &name, "groups[%llu].name", (unsigned long long)index);
            MST_SET(finding->expected, "\"%s\"", known_groups[i]);
            MST_SET(finding->found, "\"%s\"", text);
            MST_REPORT(l->checker, "NS2-GROUP-NAME");
        }
    }
    return MST_OK;
}

/* ---- documents --------------------------------------------------------------------------------- */

/* There is one mesh, and it is the first chunk. */
static mst_status check_mesh_position(mst_ns2_level *l) {
    mst_value mesh;
    if (mst_member(&l->root, "mesh", &mesh) != MST_OK) {
        mst_diagnostic *finding = mst_finding_of(l->checker, NULL, "mesh");
        MST_SET(finding->message, "the level has no mesh, as every known level has");
        MST_REPORT(l->checker, "NS2-MESH-COUNT");
    } else if (mesh.offset != MST_NS2_FIRST_CHUNK + MST_CHUNK_HEADER) {
        mst_diagnostic *finding = mst_finding_of(l->checker, &mesh, "mesh");
        MST_SET(finding->message, "the mesh is not the first chunk, as in all known levels");
        MST_REPORT(l->checker, "NS2-ORDER");
    }
    return MST_OK;
}

static mst_status check_settings(mst_ns2_level *l) {
    mst_value list, setting;
    uint64_t index = 0;
    if (mst_find(l->root, "editor_settings", &list, NULL) != MST_OK)
        return MST_OK;
    mst_status status = MST_OK;
    for (mst_iterator it = mst_iterate(&list); status == MST_OK && mst_next(&it, &setting); index++) {
        char path[64];
        uint64_t number = MST_NS2_SETTING;
        snprintf(path, sizeof path, "editor_settings[%llu]", (unsigned long long)index);
        mst_value id = mst_member_in(&setting, "id");
        mst_get_unsigned(&id, &number);
        if (number != MST_NS2_SETTING) {
            mst_diagnostic *finding = mst_finding_of(l->checker, &setting, "%s", path);
            MST_SET(finding->found, "%llu", (unsigned long long)number);
            MST_REPORT(l->checker, "NS2-CHUNK-UNKNOWN");
        }
        status = mst_ns2_check_chunks(l, &setting, path);
    }
    return status;
}

static mst_status begin(mst_checker *checker, bool copied, mst_ns2_level **level) {
    mst_ns2_level *l = *level = mst_arena_zero(&checker->scratch, 1, sizeof *l);
    if (!l)
        return MST_NO_MEMORY;
    l->checker = checker;
    l->copied = copied;
    l->root = mst_root(checker->document);
    checker->state = l;
    if (!checker->options || !checker->options->schema)
        return MST_OK;
    mst_status status = mst_ns2_setup_read(checker->options->schema, checker->options->schema_size,
                                           &checker->scratch, &l->setup, checker->failure);
    return status == MST_OK ? mst_ns2_setup_report(l->setup, checker) : status;
}

mst_status mst_ns2_check_begin(mst_checker *checker) {
    mst_ns2_level *l;
    mst_status status = begin(checker, false, &l);
    if (status == MST_OK)
        status = mst_ns2_objects_begin(l, "objects", &l->objects);
    return status;
}

mst_status mst_ns2_clip_check_begin(mst_checker *checker) {
    mst_ns2_level *l;
    mst_status status = begin(checker, true, &l);
    return status == MST_OK ? mst_ns2_objects_begin(l, "", &l->objects) : status;
}

mst_status mst_ns2_check_item(mst_checker *checker, const mst_item *item) {
    mst_ns2_level *l = checker->state;
    if (l->mesh) {
        if (item->kind != MST_ITEM_END_RECORD || item->depth != l->mesh_depth)
            return mst_ns2_mesh_item(l->mesh, item);
        mst_ns2_mesh_check *mesh = l->mesh;
        l->mesh = NULL;
        return mst_ns2_mesh_end(mesh);
    }
    if (item->kind == MST_ITEM_BEGIN_RECORD && item->record == &mst_ns2_block_record)
        l->block = item->index;
    if (item->kind != MST_ITEM_BEGIN_RECORD || item->record != &mst_ns2_mesh_record)
        return mst_ns2_objects_item(l->objects, item);
    char path[64] = "mesh";
    if (l->copied)
        snprintf(path, sizeof path, "blocks[%llu].mesh", (unsigned long long)l->block);
    mst_value mesh = mst_value_of_item(checker->document, item);
    l->mesh_depth = item->depth;
    return mst_ns2_mesh_begin(l, &mesh, path, &l->mesh);
}

bool mst_ns2_check_wants(const mst_field *field) {
    static const char *const names[] = {"layer_format", "class_name", "id", "indices"};
    bool wanted = field >= mst_ns2_property_record.fields &&
                  field < mst_ns2_property_record.fields + mst_ns2_property_record.field_count;
    for (size_t i = 0; i < MST_COUNT_OF(names); i++)
        wanted = wanted || strcmp(field->name, names[i]) == 0;
    return wanted || field == &mst_ns2_extra_record.fields[0];
}

/* Meshes and entities were checked during the walk. */
mst_status mst_ns2_check(mst_checker *checker) {
    mst_ns2_level *l = checker->state;
    mst_status status = mst_ns2_check_chunks(l, &l->root, "");
    if (status == MST_OK)
        status = check_mesh_position(l);
    if (status == MST_OK)
        status = check_names(l);
    if (status == MST_OK)
        status = check_ids(l, "groups");
    if (status == MST_OK)
        status = check_ids(l, "layers");
    if (status == MST_OK)
        status = check_layer_ids(l);
    if (status == MST_OK)
        status = mst_ns2_objects_end(l->objects);
    if (status == MST_OK)
        status = check_settings(l);
    return status == MST_OK ? mst_spark_check_assets(checker) : status;
}

mst_status mst_ns2_clip_check(mst_checker *checker) {
    mst_ns2_level *l = checker->state;
    mst_value list = mst_member_in(&l->root, "blocks"), block;
    uint64_t index = 0;
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &block); index++) {
        mst_value kind = mst_member_in(&block, "kind");
        if (mst_get_name(&kind))
            continue;
        uint64_t number = 0;
        mst_get_unsigned(&kind, &number);
        mst_diagnostic *finding =
            mst_finding_of(l->checker, &kind, "blocks[%llu].kind", (unsigned long long)index);
        MST_SET(finding->expected, "1 (objects) or 2 (mesh)");
        MST_SET(finding->found, "%llu", (unsigned long long)number);
        MST_REPORT(l->checker, "NS2-CHUNK-UNKNOWN");
    }
    return MST_OK;
}
