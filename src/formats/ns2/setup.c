/* SPDX-License-Identifier: MIT */
#include "setup.h"
#include "../../core/diagnose.h"
#include "../../core/number.h"
#include <stdio.h>
#include <stdlib.h>

#if MST_WITH_XML
#include <expat.h>
#endif

typedef struct choice choice;
struct choice {
    choice *next;
    int64_t value;
};

/* What has a name. Lists are as they were read, the last first; `ordered` has their elements by name. */
typedef struct named {
    const char *name;
    size_t number; /* in the order of reading: the last one of a name counts */
} named;

typedef struct parameter parameter;
struct parameter {
    named as;
    parameter *next;
    int type; /* of properties; -1: not known */
    choice *choices;
    int64_t *ordered; /* choices */
    size_t choice_count;
};

typedef struct class class;
struct class {
    named as;
    class *next;
    const char *parent; /* "" none */
    parameter *parameters;
    const named **ordered; /* parameters */
    size_t parameter_count;
};

struct mst_ns2_setup {
    class *classes;
    const named **ordered;
    size_t class_count;
};

/* `as` is the first member of what it names. */
static const void *find_named(const named *const *list, size_t count, const char *name) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(list[middle]->name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && strcmp(list[low]->name, name) == 0 ? list[low] : NULL;
}

static const class *class_named(const mst_ns2_setup *setup, const char *name) {
    return find_named(setup->ordered, setup->class_count, name);
}

bool mst_ns2_setup_has_class(const mst_ns2_setup *setup, const char *class_name) {
    return class_named(setup, class_name) != NULL;
}

#define PARENTS 32 /* a longer chain of parents goes round in a circle */

static const parameter *parameter_of(const mst_ns2_setup *setup, const char *class_name, const char *name) {
    const class *c = class_named(setup, class_name);
    for (int depth = 0; c && depth < PARENTS; depth++) {
        const parameter *p = find_named(c->ordered, c->parameter_count, name);
        if (p)
            return p;
        c = *c->parent ? class_named(setup, c->parent) : NULL;
    }
    return NULL;
}

static int compare_numbers(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static const char *const type_names[] = {"string",     "boolean", "real", "integer",  "file",  "color",
                                         "percentage", "angle",   "time", "distance", "choice"};

mst_status mst_ns2_setup_check(const mst_ns2_setup *setup, mst_checker *checker, const char *class_name,
                               const mst_ns2_property *property, const char *path) {
    const char *name = property->text;
    if (!property->has_text || strcmp(name, "origin") == 0 || strcmp(name, "angles") == 0)
        return MST_OK;
    mst_diagnostic finding;
    memset(&finding, 0, sizeof finding);
    const parameter *known = parameter_of(setup, class_name, name);
    if (!known) {
        finding.offset = property->name_offset;
        finding.length = property->name_size;
        MST_SET(finding.path, "%s.name", path);
        MST_SET(finding.expected, "a property of %s", class_name);
        MST_SET(finding.found, "\"%s\"", name);
        return mst_checker_report(checker, "NS2-PROPERTY-UNKNOWN", &finding);
    }
    if (known->type >= 0 && (uint32_t)known->type != property->type) {
        finding.offset = property->type_offset;
        finding.length = 4;
        MST_SET(finding.path, "%s.type", path);
        MST_SET(finding.expected, "%d (%s)", known->type, type_names[known->type]);
        MST_SET(finding.found, "%u", property->type);
        return mst_checker_report(checker, "NS2-PROPERTY-UNKNOWN", &finding);
    }
    int64_t number = property->number;
    if (property->type != 10 || !known->choices || !property->has_number ||
        bsearch(&number, known->ordered, known->choice_count, sizeof number, compare_numbers))
        return MST_OK;
    finding.offset = property->value_offset;
    finding.length = property->value_size;
    MST_SET(finding.path, "%s.value", path);
    MST_SET(finding.found, "%lld", (long long)number);
    return mst_checker_report(checker, "NS2-CHOICE", &finding);
}

#if MST_WITH_XML

typedef struct reader {
    XML_Parser parser;
    mst_arena *arena;
    mst_ns2_setup *setup;
    class *now;
    parameter *parameter;
    char parent[128]; /* text inside <parent> */
    size_t parent_length;
    bool in_parent;
    bool no_memory;
} reader;

static const char *attribute(const char **attributes, const char *name) {
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return "";
}

static void *take(reader *r, size_t size) {
    void *made = mst_arena_zero(r->arena, 1, size);
    if (!made) {
        r->no_memory = true;
        XML_StopParser(r->parser, XML_FALSE);
    }
    return made;
}

static const char *keep(reader *r, const char *text) {
    char *copy = mst_arena_text(r->arena, text, strlen(text));
    if (!copy) {
        r->no_memory = true;
        XML_StopParser(r->parser, XML_FALSE);
    }
    return copy ? copy : "";
}

static int type_of(const char *name) {
    if (strcmp(name, "vector") == 0)
        return 2;
    for (size_t i = 0; i < MST_COUNT_OF(type_names); i++)
        if (strcmp(name, type_names[i]) == 0)
            return (int)i;
    return -1;
}

static void XMLCALL begin_element(void *user, const char *name, const char **attributes) {
    reader *r = user;
    if (strcmp(name, "class") == 0) {
        class *made = take(r, sizeof *made);
        if (!made)
            return;
        made->as.name = keep(r, attribute(attributes, "name"));
        made->parent = keep(r, attribute(attributes, "parent"));
        made->as.number = r->setup->class_count++;
        made->next = r->setup->classes;
        r->setup->classes = r->now = made;
    } else if (strcmp(name, "parent") == 0 && r->now) {
        r->in_parent = true;
        r->parent_length = 0;
    } else if (strcmp(name, "parameter") == 0 && r->now) {
        parameter *made = take(r, sizeof *made);
        if (!made)
            return;
        made->as.name = keep(r, attribute(attributes, "name"));
        made->type = type_of(attribute(attributes, "type"));
        made->as.number = r->now->parameter_count++;
        made->next = r->now->parameters;
        r->now->parameters = r->parameter = made;
    } else if (strcmp(name, "choice") == 0 && r->parameter) {
        const char *value = attribute(attributes, "value");
        int64_t number;
        if (!mst_read_i64(value, strlen(value), &number))
            return;
        choice *made = take(r, sizeof *made);
        if (!made)
            return;
        made->value = number;
        r->parameter->choice_count++;
        made->next = r->parameter->choices;
        r->parameter->choices = made;
    }
}

static void XMLCALL text_of_element(void *user, const char *text, int length) {
    reader *r = user;
    for (int i = 0; r->in_parent && i < length; i++)
        if (r->parent_length + 1 < sizeof r->parent && (unsigned char)text[i] > ' ')
            r->parent[r->parent_length++] = text[i];
}

static void XMLCALL end_element(void *user, const char *name) {
    reader *r = user;
    if (strcmp(name, "class") == 0) {
        r->now = NULL;
    } else if (strcmp(name, "parameter") == 0) {
        r->parameter = NULL;
    } else if (strcmp(name, "parent") == 0 && r->in_parent) {
        r->in_parent = false;
        r->parent[r->parent_length] = 0;
        if (r->now)
            r->now->parent = keep(r, r->parent);
    }
}

/* Entities are no part of these files, and a way to make much out of little: none are expanded. */
static void XMLCALL begin_doctype(void *user, const char *name, const char *system, const char *public,
                                  int own) {
    reader *r = user;
    (void)name;
    (void)system;
    (void)public;
    (void)own;
    XML_StopParser(r->parser, XML_FALSE);
}

static int compare_named(const void *a, const void *b) {
    const named *x = *(const named *const *)a, *y = *(const named *const *)b;
    int order = strcmp(x->name, y->name);
    return order ? order : x->number > y->number ? -1 : 1;
}

/* Puts everything in order, so that large schemas take no longer than others. */
static bool put_in_order(mst_ns2_setup *setup, mst_arena *arena) {
    size_t classes = 0;
    setup->ordered = mst_arena_take(arena, setup->class_count, sizeof *setup->ordered);
    if (!setup->ordered)
        return false;
    for (class *c = setup->classes; c; c = c->next) {
        size_t parameters = 0;
        setup->ordered[classes++] = &c->as;
        c->ordered = mst_arena_take(arena, c->parameter_count, sizeof *c->ordered);
        if (!c->ordered)
            return false;
        for (parameter *p = c->parameters; p; p = p->next) {
            size_t choices = 0;
            c->ordered[parameters++] = &p->as;
            p->ordered = mst_arena_take(arena, p->choice_count, sizeof *p->ordered);
            if (!p->ordered)
                return false;
            for (const choice *one = p->choices; one; one = one->next)
                p->ordered[choices++] = one->value;
            qsort(p->ordered, choices, sizeof *p->ordered, compare_numbers);
        }
        qsort(c->ordered, parameters, sizeof *c->ordered, compare_named);
    }
    qsort(setup->ordered, classes, sizeof *setup->ordered, compare_named);
    return true;
}

mst_status mst_ns2_setup_read(const char *text, size_t size, mst_arena *arena, mst_ns2_setup **setup,
                              mst_diagnostic *diagnostic) {
    reader r;
    memset(&r, 0, sizeof r);
    r.arena = arena;
    r.setup = mst_arena_zero(arena, 1, sizeof *r.setup);
    /* expat's allocation functions have no user pointer, so it takes malloc's; it frees all of it below */
    r.parser = r.setup ? XML_ParserCreate(NULL) : NULL;
    if (!r.parser)
        return mst_fail(diagnostic, MST_NO_MEMORY, "there is no memory to read the schema");
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, begin_element, end_element);
    XML_SetCharacterDataHandler(r.parser, text_of_element);
    XML_SetStartDoctypeDeclHandler(r.parser, begin_doctype);
    mst_status status = MST_OK;
    for (size_t done = 0; status == MST_OK;) {
        size_t piece = size - done < (1u << 20) ? size - done : 1u << 20;
        if (XML_Parse(r.parser, text + done, (int)piece, done + piece == size) == XML_STATUS_ERROR) {
            status = mst_fail(diagnostic, r.no_memory ? MST_NO_MEMORY : MST_ARGUMENT,
                              "line %lu of the schema: %s", (unsigned long)XML_GetCurrentLineNumber(r.parser),
                              XML_ErrorString(XML_GetErrorCode(r.parser)));
        }
        done += piece;
        if (done == size)
            break;
    }
    XML_ParserFree(r.parser);
    if (status == MST_OK && !put_in_order(r.setup, arena))
        status = mst_fail(diagnostic, MST_NO_MEMORY, "there is no memory to read the schema");
    *setup = r.setup;
    return status;
}

#else

mst_status mst_ns2_setup_read(const char *text, size_t size, mst_arena *arena, mst_ns2_setup **setup,
                              mst_diagnostic *diagnostic) {
    (void)text;
    (void)size;
    (void)arena;
    *setup = NULL;
    return mst_fail(diagnostic, MST_UNSUPPORTED, "this build of mapstone cannot read XML");
}

#endif
