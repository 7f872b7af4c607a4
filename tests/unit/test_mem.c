/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_mem.c - memory, and two small modules that report about the machine: clock and usage. The
 * end of a program without memory is tested in a child process; the clock with a scripted one; the
 * kernel's accounts against a second, simple reader. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "os/memory.h"
#include "os/os.h"
#include "run/plan.h"
#include "run/worker.h"
#include "unit/resident.h"

static void test_small_blocks(void **state)
{
    uint32_t *numbers = mem_calloc(1000, sizeof(*numbers));
    char *copy = mem_strdup("text"), *printed, *empty = mem_strdup("");
    void *nothing = mem_calloc(0, 8);
    char longest[3000];

    assert_non_null(nothing);
    for (uint32_t i = 0; i < 1000; i++) {
        assert_int_equal(numbers[i], 0);
        numbers[i] = i;
    }
    numbers = mem_realloc_array(numbers, 100000, sizeof(*numbers));
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(numbers[i], i);
    assert_string_equal(copy, "text");
    assert_string_equal(empty, "");
    memset(longest, 'x', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = '\0';
    printed = mem_printf("%d:%s", 42, longest);
    assert_int_equal(strlen(printed), 3 + strlen(longest));
    assert_memory_equal(printed, "42:xxx", 6);
    free(numbers);
    free(copy);
    free(empty);
    free(nothing);
    free(printed);
}

/* Runs a failing allocation in a child; stores its stderr as text, returns its exit status. */
static int run_out_of_memory(int kind, char *text, size_t text_size)
{
    int ends[2], status;
    size_t used = 0;
    ssize_t n;
    pid_t child;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL); /* the child must not write this buffered output again */
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (dup2(ends[1], STDERR_FILENO) < 0)
            _exit(98);
        if (kind == 0)
            free(mem_calloc(SIZE_MAX / 2, 4));
        else
            free(mem_realloc_array(NULL, SIZE_MAX / 4, 4));
        _exit(97);
    }
    close(ends[1]);
    while ((n = read(ends[0], text + used, text_size - 1 - used)) > 0)
        used += (size_t)n;
    text[used] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Grows a list by one element at a time, and once by many. */
static void test_growth(void **state)
{
    uint32_t *numbers = NULL;
    size_t room = 0, moves = 0;

    for (uint32_t i = 0; i < 1000; i++) {
        const size_t before = room;
        numbers = mem_grow(numbers, &room, i + 1, sizeof(*numbers));
        assert_true(room > i);
        moves += room != before;
        numbers[i] = i;
    }
    assert_within(moves, 2, 10);
    numbers = mem_grow(numbers, &room, 100000, sizeof(*numbers));
    assert_within(room, 100000, 200000);
    numbers[99999] = 1;
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(numbers[i], i);
    assert_ptr_equal(mem_grow(numbers, &room, room, sizeof(*numbers)), numbers);
    free(numbers);
}

static void test_out_of_memory(void **state)
{
    char text[512];

    for (int kind = 0; kind < 2; kind++) {
        assert_int_equal(run_out_of_memory(kind, text, sizeof(text)), STATUS_INTERNAL);
        assert_string_equal(
            text, "iosweep: not enough memory; iosweep clean removes what a run leaves\n");
    }
}

static void test_buffers(void **state)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const struct {
        size_t size, align, wanted_align;
    } rows[] = {
        {1, 1, page},       {0, 1, page},        {page, page, page},          {page + 1, 512, page},
        {1 << 20, 0, page}, {100, 65536, 65536}, {3 << 20, 1 << 20, 1 << 20},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct error err = ERROR_INIT;
        unsigned char *buffer = mem_buffer(rows[i].size, rows[i].align, &err);
        assert_non_null(buffer);
        assert_false(error_is_set(&err));
        assert_int_equal((uintptr_t)buffer % rows[i].wanted_align, 0);
        for (size_t k = 0; k < rows[i].size; k++)
            assert_int_equal(buffer[k], 0);
        memset(buffer, 0xa5, rows[i].size);
        mem_buffer_free(buffer);
    }
    mem_buffer_free(NULL);
}

static void test_buffers_refused(void **state)
{
    struct error err = ERROR_INIT;

    assert_null(mem_buffer(SIZE_MAX, 4096, &err));
    assert_int_equal(err.status, STATUS_TARGET);
    assert_int_equal(err.errnum, ENOMEM);
    assert_non_null(strstr(err.action, "cannot allocate a buffer of "));
    assert_non_null(strstr(err.advice, "use smaller sizes or fewer threads"));
    err = ERROR_INIT;
    assert_null(mem_buffer(SIZE_MAX / 2, 4096, &err));
    assert_int_equal(err.errnum, ENOMEM);
    err = ERROR_INIT;
    assert_null(mem_buffer(4096, 3 * (size_t)sysconf(_SC_PAGESIZE), &err));
    assert_int_equal(err.errnum, EINVAL);
}

/* Buffers beyond the address space are refused, regardless of memory. */
static void test_buffers_beyond_addresses(void **state)
{
    const struct plan plan = {.threads_max = 1, .buffer_bytes_max = (uint64_t)PTRDIFF_MAX + 1};
    struct error err = ERROR_INIT;

    assert_int_equal(worker_check_buffers(&plan, false, &err), -1);
    assert_int_equal(err.status, STATUS_TARGET);
    assert_non_null(strstr(err.action, "the buffers need more memory than is available:"));
}

static void test_fill(void **state)
{
    /* The first three outputs of the generator for (7, 0), lowest byte first. */
    static const unsigned char known[] = {
        0xbf, 0xb1, 0x5f, 0x30, 0x92, 0xaf, 0x0a, 0x35, 0x67, 0xea, 0x24, 0x7d,
        0xec, 0x6c, 0x39, 0x6d, 0x14, 0xbe, 0x7b, 0xcc, 0xa1, 0x48, 0x21, 0x38,
    };
    enum { SIZE = 1 << 16 };
    unsigned char *one = mem_calloc(SIZE, 1), *two = mem_calloc(SIZE, 1), edge[32];
    unsigned seen[256] = {0};
    double chi_square = 0;
    size_t same = 0;
    const uint16_t order = 1;

    mem_fill_random(one, SIZE, 7);
    if (*(const unsigned char *)&order == 1)
        assert_memory_equal(one, known, sizeof(known));
    mem_fill_random(two, SIZE, 7);
    assert_memory_equal(one, two, SIZE);
    mem_fill_random(two, SIZE, 8);
    for (size_t i = 0; i < SIZE; i++) {
        same += one[i] == two[i];
        seen[one[i]]++;
    }
    assert_within(same, 128, 512); /* 1 byte in 256 by chance */
    for (size_t i = 0; i < 256; i++)
        chi_square += (seen[i] - 256.0) * (seen[i] - 256.0) / 256.0;
    assert_true(chi_square > 190 && chi_square < 330); /* 0.1 % and 99.9 % for 255 degrees */

    /* Any length and address; never past the end. */
    for (size_t length = 0; length <= 17; length++) {
        memset(edge, 0x11, sizeof(edge));
        mem_fill_random(edge + 3, length, 7);
        assert_memory_equal(edge + 3, one, length);
        assert_int_equal(edge[2], 0x11);
        assert_int_equal(edge[3 + length], 0x11);
    }
    free(one);
    free(two);
}

/* Advances by `early_ns` per reading for the first 21 * 1001 readings, then alternately by
 * `late_ns` and three times that. */
struct fake_clock {
    uint64_t now_ns, early_ns, late_ns, readings;
};

static uint64_t fake_now_ns(void *arg)
{
    struct fake_clock *fake = arg;
    if (fake->readings < UINT64_C(21) * 1001)
        fake->now_ns += fake->early_ns;
    else
        fake->now_ns += fake->readings % 2 == 0 ? fake->late_ns : 3 * fake->late_ns;
    fake->readings++;
    return fake->now_ns;
}

static void test_clock_measure(void **state)
{
    struct fake_clock fake = {.early_ns = 25, .late_ns = 40};
    struct fake_clock still = {.now_ns = 5};
    const struct clock clock = {.now_ns = fake_now_ns, .arg = &fake};
    const struct clock still_clock = {.now_ns = fake_now_ns, .arg = &still};
    struct clock_quality quality = clock_measure(&clock);
    const double cost_ns = 25.0, none_ns = 0.0;

    assert_memory_equal(&quality.cost_ns, &cost_ns, sizeof(cost_ns));
    assert_int_equal(quality.step_ns, 40);
    quality = clock_measure(&still_clock); /* terminates and reports it */
    assert_memory_equal(&quality.cost_ns, &none_ns, sizeof(none_ns));
    assert_int_equal(quality.step_ns, 0);
}

static void test_clock_monotonic(void **state)
{
    struct clock_quality quality = clock_measure(&clock_monotonic);
    uint64_t last_ns = clock_now(&clock_monotonic);
    struct timespec before, after;
    uint64_t between_ns;

    assert_true(quality.cost_ns > 0.0);
    assert_true(quality.step_ns > 0);
    for (int i = 0; i < 10000; i++) {
        uint64_t now_ns = clock_now(&clock_monotonic);
        assert_true(now_ns >= last_ns);
        last_ns = now_ns;
    }
    clock_gettime(CLOCK_MONOTONIC, &before);
    between_ns = clock_now(&clock_monotonic);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert_true(between_ns >= (uint64_t)before.tv_sec * 1000000000u + (uint64_t)before.tv_nsec);
    assert_true(between_ns <= (uint64_t)after.tv_sec * 1000000000u + (uint64_t)after.tv_nsec);
}

/* The reference: stdio, field by field. False if this kernel has no such account. */
static bool plain_io(unsigned long long *read_bytes, unsigned long long *write_bytes)
{
    unsigned long long ignored;
    FILE *file = fopen("/proc/thread-self/io", "r");
    int fields;
    if (!file)
        return false;
    fields = fscanf(file,
                    "rchar: %llu wchar: %llu syscr: %llu syscw: %llu read_bytes: %llu "
                    "write_bytes: %llu",
                    &ignored, &ignored, &ignored, &ignored, read_bytes, write_bytes);
    fclose(file);
    return fields == 6;
}

static void test_usage_io(void **state)
{
    unsigned long long read_before, write_before, read_after, write_after;
    struct usage usage;
    char name[] = "test_mem_usage_XXXXXX";
    char *block;
    int fd;

#ifndef SYSTEM_LINUX
    skip_because("nobody counts what threads read and write here");
#endif
    fd = mkstemp(name);
    assert_true(fd >= 0);
    unlink(name);
    block = mem_calloc(1, 1 << 20);
    assert_int_equal(write(fd, block, 1 << 20), 1 << 20); /* dirty pages, unless in memory only */
    if (!plain_io(&read_before, &write_before)) {
        usage_read(&usage);
        assert_false(usage.io_known);
        assert_true(usage.read_bytes == 0 && usage.write_bytes == 0);
    } else {
        usage_read(&usage);
        assert_true(plain_io(&read_after, &write_after));
        assert_true(usage.io_known);
        assert_true(usage.read_bytes >= read_before && usage.read_bytes <= read_after);
        assert_true(usage.write_bytes >= write_before && usage.write_bytes <= write_after);
    }
    close(fd);
    free(block);
}

static void test_usage_cpu(void **state)
{
    struct usage before, after;
    struct timespec cpu;
    uint64_t rounds = 0;

    usage_read(&before);
    do { /* waits until the kernel has noticed this thread's work, for no fixed time */
        usage_read(&after);
        rounds++;
    } while (after.cpu_ns == before.cpu_ns && rounds < 100000000);
    assert_true(after.cpu_ns > before.cpu_ns);
    /* Checks the unit: never more than the whole process (plus a second for its ticks). */
    assert_int_equal(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu), 0);
    assert_true(after.cpu_ns <= ((uint64_t)cpu.tv_sec + 1) * 1000000000u);
}

/* Touched memory counts as resident, address space does not. */
static void test_usage_memory(void **state)
{
    enum { BLOCK = 16 << 20, SPACE = 1 << 30 };
    uint64_t before_bytes = resident_bytes(), after_bytes;
    struct error err = ERROR_INIT;
    void *block, *space;

    space = mmap(NULL, SPACE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    block = mem_buffer(BLOCK, 4096, &err);
    assert_non_null(block);
    after_bytes = resident_bytes();
    if (before_bytes > 0) { /* the kernel counts in batches, not exactly */
        assert_true(after_bytes >= before_bytes + BLOCK / 2);
        assert_true(after_bytes < before_bytes + SPACE / 2);
    }
    assert_true(os_memory().available_bytes % 1024 == 0);
    mem_buffer_free(block);
    if (space != MAP_FAILED)
        munmap(space, SPACE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_blocks),
        cmocka_unit_test(test_growth),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_buffers),
        cmocka_unit_test(test_buffers_refused),
        cmocka_unit_test(test_buffers_beyond_addresses),
        cmocka_unit_test(test_fill),
        cmocka_unit_test(test_clock_measure),
        cmocka_unit_test(test_clock_monotonic),
        cmocka_unit_test(test_usage_io),
        cmocka_unit_test(test_usage_cpu),
        cmocka_unit_test(test_usage_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
