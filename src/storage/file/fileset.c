/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fileset.c - the files of a run and their names, derived from its set; makes and fills them: first
 * checks what can be checked, then makes the directory, the manifest, the subdirectories and the
 * files.  On any failure removes everything again (fileset_remove.c). */
#include "base/compat.h"

#include "storage/file/fileset.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/units.h"
#include "engine/file.h"
#include "os/beneath.h"
#include "os/memory.h"
#include "os/os.h"
#include "storage/fresh.h"
#include "storage/pattern.h"

#define TELL_NS     UINT64_C(500000000) /* between manifests that count the complete files */
#define BLOCK_BYTES ((size_t)1 << 20)   /* maximum of a write */

/* Data are flushed to the storage in steps that grow while they are fast: since write-back cannot
 * be interrupted, a signal or the end of the time for filling waits for one step at most. */
#define STEP_FIRST_BYTES (UINT64_C(64) << 10)
#define STEP_GROWTH      4
#define STEP_QUICK_NS    UINT64_C(100000000)

/* ---- the layout ---- */

void fileset_plan(struct life_manifest *manifest, const struct target_request *request)
{
    const bool tree = !request->single_file;
    struct life_set *set = mem_calloc(1, sizeof(*set));

    set->kind = LIFE_TREE;
    set->size_bytes = request->file_bytes;
    set->levels = tree ? request->levels : 0;
    set->width = tree ? request->width : 0;
    if (!tree || set->levels > 0)
        set->count = life_tree_files(set);
    *manifest = (struct life_manifest){.storage = LIFE_FILES, .set_count = 1, .set = set};
    if (request->size_count == 0 || request->size_count > LIFE_SIZES_MAX)
        return;
    memcpy(manifest->sizes_bytes, request->size_bytes, request->size_count * sizeof(uint64_t));
    manifest->size_count = (unsigned)number_distinct(manifest->sizes_bytes, request->size_count);
}

uint64_t fileset_directories(const struct life_set *set)
{
    uint64_t directories = 0, in_level = 1;

    for (uint64_t level = 1; set->count > 0 && level < set->levels; level++) {
        in_level *= set->width;
        directories += in_level;
    }
    return directories;
}

char *fileset_name(const struct life_set *set, uint64_t index, char *text, size_t text_size)
{
    unsigned digit[LIFE_LEVELS_MAX] = {0};
    unsigned levels = 1;
    size_t used = 0;

    if (text_size > 0)
        text[0] = '\0';

    if (set->levels > 0 && set->levels <= LIFE_LEVELS_MAX && set->width > 0) {
        levels = (unsigned)set->levels;
        for (unsigned level = levels; level-- > 0; index /= set->width)
            digit[level] = (unsigned)(index % set->width);
    }
    for (unsigned level = 0; level < levels && used < text_size; level++) {
        bool last = level + 1 == levels;
        int n = snprintf(text + used, text_size - used, last ? "f%u" : "d%u/", digit[level]);

        used += n > 0 ? (size_t)n : 0;
    }
    return text;
}

bool fileset_fresh_number(const char *name, uint64_t threads, uint64_t *thread, uint64_t *number)
{
    static const char within[] = FRESH_DIRECTORY "/t";
    const char *at = name + strlen(within);

    return strncmp(name, within, strlen(within)) == 0 && number_take(&at, thread) &&
           *thread < threads && *at == '/' && fresh_is_name(at + 1) && number_read(at + 2, number);
}

char *fileset_directory_name(const struct life_manifest *manifest, char *text)
{
    snprintf(text, FILESET_DIRECTORY_MAX, LIFE_PREFIX "%s", manifest->run_name);
    return text;
}

/* ---- creation ---- */

struct maker {
    struct fileset *set;
    int dir_fd;
    const char *parent_path;
    char *path; /* of the directory, for messages; owned */
    struct life_manifest *manifest;
    uint64_t told_ns; /* when a manifest last counted the files */
    const struct target_request *request;
    bool preallocate;
    bool syncs_each; /* no call flushes all files together */
    uint64_t done_bytes, total_bytes;
    struct pace pace;
    struct pattern pattern;
    void *block; /* of BLOCK_BYTES */
    struct {
        uint64_t bytes, open_bytes, begun_ns; /* of the current step: minimum, so far */
    } step;
    uint64_t begin_ns, limit_ns; /* of filling; limit 0: none */
    struct fileset_filled filled;
    int fd; /* the file being filled */
};

int fileset_creation_failed(struct error *err, int errnum, const char *action, const char *path)
{
    error_set(err, STATUS_TARGET, errnum, action, path);
    if (errnum == EROFS)
        error_advise(err, "use -r to read the files there");
    else if (errnum == EACCES || errnum == EPERM)
        error_advise(err, "name a directory you can write to, or use -r to read files there");
    else if (errnum == ENOSPC || errnum == EDQUOT)
        error_advise(err, "make room or use a smaller -l, --levels or --width");
    else if (errnum == EFBIG)
        error_advise(err, "use a smaller -l, or raise the limit (ulimit -f)");
    else
        file_advise(err, errnum);
    return -1;
}

static int interrupted(const struct maker *maker, struct error *err)
{
    return error_set(err, STATUS_PARTIAL, EINTR, "interrupted while filling", maker->parent_path);
}

/* Space for new files, in bytes; below 0: unknown.  ramfs reports none, and takes memory until the
 * machine hangs. */
static double room(int parent_fd, const struct statvfs *fs)
{
    uint64_t memory_bytes;

    if (fs->f_blocks > 0)
        return (double)fs->f_bavail * (double)fs->f_frsize;
    memory_bytes = os_traits(parent_fd) & OS_IN_MEMORY ? os_memory().available_bytes : 0;
    return memory_bytes > 0 ? (double)memory_bytes : -1;
}

int fileset_check(const struct fileset *set, bool replaces, struct error *err)
{
    const struct life_set *tree = set->manifest->set;
    uint64_t files = tree->count;
    char needed[UNITS_TEXT], more[UNITS_TEXT];
    double free_bytes, needed_bytes;
    struct statvfs fs;

    if (files == 0)
        return error_refuse(err, STATUS_USAGE, "cannot create such a set of test files", NULL,
                            "use 1 to %u files in 1 to %u levels, less than 8 EiB in total",
                            LIFE_OBJECTS_MAX, LIFE_LEVELS_MAX);
    if (fstatvfs(set->parent_fd, &fs) != 0)
        return error_set(err, STATUS_TARGET, errno, "cannot determine the free space in",
                         set->parent_path);
    free_bytes = room(set->parent_fd, &fs);
    /* files that operations make and remove again are not counted; if a run is replaced, removing
     * it makes room */
    if (free_bytes < 0 || fs.f_frsize == 0 || set->unfilled || replaces)
        return 0;
    /* Files occupy whole blocks; adds a tenth for metadata.  Doubles do not overflow. */
    needed_bytes = (double)((tree->size_bytes + fs.f_frsize - 1) / fs.f_frsize) *
                   (double)fs.f_frsize * (double)files * 1.1;
    if (needed_bytes > free_bytes) {
        error_set(err, STATUS_TARGET, ENOSPC, "cannot create test files in", set->parent_path);
        return error_advise(err,
                            "%s are needed, %s more than are free: make room or use a smaller -l, "
                            "--levels or --width",
                            units_format_bytes(needed_bytes, needed),
                            units_format_bytes(needed_bytes - free_bytes, more));
    }
    if (fs.f_files > 0 && fs.f_favail < files + fileset_directories(tree) + 2) {
        error_set(err, STATUS_TARGET, ENOSPC, "cannot create test files in", set->parent_path);
        return error_advise(err, "too few free inodes: use smaller --levels or --width");
    }
    return 0;
}

void fileset_hold(struct fileset *set, int dir_fd)
{
    struct stat st;
    const bool known = fstat(dir_fd, &st) == 0;

    set->device = known ? (uint64_t)st.st_dev : 0;
    set->inode = known ? (uint64_t)st.st_ino : 0;
    set->held_fd = dir_fd;
}

/* Makes the directory and locks it.  A file system without locks is not an error. */
static int make_top(struct maker *maker, struct error *err)
{
    const int parent_fd = maker->set->parent_fd;
    char directory[FILESET_DIRECTORY_MAX];
    struct stat st;

    fileset_directory_name(maker->manifest, directory);
    if (mkdirat(parent_fd, directory, FILESET_MODE) != 0) {
        const int code = errno;
        /* /proc exists, and takes no names */
        const bool exists = fstat(parent_fd, &st) == 0 && st.st_nlink > 0;

        return fileset_creation_failed(err, code == ENOENT && exists ? EPERM : code,
                                       "cannot create test files in", maker->parent_path);
    }
    maker->dir_fd =
        os_open_at(parent_fd, directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
    if (maker->dir_fd < 0) {
        fileset_creation_failed(err, errno, "cannot open the directory created in",
                                maker->parent_path);
        (void)unlinkat(parent_fd, directory, AT_REMOVEDIR);
        return -1;
    }
    /* BSDs make it without the mark; a group inherited from the directory above stays */
    if (fstat(maker->dir_fd, &st) == 0 && !(st.st_mode & FILESET_MARK))
        (void)fchmod(maker->dir_fd, (st.st_mode & 07777) | FILESET_MARK);
    fileset_hold(maker->set, maker->dir_fd);
    maker->set->made = true;
    if (os_lock(maker->dir_fd, true) == -EWOULDBLOCK)
        return fileset_creation_failed(err, errno, "another process is cleaning up in",
                                       maker->parent_path);
    return 0;
}

static int make_manifest(struct maker *maker, struct error *err)
{
    struct error own = ERROR_INIT;
    struct fileset_place run;
    int code;

    maker->manifest->set->made = 0;
    maker->manifest->state = (struct life_state){.begun_s = (int64_t)time(NULL)};
    life_own(maker->manifest);
    code =
        life_begin(fileset_place(&run, maker->dir_fd, maker->path, false), maker->manifest, &own);
    maker->told_ns = clock_now(&clock_monotonic);
    return code == 0 ? 0
                     : fileset_creation_failed(err, code > 0 ? EEXIST : own.errnum,
                                               "cannot write the manifest in", maker->parent_path);
}

/* Puts a manifest with the number of complete files: periodically and at the end; while a long file
 * is filled, only to renew the run. */
static int count_made(struct maker *maker, uint64_t files, bool all, struct error *err)
{
    const uint64_t now_ns = clock_now(&clock_monotonic);
    struct life_manifest *manifest = maker->manifest;
    const uint64_t due_ns = files == manifest->set->made ? LIFE_FILES_S * NS_PER_S
                            : all                        ? 0
                                                         : TELL_NS;
    struct error own = ERROR_INIT;

    if (now_ns - maker->told_ns < due_ns)
        return 0;
    manifest->set->made = (uint32_t)files;
    maker->told_ns = now_ns;
    if (fileset_go_on(maker->dir_fd, maker->path, manifest, &own) == 0)
        return 0;
    return fileset_creation_failed(err, own.errnum, "cannot write the manifest in",
                                   maker->parent_path);
}

/* Makes the directories whose first file this is: their names are prefixes of the file's name.  If
 * time does not suffice for all files, the others get none. */
static int make_directories(struct maker *maker, uint64_t index, const char *name)
{
    const struct life_manifest *manifest = maker->manifest;
    uint64_t files = manifest->set->count;
    char directory[FILESET_NAME_MAX];
    const char *end = name;
    int code = 0;

    while (code == 0 && (end = strchr(end, '/')) != NULL) {
        files /= manifest->set->width;
        snprintf(directory, sizeof(directory), "%.*s", (int)(end++ - name), name);
        if (index % files == 0) {
            code = beneath_mkdir(maker->dir_fd, directory);
            maker->filled.directories += code == 0;
        }
    }
    return code;
}

/* Makes the directories in which operations create names. */
static int make_fresh(struct maker *maker, struct error *err)
{
    const uint64_t threads = maker->manifest->threads;
    int code = threads > 0 ? beneath_mkdir(maker->dir_fd, FRESH_DIRECTORY) : 0;

    for (uint64_t i = 0; i < threads && code == 0; i++) {
        char name[48];

        if (flag_read(maker->request->stop) != 0)
            return interrupted(maker, err);
        snprintf(name, sizeof(name), FRESH_DIRECTORY "/t%u", (unsigned)i);
        code = beneath_mkdir(maker->dir_fd, name);
    }
    return code == 0 ? 0
                     : fileset_creation_failed(err, -code, "cannot create directories in",
                                               maker->parent_path);
}

/* Flushes the data written so far to the storage: the file being filled, or all files if the step
 * includes earlier ones. */
static int end_step(struct maker *maker)
{
    const uint64_t before_bytes = maker->filled.files * maker->manifest->set->size_bytes;
    uint64_t now_ns;
    int code = -ENOTSUP;

    if (maker->step.open_bytes > maker->done_bytes - before_bytes)
        code = os_sync_file_system(maker->dir_fd);
    if (code == -ENOTSUP)
        code = os_sync_data(maker->fd) != 0 && errno != EINTR && errno != EINVAL ? -errno : 0;
    now_ns = clock_now(&clock_monotonic);
    if (now_ns - maker->step.begun_ns <= STEP_QUICK_NS &&
        maker->step.bytes < UINT64_MAX / STEP_GROWTH)
        maker->step.bytes *= STEP_GROWTH;
    maker->step.open_bytes = 0;
    maker->step.begun_ns = now_ns;
    return code;
}

/* 1: half of the time for filling passed within the first file, which is long enough then: if all
 * of it took longer, operations of its size would be slow as well. */
static int see_written(struct maker *maker, uint64_t bytes)
{
    const struct target_request *request = maker->request;
    struct error ignored = ERROR_INIT; /* retried at the end of the file */
    int code;

    maker->done_bytes += bytes;
    (void)count_made(maker, maker->manifest->set->made, false, &ignored);
    if (request->progress && pace_due(&maker->pace))
        request->progress(request->progress_arg, "filling", maker->done_bytes, maker->total_bytes);
    if (flag_read(request->stop) != 0)
        return -EINTR;
    maker->step.open_bytes += bytes;
    if (maker->step.open_bytes < maker->step.bytes)
        return 0;
    code = end_step(maker);
    if (code != 0 || maker->filled.files > 0)
        return code;
    return maker->limit_ns && maker->step.begun_ns - maker->begin_ns > maker->limit_ns / 2;
}

/* Fills with generation 0 of the pattern, unique and incompressible, so that no file system, array
 * or cloud can avoid the work of storing or reading it.  Returns 0 or -errno, with the offset in
 * *offset_bytes. */
static int fill_file(struct maker *maker, uint64_t index, uint64_t *offset_bytes)
{
    const uint64_t file_bytes = maker->manifest->set->size_bytes;
    unsigned again = 0;

    while (*offset_bytes < file_bytes) {
        const uint64_t left = file_bytes - *offset_bytes;
        const uint64_t most = maker->step.bytes < BLOCK_BYTES ? maker->step.bytes : BLOCK_BYTES;
        const size_t size_bytes = (size_t)(left < most ? left : most);
        ssize_t done;
        int code;

        pattern_make(&maker->pattern, index, *offset_bytes, size_bytes, 0, maker->block);
        done = write(maker->fd, maker->block, size_bytes);
        if (done < 0 && errno == EINTR && again++ < ENGINE_AGAIN_MOST)
            continue;
        if (done <= 0)
            return done < 0 ? -errno : -EIO;
        *offset_bytes += (uint64_t)done;
        code = see_written(maker, (uint64_t)done);
        if (code != 0)
            return code < 0 ? code : 0;
    }
    return 0;
}

/* Allocates space first: early ENOSPC, long extents.  Memory has no extents, and it costs 10 %. */
static int preallocate(const struct maker *maker, int fd)
{
    unsigned again = 0;

    int code = 0;

    do
        code = maker->preallocate ? os_reserve(fd, maker->manifest->set->size_bytes) : 0;
    while (code == -EINTR && flag_read(maker->request->stop) == 0 && again++ < ENGINE_AGAIN_MOST);
    return code == -ENOTSUP ? 0 : code;
}

static int make_file(struct maker *maker, uint64_t index, struct error *err)
{
    char name[FILESET_NAME_MAX], path[PATH_MAX];
    uint64_t offset_bytes = 0;
    int fd, code = make_directories(maker, index,
                                    fileset_name(maker->manifest->set, index, name, sizeof(name)));

    if (code != 0)
        return fileset_creation_failed(err, -code, "cannot create directories in",
                                       maker->parent_path);
    fd = beneath_open(maker->dir_fd, name, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (fd < 0)
        return fileset_creation_failed(err, -fd, "cannot create test files in", maker->parent_path);
    maker->fd = fd;
    code = maker->set->empty ? 0 : preallocate(maker, fd);
    if (code == 0 && !maker->set->empty)
        code = fill_file(maker, index, &offset_bytes);
    if (code >= 0 && maker->syncs_each && !maker->set->empty && os_sync_data(fd) != 0)
        code = -errno;
    if (close(fd) != 0 && errno != EINTR && code == 0)
        code = -errno;
    if (code == 0) {
        maker->filled.files++;
        maker->filled.file_bytes = offset_bytes;
        return 0;
    }
    if (flag_read(maker->request->stop) != 0)
        return interrupted(maker, err);
    snprintf(path, sizeof(path), "%s/%s", maker->path, name);
    fileset_creation_failed(err, -code, "cannot fill", path);
    return error_at(err, offset_bytes);
}

/* Whether time suffices for another file after `made` complete ones.  The next one may take as long
 * as the average of those. */
static bool goes_on(const struct maker *maker, uint64_t made)
{
    const uint64_t spent_ns = clock_now(&clock_monotonic) - maker->begin_ns;

    if (made == 0 || maker->set->empty || !maker->limit_ns)
        return true;
    return maker->filled.file_bytes == maker->manifest->set->size_bytes &&
           number_plus(spent_ns, spent_ns / made) <= maker->limit_ns;
}

static int make_files(struct maker *maker, struct error *err)
{
    const uint64_t files = maker->manifest->set->count;

    maker->syncs_each = os_sync_file_system(-1) == -ENOTSUP;
    maker->limit_ns = maker->request->keep ? 0 : maker->request->fill_ns;
    maker->begin_ns = maker->step.begun_ns = clock_now(&clock_monotonic);
    maker->step.bytes = STEP_FIRST_BYTES;
    for (uint64_t i = 0; i < files && goes_on(maker, i); i++)
        if (make_file(maker, i, err) != 0 || count_made(maker, i + 1, false, err) != 0)
            return -1;
    return 0;
}

static int make_all(struct maker *maker, struct error *err)
{
    int code;

    if (make_manifest(maker, err) != 0 || make_fresh(maker, err) != 0)
        return -1;
    if (maker->set->unfilled)
        return 0;
    maker->block = mem_buffer(BLOCK_BYTES, 4096, err);
    if (!maker->block || pattern_start(&maker->pattern, maker->manifest->seed, err) != 0 ||
        make_files(maker, err) != 0 || count_made(maker, maker->filled.files, true, err) != 0)
        return -1;
    /* One call for all of them: fsync of each file would flush the device each time; it was done
     * where no such call exists. */
    code = os_sync_file_system(maker->dir_fd);
    if (code != 0 && code != -ENOTSUP)
        return fileset_creation_failed(err, -code, "cannot write test files to the storage in",
                                       maker->parent_path);
    return flag_read(maker->request->stop) != 0 ? interrupted(maker, err) : 0;
}

int fileset_create(struct fileset *set, const struct target_request *request, int *dir_fd,
                   struct fileset_filled *filled, struct error *err)
{
    struct life_manifest *manifest = set->manifest;
    struct life_tally ignored = {0};
    struct maker maker = {.set = set,
                          .dir_fd = -1,
                          .parent_path = set->parent_path,
                          .manifest = manifest,
                          .request = request,
                          .preallocate = !(os_traits(set->parent_fd) & OS_IN_MEMORY),
                          .total_bytes = manifest->set->count * manifest->set->size_bytes};
    struct error removal = ERROR_INIT;
    char text[1024];
    int code;

    *dir_fd = -1;
    if (!target_run_name_valid(manifest->run_name))
        return error_set(err, STATUS_INTERNAL, 0, "malformed run name", manifest->run_name);
    if (fileset_check(set, false, err) != 0)
        return -1;
    maker.path = mem_printf("%s/" LIFE_PREFIX "%s", set->parent_path, manifest->run_name);
    code = make_top(&maker, err);
    if (code == 0)
        code = make_all(&maker, err);
    if (code == 0) {
        *dir_fd = maker.dir_fd;
    } else if (maker.dir_fd >= 0) {
        close(maker.dir_fd); /* first, because descriptors may be short */
        if (fileset_go_over(set, LIFE_REMOVE, &ignored, &removal) != 0)
            log_error("%s", error_format(&removal, text, sizeof(text)));
    }
    pattern_end(&maker.pattern);
    mem_buffer_free(maker.block);
    free(maker.path);
    if (filled)
        *filled = maker.filled;
    return code;
}
