/* SPDX-License-Identifier: MIT */
#include "companions.h"
#include "inputs.h"
#include <stdlib.h>
#include <string.h>

static mst_search *search_new(void) {
    mst_search *search;
    if (mst_search_create(NULL, &search) != MST_OK)
        need(NULL);
    return search;
}

/* Adds what --search-path names; false, with `why`, at the first that cannot be read. */
static bool add_named(mst_search *search, const options *given, mst_diagnostic *why) {
    for (size_t i = 0; i < given->argument_count; i++)
        if (given->arguments[i].id == OPTION_SEARCH_PATH &&
            mst_search_add(search, given->arguments[i].value, why) != MST_OK)
            return false;
    return true;
}

bool companions_exist(const options *given) {
    mst_search *search = search_new();
    mst_diagnostic why;
    bool exist = add_named(search, given, &why);
    if (!exist)
        say(MST_ERROR, "--search-path: %s", why.message);
    mst_search_free(search);
    return exist;
}

const mst_finder *companions_open(companions *all, const options *given, const char *path) {
    all->search = search_new();
    mst_diagnostic why;
    if (strcmp(path, "-") != 0) {
        const char *slash = strrchr(path, '/');
        size_t length = slash ? (size_t)(slash - path) + 1 : 0;
        char *directory = need(calloc(length + 1, 1));
        memcpy(directory, path, length);
        mst_search_add(all->search, directory, &why); /* a level may stand where nothing can be listed */
        free(directory);
    }
    add_named(all->search, given, &why); /* companions_exist has seen to them */
    all->finder = mst_search_finder(all->search);
    return &all->finder;
}

void companions_close(companions *all) {
    mst_search_free(all->search);
    memset(all, 0, sizeof *all);
}
