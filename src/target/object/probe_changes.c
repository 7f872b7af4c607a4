/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe_changes.c - checks of what only some stores know: to change an object that is there, its name
 * or the values beside its data. */
#include "base/compat.h"

#include <string.h>

#include "target/object/probe.h"

#define FIRST_BYTES 1000u
#define MORE_BYTES  500u
#define VALUE_BYTES 300u
#define PLACE       700u /* of what is written into an object: over its end */

/* ---- keys from 32 on, one or two each ---- */

/* More of probing->sent, from `from` on. */
static bool change(struct probing *probing, enum object_verb verb, unsigned number, size_t from,
                   size_t bytes, const char *what)
{
    char key[OBJECT_KEY_BYTES];
    const struct object_call call = {.verb = verb,
                                     .key = probe_key(probing, number, key),
                                     .offset_bytes = verb == OBJECT_WRITE_RANGE ? from : 0,
                                     .object_bytes = FIRST_BYTES,
                                     .body = probing->sent + from,
                                     .body_bytes = bytes};

    return probe_ask(probing, &call, what, NULL);
}

void probe_append(struct probing *probing)
{
    const size_t all = FIRST_BYTES + 2 * MORE_BYTES;

    if (!probe_put(probing, 32, FIRST_BYTES))
        return;
    probe_make_data(probing, 32, all); /* the first bytes stay */
    if (change(probing, OBJECT_APPEND, 32, FIRST_BYTES, MORE_BYTES, "cannot append") &&
        change(probing, OBJECT_APPEND, 32, FIRST_BYTES + MORE_BYTES, MORE_BYTES,
               "cannot append again"))
        (void)probe_same(probing, 32, all, "an object that was appended to");
}

void probe_write_range(struct probing *probing)
{
    if (!probe_put(probing, 33, FIRST_BYTES))
        return;
    probe_make_data(probing, 33, PLACE + MORE_BYTES);
    memset(probing->sent + 100, 'x', 50);
    if (change(probing, OBJECT_WRITE_RANGE, 33, 100, 50, "cannot write into an object") &&
        change(probing, OBJECT_WRITE_RANGE, 33, PLACE, MORE_BYTES, "cannot write over its end"))
        (void)probe_same(probing, 33, PLACE + MORE_BYTES, "an object that was written into");
}

void probe_rename(struct probing *probing)
{
    char from[OBJECT_KEY_BYTES], to[OBJECT_KEY_BYTES];
    const struct object_call call = {.verb = OBJECT_RENAME,
                                     .source_key = probe_key(probing, 34, from),
                                     .key = probe_key(probing, 35, to)};

    if (probe_put(probing, 34, FIRST_BYTES) && probe_ask(probing, &call, "cannot rename", NULL) &&
        probe_same(probing, 35, FIRST_BYTES, "an object that was renamed"))
        (void)probe_absent(probing, OBJECT_STAT, 34, "its first name");
}

/* Twice, since the second one has to replace the first; the data stay as they were. */
static void check_value(struct probing *probing, unsigned number, enum object_verb put,
                        enum object_verb get)
{
    char key[OBJECT_KEY_BYTES];
    const struct object_call call = {.verb = get,
                                     .key = probe_key(probing, number, key),
                                     .into = probing->got,
                                     .into_bytes = probing->room};
    const struct object_answer *answer;

    if (!probe_put(probing, number, FIRST_BYTES) ||
        !change(probing, put, number, 0, FIRST_BYTES, "cannot set a value") ||
        !change(probing, put, number, 0, VALUE_BYTES, "cannot replace a value") ||
        !probe_ask(probing, &call, "a value that was set", &answer))
        return;
    if (answer->received_bytes != VALUE_BYTES ||
        memcmp(probing->got, probing->sent, VALUE_BYTES) != 0)
        (void)probe_fail(probing, PROBE_FAILED, "a value that was set: another one came");
    else
        (void)probe_same(probing, number, FIRST_BYTES, "the data of an object with a value");
}

void probe_xattr(struct probing *probing)
{
    check_value(probing, 36, OBJECT_XATTR_PUT, OBJECT_XATTR_GET);
}

void probe_omap(struct probing *probing)
{
    check_value(probing, 37, OBJECT_OMAP_PUT, OBJECT_OMAP_GET);
}
