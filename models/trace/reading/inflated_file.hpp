// A file as a stream of characters, inflated where gzip has compressed it, be it in several members
// one after the other. What follows the last member is no text: gzip passes over it and says so,
// which zlib's own functions for files do not. Owns the open file.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <zlib.h>

namespace schedfarm::models::trace {

class InflatedFile {
  public:
    /// Throws LogError where the file cannot be opened or its beginning not be read.
    explicit InflatedFile(std::string name);
    InflatedFile(const InflatedFile&) = delete;
    InflatedFile& operator=(const InflatedFile&) = delete;
    ~InflatedFile();

    /// The next characters; 0 at the end. Throws LogError: not readable, damaged, cut off.
    std::size_t read(std::span<char> to);

    /// How much of the file has been used; 0: it has no length, as a pipe.
    double share_read() const;

    /// Whether something else than zeros, with which tapes are filled up, followed the compressed
    /// text. REQUIRES: read() came to the end.
    bool has_trailing_garbage() const { return has_trailing_garbage_; }

  private:
    std::size_t read_bytes(std::span<char> to);
    std::size_t take_held(std::span<char> to);
    bool hold_at_least(std::size_t count);
    bool begins_member() const;
    bool begin_member();
    void end_at_garbage();
    void inflate_some();
    [[noreturn]] void fail(const std::string& reason, const std::string& suggestion) const;

    std::string name_;
    int file_ = -1;
    std::vector<char> held_;  ///< read from the file, not used: from begin_ to end_
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    bool is_compressed_ = false;
    bool is_in_member_ = false;
    bool is_over_ = false;
    bool has_trailing_garbage_ = false;
    z_stream stream_{};
};

}  // namespace schedfarm::models::trace
