// What a campaign says counts, or is refused.
#include "app/campaign/keys/uses.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "app/campaign/keys/catalogues.hpp"
#include "app/campaign/keys/schema.hpp"
#include "app/campaign/yaml/config_error.hpp"
#include "app/campaign/yaml/suggestion.hpp"

#include "tests/app/campaign/campaign_text.hpp"
#include "tests/support/dice.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::app::tests {

namespace {

using engine::ParameterDescription;
using engine::ParameterType;
using schedfarm::tests::Dice;

std::string random_number(const ParameterDescription& row, double fallback, Dice& dice) {
    const double factors[] = {0.5, 1.1, 2, 3};
    const double value = fallback == 0 ? 1 + dice.below(5) : fallback * factors[dice.below(4)];
    double low = std::max(row.range.low, -1e9);
    double high = std::min(row.range.high, 1e9);
    if (row.type == ParameterType::integer || row.type == ParameterType::integer_list) {
        return fmt::format("{:.0f}", std::clamp(std::ceil(value), low, high));
    }
    low += row.range.low_is_open ? 1e-3 : 0;
    high -= row.range.high_is_open ? 1e-3 : 0;
    return fmt::format("{:g}", std::clamp(value, low, high));
}

/// Another value than the default; empty where none is known.
std::string random_text(const ParameterDescription& row, Dice& dice);

/// A choice with what it must be given.
std::string random_alternative(const ParameterDescription& row, Dice& dice) {
    const auto& all = row.alternatives();
    const engine::Alternative& chosen = all[dice.below(all.size())];
    std::string given;
    for (const ParameterDescription& inner : chosen.parameters) {
        if (!inner.default_value || dice.below(3) == 0) {
            const std::string text = random_text(inner, dice);
            if (text.empty() && !inner.default_value) {
                return "";
            }
            given += text.empty() ? "" : (given.empty() ? "" : ", ") + inner.name + ": " + text;
        }
    }
    return given.empty() ? chosen.name : fmt::format("{{{}: {{{}}}}}", chosen.name, given);
}

std::string random_list(const ParameterDescription& row, Dice& dice) {
    std::vector<double> values;
    if (row.default_value) {
        values = row.default_value->as_reals();
    }
    if (values.empty()) {
        return "";
    }
    const std::size_t changed = dice.below(values.size());
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i) {
        text +=
            (i == 0 ? "" : ", ")
            + (i == changed ? random_number(row, values[i], dice) : fmt::format("{}", values[i]));
    }
    return "[" + text + "]";
}

std::string random_text(const ParameterDescription& row, Dice& dice) {
    switch (row.type) {
        case ParameterType::boolean:
            return row.default_value && row.default_value->as_boolean() ? "false" : "true";
        case ParameterType::integer:
        case ParameterType::real: {
            const bool has_number = row.default_value && row.default_value->text() != "auto";
            return random_number(row, has_number ? row.default_value->as_real() : 10, dice);
        }
        case ParameterType::text:
            return row.words.empty() ? "" : row.words[dice.below(row.words.size())];
        case ParameterType::integer_list:
        case ParameterType::real_list:
            return random_list(row, dice);
        case ParameterType::choice:
            return random_alternative(row, dice);
        case ParameterType::choice_list:
            return "";
    }
    return "";
}

/// Top-level keys and those of flat sections, with their texts.
using Given = std::map<std::string, std::map<std::string, std::string>>;

/// A campaign: what it must say, and what it says beside.
struct Campaign {
    std::string experiment;
    std::string workload;  ///< its model, and what that must be given
    std::string policy;
    std::string fixed;  ///< further lines
    Given given;

    std::string section(const std::string& name, const std::string& first) const {
        std::string text = first;
        const auto found = given.find(name);
        for (const auto& [key, value] :
             found == given.end() ? Given::mapped_type() : found->second) {
            text += (text.empty() ? "" : ", ") + key + ": " + value;
        }
        return text;
    }

    std::string text() const {
        const std::string parameters = section("policy", "");
        std::string result = fmt::format(
            "campaign_format: 1\nname: n\nseed: 3\nexperiment: {}\nworkload: {{{}}}\npolicy: {}\n"
            "{}\n",
            experiment,
            section("workload", workload),
            parameters.empty() ? policy : fmt::format("{{{}: {{{}}}}}", policy, parameters),
            fixed
        );
        for (const char* name : {"horizon", "random_numbers", "report", "job_log"}) {
            const std::string inner = section(name, "");
            result += inner.empty() ? "" : fmt::format("{}: {{{}}}\n", name, inner);
        }
        result += fmt::format("system: {{{}}}\n", section("system", "clusters: [64]"));
        result += fmt::format("replications: {{{}}}\n", section("replications", "count: 3"));
        const auto top = given.find("");
        for (const auto& [key, value] : top == given.end() ? Given::mapped_type() : top->second) {
            result += key + ": " + value + "\n";
        }
        return result;
    }
};

std::optional<Plan> plan_or_none(const std::string& text) {
    try {
        return make_plan(source_of(text));
    } catch (const ConfigErrors&) {
        return std::nullopt;
    }
}

/// A parameter that has no default, by a value that every model and policy takes.
std::string needed(const ParameterDescription& row) {
    static const std::map<std::string, std::string> texts{
        {"file", "example"},
        {"component_size", "{uniform: [1, 8]}"},
        {"service_times", "[5, 3, 8, 1]"},
        {"sizes", "[2, 5, 1, 4]"},
        {"jobs", "{lublin_feitelson: {jobs: batch}}"},
        {"homes", "lublin_feitelson"},
        {"length", "100"},
        {"period", "1000"}};
    const auto found = texts.find(row.name);
    return found == texts.end() ? "" : found->second;
}

void add_some(
    const std::vector<ParameterDescription>& table,
    std::uint64_t one_of,
    std::map<std::string, std::string>& to,
    Dice& dice
) {
    for (const ParameterDescription& row : table) {
        if (!row.default_value || dice.below(one_of) != 0) {
            continue;
        }
        const std::string text = random_text(row, dice);
        if (!text.empty() && text != row.default_value->text()) {
            to[row.name] = text;
        }
    }
}

void add_lists(std::map<std::string, std::string>& to, Dice& dice) {
    const std::pair<const char*, const char*> lists[] = {
        {"submit_times", "[0, 2, 4, 40]"},
        {"requested_times", "[9, 9, 9, 9]"},
        {"users", "[1, 2, 3, 1]"},
        {"queues", "[2, 1, 1, 0]"}};
    for (const auto& [name, text] : lists) {
        if (dice.below(3) == 0) {
            to[name] = text;
        }
    }
}

Campaign random_campaign(Dice& dice) {
    const Catalogues& known = registered_catalogues();
    const auto& model = known.models[dice.below(known.models.size())];
    const auto& policy = known.policies[dice.below(known.policies.size())];
    Campaign campaign;
    campaign.experiment = model.experiments[dice.below(model.experiments.size())].name();
    campaign.workload = "model: " + model.alternative.name;
    for (const ParameterDescription& row : model.alternative.parameters) {
        if (!row.default_value) {
            campaign.workload += ", " + row.name + ": " + needed(row);
        }
    }
    campaign.policy = dice.below(3) > 0 ? "easy" : policy.alternative.name;
    campaign.fixed = campaign.experiment == "open" && model.alternative.name != "listed"
                         ? "load: {utilization: 0.5}"
                         : "";
    add_some(model.alternative.parameters, 5, campaign.given["workload"], dice);
    if (model.alternative.name == "listed") {
        add_lists(campaign.given["workload"], dice);
        campaign.given["horizon"]["jobs"] = dice.below(2) == 0 ? "4" : "3";
    }
    if (campaign.policy == policy.alternative.name) {
        add_some(policy.alternative.parameters, 6, campaign.given["policy"], dice);
    }
    for (const char* name : {"horizon", "random_numbers", "system", "replications", "job_log"}) {
        add_some(section(name).keys, 12, campaign.given[name], dice);
    }
    if (dice.below(4) == 0) {
        campaign.given["report"]["title"] = "t";
        campaign.given[""]["description"] = "d";
    }
    return campaign;
}

bool is_listed(const std::vector<std::string>& keys, const std::string& path) {
    return std::any_of(keys.begin(), keys.end(), [&path](const std::string& key) {
        return path == key || path.starts_with(key + ".");
    });
}

/// The first jobs, as numbers; what an experiment does not look at is left out.
std::vector<double> drawn_jobs(const Cell& cell) {
    engine::WorkloadContext context;
    context.system = cell.system;
    context.experiment = cell.experiment.kind;
    context.utilization = cell.utilization;
    context.seed = 3;
    const auto* model = registered_catalogues().find_model(cell.workload->name);
    const auto workload = model->make(cell.workload->parameters, context);
    std::vector<double> numbers{static_cast<double>(workload->traits().job_classes)};
    engine::JobBlock block;
    const auto append = [&numbers](const auto& column) {
        numbers.push_back(-7);  // between columns
        numbers.insert(numbers.end(), column.begin(), column.end());
    };
    for (int i = 0; i < 8; ++i) {
        workload->next(block);
        if (block.count == 0) {
            break;
        }
        if (cell.experiment.kind.has_arrivals()) {
            append(block.submit_time);
        }
        numbers.push_back(static_cast<double>(block.structure));
        append(block.service_time);
        append(block.size);
        append(block.components);
        append(block.estimate);
        append(block.job_class);
        append(block.user);
        append(block.queue);
        append(block.weight);
        append(block.memory_per_processor);
        append(block.fixed_start);
        for (const engine::MoldableTimes* times : block.moldable) {
            numbers.push_back(times == nullptr || times->times.empty() ? -1 : times->times.back());
        }
    }
    return numbers;
}

bool same_jobs(const Plan& a, const Plan& b) {
    const auto first = drawn_jobs(a.cells.at(0));
    const auto second = drawn_jobs(b.cells.at(0));
    return std::equal(
        first.begin(),
        first.end(),
        second.begin(),
        second.end(),
        [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }
    );
}

/// A value that is written otherwise than the default, and is the same.
bool same_parameters(const Plan& a, const Plan& b, const std::string& section_name) {
    const Cell& first = a.cells.at(0);
    const Cell& second = b.cells.at(0);
    return (section_name == "workload" && first.workload->text() == second.workload->text())
           || (section_name == "policy" && first.policy->text() == second.policy->text());
}

/// Limits that are seldom reached, and rules for what few jobs have.
const std::set<std::string>& seldom_seen() {
    static const std::set<std::string> keys{
        "left_waiting",
        "run_time_limit",
        "interarrival_limit",
        "days",
        "zero_run_time",
        "overrun",
        "missing_request",
        "given_request",
        "processors",
        "memory",
        "sha256",
        "in_turn",
        // As many as the machine has clusters; of jobs that are all large.
        "components",
        "sequential",
        "speedup",
        // Of a log whose jobs follow others.
        "dependencies",
        // Those of a model without estimates of its own are exact.
        "estimates"};
    return keys;
}

}  // namespace

TEST_CASE("what an included file says may go unused") {
    const Plan plan = plan_of({{10, "include: b.yaml"}}, {{"b.yaml", "horizon: {fills: 30}"}});
    CHECK(make_plan(source_of(plan.effective)).plan_hash == plan.plan_hash);
}

TEST_CASE("off-line and of whole logs every job is measured") {
    const Lines tasks{
        {4, "experiment: offline"},
        {6, "workload: {model: listed, service_times: [10, 10, 10], sizes: [4, 4, 4]}"},
        {8, "replications: 1"},
        {9, "horizon: {jobs: all}"}};
    CHECK(plan_of(tasks).cells.at(0).experiment.horizon.warm_up_jobs == 0);
    const auto warm_up = [](const std::string& workload, const std::string& horizon) {
        const Plan plan = plan_of(
            {{4, "experiment: trace"},
             {5, "system: {clusters: [128]}"},
             {6, "workload: {model: trace, file: example, resampling: " + workload + "}"},
             {8, "replications: 1"},
             {9, "horizon: {" + horizon + "}"}}
        );
        const engine::Horizon& found = plan.cells.at(0).experiment.horizon;
        CHECK(make_plan(source_of(plan.effective)).plan_hash == plan.plan_hash);
        return static_cast<double>(found.warm_up_jobs) / static_cast<double>(found.jobs);
    };
    CHECK(warm_up("none", "jobs: all") == 0);
    CHECK(warm_up("none, shake: 60", "jobs: all") == 0);
    CHECK(
        warm_up("none", "jobs: all, warm_up: {fraction: 0.5}") == doctest::Approx(0.5).epsilon(0.01)
    );
    CHECK(warm_up("none", "jobs: 1000") == 0.2);
    CHECK(warm_up("users", "jobs: 1000") == 0.2);
    CHECK(warm_up("users", "jobs: all") == doctest::Approx(0.2).epsilon(0.01));
}

TEST_CASE("of random campaigns every value that is accepted changes something") {
    Dice dice(14);
    std::size_t removed = 0;
    int accepted = 0;
    while (accepted < schedfarm::tests::short_or_long(150, 1000)) {
        const Campaign campaign = random_campaign(dice);
        const auto plan = plan_or_none(campaign.text());
        if (!plan) {
            continue;
        }
        ++accepted;
        for (const auto& [section_name, keys] : campaign.given) {
            for (const auto& [key, text] : keys) {
                const std::string path = section_name.empty() ? key : section_name + "." + key;
                Campaign without = campaign;
                without.given[section_name].erase(key);
                const auto other = plan_or_none(without.text());
                CAPTURE(campaign.text());
                CAPTURE(path);
                ++removed;
                const bool is_default = other && same_parameters(*plan, *other, section_name);
                const engine::Experiment& experiment = plan->cells.at(0).experiment;
                const bool is_capped =
                    key == "ensemble_bins" && experiment.series_bins == experiment.horizon.jobs;
                // A load sets the mean; the default has this shape.
                const bool is_set_by_load = key == "interarrival"
                                            && text.starts_with("{exponential")
                                            && campaign.text().find("\nload:") != std::string::npos;
                if (!other || is_default || is_capped || is_set_by_load || text == "none"
                    || is_listed(keys_that_only_show(), path)
                    || is_listed(keys_that_only_check(), path)) {
                    continue;
                }
                CHECK(other->plan_hash != plan->plan_hash);
                if (section_name == "workload" && !seldom_seen().contains(key)) {
                    CHECK_FALSE(same_jobs(*plan, *other));
                }
            }
        }
    }
    MESSAGE(accepted, " campaigns, ", removed, " values");
}

}  // namespace schedfarm::app::tests
