/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* socket.h - non-blocking client sockets; only os_socket_wait waits. A socket is a small int on
 * every system and can index tables. */
#ifndef OS_SOCKET_H
#define OS_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

/* Like socket(2); not inherited by other programs. Returns the socket, or -1 with errno (EMFILE:
 * also if its number is too large for tables). */
int os_socket_open(int family, int type, int protocol);
int os_socket_close(int fd); /* 0 or -1 */

/* Hot. Return the bytes moved (receive: 0: the peer has finished sending), or -errno: -EAGAIN:
 * would block. Raise no signal. */
ssize_t os_socket_send(int fd, const struct iovec *piece, int count);
ssize_t os_socket_receive(int fd, void *into, size_t size_bytes);
/* Like receiving one byte, but leaves it in the socket. */
ssize_t os_socket_peek(int fd);

#define OS_SOCKET_READ  1u
#define OS_SOCKET_WRITE 2u
#define OS_SOCKET_ENDED 4u /* of ready only: the peer has finished sending */

struct os_socket {
    int fd;
    unsigned wanted; /* READ, WRITE: not 0 */
    unsigned ready;  /* set by os_socket_wait; both after an error */
};
struct os_socket_room { /* memory for waiting: all 0 at first, freed by os_socket_room_fini */
    void *memory;
    size_t bytes;
};
void os_socket_room_fini(struct os_socket_room *room);

/* Waits for any of these sockets, at most wait_ns (UINT64_MAX: for ever), possibly less; a system
 * that counts in milliseconds may wait one although wait_ns is less. Returns the number of ready
 * sockets, 0, or -errno (EINTR: a signal). */
int os_socket_wait(struct os_socket *set, unsigned count, uint64_t wait_ns,
                   struct os_socket_room *room);
/* Whether OS_SOCKET_ENDED is reported as soon as the peer finishes. */
extern const bool os_socket_tells_end;

/* The errno of a library's code for this system's sockets; EIO: any other failure. */
int os_socket_errno(long code);

/* Whether the system keeps certificates in a store of its own, not in files. */
extern const bool os_keeps_certificates;

#endif
