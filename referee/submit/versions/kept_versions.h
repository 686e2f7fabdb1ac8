#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/net/loop/background.h"
#include "referee/net/loop/life.h"
#include "referee/net/loop/timers.h"
#include "referee/net/session/session.h"
#include "referee/submit/versions/build_queue.h"
#include "referee/submit/versions/version_store.h"

namespace referee::versions {

// What submissions are taken with. All of it outlives them.
struct SubmissionsContext {
    boost::asio::any_io_executor executor;  // of the loop
    loop::Timers& timers;
    loop::Background& beside;  // writes files
    // Seconds since 1970.
    std::function<std::int64_t()> wall_clock_s;
    // A program plays for its bot from now on; an error says why it can't.
    std::function<base::Result<void, std::string>(config::BotConfig bot,
                                                  std::vector<std::string> games)>
        launch;
    std::function<void(const std::string& bot)> launch_no_more;
    // For the log.
    std::function<void(const std::string& news)> tell;
    std::function<void(const std::string& trouble)> tell_trouble;
};

// The versions that were taken, what becomes of them, and what is told of them: the newest that is
// built plays. Not thread safe.
class KeptVersions {
 public:
    // Of one bot.
    struct Kept {
        Owner owner;
        std::optional<unsigned> building;
        std::optional<unsigned> plays;  // or would, and has not logged in yet
        Instant asked_until{};          // what was asked so far, a pause for each question
        Instant changed_until{};        // the same of files that were announced, and of withdrawals
        unsigned given_out = 0;         // the greatest number so far
        std::string not_hosted;         // why the newest that is built doesn't play
        // Why a version could not be built or launched, by the machine's doing; by number.
        std::map<unsigned, std::string> troubles;
        std::vector<std::int64_t> times_s;  // when versions were handed in, within an hour
    };

    // Both outlive it. `terms`: whether anything is taken, and how; may change.
    KeptVersions(std::string folder, const SubmissionsContext& context,
                 const std::optional<config::SubmissionsConfig>& terms)
        : on_disk_(std::move(folder)), context_(context), terms_(terms) {}

    const VersionStore& on_disk() const { return on_disk_; }
    // Of a bot that is known from now on.
    Kept& of(const std::string& bot) { return kept_[bot]; }
    // Null where nothing of it is known.
    Kept* find(std::string_view bot);
    // Works on the disk beside the loop; `done` comes on the loop, not at all once this has ended.
    void run_beside(std::function<VersionStore::Done()> work,
                    std::function<void(const VersionStore::Done&)> done);

    // The newest that is built plays. Where it does already, nothing changes.
    void host_newest(Kept& kept);
    // The build of a version is over.
    void built(const std::string& bot, unsigned number, const BuildEnd& end);
    // Writes down what came of a version.
    void note(const std::string& bot, unsigned number, const VersionOutcome& outcome);
    // The program that is launched for that name has logged in. Before its first login it doesn't
    // count as one that plays.
    void logged_in(std::string_view bot);
    // The program that plays in that name is not launched any more, because its launches failed or
    // ended early again and again: the one before it plays, if there is one.
    void given_up(const std::string& bot, const std::string& why, const std::string& printed);
    // The same, because this machine could not launch it: that says nothing of the program, which
    // is launched again some minutes later.
    void not_launched(const std::string& bot);

    // Of a bot for which something was handed in.
    struct Standing {
        std::optional<unsigned> plays;  // the version
        unsigned newest = 0;
        std::string text;  // "version 3 plays; version 4 is being built"
    };
    std::optional<Standing> standing_of(std::string_view bot) const;
    // Sends all versions, and what plays.
    void tell_versions(const std::string& bot, session::Session& session) const;

 private:
    void conclude(const std::string& bot, unsigned number, const VersionOutcome& outcome);
    void drop_old_versions(Kept& kept);

    VersionStore on_disk_;
    const SubmissionsContext& context_;
    const std::optional<config::SubmissionsConfig>& terms_;
    std::map<std::string, Kept, std::less<>> kept_;
    loop::Life life_;
};

}  // namespace referee::versions
