#include "app/campaign/yaml/config_error.hpp"

#include <utility>

#include <fmt/format.h>

namespace schedfarm::app {

namespace {

std::string all_texts(const std::vector<ConfigProblem>& problems) {
    std::string texts;
    for (const ConfigProblem& problem : problems) {
        if (!texts.empty()) {
            texts += '\n';
        }
        texts += problem.text();
    }
    return texts;
}

}  // namespace

std::string ConfigProblem::text() const {
    std::string where = position.file;
    if (position.line > 0) {
        where += fmt::format(":{}:{}", position.line, position.column);
    }
    if (!where.empty()) {
        where += ": ";
    }
    return where + reason + (suggestion.empty() ? "" : ". " + suggestion);
}

ConfigErrors::ConfigErrors(std::vector<ConfigProblem> problems)
    : std::runtime_error(all_texts(problems)), problems_(std::move(problems)) {}

void throw_problem(SourcePosition at, std::string reason, std::string suggestion) {
    ConfigProblem problem;
    problem.position = std::move(at);
    problem.reason = std::move(reason);
    problem.suggestion = std::move(suggestion);
    std::vector<ConfigProblem> problems;
    problems.push_back(std::move(problem));
    throw ConfigErrors(std::move(problems));
}

}  // namespace schedfarm::app
