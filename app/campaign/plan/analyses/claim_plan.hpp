// The claims of a paper, laid out over the cells of a plan, as the result file keeps them. They are
// judged by those who show results (python/src/schedfarm/_claims.py). Values only.
#pragma once

#include <string>
#include <vector>

#include "app/campaign/keys/analyses/claim_reader.hpp"

namespace schedfarm::app {

/// A number made of the observations of one replication.
struct ClaimQuantity {
    std::string name;
    std::string text;  ///< as written: "response_time.mean[class] / service_time.mean[class]"
};

/// One place at which a claim is measured.
struct ClaimInstance {
    std::string label;  ///< "class 3, timeplexing_cycle_s 500"; empty where there is only one
    /// The claim's value there: names are written out, and every term is a quantity of one cell, of
    /// one class where it has classes: "normalized[3]{cell=17} / (normalized[3]{cell=2})".
    std::string value;
};

struct ClaimPlan {
    ClaimRequest request;
    std::string text;  ///< the expression as written, and the levels it is held at
    std::vector<ClaimInstance> instances;
};

struct ClaimsPlan {
    double confidence = 0.95;
    std::vector<ClaimQuantity> quantities;
    std::vector<ClaimPlan> list;
};

}  // namespace schedfarm::app
