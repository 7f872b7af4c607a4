#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""hostile_server.py - a small S3 service that keeps its objects in memory and answers wrongly as it is told.

What a real server does not do: it takes requests and closes, promises what it does not keep, and never
comes to an end.  It checks no signature.

    --port-file FILE --log FILE --mode FILE [--key PREFIX]...

FILE of --mode holds words "MODE[:KIND[:EVERY]]", read anew for each request: what fits the KIND (PUT
GET HEAD LIST DELETE DELETES BEGIN PART COMPLETE ABORT UPLOADS, DATA: all of objects but manifests,
ANY) is answered so each EVERY times.  Log lines: KIND KEY.  GET /__keys answers with the keys that are
there, GET /__uploads with the uploads; --key puts objects there that are somebody else's.
    short           a body without its last 7 bytes, announced so
    empty           closes without an answer
    deny            403 AccessDenied
    lies            deleting answers as if it had been done
    nothing         a list without keys                 part    a list without keys that end in 1 or 3
    nul             a list with a NUL byte
    invents=NAME    a list without end of names that begin with NAME: always others
    again           the list says there is more, with a token that is always new: the same page
    turns           ... with two tokens in turn        barren  ... pages without a key
    stale           a list that goes on naming what was removed
    forever         a body without end                  chunks  the same in chunks
    huge            a body that is 100 MiB longer than it should be, announced so
    cut             a body that ends 7 bytes before it should
    lost            what is asked for is done, and the connection closed without an answer
    drops           a byte of the body each 100 ms      heads   header fields without end
    going           answers of status 103 without end
    silent          no answer at all
    root            the answer that begins an upload has another root
    torn            ... is cut off after the id
    slow=TEXT       503 with Retry-After: TEXT
    etag            an ETag that is the MD5 of something else
    noetag          no ETag
    late-error      status 200, and an error in the body: of COMPLETE and copies
    partial         DELETES removes only what does not end in 1 or 3, and says so
    strange         ... answers with names that nobody asked for
    twice           ... names each key twice
    whole           a range is answered with status 200 and all of it
    other-range     ... with other bytes than those, which the answer tells
    untold          ... without saying which bytes they are
    less            ... with fewer bytes, which the answer tells
    more            ... with more bytes, which the answer tells
    changed         each answer of DATA has another ETag
    html            a page for people
    mismatch        400 XAmzContentSHA256Mismatch
    tls             400 as a server of TLS answers to plain HTTP
"""
import argparse
import hashlib
import re
import socketserver
import threading
import time
import urllib.parse
from xml.sax.saxutils import escape, unescape

LOCK = threading.Lock()
OBJECTS = {}
UPLOADS = {}
STALE = set()
SEEN = {}
COUNT = [0]


class Gone(Exception):
    """Somebody has closed the connection, or is to be left alone."""


def kind_of(method, key, query):
    if not key:
        if method == "POST":
            return "DELETES"
        return "UPLOADS" if "uploads" in query else "LIST"
    if method == "POST":
        return "BEGIN" if "uploads" in query else "COMPLETE"
    if "uploadId" in query:
        return "PART" if method == "PUT" else "ABORT"
    return method


class Handler(socketserver.BaseRequestHandler):
    def handle(self):
        stream = self.request.makefile("rb")
        try:
            while self.one(stream):
                pass
        except (Gone, OSError, ValueError):
            pass
        finally:
            stream.close()

    def one(self, stream):
        line = stream.readline(65536).decode("latin-1").split()
        if len(line) != 3:
            return False
        fields = {}
        while True:
            field = stream.readline(65536)
            if field in (b"\r\n", b"\n", b""):
                break
            name, _, value = field.decode("latin-1").partition(":")
            fields[name.strip().lower()] = value.strip()
        body = stream.read(int(fields.get("content-length", 0)))
        if fields.get("content-encoding") == "aws-chunked":
            size, _, body = body.partition(b"\r\n")
            body = body[:int(size.partition(b";")[0], 16)]
        path, _, query = line[1].partition("?")
        self.modes = {}
        if path.startswith("/__"):
            return self.tell(path)
        key = urllib.parse.unquote(path).lstrip("/").partition("/")[2]
        query = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
        self.method, self.key, self.query, self.fields = line[0], key, query, fields
        self.kind = kind_of(line[0], key, query)
        with LOCK:
            self.server.log.write("%s %s\n" % (self.kind, key or query.get("prefix", "-")))
            self.server.log.flush()
        self.modes = self.fitting()
        return self.answer(body)

    def tell(self, path):
        with LOCK:
            names = sorted(OBJECTS if path == "/__keys" else UPLOADS)
        self.send(200, "".join(name + "\n" for name in names).encode())
        return True

    def fitting(self):
        modes = {}
        with open(self.server.options.mode) as file:
            words = file.read().split()
        for word in words:
            mode, _, rest = word.partition(":")
            kind, _, every = rest.partition(":")
            is_manifest = "/MANIFEST-" in self.key
            data = self.kind in ("PUT", "GET", "HEAD") and not is_manifest
            if kind not in ("", "ANY", self.kind) and not (kind == "DATA" and data):
                continue
            if self.kind in ("PUT", "GET") and is_manifest and kind != "ANY":
                continue
            with LOCK:
                SEEN[word] = SEEN.get(word, 0) + 1
                if SEEN[word] % int(every or 1) == 0:
                    name, _, value = mode.partition("=")
                    modes[name] = value
        return modes

    def send(self, status, body=b"", extra=(), length=None):
        if "cut" in self.modes:
            length = len(body) + 7
        head = ["HTTP/1.1 %d X" % status, "Content-Length: %d" % (
            len(body) if length is None else length)]
        head += ["Date: " + time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime())]
        head += extra
        self.request.sendall("\r\n".join(head).encode() + b"\r\n\r\n" + body)

    def refuse(self, status, code, extra=()):
        body = "<Error><Code>%s</Code><Message>as the test wants it</Message></Error>" % code
        self.send(status, b"" if self.method == "HEAD" else body.encode(), extra,
                  len(body) if self.method == "HEAD" else None)
        return True

    def endless(self):
        """What never comes to an end.  True: it was told to."""
        pieces = {
            "forever": (b"HTTP/1.1 200 X\r\n\r\n", b"x" * 65536, 0),
            "chunks": (b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n",
                       b"10000\r\n" + b"x" * 65536 + b"\r\n", 0),
            "drops": (b"HTTP/1.1 200 X\r\nContent-Length: 1000000\r\n\r\n", b"x", 0.1),
            "heads": (b"HTTP/1.1 200 X\r\n", b"X-Field: " + b"x" * 1000 + b"\r\n", 0),
            "going": (b"", b"HTTP/1.1 103 X\r\nLink: " + b"x" * 1000 + b"\r\n\r\n", 0),
            "silent": (b"", b"", 0.1),
        }
        for mode, (first, again, pause) in pieces.items():
            if mode in self.modes:
                self.request.sendall(first)
                end = time.monotonic() + 60
                while time.monotonic() < end:
                    self.request.sendall(again)
                    time.sleep(pause)
                raise Gone
        return False

    def answer(self, body):
        modes = self.modes
        if "empty" in modes:
            return False
        if "lost" in modes:
            self.send = lambda *_: None
            getattr(self, "do_" + self.kind.lower())(body)
            return False
        self.endless()
        if "deny" in modes:
            return self.refuse(403, "AccessDenied")
        if "slow" in modes:
            return self.refuse(503, "SlowDown", ["Retry-After: " + modes["slow"]])
        if "mismatch" in modes:
            return self.refuse(400, "XAmzContentSHA256Mismatch")
        if "html" in modes:
            self.send(200, b"<!DOCTYPE html><html><body>Welcome</body></html>")
            return True
        if "tls" in modes:
            self.send(400, b"Client sent an HTTP request to an HTTPS server.\n")
            return False
        return getattr(self, "do_" + self.kind.lower())(body) and "cut" not in modes

    def do_put(self, body):
        source = self.fields.get("x-amz-copy-source")
        with LOCK:
            if source:
                body = OBJECTS.get(urllib.parse.unquote(source).lstrip("/").partition("/")[2])
                if body is None:
                    return self.refuse(404, "NoSuchKey")
            if self.fields.get("if-none-match") == "*" and self.key in OBJECTS:
                return self.refuse(412, "PreconditionFailed")
            OBJECTS[self.key] = body
        sum_of = body + b"x" if "etag" in self.modes else body
        etag = '"%s"' % hashlib.md5(sum_of).hexdigest()
        if source and "late-error" in self.modes:
            with LOCK:
                OBJECTS.pop(self.key, None)
            self.send(200, b"<Error><Code>InternalError</Code><Message>late</Message></Error>")
        elif source:
            self.send(200, ("<CopyObjectResult><ETag>%s</ETag></CopyObjectResult>" % etag).encode())
        else:
            self.send(200, b"", [] if "noetag" in self.modes else ["ETag: " + etag])
        return True

    def do_get(self, _):
        with LOCK:
            data = OBJECTS.get(self.key)
        if data is None:
            return self.refuse(404, "NoSuchKey")
        etag = hashlib.md5(data).hexdigest()
        if "changed" in self.modes:
            with LOCK:
                COUNT[0] += 1
                etag = "%032x" % COUNT[0]
        extra = ['ETag: "%s"' % etag]
        status = 200
        found = re.match(r"bytes=(\d+)-(\d+)$", self.fields.get("range", ""))
        if found and "whole" not in self.modes:
            first, last = int(found[1]), min(int(found[2]), len(data) - 1)
            first += 512 if "other-range" in self.modes else 0
            last += 512 if "other-range" in self.modes or "more" in self.modes else 0
            last -= 512 if "less" in self.modes else 0
            if "untold" not in self.modes:
                extra.append("Content-Range: bytes %d-%d/%d" % (first, last, len(data)))
            data, status = data[first:last + 1], 206
        if "short" in self.modes:
            data = data[:-7]
        if self.method == "HEAD":
            self.send(status, b"", extra, len(data))
        elif "huge" in self.modes:
            self.send(status, data, extra, len(data) + (100 << 20))
            for _ in range(100):
                self.request.sendall(b"x" * (1 << 20))
                self.server.sent += 1 << 20
        else:
            self.send(status, data, extra)
        return True

    do_head = do_get

    def do_delete(self, _):
        if "lies" not in self.modes:
            self.remove(self.key)
        self.send(204)
        return True

    @staticmethod
    def remove(key):
        with LOCK:
            if OBJECTS.pop(key, None) is not None:
                STALE.add(key)

    def do_deletes(self, body):
        quiet, answer = b"<Quiet>true" in body, ""
        for key in map(unescape, re.findall(r"<Key>([^<]*)</Key>", body.decode())):
            if "partial" in self.modes and key.endswith(("1", "3")):
                answer += ("<Error><Key>%s</Key><Code>AccessDenied</Code><Message>no</Message>"
                           "</Error>" % escape(key)) * (2 if "twice" in self.modes else 1)
                continue
            if "lies" not in self.modes:
                self.remove(key)
            if not quiet or "twice" in self.modes:
                answer += "<Deleted><Key>%s</Key></Deleted>" % escape(key) * (
                    2 if "twice" in self.modes else 1)
            if "strange" in self.modes:
                answer += ("<Error><Key>p/other</Key><Code>AccessDenied</Code></Error>"
                           "<Deleted><Key>p/mine/iosweep-keepme/file</Key></Deleted>")
        self.send(200, ("<DeleteResult>%s</DeleteResult>" % answer).encode())
        return True

    def do_list(self, _):
        prefix, limit = self.query.get("prefix", ""), int(self.query.get("max-keys", 1000))
        delimiter, after = self.query.get("delimiter"), self.query.get("continuation-token", "")
        endless = any(mode in self.modes for mode in ("again", "turns", "barren"))
        with LOCK:
            names = {key: len(body) for key, body in OBJECTS.items() if key.startswith(prefix)}
            if "stale" in self.modes:
                names.update((key, 4096) for key in STALE
                             if key.startswith(prefix) and "/MANIFEST-" not in key)
            COUNT[0] += 1
            number = COUNT[0]
        if "nothing" in self.modes or "barren" in self.modes:
            names = {}
        if "part" in self.modes:
            names = {key: size for key, size in names.items() if not key.endswith(("1", "3"))}
        entries, rolled = [], set()
        if "invents" in self.modes:  # always other names, without end
            what = prefix + self.modes["invents"] + "%06d"
            names = {what % (1000 * number + i): 4096 for i in range(1000)}
            if delimiter:
                names = {key + "/x": 4096 for key in names}
            endless = True
        for key in sorted(names):
            if key <= after and not endless:
                continue
            if delimiter and delimiter in key[len(prefix):]:
                rolled.add(prefix + key[len(prefix):].partition(delimiter)[0] + delimiter)
                continue
            entries.append("<Contents><Key>%s</Key><Size>%d</Size></Contents>" % (
                escape(key), names[key]))
            after_key = key
            if len(entries) == limit:
                break
        more = len(entries) == limit and after_key != max(names)
        token = after_key if more else ""
        if endless:
            more, token = True, "%d" % (number % 2 if "turns" in self.modes else number)
        text = "<ListBucketResult><IsTruncated>%s</IsTruncated>%s%s%s</ListBucketResult>" % (
            "true" if more else "false",
            "<NextContinuationToken>%s</NextContinuationToken>" % escape(token) if more else "",
            "".join(entries),
            "".join("<CommonPrefixes><Prefix>%s</Prefix></CommonPrefixes>" % escape(name)
                    for name in sorted(rolled)))
        if "nul" in self.modes:
            text = text.replace("<IsTruncated>", "\0<IsTruncated>")
        self.send(200, text.encode())
        return True

    def do_begin(self, _):
        with LOCK:
            COUNT[0] += 1
            upload = "u%d" % COUNT[0]
            UPLOADS[upload] = (self.key, {})
        root = "InitiateMultipartUpload" + ("" if "root" in self.modes else "Result")
        text = "<%s><UploadId>%s</UploadId></%s>" % (root, upload, root)
        if "torn" in self.modes:
            text = text[:-20]
        self.send(200, text.encode())
        return True

    def do_part(self, body):
        with LOCK:
            upload = UPLOADS.get(self.query["uploadId"])
            if upload:
                upload[1][int(self.query["partNumber"])] = body
        if not upload:
            return self.refuse(404, "NoSuchUpload")
        etag = 'ETag: "%s"' % hashlib.md5(body + b"x" * ("etag" in self.modes)).hexdigest()
        self.send(200, b"", [] if "noetag" in self.modes else [etag])
        return True

    def do_complete(self, _):
        if "late-error" in self.modes:
            self.send(200, b"<Error><Code>InternalError</Code><Message>late</Message></Error>")
            return True
        with LOCK:
            key, parts = UPLOADS.pop(self.query["uploadId"], (None, None))
            if key:
                OBJECTS[key] = b"".join(parts[number] for number in sorted(parts))
        if not key:
            return self.refuse(404, "NoSuchUpload")
        self.send(200, b"<CompleteMultipartUploadResult></CompleteMultipartUploadResult>")
        return True

    def do_abort(self, _):
        with LOCK:
            known = UPLOADS.get(self.query["uploadId"])
            if "lies" not in self.modes:
                UPLOADS.pop(self.query["uploadId"], None)
        if not known:
            return self.refuse(404, "NoSuchUpload")
        self.send(204)
        return True

    def do_uploads(self, _):
        with LOCK:
            found = [(key, upload) for upload, (key, _) in UPLOADS.items()
                     if key.startswith(self.query.get("prefix", ""))]
        self.send(200, ("<ListMultipartUploadsResult>%s</ListMultipartUploadsResult>" % "".join(
            "<Upload><Key>%s</Key><UploadId>%s</UploadId></Upload>" % (escape(key), upload)
            for key, upload in sorted(found))).encode())
        return True


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256
    sent = 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port-file", required=True)
    parser.add_argument("--log", required=True)
    parser.add_argument("--mode", required=True)
    parser.add_argument("--key", action="append", default=[])
    options = parser.parse_args()
    for key in options.key:
        OBJECTS[key] = b"somebody else's"
    with Server(("127.0.0.1", 0), Handler) as server, open(options.log, "w") as log:
        server.options = options
        server.log = log
        with open(options.port_file, "w") as file:
            file.write("%d\n" % server.server_address[1])
        server.serve_forever()


if __name__ == "__main__":
    main()
