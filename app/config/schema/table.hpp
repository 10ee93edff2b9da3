// The one description of a section of the campaign file: its keys in order, each with the member
// that holds its value, with meaning, range and unit. By it the section is documented
// (describe.hpp), read and checked (sections/section_reader.hpp), written into the effective
// configuration, and its members are hashed and sent to workers
// (app/plan/identity/cell_values.cpp). Type and default of a key are those of the member.
//
//     Table<NodeFailures>("system.outages.failures", "Nodes fail independently of each other.")
//         .key("processors_per_node", &NodeFailures::processors_per_node, {1, 1e6}, "processors")
//         .means("must divide every cluster")
//
// Where others than its reader have the object, the rows stand beside its members (table_of()).
//
// means() ends a key that has the member's default, required() one without a default, optional()
// one that may be left out. A member that is no single value and no list of names, such as a
// section within the section, is documented here and read by others.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/foundation/parameters.hpp"

#include "app/config/schema/schema.hpp"

namespace schedfarm::app {

/// The words for the values of an enumeration, in their order; specialised as an array.
template <typename E>
inline constexpr auto words_of = nullptr;

inline constexpr double most_jobs = 1e12;

using Names = std::vector<std::string>;

/// The member of a member.
template <typename Outer, typename Inner>
constexpr auto nested(Outer outer, Inner inner) {
    return [=](auto& object) -> auto& {
        return std::invoke(inner, std::invoke(outer, object));
    };
}

/// Members of single values as values of a campaign.
struct MemberValues {
    using Value = engine::Value;
    using Type = engine::ParameterType;

    static Type type(const bool& /*of*/) { return Type::boolean; }
    static Type type(const double& /*of*/) { return Type::real; }
    static Type type(const std::string& /*of*/) { return Type::text; }
    static Type type(const engine::Choice& /*of*/) { return Type::choice; }
    static Type type(const std::vector<double>& /*of*/) { return Type::real_list; }
    static Type type(const std::vector<std::uint32_t>& /*of*/) { return Type::integer_list; }
    template <typename M>
    static Type type(const M& /*of*/) {
        return std::integral<M> ? Type::integer : Type::text;
    }
    template <typename M>
    static Type type(const std::optional<M>& /*of*/) {
        return type(M());
    }

    /// A default; absent for what has none.
    template <typename M>
    static std::optional<Value> value(const M& member) {
        if constexpr (std::integral<M> && !std::same_as<M, bool>) {
            return Value(static_cast<std::int64_t>(member));
        } else if constexpr (std::constructible_from<Value, const M&>) {
            return Value(member);
        } else {
            return std::nullopt;
        }
    }

    static void take(const Value& value, bool& member) { member = value.as_boolean(); }
    static void take(const Value& value, double& member) { member = value.as_real(); }
    static void take(const Value& value, std::string& member) { member = value.as_text(); }
    static void take(const Value& value, engine::Choice& member) { member = value.as_choice(); }
    static void take(const Value& value, std::vector<double>& member) { member = value.as_reals(); }
    static void take(const Value& value, std::vector<std::uint32_t>& member) {
        for (const Value& element : value.as_list()) {
            take(element, member.emplace_back());
        }
    }
    /// A word in the place of a number, such as `auto`, leaves the member as it is.
    template <std::integral M>
    static void take(const Value& value, M& member) {
        if (const auto* number = std::get_if<std::int64_t>(&value.data())) {
            member = static_cast<M>(*number);
        }
    }
    template <typename M>
    static auto take(const Value& value, std::optional<M>& member)
        -> decltype(take(value, *member)) {
        take(value, member.emplace());
    }
};

template <typename M>
concept ValueMember = requires(const engine::Value& value, M& member) {
    MemberValues::take(value, member);
};
/// An enumeration, or what is so or so.
template <typename M>
concept WordMember = std::is_enum_v<M> || std::same_as<M, bool>;

/// A key with its member, which `identity` names among the values of a cell; null: by the key.
template <typename Access>
struct Column {
    Access access;
    const char* identity = nullptr;
    bool is_identity = true;

    /// Takes what read_section() has read, and lists of names; false where the value is wrong.
    bool take(const engine::ParameterDescription& row, auto& reading) const {
        auto& member = std::invoke(access, reading.object);
        using M = std::remove_reference_t<decltype(member)>;
        const engine::Value* value = reading.find(row.name);
        if constexpr (std::same_as<M, Names>) {
            member = reading.names(row.name);
        } else if constexpr (WordMember<M>) {
            if (value != nullptr && !row.words.empty()) {
                const auto found = std::find(row.words.begin(), row.words.end(), value->as_text());
                member = static_cast<M>(found - row.words.begin());
                return true;
            }
        }
        if constexpr (ValueMember<M>) {
            if (value != nullptr) {
                MemberValues::take(*value, member);
            }
        }
        return true;
    }

    void visit(const engine::ParameterDescription& row, auto& object, auto& field) const {
        if (is_identity) {
            field(identity == nullptr ? row.name.c_str() : identity, std::invoke(access, object));
        }
    }
};

/// A text of several lines, if the user likes.
template <typename Access>
struct Prose {
    Access access;

    bool take(const engine::ParameterDescription& row, auto& reading) const {
        std::invoke(access, reading.object) = reading.prose(row.name);
        return true;
    }
    void visit(const engine::ParameterDescription& /*row*/, auto& /*object*/, auto& /*field*/)
        const {}
};

/// A key that others read, without a member.
struct Part {
    bool take(const engine::ParameterDescription& /*row*/, auto& /*reading*/) const { return true; }
    void visit(const engine::ParameterDescription& /*row*/, auto& /*object*/, auto& /*field*/)
        const {}
};

/// A list of two numbers, the lower one first.
template <typename Low, typename High>
struct Interval {
    Low low;
    High high;
    Ends ends;
    const char* example;

    bool take(const engine::ParameterDescription& row, auto& reading) const {
        const engine::Value* value = reading.find(row.name);
        if (value == nullptr) {
            return true;
        }
        const std::vector<double> numbers = value->as_reals();
        if (numbers.size() != 2 || numbers[0] > numbers[1]
            || (ends == Ends::apart && numbers[0] == numbers[1])) {
            reading.refuse(row.name, "must be two numbers, the lower one first", example);
            return false;
        }
        std::invoke(low, reading.object) = numbers[0];
        std::invoke(high, reading.object) = numbers[1];
        return true;
    }

    void visit(const engine::ParameterDescription& /*row*/, auto& object, auto& field) const {
        field("low", std::invoke(low, object));
        field("high", std::invoke(high, object));
    }
};

template <typename T, typename... Columns>
class Table {
  public:
    Table(std::string name, std::string summary)
        : section_{.name = std::move(name), .summary = std::move(summary)} {}
    Table(Section section, std::tuple<Columns...> columns)
        : section_(std::move(section)), columns_(std::move(columns)) {}

    const Section& section() const { return section_; }

    /// A key whose value, or list of names, is a member.
    template <typename Access>
    auto key(const char* name, Access access, engine::Range range = {}, const char* unit = "") && {
        using M = std::remove_cvref_t<std::invoke_result_t<Access, T&>>;
        auto row = row_of(name, {});
        row.unit = unit;
        row.range = range;
        if constexpr (std::is_enum_v<M>) {
            row.words.assign(words_of<M>.begin(), words_of<M>.end());
        }
        return std::move(*this).with(std::move(row), access);
    }

    /// A key with one of these words: a text, or the value of this number.
    template <typename Access>
    auto word(const char* name, Access access, Names words) && {
        auto row = row_of(name, std::move(words));
        return std::move(*this).with(std::move(row), access);
    }

    template <typename Access>
    auto choice(
        const char* name, Access access, const std::vector<engine::Alternative>& (*alternatives)()
    ) && {
        auto row = row_of(name, {});
        row.alternatives = alternatives;
        return std::move(*this).with(std::move(row), access);
    }

    template <typename Low, typename High>
    auto interval(
        const char* name, Low low, High high, engine::Range range, Ends ends, const char* example
    ) && {
        auto row = row_of(name, {});
        row.type = engine::ParameterType::real_list;
        row.range = range;
        return std::move(*this).append(row, Interval<Low, High>{low, high, ends, example});
    }

    template <typename Access>
    auto prose(const char* name, Access access) && {
        section_.parts.emplace_back(name);
        return std::move(*this).append(row_of(name, {}), Prose<Access>{access});
    }

    /// A key that others read.
    auto part(const char* name) && {
        section_.parts.emplace_back(name);
        return std::move(*this).append(row_of(name, {}), Part{});
    }

    /// A key that others read into a member, which `identity` names among the values of a cell.
    template <typename Access>
    auto part(const char* name, Access access, const char* identity = nullptr) && {
        section_.parts.emplace_back(name);
        return std::move(*this).append(row_of(name, {}), Column<Access>{access, identity});
    }

    /// The keys of another table, whose object others read.
    template <typename U, typename... Others>
    auto parts_of(const Table<U, Others...>& other) && {
        for (const engine::ParameterDescription& row : other.section().keys) {
            section_.parts.push_back(row.name);
            section_.keys.push_back(row);
            section_.forms.emplace_back();
            if (!row.default_value) {
                section_.optional.push_back(row.name);
            }
        }
        std::tuple<std::conditional_t<true, Part, Others>...> parts;
        return Table<T, Columns..., std::conditional_t<true, Part, Others>...>(
            std::move(section_), std::tuple_cat(std::move(columns_), parts)
        );
    }

    Table&& means(std::string meaning, std::string form = {}) && {
        section_.keys.back().meaning = std::move(meaning);
        section_.forms.back() = std::move(form);
        return std::move(*this);
    }

    Table&& required(std::string meaning, std::string form = {}) && {
        section_.keys.back().default_value.reset();
        return std::move(*this).means(std::move(meaning), std::move(form));
    }

    Table&& optional(std::string meaning, std::string form = {}) && {
        section_.optional.push_back(section_.keys.back().name);
        return std::move(*this).required(std::move(meaning), std::move(form));
    }

    Table&& by_default(engine::Value value) && {
        section_.keys.back().default_value = std::move(value);
        return std::move(*this);
    }

    /// The last key is no value of a cell: it changes no replication.
    Table&& apart_from_identity() && {
        std::get<sizeof...(Columns) - 1>(columns_).is_identity = false;
        return std::move(*this);
    }

    /// f(column, row) for every key.
    void for_each(auto&& f) const {
        std::size_t i = 0;
        std::apply([&](const auto&... column) { (f(column, section_.keys[i++]), ...); }, columns_);
    }

    /// field(name, member) for every member that is a value of a cell.
    void visit(auto& object, auto& field) const {
        for_each([&](const auto& column, const auto& row) { column.visit(row, object, field); });
    }

  private:
    static engine::ParameterDescription row_of(const char* name, Names words) {
        return {
            .name = name,
            .meaning = "",
            .type = engine::ParameterType::text,
            .words = std::move(words)};
    }

    template <typename C>
    Table<T, Columns..., C> append(engine::ParameterDescription row, C column) && {
        section_.keys.push_back(std::move(row));
        section_.forms.emplace_back();
        return {std::move(section_), std::tuple_cat(std::move(columns_), std::tuple<C>(column))};
    }

    /// A row with type and default of the member.
    template <typename Access>
    auto with(engine::ParameterDescription row, Access access) && {
        const T defaults{};
        const auto& member = std::invoke(access, defaults);
        using M = std::remove_cvref_t<decltype(member)>;
        row.type = row.words.empty() ? MemberValues::type(member) : engine::ParameterType::text;
        row.default_value = MemberValues::value(member);
        if constexpr (WordMember<M>) {
            if (!row.words.empty()) {
                row.default_value = row.words.at(static_cast<std::size_t>(member));
            }
        }
        if constexpr (requires { member.has_value(); }) {
            section_.optional.push_back(row.name);
        }
        if constexpr (std::same_as<M, Names>) {
            section_.parts.push_back(row.name);
        }
        return std::move(*this).append(std::move(row), Column<Access>{access});
    }

    Section section_;
    std::tuple<Columns...> columns_;
};

/// Of a T beside whose members its rows stand: T::section<Table<T>>().
template <typename T>
const auto& table_of() {
    static const auto table = T::template section<Table<T>>();
    return table;
}

}  // namespace schedfarm::app
