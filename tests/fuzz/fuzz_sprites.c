/* SPDX-License-Identifier: MIT */
#include "../../src/read/opened.h"
#include "property.h"
#include <mapstone/sprites.h>

const char fuzz_promise[] =
    "a level is drawn as its game shows it, whatever is in the file of its pictures or models";

#define SIDE    96
#define OBJECTS 3

static const char sector[] = "{\"$format\":\"revenant-sector\",\"version\":15,\"objects\":["
                             "{\"class\":\"tile\",\"unique_id\":1,\"position\":[40,30,0]},"
                             "{\"class\":\"tile\",\"unique_id\":1,\"position\":[44,60,9],\"flags\":512,"
                             "\"state\":1,\"rotation_z\":77},"
                             "{\"class\":\"effect\",\"unique_id\":2,\"position\":[20,50,3]}]}";
static const char classes[] = "CLASS \"TILE\"\nBEGIN\nTYPES\nBEGIN\n\"a\" \"a.i2d\" 0x1 {} {}\nEND\nEND\n"
                              "CLASS \"EFFECT\"\nBEGIN\nTYPES\nBEGIN\n\"b\" \"A.I2D\" 0x2 {} {}\nEND\nEND\n";

/* The input is the file of all pictures. */
static mst_status find_input(void *user, const char *name, const void **bytes, size_t *size) {
    const fuzz_input *in = user;
    bool table = strcmp(name, "class.def") == 0;
    *bytes = table ? (const void *)classes : in->bytes;
    *size = table ? sizeof classes - 1 : in->size;
    return MST_OK;
}

static void is_drawn(const mst_sprites *sprites, fuzz_input *in) {
    for (size_t i = 0; i < sprites->count; i++)
        HOLDS(sprites->items[i].image < sprites->image_count);
    HOLDS(sprites->lit <= sprites->count);
    HOLDS(sprites->count + sprites->missing_count + sprites->model_count <= OBJECTS);
    mst_sprites_view view = {.size = sizeof view,
                             .left = sprites->left,
                             .top = sprites->top,
                             .width = SIDE,
                             .height = SIDE,
                             .ambient = (int)fuzz_below(&in->random, 32)};
    if (sprites->width > SIDE)
        view.left += (int32_t)fuzz_below(&in->random, sprites->width - SIDE);
    if (sprites->height > SIDE)
        view.top += (int32_t)fuzz_below(&in->random, sprites->height - SIDE);
    mst_pixels picture = {0};
    mst_diagnostic why;
    MUST(mst_sprites_draw(sprites, &view, &picture, &why), &why);
    HOLDS(picture.width == SIDE && picture.height == SIDE);
    size_t seen = mst_sprites_at(sprites, view.left + SIDE / 2, view.top + SIDE / 2);
    HOLDS(seen == SIZE_MAX || seen < sprites->count);
    mst_pixels_free(&picture);
}

void fuzz_property(fuzz_input *in) {
    fuzz_memory memory = {0};
    uint64_t findings = 0;
    mst_document *document;
    mst_diagnostic why;
    const mst_open_options opening = {.size = sizeof opening, .name = "1_0_0.DAT", .lenient_json = 1};
    MUST(mst_open_json(sector, sizeof sector - 1, &opening, &document, &why), &why);
    const mst_document *const documents[] = {document};
    const mst_resolver resolver = {.find = find_input, .user = in};
    const mst_sprites_options options = {.size = sizeof options,
                                         .allocator = fuzz_allocator(&memory),
                                         .sidecars = &resolver,
                                         .no_models = fuzz_below(&in->random, 8) == 0,
                                         .report = fuzz_count_findings,
                                         .user = &findings};
    if (fuzz_below(&in->random, 16) == 0)
        memory.fail_at = 1 + fuzz_below(&in->random, 60);
    mst_sprites *sprites = NULL;
    mst_status status = mst_sprites_from_documents(documents, 1, &options, &sprites, &why);
    if (status == MST_OK)
        is_drawn(sprites, in);
    else
        fuzz_is_told(&why, status);
    mst_sprites_free(sprites);
    mst_close(document);
    HOLDS(memory.bytes == 0);
    HOLDS(memory.max <= 128 * (sizeof sector + sizeof classes + in->size) + (2u << 20));
}
