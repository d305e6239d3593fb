/* SPDX-License-Identifier: MIT */
/* Copies the positions of all vertices into the program's own vertices, in one call.  vertex_positions FILE
 */
#include <mapstone/mapstone.h>
#include <stdio.h>
#include <stdlib.h>

/* For example to upload to a graphics card. */
struct vertex {
    float position[3];
    float normal[3];
    unsigned char color[4];
};

static int complain(const mst_diagnostic *why) {
    char text[800];
    mst_diagnostic_text(why, text, sizeof text);
    fprintf(stderr, "vertex_positions: %s\n", text);
    return 1;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: vertex_positions FILE\n");
        return 2;
    }
    mst_document *level;
    mst_diagnostic why;
    if (mst_open_file(argv[1], NULL, &level, &why) != MST_OK)
        return complain(&why);

    /* One field of every element of a slice, here of the complete list. */
    mst_value positions;
    if (mst_find(mst_root(level), "mesh.vertices[:].position", &positions, &why) != MST_OK) {
        mst_close(level);
        return complain(&why);
    }
    size_t count = (size_t)mst_count(&positions);
    struct vertex *vertices = calloc(count ? count : 1, sizeof *vertices);
    if (!vertices) {
        mst_close(level);
        fprintf(stderr, "vertex_positions: out of memory\n");
        return 1;
    }
    /* Writes the positions into our struct; its other members stay unchanged. */
    mst_target target = {.type = MST_F32,
                         .components = 3,
                         .stride = sizeof *vertices,
                         .data = &vertices->position,
                         .capacity = count};
    uint64_t read = 0;
    int failed = mst_read(&positions, &target, &read, &why) != MST_OK;
    if (failed)
        complain(&why);
    for (uint64_t i = 0; i < read; i++)
        printf("%g %g %g\n", (double)vertices[i].position[0], (double)vertices[i].position[1],
               (double)vertices[i].position[2]);
    free(vertices);
    mst_close(level);
    return failed;
}
