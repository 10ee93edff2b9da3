#include <charconv>
#include <csignal>
#include <cstdio>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "campaigns/cli/commands.hpp"
#include "campaigns/cli/explain.hpp"
#include "campaigns/cli/launcher.hpp"
#include "campaigns/cli/progress.hpp"
#include "campaigns/cli/walltime_watch.hpp"
#include "campaigns/config/source.hpp"

namespace schedfarm::campaigns {

namespace {

// A signal handler can reach nothing but a global; it holds one bit and is set only by signals.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
volatile std::sig_atomic_t drain_requested = 0;

void request_drain(int /*signal*/) {
    drain_requested = 1;
}

void install_drain_signals() {
    struct sigaction action {};
    action.sa_handler = request_drain;
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) {
        sigaction(signal, &action, nullptr);
    }
}

std::filesystem::path output_of(const RunCommand& options) {
    if (!options.output.empty()) {
        return options.output;
    }
    return options.campaign.stem().string() + ".h5";
}

void print_summary(const RunSummary& summary, const RunCommand& options) {
    std::fputs(
        fmt::format(
            "{} replications computed{} in {:.1f} s; results in {}\n",
            summary.replications,
            summary.reused > 0 ? fmt::format(", {} taken from the journal,", summary.reused) : "",
            summary.wall_seconds,
            summary.output.string()
        )
            .c_str(),
        stdout
    );
    if (summary.interrupted) {
        spdlog::warn(
            "stopped before the end, everything is saved. Go on with: schedfarm resume {} -o {}",
            options.campaign.string(),
            summary.output.string()
        );
    }
    if (summary.left_out > 0) {
        spdlog::info(
            "{} replications of the earlier run are of no use to this campaign and were left out",
            summary.left_out
        );
    }
    if (summary.unstable_cells > 0) {
        spdlog::warn(
            "{} cells are unstable: their queues grow without bound", summary.unstable_cells
        );
    }
    if (summary.cells_short_of_target > 0) {
        spdlog::warn(
            "{} cells reached their cap or budget before their precision target",
            summary.cells_short_of_target
        );
    }
    if (summary.failed > 0) {
        spdlog::error(
            "{} replications failed; table /failures has the reasons and how to replay each",
            summary.failed
        );
    }
}

ExitCode exit_code_of(const RunSummary& summary) {
    if (summary.interrupted) {
        return ExitCode::stopped;
    }
    return summary.failed > 0 ? ExitCode::finished_short : ExitCode::done;
}

/// "2/4" is share 1 of 4, counted from 0.
CellShare share_of(const std::string& text) {
    if (text.empty()) {
        return {};
    }
    CellShare share;
    const char* const end = text.data() + text.size();
    const auto index = std::from_chars(text.data(), end, share.index);
    const bool has_slash = index.ec == std::errc() && index.ptr != end && *index.ptr == '/';
    const auto count = has_slash ? std::from_chars(index.ptr + 1, end, share.count) : index;
    const bool is_read = has_slash && count.ec == std::errc() && count.ptr == end;
    if (!is_read || share.index < 1 || share.index > share.count) {
        throw UsageError(fmt::format(
            "--cells {}: no share of the cells (I/N with 1 <= I <= N). Write --cells 2/4?", text
        ));
    }
    --share.index;
    return share;
}

ExitCode run_as_master(const engine::World& world, const Plan& plan, const RunCommand& options) {
    RunOptions run;
    run.output = output_of(options);
    run.existing_journal = options.existing_journal;
    run.kernel = options.kernel;
    run.share = share_of(options.cells);
    run.should_drain = [] {
        return drain_requested != 0;
    };
    RunSummary summary;
    WalltimeWatch walltime(options.walltime_s);
    {
        ProgressDisplay display(progress_style(options.progress));
        run.on_progress = [&](const CampaignProgress& progress) {
            display.show(progress);
            if (walltime.is_too_late(progress)) {
                drain_requested = 1;
            }
        };
        summary = run_campaign(world, plan, run);
    }
    walltime.explain();
    print_summary(summary, options);
    return exit_code_of(summary);
}

/// A rank other than 0: receives the campaign's text, plans it, executes replications.
ExitCode run_as_worker(const engine::World& world, Kernel kernel) {
    const engine::Bytes source = world.broadcast({});
    const Plan plan = make_plan(CampaignSource::deserialize(source));
    engine::run_worker(world, replication_function(plan, kernel));
    return ExitCode::done;
}

}  // namespace

ExitCode run_command(const RunCommand& options, int& argc, char**& argv) {
    install_drain_signals();
    share_of(options.cells);  // a wrong word is said before any rank starts
    if (!engine::started_by_mpi()) {
        const Plan plan =
            make_plan(load_source(options.campaign));  // errors before any rank starts
        if (const auto refused = start_workers(options.workers, argc, argv)) {
            return *refused;
        }
        const engine::World world(argc, argv);
        return run_as_master(world, plan, options);
    }
    const engine::World world(argc, argv);
    try {
        if (!world.is_master()) {
            return run_as_worker(world, options.kernel);
        }
        const Plan plan = make_plan(load_source(options.campaign));
        world.broadcast(plan.source.serialize());
        return run_as_master(world, plan, options);
    } catch (...) {
        // The other ranks wait for this one: say why, then end all of them.
        world.abort(static_cast<int>(explain_current_exception()));
    }
}

}  // namespace schedfarm::campaigns
