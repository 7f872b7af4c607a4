/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* null_delay.c - see null_delay.h. */
#include "base/compat.h"

#include "engine/null_delay.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"

#define WORD_BYTES 64u
#define COUNT_MOST UINT64_C(1000000)

static int refuse(struct error *err, const char *word)
{
    return error_refuse(err, STATUS_USAGE, "not a valid delay:", word,
                        "give 61us or mix:35x0,5x3ms");
}

/* "35x3ms".  Unlike units_parse_duration this accepts 0 as a time. */
static int parse_kind(char *word, struct null_delay *delay, struct error *err)
{
    char *times = strchr(word, 'x');
    uint64_t *ns = &delay->ns[delay->kinds], *share = &delay->share[delay->kinds];

    if (!times)
        return refuse(err, word);
    *times = '\0';
    if (units_parse_count(word, 1, COUNT_MOST, share, err) < 0 ||
        (strcmp(times + 1, "0") != 0 && units_parse_duration(times + 1, ns, err) < 0))
        return -1;
    delay->cycle += *share;
    delay->kinds++;
    return 0;
}

static int parse_mix(const char *word, struct null_delay *delay, struct error *err)
{
    for (const char *rest = word;; rest++) {
        const size_t length = strcspn(rest, ",");
        char text[WORD_BYTES];
        if (length >= sizeof(text))
            return refuse(err, word);
        if (delay->kinds == NULL_DELAY_KINDS)
            return error_refuse(err, STATUS_USAGE, "too many kinds of operations:", word,
                                "the limit is %u", NULL_DELAY_KINDS);
        snprintf(text, sizeof(text), "%.*s", (int)length, rest);
        if (parse_kind(text, delay, err) < 0)
            return -1;
        rest += length;
        if (!*rest)
            return 0;
    }
}

int null_delay_parse(const char *word, struct null_delay *delay, struct error *err)
{
    struct null_delay parsed = {.kinds = 0};

    if (strncmp(word, "mix:", 4) == 0) {
        if (parse_mix(word + 4, &parsed, err) < 0)
            return -1;
    } else {
        parsed.kinds = 1;
        if (units_parse_duration(word, &parsed.ns[0], err) < 0)
            return -1;
    }
    for (unsigned i = 0; i < parsed.kinds; i++) {
        if (parsed.ns[i] > parsed.longest_ns)
            parsed.longest_ns = parsed.ns[i];
        if (parsed.ns[i] && (!parsed.shortest_ns || parsed.ns[i] < parsed.shortest_ns))
            parsed.shortest_ns = parsed.ns[i];
    }
    *delay = parsed;
    return 0;
}

void null_draw_start(struct null_draw *draw, uint64_t seed, uint64_t stream)
{
    memset(draw, 0, sizeof(*draw));
    rng_seed(&draw->rng, seed, stream);
}

/* Draws from the rest of the cycle, which is equivalent to shuffling it. */
uint64_t null_draw_next(struct null_draw *draw, const struct null_delay *delay)
{
    uint64_t card;
    unsigned kind = 0;

    if (delay->kinds < 2)
        return delay->ns[0];
    if (!draw->cycle_left) {
        memcpy(draw->left, delay->share, sizeof(draw->left));
        draw->cycle_left = delay->cycle;
    }
    card = rng_below(&draw->rng, draw->cycle_left--);
    while (card >= draw->left[kind])
        card -= draw->left[kind++];
    draw->left[kind]--;
    return delay->ns[kind];
}

bool null_wait(uint64_t until_ns, uint64_t spin_ns)
{
    const uint64_t wake_ns = until_ns > spin_ns ? until_ns - spin_ns : 0;

    if (clock_now(&clock_monotonic) < wake_ns && !clock_rest_once(wake_ns))
        return false;
    while (clock_now(&clock_monotonic) < until_ns)
        ;
    return true;
}
