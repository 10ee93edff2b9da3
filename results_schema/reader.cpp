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
#include "results_schema/loaded_file.hpp"
#include "results_schema/result_io.hpp"
#include "results_schema/schema.hpp"
#include "results_schema/tables/hdf5_attributes.hpp"
#include "results_schema/tables/hdf5_handle.hpp"
#include "results_schema/tables/stored_text.hpp"
#include "results_schema/tables/table_reading.hpp"

namespace schedfarm::results_schema {

namespace {

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
            loaded.remarks.push_back(
                fmt::format("attribute '{}' is neither text, int64 nor float64", stored_text(name))
            );
            continue;
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

/// "17" as a number; absent for what is none, or is not written as the writer does.
std::optional<std::uint64_t> parse_number(const std::string& text) {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, number);
    const bool is_number = parsed.ec == std::errc() && parsed.ptr == end;
    return is_number && text == fmt::format("{}", number) ? std::optional(number) : std::nullopt;
}

/// What lies in the groups of a kind of log, by cell and replication; what is no log is remarked.
std::vector<JobLogId> log_ids(hid_t file, const char* kind, std::vector<std::string>& remarks) {
    std::vector<JobLogId> ids;
    if (checked(H5Lexists(file, kind, H5P_DEFAULT), kind) == 0) {
        return ids;
    }
    const auto remark = [&](const std::string& path) {
        remarks.push_back(fmt::format("'{}' is not in the schema", stored_text(path)));
    };
    const Handle group(H5Gopen2(file, kind, H5P_DEFAULT), H5Gclose, kind);
    for (const std::string& cell : link_names(group.id())) {
        const auto number = parse_number(cell);
        if (!number) {
            remark(fmt::format("{}/{}", kind, cell));
            continue;
        }
        const Handle inner(H5Gopen2(group.id(), cell.c_str(), H5P_DEFAULT), H5Gclose, cell);
        for (const std::string& replication : link_names(inner.id())) {
            if (const auto index = parse_number(replication)) {
                ids.push_back({*number, *index});
            } else {
                remark(fmt::format("{}/{}/{}", kind, cell, replication));
            }
        }
    }
    std::sort(ids.begin(), ids.end());
    return ids;
}

void find_job_logs(hid_t file, LoadedFile& loaded) {
    loaded.job_logs = log_ids(file, "jobs", loaded.remarks);
    for (const char* kind : {"processors", "pieces"}) {
        for (const JobLogId& id : log_ids(file, kind, loaded.remarks)) {
            if (!std::binary_search(loaded.job_logs.begin(), loaded.job_logs.end(), id)) {
                loaded.remarks.push_back(fmt::format(
                    "{}/{}/{}: there is no log of its jobs", kind, id.cell, id.replication
                ));
            }
        }
    }
}

void remark_unknown_objects(hid_t file, LoadedFile& loaded) {
    for (const std::string& name : link_names(file)) {
        const bool is_other = name == "notes" || find_table_schema(name + "/") != nullptr;  // logs
        if (!is_other && find_table_schema(name) == nullptr) {
            loaded.remarks.push_back(fmt::format("'{}' is not in the schema", stored_text(name)));
        }
    }
}

LoadedFile load(const std::filesystem::path& path) {
    const QuietErrors quiet;
    const Handle file = open_file(path);
    LoadedFile loaded;
    loaded.version = expect_readable_version(file.id());
    remark_unknown_objects(file.id(), loaded);  // before anything is followed
    read_root_attributes(file.id(), loaded);
    for (const TableSchema& schema : schema_tables()) {
        if (checked(H5Lexists(file.id(), schema.name.c_str(), H5P_DEFAULT), schema.name) > 0) {
            loaded.results.tables.push_back(read_table(file.id(), schema.name, loaded.remarks));
        }
    }
    find_job_logs(file.id(), loaded);
    return loaded;
}

StoredJobLog load_log(
    const std::filesystem::path& path, const JobLogId& id, std::vector<std::string>& remarks
) {
    const QuietErrors quiet;
    const Handle file = open_file(path);
    StoredJobLog log = make_job_log(id);
    log.jobs = read_table(file.id(), log.jobs.name, remarks);
    const auto read_part = [&](const std::string& kind, Table& table) {
        for (const std::string& name : {kind, fmt::format("{}/{}", kind, id.cell), table.name}) {
            if (checked(H5Lexists(file.id(), name.c_str(), H5P_DEFAULT), name) == 0) {
                return;
            }
        }
        table = read_table(file.id(), table.name, remarks);
    };
    read_part("processors", log.processors);
    read_part("pieces", log.pieces);
    return log;
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
            error == EACCES ? "Ask its owner to let you read it" : "Is the path right?"
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

void load_with_logs(const std::filesystem::path& path) {
    std::vector<std::string> ignored;
    for (const JobLogId& id : load(path).job_logs) {
        load_log(path, id, ignored);
    }
}

/// What would lead a reader of the tables astray; of a file that says what is wrong with it no
/// more.
std::vector<std::string> problems_for_readers(const LoadedFile& loaded) {
    const bool is_later = loaded.version.minor > schema_minor;
    std::vector<std::string> problems =
        is_later ? missing_parts(loaded.results) : table_problems(loaded.results, schema_tables());
    if (problems.empty()) {
        const bool is_marked = loaded.results.find("defects") != nullptr;
        problems = is_later || is_marked ? unknown_cells(loaded.results)
                                         : consistency_problems(loaded.results);
    }
    return problems;
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
            : "Is there a copy of it, or its journal?"
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

/// What can be relied on, and the version.
LoadedFile load_checked(const std::filesystem::path& path) {
    LoadedFile loaded = load_results(path);
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
    return loaded;
}

void leave_out_later_columns(Table& table, const TableSchema& schema) {
    table.columns.resize(std::min(table.columns.size(), schema.columns.size()));
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

LoadedFile load_own_results(const std::filesystem::path& path) {
    return guarded(path, [&] { return load(path); });
}

LoadedFile load_results(const std::filesystem::path& path) {
    expect_hdf5_file(path);
    return guarded(path, [&] {
        expect_harmless(path, [&] { load(path); });
        return load(path);
    });
}

LoadedFile load_results_with_logs(const std::filesystem::path& path) {
    expect_hdf5_file(path);
    return guarded(path, [&] {
        expect_harmless(path, [&] { load_with_logs(path); });
        return load(path);
    });
}

ResultFile read_results(const std::filesystem::path& path) {
    return load_checked(path).results;
}

std::vector<JobLogId> job_logs_in(const std::filesystem::path& path) {
    return load_results(path).job_logs;
}

StoredJobLog load_job_log(
    const std::filesystem::path& path, const JobLogId& id, std::vector<std::string>& remarks
) {
    return guarded(path, [&] { return load_log(path, id, remarks); });
}

StoredJobLog read_job_log(const std::filesystem::path& path, const JobLogId& id) {
    const LoadedFile loaded = load_checked(path);
    std::vector<std::string> remarks;
    const auto read = [&] {
        return load_job_log(path, id, remarks);
    };
    guarded(path, [&] { expect_harmless(path, read); });
    StoredJobLog log = read();
    if (loaded.version.minor > schema_minor) {
        leave_out_later_columns(log.jobs, job_log_schema()[0]);
        leave_out_later_columns(log.processors, job_log_schema()[1]);
        leave_out_later_columns(log.pieces, job_log_schema()[2]);
    }
    const std::vector<std::string> problems = job_log_problems(log, loaded.results);
    if (!problems.empty()) {
        throw ResultError(fmt::format(
            "{}: the log {} does not agree with the schema ({}). `{}` says more",
            path.string(),
            log.jobs.name,
            problems.front(),
            engine::program_command({"check", path})
        ));
    }
    return log;
}

}  // namespace schedfarm::results_schema
