#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "policies/composition/part.hpp"

#include "tests/policies/verifiers/own_verifiers.hpp"
#include "tests/policies/verifiers/slice_verifier.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;    // NOLINT(google-build-using-namespace)
using namespace policies;  // NOLINT(google-build-using-namespace)
using Kind = ScheduleStep::Kind;

// What the switches do is hidden from the verifiers inside; events of a slice that is off wait for
// its next one, as they do for its policy.
class SlicesVerifier final : public ScheduleVerifier {
  public:
    SlicesVerifier(SlicesPlan plan, const PolicyContext& context, const MakeVerifier& make_inner)
        : plan_(std::move(plan))
        , all_(PartCutter(context.system).processors(context.system.processors()))
        , slices_(
              [this](std::uint64_t whose, const ScheduleStep& start) {
                  return plan_.route.part_of(*start.job) == whose;
              },
              moves() ? Resumed::anywhere : Resumed::on_its_processors
          )
        , shares_(plan_.shares.size()) {
        const bool is_named = shares_.size() > 1 || !context.system.outages.empty();
        for (std::size_t k = 0; k < shares_.size(); ++k) {
            shares_[k].inner = make_inner(
                plan_.shares[k].inner.description(), plan_.shares[k].inner.parameters(), context
            );
            shares_[k].counts = is_named && !plan_.shares[k].inner.traits().names_processors;
        }
    }

    void observe(const ScheduleStep& step) override {
        slices_.observe(step);
        if (step.kind == Kind::slice && step.timer.owner == 0) {
            change_slice(step);
        } else if (step.kind == Kind::capacity_changed) {
            pass_on(step, shares_.front());
        } else if (step.job == nullptr) {
            hand_on(step);
        } else {
            see_job(step);
        }
    }

    void end_of_instant(double time) override {
        slices_.end_of_instant(time);
        for (Share& share : shares_) {
            if (share.was_asked && share.inner) {
                share.inner->end_of_instant(share.time.at(time));
            }
            share.was_asked = false;
        }
    }

    void finish() override {
        for (Share& share : shares_) {
            if (share.inner) {
                share.inner->finish();
            }
        }
    }

  private:
    struct Share {
        std::unique_ptr<ScheduleVerifier> inner;
        bool counts = false;  ///< the slices name what its policy takes by count
        OwnTime time;
        std::vector<ScheduleStep> withdrawals;  ///< while it is off
        std::vector<ScheduleStep> arrivals;
        bool was_asked = false;  ///< at this instant
    };
    struct Seen {
        Job job;  ///< as the verifier inside sees it
        bool is_off = false;
    };

    bool moves() const {
        return std::any_of(plan_.shares.begin(), plan_.shares.end(), [](const auto& share) {
            return share.inner.traits().preemptive;
        });
    }

    void change_slice(const ScheduleStep& step) {
        if (!has_begun_) {
            has_begun_ = true;
            for (std::size_t k = 1; k < shares_.size(); ++k) {
                shares_[k].time.stop(step.time);
            }
        }
        if (step.timer.tag == on_) {
            return;
        }
        if (on_ < shares_.size()) {
            shares_[on_].time.stop(step.time);
        }
        on_ = step.timer.tag;
        if (on_ < shares_.size()) {
            Share& share = shares_[on_];
            share.time.go_on(step.time);
            for (std::vector<ScheduleStep>* const waiting : {&share.withdrawals, &share.arrivals}) {
                for (ScheduleStep& event : *waiting) {
                    event.time = step.time;
                    pass_on(event, share);
                }
                waiting->clear();
            }
        }
    }

    void hand_on(const ScheduleStep& step) {
        ScheduleStep own = step;
        own.timer = PartNumber::inner(step.timer, shares_.size());
        Share& share = shares_[PartNumber::owner(step.timer, shares_.size())];
        own.amount = share.time.at(step.amount);
        share.was_asked = true;
        if (own.timer.owner != 0 || step.kind != Kind::timer) {
            pass_on(own, share);
        }
    }

    void see_job(const ScheduleStep& step) {
        const std::size_t number = plan_.route.part_of(*step.job);
        Share& share = shares_[number];
        if (step.id.value >= seen_.size()) {
            seen_.resize(step.id.value + std::size_t{1});
        }
        Seen& seen = seen_[step.id.value];
        if (step.kind == Kind::arrival) {
            seen = {*step.job, false};
        }
        if (number != on_ && step.kind == Kind::arrival) {
            share.arrivals.push_back(step);
        } else if (number != on_ && step.kind == Kind::withdrawal) {
            const std::size_t unseen = std::erase_if(share.arrivals, [&step](const auto& arrival) {
                return arrival.id == step.id;
            });
            if (unseen == 0) {
                share.withdrawals.push_back(step);
            }
        } else if (number != on_ && step.kind == Kind::suspend) {
            seen.is_off = true;
        } else if (step.kind == Kind::resume && seen.is_off) {
            seen.is_off = false;
        } else {
            pass_on(step, share);
        }
    }

    void pass_on(const ScheduleStep& step, Share& share) {
        share.was_asked = true;
        ScheduleStep own = step;
        own.time = share.time.at(step.time);
        if (step.kind == Kind::bind) {
            own.timer = PartNumber::inner(step.timer, shares_.size());
        }
        if (step.job != nullptr) {
            Job& job = seen_[step.id.value].job;
            if (step.kind == Kind::arrival && share.time.was_off()) {
                job.submit_time = own.time;
            }
            own.job = &job;
        }
        if (share.counts && step.job != nullptr && step.kind != Kind::bind) {
            taken_ = all_.shares_of(step.processors);
            own.shares = taken_;
        }
        if (share.inner) {
            share.inner->observe(own);
        }
    }

    SlicesPlan plan_;
    PartShape all_;
    SliceVerifier slices_;
    std::vector<Share> shares_;
    std::uint64_t on_ = 0;  // the slice that is on; those of nobody come after the last
    bool has_begun_ = false;
    std::deque<Seen> seen_;  // by slot of the job; stays in place
    std::vector<ClusterShare> taken_;
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_slices_verifier(
    SlicesPlan plan, const PolicyContext& context, const MakeVerifier& make_inner
) {
    return std::make_unique<SlicesVerifier>(std::move(plan), context, make_inner);
}

}  // namespace schedfarm::tests
