/* SPDX-License-Identifier: MIT */
/* What can be wrong with a Natural Selection 2 level, beyond what the tables say by themselves. */
#include "../../core/diagnose.h"
#include "ns2.h"
#include "setup.h"
#include <mapstone/ns2.h>
#include <stdio.h>
#include <stdlib.h>

#define NONE 0xFFFFFFFFu

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
    {"NS2-GROUP-NAME", MST_WARNING, "the name is nearly one that the game knows"},
    {"NS2-OUTPUT-TARGET", MST_WARNING, "no entity has the name that the output goes to"},
    {"NS2-PROPERTY-TYPE", MST_WARNING, "the property's type is not known"},
    {"NS2-PROPERTY-COMPONENTS", MST_WARNING, "the property's type does not have that many components"},
    {"NS2-ANIMATED", MST_WARNING, "the property is animated, which no known level is: its value is kept as bytes"},
    {"NS2-CHUNK-UNKNOWN", MST_WARNING, "the chunk's id is not known, or it is there twice"},
    {"NS2-TRIANGLE-COUNT", MST_WARNING, "the number of triangles or of their faces is not what is stored"},
    {"NS2-NORMAL-INDEX", MST_WARNING, "there is no such smoothed normal"},
    {"NS2-CLASS-UNKNOWN", MST_WARNING, "the schema has no such class"},
    {"NS2-PROPERTY-UNKNOWN", MST_WARNING, "the class has no such property in the schema, or another type"},
    {"NS2-CHOICE", MST_WARNING, "the schema has no such choice"},
    {"NS2-PLAYABLE", MST_INFORMATION, "the level lacks something that a game needs"},
};

/* ---- what checks need of a level -------------------------------------------------------------- */

typedef struct ids {
    uint32_t *items; /* ascending */
    size_t count;
} ids;

typedef struct level {
    mst_checker *checker;
    mst_value root;
    ids groups, layers, mapping_groups;
    bool layers_by_position; /* version 4 */
    mst_ns2_setup *setup;    /* NULL: no schema */
} level;

static int compare_ids(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static bool has_id(const ids *list, uint32_t id) {
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->items[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->count && list->items[low] == id;
}

/* The ids of a table; without an id (version 4) the place in the table is the id. */
static mst_status read_ids(level *l, const char *path, ids *list) {
    mst_value table, entry, id;
    if (mst_find(l->root, path, &table, NULL) != MST_OK)
        return MST_OK;
    uint64_t count = mst_count(&table);
    list->items = mst_arena_take(&l->checker->scratch, (size_t)count, sizeof *list->items);
    if (!list->items)
        return MST_NO_MEMORY;
    for (mst_iterator it = mst_iterate(&table); list->count < count && mst_next(&it, &entry);) {
        uint64_t number = list->count;
        if (mst_member(&entry, "id", &id) == MST_OK)
            mst_get_unsigned(&id, &number);
        list->items[list->count++] = (uint32_t)number;
    }
    qsort(list->items, list->count, sizeof *list->items, compare_ids);
    return MST_OK;
}

static mst_diagnostic finding_at(const mst_value *value, const char *path) {
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

#define REPORT(code, finding)                                                                                 \
    do {                                                                                                      \
        mst_status reported = mst_checker_report(l->checker, code, &(finding));                               \
        if (reported != MST_OK)                                                                               \
            return reported;                                                                                  \
    } while (0)

/* ---- names ------------------------------------------------------------------------------------- */

static const char *const meaningful[] = {
    "CollisionGeometry",  "InvisibleGeometry",       "NonCollisionGeometry",           "OcclusionGeometry",
    "CommanderInvisible", "CommanderInvisibleVents", "CommanderInvisibleNonCollision", "CommanderBuild",
    "CommanderNoBuild",   "OverviewInvisible",       "Low Lights",                     "Vents",
    "Pathing",            "ReflectionsInvisible"};

static bool same_but_for_case_and_blanks(const char *a, const char *b) {
    for (;;) {
        while (*a == ' ')
            a++;
        while (*b == ' ')
            b++;
        char x = *a >= 'A' && *a <= 'Z' ? (char)(*a + 32) : *a, y = *b >= 'A' && *b <= 'Z' ? (char)(*b + 32) : *b;
        if (x != y)
            return false;
        if (!x)
            return true;
        a++;
        b++;
    }
}

static mst_status check_names(level *l, const char *table_path) {
    mst_value table, entry, name;
    if (mst_find(l->root, table_path, &table, NULL) != MST_OK)
        return MST_OK;
    uint64_t index = 0;
    for (mst_iterator it = mst_iterate(&table); mst_next(&it, &entry); index++) {
        char text[128], path[64];
        size_t length;
        if (mst_member(&entry, "name", &name) != MST_OK ||
            mst_get_text(&name, text, sizeof text, &length) != MST_OK || length >= sizeof text)
            continue;
        for (size_t i = 0; i < MST_COUNT_OF(meaningful); i++) {
            if (strcmp(text, meaningful[i]) == 0 || !same_but_for_case_and_blanks(text, meaningful[i]))
                continue;
            snprintf(path, sizeof path, "%s[%llu].name", table_path, (unsigned long long)index);
            mst_diagnostic finding = finding_at(&name, path);
            MST_SET(finding.expected, "\"%s\"", meaningful[i]);
            MST_SET(finding.found, "\"%s\"", text);
            REPORT("NS2-GROUP-NAME", finding);
        }
    }
    return MST_OK;
}

/* Layer bits and group of an object or a face. */
static mst_status check_masks(level *l, const mst_value *masks, const char *path) {
    uint64_t at = 0;
    mst_value word;
    bool wide = false; /* version 4 has one u64 */
    if (mst_value_type(masks) == MST_TYPE_INTEGER)
        wide = true;
    for (mst_iterator it = mst_iterate(masks); wide ? at == 0 : mst_next(&it, &word); at++) {
        uint64_t bits = 0;
        mst_get_unsigned(wide ? masks : &word, &bits);
        for (uint64_t bit = 0; bits; bit++, bits >>= 1) {
            if (!(bits & 1) || has_id(&l->layers, (uint32_t)(at * 32 + bit)))
                continue;
            mst_diagnostic finding = finding_at(wide ? masks : &word, path);
            MST_SET(finding.found, "%llu", (unsigned long long)(at * 32 + bit));
            MST_SET(finding.expected, "one of %zu layers", l->layers.count);
            REPORT("NS2-LAYER-UNKNOWN", finding);
        }
    }
    return MST_OK;
}

/* ---- unknown chunks ---------------------------------------------------------------------------- */

static mst_status check_chunks(level *l, const mst_value *record, const char *path) {
    mst_value list, chunk, id;
    if (mst_member(record, "unknown_chunks", &list) != MST_OK)
        return MST_OK;
    uint64_t index = 0;
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &chunk); index++) {
        char full[96];
        uint64_t number = 0;
        if (mst_member(&chunk, "id", &id) == MST_OK)
            mst_get_unsigned(&id, &number);
        snprintf(full, sizeof full, "%s%sunknown_chunks[%llu]", path, *path ? "." : "", (unsigned long long)index);
        mst_diagnostic finding = finding_at(&chunk, full);
        MST_SET(finding.found, "%llu", (unsigned long long)number);
        REPORT("NS2-CHUNK-UNKNOWN", finding);
    }
    return MST_OK;
}

/* ---- mesh -------------------------------------------------------------------------------------- */

/* How often edges and vertices are used, in two bits: 0, 1, 2, more. */
typedef struct uses {
    uint8_t *bits;
    uint64_t count;
} uses;

static bool uses_begin(uses *u, mst_arena *arena, uint64_t count) {
    u->count = count;
    u->bits = mst_arena_zero(arena, (size_t)(count / 4 + 1), 1);
    return u->bits != NULL;
}
static unsigned uses_of(const uses *u, uint64_t index) {
    return u->bits[index / 4] >> index % 4 * 2 & 3;
}
static void use(uses *u, uint64_t index) {
    if (index < u->count && uses_of(u, index) < 3)
        u->bits[index / 4] = (uint8_t)(u->bits[index / 4] + (1u << index % 4 * 2));
}

#define BATCH 128

/* Edges are read in pieces, so that memory does not grow with the level. */
static bool edge_at(const mst_value *edges, uint64_t index, mst_ns2_edge *edge) {
    mst_value element, vertices;
    uint64_t n;
    mst_target target = {.type = MST_U32, .components = 2, .data = edge->vertices, .capacity = 1};
    return mst_element(edges, index, &element) == MST_OK && mst_member(&element, "vertices", &vertices) == MST_OK &&
           mst_read(&vertices, &target, &n, NULL) == MST_OK && n == 1;
}

static mst_status check_loop(level *l, const mst_value *edges, const mst_value *loop, const char *path, uses *used) {
    mst_ns2_loop_edge steps[BATCH];
    uint64_t count = mst_count(loop), done = 0;
    uint32_t first = 0, end = 0;
    bool known = false; /* whether `end` is */
    bool first_known = false;
    while (done < count) {
        mst_value slice = *loop;
        char range[64];
        snprintf(range, sizeof range, "[%llu:%llu]", (unsigned long long)done, (unsigned long long)(done + BATCH));
        uint64_t n;
        if (mst_find(*loop, range, &slice, NULL) != MST_OK ||
            mst_read_structs(&slice, steps, sizeof steps[0], BATCH, &n, NULL) != MST_OK || !n)
            return MST_OK;
        for (uint64_t i = 0; i < n; i++) {
            mst_ns2_edge edge;
            use(used, steps[i].edge);
            if (steps[i].edge >= used->count || !edge_at(edges, steps[i].edge, &edge)) {
                known = false;
                continue;
            }
            uint32_t from = edge.vertices[steps[i].flipped ? 1 : 0], to = edge.vertices[steps[i].flipped ? 0 : 1];
            if (done + i == 0) {
                first = from;
                first_known = true;
            } else if (known && from != end) {
                char full[128];
                snprintf(full, sizeof full, "%s[%llu]", path, (unsigned long long)(done + i));
                mst_diagnostic finding = finding_at(loop, full);
                MST_SET(finding.expected, "an edge from vertex %u", end);
                MST_SET(finding.found, "one from vertex %u", from);
                REPORT("NS2-LOOP-OPEN", finding);
            }
            end = to;
            known = true;
        }
        done += n;
    }
    if (first_known && known && end != first) {
        mst_diagnostic finding = finding_at(loop, path);
        MST_SET(finding.expected, "an end at vertex %u", first);
        MST_SET(finding.found, "an end at vertex %u", end);
        REPORT("NS2-LOOP-OPEN", finding);
    }
    return MST_OK;
}

typedef struct mesh {
    const char *path;
    mst_value value, vertices, edges, faces, materials;
    uint64_t vertex_count, edge_count, face_count, material_count;
} mesh;

static mst_status check_faces(level *l, mesh *m) {
    uses edges;
    if (!uses_begin(&edges, &l->checker->scratch, m->edge_count))
        return MST_NO_MEMORY;
    mst_value face, group, material, loops, loop;
    uint64_t index = 0, next_material = 0, number;
    bool ordered = true;
    char path[160];
    for (mst_iterator it = mst_iterate(&m->faces); mst_next(&it, &face); index++) {
        if (mst_member(&face, "mapping_group", &group) == MST_OK && mst_get_unsigned(&group, &number) == MST_OK &&
            number != NONE && !has_id(&l->mapping_groups, (uint32_t)number)) {
            snprintf(path, sizeof path, "%s.faces[%llu].mapping_group", m->path, (unsigned long long)index);
            mst_diagnostic finding = finding_at(&group, path);
            MST_SET(finding.found, "%llu", (unsigned long long)number);
            REPORT("NS2-MAPPING-GROUP", finding);
        }
        if (mst_member(&face, "material", &material) == MST_OK && mst_get_unsigned(&material, &number) == MST_OK) {
            if (number == next_material)
                next_material++;
            else if (number > next_material && number < m->material_count && ordered) {
                snprintf(path, sizeof path, "%s.faces[%llu].material", m->path, (unsigned long long)index);
                mst_diagnostic finding = finding_at(&material, path);
                MST_SET(finding.expected, "at most %llu", (unsigned long long)next_material);
                MST_SET(finding.found, "%llu", (unsigned long long)number);
                REPORT("NS2-MATERIAL-ORDER", finding);
                ordered = false; /* once is enough: what follows is a consequence */
            }
        }
        if (mst_member(&face, "loops", &loops) != MST_OK)
            continue;
        uint64_t which = 0;
        for (mst_iterator inner = mst_iterate(&loops); mst_next(&inner, &loop); which++) {
            snprintf(path, sizeof path, "%s.faces[%llu].loops[%llu]", m->path, (unsigned long long)index,
                     (unsigned long long)which);
            mst_status status = check_loop(l, &m->edges, &loop, path, &edges);
            if (status != MST_OK)
                return status;
        }
    }
    if (ordered && next_material < m->material_count) {
        snprintf(path, sizeof path, "%s.materials[%llu]", m->path, (unsigned long long)next_material);
        mst_diagnostic finding = finding_at(&m->materials, path);
        MST_SET(finding.message, "no face uses the material");
        REPORT("NS2-MATERIAL-ORDER", finding);
    }
    for (uint64_t i = 0; i < m->edge_count; i++) {
        unsigned used = uses_of(&edges, i);
        if (used == 1 || used == 2)
            continue;
        mst_value edge;
        snprintf(path, sizeof path, "%s.edges[%llu]", m->path, (unsigned long long)i);
        if (mst_element(&m->edges, i, &edge) != MST_OK)
            break;
        mst_diagnostic finding = finding_at(&edge, path);
        REPORT(used ? "NS2-EDGE-NONMANIFOLD" : "NS2-EDGE-LOOSE", finding);
    }
    return MST_OK;
}

static mst_status check_vertices(level *l, mesh *m) {
    uses vertices;
    if (!uses_begin(&vertices, &l->checker->scratch, m->vertex_count))
        return MST_NO_MEMORY;
    mst_ns2_edge edges[BATCH];
    for (uint64_t done = 0; done < m->edge_count;) {
        char range[64];
        mst_value slice;
        uint64_t n;
        snprintf(range, sizeof range, "[%llu:%llu]", (unsigned long long)done, (unsigned long long)(done + BATCH));
        if (mst_find(m->edges, range, &slice, NULL) != MST_OK ||
            mst_read_structs(&slice, edges, sizeof edges[0], BATCH, &n, NULL) != MST_OK || !n)
            break;
        for (uint64_t i = 0; i < n; i++) {
            use(&vertices, edges[i].vertices[0]);
            use(&vertices, edges[i].vertices[1]);
        }
        done += n;
    }
    for (uint64_t i = 0; i < m->vertex_count; i++) {
        if (uses_of(&vertices, i))
            continue;
        char path[96];
        mst_value vertex;
        snprintf(path, sizeof path, "%s.vertices[%llu]", m->path, (unsigned long long)i);
        if (mst_element(&m->vertices, i, &vertex) != MST_OK)
            break;
        mst_diagnostic finding = finding_at(&vertex, path);
        REPORT("NS2-VERTEX-LOOSE", finding);
    }
    return MST_OK;
}

static mst_status check_triangles(level *l, mesh *m) {
    mst_value triangles, faces, list, number;
    if (mst_member(&m->value, "triangles", &triangles) != MST_OK)
        return MST_OK;
    uint64_t ghosts = 0, normals = 0, stored = 0, sum = 0, index = 0;
    bool has_normals = mst_member(&triangles, "smoothed_normals", &list) == MST_OK;
    if (has_normals)
        normals = mst_count(&list);
    if (mst_member(&triangles, "ghost_vertices", &list) == MST_OK)
        ghosts = mst_count(&list);
    if (mst_member(&triangles, "faces", &faces) != MST_OK)
        return MST_OK;
    char path[128];
    for (mst_iterator it = mst_iterate(&faces); mst_next(&it, &list); index++) {
        uint64_t count = mst_count(&list);
        sum += count;
        if (!count) {
            snprintf(path, sizeof path, "%s.faces[%llu]", m->path, (unsigned long long)index);
            mst_value face;
            bool found = mst_element(&m->faces, index, &face) == MST_OK;
            mst_diagnostic finding = finding_at(found ? &face : &list, path);
            REPORT("NS2-FACE-EMPTY", finding);
        }
        mst_ns2_triangle batch[BATCH];
        for (uint64_t done = 0; done < count;) {
            mst_value slice = list;
            uint64_t n;
            if (count > BATCH) {
                char range[64];
                snprintf(range, sizeof range, "[%llu:%llu]", (unsigned long long)done,
                         (unsigned long long)(done + BATCH));
                if (mst_find(list, range, &slice, NULL) != MST_OK)
                    break;
            }
            if (mst_read_structs(&slice, batch, sizeof batch[0], BATCH, &n, NULL) != MST_OK || !n)
                break;
            for (uint64_t i = 0; i < n; i++)
                for (int c = 0; c < 3; c++) {
                    bool bad_vertex = batch[i].vertices[c] >= m->vertex_count + ghosts;
                    bool bad_normal = has_normals && batch[i].normals[c] > normals;
                    if (!bad_vertex && !bad_normal)
                        continue;
                    mst_value triangle, part;
                    const char *what = bad_vertex ? "vertices" : "normals";
                    snprintf(path, sizeof path, "%s.triangles.faces[%llu][%llu].%s[%d]", m->path,
                             (unsigned long long)index, (unsigned long long)(done + i), what, c);
                    bool found = mst_element(&list, done + i, &triangle) == MST_OK &&
                                 mst_member(&triangle, what, &part) == MST_OK &&
                                 mst_element(&part, (uint64_t)c, &number) == MST_OK;
                    mst_diagnostic finding = finding_at(found ? &number : &list, path);
                    if (bad_vertex) {
                        MST_SET(finding.expected, "below %llu", (unsigned long long)(m->vertex_count + ghosts));
                        MST_SET(finding.found, "%u", batch[i].vertices[c]);
                        REPORT("NS2-TRIANGLE-VERTEX", finding);
                    } else {
                        MST_SET(finding.expected, "at most %llu", (unsigned long long)normals);
                        MST_SET(finding.found, "%u", batch[i].normals[c]);
                        REPORT("NS2-NORMAL-INDEX", finding);
                    }
                }
            done += n;
        }
    }
    if (index != m->face_count) {
        snprintf(path, sizeof path, "%s.triangles.faces", m->path);
        mst_diagnostic finding = finding_at(&faces, path);
        MST_SET(finding.expected, "%llu faces", (unsigned long long)m->face_count);
        MST_SET(finding.found, "%llu", (unsigned long long)index);
        REPORT("NS2-TRIANGLE-COUNT", finding);
    }
    if (mst_member(&triangles, "triangle_count", &number) == MST_OK && mst_get_unsigned(&number, &stored) == MST_OK &&
        stored != sum) {
        snprintf(path, sizeof path, "%s.triangles.triangle_count", m->path);
        mst_diagnostic finding = finding_at(&number, path);
        MST_SET(finding.expected, "%llu", (unsigned long long)sum);
        MST_SET(finding.found, "%llu", (unsigned long long)stored);
        REPORT("NS2-TRIANGLE-COUNT", finding);
    }
    return MST_OK;
}

static mst_status check_mesh_groups(level *l, mesh *m) {
    static const char *const kinds[] = {"vertex_groups", "edge_groups", "face_groups"};
    mst_value tables, list, group, id, faces, face, masks;
    char path[128];
    if (mst_member(&m->value, "geometry_groups", &tables) == MST_OK)
        for (size_t k = 0; k < MST_COUNT_OF(kinds); k++) {
            if (mst_member(&tables, kinds[k], &list) != MST_OK)
                continue;
            uint64_t index = 0, number;
            for (mst_iterator it = mst_iterate(&list); mst_next(&it, &group); index++) {
                if (mst_member(&group, "id", &id) != MST_OK || mst_get_unsigned(&id, &number) != MST_OK ||
                    has_id(&l->groups, (uint32_t)number))
                    continue;
                snprintf(path, sizeof path, "%s.geometry_groups.%s[%llu].id", m->path, kinds[k],
                         (unsigned long long)index);
                mst_diagnostic finding = finding_at(&id, path);
                MST_SET(finding.found, "%llu", (unsigned long long)number);
                REPORT("NS2-GROUP-UNKNOWN", finding);
            }
        }
    if (mst_member(&m->value, "face_layers", &tables) != MST_OK)
        return MST_OK;
    uint64_t index = 0;
    bool old = mst_member(&tables, "masks", &faces) == MST_OK;
    if (!old && mst_member(&tables, "faces", &faces) != MST_OK)
        return MST_OK;
    for (mst_iterator it = mst_iterate(&faces); mst_next(&it, &face); index++) {
        if (old)
            masks = face;
        else if (mst_member(&face, "layer_masks", &masks) != MST_OK)
            continue;
        snprintf(path, sizeof path, old ? "%s.face_layers.masks[%llu]" : "%s.face_layers.faces[%llu].layer_masks",
                 m->path, (unsigned long long)index);
        mst_status status = check_masks(l, &masks, path);
        if (status != MST_OK)
            return status;
    }
    return MST_OK;
}

static mst_status check_mesh(level *l, const mst_value *value, const char *path) {
    mesh m;
    memset(&m, 0, sizeof m);
    m.path = path;
    m.value = *value;
    mst_status status = check_chunks(l, value, path);
    if (status != MST_OK)
        return status;
    if (mst_member(value, "vertices", &m.vertices) == MST_OK)
        m.vertex_count = mst_count(&m.vertices);
    if (mst_member(value, "edges", &m.edges) == MST_OK)
        m.edge_count = mst_count(&m.edges);
    if (mst_member(value, "materials", &m.materials) == MST_OK)
        m.material_count = mst_count(&m.materials);
    bool faces = mst_member(value, "faces", &m.faces) == MST_OK;
    if (faces) {
        m.face_count = mst_count(&m.faces);
        status = check_faces(l, &m);
    }
    if (status == MST_OK && m.vertex_count)
        status = check_vertices(l, &m);
    if (status == MST_OK && faces)
        status = check_triangles(l, &m);
    return status == MST_OK ? check_mesh_groups(l, &m) : status;
}

/* ---- objects ----------------------------------------------------------------------------------- */

/* How many components values of a type have in the levels that were seen. */
static bool components_usual(uint64_t type, uint64_t components) {
    switch (type) {
    case 2: case 7: case 9: return components == 1 || components == 3;
    case 5: return components == 3 || components == 4;
    default: return components == 1;
    }
}

/* All names of entities, for outputs: hashes, sorted. Equal hashes of different names could hide a finding,
 * never make a wrong one. */
typedef struct name_set {
    uint32_t *hashes;
    size_t count;
} name_set;

static uint32_t hash_of(const void *bytes, size_t size) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * 16777619u;
    return hash;
}

#define FEW 64 /* names of one entity that are compared directly */

typedef struct objects {
    level *l;
    mst_value list;
    const char *path;
    name_set names;
    const char *found_classes;
    uint32_t classes_seen;
} objects;

static const char *const needed_classes[] = {"ns2_gamerules", "light_point", "light_spot",    "light_ambient",
                                             "location",      "power_point", "resource_point", "tech_point"};

static bool text_equals(const void *bytes, size_t size, const char *text) {
    return strlen(text) == size && memcmp(bytes, text, size) == 0;
}

static mst_status check_value(level *l, const mst_value *property, const mst_value *type, const char *path,
                              uint64_t *type_number) {
    mst_value value, animated, count;
    uint64_t flag = 0, components = 0;
    mst_get_unsigned(type, type_number);
    char full[200];
    if (mst_member(property, "animated", &animated) == MST_OK && mst_get_unsigned(&animated, &flag) == MST_OK && flag) {
        snprintf(full, sizeof full, "%s.animated", path);
        mst_diagnostic finding = finding_at(&animated, full);
        MST_SET(finding.found, "%llu", (unsigned long long)flag);
        REPORT("NS2-ANIMATED", finding);
        return MST_OK;
    }
    if (*type_number > 10 || mst_member(property, "component_count", &count) != MST_OK ||
        mst_get_unsigned(&count, &components) != MST_OK || components_usual(*type_number, components))
        return MST_OK;
    snprintf(full, sizeof full, "%s.value", path);
    bool found = mst_member(property, "value", &value) == MST_OK;
    mst_diagnostic finding = finding_at(found ? &value : &count, full);
    MST_SET(finding.expected, "%s", *type_number == 5                                               ? "3 or 4"
                                    : *type_number == 2 || *type_number == 7 || *type_number == 9 ? "1 or 3"
                                                                                                    : "1");
    MST_SET(finding.found, "%llu", (unsigned long long)components);
    REPORT("NS2-PROPERTY-COMPONENTS", finding);
    return MST_OK;
}

static mst_status check_output(const objects *o, const mst_value *property, const void *name, size_t name_size,
                               const char *path) {
    level *l = o->l;
    mst_value value;
    const void *bytes;
    size_t size;
    if (name_size < 7 || memcmp(name, "output", 6) != 0 || ((const char *)name)[6] < '0' ||
        ((const char *)name)[6] > '9' || mst_member(property, "value", &value) != MST_OK ||
        mst_get_bytes(&value, &bytes, &size) != MST_OK || !size)
        return MST_OK;
    uint32_t hash = hash_of(bytes, size);
    size_t low = 0, high = o->names.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (o->names.hashes[middle] < hash)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < o->names.count && o->names.hashes[low] == hash)
        return MST_OK;
    char full[200], text[80];
    snprintf(full, sizeof full, "%s.value", path);
    mst_get_text(&value, text, sizeof text, NULL);
    mst_diagnostic finding = finding_at(&value, full);
    MST_SET(finding.found, "\"%s\"", text);
    REPORT("NS2-OUTPUT-TARGET", finding);
    return MST_OK;
}

static mst_status check_object(objects *o, const mst_value *object, uint64_t index) {
    level *l = o->l;
    mst_value member, list, property, type, id;
    char path[160];
    uint64_t number;
    if ((mst_member(object, "layer_masks", &member) == MST_OK || mst_member(object, "layer_mask", &member) == MST_OK)) {
        snprintf(path, sizeof path, "%s[%llu].%s", o->path, (unsigned long long)index,
                 mst_value_type(&member) == MST_TYPE_LIST ? "layer_masks" : "layer_mask");
        mst_status status = check_masks(l, &member, path);
        if (status != MST_OK)
            return status;
    }
    if (mst_member(object, "group", &member) == MST_OK && mst_get_unsigned(&member, &number) == MST_OK &&
        number != NONE && !has_id(&l->groups, (uint32_t)number)) {
        snprintf(path, sizeof path, "%s[%llu].group", o->path, (unsigned long long)index);
        mst_diagnostic finding = finding_at(&member, path);
        MST_SET(finding.found, "%llu", (unsigned long long)number);
        REPORT("NS2-GROUP-UNKNOWN", finding);
    }
    char class_name[128] = "";
    if (mst_member(object, "class_name", &member) == MST_OK)
        mst_get_text(&member, class_name, sizeof class_name, NULL);
    for (uint32_t i = 0; i < MST_COUNT_OF(needed_classes); i++)
        if (strcmp(class_name, needed_classes[i]) == 0)
            o->classes_seen |= 1u << i;
    bool class_known = l->setup && mst_ns2_setup_has_class(l->setup, class_name);
    if (l->setup && !class_known) {
        snprintf(path, sizeof path, "%s[%llu].class_name", o->path, (unsigned long long)index);
        mst_diagnostic finding = finding_at(&member, path);
        MST_SET(finding.found, "\"%s\"", class_name);
        REPORT("NS2-CLASS-UNKNOWN", finding);
    }
    if (mst_member(object, "properties", &list) != MST_OK)
        return MST_OK;
    struct {
        const void *bytes;
        size_t size;
    } names[FEW];
    uint64_t at = 0;
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &property); at++) {
        const void *name = "";
        size_t size = 0;
        snprintf(path, sizeof path, "%s[%llu].properties[%llu]", o->path, (unsigned long long)index,
                 (unsigned long long)at);
        if (at < FEW)
            names[at].size = SIZE_MAX;
        if (mst_member(&property, "name", &member) != MST_OK || mst_get_bytes(&member, &name, &size) != MST_OK) {
            if (mst_member(&property, "id", &id) == MST_OK) {
                mst_diagnostic finding = finding_at(&property, path);
                mst_get_unsigned(&id, &number);
                MST_SET(finding.found, "%llu", (unsigned long long)number);
                REPORT("NS2-CHUNK-UNKNOWN", finding);
            }
            continue;
        }
        for (uint64_t i = 0; i < at && i < FEW; i++)
            if (names[i].size == size && memcmp(names[i].bytes, name, size) == 0) {
                char text[64], full[180];
                mst_get_text(&member, text, sizeof text, NULL);
                snprintf(full, sizeof full, "%s.name", path);
                mst_diagnostic finding = finding_at(&member, full);
                MST_SET(finding.found, "\"%s\"", text);
                REPORT("NS2-DUPLICATE-PROPERTY", finding);
                break;
            }
        if (at < FEW) {
            names[at].bytes = name;
            names[at].size = size;
        }
        number = 0;
        if (mst_member(&property, "type", &type) == MST_OK) {
            mst_status status = check_value(l, &property, &type, path, &number);
            if (status == MST_OK && number == 0)
                status = check_output(o, &property, name, size, path);
            if (status == MST_OK && class_known)
                status = mst_ns2_setup_check(l->setup, l->checker, class_name, &property, path);
            if (status != MST_OK)
                return status;
        }
    }
    return MST_OK;
}

static mst_status collect_names(objects *o) {
    mst_value object, property;
    for (int pass = 0; pass < 2; pass++) {
        size_t count = 0;
        for (mst_iterator it = mst_iterate(&o->list); mst_next(&it, &object);) {
            const void *bytes;
            size_t size;
            mst_value list, name, value;
            if (mst_member(&object, "properties", &list) != MST_OK)
                continue;
            for (mst_iterator inner = mst_iterate(&list); mst_next(&inner, &property);) {
                if (mst_member(&property, "name", &name) != MST_OK || mst_get_bytes(&name, &bytes, &size) != MST_OK ||
                    !text_equals(bytes, size, "name") || mst_member(&property, "value", &value) != MST_OK ||
                    mst_get_bytes(&value, &bytes, &size) != MST_OK)
                    continue;
                if (pass && count < o->names.count)
                    o->names.hashes[count] = hash_of(bytes, size);
                count++;
            }
        }
        if (!pass) {
            o->names.count = count;
            o->names.hashes = mst_arena_take(&o->l->checker->scratch, count, sizeof *o->names.hashes);
            if (!o->names.hashes)
                return MST_NO_MEMORY;
        }
    }
    qsort(o->names.hashes, o->names.count, sizeof *o->names.hashes, compare_ids);
    return MST_OK;
}

static mst_status check_objects(level *l, const mst_value *list, const char *path) {
    objects o = {.l = l, .list = *list, .path = path};
    mst_status status = collect_names(&o);
    mst_value object;
    uint64_t index = 0;
    for (mst_iterator it = mst_iterate(list); status == MST_OK && mst_next(&it, &object); index++)
        status = check_object(&o, &object, index);
    if (status != MST_OK || !mst_checker_wants(l->checker, "NS2-PLAYABLE"))
        return status;
    for (uint32_t i = 0; i < MST_COUNT_OF(needed_classes); i++) {
        uint32_t bit = 1u << i, lights = 1u << 1 | 1u << 2 | 1u << 3;
        if ((o.classes_seen & bit) || ((bit & lights) && (i != 1 || (o.classes_seen & lights))))
            continue;
        mst_diagnostic finding = finding_at(NULL, path);
        MST_SET(finding.expected, "%s", i == 1 ? "a light" : needed_classes[i]);
        REPORT("NS2-PLAYABLE", finding);
    }
    return MST_OK;
}

/* ---- all --------------------------------------------------------------------------------------- */

static mst_status check_settings(level *l) {
    mst_value list, setting;
    uint64_t index = 0;
    if (mst_find(l->root, "editor_settings", &list, NULL) != MST_OK)
        return MST_OK;
    mst_status status = MST_OK;
    for (mst_iterator it = mst_iterate(&list); status == MST_OK && mst_next(&it, &setting); index++) {
        char path[64];
        snprintf(path, sizeof path, "editor_settings[%llu]", (unsigned long long)index);
        status = check_chunks(l, &setting, path);
    }
    return status;
}

static mst_status check_level(level *l) {
    mst_value value;
    mst_status status = read_ids(l, "groups", &l->groups);
    if (status == MST_OK)
        status = read_ids(l, "layers", &l->layers);
    if (status == MST_OK)
        status = read_ids(l, "mesh.mapping_groups", &l->mapping_groups);
    if (status == MST_OK)
        status = check_chunks(l, &l->root, "");
    if (status == MST_OK)
        status = check_names(l, "groups");
    if (status == MST_OK)
        status = check_names(l, "layers");
    if (status == MST_OK && mst_find(l->root, "mesh", &value, NULL) == MST_OK)
        status = check_mesh(l, &value, "mesh");
    if (status == MST_OK && mst_find(l->root, "objects", &value, NULL) == MST_OK)
        status = check_objects(l, &value, "objects");
    return status == MST_OK ? check_settings(l) : status;
}

mst_status mst_ns2_check(mst_checker *checker) {
    level l;
    memset(&l, 0, sizeof l);
    l.checker = checker;
    l.root = mst_root(checker->document);
    mst_status status = MST_OK;
    if (checker->options && checker->options->schema)
        status = mst_ns2_setup_read(checker->options->schema, checker->options->schema_size, &checker->scratch,
                                    &l.setup, checker->failure);
    return status == MST_OK ? check_level(&l) : status;
}
