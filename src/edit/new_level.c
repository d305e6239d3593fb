/* SPDX-License-Identifier: MIT */
/* New levels, from the templates of their formats. */
#include "../core/diagnose.h"
#include "../core/json.h"
#include "../core/json_text.h"
#include "../read/engine.h"
#include "../tables/templates.h"
#include <mapstone/edit.h>
#include <stdio.h>

#define EDIT_BUDGET ((size_t)1 << 26) /* bytes for applying a template of some kilobytes */

static bool is_of(const mst_template *one, const char *format_id) {
    return strcmp(one->format->information.id, format_id) == 0;
}

const char *mst_template_name(const mst_format_information *format, size_t index, const char **summary) {
    const mst_template *one = mst_templates;
    while (format && one->format && (!is_of(one, format->id) || index-- > 0))
        one++;
    const bool found = format && one->format;
    if (summary)
        *summary = found ? one->summary : NULL;
    return found ? one->name : NULL;
}

/* The template of that name; NULL: the first. */
static mst_status find_template(const char *id, const char *name, const mst_template **found,
                                mst_diagnostic *diagnostic) {
    bool any = false;
    for (const mst_template *one = mst_templates; one->format; one++) {
        if (!is_of(one, id))
            continue;
        any = true;
        *found = one;
        if (!name || strcmp(one->name, name) == 0)
            return MST_OK;
    }
    mst_fail(diagnostic, MST_NO_PATH,
             any ? "the format has no template of that name"
             : mst_format_named(id, strlen(id))
                 ? "new files of that format cannot be made: there is no template"
                 : "no format has that name");
    if (diagnostic)
        MST_SET(diagnostic->found, "%.70s", any ? name : id);
    return MST_NO_PATH;
}

/* Applies the lines of the template. */
static mst_status edit(mst_document *document, const mst_json *json, uint32_t lines,
                       const mst_allocator *allocator, mst_diagnostic *diagnostic) {
    mst_operations *operations = NULL;
    mst_status status = MST_OK;
    size_t count;
    for (uint32_t at = lines + 1; status == MST_OK && at < json->nodes[lines].end; at = json->nodes[at].end)
        status = mst_operations_read(&operations, json->nodes[at].text, json->nodes[at].length, 0, allocator,
                                     diagnostic);
    const mst_operation *all = mst_operations_all(operations, &count);
    if (status == MST_OK && count)
        status = mst_edit(document, all, count, NULL, diagnostic);
    mst_operations_free(operations);
    return status;
}

/* Converts the document to the wanted version and name, unless it has them. */
static mst_status change(mst_document **document, const mst_new_options *wanted, mst_diagnostic *diagnostic) {
    mst_convert_options options = {.size = sizeof options, .version = wanted->version, .name = wanted->name};
    mst_document *made = NULL;
    options.has_version = wanted->version && wanted->version != mst_document_version(*document);
    if (!options.has_version && !options.name)
        return MST_OK;
    mst_status status = mst_convert(*document, &options, NULL, NULL, &made, diagnostic);
    if (status == MST_OK) {
        mst_close(*document);
        *document = made;
    }
    return status;
}

static mst_status make(const mst_template *from, const mst_new_options *options, mst_arena *arena,
                       mst_document **document, mst_diagnostic *diagnostic) {
    mst_open_options open = {.size = sizeof open, .lenient_json = 1, .allocator = options->allocator};
    mst_json json;
    mst_status status = mst_json_parse(from->json, from->size, arena, &json, diagnostic);
    if (status != MST_OK)
        return status;
    uint32_t lines = mst_json_find_member(&json, "edit"), name = mst_json_find_member(&json, "name");
    open.name = name ? mst_arena_text(arena, json.nodes[name].text, json.nodes[name].length) : NULL;
    const char *level = mst_json_text_of(&json, mst_json_find_member(&json, "level"), arena);
    if (!level || (name && !open.name))
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for a new level");
    status = mst_open_json(level, strlen(level), &open, document, diagnostic);
    if (status == MST_OK && lines)
        status = edit(*document, &json, lines, &options->allocator, diagnostic);
    if (status == MST_OK)
        status = change(document, options, diagnostic);
    return status;
}

mst_status mst_new(const char *format, const mst_new_options *options, mst_document **document,
                   mst_diagnostic *diagnostic) {
    mst_new_options own;
    const mst_template *from;
    mst_arena arena;
    if (!format || !document)
        return mst_fail(diagnostic, MST_ARGUMENT, "a format and a place for the document are needed");
    *document = NULL;
    mst_status status = mst_take_options(&own, sizeof own, options, diagnostic);
    if (status == MST_OK)
        status = find_template(format, own.template_name, &from, diagnostic);
    if (status != MST_OK)
        return status;
    own.allocator = mst_allocator_or_default(&own.allocator);
    mst_arena_begin(&arena, &own.allocator, EDIT_BUDGET);
    status = make(from, &own, &arena, document, diagnostic);
    mst_arena_end(&arena);
    if (status != MST_OK) {
        mst_close(*document);
        *document = NULL;
    }
    return status;
}
