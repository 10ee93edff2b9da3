// What holds wherever jobs take turns, under any scheduler that announces its time slices
// (engine::Slice): a job runs within a slice on all its processors that serves it, no slice
// lasts longer than announced, and one that begins on processors of another has them to itself. The
// same slice announced again goes on. Cost: O(slices + jobs that run) per step and instant.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/simulation/verifiers/schedule_verifier.hpp"

namespace schedfarm::tests {

using namespace engine;  // NOLINT(google-build-using-namespace)

/// Where a suspended job goes on.
enum class Resumed : std::uint8_t { on_its_processors, anywhere };

class SliceVerifier final : public ScheduleVerifier {
  public:
    /// Whether a slice of that name serves the job that starts or resumes.
    using Serves = std::function<bool(std::uint64_t whose, const ScheduleStep& start)>;

    explicit SliceVerifier(Serves serves, Resumed resumed)
        : serves_(std::move(serves)), resumed_(resumed) {}

    /// Slices of policies within the one that is watched are left alone.
    void observe(const ScheduleStep& step) override;
    void end_of_instant(double time) override;
    void finish() override {}

  private:
    struct Announced {
        std::uint64_t number = 0;
        std::uint64_t whose = 0;
        double end = 0;
        std::vector<ProcessorRange> processors;
    };
    struct Stretch {
        JobId id;
        std::uint64_t index = 0;
        std::uint64_t slice = 0;  ///< its number
    };

    void announce(const ScheduleStep& step);
    void begin(const ScheduleStep& step);
    void expect_place(const ScheduleStep& step);
    const Announced* find(std::uint64_t number) const;
    void expect_inside(const Stretch& job, double time) const;

    Serves serves_;
    Resumed resumed_;
    std::uint64_t announced_ = 0;
    std::vector<Announced> slices_;                    // none shares a processor with another
    std::vector<Stretch> running_;                     // since an instant at which its slice was on
    std::vector<std::vector<ProcessorRange>> places_;  // by slot of the job: of its last stretch
};

}  // namespace schedfarm::tests
