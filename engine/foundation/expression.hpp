// Arithmetic of derived values, of claims and of metrics of one's own: numbers, paths, + - * / ( ),
// min(…), max(…), round(x), sqrt(x), log(x), exp(x), which have the same bits on every machine. A
// path may go on in brackets, whose meaning is that of whoever looks it up:
// response_time.mean[class=2], normalized{policy=easy}. Parsed once, evaluated often. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedfarm::engine {

/// What is wrong with an expression, and at which character (from 0).
class ExpressionError : public std::runtime_error {
  public:
    ExpressionError(std::size_t offset, const std::string& message, std::string unknown = {})
        : std::runtime_error(message), offset_(offset), unknown_(std::move(unknown)) {}
    std::size_t offset() const { return offset_; }
    /// The path that stands for nothing; empty: that is not what is wrong.
    const std::string& unknown() const { return unknown_; }

  private:
    std::size_t offset_;
    std::string unknown_;
};

class Expression {
  public:
    enum class Operation : std::uint8_t {
        number,
        path,
        add,
        subtract,
        multiply,
        divide,
        negate,
        least,
        greatest,
        round,
        sqrt,
        log,
        exp
    };
    struct Step {
        Operation operation = Operation::number;
        std::size_t offset = 0;  ///< in the text
        double number = 0;
        std::string path;
        std::size_t operands = 0;
    };

    /// The number at a path; absent: there is none.
    using Lookup = std::function<std::optional<double>(const std::string& path)>;

    /// Throws ExpressionError. Parentheses and signs nest at most 100 deep.
    static Expression parse(std::string_view text);

    /// Reverse Polish: each step takes its operands from a stack and puts its result there.
    const std::vector<Step>& steps() const { return steps_; }

    /// The paths that are looked up, in the order of the text.
    std::vector<std::string> paths() const;

    /// Throws ExpressionError when a path has no number or the result is not finite.
    double evaluate(const Lookup& lookup) const;

    /// The same with value_of(i) at paths()[i]. The stack is emptied; kept, it spares an
    /// allocation.
    template <typename ValueOf>
    double evaluate(ValueOf value_of, std::vector<double>& stack) const {
        stack.clear();
        std::size_t next_path = 0;
        for (const Step& step : steps_) {
            if (step.operation == Operation::number) {
                stack.push_back(step.number);
            } else if (step.operation == Operation::path) {
                stack.push_back(value_of(next_path++));
            } else {
                reduce(step, stack);
            }
        }
        return stack.back();
    }

  private:
    friend class ExpressionParser;

    /// Throws ExpressionError when the result is not finite. REQUIRES: neither number nor path.
    static void reduce(const Step& step, std::vector<double>& stack);

    std::vector<Step> steps_;
};

}  // namespace schedfarm::engine
