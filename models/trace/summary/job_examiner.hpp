// Finds what is odd in jobs of a log, judged by the values that were read. Each kind is looked for
// in a whole batch at once, by vector instructions.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "models/trace/job_batch.hpp"
#include "models/trace/summary/oddity.hpp"

namespace schedfarm::models::trace {

class JobExaminer {
  public:
    /// Before the first batch: the processors of the machine, where they are known.
    void begin(std::optional<std::uint64_t> machine) {
        machine_ = machine ? static_cast<std::int64_t>(*machine) : machine_;
    }

    /// Batches come in the order of the log.
    void examine(const JobBatch& batch, OddityCounter& oddities);

    /// Of the last job examined; below any time where there was none.
    double last_submit() const { return last_submit_; }

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    std::int64_t machine_ = std::numeric_limits<std::int64_t>::max();
    // Of the last job before the batch.
    double last_submit_ = -infinity;
    std::int64_t last_number_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace schedfarm::models::trace
