/* SPDX-License-Identifier: MIT */
/*
 * A block is inserted into or removed from a bank: updates every file of the set that refers to blocks by
 * number. These are TRKBLK.tab (the first number of each directory), HITS (the lines of each), the tables of
 * all banks and voxel maps (entries up to their directory's last block) and the cells of MAPS.
 */
#include "renumber.h"
#include "../../../core/diagnose.h"
#include "../../../edit/single_edit.h"
#include "../../../tables/words.h"
#include "../../present.h"
#include "../packing/pair.h"
#include "../sfa_names.h"
#include "maps.h"
#include "maps_world.h"
#include <stdio.h>

#define BLOCKS_MAX 0x800u /* maximum number of entries in the game */
#define SUBS       64u    /* blocks of a directory that cells can name */
#define NAME_SIZE  64

typedef struct renumbering {
    const mst_renumbering *what;
    mst_diagnostic *diagnostic;
    const mst_sfa_directory *directory; /* of the bank */
    mst_arena arena;
    mst_sfa_first_blocks first; /* before the edit */
    uint32_t block;             /* the number inserted or removed */
    uint32_t sub, count;        /* the same in its directory; the directory's blocks before the edit */
    size_t users;
} renumbering;

static mst_status refuse(const renumbering *r, const char *message, const char *expected) {
    mst_fail(r->diagnostic, MST_REFUSED, "%s", message);
    if (r->diagnostic) {
        MST_SET(r->diagnostic->path, "blocks[%llu]", (unsigned long long)r->what->index);
        MST_SET(r->diagnostic->expected, "%s", expected);
    }
    return MST_REFUSED;
}

static mst_status say(const renumbering *r, mst_severity severity, const char *path, const char *message) {
    const mst_edit_options *options = r->what->options;
    mst_diagnostic line = {.severity = severity, .offset = MST_NO_OFFSET};
    if (!options || !options->report)
        return MST_OK;
    MST_SET(line.path, "%s", path);
    MST_SET(line.message, "%s", message);
    return options->report(options->user, &line);
}

/* ---- which files -------------------------------------------------------------------------------- */

/* MST_OK, MST_NO_PATH, or why it cannot be determined. */
static mst_status has(const renumbering *r, const char *name) {
    mst_status status = r->what->group->has(r->what->group, name);
    if (status != MST_OK && status != MST_NO_PATH)
        mst_fail(r->diagnostic, status, "%s of the set cannot be read", name + 3);
    return status;
}

/* The name of a directory's file relative to the bank's folder; false for directories that share their name
 * with one that has files. */
static bool name_in(uint32_t mod, const char *file, char *name) {
    const mst_sfa_directory *directory = mst_sfa_directory_of((int)mod);
    if (!directory || (!directory->has_files && mst_sfa_directory_named(directory->name) != directory))
        return false;
    mst_diagnostic_set(name, NAME_SIZE, "../%s/%s", directory->name, file);
    return true;
}

static bool table_of_bank(uint32_t mod, char *name) {
    char file[24];
    mst_diagnostic_set(file, sizeof file, "mod%d.tab", mst_sfa_file_number((int)mod));
    return name_in(mod, file, name);
}

/* Appends a file to the list of missing ones if it is missing. */
static mst_status need(const renumbering *r, const char *name, char *missing, size_t size) {
    size_t length = strlen(missing);
    mst_status status = has(r, name);
    if (status == MST_NO_PATH)
        snprintf(missing + length, size - length, "%s%s", length ? ", " : "", name + 3);
    return status == MST_NO_PATH ? MST_OK : status;
}

static mst_status all_missing(const renumbering *r, const char *missing) {
    char expected[sizeof r->diagnostic->expected];
    if (!missing[0])
        return MST_OK;
    mst_diagnostic_set(expected, sizeof expected, "%s in the set", missing);
    return refuse(r, "it also changes other files of the set, of which some are missing", expected);
}

/* Requires the files that every edit changes. */
static mst_status need_root(const renumbering *r) {
    static const char *const names[] = {"../TRKBLK.tab", "../HITS.tab", "../HITS.bin", "../MAPS.tab",
                                        "../MAPS.bin"};
    char missing[120] = "";
    mst_status status = MST_OK;
    for (size_t i = 0; i < MST_COUNT_OF(names) && status == MST_OK; i++)
        status = need(r, names[i], missing, sizeof missing);
    return status == MST_OK ? all_missing(r, missing) : status;
}

/* Requires the tables of banks with later blocks. */
static mst_status need_banks(const renumbering *r) {
    char missing[120] = "", name[NAME_SIZE];
    mst_status status = MST_OK;
    for (uint32_t mod = 0; mod < r->first.directories && status == MST_OK; mod++) {
        const mst_sfa_directory *directory = mst_sfa_directory_of((int)mod);
        bool later = r->first.numbers[mod + 1] > r->first.numbers[mod] && r->first.numbers[mod] >= r->block;
        if (later && directory && directory->has_files && table_of_bank(mod, name))
            status = need(r, name, missing, sizeof missing);
    }
    return status == MST_OK ? all_missing(r, missing) : status;
}

/* ---- the numbers -------------------------------------------------------------------------------- */

/* Up to three digits; -1: none. */
static int number_of(const char *digits) {
    int number = -1;
    for (int i = 0; i < 3 && digits[i] >= '0' && digits[i] <= '9'; i++)
        number = (number < 0 ? 0 : number * 10) + (digits[i] - '0');
    return number;
}

static mst_status begin(renumbering *r) {
    const char *name = mst_document_name(r->what->document), *folder = r->what->group->folder(r->what->group);
    char table[NAME_SIZE];
    const char *file = mst_sfa_file_name(name);
    int number = strlen(file) > 3 ? number_of(file + 3) : -1; /* banks' names begin with "mod" */
    int mod = mst_sfa_directory_of_file(number);
    r->directory = mst_sfa_directory_of(mod);
    if (!r->directory || !table_of_bank((uint32_t)mod, table))
        return refuse(r, "no directory of the game has this bank", "mod<N>.zlb.bin in its directory");
    if (folder[0] && !mst_same_text(folder, r->directory->name))
        return refuse(r, "the bank is not in its directory of the set", r->directory->name);
    return need_root(r);
}

static mst_status open_file(const renumbering *r, const char *name, const mst_format *alone,
                            const mst_format *format, mst_document **document) {
    mst_file_group *group = r->what->group;
    mst_status status = group->open(group, name, alone, document, r->diagnostic);
    if (status != MST_OK)
        return status == MST_NO_PATH ? refuse(r, "a file of the set cannot be read", name + 3) : status;
    return !format || (*document)->format == format
               ? MST_OK
               : refuse(r, "a file of the set does not have the expected format", name + 3);
}

static mst_status read_numbers(renumbering *r) {
    mst_document *table;
    mst_status status = open_file(r, "../TRKBLK.tab", NULL, &mst_format_sfa_trkblk, &table);
    if (status == MST_OK)
        status = mst_sfa_read_first_blocks(table, &r->arena, &r->first);
    if (status != MST_OK)
        return status;
    uint32_t mod = (uint32_t)r->directory->number, end = 0;
    r->block = (uint32_t)r->what->index;
    if (mod < r->first.directories) {
        end = r->first.numbers[mod + 1];
        r->count = end - r->first.numbers[mod];
        r->sub = r->block - r->first.numbers[mod];
    }
    if (mod >= r->first.directories || r->what->count != end || end < r->first.numbers[mod])
        return refuse(r, "the bank and TRKBLK.tab do not agree about the blocks of the directory",
                      "the number in TRKBLK.tab");
    if (r->block < r->first.numbers[mod])
        return refuse(r, "the number belongs to another directory", "one of the bank's own blocks");
    if (r->what->inserts && r->first.numbers[r->first.directories] >= BLOCKS_MAX - 1)
        return refuse(r, "the game has no room for more blocks", "at most 2047");
    if (r->what->inserts && r->count >= SUBS)
        return refuse(r, "cells cannot name more blocks of a directory", "at most 64");
    return MST_OK;
}

static mst_status change_numbers(const renumbering *r) {
    mst_document *table;
    mst_value list;
    mst_status status = open_file(r, "../TRKBLK.tab", NULL, &mst_format_sfa_trkblk, &table);
    if (status == MST_OK)
        status = mst_find(mst_root(table), "first_blocks", &list, r->diagnostic);
    uint8_t *bytes = status == MST_OK ? mst_edit_bytes(table) + list.offset : NULL;
    for (uint32_t i = (uint32_t)r->directory->number + 1; bytes && i <= r->first.directories; i++)
        mst_store16(bytes + 2 * (size_t)i, (uint16_t)(r->first.numbers[i] + (r->what->inserts ? 1 : -1)),
                    true);
    return status;
}

/* ---- lists by block number ---------------------------------------------------------------------- */

/* Inserts an element of zeros, or removes the element. */
static mst_status change_list(const renumbering *r, mst_document *document, const char *list) {
    char path[40];
    snprintf(path, sizeof path, "%s[%u]", list, (unsigned)r->block);
    return r->what->inserts ? mst_edit_insert(document, path, NULL, r->diagnostic)
                            : mst_edit_remove(document, path, r->diagnostic);
}

/* Restores the padding of a table that is open without its bank: zeros up to a multiple of 32. */
static mst_status pad_table(const renumbering *r, mst_document *table) {
    mst_value root = mst_root(table), tail = mst_member_in(&root, "tail");
    uint64_t size = tail.end - tail.offset - 4, before = tail.offset + (r->what->inserts ? 0 : 8);
    if (size != mst_sfa_padding(before) || !mst_sfa_is_zero(table->data + tail.offset + 4, size))
        return MST_OK; /* other bytes follow its end mark */
    char text[2 + 2 * (4 + 31) + 1] = "\"ffffffff";
    size_t length = strlen(text);
    for (uint64_t zeros = mst_sfa_padding(tail.offset + 4); zeros; zeros--, length += 2)
        memcpy(text + length, "00", 3);
    memcpy(text + length, "\"", 2);
    return mst_edit_set(table, "tail", text, r->diagnostic);
}

/* Changes the table of a bank: `alone`, or together with it. */
static mst_status change_table(const renumbering *r, const char *name, bool alone) {
    mst_document *document;
    mst_value list;
    mst_status status = open_file(r, name, alone ? &mst_format_sfa_table : NULL, NULL, &document);
    if (status != MST_OK)
        return status;
    const mst_format *format = document->format;
    const char *field = format == &mst_format_sfa_table                                      ? "words"
                        : format == &mst_format_sfa_voxmap                                   ? "entries"
                        : format == &mst_format_sfa_hits || format == &mst_format_sfa_blocks ? "blocks"
                                                                                             : NULL;
    uint32_t words; /* without an end mark it is not a table */
    bool is_table = format != &mst_format_sfa_table ||
                    mst_sfa_table_read(document->data, (size_t)document->size, &words, NULL) == MST_OK;
    if (!field || !is_table || mst_find(mst_root(document), field, &list, NULL) != MST_OK)
        return refuse(r, "a file of the set does not have the expected format", name + 3);
    uint64_t count = mst_count(&list), own = !alone && r->what->inserts;
    if (r->block >= count + own) /* it ends before the block */
        return MST_OK;
    status = change_list(r, document, field);
    return status == MST_OK && format == &mst_format_sfa_table ? pad_table(r, document) : status;
}

/* The same if the table exists. */
static mst_status change_if_there(const renumbering *r, const char *name, bool alone) {
    mst_status status = has(r, name);
    return status == MST_OK ? change_table(r, name, alone) : status == MST_NO_PATH ? MST_OK : status;
}

/* The tables of all other banks, and of all voxel maps. */
static mst_status change_tables(const renumbering *r) {
    char name[NAME_SIZE];
    mst_status status = change_table(r, "../HITS.bin", false);
    for (uint32_t mod = 0; mod < MST_SFA_DIRECTORIES && status == MST_OK; mod++) {
        bool own = mod == (uint32_t)r->directory->number;
        if (!own && table_of_bank(mod, name))
            status = change_if_there(r, name, true);
        if (status == MST_OK && name_in(mod, own ? "VOXMAP.bin" : "VOXMAP.tab", name))
            status = change_if_there(r, name, !own);
    }
    return status;
}

/* ---- cells -------------------------------------------------------------------------------------- */

/* A cell that shows the removed block. */
static mst_status orphan(renumbering *r, uint32_t map, uint32_t cell, uint8_t *mod) {
    const mst_edit_options *options = r->what->options;
    bool cascade = options && options->cascade;
    char path[64];
    snprintf(path, sizeof path, "MAPS.bin: maps[%u].cells[%u]", (unsigned)map, (unsigned)cell);
    if (cascade) {
        *mod = MST_SFA_NO_BLOCK;
        return say(r, MST_INFORMATION, path, "no longer refers to anything");
    }
    if (!r->users++ && r->diagnostic)
        MST_SET(r->diagnostic->found, "%s", path);
    return say(r, MST_ERROR, path, "refers to an element that would be removed");
}

/* A cell whose number was one above the last block until now. */
static mst_status say_alive(const renumbering *r, uint32_t map, uint32_t cell) {
    char path[64];
    snprintf(path, sizeof path, "MAPS.bin: maps[%u].cells[%u]", (unsigned)map, (unsigned)cell);
    return say(r, MST_WARNING, path, "refers to the directory's last block now, and referred to none before");
}

static mst_status change_cells(renumbering *r, mst_document *maps) {
    mst_sfa_maps_cursor cursor;
    mst_sfa_map_view map;
    uint8_t *bytes = mst_edit_bytes(maps);
    mst_status status = MST_OK;
    mst_sfa_maps_open(maps, &cursor);
    while (status == MST_OK && mst_sfa_maps_next(&cursor, &map)) {
        if (map.form == MST_SFA_MAP_KEPT)
            return refuse(r, "a map of MAPS.bin cannot be read, so that its cells cannot follow", "");
        for (uint32_t i = 0; i < map.cell_count && status == MST_OK; i++) {
            mst_sfa_cell cell = mst_sfa_map_cell(&map, i);
            uint8_t *mod = bytes + mst_column_offset(maps, &map.mod, i),
                    *sub = bytes + mst_column_offset(maps, &map.sub, i);
            if (cell.junk || cell.mod != r->directory->number || cell.sub < r->sub || cell.sub > r->count)
                continue;
            if (cell.sub == r->count)
                status = r->what->inserts ? say_alive(r, map.number, i) : MST_OK;
            else if (!r->what->inserts && cell.sub == r->sub)
                status = orphan(r, map.number, i, mod);
            else
                *sub = (uint8_t)(cell.sub + (r->what->inserts ? 1 : -1));
        }
    }
    return status;
}

static mst_status change_maps(renumbering *r) {
    mst_document *maps;
    mst_status status = open_file(r, "../MAPS.bin", NULL, &mst_format_sfa_maps, &maps);
    if (r->diagnostic)
        r->diagnostic->found[0] = 0;
    if (status == MST_OK)
        status = change_cells(r, maps);
    if (status != MST_OK || !r->users)
        return status;
    char first[64] = "";
    if (r->diagnostic)
        memcpy(first, r->diagnostic->found, sizeof first - 1);
    refuse(r, "others refer to it", "--cascade, or a change of them first");
    if (r->diagnostic && r->users > 1)
        MST_SET(r->diagnostic->found, "%s and %zu more", first, r->users - 1);
    else if (r->diagnostic)
        MST_SET(r->diagnostic->found, "%s", first);
    return MST_REFUSED;
}

/* ---- the whole operation ------------------------------------------------------------------------ */

/* The root of a disc has copies of all banks. */
static mst_status warn_of_copy(const renumbering *r) {
    char name[NAME_SIZE];
    mst_diagnostic_set(name, sizeof name, "../mod%d.zlb.bin", mst_sfa_file_number(r->directory->number));
    mst_status status = has(r, name);
    if (status == MST_OK)
        return say(r, MST_WARNING, name + 3, "the copy in the root of the disc is unchanged");
    return status == MST_NO_PATH ? MST_OK : status;
}

mst_status mst_sfa_renumber_blocks(const mst_renumbering *what, mst_diagnostic *diagnostic) {
    renumbering r = {.what = what, .diagnostic = diagnostic};
    mst_allocator allocator = what->document->allocator;
    mst_arena_begin(&r.arena, &allocator, 0);
    mst_status status = begin(&r);
    if (status == MST_OK)
        status = read_numbers(&r);
    if (status == MST_OK)
        status = need_banks(&r);
    if (status == MST_OK)
        status = change_maps(&r);
    if (status == MST_OK)
        status = change_numbers(&r);
    if (status == MST_OK)
        status = change_tables(&r);
    if (status == MST_OK)
        status = warn_of_copy(&r);
    mst_arena_end(&r.arena);
    return status == MST_NO_MEMORY ? mst_fail(diagnostic, status, "not enough memory for the edit") : status;
}
