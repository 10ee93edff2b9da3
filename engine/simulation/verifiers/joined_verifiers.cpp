#include <array>
#include <utility>

#include "engine/simulation/verifiers/schedule_verifier.hpp"

namespace schedfarm::engine {

namespace {

class JoinedVerifiers final : public ScheduleVerifier {
  public:
    JoinedVerifiers(
        std::unique_ptr<ScheduleVerifier> first, std::unique_ptr<ScheduleVerifier> second
    )
        : both_{std::move(first), std::move(second)} {}

    void observe(const ScheduleStep& step) override {
        for (const auto& verifier : both_) {
            verifier->observe(step);
        }
    }
    void end_of_instant(double time) override {
        for (const auto& verifier : both_) {
            verifier->end_of_instant(time);
        }
    }
    void finish() override {
        for (const auto& verifier : both_) {
            verifier->finish();
        }
    }

  private:
    std::array<std::unique_ptr<ScheduleVerifier>, 2> both_;
};

}  // namespace

std::unique_ptr<ScheduleVerifier> join_verifiers(
    std::unique_ptr<ScheduleVerifier> first, std::unique_ptr<ScheduleVerifier> second
) {
    return std::make_unique<JoinedVerifiers>(std::move(first), std::move(second));
}

}  // namespace schedfarm::engine
