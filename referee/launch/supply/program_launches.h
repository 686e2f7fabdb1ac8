#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/game/result/game_result.h"
#include "referee/launch/process/launcher.h"
#include "referee/launch/program/program.h"
#include "referee/net/loop/background.h"
#include "referee/net/loop/life.h"

namespace referee::supply {

// How the bot is launched, as far as it tells which program it is.
program::ProgramLaunch program_launch_of(const config::BotConfig& bot);

// Launches bots once it is known which programs they are, and that is found out beside the loop.
// Not thread safe.
class ProgramLaunches {
 public:
    // Is told why a program has no name; once, until there is another reason.
    using OnTrouble = std::function<void(const std::string& bot, const std::string& message)>;
    using OnLaunched = std::function<void(process::LaunchResult result, LaunchedProgram program)>;

    // `reading` outlives this. It may be busy for seconds with one bot.
    ProgramLaunches(loop::Background& reading, OnTrouble on_trouble);

    // The launcher outlives this. `call` comes once, on the loop's thread and never from inside
    // this call; not at all once this or the launcher has ended.
    void launch(process::Launcher& launcher, const config::BotConfig& bot,
                const process::LaunchSpec& spec, OnLaunched call);

    // Which programs they are now, by bot; empty where one has no name. The call comes as above.
    using OnNamed = std::function<void(const std::map<std::string, std::string>& programs)>;
    void name(const std::vector<config::BotConfig>& bots, OnNamed call);

 private:
    struct Question {
        program::ProgramLaunch launch;
        base::Result<std::string, std::string> answer;
        std::string mistake;  // of a student's program: why no adapter can run it
    };
    // The program's name; empty where it has none.
    std::string told(const std::string& bot, const Question& question);

    loop::Background& reading_;
    OnTrouble on_trouble_;
    // Only the background's thread touches it.
    std::shared_ptr<program::Programs> programs_ = std::make_shared<program::Programs>();
    std::map<std::string, std::string> troubles_;  // that were told, by bot
    loop::Life life_;
};

}  // namespace referee::supply
