// The parent of a launcher (mpirun): starts it in a process group of its own, turns the signals
// that ask for an end into what the ranks understand, and leaves no process behind, however the
// launcher ends. What it writes goes where this process writes.
//
// First TERM, INT, HUP or USR1: USR1 for the launcher, which sends it to every rank (drain, save,
// end); repeated every second, because one that comes before the ranks are ready is lost. Second
// TERM or INT: TERM for the launcher, which ends the ranks within two seconds.
//
// A launcher that goes on although all it has started is gone, or although it was told to end at
// once, is killed after a while: mpirun of Open MPI 4.1 now and then waits for itself for ever when
// ranks die early (a deadlock in PMIx_server_finalize).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigset_t
#include <sys/types.h>

#include "engine/farm/stopwatch.hpp"
#include "engine/farm/transport/framed_messages.hpp"

namespace schedfarm::engine {

enum class StopRequest : std::uint8_t {
    none,
    drain,    ///< end when what is under way is finished
    at_once,  ///< end now
};

struct SupervisorHooks {
    /// The request has become more urgent. Does not wait, for nothing is passed on before.
    std::function<void(StopRequest)> on_stop;
    /// Called every second while the launcher runs, with the seconds since its start.
    std::function<void(double)> on_wait;
    /// Asked as often: whether the run has ended, so that a launcher that goes on hangs.
    std::function<bool()> is_over = nullptr;
};

/// Exists once in a process without threads. While it lives, the signals above and CHLD are its
/// own, and orphans of what it has started become its children.
class Supervisor {
  public:
    /// Throws std::system_error.
    explicit Supervisor(SupervisorHooks hooks, double patience_seconds = 10);
    Supervisor(const Supervisor&) = delete;
    Supervisor& operator=(const Supervisor&) = delete;
    ~Supervisor();

    /// Runs a command to its end, with nothing on standard input. Returns its exit code, 128 + the
    /// signal that killed it, or nothing when it could not be started. Every process that it has
    /// left behind is gone then.
    std::optional<int> run(const std::vector<std::string>& words);

    StopRequest stop_request() const { return request_; }

  private:
    [[noreturn]] void become(const std::vector<std::string>& words) const;
    void take_signals();
    void take_stop_signal(int signal);
    void pass_on_stop();
    /// The wait status of the launcher.
    int watch();
    /// Kills a launcher that hangs.
    void end_hanging();
    /// The wait status of the launcher, once it has ended; also collects orphans that have ended.
    std::optional<int> ended() const;

    SupervisorHooks hooks_;
    double patience_seconds_;
    Descriptor signals_;
    sigset_t mask_before_{};
    StopRequest request_ = StopRequest::none;
    StopRequest passed_on_ = StopRequest::none;
    Stopwatch since_passed_on_;
    pid_t launcher_ = -1;
    bool has_had_children_ = false;
    std::optional<Stopwatch> hanging_;
};

}  // namespace schedfarm::engine
