/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_interrupted.c - signals while a file is read: what is read is the same as without, and a
 * call that is interrupted each time comes to an end.  Here read(2) is interrupted as it is told. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "os/os.h"
#include "target/object/price.h"
#include "unit/scratch.h"

static unsigned interrupt_each; /* so many-th call; 0: none */
static unsigned calls;

ssize_t read(int fd, void *buffer, size_t bytes)
{
    const struct iovec piece = {buffer, bytes < 4 ? bytes : 4};

    if (interrupt_each > 0 && ++calls % interrupt_each == 0) {
        errno = EINTR;
        return -1;
    }
    return readv(fd, &piece, 1);
}

static void test_prices(void **state)
{
    static const char text[] = "currency = EUR\nput = 5\nget = 0.5\n";
    struct object_price price;
    char path[PATH_MAX];
    int fd = scratch_make("test_interrupted", path), file;
    (void)state;

    assert_true(fd >= 0);
    file = openat(fd, "prices", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_int_equal(write(file, text, sizeof(text) - 1), sizeof(text) - 1);
    close(file);
    close(fd);
    strcat(path, "/prices");
    for (interrupt_each = 0; interrupt_each < 4; interrupt_each++) {
        const bool reads = interrupt_each != 1;
        struct error err = ERROR_INIT;

        calls = 0;
        assert_int_equal(object_price_read(path, &price, &err), reads ? 0 : -1);
        if (reads) {
            assert_string_equal(price.currency, "EUR");
            assert_true(price.kind[OBJECT_PUT] == 5 && price.kind[OBJECT_GET] == 0.5);
        }
        if (!reads)
            assert_int_equal(err.errnum, EINTR);
    }
    *strrchr(path, '/') = '\0';
    scratch_remove(path);
}

/* What the system tells in small files, too. */
static void test_usage(void **state)
{
    struct usage undisturbed, usage;
    (void)state;

    interrupt_each = 0;
    usage_read(&undisturbed);
    interrupt_each = 2;
    usage_read(&usage);
    assert_true(usage.io_known == undisturbed.io_known);
    interrupt_each = 1;
    usage_read(&usage);
    assert_false(usage.io_known);
    interrupt_each = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prices),
        cmocka_unit_test(test_usage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
