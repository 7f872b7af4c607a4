/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_http_transfer.c - the body of a request is assembled from its pieces: the same bytes for any
 * size of reads. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include "net/http_transfer.h"

static void bodies_are_the_same_in_any_steps(void **state)
{
    static const struct {
        const char *head, *body, *tail;
    } rows[] = {
        {"", "", ""},          {"", "body", ""}, {"head:", "", ""},         {"", "", ":tail"},
        {"head:", "body", ""}, {"", "b", ":t"},  {"head:", "body", ":tail"}};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct http_request request = {
            .body_head = rows[i].head,
            .head_bytes = strlen(rows[i].head),
            .body = rows[i].body,
            .body_tail = rows[i].tail,
            .tail_bytes = strlen(rows[i].tail),
            .body_bytes = strlen(rows[i].head) + strlen(rows[i].body) + strlen(rows[i].tail)};

        for (size_t step = 1; step < 20; step++) {
            struct http_transfer transfer = {0};
            char sent[32] = "", whole[32];
            size_t bytes = 0, got;

            http_transfer_begin(&transfer, &request);
            while ((got = http_transfer_fetch(sent + bytes, 1, step, &transfer)) > 0) {
                assert_within(got, 1, step);
                bytes += got;
                assert_within(bytes, 1, request.body_bytes);
            }
            (void)snprintf(whole, sizeof(whole), "%s%s%s", rows[i].head, rows[i].body,
                           rows[i].tail);
            assert_string_equal(sent, whole);
            http_transfer_fini(&transfer);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_the_same_in_any_steps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
