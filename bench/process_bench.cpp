#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "models/trace/reading/reader.hpp"
#include "models/trace/selection.hpp"

#include "bench/bench.hpp"
#include "bench/minimal_loops.hpp"

namespace schedfarm::bench {

namespace {

namespace fs = std::filesystem;

/// Standard output of the program is thrown away.
void run_to_end(std::vector<std::string> words) {
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& word : words) {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int error =
        posix_spawnp(&child, pointers[0], &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    if (error != 0 || waitpid(child, &status, 0) != child || status != 0) {
        throw std::runtime_error(words[0] + " failed (it was to be measured). Is it there?");
    }
}

/// A normalised log as plain text, for as long as it is measured.
class NormalisedLog {
  public:
    NormalisedLog(const std::string& program, const std::string& log)
        : file_(
            fs::temp_directory_path() / ("schedfarm-bench-" + std::to_string(getpid()) + ".swf")
        ) {
        run_to_end({program, "trace", log, "--write", file_.string()});
    }
    NormalisedLog(const NormalisedLog&) = delete;
    NormalisedLog& operator=(const NormalisedLog&) = delete;
    ~NormalisedLog() {
        std::error_code ignored;
        fs::remove(file_, ignored);
    }

    std::string file() const { return file_.string(); }
    std::uint64_t jobs() const {
        std::ifstream lines(file_);
        std::uint64_t count = 0;
        for (std::string line; std::getline(lines, line);) {
            count += line.empty() || line.front() == ';' ? 0U : 1U;
        }
        return count;
    }

  private:
    fs::path file_;
};

struct Measured {
    std::string name;
    std::string log;
    std::string processors;
};

Measured measured_log() {
    const char* const folder = std::getenv("SCHEDFARM_TRACES");  // NOLINT(concurrency-mt-unsafe)
    const fs::path ctc = fs::path(folder == nullptr ? "" : folder) / "CTC-SP2-1996-3.1-cln.swf.gz";
    return fs::exists(ctc) ? Measured{"CTC-SP2", ctc.string(), "338"}
                           : Measured{"generated log", "example", "64"};
}

/// Programs run on the file named, which is written when the first of them runs.
class OnFile {
  public:
    OnFile(std::string program, Measured measured)
        : program_(std::move(program)), measured_(std::move(measured)) {}

    std::uint64_t simulate() {
        open();
        const std::string& processors = measured_.processors;
        run_to_end(
            {program_, "simulate", "--trace", log_->file(), "-p", processors, "--policy", "easy"}
        );
        return jobs_;
    }

    /// What the program must do at least: its reader, and a loop of textbook EASY.
    std::uint64_t minimal() {
        open();
        const models::trace::Log log = models::trace::read_log(log_->file());
        const auto processors = static_cast<std::uint32_t>(std::stoul(measured_.processors));
        return minimal_easy(models::trace::select(log).jobs, processors) > 0 ? jobs_ : 0;
    }

  private:
    void open() {
        if (!log_) {
            log_.emplace(program_, measured_.log);
            jobs_ = log_->jobs();
        }
    }

    std::string program_;
    Measured measured_;
    std::optional<NormalisedLog> log_;
    std::uint64_t jobs_ = 0;
};

}  // namespace

double children_cpu_seconds() {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::vector<BenchCase> process_bench_cases() {
    const fs::path self = fs::read_symlink("/proc/self/exe");
    if (self.filename() != "schedfarm-bench") {
        return {};
    }
    const Measured measured = measured_log();
    const auto processes =
        std::make_shared<OnFile>((self.parent_path() / "schedfarm").string(), measured);
    return {
        {"whole process, EASY, " + measured.name,
         "jobs",
         "its reader, heap and sorted vector",
         [processes](std::uint32_t) { return processes->simulate(); },
         [processes](std::uint32_t) {
             return processes->minimal();
         }}};
}

}  // namespace schedfarm::bench
