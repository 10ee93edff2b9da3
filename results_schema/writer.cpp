#include <algorithm>
#include <cstdlib>
#include <exception>
#include <optional>
#include <set>
#include <span>
#include <system_error>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/message_text.hpp"
#include "engine/foundation/new_file.hpp"

#include "results_schema/checks/validation.hpp"
#include "results_schema/job_logs.hpp"
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

/// Leaves out the tables that do not follow the schema, and puts empty ones where none may lack.
void mend(ResultFile& results, std::vector<Defect>& defects) {
    for (std::string& problem : table_problems(results, schema_tables())) {
        defects.push_back({-1, std::move(problem)});
    }
    std::erase_if(results.tables, [](const Table& table) {
        const TableSchema* const schema = find_table_schema(table.name);
        return schema == nullptr || !table_problems({{}, {table}}, {*schema}).empty();
    });
    for (const TableSchema& schema : schema_tables()) {
        if (schema.presence == Presence::required && results.find(schema.name) == nullptr) {
            results.tables.push_back(make_table(schema.name));
        }
    }
}

/// Absent where it is left out, cannot be made, or cannot be a table.
std::optional<StoredJobLog> made(
    const JobLogSource& logs, const JobLogId& id, std::vector<Defect>& defects
) {
    std::string reason;
    try {
        std::optional<StoredJobLog> log = logs.make(id);
        const auto problems = log ? structural_problems(*log) : std::vector<std::string>();
        if (problems.empty()) {
            return log;
        }
        reason = problems.front();
    } catch (const std::exception& error) {
        reason = error.what();
    }
    defects.push_back(
        {static_cast<std::int64_t>(id.cell),
         fmt::format("the job log of replication {} is left out ({})", id.replication, reason)}
    );
    return std::nullopt;
}

/// One log after the other, so that only one is in memory.
void write_job_logs(hid_t file, const JobLogSource& logs, std::vector<Defect>& defects) {
    std::set<std::string> groups;
    const auto need_group = [&](const std::string& path) {
        if (groups.insert(path).second) {
            make_group(file, path);
        }
    };
    for (const JobLogId& id : logs.ids) {
        const std::optional<StoredJobLog> log = made(logs, id, defects);
        if (!log) {
            continue;
        }
        const auto write_part = [&](const char* kind, const Table& table) {
            need_group(kind);
            need_group(fmt::format("{}/{}", kind, id.cell));
            write_table(file, table);
        };
        write_part("jobs", log->jobs);
        if (log->processors.rows() > 0) {
            write_part("processors", log->processors);
        }
        if (log->pieces.rows() > 0) {
            write_part("pieces", log->pieces);
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
void make_image(
    FileImage& image,
    const ResultFile& results,
    const JobLogSource& logs,
    std::vector<Defect>& defects
) {
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
    write_job_logs(file.id(), logs, defects);
    checked(H5Fflush(file.id(), H5F_SCOPE_GLOBAL), "flush");
    const ssize_t size = checked(H5Fget_file_image(file.id(), nullptr, 0), "file image");
    checked(H5Fclose(file.release()), "close");
    image.set_size(static_cast<std::size_t>(size));
}

void write_image(
    engine::NewFile& file,
    const ResultFile& results,
    const JobLogSource& logs,
    std::vector<Defect>& defects
) {
    FileImage image;
    make_image(image, results, logs, defects);
    file.write(image.bytes());
}

void mark(ResultFile& results, const std::vector<Defect>& defects) {
    Table table = make_table("defects");
    for (const Defect& defect : defects) {
        add_row(table, {{"cell", defect.cell}, {"problem", stored_text(defect.problem)}});
    }
    results.tables.push_back(std::move(table));
}

}  // namespace

WrittenResults write_results(
    const std::filesystem::path& path,
    ResultFile results,
    const JobLogSource& logs,
    std::vector<Defect> known
) {
    WrittenResults written{{}, std::move(known)};
    if (!table_problems(results, schema_tables()).empty()) {
        mend(results, written.defects);
    }
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
    written.payload_hash = std::get<std::string>(results.attribute("payload_hash")->value);
    try {
        const QuietErrors quiet;
        engine::NewFile file(path);
        write_image(file, results, logs, written.defects);
        results = {};  // they are read again
        ResultFile stored = read_own_results(file.temporary());
        for (const auto& found : {structural_problems(stored), payload_problems(stored)}) {
            for (const std::string& problem : found) {
                written.defects.push_back({-1, problem});
            }
        }
        if (written.defects.empty()) {
            file.put_in_place();
            return written;
        }
        mark(stored, written.defects);
        engine::NewFile marked(path);
        std::vector<Defect> same;  // as before
        write_image(marked, stored, logs, same);
        marked.put_in_place();
    } catch (const Hdf5Failure& failure) {
        refuse(failure.what());
    } catch (const std::system_error& error) {
        refuse(error.code().message());
    } catch (const ResultError& error) {
        refuse(error.what());
    }
    return written;
}

}  // namespace schedfarm::results_schema
