#include "policies/slurm/site/keys.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace schedfarm::policies::slurm {

namespace {

constexpr std::int64_t most_int = 2'147'483'647;
constexpr std::int64_t most_16 = 65533;       // Slurm's own: the two above mean something else
constexpr std::int64_t most_32 = 4294967293;  // likewise

constexpr Values from_0{Kind::number, 0, most_16};
constexpr Values from_1{Kind::number, 1, most_16};
constexpr Values wide{Kind::number, 0, most_32};
constexpr Values megabytes{Kind::number, 0, 1'000'000'000'000, "MB", true};
constexpr Values flag{Kind::flag};
constexpr Values minutes_used{Kind::number, 0, std::numeric_limits<std::int64_t>::max(), "min"};
constexpr Values signed_weight{Kind::fraction, -most_32, most_32};
constexpr Values count(std::int64_t least, std::int64_t most) {
    return {Kind::number, least, most, "jobs"};
}
constexpr Values seconds(std::int64_t least, std::int64_t most) {
    return {Kind::number, least, most, "s"};
}
constexpr Values minutes(std::int64_t least_s, bool may_be_unlimited = false) {
    return {Kind::time, least_s, 60 * most_32, "min", may_be_unlimited};
}
constexpr Values clock = seconds(0, 100'000'000'000);
constexpr Values jobs = count(0, 1'000'000);
constexpr Values any_jobs = count(0, most_int);

/// Words that mean the same, and what it is.
struct Row {
    std::string_view places;
    std::string_view names;
    std::string_view note;
    Values values = {};
};

/// Ranges and units as slurm.conf(5), sacctmgr(1) and the readers of Slurm 22.05 have them.
constexpr Row modelled_words[] = {
    {"conf", "clustername", "whose rows of the dump of associations count"},
    {"conf", "slurm_version", "release whose rules hold, 22.05 to 26.05; by default 22.05"},
    {"conf", "schedulertype", "backfill or builtin"},
    {"conf", "schedulerparameters", "words of their own"},
    {"conf", "prioritytype", "basic or multifactor"},
    {"conf", "prioritycalcperiod", "time between recomputations, at least 1", minutes(60)},
    {"conf", "prioritydecayhalflife", "of usage; 0: it does not decay", minutes(0)},
    {"conf", "prioritymaxage", "age of full weight", minutes(0)},
    {"conf", "priorityweightage", "weight of the age", wide},
    {"conf", "priorityweightfairshare", "weight of fair share", wide},
    {"conf", "priorityweightjobsize", "weight of the size", wide},
    {"conf", "priorityweightpartition", "weight of the partition", wide},
    {"conf", "priorityweightqos", "weight of the QOS", wide},
    {"conf", "priorityweightassoc", "weight of the association's Priority", wide},
    {"conf", "priorityweighttres", "weights of cpu, mem, node, gres/gpu", signed_weight},
    {"conf", "priorityusageresetperiod", "when usage becomes 0, by UTC"},
    {"conf", "priorityfavorsmall", "whether small jobs come first"},
    {"conf", "priorityflags", "accrue_always, small_relative_to_time, fair_tree, max_tres"},
    {"conf", "killwait", "from the signal at a limit to the kill", seconds(0, most_16)},
    {"conf", "overtimelimit", "beyond a job's limit", {Kind::number, 0, most_16, "min", true}},
    {"conf", "accountingstorageenforce", "whether limits hold"},
    {"conf", "licenses", "names and counts, mat:4,sim"},
    {"conf", "selecttype", "linear: whole nodes"},
    {"conf", "selecttypeparameters", "whether cores, CPUs and memory are allotted"},
    {"conf", "preempttype", "none, partition_prio or qos"},
    {"conf", "preemptmode", "off or requeue: jobs may be sent away"},
    {"conf partition",
     "defmempercpu defmempernode defmempergpu",
     "what jobs get that do not ask",
     megabytes},
    {"conf partition", "defcpupergpu", "what jobs get that do not ask", wide},
    {"conf partition", "jobdefaults", "DefCpuPerGPU and DefMemPerGPU", {Kind::text, 0, most_32}},
    {"conf partition",
     "maxmempercpu maxmempernode",
     "most memory; of a CPU: who asks for more gets more CPUs",
     megabytes},
    {"conf", "completewait", "no pass so long while nodes clear up", seconds(0, most_16)},
    {"node", "nodename", "names"},
    {"node", "boards", "boards of a node", from_1},
    {"node", "sockets", "sockets of a node", from_1},
    {"node", "socketsperboard", "sockets of a board", from_1},
    {"node", "corespersocket", "cores of a socket", from_1},
    {"node", "threadspercore", "threads of a core", from_1},
    {"node", "cpus procs", "CPUs of a node", from_1},
    {"node", "realmemory", "memory of a node", {Kind::number, 1, megabytes.most, "MB"}},
    {"node", "weight", "nodes of low weight are taken first", wide},
    {"node", "gres", "GPUs and such of a node, gpu:TYPE:COUNT", from_0},
    {"node", "feature features", "what Constraint of a job asks for"},
    {"partition", "partitionname", "its name"},
    {"partition", "nodes", "its nodes; ALL: all"},
    {"partition", "defaulttime", "limit of a job that asks for none", minutes(60, true)},
    {"partition", "maxtime", "longest limit of a job", minutes(0, true)},
    {"partition", "maxcpuspernode", "most CPUs of a node", {Kind::number, 0, most_32, "", true}},
    {"partition", "overtimelimit", "beyond a job's limit", {Kind::number, 0, most_16, "min", true}},
    {"partition", "maxnodes", "most nodes of a job", {Kind::number, 0, most_32, "", true}},
    {"partition", "prioritytier", "its jobs come before those of lower tiers", from_0},
    {"partition", "priorityjobfactor", "its part of a job's priority", from_0},
    {"partition", "priority", "tier and part of the priority", from_0},
    {"partition", "oversubscribe shared", "exclusive: whole nodes; yes: as no"},
    {"partition", "preemptmode", "requeue: its jobs may be sent away"},
    {"partition", "qos", "limits of its QOS hold for its jobs"},
    {"partition", "tresbillingweights", "what usage counts in place of CPUs", signed_weight},
    {"partition", "default", "whether jobs that name none go there"},
    {"reservation", "reservationname", "its name"},
    {"reservation", "starttime", "its first second", clock},
    {"reservation", "endtime", "its end", clock},
    {"reservation", "created", "since when it is known; none: always", clock},
    {"reservation", "nodes", "which nothing else has meanwhile"},
    {"association", "cluster", "rows of another one are left out"},
    {"association", "account", "its name"},
    {"association", "user", "none: the row is an account's"},
    {"association", "parentname parname", "the account above"},
    {"association", "share", "shares, or parent", wide},
    {"association", "maxjobs", "jobs that run at once", wide},
    {"association", "priority", "what PriorityWeightAssoc weighs", wide},
    {"qos", "name", "its name"},
    {"qos", "priority", "its part of a job's priority", wide},
    {"qos", "usagefactor", "counts usage so often", {Kind::fraction, 0, 1'000'000}},
    {"qos", "maxjobspu", "jobs of a user that run at once", wide},
    {"qos", "maxtrespu", "what a user holds at once", wide},
    {"qos", "maxjobspa", "jobs of an account that run at once", wide},
    {"qos", "maxtrespa", "what an account holds at once", wide},
    {"qos", "maxtresrunminspu", "likewise of running minutes, since 24.05", minutes_used},
    {"qos", "maxtresrunminspa", "likewise of an account, since 24.05", minutes_used},
    {"qos", "mintres", "what a job has at least", wide},
    {"qos", "preempt", "QOS whose jobs make room under preempt/qos"},
    {"qos",
     "flags",
     "OverPartQOS, NoReserve, NoDecay, UsageFactorSafe, PartitionMaxNodes, PartitionTimeLimit; "
     "those "
     "that bear on submissions do nothing"},
    {"association qos", "grpjobs", "jobs that run at once", wide},
    {"association qos", "grptres", "what is held at once", wide},
    {"association qos", "grptresmins", "minutes that are used, which decay", minutes_used},
    {"association qos", "grptresrunmins", "minutes that running jobs may still use", minutes_used},
    {"association qos", "grpwall", "run time that is used, which decays", minutes(0, true)},
    {"association qos", "maxtres", "what a job holds", wide},
    {"association qos", "maxtresmins", "minutes of a job by its limit", minutes_used},
    {"association qos", "maxtrespernode", "what a job holds of each node, on average", wide},
    {"association qos", "maxwall", "longest limit of a job", minutes(0, true)},
    {"parameter", "bf_interval", "from one backfill pass to the next", seconds(1, 10800)},
    {"parameter", "bf_resolution", "times of a plan are its multiples", seconds(1, 3600)},
    {"parameter", "bf_window", "how far backfill plans ahead", {Kind::number, 1, 43200, "min"}},
    {"parameter", "bf_max_job_test", "jobs that backfill tests in a pass", count(1, 1'000'000)},
    {"parameter",
     "bf_node_space_size",
     "entries of plans, 2 for a job",
     {Kind::number, 2, 2'000'000}},
    {"parameter", "bf_max_time", "longest backfill pass", seconds(1, 3600)},
    {"parameter", "bf_max_job_start", "jobs that a pass starts; 0: any", count(0, 10000)},
    {"parameter", "bf_max_job_user", "jobs of a user that a pass tests; 0: any", jobs},
    {"parameter", "bf_max_job_part", "likewise of a partition", jobs},
    {"parameter", "bf_max_job_user_part", "likewise of a user in a partition", jobs},
    {"parameter", "bf_max_job_assoc", "of an association, not bf_max_job_user", jobs},
    {"parameter", "bf_max_job_array_resv", "tasks of an array that are planned", count(0, 1000)},
    {"parameter", "bf_min_age_reserve", "wait before a reservation", seconds(0, 2'592'000)},
    {"parameter", "bf_min_prio_reserve", "least priority for which something is reserved", wide},
    {"parameter", "bf_window_linear", "growth of groups of ends; 0: doubles", seconds(0, most_int)},
    {"parameter", "default_queue_depth", "jobs of a main pass between full ones, less 1", any_jobs},
    {"parameter", "partition_job_depth", "likewise of a partition; 0: any", any_jobs},
    {"parameter", "sched_max_job_start", "jobs that a main pass starts; 0: any", any_jobs},
    {"parameter", "sched_interval", "from one full main pass to the next", seconds(1, most_int)},
    {"parameter",
     "sched_min_interval",
     "from one main pass to the next; below a second: none",
     {Kind::number, 0, most_int, "us"}},
    {"parameter", "batch_sched_delay", "from submission to pass, at most", seconds(0, most_int)},
    {"parameter", "assoc_limit_stop", "a job over a limit stops its partition", flag},
    {"parameter", "defer", "no pass for each job that comes", flag},
};

/// Places: the word that accepts it: words=values that change nothing. An empty one: each by its
/// own name.
constexpr std::string_view refused_words = R"(
conf: topology: topologyplugin=topology/default|topology/flat;
conf: federation: federationparameters;
conf: site_factor: prioritysitefactorplugin prioritysitefactorparameters;
conf: down_nodes: downnodes; conf: front_end: frontendname; conf: mcs: mcsplugin;
conf: burst_buffer: burstbuffertype; conf: power_caps: powerplugin;
conf: node_features: nodefeaturesplugins; conf: reservation_overrun: resvoverrun=0;
conf partition: power_saving: suspendtime=-1|infinite;
node: node_state: state=unknown|idle; partition: partition_state: state=up;
node: core_spec: corespeccount=0 memspeclimit=0 restrictedcorespergpu=0 cpuspeclist;
node: topology: topology; node: billing_weights: tresweights;
node: power_saving: suspendtime=-1|infinite;
partition: exclusive_user: exclusiveuser=no|false|down|0;
partition: topology: exclusivetopo=no|false|down|0 topology;
partition: select_parameters: lln=no|false|down|0 selecttypeparameters;
partition: max_cpus_per_socket: maxcpuspersocket=unlimited|infinite;
partition: min_nodes: minnodes=0|1; partition: required_reservation: reqresv=no|false|down|0;
partition: power_saving: powerdownonidle=no|false|down|0;
association: association_partition: partition; association: limits: maxjobsaccrue;
qos: usage_threshold: usagethres;
qos: limits: maxjobsaccruepa maxjobsaccruepu
limitfactor=0|1|0.000000|1.000000;
association qos: limits: grpjobsaccrue;
qos: limits: minpriothres;
parameter: : bf_busy_nodes bf_hetjob_immediate bf_hetjob_prio bf_ignore_newly_avail_nodes
bf_job_part_count_reserve bf_licenses bf_one_resv_per_job bf_running_job_reserve bf_topopt_enable
bf_topopt_iterations defer_batch pack_serial_at_end reduce_completing_frag
time_min_as_soft_limit;)";

/// Likewise of what changes schedules only where jobs may be sent away.
constexpr std::string_view refused_words_of_preemption = R"(
conf: job_requeue: jobrequeue=1|yes|true|up;
conf: preempt_exempt_time: preemptexempttime=-1|0|00:00:00;
conf: preempt_parameters: preemptparameters; partition qos: grace_time: gracetime=0|00:00:00;
qos: preempt_mode: preemptmode=cluster|requeue; qos: preempt_exempt_time: preemptexempttime=-1|0|00:00:00;
parameter: : preempt_strict_order preempt_youngest_first preempt_reorder_count=1;)";

/// Places: why they touch no schedule: words.
constexpr std::string_view harmless_words = R"(
conf: how the daemons run, number jobs and speak with each other: slurmctldhost controlmachine
controladdr backupcontroller backupaddr slurmctldaddr slurmctldport slurmdport slurmuser
slurmduser communicationparameters commparameters srunportrange treewidth routeplugin tcptimeout
keepalivetime messagetimeout slurmctldtimeout slurmdtimeout returntoservice maxdbdmsgs
slurmctldprimaryonprog slurmctldprimaryoffprog maxnodecount reconfigflags slurmctldparameters
slurmdparameters minjobage firstjobid maxjobid;
conf: who may do what, and how that is proved: authtype authalttypes authaltparameters authinfo
credtype cryptotype jobcredentialprivatekey jobcredentialpubliccertificate privatedata usepam
groupupdateforce groupupdatetime hashplugin tlstype tlsparameters certmgrtype certmgrparameters
certgentype certgenparameters trackwckey scronparameters;
conf: names files and programs: statesavelocation slurmdspooldir slurmctldpidfile slurmdpidfile
slurmctldlogfile slurmdlogfile slurmschedlogfile plugindir plugstackconfig slurmctldplugstack
mailprog maildomain tmpfs unkillablestepprogram sallocdefaultcommand srunprolog srunepilog
taskprolog taskepilog rebootprogram resvprolog resvepilog healthcheckprogram healthcheckinterval
healthchecknodestate bcastexclude bcastparameters sbcastparameters prepplugins prepparameters
clifilterplugins clifilterparameters;
conf: what is written of jobs, not when they start: slurmctlddebug slurmddebug
slurmctldsyslogdebug slurmdsyslogdebug slurmschedloglevel debugflags logtimeformat
accountingstoragetype accountingstoragehost accountingstoragebackuphost
accountingstorageexternalhost accountingstorageloc accountingstoragepass accountingstorageport
accountingstorageuser accountingstorageparameters accountingstorejobcomment accountingstoreflags
accountingstoragetres acctgathernodefreq acctgatherenergytype acctgatherfilesystemtype
acctgatherinfinibandtype acctgatherinterconnecttype acctgatherprofiletype jobacctgatherfrequency
jobacctgathertype jobacctgatherparams jobcomphost jobcomploc jobcompparams jobcomppass jobcompport
jobcomptype jobcompuser jobcomppassscript extsensorsfreq extsensorstype metricstype;
conf: how processes are begun, bound and watched inside of a job: switchtype switchparameters
mpidefault mpiparams proctracktype taskplugin taskpluginparam launchtype launchparameters
propagateprioprocess propagateresourcelimits propagateresourcelimitsexcept jobfileappend
jobcontainertype vsizefactor cpufreqdef cpufreqgovernors gpufreqdef interactivestepoptions
x11parameters maxstepcount maxtaskspernode;
conf: what it does to a job is in the log's times and states: prolog epilog prologslurmctld
epilogslurmctld prologflags prologepilogtimeout prologtimeout epilogtimeout batchstarttimeout
getenvtimeout epilogmsgtime unkillablesteptimeout inactivelimit waittime eiotimeout killonbadexit
requeueexit requeueexithold maxbatchrequeue;
conf: bears on submissions, and the jobs of a log were admitted: enforcepartlimits maxjobcount
maxarraysize jobsubmitplugins dependencyparameters;
conf: GPUs are read of the nodes' lines: grestypes;
conf: works only with SuspendTime, which is refused: suspendprogram suspendrate suspendexcnodes
suspendexcparts suspendexcstates resumeprogram resumefailprogram resumerate;
conf: works only with gang scheduling, which is refused: schedulertimeslice;
conf: works only with plugins, flags or nodes' words that are refused: topologyparam mcsparameters
burstbufferparameters powerparameters corespecplugin allowspecresourcesusage
fairsharedampeningfactor priorityparameters;
conf: of an older Slurm, 22.05 has it no more or passes over it: cachegroups checkpointtype
jobcheckpointdir defaultstoragehost defaultstorageloc defaultstoragepass defaultstorageport
defaultstoragetype defaultstorageuser fastschedule memlimitenforce msgaggregationparams
schedulerauth schedulerport schedulerrootfilter;
conf partition: bears on submissions, and the jobs of a log were admitted: disablerootjobs;
conf partition: works only with SuspendTime, which is refused: suspendtimeout resumetimeout;
parameter: bounds the time of the daemon, passes end here: bf_continue bf_yield_interval
bf_yield_rpc_cnt bf_yield_sleep build_queue_timeout max_rpc_cnt max_rpc_count max_sched_time
no_backup_scheduling enable_job_state_cache;
parameter: works only with topology, node features or core_spec, which are refused:
max_switch_wait delay_boot spec_cores_first;
parameter: bears on submissions, on steps inside of jobs, or on what users do to jobs, as logged:
allow_zero_lic bb_array_stage_cnt bf_allow_magnetic_slot correspond_after_task_cnt
disable_hetero_steps disable_hetjob_steps disable_job_shrink enable_hetjob_steps enable_user_top
ignore_constraint_validation ignore_numa ignore_prefer_validation kill_invalid_depend
max_array_tasks max_depend_depth max_script_size max_submit_line_size no_env_cache
nohold_on_prolog_fail permit_job_expansion preempt_send_user_signal requeue_setup_env_fail
salloc_wait_nodes sbatch_wait_nodes step_retry_count step_retry_time use_interactive_step
whole_hetjob whole_pack;
node: how slurmd is reached, what it reports, and where it puts processes: nodeaddr nodehostname
port bcastaddr reason parameters cpubind gresconf;
node: no log says how much of it jobs asked for: tmpdisk;
partition: bears on submissions, and the jobs of a log were admitted: allowgroups allowaccounts
allowqos denyaccounts denyqos allocnodes rootonly hidden;
partition: works only with another State than UP, which is refused: alternate;
partition: how processes are bound inside of a job: cpubind;
association: bears on submissions, and the jobs of a log were admitted: maxsubmit qos defqos
qos_raw;
association: words of the table itself: lft rgt parentid parid lineage comment flags org;
association qos: bears on submissions, and the jobs of a log were admitted: grpsubmit;
association qos: words of the table itself: id descr;
qos: bears on submissions, and the jobs of a log were admitted: maxsubmitpu maxsubmitpa;
)";

/// The text up to a character, taken off it with what is blank before it.
std::string_view next(std::string_view& text, std::string_view ends) {
    text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
    const std::string_view found = text.substr(0, text.find_first_of(ends));
    text.remove_prefix(std::min(found.size() + 1, text.size()));
    return found;
}

void add(std::vector<Key>& keys, Use use, Row row) {
    constexpr std::string_view places[] = {
        "conf", "parameter", "node", "partition", "reservation", "association", "qos"};
    while (!row.places.empty()) {
        const auto at = std::ranges::find(places, next(row.places, " "));
        for (std::string_view names = row.names; !names.empty();) {
            Key key{row.values, static_cast<Place>(at - places), next(names, " \n"), use, row.note};
            const std::size_t equals = std::min(key.name.find('='), key.name.size() - 1);
            if (key.name[equals] == '=') {
                key.idle = key.name.substr(equals + 1);
                key.name = key.name.substr(0, equals);
            }
            key.note = key.note.empty() ? key.name : key.note;
            keys.push_back(key);
        }
    }
}

void add_all(std::vector<Key>& keys, Use use, std::string_view text) {
    while (!text.empty()) {
        const std::string_view places = next(text, ":");
        const std::string_view note = next(text, ":");
        add(keys, use, {places, next(text, ";"), note});
    }
}

std::vector<Key> all_keys() {
    std::vector<Key> keys;
    for (const Row& row : modelled_words) {
        add(keys, Use::modelled, row);
    }
    add_all(keys, Use::refused, refused_words);
    add_all(keys, Use::refused_if_preempting, refused_words_of_preemption);
    add_all(keys, Use::harmless, harmless_words);
    return keys;
}

}  // namespace

std::string dump_command(Place place) {
    if (place == Place::qos) {
        return "sacctmgr -P show qos";  // it has every column
    }
    std::string columns;
    for (const Key& key : site_keys()) {
        if (key.place == place && key.use != Use::harmless && key.name != "parname") {
            columns += (columns.empty() ? "" : ",") + std::string(key.name);
        }
    }
    return "sacctmgr -P show assoc format=" + columns;
}

const std::vector<Key>& site_keys() {
    static const std::vector<Key> keys = all_keys();
    return keys;
}

const Key* find_key(Place place, std::string_view name) {
    static const std::map<std::pair<Place, std::string_view>, const Key*> known = [] {
        std::map<std::pair<Place, std::string_view>, const Key*> by_name;
        for (const Key& key : site_keys()) {
            by_name.emplace(std::pair(key.place, key.name), &key);
        }
        return by_name;
    }();
    const auto at = known.find({place, name});
    return at == known.end() ? nullptr : at->second;
}

}  // namespace schedfarm::policies::slurm
