// What mpirun says of its own when a rank ends with an exit code or dies, or when it passes a
// signal on or is told twice to end, told from everything else that comes over its standard error:
// those banners say in ten lines less than our own message does in one. Its remarks on its own
// inside, which follow when a job ends early, are kept for the case that nothing else explains a
// failure. All else, errors of MPI among it, goes through unchanged. Pure.
#pragma once

#include <string>
#include <string_view>

namespace schedfarm::engine {

class LauncherOutput {
  public:
    /// Takes the next bytes; returns what is to be shown. Held back is only what may become a
    /// banner: a line of dashes and what follows it, up to the next one, or a remark. A line begins
    /// behind the end of another, and behind a command to the terminal: a bar of progress ends in
    /// one.
    std::string pass(std::string_view bytes);
    /// Returns what was held back; nothing more comes.
    std::string finish();

    /// A banner said that a rank ended with an exit code of its own choice.
    bool rank_exited() const { return rank_exited_; }
    /// How a rank died: "rank 2 was killed by signal 11 (Segmentation fault)"; empty: none did.
    const std::string& rank_death() const { return rank_death_; }
    /// The remarks so far, lines as they came.
    const std::string& remarks() const { return remarks_; }

  private:
    std::string take_line();
    std::string end_of_block();

    std::string line_;   // not yet complete
    std::string block_;  // from a line of dashes on
    std::string remarks_;
    bool is_behind_notice_ = false;  // some end in an empty line
    bool rank_exited_ = false;
    std::string rank_death_;
};

}  // namespace schedfarm::engine
