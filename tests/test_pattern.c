/* SPDX-License-Identifier: MIT */
/* Wildcards. The expected results follow POSIX, section "Pattern Matching Notation". */
#include "../cli/inputs/pattern.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

static void test_patterns(void **state) {
    static const struct {
        const char *text, *pattern;
        bool like;
    } cases[] = {
        {"", "", true},
        {"", "*", true},
        {"", "?", false},
        {"a", "", false},
        {"NS2-CHUNK-OVERRUN", "NS2-*", true},
        {"NS2-CHUNK-OVERRUN", "*-OVERRUN", true},
        {"NS2-CHUNK-OVERRUN", "NS2-*-OVER", false},
        {"NS2-CHUNK-OVERRUN", "*CHUNK*", true},
        {"aXbXc", "a*b*c", true},
        {"aXbXc", "a*c*b", false},
        {"abababac", "*abac", true},
        {"abc", "a?c", true},
        {"ac", "a?c", false},
        {"abc", "abc*", true},
        {"abc", "**c", true},
        {"b", "[abc]", true},
        {"d", "[abc]", false},
        {"m", "[a-z]", true},
        {"M", "[a-z]", false},
        {"M", "[!a-z]", true},
        {"m", "[!a-z]", false},
        {"]", "[]]", true},
        {"a", "[!]]", true},
        {"-", "[a-]", true},
        {"[a", "[a", true},
        {"x5y", "x[0-9]y", true},
        {"a\\b", "a\\b", true},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "*a*a*a*a*a*a*a*a*a*a*b",
         false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (is_like(cases[i].text, cases[i].pattern) != cases[i].like)
            fail_msg("'%s' %s like '%s'", cases[i].text, cases[i].like ? "is" : "is not", cases[i].pattern);
}

int test_pattern(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_patterns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
