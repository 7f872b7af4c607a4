/* SPDX-License-Identifier: GPL-2.0-or-later */
/* header.c - what a result cannot be understood without: machine, clock, targets and the settings
 * that matter, as a dozen short lines on stderr, and at the end what of it has changed.  The same
 * facts are in the JSON document. */
#include "base/compat.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "report/columns/columns.h"
#include "report/facts/facts.h"
#include "report/formats/print.h"

#define LIST_TEXT 512

static void print_clock(const struct run_info *info, const struct hostinfo *host)
{
    char cost[UNITS_TEXT], step[UNITS_TEXT], loop[UNITS_TEXT];
    log_text(
        "# clock: %s, a reading takes %s, resolution %s; iosweep itself takes %s per operation",
        host->clock_source[0] != '\0' ? host->clock_source : "monotonic",
        units_format_time(info->clock.cost_ns, cost),
        units_format_time((double)info->clock.step_ns, step),
        units_format_time(info->loop_ns, loop));
    if (info->reference_ns > 0)
        log_text("# reference: open, read 4 KiB and close of a file in memory take %s",
                 units_format_time(info->reference_ns, loop));
}

static void print_target(const struct target *target)
{
    char place[1024];
    error_printable(target->place ? target->place : "", place, sizeof(place));
    log_text("# target: %s, %s%s%s", place, target->description ? target->description : "",
             target->notes[0] != '\0' ? ", " : "", target->notes);
    if (target->network_options)
        log_text("#   NFS: %s", target->network_options);
    if (target->direct_align_bytes > 0)
        log_text("#   O_DIRECT needs multiples of %" PRIu32 " B", target->direct_align_bytes);
}

/* "1,2,4" */
static void add_counts(char *list, const struct units_list *counts)
{
    for (size_t i = 0; i < counts->count; i++)
        text_add(list, LIST_TEXT, ",", "%" PRIu64, counts->value[i]);
}

static void print_axes(const struct run_info *info)
{
    const struct settings *settings = info->settings;
    char tests[LIST_TEXT] = "", caches[LIST_TEXT] = "", engines[LIST_TEXT] = "";
    char threads[LIST_TEXT] = "", depths[LIST_TEXT] = "", rate[32] = "";
    const struct cell *cells[SETTINGS_ENGINES_MAX];
    const unsigned engine_count = columns_engines(info, cells);
    const bool cached = print_any_can(info, TARGET_CACHED);
    for (unsigned i = 0; i < settings->tests.count; i++)
        text_add(tests, sizeof(tests), ",", "%s", test_names[settings->tests.index[i]]);
    for (unsigned i = 0; i < settings->caches.count; i++)
        text_add(caches, sizeof(caches), ",", "%s", cache_names[settings->caches.index[i]]);
    for (unsigned i = 0; i < engine_count; i++)
        text_add(engines, sizeof(engines), ",", "%s", cells[i]->engine->name);
    add_counts(threads, &settings->threads);
    add_counts(depths, &settings->depths);
    if (settings->rate > 0)
        snprintf(rate, sizeof(rate), ", rate %" PRIu64 "/s", settings->rate);
    log_text("# tests: %s%s%s, engine %s, threads %s, depth %s%s%s%s", tests,
             cached ? ", cache " : "", cached ? caches : "", engines, threads, depths, rate,
             settings->verify ? ", verify" : "", settings->pin ? ", pin" : "");
}

static void print_work(const struct run_info *info)
{
    const struct settings *settings = info->settings;
    char align[UNITS_TEXT] = "min(size, 4 KiB)", largest[UNITS_TEXT], sizes[2 * UNITS_TEXT + 4];
    uint64_t least = UINT64_MAX, most = 0;
    for (unsigned i = 0; i < info->cell_count; i++) {
        uint64_t size_bytes = info->cells[i].work.size_bytes;
        least = size_bytes < least ? size_bytes : least;
        most = size_bytes > most ? size_bytes : most;
    }
    if (settings->align_bytes > 0)
        units_format_size(settings->align_bytes, align);
    units_format_size(info->cell_count > 0 ? least : 0, sizes);
    if (most > least) {
        units_format_size(most, largest);
        snprintf(sizes + strlen(sizes), sizeof(sizes) - strlen(sizes), " to %s", largest);
    }
    if (!print_any_can(info, TARGET_OPENED)) {
        log_text("# work: %u row%s of %s, seed %" PRIu64, info->cell_count,
                 info->cell_count == 1 ? "" : "s", sizes, settings->seed);
        return;
    }
    log_text("# work: %u row%s of %s, offsets aligned to %s, sync %s, %s, seed %" PRIu64,
             info->cell_count, info->cell_count == 1 ? "" : "s", sizes, align,
             sync_names[settings->sync],
             settings->keep_open ? "files kept open" : "open and close in each operation",
             settings->seed);
}

static void print_stop(const struct settings *settings)
{
    char most[UNITS_TEXT], line[LIST_TEXT] = "";
    if (settings->repetitions > 0)
        text_add(line, sizeof(line), ", ", "%" PRIu64 " operations per row", settings->repetitions);
    else if (settings->cell_time_ns > 0)
        text_add(line, sizeof(line), ", ", "%s per row",
                 units_format_span(settings->cell_time_ns, most));
    else
        text_add(line, sizeof(line), ", ",
                 "until the median is known to %.3g %%, %" PRIu64 " to %" PRIu64 " rounds",
                 settings->precision * 100, settings->rounds_min, settings->rounds_max);
    if (settings->max_time_ns > 0)
        text_add(line, sizeof(line), ", ", "at most %s in all",
                 units_format_span(settings->max_time_ns, most));
    log_text("# stop: %s", line);
}

struct header {
    struct print_state state;
    const struct run_info *info;
    struct facts *facts, own;
};

static int header_begin(void *arg, const struct run_info *info, struct error *err)
{
    struct header *header = arg;
    const char **labels = mem_calloc(info->settings->target_count + 1, sizeof(*labels));

    (void)err;
    header->info = info;
    facts_ensure(header->facts, info);
    for (unsigned i = 0; i < info->settings->target_count; i++)
        labels[i] = info->targets[i]->label;
    facts_print(header->facts, labels);
    free(labels);
    print_clock(info, &header->facts->host);
    for (unsigned i = 0; i < info->settings->target_count; i++)
        print_target(info->targets[i]);
    print_axes(info);
    print_work(info);
    print_stop(info->settings);
    return 0;
}

static int header_end(void *arg, struct error *err)
{
    const struct header *header = arg;
    struct facts_change *changes = mem_calloc(FACTS_CHANGES, sizeof(*changes));
    char text[FACTS_TEXT], shown[FACTS_TEXT];
    double load1;
    unsigned count;

    (void)err;
    if (!header->info) {
        free(changes);
        return 0;
    }
    count = facts_compare_now("", header->facts, header->info, changes, &load1);
    for (unsigned i = 0; i < count; i++) {
        snprintf(text, sizeof(text), "%s: %s -> %s", changes[i].what, changes[i].before,
                 changes[i].after);
        log_text("# changed during the run: %s", error_printable(text, shown, sizeof(shown)));
    }
    if (header->facts->host.load1 >= 0 && load1 >= 0)
        log_text("# load: %.2f before, %.2f after", header->facts->host.load1, load1);
    free(changes);
    return 0;
}

static void header_release(void *state)
{
    struct header *header = state;

    facts_free(&header->own);
    free(header);
}

void format_make_header(struct facts *facts, struct sink *sink)
{
    struct header *header = mem_calloc(1, sizeof(*header));

    header->state.release = header_release;
    header->facts = facts ? facts : &header->own;
    *sink = (struct sink){.begin = header_begin, .end = header_end, .arg = header};
}
