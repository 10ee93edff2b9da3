// Policies that are programs of the user's own: whose code a command starts is said first, and that
// of others is not started unasked.
#pragma once

#include <filesystem>
#include <vector>

#include "engine/foundation/parameters.hpp"

#include "app/campaign/plan/plan.hpp"

namespace schedfarm::app {

/// Lets this process, and those that it forks, start what its policies are. Under MPI every rank
/// says so; what it is handed comes from rank 0, which has looked at it (expect_own_code).
void let_code_run();

enum class CodeOf : std::uint8_t { this_user, anybody };

/// Says what is going to be started, where anything is. Throws UsageError where it, or a file that
/// names it (a campaign, what that includes, a journal), belongs to another user or lies where
/// others can write.
void expect_own_code(
    const std::vector<const engine::Choice*>& policies,
    const std::vector<std::filesystem::path>& named_by,
    CodeOf allowed
);

/// The files of a campaign, and the one that the user has named.
std::vector<std::filesystem::path> files_of(
    const CampaignSource& source, const std::filesystem::path& campaign
);

/// The same for all cells of a plan; what a library does not take is said before anything runs.
void expect_own_code(
    const Plan& plan, const std::vector<std::filesystem::path>& named_by, CodeOf allowed
);

}  // namespace schedfarm::app
