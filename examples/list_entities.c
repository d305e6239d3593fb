/* SPDX-License-Identifier: MIT */
/* Lists the entities of a level: class, name and position.  list_entities FILE */
#include <mapstone/mapstone.h>
#include <stdio.h>

static int complain(const mst_diagnostic *why) {
    char text[800];
    mst_diagnostic_text(why, text, sizeof text);
    fprintf(stderr, "list_entities: %s\n", text);
    return 1;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: list_entities FILE\n");
        return 2;
    }
    mst_document *level;
    mst_diagnostic why;
    if (mst_open_file(argv[1], NULL, &level, &why) != MST_OK)
        return complain(&why);

    /* The path of the format's main list: "objects" in a Natural Selection 2 level. */
    mst_value entities, entity;
    if (mst_find(mst_root(level), mst_document_format(level)->rows, &entities, &why) != MST_OK) {
        mst_close(level);
        return complain(&why);
    }
    for (mst_iterator it = mst_iterate(&entities); mst_next(&it, &entity);) {
        char class_name[128] = "?", name[128] = "";
        double position[3] = {0, 0, 0};
        mst_value value;
        if (mst_find(entity, "class_name", &value, NULL) == MST_OK)
            mst_get_text(&value, class_name, sizeof class_name, NULL);
        /* A path can select by value; a property that the entity lacks is not found. */
        if (mst_find(entity, "properties[name=name].value", &value, NULL) == MST_OK)
            mst_get_text(&value, name, sizeof name, NULL);
        if (mst_find(entity, "properties[name=origin].value", &value, NULL) == MST_OK) {
            mst_target target = {.type = MST_F64, .components = 3, .data = position, .capacity = 1};
            uint64_t read;
            mst_read(&value, &target, &read, NULL);
        }
        printf("%-24s %-24s %9.2f %9.2f %9.2f\n", class_name, name, position[0], position[1], position[2]);
    }
    mst_close(level);
    return 0;
}
