#include <algorithm>
#include <cstdlib>
#include <set>
#include <span>
#include <system_error>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/message_text.hpp"
#include "engine/foundation/new_file.hpp"

#include "results_schema/checks/validation.hpp"
#include "results_schema/job_logs.hpp"
#include "results_schema/loaded_file.hpp"
#include "results_schema/result_io.hpp"
#include "results_schema/schema.hpp"
#include "results_schema/tables/hdf5_handle.hpp"
#include "results_schema/tables/stored_text.hpp"
#include "results_schema/tables/table_filling.hpp"
#include "results_schema/tables/table_writing.hpp"

namespace schedfarm::results_schema {

namespace {

void make_texts_storable(Column& column) {
    if (auto* texts = std::get_if<Texts>(&column.data)) {
        for (std::size_t row = 0; row < texts->size(); ++row) {
            if (std::string stored = stored_text((*texts)[row]); stored != (*texts)[row]) {
                texts->set(row, std::move(stored));
            }
        }
    }
}

/// The results as they are stored: texts made storable, the writer's own attributes set.
ResultFile completed(ResultFile results) {
    for (Table& table : results.tables) {
        std::for_each(table.columns.begin(), table.columns.end(), make_texts_storable);
    }
    set_attribute(results, "filetype", filetype);
    set_attribute(results, "schema_version", fmt::format("{}.{}", schema_major, schema_minor));
    set_attribute(results, "payload_hash", payload_hash(results));
    set_attribute(
        results,
        "hdf5_version",
        fmt::format("{}.{}.{}", H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE)
    );
    return results;
}

/// One log after the other, so that only one is in memory.
void write_job_logs(hid_t file, const ResultFile& results, const JobLogSource& logs) {
    std::set<std::string> groups;
    const auto need_group = [&](const std::string& path) {
        if (groups.insert(path).second) {
            make_group(file, path);
        }
    };
    for (const JobLogId& id : logs.ids) {
        const StoredJobLog log = logs.make(id);
        const std::vector<std::string> problems = job_log_problems(log, results);
        SCHEDFARM_EXPECT(
            problems.empty(), fmt::format("a job log is wrong: {}", fmt::join(problems, "; "))
        );
        need_group("jobs");
        need_group(fmt::format("jobs/{}", id.cell));
        write_table(file, log.jobs);
        if (log.processors.rows() > 0) {
            need_group("processors");
            need_group(fmt::format("processors/{}", id.cell));
            write_table(file, log.processors);
        }
    }
}

/// The memory in which HDF5 keeps a file, left to us when the file is closed. HDF5 itself touches
/// no disk: after a write that fails it can neither close the file nor end without a word.
class FileImage {
  public:
    FileImage() = default;
    FileImage(const FileImage&) = delete;
    FileImage& operator=(const FileImage&) = delete;
    ~FileImage() { std::free(memory_); }  // NOLINT(cppcoreguidelines-no-malloc)

    std::span<const std::byte> bytes() const {
        return {static_cast<const std::byte*>(memory_), size_};
    }
    void set_size(std::size_t size) { size_ = size; }

    H5FD_file_image_callbacks_t callbacks() {
        return {
            [](std::size_t size, H5FD_file_image_op_t, void*) { return std::malloc(size); },
            nullptr,
            [](void* memory, std::size_t size, H5FD_file_image_op_t, void*) {
                return std::realloc(memory, size);
            },
            [](void* memory, H5FD_file_image_op_t, void* image) -> herr_t {
                std::swap(static_cast<FileImage*>(image)->memory_, memory);
                std::free(memory);
                return 0;
            },
            [](void* image) { return image; },
            [](void*) -> herr_t { return 0; },
            this};
    }

  private:
    void* memory_ = nullptr;
    std::size_t size_ = 0;
};

/// In the format of HDF5 1.8, which guards metadata with checksums.
void make_image(FileImage& image, const ResultFile& results, const JobLogSource& logs) {
    constexpr std::size_t growth = std::size_t{1} << 20;
    const Handle access = make_properties(H5P_FILE_ACCESS);
    H5FD_file_image_callbacks_t callbacks = image.callbacks();
    checked(H5Pset_fapl_core(access.id(), growth, false), "file in memory");
    checked(H5Pset_file_image_callbacks(access.id(), &callbacks), "file in memory");
    // No blocks taken ahead, which closing would give back: the size is known before.
    checked(H5Pset_meta_block_size(access.id(), 0), "file in memory");
    checked(H5Pset_small_data_block_size(access.id(), 0), "file in memory");
    checked(H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_V18), "format version");
    const Handle creation = creation_properties(H5P_FILE_CREATE);
    Handle file(
        H5Fcreate("results", H5F_ACC_TRUNC, creation.id(), access.id()), H5Fclose, "file in memory"
    );
    for (const AttributeSchema& schema : schema_attributes()) {
        if (const Attribute* attribute = results.attribute(schema.name)) {
            write_root_attribute(file.id(), *attribute);
        }
    }
    for (const TableSchema& schema : schema_tables()) {
        if (const Table* table = results.find(schema.name)) {
            write_table(file.id(), *table);
        }
    }
    write_job_logs(file.id(), results, logs);
    checked(H5Fflush(file.id(), H5F_SCOPE_GLOBAL), "flush");
    const ssize_t size = checked(H5Fget_file_image(file.id(), nullptr, 0), "file image");
    checked(H5Fclose(file.release()), "close");
    image.set_size(static_cast<std::size_t>(size));
}

void write_image(engine::NewFile& file, const ResultFile& results, const JobLogSource& logs) {
    FileImage image;
    make_image(image, results, logs);
    file.write(image.bytes());
}

/// No reader would take a file with a problem.
void expect_accepted(const std::filesystem::path& path, const std::filesystem::path& temporary) {
    std::vector<std::string> problems;
    try {
        problems = problems_in(temporary, load_own_results(temporary));
    } catch (const ResultError& error) {
        problems = {error.what()};
    }
    constexpr std::size_t most_told = 3;
    const std::size_t all = problems.size();
    if (all > 0) {
        problems.resize(std::min(all, most_told));
        throw ResultError(fmt::format(
            "{}: the results do not pass their own check ({}; {} in all) and are not written. What "
            "was computed is in the journal. This is an error of schedfarm: report it?",
            path.string(),
            fmt::join(problems, "; "),
            engine::counted(all, "problem")
        ));
    }
}

}  // namespace

std::string write_results(
    const std::filesystem::path& path, ResultFile results, const JobLogSource& logs
) {
    const std::vector<std::string> problems = structural_problems(results);
    SCHEDFARM_EXPECT(
        problems.empty(),
        fmt::format("results do not follow the schema: {}", fmt::join(problems, "; "))
    );
    const auto refuse = [&path](const std::string& reason) {
        throw ResultError(fmt::format(
            "{}: the results cannot be written ({}). What was computed is in the journal: remedy "
            "this and run `{}`",
            path.string(),
            reason,
            engine::program_command({"rebuild", std::filesystem::path(path.string() + ".journal")})
        ));
    };
    results = completed(std::move(results));
    std::string hash = std::get<std::string>(results.attribute("payload_hash")->value);
    try {
        const QuietErrors quiet;
        engine::NewFile file(path);
        write_image(file, results, logs);
        results = {};  // they are read again
        expect_accepted(path, file.temporary());
        file.put_in_place();
    } catch (const Hdf5Failure& failure) {
        refuse(failure.what());
    } catch (const std::system_error& error) {
        refuse(error.code().message());
    }
    return hash;
}

}  // namespace schedfarm::results_schema
