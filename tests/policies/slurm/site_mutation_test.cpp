// A site's files are texts of others: damaged ones never crash; they have sound settings, or
// problems with file and line. SCHEDFARM_MUTATIONS sets how many are read (10,000; in the long form
// 100,000), SCHEDFARM_MUTATION_SEED which.
#include <algorithm>
#include <cstdlib>
#include <string>

#include <doctest/doctest.h>

#include "policies/slurm/site/site.hpp"

#include "tests/support/long_form.hpp"
#include "tests/support/text_damage.hpp"

namespace schedfarm::policies::slurm {

namespace {

using schedfarm::tests::Dice;

const std::string account_columns =
    "Cluster|Account|User|Partition|Share|GrpJobs|GrpTRES|MaxJobs|MaxTRES|MaxWall|ParentName\n"
    "c|root|||1||||||\n";
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

void expect_places(const Site& site) {
    for (const SiteProblem& one : site.problems) {
        CAPTURE(one.message);
        CHECK_FALSE(one.file.empty());
        CHECK_FALSE(one.message.empty());
    }
}

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
