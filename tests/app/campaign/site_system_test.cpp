// `system.slurm`: a machine and a policy from the site's own files.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <unistd.h>

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

namespace {

namespace fs = std::filesystem;

/// A folder with slurm.conf, removed at the end.
class SiteFolder {
  public:
    explicit SiteFolder(const std::string& conf) {
        fs::create_directories(folder_);
        std::ofstream(folder_ / "slurm.conf") << conf;
    }
    ~SiteFolder() { fs::remove_all(folder_); }

    std::string conf(const std::string& more = "") const {
        return "{conf: " + (folder_ / "slurm.conf").string() + more + "}";
    }
    std::string system(const std::string& more = "") const {
        return "system: {slurm: " + conf(more) + "}";
    }

  private:
    fs::path folder_ = fs::temp_directory_path() / ("site-" + std::to_string(getpid()));
};

const std::string eight_cpus = "NodeName=n[1-2] CPUs=4\nPartitionName=batch Nodes=ALL\n";

}  // namespace

TEST_CASE("system.slurm says the processors, and the files to a policy that names none") {
    const SiteFolder site(eight_cpus);
    const Plan plan = plan_of({{5, site.system()}, {7, "policy: slurm"}});
    const Cell& cell = plan.cells.front();
    CHECK(cell.system.clusters == std::vector<std::uint32_t>{8});
    CHECK(cell.policy->parameters.text("conf") == "#file slurm.conf 1\n" + eight_cpus + "\n");
    const Plan given = plan_of({{5, site.system()}, {7, "policy: {slurm: {bf_interval: 60}}"}});
    CHECK(given.cells.front().policy->parameters.integer("bf_interval") == 60);
    CHECK(!given.cells.front().policy->parameters.text("conf").empty());
    // The cell of another policy is that of a machine of as many processors.
    CHECK(
        plan_of({{5, site.system()}}).cells.front().replication_key
        == plan_of({{5, "system: {clusters: [8]}"}}).cells.front().replication_key
    );
}

TEST_CASE("what the files hold is part of a cell, and the effective campaign has it") {
    const auto key = [](const std::string& conf) {
        const SiteFolder site(conf);
        return plan_of({{5, site.system()}, {7, "policy: slurm"}}).cells.front().replication_key;
    };
    CHECK(key(eight_cpus) == key(eight_cpus));
    const SiteFolder site(eight_cpus);
    for (const Lines& lines :
         {Lines{{5, site.system()}, {7, "policy: slurm"}},
          Lines{{5, "system: {clusters: [8]}"}, {7, "policy: {slurm: " + site.conf() + "}"}},
          Lines{
              {4, "experiment: trace"},
              {5, site.system()},
              {6, "workload: {model: trace, file: example}"},
              {7, "policy: slurm"},
              {8, "horizon: {jobs: 50}"}}}) {
        const Plan plan = plan_of(lines);
        CampaignSource source = plan.source;
        source.files[source.main_file] = plan.effective;
        CHECK(
            make_plan(source).cells.front().replication_key == plan.cells.front().replication_key
        );
    }
    CHECK(key(eight_cpus) != key(eight_cpus + "SchedulerParameters=bf_interval=7\n"));
}

TEST_CASE("what would change schedules is refused unless it is accepted") {
    const SiteFolder site(eight_cpus + "TopologyPlugin=topology/tree\n");
    const std::string errors = errors_of({{5, site.system()}});
    CHECK(
        errors.find("slurm.conf:3: TopologyPlugin=topology/tree would change schedules")
        != std::string::npos
    );
    CHECK(errors.find('\n') == std::string::npos);
    CHECK(errors_of({{5, site.system(", accept: [topology]")}, {7, "policy: slurm"}}).empty());
    CHECK(
        errors_of({{5, "system: {clusters: [8], slurm: {conf: a.conf}}"}}
        ).find("'clusters' beside 'slurm'")
        != std::string::npos
    );
}

TEST_CASE("what is wrong with a site's files is one message") {
    const auto is_one = [](const std::string& system, const std::string& words) {
        const std::string errors = errors_of({{5, system}, {7, "policy: slurm"}});
        CAPTURE(errors);
        CHECK(errors.find(words) != std::string::npos);
        CHECK(errors.find('\n') == std::string::npos);
    };
    is_one("system: {slurm: {conf: /none/a.conf}}", "/none/a.conf: the file cannot be read");
    is_one("system: {slurm: {accept: [topology]}}", "'system.slurm.conf' is missing");
    is_one(SiteFolder(eight_cpus).system(", qos: /none/a"), "/none/a: the file cannot be read");
    is_one(SiteFolder("").system(), "no line begins with PartitionName");
    is_one(SiteFolder("PartitionName=a Nodes=ALL\n").system(), "no line begins with NodeName");
    is_one(
        SiteFolder("NodeName=n[1- CPUs=4\nPartitionName=a Nodes=ALL\n").system(),
        "slurm.conf:1: NodeName=n[1- is no list of at most 200000 names"
    );
}

}  // namespace schedfarm::app::tests
