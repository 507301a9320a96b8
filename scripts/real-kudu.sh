#!/usr/bin/env bash
# A real Kudu with a backlog of compactions, to hold mmsim against: one master and one tablet server on the loopback interface.
#
#   real-kudu.sh start DIR        start both in DIR and load two tables: rowsets that overlap, with compaction off
#   real-kudu.sh compact DIR      switch compaction on and wait until there is nothing left to compact
#   real-kudu.sh stop DIR         stop both; the tablet server's log is then DIR/kudu-tserver.INFO
#
#   real-kudu.sh pages OUT TSERVER [MASTER]
#                                 save the web pages of any tablet server in folder OUT, as `mmsim import kudu --from-dir` reads them; with the
#                                 address of the master's, its pages of the tables too. It needs curl alone.
#
# `start` prints the address of the tablet server's web pages; it is in DIR/tserver.url too, and the master's in DIR/master.url.
#
# Kudu comes from KUDU_HOME, a folder with bin/kudu, or else through Maven, as the user's settings have it: org.apache.kudu:kudu-binary
# of version KUDU_VERSION (1.18.1) is kept in KUDU_CACHE (~/.cache/kudu). It is built for tests, not for production.
# Servers end by themselves after KUDU_LIFETIME seconds, if that is set.
# Exit codes: 77 = no Kudu can be had here, which one line explains; 1 = it did not work; 2 = wrong usage.
set -euo pipefail

version=${KUDU_VERSION:-1.18.1}
cache=${KUDU_CACHE:-$HOME/.cache/kudu}
home=${KUDU_HOME:-$cache/kudu-binary-$version-linux-x86_64}

# The load: waves of random keys, each flushed to one rowset a tablet. A rowset has some 2.6 MB, a weight of 2, and spans its tablet. The budget
# holds 8 of them, so `events` needs two compactions a tablet and `users` one, with scores far from each other.
budget_mb=16
tables=('events 4 12' 'users 3 7') # name, tablets, waves
wave_rows=2500                     # a tablet
row_bytes=1000

main() {
	case "${1:-} $#" in
	'start 2') start "$2" ;;
	'pages 3' | 'pages 4') pages "${@:2}" ;;
	'compact 2') compact "$2" ;;
	'stop 2') stop "$2" ;;
	*)
		sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
		exit 2
		;;
	esac
}

start() {
	[ ! -e "$1/tserver" ] || fail "$1 holds a Kudu already: take an empty folder"
	need_kudu
	mkdir -p "$1"/{master,tserver}/{wal,data,log}
	dir=$(cd "$1" && pwd)
	trap 'stop "$dir"' EXIT
	run_master
	run_tserver 0 --flush_threshold_secs=1000000
	load
	# Rates count from a server's start. Started anew, it shows what it holds and nothing of how that came.
	local address
	address=$(address_of tserver rpc)
	stop_server "$dir/tserver"
	run_tserver "${address##*:}"
	wait_for 60 'all tablets to run' all_run
	trap - EXIT
	echo "http://$(address_of master http)" >"$dir/master.url"
	echo "http://$(address_of tserver http)" | tee "$dir/tserver.url"
}

# need_kudu finds Kudu, or fetches it.
need_kudu() {
	command -v curl >/dev/null || none 'there is no curl'
	[ -x "$home/bin/kudu" ] || fetch
	kudu --version >/dev/null 2>&1 || none "$home/bin/kudu does not run here"
}

# kudu is Kudu's command line tool, with the libraries that came with it.
kudu() { LD_LIBRARY_PATH=$home/lib SASL_PATH=$home/lib/sasl2 "$home/bin/kudu" "$@"; }

none() {
	echo "no Kudu $version can be had: $*" >&2
	exit 77
}

fetch() {
	[ -z "${KUDU_HOME:-}" ] || none "no program bin/kudu in $KUDU_HOME"
	[ "$(uname -sm)" = 'Linux x86_64' ] || none 'the binary in Maven is for Linux on x86_64'
	local tool jar=kudu-binary-$version-linux-x86_64.jar
	for tool in mvn unzip; do
		command -v $tool >/dev/null || none "there is no $tool"
	done
	mkdir -p "$cache"
	timeout 600 mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy \
		-Dartifact="org.apache.kudu:kudu-binary:$version:jar:linux-x86_64" -DoutputDirectory="$cache" >"$cache/mvn.log" 2>&1 ||
		none "Maven can't fetch it, see $cache/mvn.log"
	unzip -q -o "$cache/$jar" -d "$cache" || none "$cache/$jar can't be unpacked"
	rm "$cache/$jar"
	chmod +x "$home"/bin/*
}

run_master() {
	run_server master --rpc_bind_addresses=127.0.0.1:0 --default_num_replicas=1
	master=$(address_of master rpc)
}

# run_tserver starts the tablet server on a port, or any with 0.
run_tserver() {
	run_server tserver --rpc_bind_addresses="127.0.0.1:$1" --tserver_master_addrs="$master" --heartbeat_interval_ms=200 \
		--enable_rowset_compaction=false --tablet_compaction_budget_mb=$budget_mb --maintenance_manager_num_threads=1 "${@:2}"
	wait_for 60 'the tablet server to be known' known
}

known() { kudu tserver list "$master" -format=csv 2>/dev/null | grep -q .; }

# run_server starts a server on free ports of the loopback interface, and waits until it tells them.
run_server() {
	local at=$dir/$1
	rm -f "$at/info"
	LD_LIBRARY_PATH=$home/lib SASL_PATH=$home/lib/sasl2 nohup timeout -k 10 "${KUDU_LIFETIME:-0}" \
		"$home/bin/kudu-$1" --fs_wal_dir="$at/wal" --fs_data_dirs="$at/data" --log_dir="$at/log" --logbufsecs=0 \
		--webserver_interface=127.0.0.1 --webserver_port=0 --webserver_doc_root="$home/www" \
		--unlock_unsafe_flags --unlock_experimental_flags --rpc_server_allow_ephemeral_ports --server_dump_info_path="$at/info" \
		--time_source=system_unsync --rpc_authentication=disabled --rpc_encryption=disabled "${@:2}" >"$at/out" 2>&1 &
	echo $! >"$at/pid"
	wait_for 60 "the $1 to start" started "$1"
}

started() {
	kill -0 "$(cat "$dir/$1/pid")" 2>/dev/null || fail "the $1 has ended: see $dir/$1/out"
	[ -s "$dir/$1/info" ]
}

# address_of SERVER rpc|http is where a server listens.
address_of() {
	tr -d ' \n' <"$dir/$1/info" | sed -E "s/.*\"bound_$2_addresses\":\[\{\"host\":\"([^\"]*)\",\"port\":([0-9]+).*/\1:\2/"
}

# load makes the tables. The tool's random keys follow from seq_start: they are the same ones in every run, and others in every wave.
load() {
	local table name tablets waves wave
	for table in "${tables[@]}"; do
		read -r name tablets waves <<<"$table"
		kudu table create "$master" '{"table_name": "'"$name"'", "num_replicas": 1, "partition": {"hash_partitions": [{"columns": ["key"],
			"num_buckets": '"$tablets"'}]}, "schema": {"key_column_names": ["key"], "columns": [{"column_name": "key", "column_type": "INT64"},
			{"column_name": "number", "column_type": "INT32"}, {"column_name": "text", "column_type": "STRING", "encoding": "PLAIN_ENCODING"}]}}'
	done
	local loaded=1
	for ((wave = 1; loaded; wave++)); do
		loaded=0
		for table in "${tables[@]}"; do
			read -r name tablets waves <<<"$table"
			[ "$wave" -le "$waves" ] || continue
			loaded=1
			kudu perf loadgen "$master" --table_name="$name" --num_threads=1 --num_rows_per_thread=$((wave_rows * tablets)) \
				--use_random_pk --seq_start=$((wave * 1000003)) --string_len=$row_bytes >>"$dir/loadgen.out" 2>&1
		done
		flush
	done
}

# flush has every tablet write what it holds in memory.
flush() {
	set_flag flush_threshold_secs 0
	wait_for 60 'all tablets to be flushed' flushed
	set_flag flush_threshold_secs 1000000
}

# flushed says whether no tablet has rows in memory: an empty MemRowSet takes less than 1 kB.
flushed() {
	local sizes
	sizes=$(curl -sf "http://$(address_of tserver http)/metrics?metrics=memrowset_size&compact=1" | grep -oE '"memrowset_size","value":[0-9]+') &&
		! grep -qE '[0-9]{4}$' <<<"$sizes"
}

set_flag() { kudu tserver set_flag "$(address_of tserver rpc)" "$1" "$2" --force >/dev/null; }

# all_run says whether every tablet runs and has a leader.
all_run() {
	local table tablets page all=0
	for table in "${tables[@]}"; do
		read -r _ tablets _ <<<"$table"
		all=$((all + tablets))
	done
	page=$(curl -sf "http://$(address_of tserver http)/tablets") && [ "$(grep -c '<td>RUNNING</td>' <<<"$page")" = $((all + 1)) ] && # one more in the summary
		[ "$(grep -c 'LEADER: ' <<<"$page")" = $all ]
}

pages() {
	local out=$1 tserver=$2 page id
	mkdir -p "$out"
	curl -sSf "$tserver/metrics" >"$out/metrics.json"
	for page in tablets varz mem-trackers maintenance-manager; do
		curl -sSf "$tserver/$page" >"$out/$page.html"
	done
	for id in $(grep -oE 'tablet\?id=[0-9a-f]{32}' "$out/tablets.html" | cut -d= -f2 | sort -u); do
		for page in tablet tablet-rowsetlayout-svg; do
			curl -sSf "$tserver/$page?id=$id" >"$out/$page-$id.html"
		done
	done
	[ -n "${3:-}" ] || return 0
	for id in $(grep -oE '"table_id": *"[0-9a-f]{32}"' "$out/metrics.json" | grep -oE '[0-9a-f]{32}' | sort -u); do
		curl -sSf "$3/table?id=$id" >"$out/table-$id.html"
	done
}

compact() {
	need_kudu
	dir=$1
	set_flag enable_rowset_compaction true
	quiet=0 before=
	wait_for 180 'compactions to end' settled
}

# settled says whether compactions have run and none has begun for 3 s.
settled() {
	local log=$dir/tserver/log/kudu-tserver.INFO begun ended
	begun=$(grep -c 'Scheduling CompactRowSetsOp' "$log") ended=$(grep -c 'CompactRowSetsOp.* complete' "$log")
	[ "$begun" -gt 0 ] && [ "$begun $ended" = "$before" ] && [ "$begun" = "$ended" ] && quiet=$((quiet + 1)) || quiet=0
	before="$begun $ended"
	[ $quiet -ge 12 ]
}

fail() {
	echo "$*" >&2
	exit 1
}

# wait_for SECONDS WHAT COMMAND... asks 4 times a second.
wait_for() {
	local end=$((SECONDS + $1))
	until "${@:3}"; do
		[ $SECONDS -lt $end ] || fail "$1 s were too short for $2"
		sleep 0.25
	done
}

stop() {
	stop_server "$1/tserver"
	stop_server "$1/master"
	[ ! -e "$1/tserver/log/kudu-tserver.INFO" ] || cp -L "$1/tserver/log/kudu-tserver.INFO" "$1/kudu-tserver.INFO"
}

# stop_server ends the process of a server's folder, if it is still the one that was started there.
stop_server() {
	local pid
	[ -s "$1/pid" ] || return 0
	pid=$(cat "$1/pid")
	rm "$1/pid"
	if ps -o args= -p "$pid" | grep -qF -- "--log_dir=$(cd "$1" && pwd)/log"; then
		kill "$pid"
		wait_for 30 "process $pid to end" ended "$pid"
	fi
}

ended() { ! kill -0 "$1" 2>/dev/null; }

main "$@"
