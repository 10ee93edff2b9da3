# Language level, warnings and code generation, on one interface target that every room links.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

add_library(schedfarm_options INTERFACE)
# No contraction: a multiply-add fused on one node and not on another would change results.
target_compile_options(
    schedfarm_options
    INTERFACE -ffp-contract=off -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion
              -Wnon-virtual-dtor -Woverloaded-virtual $<IF:$<BOOL:${SCHEDFARM_UNITY}>,-Wshadow=local,-Wshadow>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC bug 105651: false alarms in std::string's operator+ at -O3.
    target_compile_options(schedfarm_options INTERFACE -Wno-restrict)
endif()
# Messages name sources from the root of their tree on, wherever they were compiled. A compiler cache makes paths
# relative itself, but in files of a room that are compiled together, and would keep the objects of every tree apart.
if(SCHEDFARM_UNITY OR NOT CMAKE_CXX_COMPILER_LAUNCHER)
    target_compile_options(schedfarm_options INTERFACE -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
endif()
target_include_directories(schedfarm_options INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
if(SCHEDFARM_WERROR)
    target_compile_options(schedfarm_options INTERFACE -Werror)
endif()
if(SCHEDFARM_SANITIZE)
    set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    # Not optimised, and without what docs/decisions/0049 names: less than half the time to compile.
    target_compile_options(schedfarm_options INTERFACE ${sanitizers} -fno-sanitize=null,alignment,vptr -g1)
    target_link_options(schedfarm_options INTERFACE ${sanitizers})
endif()
