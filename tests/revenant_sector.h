/* SPDX-License-Identifier: MIT */
/*
 * Sectors of Revenant, written byte by byte from the description of the format, for every version, with the
 * path of every field. Independent of the library's tables.
 */
#ifndef MST_TESTS_REVENANT_SECTOR_H
#define MST_TESTS_REVENANT_SECTOR_H

#include "documents.h"

enum { SECTOR_IMMOBILE = 1, SECTOR_LIGHT = 4, SECTOR_ANIMATE = 1 << 14, SECTOR_NONMAP = 1 << 19 };
enum {
    SECTOR_ITEM = 0,
    SECTOR_WEAPON = 1,
    SECTOR_CONTAINER = 5,
    SECTOR_MONEY = 8,
    SECTOR_TILE = 9,
    SECTOR_EXIT = 10,
    SECTOR_PLAYER = 11,
    SECTOR_CHARACTER = 12,
    SECTOR_TRAP = 13,
    SECTOR_HELPER = 15,
    SECTOR_INVENTORY_CONTAINER = 17,
    SECTOR_AMMUNITION = 21,
    SECTOR_SCROLL = 22,
    SECTOR_EFFECT = 25
};

typedef struct sector_stat {
    int32_t value;
    char id[5];
} sector_stat;

typedef struct sector_object {
    bool empty; /* slot; a class below 0 replaces -1 */
    int16_t object_version, class_number, object_type;
    uint32_t unique_id;
    uint8_t complex_version, instance_version;
    const char *name;
    bool plain_name; /* without bit 7, in any version */
    uint32_t flags;
    int32_t position[3], velocity[3];
    uint16_t state, level;
    uint8_t health, facing;
    int16_t first_item, inventory_number, next_item, inventory_index;
    int32_t shadow;
    uint8_t unknown_c, rotation[3];
    int32_t map_index;
    int16_t frame, frame_rate;
    uint8_t group;
    sector_stat stats[4];
    uint8_t stat_count;
    uint8_t light_flags, light_color[3], light_intensity;
    int32_t light_position[3];
    int16_t light_multiplier;
    uint8_t action;
    const char *root_state;
    int32_t recovery_times[3], last_poison, teleport[4], locked, pick_difficulty, amount_minus_1, poison;
    uint32_t exit_flags;
    const char *text;
    const void *more; /* data of its type beyond its class */
    size_t more_size;
    const void *tail, *inventory_tail; /* unknown bytes of the body and after the inventory */
    size_t tail_size, inventory_tail_size;
    const struct sector_object *inventory;
    size_t inventory_count;
    bool has_inventory; /* even if it is empty */
    int32_t count_more; /* added to the inventory's count */
    int32_t size_bias;  /* added to size_1 */
    const void *player; /* body of a player from version 8 on */
    size_t player_size;
} sector_object;

typedef struct sector {
    uint32_t version;
    bool prose; /* sizes in the order of the public description */
    uint32_t state_hash;
    const sector_object *objects;
    size_t object_count;
    int32_t count_more;
    const void *trailing;
    size_t trailing_size;
} sector;

/* ---- writing ------------------------------------------------------------------------------------ */

/* A number at path.name; of negative numbers only the offset is marked. */
void sector_number(writer *w, const char *path, const char *name, unsigned width, int64_t value);

void sector_vector(writer *w, const char *path, const char *name, const int32_t v[3]);

/* u8 or u16 length and bytes, of which bit 7 may be set. */
void sector_text(writer *w, const char *path, const char *name, unsigned width, uint8_t high,
                 const char *text);

bool sector_is(const sector_object *o, uint32_t classes);

void put_sector_body(writer *w, const sector *s, const sector_object *o, const char *path);

void put_sector_object(writer *w, const sector *s, const sector_object *o, const char *path);

/* Writes the file to an empty writer. */
void write_sector(writer *w, const sector *s);

/* ---- one with everything ------------------------------------------------------------------------ */

/* In sector 3,5 of a level; other members are zero. */
sector_object sector_thing(int16_t class_number, uint32_t flags, const char *name);

#define SECTOR_MANY 16
typedef struct sector_source {
    sector_object objects[SECTOR_MANY], bag[3], purse[2];
    sector s;
} sector_source;

/* Every class that stores data, every flag with an effect, an empty slot, nested inventories. */
void full_sector(sector_source *r, uint32_t version);

/* ---- the hash of its state ---------------------------------------------------------------------- */

/* Adler-32 of signed bytes; the sums are reduced after every 5,552 bytes of a piece. */
void sector_hash_piece(uint32_t sums[2], const uint8_t *bytes, size_t size);

/* Of a sector named level_x_y without players. */
uint32_t sector_hash(const sector *s, int32_t number_of_level, int32_t x, int32_t y);

#endif
