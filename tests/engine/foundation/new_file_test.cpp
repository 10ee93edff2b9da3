#include "engine/foundation/new_file.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <system_error>

#include <doctest/doctest.h>

using schedfarm::engine::NewFile;
namespace fs = std::filesystem;

namespace {

class Folder {
  public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "new-file-XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { fs::remove_all(path_); }

    fs::path operator/(const char* name) const { return path_ / name; }
    std::size_t files() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(path_), fs::directory_iterator())
        );
    }

  private:
    fs::path path_;
};

std::string content_of(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

void put(const fs::path& path, const std::string& text) {
    NewFile file(path);
    file.write(std::as_bytes(std::span(text)));
    file.put_in_place();
}

}  // namespace

TEST_CASE("a new file is there when it is put in place, or not at all") {
    const Folder folder;
    put(folder / "a", "old");
    {
        NewFile abandoned(folder / "a");
        const std::string text = "new";
        abandoned.write(std::as_bytes(std::span(text)));
        CHECK(folder.files() == 2);
        CHECK(content_of(folder / "a") == "old");
    }
    CHECK(folder.files() == 1);
    put(folder / "a", "new");
    CHECK(content_of(folder / "a") == "new");
    CHECK(folder.files() == 1);
}

TEST_CASE("nobody can foresee where a new file is written") {
    const Folder folder;
    std::set<fs::path> names;
    for (int i = 0; i < 100; ++i) {
        names.insert(NewFile(folder / "a").temporary());
    }
    CHECK(names.size() == 100);
}

TEST_CASE("links are followed to their end, and other names keep what they had") {
    const Folder folder;
    fs::create_symlink("target", folder / "link");
    put(folder / "link", "first");
    CHECK(fs::is_symlink(folder / "link"));
    CHECK(content_of(folder / "target") == "first");
    fs::create_hard_link(folder / "target", folder / "other");
    put(folder / "link", "second");
    CHECK(content_of(folder / "other") == "first");
    fs::create_symlink("circle", folder / "circle");
    CHECK_THROWS_AS(put(folder / "circle", ""), std::system_error);
    CHECK_THROWS_AS(put(folder / "absent/file", ""), std::system_error);
}
