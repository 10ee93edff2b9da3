#include "tests/policies/verifiers/plain_verifiers.hpp"

#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "engine/random/stream.hpp"

#include "policies/backfilling/easy.hpp"
#include "policies/composition/partitions.hpp"
#include "policies/composition/queues.hpp"
#include "policies/composition/slices.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;    // NOLINT(google-build-using-namespace)
using namespace policies;  // NOLINT(google-build-using-namespace)

using Made = std::unique_ptr<ScheduleVerifier>;
using Make = std::function<Made(const Parameters&, const PolicyContext&)>;
using RunTimeOrder = double (*)(const Job&, double run_time, double now);

QueueSettings sorted(const Parameters& given, KeyTime key_time) {
    QueueSettings settings = queue_settings(given);
    settings.simultaneous = simultaneous(given);
    settings.key_time = key_time;
    return settings;
}

Make by_run_time(RunTimeOrder order, KeyTime key_time = KeyTime::arrival) {
    return [=](const Parameters& given, const PolicyContext& context) {
        const auto key = [order, source = run_time(given, "run_time")](const Job& job, double now) {
            return order(job, planned_duration(job, source), now);
        };
        return make_plain_queue_verifier(sorted(given, key_time), key, context.system);
    };
}

double expansion_order(const Job& job, double run_time, double now) {
    return run_time > 0 ? -(now - job.submit_time) / run_time
                        : -std::numeric_limits<double>::infinity();
}

Made make_fpmpfs(const Parameters& given, const PolicyContext& context) {
    const auto key = [](const Job& job, double) {
        return -1.0 * job.size;
    };
    return make_plain_queue_verifier(sorted(given, KeyTime::arrival), key, context.system);
}

Made make_random_order(const Parameters& given, const PolicyContext& context) {
    const auto key = [random = context.random](const Job& job, double) {
        return unit_interval(random.draw(job.index));
    };
    return make_plain_queue_verifier(sorted(given, KeyTime::arrival), key, context.system);
}

Made make_fcfs(const Parameters& given, const PolicyContext& context) {
    return make_plain_queue_verifier({.placement = placement_rule(given)}, {}, context.system);
}

Made make_fpfs(const Parameters& given, const PolicyContext& context) {
    return make_plain_queue_verifier(queue_settings(given), {}, context.system);
}

Made make_reservations(
    const Parameters& given, const PolicyContext& context, const Entitlement& entitlement
) {
    return make_reservation_verifier(reservation_settings(given, entitlement), context.system);
}

// Around advance reservations and outages EASY plans as one reservation that stands does; elsewhere
// a plain program judges it (plain_easy.hpp).
Made make_easy(const Parameters& given, const PolicyContext& context) {
    const EasySettings settings = easy_settings(given);
    const bool is_one_reservation =
        settings.simultaneous != Simultaneous::finish_by_finish
        && settings.candidate_time == settings.running_time && settings.extra_rule == ExtraRule::on
        && settings.shadow == ShadowRule::recomputed && settings.order == QueueOrder::fcfs;
    const bool plans_around =
        context.has_fixed_starts || (!context.system.outages.empty() && is_one_reservation);
    if (!plans_around) {
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
    return plain ? std::move(plain) : own_verifier(policy, given, context);
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

const std::map<std::string, Make>& table() {
    static const std::map<std::string, Make> makers = {
        {"fcfs", make_fcfs},
        {"fpfs", make_fpfs},
        {"fpmpfs", make_fpmpfs},
        {"random_order", make_random_order},
        {"sjf", by_run_time([](const Job&, double time, double) { return time; })},
        {"ljf", by_run_time([](const Job&, double time, double) { return -time; })},
        {"smallest_area_first",
         by_run_time([](const Job& job, double time, double) { return job.size * time; })},
        {"largest_area_first",
         by_run_time([](const Job& job, double time, double) { return -(job.size * time); })},
        {"lxf", by_run_time(expansion_order, KeyTime::scan)},
        {"easy", make_easy},
        {"conservative", make_conservative},
        {"k_reservations", make_k_reservations},
        {"selective", make_selective},
        {"queues", make_queues},
        {"slices", make_slices},
        {"partitions", make_partitions}};
    return makers;
}

}  // namespace

Made make_plain_verifier(
    const PolicyDescription& policy, const Parameters& parameters, const PolicyContext& context
) {
    const auto own = table().find(policy.alternative.name);
    return own != table().end() ? own->second(parameters, context) : nullptr;
}

}  // namespace schedfarm::tests
