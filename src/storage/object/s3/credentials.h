/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* credentials.h - finds credentials in the environment, then in the shared files of the AWS tools.
 * Secrets are kept nowhere else: no option takes them, nothing prints them, memory is cleansed. */
#ifndef STORAGE_OBJECT_S3_CREDENTIALS_H
#define STORAGE_OBJECT_S3_CREDENTIALS_H

#include <stdbool.h>

#include "base/error.h"
#include "storage/object/s3/options.h"

struct s3_credentials {
    bool anonymous;   /* nothing is signed; the other fields are empty */
    char *access_key; /* id, not secret */
    char *secret_key;
    char *session_token; /* NULL: none */
    const char *source;  /* for messages: "the environment", "profile NAME of FILE"; a copy */
    char *source_text;
};

struct s3_profile { /* further settings from environment and files; NULL: not set */
    char *region, *endpoint, *ca_file;
};

/* Order: store.anonymous; store.profile; AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY (and
 * AWS_SESSION_TOKEN); the profile AWS_PROFILE, else "default", of AWS_SHARED_CREDENTIALS_FILE
 * (~/.aws/credentials) and AWS_CONFIG_FILE (~/.aws/config, where sections are called "profile
 * NAME"). region: AWS_REGION, AWS_DEFAULT_REGION, then the profile; endpoint: AWS_ENDPOINT_URL_S3,
 * AWS_ENDPOINT_URL, the profile's endpoint_url; ca_file: AWS_CA_BUNDLE, the profile's ca_bundle.
 * Half a pair, a missing profile, an unparsable file, values with control characters, and missing
 * credentials are errors (STATUS_TARGET) whose advice says where to put them. Files readable by
 * others are reported (log_info), not refused. Profiles that need other methods (sso, role_arn,
 * credential_process) are refused by name. Unless anonymous, core dumps of this process are
 * disabled from then on (soft RLIMIT_CORE 0). Returns 0 or -1. */
int s3_credentials_find(const struct s3_options *options, struct s3_credentials *credentials,
                        struct s3_profile *profile, struct error *err);

/* Overwrites and frees. */
void s3_credentials_free(struct s3_credentials *credentials);
void s3_profile_free(struct s3_profile *profile);

#endif
