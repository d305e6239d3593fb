/* SPDX-License-Identifier: MIT */
/* mapstone diff: the changes between two levels, or two directories or archives of them. */
#include "../../src/container/container.h"
#include "../../src/system/system.h"
#include "../inputs/change_filter.h"
#include "../inputs/left_out.h"
#include "../inputs/opened_source.h"
#include "../inputs/paths.h"
#include "../inputs/threads.h"
#include "../output/change_lines.h"
#include "../pictures/diff_picture.h"
#include "commands.h"
#include <mapstone/patch.h>
#include <stdlib.h>
#include <string.h>

/* The changes in a sector: elements missing from it may be in other sectors of its level. */
typedef struct sector {
    changes all;
    char *name;
} sector;

typedef struct compare_state {
    const options *given;
    stream *out;
    bool many;
    char *schema; /* NULL: none */
    size_t schema_size;
    change_filter *filter;
    changes current;  /* of the file that is being compared */
    const char *name; /* its name; NULL: no file is being compared */
    bool in_sector;
    sector *sectors; /* in the order of their names */
    size_t sector_count, sector_capacity;
    uint64_t same, differ, only_old, only_new, renamed;
    int code;
    const mst_resolver *sidecars; /* of the new level; NULL: there is none */
} compare_state;

/* ---- two documents ---------------------------------------------------------------------------------- */

static void put_heading(compare_state *c, const char *name) {
    if (c->many && !options_has(c->given, OPTION_JSON))
        changes_put_heading(c->out, name);
}

/* Whether a patch is wanted: by the option, or by the extension of the output. */
static bool is_patch(const options *given) {
    const char *to = given->value[OPTION_OUTPUT];
    size_t length = to ? strlen(to) : 0;
    return options_has(given, OPTION_PATCH) || options_has(given, OPTION_OFFSETS) ||
           (length > 8 && strcmp(to + length - 8, ".mspatch") == 0);
}

static void say_share(const mst_patch_made *made, size_t size) {
    if (made->packed)
        say_plain("%zu operations, packed, in %zu bytes", made->operations, size);
    else
        say_plain("%zu operations in %zu bytes, %.1f %% of them in raw operations", made->operations, size,
                  100.0 * (double)made->raw_bytes / (double)size);
}

static int write_patch(compare_state *c, const mst_document *old, const mst_document *now, const char *name) {
    mst_diagnostic why;
    mst_patch_made made = {.operations = 0};
    mst_patch_options how = {.size = sizeof how,
                             .with_data = options_has(c->given, OPTION_WITH_DATA),
                             .memory_limit = memory_limit(),
                             .made = &made,
                             .plain = !options_has(c->given, OPTION_OUTPUT),
                             .offsets = options_has(c->given, OPTION_OFFSETS)};
    stream text = stream_memory();
    mst_status status = mst_patch_make(old, now, &how, stream_sink(&text), &why);
    if (status == MST_OK)
        put(c->out, text.data, text.size);
    if (status == MST_OK && options_has(c->given, OPTION_STAT))
        say_share(&made, text.size);
    stream_free(&text);
    if (status != MST_OK)
        return say_diagnosis(name, &why);
    if (made.one_way)
        say(MST_INFORMATION,
            "%s: from version %u to %u the patch cannot be reversed: patch --reverse refuses it", name,
            (unsigned)mst_document_version(old), (unsigned)mst_document_version(now));
    return made.operations ? EXIT_NO : EXIT_YES;
}

/* The patch of two directories or archives. */
static int write_patch_of_all(compare_state *c, const char *const names[2]) {
    mst_container *sides[2] = {NULL, NULL};
    mst_patch_made made = {.operations = 0};
    left_out without = {.path = names[1], .what = "the patch", .quiet = options_has(c->given, OPTION_QUIET)};
    mst_patch_options how = {.size = sizeof how,
                             .with_data = options_has(c->given, OPTION_WITH_DATA),
                             .memory_limit = memory_limit(),
                             .made = &made,
                             .plain = !options_has(c->given, OPTION_OUTPUT),
                             .left_out = left_out_take,
                             .user = &without};
    mst_diagnostic why;
    stream text = stream_memory();
    int code = EXIT_YES;
    for (size_t i = 0; i < 2 && code == EXIT_YES; i++)
        if (mst_container_open(names[i], NULL, &sides[i], &why) != MST_OK)
            code = say_diagnosis(names[i], &why);
    const mst_patch_files files = {.size = sizeof files, .files = sides[0], .new_files = sides[1]};
    how.files = &files;
    if (code == EXIT_YES && mst_patch_make(NULL, NULL, &how, stream_sink(&text), &why) != MST_OK)
        code = say_diagnosis(NULL, &why);
    if (code == EXIT_YES) {
        const char *end = memchr(text.data, '\n', text.size);
        put(c->out, text.data, text.size);
        code = end && (size_t)(end - text.data) + 1 < text.size ? EXIT_NO : EXIT_YES;
        for (size_t i = 0; i < 2; i++) {
            without.path = names[i];
            left_out_names(&without, sides[i], false);
        }
        left_out_end(&without);
        if (made.one_way)
            say(MST_INFORMATION,
                "%s: the version of levels has changed: the patch cannot be reversed: patch --reverse "
                "refuses it",
                names[1]);
    }
    mst_container_close(sides[0]);
    mst_container_close(sides[1]);
    stream_free(&text);
    return code;
}

static void put_changes(compare_state *c, changes *all, const char *name) {
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

static changes no_changes(const compare_state *c, const char *name, bool is_sector) {
    const options *given = c->given;
    return (changes){.as_json = options_has(given, OPTION_JSON),
                     .file = c->many ? name : NULL,
                     .sidecars = c->sidecars,
                     .everything = options_has(given, OPTION_ALL),
                     .view_state = options_has(given, OPTION_VIEW_STATE),
                     .identify = is_sector};
}

/* The comparison of two single documents. */
typedef struct take_state {
    compare_state *c;
    changes *all;
} take_state;

static mst_status take_one(void *user, const mst_difference *change) {
    const take_state *to = user;
    return change_filter_takes(to->c->filter, change) ? changes_take(to->all, change) : MST_OK;
}

static int compare_documents(compare_state *c, const mst_document *old, const mst_document *now,
                             const char *name) {
    if (is_patch(c->given))
        return write_patch(c, old, now, name);
    changes all = no_changes(c, name, false);
    mst_diagnostic why;
    const mst_diff_options how = {.size = sizeof how, .schema = c->schema, .schema_size = c->schema_size};
    take_state to = {c, &all};
    mst_status status = mst_diff(old, now, &how, take_one, &to, &why);
    bool differ = changes_any(&all);
    if (status == MST_OK)
        put_changes(c, &all, name);
    changes_free(&all);
    return status != MST_OK ? say_diagnosis(name, &why) : differ ? EXIT_NO : EXIT_YES;
}

static int compare_inputs(const compare_state *c, const input *old, const input *now) {
    source sides[2] = {{.cache = NULL}, {.cache = NULL}};
    mst_diagnostic why;
    int code = EXIT_YES;
    for (size_t i = 0; i < 2; i++) {
        const input *item = i ? now : old;
        if (source_open(&sides[i], item, c->given, SOURCE_JSON, &why) != MST_OK)
            code = worse(code, say_trouble(item->path, &why));
    }
    if (code == EXIT_YES) {
        compare_state one = *c;
        one.sidecars = mst_level_sidecars(sides[1].level);
        code = compare_documents(&one, sides[0].document, sides[1].document, now->path);
        if (options_has(c->given, OPTION_PNG) && code <= EXIT_NO)
            code = worse(code, diff_picture(&sides[0], &sides[1], now->path, c->given->value[OPTION_PNG]));
    }
    source_close(&sides[0]);
    source_close(&sides[1]);
    return code;
}

/* ---- directories ------------------------------------------------------------------------------------ */

/* Keeps the changes in a sector until those of all sectors are known. */
static void keep_sector(compare_state *c) {
    if (c->sector_count == c->sector_capacity) {
        c->sector_capacity = c->sector_capacity ? 2 * c->sector_capacity : 64;
        c->sectors = need(realloc(c->sectors, c->sector_capacity * sizeof *c->sectors));
    }
    sector *kept = &c->sectors[c->sector_count++];
    *kept = (sector){.all = c->current, .name = need(strdup(c->name))};
    kept->all.file = kept->name;
}

/* Called after the last change in a file. */
static void end_file(compare_state *c) {
    if (!c->name)
        return;
    bool differ = changes_any(&c->current);
    if (differ && c->in_sector) {
        keep_sector(c);
    } else {
        put_changes(c, &c->current, c->name);
        changes_free(&c->current);
    }
    c->differ += differ;
    c->same += !differ;
    c->code = worse(c->code, differ ? EXIT_NO : EXIT_YES);
    c->name = NULL;
}

static void put_sectors(compare_state *c) {
    for (size_t i = 0; i < c->sector_count; i++)
        put_changes(c, &c->sectors[i].all, c->sectors[i].name);
    for (size_t i = 0; i < c->sector_count; i++) { /* only now: they name each other */
        changes_free(&c->sectors[i].all);
        free(c->sectors[i].name);
    }
    c->sector_count = 0;
}

/* A file that was added, removed or renamed. */
static void put_lonely(const compare_state *c, const mst_file_difference *file) {
    static const char *const ops[] = {[MST_FILE_ADDED] = "add-file",
                                      [MST_FILE_REMOVED] = "remove-file",
                                      [MST_FILE_RENAMED] = "rename-file"};
    static const char *const marks[] = {
        [MST_FILE_ADDED] = "+ ", [MST_FILE_REMOVED] = "- ", [MST_FILE_RENAMED] = "~ "};
    static const char *const colors[] = {
        [MST_FILE_ADDED] = COLOR_GREEN, [MST_FILE_REMOVED] = COLOR_RED, [MST_FILE_RENAMED] = COLOR_CYAN};
    const char *name = file->old_name ? file->old_name : file->new_name,
               *to = file->change == MST_FILE_RENAMED ? file->new_name : NULL;
    if (options_has(c->given, OPTION_QUIET))
        return;
    if (options_has(c->given, OPTION_JSON)) {
        put_text(c->out, "{");
        put_json_member(c->out, "op", ops[file->change]);
        put_json_member(c->out, "file", name);
        if (to)
            put_json_member(c->out, "to", to);
        put_text(c->out, "}\n");
        return;
    }
    paint(c->out, colors[file->change]);
    put_text(c->out, marks[file->change]);
    put_visible(c->out, name);
    unpaint(c->out);
    if (to) {
        put_text(c->out, " is now ");
        put_visible(c->out, to);
    }
    put_text(c->out, "\n");
}

/* A file that cannot be opened, with its path. */
static int say_failed(const compare_state *c, const mst_file_difference *file) {
    const char *side = c->given->operands[file->old_name ? 0 : 1];
    const char *name = file->old_name ? file->old_name : file->new_name;
    stream path = stream_memory();
    bool slash = *side && side[strlen(side) - 1] == '/';
    print(&path, "%s%s%s", side, !is_directory(side) ? "!" : slash ? "" : "/", name);
    put(&path, "", 1);
    int code = say_diagnosis(path.data, file->why);
    stream_free(&path);
    return code;
}

static mst_status take_file(void *user, const mst_file_difference *file) {
    compare_state *c = user;
    end_file(c);
    if (file->change == MST_FILE_ADDED || file->change == MST_FILE_REMOVED ||
        file->change == MST_FILE_RENAMED) {
        put_sectors(c);
        put_lonely(c, file);
        c->code = worse(c->code, EXIT_NO);
    }
    switch (file->change) {
    case MST_FILE_CHANGED:
        c->name = file->new_name;
        c->in_sector = file->is_sector != 0;
        c->current = no_changes(c, c->name, c->in_sector);
        break;
    case MST_FILE_SAME: c->same++; break;
    case MST_FILE_ADDED: c->only_new++; break;
    case MST_FILE_REMOVED: c->only_old++; break;
    case MST_FILE_RENAMED: c->renamed++; break;
    case MST_FILE_FAILED: c->code = worse(c->code, say_failed(c, file)); break;
    case MST_FILE_UNLIKE:
        put_heading(c, file->new_name);
        say(MST_ERROR, "%s: the two files are not levels of the same format", file->new_name);
        c->code = worse(c->code, EXIT_NO);
        c->differ++;
        break;
    }
    return MST_OK;
}

static mst_status take_change(void *user, const mst_difference *change) {
    compare_state *c = user;
    return change_filter_takes(c->filter, change) ? changes_take(&c->current, change) : MST_OK;
}

static int by_name(const void *name, const void *one) {
    return strcmp(name, ((const sector *)one)->name);
}

static changes *changes_of(const compare_state *c, const char *name) {
    sector *one =
        c->sector_count ? bsearch(name, c->sectors, c->sector_count, sizeof *c->sectors, by_name) : NULL;
    return one ? &one->all : NULL;
}

static mst_status take_move(void *user, const mst_moved_between *moved) {
    compare_state *c = user;
    end_file(c);
    changes *from = changes_of(c, moved->old_name), *to = changes_of(c, moved->new_name);
    if (from && to)
        changes_moved(from, to, moved);
    return MST_OK;
}

static void compare_all(compare_state *c) {
    archive *sides[2] = {NULL, NULL};
    mst_diagnostic why;
    for (size_t i = 0; i < 2; i++) {
        sides[i] = archive_open(c->given->operands[i], c->given, &why);
        if (!sides[i])
            c->code = worse(c->code, say_diagnosis(c->given->operands[i], &why));
        else if (mst_container_omitted(sides[i]->members))
            c->code = worse(c->code, EXIT_TROUBLE);
    }
    if (sides[0] && sides[1]) {
        const mst_diff_files files = {.size = sizeof files,
                                      .old_files = sides[0]->members,
                                      .new_files = sides[1]->members,
                                      .file = take_file,
                                      .moved = take_move};
        const mst_diff_options how = {.size = sizeof how,
                                      .schema = c->schema,
                                      .schema_size = c->schema_size,
                                      .files = &files,
                                      .parallel = threads_parallel(c->given, 1)};
        if (mst_diff(NULL, NULL, &how, take_change, c, &why) != MST_OK)
            c->code = worse(c->code, say_diagnosis(NULL, &why));
        end_file(c);
        put_sectors(c);
        for (size_t i = 0; i < 2; i++) {
            left_out without = {.path = c->given->operands[i],
                                .what = "the comparison",
                                .quiet = options_has(c->given, OPTION_QUIET)};
            left_out_names(&without, sides[i]->members, false);
            left_out_end(&without);
        }
    }
    archive_close(sides[0]);
    archive_close(sides[1]);
    free(c->sectors);
}

static void say_sum(const compare_state *c) {
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

/* git does not guard the names that it passes to a driver: -- has to follow --git and --textconv, or a file's
 * name could be read as an option. */
static bool accepts(int argc, char **argv) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        size_t length = strlen(argv[i]);
        bool driver = length > 2 &&
                      (strncmp("--git", argv[i], length) == 0 || strncmp("--textconv", argv[i], length) == 0);
        if (driver && (i + 1 == argc || strcmp(argv[i + 1], "--") != 0)) {
            say(MST_ERROR,
                "%s without -- after it, so names of files could be read as options: run 'mapstone "
                "git-setup' again",
                argv[i]);
            return false;
        }
    }
    return true;
}

/* Opens a file that git names; false: it is not a level, or missing. */
static bool open_quietly(source *opened, const char *path, const char *as, const options *given) {
    options one = *given;
    mst_diagnostic why;
    if (mst_system_is_nothing(path))
        return false;
    stream file = stream_memory(); /* the name may be "-" */
    print(&file, "%s%s", mst_system_is_absolute(path) ? "" : "./", path);
    put(&file, "", 1);
    one.value[OPTION_AS_PATH] = as;
    mst_status status = source_open_path(opened, file.data, &one, 0, &why);
    stream_free(&file);
    return status == MST_OK;
}

static void put_two_for_git(const options *given, stream *out) {
    source sides[2] = {{.cache = NULL}, {.cache = NULL}};
    const char *name = given->operands[0];
    bool old = open_quietly(&sides[0], given->operands[1], name, given),
         now = open_quietly(&sides[1], given->operands[4], name, given);
    change_filter none = {.items = NULL};
    compare_state c = {.given = given, .out = out, .many = true, .filter = &none};
    if (old && now && mst_document_format(sides[0].document) == mst_document_format(sides[1].document)) {
        compare_documents(&c, sides[0].document, sides[1].document, name);
    } else {
        put_heading(&c, name);
        put_text(out, old || mst_system_is_nothing(given->operands[1])
                          ? now || mst_system_is_nothing(given->operands[4])
                                ? old ? "  - the level\n" : "  + the level\n"
                                : "  the new file is not a level\n"
                          : "  the old file is not a level\n");
    }
    source_close(&sides[0]);
    source_close(&sides[1]);
}

/* As a diff command of git: path, old file, its hash and mode, new file, its hash and mode; for a renamed
 * file also the new path and git's description of it; for a file with conflicts only the path. git stops if
 * the exit code is not 0. */
static int run_for_git(const options *given) {
    size_t count = given->operand_count;
    if (count != 1 && count != 7 && count != 9)
        return options_usage(given, "--git: git gives a diff command seven operands, not %zu", count);
    stream out = stream_stdout();
    if (count == 1) {
        put_text(&out, "* Unmerged path ");
        put_visible(&out, given->operands[0]);
        put_text(&out, "\n");
    } else {
        put_two_for_git(given, &out);
    }
    stream_free(&out);
    return EXIT_YES;
}

/* Prints text that git compares, such as for 'git log -p'. */
static int run_as_text(const options *given) {
    source opened = {.cache = NULL};
    mst_diagnostic why;
    if (given->operand_count != 1)
        return options_usage(given, "--textconv: git gives one operand, not %zu", given->operand_count);
    const char *file = given->operands[0];
    stream out = stream_stdout();
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

/* ---- two directories or archives --------------------------------------------------------------------- */

/* Whether an operand is a directory or an archive. */
static bool is_many(const char *path) {
    return is_directory(path) || (!archive_prefix(path) && looks_like_archive(path));
}

static int compare_two(const compare_state *c) {
    inputs sides[2] = {inputs_of(c->given, 0), inputs_of(c->given, 1)};
    int code = worse(sides[0].code, sides[1].code);
    if (code == EXIT_YES)
        code = compare_inputs(c, &sides[0].items[0], &sides[1].items[0]);
    inputs_free(&sides[0]);
    inputs_free(&sides[1]);
    return code;
}

static int run(const options *given) {
    if (options_has(given, OPTION_GIT))
        return run_for_git(given);
    if (options_has(given, OPTION_TEXTCONV))
        return run_as_text(given);
    if (given->operand_count != 2)
        return options_usage(given, "diff needs two operands: OLD and NEW");
    const bool many[2] = {is_many(given->operands[0]), is_many(given->operands[1])};
    change_filter filter;
    if (!change_filter_read(&filter, given))
        return EXIT_TROUBLE;
    if (filter.count && is_patch(given)) {
        change_filter_end(&filter, true);
        return options_usage(given, "--ignore and --select apply to what is printed, not to patches");
    }
    stream out = stream_stdout();
    compare_state c = {.given = given, .out = &out, .many = many[0] || many[1], .filter = &filter};
    const char *schema = given->value[OPTION_SCHEMA];
    mst_diagnostic why;
    if (schema && read_whole(schema, &c.schema, &c.schema_size, &why) != MST_OK)
        c.code = say_diagnosis(schema, &why);
    if (many[0] != many[1]) {
        c.code = options_usage(given,
                               "a file is compared with a file, and a directory or archive with another one");
    } else if (c.many && options_has(given, OPTION_OFFSETS)) {
        c.code = options_usage(given, "--offsets lists the bytes of one file; compare the files one by one");
    } else if (c.many && is_patch(given)) {
        c.code = options_has(given, OPTION_STAT)
                     ? options_usage(given, "--stat applies to the patch of one file")
                     : worse(c.code, write_patch_of_all(&c, given->operands));
    } else if (c.many && options_has(given, OPTION_PNG)) {
        c.code = options_usage(given, "a picture shows one file; compare the files one by one");
    } else if (c.many && (!schema || c.schema)) {
        compare_all(&c);
        stream_flush(&out);
        say_sum(&c);
    } else if (c.code == EXIT_YES) {
        c.code = compare_two(&c);
    }
    stream_free(&out);
    change_filter_end(&filter, options_has(given, OPTION_QUIET) || c.code > EXIT_NO);
    free(c.schema);
    return c.code;
}

static const option_row rows[] = {
    {OPTION_ALL, 'a', "all", NULL, NULL,
     "each change on a separate line, however many; with --json also changes that follow from others"},
    {OPTION_STAT, 0, "stat", NULL, NULL,
     "only counts of changes, by list; of a patch the share of raw bytes"},
    OPTION_ROW_JSON("each change as a JSON object on a line"),
    {OPTION_VIEW_STATE, 0, "view-state", NULL, NULL,
     "also changes that only an editor shows, such as the positions of its views"},
    {OPTION_IGNORE, 0, "ignore", "WHAT", NULL,
     "no changes of these: objects[*].flags, flags, flags:moving; may be repeated"},
    {OPTION_SELECT, 0, "select", "WHAT", NULL, "only changes of these; may be repeated"},
    {OPTION_PNG, 0, "png", "FILE", NULL,
     "also draw the changes on a map: added green, removed red, changed yellow, moved with an arrow"},
    {OPTION_SCHEMA, 'S', "schema", "FILE", NULL,
     "definitions of the classes (editor_setup.xml): mark new values that are the editor's defaults"},
    {OPTION_PATCH, 0, "patch", NULL, NULL,
     "write a patch, for 'mapstone patch'; implied by a FILE of -o that ends in .mspatch"},
    {OPTION_OFFSETS, 0, "offsets", NULL, NULL,
     "list the bytes that differ by their offsets, as JSON, for 'mapstone patch --offsets'"},
    OPTION_ROW_MEMORY,
    {OPTION_WITH_DATA, 0, "with-data", NULL, NULL,
     "allow more than 1024 raw bytes of the game's data in a patch"},
    {OPTION_GIT, 0, "git", NULL, NULL,
     "act as a diff command of git, with its seven operands; -- must follow"},
    {OPTION_TEXTCONV, 0, "textconv", NULL, NULL,
     "act as a textconv of git: the JSON of one file; -- must follow"},
    OPTION_ROW_QUIET("print nothing; the exit code tells whether they differ"),
    OPTION_ROW_OUTPUT_DATA,
    OPTION_ROW_FROM,
    OPTION_ROW_SEARCH_PATH,
    OPTION_ROW_COMMON};

static const option_pair clashes[] = {
    {OPTION_STAT, OPTION_JSON},    {OPTION_SCHEMA, OPTION_PATCH},    {OPTION_SCHEMA, OPTION_STAT},
    {OPTION_ALL, OPTION_STAT},     {OPTION_PATCH, OPTION_JSON},      {OPTION_PATCH, OPTION_ALL},
    {OPTION_OUTPUT, OPTION_GIT},   {OPTION_OUTPUT, OPTION_TEXTCONV}, {OPTION_PNG, OPTION_GIT},
    {OPTION_PNG, OPTION_TEXTCONV}, {OPTION_NONE, OPTION_NONE}};

const command diff_command = {
    .name = "diff",
    .operands = "OLD NEW",
    .summary = "show the changes between two levels",
    .description =
        "Shows the changes from OLD to NEW, one per line: + added, - removed, ~ changed, > moved, * many "
        "elements with the same change (--all shows each). Exits with 0 if nothing has changed, else with "
        "1.\n\n"
        "- Elements are matched by their content, not by their position in the file: an object is unchanged "
        "if only its index differs, and a face if only the indices of its vertices differ.\n"
        "- Among similar elements that changed, those with the fewest differences are matched, by position "
        "first. If several matches are equally good, the line ends with the alternative (ambiguous).\n"
        "- Two directories, archives or disc images are compared file by file: by name, and files with other "
        "names by content. The sectors of a level are compared as one level: an object may move from one "
        "sector to another.\n"
        "- Hidden files are never compared.\n"
        "- Differences that only an editor shows, such as the positions of its views, are left out unless "
        "--view-state is given.\n"
        "- --ignore leaves changes out, and they do not count for the exit code: 'objects[*].flags' the "
        "field of "
        "the elements of a list, 'objects[class=tile].flags' with conditions as in selectors, flags a field "
        "of "
        "any list, flags:moving only changes of that flag, objects all about a list. Patterns (*) are "
        "allowed. "
        "--select shows only such changes.\n\n"
        "With -o FILE.mspatch a patch is written, from which 'mapstone patch' makes NEW out of OLD, byte for "
        "byte. The patch of two directories or archives has a part for each changed level, and for each "
        "other changed file of a kind that levels need.",
    .options = rows,
    .examples = "mapstone diff old.level new.level\nmapstone diff --stat old.level new.level\n"
                "mapstone diff --json maps-1.0/ maps-1.1/\n"
                "mapstone diff --ignore flags:moving saves-1/ saves-2/\n"
                "mapstone diff old.level new.level -o change.mspatch",
    .run = run,
    .clashes = clashes,
    .accepts = accepts,
    .output_is_stdout = true,
};
