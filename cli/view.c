/* SPDX-License-Identifier: MIT */
/* mapstone view: the page that shows and edits levels, with files of this computer. */
#define _GNU_SOURCE
#include "commands.h"

#include "../src/system/system.h"
#include "inputs.h"
#include "serve.h"
#include <mapstone/container.h>
#include <stdlib.h>
#include <string.h>

#define BESIDE_MAX 4096 /* files beside a level that are offered to the page */

static void add_file(served *page, const char *name, const char *path) {
    mst_system_info info;
    if (mst_system_about(path, &info) != 0 || info.kind != MST_SYSTEM_FILE)
        return;
    for (size_t i = 0; i < page->count; i++)
        if (!strcmp(page->files[i].path, path))
            return;
    if (page->count == page->capacity) {
        page->capacity = page->capacity ? 2 * page->capacity : 64;
        page->files = need(realloc(page->files, page->capacity * sizeof *page->files));
    }
    page->files[page->count++] = (served_file){need(strdup(name)), need(strdup(path)), info.size};
}

/* ---- what the page gets
 * -------------------------------------------------------------------------------------- */

/* All files below a directory. */
static bool add_directory(served *page, const char *path) {
    mst_container *all = NULL;
    mst_diagnostic why;
    mst_status status = mst_container_open(path, NULL, &all, &why);
    if (status != MST_OK) {
        say_diagnosis(path, &why);
        return false;
    }
    stream file = stream_memory();
    for (size_t i = 0; i < mst_container_count(all); i++) {
        const char *name = mst_container_name(all, i);
        file.size = 0;
        print(&file, "%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/", name);
        put(&file, "", 1);
        add_file(page, name, file.data);
    }
    stream_free(&file);
    mst_container_close(all);
    return true;
}

static int by_text(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

typedef struct beside {
    char **names;
    size_t count;
} beside;

static bool take_name(void *user, const char *name, mst_system_kind kind) {
    beside *all = user;
    (void)kind;
    if (name[0] == '.')
        return true;
    all->names = need(realloc(all->names, (all->count + 1) * sizeof *all->names));
    all->names[all->count++] = need(strdup(name));
    return all->count < BESIDE_MAX;
}

/* The files beside a level, by name, after it: its textures may be among them. */
static void add_beside(served *page, const char *path) {
    size_t length = (size_t)(base_name(path) - path);
    stream folder = stream_memory();
    print(&folder, "%.*s", length ? (int)length : 1, length ? path : ".");
    put(&folder, "", 1);
    beside all = {0};
    mst_system_entries(folder.data, take_name, &all);
    stream_free(&folder);
    if (all.count)
        qsort(all.names, all.count, sizeof *all.names, by_text);
    stream file = stream_memory();
    for (size_t i = 0; i < all.count; i++) {
        file.size = 0;
        print(&file, "%.*s%s", (int)length, path, all.names[i]);
        put(&file, "", 1);
        add_file(page, all.names[i], file.data);
        free(all.names[i]);
    }
    stream_free(&file);
    free(all.names);
}

/* ---- where the page is
 * --------------------------------------------------------------------------------------- */

static bool has_page(const char *folder) {
    stream index = stream_memory();
    print(&index, "%s/index.html", folder);
    put(&index, "", 1);
    bool there = is_regular(index.data);
    stream_free(&index);
    return there;
}

/* The folder with the page, to be freed: beside the program, where it is installed, or in the sources that
 * this was built from. */
static char *find_page(void) {
    static const char *const places[] = {"page", "../share/mapstone/page", "../web/dist", "../../web/dist"};
    char *own = system_own_folder();
    for (size_t i = 0; own && i < sizeof places / sizeof *places; i++) {
        stream path = stream_memory();
        print(&path, "%s%s", own, places[i]);
        put(&path, "", 1);
        if (has_page(path.data)) {
            free(own);
            return path.data;
        }
        stream_free(&path);
    }
    free(own);
    return NULL;
}

/* ---- the command
 * --------------------------------------------------------------------------------------------- */

static bool add_inputs(served *page, const options *given) {
    for (size_t i = 0; i < given->operand_count; i++) {
        const char *path = given->operands[i];
        if (is_directory(path)) {
            if (!add_directory(page, path))
                return false;
        } else if (is_regular(path)) {
            add_file(page, base_name(path), path);
        } else {
            say(MST_ERROR, "%s is neither a file nor a directory", path);
            return false;
        }
    }
    for (size_t i = 0; i < given->operand_count; i++)
        if (!is_directory(given->operands[i]))
            add_beside(page, given->operands[i]);
    return true;
}

static int run(const options *given) {
    char *found = given->value[OPTION_PAGE] ? need(strdup(given->value[OPTION_PAGE])) : find_page();
    if (!found || !has_page(found)) {
        if (found)
            say(MST_ERROR, "there is no page in %s", found);
        else
            say(MST_ERROR, "the page is not installed; name its folder with --page");
        free(found);
        return EXIT_TROUBLE;
    }
    served page = {.folder = found, .listener = -1};
    int code = EXIT_TROUBLE;
    if (add_inputs(&page, given) && serve_begin(&page)) {
        stream out = stream_stdout(), address = stream_memory();
        print(&address, "http://%s/%s/%s", page.host[0], page.secret, page.count ? "?opened" : "");
        print(&out, "%.*s\n", (int)address.size, address.data);
        stream_free(&out);
        put(&address, "", 1);
        if (!options_has(given, OPTION_PRINT))
            system_show(address.data);
        stream_free(&address);
        if (!stdout_failed())
            serve_run(&page);
    }
    serve_end(&page);
    free(found);
    return code;
}

static const option_row rows[] = {
    {OPTION_PRINT, 0, "print", NULL, NULL, "only print the page's address; open no browser"},
    {OPTION_PAGE, 0, "page", "DIR", NULL, "the folder with the page (default: where it is installed)"},
    OPTION_ROW_COMMON};

const command view_command = {
    .name = "view",
    .operands = "[FILE...]",
    .summary = "open files in the browser, to look at them and edit them",
    .description =
        "Serves a page that shows levels, edits and saves them, to this computer's browser, with the files "
        "loaded, until it is interrupted. Only this computer can reach it, only at the address that is "
        "printed, and no other page in the browser can. The page may read the files, those beside them, and "
        "those below a directory that is named; it writes none of them, but saves as browsers do.",
    .options = rows,
    .examples = "mapstone view maps/a.level\nmapstone view --print L112LEV.MAP\nmapstone view sectors/",
    .run = run,
};
