#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <new>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/foundation/message_text.hpp"

#include "results_schema/checks/validation.hpp"
#include "results_schema/result_io.hpp"
#include "results_schema/schema.hpp"
#include "results_schema/tables/hdf5_attributes.hpp"
#include "results_schema/tables/hdf5_handle.hpp"
#include "results_schema/tables/stored_text.hpp"
#include "results_schema/tables/table_reading.hpp"

namespace schedfarm::results_schema {

namespace {

struct SchemaVersion {
    int major = 0;
    int minor = 0;
};

struct LoadedFile {
    ResultFile results;
    SchemaVersion version;
};

std::optional<SchemaVersion> parse_version(const std::string& text) {
    SchemaVersion version;
    const char* end = text.data() + text.size();
    const auto major = std::from_chars(text.data(), end, version.major);
    if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') {
        return std::nullopt;
    }
    const auto minor = std::from_chars(major.ptr + 1, end, version.minor);
    if (minor.ec != std::errc() || minor.ptr != end) {
        return std::nullopt;
    }
    return version;
}

/// Without locks: a file under its final name is whole, and some file systems know no locks.
Handle open_file(const std::filesystem::path& path) {
    const Handle access = make_properties(H5P_FILE_ACCESS);
#if H5_VERSION_GE(1, 10, 7)
    checked(H5Pset_file_locking(access.id(), false, true), "file locking");
#endif
    return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose, "open"};
}

bool is_result_file(hid_t file) {
    return read_text(file, "filetype") == filetype;
}

SchemaVersion expect_readable_version(hid_t file) {
    if (!is_result_file(file)) {
        throw ResultError(
            "not a result file (an HDF5 file of another program). Name a file that `schedfarm run` "
            "wrote"
        );
    }
    const std::string text = read_text(file, "schema_version").value_or("");
    const auto version = parse_version(text);
    if (!version) {
        throw ResultError(fmt::format("cannot be read (its schema version is '{}')", text));
    }
    if (version->major != schema_major) {
        throw ResultError(fmt::format(
            "cannot be read (its schema version is {}; this program reads {}.x). Use the program "
            "that wrote it, or run its campaign again",
            text,
            schema_major
        ));
    }
    return *version;
}

void read_root_attributes(hid_t file, LoadedFile& loaded) {
    for (const std::string& name : attribute_names(file)) {
        auto attribute = read_scalar(file, name);
        if (!attribute) {
            continue;  // of a type that no version of the schema has
        }
        if (const AttributeSchema* schema = find_attribute_schema(name)) {
            attribute->meaning = schema->meaning;
        }
        loaded.results.attributes.push_back(std::move(*attribute));
    }
    // In the order of the schema; what it does not have comes last.
    std::stable_sort(
        loaded.results.attributes.begin(),
        loaded.results.attributes.end(),
        [](const Attribute& a, const Attribute& b) {
            const auto position = [](const Attribute& attribute) {
                const AttributeSchema* schema = find_attribute_schema(attribute.name);
                const auto& all = schema_attributes();
                return schema == nullptr ? all.size()
                                         : static_cast<std::size_t>(schema - all.data());
            };
            return position(a) < position(b);
        }
    );
}

LoadedFile load(const std::filesystem::path& path) {
    const QuietErrors quiet;
    const Handle file = open_file(path);
    LoadedFile loaded;
    loaded.version = expect_readable_version(file.id());
    link_names(file.id());  // throws where one leads elsewhere, before any is followed
    read_root_attributes(file.id(), loaded);
    for (const TableSchema& schema : schema_tables()) {
        if (checked(H5Lexists(file.id(), schema.name.c_str(), H5P_DEFAULT), schema.name) > 0) {
            loaded.results.tables.push_back(read_table(file.id(), schema.name));
        }
    }
    return loaded;
}

bool is_hdf5_file(const std::filesystem::path& path) {
    constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
    std::string start(signature.size(), '\0');
    std::ifstream(path, std::ios::binary).read(start.data(), std::ssize(start));
    return start == signature;
}

/// Throws ResultError unless it is a regular file that may be read and begins as HDF5 files do.
void expect_hdf5_file(const std::filesystem::path& path) {
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(path, ignored);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        throw ResultError(fmt::format(
            "{}: cannot be read (it is not a regular file). Name the result file", path.string()
        ));
    }
    if (!std::ifstream(path)) {
        const int error = errno;
        const std::string broken = engine::broken_link_text(path);
        throw ResultError(fmt::format(
            "{}: cannot be read ({}). {}",
            path.string(),
            broken.empty() ? std::generic_category().message(error) : broken,
            error == EACCES ? "Ask its owner to let you read it" : "Check the path."
        ));
    }
    if (!is_hdf5_file(path)) {
        throw ResultError(fmt::format(
            "{}: not a result file (it does not begin as HDF5 files do). Name a file that "
            "`schedfarm run` wrote",
            path.string()
        ));
    }
}

/// No core file and no last words: the parent says what is to be said.
void die_quietly() {
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
        ::signal(signal, SIG_DFL);
    }
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) {
        ::dup2(nowhere, STDERR_FILENO);
    }
}

[[noreturn]] void read_and_end(const std::function<void()>& read) {
    die_quietly();
    try {
        read();
    } catch (...) {  // NOLINT(bugprone-empty-catch)
    }
    H5close();  // crashes on some, too
    ::_exit(0);
}

/// Does `read` in a child process and closes HDF5 there. What it throws is let go, as whoever reads
/// in earnest meets it too; throws Hdf5Failure where the child died.
void read_guarded(const std::function<void()>& read) {
    const pid_t child = ::fork();
    if (child == 0) {
        read_and_end(read);
    }
    int status = 0;
    while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (child > 0 && status != 0) {
        throw Hdf5Failure("the HDF5 library crashes on it");
    }
}

/// Some damaged files make the HDF5 library crash or run for ever: a process of its own reads first
/// what is to be read, for at most 3 s of CPU time and 1 s for each MiB.
void expect_harmless(const std::filesystem::path& path, const std::function<void()>& read) {
    const QuietErrors quiet;  // begins HDF5 once, for both processes
    read_guarded([&] {
        const rlim_t longest_s = 3 + (std::filesystem::file_size(path) >> 20U);
        const rlimit limit{longest_s, longest_s};
        ::setrlimit(RLIMIT_CPU, &limit);
        read();
    });
}

/// What would lead a reader of the tables astray.
std::vector<std::string> problems_for_readers(const LoadedFile& loaded) {
    const bool is_later = loaded.version.minor > schema_minor;
    const std::vector<std::string> problems =
        is_later ? missing_parts(loaded.results) : table_problems(loaded.results, schema_tables());
    return problems.empty() ? unknown_cells(loaded.results) : problems;
}

[[noreturn]] void throw_damaged(const std::filesystem::path& path, std::string_view reason) {
    std::filesystem::path journal = path;
    journal += ".journal";
    std::error_code error;
    throw ResultError(fmt::format(
        "{}: damaged or cut short ({}). {}",
        path.string(),
        reason,
        std::filesystem::exists(journal, error)
            ? fmt::format("Write it anew with `{}`", engine::program_command({"rebuild", journal}))
            : "Use a copy of it, or its journal."
    ));
}

/// What `read` returns; its errors name the file.
template <typename Read>
auto guarded(const std::filesystem::path& path, Read&& read) -> decltype(read()) {
    try {
        return read();
    } catch (const Hdf5Failure& failure) {
        throw_damaged(path, failure.what());
    } catch (const ResultError& error) {
        throw ResultError(fmt::format("{}: {}", path.string(), error.what()));
    } catch (const std::bad_alloc&) {
        throw_damaged(path, "it asks for more memory than there is");
    } catch (const std::length_error&) {
        throw_damaged(path, "it asks for more memory than there is");
    }
}

}  // namespace

FileKind kind_of(const std::filesystem::path& path) {
    if (!is_hdf5_file(path)) {
        return FileKind::other;
    }
    try {
        const auto kind = [&] {
            const QuietErrors quiet;
            const Handle file = open_file(path);
            return is_result_file(file.id()) ? FileKind::results : FileKind::other;
        };
        return guarded(path, [&] {
            expect_harmless(path, kind);
            return kind();
        });
    } catch (const ResultError&) {
        return FileKind::unreadable;
    }
}

ResultFile read_own_results(const std::filesystem::path& path) {
    return guarded(path, [&] { return load(path).results; });
}

ResultFile read_results(const std::filesystem::path& path) {
    expect_hdf5_file(path);
    LoadedFile loaded = guarded(path, [&] {
        expect_harmless(path, [&] { load(path); });
        return load(path);
    });
    const std::vector<std::string> problems = problems_for_readers(loaded);
    if (!problems.empty()) {
        throw ResultError(fmt::format(
            "{}: does not agree with schema {}.{} ({}; {} in all). `{}` lists them, and `schedfarm "
            "rebuild` makes the file anew from its journal",
            path.string(),
            loaded.version.major,
            loaded.version.minor,
            problems.front(),
            engine::counted(problems.size(), "problem"),
            engine::program_command({"check", path})
        ));
    }
    return std::move(loaded.results);
}

}  // namespace schedfarm::results_schema
