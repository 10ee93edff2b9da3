#include "models/trace/tables/submit_line.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <ranges>

namespace schedfarm::models::trace {

namespace {

struct Option {
    std::string_view name;
    char letter = '\0';
    enum class Value : std::uint8_t { behind, none_or_joined } value = Value::behind;
};

constexpr auto flag = Option::Value::none_or_joined;

/// Those whose value decides something here, those with a letter, and all flags; any other takes
/// the word behind it.
constexpr std::array known_options{
    Option{"account", 'A'},
    Option{"array", 'a'},
    Option{"begin", 'b'},
    Option{"chdir", 'D'},
    Option{"clusters", 'M'},
    Option{"constraint", 'C'},
    Option{"contiguous", '\0', flag},
    Option{"core-spec", 'S'},
    Option{"cores-per-socket"},
    Option{"cpus-per-gpu"},
    Option{"cpus-per-task", 'c'},
    Option{"deadline"},
    Option{"dependency", 'd'},
    Option{"distribution", 'm'},
    Option{"error", 'e'},
    Option{"exclude", 'x'},
    Option{"exclusive", '\0', flag},
    Option{"extra-node-info", 'B'},
    Option{"get-user-env", '\0', flag},
    Option{"gpus", 'G'},
    Option{"gpus-per-node"},
    Option{"gpus-per-socket"},
    Option{"gpus-per-task"},
    Option{"gres"},
    Option{"hold", 'H', flag},
    Option{"ignore-pbs", '\0', flag},
    Option{"immediate", 'I', flag},
    Option{"input", 'i'},
    Option{"job-name", 'J'},
    Option{"kill-on-bad-exit", 'K', flag},
    Option{"label", 'l', flag},
    Option{"licenses", 'L'},
    Option{"mem"},
    Option{"mem-per-cpu"},
    Option{"mem-per-gpu"},
    Option{"mincpus"},
    Option{"nice", '\0', flag},
    Option{"no-allocate", 'Z', flag},
    Option{"no-bell", '\0', flag},
    Option{"no-kill", 'k', flag},
    Option{"no-requeue", '\0', flag},
    Option{"no-shell", '\0', flag},
    Option{"nodefile", 'F'},
    Option{"nodelist", 'w'},
    Option{"nodes", 'N'},
    Option{"ntasks", 'n'},
    Option{"ntasks-per-core"},
    Option{"ntasks-per-gpu"},
    Option{"ntasks-per-node"},
    Option{"ntasks-per-socket"},
    Option{"output", 'o'},
    Option{"overcommit", 'O', flag},
    Option{"oversubscribe", 's', flag},
    Option{"parsable", '\0', flag},
    Option{"partition", 'p'},
    Option{"preserve-env", 'E', flag},
    Option{"priority"},
    Option{"propagate", '\0', flag},
    Option{"pty", '\0', flag},
    Option{"qos", 'q'},
    Option{"quiet", 'Q', flag},
    Option{"reboot", '\0', flag},
    Option{"relative", 'r'},
    Option{"requeue", '\0', flag},
    Option{"reservation"},
    Option{"sockets-per-node"},
    Option{"spread-job", '\0', flag},
    Option{"test-only", '\0', flag},
    Option{"threads-per-core"},
    Option{"time", 't'},
    Option{"time-min"},
    Option{"unbuffered", 'u', flag},
    Option{"use-min-nodes", '\0', flag},
    Option{"verbose", 'v', flag},
    Option{"wait", 'W', flag},
    Option{"wait-all-nodes"},
    Option{"wrap"}};

/// As getopt_long finds it: the very name, else the one that begins so. Empty: another or several.
Option option_of(std::string_view name) {
    const auto begins = [name](const Option& known) {
        return known.name.starts_with(name);
    };
    const auto* const first = std::find_if(known_options.begin(), known_options.end(), begins);
    const bool is_one =
        first != known_options.end()
        && (first->name == name
            || std::find_if(first + 1, known_options.end(), begins) == known_options.end());
    return is_one ? *first : Option{};
}

/// The words, and whether quotes stood around what each of them says.
struct Word {
    std::string text;
    bool is_quoted = false;
};

std::vector<Word> words_of(std::string_view line) {
    std::vector<Word> words;
    bool is_within = false;
    char quote = '\0';
    for (std::size_t at = 0; at < line.size(); ++at) {
        const char c = line[at];
        const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (quote == '\0' && is_blank) {
            is_within = false;
            continue;
        }
        if (!is_within) {
            words.emplace_back();
            is_within = true;
        }
        const bool is_end = quote != '\0' && c == quote;
        const bool is_begin = quote == '\0' && (c == '"' || c == '\'')
                              && line.find(c, at + 1) != std::string_view::npos;
        if (is_end || is_begin) {
            quote = is_end ? '\0' : c;
            words.back().is_quoted = true;
        } else if (c == '\\' && quote != '\'' && at + 1 < line.size()) {
            words.back().text += line[++at];
        } else {
            words.back().text += c;
        }
    }
    return words;
}

}  // namespace

SubmitLine::SubmitLine(std::string_view line) {
    const std::vector<Word> words = words_of(line);
    std::size_t at = 1;  // the command itself
    const auto add = [&](const Option& option, std::string_view joined, bool is_joined) {
        const bool takes_next = option.value == Option::Value::behind && !is_joined;
        at += takes_next ? 1U : 0U;
        const std::string value(
            takes_next && at < words.size() ? std::string_view(words[at].text) : joined
        );
        if (!option.name.empty()) {
            options_.emplace_back(option.name, value);
        }
    };
    for (; at < words.size(); ++at) {
        const std::string_view word = words[at].text;
        if (word.size() < 2 || word.front() != '-' || word == "--") {
            const std::size_t rest = word == "--" ? at + 1 : at;
            if (rest < words.size()) {
                script_ = words[rest].text.substr(words[rest].text.rfind('/') + 1);
            }
            return;
        }
        if (word[1] == '-') {
            const std::size_t equals = word.find('=');
            const bool is_joined = equals != std::string_view::npos;
            add(option_of(word.substr(2, equals - 2)),
                is_joined ? word.substr(equals + 1) : "",
                is_joined);
            if (!options_.empty() && options_.back().first == "wrap") {
                script_ = "wrap";
                if (!words[std::min(at, words.size() - 1)].is_quoted) {
                    return;
                }
            }
            continue;
        }
        for (std::size_t k = 1; k < word.size(); ++k) {  // "-HN2": flags may be joined
            const auto* const known = std::ranges::find(known_options, word[k], &Option::letter);
            const Option option = known == known_options.end() ? Option{} : *known;
            const std::string_view rest = word.substr(k + 1);
            if (option.value == flag && known != known_options.end()) {
                add(option, "", true);
                continue;
            }
            add(option, rest, !rest.empty());
            break;
        }
    }
}

std::optional<std::string_view> SubmitLine::option(std::string_view long_name) const {
    const auto found = std::ranges::find(
        std::views::reverse(options_), long_name, &decltype(options_)::value_type::first
    );
    return found == options_.rend() ? std::nullopt : std::optional<std::string_view>(found->second);
}

}  // namespace schedfarm::models::trace
