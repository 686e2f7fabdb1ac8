#include "referee/launch/supply/program_launches.h"

#include <utility>

#include "referee/launch/process/search_path.h"
#include "referee/launch/supply/command_files.h"

namespace referee::supply {

program::ProgramLaunch program_launch_of(const config::BotConfig& bot) {
    program::ProgramLaunch launch{
        bot.launch,
        bot.directory,
        {},
        process::path_in(bot.environment).value_or(process::program_search_path())};
    if (bot.program) {
        launch.command = bot.program->words;
        launch.kind = bot.program->kind->name;
        launch.interpreter = bot.program->kind->interpreter;
    }
    if (bot.has_own_directory) launch.folder = bot.directory;
    return launch;
}

ProgramLaunches::ProgramLaunches(loop::Background& reading, OnTrouble on_trouble)
    : reading_(reading), on_trouble_(std::move(on_trouble)) {}

void ProgramLaunches::launch(process::Launcher& launcher, const config::BotConfig& bot,
                             const process::LaunchSpec& spec, OnLaunched call) {
    auto question = std::make_shared<Question>(Question{program_launch_of(bot), {}, {}});
    auto found = [this, &launcher, question, bot = bot.name, spec, call = std::move(call)] {
        if (!question->mistake.empty()) {
            using Kind = process::LaunchError::Kind;
            call(base::failure(process::LaunchError{Kind::not_found, question->mistake}), {});
            return;
        }
        launcher.async_launch(spec, life_.while_it_lasts([program = told(bot, *question),
                                                          call](process::LaunchResult result) {
            const auto tier = result ? (*result)->tier() : sandbox::Tier::none;
            call(std::move(result), {program, std::string(config::name_of(tier))});
        }));
    };
    reading_.run(
        [question, bot, programs = programs_] {
            question->mistake = mistake_in_program({bot, question->launch.search_path});
            if (!question->mistake.empty()) return;
            question->answer = programs->identify(question->launch);
        },
        life_.while_it_lasts(std::move(found)));
}

void ProgramLaunches::name(const std::vector<config::BotConfig>& bots, OnNamed call) {
    auto questions = std::make_shared<std::map<std::string, Question>>();
    for (const auto& bot : bots) (*questions)[bot.name].launch = program_launch_of(bot);
    auto found = [this, questions, call = std::move(call)] {
        std::map<std::string, std::string> programs;
        for (const auto& [bot, question] : *questions) programs[bot] = told(bot, question);
        call(programs);
    };
    reading_.run(
        [questions, programs = programs_] {
            for (auto& [bot, question] : *questions)
                question.answer = programs->identify(question.launch);
        },
        life_.while_it_lasts(std::move(found)));
}

std::string ProgramLaunches::told(const std::string& bot, const Question& question) {
    const auto& answer = question.answer;
    const auto trouble = answer ? std::string() : answer.error();
    if (std::exchange(troubles_[bot], trouble) != trouble && !trouble.empty())
        on_trouble_(bot,
                    "nobody can say which program it is, and its results don't tell: " + trouble);
    return answer ? *answer : std::string();
}

}  // namespace referee::supply
