// The sections that hold what a paper says against what is measured.
#include "app/config/schema/schema_rows.hpp"

namespace schedfarm::app {

namespace {

using engine::ParameterType;

engine::ParameterDescription claim_part(std::string name, std::string meaning) {
    return with_default(text_key(std::move(name), std::move(meaning)), "");
}

Section claims_section() {
    return SectionBuilder(
               "claims",
               "What a paper says in words, held against the replications. `schedfarm report` "
               "prints "
               "the table of claims; asking for it changes no replication."
    )
        .add(with_default(probability_key("confidence", "confidence level of every claim", 0), 0.95)
        )
        .add(
            claim_part(
                "quantities", "numbers made of the observations of every single replication"
            ),
            "mapping of names to expressions of observed columns; with `[class]` behind a column: "
            "one number for each job class, of its jobs in all replications"
        )
        .add(
            claim_part("names", "abbreviations for the values of claims"),
            "mapping of names to expressions, or to lists of numbers, one for each job class"
        )
        .add(claim_part("list", "the claims"), "list of sections `claims.list`")
        .build();
}

Section claim_section() {
    return SectionBuilder(
               "claims.list",
               "One claim. `value` is an expression of the means of quantities over the "
               "replications, with the interval of the jackknife; it is measured in every "
               "combination of the values in `in`. Exactly one of `above`, `below` and `between`."
    )
        .add(text_key("id", "short name of the claim"))
        .add(text_key("paper", "the paper's sentence"))
        .add(claim_part("where", "section of the paper"))
        .add(claim_part("printed", "the paper's number, or direction"))
        .add(text_key("value", "what is measured"), "expression")
        .add(
            claim_part("in", "where it is measured"),
            "mapping of factors, or `class`, to a value, a list of values, or `all` levels"
        )
        .add_optional(real_key("above", "the claim is that the value is greater", {}))
        .add_optional(real_key("below", "the claim is that the value is smaller", {}))
        .add_optional(
            {.name = "between",
             .meaning = "the claim is that the value is neither smaller nor greater than these",
             .type = ParameterType::real_list},
            "list of two numbers"
        )
        .add(with_default(
            word_key("needs", "where it must be so", {"every", "most", "some"}), "every"
        ))
        .add(with_default(
            word_key(
                "expect", "what a good reading of the paper gives", {"holds", "does not hold"}
            ),
            "holds"
        ))
        .add(claim_part("note", "what is known about it"))
        .build();
}

}  // namespace

std::vector<Section> claim_sections() {
    return {claims_section(), claim_section()};
}

}  // namespace schedfarm::app
