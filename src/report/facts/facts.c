/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* facts.c - the facts about a machine and its targets: one table, which JSON, the lines before a
 * run and the comparison of the hosts of a team use. */
#include "base/compat.h"

#include "report/facts/facts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "os/os.h"
#include "report/formats/print.h"

#define MEMORY_SHARE  0.05 /* tolerance for hosts of the same model */
#define NONE          "none"
#define COMPARED_TEXT 256 /* compared values */
#define OPTIONS_SHOWN 400

#define EVERYWHERE  (IN_HEAD | OF_HOSTS)
#define HOST(field) offsetof(struct host_card, field)
const struct fact facts_of_host[] = {
    {"name", NULL, "%", FACT_TEXT, HOST(host.host), IN_HEAD},
    {"version", "iosweep", NULL, FACT_TEXT, HOST(version), OF_HOSTS},
    {"kernel", "kernel", "%", FACT_TEXT, HOST(host.kernel), EVERYWHERE},
    {"machine", "machine", " %", FACT_TEXT, HOST(host.machine), EVERYWHERE},
    {"cpus", "processors online", "% processors", FACT_COUNT, HOST(host.cpus),
     EVERYWHERE | BRIEFLY},
    {"cpu", "processor", " (%)", FACT_TEXT, HOST(host.cpu), EVERYWHERE},
    {"cpus_allowed", "processors allowed", "% allowed", FACT_COUNT, HOST(host.cpus_allowed),
     EVERYWHERE},
    {"cpus_quota", "CPU limit", "limited to %", FACT_QUOTA, HOST(host.cpus_quota), EVERYWHERE},
    {"governor", "governor", "governor %", FACT_TEXT, HOST(host.governor), EVERYWHERE},
    {"memory_bytes", "memory", "% memory", FACT_MEMORY, HOST(host.memory_bytes), EVERYWHERE},
    {"page_bytes", "page size", "pages of %", FACT_SIZE, HOST(host.page_bytes), EVERYWHERE},
    {"clock_source", "clock source", NULL, FACT_TEXT, HOST(host.clock_source), EVERYWHERE},
    {"virtualization", "virtualization", "virtualization %", FACT_TEXT, HOST(host.virtualization),
     EVERYWHERE | BRIEFLY},
    {"libraries", "libraries", NULL, FACT_TEXT, HOST(libraries), OF_HOSTS},
    {.member = NULL},
};

#define TARGET(field) offsetof(struct targetinfo, field)
const struct fact facts_of_target[] = {
    {"path", NULL, NULL, FACT_TEXT, TARGET(path), OF_HOSTS},
    {"filesystem", "file system", "%", FACT_TEXT, TARGET(filesystem), EVERYWHERE | BRIEFLY},
    {"mount_point", NULL, " at %", FACT_TEXT, TARGET(mount_point), EVERYWHERE},
    {"mount_options", "mount options", NULL, FACT_OPTIONS, TARGET(mount_options), EVERYWHERE},
    {"device", "device", " on %", FACT_TEXT, TARGET(device), EVERYWHERE | BRIEFLY},
    {"below", NULL, " (%)", FACT_TEXT, TARGET(below), IN_HEAD},
    {"model", "model", "%", FACT_TEXT, TARGET(model), EVERYWHERE | BRIEFLY},
    {"rotational", NULL, "%", FACT_TURNS, TARGET(rotational), IN_HEAD},
    {"scheduler", "scheduler", "scheduler %", FACT_TEXT, TARGET(scheduler), EVERYWHERE},
    {"write_cache", "write cache", "write cache %", FACT_TEXT, TARGET(write_cache), IN_HEAD},
    {"io_limits", "limits", "limited to %", FACT_TEXT, TARGET(io_limits), IN_HEAD},
    {.member = NULL},
};

void facts_get(const struct fact *fact, const void *base, struct value *value)
{
    const void *field = (const char *)base + fact->offset;

    value->kind = VALUE_EMPTY;
    switch (fact->type) {
    case FACT_TEXT:
    case FACT_OPTIONS:
        if (*(const char *)field != '\0')
            columns_put_text(value, field);
        break;
    case FACT_COUNT:
        if (*(const unsigned *)field > 0)
            columns_put_count(value, *(const unsigned *)field);
        break;
    case FACT_QUOTA:
        if (*(const double *)field > 0)
            *value =
                (struct value){.kind = VALUE_REAL, .real = *(const double *)field, .decimals = 3};
        break;
    case FACT_MEMORY:
    case FACT_SIZE:
        if (*(const uint64_t *)field > 0)
            columns_put_count(value, *(const uint64_t *)field);
        break;
    case FACT_TURNS:
        if (*(const int *)field >= 0)
            columns_put_count(value, *(const int *)field > 0);
        break;
    }
}
/* Formats the value: "" if unknown, NONE if there is no limit. Returns text. */
static char *fact_text(const struct fact *fact, const void *base, char *text, size_t size)
{
    struct value value;
    char shown[PRINT_NUMBER_TEXT];

    facts_get(fact, base, &value);
    if (value.kind == VALUE_EMPTY)
        text_copy(text, size, fact->type == FACT_QUOTA ? NONE : "");
    else if (value.kind == VALUE_TEXT)
        text_copy(text, size, value.text);
    else if (fact->type == FACT_TURNS)
        text_copy(text, size, value.count ? "rotational" : "not rotational");
    else if (fact->type == FACT_MEMORY)
        text_copy(text, size, units_format_bytes((double)value.count, shown));
    else if (fact->type == FACT_SIZE)
        text_copy(text, size, units_format_size(value.count, shown));
    else if (fact->type == FACT_QUOTA)
        snprintf(text, size, "%.2f processors", value.real);
    else
        text_copy(text, size, print_number(&value, '.', shown));
    return text;
}

/* --- reading --- */

void facts_read(const char *root, const char *const *places, unsigned count, struct facts *facts)
{
    facts_free(facts);
    hostinfo_read(root, &facts->host);
    facts->targets = mem_calloc(count + 1, sizeof(*facts->targets));
    for (unsigned i = 0; i < count; i++)
        targetinfo_read(root, places[i], &facts->targets[i]);
    facts->count = count;
    facts->read = true;
}

void facts_free(struct facts *facts)
{
    for (unsigned h = 0; h < facts->host_count; h++)
        free(facts->hosts[h].targets);
    free(facts->hosts);
    free(facts->targets);
    *facts = (struct facts){.count = 0};
}

void facts_ensure(struct facts *facts, const struct target *const *targets, unsigned count)
{
    const char **places;

    if (facts->read)
        return;
    places = mem_calloc(count + 1, sizeof(*places));
    for (unsigned i = 0; i < count; i++)
        places[i] = targets[i]->place;
    facts_read("", places, count, facts);
    free(places);
}

void facts_list_libraries(char *text, size_t size)
{
    const char *library;

    os_libc_name(text, size);
    for (const struct engine *const *e = engine_table; *e; e++)
        if ((*e)->library && (library = (*e)->library()) != NULL &&
            !strstr(text, library)) /* two engines may use one library */
            text_add(text, size, ", ", "%s", library);
}

/* --- lines before a run --- */

static void add_facts(const struct fact *fact, const void *base, bool brief, char *line,
                      size_t room)
{
    for (; fact->member; fact++) {
        char value[FACTS_TEXT];
        const char *words = fact->words ? fact->words : "";
        const int before = (int)strcspn(words, "%");

        if (!fact->words || (brief && !(fact->use & BRIEFLY)) ||
            fact_text(fact, base, value, sizeof(value))[0] == '\0' || strcmp(value, NONE) == 0)
            continue;
        text_add(line, room, words[0] == ' ' ? "" : ", ", "%.*s%s%s", before, words, value,
                 words + before + 1);
    }
}

/* Names come from outside, so control characters are escaped. */
static void print_storage(const struct targetinfo *target, const char *label, bool brief)
{
    char line[2 * FACTS_TEXT] = "", shown[4 * FACTS_TEXT], name[FACTS_TEXT];
    const char *options = target->mount_options, *option;
    size_t length;

    add_facts(facts_of_target, target, brief, line, sizeof(line));
    if (line[0] == '\0')
        return;
    log_text("# storage of %s: %s", error_printable(label, name, sizeof(name)),
             error_printable(line, shown, sizeof(shown)));
    line[0] = '\0';
    while (!brief && strlen(line) < OPTIONS_SHOWN && text_word(&options, ",", &option, &length))
        text_add(line, sizeof(line), ", ", "%.*s", (int)length, option);
    if (line[0] != '\0')
        log_text("#   mounted %s%s", error_printable(line, shown, sizeof(shown)),
                 options ? ", ..." : "");
}

void facts_print(struct facts *facts, const char *const *labels, bool brief)
{
    char line[FACTS_TEXT] = "";

    if (facts->printed)
        return;
    facts->printed = true;
    if (!brief)
        log_text("# iosweep %s, %s", PACKAGE_VERSION, facts->host.date);
    add_facts(facts_of_host, &facts->host, brief, line, sizeof(line));
    log_text("# host: %s", line);
    for (unsigned i = 0; i < facts->count; i++)
        print_storage(&facts->targets[i], labels[i], brief);
}

/* Appends "37 % WHAT" if part is not 0; 100 % only for everything. */
static void add_share(char *text, size_t size, const char *separator, const struct extents *extents,
                      uint64_t part, const char *what)
{
    const double percent = 100.0 * (double)part / (double)extents->bytes,
                 shown = part == extents->bytes ? percent : fmin(fmax(percent, 0.1), 99.9);

    if (part > 0)
        text_add(text, size, separator, "%s%.*f %% %s", extents->cut ? "at least " : "",
                 shown < 9.95 || (shown > 99 && shown < 100), shown, what);
}

void facts_print_extents(const struct target *target)
{
    const struct extents *extents = &target->extents;
    char text[FACTS_TEXT] = "", name[FACTS_TEXT], files[64] = "";

    if (extents->bytes == 0)
        return;
    add_share(text, sizeof(text), "", extents, extents->hole_bytes, "holes");
    add_share(text, sizeof(text), ", ", extents, extents->unwritten_bytes, "unwritten extents");
    if (text[0] != '\0')
        text_add(text, sizeof(text), ": ", "reads there never reach the storage");
    add_share(text, sizeof(text), "; ", extents, extents->encoded_bytes,
              "compressed: reads move fewer bytes than asked");
    add_share(text, sizeof(text), "; ", extents, extents->inline_bytes, "kept with the metadata");
    if (text[0] == '\0')
        return;
    if (extents->files < target->object_count)
        snprintf(files, sizeof(files), " (%" PRIu64 " of %" PRIu32 " files examined)",
                 extents->files, target->object_count);
    log_text("# %s%s: %s", error_printable(target->label, name, sizeof(name)), files, text);
}

/* --- the hosts of a team --- */

void facts_fill_card(const struct facts *facts, struct host_card *card)
{
    memset(card, 0, sizeof(*card)); /* no uninitialised padding */
    text_copy(card->version, sizeof(card->version), PACKAGE_VERSION);
    facts_list_libraries(card->libraries, sizeof(card->libraries));
    if (!facts->read)
        return;
    card->host = facts->host;
    card->target_count = facts->count;
}

/* cards: of each rank; infos: of each rank, one target after the other. The number of targets may
 * differ between ranks, but each takes part in all rounds. */
static int gather_targets(struct team *team, const struct host_card *cards, struct facts *facts)
{
    struct targetinfo *infos = cards ? mem_calloc(team->size, sizeof(*infos)) : NULL;
    static const struct targetinfo none;
    uint32_t most = 0;
    int code;

    for (uint32_t rank = 0; cards && rank < team->size; rank++)
        most = cards[rank].target_count > most ? cards[rank].target_count : most;
    code = team->broadcast(team, &most, sizeof(most));
    for (uint32_t t = 0; code == 0 && t < most; t++) {
        code =
            team->gather(team, t < facts->count ? &facts->targets[t] : &none, sizeof(none), infos);
        for (unsigned h = 0; code == 0 && infos && h < facts->host_count; h++)
            if (t < facts->hosts[h].card.target_count)
                facts->hosts[h].targets[t] = infos[facts->hosts[h].first_rank];
    }
    free(infos);
    return code;
}

static void keep_cards(const struct team *team, const struct host_card *cards, struct facts *facts)
{
    facts->host_count = team->host_count;
    facts->hosts = mem_calloc(team->host_count, sizeof(*facts->hosts));
    for (uint32_t rank = 0; rank < team->size; rank++) {
        struct host_facts *host = &facts->hosts[team->member[rank].host_index];

        if (host->ranks++ > 0)
            continue;
        text_copy(host->name, sizeof(host->name), team->member[rank].host);
        host->first_rank = rank;
        host->card = cards[rank];
        host->targets = mem_calloc(cards[rank].target_count + 1, sizeof(*host->targets));
    }
}

int facts_gather(struct team *team, struct facts *facts)
{
    struct host_card own, *cards;
    int code;

    if (team->size < 2)
        return 0;
    facts_fill_card(facts, &own);
    cards = team->rank == 0 ? mem_calloc(team->size, sizeof(*cards)) : NULL;
    code = team->gather(team, &own, sizeof(own), cards);
    if (code == 0 && cards)
        keep_cards(team, cards, facts);
    if (code == 0)
        code = gather_targets(team, cards, facts);
    free(cards);
    return code;
}

/* The options of one list joined by ',' that the other lacks, except the client address, in which
 * NFS mounts of two hosts always differ. */
static void missing_options(const char *options, const char *other, char *text, size_t size)
{
    const char *option, *theirs;
    size_t length, there;

    text[0] = '\0';
    while (text_word(&options, ",", &option, &length)) {
        bool found = length == 0 || strncmp(option, "clientaddr=", strlen("clientaddr=")) == 0;
        for (const char *at = other; !found && text_word(&at, ",", &theirs, &there);)
            found = there == length && strncmp(theirs, option, length) == 0;
        if (!found)
            text_add(text, size, ",", "%.*s", (int)length, option);
    }
}

/* Whether both are known and differ; of lists of options, each text keeps only those that the other
 * lacks. Both texts need COMPARED_TEXT bytes. */
static bool facts_differ(const struct fact *fact, const void *one, const void *two, char *one_text,
                         char *two_text)
{
    const char *first = (const char *)one + fact->offset, *other = (const char *)two + fact->offset;

    fact_text(fact, one, one_text, COMPARED_TEXT);
    fact_text(fact, two, two_text, COMPARED_TEXT);
    if (one_text[0] == '\0' || two_text[0] == '\0')
        return false;
    if (fact->type == FACT_MEMORY) {
        const double a = (double)*(const uint64_t *)(const void *)first,
                     b = (double)*(const uint64_t *)(const void *)other;
        return fabs(a - b) > MEMORY_SHARE * fmax(a, b);
    }
    if (fact->type != FACT_OPTIONS)
        return strcmp(one_text, two_text) != 0;
    missing_options(first, other, one_text, COMPARED_TEXT);
    missing_options(other, first, two_text, COMPARED_TEXT);
    if (one_text[0] == '\0' && two_text[0] == '\0')
        return false;
    if (one_text[0] == '\0' || two_text[0] == '\0')
        text_copy(one_text[0] == '\0' ? one_text : two_text, COMPARED_TEXT, NONE);
    return true;
}

/* Compares one fact of all hosts; target: of the targets with that index and the path of the first
 * host's. Compares each host with the first that has the fact. */
static bool compare_fact(const struct facts *facts, const struct fact *fact, const uint32_t *target,
                         char *text)
{
    const struct host_facts *first = NULL;
    const struct targetinfo *first_target = NULL;
    const void *base = NULL;
    char mine[COMPARED_TEXT], others[COMPARED_TEXT];
    uint32_t unlike = 0;

    for (uint32_t h = 0; h < facts->host_count; h++) {
        const struct host_facts *host = &facts->hosts[h];
        const struct targetinfo *own = NULL;
        const void *at = &host->card;

        if (target && *target < host->card.target_count && host->targets[*target].path[0])
            at = own = &host->targets[*target];
        if ((target && !own) || fact_text(fact, at, mine, sizeof(mine))[0] == '\0')
            continue;
        if (!first) {
            first = host;
            first_target = own;
            base = at;
        } else if ((!own || strcmp(first_target->path, own->path) == 0) &&
                   facts_differ(fact, base, at, mine, others) && unlike++ == 0) {
            snprintf(text, FACTS_DIFFERENCE_TEXT, "%s%s%.256s: %s on %s, %s on %s", fact->name,
                     own ? " of " : "", own ? own->path : "", mine, first->name, others,
                     host->name);
        }
    }
    if (unlike > 1)
        text_add(text, FACTS_DIFFERENCE_TEXT, "", " (and %" PRIu32 " more)", unlike - 1);
    return unlike > 0;
}

unsigned facts_compare_hosts(const struct facts *facts, facts_difference *list)
{
    uint32_t targets = 0;
    unsigned count = 0;

    for (uint32_t h = 0; h < facts->host_count; h++)
        if (facts->hosts[h].card.target_count > targets)
            targets = facts->hosts[h].card.target_count;
    for (const struct fact *fact = facts_of_host; fact->member; fact++)
        count +=
            fact->name && count < FACTS_DIFFERENCES && compare_fact(facts, fact, NULL, list[count]);
    for (uint32_t t = 0; t < targets; t++)
        for (const struct fact *fact = facts_of_target; fact->member; fact++)
            count += fact->name && fact->use & OF_HOSTS && count < FACTS_DIFFERENCES &&
                     compare_fact(facts, fact, &t, list[count]);
    return count;
}
