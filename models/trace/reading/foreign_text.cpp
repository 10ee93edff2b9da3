#include "models/trace/reading/foreign_text.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "models/trace/reading/letters.hpp"

namespace schedfarm::models::trace {

namespace {

using namespace std::string_view_literals;

struct Signature {
    std::string_view bytes;
    std::size_t place;  ///< of the bytes in the file
    std::string_view what;
    std::string_view way_out;
};

constexpr std::string_view unpack = "Unpack it first";
constexpr std::string_view convert = "Write its jobs as CSV, with a header, and give --columns";
constexpr std::string_view map_columns =
    "Say by --columns which of the columns in its header is what, as '{submit: NAME, start: NAME, "
    "end: NAME, processors: NAME, limit: NAME}'";

constexpr std::string_view ask_for_header =
    "Run sacct without -n, or write the names that -o had above it, divided by '|'";

constexpr std::array signatures{
    Signature{"\xFD\x37zXZ\0"sv, 0, "a file compressed by xz", "Unpack it by xz -d -k"},
    Signature{"BZh"sv, 0, "a file compressed by bzip2", "Unpack it by bzip2 -d -k"},
    Signature{"\x28\xB5\x2F\xFD"sv, 0, "a file compressed by zstd", "Unpack it by zstd -d"},
    Signature{"\x04\x22\x4D\x18"sv, 0, "a file compressed by lz4", "Unpack it by lz4 -d"},
    Signature{"LZIP"sv, 0, "a file compressed by lzip", "Unpack it by lzip -d -k"},
    Signature{"\x5D\0\0"sv, 0, "a file compressed by lzma", "Unpack it by xz -d -k"},
    Signature{"\x1F\x9D"sv, 0, "a file compressed by compress", "Unpack it by gzip -d -k"},
    Signature{"\x1F\x8B"sv, 0, "a file compressed twice by gzip", "Unpack it once by gzip -d -k"},
    Signature{"PK\x03\x04"sv, 0, "a zip archive, as .xlsx and .ods are", "Unpack it by unzip"},
    Signature{"PK\x05\x06"sv, 0, "a zip archive, and an empty one", unpack},
    Signature{"7z\xBC\xAF\x27\x1C"sv, 0, "a 7z archive", "Unpack it by 7z x"},
    Signature{"Rar!"sv, 0, "a rar archive", unpack},
    Signature{"ustar"sv, 257, "a tar archive", "Unpack it by tar -xf"},
    Signature{
        "\x89HDF\r\n\x1A\n"sv,
        0,
        "an HDF5 file, as results are",
        "Show results by `schedfarm report`"},
    Signature{"PAR1"sv, 0, "a Parquet file", convert},
    Signature{"ORC"sv, 0, "an ORC file", convert},
    Signature{"ARROW1"sv, 0, "an Arrow file", convert},
    Signature{"Obj\x01"sv, 0, "an Avro file", convert},
    Signature{"SQLite format 3\0"sv, 0, "a database of SQLite", convert},
    Signature{"\x93NUMPY"sv, 0, "an array of NumPy", convert},
    Signature{"\x80\x04\x95"sv, 0, "a pickle of Python", convert},
    Signature{"\xD0\xCF\x11\xE0"sv, 0, "a document of Office", convert},
    Signature{"%PDF-"sv, 0, "a PDF", "Name the log"},
    Signature{"%!PS"sv, 0, "PostScript", "Name the log"},
    Signature{"\x89PNG"sv, 0, "a picture", "Name the log"},
    Signature{
        "\x7F"
        "ELF"sv,
        0,
        "a program",
        "Name the log"}};

std::string refusal(std::string_view what, std::string_view way_out) {
    return fmt::format(
        "this is {} (a log in SWF is a text, each job a line of 18 numbers). {}.", what, way_out
    );
}

/// Every second byte of the first eight is 0, from `first` on.
bool alternates(std::string_view text, std::size_t first) {
    for (std::size_t i = 0; i < 8; ++i) {
        if (i >= text.size() || (text[i] == '\0') != (i % 2 == first)) {
            return false;
        }
    }
    return true;
}

bool is_utf32(std::string_view text) {
    return text.starts_with("\xFF\xFE\0\0"sv) || text.starts_with("\0\0\xFE\xFF"sv);
}

bool is_utf16(std::string_view text) {
    return text.starts_with("\xFF\xFE"sv) || text.starts_with("\xFE\xFF"sv) || alternates(text, 0)
           || alternates(text, 1);
}

bool begins_with(std::string_view text, std::string_view beginning) {
    return is_same(text.substr(0, beginning.size()), beginning);
}

bool is_binary(std::string_view line) {
    return std::any_of(line.begin(), line.end(), [](char c) {
        return c == '\x7F' || (c >= '\0' && c < ' ' && (c < '\t' || c > '\r'));
    });
}

/// "key:" or "key: value", as in YAML.
bool is_key_line(std::string_view line) {
    const std::size_t colon = line.find(':');
    return colon != std::string_view::npos && colon > 0
           && (colon + 1 == line.size() || line[colon + 1] == ' ')
           && std::all_of(
               line.begin(),
               line.begin() + static_cast<std::ptrdiff_t>(colon),
               [](char c) { return is_letter(c) || c == '_'; }
           );
}

/// Records of batch systems whose files are not read.
std::string other_batch_system(std::string_view line) {
    constexpr std::string_view by_condor_history =
        "Write its jobs as CSV, with a header, by condor_history -af, and give --columns";
    struct Mark {
        std::string_view text;
        std::string_view what;
        std::string_view way_out;
    };
    constexpr std::array marks{
        Mark{"*** Offset = ", "a history of HTCondor", by_condor_history},
        Mark{" Job submitted from host: ", "a log of HTCondor's events", by_condor_history},
        Mark{
            " JOBEND ",
            "a file of Moab's or Maui's events",
            "Give the accounting of the Torque, PBS or Slurm below it"},
        Mark{
            "=== Job ",
            "a list of LoadLeveler",
            "Write CSV of the jobs that llsummary -l lists, and give --columns"}};
    const auto* const found = std::ranges::find_if(marks, [line](const Mark& mark) {
        return line.find(mark.text) != std::string_view::npos;
    });
    return found == marks.end() ? std::string() : refusal(found->what, found->way_out);
}

/// Empty: no separator of columns stands in it more than once.
std::string_view kind_of_table(std::string_view line) {
    struct Separator {
        char c;
        std::string_view what;
    };
    constexpr std::array separators{
        Separator{'|', "a table with '|' between its columns, as `sacct -P` writes"},
        Separator{',', "a CSV table (with commas)"},
        Separator{';', "a table with semicolons between its columns, as some CSV"},
        Separator{'\t', "a table with tabs between its columns and other columns than SWF"}};
    for (const auto& [c, what] : separators) {
        if (std::count(line.begin(), line.end(), c) >= 2) {
            return what;
        }
    }
    return {};
}

}  // namespace

std::string foreign_beginning(std::string_view beginning) {
    if (is_utf32(beginning)) {
        return "the text is UTF-32 (a log is ASCII or UTF-8). Convert it by iconv -f UTF-32 -t "
               "UTF-8.";
    }
    if (is_utf16(beginning)) {
        return "the text is UTF-16 (a log is ASCII or UTF-8). Convert it by iconv -f UTF-16 -t "
               "UTF-8.";
    }
    for (const auto& [bytes, place, what, way_out] : signatures) {
        if (beginning.size() > place && beginning.substr(place).starts_with(bytes)) {
            return refusal(what, way_out);
        }
    }
    return {};
}

std::string foreign_line(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    line.remove_suffix(line.ends_with('\r') ? 1 : 0);
    if (is_binary(line)) {
        return refusal("no text", "Unpack it, or write its jobs as CSV");
    }
    if (line.starts_with('{') || line.starts_with('[')) {
        return foreign_json_text();
    }
    if (begins_with(line, "<!doctype html") || begins_with(line, "<html")) {
        return refusal("a page of the web", "Check what the server answered");
    }
    if (line.starts_with('<')) {
        return refusal("XML", convert);
    }
    if (std::string text = other_batch_system(line); !text.empty()) {
        return text;
    }
    if (const std::string_view table = kind_of_table(line); !table.empty()) {
        const bool is_row = line.find('|') != std::string_view::npos && is_digit(line.front());
        return refusal(table, is_row ? ask_for_header : map_columns);
    }
    if (begins_with(line, "jobid ")) {
        return refusal("a table of sacct or squeue for the eye", "Run sacct with -P");
    }
    if (line.starts_with('#')) {
        return refusal(
            "a text whose comments begin with '#', as those of GWF", "Begin comments with ';'"
        );
    }
    if (line == "---" || is_key_line(line)) {
        return refusal("YAML, as campaigns are", "Run a campaign by `schedfarm run`");
    }
    if (!line.empty() && is_letter(line.front())) {
        return refusal("a text that begins with words", "Begin comments with ';'");
    }
    return {};
}

bool stands_above(std::string_view line) {
    return line.starts_with('#') || line.starts_with("sacct: ");
}

std::string foreign_json_text() {
    return refusal("JSON other than Batsim's (jobs and profiles), or damaged", convert);
}

bool has_carriage_returns_alone(std::string_view text) {
    return text.find('\n') == std::string_view::npos
           && std::count(text.begin(), text.end(), '\r') >= 2;
}

std::string carriage_return_text() {
    return "carriage returns alone end the lines (as on old Macs; here a line feed does). Convert "
           "it "
           "by tr '\\r' '\\n'.";
}

}  // namespace schedfarm::models::trace
