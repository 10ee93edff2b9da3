# Everything comes from the distribution's packages; nothing is fetched.
set(HDF5_PREFER_PARALLEL FALSE)
find_package(MPI REQUIRED COMPONENTS C)
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(ZLIB REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
if(SCHEDFARM_TESTS)
    find_package(doctest REQUIRED)
endif()

add_library(schedfarm_mpi INTERFACE)
target_link_libraries(schedfarm_mpi INTERFACE MPI::MPI_C)
# Without these the removed C++ bindings are linked in.
target_compile_definitions(schedfarm_mpi INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
