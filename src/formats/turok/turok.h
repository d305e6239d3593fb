/* SPDX-License-Identifier: MIT */
/* Declarations shared by the formats of Turok remaster levels and Iguana archives. */
#ifndef MST_FORMATS_TUROK_H
#define MST_FORMATS_TUROK_H

#include "../../read/engine.h"

extern const mst_format mst_format_turok_map, mst_format_iguana;

extern const mst_codes mst_turok_codes;
extern const mst_compared mst_turok_compared[];

extern const mst_enum mst_turok_actor_types;
extern const mst_enum mst_turok_sector_flags;
extern const char *const mst_turok_sector_flag_meanings[32];
extern const mst_enum mst_turok_spawn_flags[3], mst_turok_species;
extern const char *const mst_turok_spawn_flag_meanings[3][32];
extern const mst_enum mst_turok_mesh_flags;
extern const mst_enum mst_turok_automap_colors;
extern const mst_enum mst_turok_impacts;
extern const mst_enum mst_turok_music;

mst_status mst_turok_check(mst_checker *checker);
/* The models and animations that meshes and actors name (content.names). */
mst_status mst_turok_map_names(const mst_document *document, const mst_resolver *sidecars, mst_take_name take,
                               void *taker);
mst_status mst_turok_scene(const mst_document *document, const mst_scene_options *options, mst_scene **scene,
                           mst_diagnostic *diagnostic);
/* Link e of a sector belongs to the edge between its vertices e and e + this, modulo 3; the columns are
 * sectors'. */
unsigned mst_turok_link_step(const mst_document *document, const mst_column *vertices,
                             const mst_column *links);
/* Consequences of edits: the boxes of cells, cells that have become empty, flags of sectors. */
mst_status mst_turok_settle_grid(const mst_document *before, mst_document *after, mst_diagnostic *diagnostic);
mst_status mst_turok_settle(const mst_document *before, mst_document *after,
                            const struct mst_edit_options *options, mst_diagnostic *diagnostic);
/* Updates the sectors of actors that are over another sector after an edit. */
mst_status mst_turok_settle_actors(const mst_document *before, mst_document *after,
                                   const struct mst_edit_options *options);
/* Whether setting the value at a path may require this. */
bool mst_turok_reaches(const char *path);
/* Recomputes the box of the cell that the finding is about. */
struct mst_fix_context;
mst_status mst_turok_fix_cell(struct mst_fix_context *fixing);
/* Files all meshes by the lattice, and recomputes all boxes. */
mst_status mst_turok_refile(mst_document *document, mst_diagnostic *diagnostic);
/* Links a new sector with the sectors that share an edge with it alone. */
mst_status mst_turok_fill(mst_document *document, const mst_field *list, const char *path, uint64_t index,
                          mst_diagnostic *diagnostic);
/* A new static mesh is not rotated, and a new actor or mesh has the size of its model (adding.blank). */
const char *mst_turok_blank(const mst_document *document, const mst_field *list);
/* Describes in words the effects of areas and actors. */
mst_status mst_turok_describe(const mst_document *document, const char *what, const mst_resolver *sidecars,
                              mst_sink sink, mst_diagnostic *diagnostic);

/* The paths of an element's model and animation, and the name of its type (mst_added_column). */
mst_status mst_turok_look_up(const mst_value *element, const char *column, const mst_resolver *sidecars,
                             char *text, size_t capacity);

/* Names of actor types: from the resolver's defs/actors, else the built-in ones. */
typedef struct mst_turok_actor_name {
    int32_t type;
    uint32_t order;
    const char *name;
} mst_turok_actor_name;
typedef struct mst_turok_actor_names {
    const mst_turok_actor_name *items; /* sorted */
    size_t count;
} mst_turok_actor_names;
mst_status mst_turok_read_actor_names(const mst_resolver *resolver, mst_arena *arena,
                                      mst_turok_actor_names *names);
/* The same, cached in the resolver's memo for the next call; without a memo they are in `scratch`. */
mst_status mst_turok_recall_actor_names(const mst_resolver *resolver, mst_arena *scratch,
                                        const mst_turok_actor_names **names);
/* NULL if the type has no name. */
const char *mst_turok_name_of_actor(const mst_turok_actor_names *names, int32_t type);

/* Iguana archives. */
extern const mst_codes mst_iguana_codes;
mst_status mst_iguana_check(mst_checker *checker);

typedef enum mst_iguana_kind {
    MST_IGUANA_RNC,
    MST_IGUANA_INDEXED,
    MST_IGUANA_DATA_SET,
    MST_IGUANA_EMPTY,
    MST_IGUANA_RAW
} mst_iguana_kind;
/* Classifies a block by its bytes. `ambiguous` (may be NULL): the archive is a valid data set as well. */
mst_iguana_kind mst_iguana_kind_of(const uint8_t *bytes, uint64_t size, bool big, bool *ambiguous);

#endif
