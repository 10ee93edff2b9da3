// Gang scheduling by a matrix of slots and processors (Ousterhout 1982; packing schemes and
// alternative scheduling: Feitelson 1996), the general form of which buddy trees are a case.
//
// A job that comes is placed in a slot at once (policies/gang/slot_matrix.hpp), or waits, first
// come first served, while there are as many slots as may be. Slots take turns in time slices of
// equal length. In a slice the jobs of its slot run; with alternative scheduling then the jobs of
// the other slots, the slot whose turn is next first, whose processors are all idle. Whoever runs
// is not displaced inside a slice. The slice is over when its length is, or when no job of its slot
// runs. When jobs have left, slots whose processors do not meet are unified. In the first part of a
// slice, the switch, nothing works; who starts later pays what is left of it.
//
// Cost: O(slots · (jobs + processors / 64)) per event, O(slots² · processors / 64) per completion.
#include "policies/gang/matrix_gang.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "engine/simulation/kernel/actions.hpp"

#include "policies/gang/gang.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

class MatrixGang final : public Policy {
  public:
    MatrixGang(const MatrixSettings& settings, const BuddyTrees& trees)
        : settings_(settings)
        , trees_(trees)
        , matrix_(trees, settings.rule)
        , clock_(settings.switches)
        , busy_(trees.processors()) {}

    void react(const EventBatch& events, Actions& actions) override {
        for (const JobId id : events.completions) {
            forget_running(id);
            matrix_.remove(id);
        }
        if (settings_.unifies && !events.completions.empty()) {
            matrix_.unify(turn_);
        }
        for (const JobId id : events.arrivals) {
            gang_class(actions.job(id), trees_);
            waiting_.push_back(id);
        }
        while (!waiting_.empty()
               && matrix_.place(waiting_.front(), actions.job(waiting_.front()).size)) {
            waiting_.pop_front();
        }
        change_.clear();
        go_on(!events.timers.empty(), actions);
        actions.carry_out(change_);
    }

  private:
    struct Running {
        JobId id;
        ProcessorSet columns;
    };

    void forget_running(JobId id) {
        const auto at = std::find_if(running_.begin(), running_.end(), [id](const Running& one) {
            return one.id == id;
        });
        busy_.erase(at->columns);
        running_.erase(at);
    }

    void go_on(bool slice_is_over, Actions& actions) {
        if (is_active_ && !slice_is_over) {
            serve(actions.now());
            if (own_runs()) {
                fill(actions.now());
                return;
            }
            actions.cancel_timer(Timer{});
        }
        next_slice(actions);
    }

    bool runs(JobId id) const {
        return std::any_of(running_.begin(), running_.end(), [id](const Running& one) {
            return one.id == id;
        });
    }

    /// The place of the slot whose turn it is; of the one after it if it is gone.
    std::size_t turn_place() const {
        const auto at = std::find_if(
            matrix_.slots().begin(),
            matrix_.slots().end(),
            [this](const SlotMatrix::Slot& slot) { return slot.number >= turn_; }
        );
        return static_cast<std::size_t>(at - matrix_.slots().begin());
    }

    /// Null: it is gone.
    const SlotMatrix::Slot* own_slot() const {
        const std::size_t place = turn_place();
        const bool is_there =
            place < matrix_.slots().size() && matrix_.slots()[place].number == turn_;
        return is_there ? &matrix_.slots()[place] : nullptr;
    }

    bool own_runs() const {
        const SlotMatrix::Slot* own = own_slot();
        return own != nullptr
               && std::any_of(
                   own->entries.begin(),
                   own->entries.end(),
                   [this](const SlotMatrix::Entry& entry) { return runs(entry.id); }
               );
    }

    void run_idle(const SlotMatrix::Slot& slot, double now) {
        for (const SlotMatrix::Entry& entry : slot.entries) {
            if (busy_.meets(entry.columns)) {  // those of the job itself if it runs
                continue;
            }
            change_.start_on(entry.id, entry.ranges, std::max(0.0, works_from_ - now));
            busy_.insert(entry.columns);
            running_.push_back({entry.id, entry.columns});
        }
    }

    void serve(double now) {
        if (const SlotMatrix::Slot* own = own_slot(); own != nullptr) {
            run_idle(*own, now);
        }
    }

    void fill(double now) {
        const std::size_t slots = matrix_.slots().size();
        const std::size_t own = turn_place();
        for (std::size_t i = 1; settings_.alternatives && i < slots; ++i) {
            run_idle(matrix_.slots()[(own + i) % slots], now);
        }
    }

    void next_slice(Actions& actions) {
        for (const Running& one : running_) {
            change_.suspend(one.id);
        }
        running_.clear();
        busy_.clear();
        is_active_ = !matrix_.slots().empty();
        if (!is_active_) {
            return;
        }
        const std::uint64_t last = turn_++;
        const std::size_t place = turn_place();
        turn_ = matrix_.slots()[place == matrix_.slots().size() ? 0 : place].number;
        changes_ += turn_ == last ? 0 : 1;
        const SliceTimes times = clock_.begin(actions.now(), changes_, settings_.slice_s);
        works_from_ = times.works_from;
        const ProcessorRange all{ProcessorId{0}, trees_.processors()};
        actions.announce({engine::Slice{.whose = turn_, .end = times.end, .processors = {&all, 1}}}
        );
        serve(actions.now());
        fill(actions.now());
        actions.set_timer(times.end, Timer{});
    }

    MatrixSettings settings_;
    BuddyTrees trees_;
    SlotMatrix matrix_;
    SliceClock clock_;
    std::uint32_t changes_ = 0;  // of the slot, for the clock
    std::deque<JobId> waiting_;

    // The current slice, or the last.
    std::uint64_t turn_ = 0;  // number of its slot
    double works_from_ = 0;
    bool is_active_ = false;
    std::vector<Running> running_;
    ProcessorSet busy_;  // columns of what runs
    Switch change_;      // of this instant
};

std::vector<ParameterDescription> matrix_gang_parameters() {
    std::vector<ParameterDescription> table = {
        {.name = "packing",
         .meaning = "slot and processors of a job. first_fit: the first slot with enough idle "
                    "processors; best_fit: the fullest such slot; left_right: the first, small "
                    "jobs from the left and large ones from the right; buddy: an aligned node",
         .type = ParameterType::text,
         .default_value = "first_fit",
         .words = {"first_fit", "best_fit", "left_right", "buddy"}},
        {.name = "largest_small_job",
         .meaning = "processors of the largest job that packing: left_right takes as small",
         .unit = "processors",
         .type = ParameterType::integer,
         .default_value = 16,
         .range = {.low = 0, .high = 1e9}},
        {.name = "slots",
         .meaning = "degree of multiprogramming: most slots at a time; 0: as many as are needed",
         .unit = "slots",
         .type = ParameterType::integer,
         .default_value = 0,
         .range = {.low = 0, .high = 1e9}},
        {.name = "slot_unification",
         .meaning = "whether slots whose processors do not meet become one when jobs have left",
         .type = ParameterType::boolean,
         .default_value = true},
        {.name = "alternative_scheduling",
         .meaning = "whether jobs run in other slots too where their processors are idle",
         .type = ParameterType::boolean,
         .default_value = true},
        {.name = "slice_s",
         .meaning = "time slice of every slot",
         .unit = "s",
         .default_value = 100.0,
         .range = {.low = 0, .low_is_open = true}}};
    const std::vector<ParameterDescription> switches = switch_cost_parameters();
    table.insert(table.end(), switches.begin(), switches.end());
    return table;
}

std::vector<ParameterProblem> matrix_problems(const Parameters& given) {
    const MatrixSettings settings = matrix_settings(given);
    if (settings.switches.place == SwitchPlace::outside
        || settings.slice_s > settings.switches.seconds) {
        return {};
    }
    return {
        {"slice_s",
         fmt::format(
             "a time slice of {} s is no longer than a switch of {} s (no job would get on)",
             settings.slice_s,
             settings.switches.seconds
         ),
         "Give a longer slice or a cheaper switch."}};
}

}  // namespace

MatrixSettings matrix_settings(const Parameters& given) {
    MatrixSettings settings;
    const std::string& packing = given.text("packing");
    settings.rule = {
        .packing = packing == "first_fit"    ? Packing::first_fit
                   : packing == "best_fit"   ? Packing::best_fit
                   : packing == "left_right" ? Packing::left_right
                                             : Packing::buddy,
        .largest_small = static_cast<std::uint32_t>(given.integer("largest_small_job")),
        .most_slots = static_cast<std::uint32_t>(given.integer("slots"))};
    settings.slice_s = given.real("slice_s");
    settings.switches = switch_cost(given);
    settings.unifies = given.boolean("slot_unification");
    settings.alternatives = given.boolean("alternative_scheduling");
    return settings;
}

PolicyDescription describe_matrix_gang() {
    PolicyDescription description;
    description.alternative = {
        .name = "matrix_gang",
        .summary = "Gang scheduling by a matrix: jobs are packed into slots that take turns.",
        .parameters = matrix_gang_parameters(),
        .check = matrix_problems,
        .source = "Ousterhout 1982; Feitelson 1996"};
    description.traits = [](const Parameters&) {
        return PolicyTraits{.preemptive = true, .names_processors = true};
    };
    description.make = [](const Parameters& given, const PolicyContext& context) {
        return std::make_unique<MatrixGang>(
            matrix_settings(given), BuddyTrees(context.system.processors())
        );
    };
    return description;
}

}  // namespace schedfarm::policies
