/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* command_clean.c - `iosweep clean`: removes what runs left in their targets (storage/life/clean.c
 * decides which), and reports how much it was. */
#include "base/compat.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/color.h"
#include "base/flag.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/said.h"
#include "cli/targets.h"
#include "run/stop.h"
#include "storage/storage.h"

extern const struct command command_clean;

struct clean_options {
    struct request request; /* first: said_apply fills it */
    struct clean_request clean;
};

#define FIELD(member) offsetof(struct clean_options, member)

/* clang-format off */
static const struct option_row options[] = {
    {.name = "run-name", .argument = "NAME", .type = OPTION_STRING, .offset = FIELD(clean.run_name),
     .help = "only this run, or those of its team of ranks", .group = "Runs"},
    {.name = "all", .type = OPTION_FLAG, .offset = FIELD(clean.all),
     .help = "all runs, if there are several", .group = "Runs"},
    {.name = "force", .type = OPTION_FLAG, .offset = FIELD(clean.force),
     .help = "also live runs, and files that are too short", .group = "Runs"},
    {.name = "dry-run", .type = OPTION_FLAG, .offset = FIELD(clean.dry_run),
     .help = "list the runs, remove nothing", .group = "Runs"},
    {.name = "color", .argument = "WHEN", .type = OPTION_CHOICE, .offset = FIELD(request.color),
     .choices = color_words, .fallback = "auto",
     .help = "colour: auto (on a terminal), always, never", .group = "Information"},
    {.name = "quiet", .type = OPTION_FLAG, .offset = FIELD(request.quiet),
     .help = "only errors on standard error", .group = "Information"},
    {.name = "verbose", .type = OPTION_FLAG, .offset = FIELD(request.verbose),
     .help = "report more on standard error", .group = "Information"},
    {.name = "help", .letter = 'h', .type = OPTION_FLAG, .help = "print this help",
     .group = "Information"},
    {.name = NULL},
};
/* clang-format on */

static void tell_cleaned(const struct clean_request *request, const struct clean_outcome *outcome,
                         uint64_t elapsed_ns)
{
    char name[1024], bytes[UNITS_TEXT], elapsed[UNITS_TEXT], runs[32] = "";
    const char *noun = storage_driver_for(request->target)->noun;
    /* several runs are listed, but removing them needs one more option */
    const bool several = outcome->runs + outcome->alive > 1 && !request->all && !request->run_name;

    error_printable(request->target, name, sizeof(name));
    if (outcome->runs == 0 && outcome->objects == 0) {
        if (outcome->left == 0)
            log_info("# %s%s nothing to remove", name, text_colon(name));
        return;
    }
    units_format_bytes((double)outcome->bytes, bytes);
    if (outcome->runs > 0) /* otherwise parts of a run that could not be removed completely */
        snprintf(runs, sizeof(runs), " of %u run%s", outcome->runs, outcome->runs == 1 ? "" : "s");
    log_info("# %s: %" PRIu64 " %s%s, %s%s %s%s", name, outcome->objects, noun,
             outcome->objects == 1 ? "" : "s", bytes, runs,
             request->dry_run ? "would be removed" : "removed in ",
             !request->dry_run ? units_format_time((double)elapsed_ns, elapsed)
             : several         ? " with --all"
                               : "");
}

static void clean_target(const struct clean_options *block, const char *target, struct error *err)
{
    struct clean_request request = block->clean;
    const uint64_t begin_ns = clock_now(&clock_monotonic);
    struct error own = ERROR_INIT;
    struct clean_outcome outcome;
    char text[1024];
    int code;

    request.target = target;
    request.team = true;
    request.list = request.dry_run ? stdout : NULL;
    request.options = settings_of_driver(&block->request.settings, storage_driver_for(target));
    request.stop = &stop_flag;
    code = target_clean(&request, &outcome, &own);
    if (code == 0 || outcome.objects > 0 || outcome.runs > 0)
        tell_cleaned(&request, &outcome, clock_now(&clock_monotonic) - begin_ns);
    if (code < 0 && error_is_set(err))
        log_error("%s", error_format(&own, text, sizeof(text)));
    else if (code < 0)
        *err = own;
}

static int refuse_none(struct error *err)
{
    struct stat st;

    return error_refuse(err, STATUS_USAGE, "clean needs the target of the run", NULL,
                        "iosweep clean TARGET...%s",
                        stat("clean", &st) == 0 && S_ISDIR(st.st_mode)
                            ? ", or iosweep ./clean to measure the directory of that name"
                            : "");
}

static int check_targets(const struct clean_options *block, const struct said *said,
                         struct error *err)
{
    const struct settings *settings = &block->request.settings;

    if (!settings->target_count)
        return refuse_none(err);
    for (unsigned i = 0; i < settings->target_count; i++)
        if (!settings->targets[i][0])
            return error_refuse(err, STATUS_USAGE, "empty target", NULL,
                                "iosweep help targets shows what can be one");
    if (block->clean.all && block->clean.run_name)
        return error_refuse(err, STATUS_USAGE, "--all and --run-name conflict", NULL,
                            "use only one");
    return said_check(said, settings, err);
}

static enum status clean_targets(const struct clean_options *block, struct error *err)
{
    const struct settings *settings = &block->request.settings;

    stop_install();
    stop_may_leave();
    for (unsigned i = 0; i < settings->target_count && !flag_read(&stop_flag); i++)
        clean_target(block, settings->targets[i], err);
    if (flag_read(&stop_flag)) {
        if (!error_is_set(err) || err->errnum == EINTR) {
            *err = ERROR_INIT;
            error_set(err, (enum status)stop_status(), 0,
                      "interrupted; run it again to remove what is left", NULL);
        }
        err->status = (enum status)stop_status();
        return err->status;
    }
    if (block->clean.dry_run)
        (void)help_flush(err);
    return error_is_set(err) ? err->status : STATUS_OK;
}

static int take_options(int argc, char **argv, struct clean_options *block, struct said *said,
                        struct error *err)
{
    static const struct options_table own = {.rows = options};
    struct parser parser = {.help = "iosweep clean --help lists all options"};
    struct settings *settings = &block->request.settings;
    int result;

    option_defaults(options, block);
    options_make_blocks(settings);
    parser_add(&parser, &own);
    for (const struct options_table *table = options_tables(); table->rows; table++)
        if (table->reach)
            parser_add(&parser, table);
    result = parser_take(&parser, argc - 1, argv + 1, said, err);
    settings->targets = said->operand;
    settings->target_count = said->operand_count;
    parser_free(&parser);
    return result < 0 || said->ended ? result : said_apply(said, 0, &block->request, NULL, err);
}

static enum status run_clean(int argc, char **argv, struct error *err)
{
    struct clean_options block = {.clean = {.target = NULL}};
    const struct request *request = &block.request;
    struct said said = {.count = 0};

    if (take_options(argc, argv, &block, &said, err) == 0 && said.ended) {
        help_print_command(&command_clean);
        (void)help_flush(err);
    } else if (!error_is_set(err)) {
        color_choose((enum color_when)request->color);
        log_set_color(color_on(STDERR_FILENO));
        log_set_level(request->quiet ? LOG_QUIET : request->verbose ? LOG_VERBOSE : LOG_NORMAL);
        if (check_targets(&block, &said, err) == 0)
            (void)clean_targets(&block, err);
    }
    options_free_blocks(&request->settings);
    said_free(&said);
    return err->status;
}

const struct command command_clean = {
    .name = "clean",
    .arguments = "TARGET...",
    .summary = "remove what runs have left behind",
    .details = "Removes test files and objects that a run has left in a target, after a crash or\n"
               "because of --keep.  What no run made is left alone.  If TARGET holds several\n"
               "runs, they are only listed, unless one is named or --all is given; a run that is\n"
               "alive is left alone, too.\n",
    .options = options,
    .run = run_clean,
};
