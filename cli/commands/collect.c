/* SPDX-License-Identifier: MIT */
/* mapstone collect: gathers the files that a level needs. */
#define _GNU_SOURCE
#include "../../src/core/map.h"
#include "../../src/core/text.h"
#include "../../src/read/opened.h"
#include "../../src/system/file_names.h"
#include "../inputs/format_names.h"
#include "../inputs/opened_source.h"
#include "../inputs/paths.h"
#include "../inputs/sector_levels.h"
#include "../output/needed_files.h"
#include "../output/zip_out.h"
#include "commands.h"
#include <mapstone/level.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct collection {
    const char *to;
    zip_out *zip; /* NULL: `to` is a directory */
    size_t count;
    uint64_t bytes;
    mst_hash_map names; /* names of the written files, in lower case */
} collection;

/* Reserves a name; false if it is taken, ignoring case: names that differ only in case could be one file
 * where a zip is unpacked. */
static bool take_name(collection *c, const char *name) {
    char *key = need(strdup(name));
    for (char *at = key; *at; at++)
        *at = mst_lower(*at);
    const size_t before = c->names.count;
    need(mst_hash_map_add(&c->names, mst_key_text(key)));
    if (c->names.count == before)
        free(key);
    return c->names.count > before;
}

static void forget_names(collection *c) {
    for (size_t i = 0; i < c->names.count; i++)
        free((char *)(uintptr_t)c->names.entries[i].key.bytes);
    mst_hash_map_end(&c->names);
}

/* Writes one file, once; returns an exit code. */
static int put_file(collection *c, const char *name, const void *bytes, size_t size) {
    int code = EXIT_YES;
    if (!take_name(c, name))
        return EXIT_YES;
    if (c->zip) {
        code = zip_out_add(c->zip, name, bytes, size) ? EXIT_YES : EXIT_TROUBLE;
    } else {
        char *path;
        target out;
        size_t length = strlen(c->to);
        if (asprintf(&path, "%s%s%s", c->to, length && c->to[length - 1] == '/' ? "" : "/", name) < 0)
            need(NULL);
        if (!make_parents(path) || !target_begin(&out, path)) {
            code = EXIT_TROUBLE;
        } else {
            mst_sink sink = target_sink(&out);
            code = target_settle(&out, sink.write(sink.user, bytes, size), path, NULL);
        }
        free(path);
    }
    c->count += code == EXIT_YES;
    c->bytes += code == EXIT_YES ? size : 0;
    return code;
}

/* The folder where the game keeps its levels. */
static const char *folder_of(const source *part) {
    const char *folder = mst_document_format(part->document)->folder;
    return folder ? folder : "maps";
}

static int put_in(collection *c, const char *folder, const char *file, const void *bytes, size_t size) {
    char *name;
    if (asprintf(&name, "%s/%s", folder, file) < 0)
        need(NULL);
    int code = put_file(c, name, bytes, size);
    free(name);
    return code;
}

/* Whether a level has an extension of its format; reports it if not. The name may be from an archive or an
 * untrusted directory. */
static bool is_called_right(const source *part) {
    const mst_format_information *format = mst_document_format(part->document);
    const char *name = base_name(mst_document_name(part->document)), *fault = mst_name_fault(name);
    if (fault)
        say(MST_ERROR, "%s cannot be gathered under that name: %s", name, fault);
    else if (*format->extensions && !has_extension(format, extension_of(name)))
        say(MST_ERROR, "%s cannot be gathered under that name: the names of its format's levels end in %s",
            name, format->extensions);
    else
        return true;
    return false;
}

/* Puts a level's own file where its game keeps levels. */
static int put_part(collection *c, const source *part) {
    return put_in(c, folder_of(part), base_name(mst_document_name(part->document)), part->bytes, part->size);
}

/* Puts a file where the level looks for it: a name without a directory is next to the level, except in
 * Revenant, whose class.def is next to the folder of levels. */
static int put_asset(collection *c, const char *folder, const mst_asset *one) {
    bool beside = !strchr(one->file, '/') && strcmp(folder, "map") != 0;
    return beside ? put_in(c, folder, one->file, one->bytes, one->size)
                  : put_file(c, one->file, one->bytes, one->size);
}

static int put_all(collection *c, const source *parts, size_t count, const mst_assets *assets) {
    int code = EXIT_YES;
    for (size_t i = 0; i < count && code == EXIT_YES; i++)
        code = put_part(c, &parts[i]);
    for (size_t i = 0; i < assets->count && code == EXIT_YES; i++) {
        const mst_asset *one = &assets->items[i];
        if (one->state == MST_ASSET_FOUND)
            code = put_asset(c, folder_of(&parts[0]), one);
    }
    if (code == EXIT_YES)
        say_missing(assets, NULL);
    return code;
}

/* Whether the output can be written to that path. */
static bool may_write(const options *given, const char *to) {
    bool zip = !strcasecmp(extension_of(to), ".zip");
    if (!zip && !names_directory(to) && *extension_of(to)) {
        options_usage(given, "cannot write '%s': name a directory, or a file called .zip", to);
        return false;
    }
    return !leads_into_archive(to);
}

/* Gathers the files that the parts of a level reference; `name` is the level's name in messages. */
static int collect(const options *given, const source *parts, size_t count, const char *name,
                   const char *to) {
    for (size_t i = 0; i < count; i++)
        if (!is_called_right(&parts[i]))
            return EXIT_REFUSED;
    const mst_document **documents = need(calloc(count, sizeof *documents));
    for (size_t i = 0; i < count; i++)
        documents[i] = parts[i].document;
    mst_assets *assets;
    mst_diagnostic why;
    mst_status status = mst_assets_of(documents, count, mst_level_sidecars(parts[0].level), &assets, &why);
    free(documents);
    if (status != MST_OK)
        return say_diagnosis(name, &why);
    bool zip = !strcasecmp(extension_of(to), ".zip") && !names_directory(to);
    collection c = {.to = to, .zip = zip ? zip_out_begin(to) : NULL};
    int code = zip && !c.zip ? EXIT_TROUBLE : put_all(&c, parts, count, assets);
    forget_names(&c);
    if (c.zip && !zip_out_end(c.zip, code == EXIT_YES))
        code = worse(code, EXIT_TROUBLE);
    size_t missing = 0;
    for (size_t i = 0; i < assets->count; i++)
        missing += assets->items[i].state != MST_ASSET_FOUND;
    if (code == EXIT_YES && !options_has(given, OPTION_QUIET))
        say(MST_INFORMATION, "%zu file%s with %llu bytes %s in %s; %zu that %s named %s not found", c.count,
            c.count == 1 ? "" : "s", (unsigned long long)c.bytes, c.count == 1 ? "is" : "are", to, missing,
            missing == 1 ? "is" : "are", missing == 1 ? "was" : "were");
    if (code == EXIT_YES && missing && missing == assets->count)
        say(MST_INFORMATION,
            "none of the files that %s needs was found: give the game's folder, which holds maps, models or "
            "materials, with --search-path DIR or --game NAME",
            name);
    mst_assets_free(assets);
    return code;
}

/* A level of many files: the sectors of --level. */
static int collect_level(const options *given, const char *to) {
    inputs all = inputs_expand(given);
    inputs_leave_out(&all, given, to);
    candidates found = candidates_find(given, &all, to);
    level opened;
    int code = level_open(&opened, given, &all, &found);
    if (opened.count)
        code = worse(code, collect(given, opened.parts, opened.count, opened.name, to));
    level_close(&opened);
    free(found.items);
    inputs_free(&all);
    return code;
}

static int run(const options *given) {
    const char *to = given->value[OPTION_OUTPUT];
    bool many = options_has(given, OPTION_LEVEL);
    const char *path = many ? "" : input_single(given);
    if (!path) {
        if (given->operand_count)
            say(MST_INFORMATION, "with --level N, %s gathers the sectors of a level", given->command->name);
        return EXIT_TROUBLE;
    }
    if (!to || !given->operand_count || (!many && given->operand_count != 1))
        return options_usage(given, "collect needs one level, and -o DIR or -o FILE.zip");
    if (!many && !strcmp(path, "-") && !options_has(given, OPTION_AS_PATH))
        return options_usage(
            given, "standard input has no name: give the level's name with --as-path maps/NAME.level");
    if (!format_is_known(given, given->value[OPTION_FROM]) || !search_paths_exist(given) ||
        !may_write(given, to))
        return EXIT_TROUBLE;
    if (many)
        return collect_level(given, to);
    source opened;
    mst_diagnostic why;
    mst_status status = source_open_path(&opened, path, given, 0, &why);
    int code = status == MST_OK ? collect(given, &opened, 1, path, to) : say_diagnosis(path, &why);
    source_close(&opened);
    return code;
}

static const option_row rows[] = {OPTION_ROW_OUTPUT("the directory or .zip to write"),
                                  OPTION_ROW_QUIET("leave out the total at the end"),
                                  OPTION_ROW_LEVEL,
                                  OPTION_ROW_SEARCH_PATH,
                                  OPTION_ROW_FROM,
                                  OPTION_ROW_COMMON};

const command collect_command = {
    .name = "collect",
    .operands = "LEVEL...",
    .summary = "gather a level with the models, pictures, materials and textures that it needs",
    .description =
        "Writes the level and all files that it needs to a directory or a zip file, each under the path by "
        "which the game finds it: the level below maps/ (Revenant: map/), then models, materials and "
        "pictures, and the files that these need.\n\n"
        "- Files are searched for in the mod around the level's folder maps, in --search-path and in --game. "
        "'info --assets' lists them; it also counts targets of symbolic links, which are missing here.\n"
        "- With --level, the sectors of a level (files called LEVEL_X_Y) are gathered together.\n"
        "- Missing files are listed.\n"
        "- Hidden files, and files without the usual ending of their kind, are never gathered.\n\n"
        "A game's files belong to its makers: share only what you are allowed to share.",
    .options = rows,
    .examples = "mapstone collect maps/a.level --game ns2 -o gathered/\n"
                "mapstone collect maps/a.level --search-path mod/ -o a.zip\n"
                "mapstone collect --level 45 revenant/map -o gathered/",
    .run = run,
};
