#include "engine/foundation/message_text.hpp"

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>
#include <unistd.h>

#include "engine/foundation/expect.hpp"

using namespace schedfarm::engine;

namespace {

/// What the shell makes of a command line's output.
std::string output_of(const std::string& command) {
    std::string text;
    FILE* pipe = popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::array<char, 256> buffer{};
    for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
        text.append(buffer.data(), n);
    }
    REQUIRE(pclose(pipe) == 0);
    return text;
}

}  // namespace

TEST_CASE("a broken contract is told from the root of the sources on, wherever they were compiled"
) {
    std::string text;
    try {
        SCHEDFARM_EXPECT(text.size() == 3, "three letters");
    } catch (const schedfarm::engine::ContractViolation& error) {
        text = error.what();
    }
    CHECK(text.ends_with(": contract broken: three letters (text.size() == 3)"));
    CHECK(text.find("tests/engine/foundation/message_text_test.cpp:") != std::string::npos);
    CHECK_FALSE(text.starts_with("/"));
}

TEST_CASE("counts are in the singular for one alone") {
    CHECK(counted(0, "cell") == "0 cells");
    CHECK(counted(1, "cell") == "1 cell");
    CHECK(counted(2, "cell") == "2 cells");
    CHECK(schedfarm::engine::counted_range(1, 1, "processor") == "1 processor");
    CHECK(schedfarm::engine::counted_range(3, 4, "processor") == "3 to 4 processors");
}

TEST_CASE("a broken link is told from a file that is not there") {
    namespace fs = std::filesystem;
    const fs::path folder =
        fs::temp_directory_path() / ("schedfarm_links_" + std::to_string(::getpid()));
    fs::create_directory(folder);
    fs::create_symlink("gone.swf", folder / "broken.swf");
    fs::create_symlink("circle.swf", folder / "circle.swf");
    fs::create_symlink(".", folder / "sound.swf");
    CHECK(broken_link_text(folder / "broken.swf") == "it is a broken link to 'gone.swf'");
    CHECK(absence_text(folder / "broken.swf") == broken_link_text(folder / "broken.swf"));
    CHECK(broken_link_text(folder / "circle.swf").find("'circle.swf'") != std::string::npos);
    CHECK(broken_link_text(folder / "sound.swf").empty());
    CHECK(broken_link_text(folder / "gone.swf").empty());
    CHECK(absence_text(folder / "gone.swf") == "there is no such file");
    fs::remove_all(folder);
}

TEST_CASE("words that no shell takes apart stay as they are") {
    for (const char* word : {"first.yaml", "../runs/a_b-2.h5", "1/4", "0.75", "-w"}) {
        CHECK(shell_word(word) == word);
    }
}

TEST_CASE("the shell gives back what was quoted") {
    for (const std::string word :
         {"",
          "my results.h5",
          "it's.yaml",
          "'",
          "$(false) `false` $HOME",
          "a\"b\\c",
          "~",
          "#1",
          "*",
          "[a-z]?",
          "a;b&c|d>e<f(g)",
          "!x{1,2}",
          "x=y",
          "two\nlines",
          "zwei\tWörter"}) {
        CAPTURE(word);
        CHECK(shell_word(word) != word);
        CHECK(output_of("printf %s " + shell_word(word)) == word);
    }
}

TEST_CASE("a command is one line whatever its words hold") {
    CHECK(program_command({"run", "it's a\nb.yaml"}) == "schedfarm run $'it\\'s a\\nb.yaml'");
    const std::string control =
        "\n'\\\t\r\x1B\x7F"
        "7 $HOME `x` \"ö\"\n";
    const std::string command = program_command({"run", control, ""});
    CHECK(command.find_first_of("\n\t\r\x1B\x7F") == std::string::npos);
    const std::string in_bash = "schedfarm() { printf '<%s>' \"$@\"; }\n" + command;
    CHECK(output_of("bash <<'END'\n" + in_bash + "\nEND\n") == "<run><" + control + "><>");
}

TEST_CASE("a path that begins with a dash is not taken for an option") {
    using Path = std::filesystem::path;
    CHECK(
        program_command({"resume", Path("-x.yaml"), "-o", Path("-my results.h5"), "-w", "2"})
        == "schedfarm resume ./-x.yaml -o './-my results.h5' -w 2"
    );
    CHECK(
        program_command({"resume", Path("a/-x.yaml"), Path("../-x"), Path("/-x")})
        == "schedfarm resume a/-x.yaml ../-x /-x"
    );
}

TEST_CASE("a command of the program can be pasted") {
    CHECK(
        program_command({"resume", "it's my.yaml", "-w", "2"})
        == "schedfarm resume 'it'\\''s my.yaml' -w 2"
    );
}
