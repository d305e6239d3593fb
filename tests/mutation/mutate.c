/* SPDX-License-Identifier: MIT */
/*
 * Faults in the tables: linked into the tests, this changes one entry of a format's tables before the tests
 * begin, so that tests/mutation/run.mjs sees whether they notice.
 *
 *   MAPSTONE_MUTATE=list                 writes the name of every change and ends
 *   MAPSTONE_MUTATE=NAME                 makes that change; an unknown name ends with 125
 *   MAPSTONE_MUTATE_TESTS=time           every test alone; "name milliseconds result" a line; tests
 *                                        longer than MAPSTONE_MUTATE_LONGEST are "slow"
 *   MAPSTONE_MUTATE_TESTS=NAME,NAME,...  these tests in this order; ends at the first that fails
 * The last two write to descriptor 3. Without any of them the tests run as usual.
 *
 * A change is called FORMAT/RECORD/FIELD/CHANGE, all but the last two by number and format id; FIELD is "-"
 * for the record itself, N.C for case C of the chunks in field N, N.u for the field of its unknown chunks and
 * N.c for the chunks as a whole. A table shared by several formats is named after the first.
 */
#define _GNU_SOURCE
#include "../../src/tables/schema.h"
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define REPORT 3

/* One entry, and copies of all that a change of it may affect. */
typedef struct place {
    const mst_format *format;
    const mst_record *record_at;
    const mst_field *field_at, *next_at;
    const mst_case *case_at, *next_case_at;
    const mst_chunks *chunks_at;
    mst_record record;
    mst_field field, next;
    mst_case one_case, next_case;
    mst_chunks chunks;
} place;

/* ---- changes ------------------------------------------------------------------------------------ */

/* Each returns whether this entry has such a change; `how` selects one of several. */
typedef bool (*change_function)(place *p, int how);

static bool is_integer(unsigned kind) {
    return kind >= MST_KIND_U8 && kind <= MST_KIND_I64;
}

/* Integers are in pairs, unsigned first, each twice as wide as the one before. */
static bool change_width(place *p, int how) {
    unsigned kind = p->field.kind;
    if (kind == MST_KIND_F32 || kind == MST_KIND_F64) {
        p->field.kind = kind == MST_KIND_F32 ? MST_KIND_F64 : MST_KIND_F32;
        return how > 0;
    }
    if (kind == MST_KIND_CHAR8 || kind == MST_KIND_CHAR16) {
        p->field.kind = kind == MST_KIND_CHAR8 ? MST_KIND_CHAR16 : MST_KIND_CHAR8;
        return how > 0;
    }
    if (!is_integer(kind) || (how > 0 && kind >= MST_KIND_U64) || (how < 0 && kind <= MST_KIND_I8))
        return false;
    p->field.kind = (uint8_t)(how > 0 ? kind + 2 : kind - 2);
    return true;
}
static bool change_sign(place *p, int how) {
    (void)how;
    if (!is_integer(p->field.kind))
        return false;
    p->field.kind = (uint8_t)((p->field.kind - MST_KIND_U8) % 2 ? p->field.kind - 1 : p->field.kind + 1);
    return true;
}
/* Another kind of the same width. */
static bool change_kind(place *p, int how) {
    (void)how;
    switch (p->field.kind) {
    case MST_KIND_F32: p->field.kind = MST_KIND_U32; return true;
    case MST_KIND_F64: p->field.kind = MST_KIND_U64; return true;
    case MST_KIND_U32:
    case MST_KIND_I32: p->field.kind = MST_KIND_F32; return true;
    case MST_KIND_CHAR8: p->field.kind = MST_KIND_RAW; return true;
    case MST_KIND_RAW: p->field.kind = MST_KIND_CHAR8; return true;
    default: return false;
    }
}

static bool has_number_of_elements(const mst_field *f) {
    return f->mode == MST_COUNT_FIXED || f->mode == MST_COUNT_VARIABLE || f->mode == MST_COUNT_PRODUCT ||
           f->mode == MST_COUNT_ALIGN;
}
static bool change_count(place *p, int how) {
    if (!has_number_of_elements(&p->field) || (how < 0 && p->field.count == 0))
        return false;
    if (how < 0 && p->field.count == 1 && p->field.mode == MST_COUNT_ALIGN)
        return false;
    p->field.count += (uint32_t)how;
    return true;
}
static bool change_count_variable(place *p, int how) {
    if (p->field.mode != MST_COUNT_VARIABLE && p->field.mode != MST_COUNT_PRODUCT)
        return false;
    if (how < 0 && p->field.count_variable == 0)
        return false;
    p->field.count_variable = (uint8_t)(p->field.count_variable + how);
    return p->field.count_variable < MST_VARIABLES;
}
static bool change_prefix(place *p, int how) {
    if (p->field.mode != MST_COUNT_PREFIX)
        return false;
    unsigned prefix = p->field.prefix;
    if ((how > 0 && prefix >= MST_KIND_U32) || (how < 0 && prefix <= MST_KIND_U8))
        return false;
    p->field.prefix = (uint8_t)(how > 0 ? prefix + 2 : prefix - 2);
    return true;
}
static bool change_mode(place *p, int how) {
    (void)how;
    switch ((mst_count_mode)p->field.mode) {
    case MST_COUNT_SENTINEL:
    case MST_COUNT_ALIGN:
    case MST_COUNT_DATA_SET: p->field.mode = MST_COUNT_TO_END; return true;
    case MST_COUNT_FIXED: p->field.mode = MST_COUNT_ONE; return p->field.count > 1;
    case MST_COUNT_PREFIX: p->field.mode = MST_COUNT_TO_END; return true;
    case MST_COUNT_TO_END: p->field.mode = MST_COUNT_ONE; return true;
    case MST_COUNT_ONE:
    case MST_COUNT_VARIABLE:
    case MST_COUNT_PRODUCT:
    case MST_COUNT_ARCHIVE: return false;
    }
    return false;
}
static bool drop_ends(place *p, int how) {
    (void)how;
    p->field.ends = NULL;
    return true;
}

static bool change_bind(place *p, int how) {
    if (!p->field.bind)
        return false;
    p->field.bind = (uint8_t)(how ? p->field.bind + 1 : 0);
    return p->field.bind <= MST_VARIABLES;
}
static bool drop_mapped(place *p, int how) {
    (void)how;
    p->field.transform = NULL;
    return true;
}

static bool change_size_scale(place *p, int how) {
    (void)how;
    if (!(p->field.flags & MST_FIELD_SIZES))
        return false;
    p->field.size_scale = (uint8_t)(p->field.size_scale > 1 ? p->field.size_scale - 1 : 2);
    return true;
}
static bool change_size_bias(place *p, int how) {
    if (!(p->field.flags & MST_FIELD_SIZES) || (how < 0 && p->field.size_bias == 0))
        return false;
    p->field.size_bias = (uint8_t)(p->field.size_bias + how);
    return true;
}
static bool change_size_kind(place *p, int how) {
    uint32_t flags = p->field.flags;
    if (!(flags & MST_FIELD_SIZES) || (flags & (uint32_t)how))
        return false;
    p->field.flags = (flags & ~(uint32_t)MST_FIELD_SIZES) | (uint32_t)how;
    return true;
}

static bool clear_flag(place *p, int how) {
    p->field.flags &= ~(uint32_t)how;
    return true;
}
/* Parts consist of records that have sizes. */
static bool set_part(place *p, int how) {
    bool sizes = false;
    for (size_t i = 0; i < p->record.field_count; i++)
        sizes = sizes || (p->record.fields[i].flags & MST_FIELD_SIZES);
    if (!sizes || (p->field.flags & (MST_FIELD_SIZES | (uint32_t)how)))
        return false;
    p->field.flags = (p->field.flags & ~(uint32_t)(MST_FIELD_LAST | MST_FIELD_OUTSIDE)) | (uint32_t)how;
    return true;
}
static bool set_optional(place *p, int how) {
    (void)how;
    if (p->record.archive || p->case_at || p->field.present || p->field.when[0].operation)
        return false;
    p->field.flags |= MST_FIELD_OPTIONAL;
    return true;
}

/* The byte order: 1 big, -1 little, 0 the file's. */
static int order_of(const place *p, uint32_t flags) {
    if (flags & (MST_FIELD_BIG | MST_FIELD_LITTLE))
        return flags & MST_FIELD_BIG ? 1 : -1;
    if (MST_OPTION(p->format->conversion, either_order))
        return 0;
    return p->format->identity.big ? 1 : -1;
}
static bool change_order(place *p, int how) {
    unsigned kind = p->field.kind;
    bool wide = (kind >= MST_KIND_U16 && kind <= MST_KIND_F64) || kind == MST_KIND_CHAR16 ||
                (p->field.mode == MST_COUNT_PREFIX && p->field.prefix >= MST_KIND_U16);
    int before = order_of(p, p->field.flags);
    p->field.flags &= ~(uint32_t)(MST_FIELD_BIG | MST_FIELD_LITTLE);
    p->field.flags |= how > 0 ? (uint32_t)MST_FIELD_BIG : how < 0 ? (uint32_t)MST_FIELD_LITTLE : 0;
    return wide && order_of(p, p->field.flags) != before;
}

static bool change_initial(place *p, int how) {
    p->field.initial += (uint32_t)how;
    return (p->field.flags & MST_FIELD_DEFAULT) != 0;
}
static bool drop_counts(place *p, int how) {
    (void)how;
    p->field.length_of = NULL;
    p->field.length_bias = 0;
    return true;
}
static bool change_length_bias(place *p, int how) {
    p->field.length_bias = (int16_t)(p->field.length_bias + how);
    return p->field.length_of != NULL;
}
static bool change_constant(place *p, int how) {
    static char changed[64];
    if (!p->field.constant)
        return false;
    if (how == 0) {
        p->field.constant = NULL;
        return true;
    }
    size_t size = p->field.mode == MST_COUNT_ONE ? 1 : p->field.count;
    if (size > sizeof changed || (how > 1 && size < 2))
        return false;
    memcpy(changed, p->field.constant, size);
    changed[how > 1 ? size - 1 : 0] ^= 1;
    p->field.constant = changed;
    return true;
}

/* `how`: which condition times 8, plus the change of it. */
static bool change_when(place *p, int how) {
    mst_when *when = &p->field.when[how / 8];
    bool number = when->operation >= MST_EQUAL && when->operation <= MST_BELOW;
    if (when->operation == MST_ALWAYS)
        return false;
    switch (how % 8) {
    case 0: /* dropped */
        for (int i = how / 8; i < 3; i++)
            p->field.when[i] = p->field.when[i + 1];
        memset(&p->field.when[3], 0, sizeof p->field.when[3]);
        return true;
    case 1: /* the opposite */
        switch ((mst_operator)when->operation) {
        case MST_EQUAL: when->operation = MST_NOT_EQUAL; break;
        case MST_NOT_EQUAL: when->operation = MST_EQUAL; break;
        case MST_AT_LEAST: when->operation = MST_BELOW; break;
        case MST_BELOW: when->operation = MST_AT_LEAST; break;
        case MST_ANY_BIT: when->operation = MST_NO_BIT; break;
        case MST_NO_BIT: when->operation = MST_ANY_BIT; break;
        case MST_ONE_OF: when->value = ~when->value; break;
        case MST_ALWAYS: break;
        }
        return true;
    case 2: /* off by one */ when->value = number ? when->value + 1 : when->value << 1; return true;
    case 3:
        if (number && when->value == 0)
            return false;
        when->value = number ? when->value - 1 : when->value >> 1;
        return true;
    case 4: /* another register */
        when->variable = (uint8_t)((when->variable + 1) % MST_VARIABLES);
        return true;
    case 5: /* another comparison */
        switch ((mst_operator)when->operation) {
        case MST_EQUAL: when->operation = MST_AT_LEAST; break;
        case MST_AT_LEAST: when->operation = MST_EQUAL; break;
        case MST_ONE_OF: when->value &= when->value - 1; break;
        default: return false;
        }
        return true;
    default: return false;
    }
}
static bool drop_present(place *p, int how) {
    (void)how;
    p->field.present = NULL;
    return true;
}

/* The following record in the format's list. */
static bool change_record(place *p, int how) {
    (void)how;
    if (!p->field.record)
        return false;
    for (size_t i = 1; i < p->format->tables.record_count; i++) {
        const mst_record *other =
            p->format->tables.records[(p->field.record->index + i) % p->format->tables.record_count];
        if (other && other != p->field.record) {
            p->field.record = other;
            return true;
        }
    }
    return false;
}

/* Every name is the one of the value before it; or the last, or all, are missing. */
static bool change_names(place *p, int how) {
    static mst_enum_name items[2048];
    static mst_enum names;
    const mst_enum *old = p->field.names;
    if (!old || old->count < 2)
        return false;
    if (how == 0) {
        p->field.names = NULL;
        return true;
    }
    names = *old;
    names.items = items;
    if (old->count > MST_COUNT_OF(items))
        return false;
    memcpy(items, old->items, old->count * sizeof *items);
    if (how == 2)
        names.count--;
    else
        for (size_t i = 0; i < old->count; i++)
            items[i].name = old->items[(i + 1) % old->count].name;
    p->field.names = &names;
    return true;
}

static bool change_rule(place *p, int how) {
    mst_rule *rule = &p->field.rule;
    if (rule->kind == MST_RULE_NONE)
        return false;
    switch (how) {
    case 0: memset(rule, 0, sizeof *rule); return true;
    case 1: rule->code = "MUTATED"; return true;
    default: return false;
    }
}

static bool take_away(const char **text) {
    bool there = *text != NULL;
    *text = NULL;
    return there;
}

/* One of the facts about the target of a number: 16 times its place, plus the change. */
static bool change_refers(place *p, int how) {
    static mst_refers facts[4];
    size_t at = (size_t)how / 16, count = p->field.refers_count;
    if (at >= count || count > MST_COUNT_OF(facts))
        return false;
    memcpy(facts, p->field.refers, count * sizeof *facts);
    p->field.refers = facts;
    mst_refers *fact = &facts[at];
    uint32_t held;
    switch (how % 16) {
    case 0:
        memmove(fact, fact + 1, (count - at - 1) * sizeof *fact);
        p->field.refers_count--;
        return true;
    case 1: fact->target = "mutated"; return true;
    case 2: fact->code = fact->code ? "MUTATED" : NULL; return fact->code != NULL;
    case 3: fact->none[0]--; return fact->nones > 0;
    case 4: fact->none[1]--; return fact->nones > 1;
    case 5: fact->none_from++; return fact->nones > 0 && p->field.mode != MST_COUNT_ONE;
    case 6: fact->nones--; return fact->nones < UINT8_MAX;
    case 7: fact->end_is_none = !fact->end_is_none; return fact->by == MST_BY_INDEX;
    case 8: fact->apart = !fact->apart; return fact->by == MST_BY_BIT && p->field.mode != MST_COUNT_ONE;
    case 9: return take_away(&fact->then);
    case 10: return take_away(&fact->where);
    case 11:
        held = fact->mask;
        fact->mask = 0;
        return held != 0;
    case 12:
        fact->operation = fact->operation == MST_EQUAL ? MST_NOT_EQUAL : MST_EQUAL;
        return fact->where != NULL;
    case 13: fact->value++; return fact->where != NULL;
    default: return false;
    }
}

/* Of records that are described separately, one for each value of a number: at most one is present, so their
 * order has no meaning. */
static bool are_alternatives(const mst_field *one, const mst_field *other) {
    const mst_when *when = &one->when[0], *then = &other->when[0];
    return one->record && one->record->apart && other->record && other->record->apart &&
           when->operation == MST_EQUAL && then->operation == MST_EQUAL && when->variable == then->variable &&
           when->value != then->value;
}

static bool swap_with_next(place *p, int how) {
    (void)how;
    if (p->case_at) {
        if (!p->next_case_at)
            return false;
        mst_case held = p->one_case;
        held.field = p->field;
        p->one_case = p->next_case;
        p->field = p->next_case.field;
        p->next_case = held;
        return true;
    }
    if (!p->next_at || are_alternatives(&p->field, &p->next))
        return false;
    mst_field held = p->field;
    p->field = p->next;
    p->next = held;
    return true;
}

/* Of a case of chunks. */
static bool change_case(place *p, int how) {
    if (!p->case_at)
        return false;
    switch (how) {
    case 0: {
        uint32_t bit = 1; /* the lowest that matters */
        while (p->one_case.any & bit)
            bit <<= 1;
        p->one_case.id ^= bit;
        return true;
    }
    case 1: p->one_case.any = 0; return true;
    case 2: p->one_case.any |= 1u << 8 | 1; return true;
    case 3: p->one_case.accepts = NULL; return true;
    default: return false;
    }
}

/* Of chunks, and of records: entries without a field. */
static bool change_chunks(place *p, int how) {
    switch (how) {
    case 0: p->chunks.big = !p->chunks.big; return true;
    case 1: p->chunks.align = 0; return true;
    case 2: p->chunks.align = (uint8_t)(p->chunks.align ? 2 * p->chunks.align : 2); return true;
    case 3: p->chunks.case_count--; return true;
    case 4: p->chunks.unknown = NULL; return true;
    default: return false;
    }
}
static bool change_record_itself(place *p, int how) {
    switch (how) {
    case 0: p->record.is_inline = !p->record.is_inline; return p->record.field_count == 1;
    case 1: p->record.archive = false; return true;
    case 2: p->record.min++; return p->record.archive;
    case 3: p->record.min--; return p->record.archive && p->record.min != UINT8_MAX;
    case 4: p->record.field_count--; return true;
    default: return false;
    }
}

typedef struct change {
    const char *name;
    change_function make;
    int how;
} change;

/* The changes of one fact about the target of a number. */
#define REFERS_CHANGES(i, n)                                                                                 \
    {"refers" n "-dropped", change_refers, (i)*16}, {"refers" n "-target", change_refers, (i)*16 + 1},       \
        {"refers" n "-code", change_refers, (i)*16 + 2}, {"refers" n "-none", change_refers, (i)*16 + 3},    \
        {"refers" n "-other-none", change_refers, (i)*16 + 4},                                               \
        {"refers" n "-none-from", change_refers, (i)*16 + 5},                                                \
        {"refers" n "-no-none", change_refers, (i)*16 + 6}, {"refers" n "-end", change_refers, (i)*16 + 7},  \
        {"refers" n "-apart", change_refers, (i)*16 + 8}, {"refers" n "-then", change_refers, (i)*16 + 9},   \
        {"refers" n "-where", change_refers, (i)*16 + 10}, {"refers" n "-mask", change_refers, (i)*16 + 11}, \
        {"refers" n "-operation", change_refers, (i)*16 + 12}, {                                             \
        "refers" n "-value", change_refers, (i)*16 + 13                                                      \
    }
#define WHEN_CHANGES(n, digit)                                                                               \
    {"when" digit "-dropped", change_when, (n)*8}, {"when" digit "-not", change_when, (n)*8 + 1},            \
        {"when" digit "-above", change_when, (n)*8 + 2}, {"when" digit "-below", change_when, (n)*8 + 3},    \
        {"when" digit "-register", change_when, (n)*8 + 4}, {                                                \
        "when" digit "-operator", change_when, (n)*8 + 5                                                     \
    }

static const change field_changes[] = {
    {"wider", change_width, 1},
    {"narrower", change_width, -1},
    {"sign", change_sign, 0},
    {"kind", change_kind, 0},
    {"more", change_count, 1},
    {"fewer", change_count, -1},
    {"count-register-above", change_count_variable, 1},
    {"count-register-below", change_count_variable, -1},
    {"prefix-wider", change_prefix, 1},
    {"prefix-narrower", change_prefix, -1},
    {"mode", change_mode, 0},
    {"ends", drop_ends, 0},
    {"save-dropped", change_bind, 0},
    {"save-other", change_bind, 1},
    {"mapped", drop_mapped, 0},
    {"size-unit", change_size_scale, 0},
    {"size-more", change_size_bias, 1},
    {"size-less", change_size_bias, -1},
    {"size-of-all", change_size_kind, MST_FIELD_SIZE},
    {"size-of-first", change_size_kind, MST_FIELD_SIZE_FIRST},
    {"size-of-last", change_size_kind, MST_FIELD_SIZE_LAST},
    {"not-bool", clear_flag, MST_FIELD_BOOL},
    {"not-default", clear_flag, MST_FIELD_DEFAULT},
    {"not-omitted", clear_flag, MST_FIELD_OMIT_EMPTY},
    {"not-flags", clear_flag, MST_FIELD_FLAGS},
    {"not-high", clear_flag, MST_FIELD_HIGH},
    {"not-content", clear_flag, MST_FIELD_CONTENT},
    {"not-size", clear_flag, MST_FIELD_SIZES},
    {"not-last", clear_flag, MST_FIELD_LAST},
    {"not-outside", clear_flag, MST_FIELD_OUTSIDE},
    {"not-optional", clear_flag, MST_FIELD_OPTIONAL},
    {"not-short", clear_flag, MST_FIELD_SHORT},
    {"not-stop", clear_flag, MST_FIELD_STOP},
    {"not-repeated", clear_flag, MST_FIELD_REPEATED},
    {"not-headed", clear_flag, MST_FIELD_WITH_HEADER},
    {"not-stored", clear_flag, MST_FIELD_ORIGINAL},
    {"last", set_part, MST_FIELD_LAST},
    {"outside", set_part, MST_FIELD_OUTSIDE},
    {"optional", set_optional, 0},
    {"big", change_order, 1},
    {"little", change_order, -1},
    {"order", change_order, 0},
    {"initial-above", change_initial, 1},
    {"initial-below", change_initial, -1},
    {"counts", drop_counts, 0},
    {"counts-more", change_length_bias, 1},
    {"counts-less", change_length_bias, -1},
    {"constant-dropped", change_constant, 0},
    {"constant-first", change_constant, 1},
    {"constant-last", change_constant, 2},
    WHEN_CHANGES(0, "0"),
    WHEN_CHANGES(1, "1"),
    WHEN_CHANGES(2, "2"),
    WHEN_CHANGES(3, "3"),
    {"present", drop_present, 0},
    {"record", change_record, 0},
    {"names-dropped", change_names, 0},
    {"names-shifted", change_names, 1},
    {"names-last", change_names, 2},
    {"rule-dropped", change_rule, 0},
    {"rule-code", change_rule, 1},
    REFERS_CHANGES(0, "0"),
    REFERS_CHANGES(1, "1"),
    {"swapped", swap_with_next, 0},
    {"case-id", change_case, 0},
    {"case-exact", change_case, 1},
    {"case-any", change_case, 2},
    {"case-accepts", change_case, 3},
};
static const change chunks_changes[] = {
    {"big", change_chunks, 0},   {"unaligned", change_chunks, 1},  {"aligned", change_chunks, 2},
    {"fewer", change_chunks, 3}, {"no-unknown", change_chunks, 4},
};
static const change record_changes[] = {
    {"transparent", change_record_itself, 0}, {"archive", change_record_itself, 1},
    {"least-above", change_record_itself, 2}, {"least-below", change_record_itself, 3},
    {"shorter", change_record_itself, 4},
};

/* ---- making one --------------------------------------------------------------------------------- */

static void write_over(const void *at, const void *bytes, size_t size) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = (uintptr_t)at & ~(page - 1), end = ((uintptr_t)at + size + page - 1) & ~(page - 1);
    if (!at || memcmp(at, bytes, size) == 0)
        return;
    if (mprotect((void *)first, end - first, PROT_READ | PROT_WRITE) != 0) {
        perror("mprotect");
        _exit(125);
    }
    memcpy((void *)(uintptr_t)at, bytes, size);
}

static void fill(place *p) {
    memcpy(&p->record, p->record_at, sizeof p->record);
    if (p->field_at)
        memcpy(&p->field, p->field_at, sizeof p->field);
    if (p->next_at)
        memcpy(&p->next, p->next_at, sizeof p->next);
    if (p->case_at)
        memcpy(&p->one_case, p->case_at, sizeof p->one_case);
    if (p->next_case_at)
        memcpy(&p->next_case, p->next_case_at, sizeof p->next_case);
    if (p->chunks_at)
        memcpy(&p->chunks, p->chunks_at, sizeof p->chunks);
}
static bool differs(const place *p) {
    return memcmp(&p->record, p->record_at, sizeof p->record) != 0 ||
           (p->field_at && memcmp(&p->field, p->field_at, sizeof p->field) != 0) ||
           (p->next_at && memcmp(&p->next, p->next_at, sizeof p->next) != 0) ||
           (p->case_at && memcmp(&p->one_case, p->case_at, offsetof(mst_case, field)) != 0) ||
           (p->chunks_at && memcmp(&p->chunks, p->chunks_at, sizeof p->chunks) != 0);
}
static void commit(place *p) {
    if (p->case_at) {
        memcpy(&p->one_case.field, &p->field, sizeof p->field);
        write_over(p->case_at, &p->one_case, sizeof p->one_case);
    } else {
        write_over(p->field_at, &p->field, sizeof p->field);
    }
    write_over(p->next_at, &p->next, sizeof p->next);
    write_over(p->next_case_at, &p->next_case, sizeof p->next_case);
    write_over(p->chunks_at, &p->chunks, sizeof p->chunks);
    write_over(p->record_at, &p->record, sizeof p->record);
}

/* Lists all changes of a place if no change is requested; otherwise makes the requested one. */
static bool visit(place *p, const char *label, const change *changes, size_t count, const char *wanted) {
    size_t length = strlen(label);
    if (wanted && (strncmp(wanted, label, length) != 0 || wanted[length] != '/'))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (wanted && strcmp(wanted + length + 1, changes[i].name) != 0)
            continue;
        fill(p);
        if (!changes[i].make(p, changes[i].how) || !differs(p))
            continue;
        if (wanted) {
            commit(p);
            return true;
        }
        printf("%s/%s\t%s.%s\n", label, changes[i].name, p->record.name,
               p->field_at ? p->field_at->name : "");
    }
    return false;
}

#define TABLES_MAX 2048
static const void *seen[TABLES_MAX];
static size_t seen_count;

static bool is_new(const void *table) {
    for (size_t i = 0; i < seen_count; i++)
        if (seen[i] == table)
            return false;
    if (seen_count < TABLES_MAX)
        seen[seen_count++] = table;
    return true;
}

static bool visit_chunks(const mst_format *format, const mst_record *record, size_t index,
                         const char *wanted) {
    const mst_chunks *chunks = record->fields[index].chunks;
    char label[96];
    bool made = false;
    if (!chunks || !is_new(chunks))
        return false;
    place whole = {.format = format, .record_at = record, .chunks_at = chunks};
    snprintf(label, sizeof label, "%s/%u/%zu.c", format->information.id, record->index, index);
    made = visit(&whole, label, chunks_changes, MST_COUNT_OF(chunks_changes), wanted);
    for (size_t i = 0; i < chunks->case_count && !made; i++) {
        const mst_case *one = &chunks->cases[i];
        place p = {.format = format,
                   .record_at = record,
                   .case_at = one,
                   .field_at = &one->field,
                   .next_case_at = i + 1 < chunks->case_count ? one + 1 : NULL};
        snprintf(label, sizeof label, "%s/%u/%zu.%zu", format->information.id, record->index, index, i);
        made = visit(&p, label, field_changes, MST_COUNT_OF(field_changes), wanted);
    }
    if (!made && chunks->unknown) {
        place p = {.format = format, .record_at = record, .field_at = chunks->unknown};
        snprintf(label, sizeof label, "%s/%u/%zu.u", format->information.id, record->index, index);
        made = visit(&p, label, field_changes, MST_COUNT_OF(field_changes), wanted);
    }
    return made;
}

static bool visit_record(const mst_format *format, const mst_record *record, const char *wanted) {
    char label[96];
    place itself = {.format = format, .record_at = record};
    snprintf(label, sizeof label, "%s/%u/-", format->information.id, record->index);
    if (visit(&itself, label, record_changes, MST_COUNT_OF(record_changes), wanted))
        return true;
    if (!is_new(record->fields))
        return false;
    for (size_t i = 0; i < record->field_count; i++) {
        place p = {.format = format,
                   .record_at = record,
                   .field_at = &record->fields[i],
                   .next_at = i + 1 < record->field_count ? &record->fields[i + 1] : NULL};
        snprintf(label, sizeof label, "%s/%u/%zu", format->information.id, record->index, i);
        if (visit(&p, label, field_changes, MST_COUNT_OF(field_changes), wanted) ||
            visit_chunks(format, record, i, wanted))
            return true;
    }
    return false;
}

static bool visit_all(const char *wanted) {
    for (size_t i = 0; mst_formats[i]; i++)
        for (size_t k = 0; k < mst_formats[i]->tables.record_count; k++) {
            const mst_record *record = mst_formats[i]->tables.records[k];
            if (record && is_new(record) && visit_record(mst_formats[i], record, wanted))
                return true;
        }
    return false;
}

static void start(void) __attribute__((constructor));
static void start(void) {
    const char *wanted = getenv("MAPSTONE_MUTATE");
    if (!wanted || !*wanted)
        return;
    bool list = strcmp(wanted, "list") == 0;
    bool made = visit_all(list ? NULL : wanted);
    if (list) {
        fflush(stdout);
        _exit(0);
    }
    if (!made) {
        fprintf(stderr, "no change is called %s\n", wanted);
        _exit(125);
    }
    /* endless loops caused by a change end in time: by the driver's clock, and this */
    setrlimit(RLIMIT_AS, &(struct rlimit){(rlim_t)4 << 30, (rlim_t)4 << 30});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

/* ---- running tests in an order ------------------------------------------------------------------ */

int __real__cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t count,
                                   CMFixtureFunction setup, CMFixtureFunction teardown);
int __wrap__cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t count,
                                   CMFixtureFunction setup, CMFixtureFunction teardown);

static double milliseconds(struct timeval time) {
    return (double)time.tv_sec * 1e3 + (double)time.tv_usec / 1e3;
}

/* In a process of its own with a limit of this many milliseconds of processor time, regardless of other
 * processes. */
static void time_one(const char *group, const struct CMUnitTest *test, CMFixtureFunction setup,
                     CMFixtureFunction teardown, long longest) {
    struct rusage used;
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        struct itimerval limit = {.it_value = {longest / 1000, longest % 1000 * 1000}};
        setitimer(ITIMER_PROF, &limit, NULL);
        _exit(__real__cmocka_run_group_tests(group, test, 1, setup, teardown) ? 1 : 0);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child)
        _exit(125);
    double time = milliseconds(used.ru_utime) + milliseconds(used.ru_stime);
    bool slow = (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF) || time > (double)longest;
    dprintf(REPORT, "%s %.3f %s\n", test->name, time, slow ? "slow" : status ? "failed" : "passed");
}

int __wrap__cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t count,
                                   CMFixtureFunction setup, CMFixtureFunction teardown) {
    const char *wanted = getenv("MAPSTONE_MUTATE_TESTS");
    if (!wanted || !*wanted)
        return __real__cmocka_run_group_tests(name, tests, count, setup, teardown);
    if (strcmp(wanted, "time") == 0) {
        const char *longest = getenv("MAPSTONE_MUTATE_LONGEST");
        for (size_t i = 0; i < count; i++)
            time_one(name, &tests[i], setup, teardown, longest ? strtol(longest, NULL, 10) : 600000);
        return 0;
    }
    for (const char *at = wanted; *at;) {
        size_t length = strcspn(at, ",");
        for (size_t i = 0; i < count; i++) {
            if (strlen(tests[i].name) != length || strncmp(tests[i].name, at, length) != 0)
                continue;
            dprintf(REPORT, "%s\n", tests[i].name);
            if (__real__cmocka_run_group_tests(name, &tests[i], 1, setup, teardown) != 0)
                _exit(1);
        }
        at += length + (at[length] == ',');
    }
    return 0;
}
