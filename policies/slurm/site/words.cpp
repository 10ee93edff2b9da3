#include "policies/slurm/site/words.hpp"

#include <algorithm>
#include <cctype>

#include "engine/foundation/utf8.hpp"

#include "policies/slurm/site/fields.hpp"

namespace schedfarm::policies::slurm {

namespace {

constexpr std::string_view blanks = " \t\r\v\f";
constexpr std::size_t longest_shown = 80;

/// The next word of a line, taken off it: up to a blank outside of quotes, the quotes left out.
std::string next_value(std::string_view& line) {
    std::string value;
    bool quoted = false;
    std::size_t at = 0;
    for (; at < line.size(); ++at) {
        if (line[at] == '"') {
            quoted = !quoted;
        } else if (!quoted && blanks.find(line[at]) != std::string_view::npos) {
            break;
        } else {
            value += line[at];
        }
    }
    line.remove_prefix(at);
    return value;
}

void skip_blanks(std::string_view& line) {
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
}

std::string_view without_comment(std::string_view line) {
    bool quoted = false;
    for (std::size_t at = 0; at < line.size(); ++at) {
        quoted = line[at] == '"' ? !quoted : quoted;
        if (line[at] == '#' && !quoted) {
            return line.substr(0, at);
        }
    }
    return line;
}

std::vector<ConfWord> words_of(std::string_view line) {
    std::vector<ConfWord> words;
    line = without_comment(line);
    for (skip_blanks(line); !line.empty(); skip_blanks(line)) {
        const std::size_t end = std::min(line.find_first_of(" \t\r\v\f="), line.size());
        const std::string_view key = line.substr(0, end);
        line.remove_prefix(end);
        skip_blanks(line);
        const bool has_equals = !line.empty() && line.front() == '=';
        ConfWord word{.key = small_letters(key), .value = {}, .text = std::string(key)};
        if (has_equals || word.key == "include") {
            line.remove_prefix(has_equals ? 1 : 0);
            skip_blanks(line);
            word.value = next_value(line);
            word.text += (has_equals ? "=" : " ") + word.value;
        }
        word.has_value = !word.value.empty();
        word.text = shown(word.text);
        words.push_back(std::move(word));
    }
    return words;
}

}  // namespace

std::optional<std::string> ConfLine::value(std::string_view key) const {
    for (const ConfWord& word : words) {
        if (word.key == key) {
            return word.value;
        }
    }
    return std::nullopt;
}

char small_letter(char letter) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
}

std::string small_letters(std::string_view text) {
    std::string small(text);
    std::transform(small.begin(), small.end(), small.begin(), small_letter);
    return small;
}

std::vector<std::string> parts(std::string_view text, char separator) {
    std::vector<std::string> found;
    for (;;) {
        const std::size_t at = text.find(separator);
        found.emplace_back(text.substr(0, at));
        if (at == std::string_view::npos) {
            return found;
        }
        text.remove_prefix(at + 1);
    }
}

std::vector<std::string> divided(std::string_view list) {
    std::vector<std::string> words = parts(list, ';');
    std::erase(words, "");
    return words;
}

std::vector<std::pair<std::string, std::optional<std::uint32_t>>> named_counts(std::string_view list
) {
    std::vector<std::pair<std::string, std::optional<std::uint32_t>>> found;
    for (const std::string& one : parts(list, ',')) {
        for (const std::string& entry : divided(one)) {
            const std::size_t colon = std::min(entry.find(':'), entry.size());
            const auto count =
                colon == entry.size()
                    ? std::optional(1U)
                    : field<std::uint32_t>(entry.substr(colon + 1), 0, 2'147'483'647);
            found.emplace_back(entry.substr(0, colon), count);
        }
    }
    return found;
}

std::string_view trimmed(std::string_view text) {
    skip_blanks(text);
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

std::string shown(std::string_view text) {
    const std::string_view part = text.substr(0, longest_shown);
    return engine::without_controls(engine::valid_utf8(part))
           + (part.size() < text.size() ? "…" : "");
}

bool LineCounter::is_mark(std::string_view line) {
    ++number;
    const std::size_t at = line.rfind(' ');
    if (!line.starts_with(file_mark) || at <= file_mark.size()) {
        return false;
    }
    const auto next = field<std::size_t>(line.substr(at + 1), 1, 1'000'000'000);
    if (next) {
        file = line.substr(file_mark.size(), at - file_mark.size());
        number = *next - 1;
    }
    return next.has_value();
}

std::vector<ConfLine> conf_lines(std::string_view text, std::string_view file) {
    std::vector<ConfLine> lines;
    LineCounter counter{std::string(file)};
    std::string joined;
    std::size_t first = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (counter.is_mark(line)) {
            continue;
        }
        first = joined.empty() ? counter.number : first;
        line = line.substr(0, line.find_last_not_of(blanks) + 1);
        const bool goes_on = line.ends_with('\\');
        joined += goes_on ? line.substr(0, line.size() - 1) : line;
        if (goes_on) {
            joined += ' ';
            continue;
        }
        if (std::vector<ConfWord> words = words_of(joined); !words.empty()) {
            lines.push_back({counter.file, first, std::move(words)});
        }
        joined.clear();
    }
    if (std::vector<ConfWord> words = words_of(joined); !words.empty()) {
        lines.push_back({counter.file, first, std::move(words)});
    }
    return lines;
}

}  // namespace schedfarm::policies::slurm
