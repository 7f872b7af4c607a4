/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_notes.c - what the notes of rows mean and what to do about them, for those who have not
 * read iosweep-csv(5).  Those that change what a row is about stand first, those about its
 * precision last. */
#include "base/compat.h"

#include "analysis/report/report_notes.h"

#include <stdbool.h>
#include <string.h>

static const struct report_meaning meanings[] = {
    {"wrong_data", "Verification found data that had not been written.",
     "Do not trust this storage; iosweep --verify shows where."},
    {"incomplete", "Measuring this row was cut short; its figures rest on what was done by then.",
     "Give it more time (--time, --max-time), or look at the errors that ended it."},
    {"ranks_apart",
     "In more than 5 % of the time not all ranks of the team were at work: one stalled, or began "
     "late.",
     "Measure longer (--time), or with fewer ranks on a host."},
    {"cache_hits",
     "The row was meant to come from the storage, but memory answered part of it: these are not "
     "the figures of the storage.",
     "Use --cache direct, or a larger --file-size."},
    {"not_cached",
     "The row was meant to come from the page cache, but part of it came from the storage.",
     "Use a smaller --file-size."},
    {"nocache", "This system is only asked not to cache: it may, and nothing tells whether it did.",
     "Use a --file-size well above the memory of the machine."},
    {"covered",
     "O_DIRECT cannot transfer this size, so the smallest number of whole blocks was transferred; "
     "the throughput counts the bytes asked for.",
     "Leave such sizes out with --small skip."},
    {"rmw", "O_DIRECT cannot write this size, so whole blocks were read, changed and written back.",
     "Leave such sizes out with --small skip."},
    {"read_ahead_seen",
     "The kernel read more from the storage than was asked for; compare device_bytes with "
     "size_bytes * operations.",
     "Try --readahead none."},
    {"unwritten",
     "The file has holes or space that was never written, which is read without asking the "
     "storage.",
     "Use a file that was really written."},
    {"compressed",
     "The file system keeps some of the file compressed: the storage moves fewer bytes than were "
     "asked for.",
     "Use a file of data that do not compress."},
    {"short", "Some operations moved fewer bytes than asked for; they are counted apart.", ""},
    {"failed_time", "Failed operations took more than 5 % of the time, which the rate includes.",
     "See the column errors."},
    {"drained",
     "On average fewer operations were in flight than threads and depth name, so the row is not "
     "about that concurrency.",
     "Use --time instead of --repetitions."},
    {"rate_missed",
     "Operations began late: the storage is not up to the rate, and latencies are those of a "
     "growing queue.",
     "Ask for a lower --rate, or allow more --depth or --threads."},
    {"submit_blocks",
     "Most of the time was spent submitting operations: this engine is asynchronous in name only.",
     "Use --cache direct."},
    {"punted",
     "The file system could not do operations without waiting, so the kernel handed them to worker "
     "threads.",
     "Compare with --engine posix."},
    {"plain_buffers",
     "Buffers could not be registered with the kernel; mapping them is part of each operation.",
     "Raise the limit of locked memory (ulimit -l), or lower --depth."},
    {"created", "The row went over what earlier create steps of the run had made.", ""},
    {"cold",
     "The first of the repeats: caches and connections were as filling the files had left them.",
     ""},
    {"unfair", "One thread did more than twice as many operations as another.",
     "Use no more --threads than there are processors."},
    {"drift",
     "The rounds became faster or slower from the first to the last: no steady state was reached.",
     "Measure again until this note is gone."},
    {"unsteady",
     "Latency, concurrency and rate do not agree (Little's law): latencies changed while the row "
     "was measured.",
     "Measure longer (--time)."},
    {"timer", "Reading the clock costs more than 5 % of an operation.",
     "Compare with --engine null."},
    {"outliers",
     "At least one round was far off the others.  It counts like any other; the median hardly "
     "feels it, the mean does.",
     "Look for other load on the machine."},
    {"correlated",
     "Neighbouring rounds resemble each other, so something changes more slowly than a round; the "
     "interval allows for it.",
     "Look for other load on the machine."},
    {"wide",
     "The 95 % interval of the median is wider than the precision asked for (by default "
     "\302\2612.5 %).",
     "Measure longer (--time, --rounds) or on a quieter machine."},
    {"on:xattr", "What was read and written is an attribute of objects, as --on asked.", ""},
    {"on:omap", "What was read and written is a value of an object's map, as --on asked.", ""},
    {"payload:zero", "Everything written was zeroes, as --payload asked.", ""},
    {"payload:repeat", "What was written repeats itself, as --payload asked.", ""},
    {"partial:",
     "Only some of the files or objects of the kept run are still there; those were "
     "read.",
     ""},
    {"reduced:",
     "Filling was slow and time limited, so the test files are smaller than asked for "
     "(made/wanted, in bytes); a cache of the device may hold them all.",
     "Give the run more time (--max-time)."},
    {"skipped:beyond_file", "Not measured: the size is larger than every file of the target.", ""},
    {"skipped:not_in_run", "Not measured: the kept run has no objects of that size.", ""},
    {"skipped:below_alignment",
     "Not measured: O_DIRECT cannot transfer this size, and --small skip was given.", ""},
    {"skipped:not_by_engine", "Not measured: the engine does not know this test.", ""},
    {"skipped:too_large",
     "Not measured: the object store takes nothing of this size in one request.", ""},
    {"skipped:unaligned",
     "Not measured: appended pieces would not begin where the stripes of the pool do.", ""},
    {"skipped:not_by_target", "Not measured: the object store has no request for this test.", ""},
    {"skipped:not_created", "Not measured: no create step of that size came before it.", ""},
    {"skipped:not_filled", "Not measured: test fill did not come to the end of the file.", ""},
    {"skipped:no_directory", "Not measured: the test needs a directory.", ""},
    {"skipped:cache_mode", "Not measured: the test does not exist in this cache mode.", ""},
    {"skipped:mix", "Not measured: reads and writes cannot be mixed here.", ""},
    {"skipped:call_size",
     "Not measured: the size is larger than --call-size and cannot be moved in pieces here.", ""},
    {"skipped:", "Not measured.", ""},
};

const struct report_meaning *report_meaning_at(size_t i)
{
    return i < sizeof(meanings) / sizeof(meanings[0]) ? &meanings[i] : NULL;
}

const struct report_meaning *report_meaning(const char *word, size_t length, size_t *weight)
{
    for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
        const char *known = meanings[i].word;
        const size_t whole = strlen(known);
        const bool prefix = known[whole - 1] == ':';
        *weight = i;
        if (prefix ? length >= whole && strncmp(word, known, whole) == 0
                   : length == whole && strncmp(word, known, whole) == 0)
            return &meanings[i];
    }
    *weight = sizeof(meanings) / sizeof(meanings[0]);
    return NULL;
}
