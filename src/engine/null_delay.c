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
#define ONE        (UINT64_C(1) << 63) /* a share of 100 % */

static int refuse(struct error *err, const char *word)
{
    return error_refuse(err, STATUS_USAGE, "not a valid delay:", word,
                        "give 61us, mix:35x0,5x3ms or tail:20ms,5%%=400ms");
}

/* Unlike units_parse_duration this accepts 0. */
static int parse_time(const char *word, uint64_t *ns, struct error *err)
{
    if (strcmp(word, "0") != 0)
        return units_parse_duration(word, ns, err);
    *ns = 0;
    return 0;
}

/* "35x3ms" */
static int parse_mix(char *word, struct null_delay *delay, struct error *err)
{
    char *times = strchr(word, 'x');
    uint64_t *share = &delay->share[delay->kinds];

    if (!times)
        return refuse(err, word);
    *times = '\0';
    if (units_parse_count(word, 1, COUNT_MOST, share, err) < 0 ||
        parse_time(times + 1, &delay->ns[delay->kinds], err) < 0)
        return -1;
    delay->cycle += *share;
    return 0;
}

/* "20ms" first, then "5%=400ms" */
static int parse_tail(char *word, struct null_delay *delay, struct error *err)
{
    char *equals = strchr(word, '=');
    uint64_t *share = &delay->share[delay->kinds];
    double part;

    if (delay->kinds == 0)
        return parse_time(word, &delay->ns[0], err);
    if (!equals)
        return refuse(err, word);
    *equals = '\0';
    if (units_parse_percent(word, &part, err) < 0 ||
        parse_time(equals + 1, &delay->ns[delay->kinds], err) < 0)
        return -1;
    *share = (uint64_t)(part * (double)ONE);
    if (*share > delay->share[0]) {
        error_set(err, STATUS_USAGE, 0, "the shares exceed 100 %:", word);
        return -1;
    }
    delay->share[0] -= *share;
    return 0;
}

static int parse_list(const char *word, struct null_delay *delay, struct error *err)
{
    const bool mix = delay->shape == NULL_DELAY_MIX;

    for (const char *rest = word;; rest++) {
        const size_t length = strcspn(rest, ",");
        char text[WORD_BYTES];
        if (length >= sizeof(text))
            return refuse(err, word);
        if (delay->kinds == NULL_DELAY_KINDS)
            return error_refuse(err, STATUS_USAGE, "too many kinds of operations:", word,
                                "the limit is %u", NULL_DELAY_KINDS);
        snprintf(text, sizeof(text), "%.*s", (int)length, rest);
        if ((mix ? parse_mix : parse_tail)(text, delay, err) < 0)
            return -1;
        delay->kinds++;
        rest += length;
        if (!*rest)
            return 0;
    }
}

int null_delay_parse(const char *word, struct null_delay *delay, struct error *err)
{
    struct null_delay parsed = {.shape = NULL_DELAY_SAME, .share = {ONE}};
    int result;

    if (strncmp(word, "mix:", 4) == 0) {
        parsed.shape = NULL_DELAY_MIX;
        result = parse_list(word + 4, &parsed, err);
    } else if (strncmp(word, "tail:", 5) == 0) {
        parsed.shape = NULL_DELAY_TAIL;
        result = parse_list(word + 5, &parsed, err);
    } else {
        parsed.kinds = 1;
        result = units_parse_duration(word, &parsed.ns[0], err);
    }
    if (result < 0)
        return -1;
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
static uint64_t draw_mix(struct null_draw *draw, const struct null_delay *delay)
{
    uint64_t card;
    unsigned kind = 0;

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

static uint64_t draw_tail(struct null_draw *draw, const struct null_delay *delay)
{
    uint64_t card = rng_next(&draw->rng) >> 1;
    unsigned kind = delay->kinds - 1;

    while (kind > 0 && card >= delay->share[kind])
        card -= delay->share[kind--];
    return delay->ns[kind];
}

uint64_t null_draw_next(struct null_draw *draw, const struct null_delay *delay)
{
    switch (delay->shape) {
    case NULL_DELAY_MIX:
        return draw_mix(draw, delay);
    case NULL_DELAY_TAIL:
        return draw_tail(draw, delay);
    case NULL_DELAY_SAME:
        break;
    }
    return delay->ns[0];
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
