/* SPDX-License-Identifier: MIT */
/* Documents built from JSON, and documents re-encoded from their own values. */
#include "../core/diagnose.h"
#include "../core/json.h"
#include "../core/number.h"
#include "../core/text.h"
#include "../read/engine.h"
#include "rebuild.h"

static const mst_json_node *member_of_root(const mst_json *json, const char *name) {
    const mst_json_node *nodes = json->nodes;
    for (uint32_t at = 1; at < nodes[0].end; at = nodes[at + 1].end)
        if (strlen(name) == nodes[at].length && memcmp(name, nodes[at].text, nodes[at].length) == 0)
            return &nodes[at + 1];
    return NULL;
}

/* The variant given by the JSON: "$byte_order", "$layout", and the version, which is "$version" if the file
 * has no field for it. */
static mst_status variant_of(const mst_json *json, const mst_format *format, mst_variant *variant,
                             mst_diagnostic *diagnostic) {
    *variant = mst_default_variant(format);
    const mst_json_node *order = member_of_root(json, "$byte_order"),
                        *layout = member_of_root(json, "$layout");
    if (order) {
        variant->big = mst_is_word(order, "big");
        if (!variant->big && !mst_is_word(order, "little"))
            return mst_fail(diagnostic, MST_ARGUMENT, "\"$byte_order\" must be \"big\" or \"little\"");
    }
    while (layout && variant->layout < format->identity.layout_count &&
           !mst_is_word(layout, format->identity.layouts[variant->layout]))
        variant->layout++;
    if (layout && variant->layout == format->identity.layout_count) {
        mst_fail(diagnostic, MST_ARGUMENT, "\"$layout\" does not name a known layout");
        if (diagnostic)
            MST_SET(diagnostic->path, "$layout");
        return MST_ARGUMENT;
    }
    if (!format->identity.version_field)
        return MST_OK;
    const mst_json_node *version = member_of_root(json, format->identity.version_field);
    if (!version)
        version = member_of_root(json, "$version");
    uint64_t number = 0;
    if (!version || version->kind != MST_JSON_NUMBER ||
        !mst_read_u64(version->text, version->length, &number) || number > UINT32_MAX ||
        !format->identity.version_known((uint32_t)number)) {
        mst_fail(diagnostic, MST_ARGUMENT, "the JSON's version is missing or unknown");
        if (diagnostic) {
            MST_SET(diagnostic->path, "%s", format->identity.version_field);
            MST_SET(diagnostic->expected, "one of %s", format->information.versions);
        }
        return MST_ARGUMENT;
    }
    variant->version = (uint32_t)number;
    return MST_OK;
}

static mst_status build(const mst_json *json, size_t size, const mst_open_options *options, bool given,
                        mst_arena *arena, mst_document **document, mst_diagnostic *diagnostic) {
    if (json->nodes[0].kind != MST_JSON_OBJECT)
        return mst_fail(diagnostic, MST_ARGUMENT, "the JSON of a document must be an object");
    const mst_json_node *id = member_of_root(json, "$format");
    const char *requested = options ? options->format : NULL;
    const mst_format *format;
    if (id && id->kind != MST_JSON_STRING)
        return mst_fail(diagnostic, MST_UNKNOWN, "\"$format\" is not a string");
    if (id)
        format = mst_format_named(id->text, id->length);
    else if (requested)
        format = mst_format_named(requested, strlen(requested));
    else
        return mst_fail(diagnostic, MST_UNKNOWN, "the JSON does not name its format (\"$format\")");
    if (!format) {
        mst_fail(diagnostic, MST_UNKNOWN, "the JSON names an unknown format");
        if (diagnostic && id)
            MST_SET(diagnostic->found, "%.*s", (int)(id->length < 60 ? id->length : 60), id->text);
        return MST_UNKNOWN;
    }
    if (id && requested && strcmp(requested, format->information.id) != 0) {
        mst_fail(diagnostic, MST_ARGUMENT, "the JSON is of another format");
        if (diagnostic) {
            MST_SET(diagnostic->expected, "%s", requested);
            MST_SET(diagnostic->found, "%s", format->information.id);
        }
        return MST_ARGUMENT;
    }
    mst_variant variant;
    mst_status status = variant_of(json, format, &variant, diagnostic);
    if (status != MST_OK)
        return status;
    mst_allocator allocator = arena->allocator;
    uint32_t context[MST_VARIABLES];
    mst_variant_context(variant, context);
    mst_encode_request request = {.format = format,
                                  .variant = variant,
                                  .allocator = &allocator,
                                  .limit = mst_default_budget(size),
                                  .lenient = options && options->lenient_json,
                                  .may_be_lenient = given,
                                  .field = &mst_document_field,
                                  .single = true,
                                  .context = context,
                                  .source = {.json = json->nodes}};
    status = mst_plans_compile(format, variant, arena, &request.plans);
    if (status != MST_OK)
        return mst_fail(diagnostic, status, "not enough memory for the plans");
    mst_buffer bytes = {.allocator = allocator};
    status = mst_encode_field(&request, &bytes, diagnostic);
    /* unpacked content (mst_open_content) cannot be recognised by its bytes: its layout comes from the JSON
     */
    bool unpacked =
        MST_OPTION(format->content.special, unpack) && variant.layout != mst_default_variant(format).layout;
    if (status == MST_OK)
        status =
            mst_document_adopt(format, unpacked ? &variant : NULL, &bytes, options, document, diagnostic);
    if (status == MST_OK && !mst_same_variant((*document)->variant, variant)) {
        mst_close(*document);
        *document = NULL;
        status = mst_fail(diagnostic, MST_REFUSED,
                          "the bytes would be read as another version, byte order or layout of the format");
    }
    if (status != MST_OK) {
        mst_close(*document);
        *document = NULL;
    }
    if (bytes.data)
        allocator.resize(allocator.user, bytes.data, bytes.capacity, 0);
    return status;
}

mst_status mst_document_of_json(const char *text, size_t size, const mst_open_options *options, bool given,
                                mst_document **document, mst_diagnostic *diagnostic) {
    *document = NULL;
    mst_allocator allocator = mst_allocator_or_default(options ? &options->allocator : NULL);
    mst_arena arena;
    /* the worst case is a number and a comma: one node for two bytes of text */
    size_t budget = options && options->budget ? options->budget : mst_default_budget(4 * (uint64_t)size);
    mst_arena_begin(&arena, &allocator, budget);
    mst_json json;
    mst_text plain;
    mst_status status = mst_text_plain(text, size, &arena, &plain, diagnostic);
    if (status == MST_OK) {
        status = mst_json_parse(plain.at, plain.size, &arena, &json, diagnostic);
        if (status == MST_DAMAGED && diagnostic) /* from the beginning of the given text */
            diagnostic->offset = plain.mark == SIZE_MAX ? MST_NO_OFFSET : diagnostic->offset + plain.mark;
    }
    if (status == MST_OK)
        status = build(&json, plain.size, options, given, &arena, document, diagnostic);
    mst_arena_end(&arena);
    return status;
}

mst_status mst_open_json(const char *text, size_t size, const mst_open_options *options,
                         mst_document **document, mst_diagnostic *diagnostic) {
    if (document)
        *document = NULL;
    if (!document || (!text && size))
        return mst_fail(diagnostic, MST_ARGUMENT, "a text and a pointer for the document are needed");
    mst_open_options given = {.size = 0};
    mst_status status = mst_take_options(&given, sizeof given, options, diagnostic);
    if (status == MST_OK)
        status = mst_document_of_json(text, size, &given, true, document, diagnostic);
    if (status == MST_OK)
        status = mst_serialize(*document, diagnostic);
    if (status != MST_OK) {
        mst_close(*document);
        *document = NULL;
    }
    return status;
}

static mst_status encode(const mst_document *document, mst_buffer *bytes, mst_diagnostic *diagnostic) {
    mst_encode_request request = {.format = document->format,
                                  .variant = document->variant,
                                  .plans = document->plans,
                                  .allocator = &document->allocator,
                                  .limit = mst_default_budget(document->size),
                                  .field = &mst_document_field,
                                  .single = true,
                                  .context = document->context,
                                  .source = {.value = mst_root(document)}};
    *bytes = (mst_buffer){.allocator = document->allocator};
    return mst_encode_field(&request, bytes, diagnostic);
}

mst_status mst_rebuild(const mst_document *document, mst_document **result, mst_diagnostic *diagnostic) {
    if (result)
        *result = NULL;
    if (!document || !result)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document and a pointer for the result are needed");
    mst_open_options options = {
        .size = sizeof options, .allocator = document->allocator, .budget = SIZE_MAX, .name = document->name};
    mst_buffer bytes;
    mst_status status = encode(document, &bytes, diagnostic);
    if (status == MST_OK)
        status =
            mst_document_adopt(document->format, &document->variant, &bytes, &options, result, diagnostic);
    mst_buffer_free(&bytes);
    if (status == MST_OK && mst_keep_file_names(*result, document) != MST_OK)
        status = mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the names of the files");
    if (status == MST_OK)
        status = mst_serialize(*result, diagnostic);
    if (status != MST_OK) {
        mst_close(*result);
        *result = NULL;
    }
    return status;
}

mst_status mst_encode(const mst_document *document, mst_sink sink, mst_diagnostic *diagnostic) {
    if (!document || !sink.write)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document and a sink are needed");
    mst_buffer bytes;
    mst_document *rebuilt = NULL;
    mst_status status;
    if (document->format->files.count) {
        status = mst_rebuild(document, &rebuilt, diagnostic);
        if (status == MST_OK)
            status = mst_save(rebuilt, sink, diagnostic);
        mst_close(rebuilt);
        return status;
    }
    status = encode(document, &bytes, diagnostic);
    if (status == MST_OK) {
        status = sink.write(sink.user, bytes.data, bytes.size);
        if (status != MST_OK)
            mst_fail(diagnostic, status, "the document could not be written");
    }
    mst_buffer_free(&bytes);
    return status;
}
