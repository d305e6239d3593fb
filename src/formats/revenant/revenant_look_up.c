/* SPDX-License-Identifier: MIT */
/* Information about an object from class.def and exit.def. */
#include "../../core/diagnose.h"
#include "revenant.h"
#include "revenant_words.h"
#include <stdio.h>

static mst_status type_of(const mst_value *object, const mst_resolver *sidecars, bool imagery, char *text,
                          size_t capacity) {
    const void *bytes;
    size_t size;
    mst_value id;
    uint64_t number = 0;
    mst_status status = sidecars->find(sidecars->user, "class.def", &bytes, &size);
    if (status != MST_OK || mst_member(object, "unique_id", &id) != MST_OK)
        return status;
    mst_get_unsigned(&id, &number);
    mst_arena scratch;
    mst_arena_begin(&scratch, &object->document->allocator, 0);
    const mst_revenant_classes *classes;
    status = mst_revenant_recall_classes(sidecars, bytes, size, &scratch, &classes);
    const mst_revenant_type *type = status == MST_OK ? mst_revenant_type_of(classes, (uint32_t)number) : NULL;
    if (type)
        snprintf(text, capacity, "%s", imagery ? type->imagery : type->name);
    mst_arena_end(&scratch);
    return status;
}

static bool is_named(const mst_revenant_exit *line, const uint8_t *name, size_t length) {
    if (line->name_length != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (mst_lower(line->name[i]) !=
            mst_lower((char)(name[i] & 0x7F))) /* from version 14 on bit 7 is set */
            return false;
    return true;
}

static mst_status destination_of(const mst_value *object, const mst_resolver *sidecars, char *text,
                                 size_t capacity) {
    const void *bytes, *name;
    size_t size, length;
    mst_value class_value, name_value;
    int64_t number = -1;
    mst_status status = sidecars->find(sidecars->user, "exit.def", &bytes, &size);
    if (status != MST_OK || mst_member(object, "class", &class_value) != MST_OK ||
        mst_member(object, "name", &name_value) != MST_OK)
        return status;
    mst_get_integer(&class_value, &number);
    if (mst_revenant_class_of(object->document, (int32_t)number) != MST_REVENANT_EXIT ||
        mst_get_bytes(&name_value, &name, &length) != MST_OK || !length)
        return MST_OK;
    mst_revenant_exit line = MST_REVENANT_FIRST_EXIT;
    while (mst_revenant_next_exit(bytes, size, &line))
        if (is_named(&line, name, length)) {
            int at = snprintf(text, capacity, "level %ld", (long)line.level);
            if (line.has_position && (size_t)at < capacity)
                snprintf(text + at, capacity - (size_t)at, " (%ld, %ld, %ld)", (long)line.position[0],
                         (long)line.position[1], (long)line.position[2]);
            break;
        }
    return MST_OK;
}

mst_status mst_revenant_look_up(const mst_value *element, const char *column, const mst_resolver *sidecars,
                                char *text, size_t capacity) {
    if (!sidecars || !sidecars->find)
        return MST_NO_PATH;
    if (strcmp(column, "destination") == 0)
        return destination_of(element, sidecars, text, capacity);
    bool imagery = strcmp(column, "imagery") == 0;
    return imagery || strcmp(column, "type_name") == 0 ? type_of(element, sidecars, imagery, text, capacity)
                                                       : MST_NO_PATH;
}
