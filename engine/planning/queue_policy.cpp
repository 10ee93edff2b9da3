#include "engine/planning/queue_policy.hpp"

#include <utility>

#include "engine/foundation/expect.hpp"
#include "engine/planning/waiting_queue.hpp"
#include "engine/simulation/actions.hpp"

namespace schedfarm::engine {

namespace {

class QueuePolicy final : public Policy {
  public:
    QueuePolicy(const QueueSettings& settings, QueueKey key)
        : queue_(settings.max_jumps)
        , placer_(settings.placement)
        , arrival_scan_(settings.arrival_scan)
        , key_time_(settings.key_time)
        , key_(std::move(key)) {}

    void react(const EventBatch& events, Actions& actions) override {
        const bool processors_came = !events.completions.empty() || events.capacity_changed;
        const bool scans =
            arrival_scan_ == ArrivalScan::always || queue_.empty() || processors_came;
        for (const JobId id : events.arrivals) {
            const Job& job = actions.job(id);
            queue_.add(id, job.size, has_fixed_keys() ? key_(job, actions.now()) : 0);
        }
        const Machine& machine = actions.machine();
        if (scans) {
            if (key_time_ == KeyTime::scan && machine.free_processors() > 0) {
                queue_.reorder([&](JobId id) { return key_(actions.job(id), actions.now()); });
            }
            queue_.scan([&](const WaitingJob& waiting) { return offer(waiting, machine, actions); }
            );
        }
    }

  private:
    bool has_fixed_keys() const { return key_ && key_time_ == KeyTime::arrival; }

    Offer offer(const WaitingJob& waiting, const Machine& machine, Actions& actions) {
        const std::uint32_t free = machine.free_processors();
        if (waiting.size > free) {
            return free == 0 ? Offer::nothing_fits : Offer::does_not_fit;
        }
        const auto shares = placer_.place(actions.job(waiting.id), machine.free_by_cluster());
        if (shares.empty()) {
            return Offer::does_not_fit;
        }
        actions.start(waiting.id, shares);
        return Offer::started;
    }

    WaitingQueue queue_;
    Placer placer_;
    ArrivalScan arrival_scan_;
    KeyTime key_time_;
    QueueKey key_;
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
            "which cluster a component goes to: the first with enough free processors, the "
            "one with the fewest that suffice, or the one with the most (unordered and "
            "grouped requests)",
        .type = ParameterType::text,
        .default_value = "first_fit",
        .words = {"first_fit", "best_fit", "worst_fit"}};
}

PlacementRule placement_rule(const Parameters& parameters) {
    const std::string& word = parameters.text("placement");
    if (word == "best_fit") {
        return PlacementRule::best_fit;
    }
    if (word == "worst_fit") {
        return PlacementRule::worst_fit;
    }
    SCHEDFARM_EXPECT(word == "first_fit", "no placement '" + word + "'");
    return PlacementRule::first_fit;
}

std::vector<ParameterDescription> queue_parameters() {
    return {
        {.name = "max_jumps",
         .meaning = "ageing: how often waiting jobs may be overtaken by jobs behind them in the "
                    "queue; 0: the head of the queue blocks; 1000000000 is as good as no limit",
         .unit = "starts",
         .type = ParameterType::integer,
         .default_value = 7,
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
