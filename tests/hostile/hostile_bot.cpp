// A bot that means harm. hostile_bot ATTEMPT ARGUMENTS... tries one thing and tells what came of
// it.

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/hostile/attempt.h"

namespace {

struct Attempt {
    std::string_view name;
    void (*run)(const hostile::Arguments&);
    std::size_t arguments_min;
};

constexpr auto attempts = std::to_array<Attempt>({
    {"fork_many", hostile::fork_many, 1},
    {"take_memory_alone", hostile::take_memory_alone, 1},
    {"take_memory_together", hostile::take_memory_together, 2},
    {"take_shared_memory", hostile::take_shared_memory, 1},
    {"leave_daemons", hostile::leave_daemons, 0},
    {"linger", hostile::linger, 0},
    {"stop_itself", hostile::stop_itself, 0},
    {"burn", hostile::burn, 2},
    {"answer_turns", hostile::answer_turns, 1},
    {"flood", hostile::flood, 2},
    {"list_descriptors", hostile::list_descriptors, 0},
    {"touch_process", hostile::touch_process, 1},
    {"touch_parent", hostile::touch_parent, 0},
    {"look_at_parent", hostile::look_at_parent, 0},
    {"look_at_processes", hostile::look_at_processes, 1},
    {"move_between_groups", hostile::move_between_groups, 1},
    {"read_files", hostile::read_files, 1},
    {"change_files", hostile::change_files, 1},
    {"fill_bytes", hostile::fill_bytes, 2},
    {"fill_files", hostile::fill_files, 2},
    {"leave_files", hostile::leave_files, 2},
    {"find_files", hostile::find_files, 2},
    {"write_anywhere", hostile::write_anywhere, 0},
    {"dial", hostile::dial, 1},
    {"redial", hostile::redial, 1},
});

}  // namespace

int main(int argument_count, char** arguments) {
    ::alarm(hostile::life_seconds_max);
    if (argument_count < 2) return EXIT_FAILURE;
    const std::string_view name = arguments[1];
    const hostile::Arguments rest(arguments + 2, arguments + argument_count);
    for (const Attempt& attempt : attempts) {
        if (attempt.name != name || rest.size() < attempt.arguments_min) continue;
        attempt.run(rest);
        hostile::tell("end", 0);
        return EXIT_SUCCESS;
    }
    std::fprintf(stderr, "unknown attempt, or too few arguments: %s\n", arguments[1]);
    return EXIT_FAILURE;
}
