/* SPDX-License-Identifier: MIT */
#include "setup.h"
#include "../../check/finding.h"
#include "../../core/json_text.h"
#include "../../core/lower_bound.h"
#include "../../core/number.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#if MST_WITH_XML
#include <expat.h>
#endif

typedef struct choice choice;
struct choice {
    choice *next;
    int64_t value;
    const char *label;
};

/* The first member of all named structures. Lists are in the order of the text, except classes and choices,
 * which are in reverse order; `ordered` has the elements by name. */
typedef struct named {
    const char *name;
    size_t number; /* in the order of reading */
} named;

typedef struct parameter parameter;
struct parameter {
    named as;
    parameter *next;
    int type;            /* of properties; -1: not known */
    bool vector;         /* three numbers */
    const char *initial; /* initial value in the editor; "": not stated */
    size_t met;          /* number of the last search that found it */
    choice *choices;
    int64_t *ordered; /* choices */
    size_t choice_count;
};

typedef struct class class;
typedef struct parent parent;
struct parent {
    parent *next; /* in the order of the text */
    const char *name;
    class *class; /* NULL: no class has that name */
};

struct class {
    named as;
    class *next;
    parent *parents, **last_parent;
    parameter *parameters, **last_parameter;
    const named **ordered; /* parameters; of duplicates, the last is first */
    size_t parameter_count;
    /* a search through the parents: the next one to visit, and the previous class */
    parent *way;
    class *below;
    size_t search; /* number of the last one that visited this class */
    /* the search for cycles: the order of visits, and the stack of open classes */
    size_t order, lowest;
    class *pending;
    bool open, circular;
    bool reported; /* its excess of ancestors was reported */
};

struct mst_ns2_setup {
    class *classes;        /* in the order of the text, reversed */
    const named **ordered; /* without duplicates */
    size_t class_count, parameter_count, searches;
};

/* `as` is the first member of the elements. */
static void *find_named(const named *const *list, size_t count, const char *name) {
    MST_LOWER_BOUND(low, middle, count, strcmp(list[middle]->name, name) < 0);
    return low < count && strcmp(list[low]->name, name) == 0 ? (void *)list[low] : NULL;
}

static class *class_named(const mst_ns2_setup *setup, const char *name) {
    return find_named(setup->ordered, setup->class_count, name);
}

bool mst_ns2_setup_has_class(const mst_ns2_setup *setup, const char *class_name) {
    return class_named(setup, class_name) != NULL;
}

const char *mst_ns2_setup_class(const mst_ns2_setup *setup, size_t index) {
    return index < setup->class_count ? setup->ordered[index]->name : NULL;
}

#define ANCESTORS 256 /* maximum number searched for a property */

/* Searches depth-first: a class's own parameters, then the parameters of its first parent and of its
 * ancestors, and so on. No class is visited twice, so cycles end. `too_many`: not all ancestors were
 * searched; `elsewhere`: some are not in this schema. */
static const parameter *parameter_of(mst_ns2_setup *setup, class *now, const char *name, bool *too_many,
                                     bool *elsewhere) {
    size_t search = ++setup->searches, visited = 0;
    class *top = NULL;
    *too_many = *elsewhere = false;
    for (;;) {
        if (now && now->search != search) {
            *too_many = visited++ > ANCESTORS;
            if (*too_many)
                return NULL;
            const parameter *found = find_named(now->ordered, now->parameter_count, name);
            if (found)
                return found;
            now->search = search;
            now->way = now->parents;
            now->below = top;
            top = now;
        }
        while (top && !top->way)
            top = top->below;
        if (!top)
            return NULL;
        now = top->way->class;
        *elsewhere = *elsewhere || !now;
        top->way = top->way->next;
    }
}

static int compare_numbers(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static const char *const type_names[] = {"string",     "boolean", "real", "integer",  "file",  "color",
                                         "percentage", "angle",   "time", "distance", "choice"};

static mst_status report(mst_checker *checker, const char *message, const class *one, const char *above) {
    mst_diagnostic *finding = mst_finding_of(checker, NULL, "%s", "");
    MST_SET(finding->message, "%s", message);
    if (above) {
        MST_SET(finding->found, "class \"%.30s\", parent \"%.30s\"", one->as.name, above);
        return mst_checker_inform(checker, "NS2-SCHEMA");
    }
    return mst_report(checker, "NS2-SCHEMA", NULL, "class \"%.60s\"", one->as.name);
}

mst_status mst_ns2_setup_report(const mst_ns2_setup *setup, mst_checker *checker) {
    mst_status status = MST_OK;
    for (size_t i = 0; i < setup->class_count && status == MST_OK; i++) {
        const class *one = (const class *)setup->ordered[i];
        for (const parent *p = one->parents; p && status == MST_OK; p = p->next)
            if (!p->class)
                status =
                    report(checker, "the parent of a class is not in this schema: it may be in the game's",
                           one, p->name);
        if (one->circular && status == MST_OK)
            status = report(checker, "a class in the schema is its own ancestor", one, NULL);
    }
    return status;
}

mst_status mst_ns2_setup_check(mst_ns2_setup *setup, mst_checker *checker, const char *class_name,
                               const mst_ns2_property *property, const char *path) {
    const char *name = property->text;
    if (!property->has_text || strcmp(name, "origin") == 0 || strcmp(name, "angles") == 0)
        return MST_OK;
    class *one = class_named(setup, class_name);
    bool too_many, elsewhere;
    const parameter *known = parameter_of(setup, one, name, &too_many, &elsewhere);
    if (too_many) {
        if (one->reported)
            return MST_OK;
        one->reported = true;
        return report(checker, "a class in the schema has too many ancestors: not all are searched", one,
                      NULL);
    }
    if (!known) {
        mst_diagnostic *finding =
            mst_finding_at(checker, property->name_offset, property->name_size, "%s.name", path);
        MST_SET(finding->expected, "a property of %s", class_name);
        MST_SET(finding->found, "\"%s\"", name);
        return elsewhere ? mst_checker_inform(checker, "NS2-PROPERTY-UNKNOWN")
                         : mst_checker_report(checker, "NS2-PROPERTY-UNKNOWN");
    }
    if (known->type >= 0 && (uint32_t)known->type != property->type) {
        mst_diagnostic *finding = mst_finding_at(checker, property->type_offset, 4, "%s.type", path);
        MST_SET(finding->expected, "%d (%s)", known->type, type_names[known->type]);
        return mst_report(checker, "NS2-PROPERTY-UNKNOWN", NULL, "%u", property->type);
    }
    int64_t number = property->number;
    if (property->type != 10 || !known->choices || !property->has_number ||
        bsearch(&number, known->ordered, known->choice_count, sizeof number, compare_numbers))
        return MST_OK;
    mst_finding_at(checker, property->value_offset, property->value_size, "%s.value", path);
    return mst_report(checker, "NS2-CHOICE", NULL, "%lld", (long long)number);
}

/* ---- new entities ----------------------------------------------------------------------------------- */

/* The class with all its ancestors, in the order in which their parameters are listed; returns the number. */
static size_t family_of(mst_ns2_setup *setup, class *now, class *family[ANCESTORS]) {
    size_t search = ++setup->searches, count = 0, visited = 0;
    class *top = NULL;
    while (now || top) {
        if (now && now->search != search && visited < ANCESTORS) {
            visited++;
            now->search = search;
            now->way = now->parents;
            now->below = top;
            top = now;
        }
        if (!top)
            break;
        now = NULL;
        if (top->way) {
            now = top->way->class;
            top->way = top->way->next;
            continue;
        }
        family[count++] = top;
        top = top->below;
    }
    return count;
}

/* Reads the number at `*text`, and skips the comma after it; 0: none. */
static double next_number(const char **text) {
    const char *end = *text + strcspn(*text, ","), *last = end;
    double number = 0;
    while (**text == ' ')
        ++*text;
    while (last > *text && last[-1] == ' ')
        last--;
    if (!mst_read_f64(*text, (size_t)(last - *text), &number) || !isfinite(number))
        number = 0;
    *text = *end ? end + 1 : end;
    return number;
}

/* A property with its initial value in the editor. Angles are in degrees in a schema. */
static const char *initial_property(const parameter *p, mst_arena *arena) {
    static const char *const types[] = {"string",     "bool",  "real", "integer",  "file_name", "color",
                                        "percentage", "angle", "time", "distance", "choice"};
    static const int texts[] = {0, 4}, whole[] = {3, 10};
    const char *name = mst_json_quoted(arena, p->as.name, strlen(p->as.name)), *value = NULL,
               *text = p->initial;
    bool is_text = p->type == texts[0] || p->type == texts[1],
         is_whole = p->type == whole[0] || p->type == whole[1];
    if (is_text)
        value = mst_json_quoted(arena, text, strlen(text));
    else if (p->type == 1)
        value = strcmp(text, "true") == 0 || strcmp(text, "1") == 0 ? "true" : "false";
    for (int i = 0; !is_text && p->type != 1 && i < (p->vector || p->type == 5 ? 3 : 1); i++) {
        char digits[MST_NUMBER_MAX + 1];
        double number = next_number(&text) * (p->type == 7 ? 3.14159265358979323846 / 180 : 1);
        digits[mst_write_f64(digits, is_whole ? floor(number) : number)] = 0;
        value = mst_arena_printf(arena, "%s%s%s", i && value ? value : "", i ? "," : "", digits);
    }
    return name && value ? mst_arena_printf(arena, "{\"name\":%s,\"type\":\"%s\",\"value\":[%s]}", name,
                                            types[p->type], value)
                         : NULL;
}

const char *mst_ns2_setup_entity(mst_ns2_setup *setup, const char *class_name, mst_arena *arena) {
    class *one = class_named(setup, class_name), **family = mst_arena_take(arena, ANCESTORS, sizeof *family);
    const char *made = "{\"properties\":[{\"name\":\"origin\",\"type\":\"distance\",\"value\":[0,0,0]},"
                       "{\"name\":\"angles\",\"type\":\"angle\",\"value\":[0,0,0]}";
    if (!one || !family)
        return NULL;
    size_t count = family_of(setup, one, family), search = ++setup->searches;
    for (size_t i = 0; i < count && made; i++)
        for (const parameter *p = family[i]->parameters; p && made; p = p->next) {
            bool too_many, elsewhere;
            parameter *known = (parameter *)parameter_of(setup, one, p->as.name, &too_many, &elsewhere);
            if (!known || known->type < 0 || known->met == search)
                continue;
            known->met = search;
            const char *property = initial_property(known, arena);
            made = property ? mst_arena_printf(arena, "%s,%s", made, property) : NULL;
        }
    return made ? mst_arena_printf(arena, "%s]}", made) : NULL;
}

const char *mst_ns2_setup_choices(mst_ns2_setup *setup, const char *class_name, const char *property,
                                  mst_arena *arena) {
    class *one = class_named(setup, class_name);
    bool too_many, elsewhere;
    const parameter *known = one ? parameter_of(setup, one, property, &too_many, &elsewhere) : NULL;
    const char *made = "]";
    for (const choice *c = known ? known->choices : NULL; c && made; c = c->next) {
        const char *label = mst_json_quoted(arena, c->label, strlen(c->label));
        made = label ? mst_arena_printf(arena, "%s[%lld,%s]%s", c->next ? "," : "", (long long)c->value,
                                        label, made)
                     : NULL;
    }
    return made ? mst_arena_printf(arena, "[%s", made) : NULL;
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

static void add_parent(reader *r, const char *name) {
    parent *made = take(r, sizeof *made);
    if (!made)
        return;
    made->name = keep(r, name);
    *r->now->last_parent = made;
    r->now->last_parent = &made->next;
}

static void XMLCALL begin_element(void *user, const char *name, const char **attributes) {
    reader *r = user;
    if (strcmp(name, "class") == 0) {
        class *made = take(r, sizeof *made);
        if (!made)
            return;
        made->as.name = keep(r, attribute(attributes, "name"));
        made->last_parent = &made->parents;
        made->last_parameter = &made->parameters;
        made->as.number = r->setup->class_count++;
        made->next = r->setup->classes;
        r->setup->classes = r->now = made;
        if (*attribute(attributes, "parent"))
            add_parent(r, attribute(attributes, "parent"));
    } else if (strcmp(name, "parent") == 0 && r->now) {
        r->in_parent = true;
        r->parent_length = 0;
    } else if (strcmp(name, "parameter") == 0 && r->now) {
        parameter *made = take(r, sizeof *made);
        if (!made)
            return;
        made->as.name = keep(r, attribute(attributes, "name"));
        made->type = type_of(attribute(attributes, "type"));
        made->vector = strcmp(attribute(attributes, "type"), "vector") == 0;
        made->initial = keep(r, attribute(attributes, "default"));
        made->as.number = r->setup->parameter_count++;
        *r->now->last_parameter = r->parameter = made;
        r->now->last_parameter = &made->next;
        r->now->parameter_count++;
    } else if (strcmp(name, "choice") == 0 && r->parameter) {
        const char *value = attribute(attributes, "value");
        int64_t number;
        if (!mst_read_i64(value, strlen(value), &number))
            return;
        choice *made = take(r, sizeof *made);
        if (!made)
            return;
        made->value = number;
        made->label = keep(r, attribute(attributes, "label"));
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
            add_parent(r, r->parent);
    }
}

/* These files have no XML entities, which can expand to any size: a DOCTYPE stops the parser. */
static void XMLCALL begin_doctype(void *user, const char *name, const char *system, const char *public,
                                  int own) {
    reader *r = user;
    (void)name;
    (void)system;
    (void)public;
    (void)own;
    XML_StopParser(r->parser, XML_FALSE);
}

static int compare_classes(const void *a, const void *b) {
    const named *x = *(const named *const *)a, *y = *(const named *const *)b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

static int compare_parameters(const void *a, const void *b) {
    const named *x = *(const named *const *)a, *y = *(const named *const *)b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->number < y->number) - (x->number > y->number);
}

/* Sorts the classes; of those with the same name the later ones are merged into the first. */
static bool sort_classes(mst_ns2_setup *setup, mst_arena *arena) {
    size_t count = 0, kept = 0;
    setup->ordered = mst_arena_take(arena, setup->class_count, sizeof *setup->ordered);
    if (!setup->ordered)
        return false;
    for (class *c = setup->classes; c; c = c->next)
        setup->ordered[count++] = &c->as;
    qsort(setup->ordered, count, sizeof *setup->ordered, compare_classes);
    for (size_t i = 0; i < count; i++) {
        class *one = (class *)setup->ordered[i], *first = kept ? (class *)setup->ordered[kept - 1] : NULL;
        if (!first || strcmp(first->as.name, one->as.name) != 0) {
            setup->ordered[kept++] = &one->as;
            continue;
        }
        *first->last_parent = one->parents;
        if (one->parents)
            first->last_parent = one->last_parent;
        *first->last_parameter = one->parameters;
        if (one->parameters)
            first->last_parameter = one->last_parameter;
        first->parameter_count += one->parameter_count;
    }
    setup->class_count = kept;
    return true;
}

static bool sort_parameters(class *c, mst_arena *arena) {
    size_t parameters = 0;
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
    qsort(c->ordered, parameters, sizeof *c->ordered, compare_parameters);
    return true;
}

/* Sorts everything by name, so that lookups are fast in large schemas as well. */
static bool sort_all(mst_ns2_setup *setup, mst_arena *arena) {
    if (!sort_classes(setup, arena))
        return false;
    for (size_t i = 0; i < setup->class_count; i++) {
        class *one = (class *)setup->ordered[i];
        if (!sort_parameters(one, arena))
            return false;
        for (parent *p = one->parents; p; p = p->next)
            p->class = class_named(setup, p->name);
    }
    return true;
}

/* Pops a complete component off the stack; if it has more than one class, they are on a cycle. */
static class *close_component(class *pending, const class *root) {
    bool alone = pending == root;
    for (;;) {
        class *one = pending;
        pending = one->pending;
        one->open = false;
        one->circular = one->circular || !alone;
        if (one == root)
            return pending;
    }
}

/* Marks the classes that are on cycles: Tarjan's strongly connected components. The result does not depend on
 * the order of the text. */
static void find_cycles(mst_ns2_setup *setup) {
    size_t met = 0;
    class *pending = NULL;
    for (size_t i = 0; i < setup->class_count; i++) {
        class *next = (class *)setup->ordered[i], *top = NULL;
        while (next || top) {
            if (next && !next->order) {
                next->order = next->lowest = ++met;
                next->way = next->parents;
                next->below = top;
                next->pending = pending;
                next->open = true;
                top = pending = next;
            } else if (next && top) {
                if (next->open && next->order < top->lowest)
                    top->lowest = next->order;
                if (next == top)
                    top->circular = true;
            }
            next = NULL;
            if (!top)
                break;
            if (top->way) {
                next = top->way->class;
                top->way = top->way->next;
                continue;
            }
            class *done = top;
            top = done->below;
            if (top && done->lowest < top->lowest)
                top->lowest = done->lowest;
            if (done->lowest == done->order)
                pending = close_component(pending, done);
        }
    }
}

mst_status mst_ns2_setup_read(const char *text, size_t size, mst_arena *arena, mst_ns2_setup **setup,
                              mst_diagnostic *diagnostic) {
    reader r;
    memset(&r, 0, sizeof r);
    r.arena = arena;
    r.setup = mst_arena_zero(arena, 1, sizeof *r.setup);
    /* expat's allocation functions have no user pointer, so it uses malloc; XML_ParserFree frees it all */
    r.parser = r.setup ? XML_ParserCreate(NULL) : NULL;
    if (!r.parser)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to read the schema");
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
    if (status == MST_OK && !sort_all(r.setup, arena))
        status = mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to read the schema");
    if (status == MST_OK)
        find_cycles(r.setup);
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
