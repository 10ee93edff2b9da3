#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "policies/slurm/site/site.hpp"
#include "policies/slurm/site/words.hpp"

namespace schedfarm::policies::slurm {

namespace {

constexpr int deepest = 10;

std::string with_includes(const std::filesystem::path& path, const std::string& name, int depth) {
    std::ifstream in(path, std::ios::binary);
    if (!in || std::filesystem::is_directory(path)) {
        throw std::runtime_error(fmt::format("{}: the file cannot be read", path.string()));
    }
    if (depth > deepest) {
        throw std::runtime_error(fmt::format("{}: files include each other", path.string()));
    }
    std::ostringstream text;
    text << in.rdbuf();
    std::string whole = fmt::format("#file {} 1\n", name);
    std::size_t number = 0;
    for (const std::string& line : parts(text.str(), '\n')) {
        ++number;
        const std::size_t first = line.find_first_not_of(" \t");
        const bool includes =
            first != std::string::npos && small_letters(line.substr(first, 8)) == "include ";
        if (!includes) {
            whole += line + '\n';
            continue;
        }
        std::istringstream words(line);
        std::string other;
        words >> other >> other;
        whole += with_includes(path.parent_path() / other, other, depth + 1);
        whole += fmt::format("#file {} {}\n", name, number + 1);
    }
    return whole;
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

std::string site_file(const std::string& path) {
    return with_includes(path, std::filesystem::path(path).filename().string(), 0);
}

}  // namespace schedfarm::policies::slurm
