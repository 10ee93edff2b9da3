#include "engine/simulation/bin_filling_recorder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/hash.hpp"

namespace schedfarm::engine {

BinFillingRecorder::BinFillingRecorder(
    const Experiment& experiment, const SystemDescription& system
)
    : fills_(experiment.horizon.fills), processors_(system.processors()) {
    SCHEDFARM_EXPECT(
        !experiment.kind.has_time() && fills_ > 0, "a BinFillingRecorder was made without fills"
    );
}

Observations BinFillingRecorder::finish() const {
    BinFillingRow sum;
    Observations result;
    for (std::uint64_t row = 0; row < bin_rows; ++row) {
        const BinFillingRow& sums = rows_[row];
        SCHEDFARM_EXPECT(
            sums.fills == fills_of_row(fills_, row), "a row has another number of fills"
        );
        sum.placed += sums.placed;
        sum.idle += sums.idle;
        sum.idle_squared += sums.idle_squared;
        result.fingerprint += mix((row << 32) + sums.hash + 1);
    }
    const auto fills = static_cast<double>(fills_);
    const double mean_idle = static_cast<double>(sum.idle) / fills;
    const double squares = static_cast<double>(sum.idle_squared) - mean_idle * mean_idle * fills;
    const double sd = fills_ > 1 ? std::sqrt(std::max(0.0, squares) / (fills - 1))
                                 : std::numeric_limits<double>::quiet_NaN();
    const double loss = mean_idle / processors_;
    result.jobs = sum.placed;
    result.events = sum.placed + fills_;  // and the job that ends each fill
    result.values = {loss, sd / processors_, 1 - loss, static_cast<double>(sum.placed) / fills};
    return result;
}

}  // namespace schedfarm::engine
