#include "results_schema/seal.hpp"

#include <algorithm>
#include <fstream>
#include <span>
#include <string>

#include "engine/foundation/hash.hpp"

#include "results_schema/hdf5_handle.hpp"
#include "results_schema/superblock.hpp"

namespace schedfarm::results_schema {

namespace {

constexpr std::size_t bytes_read_at_once = std::size_t{1} << 20;

std::string seal_text(const std::string& hash) {
    return "\nschedfarm seal 1 " + hash + "\n";
}

/// The next bytes of the stream, fewer at its end.
std::span<const std::byte> read_some(
    std::ifstream& stream, std::vector<char>& buffer, std::uint64_t most
) {
    const std::uint64_t wanted = std::min<std::uint64_t>(buffer.size(), most);
    stream.read(buffer.data(), static_cast<std::streamsize>(wanted));
    return std::as_bytes(std::span(buffer).first(static_cast<std::size_t>(stream.gcount())));
}

std::string hash_of_first(std::ifstream& stream, std::uint64_t length) {
    std::vector<char> buffer(bytes_read_at_once);
    engine::Sha256 hash;
    while (length > 0 && stream) {
        const auto bytes = read_some(stream, buffer, length);
        hash.add(bytes);
        length -= bytes.size();
    }
    return hash.hex();
}

}  // namespace

void append_seal(std::vector<std::byte>& image) {
    engine::Sha256 hash;
    hash.add(image);
    const std::string seal = seal_text(hash.hex());
    const auto bytes = std::as_bytes(std::span(seal));
    image.insert(image.end(), bytes.begin(), bytes.end());
}

bool has_unbroken_seal(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    std::vector<char> start(superblock_size);
    const std::optional<std::uint64_t> end = end_of_data(read_some(stream, start, superblock_size));
    const std::uint64_t size = std::filesystem::file_size(path);
    if (end && size < *end) {
        throw Hdf5Failure("the file ends before its data do");
    }
    if (!end || size == *end) {
        return false;
    }
    stream.seekg(0);
    const std::string wanted = seal_text(hash_of_first(stream, *end));
    std::string found(wanted.size() + 1, '\0');
    stream.read(found.data(), static_cast<std::streamsize>(found.size()));
    found.resize(static_cast<std::size_t>(stream.gcount()));
    if (found != wanted) {
        throw Hdf5Failure("its bytes do not agree with its seal");
    }
    return true;
}

}  // namespace schedfarm::results_schema
