/* SPDX-License-Identifier: MIT */
/*
 * Levels: a file with everything that belongs to it, opened by one call. This is the library's main entry
 * point; its building blocks (documents, containers, searches, scenes) can also be used on their own.
 *
 *     mst_level *level;
 *     mst_entities *entities;
 *     mst_diagnostic why;
 *     if (mst_level_open("maps/a.level", NULL, &level, &why) != MST_OK) ...
 *     if (mst_level_entities(level, &entities, &why) == MST_OK)
 *         for (size_t i = 0; i < entities->count; i++)
 *             puts(entities->items[i].class_name);
 *     mst_entities_free(entities);
 *     mst_level_close(level);
 *
 * The path may name
 *   - a file, or "-" for standard input; for a document of two files, either of them;
 *   - a member of an archive or disc image: "game.kpf!maps/a.level";
 *   - a directory, an archive or a disc image that holds one level, or several of which options->level
 *     chooses one. All sectors of a Revenant level (LEVEL_X_Y.DAT) are documents of one level. If there is a
 *     MAPS.bin, it is the level, and Star Fox Adventures' other files are parts of its maps.
 *
 * Sidecars (textures, models, class.def, editor_setup.xml, the other file of a pair) are found, ignoring
 * case, among the other members of the archive, in the level's directory, in the parent of its `maps` folder
 * (a mod), and in options->search_paths, in that order: a mod takes precedence over its game.
 *
 * A level owns its documents; edit them with mst_set and its relatives, and write all of them with
 * mst_level_save. In a level that is opened as writable, an edit also changes other files that refer to an
 * element by number (blocks of Star Fox Adventures); they become documents of the level. Only one thread at a
 * time may use a level. Texts that it returns are valid until it is closed.
 */
#ifndef MAPSTONE_LEVEL_H
#define MAPSTONE_LEVEL_H

#include "asset.h"
#include "container.h"
#include "scene.h"
#include "sprites.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mst_level mst_level;
typedef struct mst_level_cache mst_level_cache;

/* ---- opening -------------------------------------------------------------------------------------- */

typedef struct mst_level_options {
    size_t size; /* sizeof(mst_level_options) */
    mst_allocator allocator;
    size_t budget;      /* of each document: mst_open_options.budget */
    const char *format; /* id, or "json"; NULL: identified from the content */
    const char *name;   /* file name to use instead of the opened file's; may be NULL */
    /* Which level of a directory, archive or disc image: the number of a Revenant level ("44"), or the name
     * of a file in it ("maps/a.level"). NULL: the only one. */
    const char *level;
    /* Which map of a file that holds several, by name or number: mst_scene_options.map. NULL: all. */
    const char *map;
    /* Where to look for sidecars after the level's own directory: the roots of games and mods, or other
     * directories; archives and disc images ("game.kpf"), or folders in them ("mod.zip!output"). */
    const char *const *search_paths;
    size_t search_path_count;
    const mst_resolver *sidecars; /* consulted before any file is searched for; NULL: none */
    /* An open archive or disc image: `path` is either its path, which opens the level that it holds, or its
     * path, '!' and the name of a member. For files that the caller supplies (mst_container_open_files) its
     * path is "-". NULL: `path` is opened. The container must stay open until the level is closed. */
    mst_container *container;
    /* Called with true before each access to that container and with false after it, so that several threads
     * can open levels from one container. May be NULL. */
    void (*guard)(void *user, bool enter);
    void *guard_user;
    /* Keeps found and parsed files for the next level, which must have the same search paths and be opened
     * after this one is closed. NULL: nothing is kept. */
    mst_level_cache *cache;
    uint64_t member_limit;      /* of an archive: mst_container_options.member_limit */
    uint64_t input_limit;       /* the most bytes read from anything but a regular file; 0: 4 GiB */
    bool unmapped;              /* files are read instead of mapped: see mst_open_file */
    bool writable;              /* files will be saved in place: implies `unmapped`; see mst_level_save */
    bool json;                  /* JSON is accepted in place of a level, as with the format "json" */
    bool lenient_json, salvage; /* see mst_open_options */
    /* The file was found by a search, not named by the user: MST_UNKNOWN, cheaply, if no format matches its
     * beginning, or if it is the second file of a document whose first file is in the same directory. */
    bool found;
    /* `path` is one file: no level is looked for in directories and archives (but a member may be named). */
    bool single;
    /* The file is only read: there is no document, but mst_level_sidecars works. */
    bool unopened;
    /* Files next to the level that are symbolic links, or that are reached through one below the searched
     * directories, count as missing: for output that is given to others. */
    bool unlinked;
    /* Receive the format identified from the beginning of the file, and the file's size, even if opening
     * fails. May be NULL. If the beginning of a stream matches no known format, it is not read to its end,
     * and its size is INT64_MAX. */
    const mst_format_information **identified;
    uint64_t *identified_size;
    /* Receives problems that do not keep the level from opening: parts that `salvage` leaves out, odd
     * archives, sectors that occur twice. `file` is the file concerned. May be NULL. */
    mst_status (*report)(void *user, const char *file, const mst_diagnostic *diagnostic);
    void *report_user;
} mst_level_options;

/* MST_UNKNOWN: it is not a level, or holds none. MST_NO_PATH: it holds no level of that name. MST_ARGUMENT:
 * it holds several; the diagnostic names the first of them. */
MST_API mst_status mst_level_open(const char *path, const mst_level_options *options, mst_level **level,
                                  mst_diagnostic *diagnostic);
/* NULL is allowed. */
MST_API void mst_level_close(mst_level *level);

/* Adds another file to a level, such as a further sector, by its path (with options->container by its name).
 * On success it is the last document. */
MST_API mst_status mst_level_add(mst_level *level, const char *path, const mst_level_options *options,
                                 mst_diagnostic *diagnostic);

/* Calls `take` with the name (for options->level) and the format of each level that a directory, archive or
 * disc image holds; stops with its status if that is not MST_OK. */
MST_API mst_status mst_level_list(const char *path, const mst_level_options *options,
                                  mst_status (*take)(void *user, const char *level,
                                                     const mst_format_information *format),
                                  void *user, mst_diagnostic *diagnostic);

MST_API mst_status mst_level_cache_create(const mst_allocator *allocator, mst_level_cache **cache);
/* NULL is allowed. */
MST_API void mst_level_cache_free(mst_level_cache *cache);

/* ---- documents ------------------------------------------------------------------------------------ */

/* The documents, at least one: several sectors, and files added or opened later. NULL past the end. */
MST_API size_t mst_level_count(const mst_level *level);
MST_API mst_document *mst_level_document(const mst_level *level, size_t index);
/* Where a document was opened from: "maps/a.level", "game.kpf!maps/a.level"; "-" for standard input. */
MST_API const char *mst_level_path(const mst_level *level, size_t index);
/* Whether it was damaged, so that parts are left out. */
MST_API bool mst_level_is_salvaged(const mst_level *level, size_t index);
/*
 * The document that a source of the scene or an entity names by its `file`: "" is the first one. A sidecar
 * that is not open yet is opened and becomes the level's last document. MST_NO_PATH: there is no such file.
 */
MST_API mst_status mst_level_find(mst_level *level, const char *file, mst_document **document,
                                  mst_diagnostic *diagnostic);
/* The resolver for the level's sidecars, valid until it is closed. */
MST_API const mst_resolver *mst_level_sidecars(mst_level *level);

/* ---- entities ------------------------------------------------------------------------------------- */

/* An object at a position, a light or a camera. Texts are "" where there is none. */
typedef struct mst_entity {
    const char *class_name; /* its kind: "ns2_gamerules", "monster" */
    const char *name;       /* its own, or one derived from its kind */
    const char *layer;
    float position[3]; /* in the file's coordinates */
    float rotation[4]; /* a quaternion x, y, z, w in the file's coordinates */
    float world[3];    /* the position in metres, Y up */
    const char *file;  /* of the document; see mst_level_find */
    const char *path;  /* of its value in that document */
    mst_role role;
    size_t node; /* its index in the scene that mst_level_scene builds with no_markers */
} mst_entity;

typedef struct mst_entities {
    const mst_entity *items;
    size_t count;
} mst_entities;

/* Lists the current entities; later edits do not change the list. MST_UNSUPPORTED: the format has no
 * entities. Free it with mst_entities_free, which may be after mst_level_close. */
MST_API mst_status mst_level_entities(mst_level *level, mst_entities **entities, mst_diagnostic *diagnostic);
/* NULL is allowed. */
MST_API void mst_entities_free(mst_entities *entities);

/* ---- scenes and checks ---------------------------------------------------------------------------- */

/* One scene of the level's documents, usually to be exported (export.h) or drawn (picture.h). Options that
 * are not set default to the level's: allocator, sidecars, map. */
MST_API mst_status mst_level_scene(mst_level *level, const mst_scene_options *options, mst_scene **scene,
                                   mst_diagnostic *diagnostic);

/* The level as its game shows it. Sprites depend neither on the level nor on its sidecars; free them with
 * mst_sprites_free. MST_UNSUPPORTED: the format has none. MST_NO_PATH: there is no class.def. */
MST_API mst_status mst_level_sprites(mst_level *level, const mst_sprites_options *options,
                                     mst_sprites **sprites, mst_diagnostic *diagnostic);

/* Every file that the level's documents name, found or not. Names that differ only in case are the same. Free
 * the list with mst_assets_free, before the level. */
MST_API mst_status mst_level_assets(mst_level *level, mst_assets **assets, mst_diagnostic *diagnostic);

typedef mst_status (*mst_level_report_function)(void *user, const char *file,
                                                const mst_diagnostic *diagnostic);
/* Checks every document with its sidecars; `file` is the document's path. See mst_check. */
MST_API mst_status mst_level_check(mst_level *level, const mst_check_options *options,
                                   mst_level_report_function report, void *user, mst_check_result *result,
                                   mst_diagnostic *diagnostic);

/* ---- saving --------------------------------------------------------------------------------------- */

/* A file that was saved. */
typedef struct mst_level_file {
    const char *path;
    const void *before, *after; /* its content; `before` NULL: there was none */
    size_t before_size, after_size;
    size_t document_files; /* number of files of its document */
    unsigned other_names;  /* hard links, which keep the old content */
    const char *backup;    /* where its old content was saved; NULL: it was not kept */
    bool replaces_backup;  /* something of that name existed */
} mst_level_file;

typedef struct mst_level_save_options {
    size_t size;                 /* sizeof(mst_level_save_options) */
    const mst_file_watch *watch; /* may be NULL */
    /* Called for each file of the saved documents when all have been written; an unchanged file of a pair is
     * not written. May be NULL. */
    void (*saved)(void *user, const mst_level_file *file);
    void *user;
    /* The old content of every replaced file is written to its path plus this suffix ("~"), with its mode and
     * owner, replacing whatever has that name (a symbolic link is replaced, not followed); either all of
     * these files are written or none. NULL or "": it is not kept. */
    const char *backup;
    /* Receives what could not be kept of a replaced file: see mst_file_options. May be NULL. */
    void (*lost)(void *user, const char *path, const char *what);
} mst_level_save_options;

/*
 * Writes every edited document to the files that it was opened from (JSON is replaced by the level), and
 * updates index files next to them (MAPS.bin, which counts the contents of the object lists): either all
 * files are new, or all are unchanged. The level must have been opened as `writable`. Files that the caller
 * has not named, but that an edit also changes, are not written through symbolic links: MST_IO. MST_REFUSED:
 * another program has changed a file meanwhile; or a document is a member of an archive, from standard input
 * or from JSON of a pair, which mst_level_save_as can write.
 */
MST_API mst_status mst_level_save(mst_level *level, const mst_level_save_options *options,
                                  mst_diagnostic *diagnostic);
/* Writes one document to another file, as mst_save_file does; values that depend on its name (a hash) are
 * recomputed. An index file next to `path` is updated if the document was edited. MST_REFUSED: an edit has
 * changed several files, which only mst_level_save writes together. */
MST_API mst_status mst_level_save_as(mst_level *level, size_t index, const char *path,
                                     const mst_level_save_options *options, mst_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif
#endif
