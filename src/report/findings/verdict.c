/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* verdict.c - see verdict.h.  The bounds between kinds of storage are those between the latencies
 * of a 4 KiB read at depth 1 that such storage has: memory and its copies below 15 us, flash some
 * 20 to 300 us (NVMe 60 to 100, SATA 80 to 200), a server over a network or a busy volume up to 2
 * ms, heads that move 4 to 15 ms.  They overlap, so the sentence says "like", not "is". */
#include "base/compat.h"

#include "report/findings/verdict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "base/units.h"

#define SMALL_BYTES        (UINT64_C(16) << 10) /* at most: larger ones are about bandwidth */
#define SMALL_WANTED       (UINT64_C(4) << 10)
#define CACHE_GAIN         1.3 /* less is no difference worth a word */
#define HELD_BACK          3   /* times the median latency that an operation takes on average */
#define REDUCED_NOTE       "reduced:"
#define REDUCED_MUCH       4   /* a set of files so many times smaller may be in a cache whole */
#define UNSTEADY           0.1 /* half width from which on a figure is not to be quoted */
#define LATENCY_MEMORY_NS  15e3
#define LATENCY_FLASH_NS   300e3
#define LATENCY_NETWORK_NS 2e6
#define LATENCY_DISK_NS    40e6

/* The row of that kind whose size is nearest to `size_bytes`, of at most `most_bytes`; NULL: there
 * is none. */
static const struct verdict_row *find(const struct verdict_input *input, bool writes,
                                      enum verdict_path path, uint64_t size_bytes,
                                      uint64_t most_bytes)
{
    const struct verdict_row *found = NULL;
    double least = INFINITY;

    for (size_t i = 0; i < input->count; i++) {
        const struct verdict_row *row = &input->rows[i];
        const double far = fabs(log2((double)row->size_bytes / (double)size_bytes));
        if (row->writes != writes || row->path != path || row->size_bytes > most_bytes ||
            row->latency_ns <= 0 || !row->alone || far >= least)
            continue;
        found = row;
        least = far;
    }
    return found;
}

static const struct verdict_row *find_small(const struct verdict_input *input, bool writes,
                                            enum verdict_path path)
{
    return find(input, writes, path, SMALL_WANTED, SMALL_BYTES);
}

/* The one with the highest throughput; NULL: none is known. */
static const struct verdict_row *find_best(const struct verdict_input *input, bool writes,
                                           enum verdict_path path)
{
    const struct verdict_row *found = NULL;

    for (size_t i = 0; i < input->count; i++) {
        const struct verdict_row *row = &input->rows[i];
        if (row->writes == writes && row->path == path && row->throughput_bytes_per_s > 0 &&
            (!found || row->throughput_bytes_per_s > found->throughput_bytes_per_s))
            found = row;
    }
    return found;
}

/* What storage answers after so long. */
static const char *kind_of(const struct verdict_input *input, double latency_ns)
{
    if (input->kind == VERDICT_TMPFS)
        return " is memory, with no device behind it";
    if (input->kind == VERDICT_OBJECTS && latency_ns < LATENCY_MEMORY_NS)
        return " is memory, with no server behind it";
    if (input->kind == VERDICT_OBJECTS)
        return latency_ns < LATENCY_NETWORK_NS ? " answers like an object store nearby"
               : latency_ns < LATENCY_DISK_NS
                   ? " answers like an object store"
                   : " answers like an object store far away or short of time";
    if (input->kind == VERDICT_SERVED) /* nobody knows by whom, and from what */
        return "";
    if (input->kind == VERDICT_NETWORK)
        return latency_ns < LATENCY_FLASH_NS     ? " answers like a server nearby, from its memory"
               : latency_ns < LATENCY_NETWORK_NS ? " answers like a server on the local network"
               : latency_ns < LATENCY_DISK_NS    ? " answers like a busy server, or one far away"
                                                 : " is slow, even for a server";
    if (input->rotational && !input->guest && latency_ns < LATENCY_NETWORK_NS)
        return " is a hard disk that answers from a cache of its own";
    if (latency_ns < LATENCY_MEMORY_NS)
        return input->guest ? " answers like memory, probably the cache of the host"
                            : " answers like memory, probably a cache below the file system";
    if (latency_ns < LATENCY_FLASH_NS)
        return input->guest ? " answers like an SSD, or a disk behind the host's cache"
                            : " answers like an SSD";
    if (latency_ns < LATENCY_NETWORK_NS)
        return input->guest ? " answers like a network volume, or a busy SSD"
                            : " answers like a slow or busy SSD, or a disk array";
    return latency_ns < LATENCY_DISK_NS ? " answers like a hard disk"
                                        : " is slow, even for a hard disk";
}

/* "; 4 KiB reads take 92 us (p99 310 us)" */
static void add_latency(char *text, const char *before, const struct verdict_row *row)
{
    char size[UNITS_TEXT], time[UNITS_TEXT], p99[UNITS_TEXT];

    text_add(text, VERDICT_TEXT, before, "%s %s take %s", units_format_size(row->size_bytes, size),
             row->writes ? "writes" : "reads", units_format_time(row->latency_ns, time));
    if (row->p50_known && row->p99_ns > 0)
        text_add(text, VERDICT_TEXT, "", " (p50; p99 %s)", units_format_time(row->p99_ns, p99));
    else if (row->p50_known)
        text_add(text, VERDICT_TEXT, "", " (p50)");
}

/* Most operations are fast and the others so slow that they take most of the time. */
static bool is_held_back(const struct verdict_row *row)
{
    return row->alone && row->rate_per_s > 0 && row->latency_ns > 0 &&
           1e9 / row->rate_per_s > HELD_BACK * row->latency_ns;
}

static void add_held_back(const struct verdict_input *input, char *text,
                          const struct verdict_row *row)
{
    char rate[UNITS_TEXT];

    if (!busy_is(&input->busy) && input->kind != VERDICT_TMPFS && is_held_back(row))
        text_add(text, VERDICT_TEXT, "", " but only %s go through (a limit?)",
                 units_format_rate(row->rate_per_s, rate));
}

static void add_throughput(char *text, const struct verdict_row *row)
{
    char size[UNITS_TEXT], rate[UNITS_TEXT];

    text_add(text, VERDICT_TEXT, ", ", "%s %s reach %s", units_format_size(row->size_bytes, size),
             row->writes ? "writes" : "reads",
             units_format_throughput(row->throughput_bytes_per_s, rate));
}

/* "/srv", or "/mnt (NFS; its server may cache)" */
static void add_subject(const struct verdict_input *input, char *text)
{
    text_add(text, VERDICT_TEXT, "", "%s",
             strcmp(input->target, ".") == 0 ? "This directory" : input->target);
    if (input->medium && input->medium->name[0])
        text_add(text, VERDICT_TEXT, "", " (%s; its %s may cache)", input->medium->name,
                 input->medium->keeper);
}

/* First sentence. */
static void tell_what(const struct verdict_input *input, char *text)
{
    enum verdict_path path = VERDICT_DEVICE;
    const struct verdict_row *small = find_small(input, false, path);
    const struct verdict_row *best, *write;
    char bytes[UNITS_TEXT];

    if (!small && input->kind == VERDICT_TMPFS) {
        path = VERDICT_MEMORY;
        small = find_small(input, false, path);
    }
    if (!small) {
        best = find_best(input, false, VERDICT_MEMORY);
        if (!best)
            return;
        add_subject(input, text);
        text_add(text, VERDICT_TEXT, "",
                 "%s the storage was not measured, these are page cache speeds.",
                 text[strlen(text) - 1] == ':' ? "" : ":");
        return;
    }
    add_subject(input, text);
    if (input->reduced_bytes) /* may be all in a cache on the way */
        text_add(text, VERDICT_TEXT, "",
                 " was measured on %s of test files only, which a cache below may hold: ",
                 units_format_bytes((double)input->reduced_bytes, bytes));
    else
        text_add(text, VERDICT_TEXT, "", "%s: ", kind_of(input, small->latency_ns));
    add_latency(text, "", small);
    add_held_back(input, text, small);
    best = find_best(input, false, path);
    if (best && best->size_bytes > small->size_bytes)
        add_throughput(text, best);
    write = find_small(input, true, path);
    if (write) {
        add_latency(text, ", ", write);
        add_held_back(input, text, write);
    }
    best = find_best(input, true, path);
    if (best && write && best->size_bytes > write->size_bytes)
        add_throughput(text, best);
    text_add(text, VERDICT_TEXT, "", ".");
}

static void tell_cache(const struct verdict_input *input, char *text)
{
    const struct verdict_row *device = find_small(input, false, VERDICT_DEVICE), *memory;
    char time[UNITS_TEXT], size[UNITS_TEXT];
    double gain;

    if (input->kind == VERDICT_TMPFS || !device)
        return;
    memory = find(input, false, VERDICT_MEMORY, device->size_bytes, device->size_bytes);
    if (!memory || memory->size_bytes != device->size_bytes)
        return;
    gain = device->latency_ns / memory->latency_ns;
    if (gain < CACHE_GAIN) {
        text_add(text, VERDICT_TEXT, "", "The page cache makes %s reads no faster",
                 units_format_size(device->size_bytes, size));
        return;
    }
    text_add(text, VERDICT_TEXT, "",
             gain < 10 ? "The page cache makes %s reads %.1f times faster (%s)"
                       : "The page cache makes %s reads %.0f times faster (%s)",
             units_format_size(device->size_bytes, size), gain,
             units_format_time(memory->latency_ns, time));
}

/* How many rows are too uneven to be quoted. */
static size_t count_unsteady(const struct verdict_input *input)
{
    size_t count = 0;

    for (size_t i = 0; i < input->count; i++)
        count += input->rows[i].half_width > UNSTEADY;
    return count;
}

/* Second sentence. */
static void tell_trust(const struct verdict_input *input, char *text)
{
    const size_t unsteady = count_unsteady(input);
    const enum busy busy = busy_judge(&input->busy);
    char why[BUSY_TEXT], share[TEXT_SHARE];

    tell_cache(input, text);
    if (input->cut)
        text_add(text, VERDICT_TEXT, "; ", "%sut short: %s had too little time",
                 text[0] ? "c" : "C", text_share(input->cut, input->all, "row", share));
    if (busy == BUSY_BEFORE)
        text_add(text, VERDICT_TEXT, "; ",
                 "%she machine had just been busy (%s): repeat to be sure", text[0] ? "t" : "T",
                 busy_tell(&input->busy, why));
    else if (busy == BUSY_YES)
        text_add(text, VERDICT_TEXT, "; ",
                 "%she machine was busy (%s): do not rely on these figures", text[0] ? "t" : "T",
                 busy_tell(&input->busy, why));
    else if (unsteady > 0)
        text_add(text, VERDICT_TEXT, "; ",
                 "%s var%s by more than 10 %%: measure longer before you quote %s",
                 text_share(unsteady, input->count, "figure", share), unsteady == 1 ? "ies" : "y",
                 unsteady == 1 ? "it" : "them");
    else if (!input->cut)
        text_add(text, VERDICT_TEXT, "; ", "%she %sfigures are steady", text[0] ? "t" : "T",
                 busy == BUSY_QUIET ? "machine was quiet and the " : "");
    text_add(text, VERDICT_TEXT, "", ".");
}

static void tell_next(const struct verdict_input *input, char *text)
{
    const bool device = find_small(input, false, VERDICT_DEVICE) != NULL;
    const char *existing = input->made ? "" : "-r ";
    char *target = text_shell_word(input->target);

    if (input->cut || input->reduced_bytes)
        text_add(text, VERDICT_TEXT, "", "iosweep --quick --max-time 2min %s%s   (%s)", existing,
                 target,
                 input->kind == VERDICT_OBJECTS ? "with the options of this run"
                                                : "more time for slow storage");
    else if (busy_is(&input->busy))
        text_add(text, VERDICT_TEXT, "", "iosweep --quick %s%s   (again, when the machine is idle)",
                 existing, target);
    else if (input->kind == VERDICT_OBJECTS)
        text_add(text, VERDICT_TEXT, "",
                 "iosweep --sizes 4k..16M --depth 1,8 %s   (with the options of this run)", target);
    else if (input->kind == VERDICT_TMPFS)
        text_add(text, VERDICT_TEXT, "", "iosweep --quick DIR   (a directory on a disk)");
    else if (!device)
        text_add(text, VERDICT_TEXT, "", "iosweep --cache uncached %s%s   (without O_DIRECT)",
                 existing, target);
    else
        text_add(text, VERDICT_TEXT, "", "iosweep %s%s   (the whole curve, within a minute)",
                 existing, target);
    free(target);
}

uint64_t verdict_reduced(const char *notes)
{
    const char *note = strstr(notes, REDUCED_NOTE);
    char words[64], *wanted;
    uint64_t made_bytes, wanted_bytes;

    if (!note)
        return 0;
    snprintf(words, sizeof(words), "%s", note + strlen(REDUCED_NOTE));
    words[strcspn(words, ";")] = '\0';
    wanted = strchr(words, '/');
    if (!wanted)
        return 0;
    *wanted++ = '\0';
    if (!number_read(words, &made_bytes) || !number_read(wanted, &wanted_bytes))
        return 0;
    return made_bytes < wanted_bytes / REDUCED_MUCH ? made_bytes : 0;
}

void verdict_make(const struct verdict_input *input, struct verdict *verdict)
{
    *verdict = (struct verdict){.what = ""};
    tell_what(input, verdict->what);
    if (!verdict->what[0])
        return;
    tell_trust(input, verdict->trust);
    tell_next(input, verdict->next);
}
