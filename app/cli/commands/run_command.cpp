#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "engine/farm/journal/journal.hpp"
#include "engine/farm/processes/drain_notice.hpp"
#include "engine/farm/transport/serialization.hpp"
#include "engine/foundation/message_text.hpp"
#include "engine/foundation/utf8.hpp"

#include "app/cli/commands/commands.hpp"
#include "app/cli/commands/options/output_name.hpp"
#include "app/cli/commands/run_totals.hpp"
#include "app/cli/execution.hpp"
#include "app/cli/explain.hpp"
#include "app/cli/launcher.hpp"
#include "app/cli/progress.hpp"
#include "app/cli/supervise.hpp"
#include "app/cli/walltime_watch.hpp"
#include "app/config/yaml/source.hpp"
#include "app/plan/plan_warnings.hpp"
#include "app/run/journal/campaign_journal.hpp"
#include "app/run/output_error.hpp"
#include "app/run/tables/provenance.hpp"

namespace schedfarm::app {

namespace {

// A signal handler can reach nothing but a global; it holds one bit and is set only by signals.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
volatile std::sig_atomic_t drain_requested = 0;
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
volatile std::sig_atomic_t sync_requested = 0;

void request_drain(int /*signal*/) {
    drain_requested = 1;
}

void request_sync(int /*signal*/) {
    sync_requested = 1;
}

void on_signal(int signal, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    sigaction(signal, &action, nullptr);
}

/// Under mpirun TERM announces the end of all ranks: no time but for saving what is there.
void install_signals() {
    on_signal(SIGINT, request_drain);
    on_signal(SIGUSR1, request_drain);
    on_signal(SIGTERM, engine::started_by_mpi() ? request_sync : request_drain);
}

bool take_sync_request() {
    const bool is_requested = sync_requested != 0;
    sync_requested = 0;
    return is_requested;
}

/// Counts what ranks that died have computed for the same command.
void print_result_line(const RunSummary& summary, const RunCommand& options) {
    const Supervision supervision = options.supervision.value_or(Supervision{});
    const std::uint64_t reused =
        options.supervision ? std::min(summary.reused, supervision.begun_with) : summary.reused;
    std::fputs(
        fmt::format(
            "{} computed{} in {}; results in {}\n",
            engine::counted(summary.replications + summary.reused - reused, "replication"),
            reused > 0 ? fmt::format(", {} taken from the journal,", reused) : "",
            measured_text(supervision.begun_ago_s + summary.wall_seconds),
            engine::without_controls(summary.output.string())
        )
            .c_str(),
        stdout
    );
}

void print_summary(const RunSummary& summary, const RunCommand& options) {
    print_result_line(summary, options);
    if (summary.end == engine::JournalEnd::interrupted && !options.supervision) {  // which says it
        spdlog::warn(
            "stopped before the end, everything is saved. Go on with `{}`", resume_text(options)
        );
    }
    if (summary.left_out > 0) {
        spdlog::info("{}", left_out_text(summary.left_out));
    }
    if (summary.unstable_cells > 0) {
        spdlog::warn(
            "{} unstable: {} without bound",
            summary.unstable_cells == 1 ? "1 cell is"
                                        : fmt::format("{} cells are", summary.unstable_cells),
            summary.unstable_cells == 1 ? "its queue grows" : "their queues grow"
        );
    }
    if (summary.cells_short_of_target > 0) {
        spdlog::warn(
            "{} ended before {} precision target was met; `schedfarm report` says by what",
            engine::counted(summary.cells_short_of_target, "cell"),
            summary.cells_short_of_target == 1 ? "its" : "their"
        );
    }
    if (summary.cells_not_bracketed > 0) {
        spdlog::error(
            "{} found no load between the bounds given; `schedfarm report` says where it lies",
            engine::counted(summary.cells_not_bracketed, "search")
        );
    }
    if (summary.cells_not_stationary > 0) {
        spdlog::warn(
            "{} met {} precision target in runs that may be too short; `schedfarm report` says "
            "which",
            engine::counted(summary.cells_not_stationary, "cell"),
            summary.cells_not_stationary == 1 ? "its" : "their"
        );
    }
    const bool is_asked =
        std::getenv("SCHEDFARM_GO_ON") != nullptr;  // NOLINT(concurrency-mt-unsafe)
    if (summary.failed > 0 && !is_asked) {          // else who asks tells it
        spdlog::error(
            "{} failed: `{}` says why and how to replay each",
            engine::counted(summary.failed, "replication"),
            engine::program_command({"report", summary.output})
        );
    }
}

/// Whether it is the result file or the journal of a run that says which campaign goes on.
bool is_named_by_run(const RunCommand& options) {
    const std::filesystem::path& given = options.campaign;
    std::error_code error;
    return options.existing_journal == ExistingJournal::resume
           && (given.extension() == ".journal" || given.extension() == ".h5"
               || std::filesystem::exists(journal_path(given), error));
}

CampaignSource source_of(const RunCommand& options) {
    if (!is_named_by_run(options)) {
        return load_source(options.campaign);
    }
    const std::filesystem::path journal = journal_of(options.campaign);
    if (journal_path(output_of(options)).lexically_normal() != journal.lexically_normal()) {
        throw UsageError(fmt::format(
            "-o {}: {} goes on in its own result file. Leave -o out",
            options.output.string(),
            journal.string()
        ));
    }
    return source_in(engine::read_journal(journal).header);
}

/// Absent where no share is named.
std::optional<CellShare> share_of(const RunCommand& options) {
    const auto share = share_of_text(options.cells);
    if (!share && !options.cells.empty()) {
        throw UsageError(fmt::format(
            "--cells {}: no share of the cells (I/N with 1 <= I <= N). Write it like --cells 2/4",
            options.cells
        ));
    }
    return share;
}

/// Lets `schedfarm status` see that the run drains, and how much it waits for.
class DrainNotice {
  public:
    explicit DrainNotice(std::filesystem::path journal) : journal_(std::move(journal)) {}

    void show(const CampaignProgress& progress) {
        if (drain_requested == 0) {
            return;
        }
        std::uint64_t under_way = 0;
        for (const auto& cell : progress.cells()) {
            under_way += cell->in_flight();
        }
        if (shown_ != under_way) {
            engine::write_drain_notice(journal_, under_way);
            shown_ = under_way;
        }
    }

  private:
    std::filesystem::path journal_;
    std::optional<std::uint64_t> shown_;
};

void expect_output_can_be_written(const RunCommand& options) {
    const bool is_fresh = options.existing_journal == ExistingJournal::replace;
    expect_can_be_written(output_of(options), is_fresh ? Damaged::is_replaced : Damaged::is_kept);
}

ExitCode run_as_master(
    const engine::World& world, Plan plan, const RunCommand& options, Execution& execution
) {
    RunOptions run;
    run.output = output_of(options);
    // That of a supervised run was begun by the supervisor.
    run.existing_journal = options.supervision ? ExistingJournal::resume : options.existing_journal;
    run.kernel = options.kernel;
    run.share = share_of(options);
    run.crashes = options.crashes;
    run.former_failures = options.former_failures;
    run.levels = options.levels;
    run.group_ranks = options.group_ranks;
    run.should_sync = take_sync_request;
    run.expect_replaceable = [&options, output = run.output] {
        try {
            expect_output_can_be_written(options);
        } catch (const UsageError& error) {
            throw OutputError(fmt::format(
                "{}. What was computed is in the journal: `{}`",
                error.what(),
                engine::program_command({"rebuild", journal_path(output), "--output", "NAME.h5"})
            ));
        }
    };
    run.warn = [](const std::string& text) {
        spdlog::warn("{}", text);
    };
    if (world.size() == 1) {
        run.execute = execution.function();
    }
    run.should_drain = [] {
        return drain_requested != 0;
    };
    RunSummary summary;
    WalltimeWatch walltime(options.walltime_s);
    DrainNotice notice(journal_path(run.output));
    {
        ProgressDisplay display(progress_style(options.progress));
        run.on_progress = [&](const CampaignProgress& progress) {
            display.show(progress);
            notice.show(progress);
            if (walltime.is_too_late(progress)) {
                drain_requested = 1;
            }
        };
        summary = run_campaign(world, std::move(plan), run);
    }
    walltime.explain();
    print_summary(summary, options);
    return explain_defects(summary, exit_code_of(summary.end));
}

/// Tasks are understood by the same program only.
engine::Bytes program_bytes() {
    engine::ByteWriter writer;
    writer.text(program_text());
    return writer.take();
}

/// A rank other than 0 executes replications. It reads no campaign: tasks bring their cells.
ExitCode run_as_worker(const engine::World& world, Execution& execution) {
    if (world.broadcast({}) != program_bytes()) {
        throw std::runtime_error(
            "the ranks of this run are different programs. Give all machines the same one?"
        );
    }
    engine::run_worker(world, execution.function());
    return ExitCode::done;
}

/// This process alone is master and worker.
ExitCode run_alone(const RunCommand& options, Plan plan) {
    Execution execution(options);
    const engine::World world;
    return run_as_master(world, std::move(plan), options, execution);
}

/// What a supervisor says to its ranks.
void obey(RunCommand& options, const std::optional<Supervision>& supervision) {
    options.supervision = supervision;
    if (!supervision) {
        return;
    }
    if (supervision->is_terminal && options.progress == "auto") {  // which ranks do not see
        options.progress = "bar";
    }
    if (supervision->is_restart) {  // what failed stays failed, or every death would bring it back
        options.former_failures = FormerFailures::keep;
    }
    if (options.walltime_s) {
        options.walltime_s = std::max(1.0, *options.walltime_s - supervision->begun_ago_s);
    }
}

ExitCode run_rank(const RunCommand& options) {
    Execution execution(options);
    const engine::World world;
    try {
        if (!world.is_master()) {
            return run_as_worker(world, execution);
        }
        Plan plan = make_plan(source_of(options));
        world.broadcast(program_bytes());
        std::optional<engine::JournalReservation> reservation;
        if (!options.supervision) {
            expect_output_can_be_written(options);
            reservation.emplace(journal_path(output_of(options)));
        }
        return run_as_master(world, std::move(plan), options, execution);
    } catch (...) {
        // The other ranks wait for this one: say why, then end all of them.
        world.abort(static_cast<int>(explain_current_exception()));
    }
}

}  // namespace

std::filesystem::path output_of(const RunCommand& options) {
    if (!options.output.empty()) {
        return options.output;
    }
    if (!is_named_by_run(options)) {
        return default_output(options.campaign);
    }
    std::filesystem::path output = journal_of(options.campaign);
    return output.replace_extension();
}

ExitCode run_command(RunCommand options, const std::vector<std::string>& arguments) {
    share_of(options);  // a wrong word is said before any rank starts
    if (engine::started_by_mpi()) {
        install_signals();
        obey(options, supervision_of_this_process());
        return run_rank(options);
    }
    Plan plan = make_plan(source_of(options));  // errors before any rank starts
    for (const std::string& warning : plan_warnings(plan)) {
        spdlog::warn("{}", warning);
    }
    expect_output_can_be_written(options);
    const std::uint32_t workers = workers_wanted(options.workers);
    if (workers == 0) {
        install_signals();  // ahead of the reservation, which a signal would leave behind
    }
    const engine::JournalReservation reservation(journal_path(output_of(options)));
    if (workers == 0) {
        return run_alone(options, std::move(plan));
    }
    if (const auto ended = supervise_run(options, std::move(plan), arguments)) {
        return *ended;
    }
    spdlog::warn("mpirun cannot be started; computing in this process");
    install_signals();
    plan = make_plan(source_of(options));
    options.existing_journal = ExistingJournal::resume;  // it was begun for the ranks
    return run_alone(options, std::move(plan));
}

}  // namespace schedfarm::app
