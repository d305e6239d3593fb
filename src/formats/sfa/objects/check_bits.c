/* SPDX-License-Identifier: MIT */
/* Checks of the game bits that objects use and of trigger commands. */
#include "../../../check/finding.h"
#include "../../present.h"
#include "objects.h"

/* A game bit is a number in the low bits; the highest bit inverts it; -1 means none. */
#define LAST_BIT     3914u
#define BIT_NUMBER   0x0FFFu
#define BIT_INVERTED 0x8000u
#define NO_BIT       0xFFFFu

#define LAST_COMMAND 0x2Fu
/* one bit each: commands that the game ignores; retail lists have some of the second group */
#define NO_COMMANDS                                                                                          \
    (1ull << 0x07 | 1ull << 0x09 | 1ull << 0x0E | 1ull << 0x0F | 1ull << 0x17 | 1ull << 0x19 |               \
     1ull << 0x24 | 1ull << 0x25)
#define IDLE_COMMANDS (1ull << 0x02 | 1ull << 0x03 | 1ull << 0x05 | 1ull << 0x29)
#define SET_BIT       0x12u
#define TURN_PART     0x21u
#define RUNS          0x13u /* flags: on entering, on leaving, every frame */

typedef struct object {
    mst_checker *checker;
    const mst_value *parameters;
    uint32_t index;
} object;

bool mst_sfa_is_game_bit(uint32_t bits) {
    return bits == NO_BIT || ((bits & ~(BIT_NUMBER | BIT_INVERTED)) == 0 && (bits & BIT_NUMBER) <= LAST_BIT);
}

/* A game bit: a parameter, or an element of a list of them (`of`: ""; else its index). */
static mst_status check_bit(const object *o, const mst_value *value, const char *name, const char *of) {
    int64_t bit = -1;
    mst_get_integer(value, &bit);
    unsigned bits = (uint16_t)bit;
    if (mst_sfa_is_game_bit(bits))
        return MST_OK;
    mst_diagnostic *finding =
        mst_finding_of(o->checker, value, "objects[%u].parameters.%s%s", o->index, name, of);
    MST_SET(finding->expected, "0 to %u, with or without 0x8000, or -1", LAST_BIT);
    return mst_report(o->checker, "SFA-GAME-BIT", NULL, "%d", (int)bit);
}

static mst_status check_bits(const object *o, const mst_value *list, const char *name) {
    mst_status status = MST_OK;
    mst_value value;
    mst_iterator it = mst_iterate(list);
    for (unsigned i = 0; status == MST_OK && mst_next(&it, &value); i++) {
        char of[16];
        mst_diagnostic_set(of, sizeof of, "[%u]", i);
        status = check_bit(o, &value, name, of);
    }
    return status;
}

static mst_status check_command(const object *o, const mst_value *value, unsigned index,
                                const mst_sfa_command *command) {
    unsigned which = command->command;
    unsigned both = (unsigned)command->parameter_1 << 8 | command->parameter_2;
    mst_status status = MST_OK;
    if (!which)
        return MST_OK;
    if (!(command->flags & RUNS)) {
        mst_value flags = mst_member_in(value, "flags");
        mst_diagnostic *finding =
            mst_finding_of(o->checker, &flags, "objects[%u].parameters.commands[%u].flags", o->index, index);
        MST_SET(finding->message, "the command never runs: it has none of the flags that start it");
        MST_SET(finding->expected, "1, 2 or 16 among the flags");
        MST_SET(finding->found, "0x%02X", command->flags);
        status = mst_checker_inform(o->checker, "SFA-TRIGGER");
    }
    mst_value number = mst_member_in(value, "command");
    mst_diagnostic *finding =
        mst_finding_of(o->checker, &number, "objects[%u].parameters.commands[%u].command", o->index, index);
    MST_SET(finding->found, "0x%02X", which);
    if (status == MST_OK && which <= LAST_COMMAND && (IDLE_COMMANDS >> which & 1)) {
        MST_SET(finding->message, "the command does nothing: it can be removed");
        status = mst_checker_inform(o->checker, "SFA-TRIGGER");
    } else if (status == MST_OK && (which > LAST_COMMAND || (NO_COMMANDS >> which & 1))) {
        MST_SET(finding->message, "the command does not exist: the game has no such number");
        status = mst_checker_report(o->checker, "SFA-TRIGGER");
    }
    unsigned bit = which == SET_BIT ? both & 0x3FFF : which == TURN_PART ? both & 0x1FFF : 0;
    if (status == MST_OK && bit > LAST_BIT) {
        mst_value high = mst_member_in(value, "parameter_1");
        finding = mst_finding_at(o->checker, high.offset, 2, "objects[%u].parameters.commands[%u]", o->index,
                                 index);
        MST_SET(finding->message, "the game bit does not exist");
        MST_SET(finding->expected, "at most %u", LAST_BIT);
        status = mst_report(o->checker, "SFA-TRIGGER", NULL, "%u", bit);
    }
    return status;
}

static mst_status check_commands(const object *o, const mst_bound *bound, const mst_value *list) {
    mst_status status = MST_OK;
    mst_value value;
    mst_iterator it = mst_iterate(list);
    for (unsigned i = 0; status == MST_OK && mst_next(&it, &value); i++) {
        mst_sfa_command command = {.command = 0};
        mst_fill(bound, &value, &command);
        status = check_command(o, &value, i, &command);
    }
    return status;
}

static mst_status check_parameters(const object *o, const mst_bound *command) {
    mst_status status = MST_OK;
    mst_value value;
    mst_iterator it = mst_iterate(o->parameters);
    while (status == MST_OK && mst_next(&it, &value)) {
        const mst_field *field = mst_field_of(&value);
        if (field->record) /* a trigger's commands */
            status = check_commands(o, command, &value);
        else if (field->unit == mst_sfa_game_bit)
            status = mst_is_list(field) ? check_bits(o, &value, field->name)
                                        : check_bit(o, &value, field->name, "");
    }
    return status;
}

mst_status mst_sfa_check_bits(mst_checker *checker, const mst_sfa_objects *objects) {
    mst_bound command;
    mst_status status = MST_OK;
    mst_bind(checker->document, &mst_sfa_command_bindings, &command);
    for (uint32_t i = 0; i < objects->count && status == MST_OK; i++) {
        const mst_sfa_object *one = &objects->items[i];
        const object o = {checker, &one->parameters, i};
        if (one->parameters.document) /* too short: the bytes are kept */
            status = check_parameters(&o, &command);
    }
    return status;
}
