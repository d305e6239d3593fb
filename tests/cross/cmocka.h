/* SPDX-License-Identifier: MIT */
/*
 * A stand-in for cmocka for machines without a cmocka package in Debian: the assertions and the runner, no
 * mocks. Prints TAP like cmocka with CMOCKA_MESSAGE_OUTPUT=TAP.
 *
 * A test that fails or skips leaves its function by longjmp. WebAssembly has none: there it ends the program
 * with an exit code that identifies the test to wasi-run.mjs, which continues with the next one.
 */
#ifndef MST_TESTS_CROSS_CMOCKA_H
#define MST_TESTS_CROSS_CMOCKA_H

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __wasi__
#define SHIM_ENTER() SHIM_PASSED
#else
#include <setjmp.h>
#define SHIM_ENTER() setjmp(shim.leave)
#endif

typedef uintmax_t LargestIntegralType;
typedef int (*CMFixtureFunction)(void **state);
struct CMUnitTest {
    const char *name;
    void (*test_func)(void **state);
    CMFixtureFunction setup_func;
    CMFixtureFunction teardown_func;
    void *initial_state;
};

enum { SHIM_PASSED = 0, SHIM_FAILED = 1, SHIM_SKIPPED = 2 };

/* Of the test that runs. One for all files of a program: functions that they share also skip and fail tests.
 */
extern struct shim_state {
    size_t first;   /* tests before this one were run by an earlier instance */
    size_t current; /* counted over all groups */
    int number;     /* in the group, from 1 */
    const char *name;
#ifndef __wasi__
    jmp_buf leave;
#endif
} shim;

static void shim_result(int result) {
    if (result == SHIM_SKIPPED)
        printf("ok %d - %s # SKIP\n", shim.number, shim.name);
    else
        printf("%s %d - %s\n", result == SHIM_PASSED ? "ok" : "not ok", shim.number, shim.name);
    fflush(stdout);
}

static _Noreturn void shim_leave(int result) {
#ifdef __wasi__
    shim_result(result);
    exit((int)(0x10000u + shim.current * 4u + (unsigned)result));
#else
    longjmp(shim.leave, result);
#endif
}

static _Noreturn void shim_fail(const char *file, int line, const char *format, ...) {
    va_list arguments;
    printf("# %s:%d: ", file, line);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    shim_leave(SHIM_FAILED);
}

/* Functions that some systems lack: a test that calls one is skipped. */
#define SHIM_LACKS(type, name, ...)                                                                          \
    static _Noreturn type name(__VA_ARGS__) {                                                                \
        printf("# there is no " #name " here\n");                                                            \
        shim_leave(SHIM_SKIPPED);                                                                            \
    }

#ifdef SHIM_LACKS_LIST
SHIM_LACKS_LIST
#endif

#ifdef __wasi__
#include <sys/stat.h>
#include <sys/types.h>
SHIM_LACKS(int, chmod, const char *path, mode_t mode)
SHIM_LACKS(int, dup, int file)
SHIM_LACKS(int, dup2, int from, int to)
SHIM_LACKS(pid_t, fork, void)
SHIM_LACKS(uid_t, geteuid, void)
SHIM_LACKS(int, mkfifo, const char *path, mode_t mode)
SHIM_LACKS(int, pclose, FILE *stream)
SHIM_LACKS(int, pipe, int ends[2])
SHIM_LACKS(FILE *, popen, const char *line, const char *type)
SHIM_LACKS(mode_t, umask, mode_t mask)
SHIM_LACKS(pid_t, waitpid, pid_t pid, int *status, int options)

static char *mkdtemp(char *pattern) {
    char *digits = pattern + strlen(pattern) - 6;
    for (unsigned i = 0; i < 1000000; i++) {
        unsigned number = (i * 7919 + (unsigned)time(NULL)) % 1000000;
        for (int k = 5; k >= 0; k--, number /= 10)
            digits[k] = (char)('0' + number % 10);
        if (mkdir(pattern, 0700) == 0)
            return pattern;
    }
    return NULL;
}
#endif

static void shim_equal(uintmax_t a, uintmax_t b, int wanted, const char *file, int line) {
    if ((a == b) != wanted)
        shim_fail(file, line, "0x%jx %s 0x%jx", a, wanted ? "!=" : "==", b);
}

static void shim_true(int holds, const char *text, const char *file, int line) {
    if (!holds)
        shim_fail(file, line, "does not hold: %s", text);
}

static void shim_string(const char *a, const char *b, int wanted, const char *file, int line) {
    if ((strcmp(a, b) == 0) != wanted)
        shim_fail(file, line, "\"%s\" %s \"%s\"", a, wanted ? "!=" : "==", b);
}

static void shim_memory(const void *a, const void *b, size_t size, int wanted, const char *file, int line) {
    const unsigned char *p = a, *q = b;
    size_t i = 0;
    while (i < size && p[i] == q[i])
        i++;
    if (wanted && i < size)
        shim_fail(file, line, "byte %zu: 0x%02x != 0x%02x", i, p[i], q[i]);
    if (!wanted && i == size)
        shim_fail(file, line, "all %zu bytes are equal", size);
}

static void shim_near(double a, double b, double epsilon, int wanted, const char *file, int line) {
    if ((fabs(a - b) <= epsilon) != wanted)
        shim_fail(file, line, "%.17g %s %.17g", a, wanted ? "!=" : "==", b);
}

static void shim_range(uintmax_t value, uintmax_t low, uintmax_t high, int wanted, const char *file,
                       int line) {
    if ((value >= low && value <= high) != wanted)
        shim_fail(file, line, "%ju is %s %ju..%ju", value, wanted ? "not within" : "within", low, high);
}

static void shim_set(uintmax_t value, const uintmax_t *set, size_t count, int wanted, const char *file,
                     int line) {
    int found = 0;
    for (size_t i = 0; i < count; i++)
        found |= set[i] == value;
    if (found != wanted)
        shim_fail(file, line, "%ju is %s the set", value, wanted ? "not in" : "in");
}

#define SHIM_HERE                            __FILE__, __LINE__
#define cast_to_largest_integral_type(value) ((LargestIntegralType)(value))
#define assert_true(c)                       shim_true(!!(c), #c, SHIM_HERE)
#define assert_false(c)                      shim_true(!(c), "!(" #c ")", SHIM_HERE)
#define assert_non_null(p)                   shim_true((p) != NULL, #p " != NULL", SHIM_HERE)
#define assert_null(p)                       shim_true((p) == NULL, #p " == NULL", SHIM_HERE)
#define assert_return_code(rc, error)        shim_true((rc) >= 0, #rc " >= 0", SHIM_HERE)
#define assert_int_equal(a, b)               shim_equal((uintmax_t)(a), (uintmax_t)(b), 1, SHIM_HERE)
#define assert_int_not_equal(a, b)           shim_equal((uintmax_t)(a), (uintmax_t)(b), 0, SHIM_HERE)
#define assert_uint_equal(a, b)              assert_int_equal(a, b)
#define assert_uint_not_equal(a, b)          assert_int_not_equal(a, b)
#define assert_ptr_equal(a, b)               shim_equal((uintptr_t)(a), (uintptr_t)(b), 1, SHIM_HERE)
#define assert_ptr_not_equal(a, b)           shim_equal((uintptr_t)(a), (uintptr_t)(b), 0, SHIM_HERE)
#define assert_string_equal(a, b)            shim_string((a), (b), 1, SHIM_HERE)
#define assert_string_not_equal(a, b)        shim_string((a), (b), 0, SHIM_HERE)
#define assert_memory_equal(a, b, size)      shim_memory((a), (b), (size), 1, SHIM_HERE)
#define assert_memory_not_equal(a, b, size)  shim_memory((a), (b), (size), 0, SHIM_HERE)
#define assert_float_equal(a, b, epsilon)    shim_near((double)(a), (double)(b), (double)(epsilon), 1, SHIM_HERE)
#define assert_float_not_equal(a, b, epsilon)                                                                \
    shim_near((double)(a), (double)(b), (double)(epsilon), 0, SHIM_HERE)
#define assert_double_equal(a, b, epsilon)     assert_float_equal(a, b, epsilon)
#define assert_double_not_equal(a, b, epsilon) assert_float_not_equal(a, b, epsilon)
#define assert_in_range(value, low, high)                                                                    \
    shim_range((uintmax_t)(value), (uintmax_t)(low), (uintmax_t)(high), 1, SHIM_HERE)
#define assert_not_in_range(value, low, high)                                                                \
    shim_range((uintmax_t)(value), (uintmax_t)(low), (uintmax_t)(high), 0, SHIM_HERE)
#define assert_in_set(value, set, count)     shim_set((uintmax_t)(value), (set), (count), 1, SHIM_HERE)
#define assert_not_in_set(value, set, count) shim_set((uintmax_t)(value), (set), (count), 0, SHIM_HERE)
#define fail()                               shim_fail(SHIM_HERE, "failure")
#define fail_msg(...)                        shim_fail(SHIM_HERE, __VA_ARGS__)
#define skip()                               shim_leave(SHIM_SKIPPED)
#define print_message(...)                   ((void)printf(__VA_ARGS__))
#define print_error(...)                     ((void)printf(__VA_ARGS__))

#define cmocka_unit_test(f)                                                                                  \
    { #f, f, NULL, NULL, NULL }
#define cmocka_unit_test_setup(f, setup)                                                                     \
    { #f, f, setup, NULL, NULL }
#define cmocka_unit_test_teardown(f, teardown)                                                               \
    { #f, f, NULL, teardown, NULL }
#define cmocka_unit_test_setup_teardown(f, setup, teardown)                                                  \
    { #f, f, setup, teardown, NULL }
#define cmocka_unit_test_prestate(f, state)                                                                  \
    { #f, f, NULL, NULL, state }
#define cmocka_unit_test_prestate_setup_teardown(f, setup, teardown, state)                                  \
    { #f, f, setup, teardown, state }
#define cmocka_run_group_tests(tests, setup, teardown)                                                       \
    shim_run(#tests, tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)
#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                            \
    shim_run(name, tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)

static int shim_one(const struct CMUnitTest *test, void *group_state) {
    /* volatile: changed between setjmp and longjmp */
    void *volatile kept = test->initial_state ? test->initial_state : group_state;
    volatile int result = SHIM_PASSED;
    void *state;
    switch (SHIM_ENTER()) {
    case SHIM_PASSED:
        state = kept;
        if (test->setup_func && test->setup_func(&state) != 0)
            shim_fail(SHIM_HERE, "setup of %s", test->name);
        kept = state;
        test->test_func(&state);
        kept = state;
        break;
    case SHIM_SKIPPED: result = SHIM_SKIPPED; break;
    default: result = SHIM_FAILED; break;
    }
    if (SHIM_ENTER() != SHIM_PASSED)
        return SHIM_FAILED;
    state = kept;
    if (test->teardown_func && test->teardown_func(&state) != 0)
        shim_fail(SHIM_HERE, "teardown of %s", test->name);
    return result;
}

static int shim_run(const char *group, const struct CMUnitTest *tests, size_t count, CMFixtureFunction setup,
                    CMFixtureFunction teardown) {
    void *state = NULL;
    int failed = 0;
    size_t end = shim.current + count;
    const char *first = getenv("SHIM_FIRST");
    shim.first = first ? strtoul(first, NULL, 10) : 0;
    if (shim.first >= end) {
        shim.current = end;
        return 0;
    }
    if (shim.first <= shim.current)
        printf("1..%zu\n", count);
    if (setup && setup(&state) != 0) {
        printf("not ok 0 - %s: group setup\n", group);
        shim.current = end;
        return (int)count;
    }
    for (size_t i = 0; i < count; i++, shim.current++) {
        int result;
        if (shim.current < shim.first)
            continue;
        shim.number = (int)i + 1;
        shim.name = tests[i].name;
        result = shim_one(&tests[i], state);
        shim_result(result);
        failed += result == SHIM_FAILED;
    }
    if (teardown && teardown(&state) != 0) {
        printf("not ok 0 - %s: group teardown\n", group);
        failed++;
    }
    return failed;
}

#endif
