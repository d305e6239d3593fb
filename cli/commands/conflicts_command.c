/* SPDX-License-Identifier: MIT */
/* mapstone conflicts, resolve: lists and resolves what git could not merge. */
#include "../../src/core/fingerprint.h"
#include "../../src/core/write.h"
#include "../inputs/git_stages.h"
#include "../inputs/opened_source.h"
#include "../inputs/paths.h"
#include "../output/conflict_lines.h"
#include "commands.h"
#include <mapstone/merge.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct found_conflict {
    char *path, *ours; /* JSON; NULL */
    char *line, *json; /* as printed */
    bool is_value, is_decided, is_wanted;
} found_conflict;

typedef struct conflict_work {
    const options *given;
    const char *file; /* the file with the conflict in git; NULL: the caller passes the files */
    git_stages stages;
    source here, sides[3];
    found_conflict *found;
    size_t count, left; /* all conflicts, and the undecided ones */
    bool is_plain;      /* choices are ignored */
} conflict_work;

/* ---- merging ---------------------------------------------------------------------------------------- */

static const char *how_resolved(const git_choice *choice) {
    return !choice ? NULL : choice->side == 'o' ? "ours" : choice->side == 't' ? "theirs" : "value";
}

static mst_status choose(void *user, const mst_conflict *conflict, mst_resolution *resolution) {
    const conflict_work *w = user;
    const git_choice *choice = w->is_plain ? NULL : git_stages_choice(&w->stages, conflict->path);
    if (choice && choice->side == 'v')
        resolution->value = choice->value;
    else if (choice)
        resolution->side = choice->side == 'o' ? MST_PREFER_OURS : MST_PREFER_THEIRS;
    return MST_OK;
}

static char *text_of(stream *text) {
    put(text, "", 1);
    return text->data;
}

static mst_status take(void *user, const mst_conflict *conflict) {
    conflict_work *w = user;
    const git_choice *choice = git_stages_choice(&w->stages, conflict->path);
    stream line = stream_memory(), json = stream_memory();
    if ((w->count & (w->count + 1)) == 0)
        w->found = need(realloc(w->found, 2 * (w->count + 1) * sizeof *w->found));
    conflict_put(&line, conflict);
    conflict_put_json(&json, conflict, how_resolved(choice));
    w->found[w->count++] = (found_conflict){.path = need(strdup(conflict->path)),
                                            .ours = conflict->ours ? need(strdup(conflict->ours)) : NULL,
                                            .line = text_of(&line),
                                            .json = text_of(&json),
                                            .is_value = conflict->kind == MST_CONFLICT_VALUE,
                                            .is_decided = conflict->decided != MST_PREFER_NONE};
    w->left += conflict->decided == MST_PREFER_NONE;
    return MST_OK;
}

static void forget_found(conflict_work *w) {
    for (size_t i = 0; i < w->count; i++) {
        free(w->found[i].path);
        free(w->found[i].ours);
        free(w->found[i].line);
        free(w->found[i].json);
    }
    free(w->found);
    w->found = NULL;
    w->count = w->left = 0;
}

static int open_sides(conflict_work *w) {
    options named = *w->given;
    mst_diagnostic why;
    int code = EXIT_YES;
    if (w->file)
        named.value[OPTION_AS_PATH] = base_name(w->file);
    for (int i = 0; i < 3 && code == EXIT_YES; i++) {
        const char *path = w->file ? w->stages.files[i] : w->given->operands[i];
        source_close(&w->sides[i]);
        if (source_open_path(&w->sides[i], path, &named, i == 1 ? SOURCE_EDIT : SOURCE_JSON, &why) != MST_OK)
            code = say_trouble(w->file ? w->file : path, &why);
    }
    if (code == EXIT_YES && mst_document_file_count(w->sides[1].document) > 1) {
        say(MST_ERROR,
            "%s belongs to another file, and git merges files one by one: merge directories with "
            "'mapstone merge BASE OURS THEIRS -o OUT'",
            w->file ? w->file : w->given->operands[1]);
        code = EXIT_REFUSED;
    }
    return code;
}

/* Merges the three original versions again, applying the choices. */
static int merge_again(conflict_work *w) {
    const source *beside = w->file ? &w->here : &w->sides[1];
    int code = open_sides(w);
    if (code != EXIT_YES)
        return code;
    const mst_check_options checks = {
        .size = sizeof checks, .details = 1, .sidecars = mst_level_sidecars(beside->level)};
    const mst_merge_options how = {.size = sizeof how,
                                   .conflict = take,
                                   .resolve = choose,
                                   .user = w,
                                   .checks = options_has(w->given, OPTION_FORCE) ? NULL : &checks,
                                   .growth_limit = growth_limit(),
                                   .memory_limit = memory_limit()};
    mst_diagnostic why;
    forget_found(w);
    return mst_merge(w->sides[1].document, w->sides[0].document, w->sides[2].document, &how, NULL, &why) ==
                   MST_OK
               ? EXIT_YES
               : say_diagnosis(w->file ? w->file : w->given->operands[1], &why);
}

static int begin(conflict_work *w, const options *given, const char *file) {
    mst_diagnostic why;
    *w = (conflict_work){.given = given, .file = file};
    int code = file ? git_stages_begin(&w->stages, file) : EXIT_YES;
    if (code == EXIT_YES && file && source_open_path(&w->here, file, given, SOURCE_EDIT, &why) != MST_OK)
        code = say_trouble(file, &why);
    return code == EXIT_YES ? merge_again(w) : code;
}

static void end(conflict_work *w) {
    forget_found(w);
    for (int i = 0; i < 3; i++)
        source_close(&w->sides[i]);
    if (w->file) {
        source_close(&w->here);
        git_stages_end(&w->stages);
    }
}

static const char *plural(size_t count) {
    return count == 1 ? "conflict" : "conflicts";
}

/* ---- conflicts -------------------------------------------------------------------------------------- */

static void put_resolved(stream *out, const git_choice *choice) {
    paint(out, COLOR_GREEN);
    put_text(out, "= ");
    put_visible(out, choice->path);
    unpaint(out);
    print(out, ": %s", how_resolved(choice));
    if (choice->value) {
        put_text(out, " ");
        put_visible(out, choice->value);
    }
    put_text(out, "\n");
}

static int list(const conflict_work *w) {
    stream out = stream_stdout();
    for (size_t i = 0; i < w->count; i++) {
        const found_conflict *one = &w->found[i];
        if (options_has(w->given, OPTION_JSON))
            put_text(&out, one->json);
        else if (one->is_decided)
            put_resolved(&out, git_stages_choice(&w->stages, one->path));
        else
            put_text(&out, one->line);
    }
    stream_free(&out);
    const char *name = w->file ? w->file : w->given->operands[1];
    if (!options_has(w->given, OPTION_QUIET))
        say_plain("%s: %zu %s, %zu to resolve%s", name, w->count, plural(w->count), w->left,
                  !w->left && w->file ? ": git add it" : "");
    return w->left ? EXIT_NO : EXIT_YES;
}

static int run_conflicts(const options *given) {
    if (given->operand_count != 1 && given->operand_count != 3)
        return options_usage(given,
                             "conflicts takes a file that git could not merge, or BASE, OURS and THEIRS");
    conflict_work w;
    int code = begin(&w, given, given->operand_count == 1 ? given->operands[0] : NULL);
    if (code == EXIT_YES)
        code = list(&w);
    end(&w);
    return code;
}

/* ---- resolve ---------------------------------------------------------------------------------------- */

/* Whether a path is that value or inside it. */
static bool is_within(const char *path, const char *value) {
    const size_t length = strlen(value);
    return !strncmp(path, value, length) && (!path[length] || path[length] == '.' || path[length] == '[');
}

static mst_status want(void *user, const char *path, const mst_value *value) {
    conflict_work *w = user;
    (void)value;
    for (size_t i = 0; i < w->count; i++)
        w->found[i].is_wanted = w->found[i].is_wanted || is_within(w->found[i].path, path);
    return MST_OK;
}

static size_t wanted(const conflict_work *w) {
    size_t count = 0;
    for (size_t i = 0; i < w->count; i++)
        count += w->found[i].is_wanted;
    return count;
}

/* Marks the conflicts selected by the operands after the file, or by --all. */
static int select_conflicts(conflict_work *w) {
    mst_diagnostic why;
    for (size_t i = 0; i < w->count; i++)
        w->found[i].is_wanted = options_has(w->given, OPTION_ALL) && !w->found[i].is_decided;
    for (size_t i = 1; i < w->given->operand_count; i++) {
        const char *selector = w->given->operands[i];
        const size_t before = wanted(w);
        want(w, selector, NULL);
        mst_selected all = {0};
        if (wanted(w) == before && mst_is_selector(selector, 1) &&
            mst_select(mst_root(w->sides[0].document), selector, want, w, &all, &why) != MST_OK)
            return say_diagnosis(w->file, &why);
        if (wanted(w) == before) {
            say(MST_ERROR, "%s: there is no conflict at %s: 'mapstone conflicts' lists them", w->file,
                selector);
            return EXIT_NO_PATH;
        }
    }
    return EXIT_YES;
}

/* A value as JSON of the same kind as ours: a text need not be quoted, nor a single number be in brackets. To
 * be freed. */
static char *value_json(const char *text, const char *ours) {
    const bool in_list = ours && ours[0] == '[' && *text != '[';
    const char *like = in_list ? ours + 1 : ours;
    stream json = stream_memory();
    put_text(&json, in_list ? "[" : "");
    if (like && *like == '"' && *text != '"' && *text != '[' && *text != '{')
        put_json_string(&json, text, strlen(text));
    else
        for (const char *at = text; *at; at++) /* the value stays on one line */
            put(&json, (unsigned char)*at < ' ' ? " " : at, 1);
    put_text(&json, in_list ? "]" : "");
    return text_of(&json);
}

static int choose_value(conflict_work *w, const found_conflict *one, const char *text) {
    if (!one->is_value) {
        say(MST_ERROR, "%s: one side removed it: it is ours or theirs", one->path);
        return EXIT_REFUSED;
    }
    char *json = value_json(text, one->ours);
    git_stages_choose(&w->stages, one->path, 'v', json);
    free(json);
    return EXIT_YES;
}

static int choose_wanted(conflict_work *w) {
    const char *value = w->given->value[OPTION_VALUE];
    const bool ours = options_has(w->given, OPTION_OURS);
    int code = EXIT_YES;
    for (size_t i = 0; i < w->count && code == EXIT_YES; i++) {
        if (!w->found[i].is_wanted)
            continue;
        if (value)
            code = choose_value(w, &w->found[i], value);
        else
            git_stages_choose(&w->stages, w->found[i].path, ours ? 'o' : 't', NULL);
    }
    return code;
}

/* Asks about one conflict; false at the end of the input. */
static bool ask_one(conflict_work *w, const found_conflict *one, int *code) {
    char answer[4096];
    stream out = stream_stdout();
    put_text(&out, one->line);
    put_text(&out, one->is_value ? "ours (o), theirs (t), a value (= VALUE) or later (Enter)? "
                                 : "ours (o), theirs (t) or later (Enter)? ");
    stream_free(&out);
    fflush(stdout);
    if (!fgets(answer, sizeof answer, stdin))
        return false;
    answer[strcspn(answer, "\r\n")] = 0;
    if (answer[0] == '=')
        *code = choose_value(w, one, answer + 1 + strspn(answer + 1, " "));
    else if (!strcmp(answer, "o") || !strcmp(answer, "ours"))
        git_stages_choose(&w->stages, one->path, 'o', NULL);
    else if (!strcmp(answer, "t") || !strcmp(answer, "theirs"))
        git_stages_choose(&w->stages, one->path, 't', NULL);
    return *code == EXIT_YES;
}

static int ask(conflict_work *w) {
    int code = EXIT_YES;
    for (size_t i = 0; i < w->count; i++)
        if (!w->found[i].is_decided && !ask_one(w, &w->found[i], &code))
            break;
    return code;
}

/* Whether the file still equals the result of the choices so far. */
static bool is_untouched(const conflict_work *w) {
    size_t size;
    const void *bytes = mst_document_file(w->sides[1].document, 0, NULL, &size);
    return size == w->here.size && memcmp(bytes, w->here.bytes, size) == 0;
}

/* Stores the fingerprint of the result, so that the file is recognised later. */
static void note_result(conflict_work *w) {
    size_t size;
    char print[MST_FINGERPRINT];
    const void *bytes = mst_document_file(w->sides[1].document, 0, NULL, &size);
    mst_fingerprint(bytes, size, print);
    git_stages_choose(&w->stages, print, GIT_CHOICE_RESULT, NULL);
}

/* Whether the file may be overwritten: it is unchanged since the merge or an earlier call wrote it; 'git
 * mergetool' and 'git checkout --merge' restore those. */
static int may_make_again(conflict_work *w, bool *may) {
    char print[MST_FINGERPRINT];
    mst_fingerprint(w->here.bytes, w->here.size, print);
    const git_choice *result = git_stages_choice(&w->stages, print);
    *may = is_untouched(w) || options_has(w->given, OPTION_FORCE) ||
           (result && result->side == GIT_CHOICE_RESULT);
    if (*may)
        return EXIT_YES;
    w->is_plain = true;
    int code = merge_again(w);
    *may = code == EXIT_YES && is_untouched(w);
    w->is_plain = false;
    return *may ? merge_again(w) : code;
}

/* A choice that the merge could not apply. */
static const found_conflict *unfollowed(const conflict_work *w) {
    for (size_t i = 0; i < w->count; i++)
        if (!w->found[i].is_decided && git_stages_choice(&w->stages, w->found[i].path))
            return &w->found[i];
    return NULL;
}

static int write_file(const conflict_work *w) {
    size_t size;
    const void *bytes = mst_document_file(w->sides[1].document, 0, NULL, &size);
    target out;
    if (is_untouched(w))
        return EXIT_YES;
    if (!target_begin(&out, w->file))
        return EXIT_TROUBLE;
    mst_file_expect(out.writer, w->here.bytes, w->here.size);
    mst_sink sink = target_sink(&out);
    return target_settle(&out, sink.write(sink.user, bytes, size), w->file, NULL);
}

static int finish(const conflict_work *w) {
    const bool quiet = options_has(w->given, OPTION_QUIET);
    if (w->left) {
        if (!quiet)
            say_plain("%s: %zu of %zu %s to resolve", w->file, w->left, w->count, plural(w->count));
        return EXIT_NO;
    }
    if (options_has(w->given, OPTION_ADD))
        return git_stages_add(&w->stages) ? EXIT_YES : EXIT_TROUBLE;
    if (!quiet)
        say_plain("%s: all %zu %s resolved: git add it", w->file, w->count,
                  w->count == 1 ? "conflict is" : "conflicts are");
    return EXIT_YES;
}

static int resolve(conflict_work *w) {
    bool may;
    int code = may_make_again(w, &may);
    if (code == EXIT_YES && !may) {
        say(MST_ERROR,
            "%s is not what the merge made: it would be made again, and what has changed since would be "
            "lost; "
            "--force does so, 'git add' keeps it",
            w->file);
        return EXIT_REFUSED;
    }
    code = code == EXIT_YES ? select_conflicts(w) : code;
    if (code == EXIT_YES)
        code = options_has(w->given, OPTION_ASK) ? ask(w) : choose_wanted(w);
    if (code == EXIT_YES)
        code = merge_again(w);
    const found_conflict *other = code == EXIT_YES ? unfollowed(w) : NULL;
    if (other) {
        say(MST_ERROR, "%s: %s cannot be resolved so: ours needs it", w->file, other->path);
        return EXIT_REFUSED;
    }
    if (code == EXIT_YES)
        note_result(w);
    if (code == EXIT_YES && !git_stages_keep(&w->stages))
        code = EXIT_TROUBLE;
    code = code == EXIT_YES ? write_file(w) : code;
    return code == EXIT_YES ? finish(w) : code;
}

static int run_resolve(const options *given) {
    const bool asks = options_has(given, OPTION_ASK), all = options_has(given, OPTION_ALL);
    const int ways = options_has(given, OPTION_OURS) + options_has(given, OPTION_THEIRS) +
                     options_has(given, OPTION_VALUE) + asks;
    if (!given->operand_count)
        return options_usage(given, "resolve needs a file that git could not merge");
    if (ways != 1)
        return options_usage(given, "resolve needs one of --ours, --theirs, --value and --ask");
    if ((given->operand_count > 1) + all + asks != 1)
        return options_usage(given, asks ? "--ask asks about all conflicts: it takes only the file"
                                         : "resolve needs the path of a conflict, or --all");
    conflict_work w;
    int code = begin(&w, given, given->operands[0]);
    if (code == EXIT_YES)
        code = resolve(&w);
    end(&w);
    return code;
}

static const option_row conflicts_rows[] = {
    OPTION_ROW_JSON("one JSON object per conflict, as 'merge --conflicts' writes"),
    OPTION_ROW_GROWTH,
    OPTION_ROW_MEMORY,
    OPTION_ROW_QUIET("do not print how many there are"),
    OPTION_ROW_FROM,
    OPTION_ROW_COMMON};

static const option_row resolve_rows[] = {
    {OPTION_OURS, 0, "ours", NULL, NULL, "keep what ours has"},
    {OPTION_THEIRS, 0, "theirs", NULL, NULL, "take what theirs has; an element that ours removed returns"},
    {OPTION_VALUE, 0, "value", "VALUE", NULL, "use this value in place of both"},
    {OPTION_ALL, 'a', "all", NULL, NULL, "all conflicts that are not yet resolved"},
    {OPTION_ASK, 0, "ask", NULL, NULL, "ask about each of them; for 'git mergetool'"},
    {OPTION_ADD, 0, "add", NULL, NULL, "run 'git add' if all conflicts are resolved"},
    {OPTION_FORCE, 0, "force", NULL, NULL,
     "write the file even if it has changed since the merge, or has new errors"},
    OPTION_ROW_GROWTH,
    OPTION_ROW_MEMORY,
    OPTION_ROW_QUIET("do not print how many conflicts are left"),
    OPTION_ROW_FROM,
    OPTION_ROW_COMMON};

const command conflicts_command = {
    .name = "conflicts",
    .operands = "FILE | BASE OURS THEIRS",
    .summary = "list what a merge could not decide",
    .description =
        "Lists the conflicts of a level that 'git merge', 'git rebase' or 'git cherry-pick' could not merge "
        "('mapstone git-setup'), at any time until 'git add': git still has the three versions. Conflicts "
        "that 'mapstone resolve' has resolved are marked. Of three files it lists what 'mapstone merge' "
        "would list.\n\n"
        "Paths are of the common ancestor (BASE). Exits with 0 if no conflict is left, with 1 if there are "
        "some.",
    .options = conflicts_rows,
    .examples =
        "mapstone conflicts maps/a.level\nmapstone conflicts --json base.level ours.level theirs.level",
    .run = run_conflicts,
};

const command resolve_command = {
    .name = "resolve",
    .operands = "FILE [PATH...]",
    .summary = "resolve conflicts of a merge by git, one by one",
    .description =
        "Resolves conflicts that 'mapstone conflicts' lists: those at PATH or below, which may have "
        "conditions, as for 'mapstone get'. The level is merged again, with all that has been chosen so far, "
        "and stays a level that opens. A later choice replaces an earlier one.\n\n"
        "The choices are kept in the directory of git (mapstone in .git), as long as the file is not "
        "merged. When the last conflict is resolved, the file is complete: 'git add' it, or give --add. "
        "A file that has been edited since the merge is not overwritten unless --force is given.\n\n"
        "'git mergetool --tool=mapstone' asks about each conflict, once 'mapstone git-setup' has set it "
        "up.\n\n"
        "Exits with 0 if all conflicts are resolved, with 1 if some are left, with 3 if there is none at "
        "PATH, with 5 if the result is refused.",
    .options = resolve_rows,
    .examples = "mapstone resolve maps/a.level \"objects[1]\" --theirs\n"
                "mapstone resolve maps/a.level \"objects[class_name=light_point]\" --ours\n"
                "mapstone resolve maps/a.level \"objects[19].properties.intensity\" --value 4\n"
                "mapstone resolve maps/a.level --all --ours --add",
    .run = run_resolve,
};
