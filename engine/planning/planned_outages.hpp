// The planned outages of a machine in order of time, as a policy that plans ahead needs them: those
// up to some time are in its profile, and more come as its plan reaches further.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "engine/simulation/system.hpp"

namespace schedfarm::engine {

class PlannedOutages {
  public:
    explicit PlannedOutages(const SystemDescription& system) {
        for (const Outage& outage : system.outages.listed) {
            if (outage.is_planned) {
                sources_.push_back({outage, outage, 0});
            }
        }
        known_until_ = sources_.empty() ? never : -never;
    }

    /// Those that begin by this time are known; infinity: all.
    double known_until() const { return known_until_; }

    /// Makes those known that begin by `time`, and calls add(outage) for each.
    template <typename Function>
    void know_until(double time, Function add) {
        if (time <= known_until_) {
            return;
        }
        known_until_ = time;
        for (Source& source : sources_) {
            while (source.next.from <= time) {
                known_.push_back(source.next);
                add(source.next);
                ++source.seen;
                source.next = source.first.every > 0 ? source.first.repeated(source.seen)
                                                     : Outage{.from = never, .until = never};
            }
        }
    }

    /// The known ones that are not over, once forget_before() has left out the others.
    const std::vector<Outage>& known() const { return known_; }
    void forget_before(double now) {
        std::erase_if(known_, [now](const Outage& outage) { return outage.until <= now; });
    }

    /// Processors of those under way at `now`. Where they overlap, more than there are may be out.
    std::uint32_t processors_out(double now) const {
        std::uint32_t sum = 0;
        for (const Outage& outage : known_) {
            sum += outage.from <= now && now < outage.until ? outage.count : 0;
        }
        return sum;
    }

  private:
    static constexpr double never = std::numeric_limits<double>::infinity();

    struct Source {
        Outage first;
        Outage next;
        double seen = 0;
    };

    std::vector<Source> sources_;
    std::vector<Outage> known_;
    double known_until_;
};

}  // namespace schedfarm::engine
