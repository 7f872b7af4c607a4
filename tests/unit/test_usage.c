/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_usage.c - usage of the kernel threads that help this process. The helpers here are
 * plain threads named like the kernel's; each works a little, then sleeps while its accounts are
 * read, so that sums can be compared to the nanosecond and the byte with a second, simple
 * reader. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "os/os.h"

#define HELPERS_MAX 3
#define WORK_NS     2000000
#define WRITE_BYTES 65536

struct helper {
    char name[16];
    pthread_t thread;
    pthread_barrier_t ready; /* two: the helper, and its creator */
    pthread_barrier_t *end;
    long tid;
};

/* Uses the processor for a while, makes some pages dirty. */
static void work(void)
{
    static const char block[WRITE_BYTES];
    char name[] = "test_usage_XXXXXX";
    struct timespec used;
    int fd = mkstemp(name);

    if (fd >= 0) {
        unlink(name);
        if (write(fd, block, sizeof(block)) < 0)
            perror("write");
        close(fd);
    }
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    while (used.tv_sec == 0 && used.tv_nsec < WORK_NS);
}

static void *help(void *arg)
{
    struct helper *helper = arg;

    prctl(PR_SET_NAME, helper->name);
    helper->tid = syscall(SYS_gettid);
    work();
    pthread_barrier_wait(&helper->ready);
    pthread_barrier_wait(helper->end);
    return NULL;
}

static bool plain_number(long tid, const char *file, const char *key, uint64_t *number)
{
    char path[64], line[256];
    bool found = false;
    FILE *stream;

    snprintf(path, sizeof(path), "/proc/self/task/%ld/%s", tid, file);
    stream = fopen(path, "r");
    while (stream && !found && fgets(line, sizeof(line), stream))
        if (strncmp(line, key, strlen(key)) == 0) {
            *number = strtoull(line + strlen(key), NULL, 10);
            found = true;
        }
    if (stream)
        fclose(stream);
    return found;
}

/* The time of a sleeping task, which no longer changes once the scheduler has removed it. */
static bool settled_ns(long tid, uint64_t *ns)
{
    char path[64], text[512];
    const char *state;
    FILE *stream;

    for (int i = 0; i < 1000000; i++) {
        size_t got;
        snprintf(path, sizeof(path), "/proc/self/task/%ld/stat", tid);
        stream = fopen(path, "r");
        assert_non_null(stream);
        got = fread(text, 1, sizeof(text) - 1, stream);
        fclose(stream);
        text[got] = '\0';
        state = strrchr(text, ')');
        if (state && state[2] == 'S')
            break;
    }
    return plain_number(tid, "schedstat", "", ns);
}

/* Returns once the helper has worked and sleeps until the barrier `end`. */
static void start(struct helper *helper, const char *name, pthread_barrier_t *end)
{
    helper->end = end;
    snprintf(helper->name, sizeof(helper->name), "%s", name);
    pthread_barrier_init(&helper->ready, NULL, 2);
    assert_int_equal(pthread_create(&helper->thread, NULL, help, helper), 0);
    pthread_barrier_wait(&helper->ready);
}

static void finish(struct helper *helpers, unsigned count, pthread_barrier_t *end)
{
    pthread_barrier_wait(end);
    for (unsigned i = 0; i < count; i++) {
        char path[64];
        pthread_join(helpers[i].thread, NULL);
        pthread_barrier_destroy(&helpers[i].ready);
        /* it can be joined before the kernel removes it from the list */
        snprintf(path, sizeof(path), "/proc/self/task/%ld", helpers[i].tid);
        while (access(path, F_OK) == 0)
            sched_yield();
    }
    pthread_barrier_destroy(end);
}

struct row {
    const char *names[HELPERS_MAX]; /* of the threads */
    unsigned counted;               /* bits: whose usage must be in the sum */
    const char *remark;
};

static const struct row rows[] = {
    {{NULL}, 0, "alone: nothing, and that is known"},
    {{"worker"}, 0, "a thread that is no helper"},
    {{"iou-wrk-1"}, 1, "a worker of the kernel"},
    {{"iou-sqp-77"}, 1, "a thread that polls"},
    {{"iou-wrk-1", "iou-sqp-1", "iou-wrk-2"}, 7, "several"},
    {{"worker", "iou-wrk-1"}, 2, "a helper beside another thread"},
    {{"xiou-wrk-1"}, 0, "something before"},
    {{"iou-abc-1"}, 0, "no such helper"},
};

/* Sums up the usage expected by the row. False if this kernel has no such account. */
static bool expected(const struct helper *helpers, unsigned counted, struct usage *sum)
{
    bool io_known = true;

    *sum = (struct usage){.io_known = false};
    for (unsigned i = 0; i < HELPERS_MAX; i++) {
        uint64_t cpu_ns = 0, read_bytes = 0, write_bytes = 0;
        if (!(counted >> i & 1))
            continue;
        if (!settled_ns(helpers[i].tid, &cpu_ns))
            return false;
        assert_true(cpu_ns >= WORK_NS);
        io_known = io_known && plain_number(helpers[i].tid, "io", "read_bytes: ", &read_bytes) &&
                   plain_number(helpers[i].tid, "io", "write_bytes: ", &write_bytes);
        sum->cpu_ns += cpu_ns;
        sum->read_bytes += read_bytes;
        sum->write_bytes += write_bytes;
    }
    sum->io_known = io_known;
    return true;
}

static void check(const struct row *row)
{
    struct helper helpers[HELPERS_MAX] = {{.tid = 0}};
    pthread_barrier_t end;
    struct usage usage, sum;
    unsigned count = 0;

    while (count < HELPERS_MAX && row->names[count])
        count++;
    pthread_barrier_init(&end, NULL, count + 1);
    for (unsigned i = 0; i < count; i++)
        start(&helpers[i], row->names[i], &end);
    if (expected(helpers, row->counted, &sum)) {
        struct usage before;
        do { /* a task is reported as sleeping shortly before it sleeps */
            before = sum;
            usage_read_helpers(&usage);
            expected(helpers, row->counted, &sum);
        } while (before.cpu_ns != sum.cpu_ns);
        if (usage.cpu_ns != sum.cpu_ns || usage.io_known != sum.io_known)
            print_error("%s: %llu ns, known %d; expected %llu\n", row->remark,
                        (unsigned long long)usage.cpu_ns, usage.io_known,
                        (unsigned long long)sum.cpu_ns);
        assert_true(usage.cpu_ns == sum.cpu_ns);
        assert_int_equal(usage.io_known, sum.io_known);
        assert_true(usage.read_bytes == sum.read_bytes);
        assert_true(usage.write_bytes == sum.write_bytes);
    }
    finish(helpers, count, &end);
}

static void test_helpers(void **state)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        check(&rows[i]);
}

/* More threads than one read of the directory returns: none is omitted or counted twice. */
static void test_many(void **state)
{
    enum { MANY = 150 };
    static struct helper helpers[MANY];
    pthread_barrier_t end;
    struct usage usage;
    uint64_t sum_ns = 0, before_ns;
    bool settled = true;
    pthread_barrier_init(&end, NULL, MANY + 1);
    for (unsigned i = 0; i < MANY; i++)
        start(&helpers[i], i % 3 ? "iou-wrk-9" : "other", &end);
    do {
        before_ns = sum_ns;
        usage_read_helpers(&usage);
        sum_ns = 0;
        for (unsigned i = 0; i < MANY; i++) {
            uint64_t cpu_ns = 0;
            settled = settled && settled_ns(helpers[i].tid, &cpu_ns);
            sum_ns += i % 3 ? cpu_ns : 0;
        }
    } while (before_ns != sum_ns);
    if (settled)
        assert_true(usage.cpu_ns == sum_ns);
    finish(helpers, MANY, &end);
}

/* The time left out is split like the rest, so that waiting is not mistaken for processor time. */
static void test_leave_out(void **state)
{
    struct usage used = {.cpu_ns = 1000, .queued_ns = 3000};
    usage_leave_out(&used, 1000);
    assert_true(used.cpu_ns == 750 && used.queued_ns == 2250);
    used = (struct usage){.cpu_ns = 1000}; /* where waits are not counted */
    usage_leave_out(&used, 500);
    assert_true(used.cpu_ns == 500 && used.queued_ns == 0);
    usage_leave_out(&used, 501);
    assert_true(used.cpu_ns == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_helpers),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_leave_out),
    };
    if (access("/proc/self/task", F_OK) != 0) {
        printf("SKIP: needs /proc\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
