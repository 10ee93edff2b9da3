#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/hash.hpp"
#include "engine/random/distribution.hpp"

#include "tests/engine/random/distribution_examples.hpp"

namespace schedfarm::engine {

namespace {

/// Both tables, for what holds of every alternative.
std::vector<Alternative> all_alternatives() {
    std::vector<Alternative> all = time_distributions();
    all.insert(all.end(), size_distributions().begin(), size_distributions().end());
    return all;
}

/// The choice with one parameter replaced.
Choice with(Choice choice, const std::string& name, const Value& value) {
    choice.parameters.set(name, value);
    return choice;
}

bool is_list(const ParameterDescription& row) {
    return row.type == ParameterType::real_list || row.type == ParameterType::integer_list;
}

/// Name, meaning, range, and a default inside the range if there is one.
bool is_well_described(const ParameterDescription& row) {
    const bool has_number = row.default_value && !is_list(row);
    return !row.name.empty() && !row.meaning.empty() && row.range.text() != "any"
           && (!has_number || row.range.contains(row.default_value->as_real()));
}

/// Σ n p(n).
double mean_of(const std::vector<double>& p) {
    double mean = 0.0;
    for (std::size_t n = 0; n < p.size(); ++n) {
        mean += static_cast<double>(n) * p[n];
    }
    return mean;
}

/// Largest difference between the frequencies of the sizes and their probabilities.
double largest_difference(
    const std::vector<std::uint32_t>& sizes, const std::vector<double>& probabilities
) {
    std::vector<double> difference(probabilities);
    for (const std::uint32_t size : sizes) {
        difference.at(size) -= 1.0 / static_cast<double>(sizes.size());
    }
    double largest = 0.0;
    for (const double one : difference) {
        largest = std::max(largest, std::fabs(one));
    }
    return largest;
}

}  // namespace

TEST_CASE("no table has a name twice") {
    for (const auto* table : {&time_distributions(), &size_distributions()}) {
        std::set<std::string> names;
        for (const Alternative& alternative : *table) {
            names.insert(alternative.name);
        }
        CHECK(names.size() == table->size());
    }
}

TEST_CASE("every alternative describes itself and its parameters") {
    for (const Alternative& alternative : all_alternatives()) {
        CAPTURE(alternative.name);
        CHECK(!alternative.summary.empty());
        CHECK(alternative.summary.back() == '.');
        CHECK(!alternative.parameters.empty());
        CHECK(std::all_of(
            alternative.parameters.begin(), alternative.parameters.end(), is_well_described
        ));
    }
}

TEST_CASE("every example is admissible for its own check") {
    for (const Alternative& alternative : all_alternatives()) {
        CAPTURE(alternative.name);
        const Choice example = example_choice(alternative);
        if (alternative.check) {
            const Parameters complete = with_defaults(alternative.parameters, example.parameters);
            CHECK(alternative.check(complete).empty());
        }
    }
}

TEST_CASE("every time distribution is made from its example and gives finite values") {
    for (const Alternative& alternative : time_distributions()) {
        CAPTURE(alternative.name);
        const auto distribution = make_time_distribution(example_choice(alternative));
        CHECK(distribution->mean() > 0.0);
        CHECK(std::isfinite(distribution->mean()));
        CHECK(distribution->squared_variation() >= 0.0);
        CHECK(std::isfinite(distribution->squared_variation()));
        std::vector<double> values(5000, std::nan(""));
        distribution->fill(Stream(1, Purpose::service, 0), 0, values);
        const bool admissible = std::all_of(values.begin(), values.end(), [](double value) {
            return std::isfinite(value) && value >= 0.0;
        });
        CHECK(admissible);
    }
}

TEST_CASE("time values do not depend on how the range is cut into calls") {
    const Stream stream(11, Purpose::arrivals, 4);
    const std::uint64_t first = 1'000'003;
    for (const Alternative& alternative : time_distributions()) {
        CAPTURE(alternative.name);
        const auto distribution = make_time_distribution(example_choice(alternative));
        std::vector<double> whole(3000);
        distribution->fill(stream, first, whole);
        std::vector<double> pieces(whole.size(), -1.0);
        std::size_t done = 0;
        for (std::uint64_t round = 0; done < pieces.size(); ++round) {
            const std::size_t wanted = mix(round) % (round % 3 == 0 ? 700 : 5);
            const std::size_t length = std::min(wanted, pieces.size() - done);
            distribution->fill(stream, first + done, std::span(pieces).subspan(done, length));
            done += length;
        }
        CHECK(pieces == whole);
    }
}

TEST_CASE("every size distribution is made from its example and its probabilities add up") {
    for (const Alternative& alternative : size_distributions()) {
        CAPTURE(alternative.name);
        const auto distribution = make_size_distribution(example_choice(alternative));
        const std::vector<double> p = distribution->probabilities();
        CHECK(distribution->low() >= 1);
        CHECK(distribution->low() <= distribution->high());
        REQUIRE(p.size() == distribution->high() + 1U);
        CHECK(p[distribution->low()] > 0.0);
        CHECK(p[distribution->high()] > 0.0);
        CHECK(std::count(p.begin(), p.begin() + distribution->low(), 0.0) == distribution->low());
        CHECK(std::accumulate(p.begin(), p.end(), 0.0) == doctest::Approx(1.0).epsilon(1e-14));
        CHECK(distribution->mean() == doctest::Approx(mean_of(p)).epsilon(1e-14));
    }
}

TEST_CASE("every map of words to sizes increases from low to high and realizes the probabilities") {
    std::vector<std::uint32_t> words(1U << 16);
    for (std::size_t i = 0; i < words.size(); ++i) {
        words[i] = static_cast<std::uint32_t>(i << 16 | i);
    }
    for (const Alternative& alternative : size_distributions()) {
        CAPTURE(alternative.name);
        const auto distribution = make_size_distribution(example_choice(alternative));
        std::vector<std::uint32_t> sizes(words.size());
        distribution->map(words, sizes);
        CHECK(std::is_sorted(sizes.begin(), sizes.end()));
        CHECK(sizes.front() == distribution->low());
        CHECK(sizes.back() == distribution->high());
        // On an even grid of m words every frequency is right to 1/m.
        const auto m = static_cast<double>(words.size());
        CHECK(largest_difference(sizes, distribution->probabilities()) <= 1.01 / m);
    }
}

TEST_CASE("a number outside its range breaks the contract of every alternative") {
    const auto rejects = [](const Alternative& alternative, const auto& make) {
        const Choice example = example_choice(alternative);
        for (const ParameterDescription& row : alternative.parameters) {
            const Value bad = is_list(row) ? Value(Value::List{1, -7}) : Value(-7);
            CAPTURE(alternative.name);
            CAPTURE(row.name);
            CHECK_THROWS_AS(make(with(example, row.name, bad)), ContractViolation);
        }
    };
    for (const Alternative& alternative : time_distributions()) {
        rejects(alternative, make_time_distribution);
    }
    for (const Alternative& alternative : size_distributions()) {
        rejects(alternative, make_size_distribution);
    }
    CHECK_THROWS_AS(make_time_distribution(choice("no such name")), ContractViolation);
    CHECK_THROWS_AS(make_size_distribution(choice("no such name")), ContractViolation);
}

}  // namespace schedfarm::engine
