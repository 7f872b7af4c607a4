/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* color.c - see color.h. Yellow is bold, because plain yellow is illegible on white; white and
 * black are not used, because either may be the background. */
#include "base/compat.h"

#include "base/color.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const color_words[] = {
    [COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never", NULL};

static const char *const sequences[COLOR_COUNT] = {
    [COLOR_PLAIN] = "",          [COLOR_STRONG] = "\033[1m",     [COLOR_FAINT] = "\033[2m",
    [COLOR_GOOD] = "\033[32m",   [COLOR_CAUTION] = "\033[1;33m", [COLOR_ALARM] = "\033[1;31m",
    [COLOR_NAME] = "\033[1;36m",
};

static enum color_when chosen = COLOR_AUTO;
static bool no_terminal;

void color_choose(enum color_when when)
{
    chosen = when;
}

bool color_obeyed(const char *term)
{
    return term && term[0] != '\0' && strcmp(term, "dumb") != 0;
}

bool color_decide(enum color_when when, bool terminal, const char *term, const char *no_color)
{
    if (when != COLOR_AUTO)
        return when == COLOR_ALWAYS;
    return terminal && color_obeyed(term) && (!no_color || no_color[0] == '\0');
}

void color_expect_no_terminal(void)
{
    no_terminal = true;
}

bool color_terminal(int fd)
{
    return !no_terminal && isatty(fd);
}

bool color_on(int fd)
{
    return color_decide(chosen, color_terminal(fd), getenv("TERM"), getenv("NO_COLOR"));
}

const char *color_begin(bool on, enum color color)
{
    return on ? sequences[color] : "";
}

const char *color_end(bool on, enum color color)
{
    return on && color != COLOR_PLAIN ? "\033[0m" : "";
}
