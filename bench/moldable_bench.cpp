#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"
#include "engine/optimization/dual_approximation.hpp"
#include "engine/optimization/knapsack.hpp"
#include "engine/optimization/minsum_bound.hpp"

#include "models/catalogue.hpp"
#include "policies/moldable/demt_list.hpp"

#include "bench/bench.hpp"
#include "bench/clp_reference.hpp"
#include "bench/minimal_moldable.hpp"

namespace schedfarm::bench {

namespace {

using engine::MoldableInstance;

/// A draw of the model `moldable`.
struct Drawn {
    std::shared_ptr<engine::WorkloadModel> model;  // keeps the times
    std::vector<engine::Job> jobs;
    std::uint32_t processors = 0;

    std::uint64_t times() const { return std::uint64_t{processors} * jobs.size(); }
    MoldableInstance instance() const {
        std::vector<engine::MoldableTask> tasks;
        for (const engine::Job& job : jobs) {
            tasks.push_back({job.moldable->times, job.weight});
        }
        return {processors, std::move(tasks)};
    }
};

Drawn draw(std::uint32_t count, std::uint32_t processors) {
    const auto plan = bench_plan(fmt::format(
        "experiment: offline\n"
        "system: {{clusters: [{}]}}\n"
        "workload: {{model: moldable, speedup: weakly_parallel}}\n"
        "horizon: {{jobs: {}}}\n"
        "policy: demt\n",
        processors,
        count
    ));
    const app::Cell& cell = plan->cells.front();
    const engine::WorkloadModelDescription* const model = models::find_model(cell.workload->name);
    SCHEDFARM_EXPECT(model != nullptr, "the model of the plan");
    engine::WorkloadContext context;
    context.system = cell.system;
    context.experiment = cell.experiment.kind;
    context.seed = cell.random.seed;
    Drawn result{model->make(cell.workload->parameters, context), {}, processors};
    engine::JobBlock block;
    while (result.jobs.size() < count) {
        engine::draw_next(*result.model, block);
        for (std::size_t i = 0; i < block.count && result.jobs.size() < count; ++i) {
            result.jobs.push_back(block.job(i));
            result.jobs.back().components = {};
        }
    }
    return result;
}

/// Does its work on the instance, drawn when it is measured first; returns the times.
template <typename Work>
std::function<std::uint64_t(std::uint32_t)> on(
    std::uint32_t count, std::uint32_t processors, Work work
) {
    return [=, drawn = std::make_shared<Drawn>()](std::uint32_t) {
        if (drawn->jobs.empty()) {
            *drawn = draw(count, processors);
        }
        return work(*drawn) > 0 ? drawn->times() : 0;
    };
}

double lambda_of(const Drawn& drawn) {
    return engine::dual_approximation(drawn.instance()).lambda;
}

double plain_lambda(const Drawn& drawn) {
    return minimal_lambda(drawn.instance());
}

std::vector<const engine::Job*> pointers_to(const std::vector<engine::Job>& jobs) {
    std::vector<const engine::Job*> pointers;
    pointers.reserve(jobs.size());
    for (const engine::Job& job : jobs) {
        pointers.push_back(&job);
    }
    return pointers;
}

/// The schedule of DEMT and ten more in the same order, which cost what those in others do.
double demt(const Drawn& drawn) {
    const policies::MoldableProblem problem(drawn.processors, pointers_to(drawn.jobs), 0);
    const policies::DemtList demt = policies::demt_list(problem, problem.dual().lambda);
    std::vector<std::uint32_t> order(demt.list.entries.size());
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    double finish = 0;
    for (int schedule = 0; schedule < 11; ++schedule) {
        finish = policies::strict_schedule(demt.list, order, drawn.processors, 0).finish;
    }
    return finish;
}

/// Half of the time of each task on one processor as the limit of a batch.
std::vector<engine::KnapsackItem> items_of(const Drawn& drawn) {
    const MoldableInstance instance = drawn.instance();
    std::vector<engine::KnapsackItem> items;
    for (std::size_t i = 0; i < instance.size(); ++i) {
        const double limit = instance.time(i, 1) / 2;
        items.push_back({instance.least_processors(i, limit), instance.weight(i)});
    }
    return items;
}

/// The work is done on what `prepare` makes of the instance once.
template <typename Prepare, typename Work>
auto prepared(Prepare prepare, Work work) {
    using Made = decltype(prepare(std::declval<const Drawn&>()));
    return [=, made = std::make_shared<std::unique_ptr<const Made>>()](const Drawn& drawn) {
        if (!*made) {
            *made = std::make_unique<const Made>(prepare(drawn));
        }
        return work(**made, drawn.processors);
    };
}

/// The makespan's bound is not part of the work.
double bound_of(const Drawn& drawn, double makespan) {
    return engine::minsum_bound(drawn.instance(), makespan, {engine::MinsumProgram::printed}).value;
}

engine::NestedAssignment program_of(const Drawn& drawn) {
    const MoldableInstance instance = drawn.instance();
    return engine::minsum_program(instance, lambda_of(drawn), {engine::MinsumProgram::printed})
        .problem;
}

void add_cases(std::vector<BenchCase>& cases, std::uint32_t count, std::uint32_t processors) {
    const std::string size = fmt::format(", {} jobs on {}", count, processors);
    const auto add = [&](const char* name, const char* reference, auto product, auto compared) {
        cases.push_back(
            {name + size,
             "times",
             reference,
             on(count, processors, product),
             on(count, processors, compared)}
        );
    };
    add("dual approximation", "plain bisection", lambda_of, plain_lambda);
    add("knapsack",
        "minimal loop",
        prepared(
            items_of,
            [knapsack = std::make_shared<engine::Knapsack>()](const auto& items, auto all) {
                return knapsack->solve(items, all);
            }
        ),
        prepared(items_of, [](const auto& items, auto all) {
            return minimal_knapsack(items, all).cost;
        }));
    add("DEMT, 10 shuffles", "dual approximation", demt, lambda_of);
    if (clp_is_present()) {
        add("minsum program",
            "CLP",
            prepared(
                program_of,
                [](const auto& program, auto /*all*/) { return engine::solve(program).bound; }
            ),
            prepared(program_of, [](const auto& program, auto /*all*/) {
                return clp_least_cost(program);
            }));
    }
    add(
        "minsum bound, built and solved",
        "dual approximation",
        [makespan = std::make_shared<double>(0)](const Drawn& drawn) {
            *makespan = *makespan > 0 ? *makespan : lambda_of(drawn);
            return bound_of(drawn, *makespan);
        },
        lambda_of
    );
}

}  // namespace

std::vector<BenchCase> moldable_bench_cases() {
    std::vector<BenchCase> cases;
    add_cases(cases, 400, 200);
    add_cases(cases, 1000, 1000);
    return cases;
}

}  // namespace schedfarm::bench
