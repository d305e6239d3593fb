/* SPDX-License-Identifier: MIT */
/* Checks of the game bits that objects use and of trigger commands. */
#include "../../../core/diagnose.h"
#include "objects.h"

#define PARAMETERS 0x18 /* their offset in a record */

/* A game bit is a number in the low bits; the highest bit inverts it; -1 means none. */
#define LAST_BIT     3914u
#define BIT_NUMBER   0x0FFFu
#define BIT_INVERTED 0x8000u
#define NO_BIT       0xFFFFu

#define COMMANDS     8
#define COMMAND_SIZE 4
#define LAST_COMMAND 0x2Fu
/* one bit each: commands that the game ignores; retail lists have some of the second group */
#define NO_COMMANDS                                                                                          \
    (1ull << 0x07 | 1ull << 0x09 | 1ull << 0x0E | 1ull << 0x0F | 1ull << 0x17 | 1ull << 0x19 |               \
     1ull << 0x24 | 1ull << 0x25)
#define IDLE_COMMANDS (1ull << 0x02 | 1ull << 0x03 | 1ull << 0x05 | 1ull << 0x29)
#define SET_BIT       0x12u
#define TURN_PART     0x21u
#define RUNS          0x13u /* flags: on entering, on leaving, every frame */

/* Only curves of these kinds have game bits; the others have something else there. */
#define CURVE_COMPANION 0x24u
#define CURVE_CRAWL     0x1Fu

typedef struct object {
    mst_checker *checker;
    const char *path; /* of the list */
    const uint8_t *parameters;
    uint64_t offset; /* of the parameters */
    uint32_t index;
} object;

static void begin(const object *o, mst_diagnostic *finding, const char *field, uint64_t component,
                  const char *below, uint64_t at, uint64_t size) {
    memset(finding, 0, sizeof *finding);
    size_t length = mst_path_step(finding->path, sizeof finding->path, 0, o->path, o->index);
    length = mst_path_step(finding->path, sizeof finding->path, length, "parameters", UINT64_MAX);
    length = mst_path_step(finding->path, sizeof finding->path, length, field, component);
    mst_path_step(finding->path, sizeof finding->path, length, below, UINT64_MAX);
    finding->offset = o->offset + at;
    finding->length = size;
}

static mst_status check_bit(const object *o, const mst_field *field, uint64_t component, uint64_t at) {
    uint32_t bit = mst_load16(o->parameters + at, true);
    if (bit == NO_BIT || ((bit & ~(BIT_NUMBER | BIT_INVERTED)) == 0 && (bit & BIT_NUMBER) <= LAST_BIT))
        return MST_OK;
    mst_diagnostic finding;
    begin(o, &finding, field->name, field->mode == MST_COUNT_FIXED ? component : UINT64_MAX, NULL, at, 2);
    MST_SET(finding.expected, "0 to %u, with or without 0x8000, or -1", LAST_BIT);
    MST_SET(finding.found, "%d", (int16_t)bit);
    return mst_checker_report(o->checker, "SFA-GAME-BIT", &finding);
}

static mst_status check_command(const object *o, unsigned index) {
    uint64_t at = COMMAND_SIZE * (uint64_t)index;
    const uint8_t *command = o->parameters + at;
    unsigned which = command[1], both = (unsigned)command[2] << 8 | command[3];
    mst_diagnostic finding;
    mst_status status = MST_OK;
    if (!which)
        return MST_OK;
    if (!(command[0] & RUNS)) {
        begin(o, &finding, "commands", index, "flags", at, 1);
        MST_SET(finding.message, "the command never runs");
        MST_SET(finding.expected, "1, 2 or 16 among the flags");
        MST_SET(finding.found, "0x%02X", command[0]);
        status = mst_checker_inform(o->checker, "SFA-TRIGGER", &finding);
    }
    begin(o, &finding, "commands", index, "command", at + 1, 1);
    MST_SET(finding.found, "0x%02X", which);
    if (status == MST_OK && which <= LAST_COMMAND && (IDLE_COMMANDS >> which & 1)) {
        MST_SET(finding.message, "the command does nothing");
        status = mst_checker_inform(o->checker, "SFA-TRIGGER", &finding);
    } else if (status == MST_OK && (which > LAST_COMMAND || (NO_COMMANDS >> which & 1))) {
        MST_SET(finding.message, "the command does not exist");
        status = mst_checker_report(o->checker, "SFA-TRIGGER", &finding);
    }
    unsigned bit = which == SET_BIT ? both & 0x3FFF : which == TURN_PART ? both & 0x1FFF : 0;
    if (status == MST_OK && bit > LAST_BIT) {
        begin(o, &finding, "commands", index, NULL, at + 2, 2);
        MST_SET(finding.message, "the game bit does not exist");
        MST_SET(finding.expected, "at most %u", LAST_BIT);
        MST_SET(finding.found, "%u", bit);
        status = mst_checker_report(o->checker, "SFA-TRIGGER", &finding);
    }
    return status;
}

static mst_status check_parameters(const object *o, const mst_record *part, const mst_plan *plan) {
    mst_status status = MST_OK;
    for (uint16_t f = 0; f < part->field_count && status == MST_OK; f++) {
        const mst_field *field = &part->fields[f];
        unsigned count = field->mode == MST_COUNT_FIXED ? field->count : 1;
        if (field->kind == MST_KIND_RECORD) /* a trigger's */
            for (unsigned i = 0; i < COMMANDS && status == MST_OK; i++)
                status = check_command(o, i);
        for (unsigned i = 0; i < count && status == MST_OK && field->unit == mst_sfa_game_bit; i++)
            status = check_bit(o, field, i, plan->fields[f].offset + 2 * (uint64_t)i);
    }
    return status;
}

mst_status mst_sfa_check_bits(mst_checker *checker, const uint8_t *data, uint64_t begin_at, uint64_t end,
                              const char *path) {
    object o = {.checker = checker, .path = path};
    mst_sfa_object_header header;
    mst_status status = MST_OK;
    for (uint64_t at = begin_at; status == MST_OK && mst_sfa_object_at(data, at, end, &header);
         at += header.size, o.index++) {
        const mst_record *part = mst_sfa_object_part_of(header.type);
        const mst_plan *plan = part ? mst_plan_of(checker->document, part) : NULL;
        bool without_bits =
            header.type == MST_SFA_CURVE && header.kind != CURVE_COMPANION && header.kind != CURVE_CRAWL;
        if (!plan || without_bits ||
            header.size - PARAMETERS < plan->minimum) /* too short: the bytes are kept */
            continue;
        o.parameters = data + at + PARAMETERS;
        o.offset = at + PARAMETERS;
        status = check_parameters(&o, part, plan);
    }
    return status;
}
