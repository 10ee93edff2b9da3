#include "app/campaign/yaml/source.hpp"

#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>
#include <unistd.h>

#include "app/campaign/yaml/config_error.hpp"

namespace schedfarm::app {

namespace {

namespace fs = std::filesystem;

/// A folder of its own, gone at the end.
class Folder {
  public:
    Folder() : path_(fs::temp_directory_path() / ("schedfarm-source-" + std::to_string(getpid()))) {
        fs::remove_all(path_);
        fs::create_directories(path_ / "sub");
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { fs::remove_all(path_); }

    void write(const char* name, const std::string& text) const {
        std::ofstream(path_ / name) << text;
    }
    std::string name(const char* name) const { return (path_ / name).generic_string(); }

    /// Messages without the folder's name.
    std::string errors(const char* file) const {
        try {
            load_source(path_ / file);
        } catch (const ConfigErrors& errors) {
            std::string text = errors.what();
            const std::string prefix = path_.generic_string() + "/";
            for (std::size_t at = text.find(prefix); at != std::string::npos;
                 at = text.find(prefix)) {
                text.erase(at, prefix.size());
            }
            return text;
        }
        return "";
    }

  private:
    fs::path path_;
};

}  // namespace

TEST_CASE("a source holds the campaign and all it refers to") {
    const Folder folder;
    folder.write("a.yaml", "include: [sub/b.yaml]\nreference: r.csv\n");
    folder.write("sub/b.yaml", "include: ../c.yaml\n");
    folder.write("c.yaml", "name: c\n");
    folder.write("r.csv", "x\n");
    const CampaignSource source = load_source(folder.name("a.yaml"));
    CHECK(source.main_file == folder.name("a.yaml"));
    CHECK(source.files.size() == 4);
    CHECK(source.files.at(folder.name("c.yaml")) == "name: c\n");
    CHECK(source.files.at(folder.name("r.csv")) == "x\n");
}

TEST_CASE("a source survives the journey to another rank") {
    CampaignSource source;
    source.main_file = "a.yaml";
    source.files = {{"a.yaml", std::string("x\0y", 3)}, {"b", ""}};
    source.folder = "/runs";
    const CampaignSource copy = CampaignSource::deserialize(source.serialize());
    CHECK(copy.main_file == source.main_file);
    CHECK(copy.files == source.files);
    CHECK(copy.folder == "/runs");
    engine::Bytes cut = source.serialize();
    cut.pop_back();
    CHECK_THROWS(CampaignSource::deserialize(cut));
}

TEST_CASE("what cannot be read is told with the line that refers to it") {
    const Folder folder;
    CHECK(folder.errors("absent.yaml") == "absent.yaml: there is no such file");
    CHECK(folder.errors("sub") == "sub: this is a directory, not a file");
    folder.write("a.yaml", "name: x\ninclude:\n  - b.yaml\n  - sub\nreference: r.csv\n");
    CHECK(
        folder.errors("a.yaml")
        == "a.yaml:3:5: b.yaml: there is no such file\n"
           "a.yaml:4:5: sub: this is a directory, not a file\n"
           "a.yaml:5:12: r.csv: there is no such file"
    );
    folder.write("empty.yaml", "");
    CHECK(
        folder.errors("empty.yaml")
        == "empty.yaml: the file is empty. Write one with `schedfarm init`."
    );
    folder.write("comment.yaml", "# nothing\n");
    CHECK(
        folder.errors("comment.yaml")
        == "comment.yaml: the file is empty. Write one with `schedfarm init`."
    );
}

TEST_CASE("includes that go round are refused") {
    const Folder folder;
    folder.write("a.yaml", "include: [sub/b.yaml]\n");
    folder.write("sub/b.yaml", "name: b\ninclude: [../a.yaml]\n");
    CHECK(
        folder.errors("a.yaml")
        == "sub/b.yaml:2:11: include goes round in a circle: a.yaml -> sub/b.yaml -> a.yaml. Remove "
           "this include."
    );
    folder.write("self.yaml", "include: self.yaml\n");
    CHECK(
        folder.errors("self.yaml")
        == "self.yaml:1:10: include goes round in a circle: self.yaml -> self.yaml. Remove this "
           "include."
    );
}

TEST_CASE("includes that branch without end are refused") {
    const Folder folder;
    for (int i = 0; i < 20; ++i) {
        const std::string next = "f" + std::to_string(i + 1) + ".yaml";
        folder.write(
            ("f" + std::to_string(i) + ".yaml").c_str(), "include: [" + next + ", " + next + "]\n"
        );
    }
    folder.write("f20.yaml", "name: x\n");
    CHECK(folder.errors("f0.yaml").find("includes branch too often") != std::string::npos);
}

TEST_CASE("a main file without a folder refers to files beside it") {
    CampaignSource source;
    const Folder folder;
    folder.write("a.yaml", "include: b.yaml\n");
    folder.write("b.yaml", "name: b\n");
    const fs::path before = fs::current_path();
    fs::current_path(folder.name(""));
    source = load_source("a.yaml");
    fs::current_path(before);
    CHECK(source.main_file == "a.yaml");
    CHECK(source.files.count("b.yaml") == 1);
}

}  // namespace schedfarm::app
