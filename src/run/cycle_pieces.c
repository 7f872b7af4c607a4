/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cycle_pieces.c - --call-size: an I/O that moves in several calls, through a buffer of the size of
 * the largest.  What is done between two of them (making the data of the next, looking at those of
 * the last) is timed apart, so that it can be taken out of the operation. */
#include "base/compat.h"

#include "run/cycle_book.h"

#include <errno.h>

static bool look_at(struct cycle *cycle, uint32_t object, struct io *io, struct pieces *pieces)
{
    const uint64_t before_ns = clock_now(cycle->clock);

    pieces->right =
        check_read(cycle, object, io->offset_bytes, io->piece_bytes, io->buffer, &pieces->go_on);
    pieces->between_ns += clock_now(cycle->clock) - before_ns;
    return pieces->right;
}

static void make_next(struct cycle *cycle, uint32_t object, struct io *io, struct pieces *pieces)
{
    const uint64_t before_ns = clock_now(cycle->clock);

    if (cycle->check)
        check_make(cycle, object, io->offset_bytes, io->piece_bytes, io->buffer);
    else
        payload_make(cycle->payload, io->buffer, io->piece_bytes);
    pieces->between_ns += clock_now(cycle->clock) - before_ns;
}

COLD int64_t move_pieces(struct cycle *cycle, uint32_t object, struct io *io, struct pieces *pieces)
{
    const struct workload *const work = cycle->work;
    const bool writes = test_writes(work->test);
    int64_t (*const call)(void *, struct io *) =
        writes ? cycle->engine->write_piece : cycle->engine->read_piece;
    const uint64_t begin_bytes = io->offset_bytes;
    uint64_t done = 0;
    int64_t moved = 0;

    *pieces = (struct pieces){.right = true, .go_on = true};
    while (done < work->io_bytes) {
        const uint64_t left = work->io_bytes - done;

        io->offset_bytes = begin_bytes + done;
        io->more = left > work->call_bytes;
        io->piece_bytes = (size_t)(io->more ? work->call_bytes : left);
        if (done && flag_read(cycle->stop)) {
            moved = -EINTR; /* no failure: a long operation is given up */
            break;
        }
        if (done && writes) /* the first was made before */
            make_next(cycle, object, io, pieces);
        moved = call(cycle->ctx, io);
        if (moved != (int64_t)io->piece_bytes)
            break;
        done += io->piece_bytes;
        moved = 0;
        if (!writes && cycle->check && pieces->right)
            (void)look_at(cycle, object, io, pieces);
    }
    io->offset_bytes = begin_bytes;
    return moved < 0 ? moved : (int64_t)done + moved;
}
