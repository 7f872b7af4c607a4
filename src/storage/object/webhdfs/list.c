/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* list.c - lists all files below a prefix by listing single directories.
 *
 * A page is the LISTSTATUS_BATCH of one directory: files are reported up to the first subdirectory,
 * which is listed next; after its last page, its parent continues after its name. So a list's
 * position is just a path: "a/b/" is a directory to begin, "a/b/c" the name in a/b/ after which to
 * continue. HttpFS does not support batches: each answer contains the whole directory, and names up
 * to the position are skipped. */
#include "base/compat.h"

#include "storage/object/webhdfs/protocol.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum type { TYPE_NONE, TYPE_FILE, TYPE_DIRECTORY, TYPE_OTHER };

struct webhdfs_entry { /* of a directory, under construction */
    char name[OBJECT_KEY_BYTES];
    enum type type;
    uint64_t size_bytes;
    bool has_name, has_size;
};

struct webhdfs_listing {
    const struct object_call *call;
    const char *prefix;
    const char *after;           /* the name after which the list continues; NULL: from the first */
    char path[OBJECT_KEY_BYTES]; /* of the directory, followed at path_bytes by an entry's name */
    size_t path_bytes;
    struct object_page *page;
    object_visit visit;
    void *arg;
    struct error *err;
    uint64_t remaining; /* entries after this page */
    bool has_remaining, has_entries;
    bool left; /* for a subdirectory, or because the names are past the prefix */
    char last[OBJECT_KEY_BYTES];
};

static void count_key(struct webhdfs_listing *l)
{
    if (l->page->keys++ == 0)
        l->page->first = text_hash(l->path);
}

static void go_on_at(struct webhdfs_listing *l, const char *place)
{
    l->page->more = true;
    (void)snprintf(l->page->token, sizeof(l->page->token), "%s", place);
}

/* The path of a name in the directory, with a slash if it is a directory. False: too long. */
static bool set_path(struct webhdfs_listing *l, const char *name, bool directory)
{
    const int length = snprintf(l->path + l->path_bytes, sizeof(l->path) - l->path_bytes, "%s%s",
                                name, directory ? "/" : "");

    return (size_t)length < sizeof(l->path) - l->path_bytes;
}

/* If the prefix ends within the directory's name, only the common part is compared. */
static bool is_below(const struct webhdfs_listing *l, bool directory)
{
    const size_t prefix_bytes = strlen(l->prefix), path_bytes = strlen(l->path);

    return strncmp(l->path, l->prefix, prefix_bytes) == 0 ||
           (directory && path_bytes < prefix_bytes && strncmp(l->path, l->prefix, path_bytes) == 0);
}

/* Handles an entry of the page. Returns 0, -1 if it is invalid, or what visit returned. */
static int take_entry(struct webhdfs_listing *l, const struct webhdfs_entry *entry)
{
    const bool directory = entry->type == TYPE_DIRECTORY;

    if (!entry->has_name || entry->type == TYPE_NONE || (!directory && !entry->has_size))
        return -1;
    if (l->left)
        return 0;
    if (entry->name[0] == '\0') /* a file that was listed like a directory */
        return 0;
    if (l->after && strcmp(entry->name, l->after) <= 0)
        return 0;
    if (strchr(entry->name, '/') || strcmp(entry->name, ".") == 0 ||
        strcmp(entry->name, "..") == 0 || !set_path(l, entry->name, directory))
        return -1;
    (void)snprintf(l->last, sizeof(l->last), "%s", entry->name);
    if (!is_below(l, directory) || entry->type == TYPE_OTHER)
        return 0;
    count_key(l);
    if (directory && !l->call->delimiter) {
        l->left = true;
        go_on_at(l, l->path);
        return 0;
    }
    return l->visit
               ? l->visit(l->arg, &(struct object_listed){l->path, entry->size_bytes, directory},
                          l->err)
               : 0;
}

/* Handles a value of an entry. False: invalid. */
static bool take_value(const struct json_scan *json, struct webhdfs_entry *entry)
{
    const struct json_name *name = &json->name[json->depth];
    char type[16];

    if (json_is(name, "pathSuffix")) {
        const bool again = entry->has_name;
        entry->has_name = json_text(json, entry->name, sizeof(entry->name)) >= 0;
        return entry->has_name && !again;
    }
    if (json_is(name, "length")) {
        entry->has_size = json_number(json, &entry->size_bytes);
        return entry->has_size;
    }
    if (json_is(name, "type")) {
        if (json_text(json, type, sizeof(type)) < 0)
            return false;
        entry->type = strcmp(type, "FILE") == 0        ? TYPE_FILE
                      : strcmp(type, "DIRECTORY") == 0 ? TYPE_DIRECTORY
                                                       : TYPE_OTHER;
    }
    return true;
}

/* {"DirectoryListing":{"partialListing":{"FileStatuses":{"FileStatus":[{...}]}},
 *  "remainingEntries":0}} */
static bool is_entries(const struct json_scan *json)
{
    return json_is(&json->name[1], "DirectoryListing") &&
           json_is(&json->name[2], "partialListing") && json_is(&json->name[3], "FileStatuses") &&
           json_is(&json->name[4], "FileStatus") && json->array[4];
}

static int take_event(struct webhdfs_listing *l, struct json_scan *json, enum json_event event,
                      struct webhdfs_entry *entry)
{
    if (event == JSON_VALUE && json->depth == 2 && json_is(&json->name[1], "DirectoryListing") &&
        json_is(&json->name[2], "remainingEntries")) {
        l->has_remaining = json_number(json, &l->remaining);
        return l->has_remaining ? 0 : -1;
    }
    if (json->depth < 5 || !is_entries(json))
        return 0;
    l->has_entries = true;
    if (event == JSON_OPEN && json->depth == 6) {
        memset(entry, 0, offsetof(struct webhdfs_entry, has_name));
        entry->has_name = entry->has_size = false;
    } else if (event == JSON_CLOSE && json->depth == 5) {
        return take_entry(l, entry);
    } else if (event == JSON_VALUE) {
        return json->depth == 6 && take_value(json, entry) ? 0 : -1;
    }
    return 0;
}

static int broken(struct error *err)
{
    if (err) {
        error_set(err, STATUS_TARGET, EPROTO, "cannot understand the server's", "list of files");
        error_advise(err, "is this the HTTP address of a NameNode, of HttpFS or of Knox?");
    }
    return -1;
}

/* After the directory's last name, its parent continues after it, if that is below the prefix. */
static void leave_directory(struct webhdfs_listing *l)
{
    const char *slash = strrchr(l->prefix, '/');
    const size_t top_bytes = slash ? (size_t)(slash + 1 - l->prefix) : 0;

    if (l->path_bytes <= top_bytes)
        return;
    l->path[l->path_bytes - 1] = '\0'; /* "/" */
    go_on_at(l, l->path);
}

static int read_page(struct webhdfs_listing *l, const struct http_answer *http)
{
    static const struct webhdfs_entry none = {.type = TYPE_NONE};
    struct webhdfs_entry entry = none;
    enum json_event event;
    struct json_scan json;

    json_begin(&json, http->text, http->text_bytes);
    while ((event = json_next(&json)) != JSON_END) {
        const int code = event == JSON_ERROR ? -1 : take_event(l, &json, event, &entry);
        if (code != 0)
            return code;
    }
    return l->has_remaining && l->has_entries ? 0 : -1;
}

int webhdfs_list(const struct object_answer *answer, struct object_page *page, object_visit visit,
                 void *arg, struct error *err)
{
    const struct webhdfs_slot *slot = answer->detail;
    struct error own = ERROR_INIT;
    struct webhdfs_listing l = {.call = slot->call,
                                .prefix = slot->call->key ? slot->call->key : "",
                                .page = page,
                                .visit = visit,
                                .arg = arg,
                                .err = err ? err : &own};
    const char *path, *after;
    size_t unused;
    int code;

    page->keys = page->first = 0;
    page->more = false;
    page->token[0] = '\0';
    l.path_bytes = webhdfs_list_place(slot->call, &path, &after, &unused);
    if (l.path_bytes >= sizeof(l.path))
        return broken(err);
    memcpy(l.path, path, l.path_bytes);
    l.after = slot->call->token ? after : NULL;
    if (slot->answer->status == 200) {
        code = read_page(&l, slot->answer);
        if (code == -1 && !(err && error_is_set(err)))
            return broken(err);
        if (code != 0)
            return code;
    }
    l.path[l.path_bytes] = '\0';
    if (l.left)
        return 0;
    if (l.remaining > 0 && l.last[0] && set_path(&l, l.last, false))
        go_on_at(&l, l.path);
    else if (l.remaining > 0)
        return broken(err);
    else if (!l.call->delimiter)
        leave_directory(&l);
    return 0;
}
