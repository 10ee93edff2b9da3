#include "app/campaign/yaml/problems.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace schedfarm::app {

namespace {

bool is_before(const ConfigProblem& a, const ConfigProblem& b) {
    return std::tie(a.position.file, a.position.line, a.position.column)
           < std::tie(b.position.file, b.position.line, b.position.column);
}

}  // namespace

void Problems::add(
    const SourcePosition& at, std::string key_path, std::string reason, std::string suggestion
) {
    const std::string rule = reason;
    add_once(rule, {at, std::move(key_path), std::move(reason), std::move(suggestion)});
}

void Problems::add_once(std::string_view rule, ConfigProblem problem) {
    const SourcePosition& at = problem.position;
    if (!seen_.insert(fmt::format("{}:{}:{}: {}", at.file, at.line, at.column, rule)).second) {
        return;
    }
    if (problems_.size() >= most_kept) {
        ++dropped_;
        return;
    }
    problems_.push_back(std::move(problem));
}

void Problems::throw_if_any() const {
    if (problems_.empty()) {
        return;
    }
    std::vector<ConfigProblem> sorted = problems_;
    std::stable_sort(sorted.begin(), sorted.end(), is_before);
    if (dropped_ > 0) {
        ConfigProblem more;
        more.reason = fmt::format("… and more problems (the first {} are shown)", most_kept);
        sorted.push_back(std::move(more));
    }
    throw ConfigErrors(std::move(sorted));
}

}  // namespace schedfarm::app
