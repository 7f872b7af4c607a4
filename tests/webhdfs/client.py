#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""client.py - what is in a directory of HDFS, for the tests, of Python's own modules only.

In the environment: WEBHDFS_URL, as in http://127.0.0.1:9870/webhdfs/v1/test, and WEBHDFS_USER.

    put KEY FILE       get KEY [FILE]     delete KEY
    list [PREFIX]      lines of size and key of all files below it, sorted
    sums [PREFIX]      lines of SHA-256 and key
    directories        those there are, a line each, also empty ones
"""
import hashlib
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def ask(method, key, operation, body=None, **parameters):
    """the answer; of an upload both steps are taken"""
    query = urllib.parse.urlencode(dict(parameters, op=operation, **{"user.name": os.environ["WEBHDFS_USER"]}))
    path = urllib.parse.quote(key)
    url = "%s/%s?%s" % (os.environ["WEBHDFS_URL"], path, query)
    if body is not None:
        request = urllib.request.Request(url + "&noredirect=true", method=method)
        url = json.load(opener.open(request, timeout=60))["Location"]
    request = urllib.request.Request(url, data=body, method=method)
    request.add_header("Content-Type", "application/octet-stream")
    return opener.open(request, timeout=60).read()


def below(directory):
    """(type, length, key) of all that is in a directory"""
    statuses = json.loads(ask("GET", directory, "LISTSTATUS"))["FileStatuses"]["FileStatus"]
    for status in statuses:
        key = (directory + "/" if directory else "") + status["pathSuffix"]
        yield status["type"], status["length"], key
        if status["type"] == "DIRECTORY":
            yield from below(key)


def files(prefix):
    return sorted((key, length) for kind, length, key in below("") if kind == "FILE" and key.startswith(prefix))


def main(command, *words):
    if command == "put":
        with open(words[1], "rb") as file:
            ask("PUT", words[0], "CREATE", body=file.read(), overwrite="true")
    elif command == "get":
        data = ask("GET", words[0], "OPEN")
        if len(words) > 1:
            with open(words[1], "wb") as file:
                file.write(data)
        else:
            sys.stdout.buffer.write(data)
    elif command == "delete":
        if not json.loads(ask("DELETE", words[0], "DELETE", recursive="true"))["boolean"]:
            sys.exit("not there: " + words[0])
    elif command == "list":
        for key, length in files(words[0] if words else ""):
            print(length, key)
    elif command == "sums":
        for key, _ in files(words[0] if words else ""):
            print(hashlib.sha256(ask("GET", key, "OPEN")).hexdigest(), key)
    elif command == "directories":
        for kind, _, key in sorted(below("")):
            if kind == "DIRECTORY":
                print(key)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main(*(sys.argv[1:] or [""]))
    except urllib.error.HTTPError as error:
        sys.exit("%s: %s" % (error, error.read().decode(errors="replace")))
