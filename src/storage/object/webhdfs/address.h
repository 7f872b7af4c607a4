/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* address.h - the address of a Hadoop file system, and overrides for its hosts. */
#ifndef STORAGE_OBJECT_WEBHDFS_ADDRESS_H
#define STORAGE_OBJECT_WEBHDFS_ADDRESS_H

#include <stdbool.h>

#include "base/error.h"

struct webhdfs_address { /* all strings owned */
    bool https;
    char *authority; /* "namenode:9870" */
    char *endpoint;  /* "http://namenode:9870/webhdfs/v1/": precedes the path of a file */
    char *container; /* "webhdfs://namenode:9870" */
    char *prefix;    /* "" or "a/b/" */
};

/* base: --webhdfs.base, or NULL. Returns 0, or -1 (STATUS_USAGE) with *address freed. */
int webhdfs_address_make(const char *target, const char *base, struct webhdfs_address *address,
                         struct error *err);
void webhdfs_address_free(struct webhdfs_address *address);

/* Converts --webhdfs.connect to the form of http_config.connect_to: a list ended by NULL, to be
 * freed by webhdfs_places_free; NULL stays NULL. Returns 0 or -1 (STATUS_USAGE). */
int webhdfs_places_make(const char *words, char ***places, struct error *err);
void webhdfs_places_free(char **places);

#endif
