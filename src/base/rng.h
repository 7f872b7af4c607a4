/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* rng.h - xoshiro256** (Blackman, Vigna 2018), seeded by splitmix64: small, fast, reproducible from
 * one 64-bit seed. Not for secrets. One state per thread; different (seed, stream) pairs start at
 * unrelated points of the period. */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

struct rng {
    uint64_t s[4];
};

/* splitmix64: advances *state and returns the next value; also a good mixer of one integer. */
static inline uint64_t rng_splitmix(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Seeds a generator for one stream (a thread, a slice, a file ...) of a run. */
static inline void rng_seed(struct rng *rng, uint64_t seed, uint64_t stream)
{
    uint64_t state = seed, mixed = stream;
    state ^= rng_splitmix(&mixed);
    for (int i = 0; i < 4; i++)
        rng->s[i] = rng_splitmix(&state);
}

static ALWAYS_INLINE uint64_t rng_rotl(uint64_t x, unsigned k)
{
    return (x << k) | (x >> (64 - k));
}

static ALWAYS_INLINE uint64_t rng_next(struct rng *rng)
{
    uint64_t *s = rng->s, result = rng_rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rng_rotl(s[3], 45);
    return result;
}

/* High 64 bits of a 64x64-bit product. */
static ALWAYS_INLINE uint64_t rng_mulhi(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 u128;
    return (uint64_t)(((u128)a * b) >> 64);
#else
    uint64_t al = a & 0xffffffffu, ah = a >> 32, bl = b & 0xffffffffu, bh = b >> 32;
    uint64_t m = ah * bl + ((al * bl) >> 32), n = al * bh + (m & 0xffffffffu);
    return ah * bh + (m >> 32) + (n >> 32);
#endif
}

/* Uniform integer in [0, bound), bound > 0, without a division (multiply-shift, Lemire 2019); the
 * bias is below bound / 2^64. */
static inline uint64_t rng_below(struct rng *rng, uint64_t bound)
{
    return rng_mulhi(rng_next(rng), bound);
}

#endif
