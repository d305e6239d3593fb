/* SPDX-License-Identifier: MIT */
/* Conversion of a level to another byte order, version or name. */
#include "../core/diagnose.h"
#include "../read/engine.h"

static mst_status choose(const mst_document *document, const mst_convert_options *options,
                         mst_variant *variant, mst_diagnostic *diagnostic) {
    const mst_format *format = document->format;
    *variant = document->variant;
    if (options->byte_order) {
        bool big = strcmp(options->byte_order, "big") == 0;
        if (!big && strcmp(options->byte_order, "little") != 0)
            return mst_fail(diagnostic, MST_ARGUMENT, "the byte order must be big or little, not \"%s\"",
                            options->byte_order);
        if (big != variant->big && !MST_OPTION(format->conversion, either_order))
            return mst_fail(diagnostic, MST_UNSUPPORTED, "%s has only one byte order",
                            format->information.title);
        variant->big = big;
    }
    if (options->has_version) {
        if (!format->identity.version_field || !format->identity.version_known(options->version))
            return mst_fail(diagnostic, MST_ARGUMENT, "%s has no version %u", format->information.title,
                            options->version);
        if (options->version != variant->version && !MST_OPTION(format->conversion, convert))
            return mst_fail(diagnostic, MST_UNSUPPORTED, "versions of %s cannot be converted",
                            format->information.title);
        if (options->version != variant->version)
            variant->layout = 0;
        variant->version = options->version;
    }
    return MST_OK;
}

static mst_status encode(const mst_document *document, mst_variant variant, mst_buffer *bytes,
                         mst_diagnostic *diagnostic) {
    mst_arena arena;
    mst_arena_begin(&arena, &document->allocator, 0);
    uint32_t context[MST_VARIABLES];
    mst_variant_context(variant, context);
    mst_encode_request request = {.format = document->format,
                                  .variant = variant,
                                  .allocator = &document->allocator,
                                  .limit = mst_default_budget(document->size),
                                  .field = &mst_document_field,
                                  .single = true,
                                  .context = context,
                                  .source = {.value = mst_root(document)}};
    mst_status status = mst_plans_compile(document->format, variant, &arena, &request.plans);
    if (status == MST_OK)
        status = mst_encode_field(&request, bytes, diagnostic);
    else
        mst_fail(diagnostic, status, "not enough memory for the plans");
    mst_arena_end(&arena);
    return status;
}

static mst_status copy(const mst_document *document, mst_buffer *bytes, mst_diagnostic *diagnostic) {
    mst_sink sink = mst_buffer_sink(bytes);
    mst_status status = sink.write(sink.user, document->data, (size_t)document->size);
    return status == MST_OK ? MST_OK : mst_fail(diagnostic, status, "not enough memory for the result");
}

/* Forwards losses, and counts them. */
typedef struct counter {
    mst_report_function report; /* may be NULL */
    void *user;
    uint64_t losses;
} counter;

static mst_status count_loss(void *user, const mst_diagnostic *loss) {
    counter *all = user;
    all->losses++;
    return all->report ? all->report(all->user, loss) : MST_OK;
}

/* Another version or format, by the format's own conversion. */
static mst_status convert_own(const mst_document *document, const mst_convert_options *options, counter *all,
                              mst_buffer *bytes, mst_diagnostic *diagnostic) {
    const mst_format *format = document->format;
    const mst_conversion *own = format->conversion;
    if (!own)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "%s cannot be converted", format->information.title);
    mst_status status = (options->format ? own->to_other : own->convert)(document, options, count_loss, all,
                                                                         bytes, diagnostic);
    if (status != MST_OK || !all->losses || options->allow_loss)
        return status;
    const char *plural = all->losses == 1 ? "" : "s";
    unsigned long long losses = all->losses;
    return options->format ? mst_fail(diagnostic, MST_REFUSED, "%llu value%s would be lost in %s", losses,
                                      plural, options->format)
                           : mst_fail(diagnostic, MST_REFUSED, "%llu value%s would be lost in version %u",
                                      losses, plural, options->version);
}

/* The format of the result, and its variant. */
static mst_status choose_format(const mst_document *document, const mst_convert_options *options,
                                const mst_format **format, mst_variant *variant, mst_diagnostic *diagnostic) {
    *format = document->format;
    if (!options->format)
        return options->select_count
                   ? mst_fail(diagnostic, MST_ARGUMENT, "a selection is converted to another format only")
                   : choose(document, options, variant, diagnostic);
    const char *other = MST_OPTION((*format)->conversion, other);
    if (!other || strcmp(other, options->format) != 0)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "%s cannot be converted to %s",
                        (*format)->information.title, options->format);
    if (options->byte_order || options->has_version)
        return mst_fail(diagnostic, MST_ARGUMENT,
                        "another format and another version or byte order are two conversions");
    *format = mst_format_named(options->format, strlen(options->format));
    *variant = mst_default_variant(*format);
    return MST_OK;
}

mst_status mst_convert(const mst_document *document, const mst_convert_options *options,
                       mst_report_function report, void *user, mst_document **result,
                       mst_diagnostic *diagnostic) {
    if (result)
        *result = NULL;
    if (!document || !result)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document and a pointer for the result are needed");
    mst_convert_options given = {.size = 0};
    mst_status status = mst_take_options(&given, sizeof given, options, diagnostic);
    if (status != MST_OK)
        return status;
    options = &given;
    counter all = {.report = report, .user = user};
    mst_variant variant = document->variant;
    const mst_format *format;
    status = choose_format(document, options, &format, &variant, diagnostic);
    if (status != MST_OK)
        return status;
    if (!options->format && variant.big != document->variant.big &&
        MST_OPTION(format->conversion, order_loss)) {
        mst_diagnostic loss;
        memset(&loss, 0, sizeof loss);
        loss.severity = MST_WARNING;
        loss.offset = MST_NO_OFFSET;
        MST_SET(loss.message, "%s", MST_OPTION(format->conversion, order_loss));
        status = count_loss(&all, &loss);
        if (status == MST_OK && !options->allow_loss)
            status = mst_fail(diagnostic, MST_REFUSED, "the other byte order would be incomplete");
        if (status != MST_OK)
            return status;
    }
    mst_buffer bytes = {.allocator = document->allocator};
    if (options->format || variant.version != document->variant.version)
        status = convert_own(document, options, &all, &bytes, diagnostic);
    else if (variant.big != document->variant.big)
        status = encode(document, variant, &bytes, diagnostic);
    else
        status = copy(document, &bytes, diagnostic);
    mst_document *made = NULL;
    mst_open_options opening = {.size = sizeof opening,
                                .allocator = document->allocator,
                                .budget = SIZE_MAX,
                                .name = options->name ? options->name : document->name};
    if (status == MST_OK)
        status = mst_document_adopt(format, NULL, &bytes, &opening, &made, diagnostic);
    mst_buffer_free(&bytes);
    if (status != MST_OK)
        return status == MST_DAMAGED ? MST_REFUSED : status;
    if (!mst_same_variant(made->variant, variant)) {
        mst_close(made);
        return mst_fail(diagnostic, MST_REFUSED,
                        "the result would be read as another version, byte order or layout");
    }
    if (!options->format && format->fix_up)
        format->fix_up(document, made, made->own);
    status = mst_serialize(made, diagnostic);
    if (status != MST_OK) {
        mst_close(made);
        return status;
    }
    made->edited = true;
    *result = made;
    return MST_OK;
}

mst_status mst_describe(const mst_document *document, const char *what, const mst_describe_options *options,
                        mst_sink sink, mst_diagnostic *diagnostic) {
    if (!document || !what)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document and the name of a description are needed");
    if (!document->format->content.describe)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "%s of this format are not described in words: %s", what,
                        document->format->information.title);
    if (!sink.write)
        return mst_fail(diagnostic, MST_ARGUMENT, "a sink is needed");
    mst_describe_options given = {.size = 0};
    mst_status status = mst_take_options(&given, sizeof given, options, diagnostic);
    if (status != MST_OK)
        return status;
    return document->format->content.describe(document, what, given.sidecars, sink, diagnostic);
}
