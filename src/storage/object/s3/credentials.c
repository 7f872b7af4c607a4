/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* credentials.c - finds credentials in the environment, then in the shared files of the AWS tools:
 * lines of [SECTION] and NAME = VALUE. '=' or ':' ends a name; blanks around names and values are
 * ignored; '#' and ';' begin a comment at the start of a line or after a blank, but not at the
 * start of a value; indented lines belong to the value of the pair above them, and are skipped.
 *
 * Each file is read into one buffer that never moves; values are used in place until they are known
 * to be needed, and the buffer is overwritten at the end. Of a file's contents, messages only ever
 * include names of settings known here. */
#include "base/compat.h"

#include "storage/object/s3/protocol.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/log.h"
#include "base/mem.h"
#include "os/memory.h"
#include "storage/object/web/web.h"

#define FILE_MOST       ((size_t)1 << 20)
#define VALUE_MOST      4096 /* longer values do not fit into a request */
#define BLANKS          " \t\r\v\f"
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

enum setting {
    ACCESS_KEY,
    SECRET_KEY,
    SESSION_TOKEN,
    REGION,
    ENDPOINT,
    CA_BUNDLE,
    SERVICES, /* names a section with endpoints of individual services, which is not read */
    SETTING_COUNT
};

static const char *const setting_name[SETTING_COUNT] = {
    "aws_access_key_id", "aws_secret_access_key",
    "aws_session_token", "region",
    "endpoint_url",      "ca_bundle",
    "services",
};

/* Other sources of credentials. The first two imply another identity than keys next to them. */
static const char *const other_way[] = {
    "role_arn",      "web_identity_token_file", "credential_process", "sso_session",
    "sso_start_url", "sso_account_id",          "login_session",
};
#define OTHER_IDENTITIES 2
#define OTHER_WAYS       (sizeof(other_way) / sizeof(other_way[0]))

/* One of the two files and what it contains about the profile. */
struct shared_file {
    char *path; /* NULL: no home directory */
    bool config;
    bool open_to_others;
    char *text; /* NULL: the file does not exist */
    size_t bytes;
    unsigned rank;                    /* of the best section; 0: none yet */
    const char *value[SETTING_COUNT]; /* in text; NULL: absent */
    const char *other;                /* first match of other_way, in its order */
};

struct profile_search {
    const char *profile;
    bool named;    /* by the user */
    bool endpoint; /* given by the user: that of the profile does not matter */
    struct shared_file config, credentials;
};

/* --- environment ----------------------------------------------------------------------------- */

/* Empty counts as unset, as in the AWS tools. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);

    return value && *value != '\0' ? value : NULL;
}

/* Checked copy; NULL stays NULL. what: the name of the value, which itself is not shown. */
static int take_copy(const char *value, const char *what, char **copy, struct error *err)
{
    for (const char *at = value; at && *at != '\0'; at++)
        if ((unsigned char)*at < ' ' || *at == 127)
            return error_refuse(err, STATUS_TARGET, "there is a control character in", what,
                                "write it again, without a line end");
    if (value && strlen(value) > VALUE_MOST)
        return error_refuse(err, STATUS_TARGET, "the value is longer than 4096 bytes:", what,
                            "check what is there");
    *copy = value ? mem_strdup(value) : NULL;
    return 0;
}

/* Both begin with access key, secret key and session token. */
static int take_keys(const char *const *value, const char *const *what,
                     struct s3_credentials *credentials, struct error *err)
{
    if (take_copy(value[ACCESS_KEY], what[ACCESS_KEY], &credentials->access_key, err) != 0 ||
        take_copy(value[SECRET_KEY], what[SECRET_KEY], &credentials->secret_key, err) != 0)
        return -1;
    return take_copy(value[SESSION_TOKEN], what[SESSION_TOKEN], &credentials->session_token, err);
}

static int take_environment(struct s3_credentials *credentials, struct error *err)
{
    static const char *const what[] = {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
                                       "AWS_SESSION_TOKEN"};
    const char *const value[] = {variable(what[0]), variable(what[1]), variable(what[2])};

    if (!value[ACCESS_KEY] || !value[SECRET_KEY])
        return error_refuse(err, STATUS_TARGET,
                            "half of a key pair is missing from the environment:",
                            what[value[ACCESS_KEY] ? SECRET_KEY : ACCESS_KEY],
                            "set both, or neither to use a profile");
    return take_keys(value, what, credentials, err);
}

/* --- files ----------------------------------------------------------------------------------- */

static char *file_path(const char *name, const char *usual)
{
    const char *path = variable(name), *home = variable("HOME");

    if (path && strncmp(path, "~/", 2) == 0 && home)
        return mem_printf("%s%s", home, path + 1);
    if (path)
        return mem_strdup(path);
    return home ? mem_printf("%s/.aws/%s", home, usual) : NULL;
}

static void close_file(struct shared_file *file)
{
    if (file->text)
        secret_wipe(file->text, file->bytes);
    free(file->text);
    free(file->path);
}

/* Into one buffer that never moves: no copy is left behind. A missing file is not an error. */
static int read_shared(struct shared_file *file, struct error *err)
{
    char *text = mem_calloc(1, FILE_MOST + 2);
    const ssize_t got =
        file->path ? secret_read_file(file->path, text, FILE_MOST, &file->open_to_others) : -ENOENT;

    if (got < 0) {
        free(text);
        return got == -ENOENT || got == -ENOTDIR
                   ? 0
                   : error_set(err, STATUS_TARGET, (int)-got, "cannot read", file->path);
    }
    file->text = text;
    file->bytes = (size_t)got;
    if (file->bytes > FILE_MOST)
        return error_refuse(err, STATUS_TARGET,
                            "larger than 1 MiB, so not a credentials file:", file->path,
                            "check AWS_SHARED_CREDENTIALS_FILE and AWS_CONFIG_FILE");
    if (memchr(file->text, '\0', file->bytes))
        return error_set(err, STATUS_TARGET, 0, "there is a zero byte in", file->path);
    return 0;
}

/* --- lines ----------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c != '\0' && strchr(BLANKS, c);
}

static bool is_comment(char c)
{
    return c == '#' || c == ';';
}

/* The text up to `end`, trimmed and without a trailing comment; terminates it in place. */
static char *trim(char *text, char *end)
{
    while (text < end && is_blank(*text))
        text++;
    for (char *at = text + 1; at < end; at++)
        if (is_comment(*at) && is_blank(at[-1]))
            end = at;
    while (end > text && is_blank(end[-1]))
        end--;
    *end = '\0';
    return text;
}

/* 0: another section; if two match, the higher number is preferred. The files name profiles
 * differently, and that of settings may quote the name. */
static unsigned rank_section(const struct shared_file *file, const char *profile, char *title)
{
    static const char word[] = "profile";
    const size_t length = sizeof(word) - 1;
    char *end = title + strlen(title);

    if (!file->config)
        return strcmp(title, profile) == 0;
    if (strncmp(title, word, length) != 0 || !is_blank(title[length]))
        return strcmp(title, "default") == 0 && strcmp(profile, "default") == 0;
    title += length;
    title += strspn(title, BLANKS);
    if (end - title >= 2 && (*title == '"' || *title == '\'') && end[-1] == *title) {
        end[-1] = '\0';
        title++;
    }
    return strcmp(title, profile) == 0 ? 2 : 0;
}

static void take_setting(struct shared_file *file, unsigned rank, const char *name,
                         const char *value)
{
    if (rank == 0 || rank < file->rank)
        return;
    if (rank > file->rank) {
        memset(file->value, 0, sizeof(file->value));
        file->other = NULL;
        file->rank = rank;
    }
    for (unsigned i = 0; i < SETTING_COUNT; i++)
        if (strcasecmp(name, setting_name[i]) == 0)
            file->value[i] = *value ? value : NULL;
    for (unsigned i = 0; i < OTHER_WAYS && file->other != other_way[i]; i++)
        if (strcasecmp(name, other_way[i]) == 0) {
            file->other = other_way[i];
            break;
        }
}

static int refuse_line(const struct shared_file *file, unsigned line, struct error *err)
{
    return error_refuse(err, STATUS_TARGET, "not in the format of a profile file:", file->path,
                        "line %u is neither [SECTION] nor NAME = VALUE", line);
}

static int parse_file(struct shared_file *file, const char *profile, struct error *err)
{
    char *at = file->text, *next;
    unsigned line = 1, rank = 0;
    bool below = false; /* a pair, to whose value indented lines belong */

    at += strncmp(at, BYTE_ORDER_MARK, 3) == 0 ? 3 : 0;
    for (; *at; at = next, line++) {
        char *const end = at + strcspn(at, "\n");
        char *const text = at + strspn(at, BLANKS), *sign;

        next = end + (*end == '\n');
        if (text == end || is_comment(*text))
            continue;
        if (*text == '[') {
            sign = memchr(text, ']', (size_t)(end - text));
            if (!sign)
                return refuse_line(file, line, err);
            rank = rank_section(file, profile, trim(text + 1, sign));
            below = false;
        } else if (!below || text == at) {
            sign = text + strcspn(text, "=:\n");
            if (sign >= end)
                return refuse_line(file, line, err);
            take_setting(file, rank, trim(text, sign), trim(sign + 1, end));
            below = true;
        }
    }
    return 0;
}

/* Reads the file and searches it for the profile. */
static int search_file(struct shared_file *file, const char *profile, struct error *err)
{
    if (read_shared(file, err) != 0)
        return -1;
    return file->text ? parse_file(file, profile, err) : 0;
}

static int search_files(struct profile_search *search, bool keys, struct error *err)
{
    if (search_file(&search->config, search->profile, err) != 0)
        return -1;
    if (keys || (search->named && search->config.rank == 0))
        return search_file(&search->credentials, search->profile, err);
    return 0;
}

/* --- profile --------------------------------------------------------------------------------- */

static const char *shown(const struct shared_file *file)
{
    return file->path ? file->path : "~/.aws (HOME is not set)";
}

static int refuse_profile(const struct profile_search *search, const char *why, struct error *err)
{
    return error_refuse(err, STATUS_TARGET, why, search->profile,
                        "put aws_access_key_id and aws_secret_access_key into %s, or set "
                        "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
                        shown(&search->credentials));
}

static bool has_keys(const struct shared_file *file)
{
    return file->value[ACCESS_KEY] || file->value[SECRET_KEY];
}

/* The other source of credentials that conflicts with the keys or their absence; NULL: none. */
static const char *find_other(const struct profile_search *search, bool keys)
{
    for (unsigned i = 0; i < (keys ? OTHER_IDENTITIES : OTHER_WAYS); i++)
        if (search->config.other == other_way[i] || search->credentials.other == other_way[i])
            return other_way[i];
    return NULL;
}

/* Both keys and the token must be from one file: credentials before config. */
static int take_profile(const struct profile_search *search, struct s3_credentials *credentials,
                        struct error *err)
{
    const struct shared_file *file =
        has_keys(&search->credentials) ? &search->credentials : &search->config;
    const char *other = find_other(search, has_keys(file));
    char text[320];

    if (other) {
        snprintf(text, sizeof(text), "%s is not supported, but is in the profile", other);
        return error_refuse(err, STATUS_TARGET, text, search->profile,
                            "get keys with \"aws configure export-credentials --format env\" "
                            "and set them in the environment");
    }
    if (!has_keys(file))
        return refuse_profile(search, "no credentials in the profile", err);
    if (!file->value[ACCESS_KEY])
        return refuse_profile(search, "no aws_access_key_id in the profile", err);
    if (!file->value[SECRET_KEY])
        return refuse_profile(search, "no aws_secret_access_key in the profile", err);
    if (file->open_to_others)
        log_info("# others can read the secret key in %s; chmod 600 keeps it secret",
                 error_printable(file->path, text, sizeof(text)));
    return take_keys(file->value, setting_name, credentials, err);
}

/* The first of two variables that is set, else the profile's setting. */
static int take_fact(const struct profile_search *search, const char *first, const char *second,
                     enum setting setting, char **copy, struct error *err)
{
    const char *what = variable(first) ? first : second;
    const char *value = what ? variable(what) : NULL;

    if (!value) {
        what = setting_name[setting];
        value = search->config.value[setting];
    }
    if (!value)
        value = search->credentials.value[setting];
    return take_copy(value, what, copy, err);
}

static int take_facts(const struct profile_search *search, struct s3_profile *profile,
                      struct error *err)
{
    if (!search->endpoint && !variable("AWS_ENDPOINT_URL_S3") && !variable("AWS_ENDPOINT_URL") &&
        search->config.value[SERVICES])
        return error_refuse(err, STATUS_TARGET, "endpoints of services are not read in the profile",
                            search->profile, "give that of S3 with --endpoint");
    if (take_fact(search, "AWS_REGION", "AWS_DEFAULT_REGION", REGION, &profile->region, err) != 0 ||
        take_fact(search, "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", ENDPOINT, &profile->endpoint,
                  err) != 0)
        return -1;
    return take_fact(search, "AWS_CA_BUNDLE", NULL, CA_BUNDLE, &profile->ca_file, err);
}

static int find(struct profile_search *search, bool anonymous, bool environment,
                struct s3_credentials *credentials, struct s3_profile *profile, struct error *err)
{
    const bool keys = !anonymous && !environment;

    if (search_files(search, keys, err) != 0)
        return -1;
    if (search->config.rank == 0 && search->credentials.rank == 0) {
        if (search->named)
            return refuse_profile(search, "no settings found for the profile", err);
        if (keys)
            return error_refuse(
                err, STATUS_TARGET, "no credentials for s3:// targets", NULL,
                "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, put a profile into %s, or use "
                "--anonymous to sign nothing",
                shown(&search->credentials));
    }
    credentials->anonymous = anonymous;
    if (environment && take_environment(credentials, err) != 0)
        return -1;
    if (keys && take_profile(search, credentials, err) != 0)
        return -1;
    return take_facts(search, profile, err);
}

int s3_credentials_find(const struct s3_options *options, struct s3_credentials *credentials,
                        struct s3_profile *profile, struct error *err)
{
    const char *name = options->store.profile ? options->store.profile : variable("AWS_PROFILE");
    const bool environment = !options->store.anonymous && !options->store.profile &&
                             (variable("AWS_ACCESS_KEY_ID") || variable("AWS_SECRET_ACCESS_KEY"));
    struct profile_search search = {.profile = name ? name : "default", .named = name != NULL};
    int result;

    if (!options->store.anonymous)
        os_forbid_core_files();
    memset(credentials, 0, sizeof(*credentials));
    memset(profile, 0, sizeof(*profile));
    search.config.config = true;
    search.endpoint = options->store.endpoint;
    search.config.path = file_path("AWS_CONFIG_FILE", "config");
    search.credentials.path = file_path("AWS_SHARED_CREDENTIALS_FILE", "credentials");
    result = find(&search, options->store.anonymous, environment, credentials, profile, err);
    close_file(&search.config);
    close_file(&search.credentials);
    if (result != 0) {
        s3_credentials_free(credentials);
        s3_profile_free(profile);
    }
    return result;
}

void s3_credentials_free(struct s3_credentials *credentials)
{
    secret_free(credentials->access_key);
    secret_free(credentials->secret_key);
    secret_free(credentials->session_token);
    memset(credentials, 0, sizeof(*credentials));
}

void s3_profile_free(struct s3_profile *profile)
{
    free(profile->region);
    free(profile->endpoint);
    free(profile->ca_file);
    memset(profile, 0, sizeof(*profile));
}
