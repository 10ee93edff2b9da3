// write_example file FILE    writes the example results, for tests in other languages and samples
// write_example markdown     prints the generated part of SCHEMA.md
#include <iostream>
#include <string_view>

#include "results_schema/result_io.hpp"

#include "tests/results_schema/example_job_log.hpp"
#include "tests/results_schema/schema_markdown.hpp"

int main(int argc, char** argv) {
    using namespace schedfarm;  // NOLINT(google-build-using-namespace)
    if (argc == 3 && std::string_view(argv[1]) == "file") {
        results_schema::write_results(
            argv[2], tests::logged_results(), tests::source_of({tests::example_job_log()})
        );
        return 0;
    }
    if (argc == 2 && std::string_view(argv[1]) == "markdown") {
        std::cout << tests::schema_markdown();
        return 0;
    }
    std::cerr << "usage: write_example file FILE | write_example markdown\n";
    return 2;
}
