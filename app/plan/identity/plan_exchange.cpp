#include "app/plan/identity/plan_exchange.hpp"

#include <fmt/format.h>

#include "engine/farm/serialization.hpp"

#include "models/trace/log_error.hpp"

namespace schedfarm::app {

engine::Bytes announced(const Plan& plan) {
    engine::ByteWriter writer;
    writer.text(plan.plan_hash);
    writer.bytes(plan.source.serialize());
    return writer.take();
}

Plan make_announced_plan(const engine::Bytes& announcement) {
    engine::ByteReader reader(announcement);
    const std::string plan_hash = reader.text();
    const engine::Bytes source = reader.bytes();
    reader.expect_end();
    Plan plan = make_plan(CampaignSource::deserialize(source));
    if (plan.plan_hash != plan_hash) {
        throw models::trace::LogError(fmt::format(
            "a process of this run makes another plan of campaign '{}' (plan {:.12} against "
            "{:.12}): a log that the campaign names has other contents where it runs, or the "
            "program is another build. Give all machines the same log and program?",
            plan.name,
            plan.plan_hash,
            plan_hash
        ));
    }
    return plan;
}

}  // namespace schedfarm::app
