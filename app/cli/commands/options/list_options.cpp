#include <cstdio>
#include <memory>
#include <string>

#include "app/campaign/keys/describe.hpp"
#include "app/cli/commands/list_command.hpp"
#include "app/cli/program.hpp"

namespace schedfarm::app {

void add_list(CLI::App& app, std::function<ExitCode()>& selected) {
    const auto topic = std::make_shared<std::string>();
    const auto is_page = std::make_shared<bool>(false);
    const auto format = std::make_shared<std::string>("text");
    CLI::App* command = add_command(app, "list");
    command->add_option(
        "topic",
        *topic,
        "policies, models, distributions, probes or experiments: what each means; a name such as "
        "fpfs, or a library ./mine.so: its parameters too"
    );
    add_format(*command, *format, {"text", "json"});
    command->add_flag("--markdown", *is_page, "Print the campaign reference page instead");
    select(*command, selected, [topic, is_page, format] {
        const std::string text = *is_page            ? reference_markdown()
                                 : *format == "json" ? list_json(*topic)
                                                     : list_text(*topic);
        std::fputs(text.c_str(), stdout);
        return ExitCode::done;
    });
}

void add_schema(CLI::App& app, std::function<ExitCode()>& selected) {
    select(*add_command(app, "schema"), selected, [] {
        std::fputs(campaign_schema().c_str(), stdout);
        return ExitCode::done;
    });
}

}  // namespace schedfarm::app
