// A site's files: whatever stands in them, the reader gives the values that stand there, or
// problems with file and line.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "policies/slurm/site/keys.hpp"
#include "policies/slurm/site/site.hpp"
#include "policies/slurm/tres.hpp"

namespace schedfarm::policies::slurm {

namespace {

const std::string machine =
    "ClusterName=c\n"
    "AccountingStorageEnforce=limits\n"
    "NodeName=n[1-4] {}\n"
    "PartitionName=all Nodes=n[1-4] {}\n"
    "{}\n";
const std::string account_columns =
    "Cluster|Account|User|Partition|Share|GrpJobs|GrpTRES|MaxJobs|MaxTRES|MaxWall|ParentName\n"
    "c|root|||1||||||\n";

SiteFiles with(const std::string& node, const std::string& partition, const std::string& line) {
    return {.conf = fmt::format(fmt::runtime(machine), node, partition, line)};
}

/// Files in which one word has a value.
SiteFiles files_with(Place place, const std::string& name, const std::string& value) {
    const std::string word = name + "=" + value;
    switch (place) {
        case Place::conf:
            return with("CPUs=2", "", word);
        case Place::parameter:
            return with("CPUs=2", "", "SchedulerParameters=" + word);
        case Place::node:
            return with(name == "gres" ? "CPUs=2 Gres=gpu:a:" + value : word, "", "");
        case Place::partition:
            return with("CPUs=2", word, "");
        case Place::association: {
            SiteFiles files = with("CPUs=2", "", "");
            files.associations = fmt::format(
                "Account|User|ParentName|Share|{}\nroot|||1|\na||root|1|{}\n", name, value
            );
            if (name == "share") {
                files.associations =
                    fmt::format("Account|User|ParentName|Share\nroot|||1\na||root|{}\n", value);
            }
            return files;
        }
        case Place::qos: {
            SiteFiles files = with("CPUs=2", "", "");
            files.qos = fmt::format("Name|{}\nnormal|{}\n", name, value);
            return files;
        }
        case Place::reservation: {
            SiteFiles files = with("CPUs=2", "", "");
            files.changes = {"ReservationName=r StartTime=1 EndTime=9 Nodes=n1 " + word};
            return files;
        }
    }
    return {};
}

/// What the settings make of a key, in the key's own unit.
struct Row {
    Place place;
    std::string name;
    std::function<double(const Settings&)> value;
};

using Value = std::function<double(const Settings&)>;

/// A member of what `part` finds in the settings, in a unit of its own.
template <typename Part, typename Whole, typename T>
Value member(Part part, T Whole::*place, double unit) {
    return [=](const Settings& site) {
        return static_cast<double>(part(site).*place) / unit;
    };
}
const Partition& first_partition(const Settings& site) {
    return site.partitions.front();
}
const Reservation& first_reservation(const Settings& site) {
    return site.reservations.front();
}
const Node& last_node(const Settings& site) {
    return site.nodes.back();
}
const Association& first_account(const Settings& site) {
    return site.associations.at(1);
}
const Qos& first_qos(const Settings& site) {
    return site.qos.front();
}
template <typename T>
Value of(T Settings::*place, double unit = 1) {
    return member(std::identity(), place, unit);
}
template <typename T>
Value priority(T PriorityRules::*place, double unit) {
    return member(std::mem_fn(&Settings::priorities), place, unit);
}
Value weight(double Weights::*place) {
    return [=](const Settings& site) {
        return site.priorities.weights.*place;
    };
}
template <typename T>
Value backfill(T Backfill::*place, double unit = 1) {
    return member(std::mem_fn(&Settings::backfill), place, unit);
}
template <typename T>
Value main_pass(T MainPass::*place) {
    return member(std::mem_fn(&Settings::main), place, 1);
}
template <typename T>
Value node(T Node::*place) {
    return member(last_node, place, 1);
}
double gpus(const Settings& site) {
    return last_node(site).gpus.front().count;
}
template <typename T>
Value partition(T Partition::*place, double unit = 1) {
    return member(first_partition, place, unit);
}
template <typename T>
Value account(T Association::*place) {
    return member(first_account, place, 1);
}
template <typename T>
Value qos(T Qos::*place) {
    return member(first_qos, place, 1);
}
const Limits& account_limits(const Settings& site) {
    return first_account(site).limits;
}
const Limits& qos_limits(const Settings& site) {
    return first_qos(site).limits;
}
template <typename T>
Value limit(const Limits& (*of)(const Settings&), T Limits::*place, double unit = 1) {
    return member(of, place, unit);
}

const std::vector<Row>& rows() {
    static const std::vector<Row> all{
        {Place::conf, "prioritycalcperiod", priority(&PriorityRules::calc_period, 60)},
        {Place::conf, "prioritydecayhalflife", priority(&PriorityRules::half_life, 60)},
        {Place::conf, "prioritymaxage", priority(&PriorityRules::max_age, 60)},
        {Place::conf, "priorityweightage", weight(&Weights::age)},
        {Place::conf, "priorityweightfairshare", weight(&Weights::fair_share)},
        {Place::conf, "priorityweightjobsize", weight(&Weights::job_size)},
        {Place::conf, "priorityweightpartition", weight(&Weights::partition)},
        {Place::conf, "priorityweightqos", weight(&Weights::qos)},
        {Place::conf, "priorityweightassoc", weight(&Weights::association)},
        {Place::conf, "killwait", of(&Settings::kill_wait)},
        {Place::conf, "overtimelimit", of(&Settings::over_time_limit, 60)},
        {Place::conf, "defmempercpu", partition(&Partition::memory_per_cpu)},
        {Place::conf, "defmempernode", partition(&Partition::memory_per_node)},
        {Place::conf, "defmempergpu", partition(&Partition::memory_per_gpu)},
        {Place::conf, "defcpupergpu", partition(&Partition::cpus_per_gpu)},
        {Place::conf, "maxmempercpu", partition(&Partition::max_memory_per_cpu)},
        {Place::conf, "maxmempernode", partition(&Partition::max_memory_per_node)},
        {Place::conf, "completewait", of(&Settings::complete_wait)},
        {Place::node, "boards", node(&Node::cpus)},
        {Place::node, "sockets", node(&Node::cpus)},
        {Place::node, "socketsperboard", node(&Node::cpus)},
        {Place::node, "corespersocket", node(&Node::cpus)},
        {Place::node, "threadspercore", node(&Node::cpus)},
        {Place::node, "cpus", node(&Node::cpus)},
        {Place::node, "procs", node(&Node::cpus)},
        {Place::node, "realmemory", node(&Node::memory)},
        {Place::node, "weight", node(&Node::weight)},
        {Place::node, "gres", gpus},
        {Place::partition, "defaulttime", partition(&Partition::default_time, 60)},
        {Place::partition, "maxtime", partition(&Partition::max_time, 60)},
        {Place::reservation, "created", member(first_reservation, &Reservation::announced, 1)},
        {Place::reservation, "endtime", member(first_reservation, &Reservation::end, 1)},
        {Place::reservation, "starttime", member(first_reservation, &Reservation::begin, 1)},
        {Place::partition, "maxnodes", partition(&Partition::max_nodes)},
        {Place::partition, "prioritytier", partition(&Partition::tier)},
        {Place::partition, "priorityjobfactor", partition(&Partition::job_factor)},
        {Place::partition, "priority", partition(&Partition::tier)},
        {Place::partition, "defmempercpu", partition(&Partition::memory_per_cpu)},
        {Place::partition, "defmempernode", partition(&Partition::memory_per_node)},
        {Place::partition, "defmempergpu", partition(&Partition::memory_per_gpu)},
        {Place::partition, "defcpupergpu", partition(&Partition::cpus_per_gpu)},
        {Place::partition, "maxmempercpu", partition(&Partition::max_memory_per_cpu)},
        {Place::partition, "maxmempernode", partition(&Partition::max_memory_per_node)},
        {Place::partition, "maxcpuspernode", partition(&Partition::max_cpus_per_node)},
        {Place::partition,
         "overtimelimit",
         [](const Settings& site) {
             return static_cast<double>(*first_partition(site).over_time_limit) / 60;
         }},
        {Place::association, "share", account(&Association::shares)},
        {Place::association, "priority", account(&Association::priority)},
        {Place::association, "grpjobs", limit(account_limits, &Limits::group_jobs)},
        {Place::association, "maxjobs", limit(account_limits, &Limits::user_jobs)},
        {Place::association, "maxwall", limit(account_limits, &Limits::max_wall, 60)},
        {Place::association, "grpwall", limit(account_limits, &Limits::group_wall, 60)},
        {Place::qos, "priority", qos(&Qos::priority)},
        {Place::qos, "usagefactor", qos(&Qos::usage_factor)},
        {Place::qos, "grpjobs", limit(qos_limits, &Limits::group_jobs)},
        {Place::qos, "maxjobspu", limit(qos_limits, &Limits::user_jobs)},
        {Place::qos, "maxjobspa", limit(qos_limits, &Limits::account_jobs)},
        {Place::qos, "maxwall", limit(qos_limits, &Limits::max_wall, 60)},
        {Place::qos, "grpwall", limit(qos_limits, &Limits::group_wall, 60)},
        {Place::parameter, "bf_interval", backfill(&Backfill::interval)},
        {Place::parameter, "bf_resolution", backfill(&Backfill::resolution)},
        {Place::parameter, "bf_window", backfill(&Backfill::window, 60)},
        {Place::parameter, "bf_max_job_test", backfill(&Backfill::max_job_test)},
        {Place::parameter, "bf_node_space_size", backfill(&Backfill::node_space_size)},
        {Place::parameter, "bf_max_time", backfill(&Backfill::max_time)},
        {Place::parameter, "bf_max_job_start", backfill(&Backfill::max_job_start)},
        {Place::parameter, "bf_max_job_user", backfill(&Backfill::max_job_user)},
        {Place::parameter, "bf_max_job_part", backfill(&Backfill::max_job_part)},
        {Place::parameter, "bf_max_job_user_part", backfill(&Backfill::max_job_user_part)},
        {Place::parameter, "bf_max_job_assoc", backfill(&Backfill::max_job_assoc)},
        {Place::parameter, "bf_max_job_array_resv", backfill(&Backfill::max_job_array_resv)},
        {Place::parameter, "bf_min_age_reserve", backfill(&Backfill::min_age_reserve)},
        {Place::parameter, "bf_min_prio_reserve", backfill(&Backfill::min_prio_reserve)},
        {Place::parameter, "bf_window_linear", backfill(&Backfill::window_linear)},
        {Place::parameter, "default_queue_depth", main_pass(&MainPass::default_queue_depth)},
        {Place::parameter, "partition_job_depth", main_pass(&MainPass::partition_job_depth)},
        {Place::parameter, "sched_max_job_start", main_pass(&MainPass::max_job_start)},
        {Place::parameter, "sched_interval", main_pass(&MainPass::interval)},
        {Place::parameter, "sched_min_interval", main_pass(&MainPass::min_interval)},
        {Place::parameter, "batch_sched_delay", main_pass(&MainPass::batch_delay)}};
    return all;
}

/// Lists of resources have names in them. Weights are of doubles.
struct TresRow {
    Place place;
    std::string name;
    std::function<double(const Settings&, Tres)> value;
};
const std::vector<TresRow>& tres_rows() {
    static const std::vector<TresRow> all = [] {
        const std::pair<const char*, TresCounts Limits::*> columns[] = {
            {"grptres", &Limits::group},
            {"grptresmins", &Limits::group_minutes},
            {"grptresrunmins", &Limits::group_running_minutes},
            {"maxtres", &Limits::job},
            {"maxtresmins", &Limits::job_minutes},
            {"maxtrespernode", &Limits::per_node},
            {"mintres", &Limits::least},
            {"maxtrespu", &Limits::user},
            {"maxtrespa", &Limits::account},
            {"maxtresrunminspu", &Limits::user_running_minutes},
            {"maxtresrunminspa", &Limits::account_running_minutes}};
        std::vector<TresRow> found{
            {Place::conf,
             "priorityweighttres",
             [](const Settings& site, Tres kind) {
                 return site.priorities.weights.tres[at(kind)];
             }},
            {Place::partition, "tresbillingweights", [](const Settings& site, Tres kind) {
                 return first_partition(site).billing[at(kind)];
             }}};
        for (const auto& [name, column] : columns) {
            for (const Place place : {Place::qos, Place::association}) {
                const auto limits = place == Place::qos ? qos_limits : account_limits;
                if (find_key(place, name) != nullptr) {
                    found.push_back({place, name, [=](const Settings& site, Tres kind) {
                                         return double((limits(site).*column)[at(kind)]);
                                     }});
                }
            }
        }
        return found;
    }();
    return all;
}

bool is_known(Place place, std::string_view name) {
    const auto is_it = [&](const auto& row) {
        return row.place == place && row.name == name;
    };
    return std::ranges::any_of(rows(), is_it) || std::ranges::any_of(tres_rows(), is_it);
}

const std::vector<std::string> odd_values{
    "-1",
    "4294967296",
    "4294967297",
    "9223372036854775807",
    "abc",
    "1.5",
    "",
    "nan",
    "1e999",
    "-0",
    "0",
    "7",
    "18446744073709551617",
    "inf",
    "0x10",
    "7 7"};

void expect_places(const Site& site) {
    for (const SiteProblem& one : site.problems) {
        CAPTURE(one.message);
        CHECK_FALSE(one.file.empty());
        CHECK_FALSE(one.message.empty());
    }
}

}  // namespace

TEST_CASE("a number or time of a site's files is taken as it stands there, or is a problem") {
    for (const Key& key : site_keys()) {
        if (key.use == Use::modelled && key.kind != Kind::text && key.kind != Kind::flag) {
            CAPTURE(key.name);
            CHECK(is_known(key.place, key.name));
        }
    }
    int taken = 0;
    for (const Row& row : rows()) {
        const Key& key = *find_key(row.place, row.name);
        for (const std::string& value : odd_values) {
            CAPTURE(row.name);
            CAPTURE(value);
            const Site site = read_site(files_with(row.place, row.name, value));
            expect_places(site);
            const bool is_said = !value.empty() || row.name == "share";
            const bool is_unlimited = key.may_be_unlimited && value == "-1";
            if (site.problems.empty() && is_said && !is_unlimited) {
                CHECK(row.value(site.settings) == std::strtod(value.c_str(), nullptr));
                ++taken;
            }
        }
    }
    CHECK(taken > 100);  // 7 of every key, at the least
    for (const TresRow& row : tres_rows()) {
        for (const std::string& value : odd_values) {
            CAPTURE(row.name);
            CAPTURE(value);
            const Site site =
                read_site(files_with(row.place, row.name, "node=" + value + ",cpu=5"));
            if (site.problems.empty()) {
                CHECK(row.value(site.settings, Tres::node) == std::strtod(value.c_str(), nullptr));
                CHECK(row.value(site.settings, Tres::cpu) == 5);
            }
        }
        for (const char* wrong : {"cpu", "=5", "cpu=5,cpu=7", "cpu=", ","}) {
            CAPTURE(wrong);
            CHECK(read_site(files_with(row.place, row.name, wrong)).problems.size() >= 1);
        }
    }
}

TEST_CASE("every word of a site's files is modelled, harmless with a reason, or refused by a name"
) {
    std::set<std::pair<Place, std::string_view>> names;
    for (const Key& key : site_keys()) {
        CAPTURE(key.name);
        CHECK(names.insert({key.place, key.name}).second);
        CHECK_FALSE(key.note.empty());
        for (const char* value : {"abc", "yes", "-1", "7"}) {
            if (key.use == Use::modelled) {
                continue;
            }
            const bool is_line = key.name == "downnodes" || key.name == "frontendname";
            SiteFiles files = files_with(key.place, std::string(key.name), value);
            Site site = read_site(files);
            expect_places(site);
            if (key.use == Use::harmless) {
                CHECK(site.problems.empty());
                continue;
            }
            const bool is_accepted_by_name =
                site.problems.empty()
                || site.problems.front().message.find(fmt::format("accept: [{}]", key.note))
                       != std::string::npos;
            CHECK(is_accepted_by_name);
            CHECK(
                (!site.problems.empty() || std::string_view(value) != "abc" || is_line
                 || key.use == Use::refused_if_preempting)
            );
            files.accept = {std::string(key.note)};
            CHECK(read_site(files).problems.empty());
        }
    }
    for (const Place place : {Place::conf, Place::parameter, Place::node, Place::partition}) {
        SiteFiles files = files_with(place, "of_tomorrow", "7");
        REQUIRE(read_site(files).problems.size() >= 1);
        CHECK(read_site(files).problems.front().message.find("of_tomorrow") != std::string::npos);
        files.accept = {"of_tomorrow"};
        if (place == Place::node) {
            files.conf = fmt::format(fmt::runtime(machine), "CPUs=2 of_tomorrow=7", "", "");
        }
        CHECK(read_site(files).problems.empty());
    }
}

TEST_CASE("words of preemption are refused where jobs may be sent away") {
    for (const char* line :
         {"PreemptExemptTime=10", "JobRequeue=0", "SchedulerParameters=preempt_youngest_first"}) {
        CAPTURE(line);
        CHECK(read_site(with("CPUs=2", "", line)).problems.empty());
        const std::string under =
            std::string(line) + "\nPreemptType=preempt/partition_prio PreemptMode=REQUEUE";
        const Site site = read_site(with("CPUs=2", "", under));
        REQUIRE(site.problems.size() == 1);
        CHECK(site.problems.front().line == 5);
    }
}

TEST_CASE("blanks around an equals sign, quotes, letters and words for no limit are Slurm's") {
    const Site site = read_site(with(
        "CPUs = 3 Reason=\"a b\"",
        "MaxTime=Infinite MaxNodes= UNLIMITED",
        "PriorityWeightAge = 1000  # "
        "more\nkillwait=\t7\nOverTimeLimit=UNLIMITED\nSuspendTime=INFINITE\r\n"
        "PriorityWeightQOS=\\\n 6"
    ));
    REQUIRE(site.problems.empty());
    CHECK(site.settings.nodes.front().cpus == 3);
    CHECK(site.settings.partitions.front().max_time == year_s);
    CHECK(site.settings.partitions.front().max_nodes == no_limit);
    CHECK(site.settings.priorities.weights.age == 1000);
    CHECK(site.settings.priorities.weights.qos == 6);
    CHECK(site.settings.kill_wait == 7);
    CHECK(site.settings.over_time_limit == year_s);
}

TEST_CASE("CPUs of a node are counted as Slurm counts them") {
    struct Case {
        const char* line;
        std::uint32_t cpus;
        std::uint32_t threads;
    };
    for (const Case& one :
         {Case{"CPUs=64 CoresPerSocket=8 ThreadsPerCore=2", 64, 2},
          Case{"Boards=3 Sockets=5 SocketsPerBoard=2 CoresPerSocket=7", 42, 1},
          Case{"Boards=3 Sockets=5", 5, 1},
          Case{"Boards=3 ThreadsPerCore=4", 12, 4},
          Case{"CPUs=11 Sockets=2 CoresPerSocket=4 ThreadsPerCore=3", 24, 3},
          Case{"CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2", 8, 1}}) {
        CAPTURE(one.line);
        const Site site =
            read_site(with(one.line, "", "SelectType=select/cons_tres SelectTypeParameters=CR_Core")
            );
        REQUIRE(site.problems.empty());
        CHECK(site.settings.nodes.front().cpus == one.cpus);
        CHECK(site.settings.nodes.front().threads == one.threads);
    }
}

TEST_CASE("times are whole minutes, K alone multiplies, and limits hold where Slurm has them hold"
) {
    const Site site = read_site(with("RealMemory=3K", "MaxTime=7:01", "PriorityMaxAge=0:30"));
    REQUIRE(site.problems.empty());
    CHECK(site.settings.nodes.front().memory == 3072);
    CHECK(site.settings.partitions.front().max_time == 480);
    CHECK(site.settings.priorities.max_age == 60);
    for (const char* line : {"RealMemory=3M", "Gres=gpu:a:no_consume:4"}) {
        CHECK(read_site(with(line, "", "")).problems.size() == 1);
    }
    for (const auto& [words, hold] : std::vector<std::pair<std::string, bool>>{
             {"all", true}, {"2", true}, {"associations,safe", true}, {"qos,nosteps", false}}) {
        CAPTURE(words);
        SiteFiles files = with("", "", "");
        files.conf.replace(files.conf.find("limits"), 6, words);
        CHECK(read_site(files).settings.enforce_limits == hold);
    }
    CHECK(read_site(with("", "Default=1", "PrioritySiteFactorPlugin=site_factor/none"))
              .problems.empty());
}

TEST_CASE("a set of nodes has those that stand above it, and those with its feature") {
    SiteFiles files;
    files.conf =
        "NodeName=n[1-3] Feature=fast,ib\nNodeName=m[1-4] Feature=slow\n"
        "NodeSet=a Nodes=n1,m[1-2]\nNodeSet=b Nodes=a,n2 Feature=slow\n"
        "PartitionName=p Nodes=a\nPartitionName=q Nodes=b,n3\n";
    const Site site = read_site(files);
    REQUIRE(site.problems.empty());
    CHECK(site.settings.partitions[0].nodes.count() == 3);
    CHECK(site.settings.partitions[1].nodes.count() == 7);
    for (const char* circle : {"NodeSet=c Nodes=c\n", "NodeSet=c Nodes=d\nNodeSet=d Nodes=c\n"}) {
        SiteFiles odd = files;
        odd.conf += circle;
        REQUIRE(read_site(odd).problems.size() >= 1);
        CHECK(read_site(odd).problems.front().line == 7);
    }
}

TEST_CASE("nodes that come are as the first of their partition, whatever its line says") {
    SiteFiles files;
    files.conf =
        "NodeName=m1 CPUs=2\nNodeName=n[1-3] Boards=2 SocketsPerBoard=3 CoresPerSocket=5 "
        "Feature=fast Gres=gpu:a:4 RealMemory=77 State=UNKNOWN\n"
        "NodeSet=mine Nodes=n[2-3]\nPartitionName=p Nodes=mine\nPartitionName=q Nodes=m1\n"
        "PartitionName=all Nodes=ALL\n";
    files.changes = {"PartitionName=p Nodes=+5", "PartitionName=q Nodes=+1"};
    const Site site = read_site(files);
    REQUIRE(site.problems.empty());
    const std::vector<Node>& nodes = site.settings.nodes;
    REQUIRE(nodes.size() == 10);
    CHECK(nodes[8].name == "whatif5");
    CHECK(nodes[8].cpus == 30);
    CHECK(nodes[8].memory == 77);
    CHECK(nodes[8].features == std::vector<std::string>{"fast"});
    CHECK(nodes[8].gpus.front().count == 4);
    CHECK(nodes[9].cpus == 2);
    CHECK(site.settings.partitions[0].nodes.count() == 7);
    CHECK(site.settings.partitions[1].nodes.count() == 2);
    CHECK(site.settings.partitions[2].nodes.count() == 10);
    for (const char* wrong :
         {"PartitionName=p Nodes=+0", "PartitionName=p Nodes=+many", "PartitionName=no Nodes=+3"}) {
        files.changes = {wrong};
        const Site refused = read_site(files);
        REQUIRE(refused.problems.size() == 1);
        CHECK(refused.problems.front().file == "changes");
    }
}

TEST_CASE("of several clusters in a dump the rows of ClusterName count") {
    SiteFiles files = with("CPUs=2", "", "");
    files.associations = account_columns + "other|x|||7||||||root\nc|y|||3||||||root\n";
    const Site site = read_site(files);
    REQUIRE(site.problems.empty());
    REQUIRE(site.settings.associations.size() == 2);
    CHECK(site.settings.associations[1].account == "y");
}

}  // namespace schedfarm::policies::slurm
