#include "models/trace/reading/reader.hpp"

#include <algorithm>
#include <new>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "engine/foundation/hash.hpp"

#include "models/trace/reading/foreign_text.hpp"
#include "models/trace/reading/inflated_file.hpp"
#include "models/trace/reading/line_reader.hpp"
#include "models/trace/reading/log_error.hpp"

namespace schedfarm::models::trace {

namespace {

/// The longest line that is read, and how much text is held.
constexpr std::size_t buffer_size = std::size_t{1} << 17;

class Text {
  public:
    explicit Text(std::string_view text) : rest_(text) {}

    std::size_t read(std::span<char> to) {
        const std::size_t count = std::min(to.size(), rest_.size());
        std::copy_n(rest_.data(), count, to.data());
        rest_.remove_prefix(count);
        return count;
    }

  private:
    std::string_view rest_;
};

/// `problem`: of the file as a whole; empty: there is none.
void refuse_if(const std::string& name, const std::string& problem) {
    if (!problem.empty()) {
        throw LogError(name, 1, problem);
    }
}

/// The first line, which is too long for a job, where it is of a known kind.
void refuse_first_line(const std::string& name, std::string_view line) {
    refuse_if(name, has_carriage_returns_alone(line) ? carriage_return_text() : foreign_line(line));
}

template <typename Source>
Log read_from(
    Source& source,
    const std::string& name,
    Checksum checksum,
    FieldSet kept,
    std::uint64_t most_jobs
) {
    LineReader lines(name, kept, most_jobs);
    engine::Sha256 hash;
    std::vector<char> buffer(buffer_size + 1);
    std::size_t filled = 0;
    std::uint64_t read = 0;
    bool has_line = false;
    while (const std::size_t count = source.read({buffer.data() + filled, buffer_size - filled})) {
        const std::string_view fresh(buffer.data() + filled, count);
        if (read == 0) {
            refuse_if(name, foreign_beginning(fresh));
        }
        read += count;
        if (checksum == Checksum::sha256) {
            hash.add(fresh);
        }
        filled += count;
        const std::size_t newline = std::string_view(buffer.data(), filled).rfind('\n');
        const std::size_t whole = newline == std::string_view::npos ? 0 : newline + 1;
        lines.add({buffer.data(), whole});
        std::copy(buffer.data() + whole, buffer.data() + filled, buffer.data());
        filled -= whole;
        has_line = has_line || whole > 0;
        if (filled == buffer_size) {
            if (!has_line) {
                refuse_first_line(name, {buffer.data(), filled});
            }
            throw LogError(fmt::format(
                "{}: a line of more than {} characters (a job has 18 numbers). Is it an SWF log?",
                name,
                buffer_size
            ));
        }
    }
    if (filled > 0) {  // the last line may lack its end
        if (!has_line && has_carriage_returns_alone({buffer.data(), filled})) {
            refuse_if(name, carriage_return_text());
        }
        buffer[filled] = '\n';
        lines.add({buffer.data(), filled + 1});
    }
    Log log = lines.finish();
    if (checksum == Checksum::sha256) {
        log.sha256 = hash.hex();
    }
    return log;
}

}  // namespace

Log read_log(
    const std::filesystem::path& file, Checksum checksum, FieldSet kept, std::uint64_t most_jobs
) {
    InflatedFile source(file.string());
    try {
        Log log = read_from(source, file.string(), checksum, kept, most_jobs);
        if (source.has_trailing_garbage()) {
            log.oddities.push_back({.kind = OddityKind::trailing_garbage, .count = 1});
        }
        return log;
    } catch (const std::bad_alloc&) {
        throw LogError(file.string() + ": memory does not suffice for its jobs. Is it a log?");
    }
}

Log read_log_text(std::string_view text, const std::string& name, Checksum checksum) {
    Text source(text);
    return read_from(source, name, checksum, FieldSet::all(), most_jobs_of_a_log);
}

}  // namespace schedfarm::models::trace
