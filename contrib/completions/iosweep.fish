# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of iosweep(1) for fish.
# Made by contrib/completions/generate from the tables of the program: edit those.

function __iosweep_engines
    set -l command (commandline -opc)
    $command[1] --list-engines 2>/dev/null | string match -r '^[^ ]+'
end

function __iosweep_presets
    set -l command (commandline -opc)
    $command[1] --list-presets 2>/dev/null | string replace -r '^(@[^ ]+) +' '$1\t'
end

function __iosweep_columns
    printf '%s\n' \
        size_bytes \
        operations \
        time_s \
        throughput_bytes_per_s \
        rate_per_s \
        test \
        target \
        engine \
        cache \
        threads \
        depth \
        rounds \
        op_ns_median \
        op_ns_low \
        op_ns_high \
        op_ns_best \
        latency_ns_p50 \
        latency_ns_p90 \
        latency_ns_p99 \
        latency_ns_p999 \
        latency_ns_max \
        open_ns_mean \
        transfer_ns_mean \
        close_ns_mean \
        cpu_ns_per_op \
        device_bytes \
        resident_fraction \
        errors \
        notes \
        label \
        seek_ns_mean \
        op_ns_stddev \
        short_operations \
        align_bytes \
        latency_ns_min \
        submit_fraction \
        helper_cpu_fraction \
        target_rate_per_s \
        wrong_operations \
        resident_before_fraction \
        cache_hit_fraction \
        amplification \
        rpc_count \
        rpc_data_count \
        rpc_sent_bytes \
        rpc_received_bytes \
        rpc_rtt_ns_mean \
        rpc_retransmissions \
        rpc_operations \
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
        protocol \
        connection \
        payload \
        in_flight_mean \
        elapsed_s \
        failed_s \
        latency_ns_mean \
        latency_ns_stddev \
        open_ns_p50 \
        open_ns_p99 \
        open_ns_max \
        close_ns_p50 \
        close_ns_p99 \
        close_ns_max \
        stop \
        queued_ns_per_op \
        reference_ns \
        hits \
        misses \
        names \
        step \
        loop \
        repeat \
        buffer_bytes \
        bytes \
        cpu_user_ns_per_op \
        cpu_system_ns_per_op \
        cpu_percent \
        cpu_percent_per_100mib_s \
        thread_rate_per_s_min \
        thread_rate_per_s_max \
        thread_bytes_per_s_min \
        thread_bytes_per_s_max \
        began_unix_s \
        ended_unix_s \
        short_bytes \
        access \
        mix \
        readahead \
        filled_bytes \
        parallel_parts \
        left_objects
end

# whether the first word is one of these commands
function __iosweep_command
    set -l words (commandline -opc)
    set -q words[2]; and contains -- $words[2] $argv
end

function __iosweep_sweeps
    not __iosweep_command clean compare fit merge plot probe
end

complete -c iosweep -n __fish_is_first_token -a clean -d 'remove what runs have left'
complete -c iosweep -n '__iosweep_command clean' -l run-name -x -d 'only the run of this name'
complete -c iosweep -n '__iosweep_command clean' -l all -d 'all runs, where there are several'
complete -c iosweep -n '__iosweep_command clean' -l force -d 'also runs that are still alive'
complete -c iosweep -n '__iosweep_command clean' -l dry-run -d 'list the runs, remove nothing'
complete -c iosweep -n '__iosweep_command clean' -l retries -x -d 'retry a failed request up to N times'
complete -c iosweep -n '__iosweep_command clean' -l request-timeout -x -d 'without progress: the request has failed'
complete -c iosweep -n '__iosweep_command clean' -l endpoint -x -d 'http[s]://HOST[:PORT] of the service [AWS]'
complete -c iosweep -n '__iosweep_command clean' -l region -x -d 'of the bucket [us-east-1]'
complete -c iosweep -n '__iosweep_command clean' -l insecure -d 'do not verify certificates'
complete -c iosweep -n '__iosweep_command clean' -l s3.profile -x -d 'credentials of this profile [environment, default]'
complete -c iosweep -n '__iosweep_command clean' -l s3.anonymous -d 'use no credentials, sign nothing'
complete -c iosweep -n '__iosweep_command clean' -l s3.ca-file -r -d 'certificates of authorities to trust (PEM)'
complete -c iosweep -n '__iosweep_command clean' -l s3.addressing -xa 'auto path virtual' -d 'bucket in path or host'
complete -c iosweep -n '__iosweep_command clean' -l s3.http -xa 'auto 1.1 2' -d 'HTTP'
complete -c iosweep -n '__iosweep_command clean' -l webhdfs.user -x -d 'user of the file system [who runs this]'
complete -c iosweep -n '__iosweep_command clean' -l webhdfs.connect -x -d 'HOST:PORT=ADDR:PORT where they are reached'
complete -c iosweep -n '__iosweep_command clean' -l webhdfs.base -x -d 'path of the service [/webhdfs/v1]'
complete -c iosweep -n '__iosweep_command clean' -l webhdfs.token-file -r -d 'delegation token [$WEBHDFS_TOKEN]'
complete -c iosweep -n '__iosweep_command clean' -l webhdfs.password-file -r -d 'for a gateway [$WEBHDFS_PASSWORD]'
complete -c iosweep -n '__iosweep_command clean' -l webhdfs.negotiate -d 'Kerberos (SPNEGO), with your ticket'
complete -c iosweep -n '__iosweep_command clean' -l webhdfs.ca-file -r -d 'certificates of authorities to trust (PEM)'
complete -c iosweep -n '__iosweep_command clean' -l webhdfs.insecure -d 'do not verify certificates'
complete -c iosweep -n '__iosweep_command clean' -l rados.user -x -d 'who asks: NAME or client.NAME [client.admin]'
complete -c iosweep -n '__iosweep_command clean' -l rados.conf -r -d 'configuration [CEPH_CONF, /etc/ceph/ceph.conf]'
complete -c iosweep -n '__iosweep_command clean' -s h -l help -d 'print this help'
complete -c iosweep -n '__iosweep_command clean' -l quiet -d 'nothing on standard error but errors'
complete -c iosweep -n '__iosweep_command clean' -l verbose -d 'say more on standard error'
complete -c iosweep -n __fish_is_first_token -a compare -d 'say whether new results differ from old ones'
complete -c iosweep -n '__iosweep_command compare' -l tolerance -x -d 'smaller changes are no difference'
complete -c iosweep -n '__iosweep_command compare' -l worse-only -d 'only what is slower counts and is listed'
complete -c iosweep -n '__iosweep_command compare' -l partial -d 'new files may lack cells of the old ones'
complete -c iosweep -n '__iosweep_command compare' -s o -l output -r -d 'results to FILE, not to standard output'
complete -c iosweep -n '__iosweep_command compare' -l format -xa 'table csv json' -d 'table (on a terminal), csv (else), json'
complete -c iosweep -n '__iosweep_command compare' -s h -l help -d 'print this help'
complete -c iosweep -n '__iosweep_command compare' -l quiet -d 'nothing on standard error but errors'
complete -c iosweep -n '__iosweep_command compare' -l verbose -d 'say more on standard error'
complete -c iosweep -n __fish_is_first_token -a fit -d 'start-up time, bandwidth and knee of each curve in results'
complete -c iosweep -n '__iosweep_command fit' -l residuals -d 'also each point: measured, on the line, difference'
complete -c iosweep -n '__iosweep_command fit' -s o -l output -r -d 'results to FILE, not to standard output'
complete -c iosweep -n '__iosweep_command fit' -l format -xa 'table csv json' -d 'table (on a terminal), csv (else), json'
complete -c iosweep -n '__iosweep_command fit' -s h -l help -d 'print this help'
complete -c iosweep -n '__iosweep_command fit' -l quiet -d 'nothing on standard error but errors'
complete -c iosweep -n '__iosweep_command fit' -l verbose -d 'say more on standard error'
complete -c iosweep -n __fish_is_first_token -a merge -d 'add up what several runs did at the same time'
complete -c iosweep -n '__iosweep_command merge' -s o -l output -r -d 'results to FILE, not to standard output'
complete -c iosweep -n '__iosweep_command merge' -l format -xa 'table csv json' -d 'table (on a terminal), csv (else), json'
complete -c iosweep -n '__iosweep_command merge' -s h -l help -d 'print this help'
complete -c iosweep -n '__iosweep_command merge' -l quiet -d 'nothing on standard error but errors'
complete -c iosweep -n '__iosweep_command merge' -l verbose -d 'say more on standard error'
complete -c iosweep -n __fish_is_first_token -a plot -d 'draw curves, or maps, of results'
complete -c iosweep -n '__iosweep_command plot' -s o -l output -r -d 'picture to FILE.svg, FILE.png or FILE.pdf'
complete -c iosweep -n '__iosweep_command plot' -l format -xa 'svg png pdf text' -d 'svg, png, pdf, text [end of FILE; text]'
complete -c iosweep -n '__iosweep_command plot' -l script -d 'the program for gnuplot instead of the picture'
complete -c iosweep -n '__iosweep_command plot' -l what -xa 'throughput latency time both' -d 'throughput, latency (p50 to p99), time (1 / rate), both'
complete -c iosweep -n '__iosweep_command plot' -l heat -d 'map of size and depth (or threads), as colour'
complete -c iosweep -n '__iosweep_command plot' -l no-fit -d 'no lines of the fit, no marks at 90 %'
complete -c iosweep -n '__iosweep_command plot' -s h -l help -d 'print this help'
complete -c iosweep -n '__iosweep_command plot' -l quiet -d 'nothing on standard error but errors'
complete -c iosweep -n '__iosweep_command plot' -l verbose -d 'say more on standard error'
complete -c iosweep -n __fish_is_first_token -a probe -d 'check what an object store can do, before measuring it'
complete -c iosweep -n '__iosweep_command probe' -s o -l output -r -d 'results to FILE, not to standard output'
complete -c iosweep -n '__iosweep_command probe' -l format -xa 'table csv json' -d 'table (terminal), csv (else), json'
complete -c iosweep -n '__iosweep_command probe' -l run-name -x -d 'name of the run that the objects are in [random]'
complete -c iosweep -n '__iosweep_command probe' -l max-time -x -d 'time limit in all'
complete -c iosweep -n '__iosweep_command probe' -l retries -x -d 'retry a failed request up to N times'
complete -c iosweep -n '__iosweep_command probe' -l request-timeout -x -d 'without progress: the request has failed'
complete -c iosweep -n '__iosweep_command probe' -l endpoint -x -d 'http[s]://HOST[:PORT] of the service [AWS]'
complete -c iosweep -n '__iosweep_command probe' -l region -x -d 'of the bucket [us-east-1]'
complete -c iosweep -n '__iosweep_command probe' -l insecure -d 'do not verify certificates'
complete -c iosweep -n '__iosweep_command probe' -l s3.profile -x -d 'credentials of this profile [environment, default]'
complete -c iosweep -n '__iosweep_command probe' -l s3.anonymous -d 'use no credentials, sign nothing'
complete -c iosweep -n '__iosweep_command probe' -l s3.ca-file -r -d 'certificates of authorities to trust (PEM)'
complete -c iosweep -n '__iosweep_command probe' -l s3.addressing -xa 'auto path virtual' -d 'bucket in path or host'
complete -c iosweep -n '__iosweep_command probe' -l s3.http -xa 'auto 1.1 2' -d 'HTTP'
complete -c iosweep -n '__iosweep_command probe' -l s3.payload -xa 'auto unsigned signed trailer' -d 'of bodies'
complete -c iosweep -n '__iosweep_command probe' -l s3.checksum -xa 'none md5 crc32 crc32c crc64nvme' -d 'uploads'
complete -c iosweep -n '__iosweep_command probe' -l s3.reconnect -d 'a new connection for each request'
complete -c iosweep -n '__iosweep_command probe' -l webhdfs.user -x -d 'user of the file system [who runs this]'
complete -c iosweep -n '__iosweep_command probe' -l webhdfs.connect -x -d 'HOST:PORT=ADDR:PORT where they are reached'
complete -c iosweep -n '__iosweep_command probe' -l webhdfs.base -x -d 'path of the service [/webhdfs/v1]'
complete -c iosweep -n '__iosweep_command probe' -l webhdfs.token-file -r -d 'delegation token [$WEBHDFS_TOKEN]'
complete -c iosweep -n '__iosweep_command probe' -l webhdfs.password-file -r -d 'for a gateway [$WEBHDFS_PASSWORD]'
complete -c iosweep -n '__iosweep_command probe' -l webhdfs.negotiate -d 'Kerberos (SPNEGO), with your ticket'
complete -c iosweep -n '__iosweep_command probe' -l webhdfs.ca-file -r -d 'certificates of authorities to trust (PEM)'
complete -c iosweep -n '__iosweep_command probe' -l webhdfs.insecure -d 'do not verify certificates'
complete -c iosweep -n '__iosweep_command probe' -l webhdfs.replication -x -d 'copies of each block written [the server\'s]'
complete -c iosweep -n '__iosweep_command probe' -l webhdfs.block-size -x -d 'of files that are written [the server\'s]'
complete -c iosweep -n '__iosweep_command probe' -l webhdfs.reconnect -d 'a new connection for each request'
complete -c iosweep -n '__iosweep_command probe' -l rados.user -x -d 'who asks: NAME or client.NAME [client.admin]'
complete -c iosweep -n '__iosweep_command probe' -l rados.conf -r -d 'configuration [CEPH_CONF, /etc/ceph/ceph.conf]'
complete -c iosweep -n '__iosweep_command probe' -l rados.clients -x -d 'clients that threads share [one for each]'
complete -c iosweep -n '__iosweep_command probe' -l mem.delay -x -d 'requests: 5ms, mix:35x0,5x3ms, tail:20ms,5%=1s'
complete -c iosweep -n '__iosweep_command probe' -l mem.fail -x -d 'each N-th request fails: slow-down:10,lost@put:3'
complete -c iosweep -n '__iosweep_command probe' -l mem.like -xa 'bucket pool tree' -d 'requests it knows'
complete -c iosweep -n '__iosweep_command probe' -s h -l help -d 'print this help'
complete -c iosweep -n '__iosweep_command probe' -l quiet -d 'nothing on standard error but errors'
complete -c iosweep -n '__iosweep_command probe' -l verbose -d 'say more on standard error'
complete -c iosweep -n __iosweep_sweeps -l tests -xa '(__fish_append , write read multipart create append stat list rename copy delete delete-many fill xattr-write xattr-read omap-write omap-read)' -d 'steps'
complete -c iosweep -n __iosweep_sweeps -l loops -x -d 'do all of --tests so many times'
complete -c iosweep -n __iosweep_sweeps -l repeat -x -d 'measure each row so many times in turn'
complete -c iosweep -n __iosweep_sweeps -l cache -xa '(__fish_append , cached asis uncached direct)' -d 'cache'
complete -c iosweep -n __iosweep_sweeps -s b -l bypass-cache -d 'same as --cache direct (O_DIRECT)'
complete -c iosweep -n __iosweep_sweeps -l threads -x -d 'threads, such as 4 or 1..16'
complete -c iosweep -n __iosweep_sweeps -l depth -x -d 'operations in flight per thread, such as 1..64'
complete -c iosweep -n __iosweep_sweeps -l access -xa '(__fish_append , random sequential once)' -d 'order of places'
complete -c iosweep -n __iosweep_sweeps -l mix -x -d 'writes and reads at once: percent of reads, as 70'
complete -c iosweep -n __iosweep_sweeps -l sizes -x -d 'sizes instead: 512,4k,1M or 4k..1M; full: all'
complete -c iosweep -n __iosweep_sweeps -s m -l min-size -x -d 'smallest I/O size'
complete -c iosweep -n __iosweep_sweeps -s M -l max-size -x -d 'largest I/O size'
complete -c iosweep -n __iosweep_sweeps -l factor -x -d 'ratio of each size to the one before'
complete -c iosweep -n __iosweep_sweeps -l engine -xa '(__fish_append , (__iosweep_engines))' -d 'how to do I/O, see --list-engines [posix]'
complete -c iosweep -n __iosweep_sweeps -s r -l read-existing -d 'only read, from files that are there'
complete -c iosweep -n __iosweep_sweeps -s s -l single-file -d 'one test file instead of a tree'
complete -c iosweep -n __iosweep_sweeps -l levels -x -d 'levels of the tree of test files'
complete -c iosweep -n __iosweep_sweeps -l width -x -d 'directories, and files, per directory'
complete -c iosweep -n __iosweep_sweeps -s l -l file-size -x -d 'length of test files; with -r: used of each'
complete -c iosweep -n __iosweep_sweeps -l small -xa 'cover skip' -d 'sizes too small for O_DIRECT'
complete -c iosweep -n __iosweep_sweeps -l sync -xa 'none data full end' -d 'durable writes'
complete -c iosweep -n __iosweep_sweeps -l readahead -xa 'normal none sequential willneed' -d 'of reads'
complete -c iosweep -n __iosweep_sweeps -l interval-bytes -x -d 'test fill: bytes of a row [1/64 of all]'
complete -c iosweep -n __iosweep_sweeps -l keep-open -d 'open files once, not in each cycle'
complete -c iosweep -n __iosweep_sweeps -l payload -xa 'random zero repeat' -d 'data of writes'
complete -c iosweep -n __iosweep_sweeps -l pin -d 'each thread on a processor of its own'
complete -c iosweep -n __iosweep_sweeps -l verify -d 'check what is read, read back what was written'
complete -c iosweep -n __iosweep_sweeps -l rate -x -d 'start N operations per second (open loop)'
complete -c iosweep -n __iosweep_sweeps -l align -x -d 'offsets are multiples of it [size, at most 4Ki]'
complete -c iosweep -n __iosweep_sweeps -l buffer -x -d 'move each I/O in pieces of at most SIZE'
complete -c iosweep -n __iosweep_sweeps -l fragment-size -x -d 'append: bytes per write; 0: random lengths'
complete -c iosweep -n __iosweep_sweeps -l seed -x -d 'same seed, same offsets [random]'
complete -c iosweep -n __iosweep_sweeps -l run-name -x -d 'name of this run, or with -r of an earlier one'
complete -c iosweep -n __iosweep_sweeps -l keep -d 'leave the test files in place'
complete -c iosweep -n __iosweep_sweeps -l reuse -x -d 'write over what a kept run has made'
complete -c iosweep -n __iosweep_sweeps -l clean -xa 'before after both none' -d 'remove the run'
complete -c iosweep -n __iosweep_sweeps -l resume -r -d 'rows that FILE has are not measured again'
complete -c iosweep -n __iosweep_sweeps -l max-objects -x -d 'a row ends when it has made N objects'
complete -c iosweep -n __iosweep_sweeps -s n -l repetitions -x -d 'cycles per row [until precise]'
complete -c iosweep -n __iosweep_sweeps -l precision -x -d 'how well the median of a row must be known'
complete -c iosweep -n __iosweep_sweeps -l time -x -d 'measure each row this long instead'
complete -c iosweep -n __iosweep_sweeps -l max-time -x -d 'time limit in all [1.6s per row]'
complete -c iosweep -n __iosweep_sweeps -l rounds -x -d 'rounds of a row'
complete -c iosweep -n __iosweep_sweeps -l max-errors -x -d 'failed operations allowed: N, N/step, P%'
complete -c iosweep -n __iosweep_sweeps -l per-thread -d '-n is what each thread does, all as much'
complete -c iosweep -n __iosweep_sweeps -l allow-short -d 'count short operations apart, not as failures'
complete -c iosweep -n __iosweep_sweeps -l reference -xa 'memory none' -d 'timed beside the rows'
complete -c iosweep -n __iosweep_sweeps -s o -l output -r -d 'results to FILE, not to standard output'
complete -c iosweep -n __iosweep_sweeps -l format -xa 'table csv json classic prometheus' -d 'table, csv, json, classic, prometheus'
complete -c iosweep -n __iosweep_sweeps -l columns -xa '(__fish_append , (__iosweep_columns))' -d 'only these columns, see --list-columns'
complete -c iosweep -n __iosweep_sweeps -l percentiles -xa 'known all' -d 'percentiles to show'
complete -c iosweep -n __iosweep_sweeps -l separator -x -d 'between the fields of csv'
complete -c iosweep -n __iosweep_sweeps -l decimal -x -d 'decimal mark of csv'
complete -c iosweep -n __iosweep_sweeps -l label -x -d 'put TEXT into the column label'
complete -c iosweep -n __iosweep_sweeps -l raw -r -d 'rounds and latency histograms to FILE'
complete -c iosweep -n __iosweep_sweeps -l interval -x -d 'a record of what was done each TIME'
complete -c iosweep -n __iosweep_sweeps -l series -r -d 'these records to FILE [standard error]'
complete -c iosweep -n __iosweep_sweeps -l show-time -d 'the time of day in the lines of --interval'
complete -c iosweep -n __iosweep_sweeps -l quiet -d 'nothing on standard error but errors'
complete -c iosweep -n __iosweep_sweeps -l verbose -d 'say each step on standard error'
complete -c iosweep -n __iosweep_sweeps -l no-progress -d 'no progress line on the terminal'
complete -c iosweep -n __iosweep_sweeps -l overwrite -d 'write into the file TARGET: its data are lost'
complete -c iosweep -n __iosweep_sweeps -l destroy-data -d 'write to the device TARGET: its data are lost'
complete -c iosweep -n __iosweep_sweeps -l dry-run -d 'show what would be done; touch nothing'
complete -c iosweep -n __iosweep_sweeps -s h -l help -d 'print this help'
complete -c iosweep -n __iosweep_sweeps -s v -l version -d 'print version and features'
complete -c iosweep -n __iosweep_sweeps -l list-engines -d 'print the engines of this build'
complete -c iosweep -n __iosweep_sweeps -l list-columns -d 'print the columns of results: unit and meaning'
complete -c iosweep -n __iosweep_sweeps -l list-presets -d 'print the presets: @NAME on the command line'
complete -c iosweep -n __iosweep_sweeps -l retries -x -d 'retry a failed request up to N times'
complete -c iosweep -n __iosweep_sweeps -l request-timeout -x -d 'without progress: the request has failed'
complete -c iosweep -n __iosweep_sweeps -l max-requests -x -d 'end the run after N requests'
complete -c iosweep -n __iosweep_sweeps -l price -r -d 'prices of requests, to estimate the cost'
complete -c iosweep -n __iosweep_sweeps -l objects -x -d 'objects of each size [64, at most 256 MiB in all]'
complete -c iosweep -n __iosweep_sweeps -l object-size -x -d 'read ranges of objects of this size [whole]'
complete -c iosweep -n __iosweep_sweeps -l part-size -x -d 'parts of multipart and append'
complete -c iosweep -n __iosweep_sweeps -l get-parts -x -d 'read: N ranges of the object at once'
complete -c iosweep -n __iosweep_sweeps -l parallel-parts -x -d 'multipart, append: up to N parts at once'
complete -c iosweep -n __iosweep_sweeps -l batch -x -d 'delete-many: objects per request'
complete -c iosweep -n __iosweep_sweeps -l page-size -x -d 'list: names per request'
complete -c iosweep -n __iosweep_sweeps -l endpoint -x -d 'http[s]://HOST[:PORT] of the service [AWS]'
complete -c iosweep -n __iosweep_sweeps -l region -x -d 'of the bucket [us-east-1]'
complete -c iosweep -n __iosweep_sweeps -l insecure -d 'do not verify certificates'
complete -c iosweep -n __iosweep_sweeps -l s3.profile -x -d 'credentials of this profile [environment, default]'
complete -c iosweep -n __iosweep_sweeps -l s3.anonymous -d 'use no credentials, sign nothing'
complete -c iosweep -n __iosweep_sweeps -l s3.ca-file -r -d 'certificates of authorities to trust (PEM)'
complete -c iosweep -n __iosweep_sweeps -l s3.addressing -xa 'auto path virtual' -d 'bucket in path or host'
complete -c iosweep -n __iosweep_sweeps -l s3.http -xa 'auto 1.1 2' -d 'HTTP'
complete -c iosweep -n __iosweep_sweeps -l s3.payload -xa 'auto unsigned signed trailer' -d 'of bodies'
complete -c iosweep -n __iosweep_sweeps -l s3.checksum -xa 'none md5 crc32 crc32c crc64nvme' -d 'uploads'
complete -c iosweep -n __iosweep_sweeps -l s3.reconnect -d 'a new connection for each request'
complete -c iosweep -n __iosweep_sweeps -l webhdfs.user -x -d 'user of the file system [who runs this]'
complete -c iosweep -n __iosweep_sweeps -l webhdfs.connect -x -d 'HOST:PORT=ADDR:PORT where they are reached'
complete -c iosweep -n __iosweep_sweeps -l webhdfs.base -x -d 'path of the service [/webhdfs/v1]'
complete -c iosweep -n __iosweep_sweeps -l webhdfs.token-file -r -d 'delegation token [$WEBHDFS_TOKEN]'
complete -c iosweep -n __iosweep_sweeps -l webhdfs.password-file -r -d 'for a gateway [$WEBHDFS_PASSWORD]'
complete -c iosweep -n __iosweep_sweeps -l webhdfs.negotiate -d 'Kerberos (SPNEGO), with your ticket'
complete -c iosweep -n __iosweep_sweeps -l webhdfs.ca-file -r -d 'certificates of authorities to trust (PEM)'
complete -c iosweep -n __iosweep_sweeps -l webhdfs.insecure -d 'do not verify certificates'
complete -c iosweep -n __iosweep_sweeps -l webhdfs.replication -x -d 'copies of each block written [the server\'s]'
complete -c iosweep -n __iosweep_sweeps -l webhdfs.block-size -x -d 'of files that are written [the server\'s]'
complete -c iosweep -n __iosweep_sweeps -l webhdfs.reconnect -d 'a new connection for each request'
complete -c iosweep -n __iosweep_sweeps -l rados.user -x -d 'who asks: NAME or client.NAME [client.admin]'
complete -c iosweep -n __iosweep_sweeps -l rados.conf -r -d 'configuration [CEPH_CONF, /etc/ceph/ceph.conf]'
complete -c iosweep -n __iosweep_sweeps -l rados.clients -x -d 'clients that threads share [one for each]'
complete -c iosweep -n __iosweep_sweeps -l mem.delay -x -d 'requests: 5ms, mix:35x0,5x3ms, tail:20ms,5%=1s'
complete -c iosweep -n __iosweep_sweeps -l mem.fail -x -d 'each N-th request fails: slow-down:10,lost@put:3'
complete -c iosweep -n __iosweep_sweeps -l mem.like -xa 'bucket pool tree' -d 'requests it knows'
complete -c iosweep -n __iosweep_sweeps -l io_uring.sqpoll -d 'engine io_uring: a kernel thread takes requests'
complete -c iosweep -n __iosweep_sweeps -l io_uring.iopoll -d 'engine io_uring: poll the device, no interrupts'
complete -c iosweep -n __iosweep_sweeps -l io_uring.link -d 'engine io_uring: each cycle as one chain'
complete -c iosweep -n __iosweep_sweeps -l io_uring.fixed -xa 'auto on off' -d 'register buffers'
complete -c iosweep -n __iosweep_sweeps -l null.delay -x -d 'as 5ms, mix:35x0,5x3ms, tail:20ms,5%=1s'
complete -c iosweep -n __iosweep_sweeps -l null.write-delay -x -d 'engine null: the same of writes [--null.delay]'
complete -c iosweep -n __iosweep_sweeps -l null.error-every -x -d 'engine null: each N-th operation of a slice fails'
complete -c iosweep -n __iosweep_sweeps -l null.fail-on -x -d 'engine null: the N-th operation of a thread fails'
complete -c iosweep -n __iosweep_sweeps -a '(__iosweep_presets)'
