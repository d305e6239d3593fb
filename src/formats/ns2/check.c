/* SPDX-License-Identifier: MIT */
/* What can be wrong with a Natural Selection 2 level or clipboard, beyond what the tables say. */
#include "check.h"
#include <stdio.h>

const mst_code_information mst_ns2_codes[MST_NS2_CODES] = {
    {"NS2-MAGIC", MST_ERROR, "the file does not begin with LVL"},
    {"NS2-VERSION", MST_ERROR, "the version is not known"},
    {"NS2-CHUNK-OVERRUN", MST_ERROR, "a chunk or field runs past the end of what encloses it"},
    {"NS2-STRING-OVERRUN", MST_ERROR, "a string runs past the end of its chunk"},
    {"NS2-COUNT", MST_ERROR, "a list runs past the end of its chunk"},
    {"NS2-TRAILING", MST_ERROR, "bytes are left over in a structure of fixed size"},
    {"NS2-TRIANGLE-VERTEX", MST_WARNING, "a triangle's vertex is neither a vertex nor a ghost vertex"},
    {"NS2-NONFINITE", MST_WARNING, "the number is not finite"},
    {"NS2-MAPPING-GROUP", MST_WARNING, "the mapping group is not defined"},
    {"NS2-LOOP-OPEN", MST_WARNING, "two edges of a loop that follow each other do not meet"},
    {"NS2-DUPLICATE-PROPERTY", MST_WARNING, "the entity has two properties of one name"},
    {"NS2-FACE-EMPTY", MST_WARNING, "the face has no triangles"},
    {"NS2-EDGE-LOOSE", MST_WARNING, "no face uses the edge"},
    {"NS2-VERTEX-LOOSE", MST_WARNING, "no edge uses the vertex"},
    {"NS2-EDGE-NONMANIFOLD", MST_WARNING, "more than two faces use the edge"},
    {"NS2-MATERIAL-ORDER", MST_WARNING, "materials are not in the order of their first use, or are not used"},
    {"NS2-MATERIAL-INDEX", MST_WARNING, "there is no such material"},
    {"NS2-EDGE-INDEX", MST_WARNING, "there is no such edge"},
    {"NS2-EDGE-VERTEX", MST_WARNING, "there is no such vertex"},
    {"NS2-GROUP-UNKNOWN", MST_WARNING, "there is no group of that id"},
    {"NS2-LAYER-UNKNOWN", MST_WARNING, "there is no layer of that id"},
    {"NS2-LAYER-INDEX", MST_WARNING, "there are fewer layers"},
    {"NS2-GROUP-INDEX", MST_ERROR, "the group names a part of the mesh that is not there"},
    {"NS2-GROUP-NAME", MST_WARNING, "the name is nearly one that the game knows"},
    {"NS2-OUTPUT-TARGET", MST_WARNING, "no entity has the name that the output goes to"},
    {"NS2-PROPERTY-TYPE", MST_WARNING, "the property's type is not known"},
    {"NS2-PROPERTY-COMPONENTS", MST_WARNING, "the property's type does not have that many components"},
    {"NS2-ANIMATED", MST_WARNING,
     "the property is animated, which no known level is: its value is kept as bytes"},
    {"NS2-CHUNK-UNKNOWN", MST_WARNING, "the chunk's id is not known, or it is there twice"},
    {"NS2-TAIL", MST_WARNING, "bytes behind the property's value are not understood"},
    {"NS2-LAYER-FORMAT", MST_WARNING, "the words that follow may not say which layers it is on"},
    {"NS2-TRIANGLE-COUNT", MST_WARNING, "the number of triangles or of their faces is not what is stored"},
    {"NS2-NORMAL-INDEX", MST_WARNING, "there is no such smoothed normal"},
    {"NS2-CLASS-UNKNOWN", MST_WARNING, "the schema has no such class"},
    {"NS2-PROPERTY-UNKNOWN", MST_WARNING, "the class has no such property in the schema, or another type"},
    {"NS2-CHOICE", MST_WARNING, "the schema has no such choice"},
    {"NS2-SCHEMA", MST_WARNING, "the schema contradicts itself"},
    {"NS2-PLAYABLE", MST_INFORMATION, "the level lacks something that a game needs"},
};

mst_diagnostic mst_ns2_finding(const mst_value *value, const char *path) {
    mst_diagnostic finding;
    memset(&finding, 0, sizeof finding);
    if (value) {
        mst_value_span(value, &finding.offset, &finding.length);
    } else {
        finding.offset = MST_NO_OFFSET;
    }
    MST_SET(finding.path, "%s", path);
    return finding;
}

/* ---- names ------------------------------------------------------------------------------------- */

static const char *const meaningful[] = {"CollisionGeometry",
                                         "InvisibleGeometry",
                                         "NonCollisionGeometry",
                                         "OcclusionGeometry",
                                         "CommanderInvisible",
                                         "CommanderInvisibleVents",
                                         "CommanderInvisibleNonCollision",
                                         "CommanderBuild",
                                         "CommanderNoBuild",
                                         "OverviewInvisible",
                                         "Low Lights",
                                         "Vents",
                                         "Pathing",
                                         "ReflectionsInvisible"};

static bool same_but_for_case_and_blanks(const char *a, const char *b) {
    for (;;) {
        while (*a == ' ')
            a++;
        while (*b == ' ')
            b++;
        char x = *a >= 'A' && *a <= 'Z' ? (char)(*a + 32) : *a,
             y = *b >= 'A' && *b <= 'Z' ? (char)(*b + 32) : *b;
        if (x != y)
            return false;
        if (!x)
            return true;
        a++;
        b++;
    }
}

static mst_status check_names(mst_ns2_level *l, const char *table_path) {
    mst_value table, entry;
    if (mst_find(l->root, table_path, &table, NULL) != MST_OK)
        return MST_OK;
    uint64_t index = 0;
    for (mst_iterator it = mst_iterate(&table); mst_next(&it, &entry); index++) {
        char text[128], path[64];
        size_t length = 0;
        mst_value name = mst_member_in(&entry, "name");
        mst_get_text(&name, text, sizeof text, &length);
        if (length >= sizeof text)
            continue;
        for (size_t i = 0; i < MST_COUNT_OF(meaningful); i++) {
            if (strcmp(text, meaningful[i]) == 0 || !same_but_for_case_and_blanks(text, meaningful[i]))
                continue;
            snprintf(path, sizeof path, "%s[%llu].name", table_path, (unsigned long long)index);
            mst_diagnostic finding = mst_ns2_finding(&name, path);
            MST_SET(finding.expected, "\"%s\"", meaningful[i]);
            MST_SET(finding.found, "\"%s\"", text);
            MST_NS2_REPORT(l, "NS2-GROUP-NAME", finding);
        }
    }
    return MST_OK;
}

mst_status mst_ns2_check_layer_format(mst_ns2_level *l, const mst_item *item, const char *path) {
    uint32_t number = (uint32_t)mst_scalar_bits(l->checker->document, item->field, item->offset);
    if (number == MST_NS2_LAYER_FORMAT)
        return MST_OK;
    mst_diagnostic finding = mst_ns2_finding(NULL, path);
    finding.offset = item->offset;
    finding.length = item->length;
    MST_SET(finding.expected, "%u", MST_NS2_LAYER_FORMAT);
    MST_SET(finding.found, "%u", number);
    MST_NS2_REPORT(l, "NS2-LAYER-FORMAT", finding);
    return MST_OK;
}

/* ---- unknown chunks ---------------------------------------------------------------------------- */

mst_status mst_ns2_check_chunks(mst_ns2_level *l, const mst_value *record, const char *path) {
    mst_value list, chunk;
    if (mst_member(record, "unknown_chunks", &list) != MST_OK)
        return MST_OK; /* a setting of another kind has no chunks */
    uint64_t index = 0;
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &chunk); index++) {
        char full[96];
        snprintf(full, sizeof full, "%s%sunknown_chunks[%llu]", path, *path ? "." : "",
                 (unsigned long long)index);
        mst_diagnostic finding = mst_ns2_finding(&chunk, full);
        MST_SET(finding.found, "%llu", (unsigned long long)mst_number_in(&chunk, "id"));
        MST_NS2_REPORT(l, "NS2-CHUNK-UNKNOWN", finding);
    }
    return MST_OK;
}

/* ---- all --------------------------------------------------------------------------------------- */

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
            mst_diagnostic finding = mst_ns2_finding(&setting, path);
            MST_SET(finding.found, "%llu", (unsigned long long)number);
            MST_NS2_REPORT(l, "NS2-CHUNK-UNKNOWN", finding);
        }
        status = mst_ns2_check_chunks(l, &setting, path);
    }
    return status;
}

static mst_status begin(mst_checker *checker, mst_ns2_level **level) {
    mst_ns2_level *l = *level = mst_arena_zero(&checker->scratch, 1, sizeof *l);
    if (!l)
        return MST_NO_MEMORY;
    l->checker = checker;
    l->root = mst_root(checker->document);
    checker->state = l;
    if (!checker->options || !checker->options->schema)
        return MST_OK;
    mst_status status = mst_ns2_setup_read(checker->options->schema, checker->options->schema_size,
                                           &checker->scratch, &l->setup, checker->failure);
    return status == MST_OK ? mst_ns2_setup_report(l->setup, checker) : status;
}

mst_status mst_ns2_prepare(mst_checker *checker) {
    mst_ns2_level *l;
    mst_status status = begin(checker, &l);
    if (status == MST_OK)
        status = mst_ns2_objects_begin(l, "objects", &l->objects);
    return status;
}

mst_status mst_ns2_clip_prepare(mst_checker *checker) {
    mst_ns2_level *l;
    mst_status status = begin(checker, &l);
    return status == MST_OK ? mst_ns2_objects_begin(l, "", &l->objects) : status;
}

mst_status mst_ns2_watch(mst_checker *checker, const mst_item *item) {
    const mst_ns2_level *l = checker->state;
    return mst_ns2_objects_item(l->objects, item);
}

mst_status mst_ns2_check(mst_checker *checker) {
    mst_ns2_level *l = checker->state;
    mst_value value;
    mst_status status = mst_ns2_check_chunks(l, &l->root, "");
    if (status == MST_OK)
        status = check_names(l, "groups");
    if (status == MST_OK)
        status = check_names(l, "layers");
    if (status == MST_OK && mst_find(l->root, "mesh", &value, NULL) == MST_OK)
        status = mst_ns2_check_mesh(l, &value, "mesh");
    if (status == MST_OK)
        status = mst_ns2_objects_end(l->objects);
    return status == MST_OK ? check_settings(l) : status;
}

/* Entities have been looked at along with the walk. */
mst_status mst_ns2_clip_check(mst_checker *checker) {
    mst_ns2_level *l = checker->state;
    mst_value list = mst_member_in(&l->root, "blocks"), block, mesh;
    uint64_t index = 0;
    mst_status status = MST_OK;
    for (mst_iterator it = mst_iterate(&list); status == MST_OK && mst_next(&it, &block); index++) {
        char path[64];
        snprintf(path, sizeof path, "blocks[%llu].kind", (unsigned long long)index);
        mst_value kind = mst_member_in(&block, "kind");
        if (!mst_get_name(&kind)) {
            uint64_t number = 0;
            mst_get_unsigned(&kind, &number);
            mst_diagnostic finding = mst_ns2_finding(&kind, path);
            MST_SET(finding.expected, "1 (objects) or 2 (mesh)");
            MST_SET(finding.found, "%llu", (unsigned long long)number);
            MST_NS2_REPORT(l, "NS2-CHUNK-UNKNOWN", finding);
        }
        if (mst_member(&block, "mesh", &mesh) != MST_OK)
            continue;
        snprintf(path, sizeof path, "blocks[%llu].mesh", (unsigned long long)index);
        status = mst_ns2_check_mesh(l, &mesh, path);
    }
    return status;
}
