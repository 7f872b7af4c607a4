#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""client.py - what is in a pool, for the tests, by Ceph's own binding for Python.

Names are those that targets of iosweep have: what is in the namespace iosweep-RUN as "PREFIX//NAME" or
"NAME" is PREFIX/iosweep-RUN/NAME or iosweep-RUN/NAME.  In the environment: CEPH_CONF, RADOS_POOL.

    put KEY FILE       get KEY [FILE]     delete KEY
    list [PREFIX]      lines of size and key, sorted
    sums [PREFIX]      lines of SHA-256 and key
"""
import hashlib
import os
import re
import sys

import rados


def place(key):
    """namespace and name of a key"""
    found = re.match(r"(?:(.*)/)?(iosweep-[^/]+)/(.+)$", key)
    if not found:
        return "", key
    prefix, space, name = found.groups()
    return space, name if prefix is None else prefix + "//" + name


def key_of(space, name):
    if not space:
        return name
    prefix, slashes, rest = name.partition("//")
    return "%s/%s/%s" % (prefix, space, rest) if slashes else "%s/%s" % (space, name)


def found(pool, prefix):
    """(space, name, key), in the order of keys"""
    pool.set_namespace(rados.LIBRADOS_ALL_NSPACES)
    all_of_it = [(key_of(one.nspace, one.key), one.nspace, one.key) for one in pool.list_objects()]
    return [(space, name, key) for key, space, name in sorted(all_of_it) if key.startswith(prefix)]


def content(pool, space, name):
    pool.set_namespace(space)
    size = pool.stat(name)[0]
    return pool.read(name, size) if size else b""


def main(command, *words):
    cluster = rados.Rados(conffile=os.environ["CEPH_CONF"])
    cluster.connect(timeout=60)
    pool = cluster.open_ioctx(os.environ["RADOS_POOL"])
    if command in ("list", "sums"):
        for space, name, key in found(pool, words[0] if words else ""):
            pool.set_namespace(space)
            if command == "list":
                print(pool.stat(name)[0], key)
            else:
                print(hashlib.sha256(content(pool, space, name)).hexdigest(), key)
        return
    space, name = place(words[0])
    pool.set_namespace(space)
    if command == "put":
        with open(words[1], "rb") as file:
            pool.write_full(name, file.read())
    elif command == "get":
        data = content(pool, space, name)
        if len(words) > 1:
            with open(words[1], "wb") as file:
                file.write(data)
        else:
            sys.stdout.buffer.write(data)
    elif command == "delete":
        pool.remove_object(name)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*(sys.argv[1:] or [""]))
