/* SPDX-License-Identifier: MIT */
#include "sidecars.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define HELD_MAX ((size_t)8 << 20)

static mst_search *search_new(const options *given) {
    mst_search *search;
    if (mst_search_create(NULL, &search) != MST_OK)
        need(NULL);
    if (options_has(given, OPTION_NO_MMAP))
        mst_search_unmapped(search);
    return search;
}

/* Adds the directories of --search-path; false, with `why`, at the first that cannot be read. */
static bool add_named(mst_search *search, const options *given, mst_diagnostic *why) {
    for (size_t i = 0; i < given->argument_count; i++)
        if (given->arguments[i].id == OPTION_SEARCH_PATH &&
            mst_search_add(search, given->arguments[i].value, why) != MST_OK)
            return false;
    return true;
}

bool sidecars_exist(const options *given) {
    mst_search *search = search_new(given);
    mst_diagnostic why;
    bool exist = add_named(search, given, &why);
    if (!exist)
        say(MST_ERROR, "--search-path: %s", why.message);
    mst_search_free(search);
    return exist;
}

static mst_status find(void *user, const char *name, const void **bytes, size_t *size) {
    sidecars *all = user;
    if (all->broken)
        return MST_IO;
    bool xml = all->schema_size && all->schema[0] == '<';
    if (all->schema && (!strcasecmp(name, all->schema_name) || (!xml && !strcasecmp(name, "class.def")))) {
        *bytes = all->schema;
        *size = all->schema_size;
        return MST_OK;
    }
    if (all->of->in) {
        mst_status status = archive_sidecar(all->of->in, all->of->member, name, bytes, size);
        if (status != MST_NO_PATH)
            return status;
    }
    mst_status status = all->within.find(all->within.user, name, bytes, size);
    if (status == MST_OK && *bytes != all->last) { /* the same file again takes no more memory */
        all->held += *size;
        all->last = *bytes;
    }
    return status;
}

static mst_status each(void *user, const char *folder, const char *ending, mst_take_sidecar take,
                       void *taker) {
    sidecars *all = user;
    if (all->of->in) {
        mst_status status = archive_each(all->of->in, folder, ending, take, taker);
        if (status != MST_OK)
            return status;
    }
    return all->within.each(all->within.user, folder, ending, take, taker);
}

const mst_resolver *sidecars_of(sidecars *all, const options *given, const input *item, const char *schema,
                                size_t schema_size) {
    const char *path = item->in ? archive_path(item->in) : item->path, *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    bool known = all->search && strcmp(path, "-") != 0 && strlen(all->directory) == length &&
                 !memcmp(all->directory, path, length);
    if (!known) {
        mst_diagnostic why;
        sidecars_close(all);
        all->search = search_new(given);
        all->directory = need(calloc(length + 1, 1));
        memcpy(all->directory, path, length);
        /* a level may be in a directory that may not be listed; if it may, failing to list it is an error */
        if (strcmp(path, "-") != 0 && mst_search_add(all->search, all->directory, &why) != MST_OK)
            all->broken = access(length ? all->directory : ".", R_OK) == 0;
        add_named(all->search, given, &why); /* sidecars_exist has reported errors */
        all->within = mst_search_resolver(all->search);
        all->resolver = (mst_resolver){find, all, &all->memo, each};
    }
    all->of = item;
    all->schema = schema;
    all->schema_size = schema_size;
    all->schema_name = schema ? base_name(given->value[OPTION_SCHEMA]) : "";
    return &all->resolver;
}

void sidecars_rest(sidecars *all) {
    if (all->held > HELD_MAX)
        sidecars_close(all);
}

void sidecars_close(sidecars *all) {
    mst_memo_clear(&all->memo);
    mst_search_free(all->search);
    free(all->directory);
    memset(all, 0, sizeof *all);
}
