#include "app/cli/launch.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <tuple>

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include "engine/farm/journal/journal.hpp"
#include "engine/farm/processes/supervisor.hpp"
#include "engine/foundation/message_text.hpp"

#include "app/cli/explain.hpp"

namespace schedfarm::app {

namespace {

constexpr double silent_s = 10;

/// Differs when a journal has been written to; all 0: there is none.
std::tuple<ino_t, off_t, time_t, long> state_of(const std::filesystem::path& journal) {
    struct stat found {};
    if (::stat(journal.c_str(), &found) != 0) {
        return {};
    }
    return {found.st_ino, found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

/// A run that was stopped on purpose: what was in flight is under no suspicion.
void acquit_in_flight(const std::filesystem::path& journal, const engine::JournalContent& content) {
    if (!content.in_flight.empty()) {
        engine::Journal::reopen(journal, content)->append_suspects(content.suspects);
    }
}

void announce(engine::StopRequest request) {
    if (request == engine::StopRequest::drain) {
        spdlog::info("{}", stopping_text);
    } else {
        spdlog::info("stopping at once");
    }
}

/// The options that say otherwise than `by_default` how replications are kept in check.
void protect(
    std::vector<engine::CommandWord>& words, const RunCommand& options, const RunCommand& by_default
) {
    const auto add = [&words](const char* name, const std::string& value) {
        words.insert(words.end(), {name, value});
    };
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
    if (options.launcher != by_default.launcher) {
        words.insert(words.end(), {"--launcher", word_of(options.launcher)});
    }
    if (!options.cells.empty()) {
        words.insert(words.end(), {"--cells", options.cells});
    }
    protect(words, options, by_default);
    return engine::program_command(words);
}

ExitCode launch(
    const RunCommand& options,
    Launcher launcher,
    std::uint32_t workers,
    const std::vector<std::string>& arguments
) {
    const std::string name = word_of(launcher);
    const std::filesystem::path journal = journal_path(output_of(options));
    const auto before = state_of(journal);
    bool is_said = false;
    engine::Supervisor supervisor(
        {announce,
         [&](double seconds) {
             if (!is_said && seconds > silent_s && state_of(journal) == before) {
                 is_said = true;
                 spdlog::warn("{} has started no rank for {:.0f} s; still waiting", name, silent_s);
             }
         },
         [&] {
             return state_of(journal) != before && engine::ends_in_order(journal);
         }}
    );
    // Each rank has one worker, and starts no launcher: what the user asked for is behind it and is
    // not read.
    std::vector<std::string> words{arguments.front(), "--workers", "1", "--launcher", "local"};
    words.insert(words.end(), arguments.begin() + 1, arguments.end());
    const auto code = supervisor.run(launcher_words(launcher, workers + 1, words));
    if (!code) {
        throw UsageError(name + " cannot be started. Write --launcher local to do without");
    }
    if (state_of(journal) == before) {
        throw UsageError(fmt::format(
            "{} has started no rank that computed anything (it ended with exit code {}). "
            "This program has {}: start it with that MPI's own launcher, or write --launcher local "
            "to do without.",
            name,
            *code,
            engine::mpi_version()
        ));
    }
    const engine::JournalContent content = engine::read_journal(journal);
    const std::string safe = fmt::format(
        "{} {} in the journal. Go on with `{}`",
        engine::counted(content.results.size(), "result"),
        content.results.size() == 1 ? "is" : "are",
        resume_text(options)
    );
    if (content.end) {
        return exit_code_of(*content.end);
    }
    if (supervisor.stop_request() != engine::StopRequest::none) {
        acquit_in_flight(journal, content);
        spdlog::warn("stopped at once; {}", safe);
        return ExitCode::stopped;
    }
    spdlog::critical(
        "the ranks ended before the campaign ({} ended with exit code {}); {}", name, *code, safe
    );
    return ExitCode::internal;
}

}  // namespace schedfarm::app
