/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* facts_print.c - the facts as lines of a log: one for the machine, one or two for each target. */
#include "base/compat.h"

#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "report/facts/busy.h"
#include "report/facts/facts.h"

#define OPTIONS_SHOWN 400

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
    char line[FACTS_TEXT] = "";

    log_text("# iosweep %s, %s", PACKAGE_VERSION, host->date);
    add_facts(facts_of_host, host, line, sizeof(line));
    log_text("# host: %s", line);
}

/* Names come from others. */
static void print_storage(const struct targetinfo *target, const char *label)
{
    char line[2 * FACTS_TEXT] = "", shown[4 * FACTS_TEXT], name[FACTS_TEXT];
    const char *options = target->mount_options;

    add_facts(facts_of_target, target, line, sizeof(line));
    if (line[0] == '\0')
        return;
    log_text("# storage of %s: %s", error_printable(label, name, sizeof(name)),
             error_printable(line, shown, sizeof(shown)));
    line[0] = '\0';
    for (; options[0] != '\0' && strlen(line) < OPTIONS_SHOWN; options += options[0] == ',') {
        const size_t length = strcspn(options, ",");

        text_add(line, sizeof(line), ", ", "%.*s", (int)length, options);
        options += length;
    }
    if (line[0] != '\0')
        log_text("#   mounted %s%s", error_printable(line, shown, sizeof(shown)),
                 options[0] != '\0' ? ", ..." : "");
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
            log_text("# %s", error_printable(line, shown, sizeof(shown)));
    }
    line[0] = '\0';
    if (host->cpus > 0)
        text_add(line, sizeof(line), ", ", "%u processor%s", host->cpus,
                 host->cpus == 1 ? "" : "s");
    if (machine_is_guest(host->virtualization))
        text_add(line, sizeof(line), ", ", "virtual (%s)", host->virtualization);
    if (host->load1 >= 0)
        text_add(line, sizeof(line), ", ", "load %.2f", host->load1);
    log_text("# this machine: %s", line);
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
