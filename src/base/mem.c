/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mem.c - memory.  Small cold allocations end the program when they fail: there is nothing sensible
 * left to do, and checking each would only add untested branches.  I/O buffers are different: the
 * user chose their size, so failing is an ordinary answer, given before the machine starts to swap
 * or the kernel kills us. */
#include "base/compat.h"

#include "base/mem.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/rng.h"
#include "os/usage.h"

typedef void (*clean_up_function)(void);

static _Atomic(clean_up_function) clean_up_once;

void mem_on_failure(void (*clean_up)(void))
{
    atomic_store(&clean_up_once, clean_up);
}

/* The hook is taken out first, so that a failure inside it cannot call it again. */
static _Noreturn void give_up(void)
{
    clean_up_function clean_up = atomic_exchange(&clean_up_once, NULL);
    if (clean_up != NULL)
        clean_up();
    log_error("not enough memory");
    exit(STATUS_INTERNAL);
}

/* count * size, at least 1 because an empty block may be answered with NULL. */
static size_t checked_product(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX)
        give_up();
    return bytes > 0 ? bytes : 1;
}

void *mem_calloc(size_t count, size_t size)
{
    void *block = calloc(1, checked_product(count, size));
    if (block == NULL)
        give_up();
    return block;
}

void *mem_realloc_array(void *old, size_t count, size_t size)
{
    void *block = realloc(old, checked_product(count, size));
    if (block == NULL)
        give_up();
    return block;
}

char *mem_strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    return memcpy(mem_realloc_array(NULL, bytes, 1), text, bytes);
}

char *mem_printf(const char *format, ...)
{
    va_list arguments, again;
    char *text;
    int n;
    va_start(arguments, format);
    va_copy(again, arguments);
    n = vsnprintf(NULL, 0, format, arguments);
    if (n < 0)
        give_up(); /* only a text beyond INT_MAX or a failed allocation inside libc */
    text = mem_realloc_array(NULL, (size_t)n + 1, 1);
    vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text;
}

static int buffer_refused(struct error *err, int errnum, size_t size_bytes)
{
    char action[96];
    uint64_t available_bytes = usage_allocatable_bytes();
    snprintf(action, sizeof(action), "cannot allocate a buffer of %zu bytes", size_bytes);
    error_set(err, STATUS_TARGET, errnum, action, NULL);
    if (available_bytes == 0)
        return error_advise(err, "use smaller sizes or fewer threads");
    return error_advise(err,
                        "%" PRIu64 " MiB of memory are available: use smaller sizes or fewer "
                        "threads",
                        available_bytes >> 20);
}

void *mem_buffer(size_t size_bytes, size_t align_bytes, struct error *err)
{
    size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE), bytes;
    uint64_t available_bytes = usage_allocatable_bytes();
    void *buffer = NULL;
    int errnum;

    if (align_bytes < page_bytes)
        align_bytes = page_bytes;
    if ((align_bytes & (align_bytes - 1)) != 0) {
        buffer_refused(err, EINVAL, size_bytes);
        return NULL;
    }
    /* Whole pages, so that nothing else shares the last one: direct I/O may pin it. */
    if (__builtin_add_overflow(size_bytes > 0 ? size_bytes : 1, page_bytes - 1, &bytes) ||
        bytes > PTRDIFF_MAX || (available_bytes > 0 && bytes > available_bytes)) {
        buffer_refused(err, ENOMEM, size_bytes);
        return NULL;
    }
    bytes -= bytes % page_bytes;
    errnum = posix_memalign(&buffer, align_bytes, bytes);
    if (errnum != 0) {
        buffer_refused(err, errnum, size_bytes);
        return NULL;
    }
    /* Writing the whole of it, not a byte per page, also keeps stale heap out of test files. */
    memset(buffer, 0, bytes);
    return buffer;
}

void mem_buffer_free(void *buffer)
{
    free(buffer);
}

void mem_fill_random(void *buffer, size_t size_bytes, uint64_t seed)
{
    unsigned char *bytes = buffer;
    struct rng rng;
    uint64_t word;

    rng_seed(&rng, seed, 0);
    for (; size_bytes >= sizeof(word); size_bytes -= sizeof(word), bytes += sizeof(word)) {
        word = rng_next(&rng);
        memcpy(bytes, &word, sizeof(word));
    }
    if (size_bytes > 0) {
        word = rng_next(&rng);
        memcpy(bytes, &word, size_bytes);
    }
}
