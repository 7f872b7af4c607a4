/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_webhdfs.c - WebHDFS as a protocol of the object layer: its requests and redirects, refusals,
 * identity and addresses. */
#include "base/compat.h"

#include "unit/webhdfs_fixture.h"

#include <errno.h>
#include <unistd.h>

#include "base/mem.h"
#include "storage/object/object.h"
#include "storage/object/web/web.h"
#include "unit/sockets.h"

static const struct object_answer *ask_for(enum object_verb verb, const char *key)
{
    static struct object_call call;

    call = (struct object_call){.verb = verb, .key = key, .source_key = "d/old"};
    return ask(&call);
}

/* ---- two requests ---- */

static void test_put(void **state)
{
    static const struct fake_reply names[] = {
        REDIRECT("PUT /webhdfs/v1/d/a%20%25b?op=CREATE&overwrite=true"), {0}};
    static const struct fake_reply data[] = {
        {"PUT /webhdfs/v1/d/f?op=X", "201 Created", .body = ""}, {0}};
    const struct object_call call = {
        .verb = OBJECT_PUT, .key = "d/a %b", .body = "content", .body_bytes = 7};
    const struct object_answer *answer;

    options.replication = 2;
    options.block_bytes = 1 << 20;
    start_servers(names, data);
    answer = ask(&call);
    assert_int_equal(answer->verdict.class, OBJECT_DONE);
    assert_int_equal(answer->sent_bytes, 7);
    assert_int_equal(answer->unsent, 0);
    assert_int_equal(answer->new_connections, 2);
    assert_true(answer->times.open_ns > 0 && answer->times.open_ns < answer->times.total_ns);
    assert_true(answer->times.send_ns >= answer->times.open_ns);
    assert_int_equal(object_requests_each(service, OBJECT_PUT), 2);
    assert_string_equal(name_node.seen[0].line,
                        "PUT /webhdfs/v1/d/a%20%25b?op=CREATE&overwrite=true&replication=2"
                        "&blocksize=1048576&user.name=jo%20b HTTP/1.1");
    assert_int_equal(name_node.seen[0].body_bytes, 0);
    assert_string_equal(data_node.seen[0].body, "content");
    answer = ask(&call); /* connections to both are kept if they stay open */
    assert_int_equal(answer->new_connections, 0);
    stop_servers();
}

static void test_get_range(void **state)
{
    static const struct fake_reply names[] = {REDIRECT("op=OPEN&offset=5&length=3&"), {0}};
    static const struct fake_reply data[] = {
        {"GET ", "200 OK", .body = "abc", .times = 1}, {"GET ", "200 OK", .body = "abcd"}, {0}};
    char into[8] = "";
    const struct object_call call = {.verb = OBJECT_GET,
                                     .key = "d/f",
                                     .ranged = true,
                                     .offset_bytes = 5,
                                     .range_bytes = 3,
                                     .into = into,
                                     .into_bytes = 3};
    const struct object_answer *answer;

    start_servers(names, data);
    answer = ask(&call);
    assert_int_equal(answer->verdict.class, OBJECT_DONE);
    assert_int_equal(answer->received_bytes, 3);
    assert_string_equal(into, "abc");
    answer = ask(&call);
    assert_int_equal(answer->verdict.class, OBJECT_PROTOCOL_ERROR);
    assert_string_equal(answer->verdict.code, "TooLong");
    assert_string_equal(into, "abc");
    stop_servers();
}

/* HttpFS reads in one request, and redirects uploads to itself. */
static void test_httpfs(void **state)
{
    static const struct fake_reply names[] = {
        {"op=OPEN", "200 OK", .body = "all",
         .headers = "Set-Cookie: hadoop.auth=\"u=x&s=1\"; Path=/\r\n"},
        {"op=CREATE&data=true", "201 Created", .body = ""},
        REDIRECT("op=CREATE"),
        REDIRECT("op=APPEND"),
        {0}};
    const struct object_call put = {
        .verb = OBJECT_PUT, .key = "d/f", .body = "content", .body_bytes = 7};
    const struct object_answer *answer;

    start_servers(names, NULL);
    redirect_to(name_node.port, "op=CREATE&data=true");
    answer = ask_for(OBJECT_GET, "d/f");
    assert_int_equal(answer->verdict.class, OBJECT_DONE);
    assert_int_equal(answer->received_bytes, 3);
    assert_int_equal(answer->unsent, 1);
    assert_int_equal(answer->times.open_ns, 0);
    answer = ask(&put);
    assert_int_equal(answer->verdict.class, OBJECT_DONE);
    assert_int_equal(answer->sent_bytes, 7);
    assert_int_equal(fake_http_count(&name_node, "data=true"), 1);
    stop_servers();
}

/* ---- redirects ---- */

static void assert_strange(const char *where, const char *code)
{
    static const struct fake_reply names[] = {REDIRECT("op=CREATE"), {0}};
    const struct object_call put = {.verb = OBJECT_PUT, .key = "d/f", .body = "x", .body_bytes = 1};
    const struct object_answer *answer;

    snprintf(location, sizeof(location), "%s", where);
    start_servers(names, NULL);
    answer = ask(&put);
    assert_int_equal(answer->verdict.class, OBJECT_PROTOCOL_ERROR);
    assert_string_equal(answer->verdict.code, code);
    assert_int_equal(answer->unsent, 1);
    assert_true(answer->settled);
    assert_null(strstr(explained(answer), TOKEN));
    assert_int_equal(fake_http_count(&name_node, ""), 1);
    stop_servers();
}

static void test_locations(void **state)
{
    static const char *const bad[] = {
        "Location: /webhdfs/v1/d\r\n",
        "Location: ftp://127.0.0.1/d\r\n",
        "Location: file:///etc/passwd\r\n",
        "Location: http://\r\n",
        "Location: http:///d\r\n",
        "Location: http://user:pass@127.0.0.1/d\r\n",
        "Location: http://127.0.0.1:/d\r\n",
        "Location: http://127.0.0.1:123456/d\r\n",
        "Location: http://127.0.0.1:12a/d\r\n",
        "Location: http://127.0.0.1:80\r\n",
        "Location: http://[::1/d\r\n",
        "Location: http://host name/d\r\n",
        "Location: http://host/d e?delegation=" TOKEN "\r\n",
        "Location: http://host/\001\r\n",
    };

    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        assert_strange(bad[i], "BadLocation");
    assert_strange("", "NoLocation");
    assert_strange("Location: \r\n", "NoLocation");
}

/* If the NameNode answers an upload without a redirect, nothing was written. */
static void test_no_location(void **state)
{
    static const struct fake_reply names[] = {{"op=", "200 OK", .body = "{}"}, {0}};

    start_servers(names, NULL);
    assert_string_equal(ask_for(OBJECT_PUT, "d/f")->verdict.code, "NoLocation");
    assert_string_equal(ask_for(OBJECT_APPEND, "d/f")->verdict.code, "NoLocation");
    stop_servers();
}

/* A second redirect is refused. */
static void test_chain(void **state)
{
    static const struct fake_reply names[] = {REDIRECT("op=OPEN"), {0}};
    static const struct fake_reply data[] = {REDIRECT("GET "), {0}};
    const struct object_answer *answer;

    start_servers(names, data);
    answer = ask_for(OBJECT_GET, "d/f");
    assert_int_equal(answer->verdict.class, OBJECT_REDIRECT);
    assert_int_equal(answer->verdict.errnum, EREMCHG);
    assert_non_null(strstr(explained(answer), "unexpected redirect"));
    assert_int_equal(fake_http_count(&data_node, ""), 1);
    stop_servers();
}

/* ---- unreachable DataNodes ---- */

static void test_unreachable(void **state)
{
    static const struct fake_reply names[] = {REDIRECT("op=OPEN"), {0}};
    const struct object_answer *answer;
    const char *text;
    char wanted[80];
    unsigned port;
    const int fd = closed_port(&port);

    redirect_to(port, "op=OPEN&delegation=" TOKEN);
    start_servers(names, NULL);
    answer = ask_for(OBJECT_GET, "d/f");
    assert_int_equal(answer->verdict.class, OBJECT_NETWORK_ERROR);
    assert_int_equal(answer->verdict.errnum, ECONNREFUSED);
    text = explained(answer);
    snprintf(wanted, sizeof(wanted), "the NameNode redirects to 127.0.0.1:%u, which ", port);
    assert_non_null(strstr(text, wanted));
    assert_null(strstr(text, TOKEN));
    assert_non_null(strstr(why.advice, "--webhdfs.connect 127.0.0.1:"));
    close(fd);
    stop_servers();
}

/* An unresolvable name, and its address from --webhdfs.connect. */
static void test_connect(void **state)
{
    static const struct fake_reply names[] = {REDIRECT("op=OPEN"), {0}};
    static const struct fake_reply data[] = {{"GET ", "200 OK", .body = "abc"}, {0}};
    static char places[80];
    const struct object_answer *answer;

    fake_http_start(&data_node, data);
    snprintf(places, sizeof(places), "other:1=127.0.0.1:2,*:9=127.0.0.1:%u", data_node.port);
    options.connect = places;
    start_servers(names, NULL);
    snprintf(location, sizeof(location),
             "Location: http://datanode.invalid:9/webhdfs/v1/d/f?op=OPEN\r\n");
    answer = ask_for(OBJECT_GET, "d/f");
    assert_int_equal(answer->verdict.class, OBJECT_DONE);
    assert_int_equal(answer->received_bytes, 3);
    stop_servers();
    fake_http_stop(&data_node);
}

/* ---- refusals ---- */

static void test_exceptions(void **state)
{
    static const struct {
        const char *status, *body;
        int errnum;
        enum object_class class;
    } cases[] = {
        {"404 Not Found", REMOTE("FileNotFoundException", "x"), ENOENT, OBJECT_CLIENT_ERROR},
        {"403 Forbidden", REMOTE("AccessControlException", "x"), EACCES, OBJECT_CLIENT_ERROR},
        {"403 Forbidden", REMOTE("FileAlreadyExistsException", "x"), EEXIST, OBJECT_CLIENT_ERROR},
        {"403 Forbidden", REMOTE("AlreadyBeingCreatedException", "x"), EBUSY, OBJECT_CLIENT_ERROR},
        {"403 Forbidden", REMOTE("RecoveryInProgressException", "x"), EBUSY, OBJECT_CLIENT_ERROR},
        {"403 Forbidden", REMOTE("SafeModeException", "x"), EROFS, OBJECT_SERVER_ERROR},
        {"403 Forbidden", REMOTE("StandbyException", "x"), EREMCHG, OBJECT_REDIRECT},
        {"403 Forbidden", REMOTE("DSQuotaExceededException", "x"), EDQUOT, OBJECT_CLIENT_ERROR},
        {"403 Forbidden", REMOTE("IOException", "Offset=9 out of the range [0, 6)"), ERANGE,
         OBJECT_CLIENT_ERROR},
        {"403 Forbidden", REMOTE("IOException", "something"), EREMOTEIO, OBJECT_SERVER_ERROR},
        {"403 Forbidden", "no JSON", EACCES, OBJECT_CLIENT_ERROR},
        {"401 Unauthorized", "<html>", EACCES, OBJECT_CLIENT_ERROR},
        {"500 Internal Server Error", "", EREMOTEIO, OBJECT_SERVER_ERROR},
        {"503 Service Unavailable", "", EREMOTEIO, OBJECT_SERVER_ERROR},
        {"500 Internal Server Error", /* HttpFS */
         "<h2>HTTP ERROR 500 java.io.EOFException: Premature EOF from inputStream after skipping 5 "
         "byte(s).</h2>",
         ERANGE, OBJECT_CLIENT_ERROR},
        {"400 Bad Request",
         REMOTE("IllegalArgumentException", "Pathname /a:b from /a:b is not a valid DFS filename."),
         EOPNOTSUPP, OBJECT_CLIENT_ERROR},
        {"400 Bad Request", REMOTE("IllegalArgumentException", "x"), EINVAL, OBJECT_CLIENT_ERROR},
        {"200 OK", "{\"boolean\":false}", ENOENT, OBJECT_CLIENT_ERROR},
        {"200 OK", "{\"boolean\":3}", EPROTO, OBJECT_PROTOCOL_ERROR},
        {"200 OK", "{\"boolean\":true", EPROTO, OBJECT_PROTOCOL_ERROR},
        {"200 OK", "true", EPROTO, OBJECT_PROTOCOL_ERROR},
        {"200 OK", "{\"boolean\":true}", 0, OBJECT_DONE},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct fake_reply names[] = {{"PUT /webhdfs/v1/d/old?op=RENAME&destination=/d/new&",
                                            cases[i].status, .body = cases[i].body},
                                           {0}};
        const struct object_answer *answer;

        start_servers(names, NULL);
        answer = ask_for(OBJECT_RENAME, "d/new");
        assert_int_equal(answer->verdict.errnum, cases[i].errnum);
        assert_int_equal(answer->verdict.class, cases[i].class);
        assert_int_equal(answer->verdict.no_place, 0);
        stop_servers();
    }
}

/* A server's message is shown once, in one line, without secrets. */
static void test_words(void **state)
{
    static const struct fake_reply names[] = {
        {"op=GETFILESTATUS", "403 Forbidden",
         .body = REMOTE("SomeException", "at http://h/p?a=1&delegation=" TOKEN "&b=2 \\u001b[1m!"
                                         "\\n\\tat java.Trace")},
        {"op=DELETE", "404 Not Found", .body = "<html>nothing</html>"},
        {0}};
    const struct object_answer *answer;
    const char *text;

    start_servers(names, NULL);
    answer = ask_for(OBJECT_STAT, "d/f");
    text = explained(answer);
    assert_non_null(strstr(text, "HTTP 403 SomeException: at http://h/p?a=1&delegation=...&b=2"));
    assert_null(strstr(text, TOKEN));
    assert_null(strstr(text, "java.Trace"));
    assert_null(strchr(text, '\033'));
    answer = ask_for(OBJECT_DELETE, "d/f");
    assert_true(answer->verdict.no_place);
    (void)explained(answer);
    assert_non_null(strstr(why.advice, "9870"));
    stop_servers();
}

static void test_redaction(void **state)
{
    static const struct {
        const char *in, *out;
    } cases[] = {
        {"delegation=abcdef&x", "delegation=...&x"},
        {"delegation=", "delegation="},
        {"delegation=a", "delegation=."},
        {"a delegation=abcdef b delegation=ghijkl", "a delegation=... b delegation=..."},
        {"token=abcdef, Token=ghijkl", "token=..., Token=..."},
        {"nothing", "nothing"},
    };
    char text[80];

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        snprintf(text, sizeof(text), "%s", cases[i].in);
        secret_redact(text);
        assert_string_equal(text, cases[i].out);
    }
}

/* ---- identity ---- */

static void test_token(void **state)
{
    static const struct fake_reply names[] = {{"op=", "200 OK", .body = "{\"boolean\":true}"}, {0}};
    char *reach;

    setenv("WEBHDFS_TOKEN", TOKEN "/+", 1);
    start_servers(names, NULL);
    (void)ask_for(OBJECT_DELETE, "d/f");
    assert_string_equal(name_node.seen[0].line,
                        "DELETE /webhdfs/v1/d/f?op=DELETE&recursive=false&delegation=" TOKEN
                        "%2F%2B HTTP/1.1");
    reach = webhdfs_protocol.reach(service);
    assert_null(strstr(reach, TOKEN));
    free(reach);
    stop_servers();
    unsetenv("WEBHDFS_TOKEN");
}

/* A password is sent over TLS only. */
static void test_password(void **state)
{
    struct error err = ERROR_INIT;

    setenv("WEBHDFS_PASSWORD", "geheim", 1);
    options.user = "jo";
    assert_int_equal(webhdfs_protocol.open("webhdfs://h:1/", &options, true, &service, &err), -1);
    assert_int_equal(err.status, STATUS_USAGE);
    err = ERROR_INIT;
    assert_int_equal(webhdfs_protocol.open("swebhdfs://h:1/", &options, true, &service, &err), 0);
    assert_string_equal(webhdfs_service_of(service)->authorization,
                        "Authorization: Basic am86Z2VoZWlt");
    assert_string_equal(webhdfs_service_of(service)->identity, "");
    webhdfs_protocol.close(service);
    unsetenv("WEBHDFS_PASSWORD");
    memset(&options, 0, sizeof(options));
}

/* ---- addresses ---- */

static void test_addresses(void **state)
{
    static const struct {
        const char *target, *base, *endpoint, *prefix; /* endpoint NULL: refused */
    } cases[] = {
        {"webhdfs://Host", NULL, "http://host:9870/webhdfs/v1/", ""},
        {"webhdfs://host/", NULL, "http://host:9870/webhdfs/v1/", ""},
        {"swebhdfs://host/a b/%", NULL, "https://host:9871/webhdfs/v1/", "a b/%/"},
        {"webhdfs://[::1]:50/a/", NULL, "http://[::1]:50/webhdfs/v1/", "a/"},
        {"webhdfs://h:1/a", "/gateway/x/webhdfs/v1/", "http://h:1/gateway/x/webhdfs/v1/", "a/"},
        {"webhdfs://", NULL, NULL, NULL},
        {"webhdfs:///a", NULL, NULL, NULL},
        {"webhdfs://h:0/a", NULL, NULL, NULL},
        {"webhdfs://h:x/a", NULL, NULL, NULL},
        {"webhdfs://u:p@h/a", NULL, NULL, NULL},
        {"webhdfs://h/a/../b", NULL, NULL, NULL},
        {"webhdfs://h//a", NULL, NULL, NULL},
        {"webhdfs://h/a\nb", NULL, NULL, NULL},
        {"webhdfs://h/a", "webhdfs", NULL, NULL},
        {"webhdfs://h/a", "/a?b", NULL, NULL},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct webhdfs_options own = {.base = cases[i].base};
        struct object_service *opened;
        struct error err = ERROR_INIT;
        const int code = webhdfs_protocol.open(cases[i].target, &own, false, &opened, &err);

        assert_int_equal(code, cases[i].endpoint ? 0 : -1);
        if (code != 0) {
            assert_int_equal(err.status, STATUS_USAGE);
            assert_null(strstr(err.object, "u:p"));
            continue;
        }
        assert_string_equal(webhdfs_service_of(opened)->endpoint, cases[i].endpoint);
        assert_string_equal(opened->prefix, cases[i].prefix);
        webhdfs_protocol.close(opened);
    }
}

static void test_places(void **state)
{
    static const struct {
        const char *words, *first, *second; /* first NULL: refused */
    } cases[] = {
        {"dn1:9864=127.0.0.1:50", "dn1:9864:127.0.0.1:50", NULL},
        {"*:9864=127.0.0.1:50,dn=h", ":9864:127.0.0.1:50", "dn::h:"},
        {"*=10.0.0.1", "::10.0.0.1:", NULL},
        {"[::1]:1=[::2]:2", "[::1]:1:[::2]:2", NULL},
        {"", NULL, NULL},
        {"dn1:9864", NULL, NULL},
        {"dn1=", NULL, NULL},
        {"dn1=*", NULL, NULL},
        {"a=b,", NULL, NULL},
        {"a b=c", NULL, NULL},
        {"a:1=b:99999", NULL, NULL},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct webhdfs_options own = {.connect = cases[i].words};
        struct object_service *opened;
        struct error err = ERROR_INIT;
        const int code = webhdfs_protocol.open("webhdfs://h", &own, false, &opened, &err);
        char **places;

        assert_int_equal(code, cases[i].first ? 0 : -1);
        if (code != 0)
            continue;
        places = webhdfs_service_of(opened)->places;
        assert_string_equal(places[0], cases[i].first);
        if (cases[i].second)
            assert_string_equal(places[1], cases[i].second);
        else
            assert_null(places[1]);
        webhdfs_protocol.close(opened);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_put),         cmocka_unit_test(test_get_range),
        cmocka_unit_test(test_httpfs),      cmocka_unit_test(test_locations),
        cmocka_unit_test(test_no_location), cmocka_unit_test(test_chain),
        cmocka_unit_test(test_unreachable), cmocka_unit_test(test_connect),
        cmocka_unit_test(test_exceptions),  cmocka_unit_test(test_words),
        cmocka_unit_test(test_redaction),   cmocka_unit_test(test_token),
        cmocka_unit_test(test_password),    cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_places),
    };

    forget_environment();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
