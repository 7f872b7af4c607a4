/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* command_probe.c - `iosweep probe`: asks an object store for what it has to be able to do, and tells
 * what came of it, before anyone believes figures of it.  The checks are in target/object/. */
#include "base/compat.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/record_print.h"
#include "base/flag.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/targets.h"
#include "os/os.h"
#include "report/formats/print.h"
#include "run/stop.h"
#include "target/target.h"

struct probe_options {
    struct command_reach reach; /* first */
    const char *output, *run_name;
    unsigned format;
    bool format_given;
    uint64_t max_time_ns;
};

enum probe_format { PROBE_TABLE, PROBE_CSV, PROBE_JSON };
static const char *const format_words[] = {"table", "csv", "json", NULL}; /* enum probe_format */

#define FIELD(member) offsetof(struct probe_options, member)

/* clang-format off */
static const struct option_row options[] = {
    {'o', "output", "FILE", OPTION_STRING, FIELD(output), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "write results to FILE [standard output]", "Output", NULL, 0},
    {0, "format", "NAME", OPTION_CHOICE, FIELD(format), FIELD(format_given), 0, 0, format_words, NULL,
     NULL, "table (terminal), csv (else), json", "Output", NULL, 0},
    {0, "run-name", "NAME", OPTION_STRING, FIELD(run_name), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "name of the run that holds the objects [random]", "Runs", NULL, 0},
    {0, "max-time", "TIME", OPTION_DURATION, FIELD(max_time_ns), OPTION_NONE, 0, 0, NULL, NULL,
     "2m", "time limit for all checks", "Stop", NULL, 0},
    {.long_name = NULL},
};
/* clang-format on */

/* ---- results ---- */

static const char *const result_words[PROBE_RESULTS] = {
    [PROBE_PASS] = "pass", [PROBE_UNSUPPORTED] = "not supported", [PROBE_FAILED] = "failed"};

enum field { FIELD_CHECK, FIELD_RESULT, FIELD_TIME, FIELD_MEANING, FIELD_REASON, FIELD_COUNT };

static const struct record_field fields[FIELD_COUNT] = {
    [FIELD_CHECK] = {.name = "check"},   [FIELD_RESULT] = {.name = "result"},
    [FIELD_TIME] = {.name = "time_ns"},  [FIELD_MEANING] = {.name = "meaning"},
    [FIELD_REASON] = {.name = "reason"},
};

struct probed {
    const char *target;
    struct target_probe *probe;
    unsigned count, of[PROBE_RESULTS];
};

static void take(void *arg, const struct target_probe *probe)
{
    struct probed *probed = arg;

    probed->probe = mem_realloc_array(probed->probe, probed->count + 1, sizeof(*probed->probe));
    probed->probe[probed->count++] = *probe;
    probed->of[probe->result]++;
}

static void fill(const struct target_probe *probe, struct record_value values[FIELD_COUNT])
{
    values[FIELD_CHECK] = record_text(probe->name);
    values[FIELD_RESULT] = record_text(result_words[probe->result]);
    values[FIELD_TIME] = record_count(probe->elapsed_ns);
    values[FIELD_MEANING] = record_text(probe->meaning);
    values[FIELD_REASON] = record_text(probe->reason);
}

static void print_csv(FILE *stream, const struct probed *probed)
{
    record_csv_header(stream, fields, FIELD_COUNT);
    for (unsigned i = 0; i < probed->count; i++) {
        struct record_value values[FIELD_COUNT];
        fill(&probed->probe[i], values);
        record_csv(stream, fields, values, FIELD_COUNT);
        record_clear(values, FIELD_COUNT);
    }
}

static void print_json(FILE *stream, const struct probed *probed)
{
    static const struct record_range all[] = {{0, FIELD_COUNT}, {0, 0}};

    print_json_head(stream, SCHEMA_PROBE);
    fputs(",\"target\":", stream);
    print_json_text(stream, probed->target);
    fputs(",\"checks\":[", stream);
    for (unsigned i = 0; i < probed->count; i++) {
        struct record_value values[FIELD_COUNT];
        fputs(i ? ",\n{" : "\n{", stream);
        fill(&probed->probe[i], values);
        record_json(stream, fields, values, all);
        record_clear(values, FIELD_COUNT);
        fputc('}', stream);
    }
    fprintf(stream, "],\n\"passed\":%u,\"not_supported\":%u,\"failed\":%u}\n",
            probed->of[PROBE_PASS], probed->of[PROBE_UNSUPPORTED], probed->of[PROBE_FAILED]);
}

static void print_table(FILE *stream, const struct probed *probed, const struct text_look *look)
{
    static const char *const headings[] = {"check", "result", "time", "meaning, or why not"};
    static const enum color colors[] = {
        [PROBE_PASS] = COLOR_GOOD, [PROBE_UNSUPPORTED] = COLOR_FAINT, [PROBE_FAILED] = COLOR_ALARM};
    struct text_table table = {
        .columns = 4, .left = {true, true, false, true}, .look = *look, .folded = 3, .colored = 1};
    char time[UNITS_TEXT], reason[512];
    char **row = text_table_add(&table);

    for (unsigned c = 0; c < table.columns; c++)
        row[c] = mem_strdup(headings[c]);
    for (unsigned i = 0; i < probed->count; i++) {
        const struct target_probe *probe = &probed->probe[i];
        row = text_table_add(&table);
        text_table_color(&table, colors[probe->result]);
        row[0] = mem_strdup(probe->name);
        row[1] = mem_strdup(result_words[probe->result]);
        row[2] = mem_strdup(units_format_time((double)probe->elapsed_ns, time));
        row[3] = mem_strdup(error_printable(
            probe->result == PROBE_PASS ? probe->meaning : probe->reason, reason, sizeof(reason)));
    }
    text_table_print(stream, &table);
    text_table_clear(&table);
}

static enum probe_format choose_format(const struct probe_options *block)
{
    if (block->format_given)
        return (enum probe_format)block->format;
    return command_wants_table(block->output) ? PROBE_TABLE : PROBE_CSV;
}

static int print(const struct probe_options *block, const struct probed *probed, struct error *err)
{
    struct command_output output;
    struct text_look look;

    if (command_output_open(block->output, NULL, 0, &output, err) < 0)
        return -1;
    look = command_look(&output);
    switch (choose_format(block)) {
    case PROBE_TABLE:
        print_table(output.stream, probed, &look);
        break;
    case PROBE_CSV:
        print_csv(output.stream, probed);
        break;
    case PROBE_JSON:
        print_json(output.stream, probed);
        break;
    }
    return command_output_close(&output, true, err);
}

static void tell(const struct probed *probed)
{
    char name[1024];

    log_info("# %s %u check%s passed, %u not supported, %u failed",
             error_heading(probed->target, name, sizeof(name)), probed->of[PROBE_PASS],
             probed->of[PROBE_PASS] == 1 ? "" : "s", probed->of[PROBE_UNSUPPORTED],
             probed->of[PROBE_FAILED]);
}

/* ---- the command ---- */

/* "name far://PLACE or near:" */
static const char *advice(char text[TARGETS_FORMS])
{
    unsigned left = 0;
    size_t used = (size_t)snprintf(text, TARGETS_FORMS, "name");

    for (int d = 0; target_driver_table[d]; d++)
        left += target_driver_table[d]->probe != NULL;
    for (int d = 0; target_driver_table[d] && used < TARGETS_FORMS; d++)
        if (target_driver_table[d]->probe)
            used += (size_t)snprintf(text + used, TARGETS_FORMS - used, "%s %s",
                                     used == 4   ? ""
                                     : left == 1 ? " or"
                                                 : ",",
                                     target_driver_table[d]->form),
                left--;
    return text;
}

static int check(const struct probe_options *block, const char *target, struct error *err)
{
    char text[TARGETS_FORMS];

    if (!target[0])
        return error_refuse(err, STATUS_USAGE, "empty target", NULL, "%s", advice(text));
    if (!target_driver_for(target)->probe)
        return error_refuse(err, STATUS_USAGE, "probe takes only object stores, not", target, "%s",
                            advice(text));
    if (block->run_name && !target_run_name_valid(block->run_name))
        return error_refuse(err, STATUS_USAGE, "not a valid run name:", block->run_name,
                            "use 1 to %u of the characters A-Z a-z 0-9 . _ -", TARGET_RUN_NAME_MAX);
    return targets_check_given(block->reach.given, &target, 1, err);
}

static int carry_out(const struct probe_options *block, struct probed *probed, struct error *err)
{
    const struct target_driver *driver = target_driver_for(probed->target);
    const struct target_probes probes = {.tell = take, .arg = probed};
    struct target_request request = {.target = probed->target,
                                     .probe = true,
                                     .run_name = block->run_name,
                                     .named = block->run_name != NULL,
                                     .seed = os_random_number() >> 32,
                                     .stop = &stop_flag};
    char name[16];
    int d = 0;

    if (!block->run_name) {
        snprintf(name, sizeof(name), "%08" PRIx32, (uint32_t)os_random_number());
        request.run_name = name;
    }
    while (target_driver_table[d] != driver)
        d++;
    request.options = block->reach.options[d];
    return driver->probe(&request, &probes, err);
}

/* The limit of time came first. */
static enum status too_slow(const struct probed *probed, struct error *err)
{
    if (error_is_set(err) && err->errnum != EINTR)
        return err->status;
    *err = ERROR_INIT;
    error_set(err, probed->count > 0 ? STATUS_PARTIAL : STATUS_TARGET, 0,
              probed->count > 0 ? "cannot probe all of" : "cannot probe", probed->target);
    error_explain(err, "--max-time is over");
    error_advise(err, "is the server responding? --max-time gives it longer");
    return err->status;
}

/* What failed is said by the status, also when something is left behind then. */
static enum status status_of(const struct probed *probed, int code, struct error *err)
{
    if (stop_out_of_time() && code < 0)
        return too_slow(probed, err);
    if (flag_read(&stop_flag) && !stop_out_of_time()) {
        if (!error_is_set(err) || err->errnum == EINTR) {
            *err = ERROR_INIT;
            error_set(err, (enum status)stop_status(), 0, "interrupted", NULL);
        }
        err->status = (enum status)stop_status();
        return err->status;
    }
    if (probed->of[PROBE_FAILED] > 0 && error_is_set(err))
        err->status = STATUS_PARTIAL;
    if (error_is_set(err) || code < 0)
        return err->status;
    return probed->of[PROBE_FAILED] > 0 ? STATUS_PARTIAL : STATUS_OK;
}

static enum status probe(const void *arg, const char *const *arguments, unsigned count,
                         struct error *err)
{
    const struct probe_options *block = arg;
    struct probed probed = {.target = arguments[0]};
    enum status status;
    int code;

    (void)count;
    stop_install();
    stop_may_leave();
    if (check(block, probed.target, err) < 0)
        return err->status;
    stop_after(block->max_time_ns);
    code = carry_out(block, &probed, err);
    stop_after(0);
    if (probed.count > 0 && print(block, &probed, err) == 0)
        tell(&probed);
    status = status_of(&probed, code, err);
    free(probed.probe);
    return status;
}

const struct command command_probe = {
    .name = "probe",
    .arguments = "TARGET",
    .summary = "check what an object store can do before measuring it",
    .details = "Checks what a sweep, and applications, need of an object store: objects that\n"
               "come back as they were put, ranges, lists, copies, multipart uploads, deletions,\n"
               "odd names and conditions.  Each check passes, is not supported, or fails with a\n"
               "reason.  All of it happens in a run of its own, which is removed at the end.\n",
    .options = options,
    .reaches_targets = true,
    .target_rows = TARGETS_OWN,
    .block_bytes = sizeof(struct probe_options),
    .needs = "an object store",
    .arguments_min = 1,
    .arguments_max = 1,
    .run = probe,
};
