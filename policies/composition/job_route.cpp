#include "policies/composition/job_route.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/simulation/kernel/unserved_job.hpp"

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

constexpr std::array route_words = {"size", "queue", "user", "class", "origin"};

std::uint32_t route_value(RouteKey key, const Job& job) {
    switch (key) {
        case RouteKey::size:
            return job.size;
        case RouteKey::queue:
            return job.queue;
        case RouteKey::user:
            return job.user;
        case RouteKey::job_class:
            return job.job_class;
        case RouteKey::origin:
            break;
    }
    return job.origin;
}

}  // namespace

std::size_t JobRoute::part_of(const Job& job) const {
    const std::uint32_t value = route_value(key, job);
    if (key != RouteKey::size) {
        return numbers[std::min<std::size_t>(value, numbers.size() - 1)];
    }
    const auto at = std::find_if(sizes.begin(), sizes.end(), [value](const SizeRange& range) {
        return range.takes(value);
    });
    if (at == sizes.end()) {
        throw UnservedJobError(fmt::format(
            "job {} asks for {} processors and goes to no {} (they take {}: it could never "
            "start). Give '{}' a {} for jobs of this size.",
            job.index,
            job.size,
            part,
            text(sizes),
            policy,
            part
        ));
    }
    return static_cast<std::size_t>(at - sizes.begin());
}

std::vector<ParameterDescription> route_parameters(const std::string& part, RouteKey default_key) {
    return {
        {.name = "route",
         .meaning = "what decides where a job goes: its size, queue, user or class, or the cluster "
                    "at which it was submitted",
         .type = ParameterType::text,
         .default_value = route_words.at(static_cast<std::size_t>(default_key)),
         .words = {route_words.begin(), route_words.end()}},
        {.name = part + "_of",
         .meaning = "unless by size: " + part
                    + ", from 1, of queue (user, class, cluster) 0, of 1, …; the last for all "
                      "above; empty: 1, 2, 3 and so on",
         .type = ParameterType::integer_list,
         .default_value = Value::List{},
         .range = {.low = 1, .high = 1e6}}};
}

RouteKey route_key(const Parameters& given) {
    const auto* const word = std::find(route_words.begin(), route_words.end(), given.text("route"));
    return static_cast<RouteKey>(word - route_words.begin());
}

std::vector<ParameterProblem> route_problems(
    const Parameters& given, const std::string& part, std::size_t parts
) {
    const std::string name = part + "_of";
    const std::vector<std::uint32_t> numbers = integers(given, name);
    if (route_key(given) == RouteKey::size && !numbers.empty()) {
        return {
            {name,
             fmt::format("'{}' is given, and jobs go by size (it would be ignored)", name),
             "Give 'route' too."}};
    }
    const auto largest = std::max_element(numbers.begin(), numbers.end());
    if (largest != numbers.end() && *largest > parts) {
        return {
            {name,
             fmt::format(
                 "{} {} is named and there are {} (they are numbered from 1)", part, *largest, parts
             ),
             fmt::format("Give the number of a {}.", part)}};
    }
    return {};
}

JobRoute job_route(const Parameters& given, const std::string& part, std::size_t parts) {
    JobRoute route{
        .key = route_key(given),
        .sizes = {},
        .numbers = integers(given, part + "_of"),
        .policy = {},
        .part = part};
    for (std::uint32_t& number : route.numbers) {
        --number;  // written from 1
    }
    for (std::uint32_t k = 0; integers(given, part + "_of").empty() && k < parts; ++k) {
        route.numbers.push_back(k);
    }
    return route;
}

std::vector<std::uint32_t> integers(const Parameters& given, const std::string& name) {
    std::vector<std::uint32_t> numbers;
    for (const Value& value : given.at(name).as_list()) {
        numbers.push_back(static_cast<std::uint32_t>(value.as_integer()));
    }
    return numbers;
}

}  // namespace schedfarm::policies
