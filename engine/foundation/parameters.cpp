#include "engine/foundation/parameters.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

template <typename T>
const T& get_or_throw(const Value::Data& data, const char* wanted) {
    const T* value = std::get_if<T>(&data);
    SCHEDFARM_EXPECT(value != nullptr, std::string("a parameter is not ") + wanted);
    return *value;
}

std::string real_text(double value) {
    if (std::isinf(value)) {
        return value > 0 ? ".inf" : "-.inf";
    }
    std::string text = fmt::format("{}", value);  // shortest text that reads back to the same bits
    if (text.find_first_of(".en") == std::string::npos) {
        text += ".0";
    }
    return text;
}

bool needs_quotes(const std::string& text) {
    const auto plain = [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.' || c == '/' || c == '+';
    };
    return text.empty() || !std::all_of(text.begin(), text.end(), plain)
           || text.find_first_not_of("+-.0123456789eE") == std::string::npos || text == "true"
           || text == "false" || text == "null";
}

std::string quoted(const std::string& text) {
    if (!needs_quotes(text)) {
        return text;
    }
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\' || c == '\n') {
            result += '\\';
        }
        result += c == '\n' ? 'n' : c;
    }
    return result + "\"";
}

}  // namespace

Value::Value(Choice value) : data_(std::make_shared<const Choice>(std::move(value))) {}

bool Value::as_boolean() const {
    return get_or_throw<bool>(data_, "a boolean");
}

std::int64_t Value::as_integer() const {
    return get_or_throw<std::int64_t>(data_, "an integer");
}

double Value::as_real() const {
    if (const auto* integer = std::get_if<std::int64_t>(&data_)) {
        return static_cast<double>(*integer);
    }
    return get_or_throw<double>(data_, "a real number");
}

const std::string& Value::as_text() const {
    return get_or_throw<std::string>(data_, "a text");
}

const Value::List& Value::as_list() const {
    return get_or_throw<List>(data_, "a list");
}

std::vector<double> Value::as_reals() const {
    std::vector<double> reals;
    reals.reserve(as_list().size());
    for (const Value& element : as_list()) {
        reals.push_back(element.as_real());
    }
    return reals;
}

const Choice& Value::as_choice() const {
    return *get_or_throw<std::shared_ptr<const Choice>>(data_, "a choice");
}

std::string Value::text() const {
    struct Writer {
        std::string operator()(bool value) const { return value ? "true" : "false"; }
        std::string operator()(std::int64_t value) const { return std::to_string(value); }
        std::string operator()(double value) const { return real_text(value); }
        std::string operator()(const std::string& value) const { return quoted(value); }
        std::string operator()(const List& list) const {
            std::string result = "[";
            for (const Value& element : list) {
                result += (result.size() > 1 ? ", " : "") + element.text();
            }
            return result + "]";
        }
        std::string operator()(const std::shared_ptr<const Choice>& choice) const {
            return choice->text();
        }
    };
    return std::visit(Writer{}, data_);
}

void Parameters::set(std::string name, Value value) {
    for (auto& [known, old] : entries_) {
        if (known == name) {
            old = std::move(value);
            return;
        }
    }
    entries_.emplace_back(std::move(name), std::move(value));
}

bool Parameters::contains(std::string_view name) const {
    return std::any_of(entries_.begin(), entries_.end(), [&](const auto& entry) {
        return entry.first == name;
    });
}

const Value& Parameters::at(std::string_view name) const {
    for (const auto& [known, value] : entries_) {
        if (known == name) {
            return value;
        }
    }
    SCHEDFARM_EXPECT(false, "no parameter '" + std::string(name) + "' in its table");
}

std::string Parameters::text() const {
    std::string result = "{";
    for (const auto& [name, value] : entries_) {
        result += (result.size() > 1 ? ", " : "") + name + ": " + value.text();
    }
    return result + "}";
}

std::string Choice::text() const {
    return parameters.entries().empty() ? name : "{" + name + ": " + parameters.text() + "}";
}

bool Range::contains(double value) const {
    const bool above = low_is_open ? value > low : value >= low;
    const bool below = high_is_open ? value < high : value <= high;
    return above && below;
}

namespace {

/// A whole number with all its digits where it is a 64-bit integer.
std::string bound_text(double value) {
    constexpr double beyond = 9223372036854775808.0;  // 2^63
    const bool is_integer = std::abs(value) < beyond && value == std::trunc(value);
    return is_integer ? fmt::format("{}", static_cast<std::int64_t>(value))
                      : fmt::format("{}", value);
}

}  // namespace

std::string Range::text() const {
    const bool has_low = !std::isinf(low);
    const bool has_high = !std::isinf(high);
    const std::string lower = (low_is_open ? "> " : ">= ") + bound_text(low);
    const std::string upper = (high_is_open ? "< " : "<= ") + bound_text(high);
    if (has_low && has_high) {
        return lower + " and " + upper;
    }
    return has_low ? lower : has_high ? upper : "any";
}

namespace {

/// Of a choice with every default of its own.
Value default_of(const ParameterDescription& row) {
    SCHEDFARM_EXPECT(row.default_value.has_value(), "parameter '" + row.name + "' is missing");
    const auto complete = [&row](const Choice& choice) {
        const std::vector<Alternative>& known = row.alternatives();
        const auto named = std::find_if(known.begin(), known.end(), [&](const Alternative& one) {
            return one.name == choice.name;
        });
        SCHEDFARM_EXPECT(named != known.end(), "no alternative '" + choice.name + "'");
        return Value(Choice{choice.name, with_defaults(named->parameters, choice.parameters)});
    };
    if (row.type == ParameterType::choice) {
        return complete(row.default_value->as_choice());
    }
    if (row.type != ParameterType::choice_list) {
        return *row.default_value;
    }
    Value::List list;
    for (const Value& one : row.default_value->as_list()) {
        list.push_back(complete(one.as_choice()));
    }
    return list;
}

}  // namespace

Parameters with_defaults(const std::vector<ParameterDescription>& table, const Parameters& given) {
    Parameters complete;
    complete.set_folders(given.folders());
    for (const ParameterDescription& row : table) {
        if (given.contains(row.name)) {
            complete.set(row.name, given.at(row.name));
            continue;
        }
        complete.set(row.name, default_of(row));
    }
    return complete;
}

}  // namespace schedfarm::engine
