/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replace.c - writing beside a file and renaming.  The temporary name ends in ".tmp", which the
 * readers of directories that this is made for (such as *.prom) do not look at, and is made with
 * O_EXCL: a file of somebody else is never written to. */
#include "base/compat.h"

#include "cli/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

#define NAMES_MAX 100 /* left by runs that were killed and had the same number */

bool replace_possible(const char *name)
{
    struct stat st;

    if (stat(name, &st) == 0)
        return S_ISREG(st.st_mode);
    return errno == ENOENT && lstat(name, &st) < 0; /* not a link to nothing */
}

static void forget(struct replace *replace)
{
    free(replace->name);
    free(replace->temporary);
    *replace = (struct replace){.name = NULL};
}

/* Like a file that is written in place: a link stays a link, and the mode stays the same. */
static int make_beside(const char *name, const struct stat *old, struct replace *replace)
{
    int fd = -1;

    replace->name = old != NULL ? realpath(name, NULL) : mem_strdup(name);
    if (replace->name == NULL)
        return -1;
    for (unsigned i = 0; fd < 0 && i < NAMES_MAX; i++) {
        free(replace->temporary);
        replace->temporary = mem_printf("%s.%ld-%u.tmp", replace->name, (long)getpid(), i);
        fd = open(replace->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            return -1;
    }
    if (fd >= 0 && old != NULL && fchmod(fd, old->st_mode & 0777) < 0) {
        const int code = errno;
        unlink(replace->temporary);
        close(fd);
        errno = code;
        return -1;
    }
    return fd;
}

int replace_open(const char *name, int old_fd, struct replace *replace, struct error *err)
{
    struct stat old;
    int fd = -1, code;

    if (old_fd < 0 || fstat(old_fd, &old) == 0)
        fd = make_beside(name, old_fd < 0 ? NULL : &old, replace);
    code = errno;
    if (old_fd >= 0)
        close(old_fd);
    if (fd >= 0)
        return fd;
    forget(replace);
    error_set(err, STATUS_USAGE, code, "cannot make a file beside", name);
    return error_advise(err, "results are written under another name first, in the same directory, "
                             "which has to exist and to be writable");
}

int replace_commit(struct replace *replace, FILE *stream, struct error *err)
{
    struct stat st;
    int result = 0;

    if (lstat(replace->name, &st) == 0 && !S_ISREG(st.st_mode)) {
        result = error_set(
            err, STATUS_PARTIAL, 0,
            "the name of the results now belongs to something else than a file:", replace->name);
        error_advise(err, "give the name of another file");
    } else if (fflush(stream) != 0 || fsync(fileno(stream)) < 0 ||
               rename(replace->temporary, replace->name) < 0) {
        result =
            error_set(err, STATUS_PARTIAL, errno, "cannot write the results to", replace->name);
    }
    if (result < 0)
        replace_abandon(replace);
    else
        forget(replace);
    return result;
}

void replace_abandon(struct replace *replace)
{
    if (replace->temporary != NULL)
        unlink(replace->temporary);
    forget(replace);
}
