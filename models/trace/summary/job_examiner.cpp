#include "models/trace/summary/job_examiner.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "engine/foundation/cpu_dispatch.hpp"

namespace schedfarm::models::trace {

namespace {

/// The value above each; takes the last one along.
template <typename T>
std::array<T, JobBatch::capacity> values_above(std::span<const T> values, T& last) {
    std::array<T, JobBatch::capacity> above;  // NOLINT(*-member-init): filled as far as used
    above[0] = last;
    std::copy(values.begin(), values.end() - 1, above.begin() + 1);
    last = values.back();
    return above;
}

}  // namespace

SCHEDFARM_VECTOR_CLONES
void JobExaminer::examine(const JobBatch& batch, OddityCounter& oddities) {
    if (batch.count == 0) {
        return;
    }
    const auto reals = [&](Field field) {
        return batch.real_column(field).data();
    };
    const auto integers = [&](Field field) {
        return batch.integer_column(field).data();
    };
    const double* const submit = reals(Field::submit_time);
    const double* const run = reals(Field::run_time);
    const double* const request = reals(Field::requested_time);
    const std::int64_t* const allocated = integers(Field::allocated_processors);
    const std::int64_t* const requested = integers(Field::requested_processors);
    const std::int64_t* const status = integers(Field::status);
    const std::int64_t* const number = integers(Field::job_number);
    const std::int64_t* const user = integers(Field::user);
    const std::int64_t* const queue = integers(Field::queue);
    const std::int64_t* const preceding = integers(Field::preceding_job);
    const auto submit_above = values_above(batch.real_column(Field::submit_time), last_submit_);
    const auto number_above = values_above(batch.integer_column(Field::job_number), last_number_);
    const std::int64_t machine = machine_;
    // No && and ||: a branch would keep vector instructions out.
    const auto note = [&](OddityKind kind, auto is_odd) {
        std::uint64_t count = 0;
        for (std::size_t i = 0; i < batch.count; ++i) {
            count += is_odd(i) ? 1U : 0U;
        }
        if (count > 0) {
            std::size_t first = 0;
            while (!is_odd(first)) {
                ++first;
            }
            oddities.add(kind, batch.line[first], count);
        }
    };
    using Kind = OddityKind;
    note(Kind::missing_submit_time, [&](auto i) { return submit[i] < 0; });
    note(Kind::unsorted_submit, [&](auto i) { return submit[i] < submit_above[i]; });
    note(Kind::job_number_not_increasing, [&](auto i) { return number[i] <= number_above[i]; });
    note(Kind::missing_processors, [&](auto i) {
        return std::max(allocated[i], requested[i]) <= 0;
    });
    note(Kind::more_than_machine, [&](auto i) {
        return std::max(allocated[i], requested[i]) > machine;
    });
    note(Kind::missing_run_time, [&](auto i) { return run[i] < 0; });
    note(Kind::zero_run_time, [&](auto i) { return run[i] == 0; });
    note(Kind::missing_requested_time, [&](auto i) { return request[i] <= 0; });
    note(Kind::run_above_request, [&](auto i) {
        return static_cast<bool>(
            static_cast<int>(run[i] > request[i]) & static_cast<int>(request[i] > 0)
        );
    });
    note(Kind::unknown_status, [&](auto i) {
        return status[i] != std::clamp<std::int64_t>(status[i], -1, 5);
    });
    note(Kind::partial_execution, [&](auto i) {
        return status[i] == std::clamp<std::int64_t>(status[i], 2, 4);
    });
    note(Kind::follows_another, [&](auto i) { return preceding[i] > 0; });
    note(Kind::wide_name, [&](auto i) {
        return static_cast<bool>(
            static_cast<int>(number[i] > largest_job_number)
            | static_cast<int>(user[i] > largest_name) | static_cast<int>(queue[i] > largest_name)
        );
    });
}

}  // namespace schedfarm::models::trace
