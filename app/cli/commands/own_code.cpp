#include "app/cli/commands/own_code.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "engine/foundation/utf8.hpp"

#include "policies/external/code.hpp"
#include "policies/external/plugin.hpp"

#include "app/cli/commands/package.hpp"
#include "app/cli/explain.hpp"

namespace schedfarm::app {

void let_code_run() {
    std::vector<std::string> variables;
    if (const std::string folder = package_folder(); !folder.empty()) {
        const char* const more = std::getenv("PYTHONPATH");  // NOLINT(concurrency-mt-unsafe)
        const bool has_more = more != nullptr && *more != '\0';
        variables.push_back("PYTHONPATH=" + folder + (has_more ? std::string(":") + more : ""));
    }
    policies::allow_external_code(std::move(variables));
}

void expect_own_code(
    const std::vector<const engine::Choice*>& policies,
    const std::vector<std::filesystem::path>& named_by,
    CodeOf allowed
) {
    std::vector<policies::ExternalCode> codes;
    for (const engine::Choice* policy : policies) {
        for (policies::ExternalCode& code : policies::external_codes(*policy)) {
            if (std::find(codes.begin(), codes.end(), code) == codes.end()) {
                codes.push_back(std::move(code));
            }
        }
    }
    for (policies::ExternalCode code : codes) {
        spdlog::info("starts code of the campaign: `{}`", engine::without_controls(code.text()));
        if (allowed == CodeOf::this_user) {
            for (const std::filesystem::path& file : named_by) {
                code.files.push_back(std::filesystem::absolute(file).string());
            }
            if (const std::string foreign = code.foreign_part(); !foreign.empty()) {
                throw UsageError(fmt::format(
                    "`{}` may be code of others: {}. Read it, then start it with --allow-code",
                    engine::without_controls(code.text()),
                    foreign
                ));
            }
        }
    }
}

std::vector<std::filesystem::path> files_of(
    const CampaignSource& source, const std::filesystem::path& campaign
) {
    std::vector<std::filesystem::path> files{campaign};
    for (const auto& [name, content] : source.files) {
        files.push_back(std::filesystem::path(source.folder) / name);
    }
    return files;
}

void expect_own_code(
    const Plan& plan, const std::vector<std::filesystem::path>& named_by, CodeOf allowed
) {
    std::vector<const engine::Choice*> policies;
    for (const Cell& cell : plan.cells) {
        if (policies.empty() || policies.back() != cell.policy.get()) {
            policies.push_back(cell.policy.get());
        }
    }
    expect_own_code(policies, named_by, allowed);
    for (const Cell& cell : plan.cells) {
        try {
            policies::expect_plugin_takes(*cell.policy, cell.system);
        } catch (const policies::ExternalPolicyError& error) {
            throw UsageError(fmt::format("cell {}: {}", cell.index, error.what()));
        }
    }
}

}  // namespace schedfarm::app
