/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* said.c - see said.h. */
#include "base/compat.h"

#include "cli/said.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "cli/hint.h"
#include "cli/targets.h"

#define PLACE_COMMAND UINT32_MAX /* of the command line: the last */
#define HIDDEN        "***"
#define NAME_SHOWN    60 /* of the name of a file, in messages */

/* --- taking --- */

static void add_option(struct said *said, const struct said_option *option)
{
    said->option = mem_realloc_array(said->option, said->count + 1, sizeof(*said->option));
    said->option[said->count++] = *option;
}

void said_free(struct said *said)
{
    free(said->option);
    *said = (struct said){.count = 0};
}

bool said_holds(const struct said *said, const char *name, bool typed)
{
    for (unsigned i = 0; i < said->count; i++)
        if (!said->option[i].file == typed && strcmp(said->option[i].row->name, name) == 0)
            return true;
    return false;
}

static enum action command_of(const struct option_row *row)
{
    return strcmp(row->name, "help") == 0      ? COMMAND_HELP
           : strcmp(row->name, "version") == 0 ? COMMAND_VERSION
                                               : COMMAND_SWEEP;
}

int said_take(struct parser *parser, int argc, char **argv, struct said *said, enum action *command,
              struct error *err)
{
    const struct parser_entry *entry;
    int more;

    while ((more = parser_next(parser, argc, argv, &entry, err)) > 0) {
        *command = command_of(entry->row);
        if (*command != COMMAND_SWEEP)
            return 0;
        add_option(said, &(struct said_option){.row = entry->row,
                                               .owner = entry->owner,
                                               .word = optarg,
                                               .place = PLACE_COMMAND});
    }
    return more;
}

/* Puts file and line in front of an error. */
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
    const struct parser_entry *entry;
    int more;

    parser_restart(parser, true);
    while ((more = parser_next(parser, line->argc, line->argv, &entry, err)) > 0) {
        if (refuse_in_file(entry->row, part, err) < 0 ||
            refuse_credentials(entry->row, optarg, err) < 0)
            return -1;
        add_option(said, &(struct said_option){.row = entry->row,
                                               .part = part,
                                               .owner = entry->owner,
                                               .word = optarg,
                                               .file = file,
                                               .line = line,
                                               .place = place});
    }
    if (more == 0 && optind < line->argc)
        return error_refuse(
            err, STATUS_USAGE, "a word that is not an option", NULL,
            "name targets and other files on the command line; quote words with blanks with '...'");
    return more;
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

/* Where no target is named it is a directory. */
struct aim {
    const char *const *targets;
    unsigned count;
};

static bool some_can(const struct aim *aim, unsigned capabilities)
{
    for (unsigned i = 0; i < aim->count; i++)
        if (storage_driver_for(aim->targets[i])->capabilities & capabilities)
            return true;
    return false;
}

/* Some engine of the list has a target to work on.  Of names that are none, too: they are refused
 * when they are applied. */
static bool engines_work(const struct aim *aim, const char *list)
{
    const char *word;
    size_t length;

    while (text_word(&list, ",", &word, &length)) {
        const struct engine *engine = options_engine(word, length);

        if (!engine)
            return some_can(aim, TARGET_FILES) || length != strlen(OPTIONS_ENGINE_ASYNC) ||
                   strncmp(word, OPTIONS_ENGINE_ASYNC, length) != 0;
        for (unsigned i = 0; i < aim->count; i++)
            if (engine_works_on(engine, storage_driver_for(aim->targets[i])))
                return true;
    }
    return false;
}

/* Whether --call-size does something on these targets: in tests that were typed, or else in those
 * of some line. */
static bool divides_calls(const struct aim *aim, const struct said *said)
{
    const bool typed = said_holds(said, "tests", true);
    bool appends = false;

    for (unsigned i = 0; i < said->count; i++)
        if (strcmp(said->option[i].row->name, "tests") == 0 && !said->option[i].file == typed)
            appends = appends || strstr(said->option[i].word, "append");
    return some_can(aim, TARGET_OPENED) || appends;
}

static bool is_taken(const struct said_option *option, const struct said *said,
                     const struct settings *settings)
{
    static const char *const here[] = {"."};
    const struct aim aim = settings->target_count
                               ? (struct aim){settings->targets, settings->target_count}
                               : (struct aim){here, 1};
    const unsigned needs = option->row->needs & ~OPTION_SECRET;

    if (!option->file)
        return true;
    if (option->owner >= SAID_OWNER_DRIVERS)
        return targets_take(option->row, option->owner - SAID_OWNER_DRIVERS, aim.targets,
                            aim.count);
    if (option->owner == SAID_OWNER_REQUEST && strcmp(option->row->name, "engine") == 0)
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

static int apply_said(const struct said_option *option, struct request *request,
                      struct said_given *given, struct error *err)
{
    void *block = request;

    if (option->owner >= SAID_OWNER_DRIVERS)
        return targets_apply(option->row, option->owner - SAID_OWNER_DRIVERS, option->word,
                             request->settings.driver_options, &given->drivers, err);
    if (option->owner >= 0) {
        block = request->settings.engine_options[option->owner];
        given->engine[option->owner] = option->row->name;
    }
    return option_apply(option->row, block, option->word, err);
}

/* A value that its option does not take. */
static int refuse_value(const struct said_option *option, struct error *cause, struct error *err)
{
    hint_value(option->row, cause);
    if (option->file)
        return name_line(option->file, option->line, cause, err);
    *err = *cause;
    return -1;
}

int said_apply(const struct said *said, unsigned part, struct request *request,
               struct said_given *given, char **unused, struct error *err)
{
    for (unsigned i = 0; i < TURN_COUNT * said->count; i++) {
        const struct said_option *option = &said->option[i % said->count];
        struct error cause = ERROR_INIT;
        if (turn_of(option) != i / said->count || !is_for(option, part) ||
            gives_way(said, part, option))
            continue;
        if (!is_taken(option, said, &request->settings))
            add_unused(option, unused);
        else if (apply_said(option, request, given, &cause) < 0)
            return refuse_value(option, &cause, err);
    }
    return 0;
}

/* --- repeating --- */

/* How much of the word may be shown: all but the word of a secret option, which begins in it. */
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

/* "http://me:secret@host/": where "me" begins, and *end at the '@'; NULL: there is none.  A
 * password may hold '@' and '/', so the last '@' ends it; digits before a '/' are a port. */
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
