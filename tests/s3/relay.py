#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""relay.py - stands between an S3 client and a server on this machine and misbehaves as it is told.

It passes on HTTP/1.1 requests one by one, writes each into a log, and does something else with those
that a rule names.  As a proxy (the client sends CONNECT) it leads everything to the one server.

    --to HOST:PORT [--listen HOST] --port-file FILE --log FILE [--nagle] [--rule RULE]...

Requests that have come, answered or not, are in FILE.come: METHOD TARGET.
Log lines: METHOD TARGET STATUS REQUEST-BYTES ANSWER-BYTES CONNECTION RANGE PAYLOAD HOST
IF-NONE-MATCH; "-": none.
A rule: METHOD|* REGEX ACTION [every=N] [from=N] [times=N], about the N-th request that it fits:
    status=CODE:WORD   answers with an S3 error, for example status=503:SlowDown
    delay-head=MS      before the answer         delay-body=MS  between its headers and its body
    hang               never answers             close          closes instead
    late=MS            passes the request on at once and the answer so much later
    lose               passes the request on and closes instead of answering
    cut                closes after half of the answer's body
    whole              answers a range with 200 and the whole object (of zeros)
    half               only half of the body, announced as if it were all
    flip               one wrong byte in the body
    old=S              the answer says that the object is so many seconds older
    rate=KIB           sends the answer at so many KiB/s
    region=NAME        301 to another region, unless the request is signed for that
Without --nagle each piece is sent at once; with it headers and body are two pieces, the second of
which the kernel holds until the client has acknowledged the first.
"""
import argparse
import email.utils
import re
import socket
import socketserver
import threading
import time

LOCK = threading.Lock()


class Rule:
    def __init__(self, text):
        words = text.split()
        self.method, self.regex, action = words[0], re.compile(words[1]), words[2]
        self.action, _, self.value = action.partition("=")
        known = "status delay-head delay-body hang close cut whole half flip rate region late lose old"
        if self.action not in known.split():
            raise ValueError("no such action: " + action)
        limits = dict(word.split("=") for word in words[3:])
        self.every = int(limits.get("every", 1))
        self.first = int(limits.get("from", 1))
        self.times = int(limits.get("times", 1 << 60))
        self.seen = 0

    def fits(self, method, target):
        if self.method not in ("*", method) or not self.regex.search(target):
            return False
        with LOCK:
            self.seen += 1
            count = self.seen - self.first
            if count < 0 or count % self.every != self.every - 1:
                return False
            if self.times == 0:
                return False
            self.times -= 1
            return True


class Gone(Exception):
    """Somebody has closed the connection."""


def read_head(stream):
    lines = []
    while True:
        line = stream.readline(65536)
        if not line:
            raise Gone
        lines.append(line)
        if line in (b"\r\n", b"\n"):
            return lines


def field(lines, name):
    for line in lines[1:]:
        key, _, value = line.partition(b":")
        if key.strip().lower() == name:
            return value.strip().decode("latin-1")
    return ""


def read_exactly(stream, count):
    data = stream.read(count)
    if len(data) != count:
        raise Gone
    return data


def read_chunks(stream):
    """A body in chunks, as it is."""
    data = []
    while True:
        line = stream.readline(65536)
        data.append(line)
        size = int(line.split(b";")[0], 16)
        if size == 0:
            while True:
                line = stream.readline(65536)
                data.append(line)
                if line in (b"\r\n", b"\n", b""):
                    return b"".join(data)
        data.append(read_exactly(stream, size + 2))


class Handler(socketserver.BaseRequestHandler):
    def setup(self):
        with LOCK:
            self.server.connections += 1
            self.number = self.server.connections
        self.upstream = None
        self.back = None
        if not self.server.options.nagle:
            self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def connect(self):
        host, _, port = self.server.options.to.rpartition(":")
        self.upstream = socket.create_connection((host, int(port)), timeout=120)
        self.upstream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.back = self.upstream.makefile("rb")

    def disconnect(self):
        if self.upstream:
            self.back.close()
            self.upstream.close()
        self.upstream = None

    def handle(self):
        stream = self.request.makefile("rb")
        try:
            while self.one(stream):
                pass
        except (Gone, OSError, ValueError):
            pass
        finally:
            stream.close()
            self.disconnect()

    def tunnel(self):
        self.connect()
        self.request.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")

        def copy(source, sink):
            try:
                while True:
                    data = source.recv(65536)
                    if not data:
                        break
                    sink.sendall(data)
                sink.shutdown(socket.SHUT_WR)
            except OSError:
                pass

        other = threading.Thread(target=copy, args=(self.upstream, self.request), daemon=True)
        other.start()
        copy(self.request, self.upstream)
        other.join(120)

    def ask(self, head, body, method):
        """Sends a request on and reads the answer: (its head, its body)."""
        for _ in range(2):
            used = self.upstream is not None
            if not used:
                self.connect()
            try:
                self.upstream.sendall(b"".join(head) + body)
                answer = read_head(self.back)
                while answer[0].split()[1].startswith(b"1"):
                    answer = read_head(self.back)
                break
            except (Gone, OSError):  # an idle connection closed by the server
                self.disconnect()
                if not used:
                    raise
        else:
            raise Gone
        status = int(answer[0].split()[1])
        length = field(answer, b"content-length")
        if method == "HEAD" or status in (204, 304):
            data = b""
        elif field(answer, b"transfer-encoding").lower() == "chunked":
            data = read_chunks(self.back)
        elif length:
            data = read_exactly(self.back, int(length))
        else:
            data = self.back.read()
        if field(answer, b"connection").lower() == "close":
            self.disconnect()
        return answer, data

    @staticmethod
    def refuse(status, word, extra=b""):
        body = (
            '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>%s</Code>'
            "<Message>as the test wants it</Message></Error>" % word
        ).encode()
        return [
            b"HTTP/1.1 %d Refused\r\n" % status, b"Content-Type: application/xml\r\n", extra,
            b"Content-Length: %d\r\n" % len(body), b"\r\n",
        ], body

    def log(self, method, target, head, sent, answer, received):
        status = answer[0].split()[1].decode() if answer else "-"
        words = [method, target, status, str(sent), str(received), str(self.number)]
        for name in (b"range", b"x-amz-content-sha256", b"host", b"if-none-match"):
            words.append(field(head, name).replace(" ", "") or "-")
        with LOCK:
            self.server.log.write(" ".join(words) + "\n")
            self.server.log.flush()

    def one(self, stream):
        head = read_head(stream)
        method, target, _ = head[0].decode("latin-1").split()
        if method == "CONNECT":
            self.log(method, target, head, 0, None, 0)
            self.tunnel()
            return False
        if field(head, b"expect").lower() == "100-continue":
            self.request.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        if field(head, b"transfer-encoding").lower() == "chunked":
            body = read_chunks(stream)
        else:
            body = read_exactly(stream, int(field(head, b"content-length") or 0))
        rules = [rule for rule in self.server.rules if rule.fits(method, target)]
        with LOCK:
            self.server.come.write("%s %s\n" % (method, target))
            self.server.come.flush()
        return self.answer(method, target, head, body, rules)

    def answer(self, method, target, head, body, rules):
        delay = 0
        cut = False
        rate = 0
        answer = None
        for rule in rules:
            if rule.action in ("hang", "close"):
                self.log(method, target, head, len(body), None, 0)
                if rule.action == "hang":
                    self.server.over.wait(300)
                return False
            if rule.action == "delay-head":
                time.sleep(float(rule.value) / 1000)
            elif rule.action == "status":
                status, _, word = rule.value.partition(":")
                answer, data = self.refuse(int(status), word)
            elif rule.action == "region" and "/%s/s3/" % rule.value not in field(
                    head, b"authorization"):
                answer, data = self.refuse(
                    301, "PermanentRedirect", b"x-amz-bucket-region: %s\r\n" % rule.value.encode())
        if answer is None:
            answer, data = self.ask(head, body, method)
        if method == "HEAD":
            data = b""
        for rule in rules:
            if rule.action == "late":
                time.sleep(float(rule.value) / 1000)
            elif rule.action == "lose":
                self.log(method, target, head, len(body), None, 0)
                return False
            elif rule.action == "delay-body":
                delay = float(rule.value) / 1000
            elif rule.action == "rate":
                rate = int(rule.value) << 10
            elif rule.action == "cut":
                cut = True
            elif rule.action == "flip" and data:
                middle = len(data) // 2
                data = data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1:]
            elif rule.action == "old" and field(answer, b"last-modified"):
                put = email.utils.parsedate_to_datetime(field(answer, b"last-modified")).timestamp()
                answer = [line for line in answer if not line.lower().startswith(b"last-modified:")]
                answer.insert(1, b"Last-Modified: %s\r\n" % email.utils.formatdate(
                    put - int(rule.value), usegmt=True).encode())
            elif rule.action == "half":
                data = data[: len(data) // 2]
                answer = [line for line in answer if not line.lower().startswith(
                    (b"content-length:", b"transfer-encoding:"))]
                answer.insert(1, b"Content-Length: %d\r\n" % len(data))
            elif rule.action == "whole" and field(answer, b"content-range"):
                total = int(field(answer, b"content-range").rpartition("/")[2])
                data = bytes(total)
                answer = [b"HTTP/1.1 200 OK\r\n", b"Content-Length: %d\r\n" % total, b"\r\n"]
        self.log(method, target, head, len(body), answer, len(data))
        self.send(b"".join(answer), data, delay, cut, rate)
        return not cut and field(answer, b"connection").lower() != "close"

    def send(self, head, data, delay, cut, rate):
        if cut:
            data = data[: len(data) // 2]
        if delay or self.server.options.nagle:
            self.request.sendall(head)
            if delay and data:
                time.sleep(delay)
            self.request.sendall(data)
        elif rate:
            began = time.monotonic()
            data = head + data
            for sent in range(0, len(data), 4096):
                self.request.sendall(data[sent:sent + 4096])
                time.sleep(max(0, began + (sent + 4096) / rate - time.monotonic()))
        else:
            self.request.sendall(head + data)


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256
    connections = 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--to", required=True)
    parser.add_argument("--listen", default="127.0.0.1")
    parser.add_argument("--port-file", required=True)
    parser.add_argument("--log", required=True)
    parser.add_argument("--nagle", action="store_true")
    parser.add_argument("--rule", action="append", default=[])
    options = parser.parse_args()
    if ":" in options.listen:
        Server.address_family = socket.AF_INET6
    with Server((options.listen, 0), Handler) as server, open(options.log, "w") as log, \
            open(options.log + ".come", "w") as come:
        server.options = options
        server.come = come
        server.log = log
        server.over = threading.Event()
        server.rules = [Rule(text) for text in options.rule]
        with open(options.port_file, "w") as file:
            file.write("%d\n" % server.server_address[1])
        server.serve_forever()


if __name__ == "__main__":
    main()
