/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hint.c - see hint.h. */
#include "base/compat.h"

#include "cli/hint.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/command.h"
#include "engine/engine.h"

#define LETTERS_MAX 40 /* longer words are near to nothing */

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

struct foreign_word {
    const char *said, *meant;
};

static const struct foreign_word foreign_options[] = {
    {"append", "--tests append"},
    {"block-size", "--sizes"},
    {"blocksize", "--sizes"},
    {"bs", "--sizes"},
    {"buffered", "--cache cached"},
    {"concurrent-ios", "--depth"},
    {"csv", "--format csv"},
    {"d", "--depth"},
    {"delete", "--tests delete"},
    {"direct", "--cache direct (-b)"},
    {"directory", "the directory itself, as TARGET"},
    {"duration", "--time"},
    {"e", "--engine"},
    {"end_fsync", "--sync end"},
    {"f", "--format"},
    {"fdatasync", "--sync data"},
    {"file", "the file itself, as TARGET"},
    {"filename", "the file itself, as TARGET"},
    {"fsync", "--sync end"},
    {"fsync_on_close", "--sync end"},
    {"io-depth", "--depth"},
    {"iodepth", "--depth"},
    {"ioengine", "--engine"},
    {"iterations", "--repetitions (-n)"},
    {"j", "--threads"},
    {"jobs", "--threads"},
    {"json", "--format json"},
    {"live", "--interval"},
    {"name", "--run-name or --label"},
    {"no-cleanup", "--keep"},
    {"nrfiles", "--levels and --width"},
    {"numjobs", "--threads"},
    {"odirect", "--cache direct (-b)"},
    {"ops", "--repetitions (-n)"},
    {"output-format", "--format"},
    {"q", "--quiet"},
    {"qd", "--depth"},
    {"queue-depth", "--depth"},
    {"rand", "--access random"},
    {"randseed", "--seed"},
    {"rate_iops", "--rate"},
    {"read", "--tests read, or -r for files that are there"},
    {"readonly", "--tests read, or -r for files that are there"},
    {"readwrite", "--tests"},
    {"runtime", "--time"},
    {"rw", "--tests"},
    {"rwmixpct", "--mix"},
    {"rwmixread", "--mix"},
    {"size", "--file-size (-l) for files, --sizes for what each I/O moves"},
    {"t", "--threads or --time"},
    {"time-limit", "--max-time"},
    {"time_based", "--time"},
    {"timelimit", "--max-time"},
    {"timeout", "--max-time"},
    {"w", "--tests write"},
    {"workers", "--threads"},
    {"write", "--tests write"},
};

/* How targets begin that are named in another way here. */
static const struct foreign_word foreign_targets[] = {
    {"bs=", "--sizes 4k says how much is moved at a time"},
    {"count=", "-n 1000 says how often"},
    {"if=", "name the file itself: iosweep -r FILE"},
    {"of=", "name the directory or file itself"},
};

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Rows of the table of distances between the beginnings of both words; an exchange of neighbours
 * needs the last but one, too. */
static unsigned distance_of(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned rows[3][LETTERS_MAX + 1], *before = rows[0], *last = rows[1], *row = rows[2];

    for (size_t k = 0; k <= b_length; k++)
        before[k] = last[k] = (unsigned)k;
    for (size_t i = 1; i <= a_length; i++) {
        unsigned *const old = before;
        row[0] = (unsigned)i;
        for (size_t k = 1; k <= b_length; k++) {
            const unsigned wrong = tolower((unsigned char)a[i - 1]) != b[k - 1];
            row[k] = least(last[k - 1] + wrong, least(last[k], row[k - 1]) + 1);
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                row[k] = least(row[k], before[k - 2] + 1);
        }
        before = last;
        last = row;
        row = old;
    }
    return last[b_length];
}

bool hint_is_near(const char *a, size_t a_length, const char *b, unsigned *distance)
{
    const size_t b_length = strlen(b);

    if (a_length < 2 || a_length > LETTERS_MAX || b_length > LETTERS_MAX)
        return false;
    *distance = distance_of(a, a_length, b, b_length);
    return *distance <= (a_length + 2) / 4;
}

const char *hint_foreign_option(const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT_OF(foreign_options); i++)
        if (strlen(foreign_options[i].said) == length &&
            memcmp(foreign_options[i].said, name, length) == 0)
            return foreign_options[i].meant;
    return NULL;
}

const char *hint_engine(const char *name)
{
    const char *found = NULL;
    unsigned best = LETTERS_MAX;

    for (unsigned i = 0; engine_table[i]; i++) {
        const char *known = engine_table[i]->name;
        unsigned distance = LETTERS_MAX;
        if (strlen(name) >= 3 && strstr(known, name))
            distance = 0; /* "uring", "aio" */
        else if (!hint_is_near(name, strlen(name), known, &distance))
            continue;
        if (distance < best) {
            best = distance;
            found = known;
        }
    }
    return found;
}

/* "FAR://x", "far:x" and "far": the words before a target that is no file. */
static bool hint_scheme(const char *target, char text[HINT_TEXT])
{
    for (const struct target_driver *const *d = target_driver_table; *d; d++) {
        const size_t letters = strcspn((*d)->scheme, ":");
        const char *rest = target + letters;
        if (!letters || strncasecmp(target, (*d)->scheme, letters) != 0 ||
            (rest[0] != ':' && rest[0] != '\0'))
            continue;
        rest += strspn(rest, ":/");
        if (strcmp((*d)->form, (*d)->scheme) == 0)
            rest = ""; /* nothing follows there */
        for (const char *c = rest; *c; c++)
            if (*c <= ' ' || *c > '~')
                rest = ""; /* nothing that a terminal could obey */
        snprintf(text, HINT_TEXT, "did you mean %s%.100s", (*d)->scheme, rest);
        return true;
    }
    return false;
}

const char *hint_target(const char *target, char text[HINT_TEXT])
{
    const size_t digits = strspn(target, "0123456789");
    unsigned distance;

    text[0] = '\0';
    for (size_t i = 0; i < COUNT_OF(foreign_targets); i++)
        if (strncmp(target, foreign_targets[i].said, strlen(foreign_targets[i].said)) == 0)
            snprintf(text, HINT_TEXT, "%s", foreign_targets[i].meant);
    for (const struct target_driver *const *d = target_driver_table; *d; d++)
        for (const struct target_foreign *f = (*d)->foreign; f && f->said; f++)
            if (strncmp(target, f->said, strlen(f->said)) == 0)
                snprintf(text, HINT_TEXT, "%s", f->meant);
    if (text[0] || hint_scheme(target, text))
        return text;
    if (digits > 0 && target[digits + strspn(target + digits, "kKmMgGtTiIbB")] == '\0') /* "4k" */
        snprintf(text, HINT_TEXT,
                 "sizes of I/O are given with --sizes, of files with --file-size (-l); else create "
                 "the directory first");
    if (hint_is_near(target, strlen(target), "help", &distance))
        snprintf(text, HINT_TEXT, "did you mean iosweep --help");
    for (unsigned i = 0; command_table[i]; i++)
        if (hint_is_near(target, strlen(target), command_table[i]->name, &distance))
            snprintf(text, HINT_TEXT,
                     "did you mean iosweep %s ...; else create the directory first",
                     command_table[i]->name);
    return text;
}
