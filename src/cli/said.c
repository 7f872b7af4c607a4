/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* said.c - see said.h. */
#include "base/compat.h"

#include "cli/said.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "cli/targets.h"
#include "cli/words.h"
#include "run/plan.h"

#define HIDDEN "***"

bool said_typed(const struct said *said, const char *name)
{
    for (unsigned i = 0; i < said->count; i++)
        if (!said->option[i].line && strcmp(said->option[i].row->name, name) == 0)
            return true;
    return false;
}

/* --- lines of files --- */

/* Refuses an option that a line of a file cannot have. "http://user:password@host" is an address
 * with a password. */
static int check_in_file(const struct said_option *option, struct error *err)
{
    const struct option_row *row = option->row;
    const char *address = option->word ? strstr(option->word, "://") : NULL;
    char name[80];

    snprintf(name, sizeof(name), "--%.60s", row->name);
    if (row->needs & OPTION_SECRET)
        return error_refuse(err, STATUS_USAGE, "this option points to a secret:", name,
                            "option files get copied and shown: use it on the command line");
    if (row->scope == OPTION_TYPED)
        return error_refuse(err, STATUS_USAGE, "not allowed in an option file:", name,
                            "use it on the command line");
    if (option->line->part && row->scope != OPTION_PART)
        return error_refuse(err, STATUS_USAGE,
                            "this option is for the whole run, not for a part:", name,
                            "put it on the first line");
    if (address && strchr(address, '@'))
        return error_refuse(err, STATUS_USAGE, "an address with a name or a password in it:", name,
                            "credentials come from the environment");
    return 0;
}

static int take_line(struct parser *parser, const struct option_file_line *line, struct said *said,
                     struct error *err)
{
    const unsigned before = said->count, operands = said->operand_count;
    int result = parser_take(parser, line->argc, line->argv, said, err);

    for (unsigned i = before; i < said->count && result == 0; i++) {
        said->option[i].line = line;
        result = check_in_file(&said->option[i], err);
    }
    if (result == 0 && said->operand_count > operands)
        result = error_refuse(err, STATUS_USAGE, "a word that is not an option", NULL,
                              "name targets and other files on the command line; quote words "
                              "with blanks with '...'");
    return result < 0 ? optionfile_name_line(line, err) : 0;
}

int said_take_files(struct parser *parser, struct option_file *files, unsigned count,
                    struct said *said, struct error *err)
{
    parser->secretive = true;
    for (unsigned f = 0; f < count; f++)
        if (take_line(parser, &files[f].line[0], said, err) < 0)
            return -1;
    for (unsigned f = 0; f < count; f++)
        for (unsigned i = 1; i < files[f].count; i++) {
            files[f].line[i].part = ++said->parts;
            if (take_line(parser, &files[f].line[i], said, err) < 0)
                return -1;
        }
    return 0;
}

/* --- applying --- */

/* Option i in the order in which they are applied: those of files, then the typed ones. */
static const struct said_option *option_at(const struct said *said, unsigned i)
{
    return &said->option[(said->typed + i) % said->count];
}

static bool is_for(const struct said_option *option, unsigned part)
{
    return !option->line || !option->line->part || option->line->part == part;
}

/* Whether another line, or the command line, has an option after option i that replaces it. */
static bool gives_way(const struct said *said, unsigned part, unsigned i)
{
    const struct said_option *option = option_at(said, i);

    while (++i < said->count) {
        const struct said_option *later = option_at(said, i);
        if (is_for(later, part) && later->line != option->line && later->row->replaces &&
            text_listed(later->row->replaces, option->row->name))
            return true;
    }
    return false;
}

/* Whether some target has one of the capabilities and, if `makes`, is no existing file. */
static bool some_can(const struct settings *settings, unsigned capabilities, bool makes)
{
    for (unsigned i = 0; i < settings->target_count; i++)
        if (storage_driver_for(settings->targets[i])->capabilities & capabilities &&
            !(makes && targets_is_file(settings->targets[i])))
            return true;
    return false;
}

/* Whether some engine of the list works on a target. True for unknown names: they are refused when
 * applied. */
static bool engines_work(const struct settings *settings, const char *list)
{
    const char *word;
    size_t length;

    while (text_word(&list, ",", &word, &length)) {
        const struct engine *engine = options_engine(word, length);

        if (!engine)
            return some_can(settings, TARGET_FILES, false) ||
                   length != strlen(OPTIONS_ENGINE_ASYNC) ||
                   strncmp(word, OPTIONS_ENGINE_ASYNC, length) != 0;
        for (unsigned i = 0; i < settings->target_count; i++)
            if (engine_works_on(engine, storage_driver_for(settings->targets[i])))
                return true;
    }
    return false;
}

/* Whether an option applies: typed ones always, those of a file if a target supports them. */
static bool is_taken(const struct said_option *option, const struct settings *settings)
{
    static const char *const here[] = {"."};
    const unsigned needs = option->row->needs & ~OPTION_SECRET;
    struct settings aim = *settings;

    if (!option->line)
        return true;
    if (!aim.target_count) { /* then it is a directory */
        aim.targets = here;
        aim.target_count = 1;
    }
    if (option->table->driver || option->table->family)
        return options_taken(option->table, option->row, &aim);
    if (strcmp(option->row->name, "engine") == 0)
        return engines_work(&aim, option->word);
    return !needs || some_can(&aim, needs, false);
}

static void add_unused(const struct said_option *option, char **unused)
{
    char *name = mem_printf("--%s", option->row->name);

    if (!*unused || !text_listed(*unused, name))
        mem_append(unused, "%s%s", *unused ? ", " : "", name);
    free(name);
}

int said_apply(const struct said *said, unsigned part, struct request *request, char **unused,
               struct error *err)
{
    for (unsigned i = 0; i < said->count; i++) {
        const struct said_option *option = option_at(said, i);
        if (!is_for(option, part) || gives_way(said, part, i))
            continue;
        if (!is_taken(option, &request->settings))
            add_unused(option, unused);
        else if (options_apply(option->table, option->row, option->word, request,
                               &request->settings, err) < 0) {
            words_hint_value(option->row, err);
            return option->line ? optionfile_name_line(option->line, err) : -1;
        }
    }
    return 0;
}

/* "no target takes this option: --x; name mem: or null:, or leave out the option" */
static int refuse_untaken(const struct said_option *option, struct error *err)
{
    char name[64], forms[128] = "";

    for (const struct storage_driver *const *d = storage_driver_table; *d; d++)
        if (options_driver_takes(*d, option->table, option->row))
            text_add(forms, sizeof(forms), " or ", "%s", (*d)->form);
    snprintf(name, sizeof(name), "--%s", option->row->name);
    return error_refuse(err, STATUS_USAGE, "no target takes this option:", name,
                        "name %s, or leave out the option", forms);
}

/* Refuses an option without effect, since the user would rely on it. */
static int refuse_idle(const struct said_option *option, const struct settings *settings,
                       struct error *err)
{
    const struct storage_driver *driver = storage_driver_for(settings->targets[0]);
    const char *length = option->row->offset == offsetof(struct settings, file_bytes)
                             ? target_length_option(driver)
                             : NULL;
    const bool exists = targets_is_file(settings->targets[0]);
    char text[96], name[64];

    snprintf(text, sizeof(text), "this option is for %sfiles, not for %ss:", exists ? "test " : "",
             exists ? "existing file" : driver->kind);
    snprintf(name, sizeof(name), "--%s", option->row->name);
    error_set(err, STATUS_USAGE, 0, text, name);
    if (length)
        return error_advise(err, "%s sets the size of %ss", length, driver->noun);
    return error_advise(err, "leave it out");
}

/* Whether some part uses an engine. */
static bool is_used(const struct settings *run, const struct engine *engine)
{
    for (; run; run = run->next)
        if (plan_uses(run, engine))
            return true;
    return false;
}

int said_check(const struct said *said, const struct settings *settings, struct error *err)
{
    for (unsigned i = 0; i < said->count; i++) {
        const struct said_option *option = &said->option[i];
        const struct options_table *table = option->table;
        const bool of_driver = table->driver || table->family;
        const unsigned needs = option->row->needs & ~OPTION_SECRET;

        if (!option->line && of_driver && !options_taken(table, option->row, settings))
            return refuse_untaken(option, err);
        if (!option->line && !of_driver && needs && !option->row->typed_anyway &&
            !some_can(settings, needs, option->row->of_making))
            return refuse_idle(option, settings, err);
        if (table->engine && !is_used(settings, table->engine))
            return error_refuse(err, STATUS_USAGE, "this option is for an engine that is not used:",
                                table->engine->name, "add --engine %s", table->engine->name);
    }
    return 0;
}

/* --- repeating --- */

/* The length of the word that may be shown: all except the value of a secret option inside it. */
static size_t shown_length(const char *word, const struct said *said)
{
    const size_t length = strlen(word);

    for (unsigned i = 0; i < said->count; i++) {
        const struct said_option *option = &said->option[i];
        if (option->word && (option->row->needs & OPTION_SECRET) && option->word >= word &&
            option->word <= word + length)
            return (size_t)(option->word - word);
    }
    return length;
}

/* Without name and password of "http://me:secret@host/"; a password may contain '@' and '/'. */
static char *without_secrets(const char *word, const struct said *said)
{
    const size_t length = shown_length(word, said);
    const char *scheme = strstr(word, "://"), *end = scheme ? strrchr(scheme, '@') : NULL;

    if (word[length] != '\0')
        return mem_printf("%.*s" HIDDEN, (int)length, word);
    if (end && memchr(scheme + 3, ':', (size_t)(end - scheme - 3)))
        return mem_printf("%.*s" HIDDEN "%s", (int)(scheme + 3 - word), word, end);
    return mem_strdup(word);
}

char *said_repeat(int argc, char **argv, const struct said *said)
{
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    char *command = text_shell_word(slash ? slash + 1 : argc > 0 ? argv[0] : "iosweep");

    for (int i = 1; i < argc; i++) {
        char *shown = without_secrets(argv[i], said), *word = text_shell_word(shown);
        mem_append(&command, " %s", word);
        free(shown);
        free(word);
    }
    return command;
}
