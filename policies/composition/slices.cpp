// Time shares over any policies: slices of given lengths take turns, and in each the jobs that go
// to it have the whole machine, under the policy of the slice. At its end what runs is suspended,
// all in one switch, and goes on on its processors in its next slice. The first slice that has jobs
// begins. A slice without jobs is passed over, and one whose last job completes is over when
// another has jobs: on an idle machine it stays on. One beside which no other has jobs goes on. The
// policy inside sees nothing while its slice is off: its time is that for which it was on
// (policies/composition/own_time.hpp), and what happened meanwhile reaches it when its slice
// begins. Under a switch cost the machine is idle for that long ahead of a slice.
//
// One slice is the policy inside, start by start: it is never off.
//
// Cost: O(jobs that run) per slice, beside what the inner policies cost.
#include "policies/composition/slices.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "engine/simulation/kernel/actions.hpp"

#include "policies/composition/part.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

class Slices final : public Policy {
  public:
    Slices(SlicesPlan plan, const PolicyContext& context)
        : plan_(std::move(plan)), jobs_(plan_.shares.size(), 0) {
        const std::size_t count = plan_.shares.size();
        const std::uint32_t processors = context.system.processors();
        all_ = {ProcessorId{0}, processors};
        PolicyContext own = context;
        own.names_counted = context.names_counted || count > 1 || !context.system.outages.empty();
        for (std::size_t k = 0; k < count; ++k) {
            parts_.push_back(std::make_unique<Part>(
                PartCutter(context.system).processors(processors),
                PartNumber{k, count},
                own.names_counted ? Counted::by_name : Counted::as_counts,
                plan_.shares[k].inner.make(own)
            ));
        }
    }

    void react(const EventBatch& events, Actions& actions) override {
        take(events, actions);
        if (!has_begun_) {
            begin(actions);
        }
        if (!is_switching_ && parts_[on_]->has_events()) {
            parts_[on_]->react(actions);
        }
        while (!is_settled(actions)) {
        }
    }

  private:
    static constexpr double never = std::numeric_limits<double>::infinity();

    /// The first slice that has jobs, once one has, follows no other.
    void begin(Actions& actions) {
        const auto first =
            std::find_if(jobs_.begin(), jobs_.end(), [](std::uint64_t jobs) { return jobs > 0; });
        if (first == jobs_.end()) {
            return;
        }
        has_begun_ = true;
        on_ = static_cast<std::size_t>(first - jobs_.begin());
        end_ = actions.now() + plan_.shares[on_].quantum_s;
        for (std::size_t k = 0; k < parts_.size(); ++k) {
            if (k != on_) {
                parts_[k]->switch_off(actions, change_);
            }
        }
        announce(on_, never, actions);
    }

    void take(const EventBatch& events, const Actions& actions) {
        for (const JobId id : events.withdrawals) {
            --jobs_[owner_[id.value]];
            parts_[owner_[id.value]]->withdraw(id);
        }
        for (const JobId id : events.completions) {
            --jobs_[owner_[id.value]];
            parts_[owner_[id.value]]->complete(id);
        }
        for (const JobId id : events.arrivals) {
            owner_.resize(std::max(owner_.size(), id.value + std::size_t{1}));
            owner_[id.value] = plan_.route.part_of(actions.job(id));
            ++jobs_[owner_[id.value]];
            parts_[owner_[id.value]]->arrive(id);
        }
        for (const JobId id : events.loads_finished) {
            parts_[owner_[id.value]]->finish_load(id);
        }
        for (const Timer& timer : events.timers) {
            if (timer.owner == 0) {
                is_timed_ = false;
            } else {
                parts_[PartNumber::owner(timer, parts_.size())]->go_off(timer);
            }
        }
        for (const CapacityChange& change : events.capacity_changes) {
            parts_.front()->change_capacity(change);
        }
    }

    /// Nothing is left to do at this instant; else a switch or a slice has begun.
    bool is_settled(Actions& actions) {
        if (is_switching_) {
            if (is_timed_) {
                return true;
            }
            switch_on(actions);
            return false;
        }
        std::size_t next = on_;
        do {
            next = (next + 1) % parts_.size();
        } while (next != on_ && jobs_[next] == 0);
        if (next == on_) {
            if (!is_timed_ && is_limited_) {
                is_limited_ = false;
                announce(on_, never, actions);
            }
            return true;
        }
        if (jobs_[on_] > 0 && actions.now() < end_) {
            if (!is_limited_) {
                is_limited_ = true;
                announce(on_, end_, actions);
                set_timer(end_, actions);
            }
            return true;
        }
        switch_off(actions);
        on_ = next;
        return false;
    }

    void switch_off(Actions& actions) {
        actions.cancel_timer(Timer{});
        is_timed_ = false;
        change_.clear();
        parts_[on_]->switch_off(actions, change_);
        const double until = actions.now() + plan_.switch_cost_s;
        announce(parts_.size(), until, actions);
        is_switching_ = true;
        if (plan_.switch_cost_s > 0) {
            actions.carry_out(change_);
            change_.clear();
            set_timer(until, actions);
        }
    }

    void switch_on(Actions& actions) {
        is_switching_ = false;
        is_limited_ = false;
        end_ = actions.now() + plan_.shares[on_].quantum_s;
        announce(on_, never, actions);
        parts_[on_]->switch_on(actions, change_);
        actions.carry_out(change_);
        if (parts_[on_]->has_events()) {
            parts_[on_]->react(actions);
        }
    }

    void set_timer(double time, Actions& actions) {
        actions.set_timer(time, Timer{});
        is_timed_ = true;
    }

    /// A switch is a slice of nobody, the one after the last.
    void announce(std::size_t whose, double end, Actions& actions) const {
        actions.announce({engine::Slice{.whose = whose, .end = end, .processors = {&all_, 1}}});
    }

    SlicesPlan plan_;
    ProcessorRange all_;
    std::vector<std::unique_ptr<Part>> parts_;
    std::vector<std::uint64_t> jobs_;  // by slice, in the system
    std::vector<std::size_t> owner_;   // by slot of the job
    Switch change_;                    // under way

    bool has_begun_ = false;
    std::size_t on_ = 0;  // the slice that is on or comes after the switch
    double end_ = 0;      // of its quantum
    bool is_switching_ = false;
    bool is_limited_ = false;  // it is announced to end with its quantum, as others have jobs
    bool is_timed_ = false;
};

std::size_t slice_count_of(const Parameters& given) {
    return given.at("quanta_s").as_list().size();
}

std::vector<ParameterProblem> slices_problems(const Parameters& given) {
    const std::size_t count = slice_count_of(given);
    const std::size_t sizes = given.at("largest_size").as_list().size();
    const bool by_size = route_key(given) == RouteKey::size;
    if (count == 0) {
        return {{"quanta_s", "there is no slice (no job would run)", "Give at least one quantum."}};
    }
    if (sizes != (by_size && (sizes > 0 || count > 1) ? count : 0)) {
        return {
            {"largest_size",
             fmt::format(
                 "'largest_size' has {} entries and there are {} slices (it has one for each where "
                 "jobs go by size, else none)",
                 sizes,
                 count
             ),
             "Give one for each slice, and 'route: size'."}};
    }
    std::vector<ParameterProblem> found = route_problems(given, "slice", count);
    return found.empty() ? inner_count_problems(given, "slice", count) : found;
}

std::vector<ParameterProblem> slices_system_problems(
    const Parameters& given, const SystemDescription& system
) {
    if (slice_count_of(given) > 1 && !system.outages.empty()) {
        return {
            {"quanta_s",
             "processors go out of order (a suspended job goes on on its own)",
             "Use one slice, or a system without outages."}};
    }
    std::vector<ParameterProblem> found;
    for (std::size_t k = 0; found.empty() && k < inner_count(given); ++k) {
        found = as_inner_problems(inner_policy(given, k).system_problems(system));
    }
    return found;
}

std::vector<ParameterProblem> slices_workload_problems(
    const Parameters& given, const SystemDescription& system, const WorkloadTraits& workload
) {
    const SlicesPlan plan = slices_plan(given);
    std::vector<ParameterProblem> found;
    if (plan.route.key == RouteKey::size) {
        found = largest_job_problems(plan.route.sizes, workload, "slice", "largest_size");
    }
    for (std::size_t k = 0; found.empty() && k < plan.shares.size(); ++k) {
        WorkloadTraits own = workload;
        own.max_size = std::min(own.max_size, plan.route.sizes[k].largest);
        found = as_inner_problems(plan.shares[k].inner.workload_problems(system, own));
    }
    return found;
}

PolicyTraits slices_traits(const Parameters& given) {
    std::vector<InnerPolicy> inner;
    for (std::size_t k = 0; k < inner_count(given); ++k) {
        inner.push_back(inner_policy(given, k));
    }
    if (slice_count_of(given) == 1) {
        return inner.front().traits();
    }
    PolicyTraits joined = joined_traits(inner);
    joined.preemptive = true;
    joined.names_processors = true;
    joined.keeps_fixed_starts = false;
    return joined;
}

std::vector<ParameterDescription> slices_parameters() {
    std::vector<ParameterDescription> table = {
        inner_parameter("the policy of every slice, any of this list; a list of policies: one for "
                        "each slice"),
        {.name = "quanta_s",
         .meaning = "length of each slice of a cycle; it goes on for longer while no other slice "
                    "has jobs",
         .unit = "s",
         .type = ParameterType::real_list,
         .default_value = Value::List{Value(1000.0)},
         .range = {.low = 0, .low_is_open = true}},
        {.name = "switch_cost_s",
         .meaning = "time ahead of a slice that follows another one, in which nothing works; the "
                    "first slice that has jobs follows none, and on an idle machine the one that "
                    "had jobs last is on",
         .unit = "s",
         .default_value = 0.0,
         .range = {.low = 0}}};
    const std::vector<ParameterDescription> route = route_parameters("slice", RouteKey::queue);
    table.insert(table.end(), route.begin(), route.end());
    table.push_back(
        {.name = "largest_size",
         .meaning = "by size: largest job of each slice; a job goes to the first that takes it",
         .unit = "processors",
         .type = ParameterType::integer_list,
         .default_value = Value::List{},
         .range = {.low = 1, .high = 1e6}}
    );
    return table;
}

}  // namespace

SlicesPlan slices_plan(const Parameters& given) {
    SlicesPlan plan;
    plan.route = job_route(given, "slice", slice_count_of(given));
    plan.route.policy = "slices";
    plan.route.sizes.resize(slice_count_of(given));
    const std::vector<std::uint32_t> largest = integers(given, "largest_size");
    for (std::size_t k = 0; k < slice_count_of(given); ++k) {
        plan.shares.push_back({given.reals("quanta_s")[k], inner_policy(given, k)});
        if (!largest.empty()) {
            plan.route.sizes[k].largest = largest[k];
        }
    }
    plan.switch_cost_s = given.real("switch_cost_s");
    return plan;
}

PolicyDescription describe_slices() {
    PolicyDescription description;
    description.alternative = {
        .name = "slices",
        .summary =
            "Time slices that take turns with the whole machine, each with a policy of its own.",
        .parameters = slices_parameters(),
        .check = slices_problems,
        .source =
            "time slicing: Feitelson 1994, A survey of scheduling in multiprogrammed parallel "
            "systems; by classes with a policy each: Esbaugh 2010"};
    description.traits = slices_traits;
    description.make = [](const Parameters& given, const PolicyContext& context) {
        return std::make_unique<Slices>(slices_plan(given), context);
    };
    description.check_system = slices_system_problems;
    description.check_workload = slices_workload_problems;
    description.observations = [](const Parameters& given, const SystemDescription& system) {
        std::vector<ObservationColumn> columns;
        for (std::size_t k = 0; k < inner_count(given); ++k) {
            add_observations(inner_policy(given, k), system, columns);
        }
        return columns;
    };
    return description;
}

}  // namespace schedfarm::policies
