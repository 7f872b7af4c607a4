/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_interrupted.c - signals while small system files are read: the result is the same as
 * without, and a call that is interrupted each time terminates. This test replaces read(2). */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

#include "os/os.h"

static unsigned interrupt_each; /* every n-th call; 0: none */
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

static void test_usage(void **state)
{
    struct usage undisturbed, usage;

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
        cmocka_unit_test(test_usage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
