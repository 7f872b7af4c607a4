/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* classic.c - the output of io_profile, word for word, so that existing scripts and spreadsheets
 * can read it: a block of parameters, then for each test five columns with six decimals. Time is
 * rounded to whole microseconds first, and throughput and rate are computed from the printed
 * values, so each line can be checked with a pocket calculator.
 *
 * Features unknown to io_profile (several targets or engines, more than one thread, a depth above
 * 1) get a separate table, described by its "Conducting" line. */
#include "base/compat.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "report/formats/print.h"

struct classic {
    struct print_state state;
    const struct run_info *info;
    /* tables differ in more than the test, or use features that io_profile lacks (threads,
     * depth) */
    bool worded;
    const struct cell *section; /* a cell of the current table; NULL: none */
};

static void print_date(FILE *stream)
{
    time_t now = time(NULL);
    struct tm local;
    char text[64];
    if (localtime_r(&now, &local) &&
        strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &local) > 0)
        fprintf(stream, "Date: %s\n", text);
}

static void print_locations(FILE *stream, const struct run_info *info)
{
    struct utsname names;
    const char *host = uname(&names) >= 0 ? names.nodename : "localhost";
    char place[1024];

    for (unsigned i = 0; i < info->settings->target_count; i++) {
        const struct target *target = info->targets[i];
        char *end;
        error_printable(target->place, place, sizeof(place));
        end = strrchr(place, '/');
        if (target->ours && target_can(target, TARGET_FILES) && end && end > place)
            *end = '\0'; /* the directory named by the user, without ours in it */
        fprintf(stream, "Location: %s:%s\n", host, place);
    }
}

static void print_file_mode(FILE *stream, const struct run_info *info)
{
    const struct settings *settings = info->settings;
    const struct target *target = info->targets[0];
    if (!target_can(target, TARGET_SHAPED))
        fprintf(stream, "File mode: %c%s\n", toupper((unsigned char)target->driver->kind[0]),
                target->driver->kind + 1);
    else if (!target->name) /* a device, or no storage */
        fprintf(stream, "File mode: %s\n", target->description ? target->description : "No files");
    else if (!target->ours && target->object_count == 1)
        fputs("File mode: Existing single file\n", stream);
    else if (!target->ours)
        fprintf(stream, "File mode: Existing multi-file filesystem, %" PRIu32 " files\n",
                target->object_count);
    else if (settings->single_file)
        fputs("File mode: Single file\n", stream);
    else
        fprintf(stream,
                "File mode: Multi-file filesystem, %" PRIu64 " levels, %" PRIu64
                " files per level\n",
                settings->levels, settings->width);
}

static void print_synch_mode(FILE *stream, const struct run_info *info)
{
    static const char *const syncs[] = {[SYNC_NONE] = "",
                                        [SYNC_DATA] = ", synchronous data (O_DSYNC)",
                                        [SYNC_FULL] = ", synchronous (O_SYNC)",
                                        [SYNC_END] = ", fsync before close"};
    const struct settings *settings = info->settings;
    const struct cell *cells[SETTINGS_ENGINES_MAX];
    const unsigned engines = columns_engines(info, cells);
    const char *cache = "";

    /* Several cache modes are printed with their tables. */
    if (settings->caches.count == 1 && settings->caches.index[0] == CACHE_DIRECT)
        cache = info->targets[0]->in_memory ? ", in memory (O_DIRECT)"
                                            : ", bypassing the cache (O_DIRECT)";
    else if (settings->caches.count == 1 && settings->caches.index[0] == CACHE_UNCACHED)
        cache = ", evicted from the cache";
    for (unsigned i = 0; i < engines; i++)
        fprintf(stream, "Synch mode: %s%s%s\n", cells[i]->engine->libc_words, cache,
                syncs[settings->sync]);
}

static void print_sizes(FILE *stream, const struct run_info *info)
{
    static const char *const requests[] = {"Requests", "Reads", "Writes", "Reads (Writes)"},
                             *const request[] = {"request", "read", "write", "read (write)"};
    const struct settings *settings = info->settings;
    const struct target *target = info->targets[0];
    unsigned kinds = 0;
    uint64_t least = UINT64_MAX, most = 0;

    for (unsigned i = 0; i < info->cell_count; i++) {
        const struct workload *work = &info->cells[i].work;
        kinds |= (work->test == TEST_READ ? 1u : 0) | (test_writes(work->test) ? 2u : 0);
        least = work->size_bytes < least ? work->size_bytes : least;
        most = work->size_bytes > most ? work->size_bytes : most;
    }
    if (target_can(target, TARGET_SHAPED)) /* otherwise objects have the I/O sizes */
        fprintf(stream, "File size: %" PRIu64 " bytes\n",
                target->object_count > 0 && target->length_bytes ? target->length_bytes[0]
                                                                 : settings->file_bytes);
    if (info->cell_count > 0)
        fprintf(stream, "%s from %" PRIu64 " to %" PRIu64 " bytes\n", requests[kinds], least, most);
    fprintf(stream, "Repetitions per %s size: ", request[kinds]);
    if (settings->repetitions > 0)
        fprintf(stream, "%" PRIu64 "\n", settings->repetitions);
    else
        fputs("until precise\n", stream);
}

static int classic_begin(void *arg, const struct run_info *info, struct error *err)
{
    struct classic *classic = arg;
    FILE *stream = classic->state.stream;
    classic->info = info;
    classic->worded = info->settings->target_count > 1;
    for (unsigned i = 0; i < info->cell_count; i++) {
        const struct cell *a = &info->cells[0], *b = &info->cells[i];
        classic->worded = classic->worded || a->engine != b->engine || b->threads != 1 ||
                          b->work.depth != 1 || a->work.cache != b->work.cache;
    }
    log_progress_clear();
    fputs("IO profile test parameters\n"
          "--------------------------\n",
          stream);
    print_date(stream);
    print_locations(stream, info);
    print_file_mode(stream, info);
    print_synch_mode(stream, info);
    print_sizes(stream, info);
    return print_flush(&classic->state, err);
}

static void section_end(struct classic *classic)
{
    if (!classic->section)
        return;
    fprintf(classic->state.stream, "Done with %s test\n", test_names[classic->section->work.test]);
    classic->section = NULL;
}

static void section_begin(struct classic *classic, const struct cell *cell)
{
    FILE *stream = classic->state.stream;
    char target[1024];
    fprintf(stream, "Conducting %s test", test_names[cell->work.test]);
    if (classic->worded) {
        error_printable(classic->info->targets[cell->target]->label, target, sizeof(target));
        fprintf(stream, " (%s, %s, %" PRIu32 " thread%s, depth %" PRIu32 ", %s)",
                cache_names[cell->work.cache], cell->engine->name, cell->threads,
                cell->threads == 1 ? "" : "s", cell->work.depth, target);
    }
    fputs("...\n"
          "I/O size [bytes], operations, time [s], throughput [bytes/s], I/O rate [1/s]\n",
          stream);
    classic->section = cell;
}

/* Prints five columns for every test: without data moved, 0 bytes/s is correct. */
static void print_row(FILE *stream, const struct result *result)
{
    const bool moves = test_moves_data(result->cell->work.test);
    const uint64_t operations = result->sum.tally.operations;
    const uint64_t size_bytes = result->cell->work.size_bytes;
    uint64_t time_us = result->sum.time_ns / 1000 + (result->sum.time_ns % 1000 >= 500);
    long double rate;
    if (time_us == 0) /* avoids division by 0 */
        time_us = 1;
    rate = (long double)operations * 1e6L;
    fprintf(stream, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ".%06" PRIu64 ",%.6f,%.6f\n", size_bytes,
            operations, time_us / 1000000, time_us % 1000000,
            moves ? (double)(rate * (long double)size_bytes / (long double)time_us) : 0.0,
            (double)(rate / (long double)time_us));
}

/* Prints notes on standard error, because the five columns have no room for them. */
static void tell_notes(const struct classic *classic, const struct result *result, const char *size)
{
    char notes[COLUMNS_NOTES_TEXT], told[COLUMNS_NOTES_TEXT] = "";
    const char *word;
    size_t length;

    columns_notes(result, classic->info, notes);
    for (const char *at = notes; text_word(&at, ";", &word, &length);)
        if (length > 0 && columns_note_weight(word, length) != NOTE_REMARKS)
            text_add(told, sizeof(told), ", ", "%.*s", (int)length, word);
    if (told[0])
        log_info("# %s of %s: %s", test_names[result->cell->work.test], size, told);
}

static int classic_row(void *arg, const struct result *result, struct error *err)
{
    struct classic *classic = arg;
    const struct cell *cell = result->cell;
    char size[UNITS_TEXT];
    units_format_size(cell->work.size_bytes, size);
    if (classic->section && (classic->section->part != cell->part ||
                             cell_unlike(classic->section, cell) &
                                 ~(unsigned)(AXIS_SIZE | AXIS_ACCESS | AXIS_MIXED | AXIS_PLACE)))
        section_end(classic); /* tables differ in more than the size */
    log_progress_clear();
    if (!classic->section)
        section_begin(classic, cell);
    if (result->state == RESULT_SKIPPED)
        log_warn("%s of %s skipped: %s", test_names[cell->work.test], size,
                 cell->skip ? cell->skip : "unknown");
    else if (result->sum.tally.operations == 0)
        log_warn("%s of %s: no operation was completed", test_names[cell->work.test], size);
    else
        print_row(classic->state.stream, result);
    if (result->state != RESULT_SKIPPED)
        tell_notes(classic, result, size);
    return print_flush(&classic->state, err);
}

static int classic_part_end(void *arg, struct error *err)
{
    struct classic *classic = arg;
    log_progress_clear();
    section_end(classic);
    return print_flush(&classic->state, err);
}

int print_make_classic(const struct format_options *options, struct sink *sink, struct error *err)
{
    struct classic *classic = mem_calloc(1, sizeof(*classic));
    (void)options, (void)err;
    classic->state.release = free;
    *sink = (struct sink){.begin = classic_begin,
                          .row = classic_row,
                          .part_end = classic_part_end,
                          .end = classic_part_end,
                          .arg = classic};
    return 0;
}
