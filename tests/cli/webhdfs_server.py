#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""A service of WebHDFS in memory, for tests of what iosweep says that it asks.

webhdfs_server.py: prints its port and serves until it is killed.  The answer to GETHOMEDIRECTORY,
by which a client presents its ticket, gives a cookie.  GET /control tells what was asked since the
last time, "OPERATION=REQUESTS" a line, with refused=N of them; these parameters change it:
    refuse=OPERATION  requests for it are refused after three with the same cookie
    always=1          ... and those, too, but for the manifest of a run; each refusal gives another
                      cookie
    refuse=           nothing is refused any more
"""

import email.utils
import http.server
import json
import os
import threading
import urllib.parse

lock = threading.Lock()
files = {}
directories = {"/", "/test"}
asked = {}
state = {"refuse": "", "always": "", "cookie": 0}
uses = {}  # of a cookie


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def answer(self, status, content=b"", location=None, gives_cookie=False):
        self.send_response_only(status)
        self.send_header("Date", email.utils.formatdate(usegmt=True))
        if gives_cookie or (status == 401 and state["always"]):
            state["cookie"] += 1
            self.send_header("Set-Cookie", 'hadoop.auth="u=a&n=%d"; Path=/' % state["cookie"])
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def document(self, value, status=200):
        self.answer(status, json.dumps(value).encode())

    def missing(self, path):
        self.document({"RemoteException": {
            "exception": "FileNotFoundException", "javaClassName": "x",
            "message": "File does not exist: " + path}}, 404)

    def control(self, query):
        text = "".join("%s=%d\n" % pair for pair in sorted(asked.items()))
        asked.clear()
        for name in "refuse", "always":
            if name in query:
                state[name] = query[name]
        self.answer(200, text.encode())

    def handle_request(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with lock:
            if url.path == "/control":
                self.control(query)
            else:
                path = urllib.parse.unquote(url.path)[len("/webhdfs/v1"):].rstrip("/") or "/"
                self.serve(query, path, body)

    do_GET = do_PUT = do_POST = do_DELETE = handle_request

    def serve(self, query, path, body):
        operation = query["op"]
        asked[operation] = asked.get(operation, 0) + 1
        if operation == state["refuse"] and "second" not in query:
            cookie = self.headers.get("Cookie")
            uses[cookie] = uses.get(cookie, 0) + 1
            if (state["always"] and "/MANIFEST-" not in path) or uses[cookie] > 3:
                asked["refused"] = asked.get("refused", 0) + 1
                return self.answer(401)
        if operation in ("CREATE", "OPEN", "APPEND") and "second" not in query:
            if operation != "CREATE" and path not in files:
                return self.missing(path)
            again = "http://%s%s&second=1" % (self.headers["Host"], self.path)
            return self.answer(307, location=again)
        return getattr(self, "op_" + operation.lower())(query, path, body)

    def op_gethomedirectory(self, query, path, body):
        self.answer(200, b"{}", gives_cookie=True)

    def op_create(self, query, path, body):
        files[path] = body
        while path not in directories:
            path = os.path.dirname(path)
            directories.add(path)
        self.answer(201)

    def op_append(self, query, path, body):
        files[path] += body
        self.answer(200)

    def op_open(self, query, path, body):
        begin = int(query.get("offset", 0))
        self.answer(200, files[path][begin:begin + int(query.get("length", len(files[path])))])

    def op_getfilestatus(self, query, path, body):
        if path not in files and path not in directories:
            return self.missing(path)
        self.document({"FileStatus": {"length": len(files.get(path, b"")), "modificationTime": 1000,
                                      "type": "FILE" if path in files else "DIRECTORY"}})

    def op_rename(self, query, path, body):
        new = query["destination"]
        done = path in files and (new not in files or query.get("renameoptions") == "OVERWRITE")
        if done:
            files[new] = files.pop(path)
        if query.get("renameoptions"):
            return self.answer(200) if done else self.missing(path)
        return self.document({"boolean": done})

    def op_delete(self, query, path, body):
        inside = any(name.startswith(path + "/") for name in list(files) + list(directories))
        if inside:
            return self.document({"RemoteException": {
                "exception": "PathIsNotEmptyDirectoryException", "javaClassName": "x",
                "message": path + " is non empty"}}, 403)
        done = path in files or path in directories
        files.pop(path, None)
        directories.discard(path)
        return self.document({"boolean": done})

    def op_liststatus_batch(self, query, path, body):
        if path not in directories:
            return self.missing(path)
        found = []
        for name in sorted(list(files) + [one for one in directories if one != "/"]):
            directory, base = os.path.split(name)
            if directory == path and base > query.get("startAfter", ""):
                found.append({"pathSuffix": base, "modificationTime": 1000,
                              "type": "FILE" if name in files else "DIRECTORY",
                              "length": len(files.get(name, b""))})
        return self.document({"DirectoryListing": {
            "partialListing": {"FileStatuses": {"FileStatus": found}}, "remainingEntries": 0}})


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_address[1], flush=True)
server.serve_forever()
