#include "models/trace/job_list.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

namespace schedfarm::models::trace {

namespace {

template <typename T>
std::vector<T> picked_values(const std::vector<T>& values, std::span<const std::uint32_t> numbers) {
    std::vector<T> result;
    if (values.empty()) {
        return result;
    }
    result.reserve(numbers.size());
    for (const std::uint32_t number : numbers) {
        result.push_back(values[number]);
    }
    return result;
}

template <typename T>
Column<T> picked_values(const Column<T>& values, std::span<const std::uint32_t> numbers) {
    const std::size_t count = values.size() == 0 ? 0 : numbers.size();
    return Column<T>::made(count, [&](std::size_t i) { return values[numbers[i]]; });
}

}  // namespace

JobList slice(const JobList& jobs, std::size_t first, std::size_t count) {
    const auto values = [&](const auto& column) {
        if (column.empty()) {
            return column;
        }
        const auto begin = column.begin() + static_cast<std::ptrdiff_t>(first);
        return std::decay_t<decltype(column)>(begin, begin + static_cast<std::ptrdiff_t>(count));
    };
    return {
        .submit = values(jobs.submit),
        .run = values(jobs.run),
        .request = values(jobs.request),
        .processors = values(jobs.processors),
        .user = Column<std::int64_t>::made(
            jobs.user.size() == 0 ? 0 : count, [&](std::size_t i) { return jobs.user[first + i]; }
        ),
        .row = values(jobs.row),
        .copy = values(jobs.copy)};
}

JobList picked(const JobList& jobs, std::span<const std::uint32_t> numbers) {
    return {
        .submit = picked_values(jobs.submit, numbers),
        .run = picked_values(jobs.run, numbers),
        .request = picked_values(jobs.request, numbers),
        .processors = picked_values(jobs.processors, numbers),
        .user = picked_values(jobs.user, numbers),
        .row = picked_values(jobs.row, numbers),
        .copy = picked_values(jobs.copy, numbers)};
}

void append(JobList& jobs, const JobList& more) {
    const auto append_column = [](auto& to, const auto& from) {
        to.insert(to.end(), from.begin(), from.end());
    };
    append_column(jobs.submit, more.submit);
    append_column(jobs.run, more.run);
    append_column(jobs.request, more.request);
    append_column(jobs.processors, more.processors);
    jobs.user.append(more.user.values());
    append_column(jobs.row, more.row);
    append_column(jobs.copy, more.copy);
}

void sort_by_submit(JobList& jobs) {
    if (std::is_sorted(jobs.submit.begin(), jobs.submit.end())) {
        return;
    }
    std::vector<std::uint32_t> order(jobs.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return jobs.submit[a] < jobs.submit[b];
    });
    jobs = picked(jobs, order);
}

double area(const JobList& jobs) {
    double sum = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        sum += jobs.processors[i] * jobs.run[i];
    }
    return sum;
}

}  // namespace schedfarm::models::trace
