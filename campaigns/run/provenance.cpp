#include "campaigns/run/provenance.hpp"

#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include "engine/foundation/hash.hpp"

#include "campaigns/run/version.hpp"

namespace schedfarm::campaigns {

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
std::string campaign_text(const CampaignSource& source) {
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

}  // namespace

std::string utc_now() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

std::vector<results_schema::Attribute> root_attributes(
    const Plan& plan, const Provenance& provenance
) {
    const std::string text = campaign_text(plan.source);
    return {
        {"program_version", std::string(program_version), ""},
        {"git_revision", std::string(git_revision), ""},
        {"git_dirty", std::int64_t{git_dirty}, ""},
        {"compiler", std::string(compiler), ""},
        {"compiler_flags", std::string(compiler_flags), ""},
        {"mpi_version", engine::mpi_version(), ""},
        {"host", host_name(), ""},
        {"slurm_job", slurm_job(), ""},
        {"campaign", text, ""},
        {"campaign_name", plan.name, ""},
        {"campaign_hash", engine::sha256_hex(text), ""},
        {"plan_hash", plan.plan_hash, ""},
        {"effective_configuration", plan.effective, ""},
        {"seed", std::to_string(plan.seed), ""},
        {"ranks", std::int64_t{provenance.ranks}, ""},
        {"started", provenance.started, ""},
        {"finished", provenance.finished, ""},
        {"report_title", plan.report.title, ""},
        {"report_source", plan.report.source, ""},
        {"report_rows", lines(plan.report.rows), ""},
        {"report_metrics", lines(plan.report.metrics), ""}};
}

}  // namespace schedfarm::campaigns
