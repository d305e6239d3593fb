/* SPDX-License-Identifier: MIT */
/* One document of each format and variant, for tests common to all. Some are written by hand here; the others
 * are made from JSON (tests/fuzz/seeds, samples). */
#ifndef MST_TESTS_FIXTURES_H
#define MST_TESTS_FIXTURES_H

#include "alien_graphics.h"
#include "alien_level.h"
#include "ns2_level.h"
#include "revenant_sector.h"
#include "sfa_pair.h"
#include "sfa_small.h"

typedef struct fixture_source {
    const char *name;
    const char *file;  /* name with which it is opened */
    const char *other; /* its second file; NULL: none */
    const char *json;  /* its source; NULL: `write` */
    void (*write)(writer *w);
    bool zlib;             /* needs zlib */
    bool no_ledger;        /* nothing that others lack: no table of its faults */
    bool small;            /* for tests with a thousand operations on each: fixture_files.h */
    const char *beside[2]; /* other fixtures that its scene needs */
} fixture_source;

typedef struct fixture {
    const fixture_source *source;
    writer files[2];
    size_t count;
} fixture;

void fixture_alien_big(writer *w);
void fixture_ns2(writer *w);
void fixture_ns2_everything(writer *w);
void fixture_ns2_clip(writer *w);
void fixture_ns2_overview(writer *w); /* three by two heights */
void fixture_revenant(writer *w, uint32_t version);
void fixture_revenant_0(writer *w);
void fixture_revenant_8(writer *w);
void fixture_revenant_15(writer *w);
/* Two unpacked objects. */
void fixture_romlist(writer *w);

#define SEED(name_, file_)   .name = name_, .file = file_, .json = "tests/fuzz/seeds/" name_ ".json"
#define SAMPLE(name_, file_) .name = name_, .file = file_, .json = "samples/" name_ ".json"
#define KEEP(place)          .name = "keep_" place, .file = place ".dat", .json = "samples/keep/" place ".json"

static const fixture_source fixtures[] = {
    {.name = "ns2", .file = "a.level", .write = fixture_ns2, .no_ledger = true},
    {.name = "ns2_everything", .file = "a.level", .write = fixture_ns2_everything, .small = true},
    {.name = "ns2_clips", .file = "a.clip", .write = fixture_ns2_clip, .small = true},
    {.name = "ns2_overview", .file = "a.hmp", .write = fixture_ns2_overview, .small = true},
    {.name = "alien_big", .file = "L111LEV.MAP", .write = fixture_alien_big, .small = true},
    {.name = "alien_sprites", .file = "A.B16", .write = write_alien_sprites, .small = true},
    {.name = "alien_models", .file = "A.BND", .write = write_alien_models, .small = true},
    {.name = "alien_palette", .file = "A.PAL", .write = write_alien_palette},
    {.name = "alien_shades", .file = "A.DPQ", .write = write_alien_shades, .no_ledger = true},
    {.name = "alien_matches", .file = "A.TNT", .write = write_alien_matches, .no_ledger = true},
    {.name = "alien_picture", .file = "A.BIN", .write = write_alien_picture, .no_ledger = true},
    {.name = "sector_0", .file = "1_3_5.dat", .write = fixture_revenant_0, .small = true},
    {.name = "sector_8", .file = "1_3_5.dat", .write = fixture_revenant_8},
    {.name = "sector_15", .file = "1_3_5.dat", .write = fixture_revenant_15, .small = true},
    {.name = "sfa_mapinfo", .file = "MAPINFO.bin", .write = sfa_write_mapinfo},
    {.name = "sfa_globalmap", .file = "globalma.bin", .write = sfa_write_globalma, .small = true},
    {.name = "sfa_trkblk", .file = "TRKBLK.tab", .write = sfa_write_trkblk},
    {.name = "sfa_warptab", .file = "WARPTAB.bin", .write = sfa_write_warptab},
    {.name = "sfa_objindex", .file = "OBJINDEX.bin", .write = sfa_write_objindex},
    {.name = "sfa_textable", .file = "TEXTABLE.bin", .write = sfa_write_textable},
    {.name = "sfa_objects", .file = "swaphol.romlist", .write = fixture_romlist, .small = true},
    {SEED("sfa_list_zlb", "swaphol.romlist.zlb"), .zlib = true},
    {SEED("sfa_hits", "HITS.bin"), .other = "HITS.tab"},
    {SEED("sfa_maps", "MAPS.bin"), .other = "MAPS.tab"},
    {SEED("sfa_voxmap", "VOXMAP.bin"), .other = "VOXMAP.tab", .zlib = true},
    {SEED("sfa_block", "block.bin")},
    {SEED("sfa_texture", "texture.bin")},
    {SEED("dds", "a.dds"), .small = true},
    {SEED("spark_material", "a.material"), .small = true},
    {SEED("spark_model", "a.model"), .small = true},
    {SEED("ns2_4", "a.level"), .no_ledger = true, .small = true},
    {SEED("ns2_odd", "a.level"), .no_ledger = true, .small = true},
    {SEED("alien_map", "L111LEV.MAP"), .small = true},
    {SEED("alien_gfx", "111GFX.B16"), .small = true},
    {SEED("iguana", "a.dat"), .small = true},
    {SEED("turok_map", "a.map"), .small = true},
    {SEED("turok_model", "a.bin"), .small = true},
    {SEED("turok_animation", "a_anim.bin"), .small = true},
    {SEED("turok_material", "a.kmat"), .small = true},
    {SEED("revenant_1", "0_0_0.dat")},
    {SEED("revenant_3", "0_0_0.dat")},
    {SEED("revenant_4", "0_0_0.dat"), .small = true},
    {SEED("revenant_6", "0_0_0.dat")},
    {SEED("revenant_chain", "0_0_0.dat")},
    {SEED("revenant_class", "class.def"), .small = true},
    {SEED("revenant_exit", "exit.def"), .small = true},
    {SEED("revenant_save", "game.sav"), .small = true},
    {SEED("revenant_image", "still.i2d")},
    {SEED("revenant_model", "walk.i3d")},
    {SEED("revenant_old_model", "old.i3d")},
    {SEED("revenant_headers", "IMAGERY.DAT")},
    {SAMPLE("outpost", "outpost.level")},
    {SAMPLE("bunker", "L900LEV.MAP"), .beside = {"bunker-textures"}},
    {SAMPLE("bunker-textures", "900GFX.B16")},
    {SAMPLE("valley", "valley.map")},
    {KEEP("7_10_10"), .no_ledger = true},
    {KEEP("7_10_11"), .no_ledger = true},
    {KEEP("7_11_10"), .no_ledger = true},
    {KEEP("7_11_11"), .no_ledger = true},
    {KEEP("7_12_10"), .no_ledger = true},
    {KEEP("7_12_11"), .no_ledger = true},
};
#define FIXTURES (sizeof fixtures / sizeof *fixtures)

void fixture_free(fixture *f);

/* Makes a fixture; false if this build cannot. */
bool fixture_make(const fixture_source *source, fixture *f);

/* Opens it by its name, as a user would. `files` replace its own. */
mst_status fixture_open(const fixture_source *source, const writer files[2], mst_document **document,
                        mst_diagnostic *why);

/* Calls a function with a document of each fixture, and returns their number. */
size_t fixtures_each(void (*use)(const char *name, const mst_document *document));

/* The same with each file in these folders of the corpus that opens; without a corpus the test is skipped. */
size_t documents_of_corpus(const char *const *folders, size_t count,
                           void (*use)(const char *name, const mst_document *document));

#endif
