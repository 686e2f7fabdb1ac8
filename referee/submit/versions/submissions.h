#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base/bytes.h"
#include "protocol/base/result.h"
#include "protocol/messages.h"
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

// Takes the programs that bots' owners hand in: a file in pieces, which is written down before it
// is acknowledged; then it is built, and the newest version that is built plays. What was under way
// when the referee was stopped is done again at the next start. Not thread safe.
class Submissions final {
 public:
    // `folder`: where all is kept; it need not be there yet.
    Submissions(std::string folder, bool unsandboxed, SubmissionsContext context);
    ~Submissions() = default;
    Submissions(const Submissions&) = delete;
    Submissions& operator=(const Submissions&) = delete;

    // Whether anything is taken, and how; may be called again.
    void set_terms(std::optional<config::SubmissionsConfig> terms) { terms_ = std::move(terms); }
    // Goes on with what was kept before: what is built plays, what is not gets built. Once, when
    // bots can be hosted. Builds take cores of these, which outlive this. An error says what
    // can't be read.
    base::Result<void, std::string> open(table::Cores& cores);
    // Nothing is taken or built any more; what was handed in is built at the next start.
    void close();

    // Of a bot for which something was handed in.
    struct Standing {
        std::optional<unsigned> plays;  // the version
        unsigned newest = 0;
        std::string text;  // "version 3 plays; version 4 is being built"
    };
    std::optional<Standing> standing_of(std::string_view bot) const;

    // The program that is launched for that name has logged in. Before its first login it doesn't
    // count as one that plays.
    void logged_in(std::string_view bot);
    // The program that plays in that name is not launched any more, because its launches failed or
    // ended early again and again: the one before it plays, if there is one.
    void given_up(const std::string& bot, const std::string& why, const std::string& printed);

    // As tournament::TakeProgram.
    bool take(const std::string& bot, std::shared_ptr<session::Session> session,
              const protocol::HandingIn& message);

 private:
    // A file that is on its way.
    struct Upload {
        std::string bot;
        std::weak_ptr<session::Session> session;
        std::string network;
        Instant heard{};  // when the last of it came
        Version version;
        std::string bytes;
        base::Hasher hasher;
        bool whole = false;  // and is being written
    };
    struct Kept {
        Owner owner;
        std::optional<unsigned> building;
        std::optional<unsigned> plays;  // or would, and has not logged in yet
        Instant asked_until{};          // what was asked so far, a pause for each question
        Instant changed_until{};        // the same of files that were announced, and of withdrawals
        unsigned given_out = 0;         // the greatest number so far
        std::string not_hosted;         // why the newest that is built doesn't play
        std::map<unsigned, std::string> troubles;  // why a version could not be built, by number
        std::vector<std::int64_t> times_s;         // when versions were handed in, within an hour
    };

    bool begin(const std::string& bot, session::Session& session, const protocol::Submit& submit);
    bool add(const std::string& bot, session::Session& session, const protocol::Piece& piece);
    void finish(const std::shared_ptr<Upload>& upload);
    void taken(const std::string& bot, const Version& version);
    // Whether there is room for one more.
    bool make_room();
    // Whether one more may come of what was paid for until then; else it is refused.
    bool is_due(Instant& paid_until, Duration pause, session::Session& session,
                protocol::ErrorCode refusal);
    void withdraw(const std::string& bot, std::shared_ptr<session::Session> session);
    void tell_versions(const std::string& bot, session::Session& session);
    std::string what_plays(const Kept& kept) const;
    std::string why_too_often(Kept& kept) const;
    void conclude(const std::string& bot, unsigned number, const VersionOutcome& outcome);
    void note(const std::string& bot, unsigned number, const VersionOutcome& outcome);
    void build(const std::string& bot, unsigned number);
    void built(const std::string& bot, unsigned number, const BuildEnd& end);
    void host_newest(Kept& kept);
    void drop_old_versions(Kept& kept);
    std::shared_ptr<Upload> upload_of(const session::Session& session) const;
    bool refuse(session::Session& session, protocol::ErrorCode code, std::string message);
    void run_beside(std::function<VersionStore::Done()> work,
                    std::function<void(const VersionStore::Done&)> done);

    VersionStore versions_on_disk_;
    bool unsandboxed_;
    SubmissionsContext context_;
    std::optional<config::SubmissionsConfig> terms_;
    std::map<std::string, Kept, std::less<>> kept_;
    // One that is being written belongs to the writer too.
    std::vector<std::shared_ptr<Upload>> uploads_;
    std::optional<BuildQueue> builds_;  // once it is open
    loop::Life life_;
};

// How what was built in a folder is launched: by the submission.json that `referee build` has left
// there. `terms` has the limits. An error says what is wrong with that file.
base::Result<config::BotConfig, std::string> program_built_in(const std::string& folder,
                                                              const std::string& bot,
                                                              const config::BotConfig& terms);

}  // namespace referee::versions
