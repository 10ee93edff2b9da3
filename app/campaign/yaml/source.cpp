#include "app/campaign/yaml/source.hpp"

#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/farm/transport/serialization.hpp"
#include "engine/foundation/message_text.hpp"

#include "app/campaign/yaml/merge.hpp"
#include "app/campaign/yaml/problems.hpp"
#include "app/campaign/yaml/reader.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_file = std::size_t{16} << 20;
constexpr std::size_t most_files = 1000;
constexpr std::size_t most_visits = 1000;

struct FileContent {
    std::string text;
    std::string problem;  ///< empty: it was read
};

FileContent read_file(const std::string& name) {
    std::error_code error;
    const fs::file_status status = fs::status(name, error);
    if (status.type() == fs::file_type::not_found) {
        return {"", engine::absence_text(name)};
    }
    if (status.type() == fs::file_type::directory) {
        return {"", "this is a directory, not a file"};
    }
    if (!fs::status_known(status)) {
        return {"", fmt::format("the file cannot be found ({})", error.message())};
    }
    if (status.type() != fs::file_type::regular) {
        return {"", "this is not a regular file"};
    }
    if (fs::file_size(name, error) > largest_file) {
        return {"", "the file is larger than 16 MiB"};
    }
    std::ifstream stream(name, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    if (!stream) {
        return {"", "the file cannot be read (is reading allowed?)"};
    }
    return {text.str(), ""};
}

/// Reads files and what they refer to, depth first.
class Loader {
  public:
    explicit Loader(CampaignSource& source) : source_(source) {}

    void load_campaign(const std::string& name, const SourcePosition& referrer) {
        if (++visits_ > most_visits) {
            problems_.add(
                referrer, "include", "includes branch too often (more than 1000 are read)"
            );
            return;
        }
        chain_.push_back(name);
        if (load(name, referrer)) {
            follow(name);
        }
        chain_.pop_back();
    }

    const Problems& problems() const { return problems_; }

  private:
    /// False when the file cannot be read; the problem then names the line that refers to it.
    bool load(const std::string& name, const SourcePosition& referrer) {
        if (source_.files.contains(name)) {
            return true;
        }
        FileContent content = read_file(name);
        if (content.problem.empty() && source_.files.size() >= most_files) {
            content.problem = fmt::format("more than {} files belong to this campaign", most_files);
        }
        if (!content.problem.empty()) {
            const bool is_main = referrer.line == 0;
            problems_.add(referrer, "", is_main ? content.problem : name + ": " + content.problem);
            return false;
        }
        source_.files[name] = std::move(content.text);
        return true;
    }

    void follow(const std::string& name) {
        const Node tree = read_yaml(name, source_.files.at(name));
        for (const Node& item : included_names(tree)) {
            const std::string included = referred_name(name, item.scalar);
            if (contains(chain_, included)) {
                std::vector<std::string> circle = chain_;
                circle.push_back(included);
                problems_.add(
                    item.at,
                    "include",
                    "include goes round in a circle: " + joined(circle, " -> "),
                    "Remove this include."
                );
                continue;
            }
            load_campaign(included, item.at);
        }
        for (const char* key : {"reference", "system.outages.file"}) {
            const Node* file = find_path(tree, key);
            if (file != nullptr && file->is_scalar()) {
                load(referred_name(name, file->scalar), file->at);
            }
        }
    }

    CampaignSource& source_;
    Problems problems_;
    std::vector<std::string> chain_;
    std::size_t visits_ = 0;
};

}  // namespace

engine::Bytes CampaignSource::serialize() const {
    engine::ByteWriter writer;
    writer.text(main_file);
    writer.u64(files.size());
    for (const auto& [name, content] : files) {
        writer.text(name);
        writer.text(content);
    }
    writer.text(folder);
    return writer.take();
}

CampaignSource CampaignSource::deserialize(const engine::Bytes& bytes) {
    engine::ByteReader reader(bytes);
    CampaignSource source;
    source.main_file = reader.text();
    const std::uint64_t count = reader.u64();
    for (std::uint64_t i = 0; i < count; ++i) {
        std::string name = reader.text();
        source.files[std::move(name)] = reader.text();
    }
    source.folder = reader.text();
    reader.expect_end();
    if (!source.files.contains(source.main_file)) {
        throw engine::SerializationError("the campaign's main file is not among its files");
    }
    return source;
}

CampaignSource load_source(const std::filesystem::path& path) {
    CampaignSource source;
    source.main_file = path.generic_string();
    Loader loader(source);
    loader.load_campaign(source.main_file, {source.main_file, 0, 0});
    loader.problems().throw_if_any();
    return source;
}

}  // namespace schedfarm::app
