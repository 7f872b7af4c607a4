/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* parsers.c - one fuzz target for all parsers of words from outside: sizes, counts, durations,
 * percentages, lists, options, the command line, manifests, statistics of mounts, files of
 * credentials, places of buckets, XML, answers of S3, answers of HTTP as they come.  The first
 * byte chooses the parser.
 *
 * `make fuzz` (clang) links it with libFuzzer; tests/unit/test_parsers.c feeds it random and
 * mutated words in every `make check`.  Beyond not crashing, properties are checked: what is
 * refused names a status, what is accepted is inside its range and stays so when it is written and
 * read again. */
#include "base/compat.h"

#include "fuzz/parsers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "cli/options.h"
#include "cli/said.h"
#include "storage/file/fileset.h"
#ifdef SYSTEM_LINUX
#include "os/linux/mountstats.h"
#endif
#ifdef HAVE_S3
#include <unistd.h>

#include "net/http_reader.h"
#include "storage/object/object.h"
#endif

#define WORD_MAX 512
#define ARGS_MAX 16

static void parse_numbers(const char *word)
{
    uint64_t value = 0, again = 0;
    double share = 0;
    struct error err = ERROR_INIT;
    char text[UNITS_TEXT];
    int result = units_parse_size(word, 1, UINT64_MAX, &value, &err);

    check_verdict(result, &err);
    if (result == 0) {
        need(value > 0);
        units_format_size(value, text); /* "64 KiB": without the blank it is a size again */
        memmove(strchr(text, ' '), strchr(text, ' ') + 1, strlen(strchr(text, ' ')));
        need(units_parse_size(text, 1, UINT64_MAX, &again, &err) == 0 && again == value);
    }
    err = ERROR_INIT;
    result = units_parse_count(word, 3, 99, &value, &err);
    check_verdict(result, &err);
    need(result < 0 || (value >= 3 && value <= 99));
    err = ERROR_INIT;
    result = units_parse_duration(word, &value, &err);
    check_verdict(result, &err);
    need(result < 0 || value > 0);
    err = ERROR_INIT;
    result = units_parse_percent(word, &share, &err);
    check_verdict(result, &err);
    need(result < 0 || (share > 0 && share <= 1));
}

static void parse_lists(const char *word)
{
    struct units_list list = {0};
    struct error err = ERROR_INIT;
    int result = units_parse_list(UNITS_SIZE, word, 1, UINT64_MAX, &list, &err);

    check_verdict(result, &err);
    need(list.count <= UNITS_LIST_MAX && (result < 0 || list.count > 0));
    err = ERROR_INIT;
    result = units_parse_list(UNITS_COUNT, word, 1, 64, &list, &err);
    check_verdict(result, &err);
    for (size_t i = 0; result == 0 && i < list.count; i++)
        need(list.value[i] >= 1 && list.value[i] <= 64);
    units_list_free(&list);
}

/* Words separated by blanks become argv. */
static void parse_command_line(char *words)
{
    static char program[] = "iosweep";
    char *argv[ARGS_MAX + 2] = {program};
    struct request request;
    struct error err = ERROR_INIT;
    int argc = 1, result;

    for (char *at = words; argc <= ARGS_MAX && at;) {
        argv[argc++] = at;
        at = strchr(at, ' ');
        if (at)
            *at++ = '\0';
    }
    result = options_parse(argc, argv, &request, &err);
    check_verdict(result, &err);
    /* a target that is not there, though it is one */
    need(result < 0 ? err.status == STATUS_USAGE || err.status == STATUS_TARGET : 1);
    options_free(&request);
}

/* What results show of a file of options can be read again, and is the same. */
static void parse_options(const char *text)
{
    struct option_file file, again;
    struct error err = ERROR_INIT;
    int result = optionfile_parse("@file", text, &file, &err);

    check_verdict(result, &err);
    need(result < 0 ? err.status == STATUS_USAGE : file.count > 0);
    for (unsigned i = 0; result == 0 && i < file.count; i++) {
        const struct option_file_line *line = &file.line[i];
        bool quotable = true; /* a word with both quotes cannot be written as one word in them */
        for (int k = 1; k < line->argc; k++)
            quotable = quotable && !(strchr(line->argv[k], '\'') && strchr(line->argv[k], '"'));
        /* at the beginning of a file a byte order mark is no word */
        if (!quotable || strncmp(line->text, "\xef\xbb\xbf", 3) == 0)
            continue;
        need(optionfile_parse("@again", line->text, &again, &err) == 0 && again.count == 1 &&
             again.line[0].argc == line->argc);
        for (int k = 1; k < line->argc; k++)
            need(strcmp(again.line[0].argv[k], line->argv[k]) == 0);
        optionfile_free(&again);
    }
    if (result == 0)
        optionfile_free(&file);
}

static void parse_manifest(const uint8_t *data, size_t size)
{
    struct life_manifest manifest, again;
    struct error err = ERROR_INIT;
    int result = life_manifest_parse((const char *)data, size, &manifest, &err);

    check_verdict(result, &err);
    need(result == 0 || !manifest.set);
    if (result == 0) { /* what is believed is what would have been written */
        char *text = life_manifest_format(&manifest);
        need(strlen(text) == size && memcmp(text, data, size) == 0);
        need(life_manifest_parse(text, size, &again, &err) == 0);
        need(target_run_name_valid(manifest.run_name));
        need(life_manifest_begins(text, size, manifest.storage, manifest.run_name));
        life_manifest_free(&again);
        if (strcmp(manifest.storage, LIFE_FILES) == 0)
            need(manifest.set->count > 0 && manifest.set->count == life_tree_files(manifest.set));
        free(text);
    }
    life_manifest_free(&manifest);
}

/* Lines of mountstats. */
static void parse_mounts(char *text)
{
#ifdef SYSTEM_LINUX
    struct mountstats stats = {.entry = "device nas:/ mounted on /nas with fstype nfs"};

    for (char *line = text; line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        mountstats_take(&stats, line);
        line = end ? end + 1 : NULL;
    }
    need(stats.traffic.rpc_count <= TARGET_RPC_MOST);
    for (uint32_t i = 0; i < stats.traffic.rpc_count; i++)
        need(stats.traffic.rpc[i].count > 0 && stats.traffic.rpc[i].name[0] &&
             strlen(stats.traffic.rpc[i].name) < TARGET_RPC_NAME);
    need(stats.operations || !stats.traffic.rpc_count);
#else
    (void)text;
#endif
}

#ifdef HAVE_S3
static void parse_run(const uint8_t *data, size_t size)
{
    struct life_manifest manifest;
    struct error err = ERROR_INIT;
    char directory[OBJECT_SET_DIRECTORY_MAX], name[80];
    unsigned set;
    uint64_t object;

    if (life_manifest_parse((const char *)data, size, &manifest, &err) != 0)
        return;
    for (unsigned i = 0; i < manifest.set_count && manifest.set[i].kind != LIFE_TREE; i++) {
        const uint32_t last = object_set_numbers(manifest.set[i].count) - 1;
        snprintf(name, sizeof(name), "%s%06" PRIu32,
                 object_set_directory(&manifest.set[i], directory), last);
        need(object_manifest_owns(&manifest, name, &set, &object)); /* it names what it names */
        need(set == i && object == last);
    }
    life_manifest_free(&manifest);
}

/* ---- an answer of HTTP/1.1, however it is cut ---- */

#define INTO_BYTES 64

struct read_answer {
    enum http_reader_result result;
    size_t used;
    bool ended; /* by the end of the connection */
    bool keeps;
    char into[INTO_BYTES];
    struct http_reader reader;
    struct http_transfer transfer;
};

/* What is read is of exactly this size, so that reading too far is seen. */
static enum http_reader_result take_exact(struct read_answer *read, const uint8_t *data,
                                          size_t bytes, size_t *used)
{
    char *exact = mem_calloc(bytes, 1);
    enum http_reader_result result;

    memcpy(exact, data, bytes);
    result = http_reader_take(&read->reader, &read->transfer, exact, bytes, used);
    need(*used <= bytes);
    free(exact);
    return result;
}

/* direct: bytes go where they belong at once, where that can be. */
static void read_in_steps(struct read_answer *read, const struct http_request *request,
                          const uint8_t *data, size_t bytes, size_t step, bool direct)
{
    struct http_request own = *request;
    size_t come = 0;

    memset(read, 0, sizeof(*read));
    own.into = read->into;
    http_transfer_begin(&read->transfer, &own);
    http_reader_begin(&read->reader, &read->transfer);
    while (read->result == HTTP_READER_MORE && come < bytes) {
        void *into;
        size_t room = direct && read->used == come
                          ? http_reader_room(&read->reader, &read->transfer, &into)
                          : 0;
        size_t now = bytes - come < step ? bytes - come : step;

        if (room > 0) {
            now = now < room ? now : room;
            memcpy(into, data + come, now);
            read->result = http_reader_put(&read->reader, &read->transfer, now);
            read->used = come += now;
            continue;
        }
        come += now;
        read->result = take_exact(read, data + read->used, come - read->used, &now);
        read->used += now;
        need(read->result != HTTP_READER_MORE || come - read->used < HTTP_LINE_BYTES);
    }
    read->keeps = http_reader_keeps(&read->reader, &read->transfer);
    read->ended = http_reader_end(&read->reader);
    need((read->result == HTTP_READER_BAD) == (read->reader.head.wrong != NULL));
    need(read->result != HTTP_READER_DONE || read->ended);
    need(!read->keeps || read->result == HTTP_READER_DONE);
}

static void need_same(const struct read_answer *a, const struct read_answer *b)
{
    const struct http_answer *x = &a->transfer.answer, *y = &b->transfer.answer;

    need(a->result == b->result && a->ended == b->ended && a->keeps == b->keeps);
    need(x->status == y->status && x->version == y->version && x->too_long == y->too_long);
    if (a->result == HTTP_READER_BAD)
        need(a->reader.head.wrong == b->reader.head.wrong);
    if (a->result == HTTP_READER_BAD || a->result == HTTP_READER_CUT)
        return; /* how far it had come depends on the pieces */
    need(a->used == b->used && x->received_bytes == y->received_bytes);
    need(x->text_bytes == y->text_bytes && memcmp(x->text, y->text, x->text_bytes) == 0);
    need(memcmp(a->into, b->into, sizeof(a->into)) == 0);
    need(strcmp(x->etag, y->etag) == 0 && x->content_length == y->content_length);
}

/* The first byte chooses what was asked for and the steps. */
static void parse_http(const uint8_t *data, size_t size)
{
    static const struct http_request request[] = {
        {.method = "GET", .sink = HTTP_COUNT, .most_bytes = 40},
        {.method = "GET", .sink = HTTP_INTO, .into_bytes = INTO_BYTES},
        {.method = "GET", .sink = HTTP_TEXT},
        {.method = "HEAD", .sink = HTTP_COUNT},
    };
    static struct read_answer whole, cut;
    const unsigned how = data[0];

    read_in_steps(&whole, &request[how & 3], data + 1, size - 1, size, false);
    for (unsigned i = 0; i < 2; i++) {
        read_in_steps(&cut, &request[how & 3], data + 1, size - 1, 1 + (how >> 2) % 61, i);
        need_same(&whole, &cut);
        http_transfer_fini(&cut.transfer);
    }
    http_transfer_fini(&whole.transfer);
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char word[WORD_MAX];
    size_t length;

    if (size < 1)
        return 0;
    length = size - 1 < sizeof(word) - 1 ? size - 1 : sizeof(word) - 1;
    memcpy(word, data + 1, length);
    word[length] = '\0';
    switch (data[0] % 15) {
    case 0:
        parse_numbers(word);
        break;
    case 1:
        parse_lists(word);
        break;
    case 2:
        parse_command_line(word);
        break;
    case 3:
        parse_manifest(data + 1, size - 1);
        break;
    case 5:
        parse_mounts(word);
        break;
    case 12:
        parse_options(word);
        break;
#ifdef HAVE_LIBCURL
    case 14:
        fuzz_webhdfs(word, length);
        break;
#endif
#ifdef HAVE_S3
    case 6:
        fuzz_credentials(data + 1, size - 1);
        break;
    case 7:
        fuzz_address(word);
        break;
    case 8:
        fuzz_xml((const char *)data + 1, size - 1);
        break;
    case 9:
        fuzz_answer(word, length);
        break;
    case 10:
        parse_run(data + 1, size - 1);
        break;
    case 13:
        if (size > 2)
            parse_http(data + 1, size - 1);
        break;
#endif
    default:
        break;
    }
    return 0;
}
