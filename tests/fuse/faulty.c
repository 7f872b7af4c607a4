/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* faulty.c - a filesystem (libfuse 3) that shows one directory and fails on schedule.
 *
 *     faulty [-f] BACKING MOUNTPOINT        stays in the foreground until it is unmounted
 *
 * strace can make system calls fail, but not what io_uring and aio do without any; here the failure
 * comes from below, as from a real disk.  Rules OPERATION:FAILURE:N[:GLOB], separated by commas or
 * blanks, are taken from the environment variable FAULTS and from what is written to the file
 * .faults in the root (which no listing shows): each N-th open, read, write, fsync or close fails
 * with an error as EIO, or, reads and writes, moves only half (`short`).  `all:TIMEms:1` makes each
 * call of any kind and on any file take that much longer.  Reading .faults tells of
 * each rule how many calls it saw and how many failed.
 *
 * Only regular files named f* (or GLOB) fail, and only on descriptors as measured cycles have them:
 * not the one that made the file (O_CREAT), not one opened with O_NOATIME as for filling the cache.
 * (O_NONBLOCK tells nothing: io_uring adds it to any open that it tries first.)  Each transfer of a
 * client comes here as one call (direct_io), up to 128 KiB; after `all:paged:1` it goes through the
 * page cache of the kernel, which forgets a file whenever that is opened; after `all:hide:1` lists
 * leave out names as f0 and d1; after `all:endless:1` those of
 * directories without a manifest go on with f0 for ever; after `all:stay:1` nothing is removed, and
 * no error says so; after `all:renumber:1` inode numbers change all the time. */
#include "base/compat.h"

#define FUSE_USE_VERSION 31

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <fuse.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#define CONTROL     "/.faults"
#define RULES_MAX   16u
#define RULE_TEXT   128u
#define CONTROL_MAX 4096u

enum operation { OP_OPEN, OP_READ, OP_WRITE, OP_FSYNC, OP_CLOSE, OP_COUNT };

#define SHORT (-1) /* in place of an errno */

struct rule {
    enum operation operation;
    int failure; /* errno or SHORT */
    uint64_t every;
    char glob[64];
    char text[RULE_TEXT]; /* as it was given */
    uint64_t seen, failed;
};

struct rules {
    struct rule rule[RULES_MAX];
    unsigned count;
};

/* What fi->fh stands for: an open file. */
struct file {
    int fd;       /* -1: the control file */
    bool watched; /* may fail */
    char *name;   /* without directories */
};

static atomic_uint delay_ms; /* of all calls */

/* Of all calls, as `all:paged:1`. */
enum mode { PAGED, HIDE, ENDLESS, STAY, RENUMBER, MODE_COUNT };
static const char *const mode_names[MODE_COUNT] = {"paged", "hide", "endless", "stay", "renumber"};
static atomic_bool modes[MODE_COUNT];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct rules rules; /* under lock */
static int backing_fd = -1;

/* ---- rules ---- */

static const char *const operation_names[OP_COUNT] = {"open", "read", "write", "fsync", "close"};

static const struct {
    const char *name;
    int failure;
} failure_names[] = {
    {"short", SHORT},         {"EIO", EIO},       {"EAGAIN", EAGAIN}, {"ENOENT", ENOENT},
    {"EMFILE", EMFILE},       {"ENFILE", ENFILE}, {"EACCES", EACCES}, {"ENOSPC", ENOSPC},
    {"EDQUOT", EDQUOT},       {"EROFS", EROFS},   {"ENOMEM", ENOMEM}, {"EINVAL", EINVAL},
    {"ESTALE", ESTALE},       {"EINTR", EINTR},   {"EBUSY", EBUSY},   {"EOPNOTSUPP", EOPNOTSUPP},
    {"ETIMEDOUT", ETIMEDOUT},
};

static bool find_operation(const char *word, enum operation *operation)
{
    for (unsigned i = 0; i < OP_COUNT; i++)
        if (strcmp(word, operation_names[i]) == 0) {
            *operation = (enum operation)i;
            return true;
        }
    return false;
}

static bool find_failure(const char *word, int *failure)
{
    for (size_t i = 0; i < sizeof(failure_names) / sizeof(*failure_names); i++)
        if (strcmp(word, failure_names[i].name) == 0) {
            *failure = failure_names[i].failure;
            return true;
        }
    return false;
}

/* OPERATION:FAILURE:N[:GLOB] */
static bool parse_rule(const char *text, struct rule *rule)
{
    char copy[RULE_TEXT], *next = copy, *word[4] = {NULL}, *end;

    memset(rule, 0, sizeof(*rule));
    if (strlen(text) >= sizeof(copy))
        return false;
    strcpy(copy, text);
    strcpy(rule->text, text);
    for (unsigned i = 0; i < 4; i++)
        word[i] = strsep(&next, ":");
    if (next || !word[2] || !find_operation(word[0], &rule->operation) ||
        !find_failure(word[1], &rule->failure))
        return false;
    if (rule->failure == SHORT && rule->operation != OP_READ && rule->operation != OP_WRITE)
        return false;
    errno = 0;
    rule->every = strtoull(word[2], &end, 10);
    if (errno || *end || word[2][0] < '0' || word[2][0] > '9' || rule->every == 0)
        return false;
    if (word[3] && (!word[3][0] || strlen(word[3]) >= sizeof(rule->glob)))
        return false;
    strcpy(rule->glob, word[3] ? word[3] : "f*");
    return true;
}

/* all:TIMEms:1 */
static bool parse_delay(const char *text, unsigned *ms)
{
    char end;

    return sscanf(text, "all:%5ums:1%c", ms, &end) == 1;
}

static void delay(void)
{
    const unsigned ms = atomic_load(&delay_ms);
    const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};

    if (ms)
        nanosleep(&time, NULL);
}

static bool find_mode(const char *word, bool on[MODE_COUNT])
{
    char text[RULE_TEXT];

    for (unsigned i = 0; i < MODE_COUNT; i++) {
        snprintf(text, sizeof(text), "all:%s:1", mode_names[i]);
        if (strcmp(word, text) == 0)
            return on[i] = true;
    }
    return false;
}

/* Replaces all rules, or none when one is wrong. */
static bool rules_set(const char *text, size_t size)
{
    struct rules fresh = {.count = 0};
    char copy[CONTROL_MAX], *next = copy;
    unsigned ms = 0;
    bool on[MODE_COUNT] = {false};

    if (size >= sizeof(copy))
        return false;
    memcpy(copy, text, size);
    copy[size] = '\0';
    while (next) {
        const char *word = strsep(&next, ", \t\n");
        if (!word[0] || parse_delay(word, &ms))
            continue;
        if (find_mode(word, on))
            continue;
        if (fresh.count == RULES_MAX || !parse_rule(word, &fresh.rule[fresh.count++]))
            return false;
    }
    pthread_mutex_lock(&lock);
    rules = fresh;
    atomic_store(&delay_ms, ms);
    for (unsigned i = 0; i < MODE_COUNT; i++)
        atomic_store(&modes[i], on[i]);
    pthread_mutex_unlock(&lock);
    return true;
}

static size_t rules_show(char text[CONTROL_MAX])
{
    size_t used = 0;

    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < rules.count; i++) {
        const struct rule *rule = &rules.rule[i];
        used += (size_t)snprintf(text + used, CONTROL_MAX - used, "%s seen %llu failed %llu\n",
                                 rule->text, (unsigned long long)rule->seen,
                                 (unsigned long long)rule->failed);
    }
    pthread_mutex_unlock(&lock);
    return used;
}

/* What this call is to suffer: 0, an errno or SHORT.  Each rule counts all calls that it covers;
 * the first whose turn it is decides. */
static int judge(enum operation operation, const char *name)
{
    int failure = 0;

    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < rules.count; i++) {
        struct rule *rule = &rules.rule[i];
        if (rule->operation != operation || fnmatch(rule->glob, name, 0) != 0)
            continue;
        if (++rule->seen % rule->every == 0 && !failure) {
            rule->failed++;
            failure = rule->failure;
        }
    }
    pthread_mutex_unlock(&lock);
    return failure;
}

/* ---- files ---- */

static int answer(int code)
{
    return code < 0 ? -errno : 0;
}

static const char *below(const char *path)
{
    return path[1] ? path + 1 : ".";
}

static bool is_control(const char *path)
{
    return path && strcmp(path, CONTROL) == 0;
}

static struct file *file_of(const struct fuse_file_info *info)
{
    return (struct file *)(uintptr_t)info->fh;
}

static int open_file(const char *path, int fd, bool watched, struct fuse_file_info *info)
{
    struct file *file = calloc(1, sizeof(*file));

    if (file)
        file->name = strdup(strrchr(path, '/') + 1);
    if (!file || !file->name) {
        free(file);
        if (fd >= 0)
            close(fd);
        return -ENOMEM;
    }
    file->fd = fd;
    file->watched = watched;
    info->fh = (uintptr_t)file;
    info->direct_io = !atomic_load(&modes[PAGED]);
    return 0;
}

/* The kernel's buffers here are not aligned as O_DIRECT needs them, and its writes say where. */
static int backing_flags(int flags)
{
    return (flags & ~(O_DIRECT | O_APPEND)) | O_CLOEXEC;
}

static int faulty_open(const char *path, struct fuse_file_info *info)
{
    const char *name = strrchr(path, '/') + 1;
    const bool watched = name[0] == 'f' && !(info->flags & O_NOATIME);
    const int failure = watched ? judge(OP_OPEN, name) : 0;
    int fd;

    delay();
    if (is_control(path))
        return open_file(path, -1, false, info);
    if (failure)
        return -failure;
    fd = openat(backing_fd, below(path), backing_flags(info->flags));
    return fd < 0 ? -errno : open_file(path, fd, watched, info);
}

static int faulty_create(const char *path, mode_t mode, struct fuse_file_info *info)
{
    const int fd = openat(backing_fd, below(path), backing_flags(info->flags) | O_CREAT, mode);

    delay();
    return fd < 0 ? -errno : open_file(path, fd, false, info);
}

static int faulty_read(const char *path, char *buffer, size_t size, off_t offset,
                       struct fuse_file_info *info)
{
    const struct file *file = file_of(info);
    const int failure = file->watched ? judge(OP_READ, file->name) : 0;
    ssize_t moved;

    delay();
    (void)path;
    if (file->fd < 0) {
        char text[CONTROL_MAX];
        const size_t length = rules_show(text), from = (size_t)offset;
        const size_t left = from < length ? length - from : 0;
        const size_t given = left < size ? left : size;
        memcpy(buffer, text + (left ? from : 0), given);
        return (int)given;
    }
    if (failure > 0)
        return -failure;
    moved = pread(file->fd, buffer, failure == SHORT ? size / 2 : size, offset);
    return moved < 0 ? -errno : (int)moved;
}

static int faulty_write(const char *path, const char *buffer, size_t size, off_t offset,
                        struct fuse_file_info *info)
{
    const struct file *file = file_of(info);
    const int failure = file->watched ? judge(OP_WRITE, file->name) : 0;
    ssize_t moved;

    delay();
    (void)path;
    if (file->fd < 0)
        return rules_set(buffer, size) ? (int)size : -EINVAL;
    if (failure > 0)
        return -failure;
    moved = pwrite(file->fd, buffer, failure == SHORT ? size / 2 : size, offset);
    return moved < 0 ? -errno : (int)moved;
}

static int faulty_fsync(const char *path, int data_only, struct fuse_file_info *info)
{
    const struct file *file = file_of(info);
    const int failure = file->watched ? judge(OP_FSYNC, file->name) : 0;

    delay();
    (void)path;
    if (failure || file->fd < 0)
        return -failure;
    return answer(data_only ? fdatasync(file->fd) : fsync(file->fd));
}

/* close(2) of the client; the descriptor is gone there whatever this returns. */
static int faulty_flush(const char *path, struct fuse_file_info *info)
{
    const struct file *file = file_of(info);

    delay();
    (void)path;
    return file->watched ? -judge(OP_CLOSE, file->name) : 0;
}

static int faulty_release(const char *path, struct fuse_file_info *info)
{
    struct file *file = file_of(info);

    (void)path;
    if (file->fd >= 0)
        close(file->fd);
    free(file->name);
    free(file);
    return 0;
}

static int faulty_fallocate(const char *path, int mode, off_t offset, off_t length,
                            struct fuse_file_info *info)
{
    const struct file *file = file_of(info);

    delay();
    (void)path;
    return file->fd < 0 ? -EOPNOTSUPP : answer(fallocate(file->fd, mode, offset, length));
}

/* ---- what never fails ---- */

/* A result for st, with another inode number each time. */
static int renumbered(int code, struct stat *st)
{
    static atomic_uint calls;

    if (code == 0 && atomic_load(&modes[RENUMBER]))
        st->st_ino = 1000 + atomic_fetch_add(&calls, 1);
    return answer(code);
}

static int faulty_getattr(const char *path, struct stat *st, struct fuse_file_info *info)
{
    delay();
    if (is_control(path) || (info && file_of(info)->fd < 0)) {
        memset(st, 0, sizeof(*st));
        st->st_mode = S_IFREG | 0600;
        st->st_nlink = 1;
        st->st_uid = geteuid();
        st->st_gid = getegid();
        return 0;
    }
    if (info)
        return renumbered(fstat(file_of(info)->fd, st), st);
    return renumbered(fstatat(backing_fd, below(path), st, AT_SYMLINK_NOFOLLOW), st);
}

static int faulty_truncate(const char *path, off_t length, struct fuse_file_info *info)
{
    int fd, code;

    delay();
    if (is_control(path) || (info && file_of(info)->fd < 0))
        return 0;
    if (info)
        return answer(ftruncate(file_of(info)->fd, length));
    fd = openat(backing_fd, below(path), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return -errno;
    code = answer(ftruncate(fd, length));
    close(fd);
    return code;
}

static int faulty_chmod(const char *path, mode_t mode, struct fuse_file_info *info)
{
    delay();
    if (info)
        return answer(fchmod(file_of(info)->fd, mode));
    return answer(fchmodat(backing_fd, below(path), mode, 0));
}

static int faulty_utimens(const char *path, const struct timespec times[2],
                          struct fuse_file_info *info)
{
    delay();
    if (info)
        return answer(futimens(file_of(info)->fd, times));
    return answer(utimensat(backing_fd, below(path), times, AT_SYMLINK_NOFOLLOW));
}

static int faulty_mkdir(const char *path, mode_t mode)
{
    delay();
    return answer(mkdirat(backing_fd, below(path), mode));
}

static int faulty_unlink(const char *path)
{
    delay();
    return atomic_load(&modes[STAY]) ? 0 : answer(unlinkat(backing_fd, below(path), 0));
}

static int faulty_rmdir(const char *path)
{
    delay();
    return atomic_load(&modes[STAY]) ? 0 : answer(unlinkat(backing_fd, below(path), AT_REMOVEDIR));
}

static int faulty_rename(const char *from, const char *to, unsigned flags)
{
    delay();
    return answer(renameat2(backing_fd, below(from), backing_fd, below(to), flags));
}

static int faulty_statfs(const char *path, struct statvfs *fs)
{
    delay();
    (void)path;
    return answer(fstatvfs(backing_fd, fs));
}

static int faulty_opendir(const char *path, struct fuse_file_info *info)
{
    const int fd = openat(backing_fd, below(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);

    delay();
    if (!dir) {
        const int code = -errno;
        if (fd >= 0)
            close(fd);
        return code;
    }
    info->fh = (uintptr_t)dir;
    return 0;
}

static int faulty_readdir(const char *path, void *list, fuse_fill_dir_t fill, off_t offset,
                          struct fuse_file_info *info, enum fuse_readdir_flags flags)
{
    DIR *dir = (DIR *)(uintptr_t)info->fh;
    const struct dirent *entry;

    delay();
    (void)path;
    (void)flags;
    while (atomic_load(&modes[ENDLESS]) && faccessat(dirfd(dir), "MANIFEST-1", F_OK, 0) != 0)
        if (fill(list, "f0", NULL, ++offset, (enum fuse_fill_dir_flags)0))
            return 0;
    rewinddir(dir); /* entries are given all at once, without places of their own */
    while ((entry = readdir(dir)))
        if (!(atomic_load(&modes[HIDE]) && fnmatch("[df][0-9]*", entry->d_name, 0) == 0) &&
            fill(list, entry->d_name, NULL, 0, (enum fuse_fill_dir_flags)0))
            return -ENOMEM;
    return 0;
}

static int faulty_releasedir(const char *path, struct fuse_file_info *info)
{
    (void)path;
    closedir((DIR *)(uintptr_t)info->fh);
    return 0;
}

static void *faulty_init(struct fuse_conn_info *connection, struct fuse_config *config)
{
    (void)connection;
    config->use_ino = 1;     /* the numbers below stay the same, ours need not */
    config->hard_remove = 1; /* no .fuse_hidden files */
    config->nullpath_ok = 1;
    return NULL;
}

static const struct fuse_operations operations = {
    .getattr = faulty_getattr,
    .mkdir = faulty_mkdir,
    .unlink = faulty_unlink,
    .rmdir = faulty_rmdir,
    .rename = faulty_rename,
    .chmod = faulty_chmod,
    .truncate = faulty_truncate,
    .open = faulty_open,
    .read = faulty_read,
    .write = faulty_write,
    .statfs = faulty_statfs,
    .flush = faulty_flush,
    .release = faulty_release,
    .fsync = faulty_fsync,
    .opendir = faulty_opendir,
    .readdir = faulty_readdir,
    .releasedir = faulty_releasedir,
    .init = faulty_init,
    .create = faulty_create,
    .utimens = faulty_utimens,
    .fallocate = faulty_fallocate,
};

int main(int argc, char **argv)
{
    const int first = argc == 4 && strcmp(argv[1], "-f") == 0 ? 2 : 1;
    const char *faults = getenv("FAULTS");
    char foreground[] = "-f", option[] = "-o", name[] = "fsname=faulty";
    char *arguments[] = {argv[0], foreground, option, name, NULL, NULL};

    if (argc != first + 2) {
        fprintf(stderr, "usage: faulty [-f] BACKING MOUNTPOINT\n");
        return 2;
    }
    if (faults && !rules_set(faults, strlen(faults))) {
        fprintf(stderr, "faulty: wrong rule in FAULTS: %s\n", faults);
        return 2;
    }
    backing_fd = open(argv[first], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (backing_fd < 0) {
        fprintf(stderr, "faulty: cannot open %s: %s\n", argv[first], strerror(errno));
        return 1;
    }
    umask(0); /* the kernel has applied the client's */
    arguments[4] = argv[first + 1];
    return fuse_main(5, arguments, &operations, NULL);
}
