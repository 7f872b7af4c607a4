/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* json_head.c - the first record of the JSON document, which is not measured: machine, targets,
 * hosts of a team and settings. Unknown facts are null. Engine options of free text are omitted:
 * they may contain secrets. */
#include "base/compat.h"

#include "report/formats/json_write.h"

#include <string.h>

/* --- machine and targets --- */

/* Writes the facts of that use as members. */
static void put_facts(struct json *json, const struct fact *fact, const void *base,
                      enum fact_use use)
{
    for (; fact->member; fact++) {
        struct value value;

        if (!(fact->use & use))
            continue;
        facts_get(fact, base, &value);
        if (value.kind == VALUE_TEXT)
            put_text(json, fact->member, value.text);
        else if (value.kind == VALUE_COUNT && fact->type == FACT_TURNS)
            put_bool(json, fact->member, value.count);
        else
            put_value(json, fact->member, &value);
    }
}

/* Writes how existing files are stored; null for created or inaccessible ones. */
static void put_extents(struct json *json, const struct extents *extents)
{
    if (extents->files == 0) {
        put_fact(json, "extents", NULL);
        return;
    }
    open_group(json, "extents", '{');
    put_count(json, "files", extents->files);
    put_count(json, "bytes", extents->bytes);
    put_known(json, "data_bytes", !extents->unknown_holes, extents->data_bytes);
    put_known(json, "hole_bytes", !extents->unknown_holes, extents->hole_bytes);
    put_known(json, "unwritten_bytes", !extents->unknown_extents, extents->unwritten_bytes);
    put_known(json, "compressed_bytes", !extents->unknown_extents, extents->encoded_bytes);
    put_known(json, "inline_bytes", !extents->unknown_extents, extents->inline_bytes);
    put_bool(json, "complete", !extents->cut);
    close_group(json, '}');
}

static void put_target(struct json *json, const struct target *target,
                       const struct targetinfo *facts)
{
    open_group(json, NULL, '{');
    put_text(json, "target", target->label);
    put_fact(json, "place", target->place);
    put_fact(json, "description", target->description);
    put_count(json, "objects", target->object_count);
    put_count(json, "total_bytes", target->total_bytes);
    put_bool(json, "own_files", target->ours);
    put_bool(json, "in_memory", target->in_memory);
    put_known(json, "direct_align_bytes", target->direct_align_bytes > 0,
              target->direct_align_bytes);
    put_facts(json, facts_of_target, facts, IN_HEAD);
    put_extents(json, &target->extents);
    put_text(json, "notes", target->notes);
    close_group(json, '}');
}

/* --- the hosts of a team --- */

/* The accuracy of the clock is that of the rank with the largest error. */
static void put_team_host(struct json *json, const struct team *team, uint32_t host)
{
    const struct host_facts *facts = &json->facts->hosts[host];
    const struct team_member *worst = &team->member[facts->first_rank];

    for (uint32_t rank = 0; rank < team->size; rank++)
        if (team->member[rank].host_index == host &&
            team->member[rank].offset_error_ns > worst->offset_error_ns)
            worst = &team->member[rank];
    open_group(json, NULL, '{');
    put_text(json, "name", facts->name);
    put_count(json, "ranks", facts->ranks);
    put_count(json, "rtt_ns", worst->rtt_ns);
    put_real(json, "clock_offset_ns", (double)worst->offset_ns, 0);
    put_count(json, "clock_error_ns", worst->offset_error_ns);
    put_facts(json, facts_of_host, &facts->card, OF_HOSTS);
    open_group(json, "targets", '[');
    for (uint32_t i = 0; i < facts->card.target_count; i++) {
        open_group(json, NULL, '{');
        put_facts(json, facts_of_target, &facts->targets[i], OF_HOSTS);
        close_group(json, '}');
    }
    close_group(json, ']');
    close_group(json, '}');
}

static void put_team(struct json *json)
{
    const struct team *team = json->context.info->team;

    if (!team)
        return;
    open_group(json, "team", '{');
    put_count(json, "ranks", team->size);
    open_group(json, "hosts", '[');
    for (uint32_t host = 0; host < json->facts->host_count; host++)
        put_team_host(json, team, host);
    close_group(json, ']');
    close_group(json, '}');
}

/* --- settings --- */

static void put_setting(void *arg, const struct option_row *row, const struct value *value)
{
    struct json *json = arg;

    if (row->type == OPTION_FLAG)
        put_bool(json, NULL, value->count);
    else if (value->kind == VALUE_TEXT)
        put_text(json, NULL, value->text);
    else
        put_value(json, NULL, value);
}

/* Writes the value of a field, except free text; limits: 0 means "no limit" or "chosen per row".
 * info: see print_setting. */
static void put_option(struct json *json, const char *key, const struct run_info *info,
                       const struct option_row *row, const void *block, bool limits)
{
    const uint64_t *number = (const void *)((const char *)block + row->offset);
    const bool list = row->type == OPTION_CHOICES || row->type == OPTION_SIZE_LIST ||
                      row->type == OPTION_COUNT_LIST;
    char end[40];

    if (row->type == OPTION_RANGE) {
        for (unsigned i = 0; i < 2; i++) {
            snprintf(end, sizeof(end), "%s_%s", key, i ? "max" : "min");
            put_count(json, end, number[i]);
        }
        return;
    }
    if (row->type == OPTION_CHAR || row->type == OPTION_STRING || row->type == OPTION_CALL)
        return;
    put_key(json, key);
    if (list)
        fputc('[', json->state.stream);
    json->comma = false;
    if (limits &&
        (row->type == OPTION_COUNT || row->type == OPTION_SIZE || row->type == OPTION_DURATION) &&
        *number == 0)
        put_fact(json, NULL, NULL);
    else
        print_setting(info, row, block, put_setting, json);
    if (list)
        fputc(']', json->state.stream);
    json->comma = true;
}

/* Writes options of a driver or, if it is NULL, of a family: each from the first target that takes
 * it. Omits secrets. */
static void put_target_rows(struct json *json, const struct option_row *row,
                            const struct storage_driver *driver, const struct target_family *family)
{
    const struct run_info *info = json->context.info;

    for (; row && row->name; row++)
        for (unsigned i = 0; !(row->needs & OPTION_SECRET) && i < info->settings->target_count;
             i++) {
            const struct target *target = info->targets[i];

            if ((driver ? target->driver != driver : target->driver->family != family) ||
                (row->needs && !target_can(target, row->needs)))
                continue;
            put_option(json, row->name, NULL, row,
                       settings_of_driver(info->settings, target->driver), false);
            break;
        }
}

/* Writes the options of the family of drivers that has a target, and of each of its drivers. */
static void put_target_options(struct json *json, const struct run_info *info)
{
    const struct target_family *family = NULL;

    for (unsigned i = 0; i < info->settings->target_count && !family; i++)
        family = info->targets[i]->driver->family;
    if (!family)
        return;
    open_group(json, family->options_key, '{');
    put_target_rows(json, family->reach_options, NULL, family);
    put_target_rows(json, family->options, NULL, family);
    for (const struct storage_driver *const *driver = storage_driver_table; *driver; driver++) {
        if ((*driver)->family != family)
            continue;
        put_target_rows(json, (*driver)->reach_options, *driver, NULL);
        put_target_rows(json, (*driver)->options, *driver, NULL);
    }
    close_group(json, '}');
}

static void put_engines(struct json *json, const struct run_info *info)
{
    const struct cell *cells[SETTINGS_ENGINES_MAX];
    const unsigned count = columns_engines(info, cells);

    open_group(json, "engines", '[');
    for (unsigned i = 0; i < count; i++)
        put_text(json, NULL, cells[i]->engine->name);
    close_group(json, ']');
    put_target_options(json, info);
    open_group(json, "engine_options", '{');
    for (unsigned i = 0; i < count; i++)
        for (const struct option_row *row = cells[i]->engine->options;
             cells[i]->work.options && row && row->name; row++)
            if (!(row->needs & OPTION_SECRET))
                put_option(json, row->name, NULL, row, cells[i]->work.options, false);
    close_group(json, '}');
}

/* Writes settings composed of several fields, and a member for each row that has one. */
static void put_settings(struct json *json, const struct run_info *info)
{
    const struct settings *settings = info->settings;
    char text[COLUMNS_STEP_TEXT];
    const struct step *step;
    unsigned place = 0;

    open_group(json, "settings", '{');
    open_group(json, "tests", '[');
    while ((step = columns_next_step(settings, info->cells, info->cell_count, &place)))
        put_text(json, NULL, columns_step(step, text));
    close_group(json, ']');
    put_engines(json, info);
    for (const struct option_row *row = json->options.settings; row && row->name; row++)
        if (print_has_setting(info, row))
            put_option(json, row->member, info, row, settings,
                       /* a value of 0 was not given */
                       !row->given_offset || row->given_offset >= sizeof(*settings) ||
                           !*(const bool *)((const char *)settings + row->given_offset));
    if (settings->per_thread)
        put_bool(json, "per_thread", true);
    if (settings->step_errors)
        put_count(json, "step_errors", settings->step_errors);
    if (settings->error_share > 0)
        put_real(json, "error_share", settings->error_share, 6);
    close_group(json, '}');
}

/* Writes option files, line by line. */
static void put_files(struct json *json, const struct settings *settings)
{
    open_group(json, "option_files", '[');
    for (unsigned f = 0; f < settings->file_count; f++) {
        const struct option_file *file = &settings->files[f];
        open_group(json, NULL, '{');
        put_text(json, "name", file->name);
        put_text(json, "about", file->about);
        open_group(json, "lines", '[');
        for (unsigned i = 0; i < file->count; i++) {
            open_group(json, NULL, '{');
            put_count(json, "line", file->line[i].number);
            put_text(json, "options", file->line[i].text);
            close_group(json, '}');
        }
        close_group(json, ']');
        close_group(json, '}');
    }
    close_group(json, ']');
    if (settings->unused)
        put_text(json, "unused_options", settings->unused);
}

void json_put_head(struct json *json)
{
    const struct run_info *info = json->context.info;
    char libraries[FACTS_LIBRARIES], *rest = NULL;

    put_text(json, "document", SCHEMA_RESULTS);
    put_text(json, "schema_version", SCHEMA_VERSION);
    put_text(json, "iosweep", PACKAGE_VERSION);
    open_group(json, "host", '{');
    put_facts(json, facts_of_host, &json->facts->host, IN_HEAD);
    close_group(json, '}');
    facts_list_libraries(libraries, sizeof(libraries));
    open_group(json, "libraries", '[');
    for (char *word = strtok_r(libraries, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
        put_text(json, NULL, word + strspn(word, " "));
    close_group(json, ']');
    put_fact(json, "date", json->facts->host.date);
    put_text(json, "label", json->context.label);
    if (json->options.command)
        put_text(json, "command", json->options.command);
    open_group(json, "targets", '[');
    for (unsigned i = 0; i < info->settings->target_count; i++)
        put_target(json, info->targets[i], &json->facts->targets[i]);
    close_group(json, ']');
    put_team(json);
    put_settings(json, info);
    if (info->settings->file_count > 0)
        put_files(json, info->settings);
    put_count(json, "seed", info->settings->seed);
    put_real(json, "clock_cost_ns", info->clock.cost_ns, 2);
    put_count(json, "clock_step_ns", info->clock.step_ns);
    put_real(json, "loop_ns", info->loop_ns, 2);
    if (info->reference_ns > 0)
        put_real(json, "reference_ns", info->reference_ns, 2);
}
