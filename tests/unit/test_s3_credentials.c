/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_s3_credentials.c - sources of credentials: environment and profiles, and their order; files
 * as written by people and tools; what is refused, and that messages never contain a secret. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "storage/object/s3/protocol.h"
#include "unit/said.h"

#define ELEMENTS(array) (sizeof(array) / sizeof((array)[0]))
#define SECRET          "gEhEiM/secret+key=="
#define TOKEN           "gEhEiM+token"

static const char *const variables[] = {
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_PROFILE",
    "AWS_REGION",
    "AWS_DEFAULT_REGION",
    "AWS_ENDPOINT_URL",
    "AWS_ENDPOINT_URL_S3",
    "AWS_CA_BUNDLE",
    "AWS_CONFIG_FILE",
    "AWS_SHARED_CREDENTIALS_FILE",
};

struct fixture {
    char directory[64], credentials[96], config[96];
    struct s3_options options;
    struct s3_credentials found;
    struct s3_profile profile;
    struct error err;
    char text[1024]; /* formatted error */
};

static struct fixture *f;

static int set_up(void **state)
{
    f = calloc(1, sizeof(*f));
    assert_non_null(f);
    for (size_t i = 0; i < ELEMENTS(variables); i++)
        unsetenv(variables[i]);
    snprintf(f->directory, sizeof(f->directory), "./s3-home-%ld", (long)getpid());
    snprintf(f->credentials, sizeof(f->credentials), "%s/.aws/credentials", f->directory);
    snprintf(f->config, sizeof(f->config), "%s/.aws/config", f->directory);
    assert_int_equal(mkdir(f->directory, 0700), 0);
    snprintf(f->text, sizeof(f->text), "%s/.aws", f->directory);
    assert_int_equal(mkdir(f->text, 0700), 0);
    setenv("HOME", f->directory, 1);
    log_set_level(LOG_QUIET);
    return 0;
}

static int tear_down(void **state)
{
    s3_credentials_free(&f->found);
    s3_profile_free(&f->profile);
    unlink(f->credentials);
    unlink(f->config);
    snprintf(f->text, sizeof(f->text), "%s/.aws", f->directory);
    rmdir(f->text);
    rmdir(f->directory);
    free(f);
    return 0;
}

static void write_file(const char *path, const void *data, size_t bytes)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0600), 0);
}

static void write_text(const char *path, const char *text)
{
    write_file(path, text, strlen(text));
}

static int find(void)
{
    s3_credentials_free(&f->found);
    s3_profile_free(&f->profile);
    f->err = ERROR_INIT;
    return s3_credentials_find(&f->options, &f->found, &f->profile, &f->err);
}

static void find_keys(const char *access_key, const char *secret_key, const char *token)
{
    if (find() != 0)
        fail_msg("%s", error_format(&f->err, f->text, sizeof(f->text)));
    assert_false(f->found.anonymous);
    assert_string_equal(f->found.access_key, access_key);
    assert_string_equal(f->found.secret_key, secret_key);
    if (token)
        assert_string_equal(f->found.session_token, token);
    else
        assert_null(f->found.session_token);
}

/* Must be refused in one line that contains `what` and no secret; nothing else is returned. */
static void refuse(const char *what)
{
    assert_int_equal(find(), -1);
    assert_int_equal(f->err.status, STATUS_TARGET);
    error_format(&f->err, f->text, sizeof(f->text));
    if (!strstr(f->text, what))
        fail_msg("\"%s\" is not in \"%s\"", what, f->text);
    assert_null(strstr(f->text, "gEhEiM"));
    assert_null(strchr(f->text, '\n'));
    assert_null(f->found.access_key);
    assert_null(f->found.secret_key);
    assert_null(f->found.session_token);
    assert_null(f->profile.region);
}

static void set_keys(void)
{
    setenv("AWS_ACCESS_KEY_ID", "ENV", 1);
    setenv("AWS_SECRET_ACCESS_KEY", SECRET, 1);
}

static void environment(void **state)
{
    set_keys();
    find_keys("ENV", SECRET, NULL);
    assert_null(f->profile.region);
    assert_null(f->profile.endpoint);
    assert_null(f->profile.ca_file);
    setenv("AWS_SESSION_TOKEN", TOKEN, 1);
    setenv("AWS_DEFAULT_REGION", "r2", 1);
    setenv("AWS_ENDPOINT_URL", "http://e2", 1);
    setenv("AWS_CA_BUNDLE", "/ca", 1);
    find_keys("ENV", SECRET, TOKEN);
    assert_string_equal(f->profile.region, "r2");
    assert_string_equal(f->profile.endpoint, "http://e2");
    assert_string_equal(f->profile.ca_file, "/ca");
    setenv("AWS_REGION", "r1", 1);
    setenv("AWS_ENDPOINT_URL_S3", "http://e1", 1);
    find_keys("ENV", SECRET, TOKEN);
    assert_string_equal(f->profile.region, "r1");
    assert_string_equal(f->profile.endpoint, "http://e1");
    setenv("AWS_SESSION_TOKEN", "", 1); /* empty counts as unset */
    setenv("AWS_REGION", "", 1);
    find_keys("ENV", SECRET, NULL);
    assert_string_equal(f->profile.region, "r2");
    assert_string_equal(getenv("AWS_SECRET_ACCESS_KEY"), SECRET); /* unchanged */
}

static void wrong_environments(void **state)
{
    char *longest = malloc(5000);

    set_keys();
    unsetenv("AWS_ACCESS_KEY_ID");
    refuse("AWS_ACCESS_KEY_ID");
    setenv("AWS_ACCESS_KEY_ID", "ENV", 1);
    setenv("AWS_SECRET_ACCESS_KEY", "", 1);
    refuse("missing from the environment: AWS_SECRET_ACCESS_KEY");
    setenv("AWS_SECRET_ACCESS_KEY", SECRET "\n", 1);
    refuse("control character in AWS_SECRET_ACCESS_KEY");
    setenv("AWS_SECRET_ACCESS_KEY", SECRET, 1);
    setenv("AWS_SESSION_TOKEN", "gEhEiM\r\nx-evil: 1", 1);
    refuse("control character in AWS_SESSION_TOKEN");
    assert_non_null(longest);
    memset(longest, 't', 5000);
    longest[4097] = '\0';
    setenv("AWS_SESSION_TOKEN", longest, 1);
    refuse("longer than 4096 bytes: AWS_SESSION_TOKEN");
    longest[4096] = '\0';
    setenv("AWS_SESSION_TOKEN", longest, 1);
    find_keys("ENV", SECRET, longest);
    setenv("AWS_REGION", "a\tb", 1);
    refuse("control character in AWS_REGION");
    free(longest);
}

static void anonymous(void **state)
{
    f->options.store.anonymous = true;
    setenv("AWS_REGION", "r1", 1);
    setenv("AWS_ACCESS_KEY_ID", "half", 1);
    assert_int_equal(find(), 0);
    assert_true(f->found.anonymous);
    assert_null(f->found.access_key);
    assert_null(f->found.secret_key);
    assert_string_equal(f->profile.region, "r1");
}

static void nothing_at_all(void **state)
{
    refuse("no credentials");
    assert_non_null(strstr(f->text, ".aws/credentials"));
    assert_non_null(strstr(f->text, "--anonymous"));
    unsetenv("HOME");
    refuse("no credentials");
}

static void profiles(void **state)
{
    write_text(f->credentials, "[default]\naws_access_key_id = DEF\naws_secret_access_key = " SECRET
                               "\n\n[other]\naws_access_key_id=OTH\n"
                               "aws_secret_access_key=" SECRET "2\naws_session_token=" TOKEN "\n");
    write_text(f->config, "[default]\nregion = r-default\n[profile other]\nregion=r-other\n"
                          "endpoint_url = http://nas:9000/x\nca_bundle = /my ca\n"
                          "[profile third]\naws_access_key_id = THI\n"
                          "aws_secret_access_key = " SECRET "3\n");
    find_keys("DEF", SECRET, NULL);
    assert_string_equal(f->profile.region, "r-default");
    assert_null(f->profile.endpoint);

    setenv("AWS_PROFILE", "other", 1);
    find_keys("OTH", SECRET "2", TOKEN);
    assert_string_equal(f->profile.region, "r-other");
    assert_string_equal(f->profile.endpoint, "http://nas:9000/x");
    assert_string_equal(f->profile.ca_file, "/my ca");

    f->options.store.profile = "third"; /* an option precedes a variable */
    find_keys("THI", SECRET "3", NULL);
    assert_null(f->profile.region);

    set_keys(); /* and keys in the environment */
    find_keys("THI", SECRET "3", NULL);
    f->options.store.profile = NULL; /* AWS_PROFILE still applies to other settings */
    find_keys("ENV", SECRET, NULL);
    assert_string_equal(f->profile.region, "r-other");
    setenv("AWS_REGION", "r-env", 1);
    find_keys("ENV", SECRET, NULL);
    assert_string_equal(f->profile.region, "r-env");

    f->options.store.anonymous = true;
    assert_int_equal(find(), 0);
    assert_null(f->found.access_key);
    assert_string_equal(f->profile.endpoint, "http://nas:9000/x");
}

static void files_elsewhere(void **state)
{
    char path[128];

    write_text(f->credentials, "[default]\naws_access_key_id=A\naws_secret_access_key=" SECRET);
    setenv("AWS_SHARED_CREDENTIALS_FILE", "~/.aws/credentials", 1);
    find_keys("A", SECRET, NULL);
    snprintf(path, sizeof(path), "%s", f->credentials);
    setenv("AWS_SHARED_CREDENTIALS_FILE", path, 1);
    unsetenv("HOME");
    find_keys("A", SECRET, NULL);
    setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null", 1);
    refuse("no credentials");
    setenv("AWS_SHARED_CREDENTIALS_FILE", "/does/not/exist", 1);
    refuse("no credentials");
    assert_non_null(strstr(f->text, "/does/not/exist"));
    setenv("AWS_SHARED_CREDENTIALS_FILE", path, 1);
    setenv("AWS_CONFIG_FILE", ".", 1); /* a directory */
    refuse("cannot read .");
}

/* Various styles of people and tools; all contain the same keys. */
static const char *const written[] = {
    "\xef\xbb\xbf[default]\naws_access_key_id=AK\naws_secret_access_key=" SECRET "\n",
    "[default]\r\naws_access_key_id = AK\r\naws_secret_access_key = " SECRET "\r\n",
    "# comment\n; another\n\n[ default ]\n\taws_access_key_id =AK \n  # x\naws_secret_access_key= "
    "\t" SECRET "\t\n",
    "[default] # mine\nAWS_ACCESS_KEY_ID: AK\nAws_Secret_Access_Key : " SECRET "\n",
    "[default]\naws_access_key_id = AK ; the id\naws_secret_access_key = " SECRET " # secret\n",
    "x = y\n[a]\naws_access_key_id=no\n[default]\naws_access_key_id=old\naws_access_key_id=AK\n"
    "aws_secret_access_key=" SECRET "\n[b]\naws_access_key_id=no\naws_secret_access_key=no",
    "[default]\nweird \x01 name = 1\n= 2\nno value =\naws_access_key_id=AK\n"
    "s3 =\n  aws_access_key_id = nested\n\tendpoint_url=nested\naws_secret_access_key=" SECRET,
    "[default]\naws_access_key_id=AK\n[x]\na=b\n[default]\naws_secret_access_key=" SECRET "\n",
    ("[default]\ncredential_process = /bin/x\naws_access_key_id=AK\n"
     "aws_secret_access_key=" SECRET),
};

static void ways_of_writing(void **state)
{
    for (size_t i = 0; i < ELEMENTS(written); i++) {
        write_text(f->credentials, written[i]);
        find_keys("AK", SECRET, NULL);
        assert_null(f->profile.endpoint);
    }
}

static void sections_of_config(void **state)
{
    static const char *const configs[] = {
        "[profile my one]\nregion = right\n",
        "[profile \"my one\"]\nregion = right\n",
        "[profile\t'my one' ]\nregion = right\n",
        "[my one]\nregion = wrong\n[profile my one]\nregion = right\n[profile my]\nregion=wrong\n",
        "[profilemy one]\nregion = wrong\n[profile my one]\nregion = right\n[profile]\nregion=w\n",
    };

    set_keys();
    setenv("AWS_PROFILE", "my one", 1);
    for (size_t i = 0; i < ELEMENTS(configs); i++) {
        write_text(f->config, configs[i]);
        find_keys("ENV", SECRET, NULL);
        assert_string_equal(f->profile.region, "right");
    }
    write_text(f->config, "[my one]\nregion = wrong\n");
    refuse("no settings found for the profile my one");
    unsetenv("AWS_PROFILE");
    write_text(f->config, "[default]\nregion=second\nca_bundle=/x\n[profile default]\n"
                          "region=first\n[default]\nregion=third\n");
    find_keys("ENV", SECRET, NULL);
    assert_string_equal(f->profile.region, "first");
    assert_null(f->profile.ca_file);
}

/* They would have to be preferred to that of the profile, and are not read. */
static void endpoints_of_services_are_refused(void **state)
{
    set_keys();
    write_text(f->config, "[services mine]\ns3 =\n  endpoint_url = http://wrong\n"
                          "[default]\nservices = mine\nendpoint_url = http://all\n");
    refuse("endpoints of services");
    f->options.store.endpoint = "http://given";
    find_keys("ENV", SECRET, NULL);
    f->options.store.endpoint = NULL;
    setenv("AWS_ENDPOINT_URL", "http://env", 1);
    find_keys("ENV", SECRET, NULL);
    assert_string_equal(f->profile.endpoint, "http://env");
}

/* Longer than other parsers of such files accept. */
static void long_names_and_values(void **state)
{
    char *text = malloc(20000), *token = malloc(4097), name[300];

    assert_non_null(text);
    assert_non_null(token);
    memset(name, 'n', sizeof(name));
    name[299] = '\0';
    memset(token, 'T', 4097);
    token[4096] = '\0';
    snprintf(text, 20000,
             "# %s%s\n[%.100s]\naws_access_key_id=no\naws_secret_access_key=no\n"
             "[%s]\n%s = no\naws_access_key_id = AK\naws_session_token = %s\n"
             "aws_secret_access_key = %s\n",
             token, token, name, name, name, token, SECRET);
    write_text(f->credentials, text);
    f->options.store.profile = name;
    find_keys("AK", SECRET, token);
    snprintf(text, 20000,
             "[default]\naws_access_key_id = AK\naws_session_token = %sx\n"
             "aws_secret_access_key = " SECRET "\n",
             token);
    write_text(f->credentials, text);
    f->options.store.profile = NULL;
    refuse("longer than 4096 bytes: aws_session_token");
    free(text);
    free(token);
}

static void incomplete_profiles(void **state)
{
    write_text(f->credentials, "[default]\naws_access_key_id = AK\n[b]\n"
                               "aws_secret_access_key = " SECRET "\n[c]\nregion = r\n"
                               "[d]\naws_access_key_id = AK\naws_secret_access_key =\n");
    write_text(f->config, "[default]\naws_secret_access_key = " SECRET "\n"
                          "[profile e]\nregion = r\n");
    refuse("no aws_secret_access_key in the profile default"); /* never halves from two files */
    setenv("AWS_PROFILE", "b", 1);
    refuse("no aws_access_key_id in the profile b");
    setenv("AWS_PROFILE", "c", 1);
    refuse("no credentials in the profile c");
    setenv("AWS_PROFILE", "d", 1);
    refuse("no aws_secret_access_key in the profile d");
    setenv("AWS_PROFILE", "e", 1);
    refuse("no credentials in the profile e");
    setenv("AWS_PROFILE", "f", 1);
    refuse("no settings found for the profile f");
    set_keys(); /* keys do not replace a requested profile */
    refuse("no settings found for the profile f");
    setenv("AWS_PROFILE", "e", 1);
    find_keys("ENV", SECRET, NULL);
}

static void other_ways_are_refused(void **state)
{
    static const char *const ways[] = {
        "role_arn",       "web_identity_token_file", "sso_session",  "sso_start_url",
        "sso_account_id", "credential_process",      "login_session"};
    char text[256];

    for (size_t i = 0; i < ELEMENTS(ways); i++) {
        snprintf(text, sizeof(text), "[default]\nregion = r\n%s = gEhEiM\n", ways[i]);
        write_text(f->config, text);
        refuse(ways[i]);
        assert_non_null(strstr(f->text, "default"));
        assert_non_null(strstr(f->text, "export-credentials"));
    }
    /* keys next to a role are another identity's; next to a login they may result from it */
    write_text(f->credentials, "[default]\naws_access_key_id=A\naws_secret_access_key=" SECRET);
    write_text(f->config, "[default]\nsso_session = x\nrole_arn = y\n");
    refuse("role_arn");
    write_text(f->config, "[default]\nsso_session = x\n");
    assert_int_equal(find(), 0);
    write_text(f->config, "[default]\nrole_arn = y\n");
    set_keys(); /* the profile is then not used for keys */
    find_keys("ENV", SECRET, NULL);
}

static void broken_files(void **state)
{
    static const char *const broken[] = {
        "[default]\naws_secret_access_key gEhEiM\n",
        "[default]\ngEhEiM/secret\n",
        "[default\naws_access_key_id=A\naws_secret_access_key=" SECRET "\n",
        "gEhEiM\n[default]\naws_access_key_id=A\naws_secret_access_key=" SECRET "\n",
    };
    static const char zero[] = "[default]\naws_access_key_id=A\0\naws_secret_access_key=" SECRET;
    char *large = malloc((1 << 20) + 1);

    for (size_t i = 0; i < ELEMENTS(broken); i++) {
        write_text(f->credentials, broken[i]);
        refuse("not in the format of a profile file");
        assert_non_null(strstr(f->text, i < 2 ? "line 2 " : "line 1 "));
    }
    write_file(f->credentials, zero, sizeof(zero) - 1);
    refuse("zero byte");
    write_text(f->credentials,
               "[default]\naws_access_key_id=A\naws_secret_access_key=gEhEiM\x01x\n");
    refuse("control character in aws_secret_access_key");
    write_text(f->credentials, "[default]\naws_access_key_id=gEhEiM\x7f\n"
                               "aws_secret_access_key=x\n");
    refuse("control character in aws_access_key_id");
    assert_non_null(large);
    memset(large, '\n', (1 << 20) + 1);
    memcpy(large, written[0], strlen(written[0]));
    write_file(f->credentials, large, 1 << 20);
    assert_int_equal(find(), 0);
    write_file(f->credentials, large, (1 << 20) + 1);
    refuse("larger than 1 MiB");
    free(large);
}

/* A file readable by others is reported, and only once. */
static void open_files_are_told(void **state)
{
    int result;

    write_text(f->credentials, "[default]\naws_access_key_id=A\naws_secret_access_key=" SECRET);
    log_set_level(LOG_NORMAL);
    said_begin();
    result = find(); /* mode 0600: nothing */
    chmod(f->credentials, 0644);
    result |= find();
    said_end();
    log_set_level(LOG_QUIET);
    assert_int_equal(result, 0);
    assert_non_null(strstr(said, f->credentials));
    assert_non_null(strstr(said, "chmod 600"));
    assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
    assert_null(strstr(said, "gEhEiM"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(environment),
        TEST(wrong_environments),
        TEST(anonymous),
        TEST(nothing_at_all),
        TEST(profiles),
        TEST(files_elsewhere),
        TEST(ways_of_writing),
        TEST(sections_of_config),
        TEST(endpoints_of_services_are_refused),
        TEST(long_names_and_values),
        TEST(incomplete_profiles),
        TEST(other_ways_are_refused),
        TEST(broken_files),
        TEST(open_files_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
