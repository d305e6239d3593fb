/* SPDX-License-Identifier: MIT */
/* Lists of placed objects, packed or not. */
#include "../../../core/diagnose.h"
#include "../../../tables/words.h"
#include "../packing/entry.h"
#include "../packing/layout_text.h"
#include "../scene/sfa_objects.h"
#include "../sfa.h"
#include "objects.h"
#include <stdio.h>

enum { I_list = MST_SFA_OBJECT_COUNT };

static const mst_field list_fields[] = {
    MST_SFA_ENTRY_FIELDS,
    {.name = "objects",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_TO_END,
     .record = &mst_sfa_object_record,
     .when = {MST_SFA_UNDERSTOOD},
     .doc =
         "Objects without a group, then objects of groups by ascending number, then curves and checkpoints."},
};
RECORD(list, "list", "the objects of a map");

/* clang-format off */
static const mst_record *const records[] = {
    &mst_sfa_object_record,
    &mst_sfa_object_parts[MST_SFA_PART_OTHER],
    &mst_sfa_object_parts[MST_SFA_PART_CURVE],
    &mst_sfa_object_parts[MST_SFA_PART_TRIGGER],
#define PART(type, label, text) &mst_sfa_object_parts[MST_SFA_PART_##type],
#include "parameter_layouts.h"
#undef PART
    [I_list] = &list
};
/* clang-format on */
static const mst_bindings *const bindings[] = {&mst_sfa_object_bindings, &mst_sfa_curve_bindings,
                                               &mst_sfa_command_bindings, &mst_sfa_trigger_bindings};

static const mst_code_information codes[] = {
    MST_SFA_ENTRY_CODES,
    {"SFA-ROMLIST", MST_ERROR, "an object is shorter than its header, or runs past the end of the list"},
    {"SFA-ROMLIST-ORDER", MST_WARNING,
     "the objects are not in order: first those without a group, then by ascending group, then curves and "
     "checkpoints"},
    {"SFA-ROMLIST-ID", MST_INFORMATION, "several objects have the same id: a reference may find any of them"},
    {"SFA-ROMLIST-WIDTH", MST_WARNING,
     "the size of the object does not match its type, which has more or fewer values: check its type"},
    {"SFA-ROMLIST-FLAGS", MST_WARNING,
     "more than one load flag is set: the game's own objects have one or none"},
    {"SFA-GAME-BIT", MST_WARNING, "the game bit does not exist: set an existing one, or -1 for none"},
    {"SFA-TRIGGER", MST_WARNING, "a trigger has an impossible command"},
    {"SFA-ROMLIST-LINK", MST_WARNING,
     "a curve point links to an id that no object list contains: the path ends there"},
};

static bool is_finite(const uint8_t *bytes) {
    return (mst_load32(bytes, true) & 0x7F800000u) != 0x7F800000u;
}

/* The name suffices. Otherwise every record must have a known type with the right size and a finite position,
 * and the last one must end at the end of the file. */
static bool probe(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                  mst_variant *variant) {
    (void)variant;
    const char *ending;
    for (size_t i = 0; name && (ending = mst_sfa_list_ending(i)) != NULL; i++)
        if (mst_sfa_name_ends(name, ending))
            return true;
    if (mst_sfa_is_wrapped(bytes, size))
        return false;
    if (!size || size != file_size)
        return false;
    mst_sfa_object_header header;
    uint64_t offset = 0;
    for (; mst_sfa_object_at(bytes, offset, size, &header); offset += header.size) {
        if (!mst_sfa_width_known(header.type, header.kind, header.words))
            return false;
        for (unsigned k = 0; k < 3; k++)
            if (!is_finite(bytes + offset + 8 + 4 * k))
                return false;
    }
    return offset == size;
}

static const mst_sfa_content content = {NULL, NULL, NULL};

/* MAPS.bin holds the packed and unpacked size of the list and its number of objects. */
static mst_status update_index(const mst_document *document, mst_document *other,
                               mst_diagnostic *diagnostic) {
    if (other->format != &mst_format_sfa_maps)
        return mst_fail(diagnostic, MST_NO_PATH, "%s does not describe object lists; MAPS.bin does",
                        other->name);
    const mst_sfa_map *map = mst_sfa_map_of_list(document->name);
    if (!map)
        return mst_fail(diagnostic, MST_NO_PATH, "no map has the object list %.*s",
                        (int)mst_sfa_list_length(document->name), document->name);
    mst_value root = mst_root(document), objects;
    uint64_t size;
    if (mst_member(&root, "objects", &objects) != MST_OK)
        return mst_fail(diagnostic, MST_REFUSED, "the object list is not understood");
    mst_value_span(&objects, NULL, &size);
    if (size > UINT16_MAX) {
        mst_fail(diagnostic, MST_REFUSED, "the object list is too large for the size field in MAPS.bin");
        if (diagnostic) {
            MST_SET(diagnostic->expected, "at most 65535 bytes");
            MST_SET(diagnostic->found, "%llu", (unsigned long long)size);
        }
        return MST_REFUSED;
    }
    mst_sfa_entry entry;
    mst_status status =
        mst_sfa_entry_read(document->files[0].data, document->files[0].size, &entry, diagnostic);
    const struct {
        const char *field;
        uint64_t value;
        bool stub; /* in the stub, which all maps have */
    } updates[] = {{"object_list_size", size, false},
                   {"object_count", mst_count(&objects), false},
                   {"object_list.unpacked_size", size, true},
                   {"object_list.packed_size", (entry.length + 31) / 32 * 32, true}};
    for (size_t i = 0; i < MST_COUNT_OF(updates) && status == MST_OK; i++) {
        char path[80], number[24];
        mst_value value;
        snprintf(path, sizeof path, "maps[%d].%s", map->number, updates[i].field);
        snprintf(number, sizeof number, "%llu", (unsigned long long)updates[i].value);
        uint64_t now = 0;
        bool found = mst_find(mst_root(other), path, &value, diagnostic) == MST_OK;
        if (!found && !updates[i].stub)
            continue;
        if (!found)
            return MST_NO_PATH;
        if (mst_get_unsigned(&value, &now) != MST_OK || now != updates[i].value)
            status = mst_set(other, path, number, diagnostic);
    }
    return status;
}

static mst_status check(mst_checker *checker) {
    mst_value root = mst_root(checker->document), value;
    mst_sfa_objects objects;
    mst_status status = mst_sfa_check_entry(checker, 0, "");
    if (status != MST_OK || mst_member(&root, "objects", &value) != MST_OK)
        return status;
    status = mst_sfa_read_objects(&value, &checker->scratch, &objects);
    return status == MST_OK ? mst_sfa_check_objects(checker, &objects) : status;
}

const mst_format mst_format_sfa_romlist = {
    .information = {.id = "sfa-romlist",
                    .title = "Star Fox Adventures object list",
                    .extensions = ".romlist .bin .zlb",
                    .media_type = "",
                    .versions = "",
                    .rows = "objects"},
    .tables.compared = mst_sfa_compared,
    .tables.root = &list,
    .tables.records = records,
    .tables.record_count = MST_COUNT_OF(records),
    .tables.bindings = bindings,
    .tables.bindings_count = MST_COUNT_OF(bindings),
    .tables.seen = mst_sfa_seen,
    .identity.big = true,
    .identity.probe = probe,
    MST_SFA_SINGLE(content),
    .set = &(const mst_set_rules){.names_elsewhere = {"type", "definitions"},
                                  .index_file = "MAPS.bin",
                                  .update_index = update_index},
    .editing = &(const mst_edit_hooks){.reaches = mst_sfa_order_depends_on, .settle = mst_sfa_settle_objects},
    .check.problem_codes = {[MST_PROBLEM_OVERRUN] = "SFA-ROMLIST",
                            [MST_PROBLEM_STRING] = "SFA-ROMLIST",
                            [MST_PROBLEM_COUNT] = "SFA-ROMLIST",
                            [MST_PROBLEM_TRAILING] = "SFA-ROMLIST",
                            [MST_PROBLEM_NESTING] = "SFA-ROMLIST"},
    .check.codes = &(const mst_codes)MST_CODES(codes),
    .check.dangling = MST_DANGLING("SFA-ROMLIST-LINK", "SFA-GAME-BIT"),
    .check.check = check,
    .content.describe = mst_sfa_describe_objects,
    .content.special = &(const mst_special_content){.guess = mst_sfa_guess},
    .build_scene = mst_sfa_romlist_scene,
    .tables.relations =
        "| number | refers to |\n"
        "|---|---|\n"
        "| `object.type` | a place in `OBJINDEX.bin`, which gives the definition |\n"
        "| `object.id` | scripts and saved games; `links`, `previous`, `next` and the ids of leaders in "
        "objects of this list, or of other maps' lists in the directory (SFA-ROMLIST-LINK) |\n"
        "| `object.bound`, with `grouped` | the object group that the trigger commands 0x13, 0x14 and 0x22 "
        "name, and 0x1A and 0x1B with the number of the map |\n"
        "| `trigger.trigger_id` | the command 0x0C of other triggers |\n"
        "| game bits | one state of the game, shared by all objects with that number: `mapstone info "
        "--triggers` lists the objects that a trigger reaches |\n"
        "| numbers of maps and directories in commands | places in `MAPS.tab` and `TRKBLK.tab` |\n"
        "| warps | places in `WARPTAB.bin` |\n"
        "| `line_parameter` of HitAnimator | `parameter` of lines in `HITS.bin` |\n",
    .tables.sources = MST_SFA_SOURCES("124 lists with 20,559 objects"),
    .tables.introduction =
        "The objects of a map of Star Fox Adventures (GameCube, 2002), packed or not. Big-endian; positions "
        "are on\n"
        "the map, y up. A record has `size_words` times four bytes; its type determines its parameters:\n"
        "`mapstone spec sfa-romlist LargeCrate` describes the parameters of a type. `unknown_1A` is at "
        "offset 0x1A of the record.\n"
        "Its values and evidence are from all 124 lists of a disc. The parameters of 69 types are not known, "
        "and kept as\n"
        "bytes. A game bit is a flag that saved games keep, 0 to 3914; -1: none. In a number with bit 15 set "
        "(written `~3164`) the\n"
        "sense is inverted: set means clear. Bit 149 is always set, bit 150 always clear.\n",
    .tables.in_files = {MST_SFA_TEXT_WRAPPERS}};
