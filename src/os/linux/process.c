/* SPDX-License-Identifier: GPL-2.0-or-later */
/* process.c - random bytes, the terminal, and how exactly a thread wakes. */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/random.h>

int os_random(void *bytes, size_t size)
{
    const ssize_t got = getrandom(bytes, size, 0);

    return got < 0 ? -errno : got != (ssize_t)size ? -EIO : 0;
}

int os_terminal_size(int fd, unsigned *columns, unsigned *lines)
{
    struct winsize size;

    if (ioctl(fd, TIOCGWINSZ, &size) != 0)
        return -errno;
    if (size.ws_col == 0)
        return -ENOTSUP;
    *columns = size.ws_col;
    *lines = size.ws_row;
    return 0;
}

/* The kernel gathers wake-ups of ordinary threads within 50 us. */
uint64_t os_sharpen_timers(void)
{
    const int before_ns = prctl(PR_GET_TIMERSLACK);

    return before_ns > 1 && prctl(PR_SET_TIMERSLACK, 1UL) == 0 ? (uint64_t)before_ns : 0;
}

void os_sharpen_timers_undo(uint64_t before)
{
    if (before)
        (void)prctl(PR_SET_TIMERSLACK, (unsigned long)before);
}
