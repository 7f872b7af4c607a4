/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench.c - what iosweep itself costs: its cycle loop against bare loops of the same system calls,
 * in one interleaved run, so that only ratios count.
 *
 * usage: bench [-r ROUNDS] [-t SLICE_MS] [-d DIRECTORY]     ratios of all cases, CSV on stdout
 *        bench -c CASE -w bare|iosweep -n CYCLES            exactly so many cycles (for callgrind)
 *        bench -m CYCLES                                    resident memory before and after
 *        bench -f [-r ROUNDS] [-d DIRECTORY]                filling test files against a plain loop
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

#include "base/clock.h"
#include "base/hist.h"
#include "base/mem.h"
#include "base/usage.h"
#include "engine/engine.h"
#include "engine/fileset.h"
#include "run/cycle.h"
#include "run/stats.h"

#define FILE_BYTES (UINT64_C(64) << 20)
#define FILE_NAME  "data"
#define ROUNDS_MAX 1001

struct bare { /* what a bare loop works on */
    int dir_fd, fd;
    uint64_t length, size, mask;
    char *buffer;
    const char *pool; /* writes: fresh data for each, as iosweep does */
    struct rng rng;
    struct hist hist;
    uint64_t sum[4], least, most;
};

static uint64_t draw(struct bare *b)
{
    return rng_below(&b->rng, ((b->length - b->size) & ~b->mask) + b->mask + 1) & ~b->mask;
}

static uint64_t now(void)
{
    return clock_monotonic_ns();
}

static void die(const char *what)
{
    fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
    exit(1);
}

static inline void record(struct bare *b, uint64_t ns)
{
    hist_record(&b->hist, ns);
    if (ns < b->least)
        b->least = ns;
    if (ns > b->most)
        b->most = ns;
}

/* No I/O: an offset, one clock reading, one record. */
static void bare_null(struct bare *b, uint64_t n)
{
    uint64_t t0 = now();
    while (n--) {
        uint64_t offset = draw(b), t1;
        __asm__ volatile("" : : "r"(offset) : "memory");
        t1 = now();
        record(b, t1 - t0);
        t0 = t1;
    }
}

static void bare_kept(struct bare *b, uint64_t n)
{
    while (n--)
        if (pread(b->fd, b->buffer, b->size, (off_t)draw(b)) != (ssize_t)b->size)
            die("pread");
}

static void bare_pread(struct bare *b, uint64_t n)
{
    while (n--) {
        const off_t offset = (off_t)draw(b);
        uint64_t t0 = now(), t1, t2, t3;
        int fd = openat(b->dir_fd, FILE_NAME, O_RDONLY | O_CLOEXEC);
        t1 = now();
        if (pread(fd, b->buffer, b->size, offset) != (ssize_t)b->size)
            die("pread");
        t2 = now();
        close(fd);
        t3 = now();
        record(b, t3 - t0);
        b->sum[0] += t1 - t0;
        b->sum[1] += t2 - t1;
        b->sum[2] += t3 - t2;
    }
}

static void bare_posix(struct bare *b, uint64_t n)
{
    while (n--) {
        const off_t offset = (off_t)draw(b);
        uint64_t t0 = now(), t1, t2, t3, t4;
        int fd = openat(b->dir_fd, FILE_NAME, O_RDONLY | O_CLOEXEC);
        t1 = now();
        lseek(fd, offset, SEEK_SET);
        t2 = now();
        if (read(fd, b->buffer, b->size) != (ssize_t)b->size)
            die("read");
        t3 = now();
        close(fd);
        t4 = now();
        record(b, t4 - t0);
        b->sum[0] += t1 - t0;
        b->sum[1] += t2 - t1;
        b->sum[2] += t3 - t2;
        b->sum[3] += t4 - t3;
    }
}

static void bare_write(struct bare *b, uint64_t n)
{
    while (n--) {
        const off_t offset = (off_t)draw(b);
        const char *data = b->pool + (rng_next(&b->rng) & (CYCLE_POOL_BYTES - 1) & ~UINT64_C(4095));
        uint64_t t0 = now(), t1, t2, t3;
        int fd = openat(b->dir_fd, FILE_NAME, O_WRONLY | O_CLOEXEC);
        t1 = now();
        if (pwrite(fd, data, b->size, offset) != (ssize_t)b->size)
            die("pwrite");
        t2 = now();
        close(fd);
        t3 = now();
        record(b, t3 - t0);
        b->sum[0] += t1 - t0;
        b->sum[1] += t2 - t1;
        b->sum[2] += t3 - t2;
    }
}

static const struct bench_case {
    const char *name, *engine;
    uint64_t size;
    enum io_test test;
    bool keep_open;
    void (*bare)(struct bare *, uint64_t);
    const char *bare_words;
} cases[] = {
    {"null", "null", 4096, TEST_READ, false, bare_null, "offset, reading, record"},
    {"kept_4k", "pread", 4096, TEST_READ, true, bare_kept, "pread, no clock"},
    {"pread_2", "pread", 2, TEST_READ, false, bare_pread, "open pread close, 4 readings"},
    {"pread_4k", "pread", 4096, TEST_READ, false, bare_pread, "open pread close, 4 readings"},
    {"posix_2", "posix", 2, TEST_READ, false, bare_posix, "open lseek read close, 5 readings"},
    {"posix_4k", "posix", 4096, TEST_READ, false, bare_posix, "open lseek read close, 5 readings"},
    {"posix_64k", "posix", 65536, TEST_READ, false, bare_posix,
     "open lseek read close, 5 readings"},
    {"write_4k", "pread", 4096, TEST_WRITE, false, bare_write, "open pwrite close, 4 readings"},
};
#define CASES (sizeof cases / sizeof *cases)

struct contender { /* one of the two loops of a case */
    struct bare bare;
    struct workload work;
    struct cycle cycle;
    struct tally tally;
    struct handle kept;
};

static char directory[4096];
static int dir_fd = -1;
static const char *const file_names[] = {FILE_NAME};
static const uint64_t file_lengths[] = {FILE_BYTES};
static struct store store;
static const volatile int never;

static void clean_up(void)
{
    if (dir_fd >= 0) {
        unlinkat(dir_fd, FILE_NAME, 0);
        rmdir(directory);
    }
}

/* A file of random data, written and read in order: the cache state that iosweep measures on. */
static void make_file(const char *where)
{
    struct error err = ERROR_INIT;
    char *chunk = mem_buffer(1 << 20, 4096, &err);
    int fd;

    snprintf(directory, sizeof directory, "%s/bench.XXXXXX", where);
    if (!chunk || !mkdtemp(directory))
        die(directory);
    dir_fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    atexit(clean_up);
    fd = openat(dir_fd, FILE_NAME, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        die(directory);
    for (uint64_t at = 0; at < FILE_BYTES; at += 1 << 20) {
        mem_fill_random(chunk, 1 << 20, at);
        if (write(fd, chunk, 1 << 20) != 1 << 20)
            die(directory);
    }
    fsync(fd);
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    lseek(fd, 0, SEEK_SET);
    while (read(fd, chunk, 1 << 20) > 0)
        ;
    close(fd);
    mem_buffer_free(chunk);
    store = (struct store){.driver = &store_file,
                           .object_count = 1,
                           .length_bytes = file_lengths,
                           .name = file_names,
                           .dir_fd = dir_fd,
                           .dir_path = directory};
}

static void prepare(struct contender *c, const struct bench_case *what)
{
    struct error err = ERROR_INIT;
    const uint64_t align = what->size < 4096 ? what->size : 4096;
    char *pool = mem_buffer(what->size + CYCLE_POOL_BYTES, 4096, &err);

    memset(c, 0, sizeof *c);
    c->bare = (struct bare){.dir_fd = dir_fd,
                            .fd = openat(dir_fd, FILE_NAME, O_RDONLY | O_CLOEXEC),
                            .length = FILE_BYTES,
                            .size = what->size,
                            .mask = align - 1,
                            .buffer = mem_buffer(what->size, 4096, &err),
                            .pool = pool,
                            .least = UINT64_MAX};
    c->work = (struct workload){.store = &store,
                                .test = what->test,
                                .size_bytes = what->size,
                                .io_bytes = what->size,
                                .keep_open = what->keep_open,
                                .object_count = 1};
    c->cycle = (struct cycle){.engine = engine_find(what->engine),
                              .work = &c->work,
                              .align_bytes = align,
                              .clock = &clock_monotonic,
                              .deadline_ns = UINT64_MAX,
                              .stop = &never,
                              .buffer = c->bare.buffer,
                              .pool = pool,
                              .tally = &c->tally};
    if (!pool || !c->bare.buffer || c->cycle.engine->setup(&c->work, &c->cycle.ctx, &err) < 0)
        die("set-up");
    if (what->keep_open) {
        c->kept.fd = c->bare.fd;
        c->cycle.kept = &c->kept;
    }
    rng_seed(&c->bare.rng, 7, 0);
    rng_seed(&c->cycle.rng, 7, 0);
    tally_reset(&c->tally);
}

static void run(struct contender *c, const struct bench_case *what, bool iosweep, uint64_t n)
{
    if (!iosweep)
        what->bare(&c->bare, n);
    else if (cycle_run(&c->cycle, n) != n || c->tally.failed || c->tally.short_count)
        die("a cycle failed");
}

static uint64_t calibrate(struct contender *c, const struct bench_case *what, uint64_t slice_ns)
{
    uint64_t n = 64, spent;

    for (;; n *= 2) {
        uint64_t t = now();
        run(c, what, false, n);
        spent = now() - t;
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
    uint64_t n[CASES];
    struct rng rng;

    rng_seed(&rng, now(), 0);
    for (size_t c = 0; c < CASES; c++) {
        prepare(&contenders[c], &cases[c]);
        n[c] = calibrate(&contenders[c], &cases[c], slice_ns);
        run(&contenders[c], &cases[c], true, n[c]); /* warm */
    }
    for (unsigned r = 0; r < rounds; r++)
        for (size_t c = 0; c < CASES; c++) {
            const unsigned first = (unsigned)rng_below(&rng, 2);
            for (unsigned k = 0; k < 2; k++) {
                const bool iosweep = (k ^ first) != 0;
                const uint64_t t = now();
                run(&contenders[c], &cases[c], iosweep, n[c]);
                ns[c][iosweep][r] = (double)(now() - t) / (double)n[c];
            }
        }
    puts("case,size_bytes,rounds,bare_ns,iosweep_ns,ratio,ratio_min,ratio_max,bare_loop");
    for (size_t c = 0; c < CASES; c++)
        print_case(&cases[c], rounds, ns[c]);
}

static void exactly(const char *name, bool iosweep, uint64_t n)
{
    static struct contender contender;

    for (size_t c = 0; c < CASES; c++)
        if (strcmp(cases[c].name, name) == 0) {
            prepare(&contender, &cases[c]);
            run(&contender, &cases[c], iosweep, n);
            return;
        }
    errno = EINVAL;
    die(name);
}

static void memory(uint64_t n)
{
    static struct contender contender;
    uint64_t before, after;

    prepare(&contender, &cases[0]);
    run(&contender, &cases[0], true, 1000000);
    before = usage_resident_bytes();
    run(&contender, &cases[0], true, n);
    after = usage_resident_bytes();
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
        snprintf(name, sizeof name, "plain%u", f);
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
        snprintf(name, sizeof name, "plain%u", f);
        unlinkat(parent_fd, name, 0);
    }
    return (double)t;
}

static double our_fill_ns(int parent_fd, uint64_t file_bytes)
{
    const struct fileset_layout layout = {
        .levels = 2, .width = 4, .file_bytes = file_bytes, .seed = now(), .run_name = "bench"};
    const struct fileset_progress progress = {.stop = (const volatile int *)&never};
    struct error err = ERROR_INIT;
    int fd = -1;
    uint64_t t = now();

    if (fileset_create(parent_fd, directory, &layout, &progress, &fd, &err) < 0)
        die("fill");
    t = now() - t;
    if (fileset_remove(parent_fd, directory, &layout, &err) < 0)
        die("remove");
    close(fd);
    return (double)t;
}

static void fill(unsigned rounds)
{
    enum { FILES = 16 };
    const uint64_t file_bytes = 8 << 20;
    struct error err = ERROR_INIT;
    char *chunk = mem_buffer(1 << 20, 4096, &err);
    static double ns[2][ROUNDS_MAX];

    mem_fill_random(chunk, 1 << 20, 1);
    plain_fill_ns(dir_fd, chunk, FILES, file_bytes);
    for (unsigned r = 0; r < rounds; r++)
        for (unsigned k = 0; k < 2; k++)
            if ((r + k) % 2)
                ns[0][r] = plain_fill_ns(dir_fd, chunk, FILES, file_bytes);
            else
                ns[1][r] = our_fill_ns(dir_fd, file_bytes);
    for (int w = 0; w < 2; w++)
        stats_sort(ns[w], rounds);
    printf("bytes,rounds,plain_ms,iosweep_ms,speed_ratio\n%" PRIu64 ",%u,%.1f,%.1f,%.3f\n",
           FILES * file_bytes, rounds, stats_median(ns[0], rounds) / 1e6,
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
    int opt;

    while ((opt = getopt(argc, argv, "r:t:d:c:w:n:m:f")) != -1)
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
        case 'm':
            memory_n = strtoull(optarg, NULL, 10);
            break;
        default:
            return 2;
        }
    if (rounds < 1 || rounds > ROUNDS_MAX || !slice_ms)
        return 2;
    make_file(where);
    if (fills)
        fill(rounds);
    else if (memory_n)
        memory(memory_n);
    else if (name)
        exactly(name, iosweep, n);
    else
        ratios(rounds, slice_ms * 1000000);
    return 0;
}
