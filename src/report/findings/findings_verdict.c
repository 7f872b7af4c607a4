/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings_verdict.c - summarises a few rows in two sentences for non-experts: the likely kind of
 * storage and its speed, the effect of the page cache, and whether the state of the machine casts
 * doubt on the figures. */
#include "base/compat.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/number.h"
#include "base/text.h"
#include "base/units.h"
#include "report/findings/findings.h"

#define NAME_MOST    80
#define VERDICT_TEXT 600
#define P99_LEAST    1000 /* ten operations are above p99: then it is printed */
#define JUDGED_LEAST 3    /* minimum of operations to judge a row that ended early */
/* larger ones measure bandwidth */
#define SMALL_BYTES        (UINT64_C(16) << 10)
#define SMALL_WANTED       (UINT64_C(4) << 10)
#define CACHE_GAIN         1.3 /* a smaller difference is not reported */
#define SKEWED             1.5 /* mean relative to median latency: above this both are reported */
#define HELD_BACK          3   /* the same: above this a limit is likely */
#define REDUCED_MUCH       4   /* a set of files smaller by this factor may fit into a cache */
#define UNSTEADY           0.1 /* half width above which a figure must not be quoted */
#define LATENCY_MEMORY_NS  15e3
#define LATENCY_FLASH_NS   300e3
#define LATENCY_NETWORK_NS 2e6
#define LATENCY_DISK_NS    40e6

enum verdict_path {
    VERDICT_DEVICE, /* page cache bypassed or absent: O_DIRECT, requests to a server */
    VERDICT_MEMORY, /* page cache */
    VERDICT_OTHER   /* either: --cache asis, or a note reports that the mode was not achieved */
};

enum verdict_kind {
    VERDICT_LOCAL,   /* a file system on a device, or the device */
    VERDICT_NETWORK, /* a network file system */
    VERDICT_SERVED,  /* served by a daemon, a host or another file system */
    VERDICT_OBJECTS, /* an object store */
    VERDICT_TMPFS    /* a file system in memory, objects in memory */
};

struct verdict { /* on a target */
    const struct findings *f;
    unsigned index; /* number of the target in the run */
    const struct target *target;
    const char *name; /* of the target, printable */
    enum verdict_kind kind;
    bool rotational; /* the device reports that it rotates; virtual ones may, too */
    bool guest;      /* a virtual machine: the host may have a cache of its own */
    /* size of the test files, reduced for lack of time; 0: not reduced */
    uint64_t reduced_bytes;
    unsigned cut, all; /* rows with too little time; all rows */
};

/* The source or destination of the data of a row. */
static enum verdict_path path_of(const struct result *row, const struct target *target)
{
    const enum cache_mode cache = row->cell->work.cache;
    const bool flushed = row->cell->work.sync != SYNC_NONE || findings_flushed(row);

    if (target->in_memory)
        return VERDICT_MEMORY;
    /* reads do not, or not always, access storage */
    if (strstr(target->notes, "unwritten") || strstr(target->notes, "zeros"))
        return VERDICT_OTHER;
    if (row->notes & (NOTE_CACHE_HITS | NOTE_NOT_CACHED | NOTE_NOCACHE | NOTE_COVERED | NOTE_RMW))
        return VERDICT_OTHER;
    if (!target_can(target, TARGET_CACHED) || cache == CACHE_DIRECT)
        return VERDICT_DEVICE;
    if (cache == CACHE_CACHED)
        return VERDICT_MEMORY;
    return cache == CACHE_UNCACHED && (row->cell->work.test == TEST_READ || flushed)
               ? VERDICT_DEVICE
               : VERDICT_OTHER;
}

/* Whether its time ended too early; it may still have figures. */
static bool is_cut(const struct result *row)
{
    return row->state == RESULT_INCOMPLETE && row->stop == STOP_TIME;
}

/* Whether a row of the target is judged: plain reads or writes with figures. */
static bool is_judged(const struct verdict *v, const struct result *row)
{
    const enum io_test test = cell_test(row->cell);
    const uint64_t operations = findings_operations(row);

    return row->cell->target == v->index && (test == TEST_READ || test == TEST_WRITE) &&
           !row->cell->mixed && !findings_virtual(row) && operations > 0 &&
           (row->state == RESULT_CLOSED || (is_cut(row) && operations >= JUDGED_LEAST));
}

static bool is_judged_as(const struct verdict *v, const struct result *row, enum io_test test,
                         enum verdict_path path)
{
    return cell_test(row->cell) == test && is_judged(v, row) && path_of(row, v->target) == path;
}

/* One operation in flight: the time per operation is its latency. */
static bool is_alone(const struct result *row)
{
    return cell_slots(row->cell) == 1;
}

/* Identifies the kind of storage: the median, or the mean if the median is unknown; 0: neither. */
static double latency_of(const struct result *row)
{
    const double p50_ns = findings_p50(row);

    return p50_ns > 0 ? p50_ns : row->op_ns_mean;
}

static bool is_paced(const struct verdict *v, const struct result *row)
{
    return v->f->info->settings->rate > 0 && findings_p50(row) > 0;
}

/* Reported, as in tables: the mean; or the median if the mean is unknown or set by --rate. */
static double time_of(const struct verdict *v, const struct result *row)
{
    return row->op_ns_mean > 0 && !is_paced(v, row) ? row->op_ns_mean : findings_p50(row);
}

/* Rounds like the table: percentiles have three digits. */
static char *format_time_of(const struct verdict *v, const struct result *row, char *text)
{
    const double ns = time_of(v, row);

    return columns_format_mean(units_format_time, ns,
                               ns == row->op_ns_mean ? columns_half_width(row) : 0, text);
}

/* The row of that kind with the size nearest to `size_bytes`, at most `most_bytes`; NULL: none.
 * alone: with one operation in flight. */
static const struct result *find_row(const struct verdict *v, enum io_test test,
                                     enum verdict_path path, bool alone, uint64_t size_bytes,
                                     uint64_t most_bytes)
{
    const struct result *found = NULL;
    double least = INFINITY;

    for (size_t i = 0; i < v->f->count; i++) {
        const struct result *row = v->f->rows[i];
        const double far = fabs(log2((double)findings_size(row) / (double)size_bytes));
        if (far >= least || findings_size(row) > most_bytes || (alone && !is_alone(row)) ||
            !is_judged_as(v, row, test, path) || latency_of(row) <= 0)
            continue;
        found = row;
        least = far;
    }
    return found;
}

static const struct result *find_small(const struct verdict *v, enum io_test test,
                                       enum verdict_path path)
{
    return find_row(v, test, path, true, SMALL_WANTED, SMALL_BYTES);
}

/* The row of the highest throughput; NULL: unknown. */
static const struct result *find_best(const struct verdict *v, enum io_test test,
                                      enum verdict_path path)
{
    const struct result *found = NULL;

    for (size_t i = 0; i < v->f->count; i++)
        if (is_judged_as(v, v->f->rows[i], test, path) &&
            columns_throughput(v->f->rows[i]) > (found ? columns_throughput(found) : 0))
            found = v->f->rows[i];
    return found;
}

/* Description of storage of a kind by latency: the first line with a larger limit. */
static const struct {
    enum verdict_kind kind;
    double below_ns;
    const char *words, *of_guest; /* in a virtual machine; NULL: the same */
} answers[] = {
    {VERDICT_TMPFS, INFINITY, " is memory, with no device behind it", NULL},
    {VERDICT_OBJECTS, LATENCY_MEMORY_NS, " is memory, with no server behind it", NULL},
    {VERDICT_OBJECTS, LATENCY_NETWORK_NS, " answers like a nearby object store", NULL},
    {VERDICT_OBJECTS, LATENCY_DISK_NS, " answers like an object store", NULL},
    {VERDICT_OBJECTS, INFINITY, " answers like a distant or overloaded object store", NULL},
    {VERDICT_SERVED, INFINITY, "", NULL}, /* server and medium are unknown */
    {VERDICT_NETWORK, LATENCY_FLASH_NS, " answers like a nearby server, from its memory", NULL},
    {VERDICT_NETWORK, LATENCY_NETWORK_NS, " answers like a server on the local network", NULL},
    {VERDICT_NETWORK, LATENCY_DISK_NS, " answers like a busy or distant server", NULL},
    {VERDICT_NETWORK, INFINITY, " is slow, even for a server", NULL},
    {VERDICT_LOCAL, LATENCY_MEMORY_NS,
     " answers like memory, probably a cache below the file system",
     " answers like memory, probably the cache of the host"},
    {VERDICT_LOCAL, LATENCY_FLASH_NS, " answers like an SSD",
     " answers like an SSD, or a disk behind the host's cache"},
    {VERDICT_LOCAL, LATENCY_NETWORK_NS, " answers like a slow or busy SSD, or a disk array",
     " answers like a network volume, or a busy SSD"},
    {VERDICT_LOCAL, LATENCY_DISK_NS, " answers like a hard disk", NULL},
    {VERDICT_LOCAL, INFINITY, " is slow, even for a hard disk", NULL},
};

static const char *kind_of(const struct verdict *v, double latency_ns)
{
    size_t i = 0;

    if (v->kind == VERDICT_LOCAL && v->rotational && !v->guest && latency_ns < LATENCY_NETWORK_NS)
        return " is a hard disk that answers from its own cache";
    while (answers[i].kind != v->kind || latency_ns >= answers[i].below_ns)
        i++;
    return v->guest && answers[i].of_guest ? answers[i].of_guest : answers[i].words;
}

/* "4 KiB reads take 92 us (p99 310 us)", or with several in flight "reach 12 k/s". The median
 * identifies the storage: if the mean is far from it, both are reported. */
static void add_small(const struct verdict *v, const struct result *row, char *text)
{
    const double latency_ns = latency_of(row), time_ns = time_of(v, row);
    const bool skewed = is_alone(row) && time_ns > SKEWED * latency_ns;
    char size[UNITS_TEXT], figure[UNITS_TEXT], extra[VERDICT_TEXT] = "", limit[FINDINGS_LIMIT_TEXT];
    uint64_t p99_ns;

    text_add(text, VERDICT_TEXT, ", ", "%s %s %s %s", units_format_size(findings_size(row), size),
             test_table[cell_test(row->cell)].plural, is_alone(row) ? "take" : "reach",
             is_alone(row) ? format_time_of(v, row, figure)
                           : columns_format_mean(units_format_rate, columns_rate(row),
                                                 columns_half_width(row), figure));
    if (skewed)
        text_add(extra, sizeof(extra), "", "p50 %s", units_format_time(latency_ns, figure));
    if (hist_total(&row->sum.tally.latency) >= P99_LEAST && columns_percentile(row, 990, &p99_ns))
        text_add(extra, sizeof(extra), ", ", "p99 %s", units_format_time((double)p99_ns, figure));
    if (skewed && time_ns > HELD_BACK * latency_ns && v->kind != VERDICT_TMPFS) {
        if (findings_limit(v->f, row, limit))
            text_add(extra, sizeof(extra), "; ", "%s", limit);
        else if (v->f->busy != BUSY_YES) /* which would be a cause, too */
            text_add(extra, sizeof(extra), "; ", "a limit?");
    }
    if (extra[0])
        text_add(text, VERDICT_TEXT, "", " (%s)", extra);
}

/* Adds the small row of a test, or else one with several operations in flight, and the best
 * throughput. */
static bool add_test(const struct verdict *v, enum io_test test, enum verdict_path path, char *text)
{
    const struct result *small = find_small(v, test, path), *best = find_best(v, test, path);
    char size[UNITS_TEXT], rate[UNITS_TEXT];

    if (!small)
        small = find_row(v, test, path, false, SMALL_WANTED, SMALL_WANTED);
    if (small)
        add_small(v, small, text);
    if (best && (!small || findings_size(best) > findings_size(small)))
        text_add(text, VERDICT_TEXT, ", ", "%s %s reach %s",
                 units_format_size(findings_size(best), size), test_table[test].plural,
                 columns_format_mean(units_format_throughput, columns_throughput(best),
                                     columns_half_width(best), rate));
    if ((small || best) && path == VERDICT_DEVICE && find_best(v, test, VERDICT_MEMORY))
        text_add(text, VERDICT_TEXT, " ", "%s",
                 v->kind != VERDICT_LOCAL ? "past the page cache"
                 : test == TEST_WRITE     ? "to the device"
                                          : "from the device");
    return small || best;
}

/* Adds the highest rate of each test that uses names and of a mix; for fill, which writes
 * consecutive pieces of one file, the throughput. */
static bool add_names(const struct verdict *v, char *text)
{
    char text_of_rate[UNITS_TEXT];
    bool any = false;

    for (enum io_test test = 0; test < TEST_COUNT; test++) {
        double (*const speed)(const struct result *) =
            test == TEST_FILL ? columns_throughput : columns_rate;
        const struct result *best = NULL;
        for (size_t i = 0; i < v->f->count; i++) {
            const struct result *row = v->f->rows[i];
            if (row->cell->target == v->index && cell_test(row->cell) == test &&
                ((test != TEST_READ && test != TEST_WRITE) || row->cell->mixed) &&
                row->state == RESULT_CLOSED && columns_rate(row) > 0 && !findings_virtual(row) &&
                (!best || speed(row) > speed(best)))
                best = row;
        }
        if (best)
            text_add(text, VERDICT_TEXT, ", ", "%s%s reach %s", test_table[test].plural,
                     best->cell->mixed ? " in a mix" : "",
                     (test == TEST_FILL ? units_format_throughput
                                        : units_format_rate)(speed(best), text_of_rate));
        any = any || best;
    }
    return any;
}

/* First sentence: the kind of storage as indicated by small reads, and its figures; those of the
 * page cache only if nothing else was measured. */
static void tell_what(const struct verdict *v, char *text)
{
    const bool memory = v->kind == VERDICT_TMPFS;
    enum verdict_path path = memory ? VERDICT_MEMORY : VERDICT_DEVICE;
    char figures[VERDICT_TEXT] = "", bytes[UNITS_TEXT];
    const struct result *small = find_small(v, TEST_READ, path);
    bool reads = add_test(v, TEST_READ, path, figures),
         writes = add_test(v, TEST_WRITE, path, figures);

    if (!reads && !writes && !memory) {
        path = VERDICT_MEMORY;
        reads = add_test(v, TEST_READ, path, figures);
        writes = add_test(v, TEST_WRITE, path, figures);
    }
    if (!add_names(v, figures) && !reads && !writes)
        return;
    text_add(text, VERDICT_TEXT, "", "%s", strcmp(v->name, ".") == 0 ? "This directory" : v->name);
    if (v->target->medium.name[0])
        text_add(text, VERDICT_TEXT, "", " (%s; its %s may cache)", v->target->medium.name,
                 v->target->medium.keeper);
    if (v->reduced_bytes) /* all data may be in a cache in between */
        text_add(text, VERDICT_TEXT, "",
                 " was measured with only %s of test files, which may fit into a cache below",
                 units_format_bytes((double)v->reduced_bytes, bytes));
    else if (small)
        text_add(text, VERDICT_TEXT, "", "%s", kind_of(v, latency_of(small)));
    else if ((reads || writes) && path == VERDICT_MEMORY && !memory)
        text_add(text, VERDICT_TEXT, "",
                 "%s the storage was not measured; the figures are those of the page cache",
                 text_colon(text));
    text_add(text, VERDICT_TEXT, "", "%s %s.", text_colon(text), figures);
}

static void tell_cache(const struct verdict *v, char *text)
{
    const struct result *device = find_small(v, TEST_READ, VERDICT_DEVICE), *memory;
    char figure[UNITS_TEXT], size[UNITS_TEXT];
    uint64_t size_bytes;
    double gain;

    if (!device)
        device = find_row(v, TEST_READ, VERDICT_DEVICE, true, SMALL_BYTES, UINT64_MAX);
    if (v->kind == VERDICT_TMPFS || !device)
        return;
    size_bytes = findings_size(device);
    memory = find_row(v, TEST_READ, VERDICT_MEMORY, true, size_bytes, size_bytes);
    if (!memory || findings_size(memory) != size_bytes)
        return;
    gain = time_of(v, device) / time_of(v, memory);
    if (gain < CACHE_GAIN) {
        text_add(text, VERDICT_TEXT, " ", "The page cache makes %s reads no faster.",
                 units_format_size(size_bytes, size));
        return;
    }
    text_add(text, VERDICT_TEXT, " ",
             gain < 10 ? "The page cache makes %s reads %.1f times faster (%s)."
                       : "The page cache makes %s reads %.0f times faster (%s).",
             units_format_size(size_bytes, size), gain,
             size_bytes > SMALL_BYTES && columns_throughput(memory) > 0
                 ? columns_format_mean(units_format_throughput, columns_throughput(memory),
                                       columns_half_width(memory), figure)
                 : format_time_of(v, memory, figure));
}

/* Reports what casts doubt on the figures; nothing if they are steady. */
static void tell_doubts(const struct verdict *v, char *text)
{
    size_t judged = 0, unsteady = 0;
    char why[BUSY_TEXT], share[TEXT_SHARE];

    for (size_t i = 0; i < v->f->count; i++) {
        const struct result *row = v->f->rows[i];
        const double half_width = columns_half_width(row);
        if (!is_judged(v, row))
            continue;
        judged++;
        unsteady += half_width > UNSTEADY || /* or too few rounds */
                    (half_width <= 0 && row->notes & NOTE_WIDE);
    }
    if (v->cut)
        text_add(text, VERDICT_TEXT, "; ", "cut short: %s had too little time",
                 text_share(v->cut, v->all, "row", share));
    if (v->f->busy == BUSY_YES)
        text_add(text, VERDICT_TEXT, "; ",
                 "the machine was busy (%s): do not rely on these figures",
                 busy_tell(v->f->info->use, why));
    else if (unsteady > 0)
        text_add(text, VERDICT_TEXT, "; ",
                 "%s var%s by more than 10 %%: measure longer before you quote %s",
                 text_share(unsteady, judged, "figure", share), unsteady == 1 ? "ies" : "y",
                 unsteady == 1 ? "it" : "them");
    text[0] = (char)toupper((unsigned char)text[0]);
    text_add(text, VERDICT_TEXT, "", text[0] ? "." : "");
}

static void tell_next(const struct verdict *v)
{
    const bool objects = v->kind == VERDICT_OBJECTS;
    const bool made = !v->f->info->settings->existing && v->target->ours;
    char *target = text_shell_word(v->name);
    const char *existing = made ? "" : "-r ";
    const struct {
        bool applies;
        const char *options, *existing, *target, *why;
    } next[] = {
        {v->cut || v->reduced_bytes, "--quick --max-time 2min ", existing, target,
         objects ? "with the options of this run" : "more time for slow storage"},
        {v->f->busy == BUSY_YES, "--quick ", existing, target, "again, when the machine is idle"},
        {objects, "--sizes 4k..16M --depth 1,8 ", "", target, "with the options of this run"},
        {v->kind == VERDICT_TMPFS, "--quick ", "", "DIR", "a directory on a disk"},
        {!find_small(v, TEST_READ, VERDICT_DEVICE), "--cache uncached ", existing, target,
         "without O_DIRECT"},
        {true, "", existing, target, "the whole curve, within a minute"},
    };
    size_t i = 0;

    while (!next[i].applies)
        i++;
    log_named("next", "iosweep %s%s%s   (%s)", next[i].options, next[i].existing, next[i].target,
              next[i].why);
    free(target);
}

/* The reduced size from these notes of a target ("reduced:BYTES/BYTES"); 0: irrelevant. */
static uint64_t reduced_of(const char *notes)
{
    const char *at = strstr(notes, "reduced:");
    uint64_t made_bytes, wanted_bytes;

    at = at ? at + strlen("reduced:") : "";
    return number_take(&at, &made_bytes) && *at++ == '/' && number_take(&at, &wanted_bytes) &&
                   made_bytes < wanted_bytes / REDUCED_MUCH
               ? made_bytes
               : 0;
}

/* Whether this is a virtual machine, by the fact: "kvm", "docker container in kvm"; for none
 * "none", "docker container" or "" (unknown). */
static bool is_guest(const char *virtualization)
{
    return strstr(virtualization, " container in ") ||
           (virtualization[0] != '\0' && strcmp(virtualization, "none") != 0 &&
            !strstr(virtualization, " container"));
}

static enum verdict_kind target_kind(const struct target *target)
{
    if (!target_can(target, TARGET_FILES))
        return target_can(target, TARGET_REQUESTS) ? VERDICT_OBJECTS : VERDICT_TMPFS;
    if (target->in_memory)
        return VERDICT_TMPFS;
    if (target->medium.name[0] == '\0')
        return VERDICT_LOCAL;
    return strcmp(target->medium.keeper, "server") == 0 ? VERDICT_NETWORK : VERDICT_SERVED;
}

void findings_verdict(const struct findings *f, bool warned)
{
    for (unsigned t = 0; t < f->info->settings->target_count; t++) {
        const struct target *target = f->info->targets[t];
        char name[4 * NAME_MOST + 1], what[VERDICT_TEXT] = "", doubts[VERDICT_TEXT] = "";
        char text[VERDICT_TEXT];
        struct verdict v = {
            .f = f,
            .index = t,
            .target = target,
            .name = error_printable(target->label, name, sizeof(name)),
            .kind = target_kind(target),
            .rotational = f->facts && t < f->facts->count && f->facts->targets[t].rotational > 0,
            .guest = f->facts && is_guest(f->facts->host.virtualization),
            .reduced_bytes = reduced_of(target->notes),
        };
        bool few = false; /* reads had too little time or too few files to judge */

        for (size_t i = 0; i < f->count; i++) {
            const struct result *row = f->rows[i];
            if (row->cell->target != t || row->state == RESULT_SKIPPED)
                continue;
            v.all++;
            v.cut += is_cut(row);
            few = few || (cell_test(row->cell) == TEST_READ &&
                          (is_cut(row) || (row->state == RESULT_CLOSED && v.reduced_bytes)));
        }
        tell_what(&v, what);
        if (!what[0] && few) {
            snprintf(text, sizeof(text), "there was too little time to judge %s; try %s", name,
                     f->info->settings->max_time_ns ? "--max-time 2min" : "--time 5s");
            log_named("verdict", "%s", text);
            findings_keep(f, true, text);
        }
        if (!what[0])
            continue;
        tell_cache(&v, what);
        if (!warned)
            tell_doubts(&v, doubts);
        if (!warned && !doubts[0])
            text_add(what, VERDICT_TEXT, " ", "The %sfigures are steady.",
                     f->busy == BUSY_QUIET ? "machine was quiet and the " : "");
        log_named("verdict", "%s%s%s", doubts, doubts[0] ? " " : "", what);
        if (doubts[0]) /* printed separately from the figures */
            findings_keep(f, true, doubts);
        findings_keep(f, false, what);
        if (f->brief) /* otherwise findings name what to try */
            tell_next(&v);
    }
}
