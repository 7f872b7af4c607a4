/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* secret.c - see the header. */
#include "base/compat.h"

#include "storage/object/web/web.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "os/memory.h"

void secret_wipe(void *memory, size_t bytes)
{
    volatile char *at = memory; /* prevents the compiler from removing the stores */

    while (bytes-- > 0)
        *at++ = 0;
}

void secret_free(char *secret)
{
    if (secret)
        secret_wipe(secret, strlen(secret));
    free(secret);
}

ssize_t secret_read_file(const char *path, char *text, size_t most_bytes, bool *shared)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    size_t used = 0;
    ssize_t got = fd < 0 ? -1 : 1;
    struct stat status;

    while (got > 0 && used <= most_bytes) {
        got = read(fd, text + used, most_bytes + 1 - used);
        used += got > 0 ? (size_t)got : 0;
    }
    text[used] = '\0';
    if (got < 0)
        got = -errno;
    *shared = fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
              (status.st_mode & (S_IRGRP | S_IROTH));
    if (fd >= 0)
        close(fd);
    if (got < 0)
        secret_wipe(text, used);
    return got < 0 ? got : (ssize_t)used;
}

/* Error messages include none of the contents. */
static int read_line(const char *path, char text[SECRET_MOST + 2], struct error *err)
{
    char shown[320];
    bool shared;
    const ssize_t got = secret_read_file(path, text, SECRET_MOST, &shared);

    if (got < 0)
        return error_set(err, STATUS_TARGET, (int)-got, "cannot read", path);
    if (shared)
        log_info("# others can read the secret in %s; chmod 600 keeps it secret",
                 error_printable(path, shown, sizeof(shown)));
    text[strcspn(text, "\r\n")] = '\0';
    return 0;
}

static int check(const char *secret, const char *what, const char *source, struct error *err)
{
    const char *why = NULL;

    for (const char *at = secret; *at != '\0' && !why; at++)
        if ((unsigned char)*at < ' ' || *at == 127)
            why = "there is a control character in the";
    if (secret[0] == '\0')
        why = "there is no";
    else if (strlen(secret) > SECRET_MOST)
        why = "longer than 2048 bytes: the";
    if (!why)
        return 0;
    error_set(err, STATUS_TARGET, 0, why, what);
    return error_advise(err, "check %s", source);
}

int secret_read(const char *file, const char *variable, const char *what, char **out,
                struct error *err)
{
    const char *value = file ? NULL : getenv(variable);
    char text[SECRET_MOST + 2];
    int code = 0;

    *out = NULL;
    if (!file && (!value || *value == '\0'))
        return 0;
    os_forbid_core_files();
    if (file) {
        code = read_line(file, text, err);
        value = text;
    }
    if (code == 0)
        code = check(value, what, file ? file : variable, err);
    if (code == 0)
        *out = mem_strdup(value);
    if (file)
        secret_wipe(text, sizeof(text));
    return code;
}

/* Redacts after "delegation=", "token=" and so on, up to the end of the value. */
void secret_redact(char *text)
{
    static const char *const names[] = {"delegation=", "oken=", "signature="};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        for (char *at = text; (at = strstr(at, names[i])) != NULL;) {
            const size_t length = strcspn(at += strlen(names[i]), "& \t\r\n\"'<>,;)");
            const size_t kept = length < 3 ? length : 3;
            memset(at, '.', kept);
            memmove(at + kept, at + length, strlen(at + length) + 1);
            at += kept;
        }
}
