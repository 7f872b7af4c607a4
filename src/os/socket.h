/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* socket.h - sockets of a client, which never wait but in os_socket_wait.  A socket is a small int
 * on every system, so that tables can be made of them. */
#ifndef OS_SOCKET_H
#define OS_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

/* As socket(2); not inherited by other programs.  Returns it, or -1 with errno (EMFILE: also when
 * its number is too large for tables). */
int os_socket_open(int family, int type, int protocol);
int os_socket_close(int fd); /* 0 or -1 */

/* Hot.  Bytes that were moved (receive: 0: the other end sends no more), or -errno: -EAGAIN: none
 * can be now.  No signal is raised. */
ssize_t os_socket_send(int fd, const struct iovec *piece, int count);
ssize_t os_socket_receive(int fd, void *into, size_t size_bytes);
/* What receiving would return for one byte, which stays there. */
ssize_t os_socket_peek(int fd);

#define OS_SOCKET_READ  1u
#define OS_SOCKET_WRITE 2u
#define OS_SOCKET_ENDED 4u /* of ready only: the other end sends no more */

struct os_socket {
    int fd;
    unsigned wanted; /* READ, WRITE: not 0 */
    unsigned ready;  /* set by os_socket_wait; both after an error */
};
struct os_socket_room { /* what waiting needs: all 0 at first, os_socket_room_fini frees it */
    void *memory;
    size_t bytes;
};
void os_socket_room_fini(struct os_socket_room *room);

/* Waits at most wait_ns (UINT64_MAX: for ever), perhaps less, for any of these sockets; a system
 * that counts in milliseconds may take one where wait_ns is less.  Returns how many are ready, 0,
 * or -errno (EINTR: a signal). */
int os_socket_wait(struct os_socket *set, unsigned count, uint64_t wait_ns,
                   struct os_socket_room *room);
/* That OS_SOCKET_ENDED is said as soon as it is so. */
extern const bool os_socket_tells_end;

/* The errno of a code that a library has from this system's sockets; EIO: some other failure. */
int os_socket_errno(long code);

/* The system keeps certificates in a way of its own, not in files. */
extern const bool os_keeps_certificates;

#endif
