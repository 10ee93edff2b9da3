#include "app/config/time_unit.hpp"

#include <doctest/doctest.h>

using schedfarm::app::is_in_seconds;
using schedfarm::app::registered_catalogues;

namespace {

bool told_in_seconds(const char* workload) {
    return is_in_seconds(workload, registered_catalogues());
}

}  // namespace

TEST_CASE("a workload of a result file says whether its times are seconds") {
    CHECK(told_in_seconds("lublin_feitelson"));
    CHECK(told_in_seconds("{lublin_feitelson: {days: 3.0}}"));
    CHECK(told_in_seconds("{trace: {file: \"no such.swf\", resampling: users}}"));
    CHECK(!told_in_seconds("{coallocation: {components: 2}}"));
    CHECK(!told_in_seconds("feitelson_96"));
    // Of a version, the model inside says it.
    CHECK(told_in_seconds("{moldable_version: {rigid: {trace: {file: x.swf}}}}"));
    CHECK(!told_in_seconds("{moldable_version: {rigid: feitelson_96}}"));
    CHECK(!told_in_seconds("moldable_version"));
    // Of clusters with workloads of their own, all of these.
    CHECK(told_in_seconds("{federation: {homes: [lublin_feitelson, {trace: {file: x.swf}}]}}"));
    CHECK(!told_in_seconds("{federation: {homes: [lublin_feitelson, feitelson_96]}}"));
    // What this program does not know.
    CHECK(!told_in_seconds("{yonder: {}}"));
    CHECK(!told_in_seconds("{"));
    CHECK(!told_in_seconds(""));
}

TEST_CASE("every model's examples have in text the unit that their parameters have") {
    for (const auto& model : registered_catalogues().models) {
        for (const auto& example : model.examples) {
            const schedfarm::engine::Choice choice{model.alternative.name, example.parameters};
            CAPTURE(choice.text());
            const bool wanted = model.is_in_seconds && model.is_in_seconds(example.parameters);
            CHECK(is_in_seconds(choice.text(), registered_catalogues()) == wanted);
        }
    }
}
