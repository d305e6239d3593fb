/* SPDX-License-Identifier: MIT */
/* Placed objects: their records, for every format that holds lists of them, and what can be wrong with a
 * list. */
#ifndef MST_FORMATS_SFA_OBJECTS_H
#define MST_FORMATS_SFA_OBJECTS_H

#include "../../schema/engine.h"
#include "names.h"

/*
 * A format that holds objects lists these records first in its own, `{MST_SFA_OBJECT_RECORDS,
 * [MST_SFA_OBJECT_COUNT] = &mine, ...}`, and gives its own the indices from MST_SFA_OBJECT_COUNT on.
 * Registers 1 and 2 are the objects'. The list is a field MST_COUNT_TO_END of mst_sfa_object_record.
 */
#define MST_SFA_OBJECT_PARTS 31
#define MST_SFA_OBJECT_COUNT (MST_SFA_OBJECT_PARTS + 1)
extern const mst_record mst_sfa_object_record;
extern const mst_record mst_sfa_object_parts[MST_SFA_OBJECT_PARTS];
/* clang-format off */
#define MST_SFA_OBJECT_RECORDS \
    [0] = &mst_sfa_object_record, \
    [1] = &mst_sfa_object_parts[0], [2] = &mst_sfa_object_parts[1], \
    [3] = &mst_sfa_object_parts[2], [4] = &mst_sfa_object_parts[3], \
    [5] = &mst_sfa_object_parts[4], [6] = &mst_sfa_object_parts[5], \
    [7] = &mst_sfa_object_parts[6], [8] = &mst_sfa_object_parts[7], \
    [9] = &mst_sfa_object_parts[8], [10] = &mst_sfa_object_parts[9], \
    [11] = &mst_sfa_object_parts[10], [12] = &mst_sfa_object_parts[11], \
    [13] = &mst_sfa_object_parts[12], [14] = &mst_sfa_object_parts[13], \
    [15] = &mst_sfa_object_parts[14], [16] = &mst_sfa_object_parts[15], \
    [17] = &mst_sfa_object_parts[16], [18] = &mst_sfa_object_parts[17], \
    [19] = &mst_sfa_object_parts[18], [20] = &mst_sfa_object_parts[19], \
    [21] = &mst_sfa_object_parts[20], [22] = &mst_sfa_object_parts[21], \
    [23] = &mst_sfa_object_parts[22], [24] = &mst_sfa_object_parts[23], \
    [25] = &mst_sfa_object_parts[24], [26] = &mst_sfa_object_parts[25], \
    [27] = &mst_sfa_object_parts[26], [28] = &mst_sfa_object_parts[27], \
    [29] = &mst_sfa_object_parts[28], [30] = &mst_sfa_object_parts[29], \
    [31] = &mst_sfa_object_parts[30]
/* clang-format on */

/* What types are called, each by a name of its own: "MagicPlant", "CFPowerCrys_0x0D9". */
extern const mst_enum mst_sfa_object_type_names;

/* Codes of findings in lists; a format that holds lists has them in its own list of codes. */
#define MST_SFA_OBJECT_CODES                                                                                 \
    {"SFA-ROMLIST", MST_ERROR, "an object is shorter than its head, or runs past the end of the list"},      \
        {"SFA-ROMLIST-ORDER", MST_WARNING,                                                                   \
         "objects of no group come first, then groups ascending, then curves and checkpoints"},              \
        {"SFA-ROMLIST-ID", MST_INFORMATION, "an id is that of more than one object"},                        \
        {"SFA-ROMLIST-WIDTH", MST_WARNING, "the object is not as long as others of its type"},               \
        {"SFA-ROMLIST-FLAGS", MST_WARNING, "the load flags are more than one"},                              \
        {"SFA-GAME-BIT", MST_WARNING, "there is no such game bit"},                                          \
        {"SFA-TRIGGER", MST_WARNING, "a trigger's command cannot be done"}, {                                \
        "SFA-ROMLIST-LINK", MST_WARNING, "a curve's point is linked with one that is in no list of the set"  \
    }

/*
 * Looks through a list of objects that has been opened: the bytes from `begin` to `end` of `data`. Findings
 * have paths below `path` ("objects"), and offsets into `data`.
 */
mst_status mst_sfa_check_objects(mst_checker *checker, const uint8_t *data, uint64_t begin, uint64_t end,
                                 const char *path);

/* The part of it that is about links between curves: lists of neighbouring maps link to each other, so all
 * lists that lie beside this one are looked at. */
mst_status mst_sfa_check_links(mst_checker *checker, const uint8_t *data, uint64_t begin, uint64_t end,
                               const char *path);

/* And the part that is about game bits, and what triggers do. */
mst_status mst_sfa_check_bits(mst_checker *checker, const uint8_t *data, uint64_t begin, uint64_t end,
                              const char *path);
/* The unit of fields that are numbers of game bits. */
extern const char mst_sfa_game_bit[];

/* What the head and tail of a record say, for readers that do without values. */
typedef struct mst_sfa_object_header {
    uint64_t offset, size; /* of the record */
    int type;
    unsigned words;
    unsigned kind; /* of a curve, else 0 */
} mst_sfa_object_header;
/* The record at `offset`; false if there is none that fits before `end`. */
bool mst_sfa_object_at(const uint8_t *data, uint64_t offset, uint64_t end, mst_sfa_object_header *header);
#define MST_SFA_OBJECT_MIN   24 /* bytes */
#define MST_SFA_OBJECT_AT_ID 0x14
/* What the parameters of a type are, from 0x18 on; NULL: not known. */
const mst_record *mst_sfa_object_part_of(int type);

#endif
