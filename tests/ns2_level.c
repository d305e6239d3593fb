/* SPDX-License-Identifier: MIT */
#include "ns2_level.h"

void begin_property(properties *p, const char *name, uint32_t type, uint32_t components) {
    writer *w = p->l->w;
    begin_chunk(w, 2);
    at(w, "%s[%u].name", p->path, p->count);
    put_narrow(w, name);
    at(w, "%s[%u].type", p->path, p->count);
    put_u32(w, type);
    at(w, "%s[%u].component_count", p->path, p->count);
    put_u32(w, components);
    at(w, "%s[%u].animated", p->path, p->count);
    put_u32(w, 0);
}

void end_property(properties *p) {
    end_chunk(p->l->w);
    p->count++;
}

void put_reals(properties *p, const char *name, uint32_t type, uint32_t components, const float *v) {
    begin_property(p, name, type, components);
    for (uint32_t i = 0; i < components; i++) {
        at(p->l->w, "%s[%u].value[%u]", p->path, p->count, i);
        put_f32(p->l->w, v[i]);
    }
    end_property(p);
}

void put_real(properties *p, const char *name, uint32_t type, float v) {
    put_reals(p, name, type, 1, &v);
}

void put_integer(properties *p, const char *name, uint32_t type, uint32_t v) {
    begin_property(p, name, type, 1);
    at(p->l->w, "%s[%u].value[0]", p->path, p->count);
    put_u32(p->l->w, v);
    end_property(p);
}

void put_string(properties *p, const char *name, uint32_t type, const char *text) {
    begin_property(p, name, type, 1);
    at(p->l->w, "%s[%u].value[0]", p->path, p->count);
    put_wide(p->l->w, text);
    end_property(p);
}

void put_place(properties *p, float x) {
    const float origin[3] = {x, 0.5f, -2}, angles[3] = {0, 0, 1.5f};
    put_reals(p, "origin", 9, 3, origin);
    put_reals(p, "angles", 7, 3, angles);
}

void put_all_types(properties *p) {
    const float three[3] = {0.25f, 0.5f, 1}, four[4] = {1, 0.125f, 0, 0.75f};
    put_string(p, "output1", 0, "hub");
    put_integer(p, "enabled", 1, 1);
    put_real(p, "volume", 2, 0.1f);
    put_reals(p, "scale", 2, 3, three);
    if (p->l->plan.two_integers) {
        begin_property(p, "count", 3, 2);
        at(p->l->w, "%s[%u].value", p->path, p->count);
        put_bytes_of(p->l->w, "\1\0\0\0\2\0\0\0", 8);
        end_property(p);
    } else {
        begin_property(p, "count", 3, 1);
        put_u32(p->l->w, 0xFFFFFFFB); /* -5 */
        end_property(p);
    }
    put_string(p, "model", 4, "models/a.model");
    put_reals(p, "color", 5, 3, three);
    put_reals(p, "tint", 5, 4, four);
    put_real(p, "share", 6, 0.75f);
    put_real(p, "outerAngle", 7, 0.5f);
    put_real(p, "waitDelay", 8, 12.5f);
    put_real(p, "distance", 9, 3.25f);
    begin_property(p, "team", 10, 1);
    at(p->l->w, "%s[%u].value[0]", p->path, p->count);
    put_u32(p->l->w, 2);
    end_property(p);
}

void put_odd_properties(properties *p) {
    writer *w = p->l->w;
    /* an older kind of chunk */
    at(w, "%s[%u].id", p->path, p->count);
    put_u32(w, 1);
    begin_length(w);
    at(w, "%s[%u].data", p->path, p->count);
    put_bytes_of(w, "\x01\x02\x03\xFF", 4);
    end_property(p);
    /* an unknown type */
    begin_property(p, "strange", 11, 1);
    at(w, "%s[%u].data", p->path, p->count);
    put_bytes_of(w, "\xDE\xAD\xBE\xEF\x99", 5);
    end_property(p);
    /* animated: the bytes after it are not understood */
    begin_chunk(w, 2);
    at(w, "%s[%u].name", p->path, p->count);
    put_narrow(w, "moving");
    put_u32(w, 2);
    put_u32(w, 3);
    at(w, "%s[%u].animated", p->path, p->count);
    put_u32(w, 1);
    at(w, "%s[%u].data", p->path, p->count);
    put_bytes_of(w, "keys and curves", 15);
    end_property(p);
    /* bytes after the value, in a property with a duplicate name */
    for (int i = 0; i < 2; i++) {
        begin_property(p, "twice", 2, 1);
        at(w, "%s[%u].value[0]", p->path, p->count);
        put_f32(w, -0.0f);
        at(w, "%s[%u].data", p->path, p->count);
        put_bytes_of(w, "tail", 4);
        end_property(p);
    }
    /* true, false, and another value */
    begin_property(p, "flag", 1, 1);
    at(w, "%s[%u].value[0]", p->path, p->count);
    put_u32(w, 2);
    end_property(p);
    /* NaN, infinity and -0 */
    begin_property(p, "numbers", 5, 4);
    const uint32_t bits[4] = {0x7FC00000, 0x7F812345, 0xFF800000, 0x80000000};
    for (int i = 0; i < 4; i++) {
        at(w, "%s[%u].value[%d]", p->path, p->count, i);
        put_bits(w, bits[i]);
    }
    end_property(p);
    /* an unpaired high surrogate as value; a name that is not UTF-8 */
    begin_chunk(w, 2);
    put_u32(w, 3);
    put_bytes_of(w, "n\xFFm", 3);
    put_u32(w, 0);
    put_u32(w, 1);
    put_u32(w, 0);
    put_u32(w, 2);
    put_u16(w, 'x');
    put_u16(w, 0xD800);
    end_property(p);
    /* no components */
    begin_property(p, "none", 3, 0);
    end_property(p);
    begin_property(p, "noText", 0, 0);
    end_property(p);
    begin_property(p, "manyTexts", 0, 2);
    put_wide(w, "one");
    put_wide(w, "");
    end_property(p);
}

void put_object(level *l, const char *path, unsigned index) {
    static const char *const classes[] = {"location",    "logic_timer",    "ns2_gamerules", "light_point",
                                          "power_point", "resource_point", "tech_point",    "location",
                                          "power_point", "resource_point", "tech_point"};
    writer *w = l->w;
    bool odd = l->plan.everything && index == 1;
    if (l->from5) {
        bool layers = index == 0 || odd;
        at(w, "%s.has_layers", path);
        put_u32(w, index == 0 ? 1 : odd ? 2 : 0);
        if (layers) {
            at(w, "%s.layer_format", path);
            put_u32(w, odd ? 5 : 2);
            put_u32(w, 8);
            for (unsigned i = 0; i < 8; i++) {
                at(w, "%s.layer_masks[%u]", path, i);
                put_u32(w, i ? 0 : l->plan.numbered ? 1u << 1 : 1u << 3);
            }
        }
        at(w, "%s.group", path);
        put_u32(w, index == 0 && !l->plan.ungrouped ? 7 : NO_GROUP);
    } else {
        at(w, "%s.layer_mask", path);
        put_u64(w, index == 0 ? 2 : 0);
    }
    at(w, "%s.class_name", path);
    put_narrow(w, classes[index]);
    properties p = {.l = l};
    snprintf(p.path, sizeof p.path, "%s.properties", path);
    size_t place = w->size;
    if (l->from10)
        put_u32(w, 0);
    put_place(&p, (float)index);
    if (index == 0 || index == 7) /* a location has a name */
        put_string(&p, "name", 0, index ? "Upper hall" : "hub");
    if (index == 1)
        put_all_types(&p);
    if (odd)
        put_odd_properties(&p);
    if (l->from10) {
        mst_store32(w->data + place, p.count, false);
        bool cubemap = l->plan.cubemap && index == 4;
        put_u32(w, odd ? 2 : cubemap);
        if (cubemap) {
            put_narrow(w, "reflection_probe_cubemap");
            put_u32(w, 6 * 64 * 64 * 4);
            for (unsigned side = 0; side < 6; side++)
                for (unsigned row = 0; row < 64; row++) {
                    at(w, "%s.extras[0].cubemap[%u][%u]", path, side, row);
                    put_mark(w, w->size, 256, MARK_SPAN);
                    for (unsigned i = 0; i < 64; i++) {
                        put_u8(w, (uint8_t)(4 * i));
                        put_u8(w, (uint8_t)(4 * row));
                        put_u8(w, (uint8_t)(40 * side));
                        put_u8(w, 128); /* times 1 */
                    }
                }
        }
        if (odd) {
            at(w, "%s.extras[0].name", path);
            put_narrow(w, "reflection_probe_cubemap");
            put_u32(w, 16);
            put_bytes_of(w, "0123456789abcdef", 16);
            put_narrow(w, "");
            put_u32(w, 0);
        }
    }
}

void put_loop(writer *w, unsigned face, unsigned loop, unsigned count, const uint32_t (*edges)[2]) {
    put_u32(w, count);
    for (unsigned i = 0; i < count; i++) {
        at(w, "mesh.faces[%u].loops[%u][%u].flipped", face, loop, i);
        put_u32(w, edges[i][0]);
        at(w, "mesh.faces[%u].loops[%u][%u].edge", face, loop, i);
        put_u32(w, edges[i][1]);
    }
}

void put_face(level *l, unsigned face, uint32_t material, uint32_t holes) {
    static const uint32_t border[][2] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}},
                          hole[][2] = {{1, 7}, {1, 6}, {1, 5}, {1, 4}}, side[][2] = {{1, 0}, {1, 9}, {1, 8}},
                          twin[][2] = {{0, 13}, {1, 9}, {1, 8}}, lower[][2] = {{0, 10}, {0, 11}, {0, 12}},
                          point[][2] = {{0, 10}, {0, 11}, {0, 13}, {0, 12}};
    writer *w = l->w;
    bool odd = l->plan.everything && face == 1;
    at(w, "mesh.faces[%u].angle", face);
    put_f32(w, 0.25f);
    at(w, "mesh.faces[%u].offset[0]", face);
    put_bits(w, odd ? 0xFFC00000 : 0);
    at(w, "mesh.faces[%u].offset[1]", face);
    put_bits(w, odd ? 0x80000000 : 0x3F000000);
    for (int i = 0; i < 2; i++) {
        at(w, "mesh.faces[%u].scale[%d]", face, i);
        put_f32(w, 0.3076f);
    }
    at(w, "mesh.faces[%u].mapping_group", face);
    put_u32(w, odd ? 1 : NO_GROUP);
    at(w, "mesh.faces[%u].material", face);
    put_u32(w, material);
    at(w, "mesh.faces[%u].inner_loop_count", face);
    put_u32(w, holes);
    if (face == 0) {
        put_loop(w, face, 0, 4, border);
        put_loop(w, face, 1, 4, hole);
    } else if (face == 2) {
        put_loop(w, face, 0, l->plan.point_edge ? 4 : 3, l->plan.point_edge ? point : lower);
    } else {
        put_loop(w, face, 0, 3, l->plan.twin_edge ? twin : side);
    }
}

void put_triangles(level *l, unsigned face, unsigned count, const uint32_t (*triangles)[3]) {
    writer *w = l->w;
    at(w, "mesh.triangles.faces[%u]", face);
    put_mark(w, w->size, 4 + (size_t)count * (l->from8 ? 24 : 12), MARK_SPAN);
    put_u32(w, count);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned c = 0; c < 3; c++) {
            at(w, "mesh.triangles.faces[%u][%u].vertices[%u]", face, i, c);
            /* the last vertex of the last triangle of the ring is the ghost, if there are ghosts */
            put_u32(w, face == 0 && i == 7 && c == 2 && l->from7 && !l->plan.no_ghosts
                           ? 11u + l->plan.loose_vertex
                           : triangles[i][c]);
        }
        for (unsigned c = 0; l->from8 && c < 3; c++) {
            at(w, "mesh.triangles.faces[%u][%u].normals[%u]", face, i, c);
            put_u32(w, c == 0 || l->plan.unsmoothed ? 0 : 1);
        }
    }
}

void put_mesh_triangles(level *l, bool ghosts) {
    static const uint32_t ring[][3] = {{0, 1, 5}, {0, 5, 4}, {1, 2, 6}, {1, 6, 5},
                                       {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}},
                          side[][3] = {{1, 0, 8}}, lower[][3] = {{8, 9, 10}};
    writer *w = l->w;
    unsigned last = l->plan.empty_face ? 0 : 1;
    unsigned more = l->plan.third_face || l->plan.triangles_without_face ? 1 : 0;
    if (l->from7) {
        put_u32(w, ghosts);
        for (int c = 0; ghosts && c < 3; c++) {
            at(w, "mesh.triangles.ghost_vertices[0][%d]", c);
            put_f32(w, level_ghost[c]);
        }
    }
    if (l->from8) {
        put_u32(w, !l->plan.unsmoothed);
        at(w, "mesh.triangles.smoothed_normals[0]");
        if (!l->plan.unsmoothed)
            put_bytes_of(w, "\0\0\0\0\0\0\0\0\0\0\x80\x3F", 12);
    }
    at(w, "mesh.triangles.face_count");
    put_u32(w, 3 + more);
    at(w, "mesh.triangles.triangle_count");
    put_u32(w, 9 + last + more);
    put_triangles(l, 0, 8, ring);
    put_triangles(l, 1, 1, side);
    put_triangles(l, 2, last, lower);
    if (more)
        put_triangles(l, 3, 1, side);
}

void put_group_list(writer *w, const char *name, uint32_t count) {
    put_u32(w, 1);
    at(w, "mesh.geometry_groups.%s[0].id", name);
    put_u32(w, 7);
    put_u32(w, count);
    for (uint32_t i = 0; i < count; i++) {
        at(w, "mesh.geometry_groups.%s[0].indices[%u]", name, i);
        put_u32(w, i);
    }
}

void put_materials(level *l) {
    writer *w = l->w;
    const level_plan *plan = &l->plan;
    begin_chunk(w, 4);
    put_u32(w, 2 + plan->unused_material);
    at(w, "mesh.materials[0]");
    put_narrow(w, "materials/a.material");
    at(w, "mesh.materials[1]");
    put_narrow(w, "materials/b.material");
    if (plan->unused_material) {
        at(w, "mesh.materials[2]");
        put_narrow(w, "materials/c.material");
    }
    end_chunk(w);
}

void put_mesh(level *l) {
    writer *w = l->w;
    const level_plan *plan = &l->plan;
    unsigned faces = 3 + plan->third_face, entries = faces - plan->few_face_layers;
    if (!plan->materials_last)
        put_materials(l);
    if (plan->chunk_in_mesh || plan->everything) {
        at(w, "mesh.unknown_chunks[0]");
        put_mark(w, w->size, 11, MARK_SPAN);
        begin_chunk(w, 77);
        at(w, "mesh.unknown_chunks[0].data");
        put_bytes_of(w, "abc", 3);
        end_chunk(w);
    }
    begin_chunk(w, 1);
    put_u32(w, 11 + plan->loose_vertex);
    for (unsigned i = 0; i < 11u + plan->loose_vertex; i++) {
        at(w, "mesh.vertices[%u]", i);
        put_mark(w, w->size, l->from8 ? 13 : 12, MARK_SPAN);
        for (unsigned c = 0; c < 3; c++) {
            at(w, "mesh.vertices[%u].position[%u]", i, c);
            put_f32(w, level_positions[i][c]);
        }
        if (l->from8) {
            at(w, "mesh.vertices[%u].smooth", i);
            put_u8(w, i == 3 && !plan->unsmoothed);
        }
    }
    end_chunk(w);
    begin_chunk(w, 2);
    unsigned edges = 13u + (plan->loose_edge || plan->twin_edge || plan->point_edge);
    put_u32(w, edges);
    for (unsigned i = 0; i < edges; i++) {
        at(w, "mesh.edges[%u]", i);
        put_mark(w, w->size, l->from8 ? 9 : 8, MARK_SPAN);
        for (unsigned c = 0; c < 2; c++) {
            at(w, "mesh.edges[%u].vertices[%u]", i, c);
            put_u32(w, i < 13 || plan->loose_edge ? level_edges[i][c] : plan->twin_edge ? 1 - c : 10);
        }
        if (l->from8) {
            at(w, "mesh.edges[%u].smooth", i);
            put_u8(w, i == 12 && !plan->unsmoothed);
        }
    }
    end_chunk(w);
    begin_chunk(w, 3);
    put_u32(w, faces);
    put_face(l, 0, 0, 1);
    put_face(l, 1, 1, 0);
    put_face(l, 2, 1, 0);
    if (plan->third_face)
        put_face(l, 3, 1, 0);
    end_chunk(w);
    begin_chunk(w, 6);
    if (l->from5) {
        at(w, "mesh.face_layers.face_count");
        put_u32(w, entries);
        put_u32(w, 2);
    }
    for (unsigned i = 0; i < entries; i++) {
        if (!l->from5) {
            at(w, "mesh.face_layers.masks[%u]", i);
            put_u64(w, i == 0 ? 3 : 0);
            continue;
        }
        at(w, "mesh.face_layers.faces[%u].has_layers", i);
        put_u32(w, i == 0 && !plan->unlayered);
        if (i || plan->unlayered)
            continue;
        put_u32(w, 8);
        for (unsigned k = 0; k < 8; k++) {
            at(w, "mesh.face_layers.faces[%u].layer_masks[%u]", i, k);
            put_u32(w, k ? 0 : plan->numbered ? 1u << 1 | 1u << 0 : 1u << 3 | 1u << 1);
        }
    }
    end_chunk(w);
    begin_chunk(w, 7);
    put_u32(w, plan->twin_mappings ? 2 : plan->everything);
    for (unsigned group = 0; group < (plan->twin_mappings ? 2u : plan->everything); group++) {
        at(w, "mesh.mapping_groups[%u].id", group);
        put_u32(w, 1);
        for (unsigned i = 0; i < 8; i++) {
            static const char *const names[] = {"angle",     "scale[0]",  "scale[1]",  "offset[0]",
                                                "offset[1]", "normal[0]", "normal[1]", "normal[2]"};
            at(w, "mesh.mapping_groups[%u].%s", group, names[i]);
            put_f32(w, (float)i + 0.5f);
        }
    }
    end_chunk(w);
    if (l->from5) {
        begin_chunk(w, 8);
        if (plan->ungrouped) {
            put_u64(w, 0);
            put_u32(w, 0);
        } else {
            put_group_list(w, "vertex_groups", 4);
            put_group_list(w, "edge_groups", 3);
            put_group_list(w, "face_groups", 1);
        }
        end_chunk(w);
    }
    if (!plan->no_triangles) {
        begin_chunk(w, 5);
        put_mesh_triangles(l, !plan->no_ghosts);
        end_chunk(w);
    }
    if (plan->materials_last)
        put_materials(l);
}

void put_layer(level *l, const char *table, unsigned index, const char *name, uint32_t id) {
    writer *w = l->w;
    at(w, "%s[%u].name", table, index);
    put_wide(w, name);
    at(w, "%s[%u].visible", table, index);
    put_u32(w, l->plan.everything && index ? 2 : 1);
    for (unsigned i = 0; i < 4; i++) {
        at(w, "%s[%u].color[%u]", table, index, i);
        put_u8(w, (uint8_t)(250 - 40 * i));
    }
    if (l->from5) {
        at(w, "%s[%u].id", table, index);
        put_u32(w, l->plan.numbered ? index : id);
    }
}

void put_layers(level *l, const char *second) {
    begin_chunk(l->w, 3);
    put_u32(l->w, 2 + l->plan.twin_ids);
    put_layer(l, "layers", 0, "Vents", 1);
    put_layer(l, "layers", 1, second, 3);
    if (l->plan.twin_ids)
        put_layer(l, "layers", 2, "Twin", 3);
    end_chunk(l->w);
}

void put_settings(level *l) {
    writer *w = l->w;
    begin_chunk(w, 7);
    begin_chunk(w, 0x7E374C8E);
    begin_chunk(w, 0);
    at(w, "editor_settings[0].layers.name");
    put_wide(w, "Pathing");
    put_u32(w, 8);
    for (unsigned i = 0; i < 8; i++) {
        at(w, "editor_settings[0].layers.layer_masks[%u]", i);
        put_u32(w, i);
    }
    end_chunk(w);
    if (l->plan.everything || l->plan.chunk_in_settings) {
        at(w, "editor_settings[0].unknown_chunks[0]");
        put_mark(w, w->size, 9, MARK_SPAN);
        begin_chunk(w, 9);
        put_u8(w, 0x5A);
        end_chunk(w);
    }
    begin_chunk(w, 1);
    properties p = {.l = l, .path = "editor_settings[0].properties"};
    if (l->plan.two_in_settings) {
        begin_property(&p, "cell_size", 8, 2);
        at(w, "editor_settings[0].properties[0].value");
        put_f32(w, 0.26f), put_f32(w, 0.5f);
        end_property(&p);
    } else {
        put_real(&p, "cell_size", 2, 0.26f);
    }
    begin_property(&p, "cell_height", 2, 1);
    at(w, "editor_settings[0].properties[1].value[0]");
    put_f32(w, 0.4f);
    if (l->plan.tail_in_settings) {
        at(w, "editor_settings[0].properties[1].data");
        put_bytes_of(w, "abc", 3);
    }
    end_property(&p);
    end_chunk(w);
    end_chunk(w);
    if (l->plan.everything) { /* settings of another kind are kept */
        at(w, "editor_settings[1].id");
        put_u32(w, 0x12345678);
        begin_length(w);
        at(w, "editor_settings[1].data");
        put_bytes_of(w, "whatever", 8);
        end_chunk(w);
    }
    end_chunk(w);
}

void put_one_object(level *l, unsigned index) {
    char path[32];
    snprintf(path, sizeof path, "objects[%u]", index);
    begin_chunk(l->w, 1);
    put_object(l, path, index);
    end_chunk(l->w);
}

void write_level(writer *w, const level_plan *plan) {
    unsigned v = plan->version ? plan->version : 10;
    level l = {w, *plan, v, v >= 5, v >= 7, v >= 8, v >= 10};
    bool odd = plan->everything;
    put_bytes_of(w, "LVL", 3);
    at(w, "version");
    put_u8(w, (uint8_t)v);
    if (plan->mesh_second)
        put_one_object(&l, 0);
    if (odd) { /* an object before the mesh, and an unknown chunk before everything */
        at(w, "unknown_chunks[0].id");
        put_u32(w, 99);
        begin_length(w);
        at(w, "unknown_chunks[0].data");
        put_bytes_of(w, "\0\1\2", 3);
        end_chunk(w);
        put_one_object(&l, 0);
    }
    begin_chunk(w, 2);
    size_t mesh = w->size;
    put_mesh(&l);
    at(w, "mesh");
    put_mark(w, mesh, w->size - mesh, MARK_SPAN);
    end_chunk(w);
    if (plan->second_mesh) {
        at(w, "unknown_chunks[0]");
        put_mark(w, w->size, 8, MARK_SPAN);
        begin_chunk(w, 2);
        end_chunk(w);
    }
    for (unsigned i = odd || plan->mesh_second; i < LEVEL_OBJECTS; i++)
        put_one_object(&l, i);
    put_layers(&l, "Upper deck");
    if (odd || plan->second_layers) { /* a second chunk of a kind that occurs once */
        at(w, "unknown_chunks[%d]", odd);
        put_mark(w, w->size, 12, MARK_SPAN);
        at(w, "unknown_chunks[%d].id", odd);
        put_u32(w, 3);
        begin_length(w);
        put_u32(w, 0);
        end_chunk(w);
    }
    begin_chunk(w, 5);
    put_u32(w, 1 + plan->twin_ids);
    put_layer(&l, "groups", 0, "CollisionGeometry", 7);
    if (plan->twin_ids)
        put_layer(&l, "groups", 1, "Twin", 7);
    end_chunk(w);
    begin_chunk(w, 4);
    at(w, "viewports");
    put_wide(w, odd ? LEVEL_VIEWPORTS : "<viewports/>\n");
    end_chunk(w);
    if (!plan->no_editor) {
        begin_chunk(w, 6);
        put_u32(w, 16);
        for (unsigned i = 0; i < 64; i++) {
            at(w, "custom_colors[%u][%u]", i / 4, i % 4);
            put_u8(w, (uint8_t)(i * 3));
        }
        end_chunk(w);
        put_settings(&l);
    }
    if (plan->chunk_in_level) {
        at(w, "unknown_chunks[0]");
        put_mark(w, w->size, 13, MARK_SPAN);
        begin_chunk(w, 99);
        put_bytes_of(w, "12345", 5);
        end_chunk(w);
    }
    assert_int_equal(w->depth, 0);
}

void begin_block(writer *w, unsigned block, uint32_t unknown, uint16_t kind) {
    at(w, "blocks[%u].unknown_00", block);
    put_u32(w, unknown);
    begin_length(w);
    at(w, "blocks[%u].kind", block);
    put_u16(w, kind);
}

void write_clip_objects(writer *w, unsigned block) {
    level_plan plan = {.everything = true};
    level l = {w, plan, 10, true, true, true, true};
    begin_block(w, block, 1, 1);
    for (unsigned i = 0; i < 3; i++) {
        char path[48];
        snprintf(path, sizeof path, "blocks[%u].objects[%u]", block, i);
        at(w, "%s.id", path);
        put_u32(w, i == 2 ? 4 : 1);
        begin_length(w);
        put_object(&l, path, i);
        end_length(w);
    }
    end_length(w);
}

void write_clip_mesh_of(writer *w, unsigned block, const level_plan *plan) {
    level l = {w, *plan, 10, true, true, true, true};
    begin_block(w, block, 1, 2);
    size_t marks = w->mark_count, start = w->size;
    put_mesh(&l);
    w->mark_count = marks;
    /* removes the last chunk, the triangles, found by following the headers */
    size_t place = start, last = start;
    while (place < w->size) {
        last = place;
        place += 8 + mst_load32(w->data + place + 4, false);
    }
    assert_int_equal(mst_load32(w->data + last, false), 5);
    w->size = last;
    end_length(w);
}

void write_clip_mesh(writer *w, unsigned block) {
    level_plan plan = {.version = 10};
    write_clip_mesh_of(w, block, &plan);
}

void write_clip_of_level(writer *w, level_plan plan) {
    plan.ungrouped = plan.unlayered = true;
    write_clip_mesh_of(w, 0, &plan);
    plan.ungrouped = false; /* entities store their group */
    level l = {w, plan, 10, true, true, true, true};
    begin_block(w, 1, 1, 1);
    for (unsigned i = 0; i < LEVEL_OBJECTS; i++) {
        char path[48];
        snprintf(path, sizeof path, "blocks[1].objects[%u]", i);
        put_u32(w, 1);
        begin_length(w);
        put_object(&l, path, i);
        end_length(w);
    }
    end_length(w);
}
