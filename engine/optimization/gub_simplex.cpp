#include "engine/optimization/gub_simplex.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"
#include "engine/optimization/coarse_assignment.hpp"
#include "engine/optimization/greedy_assignment.hpp"
#include "engine/optimization/gub_basis.hpp"
#include "engine/optimization/gub_pricing.hpp"

namespace schedfarm::engine {

namespace {

constexpr double least_rate = 1e-12;     // a slower fall counts as none
constexpr double value_slack = 1e-12;    // values nearer to 0 count as 0
constexpr std::uint64_t patience = 100;  // steps without progress before Bland's rule

/// A basic variable that falls while the entering one rises.
struct Blocker {
    enum class Kind : std::uint8_t { slot, key_of_slot, own_key };
    Kind kind = Kind::own_key;
    std::size_t slot = 0;
    double value = 0;
    double rate = 0;
    double slack = value_slack;
    GubVariable variable = {};

    double step() const { return std::max(0.0, value / rate); }
};

class Simplex {
  public:
    Simplex(const NestedAssignment& problem, std::vector<std::uint32_t> start)
        : problem_(problem)
        , basis_(problem, std::move(start))
        , pricing_(problem)
        , given_(problem.tasks, 0)
        , fall_(problem.tasks, 0) {}

    void run();
    const GubBasis& basis() const { return basis_; }
    std::uint64_t iterations() const { return iterations_; }

  private:
    bool is_stuck() const { return without_progress_ > patience; }
    bool improve();
    void enter(const Candidate& candidate);
    void find_blockers(GubVariable entering);
    void find_blocking_keys();
    const Blocker& leaving() const;
    void refactorise();

    const NestedAssignment& problem_;
    GubBasis basis_;
    GubPricing pricing_;
    std::vector<double> direction_;
    std::vector<Blocker> blockers_;
    std::vector<double> given_;  // by task, in slots; 0 between uses, like fall_
    std::vector<double> fall_;   // by task, of its key
    std::uint64_t iterations_ = 0;
    std::uint64_t without_progress_ = 0;
};

void Simplex::run() {
    const std::uint64_t most = 1000 + 100 * (problem_.tasks + problem_.rows());
    while (improve() || basis_.pivots_since_refactorisation() > 0) {
        if (iterations_ > most) {
            throw std::runtime_error(
                fmt::format("the linear program has no end (after {} iterations)", iterations_)
            );
        }
    }
}

/// Lets in what one pass finds attractive. If that is nothing, it may be due to rounding: computes
/// the basis afresh. False: nothing is attractive.
bool Simplex::improve() {
    bool found = false;
    if (is_stuck()) {
        if (const std::optional<Candidate> first = pricing_.first(basis_)) {
            enter(*first);
            found = true;
        }
    } else {
        for (const Candidate& seen : pricing_.candidates(basis_)) {
            const std::optional<Candidate> now = pricing_.again(basis_, seen.variable);
            if (now && !is_stuck()) {
                enter(*now);
                found = true;
            }
        }
    }
    if (!found && basis_.pivots_since_refactorisation() > 0) {
        refactorise();
        return true;
    }
    return found;
}

void Simplex::refactorise() {
    if (!basis_.refactorise()) {
        throw std::runtime_error("the linear program lost its basis (it became singular)");
    }
}

void Simplex::enter(const Candidate& candidate) {
    const GubVariable entering = candidate.variable;
    basis_.direction_of(entering, direction_);
    find_blockers(entering);
    find_blocking_keys();
    SCHEDFARM_EXPECT(!blockers_.empty(), "shares are bounded");
    const Blocker blocker = leaving();
    ++iterations_;
    without_progress_ = blocker.value > blocker.slack ? 0 : without_progress_ + 1;
    if (blocker.kind == Blocker::Kind::own_key) {
        basis_.replace_key(entering, blocker.step(), direction_);
        return;
    }
    if (blocker.kind == Blocker::Kind::key_of_slot) {
        basis_.exchange_key(blocker.slot);
        basis_.direction_of(entering, direction_);
    }
    basis_.replace_slot(blocker.slot, entering, blocker.step(), candidate.reduced_cost, direction_);
    // About as dear as the pivots in between.
    if (basis_.pivots_since_refactorisation() >= 100 + 10 * problem_.rows()) {
        refactorise();
    }
}

void Simplex::find_blockers(GubVariable entering) {
    blockers_.clear();
    bool has_slot = false;
    for (std::size_t r = 0; r < basis_.slots().size(); ++r) {
        const GubVariable variable = basis_.slots()[r];
        const double value = basis_.values()[r];
        if (!variable.is_slack()) {
            given_[variable.task] += value;
            fall_[variable.task] -= direction_[r];
            has_slot = has_slot || variable.task == entering.task;
        }
        if (direction_[r] > least_rate) {
            const double scale = variable.is_slack() ? problem_.capacities[variable.interval] : 1.0;
            blockers_.push_back(
                {Blocker::Kind::slot, r, value, direction_[r], value_slack * scale, variable}
            );
        }
    }
    if (entering.is_slack()) {
        return;
    }
    if (has_slot) {
        fall_[entering.task] += 1;
    } else {
        const GubVariable key{entering.task, basis_.key(entering.task)};
        blockers_.push_back({Blocker::Kind::own_key, 0, 1, 1, value_slack, key});
    }
}

/// Of tasks that have slots. Clears given_ and fall_.
void Simplex::find_blocking_keys() {
    for (std::size_t r = 0; r < basis_.slots().size(); ++r) {
        const std::uint32_t task = basis_.slots()[r].task;
        if (task == GubVariable::slack) {
            continue;
        }
        if (fall_[task] > least_rate) {
            const GubVariable key{task, basis_.key(task)};
            const double value = 1 - given_[task];
            blockers_.push_back(
                {Blocker::Kind::key_of_slot, r, value, fall_[task], value_slack, key}
            );
        }
        fall_[task] = 0;
        given_[task] = 0;
    }
}

/// Of those that reach 0 first: the one that falls fastest, under Bland's rule the first by number.
const Blocker& Simplex::leaving() const {
    double limit = std::numeric_limits<double>::infinity();
    for (const Blocker& blocker : blockers_) {
        const double slack = is_stuck() ? 0 : blocker.slack;
        limit = std::min(limit, (std::max(0.0, blocker.value) + slack) / blocker.rate);
    }
    const auto is_better = [this](const Blocker& a, const Blocker& b) {
        if (is_stuck()) {
            return std::tie(a.variable.task, a.variable.interval)
                   < std::tie(b.variable.task, b.variable.interval);
        }
        return a.rate / a.slack > b.rate / b.slack;
    };
    const Blocker* best = nullptr;
    for (const Blocker& blocker : blockers_) {
        if (blocker.step() <= limit && (best == nullptr || is_better(blocker, *best))) {
            best = &blocker;
        }
    }
    SCHEDFARM_EXPECT(best != nullptr, "one of them comes first");
    return *best;
}

/// At the prices of the problem on half as many intervals, as long as there are more than a few.
std::vector<std::uint32_t> good_start(const NestedAssignment& problem) {
    constexpr std::size_t few = 12;
    if (problem.intervals <= few) {
        return greedy_assignment(problem);
    }
    const NestedAssignment coarse = coarse_assignment(problem);
    Simplex simplex(coarse, good_start(coarse));
    simplex.run();
    return greedy_assignment(problem, fine_prices(simplex.basis().prices(), problem.intervals));
}

/// The same problem in units that make costs and areas of the order of 1. The factors are powers of
/// two, so that nothing is rounded.
struct Scales {
    double cost = 1;
    double area = 1;
};

double power_of_two_above(double value) {
    int exponent = 0;
    std::frexp(value, &exponent);
    return std::ldexp(1.0, exponent);
}

Scales scales_of(const NestedAssignment& problem) {
    Scales result;
    const auto last = problem.costs.end() - static_cast<std::ptrdiff_t>(problem.tasks);
    const double cost = *std::max_element(last, problem.costs.end());
    result.cost = cost > 0 ? power_of_two_above(cost) : 1;
    result.area = problem.rows() > 0 ? power_of_two_above(problem.capacities.back()) : 1;
    return result;
}

NestedAssignment scaled(const NestedAssignment& problem, const Scales& scales) {
    NestedAssignment result = problem;
    const auto divide = [](std::vector<double>& values, double scale) {
        for (double& value : values) {
            value /= scale;
        }
    };
    divide(result.costs, scales.cost);
    divide(result.areas, scales.area);
    divide(result.capacities, scales.area);
    return result;
}

/// Prices without what rounding has left below the next one or below 0.
std::vector<double> clean_prices(const GubBasis& basis, const Scales& scales) {
    std::vector<double> result = basis.prices();
    double later = 0;
    for (std::size_t j = result.size(); j-- > 0;) {
        result[j] = std::max(result[j], later);
        later = result[j];
        result[j] *= scales.cost / scales.area;
    }
    return result;
}

std::vector<AssignedShare> shares_of(const GubBasis& basis, std::size_t tasks) {
    std::vector<AssignedShare> result;
    for (std::uint32_t task = 0; task < tasks; ++task) {
        result.push_back({task, basis.key(task), 1});
    }
    for (std::size_t r = 0; r < basis.slots().size(); ++r) {
        const GubVariable variable = basis.slots()[r];
        if (!variable.is_slack()) {
            result.push_back({variable.task, variable.interval, basis.values()[r]});
            result[variable.task].fraction -= basis.values()[r];
        }
    }
    return result;
}

}  // namespace

AssignmentSolution solve(const NestedAssignment& problem) {
    const Scales scales = scales_of(problem);
    const NestedAssignment unit = scaled(problem, scales);
    Simplex simplex(unit, good_start(unit));
    simplex.run();
    AssignmentSolution result;
    result.prices = clean_prices(simplex.basis(), scales);
    result.shares = shares_of(simplex.basis(), problem.tasks);
    result.iterations = simplex.iterations();
    result.bound = proven_bound(problem, result.prices);
    PrimalCheck check = primal_check(problem, result.shares);
    if (check.violation > solution_precision) {
        // Rows may be as small as the rounding of the largest: what that lets in too much is put
        // off, and has to be worth as little.
        result.shares = put_off(problem, result.shares);
        check = primal_check(problem, result.shares);
    }
    result.cost = check.cost;
    const double gap = std::abs(result.cost - result.bound);
    if (!(check.violation <= solution_precision && gap <= solution_precision * result.cost)) {
        throw std::runtime_error(fmt::format(
            "the linear program was not solved (cost {} is proven to {} and constraints are "
            "violated by {})",
            result.cost,
            result.bound,
            check.violation
        ));
    }
    return result;
}

}  // namespace schedfarm::engine
