/* SPDX-License-Identifier: GPL-2.0-or-later */
/* process.c - threads, memory, terminal and facts where only POSIX.1-2008 is known: the processor
 * time of a thread, and what os/facts.c has. */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>
#ifdef HAVE_SYS_IOCTL_H
#include <sys/ioctl.h>
#endif

/* ---- what was used, what is left ---- */

uint64_t usage_cpu_ns(void)
{
    struct timespec cpu;

    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu) != 0)
        return 0;
    return (uint64_t)cpu.tv_sec * UINT64_C(1000000000) + (uint64_t)cpu.tv_nsec;
}

void usage_read(struct usage *usage)
{
    *usage = (struct usage){.cpu_ns = usage_cpu_ns()};
}

/* No engine here has helpers in the kernel. */
void usage_read_helpers(struct usage *usage)
{
    *usage = (struct usage){.io_known = true};
}

uint64_t usage_resident_bytes(void)
{
    return 0;
}

uint64_t usage_available_bytes(void)
{
    return 0;
}

uint64_t usage_allocatable_bytes(void)
{
    return 0;
}

/* ---- threads ---- */

bool pin_possible(void)
{
    return false;
}

void pin_thread(uint32_t index)
{
    (void)index;
}

struct pin *pin_caller(void)
{
    return NULL;
}

void pin_undo(struct pin *pin)
{
    (void)pin;
}

uint64_t os_sharpen_timers(void)
{
    return 0;
}

void os_sharpen_timers_undo(uint64_t before)
{
    (void)before;
}

/* ---- the process ---- */

/* No standard names this device, but systems without it are hard to find. */
int os_random(void *bytes, size_t size)
{
    const int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    ssize_t got;
    int code;

    if (fd < 0)
        return -errno;
    got = read(fd, bytes, size);
    code = got < 0 ? -errno : got != (ssize_t)size ? -EIO : 0;
    close(fd);
    return code;
}

int os_terminal_size(int fd, unsigned *columns, unsigned *lines)
{
#ifdef TIOCGWINSZ
    struct winsize size;

    if (ioctl(fd, TIOCGWINSZ, &size) != 0)
        return -errno;
    *columns = size.ws_col;
    *lines = size.ws_row;
    return size.ws_col > 0 ? 0 : -ENOTSUP;
#else
    (void)fd;
    (void)columns;
    (void)lines;
    return -ENOTSUP;
#endif
}

/* ---- facts ---- */

void os_host_facts(const char *root, struct hostinfo *info)
{
    (void)root;
    (void)info;
}

void os_target_facts(const char *root, struct targetinfo *info)
{
    (void)root;
    (void)info;
}

void os_libc_name(char *text, size_t size)
{
    (void)size;
    text[0] = '\0';
}
