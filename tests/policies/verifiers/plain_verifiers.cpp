#include "tests/policies/verifiers/plain_verifiers.hpp"

#include <array>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "engine/random/stream.hpp"

#include "policies/backfilling/easy.hpp"
#include "policies/gang/gang.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;    // NOLINT(google-build-using-namespace)
using namespace policies;  // NOLINT(google-build-using-namespace)

using Made = MadeVerifier;
using Make = std::function<Made(const Parameters&, const PolicyContext&)>;

// Queues in the order of a key.

struct Queue {
    QueueSettings settings;
    QueueKey key;
};
using QueueOf = std::function<Queue(const Parameters&, const PolicyContext&)>;
using RunTimeOrder = double (*)(const Job&, double run_time, double now);

QueueSettings sorted(const Parameters& given, KeyTime key_time) {
    QueueSettings settings = queue_settings(given);
    settings.simultaneous = simultaneous(given);
    settings.key_time = key_time;
    return settings;
}

QueueOf by_run_time(RunTimeOrder order, KeyTime key_time = KeyTime::arrival) {
    return [=](const Parameters& given, const PolicyContext&) {
        const auto key = [order, source = run_time(given, "run_time")](const Job& job, double now) {
            return order(job, planned_duration(job, source), now);
        };
        return Queue{sorted(given, key_time), key};
    };
}

double expansion_order(const Job& job, double run_time, double now) {
    return run_time > 0 ? -(now - job.submit_time) / run_time
                        : -std::numeric_limits<double>::infinity();
}

const std::map<std::string, QueueOf>& queues_by_name() {
    static const std::map<std::string, QueueOf> queues = {
        {"fcfs",
         [](const Parameters& given, const PolicyContext&) {
             return Queue{{.placement = placement_rule(given)}, {}};
         }},
        {"fpfs",
         [](const Parameters& given, const PolicyContext&) {
             return Queue{queue_settings(given), {}};
         }},
        {"fpmpfs",
         [](const Parameters& given, const PolicyContext&) {
             return Queue{sorted(given, KeyTime::arrival), [](const Job& job, double) {
                              return -1.0 * job.size;
                          }};
         }},
        {"random_order",
         [](const Parameters& given, const PolicyContext& context) {
             return Queue{
                 sorted(given, KeyTime::arrival),
                 [random = context.random](const Job& job, double) {
                     return unit_interval(random.draw(job.index));
                 }};
         }},
        {"sjf", by_run_time([](const Job&, double time, double) { return time; })},
        {"ljf", by_run_time([](const Job&, double time, double) { return -time; })},
        {"smallest_area_first",
         by_run_time([](const Job& job, double time, double) { return job.size * time; })},
        {"largest_area_first",
         by_run_time([](const Job& job, double time, double) { return -(job.size * time); })},
        {"lxf", by_run_time(expansion_order, KeyTime::scan)}};
    return queues;
}

// The policies' own rules.

/// A fixed grid: the root class has slices of its own, which go to others where it has no job.
bool grid_serves(const BuddyTrees& trees, std::uint32_t row, std::uint32_t own, std::uint32_t) {
    return !trees.is_root(own) || row == own;
}

bool push_down_serves(
    const BuddyTrees& trees, std::uint32_t row, std::uint32_t own, std::uint32_t
) {
    return trees.is_root(row) ? row == own : own <= row;
}

bool vanilla_serves(
    const BuddyTrees& trees, std::uint32_t row, std::uint32_t own, std::uint32_t first
) {
    const std::uint32_t node = first / trees.node_size(own);
    for (const SlicePart& part : row_parts(trees, row)) {
        for (const NodeRange& range : part.nodes) {
            if (part.job_class == own && node >= range.first && node < range.end) {
                return true;
            }
        }
    }
    return false;
}

Make gang(RowServes serves, Resumed resumed) {
    return [=](const Parameters&, const PolicyContext& context) {
        return make_gang_verifier(BuddyTrees(context.system.processors()), serves, resumed);
    };
}

bool is_one_reservation(const EasySettings& settings) {
    return settings.simultaneous != Simultaneous::finish_by_finish
           && settings.candidate_time == settings.running_time
           && settings.extra_rule == ExtraRule::on && settings.shadow == ShadowRule::recomputed
           && settings.order == QueueOrder::fcfs;
}

/// Around advance reservations and outages EASY plans as one reservation that stands does.
bool plans_around(const EasySettings& settings, const PolicyContext& context) {
    return context.has_fixed_starts
           || (!context.system.outages.empty() && is_one_reservation(settings));
}

/// The head starts where it fits.
Made make_easy_head(const Parameters& given, const PolicyContext& context) {
    const EasySettings settings = easy_settings(given);
    if (plans_around(settings, context)) {
        return nullptr;
    }
    const auto key = [order = settings.order](const Job& job, double now) {
        return queue_key(order, {job.submit_time, job.estimate, job.size}, now);
    };
    return make_queue_verifier(
        {.max_jumps = any_number_of_jumps,
         .placement = settings.placement,
         .key_time = changes_with_time(settings.order) ? KeyTime::scan : KeyTime::arrival,
         .simultaneous = settings.simultaneous},
        key,
        context.system,
        MustStart::head
    );
}

const std::map<std::string, Make>& own_table() {
    static const std::map<std::string, Make> makers = {
        {"easy", make_easy_head},
        {"calendar",
         [](const Parameters& given, const PolicyContext& context) {
             return make_calendar_verifier(
                 given.reals("slot_sizes").front(), run_time(given, "run_time"), context.system
             );
         }},
        {"managers",
         [](const Parameters& given, const PolicyContext& context) {
             return make_managers_verifier(managers_plan(given, context.system));
         }},
        {"queues",
         [](const Parameters& given, const PolicyContext& context) {
             return make_queues_verifier(queues_plan(given), context, make_own_verifier);
         }},
        {"slices",
         [](const Parameters& given, const PolicyContext& context) {
             return make_slices_verifier(slices_plan(given), context, make_own_verifier);
         }},
        {"partitions",
         [](const Parameters& given, const PolicyContext& context) {
             return make_partitions_verifier(
                 partitions_plan(given, context.system), context, make_own_verifier
             );
         }},
        {"matrix_gang",
         [](const Parameters&, const PolicyContext&) {
             return std::make_unique<SliceVerifier>(
                 [](std::uint64_t, const ScheduleStep&) { return true; }, Resumed::on_its_processors
             );
         }},
        {"migration_gang", gang(grid_serves, Resumed::anywhere)},
        {"push_down_gang", gang(push_down_serves, Resumed::on_its_processors)},
        {"tree_packing_gang", gang(grid_serves, Resumed::on_its_processors)},
        {"vanilla_gang", gang(vanilla_serves, Resumed::on_its_processors)},
        {"scojo_pect", [](const Parameters& given, const PolicyContext& context) {
             return make_scojo_verifier(scojo_settings(given), context.system);
         }}};
    return makers;
}

// Second implementations.

Made make_reservations(
    const Parameters& given, const PolicyContext& context, const Entitlement& entitlement
) {
    return make_reservation_verifier(reservation_settings(given, entitlement), context.system);
}

/// Elsewhere a plain program judges EASY (plain_easy.hpp).
Made make_easy(const Parameters& given, const PolicyContext& context) {
    const EasySettings settings = easy_settings(given);
    if (!plans_around(settings, context)) {
        return nullptr;
    }
    return make_reservation_verifier(
        {.simultaneous = settings.simultaneous,
         .run_time = settings.running_time,
         .placement = settings.placement,
         .entitlement = {.most = 1}},
        context.system
    );
}

Made make_conservative(const Parameters& given, const PolicyContext& context) {
    return make_reservations(given, context, {});
}

Made make_k_reservations(const Parameters& given, const PolicyContext& context) {
    const auto most = static_cast<std::uint64_t>(given.integer("reservations"));
    return make_reservations(given, context, {.most = most});
}

Made make_selective(const Parameters& given, const PolicyContext& context) {
    const double factor = given.real("expansion_factor");
    return make_reservations(given, context, {.expansion_factor = factor});
}

Made plain_or_own(
    const PolicyDescription& policy, const Parameters& given, const PolicyContext& context
) {
    auto plain = make_plain_verifier(policy, given, context);
    return plain ? std::move(plain) : make_own_verifier(policy, given, context);
}

Made make_queues(const Parameters& given, const PolicyContext& context) {
    return make_queues_verifier(queues_plan(given), context, plain_or_own);
}

Made make_slices(const Parameters& given, const PolicyContext& context) {
    return make_slices_verifier(slices_plan(given), context, plain_or_own);
}

Made make_partitions(const Parameters& given, const PolicyContext& context) {
    return make_partitions_verifier(partitions_plan(given, context.system), context, plain_or_own);
}

const std::map<std::string, Make>& plain_table() {
    static const std::map<std::string, Make> makers = {
        {"easy", make_easy},
        {"conservative", make_conservative},
        {"k_reservations", make_k_reservations},
        {"selective", make_selective},
        {"queues", make_queues},
        {"slices", make_slices},
        {"partitions", make_partitions}};
    return makers;
}

/// The two as one; the first is told first.
class JoinedVerifiers final : public ScheduleVerifier {
  public:
    JoinedVerifiers(Made first, Made second) : both_{std::move(first), std::move(second)} {}

    void observe(const ScheduleStep& step) override {
        for (const Made& verifier : both_) {
            verifier->observe(step);
        }
    }
    void end_of_instant(double time) override {
        for (const Made& verifier : both_) {
            verifier->end_of_instant(time);
        }
    }
    void finish() override {
        for (const Made& verifier : both_) {
            verifier->finish();
        }
    }

  private:
    std::array<Made, 2> both_;
};

}  // namespace

Made make_own_verifier(
    const PolicyDescription& policy, const Parameters& given, const PolicyContext& context
) {
    Made promises = policy.make_verifier ? policy.make_verifier(given, context) : nullptr;
    const std::string& name = policy.alternative.name;
    if (const auto queue = queues_by_name().find(name); queue != queues_by_name().end()) {
        const Queue found = queue->second(given, context);
        return make_queue_verifier(found.settings, found.key, context.system);
    }
    const auto found = own_table().find(name);
    Made own = found != own_table().end() ? found->second(given, context) : nullptr;
    if (own && promises) {
        return std::make_unique<JoinedVerifiers>(std::move(own), std::move(promises));
    }
    return own ? std::move(own) : std::move(promises);
}

Made make_plain_verifier(
    const PolicyDescription& policy, const Parameters& given, const PolicyContext& context
) {
    const std::string& name = policy.alternative.name;
    if (const auto queue = queues_by_name().find(name); queue != queues_by_name().end()) {
        const Queue found = queue->second(given, context);
        return make_plain_queue_verifier(found.settings, found.key, context.system);
    }
    const auto plain = plain_table().find(name);
    return plain != plain_table().end() ? plain->second(given, context) : nullptr;
}

}  // namespace schedfarm::tests
