/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* facts_print.c - prints the facts as log lines: one for the machine, one or two per target. */
#include "base/compat.h"

#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "report/facts/facts.h"

#define OPTIONS_SHOWN 400

static void add_facts(const struct fact *fact, const void *base, bool brief, char *line,
                      size_t room)
{
    for (; fact->member; fact++) {
        char value[FACTS_TEXT];
        const char *words = fact->words ? fact->words : "";
        const int before = (int)strcspn(words, "%");

        if (!fact->words || (brief && !(fact->use & BRIEFLY)) ||
            facts_text(fact, base, value, sizeof(value))[0] == '\0' ||
            strcmp(value, FACT_NONE) == 0)
            continue;
        text_add(line, room, words[0] == ' ' ? "" : ", ", "%.*s%s%s", before, words, value,
                 words + before + 1);
    }
}

static void print_host(const struct hostinfo *host, bool brief)
{
    char line[FACTS_TEXT] = "";

    if (!brief)
        log_text("# iosweep %s, %s", PACKAGE_VERSION, host->date);
    add_facts(facts_of_host, host, brief, line, sizeof(line));
    log_text("# host: %s", line);
}

/* Names come from outside, so control characters are escaped. */
static void print_storage(const struct targetinfo *target, const char *label, bool brief)
{
    char line[2 * FACTS_TEXT] = "", shown[4 * FACTS_TEXT], name[FACTS_TEXT];
    const char *options = target->mount_options;

    add_facts(facts_of_target, target, brief, line, sizeof(line));
    if (line[0] == '\0')
        return;
    log_text("# storage of %s: %s", error_printable(label, name, sizeof(name)),
             error_printable(line, shown, sizeof(shown)));
    line[0] = '\0';
    for (; !brief && options[0] != '\0' && strlen(line) < OPTIONS_SHOWN;
         options += options[0] == ',') {
        const size_t length = strcspn(options, ",");

        text_add(line, sizeof(line), ", ", "%.*s", (int)length, options);
        options += length;
    }
    if (line[0] != '\0')
        log_text("#   mounted %s%s", error_printable(line, shown, sizeof(shown)),
                 options[0] != '\0' ? ", ..." : "");
}

void facts_print(struct facts *facts, const char *const *labels, bool brief)
{
    if (facts->printed)
        return;
    facts->printed = true;
    print_host(&facts->host, brief);
    for (unsigned i = 0; i < facts->count; i++)
        print_storage(&facts->targets[i], labels[i], brief);
}
