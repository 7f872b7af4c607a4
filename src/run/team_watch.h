/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_watch.h - what a team of processes computes of hosts,
 * clocks and time that is waited.  Pure. */
#ifndef RUN_TEAM_WATCH_H
#define RUN_TEAM_WATCH_H

#include "run/team.h"

/* Gives each member the number of its host, counted in the order of first ranks.  Returns how many
 * there are. */
uint32_t team_number_hosts(struct team_member *member, uint32_t size);

/* How long to sleep before looking again, after so long a wait: a share of it, so that short waits
 * are met soon and long ones take no processor. */
uint64_t team_pause_ns(uint64_t waited_ns);

/* How much later than it was sent a broadcast may be known to all, for sleep alone, where ranks
 * have waited for so long: each passes it on when it next looks, along a tree. */
uint64_t team_pauses_ns(uint64_t waited_ns, uint32_t size);

/* One more exchange with a member: rank 0 asked at before_ns and had the answer at after_ns, the
 * member's clock showed stamp_ns in between.  What has the shortest round trip is kept, since it
 * leaves least room for the moment of the stamp; rtt_ns 0: there was none yet. */
void team_clock_asked(struct team_member *member, uint64_t before_ns, uint64_t stamp_ns,
                      uint64_t after_ns);

#endif
