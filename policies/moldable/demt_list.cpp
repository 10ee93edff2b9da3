#include "policies/moldable/demt_list.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "engine/optimization/knapsack.hpp"

namespace schedfarm::policies {

namespace {

using engine::Knapsack;
using engine::KnapsackItem;

/// Tasks that are shorter than C* by more than that share the first batch.
constexpr int most_halvings = 60;

/// What may go into a batch: a task, or a stack.
struct Candidate {
    std::uint32_t processors = 1;
    double time = 0;
    double weight = 0;
    std::vector<ListedTask> tasks;

    void add(const ListedTask& task) {
        tasks.push_back(task);
        time += task.time;
        weight += task.weight;
    }
};

/// a before b: more weight per time. Ties: single tasks by number, then stacks.
bool is_denser(double weight_a, double time_a, double weight_b, double time_b) {
    return weight_a * time_b > weight_b * time_a;
}

class Batches {
  public:
    Batches(const MoldableProblem& problem, Stacks stacks)
        : problem_(problem), stacks_(stacks), left_(problem.size()) {
        std::iota(left_.begin(), left_.end(), std::uint32_t{0});
    }

    bool done() const { return left_.empty(); }

    void add_batch(double length, DemtList& result) {
        find_candidates(length);
        std::vector<KnapsackItem> items;
        items.reserve(candidates_.size());
        for (const Candidate& candidate : candidates_) {
            // Tasks without weight must go somewhere, too.
            const double value = std::max(candidate.weight, std::numeric_limits<double>::min());
            items.push_back({candidate.processors, value});
        }
        knapsack_.solve(items, problem_.processors());
        std::vector<Candidate> chosen;
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            if (knapsack_.chosen()[i] != 0) {
                add_entries(candidates_[i], chosen);
            }
        }
        append(chosen, result);
    }

  private:
    ListedTask listed(std::uint32_t task, std::uint32_t processors) const {
        const engine::MoldableInstance& instance = problem_.instance();
        return {task, instance.time(task, processors), instance.weight(task)};
    }

    void find_candidates(double length) {
        candidates_.clear();
        std::vector<ListedTask> small;
        for (const std::uint32_t task : left_) {
            const std::uint32_t processors = problem_.allotment_within(task, length);
            if (processors > problem_.processors()) {
                continue;
            }
            const ListedTask listed_task = listed(task, processors);
            if (processors == 1 && listed_task.time <= length / 2) {
                small.push_back(listed_task);
            } else {
                candidates_.emplace_back().processors = processors;
                candidates_.back().add(listed_task);
            }
        }
        std::stable_sort(small.begin(), small.end(), [](const auto& a, const auto& b) {
            return a.weight > b.weight;
        });
        stack(small, length);
    }

    void stack(const std::vector<ListedTask>& small, double length) {
        const std::size_t first = candidates_.size();
        for (const ListedTask& task : small) {
            if (candidates_.size() == first || candidates_.back().time + task.time > length) {
                candidates_.emplace_back();
            }
            candidates_.back().add(task);
        }
    }

    void add_entries(const Candidate& candidate, std::vector<Candidate>& entries) const {
        if (stacks_ == Stacks::kept) {
            entries.push_back(candidate);
            return;
        }
        for (const ListedTask& task : candidate.tasks) {
            entries.emplace_back().processors = candidate.processors;
            entries.back().add(task);
        }
    }

    void append(std::vector<Candidate>& entries, DemtList& result) {
        if (entries.empty()) {
            return;
        }
        std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
            return is_denser(a.weight, a.time, b.weight, b.time);
        });
        std::vector<std::uint8_t> is_gone(problem_.size());
        for (const Candidate& entry : entries) {
            result.list.add(entry.processors, entry.tasks);
            for (const ListedTask& task : entry.tasks) {
                is_gone[task.task] = 1;
            }
        }
        result.batch_ends.push_back(static_cast<std::uint32_t>(result.list.entries.size()));
        std::erase_if(left_, [&](std::uint32_t task) { return is_gone[task] != 0; });
    }

    const MoldableProblem& problem_;
    Stacks stacks_;
    std::vector<std::uint32_t> left_;
    std::vector<Candidate> candidates_;
    Knapsack knapsack_;
};

}  // namespace

DemtList demt_list(const MoldableProblem& problem, double target, Stacks stacks) {
    double length = target;
    for (int i = 0; i < most_halvings && length / 2 >= problem.instance().least_time(); ++i) {
        length /= 2;
    }
    DemtList result;
    for (Batches batches(problem, stacks); !batches.done(); length *= 2) {
        batches.add_batch(length, result);
    }
    return result;
}

}  // namespace schedfarm::policies
