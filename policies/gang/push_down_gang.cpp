// Gang scheduling with push-down (Wang, Papaefthymiou & Squillante 1997, section 2.4): the idle
// processors of a slice go to smaller classes. The policy is in policies/gang/pushing_gang.cpp.
#include "policies/gang/pushing_gang.hpp"

namespace schedfarm::policies {

engine::PolicyDescription describe_push_down_gang() {
    engine::PolicyDescription description = pushing_gang_description(PushDirection::down);
    description.alternative.name = "push_down_gang";
    description.alternative.summary =
        "Gang scheduling with push-down: idle processors of a slice run bound jobs of "
        "smaller classes.";
    description.alternative.source = "Wang, Papaefthymiou & Squillante 1997, section 2.4";
    return description;
}

}  // namespace schedfarm::policies
