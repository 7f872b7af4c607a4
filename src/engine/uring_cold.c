/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* uring_cold.c - parts of the engine io_uring that need no ring: options, messages for what kernels
 * refuse, and real descriptors. */
#include "base/compat.h"

#include "engine/uring_cold.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mem.h"
#include "engine/file.h"
#include "os/linux/kernel.h"

#ifdef HAVE_LIBAIO
#define OTHERS "use --engine posix or libaio"
#else
#define OTHERS "use --engine posix"
#endif

/* ---- options ---- */

static const char *const fixed_choices[] = {"auto", "on", "off", NULL};

#define FIELD(member) offsetof(struct uring_options, member)

/* clang-format off */
const struct option_row uring_options_table[] = {
    {.name = "io_uring.sqpoll", .type = OPTION_FLAG, .offset = FIELD(sqpoll),
     .help = "engine io_uring: a kernel thread submits (SQPOLL)", .group = "Engines"},
    {.name = "io_uring.iopoll", .type = OPTION_FLAG, .offset = FIELD(iopoll),
     .help = "engine io_uring: poll the device, no interrupts", .group = "Engines"},
    {.name = "io_uring.link", .type = OPTION_FLAG, .offset = FIELD(link),
     .help = "engine io_uring: each cycle as one chain", .group = "Engines"},
    {.name = "io_uring.fixed", .argument = "HOW", .type = OPTION_CHOICE, .offset = FIELD(fixed),
     .choices = fixed_choices, .fallback = "auto", .help = "register buffers: auto, on, off",
     .group = "Engines"},
    {.name = NULL},
};
/* clang-format on */

struct uring_options uring_options_of(const void *block)
{
    struct uring_options options = {.sqpoll = false};

    option_defaults(uring_options_table, &options);
    return block ? *(const struct uring_options *)block : options;
}

int uring_options_check(const struct uring_options *options, const struct workload *work,
                        struct error *err)
{
    if (options->link && (options->fixed == URING_FIXED_OFF || options->iopoll))
        return error_refuse(err, STATUS_USAGE, "chains of io_uring need files opened in the ring",
                            NULL, "leave out --io_uring.link or --io_uring.%s",
                            options->iopoll ? "iopoll" : "fixed=off");
    if (options->link && work && work->keep_open)
        return error_refuse(err, STATUS_USAGE, "files that stay open leave nothing to chain", NULL,
                            "leave out --io_uring.link, or --keep-open and test fill");
    if (options->iopoll && work && work->cache != CACHE_DIRECT)
        return error_refuse(err, STATUS_USAGE,
                            "only I/O that bypasses the page cache can be polled", NULL,
                            "add -b (--cache direct), or leave out --io_uring.iopoll");
    return 0;
}

/* The version at build time; a shared library loaded instead must be compatible with it. */
const char *uring_library(void)
{
    return "liburing" BUILT_LIBURING;
}

/* ---- what a kernel refuses ---- */

size_t uring_lockable_bytes(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {{0}};
    struct rlimit limit;

    if (syscall(SYS_capget, &header, data) == 0 && (data[0].effective & (1u << CAP_IPC_LOCK)))
        return SIZE_MAX;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur > SIZE_MAX)
        return SIZE_MAX;
    return (size_t)limit.rlim_cur;
}

static const char *why_not_permitted(void)
{
    char word = '0';
    const int fd = open("/proc/sys/kernel/io_uring_disabled", O_RDONLY | O_CLOEXEC);

    if (fd >= 0) {
        if (read(fd, &word, 1) != 1)
            word = '0';
        close(fd);
    }
    if (word == '2')
        return "io_uring is switched off (kernel.io_uring_disabled=2)";
    if (word == '1')
        return "io_uring is limited to members of the io_uring_group (kernel.io_uring_disabled=1)";
    return "io_uring is not permitted here (container or seccomp)";
}

int uring_refuse_ring(int code, struct error *err)
{
    if (code == -ENOMEM)
        return error_refuse(err, STATUS_TARGET, "io_uring needs more locked memory than is allowed",
                            NULL, "raise the limit of locked memory (ulimit -l), or " OTHERS);
    if (code == -ENOSYS)
        error_set(err, STATUS_TARGET, 0, "this kernel has no io_uring", NULL);
    else if (code == -EPERM)
        error_set(err, STATUS_TARGET, 0, why_not_permitted(), NULL);
    else
        error_set(err, STATUS_TARGET, -code, "cannot set up io_uring", NULL);
    return error_advise(err, OTHERS);
}

int uring_refuse_chains(int code, struct error *err)
{
    error_set(err, STATUS_TARGET, -code, "cannot open files in the ring, which chains need", NULL);
    return error_advise(err, "leave out --io_uring.link");
}

int uring_refuse_depth(struct error *err)
{
    error_set(err, STATUS_TARGET, EMFILE, "cannot keep a file open for each operation in flight",
              NULL);
    return error_advise(err, "use a smaller --depth, or raise the limit of open files (ulimit -n)");
}

int uring_refuse_buffers(int code, struct error *err)
{
    error_set(err, STATUS_TARGET, -code, "cannot register the buffers with io_uring", NULL);
    if (code == -EFBIG)
        return error_advise(err,
                            "the limit is 1 GiB: use a smaller --depth or --max-size, or leave out "
                            "--io_uring.fixed=on");
    return error_advise(err, "raise the limit of locked memory (ulimit -l), or leave out "
                             "--io_uring.fixed=on");
}

int uring_refuse_polling(int code, const struct target *target, struct error *err)
{
    if (code != -EOPNOTSUPP)
        return error_set(err, STATUS_TARGET, -code, "cannot read by polling", target->name[0]);
    return error_refuse(
        err, STATUS_TARGET, "the file system or device has no polled I/O:", target->place,
        "leave out --io_uring.iopoll (NVMe drives need nvme.poll_queues=N on the kernel command "
        "line)");
}

/* ---- real descriptors ---- */

void uring_fds_grow(struct uring_fds *fds, uint32_t count)
{
    if (fds->count >= count)
        return;
    fds->fd = mem_realloc_array(fds->fd, count, sizeof(*fds->fd));
    while (fds->count < count)
        fds->fd[fds->count++] = -1;
}

int64_t uring_fds_open_one(struct uring_fds *fds, uint32_t place, const struct opener *opener,
                           uint32_t object)
{
    const int fd = opener_open(opener, object);

    fds->fd[place] = fd;
    return fd < 0 ? -errno : 0;
}

int64_t uring_fds_close_one(struct uring_fds *fds, uint32_t place)
{
    const int fd = fds->fd[place];

    fds->fd[place] = -1;
    return close(fd) < 0 && errno != EINTR ? -errno : 0; /* closed even after EINTR */
}

int uring_fds_open(struct uring_fds *fds, const struct workload *work, const struct opener *opener,
                   struct error *err)
{
    const struct target *target = work->target;
    const bool waits = !(opener->how.flags & O_NONBLOCK);
    struct opener own = *opener;

    own.how.flags |= O_NONBLOCK; /* a FIFO in place of a file would block the call */
    uring_fds_grow(fds, work->object_count);
    for (uint32_t i = 0; i < work->object_count; i++) {
        unsigned again = 0;
        int code;
        do
            code = (int)uring_fds_open_one(fds, i, &own, i);
        while (code == -EINTR && again++ < ENGINE_AGAIN_MOST);
        if (code < 0) {
            uring_fds_close(fds);
            error_set(err, STATUS_TARGET, -code, "cannot open", target->name[i]);
            if (code == -EMFILE)
                error_advise(err, "raise the limit of open files (ulimit -n)");
            return -1;
        }
        if (waits)
            (void)fcntl(fds->fd[i], F_SETFL, fcntl(fds->fd[i], F_GETFL) & ~O_NONBLOCK);
        file_give_advice(fds->fd[i], work->readahead);
    }
    return 0;
}

int uring_advice(enum readahead_mode mode)
{
    static const int advice[READAHEAD_COUNT] = {
        [READAHEAD_NORMAL] = POSIX_FADV_NORMAL,
        [READAHEAD_NONE] = POSIX_FADV_RANDOM,
        [READAHEAD_SEQUENTIAL] = POSIX_FADV_SEQUENTIAL,
        [READAHEAD_WILLNEED] = POSIX_FADV_WILLNEED,
    };
    return advice[mode];
}

void uring_fds_close(struct uring_fds *fds)
{
    for (uint32_t i = 0; i < fds->count; i++)
        if (fds->fd[i] >= 0) {
            close(fds->fd[i]);
            fds->fd[i] = -1;
        }
}
