#include "engine/planning/queue_policy.hpp"

#include <algorithm>
#include <numeric>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "engine/foundation/expect.hpp"
#include "engine/planning/waiting_queue.hpp"
#include "engine/simulation/kernel/actions.hpp"

namespace schedfarm::engine {

namespace {

/// The free processors while the finishes of an instant are taken one by one: those of the machine
/// less what the jobs held whose finish is yet to be taken.
class FreeInTurn {
  public:
    /// All finishes are yet to be taken.
    void begin(std::span<const JobId> completions, const Machine& machine) {
        pending_.assign(machine.cluster_count(), 0);
        for (const JobId id : completions) {
            for (const ClusterShare& share : held_[id.value]) {
                pending_[share.cluster.value] += share.count;
            }
        }
        update(machine);
    }

    void finish(JobId id, const Machine& machine) {
        for (const ClusterShare& share : held_[id.value]) {
            pending_[share.cluster.value] -= share.count;
        }
        update(machine);
    }

    void start(JobId id, std::span<const ClusterShare> shares) {
        held_.resize(std::max(held_.size(), id.value + std::size_t{1}));
        held_[id.value].assign(shares.begin(), shares.end());
        for (const ClusterShare& share : shares) {
            free_[share.cluster.value] -= share.count;
            free_total_ -= share.count;
        }
    }

    std::span<const std::uint32_t> by_cluster() const { return free_; }
    std::uint32_t total() const { return free_total_; }

  private:
    // Where processors went out of order at the instant, fewer may be free than are pending.
    void update(const Machine& machine) {
        const auto all = machine.free_by_cluster();
        free_.assign(all.begin(), all.end());
        for (std::size_t c = 0; c < free_.size(); ++c) {
            free_[c] -= std::min(free_[c], pending_[c]);
        }
        free_total_ = std::accumulate(free_.begin(), free_.end(), std::uint32_t{0});
    }

    std::vector<std::vector<ClusterShare>> held_;  // by slot of the job
    std::vector<std::uint32_t> pending_;           // by cluster
    std::vector<std::uint32_t> free_;              // by cluster
    std::uint32_t free_total_ = 0;
};

class QueuePolicy final : public Policy {
  public:
    QueuePolicy(const QueueSettings& settings, QueueKey key)
        : settings_(settings)
        , queue_(settings.max_jumps)
        , placer_(settings.placement)
        , key_(std::move(key)) {}

    void react(const EventBatch& events, Actions& actions) override {
        actions_ = &actions;
        scan_is_due_ = !events.capacity_changes.empty() || !events.withdrawals.empty();
        for (const JobId id : std::views::reverse(events.withdrawals)) {
            queue_.withdraw(id);
        }
        if (is_in_turn()) {
            in_turn_.begin(events.completions, actions.machine());
        }
        take_events(settings_.simultaneous, events, *this);
    }

    void finish(JobId id) {
        scan_is_due_ = true;
        if (is_in_turn()) {
            in_turn_.finish(id, actions_->machine());
        }
    }

    void submit(JobId id) {
        const Job& job = actions_->job(id);
        scan_is_due_ = scan_is_due_ || queue_.empty();
        queue_.add(id, job.size, has_fixed_keys() ? key_(job, actions_->now()) : 0);
    }

    void pass() {
        if (settings_.arrival_scan == ArrivalScan::only_if_queue_was_empty && !scan_is_due_) {
            return;
        }
        scan_is_due_ = false;
        if (settings_.key_time == KeyTime::scan && free() > 0) {
            queue_.reorder([this](JobId id) { return key_(actions_->job(id), actions_->now()); });
        }
        queue_.scan([this](const WaitingJob& waiting) { return offer(waiting); });
    }

  private:
    bool has_fixed_keys() const { return key_ && settings_.key_time == KeyTime::arrival; }
    bool is_in_turn() const { return settings_.simultaneous != Simultaneous::batch; }

    std::uint32_t free() const {
        return is_in_turn() ? in_turn_.total() : actions_->machine().free_processors();
    }

    Offer offer(const WaitingJob& waiting) {
        const std::uint32_t most = free();
        if (waiting.size > most) {
            return most == 0 ? Offer::nothing_fits : Offer::does_not_fit;
        }
        const auto free_by_cluster =
            is_in_turn() ? in_turn_.by_cluster() : actions_->machine().free_by_cluster();
        const auto shares = placer_.place(actions_->job(waiting.id), free_by_cluster);
        if (shares.empty()) {
            return Offer::does_not_fit;
        }
        if (is_in_turn()) {
            in_turn_.start(waiting.id, shares);
        }
        actions_->start(waiting.id, shares);
        return Offer::started;
    }

    QueueSettings settings_;
    WaitingQueue queue_;
    Placer placer_;
    QueueKey key_;
    FreeInTurn in_turn_;  // not used for a batch

    // Of the batch being taken.
    Actions* actions_ = nullptr;
    bool scan_is_due_ = false;  // though arrivals alone lead to none
};

}  // namespace

std::unique_ptr<Policy> make_queue_policy(const QueueSettings& settings, QueueKey key) {
    SCHEDFARM_EXPECT(settings.max_jumps >= 0, "a queue policy was made with negative max_jumps");
    return std::make_unique<QueuePolicy>(settings, std::move(key));
}

ParameterDescription placement_parameter() {
    return {
        .name = "placement",
        .meaning =
            "which cluster a component goes to, the largest first: the first with enough free "
            "processors, the one with the fewest that suffice, or the one with the most; of "
            "grouped requests the cluster that takes the most components is filled first, and "
            "this settles ties. first_fit_decreasing: as first_fit, and of grouped requests each "
            "component goes to the first cluster with enough left",
        .type = ParameterType::text,
        .default_value = "first_fit",
        .words = {"first_fit", "best_fit", "worst_fit", "first_fit_decreasing"}};
}

bool names_placement(const Parameters& parameters) {
    return parameters.contains("placement");
}

PlacementRule placement_rule(const Parameters& parameters) {
    const std::string& word = parameters.text("placement");
    if (word == "best_fit") {
        return PlacementRule::best_fit;
    }
    if (word == "worst_fit") {
        return PlacementRule::worst_fit;
    }
    if (word == "first_fit_decreasing") {
        return PlacementRule::first_fit_decreasing;
    }
    SCHEDFARM_EXPECT(word == "first_fit", "no placement '" + word + "'");
    return PlacementRule::first_fit;
}

std::vector<ParameterDescription> queue_parameters(std::int64_t max_jumps) {
    return {
        {.name = "max_jumps",
         .meaning = "ageing: how often waiting jobs may be overtaken by jobs behind them in the "
                    "queue; 0: the head of the queue blocks; 1000000000: no limit",
         .unit = "starts",
         .type = ParameterType::integer,
         .default_value = max_jumps,
         .range = {.low = 0, .high = 1e15}},
        placement_parameter(),
        {.name = "scan_on_arrival",
         .meaning = "false: a job that arrives while others wait only joins the queue, which is "
                    "scanned at the next departure",
         .type = ParameterType::boolean,
         .default_value = true}};
}

QueueSettings queue_settings(const Parameters& parameters) {
    return {
        .max_jumps = parameters.integer("max_jumps"),
        .placement = placement_rule(parameters),
        .arrival_scan = parameters.boolean("scan_on_arrival")
                            ? ArrivalScan::always
                            : ArrivalScan::only_if_queue_was_empty};
}

}  // namespace schedfarm::engine
