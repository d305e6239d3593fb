/* SPDX-License-Identifier: MIT */
#include "picture_files.h"
#include "../inputs/paths.h"
#include "../output/streams.h"
#include "produce.h"
#include <string.h>
#include <strings.h>

bool marks_are_meant(const options *given, const inputs *all) {
    const char *path = given->value[OPTION_MARKS];
    if (!path)
        return true;
    if (!*path || names_directory(path)) {
        options_usage(given, "--marks: '%s' is not the name of a file", path);
        return false;
    }
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(path, "-") != 0 && is_regular(path) && is_input(path, all->items[i].path)) {
            options_usage(given, "%s is an input; it is not overwritten", path);
            return false;
        }
    return true;
}

typedef struct listing {
    stream text;
    const mst_scene *scene;
    bool any;
} listing;

static void put_member(stream *to, const char *name, const char *text) {
    put_json_member(to, name, text ? text : "");
}

/* The value is inside a picture, so it is not negative. */
static void put_pixels(stream *to, const char *name, double value) {
    unsigned long hundredths = (unsigned long)(value * 100 + 0.5);
    put_json_key(to, name);
    print(to, "%lu.%02lu", hundredths / 100, hundredths % 100);
}

static void take(void *user, const mst_picture_mark *mark) {
    listing *list = user;
    const mst_node *node = &list->scene->nodes[mark->node];
    char path[512];
    size_t length = mst_scene_source_path(&node->source, path, sizeof path);
    print(&list->text, "%s\n{", list->any ? "," : "");
    list->any = true;
    put_pixels(&list->text, "x", mark->x);
    put_pixels(&list->text, "y", mark->y);
    put_member(&list->text, "role",
               node->role == MST_ROLE_LIGHT    ? "light"
               : node->role == MST_ROLE_CAMERA ? "camera"
                                               : "entity");
    put_member(&list->text, "class", node->class_name);
    put_member(&list->text, "name", node->name);
    put_member(&list->text, "path", length < sizeof path ? path : "");
    if (node->source.file && *node->source.file)
        put_member(&list->text, "file", node->source.file);
    print(&list->text, "}");
}

bool names_svg(const char *path) {
    return !strcasecmp(extension_of(path), ".svg");
}

int write_picture(const mst_scene *scene, const mst_picture_options *how, const char *file, const char *path,
                  const char *marks) {
    mst_diagnostic why;
    target both[2]; /* the marks first: they are smaller */
    if (!marks) {
        if (!target_begin(&both[0], path))
            return EXIT_TROUBLE;
        mst_sink sink = target_sink(&both[0]);
        mst_status status = names_svg(path) ? mst_scene_write_svg(scene, how, sink, &why)
                                            : mst_scene_write_png(scene, how, sink, &why);
        return target_settle(&both[0], status, file, &why);
    }
    if (!target_begin(&both[0], marks))
        return EXIT_TROUBLE;
    if (!target_begin(&both[1], path)) {
        target_abandon(&both[0]);
        return EXIT_TROUBLE;
    }
    listing list = {.text = stream_memory(), .scene = scene};
    list.text.page = true;
    const mst_picture_marks taker = {.size = sizeof taker, .take = take, .user = &list};
    mst_picture_options with = *how;
    mst_picture_place place;
    with.marks = &taker;
    with.place = &place;
    mst_status status = mst_scene_write_png(scene, &with, target_sink(&both[1]), &why);
    if (status == MST_OK) {
        stream head = stream_memory();
        head.page = true;
        print(&head, "{");
        put_json_member(&head, "picture", base_name(path));
        put_json_key(&head, "width");
        print(&head, "%lu", (unsigned long)place.width);
        put_json_key(&head, "height");
        print(&head, "%lu", (unsigned long)place.height);
        put_json_key(&head, "marks");
        print(&head, "[");
        print(&list.text, "%s]}\n", list.any ? "\n" : "");
        mst_sink sink = target_sink(&both[0]);
        status = sink.write(sink.user, head.data, head.size);
        if (status == MST_OK)
            status = sink.write(sink.user, list.text.data, list.text.size);
        stream_free(&head);
    }
    stream_free(&list.text);
    return targets_settle(both, 2, status, file, &why);
}
