#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""vectors.py - makes tests/data/s3-vectors.h, what signatures have to be.

Each request is signed by the standard library alone (hashlib, hmac, urllib) and once more by
botocore; the two must agree, or nothing is written.  Requests, dates and signatures that Amazon
publishes in its documentation of S3 (keys AKIAIOSFODNN7EXAMPLE) are given as numbers and must come
out as well; so must the chunks and the trailer, which botocore cannot sign.

    python3 tests/s3/vectors.py >tests/data/s3-vectors.h     (needs botocore)
"""
import base64
import datetime
import hashlib
import hmac
import sys
from urllib.parse import quote

import botocore.auth
import botocore.awsrequest
import botocore.credentials
import botocore.utils

EXAMPLE = ("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
OURS = ("iosweep-id+/=", "a secret of our own: \u00e4\u20ac%20/+=~" + "x" * 100)
EMPTY = hashlib.sha256(b"").hexdigest()
UNSIGNED = "UNSIGNED-PAYLOAD"
DAY = "20130524T000000Z"
HOST = "examplebucket.s3.amazonaws.com"


def mac(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def sign(keys, region, date, text):
    key = mac(("AWS4" + keys[1]).encode(), date[:8])
    for part in (region, "s3", "aws4_request"):
        key = mac(key, part)
    return mac(key, text).hex()


def scope(region, date):
    return f"{date[:8]}/{region}/s3/aws4_request"


class Request:
    def __init__(self, name, keys, region, date, method, host, key, query=(), headers=(),
                 payload=EMPTY, published=None):
        self.name, self.keys, self.region, self.date = name, keys, region, date
        self.method, self.host, self.key, self.query = method, host, key, list(query)
        self.payload, self.published = payload, published
        self.path = quote("/" + key, safe="/-._~")
        pairs = sorted((quote(n, safe="-._~"), quote(v, safe="-._~")) for n, v in self.query)
        self.encoded = "&".join(f"{n}={v}" for n, v in pairs)
        self.extra = dict(headers)
        self.headers = sorted({**self.extra, "host": host, "x-amz-date": date,
                               "x-amz-content-sha256": payload}.items())

    def by_hand(self):
        names = ";".join(n for n, _ in self.headers)
        lines = "".join(f"{n}:{v}\n" for n, v in self.headers)
        canonical = "\n".join((self.method, self.path, self.encoded, lines, names, self.payload))
        digest = hashlib.sha256(canonical.encode()).hexdigest()
        return sign(self.keys, self.region, self.date, "\n".join(
            ("AWS4-HMAC-SHA256", self.date, scope(self.region, self.date), digest)))

    def by_botocore(self):
        moment = datetime.datetime.strptime(self.date, "%Y%m%dT%H%M%SZ")
        botocore.auth.get_current_datetime = lambda remove_tzinfo=True: moment
        extra = {n: v for n, v in self.extra.items() if n != "x-amz-security-token"}
        request = botocore.awsrequest.AWSRequest(
            method=self.method, headers=extra, params=dict(self.query) or None,
            url=f"https://{self.host}" + botocore.utils.percent_encode("/" + self.key, "/-._~"))
        auth = botocore.auth.S3SigV4Auth(
            botocore.credentials.Credentials(*self.keys, self.extra.get("x-amz-security-token")),
            "s3", self.region)
        auth.payload = lambda r: self.payload
        # botocore replaces "date" by its own; one example has both
        auth._set_necessary_date_headers = lambda r: r.headers.__setitem__("X-Amz-Date", self.date)
        auth.add_auth(request)
        return request.headers["Authorization"].rsplit("Signature=", 1)[1]

    def signature(self):
        result = self.by_hand()
        if result != self.by_botocore():
            sys.exit(f"{self.name}: {result} is not what botocore signs")
        if self.published and result != self.published:
            sys.exit(f"{self.name}: {result} is not what is published")
        return result


def example(name, method, key, published, **more):
    return Request(name, EXAMPLE, "us-east-1", DAY, method, HOST, key, published=published, **more)


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


REQUESTS = [
    example("published: GET of a range", "GET", "test.txt",
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
            headers={"range": "bytes=0-9"}),
    example("published: PUT", "PUT", "test$file.text",
            "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
            headers={"date": "Fri, 24 May 2013 00:00:00 GMT",
                     "x-amz-storage-class": "REDUCED_REDUNDANCY"},
            payload=sha("Welcome to Amazon S3.")),
    example("published: lifecycle of a bucket", "GET", "",
            "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
            query=[("lifecycle", "")]),
    example("published: list", "GET", "",
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
            query=[("max-keys", "2"), ("prefix", "J")]),
    Request("odd key", OURS, "eu-west-3", "20240229T235959Z", "GET", "127.0.0.1:9000",
            "bucket/a b+c=d~e%f&g?h#i/\u00e4\u20ac\U0001f600/(x)'!*;:@,$[]\"<>\\^`{|}"),
    Request("UNSIGNED-PAYLOAD and port", OURS, "garage", "20260101T000001Z", "PUT", "[::1]:9000",
            "bucket/prefix/iosweep-x/4096/000017", payload=UNSIGNED,
            headers={"content-type": "application/octet-stream", "content-length": "4096"}),
    Request("queries that sort by their encoded form", OURS, "us-east-1", "20260101T120000Z",
            "GET", "s3.example.net", "bucket/",
            query=[("prefix", "a b/+=&%~\u00e4"), ("list-type", "2"), ("max-keys", "7"),
                   ("delimiter", "/"), ("continuation-token", "1+/="), ("Z", "1"), ("a-b", ""),
                   ("a", "2"), ("a_b", "~")]),
    Request("session token", OURS, "ap-southeast-2", "20251231T235959Z", "DELETE",
            "bucket.s3.ap-southeast-2.amazonaws.com", "x",
            headers={"x-amz-security-token": "IQoJ" + "b3JpZ2luX2Vj/+" * 90 + "=="}),
    Request("multipart, no value", OURS, "cn-north-1", "20240301T000000Z", "POST",
            "s3.cn-north-1.amazonaws.com.cn", "old_Bucket/key", query=[("uploads", "")]),
    Request("the day before", OURS, "cn-north-1", "20240229T235959Z", "POST",
            "s3.cn-north-1.amazonaws.com.cn", "old_Bucket/key", query=[("uploads", "")]),
    Request("a key as long as they get", OURS, "us-east-1", "20260101T120000Z", "HEAD",
            "s3.example.net", "bucket/" + "\u20ac" * 341),
]


def body_chunks():
    return [b"a" * 65536, b"a" * 1024, b""]


def chunked(name, payload, extra, expected):
    """The seed and what follows from it: chunks, then the trailer if there is one."""
    headers = {"content-encoding": "aws-chunked", "x-amz-decoded-content-length": "66560",
               "x-amz-storage-class": "REDUCED_REDUNDANCY", **extra}
    request = Request(name, EXAMPLE, "us-east-1", DAY, "PUT", "s3.amazonaws.com",
                      "examplebucket/chunkObject.txt", headers=headers, payload=payload,
                      published=expected[0])
    before = request.signature()
    results = []
    for data in body_chunks():
        before = sign(EXAMPLE, "us-east-1", DAY, "\n".join(
            ("AWS4-HMAC-SHA256-PAYLOAD", DAY, scope("us-east-1", DAY), before, EMPTY,
             hashlib.sha256(data).hexdigest())))
        results.append(before)
    trailer = f"x-amz-checksum-crc32c:{base64.b64encode(crc32c(b'a' * 66560)).decode()}\n"
    before = sign(EXAMPLE, "us-east-1", DAY, "\n".join(
        ("AWS4-HMAC-SHA256-TRAILER", DAY, scope("us-east-1", DAY), before, sha(trailer))))
    results.append(before)
    for got, want in zip(results, expected[1:]):
        if not got.startswith(want[0]) or not got.endswith(want[1]):
            sys.exit(f"{name}: {got} is not what is published")
    return request, results, trailer


def crc32c(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    return (crc ^ 0xffffffff).to_bytes(4, "big")


def quoted(text):
    out, hexadecimal = "", False
    for byte in text.encode():
        plain = 32 <= byte < 127 and chr(byte) not in '"\\?'
        if plain and not (hexadecimal and chr(byte) in "0123456789abcdefABCDEF"):
            out, hexadecimal = out + chr(byte), False
        elif plain:
            out, hexadecimal = out + '" "' + chr(byte), False
        else:
            out, hexadecimal = out + f"\\x{byte:02x}", True
    return f'"{out}"'


def show(request):
    print("    {")
    for name, value in (("name", request.name), ("access_key", request.keys[0]),
                        ("secret_key", request.keys[1]), ("region", request.region),
                        ("date", request.date), ("method", request.method), ("key", request.key),
                        ("path", request.path), ("query", request.encoded),
                        ("payload", request.payload), ("signature", request.signature())):
        print(f"        .{name} = {quoted(value)},")
    print("        .header = {" + ",\n                   ".join(
        f"{{{quoted(n)}, {quoted(v)}}}" for n, v in request.headers) + "},")
    print(f"        .header_count = {len(request.headers)},\n    }},")


def main():
    print("""/* SPDX-License-Identifier: GPL-2.0-or-later */
/* s3-vectors.h - requests and what their signatures have to be.
 * Made by tests/s3/vectors.py with the standard library of Python, each signature of a request
 * checked against botocore, those of Amazon's documentation against what is published there.
 * Change the script, not this file. */
#ifndef TESTS_S3_VECTORS_H
#define TESTS_S3_VECTORS_H

#include "storage/object/s3/protocol.h"

/* clang-format off */
struct vector {
    const char *name, *access_key, *secret_key, *region, *date, *method;
    const char *key; /* with the bucket when it is in the path, not encoded */
    const char *path, *query, *payload, *signature;
    struct sigv4_header header[8];
    unsigned header_count;
};

static const struct vector vectors[] = {""")
    for request in REQUESTS:
        show(request)
    print("};\n")
    plain = chunked(
        "published: seed of chunks", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
        {"content-length": "66824"},
        ["4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9", ("ad80c730", ""),
         ("0055627c", ""), ("b6c6ea8a", "")])
    trailer = chunked(
        "published: seed of chunks with a trailer",
        "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER", {"x-amz-trailer": "x-amz-checksum-crc32c"},
        ["106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e", ("b474d886", ""),
         ("1c1344b1", ""), ("2ca2aba2", ""), ("d81f82fc", "e435")])
    print("/* Uploads of 66560 times 'a' in chunks of 65536, 1024 and 0 bytes. */")
    print("static const struct vector seeds[] = {")
    for request, _, _ in (plain, trailer):
        show(request)
    print("};\n\n/* Of the three chunks, and of the trailer behind them. */")
    print("static const char *const followers[][4] = {")
    for _, results, _ in (plain, trailer):
        print("    {" + ",\n     ".join(quoted(r) for r in results) + "},")
    print("};\n")
    print(f"#define VECTOR_TRAILER {quoted(trailer[2])}")
    print("/* clang-format on */\n\n#endif")


main()
