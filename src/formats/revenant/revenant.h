/* SPDX-License-Identifier: MIT */
/* Shared by the parts of the Revenant formats. */
#ifndef MST_FORMATS_REVENANT_H
#define MST_FORMATS_REVENANT_H

#include "../../read/engine.h"
#include "revenant_classes.h"

extern const mst_format mst_format_revenant_sector, mst_format_revenant_def, mst_format_revenant_save;

extern const mst_codes mst_revenant_codes;
extern const mst_compared mst_revenant_compared[];

mst_status mst_revenant_check(mst_checker *checker);
/* One sector, or the sectors of one level. */
mst_status mst_revenant_scene(const mst_document *const *documents, size_t count,
                              const mst_scene_options *options, mst_scene **scene,
                              mst_diagnostic *diagnostic);
/* The same as the game shows it. */
mst_status mst_revenant_sprites(const mst_document *const *documents, size_t count,
                                const mst_sprites_options *options, mst_sprites **sprites,
                                mst_diagnostic *diagnostic);
/* The path of a type's imagery below the game's root: "IMAGERY/Forest/oak.i2d"; a number represents an old
 * name. */
void mst_revenant_imagery_place(const char *path, char *place, size_t capacity);
/* The files that a sector names (content.names), by class.def; and the files of all types in class.def. */
mst_status mst_revenant_names(const mst_document *document, const mst_resolver *sidecars, mst_take_name take,
                              void *taker);
mst_status mst_revenant_take_types(const mst_revenant_classes *classes, mst_take_name take, void *taker);
/* Reports missing ones of these files, if the options ask for it. */
mst_status mst_revenant_check_assets(mst_checker *checker);
#define MST_REVENANT_ASSET_CODES                                                                             \
    {"REV-IMAGE-MISSING", MST_INFORMATION,                                                                   \
     "a picture, model or table that is referred to was not found: name the game's folder, or add the "      \
     "file"},                                                                                                \
        {"REV-IMAGE-UNREADABLE", MST_INFORMATION, "a picture or model that is referred to is damaged"},      \
        {"REV-IMAGE-PATH", MST_INFORMATION,                                                                  \
         "the path of a picture or model leads out of the game's folder, or to a hidden file"},              \
    {                                                                                                        \
        "REV-MISSING", MST_WARNING, "files that are referred to were not found"                              \
    }
mst_status mst_revenant_convert(const mst_document *document, const mst_convert_options *options,
                                mst_report_function report, void *user, mst_buffer *bytes,
                                mst_diagnostic *diagnostic);
mst_status mst_revenant_salvage(const uint8_t *bytes, size_t size, mst_variant variant,
                                const mst_open_options *options, mst_buffer *repaired);
mst_status mst_revenant_look_up(const mst_value *element, const char *column, const mst_resolver *sidecars,
                                char *text, size_t capacity);
/* Checks the chains of carried objects in versions that have them as slots. */
mst_status mst_revenant_check_chains(mst_checker *checker, const mst_value *objects);
/* In those versions, whether a shadow is in the file's own sector. */
bool mst_revenant_is_own_slot(const mst_document *document, uint64_t shadow);
/* A merge, or a patch of another level, puts things of two levels into one inventory, with the places that
 * they had there: they get their new ones, if all had theirs before. */
void mst_revenant_place_items(const mst_document *before, mst_document *after);
/* After a merge or a patch: the same, and the hash is computed, if it was right before. */
mst_status mst_revenant_settle(const mst_document *before, mst_document *after,
                               const struct mst_edit_options *options, mst_diagnostic *diagnostic);
/* After an object was inserted or removed: updates inventory_index of its neighbours, and map_index of
 * inserted objects. */
const char *mst_revenant_renumber(const mst_value *list, const mst_document *after, uint64_t index, int by,
                                  uint8_t *bytes);
mst_status mst_revenant_renumber_all(const mst_value *list, const mst_document *after,
                                     const mst_several *several, uint8_t *bytes);
/* Whether this examines more than the object itself, so that it must be inserted or removed alone
 * (editing.alone). */
bool mst_revenant_alone(const mst_value *list, int by, bool last);
/* A number for a new object: one more than the largest of all. */
uint32_t mst_revenant_new_map_index(const mst_document *document);
/* Completes a given object (adding.expand), and makes one of a type in class.def (adding.from_schema). */
mst_status mst_revenant_expand(mst_document *document, const char *list, const char **json, size_t count,
                               mst_arena *arena, mst_diagnostic *diagnostic);
mst_status mst_revenant_from_schema(const mst_document *document, const mst_field *list, const char *kind,
                                    const struct mst_json *given, const mst_check_options *schema,
                                    mst_arena *arena, const char **json, mst_diagnostic *diagnostic);
/* In those versions, the links of each slot. */
typedef struct mst_revenant_link {
    int16_t class_number; /* negative: an empty slot, without links */
    int16_t first, next;
    int32_t shadow; /* as stored; -1: none */
} mst_revenant_link;
mst_status mst_revenant_links(const mst_value *objects, mst_arena *scratch, mst_revenant_link **all,
                              uint64_t *count);
/* In those versions, the slot of the object that carries each object; -1: none. An object in two chains
 * belongs to the first. */
mst_status mst_revenant_carriers(const mst_value *objects, mst_arena *scratch, int32_t **carriers,
                                 uint64_t *count);
/* Moves the objects into the sector stated by the file's name, if it has changed, and their shadows that are
 * slots of it: the game uses only the part of positions within the sector. */
void mst_revenant_move(const mst_document *before, const mst_document *after, uint8_t *bytes);
/* Recomputes the state hash. */
struct mst_fix_context;
mst_status mst_revenant_fix_hash(struct mst_fix_context *fixing);
/* Moves the objects, and updates the state hash if the data that it covers has changed. */
void mst_revenant_fix_up(const mst_document *before, const mst_document *after, uint8_t *bytes);
/* The hash that the sector should have; false if it has none, or its name does not state the sector. */
bool mst_revenant_state_hash(const mst_document *document, uint32_t *hash);

/* The layouts of files. RAW: unknown, kept as bytes; EARLY: of the earliest files of version 0. */
enum { MST_REVENANT_RETAIL, MST_REVENANT_PROSE, MST_REVENANT_RAW, MST_REVENANT_EARLY };
bool mst_revenant_probe(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                        mst_variant *variant);
bool mst_revenant_version_known(uint32_t version);
mst_status mst_revenant_resolve_variant(const uint8_t *bytes, size_t size, mst_variant *variant,
                                        mst_diagnostic *diagnostic);
/* The same for saved games. */
bool mst_revenant_probe_save(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                             mst_variant *variant);
bool mst_revenant_save_version_known(uint32_t version);
bool mst_revenant_save_fallback(mst_variant *variant);
mst_status mst_revenant_check_save(mst_checker *checker);
/* Why a file of version 0 has neither layout: fills in the place, and the expected and found values. */
void mst_revenant_explain_raw(const uint8_t *bytes, size_t size, mst_diagnostic *finding);

/* Level and sector by the file's name, such as 44_12_8.DAT. False if it is not the name of a sector. */
typedef mst_part_place mst_revenant_place;
bool mst_revenant_place_of(const char *file_name, mst_revenant_place *place);

/* Objects outside the sector stated by the file's name. Renaming a file moves its sector, so they are
 * reported together; only a single one apart from the others is reported separately. */
typedef struct mst_revenant_astray {
    int64_t x, y;            /* the sector that they are in, relative to the file's own */
    uint64_t count;          /* 0: the group is not used */
    uint64_t object, offset; /* of the first: its index, and the offset of its position */
    int32_t position[2];
} mst_revenant_astray;
typedef struct mst_revenant_outside {
    uint64_t objects;              /* objects with a position */
    mst_revenant_astray groups[2]; /* the first two sectors that have any */
    uint64_t elsewhere;            /* in other sectors */
} mst_revenant_outside;
/* `place` is NULL if the file's name does not state the sector. */
void mst_revenant_place_object(mst_revenant_outside *all, const mst_revenant_place *place,
                               const int32_t position[3], uint64_t object, uint64_t offset);
mst_status mst_revenant_report_outside(mst_checker *checker, const mst_revenant_outside *all,
                                       const mst_revenant_place *place);

/* Classes by number. */
enum {
    MST_REVENANT_WEAPON = 1,
    MST_REVENANT_CONTAINER = 5,
    MST_REVENANT_MONEY = 8,
    MST_REVENANT_TILE = 9,
    MST_REVENANT_EXIT = 10,
    MST_REVENANT_PLAYER = 11,
    MST_REVENANT_CHARACTER = 12,
    MST_REVENANT_TRAP = 13,
    MST_REVENANT_HELPER = 15,
    MST_REVENANT_INVENTORY_CONTAINER = 17,
    MST_REVENANT_AMMUNITION = 21,
    MST_REVENANT_SCROLL = 22,
    MST_REVENANT_EFFECT = 25
};
/* The earliest files number some of them differently; the last stores no data. */
enum {
    MST_REVENANT_EARLY_TILE = 8,
    MST_REVENANT_EARLY_EXIT,
    MST_REVENANT_EARLY_PLAYER,
    MST_REVENANT_EARLY_CHARACTER,
    MST_REVENANT_EARLY_SHADOW = 15,
    MST_REVENANT_EARLY_BARE = 20
};
/* The class, as numbered above, of a number in the document. */
int32_t mst_revenant_class_of(const mst_document *document, int32_t stored);
/* Types that store more than their class, by unique_id. */
#define MST_REVENANT_TYPE_DRIP       0x5975ABDEu
#define MST_REVENANT_TYPE_SPEAKER    0x00000302u
#define MST_REVENANT_TYPE_SPIKE_WALL 0x84B30587u
/* Flags by bit. */
#define MST_REVENANT_IMMOBILE 0x00000001u
#define MST_REVENANT_LIGHT    0x00000004u
#define MST_REVENANT_ANIMATE  0x00004000u
#define MST_REVENANT_NONMAP   0x00080000u

/* Whether the bytes can be the field's: conditions and ends of fields. */
bool mst_revenant_is_inventory(const mst_document *document, uint64_t offset, uint64_t end,
                               const uint32_t *context);
extern const char mst_revenant_inventory_types[]; /* the same as types of Kaitai Struct */
bool mst_revenant_has_4(const mst_document *document, uint64_t offset, uint64_t end, const uint32_t *context);
bool mst_revenant_has_12(const mst_document *document, uint64_t offset, uint64_t end,
                         const uint32_t *context);
bool mst_revenant_has_sound(const mst_document *document, uint64_t offset, uint64_t end,
                            const uint32_t *context);
bool mst_revenant_has_length(const mst_document *document, uint64_t offset, uint64_t end,
                             const uint32_t *context);
bool mst_revenant_has_target(const mst_document *document, uint64_t offset, uint64_t end,
                             const uint32_t *context);
bool mst_revenant_has_generator(const mst_document *document, uint64_t offset, uint64_t end,
                                const uint32_t *context);
bool mst_revenant_is_nul(const uint8_t *bytes, bool big);

extern const mst_bindings mst_revenant_link_bindings, mst_revenant_early_link_bindings;
extern const mst_bindings mst_revenant_object_bindings, mst_revenant_placed_bindings,
    mst_revenant_early_bindings, mst_revenant_light_bindings, mst_revenant_stat_bindings,
    mst_revenant_stat_high_bindings, mst_revenant_shown_bindings, mst_revenant_carrying_bindings;

#endif
