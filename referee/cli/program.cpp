#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <string_view>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "referee/cli/commands.h"
#include "referee/config/read_config.h"
#include "referee/config/read_values.h"
#include "referee/files/file.h"
#include "referee/files/log/log.h"
#include "referee/net/loop/process_resources.h"
#include "referee/version.h"

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
    return "did you mean `" + base::joined(commands, " ", &CLI::App::get_name) + ' ' + name + "`?";
}

// Null where none of the commands has it.
const CLI::Option* option_named(const Commands& commands, const std::string& name) {
    for (const auto* command : commands)
        if (const auto* option = command->get_option_no_throw(name); option != nullptr)
            return option;
    return nullptr;
}

// "`frob` is no command of `referee ctl`", with the command that was meant: the nearest, or one of
// that name below another; or with all that there are.
std::string no_command(const Commands& commands, const std::string& word) {
    const auto line = base::joined(commands, " ", &CLI::App::get_name);
    const auto told = base::quoted(word) + " is no command of `" + line + "`; ";
    const auto& last = *commands.back();
    const auto known = names_of_commands(last);
    if (const auto near = base::nearest(word, known); !near.empty())
        return told + did_you_mean(commands, near);
    for (const auto& name : known) {
        auto below = commands;
        below.push_back(last.get_subcommand(name));
        if (base::contains(names_of_commands(*below.back()), word))
            return told + did_you_mean(below, word);
    }
    // Also by what it does: "Annul a game that was played".
    for (const auto& name : known) {
        auto does = last.get_subcommand(name)->get_description();
        does = CLI::detail::to_lower(does.substr(0, does.find(' ')));
        if (does == word) return told + did_you_mean(commands, name);
    }
    std::vector<std::string> listed;
    for (const auto& name : known)
        if (!last.get_subcommand(name)->get_group().empty()) listed.push_back(name);
    return told + "expected one of " + base::joined(listed);
}

// What is wrong with a command or an option that isn't there; empty where all are. `arguments` are
// those behind the program's name.
struct Mistyped {
    std::string option{};   // "did you mean `referee play --seat`?"
    std::string command{};  // what no_command() says
};
Mistyped mistyped_in(const CLI::App& program, const std::vector<std::string>& arguments) {
    Commands commands{&program};
    for (auto argument = arguments.begin(); argument != arguments.end(); ++argument) {
        if (*argument == "--") return {};
        const auto& command = *commands.back();
        if (argument->starts_with("-")) {
            const auto name = argument->substr(0, argument->find('='));
            const auto* option = option_named(commands, name);
            if (option == nullptr) {
                const auto near = base::nearest(name, names_of_options(commands));
                return {.option = near.empty() ? "" : did_you_mean(commands, near)};
            }
            const bool has_value_behind = option->get_items_expected_min() > 0 && name == *argument;
            if (has_value_behind && std::next(argument) != arguments.end()) ++argument;
            continue;
        }
        const auto known = names_of_commands(command);
        if (known.empty()) continue;
        if (!base::contains(known, *argument)) return {.command = no_command(commands, *argument)};
        commands.push_back(command.get_subcommand(*argument));
    }
    return {};
}

// "--text: expected a whole number such as 12, found abc", which CLI11 says as "Could not convert:
// --text = abc"; empty where another thing is wrong. All options that are numbers are whole ones.
std::string no_number(const CLI::App& program, const CLI::ParseError& error) {
    const std::string told = error.what();
    const auto colon = told.find(": ");
    const auto sign = told.find(" = ");
    if (error.get_name() != "ConversionError" || colon > sign || sign == told.npos) return {};
    Commands commands{&program};
    while (!commands.back()->get_subcommands().empty())
        commands.push_back(commands.back()->get_subcommands().front());
    const auto name = told.substr(colon + 2, sign - colon - 2);
    const auto* option = option_named(commands, name);
    if (option == nullptr || option->get_items_expected_max() == 0) return {};  // a flag
    return name + ": expected a whole number such as 12, found " +
           base::visible_line(told.substr(sign + 3));
}

// What was printed must have arrived, or it is the machine's trouble; a pager that was closed is
// not.
int status_of_output(int status) {
    std::cout.flush();
    if (std::cout) return status;
    pollfd output = {STDOUT_FILENO, 0, 0};
    const bool reader_is_gone = poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
    if (reader_is_gone) return status;
    return refuse("the standard output can't be written",
                  status == exit_done ? exit_trouble : status);
}

struct Command {
    std::string_view name;
    void (*add)(CLI::App&, int&);
    const char* readers;  // what the help says above them
};
constexpr const char* for_students = "Commands for students";
constexpr const char* for_instructors = "Commands for instructors";
constexpr const char* for_machinery = "Commands for courses' machinery";
// In the order in which the help lists them.
constexpr std::array<Command, 25> all_commands{{
    {"new-bot", add_new_bot_command, for_students},
    {"play", add_play_command, for_students},
    {"check-bot", add_check_bot_command, for_students},
    {"connect", add_connect_command, for_students},
    {"submit", add_submit_command, for_students},
    {"view", add_view_command, for_students},
    {"explain", add_explain_command, for_students},
    {"review", add_review_command, for_students},
    {"fork", add_fork_command, for_students},
    {"run", add_run_command, for_instructors},
    {"serve", add_serve_command, for_instructors},
    {"ctl", add_ctl_command, for_instructors},
    {"check", add_check_command, for_instructors},
    {"roster", add_roster_command, for_instructors},
    {"collect", add_collect_command, for_instructors},
    {"build", add_build_command, for_instructors},
    {"rubric", add_rubric_command, for_instructors},
    {"grade", add_grade_command, for_instructors},
    {"gradebook", add_gradebook_command, for_instructors},
    {"hall-of-fame", add_hall_command, for_instructors},
    {"maps", add_maps_command, for_instructors},
    {"store", add_store_command, for_machinery},
    {"trf", add_trf_command, for_machinery},
    {"trace", add_trace_command, for_machinery},
    {"job", add_job_command, ""},  // started by other programs: listed nowhere
}};

// Making all commands takes as long as many a command works: one that is named first stands alone.
void add_commands(CLI::App& app, int& status, std::string_view first) {
    const bool is_named = base::contains(all_commands, first, &Command::name);
    for (const auto& [name, add, readers] : all_commands) {
        if (is_named && name != first) continue;
        auto& command = *app.add_subcommand(std::string(name));
        add(command, status);
        command.group(readers);  // now, or those below it would be listed so too
    }
}

}  // namespace

std::string command_line(const CLI::App& command) {
    auto line = command.get_parent()->get_name() + ' ' + command.get_name();
    for (const auto* option : command.get_options()) {
        const bool is_flag = option->get_expected_max() == 0;
        for (const auto& value : option->results()) {
            if (option->nonpositional()) line += ' ' + option->get_name();
            if (!is_flag) line += ' ' + base::shell_word(value);
        }
    }
    return line;
}

void add_unsandboxed(CLI::App& command, bool& unsandboxed) {
    command.add_flag("--unsandboxed", unsandboxed,
                     "Launch bots without a sandbox. Each of them can then read and change what "
                     "you can: your files, the results, the other bots; of root, the machine. Only "
                     "for programs that you trust as yourself");
}

base::Result<std::vector<std::string>, std::string> absolute_reads(
    const std::vector<std::string>& paths, const std::string& folder) {
    std::vector<std::string> reads;
    for (const auto& path : paths) {
        reads.push_back(files::absolute_path(folder, path));
        if (reads.back() == "/")
            return base::failure(
                std::string("--reads: expected what the bot needs alone, such as . or /opt/jdk-17, "
                            "found /, which holds everything"));
    }
    return reads;
}

void add_repeated_option(CLI::App& command, const std::string& option,
                         std::vector<std::string>& values, const std::string& description) {
    command.add_option(option, values, description)->allow_extra_args(false);
}

int refuse(const std::string& message, int status) {
    std::cerr << message << '\n';
    return status;
}

int ended(const Ending& ending) {
    return ending.message.empty() ? ending.status : refuse(ending.message, ending.status);
}

Duration time_given(const std::string& option, const std::string& text, const std::string& such_as,
                    Duration least) {
    const auto time = config::time_from(text);
    if (time && *time >= least) return *time;
    throw CLI::ValidationError(
        option, "expected a time such as " + such_as + ", found " + base::visible_line(text));
}

base::Result<std::string, std::string> read_input(const std::string& file,
                                                  const std::string& expected) {
    if (file == "-")
        return std::string(std::istreambuf_iterator<char>(std::cin),
                           std::istreambuf_iterator<char>());
    auto text = files::read_named_file(file, input_bytes_max);
    if (text) return text;
    return base::failure(file + ' ' + text.error() + "; expected " + expected);
}

std::string mistake_of_output(const std::string& option, const std::string& file,
                              const std::string& replay) {
    std::error_code none;
    if (!std::filesystem::equivalent(replay, file, none)) return {};
    return option +
           ": expected another file than the replay that is read, which would be overwritten; "
           "found " +
           file;
}

int write_output(const std::string& file, const std::string& text) {
    if (file == "-") {
        std::cout << text;
        return exit_done;
    }
    const auto written = files::write_named_file(file, text);
    return written ? exit_done : refuse(file + ' ' + written.error(), exit_trouble);
}

std::optional<config::Config> read_config(const std::string& file) {
    auto result = config::read_config_file(file);
    if (result) {
        for (const auto& warning : result->warnings)
            std::cerr << file << ": note: " << warning << '\n';
        return *std::move(result);
    }
    for (const auto& error : result.error()) std::cerr << config::describe(error, file) << '\n';
    return std::nullopt;
}

std::string seats_told(const std::vector<std::string>& bots) {
    std::string text;
    for (std::size_t seat = 0; seat < bots.size(); ++seat)
        text += fmt::format("{}{} {}", seat == 0 ? "" : ", ", seat, base::visible_line(bots[seat]));
    return text;
}

base::Result<std::size_t, std::string> seat_named(const std::string& given,
                                                  const std::vector<std::string>& bots) {
    if (const auto named = std::ranges::find(bots, given); named != bots.end())
        return static_cast<std::size_t>(named - bots.begin());
    const auto seat = base::whole_number<std::size_t>(given);
    if (seat && *seat < bots.size()) return *seat;
    return base::failure("--seat: expected one of " + seats_told(bots) + "; found " + given);
}

int run_program(int argc, char** argv) {
    // A bot or a pager that is gone, and a file that may grow no more, are told by a write's
    // result.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    loop::keep_freed_memory();
    std::ios::sync_with_stdio(false);
    CLI::App app("The tournament referee for programming courses", "referee");
    app.set_version_flag("--version", std::string("referee ") + version);
    app.require_subcommand(1);
    app.footer(
        "Exit status: 0 done; 1 the answer is no; 2 bad input; 3 trouble of the referee's own\n"
        "or of the machine; 130 or 143 interrupted.");
    log::LogOptions log_options;
    app.add_option("--log-level", log_options.level, "trace, debug, info, warn, error or off")
        ->capture_default_str();
    app.add_flag("--log-json", log_options.json, "The log as one JSON object a line");
    app.parse_complete_callback([&log_options] {
        if (const auto started = log::start(log_options); !started)
            throw CLI::ValidationError(started.error());
    });
    int status = exit_done;
    add_commands(app, status, argc > 1 ? argv[1] : "");
    // What stands before a command may stand behind it too.
    // Not with one that passes words on to another program.
    for (auto* command : app.get_subcommands({}))
        command->fallthrough(!command->get_prefix_command());
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        // Also where it asks for the help of a command that isn't there.
        const auto mistyped = mistyped_in(app, {argv + 1, argv + argc});
        if (!mistyped.command.empty()) return refuse(mistyped.command);
        if (const auto wrong = no_number(app, error); !wrong.empty()) return refuse(wrong);
        if (app.exit(error) == 0) return exit_done;
        if (!mistyped.option.empty()) std::cerr << mistyped.option << '\n';
        return exit_bad_input;
    }
    return status_of_output(status);
}

}  // namespace referee::cli
