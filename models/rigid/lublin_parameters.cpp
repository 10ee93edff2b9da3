#include "models/rigid/lublin_parameters.hpp"

#include <string>
#include <tuple>

#include "models/rigid/rigid_workload.hpp"

namespace schedfarm::models {

namespace {

using engine::ParameterProblem;
using engine::Parameters;
using engine::ParameterType;
using engine::Value;

/// Of the day that the daily cycle describes.
constexpr double first_half_hour = 11;

/// One row per list of a type; the defaults are the authors'.
struct TypeDefaults {
    const char* type;
    const char* what;
    Value::List size;
    Value::List run_time;
    Value::List interarrival;
    Value::List cycle;
};

void add_rows(std::vector<engine::ParameterDescription>& rows, const TypeDefaults& defaults) {
    const auto add = [&](const char* name, const char* meaning, const Value::List& values) {
        rows.push_back(
            {.name = std::string(defaults.type) + "_" + name,
             .meaning = std::string(defaults.what) + ": " + meaning,
             .type = ParameterType::real_list,
             .default_value = values,
             .range = {.low = -1e6, .high = 1e6}}
        );
    };
    add("size",
        "share of serial jobs, of powers of two, log2 of the smallest parallel size, of the size "
        "where the slope changes and of the largest size, share below the change",
        defaults.size);
    add("run_time",
        "shape and scale of the first and of the second gamma distribution of the logarithm, slope "
        "and intercept of the probability of the first as a function of the size",
        defaults.run_time);
    add("interarrival",
        "shape and scale of the gamma distribution of the logarithm, factor of the shape from rush "
        "hours to the whole day",
        defaults.interarrival);
    add("cycle", "shape and scale, in half hours, of the gamma daily cycle", defaults.cycle);
}

bool is_gamma(double shape, double scale) {
    return shape >= 1e-3 && shape <= 1e5 && scale > 0 && scale < 1;
}

std::vector<ParameterProblem> problems_of(const Parameters& parameters, const std::string& type) {
    const auto problem = [&](const char* name, const char* reason, const char* suggestion) {
        return std::vector<ParameterProblem>{{type + "_" + name, reason, suggestion}};
    };
    const auto size = lublin_list(parameters, type, "size");
    const auto is_share = [](double value) {
        return value >= 0 && value <= 1;
    };
    if (size.size() != 6 || !is_share(size[0]) || !is_share(size[1]) || !is_share(size[5])
        || size[0] + size[1] > 1) {
        return problem(
            "size", "no shares (six numbers; shares lie in 0 ... 1)", "Begin with the default."
        );
    }
    if (size[2] < 0 || size[3] < size[2] || size[4] < size[3] || size[4] > 20
        || size[2] == size[4]) {
        return problem(
            "size",
            "the logarithms do not increase in 0 ... 20 (no sizes)",
            "Begin with the default."
        );
    }
    const auto run = lublin_list(parameters, type, "run_time");
    if (run.size() != 6 || !is_gamma(run[0], run[1]) || !is_gamma(run[2], run[3])) {
        return problem(
            "run_time",
            "no gamma distributions whose exponential has a mean (six numbers; shapes > 0, scales "
            "in 0 ... 1)",
            "Begin with the default."
        );
    }
    const auto gap = lublin_list(parameters, type, "interarrival");
    if (gap.size() != 3 || gap[2] <= 0 || !is_gamma(gap[0] * gap[2], gap[1])) {
        return problem(
            "interarrival",
            "no gamma distribution whose exponential has a mean (three numbers; shape > 0, scale "
            "in 0 ... 1, factor > 0)",
            "Begin with the default."
        );
    }
    const auto cycle = lublin_list(parameters, type, "cycle");
    if (cycle.size() != 2 || cycle[0] < 1 || cycle[1] <= 0 || cycle[0] * cycle[1] < first_half_hour
        || cycle[0] * cycle[1] > first_half_hour + 48) {
        return problem(
            "cycle",
            "no daily cycle (two numbers; shape >= 1, mean in 11 ... 59)",
            "Begin with the default."
        );
    }
    return {};
}

}  // namespace

std::vector<engine::ParameterDescription> lublin_parameters() {
    std::vector<engine::ParameterDescription> rows{
        {.name = "jobs",
         .meaning = "types of jobs (of both, interactive jobs are class 0 and batch jobs class 1); "
                    "typeless: the constants fitted to all jobs together",
         .type = ParameterType::text,
         .default_value = "batch_and_interactive",
         .words = {"batch_and_interactive", "batch", "interactive", "typeless"}}};
    add_rows(
        rows,
        {.type = "batch",
         .what = "batch jobs",
         .size = {0.2927, 0.6686, 1.2, 5.0, 7.0, 0.875},
         .run_time = {6.57, 0.823, 639.1, 0.0156, -0.003, 0.6986},
         .interarrival = {6.0415, 0.8531, 1.0519},
         .cycle = {6.1271, 5.274}}
    );
    add_rows(
        rows,
        {.type = "interactive",
         .what = "interactive jobs",
         .size = {0.1541, 0.625, 1.0, 3.0, 5.5, 0.705},
         .run_time = {3.8351, 0.6605, 7.073, 0.6856, -0.0118, 0.9156},
         .interarrival = {6.551, 0.6621, 0.9797},
         .cycle = {8.9186, 3.668}}
    );
    add_rows(
        rows,
        {.type = "typeless",
         .what = "jobs without type",
         .size = {0.244, 0.576, 0.8, 4.5, 7.0, 0.86},
         .run_time = {4.2, 0.94, 312.0, 0.03, -0.0054, 0.78},
         .interarrival = {10.2303, 0.4871, 1.0225},
         .cycle = {8.1737, 3.9631}}
    );
    for (const auto& [name, what, limit] :
         {std::tuple("run_time_limit", "longer run times are drawn again", 12.0),
          std::tuple(
              "interarrival_limit", "longer times between arrivals are drawn again", 13.0
          )}) {
        rows.push_back(
            {.name = name,
             .meaning = std::string("largest logarithm of seconds; ") + what,
             .default_value = limit,
             .range = {.low = 1, .high = 40}}
        );
    }
    return with_rigid_parameters(std::move(rows));
}

std::vector<std::string> lublin_types(const Parameters& parameters) {
    const std::string& kind = parameters.text("jobs");
    return kind == "batch_and_interactive" ? std::vector<std::string>{"interactive", "batch"}
                                           : std::vector<std::string>{kind};
}

std::vector<double> lublin_list(
    const Parameters& parameters, const std::string& type, const char* name
) {
    return parameters.reals(type + "_" + name);
}

std::vector<ParameterProblem> lublin_problems(const Parameters& parameters) {
    for (const std::string& type : lublin_types(parameters)) {
        auto problems = problems_of(parameters, type);
        if (!problems.empty()) {
            return problems;
        }
    }
    return {};
}

}  // namespace schedfarm::models
