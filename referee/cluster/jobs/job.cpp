#include "referee/cluster/jobs/job.h"

#include <algorithm>
#include <set>

#include "protocol/base/assertion.h"
#include "referee/config/read_config.h"
#include "referee/contest/formats/format.h"
#include "referee/contest/formats/match.h"
#include "referee/game/fields/write_fields.h"
#include "referee/game/result/result_fields.h"
#include "referee/store/records/read_fields.h"

namespace referee::fields {

template <>
struct Words<sandbox::Tier> {
    static std::optional<sandbox::Tier> named(std::string_view name) {
        return sandbox::tier_of(name);
    }
    static constexpr std::string_view expected = R"("none", "C", "B" or "A")";
};

template <>
struct Description<scheduler::MatchTask::Game> {
    using Row = scheduler::MatchTask::Game;
    static constexpr std::tuple fields{
        Within{&Row::key, Description<GameKey>::fields},
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
        Field{"unsandboxed", &Row::unsandboxed},
        Field{"min_tier", &Row::tier_min, Absent::from_both},
        Field{"directory", &Row::directory},
        JsonText{"config", &Row::config_text},
        Rows{"matches", &Row::matches},
    };
};

}  // namespace referee::fields

namespace referee::jobs {
namespace {

namespace json = protocol::json;

constexpr std::size_t job_depth_max = 64;

void read_programs(json::Reader& root, std::map<std::string, std::string>& into) {
    const auto programs = root.object("programs");
    for (const auto [bot, program] : programs.view().members()) {
        if (!program.string())
            root.wrong("programs",
                       "expected a program of each bot, such as {\"ann\": \"sha256:...\"}");
        into.emplace(bot, program.string().value_or(""));
    }
}

template <typename Named>
const Named* find_named(const std::vector<Named>& all, std::string Named::*name,
                        const std::string& wanted) {
    const auto found = std::ranges::find(all, wanted, name);
    return found == all.end() ? nullptr : &*found;
}

const config::TournamentConfig* tournament_named(const Job& job, const std::string& id) {
    return find_named(job.read->config.tournaments, &config::TournamentConfig::id, id);
}

const config::BotConfig* bot_named(const Job& job, const std::string& name) {
    return find_named(job.read->config.bots, &config::BotConfig::name, name);
}

// Why the game can't be played as the job says; empty where it can.
std::string wrong_game(const Job& job, const MatchTask& match, const MatchTask::Game& game) {
    const auto* tournament = tournament_named(job, game.key.tournament);
    if (tournament == nullptr) return "the config has no such tournament";
    if (formats::traits_of(tournament->format).pairs_who_is_free)
        return "a ladder pairs who is here, and can't be played elsewhere";
    if (game.setup >= tournament->setups.size())
        return "the tournament has " + std::to_string(tournament->setups.size()) +
               " setups, and there is none of number " + std::to_string(game.setup);
    for (const auto& name : game.bots) {
        const auto* bot = bot_named(job, name);
        if (bot == nullptr) return "the config has no bot " + name;
        if (!bot->launched())
            return name + " has no \"launch\": a bot that dials in plays where it dials in";
        if (!job.programs.contains(name)) return "\"programs\" doesn't tell the program of " + name;
    }
    const auto& rules = rules_of(job, match);
    json::Document params;
    const auto& setup = tournament->setups[game.setup];
    if (!params.parse(setup, {.depth_max = job_depth_max})) return "its setup is no JSON";
    const auto started = rules.start(params.root(), game.seed);
    if (!started) return started.error().message;
    const auto least = static_cast<std::size_t>(rules.info().seats_min);
    const auto most = static_cast<std::size_t>((*started)->seats());
    if (game.bots.size() >= least && game.bots.size() <= most) return {};
    return "expected " + std::to_string(least) + " to " + std::to_string(most) + " bots, found " +
           std::to_string(game.bots.size());
}

// The same of the whole job.
std::string contradiction_in(const Job& job) {
    if (job.read->config.pseudonyms)
        return "config: \"pseudonyms\" are told by the coordinator alone; expected none here";
    if (job.matches.empty()) return "matches: expected at least one match";
    std::set<GameKey> seen;
    for (const auto& match : job.matches) {
        if (match.games.empty()) return "matches: expected at least one game of each";
        for (const auto& game : match.games) {
            const auto id = "game " + game_id(game.key) + ": ";
            const auto& first = match.key();
            if (game.key.tournament != first.tournament || game.key.match != first.match)
                return id + "expected it among the games of its own match";
            if (auto wrong = wrong_game(job, match, game); !wrong.empty()) return id + wrong;
            if (!seen.insert({first.tournament, first.match, game.key.number, 0}).second)
                return id + "it stands twice";
            if (seen.size() > games_of_job_max)
                return "expected at most " + std::to_string(games_of_job_max) + " games";
        }
    }
    return {};
}

// An error says what is wrong with the job's config.
base::Result<std::shared_ptr<const JobConfig>, std::string> read_config_of(
    const Job& job, const std::string& file) {
    auto read = config::read_config(job.config_text, file, job.directory);
    if (!read) {
        const auto& first = read.error().front();
        const auto member = first.member.empty() ? "" : "." + first.member;
        return base::failure("config" + member + ": " + first.message);
    }
    const auto known = std::make_shared<JobConfig>();
    known->text = job.config_text;
    known->directory = job.directory;
    known->config = *std::move(read);
    for (const auto& tournament : known->config.tournaments) {
        auto registry = config::registry_for(tournament);
        if (!registry) return base::failure("config.maps: " + registry.error().message);
        known->games[tournament.id] = *std::move(registry);
    }
    return known;
}

}  // namespace

const config::TournamentConfig& tournament_of(const Job& job, const MatchTask& match) {
    const auto* found = tournament_named(job, match.key().tournament);
    REFEREE_ASSERT(found != nullptr);
    return *found;
}

const engines::Game& rules_of(const Job& job, const MatchTask& match) {
    const auto& tournament = tournament_of(job, match);
    return *job.read->games.at(tournament.id)->find(tournament.game);
}

const config::BotConfig& bot_of(const Job& job, const std::string& name) {
    const auto* found = bot_named(job, name);
    REFEREE_ASSERT(found != nullptr);
    return *found;
}

std::string job_text(const Job& job) {
    std::string text;
    json::Writer writer(text);
    writer.begin_object();
    fields::write_fields(writer, job, fields::Description<Job>::fields);
    writer.key("programs").begin_object();
    for (const auto& [bot, program] : job.programs) writer.member(bot, program);
    writer.end_object().end_object();
    return text + '\n';
}

base::Result<Job, std::string> read_job(std::string_view text, const std::string& file,
                                        std::string_view version,
                                        const std::shared_ptr<const JobConfig>& known) {
    const auto mistake = [&file](const std::string& what) {
        return base::failure(file + ": " + what + "; let the coordinator write the job anew");
    };
    json::Document document;
    if (const auto parsed = document.parse(text, {.depth_max = job_depth_max}); !parsed)
        return mistake(parsed.error().message);
    if (!document.root().is_object())
        return mistake("expected an object such as {\"job\": \"friday-17\", ...}");
    json::Mistakes mistakes(json::ReadingRules{.remembers_names = true});
    json::Reader root(document.root(), mistakes);
    // What another version's job says is not for this referee to judge.
    const auto writer = root.text("referee");
    if (!mistakes && writer != version) {
        const auto by = root.given("written_by").string();
        return mistake("referee: the coordinator" + (by ? ", " + std::string(*by) + "," : "") +
                       " is version " + std::string(writer) + ", and this machine has version " +
                       std::string(version) +
                       ", which may play otherwise; install the same referee on both");
    }
    Job job;
    records::read_fields(root, job, fields::Description<Job>::fields);
    read_programs(root, job.programs);
    root.no_others();
    if (!mistakes && !job.directory.starts_with('/'))
        root.wrong("directory", "expected the absolute path of a folder, such as \"/home/course\"");
    if (mistakes) return mistake(mistakes.first().text());
    job.read = known;
    if (known == nullptr || known->text != job.config_text || known->directory != job.directory) {
        auto read = read_config_of(job, file);
        if (!read) return mistake(read.error());
        job.read = *std::move(read);
    }
    if (auto wrong = contradiction_in(job); !wrong.empty()) return mistake(wrong);
    return job;
}

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

}  // namespace referee::jobs
