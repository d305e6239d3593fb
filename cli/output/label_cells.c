/* SPDX-License-Identifier: MIT */
#include "label_cells.h"
#include "show.h"
#include <stdlib.h>
#include <string.h>

const mst_labels *labels_of_list(label_cells *all, const mst_document *document, const char *list,
                                 const char *word) {
    for (size_t i = 0; i < all->count; i++)
        if (!strcmp(all->items[i].list, list) && !strcmp(all->items[i].word, word))
            return all->items[i].labels;
    all->items = need(realloc(all->items, (all->count + 1) * sizeof *all->items));
    struct label_list *made = &all->items[all->count++];
    made->list = need(strdup(list));
    made->word = need(strdup(word));
    if (mst_labels_open(&made->labels, document, list, word, NULL) != MST_OK)
        made->labels = NULL;
    return made->labels;
}

void label_cells_free(label_cells *all) {
    for (size_t i = 0; i < all->count; i++) {
        free(all->items[i].list);
        free(all->items[i].word);
        mst_labels_close(all->items[i].labels);
    }
    free(all->items);
    *all = (label_cells){NULL, 0};
}

void put_labels_plain(stream *to, const mst_labels *labels, uint64_t element) {
    const char *name;
    for (size_t i = 0; (name = mst_labels_name(labels, element, i)) != NULL; i++) {
        put_text(to, i ? ", " : "");
        put_text(to, name);
    }
}

void put_labels_json(stream *to, const mst_labels *labels, uint64_t element) {
    const char *name = mst_labels_name(labels, element, 0);
    bool one = name && !mst_labels_name(labels, element, 1);
    put_text(to, one ? "" : "[");
    for (size_t i = 0; (name = mst_labels_name(labels, element, i)) != NULL; i++) {
        put_text(to, i ? "," : "");
        put_json_string(to, name, strlen(name));
    }
    put_text(to, one ? "" : "]");
}

/* The labels at the end of a path; NULL: it has another end. */
static const mst_labels *labels_at(label_cells *all, const mst_document *document, const char *path,
                                   uint64_t *element) {
    const char *dot = strrchr(path, '.');
    if (!dot || dot == path || dot[-1] != ']')
        return NULL;
    char *list = copy_of(path, (size_t)(dot - path - 1)), *open = strrchr(list, '['), *end = NULL;
    const mst_labels *labels = NULL;
    if (open && open[1] >= '0' && open[1] <= '9') {
        *element = strtoull(open + 1, &end, 10);
        *open = 0;
        labels = *end ? NULL : labels_of_list(all, document, list, dot + 1);
    }
    free(list);
    return labels;
}

bool has_labels_at(label_cells *all, const mst_document *document, const char *path) {
    uint64_t element;
    const mst_labels *labels = labels_at(all, document, path, &element);
    return labels && mst_labels_name(labels, element, 0);
}

bool put_labels_at(stream *to, label_cells *all, const mst_document *document, const char *path, bool json) {
    uint64_t element;
    const mst_labels *labels = labels_at(all, document, path, &element);
    if (!labels)
        return false;
    if (json)
        put_labels_json(to, labels, element);
    else
        put_labels_plain(to, labels, element);
    put_text(to, "\n");
    return true;
}
