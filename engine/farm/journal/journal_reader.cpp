#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <span>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "engine/farm/journal/journal.hpp"
#include "engine/farm/journal/journal_format.hpp"
#include "engine/farm/task_codec.hpp"

namespace schedfarm::engine {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::string& problem) {
    throw JournalError(path.string() + ": " + problem);
}

/// The records of a journal one by one, so that only one is in memory.
class RecordFile {
  public:
    explicit RecordFile(const fs::path& path) : path_(path) {
        std::error_code error;
        const fs::file_status status = fs::status(path, error);
        if (!fs::exists(status)) {
            refuse(
                path,
                fmt::format("no journal can be read there ({}). Check the path.", error.message())
            );
        }
        if (!fs::is_regular_file(status)) {
            refuse(path, "this is no regular file (a journal always is). Check the path.");
        }
        file_.open(path, std::ios::binary);
        size_ = fs::file_size(path, error);
        if (error || !file_) {
            refuse_reading();
        }
        skip_magic();
    }

    /// Absent where the rest is cut or does not match its checksum. The view is valid until the
    /// next call.
    std::optional<RecordView> next() {
        if (size_ - offset_ < record_overhead) {
            return std::nullopt;
        }
        const std::uint64_t size = record_overhead + ByteReader(ahead(record_overhead)).u32();
        if (size > size_ - offset_) {
            return std::nullopt;
        }
        const auto record = next_record(ahead(size));
        offset_ += record ? size : 0;
        return record;
    }

    /// The end of what next() has given.
    std::uint64_t offset() const { return offset_; }
    std::uint64_t torn_bytes() const { return size_ - offset_; }

    std::span<const std::byte> rest() { return ahead(torn_bytes()); }

  private:
    [[noreturn]] void refuse_reading() const {
        refuse(
            path_,
            fmt::format(
                "the journal cannot be read ({}). Check its permissions, and the disk.",
                std::generic_category().message(errno)
            )
        );
    }

    /// So many bytes at the offset. REQUIRES: the file has them.
    std::span<const std::byte> ahead(std::uint64_t size) {
        constexpr std::uint64_t block = std::uint64_t{1} << 18;
        if (offset_ + size > block_begin_ + block_.size()) {
            const auto passed = static_cast<std::ptrdiff_t>(offset_ - block_begin_);
            block_.erase(block_.begin(), block_.begin() + passed);
            block_begin_ = offset_;
            const std::size_t held = block_.size();
            block_.resize(std::min(std::max(size, block), size_ - offset_));
            read(std::span(block_).subspan(held));
        }
        return std::span(block_).subspan(offset_ - block_begin_, size);
    }

    void read(std::span<std::byte> bytes) {
        file_.read(
            reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())
        );
        if (!file_) {
            refuse_reading();
        }
    }

    void skip_magic() {
        const auto magic = std::as_bytes(std::span(journal_magic));
        Bytes beginning(std::min<std::uint64_t>(magic.size(), size_));
        read(beginning);
        if (!std::equal(beginning.begin(), beginning.end(), magic.begin())) {
            refuse(
                path_,
                "this is no schedfarm journal (it does not begin with the line 'schedfarm "
                "journal'). Name a journal."
            );
        }
        offset_ = block_begin_ = beginning.size();
    }

    fs::path path_;
    std::ifstream file_;
    std::uint64_t size_ = 0;
    std::uint64_t offset_ = 0;
    std::uint64_t block_begin_ = 0;
    Bytes block_;  // of the file, around the offset
};

JournalHeader read_header(const fs::path& path, const std::optional<RecordView>& record) {
    if (!record || record->kind != JournalRecordKind::header) {
        refuse(
            path,
            "the journal's header is cut or damaged (its checksum does not match), so nothing says "
            "which campaign it belongs to. Restore the file from a backup, or remove it and begin "
            "anew"
        );
    }
    JournalHeader header = decode_header(record->body);
    if (header.format != journal_format) {
        refuse(
            path,
            fmt::format(
                "the journal has format {} (this program reads format {}). Use the version "
                "of schedfarm that wrote it",
                header.format,
                journal_format
            )
        );
    }
    return header;
}

/// Whether more is torn than the record that a killed writer leaves: too many bytes, or a whole
/// record behind its beginning.
bool is_damage(RecordFile& file) {
    constexpr std::size_t most_searched = std::size_t{1} << 20;
    if (file.torn_bytes() > most_searched) {
        return true;
    }
    const std::span<const std::byte> torn = file.rest();
    for (std::size_t at = 1; at + record_overhead <= torn.size(); ++at) {
        const auto kind = static_cast<JournalRecordKind>(torn[at + record_overhead - 1]);
        const bool is_kind = kind >= JournalRecordKind::intent && kind <= JournalRecordKind::end;
        if (is_kind && next_record(torn.subspan(at))) {
            return true;
        }
    }
    return false;
}

/// Takes the records after the header, one by one.
class ContentBuilder {
  public:
    explicit ContentBuilder(JournalContent& content) : content_(content) {}

    void take(const RecordView& record) {
        ByteReader reader(record.body);
        content_.end.reset();
        if (record.kind == JournalRecordKind::intent) {
            in_flight_.insert(TaskId{reader.u64()});
        } else if (record.kind == JournalRecordKind::result) {
            const TaskId id = read_id_of_result(reader);
            in_flight_.erase(id);
            suspects_.erase(id);
            ++results_;
        } else if (record.kind == JournalRecordKind::suspects) {
            take_suspects(decode_suspects(record.body));
            return;
        } else if (record.kind == JournalRecordKind::share) {
            content_.share = reader.text();
        } else if (record.kind == JournalRecordKind::end) {
            take_end(reader.u8());
        } else {
            throw SerializationError(fmt::format(
                "there is no record of kind {} after the header", static_cast<int>(record.kind)
            ));
        }
        reader.expect_end();
    }

    std::uint64_t results() const { return results_; }

    void finish() {
        content_.in_flight.assign(in_flight_.begin(), in_flight_.end());
        for (const auto& [id, suspect] : suspects_) {
            content_.suspects.push_back(suspect);
        }
    }

  private:
    void take_suspects(const std::vector<Suspect>& suspects) {
        in_flight_.clear();
        suspects_.clear();
        for (const Suspect& suspect : suspects) {
            suspects_[suspect.id] = suspect;
        }
    }

    void take_end(std::uint8_t end) {
        if (end > static_cast<std::uint8_t>(JournalEnd::defective)) {
            throw SerializationError(fmt::format("a run cannot end in way {}", end));
        }
        content_.end = static_cast<JournalEnd>(end);
    }

    JournalContent& content_;
    std::uint64_t results_ = 0;
    std::set<TaskId> in_flight_;
    std::map<TaskId, Suspect> suspects_;
};

}  // namespace

std::vector<Suspect> suspects_of(const JournalContent& content) {
    std::map<TaskId, Suspect> by_id;
    for (const Suspect& suspect : content.suspects) {
        by_id[suspect.id] = suspect;
    }
    const bool was_alone = content.in_flight.size() == 1;
    for (const TaskId id : content.in_flight) {
        Suspect& suspect = by_id[id];
        suspect.id = id;
        suspect.blames += was_alone && suspect.is_retried_alone() ? 1U : 0U;
        ++suspect.deaths;
    }
    std::vector<Suspect> suspects;
    suspects.reserve(by_id.size());
    for (const auto& [id, suspect] : by_id) {
        suspects.push_back(suspect);
    }
    return suspects;
}

JournalContent read_journal(const fs::path& path) {
    RecordFile file(path);
    JournalContent content;
    ContentBuilder builder(content);
    std::uint64_t begin = file.offset();
    try {
        std::optional<RecordView> record = file.next();
        content.header = read_header(path, record);
        while (true) {
            begin = file.offset();
            record = file.next();
            if (!record) {
                break;
            }
            builder.take(*record);
        }
    } catch (const SerializationError& error) {
        // The checksum holds, so this is not a torn tail: another program wrote it.
        refuse(
            path,
            fmt::format(
                "the record at byte {} is intact but has no meaning here ({}). Read it with "
                "the version of schedfarm that wrote it.",
                begin,
                error.what()
            )
        );
    }
    builder.finish();
    content.torn_bytes = file.torn_bytes();
    content.valid_bytes = file.offset();
    content.results = {path, content.valid_bytes, builder.results()};
    content.is_damaged = is_damage(file);
    return content;
}

bool ends_in_order(const fs::path& path) {
    Bytes record(record_overhead + 1);
    std::ifstream file(path, std::ios::binary);
    file.seekg(-static_cast<std::streamoff>(record.size()), std::ios::end);
    file.read(reinterpret_cast<char*>(record.data()), static_cast<std::streamsize>(record.size()));
    const auto last = file ? next_record(record) : std::nullopt;
    return last && last->kind == JournalRecordKind::end;
}

struct JournalResults::Iterator::Pass {
    RecordFile file;
    std::uint64_t end = 0;  ///< bytes
    TaskResult result;

    /// Goes to the next result; false at the end.
    bool advance() {
        while (file.offset() < end) {
            const auto record = file.next();
            if (!record) {
                throw JournalError("the journal has changed since it was read. Try again");
            }
            if (record->kind == JournalRecordKind::result) {
                ByteReader reader(record->body);
                result = read_task_result(reader);
                return true;
            }
        }
        return false;
    }
};

JournalResults::Iterator::Iterator(const JournalResults& results) {
    if (!results.empty()) {
        pass_ = std::make_shared<Pass>(Pass{RecordFile(results.path_), results.bytes_, {}});
        ++*this;
    }
}

const TaskResult& JournalResults::Iterator::operator*() const {
    return pass_->result;
}

JournalResults::Iterator& JournalResults::Iterator::operator++() {
    if (!pass_->advance()) {
        pass_.reset();
    }
    return *this;
}

}  // namespace schedfarm::engine
