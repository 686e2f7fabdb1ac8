# How every target of the project is built: warnings, sanitizers, ccache, and the verbs that
# the folders' CMakeLists use: project_library, project_room, project_program, project_test, script_test.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Paths begin at the top of the sources, so that a second checkout finds in the compiler cache what the first one compiled.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=true
        CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
endif()

# Files of a target are compiled together, up to so many at a time, because what they share takes most of the time. With 30 the longest unit
# takes a twentieth of the whole on one core; CONTRIBUTING.md tells what that means for who changes one file again and again.
# Each alone, they are compiled with what they include themselves.
option(REFEREE_UNITY "Compile the files of a target together, with the headers that most include compiled once" ON)
set(CMAKE_UNITY_BUILD ${REFEREE_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 30)
if(NOT REFEREE_UNITY)
    set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()

# Where nothing runs within a turn, and in tests, this is enough: GCC compiles it faster than what is not optimised at all. Under
# AddressSanitizer, with Clang, optimising takes longer to compile than it saves when the tests run.
set(a_little_optimised $<$<CONFIG:Release>:-Og>)
if(REFEREE_SANITIZE MATCHES "address")
    set(a_little_optimised "")
endif()

add_library(building INTERFACE)
target_include_directories(building INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(building INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 warns of impossible overlaps and overflows in "text" + std::string (its bug 105651,
    # mended in 13), and of members of a std::variant that is moved as if they were unset.
    target_compile_options(building INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds
                           -Wno-maybe-uninitialized)
endif()
# Links in a quarter of the time of the usual linker, which takes over where this one is missing.
find_program(MOLD_LINKER ld.mold)
if(MOLD_LINKER)
    target_link_options(building INTERFACE -fuse-ld=mold)
endif()
# How these libraries were built: said to all, so that all can share headers that are compiled once.
target_compile_definitions(building INTERFACE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
# Asio's timers know Boost's old dates too, which nobody here needs: their headers are a part of every unit that includes a timer.
target_compile_definitions(building INTERFACE BOOST_ASIO_DISABLE_BOOST_DATE_TIME)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC tidies its memory again and again, a tenth of the time in a large unit. Below so many KiB it need not: the largest
    # unit takes 2 GiB then.
    target_compile_options(building INTERFACE "SHELL:--param ggc-min-heapsize=2000000")
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # Checks that code holds a mutex when it touches what the mutex guards: see referee/net/loop/mutex.h.
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

# share_headers(NAME OPTIMISATION header ...): what most units include of the standard library, and these headers, are compiled once, since to
# read them takes a fifth of the time of everything. Targets of a folder take those that `shared_headers` names there, which are optimised alike.
set(standard_headers <algorithm> <array> <charconv> <chrono> <cmath> <deque> <filesystem> <fstream> <functional> <iostream> <map> <memory>
    <numeric> <optional> <random> <set> <span> <sstream> <string> <thread> <tuple> <unordered_map> <variant> <vector> <fmt/core.h>
    <tl/expected.hpp>)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/headers.cpp CONTENT "")
function(share_headers name optimisation)
    add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/headers.cpp)
    target_link_libraries(${name} PRIVATE building)
    target_compile_options(${name} PRIVATE ${optimisation})
    target_precompile_headers(${name} PRIVATE ${standard_headers} ${ARGN})
endfunction()
share_headers(headers_optimised "")
share_headers(headers_little_optimised "${a_little_optimised}" <boost/asio/any_io_executor.hpp> <boost/asio/awaitable.hpp>
              <boost/asio/co_spawn.hpp> <boost/asio/detached.hpp> <boost/asio/io_context.hpp> <boost/asio/ip/tcp.hpp>
              <boost/asio/post.hpp> <boost/asio/steady_timer.hpp>)
set(shared_headers headers_optimised)

# project_library(NAME SOURCES a.cpp ... [LINK other ...])
function(project_library name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
    add_library(${name} STATIC ${ARG_SOURCES})
    target_link_libraries(${name} PUBLIC building ${ARG_LINK})
    target_precompile_headers(${name} REUSE_FROM ${shared_headers})
    write_links(${name} "$<TARGET_FILE:${name}>")
endfunction()

# project_room(NAME LINK other ... [EXCEPT a.cpp ...]): the library of all source files of the folder, but for some.
function(project_room name)
    cmake_parse_arguments(ARG "" "" "LINK;EXCEPT" ${ARGN})
    file(GLOB_RECURSE sources RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS *.cpp)
    if(ARG_EXCEPT)
        list(REMOVE_ITEM sources ${ARG_EXCEPT})
    endif()
    project_library(${name} SOURCES ${sources} LINK ${ARG_LINK})
    target_include_directories(${name} PRIVATE ${CMAKE_BINARY_DIR}/generated)
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
    target_precompile_headers(${name} REUSE_FROM ${shared_headers})
endfunction()

# Tests run in two lanes, by scripts/test: all that may run beside others, and then the calm ones, each alone on the machine.
# CTest has two slots a core. A program that computes takes two of them; a test that mostly waits, for processes or a network,
# takes one, so that four of these wait at once on two cores. What hangs ends after a while; the few that may take longer say so, and
# under sanitizers, which are some times slower, all may.
set(hang_seconds 240)
set(long_hang_seconds 600)
set(computing_slots 2)
add_custom_target(thread_tests)
add_custom_target(byte_tests)

# project_test(NAME SOURCES a.cpp ... [LINK other ...] [SHARDS number] [LONG] [CALM] [ORDINARY_USER] [THREADS] [BYTES] [INTERPRETERS]):
# a GoogleTest program, which CTest runs as one entry, or as so many shards where it would be the last to end. A test that reads
# files or runs programs finds them by tests/places.h.
# Suites whose names begin with Calm need the machine for themselves: CALM makes of them an entry NAME.calm of their own.
# ORDINARY_USER: an entry NAME.ordinary_user runs it once more as one, where the tests run as root (tests/ordinary_user.py).
# THREADS: a second thread runs in it, so scripts/test --threads builds and runs it under ThreadSanitizer. BYTES: it tests what
# reads strangers' bytes or is dense C++, so scripts/test --bytes does so under the other sanitizers; of its shards half are run
# there in one sample, the others in the next: see tests/sample.py.
function(project_test name)
    cmake_parse_arguments(ARG "LONG;CALM;ORDINARY_USER;THREADS;BYTES;INTERPRETERS" "SHARDS" "SOURCES;LINK" ${ARGN})
    if(ARG_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "project_test(${name}) doesn't know ${ARG_UNPARSED_ARGUMENTS}")
    endif()
    add_executable(${name} ${ARG_SOURCES})
    target_precompile_headers(${name} REUSE_FROM ${shared_headers})
    target_link_libraries(${name} PRIVATE building ${ARG_LINK} test_places test_json GTest::gtest GTest::gmock GTest::gtest_main)

    set(labels)
    if(ARG_THREADS)
        list(APPEND labels threads)
        add_dependencies(thread_tests ${name})
    endif()
    if(ARG_BYTES)
        list(APPEND labels bytes)
        add_dependencies(byte_tests ${name})
    endif()
    if(ARG_INTERPRETERS)
        list(APPEND labels interpreters)
    endif()
    set(seconds ${hang_seconds})
    if(ARG_LONG OR REFEREE_SANITIZE)
        set(seconds ${long_hang_seconds})
    endif()
    if(NOT ARG_SHARDS)
        set(ARG_SHARDS 1)
    endif()
    # What each case did is written as XML, from which scripts/test counts and names those that were skipped.
    set(results ${CMAKE_BINARY_DIR}/test_results)
    math(EXPR last "${ARG_SHARDS} - 1")
    foreach(shard RANGE ${last})
        set(entry ${name})
        if(ARG_SHARDS GREATER 1)
            set(entry ${name}.${shard})
        endif()
        set(command ${name} --gtest_brief=1 --gtest_filter=-*Calm*)
        if(ARG_SHARDS GREATER 1 AND REFEREE_SANITIZE MATCHES "address")
            math(EXPR half "${shard} % 2")
            set(command ${Python3_EXECUTABLE} -B ${CMAKE_SOURCE_DIR}/tests/sample.py ${half} 2 ${entry} $<TARGET_FILE:${name}>
                        --gtest_brief=1 --gtest_filter=-*Calm*)
        endif()
        add_test(NAME ${entry} COMMAND ${command})
        set_tests_properties(${entry} PROPERTIES TIMEOUT ${seconds} SKIP_RETURN_CODE 77 LABELS "${labels}" PROCESSORS ${computing_slots}
            ENVIRONMENT "GTEST_OUTPUT=xml:${results}/${entry}.xml;GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${shard}")
    endforeach()
    if(ARG_ORDINARY_USER)
        add_test(NAME ${name}.ordinary_user COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_SOURCE_DIR}/tests/ordinary_user.py
                 $<TARGET_FILE:${name}> --gtest_brief=1 --gtest_filter=-*Calm*)
        set_tests_properties(${name}.ordinary_user PROPERTIES TIMEOUT ${seconds} SKIP_RETURN_CODE 77 PROCESSORS ${computing_slots}
                             ENVIRONMENT "GTEST_OUTPUT=xml:${results}/${name}.ordinary_user.xml")
    endif()
    if(ARG_CALM)
        add_test(NAME ${name}.calm COMMAND ${name} --gtest_brief=1 --gtest_filter=*Calm*)
        set_tests_properties(${name}.calm PROPERTIES TIMEOUT ${seconds} LABELS "${labels};calm" RUN_SERIAL ON
                             ENVIRONMENT "GTEST_OUTPUT=xml:${results}/${name}.calm.xml")
    endif()
endfunction()

# script_test(NAME COMMAND word ... [COST seconds] [LONG] [CALM] [SAMPLED index of] [LABELS label ...] [ENVIRONMENT NAME=value ...]):
# a test that drives built programs from outside. It skips by ending with 77. COST is what it takes, where that is long: the dearest
# begin first. SAMPLED: it runs in one sample of so many, and in whole runs: see tests/sample.py.
function(script_test name)
    cmake_parse_arguments(ARG "LONG;CALM" "COST" "COMMAND;SAMPLED;LABELS;ENVIRONMENT" ${ARGN})
    if(ARG_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "script_test(${name}) doesn't know ${ARG_UNPARSED_ARGUMENTS}")
    endif()
    if(ARG_SAMPLED)
        set(ARG_COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_SOURCE_DIR}/tests/sample.py ${ARG_SAMPLED} ${name} ${ARG_COMMAND})
    endif()
    add_test(NAME ${name} COMMAND ${ARG_COMMAND})
    set(seconds ${hang_seconds})
    if(ARG_LONG)
        set(seconds ${long_hang_seconds})
    endif()
    set(programs "REFEREE_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY};REFEREE_SOURCE=${CMAKE_SOURCE_DIR};REFEREE_BUILD=${CMAKE_BINARY_DIR}")
    set_tests_properties(${name} PROPERTIES TIMEOUT ${seconds} SKIP_RETURN_CODE 77 ENVIRONMENT "${programs};${ARG_ENVIRONMENT}")
    if(ARG_COST)
        set_tests_properties(${name} PROPERTIES COST ${ARG_COST})
    endif()
    if(ARG_CALM)
        list(APPEND ARG_LABELS calm)
        set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
    endif()
    set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}")
endfunction()
