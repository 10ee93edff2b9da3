#include "engine/simulation/measurement/response_series.hpp"

#include <limits>
#include <string>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

ResponseSeries::ResponseSeries(std::uint64_t jobs, std::uint32_t parts)
    : jobs_(jobs), sums_(parts, 0.0) {
    SCHEDFARM_EXPECT(
        jobs > 0 && parts > 0 && jobs < std::numeric_limits<std::uint64_t>::max() / parts,
        "a series was made of " + std::to_string(parts) + " parts of " + std::to_string(jobs)
            + " jobs"
    );
}

// The largest part that begins at the job or before it: part · jobs / n < index + 1.
void ResponseSeries::move_to_part_of(std::uint64_t index) {
    part_ = ((index + 1) * sums_.size() - 1) / jobs_;
    begin_ = begin_of(part_);
    length_ = begin_of(part_ + 1) - begin_;
}

std::vector<double> ResponseSeries::means() const {
    std::vector<double> result;
    result.reserve(sums_.size());
    for (std::size_t part = 0; part < sums_.size(); ++part) {
        const std::uint64_t count = begin_of(part + 1) - begin_of(part);
        result.push_back(
            count > 0 ? sums_[part] / static_cast<double>(count)
                      : std::numeric_limits<double>::quiet_NaN()
        );
    }
    return result;
}

}  // namespace schedfarm::engine
