// Gang scheduling with push-up and push-down (Wang, Papaefthymiou & Squillante 1997, section 7):
// the idle processors of a slice go to the class with the most jobs in the system. The policy is in
// policies/gang/pushing_gang.cpp.
#include "policies/gang/pushing_gang.hpp"

namespace schedfarm::policies {

engine::PolicyDescription describe_push_both_gang() {
    engine::PolicyDescription description = pushing_gang_description(PushDirection::both);
    description.alternative.name = "push_both_gang";
    description.alternative.summary =
        "Gang scheduling with push-up and push-down: idle processors of a slice go to the "
        "classes with the most jobs first.";
    description.alternative.source = "Wang, Papaefthymiou & Squillante 1997, section 7";
    return description;
}

}  // namespace schedfarm::policies
