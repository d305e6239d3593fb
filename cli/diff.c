/* SPDX-License-Identifier: MIT */
/* mapstone diff: what changed between two levels, or two directories or archives of them. */
#include "changes.h"
#include "commands.h"
#include "diff_picture.h"
#include "paths.h"
#include "source.h"
#include <mapstone/patch.h>
#include <stdlib.h>
#include <string.h>

/* What changed in a sector: other sectors of its level may have what is no longer in it. */
typedef struct sector {
    changes all;
    char *name;
    const mst_format_information *format;
    int32_t level;
} sector;

typedef struct comparing {
    const options *given;
    stream *out;
    bool many;
    char *schema; /* NULL: none */
    size_t schema_size;
    sector *sectors; /* in the order of their names */
    size_t sector_count, sector_capacity;
    uint64_t same, differ, only_old, only_new, renamed, skipped;
    int code;
} comparing;

/* A file that only one side has, by name. */
typedef struct lonely {
    const input *item;
    char sha256[65];
    bool readable, paired;
} lonely;

/* ---- two documents ---------------------------------------------------------------------------------- */

static void put_heading(comparing *c, const char *name) {
    if (!c->many || options_has(c->given, OPTION_JSON))
        return;
    paint(c->out, COLOR_BOLD);
    put_visible(c->out, name);
    unpaint(c->out);
    put_text(c->out, ":\n");
}

/* Whether a patch is wanted: by the option, or by the name of the output. */
static bool is_patch(const options *given) {
    const char *to = given->value[OPTION_OUTPUT];
    size_t length = to ? strlen(to) : 0;
    return options_has(given, OPTION_PATCH) || (length > 8 && strcmp(to + length - 8, ".mspatch") == 0);
}

/* How much of a patch is bytes as they are; its first and its last line are no operations. */
static void say_share(const stream *text, size_t lines) {
    static const char beginning[] = "{\"op\":\"raw\"";
    size_t raw = 0;
    for (size_t at = 0; at < text->size;) {
        const char *line = text->data + at, *end = memchr(line, '\n', text->size - at);
        size_t length = end ? (size_t)(end - line) + 1 : text->size - at;
        if (length > sizeof beginning && memcmp(line, beginning, sizeof beginning - 1) == 0)
            raw += length;
        at += length;
    }
    say_plain("%zu operations in %zu bytes, %.1f %% of them in raw operations", lines - 2, text->size,
              100.0 * (double)raw / (double)text->size);
}

static int write_patch(comparing *c, const mst_document *old, const mst_document *now, const char *name) {
    mst_diagnostic why;
    mst_patch_options how = {.size = sizeof how, .with_data = options_has(c->given, OPTION_WITH_DATA)};
    stream text = stream_memory();
    mst_status status = mst_patch_make(old, now, &how, stream_sink(&text), &why);
    size_t lines = 0;
    for (size_t i = 0; i < text.size; i++)
        lines += text.data[i] == '\n';
    if (status == MST_OK)
        put(c->out, text.data, text.size);
    if (status == MST_OK && options_has(c->given, OPTION_STAT))
        say_share(&text, lines);
    stream_free(&text);
    if (status != MST_OK)
        return say_diagnosis(name, &why);
    return lines > 2 ? EXIT_NO : EXIT_YES;
}

/* The patch of two directories or archives. */
static int write_patch_of_all(comparing *c, const char *const names[2]) {
    mst_container *sides[2] = {NULL, NULL};
    mst_patch_options how = {.size = sizeof how, .with_data = options_has(c->given, OPTION_WITH_DATA)};
    mst_diagnostic why;
    stream text = stream_memory();
    int code = EXIT_YES;
    for (size_t i = 0; i < 2 && code == EXIT_YES; i++)
        if (mst_container_open(names[i], NULL, &sides[i], &why) != MST_OK)
            code = say_diagnosis(names[i], &why);
    if (code == EXIT_YES && mst_patch_make_sets(sides[0], sides[1], &how, stream_sink(&text), &why) != MST_OK)
        code = say_diagnosis(NULL, &why);
    if (code == EXIT_YES) {
        const char *end = memchr(text.data, '\n', text.size);
        put(c->out, text.data, text.size);
        code = end && (size_t)(end - text.data) + 1 < text.size ? EXIT_NO : EXIT_YES;
    }
    mst_container_close(sides[0]);
    mst_container_close(sides[1]);
    stream_free(&text);
    return code;
}

static void put_changes(comparing *c, changes *all, const char *name) {
    const char *indent = c->many ? "  " : "";
    if (options_has(c->given, OPTION_QUIET))
        return;
    if (options_has(c->given, OPTION_JSON)) {
        changes_put_json(all, c->out);
        return;
    }
    if (!changes_any(all) || changes_said(all))
        return;
    put_heading(c, name);
    if (options_has(c->given, OPTION_STAT))
        changes_put_stat(all, c->out, indent);
    else
        changes_put(all, c->out, indent, options_has(c->given, OPTION_ALL));
}

/* Whether a file is a sector, and of which level. */
static bool is_sector(const mst_document *document, const char *name, int32_t *level) {
    mst_level_candidate one = {.name = name, .format = mst_document_format(document)};
    bool is = mst_level_group(&one, 1) == 1 && one.is_sector;
    *level = is ? one.number : 0;
    return is;
}

/* Keeps what changed in a sector until all of them are known. */
static void keep_sector(comparing *c, const changes *all, const char *name,
                        const mst_format_information *format, int32_t level) {
    if (c->sector_count == c->sector_capacity) {
        c->sector_capacity = c->sector_capacity ? 2 * c->sector_capacity : 64;
        c->sectors = need(realloc(c->sectors, c->sector_capacity * sizeof *c->sectors));
    }
    sector *kept = &c->sectors[c->sector_count++];
    *kept = (sector){.all = *all, .name = need(strdup(name)), .format = format, .level = level};
    kept->all.file = kept->name;
}

static int by_level(const void *left, const void *right) {
    const sector *const *a = left, *const *b = right;
    if ((*a)->format != (*b)->format)
        return strcmp((*a)->format->id, (*b)->format->id);
    return (*a)->level != (*b)->level ? ((*a)->level > (*b)->level) - ((*a)->level < (*b)->level)
                                      : ((*a) > (*b)) - ((*a) < (*b));
}

/* Shows the sectors, level by level. */
static void put_sectors(comparing *c) {
    sector **all = need(calloc(c->sector_count + 1, sizeof *all));
    changes **of = need(calloc(c->sector_count + 1, sizeof *of));
    for (size_t i = 0; i < c->sector_count; i++)
        all[i] = &c->sectors[i];
    if (c->sector_count)
        qsort(all, c->sector_count, sizeof *all, by_level);
    for (size_t begin = 0, end; begin < c->sector_count; begin = end) {
        for (end = begin; end < c->sector_count && all[end]->format == all[begin]->format &&
                          all[end]->level == all[begin]->level;
             end++)
            of[end] = &all[end]->all;
        changes_between(&of[begin], end - begin);
        for (size_t i = begin; i < end; i++)
            put_changes(c, of[i], all[i]->name);
    }
    for (size_t i = 0; i < c->sector_count; i++) {
        changes_free(&c->sectors[i].all);
        free(c->sectors[i].name);
    }
    free(of);
    free(all);
    free(c->sectors);
}

static int compare_documents(comparing *c, const mst_document *old, const mst_document *now,
                             const char *name) {
    const options *given = c->given;
    int32_t level = 0;
    if (is_patch(given))
        return write_patch(c, old, now, name);
    changes all = {.as_json = options_has(given, OPTION_JSON),
                   .file = c->many ? name : NULL,
                   .everything = options_has(given, OPTION_ALL),
                   .view_state = options_has(given, OPTION_VIEW_STATE),
                   .identify = c->many && !options_has(given, OPTION_GIT) && is_sector(now, name, &level)};
    mst_diagnostic why;
    const mst_diff_options how = {.size = sizeof how, .schema = c->schema, .schema_size = c->schema_size};
    mst_status status = mst_diff(old, now, &how, changes_take, &all, &why);
    bool differ = changes_any(&all);
    if (status == MST_OK && all.identify && differ) {
        keep_sector(c, &all, name, mst_document_format(now), level);
    } else {
        if (status == MST_OK)
            put_changes(c, &all, name);
        changes_free(&all);
    }
    if (status != MST_OK)
        return say_diagnosis(name, &why);
    if (differ)
        c->differ++;
    else
        c->same++;
    return differ ? EXIT_NO : EXIT_YES;
}

/* Opens one of two inputs; what is not recognised in a directory is skipped: then -1. */
static int open_side(comparing *c, source *opened, const input *item) {
    mst_diagnostic why;
    mst_status status = source_open(opened, item, c->given, SOURCE_JSON, &why);
    if (status == MST_OK)
        return EXIT_YES;
    return status == MST_UNKNOWN && !item->named ? -1 : say_diagnosis(item->path, &why);
}

/* Whether a file has the same bytes as one that is open, and nothing beside it belongs to these: then it need
 * not be opened. */
static bool has_same_bytes(const comparing *c, const source *opened, const input *item) {
    source read = {.cache = NULL};
    mst_diagnostic why;
    bool alone = !opened->from_json && mst_document_file_count(opened->document) == 1;
    bool same = alone && source_open(&read, item, c->given, SOURCE_READ, &why) == MST_OK &&
                read.size == opened->size &&
                (!read.size || memcmp(read.bytes, opened->bytes, read.size) == 0);
    source_close(&read);
    return same;
}

static int compare_inputs(comparing *c, const input *old, const input *now) {
    source sides[2] = {{.cache = NULL}, {.cache = NULL}};
    int codes[2] = {open_side(c, &sides[0], old), -1};
    if (codes[0] == EXIT_YES && c->many && has_same_bytes(c, &sides[0], now)) {
        c->same++;
        source_close(&sides[0]);
        return EXIT_YES;
    }
    if (codes[0] == EXIT_YES || (codes[0] == -1 && c->many))
        codes[1] = open_side(c, &sides[1], now);
    int code = worse(codes[0], codes[1]);
    if (codes[0] == EXIT_YES && codes[1] == EXIT_YES) {
        bool again = source_is_second(&sides[0], old) && source_is_second(&sides[1], now) && c->many;
        code = again ? EXIT_YES
                     : compare_documents(c, sides[0].document, sides[1].document,
                                         c->many ? now->relative : now->path);
        if (options_has(c->given, OPTION_PNG) && code <= EXIT_NO)
            code = worse(code, diff_picture(&sides[0], &sides[1], now->path, c->given->value[OPTION_PNG]));
    } else if (code <= EXIT_YES && codes[0] != codes[1]) {
        put_heading(c, now->relative);
        say(MST_ERROR, "%s: only one of the two is a level of a known format", now->relative);
        code = EXIT_NO;
        c->differ++;
    } else if (code == -1) {
        c->skipped++;
        code = EXIT_YES;
    }
    source_close(&sides[0]);
    source_close(&sides[1]);
    return code;
}

/* ---- directories ------------------------------------------------------------------------------------ */

static int by_name(const void *left, const void *right) {
    const input *const *a = left, *const *b = right;
    return strcmp((*a)->relative, (*b)->relative);
}

static const input **sorted(const inputs *all) {
    const input **items = need(calloc(all->count + 1, sizeof *items));
    for (size_t i = 0; i < all->count; i++)
        items[i] = &all->items[i];
    if (all->count)
        qsort(items, all->count, sizeof *items, by_name);
    return items;
}

/* Notes a file that only one side has, if it is a level. */
static void add_lonely(comparing *c, lonely *all, size_t *count, const input *item) {
    source opened = {.cache = NULL};
    lonely one = {.item = item};
    int code = open_side(c, &opened, item);
    one.readable = code == EXIT_YES;
    if (one.readable)
        mst_sha256_text(opened.bytes, opened.size, one.sha256);
    if (code == -1 || (one.readable && source_is_second(&opened, item)))
        c->skipped++;
    else
        all[(*count)++] = one;
    if (code > EXIT_YES)
        c->code = worse(c->code, code);
    source_close(&opened);
}

static void put_lonely(comparing *c, const char *op, const char *color, const char *name, const char *to) {
    if (options_has(c->given, OPTION_QUIET))
        return;
    if (options_has(c->given, OPTION_JSON)) {
        put_text(c->out, "{");
        put_json_member(c->out, "op", op);
        put_json_member(c->out, "file", name);
        if (to)
            put_json_member(c->out, "to", to);
        put_text(c->out, "}\n");
        return;
    }
    paint(c->out, color);
    print(c->out, "%s ", strcmp(op, "add-file") == 0 ? "+" : strcmp(op, "remove-file") == 0 ? "-" : "~");
    put_visible(c->out, name);
    unpaint(c->out);
    if (to) {
        put_text(c->out, " is now ");
        put_visible(c->out, to);
    }
    put_text(c->out, "\n");
}

static int by_hash(const void *left, const void *right) {
    const lonely *const *a = left, *const *b = right;
    return strcmp((*a)->sha256, (*b)->sha256);
}

/* Pairs files of equal content under other names, and lists the rest. */
static void list_lonely(comparing *c, lonely *old, size_t old_count, lonely *now, size_t new_count) {
    lonely **a = need(calloc(old_count + 1, sizeof *a)), **b = need(calloc(new_count + 1, sizeof *b));
    for (size_t i = 0; i < old_count; i++)
        a[i] = &old[i];
    for (size_t i = 0; i < new_count; i++)
        b[i] = &now[i];
    if (old_count)
        qsort(a, old_count, sizeof(lonely *), by_hash);
    if (new_count)
        qsort(b, new_count, sizeof(lonely *), by_hash);
    for (size_t i = 0, k = 0; i < old_count && k < new_count;) {
        int order = strcmp(a[i]->sha256, b[k]->sha256);
        if (!order && a[i]->readable) {
            a[i]->paired = b[k]->paired = true;
            c->renamed++;
            put_lonely(c, "rename-file", COLOR_CYAN, a[i]->item->relative, b[k]->item->relative);
        }
        i += order <= 0;
        k += order >= 0;
    }
    for (size_t i = 0; i < old_count; i++)
        if (!old[i].paired && ++c->only_old)
            put_lonely(c, "remove-file", COLOR_RED, old[i].item->relative, NULL);
    for (size_t i = 0; i < new_count; i++)
        if (!now[i].paired && ++c->only_new)
            put_lonely(c, "add-file", COLOR_GREEN, now[i].item->relative, NULL);
    free(a);
    free(b);
}

static void compare_all(comparing *c, const inputs *olds, const inputs *nows) {
    const input **old = sorted(olds), **now = sorted(nows);
    lonely *only_old = need(calloc(olds->count + 1, sizeof *only_old));
    lonely *only_new = need(calloc(nows->count + 1, sizeof *only_new));
    size_t old_count = 0, new_count = 0;
    for (size_t i = 0, k = 0; i < olds->count || k < nows->count;) {
        int order = i == olds->count ? 1 : k == nows->count ? -1 : strcmp(old[i]->relative, now[k]->relative);
        if (!order)
            c->code = worse(c->code, compare_inputs(c, old[i], now[k]));
        else if (order < 0)
            add_lonely(c, only_old, &old_count, old[i]);
        else
            add_lonely(c, only_new, &new_count, now[k]);
        i += order <= 0;
        k += order >= 0;
    }
    put_sectors(c);
    list_lonely(c, only_old, old_count, only_new, new_count);
    if (c->only_old || c->only_new || c->renamed)
        c->code = worse(c->code, EXIT_NO);
    free(only_old);
    free(only_new);
    free(old);
    free(now);
}

static void say_sum(const comparing *c) {
    if (options_has(c->given, OPTION_QUIET))
        return;
    say_plain("%llu files: %llu same, %llu differ, %llu only in the old, %llu only in the new, %llu renamed",
              (unsigned long long)c->same + c->differ + c->only_old + c->only_new + c->renamed,
              (unsigned long long)c->same, (unsigned long long)c->differ, (unsigned long long)c->only_old,
              (unsigned long long)c->only_new, (unsigned long long)c->renamed);
}

/* ---- the command ------------------------------------------------------------------------------------ */

static inputs inputs_of(const options *given, size_t operand) {
    options one = *given;
    one.operands = &given->operands[operand];
    one.operand_count = 1;
    return inputs_expand(&one);
}

/* ---- for git ---------------------------------------------------------------------------------------- */

/* Opens a file that git names; false: it is not a level, or missing. */
static bool open_quietly(source *opened, const char *path, const char *as, const options *given) {
    options one = *given;
    mst_diagnostic why;
    one.value[OPTION_AS_PATH] = as;
    return strcmp(path, "/dev/null") != 0 && source_open_path(opened, path, &one, 0, &why) == MST_OK;
}

/* As a diff command of git: path, old file, its hash and mode, new file, its hash and mode. git stops if it
 * does not exit with 0. */
static int run_for_git(const options *given) {
    source sides[2] = {{.cache = NULL}, {.cache = NULL}};
    stream out = stream_stdout();
    if (given->operand_count < 7) {
        if (given->operand_count == 1)
            print(&out, "* Unmerged path %s\n", given->operands[0]);
        stream_free(&out);
        return EXIT_YES;
    }
    const char *name = given->operands[0];
    bool old = open_quietly(&sides[0], given->operands[1], name, given),
         now = open_quietly(&sides[1], given->operands[4], name, given);
    comparing c = {.given = given, .out = &out, .many = true};
    if (old && now && mst_document_format(sides[0].document) == mst_document_format(sides[1].document)) {
        compare_documents(&c, sides[0].document, sides[1].document, name);
    } else {
        put_heading(&c, name);
        put_text(&out, old || !strcmp(given->operands[1], "/dev/null")
                           ? now || !strcmp(given->operands[4], "/dev/null")
                                 ? old ? "  - the level\n" : "  + the level\n"
                                 : "  the new file is not a level\n"
                           : "  the old file is not a level\n");
    }
    stream_free(&out);
    source_close(&sides[0]);
    source_close(&sides[1]);
    return EXIT_YES;
}

/* Text that git compares, such as for 'git log -p'. */
static int run_as_text(const options *given) {
    source opened = {.cache = NULL};
    stream out = stream_stdout();
    mst_diagnostic why;
    const char *file = given->operand_count ? given->operands[0] : "";
    if (open_quietly(&opened, file, base_name(file), given)) {
        mst_value root = mst_root(opened.document);
        mst_write_json(&root, NULL, stream_sink(&out), &why);
    } else {
        put_text(&out, "(not a level)\n");
    }
    stream_free(&out);
    source_close(&opened);
    return EXIT_YES;
}

/* ---- two of them ------------------------------------------------------------------------------------ */

static int run(const options *given) {
    if (options_has(given, OPTION_GIT))
        return run_for_git(given);
    if (options_has(given, OPTION_TEXTCONV))
        return run_as_text(given);
    if (given->operand_count != 2)
        return options_usage(given, "diff compares two: OLD and NEW");
    inputs sides[2] = {inputs_of(given, 0), inputs_of(given, 1)};
    stream out = stream_stdout();
    comparing c = {.given = given, .out = &out, .many = sides[0].many || sides[1].many};
    c.code = worse(sides[0].code, sides[1].code);
    const char *schema = given->value[OPTION_SCHEMA];
    mst_diagnostic why;
    if (schema && read_whole(schema, &c.schema, &c.schema_size, &why) != MST_OK)
        c.code = worse(c.code, say_diagnosis(schema, &why));
    if (sides[0].many != sides[1].many) {
        c.code = options_usage(given, "a file is compared with a file, a directory or archive with another");
    } else if (c.many && is_patch(given)) {
        c.code = options_has(given, OPTION_STAT) ? options_usage(given, "--stat is for the patch of one file")
                                                 : worse(c.code, write_patch_of_all(&c, given->operands));
    } else if (c.many && options_has(given, OPTION_PNG)) {
        c.code = options_usage(given, "a picture is of one file; compare the files one by one");
    } else if (c.many && (!schema || c.schema)) {
        compare_all(&c, &sides[0], &sides[1]);
        stream_flush(&out);
        say_sum(&c);
    } else if (c.code == EXIT_YES) {
        c.code = compare_inputs(&c, &sides[0].items[0], &sides[1].items[0]);
    }
    stream_free(&out);
    free(c.schema);
    inputs_free(&sides[0]);
    inputs_free(&sides[1]);
    return c.code;
}

static const option_row rows[] = {
    {OPTION_ALL, 'a', "all", NULL, NULL,
     "every change on a line of its own, however many; with --json also what follows from others"},
    {OPTION_STAT, 0, "stat", NULL, NULL,
     "only how much has changed, by lists; of a patch how much of it is bytes as they are"},
    OPTION_ROW_JSON("every change as a JSON object on a line"),
    {OPTION_VIEW_STATE, 0, "view-state", NULL, NULL,
     "also what only an editor shows, such as the positions of its views"},
    {OPTION_PNG, 0, "png", "FILE", NULL,
     "also draw what changed on a map: added green, removed red, changed yellow, moved with an arrow"},
    {OPTION_SCHEMA, 'S', "schema", "FILE", NULL,
     "definitions of the classes (editor_setup.xml): say which new values are those that the editor begins "
     "with"},
    {OPTION_PATCH, 0, "patch", NULL, NULL,
     "a patch, for 'mapstone patch'; also chosen by a FILE of -o that ends in .mspatch"},
    {OPTION_WITH_DATA, 0, "with-data", NULL, NULL,
     "a patch may carry more than 1024 bytes of the game's data as they are"},
    {OPTION_GIT, 0, "git", NULL, NULL, "as a diff command of git, which gives it seven operands"},
    {OPTION_TEXTCONV, 0, "textconv", NULL, NULL, "as a textconv of git: the JSON of one file"},
    OPTION_ROW_QUIET("print nothing; the exit code says whether they differ"),
    OPTION_ROW_OUTPUT_DATA,
    OPTION_ROW_FROM,
    OPTION_ROW_SEARCH_PATH,
    OPTION_ROW_COMMON};

static const option_pair clashes[] = {{OPTION_STAT, OPTION_JSON},   {OPTION_SCHEMA, OPTION_PATCH},
                                      {OPTION_SCHEMA, OPTION_STAT}, {OPTION_ALL, OPTION_STAT},
                                      {OPTION_PATCH, OPTION_JSON},  {OPTION_PATCH, OPTION_ALL},
                                      {OPTION_NONE, OPTION_NONE}};

const command diff_command = {
    .name = "diff",
    .operands = "OLD NEW",
    .summary = "show what changed between two levels",
    .description =
        "Shows what changed from OLD to NEW: objects that were added (+), removed (-) or changed (~), faces "
        "that were added, removed, reshaped or got another material, and values with what they were and are. "
        "Things are the same by what they are, not by where they stand in the file: an object that others "
        "come "
        "before is no change, a face although its vertices have other numbers. Where many elements have "
        "changed alike, one line says so (*); --all shows each.\n\n"
        "Two directories, archives or disc images are compared file by file: by name, and those with other "
        "names by content. Sectors of one level are compared as one: what went from one of them and came to "
        "another has moved (>).\n\n"
        "With -o FILE.mspatch a patch is written: what changed, complete, so that 'mapstone patch' makes NEW "
        "of "
        "OLD, byte for byte; of two directories or archives it has a part for each file.\n\n"
        "What an editor alone shows (the positions of its views) is no change unless --view-state is given. "
        "Exits with 0 if nothing has changed, else with 1.",
    .options = rows,
    .examples = "mapstone diff old.level new.level\nmapstone diff --stat old.level new.level\n"
                "mapstone diff --json maps-1.0/ maps-1.1/\n"
                "mapstone diff old.level new.level -o change.mspatch",
    .run = run,
    .clashes = clashes,
    .output_is_stdout = true,
};
