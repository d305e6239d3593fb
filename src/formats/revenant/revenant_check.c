/* SPDX-License-Identifier: MIT */
/* Checks of sectors beyond the rules in the tables. */
#include "../../check/finding.h"
#include "../../core/text.h"
#include "../../core/unreachable.h"
#include "../present.h"
#include "revenant.h"
#include <stdio.h>
#include <stdlib.h>

static const mst_code_information codes[] = {
    {"REV-MAGIC", MST_ERROR,
     "the file does not begin with MAP: it is not a sector, or its beginning is lost"},
    {"REV-VERSION", MST_ERROR, "the version is not known"},
    {"REV-COUNT", MST_ERROR, "a count is too large for the remaining bytes"},
    {"REV-OVERRUN", MST_ERROR, "a record or block does not end where it should"},
    {"REV-CLASS", MST_ERROR, "the class is not known, and its data cannot be skipped"},
    {"REV-NESTING", MST_ERROR, "inventories are nested deeper than the game supports"},
    {"REV-HASH", MST_WARNING,
     "the state hash does not match the sector and its name: set state_hash to auto to recompute it"},
    {"REV-TRAILING", MST_WARNING, "bytes follow the objects; they are kept unchanged"},
    {"REV-TAIL", MST_WARNING, "the object stores bytes that are not understood; they are kept unchanged"},
    {"REV-POSITION", MST_WARNING,
     "the object is outside its sector: the game takes the sector from the file's name"},
    {"REV-Z", MST_INFORMATION, "the object is lower or higher than most; this is legal"},
    {"REV-DUPLICATE-INDEX", MST_WARNING,
     "another object has the same map_index: references to it may find the wrong object, so set another "
     "number"},
    {"REV-UNIQUE-ID", MST_WARNING,
     "class.def has no type with this unique id: add the type, or use the class.def that the level was made "
     "with"},
    {"REV-CLASS-DEF", MST_WARNING,
     "class.def has the type in another class, which stores other values: set that class, or another "
     "unique_id"},
    {"REV-SIZE-ORDER", MST_WARNING,
     "the two sizes are in the order of the public description, not the game's"},
    {"REV-INVENTORY-COUNT", MST_WARNING,
     "the inventory has fewer objects than its count: the game itself sometimes writes that"},
    {"REV-STAT-RANGE", MST_WARNING,
     "the statistic is outside its range in class.def, or its class has no statistic with that code"},
    {"REV-FILE-NAME", MST_WARNING, "the file's name does not contain the sector: rename it to level_x_y.DAT"},
    {"REV-EXIT", MST_WARNING,
     "exit.def gives the door or portal no destination, so it leads nowhere: add a line with its name"},
    {"REV-EXIT-UNLISTED", MST_INFORMATION,
     "exit.def has no line with the exit's name; exits that are only opened or pulled need none (37 % of the "
     "game's own exits)"},
    {"REV-V0-LAYOUT", MST_WARNING,
     "the file has no known layout of version 0: its objects contradict each other, or it is damaged; it is "
     "kept as bytes"},
    {"REV-V0-CHAIN", MST_WARNING,
     "the slot that it refers to does not exist, is empty, or is the object's own"},
    {"REV-V0-LOOP", MST_WARNING,
     "the chain returns to one of its slots: it has no end, or an object carries itself"},
    {"REV-SHADOW", MST_WARNING,
     "the slot of the shadow does not exist or is empty: set the place of an object, or -1"},
    {"REV-SHADOW-SECTOR", MST_INFORMATION,
     "the shadow is in another sector: the file was renamed after it was made, or the place is wrong"},
    MST_REVENANT_ASSET_CODES,
};
const mst_codes mst_revenant_codes = MST_CODES(codes);

#define NESTING 32

/* The fields of an object that are checked. */
typedef enum part {
    PART_OTHER,
    PART_CLASS,
    PART_UNIQUE_ID,
    PART_NAME,
    PART_POSITION,
    PART_MAP_INDEX,
    PART_TAIL,
    PART_STATS,
    PART_INVENTORY,
    PART_COUNT, /* inventory_count, until the inventory begins */
    PARTS
} part;

/* A map_index and its offset, to be sorted. */
typedef struct indexed {
    int32_t map_index;
    uint32_t order;
    uint64_t offset;
    uint64_t object; /* index of the top-level object */
} indexed;

typedef struct sector {
    mst_checker *checker;
    const mst_document *document;
    const mst_record *table;
    uint8_t parts[128]; /* which part each field of the object's table is */
    mst_revenant_place place;
    bool placed;
    bool wants_height; /* information, off by default */
    mst_revenant_outside outside;
    const mst_revenant_classes *classes;
    const mst_revenant_exits *exits;
    /* the current object of the walk, and its carriers */
    uint64_t indices[NESTING];
    uint32_t nesting;
    uint64_t offsets[PARTS]; /* 0: none */
    uint64_t lengths[PARTS];
    const mst_field *fields[PARTS];
    bool checked; /* check_object() has run for it */
    const mst_revenant_type *type;
    const mst_revenant_class *type_class;
    bool in_stats;
    int64_t stat;
    uint64_t stat_index;
    indexed *seen;
    size_t seen_count, seen_capacity;
} sector;

/* ---- reporting ---------------------------------------------------------------------------------- */

static mst_status report_text(const sector *s, const char *code, part where, const char *name,
                              const char *expected, const char *found) {
    mst_diagnostic *finding = mst_finding_at(s->checker, s->offsets[where], s->lengths[where], "%s", "");
    size_t length = 0;
    for (uint32_t i = 0; i < s->nesting; i++)
        length = mst_path_step(finding->path, sizeof finding->path, length, i ? "inventory" : "objects",
                               s->indices[i]);
    mst_path_step(finding->path, sizeof finding->path, length, name, UINT64_MAX);
    return mst_report(s->checker, code, expected, "%s", found);
}

static mst_status report(const sector *s, const char *code, part where, const char *name,
                         const char *expected, long long found) {
    char number[24];
    snprintf(number, sizeof number, "%lld", found);
    return report_text(s, code, where, name, expected, number);
}

static mst_status report_root(const sector *s, const char *code, const char *name, const char *expected,
                              const char *found) {
    mst_value root = mst_root(s->document), member = root;
    if (name) /* callers name existing fields */
        mst_member(&root, name, &member);
    mst_finding_of(s->checker, name ? &member : NULL, "%s", name ? name : "");
    return mst_report(s->checker, code, expected, "%s", found);
}

/* ---- an object ---------------------------------------------------------------------------------- */

static int32_t number_of(const sector *s, part where, unsigned index) {
    const mst_field *field = s->fields[where];
    uint64_t at = s->offsets[where] + (uint64_t)mst_kind_width[field->kind] * index;
    return (int32_t)mst_scalar_bits(s->document, field, at);
}

static mst_status check_place(sector *s) {
    int32_t position[3];
    for (unsigned k = 0; k < 3; k++)
        position[k] = number_of(s, PART_POSITION, k);
    mst_revenant_place_object(&s->outside, s->placed ? &s->place : NULL, position, s->indices[0],
                              s->offsets[PART_POSITION]);
    if (s->wants_height && (position[2] < 0 || position[2] > 511))
        return report(s, "REV-Z", PART_POSITION, "position", "z in 0..511", position[2]);
    return MST_OK;
}

static mst_status remember_index(sector *s) {
    int32_t index = number_of(s, PART_MAP_INDEX, 0);
    if (index == -1)
        return MST_OK;
    if (s->seen_count == s->seen_capacity) {
        /* bounded: an object with an index is larger than this */
        s->seen_capacity = s->seen_capacity ? s->seen_capacity * 2 : 64;
        indexed *grown = mst_arena_take(&s->checker->scratch, s->seen_capacity, sizeof *grown);
        if (!grown)
            return MST_NO_MEMORY;
        if (s->seen_count)
            memcpy(grown, s->seen, s->seen_count * sizeof *grown);
        s->seen = grown;
    }
    s->seen[s->seen_count] =
        (indexed){index, (uint32_t)s->seen_count, s->offsets[PART_MAP_INDEX], s->indices[0]};
    s->seen_count++;
    return MST_OK;
}

static mst_status check_type(sector *s, int32_t class_number) {
    uint32_t id = (uint32_t)number_of(s, PART_UNIQUE_ID, 0);
    s->type = mst_revenant_type_of(s->classes, id);
    s->type_class = s->type ? &s->classes->classes[s->type->class_index] : NULL;
    if (!s->type)
        return report(s, "REV-UNIQUE-ID", PART_UNIQUE_ID, "unique_id", "a type of class.def", id);
    if (s->type_class->number >= 0 && s->type_class->number != class_number)
        return report(s, "REV-CLASS-DEF", PART_CLASS, "class", s->type_class->name, class_number);
    return MST_OK;
}

/* The name of an exit's type decides what the exit does, regardless of case. */
typedef enum exit_kind { EXIT_OTHER, EXIT_LEADS, EXIT_STAYS } exit_kind;

static exit_kind kind_of_exit(const mst_revenant_type *type) {
    static const struct {
        const char *name;
        exit_kind kind;
    } known[] = {{"Door1", EXIT_LEADS},   {"Door2", EXIT_LEADS},       {"PortEW", EXIT_LEADS},
                 {"PortNS", EXIT_LEADS},  {"DunTeleport", EXIT_LEADS}, {"Lever", EXIT_STAYS},
                 {"UpBlock", EXIT_STAYS}, {"InDoor1", EXIT_STAYS},     {"InportEW", EXIT_STAYS},
                 {"InportNS", EXIT_STAYS}};
    static const char caves[] = "CavDoor"; /* several, with different letters after it */
    for (size_t i = 0; type && i < MST_COUNT_OF(known); i++)
        if (mst_same_text(type->name, known[i].name))
            return known[i].kind;
    return type && strlen(type->name) >= sizeof caves - 1 &&
                   mst_same_letters(type->name, caves, sizeof caves - 1)
               ? EXIT_LEADS
               : EXIT_OTHER;
}

static mst_status check_exit(sector *s) {
    const exit_kind kind = kind_of_exit(s->type);
    const uint8_t *name = s->document->data + s->offsets[PART_NAME] + 1;
    size_t length = (size_t)s->lengths[PART_NAME] - 1; /* without the length prefix */
    char text[256];
    for (size_t i = 0; i < length; i++)
        text[i] = (char)(name[i] & 0x7F);
    text[length] = 0;
    if (!length || kind == EXIT_STAYS || mst_revenant_has_exit(s->exits, text, length))
        return MST_OK;
    return report_text(s, kind == EXIT_LEADS ? "REV-EXIT" : "REV-EXIT-UNLISTED", PART_NAME, "name",
                       "a name of exit.def", text);
}

/* Checks an object, but not its inventory, once its fields have been visited. */
static mst_status check_object(sector *s) {
    if (s->checked || !s->offsets[PART_CLASS])
        return MST_OK;
    s->checked = true;
    int32_t class_number = number_of(s, PART_CLASS, 0);
    mst_status status = MST_OK;
    uint32_t version = s->document->variant.version;
    /* from version 4 on there is a size to skip the object by; up to 7 any negative class is an empty slot */
    if ((version < 8 && class_number < -1) || (version < 4 && class_number > 26))
        status = report(s, "REV-CLASS", PART_CLASS, "class", "-1..26", class_number);
    if (status == MST_OK && s->nesting == 1 && s->offsets[PART_POSITION])
        status = check_place(s);
    if (status == MST_OK && s->nesting == 1 && s->offsets[PART_MAP_INDEX])
        status = remember_index(s);
    if (status == MST_OK && s->exits &&
        mst_revenant_class_of(s->document, class_number) == MST_REVENANT_EXIT && s->offsets[PART_NAME])
        status = check_exit(s);
    return status;
}

static mst_status check_stat(sector *s, const mst_item *item) {
    if (strcmp(item->name, "value") == 0) {
        s->stat = (int64_t)mst_scalar_bits(s->document, item->field, item->offset);
        s->offsets[PART_STATS] = item->offset;
        s->lengths[PART_STATS] = item->length;
        return MST_OK;
    }
    char code[5] = "";
    const uint8_t *bytes = s->document->data + item->offset;
    for (int i = 0; i < 4; i++)
        code[i] = (char)(bytes[i] & 0x7F);
    const mst_revenant_class *of = s->type_class;
    const mst_revenant_stat *found = NULL;
    for (uint32_t i = 0; i < of->stat_count && !found; i++)
        found = strcmp(of->stats[i].code, code) == 0 ? &of->stats[i] : NULL;
    for (uint32_t i = 0; i < of->object_stat_count && !found; i++)
        found = strcmp(of->object_stats[i].code, code) == 0 ? &of->object_stats[i] : NULL;
    /* a maximum not above the minimum sets no limit */
    if (found &&
        (found->minimum >= found->maximum || (s->stat >= found->minimum && s->stat <= found->maximum)))
        return MST_OK;
    char name[48], expected[64];
    snprintf(name, sizeof name, "stats[%llu].%s", (unsigned long long)s->stat_index, found ? "value" : "id");
    if (found) {
        snprintf(expected, sizeof expected, "%s in %d..%d", code, found->minimum, found->maximum);
        return report(s, "REV-STAT-RANGE", PART_STATS, name, expected, (long long)s->stat);
    }
    snprintf(expected, sizeof expected, "a code of class %.40s", of->name);
    s->offsets[PART_STATS] = item->offset;
    s->lengths[PART_STATS] = item->length;
    return report_text(s, "REV-STAT-RANGE", PART_STATS, name, expected, code);
}

/* ---- the walk ----------------------------------------------------------------------------------- */

static mst_status begin_list(sector *s, const mst_item *item) {
    if (item->record == s->table) {
        mst_status status = s->nesting ? check_object(s) : MST_OK;
        s->offsets[PART_COUNT] = 0;
        if (status == MST_OK && s->nesting && (item->field->flags & MST_FIELD_SHORT)) {
            mst_value list = mst_value_of_item(s->document, item);
            uint64_t there = mst_count(&list);
            if (there < item->shape.count) {
                char expected[40];
                snprintf(expected, sizeof expected, "%llu", (unsigned long long)there);
                s->offsets[PART_INVENTORY] = item->offset;
                status = report(s, "REV-INVENTORY-COUNT", PART_INVENTORY, "inventory", expected,
                                (long long)item->shape.count);
            }
        }
        if (status == MST_OK && s->nesting == NESTING && item->shape.count) {
            s->offsets[PART_INVENTORY] = item->offset;
            s->lengths[PART_INVENTORY] = 4;
            status = report(s, "REV-NESTING", PART_INVENTORY, "inventory", "at most 32 deep", NESTING + 1);
            return status == MST_OK ? MST_UNKNOWN : status;
        }
        return status;
    }
    if (!s->classes)
        return MST_UNKNOWN; /* statistics, without class.def to compare them with */
    mst_status status = check_type(s, number_of(s, PART_CLASS, 0));
    if (status != MST_OK)
        return status;
    s->in_stats = s->type != NULL; /* a skipped list has no end item */
    return s->in_stats ? MST_OK : MST_UNKNOWN;
}

/* Reports a count without bytes for objects after it: then there is no list item. */
static mst_status check_count(sector *s) {
    int32_t count = s->offsets[PART_COUNT] ? number_of(s, PART_COUNT, 0) : 0;
    mst_status status =
        count ? report(s, "REV-INVENTORY-COUNT", PART_COUNT, "inventory_count", "0", count) : MST_OK;
    s->offsets[PART_COUNT] = 0;
    return status;
}

static mst_status visit(void *user, const mst_item *item) {
    sector *s = user;
    switch (item->kind) {
    case MST_ITEM_BEGIN_LIST: return begin_list(s, item);
    case MST_ITEM_BEGIN_RECORD:
        if (item->record != s->table) {
            if (s->in_stats)
                s->stat_index = item->index;
            return item->field == &mst_document_field || s->in_stats ? MST_OK : MST_UNKNOWN;
        }
        s->indices[s->nesting++] = item->index;
        memset(s->offsets, 0, sizeof s->offsets);
        s->checked = false;
        return MST_OK;
    case MST_ITEM_END_LIST:
        if (s->in_stats)
            s->in_stats = false;
        return MST_OK;
    case MST_ITEM_END_RECORD: {
        if (item->record != s->table)
            return MST_OK;
        mst_status status = check_object(s);
        if (status == MST_OK)
            status = check_count(s);
        s->nesting--;
        /* later fields belong to the enclosing object, which was checked */
        s->checked = true;
        return status;
    }
    case MST_ITEM_DERIVED: return MST_OK;
    case MST_ITEM_LEAF: break;
    }
    if (s->in_stats)
        return check_stat(s, item);
    if (!s->nesting)
        return MST_OK;
    part where = (part)s->parts[item->field - s->table->fields];
    if (where == PART_OTHER)
        return MST_OK;
    s->offsets[where] = item->offset;
    s->lengths[where] = item->length;
    s->fields[where] = item->field;
    if (where == PART_TAIL && item->length)
        return report(s, "REV-TAIL", where, item->name, "no bytes", (long long)item->length);
    if (where == PART_UNIQUE_ID && s->classes &&
        s->document->variant.version < 5) /* versions without statistics */
        return check_type(s, number_of(s, PART_CLASS, 0));
    return MST_OK;
}

/* Visits the fields of an object that are checked; statistics only with class.def to compare them with. */
static uint8_t wants(void *user, const mst_field *field) {
    const sector *s = user;
    bool own = field >= s->table->fields && field < s->table->fields + s->table->field_count;
    part where = own ? (part)s->parts[field - s->table->fields] : PART_STATS;
    return where == PART_STATS ? s->classes != NULL : where != PART_OTHER;
}

/* Walks all objects. */
static mst_status walk_objects(sector *s) {
    mst_walk_request request = mst_walk_of_document(s->document);
    request.visitor = visit;
    request.user = s;
    request.trusted = true;
    bool any;
    mst_status status = mst_runs_between(s->document, wants, s, &s->checker->scratch, &request.runs, &any);
    return status == MST_OK ? mst_walk_field(&request, NULL, NULL) : status;
}

static int by_index(const void *left, const void *right) {
    const indexed *a = left, *b = right;
    if (a->map_index != b->map_index)
        return a->map_index < b->map_index ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

static mst_status check_indices(sector *s) {
    if (s->seen_count)
        qsort(s->seen, s->seen_count, sizeof *s->seen, by_index);
    mst_status status = MST_OK;
    s->nesting = 1;
    for (size_t i = 1; i < s->seen_count && status == MST_OK; i++) {
        if (s->seen[i].map_index != s->seen[i - 1].map_index)
            continue;
        s->indices[0] = s->seen[i].object;
        s->offsets[PART_MAP_INDEX] = s->seen[i].offset;
        s->lengths[PART_MAP_INDEX] = 4;
        status = report(s, "REV-DUPLICATE-INDEX", PART_MAP_INDEX, "map_index", "a unique index",
                        s->seen[i].map_index);
    }
    return status;
}

/* ---- the sector --------------------------------------------------------------------------------- */

static mst_status check_root(const sector *s) {
    const mst_document *document = s->document;
    mst_value root = mst_root(document), member;
    mst_status status = MST_OK;
    if (document->variant.version == 0 && mst_member(&root, "data", &member) == MST_OK) {
        mst_diagnostic *finding = mst_finding_of(s->checker, &member, "data");
        mst_revenant_explain_raw(document->data, (size_t)document->size, finding);
        return mst_checker_report(s->checker, "REV-V0-LAYOUT");
    }
    if (!s->placed && *document->name)
        status = report_root(s, "REV-FILE-NAME", NULL, "level_x_y.DAT", document->name);
    if (status == MST_OK && document->variant.version >= 14 && document->variant.layout == 1)
        status = report_root(s, "REV-SIZE-ORDER", "objects", "body with inventory, then inventory",
                             "body, then body with inventory");
    uint32_t hash;
    if (status == MST_OK && mst_member(&root, "state_hash", &member) == MST_OK &&
        mst_revenant_state_hash(document, &hash)) {
        uint32_t stored = (uint32_t)mst_number_in(&root, "state_hash");
        char expected[16], found[16];
        snprintf(expected, sizeof expected, "0x%08x", hash);
        snprintf(found, sizeof found, "0x%08x", stored);
        if (stored != hash)
            status = report_root(s, "REV-HASH", "state_hash", expected, found);
    }
    uint64_t offset, size = 0;
    if (status == MST_OK && mst_member(&root, "trailing", &member) == MST_OK)
        mst_value_span(&member, &offset, &size);
    if (size) {
        char found[32];
        snprintf(found, sizeof found, "%llu bytes", (unsigned long long)size);
        status = report_root(s, "REV-TRAILING", "trailing", "nothing", found);
    }
    return status;
}

/* Finds the bytes of a sidecar; false if there is none. */
static bool sidecar(const mst_checker *checker, const char *name, const void **bytes, size_t *size) {
    const mst_check_options *options = checker->options;
    if (options && options->schema && strcmp(name, "class.def") == 0) {
        *bytes = options->schema;
        *size = options->schema_size;
        return true;
    }
    const mst_resolver *resolver = options ? options->sidecars : NULL;
    return resolver && resolver->find && resolver->find(resolver->user, name, bytes, size) == MST_OK;
}

mst_status mst_revenant_check(mst_checker *checker) {
    sector s;
    memset(&s, 0, sizeof s);
    s.checker = checker;
    s.document = checker->document;
    s.wants_height = mst_checker_wants(checker, "REV-Z");
    s.placed = mst_revenant_place_of(s.document->name, &s.place);
    mst_value root = mst_root(s.document), objects;
    mst_status status = check_root(&s);
    if (status != MST_OK || mst_member(&root, "objects", &objects) != MST_OK)
        return status;
    s.table = mst_field_of(&objects)->record;
    static const struct {
        const char *name;
        part where;
    } checked_fields[] = {
        {"class", PART_CLASS},         {"unique_id", PART_UNIQUE_ID}, {"name", PART_NAME},
        {"position", PART_POSITION},   {"map_index", PART_MAP_INDEX}, {"unknown_tail", PART_TAIL},
        {"inventory_tail", PART_TAIL}, {"stats", PART_STATS},         {"inventory_count", PART_COUNT}};
    for (uint16_t f = 0; f < s.table->field_count && !MST_UNREACHABLE(f >= sizeof s.parts); f++)
        for (size_t i = 0; i < MST_COUNT_OF(checked_fields); i++)
            if (strcmp(s.table->fields[f].name, checked_fields[i].name) == 0)
                s.parts[f] = (uint8_t)checked_fields[i].where;
    mst_revenant_exits exits;
    const void *bytes;
    size_t size;
    if (sidecar(checker, "class.def", &bytes, &size)) {
        bool schema = checker->options->schema != NULL;
        status = mst_revenant_recall_classes(schema ? NULL : checker->options->sidecars, bytes, size,
                                             &checker->scratch, &s.classes);
        if (status == MST_OK && !s.classes->type_count)
            s.classes = NULL;
    }
    if (status == MST_OK && sidecar(checker, "exit.def", &bytes, &size)) {
        status = mst_revenant_read_exits(bytes, size, &checker->scratch, &exits);
        s.exits = &exits;
    }
    if (status != MST_OK)
        return status;
    status = walk_objects(&s);
    if (status == MST_OK)
        status = mst_revenant_check_chains(checker, &objects);
    if (status == MST_OK)
        status = mst_revenant_report_outside(checker, &s.outside, s.placed ? &s.place : NULL);
    if (status == MST_OK)
        status = check_indices(&s);
    return status == MST_OK ? mst_revenant_check_assets(checker) : status;
}
