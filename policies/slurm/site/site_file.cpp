#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include "policies/slurm/site/site.hpp"
#include "policies/slurm/site/words.hpp"

namespace schedfarm::policies::slurm {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_of_conf = 16 << 20;
constexpr std::size_t most_of_dump = 256 << 20;
constexpr std::size_t most_includes = 1'000;

/// The bytes of a regular file. `who`: begins messages.
std::string bytes_of(const fs::path& path, std::size_t most, const std::string& who) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) {
        throw std::runtime_error(fmt::format("{}: the file cannot be read", who));
    }
    if (!fs::is_regular_file(status)) {
        throw std::runtime_error(fmt::format("{}: this is no regular file. Copy it to one", who));
    }
    std::ifstream in(path, std::ios::binary);
    std::string bytes;
    for (char block[65536];
         bytes.size() <= most && (in.read(block, sizeof block), in.gcount() > 0);) {
        bytes.append(block, static_cast<std::size_t>(in.gcount()));
    }
    if (!in.eof() && bytes.size() <= most) {
        throw std::runtime_error(fmt::format("{}: the file cannot be read", who));
    }
    if (bytes.size() > most) {
        throw std::runtime_error(fmt::format("{}: more than {} MiB", who, most >> 20));
    }
    return bytes;
}

/// A file that is under way, as far as its lines are taken.
struct Open {
    fs::path path;
    std::string name;
    std::string bytes;
    std::size_t at = 0;
    std::size_t line = 0;
};

/// The file that a line includes; empty: it includes none.
std::string included(std::string_view line) {
    const std::string_view word = trimmed(line);
    const bool includes = small_letters(word.substr(0, 7)) == "include" && word.size() > 8
                          && (word[7] == ' ' || word[7] == '\t');
    return includes ? std::string(trimmed(word.substr(8))) : "";
}

}  // namespace

SiteFiles site_files(const engine::Parameters& given) {
    return {
        .conf = given.text("conf"),
        .associations = given.text("associations"),
        .qos = given.text("qos"),
        .changes = divided(given.text("changes")),
        .accept = divided(given.text("accept"))};
}

std::string site_conf(const std::string& path) {
    const std::string first = fs::path(path).filename().string();
    std::vector<Open> open{{path, first, bytes_of(path, most_of_conf, path)}};
    std::string whole = fmt::format("{}{} 1\n", file_mark, first);
    std::size_t includes = 0;
    while (!open.empty()) {
        Open& file = open.back();
        if (file.at > file.bytes.size()) {
            open.pop_back();
            if (!open.empty()) {
                whole +=
                    fmt::format("{}{} {}\n", file_mark, open.back().name, open.back().line + 1);
            }
            continue;
        }
        const std::size_t end = std::min(file.bytes.find('\n', file.at), file.bytes.size());
        const std::string_view line = std::string_view(file.bytes).substr(file.at, end - file.at);
        file.at = end + 1;
        ++file.line;
        const std::string other = included(line);
        if (other.empty()) {
            whole += line.starts_with(file_mark) ? "#" : line;  // a comment that looks like a mark
            whole += '\n';
        } else {
            const std::string who =
                fmt::format("{}:{}: Include {}", file.name, file.line, shown(other));
            if (++includes > most_includes) {
                throw std::runtime_error(fmt::format("{}: more than {} of them", who, most_includes)
                );
            }
            for (const Open& above : open) {
                if (above.path.lexically_normal()
                    == (file.path.parent_path() / other).lexically_normal()) {
                    throw std::runtime_error(fmt::format("{}: files include each other", who));
                }
            }
            const fs::path next = file.path.parent_path() / other;
            std::string bytes = bytes_of(next, most_of_conf, who);
            whole += fmt::format("{}{} 1\n", file_mark, other);
            open.push_back({next, other, std::move(bytes)});
        }
        if (whole.size() > most_of_conf) {
            throw std::runtime_error(fmt::format("{}: more than {} MiB", path, most_of_conf >> 20));
        }
    }
    return whole;
}

std::string site_dump(const std::string& path) {
    const std::string name = fs::path(path).filename().string();
    return fmt::format("{}{} 1\n{}\n", file_mark, name, bytes_of(path, most_of_dump, path));
}

}  // namespace schedfarm::policies::slurm
