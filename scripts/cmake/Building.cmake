# How every target of the project is built: warnings, sanitizers, ccache, and three verbs that
# the folders' CMakeLists use: project_library, project_program, project_test.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Paths begin at the top of the sources, so that a second checkout finds in the compiler cache what the first one compiled.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=true
        ${CCACHE_PROGRAM})
endif()

# Files of a target are compiled together, up to so many at a time, because what they share takes most of the time. With
# 30 the longest unit takes a twentieth of the whole on one core; CONTRIBUTING.md tells what that means for who changes one
# file again and again.
option(REFEREE_UNITY "Compile the files of a target together" ON)
set(CMAKE_UNITY_BUILD ${REFEREE_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 30)

add_library(building INTERFACE)
target_include_directories(building INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(building INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 warns of impossible overlaps and overflows in "text" + std::string (its bug 105651,
    # mended in 13), and of members of a std::variant that is moved as if they were unset.
    target_compile_options(building INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds
                           -Wno-maybe-uninitialized)
endif()
# Asio's timers know Boost's old dates too, which nobody here needs: their headers are a part of every unit that includes a timer.
target_compile_definitions(building INTERFACE BOOST_ASIO_DISABLE_BOOST_DATE_TIME)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC tidies its memory again and again, a tenth of the time in a large unit. Below so many KiB it need not: the largest
    # unit takes 1.1 GiB then, instead of 0.9.
    target_compile_options(building INTERFACE "SHELL:--param ggc-min-heapsize=2000000")
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # Checks that code holds a mutex when it touches what the mutex guards: see referee/connections/runtime/mutex.h.
    target_compile_options(building INTERFACE -Wthread-safety)
endif()
if(REFEREE_WERROR)
    target_compile_options(building INTERFACE -Werror)
endif()
if(REFEREE_SANITIZE)
    target_compile_options(building INTERFACE -fsanitize=${REFEREE_SANITIZE}
                           -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(building INTERFACE -fsanitize=${REFEREE_SANITIZE})
    if(REFEREE_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(building INTERFACE -Wno-tsan)
    endif()
    if(REFEREE_SANITIZE MATCHES "undefined" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        # Clang 14 can't compile a coroutine with it.
        target_compile_options(building INTERFACE -fno-sanitize=function)
    endif()
endif()

# project_library(NAME SOURCES a.cpp ... [LINK other ...])
function(project_library name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
    add_library(${name} STATIC ${ARG_SOURCES})
    target_link_libraries(${name} PUBLIC building ${ARG_LINK})
    write_links(${name} "$<TARGET_FILE:${name}>")
endfunction()

# What a library links, a line each behind its archive, for tests/links_test.py.
function(write_links name archive)
    file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/links/${name}
         CONTENT "${archive}\n$<JOIN:$<TARGET_PROPERTY:${name},INTERFACE_LINK_LIBRARIES>,\n>\n")
endfunction()

# project_program(NAME SOURCES a.cpp ... [LINK other ...])
function(project_program name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
    add_executable(${name} ${ARG_SOURCES})
    target_link_libraries(${name} PRIVATE building ${ARG_LINK})
endfunction()

# project_test(NAME SOURCES a.cpp ... [LINK other ...] [TIMEOUT seconds] [LABELS label] [OPTIMISED]): a GoogleTest program
# whose cases CTest lists one by one. A test that reads files or runs programs finds them by tests/places.h. A test's own
# code is not optimised, which halves the time to compile it; one that computes much itself says OPTIMISED, and is a little.
# The label `threads` is for tests in which a second thread runs: scripts/test --threads builds these alone,
# by the target thread_tests, and runs them under ThreadSanitizer.
add_custom_target(thread_tests)
# A limit ends what hangs, and nothing else: under a sanitizer, on a busy machine, a test may take thirty times what it takes.
set(hang_seconds 300)
if(REFEREE_SANITIZE)
    set(hang_seconds 900)
endif()
function(project_test name)
    cmake_parse_arguments(ARG "OPTIMISED" "TIMEOUT;LABELS" "SOURCES;LINK" ${ARGN})
    if(NOT ARG_TIMEOUT OR ARG_TIMEOUT LESS hang_seconds)
        set(ARG_TIMEOUT ${hang_seconds})
    endif()
    if(ARG_LABELS STREQUAL "threads")
        add_dependencies(thread_tests ${name})
    endif()
    add_executable(${name} ${ARG_SOURCES})
    if(ARG_OPTIMISED)
        target_compile_options(${name} PRIVATE -O1)
    else()
        target_compile_options(${name} PRIVATE -O0)
    endif()
    target_link_libraries(${name} PRIVATE building ${ARG_LINK} test_places test_json GTest::gtest GTest::gmock GTest::gtest_main)
    gtest_discover_tests(${name} NO_PRETTY_VALUES DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                         TEST_PREFIX "${name}." PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
endfunction()
