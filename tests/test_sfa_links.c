/* SPDX-License-Identifier: MIT */
/* Star Fox Adventures: curves linked with points of other lists. */
#include "../src/formats/sfa/sfa_names.h"
#include "sfa_pair.h"
#include "stopping.h"

/* A curve of kind 0 (13 words) linked with `links`; 0 is none. */
static void put_curve(writer *w, uint32_t id, const uint32_t *links) {
    w->big = true;
    put_u16(w, MST_SFA_CURVE);
    put_u8(w, 13);
    memset(put(w, 17), 0, 17);
    put_u32(w, id);
    put_u32(w, 0); /* 0x18: action, kind */
    for (unsigned k = 0; k < 4; k++)
        put_u32(w, links[k] ? links[k] : 0xFFFFFFFF);
    put_u32(w, 0);
    put_u32(w, 0xFFFFFFFF); /* no game bits */
}

/* Rows of MAPS.tab: of each map seven offsets, all equal for a stub. */
static void put_row(writer *w, uint32_t from, bool stub) {
    w->big = true;
    for (uint32_t k = 0; k < 7; k++)
        put_u32(w, from + (stub ? 0 : 8 * k));
}

typedef struct set {
    writer here, other, table, broken;
    shelf beside;
} set;

/* The lists of maps 0 and 2, which link to each other; map 1 has none. */
static void begin_set(set *s) {
    memset(s, 0, sizeof *s);
    put_curve(&s->here, 0x100, (const uint32_t[]){0x101, 0x200, 0, 0});
    put_curve(&s->here, 0x101, (const uint32_t[]){0x100, 0x201, 0x201, 0});
    put_curve(&s->other, 0x200, (const uint32_t[]){0x100, 0, 0, 0});
    put_curve(&s->other, 0x201, (const uint32_t[]){0x101, 0, 0, 0});
    put_row(&s->table, 0, false);
    put_row(&s->table, 0x40, true);
    put_row(&s->table, 0x40, false);
    put_u32(&s->table, 0x80);
    put_u32(&s->table, 0xFFFFFFFF);
    memset(put(&s->table, 28), 0, 28);
    put_bytes_of(&s->broken, "ZLB\0damaged", 11);
    shelf_put(&s->beside, "frontend.romlist", s->here.data, s->here.size);
    shelf_put(&s->beside, "dragrock.romlist.bin", s->other.data, s->other.size);
    shelf_put(&s->beside, "MAPS.tab", s->table.data, s->table.size);
}
static void end_set(set *s) {
    writer_free(&s->here);
    writer_free(&s->other);
    writer_free(&s->table);
    writer_free(&s->broken);
}
/* The link to 0x201, the second of the second curve, leads to 0x2FF. */
static void lead_nowhere(set *s) {
    mst_store32(s->here.data + 52 + 0x20, 0x2FF, true);
}

static mst_document *open_list(const writer *w) {
    return open_named(w, "frontend.romlist");
}

static void check_with(const writer *w, const mst_resolver *resolver, bool information, findings *list) {
    mst_document *document = open_list(w);
    mst_check_options options = {.size = sizeof options, .information = information, .sidecars = resolver};
    mst_diagnostic why;
    memset(list, 0, sizeof *list);
    MUST(mst_check(document, &options, collect, list, NULL, &why), &why);
    mst_close(document);
}

/* One finding, at the dangling link. */
static void assert_warned(const writer *w, const mst_resolver *resolver) {
    findings list;
    check_with(w, resolver, false, &list);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].code, "SFA-ROMLIST-LINK");
    assert_string_equal(list.items[0].path, "objects[1].parameters.links[1]");
    assert_string_equal(list.items[0].found, "0x000002FF");
    assert_int_equal(list.items[0].offset, 52 + 0x20);
    assert_int_equal(list.items[0].severity, MST_WARNING);
    findings_free(&list);
}

/* No errors, but a possible one is noted. */
static void assert_noted(const writer *w, const mst_resolver *resolver, const char *path,
                         const char *lacking) {
    findings list;
    check_with(w, resolver, false, &list);
    assert_int_equal(list.count, 0);
    check_with(w, resolver, true, &list);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].code, "SFA-ROMLIST-LINK");
    assert_string_equal(list.items[0].path, path);
    assert_int_equal(list.items[0].severity, MST_INFORMATION);
    assert_memory_equal(list.items[0].expected, lacking, strlen(lacking));
    findings_free(&list);
}

static void linked_with_another_list(void **state) {
    (void)state;
    set s;
    begin_set(&s);
    mst_resolver resolver = shelf_resolver(&s.beside);
    findings list;
    check_with(&s.here, &resolver, true, &list);
    assert_int_equal(list.count, 0);
    check_with(&s.other, &resolver, true, &list);
    assert_int_equal(list.count, 0);
    lead_nowhere(&s);
    assert_warned(&s.here, &resolver);
    mst_document *document = open_list(&s.here);
    assert_stops(document, &resolver, 1);
    mst_close(document);
    end_set(&s);
}

static void lists_that_are_not_there(void **state) {
    (void)state;
    set s;
    begin_set(&s);
    mst_resolver resolver = shelf_resolver(&s.beside);
    const char *const first = "objects[0].parameters.links[1]";
    assert_noted(&s.here, NULL, first, "frontend.romlist.zlb");
    s.beside.files[1].name = "elsewhere";
    assert_noted(&s.here, &resolver, first, "dragrock.romlist.zlb");
    s.beside.files[1] = (shelf_file){"dragrock.romlist.zlb", s.broken.data, s.broken.size};
    assert_noted(&s.here, &resolver, first, "dragrock.romlist.zlb");
    /* a truncated list may have lost the target */
    s.beside.files[1] = (shelf_file){"dragrock.romlist.zlb", s.other.data, s.other.size - 1};
    assert_noted(&s.here, &resolver, "objects[1].parameters.links[1]", "dragrock.romlist.zlb");
    /* a list that belongs to no map can have the target, and may be absent */
    s.beside.files[1] = (shelf_file){"shlily.romlist.bin", s.other.data, s.other.size};
    mst_store32(s.table.data + 2 * 28 + 24, 0x40, true); /* map 2 is a stub */
    findings list;
    check_with(&s.here, &resolver, true, &list);
    assert_int_equal(list.count, 0);
    s.beside.files[1].name = "elsewhere";
    lead_nowhere(&s);
    mst_store32(s.here.data + 0x20, 0x100, true);      /* links[1] of the first: itself */
    mst_store32(s.here.data + 52 + 0x24, 0x100, true); /* links[2] of the second */
    assert_warned(&s.here, &resolver);
    /* a table that ends early names no maps after that; without one, all may have lists */
    mst_store32(s.table.data + 2 * 28 + 24, 0x80, true);
    assert_noted(&s.here, &resolver, "objects[1].parameters.links[1]", "dragrock.romlist.zlb");
    s.beside.files[2].size = 2 * 28 + 24;
    assert_warned(&s.here, &resolver);
    s.beside.files[2].name = "elsewhere";
    assert_noted(&s.here, &resolver, "objects[1].parameters.links[1]", "frontend2.romlist.zlb");
    end_set(&s);
}

/* Finds every list, with the same objects, and nothing else. */
static mst_status find_any_list(void *user, const char *name, const void **bytes, size_t *size) {
    const writer *w = user;
    size_t length = strlen(name);
    if (length < 12 || strcmp(name + length - 12, ".romlist.zlb") != 0)
        return MST_NO_PATH;
    *bytes = w->data;
    *size = w->size;
    return MST_OK;
}

static void all_lists_of_the_game(void **state) {
    (void)state;
    set s;
    begin_set(&s);
    mst_resolver resolver = {.find = find_any_list, .user = &s.other};
    findings list;
    check_with(&s.here, &resolver, true, &list);
    assert_int_equal(list.count, 0);
    lead_nowhere(&s);
    mst_store32(s.here.data + 52 + 0x24, 0x200, true);
    assert_warned(&s.here, &resolver);
    end_set(&s);
}

static void names_of_lists(void **state) {
    (void)state;
    assert_string_equal(mst_sfa_list_at(0), "frontend");
    assert_string_equal(mst_sfa_list_at(116), "vfppushblock");
    assert_string_equal(mst_sfa_list_at(117), "cfledge");
    assert_string_equal(mst_sfa_list_at(123), "shlily");
    assert_null(mst_sfa_list_at(124));
}

static void too_little_memory(void **state) {
    (void)state;
    set s;
    begin_set(&s);
    lead_nowhere(&s);
    mst_resolver resolver = shelf_resolver(&s.beside);
    const mst_open_options how = {.size = sizeof how, .name = "frontend.romlist"};
    assert_check_without_memory(s.here.data, s.here.size, &how, &resolver);
    /* as many curves as need blocks of memory of their own; the last links to nothing */
    for (uint32_t id = 0x1000; id < 0x1000 + 3000; id++)
        put_curve(&s.here, id, (const uint32_t[]){id + 1, 0x100, 0x101, id - 1});
    assert_check_without_memory(s.here.data, s.here.size, &how, NULL);
    end_set(&s);
}

int test_sfa_links(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linked_with_another_list), cmocka_unit_test(lists_that_are_not_there),
        cmocka_unit_test(all_lists_of_the_game),    cmocka_unit_test(names_of_lists),
        cmocka_unit_test(too_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
