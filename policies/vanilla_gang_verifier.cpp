#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "policies/bound_gang_verifier.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

class VanillaVerifier final : public BoundGangVerifier {
  public:
    VanillaVerifier(const BoundGangSettings& settings, const BuddyTrees& trees)
        : BoundGangVerifier(settings, trees) {
        for (std::uint32_t row = 0; row < trees.classes(); ++row) {
            rows_.push_back(row_parts(trees, row));
        }
    }

  protected:
    // Which row is served shows in what runs; several rows may share the trees' classes.
    void check(double time) override {
        for (std::uint32_t row = 0; row < rows_.size(); ++row) {
            if (is_served(row) && is_within(time, 0, row)) {
                return;
            }
        }
        if (!present().empty()) {
            throw ScheduleError(fmt::format("at time {}: what runs is no row's time slice", time));
        }
    }

    std::size_t group_of(std::uint32_t /*job_class*/, std::uint32_t /*processor*/) const override {
        return 0;
    }
    void end(const ScheduleStep& step, const Watched& job) override {
        if (step.kind != ScheduleStep::Kind::suspend) {
            return;
        }
        bool is_expired = false;
        for (std::uint32_t row = 0; row < rows_.size(); ++row) {
            is_expired = is_expired || (holds(row, job) && is_expiry(step.time, 0, row));
        }
        expect(is_expired, step.time, job.index, "is suspended before its slice is over");
    }

  private:
    bool holds(std::uint32_t row, const Watched& job) const {
        return std::any_of(rows_[row].begin(), rows_[row].end(), [&](const SlicePart& part) {
            return is_in(job, part);
        });
    }

    bool is_served(std::uint32_t row) const {
        bool runs = false;
        for (const Watched& job : present()) {
            if (job.is_running && !holds(row, job)) {
                return false;
            }
            runs = runs || job.is_running;
        }
        if (!is_to_serve(0)) {
            return runs;
        }
        return runs && std::all_of(rows_[row].begin(), rows_[row].end(), [&](const auto& part) {
                   return !neglected(part);
               });
    }

    std::vector<std::vector<SlicePart>> rows_;  // by class
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_vanilla_verifier(
    const BoundGangSettings& settings, const BuddyTrees& trees
) {
    return std::make_unique<VanillaVerifier>(settings, trees);
}

}  // namespace schedfarm::policies
