package configs

import (
	"slices"
	"strings"

	"mmsim/rules"
)

// Key is what is to be known of one key of an experiment beyond its Go type. The table below is the only
// place for it: decoding checks values against it, docs/config.md and the JSON Schema are made from it.
type Key struct {
	Path string // dotted, [] for any item of a list
	Want string // "low..high" in the type's own notation, either side may be open; "a|b" for words; "" = any, numbers not below 0
	Must bool   // has no default
	Flag string // Kudu's flag or YCSB's property
	Help string
}

const (
	kindWords      = "storage"
	keysWords      = "ycsb|padded|uniform"
	switchWords    = "on|off"
	placementWords = "balanced|random"
	cacheWords     = "warm|cold"
	requestWords   = "uniform|zipfian|latest"
	lengthWords    = "uniform|zipfian"
	orderWords     = "hashed|ordered|ranges"
	phaseWords     = "load|run"
	scanPlaceWords = "first_bucket|uniform"
	opWords        = "READ|UPDATE|INSERT|SCAN|READ-MODIFY-WRITE|DELETE|UPSERT"
)

var keys = []Key{
	{Path: "kind", Want: kindWords, Help: "What the experiment is about: `storage` has tables, phases and policies."},
	{Path: "name", Must: true, Help: "Short name: letters, digits, `-`, `_` and `.`."},
	{Path: "title", Help: "One line for tables and plots."},
	{Path: "seed", Help: "Root of every random stream."},
	{Path: "scale", Want: "0.000001..1", Help: "Size at which the experiment is run; see [Scale](#scale)."},
	{Path: "profile", Want: profileWords, Help: "The Kudu whose rules apply, see [profiles](#profiles)."},
	{Path: "rules", Help: "Rules that are to be those of another version than the profile's, such as `{pressure_skip: on}`; see [profiles](#profiles)."},
	{Path: "machine", Help: "What operations cost: the name of a machine that ships with mmsim, the path of a YAML file, or a mapping; see [Machines](#machines)."},
	{Path: "cluster", Help: "The set of tablet servers."},
	{Path: "server", Help: "What one tablet server has."},
	{Path: "maintenance", Help: "Kudu's flags of the maintenance manager, of flushes and of compactions."},
	{Path: "workload_stats", Help: "Kudu's windows for the rates of scans and written rows of a tablet."},
	{Path: "tables", Must: true, Help: "The tables."},
	{Path: "initial", Help: "What tablets hold at the start. A tablet that is not listed is empty."},
	{Path: "phases", Must: true, Help: "What clients do, one phase after the other."},
	{Path: "policies", Must: true, Help: "The policies to compare: a line in every plot each."},
	{Path: "starvation", Help: "When a wait is too long."},
	{Path: "series", Help: "How finely figures over time are kept."},
	{Path: "measured", Help: "Numbers of the real experiment, drawn as marks; no rule of the simulator reads them."},

	{Path: "cluster.servers", Want: "1..1000", Help: "Tablet servers."},
	{Path: "cluster.replication", Want: "1..7", Help: "Replicas of a tablet: odd, at most `servers`."},
	{Path: "cluster.placement", Want: placementWords, Help: "`balanced` deals leaders and followers evenly; `random` takes the emptier of two random servers."},

	{Path: "server.rpc_service_threads", Want: "1..10000", Flag: "rpc_num_service_threads", Help: "Threads that handle RPCs."},
	{Path: "server.rpc_queue_length", Want: "1..1000000", Flag: "rpc_service_queue_length", Help: "RPCs that may wait for a thread; a full queue answers TOO_BUSY."},
	{Path: "server.memory_limit", Want: "1MiB..", Flag: "memory_limit_hard_bytes", Help: "Hard memory limit. Kudu's default is 80 % of the machine's memory."},
	{Path: "server.memory_pressure", Want: "0..100", Flag: "memory_pressure_percentage", Help: "% of the limit from which flushes that free memory come first."},
	{Path: "server.memory_soft_limit", Want: "0..100", Flag: "memory_limit_soft_percentage", Help: "% of the limit from which writes are rejected, ever more likely up to 100 %; not below `memory_pressure`."},
	{Path: "server.ram", Help: "The machine's memory, at least `memory_limit`: what mmsim does not use caches file pages. Default: `memory_limit` / 0.8."},
	{Path: "server.block_cache", Flag: "block_cache_capacity_mb", Help: "Block cache; counts towards the limit."},
	{Path: "server.base_memory", Help: "Memory of everything that is neither a store nor the block cache. Assumed."},
	{Path: "server.page_cache", Want: cacheWords, Help: "Whether file pages of what tablets hold at the start are in the page cache, as far as it holds them: `cold` after a restart of the machine. What is read or written then becomes warm."},
	{Path: "server.unsynced", Help: "Bytes written before the start that the device still has to take: the first op that writes syncs them at its end."},
	{Path: "server.wal_segment_size", Want: "1B..", Flag: "log_segment_size_mb", Help: "Size at which a WAL segment is closed."},
	{Path: "server.wal_min_segments", Want: "1..1000000", Flag: "log_min_segments_to_retain", Help: "WAL segments that are always kept."},

	{Path: "maintenance.enabled", Flag: "enable_maintenance_manager", Help: "Whether the manager runs at the start."},
	{Path: "maintenance.off", Help: "Kinds of ops that are switched off at the start."},
	{Path: "maintenance.off[]", Want: opKindWords, Flag: "enable_rowset_compaction, ...", Help: "Kind of an op."},
	{Path: "maintenance.threads", Want: "1..1000", Flag: "maintenance_manager_num_threads", Help: "Threads that run maintenance ops."},
	{Path: "maintenance.polling_interval", Want: "1ms..", Flag: "maintenance_manager_polling_interval_ms", Help: "Pause after a look that found nothing to do."},
	{Path: "maintenance.log_target_replay_size", Flag: "log_target_replay_size_mb", Help: "WAL bytes retained by one op from which it is run first."},
	{Path: "maintenance.data_gc_min_size", Flag: "data_gc_min_size_mb", Help: "Bytes a data GC must free more than."},
	{Path: "maintenance.data_gc_probability", Want: "0..1", Flag: "data_gc_prioritization_prob", Help: "Probability of a data GC before an op with a score."},
	{Path: "maintenance.non_memory_ops_prob", Want: "0..1", Flag: "run_non_memory_ops_prob", Help: "Probability of passing over the memory rule at the start of pressure, by rule `pressure_skip`."},
	{Path: "maintenance.flush_threshold", Flag: "flush_threshold_mb", Help: "Size of a MemRowSet or DeltaMemStore above which it wants to be flushed."},
	{Path: "maintenance.flush_threshold_time", Flag: "flush_threshold_secs", Help: "Age from which a smaller one wants to be flushed too."},
	{Path: "maintenance.flush_upper_bound", Want: "1ns..", Flag: "flush_upper_bound_ms", Help: "Age at which the score of such a flush reaches 1."},
	{Path: "maintenance.compaction_budget", Want: "1B..", Flag: "tablet_compaction_budget_mb", Help: "Bytes one rowset compaction may read. Default: the profile's, 128MiB up to Kudu 1.18, 256MiB later."},
	{Path: "maintenance.target_rowset_size", Want: "1B..", Flag: "budgeted_compaction_target_rowset_size", Help: "Size at which a flush or compaction starts a new rowset, and below which a rowset counts as small."},
	{Path: "maintenance.rolled_rowset_size", Help: "Base data, bloom filter and index of full outputs, on average. 0: 0.64 % more than `target_rowset_size`, as on a real Kudu: 33,769 kB, that is 31,910 rows of 1,058.1 B and 5 kB, for 32 MiB."},
	{Path: "maintenance.rolled_block_rows", Want: "0..1000000", Help: "They roll between blocks of rows, so that full outputs of compactions differ by up to so many: on a real Kudu 107 of them held 31,876 to 31,980 rows, evenly. 0: all are as full as the mean."},
	{Path: "maintenance.weight_unit", Want: "1B..", Help: "Unit of a rowset's whole-numbered weight in the compaction policy. 1MiB in Kudu; it shrinks with `scale`."},
	{Path: "maintenance.minimum_improvement", Want: "0..1000", Flag: "compaction_minimum_improvement", Help: "Value a compaction must exceed."},
	{Path: "maintenance.small_rowset_tradeoff", Want: "0..1000", Flag: "compaction_small_rowset_tradeoff", Help: "Value of getting rid of one small rowset; below `minimum_improvement`."},
	{Path: "maintenance.approximation_ratio", Want: "1..10", Flag: "compaction_approximation_ratio", Help: "How far from the best compaction the search may stop."},
	{Path: "maintenance.minor_delta_max", Want: "1..1000000000", Flag: "tablet_delta_store_minor_compact_max", Help: "REDO files of a rowset at which a minor delta compaction scores 1."},
	{Path: "maintenance.major_delta_min_ratio", Want: "0..1", Flag: "tablet_delta_store_major_compact_min_ratio", Help: "Size of REDO files against base data from which a major delta compaction scores."},
	{Path: "maintenance.history_max_age", Flag: "tablet_history_max_age_sec", Help: "Age from which UNDO deltas can be dropped."},
	{Path: "maintenance.delete_only_files", Want: "0..1000000000", Flag: "all_delete_op_delta_file_cnt_for_compaction", Help: "Files of nothing but deletes above which rule `major_for_deletes` takes a rowset."},
	{Path: "maintenance.undo_gc_init_budget", Flag: "undo_delta_block_gc_init_budget_millis", Help: "Time an UNDO GC may spend on opening deltas whose age is not known."},
	{Path: "maintenance.ancient_undo_ratio", Want: "0..1", Flag: "rowset_compaction_ancient_delta_max_ratio", Help: "Share of a compaction's UNDO deltas that may be old, by rule `ancient_undo_veto`."},
	{Path: "maintenance.delta_memory_factor", Want: "0..1000", Flag: "rowset_compaction_delta_memory_factor", Help: "Memory a compaction needs for each byte of deltas, by rule `memory_budget`."},
	{Path: "maintenance.min_deltas_size", Flag: "rowset_compaction_estimate_min_deltas_size_mb", Help: "Deltas of a rowset above which rule `memory_budget` looks at it."},
	{Path: "maintenance.priority_multiplier", Want: "0.001..1000", Flag: "maintenance_op_multiplier", Help: "Factor of a score for each level of a table's priority."},
	{Path: "maintenance.priority_range", Want: "0..1000", Flag: "max_priority_range", Help: "Levels beyond which priorities make no further difference, both ways."},

	{Path: "workload_stats.min_interval", Flag: "workload_stats_rate_collection_min_interval_ms", Help: "Window a rate needs at least."},
	{Path: "workload_stats.reset_interval", Flag: "workload_stats_metric_collection_interval_ms", Help: "Window after which counting starts anew; not below `min_interval`."},

	{Path: "tables[].id", Help: "What random streams are derived from. Default: the position, `t0`, `t1`, ..."},
	{Path: "tables[].name", Must: true, Help: "Name, usable as a file name."},
	{Path: "tables[].tablets", Want: "1..100000", Flag: "kudu_pre_split_num_tablets", Help: "Hash buckets. Either `tablets` or `partitions` is given."},
	{Path: "tables[].priority", Want: "-1000000..1000000", Flag: "kudu.table.maintenance_priority", Help: "Priority, read by the `priority-weighted` policy."},
	{Path: "tables[].keys", Want: keysWords, Help: "`ycsb`: decimal keys as YCSB makes them; `padded`: the same with zeros in front, 19 digits in all (`zeropadding=19`); `uniform`: keys whose bytes are spread evenly."},
	{Path: "tables[].disable_compaction", Flag: "kudu.table.disable_compaction", Help: "No compaction of the table; from profile kudu-1.18 on."},
	{Path: "tables[].partitions", Help: "Hash buckets that are cut into ranges of keys; see [Range partitions](#range-partitions)."},
	{Path: "tables[].partitions.hash", Want: "1..100000", Help: "Hash buckets. Default: 1."},
	{Path: "tables[].partitions.ranges", Want: "1..100000", Help: "Ranges of keys of each. Default: 1."},
	{Path: "tables[].record", Help: "Shape of a row."},
	{Path: "tables[].record.fields", Want: "1..300", Flag: "fieldcount", Help: "Columns beside the key."},
	{Path: "tables[].record.field_length", Want: "0B..64KiB", Flag: "fieldlength", Help: "Bytes of each."},
	{Path: "tables[].record.key_length", Want: "1B..16KiB", Help: "Mean bytes of a key; YCSB's hashed ones have 23."},

	{Path: "initial[].table", Must: true, Help: "Name of the table."},
	{Path: "initial[].tablet", Want: "0..100000", Help: "Hash bucket, from 0."},
	{Path: "initial[].memrowset_rows", Want: "0..1000000000", Help: "Rows in the MemRowSet."},
	{Path: "initial[].rowsets", Help: "Disk rowsets, oldest first."},
	{Path: "initial[].rowsets[].rows", Want: "0..1000000000000", Help: "Rows. Default: as many as `size` holds."},
	{Path: "initial[].rowsets[].size", Help: "Bytes of base data and REDO. Default: what `rows` take."},
	{Path: "initial[].rowsets[].keys", Help: "Smallest and largest key. One of `keys`, `span` and `data_span` is given."},
	{Path: "initial[].rowsets[].keys[]", Help: "A key."},
	{Path: "initial[].rowsets[].span", Help: "Places of the smallest and largest key in the tablet's key space: the shares of all possible keys before them."},
	{Path: "initial[].rowsets[].span[]", Want: "0..1", Help: "A place."},
	{Path: "initial[].rowsets[].data_span", Help: "Shares of the tablet's data, in the order of keys, before the rowset's smallest and up to its largest key, as Kudu's page of the rowset layout prints them. All rowsets of a tablet have it, or none."},
	{Path: "initial[].rowsets[].data_span[]", Want: "0..1", Help: "A share."},
	{Path: "initial[].rowsets[].redo_files", Want: "0..1000000", Help: "REDO files."},
	{Path: "initial[].rowsets[].delete_files", Want: "0..1000000", Help: "Of these, those of nothing but deletes."},
	{Path: "initial[].rowsets[].redo_age", Help: "Age of the newest delta in REDO files at the start."},
	{Path: "initial[].rowsets[].redo_rows", Want: "0..1000000000000", Help: "Updates in them."},
	{Path: "initial[].rowsets[].undo", Help: "Bytes of UNDO deltas. Default: what a flush leaves."},
	{Path: "initial[].rowsets[].undo_age", Help: "Age of the newest UNDO delta at the start."},
	{Path: "initial[].rowsets[].deleted", Want: "0..1000000000000", Help: "Rows of it that were deleted, at most `rows`."},

	{Path: "phases[].name", Must: true, Help: "Name, usable as a file name."},
	{Path: "phases[].pause_before", Help: "Idle time before the phase."},
	{Path: "phases[].duration", Help: "Time from the start of the clients at which they are stopped and the phase ends, even if all have ended before. Operations under way then are lost and counted nowhere. Default: none, the phase ends when all clients have ended."},
	{Path: "phases[].clients", Help: "YCSB processes that run side by side, any number of them on a table; the phase ends when all have ended. May be left out if there is a `duration`."},
	{Path: "phases[].events", Help: "What an operator does meanwhile, on all servers. What is left to do when a phase without a `duration` ends is done at its end."},
	{Path: "phases[].events[].after", Help: "Time since the clients started, at most `duration` if there is one."},
	{Path: "phases[].events[].switch_on", Help: "Kinds of ops that can run from now on."},
	{Path: "phases[].events[].switch_on[]", Want: opKindWords, Help: "Kind of an op."},
	{Path: "phases[].events[].switch_off", Help: "Kinds of ops that can no longer be chosen."},
	{Path: "phases[].events[].switch_off[]", Want: opKindWords, Help: "Kind of an op."},
	{Path: "phases[].events[].manager", Want: switchWords, Flag: "enable_maintenance_manager", Help: "Switches the maintenance manager on or off."},
	{Path: "phases[].events[].drop", Help: "Name of a table that is dropped: its clients end, ops of it that run go on to their end, and then its data and memory are gone. Later phases cannot use it."},
	{Path: "phases[].clients[].id", Help: "What the client's random streams are derived from. Default: its position among the clients of its table, so that one that is added behind it changes none of its draws."},
	{Path: "phases[].clients[].table", Must: true, Help: "Name of the table."},
	{Path: "phases[].clients[].threads", Want: "1..100000", Flag: "threadcount", Help: "Threads, each with one operation at a time."},
	{Path: "phases[].clients[].target", Want: "0..1000000000", Flag: "target", Help: "Operations per second over all threads; 0 = as fast as they can."},
	{Path: "phases[].clients[].workload", Must: true, Help: "What the client asks for."},
	{Path: "phases[].clients[].workload.ycsb", Help: "YCSB property file that says what is not said here: `ycsb-a` to `ycsb-f`, or a path; see [YCSB property files](#ycsb-property-files)."},
	{Path: "phases[].clients[].workload.ycsb_phase", Want: phaseWords, Help: "Which of the file's phases. Default: `run`, or `load` where `records` is given or the file says `dotransactions=false`."},
	{Path: "phases[].clients[].workload.records", Want: "0..1000000000000", Flag: "recordcount", Help: "Load phase: rows to insert. Exactly one of `records` and `operations` is above 0; in a phase with a `duration` both may be 0, for as many as there is time for. Then a client without shares loads, and one with `zipfian` requests leaves room for the inserts that its `target` allows for in the duration: for none without a target."},
	{Path: "phases[].clients[].workload.operations", Want: "0..1000000000000", Flag: "operationcount", Help: "Run phase: operations over all threads; see `records`."},
	{Path: "phases[].clients[].workload.read", Want: "0..1", Flag: "readproportion", Help: "Share of point reads. The shares of a run phase add up to 1; a load phase has none."},
	{Path: "phases[].clients[].workload.update", Want: "0..1", Flag: "updateproportion", Help: "Share of updates of one field."},
	{Path: "phases[].clients[].workload.insert", Want: "0..1", Flag: "insertproportion", Help: "Share of inserts."},
	{Path: "phases[].clients[].workload.scan", Want: "0..1", Flag: "scanproportion", Help: "Share of scans."},
	{Path: "phases[].clients[].workload.read_modify_write", Want: "0..1", Flag: "readmodifywriteproportion", Help: "Share of reads that are followed by an update of the row. They count as a READ and an UPDATE too."},
	{Path: "phases[].clients[].workload.delete", Want: "0..1", Help: "Share of deletes. They take the oldest rows first; see [Deletes and upserts](#deletes-and-upserts)."},
	{Path: "phases[].clients[].workload.upsert", Want: "0..1", Help: "Share of upserts: a new row is inserted, one that is there gets all its fields anew."},
	{Path: "phases[].clients[].workload.upsert_new", Want: "0..1", Help: "Share of the upserts whose key is new. The others choose an existing key as updates do."},
	{Path: "phases[].clients[].workload.request_distribution", Want: requestWords, Flag: "requestdistribution", Help: "How existing keys are chosen. YCSB's default is uniform."},
	{Path: "phases[].clients[].workload.scan_length_distribution", Want: lengthWords, Flag: "scanlengthdistribution", Help: "How scan lengths are chosen. YCSB's default is uniform."},
	{Path: "phases[].clients[].workload.min_scan_length", Want: "1..1000000", Flag: "minscanlength", Help: "Shortest scan in rows."},
	{Path: "phases[].clients[].workload.max_scan_length", Want: "1..1000000", Flag: "maxscanlength", Help: "Longest scan in rows; not below `min_scan_length`. YCSB's default is 1000."},
	{Path: "phases[].clients[].workload.insert_order", Want: orderWords, Flag: "insertorder", Help: "`hashed` spreads successive inserts over all keys; `ordered` appends, if `zero_padding` is wide enough; with `ranges` each thread appends to a range of keys of its own, as `kudu perf loadgen` does. See [The order of inserts](#the-order-of-inserts)."},
	{Path: "phases[].clients[].workload.zero_padding", Want: "1..18", Flag: "zeropadding", Help: "Digits of a key's number, with zeros in front: 1, or as many as the largest has, so that `ordered` keys sort as numbers do."},
	{Path: "phases[].clients[].workload.scan_placement", Want: scanPlaceWords, Help: "Tablet at which a scan longer than one row starts: hash bucket 0, as with YCSB's Kudu binding, or any."},
	{Path: "phases[].clients[].session", Help: "The client's write buffer (Kudu's Java client, AUTO_FLUSH_BACKGROUND)."},
	{Path: "phases[].clients[].session.buffer_ops", Want: "1..100000000", Flag: "kudu_buffer_num_ops", Help: "Operations a buffer holds."},
	{Path: "phases[].clients[].session.buffers", Want: "1..1000", Help: "Buffers, of which all but the one being filled can be in flight."},
	{Path: "phases[].clients[].session.flush_interval", Want: "1ns..", Help: "Timer from the first operation in a buffer."},

	{Path: "policies[].name", Help: "Label, usable as a file name. Default: the policy's name and its parameters."},
	{Path: "policies[].policy", Help: "A built-in policy. Exactly one of `policy` and `plugin` is given."},
	{Path: "policies[].plugin", Help: "Path of a policy binary, relative to the file it stands in."},
	{Path: "policies[].out_of_process", Help: "Run the built-in as a plugin process of mmsim itself."},
	{Path: "policies[].params", Help: "The policy's parameters; each policy declares which it takes, and others are refused."},

	{Path: "starvation.after", Want: "1ns..", Help: "Wait from which an op counts as starved if others were served."},
	{Path: "series.interval", Want: "1ms..", Help: "Simulated time between samples."},

	{Path: "measured.source", Help: "Where the numbers were published."},
	{Path: "measured.before", Help: "Name of the policy line that stands for \"before\"."},
	{Path: "measured.after", Help: "Name of the policy line that stands for \"after\"."},
	{Path: "measured.latency", Help: "The numbers."},
	{Path: "measured.latency[].phase", Must: true, Help: "Name of the phase."},
	{Path: "measured.latency[].table", Must: true, Help: "Name of the table."},
	{Path: "measured.latency[].op", Must: true, Want: opWords, Help: "Operation."},
	{Path: "measured.latency[].stat", Must: true, Help: "`avg`, or a percentile such as `p95` or `p99.9`."},
	{Path: "measured.latency[].before", Help: "Microseconds before."},
	{Path: "measured.latency[].after", Help: "Microseconds after."},

	{Path: "machine.name", Help: "Name of this machine. Default: that of `base`."},
	{Path: "machine.base", Help: "Machine whose values, made faster by `factor`, fill what is not given here: a name or a path. Default: kudu-2core-vm."},
	{Path: "machine.factor", Want: "0.001..1000", Help: "How much faster than `base` one core is. Times of `base` are divided by it, but for `network`, `disk` and `client.retry_base`; what is given here is taken as it stands."},
	{Path: "machine.cores", Want: "1..10000", Help: "Shared evenly by all that computes on a server: threads that serve, apply and maintain. Also the number of threads that apply writes."},
	{Path: "machine.core_worth", Want: "0.01..1", Help: "What a core does while all are busy, as a share of what it does alone: less than 1 where cores are hardware threads of the same core, or a host shares them out."},
	{Path: "machine.clients_share", Help: "Clients compute on the cores of the server that they talk to, as on one machine: `client` counts there, and takes longer when others compute."},
	{Path: "machine.client", Help: "Time spent in the YCSB process."},
	{Path: "machine.network", Help: "Time on the wire."},
	{Path: "machine.scan", Help: "The server's side of a scan: fixed + iterate x rowsets at or above the start key + seek x rowsets whose range holds it + redo_file x REDO files of the rowset read, all times one log-normal factor, + cold reads."},
	{Path: "machine.write", Help: "The server's side of a write RPC."},
	{Path: "machine.store", Help: "What a row takes in each store beyond its key and fields."},
	{Path: "machine.disk", Help: "The server's storage, shared by maintenance ops and cold reads."},
	{Path: "machine.op", Help: "What maintenance ops take: fixed + per MiB (+ per input), all times one log-normal factor."},
	{Path: "machine.client.append_hot", Help: "Median time to buffer a write right after another."},
	{Path: "machine.client.append_cold", Help: "Median time to buffer a write right after a scan."},
	{Path: "machine.client.append_spread", Want: "0..5", Help: "Sigma of the log-normal factor of both."},
	{Path: "machine.client.between", Want: "1ns..", Help: "Choosing an operation and its key: between operations, in no latency."},
	{Path: "machine.client.scan", Help: "Client's share of a scan's latency: RPC and decoding."},
	{Path: "machine.client.warm_up", Want: "0..1000", Help: "Where `clients_share`: how much more a client computes for its first operations, its code not compiled yet; 1 = twice as much."},
	{Path: "machine.client.warm_up_ops", Want: "1..", Help: "Operations (scans, and rows written, each by themselves) after which that has halved; it goes on to fall as 1 / (1 + operations / warm_up_ops)."},
	{Path: "machine.client.retry_base", Help: "A rejected write retries after uniform(0,1) x base x 2^min(attempt, retry_cap)."},
	{Path: "machine.client.retry_cap", Want: "0..40", Help: "See `retry_base`."},
	{Path: "machine.network.round_trip", Help: "One RPC there and back."},
	{Path: "machine.network.replicate", Help: "From the leader's append to a majority's; nothing without followers."},
	{Path: "machine.scan.fixed", Help: "Any scan."},
	{Path: "machine.scan.iterate", Help: "Each rowset at or above the start key."},
	{Path: "machine.scan.seek", Help: "Each rowset whose key range holds the start key."},
	{Path: "machine.scan.redo_file", Help: "Each REDO file of the rowset that is read."},
	{Path: "machine.scan.spread", Want: "0..5", Help: "Sigma of the log-normal factor."},
	{Path: "machine.write.dispatch", Help: "A service thread's time for one RPC."},
	{Path: "machine.write.fixed", Help: "Handler time of one RPC beyond dispatch and apply."},
	{Path: "machine.write.row", Help: "Handler time of a row beyond apply."},
	{Path: "machine.write.apply_fixed", Help: "Apply thread's time of one RPC."},
	{Path: "machine.write.apply_row", Help: "Apply thread's time of a row."},
	{Path: "machine.write.bloom", Help: "One bloom lookup, of which a row needs as many as the tablet is high, in batches of 100 rows or fewer."},
	{Path: "machine.write.bloom_batch", Help: "The same in batches of 1000 rows or more."},
	{Path: "machine.write.spread", Want: "0..5", Help: "Sigma of the log-normal factor."},
	{Path: "machine.store.mrs_row", Help: "Memory of a MemRowSet, each row."},
	{Path: "machine.store.mrs_fixed", Help: "Fixed memory of a MemRowSet that has rows."},
	{Path: "machine.store.mrs_chunk", Help: "A MemRowSet takes memory in chunks of so much, as Kudu's arena does, doubling up to the first; 0: as rows fill it."},
	{Path: "machine.store.disk_row", Want: "0..1000000", Help: "Bytes of a disk rowset (base and REDO), each row."},
	{Path: "machine.store.full_row", Want: "0..1000000", Help: "Further bytes of bloom, index and UNDO, each row."},
	{Path: "machine.store.undo_row", Want: "0..1000000", Help: "UNDO's part of `full_row`."},
	{Path: "machine.store.rowset_fixed", Help: "Fixed bytes of a rowset."},
	{Path: "machine.store.dms_row", Help: "Memory of a DeltaMemStore, each update, beyond its field."},
	{Path: "machine.store.redo_row", Help: "Bytes of a REDO file, each update, beyond its field."},
	{Path: "machine.store.wal_row", Help: "WAL bytes, each row."},
	{Path: "machine.store.wal_batch", Help: "WAL bytes, each batch."},
	{Path: "machine.disk.bandwidth", Want: "1B/s..", Help: "Sequential, reads and writes together."},
	{Path: "machine.disk.cold_read", Help: "Mean of one random read that misses every cache (exponential)."},
	{Path: "machine.disk.devices", Want: "1..1000", Help: "Devices that share the bandwidth evenly. A cold read holds one of them."},
	{Path: "machine.disk.stripes", Want: "1..1000", Flag: "fs_target_data_dirs_per_tablet", Help: "Devices that hold one op's files. An op gets no more bandwidth than theirs."},
	{Path: "machine.disk.key_block_rows", Want: "1..1000000", Help: "Rows whose keys one cold read brings in."},
	{Path: "machine.disk.bloom_block_rows", Want: "0..1000000", Help: "Rows whose bloom filter one cold read brings in, when a written row's presence is checked in a rowset that has left the page cache: 1709 in Kudu (4 KiB of 19.17 bits a key). 0: presence checks never wait for the disk; see [the model](model.md#servers)."},
	{Path: "machine.disk.data_block_rows", Want: "1..1000000", Help: "Rows of one column that one cold read brings in."},
	{Path: "machine.op.flush_fixed", Help: "MemRowSet flush, fixed."},
	{Path: "machine.op.flush_mib", Help: "MemRowSet flush, each MiB written."},
	{Path: "machine.op.flush_sync", Help: "MemRowSet flush, more if a rowset compaction was the last before it on the server: what that wrote must be synced first."},
	{Path: "machine.op.dms_fixed", Help: "DeltaMemStore flush, fixed."},
	{Path: "machine.op.dms_mib", Help: "DeltaMemStore flush, each MiB written."},
	{Path: "machine.op.compact_fixed", Help: "Rowset compaction, fixed."},
	{Path: "machine.op.compact_mib", Help: "Rowset compaction, each MiB written."},
	{Path: "machine.op.compact_input_mib", Help: "Rowset compaction, each MiB written, for each rowset merged."},
	{Path: "machine.op.delta_fixed", Help: "Minor or major delta compaction, fixed."},
	{Path: "machine.op.delta_row", Help: "Minor or major delta compaction, each update read."},
	{Path: "machine.op.log_gc", Help: "Log GC."},
	{Path: "machine.op.undo_gc", Help: "UNDO delta block GC that opens and deletes nothing."},
	{Path: "machine.op.undo_open", Help: "The same for each block of UNDO deltas that it opens to learn its age."},
	{Path: "machine.op.undo_free", Help: "What it takes more if it deletes any: the tablet's metadata are written and synced."},
	{Path: "machine.op.undo_free_block", Help: "And for each block that it deletes."},
	{Path: "machine.op.nothing", Help: "Op that finds nothing to do, such as a compaction whose rowsets another thread took."},
	{Path: "machine.op.launch", Help: "Time from the launch of an op until the scheduler looks again, if another thread is free."},
	{Path: "machine.op.start", Help: "Time from the launch of an op until its thread holds its locks, where there are several threads: so long another can choose the same."},
	{Path: "machine.op.start_idle", Help: "The same for an op that is launched while no other runs."},
	{Path: "machine.op.decide_op", Help: "Scheduler's time for the stats of one op at every look at all ops; 0 = a look takes no time."},
	{Path: "machine.op.decide_rowset", Help: "The same for each rowset when a compaction's value is computed anew."},
	{Path: "machine.op.spread", Want: "0..5", Help: "Sigma of the log-normal factor of all ops but flushes."},
	{Path: "machine.op.flush_spread", Want: "0..5", Help: "Sigma of that of flushes."},
}

var profileWords = strings.Join(rules.ProfileNames(), "|")

// ruleKeys are the keys of rules, one for each difference between Kudu's versions.
func ruleKeys() []Key {
	var out []Key
	for _, d := range rules.Differences {
		out = append(out, Key{Path: "rules." + d.Name, Flag: d.Issue, Help: strings.ToUpper(d.Help[:1]) + d.Help[1:] + "."})
	}
	return out
}

var keysByPath = byPath(append(slices.Clip(keys), ruleKeys()...))

func byPath(keys []Key) map[string]Key {
	m := make(map[string]Key, len(keys))
	for _, k := range keys {
		m[k.Path] = k
	}
	return m
}

// anyItem makes a path that of any item: tables[3].name becomes tables[].name.
func anyItem(path string) string {
	var b strings.Builder
	for {
		head, rest, ok := strings.Cut(path, "[")
		b.WriteString(head)
		if !ok {
			return b.String()
		}
		b.WriteByte('[')
		path = strings.TrimLeft(rest, "0123456789")
	}
}

// words lists what a key of fixed words allows, or nil.
func (k Key) words() []string {
	if k.Want == "" || strings.Contains(k.Want, "..") {
		return nil
	}
	return strings.Split(k.Want, "|")
}

// limits gives the bounds of a key in its type's notation; an open side is empty.
func (k Key) limits() (low, high string) {
	low, high, _ = strings.Cut(k.Want, "..")
	return low, high
}
