// Checked calls of MPI: mpi_call("MPI_Send", MPI_Send(...)) throws MpiError with the library's
// text.
#pragma once

#include <array>
#include <stdexcept>
#include <string>

#include <mpi.h>

namespace schedfarm::engine {

class MpiError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

inline void mpi_call(const char* name, int code) {
    if (code == MPI_SUCCESS) {
        return;
    }
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(code, text.data(), &length);
    throw MpiError(std::string(name) + " failed (" + text.data() + "). Check the MPI job.");
}

}  // namespace schedfarm::engine
