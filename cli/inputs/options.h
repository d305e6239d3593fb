/* SPDX-License-Identifier: MIT */
/*
 * Commands and their options as tables, which define the parser of the command line, the help, the manual
 * page and shell completions.
 */
#ifndef CLI_INPUTS_OPTIONS_H
#define CLI_INPUTS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum option_id {
    OPTION_NONE = 0, /* an operand; also the end of a table */
    OPTION_HELP,
    OPTION_COLOR,
    OPTION_QUIET,
    OPTION_FROM,
    OPTION_AS_PATH,
    OPTION_MEMBER_LIMIT,
    OPTION_INPUT_LIMIT,
    OPTION_GROWTH_LIMIT,
    OPTION_MEMORY_LIMIT,
    OPTION_NO_MMAP,
    OPTION_SALVAGE,
    OPTION_INTERLEAVED,
    OPTION_SEARCH_PATH,
    OPTION_GAME,
    OPTION_TO,
    OPTION_OUTPUT,
    OPTION_JOBS,
    OPTION_PROGRESS,
    OPTION_JSON,
    OPTION_ALL,
    OPTION_CHECK,
    OPTION_IN_PLACE,
    OPTION_BACKUP,
    OPTION_REMOVE,
    OPTION_INSERT,
    OPTION_OFFSETS,
    OPTION_AT,
    OPTION_HEX,
    OPTION_UNPACKED,
    OPTION_DEPTH,
    OPTION_RAW,
    OPTION_STRICT,
    OPTION_INFORMATION,
    OPTION_SCHEMA,
    OPTION_CODES,
    OPTION_ONLY,
    OPTION_HIDE,
    OPTION_IGNORE,
    OPTION_BASELINE,
    OPTION_WRITE_BASELINE,
    OPTION_COMPACT,
    OPTION_PATH,
    OPTION_EMBED,
    OPTION_EXTERNAL,
    OPTION_LENIENT,
    OPTION_BYTE_ORDER,
    OPTION_TO_VERSION,
    OPTION_ALLOW_LOSS,
    OPTION_SELECT,
    OPTION_PASTE,
    OPTION_IMAGE,
    OPTION_REHASH,
    OPTION_REFILE,
    OPTION_EACH,
    OPTION_CASCADE,
    OPTION_KEEP_LOOSE,
    OPTION_DRAG,
    OPTION_WORLD_TEXTURE,
    OPTION_KEEP_NAMES,
    OPTION_KEEP_REFERENCES,
    OPTION_UNDO,
    OPTION_FORCE,
    OPTION_TEMPLATE,
    OPTION_EXPRESSION,
    OPTION_SCRIPT,
    OPTION_DRY_RUN,
    OPTION_TRIGGERS,
    OPTION_RECTANGLES,
    OPTION_ASSETS,
    OPTION_LIGHTS,
    OPTION_WITH_HIDDEN,
    OPTION_COLLISION,
    OPTION_NO_EXTRAS,
    OPTION_NO_MARKERS,
    OPTION_SPLIT_LAYERS,
    OPTION_NO_TEXTURES,
    OPTION_MAX_TEXTURE,
    OPTION_MIP,
    OPTION_LEVEL,
    OPTION_PREFER,
    OPTION_MAP,
    OPTION_WORLD,
    OPTION_MAPS,
    OPTION_SUMMARY,
    OPTION_ROWS,
    OPTION_LISTS,
    OPTION_CSV,
    OPTION_CSV_SAFE,
    OPTION_COLUMNS,
    OPTION_WHERE,
    OPTION_VIEW,
    OPTION_OBLIQUE,
    OPTION_LAYERS,
    OPTION_SIZE,
    OPTION_BACKGROUND,
    OPTION_NO_ENTITIES,
    OPTION_NO_LEGEND,
    OPTION_NO_GRID,
    OPTION_LABELS,
    OPTION_NO_LABELS,
    OPTION_LINKS,
    OPTION_NO_LINKS,
    OPTION_TAGS,
    OPTION_MARKS,
    OPTION_HEIGHTS,
    OPTION_LIT,
    OPTION_CUT,
    OPTION_NO_CEILINGS,
    OPTION_SPECULAR,
    OPTION_SHEET,
    OPTION_AREA,
    OPTION_AMBIENT,
    OPTION_NO_MODELS,
    OPTION_TILES,
    OPTION_OVERVIEW,
    OPTION_YAW,
    OPTION_PITCH,
    OPTION_JSON_TOO,
    OPTION_MAN,
    OPTION_COMPLETION,
    OPTION_STAT,
    OPTION_VIEW_STATE,
    OPTION_PATCH,
    OPTION_WITH_DATA,
    OPTION_REVERSE,
    OPTION_PREFER_SIDE,
    OPTION_CONFLICTS,
    OPTION_GIT,
    OPTION_TEXTCONV,
    OPTION_PRINT,
    OPTION_PAGE,
    OPTION_PARTIAL,
    OPTION_PNG,
    OPTION_TOGETHER,
    OPTION_MARK,
    OPTION_FUZZ,
    OPTION_EXACT,
    OPTION_AS,
    OPTION_NO_HISTORY,
    OPTION_OURS,
    OPTION_THEIRS,
    OPTION_VALUE,
    OPTION_ASK,
    OPTION_ADD,
    OPTION_FOR_EDITING,
    OPTION_ONTO,
    OPTION_BASE,
    OPTION_TRIANGLES,
    OPTION_OWN_UNITS,
    OPTION_RELATION,
    OPTION_WIDE,
    OPTION_LONG,
    OPTION_UPDATE,
    OPTION_PARTITION_BY,
    OPTION_SHARD,
    OPTION_FILES0_FROM,
    OPTION_COUNT
} option_id;

typedef struct option_row {
    option_id id;
    char letter;          /* 0: none */
    const char *name;     /* without the dashes */
    const char *argument; /* name of its argument, "FILE"; NULL: none */
    const char *values;   /* the words it accepts, separated by spaces; NULL: anything */
    const char *help;     /* one line, no full stop */
} option_row;

/* Rows that several commands share. */
#define OPTION_ROW_COMMON                                                                                    \
    {OPTION_COLOR, 0, "color", "WHEN", "auto always never", "colours: auto (a terminal), always or never"},  \
        {OPTION_HELP, 'h', "help", NULL, NULL, "show this help"}, {                                          \
        OPTION_NONE, 0, NULL, NULL, NULL, NULL                                                               \
    }
#define OPTION_ROW_GROWTH                                                                                    \
    {                                                                                                        \
        OPTION_GROWTH_LIMIT, 0, "growth-limit", "SIZE", NULL,                                                \
            "the maximum size of the edited level, such as 2G (default: 64 times its size, at least 64M)"    \
    }
#define OPTION_ROW_MEMORY                                                                                    \
    {                                                                                                        \
        OPTION_MEMORY_LIMIT, 0, "memory-limit", "SIZE", NULL,                                                \
            "the maximum memory for a file, such as 2G (default: 64 times its size, and 64M)"                \
    }
#define OPTION_ROW_HISTORY                                                                                   \
    { OPTION_NO_HISTORY, 0, "no-history", NULL, NULL, "do not remember the change for 'mapstone undo'" }
/* How inputs are read. */
#define OPTION_ROW_READING                                                                                   \
    {OPTION_INPUT_LIMIT,                                                                                     \
     0,                                                                                                      \
     "input-limit",                                                                                          \
     "SIZE",                                                                                                 \
     NULL,                                                                                                   \
     "the maximum size of an input from stdin, a pipe or a device, such as 64M (default: 4G)"},              \
        {OPTION_MEMBER_LIMIT,                                                                                \
         0,                                                                                                  \
         "member-limit",                                                                                     \
         "SIZE",                                                                                             \
         NULL,                                                                                               \
         "the maximum unpacked size of a member of an archive, such as 64M or 2G (default: 1G, and 200 "     \
         "times its compressed size)"},                                                                      \
    {                                                                                                        \
        OPTION_NO_MMAP, 0, "no-mmap", NULL, NULL,                                                            \
            "read files instead of mapping them, for files that other programs may change meanwhile"         \
    }
#define OPTION_ROW_AS_PATH                                                                                   \
    OPTION_ROW_READING, {                                                                                    \
        OPTION_AS_PATH, 0, "as-path", "PATH", NULL,                                                          \
            "the original name of the input, for formats that depend on it"                                  \
    }
#define OPTION_ROW_FROM                                                                                      \
    {OPTION_FROM, 'f', "from", "FORMAT", NULL, "the input's format, or json (default: recognised)"},         \
        OPTION_ROW_AS_PATH
#define OPTION_ROW_SALVAGE                                                                                   \
    {                                                                                                        \
        OPTION_SALVAGE, 0, "salvage", NULL, NULL,                                                            \
            "open a damaged file as far as its format allows; still exits with 4"                            \
    }
#define OPTION_ROW_SEARCH_PATH                                                                               \
    {OPTION_SEARCH_PATH,                                                                                     \
     0,                                                                                                      \
     "search-path",                                                                                          \
     "DIR",                                                                                                  \
     NULL,                                                                                                   \
     "also look for files that belong to a level in DIR, such as the root of a game or an archive; may be "  \
     "repeated"},                                                                                            \
    {                                                                                                        \
        OPTION_GAME, 0, "game", "NAME", NULL,                                                                \
            "also look in the folders that 'mapstone game add NAME' remembered; may be repeated"             \
    }
#define OPTION_ROW_TEXTURES                                                                                  \
    {OPTION_NO_TEXTURES, 0, "no-textures", NULL, NULL, "colours in place of the game's textures"}, {         \
        OPTION_MAX_TEXTURE, 0, "max-texture", "N", NULL,                                                     \
            "textures of at most N x N pixels, by their smaller levels"                                      \
    }
#define OPTION_ROW_CLASSES                                                                                   \
    {OPTION_ONLY,                                                                                            \
     0,                                                                                                      \
     "only",                                                                                                 \
     "CLASS,...",                                                                                            \
     NULL,                                                                                                   \
     "only entities, lights and cameras of these classes; * and ? are wildcards; may be repeated"},          \
    {                                                                                                        \
        OPTION_HIDE, 0, "hide", "CLASS,...", NULL,                                                           \
            "no entities of these classes; lights and cameras without a class are 'light' and 'camera'"      \
    }
#define OPTION_ROW_MAP                                                                                       \
    {OPTION_MAP, 0, "map", "NAME", NULL, "one map of a file with several, by name or number"}, {             \
        OPTION_WORLD, 0, "world", NULL, NULL, "all maps of such a file, at their positions (default)"        \
    }
#define OPTION_ROW_LEVEL                                                                                     \
    {OPTION_LEVEL, 0, "level", "N", NULL, "the sectors of level N (files called N_X_Y) as one level"}, {     \
        OPTION_PREFER, 0, "prefer", "DIR", NULL,                                                             \
            "use the sectors in DIR if some occur twice; may be repeated, the first takes precedence"        \
    }
#define OPTION_ROW_BACKUP                                                                                    \
    { OPTION_BACKUP, 0, "backup", NULL, NULL, "with -i: keep the old content as FILE~" }
#define OPTION_ROW_QUIET(help)                                                                               \
    { OPTION_QUIET, 'q', "quiet", NULL, NULL, help }
#define OPTION_ROW_JSON(help)                                                                                \
    { OPTION_JSON, 0, "json", NULL, NULL, help }
#define OPTION_ROW_BATCH                                                                                     \
    {OPTION_JOBS, 'j', "jobs", "N", NULL, "process N files at a time; 0: one per processor (default: 1)"}, { \
        OPTION_PROGRESS, 0, "progress", "HOW", "auto json none",                                             \
            "progress on stderr: auto (a terminal), json lines or none"                                      \
    }
#define OPTION_ROW_OUTPUT_DATA OPTION_ROW_OUTPUT("write to FILE (default: -, stdout)")
#define OPTION_ROW_OUTPUT(help)                                                                              \
    { OPTION_OUTPUT, 'o', "output", "FILE", NULL, help }

/* Two options that exclude each other; OPTION_NONE ends a table. */
typedef struct option_pair {
    option_id one, other;
} option_pair;

struct options;

typedef struct command {
    const char *name;
    const char *operands;    /* "FILE..." */
    const char *summary;     /* one line, no full stop */
    const char *description; /* paragraphs, separated by an empty line */
    const option_row *options;
    const char *examples; /* one per line */
    int (*run)(const struct options *options);
    const option_pair *clashes; /* the first has no effect with the second; NULL: there are none */
    bool (*accepts)(int argc, char **argv); /* before parsing; false, with a message, to refuse; NULL: yes */
    bool output_is_stdout;                  /* main.c redirects stdout to the file given by -o ... */
    bool (*keeps_output)(const struct options *options); /* ... unless this is true; NULL: it never is */
} command;

/* All commands in the order of the help; NULL after the last (main.c). */
extern const command *const command_table[];

/* The candidate most similar to a misspelt name. */
typedef struct nearest {
    const char *wanted, *name; /* NULL: none is similar */
    unsigned distance;
} nearest;
void nearest_consider(nearest *so_far, const char *candidate);

const command *command_find(const char *name);
/* The command most similar to a misspelt name; NULL: none. */
const char *command_nearest(const char *name);

typedef struct argument {
    option_id id; /* OPTION_NONE: an operand */
    const char *value;
} argument;

typedef struct options {
    const command *command;
    const char *value[OPTION_COUNT]; /* the last one given; "" if it takes none; NULL: not given */
    argument *arguments;             /* everything, in the order given */
    size_t argument_count, capacity;
    const char **operands;
    size_t operand_count;
    bool among;   /* the operand is one of several inputs: its name is the heading of its output */
    char **owned; /* values of arguments that were not on the command line */
    size_t owned_count;
} options;

/* Parses the arguments (argv[0] is the command's name). False, with a message, if they are invalid. Free with
 * options_free in any case. */
bool options_parse(options *result, const command *of, int argc, char **argv);
void options_free(options *result);

static inline bool options_has(const options *given, option_id id) {
    return given->value[id] != NULL;
}

/* The number given to an option; false, with a message, if it is not a number or out of range. Not given:
 * unchanged. */
bool options_number(const options *given, option_id id, double minimum, double maximum, double *number);

/* A positive number of bytes, with K, M or G for 2^10, 2^20 or 2^30; false, with a message, if it is invalid.
 * Not given: unchanged. */
bool options_size(const options *given, option_id id, uint64_t *size);

/* True, with a message that it has no effect with `what`, if the option is given. */
bool options_idle(const options *given, option_id id, const char *what);

/* Reports wrong usage, with "Try 'mapstone help CMD'."; returns the exit code. */
int options_usage(const options *given, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Splits a copy of `text` at commas; NULL after the last. Free with split_free. */
char **split_commas(const char *text, size_t *count);
void split_free(char **parts);

#endif
