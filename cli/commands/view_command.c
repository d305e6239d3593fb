/* SPDX-License-Identifier: MIT */
/* mapstone view: serves the page that shows and edits levels, with local files. */
#define _GNU_SOURCE
#include "commands.h"

#include "../../src/system/system.h"
#include "../inputs/offered.h"
#include "../inputs/paths.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- where the page is ------------------------------------------------------------------------------- */

static bool has_page(const char *folder) {
    stream index = stream_memory();
    print(&index, "%s/index.html", folder);
    put(&index, "", 1);
    bool there = is_regular(index.data);
    stream_free(&index);
    return there;
}

/* The folder with the page, to be freed: next to the program, where it is installed, or in the sources that
 * it was built from. */
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

/* ---- the command -------------------------------------------------------------------------------------- */

/* Writes a file, readable only by its owner, that redirects the browser to the address: all users of the
 * computer can see the arguments of programs. NULL, with a message, if it cannot be written. */
static char *write_guide(const char *address) {
    char *made = system_temporary(), *guide = NULL;
    int file = -1, error = made ? 0 : errno;
    stream text = stream_memory();
    print(&text,
          "<!doctype html>\n<meta charset=\"utf-8\">\n<title>mapstone</title>\n"
          "<meta http-equiv=\"refresh\" content=\"0;url=%s\">\n<a href=\"%s\">mapstone</a>\n",
          address, address);
    if (made && asprintf(&guide, "%s.html", made) < 0)
        need(NULL);
    if (made)
        error = mst_system_open(made, MST_SYSTEM_WRITE, &file);
    if (file >= 0) {
        error = mst_system_write(file, text.data, text.size);
        mst_system_close(file);
    }
    if (!error)
        error = mst_system_rename(made, guide);
    if (error) {
        char why[128];
        mst_system_reason(error, why, sizeof why);
        say(MST_ERROR, "no browser is opened, because no temporary file can be written: %s", why);
        if (made)
            mst_system_remove(made);
        free(guide);
        guide = NULL;
    }
    stream_free(&text);
    free(made);
    return guide;
}

static void show(served *page, const char *address) {
    page->guide = write_guide(address);
    if (!page->guide)
        return;
    temporaries.report(temporaries.user, page->guide, 1);
    system_show(page->guide);
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
    if (offer_operands(&page, given) && serve_begin(&page)) {
        stream out = stream_stdout(), address = stream_memory();
        print(&address, "http://%s/%s/%s", page.host[0], page.secret, page.count ? "?opened" : "");
        print(&out, "%.*s\n", (int)address.size, address.data);
        stream_free(&out);
        put(&address, "", 1);
        if (!options_has(given, OPTION_PRINT))
            show(&page, address.data);
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
    .summary = "show and edit files in the browser",
    .description =
        "Opens files in this computer's browser, in a page that shows, edits and saves levels, until it is "
        "interrupted. Only this computer can reach the page, only at the printed address, and other pages in "
        "the browser cannot reach it. The page may read the files, the files in their directories, and all "
        "files below a directory that is named, except hidden files and targets of links. It never writes "
        "them itself: it saves as any page in a browser does.",
    .options = rows,
    .examples = "mapstone view maps/a.level\nmapstone view --print L112LEV.MAP\nmapstone view sectors/",
    .run = run,
};
