#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "engine/farm/journal.hpp"
#include "engine/farm/journal_format.hpp"
#include "engine/farm/task_codec.hpp"

namespace schedfarm::engine {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::string& problem) {
    throw JournalError(path.string() + ": " + problem);
}

Bytes read_file(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) {
        refuse(
            path,
            fmt::format("no journal can be read there ({}). Is the path right?", error.message())
        );
    }
    if (!fs::is_regular_file(status)) {
        refuse(path, "this is no regular file (a journal always is). Is this the right path?");
    }
    std::ifstream file(path, std::ios::binary);
    const std::uintmax_t size = fs::file_size(path, error);
    Bytes bytes(error ? 0 : size);
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (error || !file) {
        refuse(
            path,
            fmt::format(
                "the journal cannot be read ({}). May this user read it, and is the disk sound?",
                std::generic_category().message(errno)
            )
        );
    }
    return bytes;
}

std::span<const std::byte> after_magic(const fs::path& path, const Bytes& file) {
    const auto magic = std::as_bytes(std::span(journal_magic));
    const std::size_t present = std::min(magic.size(), file.size());
    if (!std::equal(
            magic.begin(), magic.begin() + static_cast<std::ptrdiff_t>(present), file.begin()
        )) {
        refuse(
            path,
            "this is no schedfarm journal (it does not begin with the line 'schedfarm journal'). "
            "Is this the right file?"
        );
    }
    return std::span(file).subspan(present);
}

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
bool is_damage(std::span<const std::byte> torn) {
    constexpr std::size_t most_searched = std::size_t{1} << 20;
    if (torn.size() > most_searched) {
        return true;
    }
    for (std::size_t at = 1; at + record_overhead <= torn.size(); ++at) {
        const auto kind = static_cast<JournalRecordKind>(torn[at + record_overhead - 1]);
        const bool is_kind =
            kind >= JournalRecordKind::intent && kind <= JournalRecordKind::suspects;
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
        if (record.kind == JournalRecordKind::intent) {
            in_flight_.insert(TaskId{reader.u64()});
        } else if (record.kind == JournalRecordKind::result) {
            content_.results.push_back(read_task_result(reader));
            in_flight_.erase(content_.results.back().id);
            suspects_.erase(content_.results.back().id);
        } else if (record.kind == JournalRecordKind::suspects) {
            take_suspects(decode_suspects(record.body));
            return;
        } else {
            throw SerializationError(fmt::format(
                "there is no record of kind {} after the header", static_cast<int>(record.kind)
            ));
        }
        reader.expect_end();
    }

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

    JournalContent& content_;
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
    const Bytes file = read_file(path);
    std::span<const std::byte> rest = after_magic(path, file);
    JournalContent content;
    ContentBuilder builder(content);
    try {
        std::optional<RecordView> record = next_record(rest);
        content.header = read_header(path, record);
        while (true) {
            rest = rest.subspan(record_overhead + record->body.size());
            record = next_record(rest);
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
                "the record at byte {} is intact but has no meaning here ({}). Was it written by "
                "another version of schedfarm?",
                file.size() - rest.size(),
                error.what()
            )
        );
    }
    builder.finish();
    content.torn_bytes = rest.size();
    content.valid_bytes = file.size() - rest.size();
    content.is_damaged = is_damage(rest);
    return content;
}

}  // namespace schedfarm::engine
