/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_json.c - the document is valid JSON in valid UTF-8, and each of its lines a record, whatever
 * names it contains and wherever the run ended. A small strict parser (RFC 8259) checks that; it is
 * tested first. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include "cli/options.h"
#include "out_fixture.h"

#define HEAD                                                                                     \
    "[\n{\"record\":\"head\",\"document\":\"iosweep results\",\"schema_version\":\"2.0-draft\"," \
    "\"iosweep\":\"" PACKAGE_VERSION "\","

/* The parser: each function returns what follows, or NULL if malformed. */
static const char *read_value(const char *s, int depth);

static const char *skip_blank(const char *s)
{
    return s + strspn(s, " \t\r\n");
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *read_digits(const char *s)
{
    if (!is_digit(*s))
        return NULL;
    while (is_digit(*s))
        s++;
    return s;
}

static const char *read_number(const char *s)
{
    s += *s == '-';
    if (*s == '0')
        s++;
    else if ((s = read_digits(s)) == NULL)
        return NULL;
    if (*s == '.' && (s = read_digits(s + 1)) == NULL)
        return NULL;
    if (*s == 'e' || *s == 'E') {
        s++;
        s += *s == '+' || *s == '-';
        s = read_digits(s);
    }
    return s;
}

/* Decodes one UTF-8 character: shortest form, no surrogates. */
static const char *read_utf8(const char *s)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char first = (unsigned char)*s;
    const int length = first < 0x80       ? 1
                       : first >> 5 == 6  ? 2
                       : first >> 4 == 14 ? 3
                       : first >> 3 == 30 ? 4
                                          : 0;
    uint32_t code = length == 1 ? first : first & (0x7fu >> length);
    if (length == 0)
        return NULL;
    for (int i = 1; i < length; i++) {
        if (((unsigned char)s[i] & 0xc0) != 0x80)
            return NULL;
        code = code << 6 | ((unsigned char)s[i] & 0x3fu);
    }
    if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return NULL;
    return s + length;
}

static const char *read_string(const char *s)
{
    if (*s++ != '"')
        return NULL;
    while (s && *s != '"') {
        if ((unsigned char)*s < 0x20)
            return NULL;
        if (*s != '\\') {
            s = read_utf8(s);
        } else if (s[1] == 'u') {
            if (strspn(s + 2, "0123456789abcdefABCDEF") < 4)
                return NULL;
            s += 6;
        } else {
            if (s[1] == '\0' || !strchr("\"\\/bfnrt", s[1]))
                return NULL;
            s += 2;
        }
    }
    return s ? s + 1 : NULL;
}

static const char *read_group(const char *s, int depth)
{
    const char close = *s == '{' ? '}' : ']';
    s = skip_blank(s + 1);
    if (*s == close)
        return s + 1;
    for (;;) {
        if (close == '}') {
            s = read_string(skip_blank(s));
            if (!s || *(s = skip_blank(s)) != ':')
                return NULL;
            s++;
        }
        s = read_value(s, depth + 1);
        if (!s)
            return NULL;
        s = skip_blank(s);
        if (*s == close)
            return s + 1;
        if (*s++ != ',')
            return NULL;
    }
}

static const char *read_value(const char *s, int depth)
{
    static const char *const words[] = {"true", "false", "null"};
    s = skip_blank(s);
    if (depth > 50)
        return NULL;
    if (*s == '{' || *s == '[')
        return read_group(s, depth);
    if (*s == '"')
        return read_string(s);
    for (int i = 0; i < 3; i++) {
        if (strncmp(s, words[i], strlen(words[i])) == 0)
            return s + strlen(words[i]);
    }
    return read_number(s);
}

static bool is_json(const char *text)
{
    const char *end = read_value(text, 0);
    return end && *skip_blank(end) == '\0';
}

static void test_reader(void **state)
{
    static const struct {
        const char *text;
        bool valid;
    } rows[] = {
        {"{}", true},
        {"[1,2.5,-0,1e9]", true},
        {"{\"a\":[null,true]}", true},
        {"\"\\u00e9\"", true},
        {"\"\xc3\xa9\"", true},
        {"", false},
        {"{", false},
        {"[1,]", false},
        {"{\"a\"}", false},
        {"{\"a\":}", false},
        {"{,}", false},
        {"01", false},
        {"1.", false},
        {".5", false},
        {"nan", false},
        {"\"\n\"", false},
        {"\"\\x41\"", false},
        {"\"\xff\"", false},
        {"\"\xc0\xaf\"", false},
        {"\"\xed\xa0\x80\"", false},
        {"\"\xe2\x82\"", false},
        {"{} {}", false},
        {"[1 2]", false},
        {"\"open", false},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (is_json(rows[i].text) != rows[i].valid)
            fail_msg("the reader is wrong about %s", rows[i].text);
    }
}

/* Each line is a record after "[", with a comma from the second on, before "]". */
static bool is_document(const char *text)
{
    const char *end;

    if (!is_json(text) || strncmp(text, "[\n{", 3) != 0)
        return false;
    for (text += 2; *text != ']'; text = end + 1) {
        end = *text == '{' || *text == ',' ? read_value(text + (*text == ','), 0) : NULL;
        if (!end || *end != '\n')
            return false;
    }
    return strcmp(text, "]\n") == 0;
}

static void print_rows(const char *columns, const char *label, unsigned from, unsigned to)
{
    const struct format_options options = {
        .columns = columns, .label = label, .settings = options_table};
    assert_int_equal(fixture_print(FORMAT_JSON, &options, from, to), 0);
    if (!is_document(f.text))
        fail_msg("not records: %s", f.text);
}

static void expect(const char *part)
{
    if (!strstr(f.text, part))
        fail_msg("no %s in %s", part, f.text);
}

static void test_rows(void **state)
{
    fixture_measure(&f, 0, 3, 3 * 1001);
    hist_record(&f.results[0].sum.tally.latency, 5);
    f.results[1].state = RESULT_SKIPPED;
    f.cells[1].skip = "beyond_file";
    print_rows("size_bytes,operations,time_s,test,notes,label", "x", 0, 2);
    expect("\n,{\"record\":\"row\",\"cell\":1,\"size_bytes\":2,\"operations\":3,"
           "\"time_s\":0.000003003,\"test\":\"write\",\"notes\":\"\",\"label\":\"x\","
           "\"latency_histogram\":[[5,1],[1000,3]],\"rpc\":null}"
           "\n,{\"record\":\"row\",\"cell\":2,\"size_bytes\":65536,\"operations\":0,"
           "\"time_s\":null,\"test\":\"write\",\"notes\":\"skipped:beyond_file\",\"label\":\"x\","
           "\"latency_histogram\":[],\"rpc\":null}\n,{\"record\":\"end\",\"processors\":");
}

/* A slice without failures; one with some; one in which nothing ended. The
 * record that names the row precedes the first of them. */
static void test_slices(void **state)
{
    const struct slice_record slices[] = {
        {.cell = &f.cells[1],
         .round = 1,
         .began_ns = 1500000000,
         .elapsed_ns = 20000,
         .time_ns = 10000,
         .operations = 10,
         .op_ns = 1000.5},
        {.cell = &f.cells[1],
         .round = 2,
         .began_ns = 1500020000,
         .elapsed_ns = 20000,
         .time_ns = 10000,
         .queued_ns = 4000,
         .operations = 9,
         .op_ns = 1111,
         .reference_ns = 2,
         .failed = 3,
         .latency_ns_sum = 18000,
         .latency_ns_min = 900,
         .latency_ns_max = 1200},
        {.cell = &f.cells[0],
         .round = 1,
         .time_ns = 70,
         .elapsed_ns = 70,
         .latency_ns_min = UINT64_MAX},
    };
    const struct format_options options = {.label = ""};
    struct error err = ERROR_INIT;
    struct sink sink;

    assert_int_equal(format_make(FORMAT_JSON, f.stream, &options, &sink, &err), 0);
    assert_int_equal(sink.begin(sink.arg, &f.info, &err), 0);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(sink.slice(sink.arg, &slices[i], &err), 0);
    /* already written, even if the run is killed now */
    expect("}\n,{\"record\":\"cell\",\"cell\":2,\"size_bytes\":65536,\"test\":\"write\","
           "\"target\":\"/data\",\"engine\":\"posix\",\"cache\":\"cached\",\"access\":\"random\","
           "\"threads\":1,\"depth\":1,\"loop\":1,\"label\":\"\",\"step\":1,\"repeat\":1,"
           "\"mix\":null,\"readahead\":null,\"align_bytes\":2,\"filled_bytes\":null}"
           "\n,{\"record\":\"slice\",\"cell\":2,\"round\":1,\"began_s\":1.500000000,"
           "\"elapsed_s\":0.000020000,\"operations\":10,\"bytes\":655360,\"time_ns\":10000,"
           "\"queued_ns\":0,"
           "\"failed\":0,\"latency_ns_sum\":0,\"latency_ns_min\":0,"
           "\"latency_ns_max\":0,\"op_ns\":1000.500,\"reference_ns\":null}"
           "\n,{\"record\":\"slice\",\"cell\":2,\"round\":2,\"began_s\":1.500020000,"
           "\"elapsed_s\":0.000020000,\"operations\":9,\"bytes\":589824,\"time_ns\":10000,"
           "\"queued_ns\":4000,"
           "\"failed\":3,\"latency_ns_sum\":18000,\"latency_ns_min\":900,"
           "\"latency_ns_max\":1200,\"op_ns\":1111.000,\"reference_ns\":2.000}"
           "\n,{\"record\":\"cell\",\"cell\":1,\"size_bytes\":2,");
    expect(",\"filled_bytes\":null}\n,{\"record\":\"slice\",\"cell\":1,\"round\":1,"
           "\"began_s\":0.000000000,\"elapsed_s\":0.000000070,\"operations\":0,"
           "\"bytes\":0,\"time_ns\":70,\"queued_ns\":0,\"failed\":0,\"latency_ns_sum\":0,"
           "\"latency_ns_min\":null,\"latency_ns_max\":null,\"op_ns\":null,"
           "\"reference_ns\":null}\n");
    assert_int_equal(sink.end(sink.arg, &err), 0);
    format_free(&sink);
    assert_true(is_document(f.text));
}

static void test_rpc(void **state)
{
    struct target_traffic traffic = {
        .rpc_count = 2,
        .rpc = {{"READ", .number = {7, 1, 2, 70, 700, 3, 20, 24}}, {"OPEN", .count = 6}}};
    f.results[0].rpc = &traffic;
    print_rows("rpc_count", "", 0, 1);
    expect("\"cell\":1,\"rpc_count\":13,");
    expect("\"rpc\":{\"READ\":{\"count\":7,\"retransmissions\":1,\"timeouts\":2,"
           "\"sent_bytes\":70,\"received_bytes\":700,\"queue_ms\":3,\"round_trip_ms\":20,"
           "\"execute_ms\":24},\"OPEN\":{\"count\":6,\"retransmissions\":0,");
}

/* Sums over the rows, if any are of object stores. */
static void test_requests(void **state)
{
    print_rows("size_bytes", "", 0, 2);
    assert_null(strstr(f.text, "\"requests\":{"));
    rewind(f.stream);
    for (unsigned i = 0; i < 2; i++) {
        f.results[i].sum.has_requests = true;
        f.results[i].sum.requests = (struct engine_requests){
            .count = 10 + i, .connections = 1, .sent_bytes = 500, .received_bytes = 7000};
    }
    print_rows("size_bytes", "", 0, 2);
    expect("{\"record\":\"end\",\"requests\":{\"count\":21,\"connections\":2,\"sent_bytes\":1000,"
           "\"received_bytes\":14000},\"processors\":");
}

static void test_run_facts(void **state)
{
    uint64_t depths[] = {1, 8, 64};
    f.settings.seed = UINT64_MAX;
    f.settings.precision = 0.025;
    f.settings.depths = (struct units_list){.value = depths, .count = 3};
    print_rows(NULL, NULL, 0, FIXTURE_ROWS);
    assert_memory_equal(f.text, HEAD "\"host\":{\"name\":", strlen(HEAD "\"host\":{\"name\":"));
    expect("\"targets\":[{\"target\":\"/data\",\"place\":\"/data/x\",");
    expect("\"direct_align_bytes\":null");
    expect("\"extents\":null,\"notes\":\"\"}");
#ifdef __GLIBC__ /* it has a version */
    expect("\"libraries\":[\"");
#endif
    expect("\"tests\":[\"write\",\"read\"],\"engines\":[");
    expect("\"caches\":[\"cached\"]");
    expect("\"engines\":[\"posix\"],\"engine_options\":{}");
    expect("],\"depths\":[1,8,64],");
    expect(
        "\"keep_open\":false,\"payload\":\"random\",\"pin\":false,\"verify\":false,\"rate\":null,");
    expect("],\"sizes\":[2,65536],\"existing\":"); /* those of the rows */
    expect("\"repetitions\":1000,\"precision\":0.025000,\"cell_time_ns\":null");
    expect("\"seed\":18446744073709551615,\"clock_cost_ns\":24.50,\"clock_step_ns\":1,"
           "\"loop_ns\":40.00}");
}

static void test_work_settings(void **state)
{
    f.settings.pin = f.settings.verify = f.settings.keep_open = true;
    f.settings.rate = 5000;
    f.cells[0].work.depth = 64;
    f.cells[0].verified = true;
    f.results[0].sum.tally.wrong = 2;
    print_rows("depth,errors_wrong,submit_fraction", "", 0, 1);
    expect("\"keep_open\":true,\"payload\":\"random\",\"pin\":true,\"verify\":true,\"rate\":5000,");
    expect("\"cell\":1,\"depth\":64,\"errors_wrong\":2,"
           "\"submit_fraction\":null,");
}

/* Settings for files only are absent in a run without files. */
static void test_object_store(void **state)
{
    static const char *const keys[] = {"caches",     "single_file", "levels", "width",
                                       "file_bytes", "keep_open",   "small",  "sync"};
    const struct storage_driver *driver = storage_driver_find("s3");
    void *block = calloc(1, driver->options_bytes);
    char key[32];

    option_defaults(driver->reach_options, block);
    option_defaults(driver->options, block);
    option_defaults(driver->family->reach_options, block);
    option_defaults(driver->family->options, block);
    for (unsigned d = 0; storage_driver_table[d]; d++)
        f.settings.driver_options[d] = storage_driver_table[d] == driver ? block : NULL;
    for (int remote = 0; remote < 2; remote++) {
        f.target.driver = remote ? driver : &target_file;
        rewind(f.stream);
        print_rows("size_bytes", "", 0, 1);
        for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
            snprintf(key, sizeof(key), "\"%s\":", keys[i]);
            assert_int_equal(!strstr(f.text, key), remote);
        }
        assert_int_equal(strstr(f.text, "\"object_options\":{\"anonymous\":false,") != NULL,
                         remote);
        assert_int_equal(strstr(f.text, "\"part-size\":0,") != NULL, remote);
        assert_int_equal(strstr(f.text, "\"s3.addressing\":\"auto\"") != NULL, remote);
    }
    memset(f.settings.driver_options, 0, sizeof(f.settings.driver_options));
    free(block);
}

static void test_hostile_names(void **state)
{
    char target[] = "/a\"b\\c\n\t\x01\x7f\xff\xc3(\xed\xa0\x80\xe2\x82\xc3\xa9";
    f.target.label = f.target.place = target;
    strcpy(f.target.notes, "unwritten");
    f.target.extents = (struct extents){.files = 1,
                                        .bytes = 1000,
                                        .data_bytes = 900,
                                        .hole_bytes = 100,
                                        .unknown_extents = true,
                                        .cut = true};
    print_rows(NULL, "\xff\"}],\\\n\xc0\xaf \xe2\x82\xac", 0, FIXTURE_ROWS);
    expect("\"label\":\"\\ufffd\\\"}],\\\\\\u000a\\ufffd\\ufffd \xe2\x82\xac\"");
    expect("\"place\":\"/a\\\"b\\\\c\\u000a\\u0009\\u0001\\u007f\\ufffd\\ufffd(");
    expect("\"notes\":\"unwritten\"");
    expect("\"extents\":{\"files\":1,\"bytes\":1000,\"data_bytes\":900,\"hole_bytes\":100,"
           "\"unwritten_bytes\":null,\"compressed_bytes\":null,\"inline_bytes\":null,"
           "\"complete\":false}");
}

/* Everything that printf prints for a non-number. */
static void test_not_a_number(void **state)
{
    fixture_measure(&f, 0, 3, 3000);
    fixture_rounds(&f, 0, 1000, 0);
    f.results[0].op_ns_mean = __builtin_nan("");
    f.results[0].op_ns_high = __builtin_inf();
    f.info.loop_ns = __builtin_nan("");
    print_rows("op_ns_mean,op_ns_high", "", 0, 1);
    expect("\"loop_ns\":null");
    expect("\"op_ns_mean\":null,\"op_ns_high\":null,");
}

static void test_ends_early(void **state)
{
    print_rows(NULL, "", 0, 0);
    expect("\n,{\"record\":\"end\",\"processors\":");
    assert_null(strstr(f.text, "\"row\""));
}

struct options_block {
    bool fast;
    uint64_t batch;
    unsigned mode;
    const char *secret;
};

static void test_engine_options(void **state)
{
    static const char *const modes[] = {"poll", "sleep", NULL};
    static const struct option_row rows[] = {
        {.name = "posix.fast", .type = OPTION_FLAG, .offset = offsetof(struct options_block, fast)},
        {.name = "posix.batch",
         .type = OPTION_COUNT,
         .offset = offsetof(struct options_block, batch)},
        {.name = "posix.mode",
         .type = OPTION_CHOICE,
         .offset = offsetof(struct options_block, mode),
         .choices = modes},
        {.name = "posix.secret",
         .type = OPTION_STRING,
         .offset = offsetof(struct options_block, secret)},
        {.name = NULL},
    };
    struct options_block block = {.fast = true, .batch = 16, .mode = 1, .secret = "hush"};
    f.engine.options = rows;
    f.cells[0].work.options = &block;
    print_rows(NULL, "", 0, 1);
    expect("\"engine_options\":{\"posix.fast\":true,\"posix.batch\":16,\"posix.mode\":\"sleep\"}");
    assert_null(strstr(f.text, "hush"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reader),
        cmocka_unit_test_setup_teardown(test_rows, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_slices, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_rpc, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_requests, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_run_facts, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_work_settings, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_object_store, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_hostile_names, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_not_a_number, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_ends_early, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_engine_options, set_up_fixture, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
