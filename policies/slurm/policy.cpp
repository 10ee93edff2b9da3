#include "policies/slurm/policy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "engine/simulation/kernel/actions.hpp"
#include "engine/simulation/kernel/unserved_job.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"

#include "policies/slurm/priorities.hpp"
#include "policies/slurm/requests.hpp"
#include "policies/slurm/scheduler.hpp"

namespace schedfarm::policies::slurm {

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

constexpr std::int64_t requeued_is_eligible_after_s = 121;
constexpr double first_basic_priority = 4294901760;  // priority/basic falls from it

/// Why the policy is woken.
enum class Wake : std::uint8_t { main_pass, full_pass, backfill_pass, nodes_are_free, eligible };

/// Where the processors of each node begin; one place more than there are nodes.
std::vector<std::uint32_t> first_processors(const std::vector<Node>& nodes) {
    std::vector<std::uint32_t> first{0};
    for (const Node& node : nodes) {
        first.push_back(first.back() + node.cpus);
    }
    return first;
}

NodeSet nodes_of(
    const std::vector<std::uint32_t>& first, std::uint32_t begin, std::uint32_t count
) {
    NodeSet nodes(first.size() - 1);
    for (std::size_t node = 0; node + 1 < first.size(); ++node) {
        if (first[node] < begin + count && first[node + 1] > begin) {
            nodes.insert(node);
        }
    }
    return nodes;
}

PolicySettings with_outages(PolicySettings settings, const Outages& outages) {
    const std::vector<std::uint32_t> first = first_processors(settings.site.nodes);
    for (const Outage& outage : outages.listed) {
        // One that comes again and again might keep jobs of long limits waiting for ever.
        if (outage.is_planned && outage.every == 0) {
            settings.site.reservations.push_back(
                {.name = "maint",
                 .announced = std::numeric_limits<std::int64_t>::min(),
                 .begin = static_cast<std::int64_t>(std::floor(outage.from + settings.clock)),
                 .end = static_cast<std::int64_t>(std::ceil(outage.until + settings.clock)),
                 .nodes = nodes_of(first, outage.first_processor, outage.count)}
            );
        }
    }
    return settings;
}

class Slurm final : public Policy {
  public:
    Slurm(PolicySettings settings, const Outages& outages)
        : settings_(with_outages(std::move(settings), outages))
        , first_processor_(first_processors(settings_.site.nodes))
        , out_(first_processor_.back())
        , requests_(settings_.site)
        , priorities_(settings_.site)
        , scheduler_(settings_.site, &priorities_.usage())
        , completing_(settings_.site.nodes.size()) {
        const std::int64_t period = settings_.site.priorities.calc_period;
        const auto phase = static_cast<std::int64_t>(settings_.phase);
        last_recomputed_ =
            (static_cast<std::int64_t>(settings_.clock) - phase) / period * period + phase;
    }

    void react(const EventBatch& events, Actions& actions) override {
        actions_ = &actions;
        for (const JobId id : events.withdrawals) {
            const std::uint64_t number = actions.job(id).index + 1;
            scheduler_.withdraw(number);
            jobs_.erase(number);
        }
        recompute_priorities();
        if (!events.capacity_changes.empty()) {
            change_nodes(events.capacity_changes);
        }
        bool main_is_due = false;
        bool full_is_due = false;
        bool backfill_is_due = false;
        for (const Timer& timer : events.timers) {
            const auto why = static_cast<Wake>(timer.tag);
            full_is_due = full_is_due || why == Wake::full_pass;
            main_is_due = main_is_due || why == Wake::main_pass || why == Wake::nodes_are_free;
            backfill_is_due = backfill_is_due || why == Wake::backfill_pass;
            if (why == Wake::nodes_are_free) {
                free_nodes();
            }
        }
        if (backfill_is_due && settings_.backfill_first) {
            ends_now_.assign(events.completions.begin(), events.completions.end());
            backfill();
            ends_now_.clear();
        }
        for (const JobId id : events.completions) {
            end(id);
            if (settings_.site.main.defer) {
                main_is_asked_ = true;
            } else {
                main_is_due = main_is_due || settings_.node_free_after == 0;
            }
        }
        for (const JobId id : events.arrivals) {
            submit(id);
        }
        if ((full_is_due || main_is_due) && !is_completing()) {
            const double interval = 1e-6 * static_cast<double>(settings_.site.main.min_interval);
            const double soonest = last_main_ + (interval < 1 ? 0 : interval);
            if (actions_->now() < soonest) {
                wake(second_at(soonest), full_is_due ? Wake::full_pass : Wake::main_pass);
                full_is_due = false;
            } else {
                last_main_ = actions_->now();
                carry_out(scheduler_.main_pass(now(), full_is_due));
            }
        }
        if (full_is_due) {
            full_is_set_ = false;
            refuse_used_up();
        }
        if (backfill_is_due && !settings_.backfill_first) {
            backfill();
        }
        set_alarms();
    }

  private:
    std::int64_t now() const {
        return static_cast<std::int64_t>(std::floor(actions_->now() + settings_.clock));
    }
    /// The first whole second of the clock that is not before `time`.
    double second_at(double time) const {
        return std::ceil(time + settings_.clock) - settings_.clock;
    }
    /// They come at the phase and every interval after it.
    double next_full_pass() const {
        const auto interval = static_cast<double>(settings_.site.main.interval);
        const double clock = actions_->now() + settings_.clock - settings_.phase;
        return (std::floor(clock / interval) + 1) * interval + settings_.phase - settings_.clock;
    }
    void wake(double time, Wake why) {
        actions_->set_timer(time, {static_cast<std::uint64_t>(why)});
    }

    void recompute_priorities() {
        if (!settings_.site.priorities.multifactor) {
            return;
        }
        const std::int64_t period = settings_.site.priorities.calc_period;
        while (last_recomputed_ + period <= now()) {
            last_recomputed_ += period;
            priorities_.recompute(last_recomputed_, scheduler_.running(), scheduler_.waiting());
            scheduler_.recompute(last_recomputed_);
        }
    }

    /// Else nothing would ever end the wait of such a job.
    void refuse_used_up() const {
        if (const WaitingJob* job = scheduler_.used_up()) {
            throw UnservedJobError(fmt::format(
                "job {} waits for ever: its QOS or association has used up GrpTRESMins or GrpWall, "
                "and usage does not decay. Without these limits: --accept limits, in a campaign "
                "accept: [limits]",
                job->id - 1
            ));
        }
    }

    void submit(JobId id) {
        const Job& job = actions_->job(id);
        const SubmittedRequest* const said = job.request;
        WaitingJob waiting;
        try {
            waiting = requests_.of(job, now());
        } catch (const UnservedJobError&) {
            if (said == nullptr || !said->has_left) {
                throw;
            }
            actions_->leave(id);  // it would have waited for ever, for no nodes
            return;
        }
        jobs_[waiting.id] = id;
        // One that was submitted long ago becomes eligible in silence, unless somebody let it go.
        const bool is_silent =
            said != nullptr && !said->was_released
            && said->submitted_before_s > static_cast<double>(settings_.site.main.batch_delay) + 1;
        main_is_asked_ = main_is_asked_ || !is_silent;
        join_queue(std::move(waiting));
    }

    /// Falls with the second of the submission, also of a job that is queued again.
    double basic_priority(const WaitingJob& waiting) const {
        const double came = actions_->job(jobs_.at(waiting.id)).submit_time + settings_.clock;
        return first_basic_priority - std::floor(came)
               + static_cast<double>(now() - waiting.submit);
    }

    void join_queue(WaitingJob waiting) {
        const SubmittedRequest* const said = actions_->job(jobs_.at(waiting.id)).request;
        if (said != nullptr && said->array != 0) {
            waiting.array = first_tasks_.try_emplace(said->array, waiting.id).first->second;
        }
        waiting.priority = settings_.site.priorities.multifactor ? priorities_.of(waiting, now())
                                                                 : basic_priority(waiting);
        if (waiting.eligible > now()) {
            wake(static_cast<double>(waiting.eligible) - settings_.clock, Wake::eligible);
        }
        scheduler_.submit(std::move(waiting));
    }

    void end(JobId id) {
        const std::uint64_t number = actions_->job(id).index + 1;
        jobs_.erase(number);
        started_.erase(number);
        leave_nodes(scheduler_.end(number));
    }

    void leave_nodes(const RunningJob& job) {
        priorities_.charge(job, now());
        if (settings_.node_free_after > 0) {
            const double free_at = actions_->now() + settings_.node_free_after;
            clearing_.push_back({free_at, job.holding.nodes});
            completing_ |= job.holding.nodes;
            scheduler_.set_completing(completing_);
            wake(free_at, Wake::nodes_are_free);
        }
    }

    void free_nodes() {
        std::erase_if(clearing_, [&](const Clearing& one) { return one.until <= actions_->now(); });
        completing_ = NodeSet(settings_.site.nodes.size());
        for (const Clearing& one : clearing_) {
            completing_ |= one.nodes;
        }
        scheduler_.set_completing(completing_);
    }

    /// A node is usable while all of its processors are in order.
    void change_nodes(std::span<const CapacityChange> changes) {
        for (const CapacityChange& change : changes) {
            for (std::uint32_t i = 0; i < change.count; ++i) {
                out_[change.first_processor + i] = change.kind == CapacityChange::Kind::down;
            }
        }
        NodeSet usable = NodeSet::all(settings_.site.nodes.size());
        for (std::size_t node = 0; node < settings_.site.nodes.size(); ++node) {
            const auto end = out_.begin() + first_processor_[node + 1];
            if (std::find(out_.begin() + first_processor_[node], end, true) != end) {
                usable.erase(node);
            }
        }
        scheduler_.set_usable(std::move(usable));
        main_is_asked_ = true;
    }

    /// The free ones with the lowest numbers on each node, as many as the job is of.
    const std::vector<ProcessorRange>& processors_of(const Holding& holding, std::uint32_t left) {
        named_.clear();
        std::size_t k = 0;
        holding.nodes.for_each([&](std::size_t node) {
            std::uint32_t of_node = holding.shares.empty() ? left : holding.shares[k++].cpus;
            for (std::uint32_t p = first_processor_[node];
                 p < first_processor_[node + 1] && std::min(of_node, left) > 0;
                 ++p) {
                if (!actions_->machine().is_free(ProcessorId{p})) {
                    continue;
                }
                if (!named_.empty() && named_.back().first.value + named_.back().count == p) {
                    ++named_.back().count;
                } else {
                    named_.push_back({ProcessorId{p}, 1});
                }
                --of_node;
                --left;
            }
        });
        return named_;
    }

    void carry_out(const Decisions& decisions) {
        for (const Start& start : decisions.starts) {
            const JobId id = jobs_.at(start.id);
            if (start.leaves) {
                jobs_.erase(start.id);
                actions_->leave(id);
                continue;
            }
            if (start.let_go > 0) {
                const double let_go = static_cast<double>(start.let_go) - settings_.clock;
                actions_->count_wait_from(id, std::max(let_go, actions_->job(id).submit_time));
            }
            started_[start.id] = actions_->now();
            actions_->start_on(id, processors_of(start.holding, actions_->job(id).size));
        }
        for (const std::uint64_t victim : decisions.victims) {
            requeue(victim);
        }
    }

    /// A job that was sent away has all its service to do again, and is eligible after two minutes.
    void requeue(std::uint64_t number) {
        const JobId id = jobs_.at(number);
        if (std::find(ends_now_.begin(), ends_now_.end(), id) != ends_now_.end()) {
            return;  // it leaves its nodes as it is
        }
        actions_->suspend(id);
        actions_->delay(id, actions_->now() - started_.at(number));
        leave_nodes(scheduler_.end(number));
        WaitingJob waiting = requests_.of(actions_->job(id), now());
        waiting.eligible = waiting.accrue = now() + requeued_is_eligible_after_s;
        join_queue(std::move(waiting));
        if (settings_.node_free_after == 0) {
            wake(actions_->now(), Wake::nodes_are_free);  // a further main pass at once
        }
    }

    /// Whether CompleteWait keeps passes waiting for nodes that clear up (job_is_completing).
    bool is_completing() const {
        return std::ranges::any_of(clearing_, [&](const Clearing& one) {
            const double end = one.until - settings_.node_free_after;
            const auto wait = static_cast<double>(settings_.site.complete_wait);
            return wait > 0 && one.until > actions_->now() && end >= actions_->now() - wait;
        });
    }

    void backfill() {
        if (is_completing()) {  // the thread looks every second
            wake(second_at(std::floor(actions_->now()) + 1), Wake::backfill_pass);
            return;
        }
        const Decisions decisions = scheduler_.backfill_pass(now());
        carry_out(decisions);
        last_backfill_ =
            actions_->now() + settings_.site.backfill.seconds_per_test * decisions.tested;
        backfill_is_set_ = false;
    }

    void set_alarms() {
        if (scheduler_.waiting().empty()) {
            return;
        }
        const double time = actions_->now();
        const MainPass& main = settings_.site.main;
        if (main_is_asked_) {
            last_asked_ =
                second_at(std::max(time, last_asked_ + static_cast<double>(main.batch_delay)));
            wake(last_asked_, Wake::main_pass);
            main_is_asked_ = false;
        }
        if (!full_is_set_) {
            wake(next_full_pass(), Wake::full_pass);
            full_is_set_ = true;
        }
        const Backfill& rules = settings_.site.backfill;
        if (rules.on && !backfill_is_set_) {
            // Once the interval is over, the thread looks every second.
            const double due = last_backfill_ + static_cast<double>(rules.interval);
            const double next = settings_.backfill_first ? std::floor(time) + 1 : time;
            wake(second_at(due > time ? due : next), Wake::backfill_pass);
            backfill_is_set_ = true;
        }
    }

    struct Clearing {
        double until = 0;
        NodeSet nodes;
    };

    PolicySettings settings_;
    std::vector<std::uint32_t> first_processor_;  ///< of each node, and the end of the last
    std::vector<bool> out_;                       ///< of order, by processor
    std::vector<ProcessorRange> named_;
    Requests requests_;
    Priorities priorities_;
    Scheduler scheduler_;
    std::unordered_map<std::uint64_t, JobId> jobs_;
    std::unordered_map<std::uint64_t, double> started_;
    std::unordered_map<std::uint32_t, std::uint64_t> first_tasks_;  ///< of arrays, by their number
    std::vector<Clearing> clearing_;
    NodeSet completing_;
    Actions* actions_ = nullptr;
    std::int64_t last_recomputed_ = 0;
    double last_main_ = -1e18;
    double last_asked_ = -1e18;     ///< main pass that submissions asked for
    double last_backfill_ = -1e18;  ///< its end
    std::vector<JobId> ends_now_;   ///< which a backfill pass ahead of them has not been told of
    bool main_is_asked_ = false;
    bool full_is_set_ = false;
    bool backfill_is_set_ = false;
};

class SlurmVerifier final : public ScheduleVerifier {
  public:
    explicit SlurmVerifier(Settings site)
        : site_(std::move(site))
        , requests_(site_)
        , first_processor_(first_processors(site_.nodes))
        , jobs_(site_.nodes.size())
        , is_whole_(site_.nodes.size()) {}

    void observe(const ScheduleStep& step) override {
        using Kind = ScheduleStep::Kind;
        if (step.kind == Kind::start || step.kind == Kind::resume) {
            start(step);
        } else if (step.kind == Kind::suspend || step.kind == Kind::completion) {
            const auto held = held_.extract(step.job->index);
            held.mapped().for_each([&](std::size_t node) {
                --jobs_[node];
                is_whole_[node] = false;
            });
        }
    }
    void end_of_instant(double /*time*/) override {}
    void finish() override {}

  private:
    void start(const ScheduleStep& step) {
        const Partition& partition = site_.partitions[requests_.of(*step.job, 0).partition];
        NodeSet nodes(site_.nodes.size());
        for (const ProcessorRange& range : step.processors) {
            nodes |= nodes_of(first_processor_, range.first.value, range.count);
        }
        expect(nodes.within(partition.nodes), step, "runs outside its partition");
        nodes.for_each([&](std::size_t node) {
            expect(!is_whole_[node], step, "shares a node that another job has whole");
            expect(jobs_[node] == 0 || !partition.whole_nodes, step, "shares its whole node");
            ++jobs_[node];
            is_whole_[node] = partition.whole_nodes;
        });
        held_.emplace(step.job->index, std::move(nodes));
    }

    static void expect(bool holds, const ScheduleStep& step, const char* problem) {
        if (!holds) {
            throw ScheduleError(
                fmt::format("at time {}: job {} {}", step.time, step.job->index, problem)
            );
        }
    }

    Settings site_;
    Requests requests_;
    std::vector<std::uint32_t> first_processor_;
    std::vector<std::uint32_t> jobs_;  ///< on each node
    std::vector<bool> is_whole_;
    std::unordered_map<std::uint64_t, NodeSet> held_;
};

}  // namespace

std::unique_ptr<Policy> make_policy(PolicySettings settings, const Outages& outages) {
    return std::make_unique<Slurm>(std::move(settings), outages);
}

std::unique_ptr<ScheduleVerifier> make_verifier(Settings site) {
    return std::make_unique<SlurmVerifier>(std::move(site));
}

}  // namespace schedfarm::policies::slurm
