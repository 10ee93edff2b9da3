#include "app/run/tables/provenance.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include "engine/foundation/hash.hpp"

#include "results_schema/tables/table_filling.hpp"

#include "app/campaign/plan/identity/results_version.hpp"
#include "app/run/version.hpp"

namespace schedfarm::app {

namespace {

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : "unknown";
}

std::string slurm_job() {
    const char* job = std::getenv("SLURM_JOB_ID");  // NOLINT(concurrency-mt-unsafe): one thread
    return job == nullptr ? "" : job;
}

/// All files of the campaign, each under a line with its name.
std::string campaign_text_attribute(const CampaignSource& source) {
    std::string text = source.files.at(source.main_file);
    for (const auto& [name, content] : source.files) {
        if (name != source.main_file) {
            text += "\n# ---- " + name + "\n" + content;
        }
    }
    return text;
}

std::string lines(const std::vector<std::string>& texts) {
    return fmt::format("{}", fmt::join(texts, "\n"));
}

/// What the report shows when the campaign does not say: the metrics that have a target.
std::vector<std::string> report_metrics(const Plan& plan) {
    std::vector<std::string> metrics = plan.report.metrics;
    for (const Cell& cell : plan.cells) {
        for (const MetricTarget& target : cell.replications.targets) {
            const bool is_new =
                std::find(metrics.begin(), metrics.end(), target.metric) == metrics.end();
            if (plan.report.metrics.empty() && is_new) {
                metrics.push_back(target.metric);
            }
        }
    }
    return metrics;
}

}  // namespace

std::string utc_now() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

std::string program_text() {
    return fmt::format(
        "schedfarm {}, revision {:.12}{}, {}",
        program_version,
        git_revision,
        git_dirty ? " with changes" : "",
        compiler
    );
}

void add_root_attributes(
    results_schema::ResultFile& results, const Plan& plan, const Provenance& provenance
) {
    const std::string text = campaign_text_attribute(plan.source);
    const auto set = [&](std::string_view name, std::string value) {
        results_schema::set_attribute(results, name, std::move(value));
    };
    set("program_version", program_version);
    set("results_version", results_version);
    set("git_revision", git_revision);
    set("git_dirty", git_dirty ? "1" : "0");
    set("compiler", compiler);
    set("compiler_flags", compiler_flags);
    set("mpi_version", engine::mpi_version());
    set("host", host_name());
    set("slurm_job", slurm_job());
    set("campaign", text);
    set("campaign_name", plan.name);
    set("campaign_hash", engine::sha256_hex(text));
    set("plan_hash", plan.plan_hash);
    set("effective_configuration", plan.effective);
    set("seed", std::to_string(plan.seed));
    results_schema::set_attribute(results, "ranks", std::int64_t{provenance.ranks});
    set("started", provenance.started);
    set("finished", provenance.finished);
    set("time_unit", plan.time_unit);
    set("report_title", plan.report.title);
    set("report_source", plan.report.source);
    set("report_rows", lines(plan.report.rows));
    set("report_metrics", lines(report_metrics(plan)));
    set("report_intervals", plan.report.intervals);
    std::vector<std::string> figures;
    for (const std::vector<std::string>& options : plan.report.figures) {
        figures.push_back(fmt::format("{}", fmt::join(options, "\t")));
    }
    set("report_figures", lines(figures));
}

}  // namespace schedfarm::app
