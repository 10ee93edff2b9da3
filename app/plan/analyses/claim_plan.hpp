// The claims of a paper, laid out over the cells of a plan. Values only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "app/config/sections/claim_reader.hpp"
#include "app/plan/grid/expression.hpp"

namespace schedfarm::app {

/// A number made of the observations of one replication.
struct ClaimQuantity {
    std::string name;
    std::string text;  ///< as written: "response_time.mean[class] / service_time.mean[class]"
    Expression expression;
    bool per_class = false;
};

/// A quantity of one cell.
struct QuantityTerm {
    std::uint32_t cell = 0;
    std::size_t quantity = 0;     ///< index in ClaimsPlan::quantities
    std::uint32_t job_class = 0;  ///< where the quantity is one for each class

    // NOLINTNEXTLINE(modernize-use-nullptr): of a comparison that the compiler writes
    friend auto operator<=>(const QuantityTerm&, const QuantityTerm&) = default;
};

/// What a path of an expression stands for: a quantity, a constant, or a name with an expression of
/// its own (index in ClaimsPlan::names).
struct NameIndex {
    std::size_t index = 0;
};
using ClaimOperand = std::variant<QuantityTerm, double, NameIndex>;

/// One place at which a claim is measured.
struct ClaimInstance {
    std::string label;  ///< "class 3, timeplexing_cycle_s 500"; empty where there is only one
    std::map<std::string, ClaimOperand> operands;  ///< by path; those of the names' paths too
};

struct ClaimPlan {
    std::string id;
    std::string paper;
    std::string where;
    std::string printed;
    std::string text;  ///< the expression as written, and the levels it is held at
    Expression value;
    ClaimRegion region;
    ClaimNeeds needs = ClaimNeeds::every;
    std::string expected;
    std::string note;
    std::vector<ClaimInstance> instances;
};

struct ClaimsPlan {
    double confidence = 0.95;
    std::vector<ClaimQuantity> quantities;
    std::vector<Expression> names;
    std::vector<ClaimPlan> list;
};

}  // namespace schedfarm::app
