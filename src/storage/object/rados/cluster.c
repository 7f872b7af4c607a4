/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cluster.c - clients of a cluster. Messages of librados are suppressed: they name neither target
 * nor option, and are less specific than the code it returns. */
#include "base/compat.h"

#include "storage/object/rados/protocol.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/threads.h"

#define CLUSTER_NAME  "ceph"
#define USER_TYPE     "client."
#define DEFAULT_USER  "admin"
#define SETTING_BYTES 4096u

/* ---- user and configuration ---- */

/* Whether a word of $CEPH_ARGS sets `name`: its value is in this word or the next one. */
static bool takes(const char *word, const char *name, char **rest, const char **value)
{
    const size_t length = strlen(name);

    if (strncmp(word, name, length) != 0 || (word[length] != '\0' && word[length] != '='))
        return false;
    *value = word[length] == '=' ? word + length + 1 : strtok_r(NULL, " \t\n", rest);
    return true;
}

static void set(char **to, const char *value)
{
    if (!value)
        return;
    free(*to);
    *to = mem_strdup(value);
}

static void read_arguments(char *args, char **user, char **conf)
{
    static const char *const words[] = {"--conf", "-c", "--id", "--user", "--name", "-i", "-n"};
    char *rest;

    for (char *word = strtok_r(args, " \t\n", &rest); word; word = strtok_r(NULL, " \t\n", &rest)) {
        const char *value = NULL;
        size_t i = 0;

        while (i < COUNT_OF(words) && !takes(word, words[i], &rest, &value))
            i++;
        if (i < COUNT_OF(words))
            set(i < 2 ? conf : user, value);
    }
}

void pool_identity_free(struct pool_identity *identity)
{
    free(identity->user);
    free(identity->conf);
    *identity = (struct pool_identity){NULL, NULL};
}

int pool_identity_find(const struct rados_options *options, const char *args,
                       struct pool_identity *identity, struct error *err)
{
    char *words = mem_strdup(args ? args : ""), *user = NULL;

    *identity = (struct pool_identity){NULL, NULL};
    read_arguments(words, &user, &identity->conf);
    free(words);
    set(&user, options->user);
    set(&identity->conf, options->conf);
    if (!user)
        user = mem_strdup(DEFAULT_USER);
    identity->user = strncmp(user, USER_TYPE, sizeof(USER_TYPE) - 1) == 0
                         ? mem_strdup(user)
                         : mem_printf(USER_TYPE "%s", user);
    free(user);
    if (identity->user[sizeof(USER_TYPE) - 1] != '\0')
        return 0;
    pool_identity_free(identity);
    return error_refuse(err, STATUS_USAGE, "no name in", "--rados.user",
                        "write it as NAME or client.NAME");
}

/* ---- configuration ---- */

char *pool_cluster_setting(rados_t handle, const char *name)
{
    char *text = mem_calloc(SETTING_BYTES, 1);

    if (rados_conf_get(handle, name, text, SETTING_BYTES) != 0)
        text[0] = '\0';
    return text;
}

static int refuse_conf(const struct pool_identity *identity, const char *target, int code,
                       struct error *err)
{
    const char *const named = identity->conf ? identity->conf : getenv("CEPH_CONF");

    if (code == -ENOENT && (!named || !named[0])) {
        error_set(err, STATUS_TARGET, 0, "no cluster configuration found for", target);
        return error_advise(err, "there is no /etc/ceph/ceph.conf: name one with --rados.conf or "
                                 "CEPH_CONF");
    }
    error_set(err, STATUS_TARGET, -code, "cannot read the configuration of the cluster", named);
    return error_advise(err, "%s names it",
                        identity->conf ? "--rados.conf, or --conf in CEPH_ARGS," : "CEPH_CONF");
}

/* $CEPH_ARGS alone may name the monitors. */
static bool has_monitors(rados_t handle)
{
    char *monitors = pool_cluster_setting(handle, "mon_host");
    const bool has = monitors[0] != '\0';

    free(monitors);
    return has;
}

/* A client asks for the current OSDs once a call has waited for objecter_timeout, at its next check
 * for such calls. If calls timed out earlier, it would keep trying the address that an OSD had
 * before it was restarted. */
static void look_in_time(rados_t handle, uint64_t timeout_ns)
{
    static const char *const name[] = {"objecter_timeout", "objecter_tick_interval"};

    for (unsigned i = 0; i < sizeof(name) / sizeof(*name); i++) {
        char *const now = pool_cluster_setting(handle, name[i]);
        const double wanted_s = (double)timeout_ns / 1e9 / (2u << i);
        double now_s = 0;
        char seconds[32];

        (void)snprintf(seconds, sizeof(seconds), "%.3f", wanted_s);
        if (number_read_real(now, &now_s) && now_s > wanted_s)
            (void)rados_conf_set(handle, name[i], seconds);
        free(now);
    }
}

/* No logging: iosweep prints a single line. No admin socket: several clients of one program would
 * compete for it. No limits on operations in flight: --depth sets those. */
static void configure(rados_t handle, const struct object_options *options)
{
    static const char *const fixed[][2] = {
        {"log_to_stderr", "false"},
        {"err_to_stderr", "false"},
        {"mon_cluster_log_to_stderr", "false"},
        {"log_to_syslog", "false"},
        {"admin_socket", ""},
        {"objecter_inflight_ops", "0"},
        {"objecter_inflight_op_bytes", "0"},
        {"perf", "false"}, /* counters visible only through the socket */
    };
    static const char *const timeouts[] = {"rados_osd_op_timeout", "rados_mon_op_timeout",
                                           "client_mount_timeout"};
    char seconds[32];

    for (size_t i = 0; i < sizeof(fixed) / sizeof(*fixed); i++)
        (void)rados_conf_set(handle, fixed[i][0], fixed[i][1]);
    if (options->timeout_ns == 0)
        return;
    (void)snprintf(seconds, sizeof(seconds), "%" PRIu64,
                   (options->timeout_ns + NS_PER_S - 1) / NS_PER_S);
    for (size_t i = 0; i < sizeof(timeouts) / sizeof(*timeouts); i++)
        (void)rados_conf_set(handle, timeouts[i], seconds);
    look_in_time(handle, options->timeout_ns);
}

static int refuse_connection(const struct pool_identity *identity, const char *target, int code,
                             struct error *err)
{
    error_set(err, STATUS_TARGET, -code, "cannot connect to the cluster of", target);
    switch (-code) {
    case ETIMEDOUT:
        error_explain(err, "no monitor answered within --request-timeout");
        return error_advise(err, "are they running, and is mon_host correct in the configuration?");
    case EACCES:
    case EPERM:
        error_explain(err, "the cluster refuses user %s", identity->user);
        return error_advise(err, "does the key in the keyring match `ceph auth get %s`?",
                            identity->user);
    case ENOENT:
        error_explain(err, "no key for user %s", identity->user);
        return error_advise(err, "name the keyring in the configuration or by CEPH_KEYRING, or "
                                 "another user with --rados.user");
    case EIO:
        error_explain(err, "the key of user %s cannot be used", identity->user);
        return error_advise(err, "is it complete in the keyring? `ceph auth get %s` shows it",
                            identity->user);
    case EINVAL:
        error_explain(err, "its configuration names no monitors, or cannot be");
        return error_advise(err, "check mon_host and keyring in it");
    default:
        return -1;
    }
}

struct connecting {
    rados_t handle;
    int code;
};

/* librados starts its threads from this one: they must not receive the program's signals, which a
 * user repeats to end a program that waits. */
static void *connect_it(void *arg)
{
    struct connecting *connecting = arg;

    connecting->code = rados_connect(connecting->handle);
    return NULL;
}

static int connect_handle(rados_t handle)
{
    struct connecting connecting = {.handle = handle};
    pthread_t thread;
    const int code = thread_start(&thread, connect_it, &connecting);

    if (code == 0)
        (void)pthread_join(thread, NULL);
    return code == 0 ? connecting.code : -code;
}

int pool_cluster_make(const struct pool_identity *identity, const struct object_options *options,
                      const char *target, bool connects, rados_t *out, struct error *err)
{
    sigset_t all, before;
    rados_t handle;
    int code;

    *out = NULL;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    code = rados_create2(&handle, CLUSTER_NAME, identity->user, 0);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code < 0) {
        error_set(err, STATUS_TARGET, -code, "cannot create a cluster client for", target);
        return error_advise(err, "is the name of --rados.user right?");
    }
    (void)rados_conf_set(handle, "log_to_stderr", "false"); /* also suppresses messages about
                                                             * reading it */
    (void)rados_conf_set(handle, "err_to_stderr", "false");
    code = rados_conf_read_file(handle, identity->conf);
    (void)rados_conf_parse_env(handle, NULL);
    if (code < 0 && (code != -ENOENT || identity->conf || !has_monitors(handle))) {
        rados_shutdown(handle);
        return refuse_conf(identity, target, code, err);
    }
    configure(handle, options);
    code = connects ? connect_handle(handle) : 0;
    if (code < 0) {
        rados_shutdown(handle);
        return refuse_connection(identity, target, code, err);
    }
    *out = handle;
    return 0;
}
