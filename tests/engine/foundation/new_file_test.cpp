#include "engine/foundation/new_file.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <system_error>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using schedfarm::engine::FilePlace;
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

/// Why a file is not written; empty: it is.
std::string refusal(const fs::path& path) {
    try {
        NewFile(path).put_in_place();
    } catch (const std::system_error& error) {
        return error.code().message();
    }
    return "";
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

TEST_CASE("a link is followed only where nobody else can have made it") {
    const Folder folder;
    put(folder / "precious", "precious");
    const bool is_root = ::geteuid() == 0;
    for (const char* target : {"precious", "nothing yet"}) {
        for (const fs::perms more : {fs::perms::group_write, fs::perms::others_write}) {
            fs::create_symlink(target, folder / "link");
            fs::permissions(folder / "", more, fs::perm_options::add);
            CHECK(refusal(folder / "link").starts_with("it is a link"));
            fs::permissions(folder / "", more, fs::perm_options::remove);
            fs::create_symlink("link", folder / "own");  // the end of the chain counts, too
            if (is_root) {
                constexpr uid_t somebody = 20002;
                REQUIRE(::lchown((folder / "link").c_str(), somebody, somebody) == 0);
                CHECK(refusal(folder / "link").starts_with("it is a link"));
                CHECK(refusal(folder / "own").starts_with("it is a link"));
            }
            fs::remove(folder / "own");
            fs::remove(folder / "link");
        }
        CHECK(content_of(folder / "precious") == "precious");
        CHECK(folder.files() == 1);
    }
    if (!is_root) {
        MESSAGE("skipped: only root can make links of somebody else");
    }
}

TEST_CASE("what is no file is not replaced, nor one that this user must not write") {
    const Folder folder;
    fs::create_directory(folder / "folder");
    CHECK(refusal(folder / "folder") == "it is a folder, not a regular file");
    REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
    CHECK(refusal(folder / "pipe") == "it is not a regular file");
    put(folder / "kept", "kept");
    fs::permissions(folder / "kept", fs::perms::owner_read);
    if (::geteuid() != 0) {
        CHECK(refusal(folder / "kept") == "Permission denied");
    }
    CHECK(folder.files() == 3);
}

TEST_CASE("a place is opened by no link that came later, nor where the file has another name") {
    const Folder folder;
    put(folder / "precious", "precious");
    const FilePlace place(folder / "a");
    fs::create_symlink("precious", folder / "a");
    CHECK_THROWS_AS(place.open(O_WRONLY | O_CREAT), std::system_error);
    NewFile anew{place};
    anew.put_in_place();
    CHECK(fs::is_regular_file(fs::symlink_status(folder / "a")));
    CHECK(content_of(folder / "precious") == "precious");
    fs::create_hard_link(folder / "a", folder / "b");
    CHECK_THROWS_AS(place.open(O_WRONLY), std::system_error);
}

TEST_CASE("temporary files of killed processes go with the next file of their name, others stay") {
    const Folder folder;
    const std::string left = "a.0123456789abcdef.tmp";
    for (const std::string& name :
         {left, "a." + std::string(16, 'x') + ".tmp", "b" + left, left + "x"}) {
        std::ofstream(folder / name.c_str()) << "x";
    }
    fs::create_symlink("nowhere", folder / "a.1123456789abcdef.tmp");
    fs::create_hard_link(folder / ("b" + left).c_str(), folder / "a.2123456789abcdef.tmp");
    const NewFile under_way(folder / "a");
    CHECK(folder.files() == 6);
    put(folder / "a", "");
    CHECK(folder.files() == 7);
    CHECK_FALSE(fs::exists(folder / left.c_str()));
    CHECK(fs::exists(under_way.temporary()));
}
