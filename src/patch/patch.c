/* SPDX-License-Identifier: MIT */
/* Making patches, and applying them. */
#include "../compare/comparing.h"
#include "../core/diagnose.h"
#include "../core/hash.h"
#include "../core/meter.h"
#include "../core/number.h"
#include "../core/output.h"
#include "../core/text.h"
#include "../edit/single_edit.h"
#include "drafts.h"

char *mst_document_sha256(const mst_document *document, mst_arena *arena) {
    size_t count = mst_document_file_count(document), size;
    char *all = mst_arena_zero(arena, count * 65 + 1, 1);
    for (size_t i = 0; all && i < count; i++) {
        const void *bytes = mst_document_file(document, i, NULL, &size);
        mst_sha256_text(bytes, size, all + i * 65);
        if (i)
            all[i * 65 - 1] = ' ';
    }
    return all;
}

/* ---- results ---------------------------------------------------------------------------------------- */

/* Releases the spare memory of a buffer: nodes of the complete text are allocated next. */
static void trim(mst_buffer *text) {
    const mst_allocator *a = &text->allocator;
    void *less = text->size ? a->resize(a->user, text->data, text->capacity, text->size) : NULL;
    if (!less)
        return;
    text->data = less;
    text->capacity = text->size;
}

mst_status mst_draft_result(mst_draft *draft, mst_document **result, mst_diagnostic *diagnostic) {
    const mst_document *document = draft->document;
    mst_buffer text = {.allocator = draft->arena->allocator};
    mst_open_options options = {.size = sizeof options,
                                .format = document->format->information.id,
                                .name = document->name,
                                .allocator = draft->arena->allocator};
    *result = NULL;
    mst_status status = mst_draft_arrange(draft);
    if (status == MST_OK)
        status = mst_draft_write(draft, &text);
    if (status == MST_OK)
        trim(&text);
    if (status == MST_OK)
        status =
            mst_document_of_json((const char *)text.data, text.size, &options, false, result, diagnostic);
    else
        mst_fail(diagnostic, status, "not enough memory for the result");
    mst_buffer_free(&text);
    if (status == MST_OK)
        status = mst_draft_renumber(draft, *result, diagnostic);
    if (status == MST_OK && mst_keep_file_names(*result, document) != MST_OK)
        status = mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the names of the files");
    if (status == MST_OK)
        status = mst_serialize(*result, diagnostic);
    if (status != MST_OK) {
        mst_close(*result);
        *result = NULL;
    }
    if (status != MST_DAMAGED && status != MST_ARGUMENT && status != MST_UNKNOWN)
        return status;
    if (diagnostic)
        diagnostic->status = MST_REFUSED; /* the steps do not make a document */
    return MST_REFUSED;
}

/* Steps that are applied together. */
typedef enum phase { PHASE_STEPS, PHASE_STORE, PHASE_RESTORE, PHASE_RAW } phase;

static phase phase_of(const mst_patch_step *step) {
    return step->kind == MST_STEP_STORE     ? PHASE_STORE
           : step->kind == MST_STEP_RESTORE ? PHASE_RESTORE
           : step->kind == MST_STEP_RAW     ? PHASE_RAW
                                            : PHASE_STEPS;
}

static bool has_any(const mst_patch_steps *steps, phase which) {
    bool any = false;
    for (size_t i = 0; i < steps->count; i++)
        any = any || phase_of(&steps->items[i]) == which;
    return any;
}

/* Lays all steps of a phase over a draft; a step that does not fit is refused. */
static mst_status lay_all(mst_draft *draft, const mst_patch_steps *steps, phase which,
                          mst_diagnostic *diagnostic) {
    draft->steps = steps->count;
    for (size_t i = 0; i < steps->count; i++) {
        mst_patch_step *one = &steps->items[i];
        if (phase_of(one) != which)
            continue;
        mst_status status = mst_draft_lay(draft, one);
        if (status == MST_NO_MEMORY)
            return mst_fail(diagnostic, status, "not enough memory for the patch");
        if (status != MST_OK) {
            mst_fail(diagnostic, MST_REFUSED, "the patch does not fit the document");
            if (diagnostic)
                MST_SET(diagnostic->path, "%s", one->key);
            return MST_REFUSED;
        }
    }
    return MST_OK;
}

static mst_status carry_out(const mst_document *document, const mst_patch_steps *steps, phase which,
                            mst_arena *arena, mst_document **result, mst_diagnostic *diagnostic) {
    mst_draft draft;
    *result = NULL;
    mst_status status = mst_draft_begin(&draft, document, arena, diagnostic);
    draft.names = which == PHASE_STEPS ? steps->names : NULL;
    if (status == MST_OK)
        status = lay_all(&draft, steps, which, diagnostic);
    if (status == MST_OK)
        status = mst_draft_result(&draft, result, diagnostic);
    mst_draft_end(&draft);
    return status;
}

/* The result with raw bytes in it. */
static mst_status splice(mst_document **result, const mst_patch_step *step, mst_arena *arena,
                         mst_diagnostic *diagnostic) {
    mst_document *document = *result, *made = NULL;
    size_t old = (strlen(step->old) - 2) / 2, now = (strlen(step->now) - 2) / 2; /* in quotes */
    uint64_t from = step->to;
    if (from > document->size || old > document->size - from)
        return mst_fail(diagnostic, MST_REFUSED, "the bytes to replace are not there");
    mst_buffer bytes = {.allocator = arena->allocator};
    bytes.size = (size_t)document->size - old + now;
    bytes.capacity = bytes.size + 1;
    bytes.data = arena->allocator.resize(arena->allocator.user, NULL, 0, bytes.capacity);
    if (!bytes.data)
        return MST_NO_MEMORY;
    memcpy(bytes.data, document->data, (size_t)from);
    bool hex = mst_read_hex(step->now + 1, 2 * now, bytes.data + from);
    memcpy(bytes.data + from + now, document->data + from + old, (size_t)(document->size - from) - old);
    mst_open_options options = {
        .size = sizeof options, .name = document->name, .allocator = arena->allocator};
    mst_status status = hex ? MST_OK : mst_fail(diagnostic, MST_ARGUMENT, "raw bytes are not hexadecimal");
    if (status == MST_OK)
        status = mst_document_adopt(document->format, NULL, &bytes, &options, &made, diagnostic);
    mst_buffer_free(&bytes);
    if (status == MST_OK && mst_keep_file_names(made, document) != MST_OK)
        status = MST_NO_MEMORY;
    if (status == MST_OK)
        status = mst_serialize(made, diagnostic);
    mst_close(status == MST_OK ? document : made);
    if (status == MST_OK)
        *result = made;
    return status;
}

static mst_status apply_phase(const mst_patch_steps *steps, phase which, mst_arena *arena,
                              mst_document **result, mst_diagnostic *diagnostic) {
    mst_status status = MST_OK;
    mst_document *made;
    if (!has_any(steps, which))
        return MST_OK;
    if (which != PHASE_RAW) {
        status = carry_out(*result, steps, which, arena, &made, diagnostic);
        mst_close(*result);
        *result = made;
        return status;
    }
    for (size_t i = 0; i < steps->count && status == MST_OK; i++)
        if (phase_of(&steps->items[i]) == which)
            status = splice(result, &steps->items[i], arena, diagnostic);
    return status;
}

static mst_status apply_steps(const mst_document *document, const mst_patch_steps *steps, mst_arena *arena,
                              mst_document **result, mst_diagnostic *diagnostic) {
    static const phase forth[] = {PHASE_STEPS, PHASE_STORE, PHASE_RAW},
                       back[] = {PHASE_RAW, PHASE_STORE, PHASE_STEPS, PHASE_RESTORE};
    size_t count = steps->turned ? MST_COUNT_OF(back) : MST_COUNT_OF(forth);
    mst_status status = mst_edit_copy(document, result, diagnostic);
    if (status == MST_OK)
        status = mst_serialize(*result, diagnostic);
    for (size_t i = 0; i < count && status == MST_OK; i++)
        status = apply_phase(steps, steps->turned ? back[i] : forth[i], arena, result, diagnostic);
    if (status != MST_OK) {
        mst_close(*result);
        *result = NULL;
    }
    return status;
}

/* ---- making ----------------------------------------------------------------------------------------- */

static mst_status write_head(const mst_document *const sides[2], mst_arena *arena, mst_buffer *text) {
    static const char *const names[] = {"old", "new"};
    mst_output out;
    mst_output_begin(&out, mst_buffer_sink(text));
    mst_output_format(&out, "{\"mspatch\":1,\"format\":\"%s\"", sides[0]->format->information.id);
    for (int side = 0; side < 2; side++) {
        const char *hash = mst_document_sha256(sides[side], arena);
        if (!hash)
            return MST_NO_MEMORY;
        mst_output_format(&out, ",\"%s\":{\"version\":%u,\"sha256\":\"", names[side],
                          (unsigned)mst_document_version(sides[side]));
        mst_output_text(&out, hash);
        mst_output_text(&out, "\"}");
    }
    mst_output_text(&out, "}\n");
    return mst_output_end(&out);
}

/* Copies the paths of lists to another arena. */
static mst_status keep_names(const mst_array *names, mst_arena *arena) {
    mst_named *all = names ? names->items : NULL;
    for (size_t i = 0; names && i < names->count; i++) {
        if (!all[i].path)
            continue;
        all[i].path = mst_arena_text(arena, all[i].path, strlen(all[i].path));
        if (!all[i].path)
            return MST_NO_MEMORY;
    }
    return MST_OK;
}

/* Applies the lines so far to a document; NULL: they cannot be applied. The arena is for the names. */
static mst_status try_out(const mst_document *document, const mst_buffer *text, bool back, mst_array *names,
                          mst_arena *arena, mst_document **made) {
    mst_patch_steps steps;
    mst_arena scratch;
    *made = NULL;
    mst_arena_begin(&scratch, &arena->allocator, 0);
    mst_status status = mst_patch_read((const char *)text->data, text->size, true, &scratch, &steps, NULL);
    steps.names = names;
    if (status == MST_OK && back)
        status = mst_patch_turn(&steps, document->size, &scratch, NULL);
    if (status == MST_OK)
        status = mst_patch_spread(&steps, document, true, &scratch, NULL);
    if (status == MST_OK)
        status = apply_steps(document, &steps, &scratch, made, NULL);
    if (status != MST_NO_MEMORY && keep_names(names, arena) != MST_OK)
        status = MST_NO_MEMORY;
    mst_arena_end(&scratch);
    if (status == MST_NO_MEMORY) {
        mst_close(*made);
        *made = NULL;
    }
    return status == MST_NO_MEMORY ? status : MST_OK;
}

#define DATA_MAX 1024 /* raw bytes that a patch may contain without a request */

mst_status mst_patch_write_raw(const mst_document *made, const mst_document *wanted, bool with_data,
                               mst_buffer *text, mst_diagnostic *diagnostic) {
    const uint8_t *old = made->data, *now = wanted->data;
    size_t n = (size_t)made->size, m = (size_t)wanted->size, first = 0;
    while (first < n && first < m && old[first] == now[first])
        first++;
    while (n > first && m > first && old[n - 1] == now[m - 1])
        n--, m--;
    if (m - first > DATA_MAX && !with_data)
        return mst_fail(diagnostic, MST_REFUSED,
                        "the patch would contain %zu bytes of raw data, which has to be allowed explicitly",
                        m - first);
    mst_output out;
    mst_output_begin(&out, mst_buffer_sink(text));
    mst_output_format(&out, "{\"op\":\"raw\",\"offset\":%zu,\"old\":\"", first);
    mst_output_hex(&out, old + first, n - first);
    mst_output_text(&out, "\",\"new\":\"");
    mst_output_hex(&out, now + first, m - first);
    mst_output_text(&out, "\"}\n");
    return mst_output_end(&out);
}

/* Appends the differences that the lines so far leave. `head`: the length of the first line. */
static mst_status write_rest(const mst_document *const sides[2], size_t head,
                             const mst_patch_options *options, mst_array *names, mst_arena *arena,
                             mst_buffer *text, mst_diagnostic *diagnostic) {
    mst_document *made, *again = NULL;
    mst_status status = try_out(sides[0], text, false, names, arena, &made);
    if (status == MST_OK && !made) {
        text->size = head;
        status = try_out(sides[0], text, false, names, arena, &made);
    }
    size_t size = text->size;
    if (status == MST_OK && made && !mst_same_files(made, sides[1])) {
        status = mst_patch_write_rest(made, sides[1], "store", arena, text, diagnostic);
        if (status == MST_OK)
            status = try_out(sides[0], text, false, NULL, arena, &again);
        if (status == MST_OK && again) {
            mst_close(made);
            made = again;
        } else if (status == MST_OK) {
            text->size = size;
        }
    }
    if (status == MST_OK && !mst_same_files(made ? made : sides[0], sides[1])) {
        size = text->size;
        status = mst_patch_write_raw(made ? made : sides[0], sides[1], options->with_data, text, diagnostic);
        options->made->raw_bytes = text->size - size;
    }
    mst_close(made);
    return status;
}

/* Appends the unchanged lists whose elements are named by values of the new document: where these lists
 * differ, the patch does not fit. */
static mst_status write_named(const mst_document *const sides[2], const mst_array *names, mst_buffer *text) {
    const mst_named *all = names->items;
    mst_arena arena;
    mst_patch_steps steps;
    mst_allocator allocator = mst_allocator_or_default(&text->allocator);
    mst_arena_begin(&arena, &allocator, 0);
    mst_status status = mst_patch_read((const char *)text->data, text->size, true, &arena, &steps, NULL);
    for (size_t i = 0; i < names->count && status == MST_OK; i++) {
        mst_value list, now;
        bool said = !all[i].path || mst_find(mst_root(sides[0]), all[i].path, &list, NULL) != MST_OK ||
                    mst_find(mst_root(sides[1]), all[i].path, &now, NULL) != MST_OK ||
                    mst_count(&list) != mst_count(&now);
        for (size_t k = 0; k < steps.count && !said; k++)
            said = steps.items[k].kind == MST_STEP_LIST && strcmp(steps.items[k].key, all[i].path) == 0;
        if (!said)
            status =
                mst_patch_write_list(sides[0], all[i].path, mst_count(&list), mst_count(&list), true, text);
    }
    mst_arena_end(&arena);
    return status;
}

/* Whether the lines make one document from the other. */
static mst_status try_way(const mst_document *const sides[2], const mst_buffer *text, bool back,
                          mst_arena *arena, bool *right) {
    mst_document *made;
    mst_status status = try_out(sides[back], text, back, NULL, arena, &made);
    *right = status == MST_OK && made && mst_same_files(made, sides[!back]);
    mst_close(made);
    return status;
}

/* States in the first line that the patch cannot be reversed. */
static mst_status write_one_way(size_t *head, mst_buffer *text) {
    static const char said[] = ",\"one_way\":true";
    const size_t at = *head - (sizeof "}\n" - 1), length = sizeof said - 1;
    const mst_sink sink = mst_buffer_sink(text);
    mst_status status = sink.write(sink.user, said, length);
    if (status != MST_OK)
        return status;
    memmove(text->data + at + length, text->data + at, text->size - length - at);
    memcpy(text->data + at, said, length);
    *head += length;
    return MST_OK;
}

/* Appends the values that undoing the lines so far does not restore. If they cannot be undone, raw bytes
 * replace them; between two versions a patch is one-way. `head`: the length of the first line. */
static mst_status write_way_back(const mst_document *const sides[2], size_t *head,
                                 const mst_patch_options *options, mst_arena *arena, mst_buffer *text,
                                 mst_diagnostic *diagnostic) {
    mst_document *made;
    mst_status status = try_out(sides[1], text, true, NULL, arena, &made);
    bool right = made && mst_same_files(made, sides[0]);
    if (status == MST_OK && made && !right) {
        status = mst_patch_write_rest(made, sides[0], "restore", arena, text, diagnostic);
        if (status == MST_OK)
            status = try_way(sides, text, true, arena, &right);
    }
    mst_close(made);
    options->made->one_way = !right && mst_document_version(sides[0]) != mst_document_version(sides[1]);
    if (status == MST_OK && options->made->one_way)
        return write_one_way(head, text);
    if (status != MST_OK || right)
        return status;
    text->size = *head;
    status = mst_patch_write_raw(sides[0], sides[1], options->with_data, text, diagnostic);
    options->made->raw_bytes = text->size - *head;
    return status;
}

/* States the same change of many elements in one line, if the patch keeps its effect. */
static mst_status write_bulk(const mst_document *const sides[2], mst_arena *arena, mst_buffer *text) {
    mst_buffer made = {.allocator = text->allocator};
    bool right = true;
    mst_status status = mst_patch_write_bulk(sides, text, arena, &made);
    for (int back = 0; back < 2 && status == MST_OK && made.size && right; back++)
        status = try_way(sides, &made, back, arena, &right);
    if (status == MST_OK && made.size && right) {
        mst_buffer longer = *text;
        *text = made;
        made = longer;
    }
    mst_buffer_free(&made);
    return status;
}

/* `most`: the size above which the operations are packed. */
static mst_status write_end(size_t head, uint64_t most, mst_patch_made *made, mst_buffer *text,
                            mst_diagnostic *diagnostic) {
    for (size_t i = head; i < text->size; i++)
        made->operations += text->data[i] == '\n';
    const size_t size = text->size;
    mst_status status = size > most ? mst_patch_pack(head, text, diagnostic) : MST_OK;
    mst_output out;
    if (status != MST_OK)
        return status;
    made->packed = text->size != size;
    mst_output_begin(&out, mst_buffer_sink(text));
    mst_output_format(&out, "{\"end\":{\"operations\":%zu}}\n", made->operations);
    return mst_output_end(&out);
}

mst_status mst_patch_of_documents(const mst_document *old_document, const mst_document *new_document,
                                  const mst_patch_options *options, mst_sink sink,
                                  mst_diagnostic *diagnostic) {
    if (!old_document || !new_document || !sink.write)
        return mst_fail(diagnostic, MST_ARGUMENT, "two documents and a sink are needed");
    mst_patch_options given = {.size = 0};
    mst_patch_made made = {.operations = 0};
    mst_status status = mst_take_options(&given, sizeof given, options, diagnostic);
    if (status != MST_OK)
        return status;
    if (!given.made)
        given.made = &made;
    *given.made = made;
    if (given.offsets)
        return mst_offsets_make(old_document, new_document, given.made, sink, diagnostic);
    mst_meter meter;
    mst_allocator allocator = mst_allocator_or_default(&given.allocator);
    allocator =
        mst_meter_begin(&meter, &allocator, given.memory_limit, old_document->size + new_document->size);
    mst_diff_options how = {.size = sizeof how, .allocator = allocator, .within_derived = 1};
    const mst_document *const sides[2] = {old_document, new_document};
    mst_buffer text = {.allocator = allocator};
    mst_array names = {.element_size = sizeof(mst_named), .allocator = allocator};
    mst_arena arena;
    mst_arena_begin(&arena, &allocator, 0);
    status = write_head(sides, &arena, &text);
    size_t head = text.size;
    if (status == MST_OK)
        status = mst_patch_write_steps(old_document, new_document, &how, true, &text, NULL, diagnostic);
    if (status == MST_OK)
        status = write_rest(sides, head, &given, &names, &arena, &text, diagnostic);
    if (status == MST_OK)
        status = write_named(sides, &names, &text);
    if (status == MST_OK)
        status = write_way_back(sides, &head, &given, &arena, &text, diagnostic);
    if (status == MST_OK)
        status = write_bulk(sides, &arena, &text);
    if (status == MST_OK)
        status = write_end(head, given.plain ? UINT64_MAX : old_document->size + new_document->size,
                           given.made, &text, diagnostic);
    if (status == MST_OK)
        status = sink.write(sink.user, text.data, text.size);
    mst_arena_end(&arena);
    mst_array_free(&names);
    mst_buffer_free(&text);
    status = mst_meter_end(&meter, status, diagnostic);
    return status == MST_NO_MEMORY ? mst_fail(diagnostic, status, "not enough memory for the patch") : status;
}

/* ---- applying --------------------------------------------------------------------------------------- */

/* Makes the result of the steps that fit. */
static mst_status lay_fitting(mst_draft *draft, const mst_patch_steps *steps, mst_document **result,
                              mst_diagnostic *diagnostic) {
    mst_status status = MST_OK;
    draft->steps = steps->count;
    for (size_t i = 0; i < steps->count && status == MST_OK; i++) {
        status = steps->items[i].left_out ? MST_OK : mst_draft_lay(draft, &steps->items[i]);
        status = status == MST_NO_PATH ? MST_OK : status;
    }
    if (status == MST_REFUSED && diagnostic && !*diagnostic->message)
        mst_fail(diagnostic, status, "the patch does not fit the document");
    if (status == MST_OK)
        status = mst_draft_result(draft, result, diagnostic);
    return status == MST_OK ? mst_draft_remove_orphans(draft, *result, diagnostic) : status;
}

/* Begins again, with the first draft's information about lists. */
static mst_status begin_again(mst_draft *draft, mst_document **result, mst_diagnostic *diagnostic) {
    const mst_list_change *before = draft->before;
    const mst_document *document = draft->document;
    mst_arena *arena = draft->arena;
    mst_close(*result);
    *result = NULL;
    mst_draft_end(draft);
    mst_status status = mst_draft_begin(draft, document, arena, diagnostic);
    draft->before = before;
    draft->merges = draft->fits = true;
    return status;
}

#define ROUNDS 64 /* each keeps more elements that numbers name */

static mst_status leave_out(const mst_patch_filter *filter, mst_patch_steps *steps) {
    mst_status status = MST_OK;
    for (size_t i = 0; filter && filter->leave_out && i < steps->count && status == MST_OK; i++)
        status = filter->leave_out(filter->user, &steps->items[i]);
    return status;
}

/* Applies the patch as far as it fits. `rejected`: how many changes do not fit so far. */
static mst_status apply_fitting(const mst_document *document, mst_patch_steps *steps,
                                const mst_patch_options *options, uint64_t rejected, mst_arena *arena,
                                mst_document **result, mst_diagnostic *diagnostic) {
    mst_draft draft;
    uint64_t more = 0;
    mst_status status = mst_draft_begin(&draft, document, arena, diagnostic);
    if (status == MST_OK)
        status = mst_patch_carry(&draft, steps, arena, diagnostic);
    if (status == MST_OK)
        status = mst_patch_fit(&draft, steps, arena, options->rejected, options->user, &more);
    rejected += more;
    bool again = status == MST_OK && (!rejected || options->partial);
    for (int round = 0; round < ROUNDS && again && status == MST_OK; round++) {
        if (round)
            status = begin_again(&draft, result, diagnostic);
        if (status == MST_OK)
            status = lay_fitting(&draft, steps, result, diagnostic);
        again = false;
        if (draft.dangling.count && (status == MST_OK || status == MST_REFUSED)) {
            mst_status kept =
                mst_patch_keep(&draft, steps, options->rejected, options->user, &rejected, &again);
            status = kept != MST_OK || again ? kept : status;
            draft.unknown = draft.unknown || !again;
        }
    }
    if (status == MST_OK && rejected && !options->partial)
        status = mst_fail(diagnostic, MST_REFUSED,
                          "%llu of the changes do not fit: the patch was made for another file",
                          (unsigned long long)rejected);
    if (status == MST_OK && (draft.unknown || again))
        status = mst_fail(diagnostic, MST_REFUSED, "the patch refers to elements of lists that have changed");
    mst_draft_end(&draft);
    return status;
}

/* Sets the values in which equal elements were taken for each other, where the lists are unchanged: their
 * indices in the result are then those that the patch was made for. */
static mst_status store_proved(const mst_document *document, const mst_patch_steps *steps, mst_arena *arena,
                               mst_document **result, mst_diagnostic *diagnostic) {
    mst_draft draft;
    mst_patch_steps proved = *steps;
    mst_document *made = NULL;
    mst_diagnostic unfit;
    if (steps->turned || !has_any(steps, PHASE_STORE))
        return MST_OK;
    proved.count = 0;
    proved.items = mst_arena_take(arena, steps->count, sizeof *proved.items);
    mst_status status = proved.items ? mst_draft_begin(&draft, document, arena, diagnostic) : MST_NO_MEMORY;
    if (status != MST_OK)
        return status;
    const char *last = "";
    bool good = false;
    for (size_t i = 0; i < steps->count; i++) {
        const mst_patch_step *one = &steps->items[i];
        const size_t length = one->kind == MST_STEP_STORE ? strcspn(one->key, "[") : 0;
        if (!length)
            continue;
        if (strncmp(last, one->key, length) != 0 || last[length]) { /* a proof reads the complete list */
            last = mst_arena_text(arena, one->key, length);
            good = last && mst_patch_all_proved(&draft, steps, last, arena);
            last = last ? last : "";
        }
        if (good)
            proved.items[proved.count++] = *one;
    }
    mst_draft_end(&draft);
    if (proved.count)
        status = carry_out(*result, &proved, PHASE_STORE, arena, &made, &unfit);
    if (status == MST_OK && made) {
        mst_close(*result);
        *result = made;
    }
    return status == MST_NO_MEMORY ? status : MST_OK; /* else the result is kept without them */
}

/* Reports the parts of bulk operations that do not fit. */
static mst_status weigh_bulk(const mst_document *document, mst_patch_steps bulk,
                             const mst_patch_options *options, const mst_patch_filter *filter,
                             mst_arena *arena, uint64_t *rejected, mst_diagnostic *diagnostic) {
    mst_draft draft;
    mst_status status = mst_patch_spread(&bulk, document, false, arena, diagnostic);
    if (status == MST_OK)
        status = leave_out(filter, &bulk);
    if (status != MST_OK)
        return status;
    status = mst_draft_begin(&draft, document, arena, diagnostic);
    if (status == MST_OK)
        status = mst_patch_fit(&draft, &bulk, arena, options->rejected, options->user, rejected);
    mst_draft_end(&draft);
    return status;
}

/* Bulk operations are applied last: they are about all elements of a kind, wherever these are by then. */
static mst_status apply_all(const mst_document *document, const mst_patch_steps *steps,
                            const mst_patch_options *options, const mst_patch_filter *filter,
                            mst_arena *arena, mst_document **result, mst_diagnostic *diagnostic) {
    mst_patch_steps each = *steps, bulk = *steps;
    uint64_t rejected = 0;
    each.items = mst_arena_take(arena, steps->count + 1, sizeof *each.items);
    bulk.items = mst_arena_take(arena, steps->count + 1, sizeof *bulk.items);
    if (!each.items || !bulk.items)
        return MST_NO_MEMORY;
    each.count = bulk.count = 0;
    for (size_t i = 0; i < steps->count; i++)
        if (steps->items[i].kind == MST_STEP_BULK)
            bulk.items[bulk.count++] = steps->items[i];
        else
            each.items[each.count++] = steps->items[i];
    mst_status status = leave_out(filter, &each);
    if (status == MST_OK && bulk.count)
        status = weigh_bulk(document, bulk, options, filter, arena, &rejected, diagnostic);
    if (status == MST_OK)
        status = apply_fitting(document, &each, options, rejected, arena, result, diagnostic);
    if (status == MST_OK)
        status = store_proved(document, steps, arena, result, diagnostic);
    if (status != MST_OK || !bulk.count)
        return status;
    mst_document *first = *result;
    mst_patch_options quiet = {.size = sizeof quiet, .partial = 1};
    *result = NULL;
    status = mst_patch_spread(&bulk, first, false, arena, diagnostic);
    if (status == MST_OK)
        status = apply_fitting(first, &bulk, &quiet, 0, arena, result, diagnostic);
    mst_close(first);
    return status;
}

/* The result of a patch that was made for another file must not have new errors. */
static mst_status apply_elsewhere(const mst_document *document, const mst_patch_steps *steps,
                                  const mst_patch_options *options, const mst_patch_filter *filter,
                                  mst_arena *arena, mst_document **result, mst_diagnostic *diagnostic) {
    const mst_edit_options how = mst_patch_rechecks(options);
    const mst_format *format = document->format;
    if (diagnostic)
        *diagnostic->message = 0;
    mst_status status = apply_all(document, steps, options, filter, arena, result, diagnostic);
    if (status == MST_OK && MST_OPTION(format->editing, settle))
        status = format->editing->settle(document, *result, NULL, diagnostic);
    if (status == MST_OK && format->fix_up) {
        format->fix_up(document, *result, mst_edit_bytes(*result));
        status = mst_edit_reopen(*result, diagnostic);
    }
    if (status == MST_OK && format->files.count)
        status = mst_serialize(*result, diagnostic);
    if (status == MST_OK)
        status = mst_edit_recheck(document, filter ? filter->was : NULL, *result, &how, diagnostic);
    if (status != MST_OK) {
        mst_close(*result);
        *result = NULL;
    }
    return status;
}

static mst_status apply(const mst_document *document, mst_patch_steps *steps,
                        const mst_patch_options *options, const mst_patch_filter *filter, mst_arena *arena,
                        mst_document **result, mst_diagnostic *diagnostic) {
    const char *hash = mst_document_sha256(document, arena);
    if (!hash)
        return MST_NO_MEMORY;
    if (!steps->format)
        return mst_fail(diagnostic, MST_ARGUMENT, "the patch is for a directory or an archive");
    if (strcmp(steps->format, document->format->information.id) != 0) {
        mst_fail(diagnostic, MST_ARGUMENT, "the patch is for another format");
        if (diagnostic) {
            MST_SET(diagnostic->expected, "%s", document->format->information.id);
            MST_SET(diagnostic->found, "%s", steps->format);
        }
        return MST_ARGUMENT;
    }
    bool another = steps->sha256[0] && strcmp(hash, steps->sha256[0]) != 0;
    if (another && options->exact)
        return mst_fail(diagnostic, MST_REFUSED, "the patch was made from another file");
    if (another)
        return apply_elsewhere(document, steps, options, filter, arena, result, diagnostic);
    mst_status status = mst_patch_spread(steps, document, true, arena, diagnostic);
    if (status == MST_OK)
        status = apply_steps(document, steps, arena, result, diagnostic);
    if (status != MST_OK)
        return status;
    hash = mst_document_sha256(*result, arena);
    if (hash && (!steps->sha256[1] || strcmp(hash, steps->sha256[1]) == 0))
        return MST_OK;
    mst_close(*result);
    *result = NULL;
    return hash ? mst_fail(diagnostic, MST_REFUSED, "the result is not the file that the patch was made for")
                : MST_NO_MEMORY;
}

mst_status mst_patch_apply_but(mst_document *document, const char *text, size_t size,
                               const mst_patch_options *options, const mst_patch_filter *filter,
                               mst_diagnostic *diagnostic) {
    mst_document *result = NULL;
    mst_arena arena;
    mst_patch_steps steps;
    mst_patch_options given = {.size = 0};
    mst_status status = mst_take_options(&given, sizeof given, options, diagnostic);
    if (status != MST_OK)
        return status;
    mst_meter meter;
    const mst_allocator metered =
        mst_meter_begin(&meter, &document->allocator, given.memory_limit, document->size + size);
    mst_arena_begin(&arena, &metered, 0);
    mst_text plain;
    status = mst_text_wish(text, size, &arena, &plain, diagnostic);
    bool listed = status == MST_OK && mst_offsets_are_listed(plain.at, plain.size);
    if (listed)
        status = mst_offsets_apply(document, plain.at, plain.size, &given, &arena, &result, diagnostic);
    else if (status == MST_OK)
        status = mst_patch_read(plain.at, plain.size, false, &arena, &steps, diagnostic);
    if (status == MST_OK && !listed && given.reverse && steps.one_way)
        status = mst_fail(diagnostic, MST_REFUSED,
                          "the patch cannot be reversed: the two levels have different versions; restore the "
                          "old level from a copy");
    if (status == MST_OK && !listed && given.reverse)
        status = mst_patch_turn(&steps, document->size, &arena, diagnostic);
    if (status == MST_OK && !listed)
        status = apply(document, &steps, &given, filter, &arena, &result, diagnostic);
    if (status == MST_OK && result)
        status = mst_edit_may_grow(document, result->size, given.growth_limit, diagnostic);
    if (status == MST_OK && !meter.refused)
        status = mst_edit_take(document, result, diagnostic);
    mst_close(result);
    mst_arena_end(&arena);
    status = mst_meter_end(&meter, status, diagnostic);
    return status == MST_NO_MEMORY ? mst_fail(diagnostic, status, "not enough memory for the patch") : status;
}
