# Run at build time: writes what program this is, only when it changed.
execute_process(COMMAND git -C ${SOURCE_DIR} rev-parse HEAD
                OUTPUT_VARIABLE SCHEDFARM_GIT_REVISION OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
execute_process(COMMAND git -C ${SOURCE_DIR} status --porcelain --untracked-files=no
                OUTPUT_VARIABLE changes OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(SCHEDFARM_GIT_REVISION STREQUAL "")
    set(SCHEDFARM_GIT_REVISION "unknown")
endif()
set(SCHEDFARM_GIT_DIRTY 0)
if(NOT changes STREQUAL "")
    set(SCHEDFARM_GIT_DIRTY 1)
endif()
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
