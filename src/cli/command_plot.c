/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* command_plot.c - `iosweep plot`: results become a program for gnuplot (analysis/plot/plot.h), and
 * that a picture.  gnuplot is looked for when it is needed.  It gets the program through a pipe and
 * writes to the descriptor it inherits: no shell, and no name of a file in what it reads. */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/compare_print.h"
#include "analysis/plot/plot.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "os/os.h"

#define SAID_BYTES    4096 /* of what gnuplot has to say, more is not looked at */
#define COLUMNS_LEAST 40
#define LINES_LEAST   12

enum what { WHAT_THROUGHPUT, WHAT_LATENCY, WHAT_TIME, WHAT_BOTH, WHAT_CDF };

struct plot_options {
    const char *output;
    unsigned format; /* enum plot_device */
    unsigned what;
    double tolerance;
    bool format_given, what_given, tolerance_given, heat, no_fit, compare, script;
};

#define FIELD(member) offsetof(struct plot_options, member)

static const char *const format_words[] = {"svg", "png", "pdf", "text", NULL};
static const char *const what_words[] = {"throughput", "latency", "time", "both", "cdf", NULL};

/* clang-format off */
static const struct option_row options[] = {
    {'o', "output", "FILE", OPTION_STRING, FIELD(output), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "write to FILE.svg, FILE.png or FILE.pdf", "Output", NULL, 0},
    {0, "format", "NAME", OPTION_CHOICE, FIELD(format), FIELD(format_given), 0, 0, format_words,
     NULL,
     NULL, "svg, png, pdf, text [end of FILE; text]", "Output", NULL, 0},
    {0, "script", NULL, OPTION_FLAG, FIELD(script), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "print the gnuplot program, not the picture", "Output", NULL, 0},
    {0, "what", "WORD", OPTION_CHOICE, FIELD(what), FIELD(what_given), 0, 0, what_words, NULL,
     NULL, "throughput, latency, time (1 / rate), both, cdf", "Picture", NULL, 0},
    {0, "heat", NULL, OPTION_FLAG, FIELD(heat), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "map of size and depth (or threads), as colour", "Picture", NULL, 0},
    {0, "no-fit", NULL, OPTION_FLAG, FIELD(no_fit), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "no fitted lines, no marks at 90 %", "Picture", NULL, 0},
    {0, "compare", NULL, OPTION_FLAG, FIELD(compare), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "FILEs are OLD NEW...: how much slower or faster", "Comparison", NULL, 0},
    {0, "tolerance", "PERCENT", OPTION_PERCENT, FIELD(tolerance), FIELD(tolerance_given), 0, 0,
     NULL, NULL, "2%", "smaller changes are no difference", "Comparison", NULL, 0},
    {.long_name = NULL},
};
/* clang-format on */

/* --- what was asked for --- */

static int find_format(const struct plot_options *block, enum plot_device *device,
                       struct error *err)
{
    const char *end = block->output ? strrchr(block->output, '.') : NULL;

    *device = (enum plot_device)block->format;
    if (block->format_given)
        return 0;
    for (unsigned i = 0; end && i < PLOT_TEXT; i++)
        if (strcmp(end + 1, format_words[i]) == 0) {
            *device = (enum plot_device)i;
            return 0;
        }
    *device = block->script ? PLOT_SVG : PLOT_TEXT;
    if (!block->output || strcmp(block->output, "-") == 0 || block->script)
        return 0;
    return error_refuse(err, STATUS_USAGE, "unknown picture format:", block->output,
                        "name it FILE.svg, FILE.png or FILE.pdf, or add --format");
}

static void find_terminal(struct plot_request *request)
{
    unsigned lines = 0;
    const unsigned columns = os_terminal_columns(STDOUT_FILENO, &lines);

    request->columns = 80;
    request->lines = 24;
    if (columns > 0 && lines > 1) {
        request->columns = columns;
        request->lines = lines - 1; /* the prompt follows */
    }
    if (request->columns < COLUMNS_LEAST)
        request->columns = COLUMNS_LEAST;
    if (request->lines < LINES_LEAST)
        request->lines = LINES_LEAST;
}

static int make_request(const struct plot_options *block, struct plot_request *request,
                        struct error *err)
{
    enum what what = (enum what)block->what;

    *request = (struct plot_request){.map = block->heat, .fit = !block->no_fit};
    if (find_format(block, &request->device, err) < 0)
        return -1;
    if (block->compare && (block->heat || block->no_fit || block->what_given))
        return error_refuse(err, STATUS_USAGE, "--compare draws ratios of times and nothing else",
                            NULL, "leave out --heat, --no-fit and --what");
    if (block->tolerance_given && !block->compare)
        return error_refuse(err, STATUS_USAGE, "--tolerance is for comparisons", NULL,
                            "add --compare");
    if (block->heat && request->device == PLOT_TEXT)
        return error_refuse(err, STATUS_USAGE, "--heat needs colours", NULL,
                            "give -o FILE.svg, FILE.png or FILE.pdf");
    if (block->heat && block->no_fit)
        return error_refuse(err, STATUS_USAGE,
                            "--heat draws no fitted lines for --no-fit to leave out", NULL,
                            "use only one");
    if (!block->what_given) { /* a terminal has room for one */
        what = WHAT_THROUGHPUT;
        request->latency_or_time = !block->heat && request->device != PLOT_TEXT;
    }
    request->throughput = what == WHAT_THROUGHPUT || what == WHAT_BOTH;
    request->time = what == WHAT_TIME || what == WHAT_BOTH;
    request->latency = what == WHAT_LATENCY;
    request->distribution = what == WHAT_CDF;
    if (request->distribution && (block->heat || block->no_fit))
        return error_refuse(err, STATUS_USAGE, "--what cdf draws distributions and nothing else",
                            NULL, "leave out --heat and --no-fit");
    request->utf8 = utf8_wanted();
    find_terminal(request);
    return 0;
}

/* --- gnuplot --- */

/* The line of what it said that tells what was wrong: "line 3: undefined variable". */
static const char *find_reason(char *said)
{
    const char *first = "";

    for (char *line = said; line && *line != '\0';) {
        char *end = strchr(line, '\n');
        const char *place;
        if (end)
            *end = '\0';
        line += strspn(line, " \t");
        place = strstr(line, "line ");
        if (place && place[5] >= '0' && place[5] <= '9' && !strstr(line, "warning:"))
            return line;
        if (first[0] == '\0')
            first = line;
        line = end ? end + 1 : NULL;
    }
    return first;
}

/* Both at once: neither side waits for the other for ever. */
static void converse(int in, int out, const char *program, size_t length, char *said)
{
    struct pollfd fds[2] = {{.fd = in, .events = POLLOUT}, {.fd = out, .events = POLLIN}};
    size_t used = 0;

    fcntl(in, F_SETFL, O_NONBLOCK);
    while (fds[0].fd >= 0 || fds[1].fd >= 0) {
        char rest[512];
        if (poll(fds, 2, -1) < 0) {
            if (errno == EINTR)
                continue;
            break;
        }
        if (fds[0].fd >= 0 && fds[0].revents != 0) {
            const ssize_t n = write(in, program, length);
            if (n > 0) {
                program += n;
                length -= (size_t)n;
            }
            if (length == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
                close(in);
                fds[0].fd = -1;
            }
        }
        if (fds[1].fd >= 0 && fds[1].revents != 0) {
            const size_t room = SAID_BYTES - 1 - used;
            const ssize_t n =
                room > 0 ? read(out, said + used, room) : read(out, rest, sizeof(rest));
            if (n > 0 && room > 0)
                used += (size_t)n;
            if (n == 0 || (n < 0 && errno != EINTR))
                fds[1].fd = -1;
        }
    }
    if (fds[0].fd >= 0)
        close(in);
    close(out);
    said[used] = '\0';
}

/* in: its standard input; picture: its standard output; messages: its standard error. */
static int spawn(const char *name, int in, int picture, int messages, pid_t *pid)
{
    char *const arguments[] = {(char *)(uintptr_t)name, (char *)(uintptr_t) "--default-settings",
                               NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t signals;
    extern char **environ;
    int code;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, picture, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    code = posix_spawnp(pid, name, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

static int refuse_gnuplot(const char *name, int code, struct error *err)
{
    error_set(err, STATUS_TARGET, code, "cannot run", name);
    return error_advise(
        err, "install gnuplot (Debian gnuplot-nox, Fedora gnuplot-minimal), or use --script to get "
             "the gnuplot program");
}

/* It repeats what it was given, names too. */
static void say_aside(char *said)
{
    char *reason;

    if (said[0] == '\0')
        return;
    reason = results_printable(mem_strdup(find_reason(said)));
    log_step("gnuplot: %s", reason);
    free(reason);
}

/* Neither end is left to a program that is started. */
static int make_pipe(int fd[2])
{
    if (pipe(fd) < 0)
        return -1;
    return fcntl(fd[0], F_SETFD, FD_CLOEXEC) < 0 || fcntl(fd[1], F_SETFD, FD_CLOEXEC) < 0 ? -1 : 0;
}

static int run_gnuplot(const char *program, size_t length, int picture, struct error *err)
{
    const char *wanted = getenv("IOSWEEP_GNUPLOT");
    const char *name = wanted != NULL && wanted[0] != '\0' ? wanted : "gnuplot";
    int in[2], out[2], code, state = 0;
    char said[SAID_BYTES];
    void (*before)(int);
    pid_t pid;

    if (make_pipe(in) < 0)
        return error_set(err, STATUS_TARGET, errno, "cannot create a pipe to", name);
    if (make_pipe(out) < 0) {
        code = errno;
        close(in[0]);
        close(in[1]);
        return error_set(err, STATUS_TARGET, code, "cannot create a pipe from", name);
    }
    code = spawn(name, in[0], picture, out[1], &pid);
    close(in[0]);
    close(out[1]);
    if (code != 0) {
        close(in[1]);
        close(out[0]);
        return refuse_gnuplot(name, code, err);
    }
    before = signal(SIGPIPE, SIG_IGN); /* it may end before it has read all */
    converse(in[1], out[0], program, length, said);
    signal(SIGPIPE, before);
    while (waitpid(pid, &state, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(state) && WEXITSTATUS(state) == 127) /* some C libraries tell it so */
        return refuse_gnuplot(name, ENOENT, err);
    if (!WIFEXITED(state) || WEXITSTATUS(state) != 0)
        return error_refuse(err, STATUS_TARGET, "gnuplot failed:", find_reason(said),
                            "--script shows the program it was given");
    say_aside(said);
    return 0;
}

/* --- the command --- */

static void tell(const struct results *files, unsigned count, const struct plot_request *request,
                 const struct plot_summary *summary)
{
    for (unsigned i = 0; i < count; i++)
        command_say_incomplete(&files[i]);
    if (summary->repeats)
        log_warn("%zu curves: some look the same; plot files of fewer tests, engines or depths",
                 summary->curves);
    if (summary->sizes_left_out > 0)
        log_info("%zu sizes between those that are drawn are left out", summary->sizes_left_out);
    if (summary->timed > 0)
        log_text("%zu curve%s of tests that move no data: only the time can be drawn",
                 summary->timed, summary->timed == 1 ? "" : "s");
    if (summary->left_out > 0)
        log_text("%zu curve%s of tests that move no data left out: --what time draws them",
                 summary->left_out, summary->left_out == 1 ? "" : "s");
    if (summary->no_latency > 0)
        log_text("%zu curve%s without latencies left out: --what time draws the time per operation",
                 summary->no_latency, summary->no_latency == 1 ? "" : "s");
    log_step("%zu %s%s, %zu fitted", summary->curves, request->map ? "map" : "curve",
             summary->curves == 1 ? "" : "s", summary->lines);
}

/* gnuplot begins letters with a form feed, which clears some terminals. */
static int draw_text(const char *program, size_t length, FILE *stream, struct error *err)
{
    FILE *picture = tmpfile();
    int result, letter, last = '\n';

    if (!picture)
        return error_set(err, STATUS_PARTIAL, errno, "cannot create a temporary file in", P_tmpdir);
    result = run_gnuplot(program, length, fileno(picture), err);
    rewind(picture);
    while (result == 0 && (letter = fgetc(picture)) != EOF)
        if (letter != '\f')
            last = fputc(letter, stream);
    if (result == 0 && last != '\n') /* it ends none */
        fputc('\n', stream);
    fclose(picture);
    return result;
}

static int draw(const struct plot_options *block, const char *const *arguments, unsigned count,
                enum plot_device device, const char *program, size_t length, struct error *err)
{
    struct command_output output;
    int result = 0;

    if (command_output_open(block->output, arguments, count, &output, err) < 0)
        return -1;
    if (block->script)
        fwrite(program, 1, length, output.stream);
    else if (device == PLOT_TEXT)
        result = draw_text(program, length, output.stream, err);
    else
        result = run_gnuplot(program, length, fileno(output.stream), err);
    return command_output_close(&output, result == 0, err) < 0 ? -1 : result;
}

/* The program for a comparison of pairs, and afterwards what it comes to. */
static int write_comparison(const struct plot_options *block, const struct results *files,
                            unsigned count, const struct plot_request *request, FILE *stream,
                            struct plot_summary *summary, struct error *err)
{
    struct match match;
    struct comparison comparison = {
        .files = files, .pairs = count / 2, .match = &match, .tolerance = block->tolerance};
    struct compare_overall *overall;
    size_t left_out;
    int result;

    if (count % 2 != 0)
        return error_refuse(err, STATUS_USAGE,
                            "--compare takes pairs of files, old and new in turns", NULL,
                            "%u were given; iosweep plot --compare OLD NEW [OLD NEW]...", count);
    if (match_files(files, count / 2, &match, err) < 0)
        return -1;
    left_out = match.lonely_count;
    overall = mem_calloc(match.test_count, sizeof(*overall));
    comparison.overall = overall;
    compare_judge(match.compared, match.count, count / 2, block->tolerance, overall,
                  match.test_count);
    result = plot_comparison(&comparison, request, stream, summary, err);
    for (size_t i = 0; i < match.count; i++)
        left_out += !(match.compared[i].is.ratio > 0);
    if (result == 0 && left_out > 0)
        log_info("cells that are not in all files, or have no figures there, and are left out: %zu",
                 left_out);
    for (unsigned test = 0; result == 0 && test < match.test_count; test++) {
        char *sentence = results_printable(compare_sentence(&comparison, test));
        log_info("%s", sentence);
        free(sentence);
    }
    free(overall);
    match_free(&match);
    return result;
}

/* Whether the files are records of --series, all of them or none. */
static int find_series(const struct plot_options *block, const struct results *files,
                       unsigned count, bool *series, struct error *err)
{
    *series = files[0].format == RESULTS_SERIES;
    for (unsigned i = 1; i < count; i++)
        if ((files[i].format == RESULTS_SERIES) != *series)
            return error_refuse(err, STATUS_USAGE,
                                "results and records of --series are no picture:", files[i].path,
                                "plot them one after the other");
    if (*series &&
        (block->heat || block->no_fit || block->compare ||
         (block->what_given && block->what != WHAT_THROUGHPUT && block->what != WHAT_LATENCY)))
        return error_refuse(
            err, STATUS_USAGE, "records of --series are drawn over time only:", files[0].path,
            "of the options of plot they take --what throughput and --what latency");
    return 0;
}

static enum status plot(const void *arg, const char *const *arguments, unsigned count,
                        struct error *err)
{
    const struct plot_options *block = arg;
    struct results *files = mem_calloc(count, sizeof(*files));
    struct plot_request request;
    struct plot_summary summary;
    char *program = NULL;
    size_t length = 0;
    unsigned read = 0;
    bool series = false;
    FILE *stream = NULL;

    if (make_request(block, &request, err) == 0)
        while (read < count &&
               results_read_any(arguments[read], request.distribution, &files[read], err) == 0)
            read++;
    if (!error_is_set(err) && (stream = open_memstream(&program, &length)) == NULL)
        error_set(err, STATUS_INTERNAL, errno, "out of memory for", "the program for gnuplot");
    if (stream) {
        if (find_series(block, files, count, &series, err) < 0)
            ;
        else if (series)
            plot_series(files, count, &request, stream, &summary, err);
        else if (block->compare)
            write_comparison(block, files, count, &request, stream, &summary, err);
        else
            plot_write(files, count, &request, stream, &summary, err);
        if (fclose(stream) != 0)
            error_set(err, STATUS_INTERNAL, errno, "out of memory for", "the program for gnuplot");
    }
    if (!error_is_set(err) &&
        draw(block, arguments, count, request.device, program, length, err) == 0)
        tell(files, read, &request, &summary);
    free(program);
    for (unsigned i = 0; i < read; i++)
        results_free(&files[i]);
    free(files);
    return error_is_set(err) ? err->status : STATUS_OK;
}

const struct command command_plot = {
    .name = "plot",
    .arguments = "FILE...",
    .summary = "draw curves, maps and comparisons of results",
    .details = "FILEs are results in CSV or JSON, or from --format classic, or records\n"
               "of --series; - is standard input.  Without -o the picture is letters on the\n"
               "terminal.  Pictures are made by gnuplot; IOSWEEP_GNUPLOT can name one that is\n"
               "not in PATH.\n",
    .options = options,
    .block_bytes = sizeof(struct plot_options),
    .takes_runs = true,
    .needs = "a file of results",
    .arguments_min = 1,
    .run = plot,
};
