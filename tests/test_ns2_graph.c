/* SPDX-License-Identifier: MIT */
/* Actions between entities in a level of Natural Selection 2: in words, and as arrows in its scene. */
#include "ns2_scene.h"

#define AT(x)                             PROPERTY("origin", "distance", x ",0,0")
#define NAMED(name)                       PROPERTY("name", "string", "\"" name "\"")
#define TEXT(key, text)                   PROPERTY(key, "string", "\"" text "\"")
#define NUMBER(key, n)                    PROPERTY(key, "integer", n)
#define REAL(key, n)                      PROPERTY(key, "real", n)
#define ENTITY(class_name, x, properties) OBJECT(class_name, NO_GROUP, AT(x) "," properties)
#define LEVEL_OF(entities)                LEVEL("10", "", ",\"objects\":[" entities "]")

typedef struct words_case {
    const char *level, *words;
    size_t arrow_count;
    double arrows[6][2]; /* from x to x */
} words_case;

/* clang-format off */
static const words_case cases[] = {
    /* no actions */
    {LEVEL_OF(ENTITY("tech_point", "1", NAMED("a"))), "", 0, {{0}}},
    /* outputs: by name in either case, of several entities, of none, without a text */
    {LEVEL_OF(ENTITY("logic_button", "1", NAMED("lift") "," TEXT("output1", "PLATform") "," TEXT("output2", "")
                     "," TEXT("output10", "no one") "," TEXT("output", "platform"))
              "," ENTITY("func_moveable", "2", NAMED("Platform"))
              "," ENTITY("func_door", "3", NAMED("platform") "," NAMED("second"))),
     "objects[0] logic_button \"lift\": output1 triggers objects[1] func_moveable \"Platform\" and objects[2] "
     "func_door \"platform\"\n"
     "objects[0] logic_button \"lift\": output10 is \"no one\", which nothing has\n",
     2, {{1, 2}, {1, 3}}},
    /* one that names itself, and a name of two lines */
    {LEVEL_OF(ENTITY("", "1", NAMED("a\\nb") "," TEXT("output1", "A\\nb"))),
     "objects[0] \"a b\": output1 triggers objects[0] \"a b\"\n", 0, {{0}}},
    /* one of several destinations is chosen; a name takes precedence */
    {LEVEL_OF(ENTITY("teleport_trigger", "1", NUMBER("teleportDestinationId", "3"))
              "," ENTITY("teleport_trigger", "2", NUMBER("teleportDestinationId", "4"))
              "," ENTITY("teleport_trigger", "3", NUMBER("teleportDestinationId", "3") "," TEXT("destination", "gate"))
              "," ENTITY("teleport_destination", "5", NUMBER("teleportDestinationId", "3"))
              "," ENTITY("teleport_destination", "6", NUMBER("teleportDestinationId", "3") "," NAMED("gate"))),
     "objects[0] teleport_trigger: leads to objects[3] teleport_destination or objects[4] teleport_destination "
     "\"gate\"\n"
     "objects[1] teleport_trigger: teleportDestinationId is 4, which no teleport_destination has\n"
     "objects[2] teleport_trigger: leads to objects[4] teleport_destination \"gate\"\n",
     3, {{1, 5}, {1, 6}, {3, 6}}},
    /* a train's path is in the order of numbers, regardless of the order of the waypoints */
    {LEVEL_OF(ENTITY("func_train_waypoint", "1", TEXT("trainName", "t") "," REAL("number", "2.5"))
              "," ENTITY("func_train_waypoint", "2", TEXT("trainName", "t") "," REAL("number", "-1"))
              "," ENTITY("func_train_waypoint", "3", TEXT("trainName", "T") "," NAMED("end") "," REAL("number", "3"))
              "," ENTITY("func_train_waypoint", "4", TEXT("trainName", "u"))
              "," ENTITY("func_train_waypoint", "5", TEXT("trainName", "p") "," REAL("number", "\"NaN\""))
              "," ENTITY("func_train_waypoint", "6", TEXT("trainName", "p"))
              "," ENTITY("tech_point", "7", NAMED("t"))
              "," ENTITY("func_train", "8", NAMED("t"))
              "," ENTITY("func_platform", "9", NAMED("p"))),
     "objects[3] func_train_waypoint: trainName is \"u\", which nothing has\n"
     "objects[7] func_train \"t\": leads to objects[1], then objects[0], then objects[2] \"end\"\n"
     "objects[8] func_platform \"p\": leads to objects[4], then objects[5]\n",
     5, {{8, 2}, {2, 1}, {1, 3}, {9, 5}, {5, 6}}},
    /* waves and their path */
    {LEVEL_OF(ENTITY("npc_wave_manager", "1", TEXT("waypoint", "a"))
              "," ENTITY("logic_waypoint", "2", NAMED("a") "," TEXT("output1", "b"))
              "," ENTITY("logic_waypoint", "3", NAMED("b") "," TEXT("output1", "door"))
              "," ENTITY("func_door", "4", NAMED("door"))),
     "objects[0] npc_wave_manager: sends its waves to objects[1] logic_waypoint \"a\"\n"
     "objects[1] logic_waypoint \"a\": output1 leads on to objects[2] logic_waypoint \"b\"\n"
     "objects[2] logic_waypoint \"b\": output1 triggers objects[3] func_door \"door\"\n",
     3, {{1, 2}, {2, 3}, {3, 4}}},
    /* channels: 0 is none, and the arrow starts at the emitter */
    {LEVEL_OF(ENTITY("cinematic", "1", NUMBER("listenChannel", "0"))
              "," ENTITY("sound_effect", "2", NUMBER("listenChannel", "7"))
              "," ENTITY("logic_listener", "3", NUMBER("listenChannel", "8"))
              "," ENTITY("prop_dynamic", "4", NUMBER("emitChannel", "7"))
              "," ENTITY("prop_dynamic", "5", NUMBER("emitChannel", "0"))),
     "objects[1] sound_effect: listens to objects[3] prop_dynamic\n"
     "objects[2] logic_listener: listenChannel is 8, which nothing has\n",
     1, {{4, 2}}},
    /* rooms */
    {LEVEL_OF(ENTITY("room_spawn", "1", NUMBER("RoomId", "0")) "," ENTITY("room_spawn", "2", NUMBER("RoomId", "1"))
              "," ENTITY("room_spawn", "3", NUMBER("RoomId", "0")) "," ENTITY("room_spawn", "4", NUMBER("RoomId", "0"))),
     "objects[0] room_spawn: RoomId is 0, like objects[2] room_spawn and objects[3] room_spawn\n",
     0, {{0}}},
    /* entities that act on players, regardless of references to them */
    {LEVEL_OF(ENTITY("team_join", "1", PROPERTY("teamNumber", "choice", "2"))
              "," ENTITY("team_join", "2", PROPERTY("teamNumber", "choice", "0") "," NAMED("door"))
              "," ENTITY("team_join", "3", PROPERTY("editorTeamNumber", "choice", "3"))
              "," ENTITY("death_trigger", "4", PROPERTY("enabled", "bool", "true") "," REAL("damageOverTime", "0"))
              "," ENTITY("death_trigger", "5", PROPERTY("enabled", "bool", "false") "," REAL("damageOverTime", "2.5"))
              "," ENTITY("push_trigger", "6", REAL("pushForce", "30") "," PROPERTY("enabled", "bool", ""))
              "," ENTITY("jump_pad_trigger", "7", TEXT("", "1"))
              "," ENTITY("logic_button", "8", TEXT("output1", "door"))),
     "objects[7] logic_button: output1 triggers objects[1] team_join \"door\"\n"
     "objects[0] team_join: whoever enters joins team 2 (1 marines, 2 aliens, 3 either)\n"
     "objects[1] team_join \"door\": whoever enters watches the game\n"
     "objects[2] team_join: whoever enters joins a team\n"
     "objects[3] death_trigger: whoever enters dies\n"
     "objects[4] death_trigger: whoever is inside loses 2.5 points a second, once it is enabled\n"
     "objects[5] push_trigger: pushes whoever enters with a force of 30\n"
     "objects[6] jump_pad_trigger: makes whoever enters jump\n",
     1, {{8, 2}}},
    /* values of other types, and lists without elements, have no meaning; positions that are not finite
     * are 0 */
    {LEVEL_OF(ENTITY("logic_button", "1", NUMBER("output1", "5") "," PROPERTY("output2", "string", ""))
              "," ENTITY("teleport_trigger", "2", TEXT("teleportDestinationId", "5") "," NUMBER("name", "5"))
              "," OBJECT("logic_button", NO_GROUP, PROPERTY("origin", "distance", "\"NaN\",0,0") "," TEXT("output1", "x"))
              "," ENTITY("tech_point", "9", NAMED("x"))
              "," OBJECT("logic_button", NO_GROUP, PROPERTY("origin", "distance", "7") "," TEXT("output1", "x"))),
     "objects[2] logic_button: output1 triggers objects[3] tech_point \"x\"\n"
     "objects[4] logic_button: output1 triggers objects[3] tech_point \"x\"\n",
     2, {{0, 9}, {0, 9}}},
};
/* clang-format on */

/* Of other levels; a failing sink ends it. */
static void classes_are_listed(void **state) {
    (void)state;
    mst_document *document = open_json(cases[0].level, NULL);
    mst_buffer text = {0};
    mst_diagnostic why;
    MUST(mst_describe(document, "classes", NULL, mst_buffer_sink(&text), &why), &why);
    MUST(mst_buffer_sink(&text).write(&text, "", 1), NULL);
    assert_non_null(strstr((const char *)text.data, "\nlight_point\n"));
    assert_non_null(strstr((const char *)text.data, "\ntech_point\n"));
    mst_buffer_free(&text);
    assert_int_equal(mst_describe(document, "classes", NULL, (mst_sink){.write = refuse_bytes}, &why),
                     MST_IO);
    mst_close(document);
}

static mst_status find_setup(void *user, const char *name, const void **bytes, size_t *size) {
    *bytes = user;
    *size = strlen(user);
    return strcmp(name, "editor_setup.xml") == 0 ? MST_OK : MST_NO_PATH;
}

static void assert_class(const mst_document *document, const char *what, const mst_resolver *sidecars,
                         const char *wanted) {
    const mst_describe_options options = {.size = sizeof options, .sidecars = sidecars};
    mst_buffer text = {0};
    mst_diagnostic why;
    MUST(mst_describe(document, what, &options, mst_buffer_sink(&text), &why), &why);
    MUST(mst_buffer_sink(&text).write(&text, "", 1), NULL);
    if (*wanted)
        assert_non_null(strstr((const char *)text.data, wanted));
    else
        assert_string_equal(text.data, "");
    mst_buffer_free(&text);
}

/* By a schema, and without one by the classes of other levels. */
static void classes_are_described(void **state) {
    static char setup[] =
        "<setup><class name=\"base\"><parameter name=\"side\" type=\"choice\" default=\"2\">"
        "<choice value=\"1\" label=\"Left &quot;L&quot;\"/><choice value=\"2\" label=\"Right\"/></parameter>"
        "</class><class name=\"own_door\"><parent>base</parent>"
        "<parameter name=\"speed\" type=\"real\" default=\"1.5\"/></class></setup>";
    const mst_resolver sidecars = {.find = find_setup, .user = setup};
    mst_document *document = open_json(cases[0].level, NULL);
    (void)state;
    assert_class(document, "class location", NULL,
                 "{\"name\":\"name\",\"type\":\"string\",\"value\":[\"\"],\"choices\":[]}\n");
    assert_class(document, "class own_door", NULL, "");
    if (MST_WITH_XML) {
        assert_class(document, "class own_door", &sidecars,
                     "{\"name\":\"side\",\"type\":\"choice\",\"value\":[2],\"choices\":"
                     "[[1,\"Left \\\"L\\\"\"],[2,\"Right\"]]}\n");
        assert_class(document, "class own_door", &sidecars,
                     "{\"name\":\"speed\",\"type\":\"real\",\"value\":[1.5],\"choices\":[]}\n");
        assert_class(document, "classes", &sidecars, "\nown_door\n");
    }
    assert_class(document, "class light_point", &sidecars, "\"name\":\"intensity\"");
    mst_close(document);
}

static void words_and_arrows(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_document *document = open_json(cases[i].level, NULL);
        assert_describes(document, "triggers", cases[i].words);
        mst_scene *scene = scene_of(document, NULL);
        assert_int_equal(scene->map ? scene->map->line_count : 0, cases[i].arrow_count);
        for (size_t k = 0; k < cases[i].arrow_count; k++) {
            const mst_map_line *line = &scene->map->lines[k];
            assert_int_equal(line->kind, MST_MAP_LINK);
            assert_close((double)line->from[0], cases[i].arrows[k][0], 0);
            assert_close((double)line->to[0], cases[i].arrows[k][1], 0);
        }
        mst_scene_free(scene);
        mst_close(document);
    }
}

/* Of many matches the first are named, and a few get arrows. */
static void many_targets(void **state) {
    (void)state;
    char text[8192];
    size_t length = 0;
    enum { MANY = 20 };
#define ADD(...) length += (size_t)snprintf(text + length, sizeof text - length, __VA_ARGS__)
    ADD("%s", "{\"$format\":\"ns2-level\",\"version\":10,\"mesh\":{},\"objects\":[" ENTITY(
                  "logic_button", "1", TEXT("output1", "x")));
    for (int i = 0; i < MANY; i++)
        ADD("%s", "," ENTITY("t", "2", NAMED("x")));
    ADD("]}");
    mst_document *document = open_json(text, NULL);
    assert_describes(document, "triggers",
                     "objects[0] logic_button: output1 triggers objects[1] t \"x\", objects[2] t \"x\", "
                     "objects[3] t \"x\", objects[4] t \"x\", objects[5] t \"x\", objects[6] t \"x\", "
                     "objects[7] t \"x\", objects[8] t \"x\" and 12 more\n");
    mst_scene *scene = scene_of(document, NULL);
    assert_int_equal(scene->map->line_count, 16);
    mst_scene_free(scene);
    mst_close(document);
}

/* The entities of a clipboard have paths of their own. */
static void clipboards(void **state) {
    (void)state;
    mst_document *document = open_json(
        "{\"$format\":\"ns2-clip\",\"blocks\":[{\"kind\":\"mesh\",\"mesh\":{}},{\"kind\":\"objects\","
        "\"objects\":[" ENTITY("logic_button", "1", TEXT("output1", "x")) "," ENTITY("func_door", "2",
                                                                                     NAMED("x")) "]}]}",
        NULL);
    assert_describes(document, "triggers",
                     "blocks[1].objects[0] logic_button: output1 triggers blocks[1].objects[1] func_door "
                     "\"x\"\n");
    mst_close(document);
}

static void what_cannot_be_said(void **state) {
    (void)state;
    mst_document *document = open_json(cases[1].level, NULL);
    mst_diagnostic why;
    mst_buffer text = {0};
    assert_int_equal(mst_describe(document, "wings", NULL, mst_buffer_sink(&text), &why), MST_UNSUPPORTED);
    assert_string_equal(why.message, "Natural Selection 2 level has no wings");
    assert_int_equal(mst_describe(document, "triggers", NULL, (mst_sink){.write = refuse_bytes}, &why),
                     MST_IO);
    assert_int_equal(why.status, MST_IO);
    mst_close(document);
}

/* Each request for memory is refused once. */
static void memory(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_document *document = open_json(cases[i].level, NULL);
        assert_true(assert_refused_scenes(document, NULL) > 0);
        mst_close(document);
    }
}

int test_ns2_graph(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_listed),
        cmocka_unit_test(classes_are_described),
        cmocka_unit_test(words_and_arrows),
        cmocka_unit_test(many_targets),
        cmocka_unit_test(clipboards),
        cmocka_unit_test(what_cannot_be_said),
        cmocka_unit_test(memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
