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
#include "cli/hint.h"
#include "cli/targets.h"
#include "run/plan.h"

#define HIDDEN     "***"
#define NAME_SHOWN 60 /* of a file name, in messages */

bool said_holds(const struct said *said, const char *name, bool typed)
{
    for (unsigned i = 0; i < said->count; i++)
        if (!said->option[i].file == typed && strcmp(said->option[i].row->name, name) == 0)
            return true;
    return false;
}

/* --- lines of files --- */

/* Prefixes an error with file and line. */
static int name_line(const struct option_file *file, const struct option_file_line *line,
                     const struct error *cause, struct error *err)
{
    char action[sizeof(cause->action) + NAME_SHOWN + 16];

    snprintf(action, sizeof(action), "%.*s:%u: %s", NAME_SHOWN, file->name, line->number,
             cause->action);
    error_set(err, cause->status, cause->errnum, action, cause->object);
    if (cause->advice[0])
        error_advise(err, "%s", cause->advice);
    return -1;
}

static int refuse_in_file(const struct option_row *row, unsigned part, struct error *err)
{
    char name[80];

    snprintf(name, sizeof(name), "--%.60s", row->name);
    if (row->needs & OPTION_SECRET)
        return error_refuse(err, STATUS_USAGE, "this option points to a secret:", name,
                            "option files get copied and shown: use it on the command line");
    if (row->scope == OPTION_TYPED)
        return error_refuse(err, STATUS_USAGE, "not allowed in an option file:", name,
                            "use it on the command line");
    if (part && row->scope != OPTION_PART)
        return error_refuse(err, STATUS_USAGE,
                            "this option is for the whole run, not for a part:", name,
                            "put it on the first line");
    return 0;
}

/* "http://user:password@host" */
static int refuse_credentials(const struct option_row *row, const char *word, struct error *err)
{
    const char *scheme = word ? strstr(word, "://") : NULL;
    char name[80];

    if (!scheme || !strchr(scheme, '@'))
        return 0;
    snprintf(name, sizeof(name), "--%.60s", row->name);
    return error_refuse(err, STATUS_USAGE, "an address with a name or a password in it:", name,
                        "credentials come from the environment");
}

static int take_file_options(struct parser *parser, const struct option_file *file,
                             const struct option_file_line *line, unsigned part, unsigned place,
                             struct said *said, struct error *err)
{
    const unsigned before = said->count, operands = said->operand_count;

    parser->secretive = true;
    if (parser_take(parser, line->argc, line->argv, said, err) < 0)
        return -1;
    for (unsigned i = before; i < said->count; i++) {
        struct said_option *option = &said->option[i];
        option->part = part;
        option->place = place;
        option->file = file;
        option->line = line;
        if (refuse_in_file(option->row, part, err) < 0 ||
            refuse_credentials(option->row, option->word, err) < 0)
            return -1;
    }
    if (said->operand_count == operands)
        return 0;
    return error_refuse(
        err, STATUS_USAGE, "a word that is not an option", NULL,
        "name targets and other files on the command line; quote words with blanks with '...'");
}

int said_take_line(struct parser *parser, const struct option_file *file,
                   const struct option_file_line *line, unsigned part, unsigned place,
                   struct said *said, struct error *err)
{
    struct error cause = ERROR_INIT;

    if (take_file_options(parser, file, line, part, place, said, &cause) == 0)
        return 0;
    return name_line(file, line, &cause, err);
}

/* --- applying --- */

/* The order in which options are applied: for all parts, for one, typed. */
enum turn { TURN_COMMON, TURN_PART, TURN_TYPED, TURN_COUNT };

static enum turn turn_of(const struct said_option *option)
{
    return !option->file ? TURN_TYPED : option->part ? TURN_PART : TURN_COMMON;
}

static bool is_for(const struct said_option *option, unsigned part)
{
    return !option->part || option->part == part;
}

static bool gives_way(const struct said *said, unsigned part, const struct said_option *option)
{
    for (unsigned i = 0; i < said->count; i++) {
        const struct said_option *later = &said->option[i];
        if (is_for(later, part) && later->place > option->place && later->row->replaces &&
            text_listed(later->row->replaces, option->row->name))
            return true;
    }
    return false;
}

static bool some_can(const struct settings *settings, unsigned capabilities)
{
    for (unsigned i = 0; i < settings->target_count; i++)
        if (storage_driver_for(settings->targets[i])->capabilities & capabilities)
            return true;
    return false;
}

/* Whether some engine of the list supports a target. True for unknown names: they are refused when
 * applied. */
static bool engines_work(const struct settings *settings, const char *list)
{
    const char *word;
    size_t length;

    while (text_word(&list, ",", &word, &length)) {
        const struct engine *engine = options_engine(word, length);

        if (!engine)
            return some_can(settings, TARGET_FILES) || length != strlen(OPTIONS_ENGINE_ASYNC) ||
                   strncmp(word, OPTIONS_ENGINE_ASYNC, length) != 0;
        for (unsigned i = 0; i < settings->target_count; i++)
            if (engine_works_on(engine, storage_driver_for(settings->targets[i])))
                return true;
    }
    return false;
}

/* Whether --call-size has an effect on these targets: in typed tests, or otherwise in those of some
 * line. */
static bool divides_calls(const struct settings *settings, const struct said *said)
{
    const bool typed = said_holds(said, "tests", true);
    bool appends = false;

    for (unsigned i = 0; i < said->count; i++)
        if (strcmp(said->option[i].row->name, "tests") == 0 && !said->option[i].file == typed)
            appends = appends || strstr(said->option[i].word, "append");
    return some_can(settings, TARGET_OPENED) || appends;
}

/* Whether an option applies: typed ones always, those of a file if a target supports them. */
static bool is_taken(const struct said_option *option, const struct said *said,
                     const struct settings *settings)
{
    static const char *const here[] = {"."};
    const unsigned needs = option->row->needs & ~OPTION_SECRET;
    struct settings aim = *settings;

    if (!option->file)
        return true;
    if (!aim.target_count) { /* then it is a directory */
        aim.targets = here;
        aim.target_count = 1;
    }
    if (option->table->driver || option->table->family)
        return options_taken(option->table, option->row, &aim);
    if (strcmp(option->row->name, "engine") == 0)
        return engines_work(&aim, option->word);
    if (strcmp(option->row->name, "call-size") == 0)
        return divides_calls(&aim, said);
    return !needs || some_can(&aim, needs);
}

static void add_unused(const struct said_option *option, char **unused)
{
    char *name = mem_printf("--%s", option->row->name);
    const char *found = *unused ? strstr(*unused, name) : NULL;
    const size_t length = strlen(name);

    if (!found || (found[length] && found[length] != ','))
        mem_append(unused, "%s%s", *unused ? ", " : "", name);
    free(name);
}

/* Refuses a value that its option does not accept. */
static int refuse_value(const struct said_option *option, struct error *cause, struct error *err)
{
    hint_value(option->row, cause);
    if (option->file)
        return name_line(option->file, option->line, cause, err);
    *err = *cause;
    return -1;
}

int said_apply(const struct said *said, unsigned part, struct request *request, char **unused,
               struct error *err)
{
    for (unsigned i = 0; i < TURN_COUNT * said->count; i++) {
        const struct said_option *option = &said->option[i % said->count];
        struct error cause = ERROR_INIT;
        if (turn_of(option) != i / said->count || !is_for(option, part) ||
            gives_way(said, part, option))
            continue;
        if (!is_taken(option, said, &request->settings))
            add_unused(option, unused);
        else if (options_apply(option->table, option->row, option->word, request,
                               &request->settings, &cause) < 0)
            return refuse_value(option, &cause, err);
    }
    return 0;
}

/* "no target takes this option: --x; name mem: or null:, or leave out the option" */
static int refuse_untaken(const struct said_option *option, struct error *err)
{
    char name[64], forms[TARGETS_FORMS] = "";

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
    char text[96], name[64];

    snprintf(text, sizeof(text), "this option is for files, not for %ss:", driver->kind);
    snprintf(name, sizeof(name), "--%s", option->row->name);
    error_set(err, STATUS_USAGE, 0, text, name);
    if (length && settings_have_test(settings, TEST_FILL))
        return error_advise(err, "with %ss, test fill writes as many as --objects says",
                            driver->noun);
    if (length)
        return error_advise(err, "%s sets the size of %ss", length, driver->noun);
    return error_advise(err, "leave it out");
}

int said_check(const struct said *said, unsigned part, const struct settings *settings,
               struct error *err)
{
    for (unsigned i = 0; i < said->count; i++) {
        const struct said_option *option = &said->option[i];
        const struct options_table *table = option->table;
        const bool of_driver = table->driver || table->family;
        const unsigned needs = option->row->needs & ~OPTION_SECRET;

        if (!option->file && of_driver && !options_taken(table, option->row, settings))
            return refuse_untaken(option, err);
        if (!option->file && !of_driver && needs && !some_can(settings, needs))
            return refuse_idle(option, settings, err);
        if (table->engine && is_for(option, part) && !plan_uses(settings, table->engine))
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

/* "http://me:secret@host/": returns the start of "me", and sets *end to the '@'; NULL: no password.
 * A password may contain '@' and '/', so the last '@' ends it; digits before a '/' are a port. */
static const char *find_password(const char *word, const char **end)
{
    const char *begin = strstr(word, "://"), *colon, *behind;

    if (!begin)
        return NULL;
    begin += 3;
    *end = strrchr(begin, '@');
    colon = strchr(begin, ':');
    if (!*end || !colon || colon > *end)
        return NULL;
    behind = colon + 1 + strspn(colon + 1, "0123456789");
    return *behind == '/' && !memchr(begin, '@', (size_t)(behind - begin)) ? NULL : begin;
}

static char *without_secrets(const char *word, const struct said *said)
{
    const size_t length = shown_length(word, said);
    const char *begin, *end;

    if (word[length] != '\0')
        return mem_printf("%.*s" HIDDEN, (int)length, word);
    begin = find_password(word, &end);
    return begin ? mem_printf("%.*s" HIDDEN "%s", (int)(begin - word), word, end)
                 : mem_strdup(word);
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
