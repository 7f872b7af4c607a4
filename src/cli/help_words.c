/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* help_words.c - the words of tables, verdicts, findings and reports that are the name of no
 * option, column or note. */
#include "base/compat.h"

#include "cli/help_asked.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/mem.h"

#define NAME_BYTES 40

struct help_word {
    const char *names;   /* with | between; the first is the one to show */
    const char *meaning; /* sentences */
    const char *see;     /* what else to ask about, with ", " between */
};

/* In the order of the alphabet. */
static const struct help_word words[] = {
    {"95 % interval|confidence interval|interval",
     "The true value lies in it with a probability of at least 95 %.  That of a row is made of "
     "what its rounds took; with fewer than 3 there is none.",
     "rounds, wide, op_ns_low"},
    {"at", "The size at which the figure to the left of it was reached.", "best"},
    {"average error|mean error|worst error|error|off by",
     "How far the measured times are off the line that was fitted to them, in percent: on average, "
     "or at the size where it fits worst.",
     "fit, fixed cost"},
    {"bandwidth",
     "Bytes per second once transfers are so large that the fixed cost no longer counts: the slope "
     "of the line time = fixed cost + size / bandwidth.  What was measured at one size is the "
     "throughput.",
     "fixed cost, throughput, fit"},
    {"bar|bars",
     "At the end of a line of the table: its throughput as a share of the best of that part (the "
     "rate, where a test moves no data).",
     "throughput"},
    {"best|best throughput", "The highest throughput of a curve, and the size that reached it.",
     "knee, throughput"},
    {"busy|load|steal",
     "A machine is busy when other programs leave the run too little of its processors, or the "
     "host of a virtual machine withholds them (steal); figures measured then depend on more than "
     "the storage.  Where the system does not tell, the load decides: how many threads wanted a "
     "processor in the last minute.",
     "steady, wide"},
    {"bytes/s|B/s|MB/s|GB/s", "Short for throughput.  1 MB is 1000000 bytes; 1 MiB is 1048576.",
     "throughput"},
    {"cache|cached|uncached|direct|asis",
     "Where the data of a row are.  cached: in the page cache, filled before.  uncached: evicted "
     "from it before each round.  direct: it is bypassed, with O_DIRECT.  asis: as found.",
     "page cache, device"},
    {"cell|curve|part",
     "A cell is one size of one test with one set of options, such as reads of 4 KiB at depth 8; "
     "each becomes a row.  The cells of all sizes make a curve.",
     "row"},
    {"change|from|to",
     "How much the time per operation of the new results differs from the old: more than 0 is "
     "slower, less is faster.  From and to bound it (95 % interval).",
     "compare, slower"},
    {"clock|resolution|overhead",
     "What reading the clock costs, the smallest step it shows, and what iosweep itself adds to "
     "each operation.  None of these is subtracted from the figures.",
     "timer"},
    {"left out", "Rows that a summary leaves out, since they have no figure or broke off.",
     "repeat, incomplete"},
    {"conservative|evidence",
     "What a comparison rests on.  With rounds (JSON files) small differences are seen.  "
     "With the intervals of a CSV file the answer is conservative: only clear differences are.",
     "compare, rounds"},
    {"cv|stddev|min|max|overall|mean",
     "In a summary of loops and repeats: mean, standard deviation, smallest and largest over the "
     "rows of one size; cv is the standard deviation as a share of the mean; overall is all work "
     "divided by all time.  In a report max is the slowest operation.",
     "repeat, latency_ns_max"},
    {"delayed ACK|Nagle|TCP_NODELAY",
     "A server that sends headers and data in two small packets can wait about 40 ms between them: "
     "Nagle's algorithm holds the second back until the client confirms the first, and the client "
     "takes its time.  TCP_NODELAY turns that off.",
     "object-stores"},
    {"device|disk|storage",
     "What keeps the data when the page cache is left out: a disk, an SSD, a RAID, a file server.  "
     "--cache direct or --cache device goes past the page cache to it.",
     "page cache, O_DIRECT, FUSE"},
    {"finding|findings|next|verdict",
     "Sentences after the table.  A finding says what stands out in the rows and which option to "
     "try.  The verdict says what kind of storage answers like this and whether to trust the "
     "figures; next is the command to run after that.  In a comparison the verdict is slower, "
     "faster, same, unclear or unknown.",
     "quick, slower"},
    {"fixed cost|t0",
     "The part of an operation's time that does not depend on its size: open, seek, close, system "
     "calls and access time.  t0 in: time = t0 + size / bandwidth.",
     "bandwidth, n1/2, fit"},
    {"from memory|moved|asked for|moved / asked",
     "Bytes that the operations asked for, bytes that storage really moved meanwhile, and the "
     "share of the operations that memory answered.  Moved much less than asked for: the figures "
     "are of memory.  Moved much more: readahead, or whole blocks for small sizes.",
     "cache_hits, device_bytes, covered"},
    {"FUSE|NFS|SMB|CIFS|9p|virtiofs|overlay|loop",
     "O_DIRECT goes past the page cache of this machine, no more.  The daemon of a FUSE file "
     "system, a file server, the host of a virtual machine, or the file system below an overlay "
     "or a loop device may still answer from a cache of its own.  Headings and verdicts name it.",
     "cache_below, O_DIRECT, page cache"},
    {"hole|holes|extent|extents|sparse",
     "Parts of a file that were never written.  They are read as zeroes without asking the "
     "storage, so their figures are of memory.",
     "unwritten"},
    {"in flight|concurrency",
     "Operations that have begun and are not finished: threads x depth of them when all is well.",
     "depth, threads, in_flight_mean"},
    {"iops|I/Os per second", "Operations per second.  Tables and results call it the rate.",
     "rate_per_s"},
    {"knee|knee90|90 % of it from",
     "The smallest size from which on throughput is at least 90 % of the best.  Larger operations "
     "gain little.",
     "best, throughput"},
    {"latency|p50|p90|p99|p99.9|p999|percentile|percentiles|tail",
     "The time of single operations.  Half of them took no longer than p50 (the median), 99 % no "
     "longer than p99; the slowest are the tail.  With more than one operation in flight each of "
     "them waits for others, so latency is more than 1 / rate.  Of fewer than 100 operations p99 "
     "is the longest.",
     "time/op, latency_ns_p99"},
    {"measured|on the line|residual|residuals",
     "The time per operation that was measured, the one on the fitted line, and how far the first "
     "is off the second.",
     "fit, fixed cost"},
    {"median|typical",
     "The value in the middle: half of all values are smaller, half are larger.  A few stalls "
     "hardly move it.",
     "latency_ns_p50, rounds"},
    {"memory|tmpfs", "Files that live in memory have no device below: their speed is the kernel's.",
     "null, page cache"},
    {"n1/2|half that bandwidth|half",
     "The size at which throughput is half the bandwidth: fixed cost x bandwidth.", "fixed cost"},
    {"noisy|bursty|steady|not steady|unstable",
     "Rounds of the same row should take the same time.  Where they do not, the row is marked: "
     "wide (they vary), drift (they get faster or slower), correlated (bursts), outliers (single "
     "rounds).  Repeat on a quiet machine or measure longer.",
     "wide, drift, correlated, outliers, +-"},
    {"O_DIRECT|odirect|direct I/O",
     "A way to open files so that data go between the program and the storage without the page "
     "cache of this machine.  --cache direct (-b) uses it.  It moves whole blocks only: smaller "
     "sizes are marked covered or rmw.",
     "bypass-cache, covered, rmw, FUSE"},
    {"eng.|acc.|thr|dep", "Headings of a narrow table: engine, access, threads and depth.",
     "engine, access, threads, depth"},
    {"old|new", "The earlier and the later results of a comparison, as time per operation.",
     "compare"},
    {"open loop|closed loop",
     "Closed loop: a thread begins the next operation when one has finished.  Open loop (--rate): "
     "operations begin by the clock, and latency counts from the intended start, so that queueing "
     "shows.",
     "rate_missed"},
    {"p|p value",
     "How likely a difference at least this large is if there is none.  It allows for the number "
     "of cells compared.",
     "compare"},
    {"page cache|pagecache|buffered",
     "Memory in which the kernel keeps what files hold.  Reads from it are as fast as memory, and "
     "writes to it return before the storage has the data.  --cache cached measures it, --cache "
     "direct leaves it out.",
     "device, O_DIRECT, cache_hits"},
    {"points|segment|smallest",
     "A line is fitted through so many points (sizes); where one does not do, there are segments "
     "with a line each.",
     "fit"},
    {"read-modify-write", "Reading whole blocks, changing a part, and writing them back.", "rmw"},
    {"reference",
     "The same short cycle on a file in memory, timed between rounds.  If it "
     "changes, the machine changed, not the storage.",
     "compare"},
    {"round|slice",
     "A slice measures one cell for about 20 ms.  A round is one slice of every open cell, in "
     "random order, so that what disturbs the machine does not hit one size alone.",
     "rounds, cell"},
    {"row|rows|record",
     "One line of the table and one record of the results: one size of one test with one set of "
     "options.",
     "cell, columns"},
    {"same|slower|faster|unclear|unknown|tolerance|adjusted",
     "Verdicts of a comparison.  Slower and faster: the time per operation differs by more than "
     "the tolerance (--tolerance, 2 %), and more than chance explains.  Same: any difference is "
     "within the tolerance.  Unclear: the interval is too wide to say.  Unknown: too few rounds.  "
     "Adjusted: what the old time becomes by the ratio that was found.",
     "compare, interval"},
    {"seek|phase|phases|cycle",
     "An operation is a cycle of phases: open, seek, read or write, close.  Each phase is timed.",
     "keep-open, open_ns_mean"},
    {"skew|late|clock error",
     "The ranks of a team begin a slice at one moment.  Late is how long after it one began, skew "
     "the time from the first to the last.  Clocks of hosts are compared by messages to and fro, "
     "so neither is known better than half the time that such a message takes.",
     "team, rank_skew_ns_p99"},
    {"stall|stalls",
     "Single operations that take much longer than the others.  p50 does not show them, rate "
     "and time/op do.",
     "latency, outliers"},
    {"team|rank|ranks|host|hosts|side by side",
     "Several processes (ranks) that mpirun or srun has started, on one host or on many, and that "
     "measure the same rows at the same moments.  A row is of all of them together; JSON "
     "has what each did.  Rank 0 decides and prints.",
     "ranks_apart, rank_rate_per_s_min, skew"},
    {"throttled|SlowDown", "An object store that is asked too much answers SlowDown (503).",
     "retries, rate"},
    {"throughput",
     "Bytes per second: size x operations / time, over all of the time, stalls included.",
     "throughput_bytes_per_s, bandwidth"},
    {"time/op|time per operation|time/op there",
     "The mean time of one operation, 1 / rate.  With more than one operation in flight it is less "
     "than the latency.",
     "latency, op_ns_mean"},
    {"+-|\302\261",
     "Half the width of the 95 % interval of time/op, as a share of it.  Up to 2.5 % is good, "
     "beyond 10 % measure longer.",
     "wide, precision"},
    {"written|filled", "How much had been written before, in tests that fill.", "fill"},
};

#define WORDS (sizeof(words) / sizeof(words[0]))

/* The first of some names, to name; returns those that follow. */
static const char *take_name(const char *names, char name[NAME_BYTES])
{
    const size_t length = strcspn(names, "|");

    snprintf(name, NAME_BYTES, "%.*s", (int)length, names);
    return names + length + (names[length] == '|');
}

static void print_word(FILE *stream, const struct help_word *word)
{
    char *see = mem_printf("See iosweep help: %s.", word->see), name[NAME_BYTES];
    const char *between = "";

    for (const char *names = word->names; *names;) {
        names = take_name(names, name);
        if (!isascii((unsigned char)name[0]))
            continue; /* not every terminal shows it */
        fprintf(stream, "%s%s", between, name);
        between = ", ";
    }
    fputs(":\n", stream);
    help_print_paragraph(stream, word->meaning);
    help_print_paragraph(stream, see);
    free(see);
}

void help_print_words(FILE *stream)
{
    for (size_t i = 0; i < WORDS; i++) {
        if (i > 0)
            fputc('\n', stream);
        print_word(stream, &words[i]);
    }
}

static bool is_called(const struct help_word *word, const char *asked)
{
    char name[NAME_BYTES];

    for (const char *names = word->names; *names;) {
        names = take_name(names, name);
        if (help_begins(name, asked, true))
            return true;
    }
    return false;
}

void help_tell_words(struct asked *asked)
{
    for (size_t i = 0; i < WORDS; i++)
        if (is_called(&words[i], asked->name)) {
            help_answer(asked, "%s", "");
            print_word(asked->stream, &words[i]);
        }
}

void help_each_word(help_name_visit visit, void *arg)
{
    char name[NAME_BYTES];

    for (size_t i = 0; i < WORDS; i++)
        for (const char *names = words[i].names; *names;) {
            names = take_name(names, name);
            visit(arg, name);
        }
}
