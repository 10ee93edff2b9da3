#include "app/cli/explain.hpp"

#include <exception>
#include <string>

#include <spdlog/spdlog.h>

#include "engine/farm/farm.hpp"
#include "engine/farm/journal/journal.hpp"
#include "engine/farm/task.hpp"
#include "engine/foundation/message_text.hpp"
#include "engine/foundation/utf8.hpp"
#include "engine/simulation/kernel/unserved_job.hpp"

#include "models/trace/reading/log_error.hpp"
#include "policies/external/code.hpp"

#include "results_schema/result_io.hpp"

#include "app/campaign/yaml/config_error.hpp"
#include "app/run/run_campaign.hpp"

namespace schedfarm::app {

ExitCode explain_current_exception() {
    try {
        throw;
    } catch (const ConfigErrors& errors) {
        for (const ConfigProblem& problem : errors.problems()) {
            spdlog::error("{}", problem.text());
        }
        return ExitCode::usage;
    } catch (const UsageError& error) {
        spdlog::error("{}", error.what());
        return ExitCode::usage;
    } catch (const engine::JournalError& error) {
        spdlog::error("{}", engine::without_controls(error.what()));
        return ExitCode::usage;
    } catch (const results_schema::ResultError& error) {
        spdlog::error("{}", engine::without_controls(error.what()));
        return ExitCode::usage;
    } catch (const engine::RanksMissing& error) {
        spdlog::error("{}", error.what());
        return ExitCode::usage;
    } catch (const engine::WorkerBroken& error) {
        spdlog::error("{}", engine::without_controls(error.what()));
        return ExitCode::usage;
    } catch (const models::trace::LogError& error) {
        spdlog::error("{}", engine::without_controls(error.what()));
        return ExitCode::usage;
    } catch (const engine::UnservedJobError& error) {
        spdlog::error("{}", error.what());
        return ExitCode::usage;
    } catch (const policies::ExternalPolicyError& error) {
        spdlog::error("{}", error.what());
        return ExitCode::finished_short;
    } catch (const policies::ExternalCodeChanged& error) {
        spdlog::error("{}", error.what());
        return ExitCode::usage;
    } catch (const std::exception& error) {
        spdlog::critical("{}", error.what());
        return ExitCode::internal;
    } catch (...) {  // of code of the user's own
        spdlog::critical("an exception of unknown type");
        return ExitCode::internal;
    }
}

ExitCode explain_defects(const RunSummary& summary, ExitCode otherwise) {
    if (summary.defects.empty()) {
        return otherwise;
    }
    spdlog::critical(
        "{}: written, but it fails its own check ({}). This is an error of schedfarm: report it, "
        "with all that `{}` lists",
        summary.output.string(),
        engine::without_controls(summary.defects.front().problem),
        engine::program_command({"report", "--table", "defects", summary.output})
    );
    return ExitCode::internal;
}

}  // namespace schedfarm::app
