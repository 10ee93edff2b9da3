#include "tests/cases/case_files.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <doctest/doctest.h>

#include "app/campaign/keys/value_reader.hpp"
#include "app/campaign/yaml/reader.hpp"

namespace schedfarm::tests {

void expect_keys(const app::Node& map, const std::vector<std::string>& known) {
    app::Problems problems;
    app::expect_known_keys(map, known, "case", problems);
    problems.throw_if_any();
}

const app::Node& needed(const app::Node& map, const char* key) {
    const app::Node* node = map.find(key);
    if (node == nullptr) {
        app::throw_problem(map.at, std::string("no '") + key + "'");
    }
    return *node;
}

void check_cases(
    const std::string& kind, const std::function<std::size_t(const app::Node&)>& check
) {
    const std::filesystem::path folder = SCHEDFARM_CASES;
    std::size_t runs = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder / kind)) {
        CAPTURE(entry.path().string());
        REQUIRE(entry.path().extension() == ".yaml");
        std::ifstream file(entry.path());
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        for (const app::Node& one : app::read_yaml(entry.path().filename(), text).items) {
            CAPTURE(needed(one, "case").scalar);
            runs += check(one);
        }
    }
    std::ifstream counts(folder / "counts.txt");
    std::string counted;
    std::size_t count = 0;
    while (counts >> counted >> count && counted != kind) {
    }
    CHECK(counted == kind);
    CHECK(runs == count);
}

TEST_CASE("every file of tests/cases is read by a runner") {
    std::size_t kinds = 0;
    for (const auto& entry : std::filesystem::directory_iterator(SCHEDFARM_CASES)) {
        CAPTURE(entry.path().string());
        const std::filesystem::path runner = entry.path().string() + "_test.cpp";
        CHECK((!entry.is_directory() || std::filesystem::exists(runner)));
        CHECK((entry.is_directory() || entry.path().extension() != ".yaml"));
        if (entry.is_directory()) {
            ++kinds;
        }
    }
    CHECK(kinds >= 2);
}

}  // namespace schedfarm::tests
