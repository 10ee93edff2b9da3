// Typed parameters of policies, models, distributions and probes, and the tables that describe
// them. One table drives the reading of a campaign file, `schedfarm list` and the reference page.
// Values are immutable once read; reading a parameter that the table does not hold is a defect of
// the caller (ContractViolation), because the campaign reader has already checked the user's file.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace schedfarm::engine {

struct Choice;

/// One value: boolean, integer, real, text, list, or a named choice with parameters of its own.
class Value {
  public:
    using List = std::vector<Value>;
    using Data =
        std::variant<bool, std::int64_t, double, std::string, List, std::shared_ptr<const Choice>>;

    Value() : data_(false) {}
    Value(bool value) : data_(value) {}                      // NOLINT(google-explicit-constructor)
    Value(int value) : data_(std::int64_t{value}) {}         // NOLINT(google-explicit-constructor)
    Value(std::int64_t value) : data_(value) {}              // NOLINT(google-explicit-constructor)
    Value(double value) : data_(value) {}                    // NOLINT(google-explicit-constructor)
    Value(const char* value) : data_(std::string(value)) {}  // NOLINT(google-explicit-constructor)
    Value(std::string value) : data_(std::move(value)) {}    // NOLINT(google-explicit-constructor)
    Value(List value) : data_(std::move(value)) {}           // NOLINT(google-explicit-constructor)
    Value(Choice value);                                     // NOLINT(google-explicit-constructor)

    const Data& data() const { return data_; }

    bool as_boolean() const;
    std::int64_t as_integer() const;
    /// An integer is also a real.
    double as_real() const;
    const std::string& as_text() const;
    const List& as_list() const;
    std::vector<double> as_reals() const;
    const Choice& as_choice() const;

    /// Canonical one-line YAML flow text; equal values have equal text. Reals round-trip exactly.
    std::string text() const;

  private:
    Data data_;
};

/// From where a campaign file names other files.
struct NamingFolders {
    std::string current{};   ///< in which the campaign was begun; empty: the current folder
    std::string campaign{};  ///< of the campaign file, from `current`; empty: none, or the same
};

/// Named values in the order of their table.
class Parameters {
  public:
    void set(std::string name, Value value);
    bool contains(std::string_view name) const;
    const Value& at(std::string_view name) const;

    bool boolean(std::string_view name) const { return at(name).as_boolean(); }
    std::int64_t integer(std::string_view name) const { return at(name).as_integer(); }
    double real(std::string_view name) const { return at(name).as_real(); }
    const std::string& text(std::string_view name) const { return at(name).as_text(); }
    std::vector<double> reals(std::string_view name) const { return at(name).as_reals(); }
    const Choice& choice(std::string_view name) const { return at(name).as_choice(); }

    const std::vector<std::pair<std::string, Value>>& entries() const { return entries_; }

    /// Canonical flow mapping `{a: 1, b: x}`.
    std::string text() const;

    /// From where files are named here. No parameter: text() does not know of it.
    void set_folders(NamingFolders folders) { folders_ = std::move(folders); }
    const NamingFolders& folders() const { return folders_; }

  private:
    std::vector<std::pair<std::string, Value>> entries_;
    NamingFolders folders_;
};

/// A named alternative with its parameters: `exponential: {mean: 1}`.
struct Choice {
    std::string name;
    Parameters parameters{};

    /// `name` when there are no parameters, else `{name: {…}}`.
    std::string text() const;
};

enum class ParameterType {
    boolean,
    integer,
    real,
    text,
    integer_list,
    real_list,
    choice,
    choice_list
};

/// Admissible numbers, for a list the admissible elements.
struct Range {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool low_is_open = false;
    bool high_is_open = false;

    bool contains(double value) const;
    /// "> 0", "0 … 1", "any"; for messages and the reference page.
    std::string text() const;
};

/// A combination of parameters that cannot work; `parameter` is the one to point at.
struct ParameterProblem {
    std::string parameter;
    std::string reason;
    std::string suggestion;
};

struct ParameterDescription;

/// Something that can be named in a campaign and has parameters: a distribution, a probe, a policy.
/// In YAML: bare `name` when every parameter has a default, `{name: {parameter: value}}`,
/// `{name: [values in table order]}` or `{name: value of the first parameter}`. When the only
/// parameter is a list, `{name: [..]}` is that list.
struct Alternative {
    std::string name;
    std::string summary;
    std::vector<ParameterDescription> parameters;
    /// Checks combinations after every single parameter has been checked; empty: nothing to check.
    std::function<std::vector<ParameterProblem>(const Parameters&)> check{};
    /// Where the definition comes from (paper, equation), if anywhere.
    std::string source{};
};

/// One row of a parameter table.
struct ParameterDescription {
    std::string name;
    std::string meaning;
    std::string unit{};  // empty: dimensionless
    ParameterType type = ParameterType::real;
    std::optional<Value> default_value{};  // absent: the user must give it
    Range range{};
    std::vector<std::string> words{};  // text: the admissible words; empty: any text
    /// choice, choice_list: the alternatives; a function, so that tables may refer to tables.
    std::function<const std::vector<Alternative>&()> alternatives{};
    bool names_file =
        false;  ///< text: then Parameters::folders() are those of the file it stands in
};

/// The parameters with every default filled in; REQUIRES: no parameter without a default is
/// missing.
Parameters with_defaults(
    const std::vector<ParameterDescription>& table, const Parameters& given = {}
);

}  // namespace schedfarm::engine
