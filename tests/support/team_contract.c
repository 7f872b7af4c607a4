/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_contract.c - see team_contract.h. */
#include "base/compat.h"

#include "support/team_contract.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define IN_NS       UINT64_C(3000000)
#define LATE_NS     (30 * NS_PER_S) /* a team that needs longer to agree on a moment hangs */
#define AT_ONCE_NS  (NS_PER_S / 2)
#define LARGE_BYTES ((size_t)900001) /* more than a team moves in one piece */
#define LARGE_RANKS 16u              /* for more, what is gathered is small */
#define ROUNDS      100u

struct contract {
    struct team *team;
    const struct clock *clock;
    char *fault;
    struct team_contract_heard heard;
    unsigned starts;
};

/* What a rank knows of time, when it is asked for so many bytes. */
struct times {
    uint64_t at_ns;
    int64_t offset_ns;
    uint64_t rank;
};

static int wrong(struct contract *of, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int wrong(struct contract *of, const char *format, ...)
{
    const int head =
        snprintf(of->fault, TEAM_CONTRACT_FAULT_BYTES, "rank %" PRIu32 ": ", of->team->rank);
    va_list args;

    va_start(args, format);
    (void)vsnprintf(of->fault + head, TEAM_CONTRACT_FAULT_BYTES - (size_t)head, format, args);
    va_end(args);
    return -1;
}

static uint64_t mixed(uint64_t a, uint64_t b)
{
    uint64_t x = a * UINT64_C(0x9e3779b97f4a7c15) + b;

    x ^= x >> 31;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 29;
}

/* Bytes that no other key has at this place. */
static void pattern(uint64_t key, void *out, size_t bytes)
{
    unsigned char *const to = out;

    for (size_t i = 0; i < bytes; i++)
        to[i] = (unsigned char)mixed(key, i);
}

static bool has_pattern(uint64_t key, const void *in, size_t bytes)
{
    const unsigned char *const from = in;

    for (size_t i = 0; i < bytes; i++)
        if (from[i] != (unsigned char)mixed(key, i))
            return false;
    return true;
}

/* What a rank heard, and who it is, in one number. */
static uint64_t key_of(const struct team_contract_heard *heard)
{
    const unsigned char *const data = heard->data;
    uint64_t key = mixed(heard->rank, heard->bytes);

    for (size_t i = 0; i < heard->bytes; i++)
        key = mixed(key, data[i]);
    return key;
}

void team_contract_say(const struct team_contract_heard *heard, void *out, size_t bytes)
{
    const struct times times = {heard->at_ns, heard->offset_ns, heard->rank};

    if (bytes == sizeof(times))
        memcpy(out, &times, sizeof(times));
    else
        pattern(key_of(heard), out, bytes);
}

void team_contract_add(const struct team_contract_heard *heard, uint64_t *values, size_t count)
{
    const uint64_t key = key_of(heard);

    for (size_t i = 0; i < count; i++)
        values[i] += mixed(key, i);
}

/* What rank R has heard, as far as all have heard the same. */
static struct team_contract_heard heard_by(const struct contract *of, uint32_t rank)
{
    struct team_contract_heard heard = of->heard;

    heard.rank = rank;
    return heard;
}

static int expect(struct contract *of, const char *hook, int got)
{
    return got == 0 ? 0 : wrong(of, "%s returns %d", hook, got);
}

/* ---- what is known of the members */

static int check_members(struct contract *of)
{
    const struct team *const team = of->team;
    uint32_t hosts = 0;

    if (!team->name || !team->name[0] || team->size < 1 || team->rank >= team->size)
        return wrong(of, "name, size or rank");
    for (uint32_t rank = 0; rank < team->size; rank++) {
        const struct team_member *const member = &team->member[rank];

        if (!memchr(member->host, '\0', sizeof(member->host)))
            return wrong(of, "the host of rank %" PRIu32 " has no end", rank);
        if (member->host_index > hosts)
            return wrong(of, "the host of rank %" PRIu32 " is number %" PRIu32 " after %" PRIu32,
                         rank, member->host_index, hosts);
        hosts += member->host_index == hosts;
        for (uint32_t other = rank > 8 ? rank - 8 : 0; other < rank; other++)
            if ((strcmp(member->host, team->member[other].host) == 0) !=
                (member->host_index == team->member[other].host_index))
                return wrong(of, "hosts of ranks %" PRIu32 " and %" PRIu32, other, rank);
    }
    return hosts == team->host_count ? 0 : wrong(of, "%" PRIu32 " hosts", team->host_count);
}

/* ---- moving bytes */

static int check_broadcast(struct contract *of, unsigned char *data, size_t bytes, uint64_t key)
{
    if (of->team->rank == 0)
        pattern(key, data, bytes);
    else
        memset(data, 0xa5, bytes);
    data[bytes] = 0x5a;
    if (expect(of, "broadcast", of->team->broadcast(of->team, data, bytes)) != 0)
        return -1;
    if (!has_pattern(key, data, bytes) || data[bytes] != 0x5a)
        return wrong(of, "%zu bytes of broadcast are others", bytes);
    of->heard.data = data;
    of->heard.bytes = bytes;
    return 0;
}

static int check_gather(struct contract *of, size_t bytes)
{
    struct team *const team = of->team;
    unsigned char *const mine = mem_calloc(bytes + 1, 1);
    unsigned char *const all = team->rank == 0 ? mem_calloc(team->size, bytes + 1) : NULL;
    int status;

    team_contract_say(&of->heard, mine, bytes);
    status = expect(of, "gather", team->gather(team, mine, bytes, all));
    for (uint32_t rank = 0; team->rank == 0 && rank < team->size && status == 0; rank++) {
        const struct team_contract_heard heard = heard_by(of, rank);

        if (!has_pattern(key_of(&heard), all + rank * bytes, bytes))
            status = wrong(of, "%zu bytes gathered from rank %" PRIu32 " are others", bytes, rank);
    }
    free(mine);
    free(all);
    return status;
}

static int check_add(struct contract *of, size_t count)
{
    struct team *const team = of->team;
    uint64_t *const values = mem_calloc(count, sizeof(*values));
    uint64_t *const sums = mem_calloc(count, sizeof(*sums));
    int status;

    team_contract_add(&of->heard, values, count);
    for (uint32_t rank = 0; rank < team->size; rank++) {
        const struct team_contract_heard heard = heard_by(of, rank);

        if (team->rank == 0 || rank == team->rank)
            team_contract_add(&heard, sums, count);
    }
    status = expect(of, "add", team->add(team, values, count));
    if (status == 0 && memcmp(values, sums, count * sizeof(*values)) != 0)
        status = wrong(of, "%zu values added are others", count);
    free(values);
    free(sums);
    return status;
}

/* ---- moments */

static int start(struct contract *of, bool ready)
{
    struct team *const team = of->team;
    const uint64_t before = clock_now(of->clock);
    uint64_t at = 1, after;

    of->starts++;
    if (of->starts == TEAM_CONTRACT_NOT_READY && team->rank == team->size - 1)
        ready = false;
    if (expect(of, "start", team->start(team, ready, IN_NS, &at)) != 0)
        return -1;
    after = clock_now(of->clock);
    of->heard.at_ns = at;
    if (of->starts == TEAM_CONTRACT_NOT_READY)
        return at == 0 ? 0 : wrong(of, "a moment, though one is not ready");
    if (at == 0)
        return wrong(of, "no moment, though all are ready");
    if (team->rank == 0 && (at < before + IN_NS || at > after + IN_NS + LATE_NS))
        return wrong(of, "the moment is not in %" PRIu64 " ns", IN_NS);
    return 0;
}

/* All mean the same moment, and know their clocks as rank 0 knows them. */
static int check_times(struct contract *of, const int64_t *offset_ns)
{
    struct team *const team = of->team;
    struct times mine, *const all = mem_calloc(team->size, sizeof(*all));
    int status;

    of->heard.offset_ns = team->offset_ns;
    team_contract_say(&of->heard, &mine, sizeof(mine));
    status = expect(of, "gather", team->gather(team, &mine, sizeof(mine), all));
    for (uint32_t rank = 0; team->rank == 0 && rank < team->size && status == 0; rank++) {
        const struct team_member *const member = &team->member[rank];
        const uint64_t at = of->heard.at_ns ? of->heard.at_ns + (uint64_t)member->offset_ns : 0;
        const int64_t off = offset_ns ? member->offset_ns - offset_ns[rank] : 0;

        if (all[rank].rank != rank || all[rank].at_ns != at ||
            all[rank].offset_ns != member->offset_ns)
            status = wrong(of, "rank %" PRIu32 " begins at another moment", rank);
        else if (member->offset_error_ns < member->rtt_ns / 2 ||
                 (uint64_t)(off < 0 ? -off : off) > member->offset_error_ns)
            status =
                wrong(of, "the clock of rank %" PRIu32 " is known to %" PRIu64 " ns, not %" PRId64,
                      rank, member->offset_error_ns, off);
    }
    if (status == 0 && team->rank == 0 && (team->offset_ns || team->member[0].offset_ns))
        status = wrong(of, "rank 0 is ahead of itself");
    free(all);
    return status;
}

/* ---- all of it */

static int check_rounds(struct contract *of, unsigned char *data)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (check_broadcast(of, data, 1 + round * 7, 1000 + round) != 0)
            return -1;
        if (round % 3 == 0 && start(of, true) != 0)
            return -1;
        of->team->beat(of->team);
        if (check_gather(of, 1 + (size_t)(mixed(round, 1) % 700) * 8) !=
            0) /* never as long as times */
            return -1;
        if (round % 5 == 0 && check_add(of, 1 + round) != 0)
            return -1;
    }
    return 0;
}

static int check_all(struct contract *of, const int64_t *offset_ns, unsigned char *data)
{
    struct team *const team = of->team;
    const size_t large = team->size <= LARGE_RANKS ? LARGE_BYTES : 1000;

    if (check_members(of) != 0 || check_broadcast(of, data, 1, 1) != 0 ||
        check_gather(of, 1) != 0 || check_broadcast(of, data, LARGE_BYTES, 2) != 0 ||
        check_gather(of, large) != 0 || check_add(of, large / 8) != 0)
        return -1;
    for (unsigned i = 0; i <= TEAM_CONTRACT_NOT_READY; i++)
        if (start(of, true) != 0 || check_times(of, offset_ns) != 0)
            return -1;
    if (expect(of, "synchronise", team->synchronise(team)) != 0 || start(of, true) != 0 ||
        check_times(of, offset_ns) != 0)
        return -1;
    return check_rounds(of, data);
}

int team_contract(struct team *team, const struct clock *clock, const int64_t *offset_ns,
                  char fault[TEAM_CONTRACT_FAULT_BYTES])
{
    struct contract of = {
        .team = team, .clock = clock, .fault = fault, .heard = {.rank = team->rank}};
    unsigned char *const data = mem_calloc(LARGE_BYTES + 1, 1);
    int status = check_all(&of, offset_ns, data);

    if (status == 0 && team->lost)
        status = wrong(&of, "rank %" PRIu32 " is lost: it %s", team->loss.rank, team->loss.why);
    free(data);
    return status;
}

/* ---- a loss */

static int check_broken(struct contract *of)
{
    struct team *const team = of->team;
    unsigned char byte = 7, *const all = mem_calloc(team->size, 1);
    uint64_t value = 7, at;
    const int got[] = {team->start(team, true, IN_NS, &at), team->broadcast(team, &byte, 1),
                       team->gather(team, &byte, 1, all), team->add(team, &value, 1),
                       team->synchronise(team)};

    free(all);
    for (size_t i = 0; i < sizeof(got) / sizeof(got[0]); i++)
        if (got[i] != -EPIPE)
            return wrong(of, "hook %zu returns %d after a loss", i, got[i]);
    return byte == 7 && value == 7 ? 0 : wrong(of, "what was to be sent is another");
}

int team_contract_lost(struct team *team, const struct clock *clock, uint32_t rank, const char *why,
                       char fault[TEAM_CONTRACT_FAULT_BYTES])
{
    struct contract of = {.team = team, .clock = clock, .fault = fault};
    const uint64_t before = clock_now(clock);
    const struct team_loss *loss = &team->loss;

    if (!team->lost)
        return wrong(&of, "nobody is lost");
    if (loss->rank != rank || strcmp(loss->host, team->member[rank].host) != 0 ||
        !strstr(loss->why, why))
        return wrong(&of, "rank %" PRIu32 " on %s is lost: it %s", loss->rank, loss->host,
                     loss->why);
    team->beat(team);
    if (check_broken(&of) != 0)
        return -1;
    if (clock_now(clock) - before > AT_ONCE_NS)
        return wrong(&of, "the hooks do not return at once");
    return 0;
}
