#include "app/cli/commands/trace_command.hpp"

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"
#include "engine/foundation/utf8.hpp"

#include "models/trace/prepared_log.hpp"
#include "models/trace/summary/machine_size.hpp"
#include "models/trace/summary/summary.hpp"
#include "models/trace/summary/summary_text.hpp"
#include "models/trace/writing/anonymous.hpp"
#include "models/trace/writing/table_writer.hpp"

#include "app/cli/commands/options/output_guard.hpp"
#include "app/simulate/log_json.hpp"
#include "app/simulate/log_source.hpp"
#include "app/simulate/output_file.hpp"

namespace schedfarm::app {

namespace {

namespace trace = models::trace;

/// By what the name ends in, before ".gz"; absent: SWF.
std::optional<trace::TableForm> table_form(std::filesystem::path output) {
    if (output.extension() == ".gz") {
        output.replace_extension();
    }
    return output.extension() == ".csv"     ? std::optional(trace::TableForm::csv)
           : output.extension() == ".sacct" ? std::optional(trace::TableForm::sacct)
                                            : std::nullopt;
}

/// A log stays as it is, unless settings say otherwise or it is written for simulators.
trace::Log log_for(const TraceCommand& options) {
    const SimulationRequest& request = options.request;
    if (request.trace.empty()) {
        return generated_log(request);
    }
    const bool is_for_simulators = !options.output.empty() && !table_form(options.output);
    const bool stays = !is_for_simulators && sets_reading_alone(request);
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

/// Says what became of the log.
void write(trace::Log log, const TraceCommand& options) {
    const auto form = table_form(options.output);
    const bool is_compressed = options.output.extension() == ".gz";
    std::string lost = form ? lost_in_table(log) : lost_in_swf(log);
    if (const auto of_model = log.header.find(lost_key)) {
        lost += (lost.empty() ? "" : ", ") + std::string(*of_model);
    }
    if (options.names == Names::anonymous) {
        make_anonymous(log);
    }
    const std::string text = form ? table_text(log, *form) : swf_text(log);
    write_output(options.output, is_compressed ? gzipped(text) : text);
    print_trace(fmt::format(
        "{} written to {}\n",
        engine::counted(log.jobs(), "job"),
        engine::without_controls(options.output.string())
    ));
    for (const trace::Oddity& oddity : log.oddities) {
        print_trace(fmt::format("{}: {}\n", options.request.trace, oddity.text()));
    }
    if (!lost.empty()) {
        print_trace(fmt::format("lost, for the format has no field for it: {}\n", lost));
    }
}

}  // namespace

ExitCode trace_command(const TraceCommand& options) {
    expect_other_file(options.output, options.request.trace);
    trace::Log log = log_for(options);
    if (!options.output.empty()) {
        write(std::move(log), options);
        return ExitCode::done;
    }
    const trace::LogSummary summary = trace::summarise(log);
    print_trace(
        options.format == "json"
            ? log_json(summary)
            : engine::without_controls(trace::summary_text(summary), engine::LineBreaks::keep)
    );
    return ExitCode::done;
}

}  // namespace schedfarm::app
