// The append-only journal: the truth of a campaign run. HDF5 is derived from it and can be rebuilt.
//
// File: magic line, then records. Record: u32 length of the body, u32 CRC32C of kind and body, u8
// kind, body. Little-endian. The first record is the header. A record that is cut or does not match
// its checksum ends the journal: what follows is a torn tail and is cut off on resume; what is more
// than a kill leaves behind is kept beside the journal.
//
// What is appended survives the death of the process at once, and that of the machine after the
// next sync(). One process writes a journal at a time; any number may read it meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/farm/task.hpp"

namespace schedfarm::engine {

/// Who the journal belongs to; text fields are compared on resume.
struct JournalHeader {
    std::uint32_t format = 2;
    std::string program_version;
    std::string campaign_name;
    std::string plan_hash;  ///< hex
    std::string campaign;   ///< opaque to the farm: what rebuild needs to know
    std::string cell_keys;  ///< opaque to the farm: what says which results another plan can use
};

enum class JournalRecordKind : std::uint8_t {
    header = 1,
    intent = 2,
    result = 3,
    suspects = 4,
    share = 5,
    end = 6
};

/// How a run ended that was not killed.
enum class JournalEnd : std::uint8_t {
    finished,
    finished_short,  ///< something failed or was not found
    interrupted,     ///< asked to stop, with everything saved
    defective,       ///< what it wrote failed its own check
};

/// A task that was in flight when a run died: it may be what killed the run.
struct Suspect {
    TaskId id;
    std::uint32_t deaths = 0;  ///< of runs, with this task in flight, since its last result
    /// Those of the deaths that nothing else can have caused: the task was retried alone.
    std::uint32_t blames = 0;

    /// Suspected so often that it is retried with nothing else in flight.
    bool is_retried_alone() const { return deaths >= 2; }
    friend bool operator==(const Suspect&, const Suspect&) = default;
};

/// The results of a journal in file order. They stay in the file, and every pass reads them anew:
/// millions of them take no memory. A pass throws JournalError where the file has changed.
class JournalResults {
  public:
    JournalResults() = default;
    /// `count` results in the first `bytes` of the file.
    JournalResults(std::filesystem::path path, std::uint64_t bytes, std::uint64_t count)
        : path_(std::move(path)), bytes_(bytes), count_(count) {}

    std::uint64_t size() const { return count_; }
    bool empty() const { return count_ == 0; }

    /// Copies advance together.
    class Iterator {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = TaskResult;
        using difference_type = std::ptrdiff_t;
        using pointer = const TaskResult*;
        using reference = const TaskResult&;

        Iterator() = default;  ///< the end
        explicit Iterator(const JournalResults& results);
        const TaskResult& operator*() const;
        const TaskResult* operator->() const { return &**this; }
        Iterator& operator++();
        void operator++(int) { ++*this; }
        friend bool operator==(const Iterator& a, const Iterator& b) { return a.pass_ == b.pass_; }

      private:
        struct Pass;
        std::shared_ptr<Pass> pass_;
    };

    Iterator begin() const { return Iterator(*this); }
    Iterator end() const { return {}; }

  private:
    std::filesystem::path path_;
    std::uint64_t bytes_ = 0;
    std::uint64_t count_ = 0;
};

struct JournalContent {
    JournalHeader header;
    JournalResults results;
    std::vector<TaskId> in_flight;  ///< intents without a result, in order of id
    std::vector<Suspect> suspects;  ///< as last recorded, those with a result since left out
    std::string share;              ///< as last recorded; empty: the whole campaign
    std::optional<JournalEnd> end;  ///< of the last run; absent where it goes on or was killed
    std::uint64_t valid_bytes = 0;  ///< up to the end of the last good record
    std::uint64_t torn_bytes = 0;   ///< after it
    /// What is torn is more than the one record that a killed writer leaves: others lie behind it.
    bool is_damaged = false;
};

/// A journal that cannot be used; the text says what is wrong with which file and what to do.
class JournalError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The suspects once the run that wrote this journal is known to have ended: those of the journal
/// and all tasks that were in flight. Blamed is one that was retried alone. In order of id; pure.
std::vector<Suspect> suspects_of(const JournalContent& content);

/// Reads a whole journal. Throws JournalError when the file cannot be read, is no journal or has no
/// intact header; the file is never changed. A damaged record in the middle ends the content there.
JournalContent read_journal(const std::filesystem::path& path);

/// Whether the last record of a journal says how its run ended; reads no other.
bool ends_in_order(const std::filesystem::path& path);

/// Where what is cut off a damaged journal is kept.
std::filesystem::path damaged_path(const std::filesystem::path& journal);

/// Whether somebody has the journal open for appending or reserved; absent where the file system
/// cannot tell.
std::optional<bool> is_being_written(const std::filesystem::path& journal);

class FileHandle;

/// A journal reserved for one run, though nobody is writing it for a while: before its ranks are
/// there, and between the death of some and the start of the next. By the lock of a file beside the
/// journal, which goes with the object. Opening a journal does not ask for it: ranks open what
/// their supervisor has reserved.
class JournalReservation {
  public:
    /// Throws JournalError when another run has reserved the journal. There need not be one yet.
    /// Waits some seconds for ranks that still write it though their supervisor has been killed.
    explicit JournalReservation(const std::filesystem::path& journal);
    JournalReservation(const JournalReservation&) = delete;
    JournalReservation& operator=(const JournalReservation&) = delete;
    ~JournalReservation();

  private:
    std::filesystem::path path_;
    std::unique_ptr<FileHandle> file_;
};

/// Appends to a journal; holds a lock so that two masters cannot write one journal. Every function
/// that writes throws JournalError when it fails, a full disk included; the object then refuses all
/// further appends, and the file ends in a good record or in a torn tail that reading cuts off.
class Journal {
  public:
    /// Creates a new journal, on disk when this returns; throws JournalError when the file exists.
    static std::unique_ptr<Journal> create(
        const std::filesystem::path& path, const JournalHeader& header
    );
    /// Removes the file that is there, if any and unless another master is writing it, and creates
    /// a new journal.
    static std::unique_ptr<Journal> replace(
        const std::filesystem::path& path, const JournalHeader& header
    );
    /// Opens for appending after cutting a torn tail, which is first appended to damaged_path()
    /// when the content is damaged. `content` is what read_journal() returned; throws JournalError
    /// when the file has changed since.
    static std::unique_ptr<Journal> reopen(
        const std::filesystem::path& path, const JournalContent& content
    );

    Journal() = default;
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;
    virtual ~Journal() = default;

    virtual void append_intent(TaskId id) = 0;
    virtual void append_result(const TaskResult& result) = 0;
    /// States all suspects of earlier runs. Nothing is in flight from here on; one record, so that
    /// it is there whole or not at all.
    virtual void append_suspects(const std::vector<Suspect>& suspects) = 0;
    /// Which part of the campaign is computed from here on; opaque to the farm.
    virtual void append_share(const std::string& share) = 0;
    /// The last that a run appends.
    virtual void append_end(JournalEnd end) = 0;
    /// Returns when everything appended so far is on the disk (some 25 ms). A journal that somebody
    /// has removed, replaced or cut meanwhile is put in its place anew, as far as it is known
    /// still; a sentence then says so, which is empty else.
    virtual std::string sync() = 0;
};

}  // namespace schedfarm::engine
