#include "engine/foundation/expression.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include "engine/foundation/elementary.hpp"

namespace schedfarm::engine {

namespace {

struct ExpressionFunction {
    std::string_view name;
    Expression::Operation operation;
    bool takes_many;
};

constexpr std::array<ExpressionFunction, 6> functions{
    {{"min", Expression::Operation::least, true},
     {"max", Expression::Operation::greatest, true},
     {"round", Expression::Operation::round, false},
     {"sqrt", Expression::Operation::sqrt, false},
     {"log", Expression::Operation::log, false},
     {"exp", Expression::Operation::exp, false}}};

}  // namespace

/// Recursive descent: sum → product → factor → primary.
class ExpressionParser {
  public:
    explicit ExpressionParser(std::string_view text) : text_(text) {}

    Expression parse() {
        sum();
        if (skip_space() < text_.size()) {
            throw ExpressionError(at_, "unexpected '" + std::string(1, text_[at_]) + "'");
        }
        return std::move(result_);
    }

  private:
    using Operation = Expression::Operation;
    using Step = Expression::Step;

    static constexpr int deepest = 100;

    std::size_t skip_space() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) {
            ++at_;
        }
        return at_;
    }

    bool take(char c) {
        if (skip_space() < text_.size() && text_[at_] == c) {
            ++at_;
            return true;
        }
        return false;
    }

    void expect(char c) {
        if (!take(c)) {
            throw ExpressionError(at_, "expected '" + std::string(1, c) + "'");
        }
    }

    void emit(Operation operation, std::size_t offset, std::size_t operands = 2) {
        result_.steps_.push_back({operation, offset, 0, "", operands});
    }

    struct Sign {
        char character;
        Operation operation;
    };

    /// part {sign part}: from left to right.
    void chain(void (ExpressionParser::*part)(), const std::array<Sign, 2>& signs) {
        (this->*part)();
        while (true) {
            const std::size_t offset = skip_space();
            const auto* const found = std::find_if(signs.begin(), signs.end(), [this](Sign sign) {
                return take(sign.character);
            });
            if (found == signs.end()) {
                return;
            }
            (this->*part)();
            emit(found->operation, offset);
        }
    }

    void sum() {
        chain(&ExpressionParser::product, {{{'+', Operation::add}, {'-', Operation::subtract}}});
    }

    void product() {
        chain(&ExpressionParser::factor, {{{'*', Operation::multiply}, {'/', Operation::divide}}});
    }

    void factor() {
        if (++depth_ > deepest) {
            throw ExpressionError(at_, "nested too deep");
        }
        const std::size_t offset = skip_space();
        if (take('-')) {
            factor();
            emit(Operation::negate, offset, 1);
        } else {
            primary(offset);
        }
        --depth_;
    }

    void primary(std::size_t offset) {
        if (take('(')) {
            sum();
            expect(')');
        } else if (offset < text_.size() && std::isalpha(static_cast<unsigned char>(text_[offset])) != 0) {
            name(offset);
        } else {
            number(offset);
        }
    }

    void number(std::size_t offset) {
        std::size_t end = offset;
        while (end < text_.size() && is_number_character(end, offset)) {
            ++end;
        }
        double value = 0;
        const char* const last = text_.data() + end;
        const auto [stopped, error] = std::from_chars(text_.data() + offset, last, value);
        if (error != std::errc() || stopped != last) {
            throw ExpressionError(offset, "expected a number, a path or '('");
        }
        at_ = end;
        result_.steps_.push_back({Operation::number, offset, value, "", 0});
    }

    bool is_number_character(std::size_t i, std::size_t begin) const {
        const char c = text_[i];
        const bool is_exponent_sign =
            (c == '+' || c == '-') && i > begin && (text_[i - 1] == 'e' || text_[i - 1] == 'E');
        return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == 'e' || c == 'E'
               || is_exponent_sign;
    }

    /// What a path may say in brackets right behind its name, whatever it is.
    void detail(char open, char close) {
        if (at_ == text_.size() || text_[at_] != open) {
            return;
        }
        const std::size_t end = text_.find(close, at_);
        if (end == std::string_view::npos) {
            throw ExpressionError(at_, std::string("'") + open + "' is not closed");
        }
        at_ = end + 1;
    }

    void name(std::size_t offset) {
        while (at_ < text_.size()
               && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_'
                   || text_[at_] == '.')) {
            ++at_;
        }
        const std::size_t end_of_word = at_;
        detail('[', ']');
        detail('{', '}');
        const std::string word(text_.substr(offset, at_ - offset));
        if (at_ > end_of_word || !take('(')) {
            result_.steps_.push_back({Operation::path, offset, 0, word, 0});
            return;
        }
        std::size_t operands = 0;
        do {
            sum();
            ++operands;
        } while (take(','));
        expect(')');
        const auto* const found =
            std::find_if(functions.begin(), functions.end(), [&](const auto& function) {
                return function.name == word && (function.takes_many || operands == 1);
            });
        if (found == functions.end()) {
            throw ExpressionError(
                offset,
                "unknown function '" + word
                    + "' (known: min, max; round, sqrt, log, exp of one value)"
            );
        }
        emit(found->operation, offset, operands);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0;
    Expression result_;
};

Expression Expression::parse(std::string_view text) {
    return ExpressionParser(text).parse();
}

void Expression::reduce(const Step& step, std::vector<double>& stack) {
    const std::size_t first = stack.size() - step.operands;
    const double a = stack[first];
    const double b = stack.back();
    const auto operands = stack.begin() + static_cast<std::ptrdiff_t>(first);
    double result = 0;
    switch (step.operation) {
        case Operation::add:
            result = a + b;
            break;
        case Operation::subtract:
            result = a - b;
            break;
        case Operation::multiply:
            result = a * b;
            break;
        case Operation::divide:
            result = a / b;
            break;
        case Operation::negate:
            result = -a;
            break;
        case Operation::least:
            result = *std::min_element(operands, stack.end());
            break;
        case Operation::greatest:
            result = *std::max_element(operands, stack.end());
            break;
        case Operation::round:
            result = std::floor(a + 0.5);
            break;
        case Operation::sqrt:
            result = std::sqrt(a);
            break;
        case Operation::log:
            result = logarithm(a);
            break;
        case Operation::exp:
            result = exponential(a);
            break;
        case Operation::number:
        case Operation::path:
            break;
    }
    if (!std::isfinite(result)) {
        throw ExpressionError(step.offset, "the result is not a finite number");
    }
    stack.resize(first);
    stack.push_back(result);
}

std::vector<std::string> Expression::paths() const {
    std::vector<std::string> paths;
    for (const Step& step : steps_) {
        if (step.operation == Operation::path) {
            paths.push_back(step.path);
        }
    }
    return paths;
}

double Expression::evaluate(const Lookup& lookup) const {
    std::vector<double> values;
    for (const Step& step : steps_) {
        if (step.operation == Operation::path) {
            const auto value = lookup(step.path);
            if (!value) {
                throw ExpressionError(
                    step.offset, "'" + step.path + "' has no number here", step.path
                );
            }
            values.push_back(*value);
        }
    }
    std::vector<double> stack;
    return evaluate([&values](std::size_t i) { return values[i]; }, stack);
}

}  // namespace schedfarm::engine
