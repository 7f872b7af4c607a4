/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* hint.c - see hint.h. */
#include "base/compat.h"

#include "cli/hint.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/command.h"
#include "cli/options.h"
#include "target/target.h"

#define LETTERS_MAX 40 /* longer words are near to nothing */

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

struct foreign_word {
    const char *said, *meant;
};

static const struct foreign_word foreign_options[] = {
    {"?", "--help (-h)"},
    {"append", "--tests append"},
    {"A", "--engine libaio"},
    {"C", "--cache cached"},
    {"D", "--cache direct (-b)"},
    {"H", "--help (-h)"},
    {"L", "--access sequential"},
    {"R", "--access random, which is the default"},
    {"S", "--file-size (-l)"},
    {"T", "--threads"},
    {"V", "--version (-v)"},
    {"W", "--tests write"},
    {"Y", "--sync data"},
    {"ba", "--align"},
    {"block-size", "--sizes"},
    {"blockalign", "--align"},
    {"blocksize", "--sizes"},
    {"bs", "--sizes"},
    {"buffered", "--cache cached"},
    {"colour", "--color"},
    {"c", "--repetitions (-n)"},
    {"concurrency", "--depth or --threads"},
    {"concurrent", "--depth or --threads"},
    {"concurrent-ios", "--depth"},
    {"count", "--repetitions (-n)"},
    {"csv", "--format csv"},
    {"d", "--depth"},
    {"delete", "--tests delete"},
    {"direct", "--cache direct (-b)"},
    {"directory", "the directory itself, as TARGET"},
    {"drop-caches", "--cache uncached"},
    {"duration", "--time"},
    {"e", "--engine"},
    {"end-fsync", "--sync end"},
    {"f", "--format"},
    {"fdatasync", "--sync data"},
    {"file", "the file itself, as TARGET"},
    {"filename", "the file itself, as TARGET"},
    {"filesize", "--file-size (-l)"},
    {"fsync", "--sync end"},
    {"fsync-on-close", "--sync end"},
    {"group-reporting", "not needed: each row is the sum of its threads"},
    {"html", "iosweep report -o FILE.html, which reads results"},
    {"i", "--interval"},
    {"invalidate", "--cache uncached"},
    {"io-depth", "--depth"},
    {"iodepth", "--depth"},
    {"ioengine", "--engine"},
    {"iops", "--rate"},
    {"iterations", "--repetitions (-n)"},
    {"j", "--threads"},
    {"jobs", "--threads"},
    {"json", "--format json"},
    {"lat-percentiles", "not needed: results have p50, p90, p99 and p99.9"},
    {"limit", "--max-time or --repetitions (-n)"},
    {"live", "--interval"},
    {"log", "-o FILE for results, and 2>FILE for what is said of them"},
    {"max-objects", "--repetitions (-n), --objects for those of a set"},
    {"name", "--run-name or --label"},
    {"no-cleanup", "--keep"},
    {"nocache", "--cache direct (-b)"},
    {"nrfiles", "--levels and --width"},
    {"numjobs", "--threads"},
    {"odirect", "--cache direct (-b)"},
    {"oflag", "--cache direct (-b), or --sync data"},
    {"iflag", "--cache direct (-b)"},
    {"ops", "--repetitions (-n)"},
    {"output-format", "--format"},
    {"p", "--interval"},
    {"percentile-list", "not needed: results have p50, p90, p99 and p99.9"},
    {"preset", "@NAME, such as @quick; iosweep help presets shows which"},
    {"q", "--quiet"},
    {"qd", "--depth"},
    {"queue-depth", "--depth"},
    {"ramp-time", "not needed: the first round warms up and is not counted"},
    {"rand", "--access random"},
    {"randrepeat", "--seed N"},
    {"randseed", "--seed"},
    {"random", "--access random"},
    {"rate-iops", "--rate"},
    {"read", "--tests read, or -r for files that are there"},
    {"readonly", "--tests read, or -r for files that are there"},
    {"readwrite", "--tests"},
    {"runs", "--repeat"},
    {"runtime", "--time"},
    {"rw", "--tests"},
    {"rwmixpct", "--mix"},
    {"rwmixread", "--mix"},
    {"samples", "--repetitions (-n)"},
    {"seq", "--access sequential"},
    {"sequential", "--access sequential"},
    {"size", "--file-size (-l) for files, --sizes for what each I/O moves"},
    {"status-interval", "--interval"},
    {"t", "--threads or --time"},
    {"thinktime", "--rate N"},
    {"thread", "--threads"},
    {"time-based", "--time TIME"},
    {"time-limit", "--max-time"},
    {"timelimit", "--max-time"},
    {"timeout", "--max-time"},
    {"unlink", "not needed: test files are removed unless --keep is given"},
    {"usage", "--help"},
    {"w", "--tests write"},
    {"warmup", "not needed: the first round warms up and is not counted"},
    {"workers", "--threads"},
    {"write", "--tests write"},
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

/* Dashes and underscores are the same there; of letters alone the case matters. */
static bool is_called(const char *name, size_t length, const char *said)
{
    if (strlen(said) != length)
        return false;
    for (size_t i = 0; i < length; i++) {
        const char c = length > 1 ? (char)tolower((unsigned char)name[i]) : name[i];
        if (c != said[i] && !(c == '_' && said[i] == '-'))
            return false;
    }
    return true;
}

const char *hint_foreign_option(const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT_OF(foreign_options); i++)
        if (is_called(name, length, foreign_options[i].said))
            return foreign_options[i].meant;
    for (const struct target_driver *const *d = target_driver_table; *d; d++)
        for (const struct target_foreign *f = (*d)->foreign_options; f && f->said; f++)
            if (is_called(name, length, f->said))
                return f->meant;
    return NULL;
}

bool hint_takes_value(const char *meant)
{
    return strncmp(meant, "--", 2) == 0 && !strpbrk(meant, " ,");
}

static bool has_row(const struct option_row *row, const char *name, size_t length)
{
    for (; row->long_name; row++)
        if (strlen(row->long_name) == length && strncmp(row->long_name, name, length) == 0)
            return true;
    return false;
}

bool hint_is_option(const char *name, size_t length)
{
    return has_row(options_table, name, length);
}

const char *hint_owner(const char *name, size_t length)
{
    static char text[40];

    if (has_row(options_table, name, length))
        return "iosweep [TARGET]";
    if (has_row(options_team_table, name, length))
        return "iosweep-mpi";
    for (const struct command *const *c = command_table; *c; c++)
        if (has_row((*c)->options, name, length)) {
            snprintf(text, sizeof(text), "iosweep %.20s", (*c)->name);
            return text;
        }
    return NULL;
}
