#include "app/cli/commands/trace_command.hpp"

#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"
#include "engine/foundation/utf8.hpp"

#include "models/trace/prepared_log.hpp"
#include "models/trace/summary/machine_size.hpp"
#include "models/trace/summary/summary.hpp"
#include "models/trace/summary/summary_text.hpp"

#include "app/cli/commands/options/output_guard.hpp"
#include "app/simulate/log_json.hpp"
#include "app/simulate/log_source.hpp"
#include "app/simulate/output_file.hpp"

namespace schedfarm::app {

namespace {

namespace trace = models::trace;

/// To be looked at a log stays as it is unless settings say otherwise; to be written it is made
/// ready for simulators.
trace::Log log_for(const TraceCommand& options) {
    const SimulationRequest& request = options.request;
    if (request.trace.empty()) {
        return generated_log(request);
    }
    const bool stays = options.output.empty() && sets_reading_alone(request);
    trace::Reading reading =
        trace_settings(request, read_workload(request).choice.parameters).reading;
    reading.checksum = trace::Checksum::sha256;
    trace::Log log = stays ? trace::opened_log(request.trace, reading) : normalised_log(request);
    if (!request.clusters.empty()) {
        trace::give_machine_size(log, read_system(request).processors());
    }
    return log;
}

void print_trace(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace

ExitCode trace_command(const TraceCommand& options) {
    expect_other_file(options.output, options.request.trace);
    const trace::Log log = log_for(options);
    if (!options.output.empty()) {
        const std::string text = swf_text(log);
        const bool is_compressed = options.output.extension() == ".gz";
        write_output(options.output, is_compressed ? gzipped(text) : text);
        print_trace(fmt::format(
            "{} written to {}\n",
            engine::counted(log.jobs(), "job"),
            engine::without_controls(options.output.string())
        ));
        for (const trace::Oddity& oddity : log.oddities) {
            print_trace(fmt::format("{}: {}\n", options.request.trace, meaning(oddity.kind)));
        }
        if (const auto lost = log.header.find(lost_key)) {
            print_trace(fmt::format("lost, for the format has no field for it: {}\n", *lost));
        }
        return ExitCode::done;
    }
    const trace::LogSummary summary = trace::summarise(log);
    print_trace(
        options.format == SummaryFormat::json
            ? log_json(summary)
            : engine::without_controls(trace::summary_text(summary), engine::LineBreaks::keep)
    );
    return ExitCode::done;
}

}  // namespace schedfarm::app
