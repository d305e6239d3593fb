/* SPDX-License-Identifier: MIT */
/* Facts about values, and references between elements. */
#include "../../cli/output/show.h"
#include "bridge.h"
#include <mapstone/facts.h>
#include <string.h>

static const char *const meanings[] = {"parts", "number",  "text",    "named",
                                       "flags", "element", "derived", "unknown"};

/* A list of numbers is described by its first element. */
static mst_value described(const mst_value *value) {
    mst_value element;
    return mst_value_type(value) == MST_TYPE_LIST && mst_element(value, 0, &element) == MST_OK &&
                   mst_value_type(&element) != MST_TYPE_RECORD
               ? element
               : *value;
}

static void put_names(stream *to, const mst_value *value) {
    int64_t number;
    const char *name, *words;
    put_json_key(to, "names");
    put_text(to, "[");
    for (size_t i = 0; (name = mst_value_name(value, i, &number, &words)) != NULL; i++) {
        print(to, "%s{\"value\":%lld", i ? "," : "", (long long)number);
        put_json_member(to, "name", name);
        if (words && *words)
            put_json_member(to, "words", words);
        put_text(to, "}");
    }
    put_text(to, "]");
}

static void put_facts(stream *to, const mst_value *value, const mst_value_facts *facts) {
    put_json_member(to, "meaning", meanings[facts->meaning]);
    if (facts->meaning == MST_MEANS_NAMED || facts->meaning == MST_MEANS_FLAGS ||
        facts->meaning == MST_MEANS_ELEMENT)
        put_names(to, value);
    if (facts->has_limits)
        print(to, ",\"minimum\":%.17g,\"maximum\":%.17g", facts->minimum, facts->maximum);
    if (facts->text_limit)
        print(to, ",\"limit\":%llu", (unsigned long long)facts->text_limit);
    if (facts->list) {
        put_json_key(to, "refers");
        put_text(to, "{");
        put_json_member(to, "list", facts->list);
        if (facts->key)
            put_json_member(to, "key", facts->key);
        if (facts->bits)
            put_text(to, ",\"bits\":true");
        if (facts->has_none)
            print(to, ",\"none\":%lld", (long long)facts->none);
        put_text(to, "}");
    }
    print(to, ",\"derived\":%s,\"place\":%s,\"turns\":%s}",
          facts->meaning == MST_MEANS_DERIVED ? "true" : "false", facts->stands ? "true" : "false",
          facts->turns ? "true" : "false");
}

mst_status web_describe(answer *to, const opened *of, uint32_t index, const char *path) {
    const mst_document *document = opened_document(of, index, to);
    if (!document)
        return answer_end(to, MST_ARGUMENT);
    mst_document *inside = NULL;
    mst_value value = mst_root(document);
    mst_status status = *path ? find_inside(document, path, &inside, &value, &to->why) : MST_OK;
    if (status == MST_OK) {
        const mst_field_information field = mst_value_field(&value);
        const mst_type type = mst_value_type(&value);
        const mst_value one = described(&value);
        mst_value_facts facts = {.size = sizeof facts};
        mst_value_facts_of(&one, &facts);
        put_text(&to->text, "{");
        put_json_member(&to->text, "path", path);
        put_json_member(&to->text, "name", field.name);
        put_json_member(&to->text, "type", type_name(&value));
        put_json_member(&to->text, "kind", field.type_name);
        if (*field.unit)
            put_json_member(&to->text, "unit", field.unit);
        if (*field.documentation)
            put_json_member(&to->text, "documentation", field.documentation);
        if (type == MST_TYPE_LIST || type == MST_TYPE_RECORD)
            print(&to->text, ",\"count\":%llu", (unsigned long long)mst_count(&value));
        put_facts(&to->text, &one, &facts);
    }
    mst_close(inside);
    return answer_end(to, status);
}

static mst_status put_reference(void *user, const mst_reference *one) {
    stream *to = user;
    put_text(to, "{");
    put_json_member(to, "path", one->path);
    put_json_member(to, "to", one->to);
    put_text(to, "}\n");
    return MST_OK;
}

mst_status web_references(answer *to, const opened *of, uint32_t index, const char *path, int inwards) {
    const mst_document *document = opened_document(of, index, to);
    if (!document)
        return answer_end(to, MST_ARGUMENT);
    return answer_end(to, mst_references(document, path, inwards, put_reference, &to->text, &to->why));
}
