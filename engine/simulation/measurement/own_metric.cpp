#include "engine/simulation/measurement/own_metric.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"
#include "engine/simulation/measurement/recorder.hpp"

namespace schedfarm::engine {

namespace {

/// Exponents of the unit. A literal number has any, and so has what it is multiplied by: of wait /
/// 60 the campaign alone knows what it is.
struct Unit {
    double time = 0;
    double processors = 0;
    bool is_any = false;
    friend bool operator==(const Unit&, const Unit&) = default;
};

struct JobColumn {
    std::string_view name;
    Unit unit;
    bool depends_on_queue;
    double (*of_job)(const JobRecord&);
};

constexpr Unit a_time{.time = 1};

template <auto member>
double field(const JobRecord& job) {
    return static_cast<double>(job.*member);
}

constexpr std::array<JobColumn, 9> job_columns{
    {{"class", {}, false, field<&JobRecord::job_class>},
     {"finish_time", a_time, true, field<&JobRecord::finish_time>},
     {"processors", {.processors = 1}, false, field<&JobRecord::size>},
     {"response_time",
      a_time,
      true,
      [](const JobRecord& job) {
          return job.finish_time - job.submit_time;
      }},
     {"service_time", a_time, false, field<&JobRecord::service_time>},
     {"start_time", a_time, true, field<&JobRecord::start_time>},
     {"submit_time", a_time, false, field<&JobRecord::submit_time>},
     {"wait",
      a_time,
      true,
      [](const JobRecord& job) {
          return job.start_time - job.submit_time;
      }},
     {"weight", {}, false, field<&JobRecord::weight>}}};

const JobColumn* find_column(std::string_view name) {
    const auto* const found = std::find_if(
        job_columns.begin(), job_columns.end(), [&](const auto& c) { return c.name == name; }
    );
    return found == job_columns.end() ? nullptr : &*found;
}

/// "time", "processors", "processor*time", "time^0.5", "1/time", "1".
std::string text_of(const Unit& unit) {
    const auto power = [](std::string_view name, double exponent) {
        return exponent == 1 ? std::string(name) : fmt::format("{}^{:.6g}", name, exponent);
    };
    if (unit == Unit{.processors = 1}) {
        return "processors";
    }
    std::string over;
    std::string under;
    for (const auto& [name, exponent] :
         {std::pair{"processor", unit.processors}, std::pair{"time", unit.time}}) {
        std::string& part = exponent > 0 ? over : under;
        if (exponent != 0) {
            part += (part.empty() ? "" : "*") + power(name, std::fabs(exponent));
        }
    }
    return (over.empty() ? "1" : over) + (under.empty() ? "" : "/" + under);
}

/// What is added or compared has one unit.
Unit common_unit(const Expression::Step& step, const std::vector<Unit>& operands) {
    Unit common{.is_any = true};
    for (const Unit& unit : operands) {
        if (!common.is_any && !unit.is_any && unit != common) {
            throw ExpressionError(
                step.offset,
                fmt::format(
                    "a value in '{}' and one in '{}' are added or compared. Multiply one by a "
                    "number, as in 0.5 * wait",
                    text_of(common),
                    text_of(unit)
                )
            );
        }
        common = common.is_any ? unit : common;
    }
    return common;
}

Unit unit_of(const Expression::Step& step, const std::vector<Unit>& operands) {
    using Operation = Expression::Operation;
    const Unit& a = operands.front();
    const Unit& b = operands.back();
    switch (step.operation) {
        case Operation::multiply:
        case Operation::divide: {
            const double sign = step.operation == Operation::multiply ? 1 : -1;
            return a.is_any || b.is_any
                       ? Unit{.is_any = true}
                       : Unit{a.time + sign * b.time, a.processors + sign * b.processors};
        }
        case Operation::sqrt:
            return {a.time / 2, a.processors / 2, a.is_any};
        case Operation::log:
        case Operation::exp:
            return {};
        default:
            return common_unit(step, operands);
    }
}

Unit unit_of(const Expression& expression) {
    std::vector<Unit> stack;
    for (const Expression::Step& step : expression.steps()) {
        if (step.operation == Expression::Operation::number) {
            stack.push_back({.is_any = true});
        } else if (step.operation == Expression::Operation::path) {
            stack.push_back(find_column(step.path)->unit);
        } else {
            const auto first = stack.end() - static_cast<std::ptrdiff_t>(step.operands);
            const Unit result = unit_of(step, {first, stack.end()});
            stack.erase(first, stack.end());
            stack.push_back(result);
        }
    }
    return stack.back();
}

}  // namespace

std::vector<std::string> own_metric_columns() {
    std::vector<std::string> names;
    for (const JobColumn& column : job_columns) {
        names.emplace_back(column.name);
    }
    return names;
}

bool is_own_metric_name(std::string_view name) {
    const auto is_of_word = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    return !name.empty() && std::isalpha(static_cast<unsigned char>(name.front())) != 0
           && std::all_of(name.begin(), name.end(), is_of_word) && find_metric(name) == nullptr;
}

OwnMetric::OwnMetric(std::string name, const std::string& text)
    : name_(std::move(name))
    , text_(text)
    , expression_(Expression::parse(text))
    , description_(description_of(Metric::own)) {
    description_.depends_on_queue = false;
    for (const Expression::Step& step : expression_.steps()) {
        if (step.operation != Expression::Operation::path) {
            continue;
        }
        const JobColumn* const column = find_column(step.path);
        if (column == nullptr) {
            throw ExpressionError(
                step.offset, fmt::format("jobs have no column '{}'", step.path), step.path
            );
        }
        columns_.push_back(column->of_job);
        description_.depends_on_queue = description_.depends_on_queue || column->depends_on_queue;
    }
    if (columns_.empty()) {
        throw ExpressionError(
            0,
            fmt::format(
                "'{}' names no column of jobs, of which a metric is made ({})",
                text_,
                fmt::join(own_metric_columns(), ", ")
            )
        );
    }
    unit_ = text_of(unit_of(expression_));
    description_.name = name_.c_str();
    description_.unit = unit_.c_str();
    description_.meaning = text_.c_str();
}

std::string OwnMetric::canonical_text() const {
    std::string text;
    for (const Expression::Step& step : expression_.steps()) {
        text += step.operation == Expression::Operation::number ? fmt::format("{} ", step.number)
                : step.operation == Expression::Operation::path
                    ? step.path + " "
                    : fmt::format("#{}:{} ", static_cast<int>(step.operation), step.operands);
    }
    return text;
}

double OwnMetric::of_job(const JobRecord& job, std::vector<double>& stack) const {
    try {
        const double value =
            expression_.evaluate([&](std::size_t i) { return columns_[i](job); }, stack);
        if (std::isfinite(value)) {
            return value;
        }
    } catch (const ExpressionError&) {
        // said below, with the job
    }
    std::string given;
    std::set<std::string> known;
    for (const std::string& path : expression_.paths()) {
        if (known.insert(path).second) {
            given += fmt::format(
                "{}{} {:.6g}", given.empty() ? "" : ", ", path, find_column(path)->of_job(job)
            );
        }
    }
    throw std::runtime_error(fmt::format(
        "metric '{}' ({}) of job {} is not a finite number (its {}). Bound what can be 0 in the "
        "expression, as in max(service_time, 1).",
        name_,
        text_,
        job.index,
        given
    ));
}

}  // namespace schedfarm::engine
