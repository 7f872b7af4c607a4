/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* torn.c - what is left of a manifest that was put under another name, and never had its own: its
 * name alone does not tell that a run has put it there. */
#include "base/compat.h"

#include "target/object/object.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

int object_torn_is_ours(struct object_client *client, const char *run_prefix, const char *key,
                        uint64_t size_bytes, struct error *err)
{
    char *text, run_name[OBJECT_RUN_NAME_MAX + 1];
    struct object_call call = {
        .verb = OBJECT_GET, .key = key, .into_bytes = OBJECT_MANIFEST_TEXT_MAX};
    const struct object_answer *answer = NULL;
    struct object_verdict verdict = {0};
    struct error own = ERROR_INIT;
    int ours;

    if (!object_run_of_prefix(run_prefix, run_name))
        return 0;
    if (size_bytes == 0)
        return 1;
    call.into = text = mem_calloc(OBJECT_MANIFEST_TEXT_MAX, 1);
    if (object_client_call(client, &call, "cannot read", &answer, &verdict, &own) == 0)
        ours = object_manifest_begins(text, (size_t)answer->received_bytes,
                                      object_client_protocol(client)->name, run_name,
                                      key + strlen(run_prefix));
    else if (strcmp(verdict.code, "TooLong") == 0)
        ours = 0;
    else
        ours = verdict.errnum == ENOENT && !verdict.no_place ? 1 : -1;
    if (ours < 0)
        *err = own;
    free(text);
    return ours;
}
