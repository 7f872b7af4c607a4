/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* protocol.c - the table of WebHDFS hooks for the object layer. */
#include "base/compat.h"

#include "storage/object/webhdfs/protocol.h"

const struct object_protocol webhdfs_protocol = {
    .name = "webhdfs",
    .service = "a Hadoop file system",
    .form = "webhdfs://HOST:PORT/PATH",
    .keeps = "",
    .connections = true,
    .closes = true, /* DataNodes */
    .make_place = "hdfs dfs -mkdir -p",
    .open = webhdfs_open,
    .close = webhdfs_close,
    .url = webhdfs_url,
    .place = webhdfs_place,
    .reach = webhdfs_reach,
    .container = webhdfs_container,
    .connect = webhdfs_connect,
    .disconnect = webhdfs_disconnect,
    .begin = webhdfs_begin,
    .wait = webhdfs_wait,
    .answer = webhdfs_answer,
    .cancel = webhdfs_cancel,
    .explain = webhdfs_explain,
    .advise = webhdfs_advise,
    .list = webhdfs_list,
};
