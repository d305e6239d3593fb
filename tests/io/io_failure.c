/* SPDX-License-Identifier: MIT */
/*
 * Failing files: the command is run repeatedly while one system call fails, the first of its kind, the second
 * and so on, until none fails (faults.c does that). In all cases the command ends on its own with a
 * documented exit code, every file is the old one or the new one, no other files remain, and no failed
 * operation is reported as done.
 *
 *     [MAPSTONE_LONG=1] io_failure MAPSTONE LIBFAULTS [NAME-OF-A-TEST]
 */
#include "../support.h"
#include "contents.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *command, *faults;
static char top[512]; /* the project, the working directory of the tests */
static char work[512];
static unsigned runs, hit;
static bool every_request; /* for memory, in any case */
static bool longer;        /* MAPSTONE_LONG: every request for memory, and persistent failures */

/* ---- one run ----------------------------------------------------------------------------------- */

typedef struct outcome {
    int code;    /* -1: a signal */
    int signal;  /* that ended it */
    bool failed; /* the fault occurred */
    uint8_t *output;
    size_t output_size, message_size;
    contents after;
} outcome;

static void outcome_free(outcome *o) {
    free(o->output);
    contents_free(&o->after);
}

/* `call` NULL: without a fault. stdin, stdout, stderr are files outside of the directory. */
static outcome run(char *const *arguments, const char *call, unsigned n, const char *how, bool from) {
    outcome o;
    char out[600], err[600], marker[600], inside[600], number[16];
    memset(&o, 0, sizeof o);
    snprintf(out, sizeof out, "%s/out", work);
    snprintf(err, sizeof err, "%s/err", work);
    snprintf(marker, sizeof marker, "%s/mark", work);
    snprintf(inside, sizeof inside, "%s/files", work);
    snprintf(number, sizeof number, "%u", n);
    unlink(marker);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int to = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600),
            errors = open(err, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        int in = open("/dev/null", O_RDONLY);
        if (to < 0 || errors < 0 || in < 0 || dup2(in, 0) < 0 || dup2(to, 1) < 0 || dup2(errors, 2) < 0 ||
            chdir(inside) != 0)
            _exit(99);
        close(to);
        close(errors);
        close(in);
        if (call) {
            setenv("FAULT_CALL", call, 1);
            setenv("FAULT_AT", number, 1);
            setenv("FAULT_HOW", how, 1);
            setenv("FAULT_MARK", marker, 1);
            if (from)
                setenv("FAULT_FROM", "1", 1);
            setenv("LD_PRELOAD", faults, 1);
        }
        execv(command, arguments);
        _exit(98);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    o.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    o.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    o.failed = access(marker, F_OK) == 0;
    o.output = read_whole(out, &o.output_size); /* with a NUL after it */
    o.output = realloc(o.output, o.output_size + 1);
    assert_non_null(o.output);
    o.output[o.output_size] = 0;
    uint8_t *message = read_whole(err, &o.message_size);
    free(message);
    o.after = look_at(inside);
    runs++;
    hit += o.failed;
    return o;
}

/* ---- a command under every fault --------------------------------------------------------------- */

static void complain(char *const *arguments, const char *call, unsigned n, const char *how,
                     const char *what) {
    print_error("%s, %s %u of", what, how, n);
    print_error(" %s:", call);
    for (size_t i = 1; arguments[i]; i++)
        print_error(" %s", arguments[i]);
    print_error("\n");
    fail();
}

typedef struct fault {
    const char *call, *how;
} fault;

static bool ends_it(const char *how) {
    static const char *const names[] = {"KILL", "TERM", "INT", "HUP", "QUIT", "XCPU", "ALRM", "USR1", "USR2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(how, names[i]) == 0)
            return true;
    return false;
}

/* The command under each fault in sequence, given its result without faults. */
static void under(char *const *arguments, const contents *before, const outcome *peace, const fault *f,
                  bool from) {
    char inside[600];
    snprintf(inside, sizeof inside, "%s/files", work);
    bool harmless =
        strcmp(f->how, "short") == 0 ||
        (strcmp(f->how, "EINTR") == 0 && (strcmp(f->call, "read") == 0 || !strcmp(f->call, "open") ||
                                          !strcmp(f->call, "write") || !strcmp(f->call, "close")));
    /* that command reports how much memory was taken, which is less if less is available */
    bool tells_memory = strcmp(f->call, "malloc") == 0 && strcmp(arguments[1], "info") == 0;
    unsigned step = strcmp(f->call, "malloc") != 0 || longer || every_request ? 1 : 23;
    for (unsigned n = 1; n < 100000; n += step) {
        outcome o = run(arguments, f->call, n, f->how, from);
#define HOLDS(what, text)                                                                                    \
    do {                                                                                                     \
        if (!(what))                                                                                         \
            complain(arguments, f->call, n, f->how, text);                                                   \
    } while (0)
        bool failed = o.failed;
        bool same_output =
            o.output_size == peace->output_size && memcmp(o.output, peace->output, o.output_size) == 0;
        if (!failed || !ends_it(f->how)) {
            HOLDS(o.code >= 0 && o.code <= 5, "it did not end with a code of its own");
            /* a file cannot get its name, and the earlier ones cannot get theirs back: the old ones are
             * kept */
            bool no_way_back = from && failed && strcmp(f->call, "rename") == 0;
            /* with a journal that states it */
            HOLDS(o.after.temporaries <= (no_way_back ? n : 0), "a temporary file is left");
        } else {
            HOLDS(o.signal != 0, "the signal did not end it");
            HOLDS(o.after.temporaries == 0 || strcmp(f->how, "KILL") == 0, "a temporary file is left");
        }
        for (size_t i = 0; i < o.after.count; i++) {
            const entry *e = &o.after.files[i];
            HOLDS(same_entry(e, entry_of(before, e->name)) || same_entry(e, entry_of(&peace->after, e->name)),
                  "a file is neither the old one nor the new one");
        }
        for (size_t i = 0; i < before->count; i++)
            HOLDS(entry_of(&o.after, before->files[i].name), "a file is gone");
        bool all_new = same_contents(&o.after, &peace->after), all_old = same_contents(&o.after, before);
        bool in_between = n > 1 && strcmp(f->call, "rename") == 0 && (from || strcmp(f->how, "KILL") == 0);
        HOLDS(all_new || all_old || in_between, "some files are new and some are old");
        if (!failed || harmless) {
            HOLDS(o.code == peace->code && same_output && all_new, "it did another thing than ever");
        } else if (!ends_it(f->how)) {
            HOLDS(o.code != 0 || ((same_output || tells_memory) && all_new), "it says that all went well");
            HOLDS(o.code == peace->code || o.message_size || strcmp(f->call, "write") == 0 ||
                      strstr((char *)o.output, "no memory"), /* identify reports it next to the format */
                  "it does not say what was wrong");
        }
        put_back(inside, before);
        outcome_free(&o);
        if (!failed)
            return;
    }
    fail_msg("there is no end of %s", f->call);
}

static const fault every[] = {
    {"open", "EIO"},     {"open", "EMFILE"},  {"open", "EINTR"},    {"open", "EACCES"},  {"fstat", "EIO"},
    {"stat", "EIO"},     {"mmap", "ENOMEM"},  {"read", "EIO"},      {"read", "EINTR"},   {"read", "short"},
    {"pread", "EIO"},    {"opendir", "EIO"},  {"write", "EIO"},     {"write", "ENOSPC"}, {"write", "EINTR"},
    {"write", "short"},  {"fsync", "EIO"},    {"fsync", "ENOSPC"},  {"fchmod", "EIO"},   {"close", "EIO"},
    {"close", "EINTR"},  {"close", "EDQUOT"}, {"rename", "EIO"},    {"rename", "EXDEV"}, {"ftruncate", "EIO"},
    {"mkdir", "ENOSPC"}, {"link", "EPERM"},   {"access", "EACCES"}, {"readlink", "EIO"}, {"readdir", "EIO"},
};
static const fault signals[] = {
    {"write", "KILL"}, {"fsync", "KILL"}, {"close", "KILL"}, {"rename", "KILL"}, {"open", "KILL"},
    {"write", "TERM"}, {"fsync", "INT"},  {"close", "HUP"},  {"rename", "TERM"}, {"open", "INT"},
    {"write", "QUIT"}, {"write", "XCPU"}, {"close", "ALRM"}, {"rename", "USR1"}, {"rename", "USR2"},
};

static void put_zip(const char *directory) {
    static const char name[] = "a.material", text[] = "shader = \"shaders/Level.surface_shader\"\n";
    char path[700];
    writer w = {0};
    for (unsigned central = 0; central < 2; central++) {
        put_u32(&w, central ? 0x02014B50 : 0x04034B50);
        for (unsigned i = 0; i < (central ? 6 : 5); i++) /* versions, not packed, no time */
            put_u16(&w, 0);
        put_u32(&w, 0xCF3B25E8u); /* CRC-32 */
        put_u32(&w, sizeof text - 1);
        put_u32(&w, sizeof text - 1);
        put_u16(&w, sizeof name - 1);
        put_u16(&w, 0);
        for (unsigned i = 0; i < (central ? 7 : 0); i++)
            put_u16(&w, 0);
        put_bytes_of(&w, name, sizeof name - 1);
        if (!central)
            put_bytes_of(&w, text, sizeof text - 1);
    }
    put_u32(&w, 0x06054B50);
    put_u32(&w, 0);
    put_u16(&w, 1);
    put_u16(&w, 1);
    put_u32(&w, 46 + sizeof name - 1);
    put_u32(&w, 30 + sizeof name - 1 + sizeof text - 1);
    put_u16(&w, 0);
    snprintf(path, sizeof path, "%s/set.zip", directory);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(w.data, 1, w.size, file), w.size);
    fclose(file);
    writer_free(&w);
}

/* Makes the initial files of a test, listed in `with`. */
static contents begin(const char *const *with) {
    static const char *const sources[][2] = {{"small.level", "tests/fuzz/seeds/ns2_10.json"},
                                             {"small.json", "tests/fuzz/seeds/ns2_10.json"},
                                             {"large.level", "samples/outpost.json"},
                                             {"111GFX.BIN", "samples/bunker-textures.json"},
                                             {"5_3_5.DAT", "tests/fuzz/seeds/revenant_15.json"},
                                             {"MAPS.bin", "tests/fuzz/seeds/sfa_maps.json"},
                                             {"frontend.romlist.zlb", "tests/fuzz/seeds/sfa_list_zlb.json"}};
    char inside[600], from[1200];
    snprintf(inside, sizeof inside, "%s/files", work);
    contents none;
    memset(&none, 0, sizeof none);
    put_back(inside, &none);
    for (; *with; with++) {
        bool made = false;
        for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
            if (strcmp(*with, sources[i][0]) != 0)
                continue;
            snprintf(from, sizeof from, "%s/%s", top, sources[i][1]);
            char *arguments[] = {(char *)(uintptr_t) "mapstone", (char *)(uintptr_t) "convert", from,
                                 (char *)(uintptr_t) "-o",       (char *)(uintptr_t)*with,      NULL};
            outcome o = run(arguments, NULL, 0, "", false);
            assert_int_equal(o.code, 0);
            outcome_free(&o);
            made = true;
        }
        if (made)
            continue;
        uint8_t bytes[32] = {0};
        if (strcmp(*with, "set.zip") == 0) { /* of one material */
            put_zip(inside);
            continue;
        }
        snprintf(from, sizeof from, "%s/%s", inside, *with);
        if (strcmp(*with, "HITS.tab") == 0) {
            mst_store32(bytes + 4, 32, true);
            mst_store32(bytes + 8, 0xFFFFFFFF, true);
        } else if (strcmp(*with, "HITS.bin") != 0) {
            memset(bytes, 'x', sizeof bytes); /* to be replaced */
        }
        FILE *file = fopen(from, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(bytes, 1, sizeof bytes, file), sizeof bytes);
        fclose(file);
    }
    return look_at(inside);
}

/* Splits the command's arguments at blanks. */
#define LINE  256
#define WORDS 12
static void words_of(const char *line, char *words, char **arguments) {
    size_t count = 0;
    arguments[count++] = (char *)(uintptr_t) "mapstone";
    snprintf(words, LINE, "%s", line);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        assert_true(count < WORDS - 1);
        arguments[count++] = word;
    }
    arguments[count] = NULL;
}

/* Runs `line` under all faults. */
static void try_all(const char *const *with, const char *line, bool with_signals) {
    char words[LINE], *arguments[WORDS], inside[600];
    words_of(line, words, arguments);
    contents before = begin(with);
    snprintf(inside, sizeof inside, "%s/files", work);
    outcome peace = run(arguments, NULL, 0, "", false);
    assert_true(peace.code >= 0 && peace.code <= 1);
    put_back(inside, &before);
    for (size_t i = 0; i < sizeof every / sizeof *every; i++) {
        under(arguments, &before, &peace, &every[i], false);
        bool passes = strcmp(every[i].how, "EINTR") == 0 || strcmp(every[i].how, "short") == 0;
        if (!passes && (longer || !strcmp(every[i].call, "write") || !strcmp(every[i].call, "malloc")))
            under(arguments, &before, &peace, &every[i], true);
    }
    static const fault memory = {"malloc", "ENOMEM"};
    under(arguments, &before, &peace, &memory, false);
    under(arguments, &before, &peace, &memory, true);
    for (size_t i = 0; with_signals && i < sizeof signals / sizeof *signals; i++)
        under(arguments, &before, &peace, &signals[i], false);
    contents_free(&before);
    outcome_free(&peace);
}

/* ---- the commands ------------------------------------------------------------------------------ */

#define WITH(...)                                                                                            \
    (const char *const[]) {                                                                                  \
        __VA_ARGS__, NULL                                                                                    \
    }

static void test_looking(void **state) {
    (void)state;
    try_all(WITH("small.level"), "identify small.level", false);
    try_all(WITH("small.level", "5_3_5.DAT"), "info small.level 5_3_5.DAT", false);
    try_all(WITH("small.level"), "check small.level", false);
    try_all(WITH("large.level"), "get large.level mesh", false);
    try_all(WITH("small.level"), "dump small.level", false);
    try_all(WITH("small.level"), "roundtrip small.level", false);
    try_all(WITH("set.zip"), "info set.zip", false);
}

static void test_converting(void **state) {
    (void)state;
    try_all(WITH("large.level"), "convert large.level -o new.json", true);
    try_all(WITH("large.level"), "convert large.level -t json", false);
    try_all(WITH("small.level", "old.glb"), "convert small.level -o old.glb", true);
    try_all(WITH("small.level", "new.gltf"), "convert small.level -o new.gltf", true);
    try_all(WITH("small.level", "old.png"), "convert small.level -o old.png", true);
    try_all(WITH("small.level"), "render small.level -o new.png --size 200x150", false);
}

static void test_setting(void **state) {
    (void)state;
    try_all(WITH("small.level"), "set -i small.level mesh.vertices[0].position=[1,2,3]", true);
    try_all(WITH("small.level"), "set small.level mesh.vertices[0].position=[1,2,3] -o new.level", true);
    try_all(WITH("large.level", "old.level"), "set large.level -r objects[0] -o old.level", true);
    try_all(WITH("small.level"), "set small.level mesh.vertices[0].position=[1,2,3] -o -", false);
}

/* Two files: both are whole; the first may be new and the second old only between the two renames. */
static void test_pairs(void **state) {
    (void)state;
    try_all(WITH("HITS.bin", "HITS.tab"), "set -i HITS.bin blocks[0].lines[0].parameter=7", true);
    try_all(WITH("HITS.bin", "HITS.tab"), "set -i HITS.bin -r blocks[0].lines[0]", true);
    try_all(WITH("HITS.bin", "HITS.tab"), "set HITS.bin -r blocks[0].lines[0] -o NEW.bin", true);
    try_all(WITH("HITS.bin", "HITS.tab"), "convert HITS.tab -t json", false);
}

/* Files of several documents, and of none: they behave like two files of one document. */
static void test_files_that_belong_together(void **state) {
    (void)state;
    try_all(WITH("MAPS.bin", "frontend.romlist.zlb"), "set -i frontend.romlist.zlb -r objects[0]", true);
    try_all(WITH("small.level", "old.gltf", "old.bin"), "convert small.level -o old.gltf", true);
}

/* An edit that changes both files of a pair. */
#define LONGER                                                                                               \
    "set -qi HITS.bin -n "                                                                                   \
    "blocks[0].lines[1]={\"x\":[0,0],\"y\":[0,0],\"z\":[0,0],\"flags\":[],\"heights\":[0,0],"                \
    "\"type\":0,\"parameter\":0,\"unknown_12\":0}"

/* A failure while the first of two is written leaves both unchanged. */
static void test_pairs_stay_together(void **state) {
    (void)state;
    static const char *const calls[] = {"write", "fsync", "fchmod", "rename"};
    char inside[600], words[LINE], *arguments[WORDS];
    words_of(LONGER, words, arguments);
    snprintf(inside, sizeof inside, "%s/files", work);
    contents before = begin(WITH("HITS.bin", "HITS.tab"));
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
        for (unsigned n = 1; n <= 2; n++) {
            outcome o = run(arguments, calls[k], n, "EIO", false);
            assert_true(o.failed);
            assert_int_equal(o.code, 2);
            for (size_t i = 0; i < before.count; i++)
                assert_true(same_entry(&before.files[i], entry_of(&o.after, before.files[i].name)));
            assert_int_equal(o.after.count, before.count);
            assert_int_equal(o.after.temporaries, 0);
            put_back(inside, &before);
            outcome_free(&o);
        }
    contents_free(&before);
    /* no file before, no file after */
    before = begin(WITH("HITS.bin", "HITS.tab"));
    words_of("set HITS.bin -r blocks[0].lines[0] -o NEW.bin", words, arguments);
    outcome o = run(arguments, "rename", 2, "EIO", false);
    assert_true(o.failed);
    assert_int_equal(o.code, 2);
    assert_int_equal(o.after.count, 2);
    assert_int_equal(o.after.temporaries, 0);
    outcome_free(&o);
    contents_free(&before);
}

/* No second name and no way back: the first is new, the second old, and this is reported. */
static void test_no_way_back(void **state) {
    (void)state;
    static const struct {
        const char *line, *also;
        bool from; /* every rename from the second on */
        unsigned temporaries;
        const char *first, *second, *said;
    } cases[] = {
        {LONGER, NULL, true, 2, "HITS.bin", "HITS.tab",
         "HITS.bin has already been written, its old content is in .mapstone-"},
        {LONGER, "link", false, 0, "HITS.bin", "HITS.tab", "HITS.bin has already been written\n"},
        {"set HITS.bin -r blocks[0].lines[0] -o NEW.bin", "unlink", false, 2, "NEW.bin", "NEW.tab",
         "NEW.bin has already been written\n"},
    };
    char inside[600], path[700], words[LINE], *arguments[WORDS];
    snprintf(inside, sizeof inside, "%s/files", work);
    snprintf(path, sizeof path, "%s/err", work);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        contents before = begin(WITH("HITS.bin", "HITS.tab"));
        words_of(cases[i].line, words, arguments);
        outcome peace = run(arguments, NULL, 0, "", false);
        put_back(inside, &before);
        if (cases[i].also)
            setenv("FAULT_ALSO", cases[i].also, 1);
        outcome o = run(arguments, "rename", 2, "EIO", cases[i].from);
        unsetenv("FAULT_ALSO");
        size_t size;
        char *said = (char *)read_whole(path, &size);
        assert_true(o.failed);
        assert_int_equal(o.code, 2);
        assert_true(same_entry(entry_of(&o.after, cases[i].first), entry_of(&peace.after, cases[i].first)));
        const entry *second = entry_of(&before, cases[i].second);
        assert_true(second ? same_entry(entry_of(&o.after, cases[i].second), second)
                           : !entry_of(&o.after, cases[i].second));
        assert_int_equal(o.after.temporaries, cases[i].temporaries);
        assert_true(size < 400);
        said[size] = 0;
        if (!strstr(said, cases[i].said))
            fail_msg("it says: %s", said);
        if (cases[i].from) { /* the old first file under the reported name */
            char *name = strstr(said, ".mapstone-");
            name[26] = 0;
            snprintf(path, sizeof path, "%s/%s", inside, name);
            uint8_t *bytes = read_whole(path, &size);
            snprintf(path, sizeof path, "%s/err", work);
            assert_int_equal(size, entry_of(&before, cases[i].first)->size);
            assert_memory_equal(bytes, entry_of(&before, cases[i].first)->bytes, size);
            free(bytes);
        }
        free(said);
        if (cases[i].from) { /* the next one that writes there finds the journal */
            words_of("convert HITS.bin -o beside.json", words, arguments);
            outcome next = run(arguments, NULL, 0, "", false);
            assert_int_equal(next.after.temporaries, 0);
            for (size_t k = 0; k < before.count; k++)
                assert_true(same_entry(&before.files[k], entry_of(&next.after, before.files[k].name)));
            outcome_free(&next);
        }
        outcome_free(&peace);
        outcome_free(&o);
        contents_free(&before);
    }
}

#include "killed.h"

/* A group that the new file cannot get: our group has no right that only the other had. */
static void test_refused_group(void **state) {
    (void)state;
    char words[LINE], *arguments[WORDS], path[700], error_path[700];
    snprintf(path, sizeof path, "%s/files/small.level", work);
    snprintf(error_path, sizeof error_path, "%s/err", work);
    words_of("set -qi small.level mesh.vertices[0].position=[1,2,3]", words, arguments);
    contents before = begin(WITH("small.level"));
    if (chown(path, (uid_t)-1, getgid() + 34) != 0) { /* only root may */
        contents_free(&before);
        skip();
    }
    assert_int_equal(chmod(path, 0664), 0);
    setenv("FAULT_ALSO", "fchown", 1);
    outcome o = run(arguments, "mkdir", 100000, "EIO", false);
    unsetenv("FAULT_ALSO");
    struct stat now;
    size_t size;
    assert_int_equal(o.code, 0);
    assert_int_equal(stat(path, &now), 0);
    assert_int_equal(now.st_mode & 07777, 0644);
    uint8_t *said = read_whole(error_path, &size);
    assert_true(size > 30 && size < 400);
    assert_memory_equal(said, "warning: small.level: its group", 31);
    free(said);
    outcome_free(&o);
    contents_free(&before);
}

/* Another program renames its own file just after ours was found to be the one that was read. */
static void replaced_meanwhile(const char *const *with, const char *line) {
    char inside[600], path[700], words[LINE], *arguments[WORDS], message[200];
    snprintf(inside, sizeof inside, "%s/files", work);
    snprintf(message, sizeof message, "%s was changed by another program after it was read", with[0]);
    words_of(line, words, arguments);
    contents before = begin(with);
    setenv("FAULT_NAME", with[0], 1);
    outcome o = run(arguments, "flock", 1, "replaced", false);
    unsetenv("FAULT_NAME");
    snprintf(path, sizeof path, "%s/err", work);
    size_t size;
    char *said = (char *)read_whole(path, &size);
    assert_true(o.failed);
    assert_int_equal(o.code, 5);
    assert_int_equal(o.after.count, 1);
    assert_int_equal(o.after.temporaries, 0);
    assert_true(
        same_entry(&(entry){"", o.after.files[0].bytes, o.after.files[0].size}, entry_of(&before, "theirs")));
    assert_true(size > 20);
    said[size - 1] = 0;
    assert_non_null(strstr(said, message));
    free(said);
    outcome_free(&o);
    /* without locks it continues */
    put_back(inside, &before);
    o = run(arguments, "flock", 1, "ENOLCK", false);
    assert_true(o.failed);
    assert_int_equal(o.code, 0);
    outcome_free(&o);
    contents_free(&before);
}

static void test_replaced_at_the_last_moment(void **state) {
    (void)state;
    replaced_meanwhile(WITH("small.level", "theirs"),
                       "set -qi small.level mesh.vertices[0].position=[1,2,3]");
    replaced_meanwhile(WITH("small.json", "theirs"),
                       "set -qi --from json small.json mesh.vertices[0].position=[1,2,3]");
    replaced_meanwhile(WITH("small.level", "theirs"),
                       "set -qi --as-path other.level small.level mesh.vertices[0].position=[1,2,3]");
}

/* Where files cannot be mapped they are read, and where a file was not closed well it is not to be trusted.
 */
static void test_two_faults(void **state) {
    (void)state;
    static const struct {
        const char *also, *line;
        fault first;
    } cases[] = {
        {"mmap", "info set.zip", {"read", "EIO"}},
        {"mmap", "info set.zip", {"read", "EINTR"}},
        {"mmap", "info set.zip", {"read", "short"}},
        {"close", "set -qi small.level mesh.vertices[0].position=[1,2,3]", {"write", "EIO"}},
    };
    char words[LINE], *arguments[WORDS];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        contents before = begin(WITH("small.level", "set.zip"));
        words_of(cases[i].line, words, arguments);
        setenv("FAULT_ALSO", cases[i].also, 1);
        /* the result if that alone fails, as nothing is done a hundred thousand times */
        outcome peace = run(arguments, "mkdir", 100000, "EIO", false);
        char inside[600];
        snprintf(inside, sizeof inside, "%s/files", work);
        put_back(inside, &before);
        assert_int_equal(peace.code, strcmp(cases[i].also, "close") == 0 ? 2 : 0);
        under(arguments, &before, &peace, &cases[i].first, false);
        unsetenv("FAULT_ALSO");
        outcome_free(&peace);
        contents_free(&before);
    }
}

/* Memory of other libraries, which does not use our allocators: for PNG, written and read. */
static void test_memory_of_others(void **state) {
    (void)state;
    static const char *const lines[] = {"render small.level -o new.png --size 60x40 --no-legend",
                                        "set 111GFX.BIN --image page_0=page_1.png -o NEW.BIN"};
    static const fault memory = {"malloc", "ENOMEM"};
    char words[LINE], *arguments[WORDS], inside[600];
    snprintf(inside, sizeof inside, "%s/files", work);
    for (size_t i = 0; i < 2; i++) {
        contents before = begin(WITH("small.level", "111GFX.BIN"));
        if (i) {
            words_of("convert 111GFX.BIN -t png -o ./", words, arguments);
            outcome made = run(arguments, NULL, 0, "", false);
            assert_int_equal(made.code, 0);
            outcome_free(&made);
            contents_free(&before);
            before = look_at(inside);
        }
        words_of(lines[i], words, arguments);
        outcome peace = run(arguments, NULL, 0, "", false);
        assert_int_equal(peace.code, 0);
        put_back(inside, &before);
        every_request = true;
        under(arguments, &before, &peace, &memory, false);
        every_request = false;
        outcome_free(&peace);
        contents_free(&before);
    }
}

/* If the size of a file is known, nothing is read after its last byte: one read shows that it is not an
 * archive, and one is for the level. */
static void test_no_read_beyond_the_end(void **state) {
    (void)state;
    char words[LINE], *arguments[WORDS];
    words_of("dump small.level", words, arguments);
    contents before = begin(WITH("small.level"));
    assert_true(entry_of(&before, "small.level")->size < 4096);
    unsigned reads = 0;
    for (bool failed = true; failed; reads += failed) {
        outcome o = run(arguments, "read", reads + 1, "EINTR", false);
        failed = o.failed;
        outcome_free(&o);
        assert_true(reads < 10);
    }
    assert_int_equal(reads, 2);
    contents_free(&before);
}

/* A link to a name that is one character too long for us is not followed further; one that just fits is. */
static void test_longest_link(void **state) {
    (void)state;
    enum { LONGEST = 4095, DIRECTORY = 2 };
    static const char line[] = "set -q small.level mesh.vertices[0].position=[1,2,3] -o ./link",
                      name[] = "a name longer than a temporary one";
    static char content[LONGEST + 1];
    char inside[600], path[700], words[LINE], *arguments[WORDS];
    words_of(line, words, arguments);
    snprintf(inside, sizeof inside, "%s/files", work);
    snprintf(path, sizeof path, "%s/link", inside);
    for (size_t too_long = 0; too_long < 2; too_long++) {
        contents before = begin(WITH("small.level", name));
        size_t length = LONGEST - DIRECTORY + too_long; /* ".", slashes and the name */
        memset(content, '/', length);
        content[0] = '.';
        memcpy(content + length - strlen(name), name, sizeof name);
        assert_int_equal(symlink(content, path), 0);
        outcome o = run(arguments, "readlink", 2, "EINVAL", false);
        assert_int_equal(o.failed, !too_long); /* the second looks at the joined path */
        assert_int_equal(o.code, too_long ? 2 : 0);
        assert_int_equal(same_entry(entry_of(&o.after, name), entry_of(&before, name)), too_long);
        outcome_free(&o);
        contents_free(&before);
    }
}

/* If the name for the temporary file is taken, another is tried, up to a limit. And rarer errors. */
static void test_taken_names(void **state) {
    (void)state;
    static const fault taken = {"open", "EEXIST"};
    char words[LINE], *arguments[WORDS], inside[600];
    snprintf(inside, sizeof inside, "%s/files", work);
    contents before = begin(WITH("small.level"));
    words_of("set -qi small.level mesh.vertices[0].position=[1,2,3]", words, arguments);
    outcome peace = run(arguments, NULL, 0, "", false);
    put_back(inside, &before);
    under(arguments, &before, &peace, &taken, false);
    under(arguments, &before, &peace, &taken, true);
    /* an error without a text, and a file that stat() cannot inspect */
    static const fault others[] = {{"open", "unheard of"}, {"stat", "EACCES"}};
    under(arguments, &before, &peace, &others[0], false);
    under(arguments, &before, &peace, &others[1], false);
    outcome_free(&peace);
    contents_free(&before);
}

/* A signal that is ignored from the start (nohup) stays ignored; others remove temporary files, even while
 * another thread writes. */
static void test_signals(void **state) {
    (void)state;
    contents before = begin(WITH("large.level"));
    char words[LINE], *arguments[WORDS];
    words_of("convert large.level -o new.json", words, arguments);
    signal(SIGHUP, SIG_IGN);
    outcome o = run(arguments, "write", 1, "HUP", false);
    signal(SIGHUP, SIG_DFL);
    assert_true(o.failed);
    assert_int_equal(o.code, 0);
    assert_non_null(entry_of(&o.after, "new.json"));
    outcome_free(&o);
    contents_free(&before);
}

static int enter(void **state) {
    (void)state;
    const char *temporary = getenv("TMPDIR");
    char inside[600];
    longer = getenv("MAPSTONE_LONG") != NULL;
    /* a shell's background jobs ignore some; and no core is dumped */
    static const int defaults[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
        signal(defaults[i], SIG_DFL);
    if (!getcwd(top, sizeof top))
        return 1;
    if (!temporary) /* in memory, if there is such a place: thousands of files are made durable */
        temporary = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(work, sizeof work, "%s/mapstone-io-XXXXXX", temporary);
    if (!mkdtemp(work))
        return 1;
    snprintf(inside, sizeof inside, "%s/files", work);
    return mkdir(inside, 0700);
}

static int leave(void **state) {
    (void)state;
    static const char *const names[] = {"out", "err", "mark"};
    char path[600];
    contents none;
    memset(&none, 0, sizeof none);
    snprintf(path, sizeof path, "%s/files", work);
    put_back(path, &none);
    rmdir(path);
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", work, names[i]);
        unlink(path);
    }
    rmdir(work);
    print_message("# %u runs, a call failed in %u of them\n", runs, hit);
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    command = argv[1];
    faults = argv[2];
    if (argc > 3)
        cmocka_set_test_filter(argv[3]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_looking),
        cmocka_unit_test(test_converting),
        cmocka_unit_test(test_setting),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_files_that_belong_together),
        cmocka_unit_test(test_pairs_stay_together),
        cmocka_unit_test(test_no_way_back),
        cmocka_unit_test(test_killed_between_renames),
        cmocka_unit_test(test_refused_group),
        cmocka_unit_test(test_replaced_at_the_last_moment),
        cmocka_unit_test(test_two_faults),
        cmocka_unit_test(test_memory_of_others),
        cmocka_unit_test(test_longest_link),
        cmocka_unit_test(test_taken_names),
        cmocka_unit_test(test_no_read_beyond_the_end),
        cmocka_unit_test(test_signals),
    };
    return cmocka_run_group_tests_name("files that fail", tests, enter, leave);
}
