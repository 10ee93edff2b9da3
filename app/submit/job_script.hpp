// The text of a batch script that runs a campaign under Slurm. Pure: nothing is written or started.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace schedfarm::app {

/// What a job does when it is cut off before the campaign is finished.
enum class WhenCut : std::uint8_t {
    requeue,  ///< asks Slurm to queue it again (held for two minutes)
    chain,    ///< a job that waits for its failure goes on at once
    stop,     ///< leaves it to the user
};

struct JobRequest {
    std::string program;   ///< path of schedfarm on the nodes
    std::string campaign;  ///< absolute path
    std::string results;   ///< absolute path; must end in .h5 for an array
    std::string name;      ///< of the job
    std::uint32_t nodes = 1;
    std::uint32_t ntasks = 1;  ///< workers; the master sleeps on one of their cores
    std::uint64_t time_s = 3600;
    std::uint32_t notice_s = 120;   ///< Slurm's signal before the time limit
    std::string partition;          ///< empty: Slurm's default
    std::string account;            ///< empty: Slurm's default
    std::uint32_t array = 1;        ///< tasks that share the cells
    std::uint32_t array_limit = 0;  ///< so many of them at once; 0: as many as start
    WhenCut when_cut = WhenCut::requeue;
    std::string launcher = "auto";     ///< of `run`
    std::vector<std::string> options;  ///< further options of sbatch: "--mem=4G"
    std::vector<std::string> setup;    ///< shell lines before the run: "module load openmpi"
};

/// The script of the run, a task of the array where there is one.
std::string job_script(const JobRequest& request);
/// Of an array that is longer than Slurm takes: so many tasks behind the first ones.
struct ArrayTasks {
    std::uint32_t before = 0;
    std::uint32_t count = 1;
};
std::string job_script(const JobRequest& request, const ArrayTasks& tasks);

/// Whether "--mem=4G" or "-N2", an option for sbatch, is one of "-N --nodes --mem".
bool is_option(std::string_view option, std::string_view names);

/// The script that joins the results of the array's tasks, on one processor: of the further options
/// it has those that say who runs where.
std::string merge_script(const JobRequest& request);

/// What the scripts of all runs share: slurm/job_body.sh.
std::string_view job_body();

}  // namespace schedfarm::app
