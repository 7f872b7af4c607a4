/* SPDX-License-Identifier: GPL-2.0-or-later */
/* os.c - what all systems do alike with what os.h has of each. */
#include "base/compat.h"

#include "os/os.h"

#include <time.h>
#include <unistd.h>

#include "base/clock.h"

uint64_t os_random_number(void)
{
    uint64_t number;

    if (os_random(&number, sizeof(number)) == 0)
        return number;
    return ((uint64_t)getpid() << 32) ^ ((uint64_t)time(NULL) << 20) ^ clock_monotonic_ns();
}

unsigned os_terminal_columns(int fd)
{
    unsigned columns, lines;

    return os_terminal_size(fd, &columns, &lines) == 0 ? columns : 0;
}
