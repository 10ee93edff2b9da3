#include "app/cli/walltime_watch.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/cli/commands/run_totals.hpp"

namespace schedfarm::app {

WalltimeWatch::WalltimeWatch(std::optional<double> whole_s) {
    if (whole_s) {
        allocation_.emplace(0, *whole_s);
    }
}

bool WalltimeWatch::is_too_late(const CampaignProgress& progress) {
    if (!allocation_ || verdict_ != AllocationVerdict::go_on) {
        return verdict_ != AllocationVerdict::go_on;
    }
    const std::vector<double> predicted = predicted_seconds(progress);
    verdict_ = allocation_->judge(since_start_.seconds(), predicted);
    for (const double seconds : predicted) {
        longest_s_ = std::max(longest_s_, seconds);
    }
    return verdict_ != AllocationVerdict::go_on;
}

void WalltimeWatch::explain() const {
    if (verdict_ == AllocationVerdict::drain) {
        spdlog::info("the time left is shorter than a replication: stopping here");
    } else if (verdict_ == AllocationVerdict::never) {
        spdlog::error(
            "a replication is predicted to last {}, longer than the {} that this run may use "
            "in all: going on would not help. Give it more time, or shorten the horizon",
            measured_text(longest_s_),
            measured_text(allocation_->usable_s())
        );
    }
}

}  // namespace schedfarm::app
