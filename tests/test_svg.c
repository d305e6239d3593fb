/* SPDX-License-Identifier: MIT */
/* Maps as SVG: the positions of floors, and names that must not break the file. */
#include "picture.h"

#include <math.h>

static mst_buffer svg_of(const mst_scene *scene, const mst_picture_options *options) {
    mst_buffer text = {0};
    mst_diagnostic why;
    mst_sink sink = mst_buffer_sink(&text);
    assert_int_equal(mst_scene_write_svg(scene, options, sink, &why), MST_OK);
    assert_int_equal(sink.write(sink.user, "", 1), MST_OK); /* the end of a string */
    assert_null(strstr((const char *)text.data, "nan"));
    assert_memory_equal(text.data, "<svg ", 5);
    return text;
}

static size_t count_of(const char *text, const char *part) {
    size_t count = 0;
    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

/* The box around the numbers of the first filled path. */
static void first_area(const char *text, double low[2], double high[2]) {
    const char *at = strstr(text, "<path fill=\"#");
    assert_non_null(at);
    at = strstr(at, " d=\"");
    assert_non_null(at);
    low[0] = low[1] = 1e9;
    high[0] = high[1] = -1e9;
    for (at += 4; *at != '"';) {
        if (*at == 'Z') {
            at++;
            continue;
        }
        assert_true(*at == 'M' || *at == 'L');
        at++;
        for (int axis = 0; axis < 2; axis++) {
            char *end;
            double value = strtod(at, &end);
            assert_true(end > at);
            at = end;
            low[axis] = value < low[axis] ? value : low[axis];
            high[axis] = value > high[axis] ? value : high[axis];
        }
    }
}

static void floors_are_where_they_are(void **state) {
    (void)state;
    stage *s = begin();
    add_floor(s, -3, 2, 10, 5, 1);
    mst_picture_place place;
    mst_buffer text = svg_of(
        &s->scene, &(mst_picture_options){
                       .size = sizeof(mst_picture_options), .width = 800, .no_legend = 1, .place = &place});
    double low[2], high[2];
    first_area((const char *)text.data, low, high);
    const double origin[2] = {place.left, place.top}, from[2] = {-3, 2}, to[2] = {7, 7};
    for (int axis = 0; axis < 2; axis++) {
        assert_true(fabs((from[axis] - origin[axis]) * place.scale - low[axis]) < 0.006);
        assert_true(fabs((to[axis] - origin[axis]) * place.scale - high[axis]) < 0.006);
    }
    mst_buffer_free(&text);
    free(s);
}

/* Higher surfaces are drawn later; walls are lines, ceilings are left out. */
static void higher_floors_are_over_lower_ones(void **state) {
    (void)state;
    stage *s = begin();
    add_floor(s, 2, 2, 2, 2, 2);
    add_floor(s, 0, 0, 6, 6, 0);
    add_quad(s, V(0, 0, 0), V(6, 0, 0), V(0, 3, 0));
    add_quad(s, V(0, 3, 0), V(6, 0, 0), V(0, 0, 6));
    mst_buffer text = svg_of(
        &s->scene, &(mst_picture_options){
                       .size = sizeof(mst_picture_options), .width = 800, .no_legend = 1, .no_grid = 1});
    const char *svg = (const char *)text.data;
    assert_int_equal(count_of(svg, "<path fill=\"#"), 2);
    assert_int_equal(count_of(svg, "<path fill=\"none\""), 1);
    double low[2], high[2], width;
    first_area(svg, low, high);
    width = high[0] - low[0];
    first_area(strstr(strstr(svg, "<path fill=\"#") + 1, "<path fill=\"#"), low, high);
    assert_true(fabs(width / (high[0] - low[0]) - 3) < 0.01);
    mst_buffer_free(&text);
    free(s);
}

static void names_are_text(void **state) {
    (void)state;
    stage *s = begin();
    add_floor(s, 0, 0, 20, 20, 0);
    add_thing(s, "a<b>&\"c\"\x01", 5, 5)->label =
        "\xD0\x96\xD0\xB0 e\xCC\x81 \xFF\xED\xA0\x80 <hall> & \xEF\xBF\xBE";
    mst_buffer text =
        svg_of(&s->scene, &(mst_picture_options){.size = sizeof(mst_picture_options), .width = 1600});
    const char *svg = (const char *)text.data;
    const char *shown =
        "\xD0\x96\xD0\xB0 e\xCC\x81 \xEF\xBF\xBD\xEF\xBF\xBD &lt;hall&gt; &amp; \xEF\xBF\xBD<";
    assert_non_null(strstr(svg, ">a&lt;b&gt;&amp;\"c\"\xEF\xBF\xBD</text>"));
    assert_int_equal(count_of(svg, shown), 2); /* next to the symbol, and as its title */
    assert_null(strstr(svg, "<hall>"));
    assert_int_equal(count_of(svg, "<g><title>"), 1);
    assert_int_equal(count_of(svg, "<svg "), count_of(svg, "</svg>"));
    assert_int_equal(count_of(svg, "<text "), count_of(svg, "</text>"));
    mst_buffer_free(&text);
    free(s);
}

/* Each class has a symbol of its own, as in pictures: all shapes are used. */
static void symbols_have_shapes(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    stage *s = begin();
    add_floor(s, 0, 0, 20, 20, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        add_thing(s, names[i], 2 + 2 * (float)i, 5);
    mst_buffer text = svg_of(&s->scene, &(mst_picture_options){.size = sizeof(mst_picture_options),
                                                               .width = 800,
                                                               .no_legend = 1,
                                                               .no_grid = 1,
                                                               .transparent = 1});
    const char *svg = (const char *)text.data;
    assert_int_equal(count_of(svg, "<title>"), 8);
    assert_int_equal(count_of(svg, "<circle"), 3);      /* a disc, and a ring with its rim */
    assert_int_equal(count_of(svg, "Z\" fill=\"#"), 6); /* square, diamond, up, down, plus, cross */
    assert_int_equal(count_of(svg, "<rect"), 0);        /* no background */
    mst_buffer_free(&text);
    free(s);
}

static mst_status refuse(void *user, const void *data, size_t size) {
    (void)user, (void)data, (void)size;
    return MST_IO;
}

static void what_it_is_not_for(void **state) {
    (void)state;
    mst_diagnostic why;
    stage *s = begin();
    mst_buffer text = svg_of(&s->scene, NULL);
    assert_non_null(strstr((const char *)text.data, ">nothing to draw</text>"));
    mst_buffer_free(&text);
    add_floor(s, 0, 0, 20, 20, 0);
    mst_sink sink = mst_buffer_sink(&text);
    for (int view = MST_VIEW_OBLIQUE; view <= MST_VIEW_DIMETRIC; view++)
        assert_int_equal(mst_scene_write_svg(&s->scene,
                                             &(mst_picture_options){.size = sizeof(mst_picture_options),
                                                                    .view = (mst_view)view},
                                             sink, &why),
                         MST_ARGUMENT);
    assert_int_equal(mst_scene_write_svg(&s->scene, NULL, (mst_sink){.write = refuse}, &why), MST_IO);
    assert_int_equal(text.size, 0);
    free(s);
}

int test_svg(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floors_are_where_they_are),
        cmocka_unit_test(higher_floors_are_over_lower_ones),
        cmocka_unit_test(names_are_text),
        cmocka_unit_test(symbols_have_shapes),
        cmocka_unit_test(what_it_is_not_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
