// The words of SchedulerParameters; a campaign may give those with numbers as parameters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/foundation/parameters.hpp"

#include "policies/slurm/settings.hpp"

namespace schedfarm::policies::slurm {

enum class Word : std::uint8_t {
    taken,
    passed_over,  ///< touches no schedule
    refused,      ///< would change schedules and is not modelled
    unreadable,   ///< its value is not of its kind
    unknown
};

/// Takes one word, `name=value` or `name`, into the settings.
Word take_scheduler_parameter(Settings& settings, std::string_view name, std::string_view value);

/// "a whole number from 1 on (how far backfill plans ahead, in min)". REQUIRES: it was unreadable.
std::string scheduler_parameter_need(std::string_view name);

/// The known name, or the one of `others`, that is nearest.
std::string nearest_scheduler_parameter(
    std::string_view name, const std::vector<std::string>& others = {}
);

std::vector<engine::ParameterDescription> scheduler_parameter_rows();

/// Takes those of the rows that say something.
std::vector<engine::ParameterProblem> take_scheduler_parameters(
    Settings& settings, const engine::Parameters& given
);

}  // namespace schedfarm::policies::slurm
