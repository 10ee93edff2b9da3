#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>

#include "engine/farm/journal/journal.hpp"
#include "engine/farm/journal/journal_format.hpp"
#include "engine/farm/processes/drain_notice.hpp"
#include "engine/farm/task_codec.hpp"
#include "engine/foundation/file_handle.hpp"
#include "engine/foundation/message_text.hpp"
#include "engine/foundation/new_file.hpp"

namespace schedfarm::engine {

namespace {

namespace fs = std::filesystem;

std::string suggestion(const std::error_code& error) {
    if (error == std::errc::no_space_on_device || error == std::errc::file_too_large
        || error.value() == EDQUOT) {
        return "Free some space there or raise the limit, then start again: what is in a journal "
               "by then is kept, and `schedfarm resume` goes on from it";
    }
    if (error == std::errc::operation_not_permitted
        || error == std::errc::too_many_symbolic_link_levels) {
        return "Something of somebody else's, or a link, has the name of one of its own: remove "
               "it, or choose another output";
    }
    if (error == std::errc::permission_denied || error == std::errc::read_only_file_system) {
        return "Choose an output in a folder that this user may write to";
    }
    if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory) {
        return "Create the folder first, or choose another output";
    }
    if (error == std::errc::no_lock_available || error == std::errc::function_not_supported
        || error == std::errc::operation_not_supported) {
        return "Choose an output on a file system that supports file locks";
    }
    return "Check the file system";
}

/// Runs a step of journal input or output; a failure of the system becomes one clear message.
template <typename Step>
auto attempt(const fs::path& path, const char* what, Step step) {
    try {
        return step();
    } catch (const std::system_error& error) {
        throw JournalError(fmt::format(
            "{}: the journal cannot be {} ({}). {}",
            path.string(),
            what,
            error.what(),
            suggestion(error.code())
        ));
    }
}

/// Tries for a fifth of a second: who asks whether a journal is being written has it locked for a
/// moment.
bool lock_soon(FileHandle& file) {
    for (int attempts = 20; attempts > 0; --attempts) {
        if (file.try_lock()) {
            return true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

void lock(FileHandle& file, const fs::path& path) {
    if (!lock_soon(file)) {
        throw JournalError(fmt::format(
            "{}: another schedfarm is writing this journal (it holds the file's lock). Wait for it "
            "to end or stop it, or choose another output",
            path.string()
        ));
    }
}

/// How much of a journal's beginning are whole records.
std::uint64_t whole_records(std::span<const std::byte> bytes) {
    std::uint64_t end = std::min(journal_magic.size(), bytes.size());
    while (const auto record = next_record(bytes.subspan(end))) {
        end += record_overhead + record->body.size();
    }
    return end;
}

/// Every record goes to the operating system at once, because a killed process loses only what it
/// has kept to itself (0.3 µs per record, less than its message costs); sync() brings them to the
/// disk, which only a failing machine needs.
class FileJournal final : public Journal {
  public:
    /// REQUIRES: the file is locked and `size` bytes long, of which `beginning` are the first.
    FileJournal(FilePlace place, FileHandle file, Bytes beginning, std::uint64_t size)
        : place_(std::move(place))
        , file_(std::move(file))
        , beginning_(std::move(beginning))
        , size_(size) {}

    void append_intent(TaskId id) override {
        ByteWriter body;
        body.u64(id.value);
        append(encode_record(JournalRecordKind::intent, body.view()));
    }

    void append_result(const TaskResult& result) override {
        ByteWriter body;
        write(body, result);
        append(encode_record(JournalRecordKind::result, body.view()));
    }

    void append_suspects(const std::vector<Suspect>& suspects) override {
        append(encode_record(JournalRecordKind::suspects, encode_suspects(suspects)));
    }

    void append_share(const std::string& share) override {
        ByteWriter body;
        body.text(share);
        append(encode_record(JournalRecordKind::share, body.view()));
    }

    void append_end(JournalEnd end) override {
        ByteWriter body;
        body.u8(static_cast<std::uint8_t>(end));
        append(encode_record(JournalRecordKind::end, body.view()));
    }

    std::string sync() override {
        std::string notice;
        write_checked([&] {
            if (!place_.is_of(file_) || file_.size() != size_) {
                notice = restore();
            }
            file_.sync_data();
        });
        return notice;
    }

  private:
    /// A file without a name is whole as long as it is open; what was cut off is lost. Whatever has
    /// the name by now loses it, a link among it, which nobody follows.
    std::string restore() {
        Bytes whole = file_.content();
        whole.resize(std::min<std::uint64_t>(whole_records(whole), size_));
        if (!std::ranges::equal(
                std::span(whole).first(std::min(whole.size(), beginning_.size())), beginning_
            )) {
            whole = beginning_;  // without it nobody knows whose the records are
        }
        {
            NewFile anew(place_);
            anew.write(whole);
            anew.put_in_place();
        }
        file_ = place_.open(O_RDWR | O_APPEND);
        lock(file_, place_.path());
        const std::uint64_t lost = size_ - whole.size();
        size_ = whole.size();
        return fmt::format(
            "{}: somebody has removed, replaced or cut the journal of this run; it is there "
            "again{}",
            place_.path().string(),
            lost == 0 ? ""
                      : fmt::format(
                          " without its last {}, whose replications a later run computes again",
                          counted(lost, "byte")
                      )
        );
    }

    void append(const Bytes& record) {
        write_checked([&] { file_.write(record); });
        size_ += record.size();
    }

    /// After a failure nothing more is appended: records behind a torn one would be lost to
    /// readers, and after a failed sync nobody knows what the disk holds.
    template <typename Step>
    void write_checked(Step step) {
        if (!failure_.empty()) {
            throw JournalError(failure_);
        }
        try {
            attempt(place_.path(), "written", step);
        } catch (const JournalError& error) {
            failure_ = error.what();
            cut_torn_record();
            throw;
        }
    }

    void cut_torn_record() {
        try {
            file_.truncate(size_);
        } catch (const std::system_error&) {
            return;  // a reader cuts it off as well
        }
    }

    FilePlace place_;
    FileHandle file_;
    Bytes beginning_;
    std::uint64_t size_ = 0;
    std::string failure_;  ///< of the first failed write; empty: none has failed
};

/// The first line and the header.
Bytes beginning_of(const JournalHeader& header) {
    const auto magic = std::as_bytes(std::span(journal_magic));
    Bytes bytes(magic.begin(), magic.end());
    const Bytes record = encode_record(JournalRecordKind::header, encode_header(header));
    bytes.insert(bytes.end(), record.begin(), record.end());
    return bytes;
}

void write_beginning(FileHandle& file, const FilePlace& place, const Bytes& beginning) {
    try {
        file.write(beginning);
        file.sync_all();
        sync_folder_of(place.path());
    } catch (const std::system_error&) {
        place.remove();  // a journal without a header is of no use
        throw;
    }
}

/// REQUIRES: the journal is locked and has not changed since it was read.
void keep_damaged(const fs::path& path, const JournalContent& content) {
    const fs::path copy = damaged_path(path);
    attempt(copy, "kept", [&] {
        Bytes bytes(content.torn_bytes);
        std::ifstream journal(path, std::ios::binary);
        journal.seekg(static_cast<std::streamoff>(content.valid_bytes));
        journal.read(
            reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())
        );
        if (!journal) {
            throw std::system_error(errno, std::generic_category(), "read");
        }
        FileHandle file = open_own(copy, O_WRONLY | O_CREAT | O_APPEND);
        file.write(bytes);
        file.sync_all();
        sync_folder_of(copy);
    });
}

/// Absent where there is no such file or it cannot tell.
std::optional<bool> is_locked(const fs::path& path) {
    try {
        return !FileHandle(path, O_RDONLY | O_NONBLOCK).try_shared_lock();
    } catch (const std::system_error&) {
        return std::nullopt;
    }
}

}  // namespace

fs::path damaged_path(const fs::path& journal) {
    return journal.string() + ".damaged";
}

std::optional<bool> is_being_written(const fs::path& journal) {
    const bool is_reserved = is_locked(reservation_path(journal)).value_or(false);
    return is_reserved ? true : is_locked(journal);
}

JournalReservation::JournalReservation(const fs::path& journal) : path_(reservation_path(journal)) {
    do {  // a file that its owner has removed meanwhile reserves nothing
        file_ = attempt(journal, "reserved", [&] {
            return std::make_unique<FileHandle>(path_, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
        });
        attempt(journal, "reserved", [&] { lock(*file_, journal); });
    } while (!file_->is_at(path_));
    attempt(path_, "reserved", [&] {
        expect_own(*file_);
        file_->truncate(0);  // a run that was killed left a notice
    });
    attempt(journal, "reserved", [&] { FilePlace(journal).remove_abandoned(); });
}

JournalReservation::~JournalReservation() {
    try {
        if (file_->is_at(path_)) {
            fs::remove(path_);
        }
    } catch (const std::system_error&) {
        // its lock has ended all the same
    }
}

std::unique_ptr<Journal> Journal::create(const fs::path& path, const JournalHeader& header) {
    FilePlace place = attempt(path, "created", [&] { return FilePlace(path); });
    if (attempt(path, "created", [&] { return place.is_taken(); })) {
        throw JournalError(fmt::format(
            "{}: a file is already there (a new journal would overwrite it). Resume it, remove it, "
            "or choose another output",
            path.string()
        ));
    }
    Bytes beginning = beginning_of(header);
    FileHandle file =
        attempt(path, "created", [&] { return place.open(O_RDWR | O_CREAT | O_EXCL | O_APPEND); });
    attempt(path, "locked", [&] { lock(file, path); });
    attempt(path, "created", [&] { write_beginning(file, place, beginning); });
    const std::uint64_t size = beginning.size();
    return std::make_unique<FileJournal>(
        std::move(place), std::move(file), std::move(beginning), size
    );
}

std::unique_ptr<Journal> Journal::replace(const fs::path& path, const JournalHeader& header) {
    attempt(path, "replaced", [&] {
        const FilePlace place(path);
        if (place.is_taken()) {
            FileHandle previous = place.open(O_WRONLY);
            lock(previous, path);
            place.remove();
        }
    });
    return create(path, header);
}

std::unique_ptr<Journal> Journal::reopen(const fs::path& path, const JournalContent& content) {
    FilePlace place = attempt(path, "opened", [&] { return FilePlace(path); });
    FileHandle file = attempt(path, "opened", [&] { return place.open(O_RDWR | O_APPEND); });
    attempt(path, "locked", [&] { lock(file, path); });
    const std::uint64_t size = attempt(path, "read", [&] { return file.size(); });
    if (size != content.valid_bytes + content.torn_bytes) {
        throw JournalError(fmt::format(
            "{}: the journal has changed since it was read ({} bytes then, {} now), as "
            "when another schedfarm is at work on it. Try again.",
            path.string(),
            content.valid_bytes + content.torn_bytes,
            size
        ));
    }
    if (content.is_damaged) {
        keep_damaged(path, content);
    }
    attempt(path, "repaired", [&] {
        file.truncate(content.valid_bytes);
        file.sync_all();
    });
    return std::make_unique<FileJournal>(
        std::move(place), std::move(file), beginning_of(content.header), content.valid_bytes
    );
}

}  // namespace schedfarm::engine
