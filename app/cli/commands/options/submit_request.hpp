// From the words of `schedfarm submit` to what is asked of Slurm, and what can be wrong with it.
// Errors are UsageErrors; nothing is started.
#pragma once

#include <filesystem>
#include <optional>

#include "app/campaign/plan/plan.hpp"
#include "app/cli/commands/submit_command.hpp"
#include "app/submit/cost.hpp"
#include "app/submit/job_script.hpp"

namespace schedfarm::app {

/// The result file that is meant.
std::filesystem::path output_of(const SubmitCommand& options);

/// What can be wrong before anything is measured.
void expect_possible(const SubmitCommand& options, const Plan& plan);

/// The job, with the time that the user gave or, without one, that the cost proposes. Refuses what
/// could never end: a replication that outlasts a whole job, a notice as long as the job.
JobRequest request_of(const SubmitCommand& options, const std::optional<CampaignCost>& cost);

}  // namespace schedfarm::app
