// What the gang scheduling policies without migration share beside policies/gang/bound_jobs.hpp:
// their settings, the jobs and quanta that they keep, and most of their description.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/planning/buddy_trees.hpp"
#include "engine/simulation/actions.hpp"
#include "engine/simulation/policy.hpp"

#include "policies/gang/bound_jobs.hpp"
#include "policies/gang/gang.hpp"

namespace schedfarm::policies {

/// Where a rotation goes on that had nothing to serve: after the slice that it served last, or at
/// the beginning of a cycle.
enum class AfterEmpty : std::uint8_t { next, top };

struct BoundGangSettings {
    GangSettings gang = {};
    NodeAssignment assignment = NodeAssignment::first_fit;
    AfterEmpty after_empty = AfterEmpty::next;
};

/// bound_gang_parameters() and `after_empty`.
std::vector<engine::ParameterDescription> rotation_parameters();
BoundGangSettings bound_gang_settings(const engine::Parameters& given);

class BoundGang : public engine::Policy {
  public:
    BoundGang(const BoundGangSettings& settings, const engine::BuddyTrees& trees)
        : settings_(settings)
        , trees_(trees)
        , quanta_(settings.gang, trees)
        , jobs_(trees, settings.assignment) {}

    void react(const engine::EventBatch& events, engine::Actions& actions) final;

  protected:
    /// Serves and suspends jobs, which is carried out afterwards; completions are taken out of the
    /// jobs already and arrivals into them.
    virtual void decide(std::span<const engine::Timer> timers, engine::Actions& actions) = 0;

    BoundGangSettings settings_;
    engine::BuddyTrees trees_;
    GangQuanta quanta_;
    BoundJobs jobs_;
    engine::Switch change_;  // of this instant
};

/// All but the policy's texts, its factory and its verifier.
engine::PolicyDescription bound_gang_description();

/// The same with a factory; `Gang` is made from settings and trees.
template <typename Gang>
engine::PolicyDescription bound_gang_description() {
    engine::PolicyDescription description = bound_gang_description();
    description.make = [](const engine::Parameters& given, const engine::PolicyContext& context) {
        return std::make_unique<Gang>(
            bound_gang_settings(given), engine::BuddyTrees(context.system.processors())
        );
    };
    return description;
}

}  // namespace schedfarm::policies
