/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_library.h - other uses of libcurl than connections: its name, Kerberos, and the settings of
 * its handles. */
#ifndef NET_HTTP_LIBRARY_H
#define NET_HTTP_LIBRARY_H

#include <stdbool.h>

#include "net/http.h"
#include "net/http_multi.h"

struct http_facts {
    char name[96]; /* "libcurl 8.14.1 OpenSSL/3.5.1" */
    bool ready, negotiates;
};

/* Initialises libcurl once per process. */
const struct http_facts *http_library_facts(void);

/* Sets the options common to all connections. */
void http_library_set(CURL *easy, const struct http_config *config);
size_t http_library_buffer_bytes(const struct http_config *config);

/* Converts http_config.connect_to for libcurl into *places. Returns 0 or -1 (no memory). */
int http_library_make_places(const char *const *connect_to, void **places);
void http_library_free_places(void *places); /* NULL is fine */

/* See http_negotiate. */
void http_library_negotiate(const struct http_config *config, const char *url,
                            const volatile int *stop, struct http_session *session);

#endif
