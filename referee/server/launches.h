#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/exit_code.h"
#include "referee/launch/process/launcher.h"
#include "referee/launch/supply/config_remarks.h"
#include "referee/launch/supply/launched_bots.h"
#include "referee/launch/supply/sandbox_terms.h"
#include "referee/net/loop/background.h"
#include "referee/net/loop/timers.h"
#include "referee/submit/versions/submissions.h"
#include "referee/tournament/referee.h"

namespace referee::server {

// The programs that a referee launches: the config's bots, and what their owners hand in.
class Launches {
 public:
    // `out`: the folder of the store, with the programs handed in. All references outlive it. Of
    // programs nothing is read on the loop's thread.
    Launches(boost::asio::io_context& loop, loop::Timers& timers, loop::Background& background,
             const config::Config& config, std::string out, const sandbox::SandboxWish& wish);

    // What launches need of a config; the launcher is opened for the first that it asks for. An
    // error has exit_bad_input where the config is wrong, exit_trouble where the machine is.
    struct Change {
        supply::SandboxTerms terms;
        std::unique_ptr<process::Launcher> launcher;  // null: none is needed, or there is one
    };
    base::Result<Change, Ending> prepare(const config::Config& config);
    // Tells in which sandbox bots are launched, if that is new; warns where they can reach what
    // they should not.
    void commit(const config::Config& config, Change change);

    // Brings the bots of the referee, who dial in at that address, and opens what was handed in
    // before. `on_never_started` is called, before any game is forfeited for it, when a bot has
    // been tried often enough that never got a process. Call it once.
    base::Result<void, Ending> open(tournament::Referee& referee, const std::string& endpoint,
                                    std::function<void()> on_never_started);
    // Tells how bots that played before are launched otherwise now.
    void note_changes(const config::Config& config);
    // A bot has logged in.
    void arrived(const lobby::Bot& bot) {
        if (bots_->runs_newest(bot)) submissions_.logged_in(bot.name());
    }
    // All bots go; nothing is handed in any more.
    void close();
    // After the loop has ended.
    void release();

    // The bots that are launched. Requires: open().
    supply::LaunchedBots& bots() const { return *bots_; }
    versions::Submissions& submissions() { return submissions_; }
    // Bots whose command, directory or environment isn't what it was in games of this folder that
    // were played before, a sentence each.
    const std::vector<std::string>& changes() const { return changes_; }
    // In which sandbox bots are launched, as a sentence, and its tier; nothing where none are.
    struct Sandbox {
        std::string text;
        sandbox::Tier tier = sandbox::Tier::none;
        bool warned = false;  // whether the log has told it as a warning
    };
    std::optional<Sandbox> sandbox() const;

 private:
    versions::SubmissionsContext submissions_context();
    void tell_sandbox(const config::Config& config) const;
    // Not from the middle of what bots_ does with the bot.
    void tell_submissions_of_given_up(const std::string& bot);

    boost::asio::io_context& loop_;
    loop::Timers& timers_;
    loop::Background& background_;
    std::string out_;
    sandbox::SandboxWish wish_;
    tournament::Referee* referee_ = nullptr;  // null until open()
    versions::Submissions submissions_;
    std::unique_ptr<supply::LaunchedBots> bots_;
    supply::SandboxTerms sandbox_terms_;
    std::vector<std::string> changes_;
};

}  // namespace referee::server
