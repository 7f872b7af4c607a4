/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dryrun.c - a plan in words.  Times are those of slices and rounds; how long a fixed number of
 * repetitions takes is known only to the storage, unless --rate says when they start. */
#include "base/compat.h"

#include "cli/dryrun.h"

#include <errno.h>
#include <inttypes.h>

#include "base/units.h"
#include "out/columns.h"
#include "run/slice.h"
#include "run/sweep.h"

static void print_targets(FILE *stream, const struct settings *settings,
                          struct store *const *stores)
{
    char size[UNITS_TEXT];

    for (unsigned i = 0; i < settings->target_count; i++) {
        const struct store *store = stores[i];
        units_format_bytes((double)store->total_bytes, size);
        if (store->remote &&
            store->ours) { /* some sets are filled, others by the rows themselves */
            fprintf(stream, "target %s: %s, at most %s stored at a time, %s\n", store->place,
                    store->description, size, settings->keep ? "kept" : "removed at the end");
            continue;
        }
        fprintf(stream, "target %s: %s, %s%s\n", store->place, store->description, size,
                !store->has_files && !store->remote ? " of nothing"
                : store->ours                       ? (settings->keep ? " to be written and kept"
                                                                      : " to be written, removed at the end")
                : store->writable                   ? " of existing data to be OVERWRITTEN"
                                                    : " of existing data, only read");
    }
}

static void print_rows(FILE *stream, const struct plan *plan)
{
    for (unsigned i = 0; i < plan->cell_count; i++) {
        const struct cell *cell = &plan->cells[i];
        char size[UNITS_TEXT];
        fprintf(stream, "row %u: %s %s %s threads=%" PRIu32 " depth=%" PRIu32 " size=%s target=%s",
                i + 1, columns_test_name(cell->work.test), cell->engine->name,
                columns_cache_name(cell->work.cache), cell->threads, cell->work.depth,
                units_format_size(cell->work.size_bytes, size), cell->work.store->label);
        if (cell->work.io_bytes != cell->work.size_bytes)
            fprintf(stream, " moves=%s", units_format_size(cell->work.io_bytes, size));
        if (cell->skip)
            fprintf(stream, " skipped:%s", cell->skip);
        fputc('\n', stream);
    }
}

/* --rate stretches slices: each slot of each thread does some operations in one. */
static double slice_seconds(const struct settings *settings, const struct cell *cell)
{
    const double slice_s = (double)slice_wanted_ns(cell) / 1e9;
    double least_s = 0;

    if (settings->rate)
        least_s = (double)SLICE_CYCLES_MIN / (double)settings->rate;
    return least_s > slice_s ? least_s : slice_s;
}

static void print_time(FILE *stream, const struct settings *settings, const struct plan *plan)
{
    unsigned rows = 0;
    double least_s = 0, most_s;

    for (unsigned i = 0; i < plan->cell_count; i++)
        if (!plan->cells[i].skip) {
            rows++;
            least_s +=
                slice_seconds(settings, &plan->cells[i]) * (double)(settings->rounds_min + 1);
        }
    if (settings->repetitions) {
        fprintf(stream, "operations: %" PRIu64 " per row, %" PRIu64 " in all\n",
                settings->repetitions, settings->repetitions * rows);
        if (settings->rate) {
            const double row_s = (double)settings->repetitions / (double)settings->rate;
            fprintf(stream, "time: %.1f s per row, %.1f s in all, if the rate can be held\n", row_s,
                    row_s * rows);
        }
        return;
    }
    if (settings->cell_time_ns) {
        fprintf(stream, "time: %.1f s per row, %.1f s in all\n",
                (double)settings->cell_time_ns / 1e9, (double)settings->cell_time_ns / 1e9 * rows);
        return;
    }
    most_s = settings->max_time_ns ? (double)settings->max_time_ns / 1e9
                                   : (double)SWEEP_ROW_TIME_NS / 1e9 * plan->cell_count;
    fprintf(stream, "time: about %.0f s, at most %.0f s, and the time to make the files ready\n",
            least_s < most_s ? least_s : most_s, most_s);
}

enum status dryrun_print(FILE *stream, const struct settings *settings, struct store *const *stores,
                         const struct plan *plan, struct error *err)
{
    print_targets(stream, settings, stores);
    fprintf(stream, "rows: %u in %u part%s\n", plan->cell_count, plan->part_count,
            plan->part_count == 1 ? "" : "s");
    print_time(stream, settings, plan);
    print_rows(stream, plan);
    if (fflush(stream) != 0 || ferror(stream)) {
        error_set(err, STATUS_PARTIAL, errno, "cannot write to", "standard output");
        return STATUS_PARTIAL;
    }
    return STATUS_OK;
}
