#include "models/trace/tables/submit_line.hpp"

#include <algorithm>
#include <ranges>
#include <sstream>

namespace schedfarm::models::trace {

namespace {

struct Option {
    std::string name;
    char letter = '\0';
    bool takes_word = true;  ///< behind it, where none is joined to it
};

/// Those with a letter, those that decide something here, and all that take no word; any other
/// takes one.
constexpr std::string_view with_word =
    "A=account a=array b=begin D=chdir M=clusters C=constraint S=core-spec "
    "cores-per-socket cpus-per-gpu c=cpus-per-task deadline d=dependency m=distribution "
    "e=error x=exclude B=extra-node-info G=gpus gpus-per-node gpus-per-socket "
    "gpus-per-task gres hint i=input J=job-name L=licenses mem mem-per-cpu mem-per-gpu mincpus "
    "F=nodefile w=nodelist N=nodes n=ntasks ntasks-per-core ntasks-per-gpu "
    "ntasks-per-node ntasks-per-socket o=output p=partition priority q=qos r=relative "
    "reservation sockets-per-node threads-per-core t=time time-min wait-all-nodes wrap";
constexpr std::string_view without_word =
    "contiguous exclusive get-user-env H=hold ignore-pbs I=immediate K=kill-on-bad-exit "
    "l=label nice Z=no-allocate no-bell k=no-kill no-requeue no-shell O=overcommit "
    "s=oversubscribe parsable E=preserve-env propagate pty Q=quiet reboot requeue "
    "spread-job test-only u=unbuffered use-min-nodes v=verbose W=wait";

const std::vector<Option>& known_options() {
    static const std::vector<Option> known = [] {
        std::vector<Option> options;
        for (const std::string_view all : {with_word, without_word}) {
            std::istringstream words{std::string(all)};
            for (std::string word; words >> word;) {
                const bool has_letter = word.substr(1, 1) == "=";
                options.push_back(
                    {word.substr(has_letter ? 2 : 0),
                     has_letter ? word.front() : '\0',
                     all == with_word}
                );
            }
        }
        std::ranges::sort(options, {}, &Option::name);
        return options;
    }();
    return known;
}

/// As getopt_long finds it: the very name, else the only one that begins so; null: there is none.
const Option* option_of(std::string_view name) {
    const std::vector<Option>& known = known_options();
    const auto first = std::ranges::lower_bound(known, name, {}, &Option::name);
    if (first == known.end() || !first->name.starts_with(name)) {
        return nullptr;
    }
    const bool is_one =
        first->name == name || first + 1 == known.end() || !(first + 1)->name.starts_with(name);
    return is_one ? &*first : nullptr;
}

/// The words, and whether quotes stood around what each of them says.
struct Word {
    std::string text;
    bool is_quoted = false;
};

std::vector<Word> words_of(std::string_view line) {
    const auto may_end = [](char c) {
        return c <= ' ' || c == '"' || c == '\'' || c == '\\';
    };
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
            const auto* const from = line.begin() + at;
            const auto* const until = std::find_if(from + 1, line.end(), may_end);
            words.back().text.append(from, until);
            at += static_cast<std::size_t>(until - from) - 1;
        }
    }
    return words;
}

}  // namespace

SubmitLine::SubmitLine(std::string_view line) : is_empty_(line.empty()) {
    const std::vector<Word> words = words_of(line);
    std::size_t at = 1;  // the command itself
    const auto add = [&](const Option* option, std::string_view joined, bool is_joined) {
        const bool takes_next = (option == nullptr || option->takes_word) && !is_joined;
        at += takes_next ? 1U : 0U;
        if (option != nullptr) {
            options_.emplace_back(
                option->name,
                takes_next && at < words.size() ? std::string_view(words[at].text) : joined
            );
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
            const auto known = std::ranges::find(known_options(), word[k], &Option::letter);
            const Option* const option = known == known_options().end() ? nullptr : &*known;
            const std::string_view rest = word.substr(k + 1);
            if (option != nullptr && !option->takes_word) {
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
