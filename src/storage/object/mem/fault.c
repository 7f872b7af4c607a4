/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fault.c - injected failures of requests to mem: (--mem.fail). */
#include "base/compat.h"

#include "storage/object/mem/protocol.h"

#include <errno.h>
#include <string.h>

#include "base/number.h"

const struct mem_fault_row mem_fault_table[MEM_FAULT_KIND_COUNT] = {
    [MEM_FAULT_SLOW_DOWN] = {"slow-down", OBJECT_SLOW_DOWN, EBUSY, true, "SlowDown"},
    [MEM_FAULT_SERVER] = {"server-error", OBJECT_SERVER_ERROR, EREMOTEIO, true, "InternalError"},
    [MEM_FAULT_FORBIDDEN] = {"forbidden", OBJECT_CLIENT_ERROR, EACCES, false, "AccessDenied"},
    [MEM_FAULT_MISSING] = {"missing", OBJECT_CLIENT_ERROR, ENOENT, false, "NoSuchKey"},
    [MEM_FAULT_REFUSED] = {"refused", OBJECT_NETWORK_ERROR, ECONNREFUSED, true, ""},
    [MEM_FAULT_LOST] = {"lost", OBJECT_NETWORK_ERROR, ECONNRESET, true, ""},
    [MEM_FAULT_BROKEN] = {"broken", OBJECT_PROTOCOL_ERROR, EPROTO, false, "UnexpectedStatus"},
    [MEM_FAULT_WRONG] = {"wrong", OBJECT_DONE, 0, false, ""},
    [MEM_FAULT_TIMEOUT] = {NULL, OBJECT_NETWORK_ERROR, ETIMEDOUT, true, ""},
    [MEM_FAULT_TOO_LARGE] = {NULL, OBJECT_CLIENT_ERROR, EFBIG, false, "TooLarge"},
};

/* Whether the text at *at continues with the word and then one of "@:", which it is moved to. */
static bool take_word(const char **at, const char *word)
{
    const size_t length = strcspn(*at, "@:,");

    if (!word || strlen(word) != length || memcmp(word, *at, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool take_fault(const char **at, struct mem_fault *fault)
{
    unsigned kind = 0, verb = 0;

    while (kind < MEM_FAULT_KIND_COUNT && !take_word(at, mem_fault_table[kind].word))
        kind++;
    if (kind == MEM_FAULT_KIND_COUNT)
        return false;
    *fault = (struct mem_fault){.kind = (enum mem_fault_kind)kind};
    if (**at == '@') {
        ++*at;
        while (verb < OBJECT_VERB_COUNT && !take_word(at, object_verb_table[verb].word))
            verb++;
        if (verb == OBJECT_VERB_COUNT)
            return false;
        fault->verbs = 1u << verb;
    }
    return *(*at)++ == ':' && number_take(at, &fault->every) && fault->every > 0 &&
           fault->every <= UINT32_MAX;
}

int mem_faults_parse(const char *word, struct mem_faults *faults, struct error *err)
{
    struct mem_faults taken = {0};
    const char *at = word;
    bool right = true;

    do
        right = taken.count < MEM_FAULTS_MAX && take_fault(&at, &taken.fault[taken.count++]);
    while (right && *at == ',' && *++at);
    if (right && *at == '\0' && at > word && at[-1] != ',') {
        *faults = taken;
        return 0;
    }
    return error_refuse(err, STATUS_USAGE, "not a list of failures:", word,
                        "KIND[@VERB]:N, at most %u of them, with commas: slow-down, "
                        "server-error, forbidden, missing, refused, lost, broken or wrong; as in "
                        "lost@put:3",
                        MEM_FAULTS_MAX);
}

enum mem_fault_kind mem_faults_next(const struct mem_faults *faults, enum object_verb verb,
                                    uint64_t seen[MEM_FAULTS_MAX])
{
    enum mem_fault_kind kind = MEM_FAULT_NONE;

    for (unsigned i = 0; i < faults->count; i++) {
        const struct mem_fault *fault = &faults->fault[i];
        if (fault->verbs && !(fault->verbs & 1u << verb))
            continue;
        if (++seen[i] % fault->every == 0 && kind == MEM_FAULT_NONE)
            kind = fault->kind;
    }
    return kind;
}
