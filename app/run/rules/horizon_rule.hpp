// Cells that are compared share the longest horizon that any of them needs, and with it their
// random numbers. Each keeps its own stop rule. Only when all of them have ended, or want to begin
// anew, is it decided whether they do, so that nothing depends on which is computed first.
#pragma once

#include "app/run/rules/group_rule.hpp"

namespace schedfarm::app {

class HorizonRule final : public GroupRule {
  public:
    using GroupRule::GroupRule;

    void advance() override;
};

}  // namespace schedfarm::app
