#include "policies/slurm/site/words.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "policies/slurm/settings.hpp"

namespace schedfarm::policies::slurm {

namespace {

constexpr std::string_view file_mark = "#file ";

/// Words are divided by blanks; quotes keep them together.
std::vector<ConfWord> words_of(std::string_view line) {
    std::vector<ConfWord> words;
    std::string word;
    bool quoted = false;
    const auto end_word = [&] {
        if (!word.empty()) {
            const std::size_t at = word.find('=');
            const std::string key = small_letters(word.substr(0, at));
            words.push_back({key, at == std::string::npos ? "" : word.substr(at + 1), word});
            word.clear();
        }
    };
    for (const char c : line) {
        if (c == '#' && !quoted) {
            break;
        }
        if (c == '"') {
            quoted = !quoted;
        } else if (std::isspace(static_cast<unsigned char>(c)) != 0 && !quoted) {
            end_word();
        } else {
            word += c;
        }
    }
    end_word();
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

std::string small_letters(std::string_view text) {
    std::string small(text);
    std::transform(small.begin(), small.end(), small.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
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

std::vector<ConfLine> conf_lines(std::string_view text, std::string_view file) {
    std::vector<ConfLine> lines;
    std::string name(file);
    std::size_t number = 0;
    std::string joined;
    std::size_t first = 0;
    for (const std::string& raw : parts(text, '\n')) {
        ++number;
        if (raw.starts_with(file_mark)) {
            const std::size_t at = raw.rfind(' ');
            name = raw.substr(file_mark.size(), at - file_mark.size());
            number = whole_number(raw.substr(at + 1)).value_or(1) - 1;
            continue;
        }
        first = joined.empty() ? number : first;
        std::string line = raw;
        while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0) {
            line.pop_back();
        }
        if (!line.empty() && line.back() == '\\') {
            line.back() = ' ';
            joined += line;
            continue;
        }
        joined += line;
        if (std::vector<ConfWord> words = words_of(joined); !words.empty()) {
            lines.push_back({name, first, std::move(words)});
        }
        joined.clear();
    }
    return lines;
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
    if (error != std::errc() || rest.size() > 1) {
        return std::nullopt;
    }
    if (rest.empty()) {
        return value;
    }
    const std::size_t power = std::string_view("KMGT").find(
        static_cast<char>(std::toupper(static_cast<unsigned char>(rest.front())))
    );
    if (power == std::string_view::npos) {
        return std::nullopt;
    }
    return value << (10 * (power + 1));
}

std::optional<std::int64_t> minutes_as_seconds(std::string_view text) {
    const std::string word = small_letters(text);
    if (word == "infinite" || word == "unlimited" || word == "-1") {
        return year_s;
    }
    std::string_view rest = word;
    std::int64_t days = 0;
    const std::size_t dash = rest.find('-');
    if (dash != std::string_view::npos) {
        const auto number = whole_number(rest.substr(0, dash));
        if (!number) {
            return std::nullopt;
        }
        days = static_cast<std::int64_t>(*number);
        rest.remove_prefix(dash + 1);
    }
    std::vector<std::int64_t> fields;
    for (const std::string& part : parts(rest, ':')) {
        const auto number = whole_number(part);
        if (!number) {
            return std::nullopt;
        }
        fields.push_back(static_cast<std::int64_t>(*number));
    }
    if (fields.size() > 3) {
        return std::nullopt;
    }
    // What the first field counts: hours after days or of three fields, else minutes.
    std::int64_t unit = dash != std::string_view::npos || fields.size() == 3 ? 3600 : 60;
    std::int64_t seconds = days * 86400;
    for (const std::int64_t field : fields) {
        seconds += field * unit;
        unit /= 60;
    }
    return seconds;
}

}  // namespace schedfarm::policies::slurm
