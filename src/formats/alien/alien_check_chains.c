/* SPDX-License-Identifier: MIT */
/* Checks of triggers, chains of commands and the fixed arrays that hold them, and of the ends of models. */
#include "../../check/finding.h"
#include "../present.h"
#include "alien.h"

#define COMMANDS  256  /* a count is one byte */
#define LAST_QUAD 0x80 /* in a model's kind */

mst_status mst_alien_check_counts(mst_checker *checker, const mst_value *map) {
    static const struct {
        const char *list;
        unsigned count;
    } arrays[] = {{"triggers", 64}, {"commands", 64}, {"lights", 128}};
    mst_status status = MST_OK;
    for (size_t i = 0; i < MST_COUNT_OF(arrays) && status == MST_OK; i++) {
        mst_value list = mst_member_in(map, arrays[i].list);
        uint64_t count = mst_count(&list);
        if (count == arrays[i].count)
            continue;
        mst_diagnostic *finding = mst_finding_of(checker, &list, "map.%s", arrays[i].list);
        MST_SET(finding->expected, "%u", arrays[i].count);
        status = mst_report(checker, "ALIEN-FIXED-COUNT", NULL, "%llu", (unsigned long long)count);
    }
    return status;
}

/* ---- chains ------------------------------------------------------------------------------------- */

bool mst_alien_is_empty(const uint8_t *bytes) {
    return bytes[1] == 255 && bytes[2] == 255 &&
           ((bytes[0] == 255 && bytes[3] == 255) || (bytes[0] == 0 && bytes[3] == 0));
}

/* State of a command. */
enum { REACHED = 1, IN_CHAIN = 2, DONE = 4 };

typedef struct chains {
    mst_checker *checker;
    mst_value commands;
    const uint8_t *data; /* of the commands, four bytes each */
    unsigned count;
    uint8_t state[COMMANDS];
} chains;

static unsigned next_of(const chains *c, unsigned command) {
    return c->data[4 * (size_t)command + 1];
}

/* Follows a chain to its end, or to a command already reached. */
static void reach(chains *c, unsigned from) {
    for (unsigned at = from; at < c->count && !(c->state[at] & REACHED); at = next_of(c, at))
        c->state[at] |= REACHED;
}

static mst_status check_circle(chains *c, unsigned from) {
    unsigned at = from, last = from;
    for (; at < c->count && !(c->state[at] & (IN_CHAIN | DONE)); at = next_of(c, at)) {
        c->state[at] |= IN_CHAIN;
        last = at;
    }
    bool circle = at < c->count && (c->state[at] & IN_CHAIN);
    for (at = from; at < c->count && (c->state[at] & IN_CHAIN); at = next_of(c, at))
        c->state[at] = (uint8_t)((c->state[at] & ~IN_CHAIN) | DONE);
    if (!circle)
        return MST_OK;
    mst_value command = mst_element_in(&c->commands, last);
    return mst_alien_report(c->checker, "ALIEN-CHAIN", &command, "map.commands", last, "next",
                            next_of(c, last), NULL);
}

mst_status mst_alien_check_chains(mst_checker *checker, const mst_value *map) {
    mst_value triggers = mst_member_in(map, "triggers");
    const mst_column first = mst_column_in(&triggers, "first_command");
    chains c = {.checker = checker, .commands = mst_member_in(map, "commands")};
    const mst_column operations = mst_column_in(&c.commands, "operation"); /* the first byte */
    c.data = operations.data;
    c.count = (unsigned)operations.count;
    for (uint64_t i = 0; i < first.count; i++) {
        const uint8_t *trigger = first.data + i * first.stride - 1;
        if (!mst_alien_is_empty(trigger))
            reach(&c, trigger[1]);
    }
    mst_status status = MST_OK;
    for (unsigned i = 0; i < c.count && status == MST_OK; i++)
        status = check_circle(&c, i);
    for (unsigned i = 0; i < c.count && status == MST_OK; i++) {
        if ((c.state[i] & REACHED) || mst_alien_is_empty(c.data + 4 * (size_t)i))
            continue;
        mst_value command = mst_element_in(&c.commands, i);
        mst_finding_of(checker, &command, "map.commands[%llu]", (unsigned long long)i);
        status = mst_checker_report(checker, "ALIEN-COMMAND-LOOSE");
    }
    return status;
}

/* ---- models ------------------------------------------------------------------------------------- */

/* The game draws up to the marked quad and ignores the count. */
mst_status mst_alien_check_model_end(mst_checker *checker, const mst_value *model, const char *path) {
    mst_value quads = mst_member_in(model, "quads");
    const mst_column kinds = mst_column_in(&quads, "kind");
    for (uint64_t i = 0; i < kinds.count; i++) {
        uint8_t kind = kinds.data[i * kinds.stride];
        if (((kind & LAST_QUAD) != 0) == (i + 1 == kinds.count))
            continue;
        mst_value quad = mst_element_in(&quads, i);
        return mst_alien_report(checker, "ALIEN-MODEL-LAST", &quad, path, i, "kind", kind, NULL);
    }
    return MST_OK;
}
