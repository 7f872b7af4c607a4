/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* service.c - what all protocols share of a service: its budget and the counters of its requests,
 * the rules for prefixes of keys, and the options that reach it.  See protocol.h. */
#include "base/compat.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/utf8.h"
#include "storage/object/client.h"

#define WORDS(verb, ...) [OBJECT_##verb] = {__VA_ARGS__},

const struct object_verb_words object_verb_table[OBJECT_VERB_COUNT] = {OBJECT_VERB_TABLE(WORDS)};
#undef WORDS

/* --- services --------------------------------------------------------------------------------- */

int object_service_open(const struct object_protocol *protocol, const char *target,
                        const void *options, bool signs, struct object_service **out,
                        struct error *err)
{
    if (protocol->open(target, options, signs, out, err) != 0)
        return -1;
    atomic_store(&(*out)->budget,
                 (*out)->options->max_requests ? (*out)->options->max_requests : UINT64_MAX);
    return 0;
}

bool object_request_count(struct object_service *service, enum object_verb verb, bool cleans)
{
    uint_least64_t left = atomic_load_explicit(&service->budget, memory_order_relaxed);
    const unsigned each = object_requests_each(service, verb);

    while (left != UINT64_MAX) {
        if (left < each) {
            atomic_store_explicit(&service->spent, true, memory_order_relaxed);
            if (!cleans)
                return false;
            break;
        }
        if (atomic_compare_exchange_weak_explicit(&service->budget, &left, left - each,
                                                  memory_order_relaxed, memory_order_relaxed))
            break;
    }
    atomic_fetch_add_explicit(&service->requests[verb], each, memory_order_relaxed);
    return true;
}

void object_request_give_back(struct object_service *service, enum object_verb verb,
                              unsigned unsent)
{
    uint_least64_t left = atomic_load_explicit(&service->budget, memory_order_relaxed);

    /* 0 may mean a lost run, which must send no more requests */
    while (left != UINT64_MAX && left != 0 &&
           !atomic_compare_exchange_weak_explicit(&service->budget, &left, left + unsent,
                                                  memory_order_relaxed, memory_order_relaxed))
        continue;
    atomic_fetch_sub_explicit(&service->requests[verb], unsent, memory_order_relaxed);
}

void object_count_unsure(struct object_service *service, enum object_verb verb,
                         const struct object_answer *answer)
{
    const bool dropped = answer == NULL || answer->verdict.errnum == EINTR;

    if (verb != OBJECT_PUT && verb != OBJECT_COPY && verb != OBJECT_UPLOAD_BEGIN &&
        verb != OBJECT_UPLOAD_PART && verb != OBJECT_UPLOAD_COMPLETE)
        return;
    if (answer && answer->settled)
        return;
    atomic_fetch_add(&service->unsure, 1);
    if (dropped && verb != OBJECT_UPLOAD_PART)
        atomic_fetch_add(&service->dropped, 1);
}

/* ---- names ---- */

char *object_url(const struct object_service *service, const char *key)
{
    return mem_printf("%s%s", service->root, key);
}

char *object_place(const struct object_service *service, const char *prefix, bool where)
{
    char *place = object_url(service, prefix), *more = NULL;
    char *const end = place + strlen(place) - 1;

    if (*end == '/')
        *end = '\0';
    else if (prefix[0] != '\0') /* all names that begin with it */
        mem_append(&place, "*");
    if (where && service->protocol->where)
        more = service->protocol->where(service, prefix);
    if (more)
        mem_append(&place, " (%s)", more);
    free(more);
    return place;
}

/* ---- prefixes ---- */

bool object_prefix_odd(const char *path)
{
    while (true) {
        const size_t length = strcspn(path, "/");
        if (length == 0 || (length == 1 && path[0] == '.') ||
            (length == 2 && path[0] == '.' && path[1] == '.'))
            return true;
        if (path[length] == '\0')
            return false;
        path += length + 1;
    }
}

int object_prefix_check(const char *target, const char *prefix, struct error *err)
{
    const size_t length = strlen(prefix);
    const char *why = NULL;

    for (const char *at = prefix; *at != '\0' && !why;) {
        const unsigned step = utf8_length(at);
        if ((unsigned char)*at < ' ' || *at == 127)
            why = "control characters are not allowed in the prefix of";
        else if (step == 0)
            why = "only UTF-8 is allowed in the prefix of";
        at += step;
    }
    if (!why && length > OBJECT_PREFIX_MOST)
        why = "the prefix is longer than 512 bytes in";
    if (!why && length > 0 && object_prefix_odd(prefix))
        why = "empty parts, \".\" and \"..\" are not allowed in the prefix of";
    if (!why)
        return 0;
    return error_refuse(err, STATUS_USAGE, why, target, "choose another prefix");
}

char *object_prefix_take(const char *target, const char *text, struct error *err)
{
    const size_t length = strlen(text), cut = length > 1 && text[length - 1] == '/';
    char *prefix = mem_printf("%.*s", (int)(length - cut), text), *whole = NULL;

    if (object_prefix_check(target, prefix, err) == 0)
        whole = mem_printf("%s%s", prefix, prefix[0] ? "/" : "");
    free(prefix);
    return whole;
}

/* ---- options ---- */

void object_add_option(char **command, const char *option, const char *value)
{
    char *word = value ? text_shell_word(value) : NULL;

    if (value)
        mem_append(command, " --%s %s", option, word);
    free(word);
}

void object_add_flag(char **command, const char *option, bool given)
{
    if (given)
        mem_append(command, " --%s", option);
}
