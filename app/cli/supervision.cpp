#include "app/cli/supervision.hpp"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "app/cli/explain.hpp"

namespace schedfarm::app {

namespace {

constexpr const char* supervision_variable = "SCHEDFARM_SUPERVISION";

}  // namespace

std::optional<std::string> variable(const char* name) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::string assignment_of(const Supervision& supervision) {
    return fmt::format(
        "{}=begun_ago:{:.1f},begun_with:{},restart:{:d},terminal:{:d}",
        supervision_variable,
        supervision.begun_ago_s,
        supervision.begun_with,
        supervision.is_restart,
        supervision.is_terminal
    );
}

std::optional<Supervision> supervision_of_this_process() {
    const auto text = variable(supervision_variable);
    if (!text) {
        return std::nullopt;
    }
    Supervision supervision;
    int is_restart = 0;
    int is_terminal = 0;
    const int found = std::sscanf(  // NOLINT(cert-err34-c): what was read is written again
        text->c_str(),
        "begun_ago:%lf,begun_with:%" SCNu64 ",restart:%d,terminal:%d",
        &supervision.begun_ago_s,
        &supervision.begun_with,
        &is_restart,
        &is_terminal
    );
    supervision.is_restart = is_restart != 0;
    supervision.is_terminal = is_terminal != 0;
    if (found != 4
        || assignment_of(supervision) != std::string(supervision_variable) + "=" + *text) {
        throw UsageError(std::string(supervision_variable) + ": for ranks that `schedfarm run` has "
                         "started only. Unset it");
    }
    return supervision;
}

}  // namespace schedfarm::app
