/* SPDX-License-Identifier: GPL-2.0-or-later */
/* driver.c - the `file` target driver: a directory (a set of test files of our own in it), an
 * existing file or block device, or an existing tree for reading.
 *
 * The rule is that a user's data are never at risk by default: an existing file is written only
 * with --overwrite and never through a symbolic link, a block device only with --destroy-data and
 * only when the kernel grants it exclusively, an existing tree never.  Every refusal says what to do
 * instead.  Targets are looked at before they are opened, so that a FIFO does not block. */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"

#include "base/units.h"
#include "engine/file.h"
#include "os/beneath.h"
#include "os/os.h"
#include "target/file/driver.h"
#include "target/file/walk.h"
#include "target/pattern.h"

#define RUN_SUFFIX_MAX 99u

static bool file_claims(const char *target)
{
    (void)target;
    return true;
}

/* ---- building and tearing down ---- */

static void set_objects(struct file_target *fs, uint32_t count)
{
    fs->target.object_count = count;
    fs->lengths = mem_calloc(count, sizeof(*fs->lengths));
    fs->target.length_bytes = fs->lengths;
}

/* How much of something that exists is used: all of it, unless the user gave a length. */
static uint64_t used_bytes(const struct target_request *request, uint64_t length_bytes)
{
    const uint64_t most_bytes = request->use_bytes;
    return most_bytes > 0 && most_bytes < length_bytes ? most_bytes : length_bytes;
}

static void set_names(struct file_target *fs)
{
    fs->names = mem_calloc(fs->target.object_count, sizeof(*fs->names));
    fs->target.name = (const char *const *)fs->names;
}

static void free_target(struct file_target *fs)
{
    file_target_forget_content(fs);
    file_target_forget_mount(fs);
    for (uint32_t i = 0; fs->names && i < fs->target.object_count; i++)
        free(fs->names[i]);
    free(fs->names);
    free(fs->known);
    free(fs->lengths);
    free(fs->directory);
    free(fs->parent_path);
    free(fs->target.label);
    free(fs->target.place);
    free(fs->target.description);
    if (fs->target.dir_fd >= 0)
        close(fs->target.dir_fd);
    if (fs->parent_fd >= 0)
        close(fs->parent_fd);
    if (fs->hold_fd >= 0)
        close(fs->hold_fd);
    free(fs);
}

/* Facts about the file system an open file, device or directory lies on. */
static void set_file_system(struct target *target, int fd)
{
    const unsigned traits = os_traits(fd);
    struct usage usage;

    usage_read(&usage);
    target->accounted = usage.io_known && (traits & OS_ACCOUNTED);
    target->in_memory = traits & OS_IN_MEMORY;
    target->close_flushes = traits & OS_CLOSE_FLUSHES;
}

/* ---- looking at the target ---- */

static const char *odd_kind(mode_t mode)
{
    if (S_ISFIFO(mode))
        return "a FIFO cannot be measured:";
    if (S_ISSOCK(mode))
        return "a socket cannot be measured:";
    if (S_ISCHR(mode))
        return "a character device cannot be measured:";
    return "this kind of file cannot be measured:";
}

static int target_missing(const struct target_request *request, int errnum, struct error *err)
{
    struct stat st;

    if (errnum == ENOENT && lstat(request->target, &st) == 0 && S_ISLNK(st.st_mode))
        return error_refuse(err, STATUS_TARGET, "dangling symbolic link:", request->target,
                            "name what it should point to");
    error_set(err, STATUS_TARGET, errnum, "cannot use", request->target);
    if (errnum == ENOENT && strstr(request->target, "://"))
        return error_advise(err, "if it is no file: see --list-engines for what this build has");
    if (errnum == ENOENT || errnum == ENOTDIR)
        return error_advise(err, request->existing
                                     ? "name an existing file, directory or block device"
                                     : "create the directory first, or name an existing one");
    if (errnum == EACCES)
        return error_advise(err, "a directory above it does not let you pass");
    return -1;
}

/* ---- our own files ---- */

static void describe_own(struct file_target *fs)
{
    uint64_t files = fileset_files(&fs->layout), directories = fileset_directories(&fs->layout);
    char size[UNITS_TEXT], below[48] = "";

    if (directories > 0)
        snprintf(below, sizeof(below), " in %" PRIu64 " %s", directories,
                 directories == 1 ? "directory" : "directories");
    fs->target.description =
        mem_printf("%" PRIu64 " %s of %s%s", files, files == 1 ? "file" : "files",
                   units_format_size(fs->layout.file_bytes, size), below);
}

/* Creates our directory; a name that was made up and is taken (the same target twice, or what an
 * earlier run left) gets a number. */
static int create_own(struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    struct fileset_progress progress = {request->stop, request->progress, request->progress_arg};
    const unsigned suffix_max = request->named ? 1 : RUN_SUFFIX_MAX;
    int code = -1;

    fs->layout.content = request->writes && !request->verify ? FILESET_WRITTEN : FILESET_PATTERN;
    for (unsigned suffix = 1; code != 0 && suffix <= suffix_max; suffix++) {
        if (suffix > 1)
            snprintf(fs->layout.run_name, sizeof(fs->layout.run_name), "%.52s.%u",
                     request->run_name, suffix);
        fs->layout.seed = pattern_seed(request->seed + suffix, fs->parent_path);
        if (error_is_set(err))
            *err = ERROR_INIT;
        code = fileset_create(fs->parent_fd, fs->parent_path, &fs->layout, &progress,
                              &fs->target.dir_fd, err);
        if (code != 0 && err->errnum != EEXIST)
            break;
    }
    if (code != 0 && request->named && err->errnum == EEXIST)
        return file_target_name_taken(fs, err);
    fs->made = code == 0;
    if (fs->made && request->keep)
        fileset_keep(fs->parent_fd, &fs->layout);
    return code;
}

static void name_own(struct file_target *fs)
{
    char name[FILESET_NAME_MAX];

    set_names(fs);
    for (uint32_t i = 0; i < fs->target.object_count; i++)
        fs->names[i] = mem_strdup(fileset_name(&fs->layout, i, name, sizeof(name)));
    fs->target.dir_path = fs->directory;
}

static int may_create(const struct file_target *fs, struct error *err)
{
    if (faccessat(fs->parent_fd, ".", W_OK | X_OK, AT_EACCESS) == 0)
        return 0;
    error_set(err, STATUS_TARGET, errno, "cannot create test files in", fs->parent_path);
    if (errno == EROFS)
        return error_advise(err, "use -r to read files that are there");
    return error_advise(err, "name a directory you may write to, or use -r to read files there");
}

static int open_own(struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    char directory[FILESET_DIRECTORY_MAX];

    /* A path descriptor: a directory that may be entered and written, but not listed, will do. */
    fs->parent_fd = open(request->target, OS_O_LOOK | O_DIRECTORY | O_CLOEXEC);
    if (fs->parent_fd < 0)
        return error_set(err, STATUS_TARGET, errno, "cannot use", request->target);
    fs->layout.single_file = request->single_file;
    fs->layout.levels = request->levels;
    fs->layout.width = request->width;
    fs->layout.file_bytes = request->file_bytes;
    snprintf(fs->layout.run_name, sizeof(fs->layout.run_name), "%s", request->run_name);
    if (file_target_check_run_name(fs, err) != 0 ||
        fileset_check(fs->parent_fd, fs->parent_path, &fs->layout, err) != 0 ||
        may_create(fs, err) != 0)
        return -1;
    if (!request->dry_run && create_own(fs, err) != 0)
        return -1;

    fs->target.place =
        mem_printf("%s%s%s", fs->parent_path, strcmp(fs->parent_path, "/") == 0 ? "" : "/",
                   fileset_directory_name(&fs->layout, directory, sizeof(directory)));
    fs->directory = mem_strdup(fs->target.place);
    fs->target.ours = true;
    fs->target.writable = true;
    fs->target.resolve = OS_NO_LINKS | OS_STAY_ON_MOUNT;
    fs->target.total_bytes = fileset_total_bytes(&fs->layout);
    set_objects(fs, (uint32_t)fileset_files(&fs->layout));
    for (uint32_t i = 0; i < fs->target.object_count; i++)
        fs->lengths[i] = request->file_bytes;
    set_file_system(&fs->target, fs->parent_fd);
    describe_own(fs);
    if (!request->dry_run)
        name_own(fs);
    fs->target.content_known = request->verify;
    return request->verify ? file_target_know_run(fs, fs->layout.seed, err) : 0;
}

/* ---- what exists ---- */

/* One object: a file named in its directory, or a device by its absolute path. */
static void set_one_object(struct file_target *fs, const char *name, uint64_t length_bytes,
                           const char *kind)
{
    char size[UNITS_TEXT];

    set_objects(fs, 1);
    set_names(fs);
    fs->names[0] = mem_strdup(name);
    fs->lengths[0] = used_bytes(fs->target.request, length_bytes);
    fs->target.total_bytes = fs->lengths[0];
    fs->target.description = mem_printf("%s of %s", kind, units_format_size(length_bytes, size));
}

/* --verify of one existing object.  What is written can be checked by reading it back, whatever was
 * there before; what is only read must be known. */
static int know_object(struct file_target *fs, uint64_t whole_bytes, struct error *err)
{
    const struct target_request *request = fs->target.request;

    if (!request->verify)
        return 0;
    if (request->writes)
        return file_target_know_run(fs, pattern_seed(request->seed, fs->target.place), err);
    return file_target_know_kept(fs, &whole_bytes, false, err);
}

/* Whether an existing file may be written: the user said so, it is not behind a link, and the
 * kernel agrees. */
static int check_overwrite(const struct target_request *request, const char *path,
                           struct error *err)
{
    struct stat st;
    int fd;

    if (!request->overwrite)
        return error_refuse(err, STATUS_TARGET, "existing files are only read:", request->target,
                            "use -r to read it, or --overwrite to overwrite its data");
    if (lstat(request->target, &st) != 0 || S_ISLNK(st.st_mode))
        return error_refuse(err, STATUS_TARGET,
                            "a file is never overwritten through a symbolic link:", request->target,
                            "name the file itself: %s", path);
    fd = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        error_set(err, STATUS_TARGET, errno, "cannot write to", request->target);
        return error_advise(err, "use -r to read it only");
    }
    close(fd);
    return 0;
}

static int open_file(struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    char *name = strrchr(fs->target.place, '/') + 1;
    struct error fault = ERROR_INIT;
    int64_t length_bytes;
    int fd;

    if (request->writes && check_overwrite(request, fs->target.place, err) != 0)
        return -1;
    fs->directory = mem_printf("%.*s", (int)(name - fs->target.place), fs->target.place);
    if (strlen(fs->directory) > 1)
        fs->directory[strlen(fs->directory) - 1] = '\0';
    fs->target.dir_path = fs->directory;
    fs->target.dir_fd = open(fs->directory, OS_O_LOOK | O_DIRECTORY | O_CLOEXEC);
    if (fs->target.dir_fd < 0)
        return error_set(err, STATUS_TARGET, errno, "cannot open", fs->directory);

    fd = openat(fs->target.dir_fd, name,
                O_RDONLY | O_NOFOLLOW | O_NONBLOCK | OS_O_NOATIME | O_CLOEXEC);
    fs->target.noatime = fd >= 0 && OS_O_NOATIME != 0;
    if (fd < 0)
        fd = openat(fs->target.dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return error_set(err, STATUS_TARGET, errno, "cannot open", request->target);
    length_bytes = file_length(fd, request->target, &fault);
    set_file_system(&fs->target, fd);
    close(fd);
    if (length_bytes < 0) {
        *err = fault;
        return -1;
    }
    if (length_bytes == 0)
        return error_set(err, STATUS_TARGET, 0, "nothing to read in the empty file",
                         request->target);
    fs->target.writable = request->writes;
    set_one_object(fs, name, (uint64_t)length_bytes, "1 file");
    file_target_look_at_extents(&fs->target);
    return know_object(fs, (uint64_t)length_bytes, err);
}

/* Whether a block device may be written, and then holds it exclusively.  A dry run asks the same
 * without opening it for writing: closing such a descriptor makes udev look at the device again. */
static int claim_device(struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    int flags = O_EXCL | O_NONBLOCK | O_CLOEXEC | (request->dry_run ? O_RDONLY : O_WRONLY);
    int fd;

    if (!request->destroy_data)
        return error_refuse(err, STATUS_TARGET, "block devices are only read:", request->target,
                            "use -r to read it, or --destroy-data to overwrite what it holds");
    /* The kernel opens a read-only device for writing, only the writes fail. */
    if (os_traits(fs->hold_fd) & OS_READ_ONLY) {
        error_set(err, STATUS_TARGET, EROFS, "cannot write to", request->target);
        return error_advise(err, "use -r to read it only");
    }
    fd = open(fs->target.place, flags);
    if (fd >= 0) {
        close(fs->hold_fd);
        fs->hold_fd = fd;
        return 0;
    }
    if (errno == EBUSY) {
        error_set(err, STATUS_TARGET, errno, "mounted or in use, not written:", request->target);
        return error_advise(err, "unmount it, or use -r to read it");
    }
    error_set(err, STATUS_TARGET, errno, "cannot write to", request->target);
    return error_advise(err, "use -r to read it only");
}

static int open_device(struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    int64_t length_bytes;
    int fd;

    fd = open(fs->target.place, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        error_set(err, STATUS_TARGET, errno, "cannot open", request->target);
        if (errno == EACCES || errno == EPERM)
            error_advise(err, "reading a block device takes root or the group that owns it");
        return -1;
    }
    fs->hold_fd = fd; /* the last close of a device empties its page cache */
    length_bytes = file_length(fd, request->target, err);
    set_file_system(&fs->target, fd);
    if (length_bytes < 0)
        return -1;
    if (length_bytes == 0)
        return error_set(err, STATUS_TARGET, 0, "nothing to read, no medium in the block device",
                         request->target);
    if (request->writes && claim_device(fs, err) != 0)
        return -1;
    fs->target.writable = request->writes;
    fs->target.dir_fd = AT_FDCWD; /* the name is absolute */
    set_one_object(fs, fs->target.place, (uint64_t)length_bytes, "block device");
    return know_object(fs, (uint64_t)length_bytes, err);
}

/* ---- an existing tree ---- */

static int check_walk(const struct walk *walk, const char *target, struct error *err)
{
    char *path, first[200];

    if (walk->count == 0 && walk->unreadable > 0) {
        path = mem_printf("%s/%s", target, walk->first_unreadable);
        error_set(err, STATUS_TARGET, walk->first_errno, "nothing can be read, not even", path);
        free(path);
        if (walk->first_errno == ENAMETOOLONG)
            return error_advise(err, "name a directory further down");
        if (walk->first_errno == EACCES)
            return error_advise(err, "ask its owner, or run as a user who may read it");
        return -1;
    }
    if (walk->count == 0)
        return error_refuse(err, STATUS_TARGET,
                            walk->empty > 0 ? "nothing to read, only empty files in"
                                            : "nothing to read, no files in",
                            target, "leave out -r to measure with files of iosweep's own");
    if (walk->unreadable > 0)
        log_warn("%s: %" PRIu64 " files or directories cannot be read and are left out; the first: "
                 "%s: %s",
                 target, walk->unreadable,
                 error_printable(walk->first_unreadable, first, sizeof(first)),
                 strerror(walk->first_errno));
    return 0;
}

static int know_walk(struct file_target *fs, const struct walk *walk, struct error *err)
{
    uint64_t *whole_bytes;
    int code;

    if (!fs->target.request->verify)
        return 0;
    whole_bytes = mem_calloc(walk->count, sizeof(*whole_bytes));
    for (size_t i = 0; i < walk->count; i++)
        whole_bytes[i] = walk->files[i].length_bytes;
    code = file_target_know_kept(fs, whole_bytes, true, err);
    free(whole_bytes);
    return code;
}

/* The names go from the list to the target. */
static void take_walk(struct file_target *fs, struct walk *walk)
{
    struct target *target = &fs->target;
    char least[UNITS_TEXT], most[UNITS_TEXT], total[UNITS_TEXT];

    set_objects(fs, (uint32_t)walk->count);
    set_names(fs);
    for (uint32_t i = 0; i < target->object_count; i++) {
        fs->names[i] = walk->files[i].name;
        walk->files[i].name = NULL;
        fs->lengths[i] = used_bytes(target->request, walk->files[i].length_bytes);
        target->total_bytes += fs->lengths[i];
    }
    target->noatime = walk->noatime;
    units_format_size(fs->lengths[target->object_count - 1], least);
    units_format_size(fs->lengths[0], most);
    if (strcmp(least, most) == 0)
        target->description = mem_printf("%" PRIu32 " %s of %s", target->object_count,
                                         target->object_count == 1 ? "file" : "files", most);
    else
        target->description =
            mem_printf("%" PRIu32 " files of %s to %s, %s in all", target->object_count,
                       units_format_bytes((double)fs->lengths[target->object_count - 1], least),
                       units_format_bytes((double)fs->lengths[0], most),
                       units_format_bytes((double)target->total_bytes, total));
}

static int open_tree(struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    struct walk walk = {0};
    int code;

    if (request->writes)
        return error_refuse(err, STATUS_TARGET, "existing trees are only read:", request->target,
                            "name one file with --overwrite, or leave out -r");
    if (request->named) {
        if (file_target_check_run_name(fs, err) != 0 || file_target_enter_run(fs, err) != 0)
            return -1;
    } else {
        fs->target.dir_fd = file_open_quietly(AT_FDCWD, request->target, O_DIRECTORY);
    }
    if (fs->target.dir_fd < 0) {
        code = -fs->target.dir_fd;
        fs->target.dir_fd = -1;
        return error_set(err, STATUS_TARGET, code, "cannot list", request->target);
    }
    code = walk_files(fs->target.dir_fd, fs->target.place, request->stop, &walk, err);
    fs->directory = mem_strdup(fs->target.place);
    fs->target.dir_path = fs->directory;
    if (code == 0 && !request->named)
        code = check_walk(&walk, request->target, err);
    if (code == 0)
        code = file_target_choose_run(fs, &walk, err);
    if (code == 0) {
        fs->target.resolve = OS_NO_LINKS;
        take_walk(fs, &walk);
        set_file_system(&fs->target, fs->target.dir_fd);
        file_target_look_at_extents(&fs->target);
        code = know_walk(fs, &walk, err);
    }
    walk_free(&walk);
    return code;
}

/* ---- hooks ---- */

static int open_by_kind(struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    struct stat st;
    char *path;

    if (stat(request->target, &st) != 0)
        return target_missing(request, errno, err);
    if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode))
        return error_refuse(err, STATUS_TARGET, odd_kind(st.st_mode), request->target,
                            "name a directory, a regular file or a block device");
    path = realpath(request->target, NULL);
    if (!path)
        return target_missing(request, errno, err);
    if (S_ISDIR(st.st_mode) && !request->existing) {
        fs->parent_path = path;
        return open_own(fs, err);
    }
    fs->target.place = path;
    if (S_ISDIR(st.st_mode))
        return open_tree(fs, err);
    return S_ISREG(st.st_mode) ? open_file(fs, err) : open_device(fs, err);
}

static int file_open(const struct target_request *request, struct target **out, struct error *err)
{
    struct file_target *fs = mem_calloc(1, sizeof(*fs));

    fs->target.driver = &target_file;
    fs->target.request = request;
    fs->target.label = mem_strdup(request->target);
    fs->target.dir_fd = -1;
    fs->parent_fd = -1;
    fs->hold_fd = -1;
    *out = NULL;
    if (open_by_kind(fs, err) != 0 || file_target_know_objects(fs, err) != 0) {
        struct error removal = ERROR_INIT; /* the first error counts */

        if (fs->made)
            (void)fileset_remove(fs->parent_fd, fs->parent_path, &fs->layout, &removal);
        free_target(fs);
        return -1;
    }
    file_target_find_mount(fs);
    *out = &fs->target;
    return 0;
}

/* The directory of the run is somewhere else than where it was made: nothing can be removed. */
static bool was_moved(const struct file_target *fs)
{
    char directory[FILESET_DIRECTORY_MAX];
    struct beneath_id id;
    struct stat st;

    fileset_directory_name(&fs->layout, directory, sizeof(directory));
    return beneath_look(fs->parent_fd, directory, &id) == -ENOENT &&
           fstat(fs->target.dir_fd, &st) == 0 && st.st_nlink > 0;
}

static int file_close(struct target *target, struct error *err)
{
    struct file_target *fs = (struct file_target *)target;
    char place[1024], label[1024];
    int code = 0;

    if (!target)
        return 0;
    if (fs->made && target->request->keep)
        log_info("# test files are kept in %s; to remove them: iosweep clean --run-name %s %s",
                 error_printable(target->place, place, sizeof(place)), fs->layout.run_name,
                 error_printable(target->label, label, sizeof(label)));
    else if (fs->made && was_moved(fs))
        code = error_refuse(err, STATUS_TARGET,
                            "moved away, and left with all test files:", target->place,
                            "remove it where it is now");
    else if (fs->made)
        code = fileset_remove(fs->parent_fd, fs->parent_path, &fs->layout, err);
    free_target(fs);
    return code;
}

const struct target_driver target_file = {
    .name = "file",
    .kind = "directory",
    .noun = "file",
    .scheme = "",
    .capabilities = TARGET_FILES | TARGET_SHAPED | TARGET_CACHED | TARGET_OPENED,
    .clean = file_target_clean,
    .claims = file_claims,
    .open = file_open,
    .prepare = file_target_prepare,
    .before_round = file_target_before_round,
    .guard = file_target_guard,
    .probe_direct = file_target_probe_direct,
    .resident = file_target_resident,
    .traffic = file_target_traffic,
    .make_content = file_target_make_content,
    .check_content = file_target_check_content,
    .read_back = file_target_read_back,
    .close = file_close,
};
