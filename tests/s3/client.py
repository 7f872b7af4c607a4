#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""client.py - a small S3 client for the tests, of Python's own modules only.

It signs by itself, so that what iosweep sends and keeps is looked at by something that shares no
line with it.  In the environment: S3_ENDPOINT, S3_BUCKET, S3_CA, AWS_ACCESS_KEY_ID,
AWS_SECRET_ACCESS_KEY, AWS_REGION.  Commands:

    port                       a free port
    ready URL PID              waits until something answers there while the process lives
    make-bucket [NAME]         put KEY FILE        get KEY [FILE]     delete KEY
    list [PREFIX]              lines of size and key, sorted
    uploads [PREFIX]           keys of multipart uploads that are under way; MinIO lists those of a
                               whole key only
    read-only                  a bucket policy: everybody may read and list
    presign KEY [SECONDS]      a URL
    sums PREFIX                lines of SHA-256 and key
"""
import datetime
import hashlib
import hmac
import http.client
import os
import re
import socket
import ssl
import sys
import time
import urllib.parse
import xml.etree.ElementTree as tree

EMPTY = hashlib.sha256(b"").hexdigest()


def quote(text, safe=""):
    return urllib.parse.quote(text, safe="-_.~" + safe)


class Client:
    def __init__(self):
        self.url = urllib.parse.urlsplit(os.environ["S3_ENDPOINT"])
        self.bucket = os.environ["S3_BUCKET"]
        self.access = os.environ["AWS_ACCESS_KEY_ID"]
        self.secret = os.environ["AWS_SECRET_ACCESS_KEY"]
        self.region = os.environ.get("AWS_REGION", "us-east-1")

    def scope_and_key(self, date):
        scope = "%s/%s/s3/aws4_request" % (date, self.region)
        key = ("AWS4" + self.secret).encode()
        for word in scope.split("/"):
            key = hmac.new(key, word.encode(), hashlib.sha256).digest()
        return scope, key

    def signature(self, method, path, query, headers, payload, stamp):
        names = sorted(headers)
        canonical = "\n".join(
            [method, path, query]
            + ["%s:%s" % (name, headers[name]) for name in names]
            + ["", ";".join(names), payload]
        )
        scope, key = self.scope_and_key(stamp[:8])
        text = "\n".join(
            ["AWS4-HMAC-SHA256", stamp, scope, hashlib.sha256(canonical.encode()).hexdigest()]
        )
        return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()

    def place(self, key):
        return "/" + self.bucket + ("/" + quote(key, "/") if key else "")

    @staticmethod
    def now():
        return datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")

    def presign(self, key, seconds):
        stamp = self.now()
        scope, _ = self.scope_and_key(stamp[:8])
        query = "&".join(
            "%s=%s" % (name, quote(value))
            for name, value in (
                ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"),
                ("X-Amz-Credential", self.access + "/" + scope),
                ("X-Amz-Date", stamp),
                ("X-Amz-Expires", str(seconds)),
                ("X-Amz-SignedHeaders", "host"),
            )
        )
        headers = {"host": self.url.netloc}
        path = self.place(key)
        signed = self.signature("GET", path, query, headers, "UNSIGNED-PAYLOAD", stamp)
        return "%s://%s%s?%s&X-Amz-Signature=%s" % (
            self.url.scheme, self.url.netloc, path, query, signed)

    def connect(self):
        if self.url.scheme == "https":
            context = ssl.create_default_context(cafile=os.environ.get("S3_CA") or None)
            return http.client.HTTPSConnection(self.url.netloc, timeout=30, context=context)
        return http.client.HTTPConnection(self.url.netloc, timeout=30)

    def call(self, method, key="", query=None, body=b"", ok=(200, 204)):
        words = "&".join(
            "%s=%s" % (quote(name), quote(value)) for name, value in sorted((query or {}).items())
        )
        stamp = self.now()
        payload = hashlib.sha256(body).hexdigest() if body else EMPTY
        headers = {"host": self.url.netloc, "x-amz-content-sha256": payload, "x-amz-date": stamp}
        path = self.place(key)
        signed = self.signature(method, path, words, headers, payload, stamp)
        scope, _ = self.scope_and_key(stamp[:8])
        headers["authorization"] = (
            "AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%s"
            % (self.access, scope, ";".join(sorted(headers)), signed)
        )
        connection = self.connect()
        connection.request(method, path + ("?" + words if words else ""), body, headers)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        if answer.status not in ok:
            sys.exit("%s %s: %d %s" % (method, path, answer.status, data.decode("utf-8", "replace")))
        return data

    @staticmethod
    def parse(data):
        return tree.fromstring(re.sub(rb' xmlns="[^"]*"', b"", data, count=1))

    def list(self, prefix):
        query = {"list-type": "2", "prefix": prefix}
        while True:
            page = self.parse(self.call("GET", query=query))
            for entry in page.iter("Contents"):
                yield int(entry.findtext("Size")), entry.findtext("Key")
            if page.findtext("IsTruncated") != "true":
                return
            query["continuation-token"] = page.findtext("NextContinuationToken")

    def let_all_read(self):
        allow = '{"Effect":"Allow","Principal":{"AWS":["*"]},"Action":[%s],"Resource":["arn:aws:s3:::%s"]}'
        text = '{"Version":"2012-10-17","Statement":[%s,%s]}' % (
            allow % ('"s3:ListBucket"', self.bucket),
            allow % ('"s3:GetObject"', self.bucket + "/*"),
        )
        self.call("PUT", query={"policy": ""}, body=text.encode())


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_ready(url, pid):
    url = urllib.parse.urlsplit(url)
    for _ in range(2400):
        try:
            if url.scheme == "https":
                connection = http.client.HTTPSConnection(
                    url.netloc, timeout=5, context=ssl._create_unverified_context())
            else:
                connection = http.client.HTTPConnection(url.netloc, timeout=5)
            connection.request("GET", "/")
            status = connection.getresponse().status
            connection.close()
            if status < 500:  # MinIO returns 503 until it has checked its disks
                os.kill(pid, 0)  # else another process's
                return
        except (OSError, http.client.HTTPException):
            pass
        try:
            os.kill(pid, 0)
            with open("/proc/%d/stat" % pid) as stat:
                if stat.read().rpartition(")")[2].split()[0] == "Z":
                    sys.exit("the server has ended")
        except OSError:
            sys.exit("the server has ended")
        time.sleep(0.05)
    sys.exit("the server does not answer")


def main(command, *words):
    if command == "port":
        print(free_port())
        return
    if command == "ready":
        wait_ready(words[0], int(words[1]))
        return
    client = Client()
    if command == "make-bucket":
        client.bucket = words[0] if words else client.bucket
        client.call("PUT")
    elif command == "put":
        with open(words[1], "rb") as file:
            client.call("PUT", words[0], body=file.read())
    elif command == "get":
        data = client.call("GET", words[0])
        if len(words) > 1:
            with open(words[1], "wb") as file:
                file.write(data)
        else:
            sys.stdout.buffer.write(data)
    elif command == "delete":
        client.call("DELETE", words[0])
    elif command == "list":
        for size, key in sorted(client.list(words[0] if words else ""), key=lambda pair: pair[1]):
            print(size, key)
    elif command == "sums":
        for _, key in sorted(client.list(words[0] if words else ""), key=lambda pair: pair[1]):
            print(hashlib.sha256(client.call("GET", key)).hexdigest(), key)
    elif command == "uploads":
        query = {"uploads": "", "prefix": words[0]} if words else {"uploads": ""}
        for upload in client.parse(client.call("GET", query=query)).iter("Upload"):
            print(upload.findtext("Key"))
    elif command == "read-only":
        client.let_all_read()
    elif command == "presign":
        print(client.presign(words[0], words[1] if len(words) > 1 else 3600))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*(sys.argv[1:] or [""]))
