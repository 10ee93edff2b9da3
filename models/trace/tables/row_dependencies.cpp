#include "models/trace/tables/row_dependencies.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>

#include "models/trace/reading/number.hpp"
#include "models/trace/tables/table_jobs.hpp"

namespace schedfarm::models::trace {

namespace {

std::string_view cut_off(std::string_view& text, char separator) {
    const std::string_view part = text.substr(0, text.find(separator));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    return part;
}

/// "17", "17_4", "17_*", "17+30" (minutes later, of `after`).
struct JobName {
    std::int64_t job = -1;
    std::int64_t task = -1;
};

std::optional<JobName> job_name(std::string_view text) {
    const std::string_view job = cut_off(text, '_');
    const auto number = parse_integer(job);
    if (!number || *number <= 0) {
        return std::nullopt;
    }
    return JobName{*number, parse_integer(text).value_or(-1)};
}

constexpr std::size_t most_of_a_name = 8;

/// Slurm looks at dependencies in its passes, at least once a minute.
constexpr double longest_look_s = 60;

}  // namespace

void RowDependencies::add(const TableRow& of, const SubmitLine& line) {
    const std::uint32_t row = rows_++;
    if (line.is_empty()) {
        return;
    }
    const JobName own = job_name(of.task).value_or(JobName{});
    const std::string name(line.option("job-name").value_or(line.script()));
    known_.resize(rows_);
    known_.back() = {
        .eligible = of.eligible.seconds,
        .start = of.start.seconds,
        .end = of.end.seconds,
        .name = name.empty() ? 0 : std::hash<std::string>{}(std::string(of.user) + '|' + name),
        .task = static_cast<std::int32_t>(own.task)};
    std::string_view all = line.option("dependency").value_or("");
    if (all.find('?') != std::string_view::npos) {
        return;
    }
    while (!all.empty()) {
        std::string_view one = cut_off(all, ',');
        std::string_view kind = "afterany";
        if (one.empty() || one.front() < '0' || one.front() > '9') {
            kind = cut_off(one, ':');
        }
        if (kind == "singleton") {
            singletons_.push_back(row);
        }
        const bool waits_for_end =
            kind == "afterany" || kind == "afterok" || kind == "afternotok" || kind == "aftercorr";
        while (waits_for_end && !one.empty()) {
            if (const auto before = job_name(cut_off(one, ':'))) {
                const bool is_same_task = kind == "aftercorr" && before->task < 0;
                named_.push_back({row, before->job, is_same_task ? own.task : before->task});
            }
        }
    }
}

/// Only for one that was over when it started.
bool RowDependencies::waits(std::uint32_t row, std::uint32_t before) const {
    const Known& later = known_[row];
    const Known& sooner = known_[std::min<std::size_t>(before, known_.size() - 1)];
    return before < known_.size() && row != before && sooner.start >= 0 && sooner.end > sooner.start
           && later.start >= sooner.end;
}

std::vector<RowDependency> RowDependencies::found(const Log& log) const {
    std::vector<RowDependency> result;
    std::map<std::int64_t, std::vector<std::uint32_t>> rows_of;
    std::map<std::uint64_t, std::vector<std::uint32_t>> rows_named;
    for (const Named& one : named_) {
        rows_of[one.job];
    }
    for (const std::uint32_t row : singletons_) {
        rows_named[known_[row].name];
    }
    rows_named.erase(0);
    if (rows_of.empty() && rows_named.empty()) {
        return result;
    }
    for (std::uint32_t row = 0; row < known_.size(); ++row) {
        const auto job = rows_of.find(log.array[row] > 0 ? log.array[row] : log.job_number[row]);
        if (job != rows_of.end()) {
            job->second.push_back(row);
        }
        if (const auto name = rows_named.find(known_[row].name); name != rows_named.end()) {
            name->second.push_back(row);
        }
    }
    const auto add = [&](std::uint32_t row, std::uint32_t before) {
        const double after = known_[row].eligible - known_[before].end;
        result.push_back({row, before, after <= longest_look_s});
    };
    for (const Named& one : named_) {
        for (const std::uint32_t before : rows_of[one.job]) {
            if ((one.task < 0 || known_[before].task == one.task) && waits(one.row, before)) {
                add(one.row, before);
            }
        }
    }
    for (const std::uint32_t row : singletons_) {
        std::vector<std::uint32_t> over;
        if (const auto same = rows_named.find(known_[row].name); same != rows_named.end()) {
            std::ranges::copy_if(same->second, std::back_inserter(over), [&](auto before) {
                return waits(row, before);
            });
        }
        // The others were over before these began.
        const std::size_t count = std::min(over.size(), most_of_a_name);
        std::ranges::partial_sort(
            over,
            over.begin() + static_cast<std::ptrdiff_t>(count),
            std::greater<>(),
            [&](auto before) { return known_[before].end; }
        );
        for (std::size_t k = 0; k < count; ++k) {
            add(row, over[k]);
        }
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

}  // namespace schedfarm::models::trace
