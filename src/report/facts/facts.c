/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* facts.c - facts of one run, read before it begins. */
#include "base/compat.h"

#include "report/facts/facts.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "os/os.h"
#include "report/facts/cards.h"

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
    free(facts->targets);
    facts_free_hosts(facts);
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
