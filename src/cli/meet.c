/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* meet.c - see meet.h. */
#include "base/compat.h"

#include "cli/meet.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/color.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/rng.h"
#include "base/text.h"
#include "os/os.h"
#include "report/formats/formats.h"
#include "run/slice_sum.h"
#include "run/team_work.h"

#define PATIENCE_NS UINT64_C(60000000000) /* if the command line was not parsed */

/* A launcher reads the output of ranks, sometimes through its own terminal, and may redirect it. */
static void expect_no_terminal(const struct team *team, struct request *request)
{
    if (strcmp(team->name, team_alone()->name) == 0)
        return;
    if (!request->format_given && request->format == FORMAT_TABLE)
        request->format = FORMAT_CSV;
    if (request->color == COLOR_AUTO)
        color_choose(COLOR_NEVER);
}

/* The identity that rank 0 broadcasts; ranks whose own is equal interpret all further bytes
 * alike. */
struct passport {
    uint64_t layout;  /* hash of the version, the layout of messages and the list of engines */
    uint64_t command; /* hash of the command line with its option files, without secrets */
    uint64_t seed;
    uint32_t chance; /* for names of runs */
    uint32_t spare;
};

void meet_quietly(const struct team *team)
{
    char prefix[TEAM_HOST_BYTES + 32];

    if (team->size < 2 || !team->rank)
        return;
    snprintf(prefix, sizeof(prefix), "rank %" PRIu32 " (%s)", team->rank,
             team->member[team->rank].host);
    log_set_prefix(prefix);
    log_set_level(LOG_QUIET);
    log_progress_enable(false);
}

static void mix_hash(uint64_t *hash, uint64_t value)
{
    uint64_t state = *hash ^ value;

    *hash = rng_splitmix(&state);
}

static uint64_t layout_hash(void)
{
    uint64_t hash = text_hash(PACKAGE_VERSION);

    mix_hash(&hash, sizeof(struct slice_sum));
    mix_hash(&hash, SLICE_SUM_HEAD_BYTES);
    mix_hash(&hash, sizeof(struct team_order));
    mix_hash(&hash, sizeof(struct team_report));
    mix_hash(&hash, sizeof(struct error));
    mix_hash(&hash, sizeof(void *));
    for (unsigned i = 0; engine_table[i]; i++)
        mix_hash(&hash, text_hash(engine_table[i]->name));
    return hash;
}

static uint64_t command_hash(const struct request *request)
{
    const struct settings *settings = &request->settings;
    uint64_t hash = text_hash(request->command_line ? request->command_line : "");

    for (unsigned f = 0; f < settings->file_count; f++)
        for (unsigned i = 0; i < settings->files[f].count; i++)
            mix_hash(&hash, text_hash(settings->files[f].line[i].text));
    return hash;
}

static struct passport passport_of(const struct request *request)
{
    return (struct passport){.layout = layout_hash(),
                             .command = command_hash(request),
                             .seed = request->settings.seed,
                             .chance = (uint32_t)os_random_number()};
}

static int compare_passports(const struct passport *own, const struct passport *first,
                             struct error *err)
{
    if (own->layout != first->layout)
        return error_refuse(err, STATUS_USAGE, "rank 0 runs another version or build than iosweep",
                            PACKAGE_VERSION, "install the same one on all hosts");
    if (own->command != first->command)
        return error_refuse(err, STATUS_USAGE,
                            "the command line, or a file of options, differs from rank 0's", NULL,
                            "give all ranks the same one");
    return 0;
}

static void take_place(struct settings *settings, const struct team *team, uint64_t seed)
{
    uint64_t state = seed ^ (uint64_t)team->rank << 32;

    settings->team_seed = seed;
    /* each rank has its own random sequence */
    settings->seed = team->rank ? rng_splitmix(&state) : seed;
}

static int check_options(const struct team *team, const struct settings *settings,
                         struct error *err)
{
    char text[96];

    snprintf(text, sizeof(text), "%" PRIu64 " for %" PRIu32 " ranks", settings->rate, team->size);
    if (settings->rate && settings->rate < team->size)
        return error_refuse(err, STATUS_USAGE,
                            "--rate applies to all ranks together, and is too low:", text,
                            "give each rank one operation per second");
    if (settings->interval_ns)
        return error_refuse(err, STATUS_USAGE, "--interval does not support teams", NULL,
                            "leave it out; --format json reports each rank");
    return 0;
}

/* Ranks started by the launcher of another MPI do not find each other: each would measure alone and
 * write a separate result. */
static int check_launcher(const struct team *team, struct error *err)
{
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};

    for (size_t i = 0; team_library && team->size == 1 && i < COUNT_OF(sizes); i++) {
        const char *size = getenv(sizes[i]);
        uint64_t ranks;
        if (size && number_take(&size, &ranks) && ranks > 1)
            return error_refuse(err, STATUS_USAGE,
                                "the launcher started more than one rank, but is not that of",
                                team_library_version(), "use the mpirun of the same MPI");
    }
    return 0;
}

int meet(struct team *team, struct request *request, struct error *err)
{
    const bool sound = !error_is_set(err);
    struct passport own = sound ? passport_of(request) : (struct passport){.layout = 0};
    struct passport first = own;
    int code;

    expect_no_terminal(team, request);
    if (team->size == 1) {
        request->chance = own.chance;
        return sound ? check_launcher(team, err) : -1;
    }
    team->patience_ns =
        request->settings.rank_timeout_ns ? request->settings.rank_timeout_ns : PATIENCE_NS;
    code = team->broadcast(team, &first, sizeof(first));
    if (code < 0)
        return team_explain(team, code, err);
    if (sound && first.layout)
        (void)compare_passports(&own, &first, err);
    if (sound && !error_is_set(err) && request->command == COMMAND_SWEEP)
        (void)check_options(team, &request->settings, err);
    if (team_agree(team, err) < 0)
        return -1;
    request->chance = first.chance;
    take_place(&request->settings, team, first.seed);
    return 0;
}

static uint64_t plan_hash(const struct plan *plan)
{
    uint64_t hash = plan->cell_count;

    for (unsigned i = 0; i < plan->cell_count; i++) {
        const struct cell *cell = &plan->cells[i];
        mix_hash(&hash, cell->part);
        mix_hash(&hash, cell->work.io_bytes);
#define AXIS(name, bit, field) mix_hash(&hash, (uint64_t)cell->field);
        CELL_AXES(AXIS)
#undef AXIS
        mix_hash(&hash, text_hash(cell->engine->name));
        mix_hash(&hash, text_hash(cell->skip ? cell->skip : ""));
    }
    return hash;
}

int meet_plan(struct team *team, const struct plan *plan, struct error *err)
{
    uint64_t own = 0, first;
    int code;

    if (team->size == 1)
        return error_is_set(err) ? -1 : 0;
    if (!error_is_set(err))
        own = plan_hash(plan);
    first = own;
    code = team->broadcast(team, &first, sizeof(first));
    if (code < 0)
        return team_explain(team, code, err);
    if (own && first && own != first)
        error_refuse(err, STATUS_TARGET, "the rows that can be measured here differ from rank 0's",
                     NULL, "use targets of the same size and capabilities on all ranks");
    return team_agree(team, err);
}

int meet_facts(struct team *team, struct facts *facts, struct error *err)
{
    const int code = facts_gather(team, facts);

    return code < 0 ? team_explain(team, code, err) : 0;
}

bool meet_barrier(struct team *team)
{
    char byte = 0, *all;
    bool met;

    if (team->size == 1)
        return true;
    all = mem_calloc(team->size, 1);
    met = team->gather(team, &byte, 1, all) == 0 && team->broadcast(team, &byte, 1) == 0;
    free(all);
    return met;
}
