/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* place.c - directories: the target's must exist, since writing would create it and leave it
 * behind; those created for a run's files are removed once empty, innermost first, with a request
 * that fails for non-empty ones. */
#include "base/compat.h"

#include "storage/object/webhdfs/protocol.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

#define DIRECTORIES_MOST 1000u /* a run has fewer */

struct directories {
    size_t prefix_bytes;
    const struct object_place *place;
    char **key;
    size_t count, room;
};

/* name: "4096/" */
static bool is_made(const struct directories *found, const char *name)
{
    char word[OBJECT_KEY_BYTES];

    (void)snprintf(word, sizeof(word), "%.*s", (int)strcspn(name, "/"), name);
    return found->place->is_made && found->place->is_made(found->place->arg, word);
}

static int visit(void *arg, const struct object_listed *listed, struct error *err)
{
    struct directories *found = arg;

    (void)err;
    if (!listed->rolled_up || !is_made(found, listed->key + found->prefix_bytes))
        return 0;
    found->key = mem_grow(found->key, &found->room, found->count + 1, sizeof(*found->key));
    found->key[found->count++] = mem_strdup(listed->key);
    return found->count == DIRECTORIES_MOST;
}

/* Returns NULL with err on failure. */
static const struct object_answer *ask(struct object_link *link, const struct object_call *call,
                                       struct error *err)
{
    const struct object_answer *answer;
    char *url, words[256];
    int code;

    answer = webhdfs_perform_own(link, call, &code);
    if (answer && (answer->verdict.class == OBJECT_DONE || answer->verdict.errnum == ENOENT ||
                   answer->verdict.errnum == ENOTEMPTY))
        return answer;
    url = webhdfs_url(link->service, call->key);
    error_set(err, STATUS_TARGET, answer ? answer->verdict.errnum : -code,
              "cannot remove the directory", url);
    if (answer)
        error_explain(err, "%s", webhdfs_explain(answer, words, sizeof(words), NULL));
    free(url);
    return NULL;
}

bool webhdfs_is_place(const struct object_verdict *verdict)
{
    return strcmp(verdict->code, WEBHDFS_NO_FILE) == 0;
}

int webhdfs_remove_place(struct object_link *link, const char *prefix,
                         const struct object_place *place, struct error *err)
{
    struct object_call call = {.verb = OBJECT_LIST, .key = prefix, .delimiter = "/"};
    struct object_page *page = mem_calloc(1, sizeof(*page));
    char *token = mem_calloc(1, sizeof(page->token));
    struct directories found = {.prefix_bytes = strlen(prefix), .place = place};
    const struct object_answer *answer;
    int code;

    do {
        call.token = token[0] ? token : NULL;
        answer = ask(link, &call, err);
        code = answer ? webhdfs_list(answer, page, visit, &found, err) : -1;
        memcpy(token, page->token, sizeof(page->token));
    } while (code == 0 && page->more);
    call = (struct object_call){.verb = OBJECT_DELETE};
    for (size_t i = 0; i < found.count; i++) {
        call.key = found.key[i];
        if (code >= 0 && !ask(link, &call, err))
            code = -1;
        free(found.key[i]);
    }
    call.key = prefix;
    if (code >= 0 && place->itself && !ask(link, &call, err))
        code = -1;
    free(found.key);
    free(token);
    free(page);
    return code < 0 ? -1 : 0;
}

static int refuse_place(const struct object_link *link, const char *prefix, const char *what,
                        const char *advice, struct error *err)
{
    char *place = webhdfs_place(link->service, prefix);

    error_set(err, STATUS_TARGET, 0, what, place);
    error_advise(err, "%s", advice);
    free(place);
    return -1;
}

static int refuse_missing(const struct object_link *link, const char *prefix, struct error *err)
{
    /* without the trailing "/" */
    char *path = mem_printf("/%.*s", (int)strlen(prefix) - 1, prefix);
    char *word = text_shell_word(path);
    char *advice = mem_printf("create it first: hdfs dfs -mkdir -p %s", word);

    (void)refuse_place(link, prefix, "no such directory:", advice, err);
    free(path);
    free(word);
    free(advice);
    return -1;
}

int webhdfs_expect_place(struct object_link *link, const char *prefix, struct error *err)
{
    const struct object_call call = {.verb = OBJECT_STAT, .key = prefix};
    const struct object_answer *answer;
    int code;

    if (prefix[0] == '\0') /* the root */
        return 0;
    answer = webhdfs_perform_own(link, &call, &code);
    if (!answer)
        return error_set(err, STATUS_TARGET, -code, "cannot look for", prefix);
    if (answer->verdict.class == OBJECT_DONE)
        return refuse_place(link, prefix, "this is a file, not a directory:",
                            "name the directory to create files in, or read this file with -r",
                            err);
    if (strcmp(answer->verdict.code, "FileNotFoundException") == 0)
        return refuse_missing(link, prefix, err);
    return 0; /* a directory; other errors will show with the first file, and are retried */
}
