#include "app/campaign/plan/analyses/csv.hpp"

#include <cstddef>
#include <string_view>
#include <utility>

#include "app/campaign/yaml/text_check.hpp"

namespace schedfarm::app {

namespace {

/// What spreadsheets put before the first line.
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::string trimmed_field(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string::npos) {
        return "";
    }
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// Reads one file from its first character to its last.
class CsvReader {
  public:
    CsvReader(const std::string& name, const std::string& text) : name_(name), text_(text) {}

    std::vector<CsvRecord> read() {
        if (text_.starts_with(byte_order_mark)) {
            at_ = line_begin_ = byte_order_mark.size();
        }
        std::vector<CsvRecord> records;
        while (at_ < text_.size()) {
            if (text_[at_] == '#') {
                skip_line();
                continue;
            }
            CsvRecord record = read_record();
            if (record.fields.size() > 1 || !record.fields.front().empty()) {
                records.push_back(std::move(record));
            }
        }
        return records;
    }

  private:
    bool at_end_of_line() const {
        return at_ >= text_.size() || text_[at_] == '\n' || text_[at_] == '\r';
    }

    void next_line() {
        if (at_ < text_.size() && text_[at_] == '\r') {
            ++at_;
        }
        if (at_ < text_.size() && text_[at_] == '\n') {
            ++at_;
        }
        ++line_;
        line_begin_ = at_;
    }

    void skip_line() {
        while (!at_end_of_line()) {
            ++at_;
        }
        next_line();
    }

    int column() const { return static_cast<int>(at_ - line_begin_) + 1; }

    CsvRecord read_record() {
        CsvRecord record;
        record.line = line_;
        while (true) {
            while (at_ < text_.size() && text_[at_] == ' ') {
                ++at_;
            }
            record.columns.push_back(column());
            record.fields.push_back(read_field());
            if (at_end_of_line()) {
                next_line();
                return record;
            }
            ++at_;  // the comma
        }
    }

    std::string read_field() {
        if (at_ < text_.size() && text_[at_] == '"') {
            return read_quoted();
        }
        const std::size_t begin = at_;
        while (!at_end_of_line() && text_[at_] != ',') {
            if (text_[at_] == '"') {
                throw_problem(
                    {name_, line_, column()},
                    "a quote within a field",
                    "Put the whole field in quotes and write \"\" for a quote."
                );
            }
            ++at_;
        }
        return trimmed_field(text_.substr(begin, at_ - begin));
    }

    std::string read_quoted() {
        const SourcePosition opened{name_, line_, column()};
        std::string field;
        ++at_;
        while (at_ < text_.size()) {
            const char c = text_[at_++];
            if (c == '"' && (at_ >= text_.size() || text_[at_] != '"')) {
                return expect_end_of_field(std::move(field));
            }
            if (c == '"') {
                ++at_;
            }
            if (c == '\n') {
                ++line_;
                line_begin_ = at_;
            }
            field += c;
        }
        throw_problem(opened, "a quoted field is not closed", "Close it with a quote.");
    }

    std::string expect_end_of_field(std::string field) {
        while (at_ < text_.size() && text_[at_] == ' ') {
            ++at_;
        }
        if (!at_end_of_line() && text_[at_] != ',') {
            throw_problem(
                {name_, line_, column()},
                "text follows a quoted field",
                "Put a comma between fields."
            );
        }
        return field;
    }

    const std::string& name_;
    const std::string& text_;
    std::size_t at_ = 0;
    std::size_t line_begin_ = 0;
    int line_ = 1;
};

}  // namespace

std::vector<CsvRecord> read_csv(const std::string& name, const std::string& content) {
    expect_text(name, content, TextKind::table);
    return CsvReader(name, content).read();
}

}  // namespace schedfarm::app
