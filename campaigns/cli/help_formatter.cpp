#include "campaigns/cli/help_formatter.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "campaigns/cli/option_kind.hpp"
#include "campaigns/report/wrapped_text.hpp"

namespace schedfarm::campaigns {

namespace {

constexpr std::size_t text_column = 12;

template <typename Options>
std::string names_of(const Options& options) {
    std::vector<std::string> names;
    for (const CLI::Option* option : options) {
        names.push_back(option->get_name());
    }
    std::sort(names.begin(), names.end());
    return fmt::format("{}", fmt::join(names, ", "));
}

/// "1 to 100; default: 4; not with --full", empty where there is nothing to say.
std::string conditions_of(const CLI::Option& option) {
    std::vector<std::string> parts;
    const OptionKind kind = kind_of(option);
    if (!kind.range.empty()) {
        parts.push_back(kind.range);
    }
    if (!option.get_default_str().empty() && kind.value != OptionValue::none) {
        parts.push_back("default: " + option.get_default_str());
    }
    if (!option.get_needs().empty()) {
        parts.push_back("only with " + names_of(option.get_needs()));
    }
    if (!option.get_excludes().empty()) {
        parts.push_back("not with " + names_of(option.get_excludes()));
    }
    return fmt::format("{}", fmt::join(parts, "; "));
}

/// "Jobs (exactly one of these)"
std::string title_of(const CLI::App& group) {
    const bool is_required = group.get_require_option_min() > 0;
    return group.get_group() + (is_required ? " (one of these is required)" : " (at most one)");
}

/// Those of a group without its --help.
std::vector<const CLI::Option*> own_options(const CLI::App& group) {
    return group.get_options([&group](const CLI::Option* option) {
        return option != group.get_help_ptr();
    });
}

class HelpFormatter final : public CLI::Formatter {
  public:
    explicit HelpFormatter(std::size_t width) : width_(width) {}

    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode)
        const override {
        std::string text = paragraph(app->get_description()) + make_usage(app, std::move(name))
                           + make_positionals(app);
        for (const CLI::App* group : app->get_subcommands({})) {
            if (group->get_name().empty()) {
                text += make_group(title_of(*group), false, own_options(*group));
            }
        }
        return text + make_groups(app, mode) + make_subcommands(app, mode) + make_footer(app);
    }

    std::string make_group(
        std::string group, bool /*is_positional*/, std::vector<const CLI::Option*> options
    ) const override {
        std::stable_partition(options.begin(), options.end(), [](const CLI::Option* option) {
            return option->get_required();
        });
        std::string text = "\n" + group + ":\n";
        for (const CLI::Option* option : options) {
            text += make_option(option, option->get_positional());
        }
        return text;
    }

    std::string make_option(const CLI::Option* option, bool is_positional) const override {
        std::string name = make_option_name(option, is_positional);
        if (const OptionKind kind = kind_of(*option);
            !is_positional && kind.value != OptionValue::none) {
            name += " " + value_word(kind);
        }
        if (option->get_required()) {
            name += " (required)";
        } else if (option->get_expected_max() == CLI::detail::expected_max_vector_size) {
            name += " ...";
        }
        const std::string conditions = conditions_of(*option);
        return entry(
            name, option->get_description() + (conditions.empty() ? "" : " (" + conditions + ")")
        );
    }

    /// Groups of options were shown before.
    std::string make_expanded(const CLI::App* /*group*/) const override { return ""; }

    std::string make_subcommand(const CLI::App* command) const override {
        return entry(command->get_name(), command->get_description());
    }

    std::string make_footer(const CLI::App* app) const override {
        const CLI::App* program = app->get_parent();
        const bool is_inherited = program != nullptr && program->get_footer() == app->get_footer();
        if (is_inherited || app->get_footer().empty()) {
            return "";
        }
        std::istringstream lines(app->get_footer());
        std::string text = "\n";
        for (std::string line; std::getline(lines, line);) {
            text += paragraph(line);
        }
        return text;
    }

  private:
    /// A text beside its name, or below it where the name is long.
    std::string entry(const std::string& name, const std::string& text) const {
        const std::string head = "  " + name;
        const bool is_short = display_width(head) < text_column;
        std::string out = is_short ? fmt::format("{:<{}}", head, text_column) : head;
        bool begins = is_short;
        for (const std::string& line : wrapped(text, width_ - text_column)) {
            out += begins ? line : "\n" + std::string(text_column, ' ') + line;
            begins = false;
        }
        return out + "\n";
    }

    std::string paragraph(const std::string& text) const {
        return fmt::format("{}\n", fmt::join(wrapped(text, width_), "\n"));
    }

    std::size_t width_;
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter(std::size_t width) {
    return std::make_shared<HelpFormatter>(width);
}

}  // namespace schedfarm::campaigns
