/* SPDX-License-Identifier: MIT */
/* Lists the entities of a level of any format: class, name, position, path.  list_entities FILE */
#include <mapstone/mapstone.h>
#include <stdio.h>

int main(int argc, char **argv) {
    mst_level *level = NULL;
    mst_entities *entities = NULL;
    mst_diagnostic why = {0};
    if (mst_level_open(argc > 1 ? argv[1] : "-", NULL, &level, &why) != MST_OK ||
        mst_level_entities(level, &entities, &why) != MST_OK)
        fprintf(stderr, "list_entities: %s\n", why.message);
    for (size_t i = 0; entities && i < entities->count; i++) {
        const mst_entity *e = &entities->items[i];
        printf("%-24s %-24s %9.2f %9.2f %9.2f  %s\n", e->class_name, e->name, (double)e->position[0],
               (double)e->position[1], (double)e->position[2], e->path);
    }
    int failed = entities == NULL;
    mst_entities_free(entities);
    mst_level_close(level);
    return failed;
}
