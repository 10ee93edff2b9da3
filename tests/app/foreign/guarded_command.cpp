#include "tests/app/foreign/guarded_command.hpp"

#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>

#include <fcntl.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "app/cli/explain.hpp"

#include "tests/support/file_bytes.hpp"

namespace schedfarm::tests {

namespace {

namespace fs = std::filesystem;
using app::ExitCode;

/// Standard output goes nowhere while this lives.
class SilentOutput {
  public:
    SilentOutput() {
        std::fflush(stdout);
        kept_ = ::dup(STDOUT_FILENO);
        const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
        ::dup2(nowhere, STDOUT_FILENO);
        ::close(nowhere);
    }
    SilentOutput(const SilentOutput&) = delete;
    SilentOutput& operator=(const SilentOutput&) = delete;
    ~SilentOutput() {
        std::fflush(stdout);
        ::dup2(kept_, STDOUT_FILENO);
        ::close(kept_);
    }

  private:
    int kept_ = -1;
};

/// What the program logs while this lives.
class LoggedMessages {
  public:
    LoggedMessages() : before_(spdlog::default_logger()) {
        auto sink = std::make_shared<spdlog::sinks::ostream_sink_st>(text_);
        auto logger = std::make_shared<spdlog::logger>("test", sink);
        logger->set_pattern("%v");
        spdlog::set_default_logger(logger);
    }
    LoggedMessages(const LoggedMessages&) = delete;
    LoggedMessages& operator=(const LoggedMessages&) = delete;
    ~LoggedMessages() { spdlog::set_default_logger(before_); }

    std::string text() const { return text_.str(); }

  private:
    std::ostringstream text_;
    std::shared_ptr<spdlog::logger> before_;
};

std::string broken_promise(const Guarded& done, const std::string& name, bool is_unchanged) {
    if (done.code == ExitCode::stopped || done.code == ExitCode::internal) {
        return "neither done nor refused: " + done.message;
    }
    if (done.verdict == Verdict::accepted) {
        return "";
    }
    const bool is_one_line = done.message.find('\n') == done.message.size() - 1;
    if (!is_one_line || done.message.find(name) == std::string::npos) {
        return "not one line that names the file: " + done.message;
    }
    return is_unchanged ? "" : "a refusal changed the folder";
}

}  // namespace

FolderContent content_of(const fs::path& folder) {
    FolderContent content;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        content[entry.path().filename().string()] = bytes_of(entry.path());
    }
    return content;
}

void restore(const fs::path& folder, const FolderContent& content) {
    for (const auto& [name, bytes] : content_of(folder)) {
        const auto wanted = content.find(name);
        if (wanted == content.end() || wanted->second != bytes) {
            fs::remove(folder / name);
        }
    }
    for (const auto& [name, bytes] : content) {
        if (!fs::exists(folder / name)) {
            std::ofstream(folder / name, std::ios::binary) << bytes;
        }
    }
}

Guarded guarded(
    const fs::path& folder, const std::string& name, const std::function<ExitCode()>& command
) {
    const FolderContent before = content_of(folder);
    Guarded done;
    {
        const SilentOutput silent;
        const LoggedMessages messages;
        try {
            done.code = command();
        } catch (...) {
            done.code = app::explain_current_exception();
        }
        done.message = messages.text();
    }
    const bool is_refused = done.code == ExitCode::usage;
    done.verdict = is_refused ? Verdict::refused : Verdict::accepted;
    done.problem = broken_promise(done, name, content_of(folder) == before);
    return done;
}

}  // namespace schedfarm::tests
