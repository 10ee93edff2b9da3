#include <algorithm>
#include <memory>
#include <vector>

#include "tests/policies/gang/verifiers/bound_gang_verifier.hpp"
#include "tests/policies/gang/verifiers/plain_gang_verifiers.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;    // NOLINT(google-build-using-namespace)
using namespace policies;  // NOLINT(google-build-using-namespace)

class VanillaVerifier final : public BoundGangVerifier {
  public:
    VanillaVerifier(const BoundGangSettings& settings, const BuddyTrees& trees)
        : BoundGangVerifier(settings, trees)
        , slice_{.clock = SliceClock(settings.gang.switches)}
        , at_(quanta().slices() - 1) {
        for (std::size_t slice = 0; slice < quanta().slices(); ++slice) {
            parts_.push_back(row_parts(trees, quanta().row_class(slice)));
        }
    }

  protected:
    void check(double time) override {
        const bool was_on = slice_.is_on;
        slice_.is_on = goes_on(slice_, parts_[at_], time);
        slice_.is_new = false;
        if (!slice_.is_on) {
            if (!was_on && settings().after_empty == AfterEmpty::top) {
                at_ = parts_.size() - 1;
            }
            next_slice(time);
        }
        expect_in_slice(slice_, time, [](const auto& /*job*/) { return true; });
        expect_row(time);
    }

  private:
    void next_slice(double time) {
        for (std::size_t tried = 0; tried < parts_.size() && !slice_.is_on; ++tried) {
            at_ = at_ + 1 == parts_.size() ? 0 : at_ + 1;
            if (at_ == 0) {
                cycle_ = quanta().of_cycle(time);
            }
            const bool has_work =
                std::any_of(parts_[at_].begin(), parts_[at_].end(), [this](const SlicePart& part) {
                    return had_work(part);
                });
            if (has_work) {
                begin_slice(slice_, time, quanta().row_class(at_), cycle_[at_]);
            }
        }
    }

    /// Jobs of the row's classes run, on its nodes, and no others.
    void expect_row(double time) const {
        const std::vector<SlicePart>& row = parts_[at_];
        for (const Watched& job : present()) {
            const bool is_served = std::any_of(row.begin(), row.end(), [&](const SlicePart& part) {
                return is_in(job, part);
            });
            expect(!job.is_running || is_served, time, job.index, "runs in another row's slice");
        }
        for (const SlicePart& part : row) {
            if (slice_.is_on && is_to_serve(slice_)) {
                const auto job = neglected(part);
                expect(!job, time, job.value_or(0), "waits though its row is served");
            }
        }
    }

    std::vector<std::vector<SlicePart>> parts_;  // by slice
    std::vector<double> cycle_;                  // quanta of this cycle, by slice
    Slice slice_;
    std::size_t at_;  // the slice of now, or the last
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_vanilla_verifier(
    const BoundGangSettings& settings, const BuddyTrees& trees
) {
    return std::make_unique<VanillaVerifier>(settings, trees);
}

}  // namespace schedfarm::tests
