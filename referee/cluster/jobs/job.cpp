#include "referee/cluster/jobs/job.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "protocol/base/assertion.h"
#include "protocol/json/reader.h"
#include "protocol/json/writer.h"
#include "referee/config/read_config.h"
#include "referee/contest/formats/format.h"
#include "referee/contest/formats/match.h"

namespace referee::jobs {
namespace {

namespace json = protocol::json;

constexpr std::size_t job_depth_max = 64;
constexpr std::string_view write_anew = "; let the coordinator write the job anew";

void write_match(json::Writer& writer, const JobMatch& match) {
    const auto& key = match.games.front().key;
    writer.begin_object()
        .member("tournament", key.tournament)
        .member("match", key.match)
        .member("games_max", match.games_max)
        .member("one_goes_on", match.one_goes_on)
        .member("extra_games", match.extra_games);
    writer.key("games").begin_array();
    for (const auto& game : match.games) {
        writer.begin_object()
            .member("number", game.key.number)
            .member("attempt", game.key.attempt)
            .member("setup", game.setup)
            .member("seed", game.seed);
        writer.key("bots").texts(game.bots).end_object();
    }
    writer.end_array().end_object();
}

std::uint32_t small(json::Reader& reader, std::string_view name, std::int64_t least) {
    return static_cast<std::uint32_t>(reader.integer(name, {least, UINT32_MAX}));
}

JobGame read_game(const json::Placed& placed, const std::string& tournament, std::uint64_t match) {
    json::Reader reader(placed);
    JobGame game;
    game.key = {tournament, match, small(reader, "number", 1), small(reader, "attempt", 1)};
    game.setup = small(reader, "setup", 0);
    game.seed = small(reader, "seed", 0);
    for (const auto name : reader.texts("bots")) game.bots.emplace_back(name);
    reader.no_others();
    return game;
}

JobMatch read_match(const json::Placed& placed) {
    json::Reader reader(placed);
    JobMatch match;
    const std::string tournament(reader.text("tournament"));
    const auto number = reader.unsigned_integer("match");
    match.games_max = small(reader, "games_max", 1);
    match.one_goes_on = reader.boolean("one_goes_on");
    match.extra_games = small(reader, "extra_games", 0);
    const auto games = reader.array("games");
    for (const auto game : games.elements())
        match.games.push_back(read_game(game, tournament, number));
    if (games && match.games.empty()) games.wrong("expected at least one game");
    reader.no_others();
    return match;
}

Job read_members(json::Reader& root) {
    Job job;
    job.id = root.text("id");
    job.written_ms = root.integer("written");
    job.unsandboxed = root.boolean("unsandboxed");
    if (const auto which = root.optional_word("min_tier", {"none", "C", "B", "A"}))
        job.tier_min = static_cast<sandbox::Tier>(*which);
    job.directory = root.text("directory");
    if (!job.directory.starts_with('/'))
        root.wrong("directory", "expected the absolute path of a folder, such as \"/home/course\"");
    json::Writer config(job.config_text);
    root.object("config").view().write(config);
    const auto programs = root.object("programs");
    for (const auto [bot, program] : programs.view().members()) {
        if (!program.string())
            root.wrong("programs",
                       "expected a program of each bot, such as "
                       "{\"ann\": \"sha256:...\"}");
        job.programs.emplace(bot, program.string().value_or(""));
    }
    const auto matches = root.array("matches");
    for (const auto match : matches.elements()) job.matches.push_back(read_match(match));
    if (matches && job.matches.empty()) matches.wrong("expected at least one match");
    root.no_others();
    return job;
}

const config::TournamentConfig* tournament_named(const Job& job, const std::string& id) {
    const auto& all = job.read->config.tournaments;
    const auto found = std::ranges::find(all, id, &config::TournamentConfig::id);
    return found == all.end() ? nullptr : &*found;
}

const config::BotConfig* bot_named(const Job& job, const std::string& name) {
    const auto& all = job.read->config.bots;
    const auto found = std::ranges::find(all, name, &config::BotConfig::name);
    return found == all.end() ? nullptr : &*found;
}

// Why the game can't be played as the job says; empty where it can.
std::string wrong_game(const Job& job, const JobMatch& match, const JobGame& game) {
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
    std::set<std::tuple<std::string, std::uint64_t, std::uint32_t>> seen;
    std::size_t games = 0;
    for (const auto& match : job.matches) {
        for (const auto& game : match.games) {
            const auto id = "game " + game_id(game.key) + ": ";
            if (++games > games_of_job_max)
                return "expected at most " + std::to_string(games_of_job_max) + " games";
            if (auto wrong = wrong_game(job, match, game); !wrong.empty()) return id + wrong;
            if (!seen.insert({game.key.tournament, game.key.match, game.key.number}).second)
                return id + "it stands twice";
        }
    }
    return {};
}

// The file without its config, which may be most of it, where that stands there as it is known.
std::optional<std::string> without_known(std::string_view text, const JobConfig& known) {
    const std::string name = "\"config\":";
    const auto at = text.find(name + known.text);
    if (at == std::string_view::npos) return std::nullopt;
    const auto before = text.substr(0, at);
    // A member of the whole, not of something in it.
    if (std::count(before.begin(), before.end(), '{') > 1) return std::nullopt;
    return std::string(before) + name + "{}" +
           std::string(text.substr(at + name.size() + known.text.size()));
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

const config::TournamentConfig& tournament_of(const Job& job, const JobMatch& match) {
    const auto* found = tournament_named(job, match.games.front().key.tournament);
    REFEREE_ASSERT(found != nullptr);
    return *found;
}

const engines::Game& rules_of(const Job& job, const JobMatch& match) {
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
    writer.begin_object()
        .member("job", format_of_jobs)
        .member("id", job.id)
        .member("referee", job.version)
        .member("written_by", job.written_by)
        .member("written", job.written_ms)
        .member("unsandboxed", job.unsandboxed)
        .member("min_tier", sandbox::name_of(job.tier_min))
        .member("directory", job.directory);
    writer.key("config").raw(job.config_text);
    writer.key("programs").begin_object();
    for (const auto& [bot, program] : job.programs) writer.member(bot, program);
    writer.end_object();
    writer.key("matches").begin_array();
    for (const auto& match : job.matches) write_match(writer, match);
    writer.end_array().end_object();
    return text + '\n';
}

base::Result<Job, std::string> read_job(std::string_view text, const std::string& file,
                                        std::string_view version,
                                        const std::shared_ptr<const JobConfig>& known) {
    const auto mistake = [&file](const std::string& what) {
        return base::failure(file + ": " + what + std::string(write_anew));
    };
    const auto rest = known == nullptr ? std::nullopt : without_known(text, *known);
    json::Document document;
    if (const auto parsed = document.parse(rest ? *rest : text, {.depth_max = job_depth_max});
        !parsed)
        return mistake(parsed.error().message);
    if (!document.root().is_object())
        return mistake("expected an object such as {\"job\": 1, ...}");
    json::Mistakes mistakes(json::ReadingRules{.remembers_names = true});
    json::Reader root(document.root(), mistakes);
    // What a later format says is not for this referee to judge.
    const auto format = root.integer("job", {1});
    if (!mistakes && format > format_of_jobs)
        return mistake("job: expected format " + std::to_string(format_of_jobs) + ", found " +
                       std::to_string(format) +
                       ": a newer referee wrote it; install the same referee on "
                       "this machine");
    const auto writer = root.text("referee");
    std::string written_by;
    root.text("written_by", written_by);
    if (!mistakes && writer != version)
        return mistake(
            "referee: the coordinator" + (written_by.empty() ? "" : ", " + written_by + ",") +
            " is version " + std::string(writer) + ", and this machine has version " +
            std::string(version) + ", which may play otherwise; install the same referee on both");
    auto job = read_members(root);
    job.version = writer;
    job.written_by = written_by;
    if (rest) job.config_text = known->text;
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

const JobGame* MatchProgress::next() const {
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
