#include "campaigns/cli/folded_yaml.hpp"

#include <sstream>
#include <vector>

#include "campaigns/report/wrapped_text.hpp"

namespace schedfarm::campaigns {

namespace {

/// Where in a line of YAML one is.
class Place {
  public:
    /// Whether a line may end before this blank, which follows `before`. Between quotes a break is
    /// read as one blank.
    bool may_break(char before, char after) const {
        if (quote_ == '"') {
            return before != ' ' && before != '\\' && before != '"' && after != ' ' && after != '"';
        }
        return quote_ == 0 && depth_ > 0 && before == ',';
    }

    void pass(char character) {
        if (is_escaped_) {
            is_escaped_ = false;
        } else if (quote_ != 0) {
            is_escaped_ = quote_ == '"' && character == '\\';
            quote_ = character == quote_ ? 0 : quote_;
        } else if (character == '"' || character == '\'') {
            quote_ = character;
        } else if (character == '{' || character == '[') {
            ++depth_;
        } else if (character == '}' || character == ']') {
            --depth_;
        }
    }

  private:
    char quote_ = 0;
    bool is_escaped_ = false;
    int depth_ = 0;
};

/// The places of the blanks at which a line may be broken.
std::vector<std::size_t> breaks_of(const std::string& line) {
    std::vector<std::size_t> breaks;
    Place place;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (i > 0 && i + 1 < line.size() && line[i] == ' '
            && place.may_break(line[i - 1], line[i + 1])) {
            breaks.push_back(i);
        }
        place.pass(line[i]);
    }
    return breaks;
}

/// As many parts in each line as fit; lines after the first are indented more than it.
std::string folded_line(const std::string& line, std::size_t width) {
    if (display_width(line) <= width) {
        return line + "\n";
    }
    std::vector<std::size_t> ends = breaks_of(line);
    ends.push_back(line.size());
    const std::string indent(line.find_first_not_of(' ') + 4, ' ');
    std::string text;
    std::string current = line.substr(0, ends.front());
    for (std::size_t i = 1; i < ends.size(); ++i) {
        const std::string part = line.substr(ends[i - 1] + 1, ends[i] - ends[i - 1] - 1);
        if (display_width(current) + 1 + display_width(part) <= width) {
            current += " " + part;
        } else {
            text += current + "\n";
            current = indent + part;
        }
    }
    return text + current + "\n";
}

}  // namespace

std::string folded_yaml(const std::string& yaml, std::size_t width) {
    std::istringstream lines(yaml);
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        text += folded_line(line, width);
    }
    return text;
}

}  // namespace schedfarm::campaigns
