// A generator in the place of the month that Wang, Papaefthymiou & Squillante, "Performance
// evaluation of gang scheduling for parallel and distributed multiprogramming" (JSSPP 1997),
// section 5, Fig. 3, simulate: the jobs of August 1996 on the SP2 of the Cornell Theory Center,
// 31 days on 320 processors, classes of sizes. Counts and mean run times are those of the jobs of
// CTC-SP2-1996-3.1-cln (Parallel Workloads Archive) that ran longer than 60 s on at most 320
// processors; classes 6 … 9 are the paper's. A month has exactly these counts.
//
// Within a class run times follow the power law on 1 minute … 18 hours with the class's mean. Some
// of its sizes is popular, the others are uniform. Arrivals are bursty: days have weights drawn
// from a gamma distribution, hours those of the log, and jobs come in batches of their class.
//
// A load stretches the times between submits, days included, as a load factor does with a log.
#include <algorithm>
#include <array>
#include <vector>

#include "engine/foundation/message_text.hpp"
#include "engine/random/stream.hpp"
#include "engine/random/unit_gamma.hpp"

#include "models/draws.hpp"
#include "models/power_law.hpp"
#include "models/rigid/rigid_workload.hpp"

namespace schedfarm::models {

namespace {

using engine::ParameterProblem;
using engine::Parameters;
using engine::ParameterType;
using engine::Purpose;
using engine::Stream;
using engine::Value;
using engine::WorkloadContext;
using engine::WorkloadTraits;

constexpr std::size_t days = 31;
constexpr std::size_t hours = 24 * days;
constexpr double ctc_hour_s = 3600;
constexpr double month_s = hours * ctc_hour_s;
constexpr std::uint32_t largest_size = 320;

/// Jobs with sizes of 2^(c − 1) + 1 … 2^c for class c; class 9 is what needs more than 256.
struct SizeClass {
    std::uint32_t jobs;
    double mean_run_s;
    double shortest_s;
    double longest_s;
    std::uint32_t popular;  ///< size
    double popular_share;
    std::uint32_t low;  ///< the other sizes
    std::uint32_t high;

    double mean_size() const {
        return popular_share * popular + (1 - popular_share) * 0.5 * (low + high);
    }
};

constexpr std::array<SizeClass, 10> ctc_classes{
    {{2514, 16643, 60, 64800, 1, 1.0, 1, 1},
     {710, 16520, 60, 64800, 2, 1.0, 2, 2},
     {747, 9005, 60, 64800, 4, 0.89, 3, 3},
     {599, 3862, 60, 64800, 8, 0.72, 5, 7},
     {900, 9455, 60, 64800, 16, 0.72, 9, 13},
     {473, 9139, 60, 64800, 32, 0.63, 17, 24},
     {420, 11363, 60, 64800, 64, 0.59, 33, 40},
     {74, 14384, 60, 64800, 128, 0.66, 65, 112},
     {45, 548, 175, 3854, 129, 0.78, 130, 256},
     {23, 6181, 180, 64800, 306, 0.6, 300, 320}}};

/// Jobs of the log by the hour of the day.
constexpr std::array<double, 24> jobs_by_hour{181, 85,  60,  55,  71,  25,  52,  103,
                                              237, 363, 391, 510, 460, 505, 474, 475,
                                              499, 398, 329, 222, 197, 229, 276, 308};

constexpr std::uint32_t jobs_per_month() {
    std::uint32_t sum = 0;
    for (const SizeClass& size_class : ctc_classes) {
        sum += size_class.jobs;
    }
    return sum;
}

/// The mean over all jobs of a quantity of the class.
template <typename Quantity>
double mean_over_jobs(const Quantity& quantity) {
    double sum = 0;
    for (const SizeClass& size_class : ctc_classes) {
        sum += size_class.jobs * quantity(size_class);
    }
    return sum / jobs_per_month();
}

double mean_area() {
    return mean_over_jobs([](const SizeClass& c) { return c.mean_size() * c.mean_run_s; });
}

/// What times are multiplied by.
double time_factor(const WorkloadContext& context) {
    const auto wanted = interarrival_for(context, mean_area());
    return wanted ? *wanted * jobs_per_month() / month_s : 1.0;
}

/// Uniform numbers of one stream, one after the other.
class Uniforms {
  public:
    Uniforms(const WorkloadContext& context, Purpose purpose)
        : stream_(stream_of(context, purpose)) {}
    double next() { return uniform_draw(stream_, next_++); }

  private:
    Stream stream_;
    std::uint64_t next_ = 0;
};

class CtcAugust1996 final : public RigidJobSource {
  public:
    CtcAugust1996(const Parameters& parameters, const WorkloadContext& context)
        : day_weights_(parameters.real("day_shape"))
        , batch_means_(parameters.reals("batches"))
        , time_factor_(time_factor(context))
        , arrivals_(context, Purpose::arrivals)
        , batches_(context, Purpose::job_class)
        , sizes_(context, Purpose::sizes)
        , service_(context, Purpose::service) {
        for (const SizeClass& c : ctc_classes) {
            run_times_.push_back(PowerLaw::with_mean(c.shortest_s, c.longest_s, c.mean_run_s));
        }
    }

    RigidJob next() override {
        if (place_ == month_.size()) {
            draw_month();
        }
        return month_[place_++];
    }

  private:
    void draw_month() {
        draw_hours();
        month_.clear();
        place_ = 0;
        for (std::uint32_t c = 0; c < ctc_classes.size(); ++c) {
            draw_class(c);
        }
        std::stable_sort(month_.begin(), month_.end(), [](const RigidJob& a, const RigidJob& b) {
            return a.submit < b.submit;
        });
        for (RigidJob& job : month_) {
            job.submit = (static_cast<double>(months_) * month_s + job.submit) * time_factor_;
        }
        ++months_;
    }

    /// The cumulative weights of the hours of the month.
    void draw_hours() {
        double sum = 0;
        for (std::size_t day = 0; day < days; ++day) {
            const double weight = day_weights_.quantile(arrivals_.next());
            for (std::size_t hour = 0; hour < 24; ++hour) {
                sum += weight * jobs_by_hour[hour];
                until_hour_[24 * day + hour] = sum;
            }
        }
    }

    double drawn_instant() {
        const double at = arrivals_.next() * until_hour_.back();
        const auto* const hour = std::upper_bound(until_hour_.begin(), until_hour_.end() - 1, at);
        const double before = hour == until_hour_.begin() ? 0.0 : *(hour - 1);
        const auto whole = static_cast<double>(hour - until_hour_.begin());
        return (whole + std::min((at - before) / (*hour - before), 1.0)) * ctc_hour_s;
    }

    /// All jobs of a class, batch after batch; the size of a batch is geometric, 1 at least.
    void draw_class(std::uint32_t c) {
        const double more = 1 - 1 / batch_means_[c];
        double instant = 0;
        for (std::uint32_t job = 0; job < ctc_classes[c].jobs; ++job) {
            if (job == 0 || batches_.next() >= more) {
                instant = drawn_instant();
            }
            month_.push_back(
                {.submit = instant,
                 .run = run_times_[c].value(service_.next()),
                 .size = drawn_size(ctc_classes[c]),
                 .job_class = c}
            );
        }
    }

    std::uint32_t drawn_size(const SizeClass& c) {
        const double uniform = sizes_.next();
        if (uniform < c.popular_share) {
            return c.popular;
        }
        const double part = (uniform - c.popular_share) / (1 - c.popular_share);
        return std::min(c.high, c.low + static_cast<std::uint32_t>(part * (c.high - c.low + 1)));
    }

    engine::UnitGamma day_weights_;
    std::vector<double> batch_means_;
    double time_factor_;
    Uniforms arrivals_;
    Uniforms batches_;
    Uniforms sizes_;
    Uniforms service_;
    std::vector<PowerLaw> run_times_;
    std::array<double, hours> until_hour_{};
    std::vector<RigidJob> month_;
    std::size_t place_ = 0;
    std::uint64_t months_ = 0;
};

WorkloadTraits ctc_august_1996_traits_of(
    const Parameters& /*given*/, const WorkloadContext& context
) {
    WorkloadTraits traits;
    traits.max_size = largest_size;
    traits.job_classes = ctc_classes.size();
    for (const SizeClass& c : ctc_classes) {
        traits.class_names.push_back(engine::counted_range(
            std::min(c.popular, c.low), std::max(c.popular, c.high), "processor"
        ));
    }
    traits.mean_size = mean_over_jobs([](const SizeClass& c) { return c.mean_size(); });
    traits.mean_service_time = mean_over_jobs([](const SizeClass& c) { return c.mean_run_s; });
    traits.mean_interarrival_time = month_s * time_factor(context) / jobs_per_month();
    return traits;
}

std::vector<engine::ParameterDescription> ctc_august_1996_parameters() {
    return with_rigid_parameters(
        {{.name = "day_shape",
          .meaning =
              "shape of the gamma distribution of the days' weights: their squared variation "
              "is 1/shape",
          .default_value = 20.0,
          .range = {.low = 0.1, .high = 1e4}},
         {.name = "batches",
          .meaning = "mean number of jobs that come at one instant, for each class of sizes",
          .unit = "jobs",
          .type = ParameterType::real_list,
          .default_value = Value::List{3.0, 3.0, 3.0, 3.0, 3.0, 8.0, 8.0, 8.0, 20.0, 3.0},
          .range = {.low = 1, .high = 1000}}}
    );
}

std::vector<ParameterProblem> ctc_august_1996_parameter_problems(const Parameters& parameters) {
    if (parameters.reals("batches").size() != ctc_classes.size()) {
        return {
            {"batches", "ten numbers are needed (one for each class)", "Begin with the default."}};
    }
    return {};
}

std::vector<LargestSize> ctc_august_1996_largest_sizes(const Parameters& /*given*/) {
    return {{largest_size, "batches"}};
}

std::vector<engine::WorkloadExample> ctc_august_1996_examples() {
    Parameters given;
    given.set("days", 31.0);
    given.set("estimates", engine::Choice{.name = "tsafrir"});
    return {
        {with_defaults(ctc_august_1996_parameters()), {.clusters = {320}}},
        {with_defaults(ctc_august_1996_parameters(), given), {.clusters = {512}}}};
}

}  // namespace

engine::WorkloadModelDescription describe_ctc_august_1996() {
    return describe_rigid(
        {.alternative =
             {.name = "ctc_august_1996",
              .summary = "A month like August 1996 on the CTC SP2: ten classes of sizes, bursts; "
                         "times in seconds.",
              .parameters = ctc_august_1996_parameters(),
              .check = ctc_august_1996_parameter_problems,
              .source = "Wang, Papaefthymiou & Squillante 1997, Fig. 3"},
         .source = make_source<CtcAugust1996>,
         .traits = ctc_august_1996_traits_of,
         .largest_sizes = ctc_august_1996_largest_sizes,
         .examples = ctc_august_1996_examples()}
    );
}

}  // namespace schedfarm::models
