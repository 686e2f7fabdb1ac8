// A bot that means harm. hostile_bot ATTEMPT ARGUMENTS... tries one thing and tells what came of
// it.

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/hostile/attempt.h"

int main(int argument_count, char** arguments) {
    ::alarm(hostile::life_seconds_max);
    if (argument_count < 2) return EXIT_FAILURE;
    const std::string_view name = arguments[1];
    const hostile::Arguments rest(arguments + 2, arguments + argument_count);
    for (const auto actions : {hostile::actions_on_processes(), hostile::actions_on_others(),
                               hostile::actions_on_files(), hostile::actions_on_network()}) {
        for (const hostile::Action& action : actions) {
            if (action.name != name || rest.size() < action.arguments_min) continue;
            action.run(rest);
            hostile::tell("end", 0);
            return EXIT_SUCCESS;
        }
    }
    std::fprintf(stderr, "unknown attempt, or too few arguments: %s\n", arguments[1]);
    return EXIT_FAILURE;
}
