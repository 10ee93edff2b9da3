# Functions have ways for several processors (engine/foundation/cpu_dispatch.hpp). These run all of them on a new one:
# a program is linked again, of the same objects, so that it finds an older processor. Nothing is compiled again.
set(SCHEDFARM_CPU_DISPATCH OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(SCHEDFARM_CPU_DISPATCH ON)
endif()

# schedfarm_older_processors(<program>)
# Adds <program>_avx2, which finds a processor without AVX-512, and <program>_plain, which finds one without AVX2.
function(schedfarm_older_processors program)
    if(NOT SCHEDFARM_CPU_DISPATCH)
        return()
    endif()
    get_target_property(libraries ${program} LINK_LIBRARIES)
    foreach(processor IN ITEMS avx2 plain)
        add_executable(${program}_${processor} $<TARGET_OBJECTS:${program}>)
        target_link_libraries(${program}_${processor} PRIVATE older_processor_${processor} ${libraries})
        set_target_properties(${program}_${processor} PROPERTIES LINKER_LANGUAGE CXX)
    endforeach()
endfunction()

# schedfarm_test_on_older_processors(<test program> [doctest arguments])
# Runs a test program of this folder once more on each of them.
function(schedfarm_test_on_older_processors name)
    schedfarm_older_processors(${name})
    if(NOT SCHEDFARM_CPU_DISPATCH)
        return()
    endif()
    foreach(processor IN ITEMS avx2 plain)
        set(test "${name}: on a processor of kind ${processor}")
        add_test(NAME ${test} COMMAND ${name}_${processor} ${ARGN})
        set_tests_properties(${test} PROPERTIES LABELS unit TIMEOUT 600 ENVIRONMENT SCHEDFARM_NEWEST_WAY=${processor})
    endforeach()
endfunction()
