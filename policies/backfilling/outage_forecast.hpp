// Which processors are out of order now and, as far as is known ahead, when others will be, for the
// profile of a policy that plans. Counts processors, not reasons: one that is out for two is out
// once. What is out beside the planned outages is expected to stay out.
//
// Planned outages are looked at from now on, step by step, as far as a plan reaches; in a step the
// same processors are out.
//
// Cost: a change O(processors); a step O(its processors) and a change of the profile; restart
// O(processors + outages) and the steps; the same and the job's processors to reserve or release
// what is out of a job; nothing where no processor ever goes out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/planning/profile/availability_profile.hpp"
#include "engine/simulation/kernel/machine.hpp"
#include "engine/simulation/kernel/outage_calendar.hpp"
#include "engine/simulation/system.hpp"

namespace schedfarm::policies {

/// Whether a policy knows planned outages ahead.
enum class Foresight : std::uint8_t { planned_outages, none };

class OutageForecast {
  public:
    using Processors = std::span<const engine::ProcessorRange>;

    OutageForecast(const engine::SystemDescription& system, Foresight foresight);

    /// No processor ever goes out of order.
    bool empty() const { return is_out_.empty(); }
    /// Takes the changes of an instant, ahead of all that follows.
    void begin(double now, std::span<const engine::CapacityChange> changes);
    /// Whether other processors are out unplanned than at the last restart.
    bool has_changed() const { return has_changed_; }
    /// How many of the processors are out of order now.
    std::uint32_t count_out(Processors processors) const;

    /// The profile becomes that of the machine, less what is out now and in the steps that were
    /// known.
    void restart(engine::AvailabilityProfile& profile);
    /// Whether some are out unplanned, as of the last restart.
    bool has_unplanned() const { return has_unplanned_; }
    /// Planned outages that begin before are known.
    double known_until() const { return ahead_.next(); }
    /// Known steps that begin after now.
    std::size_t known_steps() const { return steps_.size(); }
    /// Reserves in the profile the steps that begin before `time`: they are known from then on.
    void look_ahead(double time, engine::AvailabilityProfile& profile);

    /// Reserves, or releases, as many of the processors of a job as are expected to be out from now
    /// until `until`, while they are: the profile lacks them already. Returns until when;
    /// −infinity: none is out.
    double reserve_out(Processors processors, double until, engine::AvailabilityProfile& profile)
        const;
    double release_out(Processors processors, double until, engine::AvailabilityProfile& profile)
        const;

    /// Names, in place of what is in `named`, processors for a job that is planned to run until
    /// `until`: of those free in each cluster first the ones that no planned outage takes before,
    /// and of these the ones that one takes soonest; then the ones that one takes latest; of equal
    /// ones those with the lowest numbers. REQUIRES: as many are free as the shares say.
    void name_free(
        const engine::Machine& machine,
        std::span<const engine::ClusterShare> shares,
        double until,
        std::vector<engine::ProcessorRange>& named
    );

    /// As if nothing were out unplanned now.
    OutageForecast as_planned() const;

  private:
    /// A free processor; the least come first.
    struct Choice {
        bool is_taken_before = false;
        double rank = 0;
        std::uint32_t processor = 0;
    };

    bool is_unplanned(std::uint32_t p) const { return is_out_[p] && !planned_.is_out(p); }
    void find_next_outages();
    void find_choices(
        const engine::Machine& machine, const engine::ClusterShare& share, double until
    );
    /// To the next change.
    void step_ahead();
    /// Calls part (begin, end, number) for each time at which some of the processors are out, and
    /// returns the last end.
    template <typename Function>
    double for_out(Processors processors, double until, Function part) const;

    double now_ = 0;
    std::uint32_t processors_;
    std::vector<engine::Outage> outages_;  // planned
    engine::OutageCalendar planned_;       // what is out by plan, as of now
    engine::OutageCalendar ahead_;         // the same, as of the last known step
    std::uint32_t beside_ = 0;             // processors out then beside the unplanned ones
    std::vector<double> steps_;            // known, by their beginnings
    std::vector<bool> is_out_;             // by processor; empty: none ever is
    std::vector<bool> unplanned_;          // by processor, as of the last restart
    bool has_unplanned_ = false;
    bool has_changed_ = false;
    std::vector<double> next_outage_;  // planned, by processor: when it begins; empty: to be found
    std::vector<Choice> choices_;
    std::vector<engine::CapacityChange> changes_;
};

}  // namespace schedfarm::policies
