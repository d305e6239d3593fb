/* SPDX-License-Identifier: MIT */
#include "thorough.h"

mst_status stop_at_finding(void *user, const mst_diagnostic *finding) {
    stop_at *s = user;
    assert_true(s->met < s->wanted); /* not called again after it stopped the check */
    assert_string_equal(finding->code, s->all->items[s->met].code);
    assert_string_equal(finding->path, s->all->items[s->met].path);
    return ++s->met == s->wanted ? MST_STOPPED : MST_OK;
}

void assert_stops(const mst_document *document, const mst_check_options *options, const findings *all) {
    for (size_t wanted = 1; wanted <= all->count;
         wanted += wanted == 12 && all->count > 13 ? all->count - 12 : 1) {
        stop_at stop = {.wanted = wanted, .all = all};
        mst_check_result result;
        assert_int_equal(mst_check(document, options, stop_at_finding, &stop, &result, NULL), MST_STOPPED);
        assert_int_equal(stop.met, wanted);
        assert_int_equal(result.errors + result.warnings + result.information, wanted);
    }
}

void *frugal_resize(void *user, void *old, size_t old_size, size_t new_size) {
    frugal *f = user;
    bool given = f->at_ease || new_size < FRUGAL_PAGE;
    for (size_t i = 0; i < f->needed_count && !given; i++)
        given = f->needed[i] == new_size;
    if (given)
        return counted_resize(&f->memory, old, old_size, new_size);
    f->refused = new_size;
    return NULL;
}

size_t assert_refused_scenes(const mst_document *document, const mst_scene_options *with) {
    frugal f = {.refused = 0};
    mst_scene_options options = with ? *with : (mst_scene_options){.size = sizeof(mst_scene_options)};
    options.allocator = (mst_allocator){frugal_resize, &f};
    mst_scene *scene;
    mst_diagnostic why;
    size_t nodes = 0, images = 0, refused = 0;
    while (mst_scene_from_document(document, &options, &scene, &why) == MST_NO_MEMORY) {
        assert_true(f.needed_count < sizeof f.needed / sizeof *f.needed);
        f.needed[f.needed_count++] = f.refused;
        assert_int_equal(f.memory.blocks, 0);
    }
    nodes = scene->node_count;
    images = scene->image_count;
    mst_scene_free(scene);
    for (size_t fail_at = 1;; fail_at += sample_step()) {
        f.memory = (counted){.fail_at = fail_at, .for_good = fail_at % 2};
        mst_status status = mst_scene_from_document(document, &options, &scene, &why);
        assert_true(status == MST_OK || (status == MST_NO_MEMORY && f.memory.failed));
        if (status == MST_OK) {
            assert_int_equal(scene->node_count, nodes); /* a scene that needed one block less is complete */
            assert_int_equal(scene->image_count, images);
            mst_scene_free(scene);
        } else {
            assert_int_equal(why.status, MST_NO_MEMORY);
            refused++;
        }
        assert_int_equal(f.memory.blocks, 0);
        assert_false(f.memory.wrong);
        if (!f.memory.failed)
            return refused;
    }
}

size_t assert_refused_checks(const void *bytes, size_t size, const mst_check_options *options,
                             const findings *all) {
    frugal f = {.at_ease = true};
    mst_open_options open = {.size = sizeof open, .allocator = {frugal_resize, &f}};
    size_t refused = 0;
    bool learnt = false;
    for (size_t fail_at = 1;; fail_at += learnt ? sample_step() : 0) {
        mst_document *document;
        mst_diagnostic why;
        findings list = {0};
        f.at_ease = true;
        f.memory = (counted){0};
        MUST(mst_open_memory(bytes, size, &open, &document, &why), &why);
        f.at_ease = false;
        f.memory.fail_at = learnt ? f.memory.calls + fail_at : 0;
        f.memory.for_good = fail_at % 2;
        mst_status status = mst_check(document, options, collect, &list, NULL, &why);
        bool failed = f.memory.failed;
        if (!learnt) { /* learns which large blocks are indispensable */
            learnt = status == MST_OK;
            assert_true(status == MST_OK || f.needed_count < sizeof f.needed / sizeof *f.needed);
            if (status != MST_OK)
                f.needed[f.needed_count++] = f.refused;
        } else {
            assert_true(status == MST_OK || (status == MST_NO_MEMORY && failed));
            if (status == MST_OK) /* a check that needed one block less finds the same */
                assert_int_equal(list.count, all->count);
            else
                assert_int_equal(why.status, MST_NO_MEMORY);
            refused += status != MST_OK;
        }
        findings_free(&list);
        f.at_ease = true;
        mst_close(document);
        assert_int_equal(f.memory.blocks, 0);
        assert_false(f.memory.wrong);
        if (learnt && !failed && f.memory.fail_at)
            return refused;
    }
}
