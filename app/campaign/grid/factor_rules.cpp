// What a factor may vary, and where loads are placed.

#include <fmt/format.h>

#include "engine/foundation/elementary.hpp"

#include "app/campaign/grid/any_policy.hpp"
#include "app/campaign/grid/factors.hpp"
#include "app/campaign/keys/schema.hpp"
#include "app/campaign/keys/sections/seed_range.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

bool overlap(const std::string& a, const std::string& b) {
    if (parameter_of_any_policy(a) || parameter_of_any_policy(b)) {
        return a == b;  // it sets a parameter of a policy that another factor may choose
    }
    const std::string& longer = a.size() > b.size() ? a : b;
    const std::string& shorter = a.size() > b.size() ? b : a;
    return longer.compare(0, shorter.size(), shorter) == 0
           && (longer.size() == shorter.size() || longer[shorter.size()] == '.');
}

bool expect_variable(
    const std::string& path, const SourcePosition& at, const char* verb, Problems& problems
) {
    const std::string key = path_parts(path).front();
    const std::vector<std::string> known = key_names(campaign_section().keys);
    const std::vector<std::string>& variable = variable_keys();
    const bool is_known = contains(known, key);
    if (path == seed_key) {
        problems.add(
            at,
            path,
            fmt::format("'seed' cannot be {} here (a campaign of its own belongs to each)", verb),
            "Write 'factors: {seed: {count: 100}}'."
        );
        return false;
    }
    if (!is_known || contains(variable, key)) {
        return true;
    }
    problems.add(
        at,
        path,
        fmt::format("'{}' cannot be {} (it is one for the whole campaign)", path, verb),
        "Keys that can: " + joined(variable)
    );
    return false;
}

std::string saturation_label(const Level& level) {
    return level.label + " of saturation";
}

std::vector<double> saturation_fractions(std::size_t n) {
    constexpr double first = 0.8;
    constexpr double last = 0.05;
    std::vector<double> fractions;
    for (std::size_t i = 0; i < n; ++i) {
        const double part = n == 1 ? 0.5 : static_cast<double>(i) / static_cast<double>(n - 1);
        fractions.push_back(1 - first * engine::power(last / first, part));
    }
    return fractions;
}

}  // namespace schedfarm::app
