// The command line of a submission as Slurm's accounting keeps it (column SubmitLine): the words of
// sbatch, srun or salloc with blanks between them, mostly without the quotes that they had. Options
// in a script's #SBATCH lines and in the environment are not in it. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedfarm::models::trace {

class SubmitLine {
  public:
    /// Read are the options in front of the script. `--wrap` ends them unless its command is in
    /// quotes, for what follows may be the command's own.
    explicit SubmitLine(std::string_view line);

    bool is_empty() const { return is_empty_; }
    /// Of "-N 2", "-N2", "--nodes=2", "--nodes 2" the option "nodes" is "2", of a flag
    /// such as "--exclusive" it is ""; absent: it is not there. The last one counts. Long names may
    /// be cut short where one option alone begins so ("--depend").
    std::optional<std::string_view> option(std::string_view long_name) const;
    /// "job.sh": without its folders; "wrap" of a command that was wrapped; empty: none is there.
    std::string_view script() const { return script_; }

  private:
    std::vector<std::pair<std::string_view, std::string>> options_;  ///< by long name
    std::string script_;
    bool is_empty_;
};

}  // namespace schedfarm::models::trace
