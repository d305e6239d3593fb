/* SPDX-License-Identifier: MIT */
/* Shared by tests of documents: a byte writer, collected findings, a counting and failing allocator, the
 * corpus, and the proof that a document survives every way of writing it. */
#ifndef MST_TESTS_SUPPORT_H
#define MST_TESTS_SUPPORT_H

#include "../src/core/bytes.h"
#include "../src/core/number.h"
#include <dirent.h>
#include <mapstone/document.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- statuses ---------------------------------------------------------------------------------- */

void must(mst_status status, const mst_diagnostic *why, const char *file, int line);
/* Fails the test unless the call succeeded; `why` (may be NULL) is the diagnosis it filled in. */
#define MUST(status, why) must((status), (why), __FILE__, __LINE__)

/* ---- bytes by hand ----------------------------------------------------------------------------- */

/* A written value, and the path by which the library must find it. */
typedef enum mark_kind { MARK_SPAN = 0, MARK_NUMBER, MARK_BITS32, MARK_TEXT } mark_kind;
typedef struct mark {
    char path[120];
    size_t offset, length;
    mark_kind kind;
    uint64_t number;  /* NUMBER, BITS32 */
    const char *text; /* TEXT, UTF-8 */
} mark;

#define WRITER_DEPTH 40

typedef struct writer {
    uint8_t *data;
    size_t size, capacity;
    bool big;
    size_t open[WRITER_DEPTH]; /* offsets of the lengths of unfinished chunks */
    int depth;
    mark *marks;
    size_t mark_count, mark_capacity;
    char label[120]; /* path of the next value; "": none */
} writer;

void writer_free(writer *w);

uint8_t *put(writer *w, size_t size);

/* Sets the path of the next value. */
void at(writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

mark *put_mark(writer *w, size_t offset, size_t length, mark_kind kind);

void put_bytes_of(writer *w, const void *bytes, size_t size);
void put_number(writer *w, unsigned width, uint64_t value);
void put_u8(writer *w, uint8_t value);
void put_u16(writer *w, uint16_t value);
void put_u32(writer *w, uint32_t value);
void put_u64(writer *w, uint64_t value);
/* A float by its bits. */
void put_bits(writer *w, uint32_t bits);
void put_f32(writer *w, float value);
/* u32 length and bytes. */
void put_narrow(writer *w, const char *text);
/* u32 number of code units and UTF-16; `text` is ASCII. */
void put_wide(writer *w, const char *text);

/* A u32 length of the bytes between begin_length and end_length. */
void begin_length(writer *w);
void end_length(writer *w);
/* u32 id, u32 length, content. */
void begin_chunk(writer *w, uint32_t id);
void end_chunk(writer *w);

const mark *mark_of(const writer *w, const char *path);

/* Every written value is found by its path, at its offset. */
void assert_marks(const mst_document *document, const writer *w);

/* ---- findings ---------------------------------------------------------------------------------- */

typedef struct findings {
    mst_diagnostic *items;
    size_t count, capacity;
} findings;

mst_status collect(void *user, const mst_diagnostic *diagnostic);
void findings_free(findings *list);
void print_findings(const findings *list);
size_t count_code(const findings *list, const char *code);

/* ---- an allocator that counts, and fails on request -------------------------------------------- */

typedef struct counted {
    size_t blocks, bytes; /* not freed */
    size_t peak;          /* maximum of `bytes` */
    size_t calls;         /* that requested memory */
    size_t fail_at;       /* the call that fails, from 1 on; 0: none */
    bool for_good;        /* and all calls after it */
    bool failed;
    bool wrong; /* an old size did not match its block */
} counted;

typedef union counted_header {
    size_t size;
    uint64_t alignment[2]; /* as malloc aligns */
} counted_header;

void *counted_resize(void *user, void *old, size_t old_size, size_t new_size);
mst_allocator counted_allocator(counted *c);

/* The step of tests that try every byte: larger if they run slowly, under valgrind or emulated. */
size_t sample_step(void);

/* Skips a test of packed files in a build without zlib. */
void needs_zlib(void);

/* ---- the corpus -------------------------------------------------------------------------------- */

/* The path of a file in the corpus; false without a corpus. MAPSTONE_CORPUS replaces the defaults. */
bool corpus_path(const char *name, char *path, size_t capacity);

typedef struct corpus_list {
    char names[64][128]; /* ascending */
    size_t count;
} corpus_list;

int compare_names(const void *a, const void *b);

/* The files of a folder of the corpus with one of two extensions; false without a corpus. */
bool corpus_files(const char *folder_name, const char *ending, const char *other, corpus_list *list);

/* The content of a file, to be freed; NULL if it cannot be read. */
uint8_t *read_whole(const char *path, size_t *size);

/* A file of the corpus; skips the test without a corpus. */
uint8_t *corpus_read(const char *name, size_t *size);

/* ---- every way of writing ---------------------------------------------------------------------- */

/* Both documents have the same files. */
void assert_same_files(const mst_document *made, const mst_document *as);

/* The document's first file, for most the only one. */
void assert_same_bytes(const mst_document *document, const void *bytes, size_t size);

/* Encoded again from its values it has the same bytes. */
void assert_encodes(const mst_document *document);

void assert_ledger(const mst_document *document);

/* Its JSON makes the same bytes. */
void assert_json(const mst_document *document, int compact);

void assert_checks(const mst_document *document);

/* A sink that accepts nothing. */
mst_status refuse_bytes(void *user, const void *data, size_t size);

/* mst_describe returns this text. */
void assert_describes_beside(const mst_document *document, const char *what, const mst_resolver *sidecars,
                             const char *expected);
void assert_describes(const mst_document *document, const char *what, const char *expected);

void assert_round_trips(const mst_document *document);

/* ---- random numbers, the same everywhere ------------------------------------------------------- */

typedef struct random_state {
    uint64_t state;
} random_state;

uint32_t random_next(random_state *r);
uint32_t random_below(random_state *r, uint32_t limit);

#endif
