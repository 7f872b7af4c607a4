/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* libs3-client.c - an S3 client that shares nothing with iosweep, on the library libs3: threads in
 * a closed loop, each with one request at a time.  `make bench-s3` compares iosweep's rates with
 * its rates, and tests/s3/libs3.sh the objects that each of them writes with what the other reads.
 *
 *     libs3-client get|put|head http://HOST[:PORT] BUCKET PREFIX OBJECTS BYTES THREADS
 *                  OPERATIONS SECONDS [FILE]
 *
 * OBJECTS keys are used in turn: PREFIX with 000000 and so on; with 0, PREFIX is the only key. An
 * answer of another size than BYTES is an error. It ends after OPERATIONS or SECONDS (0: no limit),
 * over all threads. put sends the first bytes of standard input; get writes the last body of the
 * first thread to FILE. Credentials: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION.
 * Prints names and values, after key, size and ETag of each answer for head; status 1: errors.
 *
 * libs3 2.0, in Debian, signs with Signature V2, which many servers refuse; 4.1 signs with V4. */
#include "base/compat.h"

#include <inttypes.h>
#include <libs3.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef HAVE_S3BUCKETCONTEXT_AUTHREGION
#define NO_TIMEOUT 0, /* an argument of each request */
#define SIGNATURE  "V4"
#else
#define NO_TIMEOUT
#define SIGNATURE "V2"
#endif

#define THREADS_MAX    256 /* the library waits with select(2), which supports 1024 descriptors */
#define OPERATIONS_MAX (UINT64_C(1) << 24)
#define NS_PER_S       UINT64_C(1000000000)

struct worker {
    pthread_t thread;
    S3RequestContext *context; /* keeps the connection */
    char *received;            /* NULL: the body is dropped */
    /* of the request in flight */
    char key[S3_MAX_KEY_SIZE + 1];
    uint64_t moved_bytes;
    S3Status status;
};

static char verb; /* g, p or h */
static S3BucketContext bucket = {.protocol = S3ProtocolHTTP, .uriStyle = S3UriStylePath};
static const char *prefix;
static uint64_t object_count, size_bytes, thread_count, operation_count;
static char *body; /* sent, or with FILE received by the first thread */
static uint64_t end_ns;
static uint64_t begun, errors;              /* shared by the threads */
static uint64_t latency_ns[OPERATIONS_MAX]; /* by operation; 0: it failed */
static struct worker workers[THREADS_MAX];

static __attribute__((noreturn)) void die(const char *what)
{
    fprintf(stderr, "libs3-client: %s\n", what);
    exit(2);
}

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* ---- callbacks ---- */

static S3Status on_headers(const S3ResponseProperties *properties, void *arg)
{
    struct worker *worker = arg;

    if (verb == 'h') {
        worker->moved_bytes = properties->contentLength;
        printf("%s %" PRIu64 " %s\n", worker->key, worker->moved_bytes, properties->eTag);
    }
    return S3StatusOK;
}

static S3Status on_data(int bytes, const char *data, void *arg)
{
    struct worker *worker = arg;

    if ((uint64_t)bytes > size_bytes - worker->moved_bytes)
        return S3StatusAbortedByCallback;
    if (worker->received)
        memcpy(worker->received + worker->moved_bytes, data, (size_t)bytes);
    worker->moved_bytes += (uint64_t)bytes;
    return S3StatusOK;
}

static int on_room(int room, char *data, void *arg)
{
    struct worker *worker = arg;
    const uint64_t left = size_bytes - worker->moved_bytes;
    const uint64_t bytes = left < (uint64_t)room ? left : (uint64_t)room;

    memcpy(data, body + worker->moved_bytes, bytes);
    worker->moved_bytes += bytes;
    return (int)bytes;
}

static void on_complete(S3Status status, const S3ErrorDetails *details, void *arg)
{
    struct worker *worker = arg;

    (void)details; /* those of a wrong signature contain the right one */
    worker->status = status;
}

/* ---- operations ---- */

static const S3PutObjectHandler put_handler = {{on_headers, on_complete}, on_room};
static const S3GetObjectHandler get_handler = {{on_headers, on_complete}, on_data};

/* Returns whether the operation succeeded and moved as many bytes as requested. */
static bool operate(struct worker *worker, uint64_t number)
{
    char digits[24] = "";
    S3Status status;

    if (object_count)
        snprintf(digits, sizeof(digits), "%06" PRIu64, number % object_count);
    snprintf(worker->key, sizeof(worker->key), "%s%s", prefix, digits);
    worker->moved_bytes = 0;
    worker->status = S3StatusInternalError;
    if (verb == 'p')
        S3_put_object(&bucket, worker->key, size_bytes, NULL, worker->context,
                      NO_TIMEOUT & put_handler, worker);
    else if (verb == 'g')
        S3_get_object(&bucket, worker->key, NULL, 0, 0, worker->context, NO_TIMEOUT & get_handler,
                      worker);
    else
        S3_head_object(&bucket, worker->key, worker->context,
                       NO_TIMEOUT & get_handler.responseHandler, worker);
    status = S3_runall_request_context(worker->context);
    /* the library treats a truncated answer as complete */
    return status == S3StatusOK && worker->status == S3StatusOK &&
           worker->moved_bytes == size_bytes;
}

static void *work(void *arg)
{
    struct worker *worker = arg;
    uint64_t number, start_ns = now_ns();

    while (start_ns < end_ns &&
           (number = __atomic_fetch_add(&begun, 1, __ATOMIC_RELAXED)) < operation_count) {
        const bool good = operate(worker, number);
        const uint64_t done_ns = now_ns();

        if (good)
            latency_ns[number] = done_ns - start_ns;
        else if (__atomic_fetch_add(&errors, 1, __ATOMIC_RELAXED) == 0)
            fprintf(stderr, "libs3-client (Signature " SIGNATURE "): %s: %s, %" PRIu64 " bytes\n",
                    worker->key, S3_get_status_name(worker->status), worker->moved_bytes);
        start_ns = done_ns;
    }
    return NULL;
}

/* ---- before and after ---- */

static int by_value(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return (a > b) - (a < b);
}

static void print(uint64_t elapsed_ns)
{
    const uint64_t ended = begun < operation_count ? begun : operation_count;
    const uint64_t good = ended - errors;
    const double elapsed_s = (double)elapsed_ns / (double)NS_PER_S;

    qsort(latency_ns, ended, sizeof(*latency_ns), by_value); /* failures first */
    printf("operations %" PRIu64 "\nerrors %" PRIu64 "\ntime_s %.6f\nrate_per_s %.2f\n", good,
           errors, elapsed_s, (double)good / elapsed_s);
    if (good)
        printf("latency_ns_p50 %" PRIu64 "\nlatency_ns_p99 %" PRIu64 "\n",
               latency_ns[errors + (good + 1) / 2 - 1],
               latency_ns[errors + (good * 99 + 99) / 100 - 1]);
}

static void parse(int argc, char **argv)
{
    if (argc < 10 || argc > 11 || !strchr("gph", verb = argv[1][0]) ||
        strncmp(argv[2], "http://", 7) != 0)
        die("the arguments are listed in its source");
    bucket.hostName = argv[2] + 7;
    bucket.bucketName = argv[3];
    bucket.accessKeyId = getenv("AWS_ACCESS_KEY_ID");
    bucket.secretAccessKey = getenv("AWS_SECRET_ACCESS_KEY");
#ifdef HAVE_S3BUCKETCONTEXT_AUTHREGION
    bucket.authRegion = getenv("AWS_REGION");
#endif
    prefix = argv[4];
    object_count = strtoull(argv[5], NULL, 10);
    size_bytes = strtoull(argv[6], NULL, 10);
    thread_count = strtoull(argv[7], NULL, 10);
    operation_count = strtoull(argv[8], NULL, 10);
    if (!operation_count || operation_count > OPERATIONS_MAX)
        operation_count = OPERATIONS_MAX;
    end_ns = strtoull(argv[9], NULL, 10) * NS_PER_S;
    end_ns = end_ns ? now_ns() + end_ns : UINT64_MAX;
    if (!size_bytes || !thread_count || thread_count > THREADS_MAX)
        die("BYTES and THREADS are numbers from 1 on, THREADS up to 256");
}

int main(int argc, char **argv)
{
    const char *file = argc > 10 ? argv[10] : NULL;
    FILE *stream;
    uint64_t start_ns;

    parse(argc, argv);
    body = malloc(size_bytes);
    if (!body || (verb == 'p' && fread(body, size_bytes, 1, stdin) != 1))
        die("no memory, or too few bytes on standard input");
    if (verb == 'g' && file)
        workers[0].received = body;
    signal(SIGPIPE, SIG_IGN);
    if (S3_initialize("libs3-client", S3_INIT_ALL, NULL) != S3StatusOK)
        die("libs3 does not start");
    start_ns = now_ns();
    for (uint64_t i = 0; i < thread_count; i++)
        if (S3_create_request_context(&workers[i].context) != S3StatusOK ||
            pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
            die("cannot start all threads");
    for (uint64_t i = 0; i < thread_count; i++)
        pthread_join(workers[i].thread, NULL);
    print(now_ns() - start_ns);
    if (workers[0].received && (!(stream = fopen(file, "wb")) ||
                                fwrite(body, size_bytes, 1, stream) != 1 || fclose(stream) != 0))
        die(file);
    return errors > 0;
}
