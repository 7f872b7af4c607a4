/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* uring_cold.h - parts of the engine io_uring other than the ring itself: options and their
 * conflicts, messages for what a kernel refuses, and arrays of real descriptors for files outside
 * the ring's own table. */
#ifndef ENGINE_URING_COLD_H
#define ENGINE_URING_COLD_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"
#include "engine/file.h"

enum uring_fixed { URING_FIXED_AUTO, URING_FIXED_ON, URING_FIXED_OFF };

struct uring_options {
    bool sqpoll, iopoll, link;
    unsigned fixed; /* enum uring_fixed */
};

extern const struct option_row uring_options_table[];

/* The options of a workload's block, or the defaults if there is none. */
struct uring_options uring_options_of(const void *block);

/* Checks for options that exclude each other or (work not NULL) the workload. Returns 0 or -1. */
int uring_options_check(const struct uring_options *options, const struct workload *work,
                        struct error *err);

/* Each fills err for the failed attempt it names, with -errno `code`, and returns -1. */
int uring_refuse_ring(int code, struct error *err);
int uring_refuse_chains(int code, struct error *err); /* no files opened in the ring */
int uring_refuse_depth(struct error *err);            /* too many open files */
int uring_refuse_buffers(int code, struct error *err);
int uring_refuse_polling(int code, const struct target *target, struct error *err);

/* See engine.h. */
const char *uring_library(void);

/* How much memory this process may lock, ignoring other users of the limit; SIZE_MAX: no limit. */
size_t uring_lockable_bytes(void);

struct uring_fds {
    int *fd; /* -1: not open */
    uint32_t count;
};

/* Grows the array to `count` descriptors; open ones are kept. */
void uring_fds_grow(struct uring_fds *fds, uint32_t count);

/* Open a file into a place; close the one there. Return 0 or -errno. */
int64_t uring_fds_open_one(struct uring_fds *fds, uint32_t place, const struct opener *opener,
                           uint32_t object);
int64_t uring_fds_close_one(struct uring_fds *fds, uint32_t place);

/* Opens the objects of a workload, number i into place i. All or none; returns 0 or -1. */
int uring_fds_open(struct uring_fds *fds, const struct workload *work, const struct opener *opener,
                   struct error *err);

/* Closes all open descriptors; all become -1. */
void uring_fds_close(struct uring_fds *fds);

/* POSIX_FADV_x. */
int uring_advice(enum readahead_mode mode);

#endif
