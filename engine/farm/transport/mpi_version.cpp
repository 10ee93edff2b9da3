#include <array>
#include <string_view>

#include <mpi.h>

#include "engine/farm/farm.hpp"

namespace schedfarm::engine {

std::string mpi_version() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    if (MPI_Get_library_version(text.data(), &length) != MPI_SUCCESS) {
        return "";
    }
    const std::string whole(text.data(), static_cast<std::size_t>(length));
    const std::string first = whole.substr(0, whole.find_first_of(",\n"));  // "Open MPI v4.1.4"
    constexpr std::string_view mpich = "MPICH Version:";
    return first.starts_with(mpich)
               ? "MPICH " + first.substr(first.find_first_not_of(" \t", mpich.size()))
               : first;
}

std::string srun_word() {
#ifdef OPEN_MPI
    return "--mpi=pmix";
#else
    return "--mpi=pmi2";
#endif
}

}  // namespace schedfarm::engine
