/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* verdict.c - see the header. Codes are the names of the errno constants: clusters use some of them
 * with a meaning that strerror does not describe. */
#include "base/compat.h"

#include "storage/object/rados/verdict.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
static const struct meaning {
    int errnum; /* returned by the cluster */
    enum object_class class;
    int as; /* in the verdict */
    bool retryable;
    const char *code, *words, *advice;
} meanings[] = {
    {ENOENT, OBJECT_CLIENT_ERROR, ENOENT, false, "ENOENT", "no such object", NULL},
    {ENODATA, OBJECT_CLIENT_ERROR, ENOENT, false, "ENODATA",
     "the object has no such xattr or omap value", NULL},
    {EPERM, OBJECT_CLIENT_ERROR, EACCES, false, "EPERM", "permission denied",
     "its key needs the capability rwx for the pool: ceph auth caps"},
    {EACCES, OBJECT_CLIENT_ERROR, EACCES, false, "EACCES", "permission denied",
     "its key needs the capability rwx for the pool: ceph auth caps"},
    {EROFS, OBJECT_CLIENT_ERROR, EACCES, false, "EROFS", "the pool cannot be written to", NULL},
    {EDQUOT, OBJECT_CLIENT_ERROR, EDQUOT, false, "EDQUOT", "the pool has reached its quota",
     "free some space, or raise it: ceph osd pool set-quota"},
    {ENOSPC, OBJECT_SERVER_ERROR, ENOSPC, false, "ENOSPC", "the pool or the cluster is full",
     "free some space: ceph df"},
    {EFBIG, OBJECT_CLIENT_ERROR, EFBIG, false, "TooLarge",
     "longer than an object may be (osd_max_object_size)", "use smaller sizes: --max-size"},
    {EMSGSIZE, OBJECT_CLIENT_ERROR, EFBIG, false, "TooLarge",
     "more than one request can write (osd_max_write_size)", "use smaller sizes: --max-size"},
    {E2BIG, OBJECT_CLIENT_ERROR, EFBIG, false, "TooLarge", "longer than the cluster accepts",
     "use smaller sizes: --max-size"},
    {ENAMETOOLONG, OBJECT_CLIENT_ERROR, ENAMETOOLONG, false, "ENAMETOOLONG",
     "the name is longer than the cluster accepts", "use a shorter prefix or --run-name"},
    {ETIMEDOUT, OBJECT_NETWORK_ERROR, ETIMEDOUT, true, "ETIMEDOUT",
     "no answer within --request-timeout", "is the cluster healthy? ceph -s"},
    {ECANCELED, OBJECT_NETWORK_ERROR, EINTR, false, "ECANCELED", "cancelled", NULL},
    {EEXIST, OBJECT_CLIENT_ERROR, EEXIST, false, "EEXIST", "the object is already there", NULL},
    {ERANGE, OBJECT_CLIENT_ERROR, ERANGE, false, "ERANGE",
     "the range is beyond the end of the object", NULL},
    {EOVERFLOW, OBJECT_CLIENT_ERROR, EEXIST, false, "EOVERFLOW", "the object was replaced",
     NULL},
    {EOPNOTSUPP, OBJECT_CLIENT_ERROR, EOPNOTSUPP, false, "EOPNOTSUPP", 
        "the pool does not support this",
     "erasure-coded pools have no omap, and write ranges only with allow_ec_overwrites"},
    {ESHUTDOWN, OBJECT_CLIENT_ERROR, ESHUTDOWN, false, "EBLOCKLISTED",
     "this client is on the block list of the cluster", "see ceph osd blocklist ls"},
    {EAGAIN, OBJECT_SLOW_DOWN, EBUSY, true, "EAGAIN", "the cluster asks to try again later", NULL},
    {EBUSY, OBJECT_SLOW_DOWN, EBUSY, true, "EBUSY", "the object is in use", NULL},
    {EIO, OBJECT_SERVER_ERROR, EREMOTEIO, true, "EIO", "an OSD could not read or write",
     "check its log, and ceph health detail"},
    {ENOMEM, OBJECT_SERVER_ERROR, ENOMEM, false, "ENOMEM", "out of memory", NULL},
    {ENOTCONN, OBJECT_NETWORK_ERROR, ENOTCONN, true, "ENOTCONN", "not connected to the cluster",
     NULL},
};
/* clang-format on */

static const struct meaning *meaning_of(int errnum)
{
    for (size_t i = 0; i < sizeof(meanings) / sizeof(*meanings); i++)
        if (meanings[i].errnum == errnum)
            return &meanings[i];
    return NULL;
}

void pool_judge(enum object_verb verb, int code, struct object_verdict *verdict)
{
    const struct meaning *const meaning = meaning_of(-code);

    *verdict = (struct object_verdict){.class = OBJECT_DONE};
    if (code >= 0)
        return;
    if (!meaning) {
        verdict->class = OBJECT_SERVER_ERROR;
        verdict->errnum = EREMOTEIO;
        (void)snprintf(verdict->code, sizeof(verdict->code), "error %d", -code);
        return;
    }
    verdict->class = meaning->class;
    verdict->errnum = meaning->as;
    verdict->retryable = meaning->retryable;
    /* for a list, the pool is missing */
    verdict->no_place = meaning->as == ENOENT && verb == OBJECT_LIST;
    (void)snprintf(verdict->code, sizeof(verdict->code), "%s", meaning->code);
}

bool pool_is_settled(int code)
{
    return code != -ETIMEDOUT && code != -ECANCELED && code != -ENOTCONN;
}

enum object_condition pool_condition(const struct object_call *call, int code)
{
    if (call->only_if_absent && code == -EEXIST)
        return OBJECT_CONDITION_UNMET;
    return OBJECT_CONDITION_NONE;
}

/* ---- in words ---- */

static const struct meaning *meaning_named(const struct object_verdict *verdict, int code)
{
    const struct meaning *const own = meaning_of(-code);

    if (own && strcmp(own->code, verdict->code) == 0)
        return own;
    for (size_t i = 0; i < sizeof(meanings) / sizeof(*meanings); i++)
        if (strcmp(meanings[i].code, verdict->code) == 0)
            return &meanings[i];
    return NULL;
}

char *pool_explain(const struct object_verdict *verdict, int code, char *text, size_t room,
                   const char **advice)
{
    const struct meaning *const meaning = meaning_named(verdict, code);

    if (advice)
        *advice = meaning ? meaning->advice : NULL;
    if (verdict->no_place)
        (void)snprintf(text, room, "%s: the pool no longer exists", verdict->code);
    else if (meaning)
        (void)snprintf(text, room, "%s: %s", verdict->code, meaning->words);
    else if (strcmp(verdict->code, "TooLong") == 0)
        (void)snprintf(text, room, "the object is longer than it can be");
    else
        (void)snprintf(text, room, "%s%s%s", verdict->code, verdict->code[0] ? ": " : "",
                       strerror(verdict->errnum));
    return text;
}
