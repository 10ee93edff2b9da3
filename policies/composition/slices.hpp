// The whole machine for some jobs after the others: time slices in a cycle, each with a policy of
// its own for the jobs that go to it.
#pragma once

#include <memory>
#include <vector>

#include "engine/simulation/policy.hpp"

#include "policies/composition/inner_policy.hpp"
#include "policies/composition/job_route.hpp"
#include "policies/composition/part_shape.hpp"

namespace schedfarm::policies {

struct SlicesPlan {
    struct Share {
        double quantum_s = 0;
        InnerPolicy inner;
    };
    std::vector<Share> shares;
    JobRoute route;
    double switch_cost_s = 0;
};

/// Of the parameters of `slices`.
SlicesPlan slices_plan(const engine::Parameters& given);

}  // namespace schedfarm::policies
