#include "referee/launch/supply/program_launches.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "protocol/base/bytes.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "protocol/limits.h"
#include "referee/files/file.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/supply/command_files.h"
#include "referee/launch/supply/launched_bots.h"

namespace referee::supply {

program::ProgramLaunch program_launch_of(const config::BotConfig& bot) {
    program::ProgramLaunch launch{bot.launch, bot.directory, {}, process::program_search_path()};
    if (bot.program) {
        launch.command = bot.program->words;
        launch.kind = bot.program->kind->name;
        launch.interpreter = bot.program->kind->interpreter;
    }
    if (bot.has_own_directory) launch.folder = bot.directory;
    for (const auto& [name, value] : bot.environment) {
        if (name == "PATH") launch.search_path = value;
    }
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
            call(base::failure(process::LaunchError{Kind::not_found, question->mistake, ENOENT}),
                 {});
            return;
        }
        launcher.async_launch(spec, life_.while_it_lasts([program = told(bot, *question),
                                                          call](process::LaunchResult result) {
            const auto tier = result ? (*result)->tier() : sandbox::Tier::none;
            call(std::move(result), {program, std::string(sandbox::name_of(tier))});
        }));
    };
    reading_.run(
        [question, bot, programs = programs_] {
            question->mistake = mistake_in_program(bot, question->launch.search_path);
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
    const auto trouble = answer ? std::string() : answer.error().message;
    if (std::exchange(troubles_[bot], trouble) != trouble && !trouble.empty())
        on_trouble_(bot,
                    "nobody can say which program it is, and its results don't tell: " + trouble);
    return answer ? *answer : std::string();
}

// Bots that are launched in another way, or not any more, while the referee runs: none of them is
// taken out of a match.
bool LaunchedBots::is_in_match(const RunningBot& running) {
    return running.mid_match || !running.place.places().empty();
}

void LaunchedBots::set_dial_in_address(const std::string& address) {
    if (address == dial_in_address_) return;
    dial_in_address_ = address;
    for (auto& [name, running] : bots_) {
        if (running->is_awaited() && running->config.speaks == config::Speaks::tcp)
            start_again(*running);
    }
}

// For a restart that is not the bot's own fault.
void LaunchedBots::start_again(RunningBot& running) {
    release(running);
    running.not_before = {};
    running.start_ends.reset();
    want(running.place);
}

void LaunchedBots::launch_anew(lobby::Bot& bot) {
    auto* const found = running(bot);
    if (found == nullptr) return;
    const bool launching = std::holds_alternative<RunningBot::Launching>(found->phase);
    if (!launching && found->launched() == nullptr) return;
    found->outdated = launching || is_in_match(*found);
    if (!found->outdated) start_again(*found);
}

bool LaunchedBots::stays(const lobby::Bot& bot) const {
    const auto* found = running(bot);
    return found == nullptr || (found->retired && found->launched() == nullptr) ||
           (found->config.lifetime == config::Lifetime::tournament && !found->outdated);
}

bool LaunchedBots::runs_newest(const lobby::Bot& bot) const {
    auto* const found = running(bot);
    return found != nullptr && found->launched() != nullptr && !found->outdated;
}

void LaunchedBots::retire(lobby::Bot& bot) {
    auto* const found = running(bot);
    if (found == nullptr) return;
    found->retired = true;
    found->outdated = is_in_match(*found);
    if (!found->outdated) release(*found);
}

void LaunchedBots::name_programs(const std::vector<std::string>& bots,
                                 ProgramLaunches::OnNamed call) {
    std::vector<config::BotConfig> launched;
    for (const auto& bot : bots) {
        const auto found = bots_.find(bot);
        if (found != bots_.end() && !found->second->retired)
            launched.push_back(found->second->config);
    }
    programs_.name(launched, std::move(call));
}

void LaunchedBots::leave_for(const std::map<std::string, std::string>& programs) {
    for (const auto& [bot, program] : programs) {
        const auto found = bots_.find(bot);
        if (found == bots_.end() || found->second->launched() == nullptr) continue;
        if (found->second->its_program.program != program) launch_anew(found->second->place);
    }
}

void LaunchedBots::match_dropped(lobby::Bot& bot) {
    auto* const found = running(bot);
    if (found == nullptr) return;
    found->mid_match = false;
    if (found->launched() == nullptr || !std::exchange(found->outdated, false)) return;
    if (found->retired)
        release(*found);
    else
        start_again(*found);
}

namespace {

namespace json = protocol::json;

// Far beyond a class of thousands.
constexpr std::size_t file_bytes_max = 64 * 1024 * 1024;

std::string text_of(const config::Config& config) {
    std::string text;
    json::Writer writer(text);
    writer.begin_object();
    for (const auto& bot : config.bots) {
        if (!bot.launched()) continue;
        writer.key(bot.name).begin_object().key("launch").texts(bot.launch);
        writer.member("directory", bot.directory).key("environment").begin_object();
        for (const auto& [name, value] : bot.environment)
            writer.member(name, base::hex_of(base::digest_of(value)));
        writer.end_object().end_object();
    }
    writer.end_object();
    return text + '\n';
}

// Names of variables that are new, gone or have another value.
std::string changed_variables(json::View was, json::View is) {
    std::string names;
    const auto add = [&names](std::string_view name) {
        (names += names.empty() ? "" : ", ").append(name);
    };
    for (const auto [name, value] : is.members()) {
        if (value.string() != was.find(name).string()) add(name);
    }
    for (const auto [name, value] : was.members()) {
        if (!is.find(name)) add(name);
    }
    return names;
}

std::vector<std::string> changes(json::View was, json::View is) {
    std::vector<std::string> found;
    for (const auto [bot, now] : is.members()) {
        const auto before = was.find(bot);
        if (!before) continue;
        const auto tell = [&found, name = std::string(bot)](const std::string& what) {
            found.push_back(name + ": " + what +
                            "; games that were played before count as they are");
        };
        for (const auto* const member : {"launch", "directory"}) {
            const auto old_text = before.find(member).json_text();
            const auto new_text = now.find(member).json_text();
            if (old_text != new_text)
                tell("its \"" + std::string(member) + "\" has changed: it was " + old_text +
                     ", and is " + new_text);
        }
        if (const auto names =
                changed_variables(before.find("environment"), now.find("environment"));
            !names.empty())
            tell("its \"environment\" has changed: " + names +
                 " (values are not shown, because they may be secrets)");
    }
    return found;
}

// Whole or not at all, for its owner alone. The loop's thread waits for no disk.
base::Result<void, std::string> write_private(const std::string& file, std::string_view text) {
    const auto beside = file + ".new";
    const files::Descriptor out(
        ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (out && files::write_all(out.get(), text) && std::rename(beside.c_str(), file.c_str()) == 0)
        return {};
    return base::failure("can't write " + file + ": " + std::strerror(errno));
}

}  // namespace

base::Result<std::vector<std::string>, std::string> LaunchChanges::take(
    const config::Config& config) {
    const auto text = text_of(config);
    std::vector<std::string> found;
    std::error_code ignored;
    if (std::filesystem::exists(file_, ignored)) {
        const auto kept = files::read_named_file(file_, file_bytes_max);
        if (!kept) return base::failure(file_ + " " + kept.error());
        json::Document was;
        json::Document is;
        // One that was spoilt tells nothing, and is written anew.
        if (was.parse(*kept, {.depth_max = protocol::limits::depth_max}) && is.parse(text))
            found = changes(was.root(), is.root());
        if (*kept == text) return found;
    }
    if (auto written = write_private(file_, text); !written)
        return base::failure(std::move(written.error()));
    return found;
}

std::optional<std::string> LaunchChanges::without(std::string_view text, std::string_view bot) {
    json::Document document;
    if (!document.parse(text) || !document.root().is_object()) return std::nullopt;
    std::string rest;
    json::Writer writer(rest);
    writer.begin_object();
    for (const auto [name, launched] : document.root().members()) {
        if (name == bot) continue;
        writer.key(name);
        launched.write(writer);
    }
    writer.end_object();
    return rest + '\n';
}

}  // namespace referee::supply
