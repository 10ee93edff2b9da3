// An imprecise calendar for one cluster (Hollingsworth & Maneewongvatana 1999): every job reserves
// its processors when it arrives, first fit, in slots that are coarser the farther ahead they are.
//
// At one instant: slots are divided; completed jobs free what they had reserved from the next slot
// on; after a division or such an early exit jobs move ahead, each to the first slot from which on
// it fits if that is before its own: those that a policy above chose the cluster for, then its own
// ones, each in the order of the workload; then the arrivals of the instant reserve; then jobs
// start whose slot begins. A policy around several calendars may say itself when jobs move ahead,
// and which (moving_ahead.hpp).
//
// An advance reservation (Job::fixed_start) starts with the slot that its time lies in, as the
// slots are when it is submitted, and is not moved; where processors are lacking it is refused, the
// earliest possible time is published, and the job waits like any other. One that finds others
// beyond their planned end on its processors is missed and goes on like any other.
//
// A job beyond its planned end keeps the slot under way; the plan expects that it ends with it. Who
// should start and lacks processors therefore reserves anew.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/foundation/special_values.hpp"
#include "engine/planning/moving_ahead.hpp"
#include "engine/planning/placement.hpp"
#include "engine/planning/planning_options.hpp"
#include "engine/planning/promise_verifier.hpp"
#include "engine/planning/slot_calendar.hpp"
#include "engine/simulation/kernel/actions.hpp"
#include "engine/simulation/measurement/published_columns.hpp"
#include "engine/simulation/workload_model.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

struct CalendarSettings {
    std::vector<SlotLevel> levels;
    double threshold = 1;
    RunTime run_time = RunTime::requested;
};

double start_in_slots(const SlotPlan& plan, RunTime source, const Job& job, double from) {
    const double duration = planned_duration(job, source);
    return job.fixed_start == no_fixed_start
               ? plan.first_fit(job.size, duration, from)
               : plan.fixed_start(job.size, duration, job.fixed_start, from);
}

class CalendarOutlook final : public StartOutlook {
  public:
    CalendarOutlook(const SlotPlan& plan, RunTime source) : plan_(plan), source_(source) {}

    double earliest_start(const Job& job, double from) override {
        return start_in_slots(plan_, source_, job, from);
    }

  private:
    SlotPlan plan_;
    RunTime source_;
};

class Calendar final : public Policy, public MovingAhead {
  public:
    Calendar(const CalendarSettings& settings, const SystemDescription& system)
        : run_time_(settings.run_time)
        , calendar_(settings.levels, system.processors(), settings.threshold) {}

    void react(const EventBatch& events, Actions& actions) override {
        actions_ = &actions;
        now_ = actions.now();
        bool may_move = advance(now_);
        for (const JobId id : events.withdrawals) {
            calendar_.give_up(id);
            leave(id);
        }
        for (const JobId id : events.completions) {
            if (calendar_.finish(id, now_)) {
                note(Cause::early_end, now_);
                may_move = true;
            }
        }
        calendar_.prolong(now_);
        if (may_move && !waits_for_word_) {
            move_ahead_from(0, now_);
        }
        for (const JobId id : events.arrivals) {
            const auto& promoted = events.promoted;
            submit(id, std::find(promoted.begin(), promoted.end(), id) != promoted.end());
        }
        if (next_start_ <= now_) {
            start_due();
        }
        set_alarm();
    }

    double earliest_start(const Job& job, double from, double now) override {
        bring_up_to(now);
        return start_in_slots(calendar_.plan(), run_time_, job, from);
    }

    std::unique_ptr<StartOutlook> outlook(double now) override {
        bring_up_to(now);
        return std::make_unique<CalendarOutlook>(calendar_.plan(), run_time_);
    }

    void wait_for_word() override { waits_for_word_ = true; }
    Cause cause(double now) override {
        bring_up_to(now);
        return has_cause(now) ? std::exchange(cause_, Cause::none) : Cause::none;
    }
    double next_division() const override { return calendar_.plan().grid.next_division(); }
    bool has_movable() const override { return !movable_.empty(); }
    double start_of(JobId id) const override { return calendar_.start_of(id); }
    double earlier_start(JobId id, double now) const override {
        return calendar_.earlier_start(id, now);
    }
    void move_ahead(JobId id, double start) override {
        calendar_.move(id, start);
        const auto found = std::find(movable_.begin(), movable_.end(), id);
        windows_.set_until(static_cast<std::size_t>(found - movable_.begin()), start);
        promise(id, start);
    }
    void move_local_ahead(double now) override {
        const auto first = std::lower_bound(places_.begin(), places_.end(), Place{});
        move_ahead_from(static_cast<std::size_t>(first - places_.begin()), now);
    }

  private:
    struct Fixed {
        JobId id;
        double start = 0;
    };
    /// Of a job that may move.
    struct Place {
        bool is_local = true;
        std::uint64_t index = 0;
        friend auto operator<=>(const Place&, const Place&) = default;
    };
    static constexpr Timer alarm{1};

    // Nobody notices: a job that may move has it done when it is due.
    void bring_up_to(double now) {
        advance(now);
        calendar_.prolong(now);
    }
    /// Returns whether a slot was divided.
    bool advance(double now) {
        const bool is_divided = calendar_.advance(now);
        if (is_divided) {
            note(Cause::division, now);
        }
        return is_divided;
    }

    void note(Cause cause, double now) {
        cause_ = has_cause(now) ? std::max(cause_, cause) : cause;
        cause_time_ = now;
    }
    bool has_cause(double now) const { return cause_ != Cause::none && cause_time_ == now; }

    void move_ahead_from(std::size_t first, double now) {
        if (calendar_.has_freed(now)) {
            calendar_.move_ahead(
                windows_,
                movable_,
                first,
                now,
                [this](std::size_t place, double start) { promise(movable_[place], start); }
            );
        }
    }

    void promise(JobId id, double start) {
        next_start_ = std::min(next_start_, start);
        actions_->announce({engine::Promise{.latest = start}, id});
    }

    void submit(JobId id, bool is_promoted) {
        const Job& job = actions_->job(id);
        if (job.fixed_start != no_fixed_start) {
            const double start = start_in_slots(calendar_.plan(), run_time_, job, now_);
            if (start <= job.fixed_start) {
                calendar_.reserve(id, start, job.size, planned_duration(job, run_time_));
                fixed_.push_back({id, start});
                next_start_ = std::min(next_start_, start);
                actions_->announce({engine::Promise{.earliest = start, .latest = start}, id});
                return;
            }
            actions_->announce({engine::Observation{reservations_refused, 1}, id});
            actions_->announce({engine::Observation{offered_delay, start - job.fixed_start}, id});
        }
        add(id, {.is_local = !is_promoted, .index = job.index}, now_);
    }

    void add(JobId id, const Place& place, double from) {
        const Job& job = actions_->job(id);
        const double duration = planned_duration(job, run_time_);
        const double start = calendar_.plan().first_fit(job.size, duration, from);
        calendar_.reserve(id, start, job.size, duration);
        const auto after = std::upper_bound(places_.begin(), places_.end(), place);
        const auto k = static_cast<std::size_t>(after - places_.begin());
        places_.insert(after, place);
        movable_.insert(movable_.begin() + static_cast<std::ptrdiff_t>(k), id);
        const auto level = static_cast<std::int32_t>(calendar_.plan().level(job.size));
        windows_.insert(k, level, duration, start);
        promise(id, start);
    }

    void remove(std::size_t k) {
        movable_.erase(movable_.begin() + static_cast<std::ptrdiff_t>(k));
        places_.erase(places_.begin() + static_cast<std::ptrdiff_t>(k));
        windows_.remove({&k, 1});
    }

    void leave(JobId id) {
        const auto found = std::find(movable_.begin(), movable_.end(), id);
        if (found == movable_.end()) {
            std::erase_if(fixed_, [id](const Fixed& fixed) { return fixed.id == id; });
        } else {
            remove(static_cast<std::size_t>(found - movable_.begin()));
        }
    }

    /// What lacks processors reserves anew, behind all others that start now.
    void start_due() {
        std::vector<std::pair<JobId, Place>> late;
        std::erase_if(fixed_, [&](const Fixed& fixed) {
            if (fixed.start > now_) {
                return false;
            }
            if (!start(fixed.id)) {
                late.push_back(
                    {fixed.id, {.is_local = true, .index = actions_->job(fixed.id).index}}
                );
                actions_->announce({engine::Observation{reservations_missed, 1}, fixed.id});
            }
            return true;
        });
        for (std::size_t k = 0; k < movable_.size();) {
            if (windows_.untils()[k] > now_) {
                ++k;
                continue;
            }
            if (!start(movable_[k])) {
                late.emplace_back(movable_[k], places_[k]);
            }
            remove(k);
        }
        next_start_ = never;
        for (const auto& [id, place] : late) {
            calendar_.give_up(id);
            add(id, place, std::nextafter(now_, never));
        }
        for (std::size_t k = 0; k < movable_.size(); ++k) {
            next_start_ = std::min(next_start_, windows_.untils()[k]);
        }
        for (const Fixed& fixed : fixed_) {
            next_start_ = std::min(next_start_, fixed.start);
        }
    }

    bool start(JobId id) {
        const Machine& machine = actions_->machine();
        const Job& job = actions_->job(id);
        if (job.size > machine.free_processors()) {
            return false;
        }
        const auto shares = placer_.place(job, machine.free_by_cluster());
        if (shares.empty()) {
            return false;
        }
        actions_->start(id, shares);
        return true;
    }

    void set_alarm() {
        const double next = movable_.empty() || waits_for_word_
                                ? next_start_
                                : std::min(next_start_, calendar_.plan().grid.next_division());
        if (next == alarm_time_) {
            return;
        }
        if (alarm_time_ > now_ && alarm_time_ < never) {
            actions_->cancel_timer(alarm);
        }
        if (next < never) {
            actions_->set_timer(next, alarm);
        }
        alarm_time_ = next;
    }

    RunTime run_time_;
    SlotCalendar calendar_;
    Placer placer_{PlacementRule::first_fit};
    // The jobs that wait and may move, in the order in which they do.
    std::vector<JobId> movable_;
    std::vector<Place> places_;
    StepWindows windows_;
    std::vector<Fixed> fixed_;   // that wait, in order of arrival
    double next_start_ = never;  // no job starts earlier
    double alarm_time_ = never;
    bool waits_for_word_ = false;
    Cause cause_ = Cause::none;  // that was noted last, and when
    double cause_time_ = -never;

    // Of the batch being taken.
    Actions* actions_ = nullptr;
    double now_ = 0;
};

std::vector<ParameterDescription> calendar_parameters() {
    return {
        {.name = "slot_sizes",
         .meaning = "length of the slots of each level, the nearest first, each a multiple of the "
                    "one before",
         .unit = "s",
         .type = ParameterType::real_list,
         .default_value = Value::List{Value(10.0), Value(320.0), Value(2560.0)},
         .range = {.low = 0, .low_is_open = true}},
        {.name = "slot_counts",
         .meaning = "slots that each level has at least, for all levels but the last, which has as "
                    "many as it takes",
         .unit = "slots",
         .type = ParameterType::integer_list,
         .default_value = Value::List{Value(32), Value(8)},
         .range = {.low = 1, .high = 1e6}},
        {.name = "threshold",
         .meaning = "a slot that is partly reserved takes more up to this fraction of the "
                    "processors",
         .type = ParameterType::real,
         .default_value = 1.0,
         .range = {.low = 0, .high = 1}},
        run_time_parameter("run_time", "run time by which jobs reserve")};
}

std::vector<ParameterProblem> calendar_problems(const Parameters& given) {
    const std::vector<double> sizes = given.reals("slot_sizes");
    const std::size_t counts = given.at("slot_counts").as_list().size();
    if (sizes.size() != counts + 1) {
        return {
            {"slot_counts",
             "'slot_counts' has " + std::to_string(counts) + " entries and 'slot_sizes' "
                 + std::to_string(sizes.size()) + " (it has one for each size but the last)",
             "Give one count less than sizes."}};
    }
    for (std::size_t i = 1; i < sizes.size(); ++i) {
        const double ratio = sizes[i] / sizes[i - 1];
        if (ratio < 1 || ratio > 1e9 || std::abs(ratio - std::round(ratio)) > 1e-9 * ratio) {
            return {
                {"slot_sizes",
                 "a size is no multiple of the one before (its slots could not be divided)",
                 "Give sizes such as 10, 320, 2560."}};
        }
    }
    return {};
}

CalendarSettings settings_of(const Parameters& given) {
    CalendarSettings settings;
    const Value::List& counts = given.at("slot_counts").as_list();
    for (const double size : given.reals("slot_sizes")) {
        const std::size_t i = settings.levels.size();
        const std::int64_t count = i < counts.size() ? counts[i].as_integer() : 1;
        settings.levels.push_back({static_cast<std::uint32_t>(count), size});
    }
    settings.threshold = given.real("threshold");
    settings.run_time = run_time(given, "run_time");
    return settings;
}

}  // namespace

PolicyDescription describe_calendar() {
    PolicyDescription description;
    description.alternative = {
        .name = "calendar",
        .summary = "Imprecise calendar: reservations in slots that are coarser the farther ahead.",
        .parameters = calendar_parameters(),
        .check = calendar_problems,
        .source = "Hollingsworth & Maneewongvatana 1999, Imprecise calendars, section 2"};
    description.traits = [](const Parameters&) {
        return PolicyTraits{
            .keeps_fixed_starts = true, .takes_withdrawals = true, .answers_earliest_start = true};
    };
    description.make = [](const Parameters& given, const PolicyContext& context) {
        return std::make_unique<Calendar>(settings_of(given), context.system);
    };
    description.make_verifier = [](const Parameters& given, const PolicyContext& context) {
        return make_promise_verifier(run_time(given, "run_time"), context.system);
    };
    description.check_workload =
        [](const Parameters&, const SystemDescription&, const WorkloadTraits& workload) {
            return workload.structure == RequestStructure::total
                       ? ParameterProblems{}
                       : ParameterProblems{
                           {"slot_sizes",
                            "jobs ask for processors by cluster (a calendar counts those of all)",
                            "Use a workload of total requests."}};
        };
    description.observations = [](const Parameters&, const SystemDescription&) {
        return std::vector<ObservationColumn>{offered_delay_column()};
    };
    return description;
}

}  // namespace schedfarm::policies
