#include "policies/slurm/slurm.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "engine/simulation/kernel/actions.hpp"
#include "engine/simulation/kernel/unserved_job.hpp"
#include "engine/simulation/workload_model.hpp"

#include "policies/slurm/priorities.hpp"
#include "policies/slurm/scheduler.hpp"

namespace schedfarm::policies::slurm {

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

constexpr double requeued_is_eligible_after_s = 121;
constexpr double first_basic_priority = 4294901760;  // priority/basic counts down from it

/// Why the policy is woken.
enum class Wake : std::uint8_t { main_pass, full_pass, backfill_pass, nodes_are_free, eligible };

template <typename Named>
std::optional<std::uint32_t> number_of(const std::vector<Named>& named, std::string_view name) {
    const auto at = std::find_if(named.begin(), named.end(), [&](const Named& one) {
        return one.name == name;
    });
    return at == named.end() ? std::nullopt
                             : std::optional(static_cast<std::uint32_t>(at - named.begin()));
}

[[noreturn]] void refuse(const Job& job, std::string_view what) {
    throw UnservedJobError(fmt::format("job {} {}", job.index, what));
}

/// What a job asks for, in Slurm's terms: of what its log does not say, what sbatch would fill in.
class Requests {
  public:
    explicit Requests(const Settings& site) : site_(site) {}

    WaitingJob of(const Job& job, std::int64_t submitted) const {
        static const SubmittedRequest nothing_said;
        const SubmittedRequest& said = job.request == nullptr ? nothing_said : *job.request;
        WaitingJob waiting{.id = job.index + 1};
        waiting.partition = partition_of(job, said);
        const Partition& partition = site_.partitions[waiting.partition];
        waiting.qos = qos_of(job, said);
        waiting.association = association_of(said);
        waiting.user = waiting.association != no_limit ? waiting.association : job.user;
        waiting.submit = submitted;
        waiting.eligible = waiting.accrue =
            submitted + static_cast<std::int64_t>(std::ceil(said.held_s));
        // Limits are whole minutes.
        const double asked = std::min(60 * std::ceil(job.estimate / 60), 1e15);
        waiting.limit =
            std::clamp<std::int64_t>(static_cast<std::int64_t>(asked), 60, partition.max_time);
        waiting.request = request_of(job, said, partition);
        if (waiting.request.nodes
            > std::min<std::size_t>(partition.nodes.count(), partition.max_nodes)) {
            refuse(
                job,
                fmt::format(
                    "needs {} nodes of partition {}, which gives {}",
                    waiting.request.nodes,
                    partition.name,
                    std::min<std::size_t>(partition.nodes.count(), partition.max_nodes)
                )
            );
        }
        return waiting;
    }

  private:
    std::uint32_t partition_of(const Job& job, const SubmittedRequest& said) const {
        if (said.partition.empty()) {
            return site_.default_partition;
        }
        const auto number = number_of(site_.partitions, said.partition);
        if (!number) {
            refuse(
                job, fmt::format("is of partition '{}', which slurm.conf lacks", said.partition)
            );
        }
        return *number;
    }

    std::uint32_t qos_of(const Job& job, const SubmittedRequest& said) const {
        if (said.quality.empty() || site_.qos.empty()) {
            return no_limit;
        }
        const auto number = number_of(site_.qos, said.quality);
        if (!number) {
            refuse(job, fmt::format("has the QOS '{}', which the file of QOS lacks", said.quality));
        }
        return *number;
    }

    std::uint32_t association_of(const SubmittedRequest& said) const {
        for (std::uint32_t k = 0; k < site_.associations.size(); ++k) {
            const Association& one = site_.associations[k];
            if (!said.user.empty() && one.user == said.user
                && (said.account.empty() || one.account == said.account)) {
                return k;
            }
        }
        return no_limit;
    }

    Request request_of(const Job& job, const SubmittedRequest& said, const Partition& partition)
        const {
        Request request;
        std::uint32_t cpus_of_a_node = 1;
        partition.nodes.for_each([&](std::size_t node) {
            cpus_of_a_node = std::max(cpus_of_a_node, site_.nodes[node].cpus);
        });
        request.whole_nodes = partition.whole_nodes;
        request.cpus = said.cpus > 0 ? said.cpus : job.size;
        request.nodes = 1;
        if (said.nodes > 0) {
            request.nodes = request.max_nodes = said.nodes;
        } else if (partition.whole_nodes) {
            request.nodes = request.max_nodes = (job.size + cpus_of_a_node - 1) / cpus_of_a_node;
        }
        if (said.gpus > 0) {
            request.gpus = {{0, said.gpus}};
            request.any_gpus = true;
        }
        if (!partition.whole_nodes && site_.memory_is_shared) {
            request.memory_per_node = static_cast<std::uint64_t>(said.memory_per_node);
            request.memory_per_cpu = static_cast<std::uint64_t>(said.memory_per_cpu);
            if (request.memory_per_node == 0 && request.memory_per_cpu == 0) {
                request.memory_per_cpu = partition.memory_per_cpu;
                request.memory_per_node =
                    partition.memory_per_cpu > 0 ? 0 : partition.memory_per_node;
            }
        }
        return request;
    }

    const Settings& site_;
};

class Slurm final : public Policy {
  public:
    explicit Slurm(PolicySettings settings)
        : settings_(std::move(settings))
        , requests_(settings_.site)
        , scheduler_(settings_.site)
        , priorities_(settings_.site)
        , completing_(settings_.site.nodes.size()) {
        const std::int64_t period = settings_.site.priorities.calc_period;
        const auto phase = static_cast<std::int64_t>(settings_.phase);
        last_recomputed_ =
            (static_cast<std::int64_t>(settings_.clock) - phase) / period * period + phase;
    }

    void react(const EventBatch& events, Actions& actions) override {
        actions_ = &actions;
        recompute_priorities();
        bool main_is_due = false;
        bool full_is_due = false;
        bool backfill_is_due = false;
        for (const Timer& timer : events.timers) {
            switch (static_cast<Wake>(timer.tag)) {
                case Wake::main_pass:
                    main_is_due = true;
                    break;
                case Wake::full_pass:
                    full_is_due = true;
                    break;
                case Wake::backfill_pass:
                    backfill_is_due = true;
                    break;
                case Wake::nodes_are_free:
                    main_is_due = true;
                    free_nodes();
                    break;
                case Wake::eligible:
                    break;
            }
        }
        if (backfill_is_due && settings_.backfill_first) {
            backfill();
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
        if (full_is_due || main_is_due) {
            carry_out(scheduler_.main_pass(now(), full_is_due));
        }
        if (full_is_due) {
            full_is_set_ = false;
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
        }
    }

    void submit(JobId id) {
        const Job& job = actions_->job(id);
        WaitingJob waiting = requests_.of(job, now());
        waiting.priority = settings_.site.priorities.multifactor
                               ? priorities_.of(waiting, now())
                               : first_basic_priority - static_cast<double>(waiting.id);
        jobs_[waiting.id] = id;
        if (waiting.eligible > now()) {
            wake(static_cast<double>(waiting.eligible) - settings_.clock, Wake::eligible);
        }
        scheduler_.submit(std::move(waiting));
        main_is_asked_ = true;
    }

    void end(JobId id) {
        const std::uint64_t number = actions_->job(id).index + 1;
        jobs_.erase(number);
        leave_nodes(scheduler_.end(number));
    }

    void leave_nodes(const RunningJob& job) {
        priorities_.charge_end(job, now());
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

    void carry_out(const Decisions& decisions) {
        for (const Start& start : decisions.starts) {
            const JobId id = jobs_.at(start.id);
            const ClusterShare share{ClusterId{0}, actions_->job(id).size};
            started_[start.id] = actions_->now();
            actions_->start(id, {&share, 1});
        }
        for (const std::uint64_t victim : decisions.victims) {
            requeue(victim);
        }
    }

    /// A job that was sent away has all its service to do again, and is eligible after two minutes.
    void requeue(std::uint64_t number) {
        const JobId id = jobs_.at(number);
        const Job& job = actions_->job(id);
        actions_->suspend(id);
        actions_->delay(id, actions_->now() - started_.at(number));
        leave_nodes(scheduler_.end(number));
        WaitingJob waiting = requests_.of(job, now());
        waiting.eligible = waiting.accrue =
            now() + static_cast<std::int64_t>(requeued_is_eligible_after_s);
        waiting.priority = settings_.site.priorities.multifactor
                               ? priorities_.of(waiting, now())
                               : first_basic_priority - static_cast<double>(number);
        wake(static_cast<double>(waiting.eligible) - settings_.clock, Wake::eligible);
        scheduler_.submit(std::move(waiting));
        if (settings_.node_free_after == 0) {
            wake(actions_->now(), Wake::nodes_are_free);  // a further main pass at once
        }
    }

    void backfill() {
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
    Requests requests_;
    Scheduler scheduler_;
    Priorities priorities_;
    std::unordered_map<std::uint64_t, JobId> jobs_;
    std::unordered_map<std::uint64_t, double> started_;
    std::vector<Clearing> clearing_;
    NodeSet completing_;
    Actions* actions_ = nullptr;
    std::int64_t last_recomputed_ = 0;
    double last_asked_ = -1e18;     ///< main pass that submissions asked for
    double last_backfill_ = -1e18;  ///< its end
    bool main_is_asked_ = false;
    bool full_is_set_ = false;
    bool backfill_is_set_ = false;
};

}  // namespace

std::unique_ptr<Policy> make_policy(PolicySettings settings) {
    return std::make_unique<Slurm>(std::move(settings));
}

}  // namespace schedfarm::policies::slurm
