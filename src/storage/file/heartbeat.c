/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* heartbeat.c - a run of files that is this process's: how it takes over one that was kept, goes on
 * (life/heartbeat.h), and ends. */
#include "base/compat.h"

#include "base/clock.h"
#include "base/log.h"
#include "os/beneath.h"
#include "storage/file/driver.h"

int file_target_go_on(struct file_target *fs, struct error *err)
{
    struct life_heart *heart = &fs->heart;

    heart->place = fileset_place(&fs->run, fs->target.dir_fd, fs->target.place, false);
    heart->shown = fs->target.place;
    heart->stop = fs->target.request->stop;
    heart->renew_ns = LIFE_FILES_S * NS_PER_S;
    return life_heart_start(heart, err);
}

int file_target_take_over(struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    const bool divided = fs->manifest.set->content == LIFE_INITIAL && fs->manifest.threads > 0;
    const enum life_content content = !request->verify ? LIFE_WRITTEN
                                      : divided        ? LIFE_DIVIDED
                                                       : LIFE_PIECES;

    if (request->dry_run)
        return 0;
    if (request->writes && fs->manifest.set->content < content)
        fs->manifest.set->content = content;
    if (life_take_over(fileset_place(&fs->run, fs->target.dir_fd, fs->target.place, false),
                       &fs->manifest, fs->target.place, err) != 0)
        return -1;
    if (file_target_go_on(fs, err) == 0)
        return 0;
    file_target_give_back(fs);
    return -1;
}

/* Test fill empties the files first, and may have ended before all were whole again. */
static uint32_t count_whole(const struct file_target *fs)
{
    char name[FILESET_NAME_MAX];
    struct beneath_id id;
    uint32_t whole = 0;

    while (whole < fs->manifest.set->made &&
           beneath_look(fs->target.dir_fd,
                        fileset_name(fs->manifest.set, whole, name, sizeof(name)), &id) == 0 &&
           id.bytes == fs->manifest.set->size_bytes)
        whole++;
    return whole;
}

void file_target_give_back(struct file_target *fs)
{
    struct error own = ERROR_INIT;
    char text[1024];

    if (fs->target.request->tests & 1u << TEST_FILL)
        fs->manifest.set->made = count_whole(fs);
    fs->manifest.state.running = false;
    if (fileset_go_on(fs->target.dir_fd, fs->target.place, &fs->manifest, &own) != 0)
        log_warn("the manifest does not say that the run has ended: %s",
                 error_format(&own, text, sizeof(text)));
}
