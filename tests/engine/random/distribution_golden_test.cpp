// The bits of streams and distributions are part of the results version: whoever changes a hash
// here changes every result, and says so in CHANGELOG.md under "Changed results".
#include <string>

#include <doctest/doctest.h>

#include "engine/foundation/hash.hpp"
#include "engine/random/distribution.hpp"

#include "tests/engine/random/distribution_examples.hpp"

namespace schedfarm::engine {

namespace {

template <typename T>
std::string fingerprint(const std::vector<T>& values) {
    Sha256 hash;
    hash.add(std::as_bytes(std::span(values)));
    return hash.hex().substr(0, 16);
}

std::string fingerprint_of_times(const Choice& choice) {
    std::vector<double> values(10'000);
    make_time_distribution(choice)->fill(Stream(1, Purpose::service, 0), 0, values);
    return fingerprint(values);
}

std::string fingerprint_of_sizes(const Choice& choice) {
    std::vector<std::uint32_t> words(10'000);
    std::vector<std::uint32_t> sizes(words.size());
    Stream(1, Purpose::sizes, 0).fill_words(0, words);
    make_size_distribution(choice)->map(words, sizes);
    return fingerprint(sizes);
}

std::string fingerprint_of_words(const Stream& stream) {
    std::vector<std::uint32_t> words(10'000);
    stream.fill_words(1'000'003, words);
    return fingerprint(words);
}

}  // namespace

TEST_CASE("words of both generators have the bits they always had") {
    CHECK(fingerprint_of_words({1, Purpose::service, 0, Generator::philox}) == "cc2dce610b8d193c");
    CHECK(
        fingerprint_of_words({1, Purpose::service, 0, Generator::mrg32k3a}) == "459fc1ba9b28da5b"
    );
    CHECK(
        fingerprint_of_words({2001, Purpose::sizes, 77, Generator::mrg32k3a}) == "a4f4d2cfabb7fdc4"
    );
}

TEST_CASE("times have the bits they always had") {
    CHECK(fingerprint_of_times(choice("exponential")) == "65b3f05eab29df10");
    CHECK(fingerprint_of_times(choice("erlang", {{"shape", 20}})) == "84797a5497209b48");
    CHECK(
        fingerprint_of_times(choice("hyperexponential", {{"squared_variation", 4.84}}))
        == "30985e9298fef27a"
    );
    CHECK(
        fingerprint_of_times(choice("lognormal", {{"squared_variation", 2.0}}))
        == "aef87638291ac93f"
    );
    CHECK(fingerprint_of_times(choice("weibull", {{"shape", 0.7}})) == "e2b023af3085f9c5");
    CHECK(fingerprint_of_times(choice("gamma", {{"shape", 2.5}})) == "acf0dd328f457d9b");
    CHECK(fingerprint_of_times(choice("pareto", {{"shape", 1.5}})) == "120091a509a8ff6b");
    CHECK(
        fingerprint_of_times(choice("bounded_pareto", {{"shape", 1.1}, {"ratio", 1000.0}}))
        == "abbeee34226a58bb"
    );
    CHECK(
        fingerprint_of_times(choice("truncated_normal", {{"standard_deviation", 0.8}}))
        == "3a12ad3a5834e475"
    );
    CHECK(
        fingerprint_of_times(choice("empirical", {{"values", Value::List{1, 2, 5}}}))
        == "d0f5ad01e80d88c7"
    );
}

TEST_CASE("sizes have the values they always had") {
    CHECK(
        fingerprint_of_sizes(choice("uniform", {{"low", 1}, {"high", 16}})) == "aced5628f8fc36fb"
    );
    CHECK(
        fingerprint_of_sizes(choice("geometric", {{"ratio", 0.9}, {"high", 32}}))
        == "74d67e05bf010208"
    );
    CHECK(
        fingerprint_of_sizes(choice("weights", {{"weights", Value::List{3, 1, 2}}}))
        == "b2c5b7b73cc395c8"
    );
}

}  // namespace schedfarm::engine
