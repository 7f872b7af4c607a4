/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fault.c - see the header. */
#include "base/compat.h"

#include "storage/object/mem/fault.h"

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

/* Parses the word at *at, which ends before one of "@:,"; returns its index in words, which may
 * have gaps, or -1. */
static int take_word(const char **at, const char *const *words, unsigned count)
{
    const size_t length = strcspn(*at, "@:,");

    for (unsigned i = 0; i < count; i++)
        if (words[i] && strlen(words[i]) == length && memcmp(words[i], *at, length) == 0) {
            *at += length;
            return (int)i;
        }
    return -1;
}

static bool take_fault(const char **at, struct mem_fault *fault)
{
    const char *words[OBJECT_VERB_COUNT + MEM_FAULT_KIND_COUNT];
    int word;

    for (unsigned kind = 0; kind < MEM_FAULT_KIND_COUNT; kind++)
        words[kind] = mem_fault_table[kind].word;
    word = take_word(at, words, MEM_FAULT_KIND_COUNT);
    if (word < 0)
        return false;
    *fault = (struct mem_fault){.kind = (enum mem_fault_kind)word};
    if (**at == '@') {
        ++*at;
        for (unsigned verb = 0; verb < OBJECT_VERB_COUNT; verb++)
            words[verb] = object_verb_table[verb].word;
        word = take_word(at, words, OBJECT_VERB_COUNT);
        if (word < 0)
            return false;
        fault->verbs = 1u << word;
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
