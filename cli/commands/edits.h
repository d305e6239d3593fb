/* SPDX-License-Identifier: MIT */
/* Common parts of the commands that edit. */
#ifndef CLI_COMMANDS_EDITS_H
#define CLI_COMMANDS_EDITS_H

#include "../inputs/options.h"
#include "../output/streams.h"
#include <mapstone/edit.h>

/* Options of all commands that write an edited file. */
#define OPTION_ROWS_WRITE                                                                                      \
    OPTION_ROW_OUTPUT("write the result to FILE (- is stdout); an archive where the level is in one"),         \
        {OPTION_IN_PLACE, 'i', "in-place", NULL, NULL, "change the file itself"}, OPTION_ROW_BACKUP,           \
        {OPTION_DRY_RUN, 0,                                                                                    \
         "dry-run",      NULL,                                                                                 \
         NULL,           "print the changes, as 'mapstone diff' does, and write nothing, even with -o or -i"}, \
        {OPTION_ALL, 'a', "all", NULL, NULL, "with --dry-run: each change on a separate line"},                \
        {OPTION_UNDO, 0,    "undo",                                                                            \
         "FILE",      NULL, "write a patch to FILE that reverts the changes with patch --reverse"},            \
        OPTION_ROW_HISTORY

#define OPTION_ROW_FORCE                                                                                     \
    {                                                                                                        \
        OPTION_FORCE, 0, "force", NULL, NULL,                                                                \
            "write a level even with new errors, or new references to missing elements"                      \
    }

/* Options of 'set' and 'edit', besides those of operations. */
#define OPTION_ROWS_EDIT                                                                                     \
    OPTION_ROWS_WRITE, OPTION_ROW_GROWTH,                                                                    \
        {OPTION_EACH, 0,    "each",                                                                          \
         NULL,        NULL, "change all values that match a PATH with conditions, * or a slice"},            \
        {OPTION_CASCADE, 0,                                                                                  \
         "cascade",      NULL,                                                                               \
         NULL,           "clear references to a removed element, or also remove the elements that need it"}, \
        {OPTION_KEEP_LOOSE,                                                                                  \
         0,                                                                                                  \
         "keep-loose",                                                                                       \
         NULL,                                                                                               \
         NULL,                                                                                               \
         "keep elements to which only removed elements referred"},                                           \
        {OPTION_DRAG, 0,    "drag",                                                                          \
         NULL,        NULL, "moving faces also move vertices that they share with other faces"},             \
        {OPTION_WORLD_TEXTURE, 0, "world-texture", NULL, NULL, "textures of moving faces stay in place"},    \
        {OPTION_KEEP_NAMES,                                                                                  \
         0,                                                                                                  \
         "keep-names",                                                                                       \
         NULL,                                                                                               \
         NULL,                                                                                               \
         "copies keep the names by which others refer to the originals"},                                    \
        {OPTION_KEEP_REFERENCES,                                                                             \
         0,                                                                                                  \
         "keep-references",                                                                                  \
         NULL,                                                                                               \
         NULL,                                                                                               \
         "what refers to an element keeps the old name or id when a new one is set"},                        \
        {OPTION_ALLOW_LOSS,                                                                                  \
         0,                                                                                                  \
         "allow-loss",                                                                                       \
         NULL,                                                                                               \
         NULL,                                                                                               \
         "a new type of an object drops the values for which it has no field"},                              \
        {OPTION_SCHEMA, 'S',  "schema",                                                                      \
         "FILE",        NULL, "defaults of new entities, and checks (editor_setup.xml, class.def)"},         \
        OPTION_ROW_FORCE,                                                                                    \
        {OPTION_REFILE, 0,    "refile",                                                                      \
         NULL,          NULL, "move the static meshes of a Turok level to the cells that contain them"},     \
    {                                                                                                        \
        OPTION_REHASH, 0, "rehash", NULL, NULL,                                                              \
            "recompute the state hash of a Revenant sector, stale or not"                                    \
    }

/* Reports how the bytes of a file have changed. */
void edits_report(const char *file, const char *before, size_t old_size, const char *after, size_t size);

/* How many new findings are shown, and the line after them, which states their number. */
#define EDITS_SHOWN 20
void edits_say_findings(const char *to, size_t count);

/* Limits an import's reports about a model to the number of new findings that are shown, and counts the
 * rest. */
typedef struct model_reports {
    const char *model;
    size_t count;
    bool quiet;
} model_reports;
mst_status model_report(void *user, const mst_diagnostic *what);
void model_reports_end(const model_reports *reports);

/* Applies operations, all or none, and reports the effects; returns the exit code. */
struct source;
int edits_apply(const options *given, struct source *opened, const char *file,
                const mst_operations *operations);

/* Whether --from names a format; if not, prints a message. */
bool edits_know_format(const options *given);
/* Pastes the content of the file `from`; returns the exit code. */
int edits_paste(const options *given, struct source *opened, const char *file, const char *from);

/* Opens the only input, calls the function to change its document, and writes the result: all files or none.
 * EXIT_NO from the function is returned after writing; after any other code nothing is written. `judges`:
 * EXIT_NO has a meaning of its own, so an unknown format does not return it. */
typedef int (*edits_function)(const options *given, struct source *opened, const char *file);
int edits_run(const options *given, edits_function change, bool judges);

#endif
