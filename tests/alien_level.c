/* SPDX-License-Identifier: MIT */
#include "alien_level.h"

int32_t alien_add_vertex(alien_level *l, int16_t x, int16_t y, int16_t z) {
    assert_true(l->vertex_count < ALIEN_MANY);
    l->vertices[l->vertex_count] = (alien_vertex){x, y, z, 0};
    return l->vertex_count++;
}

alien_quad *alien_add_quad(alien_level *l, const int16_t corners[4][3], uint16_t texture, uint8_t draw_flags,
                           uint8_t light) {
    assert_true(l->quad_count < ALIEN_MANY);
    alien_quad *quad = &l->quads[l->quad_count++];
    *quad = (alien_quad){.texture = texture, .draw_flags = draw_flags, .light = light};
    for (int i = 0; i < 4; i++)
        quad->vertices[i] = alien_add_vertex(l, corners[i][0], corners[i][1], corners[i][2]);
    return quad;
}

void alien_end_quads(alien_level *l) {
    assert_true(l->quad_count < ALIEN_MANY);
    l->quads[l->quad_count++] = (alien_quad){{-1, -1, -1, -1}, 0xFFFF, 0xFF, 0xFF};
}

alien_cell *alien_cell_at(alien_level *l, unsigned x, unsigned y) {
    return &l->cells[y * l->columns + x];
}

void alien_small(alien_level *l) {
    memset(l, 0, sizeof *l);
    l->columns = 4;
    l->rows = 3;
    l->start_x = l->start_y = 1;
    l->start_angle = 2;
    static const int16_t floor_a[4][3] = {{-512, 0, 256}, {0, 0, 256}, {0, 0, -256}, {-512, 0, -256}};
    static const int16_t ceiling_a[4][3] = {
        {-512, 1024, -256}, {0, 1024, -256}, {0, 1024, 256}, {-512, 1024, 256}};
    static const int16_t wall_a[4][3] = {
        {-512, 0, 256}, {-512, 0, -256}, {-512, 1024, -256}, {-512, 1024, 256}};
    static const int16_t floor_b[4][3] = {{0, 128, 256}, {512, 128, 256}, {512, 128, -256}, {0, 128, -256}};
    static const int16_t ceiling_b[4][3] = {
        {0, 1024, -256}, {512, 1024, -256}, {512, 1024, 256}, {0, 1024, 256}};
    static const int16_t panel_b[4][3] = {
        {512, 128, -256}, {512, 128, 256}, {512, 640, 256}, {512, 640, -256}};
    alien_add_quad(l, floor_a, 0, 0, 1);
    alien_add_quad(l, ceiling_a, 1, 0, 1);
    alien_add_quad(l, wall_a, 2, 0, 2 | 0x80);
    alien_add_quad(l, floor_b, 3, 2, 1);
    alien_add_quad(l, ceiling_b, 1, 0, 1);
    alien_quad *triangle = &l->quads[l->quad_count++];
    *triangle = (alien_quad){.vertices = {0, 0, 0, -1}, .texture = 2, .draw_flags = 1, .light = 1};
    triangle->vertices[0] = alien_add_vertex(l, 0, 128, -256);
    triangle->vertices[1] = alien_add_vertex(l, 512, 128, -256);
    triangle->vertices[2] = alien_add_vertex(l, 512, 1024, -256);
    alien_add_quad(l, panel_b, 0, 8, 1 | 0x80);
    alien_end_quads(l);

    for (unsigned i = 0; i < 12; i++)
        l->cells[i] = (alien_cell){.first_quad = -1};
    *alien_cell_at(l, 1, 1) = (alien_cell){.first_quad = 0,
                                           .unknown_04 = 0x0100,
                                           .path_node = 0x0400,
                                           .zone_mask = 0x0003,
                                           .ceiling = 32,
                                           .light = 1,
                                           .trigger = 1};
    *alien_cell_at(l, 2, 1) = (alien_cell){.first_quad = 3,
                                           .path_node = 0x0501,
                                           .zone_mask = 0x8002,
                                           .shape = 0x30,
                                           .floor = 4,
                                           .ceiling = 32,
                                           .light = 2,
                                           .trigger = 2};

    l->path_node_count = 2;
    l->path_nodes[0] = (alien_path_node){1, 1, 0, 1, {1, 255, 255, 255}};
    l->path_nodes[1] = (alien_path_node){2, 1, 0, 0, {0, 255, 255, 255}};
    l->monster_count = 2;
    l->monsters[0] = (alien_monster){.type = 2,
                                     .x = 1,
                                     .y = 1,
                                     .z = 255,
                                     .rotation = 6,
                                     .health = 1,
                                     .drop = 255,
                                     .unknown_0a = {62, 5, 155, 14},
                                     .speed = 100,
                                     .unknown_10 = {0, 6, 54, 4}};
    l->monsters[1] = (alien_monster){
        .type = 6, .x = 2, .y = 1, .z = 255, .rotation = 1, .health = 8, .drop = 0, .speed = 80};
    l->monsters[1].trigger_threshold = 1;
    l->enemy_mask = 1u << 1 | 1u << 5;
    l->pickup_count = 1;
    l->pickups[0] = (alien_pickup){
        .x = 2, .y = 1, .type = 20, .amount = 10, .multiplier = 1, .trigger_threshold = 0, .amount_copy = 10};
    l->box_count = 2;
    l->boxes[0] =
        (alien_box){.x = 1, .y = 1, .type = 23, .drop_type = 0, .drop_first = 0, .drop_second = 255};
    l->boxes[1] = (alien_box){.x = 1,
                              .y = 1,
                              .type = 22,
                              .drop_first = 255,
                              .drop_second = 255,
                              .unknown_08 = {1, 2, 3, 4, 5, 6},
                              .rotation = 2};
    l->door_count = 1;
    l->doors[0] = (alien_door){.x = 2, .y = 1, .open_time = 150, .lock = 1, .rotation = 2, .model = 0};
    l->lift_count = 1;
    l->lifts[0] = (alien_lift){.x = 2,
                               .y = 1,
                               .z = 4,
                               .unknown_03 = {1, 0, 7, 1, 4, 60, 2, 3, 0},
                               .model = 0,
                               .unknown_0d = {9, 9, 9}};

    l->trigger_count = l->command_count = 64;
    for (unsigned i = 0; i < 64; i++) {
        bool zeros = i % 2 != 0; /* both patterns of an empty entry */
        l->triggers[i] = zeros ? (alien_trigger){0, 255, 255, 0} : (alien_trigger){255, 255, 255, 255};
        l->commands[i] = zeros ? (alien_command){0, 255, 255, 0} : (alien_command){255, 255, 255, 255};
    }
    l->triggers[1] = (alien_trigger){1, 0, 255, 0};
    l->triggers[2] = (alien_trigger){1, 2, 1, 0};
    l->commands[0] = (alien_command){6, 1, 1, 0};
    l->commands[1] = (alien_command){0, 255, 1, 2};
    l->commands[2] = (alien_command){8, 255, 1, 0};

    l->light_count = 128;
    for (unsigned i = 0; i < 128; i++)
        l->lights[i] = (alien_light){.on = {128, 128, 128, 0}, .is_on = 1};
    l->lights[2] = (alien_light){.off = {32, 64, 96, 0},
                                 .on = {128, 16, 255, 0},
                                 .corners = {{1, 2, 3, 0}, {4, 5, 6, 0}},
                                 .timers = {16, 0x1234, 9, 2},
                                 .mode = 1,
                                 .variant_max = 1};
    l->animator_count = 1;
    l->animators[0] = (alien_animator){.program = 1};
    l->word_count = 5;
    l->words[0] = (alien_word){0, 2};
    l->words[1] = (alien_word){0, 0x8001};
    l->words[2] = (alien_word){1, 0x8006};
    l->words[3] = (alien_word){1, 3};
    l->words[4] = (alien_word){1, 0x8001};

    /* doors are modelled around their own origin, seen from +Z */
    l->model_count = 2;
    static const char names[2][5] = {"D000", "L000"};
    for (size_t i = 0; i < 2; i++) {
        alien_model *m = &l->models[i];
        memcpy(m->name, names[i], 5);
        m->unknown_08 = 0x005A606C;
        m->quad_count = 1;
        m->quads[0] =
            (alien_quad){.vertices = {0, 1, 2, 3}, .texture = (uint16_t)(i + 1), .draw_flags = 0x80};
        m->vertex_count = 4;
        m->vertices[0] = (alien_vertex){-192, 0, 64, 0};
        m->vertices[1] = (alien_vertex){256, 0, 64, 0};
        m->vertices[2] = (alien_vertex){256, 512, 64, 0};
        m->vertices[3] = (alien_vertex){-192, 512, 64, 0};
    }
}

void begin_section(writer *w, const char *name) {
    bool big = w->big;
    put_bytes_of(w, name, 4);
    w->big = true;
    w->label[0] = 0;
    begin_length(w);
    w->big = big;
}

void end_section(writer *w) {
    bool big = w->big;
    w->big = true;
    end_length(w);
    w->big = big;
}

void put_alien_bytes(writer *w, const char *path, const char *name, const uint8_t *bytes, size_t size) {
    at(w, "%s.%s", path, name);
    put_bytes_of(w, bytes, size);
}

void put_alien_unknown(writer *w, const char *path, unsigned first, const uint8_t *bytes, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        at(w, "%s.unknown_%02x", path, first + i);
        put_u8(w, bytes[i]);
    }
}

void put_alien_signed(writer *w, const char *path, const char *name, unsigned width, int32_t value) {
    uint64_t bits = (uint64_t)(int64_t)value & (width == 2 ? 0xFFFFu : 0xFFFFFFFFu);
    size_t before = w->mark_count;
    at(w, "%s.%s", path, name);
    put_number(w, width, bits);
    if (w->mark_count > before)
        w->marks[before].kind = MARK_SPAN;
}

void put_alien_vertices(writer *w, const char *list, const alien_vertex *v, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char path[112];
        snprintf(path, sizeof path, "%s[%u]", list, (unsigned)i);
        put_alien_signed(w, path, "x", 2, v[i].x);
        put_alien_signed(w, path, "y", 2, v[i].y);
        put_alien_signed(w, path, "z", 2, v[i].z);
        ALIEN_FIELD("unknown_06", put_u16, v[i].unknown_06);
    }
}

void put_alien_quads(writer *w, const char *list, const alien_quad *q, size_t count, bool of_model) {
    for (size_t i = 0; i < count; i++) {
        char path[112], corner[32];
        snprintf(path, sizeof path, "%s[%u]", list, (unsigned)i);
        for (int k = 0; k < 4; k++) {
            snprintf(corner, sizeof corner, "vertices[%d]", k);
            put_alien_signed(w, path, corner, 4, q[i].vertices[k]);
        }
        ALIEN_FIELD("texture", put_u16, q[i].texture);
        ALIEN_FIELD(of_model ? "kind" : "draw_flags", put_u8, q[i].draw_flags);
        ALIEN_FIELD(of_model ? "unknown_13" : "light", put_u8, q[i].light);
    }
}

void put_alien_pair(writer *w, const char *low_name, uint8_t low, const char *high_name, uint8_t high) {
    at(w, "map.%s", w->big ? high_name : low_name);
    w->label[0] = 0; /* derived: it has no path */
    put_u8(w, w->big ? high : low);
    put_u8(w, w->big ? low : high);
}

void put_alien_header(writer *w, const alien_level *l) {
    const char *path = "map";
    put_u16(w, l->vertex_count);
    put_u16(w, l->quad_count);
    ALIEN_FIELD("grid_columns", put_u16, l->columns);
    ALIEN_FIELD("grid_rows", put_u16, l->rows);
    ALIEN_FIELD("start_x", put_u16, l->start_x);
    ALIEN_FIELD("start_y", put_u16, l->start_y);
    put_alien_pair(w, "path_node_count", l->path_node_count, "light_count", l->light_count);
    put_u16(w, l->monster_count);
    put_u16(w, l->pickup_count);
    put_u16(w, l->box_count);
    put_u16(w, l->door_count);
    put_u16(w, l->lift_count);
    ALIEN_FIELD("start_angle", put_u16, l->start_angle);
    put_u16(w, l->animator_count);
    put_alien_pair(w, "trigger_count", l->trigger_count, "command_count", l->command_count);
    put_u16(w, l->word_count);
    ALIEN_FIELD("enemy_mask", put_u16, l->enemy_mask);
    ALIEN_FIELD("vent_mask", put_u16, l->vent_mask);
}

void put_alien_cells(writer *w, const alien_level *l) {
    for (size_t i = 0; i < (size_t)l->columns * l->rows; i++) {
        const alien_cell *c = &l->cells[i < ALIEN_MANY ? i : ALIEN_MANY - 1];
        char path[64];
        snprintf(path, sizeof path, "map.cells[%u]", (unsigned)i);
        put_alien_signed(w, path, "first_quad", 4, c->first_quad);
        ALIEN_FIELD("unknown_04", put_u16, c->unknown_04);
        bool big = w->big; /* a word of two bytes */
        ALIEN_FIELD(big ? "unknown_07" : "path_node", put_u8,
                    (uint8_t)(big ? c->path_node >> 8 : c->path_node));
        ALIEN_FIELD(big ? "path_node" : "unknown_07", put_u8,
                    (uint8_t)(big ? c->path_node : c->path_node >> 8));
        ALIEN_FIELD("zone_mask", put_u16, c->zone_mask);
        ALIEN_FIELD("shape", put_u8, c->shape);
        ALIEN_FIELD("floor", put_u8, c->floor);
        ALIEN_FIELD("unknown_0c", put_u8, c->unknown_0c);
        ALIEN_FIELD("ceiling", put_u8, c->ceiling);
        ALIEN_FIELD("light", put_u8, c->light);
        ALIEN_FIELD("trigger", put_u8, c->trigger);
    }
}

void put_alien_things(writer *w, const alien_level *l) {
    char path[64];
    for (unsigned i = 0; i < l->path_node_count; i++) {
        const alien_path_node *n = &l->path_nodes[i];
        snprintf(path, sizeof path, "map.path_nodes[%u]", i);
        ALIEN_FIELD("x", put_u8, n->x);
        ALIEN_FIELD("y", put_u8, n->y);
        ALIEN_FIELD("unknown_02", put_u8, n->unknown_02);
        ALIEN_FIELD("alternate", put_u8, n->alternate);
        put_alien_bytes(w, path, "links", n->links, 4);
    }
    for (unsigned i = 0; i < l->monster_count; i++) {
        const alien_monster *m = &l->monsters[i];
        snprintf(path, sizeof path, "map.monsters[%u]", i);
        ALIEN_FIELD("type", put_u8, m->type);
        ALIEN_FIELD("x", put_u8, m->x);
        ALIEN_FIELD("y", put_u8, m->y);
        ALIEN_FIELD("z", put_u8, m->z);
        ALIEN_FIELD("rotation", put_u8, m->rotation);
        ALIEN_FIELD("health", put_u8, m->health);
        ALIEN_FIELD("drop", put_u8, m->drop);
        ALIEN_FIELD("unknown_07", put_u8, m->unknown_07);
        ALIEN_FIELD("trigger_threshold", put_u8, m->trigger_threshold);
        ALIEN_FIELD("unknown_09", put_u8, m->unknown_09);
        put_alien_bytes(w, path, "unknown_0a", m->unknown_0a, 4);
        ALIEN_FIELD("speed", put_u8, m->speed);
        ALIEN_FIELD("unknown_0f", put_u8, m->unknown_0f);
        put_alien_bytes(w, path, "unknown_10", m->unknown_10, 4);
    }
    for (unsigned i = 0; i < l->pickup_count; i++) {
        const alien_pickup *p = &l->pickups[i];
        snprintf(path, sizeof path, "map.pickups[%u]", i);
        ALIEN_FIELD("x", put_u8, p->x);
        ALIEN_FIELD("y", put_u8, p->y);
        ALIEN_FIELD("type", put_u8, p->type);
        ALIEN_FIELD("amount", put_u8, p->amount);
        ALIEN_FIELD("multiplier", put_u8, p->multiplier);
        ALIEN_FIELD("unknown_05", put_u8, p->unknown_05);
        ALIEN_FIELD("trigger_threshold", put_u8, p->trigger_threshold);
        ALIEN_FIELD("amount_copy", put_u8, p->amount_copy);
    }
    for (unsigned i = 0; i < l->box_count; i++) {
        const alien_box *b = &l->boxes[i];
        snprintf(path, sizeof path, "map.boxes[%u]", i);
        ALIEN_FIELD("x", put_u8, b->x);
        ALIEN_FIELD("y", put_u8, b->y);
        ALIEN_FIELD("type", put_u8, b->type);
        ALIEN_FIELD("drop_type", put_u8, b->drop_type);
        ALIEN_FIELD("unknown_04", put_u8, b->unknown_04);
        ALIEN_FIELD("unknown_05", put_u8, b->unknown_05);
        ALIEN_FIELD("drop_first", put_u8, b->drop_first);
        ALIEN_FIELD("drop_second", put_u8, b->drop_second);
        put_alien_unknown(w, path, 8, b->unknown_08, 6);
        ALIEN_FIELD("rotation", put_u8, b->rotation);
        ALIEN_FIELD("unknown_0f", put_u8, b->unknown_0f);
    }
    for (unsigned i = 0; i < l->door_count; i++) {
        const alien_door *d = &l->doors[i];
        snprintf(path, sizeof path, "map.doors[%u]", i);
        ALIEN_FIELD("x", put_u8, d->x);
        ALIEN_FIELD("y", put_u8, d->y);
        ALIEN_FIELD("unknown_02", put_u8, d->unknown_02);
        ALIEN_FIELD("open_time", put_u8, d->open_time);
        ALIEN_FIELD("lock", put_u8, d->lock);
        ALIEN_FIELD("unknown_05", put_u8, d->unknown_05);
        ALIEN_FIELD("rotation", put_u8, d->rotation);
        ALIEN_FIELD("model", put_u8, d->model);
    }
    for (unsigned i = 0; i < l->lift_count; i++) {
        const alien_lift *d = &l->lifts[i];
        snprintf(path, sizeof path, "map.lifts[%u]", i);
        ALIEN_FIELD("x", put_u8, d->x);
        ALIEN_FIELD("y", put_u8, d->y);
        ALIEN_FIELD("z", put_u8, d->z);
        put_alien_unknown(w, path, 3, d->unknown_03, 9);
        ALIEN_FIELD("model", put_u8, d->model);
        put_alien_unknown(w, path, 0x0d, d->unknown_0d, 3);
    }
}

void put_alien_switches(writer *w, const alien_level *l) {
    char path[64];
    for (unsigned i = 0; i < l->trigger_count; i++) {
        const alien_trigger *t = &l->triggers[i];
        snprintf(path, sizeof path, "map.triggers[%u]", i);
        ALIEN_FIELD("mask", put_u8, t->mask);
        ALIEN_FIELD("first_command", put_u8, t->first_command);
        ALIEN_FIELD("uses", put_u8, t->uses);
        ALIEN_FIELD("unknown_03", put_u8, t->unknown_03);
    }
    for (unsigned i = 0; i < l->command_count; i++) {
        const alien_command *c = &l->commands[i];
        snprintf(path, sizeof path, "map.commands[%u]", i);
        ALIEN_FIELD("operation", put_u8, c->operation);
        ALIEN_FIELD("next", put_u8, c->next);
        ALIEN_FIELD("amount", put_u8, c->amount);
        ALIEN_FIELD("target", put_u8, c->target);
    }
    for (unsigned i = 0; i < l->light_count; i++) {
        const alien_light *n = &l->lights[i];
        snprintf(path, sizeof path, "map.lights[%u]", i);
        put_alien_bytes(w, path, "off_color", n->off, 3);
        ALIEN_FIELD("unknown_03", put_u8, n->off[3]);
        put_alien_bytes(w, path, "on_color", n->on, 3);
        ALIEN_FIELD("unknown_07", put_u8, n->on[3]);
        put_alien_bytes(w, path, "corner_color", n->corners[0], 3);
        ALIEN_FIELD("unknown_0b", put_u8, n->corners[0][3]);
        put_alien_bytes(w, path, "corner_color_2", n->corners[1], 3);
        ALIEN_FIELD("unknown_0f", put_u8, n->corners[1][3]);
        bool big = w->big; /* the timers are little-endian in both */
        w->big = false;
        for (int k = 0; k < 4; k++) {
            at(w, "%s.timers[%d]", path, k);
            put_u16(w, n->timers[k]);
        }
        w->big = big;
        ALIEN_FIELD("mode", put_u8, n->mode);
        ALIEN_FIELD("on", put_u8, n->is_on);
        ALIEN_FIELD("variant", put_u8, n->variant);
        ALIEN_FIELD("variant_max", put_u8, n->variant_max);
    }
    for (unsigned i = 0; i < l->animator_count; i++) {
        const alien_animator *a = &l->animators[i];
        snprintf(path, sizeof path, "map.texture_animators[%u]", i);
        ALIEN_FIELD("program", put_u16, a->program);
        ALIEN_FIELD("variant", put_u8, a->variant);
        ALIEN_FIELD("variant_max", put_u8, a->variant_max);
    }
    for (unsigned i = 0; i < l->word_count; i++) {
        snprintf(path, sizeof path, "map.texture_animation_words[%u]", i);
        ALIEN_FIELD("program", put_u16, l->words[i].program);
        ALIEN_FIELD("value", put_u16, l->words[i].value);
    }
}

void put_alien_model(writer *w, const alien_model *m, const char *path) {
    char list[80];
    begin_section(w, m->name);
    put_bytes_of(w, "OBJ1", 4);
    ALIEN_FIELD("unknown_04", put_u32, m->unknown_04);
    ALIEN_FIELD("unknown_08", put_u32, m->unknown_08);
    put_u32(w, m->quad_count + m->extra_quads);
    put_u32(w, m->vertex_count);
    snprintf(list, sizeof list, "%s.quads", path);
    put_alien_quads(w, list, m->quads, m->quad_count, true);
    snprintf(list, sizeof list, "%s.vertices", path);
    put_alien_vertices(w, list, m->vertices, m->vertex_count);
    end_section(w);
}

void put_alien_sections(writer *w, const alien_section *sections, size_t count, bool in_front) {
    for (size_t i = 0; i < count; i++) {
        if (sections[i].in_front != in_front)
            continue;
        begin_section(w, sections[i].name);
        put_bytes_of(w, sections[i].data, sections[i].size);
        end_section(w);
        if (sections[i].size % 2)
            put_u8(w, sections[i].padding);
    }
}

void begin_form(writer *w, const char *type) {
    begin_section(w, "FORM");
    put_bytes_of(w, type, 4);
}

void end_form(writer *w, int32_t more, const void *trailing, size_t trailing_size) {
    end_section(w);
    mst_store32(w->data + 4, mst_load32(w->data + 4, true) + (uint32_t)more, true);
    put_bytes_of(w, trailing, trailing_size);
}

void write_alien_level(writer *w, const alien_level *l, bool big) {
    w->big = big;
    begin_form(w, "0000");
    put_alien_sections(w, l->sections, l->section_count, true);
    if (!l->no_map) {
        begin_section(w, "MAP0");
        put_alien_header(w, l);
        put_alien_vertices(w, "map.vertices", l->vertices, l->vertex_count);
        put_alien_quads(w, "map.quads", l->quads, l->quad_count, false);
        put_alien_cells(w, l);
        put_alien_things(w, l);
        put_alien_switches(w, l);
        end_section(w);
    }
    unsigned doors = 0, lifts = 0;
    for (size_t i = 0; i < l->model_count; i++) {
        const alien_model *m = &l->models[i];
        char path[64];
        snprintf(path, sizeof path, "%s_models[%u]", m->name[0] == 'L' ? "lift" : "door",
                 m->name[0] == 'L' ? lifts++ : doors++);
        size_t marks = w->mark_count;
        put_alien_model(w, m, path);
        if (m->extra_quads) /* then it is not a model */
            w->mark_count = marks;
    }
    put_alien_sections(w, l->sections, l->section_count, false);
    end_form(w, l->form_size_bias, l->trailing, l->trailing_size);
}

uint16_t alien_color(unsigned r, unsigned g, unsigned b) {
    return (uint16_t)(r | g << 5 | b << 10);
}

void alien_small_textures(alien_textures *t) {
    static const alien_rectangle first[3] = {
        {0, 0, 31, 31, 0, 0}, {32, 0, 31, 15, 0, 0}, {64, 8, 7, 7, 0, 0}};
    static const alien_rectangle second[2] = {{0, 64, 63, 31, 1, 0}, {128, 128, 15, 15, 0, 0}};
    static const uint16_t information[8] = {256, 256, 8, 5, 2, 2, 6, 1};
    memset(t, 0, sizeof *t);
    memcpy(t->information, information, sizeof information);
    t->page_count = 2;
    for (unsigned p = 0; p < 2; p++) {
        alien_page *page = &t->pages[p];
        page->size = 65536;
        page->pixels = malloc(page->size);
        assert_non_null(page->pixels);
        for (unsigned i = 0; i < 65536; i++)
            page->pixels[i] = (uint8_t)(p ? (i % 256) ^ (i / 256) : i % 256 + 3 * (i / 256));
        page->palette_header[0] = 1;
        for (unsigned i = 0; i < 256; i++)
            page->palette[i] = i ? alien_color(i % 32, i / 8, p ? 31 : 3) : 0x7C1F;
    }
    t->pages[0].rectangle_count = 3;
    memcpy(t->pages[0].rectangles, first, sizeof first);
    t->pages[1].rectangle_count = 2;
    memcpy(t->pages[1].rectangles, second, sizeof second);
}

void alien_textures_free(alien_textures *t) {
    for (size_t i = 0; i < t->page_count; i++) {
        free(t->pages[i].pixels);
        t->pages[i].pixels = NULL;
    }
}

void write_alien_textures(writer *w, const alien_textures *t, bool big) {
    char name[5], path[64];
    unsigned page_at = 0, palette_at = 0, list_at = 0;
    w->big = big;
    begin_form(w, "PSXT");
    if (!t->no_information) {
        begin_section(w, "INFO");
        static const char *const names[8] = {"page_width", "page_height", "bits",       "rectangle_count",
                                             "unknown_08", "unknown_0a",  "unknown_0c", "unknown_0e"};
        for (int i = 0; i < 8; i++) {
            at(w, "information.%s", names[i]);
            put_u16(w, t->information[i]);
        }
        end_section(w);
    }
    for (unsigned p = 0; p < t->page_count; p++) {
        const alien_page *page = &t->pages[p];
        if (!page->no_pixels) {
            snprintf(name, sizeof name, "TP%02u", p % 100);
            begin_section(w, name);
            at(w, "pages[%u].pixels", page_at++);
            put_bytes_of(w, page->pixels, page->size);
            end_section(w);
            if (page->size % 2)
                put_u8(w, 0);
        }
        if (!page->no_palette) {
            snprintf(name, sizeof name, "CL%02u", p % 100);
            begin_section(w, name);
            snprintf(path, sizeof path, "palettes[%u]", palette_at++);
            ALIEN_FIELD("unknown_00[0]", put_u16, page->palette_header[0]);
            ALIEN_FIELD("unknown_00[1]", put_u16, page->palette_header[1]);
            for (unsigned i = 0; i < 256; i++) {
                at(w, "%s.colors[%u]", path, i);
                put_u16(w, page->palette[i]);
            }
            end_section(w);
        }
        if (!page->no_rectangles) {
            snprintf(name, sizeof name, "BX%02u", p % 100);
            begin_section(w, name);
            put_u16(w, page->rectangle_count);
            for (unsigned i = 0; i < page->rectangle_count; i++) {
                const alien_rectangle *r = &page->rectangles[i];
                snprintf(path, sizeof path, "rectangle_lists[%u].rectangles[%u]", list_at, i);
                ALIEN_FIELD("x", put_u8, r->x);
                ALIEN_FIELD("y", put_u8, r->y);
                ALIEN_FIELD("width_minus_1", put_u8, r->width_minus_1);
                ALIEN_FIELD("height_minus_1", put_u8, r->height_minus_1);
                ALIEN_FIELD("page", put_u8, r->page);
                ALIEN_FIELD("unknown_05", put_u8, r->unknown_05);
            }
            if ((2 + 6 * page->rectangle_count) % 4)
                put_bytes_of(w, "\0\0", 2);
            list_at++;
            end_section(w);
        }
    }
    put_alien_sections(w, t->sections, t->section_count, false);
    end_form(w, t->form_size_bias, t->trailing, t->trailing_size);
}
