/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* probe.c - does an object store do what is asked of it?  A run of its own with a set of a few
 * objects, on which each check works with keys that no other check uses, so that one fault is told
 * once. */
#include "base/compat.h"

#include "target/object/probe.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/log.h"
#include "base/mem.h"

/* ---- what is said of a check ---- */

bool probe_fail(struct probing *probing, enum target_probe_result result, const char *format, ...)
{
    va_list args;

    if (probing->now.result != PROBE_PASS)
        return false;
    probing->now.result = result;
    va_start(args, format);
    vsnprintf(probing->now.reason, sizeof(probing->now.reason), format, args);
    va_end(args);
    return false;
}

bool probe_refused(struct probing *probing, const char *what, const struct object_verdict *verdict,
                   const struct error *why)
{
    const char *words = why->reason[0] ? why->reason : strerror(why->errnum);

    return probe_fail(probing, verdict->errnum == EOPNOTSUPP ? PROBE_UNSUPPORTED : PROBE_FAILED,
                      "%s: %s", what, words);
}

/* ---- calls ---- */

const char *probe_key(const struct probing *probing, unsigned number, char key[OBJECT_KEY_BYTES])
{
    snprintf(key, OBJECT_KEY_BYTES, "%s%06u%s", probing->prefix, number,
             number == 0 ? OBJECT_PROBE_ODD : "");
    return key;
}

bool probe_ask(struct probing *probing, const struct object_call *call, const char *what,
               const struct object_answer **answer)
{
    const struct object_answer *own;
    struct object_verdict verdict;
    struct error why = ERROR_INIT;

    if (object_client_call(probing->client, call, what, answer ? answer : &own, &verdict, &why) ==
        0)
        return true;
    return probe_refused(probing, what, &verdict, &why);
}

void probe_make_data(struct probing *probing, unsigned number, size_t bytes)
{
    mem_fill_random(probing->sent, bytes, probing->store->manifest.seed + number);
}

bool probe_put(struct probing *probing, unsigned number, size_t bytes)
{
    char key[OBJECT_KEY_BYTES];
    const struct object_call call = {.verb = OBJECT_PUT,
                                     .key = probe_key(probing, number, key),
                                     .body = probing->sent,
                                     .body_bytes = bytes};

    probe_make_data(probing, number, bytes);
    return probe_ask(probing, &call, "cannot put an object", NULL);
}

bool probe_same(struct probing *probing, unsigned number, size_t bytes, const char *what)
{
    char key[OBJECT_KEY_BYTES];
    const struct object_call call = {.verb = OBJECT_GET,
                                     .key = probe_key(probing, number, key),
                                     .into = probing->got,
                                     .into_bytes = probing->room};
    const struct object_answer *answer;

    if (!probe_ask(probing, &call, what, &answer))
        return false;
    if (answer->received_bytes != bytes)
        return probe_fail(probing, PROBE_FAILED, "%s: got %" PRIu64 " bytes, not %zu", what,
                          answer->received_bytes, bytes);
    if (memcmp(probing->got, probing->sent, bytes) != 0)
        return probe_fail(probing, PROBE_FAILED, "%s: not the data that were put", what);
    return true;
}

bool probe_absent(struct probing *probing, enum object_verb verb, unsigned number, const char *what)
{
    char key[OBJECT_KEY_BYTES];
    const struct object_call call = {.verb = verb,
                                     .key = probe_key(probing, number, key),
                                     .into = probing->got,
                                     .into_bytes = probing->room};
    const struct object_answer *answer;
    struct object_verdict verdict;
    struct error why = ERROR_INIT;

    if (object_client_call(probing->client, &call, what, &answer, &verdict, &why) == 0)
        return probe_fail(probing, PROBE_FAILED, "%s: the server says that it is there", what);
    if (verdict.errnum == ENOENT && !verdict.no_place)
        return true;
    return probe_refused(probing, what, &verdict, &why);
}

bool probe_range(struct probing *probing, unsigned number, size_t offset, size_t bytes,
                 const char *what)
{
    char key[OBJECT_KEY_BYTES];
    const struct object_call call = {.verb = OBJECT_GET,
                                     .key = probe_key(probing, number, key),
                                     .ranged = true,
                                     .offset_bytes = offset,
                                     .range_bytes = bytes,
                                     .into = probing->got,
                                     .into_bytes = probing->room};
    const struct object_answer *answer;

    if (!probe_ask(probing, &call, what, &answer))
        return false;
    if (answer->received_bytes != bytes)
        return probe_fail(probing, PROBE_FAILED, "%s: got %" PRIu64 " bytes, not %zu", what,
                          answer->received_bytes, bytes);
    return memcmp(probing->got, probing->sent + offset, bytes) == 0 ||
           probe_fail(probing, PROBE_FAILED, "%s: not the data that were put there", what);
}

/* ---- the run ---- */

static int run_checks(struct probing *probing, const struct target_probes *probes,
                      struct error *err)
{
    const volatile int *stop = probing->store->base.target.request->stop;

    for (const struct probe_check *check = probe_checks; check->name; check++) {
        const uint64_t begin_ns = clock_now(&clock_monotonic);
        log_progress("probing: %s", check->name);
        probing->now = (struct target_probe){.name = check->name, .meaning = check->meaning};
        if (check->verbs & ~probing->service->verbs)
            (void)probe_fail(probing, PROBE_UNSUPPORTED, "there is no such request");
        else
            check->run(probing);
        if (flag_read(stop))
            return error_set(err, STATUS_PARTIAL, EINTR, "interrupted while probing",
                             probing->store->base.target.place);
        probing->now.elapsed_ns = clock_now(&clock_monotonic) - begin_ns;
        log_progress_clear();
        probes->tell(probes->arg, &probing->now);
    }
    return 0;
}

/* By name: no list need be believed for it. */
static void remove_keys(struct probing *probing)
{
    char(*keys)[OBJECT_KEY_BYTES] = mem_calloc(OBJECT_PROBE_KEYS, sizeof(*keys));
    const char *key[OBJECT_PROBE_KEYS];
    struct error ignored = ERROR_INIT; /* the run is removed, and tells */
    uint64_t removed = 0;

    for (unsigned i = 0; i < OBJECT_PROBE_KEYS; i++)
        key[i] = probe_key(probing, i, keys[i]);
    (void)object_client_delete(probing->client, key, OBJECT_PROBE_KEYS, &removed, &ignored);
    free(keys);
}

static int probe_store(struct object_store *store, const struct target_probes *probes,
                       struct error *err)
{
    char directory[OBJECT_SET_DIRECTORY_MAX];
    struct probing probing = {
        .store = store, .service = store->base.service, .protocol = store->base.service->protocol};
    int code;

    store->uploads = true; /* also after a signal */
    probing.prefix = mem_printf("%s%s", store->base.run_prefix,
                                object_set_directory(&store->manifest.set[0], directory));
    probing.room = (size_t)probing.service->options->part_bytes + PROBE_TAIL_BYTES;
    probing.sent = mem_calloc(probing.room, 1);
    probing.got = mem_calloc(probing.room, 1);
    code = object_client_create_prober(probing.service, store->base.target.request->stop,
                                       &probing.client, err);
    if (code == 0)
        code = run_checks(&probing, probes, err);
    object_client_destroy(probing.client);
    probing.client = store->base.client;
    if (code == 0)
        remove_keys(&probing);
    free(probing.sent);
    free(probing.got);
    free(probing.prefix);
    return code;
}

int object_probe(const struct target_request *request, const struct target_probes *probes,
                 struct error *err)
{
    struct error own = ERROR_INIT;
    struct target *target;
    char text[1024];
    int code;

    if (object_open(request, &target, err) != 0)
        return -1;
    code = probe_store(object_store_of(target), probes, err);
    if (object_close(target, &own) != 0) {
        if (code == 0)
            *err = own;
        else
            log_error("%s", error_format(&own, text, sizeof(text)));
        code = -1;
    }
    return code;
}
