/* SPDX-License-Identifier: MIT */
/* Level names, triggers and commands as text, and the masks of monster types. */
#include "../../core/diagnose.h"
#include "../../core/output.h"
#include "../present.h"
#include "alien.h"
#include <stdio.h>

static const struct {
    char number[4];
    const char *name;
} levels[] = {
    {"111", "Entrance"},
    {"112", "Outer Complex"},
    {"113", "Ammunition Dump 1"},
    {"114", "Ammunition Dump 2"},
    {"115", "Ammunition Dump 3"},
    {"122", "Recreation Rooms"},
    {"131", "Medical Laboratory"},
    {"141", "Garage"},
    {"154", "Atmosphere Sub-level"},
    {"155", "Security Catwalks"},
    {"161", "Atmosphere Sub-Basement"},
    {"162", "Queen's Lair"},
    {"211", "Living Area"},
    {"212", "Canteen"},
    {"213", "Meeting Tower"},
    {"222", "Leadworks"},
    {"231", "Mining and Smelting"},
    {"232", "Furnace Controls"},
    {"242", "Tunnels and Ducts"},
    {"243", "Tunnels and Ducts"},
    {"262", "Lead Mould"},
    {"263", "Queen's Lair"},
    {"311", "Tunnels"},
    {"321", "Pilot's Chamber"},
    {"322", "Pilot's Chamber"},
    {"323", "Pilot's Chamber"},
    {"324", "Pilot's Chamber"},
    {"325", "Pilot's Chamber"},
    {"331", "Canyons and Catacombs"},
    {"351", "Secrets"},
    {"352", "Inorganics 1"},
    {"353", "Inorganics 2"},
    {"361", "The secret level"},
    {"371", "Droplifts"},
    {"381", "Egg Chambers"},
    {"391", "Queen's Lair"},
};

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool mst_alien_level_number(const char *file_name, char number[4]) {
    if ((file_name[0] != 'L' && file_name[0] != 'l') || !is_digit(file_name[1]) || !is_digit(file_name[2]) ||
        !is_digit(file_name[3]))
        return false;
    memcpy(number, file_name + 1, 3);
    number[3] = 0;
    return true;
}

const char *mst_alien_level_name(const char number[4]) {
    for (size_t i = 0; i < MST_COUNT_OF(levels); i++)
        if (memcmp(levels[i].number, number, 4) == 0)
            return levels[i].name;
    return number[0] == '9' && number[1] == '0' ? "Multiplayer" : NULL;
}

/* ---- triggers ----------------------------------------------------------------------------------- */

static size_t append(char *text, size_t capacity, size_t length, const char *words) {
    size_t n = strlen(words);
    for (size_t i = 0; i < n && length + 1 < capacity; i++)
        text[length++] = words[i];
    text[length] = 0;
    return length;
}

void mst_alien_command_text(const mst_value *command, char *text, size_t capacity) {
    static const char *const verbs[] = {
        "light %u",       "unlock door %u", "pickup %u appears", "wake monster %u", "switch off box %u",
        "locked lift %u", "open door %u",   "move lift %u",      "end of level",    "animate texture %u"};
    uint64_t operation = mst_number_in(command, "operation"), target = mst_number_in(command, "target");
    if (operation == 255) {
        snprintf(text, capacity, "nothing");
        return;
    }
    if (operation >= MST_COUNT_OF(verbs)) {
        snprintf(text, capacity, "unknown operation %u on %u", (unsigned)operation, (unsigned)target);
        return;
    }
    char words[40];
    /* some phrases contain the target's number, others need none */
    const char *mark = strstr(verbs[operation], "%u");
    if (!mark) {
        snprintf(text, capacity, "%s", verbs[operation]);
        return;
    }
    snprintf(words, sizeof words, "%.*s%u%s", (int)(mark - verbs[operation]), verbs[operation],
             (unsigned)target, mark + 2);
    snprintf(text, capacity, "%s%s", words, operation == 0 ? " on" : "");
}

bool mst_alien_trigger_text(const mst_value *map, uint32_t trigger, char *text, size_t capacity) {
    mst_value triggers = mst_member_in(map, "triggers"), commands = mst_member_in(map, "commands"),
              one = mst_element_in(&triggers, trigger), command;
    *text = 0;
    uint64_t next = mst_number_in(&one, "first_command"), uses = mst_number_in(&one, "uses");
    if (next == 255)
        return false;
    char words[64];
    if (uses == 255)
        snprintf(words, sizeof words, "%u, any number of times: ", trigger);
    else
        snprintf(words, sizeof words, "%u, %u time%s: ", trigger, (unsigned)uses, uses == 1 ? "" : "s");
    size_t length = append(text, capacity, 0, words);
    uint8_t seen[32] = {0}; /* a bit for each command, to stop at a circular chain */
    bool first = true;
    for (; next != 255 && !(seen[next / 8] >> next % 8 & 1); first = false) {
        seen[next / 8] |= (uint8_t)(1u << next % 8);
        length = append(text, capacity, length, first ? "" : ", then ");
        if (mst_element(&commands, next, &command) != MST_OK) {
            snprintf(words, sizeof words, "command %u, which does not exist", (unsigned)next);
            append(text, capacity, length, words);
            return true;
        }
        mst_alien_command_text(&command, words, sizeof words);
        length = append(text, capacity, length, words);
        next = mst_number_in(&command, "next");
    }
    if (next != 255)
        append(text, capacity, length, ", and so on in a circle");
    return true;
}

mst_status mst_alien_describe(const mst_document *document, const char *what, const mst_resolver *sidecars,
                              mst_sink sink, mst_diagnostic *diagnostic) {
    (void)sidecars;
    if (strcmp(what, "triggers") != 0)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "a level has no %s", what);
    mst_value map, root = mst_root(document);
    if (mst_member(&root, "map", &map) != MST_OK)
        return MST_OK;
    mst_value triggers = mst_member_in(&map, "triggers");
    uint64_t count = mst_count(&triggers);
    mst_output out;
    mst_output_begin(&out, sink);
    for (uint32_t i = 0; i < count; i++) {
        char text[4096];
        if (mst_alien_trigger_text(&map, i, text, sizeof text))
            mst_output_format(&out, "trigger %s\n", text);
    }
    mst_status status = mst_output_end(&out);
    return status == MST_OK ? MST_OK : mst_fail(diagnostic, status, "the triggers could not be written");
}

/* ---- masks -------------------------------------------------------------------------------------- */

uint16_t mst_alien_enemy_mask(const mst_value *map) {
    mst_value monsters = mst_member_in(map, "monsters"), monster;
    uint16_t mask = 0;
    for (mst_iterator it = mst_iterate(&monsters); mst_next(&it, &monster);) {
        uint64_t type = mst_number_in(&monster, "type");
        if (type >= 1 && type <= 15)
            mask = (uint16_t)(mask | 1u << (type - 1));
    }
    return mask;
}

void mst_alien_fix_up(const mst_document *before, const mst_document *after, uint8_t *bytes) {
    mst_value roots[2] = {mst_root(before), mst_root(after)}, maps[2];
    uint16_t masks[2];
    for (int i = 0; i < 2; i++) {
        if (mst_member(&roots[i], "map", &maps[i]) != MST_OK)
            return;
        masks[i] = mst_alien_enemy_mask(&maps[i]);
    }
    /* only a change that the edit requires: a mask that did not match before is kept */
    if (masks[0] == masks[1])
        return;
    mst_value field = mst_member_in(&maps[1], "enemy_mask");
    mst_store16(bytes + field.offset, masks[1], after->variant.big);
}
