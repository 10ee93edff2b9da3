// Work without end for measuring a farm in its steady state: starts and ends of runs, which are
// short beside real campaigns and long beside a measurement, are left out.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "engine/farm/task.hpp"

namespace schedfarm::bench {

struct SteadySettings {
    std::uint64_t warm_up_results = 0;  ///< the window opens after these
    double seconds = 1;                 ///< least length of the window, on the clock
    /// The window holds a multiple of so many results: equal tasks come back in waves.
    std::uint64_t wave_results = 1;
    double task_seconds = 0;  ///< predicted; 0: unknown, so that each task travels alone
    engine::Bytes payload;
};

/// What happened in the window.
struct SteadyWindow {
    std::uint64_t results = 0;
    double seconds = 0;
    double cpu_seconds = 0;  ///< of this process
};

/// Gives tasks until the window has closed.
class SteadyWork final : public engine::WorkSource {
  public:
    /// `clock` says the time in seconds; it may go by another one than the wall's.
    SteadyWork(SteadySettings settings, std::function<double()> clock);

    std::optional<engine::Task> next_task() override;
    void accept(const engine::TaskResult& result) override;
    bool finished() const override { return is_closed_ && accepted_ == given_; }

    bool is_closed() const { return is_closed_; }
    const SteadyWindow& window() const { return window_; }

  private:
    SteadySettings settings_;
    std::function<double()> clock_;
    std::uint64_t given_ = 0;
    std::uint64_t accepted_ = 0;
    bool is_closed_ = false;
    double opened_s_ = 0;
    double cpu_at_opening_ = 0;
    SteadyWindow window_;
};

/// Processor time of this process.
double process_cpu_seconds();

}  // namespace schedfarm::bench
