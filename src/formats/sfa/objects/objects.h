/* SPDX-License-Identifier: MIT */
/* Placed objects: their records, for every format that holds lists of them, and the checks of lists. */
#ifndef MST_FORMATS_SFA_OBJECTS_H
#define MST_FORMATS_SFA_OBJECTS_H

#include "../../../read/binding.h"
#include "../sfa_names.h"

/*
 * The parameters of each type have a layout. A format that holds objects lists MST_SFA_OBJECT_COUNT records
 * before its own: the object, then the layouts. Its list of objects is a field of mst_sfa_object_record with
 * MST_COUNT_TO_END. The two context variables are used by the objects.
 */
enum { MST_SFA_VARIABLE_LAYOUT = 1, MST_SFA_VARIABLE_SHAPE };
/* clang-format off */
enum {
    MST_SFA_PART_OTHER, /* no layout: undocumented types. Its place holds the triggers' command */
    MST_SFA_PART_CURVE,
    MST_SFA_PART_TRIGGER,
#define PART(type, label, text) MST_SFA_PART_##type,
#include "parameter_layouts.h"
#undef PART
    MST_SFA_OBJECT_PARTS
};
/* clang-format on */
#define MST_SFA_OBJECT_HEADER 24 /* bytes of a record before the parameters */
#define MST_SFA_OBJECT_COUNT  (MST_SFA_OBJECT_PARTS + 1)
extern const mst_record mst_sfa_object_record;
extern const mst_record mst_sfa_object_parts[MST_SFA_OBJECT_PARTS];
/* The layout of a type: one of the numbers above. */
uint32_t mst_sfa_layout_of_type(uint32_t type);
/* Whether `size` bytes after the header are enough for the parameters of a layout; else they are kept. */
bool mst_sfa_layout_fits(const mst_document *document, uint32_t layout, uint64_t size);

/* Unique names of the types: "MagicPlant", "CFPowerCrys_0x0D9". */
extern const mst_enum mst_sfa_object_type_names;

/* ---- objects of a document ---------------------------------------------------------------------- */

#define MST_SFA_LINKS   4
#define MST_SFA_NO_LINK 0xFFFFFFFFu

/* An object of an opened list. */
typedef struct mst_sfa_object {
    mst_value value, parameters; /* `parameters` of known types whose record holds them, else nothing */
    int16_t type;
    uint8_t size_words, load_flags, bound, acts_0, acts_1, cull_distance;
    uint8_t kind, blocked_links; /* of curves */
    float position[3];
    uint32_t id;
    uint32_t links[MST_SFA_LINKS]; /* of curves; the others have none */
} mst_sfa_object;
typedef struct mst_sfa_objects {
    mst_sfa_object *items;
    uint32_t count;
} mst_sfa_objects;
extern const mst_bindings mst_sfa_object_bindings, mst_sfa_curve_bindings, mst_sfa_command_bindings,
    mst_sfa_trigger_bindings;

/* Reads a document's list `objects`, into the arena. Fails only with MST_NO_MEMORY. */
mst_status mst_sfa_read_objects(const mst_value *list, mst_arena *arena, mst_sfa_objects *objects);

/* The part of its list that an object belongs to: objects without a group are first, then objects of groups,
 * ascending, then curves and checkpoints. */
unsigned mst_sfa_order_of(const mst_sfa_object *object);
/* Whether setting the value at a path may change the part (editing.reaches). */
bool mst_sfa_order_depends_on(const char *path);
/* Moves new and changed objects to their places in that order; the others stay in place (editing.settle). */
mst_status mst_sfa_settle_objects(const mst_document *before, mst_document *after,
                                  const struct mst_edit_options *options, mst_diagnostic *diagnostic);

/* Whether 16 bits name a game bit, or none. */
bool mst_sfa_is_game_bit(uint32_t bits);

/* For `content.special.guess`: possible meanings of parameter bytes. */
bool mst_sfa_guess(const mst_value *value, char *words, size_t capacity);

/* For `tables.seen`: the values in the records of a type. */
bool mst_sfa_seen(uint32_t type, const mst_field *field, uint32_t offset, mst_seen *seen);

/* For `content.describe`: describes the triggers in words. */
mst_status mst_sfa_describe_objects(const mst_document *document, const char *what,
                                    const mst_resolver *sidecars, mst_sink sink, mst_diagnostic *diagnostic);

/* Checks them. Their paths begin with `objects`. */
mst_status mst_sfa_check_objects(mst_checker *checker, const mst_sfa_objects *objects);
/* The part that checks links between curves. Lists of neighbouring maps link to each other, so all lists next
 * to this one are read. */
mst_status mst_sfa_check_links(mst_checker *checker, const mst_sfa_objects *objects);
/* The part that checks game bits and trigger commands. */
mst_status mst_sfa_check_bits(mst_checker *checker, const mst_sfa_objects *objects);
/* The unit of fields that hold numbers of game bits. */
extern const char mst_sfa_game_bit[];

/* The parameters of triggers. */
typedef struct mst_sfa_trigger {
    int16_t trigger_id, activate;
    uint8_t size[3], target;
    uint16_t delay;
} mst_sfa_trigger;

/* A command of a trigger. */
typedef struct mst_sfa_command {
    uint8_t flags, command, parameter_1, parameter_2;
} mst_sfa_command;

/* ---- objects of a list that is not opened ------------------------------------------------------- */

/* The header of a record, read straight from the bytes. */
typedef struct mst_sfa_object_header {
    uint64_t offset, size; /* of the record */
    int type;
    unsigned words;
    unsigned kind; /* of a curve, else 0 */
    uint32_t id;
} mst_sfa_object_header;
/* The record at `offset`; false if no complete one is before `end`. */
bool mst_sfa_object_at(const uint8_t *data, uint64_t offset, uint64_t end, mst_sfa_object_header *header);
/* The number of records before the end or the first damaged one, and their size. */
uint64_t mst_sfa_count_objects(const uint8_t *data, uint64_t size, uint64_t *intact);
/* The record of a type's parameters, from 0x18 on; NULL: unknown. */
const mst_record *mst_sfa_object_part_of(int type);

#endif
