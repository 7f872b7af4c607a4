/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_date.c - see the header. Days are counted in the 400-year civil calendar from March, so that
 * leap days are at the end of the year. */
#include "base/compat.h"

#include "net/http_date.h"

#include <string.h>

bool http_date_read(const char *text, int64_t *seconds)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    static const unsigned char digit_at[] = {5, 6, 12, 13, 14, 15, 17, 18, 20, 21, 23, 24};
    int number[sizeof(digit_at)];
    char name[4] = "";
    const char *month_at;

    if (strlen(text) != 29 || strcmp(text + 25, " GMT") != 0)
        return false;
    for (size_t i = 0; i < sizeof(digit_at); i++) {
        number[i] = text[digit_at[i]] - '0';
        if (number[i] < 0 || number[i] > 9)
            return false;
    }
    memcpy(name, text + 8, 3);
    month_at = strstr(months, name);
    if (!month_at || (month_at - months) % 3 != 0 || strlen(name) != 3)
        return false;

    const int64_t day = number[0] * 10 + number[1], month = (month_at - months) / 3 + 1;
    const int64_t year =
        number[2] * 1000 + number[3] * 100 + number[4] * 10 + number[5] - (month <= 2 ? 1 : 0);
    const int64_t era = year / 400, year_of_era = year % 400;
    const int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    const int64_t days = era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 +
                         day_of_year - 719468;
    *seconds = days * 86400 + (number[6] * 10 + number[7]) * 3600 +
               (number[8] * 10 + number[9]) * 60 + number[10] * 10 + number[11];
    return true;
}
