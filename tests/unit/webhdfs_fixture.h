/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* webhdfs_fixture.h - a WebHDFS service per test, with scripted servers in this process: a NameNode
 * and a DataNode. */
#ifndef TESTS_WEBHDFS_FIXTURE_H
#define TESTS_WEBHDFS_FIXTURE_H

#include "unit/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "storage/object/webhdfs/protocol.h"
#include "unit/fake_http.h"

#define TOKEN "SECRETTOKEN"
#define REMOTE(exception, message) \
    "{\"RemoteException\":{\"exception\":\"" exception "\",\"message\":\"" message "\"}}"

static struct fake_http name_node, data_node;
static struct webhdfs_options options;
static struct object_service *service;
static struct object_link *link_;
static char location[600]; /* header lines of the NameNode's answer */

static const struct fake_reply *name_replies;
static bool data_runs;
static volatile int stopped;

/* What a NameNode answers where a DataNode has the data. */
#define REDIRECT(request)                                                  \
    {                                                                      \
        request, "307 Temporary Redirect", .headers = location, .body = "" \
    }

static inline void redirect_to(unsigned port, const char *query)
{
    snprintf(location, sizeof(location), "Location: http://127.0.0.1:%u/webhdfs/v1/d/f?%s\r\n",
             port, query);
}

/* The DataNode first, since the NameNode redirects to it. */
static inline void start_servers(const struct fake_reply *names, const struct fake_reply *data)
{
    const struct object_link_config config = {.slots = 2, .transfer_bytes = 4096, .stop = &stopped};
    struct error err = ERROR_INIT;
    char target[80];

    name_replies = names;
    data_runs = data != NULL;
    if (data_runs) {
        fake_http_start(&data_node, data);
        redirect_to(data_node.port, "op=X&delegation=" TOKEN "&offset=0");
    }
    fake_http_start(&name_node, names);
    options.store.timeout_ns = UINT64_C(20000000000);
    if (!options.user)
        options.user = "jo b";
    snprintf(target, sizeof(target), "webhdfs://127.0.0.1:%u/d", name_node.port);
    assert_int_equal(webhdfs_protocol.open(target, &options, true, &service, &err), 0);
    atomic_store(&service->budget, UINT64_MAX);
    assert_int_equal(webhdfs_protocol.connect(service, &config, &link_, &err), 0);
}

static inline void stop_servers(void)
{
    webhdfs_protocol.disconnect(link_);
    webhdfs_protocol.close(service);
    fake_http_stop(&name_node);
    if (data_runs)
        fake_http_stop(&data_node);
    memset(&options, 0, sizeof(options));
}

/* Performs a call as the engine does. */
static inline const struct object_answer *ask(const struct object_call *call)
{
    uint32_t slot = 9;
    int got;

    assert_int_equal(webhdfs_protocol.begin(link_, 1, call), 0);
    do
        got = webhdfs_protocol.wait(link_, UINT64_C(1000000000), &slot, 4);
    while (got == 0);
    assert_int_equal(got, 1);
    assert_int_equal(slot, 1);
    return webhdfs_protocol.answer(link_, 1, call);
}

static struct error why __attribute__((unused)); /* of `explained` */

static inline const char *explained(const struct object_answer *answer)
{
    why = (struct error){.status = STATUS_TARGET};
    webhdfs_protocol.explain(answer, &why);
    return why.reason;
}

/* Clears the settings of the user who runs the tests. */
static inline void forget_environment(void)
{
    unsetenv("WEBHDFS_TOKEN");
    unsetenv("WEBHDFS_PASSWORD");
    unsetenv("HADOOP_USER_NAME");
}

#endif
