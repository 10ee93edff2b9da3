// A site's files are texts of others: whatever stands in them, the reader gives the values that
// stand there or problems with file and line. SCHEDFARM_MUTATIONS sets how many damaged files are
// read (10,000; in the long form 100,000), SCHEDFARM_MUTATION_SEED which.
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

#include "tests/support/long_form.hpp"
#include "tests/support/text_damage.hpp"

namespace schedfarm::policies::slurm {

namespace {

using schedfarm::tests::Dice;

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
    }
    return {};
}

/// What the settings make of a key, in the key's own unit.
struct Row {
    Place place;
    std::string name;
    std::function<double(const Settings&)> value;
};

const Partition& partition_of(const Settings& site) {
    return site.partitions.front();
}
const Association& account_of(const Settings& site) {
    return site.associations.at(1);
}
const Qos& qos_of(const Settings& site) {
    return site.qos.front();
}

const std::vector<Row>& rows() {
    using S = const Settings&;
    static const std::vector<Row> all{
        {Place::conf,
         "prioritycalcperiod",
         [](S s) {
             return double(s.priorities.calc_period) / 60;
         }},
        {Place::conf,
         "prioritydecayhalflife",
         [](S s) {
             return double(s.priorities.half_life) / 60;
         }},
        {Place::conf,
         "prioritymaxage",
         [](S s) {
             return double(s.priorities.max_age) / 60;
         }},
        {Place::conf,
         "priorityweightage",
         [](S s) {
             return s.priorities.weights.age;
         }},
        {Place::conf,
         "priorityweightfairshare",
         [](S s) {
             return s.priorities.weights.fair_share;
         }},
        {Place::conf,
         "priorityweightjobsize",
         [](S s) {
             return s.priorities.weights.job_size;
         }},
        {Place::conf,
         "priorityweightpartition",
         [](S s) {
             return s.priorities.weights.partition;
         }},
        {Place::conf,
         "priorityweightqos",
         [](S s) {
             return s.priorities.weights.qos;
         }},
        {Place::conf,
         "killwait",
         [](S s) {
             return double(s.kill_wait);
         }},
        {Place::conf,
         "overtimelimit",
         [](S s) {
             return double(s.over_time_limit) / 60;
         }},
        {Place::conf,
         "defmempercpu",
         [](S s) {
             return double(partition_of(s).memory_per_cpu);
         }},
        {Place::conf,
         "defmempernode",
         [](S s) {
             return double(partition_of(s).memory_per_node);
         }},
        {Place::node,
         "boards",
         [](S s) {
             return double(s.nodes[3].cpus);
         }},
        {Place::node,
         "sockets",
         [](S s) {
             return double(s.nodes[3].cpus);
         }},
        {Place::node,
         "socketsperboard",
         [](S s) {
             return double(s.nodes[3].cpus);
         }},
        {Place::node,
         "corespersocket",
         [](S s) {
             return double(s.nodes[3].cpus);
         }},
        {Place::node,
         "threadspercore",
         [](S s) {
             return double(s.nodes[3].cpus);
         }},
        {Place::node,
         "cpus",
         [](S s) {
             return double(s.nodes[3].cpus);
         }},
        {Place::node,
         "procs",
         [](S s) {
             return double(s.nodes[3].cpus);
         }},
        {Place::node,
         "realmemory",
         [](S s) {
             return double(s.nodes[3].memory);
         }},
        {Place::node,
         "weight",
         [](S s) {
             return double(s.nodes[3].weight);
         }},
        {Place::node,
         "gres",
         [](S s) {
             return double(s.nodes[3].gpus.front().count);
         }},
        {Place::partition,
         "maxtime",
         [](S s) {
             return double(partition_of(s).max_time) / 60;
         }},
        {Place::partition,
         "maxnodes",
         [](S s) {
             return double(partition_of(s).max_nodes);
         }},
        {Place::partition,
         "prioritytier",
         [](S s) {
             return double(partition_of(s).tier);
         }},
        {Place::partition,
         "priorityjobfactor",
         [](S s) {
             return double(partition_of(s).job_factor);
         }},
        {Place::partition,
         "priority",
         [](S s) {
             return double(partition_of(s).tier);
         }},
        {Place::partition,
         "defmempercpu",
         [](S s) {
             return double(partition_of(s).memory_per_cpu);
         }},
        {Place::partition,
         "defmempernode",
         [](S s) {
             return double(partition_of(s).memory_per_node);
         }},
        {Place::association,
         "share",
         [](S s) {
             return double(account_of(s).shares);
         }},
        {Place::association,
         "grpjobs",
         [](S s) {
             return double(account_of(s).group.jobs);
         }},
        {Place::association,
         "maxjobs",
         [](S s) {
             return double(account_of(s).own.jobs);
         }},
        {Place::association,
         "maxwall",
         [](S s) {
             return double(account_of(s).max_wall) / 60;
         }},
        {Place::qos,
         "priority",
         [](S s) {
             return double(qos_of(s).priority);
         }},
        {Place::qos,
         "usagefactor",
         [](S s) {
             return qos_of(s).usage_factor;
         }},
        {Place::qos,
         "grpjobs",
         [](S s) {
             return double(qos_of(s).group.jobs);
         }},
        {Place::qos,
         "maxjobspu",
         [](S s) {
             return double(qos_of(s).per_user.jobs);
         }},
        {Place::qos,
         "maxjobspa",
         [](S s) {
             return double(qos_of(s).per_account.jobs);
         }},
        {Place::qos,
         "maxwall",
         [](S s) {
             return double(qos_of(s).max_wall) / 60;
         }},
        {Place::parameter,
         "bf_interval",
         [](S s) {
             return double(s.backfill.interval);
         }},
        {Place::parameter,
         "bf_resolution",
         [](S s) {
             return double(s.backfill.resolution);
         }},
        {Place::parameter,
         "bf_window",
         [](S s) {
             return double(s.backfill.window) / 60;
         }},
        {Place::parameter,
         "bf_max_job_test",
         [](S s) {
             return double(s.backfill.max_job_test);
         }},
        {Place::parameter,
         "bf_node_space_size",
         [](S s) {
             return double(s.backfill.node_space_size);
         }},
        {Place::parameter,
         "bf_max_time",
         [](S s) {
             return double(s.backfill.max_time);
         }},
        {Place::parameter,
         "bf_max_job_start",
         [](S s) {
             return double(s.backfill.max_job_start);
         }},
        {Place::parameter,
         "bf_max_job_user",
         [](S s) {
             return double(s.backfill.max_job_user);
         }},
        {Place::parameter,
         "bf_max_job_part",
         [](S s) {
             return double(s.backfill.max_job_part);
         }},
        {Place::parameter,
         "bf_max_job_user_part",
         [](S s) {
             return double(s.backfill.max_job_user_part);
         }},
        {Place::parameter,
         "bf_max_job_assoc",
         [](S s) {
             return double(s.backfill.max_job_assoc);
         }},
        {Place::parameter,
         "bf_max_job_array_resv",
         [](S s) {
             return double(s.backfill.max_job_array_resv);
         }},
        {Place::parameter,
         "bf_min_age_reserve",
         [](S s) {
             return double(s.backfill.min_age_reserve);
         }},
        {Place::parameter,
         "bf_min_prio_reserve",
         [](S s) {
             return s.backfill.min_prio_reserve;
         }},
        {Place::parameter,
         "bf_window_linear",
         [](S s) {
             return double(s.backfill.window_linear);
         }},
        {Place::parameter,
         "default_queue_depth",
         [](S s) {
             return double(s.main.default_queue_depth);
         }},
        {Place::parameter,
         "partition_job_depth",
         [](S s) {
             return double(s.main.partition_job_depth);
         }},
        {Place::parameter,
         "sched_max_job_start",
         [](S s) {
             return double(s.main.max_job_start);
         }},
        {Place::parameter,
         "sched_interval",
         [](S s) {
             return double(s.main.interval);
         }},
        {Place::parameter, "batch_sched_delay", [](S s) {
             return double(s.main.batch_delay);
         }}};
    return all;
}

/// Limits on resources have names in them.
struct TresRow {
    Place place;
    std::string name;
    std::function<Limits(const Settings&)> limits;
};
const std::vector<TresRow>& tres_rows() {
    using S = const Settings&;
    static const std::vector<TresRow> all{
        {Place::association,
         "grptres",
         [](S s) {
             return account_of(s).group;
         }},
        {Place::association,
         "maxtres",
         [](S s) {
             return account_of(s).own;
         }},
        {Place::qos,
         "grptres",
         [](S s) {
             return qos_of(s).group;
         }},
        {Place::qos,
         "maxtrespu",
         [](S s) {
             return qos_of(s).per_user;
         }},
        {Place::qos,
         "maxtrespa",
         [](S s) {
             return qos_of(s).per_account;
         }},
        {Place::qos, "maxtres", [](S s) {
             return qos_of(s).per_job;
         }}};
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
                const Limits limits = row.limits(site.settings);
                CHECK(double(limits.nodes) == std::strtod(value.c_str(), nullptr));
                CHECK(limits.cpus == 5);
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
                 || key.name.starts_with("preempt") || key.name == "gracetime")
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
        const std::string under = std::string(line) + "\nPreemptType=preempt/partition_prio";
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

namespace {

const std::string right_conf =
    "#file slurm.conf 1\nClusterName=c\nSchedulerType=sched/backfill\n"
    "SchedulerParameters=bf_window=4320,bf_resolution=300,bf_max_job_test=500,defer,bf_continue\n"
    "#file more.conf 1\nPriorityType=priority/multifactor\nPriorityWeightAge = 1000\n"
    "PriorityMaxAge=7-0\nPriorityFlags=FAIR_TREE,MAX_TRES\nKillWait=30\n#file slurm.conf 5\n"
    "AccountingStorageEnforce=associations,limits,qos,safe\nSelectType=select/cons_tres\n"
    "SelectTypeParameters=CR_Core_Memory\nNodeName=DEFAULT Sockets=2 CoresPerSocket=32 \\\n"
    "  ThreadsPerCore=1 State=UNKNOWN\nNodeName=cn[001-040] RealMemory=256000 Weight=10 "
    "Feature=a,b\n"
    "NodeName=gpu[01-08] RealMemory=512000 Gres=gpu:a100:4(S:0-1) Weight=50\n"
    "NodeSet=some Nodes=cn[001-008]\nNodeSet=more Nodes=some,cn009 Feature=a\n"
    "PartitionName=DEFAULT State=UP DefaultTime=01:00:00 DefMemPerCPU=3900 OverSubscribe=NO\n"
    "PartitionName=batch Nodes=more Default=YES MaxTime=3-00:00:00 PriorityTier=10\n"
    "PartitionName=gpu Nodes=gpu[01-08],some MaxTime=UNLIMITED QOS=gpu MaxNodes=8\n";
const std::string right_qos =
    "#file qos.txt "
    "1\nName|Priority|Flags|UsageFactor|GrpTRES|GrpJobs|MaxTRES|MaxWall|MaxTRESPU|MaxJobsPU\n"
    "normal|0||1.000000|||node=32|||\nhigh|500|DenyOnLimit|0.500000|cpu=64,node=4|7||3-00:00:00||"
    "2\n"
    "gpu|0||1.000000||||||\n";
const std::string right_associations =
    "#file assoc.txt 1\n" + account_columns
    + "c|physics|||40||node=3||||root\nc|chem|||20|||5|cpu=9|1-00:00:00|root\nc|sub|||parent||||||chem\n"
      "c|sub|u1||1||||||\nc|physics|u2||3||||||\n";

/// As a tired user or a bad disk would damage it.
std::string damaged(std::string text, Dice& dice) {
    static const char* const words[] = {
        "-1",
        "0",
        "4294967297",
        "9223372036854775807",
        "abc",
        "1.5",
        "",
        "nan",
        "[",
        "]",
        "1-9999999",
        "[1-99999]",
        "+3",
        "ALL",
        "Nodes=",
        "NodeName=DEFAULT ",
        "PartitionName=x Nodes=ALL\n",
        "NodeSet=some Nodes=more\n",
        "#file x 1\n",
        "#file x 99999999999999999999\n",
        "Include y\n",
        "\\\n",
        "\"",
        "|",
        "||||",
        "=",
        ",",
        "\r\n",
        "K",
        "T",
        "root",
        "parent",
        "UNLIMITED",
        "gpu:"};
    const schedfarm::tests::DamageSizes sizes{40, "[]=,|\"\\#\n\r\t :-+\xff"};
    for (std::size_t times = 1 + dice.below(2); times > 0 && !text.empty(); --times) {
        const std::size_t at = dice.below(text.size());
        if (dice.below(2) == 0) {
            const std::size_t end = std::min(text.find_first_of(" =,|\n", at), text.size());
            text.replace(at, end - at, words[dice.below(std::size(words))]);
        } else {
            damage_bytes(text, sizes, dice);
        }
    }
    return text;
}

std::uint64_t from_environment(const char* name, std::uint64_t fallback) {
    const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
    return text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
}

/// What settings hold that the scheduler relies on.
void expect_sound(const Settings& site) {
    CHECK(site.nodes.size() <= 200'000);
    CHECK(site.default_partition < site.partitions.size());
    for (const Node& node : site.nodes) {
        CHECK(node.cpus > 0);
    }
    for (const Partition& partition : site.partitions) {
        CHECK((partition.qos == no_limit || partition.qos < site.qos.size()));
        CHECK(partition.nodes.within(NodeSet::all(site.nodes.size())));
        CHECK(partition.max_time > 0);
    }
    for (std::size_t k = 0; k < site.associations.size(); ++k) {
        const std::uint32_t parent = site.associations[k].parent;
        CHECK((parent == no_limit || parent < k));
    }
    CHECK(site.backfill.interval > 0);
    CHECK(site.main.interval > 0);
}

}  // namespace

TEST_CASE("damaged site files have sound settings, or problems with file and line") {
    const SiteFiles right{.conf = right_conf, .associations = right_associations, .qos = right_qos};
    for (const SiteProblem& one : read_site(right).problems) {
        FAIL(one.file, ":", one.line, ": ", one.message);
    }
    const std::uint64_t count = from_environment(
        "SCHEDFARM_MUTATIONS", schedfarm::tests::short_or_long<std::uint64_t>(10'000, 100'000)
    );
    const std::uint64_t first = from_environment("SCHEDFARM_MUTATION_SEED", 0);
    std::uint64_t accepted = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        Dice dice(seed);
        SiteFiles files = right;
        std::string& text = seed % 4 == 0   ? files.qos
                            : seed % 4 == 1 ? files.associations
                                            : files.conf;
        text = damaged(text, dice);
        if (seed % 8 == 7) {
            files.changes = {damaged("PartitionName=batch Nodes=+3", dice)};
        }
        CAPTURE(seed);
        const Site site = read_site(files);
        expect_places(site);
        if (site.problems.empty()) {
            ++accepted;
            expect_sound(site.settings);
        }
    }
    MESSAGE(accepted, " of ", count, " accepted");
    CHECK(accepted > count / 20);
    CHECK(accepted < count);
}

}  // namespace schedfarm::policies::slurm
