/* SPDX-License-Identifier: MIT */
#include "many_files.h"
#include "../../src/level/sources.h"
#include "claims.h"
#include "threads.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AHEAD_MAX 64 /* files that may be finished before their turn; bounds memory */

typedef struct batch_private {
    job *jobs;   /* a ring of AHEAD_MAX */
    size_t next; /* the next job to start */
    size_t turn; /* the job whose output is written now */
    bool stopping;
    claims written;
    bool *found; /* by operand: a file of a known format */
    enum { PROGRESS_NONE, PROGRESS_LINE, PROGRESS_JSON } progress;
    bool shown;         /* a progress line is on the terminal */
    double begun, last; /* seconds: start of the work, and time of the last progress report */
    lock lock;
    bell moved; /* `turn` advanced */
} batch_private;

/* ---- progress ------------------------------------------------------------------------------------- */

#define PROGRESS_STEP 0.1 /* minimum seconds between two lines */

static void progress_clear(batch *all) {
    if (all->inside->shown) {
        all->inside->shown = false;
        stream line = stream_stderr();
        put_text(&line, "\r\033[K");
        stream_free(&line);
    }
}

static void progress_show(batch *all, const job *work) {
    batch_private *inside = all->inside;
    size_t done = work->index + 1, total = all->inputs->count;
    double now = inside->progress == PROGRESS_NONE ? 0 : system_seconds(), passed = now - inside->begun;
    /* JSON always includes the last file and every failure */
    bool wanted = inside->progress == PROGRESS_JSON && (done == total || work->code != EXIT_YES);
    if (inside->progress == PROGRESS_NONE || (!wanted && now - inside->last < PROGRESS_STEP))
        return;
    inside->last = now;
    double rate = passed > 0 ? (double)done / passed : 0, left = rate > 0 ? (double)(total - done) / rate : 0;
    stream line = stream_stderr();
    if (inside->progress == PROGRESS_JSON) {
        put_text(&line, "{");
        print(&line, "\"done\":%zu,\"total\":%zu,", done, total);
        put_text(&line, "\"file\":");
        put_json_string(&line, work->input->path, strlen(work->input->path));
        print(&line, ",\"code\":%d,\"skipped\":%s,\"files_per_second\":%.1f,\"seconds_left\":%.0f}\n",
              work->code, work->skipped ? "true" : "false", rate, left);
    } else if (done < total) {
        unsigned long seconds = (unsigned long)(left + 0.5);
        print(&line, "\r\033[K[%zu/%zu] %.*f/s, %lu:%02lu left ", done, total, rate < 10, rate, seconds / 60,
              seconds % 60);
        put_visible(&line, base_name(work->input->path));
        inside->shown = true;
    }
    stream_free(&line);
}

static void progress_choose(batch *all) {
    const char *how = all->given->value[OPTION_PROGRESS];
    if (how && !strcmp(how, "json"))
        all->inside->progress = PROGRESS_JSON;
    else if (how && !strcmp(how, "none"))
        all->inside->progress = PROGRESS_NONE;
    else if (system_is_terminal(2) && all->inputs->count > 1)
        all->inside->progress = PROGRESS_LINE;
}

/* ---- work ----------------------------------------------------------------------------------------- */

static bool has_turn(void *user) {
    job *work = user;
    lock_take(&work->batch->inside->lock);
    bool yes = work->batch->inside->turn == work->index;
    if (yes)
        progress_clear(work->batch);
    lock_give(&work->batch->inside->lock);
    return yes;
}

/* Writes the output of finished jobs, in order. The lock is held. */
static void hand_on(batch *all) {
    batch_private *inside = all->inside;
    while (inside->turn < inside->next && inside->jobs[inside->turn % AHEAD_MAX].finished) {
        job *work = &inside->jobs[inside->turn % AHEAD_MAX];
        work->out.may_write = work->errors.may_write = NULL;
        if (all->done)
            all->done(work);
        if (work->out.size || work->errors.size)
            progress_clear(all);
        stream_free(&work->out);
        stream_free(&work->errors);
        if (work->skipped)
            all->skipped++;
        else if (work->unknown)
            all->unknown++;
        else if (work->code == EXIT_YES)
            all->good++;
        else if (work->code == EXIT_NO)
            all->bad++;
        else if (work->code == EXIT_DAMAGED)
            all->damaged++;
        else
            all->failed++;
        if (!work->skipped)
            all->code = worse(all->code, work->code);
        if (!work->skipped || work->known)
            inside->found[work->input->operand] = true;
        progress_show(all, work);
        inside->turn++;
    }
    if (stdout_failed()) {
        inside->stopping = true;
        all->code = worse(all->code, stdout_code());
    }
    bell_ring(&inside->moved);
}

static void *work_on(void *user) {
    batch *all = user;
    batch_private *inside = all->inside;
    mst_level_cache *cache; /* sidecars of one input, for reuse by the next */
    if (mst_level_cache_create(NULL, &cache) != MST_OK)
        need(NULL);
    lock_take(&inside->lock);
    for (;;) {
        while (!inside->stopping && inside->next < all->inputs->count &&
               inside->next - inside->turn >= AHEAD_MAX)
            bell_wait(&inside->moved, &inside->lock);
        if (inside->stopping || inside->next >= all->inputs->count)
            break;
        job *work = &inside->jobs[inside->next % AHEAD_MAX];
        memset(work, 0, sizeof *work);
        work->batch = all;
        work->index = inside->next++;
        work->input = &all->inputs->items[work->index];
        work->opened.cache = cache;
        work->opened.sidecars = all->sidecars;
        lock_give(&inside->lock);

        work->out = stream_stdout();
        work->errors = stream_stderr();
        work->out.may_write = work->errors.may_write = has_turn;
        work->out.user = work->errors.user = work;
        say_to(&work->errors);
        int code = all->run(work);
        if (work->opened.salvaged)
            code = worse(code, EXIT_DAMAGED);
        say_to(NULL);
        source_close(&work->opened);
        mst_level_cache_trim(cache);

        lock_take(&inside->lock);
        work->code = code;
        work->finished = true;
        hand_on(all);
    }
    lock_give(&inside->lock);
    mst_level_cache_free(cache);
    return NULL;
}

/* A folder without a level is probably a wrong name, not a success: a test of an empty folder proves
 * nothing. */
static void say_empty(batch *all) {
    if (all->inputs->code != EXIT_YES || all->inside->stopping)
        return;
    for (size_t i = 0; i < all->given->operand_count; i++)
        if (all->inputs->searched[i] && !all->inside->found[i]) {
            say(MST_ERROR, "no level in %s: it has no file of a known format", all->given->operands[i]);
            all->code = worse(all->code, EXIT_TROUBLE);
        }
}

int batch_run(batch *all) {
    if (options_has(all->given, OPTION_AS_PATH) && all->inputs->many)
        return all->code = options_usage(all->given, "--as-path is for one file");
    size_t threads = threads_wanted(all->given, 1, all->inputs->count);
    if (!threads)
        return all->code = EXIT_TROUBLE;
    batch_private *inside = need(calloc(1, sizeof *inside));
    inside->jobs = need(calloc(AHEAD_MAX, sizeof *inside->jobs));
    inside->found = need(calloc(all->given->operand_count + 1, sizeof *inside->found));
    all->inside = inside;
    all->code = all->inputs->code;
    if (all->inputs->many)
        targets_hurry();
    lock_begin(&inside->lock);
    progress_choose(all);
    inside->begun = system_seconds();
    bell_begin(&inside->moved);
    system_threads(threads, work_on, all);
    bell_end(&inside->moved);
    progress_clear(all);
    /* jobs that were interrupted by a failure of stdout */
    for (size_t i = 0; i < AHEAD_MAX; i++) {
        stream_free(&inside->jobs[i].out);
        stream_free(&inside->jobs[i].errors);
    }
    lock_end(&inside->lock);
    say_empty(all);
    free(inside->found);
    claims_free(&inside->written);
    free(inside->jobs);
    free(inside);
    all->inside = NULL;
    return all->code;
}

/* ---- opening -------------------------------------------------------------------------------------- */

bool job_recognised(job *work, unsigned flags) {
    mst_diagnostic why;
    const mst_format_information *format;
    return work->input->named ||
           source_identify(work->input, work->batch->given, flags, &format, NULL, &why) != MST_UNKNOWN;
}

int job_claims(job *work, const char *path) {
    batch_private *inside = work->batch->inside;
    const char *file = work->input->path;
    if (!strcmp(path, "-"))
        return EXIT_YES;
    if (!make_parents(path))
        return EXIT_TROUBLE;
    lock_take(&inside->lock);
    const char *other = claims_take(&inside->written, path, file);
    lock_give(&inside->lock);
    if (!other)
        return EXIT_YES;
    if (!strcmp(other, file))
        say(MST_ERROR, "%s: %s would be written twice; the second one is skipped", file, path);
    else
        say(MST_ERROR, "%s: %s was already written from %s; write one of them to another directory", file,
            path, other);
    return EXIT_REFUSED;
}

const mst_resolver *job_sidecars(job *work) {
    return mst_level_sidecars(work->opened.level);
}

int job_open(job *work, unsigned flags) {
    const options *given = work->batch->given;
    const char *path = work->input->path, *shown = strcmp(path, "-") != 0 ? path : "<stdin>";
    mst_diagnostic why;
    mst_status status = source_open(&work->opened, work->input, given, flags, &why);
    if (status == MST_OK)
        return -1;
    if (status == MST_UNKNOWN && !work->input->named) {
        work->skipped = true;
        return EXIT_YES;
    }
    why.status = status;
    work->unknown = status == MST_UNKNOWN;
    return say_diagnosis(shown, &why);
}

int job_unfit(job *work, mst_diagnostic *why) {
    if (why->status == MST_UNSUPPORTED && !work->input->named) {
        work->skipped = work->known = true;
        why->severity = MST_INFORMATION;
    }
    int code = say_diagnosis(work->input->path, why);
    return work->skipped ? EXIT_YES : code;
}

static void put_number(stream *to, uint64_t number, const char *word) {
    print(to, ", %llu %s", (unsigned long long)number, word);
}

void batch_sum(const batch *all, stream *to, const char *good, const char *bad) {
    uint64_t files = all->good + all->bad + all->damaged + all->unknown + all->failed;
    print(to, "%llu %s: %llu %s", (unsigned long long)files, files == 1 ? "file" : "files",
          (unsigned long long)all->good, good);
    if (bad)
        put_number(to, all->bad, bad);
    put_number(to, all->damaged, "damaged");
    if (all->unknown)
        put_number(to, all->unknown, "unknown");
    if (all->failed)
        put_number(to, all->failed, "failed");
    put_number(to, all->skipped, "skipped");
    if (all->inputs->omitted)
        put_number(to, all->inputs->omitted, "left out");
}

void batch_say_sum(const batch *all, const char *good) {
    if (!all->inputs->many || options_has(all->given, OPTION_QUIET) || stdout_failed())
        return;
    stream to = stream_stderr();
    batch_sum(all, &to, good, NULL);
    put_text(&to, "\n");
    stream_free(&to);
}
