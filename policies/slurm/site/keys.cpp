#include "policies/slurm/site/keys.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "policies/slurm/site/words.hpp"

namespace schedfarm::policies::slurm {

namespace {

constexpr std::int64_t most_16 = 65533;       // Slurm's own: the two above mean something else
constexpr std::int64_t most_32 = 4294967293;  // likewise
constexpr std::int64_t most_megabytes = 1'000'000'000'000;
constexpr std::int64_t most_time = 60 * most_32;
constexpr std::int64_t most_second = 100'000'000'000;  // on the Unix clock

constexpr Key number(
    Place place,
    std::string_view name,
    std::int64_t least,
    std::int64_t most,
    std::string_view note,
    std::string_view unit = ""
) {
    return {place, name, Use::modelled, Kind::number, least, most, unit, note};
}
constexpr Key unlimited(Key key) {
    key.may_be_unlimited = true;
    return key;
}
constexpr Key time(Place place, std::string_view name, std::int64_t least, std::string_view note) {
    return {place, name, Use::modelled, Kind::time, least, most_time, "min", note};
}
constexpr Key text(Place place, std::string_view name, std::string_view note) {
    return {.place = place, .name = name, .note = note};
}
constexpr Key flag(Place place, std::string_view name, std::string_view note) {
    return {.place = place, .name = name, .kind = Kind::flag, .note = note};
}
constexpr Key refused(
    Place place, std::string_view name, std::string_view word, std::string_view idle = ""
) {
    return {.place = place, .name = name, .use = Use::refused, .note = word, .idle = idle};
}

constexpr Place conf = Place::conf;
constexpr Place parameter = Place::parameter;
constexpr Place node = Place::node;
constexpr Place partition = Place::partition;
constexpr Place reservation = Place::reservation;
constexpr Place assoc = Place::association;
constexpr Place qos = Place::qos;

constexpr Key modelled_and_refused[] = {
    text(conf, "clustername", "whose rows of the dump of associations count"),
    text(conf, "schedulertype", "backfill or builtin"),
    text(conf, "schedulerparameters", "words of their own"),
    text(conf, "prioritytype", "basic or multifactor"),
    time(conf, "prioritycalcperiod", 60, "from one recomputation of priorities to the next"),
    time(conf, "prioritydecayhalflife", 0, "of usage; 0: it does not decay"),
    time(conf, "prioritymaxage", 1, "age of full weight"),
    number(conf, "priorityweightage", 0, most_32, "weight of the age"),
    number(conf, "priorityweightfairshare", 0, most_32, "weight of fair share"),
    number(conf, "priorityweightjobsize", 0, most_32, "weight of the size"),
    number(conf, "priorityweightpartition", 0, most_32, "weight of the partition"),
    number(conf, "priorityweightqos", 0, most_32, "weight of the QOS"),
    text(conf, "priorityfavorsmall", "whether small jobs come first"),
    text(conf, "priorityflags", "accrue_always, small_relative_to_time, fair_tree, max_tres"),
    number(conf, "killwait", 0, most_16, "from the signal at a limit to the kill", "s"),
    unlimited(number(conf, "overtimelimit", 0, most_16, "beyond a job's limit", "min")),
    text(conf, "accountingstorageenforce", "whether limits hold"),
    text(conf, "selecttype", "linear: whole nodes"),
    text(conf, "selecttypeparameters", "whether memory is allotted"),
    unlimited(number(conf, "defmempercpu", 0, most_megabytes, "what jobs get that do not ask", "MB")
    ),
    unlimited(number(conf, "defmempernode", 0, most_megabytes, "likewise", "MB")),
    text(conf, "preempttype", "none or partition_prio"),
    text(conf, "preemptmode", "off or requeue"),
    text(conf, "jobrequeue", "0: what is sent away does not come back"),
    refused(conf, "topologyplugin", "topology", "topology/none|topology/default|topology/flat"),
    refused(conf, "licenses", "licences"),
    refused(conf, "suspendtime", "power_saving", "-1|infinite"),
    refused(conf, "federationparameters", "federation"),
    refused(conf, "priorityweighttres", "tres_weights"),
    refused(conf, "priorityweightassoc", "assoc_weight", "0"),
    refused(conf, "prioritysitefactorplugin", "site_factor"),
    refused(conf, "completewait", "complete_wait", "0"),
    refused(conf, "priorityusageresetperiod", "usage_reset"),
    refused(conf, "preemptexempttime", "preempt_exempt_time", "-1|0|00:00:00"),
    refused(conf, "preemptparameters", "preempt_parameters"),
    refused(conf, "downnodes", "down_nodes"),
    refused(conf, "frontendname", "front_end"),
    refused(conf, "mcsplugin", "mcs", "mcs/none"),
    refused(conf, "burstbuffertype", "burst_buffer"),
    refused(conf, "powerplugin", "power_caps"),
    refused(conf, "nodefeaturesplugins", "node_features"),
    refused(conf, "resvoverrun", "reservation_overrun", "0"),
    refused(conf, "jobdefaults", "gpu_defaults"),
    refused(conf, "defcpupergpu", "gpu_defaults", "0"),
    refused(conf, "defmempergpu", "gpu_defaults", "0"),
    refused(conf, "maxmempercpu", "max_memory", "0|unlimited"),
    refused(conf, "prioritysitefactorparameters", "site_factor"),
    // of nodes
    text(node, "nodename", "names"),
    number(node, "boards", 1, most_16, "boards of a node"),
    number(node, "sockets", 1, most_16, "sockets of a node"),
    number(node, "socketsperboard", 1, most_16, "sockets of a board"),
    number(node, "corespersocket", 1, most_16, "cores of a socket"),
    number(node, "threadspercore", 1, most_16, "threads of a core"),
    number(node, "cpus", 1, most_16, "CPUs of a node"),
    number(node, "procs", 1, most_16, "CPUs of a node"),
    number(node, "realmemory", 1, most_megabytes, "memory of a node", "MB"),
    number(node, "weight", 0, most_32, "nodes of low weight are taken first"),
    number(node, "gres", 0, most_16, "GPUs of a node, gpu:TYPE:COUNT"),
    text(node, "feature", "what Constraint of a job asks for"),
    text(node, "features", "the same"),
    text(node, "state", "unknown or idle"),
    refused(node, "corespeccount", "core_spec", "0"),
    refused(node, "cpuspeclist", "core_spec"),
    refused(node, "memspeclimit", "core_spec", "0"),
    refused(node, "restrictedcorespergpu", "core_spec", "0"),
    refused(node, "topology", "topology"),
    // of partitions
    text(partition, "partitionname", "its name"),
    text(partition, "nodes", "its nodes; ALL: all"),
    unlimited(time(partition, "maxtime", 1, "longest limit of a job")),
    unlimited(time(partition, "defaulttime", 1, "limit of a job that asks for none")),
    unlimited(number(partition, "maxnodes", 0, most_32, "most nodes of a job")),
    number(partition, "prioritytier", 0, most_16, "its jobs come before those of lower tiers"),
    number(partition, "priorityjobfactor", 0, most_16, "its part of a job's priority"),
    number(partition, "priority", 0, most_16, "both of these"),
    text(partition, "oversubscribe", "exclusive: whole nodes"),
    text(partition, "shared", "the same"),
    text(partition, "preemptmode", "requeue: its jobs may be sent away"),
    text(partition, "qos", "limits of its QOS hold for its jobs"),
    unlimited(
        number(partition, "defmempercpu", 0, most_megabytes, "what jobs get that do not ask", "MB")
    ),
    unlimited(number(partition, "defmempernode", 0, most_megabytes, "likewise", "MB")),
    text(partition, "default", "whether jobs that name none go there"),
    text(partition, "state", "up"),
    refused(partition, "exclusiveuser", "exclusive_user", "no"),
    refused(partition, "exclusivetopo", "topology", "no"),
    refused(partition, "topology", "topology"),
    refused(partition, "lln", "select_parameters", "no"),
    refused(partition, "selecttypeparameters", "select_parameters"),
    refused(partition, "maxcpuspernode", "max_cpus_per_node", "unlimited|infinite|-1"),
    refused(partition, "maxcpuspersocket", "max_cpus_per_socket", "unlimited|infinite|-1"),
    refused(partition, "maxmempercpu", "max_memory", "0|unlimited"),
    refused(partition, "minnodes", "min_nodes", "0|1"),
    refused(partition, "reqresv", "required_reservation", "no"),
    refused(partition, "tresbillingweights", "billing_weights"),
    refused(partition, "overtimelimit", "over_time_limit"),
    refused(partition, "gracetime", "grace_time", "0|00:00:00"),
    refused(partition, "jobdefaults", "gpu_defaults"),
    refused(partition, "defcpupergpu", "gpu_defaults", "0"),
    refused(partition, "defmempergpu", "gpu_defaults", "0"),
    refused(partition, "suspendtime", "power_saving", "-1|infinite"),
    refused(partition, "powerdownonidle", "power_saving", "no"),
    // of advance reservations, which a change may bring: times on the Unix clock
    text(reservation, "reservationname", "its name"),
    number(reservation, "starttime", 0, most_second, "its first second", "s"),
    number(reservation, "endtime", 0, most_second, "its end", "s"),
    number(reservation, "created", 0, most_second, "since when it is known; none: always", "s"),
    text(reservation, "nodes", "which nothing else has meanwhile"),
    // of associations
    text(assoc, "cluster", "rows of another one are left out"),
    text(assoc, "account", "its name"),
    text(assoc, "user", "none: the row is an account's"),
    text(assoc, "parentname", "the account above"),
    text(assoc, "par name", "the account above"),
    number(assoc, "share", 0, most_32, "shares, or parent"),
    number(assoc, "grpjobs", 0, most_32, "jobs that run at once"),
    number(assoc, "grptres", 0, most_32, "node and cpu that are held at once"),
    number(assoc, "maxjobs", 0, most_32, "jobs that run at once"),
    number(assoc, "maxtres", 0, most_32, "node and cpu of a job"),
    unlimited(time(assoc, "maxwall", 0, "longest limit of a job")),
    refused(assoc, "partition", "association_partition"),
    refused(assoc, "grpjobsaccrue", "limits"),
    refused(assoc, "grptresmins", "limits"),
    refused(assoc, "grptresrunmins", "limits"),
    refused(assoc, "grpwall", "limits"),
    refused(assoc, "maxjobsaccrue", "limits"),
    refused(assoc, "maxtresmins", "limits"),
    refused(assoc, "maxtrespernode", "limits"),
    refused(assoc, "minpriothresh", "limits"),
    // of QOS
    text(qos, "name", "its name"),
    number(qos, "priority", 0, most_32, "its part of a job's priority"),
    {qos, "usagefactor", Use::modelled, Kind::fraction, 0, 1'000'000, "", "counts usage so often"},
    number(qos, "grpjobs", 0, most_32, "jobs that run at once"),
    number(qos, "grptres", 0, most_32, "node and cpu that are held at once"),
    number(qos, "maxjobspu", 0, most_32, "jobs of a user that run at once"),
    number(qos, "maxtrespu", 0, most_32, "node and cpu that a user holds at once"),
    number(qos, "maxjobspa", 0, most_32, "jobs of an account that run at once"),
    number(qos, "maxtrespa", 0, most_32, "node and cpu that an account holds at once"),
    number(qos, "maxtres", 0, most_32, "node and cpu of a job"),
    unlimited(time(qos, "maxwall", 0, "longest limit of a job")),
    text(qos, "flags", "DenyOnLimit and such as touch submissions alone"),
    refused(qos, "usagethres", "usage_threshold"),
    refused(qos, "grpjobsaccrue", "limits"),
    refused(qos, "grptresmins", "limits"),
    refused(qos, "grptresrunmins", "limits"),
    refused(qos, "grpwall", "limits"),
    refused(qos, "maxjobsaccruepa", "limits"),
    refused(qos, "maxjobsaccruepu", "limits"),
    refused(qos, "maxtresmins", "limits"),
    refused(qos, "maxtrespernode", "limits"),
    refused(qos, "maxtresrunminspa", "limits"),
    refused(qos, "maxtresrunminspu", "limits"),
    refused(qos, "minpriothresh", "limits"),
    refused(qos, "limitfactor", "limits", "0|1|0.000000|1.000000"),
    // words of SchedulerParameters
    number(parameter, "bf_interval", 1, 10800, "from one backfill pass to the next", "s"),
    number(
        parameter, "bf_resolution", 1, 3600, "times of a plan are rounded to its multiples", "s"
    ),
    number(parameter, "bf_window", 1, 43200, "how far backfill plans ahead", "min"),
    number(
        parameter, "bf_max_job_test", 1, 1'000'000, "jobs that backfill tests in a pass", "jobs"
    ),
    number(
        parameter,
        "bf_node_space_size",
        0,
        2'000'000,
        "entries of the table of plans, two for each planned job; 0: bf_max_job_test"
    ),
    number(parameter, "bf_max_time", 0, 3600, "longest backfill pass; 0: bf_interval", "s"),
    number(parameter, "bf_max_job_start", 0, 10000, "jobs that a pass starts; 0: any", "jobs"),
    number(
        parameter,
        "bf_max_job_user",
        0,
        1'000'000,
        "jobs of a user that a pass tests; 0: any",
        "jobs"
    ),
    number(parameter, "bf_max_job_part", 0, 1'000'000, "likewise of a partition", "jobs"),
    number(
        parameter, "bf_max_job_user_part", 0, 1'000'000, "likewise of a user in a partition", "jobs"
    ),
    number(parameter, "bf_max_job_assoc", 0, 1'000'000, "likewise of an association", "jobs"),
    number(
        parameter, "bf_max_job_array_resv", 0, 1000, "tasks of an array that a pass plans", "jobs"
    ),
    number(
        parameter, "bf_min_age_reserve", 0, 2'592'000, "how long a job waits for a reservation", "s"
    ),
    number(
        parameter,
        "bf_min_prio_reserve",
        0,
        most_32,
        "least priority for which something is reserved"
    ),
    number(
        parameter,
        "bf_window_linear",
        0,
        most_32,
        "growth of groups of expected ends; 0: they double",
        "s"
    ),
    number(
        parameter,
        "default_queue_depth",
        0,
        2'147'483'647,
        "jobs that a main pass looks at, less one, where something asked for it",
        "jobs"
    ),
    number(
        parameter,
        "partition_job_depth",
        0,
        2'147'483'647,
        "likewise of a partition; 0: any",
        "jobs"
    ),
    number(
        parameter,
        "sched_max_job_start",
        0,
        2'147'483'647,
        "jobs that a main pass starts; 0: any",
        "jobs"
    ),
    number(
        parameter, "sched_interval", 1, 2'147'483'647, "from one full main pass to the next", "s"
    ),
    number(
        parameter,
        "batch_sched_delay",
        0,
        2'147'483'647,
        "least time between main passes that submissions ask for",
        "s"
    ),
    flag(parameter, "assoc_limit_stop", "a job over a limit stops its partition"),
    flag(parameter, "defer", "no pass for each job that comes"),
};

/// Words that one reason serves.
struct Words {
    Place place;
    Use use;
    std::string_view note;
    std::string_view names;  ///< divided by blanks, of columns by commas
};

constexpr Words groups[] = {
    {conf,
     Use::harmless,
     "names hosts, ports, users and how they speak",
     "slurmctldhost controlmachine controladdr backupcontroller backupaddr slurmctldaddr "
     "slurmctldport slurmdport slurmuser slurmduser communicationparameters commparameters "
     "srunportrange schedulerport schedulerrootfilter treewidth routeplugin topologyparam "
     "msgaggregationparams tcptimeout keepalivetime messagetimeout slurmctldtimeout slurmdtimeout "
     "returntoservice maxdbdmsgs slurmctldprimaryonprog slurmctldprimaryoffprog dynamicnodes "
     "maxnodecount"},
    {conf,
     Use::harmless,
     "says who may do what, and how that is proved",
     "authtype authalttypes authaltparameters authinfo credtype cryptotype jobcredentialprivatekey "
     "jobcredentialpubliccertificate privatedata allowspecresourcesusage disablerootjobs usepam "
     "groupupdateforce groupupdatetime hashplugin tlstype tlsparameters certmgrtype "
     "certmgrparameters certgentype certgenparameters trackwckey mcsparameters"},
    {conf,
     Use::harmless,
     "names files and programs",
     "statesavelocation slurmdspooldir slurmctldpidfile slurmdpidfile slurmctldlogfile "
     "slurmdlogfile slurmschedlogfile plugindir plugstackconfig mailprog maildomain tmpfs "
     "checkpointtype jobcheckpointdir unkillablestepprogram sallocdefaultcommand srunprolog "
     "srunepilog taskprolog taskepilog rebootprogram resvprolog resvepilog healthcheckprogram "
     "healthcheckinterval healthchecknodestate bcastexclude bcastparameters cachegroups "
     "prepplugins prepparameters clifilterplugins clifilterparameters gputype"},
    {conf,
     Use::harmless,
     "says what is written of jobs, not when they start",
     "slurmctlddebug slurmddebug slurmctldsyslogdebug slurmdsyslogdebug slurmschedloglevel "
     "debugflags logtimeformat accountingstoragetype accountingstoragehost "
     "accountingstoragebackuphost accountingstorageexternalhost accountingstorageloc "
     "accountingstoragepass accountingstorageport accountingstorageuser "
     "accountingstorageparameters accountingstorejobcomment accountingstoreflags "
     "accountingstoragetres acctgathernodefreq acctgatherenergytype acctgatherfilesystemtype "
     "acctgatherinfinibandtype acctgatherinterconnecttype acctgatherprofiletype "
     "jobacctgatherfrequency jobacctgathertype jobacctgatherparams jobcomphost jobcomploc "
     "jobcompparams jobcomppass jobcompport jobcomptype jobcompuser jobcomppassscript "
     "extsensorsfreq extsensorstype defaultstoragehost defaultstorageloc defaultstoragepass "
     "defaultstorageport defaultstoragetype defaultstorageuser metricstype"},
    {conf,
     Use::harmless,
     "how processes are begun, bound and watched inside of a job",
     "switchtype switchparameters mpidefault mpiparams proctracktype taskplugin taskpluginparam "
     "launchtype launchparameters propagateprioprocess propagateresourcelimits "
     "propagateresourcelimitsexcept jobfileappend jobcontainertype vsizefactor memlimitenforce "
     "cpufreqdef cpufreqgovernors interactivestepoptions x11parameters corespecplugin "
     "slurmdparameters slurmctldparameters cgroupparams maxstepcount containertype"},
    {conf,
     Use::harmless,
     "what it takes before and behind a job is in the log's times",
     "prolog epilog prologslurmctld epilogslurmctld prologflags prologepilogtimeout prologtimeout "
     "epilogtimeout batchstarttimeout getenvtimeout epilogmsgtime unkillablesteptimeout "
     "inactivelimit waittime eiotimeout killonbadexit"},
    {conf,
     Use::harmless,
     "bears on submissions: the jobs of a log were admitted",
     "enforcepartlimits maxjobcount maxarraysize maxbatchrequeue maxtaskspernode maxmempernode "
     "jobsubmitplugins firstjobid maxjobid minjobage requeueexit requeueexithold reconfigflags "
     "defaultjobpriority"},
    {conf, Use::harmless, "GPUs are read of the nodes' lines", "grestypes"},
    {conf,
     Use::harmless,
     "works only with SuspendTime, which is refused",
     "suspendprogram suspendrate suspendtimeout suspendexcnodes suspendexcparts suspendexcstates "
     "resumeprogram resumefailprogram resumerate resumetimeout"},
    {conf,
     Use::harmless,
     "works only with gang scheduling, which is refused",
     "schedulertimeslice"},
    {conf,
     Use::harmless,
     "works only with plugins or flags that are refused",
     "fairsharedampeningfactor priorityparameters burstbufferparameters powerparameters"},
    {node,
     Use::harmless,
     "says how slurmd is reached, or what it reports",
     "nodeaddr nodehostname port bcastaddr reason parameters cpubind gresconf"},
    {node, Use::harmless, "no log says how much of it jobs asked for", "tmpdisk"},
    {partition,
     Use::harmless,
     "bears on submissions: the jobs of a log were admitted",
     "allowgroups allowaccounts allowqos denyaccounts denyqos allowallocnodes rootonly "
     "disablerootjobs maxmempernode hidden alternate"},
    {partition, Use::harmless, "how processes are bound inside of a job", "cpubind"},
    {partition,
     Use::harmless,
     "works only with SuspendTime, which is refused",
     "suspendtimeout resumetimeout"},
    {assoc,
     Use::harmless,
     "bears on submissions: the jobs of a log were admitted",
     "grpsubmit,grpsubmitjobs,maxsubmit,maxsubmitjobs,qos,def qos,defaultqos,qos_raw"},
    {assoc, Use::harmless, "only PriorityWeightAssoc weighs it, which is refused", "priority"},
    {assoc,
     Use::harmless,
     "numbers and words of the table itself",
     "id,lft,rgt,parentid,par id,lineage,comment,flags,descr,org"},
    {qos,
     Use::harmless,
     "bears on submissions: the jobs of a log were admitted",
     "grpsubmit,maxsubmitpu,maxsubmitpa,mintres"},
    {qos,
     Use::harmless,
     "works only with preempt/qos, which is refused",
     "gracetime,preempt,preemptmode,preemptexempttime"},
    {qos, Use::harmless, "numbers and words of the table itself", "id,descr,description"},
    {parameter,
     Use::refused,
     "",
     "bf_busy_nodes bf_hetjob_immediate bf_hetjob_prio bf_ignore_newly_avail_nodes "
     "bf_job_part_count_reserve bf_licenses bf_one_resv_per_job bf_running_job_reserve "
     "bf_topopt_enable bf_topopt_iterations defer_batch delay_boot enable_hetero_steps "
     "max_switch_wait pack_serial_at_end preempt_reorder_count preempt_strict_order "
     "preempt_youngest_first reduce_completing_frag spec_cores_first time_min_as_soft_limit "
     "whole_hetjob whole_pack"},
    {parameter,
     Use::harmless,
     "bounds the time of the daemon: passes end here",
     "bf_continue bf_yield_interval bf_yield_rpc_cnt bf_yield_sleep build_queue_timeout "
     "max_rpc_cnt max_sched_time sched_min_interval no_backup_scheduling enable_job_state_cache "
     "inventory_interval"},
    {parameter,
     Use::harmless,
     "bears on submissions, on steps inside of jobs, or on jobs that never start",
     "allow_zero_lic bb_array_stage_cnt bf_allow_magnetic_slot correspond_after_task_cnt "
     "default_gbytes disable_hetjob_steps disable_job_shrink enable_hetjob_steps enable_user_top "
     "extra_row_cnt ignore_constraint_validation ignore_numa ignore_prefer_validation "
     "kill_invalid_depend max_array_tasks max_depend_depth max_script_size max_submit_line_size "
     "no_env_cache nohold_on_prolog_fail permit_job_expansion preempt_send_user_signal "
     "requeue_setup_env_fail salloc_wait_nodes sbatch_wait_nodes step_retry_count step_retry_time "
     "use_interactive_step"},
};

std::vector<Key> all_keys() {
    std::vector<Key> keys(std::begin(modelled_and_refused), std::end(modelled_and_refused));
    for (const Words& group : groups) {
        const bool is_column = group.place == assoc || group.place == qos;
        std::string_view names = group.names;
        while (!names.empty()) {
            const std::size_t end = std::min(names.find(is_column ? ',' : ' '), names.size());
            Key key{.place = group.place, .name = names.substr(0, end), .use = group.use};
            key.note = group.note.empty() ? key.name : group.note;
            keys.push_back(key);
            names.remove_prefix(std::min(end + 1, names.size()));
        }
    }
    return keys;
}

std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
        row[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t kept = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
            diagonal = kept;
        }
    }
    return row.back();
}

}  // namespace

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

std::string need_of(const Key& key) {
    const std::string unit =
        key.unit.empty() || key.unit == "jobs" ? "" : fmt::format(", in {}", key.unit);
    const std::string_view or_unlimited = key.may_be_unlimited ? " or UNLIMITED" : "";
    switch (key.kind) {
        case Kind::time:
            return fmt::format(
                "a time{} ({}; minutes, or days-hours:minutes:seconds)", or_unlimited, key.note
            );
        case Kind::fraction:
            return fmt::format("a number from {} to {} ({})", key.least, key.most, key.note);
        default:
            return fmt::format(
                "a whole number from {} to {}{} ({}{})",
                key.least,
                key.most,
                or_unlimited,
                key.note,
                unit
            );
    }
}

std::string nearest_key(Place place, std::string_view name, bool is_change) {
    std::string_view nearest;
    std::size_t least = std::string_view::npos;
    for (const Key& key : site_keys()) {
        const bool is_there =
            key.place == place || (is_change && place == conf && key.place == parameter);
        if (is_there && key.name != name && (!is_change || key.use == Use::modelled)) {
            const std::size_t far = distance(key.name, name.substr(0, 60));
            nearest = far < least ? key.name : nearest;
            least = std::min(least, far);
        }
    }
    return std::string(nearest);
}

std::string_view name_of(Place place) {
    switch (place) {
        case Place::conf:
            return "slurm.conf";
        case Place::parameter:
            return "SchedulerParameters";
        case Place::node:
            return "NodeName";
        case Place::partition:
            return "PartitionName";
        case Place::reservation:
            return "ReservationName";
        case Place::association:
            return "sacctmgr show assoc";
        case Place::qos:
            return "sacctmgr show qos";
    }
    return "";
}

}  // namespace schedfarm::policies::slurm
