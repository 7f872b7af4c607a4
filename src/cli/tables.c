/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* tables.c - all tables of options, and the blocks that their rows fill. */
#include "base/compat.h"

#include "cli/options.h"

#include <stdlib.h>

#include "base/mem.h"
#include "run/team.h"

#define TABLES_MOST (3 + SETTINGS_ENGINES_MAX + 4 * SETTINGS_DRIVERS_MAX)

static struct options_table *add_table(struct options_table *end, struct options_table table)
{
    if (table.rows)
        *end++ = table;
    return end;
}

/* A family comes before the first of its drivers. */
static struct options_table *add_driver(struct options_table *end,
                                        const struct storage_driver *const *driver)
{
    const struct target_family *family = (*driver)->family;

    for (const struct storage_driver *const *d = storage_driver_table; d < driver; d++)
        if ((*d)->family == family)
            family = NULL;
    if (family) {
        end = add_table(end, (struct options_table){
                                 .rows = family->reach_options, .family = family, .reach = true});
        end = add_table(end, (struct options_table){.rows = family->options, .family = family});
    }
    end = add_table(end, (struct options_table){
                             .rows = (*driver)->reach_options, .driver = *driver, .reach = true});
    return add_table(end, (struct options_table){.rows = (*driver)->options, .driver = *driver});
}

const struct options_table *options_tables(void)
{
    static struct options_table tables[TABLES_MOST];
    struct options_table *end = tables;

    if (tables[0].rows)
        return tables;
    end = add_table(end, (struct options_table){.rows = options_table});
    end = add_table(end, (struct options_table){.rows = team_library ? options_team_table : NULL});
    for (const struct storage_driver *const *d = storage_driver_table; *d; d++)
        end = add_driver(end, d);
    for (const struct engine *const *e = engine_table; *e; e++)
        end = add_table(end, (struct options_table){.rows = (*e)->options, .engine = *e});
    return tables;
}

static bool is_table_of(const struct options_table *table, const struct storage_driver *driver)
{
    return table->driver == driver || (table->family && table->family == driver->family);
}

bool options_driver_takes(const struct storage_driver *driver, const struct options_table *table,
                          const struct option_row *row)
{
    const unsigned needs = row->needs & ~OPTION_SECRET;

    return is_table_of(table, driver) && (driver->capabilities & needs) == needs;
}

bool options_taken(const struct options_table *table, const struct option_row *row,
                   const struct settings *settings)
{
    for (unsigned i = 0; i < settings->target_count; i++)
        if (options_driver_takes(storage_driver_for(settings->targets[i]), table, row))
            return true;
    return false;
}

void options_make_blocks(struct settings *settings)
{
    for (int e = 0; engine_table[e]; e++)
        if (engine_table[e]->options)
            settings->engine_options[e] = mem_calloc(1, engine_table[e]->options_bytes);
    for (int d = 0; storage_driver_table[d]; d++)
        if (storage_driver_table[d]->options_bytes)
            settings->driver_options[d] = mem_calloc(1, storage_driver_table[d]->options_bytes);
    for (const struct options_table *table = options_tables(); table->rows; table++) {
        for (int e = 0; engine_table[e]; e++)
            if (engine_table[e] == table->engine)
                option_defaults(table->rows, settings->engine_options[e]);
        for (int d = 0; storage_driver_table[d]; d++)
            if (is_table_of(table, storage_driver_table[d]))
                option_defaults(table->rows, settings->driver_options[d]);
    }
}

void options_free_blocks(const struct settings *settings)
{
    for (int e = 0; engine_table[e]; e++)
        free(settings->engine_options[e]);
    for (int d = 0; storage_driver_table[d]; d++)
        free(settings->driver_options[d]);
}

int options_apply(const struct options_table *table, const struct option_row *row, const char *word,
                  void *block, struct settings *settings, struct error *err)
{
    if (!table->engine && !table->driver && !table->family)
        return option_apply(row, block, word, err);
    for (int e = 0; engine_table[e]; e++)
        if (engine_table[e] == table->engine &&
            option_apply(row, settings->engine_options[e], word, err) < 0)
            return -1;
    for (int d = 0; storage_driver_table[d]; d++)
        if (options_driver_takes(storage_driver_table[d], table, row) &&
            option_apply(row, settings->driver_options[d], word, err) < 0)
            return -1;
    return 0;
}
