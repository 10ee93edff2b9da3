// write_example file FILE    writes the example results, for tests in other languages and samples
#include <iostream>
#include <string_view>

#include "results_schema/result_io.hpp"

#include "tests/results_schema/example_job_log.hpp"

int main(int argc, char** argv) {
    using namespace schedfarm;  // NOLINT(google-build-using-namespace)
    if (argc == 3 && std::string_view(argv[1]) == "file") {
        results_schema::write_results(
            argv[2], tests::logged_results(), tests::source_of({tests::example_job_log()})
        );
        return 0;
    }
    std::cerr << "usage: write_example file FILE\n";
    return 2;
}
