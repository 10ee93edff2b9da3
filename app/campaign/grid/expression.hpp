// Arithmetic of derived values and of claims: numbers, paths, + - * / ( ), min(…), max(…),
// round(x). A path may go on in brackets, whose meaning is that of whoever looks it up:
// response_time.mean[class=2], normalized{policy=easy}. Parsed once, evaluated often. Pure.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace schedfarm::app {

/// What is wrong with an expression, and at which character (from 0).
class ExpressionError : public std::runtime_error {
  public:
    ExpressionError(std::size_t offset, const std::string& message)
        : std::runtime_error(message), offset_(offset) {}
    std::size_t offset() const { return offset_; }

  private:
    std::size_t offset_;
};

class Expression {
  public:
    /// The number at a path; absent: there is none.
    using Lookup = std::function<std::optional<double>(const std::string& path)>;

    /// Throws ExpressionError. Parentheses and signs nest at most 100 deep.
    static Expression parse(std::string_view text);

    /// The paths that are looked up, in the order of the text.
    std::vector<std::string> paths() const;

    /// The text, with each of its paths replaced.
    using Replacement = std::function<std::string(const std::string& path)>;
    std::string with_paths(const Replacement& replacement) const;

    /// Throws ExpressionError when a path has no number or the result is not finite.
    double evaluate(const Lookup& lookup) const;

  private:
    friend class ExpressionParser;

    /// Reverse Polish: each step takes its operands from a stack and puts its result there.
    enum class Operation : unsigned char {
        number,
        path,
        add,
        subtract,
        multiply,
        divide,
        negate,
        least,
        greatest,
        round
    };
    struct Step {
        Operation operation = Operation::number;
        std::size_t offset = 0;
        double number = 0;
        std::string path;
        std::size_t operands = 0;  ///< of least and greatest
    };

    /// Takes the operands from the stack. REQUIRES: neither number nor path.
    static double result_of(const Step& step, std::vector<double>& stack);

    std::string text_;
    std::vector<Step> steps_;
};

}  // namespace schedfarm::app
