#include "policies/moldable/list_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "engine/optimization/minsum_bound.hpp"

namespace schedfarm::policies {

namespace {

/// The value of ends that exceed the limit by once the limit, in multiples of minsum's bound.
constexpr double excess_price = 3;
/// Of shares of the linear program, so that what rounding leaves of a share decides no ties.
constexpr double share_grain = 0x1p-30;
/// The threshold of the first moves, in the same unit. What one of n tasks weighs is 1/n; among few
/// tasks every move changes much, and search from a colder start ends in local optima.
double first_threshold(std::size_t tasks) {
    const double share = 1 / static_cast<double>(tasks);
    return share + 10 * share * share;
}

class Search {
  public:
    Search(
        const MoldableProblem& problem,
        const GuidedList& start,
        const SearchSettings& settings,
        BatchDice& dice,
        ParetoFront* seen
    )
        : problem_(problem)
        , dice_(dice)
        , seen_(seen)
        , limit_(settings.makespan_limit * problem.makespan_target())
        , minsum_price_(start.minsum_bound > 0 ? 1 / start.minsum_bound : 0)
        , moves_(settings.moves(problem.size()))
        , first_threshold_(first_threshold(problem.size()))
        , evaluator_(problem)
        , current_(start.list)
        , best_(start.list) {
        evaluator_.take(current_.processors);
        current_value_ = value();
        best_value_ = current_value_;
    }

    AllottedList run() {
        for (std::uint64_t i = 0; i < moves_; ++i) {
            const double left = static_cast<double>(moves_ - i) / static_cast<double>(moves_);
            threshold_ = first_threshold_ * (left * left * left);
            if (dice_.below(2) == 0) {
                change_allotment();
            } else {
                exchange_places();
            }
        }
        return std::move(best_);
    }

  private:
    struct Value {
        double value = 0;
        bool is_late = false;

        bool is_better_than(const Value& other) const {
            return is_late == other.is_late ? value < other.value : other.is_late;
        }
    };

    std::uint32_t random_task() { return dice_.below(static_cast<std::uint32_t>(problem_.size())); }

    void change_allotment() {
        const std::uint32_t task = random_task();
        std::uint32_t& processors = current_.processors[task];
        const std::uint32_t before = processors;
        const std::uint32_t step = dice_.below(2) == 0 ? 1 : std::max(1U, before / 3);
        const std::uint32_t after =
            dice_.below(2) == 0 ? before + step : before - std::min(before, step);
        processors = problem_.allotment(task, after);
        if (processors == before) {
            return;
        }
        evaluator_.take(task, processors);
        if (!stays()) {
            processors = before;
            evaluator_.take(task, before);
        }
    }

    void exchange_places() {
        std::uint32_t& a = current_.order[random_task()];
        std::uint32_t& b = current_.order[random_task()];
        if (a == b) {
            return;
        }
        std::swap(a, b);
        if (!stays()) {
            std::swap(a, b);
        }
    }

    bool stays() {
        const Value changed = value();
        if (changed.value > current_value_.value + threshold_) {
            return false;
        }
        current_value_ = changed;
        if (changed.is_better_than(best_value_)) {
            best_ = current_;
            best_value_ = changed;
        }
        return true;
    }

    Value value() {
        const ListCriteria criteria = evaluator_.evaluate(current_.order, limit_);
        if (seen_ != nullptr) {
            seen_->offer({criteria.makespan, criteria.minsum});
        }
        return {
            minsum_price_ * criteria.minsum + excess_price * criteria.excess / limit_,
            criteria.excess > 0};
    }

    const MoldableProblem& problem_;
    BatchDice& dice_;
    ParetoFront* seen_;
    double limit_;
    double minsum_price_;
    std::uint64_t moves_;
    double first_threshold_;
    double threshold_ = 0;
    ListEvaluator evaluator_;
    AllottedList current_;
    Value current_value_;
    AllottedList best_;
    Value best_value_;
};

}  // namespace

GuidedList guided_list(const MoldableProblem& problem) {
    const engine::MinsumBound bound = engine::minsum_bound(
        problem.instance(), problem.dual().lambda, {.program = engine::MinsumProgram::refined}
    );
    const std::size_t size = problem.size();
    std::vector<double> mean_end(size);
    std::vector<double> largest_share(size);
    GuidedList guided{
        {std::vector<std::uint32_t>(size), std::vector<std::uint32_t>(size)}, bound.value};
    for (const engine::AssignedShare& share : bound.solution.shares) {
        const double end = bound.ends[share.interval];
        const double fraction = std::round(share.fraction / share_grain) * share_grain;
        mean_end[share.task] += fraction * end;
        if (fraction > largest_share[share.task]) {
            largest_share[share.task] = fraction;
            guided.list.processors[share.task] =
                problem.allotment(share.task, problem.allotment_within(share.task, end));
        }
    }
    std::vector<std::uint32_t>& order = guided.list.order;
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    std::stable_sort(order.begin(), order.end(), [&mean_end](std::uint32_t a, std::uint32_t b) {
        return mean_end[a] < mean_end[b];
    });
    return guided;
}

AllottedList searched_list(
    const MoldableProblem& problem,
    const GuidedList& start,
    const SearchSettings& settings,
    BatchDice& dice,
    ParetoFront* seen
) {
    return Search(problem, start, settings, dice, seen).run();
}

}  // namespace schedfarm::policies
