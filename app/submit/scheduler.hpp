// Calls of Slurm's commands, never more than one per second: schedulers are shared.
#pragma once

#include <cstdint>
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

/// A job that Slurm has taken.
struct SubmittedJob {
    std::string number;   ///< empty: sbatch's answer does not tell
    std::string cluster;  ///< empty: the one that this machine is of
    std::string answer;
};

/// What sbatch answered: "number[;cluster]" on a line of its own, Slurm's usual sentence, or what a
/// site has put in their place.
SubmittedJob job_in(const std::string& answer);

/// `command` with the option of the job's cluster, where it has one.
std::vector<std::string> command_of(const SubmittedJob& job, std::vector<std::string> command);

/// Takes the variables of the allocation that this process runs in, if any, out of its environment:
/// sbatch would hand them on, masks of processors among them.
void leave_allocation();

class Scheduler {
  public:
    explicit Scheduler(SchedulerWorld world) : world_(std::move(world)) {}

    /// Throws where there is no Slurm to submit to.
    void expect_present();
    /// Submits a script; `after` is the number of a job that must have ended first, empty: none.
    SubmittedJob submit(const std::string& script, const std::string& after);
    void cancel(const SubmittedJob& job);
    /// How many tasks an array may have that begins at 1; 1000, Slurm's own, where it does not say.
    std::uint32_t longest_array();

  private:
    std::string call(const std::vector<std::string>& command);

    SchedulerWorld world_;
    std::optional<double> last_call_s_;
};

}  // namespace schedfarm::app
