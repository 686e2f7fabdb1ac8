#include "referee/submit/versions/submissions.h"

#include <algorithm>
#include <chrono>
#include <tuple>

#include "protocol/base/text.h"
#include "protocol/codec.h"
#include "protocol/limits.h"
#include "referee/launch/supply/launch_spec_of.h"
#include "referee/net/lobby/guesses.h"

namespace referee::versions {
namespace {

// Programs that are being handed in at the same time, of all names: that many times `archive_mb`.
constexpr std::size_t submissions_at_once_max = 16;
// Such questions of one name that may come at once before there has to be a pause.
constexpr int submissions_asked_at_once = 10;
// The pause between two files that are announced, or programs withdrawn: these cost the disk and
// the loop something.
constexpr std::chrono::milliseconds submissions_changed_pause{2000};
// A smaller piece of a file that is not its last was not asked for: each is a line to answer.
constexpr std::size_t submission_piece_bytes_min = 1024;

using protocol::ErrorCode;
using session::Session;

constexpr std::int64_t hour_s = 3600;

}  // namespace

Submissions::Submissions(std::string folder, bool unsandboxed, SubmissionsContext context)
    : unsandboxed_(unsandboxed),
      context_(std::move(context)),
      kept_(std::move(folder), context_, terms_) {}

base::Result<void, std::string> Submissions::open(table::Cores& cores) {
    builds_.emplace(context_.executor, context_.timers, cores);
    auto owners = kept_.on_disk().read();
    if (!owners) return base::failure(owners.error());
    // Those that were handed in first are built first.
    std::vector<std::pair<std::int64_t, std::pair<std::string, unsigned>>> unbuilt;
    for (auto& owner : *owners) {
        auto& kept = kept_.of(owner.bot);
        // A number that was given out and withdrawn belongs to no later version.
        kept.given_out = std::max(owner.versions.back().number, owner.withdrawn);
        for (const auto& version : owner.versions) kept.times_s.push_back(version.handed_in_s);
        kept.owner = std::move(owner);
        kept_.host_newest(kept);
        for (const auto& version : kept.owner.versions) {
            if (!version.outcome && version.number > kept.owner.withdrawn)
                unbuilt.push_back({version.handed_in_s, {kept.owner.bot, version.number}});
        }
    }
    std::ranges::sort(unbuilt);
    for (const auto& [time, version] : unbuilt) build(version.first, version.second);
    return {};
}

void Submissions::close() {
    uploads_.clear();
    if (builds_) builds_->close();
}

bool Submissions::refuse(Session& session, ErrorCode code, std::string message) {
    return session.send_error(code, std::move(message),
                              protocol::example(protocol::BotMessage::submit));
}

bool Submissions::take(const std::string& bot, std::shared_ptr<Session> session,
                       const protocol::HandingIn& message) {
    const auto* known = kept_.find(bot);
    const bool has_versions = known != nullptr && !known->owner.versions.empty();
    if (!terms_ && !has_versions) return session::takes_no_program(*session);
    if (const auto* piece = std::get_if<protocol::Piece>(&message))
        return add(bot, *session, *piece);
    auto& kept = kept_.of(bot);
    if (std::holds_alternative<protocol::AskSubmissions>(message)) {
        if (!is_due(kept.asked_until, protocol::limits::submissions_asked_pause, *session,
                    ErrorCode::too_many_questions))
            return false;
        kept_.tell_versions(bot, *session);
        return true;
    }
    if (!is_due(kept.changed_until, submissions_changed_pause, *session,
                ErrorCode::too_many_submissions))
        return false;
    if (const auto* submit = std::get_if<protocol::Submit>(&message))
        return begin(bot, *session, *submit);
    withdraw(bot, std::move(session));
    return true;
}

bool Submissions::is_due(Instant& paid_until, Duration pause, Session& session, ErrorCode refusal) {
    const auto now = context_.timers.now();
    const auto early = paid_until - now - pause * submissions_asked_at_once;
    if (early > Duration::zero())
        return refuse(
            session, refusal,
            "too many of these came in a short time; expected the next one in " + ms_text(early));
    paid_until = std::max(paid_until, now) + pause;
    return true;
}

std::shared_ptr<Submissions::Upload> Submissions::upload_of(const Session& session) const {
    const auto found = std::ranges::find_if(uploads_, [&](const auto& upload) {
        return upload->session.lock().get() == &session && !upload->whole;
    });
    return found == uploads_.end() ? nullptr : *found;
}

// Empty where one more may be handed in.
std::string Submissions::why_too_often(KeptVersions::Kept& kept) const {
    const auto since = context_.wall_clock_s() - hour_s;
    auto& times = kept.times_s;
    std::erase_if(times, [since](const auto time) { return time <= since; });
    if (times.size() < terms_->per_hour) return {};
    const auto wait = times[times.size() - terms_->per_hour] - since;
    return fmt::format(
        "{} versions were handed in under this name within the last hour, and {} are the most; "
        "expected the next one in {} min",
        times.size(), terms_->per_hour,
        std::chrono::ceil<std::chrono::minutes>(std::chrono::seconds(wait)).count());
}

// Where all places are taken, one file gives up its own: of the network with the most the one of
// which nothing came for longest. None that is whole does.
bool Submissions::make_room() {
    if (uploads_.size() < submissions_at_once_max) return true;
    std::map<std::string, std::size_t> of_network;
    for (const auto& upload : uploads_) ++of_network[upload->network];
    const auto rank = [&of_network](const auto& upload) {
        return std::tuple(!upload->whole, of_network[upload->network],
                          -upload->heard.time_since_epoch());
    };
    const auto first = std::ranges::max_element(
        uploads_, [&rank](const auto& a, const auto& b) { return rank(a) < rank(b); });
    if ((*first)->whole) return false;
    uploads_.erase(first);
    return true;
}

bool Submissions::begin(const std::string& bot, Session& session, const protocol::Submit& submit) {
    if (!terms_) return session::takes_no_program(session);
    const auto bytes = static_cast<std::uint64_t>(submit.bytes);
    if (bytes > terms_->archive_mb * supply::bytes_a_mb)
        return refuse(
            session, ErrorCode::submission_refused,
            fmt::format(
                "the file has {} bytes; expected at most {} MB: leave out what a build makes",
                submit.bytes, terms_->archive_mb));
    if (submit.file == "." || submit.file == "..")
        return refuse(session, ErrorCode::submission_refused,
                      "\"file\" is a folder's name; expected a file's, such as bot.zip");
    auto& kept = kept_.of(bot);
    kept.owner.bot = bot;
    if (const auto why = why_too_often(kept); !why.empty())
        return refuse(session, ErrorCode::too_many_submissions, why);
    std::erase_if(uploads_, [&](const auto& upload) {
        const auto its = upload->session.lock();
        return !upload->whole && (!its || its->closed() || upload->bot == bot);
    });
    if (!make_room())
        return refuse(session, ErrorCode::too_many_submissions,
                      "as many programs are being handed in now as may be; expected yours again in "
                      "some seconds");
    auto& upload = *uploads_.emplace_back(std::make_shared<Upload>());
    upload.bot = bot;
    upload.session = session.shared_from_this();
    upload.network = lobby::network_of(session.transport().peer_address());
    upload.heard = context_.timers.now();
    upload.version.file = submit.file;
    upload.version.bytes = bytes;
    upload.version.sha256 = submit.sha256;
    session.send(protocol::Received{0, submit.bytes});
    session.flush();
    return true;
}

bool Submissions::add(const std::string& /*bot*/, Session& session, const protocol::Piece& piece) {
    const auto upload = upload_of(session);
    if (upload == nullptr)
        return refuse(session, ErrorCode::submission_refused,
                      "a piece of a file came, and no file is being handed in here (another "
                      "connection of this name may have begun with one, or others have needed its "
                      "place); expected `submit` before it");
    const auto bytes = base::from_base64(piece.data);
    const auto& version = upload->version;
    std::string mistake;
    if (!bytes || bytes->empty() || bytes->size() > protocol::limits::piece_bytes_max) {
        mistake = fmt::format("a piece is not 1 to {} bytes in base64",
                              protocol::limits::piece_bytes_max);
    } else if (upload->bytes.size() + bytes->size() > version.bytes) {
        mistake = fmt::format("more bytes came than the {} that `submit` announced", version.bytes);
    } else {
        upload->heard = context_.timers.now();
        upload->bytes += *bytes;
        upload->hasher.add(*bytes);
        if (upload->bytes.size() == version.bytes &&
            base::hex_of(upload->hasher.finish()) != version.sha256)
            mistake = "the file's SHA-256 is not the one that `submit` announced";
    }
    if (!mistake.empty()) {
        std::erase(uploads_, upload);
        return refuse(session, ErrorCode::submission_refused,
                      mistake + "; expected `submit` again, and the file from its beginning");
    }
    if (upload->bytes.size() == version.bytes) {
        finish(upload);
        return true;
    }
    session.send(protocol::Received{static_cast<std::int64_t>(upload->bytes.size()),
                                    static_cast<std::int64_t>(version.bytes)});
    session.flush();
    return bytes->size() >= submission_piece_bytes_min;
}

// Nothing is acknowledged before it is on the disk.
void Submissions::finish(const std::shared_ptr<Upload>& upload) {
    upload->whole = true;
    auto& kept = kept_.of(upload->bot);
    upload->version.number = ++kept.given_out;
    upload->version.handed_in_s = context_.wall_clock_s();
    kept.times_s.push_back(upload->version.handed_in_s);
    kept_.run_beside([on_disk = kept_.on_disk(),
                      upload] { return on_disk.keep(upload->bot, upload->version, upload->bytes); },
                     [this, upload](const VersionStore::Done& done) {
                         const auto session = upload->session.lock();
                         if (done) taken(upload->bot, upload->version);
                         std::erase(uploads_, upload);
                         if (!done) {
                             context_.tell_trouble(done.error());
                             std::erase(kept_.of(upload->bot).times_s, upload->version.handed_in_s);
                         }
                         if (!session) return;
                         if (done) return kept_.tell_versions(upload->bot, *session);
                         refuse(
                             *session, ErrorCode::submission_refused,
                             "the referee can't keep the file now, which is its machine's trouble; "
                             "expected it again later");
                     });
}

void Submissions::taken(const std::string& bot, const Version& version) {
    context_.tell(fmt::format("{} has handed in version {}: {}, {} bytes", bot, version.number,
                              version.file, version.bytes));
    auto& kept = kept_.of(bot);
    kept.owner.versions.push_back(version);
    build(bot, version.number);
}

void Submissions::withdraw(const std::string& bot, std::shared_ptr<Session> session) {
    const auto* found = kept_.find(bot);
    if (found == nullptr || found->owner.versions.empty())
        return kept_.tell_versions(bot, *session);
    const auto number = found->given_out;
    kept_.run_beside(
        [on_disk = kept_.on_disk(), bot, number] { return on_disk.withdraw(bot, number); },
        [this, bot, number, session](const VersionStore::Done& done) {
            auto& kept = kept_.of(bot);
            if (!done) {
                context_.tell_trouble(done.error());
                refuse(*session, ErrorCode::submission_refused,
                       "the referee can't write that down now, which is its machine's "
                       "trouble; expected it again later");
                return;
            }
            kept.owner.withdrawn = std::max(kept.owner.withdrawn, number);
            if (kept.plays && *kept.plays <= number) {
                kept.plays.reset();
                context_.launch_no_more(bot);
                context_.tell(bot + " has withdrawn its program");
            }
            kept_.tell_versions(bot, *session);
        });
}

void Submissions::build(const std::string& bot, unsigned number) {
    const auto terms = terms_.value_or(config::SubmissionsConfig());
    const auto& versions = kept_.of(bot).owner.versions;
    const auto version = std::ranges::find(versions, number, &Version::number);
    const auto time = std::chrono::floor<std::chrono::seconds>(terms.build_within);
    BuildQueue::Job job;
    job.arguments = {kept_.on_disk().file_of(bot, *version),
                     "--out=" + kept_.on_disk().build_folder_of(bot, number), "--name=" + bot,
                     fmt::format("--build-time={}s", time.count()),
                     "--build-memory=" + std::to_string(terms.build_memory_mb)};
    const auto option = [&job](const std::string& name, const std::string& value) {
        if (!value.empty()) job.arguments.push_back(name + "=" + value);
    };
    option("--build", terms.build);
    option("--build-in", terms.build_in);
    for (const auto& word : terms.run) option("--run-word", word);
    if (terms.kind != nullptr) option("--kind", std::string(terms.kind->name));
    if (unsandboxed_) job.arguments.emplace_back("--unsandboxed");
    // To unpack, copy and clear away takes time too.
    constexpr int beside_factor = 2;
    job.time_max = terms.build_within * beside_factor + std::chrono::minutes(1);
    job.on_begin = [this, bot, number] { kept_.of(bot).building = number; };
    job.on_end = [this, bot, number](const BuildEnd& end) { kept_.built(bot, number, end); };
    job.name = bot;
    job.number = number;
    const auto overtaken = builds_->add(std::move(job));
    if (!overtaken) return;
    const auto old = overtaken->number;
    const VersionOutcome outcome{
        false, fmt::format("version {} came before it was built", number), {}};
    for (auto& one : kept_.of(bot).owner.versions) {
        if (one.number == old) one.outcome = outcome;
    }
    kept_.note(bot, old, outcome);
}

}  // namespace referee::versions
