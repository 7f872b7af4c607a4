# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Completion of iosweep(1) for fish.
# Made by contrib/completions/generate from the tables of the program: edit those.

function __iosweep_engines
    set -l command (commandline -opc)
    $command[1] help engines 2>/dev/null | string match -r '^[^ ]+'
end

function __iosweep_presets
    set -l command (commandline -opc)
    $command[1] help presets 2>/dev/null | string replace -r '^(@[^ ]+) +' '$1\t'
end

function __iosweep_columns
    printf '%s\n' \
        default \
        all \
        row \
        result \
        precision \
        latency \
        phases \
        cpu \
        storage \
        failures \
        nfs \
        objects \
        team \
        size_bytes \
        operations \
        time_s \
        throughput_bytes_per_s \
        rate_per_s \
        test \
        target \
        engine \
        cache \
        access \
        threads \
        depth \
        loop \
        rounds \
        op_ns_mean \
        op_ns_low \
        op_ns_high \
        latency_ns_p50 \
        latency_ns_p90 \
        latency_ns_p99 \
        latency_ns_p999 \
        latency_ns_max \
        cpu_ns_per_op \
        device_bytes \
        errors \
        notes \
        label \
        step \
        repeat \
        mix \
        readahead \
        align_bytes \
        filled_bytes \
        elapsed_s \
        began_unix_s \
        ended_unix_s \
        stop \
        in_flight_mean \
        thread_rate_per_s_min \
        thread_rate_per_s_max \
        stat_hits \
        stat_misses \
        list_names \
        left_objects \
        op_ns_min \
        op_ns_stddev \
        reference_ns \
        latency_ns_min \
        latency_ns_mean \
        latency_ns_stddev \
        open_ns_mean \
        open_ns_p50 \
        open_ns_p99 \
        open_ns_max \
        seek_ns_mean \
        transfer_ns_mean \
        close_ns_mean \
        close_ns_p50 \
        close_ns_p99 \
        close_ns_max \
        cpu_user_ns_per_op \
        queued_ns_per_op \
        submit_fraction \
        cpu_helper_fraction \
        resident_fraction \
        resident_fraction_before \
        cache_hit_fraction \
        errors_s \
        errors_short \
        errors_wrong \
        rpc_count \
        rpc_data_count \
        rpc_sent_bytes \
        rpc_received_bytes \
        rpc_rtt_ns_mean \
        rpc_retransmissions \
        requests \
        connections \
        lookup_ns_mean \
        connect_ns_mean \
        tls_ns_mean \
        first_byte_ns_mean \
        body_ns_mean \
        retries \
        slow_downs \
        errors_client \
        errors_server \
        errors_network \
        errors_protocol \
        http_version \
        s3_signing \
        ranks \
        rank_rate_per_s_min \
        rank_rate_per_s_max \
        rank_skew_ns_p99
end

function __iosweep_topics
    printf '%s\n' \
        sweep \
        work \
        runs \
        stop \
        output \
        safety \
        information \
        object-stores \
        s3 \
        webhdfs \
        rados \
        memory \
        targets \
        engines \
        commands \
        columns \
        notes \
        words \
        presets \
        numbers \
        status \
        all \
        clean \
        compare \
        export \
        fit \
        merge \
        plot \
        report
end

function __iosweep_first
    test (count (commandline -opc)) = 1
end

# whether the first word is one of these commands
function __iosweep_command
    set -l words (commandline -opc)
    set -q words[2]; and contains -- $words[2] $argv
end

function __iosweep_sweeps
    not __iosweep_command clean compare export fit help merge plot report
end

complete -c iosweep -n __iosweep_first -a clean -d 'remove what runs have left behind'
complete -c iosweep -n '__iosweep_command clean' -l run-name -x -d 'only this run, or those of its team of ranks'
complete -c iosweep -n '__iosweep_command clean' -l all -d 'all runs, if there are several'
complete -c iosweep -n '__iosweep_command clean' -l force -d 'also live runs, and files that are too short'
complete -c iosweep -n '__iosweep_command clean' -l dry-run -d 'list the runs, remove nothing'
complete -c iosweep -n '__iosweep_command clean' -l color -xa 'auto always never' -d 'colour'
complete -c iosweep -n '__iosweep_command clean' -l quiet -d 'only errors on standard error'
complete -c iosweep -n '__iosweep_command clean' -l verbose -d 'report more on standard error'
complete -c iosweep -n '__iosweep_command clean' -s h -l help -d 'print this help'
complete -c iosweep -n '__iosweep_command clean' -l endpoint -x -d 'the service: SCHEME://HOST[:PORT] [AWS]'
complete -c iosweep -n '__iosweep_command clean' -l region -x -d 'region of the bucket [us-east-1]'
complete -c iosweep -n '__iosweep_command clean' -l profile -x -d 'credentials of this profile [environment, default]'
complete -c iosweep -n '__iosweep_command clean' -l anonymous -d 'no credentials, unsigned requests'
complete -c iosweep -n '__iosweep_command clean' -l insecure -d 'do not verify TLS certificates'
complete -c iosweep -n '__iosweep_command clean' -l ca-file -r -d 'CA certificates to trust (PEM)'
complete -c iosweep -n '__iosweep_command clean' -l retries -x -d 'retry a failed request up to N times'
complete -c iosweep -n '__iosweep_command clean' -l request-timeout -x -d 'fail a request after TIME without progress'
complete -c iosweep -n '__iosweep_command clean' -l s3.addressing -xa 'auto path virtual' -d 'bucket in path or host'
complete -c iosweep -n '__iosweep_command clean' -l webhdfs.user -x -d 'HDFS user name [yours]'
complete -c iosweep -n '__iosweep_command clean' -l webhdfs.connect -x -d 'addresses of hosts: HOST:PORT=ADDR:PORT'
complete -c iosweep -n '__iosweep_command clean' -l webhdfs.base -x -d 'path of the service [/webhdfs/v1]'
complete -c iosweep -n '__iosweep_command clean' -l webhdfs.token-file -r -d 'delegation token [$WEBHDFS_TOKEN]'
complete -c iosweep -n '__iosweep_command clean' -l webhdfs.password-file -r -d 'for a gateway [$WEBHDFS_PASSWORD]'
complete -c iosweep -n '__iosweep_command clean' -l webhdfs.negotiate -d 'Kerberos (SPNEGO), with your ticket'
complete -c iosweep -n '__iosweep_command clean' -l rados.user -x -d 'Ceph user: NAME or client.NAME [client.admin]'
complete -c iosweep -n '__iosweep_command clean' -l rados.conf -r -d 'configuration [CEPH_CONF, /etc/ceph/ceph.conf]'
complete -c iosweep -n __iosweep_first -a compare -d 'tell whether new results differ from old ones'
complete -c iosweep -n '__iosweep_command compare' -l against -r -d 'compare each FILE with this one'
complete -c iosweep -n '__iosweep_command compare' -l by -xa 'target engine access threads depth' -d 'of FILE'
complete -c iosweep -n '__iosweep_command compare' -l tolerance -x -d 'smaller changes count as none [2%]'
complete -c iosweep -n '__iosweep_command compare' -l worse-only -d 'only slower cells count and are listed'
complete -c iosweep -n '__iosweep_command compare' -s o -l output -r -d 'write results to FILE [standard output]'
complete -c iosweep -n '__iosweep_command compare' -l format -xa 'table csv json' -d 'table (on a terminal), csv (else), json'
complete -c iosweep -n '__iosweep_command compare' -l color -xa 'auto always never' -d 'colour'
complete -c iosweep -n '__iosweep_command compare' -l quiet -d 'only errors on standard error'
complete -c iosweep -n '__iosweep_command compare' -l verbose -d 'report more on standard error'
complete -c iosweep -n '__iosweep_command compare' -s h -l help -d 'print this help'
complete -c iosweep -n __iosweep_first -a export -d 'write results as CSV, or as metrics of Prometheus'
complete -c iosweep -n '__iosweep_command export' -l format -xa 'prometheus csv' -d 'prometheus, csv [csv]'
complete -c iosweep -n '__iosweep_command export' -l columns -x -d 'names of columns, default, all'
complete -c iosweep -n '__iosweep_command export' -s o -l output -r -d 'write results to FILE [standard output]'
complete -c iosweep -n '__iosweep_command export' -l color -xa 'auto always never' -d 'colour'
complete -c iosweep -n '__iosweep_command export' -l quiet -d 'only errors on standard error'
complete -c iosweep -n '__iosweep_command export' -l verbose -d 'report more on standard error'
complete -c iosweep -n '__iosweep_command export' -s h -l help -d 'print this help'
complete -c iosweep -n __iosweep_first -a fit -d 'start-up time, bandwidth and knee of each curve in results'
complete -c iosweep -n '__iosweep_command fit' -s o -l output -r -d 'write results to FILE [standard output]'
complete -c iosweep -n '__iosweep_command fit' -l format -xa 'table csv json' -d 'table (on a terminal), csv (else), json'
complete -c iosweep -n '__iosweep_command fit' -l color -xa 'auto always never' -d 'colour'
complete -c iosweep -n '__iosweep_command fit' -l quiet -d 'only errors on standard error'
complete -c iosweep -n '__iosweep_command fit' -l verbose -d 'report more on standard error'
complete -c iosweep -n '__iosweep_command fit' -s h -l help -d 'print this help'
complete -c iosweep -n __iosweep_first -a help -d 'explain a topic, an option, or any other word of iosweep'
complete -c iosweep -n __iosweep_first -a merge -d 'add up runs that ran at the same time'
complete -c iosweep -n '__iosweep_command merge' -s o -l output -r -d 'write results to FILE [standard output]'
complete -c iosweep -n '__iosweep_command merge' -l color -xa 'auto always never' -d 'colour'
complete -c iosweep -n '__iosweep_command merge' -l quiet -d 'only errors on standard error'
complete -c iosweep -n '__iosweep_command merge' -l verbose -d 'report more on standard error'
complete -c iosweep -n '__iosweep_command merge' -s h -l help -d 'print this help'
complete -c iosweep -n __iosweep_first -a plot -d 'draw curves, maps and comparisons of results'
complete -c iosweep -n '__iosweep_command plot' -s o -l output -r -d 'write the picture to FILE.svg, .png or .pdf'
complete -c iosweep -n '__iosweep_command plot' -l format -xa 'svg png pdf text' -d 'svg, png, pdf, text'
complete -c iosweep -n '__iosweep_command plot' -l what -xa 'throughput latency cdf heat fit time series compare' -d 'see above [throughput]'
complete -c iosweep -n '__iosweep_command plot' -l color -xa 'auto always never' -d 'colour'
complete -c iosweep -n '__iosweep_command plot' -l quiet -d 'only errors on standard error'
complete -c iosweep -n '__iosweep_command plot' -l verbose -d 'report more on standard error'
complete -c iosweep -n '__iosweep_command plot' -s h -l help -d 'print this help'
complete -c iosweep -n __iosweep_first -a report -d 'write a page or tables about results'
complete -c iosweep -n '__iosweep_command report' -s o -l output -r -d 'write to FILE.html or FILE.md'
complete -c iosweep -n '__iosweep_command report' -l format -xa 'html md' -d 'html, md [end of FILE]'
complete -c iosweep -n '__iosweep_command report' -l against -r -d 'compare each FILE with this one'
complete -c iosweep -n '__iosweep_command report' -l color -xa 'auto always never' -d 'colour'
complete -c iosweep -n '__iosweep_command report' -l quiet -d 'only errors on standard error'
complete -c iosweep -n '__iosweep_command report' -l verbose -d 'report more on standard error'
complete -c iosweep -n '__iosweep_command report' -s h -l help -d 'print this help'
complete -c iosweep -n '__iosweep_command help' -xa '(__iosweep_topics)'
complete -c iosweep -n __iosweep_sweeps -l quick -d 'device and memory in ten seconds: a verdict'
complete -c iosweep -n __iosweep_sweeps -l tests -xa '(__fish_append , write read create append stat list rename copy delete fill)' -d 'steps'
complete -c iosweep -n __iosweep_sweeps -l loops -x -d 'run all of --tests N times'
complete -c iosweep -n __iosweep_sweeps -l repeat -x -d 'measure each row N times'
complete -c iosweep -n __iosweep_sweeps -l cache -xa '(__fish_append , cached asis uncached direct device)' -d 'state of the page cache'
complete -c iosweep -n __iosweep_sweeps -s b -l bypass-cache -d 'same as --cache direct (O_DIRECT)'
complete -c iosweep -n __iosweep_sweeps -l threads -x -d 'threads, such as 4 or 1..16'
complete -c iosweep -n __iosweep_sweeps -l depth -x -d 'operations in flight per thread, such as 1..64'
complete -c iosweep -n __iosweep_sweeps -l access -xa '(__fish_append , random sequential once)' -d 'access order'
complete -c iosweep -n __iosweep_sweeps -l mix -x -d 'mix reads and writes: percent of reads, e.g. 70'
complete -c iosweep -n __iosweep_sweeps -l sizes -x -d 'these sizes: 512,4k,1M or 4k..1M, or full'
complete -c iosweep -n __iosweep_sweeps -s m -l min-size -x -d 'smallest I/O size [512; objects: 4Ki]'
complete -c iosweep -n __iosweep_sweeps -s M -l max-size -x -d 'largest I/O size [4Mi; objects: 64Mi]'
complete -c iosweep -n __iosweep_sweeps -l factor -x -d 'ratio of one size to the next [2; objects: 4]'
complete -c iosweep -n __iosweep_sweeps -l engine -xa '(__fish_append , (__iosweep_engines))' -d 'I/O engines, see iosweep help engines [posix]'
complete -c iosweep -n __iosweep_sweeps -s r -l read-existing -d 'only read existing files, change nothing'
complete -c iosweep -n __iosweep_sweeps -s s -l single-file -d 'one test file instead of a tree'
complete -c iosweep -n __iosweep_sweeps -l levels -x -d 'levels in the tree of test files'
complete -c iosweep -n __iosweep_sweeps -l width -x -d 'subdirectories, or files, per directory'
complete -c iosweep -n __iosweep_sweeps -s l -l file-size -x -d 'length of test files; -r: bytes used of each'
complete -c iosweep -n __iosweep_sweeps -l small -xa 'cover skip' -d 'sizes too small for O_DIRECT'
complete -c iosweep -n __iosweep_sweeps -l sync -xa 'none data full end' -d 'durable writes'
complete -c iosweep -n __iosweep_sweeps -l readahead -xa 'normal none sequential willneed' -d 'read-ahead'
complete -c iosweep -n __iosweep_sweeps -l fill-step -x -d 'test fill: bytes per row [1/64 of the total]'
complete -c iosweep -n __iosweep_sweeps -l keep-open -d 'open files once, not in each cycle'
complete -c iosweep -n __iosweep_sweeps -l payload -xa 'random zero repeat' -d 'data to write'
complete -c iosweep -n __iosweep_sweeps -l pin -d 'pin each thread to its own processor'
complete -c iosweep -n __iosweep_sweeps -l verify -d 'verify data read, and read back data written'
complete -c iosweep -n __iosweep_sweeps -l rate -x -d 'start N operations per second (open loop)'
complete -c iosweep -n __iosweep_sweeps -l align -x -d 'align offsets to SIZE [I/O size, at most 4Ki]'
complete -c iosweep -n __iosweep_sweeps -l call-size -x -d 'split each I/O into calls of SIZE [append: 64Ki]'
complete -c iosweep -n __iosweep_sweeps -l seed -x -d 'same seed, same offsets [random]'
complete -c iosweep -n __iosweep_sweeps -l run-name -x -d 'name of this run; -r: of the kept run to read'
complete -c iosweep -n __iosweep_sweeps -l keep -d 'leave the test files in place'
complete -c iosweep -n __iosweep_sweeps -l reuse -x -d 'overwrite the files of a kept run'
complete -c iosweep -n __iosweep_sweeps -l replace -d 'first remove the remains of a run of that name'
complete -c iosweep -n __iosweep_sweeps -s n -l repetitions -x -d 'operations per row, or N/thread [until precise]'
complete -c iosweep -n __iosweep_sweeps -l precision -x -d 'required precision of a row\'s mean'
complete -c iosweep -n __iosweep_sweeps -l time -x -d 'measure each row for this long'
complete -c iosweep -n __iosweep_sweeps -l max-time -x -d 'end the run in TIME, setup included [no limit]'
complete -c iosweep -n __iosweep_sweeps -l rounds -x -d 'rounds per row'
complete -c iosweep -n __iosweep_sweeps -l max-errors -x -d 'failed operations allowed: N, N/step, P%'
complete -c iosweep -n __iosweep_sweeps -l allow-short -d 'do not count short operations as failed'
complete -c iosweep -n __iosweep_sweeps -s o -l output -r -d 'write results to FILE [standard output]'
complete -c iosweep -n __iosweep_sweeps -l format -xa 'table csv json classic' -d 'table, csv, json, classic'
complete -c iosweep -n __iosweep_sweeps -l columns -xa '(__fish_append , (__iosweep_columns))' -d 'columns or groups, see iosweep help columns'
complete -c iosweep -n __iosweep_sweeps -l separator -x -d 'field separator of csv'
complete -c iosweep -n __iosweep_sweeps -l decimal -x -d 'decimal mark of csv'
complete -c iosweep -n __iosweep_sweeps -l label -x -d 'put TEXT into the column label'
complete -c iosweep -n __iosweep_sweeps -l interval -x -d 'write a time-series record every TIME'
complete -c iosweep -n __iosweep_sweeps -l series -r -d 'write these records to FILE [standard error]'
complete -c iosweep -n __iosweep_sweeps -l brief -d 'the verdict in place of facts and findings'
complete -c iosweep -n __iosweep_sweeps -l color -xa 'auto always never' -d 'colour'
complete -c iosweep -n __iosweep_sweeps -l quiet -d 'only errors on standard error'
complete -c iosweep -n __iosweep_sweeps -l verbose -d 'report each step and all facts on standard error'
complete -c iosweep -n __iosweep_sweeps -l overwrite -d 'overwrite the file TARGET: its data are lost'
complete -c iosweep -n __iosweep_sweeps -l destroy-data -d 'write to the device TARGET: its data are lost'
complete -c iosweep -n __iosweep_sweeps -l dry-run -d 'show what would be done; touch nothing'
complete -c iosweep -n __iosweep_sweeps -s h -l help -xa '(__iosweep_topics)' -d 'print help, or help on TOPIC'
complete -c iosweep -n __iosweep_sweeps -s v -l version -d 'print version and features'
complete -c iosweep -n __iosweep_sweeps -l endpoint -x -d 'the service: SCHEME://HOST[:PORT] [AWS]'
complete -c iosweep -n __iosweep_sweeps -l region -x -d 'region of the bucket [us-east-1]'
complete -c iosweep -n __iosweep_sweeps -l profile -x -d 'credentials of this profile [environment, default]'
complete -c iosweep -n __iosweep_sweeps -l anonymous -d 'no credentials, unsigned requests'
complete -c iosweep -n __iosweep_sweeps -l insecure -d 'do not verify TLS certificates'
complete -c iosweep -n __iosweep_sweeps -l ca-file -r -d 'CA certificates to trust (PEM)'
complete -c iosweep -n __iosweep_sweeps -l retries -x -d 'retry a failed request up to N times'
complete -c iosweep -n __iosweep_sweeps -l request-timeout -x -d 'fail a request after TIME without progress'
complete -c iosweep -n __iosweep_sweeps -l reconnect -d 'a new connection for each request'
complete -c iosweep -n __iosweep_sweeps -l on -xa 'data xattr omap' -d 'what to read and write'
complete -c iosweep -n __iosweep_sweeps -l max-requests -x -d 'end the run after N requests'
complete -c iosweep -n __iosweep_sweeps -l objects -x -d 'objects per size [64, up to 256 MiB in total]'
complete -c iosweep -n __iosweep_sweeps -l object-size -x -d 'read ranges of objects of this size [whole]'
complete -c iosweep -n __iosweep_sweeps -l part-size -x -d 'upload larger objects in parts [append: 8Mi]'
complete -c iosweep -n __iosweep_sweeps -l parallel -x -d 'ranges of a read, parts of an upload at once'
complete -c iosweep -n __iosweep_sweeps -l delete-batch -x -d 'delete: objects per request'
complete -c iosweep -n __iosweep_sweeps -l list-page -x -d 'list: names per request'
complete -c iosweep -n __iosweep_sweeps -l s3.addressing -xa 'auto path virtual' -d 'bucket in path or host'
complete -c iosweep -n __iosweep_sweeps -l s3.payload -xa 'auto unsigned signed trailer' -d 'bodies'
complete -c iosweep -n __iosweep_sweeps -l s3.checksum -xa 'none md5 crc32 crc32c crc64nvme' -d 'uploads'
complete -c iosweep -n __iosweep_sweeps -l webhdfs.user -x -d 'HDFS user name [yours]'
complete -c iosweep -n __iosweep_sweeps -l webhdfs.connect -x -d 'addresses of hosts: HOST:PORT=ADDR:PORT'
complete -c iosweep -n __iosweep_sweeps -l webhdfs.base -x -d 'path of the service [/webhdfs/v1]'
complete -c iosweep -n __iosweep_sweeps -l webhdfs.token-file -r -d 'delegation token [$WEBHDFS_TOKEN]'
complete -c iosweep -n __iosweep_sweeps -l webhdfs.password-file -r -d 'for a gateway [$WEBHDFS_PASSWORD]'
complete -c iosweep -n __iosweep_sweeps -l webhdfs.negotiate -d 'Kerberos (SPNEGO), with your ticket'
complete -c iosweep -n __iosweep_sweeps -l webhdfs.replication -x -d 'copies of each block written [the server\'s]'
complete -c iosweep -n __iosweep_sweeps -l webhdfs.block-size -x -d 'block size of files written [the server\'s]'
complete -c iosweep -n __iosweep_sweeps -l rados.user -x -d 'Ceph user: NAME or client.NAME [client.admin]'
complete -c iosweep -n __iosweep_sweeps -l rados.conf -r -d 'configuration [CEPH_CONF, /etc/ceph/ceph.conf]'
complete -c iosweep -n __iosweep_sweeps -l mem.delay -x -d 'requests: as 5ms, or mix:35x0,5x3ms'
complete -c iosweep -n __iosweep_sweeps -l mem.fail -x -d 'fail every N-th request: slow-down:10,lost@put:3'
complete -c iosweep -n __iosweep_sweeps -l mem.like -xa 'bucket pool tree' -d 'supported requests'
complete -c iosweep -n __iosweep_sweeps -l io_uring.sqpoll -d 'engine io_uring: a kernel thread submits (SQPOLL)'
complete -c iosweep -n __iosweep_sweeps -l io_uring.iopoll -d 'engine io_uring: poll the device, no interrupts'
complete -c iosweep -n __iosweep_sweeps -l io_uring.link -d 'engine io_uring: each cycle as one chain'
complete -c iosweep -n __iosweep_sweeps -l io_uring.fixed -xa 'auto on off' -d 'register buffers'
complete -c iosweep -n __iosweep_sweeps -l null.delay -x -d 'as 5ms, or mix:35x0,5x3ms'
complete -c iosweep -n __iosweep_sweeps -l null.write-delay -x -d 'engine null: the same for writes [--null.delay]'
complete -c iosweep -n __iosweep_sweeps -l null.fail -x -d 'engine null: every:N of a slice, at:N of a thread'
complete -c iosweep -n __iosweep_sweeps -a '(__iosweep_presets)'
