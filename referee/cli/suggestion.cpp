#include "referee/cli/suggestion.h"

#include <algorithm>

#include "protocol/base/near.h"

namespace referee::cli {
namespace {

using Commands = std::vector<const CLI::App*>;  // from the program down to the command

std::vector<std::string> names_of_commands(const CLI::App& command) {
    std::vector<std::string> names;
    for (const auto* below : command.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(below->get_name());
    return names;
}

std::vector<std::string> names_of_options(const Commands& commands) {
    std::vector<std::string> names;
    for (const auto* command : commands) {
        for (const auto* option : command->get_options()) {
            for (const auto& name : option->get_lnames()) names.push_back("--" + name);
        }
    }
    return names;
}

std::string did_you_mean(const Commands& commands, const std::string& name) {
    std::string line;
    for (const auto* command : commands) line += command->get_name() + ' ';
    return "did you mean `" + line + name + "`?";
}

bool takes_subcommands(const CLI::App& command) {
    return !names_of_commands(command).empty();
}

}  // namespace

std::string suggestion_for(const CLI::App& program, const std::vector<std::string>& arguments) {
    Commands commands{&program};
    for (const auto& argument : arguments) {
        if (argument == "--") return {};
        if (argument.starts_with("--")) {
            const auto name = argument.substr(0, argument.find('='));
            const auto known = names_of_options(commands);
            if (std::find(known.begin(), known.end(), name) != known.end()) continue;
            const auto near = base::nearest(name, known);
            if (!near.empty()) return did_you_mean(commands, near);
            continue;
        }
        const auto& command = *commands.back();
        if (argument.starts_with("-") || !takes_subcommands(command)) continue;
        const auto known = names_of_commands(command);
        if (std::find(known.begin(), known.end(), argument) != known.end()) {
            commands.push_back(command.get_subcommand(argument));
            continue;
        }
        const auto near = base::nearest(argument, known);
        if (!near.empty()) return did_you_mean(commands, near);
    }
    return {};
}

}  // namespace referee::cli
