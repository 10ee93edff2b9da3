// Gang scheduling with push-up (Wang, Papaefthymiou & Squillante 1997, section 7): idle siblings
// of a slice combine for larger classes. The policy is in policies/gang/pushing_gang.cpp.
#include "policies/gang/pushing_gang.hpp"

namespace schedfarm::policies {

engine::PolicyDescription describe_push_up_gang() {
    engine::PolicyDescription description = pushing_gang_description(PushDirection::up);
    description.alternative.name = "push_up_gang";
    description.alternative.summary =
        "Gang scheduling with push-up: idle siblings of a slice combine for jobs of larger "
        "classes.";
    description.alternative.source = "Wang, Papaefthymiou & Squillante 1997, section 7";
    return description;
}

}  // namespace schedfarm::policies
