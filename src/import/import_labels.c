/* SPDX-License-Identifier: MIT */
/*
 * Layers and groups of things, which extras name: `layers` separated by commas, `group`. Faces have `layers`
 * and `groups` in the extras of their part of a mesh, or of its node; without these they are unchanged.
 */
#include "../core/json_text.h"
#include "../core/output.h"
#include "faces.h"

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

/* The extra's former value; NULL if it is not a name. */
static const char *name_before(const mst_extras *before, const char *extra) {
    for (size_t i = 0; before && i < before->count; i++)
        if (strcmp(before->items[i].name, extra) == 0)
            return before->items[i].kind != MST_EXTRA_TEXT ? NULL
                   : before->items[i].text                 ? before->items[i].text
                                                           : "";
    return "";
}

/* The next of the names separated by commas, which may be empty. */
static mst_excerpt next_name(const char *text, size_t length, size_t *at) {
    const char *comma = memchr(text + *at, ',', length - *at);
    const size_t begin = *at, end = comma ? (size_t)(comma - text) : length;
    *at = end + 1;
    return mst_trimmed(text + begin, end - begin);
}

/* JSON of one name, or of a list of names separated by commas. NULL: no memory. */
static const char *names_of(mst_import_state *w, const char *text, size_t length, bool several) {
    const char *made = "[";
    if (!several)
        return mst_json_quoted(&w->scratch, text, length);
    for (size_t at = 0; at < length && made;) {
        const mst_excerpt one = next_name(text, length, &at);
        const char *name = mst_json_quoted(&w->scratch, one.text, one.length);
        if (one.length)
            made = name ? mst_arena_printf(&w->scratch, "%s%s%s", made, made[1] ? "," : "", name) : NULL;
    }
    return made ? mst_arena_printf(&w->scratch, "%s]", made) : NULL;
}

static bool has_labels(const mst_document *document, const char *list, const char *word) {
    mst_labels *found = NULL;
    const mst_status status = mst_labels_open(&found, document, list, word, NULL);
    mst_labels_close(found);
    return status == MST_OK;
}

mst_status mst_import_labels(mst_import_state *w, mst_import_script *script, const mst_document *document,
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

/* ---- faces ---- */

static const struct { const char *extra, *word; } face_labels[] = {{"layers", "layer"}, {"groups", "group"}};

/* The level's own labels, read when first needed. MST_NO_PATH: its faces have none. */
static mst_status open_labels(mst_face_work *f, size_t sort) {
    const char *word = face_labels[sort].word;
    return f->labels[sort] ? MST_OK
                           : mst_labels_make(&f->labels[sort], f->document, MST_FACES,
                                             (mst_excerpt){word, strlen(word)}, NULL, f->w->diagnostic);
}

/* The labels that a triangle of the model names; text NULL: none. */
static mst_excerpt named_by(const mst_face_work *f, const mst_face_triangle *triangle, size_t sort) {
    const mst_json_node *text = mst_model_text(&f->w->model, triangle->extras, face_labels[sort].extra);
    return text && !f->w->options->onto ? (mst_excerpt){text->text, text->length} : (mst_excerpt){NULL, 0};
}

static bool same_text(mst_excerpt a, mst_excerpt b) {
    return !a.text || !b.text ? a.text == b.text
                              : a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

/* Whether a face has exactly these names. */
static bool has_names(const mst_labels *all, uint32_t face, mst_excerpt names) {
    uint64_t left = all->first[face + 1] - all->first[face];
    for (size_t at = 0; at < names.length;) {
        const mst_excerpt one = next_name(names.text, names.length, &at);
        bool met = !one.length;
        for (uint64_t i = all->first[face]; i < all->first[face + 1] && !met; i++) {
            const char *own = all->names[all->named[i]];
            met = own && strlen(own) == one.length && memcmp(own, one.text, one.length) == 0;
        }
        if (!met || (one.length && !left))
            return false;
        left -= one.length > 0;
    }
    return !left;
}

static mst_status import_sort(mst_face_work *f, const mst_face_triangle *after, size_t count, size_t sort) {
    const mst_excerpt named = named_by(f, after, sort);
    const char *path = mst_path_of_face(f, after->face);
    for (size_t i = 1; i < count; i++)
        if (path && !same_text(named, named_by(f, &after[i], sort)))
            return mst_importing_warn(f->w, path, "its parts name different %s, and it stays as before",
                                      face_labels[sort].extra);
    if (!named.text)
        return MST_OK;
    mst_status status = open_labels(f, sort);
    if (status == MST_NO_PATH)
        return mst_importing_warn(f->w, path, "the faces of the level have no %s", face_labels[sort].extra);
    if (status != MST_OK ||
        (after->face < f->labels[sort]->count && has_names(f->labels[sort], after->face, named)))
        return status;
    const char *names = names_of(f->w, named.text, named.length, true);
    return path && names
               ? mst_script_line(f->w, f->script, "set %s.%s = %s", path, face_labels[sort].word, names)
               : mst_importing_no_memory(f->w);
}

mst_status mst_import_face_labels(mst_face_work *f, const mst_face_triangle *after, size_t count) {
    mst_status status = MST_OK;
    for (size_t sort = 0; sort < MST_COUNT_OF(face_labels) && status == MST_OK; sort++)
        status = import_sort(f, after, count, sort);
    return status;
}

/* The labels of the original face, by number. */
static void put_inherited(const mst_labels *all, uint32_t face, const char *word, mst_output *out) {
    if (face >= all->count || all->first[face] == all->first[face + 1])
        return;
    mst_output_format(out, ",\"%s\":", word);
    for (uint64_t i = all->first[face]; i < all->first[face + 1]; i++)
        mst_output_format(out, "%s%llu", i > all->first[face] ? "," : "[",
                          (unsigned long long)all->ids[all->named[i]]);
    mst_output_text(out, "]");
}

static void put_names(const char *word, const char *names, mst_output *out) {
    mst_output_format(out, ",\"%s\":", word);
    mst_output_text(out, names);
}

mst_status mst_put_face_labels(mst_face_work *f, const mst_face_origin *origin,
                               const mst_face_triangle *triangle, mst_output *out) {
    for (size_t sort = 0; sort < MST_COUNT_OF(face_labels); sort++) {
        const mst_excerpt named = named_by(f, triangle, sort);
        const char *names = named.length ? names_of(f->w, named.text, named.length, true) : "";
        const mst_status status = named.text || !origin ? MST_OK : open_labels(f, sort);
        if (!names)
            return mst_importing_no_memory(f->w);
        if (status != MST_OK && status != MST_NO_PATH)
            return status;
        if (named.length)
            put_names(face_labels[sort].word, names, out);
        else if (!named.text && origin && status == MST_OK)
            put_inherited(f->labels[sort], origin->face, face_labels[sort].word, out);
    }
    return MST_OK;
}
