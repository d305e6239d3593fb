// SPDX-License-Identifier: MIT
// Lists the entities of a level of any format, in C++.  list_entities_cpp FILE
#include <cstdio>
#include <mapstone/mapstone.h>
#include <memory>

int main(int argc, char **argv) {
    mst_level *opened = nullptr;
    mst_entities *listed = nullptr;
    mst_diagnostic why = {};
    mst_status status = mst_level_open(argc > 1 ? argv[1] : "-", nullptr, &opened, &why);
    std::unique_ptr<mst_level, decltype(&mst_level_close)> level(opened, mst_level_close);
    if (status == MST_OK)
        status = mst_level_entities(level.get(), &listed, &why);
    std::unique_ptr<mst_entities, decltype(&mst_entities_free)> entities(listed, mst_entities_free);
    if (status != MST_OK) {
        std::fprintf(stderr, "list_entities: %s\n", why.message);
        return 1;
    }
    for (const mst_entity *e = entities->items; e != entities->items + entities->count; ++e)
        std::printf("%-24s %-24s %9.2f %9.2f %9.2f  %s\n", e->class_name, e->name, double(e->position[0]),
                    double(e->position[1]), double(e->position[2]), e->path);
    return 0;
}
