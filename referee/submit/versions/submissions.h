#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base/bytes.h"
#include "protocol/base/result.h"
#include "protocol/messages.h"
#include "referee/config/config.h"
#include "referee/net/session/session.h"
#include "referee/submit/versions/build_queue.h"
#include "referee/submit/versions/kept_versions.h"

namespace referee::versions {

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

    // As KeptVersions tells them, and hears of them.
    std::optional<KeptVersions::Standing> standing_of(std::string_view bot) const {
        return kept_.standing_of(bot);
    }
    void logged_in(std::string_view bot) { kept_.logged_in(bot); }
    void given_up(const std::string& bot, const std::string& why, const std::string& printed) {
        kept_.given_up(bot, why, printed);
    }
    void not_launched(const std::string& bot) { kept_.not_launched(bot); }

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
    std::string why_too_often(KeptVersions::Kept& kept) const;
    void build(const std::string& bot, unsigned number);
    std::shared_ptr<Upload> upload_of(const session::Session& session) const;
    bool refuse(session::Session& session, protocol::ErrorCode code, std::string message);

    bool unsandboxed_;
    SubmissionsContext context_;
    std::optional<config::SubmissionsConfig> terms_;
    KeptVersions kept_;
    // One that is being written belongs to the writer too.
    std::vector<std::shared_ptr<Upload>> uploads_;
    std::optional<BuildQueue> builds_;  // once it is open
};

}  // namespace referee::versions
