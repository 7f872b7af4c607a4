/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* progress.c - one line on the terminal while the sweep runs. The sweep requests it at most ten
 * times a second, so that its cost is not measurable. */
#include "base/compat.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/units.h"
#include "os/os.h"
#include "report/formats/print.h"

struct shown {
    struct print_state state;
    unsigned percent; /* last shown; never decreases */
};

/* A narrow terminal shows the beginning only, so the most important comes first. The figure is that
 * of the row measured last, from its first slice on. */
static void progress_show(void *arg, const struct progress *progress)
{
    const struct cell *cell = progress->row->cell;
    const double throughput = columns_throughput(progress->row);
    const double rate = columns_rate(progress->row);
    const uint64_t left_ns = progress->left_ns, elapsed_ns = progress->elapsed_ns;
    struct shown *shown = arg;
    char left[UNITS_TEXT] = "", most[16] = "", size[UNITS_TEXT], text[UNITS_TEXT] = "";

    if (!os_terminal_is_ours(STDERR_FILENO))
        return;
    if (left_ns != UINT64_MAX) {
        const double all = (double)elapsed_ns + (double)left_ns;
        const unsigned percent = all > 0 ? (unsigned)(100 * (double)elapsed_ns / all) : 0;
        shown->percent = percent > shown->percent ? percent : shown->percent;
        units_format_span((left_ns / NS_PER_S + (left_ns % NS_PER_S != 0)) * NS_PER_S, left);
    }
    if (progress->rounds_most > 0)
        snprintf(most, sizeof(most), "/%u", progress->rounds_most);
    if (throughput > 0)
        units_format_throughput(throughput, text);
    else if (rate > 0)
        units_format_rate(rate, text);
    log_progress("%u %%, %s%s, %u of %u rows done, %s %s %s%s%s, round %u%s", shown->percent,
                 left[0] ? left : "no estimate yet", left[0] ? " left" : "", progress->rows_done,
                 progress->rows_all, test_names[cell_test(cell)], cache_names[cell->work.cache],
                 units_format_size(cell->work.size_bytes, size), text[0] ? " " : "", text,
                 progress->rounds_done, most);
}

static int progress_end(void *arg, struct error *err)
{
    (void)arg;
    (void)err;
    log_progress_clear();
    return 0;
}

void format_make_progress(struct sink *sink)
{
    struct shown *shown = mem_calloc(1, sizeof(*shown));
    shown->state.release = free;
    *sink = (struct sink){.progress = progress_show, .end = progress_end, .arg = shown};
}
