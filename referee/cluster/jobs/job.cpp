#include "referee/cluster/jobs/job.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/bytes.h"
#include "protocol/json/reader.h"
#include "protocol/json/writer.h"
#include "protocol/limits.h"
#include "referee/config/read_config.h"
#include "referee/contest/formats/format.h"
#include "referee/contest/formats/match_fold.h"
#include "referee/game/fields/fields.h"
#include "referee/game/result/result_fields.h"
#include "referee/store/archive.h"
#include "referee/store/records/read_fields.h"

namespace referee::fields {

template <>
struct Words<sandbox::Tier> {
    static std::optional<sandbox::Tier> named(std::string_view name) {
        return base::value_named(config::sandbox_tiers, name);
    }
    static constexpr std::string_view expected = R"("none", "C", "B" or "A")";
};

template <>
struct Description<sandbox::SandboxWish> {
    using Row = sandbox::SandboxWish;
    static constexpr std::tuple fields{
        Field{"unsandboxed", &Row::unsandboxed},
        Field{"min_tier", &Row::tier_min, Absent::from_both},
    };
};

template <>
struct Description<scheduler::MatchTask::Game> {
    using Row = scheduler::MatchTask::Game;
    static constexpr std::tuple fields{
        PartOf{&Row::key, Description<GameKey>::fields},
        Field{"setup", &Row::setup},
        Field{"seed", &Row::seed},
        List{"bots", &Row::bots, "bot"},
    };
};

template <>
struct Description<scheduler::MatchTask> {
    using Row = scheduler::MatchTask;
    static constexpr std::tuple fields{
        Field{"games_max", &Row::games_max},
        Field{"one_goes_on", &Row::one_goes_on},
        Field{"extra_games", &Row::extra_games},
        Rows{"games", &Row::games},
    };
};

// Beside these a job has "programs", a member for each bot.
template <>
struct Description<jobs::Job> {
    using Row = jobs::Job;
    static constexpr std::tuple fields{
        Field{"job", &Row::id},
        Field{"referee", &Row::version},
        Field{"written_by", &Row::written_by, Absent::from_both},
        Field{"written", &Row::written_ms},
        PartOf{&Row::sandbox, Description<sandbox::SandboxWish>::fields},
        Field{"directory", &Row::directory},
        JsonText{"config", &Row::config_text},
        Rows{"matches", &Row::matches},
    };
};

}  // namespace referee::fields

namespace referee::jobs {
namespace {

namespace json = protocol::json;

// 64 hexadecimal digits and a line feed.
constexpr std::size_t seal_bytes = 65;

std::string seal_of(std::string_view text) {
    return base::hex_of(base::digest_of(text)) + '\n';
}

const config::TournamentConfig& tournament_of(const config::Config& config,
                                              const MatchTask& match) {
    const auto& id = match.key().tournament;
    const auto found = std::ranges::find(config.tournaments, id, &config::TournamentConfig::id);
    REFEREE_ASSERT(found != config.tournaments.end());
    return *found;
}

std::string job_written_anew(const std::string& file, const std::string& what) {
    return file + ": " + what + "; let the coordinator write the job anew";
}

}  // namespace

std::string job_text(const Job& job) {
    std::string text;
    json::Writer writer(text);
    writer.begin_object();
    fields::write_fields(writer, job, fields::Description<Job>::fields);
    writer.key("programs").begin_object();
    for (const auto& [bot, program] : job.programs) writer.member(bot, program);
    writer.end_object().end_object();
    text += '\n';
    return text + seal_of(text);
}

base::Result<Job, std::string> read_job(std::string_view text, const std::string& file,
                                        std::string_view version) {
    const auto mistake = [&file](const std::string& what) {
        return base::failure(job_written_anew(file, what));
    };
    const auto body = text.substr(0, text.size() - std::min(text.size(), seal_bytes));
    if (text.substr(body.size()) != seal_of(body))
        return mistake(
            "its last line isn't the digest of what stands before it, as in a job of this version");
    json::Document document;
    if (const auto parsed = document.parse(body); !parsed) return mistake(parsed.error().message);
    json::Mistakes mistakes;
    json::Reader root(document.root(), mistakes);
    // What another version's job says is not for this referee to judge.
    const auto writer = root.text("referee");
    if (!mistakes && writer != version) {
        const auto by = root.given("written_by").string();
        return mistake("referee: the coordinator" + (by ? ", " + std::string(*by) + "," : "") +
                       " is version " + std::string(writer) + ", and this machine has version " +
                       std::string(version) +
                       ", which may play otherwise; install the same referee on both, and start "
                       "the coordinator again where its own program was replaced");
    }
    Job job;
    records::read_fields(root, job, fields::Description<Job>::fields);
    const auto programs = root.object("programs");
    for (const auto [bot, program] : programs.view().members())
        job.programs.emplace(bot, program.text());
    if (mistakes) return mistake(mistakes.first().text());
    return job;
}

base::Result<JobConfig, std::string> read_config_of(const Job& job, const std::string& file) {
    auto read = config::read_config(job.config_text, file, job.directory);
    if (!read) {
        const auto& first = read.error().front();
        const auto member = first.member.empty() ? "" : "." + first.member;
        return base::failure(job_written_anew(file, "config" + member + ": " + first.message));
    }
    JobConfig known{*std::move(read), {}};
    for (const auto& tournament : known.config.tournaments) {
        auto registry = config::registry_for(tournament);
        if (!registry)
            return base::failure(
                job_written_anew(file, "config.maps: " + registry.error().message));
        known.games[tournament.id] = *std::move(registry);
    }
    return known;
}

MatchProgress::MatchProgress(const JobConfig& config, const MatchTask& match)
    : match_(match),
      tournament_(tournament_of(config.config, match)),
      rules_(*config.games.at(tournament_.id)->find(tournament_.game)) {}

const MatchTask::Game* MatchProgress::next() const {
    if (stopped_ || begun_ == match_.games.size()) return nullptr;
    if (!tournament_.match.solo && ended_ < begun_) return nullptr;
    return &match_.games[begun_];
}

void MatchProgress::end(const GameResult& result) {
    ++ended_;
    results_.push_back(result);
    // Solo games don't wait for each other, so one of them stops no other one.
    if (!tournament_.match.solo) stopped_ = !counts(result.status) || is_decided();
}

bool MatchProgress::is_decided() const {
    formats::Pairing pairing;
    const auto& first = match_.games.front();
    pairing.match = first.key.match;
    for (formats::Entrant seat = 0; seat < first.bots.size(); ++seat) pairing.seats.push_back(seat);
    formats::MatchTerms terms;
    terms.one_goes_on = match_.one_goes_on;
    terms.extra_games = match_.extra_games;
    return formats::fold_match(tournament_.match, pairing, results_, rules_, terms).over;
}

namespace {

std::string origin_of(const Job& job, const JobResult& result) {
    return json::object_text([&](json::Writer& writer) {
        writer.member("job", job.id)
            .member("referee", job.version)
            .member("took_ms", std::int64_t{result.took.count()});
    });
}

// Why the archive is no result of the job, in words behind the name of its file; empty where it is.
std::string wrong_origin(const std::string& origin, const Job& job, JobResult& into) {
    json::Document document;
    if (!document.parse(origin, {.depth_max = protocol::limits::depth_max}))
        return "expected the result of a job, found an archive of another origin";
    json::Mistakes mistakes;
    json::Reader root(document.root(), mistakes, "origin");
    const auto id = root.text("job");
    const auto version = root.text("referee");
    into.took = std::chrono::milliseconds(root.integer("took_ms"));
    if (mistakes) return mistakes.first().text();
    if (id != job.id)
        return "expected the result of the job " + job.id + ", found that of " + std::string(id);
    if (version == job.version) return {};
    return "expected a result of the referee's version " + job.version + ", found one of " +
           std::string(version) + "; install the same referee on all machines";
}

// Games that the job asks for, and that were not read yet.
using Asked = std::map<GameKey, const MatchTask::Game*>;

// The same of a record in it. Whether games make their match whole is the scheduler's to say.
std::string wrong_record(const records::Record& record, const Job& job, Asked& asked) {
    const auto* game = std::get_if<records::GameRecord>(&record);
    if (game == nullptr) return "expected records of games alone";
    const auto& played = game->result;
    const auto id = "game " + game_id(played.key);
    const auto found = asked.extract(played.key);
    if (found.empty())
        return id + " was not asked for, or stands twice; it is kept, and doesn't count";
    const auto& bots = found.mapped()->bots;
    for (std::size_t seat = 0; seat < std::min(bots.size(), played.program.size()); ++seat) {
        const auto& program = played.program[seat];
        const auto& expected = job.programs.at(bots[seat]);
        if (!program.empty() && program != expected)
            return id + ": " + bots[seat] + " was played by " + program + ", and the job names " +
                   expected + "; its files changed while the job was played";
    }
    return {};
}

}  // namespace

std::string result_text(const Job& job, const JobResult& result) {
    std::ostringstream out;
    store::ArchiveWriter archive(out, origin_of(job, result));
    std::uint64_t seq = 0;
    for (const auto& played : result.games) archive.write({++seq, played.ended_ms, played.game});
    archive.end();
    return out.str();
}

base::Result<JobResult, std::string> read_result(const std::string& text, const std::string& name,
                                                 const Job& job) {
    Asked asked;
    for (const auto& match : job.matches) {
        for (const auto& game : match.games) asked.emplace(game.key, &game);
    }
    std::string wrong;
    auto read = store::result_of(name, [&] {
        std::istringstream in(text);
        store::ArchiveReader archive(in, name);
        JobResult result;
        wrong = wrong_origin(archive.origin(), job, result);
        while (wrong.empty()) {
            auto next = archive.next();
            if (!next) break;
            wrong = wrong_record(next->record, job, asked);
            if (wrong.empty())
                result.games.push_back(
                    {next->time_ms, std::get<records::GameRecord>(std::move(next->record))});
        }
        return result;
    });
    if (!read)
        return base::failure(read.error().message +
                             "; it counts for nothing, and the job is to be played again");
    if (!wrong.empty()) return base::failure(name + ": " + wrong);
    return *std::move(read);
}

}  // namespace referee::jobs
