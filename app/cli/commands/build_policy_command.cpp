// `schedfarm build-policy`: a policy in C++ becomes a library for the policy `plugin`, by the
// installed headers and g++.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/foundation/message_text.hpp"

#include "policies/external/plugin.hpp"

#include "app/campaign/yaml/suggestion.hpp"
#include "app/cli/commands/commands.hpp"
#include "app/cli/commands/package.hpp"
#include "app/cli/explain.hpp"

namespace schedfarm::app {

namespace {

namespace fs = std::filesystem;

/// One unit with the source: headers are read once.
std::string entry_text(const fs::path& source, const std::string& name) {
    return fmt::format(
        R"(#include "{3}"

#include "policies/external/interface.hpp"
#include "policies/external/plugin.hpp"

static_assert(
    std::string_view(schedfarm::policies::interface_checksum) == "{0}",
    "the headers are of another version than the program: install the same schedfarm-dev"
);
namespace schedfarm::policies {{
engine::PolicyDescription describe_{1}();
}}
extern "C" __attribute__((visibility("default"))) const char* {2}(schedfarm::engine::PolicyDescription& policy) {{
    policy = schedfarm::policies::describe_{1}();
    return schedfarm::policies::plugin_compiler;
}}
)",
        policies::plugin_interface(),
        name,
        policies::plugin_entry,
        fs::absolute(source).string()
    );
}

/// Says which function describes the policy where the file has the one of another name.
void expect_description(const fs::path& source, const std::string& name) {
    std::ifstream file(source);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::string wanted = "describe_" + name + "(";
    const std::size_t at = text.find("engine::PolicyDescription describe_");
    if (at == std::string::npos || text.find(wanted) != std::string::npos) {
        return;  // or it includes what has it
    }
    const std::size_t begin = text.find("describe_", at);
    const std::string found = text.substr(begin, text.find('(', begin) - begin);
    throw UsageError(fmt::format(
        "{}: a policy in {}.cpp is described by {}), and this file defines {}(). Name the file "
        "{}.cpp, or the function {})",
        source.string(),
        name,
        wanted,
        found,
        found.substr(std::string("describe_").size()),
        wanted
    ));
}

/// Which signal has asked for an end; 0: none.
volatile std::sig_atomic_t stopped_by = 0;

void on_each_signal(void (*handler)(int)) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction action {};
        ::sigaction(signal, nullptr, &action);
        if (action.sa_handler != SIG_IGN) {  // nohup
            action = {};
            action.sa_handler = handler;
            ::sigaction(signal, &action, nullptr);
        }
    }
}

/// Its exit code; the words go to no shell. It reads `input`, and ends with what it has started
/// when this process is asked to.
int run_words(Words words, const std::string& input) {
    std::vector<char*> arguments;
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    on_each_signal([](int signal) { stopped_by = signal; });
    posix_spawnattr_t own_group{};
    ::posix_spawnattr_init(&own_group);
    ::posix_spawnattr_setflags(&own_group, POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_t streams{};
    ::posix_spawn_file_actions_init(&streams);
    std::FILE* const file = file_with(input);
    ::posix_spawn_file_actions_adddup2(&streams, ::fileno(file), STDIN_FILENO);
    pid_t child = 0;
    const int problem =
        ::posix_spawnp(&child, arguments.front(), &streams, &own_group, arguments.data(), environ);
    std::fclose(file);
    ::posix_spawn_file_actions_destroy(&streams);
    ::posix_spawnattr_destroy(&own_group);
    if (problem != 0) {
        throw UsageError(fmt::format(
            "{} cannot be started ({}). Install g++, or name a compiler in CXX",
            words.front(),
            std::strerror(problem)  // NOLINT(concurrency-mt-unsafe)
        ));
    }
    int status = 0;
    constexpr unsigned look_us = 10000;  // a signal just before a wait without end would be missed
    while (::waitpid(child, &status, WNOHANG) == 0) {
        if (stopped_by != 0) {
            ::kill(-child, SIGTERM);  // it removes its files
        }
        ::usleep(look_us);
    }
    return WIFEXITED(status) && stopped_by == 0 ? WEXITSTATUS(status) : 128;
}

ExitCode build_policy(const BuildPolicyCommand& options) {
    const std::string name = options.source.stem();
    if (!fs::is_regular_file(options.source)) {
        throw UsageError(
            fmt::format("{}: {}", options.source.string(), engine::absence_text(options.source))
        );
    }
    const bool is_word =
        name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
        == std::string::npos;
    if (!is_word) {
        throw UsageError(fmt::format(
            "{}: the file has the name of its policy, of letters, digits and _, as mine.cpp with "
            "describe_mine() has, and '{}' has others. Rename the file",
            options.source.string(),
            name
        ));
    }
    expect_description(options.source, name);
    const fs::path output = options.output.empty() ? fs::path(name + ".so") : options.output;
    const fs::path unfinished = output.string() + ".unfinished";
    const char* const wish = std::getenv("CXX");  // NOLINT(concurrency-mt-unsafe)
    Words words{wish == nullptr || *wish == '\0' ? "g++" : wish};
    for (const char* word :
         {"-std=c++20",
          "-O3",
          "-DNDEBUG",
          "-ffp-contract=off",
          "-fPIC",
          "-fvisibility=hidden",
          "-fno-plt",
          "-fmax-errors=5",
          "-shared",
          "-Wl,-z,now"}) {
        words.emplace_back(word);
    }
    for (const fs::path& headers : header_folders()) {
        words.push_back("-I" + headers.string());
    }
    words.insert(words.end(), {"-o", unfinished.string(), "-x", "c++", "-"});
    const int code = run_words(words, entry_text(options.source, name));
    if (code != 0) {
        fs::remove(unfinished);
        if (stopped_by != 0) {
            return ExitCode::stopped;
        }
        throw UsageError(fmt::format(
            "{} is not built ({} said why above)", options.source.string(), words.front()
        ));
    }
    try {
        policies::add_plugin_row(unfinished);
    } catch (...) {
        fs::remove(unfinished);
        throw;
    }
    fs::rename(unfinished, output);
    const engine::Alternative row = policies::plugin_row(output);
    std::vector<std::string> parameters =
        names_of(row.parameters, &engine::ParameterDescription::name);
    fmt::print(
        "{}: policy '{}' ({}).\nWrite it as policy: {{plugin: {{library: {}}}}}\n",
        output.string(),
        row.name,
        parameters.empty() ? "without parameters" : joined(parameters),
        output.string()
    );
    return ExitCode::done;
}

}  // namespace

ExitCode build_policy_command(const BuildPolicyCommand& options) {
    const ExitCode code = build_policy(options);
    if (stopped_by != 0) {  // all is removed: now end as others do
        on_each_signal(SIG_DFL);
        ::raise(stopped_by);
    }
    return code;
}

}  // namespace schedfarm::app
