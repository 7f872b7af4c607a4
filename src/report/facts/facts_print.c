/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* facts_print.c - the facts as lines of a log: one for the machine, one or two for each target;
 * long ones go on after "#   ". */
#include "base/compat.h"

#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "report/facts/busy.h"
#include "report/facts/facts.h"

#define LINE_COLUMNS  100
#define COLUMNS_LEAST 20 /* a terminal of fewer folds what it gets */
#define OPTIONS_SHOWN 400

/* How much of a text goes on a line: up to its last comma there, or its last blank, or the first
 * place to break at all. */
static size_t choose_break(const char *text, size_t room)
{
    size_t take = room;

    if (strlen(text) <= room)
        return strlen(text);
    while (take > room / 2 && text[take - 1] != ',')
        take--;
    if (take > room / 2)
        return take;
    for (take = room; take > 0 && text[take - 1] != ' ' && text[take - 1] != ',';)
        take--;
    if (take == 0)
        take = strcspn(text, " ,") + 1;
    return take < strlen(text) ? take : strlen(text);
}

static void print_wrapped(const char *prefix, const char *text)
{
    const unsigned window = log_columns();
    const size_t columns = window > COLUMNS_LEAST && window < LINE_COLUMNS ? window : LINE_COLUMNS;

    while (*text != '\0') {
        const size_t take = choose_break(text, columns - strlen(prefix));
        log_text("%s%.*s", prefix, (int)(take - (text[take - 1] == ' ')), text);
        text += take;
        text += strspn(text, " ");
        prefix = "#   ";
    }
}

static void add_facts(const struct fact *fact, const void *base, char *line, size_t room)
{
    for (; fact->member; fact++) {
        char value[FACTS_TEXT];
        const char *words = fact->words ? fact->words : "";
        const int before = (int)strcspn(words, "%");

        if (!fact->words || facts_text(fact, base, value, sizeof(value))[0] == '\0' ||
            strcmp(value, FACT_NONE) == 0)
            continue;
        text_add(line, room, words[0] == ' ' ? "" : ", ", "%.*s%s%s", before, words, value,
                 words + before + 1);
    }
}

static void print_host(const struct hostinfo *host)
{
    char line[FACTS_TEXT] = "", shown[FACTS_TEXT + 16];

    log_text("# iosweep %s, %s", PACKAGE_VERSION, host->date);
    add_facts(facts_of_host, host, line, sizeof(line));
    snprintf(shown, sizeof(shown), "host: %s", line);
    print_wrapped("# ", shown);
}

static void print_storage(const struct targetinfo *target, const char *label)
{
    char line[2 * FACTS_TEXT] = "", shown[4 * FACTS_TEXT];

    add_facts(facts_of_target, target, line, sizeof(line));
    if (line[0] == '\0')
        return;
    snprintf(shown, sizeof(shown), "storage of %s: %s", label, line);
    /* names come from others */
    text_copy(line, sizeof(line), shown);
    print_wrapped("# ", error_printable(line, shown, sizeof(shown)));
    if (target->mount_options[0] != '\0') {
        snprintf(shown, sizeof(shown), "mounted %.*s%s", OPTIONS_SHOWN, target->mount_options,
                 strlen(target->mount_options) > OPTIONS_SHOWN ? "..." : "");
        print_wrapped("#   ", error_printable(shown, line, sizeof(line)));
    }
}

/* "# .: ext4 on /dev/vda; 2 processors, kvm, load 0.55" */
static void print_brief(const struct facts *facts, const char *const *labels)
{
    const struct hostinfo *host = &facts->host;
    char line[2 * FACTS_TEXT], shown[4 * FACTS_TEXT];

    for (unsigned i = 0; i < facts->count; i++) {
        const struct targetinfo *target = &facts->targets[i];
        snprintf(line, sizeof(line), "%.200s: %s", labels[i],
                 target->filesystem[0] ? target->filesystem : "");
        if (target->device[0])
            text_add(line, sizeof(line), "", "%s%s", target->filesystem[0] ? " on " : "",
                     target->device);
        if (target->model[0])
            text_add(line, sizeof(line), ", ", "%s", target->model);
        if (target->filesystem[0] || target->device[0])
            print_wrapped("# ", error_printable(line, shown, sizeof(shown)));
    }
    line[0] = '\0';
    if (host->cpus > 0)
        text_add(line, sizeof(line), ", ", "%u processor%s", host->cpus,
                 host->cpus == 1 ? "" : "s");
    if (machine_is_guest(host->virtualization))
        text_add(line, sizeof(line), ", ", "virtual machine (%s)", host->virtualization);
    if (host->load1 >= 0)
        text_add(line, sizeof(line), ", ", "load %.2f", host->load1);
    snprintf(shown, sizeof(shown), "this machine: %s", line);
    print_wrapped("# ", shown);
}

void facts_print(struct facts *facts, const char *const *labels, bool brief)
{
    if (facts->printed)
        return;
    facts->printed = true;
    if (brief) {
        print_brief(facts, labels);
        return;
    }
    print_host(&facts->host);
    for (unsigned i = 0; i < facts->count; i++)
        print_storage(&facts->targets[i], labels[i]);
}
