/* SPDX-License-Identifier: GPL-2.0-or-later */
/* credentials.c - who signs: environment, then the shared files of the AWS tools.
 *
 * The files are read by inih, but no value goes through it: its lines end after 200 bytes, its
 * names of sections after 49, session tokens are longer, and what it copies to its stack cannot be
 * cleansed from here.  So the reader that feeds it gives the place of each value in our own copy of
 * the file ("aws_secret_access_key=1234"), which is overwritten at the end.  Nothing of a file's
 * content but names of settings known here is ever put into a message. */
#include "base/compat.h"

#include "target/object/s3/credentials.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_INIH
#include <ini.h>
#endif

#include "base/log.h"
#include "base/mem.h"

#define FILE_MOST  ((size_t)1 << 20)
#define VALUE_MOST 4096 /* a longer one does not fit into a request */
#define BLANKS     " \t\r\v\f"

enum setting {
    ACCESS_KEY,
    SECRET_KEY,
    SESSION_TOKEN,
    REGION,
    ENDPOINT,
    CA_BUNDLE,
    SERVICES, /* the section "services NAME" that has endpoints of single services */
    SETTING_COUNT
};

static const char *const setting_name[SETTING_COUNT] = {
    "aws_access_key_id", "aws_secret_access_key",
    "aws_session_token", "region",
    "endpoint_url",      "ca_bundle",
    "services",
};

/* Other ways to credentials.  The first two mean another identity than keys beside them. */
static const char *const other_way[] = {
    "role_arn",      "web_identity_token_file", "credential_process", "sso_session",
    "sso_start_url", "sso_account_id",          "login_session",
};
#define OTHER_IDENTITIES 2
#define OTHER_WAYS       (sizeof(other_way) / sizeof(other_way[0]))

/* One of the two files and what it says of the profile. */
struct shared_file {
    char *path; /* NULL: no home directory */
    bool config;
    bool open_to_others;
    char *text; /* NULL: not there */
    size_t bytes;
    size_t at;   /* of the reader */
    bool failed; /* the reader */
    const char *profile;
    const char *services;             /* instead of the profile: the section to look into */
    unsigned rank;                    /* of the section that counts: 0 none yet */
    const char *value[SETTING_COUNT]; /* into text */
    const char *other;                /* of other_way, the first in that order */
};

struct search {
    const char *profile;
    bool named; /* by the user */
    struct shared_file config, credentials;
};

/* --- environment ----------------------------------------------------------------------------- */

/* Empty means not there, as for the AWS tools. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);

    return value && *value != '\0' ? value : NULL;
}

/* what: the name of the value, which itself is not shown. */
static int check_value(const char *value, const char *what, struct error *err)
{
    for (const char *at = value; *at != '\0'; at++)
        if ((unsigned char)*at < ' ' || *at == 127) {
            error_set(err, STATUS_TARGET, 0, "there is a control character in", what);
            return error_advise(err, "write it again, without a line end");
        }
    if (strlen(value) <= VALUE_MOST)
        return 0;
    error_set(err, STATUS_TARGET, 0, "the value is longer than 4096 bytes:", what);
    return error_advise(err, "check what is there");
}

/* Checked copy; NULL stays NULL. */
static int take_copy(const char *value, const char *what, char **copy, struct error *err)
{
    if (!value)
        return 0;
    if (check_value(value, what, err) != 0)
        return -1;
    *copy = mem_strdup(value);
    return 0;
}

static int take_environment(struct s3_credentials *credentials, struct error *err)
{
    const char *access_key = variable("AWS_ACCESS_KEY_ID");
    const char *secret_key = variable("AWS_SECRET_ACCESS_KEY");

    if (!access_key || !secret_key) {
        error_set(err, STATUS_TARGET, 0, "half of a pair of keys is missing in the environment:",
                  !access_key ? "AWS_ACCESS_KEY_ID" : "AWS_SECRET_ACCESS_KEY");
        return error_advise(err, "set both, or neither to use a profile");
    }
    credentials->source_text = mem_strdup("the environment");
    if (take_copy(access_key, "AWS_ACCESS_KEY_ID", &credentials->access_key, err) != 0 ||
        take_copy(secret_key, "AWS_SECRET_ACCESS_KEY", &credentials->secret_key, err) != 0)
        return -1;
    return take_copy(variable("AWS_SESSION_TOKEN"), "AWS_SESSION_TOKEN",
                     &credentials->session_token, err);
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
        OPENSSL_cleanse(file->text, file->bytes);
    free(file->text);
    free(file->path);
}

#ifdef HAVE_INIH
/* All of the file, terminated.  Read in one buffer that never moves: no copy stays behind. */
static int read_text(int fd, struct shared_file *file, struct error *err)
{
    struct stat facts;
    ssize_t got = 1;

    if (fstat(fd, &facts) == 0)
        file->open_to_others = S_ISREG(facts.st_mode) && (facts.st_mode & (S_IRGRP | S_IROTH)) != 0;
    file->text = mem_calloc(1, FILE_MOST + 2);
    while (got > 0 && file->bytes <= FILE_MOST) {
        got = read(fd, file->text + file->bytes, FILE_MOST + 1 - file->bytes);
        file->bytes += got > 0 ? (size_t)got : 0;
    }
    if (got < 0)
        return error_set(err, STATUS_TARGET, errno, "cannot read", file->path);
    if (file->bytes > FILE_MOST) {
        error_set(err, STATUS_TARGET, 0,
                  "larger than 1 MiB, so no file of credentials:", file->path);
        return error_advise(err, "check AWS_SHARED_CREDENTIALS_FILE and AWS_CONFIG_FILE");
    }
    if (memchr(file->text, '\0', file->bytes))
        return error_set(err, STATUS_TARGET, 0, "there is a zero byte in", file->path);
    return 0;
}

/* A file that is not there says nothing. */
static int read_shared(struct shared_file *file, struct error *err)
{
    const int fd = file->path ? open(file->path, O_RDONLY | O_CLOEXEC | O_NOCTTY) : -1;
    int result;

    if (!file->path || (fd < 0 && (errno == ENOENT || errno == ENOTDIR)))
        return 0;
    if (fd < 0)
        return error_set(err, STATUS_TARGET, errno, "cannot open", file->path);
    result = read_text(fd, file, err);
    close(fd);
    return result;
}

/* Ends the text at the first blank that only blanks or a comment follow. */
static void trim(char *text)
{
    size_t end;

    for (char *at = text; *at != '\0'; at++)
        if ((*at == '#' || *at == ';') && at > text && strchr(BLANKS, at[-1]))
            *at = '\0';
    for (end = strlen(text); end > 0 && strchr(BLANKS, text[end - 1]); end--)
        text[end - 1] = '\0';
}

/* "[OFFSET]"; without a bracket at its end inih finds it wrong. */
static int write_section(const struct shared_file *file, char *start, char *line, size_t room)
{
    char *end = strchr(start, ']');

    if (!end)
        return snprintf(line, room, "[\n");
    *end = '\0';
    start += 1 + strspn(start + 1, BLANKS);
    trim(start);
    return snprintf(line, room, "[%zu]\n", (size_t)(start - file->text));
}

/* "NAME=OFFSET", with a blank in front when it was indented and so belongs to the name before. */
static int write_pair(const struct shared_file *file, char *start, const char *indent, char *line,
                      size_t room)
{
    char name[48] = "?", *value = strpbrk(start, "=:");
    size_t length;

    if (!value)
        return snprintf(line, room, "%s?\n", indent);
    *value++ = '\0';
    value += strspn(value, BLANKS);
    trim(value);
    trim(start);
    length = strlen(start);
    if (length < sizeof(name) &&
        strspn(start, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == length)
        for (size_t i = 0; i <= length; i++) /* with its end */
            name[i] = (char)(start[i] >= 'A' && start[i] <= 'Z' ? start[i] - 'A' + 'a' : start[i]);
    return snprintf(line, room, "%s%s=%zu\n", indent, name, (size_t)(value - file->text));
}

/* Called by inih like fgets: one line for each line of the file. */
static char *next_line(char *line, int size, void *arg)
{
    struct shared_file *file = arg;
    char *start = file->text + file->at, *end;
    const size_t room = size > 0 ? (size_t)size : 0;
    const char *indent;
    int length;

    if (file->at >= file->bytes || file->failed)
        return NULL;
    end = strchr(start, '\n');
    file->at = end ? (size_t)(end - file->text) + 1 : file->bytes;
    if (end)
        *end = '\0';
    if (start == file->text && strncmp(start, "\xef\xbb\xbf", 3) == 0)
        start += 3;
    indent = strchr(BLANKS, *start) != NULL && *start != '\0' ? " " : "";
    start += strspn(start, BLANKS);
    if (*start == '\0' || *start == '#' || *start == ';')
        length = snprintf(line, room, "\n");
    else if (*start == '[')
        length = write_section(file, start, line, room);
    else
        length = write_pair(file, start, indent, line, room);
    file->failed = length < 0 || (size_t)length >= room;
    return file->failed ? NULL : line;
}

/* Compares what follows a word and blanks, or stands in quotes there, with a name. */
static bool is_named(const char *section, const char *word, const char *name)
{
    size_t length = strlen(word);

    if (strncmp(section, word, length) != 0 || section[length] == '\0' ||
        !strchr(BLANKS, section[length]))
        return false;
    section += length;
    section += strspn(section, BLANKS);
    length = strlen(section);
    if (length >= 2 && (*section == '"' || *section == '\'') && section[length - 1] == *section) {
        section++;
        length -= 2;
    }
    return length == strlen(name) && strncmp(section, name, length) == 0;
}

/* 0: not the one looked for; the larger number is right when two are. */
static unsigned rank_section(const struct shared_file *file, const char *section)
{
    if (file->services)
        return is_named(section, "services", file->services) ? 1 : 0;
    if (!file->config)
        return strcmp(section, file->profile) == 0 ? 1 : 0;
    if (is_named(section, "profile", file->profile))
        return 2;
    return strcmp(section, "default") == 0 && strcmp(file->profile, "default") == 0 ? 1 : 0;
}

static const char *value_at(const struct shared_file *file, const char *offset)
{
    const unsigned long at = strtoul(offset, NULL, 10);

    return at < file->bytes ? file->text + at : ""; /* at the end: an empty value */
}

static void take_setting(struct shared_file *file, const char *name, const char *value)
{
    for (unsigned i = 0; i < SETTING_COUNT; i++)
        if (strcmp(name, setting_name[i]) == 0)
            file->value[i] = *value != '\0' ? value : NULL;
    for (unsigned i = 0; i < OTHER_WAYS && file->other != other_way[i]; i++)
        if (strcmp(name, other_way[i]) == 0) {
            file->other = other_way[i];
            break;
        }
}

static int take_pair(void *arg, const char *section, const char *name, const char *value)
{
    struct shared_file *file = arg;
    const unsigned rank = *section != '\0' ? rank_section(file, value_at(file, section)) : 0;
    const char *nested = value ? strchr(value, '=') : NULL;

    if (!value)
        return 0;
    if (rank == 0 || rank < file->rank)
        return 1;
    if (rank > file->rank) {
        memset(file->value, 0, sizeof(file->value));
        file->other = NULL;
        file->rank = rank;
    }
    if (file->services) {
        if (strcmp(name, "s3") == 0 && nested && strncmp(value, "endpoint_url=", 13) == 0)
            take_setting(file, "endpoint_url", value_at(file, nested + 1));
    } else if (!nested && *value != '?') {
        take_setting(file, name, value_at(file, value));
    }
    return 1;
}

/* Reads the file and looks for the profile in it. */
static int search_file(struct shared_file *file, struct error *err)
{
    int line;

    if (read_shared(file, err) != 0)
        return -1;
    if (!file->text)
        return 0;
    line = ini_parse_stream(next_line, file, take_pair, file);
    if (line == 0 && !file->failed)
        return 0;
    error_set(err, STATUS_TARGET, 0, "this is not written like a file of profiles:", file->path);
    return line > 0 ? error_advise(err, "line %d is neither [SECTION] nor NAME = VALUE", line)
                    : error_advise(err, "lines are [SECTION] or NAME = VALUE");
}

/* Endpoints of single services stand in a section of their own, which the first pass has cut into
 * pieces: hence a second copy. */
static int search_services(struct search *search, struct error *err)
{
    struct shared_file again = {
        .config = true, .profile = search->profile, .services = search->config.value[SERVICES]};
    int result;

    if (!again.services)
        return 0;
    again.path = mem_strdup(search->config.path);
    result = search_file(&again, err);
    if (result == 0 && again.value[ENDPOINT]) {
        /* the same text, at the same place of the first copy, ended there as well */
        search->config.value[ENDPOINT] = search->config.text + (again.value[ENDPOINT] - again.text);
    }
    close_file(&again);
    return result;
}

static int search_files(struct search *search, bool keys, struct error *err)
{
    if (search_file(&search->config, err) != 0 || search_services(search, err) != 0)
        return -1;
    if (keys || (search->named && search->config.rank == 0))
        return search_file(&search->credentials, err);
    return 0;
}
#else
static int search_files(struct search *search, bool keys, struct error *err)
{
    if (!keys && !search->named)
        return 0; /* nothing in them was asked for */
    error_set(err, STATUS_TARGET, 0, "this build cannot read profiles: built without inih", NULL);
    return error_advise(err, "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment%s",
                        search->named ? " and name no profile" : "");
}
#endif

/* --- profile --------------------------------------------------------------------------------- */

static const char *shown(const struct shared_file *file)
{
    return file->path ? file->path : "~/.aws (HOME is not set)";
}

static int refuse_profile(const struct search *search, const char *why, struct error *err)
{
    error_set(err, STATUS_TARGET, 0, why, search->profile);
    return error_advise(err,
                        "put aws_access_key_id and aws_secret_access_key into %s, or set "
                        "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
                        shown(&search->credentials));
}

static bool has_keys(const struct shared_file *file)
{
    return file->value[ACCESS_KEY] || file->value[SECRET_KEY];
}

/* The other way to credentials that stands against keys found or not; NULL: none. */
static const char *find_other(const struct search *search, bool keys)
{
    for (unsigned i = 0; i < (keys ? OTHER_IDENTITIES : OTHER_WAYS); i++)
        if (search->config.other == other_way[i] || search->credentials.other == other_way[i])
            return other_way[i];
    return NULL;
}

static int take_keys(const struct search *search, const struct shared_file *file,
                     struct s3_credentials *credentials, struct error *err)
{
    char path[320];

    credentials->source_text = mem_printf("profile %s of %s", search->profile, file->path);
    if (file->open_to_others)
        log_info("# others can read the secret key in %s; chmod 600 keeps it secret",
                 error_printable(file->path, path, sizeof(path)));
    if (take_copy(file->value[ACCESS_KEY], setting_name[ACCESS_KEY], &credentials->access_key,
                  err) != 0 ||
        take_copy(file->value[SECRET_KEY], setting_name[SECRET_KEY], &credentials->secret_key,
                  err) != 0)
        return -1;
    return take_copy(file->value[SESSION_TOKEN], setting_name[SESSION_TOKEN],
                     &credentials->session_token, err);
}

/* Both keys and the token of one file: credentials before config. */
static int take_profile(const struct search *search, struct s3_credentials *credentials,
                        struct error *err)
{
    const struct shared_file *file =
        has_keys(&search->credentials) ? &search->credentials : &search->config;
    const char *other = find_other(search, has_keys(file));
    char text[80];

    if (other) {
        snprintf(text, sizeof(text), "%s is not supported, which is in the profile", other);
        error_set(err, STATUS_TARGET, 0, text, search->profile);
        return error_advise(err, "get keys with \"aws configure export-credentials --format env\" "
                                 "and set them in the environment");
    }
    if (!has_keys(file))
        return refuse_profile(search, "there are no credentials in the profile", err);
    if (!file->value[ACCESS_KEY])
        return refuse_profile(search, "there is no aws_access_key_id in the profile", err);
    if (!file->value[SECRET_KEY])
        return refuse_profile(search, "there is no aws_secret_access_key in the profile", err);
    return take_keys(search, file, credentials, err);
}

/* The first of two variables, else the profile's. */
static int take_fact(const struct search *search, const char *first, const char *second,
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

static int take_facts(const struct search *search, struct s3_profile *profile, struct error *err)
{
    if (take_fact(search, "AWS_REGION", "AWS_DEFAULT_REGION", REGION, &profile->region, err) != 0 ||
        take_fact(search, "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", ENDPOINT, &profile->endpoint,
                  err) != 0)
        return -1;
    return take_fact(search, "AWS_CA_BUNDLE", NULL, CA_BUNDLE, &profile->ca_file, err);
}

static int find(struct search *search, bool anonymous, bool environment,
                struct s3_credentials *credentials, struct s3_profile *profile, struct error *err)
{
    const bool keys = !anonymous && !environment;

    if (search_files(search, keys, err) != 0)
        return -1;
    if (search->config.rank == 0 && search->credentials.rank == 0) {
        if (search->named)
            return refuse_profile(search, "no settings were found of the profile", err);
        if (keys) {
            error_set(err, STATUS_TARGET, 0, "there are no credentials for targets s3://", NULL);
            return error_advise(err,
                                "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or put a profile "
                                "into %s, or give --s3.anonymous to sign nothing",
                                shown(&search->credentials));
        }
    }
    credentials->anonymous = anonymous;
    if (environment && take_environment(credentials, err) != 0)
        return -1;
    if (keys && take_profile(search, credentials, err) != 0)
        return -1;
    credentials->source = credentials->source_text ? credentials->source_text : "";
    return take_facts(search, profile, err);
}

/* From now on the memory of this process holds secrets, which no core file may. */
static void forbid_core_files(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_CORE, &limit) != 0)
        return;
    limit.rlim_cur = 0;
    (void)setrlimit(RLIMIT_CORE, &limit);
}

int s3_credentials_find(const struct s3_options *options, struct s3_credentials *credentials,
                        struct s3_profile *profile, struct error *err)
{
    const char *name = options->profile ? options->profile : variable("AWS_PROFILE");
    const bool environment = !options->anonymous && !options->profile &&
                             (variable("AWS_ACCESS_KEY_ID") || variable("AWS_SECRET_ACCESS_KEY"));
    struct search search = {.profile = name ? name : "default", .named = name != NULL};
    int result;

    if (!options->anonymous)
        forbid_core_files();
    memset(credentials, 0, sizeof(*credentials));
    memset(profile, 0, sizeof(*profile));
    search.config.config = true;
    search.config.profile = search.credentials.profile = search.profile;
    search.config.path = file_path("AWS_CONFIG_FILE", "config");
    search.credentials.path = file_path("AWS_SHARED_CREDENTIALS_FILE", "credentials");
    result = find(&search, options->anonymous, environment, credentials, profile, err);
    close_file(&search.config);
    close_file(&search.credentials);
    if (result != 0) {
        s3_credentials_free(credentials);
        s3_profile_free(profile);
    }
    return result;
}

static void cleanse(char *text)
{
    if (text)
        OPENSSL_cleanse(text, strlen(text));
    free(text);
}

void s3_credentials_free(struct s3_credentials *credentials)
{
    cleanse(credentials->access_key);
    cleanse(credentials->secret_key);
    cleanse(credentials->session_token);
    free(credentials->source_text);
    memset(credentials, 0, sizeof(*credentials));
}

void s3_profile_free(struct s3_profile *profile)
{
    free(profile->region);
    free(profile->endpoint);
    free(profile->ca_file);
    memset(profile, 0, sizeof(*profile));
}
