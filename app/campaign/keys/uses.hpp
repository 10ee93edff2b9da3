// Where keys count: by experiment, model or policy, and by what another key says. What is not in
// this table counts everywhere. A value that is given where it does not count would be ignored, and
// is refused (app/campaign/grid/unused.hpp). The table is part of the reference page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/experiment.hpp"

namespace schedfarm::app {

struct Use {
    /// A section, or a kind of alternatives with the name of one: "horizon", "workload.trace"; of
    /// several that have the keys: "policy.*".
    std::string owner;
    std::vector<std::string> keys;
    std::vector<engine::ExperimentKind> experiments = {};  ///< empty: all
    /// Beside this key of the same mapping, if it is one of `values`; without those where it is
    /// other than its default. Empty: whatever stands beside.
    std::string beside = {};
    std::vector<std::string> values = {};
};

const std::vector<Use>& uses();

/// Those of a key: all must hold. `owner`: "horizon", "workload.trace".
std::vector<const Use*> uses_of(std::string_view owner, std::string_view key);

/// Why a key does not count: "is not used by experiment 'trace'"; empty where it does. `given`: the
/// mapping with its defaults, of this table.
std::string why_unused(
    const Use& use,
    engine::ExperimentKind experiment,
    const engine::Parameters& given,
    const std::vector<engine::ParameterDescription>& table
);

/// Keys of a campaign that change nothing but what is shown: paths of keys or of sections.
const std::vector<std::string>& keys_that_only_show();

/// Keys that hold a campaign to something and change nothing where it is so.
const std::vector<std::string>& keys_that_only_check();

/// All of this for the reference page, in Markdown.
std::string uses_markdown();

}  // namespace schedfarm::app
