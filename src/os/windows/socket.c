/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* socket.c - Windows sockets (see os/socket.h). They are handles, not descriptors of the C library;
 * they use at most 32 bits, small numbers first. Their users have started Winsock. */
#include "base/compat.h"

#include <winsock2.h>

#include "os/windows/win.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "base/mem.h"
#include "os/socket.h"

#define NS_PER_MS   UINT64_C(1000000)
#define PIECES_MOST 8
#define LARGEST     (1 << 22) /* number of a socket */
#define CONNECT_MS  50        /* interval of checks on connecting sockets */

const bool os_keeps_certificates = true;
const bool os_socket_tells_end = false;

int os_socket_errno(long code)
{
    return code == 0 ? 0 : win_errno((DWORD)code);
}

static int socket_errno(void)
{
    return win_errno((DWORD)WSAGetLastError());
}

/* ---- open, close ---- */

int os_socket_open(int family, int type, int protocol)
{
    const SOCKET handle = WSASocketW(family, type, protocol, NULL, 0,
                                     WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);

    if (handle < LARGEST)
        return (int)handle;
    errno = handle == INVALID_SOCKET ? socket_errno() : EMFILE;
    if (handle != INVALID_SOCKET)
        closesocket(handle);
    return -1;
}

int os_socket_close(int fd)
{
    if (closesocket((SOCKET)fd) == 0)
        return 0;
    errno = socket_errno();
    return -1;
}

/* ---- send, receive: libcurl has made the sockets non-blocking ---- */

static ULONG length_of(size_t size_bytes)
{
    return size_bytes < INT_MAX ? (ULONG)size_bytes : INT_MAX;
}

ssize_t os_socket_send(int fd, const struct iovec *piece, int count)
{
    WSABUF buffer[PIECES_MOST];
    DWORD sent = 0;
    int used = 0;

    for (; used < count && used < PIECES_MOST; used++)
        buffer[used] = (WSABUF){.len = length_of(piece[used].iov_len), .buf = piece[used].iov_base};
    if (WSASend((SOCKET)fd, buffer, (DWORD)used, &sent, 0, NULL, NULL) != 0)
        return -socket_errno();
    return (ssize_t)sent;
}

ssize_t os_socket_receive(int fd, void *into, size_t size_bytes)
{
    const int got = recv((SOCKET)fd, into, (int)length_of(size_bytes), 0);

    return got >= 0 ? got : -socket_errno();
}

ssize_t os_socket_peek(int fd)
{
    char byte;
    const int got = recv((SOCKET)fd, &byte, 1, MSG_PEEK);

    return got >= 0 ? got : -socket_errno();
}

/* ---- waiting ---- */

void os_socket_room_fini(struct os_socket_room *room)
{
    free(room->memory);
    *room = (struct os_socket_room){.bytes = 0};
}

/* Before Windows 10 version 2004, WSAPoll does not report failed connections. */
static bool has_failed(SOCKET handle)
{
    struct timeval now = {.tv_sec = 0};
    fd_set failed;

    FD_ZERO(&failed);
    FD_SET(handle, &failed);
    return select(0, NULL, NULL, &failed, &now) > 0;
}

static int find_failed(WSAPOLLFD *file, unsigned count)
{
    int found = 0;

    for (unsigned i = 0; i < count; i++)
        if (file[i].events & POLLOUT && file[i].revents == 0 && has_failed(file[i].fd)) {
            file[i].revents = POLLERR;
            found++;
        }
    return found;
}

/* `writing`: some sockets may be connecting. */
static int wait_for(WSAPOLLFD *file, unsigned count, uint64_t wait_ns, bool writing)
{
    static _Thread_local ULONGLONG looked_ms;
    int wait_ms = wait_ns == UINT64_MAX           ? -1
                  : wait_ns / NS_PER_MS < INT_MAX ? (int)(wait_ns / NS_PER_MS)
                                                  : INT_MAX;
    int found;

    if (wait_ms == 0 && wait_ns > 0)
        wait_ms = 1; /* too long, but avoids a busy loop */

    if (count == 0) { /* refused by WSAPoll */
        Sleep(wait_ms < 0 ? INFINITE : (DWORD)wait_ms);
        return 0;
    }
    if (writing && (wait_ms < 0 || wait_ms > CONNECT_MS))
        wait_ms = CONNECT_MS;
    found = WSAPoll(file, count, wait_ms);
    if (found < 0 || !writing || (found > 0 && GetTickCount64() - looked_ms < CONNECT_MS))
        return found;
    looked_ms = GetTickCount64();
    return found + find_failed(file, count);
}

static unsigned ready_of(SHORT events)
{
    const SHORT broken = POLLERR | POLLHUP | POLLNVAL;

    return (events & (POLLIN | broken) ? OS_SOCKET_READ : 0) |
           (events & (POLLOUT | broken) ? OS_SOCKET_WRITE : 0) |
           (events & broken ? OS_SOCKET_ENDED : 0);
}

int os_socket_wait(struct os_socket *set, unsigned count, uint64_t wait_ns,
                   struct os_socket_room *room)
{
    bool writing = false;
    WSAPOLLFD *file;
    int found;

    room->memory = mem_grow(room->memory, &room->bytes, (count + 1) * sizeof(*file), 1);
    file = room->memory;
    for (unsigned i = 0; i < count; i++) {
        file[i] = (WSAPOLLFD){.fd = (SOCKET)set[i].fd};
        file[i].events = (SHORT)((set[i].wanted & OS_SOCKET_READ ? POLLIN : 0) |
                                 (set[i].wanted & OS_SOCKET_WRITE ? POLLOUT : 0));
        writing = writing || (set[i].wanted & OS_SOCKET_WRITE) != 0;
    }
    found = wait_for(file, count, wait_ns, writing);
    if (found < 0)
        return -socket_errno();
    for (unsigned i = 0; i < count; i++)
        set[i].ready = ready_of(file[i].revents);
    return found;
}
