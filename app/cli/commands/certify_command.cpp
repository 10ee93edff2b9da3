#include <algorithm>
#include <array>
#include <cstdio>

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "engine/farm/stopwatch.hpp"
#include "engine/farm/transport/serialization.hpp"
#include "engine/foundation/message_text.hpp"

#include "app/certify/certificate_page.hpp"
#include "app/certify/certificate_work.hpp"
#include "app/certify/certify.hpp"
#include "app/cli/commands/commands.hpp"
#include "app/cli/explain.hpp"
#include "app/cli/launcher.hpp"
#include "app/config/yaml/config_error.hpp"
#include "app/config/yaml/source.hpp"
#include "app/run/run_campaign.hpp"
#include "app/run/tables/provenance.hpp"
#include "app/simulate/output_file.hpp"

namespace schedfarm::app {

namespace {

namespace fs = std::filesystem;

constexpr double progress_interval_s = 10;

/// Where the certificate's campaigns may lie: here, where the program is installed, in its sources.
fs::path certificate_folder() {
    std::array<char, 4096> self{};
    const ssize_t length = readlink("/proc/self/exe", self.data(), self.size() - 1);
    const fs::path program = length > 0 ? fs::path(self.data()) : fs::path();
    const fs::path below = "campaigns/certificate";
    for (const fs::path& folder :
         {below,
          program.parent_path() / "../share/schedfarm" / below,
          fs::path(SCHEDFARM_SOURCE) / below}) {
        if (fs::is_directory(folder)) {
            return folder;
        }
    }
    throw_problem(
        {below.string(), 0, 0},
        "the campaigns of the certificate are not here (nor beside the program)",
        "Name campaign files, or go to the folder that has them"
    );
}

/// What several campaigns of a folder include; no campaign itself.
constexpr const char* common_file = "common.yaml";

/// Files named by the user, or all of the certificate's in alphabetical order.
std::vector<fs::path> files_of(const CertifyCommand& options) {
    if (!options.campaigns.empty()) {
        return options.campaigns;
    }
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(certificate_folder())) {
        if (entry.path().extension() == ".yaml" && entry.path().filename() != common_file) {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// Plans with their rows, which point into them.
struct Campaigns {
    std::vector<Plan> plans;
    std::vector<CertificateRow> rows;
};

Campaigns plan_all(std::vector<CampaignSource> sources) {
    Campaigns campaigns;
    for (CampaignSource& source : sources) {
        campaigns.plans.push_back(make_plan(std::move(source)));
    }
    campaigns.rows = certificate_rows(campaigns.plans);
    return campaigns;
}

Campaigns load_all(const CertifyCommand& options) {
    std::vector<CampaignSource> sources;
    for (const fs::path& file : files_of(options)) {
        sources.push_back(load_source(file));
    }
    return plan_all(std::move(sources));
}

engine::Bytes serialize(const std::vector<Plan>& plans) {
    engine::ByteWriter writer;
    for (const Plan& plan : plans) {
        writer.bytes(plan.source.serialize());
    }
    return writer.take();
}

std::vector<CampaignSource> deserialize(const engine::Bytes& bytes) {
    engine::ByteReader reader(bytes);
    std::vector<CampaignSource> sources;
    while (reader.remaining() > 0) {
        sources.push_back(CampaignSource::deserialize(reader.bytes()));
    }
    return sources;
}

/// A line on standard error now and then.
class CertifyDisplay {
  public:
    void show(const CertifyProgress& progress) {
        if (since_shown_.seconds() < progress_interval_s) {
            return;
        }
        since_shown_ = {};
        const std::string line = fmt::format(
            "{:3} %  {} of {} macro-runs\n",
            100 * progress.done / progress.wanted,
            progress.done,
            progress.wanted
        );
        std::fputs(line.c_str(), stderr);
    }

  private:
    engine::Stopwatch since_shown_;
};

/// The command that gives the same certificate, whatever the number of workers.
std::string certify_command_of(const CertifyCommand& options) {
    std::vector<engine::CommandWord> words{"certify"};
    for (const fs::path& file : options.campaigns) {
        words.emplace_back(file);
    }
    if (options.macro_runs) {
        words.insert(words.end(), {"--macro-runs", std::to_string(*options.macro_runs)});
    } else {
        words.emplace_back(options.is_short ? "--short" : "--full");
    }
    if (!options.output.empty()) {
        words.insert(words.end(), {"--output", options.output});
    }
    return engine::program_command(words);
}

Repetition repetition_of(const CertifyCommand& options) {
    return {
        options.is_short ? Repetition::Form::brief : Repetition::Form::full, options.macro_runs};
}

PageOrigin certify_origin_of(const CertifyCommand& options) {
    return {certify_command_of(options), utc_now(), program_text()};
}

ExitCode certify_as_master(
    const engine::World& world, const Campaigns& campaigns, const CertifyCommand& options
) {
    CertifyDisplay display;
    const std::vector<RowResult> results = certify(
        world,
        campaigns.rows,
        repetition_of(options),
        [&](const CertifyProgress& progress) { display.show(progress); }
    );
    print_and_write(
        certificate_text(campaigns.rows, results),
        options.output,
        certificate_markdown(certify_origin_of(options), campaigns.rows, results)
    );
    return is_passed(results) ? ExitCode::done : ExitCode::finished_short;
}

/// A rank other than 0: receives the campaigns' texts, plans them, executes macro-runs.
ExitCode certify_as_worker(const engine::World& world) {
    const Campaigns campaigns = plan_all(deserialize(world.broadcast({})));
    engine::run_worker(world, macro_run_function(campaigns.rows));
    return ExitCode::done;
}

}  // namespace

ExitCode certify_command(const CertifyCommand& options, const std::vector<std::string>& arguments) {
    if (!engine::started_by_mpi()) {
        const Campaigns campaigns = load_all(options);  // errors before any rank starts
        const std::string loss = fmt::format(
            "nothing is kept of a certificate that is not finished. Begin anew with `{}`",
            certify_command_of(options)
        );
        if (const auto ended = run_on_workers(options.workers, arguments, loss)) {
            return *ended;
        }
        const engine::World world;
        return certify_as_master(world, campaigns, options);
    }
    const engine::World world;
    try {
        if (!world.is_master()) {
            return certify_as_worker(world);
        }
        const Campaigns campaigns = load_all(options);
        world.broadcast(serialize(campaigns.plans));
        return certify_as_master(world, campaigns, options);
    } catch (...) {
        // The other ranks wait for this one: say why, then end all of them.
        world.abort(static_cast<int>(explain_current_exception()));
    }
}

}  // namespace schedfarm::app
