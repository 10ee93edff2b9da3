// `schedfarm run` in this process and nothing else, so that a build with sanitizers needs few of
// the rooms to compare its payload with the program's (same_answer_test.py). usage: run_alone
// CAMPAIGN OUTPUT
#include "app/cli/commands/commands.hpp"
#include "app/cli/explain.hpp"

int main(int argc, char** argv) {
    if (argc != 3) {
        return 2;
    }
    schedfarm::app::RunCommand options;
    options.campaign = argv[1];
    options.output = argv[2];
    options.workers = 0;
    try {
        return static_cast<int>(schedfarm::app::run_command(options, {}));
    } catch (...) {
        return static_cast<int>(schedfarm::app::explain_current_exception());
    }
}
