// The model of Jann, Pattnaik, Franke, Wang, Skovira & Riodan, "Modeling of workload in MPPs"
// (JSSPP 1997): jobs in ranges of sizes, each range with arrivals and run times of its own, both
// hyper-Erlang of common order, matched to the first three moments of the log of the CTC SP2 from
// 25 June to 12 September 1996. A job has the largest size of its range.
//
// The defaults are computed anew by the paper's method (Johnson & Taaffe 1989: the smallest order
// that can have the three moments) from the cleaned log CTC-SP2-1996-3.1-cln, submits before 13
// September 1996; they are not the digits of the paper's tables.
//
// Draws of job k of range c, j = k · ranges + c: values 2j and 2j + 1 of Purpose::arrivals and of
// Purpose::service. A load stretches the times between submits.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "engine/foundation/message_text.hpp"
#include "engine/random/stream.hpp"
#include "engine/random/unit_gamma.hpp"

#include "models/draws.hpp"
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

/// With probability `share` `order` exponential stages of mean `first`, else of mean `second`.
class HyperErlang {
  public:
    HyperErlang(double order, double share, double first, double second)
        : sum_of_stages_(order), share_(share), first_(first), second_(second) {}

    double mean() const {
        return sum_of_stages_.shape() * (share_ * first_ + (1 - share_) * second_);
    }
    double value(double choice, double uniform) const {
        return sum_of_stages_.quantile(uniform) * (choice < share_ ? first_ : second_);
    }

  private:
    engine::UnitGamma sum_of_stages_;
    double share_;
    double first_;
    double second_;
};

/// A list of parameters of hyper-Erlang distributions; `ending` of its name.
struct ListRow {
    const char* ending = "";
    const char* meaning = "";
    const char* unit = "";
    ParameterType type = ParameterType::real_list;
    engine::Range range;
};

const std::array<ListRow, 4> list_rows{
    {{"_order", "number of stages", "", ParameterType::integer_list, {.low = 1, .high = 1000}},
     {"_share",
      "probability of the first branch",
      "",
      ParameterType::real_list,
      {.low = 0, .high = 1}},
     {"_first",
      "mean of a stage of the first branch",
      "s",
      ParameterType::real_list,
      {.low = 1e-6, .high = 1e12}},
     {"_second",
      "mean of a stage of the second branch",
      "s",
      ParameterType::real_list,
      {.low = 1e-6, .high = 1e12}}}};

std::vector<HyperErlang> hyper_erlangs(const Parameters& parameters, const std::string& of) {
    std::vector<std::vector<double>> lists;
    lists.reserve(list_rows.size());
    for (const ListRow& row : list_rows) {
        lists.push_back(parameters.reals(of + row.ending));
    }
    std::vector<HyperErlang> result;
    for (std::size_t i = 0; i < lists[0].size(); ++i) {
        result.emplace_back(lists[0][i], lists[1][i], lists[2][i], lists[3][i]);
    }
    return result;
}

struct Ranges {
    explicit Ranges(const Parameters& parameters)
        : sizes(parameters.reals("sizes"))
        , gaps(hyper_erlangs(parameters, "interarrival"))
        , run_times(hyper_erlangs(parameters, "run_time")) {}

    /// Jobs per second without a load.
    double rate() const {
        double sum = 0;
        for (const HyperErlang& gap : gaps) {
            sum += 1 / gap.mean();
        }
        return sum;
    }

    /// The mean over all jobs of a quantity of their range.
    template <typename Quantity>
    double mean(const Quantity& quantity) const {
        double sum = 0;
        for (std::size_t c = 0; c < sizes.size(); ++c) {
            sum += quantity(c) / gaps[c].mean();
        }
        return sum / rate();
    }

    std::vector<double> sizes;
    std::vector<HyperErlang> gaps;
    std::vector<HyperErlang> run_times;
};

/// What the times between arrivals are multiplied by.
double jann_gap_factor(const Ranges& ranges, const WorkloadContext& context) {
    const double area =
        ranges.mean([&](std::size_t c) { return ranges.sizes[c] * ranges.run_times[c].mean(); });
    const auto wanted = interarrival_for(context, area);
    return wanted ? *wanted * ranges.rate() : 1.0;
}

class Jann97 final : public RigidJobSource {
  public:
    Jann97(const Parameters& parameters, const WorkloadContext& context)
        : ranges_(parameters)
        , gap_factor_(jann_gap_factor(ranges_, context))
        , arrivals_(stream_of(context, Purpose::arrivals))
        , service_(stream_of(context, Purpose::service))
        , next_(ranges_.sizes.size()) {
        for (std::size_t c = 0; c < next_.size(); ++c) {
            advance(c);
        }
    }

    RigidJob next() override {
        const auto earliest =
            std::min_element(next_.begin(), next_.end(), [](const Next& a, const Next& b) {
                return a.submit < b.submit;
            });
        const auto c = static_cast<std::size_t>(earliest - next_.begin());
        const std::uint64_t j = (earliest->count - 1) * next_.size() + c;
        const RigidJob job{
            .submit = earliest->submit,
            .run = value(ranges_.run_times[c], service_, j),
            .size = static_cast<std::uint32_t>(ranges_.sizes[c]),
            .job_class = static_cast<std::uint32_t>(c)};
        advance(c);
        return job;
    }

  private:
    /// The job of a range that comes next.
    struct Next {
        double submit = 0;
        std::uint64_t count = 0;  ///< of jobs of the range, with this one
    };

    static double value(const HyperErlang& of, const Stream& stream, std::uint64_t j) {
        return of.value(uniform_draw(stream, 2 * j), uniform_draw(stream, 2 * j + 1));
    }

    void advance(std::size_t c) {
        Next& next = next_[c];
        next.submit +=
            gap_factor_ * value(ranges_.gaps[c], arrivals_, next.count * next_.size() + c);
        ++next.count;
    }

    Ranges ranges_;
    double gap_factor_;
    Stream arrivals_;
    Stream service_;
    std::vector<Next> next_;
};

std::vector<LargestSize> jann_97_largest_sizes(const Parameters& given) {
    const std::vector<double> sizes = given.reals("sizes");
    const double largest = *std::max_element(sizes.begin(), sizes.end());
    return {{static_cast<std::uint32_t>(largest), "sizes"}};
}

WorkloadTraits jann_97_traits_of(const Parameters& given, const WorkloadContext& context) {
    const Ranges ranges(given);
    WorkloadTraits traits;
    traits.max_size = jann_97_largest_sizes(given).front().processors;
    traits.job_classes = static_cast<std::uint32_t>(ranges.sizes.size());
    for (const double size : ranges.sizes) {
        traits.class_names.push_back(engine::counted(static_cast<std::uint64_t>(size), "processor")
        );
    }
    traits.mean_size = ranges.mean([&](std::size_t c) { return ranges.sizes[c]; });
    traits.mean_service_time =
        ranges.mean([&](std::size_t c) { return ranges.run_times[c].mean(); });
    traits.mean_interarrival_time = jann_gap_factor(ranges, context) / ranges.rate();
    return traits;
}

void add_jann_rows(
    std::vector<engine::ParameterDescription>& rows,
    const std::string& of,
    const std::vector<Value::List>& defaults
) {
    for (std::size_t i = 0; i < list_rows.size(); ++i) {
        const ListRow& row = list_rows.at(i);
        rows.push_back(
            {.name = of + row.ending,
             .meaning = std::string(row.meaning) + ", for each range of sizes",
             .unit = row.unit,
             .type = row.type,
             .default_value = defaults[i],
             .range = row.range}
        );
    }
}

std::vector<engine::ParameterDescription> jann_97_parameters() {
    std::vector<engine::ParameterDescription> rows{
        {.name = "sizes",
         .meaning = "size of the jobs of each range, which is a job class",
         .unit = "processors",
         .type = ParameterType::integer_list,
         .default_value = Value::List{1, 2, 4, 8, 16, 32, 64, 128, 256, 322},
         .range = {.low = 1, .high = 1e6}}};
    add_jann_rows(
        rows,
        "interarrival",
        {{1, 1, 1, 1, 1, 1, 1, 2, 2, 1},
         {0.0692134,
          0.0957057,
          0.129073,
          0.215199,
          0.10641,
          0.124871,
          0.441597,
          0.502972,
          0.169136,
          0.147921},
         {6740.01,
          27612.5,
          16052.2,
          13923.9,
          14887.9,
          29584.9,
          18011.8,
          29895.1,
          172855.0,
          598587.0},
         {434.061, 1146.22, 749.441, 615.759, 1397.58, 2640.81, 658.392, 2157.23, 3588.67, 56697.6}}
    );
    add_jann_rows(
        rows,
        "run_time",
        {{4, 8, 5, 2, 3, 3, 3, 5, 1, 6},
         {0.388951,
          0.308664,
          0.207209,
          0.223342,
          0.316588,
          0.317959,
          0.417087,
          0.322819,
          0.349918,
          0.206115},
         {8429.84, 5687.34, 7002.76, 10423.6, 8871.18, 9563.38, 9877.24, 8234.77, 3412.10, 6949.67},
         {147.235, 24.7902, 31.1364, 328.776, 45.8951, 50.5268, 112.837, 8.30556, 130.912, 31.6780}}
    );
    return with_rigid_parameters(std::move(rows));
}

std::vector<ParameterProblem> jann_97_parameter_problems(const Parameters& parameters) {
    const std::size_t ranges = parameters.reals("sizes").size();
    if (ranges == 0) {
        return {{"sizes", "the list is empty (there are no jobs)", "List a size."}};
    }
    for (const char* of : {"interarrival", "run_time"}) {
        for (const ListRow& row : list_rows) {
            if (parameters.reals(of + std::string(row.ending)).size() != ranges) {
                return {
                    {of + std::string(row.ending),
                     std::to_string(ranges) + " sizes need as many numbers (one for each range)",
                     "Write one for each size."}};
            }
        }
    }
    return {};
}

std::vector<engine::WorkloadExample> jann_97_examples() {
    Parameters given;
    given.set("days", 80.0);
    return {
        {with_defaults(jann_97_parameters()), {.clusters = {322}}},
        {with_defaults(jann_97_parameters(), given), {.clusters = {512}}}};
}

}  // namespace

engine::WorkloadModelDescription describe_jann_97() {
    return describe_rigid(
        {.alternative =
             {.name = "jann_97",
              .summary =
                  "Ranges of sizes with hyper-Erlang arrivals and run times; times in seconds.",
              .parameters = jann_97_parameters(),
              .check = jann_97_parameter_problems,
              .source = "Jann et al. 1997"},
         .source = make_source<Jann97>,
         .traits = jann_97_traits_of,
         .largest_sizes = jann_97_largest_sizes,
         .examples = jann_97_examples()}
    );
}

}  // namespace schedfarm::models
