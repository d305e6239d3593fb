/* SPDX-License-Identifier: MIT */
/* The relations whose data other rooms provide: files, references, assets, findings. */
#include "../core/diagnose.h"
#include "../core/hash.h"
#include "../level/sources.h"
#include "../tables/room_hooks.h"
#include "rows.h"
#include <mapstone/asset.h>
#include <mapstone/facts.h>

/* ---- file ----------------------------------------------------------------------------------------- */

mst_status mst_rows_file(mst_rows *rows) {
    enum { ID, NAME, SHA256, SIZE, FORMAT, VERSION, FAMILY, LEVEL, SECTOR_X, SECTOR_Y };
    const mst_format *format = rows->document->format;
    const char *id = format->information.id, *path = mst_level_path(rows->level, 0);
    size_t size;
    const void *bytes = mst_level_bytes_of(rows->level, 0, &size);
    mst_part_place place;
    mst_cell_integer(rows, ID, rows->file);
    mst_cell_word(rows, NAME, path);
    if (mst_rows_want(rows, SHA256)) {
        char sha256[65];
        mst_sha256_text(bytes, size, sha256);
        mst_cell_word(rows, SHA256, sha256);
    }
    mst_cell_integer(rows, SIZE, (int64_t)size);
    mst_cell_word(rows, FORMAT, id);
    if (*format->information.versions)
        mst_cell_integer(rows, VERSION, mst_document_version(rows->document));
    mst_cell_text(rows, FAMILY, id, strcspn(id, "-"));
    if (format->parts && format->parts->place && format->parts->place(rows->document->name, &place)) {
        mst_cell_integer(rows, LEVEL, place.level);
        mst_cell_integer(rows, SECTOR_X, place.x);
        mst_cell_integer(rows, SECTOR_Y, place.y);
    }
    mst_row_end(rows);
    return MST_OK;
}

/* ---- relation --------------------------------------------------------------------------------------- */

enum { FILE_ID, PATH, FIELD, TO_PATH, TO_NAME, KIND };

/* The path of a value as the path of its element, `length` characters, and the rest. */
static void put_path(mst_rows *rows, const char *path, size_t length) {
    const char *rest = path + length;
    mst_cell_integer(rows, FILE_ID, rows->file);
    mst_cell_text(rows, PATH, path, length);
    mst_cell_word(rows, FIELD, rest + (*rest == '.'));
}

static size_t element_length(const char *path, size_t list) {
    const char *end = strlen(path) >= list ? strchr(path + list, ']') : NULL;
    return end ? (size_t)(end - path) + 1 : strlen(path);
}

typedef struct refer_state {
    mst_rows *rows;
    const char *path; /* of the list that the numbers are in */
    size_t list;      /* its length */
} refer_state;

static mst_status put_reference(void *user, const mst_reference *reference) {
    const refer_state *r = user;
    /* a list of chunks spans the stream, which also contains others */
    if (strncmp(reference->path, r->path, r->list) != 0 || reference->path[r->list] != '[')
        return MST_OK;
    put_path(r->rows, reference->path, element_length(reference->path, r->list));
    mst_cell_word(r->rows, TO_PATH, reference->to);
    mst_cell_word(r->rows, KIND, "link");
    mst_row_end(r->rows);
    return r->rows->failed ? MST_NO_MEMORY : MST_OK;
}

/* At the first element of a list, all references of the list are looked up. */
static mst_status put_references(void *user, const mst_row_element *element) {
    mst_rows *rows = user;
    refer_state r = {rows, element->list, strlen(element->list)};
    if (!element->first || element->inside)
        return MST_OK;
    return mst_references(element->document, element->list, 0, put_reference, &r, rows->diagnostic);
}

static mst_status put_name(void *user, mst_asset_kind kind, const char *name, size_t length,
                           const char *path) {
    mst_rows *rows = user;
    put_path(rows, path, element_length(path, 0));
    mst_cell_name(rows, TO_NAME, name, length);
    mst_cell_word(rows, KIND, mst_asset_kind_name(kind));
    mst_row_end(rows);
    return rows->failed ? MST_NO_MEMORY : MST_OK;
}

static void put_element(mst_rows *rows, size_t column, const char *list, uint64_t index) {
    const mst_row_element element = {.list = list, .index = index};
    char path[MST_ROW_PATH];
    mst_cell_text(rows, column, path, mst_row_path(&element, path, sizeof path));
}

static mst_status put_link(void *user, const mst_named_link *link) {
    mst_rows *rows = user;
    mst_cell_integer(rows, FILE_ID, rows->file);
    put_element(rows, PATH, link->list, link->index);
    mst_cell_word(rows, FIELD, link->field);
    if (link->to)
        put_element(rows, TO_PATH, link->to, link->to_index);
    mst_cell_word(rows, TO_NAME, link->name);
    mst_cell_word(rows, KIND, link->acts ? "output" : "target");
    mst_row_end(rows);
    return rows->failed ? MST_NO_MEMORY : MST_OK;
}

mst_status mst_rows_relation(mst_rows *rows) {
    const mst_format *format = rows->document->format;
    mst_status status = mst_rows_each(rows, false, put_references, rows);
    if (status == MST_OK && format->rooms && format->rooms->links)
        status = format->rooms->links(rows->document, put_link, rows);
    if (status != MST_OK || !format->content.names)
        return status;
    status = format->content.names(rows->document, &rows->level->resolver, put_name, rows);
    return status == MST_DAMAGED ? MST_OK : status; /* a damaged document has no names */
}

/* ---- asset ---------------------------------------------------------------------------------------- */

mst_status mst_rows_asset(mst_rows *rows) {
    enum { ASSET_KIND = 1, STATE, NAME, USES, NAMED_BY, FOUND, SIZE };
    static const char *const states[] = {"found", "missing", "outside", "unreadable"};
    mst_assets *assets;
    mst_status status = mst_level_assets(rows->level, &assets, rows->diagnostic);
    if (status != MST_OK)
        return status;
    for (size_t i = 0; i < assets->count; i++) {
        const mst_asset *one = &assets->items[i];
        mst_cell_integer(rows, FILE_ID, rows->file);
        mst_cell_word(rows, ASSET_KIND, mst_asset_kind_name(one->kind));
        mst_cell_word(rows, STATE, states[one->state]);
        mst_cell_word(rows, NAME, one->name);
        mst_cell_integer(rows, USES, (int64_t)one->uses);
        if (one->by == MST_NO_ASSET)
            mst_cell_word(rows, NAMED_BY, one->path);
        mst_cell_word(rows, FOUND, one->file);
        if (one->bytes)
            mst_cell_integer(rows, SIZE, (int64_t)one->size);
        mst_row_end(rows);
    }
    mst_assets_free(assets);
    return MST_OK;
}

/* ---- finding -------------------------------------------------------------------------------------- */

static mst_status put_finding(void *user, const char *file, const mst_diagnostic *finding) {
    enum { CODE = 1, SEVERITY, WHERE, OFFSET, INNER, MESSAGE, EXPECTED, FOUND };
    mst_rows *rows = user;
    (void)file;
    mst_cell_integer(rows, FILE_ID, rows->file);
    mst_cell_word(rows, CODE, finding->code);
    mst_cell_word(rows, SEVERITY, mst_severity_word(finding->severity));
    mst_cell_word(rows, WHERE, finding->path);
    if (finding->offset != MST_NO_OFFSET)
        mst_cell_integer(rows, OFFSET, (int64_t)finding->offset);
    if (finding->offset != MST_NO_OFFSET && finding->packed)
        mst_cell_integer(rows, INNER, (int64_t)finding->inner);
    mst_cell_word(rows, MESSAGE, finding->message);
    mst_cell_word(rows, EXPECTED, finding->expected);
    mst_cell_word(rows, FOUND, finding->found);
    mst_row_end(rows);
    return rows->failed ? MST_NO_MEMORY : MST_OK;
}

mst_status mst_rows_finding(mst_rows *rows) {
    const mst_check_options how = {.size = sizeof how, .information = 1};
    return mst_level_check(rows->level, &how, put_finding, rows, NULL, rows->diagnostic);
}
