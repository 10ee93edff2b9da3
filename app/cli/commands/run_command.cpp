#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "engine/farm/journal/journal.hpp"
#include "engine/farm/processes/drain_notice.hpp"
#include "engine/farm/transport/serialization.hpp"
#include "engine/foundation/message_text.hpp"
#include "engine/foundation/utf8.hpp"

#include "app/campaign/plan/plan_warnings.hpp"
#include "app/campaign/yaml/source.hpp"
#include "app/cli/commands/commands.hpp"
#include "app/cli/commands/options/output_name.hpp"
#include "app/cli/commands/package.hpp"
#include "app/cli/commands/run_totals.hpp"
#include "app/cli/explain.hpp"
#include "app/cli/launch.hpp"
#include "app/cli/progress.hpp"
#include "app/cli/walltime_watch.hpp"
#include "app/run/journal/campaign_journal.hpp"
#include "app/run/output_error.hpp"
#include "app/run/tables/provenance.hpp"

namespace schedfarm::app {

namespace {

// A signal handler can reach nothing but a global; it holds one bit and is set only by signals.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
volatile std::sig_atomic_t drain_requested = 0;
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
volatile std::sig_atomic_t abandon_requested = 0;
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
volatile std::sig_atomic_t sync_requested = 0;

void request_drain(int signal) {
    if (drain_requested != 0 && signal != SIGUSR1) {
        abandon_requested = 1;
    }
    drain_requested = 1;
}

void request_sync(int /*signal*/) {
    sync_requested = 1;
}

void on_signal(int signal, void (*handler)(int)) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    if (signal == SIGHUP && action.sa_handler == SIG_IGN) {
        return;  // nohup
    }
    action = {};
    action.sa_handler = handler;
    sigaction(signal, &action, nullptr);
}

enum class Start : std::uint8_t { here, as_rank };

/// Under mpirun TERM announces the end of all ranks: no time but for saving what is there.
void install_signals(Start start) {
    on_signal(SIGINT, request_drain);
    on_signal(SIGHUP, request_drain);
    on_signal(SIGUSR1, request_drain);
    on_signal(SIGTERM, start == Start::as_rank ? request_sync : request_drain);
}

bool take_sync_request() {
    const bool is_requested = sync_requested != 0;
    sync_requested = 0;
    return is_requested;
}

/// A slow reader of standard output is waited for, also at a pipe that others have set not to wait.
/// False where nobody reads and an end at once is asked for: all output goes nowhere then.
bool wait_for_reader() {
    constexpr int look_ms = 500;
    pollfd reader{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
    do {
        if (::poll(&reader, 1, abandon_requested != 0 ? 0 : look_ms) > 0) {
            return true;
        }
    } while (abandon_requested == 0);
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ::dup2(nowhere, STDOUT_FILENO);
    reader.fd = STDERR_FILENO;
    if (::poll(&reader, 1, 0) == 0) {
        ::dup2(nowhere, STDERR_FILENO);
    }
    ::close(nowhere);
    return false;
}

/// `whatif` tells itself what is wrong with its campaigns, in the words of its options.
bool is_of_whatif() {
    return std::getenv("SCHEDFARM_GO_ON") != nullptr;  // NOLINT(concurrency-mt-unsafe)
}

void print_result_line(const RunSummary& summary) {
    std::fputs(
        fmt::format(
            "{} computed{} in {}; results in {}\n",
            engine::counted(summary.replications, "replication"),
            summary.reused > 0 ? fmt::format(", {} taken from the journal,", summary.reused) : "",
            measured_text(summary.wall_seconds),
            engine::without_controls(summary.output.string())
        )
            .c_str(),
        stdout
    );
}

void print_summary(const RunSummary& summary, const RunCommand& options) {
    print_result_line(summary);
    for (const std::string& warning : summary.warnings) {
        spdlog::warn("{}", warning);
    }
    if (summary.end == engine::JournalEnd::interrupted) {
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
    if (summary.failed > 0 && !is_of_whatif()) {
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

/// The files that say what runs.
std::vector<std::filesystem::path> named_by(const RunCommand& options, const Plan& plan) {
    std::vector<std::filesystem::path> files = files_of(plan.source, options.campaign);
    if (is_named_by_run(options)) {
        files.push_back(journal_of(options.campaign));
    }
    return files;
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

engine::TaskLimits limits_of(const RunCommand& options) {
    constexpr double bytes_per_mib = 1024.0 * 1024.0;
    engine::TaskLimits limits{options.time_limit_s, std::nullopt};
    if (options.memory_limit_mib) {
        constexpr double most_bytes = 1e18;
        limits.memory_bytes = static_cast<std::uint64_t>(
            std::min(*options.memory_limit_mib * bytes_per_mib, most_bytes)
        );
    }
    return limits;
}

void say_overdue(const engine::OverdueTask& task) {
    const ReplicationId id = ReplicationId::of(task.id);
    spdlog::warn(
        "cell {}, replication {} has run for {}, {} were expected; it goes on (--time-limit would "
        "end it)",
        id.cell,
        id.replication,
        measured_text(task.seconds),
        measured_text(task.predicted_seconds)
    );
}

void say_lost(const engine::LostWorker& lost) {
    spdlog::warn(
        "{}: nothing has been heard of its {} for {:.0f} s; {} under way there {} to others",
        lost.host,
        engine::counted(lost.children, "worker"),
        engine::longest_silence_seconds,
        engine::counted(lost.tasks, "replication"),
        lost.tasks == 1 ? "goes" : "go"
    );
}

engine::RankWait wait_of(const RunCommand& options) {
    engine::RankWait wait;
    wait.seconds = options.wait_ranks_s;
    wait.say = [](const std::string& text) {
        spdlog::warn("{}", text);
    };
    return wait;
}

/// Going on after a look makes many looks of one. Draws of a log have no e-values.
void say_what_stays_valid(const Plan& plan, const RunCommand& options) {
    const bool draws_a_log = std::ranges::any_of(plan.cells, [](const Cell& cell) {
        return cell.log_blocks.has_value();
    });
    if (options.existing_journal == ExistingJournal::extend && !draws_a_log
        && (plan.comparison || !plan.claims.empty())) {
        spdlog::info(
            "p-values, intervals and verdicts are right at one look, and --extend makes another; "
            "e_value in `{}` stays valid however often one looks",
            plan.comparison ? "comparisons" : "claims"
        );
    }
}

ExitCode run_as_master(
    const engine::World& world, Plan plan, const RunCommand& options, const engine::Workers& workers
) {
    say_what_stays_valid(plan, options);
    RunOptions run;
    run.output = output_of(options);
    run.existing_journal = options.existing_journal;
    run.kernel = options.kernel;
    run.share = share_of(options);
    run.crashes = options.crashes;
    run.former_failures = options.former_failures;
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
    run.workers = workers;
    run.on_overdue = say_overdue;
    run.wait = wait_of(options);
    run.on_lost = say_lost;
    run.should_drain = [] {
        return drain_requested != 0;
    };
    if (workers.server != nullptr) {
        run.should_abandon = [] {
            return abandon_requested != 0;
        };
    }
    RunSummary summary;
    WalltimeWatch walltime(options.walltime_s);
    DrainNotice notice(journal_path(run.output));
    bool is_announced = false;
    {
        ProgressDisplay display(progress_style(options.progress));
        run.on_progress = [&](const CampaignProgress& progress) {
            display.show(progress);
            notice.show(progress);
            if (drain_requested != 0 && workers.server != nullptr && !is_announced) {
                is_announced = true;
                spdlog::info("{}", stopping_text);
            }
            if (walltime.is_too_late(progress)) {
                is_announced = true;  // why is said at the end
                drain_requested = 1;
            }
        };
        summary = run_campaign(world, std::move(plan), run);
    }
    walltime.explain();
    if (!wait_for_reader()) {
        spdlog::warn(
            "stopped at once, as nobody reads what is written; everything is in the journal. Go on "
            "with `{}`",
            resume_text(options)
        );
        return ExitCode::stopped;
    }
    print_summary(summary, options);
    const ExitCode code = explain_defects(summary, exit_code_of(summary.end));
    if (summary.has_lost_ranks) {
        engine::World::leave(static_cast<int>(code));
    }
    return code;
}

/// Tasks are understood by the same program only.
engine::Bytes program_bytes() {
    engine::ByteWriter writer;
    writer.text(program_text());
    return writer.take();
}

/// A rank other than 0 executes replications. It reads no campaign: tasks bring their cells.
ExitCode run_as_worker(const engine::World& world, engine::WorkerServer& server) {
    if (world.broadcast({}) != program_bytes()) {
        throw std::runtime_error(
            "the ranks of this run are different programs. Give all machines the same one."
        );
    }
    engine::run_worker(world, server, say_overdue);
    return ExitCode::done;
}

/// This process, which no launcher has started, with so many children.
ExitCode run_here(const RunCommand& options, Plan plan, std::uint32_t workers) {
    if (workers == 0 && (options.time_limit_s || options.memory_limit_mib)) {
        throw UsageError(
            "--workers 0: limits hold for workers, which are ended by them. Write --workers 1"
        );
    }
    install_signals(Start::here);  // ahead of the reservation, which a signal would leave behind
    const engine::TaskExecutor execute = options.execute(options.kernel, options.waits);
    std::optional<engine::WorkerServer> server;
    if (workers > 0) {
        server.emplace(workers, execute, limits_of(options));
    }
    const engine::JournalReservation reservation(journal_path(output_of(options)));
    const engine::World world;
    return run_as_master(world, std::move(plan), options, {server ? &*server : nullptr, execute});
}

ExitCode run_rank(const RunCommand& options, const engine::Launched& launched) {
    install_signals(Start::as_rank);
    std::optional<engine::WorkerServer> server;
    if (launched.rank > 0) {
        server.emplace(
            std::max(options.workers.value_or(1), 1U),
            options.execute(options.kernel, options.waits),
            limits_of(options)
        );
    }
    const engine::World world(launched, wait_of(options));
    try {
        if (!world.is_master()) {
            return run_as_worker(world, *server);
        }
        if (world.size() == 1) {
            throw UsageError(
                "the launcher has started this process as one of several ranks, but MPI ("
                + engine::mpi_version() + ") finds it alone. Start it with that MPI's mpirun"
            );
        }
        Plan plan = make_plan(source_of(options));
        expect_own_code(plan, named_by(options, plan), options.code);
        plan_in_package(plan);
        world.broadcast(program_bytes());
        expect_output_can_be_written(options);
        const engine::JournalReservation reservation(journal_path(output_of(options)));
        return run_as_master(world, std::move(plan), options, {});
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

ExitCode run_command(const RunCommand& options, const std::vector<std::string>& arguments) {
    let_code_run();
    share_of(options);  // a wrong word is said before any rank starts
    const engine::Launched launched = engine::look_for_launcher();
    if (!launched.stranger.empty()) {
        if (launched.rank == 0) {
            spdlog::error(
                "the launcher that has started this process speaks {}, which the MPI of this "
                "program ({}) does not. Start it with that MPI's mpirun, or with `srun {}`",
                launched.stranger,
                engine::mpi_version(),
                engine::srun_word()
            );
        } else {
            // The first to end ends all: rank 0 has its words first.
            std::this_thread::sleep_for(std::chrono::seconds(1));
        }
        return ExitCode::usage;
    }
    if (!launched.leftovers.empty()) {
        spdlog::warn(
            "variables of a launcher that is gone are ignored: {}",
            fmt::join(launched.leftovers, ", ")
        );
    }
    if (launched.is_rank && launched.ranks != 1) {
        return run_rank(options, launched);
    }
    const Launcher launcher = launcher_wanted(options.launcher);
    Plan plan = make_plan(source_of(options));  // errors before any rank starts
    if (launcher == Launcher::local) {          // else rank 0 says so
        expect_own_code(plan, named_by(options, plan), options.code);
    }
    plan_in_package(plan);
    if (!is_of_whatif()) {
        for (const std::string& warning : plan_warnings(plan)) {
            spdlog::warn("{}", warning);
        }
    }
    expect_output_can_be_written(options);
    const std::uint32_t workers = workers_wanted(options.workers, launcher);
    if (launcher == Launcher::local) {
        return run_here(options, std::move(plan), workers);
    }
    plan = {};  // the ranks make their own
    return launch(options, launcher, workers, arguments);
}

}  // namespace schedfarm::app
