/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* out_fixture.h - a small hand-made run for the tests of src/report/: one target, one engine, rows
 * with round figures, and a stream in memory to print them to. Included once per test program. */
#ifndef TESTS_UNIT_OUT_FIXTURE_H
#define TESTS_UNIT_OUT_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/columns/columns.h"
#include "report/formats/formats.h"

#ifndef FIXTURE_ROWS
#define FIXTURE_ROWS 4
#endif

/* A target accessed by requests: no files, no page cache. */
static const struct storage_driver far_driver = {
    .name = "far",
    .kind = "object store",
    .noun = "object",
    .scheme = "far://",
    .form = "far://PLACE",
    .capabilities = TARGET_REQUESTS | TARGET_LONG_SLICES,
    .length_option = "--object-size",
};

struct fixture {
    struct engine engine;
    struct target target;
    uint64_t length_bytes[1];
    const char *names[1];
    uint64_t depths[1];
    const struct target *targets[1];
    struct settings settings;
    struct cell cells[FIXTURE_ROWS];
    struct result results[FIXTURE_ROWS];
    const struct result *rows[FIXTURE_ROWS];
    unsigned row_count; /* passed to a sink */
    struct run_info info;
    double rounds[FIXTURE_ROWS][3];
    char *text; /* printed output */
    size_t text_size;
    FILE *stream;
};

/* A row of `operations` that took time_ns in all, each the same time. */
static inline void fixture_measure(struct fixture *f, unsigned row, uint64_t operations,
                                   uint64_t time_ns)
{
    struct result *r = &f->results[row];
    uint64_t each_ns = operations > 0 ? time_ns / operations : 0;
    memset(&r->sum.tally, 0, sizeof(r->sum.tally));
    tally_reset(&r->sum.tally);
    r->sum.tally.operations = operations;
    r->sum.time_ns = time_ns;
    for (uint64_t i = 0; i < operations; i++)
        hist_record(&r->sum.tally.latency, each_ns);
    if (operations > 0)
        r->sum.tally.min_ns = r->sum.tally.max_ns = each_ns;
    r->sum.tally.sum_ns = operations * each_ns;
}

/* Rows: writes of 2 B and 64 KiB, and reads of the same. Nothing is measured yet, and all optional
 * facts are unknown. */
static inline void fixture_init(struct fixture *f)
{
    static const uint64_t sizes[] = {2, 65536};
    memset(f, 0, sizeof(*f));
    f->engine.name = "posix";
    f->engine.libc_words = "Using libc with no buffering";
    f->engine.phases =
        1u << PHASE_OPEN | 1u << PHASE_SEEK | 1u << PHASE_TRANSFER | 1u << PHASE_CLOSE;
    f->length_bytes[0] = 4194304;
    f->names[0] = "f0";
    f->target.driver = &target_file;
    f->target.label = (char *)(uintptr_t) "/data";
    f->target.place = (char *)(uintptr_t) "/data/x";
    f->target.description = (char *)(uintptr_t) "64 files of 4 MiB";
    f->target.object_count = 1;
    f->target.length_bytes = f->length_bytes;
    f->target.name = f->names;
    f->target.ours = true;
    f->target.dir_fd = -1;
    f->targets[0] = &f->target;
    f->settings.levels = 3;
    f->settings.width = 4;
    f->settings.file_bytes = 4194304;
    f->settings.repetitions = 1000;
    f->settings.seed = 7;
    f->settings.engines[0] = &f->engine;
    f->settings.engine_count = 1;
    f->settings.tests =
        (struct steps){.count = 2, .step = {{.test = TEST_WRITE}, {.test = TEST_READ}}};
    f->settings.loops = f->settings.repeats = 1;
    f->settings.caches = (struct option_choices){.count = 1, .index = {CACHE_CACHED}};
    f->settings.target_count = 1;
    f->depths[0] = 1;
    f->settings.depths = (struct units_list){.value = f->depths, .count = 1};
    for (unsigned i = 0; i < FIXTURE_ROWS; i++) {
        struct cell *cell = &f->cells[i];
        cell->index = i;
        cell->part = i / 2;
        cell->step = cell->loop = cell->repeat = 1;
        cell->engine = &f->engine;
        cell->threads = 1;
        cell->align_bytes = 2;
        cell->work.depth = 1;
        cell->work.target = &f->target;
        cell->work.test = i < 2 ? TEST_WRITE : TEST_READ;
        cell->work.size_bytes = cell->work.io_bytes = sizes[i % 2];
        f->rows[i] = &f->results[i];
        f->results[i].cell = cell;
        f->results[i].state = RESULT_CLOSED;
        f->results[i].resident_fraction_before = f->results[i].resident_fraction = -1;
        f->results[i].round_ns = f->rounds[i];
        fixture_measure(f, i, 0, 0);
    }
    f->info.settings = &f->settings;
    f->info.targets = f->targets;
    f->info.cells = f->cells;
    f->info.cell_count = FIXTURE_ROWS;
    f->info.rows = f->rows;
    f->info.row_count = &f->row_count;
    f->info.clock = (struct clock_quality){.cost_ns = 24.5, .step_ns = 1};
    f->info.loop_ns = 40;
    f->stream = open_memstream(&f->text, &f->text_size);
}

static inline void fixture_fini(struct fixture *f)
{
    fclose(f->stream);
    free(f->text);
}

/* Gives a row three rounds around a mean, in whole nanoseconds. */
static inline void fixture_rounds(struct fixture *f, unsigned row, double mean_ns, double half_ns)
{
    struct result *r = &f->results[row];
    r->rounds = 3;
    r->round_ns[0] = mean_ns - half_ns;
    r->round_ns[1] = mean_ns;
    r->round_ns[2] = mean_ns + half_ns;
    r->op_ns_mean = mean_ns;
    r->op_ns_low = r->op_ns_min = mean_ns - half_ns;
    r->op_ns_high = mean_ns + half_ns;
    r->op_ns_stddev = half_ns;
    r->interval_known = true;
}

/* Sends rows [from, to) through a sink as the sweep does; 0 or the first -1. */
static inline int fixture_run(struct fixture *f, struct sink *sink, unsigned from, unsigned to,
                              struct error *err)
{
    int failed = sink->begin ? sink->begin(sink->arg, &f->info, err) : 0;
    f->info.rows = f->rows + from;
    f->row_count = 0;
    for (unsigned i = from; i < to; i++) {
        f->row_count++;
        failed |= sink->row ? sink->row(sink->arg, &f->results[i], err) : 0;
        if (sink->part_end && (i + 1 == to || f->cells[i + 1].part != f->cells[i].part))
            failed |= sink->part_end(sink->arg, err);
    }
    return failed | (sink->end ? sink->end(sink->arg, err) : 0);
}

/* The run, created afresh for each test. */
static struct fixture f;

/* Prints rows [from, to) in a format; 0 or -1. */
static inline int fixture_print(enum format format, const struct format_options *options,
                                unsigned from, unsigned to)
{
    struct error err = ERROR_INIT;
    struct sink sink;
    int failed = format_make(format, f.stream, options, &sink, &err);

    if (failed)
        return failed;
    failed = fixture_run(&f, &sink, from, to, &err);
    format_free(&sink);
    return sink.arg ? -1 : failed;
}

static inline int set_up_fixture(void **state)
{
    (void)state;
    fixture_init(&f);
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    fixture_fini(&f);
    return 0;
}

#endif
