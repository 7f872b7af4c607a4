/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* socket.h - non-blocking client sockets; only os_socket_wait waits. A socket is a small int on
 * every system and can index tables. */
#ifndef OS_SOCKET_H
#define OS_SOCKET_H

#include <poll.h>
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

/* Like poll(2), which it is on most systems (Windows has the structure and the flags, too). Waits
 * at most wait_ns (UINT64_MAX: for ever), possibly less; a system that counts in milliseconds may
 * wait one although wait_ns is less. Returns the number of ready sockets, 0, or -errno (EINTR: a
 * signal). */
int os_socket_wait(struct pollfd *set, unsigned count, uint64_t wait_ns);
#ifndef POLLRDHUP
#define POLLRDHUP 0 /* not reported: that the peer has finished sending */
#endif

/* The errno of a library's code for this system's sockets; EIO: any other failure. */
int os_socket_errno(long code);

/* Whether the system keeps certificates in a store of its own, not in files. */
extern const bool os_keeps_certificates;

#endif
