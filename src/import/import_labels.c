/* SPDX-License-Identifier: MIT */
/* Layers and groups of things, which extras have by name: `layers` with commas, `group`. */
#include "../core/json_text.h"
#include "importing.h"

static const struct {
    const char *extra, *word; /* the word of the labels (mst_labels_open) */
    bool several;
} labels[] = {{"layers", "layer", true}, {"group", "group", false}};

bool mst_is_label_extra(const char *name) {
    for (size_t i = 0; i < MST_COUNT_OF(labels); i++)
        if (strcmp(name, labels[i].extra) == 0)
            return true;
    return false;
}

/* What the extra was; NULL: it is no name. */
static const char *name_before(const mst_extras *before, const char *extra) {
    for (size_t i = 0; before && i < before->count; i++)
        if (strcmp(before->items[i].name, extra) == 0)
            return before->items[i].kind != MST_EXTRA_TEXT ? NULL
                   : before->items[i].text                 ? before->items[i].text
                                                           : "";
    return "";
}

/* JSON of one name, or of a list of those between commas. NULL: no memory. */
static const char *names_of(mst_importing *w, const char *text, size_t length, bool several) {
    const char *made = "[";
    if (!several)
        return mst_json_quoted(&w->scratch, text, length);
    for (size_t at = 0; at < length && made;) {
        const char *comma = memchr(text + at, ',', length - at);
        const size_t end = comma ? (size_t)(comma - text) : length;
        const mst_excerpt one = mst_trimmed(text + at, end - at);
        const char *name = mst_json_quoted(&w->scratch, one.text, one.length);
        if (one.length)
            made = name ? mst_arena_printf(&w->scratch, "%s%s%s", made, made[1] ? "," : "", name) : NULL;
        at = end + 1;
    }
    return made ? mst_arena_printf(&w->scratch, "%s]", made) : NULL;
}

static bool has_labels(const mst_document *document, const char *list, const char *word) {
    mst_labels *found = NULL;
    const mst_status status = mst_labels_open(&found, document, list, word, NULL);
    mst_labels_close(found);
    return status == MST_OK;
}

mst_status mst_import_labels(mst_importing *w, mst_import_script *script, const mst_document *document,
                             const char *list, const char *path, const mst_extras *before, uint32_t extras) {
    mst_status status = MST_OK;
    for (size_t i = 0; i < MST_COUNT_OF(labels) && status == MST_OK; i++) {
        const uint32_t at = mst_model_extra(&w->model, extras, labels[i].extra);
        const mst_json_node *node = &w->model.json.nodes[at];
        const char *was = name_before(before, labels[i].extra);
        if (!at || node->kind != MST_JSON_STRING || !was || mst_is_word(node, was) ||
            !has_labels(document, list, labels[i].word))
            continue;
        const char *names = names_of(w, node->text, node->length, labels[i].several);
        status = names ? mst_script_line(w, script, "set %s.%s = %s", path, labels[i].word, names)
                       : mst_importing_no_memory(w);
    }
    return status;
}
