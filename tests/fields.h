/* SPDX-License-Identifier: MIT */
/*
 * Compares lists of fields, written from descriptions of the formats, with a format's published reference,
 * which is generated from its tables: every record and every field, in order, no more and no fewer.
 *
 * A list's lines:
 *   "= vertex"                        a record; "= vertex transparent", "= level archive"
 *   "smooth; u8; version >= 8; ..."   a field: its type, when it is present, and further facts of the tables
 *                                     (names of values, what it counts, ...); the last two may be missing
 *   "# 4; materials; u32 n, ..."      chunks: id, field, content, and further facts of the tables
 * "..." in the last part stands for any text.
 */
#ifndef MST_TESTS_FIELDS_H
#define MST_TESTS_FIELDS_H

#include "support.h"

typedef struct reference_text {
    char *data;
    size_t size;
} reference_text;

static inline mst_status reference_add(void *user, const void *bytes, size_t size) {
    reference_text *text = user;
    char *grown = realloc(text->data, text->size + size + 1);
    if (!grown)
        return MST_NO_MEMORY;
    memcpy(grown + text->size, bytes, size);
    text->data = grown;
    text->size += size;
    grown[text->size] = 0;
    return MST_OK;
}

static inline const mst_format_information *format_called(const char *id) {
    for (size_t i = 0; i < mst_format_count(); i++)
        if (strcmp(mst_format_at(i)->id, id) == 0)
            return mst_format_at(i);
    return NULL;
}

/* Cuts a row of a table into its cells, without the blanks around them and the backticks of a cell. */
#define CELLS 5
static inline size_t cut_row(char *line, char *cells[CELLS]) {
    size_t count = 0;
    char *at = line + 1;
    while (count < CELLS) {
        char *end = strchr(at, '|');
        if (!end || count == CELLS - 1)
            end = strrchr(at, '|');
        if (!end)
            break;
        *end = 0;
        while (*at == ' ')
            at++;
        for (char *last = end; last > at && last[-1] == ' ';)
            *--last = 0;
        if (*at == '`' && strchr(at + 1, '`') == at + strlen(at) - 1) {
            at[strlen(at) - 1] = 0;
            at++;
        }
        cells[count++] = at;
        at = end + 1;
    }
    return count;
}

/* Cuts a list's line at "; ". */
static inline size_t cut_line(const char *line, char *copy, size_t capacity, const char *parts[4]) {
    size_t count = 0;
    assert_true(strlen(line) < capacity);
    memcpy(copy, line, strlen(line) + 1);
    for (char *at = copy; count < 4;) {
        char *end = count < 3 ? strstr(at, ";") : NULL;
        if (end)
            *end = 0;
        while (*at == ' ')
            at++;
        parts[count++] = at;
        if (!end)
            break;
        at = end + 1;
    }
    for (size_t i = count; i < 4; i++)
        parts[i] = "";
    return count;
}

/* Whether notes end with the expected facts, and have no others before them. */
static inline bool notes_say(const char *notes, const char *facts) {
    static const char *const sayings[] = {"Always `",
                                          "Bytes from after the sizes",
                                          "Bytes of the last part",
                                          "In the last part.",
                                          "Nothing follows",
                                          "Negative: nothing follows",
                                          "May be missing.",
                                          "Bit 7 of every byte is set.",
                                          "Big-endian.",
                                          "Length of `",
                                          "Usually ",
                                          "Counts "};
    size_t length = strlen(notes), wanted = strlen(facts);
    size_t before = 0;
    const char *dots = strstr(facts, "...");
    if (dots) {
        char begin[128];
        size_t after = strlen(dots + 3);
        assert_true((size_t)(dots - facts) < sizeof begin);
        memcpy(begin, facts, (size_t)(dots - facts));
        begin[dots - facts] = 0;
        const char *found = strstr(notes, begin);
        if (!found || length < after || strcmp(notes + length - after, dots + 3) != 0)
            return false;
        before = (size_t)(found - notes);
    } else {
        if (length < wanted || strcmp(notes + length - wanted, facts) != 0)
            return false;
        before = length - wanted;
    }
    char words[1024];
    if (before >= sizeof words)
        return false;
    memcpy(words, notes, before);
    words[before] = 0;
    for (size_t i = 0; i < sizeof sayings / sizeof *sayings; i++)
        if (strstr(words, sayings[i]))
            return false;
    return true;
}

/* Compares, and prints the differences. */
static inline void assert_fields(const char *id, const char *const *rows, size_t count) {
    const mst_format_information *format = format_called(id);
    reference_text text = {0};
    size_t row = 0, wrong = 0;
    bool chunks = false, in_record = false;
    char copy[4096];
    const char *parts[4];
    assert_non_null(format);
    assert_int_equal(mst_write_reference(format, (mst_sink){reference_add, &text}), MST_OK);
    assert_non_null(text.data);
    for (char *line = text.data, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        if (strncmp(line, "## ", 3) == 0) {
            if (strcmp(line, "## Codes") == 0)
                break;
            in_record = true;
            chunks = false;
            char heading[160];
            const char *described = next && *next == '\n' ? next + 1 : "";
            const char *end = strchr(described, '\n');
            size_t length = end ? (size_t)(end - described) : 0;
            const char *is_inline = strstr(described, " In paths and JSON it is replaced by its field.");
            const char *archive = strstr(described, " An indexed archive; the fields are its blocks");
            snprintf(heading, sizeof heading, "= %s%s", line + 3,
                     is_inline && is_inline < described + length ? " transparent"
                     : archive && archive < described + length   ? " archive"
                                                                 : "");
            if (row >= count || strcmp(rows[row], heading) != 0) {
                print_error("%s: %s where the list has %s\n", id, heading,
                            row < count ? rows[row] : "nothing");
                wrong++;
                break;
            }
            row++;
            continue;
        }
        if (!in_record || line[0] != '|' || strncmp(line, "|---", 4) == 0 || strncmp(line, "| field", 7) == 0)
            continue;
        if (strncmp(line, "| id |", 6) == 0) {
            chunks = true;
            continue;
        }
        char *cells[CELLS] = {NULL};
        size_t cut = cut_row(line, cells);
        if (row >= count || rows[row][0] == '=') {
            print_error("%s: a field %s that the list lacks\n", id, cells[0]);
            wrong++;
            break;
        }
        bool as_wanted;
        if (chunks) {
            assert_true(rows[row][0] == '#');
            /* chunks have no unit: the facts are one cell earlier */
            cut_line(rows[row] + 1, copy, sizeof copy, parts);
            as_wanted = cut >= 4 && strcmp(cells[0], parts[0]) == 0 && strcmp(cells[1], parts[1]) == 0 &&
                        strcmp(cells[2], parts[2]) == 0 && notes_say(cells[3], parts[3]);
        } else {
            cut_line(rows[row], copy, sizeof copy, parts);
            as_wanted = cut == CELLS && strcmp(cells[0], parts[0]) == 0 && strcmp(cells[1], parts[1]) == 0 &&
                        strcmp(cells[3], parts[2]) == 0 && notes_say(cells[4], parts[3]);
        }
        if (!as_wanted) {
            print_error("%s: %s; %s; %s; %s\n   wanted: %s\n", id, cells[0], cells[1], chunks ? "" : cells[3],
                        chunks ? cells[3] : cells[4], rows[row]);
            wrong++;
        }
        row++;
    }
    if (row < count && wrong == 0) {
        print_error("%s: the list continues with %s\n", id, rows[row]);
        wrong++;
    }
    free(text.data);
    assert_int_equal(wrong, 0);
}
#define ASSERT_FIELDS(id, rows) assert_fields((id), (rows), sizeof(rows) / sizeof *(rows))

#endif
