/* SPDX-License-Identifier: MIT */
/* The triggers of a list of objects in words: when they fire, and what their commands do. */
#include "../../../core/diagnose.h"
#include "../../../core/output.h"
#include "../../../core/unreachable.h"
#include "../../present.h"
#include "objects_graph.h"

enum { TRIG_POINT = 0x4B, TRIG_PLANE, TRIG_AREA, TRIG_TIME, TRIG_BUTTON, TRIG_SETUP, TRIG_BITS = 0x54 };
enum { TRIG_CYLINDER = 0x230 };

/* Bits of a command's flags. */
enum { ENTERING = 1, LEAVING = 2, EVERY_ENTERING = 4, EVERY_LEAVING = 8, EVERY_FRAME = 16, AT_LOAD = 32 };

#define LISTED   8 /* objects on which a trigger acts */
#define GAME_BIT 0x12
#define ANY      (-1)
/*
 * The effects of commands, by their number and `parameter_1`; the first match counts. In the words, $a and $b
 * are the two parameters, $w is a * 256 + b, $d the directory w, $e the directory a, $m the map b, $t w / 10.
 */
static const struct {
    uint8_t command;
    int16_t a;
    const char *words;
} phrases[] = {
    {0x01, 8, "the player is idle"},
    {0x01, 9, "the player enters state 10"},
    {0x01, 10, "the player enters state 11"},
    {0x01, 11, "the player is idle at speed 14"},
    {0x01, ANY, "nothing (player, $a)"},
    {0x02, ANY, "nothing (command 0x02)"},
    {0x03, ANY, "nothing (command 0x03)"},
    {0x05, ANY, "nothing (command 0x05)"},
    {0x04, ANY, "play sound $w on entering, stop it on leaving"},
    {0x06, ANY, "camera action $a with $b"},
    {0x08, 0, "clouds and lights $b"},
    {0x08, 1, "no anti-aliasing $b"},
    {0x08, 2, "lights $b"},
    {0x08, 3, "nothing (picture, 3)"},
    {0x08, 4, "shadow of the player: mode $b"},
    {0x08, 5, "no water effects $b"},
    {0x08, 6, "slot of the sky $b"},
    {0x08, 7, "switch of the renderer $b"},
    {0x08, 8, "shimmer of heat $b"},
    {0x08, 9, "the other light of the sky within $b frames"},
    {0x08, 10, "light 0 of the sky within $b frames"},
    {0x08, 11, "light 1 of the sky within $b frames"},
    {0x0A, ANY, "environment effect $w"},
    {0x0B, 0, "run sequence $b on the nearest object of group 15"},
    {0x0B, 3, "run sequence $b on the nearest object of group 15"},
    {0x0B, 1, "set flag $b of the sequence"},
    {0x0B, 2, "clear flag $b of the sequence"},
    {0x0C, ANY, "run all triggers whose trigger_id is $w"},
    {0x0D, ANY, "light action $w"},
    {0x10, ANY, "give the player model $a"},
    {0x11, ANY, "the companion talks about $w"},
    {0x13, ANY, "load object group $w"},
    {0x14, ANY, "unload object group $w"},
    {0x15, ANY, "load the textures of table $w"},
    {0x16, ANY, "free the textures of table $w"},
    {0x18, ANY, "set the act of this map to $w"},
    {0x1A, ANY, "load object group $a of map $m"},
    {0x1B, ANY, "unload object group $a of map $m"},
    {0x1C, 3, "sky: indoors if 1, outdoors if 0 or 2: $b"},
    {0x1C, ANY, "day effect $a of the sky: $b (0: off)"},
    {0x1D, 0, "forbid the horn, fireflies and feeding"},
    {0x1D, ANY, "allow the horn, fireflies and feeding"},
    {0x1E, ANY, "set the act of map $m to $a"},
    {0x1F, ANY, "save point here, with $b"},
    {0x20, 0, "go to the next layer"},
    {0x20, ANY, "go to the previous layer"},
    {0x22, ANY, "load object group $w, or unload it if it is loaded"},
    {0x23, 0, "restart here"},
    {0x23, 1, "forget where to restart"},
    {0x23, 2, "go to the restart place"},
    {0x23, 3, "restart here (of the other kind)"},
    {0x26, 0, "call the companion"},
    {0x26, 1, "remove the companion"},
    {0x26, 2, "send the companion to the nearest place of group 50, else 49"},
    {0x26, 3, "allow balls for the companion"},
    {0x26, 4, "forbid balls for the companion"},
    {0x27, ANY, "load the files of directory $d"},
    {0x28, ANY, "unload the files of directory $d"},
    {0x2A, ANY, "keep the data of directory $e in bucket $b"},
    {0x2B, ANY, "unload the data of directory $e from bucket $b"},
    {0x2C, ANY, "speed or size of the triggering object: $t"},
    {0x2D, ANY, "say text $w"},
    {0x2E, ANY, "tidy the memory"},
    {0x2F, ANY, "$b seconds more for the nearest timer"},
};

static void put_directory(mst_output *out, unsigned number) {
    const mst_sfa_directory *known = mst_sfa_directory_of((int)number);
    mst_output_format(out, known ? "%u %s" : "%u", number, known ? known->name : "");
}

static void put_phrase(mst_output *out, const char *words, unsigned a, unsigned b) {
    unsigned both = a << 8 | b;
    const mst_sfa_map *map = mst_sfa_map_of((int)b);
    for (; *words; words++) {
        if (*words != '$') {
            mst_output_bytes(out, words, 1);
            continue;
        }
        switch (*++words) {
        case 'a': mst_output_format(out, "%u", a); break;
        case 'b': mst_output_format(out, "%u", b); break;
        case 'w': mst_output_format(out, "%u", both); break;
        case 't': mst_output_format(out, "%u.%u", both / 10, both % 10); break;
        case 'd': put_directory(out, both); break;
        case 'e': put_directory(out, a); break;
        default: mst_output_format(out, map ? "%u %s" : "%u", b, map ? map->list : ""); break;
        }
    }
}

static void put_command(mst_output *out, const mst_sfa_command *command) {
    static const char *const verbs[] = {"clear", "set", "turn over", "leave"};
    unsigned a = command->parameter_1, b = command->parameter_2, both = a << 8 | b;
    if (command->command == GAME_BIT) {
        mst_output_format(out, "%s game bit 0x%04X", verbs[a >> 6], both & 0x3FFF);
        return;
    }
    if (command->command == 0x21) {
        mst_output_format(out, "turn over part %u of game bit 0x%04X", both >> 13, both & 0x1FFF);
        return;
    }
    for (size_t i = 0; i < MST_COUNT_OF(phrases); i++)
        if (phrases[i].command == command->command && (phrases[i].a == ANY || phrases[i].a == (int)a)) {
            put_phrase(out, phrases[i].words, a, b);
            return;
        }
    mst_output_format(out, "nothing known (command 0x%02X, %u, %u)", command->command, a, b);
}

static void put_when(mst_output *out, unsigned flags) {
    if (flags & EVERY_FRAME)
        mst_output_text(out, flags & ENTERING  ? "every frame inside"
                             : flags & LEAVING ? "every frame outside"
                                               : "every frame");
    else if (!(flags & (ENTERING | LEAVING)))
        mst_output_text(out, "never");
    else {
        if (flags & ENTERING)
            mst_output_format(out, "on entering, %s",
                              flags & EVERY_ENTERING ? "every time" : "the first time");
        if ((flags & ENTERING) && (flags & LEAVING))
            mst_output_text(out, ", and ");
        if (flags & LEAVING)
            mst_output_format(out, "on leaving, %s", flags & EVERY_LEAVING ? "every time" : "the first time");
    }
    mst_output_text(out, flags & AT_LOAD ? " (also at load): " : ": ");
}

static void put_shape(mst_output *out, int type, const mst_sfa_trigger *one) {
    const uint8_t *size = one->size;
    switch (type) {
    case TRIG_POINT: mst_output_format(out, "sphere of radius %d", 2 * size[0]); break;
    case TRIG_CYLINDER:
        mst_output_format(out, "cylinder of radius %d, %d up and down", 2 * size[0], 2 * size[1]);
        break;
    case TRIG_PLANE: mst_output_format(out, "plane of size %u", size[0]); break;
    case TRIG_AREA:
        mst_output_format(out, "box of %d x %d x %d", 4 * size[0], 4 * size[1], 4 * size[2]);
        break;
    case TRIG_TIME: mst_output_format(out, "after %u frames", one->delay); break;
    case TRIG_BUTTON: mst_output_text(out, "never fires"); break;
    case TRIG_SETUP: mst_output_text(out, "once, at load"); break;
    default: mst_output_text(out, "when all four gates are set"); break;
    }
    if (one->target == 1 || one->target == 2)
        mst_output_format(out, ", for the %s", one->target == 1 ? "companion" : "camera");
    else if (one->target)
        mst_output_format(out, ", for object group %u", one->target - 1u);
    if (one->trigger_id > 0)
        mst_output_format(out, ", only when called as %d", one->trigger_id);
    if (one->activate != -1)
        mst_output_format(out, ", sets game bit 0x%04X", (unsigned)one->activate & 0x7FFF);
}

/* The objects that a trigger acts on, a line for each number by which it acts. */
static void put_actions(mst_output *out, const mst_sfa_graph *graph, uint32_t index) {
    static const char *const kinds[] = {"named by game bit", "in object group", "called as"};
    mst_sfa_action actions[MST_SFA_ACTIONS];
    size_t count = mst_sfa_graph_actions(graph, index, actions);
    for (size_t i = 0; i < count; i++) {
        size_t others = actions[i].count, done = 0;
        for (size_t k = 0; k < actions[i].count; k++)
            others -= actions[i].first[k].object == index;
        if (!others)
            continue;
        mst_output_format(out, actions[i].kind == MST_SFA_BY_BIT ? "    %s 0x%04X:" : "    %s %u:",
                          kinds[actions[i].kind], actions[i].number);
        for (size_t k = 0; k < actions[i].count && done < LISTED; k++) {
            uint32_t other = actions[i].first[k].object;
            int type = graph->objects->items[other].type;
            const char *name = mst_name_of_number(&mst_sfa_object_type_names, type);
            if (other == index)
                continue;
            mst_output_format(out, "%s objects[%u]", done++ ? "," : "", other);
            if (name)
                mst_output_format(out, " %s", name);
            else
                mst_output_format(out, " of type %d", type);
        }
        if (others > done)
            mst_output_format(out, ", and %zu more", others - done);
        mst_output_text(out, "\n");
    }
}

static void put_trigger(mst_output *out, const mst_sfa_graph *graph, uint32_t index) {
    const mst_sfa_object *object = &graph->objects->items[index];
    mst_sfa_trigger one = {.activate = -1};
    const mst_sfa_object_type *type = mst_sfa_object_type_of(object->type);
    if (MST_UNREACHABLE(!type)) /* all types that are triggers are known */
        return;
    mst_fill(&graph->trigger, &object->parameters, &one);
    mst_output_format(out, "objects[%u] %s (", index, type->name);
    put_shape(out, object->type, &one);
    mst_output_text(out, ")");
    mst_value commands = mst_member_in(&object->parameters, "commands"), value;
    unsigned flags = 0;
    bool any = false;
    for (mst_iterator it = mst_iterate(&commands); mst_next(&it, &value);) {
        mst_sfa_command command = {.command = 0};
        mst_fill(&graph->command, &value, &command);
        if (!command.command)
            continue;
        if (any && command.flags == flags) {
            mst_output_text(out, "; ");
        } else {
            mst_output_text(out, any ? " / " : ": ");
            put_when(out, command.flags);
        }
        put_command(out, &command);
        flags = command.flags;
        any = true;
    }
    mst_output_text(out, any ? "\n" : ": no commands\n");
}

mst_status mst_sfa_describe_objects(const mst_document *document, const char *what,
                                    const mst_resolver *sidecars, mst_sink sink, mst_diagnostic *diagnostic) {
    (void)sidecars;
    if (strcmp(what, "triggers") != 0)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "an object list has no %s", what);
    mst_value root = mst_root(document), list;
    if (mst_member(&root, "objects", &list) != MST_OK)
        return MST_OK;
    mst_arena arena;
    mst_sfa_objects objects;
    mst_arena_begin(&arena, &document->allocator, 0);
    mst_status status = mst_sfa_read_objects(&list, &arena, &objects);
    mst_sfa_graph graph;
    if (status == MST_OK)
        status = mst_sfa_graph_begin(&graph, document, &objects);
    if (status == MST_OK) {
        mst_output out;
        mst_output_begin(&out, sink);
        for (uint32_t i = 0; i < objects.count; i++)
            if (objects.items[i].parameters.document &&
                mst_sfa_layout_of_type((uint32_t)objects.items[i].type) == MST_SFA_PART_TRIGGER) {
                put_trigger(&out, &graph, i);
                put_actions(&out, &graph, i);
            }
        status = mst_output_end(&out);
        mst_sfa_graph_end(&graph);
    }
    mst_arena_end(&arena);
    return status == MST_OK ? MST_OK : mst_fail(diagnostic, status, "the triggers could not be written");
}
