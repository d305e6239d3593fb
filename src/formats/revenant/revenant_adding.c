/* SPDX-License-Identifier: MIT */
/* New objects as class.def describes their types, with the other initial values of the game's own objects. */
#include "../../core/json_text.h"
#include "../../core/number.h"
#include "../../edit/single_edit.h"
#include "../present.h"
#include "revenant.h"
#include "revenant_words.h"

typedef struct make_state {
    const mst_document *document;
    mst_arena *arena;
    const mst_json *given; /* NULL: nothing */
    const mst_revenant_classes *classes;
    const mst_revenant_type *type;
    bool carried; /* it is put into an inventory */
    char *text;   /* NULL: no memory */
} make_state;

static void put(make_state *m, const char *member) {
    m->text = m->text && member ? mst_arena_printf(m->arena, "%s%s", m->text, member) : NULL;
}

/* ---- the type ----------------------------------------------------------------------------------- */

static const mst_json_node *given_member(const mst_json *given, const char *name) {
    const mst_json_node *nodes = given ? given->nodes : NULL;
    if (!nodes)
        return NULL;
    for (uint32_t at = 1; at < nodes[0].end; at = nodes[at + 1].end)
        if (nodes[at].length == strlen(name) && memcmp(nodes[at].text, name, nodes[at].length) == 0)
            return &nodes[at + 1];
    return NULL;
}

/* A number as JSON has it, or a text like 0x5a050008. */
static bool read_id(const mst_json_node *node, uint32_t *id) {
    bool hex = node->length > 2 && node->text[0] == '0' && (node->text[1] | 32) == 'x';
    uint64_t number = 0;
    for (uint32_t i = hex ? 2 : 0; i < node->length; i++) {
        char c = mst_lower(node->text[i]);
        unsigned digit = c >= '0' && c <= '9'          ? (unsigned)(c - '0')
                         : hex && c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                                       : 16;
        if (digit == 16)
            return false;
        number = number * (hex ? 16 : 10) + digit;
        if (number > UINT32_MAX)
            return false;
    }
    *id = (uint32_t)number;
    return node->length > 0;
}

/* The requested type: by its number, by its name, or the first one of a class. */
static const mst_revenant_type *find_type(const mst_revenant_classes *all, const char *kind,
                                          const mst_json *given) {
    const mst_json_node *id = given_member(given, "unique_id");
    uint32_t number;
    if (id)
        return read_id(id, &number) ? mst_revenant_type_of(all, number) : NULL;
    for (uint32_t i = 0; i < all->type_count; i++)
        if (is_word(all->types[i].name, strlen(all->types[i].name), kind))
            return &all->types[i];
    int32_t class_number = mst_revenant_class_number(kind, strlen(kind));
    for (uint32_t i = 0; class_number >= 0 && i < all->type_count; i++)
        if (all->classes[all->types[i].class_index].number == class_number)
            return &all->types[i];
    return NULL;
}

/* ---- the object --------------------------------------------------------------------------------- */

/* Flags that all or nearly all objects of the class have from version 5 on. */
static const char *usual_flags(int32_t class_number) {
    switch (class_number) {
    case MST_REVENANT_TILE: return "\"immobile\"";
    case MST_REVENANT_EXIT:
    case MST_REVENANT_TRAP: return "\"immobile\",\"pulse\"";
    case MST_REVENANT_EFFECT: return "\"immobile\",\"animate\",\"pulse\"";
    case MST_REVENANT_CHARACTER: return "\"moving\",\"ai\",\"animate\",\"pulse\",\"complex\",\"notify\"";
    default: return "\"pulse\"";
    }
}

/* Writes the flags, and the fields that they require; returns whether "animate" is one of them. */
static bool put_flags(make_state *m, int32_t class_number) {
    const mst_json_node *given = given_member(m->given, "flags");
    const char *flags = usual_flags(class_number);
    size_t length = strlen(m->type->imagery);
    bool animate = strstr(flags, "animate") != NULL;
    if (!given) {
        bool model = length >= 4 && mst_same_letters(m->type->imagery + length - 4, ".i3d", 4);
        put(m,
            mst_arena_printf(m->arena, ",\"flags\":[%s%s]", flags, model && !animate ? ",\"animate\"" : ""));
        return animate || model;
    }
    animate = false;
    for (uint32_t i = 1; given->kind == MST_JSON_ARRAY && i <= given->count;
         i++) /* texts, without children */
        animate = animate || is_word(given[i].text, given[i].length, "animate");
    return animate;
}

/* Writes the statistics that objects of the class store, with the type's values. */
static void put_stats(make_state *m) {
    const mst_revenant_class *of = &m->classes->classes[m->type->class_index];
    put(m, ",\"stats\":[");
    for (uint32_t i = 0; i < of->object_stat_count && i <= UINT8_MAX - 1; i++) {
        const mst_revenant_stat *stat = &of->object_stats[i];
        const char *code = mst_json_quoted(m->arena, stat->code, strlen(stat->code));
        put(m, code ? mst_arena_printf(
                          m->arena, "%s{\"value\":%d,\"id\":%s}", i ? "," : "",
                          i < m->type->object_stat_count ? m->type->object_stats[i] : stat->initial, code)
                    : NULL);
    }
    put(m, "]");
}

/* Writes a position in the middle of the sector. */
static void put_position(make_state *m) {
    mst_revenant_place place;
    if (!m->carried && mst_revenant_place_of(m->document->name, &place) && place.x >= 0 && place.y >= 0 &&
        place.x < 1 << 20 && place.y < 1 << 20)
        put(m, mst_arena_printf(m->arena, ",\"position\":[%d,%d,0]", (int)place.x * 1024 + 512,
                                (int)place.y * 1024 + 512));
}

/* Writes the fields that a few types store beyond their class; a Drip gets the values in known files. */
static void put_own_fields(make_state *m, uint32_t version) {
    switch (m->type->unique_id) {
    case MST_REVENANT_TYPE_DRIP: put(m, ",\"ripple_size\":32,\"height\":256,\"period\":48"); break;
    case MST_REVENANT_TYPE_SPEAKER:
        put(m, ",\"sound\":\"\",\"sample_length\":0");
        if (version >= 14)
            put(m, ",\"unknown_sound_1\":0,\"unknown_sound_2\":0");
        break;
    case MST_REVENANT_TYPE_SPIKE_WALL:
        if (version >= 2 && version < 5)
            put(m, ",\"locked\":0,\"pick_difficulty\":0");
        if (version < 14)
            put(m, ",\"exit_flags\":[]");
        break;
    default: break;
    }
}

static void put_object(make_state *m, int32_t class_number) {
    uint32_t version = m->document->variant.version;
    bool character = class_number == MST_REVENANT_CHARACTER;
    m->text = mst_arena_printf(m->arena, "{\"class\":\"%s\",\"unique_id\":%u,\"name\":\"\"",
                               mst_revenant_class_name((uint32_t)class_number), m->type->unique_id);
    if (version >= 8)
        put(m, character ? ",\"object_version\":4,\"complex_version\":1,\"last_poison\":-1,"
                           "\"teleport_position\":[-1,-1,-1],\"teleport_level\":-1"
                         : ",\"object_version\":0");
    if (character && version >= 7)
        put(m, ",\"action\":\"animate\",\"root_state\":\"still\"");
    if (put_flags(m, class_number) && version >= 6)
        put(m, ",\"frame_rate\":1");
    put_position(m);
    put(m, m->carried ? ",\"inventory_number\":0" : ",\"inventory_number\":-1");
    if (version >= 3)
        put(m, mst_arena_printf(m->arena, ",\"inventory_index\":%d,\"map_index\":%u", m->carried ? 0 : -1,
                                mst_revenant_new_map_index(m->document)));
    if (version >= 5)
        put_stats(m);
    put_own_fields(m, version);
    put(m, "}");
}

/* Whether a list has objects, by its path. */
static bool has_objects(const char *path) {
    const char *dot = strrchr(path, '.');
    return strcmp(path, "objects") == 0 || (dot && strcmp(dot, ".inventory") == 0);
}

/* In versions that always store an inventory, an object without one gets an empty inventory. */
static mst_status expand_one(const char **json, mst_arena *arena) {
    mst_json given;
    mst_status status = mst_json_parse(*json, strlen(*json), arena, &given, NULL);
    if (status != MST_OK || given.nodes[0].kind != MST_JSON_OBJECT) /* the edit reports the fault */
        return status == MST_NO_MEMORY ? status : MST_OK;
    static const char *const empty[] = {"class", "object_version"};
    for (size_t i = 0; i < MST_COUNT_OF(empty); i++) {
        const mst_json_node *node = given_member(&given, empty[i]);
        if (node && node->length && (node->text[0] == '-' || is_word(node->text, node->length, "empty")))
            return MST_OK;
    }
    if (given_member(&given, "inventory"))
        return MST_OK;
    *json = mst_arena_printf(arena, "{\"inventory\":[]%s%s", given.nodes[0].count ? "," : "",
                             strchr(*json, '{') + 1);
    return *json ? MST_OK : MST_NO_MEMORY;
}

mst_status mst_revenant_expand(mst_document *document, const char *list, const char **json, size_t count,
                               mst_arena *arena, mst_diagnostic *diagnostic) {
    uint32_t version = document->variant.version;
    mst_status status = MST_OK;
    (void)diagnostic;
    if (version < 3 || version > 13 || !has_objects(list))
        return MST_OK;
    for (size_t i = 0; i < count && status == MST_OK; i++)
        status = expand_one(&json[i], arena);
    return status;
}

mst_status mst_revenant_from_schema(const mst_document *document, const mst_field *list, const char *kind,
                                    const mst_json *given, const mst_check_options *schema, mst_arena *arena,
                                    const char **json, mst_diagnostic *diagnostic) {
    mst_revenant_classes classes;
    make_state m = {.document = document,
                    .arena = arena,
                    .given = given,
                    .classes = &classes,
                    .carried = strcmp(list->name, "inventory") == 0};
    bool typed = document->variant.version > 0 && document->variant.layout != MST_REVENANT_RAW;
    (void)diagnostic;
    if (!typed || !schema->schema || (!m.carried && strcmp(list->name, "objects") != 0))
        return MST_OK;
    mst_status status =
        mst_revenant_read_classes(schema->schema, schema->schema_size, arena, &classes, NULL, NULL);
    m.type = status == MST_OK ? find_type(&classes, kind, given) : NULL;
    int32_t class_number = m.type ? classes.classes[m.type->class_index].number : -1;
    if (class_number < 0 || class_number == MST_REVENANT_PLAYER) /* sectors do not have these */
        return status;
    put_object(&m, class_number);
    *json = m.text;
    return m.text ? MST_OK : MST_NO_MEMORY;
}
