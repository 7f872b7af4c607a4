/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* socket.c - Windows sockets (see os/socket.h). They are handles, not descriptors of the C library;
 * they use at most 32 bits, small numbers first. Their users have started Winsock. */
#include "base/compat.h"

#include <winsock2.h>

#include "os/windows/win.h"

#include <errno.h>
#include <limits.h>

#include "os/socket.h"

#define NS_PER_MS   UINT64_C(1000000)
#define PIECES_MOST 8
#define LARGEST     (1 << 22) /* number of a socket */
#define CONNECT_MS  50        /* interval of checks on connecting sockets */

const bool os_keeps_certificates = true;

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

/* Before Windows 10 version 2004, WSAPoll does not report failed connections. */
static bool has_failed(SOCKET handle)
{
    struct timeval now = {.tv_sec = 0};
    fd_set failed;

    FD_ZERO(&failed);
    FD_SET(handle, &failed);
    return select(0, NULL, NULL, &failed, &now) > 0;
}

static int find_failed(struct pollfd *set, unsigned count)
{
    int found = 0;

    for (unsigned i = 0; i < count; i++)
        if (set[i].events & POLLOUT && set[i].revents == 0 && has_failed(set[i].fd)) {
            set[i].revents = POLLERR;
            found++;
        }
    return found;
}

int os_socket_wait(struct pollfd *set, unsigned count, uint64_t wait_ns)
{
    static _Thread_local ULONGLONG looked_ms;
    bool writing = false; /* some sockets may be connecting */
    int wait_ms = wait_ns == UINT64_MAX           ? -1
                  : wait_ns / NS_PER_MS < INT_MAX ? (int)(wait_ns / NS_PER_MS)
                                                  : INT_MAX;
    int found;

    for (unsigned i = 0; i < count; i++)
        writing = writing || set[i].events & POLLOUT;
    if (wait_ms == 0 && wait_ns > 0)
        wait_ms = 1;  /* too long, but avoids a busy loop */
    if (count == 0) { /* refused by WSAPoll */
        Sleep(wait_ms < 0 ? INFINITE : (DWORD)wait_ms);
        return 0;
    }
    if (writing && (wait_ms < 0 || wait_ms > CONNECT_MS))
        wait_ms = CONNECT_MS;
    found = WSAPoll(set, count, wait_ms);
    if (found < 0)
        return -socket_errno();
    if (!writing || (found > 0 && GetTickCount64() - looked_ms < CONNECT_MS))
        return found;
    looked_ms = GetTickCount64();
    return found + find_failed(set, count);
}
