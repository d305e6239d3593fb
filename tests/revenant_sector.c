/* SPDX-License-Identifier: MIT */
#include "revenant_sector.h"

void sector_number(writer *w, const char *path, const char *name, unsigned width, int64_t value) {
    size_t before = w->mark_count;
    at(w, "%s.%s", path, name);
    put_number(w, width, (uint64_t)value);
    if (value < 0 && w->mark_count > before)
        w->marks[before].kind = MARK_SPAN;
}

void sector_vector(writer *w, const char *path, const char *name, const int32_t v[3]) {
    char place[100];
    for (unsigned i = 0; i < 3; i++) {
        snprintf(place, sizeof place, "%s[%u]", name, i);
        sector_number(w, path, place, 4, v[i]);
    }
}

void sector_text(writer *w, const char *path, const char *name, unsigned width, uint8_t high,
                 const char *text) {
    size_t length = text ? strlen(text) : 0;
    at(w, "%s.%s", path, name);
    mark *made = put_mark(w, w->size, width + length, MARK_TEXT);
    if (made)
        made->text = text ? text : "";
    put_number(w, width, length);
    for (size_t i = 0; i < length; i++)
        put_u8(w, (uint8_t)((uint8_t)text[i] | high));
}

bool sector_is(const sector_object *o, uint32_t classes) {
    return o->class_number >= 0 && o->class_number < 32 && (classes >> o->class_number & 1);
}

void put_sector_body(writer *w, const sector *s, const sector_object *o, const char *path) {
    uint32_t v = s->version;
    uint8_t high = v >= 14 && !o->plain_name ? 0x80 : 0;
    int16_t object_version = v >= 8 ? o->object_version : 0;
    bool character = o->class_number == SECTOR_CHARACTER, player = o->class_number == SECTOR_PLAYER;
    char stat[32];
    if (character && object_version >= 3) {
        sector_number(w, path, "complex_version", 1, o->complex_version);
        if (o->complex_version >= 1)
            sector_number(w, path, "instance_version", 1, o->instance_version);
    }
    size_t marks = w->mark_count;
    sector_text(w, path, "name", 1, high, o->name);
    if (o->plain_name && v >= 14 && w->mark_count > marks)
        w->marks[marks].kind = MARK_SPAN;
    sector_number(w, path, "flags", 4, o->flags);
    sector_vector(w, path, "position", o->position);
    if (v < 6 || !(o->flags & SECTOR_IMMOBILE))
        sector_vector(w, path, "velocity", o->velocity);
    sector_number(w, path, "state", v < 9 ? 1 : 2, o->state);
    if (v >= 6 && (o->flags & SECTOR_NONMAP))
        sector_number(w, path, "level", v < 9 ? 1 : 2, o->level);
    if (v < 5)
        sector_number(w, path, "health", 1, o->health);
    if (v < 3) {
        sector_number(w, path, "facing", 1, o->facing);
        sector_number(w, path, "first_item", 2, o->first_item);
        sector_number(w, path, "inventory_number", 2, o->inventory_number);
        sector_number(w, path, "next_item", 2, o->next_item);
        sector_number(w, path, "shadow", 4, o->shadow);
        sector_number(w, path, "unknown_c", 1, o->unknown_c);
    } else {
        sector_number(w, path, "inventory_number", 2, o->inventory_number);
        sector_number(w, path, "inventory_index", 2, o->inventory_index);
        sector_number(w, path, "shadow", 4, o->shadow);
        sector_number(w, path, "rotation_x", 1, o->rotation[0]);
        sector_number(w, path, "rotation_y", 1, o->rotation[1]);
        sector_number(w, path, "rotation_z", 1, o->rotation[2]);
        sector_number(w, path, "map_index", 4, o->map_index);
    }
    if (v == 5 || (v >= 6 && (o->flags & SECTOR_ANIMATE))) {
        sector_number(w, path, "frame", 2, o->frame);
        sector_number(w, path, "frame_rate", 2, o->frame_rate);
    }
    if (v >= 5) {
        sector_number(w, path, "group", 1, o->group);
        put_u8(w, o->stat_count);
        for (unsigned i = 0; i < o->stat_count; i++) {
            snprintf(stat, sizeof stat, "stats[%u].value", i);
            sector_number(w, path, stat, 4, o->stats[i].value);
            at(w, "%s.stats[%u].id", path, i);
            mark *made = put_mark(w, w->size, 4, MARK_SPAN);
            if (made && strlen(o->stats[i].id) == 4) {
                made->kind = MARK_TEXT;
                made->text = o->stats[i].id;
            }
            for (unsigned k = 0; k < 4; k++)
                put_u8(w, (uint8_t)((uint8_t)o->stats[i].id[k] | (v >= 14 ? 0x80 : 0)));
        }
    }
    if (o->flags & SECTOR_LIGHT) {
        sector_number(w, path, "light.flags", 1, o->light_flags);
        sector_vector(w, path, "light.position", o->light_position);
        for (unsigned i = 0; i < 3; i++)
            put_u8(w, o->light_color[i]);
        sector_number(w, path, "light.intensity", 1, o->light_intensity);
        sector_number(w, path, "light.multiplier", 2, o->light_multiplier);
    }
    if (v >= 7 && (character || player)) {
        sector_number(w, path, "action", 1, o->action);
        sector_text(w, path, "root_state", 1, 0, o->root_state);
    }
    if (character && object_version >= 1)
        sector_vector(w, path, "recovery_times", o->recovery_times);
    if (character && object_version >= 4)
        sector_number(w, path, "last_poison", 4, o->last_poison);
    if (character && object_version >= 2) {
        sector_vector(w, path, "teleport_position", o->teleport);
        sector_number(w, path, "teleport_level", 4, o->teleport[3]);
    }
    if (v >= 2 && v < 5 &&
        sector_is(o, 1u << SECTOR_CONTAINER | 1u << SECTOR_EXIT | 1u << SECTOR_INVENTORY_CONTAINER)) {
        sector_number(w, path, "locked", 4, o->locked);
        sector_number(w, path, "pick_difficulty", 4, o->pick_difficulty);
    }
    if (v >= 1 && o->class_number == SECTOR_EXIT)
        sector_number(w, path, "exit_flags", 4, o->exit_flags);
    if (v >= 1 && o->class_number == SECTOR_WEAPON)
        sector_number(w, path, "poison", 4, o->poison);
    if (o->class_number == SECTOR_SCROLL)
        sector_text(w, path, "text", 2, 0, o->text);
    if (v < 5 && sector_is(o, 1u << SECTOR_MONEY | 1u << SECTOR_AMMUNITION))
        sector_number(w, path, "amount_minus_1", 4, o->amount_minus_1);
    put_bytes_of(w, o->more, o->more_size);
}

void put_sector_object(writer *w, const sector *s, const sector_object *o, const char *path) {
    uint32_t v = s->version;
    size_t sizes = 0, body, inventory;
    if (o->empty) {
        if (o->class_number < 0)
            sector_number(w, path, "class", 2, o->class_number);
        else
            put_u16(w, 0xFFFF);
        return;
    }
    if (v >= 8)
        sector_number(w, path, "object_version", 2, o->object_version);
    sector_number(w, path, "class", 2, o->class_number);
    if (v == 0)
        sector_number(w, path, "object_type", 2, o->object_type);
    else
        sector_number(w, path, "unique_id", 4, o->unique_id);
    if (v >= 4) {
        sizes = w->size;
        put_u16(w, 0);
        if (v >= 14)
            put_u16(w, 0);
    }
    body = w->size;
    if (o->class_number == SECTOR_PLAYER && v >= 8) {
        at(w, "%s.player", path);
        put_bytes_of(w, o->player, o->player_size);
    } else {
        put_sector_body(w, s, o, path);
        if (v >= 14 && o->tail_size) {
            at(w, "%s.unknown_tail", path);
            put_bytes_of(w, o->tail, o->tail_size);
        }
    }
    inventory = w->size;
    bool raw_player = o->class_number == SECTOR_PLAYER && v >= 8 && v < 14;
    if (!raw_player && v >= 3 && (v < 14 || o->inventory_count || o->has_inventory)) {
        put_u32(w, (uint32_t)((int32_t)o->inventory_count + o->count_more));
        for (size_t i = 0; i < o->inventory_count; i++) {
            char inner[128];
            assert_in_range(snprintf(inner, sizeof inner, "%s.inventory[%u]", path, (unsigned)i), 1,
                            sizeof inner - 1);
            put_sector_object(w, s, &o->inventory[i], inner);
        }
    }
    if (v >= 4 && v < 14 && o->tail_size) {
        at(w, "%s.unknown_tail", path);
        put_bytes_of(w, o->tail, o->tail_size);
    }
    if (v >= 14 && o->inventory_tail_size) {
        at(w, "%s.inventory_tail", path);
        put_bytes_of(w, o->inventory_tail, o->inventory_tail_size);
    }
    if (!sizes)
        return;
    size_t whole = w->size - body, last = w->size - inventory;
    size_t first_size = v >= 14 && s->prose ? whole - last : whole;
    mst_store16(w->data + sizes, (uint16_t)(first_size + (size_t)(ptrdiff_t)o->size_bias), false);
    if (v >= 14)
        mst_store16(w->data + sizes + 2, (uint16_t)(s->prose ? whole : last), false);
}

void write_sector(writer *w, const sector *s) {
    if (s->version) {
        at(w, "magic");
        put_bytes_of(w, "MAP ", 4);
        at(w, "version");
        put_u32(w, s->version);
    }
    if (s->version >= 14) {
        at(w, "state_hash");
        put_u32(w, s->state_hash);
    }
    put_u32(w, (uint32_t)((int32_t)s->object_count + s->count_more));
    for (size_t i = 0; i < s->object_count; i++) {
        char path[32];
        snprintf(path, sizeof path, "objects[%u]", (unsigned)i);
        put_sector_object(w, s, &s->objects[i], path);
    }
    if (s->trailing_size) {
        at(w, "trailing");
        put_bytes_of(w, s->trailing, s->trailing_size);
    }
}

sector_object sector_thing(int16_t class_number, uint32_t flags, const char *name) {
    return (sector_object){.class_number = class_number,
                           .unique_id = 0x10000000u + (uint32_t)class_number,
                           .name = name,
                           .flags = flags,
                           .position = {3 * 1024 + 10, 5 * 1024 + 20, 30},
                           .first_item = -1,
                           .next_item = -1,
                           .inventory_index = -1,
                           .shadow = -1,
                           .map_index = -1,
                           .frame_rate = 1};
}

void full_sector(sector_source *r, uint32_t version) {
    memset(r, 0, sizeof *r);
    sector_object *o = r->objects;
    uint32_t all = SECTOR_LIGHT | SECTOR_ANIMATE | SECTOR_NONMAP;
    r->purse[0] = sector_thing(SECTOR_MONEY, SECTOR_NONMAP, "");
    r->purse[0].amount_minus_1 = 41;
    r->purse[1] = sector_thing(SECTOR_AMMUNITION, SECTOR_IMMOBILE, "arrows");
    r->purse[1].amount_minus_1 = -1;
    r->bag[0] = sector_thing(SECTOR_WEAPON, 0, "axe");
    r->bag[0].poison = -7;
    r->bag[1] = (sector_object){.empty = true};
    r->bag[2] = sector_thing(SECTOR_CONTAINER, SECTOR_NONMAP, "purse");
    r->bag[2].inventory = r->purse;
    r->bag[2].inventory_count = 2;
    r->bag[2].locked = 1;
    r->bag[2].pick_difficulty = 50;

    size_t n = 0;
    o[n] = sector_thing(SECTOR_TILE, SECTOR_IMMOBILE, "");
    o[n++].map_index = 1;
    o[n++] = (sector_object){.empty = true};
    o[n] = sector_thing(SECTOR_TILE, SECTOR_IMMOBILE | SECTOR_LIGHT | SECTOR_ANIMATE, "lamp");
    o[n].light_flags = 5;
    o[n].light_position[2] = -64;
    o[n].light_color[1] = 200;
    o[n].light_intensity = 90;
    o[n].light_multiplier = -3;
    o[n].frame = 7;
    o[n].frame_rate = -2;
    o[n++].rotation[2] = 192;
    o[n] = sector_thing(SECTOR_CHARACTER, all, "Locke");
    o[n].object_version = 4;
    o[n].complex_version = 1;
    o[n].instance_version = 2;
    o[n].velocity[0] = -65536;
    o[n].velocity[2] = 1;
    o[n].state = 200;
    o[n].level = 9;
    o[n].health = 99;
    o[n].facing = 64;
    o[n].first_item = 5;
    o[n].next_item = 6;
    o[n].unknown_c = version ? 7 : 0; /* always 0 in the first version */
    o[n].inventory_number = 3;
    o[n].group = 4;
    o[n].stat_count = 2;
    o[n].stats[0] = (sector_stat){-12, "HLTH"};
    o[n].stats[1] = (sector_stat){34, "SLP"};
    o[n].action = 2;
    o[n].root_state = "combat";
    o[n].recovery_times[1] = 500;
    o[n].last_poison = -1;
    o[n].teleport[0] = -1;
    o[n].teleport[3] = 12;
    o[n].inventory = r->bag;
    o[n].inventory_count = 3;
    o[n++].map_index = 2;
    o[n] = sector_thing(SECTOR_EXIT, SECTOR_NONMAP, "gate");
    o[n].level = 3;
    o[n].locked = 1;
    o[n].pick_difficulty = 75;
    o[n++].exit_flags = 5;
    o[n] = sector_thing(SECTOR_SCROLL, 0, "");
    o[n++].text = "Beware.\nOf \"it\".";
    o[n] = sector_thing(SECTOR_INVENTORY_CONTAINER, SECTOR_IMMOBILE, "chest");
    o[n].has_inventory = true;
    o[n].locked = -1;
    o[n++].pick_difficulty = 1;
    o[n] = sector_thing(SECTOR_TRAP, SECTOR_IMMOBILE, "trap");
    if (version >= 4) {
        o[n].tail = "\1\2\3\4";
        o[n].tail_size = 4;
    }
    if (version >= 14) {
        o[n].has_inventory = true;
        o[n].inventory_tail = "xyz";
        o[n].inventory_tail_size = 3;
    }
    n++;
    o[n++] = sector_thing(SECTOR_ITEM, 0xFFFFFFFFu & ~(uint32_t)SECTOR_LIGHT, "all flags");
    r->s = (sector){.version = version, .objects = r->objects, .object_count = n, .state_hash = 0x12345678};
}

void sector_hash_piece(uint32_t sums[2], const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        sums[0] += (uint32_t)(bytes[i] < 128 ? (int32_t)bytes[i] : (int32_t)bytes[i] - 256);
        sums[1] += sums[0];
        if (i % 5552 == 5551 || i + 1 == size) {
            sums[0] %= 65521;
            sums[1] %= 65521;
        }
    }
}

uint32_t sector_hash(const sector *s, int32_t number_of_level, int32_t x, int32_t y) {
    uint32_t sums[2] = {1, 0};
    const int32_t numbers[4] = {number_of_level, x, y, (int32_t)s->object_count};
    for (int i = 0; i < 4; i++) {
        writer w = {0};
        put_u32(&w, (uint32_t)numbers[i]);
        sector_hash_piece(sums, w.data, 4);
        writer_free(&w);
    }
    for (size_t i = 0; i < s->object_count; i++) {
        sector_object o = s->objects[i];
        if (o.empty || (o.class_number != SECTOR_CHARACTER && o.class_number != SECTOR_PLAYER))
            continue;
        if (o.class_number == SECTOR_PLAYER) {
            sector_hash_piece(sums, (const uint8_t *)"\xFF\xFF", 2);
            continue;
        }
        sector retail = *s;
        retail.prose = false;
        o.inventory_count = 0;
        o.has_inventory = false;
        o.inventory_tail_size = 0;
        writer w = {0};
        put_sector_object(&w, &retail, &o, "x");
        sector_hash_piece(sums, w.data, w.size);
        writer_free(&w);
    }
    uint32_t hash = sums[1] << 16 | sums[0];
    return hash ? hash : 0xF0F0F0F0u;
}
