/* SPDX-License-Identifier: MIT */
/* The files of the game that things of a level are drawn from. Numbers are from the PC's program. */
#ifndef MST_FORMATS_ALIEN_STOCK_FILES_H
#define MST_FORMATS_ALIEN_STOCK_FILES_H

#include "../../read/engine.h"

typedef struct mst_alien_monster_look {
    const char *file;   /* without its folder and extension */
    float units;        /* units of the level per pixel */
    unsigned animation; /* the one that shows it facing the viewer */
    bool hangs;
    float width, height; /* of its body */
} mst_alien_monster_look;
/* NULL: it is not drawn. */
const mst_alien_monster_look *mst_alien_monster_look_of(uint64_t type);

/* The number of the model in PICKMOD, in OBJ3D; -1: it has none. */
int mst_alien_pickup_model(uint64_t type);
int mst_alien_box_model(uint64_t type, bool chapter_3);
/* Which of MST_ALIEN_..._PAGES a model of OBJ3D takes its textures from. */
unsigned mst_alien_box_pages(int model);
bool mst_alien_is_chapter_3(const char number[4]);

#define MST_ALIEN_FILE 32
/* The names of files; `letter` of the language. */
void mst_alien_monster_file(const mst_alien_monster_look *look, char name[MST_ALIEN_FILE]);
void mst_alien_pages_file(unsigned pages, char letter, char name[MST_ALIEN_FILE]);
extern const char mst_alien_model_files[2][MST_ALIEN_FILE];
/* Of panels, in the order of the search. */
extern const char mst_alien_languages[];

/* Finds a file in its folder or, without the folder, next to the level; `name` receives its name. */
mst_status mst_alien_find(const mst_resolver *sidecars, char name[MST_ALIEN_FILE], const void **bytes,
                          size_t *size);
/* The same for a panel of any language. */
mst_status mst_alien_find_pages(const mst_resolver *sidecars, unsigned pages, char name[MST_ALIEN_FILE],
                                const void **bytes, size_t *size);

#endif
