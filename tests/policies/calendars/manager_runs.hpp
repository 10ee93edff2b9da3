// Runs of `managers` by hand: where jobs ran, and what was said.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/policies/calendars/calendar_runs.hpp"

namespace schedfarm::tests {

/// One manager above all clusters, which have calendars of these slots; only what is larger than
/// its cluster is handed up.
inline Parameters federation(const std::vector<SlotLevel>& levels = {{1, 10}}) {
    Parameters given;
    given.set("inner", choices({choice("calendar", slots(levels))}));
    given.set("promote_share", reals({1}));
    return given;
}
inline Parameters with(Parameters given, const char* name, const Value& value) {
    given.set(name, value);
    return given;
}
inline Outcome run(
    const Parameters& given,
    const std::vector<std::uint32_t>& clusters,
    const Jobs& jobs,
    ScheduleVerifier* extra = nullptr
) {
    return outcome_of(choice("managers", given), clusters, jobs, extra);
}

/// Where and when each job ran, and what was said.
class Places final : public ScheduleVerifier {
  public:
    struct Said {
        double time;
        std::uint32_t kind;
        std::uint32_t from;
        std::uint32_t to;
        friend bool operator==(const Said&, const Said&) = default;
    };
    void observe(const ScheduleStep& step) override {
        if (step.kind == ScheduleStep::Kind::start) {
            at.resize(std::max<std::size_t>(at.size(), step.job->index + 1));
            for (const ClusterShare& share : step.shares) {
                at[step.job->index].push_back({share.cluster.value, share.count});
            }
        } else if (step.kind == ScheduleStep::Kind::message) {
            said.push_back({step.time, step.message->kind, step.message->from, step.message->to});
        }
    }
    void end_of_instant(double /*time*/) override {}
    void finish() override {}

    struct Share {
        std::uint32_t cluster;
        std::uint32_t count;
        friend bool operator==(const Share&, const Share&) = default;
    };
    std::vector<std::vector<Share>> at;
    std::vector<Said> said;
};
using Shares = std::vector<Places::Share>;

enum Kind : std::uint32_t {
    request,
    taken,
    inquiry,
    offer,
    reserve,
    accepted,
    declined,
    commit,
    aborted,
    done,
    release,
    released,
    kept,
    freed
};

}  // namespace schedfarm::tests
