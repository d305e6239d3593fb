/* SPDX-License-Identifier: MIT */
/* Selectors, paths and conditions: the bytes are the text, for a level with some of everything. */
#include "../../src/read/opened.h"
#include "property.h"
#include <stdio.h>

const char fuzz_promise[] =
    "what a selector finds is found by its path; any other text is refused in words; an "
    "element meets conditions, or it meets their opposite";

static const char level[] =
    "{\"$format\":\"ns2-level\",\"version\":10,\"mesh\":{\"materials\":[\"materials/floor.material\","
    "\"materials/wall.material\"],\"vertices\":[{\"position\":[0,0,0],\"smooth\":0},"
    "{\"position\":[8,0,0],\"smooth\":0},{\"position\":[8,8,0],\"smooth\":1}],\"edges\":["
    "{\"vertices\":[0,1],\"smooth\":0},{\"vertices\":[1,2],\"smooth\":0},{\"vertices\":[2,0],\"smooth\":0}],"
    "\"faces\":[{\"angle\":0.25,\"offset\":[0,0.5],\"scale\":[0.5,0.5],\"mapping_group\":\"none\","
    "\"material\":1,\"loops\":[[{\"flipped\":false,\"edge\":0},{\"flipped\":false,\"edge\":1},"
    "{\"flipped\":false,\"edge\":2}]]}]},\"layers\":[{\"name\":\"Props\",\"visible\":true,\"color\":[1,2,3,4]"
    ","
    "\"id\":0},{\"name\":\"Lights\",\"visible\":false,\"color\":[1,2,3,4],\"id\":1}],\"groups\":["
    "{\"name\":\"Vents\",\"visible\":true,\"color\":[1,2,3,4],\"id\":7}],\"objects\":[{\"has_layers\":true,"
    "\"layer_format\":2,\"layer_masks\":[2],\"group\":7,\"class_name\":\"light_point\",\"extras\":[],"
    "\"properties\":[{\"name\":\"origin\",\"type\":\"distance\",\"animated\":false,\"value\":[1,2,3]},"
    "{\"name\":\"intensity\",\"type\":\"real\",\"animated\":false,\"value\":[4]}]},{\"has_layers\":false,"
    "\"group\":\"none\",\"class_name\":\"location\",\"extras\":[],\"properties\":[{\"name\":\"origin\","
    "\"type\":\"distance\",\"animated\":false,\"value\":[0,0,0]},{\"name\":\"name\",\"type\":\"string\","
    "\"animated\":false,\"value\":[\"Hub\"]},{\"name\":\"scale\",\"type\":\"real\",\"animated\":false,"
    "\"value\":[4,4,4]}]}]}";

static const mst_document *the_level(void) {
    static mst_document *document;
    const mst_open_options options = {.size = sizeof options, .lenient_json = 1};
    mst_diagnostic why;
    if (!document)
        MUST(mst_open_json(level, sizeof level - 1, &options, &document, &why), &why);
    return document;
}

static mst_status is_found(void *user, const char *path, const mst_value *value) {
    mst_value found;
    mst_diagnostic why;
    MUST(mst_find(mst_root(user), path, &found, &why), &why);
    HOLDS(found.offset == value->offset && mst_value_type(&found) == mst_value_type(value));
    return MST_OK;
}

/* Refused because of the text, with a message. */
static void is_refused(mst_status status, const mst_diagnostic *why) {
    HOLDS(status == MST_ARGUMENT || status == MST_NO_PATH);
    fuzz_is_told(why, status);
}

static void selects(const mst_document *document, const char *text) {
    mst_selected selected;
    mst_diagnostic why;
    mst_value found;
    const mst_status status =
        mst_select(mst_root(document), text, is_found, (void *)(uintptr_t)document, &selected, &why);
    if (status != MST_OK)
        is_refused(status, &why);
    mst_is_selector(text, 1);
    if (mst_find(mst_root(document), text, &found, &why) != MST_OK)
        fuzz_is_told(&why, MST_NO_PATH);
}

/* Whether brackets around the text would enclose all of it: each of its own is closed, and no quotes are
 * open. */
static int is_closed(const char *text) {
    char open[512];
    size_t depth = 0;
    for (; *text; text++)
        if (strchr("\"'\\", *text))
            return 0;
        else if (strchr("([{", *text))
            open[depth++] = *text == '(' ? ')' : *text == '[' ? ']' : '}';
        else if (strchr(")]}", *text) && (depth == 0 || open[--depth] != *text))
            return 0;
    return depth == 0;
}

static void meets(const mst_document *document, const char *list, const char *text) {
    char opposite[600];
    mst_value element;
    mst_diagnostic why;
    bool met, other, cell;
    MUST(mst_find(mst_root(document), list, &element, &why), &why);
    snprintf(opposite, sizeof opposite, "!(%s)", text);
    const mst_status status = mst_matches(&element, text, &met, &why);
    if (status != MST_OK)
        is_refused(status, &why);
    else if (is_closed(text) && mst_matches(&element, opposite, &other, &why) == MST_OK)
        HOLDS(met != other);
    if (mst_text_matches("12", text, &element, &cell) != MST_OK)
        HOLDS(!cell);
}

void fuzz_property(fuzz_input *in) {
    const mst_document *document = the_level();
    char text[512];
    const size_t size = in->size < sizeof text ? in->size : sizeof text - 1;
    if (size)
        memcpy(text, in->bytes, size);
    text[size] = 0;
    selects(document, text);
    meets(document, "objects[0]", text);
    meets(document, "mesh.faces[0]", text);
}
