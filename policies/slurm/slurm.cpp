// Slurm's scheduler in the catalogue: a site's own files, and what a campaign changes of them.
#include <algorithm>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "engine/simulation/kernel/unserved_job.hpp"
#include "engine/simulation/policy.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"

#include "policies/slurm/policy.hpp"
#include "policies/slurm/requests.hpp"
#include "policies/slurm/site/scheduler_parameters.hpp"
#include "policies/slurm/site/site.hpp"

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

/// Without slurm.conf there are no nodes yet.
slurm::Site site_of(const Parameters& given) {
    slurm::SiteFiles files = slurm::site_files(given);
    const bool has_conf = !files.conf.empty();
    if (!has_conf) {
        files.conf = "PartitionName=all";
    }
    slurm::Site site = slurm::read_site(files);
    if (!has_conf) {
        site.settings.partitions.front().whole_nodes = true;
        site.settings.linear = false;
        site.settings.partitions.front().name.clear();  // it takes jobs of any
    }
    site.settings.backfill.seconds_per_test = given.real("seconds_per_test");
    return site;
}

slurm::Settings site_settings(const Parameters& given, const SystemDescription& system) {
    slurm::Settings settings = site_of(given).settings;
    slurm::take_scheduler_parameters(settings, given);
    if (settings.nodes.empty()) {  // each processor is one
        settings.nodes.resize(system.processors());
        settings.partitions.front().nodes = slurm::NodeSet::all(settings.nodes.size());
    }
    return settings;
}

std::vector<ParameterDescription> slurm_parameters() {
    const auto text = [](const char* name, const char* meaning) {
        return ParameterDescription{
            .name = name, .meaning = meaning, .type = ParameterType::text, .default_value = ""};
    };
    std::vector<ParameterDescription> rows{
        text(
            "conf",
            "the site's slurm.conf, with what it includes; none: one partition in which every "
            "processor is a node, and Slurm's defaults"
        ),
        text(
            "associations",
            "a file of what `sacctmgr -P show assoc` prints, with the column ParentName"
        ),
        text("qos", "a file of what `sacctmgr -P show qos` prints"),
        text(
            "changes",
            "what comes last in slurm.conf: lines, or words of SchedulerParameters, divided by `;`"
        ),
        text(
            "accept",
            "words for what the files have that would change schedules and is not modelled, and "
            "that is ignored all the same, divided by `;`"
        ),
        {.name = "clock_s",
         .meaning =
             "Unix time at time 0, for some rules go by the clock modulo 30 s; -1: that of "
             "the log, also of one inside of a version; 0 where there is none or its "
             "resampled weeks have no dates; of a federation that of the first home with one",
         .unit = "s",
         .default_value = -1.0,
         .range = {.low = -1}},
        {.name = "phase_s",
         .meaning = "when periods of full main passes and of priorities begin, on the clock",
         .unit = "s",
         .default_value = 0.0,
         .range = {.low = 0, .high = 1e9}},
        {.name = "node_free_after_s",
         .meaning = "from a job's end until its nodes are clear",
         .unit = "s",
         .default_value = 0.0,
         .range = {.low = 0}},
        {.name = "backfill_first",
         .meaning = "whether a backfill pass comes ahead of what else happens in its second",
         .type = ParameterType::boolean,
         .default_value = false},
        {.name = "seconds_per_test",
         .meaning =
             "what backfill needs to test a job: a pass that takes longer than bf_max_time ends",
         .unit = "s",
         .default_value = 0.0,
         .range = {.low = 0}}};
    for (ParameterDescription& row : slurm::scheduler_parameter_rows()) {
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<ParameterProblem> slurm_problems(const Parameters& given) {
    slurm::Site site = site_of(given);
    std::vector<ParameterProblem> problems = slurm::take_scheduler_parameters(site.settings, given);
    for (const slurm::SiteProblem& one : site.problems) {
        problems.push_back(
            {one.given, fmt::format("{}:{}: {}", one.file, one.line, one.message), ""}
        );
    }
    return problems;
}

std::vector<ParameterProblem> slurm_system_problems(
    const Parameters& given, const SystemDescription& system
) {
    if (system.clusters.size() != 1) {
        return {
            {"conf",
             fmt::format("a system of {} clusters (Slurm schedules one)", system.clusters.size()),
             fmt::format("Write system: {{clusters: [{}]}}", system.processors())}};
    }
    const std::vector<slurm::Node> nodes = site_settings(given, system).nodes;
    const std::uint32_t cpus =
        std::accumulate(nodes.begin(), nodes.end(), 0U, [](std::uint32_t sum, const auto& node) {
            return sum + node.cpus;
        });
    if (cpus != system.processors()) {
        return {
            {"conf",
             fmt::format(
                 "slurm.conf has {} CPUs, the system {} processors", cpus, system.processors()
             ),
             fmt::format("Write system: {{clusters: [{}]}}", cpus)}};
    }
    return {};
}

JobCheck slurm_job_check(const Parameters& given, const SystemDescription& system) {
    const auto site = std::make_shared<const slurm::Settings>(site_settings(given, system));
    if (site->nodes.empty() || site->partitions.empty()) {
        return [](const Job&) {
            return std::nullopt;
        };  // whoever reads it says so
    }
    const auto requests = std::make_shared<const slurm::Requests>(*site);
    return [site, requests](const Job& job) -> std::optional<std::string> {
        try {
            requests->of(job, 0);
        } catch (const UnservedJobError& error) {
            return error.what();
        }
        return std::nullopt;
    };
}

}  // namespace

PolicyDescription describe_slurm() {
    PolicyDescription description;
    description.alternative = {
        .name = "slurm",
        .summary = "Slurm 22.05's scheduler as a site has configured it: main and backfill passes.",
        .parameters = slurm_parameters(),
        .check = slurm_problems,
        .source = "slurm-22-05-8-1"};
    description.traits = [](const Parameters& given) {
        return PolicyTraits{
            .preemptive = site_of(given).settings.may_preempt(),
            .names_processors = true,
            .takes_withdrawals = true,
            .throttles_arrays = true};
    };
    description.make = [](const Parameters& given, const PolicyContext& context) {
        return slurm::make_policy(
            {.site = site_settings(given, context.system),
             .clock = given.real("clock_s") < 0 ? context.clock : given.real("clock_s"),
             .phase = given.real("phase_s"),
             .node_free_after = given.real("node_free_after_s"),
             .backfill_first = given.boolean("backfill_first")},
            context.system.outages
        );
    };
    description.make_verifier = [](const Parameters& given, const PolicyContext& context) {
        return slurm::make_verifier(site_settings(given, context.system));
    };
    description.check_system = slurm_system_problems;
    description.job_check = slurm_job_check;
    return description;
}

}  // namespace schedfarm::policies
