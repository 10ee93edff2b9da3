// A policy whose switches are carried out one action after the other: suspend(), delay() and
// start_on(), as if there were no Actions::carry_out().
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "tests/policies/cells.hpp"

namespace schedfarm::tests {

class SingleActions final : public Policy {
  public:
    explicit SingleActions(std::unique_ptr<Policy> policy) : policy_(std::move(policy)) {}

    void react(const EventBatch& events, Actions& actions) override {
        OneByOne one_by_one(actions);
        policy_->react(events, one_by_one);
    }

  private:
    class OneByOne final : public Actions {
      public:
        explicit OneByOne(Actions& to) : to_(to) {}

        void carry_out(const Switch& change) override {
            for (const JobId id : change.suspended()) {
                to_.suspend(id);
            }
            change.for_started([this](JobId id, auto processors, double duration) {
                if (duration > 0) {
                    to_.delay(id, duration);
                }
                to_.start_on(id, processors);
            });
        }

        double now() const override { return to_.now(); }
        const Machine& machine() const override { return to_.machine(); }
        const Job& job(JobId id) const override { return to_.job(id); }
        JobState state(JobId id) const override { return to_.state(id); }
        void start(JobId id, std::span<const ClusterShare> shares) override {
            to_.start(id, shares);
        }
        void start_on(JobId id, std::span<const ProcessorRange> processors) override {
            to_.start_on(id, processors);
        }
        void suspend(JobId id) override { to_.suspend(id); }
        void delay(JobId id, double duration) override { to_.delay(id, duration); }
        void load(JobId id, std::span<const ProcessorRange> on, double duration) override {
            to_.load(id, on, duration);
        }
        double cut_load(JobId id) override { return to_.cut_load(id); }
        void set_resident_memory(
            JobId id, std::span<const ProcessorRange> processors, double amount
        ) override {
            to_.set_resident_memory(id, processors, amount);
        }
        void set_timer(double time, Timer timer) override { to_.set_timer(time, timer); }
        void cancel_timer(Timer timer) override { to_.cancel_timer(timer); }
        void announce(const Announcement& said) override { to_.announce(said); }

      private:
        Actions& to_;
    };

    std::unique_ptr<Policy> policy_;
};

/// The same policy with single actions.
inline PolicyDescription with_single_actions(const PolicyDescription& description) {
    PolicyDescription made = description;
    made.make = [make = description.make](const Parameters& given, const PolicyContext& context) {
        return std::make_unique<SingleActions>(make(given, context));
    };
    return made;
}

}  // namespace schedfarm::tests
