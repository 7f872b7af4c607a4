# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""Works out what slots.c prints, from its script alone: a server with a stall or slow operations, and
slots that begin an operation when theirs has ended."""

MS, BASE, SLICE, P99 = 10**6, 25 * 10**6, 10**9, 10**8
NEVER = 2**64
OWN, FIFO, SHARED, ONE_STALLS = range(4)


def cell(kind, slots, at, stall, every, factor):
    """(operations, time of slots): what the clocks count."""
    seed, drawn, free, seen = slots + every, 0, 0, 0
    ends, begun, state, busy = [NEVER] * slots, [0] * slots, ["warm"] * slots, 0
    count, warm, load, longest, last = [0, 0], [0, 0], [0, 0], 0, 0

    def done(begin, work, stalls=True):
        end = begin + work
        rests = stalls and begin < at + stall and end > at
        return end + at + stall - max(begin, at) if rests else end

    def get_on(now):
        nonlocal seen
        spent = now - seen - max(min(now, at + stall) - max(seen, at), 0)
        share = spent // busy if busy else 0
        ends[:] = [end if end == NEVER else max(end - share, 0) for end in ends]
        seen = now

    def begin(slot, now):
        nonlocal seed, drawn, free, busy
        seed, drawn = (seed * 6364136223846793005 + 1442695040888963407) % 2**64, drawn + 1
        work = (BASE // 2 + (seed >> 33) % BASE) * (factor if every and drawn % every == 0 else 1)
        begun[slot] = now
        if kind == SHARED:
            get_on(now)
            ends[slot] = work // slots
        elif kind == FIFO:
            ends[slot] = free = done(max(free, now), work // slots)
        else:
            ends[slot] = done(now, work, kind == OWN or slot == 0)
        busy += 1

    for slot in range(slots):
        begin(slot, 0)
    while busy:
        now = min(ends)
        slot = ends.index(now)
        if kind == SHARED:
            now = done(seen, now * busy)
            get_on(now)
        ends[slot], busy = NEVER, busy - 1
        books = {"warm": warm, "load": load}.get(state[slot], count)
        books[0], books[1] = books[0] + 1, books[1] + now - begun[slot]
        if state[slot] != "counts":
            longest = max(longest, now - begun[slot])
        if state[slot] == "warm":
            state[slot] = "counts"
        elif state[slot] == "counts" and now >= SLICE:
            last, state[slot] = now, "load"
        if state.count("load") < slots:
            begin(slot, now)
    outage = longest // 10 > P99
    kept = [count]
    kept += [warm] if outage else []
    kept += [load] if outage or last > SLICE + 10 * (count[1] // count[0]) else []
    return [sum(column) for column in zip(*kept)]


TROUBLES = ((0, 0, 0, 0), (0, 1000, 0, 0), (0, 4000, 0, 0), (500, 1000, 0, 0), (500, 4000, 0, 0),
            (995, 1000, 0, 0), (995, 4000, 0, 0), (1015, 4000, 0, 0), (0, 0, 50, 20),
            (0, 0, 1000, 500))
for server in OWN, FIFO, SHARED, ONE_STALLS:
    for begin_ms, stall_ms, each, times in TROUBLES:
        for how, number in (*(("queue", n) for n in (1, 4, 16, 64)), ("threads", 4), ("threads", 16)):
            found = cell(server, number, begin_ms * MS, stall_ms * MS, each, times)
            for test in "reads", "writes":
                print(server, number, begin_ms, stall_ms, each, how, f"{test}:", *found, number)
