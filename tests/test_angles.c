/* SPDX-License-Identifier: MIT */
/* Sines and cosines that all machines agree on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../src/core/angles.h"

#define QUARTER 1.5707963267948966

static void quarter_turns_are_whole(void **state) {
    (void)state;
    static const double sines[] = {0, 1, 0, -1, 0}, cosines[] = {1, 0, -1, 0, 1};
    for (int i = 0; i < 5; i++) {
        assert_true(mst_sine(i * QUARTER) == sines[i] && !signbit(mst_sine(2 * i * QUARTER)));
        assert_true(mst_cosine(i * QUARTER) == cosines[i]);
    }
}

static void known_angles(void **state) {
    (void)state;
    assert_true(mst_sine(QUARTER / 3) == 0.5);
    assert_true(mst_cosine(QUARTER * 2 / 3) == 0.5);
    assert_true(fabs(mst_sine(1) - 0.8414709848078965) < 0x1p-44);
    assert_true(fabs(mst_cosine(-2) + 0.4161468365471424) < 0x1p-44);
}

/* Adding and subtracting the same angle leaves nothing: there are no digits that differ between machines. */
static void have_no_last_bits(void **state) {
    (void)state;
    for (int i = 0; i < 1000; i++) {
        double sine = mst_sine(i * 0.37) * 0x1p44, cosine = mst_cosine(i * 0.37) * 0x1p44;
        assert_true(sine == floor(sine) && cosine == floor(cosine));
    }
}

int test_angles(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quarter_turns_are_whole),
        cmocka_unit_test(known_angles),
        cmocka_unit_test(have_no_last_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
