/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings.c - what iosweep says of rows that are made up here, for findings.t.
 *
 *     findings WORD...
 *
 * TEST:SIZE begins a row: 1000 operations of 1 us by engine posix, from the page cache.  NAME=VALUE
 * sets what is in fields[] or special[] below, of the run or of the row; a NAME alone sets 1.
 * What belongs to a row and stands before the first one is of all rows.  Figures are whole or not,
 * with ns, us, ms, s, Ki, Mi or % behind them. */
#include "base/compat.h"

#include <stddef.h>

#include "base/text.h"
#include "report/facts/facts.h"
#include "report/findings/findings.h"
#include "unit/team_fixture.h"

#define FIXTURE_ROWS 16
#include "unit/out_fixture.h" /* last: its `f` would shadow parameters in other headers */

static struct made { /* what there is beside the run of out_fixture.h */
    struct run_use use;
    struct hostinfo host;
    struct targetinfo info;
    struct team_member members[TEAM_FIXTURE_RANKS];
    bool brief, verdict;
} made = {.use = {.shares = {.count = 2, .own = 0.3}}};

static struct row { /* the same of a row */
    struct cell *cell;
    struct result *result;
    struct result_rank ranks[TEAM_FIXTURE_RANKS];
    struct target_traffic traffic;
} rows[FIXTURE_ROWS];

static void die(const char *what, const char *word)
{
    fprintf(stderr, "findings: %s: %s\n", word, what);
    exit(99);
}

static const struct engine_async async_hooks = {.depth_max = 256};
#define ALL_PHASES (1u << PHASE_OPEN | 1u << PHASE_SEEK | 1u << PHASE_TRANSFER | 1u << PHASE_CLOSE)
static const struct engine engines[] = {
    {.name = "posix", .phases = ALL_PHASES},
    {.name = "pread", .phases = 1u << PHASE_TRANSFER},
    {.name = "libaio", .phases = ALL_PHASES, .async = &async_hooks},
    {.name = "null", .capabilities = ENGINE_VIRTUAL},
};
static const char *const state_names[] = {"open", "closed", "incomplete", "skipped", NULL};
static const char *const stop_names[] = {
    [STOP_UNKNOWN] = "unknown",     [STOP_COUNT] = "count",         [STOP_TIME] = "time",
    [STOP_PRECISION] = "precision", [STOP_EXHAUSTED] = "exhausted", [STOP_ERRORS] = "errors",
    [STOP_SIGNAL] = "signal",       [STOP_ROUNDS] = "rounds",       [STOP_KINDS] = NULL};

static const char *const misses_names[] = {[TARGET_MISSES_UNKNOWN] = "unknown",
                                           [TARGET_SHORT_OF_MEMORY] = "short-of-memory",
                                           [TARGET_DROPS_AT_OPEN] = "drops-at-open",
                                           [TARGET_KEEPS_NOTHING] = "keeps-nothing",
                                           NULL};

enum place { IN_MADE, IN_FIXTURE, IN_CELL, IN_RESULT };
enum kind { WHOLE, REAL, TEXT, POINTER };
static const struct field {
    const char *name;
    enum place place;
    enum kind kind;
    size_t offset, size;
    const char *const *words; /* of a whole number; or NULL */
} fields[] = {
#define FIELD(type, place, kind, name, member)                                                     \
    {                                                                                              \
        name, place, kind, offsetof(struct type, member), sizeof(((struct type *)0)->member), NULL \
    }
#define NAMED(type, place, name, member, words)                                                \
    {                                                                                          \
        name, place, WHOLE, offsetof(struct type, member), sizeof(((struct type *)0)->member), \
            words                                                                              \
    }
    FIELD(made, IN_MADE, WHOLE, "brief", brief),
    FIELD(made, IN_MADE, WHOLE, "verdict", verdict),
    FIELD(made, IN_MADE, WHOLE, "cpus", use.shares.count),
    FIELD(made, IN_MADE, REAL, "others", use.shares.others),
    FIELD(made, IN_MADE, REAL, "others-most", use.others_most),
    FIELD(made, IN_MADE, REAL, "steal", use.shares.steal),
    FIELD(made, IN_MADE, TEXT, "virtualization", host.virtualization),
    FIELD(made, IN_MADE, WHOLE, "rotational", info.rotational),
    FIELD(made, IN_MADE, REAL, "cpus-quota", host.cpus_quota),
    FIELD(made, IN_MADE, WHOLE, "host-cpus", host.cpus),
    FIELD(made, IN_MADE, TEXT, "io-limits", info.io_limits),
    FIELD(fixture, IN_FIXTURE, WHOLE, "existing", settings.existing),
    FIELD(fixture, IN_FIXTURE, WHOLE, "keep", settings.keep),
    FIELD(fixture, IN_FIXTURE, WHOLE, "rate", settings.rate),
    FIELD(fixture, IN_FIXTURE, WHOLE, "repetitions", settings.repetitions),
    FIELD(fixture, IN_FIXTURE, WHOLE, "max-time", settings.max_time_ns),
    FIELD(fixture, IN_FIXTURE, WHOLE, "targets", settings.target_count),
    FIELD(fixture, IN_FIXTURE, POINTER, "label", target.label),
    FIELD(fixture, IN_FIXTURE, TEXT, "medium", target.medium.name),
    FIELD(fixture, IN_FIXTURE, TEXT, "keeper", target.medium.keeper),
    NAMED(fixture, IN_FIXTURE, "misses", target.misses, misses_names),
    FIELD(fixture, IN_FIXTURE, TEXT, "target-notes", target.notes),
    FIELD(fixture, IN_FIXTURE, WHOLE, "in-memory", target.in_memory),
    FIELD(fixture, IN_FIXTURE, WHOLE, "length", length_bytes[0]),
    NAMED(cell, IN_CELL, "cache", work.cache, cache_names),
    NAMED(cell, IN_CELL, "sync", work.sync, sync_names),
    NAMED(cell, IN_CELL, "access", work.access, access_names),
    FIELD(cell, IN_CELL, WHOLE, "depth", work.depth),
    FIELD(cell, IN_CELL, WHOLE, "threads", threads),
    FIELD(cell, IN_CELL, WHOLE, "target", target),
    FIELD(cell, IN_CELL, WHOLE, "keep-open", work.keep_open),
    FIELD(cell, IN_CELL, WHOLE, "fills", fills),
    FIELD(cell, IN_CELL, WHOLE, "mixed", mixed),
    FIELD(cell, IN_CELL, POINTER, "skip", skip),
    NAMED(result, IN_RESULT, "state", state, state_names),
    NAMED(result, IN_RESULT, "stop", stop, stop_names),
    FIELD(result, IN_RESULT, REAL, "resident", resident_fraction),
    FIELD(result, IN_RESULT, REAL, "median", op_ns_mean),
    FIELD(result, IN_RESULT, WHOLE, "rounds", rounds),
    FIELD(result, IN_RESULT, WHOLE, "least", least_bytes),
    FIELD(result, IN_RESULT, WHOLE, "device-known", device_known),
    FIELD(result, IN_RESULT, WHOLE, "device", sum.device_bytes),
    FIELD(result, IN_RESULT, WHOLE, "time", sum.time_ns),
    FIELD(result, IN_RESULT, WHOLE, "cpu", sum.cpu_ns),
    FIELD(result, IN_RESULT, WHOLE, "operations", sum.tally.operations),
    FIELD(result, IN_RESULT, WHOLE, "failed", sum.tally.failed),
    FIELD(result, IN_RESULT, WHOLE, "wrong", sum.tally.wrong),
    FIELD(result, IN_RESULT, WHOLE, "opening", sum.tally.phase_ns[PHASE_OPEN]),
    FIELD(result, IN_RESULT, WHOLE, "closing", sum.tally.phase_ns[PHASE_CLOSE]),
    FIELD(result, IN_RESULT, WHOLE, "has-requests", sum.has_requests),
    FIELD(result, IN_RESULT, WHOLE, "requests", sum.requests.count),
    FIELD(result, IN_RESULT, WHOLE, "complete", sum.requests.complete),
    FIELD(result, IN_RESULT, WHOLE, "first-byte", sum.requests.first_byte_ns),
    FIELD(result, IN_RESULT, WHOLE, "body", sum.requests.body_ns),
    FIELD(result, IN_RESULT, WHOLE, "received", sum.requests.received_bytes),
    FIELD(result, IN_RESULT, WHOLE, "slow-downs", sum.requests.slow_downs),
    FIELD(result, IN_RESULT, WHOLE, "retries", sum.requests.retries),
};

/* A figure; *rest is what follows it and its unit. */
static double read_figure(const char *text, const char **rest)
{
    static const struct {
        const char *word;
        double factor;
    } units[] = {{"ns", 1},    {"us", 1e3},     {"ms", 1e6}, {"s", 1e9},
                 {"Ki", 1024}, {"Mi", 1048576}, {"%", 0.01}};
    char *end;
    double value = strtod(text, &end);

    if (end == text)
        die("no figure", text);
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (strncmp(end, units[i].word, strlen(units[i].word)) == 0) {
            end += strlen(units[i].word);
            value *= units[i].factor;
            break;
        }
    *rest = end;
    return value;
}

static double figure(const char *text)
{
    const char *rest;
    const double value = read_figure(text, &rest);

    if (*rest != '\0')
        die("no figure", text);
    return value;
}

/* Figures between commas or x; returns how many. */
static size_t read_figures(const char *text, double *values, size_t most)
{
    size_t count = 0;

    for (;; text++) {
        if (count == most)
            die("too many", text);
        values[count++] = read_figure(text, &text);
        if (*text == '\0')
            return count;
    }
}

static uint64_t index_of(const char *word, const char *const *words)
{
    for (uint64_t i = 0; words[i]; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    die("unknown", word);
    return 0;
}

static void set_field(const struct field *field, char *at, const char *value)
{
    if (field->kind == POINTER)
        memcpy(at, &value, sizeof(value));
    else if (field->kind == TEXT)
        text_copy(at, field->size, value);
    else if (field->kind == REAL)
        *(double *)(void *)at = figure(value);
    else {
        const uint64_t whole =
            field->words ? index_of(value, field->words) : (uint64_t)figure(value);

        if (field->size == 1)
            *(bool *)at = whole != 0;
        else if (field->size == 4)
            *(uint32_t *)(void *)at = (uint32_t)whole;
        else
            *(uint64_t *)(void *)at = whole;
    }
}

/* ---- what is more than a field ---- */

static void set_driver(struct row *row, char *value)
{
    (void)row;
    f.target.driver = storage_driver_find(value);
    if (!f.target.driver)
        die("no driver", value);
}

static void set_sizes(struct row *row, char *value)
{
    static uint64_t sizes[FIXTURE_ROWS];
    double values[FIXTURE_ROWS];

    (void)row;
    f.settings.sizes.count = read_figures(value, values, FIXTURE_ROWS);
    for (size_t i = 0; i < f.settings.sizes.count; i++)
        sizes[i] = (uint64_t)values[i];
    f.settings.sizes.value = sizes;
}

static void set_engine(struct row *row, char *value)
{
    for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++)
        if (strcmp(engines[i].name, value) == 0) {
            row->cell->engine = &engines[i];
            return;
        }
    die("unknown", value);
}

/* 1000x10us,10x1ms: 1000 operations of 10 us and 10 of 1 ms. */
static void set_times(struct row *row, char *value)
{
    double values[4];
    const size_t count = read_figures(value, values, 4);
    struct slice_sum *sum = &row->result->sum;

    tally_reset(&sum->tally);
    sum->tally.operations = sum->time_ns = 0;
    for (size_t i = 0; i + 1 < count; i += 2)
        for (uint64_t n = 0; n < (uint64_t)values[i]; n++) {
            const uint64_t ns = (uint64_t)values[i + 1];

            hist_record(&sum->tally.latency, ns);
            sum->tally.operations++;
            sum->tally.sum_ns += ns;
            sum->tally.min_ns = ns < sum->tally.min_ns ? ns : sum->tally.min_ns;
            sum->tally.max_ns = ns > sum->tally.max_ns ? ns : sum->tally.max_ns;
        }
    sum->time_ns = sum->tally.sum_ns;
}

/* The half width of the interval, as a share of the median. */
static void set_half(struct row *row, char *value)
{
    struct result *result = row->result;

    result->rounds = 11;
    result->interval_known = true;
    result->op_ns_low = result->op_ns_mean * (1 - figure(value));
    result->op_ns_high = result->op_ns_mean * (1 + figure(value));
}

static unsigned note_of(const char *word)
{
    static struct result result;
    char text[4096];

    result = (struct result){.cell = &f.cells[0]};
    for (unsigned bit = 0; bit < NOTE_COUNT; bit++) {
        result.notes = 1u << bit;
        if (strcmp(columns_notes(&result, &f.info, text), word) == 0)
            return result.notes;
    }
    die("unknown", word);
    return 0;
}

static void set_notes(struct row *row, char *value)
{
    if (strcmp(value, "all") == 0)
        row->result->notes = (1u << NOTE_COUNT) - 1;
    else
        for (char *word = strtok(value, ","); word; word = strtok(NULL, ","))
            row->result->notes |= note_of(word);
}

/* READ:COUNT,MILLISECONDS[,QUEUED[,RETRANSMISSIONS[,TIMEOUTS]]] */
static void set_call(struct row *row, char *value)
{
    struct target_rpc *rpc = &row->traffic.rpc[row->traffic.rpc_count++];
    double values[5] = {0};

    read_figures(strchr(value, ':') + 1, values, 5);
    text_copy(rpc->name, sizeof(rpc->name), strtok(value, ":"));
    rpc->count = (uint64_t)values[0];
    rpc->round_trip_ms = (uint64_t)values[1];
    rpc->queue_ms = (uint64_t)values[2];
    rpc->retransmissions = (uint64_t)values[3];
    rpc->timeouts = (uint64_t)values[4];
    row->result->rpc = &row->traffic;
}

/* Operations of each rank in a second; they are on two hosts. */
static void set_ranks(struct row *row, char *value)
{
    static struct team team;
    double values[TEAM_FIXTURE_RANKS];
    uint64_t all = 0;

    team = team_fixture;
    team.member = made.members;
    team.host_count = 1;
    for (unsigned i = 0; i < TEAM_FIXTURE_RANKS; i++)
        if (made.members[i].host_index > 0)
            team.host_count = TEAM_FIXTURE_HOSTS;
    f.info.team = &team;
    f.settings.ranks = TEAM_FIXTURE_RANKS;
    f.settings.hosts = TEAM_FIXTURE_HOSTS;
    team_fixture_fill(row->result, row->ranks);
    row->cell->peers = TEAM_FIXTURE_RANKS - 1;
    if (read_figures(value, values, TEAM_FIXTURE_RANKS) != TEAM_FIXTURE_RANKS)
        die("not four", value);
    for (unsigned i = 0; i < TEAM_FIXTURE_RANKS; i++) {
        row->ranks[i].operations = (uint64_t)values[i];
        row->ranks[i].time_ns = 1000000000;
        row->ranks[i].failed = 0;
        all += row->ranks[i].operations;
    }
    row->result->sum.tally.operations = all;
    row->result->sum.tally.failed = 0;
    row->result->sum.elapsed_ns = 1000000000; /* 50 slices of 20 ms */
}

/* The host of each rank, 0 or 1. */
static void set_hosts(struct row *row, char *value)
{
    double values[TEAM_FIXTURE_RANKS];

    (void)row;
    read_figures(value, values, TEAM_FIXTURE_RANKS);
    for (unsigned i = 0; i < TEAM_FIXTURE_RANKS; i++)
        made.members[i] = team_fixture_members[(unsigned)values[i] * 2];
}

static const struct special {
    const char *name;
    bool of_row;
    void (*set)(struct row *row, char *value);
} specials[] = {
    {"driver", false, set_driver}, {"sizes", false, set_sizes}, {"hosts", false, set_hosts},
    {"engine", true, set_engine},  {"times", true, set_times},  {"half", true, set_half},
    {"notes", true, set_notes},    {"call", true, set_call},    {"ranks", true, set_ranks},
};

/* row NULL: there is none yet; what belongs to one waits for it. */
static void set_word(struct row *row, const char *word)
{
    const size_t length = strcspn(word, "=");
    const char *value = word[length] == '=' ? word + length + 1 : "1";
    char *const places[] = {(char *)&made, (char *)&f, row ? (char *)row->cell : NULL,
                            row ? (char *)row->result : NULL};
    char copy[256];

    text_copy(copy, sizeof(copy), value);
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        if (strlen(fields[i].name) == length && memcmp(fields[i].name, word, length) == 0) {
            if (places[fields[i].place])
                set_field(&fields[i], places[fields[i].place] + fields[i].offset, value);
            return;
        }
    for (size_t i = 0; i < sizeof(specials) / sizeof(specials[0]); i++)
        if (strlen(specials[i].name) == length && memcmp(specials[i].name, word, length) == 0) {
            if (row || !specials[i].of_row)
                specials[i].set(row, copy);
            return;
        }
    die("unknown", word);
}

/* waiting: the words for all rows, waiting_count of them. */
static void begin_row(struct row *row, unsigned index, const char *word, char *const *waiting,
                      int waiting_count)
{
    char test[64];

    row->cell = &f.cells[index];
    row->result = &f.results[index];
    text_copy(test, sizeof(test), word);
    row->cell->work.test = (enum io_test)index_of(strtok(test, ":"), test_names);
    row->cell->work.size_bytes = row->cell->work.io_bytes = (uint64_t)figure(strtok(NULL, ":"));
    row->cell->part = 0;
    row->cell->engine = &engines[0];
    set_times(row, (char[]){"1000x1us"});
    for (int i = 0; i < waiting_count; i++)
        set_word(row, waiting[i]);
}

int main(int argc, char **argv)
{
    struct facts facts = {.read = true, .count = 1};
    struct error err = ERROR_INIT;
    struct target other;
    const struct target *const targets[] = {&f.target, &other};
    struct sink sink;
    unsigned count = 0;
    int waiting = 1;

    fixture_init(&f);
    f.info.targets = targets;
    memcpy(made.members, team_fixture_members, sizeof(made.members));
    for (int i = 1; i < argc; i++) {
        if (strchr(argv[i], ':') && !strchr(argv[i], '=')) {
            if (count == FIXTURE_ROWS)
                die("too many rows", argv[i]);
            begin_row(&rows[count], count, argv[i], argv + 1, waiting - 1);
            count++;
        } else {
            set_word(count > 0 ? &rows[count - 1] : NULL, argv[i]);
            waiting = count == 0 ? i + 1 : waiting;
        }
    }
    other = f.target;
    other.label = (char *)(uintptr_t) "/other";
    facts.host = made.host;
    facts.targets = &made.info;
    if (made.use.others_most <= 0)
        made.use.others_most = made.use.shares.others;
    if (format_make_findings(&facts, made.brief, NULL, &sink) != 0)
        die("cannot be made", argv[0]);
    f.info.use = &made.use;
    ((struct findings *)sink.arg)->no_verdict = !made.brief && !made.verdict;
    if (fixture_run(&f, &sink, 0, count, &err) != 0)
        die("not told", argv[0]);
    format_free(&sink);
    fixture_fini(&f);
    return 0;
}
