#include "app/cli/supervise.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <poll.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "engine/farm/journal/journal.hpp"
#include "engine/farm/processes/isolation_server.hpp"
#include "engine/farm/processes/launcher_output.hpp"
#include "engine/farm/processes/supervisor.hpp"
#include "engine/farm/stopwatch.hpp"
#include "engine/foundation/message_text.hpp"

#include "app/cli/launcher.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/progress.hpp"

namespace schedfarm::app {

namespace {

/// How far a journal has come.
struct JournalState {
    std::uint64_t results = 0;  ///< with observations
    std::uint64_t under_suspicion = 0;
    std::uint64_t bytes = 0;
    std::optional<engine::JournalEnd> end = {};
};

JournalState state_of(const std::filesystem::path& journal) {
    const engine::JournalContent content = engine::read_journal(journal);
    JournalState state;
    for (const engine::TaskResult& result : content.results) {
        state.results += result.status == engine::TaskStatus::done ? 1U : 0U;
    }
    state.under_suspicion = engine::suspects_of(content).size();
    state.bytes = content.valid_bytes;
    state.end = content.end;
    return state;
}

/// The journal is begun here, so that the ranks only ever go on from it.
void prepare_journal(const RunCommand& options, const Plan& plan) {
    const OpenedJournal opened =
        open_journal(journal_path(output_of(options)), plan, options.existing_journal);
    if (!opened.warning.empty()) {
        spdlog::warn("{}", opened.warning);
    }
    if (opened.left_out > 0) {
        spdlog::info("{}", left_out_text(opened.left_out));
    }
}

/// The journal of a run that was stopped on purpose: what was in flight is under no suspicion.
void acquit_in_flight(const std::filesystem::path& journal) {
    const engine::JournalContent content = engine::read_journal(journal);
    if (!content.in_flight.empty()) {
        engine::Journal::reopen(journal, content)->append_suspects(content.suspects);
    }
}

class SupervisedRun {
  public:
    explicit SupervisedRun(const RunCommand& options)
        : options_(options)
        , journal_(journal_path(output_of(options)))
        , supervisor_({
              [this](std::string_view bytes) {
                  const bool is_kept = put_out(supervisor_, STDOUT_FILENO, bytes);
                  is_output_lost_ = is_output_lost_ || !is_kept;
              },
              [this](std::string_view bytes) { show(output_.pass(bytes)); },
              [](engine::StopRequest request) { announce(request); },
          }) {
        if (progress_style(options.progress) == ProgressStyle::bar) {
            format_messages(std::string(line_erasure));
        }
    }

    std::optional<ExitCode> run(std::uint32_t ranks, const std::vector<std::string>& arguments) {
        JournalState before = state_of(journal_);
        Supervision supervision{
            .begun_with = before.results, .is_terminal = isatty(STDERR_FILENO) == 1};
        int fruitless_deaths = 0;
        while (true) {
            output_ = {};
            const auto code =
                supervisor_.run(mpirun_words(ranks, arguments, assignment_of(supervision)));
            show(output_.finish() + (is_explained(code) ? "" : output_.remarks()));
            if (!code) {
                return std::nullopt;
            }
            if (is_output_lost_) {
                return stopped();
            }
            const JournalState now = state_of(journal_);
            if (const auto by_itself = ended_by_itself(*code, now, before.bytes)) {
                return ended(*by_itself);
            }
            if (supervisor_.stop_request() != engine::StopRequest::none) {
                return stopped();
            }
            fruitless_deaths = now.results > before.results ? 0 : fruitless_deaths + 1;
            if (fruitless_deaths == most_fruitless_deaths) {
                return given_up(*code);
            }
            announce_restart(*code, now);
            before = now;
            supervision.is_restart = true;
            supervision.begun_ago_s = since_start_.seconds();
        }
    }

  private:
    /// What is not a bar's next drawing stands on lines of its own.
    void show(const std::string& text) {
        if (is_bar_drawn_ && !text.empty() && text.front() != '\r') {
            put_out(supervisor_, STDERR_FILENO, line_erasure);
        }
        is_bar_drawn_ = text.empty() ? is_bar_drawn_ : text.ends_with(line_end);
        put_out(supervisor_, STDERR_FILENO, text);
    }

    /// Whether it is known, without what mpirun remarked on itself, why it ended so.
    bool is_explained(std::optional<int> code) const {
        return !code || code == 0 || is_of_a_rank(*code) || !output_.rank_death().empty()
               || supervisor_.stop_request() != engine::StopRequest::none;
    }

    static void announce(engine::StopRequest request) {
        pollfd reader{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
        if (::poll(&reader, 1, 0) == 0) {
            return;  // nobody reads, and the ranks are to be told
        }
        if (request == engine::StopRequest::drain) {
            spdlog::info(
                "stopping: what is under way is finished and saved. Once more (Ctrl-C) stops at "
                "once; the journal keeps what is done"
            );
        } else {
            spdlog::info("stopping at once");
        }
    }

    /// mpirun now and then loses the banner of an abort; its own codes are 1 and large ones.
    bool is_of_a_rank(int code) const {
        const bool is_abort = code == static_cast<int>(ExitCode::usage)
                              || code == static_cast<int>(ExitCode::internal);
        return output_.rank_exited() || is_abort;
    }

    /// How ranks ended on purpose; absent when one died. The last record of the journal decides;
    /// ranks that end without one have said why.
    std::optional<ExitCode> ended_by_itself(
        int code, const JournalState& journal, std::uint64_t bytes_before
    ) {
        const bool has_grown = journal.bytes > bytes_before;
        if (journal.end && has_grown) {
            return exit_code_of(*journal.end);
        }
        if (!output_.rank_death().empty()) {
            return std::nullopt;
        }
        if (code > 0 && code <= static_cast<int>(ExitCode::internal) && is_of_a_rank(code)) {
            return static_cast<ExitCode>(code);
        }
        const bool is_stopped = supervisor_.stop_request() != engine::StopRequest::none;
        if (has_grown || is_stopped || engine::is_signal_code(code)) {
            return std::nullopt;
        }
        make_room_for_messages(supervisor_);
        spdlog::error("{}", no_rank_text(code));
        return ExitCode::usage;
    }

    std::string death_text(int code) const {
        if (!output_.rank_death().empty()) {
            return output_.rank_death();
        }
        return engine::is_signal_code(code)
                   ? "mpirun or a rank was killed by "
                         + engine::signal_text(code - engine::killed_by_signal)
                   : fmt::format("mpirun ended with exit code {}", code);
    }

    void announce_restart(int code, const JournalState& now) {
        make_room_for_messages(supervisor_);
        spdlog::warn(
            "{}; going on from the journal, {} {} safe{}",
            death_text(code),
            engine::counted(now.results, "result"),
            now.results == 1 ? "is" : "are",
            now.under_suspicion == 0 ? ""
                                     : fmt::format(
                                         ", {} that {} under way {} tried again first",
                                         engine::counted(now.under_suspicion, "replication"),
                                         now.under_suspicion == 1 ? "was" : "were",
                                         now.under_suspicion == 1 ? "is" : "are"
                                     )
        );
    }

    std::string safe_text() const {
        const std::uint64_t results = state_of(journal_).results;
        return fmt::format(
            "{} {} in the journal", engine::counted(results, "result"), results == 1 ? "is" : "are"
        );
    }

    /// The ranks have said the rest; what they say while they are told to end may be lost.
    ExitCode ended(ExitCode code) {
        if (code == ExitCode::stopped) {
            make_room_for_messages(supervisor_);
            spdlog::warn(
                "stopped before the end, everything is saved. Go on with `{}`",
                resume_text(options_)
            );
        }
        return code;
    }

    ExitCode stopped() {
        acquit_in_flight(journal_);
        make_room_for_messages(supervisor_);
        spdlog::warn("stopped at once; {}. Go on with `{}`", safe_text(), resume_text(options_));
        return ExitCode::stopped;
    }

    ExitCode given_up(int code) {
        make_room_for_messages(supervisor_);
        spdlog::critical(
            "{}; that was death {} in a row without a new result, so this is given up: {}. When "
            "the cause is found (memory? a limit of this machine?), go on with `{}`",
            death_text(code),
            most_fruitless_deaths,
            safe_text(),
            resume_text(options_)
        );
        return ExitCode::internal;
    }

    const RunCommand& options_;
    engine::Stopwatch since_start_;
    std::filesystem::path journal_;
    engine::LauncherOutput output_;
    bool is_output_lost_ = false;  // as nobody read it when told to end at once
    bool is_bar_drawn_ = false;    // as far as the ranks' bytes tell
    engine::Supervisor supervisor_;
};

/// The options that say otherwise than `by_default` how replications are kept in check.
void protect_supervisor(
    std::vector<engine::CommandWord>& words, const RunCommand& options, const RunCommand& by_default
) {
    const auto add = [&words](const char* name, const std::string& value) {
        words.insert(words.end(), {name, value});
    };
    if (options.isolation != by_default.isolation) {
        add("--isolation", options.isolation);
    }
    if (options.time_limit_s) {
        add("--time-limit", fmt::format("{}", *options.time_limit_s));
    }
    if (options.memory_limit_mib) {
        add("--memory-limit", fmt::format("{}", *options.memory_limit_mib));
    }
    if (options.crashes != by_default.crashes) {
        add("--crashes", std::to_string(options.crashes));
    }
}

}  // namespace

ExitCode exit_code_of(engine::JournalEnd end) {
    switch (end) {
        case engine::JournalEnd::finished:
            return ExitCode::done;
        case engine::JournalEnd::finished_short:
            return ExitCode::finished_short;
        case engine::JournalEnd::interrupted:
            return ExitCode::stopped;
        case engine::JournalEnd::defective:
            break;
    }
    return ExitCode::internal;
}

std::string resume_text(const RunCommand& options) {
    // Of `whatif`, which answers when its campaigns are done.
    const char* const command = std::getenv("SCHEDFARM_GO_ON");  // NOLINT(concurrency-mt-unsafe)
    if (command != nullptr) {
        return command;
    }
    RunCommand by_default;
    by_default.campaign = options.campaign;
    std::vector<engine::CommandWord> words{"resume", options.campaign};
    if (output_of(options).lexically_normal() != output_of(by_default)) {
        words.insert(words.end(), {"-o", output_of(options)});
    }
    if (options.workers) {
        words.insert(words.end(), {"-w", std::to_string(*options.workers)});
    }
    if (!options.cells.empty()) {
        words.insert(words.end(), {"--cells", options.cells});
    }
    protect_supervisor(words, options, by_default);
    return engine::program_command(words);
}

std::optional<ExitCode> supervise_run(
    const RunCommand& options, Plan plan, const std::vector<std::string>& arguments
) {
    SupervisedRun supervised(options);  // a signal waits from here on
    prepare_journal(options, plan);
    plan = {};  // the ranks make their own
    return supervised.run(workers_wanted(options.workers) + 1, arguments);
}

}  // namespace schedfarm::app
