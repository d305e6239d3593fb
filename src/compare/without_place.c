/* SPDX-License-Identifier: MIT */
#include "without_place.h"
#include "../core/json.h"
#include "../edit/assign.h"
#include "../tables/fields.h"

/* Cuts out the value of a member, and writes it as if it were alone. */
static mst_status cut(mst_placed_text *text, const char *name, mst_arena *arena) {
    mst_json json;
    mst_status status = mst_json_parse(text->all, strlen(text->all), arena, &json, NULL);
    if (status != MST_OK)
        return status;
    const uint32_t at = mst_json_find_member(&json, name);
    if (!at)
        return MST_OK;
    text->cut = (size_t)(json.nodes[at - 1].text - text->all) + strlen(name) + 2; /* after the name, `":` */
    text->rest = mst_arena_printf(arena, "%.*s%s", (int)text->cut, text->all,
                                  text->all + text->cut + strlen(text->place));
    return text->rest ? MST_OK : MST_NO_MEMORY;
}

mst_status mst_placed_text_of(const mst_value *element, mst_arena *arena, mst_placed_text *text,
                              mst_diagnostic *diagnostic) {
    const mst_compared *facts = mst_compared_facts(element->document->format, mst_field_of(element));
    mst_value place;
    *text = (mst_placed_text){.place = NULL};
    mst_status status = mst_value_text(element, arena, &text->all, diagnostic);
    text->rest = text->all;
    if (status != MST_OK || !facts || !facts->place[0] ||
        mst_find(*element, facts->place[0], &place, NULL) != MST_OK)
        return status;
    status = mst_value_text(&place, arena, &text->place, diagnostic);
    return status == MST_OK ? cut(text, facts->place[0], arena) : status;
}
