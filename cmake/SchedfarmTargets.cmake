# What a whole build spends most of its time on is reading headers: `files` at a time read them once.
function(schedfarm_unity target files)
    if(SCHEDFARM_UNITY)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${files})
    endif()
endfunction()

# Sources whose unnamed namespaces hold the names of a neighbour's, or that must be compiled alone to be fast.
function(schedfarm_compile_alone)
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# schedfarm_room(<name> SOURCES ... [LINK ...])
# One library per folder. A room without sources of its own is an interface target.
function(schedfarm_room name)
    cmake_parse_arguments(room "" "" "SOURCES;LINK" ${ARGN})
    if(room_SOURCES)
        add_library(${name} STATIC ${room_SOURCES})
        target_link_libraries(${name} PUBLIC schedfarm_options ${room_LINK})
        schedfarm_unity(${name} 32)
    else()
        add_library(${name} INTERFACE)
        target_link_libraries(${name} INTERFACE schedfarm_options ${room_LINK})
    endif()
endfunction()

# For what reads, writes and arranges: no loop in it is hot, and it compiles faster by a half.
function(schedfarm_optimize_lightly)
    foreach(target IN LISTS ARGN)
        target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Og>)
    endforeach()
endfunction()

# schedfarm_catalogue(<output.cpp> <template> <description type> <name>...)
# Generates the list of the describe_<name>() functions of a folder from the names given.
function(schedfarm_catalogue output template type)
    set(CATALOGUE_DECLARATIONS "")
    list(TRANSFORM ARGN PREPEND describe_ OUTPUT_VARIABLE CATALOGUE_NAMES)
    list(JOIN CATALOGUE_NAMES ", " CATALOGUE_NAMES)
    foreach(name IN LISTS ARGN)
        string(APPEND CATALOGUE_DECLARATIONS "${type} describe_${name}();\n")
    endforeach()
    configure_file(${template} ${output} @ONLY)
endfunction()

# schedfarm_test(<name> SOURCES ... [LINK ...] [LABELS ...] [ENVIRONMENT VARIABLE=value ...] [TIMEOUT seconds])
# A doctest program; every test case becomes a ctest entry with the labels given. One that exits with 77 after
# a line "skipped: reason" is counted as skipped.
function(schedfarm_test name)
    cmake_parse_arguments(test "" "TIMEOUT" "SOURCES;LINK;LABELS;ENVIRONMENT" ${ARGN})
    if(NOT test_LABELS)
        set(test_LABELS unit)
    endif()
    if(NOT test_TIMEOUT)
        set(test_TIMEOUT 600)
    endif()
    add_executable(${name} ${test_SOURCES})
    target_link_libraries(${name} PRIVATE schedfarm_test_main ${test_LINK})
    schedfarm_optimize_lightly(${name})
    schedfarm_unity(${name} 16)
    # One word: of a list, discovery would take all but the first for properties, and their values for others.
    list(JOIN test_LABELS "," labels)
    set(environment "")
    if(test_ENVIRONMENT)
        set(environment ENVIRONMENT "${test_ENVIRONMENT}")
    endif()
    doctest_discover_tests(
        ${name}
        TEST_PREFIX "${name}: "
        PROPERTIES LABELS "${labels}" TIMEOUT ${test_TIMEOUT} SKIP_RETURN_CODE 77 ${environment})
endfunction()

# schedfarm_sanitized_test(<name> <sentence> [VARIABLE=value ...])
# Runs a test program of this folder once more, whole, as the build with sanitizers has it, if there is one; there it
# is a part of the target sanitized_programs.
function(schedfarm_sanitized_test name sentence)
    add_dependencies(sanitized_programs ${name})
    if(SCHEDFARM_SANITIZED_BUILD)
        file(RELATIVE_PATH folder ${PROJECT_BINARY_DIR} ${CMAKE_CURRENT_BINARY_DIR})
        set(test "${name}: ${sentence} under AddressSanitizer and UndefinedBehaviorSanitizer")
        add_test(NAME ${test} COMMAND ${SCHEDFARM_SANITIZED_BUILD}/${folder}/${name})
        set_tests_properties(
            ${test} PROPERTIES LABELS sanitized TIMEOUT 900 COST 900 ENVIRONMENT "ASAN_OPTIONS=fast_unwind_on_malloc=1;${ARGN}")
    endif()
endfunction()

# Stops the configure step when a *_test.cpp below this folder belongs to no test program.
function(schedfarm_expect_registered)
    file(GLOB_RECURSE present RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS *_test.cpp)
    set(registered "")
    schedfarm_collect_sources(${CMAKE_CURRENT_SOURCE_DIR} registered)
    foreach(file IN LISTS present)
        if(NOT "${CMAKE_CURRENT_SOURCE_DIR}/${file}" IN_LIST registered)
            message(FATAL_ERROR "tests/${file} is registered in no schedfarm_test(): it would never run.")
        endif()
    endforeach()
endfunction()

function(schedfarm_collect_sources folder result)
    set(found ${${result}})
    get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
        get_target_property(type ${target} TYPE)
        if(type STREQUAL "EXECUTABLE")
            get_target_property(sources ${target} SOURCES)
            foreach(source IN LISTS sources)
                cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder} NORMALIZE)
                list(APPEND found ${source})
            endforeach()
        endif()
    endforeach()
    get_property(children DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
    foreach(child IN LISTS children)
        schedfarm_collect_sources(${child} found)
    endforeach()
    set(${result} ${found} PARENT_SCOPE)
endfunction()
