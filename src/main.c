/* SPDX-License-Identifier: GPL-2.0-or-later */
/* main.c - the program in one page: the command line becomes a request, the request is carried out,
 * what went wrong is said in one line, and the exit status tells the rest.  Only main prints errors
 * that end the run, and only main ends the process. */
#include "base/compat.h"

#include "base/error.h"
#include "base/log.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/session.h"
#include "os/os.h"
#include "run/stop.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static enum status carry_out(const struct request *request, struct error *err)
{
    switch (request->command) {
    case COMMAND_HELP:
        help_print(stdout, err);
        break;
    case COMMAND_VERSION:
        help_print_version(stdout, err);
        break;
    case COMMAND_LIST_ENGINES:
        help_print_engines(stdout, err);
        break;
    case COMMAND_LIST_COLUMNS:
        help_print_columns(stdout, err);
        break;
    case COMMAND_SWEEP:
        return session_sweep(request, err);
    }
    return err->status;
}

/* Room for many records, so that standard output is only written by flushing, which can tell why it
 * failed; printf cannot. */
static char output_buffer[(size_t)256 << 10];

/* A file opened while a standard stream is closed would become that stream.  What takes the place of
 * standard output cannot be written to: results would be lost without a word. */
static void prepare_standard_streams(void)
{
    setvbuf(stdout, output_buffer, _IOFBF, sizeof output_buffer);
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 &&
            open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_RDWR) < 0)
            return;
}

static unsigned message_columns(void)
{
    return os_terminal_columns(STDERR_FILENO);
}

static enum status sweep(int argc, char **argv, struct error *err)
{
    struct request request;
    enum status status = STATUS_USAGE;

    stop_install();
    if (options_parse(argc, argv, &request, err) == 0) {
        log_set_level(request.quiet ? LOG_QUIET : request.verbose ? LOG_VERBOSE : LOG_NORMAL);
        status = carry_out(&request, err);
    }
    options_free(&request);
    return status;
}

int main(int argc, char **argv)
{
    const struct command *const command = command_find(argc, argv);
    struct error err = ERROR_INIT;
    enum status status;

    prepare_standard_streams();
    log_set_columns(message_columns);
    status = command ? command_run(command, argc, argv, &err) : sweep(argc, argv, &err);
    if (error_is_set(&err)) {
        char text[1024];
        log_error("%s", error_format(&err, text, sizeof text));
        status = err.status;
    }
    return (int)status;
}
