// Calls of Slurm's commands, never more than one per second: schedulers are shared.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace schedfarm::app {

/// Slurm refused, or cannot be reached; the text has its own words.
class SchedulerError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// What the calls need of the world; tests bring their own.
struct SchedulerWorld {
    std::function<double()> now_s;
    std::function<void(double seconds)> sleep;
    /// Runs a command to its end and returns its standard output; throws SchedulerError with its
    /// standard error when it fails.
    std::function<std::string(const std::vector<std::string>& command)> run;
};

/// The real clock and real processes.
SchedulerWorld real_world();

class Scheduler {
  public:
    explicit Scheduler(SchedulerWorld world) : world_(std::move(world)) {}

    /// Throws where there is no Slurm to submit to.
    void expect_present();
    /// Submits a script; `after` is a job that must have ended first, empty: none. Returns the
    /// job's number.
    std::string submit(const std::string& script, const std::string& after);
    void cancel(const std::string& job);

  private:
    std::string call(const std::vector<std::string>& command);

    SchedulerWorld world_;
    std::optional<double> last_call_s_;
};

}  // namespace schedfarm::app
