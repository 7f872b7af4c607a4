/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* bench.c - what iosweep itself costs: its cycle loop against bare loops of the same system calls,
 * in one interleaved run, so that only ratios count.
 *
 * usage: bench [-r ROUNDS] [-t SLICE_MS] [-d DIRECTORY]     ratios of all cases, CSV on stdout
 *        bench -c CASE -w bare|iosweep -n CYCLES            exactly so many cycles (for callgrind);
 *                                                           77: this machine cannot do the case
 *        bench -m CYCLES                                    resident memory before and after
 *        bench -f [-r ROUNDS] [-d DIRECTORY]                filling test files against a plain loop
 *        bench -x [-r ROUNDS]                               what mixing reads and writes costs
 * Every round runs one slice of every contender in random order; the table has medians over the
 * rounds, their ratio, and the smallest and largest ratio within one round. */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bare_async.h"
#include "bare_sync.h"
#include "base/clock.h"
#include "base/hist.h"
#include "base/mem.h"
#include "base/stats.h"
#include "bench_mix.h"
#include "engine/engine.h"
#include "engine/file.h"
#include "os/memory.h"
#include "os/os.h"
#include "run/cycle.h"
#include "run/settings.h"
#include "storage/file/fileset.h"
#include "unit/resident.h"

#define FILE_NAME  "data"
#define ROUNDS_MAX 1001
#define DIRECT_SHARE \
    4 /* slices of O_DIRECT cases are so many times longer: for enough operations */

static uint64_t now(void)
{
    return clock_monotonic_ns();
}

static __attribute__((noreturn)) void die(const char *what)
{
    fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
    exit(1);
}

#define RING_KEPT  "registered reads, no clock"
#define RING_CYCLE "registered open read close, no clock"
#define AIO_KEPT   "io_submit io_getevents, no clock"
#define AIO_CYCLE  "open io_submit io_getevents close, no clock"
#define PREAD      "open pread close, 4 readings"
#define POSIX      "open lseek read close, 5 readings"

/* The bare loops: functions of bare_sync.c, or (NULL) bare_async.c has it. */
static const struct bench_case {
    const char *name, *engine;
    uint64_t size;
    enum io_test test;
    enum cache_mode cache;
    uint32_t depth;
    bool keep_open;
    void (*bare)(struct bare *, uint64_t);
    const char *bare_words;
} cases[] = {
    {"null", "null", 4096, TEST_READ, CACHE_CACHED, 1, false, bare_null, "offset, reading, record"},
    {"null_order", "null", 4096, TEST_READ, CACHE_CACHED, 1, false, bare_null_order,
     "next offset, reading, record"},
    {"order_1m", "pread", 1 << 20, TEST_READ, CACHE_CACHED, 1, true, bare_kept_order,
     "pread in order, no clock"},
    {"kept_4k", "pread", 4096, TEST_READ, CACHE_CACHED, 1, true, bare_kept, "pread, no clock"},
    {"pread_2", "pread", 2, TEST_READ, CACHE_CACHED, 1, false, bare_pread, PREAD},
    {"pread_4k", "pread", 4096, TEST_READ, CACHE_CACHED, 1, false, bare_pread, PREAD},
    {"posix_2", "posix", 2, TEST_READ, CACHE_CACHED, 1, false, bare_posix, POSIX},
    {"posix_4k", "posix", 4096, TEST_READ, CACHE_CACHED, 1, false, bare_posix, POSIX},
    {"posix_64k", "posix", 65536, TEST_READ, CACHE_CACHED, 1, false, bare_posix, POSIX},
    {"write_4k", "pread", 4096, TEST_WRITE, CACHE_CACHED, 1, false, bare_write,
     "open pwrite close, 4 readings"},
    {"write_1m", "pread", 1 << 20, TEST_WRITE, CACHE_CACHED, 1, false, bare_write,
     "open pwrite close, 4 readings"},
    {"uring_kept_1", "io_uring", 4096, TEST_READ, CACHE_CACHED, 1, true, NULL, RING_KEPT},
    {"uring_kept_32", "io_uring", 4096, TEST_READ, CACHE_CACHED, 32, true, NULL, RING_KEPT},
    {"uring_kept_64", "io_uring", 4096, TEST_READ, CACHE_CACHED, 64, true, NULL, RING_KEPT},
    {"uring_cycle_1", "io_uring", 4096, TEST_READ, CACHE_CACHED, 1, false, NULL, RING_CYCLE},
    {"uring_cycle_32", "io_uring", 4096, TEST_READ, CACHE_CACHED, 32, false, NULL, RING_CYCLE},
    {"uring_cycle_64", "io_uring", 4096, TEST_READ, CACHE_CACHED, 64, false, NULL, RING_CYCLE},
    {"uring_kept_direct_1", "io_uring", 4096, TEST_READ, CACHE_DIRECT, 1, true, NULL, RING_KEPT},
    {"uring_kept_direct_32", "io_uring", 4096, TEST_READ, CACHE_DIRECT, 32, true, NULL, RING_KEPT},
    {"uring_kept_direct_64", "io_uring", 4096, TEST_READ, CACHE_DIRECT, 64, true, NULL, RING_KEPT},
    {"uring_cycle_direct_1", "io_uring", 4096, TEST_READ, CACHE_DIRECT, 1, false, NULL, RING_CYCLE},
    {"uring_cycle_direct_32", "io_uring", 4096, TEST_READ, CACHE_DIRECT, 32, false, NULL,
     RING_CYCLE},
    {"uring_cycle_direct_64", "io_uring", 4096, TEST_READ, CACHE_DIRECT, 64, false, NULL,
     RING_CYCLE},
    {"aio_kept_direct_1", "libaio", 4096, TEST_READ, CACHE_DIRECT, 1, true, NULL, AIO_KEPT},
    {"aio_kept_direct_32", "libaio", 4096, TEST_READ, CACHE_DIRECT, 32, true, NULL, AIO_KEPT},
    {"aio_kept_direct_64", "libaio", 4096, TEST_READ, CACHE_DIRECT, 64, true, NULL, AIO_KEPT},
    {"aio_cycle_direct_32", "libaio", 4096, TEST_READ, CACHE_DIRECT, 32, false, NULL, AIO_CYCLE},
};
#define CASES (sizeof(cases) / sizeof(*cases))

struct contender { /* the two loops of a case */
    const struct bench_case *what;
    struct bare bare;
    struct bare_async *bare_async;
    struct workload work;
    struct engine_thread thread;
    struct cycle cycle;
    struct tally tally;
    struct handle kept;
    struct payload payload;
    struct order *order;
};

/* Reads and writes through the page cache go to one file, O_DIRECT to another one: a larger one,
 * and one of which nothing is in the cache. */
enum { FILE_CACHED, FILE_DIRECT, FILES };

static const char *const file_names[FILES] = {"data", "direct"};
static struct pattern payload_pattern; /* of what writes write */
static uint64_t file_lengths[FILES] = {UINT64_C(64) << 20, UINT64_C(256) << 20};
static struct target targets[FILES]; /* driver NULL: not made yet */
static char directory[4096];
static int dir_fd = -1;
static void *homes[SETTINGS_ENGINES_MAX + 1]; /* of the engines, as in engine_table */
static const volatile int never;

static void clean_up(void)
{
    if (dir_fd >= 0) {
        for (unsigned f = 0; f < FILES; f++)
            unlinkat(dir_fd, file_names[f], 0);
        rmdir(directory);
    }
}

static void make_directory(const char *where)
{
    snprintf(directory, sizeof(directory), "%s/bench.XXXXXX", where);
    if (!mkdtemp(directory))
        die(directory);
    dir_fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir_fd < 0)
        die(directory);
    atexit(clean_up);
}

/* A file of random data, written and read in order: the cache state that iosweep measures on. */
static void make_file(unsigned which)
{
    struct error err = ERROR_INIT;
    char *chunk = mem_buffer(1 << 20, 4096, &err);
    const int fd = openat(dir_fd, file_names[which], O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (!chunk || fd < 0)
        die(directory);
    for (uint64_t at = 0; at < file_lengths[which]; at += 1 << 20) {
        mem_fill_random(chunk, 1 << 20, at);
        if (write(fd, chunk, 1 << 20) != 1 << 20)
            die(directory);
    }
    fsync(fd);
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    lseek(fd, 0, SEEK_SET);
    while (which == FILE_CACHED && read(fd, chunk, 1 << 20) > 0)
        ;
    close(fd);
    mem_buffer_free(chunk);
    targets[which] = (struct target){.driver = &target_file,
                                     .object_count = 1,
                                     .length_bytes = &file_lengths[which],
                                     .name = &file_names[which],
                                     .dir_fd = dir_fd,
                                     .dir_path = directory};
}

static int prepare_file(unsigned which, struct error *err)
{
    struct target *target = &targets[which];

    if (!target->driver)
        make_file(which);
    if (which == FILE_CACHED || target->direct_align_bytes)
        return 0;
    return file_probe_direct(dir_fd, file_names[which], directory, &target->direct_align_bytes,
                             &target->memory_align_bytes, err);
}

/* What an engine keeps on a thread is there once, as in a worker: all cases share it. */
static void **home_of(const struct engine *engine)
{
    unsigned i = 0;

    while (engine_table[i] != engine)
        i++;
    return &homes[i];
}

static void retire_engines(void)
{
    for (unsigned i = 0; engine_table[i]; i++)
        if (homes[i])
            engine_table[i]->retire(homes[i]);
}

static void prepare_bare(struct contender *c, const struct target *target, char *buffer)
{
    const struct bench_case *what = c->what;

    c->bare = (struct bare){.dir_fd = dir_fd,
                            .fd = openat(dir_fd, *target->name, O_RDONLY | O_CLOEXEC),
                            .name = *target->name,
                            .length = *target->length_bytes,
                            .size = what->size,
                            .mask = c->cycle.align_bytes - 1,
                            .buffer = buffer,
                            .least = UINT64_MAX};
    if (c->bare.fd < 0)
        die(directory);
    rng_seed(&c->bare.rng, 7, 0);
}

static void prepare_cycle(struct contender *c, const struct target *target, char *buffer)
{
    const struct bench_case *what = c->what;
    const uint32_t depth = what->depth;

    c->work = (struct workload){.target = target,
                                .test = what->test,
                                .cache = what->cache,
                                .size_bytes = what->size,
                                .io_bytes = what->size,
                                .keep_open = what->keep_open,
                                .object_count = 1,
                                .depth = depth,
                                .slot_bytes = what->size};
    c->cycle = (struct cycle){.engine = engine_find(what->engine),
                              .work = &c->work,
                              .align_bytes = what->size < 4096 ? what->size : 4096,
                              .clock = &clock_monotonic,
                              .deadline_ns = UINT64_MAX,
                              .stop = &never,
                              .buffer = buffer,
                              .payload = &c->payload,
                              .tally = &c->tally,
                              .events = mem_calloc((size_t)depth * 3, sizeof(struct async_event)),
                              .slots = mem_calloc(depth, cycle_slot_bytes())};
    if (what->bare == bare_null_order || what->bare == bare_kept_order) {
        struct cell cell = {.threads = 1, .align_bytes = c->cycle.align_bytes};
        c->work.access = ACCESS_SEQUENTIAL;
        cell.work = c->work;
        c->order = order_make(&cell);
        c->cycle.cursor = &c->order->cursor[0];
    }
    c->thread = (struct engine_thread){.memory = buffer,
                                       .memory_bytes = (size_t)(depth * c->work.slot_bytes),
                                       .sharers = 1,
                                       .home = home_of(c->cycle.engine)};
    rng_seed(&c->cycle.rng, 7, 0);
    tally_reset(&c->tally);
}

/* Does it work, and in the same way as the bare loop, with registered buffers? */
static int try_engine(struct contender *c, struct error *err)
{
    const struct engine *engine = c->cycle.engine;
    struct engine_report report = {.plain_buffers = false};

    if (engine->setup(&c->work, &c->thread, &c->cycle.ctx, err) < 0)
        return -1;
    if (engine->report)
        engine->report(c->cycle.ctx, &report);
    engine->teardown(c->cycle.ctx);
    return report.plain_buffers
               ? error_set(err, STATUS_TARGET, 0, "buffers cannot be registered", NULL)
               : 0;
}

/* Returns 0, or -1 when this machine cannot do the case: err tells why. */
static int prepare(struct contender *c, const struct bench_case *what, struct error *err)
{
    const unsigned which = what->cache == CACHE_DIRECT ? FILE_DIRECT : FILE_CACHED;
    const struct target *target = &targets[which];
    const struct engine *engine = engine_find(what->engine);
    char *buffer;

    memset(c, 0, sizeof(*c));
    c->what = what;
    if (!engine)
        return error_set(err, STATUS_TARGET, 0, "not built: engine", what->engine);
    if (engine->available && engine->available(NULL, err) < 0)
        return -1;
    if (prepare_file(which, err) < 0)
        return -1;
    buffer = mem_buffer(what->depth * what->size, 4096, err);
    if (!buffer || (!payload_pattern.pool && payload_start(&payload_pattern, 7, err) < 0))
        return -1;
    c->payload = (struct payload){.pattern = &payload_pattern};
    prepare_cycle(c, target, buffer);
    prepare_bare(c, target, buffer);
    if (!what->bare) {
        const struct bare_target bare = {.dir_fd = dir_fd,
                                         .name = *target->name,
                                         .length_bytes = *target->length_bytes,
                                         .size_bytes = what->size,
                                         .buffer = buffer,
                                         .depth = what->depth,
                                         .keep_open = what->keep_open,
                                         .direct = what->cache == CACHE_DIRECT};
        c->bare_async = bare_async_create(what->engine, &bare, err);
        if (!c->bare_async)
            return -1;
    } else if (what->keep_open) {
        c->kept.fd = c->bare.fd;
        c->cycle.kept = &c->kept;
    }
    return try_engine(c, err);
}

static bool prepare_or_skip(struct contender *c, const struct bench_case *what)
{
    struct error err = ERROR_INIT;
    char text[512];

    if (prepare(c, what, &err) == 0)
        return true;
    printf("# skipped: %s: %s\n", what->name, error_format(&err, text, sizeof(text)));
    return false;
}

/* n cycles of our loop, set up as a worker does.  Returns the time they took. */
static uint64_t run_iosweep(struct contender *c, uint64_t n)
{
    const struct engine *engine = c->cycle.engine;
    const uint64_t before = c->tally.operations, excluded_ns = c->tally.excluded_ns;
    struct error err = ERROR_INIT;
    uint64_t t;

    if (engine->setup(&c->work, &c->thread, &c->cycle.ctx, &err) < 0) {
        errno = err.errnum;
        die(err.action);
    }
    t = now();
    if (cycle_run(&c->cycle, n) != n || c->tally.operations - before != n) {
        errno = c->tally.first_errno;
        die("a cycle failed");
    }
    t = now() - t;
    engine->teardown(c->cycle.ctx);
    return t - (c->tally.excluded_ns - excluded_ns); /* as in the rows: making data to write */
}

static uint64_t run_bare(struct contender *c, uint64_t n)
{
    uint64_t t;

    if (!c->bare_async) {
        t = now();
        c->what->bare(&c->bare, n);
        return now() - t;
    }
    bare_async_begin(c->bare_async);
    t = now();
    bare_async_run(c->bare_async, n);
    t = now() - t;
    bare_async_end(c->bare_async);
    return t;
}

static uint64_t calibrate(struct contender *c, uint64_t slice_ns)
{
    if (c->what->cache == CACHE_DIRECT)
        slice_ns *= DIRECT_SHARE;
    for (uint64_t n = 64;; n *= 2) {
        const uint64_t spent = run_bare(c, n);
        if (spent > slice_ns / 8)
            return n * slice_ns / spent + 1;
    }
}

static void print_case(const struct bench_case *what, unsigned rounds, double ns[2][ROUNDS_MAX])
{
    double low = 1e9, high = 0, sorted[2][ROUNDS_MAX], median[2];

    for (unsigned r = 0; r < rounds; r++) {
        const double ratio = ns[1][r] / ns[0][r];
        low = ratio < low ? ratio : low;
        high = ratio > high ? ratio : high;
    }
    for (int w = 0; w < 2; w++) {
        memcpy(sorted[w], ns[w], rounds * sizeof(double));
        stats_sort(sorted[w], rounds);
        median[w] = stats_median(sorted[w], rounds);
    }
    printf("%s,%" PRIu64 ",%u,%.1f,%.1f,%.3f,%.3f,%.3f,\"%s\"\n", what->name, what->size, rounds,
           median[0], median[1], median[1] / median[0], low, high, what->bare_words);
    fflush(stdout);
}

static void ratios(unsigned rounds, uint64_t slice_ns)
{
    static struct contender contenders[CASES];
    static double ns[CASES][2][ROUNDS_MAX];
    uint64_t n[CASES] = {0};
    struct rng rng;

    rng_seed(&rng, now(), 0);
    for (size_t c = 0; c < CASES; c++) {
        if (!prepare_or_skip(&contenders[c], &cases[c]))
            continue;
        n[c] = calibrate(&contenders[c], slice_ns);
        run_iosweep(&contenders[c], n[c]); /* warm */
    }
    for (unsigned r = 0; r < rounds; r++)
        for (size_t c = 0; c < CASES; c++) {
            const unsigned first = (unsigned)rng_below(&rng, 2);
            for (unsigned k = 0; k < 2 && n[c]; k++) {
                const bool iosweep = (k ^ first) != 0;
                const uint64_t spent =
                    iosweep ? run_iosweep(&contenders[c], n[c]) : run_bare(&contenders[c], n[c]);
                ns[c][iosweep][r] = (double)spent / (double)n[c];
            }
        }
    puts("case,size_bytes,rounds,bare_ns,iosweep_ns,ratio,ratio_min,ratio_max,bare_loop");
    for (size_t c = 0; c < CASES; c++) {
        if (n[c])
            print_case(&cases[c], rounds, ns[c]);
        bare_async_destroy(contenders[c].bare_async);
        free(contenders[c].order);
    }
}

static int exactly(const char *name, bool iosweep, uint64_t n)
{
    static struct contender contender;

    for (unsigned f = 0; f < FILES; f++)
        file_lengths[f] = UINT64_C(1) << 20; /* under callgrind filling takes long */
    for (size_t c = 0; c < CASES; c++)
        if (strcmp(cases[c].name, name) == 0) {
            if (!prepare_or_skip(&contender, &cases[c]))
                return 77;
            (iosweep ? run_iosweep : run_bare)(&contender, n);
            return 0;
        }
    errno = EINVAL;
    die(name);
}

static void memory(uint64_t n)
{
    static struct contender contender;
    uint64_t before, after;

    if (!prepare_or_skip(&contender, &cases[0]))
        return;
    run_iosweep(&contender, 1000000);
    before = resident_bytes();
    run_iosweep(&contender, n);
    after = resident_bytes();
    printf("cycles,resident_before_bytes,resident_after_bytes,growth_bytes\n%" PRIu64 ",%" PRIu64
           ",%" PRIu64 ",%" PRId64 "\n",
           n, before, after, (int64_t)(after - before));
}

/* The same bytes in the same files by nothing but write(2) of one 1 MiB buffer. */
static double plain_fill_ns(int parent_fd, const char *chunk, unsigned files, uint64_t file_bytes)
{
    char name[32];
    uint64_t t = now();
    int fd = -1;

    for (unsigned f = 0; f < files; f++) {
        snprintf(name, sizeof(name), "plain%u", f);
        fd = openat(parent_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        for (uint64_t at = 0; at < file_bytes; at += 1 << 20)
            if (write(fd, chunk, 1 << 20) != 1 << 20)
                die(name);
        if (f + 1 < files)
            close(fd);
    }
    if (syncfs(fd) < 0)
        die("syncfs");
    close(fd);
    t = now() - t;
    for (unsigned f = 0; f < files; f++) {
        snprintf(name, sizeof(name), "plain%u", f);
        unlinkat(parent_fd, name, 0);
    }
    return (double)t;
}

static double our_fill_ns(int parent_fd, uint64_t file_bytes)
{
    struct life_set set = {
        .kind = LIFE_TREE, .levels = 2, .width = 4, .size_bytes = file_bytes, .count = 16};
    struct life_manifest manifest = {
        .storage = LIFE_FILES, .run_name = "bench", .seed = now(), .set_count = 1, .set = &set};
    struct fileset files = {
        .parent_fd = parent_fd, .parent_path = directory, .manifest = &manifest};
    const struct target_request request = {.stop = (const volatile int *)&never};
    struct life_tally removed = {0};
    struct error err = ERROR_INIT;
    int fd = -1;
    uint64_t t = now();

    if (fileset_create(&files, &request, &fd, NULL, &err) < 0)
        die("fill");
    t = now() - t;
    if (fileset_go_over(&files, LIFE_REMOVE, &removed, &err) < 0)
        die("remove");
    close(fd);
    return (double)t;
}

static void fill(unsigned rounds)
{
    enum { FILL_FILES = 16 };
    const uint64_t file_bytes = 8 << 20;
    struct error err = ERROR_INIT;
    char *chunk = mem_buffer(1 << 20, 4096, &err);
    static double ns[2][ROUNDS_MAX];

    mem_fill_random(chunk, 1 << 20, 1);
    plain_fill_ns(dir_fd, chunk, FILL_FILES, file_bytes);
    for (unsigned r = 0; r < rounds; r++)
        for (unsigned k = 0; k < 2; k++)
            if ((r + k) % 2)
                ns[0][r] = plain_fill_ns(dir_fd, chunk, FILL_FILES, file_bytes);
            else
                ns[1][r] = our_fill_ns(dir_fd, file_bytes);
    for (int w = 0; w < 2; w++)
        stats_sort(ns[w], rounds);
    printf("bytes,rounds,plain_ms,iosweep_ms,speed_ratio\n%" PRIu64 ",%u,%.1f,%.1f,%.3f\n",
           FILL_FILES * file_bytes, rounds, stats_median(ns[0], rounds) / 1e6,
           stats_median(ns[1], rounds) / 1e6,
           stats_median(ns[0], rounds) / stats_median(ns[1], rounds));
    mem_buffer_free(chunk);
}

int main(int argc, char **argv)
{
    const char *where = ".", *name = NULL;
    uint64_t n = 0, memory_n = 0, slice_ms = 20;
    unsigned rounds = 15;
    bool iosweep = true, fills = false;
    int opt, status = 0;

    while ((opt = getopt(argc, argv, "r:t:d:c:w:n:m:fx")) != -1)
        switch (opt) {
        case 'r':
            rounds = (unsigned)atoi(optarg);
            break;
        case 't':
            slice_ms = strtoull(optarg, NULL, 10);
            break;
        case 'd':
            where = optarg;
            break;
        case 'c':
            name = optarg;
            break;
        case 'w':
            iosweep = strcmp(optarg, "bare") != 0;
            break;
        case 'n':
            n = strtoull(optarg, NULL, 10);
            break;
        case 'f':
            fills = true;
            break;
        case 'x':
            return bench_mix(rounds);
        case 'm':
            memory_n = strtoull(optarg, NULL, 10);
            break;
        default:
            return 2;
        }
    if (rounds < 1 || rounds > ROUNDS_MAX || !slice_ms)
        return 2;
    make_directory(where);
    if (fills)
        fill(rounds);
    else if (memory_n)
        memory(memory_n);
    else if (name)
        status = exactly(name, iosweep, n);
    else
        ratios(rounds, slice_ms * 1000000);
    retire_engines();
    return status;
}
