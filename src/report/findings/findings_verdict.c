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
#include "base/mem.h"
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

/* A row of plain reads or writes of the target that has figures. */
struct judged {
    const struct result *row;
    bool writes;
    bool alone; /* one operation in flight: the time per operation is its latency */
    enum verdict_path path;
    /* that identifies the kind of storage: median, or the mean if the median is unknown; 0:
     * neither */
    double latency_ns;
    /* reported, as in tables: the mean; or the median if the mean is unknown or set by --rate */
    double time_ns;
};

struct verdict_input {
    const struct findings *f;
    struct judged *judged; /* judged_count of them */
    size_t judged_count;
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

/* Adds a row of the target, if it is to be judged. */
static void judge_row(struct verdict_input *input, const struct result *row)
{
    const enum io_test test = cell_test(row->cell);
    const double p50_ns = findings_p50(row), mean_ns = row->op_ns_mean;
    const bool paced = input->f->info->settings->rate > 0 && p50_ns > 0;

    if ((test != TEST_READ && test != TEST_WRITE) || row->cell->mixed || findings_virtual(row) ||
        findings_operations(row) == 0 ||
        (row->state != RESULT_CLOSED && (!is_cut(row) || findings_operations(row) < JUDGED_LEAST)))
        return;
    input->judged[input->judged_count++] =
        (struct judged){.row = row,
                        .writes = test == TEST_WRITE,
                        .alone = cell_slots(row->cell) == 1,
                        .path = path_of(row, input->target),
                        .latency_ns = p50_ns > 0 ? p50_ns : mean_ns,
                        .time_ns = mean_ns > 0 && !paced ? mean_ns : p50_ns};
}

/* Rounds like the table: percentiles have three digits. */
static char *format_time_of(const struct judged *at, char *text)
{
    return columns_format_mean(units_format_time, at->time_ns,
                               at->time_ns == at->row->op_ns_mean ? columns_half_width(at->row) : 0,
                               text);
}

/* The row of that kind with the size nearest to `size_bytes`, at most `most_bytes`; NULL: none. */
static const struct judged *find_row(const struct verdict_input *input, bool writes,
                                     enum verdict_path path, uint64_t size_bytes,
                                     uint64_t most_bytes)
{
    const struct judged *found = NULL, *end = input->judged + input->judged_count;
    double least = INFINITY;

    for (const struct judged *at = input->judged; at < end; at++) {
        const double far = fabs(log2((double)findings_size(at->row) / (double)size_bytes));
        if (at->writes != writes || at->path != path || !at->alone || at->latency_ns <= 0 ||
            findings_size(at->row) > most_bytes || far >= least)
            continue;
        found = at;
        least = far;
    }
    return found;
}

static const struct judged *find_small(const struct verdict_input *input, bool writes,
                                       enum verdict_path path)
{
    return find_row(input, writes, path, SMALL_WANTED, SMALL_BYTES);
}

/* The row of the highest throughput; NULL: unknown. */
static const struct judged *find_best(const struct verdict_input *input, bool writes,
                                      enum verdict_path path)
{
    const struct judged *found = NULL, *end = input->judged + input->judged_count;

    for (const struct judged *at = input->judged; at < end; at++)
        if (at->writes == writes && at->path == path &&
            columns_throughput(at->row) > (found ? columns_throughput(found->row) : 0))
            found = at;
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

static const char *kind_of(const struct verdict_input *input, double latency_ns)
{
    size_t i = 0;

    if (input->kind == VERDICT_LOCAL && input->rotational && !input->guest &&
        latency_ns < LATENCY_NETWORK_NS)
        return " is a hard disk that answers from its own cache";
    while (answers[i].kind != input->kind || latency_ns >= answers[i].below_ns)
        i++;
    return input->guest && answers[i].of_guest ? answers[i].of_guest : answers[i].words;
}

/* "4 KiB reads take 92 us (p99 310 us)", or with several in flight "reach 12 k/s". The median
 * identifies the storage: if the mean is far from it, both are reported. */
static void add_small(const struct verdict_input *input, char *text, const struct judged *at)
{
    const struct result *row = at->row;
    const bool paced = input->f->info->settings->rate > 0;
    const bool skewed = at->alone && at->time_ns > SKEWED * at->latency_ns;
    char size[UNITS_TEXT], figure[UNITS_TEXT], extra[VERDICT_TEXT] = "", limit[FINDINGS_LIMIT_TEXT];
    uint64_t p99_ns;

    text_add(text, VERDICT_TEXT, ", ", "%s %s %s %s", units_format_size(findings_size(row), size),
             test_table[cell_test(row->cell)].plural, at->alone ? "take" : "reach",
             at->alone ? format_time_of(at, figure)
                       : columns_format_mean(units_format_rate, columns_rate(row),
                                             columns_half_width(row), figure));
    if (skewed)
        text_add(extra, sizeof(extra), "", "p50 %s", units_format_time(at->latency_ns, figure));
    if (hist_total(&row->sum.tally.latency) >= P99_LEAST && columns_percentile(row, 990, &p99_ns))
        text_add(extra, sizeof(extra), ", ", "p99 %s", units_format_time((double)p99_ns, figure));
    if (skewed && at->time_ns > HELD_BACK * at->latency_ns && !paced &&
        input->kind != VERDICT_TMPFS) {
        if (findings_limit(input->f, row, limit))
            text_add(extra, sizeof(extra), "; ", "%s", limit);
        else if (!findings_busy(input->f)) /* which would be a cause, too */
            text_add(extra, sizeof(extra), "; ", "a limit?");
    }
    if (extra[0])
        text_add(text, VERDICT_TEXT, "", " (%s)", extra);
}

/* Adds the small row of a test, or else one with several operations in flight, and the best
 * throughput. */
static bool add_test(const struct verdict_input *input, bool writes, enum verdict_path path,
                     char *text)
{
    const struct judged *small = find_small(input, writes, path);
    const struct judged *best = find_best(input, writes, path);
    char size[UNITS_TEXT], rate[UNITS_TEXT];

    for (size_t i = 0; !small && i < input->judged_count; i++) {
        const struct judged *at = &input->judged[i];
        if (at->writes == writes && at->path == path && findings_size(at->row) == SMALL_WANTED &&
            columns_rate(at->row) > 0)
            small = at;
    }
    if (small)
        add_small(input, text, small);
    if (best && (!small || findings_size(best->row) > findings_size(small->row)))
        text_add(text, VERDICT_TEXT, ", ", "%s %s reach %s",
                 units_format_size(findings_size(best->row), size),
                 test_table[cell_test(best->row->cell)].plural,
                 columns_format_mean(units_format_throughput, columns_throughput(best->row),
                                     columns_half_width(best->row), rate));
    if ((small || best) && path == VERDICT_DEVICE && find_best(input, writes, VERDICT_MEMORY))
        text_add(text, VERDICT_TEXT, " ", "%s",
                 input->kind != VERDICT_LOCAL ? "past the page cache"
                 : writes                     ? "to the device"
                                              : "from the device");
    return small || best;
}

/* Adds the highest rate of each test that uses names and of a mix; for fill, which writes
 * consecutive pieces of one file, the throughput. */
static bool add_names(const struct verdict_input *input, char *text)
{
    char text_of_rate[UNITS_TEXT];
    bool any = false;

    for (enum io_test test = 0; test < TEST_COUNT; test++) {
        double (*const speed)(const struct result *) =
            test == TEST_FILL ? columns_throughput : columns_rate;
        const struct result *best = NULL;
        for (size_t i = 0; i < input->f->count; i++) {
            const struct result *row = input->f->rows[i];
            if (row->cell->target == input->index && cell_test(row->cell) == test &&
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
static void tell_what(const struct verdict_input *input, char *text)
{
    const bool memory = input->kind == VERDICT_TMPFS;
    enum verdict_path path = memory ? VERDICT_MEMORY : VERDICT_DEVICE;
    char figures[VERDICT_TEXT] = "", bytes[UNITS_TEXT];
    const struct judged *small = find_small(input, false, path);
    bool reads = add_test(input, false, path, figures),
         writes = add_test(input, true, path, figures);

    if (!reads && !writes && !memory) {
        path = VERDICT_MEMORY;
        reads = add_test(input, false, path, figures);
        writes = add_test(input, true, path, figures);
    }
    if (!add_names(input, figures) && !reads && !writes)
        return;
    text_add(text, VERDICT_TEXT, "", "%s",
             strcmp(input->name, ".") == 0 ? "This directory" : input->name);
    if (input->target->medium.name[0])
        text_add(text, VERDICT_TEXT, "", " (%s; its %s may cache)", input->target->medium.name,
                 input->target->medium.keeper);
    if (input->reduced_bytes) /* all data may be in a cache in between */
        text_add(text, VERDICT_TEXT, "",
                 " was measured with only %s of test files, which may fit into a cache below",
                 units_format_bytes((double)input->reduced_bytes, bytes));
    else if (small)
        text_add(text, VERDICT_TEXT, "", "%s", kind_of(input, small->latency_ns));
    else if ((reads || writes) && path == VERDICT_MEMORY && !memory)
        text_add(text, VERDICT_TEXT, "",
                 "%s the storage was not measured; the figures are those of the page cache",
                 text_colon(text));
    text_add(text, VERDICT_TEXT, "", "%s %s.", text_colon(text), figures);
}

static void tell_cache(const struct verdict_input *input, char *text)
{
    const struct judged *device = find_small(input, false, VERDICT_DEVICE), *memory;
    char figure[UNITS_TEXT], size[UNITS_TEXT];
    uint64_t size_bytes;
    double gain;

    if (!device)
        device = find_row(input, false, VERDICT_DEVICE, SMALL_BYTES, UINT64_MAX);
    if (input->kind == VERDICT_TMPFS || !device)
        return;
    size_bytes = findings_size(device->row);
    memory = find_row(input, false, VERDICT_MEMORY, size_bytes, size_bytes);
    if (!memory || findings_size(memory->row) != size_bytes)
        return;
    gain = device->time_ns / memory->time_ns;
    if (gain < CACHE_GAIN) {
        text_add(text, VERDICT_TEXT, " ", "The page cache makes %s reads no faster.",
                 units_format_size(size_bytes, size));
        return;
    }
    text_add(text, VERDICT_TEXT, " ",
             gain < 10 ? "The page cache makes %s reads %.1f times faster (%s)."
                       : "The page cache makes %s reads %.0f times faster (%s).",
             units_format_size(size_bytes, size), gain,
             size_bytes > SMALL_BYTES && columns_throughput(memory->row) > 0
                 ? columns_format_mean(units_format_throughput, columns_throughput(memory->row),
                                       columns_half_width(memory->row), figure)
                 : format_time_of(memory, figure));
}

/* Reports what casts doubt on the figures; nothing if they are steady. */
static void tell_doubts(const struct verdict_input *input, char *text)
{
    size_t unsteady = 0;
    char why[BUSY_TEXT], share[TEXT_SHARE];

    for (size_t i = 0; i < input->judged_count; i++) {
        const double half_width = columns_half_width(input->judged[i].row);
        unsteady += half_width > UNSTEADY || /* or too few rounds */
                    (half_width <= 0 && input->judged[i].row->notes & NOTE_WIDE);
    }
    if (input->cut)
        text_add(text, VERDICT_TEXT, "; ", "cut short: %s had too little time",
                 text_share(input->cut, input->all, "row", share));
    if (findings_busy(input->f))
        text_add(text, VERDICT_TEXT, "; ",
                 "the machine was busy (%s): do not rely on these figures",
                 busy_tell(&input->f->use, why));
    else if (unsteady > 0)
        text_add(text, VERDICT_TEXT, "; ",
                 "%s var%s by more than 10 %%: measure longer before you quote %s",
                 text_share(unsteady, input->judged_count, "figure", share),
                 unsteady == 1 ? "ies" : "y", unsteady == 1 ? "it" : "them");
    text[0] = (char)toupper((unsigned char)text[0]);
    text_add(text, VERDICT_TEXT, "", text[0] ? "." : "");
}

static void tell_next(const struct verdict_input *input)
{
    const bool objects = input->kind == VERDICT_OBJECTS;
    const bool made = !input->f->info->settings->existing && input->target->ours;
    char *target = text_shell_word(input->name);
    const char *existing = made ? "" : "-r ";
    const struct {
        bool applies;
        const char *options, *existing, *target, *why;
    } next[] = {
        {input->cut || input->reduced_bytes, "--quick --max-time 2min ", existing, target,
         objects ? "with the options of this run" : "more time for slow storage"},
        {findings_busy(input->f), "--quick ", existing, target, "again, when the machine is idle"},
        {objects, "--sizes 4k..16M --depth 1,8 ", "", target, "with the options of this run"},
        {input->kind == VERDICT_TMPFS, "--quick ", "", "DIR", "a directory on a disk"},
        {!find_small(input, false, VERDICT_DEVICE), "--cache uncached ", existing, target,
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
    struct judged *judged = mem_calloc(f->count + 1, sizeof(*judged));

    for (unsigned t = 0; t < f->info->settings->target_count; t++) {
        const struct target *target = f->info->targets[t];
        char name[4 * NAME_MOST + 1], what[VERDICT_TEXT] = "", doubts[VERDICT_TEXT] = "";
        char text[VERDICT_TEXT];
        struct verdict_input input = {
            .f = f,
            .judged = judged,
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
            input.all++;
            input.cut += is_cut(row);
            judge_row(&input, row);
            few = few || (cell_test(row->cell) == TEST_READ &&
                          (is_cut(row) || (row->state == RESULT_CLOSED && input.reduced_bytes)));
        }
        tell_what(&input, what);
        if (!what[0] && few) {
            snprintf(text, sizeof(text), "there was too little time to judge %s; try %s", name,
                     f->info->settings->max_time_ns ? "--max-time 2min" : "--time 5s");
            log_named("verdict", "%s", text);
            findings_keep(f, true, text);
        }
        if (!what[0])
            continue;
        tell_cache(&input, what);
        if (!warned)
            tell_doubts(&input, doubts);
        if (!warned && !doubts[0])
            text_add(what, VERDICT_TEXT, " ", "The %sfigures are steady.",
                     busy_judge(&f->use, f->threads) == BUSY_QUIET ? "machine was quiet and the "
                                                                   : "");
        log_named("verdict", "%s%s%s", doubts, doubts[0] ? " " : "", what);
        if (doubts[0]) /* printed separately from the figures */
            findings_keep(f, true, doubts);
        findings_keep(f, false, what);
        if (f->brief) /* otherwise findings name what to try */
            tell_next(&input);
    }
    free(judged);
}
