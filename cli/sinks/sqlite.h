/* SPDX-License-Identifier: MIT */
/*
 * The functions of SQLite that database.c calls. The program is linked with them, or loads the library when
 * it writes the first database: loading takes longer than the rest of the command's start. The types are
 * repeated here; sqlite.c compares them with <sqlite3.h>.
 */
#ifndef CLI_SINKS_SQLITE_H
#define CLI_SINKS_SQLITE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

/* clang-format off */
#define SQLITE_FUNCTIONS(FUNCTION)                                                                          \
    FUNCTION(int, open, (const char *, sqlite3 **))                                                         \
    FUNCTION(int, close, (sqlite3 *))                                                                       \
    FUNCTION(int, exec, (sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *, char **)) \
    FUNCTION(const char *, errmsg, (sqlite3 *))                                                             \
    FUNCTION(int, prepare_v3, (sqlite3 *, const char *, int, unsigned int, sqlite3_stmt **, const char **)) \
    FUNCTION(int, bind_null, (sqlite3_stmt *, int))                                                         \
    FUNCTION(int, bind_int64, (sqlite3_stmt *, int, sqlite3_int64))                                         \
    FUNCTION(int, bind_double, (sqlite3_stmt *, int, double))                                               \
    FUNCTION(int, bind_text64, (sqlite3_stmt *, int, const char *, sqlite3_uint64, void (*)(void *), unsigned char)) \
    FUNCTION(int, step, (sqlite3_stmt *))                                                                   \
    FUNCTION(int, reset, (sqlite3_stmt *))                                                                  \
    FUNCTION(int, finalize, (sqlite3_stmt *))                                                               \
    FUNCTION(const unsigned char *, column_text, (sqlite3_stmt *, int))                                     \
    FUNCTION(sqlite3_int64, column_int64, (sqlite3_stmt *, int))
/* clang-format on */

#define SQLITE_MEMBER(type, name, arguments) type(*name) arguments;
typedef struct sqlite_functions {
    SQLITE_FUNCTIONS(SQLITE_MEMBER)
} sqlite_functions;
#undef SQLITE_MEMBER

/* Sets all functions. If not, `why` states what is missing and what to install. */
bool sqlite_load(sqlite_functions *functions, char *why, size_t capacity);

#endif
