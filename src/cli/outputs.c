/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* outputs.c - files for results, and the sinks that write to them. Files are opened early, so that
 * a wrong name is reported at once, and truncated late, when the run is certain to start: until
 * then results of an earlier run in the same format remain. Objects to be measured, block devices
 * and files with other contents are never overwritten.
 *
 * A JSON document is valid only as a whole: it is written as NAME.part and renamed when complete,
 * so that a killed run leaves older results unchanged, and its own beside them. */
#include "base/compat.h"

#include "cli/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/color.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "os/os.h"

/* --- one file: functions accept one not in use, and return 0 or -1 with err --- */

#define PART             ".part"
#define OUT_BUFFER_BYTES ((size_t)256 << 10)

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool outfile_is_stdout(const char *name)
{
    struct stat st, own;

    return stat(name, &st) == 0 && fstat(STDOUT_FILENO, &own) == 0 && same_file(&own, &st);
}

/* Whether other names or open descriptors refer to the file, so that it must not be replaced. */
static bool is_shared(const char *name, const struct stat *st)
{
    static const char *const streams[] = {OS_STREAM_PATHS};

    for (size_t i = 0; i < COUNT_OF(streams); i++)
        if (strncmp(name, streams[i], strlen(streams[i])) == 0)
            return true;
    return st->st_nlink != 1;
}

/* Whether a new file can be written beside it and renamed: a regular file with one name, or none
 * yet. Pipes, devices, files with several names and names in /dev and /proc can only be written
 * to. */
static bool may_grow_beside(const char *name)
{
    struct stat st;

    if (!name[0])
        return false;
    if (stat(name, &st) == 0)
        return S_ISREG(st.st_mode) && !is_shared(name, &st);
    return errno == ENOENT && lstat(name, &st) < 0; /* not a dangling link */
}

/* Results must never replace the data to be measured. */
static bool is_target(const struct settings *settings, const struct stat *file)
{
    struct stat target;

    for (unsigned i = 0; i < settings->target_count; i++)
        if (stat(settings->targets[i], &target) == 0 && same_file(&target, file))
            return true;
    return false;
}

static bool begins_like(const char *name, int flags, enum format format)
{
    char beginning[4097];
    const int fd = open(name, O_RDONLY | O_CLOEXEC | flags);
    const ssize_t count = fd < 0 ? -1 : read(fd, beginning, sizeof(beginning) - 1);

    if (fd >= 0)
        close(fd);
    beginning[count > 0 ? count : 0] = '\0';
    return count > 0 && format_owns(format, beginning);
}

bool outfile_is_results(const char *name)
{
    struct stat st;
    /* it may be an object to measure: leaves its access time unchanged */
    const int flags = O_NONBLOCK | OS_O_NOATIME;

    return stat(name, &st) == 0 && S_ISREG(st.st_mode) &&
           (begins_like(name, flags, FORMAT_CSV) || begins_like(name, flags, FORMAT_JSON));
}

/* The file that is written to. */
static const char *path_of(const struct outfile *out)
{
    return out->part ? out->part : out->name;
}

static int refuse_out_file(struct outfile *out, int fd, const char *action, struct error *err)
{
    if (out->created)
        unlink(path_of(out));
    close(fd);
    return error_refuse(err, STATUS_USAGE, action, path_of(out), "name another file");
}

/* Whether a file that cannot be created has a directory, which takes none, as /proc does. */
static bool has_directory(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *directory = mem_printf("%.*s.", slash ? (int)(slash - path) + 1 : 0, path);
    struct stat st;
    const bool found = stat(directory, &st) == 0 && st.st_nlink > 0;

    free(directory);
    return found;
}

static int cannot_write(const char *path, int errnum, struct error *err)
{
    struct stat st;

    if (errnum == ENOENT && lstat(path, &st) < 0 && has_directory(path))
        errnum = EPERM;
    error_set(err, STATUS_USAGE, errnum, "cannot write the results to", path);
    if (errnum == EISDIR)
        return error_advise(err, "name a file in it");
    if (errnum == EACCES || errnum == EPERM)
        return error_advise(err, lstat(path, &st) == 0
                                     ? "the file may not be written; name another file"
                                     : "name a file in a directory that you can write to");
    if (errnum == ENOENT)
        return error_advise(err, lstat(path, &st) == 0
                                     ? "it is a link to a file that does not exist; remove it, or "
                                       "name another file"
                                     : "the directory for it does not exist");
    return -1;
}

/* Opens path_of(out), or creates it if flags contain O_CREAT. Returns a descriptor, or -1 with
 * err. */
static int open_file(const struct settings *settings, struct outfile *out, int flags,
                     struct error *err)
{
    const char *path = path_of(out);
    uint64_t disk_bytes;
    struct stat st;
    int fd;

    fd = open(path, flags | (flags & O_CREAT ? O_EXCL : 0), 0666);
    out->created = fd >= 0 && flags & O_CREAT;
    if (fd < 0 && errno == EEXIST)
        fd = open(path, flags & ~O_CREAT);
    if (fd < 0 || fstat(fd, &st) < 0) {
        const int code = errno;
        if (fd >= 0)
            close(fd);
        return cannot_write(path, code, err);
    }
    if (is_target(settings, &st))
        return refuse_out_file(out, fd, "the results would overwrite the target:", err);
    if (S_ISBLK(st.st_mode) || (S_ISCHR(st.st_mode) && os_device_bytes(fd, &disk_bytes) == 0))
        return refuse_out_file(out, fd, "the results would overwrite a disk:", err);
    if (S_ISREG(st.st_mode) && st.st_size > 0 && !begins_like(path, 0, out->format))
        return refuse_out_file(
            out, fd, "only results of iosweep in the same format are overwritten, not", err);
    return fd;
}

/* Opens the part, in the directory of the file after following links, with its owner and mode.
 * Returns as open_file does. */
static int open_part(const struct settings *settings, struct outfile *out, struct error *err)
{
    struct stat whole = {.st_nlink = 0}, part;
    char *path = NULL;
    int fd;

    if (stat(out->name, &whole) == 0) { /* refused where it could not be written itself */
        fd = open_file(settings, out, O_WRONLY | O_CLOEXEC, err);
        if (fd < 0)
            return -1;
        close(fd);
        path = realpath(out->name, NULL);
    }
    out->part = mem_printf("%s" PART, path ? path : out->name);
    if (lstat(out->part, &part) == 0 && (!S_ISREG(part.st_mode) || part.st_nlink != 1))
        fd = error_refuse(err, STATUS_USAGE,
                          "results grow in a file that is no ordinary one:", out->part,
                          "remove it, or name another file");
    else
        fd = open_file(settings, out, O_RDWR | O_CLOEXEC | O_CREAT | O_NOFOLLOW, err);
    if (fd >= 0 && whole.st_nlink) {
        if (fchown(fd, whole.st_uid, whole.st_gid) < 0 && fchown(fd, (uid_t)-1, whole.st_gid) < 0)
            errno = 0; /* we may not change the owner: the file stays the caller's */
        (void)fchmod(fd, whole.st_mode & 0777);
    }
    free(path);
    return fd;
}

/* Opens or creates the file `name` (NULL: nothing to do), or NAME.part beside it for JSON if the
 * file does not exist or has this name only. Refuses targets, block devices and files that contain
 * anything but results in that format (STATUS_USAGE). */
static int outfile_open(const struct settings *settings, const char *name, enum format format,
                        struct outfile *out, struct error *err)
{
    int fd;

    if (!name)
        return 0;
    out->name = name;
    out->format = format;
    fd = format == FORMAT_JSON && may_grow_beside(name)
             ? open_part(settings, out, err)
             : open_file(settings, out, O_WRONLY | O_CLOEXEC | O_CREAT, err);
    if (fd < 0)
        return -1;
    out->stream = fdopen(fd, "w"); /* does not truncate an open file */
    if (!out->stream)
        return refuse_out_file(out, fd, "cannot write the results to", err);
    /* Large enough for a whole record, so that only flushing writes: printf does not report why it
     * failed. */
    out->buffer = mem_calloc(1, OUT_BUFFER_BYTES);
    setvbuf(out->stream, out->buffer, _IOFBF, OUT_BUFFER_BYTES);
    return 0;
}

/* Refuses a standard output that cannot be written. */
static int outfile_check_stdout(struct error *err)
{
    const int flags = fcntl(STDOUT_FILENO, F_GETFL);

    if (flags >= 0 ? (flags & O_ACCMODE) != O_RDONLY : errno != EBADF)
        return 0;
    return error_refuse(err, STATUS_USAGE, "standard output is closed: the results would be lost",
                        NULL, "-o FILE writes them to a file");
}

/* Locks the file against concurrent runs until it is closed; refuses a file that another run has
 * locked (STATUS_USAGE). Without file system support there is no lock. */
static int outfile_lock(struct outfile *out, struct error *err)
{
    struct stat st, now;

    if (!out->stream || fstat(fileno(out->stream), &st) < 0 || !S_ISREG(st.st_mode))
        return 0;
    /* The run that had locked it may have ended since it was opened: then the file has another
     * name, or none. */
    if (os_lock(fileno(out->stream), true) != -EWOULDBLOCK && stat(path_of(out), &now) == 0 &&
        same_file(&st, &now))
        return 0;
    out->created = false; /* the run that has locked it will write to it */
    return error_refuse(err, STATUS_USAGE, "another run is writing its results to", out->name,
                        "wait until it ends, or name another file");
}

/* Refuses a file that existed and is one of those to be measured (iosweep -r -o DIR/FILE DIR). */
static int check_out_file(const struct outputs *outputs, const struct outfile *out,
                          const struct stat *file, struct error *err)
{
    struct stat object;

    for (unsigned t = 0; t < outputs->target_count; t++) {
        const struct target *target = outputs->targets[t];
        for (uint32_t i = 0; target->name && i < target->object_count; i++)
            if (fstatat(target->dir_fd, target->name[i], &object, 0) == 0 &&
                same_file(&object, file))
                return error_refuse(err, STATUS_USAGE,
                                    "the results would overwrite a file that is measured:",
                                    out->name, "name another file");
    }
    return 0;
}

/* Renames the part to the file if it is complete; an incomplete part remains. */
static void finish_part(struct outfile *out, struct error *err)
{
    const long ends = ftell(out->stream);
    char *whole, end[2];

    /* checks that the document is complete, not cut off by a failed write */
    if (pread(fileno(out->stream), end, sizeof(end), ends - (long)sizeof(end)) !=
            (ssize_t)sizeof(end) ||
        memcmp(end, "]\n", sizeof(end)) != 0) {
        error_advise(err, "what was written is in %s", out->part);
        return;
    }
    whole = mem_strdup(out->part);
    whole[strlen(whole) - strlen(PART)] = '\0';
    if (os_sync(fileno(out->stream)) < 0 || rename(out->part, whole) < 0)
        error_set(err, STATUS_PARTIAL, errno, "cannot write the results to", out->name);
    free(whole);
}

/* Closes it (STATUS_PARTIAL if writing failed); removes a created file that stayed empty. A part
 * that is a complete document is renamed, any other remains beside the file. */
static void outfile_close(struct outfile *out, struct error *err)
{
    if (out->stream) {
        if (ftell(out->stream) == 0) {
            if (out->created)
                unlink(path_of(out));
        } else if (out->part) {
            finish_part(out, err);
        }
        if (fclose(out->stream) != 0)
            error_set(err, STATUS_PARTIAL, errno, "cannot write the results to", out->name);
        out->stream = NULL;
        free(out->buffer);
    }
    free(out->part);
    out->part = NULL;
}

/* --- all of them --- */

/* Two outputs in one file would overwrite each other; a device or pipe takes both. */
static bool is_one_file(const char *one, const char *two)
{
    struct stat a, b;

    if (!one || !two)
        return false;
    if (stat(one, &a) < 0)
        return strcmp(one, two) == 0;
    return S_ISREG(a.st_mode) && stat(two, &b) == 0 && same_file(&a, &b);
}

static int open_files(struct outputs *outputs, const struct request *request, struct error *err)
{
    const struct settings *settings = &request->settings;

    if (outfile_open(settings, request->output, (enum format)request->format, &outputs->output,
                     err) < 0 ||
        outfile_open(settings, request->series, FORMAT_SERIES, &outputs->series, err) < 0)
        return -1;
    if (is_one_file(request->output, request->series) ||
        (request->output && is_one_file(path_of(&outputs->output), request->series)))
        return error_refuse(err, STATUS_USAGE,
                            "--output and --series are the same file:", request->series,
                            "give two names");
    return outfile_lock(&outputs->output, err) < 0 ? -1 : outfile_lock(&outputs->series, err);
}

bool outputs_have_header(const struct request *request)
{
    return request->format == FORMAT_CSV || request->format == FORMAT_TABLE || request->verbose;
}

bool outputs_brief_header(const struct request *request)
{
    return request->brief || (isatty(STDERR_FILENO) && !request->verbose);
}

static unsigned screen_columns(unsigned *lines)
{
    return os_terminal_is_ours(STDOUT_FILENO) ? os_terminal_columns(STDOUT_FILENO, lines) : 0;
}

static struct sink *add_sink(struct outputs *outputs)
{
    return &outputs->sinks[outputs->sink_count++];
}

static int add_format(struct outputs *outputs, const struct request *request, enum format format,
                      FILE *stream, const char *name, struct error *err)
{
    /* lines of --interval would mix with those of the table, which is then printed as a whole */
    const bool live = stream == stdout && isatty(STDOUT_FILENO) && color_obeyed(getenv("TERM")) &&
                      (!request->settings.interval_ns || request->series);
    const struct format_options options = {.columns = request->columns,
                                           .team = request->settings.ranks > 1,
                                           .separator = request->separator,
                                           .decimal = request->decimal,
                                           .label = request->label,
                                           .utf8 = utf8_wanted(),
                                           .color = stream == stdout && color_on(STDOUT_FILENO),
                                           .width = os_terminal_columns(STDOUT_FILENO, NULL),
                                           .screen = live ? screen_columns : NULL,
                                           .settings = options_table,
                                           .facts = outputs->facts,
                                           .command = request->command_line,
                                           .findings = &outputs->findings,
                                           .pairs = &outputs->pairs,
                                           .name = name};

    if (format_make(format, stream, &options, &outputs->sinks[outputs->sink_count], err) < 0)
        return -1;
    outputs->sink_count++;
    if (format == FORMAT_TABLE)
        format_make_summaries(stream, &options, add_sink(outputs));
    return 0;
}

static int make_sinks(struct outputs *outputs, const struct request *request, struct error *err)
{
    const enum format format = (enum format)request->format;
    FILE *stream = request->output ? outputs->output.stream : stdout;
    const bool last = format == FORMAT_JSON; /* it contains the findings */

    if (outputs_have_header(request))
        format_make_header(options_table, outputs->facts, outputs_brief_header(request),
                           add_sink(outputs));
    if (!last && add_format(outputs, request, format, stream, request->output, err) < 0)
        return -1;
    /* The file gets the data; a user at the terminal still sees the table. */
    if (request->output && isatty(STDOUT_FILENO) && !request->quiet &&
        add_format(outputs, request, FORMAT_TABLE, stdout, NULL, err) < 0)
        return -1;
    if (request->settings.interval_ns)
        format_make_series(outputs->series.stream, request->series, request->separator,
                           request->decimal, add_sink(outputs));
    if (!request->output ? format != FORMAT_TABLE : !isatty(STDOUT_FILENO))
        format_make_summaries(
            NULL, &(struct format_options){.utf8 = utf8_wanted(), .width = log_columns() - 2},
            add_sink(outputs));
    format_make_progress(add_sink(outputs));
    if (format != FORMAT_CLASSIC &&
        format_make_findings(outputs->facts, request->brief, &outputs->findings,
                             &outputs->sinks[outputs->sink_count]) == 0)
        outputs->sink_count++;
    if (format != FORMAT_CLASSIC && !request->settings.rate) /* the rate is the same for all rows */
        format_make_pairs(&outputs->pairs, add_sink(outputs));
    return last ? add_format(outputs, request, format, stream, request->output, err) : 0;
}

int outputs_open(struct outputs *outputs, const struct request *request, struct facts *facts,
                 struct error *err)
{
    const bool dry_run = request->settings.dry_run;

    outputs->facts = facts;
    if ((!request->output || dry_run) && outfile_check_stdout(err) < 0)
        return -1;
    if (dry_run)
        return 0;
    return open_files(outputs, request, err) < 0 ? -1 : make_sinks(outputs, request, err);
}

int outputs_empty(void *arg, struct error *err)
{
    const struct outputs *outputs = arg;
    const struct outfile *const files[] = {&outputs->output, &outputs->series};
    struct stat st;

    for (unsigned i = 0; i < 2; i++) {
        const struct outfile *out = files[i];
        if (!out->stream)
            continue;
        if ((!out->created && fstat(fileno(out->stream), &st) == 0 &&
             check_out_file(outputs, out, &st, err) < 0) ||
            (out->part && stat(out->name, &st) == 0 && check_out_file(outputs, out, &st, err) < 0))
            return -1;
    }
    for (unsigned i = 0; i < 2; i++) /* pipes and devices cannot and need not be truncated */
        if (files[i]->stream && fstat(fileno(files[i]->stream), &st) == 0 && S_ISREG(st.st_mode) &&
            ftruncate(fileno(files[i]->stream), 0) < 0)
            return error_set(err, STATUS_USAGE, errno, "cannot write the results to",
                             files[i]->name);
    return 0;
}

void outputs_close(struct outputs *outputs, struct error *err)
{
    for (unsigned i = 0; i < outputs->sink_count; i++)
        format_free(&outputs->sinks[i]);
    pairs_free(&outputs->pairs);
    outfile_close(&outputs->output, err);
    outfile_close(&outputs->series, err);
    log_progress_clear();
}
